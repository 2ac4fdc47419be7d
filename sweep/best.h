/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The best points of a sweep (--best): first a bound of every point, then points are simulated from
 * the least bound on, until the next one's is above the worst of the best. Results are looked at in
 * that order whichever comes first, so what is left out does not depend on the number of threads.
 */
#ifndef PIPESIM_SWEEP_BEST_H
#define PIPESIM_SWEEP_BEST_H

#include "sweep/job.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

typedef struct PsSweepBest PsSweepBest;

/* Begins a search for the best `most` points. */
PsSweepBest *ps_sweep_best_new(const PsSweepAsked *asked, guint most);
void ps_sweep_best_free(PsSweepBest *best);

/* Takes a job that looked for a bound, or failed. */
void ps_sweep_best_take_bound(PsSweepBest *best, PsSweepJob *job);

/* After the last bound: the number of points that have one, which ps_sweep_best_next passes in
 * their order. */
guint ps_sweep_best_begin(PsSweepBest *best);

/* The next job to simulate; NULL: none is left, or enough are in progress. */
PsSweepJob *ps_sweep_best_next(PsSweepBest *best);

/* Takes a job that was simulated, in the order of ps_sweep_best_next. */
void ps_sweep_best_take(PsSweepBest *best, PsSweepJob *job);

/* The i-th best point, from 0, borrowed; NULL: there are no more. */
const PsSweepJob *ps_sweep_best_at(const PsSweepBest *best, guint i);

/* A sentence on what was left out and why (g_free); *failed: points without a result. */
char *ps_sweep_best_describe(const PsSweepBest *best, guint *failed);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsSweepBest, ps_sweep_best_free)

#pragma GCC visibility pop
G_END_DECLS
#endif
