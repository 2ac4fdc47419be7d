/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From lanes' addresses to patterns, and what caches make of them, in parts:
 *
 *     pattern.c        one access: sectors, conflict degree
 *     pattern-table.c  the patterns of each point, their sums and means
 *     cache-lines.c    a table of cache lines
 *     cache.c          a sector cache
 *     cache-group.c    one group's caches, what it touched, what its neighbours share with it
 */
#ifndef PIPESIM_IDG_PTX_GRAPH_CACHE_H
#define PIPESIM_IDG_PTX_GRAPH_CACHE_H

#include "idg/ptx/graph/pattern.h"
#include "idg/ptx/run/code.h"

G_BEGIN_DECLS

#define PS_LINE 128
#define PS_LINE_SECTORS (PS_LINE / PS_SECTOR)

/* ---- one access ---------------------------------------------------------------------------- */

typedef enum { PS_ACCESS_LOAD, PS_ACCESS_STORE, PS_ACCESS_ATOMIC } PsAccess;

/* Sectors of one line that an access touches: bit i is the i-th sector. */
typedef struct {
    guint64 line; /* address / PS_LINE */
    guint sectors;
} PsTouch;

static inline guint ps_count_sectors(guint sectors)
{
    static const guint8 bits[1 << PS_LINE_SECTORS] = {0, 1, 1, 2, 1, 2, 2, 3,
                                                      1, 2, 2, 3, 2, 3, 3, 4};
    return bits[sectors];
}

/* What the access of an event is: sets *pattern but for sums, and for global and local (.local)
 * memory touches (PsTouch), ascending. words is scratch memory (guint64). */
typedef struct {
    GArray *touches;
    GArray *words;
} PsTouches;
void ps_pattern_measure(const PsPtxEvent *event, PsAccess access, PsPattern *pattern,
                        PsTouches *scratch);

/* ---- caches -------------------------------------------------------------------------------- */

#define PS_NO_LINE G_MAXUINT32

/* Lines, numbered from 0 in the order in which they were added. */
typedef struct {
    guint n;
    guint64 *lines;
    guint32 *next;  /* in the same bucket */
    guint32 *heads; /* of buckets; n_heads is a power of two */
    guint n_heads, allocated;
} PsLines;

guint ps_lines_find(const PsLines *lines, guint64 line); /* number or PS_NO_LINE */
guint ps_lines_add(PsLines *lines, guint64 line);
void ps_lines_replace(PsLines *lines, guint number, guint64 line); /* another line in its place */
void ps_lines_clear(PsLines *lines);                               /* frees all */

/* Lines of sectors, of which the least recently used one makes place. */
typedef struct PsCache PsCache;
PsCache *ps_cache_new(guint64 bytes); /* at least one line */
void ps_cache_free(PsCache *cache);
/* Sectors of the line that are there. */
guint ps_cache_look(PsCache *cache, guint64 line);
/* Uses and, unless they are there, brings sectors; returns those that were not there. */
guint ps_cache_bring(PsCache *cache, PsTouch touch);
/* These sectors are there no more. */
void ps_cache_drop(PsCache *cache, PsTouch touch);

/* ---- groups -------------------------------------------------------------------------------- */

/* Sums of one pattern; number is its own among all. */
typedef struct {
    gint64 unique;    /* sectors that it was the first of its group to touch */
    gint64 again;     /* sectors that the second-level cache lost and it fetched once more */
    gint64 base[3];   /* of unique: in groups whose neighbour in that direction was heard of, too */
    gint64 shared[3]; /* of these: that the neighbour touches as well */
} PsFootprint;

typedef struct PsGroups PsGroups;
PsGroups *ps_groups_new(const PsPatternRules *rules);
void ps_groups_free(PsGroups *groups);
void ps_groups_begin(PsGroups *groups, const guint group[3]);
void ps_groups_end(PsGroups *groups);
/* A request's sectors of global memory by pattern `number`, kept in L1 or not. Returns how many of
 * them reach L2. */
guint ps_groups_access(PsGroups *groups, guint number, PsAccess access, gboolean keep,
                       const GArray *touches);
/* The same for threads' own memory, which never gets further than L2. */
guint ps_groups_private(PsGroups *groups, const GArray *touches);
/* Sectors of the pattern that reach device memory, for all groups that ended. */
double ps_groups_device(const PsGroups *groups, guint number);

/* ---- patterns ------------------------------------------------------------------------------ */

typedef struct PsPatterns PsPatterns;
PsPatterns *ps_patterns_new(const PsPtxCode *code, const PsPatternRules *rules);
void ps_patterns_free(PsPatterns *patterns);
void ps_patterns_group_begins(PsPatterns *patterns, const guint group[3]);
void ps_patterns_group_ends(PsPatterns *patterns);
const PsPattern *ps_patterns_access(PsPatterns *patterns, const PsPtxEvent *event);
const GPtrArray *ps_patterns_all(const PsPatterns *patterns);
/* The mean of all patterns of its point that have its space and bytes; of a mean: itself. */
const PsPattern *ps_pattern_mean(const PsPattern *pattern);

G_END_DECLS
#endif
