/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The order of dataflow, that of the published model: a node issues as soon as its data allow (T1),
 * whatever stands before it. For each dependence a warp counts the completions that the next
 * instance still needs to know; each completion that becomes known counts down its dependents.
 *
 * An order is what engine-core.h is compiled with; it says which functions that takes.
 */
#ifndef PIPESIM_SIM_ENGINE_ORDER_DATAFLOW_H
#define PIPESIM_SIM_ENGINE_ORDER_DATAFLOW_H

#include "sim/engine/forward.h"
#include "sim/engine/moment.h"

#include <string.h>

/* The path of every instance is worth one piece of code. */
#define ORDER_INLINE inline G_ALWAYS_INLINE

/* Moves a node's position to its next instance: one iteration on in its innermost loop, or, if that
 * is over, in the next loop, and so on. Returns the number of loops that were over: if all were,
 * there is no further instance. */
static ORDER_INLINE guint next_position(PsWarp *warp, const PsPlanNode *node, PsNodeState *state)
{
    gint64 *trips = &warp->trips[node->first_loop];
    const PsPlanLoop *loop = node->loops, *end = loop + node->n_loops;
    gint64 position = state->position;
    for (; loop < end; loop++, trips++) {
        if (--*trips > 0) {
            position += loop->stride;
            break;
        }
        *trips = loop->trips;
        position -= (loop->trips - 1) * loop->stride;
    }
    state->position = position;
    return (guint)(loop - node->loops);
}

/* It is known when the next instance of node n is ready: turns to the one after it. TRUE if that
 * needs nothing more to be known. */
static ORDER_INLINE gboolean advance(PsEngine *engine, PsWarp *warp, const PsPlanNode *node,
                                     guint n)
{
    PsNodeState *states = warp->nodes, *state = &states[n];
    const guint over = next_position(warp, node, state);
    if (over == node->n_loops) {
        state->pending = PS_NEVER;
        return FALSE;
    }
    if (G_UNLIKELY(warp->rank == engine->watched) && n == warp->program->deepest)
        engine->event = MIN(engine->event, node->n_loops - over);
    guint pending = 0;
    gint64 ready = state->ready;
    const PsPlanEdge *edge = node->edges, *end = edge + node->n_edges;
    gint64 *need = &warp->needs[node->first_edge];
    for (; edge < end; edge++, need++) {
        gint64 left = *need;
        if (edge->every == 1) {
            left += edge->per;
        } else if (--warp->countdowns[edge - warp->program->edges] == 0) {
            warp->countdowns[edge - warp->program->edges] = edge->every;
            left += edge->per;
        }
        *need = left;
        if (left > 0)
            pending++;
        else
            ready = MAX(ready, ps_warp_recall(&states[edge->on], -left));
    }
    state->ready = ready;
    state->pending = pending;
    return pending == 0;
}

/* It is known when the next instance of node n is ready: hands it to the issue stage. TRUE if the
 * one after it needs nothing more to be known. */
static ORDER_INLINE gboolean release(PsEngine *engine, PsStage *stage, PsWarp *warp, guint slot,
                                     guint n)
{
    const PsPlanNode *node = &warp->program->nodes[n];
    const PsNodeState *state = &warp->nodes[n];
    const PsItem item = {state->ready, warp->rank, state->position, slot, n};
    stage_push(stage, engine, node, &item);
    return advance(engine, warp, node, n);
}

/* How many instances of a node, from its next one on, are certain to be ready together: the
 * innermost loop goes on, and no dependence needs more. */
static inline gint64 alike(const PsWarp *warp, const PsPlanNode *node)
{
    gint64 most = node->n_loops > 0 ? warp->trips[node->first_loop] - 1 : 0;
    for (guint e = 0; e < node->n_edges; e++)
        most =
            MIN(most, node->edges[e].every == 1 ? 0 : warp->countdowns[node->first_edge + e] - 1);
    return most;
}

/* Notes that so many instances of a node went to the issue stage. */
static inline void pass_alike(PsEngine *engine, PsWarp *warp, guint n, gint64 times)
{
    const PsPlanNode *node = &warp->program->nodes[n];
    if (G_UNLIKELY(warp->rank == engine->watched) && n == warp->program->deepest)
        engine->event = MIN(engine->event, node->n_loops);
    warp->nodes[n].position += times * node->loops[0].stride;
    warp->trips[node->first_loop] -= times;
    for (guint e = 0; e < node->n_edges; e++)
        warp->countdowns[node->first_edge + e] -= times;
}

/* Whether such instances of these nodes, taken in turn, come one behind the other in one pipeline.
 */
