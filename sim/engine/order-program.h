/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Program order (refinement R2): a node issues only when all nodes before it in its warp have. So a
 * warp has one next instance, and what that depends on has issued before; only where it waits for a
 * barrier is the time of its readiness not known at once.
 *
 * An order is what engine-core.h is compiled with; it says which functions that takes.
 */
#ifndef PIPESIM_SIM_ENGINE_ORDER_PROGRAM_H
#define PIPESIM_SIM_ENGINE_ORDER_PROGRAM_H

#include "sim/engine/forward.h"

/* When the warp's next instance is ready; PS_NOT_DUE: not known yet. The engine's source becomes
 * that of what it waits for longest, without a branch, since that cannot be foreseen. */
static inline gint64 next_ready(PsEngine *engine, const PsWarp *warp, const PsPlanNode *node)
{
    gint64 ready = warp->turn;
    guint source = engine->source;
    const gint64 *need = &warp->needs[node->first_edge];
    for (guint e = 0; e < node->n_edges; e++) {
        const guint on = node->edges[e].on;
        const PsNodeState *state = &warp->nodes[on];
        if (need[e] <= 0)
            continue;
        if (need[e] > state->known)
            return PS_NOT_DUE;
        const gint64 done = ps_warp_recall(state, state->known - need[e]);
        const guint later = -(guint)(done > ready); /* all bits or none */
        ready = MAX(ready, done);
        source ^= (source ^ node->edges[e].source) & later;
    }
    engine->source = source;
    return ready;
}

/* Hands the warp's next instance to the issue stage, once its readiness is known. */
static inline G_ALWAYS_INLINE void offer(PsEngine *engine, PsStage *stage, guint slot)
{
    PsWarp *warp = &engine->warps[slot];
    const PsPlanNode *node = &warp->program->nodes[warp->at];
    const PsItem item = {next_ready(engine, warp, node), warp->rank, warp->position, slot,
                         warp->at};
    warp->waits = item.ready == PS_NOT_DUE;
    if (warp->waits)
        return;
    gint64 *need = &warp->needs[node->first_edge], *countdown = &warp->countdowns[node->first_edge];
    for (guint e = 0; e < node->n_edges; e++) {
        const PsPlanEdge *edge = &node->edges[e];
        if (edge->every > 1) {
            if (--countdown[e] > 0)
                continue;
            countdown[e] = edge->every;
        }
        need[e] += edge->per;
    }
    stage_push(stage, engine, node, &item);
}

static inline void order_start(PsEngine *engine, PsStage *stage, guint slot)
{
    PsWarp *warp = &engine->warps[slot];
    const PsPlanProgram *program = warp->program;
    warp->turn = warp->done;
    for (guint e = 0; e < program->n_edges; e++) {
        warp->needs[e] = program->edges[e].first;
        warp->countdowns[e] = program->edges[e].every;
    }
    for (guint l = 0; l < program->n_distinct; l++)
        warp->trips[l] = program->trips[l];
    if (program->n_nodes > 0)
        offer(engine, stage, slot);
}

/* An instance of node n will be complete at that time. */
static inline void order_known(PsEngine *engine, PsStage *stage, PsWarp *warp, const PsItem *item,
                               gint64 done)
{
    const PsPlanNode *node = &warp->program->nodes[item->node];
    PsNodeState *state = &warp->nodes[item->node];
    if (node->n_outs == 0)
        state->known++;
    else if (G_UNLIKELY(!ps_warp_remember(state, done, engine->now, &engine->budget)))
        engine->stuck = node;
    if (G_UNLIKELY(warp->waits))
        offer(engine, stage, item->slot);
}

/* Turns to the node after the one that has issued. FALSE where there is none. */
static inline gboolean next_node(PsEngine *engine, PsWarp *warp)
{
    const PsPlanNode *node = &warp->program->nodes[warp->at];
    for (guint l = 0; l < node->n_ending; l++) {
        const PsPlanLoop *loop = &node->loops[l];
        if (--warp->trips[loop->number] > 0) {
            warp->at = loop->first;
            if (warp->rank == engine->watched)
                engine->event = MIN(engine->event, loop->depth);
            return TRUE;
        }
        warp->trips[loop->number] = loop->trips;
    }
    return ++warp->at < warp->program->n_nodes;
}

/* The warp's next instance has issued: turns to the one after it, whose turn comes when that one
 * no longer holds the warp (R9). */
static inline void order_issued(PsEngine *engine, PsStage *stage, guint slot, gint64 time)
{
    PsWarp *warp = &engine->warps[slot];
    warp->turn = time + warp->program->nodes[warp->at].hold;
    warp->position++;
    if (next_node(engine, warp))
        offer(engine, stage, slot);
}

/* ---- fast-forward (sim/engine/forward.h)
 * ---------------------------------------------------------- */

static inline gboolean order_visit(const PsEngine *engine, const PsWarp *warp, PsTrail *trail)
{
    const PsPlanProgram *program = warp->program;
    gboolean same = ps_trail_word(trail, warp->at) && ps_trail_word(trail, warp->waits) &&
                    (!warp->waits || ps_trail_time(trail, engine, warp->turn));
    for (guint n = 0; same && n < program->n_nodes; n++)
        same = program->nodes[n].n_outs == 0 || ps_trail_history(trail, engine, &warp->nodes[n]);
    return same;
}

