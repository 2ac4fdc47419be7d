/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A binary heap of instances with the first by rule T3 on top. It takes instances that come in no
 * order that a PsQueue could use. Internal to sim/.
 */
#ifndef PIPESIM_SIM_ENGINE_HEAP_H
#define PIPESIM_SIM_ENGINE_HEAP_H

#include "sim/engine/item.h"

typedef struct {
    PsItem *items;
    guint count, capacity;
} PsHeap;

/* An empty heap is all zero. */
void ps_heap_clear(PsHeap *heap);

/* FALSE when *budget, places that may still be added, is used up. */
gboolean ps_heap_push(PsHeap *heap, const PsItem *item, guint *budget);
PsItem ps_heap_pop(PsHeap *heap);

#endif
