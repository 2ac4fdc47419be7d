/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The registers that are live while straight code is ordered. A value takes them from where it is
 * made, or from the code's begin, until all of the code that reads it has its place; if other code
 * reads it as well, until the code's end.
 */
#ifndef PIPESIM_LIFT_RULES_SCHEDULE_LIVE_H
#define PIPESIM_LIFT_RULES_SCHEDULE_LIVE_H

#include "lift/values/spots.h"

G_BEGIN_DECLS

typedef struct {
    guint bytes;     /* of registers */
    guint readers;   /* items of the straight code that read it and have no place yet */
    gboolean stays;  /* it is live at the code's end */
    guint made_from; /* register of a value from before the code; PS_PTX_NOWHERE: an item's */
} PsLiveValue;

typedef struct {
    const PsSpots *spots;
    guint *last;   /* [spot]: the last spot behind it that reads its result in the same pass */
    guint8 *later; /* [spot]: a later pass of a loop reads it */
    guint *block;  /* [point]: the last straight code that it was in */
    guint n_blocks;
    guint end;          /* first spot behind the present code */
    GArray *values;     /* PsLiveValue: the items' results in their order, then those from before */
    GArray *reads;      /* guint: values */
    GArray *first;      /* [item]: its first one in reads; one more for the end */
    GHashTable *in;     /* register -> GArray of guint: the values that it holds */
    GArray *item_spots; /* guint */
    gint64 now;         /* bytes of live registers */
} PsLive;

PsLive *ps_live_new(const PsSpots *spots);
void ps_live_free(PsLive *live);

/* Takes the straight code from spot `begin` to the one before `end`, whose nodes are the items. */
void ps_live_begin(PsLive *live, guint begin, guint end);

/* Bytes of registers that the item takes, less those that it frees, if it comes next. */
gint64 ps_live_change(const PsLive *live, guint item);
void ps_live_place(PsLive *live, guint item);

/* The most bytes of registers that are live at once in the order of the code. */
gint64 ps_live_most(PsLive *live);

/* A copy of what placing items changes, and the way back to it. */
GArray *ps_live_save(const PsLive *live);
void ps_live_restore(PsLive *live, const GArray *saved);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsLive, ps_live_free)

G_END_DECLS
#endif
