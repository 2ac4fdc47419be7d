/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Program order (refinement R2): a node issues only when all nodes before it in its warp have. So a
 * warp has one next instance, and what that depends on has issued before; only where it waits for a
 * barrier is the time of its readiness not known at once.
 *
 * An order is what engine-core.h is compiled with: order_start, order_known and order_issued.
 */
#ifndef PIPESIM_SIM_ORDER_PROGRAM_H
#define PIPESIM_SIM_ORDER_PROGRAM_H

/* When the warp's next instance is ready; PS_NOT_DUE: not known yet. */
static inline gint64 next_ready(const PsWarp *warp, const PsPlanNode *node)
{
    gint64 ready = warp->launched;
    const PsEdgeState *to = &warp->edges[node->first_edge];
    for (guint e = 0; e < node->n_edges; e++) {
        const PsNodeState *on = &warp->nodes[node->edges[e].on];
        if (to[e].need <= 0)
            continue;
        if (to[e].need > on->known)
            return PS_NOT_DUE;
        ready = MAX(ready, ps_warp_recall(on, on->known - to[e].need));
    }
    return ready;
}

/* Hands the warp's next instance to the issue stage, once its readiness is known. */
static inline void offer(PsEngine *engine, PsStage *stage, guint slot)
{
    PsWarp *warp = &engine->warps[slot];
    const PsPlanNode *node = &warp->program->nodes[warp->at];
    const PsItem item = {next_ready(warp, node), warp->rank, warp->position, slot, warp->at};
    warp->waits = item.ready == PS_NOT_DUE;
    if (warp->waits)
        return;
    PsEdgeState *to = &warp->edges[node->first_edge];
    for (guint e = 0; e < node->n_edges; e++)
        if (--to[e].countdown == 0) {
            to[e].countdown = node->edges[e].every;
            to[e].need += node->edges[e].per;
        }
    stage_push(stage, engine, node, &item);
}

static inline void order_start(PsEngine *engine, PsStage *stage, guint slot)
{
    PsWarp *warp = &engine->warps[slot];
    const PsPlanProgram *program = warp->program;
    for (guint e = 0; e < program->n_edges; e++)
        warp->edges[e] = (PsEdgeState){program->edges[e].first, program->edges[e].every};
    for (guint l = 0; l < program->n_distinct; l++)
        warp->trips[l] = program->trips[l];
    if (program->n_nodes > 0)
        offer(engine, stage, slot);
}

/* An instance of node n will be complete at that time. */
static inline void order_known(PsEngine *engine, PsStage *stage, guint slot, guint n, gint64 done)
{
    PsWarp *warp = &engine->warps[slot];
    const PsPlanNode *node = &warp->program->nodes[n];
    if (node->n_outs > 0 &&
        G_UNLIKELY(!ps_warp_remember(&warp->nodes[n], done, engine->now, &engine->budget)))
        engine->stuck = node;
    if (G_UNLIKELY(warp->waits))
        offer(engine, stage, slot);
}

/* The warp's next instance has issued: turns to the one after it. */
static inline void order_issued(PsEngine *engine, PsStage *stage, guint slot)
{
    PsWarp *warp = &engine->warps[slot];
    const PsPlanNode *node = &warp->program->nodes[warp->at];
    warp->position++;
    for (guint l = 0; l < node->n_ending; l++) {
        const PsPlanLoop *loop = &node->loops[l];
        if (--warp->trips[loop->number] > 0) {
            warp->at = loop->first;
            if (warp->rank == engine->watched)
                engine->event = MIN(engine->event, loop->depth);
            offer(engine, stage, slot);
            return;
        }
        warp->trips[loop->number] = loop->trips;
    }
    if (++warp->at < warp->program->n_nodes)
        offer(engine, stage, slot);
}

#endif
