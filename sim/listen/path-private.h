/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How the critical path is kept and found: path-record.c keeps a short record of each issue, launch
 * and end of a group, in the order in which the engine reports them; path-find.c searches the
 * records for causes of waits; path-walk.c goes back from cause to cause. So the run itself costs
 * little more than writing records, and only records on the path are examined.
 *
 * The engine reports causes before their effects, and issues in order of time except for its
 * lookahead (PsNodes.lag). So a search ends where no earlier record can be late enough.
 *
 * Times in records are on the engine's own clock, which stands still while time is skipped: what
 * comes after a skip follows on the record of the period before it as if nothing had been skipped.
 * Going back, the walk enters the period that was recorded from its end, at the skip. Where it
 * leaves the period at its beginning, at the mark, it enters it once more at its end, in the
 * counterpart of the record that it came to, as often as the period was skipped. A period that was
 * estimated has no counterparts: what the walk adds in it is scaled. Internal to sim/.
 */
#ifndef PIPESIM_SIM_LISTEN_PATH_PRIVATE_H
#define PIPESIM_SIM_LISTEN_PATH_PRIVATE_H

#include "sim/listen/nodes.h"
#include "sim/listen/path.h"

#define PS_NO_RECORD G_MAXUINT32

/* The kind of link from a record to an earlier one. */
typedef enum {
    PS_LINK_NONE,     /* to nothing: time 0 */
    PS_LINK_DONE,     /* its completion */
    PS_LINK_ISSUE,    /* its issue, which its warp had to wait for (R2), and its hold (R9) */
    PS_LINK_BARRIER,  /* its issue: it was the last to arrive at a barrier */
    PS_LINK_LAUNCH,   /* a launch */
    PS_LINK_PLACE,    /* the end of a group */
    PS_LINK_PIPELINE, /* when its pipeline began with it, which it held, or whose queue it left
                         (R11) */
    PS_LINK_PORT      /* its issue: it held the scheduler's port */
} PsLinkHow;

typedef struct {
    guint32 record;
    PsLinkHow how;
} PsLink;

/* The issue of an instance, or the launch or the end of a group. */
typedef struct {
    gint64 time;     /* engine's clock */
    gint64 position; /* in program order */
    guint node;    /* among all; launches and ends come after them (ps_path_launch, ps_path_end) */
    guint slot;    /* of its warp on the CU: place * G + warp; for a group, of its warp 0 */
    gboolean held; /* it was ready before that time */
} PsPathEvent;

/* The same, packed: what a long run has most of. */
typedef struct {
    guint64 when; /* time, held */
    guint64 what; /* position, slot, node */
} PsPathRecord;

/* How many bits slots and nodes take. */
typedef struct {
    guint slot, node;
} PsPathBits;

static inline PsPathRecord ps_path_pack(PsPathBits bits, const PsPathEvent *event)
{
    const guint64 warp = (guint64)event->position << bits.slot | event->slot;
    return (PsPathRecord){(guint64)event->time << 1 | (guint64)event->held,
                          warp << bits.node | event->node};
}

static inline PsPathEvent ps_path_unpack(PsPathBits bits, const PsPathRecord *record)
{
    const guint64 warp = record->what >> bits.node;
    return (PsPathEvent){.time = (gint64)(record->when >> 1),
                         .position = (gint64)(warp >> bits.slot),
                         .node = (guint)(record->what & ((1U << bits.node) - 1)),
                         .slot = (guint)(warp & ((1U << bits.slot) - 1)),
                         .held = (record->when & 1) != 0};
}

/* A group on a CU. */
typedef struct {
    guint place;
    guint32 launch; /* its record */
} PsPathGroup;

/* A point of the tape: behind so many records and so many skips. */
typedef struct {
    guint32 records;
    guint skips;
} PsPathPoint;

/* The state at a mark, or at the begin of a skip. */
typedef struct {
    gatomicrefcount references;
    PsPathPoint at;
    gint64 base;    /* ticks skipped before */
    GArray *groups; /* PsPathGroup, by age */
} PsPathSnapshot;

typedef struct {
    PsPathSnapshot *mark, *end;
    gint64 times, period;
    gint64 length;      /* skipped ticks */
    gboolean estimated; /* the period repeats only in the mean */
    gint64 recorded;    /* ticks of the period on the engine's clock: less what was skipped in it */
    gboolean loops;     /* only loops were repeated: no group was launched in it */
    guint n_stay;       /* groups, the oldest ones, that stayed throughout; loops of theirs too */
} PsPathSkip;

