/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Instances that will be ready, to be taken in the order of rule T3. They come as soon as it is
 * known when they will be ready. Instances that the same source makes ready (the pipeline and
 * Lambda of the instance that they waited for last) come nearly in order. So there is a queue for
 * each source, in which an instance seldom passes another one, and the next instance is the first
 * of the queues' first. An instance that would have to pass too many goes to a heap. Internal to
 * sim/.
 */
#ifndef PIPESIM_SIM_ENGINE_MERGE_H
#define PIPESIM_SIM_ENGINE_MERGE_H

#include "sim/engine/heap.h"
#include "sim/engine/queue.h"

/* Queues of a merge; sources beyond share them. */
#define PS_MERGE_QUEUES 8

typedef struct {
    gint64 next;   /* the time when the next item is ready; PS_NOT_DUE: there is none */
    guint best;    /* the queue (PS_MERGE_QUEUES: the heap) that holds it */
    guint n;       /* queues */
    gint64 second; /* none but that one has an item that is ready before */
    gint64 first[PS_MERGE_QUEUES + 1]; /* ready times of the queues' first, then of the heap's */
    PsQueue queues[PS_MERGE_QUEUES];
    PsHeap heap;
} PsMerge;

/* n: the number of sources. */
void ps_merge_init(PsMerge *merge, guint n);
void ps_merge_clear(PsMerge *merge);

/* An instance that would have to pass more than this many in its queue goes to the heap. */
#define PS_MERGE_PATIENCE 64

/* Adds an item where it belongs in its queue, or to the heap. FALSE when the budget is used up. */
gboolean ps_merge_insert(PsMerge *merge, guint q, const PsItem *item, guint *budget);

/* Adds an item to the queue of its source. FALSE when the budget is used up. */
static inline G_ALWAYS_INLINE gboolean ps_merge_push(PsMerge *merge, guint q, const PsItem *item,
                                                     guint *budget)
{
    PsQueue *queue = &merge->queues[q];
    const guint last = queue->count - 1;
    if (G_UNLIKELY(queue->count == 0 || queue->count > queue->mask ||
                   ps_item_before(item, ps_queue_at(queue, last)))) {
        const PsItem copy = *item; /* a copy: the item itself may stay in registers */
        return ps_merge_insert(merge, q, &copy, budget);
    }
    queue->count = last + 2;
    *ps_queue_at(queue, last + 1) = *item;
    return TRUE;
}

static inline const PsItem *ps_merge_peek(const PsMerge *merge, guint q)
{
    return q == PS_MERGE_QUEUES ? merge->heap.items : ps_queue_at(&merge->queues[q], 0);
}

/* Finds the next instance. */
static inline void ps_merge_find(PsMerge *merge)
{
    guint best = PS_MERGE_QUEUES;
    gint64 next = merge->first[PS_MERGE_QUEUES], second = PS_NOT_DUE;
    for (guint q = 0; q < merge->n; q++) {
        const gint64 first = merge->first[q];
        guint sooner = first < next;
        if (G_UNLIKELY(first == next && first != PS_NOT_DUE))
            sooner = ps_item_older(ps_merge_peek(merge, q), ps_merge_peek(merge, best));
        best ^= (best ^ q) & -sooner;
        second = MIN(second, MAX(next, first));
        next = MIN(next, first);
    }
    merge->best = best;
    merge->next = next;
    merge->second = second;
}

PsItem ps_merge_take_far(PsMerge *merge);

/* Takes the next instance, which there must be. Mostly the same queue has the one after it, too. */
static inline PsItem ps_merge_take(PsMerge *merge)
{
    const guint q = merge->best;
    if (G_UNLIKELY(q == PS_MERGE_QUEUES))
        return ps_merge_take_far(merge);
    PsQueue *queue = &merge->queues[q];
    const PsItem item = *ps_queue_at(queue, 0);
    ps_queue_pop(queue);
    const gint64 first = queue->count > 0 ? ps_queue_at(queue, 0)->ready : PS_NOT_DUE;
    merge->first[q] = first;
    if (first < merge->second)
        merge->next = first;
    else
        ps_merge_find(merge);
    return item;
}

#endif
