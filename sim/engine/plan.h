/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A machine laid out for the engine: data that a completion or an issue touches stand together, in
 * arrays indexed by small numbers. Built once per run, then only read. Internal to sim/.
 */
#ifndef PIPESIM_SIM_ENGINE_PLAN_H
#define PIPESIM_SIM_ENGINE_PLAN_H

#include "sim/sim.h"

/* A dependence seen from the node that others wait for. */
typedef struct {
    guint edge; /* index in the program's edges */
    guint node; /* the node that waits */
} PsPlanOut;

/* The same dependence seen from the node that waits: how many completions of which node its first
 * instance needs, and after how many instances (every) how many more (per). */
typedef struct {
    gint64 first;
    gint64 per;
    gint64 every;
    guint on;
    guint source; /* completions of that node */
} PsPlanEdge;

/* A dependence in program order on an instance that is not the latest. */
typedef struct {
    guint on;
    gint64 back; /* so many before the latest that has issued */
} PsPlanFar;

/* A wait of a node for another warp (R12), as in PsProgramWait. */
typedef struct {
    gint64 first;
    gint64 per;
    gint64 every;
    guint program;
    guint on;
    guint node;    /* that waits */
    guint number;  /* among the program's waits */
    guint lack;    /* place of the number that a warp lacks, one for each warp of that program */
    gint64 raises; /* how often at most more are needed; -1: without limit ... */
    gint64 rest;   /* ... and by how many the last time */
    guint n_lacks;
} PsPlanWait;

/* The same seen from the node that is awaited. */
typedef struct {
    guint program; /* whose warps wait */
    guint lack;    /* of what they lack */
} PsPlanWatch;

/* A loop around a node, innermost first. */
typedef struct {
    gint64 trips;
    gint64 stride; /* how far program order moves with each trip */
    guint number;  /* among the program's loops */
    guint first;   /* the first node in it */
    guint last;
    guint depth; /* 1: outermost */
} PsPlanLoop;

/* A node keeps at hand so many of the values that it waits for, at most. */
#define PS_PLAN_VALUES 4

/* What every issue touches comes first. */
typedef struct {
    gint64 issue;      /* lambda, ticks */
    gint64 completion; /* Lambda, ticks; of what is posted (T5, R7): lambda */
    gint64 hold;       /* R9, ticks */
    guint queue;       /* instances of a scheduler that may wait in front of its pipeline (R11) */
    guint pipeline;    /* among those that the kernel uses */
    guint n_stops;     /* servers that an instance passes (R7, R8) */
    guint n_ending;    /* how many of its loops, from the innermost, end with it */
    gboolean ends;     /* one of them or the program does, or it or what follows awaits other warps
                          (R12) */
    gboolean barrier;
    gboolean reads;             /* of the banks of registers, and that takes time (R10) */
    gboolean asks;              /* it reads, or its pipeline has a queue */
    guint8 banks[PS_IDG_BANKS]; /* as of the graph's node */
    guint8 kept[PS_IDG_BANKS];
    /* Program order (sim/engine/plan-program.c): */
    guint number;                 /* among the nodes of all programs */
    guint value;                  /* place of the warp's latest completion */
    guint values[PS_PLAN_VALUES]; /* those that it waits for, the first of them */
    guint n_more;
    const guint *more; /* the others */
    guint n_far;
    gboolean far_awaited; /* some node waits for an instance of it that is not the latest */
    const PsPlanFar *far; /* what else it waits for */
    guint n_waits, n_watches;
    const PsPlanWait *waits;    /* for other warps (R12) */
    const PsPlanWatch *watches; /* of other warps */

    const PsIdgItem *item; /* name and line, for messages */
    guint source;          /* number of its pair of pipeline and Lambda */
    gboolean posted;
    const PsStop *stops; /* the machine's */
    guint n_outs;
    const PsPlanOut *outs;
    guint first_edge, n_edges; /* edges, and the same part of a warp's */
    const PsPlanEdge *edges;
    guint first_loop, n_loops; /* loops, and the same part of a warp's trip counters */
    const PsPlanLoop *loops;
    gint64 count; /* instances */
} PsPlanNode;

