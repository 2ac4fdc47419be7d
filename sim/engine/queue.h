/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A queue of instances that is kept in order. Most items come at the end or near it and leave at
 * the front, so a ring buffer with insertion is enough. Internal to sim/.
 */
#ifndef PIPESIM_SIM_ENGINE_QUEUE_H
#define PIPESIM_SIM_ENGINE_QUEUE_H

#include "sim/engine/item.h"

typedef struct {
    PsItem *items;
    guint mask; /* capacity - 1, the capacity a power of two */
    guint head; /* index of the first, modulo the capacity */
    guint count;
} PsQueue;

static inline PsItem *ps_queue_at(const PsQueue *queue, guint i)
{
    return &queue->items[(queue->head + i) & queue->mask];
}

static inline void ps_queue_pop(PsQueue *queue)
{
    queue->head++;
    queue->count--;
}

void ps_queue_init(PsQueue *queue);
void ps_queue_clear(PsQueue *queue);

/* Doubles the room, for which *budget, places that all queues of a run may still add, must suffice;
 * FALSE if it does not. */
gboolean ps_queue_grow(PsQueue *queue, guint *budget);

/* Removes the i-th item. */
void ps_queue_remove(PsQueue *queue, guint i);

/* Adds an item before the i-th; there must be room. */
void ps_queue_insert(PsQueue *queue, guint i, const PsItem *item);

/* Makes room for one more item. FALSE when the budget is used up. */
static inline gboolean ps_queue_reserve(PsQueue *queue, guint *budget)
{
    return G_LIKELY(queue->count <= queue->mask) || ps_queue_grow(queue, budget);
}

/* Room at the end for n items in order, of which this is the first, if they fit there side by side
 * behind the others; else NULL. */
static inline PsItem *ps_queue_append(PsQueue *queue, const PsItem *first, gint64 n)
{
    const guint end = (queue->head + queue->count) & queue->mask;
    if (queue->count == 0 || queue->count + n > (gint64)queue->mask + 1 ||
        end + n > (gint64)queue->mask + 1 ||
        ps_item_before(first, ps_queue_at(queue, queue->count - 1)))
        return NULL;
    queue->count += (guint)n;
    return &queue->items[end];
}

#endif
