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

/* Marks functions that only warps which await others run: they are kept out of the code of each
 * issue. */
#define PS_SELDOM __attribute__((noinline, cold))

/* The time when the warp's next instance is ready, once all its dependences are known. */
static inline gint64 next_ready(const PsWarp *warp, const PsPlanNode *node)
{
    const gint64 a = warp->values[node->values[0]], b = warp->values[node->values[1]];
    const gint64 c = warp->values[node->values[2]], d = warp->values[node->values[3]];
    gint64 ready = MAX(warp->turn, MAX(MAX(a, b), MAX(c, d)));
    for (guint m = 0; m < node->n_more; m++)
        ready = MAX(ready, warp->values[node->more[m]]);
    for (guint f = 0; f < node->n_far; f++) {
        const PsPlanFar *far = &node->far[f];
        ready = MAX(ready, ps_warp_recall(&warp->nodes[far->on], far->back));
    }
    return ready;
}

/* The time when all is complete that the next instance of a node awaits of other warps (R12);
 * PS_NOT_DUE, with the warp noted as waiting, where that is not known. */
static PS_SELDOM gint64 others_ready(const PsEngine *engine, PsWarp *warp, const PsPlanNode *node)
{
    const PsWarp *group = &engine->warps[warp->place * engine->warps_per_group];
    gint64 ready = 0;
    warp->lacking = TRUE;
    for (guint i = 0; i < node->n_waits; i++) {
        const PsPlanWait *wait = &node->waits[i];
        const PsPlanProgram *program = &engine->plan->programs[wait->program];
        for (guint w = 0; w < program->n_warps; w++) {
            const gint64 lack = warp->lacks[wait->lack + w];
            const PsNodeState *state = &group[program->warps[w]].nodes[wait->on];
            if (lack > 0)
                return PS_NOT_DUE;
            if (-lack < state->known)
                ready = MAX(ready, ps_warp_recall(state, -lack));
        }
    }
    warp->lacking = FALSE;
    return ready;
}

/* Hands the warp's next instance to the issue stage, unless it awaits what is not known. */
static inline G_ALWAYS_INLINE void offer(PsEngine *engine, PsStage *stage, guint slot,
                                         const PsPlanNode *node)
{
    PsWarp *warp = &engine->warps[slot];
    gint64 ready = next_ready(warp, node);
    if (G_UNLIKELY(node->n_waits > 0))
        ready = MAX(ready, others_ready(engine, warp, node));
    if (G_UNLIKELY(warp->lacking))
        return;
    const PsItem item = {ready, warp->rank, warp->position, slot, warp->at};
    stage_push(stage, engine, node, &item);
}

/* Tells those that await an instance of that node of one more. */
static PS_SELDOM void tell_watchers(PsEngine *engine, PsStage *stage, const PsItem *item,
                                    const PsPlanNode *node)
{
    const guint n = engine->warps_per_group, first = item->slot / n * n;
    const PsResident *group = &engine->places[item->slot / n];
    const guint nth = engine->plan->kinds[group->kind].nth_of[item->slot - first];
    for (guint i = 0; i < node->n_watches; i++) {
        const PsPlanWatch *watch = &node->watches[i];
        const PsPlanProgram *program = &engine->plan->programs[watch->program];
        for (guint w = 0; w < program->n_warps; w++) {
            const guint slot = first + program->warps[w];
            PsWarp *warp = &engine->warps[slot];
            if (--warp->lacks[watch->lack + nth] == 0 && warp->lacking)
                offer(engine, stage, slot, &program->nodes[warp->at]);
        }
    }
}

/* How many more completions the wait needs now. */
static inline gint64 raise_by(const PsWarp *warp, const PsPlanWait *wait)
{
    if (wait->raises < 0)
        return wait->per;
    if (warp->raises[wait->number] == 0)
        return 0;
    return --warp->raises[wait->number] == 0 ? wait->rest : wait->per;
}

/* Called when an instance that awaited others has issued: sets what the next one needs of them. */
static PS_SELDOM void count_round(const PsWarp *warp, const PsPlanNode *node)
{
    for (guint i = 0; i < node->n_waits; i++) {
        const PsPlanWait *wait = &node->waits[i];
        if (--warp->rounds[wait->number] > 0)
            continue;
        warp->rounds[wait->number] = wait->every;
        const gint64 more = raise_by(warp, wait);
        for (guint w = 0; w < wait->n_lacks; w++)
            warp->lacks[wait->lack + w] += more;
    }
}

