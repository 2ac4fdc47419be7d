/* SPDX-License-Identifier: BSD-3-Clause */
/* One point of a sweep as work for a thread: what to simulate, and then what came out. */
#ifndef PIPESIM_CLI_SWEEP_JOB_H
#define PIPESIM_CLI_SWEEP_JOB_H

#include "cli/question.h"
#include "cli/sweep/point.h"

typedef struct {
    const Options *options;
    Point point;     /* with values of its own */
    PsIdg *idg;      /* of code that is varied; the point has it, too */
    GPtrArray *told; /* char *, likewise: what building told */
    gboolean bounds; /* only a bound is asked for */
    double bound;    /* seconds, which the result is not below */
    PsVariedQuestion *setup;
    PsAnswer *answer, *what_if; /* what_if is NULL where nothing was asked */
    GError *error;              /* NULL where the point succeeded */
} SweepJob;

/* Copies the point; takes error, which is NULL for a point that could be made. */
SweepJob *sweep_job_new(const Options *options, const Point *point, GError *error);
void sweep_job_free(SweepJob *job);

/* Simulates, in any thread. */
void sweep_job_do(void *job);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(SweepJob, sweep_job_free)

#endif
