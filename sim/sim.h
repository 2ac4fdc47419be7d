/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Time: a kernel on one compute unit of a GPU, by the rules T1 to T9 of the pipeline performance
 * model. Three steps: resolve the launch, bind classes to latencies, run.
 *
 *     ps_launch_resolve  ->  PsLaunch      how many groups, how many at once
 *     ps_machine_new     ->  PsMachine     every node's pipeline, lambda and Lambda in ticks
 *     ps_sim_run         ->  PsSimResult   cycles; listeners hear what happens on the way
 *
 * Time is exact: an integer number of ticks. A cycle has as many ticks as the least common
 * denominator of all latencies in play.
 */
#ifndef PIPESIM_SIM_SIM_H
#define PIPESIM_SIM_SIM_H

#include "gpu/gpu.h"
#include "idg/program.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* ---- the launch ---------------------------------------------------------------------------- */

/* What replaces the graph's launch; 0 keeps it. */
typedef struct {
    gint64 groups;
    gint64 group_size;
    gint64 active; /* active groups per CU instead of what occupancy allows */
} PsLaunchOptions;

/* Most warps that a simulated CU holds; far above any GPU's, it bounds the memory of a run. */
#define PS_SIM_MAX_WARPS (1024 * 1024)

typedef struct {
    gint64 groups;          /* of the whole launch */
    gint64 group_size;      /* threads */
    gint64 warps_per_group; /* G */
    gint64 groups_per_cu;   /* N = ceil(groups / CUs) */
    gint64 active_groups;   /* M: what the CU holds at once, never more than N */
    gint64 fitting_groups;  /* what occupancy allows; 0: not even one fits */
    double occupancy;       /* M * G / most warps per CU, or 0 where the GPU states no limit */
    guint limited_by;       /* PsLimitBits that allow no further group; 0 where one of the below */
    gboolean limited_by_launch; /* the launch has no more groups for this CU */
    gboolean forced;            /* PsLaunchOptions.active decided */
} PsLaunch;

/* Appends warnings (char *, owned by the array) for a forced M that does not fit and for fewer
 * groups than CUs. FALSE and *error when no group fits (PS_ERROR_VALUE), an option is below 0
 * (PS_ERROR_USAGE), or more than PS_SIM_MAX_WARPS warps would be active (PS_ERROR_LIMIT). */
gboolean ps_launch_resolve(const PsKernel *kernel, const PsGpu *gpu, const PsLaunchOptions *options,
                           PsLaunch *launch, GPtrArray *warnings, GError **error);

/* ---- classes bound to latencies ------------------------------------------------------------ */

/* Other latencies for a class that the graph asks for and for its subclasses; {0, 1} keeps one. Of
 * several that give a class an issue latency the longest name wins, of equal names the later one;
 * likewise for the completion latency. */
typedef struct {
    char *klass;
    PsRational issue;
    PsRational completion;
} PsWhatIf;

/* Reads "CLASS.issue=V,CLASS.completion=V,..." into PsWhatIf items, one per class. NULL and *error
 * (PS_ERROR_USAGE) when it is malformed or a latency is not above zero. */
GPtrArray *ps_what_if_parse(const char *text, GError **error);
void ps_what_if_free(PsWhatIf *what_if);

/* A class that the graph asks for. */
typedef struct {
    const char *asked;    /* borrowed from the graph */
    const PsClass *klass; /* what serves it, borrowed from the GPU */
    PsMatch match;
    PsLatency latency; /* cycles on a pipeline of the whole CU, what-ifs applied */
    guint pipeline;    /* index in the GPU's pipelines */
    gint64 issue;      /* lambda in ticks */
    gint64 completion; /* Lambda in ticks */
} PsBoundClass;

typedef struct {
    const PsKernel *kernel; /* borrowed, like gpu: both must outlive the machine */
    const PsGpu *gpu;
    PsLaunch launch;
    gint64 ticks_per_cycle;
    guint n_classes;
    PsBoundClass *classes; /* in the order in which the graph asks for them first */
    guint **class_of;      /* [program][node]: index in classes */
} PsMachine;

/* Binds. Appends warnings for classes that a default stands in for, and for tables over active
 * warps, which the published model does not use. what_if (PsWhatIf, may be NULL)
 * must match at least one class each. NULL and *error for a class that the GPU lacks (naming the
 * node's file and line and the classes that there are), or for latencies without a common tick. */
PsMachine *ps_machine_new(const PsKernel *kernel, const PsGpu *gpu, const PsLaunch *launch,
                          const GPtrArray *what_if, GPtrArray *warnings, GError **error);
void ps_machine_free(PsMachine *machine);

/* A time in ticks as exact cycles. */
PsRational ps_machine_cycles(const PsMachine *machine, gint64 ticks);

/* ---- running ------------------------------------------------------------------------------- */

/* One instance of a node. */
typedef struct {
    gint64 group;    /* in order of launch, from 0 */
    guint warp;      /* in its group */
    guint program;   /* of the kernel */
    guint node;      /* of the program */
    gint64 position; /* in the warp's program order, from 0 */
} PsInstance;

/* Who wants to hear of events fills in what it wants and leaves the rest NULL. Times are ticks and
 * never fall from one call to the next; within an instant completions come first, then groups that
 * finish, launches and issues. What is passed lives for the call only. */
typedef struct {
    void *self; /* first argument of every call */
    void (*launched)(void *self, gint64 time, gint64 group);
    void (*issued)(void *self, gint64 time, gint64 ready, const PsInstance *instance);
    void (*completed)(void *self, gint64 time, const PsInstance *instance);
    void (*finished)(void *self, gint64 time, gint64 group);
} PsListener;

/* About how many instances may at once be ready and wait, or be under way: it bounds the memory of
 * a run whose graph lets an instruction run ahead of the others. */
#define PS_SIM_WAITING_LIMIT (4 * 1024 * 1024)

/* Most memory that the state of the resident warps may take. */
#define PS_SIM_MAX_BYTES (G_GINT64_CONSTANT(1) << 30)

typedef struct {
    gint64 ticks;        /* when the last group is done (T9) */
    PsRational cycles;   /* the same in cycles */
    gint64 instructions; /* warp instructions issued on this CU */
} PsSimResult;

/* Runs the machine's N groups, M at once. Deterministic, and reentrant: threads may run machines at
 * the same time. Groups without any instruction take no time and raise no events. FALSE and *error
 * (PS_ERROR_LIMIT) when the run takes more than 2^62 ticks or issues more than 2^63 instructions,
 * when its warps need more than PS_SIM_MAX_BYTES, or when PS_SIM_WAITING_LIMIT is reached (the
 * message names the node). */
gboolean ps_sim_run(const PsMachine *machine, const PsListener *listeners, guint n_listeners,
                    PsSimResult *result, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsMachine, ps_machine_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsWhatIf, ps_what_if_free)

#pragma GCC visibility pop
G_END_DECLS
#endif
