/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rewrites innermost loops with several iterations at once, as a person unrolls or pipelines them,
 * and straight code with its loads first. What the loop computes stays: each instance of a node is
 * there once, and waits for the same instances as before. Only what serves the loop itself (its
 * branch, the comparison, counters) is there once for each trip of the new loop.
 *
 * Machine code waits by holds and by its order, so its nodes' `reads` become dependences, too; of a
 * loop with holds where no node states any, nothing is known, and it stays as it is.
 */
#ifndef PIPESIM_IDG_REARRANGE_H
#define PIPESIM_IDG_REARRANGE_H

#include "idg/idg.h"

G_BEGIN_DECLS

typedef struct {
    guint times;          /* iterations at once, at least 1 */
    gboolean chains;      /* sums that the loop adds up become so many, added up behind it */
    gboolean prefetch;    /* times is 1: loads are of the iteration after that which uses them */
    const PsScope *scope; /* of the graph's parameters, for distances */
} PsIdgWay;

/* What came of it. */
typedef struct {
    guint words;           /* registers of 32 bits that values under way take more than before */
    guint loads;           /* of an iteration */
    gboolean passes_store; /* a load of global memory comes before a store, or an atomic, that it
                              came after */
    gboolean apart;        /* a barrier or a branch keeps each iteration behind the one before */
    guint sums;            /* chains: of which there are several now */
    gboolean rounds;       /* likewise: one is of floating point, and rounds otherwise now */
} PsIdgRearranged;

/* Rearranges the loop of a code whose body has the node of that name. Loads come as early as what
 * they need allows, but behind barriers and branches, and, in local memory, behind stores. FALSE,
 * and the graph as it was, where the loop is not innermost, how often it runs follows from what it
 * loads or computes, nothing would be another, or a node outside waits for an earlier instance than
 * the latest. */
gboolean ps_idg_rearrange(PsIdg *idg, guint code, const char *node, const PsIdgWay *way,
                          PsIdgRearranged *did);

/* Puts the nodes of a code that are in no innermost loop, from one loop, barrier or branch to the
 * next, into an order in which loads come as early as what they need allows, as above. Each waits
 * for the same instances as before. What has no load behind a node that waits for another one stays
 * as it is. names gets those of loads that stand before such a node now (g_free), did->loads is how
 * many. FALSE, and the graph as it was, where there are none. */
gboolean ps_idg_raise_loads(PsIdg *idg, guint code, const PsScope *scope, GHashTable *names,
                            PsIdgRearranged *did);

G_END_DECLS
#endif