typedef struct {
    guint32 record;
    gint64 group;
} PsPathLaunch;

/* The records of CUs that do the same. */
typedef struct {
    GPtrArray *chunks;   /* of PsPathRecord; if instances may be delayed, their delays follow, and
                            then, if there are queues, their waits there */
    PsPathRecord *chunk; /* the last one; NULL before the first */
    guint32 n_records;
    GArray *launches; /* PsPathLaunch */
    GArray *ends;     /* guint32, records */
    guint32 end;      /* record of the first end of a group at the latest time so far */
    gint64 ended;     /* that time; 0: none has ended */
    gint64 skipped;   /* ticks */
    GPtrArray *skips; /* PsPathSkip */
} PsPathTape;

struct PsPath {
    const PsMachine *machine;
    PsNodes table;
    guint n_warps;      /* of a group */
    guint n_schedulers; /* at least 1 */
    gint64 lag;         /* the table's lag, but at least 1 */
    gint64 longest_issue, longest_completion, longest_barrier, longest_hold; /* ticks */
    gint64 *longest; /* [node]: ticks from an issue to its completion, at most, so far */
    gint64
        longest_queued; /* ticks that an instance waited in front of its pipeline, so far (R11) */
    gboolean delays;    /* instances may be delayed by servers (R7, R8) or queues (R11) */
    gboolean queues;    /* by queues */
    gboolean uneven;    /* some warps of a group come to fewer barriers than others */
    PsPathBits bits;
    gboolean too_long; /* programs of more instances than records can tell apart */
    PsPathTape *tape;  /* of the CUs that are heard of now */
    PsPathTape *best;  /* of the CUs that ended last, among those heard of before */
    guint cu;          /* that is heard of */
    gint64 base;       /* ticks skipped on it so far */
    GArray *groups;    /* PsPathGroup, by age */
    PsPathSnapshot *marks[PS_SIM_MARKS];
    gboolean full; /* more than PS_PATH_MAX records */
};

#define PS_PATH_CHUNK 18 /* records of a chunk, as a power of two: 4 MiB, two large pages */

/* ---- path-record.c ------------------------------------------------------------------------- */

/* Sets up and ends what recording needs. */
void ps_path_record_init(PsPath *path);
void ps_path_record_clear(PsPath *path);

/* The tape of the CUs that ended last, when the run is over. */
const PsPathTape *ps_path_tape(const PsPath *path);

/* ---- path-find.c --------------------------------------------------------------------------- */

/* A tape of a path, to look back on. */
typedef struct {
    const PsPath *path;
    const PsPathTape *tape;
} PsPathBack;

static inline PsPathEvent ps_path_event(const PsPathBack *back, guint32 number)
{
    const PsPathRecord *chunk = back->tape->chunks->pdata[number >> PS_PATH_CHUNK];
    return ps_path_unpack(back->path->bits, &chunk[number & ((1U << PS_PATH_CHUNK) - 1)]);
}

/* What follows the records of a chunk. */
static inline gint64 *ps_path_delays(const PsPathRecord *chunk)
{
    return (gint64 *)(void *)(chunk + (1U << PS_PATH_CHUNK));
}

/* By how much that instance was complete later than its Lambda says. */
static inline gint64 ps_path_delay(const PsPathBack *back, guint32 number)
{
    const PsPathRecord *chunk = back->tape->chunks->pdata[number >> PS_PATH_CHUNK];
    const guint32 at = number & ((1U << PS_PATH_CHUNK) - 1);
    return back->path->delays ? ps_path_delays(chunk)[at] : 0;
}

/* How much of that it waited in front of its pipeline (R11). */
static inline gint64 ps_path_queued(const PsPathBack *back, guint32 number)
{
    const PsPathRecord *chunk = back->tape->chunks->pdata[number >> PS_PATH_CHUNK];
    const guint32 at = number & ((1U << PS_PATH_CHUNK) - 1);
    return back->path->queues ? ps_path_delays(chunk)[(1U << PS_PATH_CHUNK) + at] : 0;
}

/* Instead of a node. */
static inline guint ps_path_launch(const PsPath *path)
{
    return path->table.n_nodes;
}

static inline guint ps_path_end(const PsPath *path)
{
    return path->table.n_nodes + 1;
}

