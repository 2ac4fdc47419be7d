/* SPDX-License-Identifier: BSD-3-Clause */
/* One point of a sweep as work for a thread: what to simulate, and the result. */
#ifndef PIPESIM_SWEEP_JOB_H
#define PIPESIM_SWEEP_JOB_H

#include "sweep/asked.h"
#include "sweep/point.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

typedef struct {
    const PsSweepAsked *asked;
    PsSweepPoint point; /* with values of its own */
    PsIdg *idg;         /* of code that is varied; the point has it, too */
    GPtrArray *told;    /* char *, likewise: what building told */
    gboolean bounds;    /* only a bound is wanted */
    double bound;       /* seconds; a lower bound of the result */
    PsVariedQuestion *setup;
    PsAnswer *answer, *what_if; /* what_if is NULL where nothing was asked */
    GError *error;              /* NULL where the point succeeded */
} PsSweepJob;

/* Copies the point; takes ownership of error, which is NULL for a point that could be made. */
PsSweepJob *ps_sweep_job_new(const PsSweepAsked *asked, const PsSweepPoint *point, GError *error);
void ps_sweep_job_free(PsSweepJob *job);

/* Simulates, in any thread. */
void ps_sweep_job_do(void *job);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsSweepJob, ps_sweep_job_free)

#pragma GCC visibility pop
G_END_DECLS
#endif
