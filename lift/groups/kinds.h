/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kinds of groups: those that execute the same instructions and ask memory for about as much. If
 * all groups were executed, it is known how many are of each kind. Else that follows from samples
 * in strata (strata.h): each sample stands for its part of its stratum.
 *
 * A group's load is its work in three measures, each in slots in which a compute unit could issue a
 * warp instruction: its instructions, its sectors of global memory and its passes of local memory.
 * Compute units issue four instructions while a pass of local memory takes a cycle, and their share
 * of device memory's bandwidth is a sector in 2 to 6 cycles, 8 to 24 slots. What takes the most
 * slots may decide the time, and what takes few does not. So two groups ask for about as much if
 * they differ by little of the most that either takes. If memory gives sectors sooner, that tells
 * apart what could be one kind, which does no harm.
 */
#ifndef PIPESIM_LIFT_GROUPS_KINDS_H
#define PIPESIM_LIFT_GROUPS_KINDS_H

#include "lift/groups/strata.h"
#include "lift/loops/roll.h"

G_BEGIN_DECLS

/* The share of the work of all groups by which merging kinds may change it; groups that ask memory
 * for what differs by no more are of one kind. */
#define PS_KINDS_MERGED 0.02

/* Measures of load: warp instructions that are no PsRollItem.off, sectors, passes. */
enum { PS_LOAD_WORK, PS_LOAD_SECTORS, PS_LOAD_PASSES, PS_N_LOADS };

typedef struct {
    double of[PS_N_LOADS]; /* slots */
} PsLoad;

typedef struct {
    const PsRollGroup
        *group; /* of the groups that were recorded, the one that stands for most, as far inside of
                   the grid as any; of several such the one that came first */
    guint64 groups; /* how many groups of the launch are of the kind */
    double share;   /* the same as a share of them all, 0 to 1 */
    gint64 parts;   /* of ps_kinds_chosen: the same, in parts of those of all */
    PsLoad load;    /* the mean of its groups; of ps_kinds_chosen: of `group` */
} PsKind;

PsLoad ps_load_of(const PsRollGroup *group);

/* The slots of one instruction, one sector, one pass. */
PsLoad ps_load_slots(void);

/* By how much two loads of memory differ, as a share of the most that either takes of anything. */
double ps_load_apart(const PsLoad *a, const PsLoad *b);

/* The mean load of a group. */
PsLoad ps_kinds_load(const GArray *kinds);

/* What a difference in each measure is a share of, if that is the mean load: instructions of
 * themselves, what is asked of memory of the most that groups take of anything. */
PsLoad ps_load_scale(const PsLoad *mean);

/* The measure in which kinds differ most; instructions where they differ by next to nothing in what
 * they ask of memory. */
guint ps_kinds_measure(const GArray *kinds);

/* Some groups that lie all over the grid, each once. guint64: numbers of groups, x fastest; free
 * with g_array_unref. */
GArray *ps_kinds_strewn(const guint grid[3]);

/* The nth group of an order all over the grid, of which ps_kinds_strewn has the first ones. None
 * comes twice among few. */
guint64 ps_kinds_nth_strewn(const guint grid[3], guint n);

/* Groups to execute if kinds differ, so that their shares are better known: more groups all over
 * the grid; in a small grid, all. As ps_kinds_strewn. */
GArray *ps_kinds_more(const guint grid[3]);

/* The same, if what they ask of memory differs, which varies more than what they execute: four
 * times as many. */
GArray *ps_kinds_many(const guint grid[3]);

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

/* TRUE if two groups of one stratum execute the same, and ask memory for other amounts. */
gboolean ps_kinds_are_uneven(const PsStrata *strata, const GPtrArray *groups);

/* The kind that stands for all; there must be one. If all groups run at once, the launch ends with
 * the longest one. Else it is the one with at least half of the load, or, if there is none, the one
 * nearest to the mean; of equal ones the one with the largest share. */
const PsKind *ps_kinds_typical(const GArray *kinds, gboolean at_once);

/* The kinds of the graph, the longest first: one stands for all that differ by next to nothing in
 * load, and there are few. If that leaves one, it is the typical one. PsKind; free with
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