static inline gboolean in_a_row(const PsWarp *warp, const guint *released, guint n_released)
{
    const PsPlanNode *first = &warp->program->nodes[released[0]];
    const PsNodeState *begin = &warp->nodes[released[0]], *before = begin;
    for (guint i = 1; i < n_released; i++) {
        const PsPlanNode *node = &warp->program->nodes[released[i]];
        const PsNodeState *state = &warp->nodes[released[i]];
        if (node->pipeline != first->pipeline || state->ready != begin->ready ||
            node->loops[0].stride != first->loops[0].stride || state->position <= before->position)
            return FALSE;
        before = state;
    }
    return before->position - begin->position < first->loops[0].stride;
}

/* The next instance of node n. */
static inline PsItem next_item(const PsWarp *warp, guint slot, guint n)
{
    const PsNodeState *state = &warp->nodes[n];
    return (PsItem){state->ready, warp->rank, state->position, slot, n};
}

/* Hands over so many instances of each node, all at once. FALSE if that is not possible. */
static inline gboolean append_alike(PsEngine *engine, PsStage *stage, guint slot, guint n_released,
                                    gint64 times)
{
    const PsWarp *warp = &engine->warps[slot];
    const PsPlanNode *nodes = warp->program->nodes;
    const guint *released = engine->released;
    if (times > G_MAXINT32 || !in_a_row(warp, released, n_released))
        return FALSE;
    const PsItem first = next_item(warp, slot, released[0]);
    PsItem *room = stage_append(stage, engine, &nodes[first.node], &first, times * n_released);
    if (!room)
        return FALSE;
    for (guint i = 0; i < n_released; i++) {
        PsItem item = next_item(warp, slot, released[i]);
        const gint64 stride = nodes[item.node].loops[0].stride;
        for (gint64 t = 0; t < times; t++, item.position += stride)
            room[t * n_released + i] = item;
    }
    return TRUE;
}

static inline void push_alike(PsEngine *engine, PsStage *stage, guint slot, guint n_released,
                              gint64 times)
{
    const PsWarp *warp = &engine->warps[slot];
    for (gint64 t = 0; t < times && !engine->stuck; t++)
        for (guint i = 0; i < n_released; i++) {
            const PsPlanNode *node = &warp->program->nodes[engine->released[i]];
            PsItem item = next_item(warp, slot, engine->released[i]);
            item.position += t * node->loops[0].stride;
            stage_push(stage, engine, node, &item);
        }
}

/* Hands over as many instances of each node that engine->released lists as are ready with its next
 * one, of all as many and in turn. Afterwards the next one of each is ready as before. */
static void release_alike(PsEngine *engine, PsStage *stage, guint slot, guint n_released)
{
    PsWarp *warp = &engine->warps[slot];
    const PsPlanNode *nodes = warp->program->nodes;
    const guint *released = engine->released;
    gint64 times = G_MAXINT64;
    for (guint i = 0; i < n_released && times > 0; i++)
        times = MIN(times, alike(warp, &nodes[released[i]]));
    if (times == 0)
        return;
    if (!append_alike(engine, stage, slot, n_released, times))
        push_alike(engine, stage, slot, n_released, times);
    for (guint i = 0; i < n_released; i++)
        pass_alike(engine, warp, released[i], times);
}

/* Hands over all that engine->released lists, and what comes after it: in turn, since nodes of one
 * loop then come in program order. */
static void release_all(PsEngine *engine, PsStage *stage, guint slot, guint n_released)
{
    PsWarp *warp = &engine->warps[slot];
    while (n_released > 0 && !engine->stuck) {
        guint again = 0;
        for (guint i = 0; i < n_released; i++)
            if (release(engine, stage, warp, slot, engine->released[i]))
                engine->released[again++] = engine->released[i];
        n_released = again;
        if (again > 0)
            release_alike(engine, stage, slot, again);
    }
}

static inline void order_start(PsEngine *engine, PsStage *stage, guint slot)
{
    PsWarp *warp = &engine->warps[slot];
    const PsPlanProgram *program = warp->program;
    for (guint e = 0; e < program->n_edges; e++) {
        warp->needs[e] = program->edges[e].first;
        warp->countdowns[e] = program->edges[e].every;
    }
    for (guint l = 0; l < program->n_loops; l++)
        warp->trips[l] = program->loops[l].trips;
    for (guint n = 0; n < program->n_nodes; n++) {
        warp->nodes[n].position = program->starts[n].position;
        warp->nodes[n].pending = program->starts[n].pending;
    }
    memcpy(engine->released, program->initial, program->n_initial * sizeof(guint));
    release_all(engine, stage, slot, program->n_initial);
}

