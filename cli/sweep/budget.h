/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The points of a sweep that has a budget. They are gathered first and simulated coarse ones first:
 * on each axis the ends of halves, then those of quarters, and so on, so that whatever is done by
 * the end of the time is spread over all of the sweep.
 */
#ifndef PIPESIM_CLI_SWEEP_BUDGET_H
#define PIPESIM_CLI_SWEEP_BUDGET_H

#include "cli/sweep/job.h"

/* Points that a sweep with a budget may have: all are kept. */
#define SWEEP_MOST_GATHERED 1000000

typedef struct SweepGathered SweepGathered;

SweepGathered *sweep_gathered_new(const Options *options);
void sweep_gathered_free(SweepGathered *gathered);

/* The next point of the sweep, in order; the job is taken. FALSE and *error where there are too
 * many. */
gboolean sweep_gathered_add(SweepGathered *gathered, SweepJob *job, GError **error);

/* Simulates as many as time allows. The result (SweepJob, in the order of the sweep, borrowed) is
 * those that are done (g_ptr_array_unref), *all how many there were. NULL and *error where there
 * are no threads. */
GPtrArray *sweep_gathered_run(SweepGathered *gathered, guint *all, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(SweepGathered, sweep_gathered_free)

#endif
