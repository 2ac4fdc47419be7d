/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How a warp's lanes access memory at one point of the code, and what of it reaches each level of
 * the memory hierarchy.
 *
 * Local (shared) memory: 32 banks of 4 bytes. The conflict degree of an access is the number of
 * passes that it takes: the most different words in one bank, per part of the warp that is served
 * at once (all 32 lanes for up to 4 bytes per lane, halves for 8, quarters for 16; twice as many
 * where lanes share what they load by twos); over the parts, the mean, rounded up. Lanes that read
 * or write one word share it; atomics do not, unless they count lanes (counting.c). Constant
 * memory: the number of different addresses.
 *
 * Global memory: sectors of 32 bytes. A request's sectors are those that its lanes touch; the least
 * possible for the same bytes is the number of sectors that hold them packed together. L1 and local
 * memory are one memory with the same banks: a request's wavefronts are the passes that it would
 * take there. A GPU may move more than a sector at once (PsPatternRules, sector): then a load, and
 * the way of a store to L2, take the sectors beside those that lanes touch, too.
 *
 * Caches: which sectors come from where is simulated for the groups that run (sector caches of
 * lines of 128 bytes, least recently used line replaced): the first-level cache that the groups of
 * one compute unit share, and behind it the second-level cache, which the groups of the launch
 * share. Neighbours in x, y and z show which share of a group's sectors the next groups touch, too.
 * A launch fetches that share once as long as what all groups in between touch fits in the
 * second-level cache, and never more of a buffer than there is. Groups that run at the same time
 * share wherever they lie, and have the second-level cache together.
 *
 * Where an access begins in its sector differs from group to group. What reaches each level is the
 * mean over all accesses of a point whose lanes lie at the same distances, wherever they begin.
 */
#ifndef PIPESIM_LIFT_MEMORY_PATTERN_H
#define PIPESIM_LIFT_MEMORY_PATTERN_H

#include "base/class-name.h"
#include "ptx/run/run.h"

G_BEGIN_DECLS

#define PS_SECTOR 32
#define PS_BANKS 32

/* Sizes in bytes. */
typedef struct {
    guint grid[3]; /* groups of the whole launch */
    guint64 l1;    /* bytes of a compute unit's L1; 0: there is none, or it is not known: every
                      request's sectors reach L2 */
    guint64 l2; /* bytes of the GPU's L2; 0: not known: it keeps everything, so that what is read is
                   fetched once, and all that is written reaches device memory */
    guint64 sector; /* bytes of the parts in which a line goes to compute units and comes from them,
                       aligned, from PS_SECTOR to a line; 0: PS_SECTOR */
    guint64 fill;   /* bytes that L1 reads at once if it lacks any of them; 0: `sector` */
    guint64
        fetch; /* bytes that L2 fetches at once, aligned, from PS_SECTOR to a line; 0: a sector */
    gboolean rows;      /* rows of device memory that accesses open for themselves are counted */
    gboolean masked;    /* device memory takes parts of a sector; else L2 reads the others first */
    guint place;        /* lines beside each other whose atomics take turns; 0: one */
    guint units;        /* compute units; 0: not known */
    guint resident;     /* groups that a compute unit holds at once; 0: one */
    guint rounds;       /* groups that a compute unit gets in the whole launch; 0: not known */
    gboolean l1_global; /* L1 keeps what loads of global memory read even without .nc or .ca */
    gboolean counts;    /* additions of one in shared memory count lanes: ps_target_counts */
    guint n_extents;
    const PsPtxExtent *extents; /* the launch's buffers, ascending, or NULL; borrowed */
} PsPatternRules;

/* The purpose of a group's execution besides its record. of_unit: it is one of the groups that a
 * compute unit gets, in that round. apart: it lies far from others, so that where such groups meet,
 * all do. strewn: it lies near other groups by chance, so what they share says nothing of
 * neighbours. */
typedef struct {
    gboolean of_unit;
    guint round;
    gboolean apart, strewn;
} PsPatternGroup;

