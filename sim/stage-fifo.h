/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The issue stage of the published model (rules T2 and T3): every pipeline is one of the whole CU
 * and issues what became ready first; ties go to the group launched earlier, then the lower warp,
 * then program order.
 *
 * Instances come as soon as it is known when they will be ready. Those that the same source makes
 * ready (the pipeline and Lambda of what they waited for last) come nearly in order, so each
 * pipeline has a queue for each source and issues the first of their first ones. And since nothing
 * that issues from now on makes anything ready sooner than the shortest Lambda from now, each
 * pipeline may run that far ahead by itself.
 *
 * An issue stage is what engine-core.h is compiled with: a type PsStage and the functions stage_*
 * below.
 */
#ifndef PIPESIM_SIM_STAGE_FIFO_H
#define PIPESIM_SIM_STAGE_FIFO_H

#include "sim/engine.h"

#include <string.h>
#include "sim/queue.h"
#include "sim/trail.h"

/* Queues of a pipeline; sources beyond share them. */
#define STAGE_QUEUES 8

/* An instance that would have to pass more than this many in its queue goes to the heap. */
#define STAGE_PATIENCE 64

typedef struct {
    gint64 first[STAGE_QUEUES + 1]; /* ready times of the queues' first, then of the heap's */
    guint n;                        /* queues in use */
    gint64 free_at;                 /* when it can issue again */
    PsQueue queues[STAGE_QUEUES];
    PsHeap heap;
    guint8 *queue_of; /* source -> queue; STAGE_QUEUES: none yet */
} PsPipe;

typedef struct {
    guint n;
    PsPipe *pipes;
    gint64 lookahead;
    guint n_sources; /* that of launches included */
} PsStage;

static inline void stage_init(PsStage *stage, const PsEngine *engine)
{
    const PsPlan *plan = engine->plan;
    *stage = (PsStage){plan->n_pipelines, g_new0(PsPipe, plan->n_pipelines), plan->shortest,
                       plan->n_sources + 1};
    for (guint p = 0; p < stage->n; p++) {
        PsPipe *pipe = &stage->pipes[p];
        for (guint q = 0; q <= STAGE_QUEUES; q++)
            pipe->first[q] = PS_NOT_DUE;
        pipe->queue_of = g_new(guint8, stage->n_sources);
        memset(pipe->queue_of, STAGE_QUEUES, stage->n_sources);
    }
}

static inline void stage_clear(PsStage *stage)
{
    for (guint p = 0; p < stage->n; p++) {
        for (guint q = 0; q < stage->pipes[p].n; q++)
            ps_queue_clear(&stage->pipes[p].queues[q]);
        ps_heap_clear(&stage->pipes[p].heap);
        g_free(stage->pipes[p].queue_of);
    }
    g_free(stage->pipes);
}

static inline guint stage_queue_of(PsPipe *pipe, guint source)
{
    if (G_UNLIKELY(pipe->queue_of[source] == STAGE_QUEUES)) {
        if (pipe->n < STAGE_QUEUES)
            ps_queue_init(&pipe->queues[pipe->n++]);
        pipe->queue_of[source] = (guint8)(pipe->n - 1);
    }
    return pipe->queue_of[source];
}

/* Adds an instance whose time of readiness has become known. */
static inline void stage_push(PsStage *stage, PsEngine *engine, const PsPlanNode *node,
                              const PsItem *item)
{
    PsPipe *pipe = &stage->pipes[node->pipeline];
    const guint q = stage_queue_of(pipe, engine->source);
    PsQueue *queue = &pipe->queues[q];
    if (G_UNLIKELY(!ps_queue_reserve(queue, &engine->budget))) {
        engine->stuck = node;
        return;
    }
    guint i = queue->count;
    const guint least = i > STAGE_PATIENCE ? i - STAGE_PATIENCE : 0;
    for (; i > least && ps_item_before(item, ps_queue_at(queue, i - 1)); i--)
        ;
    if (G_UNLIKELY(i == least && i > 0 && ps_item_before(item, ps_queue_at(queue, i - 1)))) {
        if (!ps_heap_push(&pipe->heap, item, &engine->budget))
            engine->stuck = node;
        else
            pipe->first[STAGE_QUEUES] = pipe->heap.items[0].ready;
        return;
    }
    for (guint k = queue->count++; k > i; k--)
        *ps_queue_at(queue, k) = *ps_queue_at(queue, k - 1);
    *ps_queue_at(queue, i) = *item;
    if (i == 0)
        pipe->first[q] = item->ready;
}

