/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The order of dataflow, that of the published model: a node issues as soon as its data allow (T1),
 * whatever stands before it. For each dependence a warp keeps how many completions the next
 * instance still needs to know; each that becomes known counts down what waits for it.
 *
 * An order is what engine-core.h is compiled with: order_start, order_known and order_issued.
 */
#ifndef PIPESIM_SIM_ORDER_DATAFLOW_H
#define PIPESIM_SIM_ORDER_DATAFLOW_H

#include "sim/forward.h"

/* Moves a node's position to its next instance: one iteration of its innermost loop on, where that
 * is over one of the next loop, and so on. Returns how many loops were over. */
static inline guint next_position(PsWarp *warp, const PsPlanNode *node, PsNodeState *state)
{
    gint64 *trips = &warp->trips[node->first_loop];
    const PsPlanLoop *loop = node->loops;
    guint over = 0;
    for (; --*trips == 0; trips++, loop++, over++) {
        *trips = loop->trips;
        state->position -= (loop->trips - 1) * loop->stride;
    }
    state->position += loop->stride;
    return over;
}

/* It is known when the next instance of node n is ready: turns to the one after it. TRUE if that
 * needs nothing more to be known. */
static inline gboolean advance(PsEngine *engine, PsWarp *warp, guint n)
{
    const PsPlanNode *node = &warp->program->nodes[n];
    PsNodeState *state = &warp->nodes[n];
    if (--state->left == 0) {
        state->pending = PS_NEVER;
        return FALSE;
    }
    const guint over = next_position(warp, node, state);
    if (warp->rank == engine->watched && n == warp->program->deepest)
        engine->event = MIN(engine->event, node->n_loops - over);
    guint pending = 0;
    const PsPlanEdge *edge = node->edges, *end = edge + node->n_edges;
    PsEdgeState *to = &warp->edges[node->first_edge];
    for (; edge < end; edge++, to++) {
        if (--to->countdown == 0) {
            to->countdown = edge->every;
            to->need += edge->per;
        }
        if (to->need > 0)
            pending++;
        else
            state->ready = MAX(state->ready, ps_warp_recall(&warp->nodes[edge->on], -to->need));
    }
    state->pending = pending;
    return pending == 0;
}

/* It is known when the next instance of node n is ready, and perhaps more after it: hands all of
 * them to the issue stage. */
static inline void release(PsEngine *engine, PsStage *stage, guint slot, guint n)
{
    PsWarp *warp = &engine->warps[slot];
    const PsNodeState *state = &warp->nodes[n];
    do {
        const PsItem item = {state->ready, warp->rank, state->position, slot, n};
        stage_push(stage, engine, &warp->program->nodes[n], &item);
    } while (advance(engine, warp, n) && engine->stuck == NULL);
}

static inline void order_start(PsEngine *engine, PsStage *stage, guint slot)
{
    PsWarp *warp = &engine->warps[slot];
    const PsPlanProgram *program = warp->program;
    for (guint e = 0; e < program->n_edges; e++)
        warp->edges[e] = (PsEdgeState){program->edges[e].first, program->edges[e].every};
    for (guint l = 0; l < program->n_loops; l++)
        warp->trips[l] = program->loops[l].trips;
    for (guint n = 0; n < program->n_nodes; n++) {
        warp->nodes[n].position = program->starts[n].position;
        warp->nodes[n].pending = program->starts[n].pending;
        warp->nodes[n].left = program->nodes[n].count;
    }
    for (guint i = 0; i < program->n_initial; i++)
        release(engine, stage, slot, program->initial[i]);
}

/* An instance of node n will be complete at that time. */
static inline void order_known(PsEngine *engine, PsStage *stage, guint slot, guint n, gint64 done)
{
    PsWarp *warp = &engine->warps[slot];
    const PsPlanNode *node = &warp->program->nodes[n];
    PsNodeState *states = warp->nodes;
    if (node->n_outs == 0)
        return;
    if (G_UNLIKELY(!ps_warp_remember(&states[n], done, engine->now, &engine->budget)))
        engine->stuck = node;
    guint n_released = 0;
    const PsPlanOut *out = node->outs, *end = out + node->n_outs;
    for (; out < end; out++) {
        if (--warp->edges[out->edge].need != 0)
            continue;
        PsNodeState *state = &states[out->node];
        state->ready = MAX(state->ready, done);
        if (--state->pending == 0)
            engine->released[n_released++] = out->node;
    }
    for (guint i = 0; i < n_released; i++)
        release(engine, stage, slot, engine->released[i]);
}

