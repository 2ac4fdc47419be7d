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
    guint n_unsettled;
    gboolean *unsettled; /* per pipeline: what became ready now is not in order yet */
    gint64 *due; /* per pipeline: when it will issue, PS_NOT_DUE if nothing waits; the engine's */
} PsStage;

static inline void stage_init(PsStage *stage, const PsPlan *plan, const PsWarp *warps, gint64 *due)
{
    const guint n = plan->n_pipelines;
    *stage = (PsStage){n, g_new(PsRing, n), g_new0(gint64, n), warps, 0, g_new0(gboolean, n), due};
    for (guint p = 0; p < n; p++)
        ps_ring_init(&stage->waiting[p]);
}

static inline void stage_clear(PsStage *stage)
{
    for (guint p = 0; p < stage->n; p++)
        ps_ring_clear(&stage->waiting[p]);
    g_free(stage->waiting);
    g_free(stage->free_at);
    g_free(stage->unsettled);
}

static inline gboolean stage_precedes(const PsStage *stage, const PsItem *a, const PsItem *b)
{
    if (a->slot == b->slot)
        return a->position < b->position;
    return stage->warps[a->slot].rank < stage->warps[b->slot].rank;
}

/* What became ready in one instant is put in order by insertion as it comes; an item that would
 * have to pass more than this many is left to stage_settle. */
#define STAGE_PATIENCE 32

/* Puts the last item of a ring in its place. FALSE when that is too far away. */
static inline gboolean stage_insert(const PsStage *stage, PsRing *ring)
{
    const guint last = ring->count - 1;
    const guint first = last > STAGE_PATIENCE ? last - STAGE_PATIENCE : 0;
    const PsItem item = *ps_ring_at(ring, last);
    guint i = last;
    for (; i > 0; i--) {
        const PsItem *before = ps_ring_at(ring, i - 1);
        if (before->time < item.time || stage_precedes(stage, before, &item))
            break;
        if (i == first)
            return FALSE;
    }
    for (guint k = last; k > i; k--)
        *ps_ring_at(ring, k) = *ps_ring_at(ring, k - 1);
    *ps_ring_at(ring, i) = item;
    return TRUE;
}

static inline void stage_leave(PsStage *stage, guint pipeline)
{
    stage->unsettled[pipeline] = TRUE;
    stage->n_unsettled++;
}

/* Adds an instance that is ready from item->time, which is now. FALSE when the budget is used up.
 */
static inline gboolean stage_push(PsStage *stage, guint pipeline, const PsItem *item, guint *budget)
{
    PsRing *ring = &stage->waiting[pipeline];
    PsItem *place = ps_ring_push(ring, budget);
    if (G_UNLIKELY(place == NULL))
        return FALSE;
    *place = *item;
    if (ring->count == 1)
        stage->due[pipeline] = MAX(item->time, stage->free_at[pipeline]);
    else if (!stage->unsettled[pipeline] && !stage_insert(stage, ring))
        stage_leave(stage, pipeline);
    return TRUE;
}

static int stage_compare(gconstpointer a, gconstpointer b, gpointer stage)
{
    return stage_precedes(stage, a, b) ? -1 : 1;
}

/* Sorts what became ready now: the last items of the ring. */
static void stage_sort(PsStage *stage, PsRing *ring, gint64 now)
{
    guint first = ring->count;
    while (first > 0 && ps_ring_at(ring, first - 1)->time == now)
        first--;
    const guint n = ring->count - first;
    PsItem *items = g_new(PsItem, n);
    for (guint i = 0; i < n; i++)
        items[i] = *ps_ring_at(ring, first + i);
    g_qsort_with_data(items, (int)n, sizeof(PsItem), stage_compare, stage);
    for (guint i = 0; i < n; i++)
        *ps_ring_at(ring, first + i) = items[i];
    g_free(items);
}

/* Nothing more becomes ready in this instant: puts in order what stage_insert has left. */
static inline void stage_settle(PsStage *stage, gint64 now)
{
    for (guint p = 0; G_UNLIKELY(stage->n_unsettled > 0); p++) {
        if (!stage->unsettled[p])
            continue;
        stage_sort(stage, &stage->waiting[p], now);
        stage->unsettled[p] = FALSE;
        stage->n_unsettled--;
    }
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