static inline void order_start(PsEngine *engine, PsStage *stage, guint slot)
{
    PsWarp *warp = &engine->warps[slot];
    const PsPlanProgram *program = warp->program;
    warp->turn = warp->done;
    for (guint l = 0; l < program->n_distinct; l++)
        warp->trips[l] = program->trips[l];
    for (guint i = 0; i < program->n_waits; i++) {
        const PsPlanWait *wait = &program->waits[i];
        warp->rounds[i] = wait->every;
        warp->raises[i] = MAX(wait->raises, 0);
        for (guint w = 0; w < wait->n_lacks; w++)
            warp->lacks[wait->lack + w] = wait->first;
    }
    if (program->n_nodes > 0)
        offer(engine, stage, slot, &program->nodes[0]);
}

/* Called when it is known that an instance of that node will be complete at that time. */
static inline void order_known(PsEngine *engine, PsStage *stage, PsWarp *warp, const PsItem *item,
                               const PsPlanNode *node, gint64 done)
{
    warp->values[node->value] = done;
    if (G_UNLIKELY(node->far_awaited)) {
        if (!ps_warp_remember(&warp->nodes[item->node], done, engine->now, &engine->budget))
            engine->stuck = node;
        if (node->n_watches > 0)
            tell_watchers(engine, stage, item, node);
    }
    if (G_LIKELY(!node->barrier) || !warp->waits)
        return;
    warp->waits = FALSE;
    offer(engine, stage, item->slot, &warp->program->nodes[warp->at]);
}

/* The node after one that has issued and ends loops, or the program; NULL if there is none. */
static inline const PsPlanNode *node_after_end(PsEngine *engine, PsWarp *warp,
                                               const PsPlanNode *node)
{
    if (G_UNLIKELY(node->n_waits > 0))
        count_round(warp, node);
    for (guint l = 0; l < node->n_ending; l++) {
        const PsPlanLoop *loop = &node->loops[l];
        if (--warp->trips[loop->number] > 0) {
            warp->at = loop->first;
            if (warp->rank == engine->watched)
                engine->event = MIN(engine->event, loop->depth);
            return &warp->program->nodes[warp->at];
        }
        warp->trips[loop->number] = loop->trips;
    }
    return ++warp->at < warp->program->n_nodes ? node + 1 : NULL;
}

/* The warp's next instance has issued: turns to the one after it, whose turn comes when that one
 * no longer holds the warp (R9). */
static inline G_ALWAYS_INLINE PsNext order_issued(PsEngine *engine, PsWarp *warp,
                                                  const PsPlanNode *node, gint64 time)
{
    warp->turn = time + node->hold;
    warp->position++;
    if (G_UNLIKELY(node->ends)) {
        node = node_after_end(engine, warp, node);
        if (!node)
            return (PsNext){NULL, 0};
        if (G_UNLIKELY(node->n_waits > 0) && !warp->arrived) {
            const gint64 others = others_ready(engine, warp, node);
            return others == PS_NOT_DUE ? (PsNext){NULL, 0}
                                        : (PsNext){node, MAX(next_ready(warp, node), others)};
        }
    } else {
        node++;
        warp->at++;
    }
    if (G_UNLIKELY(warp->arrived)) {
        warp->waits = TRUE; /* every node after a barrier waits for it */
        return (PsNext){NULL, 0};
    }
    return (PsNext){node, next_ready(warp, node)};
}

/* ---- fast-forward (sim/engine/forward.h)
 * ---------------------------------------------------------- */

static inline gboolean order_visit(const PsEngine *engine, const PsWarp *warp, PsTrail *trail)
{
    const PsPlanProgram *program = warp->program;
    gboolean same = ps_trail_word(trail, warp->at) && ps_trail_word(trail, warp->waits) &&
                    ps_trail_word(trail, warp->lacking) &&
                    (!(warp->waits || warp->lacking) || ps_trail_time(trail, engine, warp->turn));
    for (guint v = PS_VALUES_FIXED; same && v < program->n_values; v++)
        same = ps_trail_time(trail, engine, warp->values[v]);
    for (guint n = 0; same && n < program->n_nodes; n++)
        same = !program->nodes[n].far_awaited || ps_trail_history(trail, engine, &warp->nodes[n]);
    return same;
}

/* Whether an instance of that node is still to come: it stands behind the next one, or in a loop
 * that goes round once more. */
