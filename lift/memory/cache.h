/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes patterns of lanes' addresses, and finds what caches do with them, in parts:
 *
 *     pattern.c         one access: sectors, conflict degree
 *     pattern-table.c   the patterns of each point, their sums and means
 *     pattern-settle.c  what the launch makes of them
 *     cache-lines.c     a table of cache lines
 *     cache.c           a sector cache
 *     cache-group.c     one group's caches, what it touched
 *     cache-unit.c      the L1 of groups that one compute unit holds
 *     cache-launch.c    what groups share in L2, and what the launch moves
 *     cache-chance.c    buffers that groups touch at random
 *     cache-wave.c      what groups share that run at the same time
 *     cache-meeting.c   lines at which groups' stores and atomics meet
 *     beside.c          how accesses of the same threads lie to each other
 *     joins.c           loads that a warp issues one behind the other
 *     copies.c          those of iterations that an assembler lays out together
 */
#ifndef PIPESIM_LIFT_MEMORY_CACHE_H
#define PIPESIM_LIFT_MEMORY_CACHE_H

#include "lift/memory/copies.h"
#include "lift/memory/pattern.h"
#include "ptx/code/code.h"

G_BEGIN_DECLS

#define PS_LINE 128
#define PS_WORD 4
#define PS_SECTOR_WORDS (PS_SECTOR / PS_WORD)
#define PS_ALL_WORDS ((1U << PS_SECTOR_WORDS) - 1)
enum { PS_LINE_SECTORS = PS_LINE / PS_SECTOR };

/* ---- one access ---------------------------------------------------------------------------- */

/* COUNT: an atomic in shared memory that adds one for each lane at a word, at once for all. */
typedef enum { PS_ACCESS_LOAD, PS_ACCESS_STORE, PS_ACCESS_ATOMIC, PS_ACCESS_COUNT } PsAccess;

/* Sectors of one line that an access touches, those of which it touches all bytes, and its words of
 * 4 bytes: bit i is the i-th. */
typedef struct {
    guint64 line; /* address / PS_LINE */
    guint sectors, whole, words;
} PsTouch;

static inline guint ps_count_sectors(guint sectors)
{
    static const guint8 bits[1 << PS_LINE_SECTORS] = {0, 1, 1, 2, 1, 2, 2, 3,
                                                      1, 2, 2, 3, 2, 3, 3, 4};
    return bits[sectors];
}

/* These sectors of a line and those beside them, by aligned parts of so many bytes; 0: a sector. */
static inline guint ps_parts_of(guint sectors, guint64 bytes)
{
    const guint n = CLAMP((guint)(bytes / PS_SECTOR), 1, PS_LINE_SECTORS);
    const guint one = (1U << n) - 1;
    guint all = 0;
    for (guint i = 0; i < PS_LINE_SECTORS; i += n)
        if (sectors & one << i)
            all |= one << i;
    return all;
}

/* Describes the access of an event: sets *pattern except its sums and, for global and .local
 * memory, touches (PsTouch, ascending). `words` is memory to work in (guint64). */
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

/* A cache of lines of sectors, in which a new line replaces the one that was used least recently.
 */
typedef struct PsCache PsCache;
/* Has at least one line. near: bytes of a smaller cache that is watched beside it; 0: none. */
PsCache *ps_cache_new(guint64 bytes, guint64 near);
void ps_cache_free(PsCache *cache);
/* Which sectors of the line the cache has, as bits. */
guint ps_cache_look(PsCache *cache, guint64 line);
/* Uses these sectors, and fetches the missing ones, which it returns. crowded, unless NULL: sets
 * those that were there, but would be missing in the smaller cache. */
guint ps_cache_bring(PsCache *cache, PsTouch touch, guint *crowded);
/* Removes these sectors from the cache. */
void ps_cache_drop(PsCache *cache, PsTouch touch);
/* The pattern of that number has written these sectors, which the cache has; nothing behind it has
 * what they are now. */
void ps_cache_write(PsCache *cache, PsTouch touch, guint writer);
/* Nobody needs these sectors any more: they are removed, and a line that has no others is the next
 * to be replaced. The cache watches no smaller one. */
