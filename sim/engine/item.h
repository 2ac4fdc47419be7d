/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An instance on its way to a pipeline, and the order of rule T3 among such instances. Internal to
 * sim/.
 */
#ifndef PIPESIM_SIM_ENGINE_ITEM_H
#define PIPESIM_SIM_ENGINE_ITEM_H

#include <glib.h>

/* A time that never comes. */
#define PS_NOT_DUE G_MAXINT64

typedef struct {
    gint64 ready;    /* ticks: when all that it depends on is complete (T1) */
    gint64 rank;     /* of its warp, by group and then warp, among all warps ever launched */
    gint64 position; /* in the warp's program order */
    guint slot;      /* the warp's place on the CU */
    guint node;      /* of the warp's program */
} PsItem;

/* Same time: the group launched earlier, then the lower warp, then program order. */
static inline gboolean ps_item_older(const PsItem *a, const PsItem *b)
{
    return a->rank != b->rank ? a->rank < b->rank : a->position < b->position;
}

/* T3: what became ready first. */
static inline gboolean ps_item_before(const PsItem *a, const PsItem *b)
{
    return a->ready != b->ready ? a->ready < b->ready : ps_item_older(a, b);
}

#endif
