/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Strata of a grid, in which groups are likely to do the same: each direction is cut into parts,
 * and a stratum is where one part of each meets. Of each it is known how many groups it has, so
 * that what is known of some of them holds for exactly as many. At first the parts are the first
 * group, the last one, and those between them.
 */
#ifndef PIPESIM_LIFT_GROUPS_STRATA_H
#define PIPESIM_LIFT_GROUPS_STRATA_H

#include <glib.h>

G_BEGIN_DECLS

/* The most parts of a direction: the first and the last group, what lies between them, and two more
 * for a border at either end. */
#define PS_STRATA_PARTS 7

typedef struct {
    guint grid[3];
    guint n[3];                      /* parts in each direction */
    guint first[3][PS_STRATA_PARTS]; /* where each begins, in order */
} PsStrata;

/* The strata of a grid whose border is not known. */
PsStrata ps_strata_of_grid(const guint grid[3]);

/* A part of the direction begins at that place, which is in the grid. At most four times in each.
 */
void ps_strata_cut(PsStrata *strata, guint direction, guint at);

/* How many there are; in which one a group is; how many groups one has, at least 1. */
guint ps_strata_count(const PsStrata *strata);
guint ps_strata_find(const PsStrata *strata, const guint group[3]);
guint64 ps_strata_size(const PsStrata *strata, guint stratum);

/* The group in the middle of each, that of the largest one first. guint64: numbers of groups, x
 * fastest; free with g_array_unref. */
GArray *ps_strata_middles(const PsStrata *strata);

G_END_DECLS
#endif