void ps_cache_give_up(PsCache *cache, PsTouch touch);
/* Written sectors whose line was replaced: they have to be written back. */
typedef struct {
    guint64 line;
    guint sectors, writer;
} PsLeaving;
/* Takes the sectors that left the cache last; sectors is 0 if none did since the last call. */
PsLeaving ps_cache_take_leaving(PsCache *cache);

/* ---- buffers ------------------------------------------------------------------------------- */

/* The number of the buffer that has the line; n_extents: none has. */
guint ps_extent_at(const PsPatternRules *rules, guint64 line);

/* ---- requests ------------------------------------------------------------------------------ */

/* The effect of an instruction on memory; for a copy, at its destination. */
PsAccess ps_access_of(const PsPtxMnemonic *mnemonic);

/* A request of a warp: the number of its pattern, its effect, whether L1 keeps what it reads, and
 * whether it goes to threads' own memory, which reaches device memory only if L2 loses it. loop:
 * the innermost loop that loads it, or PS_PTX_NOWHERE; atomics, which one sum can replace, have no
 * loop. joins: it waits for none of the data of the warp's last requests (joins.h). writes: it
 * stores in threads' own memory. last: nobody needs any more what it loads of that. */
typedef struct {
    guint number;
    PsAccess access;
    gboolean keep, private, joins, writes, last;
    guint loop;
} PsRequest;

/* Counts of sectors. l1: requests to L1. l2: those that go on to L2. found: stores that L1 has.
 * partial: stores and atomics that write a part. lost: loads that L2 has lost since, if all groups
 * that run at the same time share it evenly. */
typedef struct {
    gint64 l1, l2, found, partial, lost;
} PsPassed;

/* Passes sectors of one line through L1 (NULL: there is none). Adds to *passed, and returns those
 * that go on to L2: of a load with all that L1 reads at once, of others as they are. */
guint ps_pass_l1(const PsPatternRules *rules, PsCache *l1, const PsRequest *request, PsTouch touch,
                 PsPassed *passed);

/* ---- groups -------------------------------------------------------------------------------- */

typedef struct PsGroups PsGroups;
PsGroups *ps_groups_new(const PsPatternRules *rules);
void ps_groups_free(PsGroups *groups);
/* A group begins; `strewn` as in PsPatternGroup. */
void ps_groups_begin(PsGroups *groups, const guint group[3], gboolean strewn);
void ps_groups_end(PsGroups *groups);
/* Lets a request pass the caches of the present group; adds to *passed. */
void ps_groups_access(PsGroups *groups, const PsRequest *request, const GArray *touches,
                      PsPassed *passed);

/* The findings about groups that run at the same time: for each pattern the part of what its loads
 * touch that the launch fetches, 1 where that is not known; alike: whether groups share no more
 * later than at their beginnings (g_free both); whole: a wave of them began. */
typedef struct {
    double *parts; /* NULL: nothing is known, then also: */
    guint8 *alike;
    gboolean whole;
} PsWaveParts;

/* Called when all groups have ended: works out what the whole launch moves. heads: for each pattern
 * the first one of its family, at which the bytes that groups share are counted; points: one for
 * each pattern. */
void ps_groups_settle(PsGroups *groups, const guint *heads, const guint *points,
                      const PsWaveParts *wave);
/* Sectors of a pattern in all ended groups: missed in L2, fetched from device memory, written
 * there, and read there because they leave L2 with words that nobody wrote; and sectors that its
 * group had not loaded before in the same loop. */
typedef struct {
    double missed, fetched, written, filled, first;
    double rows; /* of device memory that are opened for one line alone */
    double part; /* of the sectors that its groups read first, those that are fetched */
} PsReached;
PsReached ps_groups_reached(const PsGroups *groups, guint number);

/* ---- groups that run at the same time ---------------------------------------------------------
 */

/* The executed groups of the launch, from number `first` on. */
typedef struct PsWave PsWave;
PsWave *ps_wave_new(guint n_points, guint64 first);
void ps_wave_free(PsWave *wave);
/* The next group begins. */
void ps_wave_begin(PsWave *wave);
/* A load at that point of the code touches these (PsTouch). */
void ps_wave_touch(PsWave *wave, guint point, const GArray *touches);
/* TRUE if the groups share at least half of what the loads of a point touch. */
gboolean ps_wave_shares(const PsWave *wave);
/* points: of each pattern. */
PsWaveParts ps_wave_parts(const PsWave *wave, const PsGroups *groups, const guint *points);