/* The value that has always passed, and the one that nobody waits for. */
enum { PS_VALUE_PASSED, PS_VALUE_UNUSED, PS_VALUES_FIXED };

/* The initial values of a node's changing part at launch. */
typedef struct {
    gint64 position; /* of its first instance */
    guint pending;   /* dependences which that waits for */
} PsPlanStart;

typedef struct {
    guint n_nodes, n_edges, n_loops;
    PsPlanNode *nodes;
    PsPlanOut *outs;
    PsPlanEdge *edges;
    PsPlanLoop *loops; /* of all nodes, one after the other */
    guint n_distinct;  /* loops of the program */
    gint64 *trips;     /* n_distinct: trips of each */
    guint n_values;    /* program order: latest completions that a warp keeps */
    guint *values;     /* values of nodes, those of one node together */
    PsPlanFar *fars;
    guint n_waits, n_lacks; /* what all nodes await of other warps (R12) */
    PsPlanWait *waits;
    PsPlanWatch *watches;
    guint n_warps;
    guint *warps;  /* warps of a group that run it; only if there are waits */
    guint history; /* completions of all nodes that a warp remembers at first */
    gint64 length;
    guint n_initial;
    guint *initial; /* nodes that are ready when their group is launched, in program order */
    PsPlanStart *starts;
    guint deepest; /* the node with most instances */
} PsPlanProgram;

/* The programs of the warps of a kind of groups. */
typedef struct {
    guint *program_of; /* warp of a group -> program */
    guint *nth_of;     /* warp of a group -> its number among those of its program */
    guint longest;     /* its first warp with most instances */
    gint64 length;     /* instances of a whole group */
} PsPlanKind;

typedef struct {
    const PsMachine *machine;
    gboolean waits; /* a node awaits other warps (R12) */
    guint n_programs;
    PsPlanProgram *programs;
    guint n_kinds;
    PsPlanKind *kinds;       /* the kernel's */
    guint n_nodes;           /* of all programs */
    guint n_sources;         /* distinct pairs of pipeline and Lambda */
    guint n_pipelines;       /* that the kernel uses, in the GPU's order */
    guint8 **queue_of;       /* [pipeline][source]: the queue for what that source makes ready
                                (sim/engine/merge.h); one more source stands for launches */
    guint *n_queues;         /* [pipeline] */
    gboolean *per_scheduler; /* n_pipelines: each scheduler has it */
    guint *queues;   /* n_pipelines: instances of a scheduler that may wait in front of it (R11) */
    gboolean *turns; /* n_pipelines: warps get places in these queues by turns */
    gboolean by_turns;   /* of some of them */
    gint64 shortest;     /* ticks: no instance completes sooner after its issue */
    gint64 group_length; /* instances of a whole group that has most */
} PsPlan;

/* FALSE and *error (PS_ERROR_LIMIT) when the run would issue more than 2^63 instructions, or one of
 * the other limits of ps_sim_run that do not depend on its course is exceeded. */
gboolean ps_plan_init(PsPlan *plan, const PsMachine *machine, GError **error);
void ps_plan_clear(PsPlan *plan);

/* Instances of the first n groups of a CU. */
gint64 ps_plan_instructions(const PsPlan *plan, gint64 n);

/* Warps remember completions of it: others wait for them. */
static inline gboolean ps_plan_remembers(const PsPlanNode *node)
{
    return node->n_outs > 0 || node->n_watches > 0;
}

/* Lays out what nodes await of other warps (R12); all programs and kinds of groups are. */
void ps_plan_lay_out_waits(PsPlan *plan);

/* Lays out what a program's nodes wait for in program order; its edges are. */
void ps_plan_lay_out_values(PsPlanProgram *plan);

#endif