/* Called when it is known that an instance of node n will be complete at that time. */
static ORDER_INLINE void order_known(PsEngine *engine, PsStage *stage, PsWarp *warp,
                                     const PsItem *item, const PsPlanNode *node, gint64 done)
{
    PsNodeState *states = warp->nodes;
    if (node->n_outs == 0)
        return;
    if (G_UNLIKELY(!ps_warp_remember(&states[item->node], done, engine->now, &engine->budget)))
        engine->stuck = node;
    guint n_released = 0;
    const PsPlanOut *out = node->outs, *end = out + node->n_outs;
    for (; out < end; out++) {
        if (--warp->needs[out->edge] != 0)
            continue;
        PsNodeState *state = &states[out->node];
        state->ready = MAX(state->ready, done);
        if (--state->pending == 0)
            engine->released[n_released++] = out->node;
    }
    if (n_released == 1 && !release(engine, stage, warp, item->slot, engine->released[0]))
        return;
    if (n_released > 0)
        release_all(engine, stage, item->slot, n_released);
}

static inline PsNext order_issued(PsEngine *engine, PsWarp *warp, const PsPlanNode *node,
                                  gint64 time)
{
    (void)engine;
    (void)warp;
    (void)node;
    (void)time;
    return (PsNext){NULL, 0};
}

/* ---- fast-forward (sim/engine/forward.h)
 * ---------------------------------------------------------- */

/* Visits the state of a node that must be equal: whether it still waits, and completions that are
 * to come. */
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
    return same;
}

/* A warp's counters at the time when they were kept. */
typedef struct {
    const gint64 *positions, *trips, *needs, *countdowns;
} OrderCounters;

/* What may move, each kind side by side. */
static inline gboolean order_keep(const PsWarp *warp, PsTrail *counters)
{
    const PsPlanProgram *program = warp->program;
    gboolean same = TRUE;
    for (guint n = 0; n < program->n_nodes; n++)
        same &= ps_trail_word(counters, warp->nodes[n].position);
    return same & ps_trail_words(counters, warp->trips, program->n_loops) &
           ps_trail_words(counters, warp->needs, program->n_edges) &
           ps_trail_words(counters, warp->countdowns, program->n_edges);
}

/* What was kept of a warp. */
static inline OrderCounters order_kept(const PsWarp *warp, PsTrail *counters)
{
    const PsPlanProgram *program = warp->program;
    OrderCounters kept = {.positions = counters->words + counters->at};
    kept.trips = kept.positions + program->n_nodes;
    kept.needs = kept.trips + program->n_loops;
    kept.countdowns = kept.needs + program->n_edges;
    const gsize n = program->n_nodes + program->n_loops + 2 * (gsize)program->n_edges;
    counters->at += n;
    counters->effort += (gint64)n;
    return kept;
}

/* A node's trip counters and completions that it needs. FALSE when they moved other than they may.
 */