/* ---- compute units ------------------------------------------------------------------------- */

typedef struct PsUnit PsUnit;
PsUnit *ps_unit_new(const PsPatternRules *rules);
void ps_unit_free(PsUnit *unit);
/* Begins a group that the unit gets in that round: its requests are recorded until it ends. */
void ps_unit_begin(PsUnit *unit, guint round);
void ps_unit_access(PsUnit *unit, guint warp, const PsRequest *request, const GArray *touches);
/* The warp enters a loop. */
void ps_unit_enters(PsUnit *unit, guint warp);
void ps_unit_end(PsUnit *unit);
/* copies: by pattern, where it is in iterations at once; the unit's from now on, made by g_new. */
void ps_unit_set_copies(PsUnit *unit, PsCopy *copies);
/* Sends the requests of all these groups through one L1, in the order of rounds; adds to passed
 * (PsPassed, by pattern). also_kept: by pattern, TRUE if L1 keeps the sectors that loads bring,
 * too; NULL: only those of requests that say so. */
void ps_unit_replay(PsUnit *unit, const guint8 *also_kept, GArray *passed);

/* ---- where groups meet --------------------------------------------------------------------- */

typedef struct PsMeetings PsMeetings;
/* lines: so many lines beside each other are one place. all: borrowed, the sum of all instructions'
 * turns; NULL for the sum itself. */
PsMeetings *ps_meetings_new(guint lines, PsMeetings *all);
void ps_meetings_free(PsMeetings *meetings);
/* atomic: lanes of the event take turns if they are at one address; for a store, an event of NULL
 * may be anywhere in its lines. */
void ps_meetings_add(PsMeetings *meetings, guint group, const GArray *touches,
                     const PsPtxEvent *event, gboolean atomic);

/* A place by its first line, its share of all turns, and the turns of a request in the mean. */
typedef struct {
    guint64 line;
    guint lines;
    double share, turns;
} PsPlaceOfMeeting;

/* Finds the place at which several of the launch's groups meet and all instructions have most
 * turns; FALSE: its share does not matter. */
gboolean ps_meetings_best(const PsMeetings *meetings, guint64 groups, PsPlaceOfMeeting *place);

/* ---- patterns ------------------------------------------------------------------------------ */

typedef struct PsPatterns PsPatterns;
PsPatterns *ps_patterns_new(const PsPtxCode *code, const PsPatternRules *rules);
void ps_patterns_free(PsPatterns *patterns);
void ps_patterns_group_begins(PsPatterns *patterns, const guint group[3], PsPatternGroup what);
void ps_patterns_group_ends(PsPatterns *patterns);
const PsPattern *ps_patterns_access(PsPatterns *patterns, const PsPtxEvent *event);
const GPtrArray *ps_patterns_all(const PsPatterns *patterns);
/* The mean of all patterns of the same point with this one's space and bytes; the mean of a mean is
 * itself. */
const PsPattern *ps_pattern_mean(const PsPattern *pattern);
/* Adds what an access of a group that is not recorded asks for; its mask has a lane. */
void ps_patterns_ask(PsPatterns *patterns, const PsPtxEvent *event, PsDemand *sum);
/* What the accesses of the present group asked for so far. */
PsDemand ps_patterns_demand(const PsPatterns *patterns);
/* From now on a group only begins: its events go to ps_patterns_wave_access, until the next one
 * does. Groups go on from number `first` of the launch. */
void ps_patterns_wave_begins(PsPatterns *patterns, guint64 first);
void ps_patterns_wave_access(PsPatterns *patterns, const PsPtxEvent *event);
gboolean ps_patterns_wave_shares(const PsPatterns *patterns);
/* The warp enters a loop. */
void ps_patterns_enters(PsPatterns *patterns, guint warp);
/* From now on settling treats loads of unrolled iterations together. unrolled: as ps_copies_new.
 * FALSE: there are none. */
gboolean ps_patterns_unroll(PsPatterns *patterns, const guint *unrolled);
/* Called when all groups have ended: sets what depends on all of them. */
void ps_patterns_settle(PsPatterns *patterns);
PsHitRates ps_patterns_rates(const PsPatterns *patterns);

G_END_DECLS
#endif
