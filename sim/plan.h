/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A machine laid out for the engine: what a completion or an issue touches stands together, in
 * arrays indexed by small numbers. Built once per run, then only read. Internal to sim/.
 */
#ifndef PIPESIM_SIM_PLAN_H
#define PIPESIM_SIM_PLAN_H

#include "sim/sim.h"

/* A dependence seen from the node that others wait for. */
typedef struct {
    guint edge; /* index in the program's edges */
    guint node; /* who waits */
} PsPlanOut;

/* The same dependence seen from the node that waits: after how many of its instances (every) it
 * needs how many more completions (per). */
typedef struct {
    gint64 per;
    gint64 every;
} PsPlanEdge;

typedef struct {
    const PsIdgItem *item; /* name and line, for messages */
    gint64 issue;          /* lambda, ticks */
    gint64 completion;     /* Lambda, ticks; of a store that nothing waits for (T5): lambda */
    guint pipeline;        /* among those that the kernel uses */
    guint timer;           /* index of Lambda among the plan's timers */
    gboolean barrier;
    guint n_outs;
    const PsPlanOut *outs;
    guint first_edge, n_edges; /* edges, and the same part of a warp's slack and countdown */
    const PsPlanEdge *edges;
    guint first_loop, n_loops; /* loops, and the same part of a warp's trip counters */
    const PsProgramLoop *loops;
} PsPlanNode;

/* The changing part of a node in a warp. */
typedef struct {
    gint64 position; /* of the next instance that will be ready */
    gint64 left;     /* instances that are not ready yet, that one included */
    guint pending;   /* dependences which that instance still waits for */
} PsNodeState;

typedef struct {
    guint n_nodes, n_edges, n_loops;
    PsPlanNode *nodes;
    PsPlanOut *outs;
    PsPlanEdge *edges;
    PsProgramLoop *loops;
    gint64 length;
    guint n_initial;
    guint *initial; /* nodes that are ready when their group is launched, in program order */
    /* How a warp's state looks at launch. */
    PsNodeState *states; /* n_nodes */
    gint64 *slack;       /* n_edges: completions that the next instance still needs */
    gint64 *countdown;   /* n_edges: instances until `per` is due */
    gint64 *trips;       /* n_loops: iterations left of each loop around each node */
} PsPlanProgram;

typedef struct {
    const PsMachine *machine;
    guint n_programs;
    PsPlanProgram *programs;
    guint *program_of;   /* warp of a group -> program */
    guint n_timers;      /* distinct Lambdas */
    guint n_pipelines;   /* that the kernel uses */
    gint64 group_length; /* instances of a whole group */
} PsPlan;

/* FALSE and *error (PS_ERROR_LIMIT) when the run would issue more than 2^63 instructions. */
gboolean ps_plan_init(PsPlan *plan, const PsMachine *machine, GError **error);
void ps_plan_clear(PsPlan *plan);

#endif