/* The sectors of a pattern at each level, and its requests, as a graph states them. distinct:
 * sectors of loads and atomics that their group had not loaded before in the same loop. Loads of
 * one buffer in a loop share these evenly, since nothing depends on the one that comes first.
 * read_only: sectors that would reach L2 if loads that L1 does not keep took the read-only path.
 * (It is l2 if the kernel writes what they load.) partial: sectors of stores and atomics that a
 * request writes in part. rows: of device memory, opened for one line alone. */
typedef struct {
    double requests, l1, l2, device, distinct, read_only, partial, rows;
    double wavefronts; /* of all requests */
} PsTraffic;

/* A place of one line or several where stores or atomics of many groups meet: the number of its
 * first line in a buffer, and its share of the work of all their sectors, an operation at a time if
 * lanes are at one address. lanes: of atomics, the most lanes of a warp at one address, as a mean;
 * PS_PTX_LANES if all lanes of all warps are always at the same one. */
typedef struct {
    const char *buffer; /* borrowed from the rules' extents */
    guint64 line;
    double share;
    guint lanes;
    guint serial; /* turns of a request's sectors, in the mean: each has as many as it has lanes at
                     one address, at most */
} PsMeeting;

/* Sectors of all executed groups, as profilers count them: at L1 those of loads and stores of
 * global memory, where stores hit if loads have brought the sector; at L2 stores always hit. */
typedef struct {
    double l1, l1_hits, l2, l2_hits;
} PsHitRates;

/* Accesses of one point that are alike: with the same sectors per request, or the same degree of
 * conflicts. */
typedef struct {
    guint point;
    PsPtxSpace space;
    guint bytes;      /* per lane */
    guint sectors;    /* global: of one request */
    guint lines;      /* global: that one request touches */
    guint wavefronts; /* global: passes of all parts of the warp, as in local memory; of the first
                         request */
    guint least;      /* global: the fewest sectors that hold as many bytes */
    guint spread;     /* global: the mean number of sectors over all places in a sector where it may
                         begin, times 32 */
    guint degree;     /* shared: the mean passes of its parts; 1: no conflict */
    guint passes; /* shared: passes without any conflict: 1, 2, 4 for 4, 8, 16 bytes per lane, half
                     as many with `pairs`, fewer if whole parts of the warp do not take part */
    gboolean broadcast; /* all lanes read one address */
    gboolean pairs; /* shared: each lane T that loads asks for the same as T ^ 1 (or each as T ^ 2),
                       or that one does not load */
    const PsPtxWait *wait; /* of a wait for an mbarrier: what it waited for; else NULL */
    /* sums over all requests of the pattern */
    gint64 requests;
    gint64 lanes;
    /* global: sectors that reach each level; L2 as if each group were alone; device memory when all
     * groups have ended, by shares, hence a double */
    gint64 to_l1, to_l2;
    double to_device;
} PsPattern;

/* What the accesses of a group ask of memory, whatever they find there. */
typedef struct {
    guint64 sectors; /* of global memory, times PS_SECTOR: the mean of a request's over all places
                        in a sector where it may begin */
    guint64 passes;  /* of local (shared) memory, and different addresses of constants */
} PsDemand;

/* Adds what a request with this pattern asks for. */
void ps_pattern_demand(const PsPattern *pattern, PsDemand *sum);

/* TRUE if assemblers for a target ("sm_80") make one instruction of additions of one to shared
 * memory, which adds up the lanes' ones. */
gboolean ps_target_counts(const char *target);

/* The suffix that the access adds to its class, besides the words of a lane: that all lanes read
 * one address, else the degree of conflicts, else the sectors if there are more than the fewest
 * possible, else nothing. */
PsClassAccess ps_pattern_access(const PsPattern *pattern);

/* When all groups have ended (ps_roll_settle): the pattern's traffic, as the mean over the launch.
 * Patterns of its point that differ only in their begin have the same figures. */
PsTraffic ps_pattern_traffic(const PsPattern *pattern);
/* The place where the point's stores or atomics meet. FALSE: there is none. */
gboolean ps_pattern_meeting(const PsPattern *pattern, PsMeeting *meeting);

G_END_DECLS
#endif