/* An instance, as far as its readiness depends on it. */
typedef struct {
    guint node; /* among all */
    guint slot;
    gint64 k;       /* instances of the node before it */
    gint64 time;    /* when it is ready */
    PsPathPoint at; /* what it waited for was before */
} PsPathAsk;

/* Asks of an instance that was recorded. */
PsPathAsk ps_path_ask(const PsPathBack *back, guint32 number);

/* The result, barrier or issue that made an instance ready. Of several at the same time the latest
 * record counts; an issue or a hold counts only without any of the others. PS_LINK_NONE: the
 * instance was ready with its launch. */
PsLink ps_path_ready(const PsPathBack *back, const PsPathAsk *ask);

/* An instance that waited for its pipeline: what it waited for is among the first `records`
 * records, and `later` others of its queue (R11) came between these and it. */
typedef struct {
    PsPathEvent event;
    gint64 time; /* until then */
    guint32 records;
    guint later;
} PsPathHeld;

/* The record that kept an instance from issuing before that time: the one that held its pipeline,
 * if that became free then, or left its queue then (R11), else the one that held its scheduler's
 * port. */
PsLink ps_path_held(const PsPathBack *back, const PsPathHeld *held);

/* R11: the record that kept an instance's pipeline from beginning with it before that time, by
 * holding it. */
PsLink ps_path_begun(const PsPathBack *back, const PsPathHeld *held);

/* How many of the records from one to before another are in the queue that the latter is in; 0: it
 * is in none. */
guint ps_path_queue_since(const PsPathBack *back, guint32 from, guint32 number);

/* What a launch waited for: the end of a group whose place became free in that instant, else the
 * launch before it. */
PsLink ps_path_launched(const PsPathBack *back, guint32 number);

/* The record for which the end of that group waited. */
PsLink ps_path_ended(const PsPathBack *back, guint32 number);

/* The launch of the warp that was in a slot after so many records. */
PsPathLaunch ps_path_launch_of(const PsPathBack *back, guint slot, guint32 records);

/* Among so many records, the number of launches, and of ends of groups. */
guint ps_path_launches_before(const PsPathTape *tape, guint32 records);
guint ps_path_ends_before(const PsPathTape *tape, guint32 records);

/* The record of the nth instance, from 0 and from the latest back, of a node by the warp that is in
 * a slot at that point; PS_NO_RECORD if there are fewer. */
guint32 ps_path_nth_last(const PsPathBack *back, guint node, guint slot, guint32 records,
                         gint64 nth);

/* The instances of a node that the warp in a slot has issued at that point, with the skipped
 * ones. */
gint64 ps_path_count(const PsPathBack *back, guint node, guint slot, PsPathPoint at);

/* Among the first `records` records the latest that holds the same pipeline, or port, as `like`. */
guint32 ps_path_holder(const PsPathBack *back, guint32 like, PsLinkHow how, guint32 records);

/* The point of the tape before that record. */
PsPathPoint ps_path_point(const PsPathTape *tape, guint32 number);

/* ---- path-walk.c --------------------------------------------------------------------------- */

/* Sums of a walk, in one vector so that what a period adds can be multiplied: ticks and number of
 * stretches of each kind and node (launches: the last), then how often each warp was the last
 * at each barrier node. */
typedef struct {
    guint n_nodes;  /* of all programs, and one for launches */
    guint n_warps;  /* of a group */
    guint *barrier; /* [node]: its number among barrier nodes */
    guint n;
    gint64 *at;
} PsPathSums;

guint ps_path_sum_ticks(const PsPathSums *sums, PsPathKind kind, guint node);
guint ps_path_sum_times(const PsPathSums *sums, PsPathKind kind, guint node);
guint ps_path_sum_late(const PsPathSums *sums, guint node, guint warp);

/* A stretch, on the run's own clock, and the record that is charged with it. */
typedef void (*PsPathTold)(gpointer data, PsPathKind kind, guint32 charged, gint64 from, gint64 to);

/* Walks back along the tape from the run's end, adds up, and reports each stretch (told may be
 * NULL), except those of a skipped period that it need not walk, since it is in a cycle there. The
 * drain, which lasts beyond the last group, is not on the tape: the caller adds it. */
void ps_path_walk(const PsPathBack *back, PsPathSums *sums, PsPathTold told, gpointer data);

#endif
