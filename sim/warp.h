/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A warp on the compute unit: how far each node has come, and what its next instance waits for.
 *
 * Within a warp the instances of one node become ready, issue and complete in program order, so
 * counters are the whole state (idg/program.h): of each dependence, how many completions the next
 * instance still needs (its slack, 0 or less where it needs none); of each node, how many
 * dependences hold its next instance up. Memory does not grow with trip counts. Internal to sim/.
 */
#ifndef PIPESIM_SIM_WARP_H
#define PIPESIM_SIM_WARP_H

#include "sim/plan.h"

#include <string.h>

/* `pending` of a node that has no further instance: no number of completions brings it to 0. */
#define PS_NEVER (G_MAXUINT / 2)

typedef struct {
    const PsPlanProgram *program;
    PsNodeState *states;
    gint64 *slack;
    gint64 *countdown;
    gint64 *trips;
    gint64 left;  /* instances that are not complete */
    guint64 rank; /* order among all warps ever launched: by group, then warp */
    guint place;  /* its group's place on the CU */
    gboolean at_barrier;
    guint barrier;   /* the barrier node that it waits at */
    gint64 position; /* and its place in program order */
} PsWarp;

/* Memory that the state of a warp with this program takes. */
static inline gint64 ps_warp_bytes(const PsPlanProgram *program)
{
    return (gint64)sizeof(PsWarp) + program->n_nodes * (gint64)sizeof(PsNodeState) +
           (2 * (gint64)program->n_edges + program->n_loops) * (gint64)sizeof(gint64);
}

/* Room for a warp of any of the plan's programs. */
static inline void ps_warp_init(PsWarp *warp, const PsPlan *plan)
{
    guint nodes = 1, edges = 1, loops = 1;
    for (guint p = 0; p < plan->n_programs; p++) {
        nodes = MAX(nodes, plan->programs[p].n_nodes);
        edges = MAX(edges, plan->programs[p].n_edges);
        loops = MAX(loops, plan->programs[p].n_loops);
    }
    *warp = (PsWarp){0};
    warp->states = g_new(PsNodeState, nodes);
    warp->slack = g_new(gint64, edges);
    warp->countdown = g_new(gint64, edges);
    warp->trips = g_new(gint64, loops);
}

static inline void ps_warp_clear(PsWarp *warp)
{
    g_free(warp->states);
    g_free(warp->slack);
    g_free(warp->countdown);
    g_free(warp->trips);
}

static inline void ps_warp_start(PsWarp *warp, const PsPlanProgram *program, guint64 rank)
{
    warp->program = program;
    warp->rank = rank;
    warp->left = program->length;
    warp->at_barrier = FALSE;
    memcpy(warp->states, program->states, program->n_nodes * sizeof(PsNodeState));
    memcpy(warp->slack, program->slack, program->n_edges * sizeof(gint64));
    memcpy(warp->countdown, program->countdown, program->n_edges * sizeof(gint64));
    memcpy(warp->trips, program->trips, program->n_loops * sizeof(gint64));
}

/* Moves a node's position to its next instance: one iteration of its innermost loop on, where that
 * is over one of the next loop, and so on. */
static inline void ps_warp_next_position(PsWarp *warp, const PsPlanNode *node, PsNodeState *state)
{
    gint64 *trips = &warp->trips[node->first_loop];
    const PsProgramLoop *loop = node->loops;
    for (; --*trips == 0; trips++, loop++) {
        *trips = loop->trips;
        state->position -= (loop->trips - 1) * loop->stride;
    }
    state->position += loop->stride;
}

/* The next instance of node n has become ready: turns to the one after it. TRUE if that is ready at
 * once, too. */
static inline gboolean ps_warp_advance(PsWarp *warp, guint n)
{
    const PsPlanNode *node = &warp->program->nodes[n];
    PsNodeState *state = &warp->states[n];
    if (--state->left == 0) {
        state->pending = PS_NEVER;
        return FALSE;
    }
    ps_warp_next_position(warp, node, state);
    guint pending = 0;
    const PsPlanEdge *edge = node->edges, *end = edge + node->n_edges;
    gint64 *slack = &warp->slack[node->first_edge];
    gint64 *countdown = &warp->countdown[node->first_edge];
    for (; edge < end; edge++, slack++, countdown++) {
        if (edge->every == 1 || --*countdown == 0) {
            *countdown = edge->every;
            *slack += edge->per;
        }
        pending += *slack > 0;
    }
    state->pending = pending;
    return pending == 0;
}

/* An instance of node n has completed: lists in released the nodes whose next instance that makes
 * ready, and returns how many they are. */
static inline guint ps_warp_complete(PsWarp *warp, guint n, guint *released)
{
    const PsPlanNode *node = &warp->program->nodes[n];
    guint n_released = 0;
    gint64 *slack = warp->slack;
    PsNodeState *states = warp->states;
    const PsPlanOut *end = node->outs + node->n_outs;
    for (const PsPlanOut *out = node->outs; out < end; out++)
        if (--slack[out->edge] == 0 && --states[out->node].pending == 0)
            released[n_released++] = out->node;
    return n_released;
}

#endif
