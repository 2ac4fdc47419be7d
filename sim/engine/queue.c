/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/engine/queue.h"

#define FIRST_CAPACITY 16

void ps_queue_init(PsQueue *queue)
{
    *queue = (PsQueue){g_new(PsItem, FIRST_CAPACITY), FIRST_CAPACITY - 1, 0, 0};
}

void ps_queue_clear(PsQueue *queue)
{
    g_free(queue->items);
}

gboolean ps_queue_grow(PsQueue *queue, guint *budget)
{
    const guint capacity = queue->mask + 1;
    if (*budget < capacity)
        return FALSE;
    *budget -= capacity;
    PsItem *items = g_new(PsItem, 2 * (gsize)capacity);
    for (guint i = 0; i < queue->count; i++)
        items[i] = *ps_queue_at(queue, i);
    g_free(queue->items);
    *queue = (PsQueue){items, 2 * capacity - 1, 0, queue->count};
    return TRUE;
}

void ps_queue_insert(PsQueue *queue, guint i, const PsItem *item)
{
    if (i < queue->count / 2) {
        queue->head--;
        for (guint k = 0; k < i; k++)
            *ps_queue_at(queue, k) = *ps_queue_at(queue, k + 1);
    } else {
        for (guint k = queue->count; k > i; k--)
            *ps_queue_at(queue, k) = *ps_queue_at(queue, k - 1);
    }
    queue->count++;
    *ps_queue_at(queue, i) = *item;
}

void ps_queue_remove(PsQueue *queue, guint i)
{
    if (i < queue->count / 2) {
        for (; i > 0; i--)
            *ps_queue_at(queue, i) = *ps_queue_at(queue, i - 1);
        queue->head++;
    } else {
        for (; i + 1 < queue->count; i++)
            *ps_queue_at(queue, i) = *ps_queue_at(queue, i + 1);
    }
    queue->count--;
}
