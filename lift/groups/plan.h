/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The groups of a launch that are executed so that the cache model learns what groups share:
 *
 *     the middle  of the grid, most likely to do what most groups do
 *     its next    in x, y and z
 *     rows        in x, y and z from the middle on: what a group shares with those near it, and how
 *                 requests lie in sectors and lines, which changes from group to group
 *     apart       one of each quarter of the launch: where the stores of all meet
 *     a unit's    those that the middle's compute unit gets before and after it
 *
 * A launch's first groups go round the compute units until each holds as many as it can: the n-th
 * round gives unit u group n * units + u. Later ones go where a group ends, and nobody knows the
 * order in which they do: each round then begins at another unit, by a hash of its number.
 */
#ifndef PIPESIM_LIFT_GROUPS_PLAN_H
#define PIPESIM_LIFT_GROUPS_PLAN_H

#include "lift/memory/pattern.h"

G_BEGIN_DECLS

typedef struct {
    guint group[3];
    PsPatternGroup what;
    gboolean first; /* the middle or a neighbour: it is executed whatever that takes */
    gboolean done;  /* set by the caller: it was executed, ... */
    guint64 took;   /* ... and how many warp instructions it took */
} PsPlanned;

/* Most important first, each group once. units and resident as in PsBuildOptions; 0: not known.
 * PsPlanned; free with g_array_unref. */
GArray *ps_plan_new(const guint grid[3], guint units, guint resident);

/* Groups that a unit gets in all; 0: not known. */
guint ps_plan_rounds(const guint grid[3], guint units);

G_END_DECLS
#endif
