/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/engine/heap.h"

void ps_heap_clear(PsHeap *heap)
{
    g_free(heap->items);
}

static gboolean grow(PsHeap *heap, guint *budget)
{
    const guint more = MAX(heap->capacity, 16);
    if (*budget < more)
        return FALSE;
    *budget -= more;
    heap->capacity += more;
    heap->items = g_renew(PsItem, heap->items, heap->capacity);
    return TRUE;
}

gboolean ps_heap_push(PsHeap *heap, const PsItem *item, guint *budget)
{
    if (heap->count == heap->capacity && !grow(heap, budget))
        return FALSE;
    guint i = heap->count++;
    for (; i > 0 && ps_item_before(item, &heap->items[(i - 1) / 2]); i = (i - 1) / 2)
        heap->items[i] = heap->items[(i - 1) / 2];
    heap->items[i] = *item;
    return TRUE;
}

PsItem ps_heap_pop(PsHeap *heap)
{
    const PsItem top = heap->items[0], last = heap->items[--heap->count];
    guint i = 0;
    for (guint child = 1; child < heap->count; child = 2 * i + 1) {
        if (child + 1 < heap->count && ps_item_before(&heap->items[child + 1], &heap->items[child]))
            child++;
        if (!ps_item_before(&heap->items[child], &last))
            break;
        heap->items[i] = heap->items[child];
        i = child;
    }
    heap->items[i] = last;
    return top;
}
