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
    guint n;
    PsRing *waiting; /* per pipeline: what is ready */
    gint64 *free_at; /* per pipeline: when it can issue again */
    gint64 *due;     /* per pipeline: when it will issue, G_MAXINT64 if nothing waits */
    const PsWarp *warps;
} PsStage;

static inline void stage_init(PsStage *stage, const PsPlan *plan, const PsWarp *warps)
{
    stage->n = plan->n_pipelines;
    stage->waiting = g_new(PsRing, stage->n);
    stage->free_at = g_new0(gint64, stage->n);
    stage->due = g_new(gint64, stage->n);
    stage->warps = warps;
    for (guint p = 0; p < stage->n; p++) {
        ps_ring_init(&stage->waiting[p]);
        stage->due[p] = G_MAXINT64;
    }
}

static inline void stage_clear(PsStage *stage)
{
    for (guint p = 0; p < stage->n; p++)
        ps_ring_clear(&stage->waiting[p]);
    g_free(stage->waiting);
    g_free(stage->free_at);
    g_free(stage->due);
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

/* The earliest time at which something can issue, G_MAXINT64 if nothing waits. */
static inline gint64 stage_next(const PsStage *stage)
{
    gint64 next = G_MAXINT64;
    const gint64 *due = stage->due, *end = due + stage->n;
    for (; due < end; due++)
        next = MIN(next, *due);
    return next;
}

/* What pipeline `pipeline` issues now, if anything: FALSE if not. Its pipeline is then busy for the
 * node's lambda. */
static inline gboolean stage_issue(PsStage *stage, guint pipeline, gint64 now, PsItem *item)
{
    if (stage->due[pipeline] != now)
        return FALSE;
    PsRing *ring = &stage->waiting[pipeline];
    *item = *ps_ring_at(ring, 0);
    ps_ring_pop(ring);
    const gint64 free_at = now + stage->warps[item->slot].program->nodes[item->node].issue;
    stage->free_at[pipeline] = free_at;
    stage->due[pipeline] = ring->count > 0 ? free_at : G_MAXINT64;
    return TRUE;
}

#endif
