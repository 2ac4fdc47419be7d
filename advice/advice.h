/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What to do about the time that a kernel takes. Every figure is another simulation, in which that
 * is done; many run at a time.
 *
 * Since: 0.1
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

/* ---- what a compiler makes of it ----------------------------------------------------------- */

/* More iterations in one fill the cache of instructions, and compilers refuse them. */
#define PS_PRAGMA_MOST 64

/* Whether `#pragma unroll` before a loop is how to do it: it is advice on several iterations of a
 * loop at once, of a graph that was made of code. *file and *line become those of the loop's branch
 * (borrowed; NULL and 0 where they are not known), *times what the pragma has to ask for:
 * iterations of the source, of which one of the code may have several. */
gboolean ps_advice_is_pragma(const PsAnswer *answer, const PsAdvice *advice, const char **file,
                             guint *line, guint *times);

/* Sets what comes of the pragma, in the sentence too: the time of the graph that was made of that
 * code, which is the same if it takes exactly as long; NULL: it is the same. The question is the
 * answer's. Returns whether the compiler makes the same code of it. */
gboolean ps_advice_set_pragma(PsAdvice *advice, const PsAnswer *answer, const PsQuestion *question,
                              const PsIdg *idg, guint times);

/* Sets why that is not known, a clause. */
void ps_advice_set_no_pragma(PsAdvice *advice, const PsAnswer *answer, const char *why);

#pragma GCC visibility pop
G_END_DECLS
#endif
