/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The best points of a sweep (--best): first a bound of every point, then points are simulated from
 * the least bound on, until the next one's is above the worst of the best. Results are looked at in
 * that order whichever comes first, so what is left out does not depend on the number of threads.
 */
#ifndef PIPESIM_CLI_SWEEP_BEST_H
#define PIPESIM_CLI_SWEEP_BEST_H

#include "cli/sweep/job.h"

typedef struct Best Best;

/* Keeps the best `most` points. */
Best *best_new(const Options *options, guint most);
void best_free(Best *best);

/* Takes a job that looked for a bound, or failed. */
void best_take_bound(Best *best, SweepJob *job);

/* After the last bound: the number of points that have one, which best_next passes in their
 * order. */
guint best_begin(Best *best);

/* The next to be simulated; NULL: there is none any more, or enough are under way. */
SweepJob *best_next(Best *best);

/* Takes a job that was simulated, in the order of best_next. */
void best_take(Best *best, SweepJob *job);

/* The i-th of the best, from 0, borrowed; NULL: there are no more. */
const SweepJob *best_at(const Best *best, guint i);

/* What was left out and why, for people (g_free); *failed: points that have no result. */
char *best_describe(const Best *best, guint *failed);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Best, best_free)

#endif
