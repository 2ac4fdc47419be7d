/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kinds of groups: those that execute the same instructions, whatever they access. If all groups
 * were executed, it is known how many are of each kind. Else that follows from samples in strata
 * (strata.h): each sample stands for its part of its stratum.
 */
#ifndef PIPESIM_LIFT_GROUPS_KINDS_H
#define PIPESIM_LIFT_GROUPS_KINDS_H

#include "lift/groups/strata.h"
#include "lift/loops/roll.h"

G_BEGIN_DECLS

/* The share of the work of all groups by which merging kinds may change it. */
#define PS_KINDS_MERGED 0.02

typedef struct {
    const PsRollGroup
        *group; /* of the groups that were recorded, the one that stands for most, as far inside of
                   the grid as any; of several such the one that came first */
    guint64 groups; /* how many groups of the launch are of the kind */
    double share;   /* the same as a share of them all, 0 to 1 */
    gint64 parts;   /* of ps_kinds_chosen: the same, in parts of those of all */
} PsKind;

/* Some groups that lie all over the grid, each once. guint64: numbers of groups, x fastest; free
 * with g_array_unref. */
GArray *ps_kinds_strewn(const guint grid[3]);

/* The nth group of an order all over the grid, of which ps_kinds_strewn has the first ones. None
 * comes twice among few. */
guint64 ps_kinds_nth_strewn(const guint grid[3], guint n);

/* Groups to execute if kinds differ, so that their shares are better known: more groups all over
 * the grid; in a small grid, all. As ps_kinds_strewn. */
GArray *ps_kinds_more(const guint grid[3]);

/* The kinds of these groups (PsRollGroup, borrowed, each once), the largest share first; of equal
 * shares the one that came first. Their groups are together all that there are: those of strata in
 * which none is known count as the others. PsKind; free with g_array_unref. */
GArray *ps_kinds_new(const PsStrata *strata, const GPtrArray *groups);

/* The certainty with which such kinds are those of all groups. */
typedef struct {
    double error; /* two standard errors of the mean instructions of a group, as a share of it, more
                     if few groups are known; 0: all are known, or no two of a stratum differ */
    double unseen; /* the share of groups in strata without an executed group */
    double hidden; /* the most groups, as a share of all, that are of a kind without an executed
                      group, with a likelihood of 95 %; 0: none are. The caller sets it, since it
                      knows whether groups may differ. */
} PsKindsSure;

/* The `hidden` of it: a larger share of each stratum would hardly have been missed. */
double ps_kinds_hidden(const PsStrata *strata, const GPtrArray *groups);

PsKindsSure ps_kinds_sure(const PsStrata *strata, const GPtrArray *groups);

/* TRUE if two groups of one place are of two kinds, whatever their classes: its shares are not
 * known but by samples. */
gboolean ps_kinds_are_mixed(const PsStrata *strata, const GPtrArray *groups);

/* The kind that stands for all; there must be one. If all groups run at once, the launch ends with
 * the longest one. Else it is the one with at least half of the work, counted in instructions, or,
 * if there is none, the one nearest to the mean; of equal ones the one with the largest share. */
const PsKind *ps_kinds_typical(const GArray *kinds, gboolean at_once);

/* The kinds of the graph, the longest first: one stands for all that differ by next to nothing in
 * work, and there are few. If that leaves one, it is the typical one. PsKind; free with
 * g_array_unref. */
GArray *ps_kinds_chosen(const GArray *kinds, gboolean at_once);

/* Instructions of its group without those that are off (PsRollItem); in the mean of all groups. */
double ps_kind_work(const PsKind *kind);
double ps_kinds_mean(const GArray *kinds);

/* "50.0 % as 1,3,0 (224 warp instructions), 37.5 % as 0,2,0 (220), 12.5 % as others"; free with
 * g_free. */
char *ps_kinds_text(const GArray *kinds);

/* "1,3,0 is", "1,3,0 and 0,2,0 are"; free with g_free. */
char *ps_kinds_names(const GArray *kinds);

G_END_DECLS
#endif
