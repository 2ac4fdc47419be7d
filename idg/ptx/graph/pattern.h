/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How a warp's lanes access memory at one point of the code, and what of it reaches each level of
 * the memory hierarchy.
 *
 * Local (shared) memory: 32 banks of 4 bytes. The conflict degree of an access is the number of
 * passes that it takes: the most different words in one bank, per part of the warp that is served
 * at once (all 32 lanes for up to 4 bytes per lane, halves for 8, quarters for 16); over the parts,
 * the mean, rounded up. Lanes that read or write one word share it; atomics do not. Constant
 * memory: the number of different addresses.
 *
 * Global memory: sectors of 32 bytes. A request's sectors are those that its lanes touch; the least
 * possible for the same bytes is the number of sectors that hold them packed together.
 *
 * Caches: which sectors come from where is simulated for the groups that run (sector caches of
 * lines of 128 bytes, least recently used line replaced): a first-level cache per group, of the
 * part of the CU's that one of its active groups has; behind it, what groups share. From groups
 * that are neighbours in x, y and z follows which share of a group's sectors its neighbour in that
 * direction touches, too; a launch of that many groups in that direction fetches it once, as long
 * as what all groups in between touch fits in the second-level cache.
 */
#ifndef PIPESIM_IDG_PTX_GRAPH_PATTERN_H
#define PIPESIM_IDG_PTX_GRAPH_PATTERN_H

#include "idg/ptx/run/run.h"

G_BEGIN_DECLS

#define PS_SECTOR 32
#define PS_BANKS 32

/* Sizes in bytes. */
typedef struct {
    guint grid[3]; /* groups of the whole launch */
    guint64 l1;    /* of the compute unit, what one active group has of it; 0: there is none, or
                      nobody knows it: every request's sectors reach L2 */
    guint64 l2;    /* of the GPU; 0: nobody knows it: all is kept there, and traffic with device
                      memory is compulsory */
    gboolean l1_global; /* loads of global memory are kept in L1 even without .nc or .ca */
} PsPatternRules;

/* Accesses at one point that are alike: of the same sectors per request, or the same degree. */
typedef struct {
    guint point;
    PsPtxSpace space;
    guint bytes;   /* per lane */
    guint sectors; /* global: of one request */
    guint least;   /* global: the fewest that hold the same bytes */
    guint degree;  /* shared: passes of each part; 1: no conflict */
    guint passes;  /* shared: passes without any conflict: 1, 2, 4 for 4, 8, 16 bytes per lane, less
                      where whole parts of the warp do not take part */
    gboolean broadcast;    /* all lanes read one address */
    const PsPtxWait *wait; /* of an mbarrier: for which copies of the warp; else NULL */
    /* sums over all requests that are alike */
    gint64 requests;
    gint64 lanes;
    /* global: sectors that reach each level; as doubles since neighbours count by shares */
    gint64 to_l1, to_l2;
    double to_device;
} PsPattern;

/* The class's last part: "s4" (sectors, where they are more than the least), "broadcast", "c8"
 * (degree, where it is a conflict), or NULL where nothing is special. Free with g_free. */
char *ps_pattern_suffix(const PsPattern *pattern);

G_END_DECLS
#endif
