/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/engine/merge.h"

void ps_merge_init(PsMerge *merge, guint n)
{
    *merge = (PsMerge){.next = PS_NOT_DUE,
                       .best = PS_MERGE_QUEUES,
                       .n = CLAMP(n, 1, PS_MERGE_QUEUES),
                       .second = PS_NOT_DUE};
    for (guint q = 0; q <= PS_MERGE_QUEUES; q++)
        merge->first[q] = PS_NOT_DUE;
    for (guint q = 0; q < merge->n; q++)
        ps_queue_init(&merge->queues[q]);
}

void ps_merge_clear(PsMerge *merge)
{
    for (guint q = 0; q < merge->n; q++)
        ps_queue_clear(&merge->queues[q]);
    ps_heap_clear(&merge->heap);
}

/* Updates the merge after the heap's first element has changed. */
static void find_far(PsMerge *merge)
{
    merge->first[PS_MERGE_QUEUES] = merge->heap.count > 0 ? merge->heap.items[0].ready : PS_NOT_DUE;
    ps_merge_find(merge);
}

gboolean ps_merge_insert(PsMerge *merge, guint q, const PsItem *item, guint *budget)
{
    PsQueue *queue = &merge->queues[q];
    if (!ps_queue_reserve(queue, budget))
        return FALSE;
    const guint least = queue->count > PS_MERGE_PATIENCE ? queue->count - PS_MERGE_PATIENCE : 0;
    guint i = queue->count;
    while (i > least && ps_item_before(item, ps_queue_at(queue, i - 1)))
        i--;
    if (i > 0 && i == least && ps_item_before(item, ps_queue_at(queue, i - 1))) {
        if (!ps_heap_push(&merge->heap, item, budget))
            return FALSE;
        find_far(merge);
        return TRUE;
    }
    ps_queue_insert(queue, i, item);
    if (i > 0)
        return TRUE;
    merge->first[q] = item->ready;
    if (item->ready <= merge->next)
        ps_merge_find(merge);
    else
        merge->second = MIN(merge->second, item->ready);
    return TRUE;
}

PsItem ps_merge_take_far(PsMerge *merge)
{
    const PsItem item = ps_heap_pop(&merge->heap);
    find_far(merge);
    return item;
}
