/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What simulations took, by what their time follows from, so that none is run twice. Of what is
 * kept apart: a clock, a clamp and what launches of kernels cost count only after a simulation, and
 * latencies that nothing waits for (the completion of a store that rule T5 frees) not at all.
 */
#ifndef PIPESIM_ANSWER_MEMO_H
#define PIPESIM_ANSWER_MEMO_H

#include "answer/answer.h"

typedef struct Memo Memo;

Memo *memo_new(void);
void memo_free(Memo *memo);

/* What the cycles of that question's machine follow from, as text (g_free). Valid while its graph
 * and GPU are there. */
char *memo_key(const Question *question, const PsMachine *machine);

/* The cycles that go with a key. FALSE where they are not known, or would come near to what a run
 * with that many ticks per cycle can count. */
gboolean memo_find(const Memo *memo, const char *key, gint64 ticks_per_cycle, PsRational *cycles);

void memo_add(Memo *memo, const char *key, PsRational cycles);

/* Whether anything waits for the completion of a class's instructions, of each class (g_free). */
gboolean *completions_that_count(const PsMachine *machine);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Memo, memo_free)

#endif