static inline gboolean order_node_moves(const PsWarp *warp, guint n, gboolean moved,
                                        const OrderCounters *kept, gint64 *most)
{
    const PsPlanNode *node = &warp->program->nodes[n];
    guint changed = 0;
    for (guint l = node->first_loop; l < node->first_loop + node->n_loops; l++) {
        changed += warp->trips[l] != kept->trips[l];
        if (warp->trips[l] > kept->trips[l])
            return FALSE;
        ps_forward_limit(kept->trips[l], warp->trips[l], most);
    }
    if (changed != (moved ? 1 : 0))
        return FALSE;
    for (guint e = node->first_edge; e < node->first_edge + node->n_edges; e++) {
        const gint64 need = warp->needs[e], before = kept->needs[e];
        if (warp->countdowns[e] > kept->countdowns[e])
            return FALSE;
        ps_forward_limit(kept->countdowns[e], warp->countdowns[e], most);
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
    const OrderCounters kept = order_kept(warp, counters);
    gint64 far = 0;
    for (guint n = 0; n < warp->program->n_nodes; n++) {
        const PsNodeState *state = &warp->nodes[n];
        const gint64 step = state->position - kept.positions[n];
        if (step != 0 && (state->pending == PS_NEVER || step < 0 || (far != 0 && far != step)))
            return FALSE;
        if (step != 0)
            far = step;
        if (!order_node_moves(warp, n, step != 0, &kept, most))
            return FALSE;
    }
    return TRUE;
}

/* Moves counters of one kind on. */
static inline void order_move(const gint64 *before, gint64 *now, guint n, gint64 times)
{
    for (guint i = 0; i < n; i++)
        ps_forward_move(before[i], &now[i], times);
}

static inline void order_skip(PsWarp *warp, PsTrail *counters, gint64 times)
{
    const PsPlanProgram *program = warp->program;
    const OrderCounters kept = order_kept(warp, counters);
    warp->shift = 0;
    for (guint n = 0; n < program->n_nodes; n++) {
        const gint64 step = warp->nodes[n].position - kept.positions[n];
        if (step != 0)
            warp->shift = times * step;
        warp->nodes[n].position += times * step;
    }
    order_move(kept.trips, warp->trips, program->n_loops, times);
    order_move(kept.needs, warp->needs, program->n_edges, times);
    order_move(kept.countdowns, warp->countdowns, program->n_edges, times);
}

/* ---- moments (sim/engine/forward-jump.h) --------------------------------------------------- */

static inline void order_moment(PsWarp *warp, PsMoment *moment)
{
    ps_moment_warp(moment, warp);
}

/* Lowers *most to the number of periods by which the warp may be moved, each of which changes
 * counters as from before to after: no counter may come to its end. */
static inline void order_limit(const PsWarp *warp, const OrderCounters *before,
                               const OrderCounters *after, gint64 *most)
{
    const PsPlanProgram *program = warp->program;
    for (guint l = 0; l < program->n_loops; l++)
        ps_forward_limit_at(before->trips[l], after->trips[l], warp->trips[l], most);
    for (guint e = 0; e < program->n_edges; e++)
        ps_forward_limit_at(before->countdowns[e], after->countdowns[e], warp->countdowns[e], most);
    for (guint n = 0; n < program->n_nodes; n++) {
        const PsPlanNode *node = &program->nodes[n];
        for (guint e = node->first_edge; e < node->first_edge + node->n_edges; e++)
            if (warp->nodes[n].pending != PS_NEVER)
                ps_forward_limit_at(before->needs[e], after->needs[e], warp->needs[e], most);
    }
}

/* Moves counters of one kind on as from before to after. */
static inline void order_move_as(const gint64 *before, const gint64 *after, gint64 *now, guint n,
                                 gint64 times)
{
    for (guint i = 0; i < n; i++)
        now[i] -= times * (before[i] - after[i]);
}

static inline void order_jump(PsWarp *warp, const OrderCounters *before, const OrderCounters *after,
                              gint64 times)
{
    const PsPlanProgram *program = warp->program;
    warp->shift = 0;
    for (guint n = 0; n < program->n_nodes; n++) {
        const gint64 step = after->positions[n] - before->positions[n];
        if (step != 0)
            warp->shift = times * step;
        warp->nodes[n].position += times * step;
    }
    order_move_as(before->trips, after->trips, warp->trips, program->n_loops, times);
    order_move_as(before->needs, after->needs, warp->needs, program->n_edges, times);
    order_move_as(before->countdowns, after->countdowns, warp->countdowns, program->n_edges, times);
}

/* The counter of that loop for a node; NULL if the node is outside of it. */
static inline gint64 *order_trips_of(const PsWarp *warp, const PsPlanNode *node, guint loop)
{
    for (guint l = 0; l < node->n_loops; l++)
        if (node->loops[l].number == loop)
            return &warp->trips[node->first_loop + l];
    return NULL;
}

/* For a node outside that loop: how many iterations of it may pass and leave it waiting as it does.
 */
static inline gint64 order_trips_awaited(const PsWarp *warp, const PsPlanNode *node, guint loop)
{
    gint64 left = G_MAXINT64;
    for (guint e = 0; e < node->n_edges; e++) {
        const gint64 need = warp->needs[node->first_edge + e];
        const gint64 on = ps_estimate_per_iteration(&warp->program->nodes[node->edges[e].on], loop);
        if (need > 0 && on > 0)
            left = MIN(left, (need - 1) / on + 1);
    }
    return left;
}

/* Iterations left of a loop in which all of its nodes are, theirs too. */
static inline PsEstimateTrips order_trips_left(const PsWarp *warp, guint loop)
{
    PsEstimateTrips left = {G_MAXINT64, 0};
    for (guint n = 0; n < warp->program->n_nodes; n++) {
        const PsPlanNode *node = &warp->program->nodes[n];
        const gint64 *trips = order_trips_of(warp, node, loop);
        if (!trips) {
            left.ahead = MIN(left.ahead, order_trips_awaited(warp, node, loop));
        } else if (warp->nodes[n].pending == PS_NEVER) {
            return (PsEstimateTrips){0, 0};
        } else {
            left.ahead = MIN(left.ahead, *trips);
            left.behind = MAX(left.behind, *trips);
        }
    }
    return left.behind == 0 ? (PsEstimateTrips){0, 0} : left;
}

/* Moves all nodes of that loop on by so many iterations. The needs of nodes outside for those
 * inside fall with them; nodes inside stay as far ahead of each other. */
static inline void order_go_on(PsWarp *warp, guint loop, gint64 iterations)
{
    const PsPlanProgram *program = warp->program;
    for (guint n = 0; n < program->n_nodes; n++) {
        const PsPlanNode *node = &program->nodes[n];
        const gint64 inside = ps_estimate_per_iteration(node, loop);
        if (inside > 0) {
            *order_trips_of(warp, node, loop) -= iterations;
            warp->nodes[n].position += warp->shift;
        }
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
