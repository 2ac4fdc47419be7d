/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Advice: what would make a kernel faster. Every figure is another simulation, with that change;
 * many run at a time.
 */
#ifndef PIPESIM_ADVICE_ADVICE_H
#define PIPESIM_ADVICE_ADVICE_H

#include "answer/advised.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* Gains below this are too small for the model to tell in program order: the order in which work
 * meets changes a run by as much, and streaming kernels, which it predicts best, are 5.5 % off in
 * the mean (docs/evidence/fidelity.md, "Bandwidth over occupancy", a V100). */
#define PS_MODEL_ERROR 0.05

/* The least gain that advice on this answer is told for: the least that the model can tell. */
double ps_advice_least_gain(const PsAnswer *answer);

/* Finds answer->advice, at least one item unless time was out before all was tried, and
 * answer->occupancy_step on the same condition. Without a deadline it takes as long as some runs
 * do. The answer must have been explained, and have its sensitivities. */
gboolean ps_answer_find_advice(PsAnswer *answer, const PsQuestion *question, guint threads,
                               GError **error);

#pragma GCC visibility pop
G_END_DECLS
#endif
