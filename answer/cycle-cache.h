/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Keeps the results of simulations by the inputs that decide them, so that none is run twice. A
 * clock, a clamp and the cost of a kernel's launch are no such inputs, since they count only after
 * a simulation; nor is a latency that nothing waits for (the completion of a store that rule T5
 * frees).
 */
#ifndef PIPESIM_ANSWER_CYCLE_CACHE_H
#define PIPESIM_ANSWER_CYCLE_CACHE_H

#include "answer/answer.h"

typedef struct PsCycleCache PsCycleCache;

PsCycleCache *ps_cycle_cache_new(void);
void ps_cycle_cache_free(PsCycleCache *cache);

/* The inputs that decide the cycles of the question's machine, as text (g_free). The text is valid
 * while its graph and GPU are there. */
char *ps_cycle_cache_key(const PsQuestion *question, const PsMachine *machine);

/* The result for a key, in the ticks of the machine that ran. FALSE if it is not known, or if its
 * cycles are near the limit of a run with that many ticks per cycle. */
gboolean ps_cycle_cache_find(const PsCycleCache *cache, const char *key, gint64 ticks_per_cycle,
                             PsSimResult *result);

void ps_cycle_cache_add(PsCycleCache *cache, const char *key, const PsSimResult *result);

/* Whether anything waits for the completion of a class's instructions, of each class (g_free). */
gboolean *ps_completions_that_count(const PsMachine *machine);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsCycleCache, ps_cycle_cache_free)

#endif
