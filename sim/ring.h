/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A queue of instances in order of time: those that are ready and wait for a pipeline, or those
 * that will complete. What is added mostly belongs at the end, so a ring buffer is the whole of it;
 * what belongs earlier is moved there by insertion.
 */
#ifndef PIPESIM_SIM_RING_H
#define PIPESIM_SIM_RING_H

#include <glib.h>

/* A time that never comes. */
#define PS_NOT_DUE G_MAXINT64

typedef struct {
    gint64 time;     /* ticks: when it became ready, or when it completes */
    gint64 position; /* in the warp's program order */
    guint slot;      /* the warp's place on the CU */
    guint node;      /* of the warp's program */
} PsItem;

typedef struct {
    PsItem *items;
    guint mask; /* capacity - 1, the capacity a power of two */
    guint head; /* index of the first, modulo the capacity */
    guint count;
} PsRing;

static inline PsItem *ps_ring_at(const PsRing *ring, guint i)
{
    return &ring->items[(ring->head + i) & ring->mask];
}

static inline void ps_ring_pop(PsRing *ring)
{
    ring->head++;
    ring->count--;
}

void ps_ring_init(PsRing *ring);
void ps_ring_clear(PsRing *ring);

/* Doubles the room, for which *budget, places that all rings of a run may still add, must suffice;
 * FALSE if it does not. */
gboolean ps_ring_grow(PsRing *ring, guint *budget);

/* Adds a place at the end and returns it; NULL when the budget is used up. */
static inline PsItem *ps_ring_push(PsRing *ring, guint *budget)
{
    if (G_UNLIKELY(ring->count > ring->mask) && !ps_ring_grow(ring, budget))
        return NULL;
    return ps_ring_at(ring, ring->count++);
}

#endif
