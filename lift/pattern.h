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
 * lines of 128 bytes, least recently used line replaced): the first-level cache that the groups of
 * one compute unit share, and behind it what the groups of the launch share: from neighbours in x,
 * y and z follows which share of a group's sectors those next to it touch, too, and a launch
 * fetches that once as long as what all groups in between touch fits in the second-level cache; nor
 * does it fetch more of a buffer than there is.
 *
 * Where an access begins in its sector differs from group to group. What reaches each level is the
 * mean over all accesses of a point whose lanes lie at the same distances, wherever they begin.
 */
#ifndef PIPESIM_LIFT_PATTERN_H
#define PIPESIM_LIFT_PATTERN_H

#include "base/class-name.h"
#include "ptx/run/run.h"

G_BEGIN_DECLS

#define PS_SECTOR 32
#define PS_BANKS 32

/* Sizes in bytes. */
typedef struct {
    guint grid[3];      /* groups of the whole launch */
    guint64 l1;         /* of a compute unit; 0: there is none, or it is not known: every request's
                           sectors reach L2 */
    guint64 l2;         /* of the GPU; 0: not known: all is kept there, what is read is fetched
                           once, and what is written all reaches device memory */
    guint64 fetch;      /* that L2 fetches at once, aligned: PS_SECTOR to a line; 0: a sector */
    guint units;        /* compute units; 0: not known */
    guint resident;     /* groups that a compute unit holds at once; 0: one */
    guint rounds;       /* groups that a compute unit gets in the whole launch; 0: not known */
    gboolean l1_global; /* loads of global memory are kept in L1 even without .nc or .ca */
    guint n_extents;
    const PsPtxExtent *extents; /* the launch's buffers, ascending, or NULL; borrowed */
} PsPatternRules;

/* What a group is executed for beside its record: it is one of those that a compute unit gets, in
 * that round; it is one of those that lie apart, of which where they meet says where all do; it is
 * strewn: what it shares with groups that happen to be near it does not tell what all do. */
typedef struct {
    gboolean of_unit;
    guint round;
    gboolean apart, strewn;
} PsPatternGroup;

/* Sectors, and in how many requests, at each level: what a graph says of a pattern. */
typedef struct {
    double requests, l1, l2, device;
} PsTraffic;

/* Where a point's stores or atomics of many groups meet: the line of that number in the buffer, and
 * the share of their sectors that is there. */
typedef struct {
    const char *buffer; /* borrowed from the rules' extents */
    guint64 line;
    double share;
} PsMeeting;

/* Of all groups that were executed, in sectors, as profilers count them: at L1 those of loads and
 * stores of global memory, of which stores find what loads have brought; at L2 stores always do. */
typedef struct {
    double l1, l1_hits, l2, l2_hits;
} PsHitRates;

/* Accesses at one point that are alike: of the same sectors per request, or the same degree. */
typedef struct {
    guint point;
    PsPtxSpace space;
    guint bytes;   /* per lane */
    guint sectors; /* global: of one request */
    guint lines;   /* global: that one request touches */
    guint least;   /* global: the fewest that hold the same bytes */
    guint spread;  /* global: sectors in the mean over all places where it may begin, times 32 */
    guint degree;  /* shared: passes of each part; 1: no conflict */
    guint passes;  /* shared: passes without any conflict: 1, 2, 4 for 4, 8, 16 bytes per lane, less
                      where whole parts of the warp do not take part */
    gboolean broadcast;    /* all lanes read one address */
    const PsPtxWait *wait; /* of an mbarrier: for which copies of the warp; else NULL */
    /* sums over all requests that are alike */
    gint64 requests;
    gint64 lanes;
    /* global: sectors that reach each level; L2 as if each group were alone; device memory when
       all groups have ended, by shares, hence a double */
    gint64 to_l1, to_l2;
    double to_device;
} PsPattern;

/* What its class says of it, but for the words of a lane: that all lanes read one address, else the
 * degree of a conflict, else sectors where they are more than the least, else nothing. */
PsClassAccess ps_pattern_access(const PsPattern *pattern);

/* When all groups have ended (ps_roll_settle): what the pattern moves, with others of its point
 * that differ only in where they begin, in the mean of the launch. */
PsTraffic ps_pattern_traffic(const PsPattern *pattern);
/* FALSE: nowhere. */
gboolean ps_pattern_meeting(const PsPattern *pattern, PsMeeting *meeting);

G_END_DECLS
#endif
