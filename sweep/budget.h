/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The points of a sweep that has a budget. They are gathered first and simulated coarse ones first:
 * on each axis the ends of halves, then those of quarters, and so on, so that whatever is done by
 * the end of the time is spread over all of the sweep.
 */
#ifndef PIPESIM_SWEEP_BUDGET_H
#define PIPESIM_SWEEP_BUDGET_H

#include "sweep/job.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* Points that a sweep with a budget may have: all are kept. */
#define PS_SWEEP_MOST_GATHERED 1000000

typedef struct PsSweepGathered PsSweepGathered;

PsSweepGathered *ps_sweep_gathered_new(const PsSweepAsked *asked);
void ps_sweep_gathered_free(PsSweepGathered *gathered);

/* Adds the next point of the sweep, in order; takes ownership of the job. FALSE and *error: they
 * are too many. */
gboolean ps_sweep_gathered_add(PsSweepGathered *gathered, PsSweepJob *job, GError **error);

/* All jobs in the order in which they are simulated (PsSweepJob, borrowed; g_ptr_array_unref). No
 * point may be added later. */
GPtrArray *ps_sweep_gathered_jobs(PsSweepGathered *gathered);

/* Simulates as many points as time allows. Returns the finished ones (PsSweepJob, in the order of
 * the sweep, borrowed; g_ptr_array_unref), and in *all the number of all. NULL and *error: there
 * are no threads. */
GPtrArray *ps_sweep_gathered_run(PsSweepGathered *gathered, guint *all, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsSweepGathered, ps_sweep_gathered_free)

#pragma GCC visibility pop
G_END_DECLS
#endif
