/* SPDX-License-Identifier: BSD-3-Clause */
/* How sure an answer can be: the sources of the figures on which it rests. */
#ifndef PIPESIM_TELL_TRUST_H
#define PIPESIM_TELL_TRUST_H

#include "answer/advised.h"
#include "answer/figures.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* What decides less of the time than this is counted, and not named. */
#define WEIGHED_LEAST 0.01

/* "the GPU's figures are published, derived; assumed: the rate of partial sectors, which decides
 * about 98.3 % of the time; 3 others decide less; kernels limited by L1 on Turing: 14 % off in the
 * mean, 30 % at worst, of 22": the kinds of sources, best first, of the figures that the run used,
 * what of them nobody measured, and ps_known_error_describe (g_free). */
char *ps_trust_describe(const PsAnswer *answer);

/* The errors of such predictions against measured times (g_free); NULL if nothing ran, or the GPU's
 * architecture is not stated. */
char *ps_known_error_describe(const PsAnswer *answer);

/* "; it rests on assumed figures: barrier; that is less than the model can tell, 5 %": the doubts
 * about a piece of advice, to stand behind its sentence; maybe empty (g_free). */
char *ps_certainty_describe(const PsAnswer *answer, const PsAdvice *advice);

#pragma GCC visibility pop
G_END_DECLS
#endif
