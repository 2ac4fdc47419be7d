/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Queues in front of pipelines (R11): a scheduler hands an instance over to its queue of the
 * pipeline, and goes on. The pipeline takes instances in the order of issue. The time when an
 * instance begins is known when it issues, so a queue is no more than these times. Internal to
 * sim/.
 */
#ifndef PIPESIM_SIM_ENGINE_AHEAD_H
#define PIPESIM_SIM_ENGINE_AHEAD_H

#include "sim/engine/trail.h"

/* A scheduler's queue: the times when the latest instances begin, as many as it holds. */
typedef struct {
    gint64 *busy; /* per pipeline: the time until which it works on instances that were issued */
    guint at;     /* the oldest begin, which the next one replaces */
    gint64 begins[PS_MOST_QUEUED];
} PsAhead;

typedef struct {
    PsAhead *queues; /* [scheduler][pipeline]; NULL: no pipeline of the kernel has one */
    gint64 *busy;    /* the pipelines of the CU, then each scheduler's */
    guint n, n_pipelines;
} PsAheads;

static inline PsAheads ps_aheads_new(const PsPlan *plan)
{
    const guint n = plan->n_pipelines, schedulers = (guint)plan->machine->refinements.schedulers;
    PsAheads all = {.n = n * schedulers, .n_pipelines = n};
    guint longest = 0;
    for (guint p = 0; p < n; p++)
        longest = MAX(longest, plan->queues[p]);
    if (longest == 0)
        return all;
    all.queues = g_new0(PsAhead, all.n);
    all.busy = g_new0(gint64, n + all.n);
    for (guint q = 0; q < all.n; q++)
        all.queues[q].busy = &all.busy[plan->per_scheduler[q % n] ? n + q : q % n];
    return all;
}

static inline void ps_aheads_clear(PsAheads *all)
{
    g_free(all->queues);
    g_free(all->busy);
}

/* The scheduler's queue in front of the node's pipeline. */
static inline PsAhead *ps_ahead_of(const PsAheads *all, guint scheduler, const PsPlanNode *node)
{
    return &all->queues[scheduler * all->n_pipelines + node->pipeline];
}

/* An instance issues. Returns when its pipeline begins with it; *open becomes the time from which
 * the scheduler can issue the next to it. */
static inline gint64 ps_ahead_begin(PsAhead *queue, const PsPlanNode *node, gint64 now,
                                    gint64 *open)
{
    const gint64 begin = MAX(now, *queue->busy);
    *queue->busy = begin + node->issue;
    queue->begins[queue->at] = begin;
    queue->at = queue->at + 1 == node->queue ? 0 : queue->at + 1;
    *open = queue->begins[queue->at];
    return begin;
}

/* Fast-forward: visits what must be equal. */
static inline gboolean ps_aheads_visit(const PsAheads *all, const PsEngine *engine, PsTrail *trail)
{
    const PsPlan *plan = engine->plan;
    gboolean same = TRUE;
    for (guint q = 0; same && all->queues && q < all->n; q++) {
        const PsAhead *queue = &all->queues[q];
        const guint size = plan->queues[q % plan->n_pipelines];
        same = ps_trail_time(trail, engine, *queue->busy);
        for (guint i = 0; same && i < size; i++)
            same = ps_trail_time(trail, engine, queue->begins[(queue->at + i) % size]);
    }
    return same;
}

#endif
