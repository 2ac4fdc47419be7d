/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The subject of a sweep, checked before anything is simulated or written: graphs, GPUs, the number
 * of points, and that the first of them make sense.
 */
#ifndef PIPESIM_SWEEP_PLAN_H
#define PIPESIM_SWEEP_PLAN_H

#include "sweep/asked.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* A graph on a GPU; both are the plan's. */
typedef struct {
    const PsIdg *idg; /* NULL: of code that is varied */
    const PsGpu *gpu;
    const char *name, *file, *gpu_name; /* as of PsSweepPoint */
} PsSweepPair;

typedef struct {
    const PsSweepAsked *asked; /* borrowed */
    GPtrArray *graphs, *gpus;  /* of code a graph for each GPU, since caches differ */
    GArray *pairs;             /* PsSweepPair: each file on each GPU */
    GPtrArray *names;          /* char *: of code that is varied */
    const char *built; /* the first file of which each GPU has a graph of its own; borrowed; or NULL
                        */
    gboolean several_files;
    guint total; /* points of the whole sweep */
} PsSweepPlan;

/* A plan without graphs and GPUs. */
PsSweepPlan *ps_sweep_plan_new(const PsSweepAsked *asked);
void ps_sweep_plan_free(PsSweepPlan *plan);

/* Adds a GPU, that of the next name asked for; it is taken. */
void ps_sweep_plan_add_gpu(PsSweepPlan *plan, PsGpu *gpu);

/* Adds a graph and takes ownership; file: the code or recording from which it was built for one
 * GPU; NULL: it is the same for all. */
void ps_sweep_plan_add_graph(PsSweepPlan *plan, PsIdg *idg, const char *file);

/* Adds both and pairs them, borrowed, where nothing else is added. */
void ps_sweep_plan_lend(PsSweepPlan *plan, const PsIdg *idg, const PsGpu *gpu);

/* Pairs a graph and a GPU that were added: its points come behind those of the pairs before. */
void ps_sweep_plan_pair(PsSweepPlan *plan, const PsIdg *idg, const PsGpu *gpu);

/* Pairs each file with each GPU, when all GPUs were added, where lists of code vary: their graphs
 * are made when their points come. FALSE and *error (PS_ERROR_USAGE) for a file that is no code,
 * and for lists that cannot be, or would change nothing. */
gboolean ps_sweep_plan_pair_code(PsSweepPlan *plan, GError **error);

/* Counts the points, when all pairs were added, and warns (PsCodeHost.tell) of values that do not
 * reach what code was executed with. FALSE and *error (PS_ERROR_USAGE) for names that graphs lack,
 * for what is wrong with every point, and for too many points. */
gboolean ps_sweep_plan_check(PsSweepPlan *plan, GError **error);

/* The number of points for this machine. */
guint ps_sweep_plan_share(const PsSweepPlan *plan);

/* TRUE if this machine does the point of that number: points are dealt out one by one, so that
 * every machine gets its share of long ones. */
gboolean ps_sweep_is_mine(const PsSweepAsked *asked, guint number);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsSweepPlan, ps_sweep_plan_free)

#pragma GCC visibility pop
G_END_DECLS
#endif
