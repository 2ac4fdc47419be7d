/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A census: the instructions that a group executed, as one number that is cheap to keep. Two groups
 * have the same number if for each warp of the one a warp of the other executed each point as
 * often. Points have random numbers of 64 bits, and a warp has the sum of those that it executed,
 * so that other groups have the same number by chance alone. Recording (roll.h) takes two to four
 * times as long as executing; a group with the number of a recorded one need not be recorded.
 */
#ifndef PIPESIM_LIFT_GROUPS_CENSUS_H
#define PIPESIM_LIFT_GROUPS_CENSUS_H

#include "ptx/run/run.h"

G_BEGIN_DECLS

typedef struct {
    guint64 *before; /* per point: the sum of all points' numbers before it */
    guint64 *warps;  /* of each warp, the sum of what it executed */
    guint n_warps;
} PsCensus;

/* The factor of points that no lane of a warp executes: odd, so that no number is lost by it. */
#define PS_CENSUS_IDLE G_GUINT64_CONSTANT(0x9e3779b97f4a7c15)

/* For code of so many points, and groups of so many warps. */
PsCensus *ps_census_new(guint n_points, guint n_warps);
void ps_census_free(PsCensus *census);

/* A group begins: nothing is counted yet. */
void ps_census_begin(PsCensus *census);

/* Counts n points that follow each other, the event's first; masks as PsPtxListener's. */
static inline void ps_census_add(PsCensus *census, const PsPtxEvent *event, guint n,
                                 const guint32 *masks)
{
    const guint64 *before = &census->before[event->point];
    guint64 *sum = &census->warps[event->warp];
    if (!masks && event->mask != 0) {
        *sum += before[n] - before[0];
        return;
    }
    for (guint i = 0; i < n; i++) {
        const guint32 mask = masks ? masks[i] : event->mask;
        *sum += (before[i + 1] - before[i]) * (mask != 0 ? 1 : PS_CENSUS_IDLE);
    }
}

/* The number of what was counted. */
guint64 ps_census_number(const PsCensus *census);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsCensus, ps_census_free)

G_END_DECLS
#endif