/* How many completions a dependence needs beyond those that are known. */
static inline gint64 order_needs(const PsWarp *warp, guint edge)
{
    return warp->needs[edge] - warp->nodes[warp->program->edges[edge].on].known;
}

/* What may move. Comparing: FALSE where it has; how many completions of a node are known says
 * nothing, since skips pass over them. */
static inline gboolean order_keep(const PsWarp *warp, PsTrail *counters)
{
    const PsPlanProgram *program = warp->program;
    gboolean same = ps_trail_word(counters, warp->position);
    for (guint l = 0; l < program->n_distinct; l++)
        same &= ps_trail_word(counters, warp->trips[l]);
    for (guint n = 0; n < program->n_nodes; n++) {
        const PsPlanNode *node = &program->nodes[n];
        if (counters->recording)
            ps_trail_word(counters, warp->nodes[n].known);
        else
            (void)ps_forward_before(counters);
        for (guint e = 0; e < node->n_edges; e++)
            same &= ps_trail_word(counters, order_needs(warp, node->first_edge + e)) &
                    ps_trail_word(counters, warp->countdowns[node->first_edge + e]);
    }
    return same;
}

/* FALSE when the warp's counters moved other than they may; else lowers *most to the periods after
 * which none of them has come to its end. What a node needs may change while it does not issue: it
 * then stands behind the loop that moves. */
static inline gboolean order_moves(const PsWarp *warp, PsTrail *counters, gint64 *most)
{
    const PsPlanProgram *program = warp->program;
    const gboolean moved = warp->position != ps_forward_before(counters);
    guint changed = 0;
    for (guint l = 0; l < program->n_distinct; l++) {
        const gint64 before = ps_forward_before(counters);
        changed += warp->trips[l] != before;
        if (warp->trips[l] > before)
            return FALSE;
        ps_forward_limit(before, warp->trips[l], most);
    }
    if (changed != (moved ? 1 : 0))
        return FALSE;
    for (guint n = 0; n < program->n_nodes; n++) {
        const PsPlanNode *node = &program->nodes[n];
        const gboolean issued = warp->nodes[n].known != ps_forward_before(counters);
        for (guint e = 0; e < node->n_edges; e++) {
            const gint64 needs = ps_forward_before(counters);
            const gint64 countdown = ps_forward_before(counters);
            if (warp->countdowns[node->first_edge + e] > countdown ||
                (issued && order_needs(warp, node->first_edge + e) != needs))
                return FALSE;
            ps_forward_limit(countdown, warp->countdowns[node->first_edge + e], most);
        }
    }
    return TRUE;
}

static inline void order_skip(PsWarp *warp, PsTrail *counters, gint64 times)
{
    const PsPlanProgram *program = warp->program;
    warp->shift = times * (warp->position - ps_forward_before(counters));
    warp->position += warp->shift;
    for (guint l = 0; l < program->n_distinct; l++)
        ps_forward_move(ps_forward_before(counters), &warp->trips[l], times);
    for (guint n = 0; n < program->n_nodes; n++) {
        const PsPlanNode *node = &program->nodes[n];
        (void)ps_forward_before(counters);
        for (guint e = node->first_edge; e < node->first_edge + node->n_edges; e++) {
            warp->needs[e] += times * (order_needs(warp, e) - ps_forward_before(counters));
            ps_forward_move(ps_forward_before(counters), &warp->countdowns[e], times);
        }
    }
}

/* Iterations left of a loop that the warp is in, this one too. */
static inline PsEstimateTrips order_trips_left(const PsWarp *warp, guint loop)
{
    if (warp->left == 0 || warp->at >= warp->program->n_nodes ||
        ps_estimate_per_iteration(&warp->program->nodes[warp->at], loop) == 0)
        return (PsEstimateTrips){0, 0};
    return (PsEstimateTrips){warp->trips[loop], warp->trips[loop]};
}

/* The warp, which is in that loop, goes on by so many iterations. What nodes outside need of those
 * inside falls with them; what nodes inside need of each other stays as far ahead. */
static inline void order_go_on(PsWarp *warp, guint loop, gint64 iterations)
{
    const PsPlanProgram *program = warp->program;
    warp->position += warp->shift;
    warp->trips[loop] -= iterations;
    for (guint n = 0; n < program->n_nodes; n++) {
        const PsPlanNode *node = &program->nodes[n];
        const gint64 inside = ps_estimate_per_iteration(node, loop);
        for (guint e = 0; e < node->n_edges; e++) {
            const gint64 on = ps_estimate_per_iteration(&program->nodes[node->edges[e].on], loop);
            if (inside > 0 && on == 0 && node->edges[e].every > 1)
                warp->countdowns[node->first_edge + e] -= iterations * inside;
            else if (inside == 0)
                warp->needs[node->first_edge + e] -= iterations * on;
        }
    }
}

#endif
