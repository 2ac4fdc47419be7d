/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rewrites innermost loops with several iterations at once, as a person unrolls or pipelines them,
 * and straight code with its loads first. What the loop computes stays: each instance of a node is
 * there once, and waits for the same instances as before. Only what serves the loop itself (its
 * branch, the comparison, counters) is there once for each trip of the new loop.
 *
 * Machine code waits by holds and by its order, so its nodes' `reads` become dependences, too.
 * Where no node of a loop with holds states what it reads, nothing is known, and the loop stays as
 * it is.
 */
#ifndef PIPESIM_IDG_REARRANGE_H
#define PIPESIM_IDG_REARRANGE_H

#include "idg/idg.h"

G_BEGIN_DECLS

typedef struct {
    guint times;       /* iterations at once, at least 1 */
    gboolean chains;   /* how many sums each sum of the loop becomes; they are added up behind it */
    gboolean prefetch; /* with times 1: loads are of the iteration after the one that uses them */
    const PsScope *scope; /* the graph's parameters, for distances */
} PsIdgWay;

/* What a rearrangement did. */
typedef struct {
    guint words;           /* registers of 32 bits more than before that values under way take */
    guint loads;           /* of an iteration */
    gboolean passes_store; /* a load of global memory comes before a store, or an atomic, that it
                              came after */
    gboolean apart;        /* chains: how many sums the loop has now */
    guint sums;      /* chains: one of these sums is of floating point, and rounds otherwise now */
    gboolean rounds; /* likewise: one is of floating point, and rounds otherwise now */
} PsIdgRearranged;

/* Rearranges the loop of a code whose body has the node of that name. Loads come as early as what
 * they need allows, but stay behind barriers and branches, and in local memory behind stores.
 * FALSE, and the graph as it was, where the loop is not innermost, its number of trips follows from
 * what it loads or computes, nothing would change, or a node outside waits for an earlier instance
 * than the latest. */
gboolean ps_idg_rearrange(PsIdg *idg, guint code, const char *node, const PsIdgWay *way,
                          PsIdgRearranged *did);

/* Reorders the nodes of a code that are in no innermost loop, from one loop, barrier or branch to
 * the next, so that loads come as early as what they need allows. Each waits for the same instances
 * as before. A piece without a load behind a node that waits for another load stays as it is. names
 * gets the names of loads that stand before such a node now (g_free), did->loads their number.
 * FALSE, and the graph as it was, where there are none. */
gboolean ps_idg_raise_loads(PsIdg *idg, guint code, const PsScope *scope, GHashTable *names,
                            PsIdgRearranged *did);

G_END_DECLS
#endif