/* The queue (STAGE_QUEUES: the heap) that holds what comes next. */
static inline guint stage_best(const PsPipe *pipe)
{
    guint best = STAGE_QUEUES;
    for (guint q = 0; q < pipe->n; q++) {
        if (pipe->first[q] > pipe->first[best] || pipe->first[q] == PS_NOT_DUE)
            continue;
        if (pipe->first[q] < pipe->first[best] ||
            ps_item_older(ps_queue_at(&pipe->queues[q], 0),
                          best == STAGE_QUEUES ? pipe->heap.items
                                               : ps_queue_at(&pipe->queues[best], 0)))
            best = q;
    }
    return best;
}

static inline PsItem stage_take(PsPipe *pipe, guint q)
{
    if (G_UNLIKELY(q == STAGE_QUEUES)) {
        const PsItem item = ps_heap_pop(&pipe->heap);
        pipe->first[q] = pipe->heap.count > 0 ? pipe->heap.items[0].ready : PS_NOT_DUE;
        return item;
    }
    PsQueue *queue = &pipe->queues[q];
    const PsItem item = *ps_queue_at(queue, 0);
    ps_queue_pop(queue);
    pipe->first[q] = queue->count > 0 ? ps_queue_at(queue, 0)->ready : PS_NOT_DUE;
    return item;
}

/* When the pipeline issues next. */
static inline gint64 stage_due(const PsPipe *pipe)
{
    gint64 first = pipe->first[STAGE_QUEUES];
    for (guint q = 0; q < pipe->n; q++)
        first = MIN(first, pipe->first[q]);
    return first == PS_NOT_DUE ? first : MAX(first, pipe->free_at);
}

static inline gint64 stage_next(const PsStage *stage)
{
    gint64 next = PS_NOT_DUE;
    for (guint p = 0; p < stage->n; p++)
        next = MIN(next, stage_due(&stage->pipes[p]));
    return next;
}

static inline gint64 stage_lookahead(const PsStage *stage)
{
    return stage->lookahead;
}

static inline void issue(PsEngine *engine, PsStage *stage, const PsItem *item, gint64 time);

/* Issues all that issues before that time. */
static inline void stage_run(PsStage *stage, PsEngine *engine, gint64 before)
{
    for (guint p = 0; p < stage->n; p++) {
        PsPipe *pipe = &stage->pipes[p];
        for (;;) {
            const guint q = stage_best(pipe);
            if (pipe->first[q] >= before || pipe->free_at >= before || engine->stuck != NULL)
                break;
            const gint64 time = MAX(pipe->first[q], pipe->free_at);
            const PsItem item = stage_take(pipe, q);
            pipe->free_at = time + engine->warps[item.slot].program->nodes[item.node].issue;
            issue(engine, stage, &item, time);
        }
    }
}

static inline gboolean stage_by_place(const PsStage *stage, const PsEngine *engine)
{
    (void)stage;
    (void)engine;
    return FALSE;
}

static inline gboolean stage_visit(const PsStage *stage, const PsEngine *engine, PsTrail *trail)
{
    for (guint p = 0; p < stage->n; p++) {
        const PsPipe *pipe = &stage->pipes[p];
        if (!ps_trail_time(trail, engine, pipe->free_at))
            return FALSE;
        for (guint q = 0; q < pipe->n; q++)
            if (!ps_trail_queue(trail, engine, &pipe->queues[q]))
                return FALSE;
        if (!ps_trail_items(trail, engine, pipe->heap.items, pipe->heap.count))
            return FALSE;
    }
    return TRUE;
}

static inline void stage_shift(PsStage *stage, const PsEngine *engine)
{
    for (guint p = 0; p < stage->n; p++) {
        PsPipe *pipe = &stage->pipes[p];
        for (guint q = 0; q < pipe->n; q++)
            ps_trail_shift_queue(engine, &pipe->queues[q]);
        ps_trail_shift_items(engine, pipe->heap.items, pipe->heap.count);
    }
}

#endif