static inline gboolean order_comes(const PsWarp *warp, guint n)
{
    const PsPlanNode *node = &warp->program->nodes[n];
    gboolean comes = n >= warp->at;
    for (guint l = 0; l < node->n_loops && !comes; l++) {
        const PsPlanLoop *loop = &node->loops[l];
        comes = loop->first <= warp->at && warp->at <= loop->last && warp->trips[loop->number] > 1;
    }
    return comes;
}

/* Keeps what the warp lacks for each wait that still comes, in turn; 0 for others. */
static inline gboolean order_keep_lacks(const PsWarp *warp, PsTrail *counters)
{
    gboolean same = TRUE;
    for (guint i = 0; i < warp->program->n_waits; i++) {
        const PsPlanWait *wait = &warp->program->waits[i];
        const gboolean comes = order_comes(warp, wait->node);
        for (guint w = 0; w < wait->n_lacks; w++)
            same &= ps_trail_word(counters, comes ? warp->lacks[wait->lack + w] : 0);
        same &= ps_trail_word(counters, comes ? warp->rounds[i] : 0);
        same &= ps_trail_word(counters, comes ? warp->raises[i] : 0);
    }
    return same;
}

/* Keeps counters that may move, or compares them: FALSE if one has moved. */
static inline gboolean order_keep(const PsWarp *warp, PsTrail *counters)
{
    gboolean same = ps_trail_word(counters, warp->position);
    for (guint l = 0; l < warp->program->n_distinct; l++)
        same &= ps_trail_word(counters, warp->trips[l]);
    return same & order_keep_lacks(warp, counters);
}

/* What a warp awaits of others is as it was, or it waits behind what moves, and still does when
 * that has moved so often. */
static inline gboolean order_waits_move(const PsWarp *warp, PsTrail *counters, gint64 *most)
{
    gboolean moves = TRUE;
    for (guint i = 0; i < warp->program->n_waits; i++) {
        const PsPlanWait *wait = &warp->program->waits[i];
        const gboolean comes = order_comes(warp, wait->node);
        for (guint w = 0; w < wait->n_lacks; w++) {
            const gint64 before = ps_forward_before(counters);
            const gint64 now = comes ? warp->lacks[wait->lack + w] : 0;
            moves = moves && (now == before || (now > 0 && now < before));
            ps_forward_limit(before, now, most);
        }
        const gint64 left[] = {comes ? warp->rounds[i] : 0, comes ? warp->raises[i] : 0};
        for (guint l = 0; l < G_N_ELEMENTS(left); l++) {
            const gint64 before = ps_forward_before(counters);
            moves = moves && left[l] <= before;
            ps_forward_limit(before, left[l], most);
        }
    }
    return moves;
}

static inline void order_skip_waits(const PsWarp *warp, PsTrail *counters, gint64 times)
{
    for (guint i = 0; i < warp->program->n_waits; i++) {
        const PsPlanWait *wait = &warp->program->waits[i];
        gint64 unused = 0;
        const gboolean comes = order_comes(warp, wait->node);
        for (guint w = 0; w < wait->n_lacks; w++)
            ps_forward_move(ps_forward_before(counters),
                            comes ? &warp->lacks[wait->lack + w] : &unused, times);
        ps_forward_move(ps_forward_before(counters), comes ? &warp->rounds[i] : &unused, times);
        ps_forward_move(ps_forward_before(counters), comes ? &warp->raises[i] : &unused, times);
    }
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
    return order_waits_move(warp, counters, most) && changed == (moved ? 1 : 0);
}

static inline void order_skip(PsWarp *warp, PsTrail *counters, gint64 times)
{
    const PsPlanProgram *program = warp->program;
    warp->shift = times * (warp->position - ps_forward_before(counters));
    warp->position += warp->shift;
    for (guint l = 0; l < program->n_distinct; l++)
        ps_forward_move(ps_forward_before(counters), &warp->trips[l], times);
    order_skip_waits(warp, counters, times);
}

/* Iterations left of a loop that the warp is in, this one too. */
static inline PsEstimateTrips order_trips_left(const PsWarp *warp, guint loop)
{
    if (warp->left == 0 || warp->at >= warp->program->n_nodes ||
        ps_estimate_per_iteration(&warp->program->nodes[warp->at], loop) == 0)
        return (PsEstimateTrips){0, 0};
    return (PsEstimateTrips){warp->trips[loop], warp->trips[loop]};
}

/* The warp, which is in that loop, goes on by so many iterations. What it waits for is the latest
 * of what went before, or a fixed number before that, in whatever iteration. */
static inline void order_go_on(PsWarp *warp, guint loop, gint64 iterations)
{
    warp->position += warp->shift;
    warp->trips[loop] -= iterations;
}

#endif
