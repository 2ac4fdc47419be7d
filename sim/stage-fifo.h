/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The issue stage of the published model (rules T2 and T3): every pipeline is one of the whole CU
 * and issues what became ready first; ties go to the group launched earlier, then the lower warp,
 * then program order. A ring buffer per pipeline is in that order by nature: time never runs
 * backwards, so only what becomes ready in the same instant may have to be put in order.
 *
 * An issue stage is what engine-core.h is compiled with: a type PsStage and the functions below,
 * all of them here.
 */
#ifndef PIPESIM_SIM_STAGE_FIFO_H
#define PIPESIM_SIM_STAGE_FIFO_H

#include "sim/ring.h"
#include "sim/warp.h"

typedef struct {
    guint n;         /* pipelines */
    PsRing *waiting; /* per pipeline: what is ready */
    gint64 *free_at; /* per pipeline: when it can issue again */
    const PsWarp *warps;
    gint64 *due; /* per pipeline: when it will issue, PS_NOT_DUE if nothing waits; the engine's */
} PsStage;

static inline void stage_init(PsStage *stage, const PsPlan *plan, const PsWarp *warps, gint64 *due)
{
    const guint n = plan->n_pipelines;
    *stage = (PsStage){n, g_new(PsRing, n), g_new0(gint64, n), warps, due};
    for (guint p = 0; p < n; p++)
        ps_ring_init(&stage->waiting[p]);
}

static inline void stage_clear(PsStage *stage)
{
    for (guint p = 0; p < stage->n; p++)
        ps_ring_clear(&stage->waiting[p]);
    g_free(stage->waiting);
    g_free(stage->free_at);
}

static inline gboolean stage_precedes(const PsStage *stage, const PsItem *a, const PsItem *b)
{
    if (a->slot == b->slot)
        return a->position < b->position;
    return stage->warps[a->slot].rank < stage->warps[b->slot].rank;
}

/* Adds an instance that is ready from item->time, which is now. FALSE when too many wait. */
static inline gboolean stage_push(PsStage *stage, guint pipeline, const PsItem *item)
{
    PsRing *ring = &stage->waiting[pipeline];
    PsItem *place = ps_ring_push(ring, PS_SIM_WAITING_LIMIT);
    if (G_UNLIKELY(place == NULL))
        return FALSE;
    for (guint i = ring->count - 1; i > 0; i--) {
        PsItem *before = ps_ring_at(ring, i - 1);
        if (before->time < item->time || stage_precedes(stage, before, item))
            break;
        *place = *before;
        place = before;
    }
    *place = *item;
    if (ring->count == 1)
        stage->due[pipeline] = MAX(item->time, stage->free_at[pipeline]);
    return TRUE;
}

/* A pipeline is due: what it issues now. It is then busy for the node's lambda. */
static inline PsItem stage_issue(PsStage *stage, guint pipeline, gint64 now)
{
    PsRing *ring = &stage->waiting[pipeline];
    const PsItem item = *ps_ring_at(ring, 0);
    ps_ring_pop(ring);
    const gint64 free_at = now + stage->warps[item.slot].program->nodes[item.node].issue;
    stage->free_at[pipeline] = free_at;
    stage->due[pipeline] = ring->count > 0 ? free_at : PS_NOT_DUE;
    return item;
}

#endif
