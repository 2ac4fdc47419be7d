/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Places that are drawn at random, but not equally often. Nearly all groups draw some of them; the
 * i-th most frequent place is drawn in proportion to i to the power of -skew. Words of a text, rows
 * of an embedding, nodes of a network and the upper nodes of a tree are such. All are equal if the
 * skew is 0.
 */
#ifndef PIPESIM_LIFT_MEMORY_CACHE_POPULAR_H
#define PIPESIM_LIFT_MEMORY_CACHE_POPULAR_H

#include <glib.h>

G_BEGIN_DECLS

/* common: places that nearly all groups draw. repeated: draws of the others for each place that a
 * group has drawn of all, since it draws some again. */
typedef struct {
    double places, common, skew, repeated;
} PsPopular;

/* The share of places that were drawn when groups have drawn `turns` for each place, repeats
 * aside. */
double ps_popular_seen(const PsPopular *popular, double turns);

/* How fast that share grows then. */
double ps_popular_fresh(const PsPopular *popular, double turns);

/* The draws of some groups: a group's places in the mean, and the different places of all; how many
 * of these nearly all groups drew, and how often a group drew them in the mean. */
typedef struct {
    guint groups;
    double of_one, of_all, common, of_common;
} PsDrawn;

/* Sets all but the number of places; FALSE: no such law fits. */
gboolean ps_popular_fit(PsPopular *popular, const PsDrawn *drawn);

G_END_DECLS
#endif
