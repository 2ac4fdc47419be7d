/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a sweep is about, found and checked before anything is simulated or written: graphs, GPUs,
 * how many points there are, and that the first of them make sense.
 */
#ifndef PIPESIM_CLI_SWEEP_PLAN_H
#define PIPESIM_CLI_SWEEP_PLAN_H

#include "cli/question.h"

/* A graph on a GPU; both are the plan's. */
typedef struct {
    const PsIdg *idg; /* NULL: of code that is varied */
    const PsGpu *gpu;
    const char *name, *file, *gpu_name; /* as of Point */
} SweepPair;

typedef struct {
    GPtrArray *graphs, *gpus; /* of code a graph for each GPU, since caches differ */
    GArray *pairs;            /* SweepPair: each file on each GPU */
    GPtrArray *names;         /* char *: of code that is varied */
    gboolean several_files;
    guint total; /* points of the whole sweep */
} SweepPlan;

/* NULL and *error where a file cannot be read, or what is asked for cannot be. */
SweepPlan *sweep_plan_new(const Options *options, GError **error);
void sweep_plan_free(SweepPlan *plan);

/* How many of the points this machine does. */
guint sweep_plan_share(const SweepPlan *plan, const Options *options);

/* Whether it does the point of this number: points are dealt out one by one, so that every machine
 * gets its share of the long ones. */
gboolean sweep_plan_is_mine(const Options *options, guint number);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(SweepPlan, sweep_plan_free)

#endif
