/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What to do about the time that a kernel takes. Every figure is another simulation, in which that
 * is done; many run at a time.
 */
#ifndef PIPESIM_ADVICE_ADVICE_H
#define PIPESIM_ADVICE_ADVICE_H

#include "answer/advised.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* A gain below this is less than the model can tell of a machine in program order: in which order
 * work meets there changes a run by as much, and kernels that stream, which it tells best, are 5.5
 * % off on the mean (docs/evidence/fidelity.md, "Bandwidth over occupancy", a V100). */
#define PS_MODEL_ERROR 0.05

/* The gain from which on advice on this answer is told: what the model can tell. */
double ps_advice_least_gain(const PsAnswer *answer);

/* Finds answer->advice, at least one item unless time was out before all was tried, and
 * answer->occupancy_step, likewise; without a deadline it takes as long as some runs do. The answer
 * must have been explained, and its sensitivities be there. */
gboolean ps_answer_find_advice(PsAnswer *answer, const PsQuestion *question, guint threads,
                               GError **error);

#pragma GCC visibility pop
G_END_DECLS
#endif
