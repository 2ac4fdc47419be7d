/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Strata of a grid, in which groups are likely to do the same: each direction is cut into parts,
 * and a stratum is where one part of each meets. It is known how many groups each has, so a sample
 * of a stratum stands for exactly as many. At first the parts are the first group, the last one,
 * and those between them. Groups of a part may be of several classes, such as those that begin
 * alike; then each class makes strata of its own.
 */
#ifndef PIPESIM_LIFT_GROUPS_STRATA_H
#define PIPESIM_LIFT_GROUPS_STRATA_H

#include <glib.h>

G_BEGIN_DECLS

/* The most parts of a direction: the first and the last group, what lies between them, and two more
 * for a border at either end. */
#define PS_STRATA_PARTS 7

/* Classes of groups, of all groups or of some all over the grid. */
typedef struct {
    guint n;         /* classes */
    GHashTable *odd; /* the place of a group in the launch (guint64 *) -> its class, of those that
                        are not of class 0 */
    guint8 *of;     /* the class of each group, if all are known; then `odd` is not used; or NULL */
    guint64 *seen;  /* of each stratum: groups that were looked at, */
    guint64 *first; /* and the place of the first of these, or of one that is like their mean */
    gboolean parted; /* all classes are parts of a quantity that differs little by little */
} PsStrataClasses;

typedef struct {
    guint grid[3];
    guint n[3];                      /* parts in each direction */
    guint first[3][PS_STRATA_PARTS]; /* where each part begins, in order */
    const PsStrataClasses *classes;  /* NULL: there is one class; borrowed */
} PsStrata;

/* The strata of a grid whose border is not known. */
PsStrata ps_strata_of_grid(const guint grid[3]);

/* Begins a part of the direction at that place, which is in the grid; at most four times in each
 * direction. */
void ps_strata_cut(PsStrata *strata, guint direction, guint at);

/* The number of places of the grid that the parts make, without classes. */
guint ps_strata_places(const PsStrata *strata);

/* The number of strata, the stratum of a group, and the number of groups of a stratum. Strata of
 * class 0 come first, place by place, then those of class 1, and so on. If some groups of a place
 * were not looked at, they are shared out among its classes in proportion to the others. A stratum
 * may be empty only if there are classes. */
guint ps_strata_count(const PsStrata *strata);
guint ps_strata_find(const PsStrata *strata, const guint group[3]);
guint64 ps_strata_size(const PsStrata *strata, guint stratum);

/* The number of groups of a place, of all classes. */
guint64 ps_strata_place_size(const PsStrata *strata, guint place);

/* The number of groups of a place whose class was looked at. */
guint64 ps_strata_seen(const PsStrata *strata, guint place);

/* The group in the middle of each place, of two the first; that of the largest place comes first.
 * guint64: numbers of groups, x fastest; free with g_array_unref. */
GArray *ps_strata_middles(const PsStrata *strata);

G_END_DECLS
#endif