static inline void order_issued(PsEngine *engine, PsStage *stage, guint slot, gint64 time)
{
    (void)engine;
    (void)stage;
    (void)slot;
    (void)time;
}

/* ---- fast-forward (sim/forward.h) ---------------------------------------------------------- */

/* What of a node must be equal: whether it still waits, and completions that are to come. */
static inline gboolean order_visit_node(const PsEngine *engine, const PsNodeState *state,
                                        PsTrail *trail)
{
    gboolean same = ps_trail_word(trail, state->pending);
    if (same && state->pending != PS_NEVER)
        same = ps_trail_time(trail, engine, state->ready);
    return same && ps_trail_history(trail, engine, state);
}

static inline gboolean order_visit(const PsEngine *engine, const PsWarp *warp, PsTrail *trail)
{
    const PsPlanProgram *program = warp->program;
    gboolean same = TRUE;
    for (guint n = 0; same && n < program->n_nodes; n++)
        same = order_visit_node(engine, &warp->nodes[n], trail);
    for (guint e = 0; same && e < program->n_edges; e++)
        same = ps_trail_word(trail, warp->edges[e].countdown);
    return same;
}

/* What may move. Comparing: FALSE where it has. */
static inline gboolean order_keep(const PsWarp *warp, PsTrail *counters)
{
    gboolean same = TRUE;
    for (guint n = 0; n < warp->program->n_nodes; n++) {
        const PsPlanNode *node = &warp->program->nodes[n];
        same &= ps_trail_word(counters, warp->nodes[n].position);
        same &= ps_trail_word(counters, warp->nodes[n].left);
        for (guint l = 0; l < node->n_loops; l++)
            same &= ps_trail_word(counters, warp->trips[node->first_loop + l]);
        for (guint e = 0; e < node->n_edges; e++)
            same &= ps_trail_word(counters, warp->edges[node->first_edge + e].need);
    }
    return same;
}

/* A node's trip counters and completions that it needs. FALSE when they moved other than they may.
 */
static inline gboolean order_node_moves(const PsWarp *warp, guint n, gboolean moved,
                                        PsTrail *counters, gint64 *most)
{
    const PsPlanNode *node = &warp->program->nodes[n];
    guint changed = 0;
    for (guint l = 0; l < node->n_loops; l++) {
        const gint64 trips = warp->trips[node->first_loop + l];
        const gint64 before = ps_forward_before(counters);
        changed += trips != before;
        if (trips > before)
            return FALSE;
        ps_forward_limit(before, trips, most);
    }
    if (changed != (moved ? 1 : 0))
        return FALSE;
    for (guint e = 0; e < node->n_edges; e++) {
        const gint64 need = warp->edges[node->first_edge + e].need;
        const gint64 before = ps_forward_before(counters);
        if (need == before || warp->nodes[n].pending == PS_NEVER)
            continue;
        if (moved || need <= 0 || need > before)
            return FALSE;
        ps_forward_limit(before, need, most);
    }
    return TRUE;
}

/* FALSE when the warp's counters moved other than they may; else lowers *most to the periods after
 * which none of them has come to its end. */
static inline gboolean order_moves(const PsWarp *warp, PsTrail *counters, gint64 *most)
{
    gint64 far = 0;
    for (guint n = 0; n < warp->program->n_nodes; n++) {
        const PsNodeState *state = &warp->nodes[n];
        const gint64 step = state->position - ps_forward_before(counters);
        const gint64 left = ps_forward_before(counters);
        const gboolean moved = left != state->left;
        if (moved && (state->left == 0 || step <= 0 || (far != 0 && far != step)))
            return FALSE;
        if (moved)
            far = step;
        ps_forward_limit(left, state->left, most);
        if (!order_node_moves(warp, n, moved, counters, most))
            return FALSE;
    }
    return TRUE;
}

static inline void order_skip(PsWarp *warp, PsTrail *counters, gint64 times)
{
    warp->shift = 0;
    for (guint n = 0; n < warp->program->n_nodes; n++) {
        const PsPlanNode *node = &warp->program->nodes[n];
        PsNodeState *state = &warp->nodes[n];
        const gint64 step = state->position - ps_forward_before(counters);
        const gint64 left = ps_forward_before(counters);
        if (left != state->left)
            warp->shift = times * step;
        state->position += left != state->left ? times * step : 0;
        ps_forward_move(left, &state->left, times);
        for (guint l = 0; l < node->n_loops; l++)
            ps_forward_move(ps_forward_before(counters), &warp->trips[node->first_loop + l], times);
        for (guint e = 0; e < node->n_edges; e++)
            ps_forward_move(ps_forward_before(counters), &warp->edges[node->first_edge + e].need,
                            times);
    }
}

#endif
