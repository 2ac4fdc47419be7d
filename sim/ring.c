/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/ring.h"

#define FIRST_CAPACITY 64

void ps_ring_init(PsRing *ring)
{
    *ring = (PsRing){g_new(PsItem, FIRST_CAPACITY), FIRST_CAPACITY - 1, 0, 0};
}

void ps_ring_clear(PsRing *ring)
{
    g_free(ring->items);
}

gboolean ps_ring_grow(PsRing *ring, guint *budget)
{
    const guint capacity = ring->mask + 1;
    if (*budget < capacity)
        return FALSE;
    *budget -= capacity;
    PsItem *items = g_new(PsItem, 2 * (gsize)capacity);
    for (guint i = 0; i < ring->count; i++)
        items[i] = *ps_ring_at(ring, i);
    g_free(ring->items);
    *ring = (PsRing){items, 2 * capacity - 1, 0, ring->count};
    return TRUE;
}
