/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The number of lanes that executed each point, in all groups that were executed to their end. If
 * these are all groups of a launch, the counts are the launch's work, whichever groups stand for
 * them in the graph.
 */
#ifndef PIPESIM_LIFT_GROUPS_TALLY_H
#define PIPESIM_LIFT_GROUPS_TALLY_H

#include "ptx/run/run.h"

G_BEGIN_DECLS

typedef struct {
    guint n_points;
    guint64 *steps; /* of the present group, per point: how many more lanes than at the one before
                       it; below 0 it wraps */
    guint64 *all;   /* per point: lanes of all kept groups */
} PsTally;

PsTally *ps_tally_new(guint n_points);
void ps_tally_free(PsTally *tally);

/* A group begins: nothing of it is counted yet. */
void ps_tally_begin(PsTally *tally);

/* Counts n points that follow each other, the event's first; masks as PsPtxListener's. */
static inline void ps_tally_add(PsTally *tally, const PsPtxEvent *event, guint n,
                                const guint32 *masks)
{
    guint64 *steps = &tally->steps[event->point];
    for (guint i = 0; masks && i < n; i++) {
        const guint64 lanes = (guint64)__builtin_popcount(masks[i]);
        steps[i] += lanes;
        steps[i + 1] -= lanes;
    }
    if (masks)
        return;
    const guint64 lanes = (guint64)__builtin_popcount(event->mask);
    steps[0] += lanes;
    steps[n] -= lanes;
}

/* Adds the present group to all. */
void ps_tally_keep(PsTally *tally);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsTally, ps_tally_free)

G_END_DECLS
#endif
