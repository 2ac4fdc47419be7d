/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How waits are counted: waits-settle.c charges the time from one issue of a warp to the next,
 * waits-skip.c adds what skipped periods add, waits-ports.c tells pipelines from ports, and
 * waits-occupancy.c counts resident groups over time;
 * waits.c receives the events and reports.
 *
 * Times are on the engine's own clock, which stands still while time is skipped. Engines report
 * issues of one warp on several pipelines out of order, but not by more than they look ahead: until
 * that time has passed, issues are pending. Internal to sim/.
 */
#ifndef PIPESIM_SIM_LISTEN_WAITS_PRIVATE_H
#define PIPESIM_SIM_LISTEN_WAITS_PRIVATE_H

#include "sim/listen/nodes.h"
#include "sim/listen/repeat.h"
#include "sim/listen/steps.h"
#include "sim/listen/waits.h"

/* Sums over warps may exceed 64 bits when the time itself does not. */
__extension__ typedef __int128 PsWaitSum;

#define PS_WAITS_NO_NODE G_MAXUINT
#define PS_WAITS_RESULTS 2 /* of a node that a warp remembers at first, a power of two */

/* A node, with what each of its instances needs. */
typedef struct {
    gint64 issue, completion, hold; /* ticks */
    /* where its sums are: its own issuing and holding; what warps wait for before they issue it, of
     * results one for each of its n_known dependences, from `data` on */
    guint issuing, holding, data, queue, port, barrier;
    guint pipe;        /* of PsWaits.pipes; if each scheduler has one, the first */
    gboolean own_pipe; /* each scheduler has one, or a queue in front of it */
    guint room; /* R11: instances of a scheduler that may wait in front of its pipe; 0: none */
    guint n_deps, n_known; /* dependences; those on no barrier, which come first */
    guint *deps;           /* nodes of the same program */
    gboolean kept;         /* others wait for its results, and it is no barrier */
} PsWaitNode;

/* The subject of a sum. */
typedef struct {
    PsWaitKind kind;
    guint which;         /* as of PsWaitRow */
    guint program, node; /* as of PsNodeWait, like `on` */
    guint on;
} PsWaitOf;

/* The latest results of a node of a warp; past ones may be gone. The members that are mostly needed
 * stand together, since there are as many as warps and nodes. */
typedef struct {
    guint n, mask;
    gint64 *done; /* few at first, allocated once it has grown */
    gint64 few[PS_WAITS_RESULTS];
} PsWaitRing;

/* An issue, or with the node PS_WAITS_NO_NODE the end of the warp. */
typedef struct {
    gint64 time, ready, position;
    guint node;           /* of all programs */
    gint64 delay, queued; /* as of PsInstance */
} PsWaitIssue;

typedef struct {
    gint64 since;       /* its latest issue, or its launch */
    guint node;         /* what issued then; PS_WAITS_NO_NODE: nothing */
    guint program;      /* of the kernel's */
    guint first;        /* its program's first node among all */
    guint n_nodes;      /* of its program */
    guint fresh;        /* the marks after which it has not issued, as bits */
    gboolean kept_open; /* time was skipped since it issued, and nothing of its wait was told */
    guint first_pending, n_pending, room; /* the pending ones are first_pending <= i < n_pending */
    guint scheduler;                      /* on its CU; 0: there are no schedulers */
    PsWaitIssue *pending;                 /* by time, then readiness, then position */
    PsWaitRing *rings;                    /* of its program's nodes */
    gint64 *results;                      /* theirs at first */
} PsWaitWarp;

typedef struct {
    gint64 group;
    guint place;
    guint age_at_mark[PS_SIM_MARKS]; /* G_MAXUINT: the warp was not there */
    PsWaitWarp *warps;
} PsWaitGroup;

/* The sum that the time before an issue is charged to. */
typedef struct {
    gint64 issuing, waiting, queued, ported;            /* ticks */
    guint issuing_to, waiting_to, queued_to, ported_to; /* sums */
} PsWaitCharge;

/* The first issue, or end, of a warp after a mark. */
typedef struct {
    gboolean seen;
    gint64 skipped; /* ticks, between the mark and it */
    PsWaitIssue issue;
    PsWaitCharge charge;
    double busy; /* until it issued its pipe was busy for so many ticks in all */
} PsWaitFirst;

typedef struct {
    gint64 base; /* ticks skipped before it */
    gint64 ends; /* groups that had ended */
    guint n;
    PsWaitFirst *firsts; /* by age of the group, then by warp */
    PsStep *pipes;       /* the last of each then: when it is free */
    PsWaitSum *sums;
} PsWaitMark;

/* A scheduler's queue in front of a pipeline (R11): when the latest instances begin, as many as it
 * has room for. */
typedef struct {
    guint at; /* the oldest */
    gint64 begins[PS_MOST_QUEUED];
} PsWaitQueue;

/* The last time when some number of groups was there. Places cannot tell that: they are all alike,
 * so a period may end with groups in other places than it began. */
typedef struct {
    gint64 time; /* on the run's clock */
    gint64 nth;  /* the group that ended then, from 1; 0: there never were so many groups */
} PsWaitLevel;

/* Called for each charge (sim/listen/timeline.c), before the warp's state changes. */
typedef void (*PsWaitTold)(void *data, const PsWaitGroup *group, guint warp,
                           const PsWaitIssue *issue, const PsWaitCharge *charge);

struct PsWaits {
    const PsMachine *machine;
    guint n_warps; /* of a group */
    guint n_kinds; /* of groups */
    PsNodes table;
    PsWaitNode *nodes; /* [node] of the table */
    guint n_sums;
    GArray *of;       /* PsWaitOf, of each sum */
    PsWaitSum *sums;  /* of the CUs that are heard of now, for one of them */
    PsWaitSum *total; /* of all CUs before */
    guint cu, n_cus;  /* that are heard of now */
    gint64 base;
    GPtrArray *groups;    /* PsWaitGroup, by age */
    PsWaitGroup **places; /* [place * n_kinds + kind]: of all groups that ever were there; NULL
                             before */
    PsWaitLevel *levels;  /* [n]: the last time when n + 1 groups were there */
    gint64 ends;          /* groups that have ended, without those in skipped time */
    PsWaitSum gone;       /* of all CUs before, these times */
    gint64 used;          /* how many they are */
    PsWaitMark marks[PS_SIM_MARKS];
    guint schedulers; /* R1; 0: pipelines choose their issues, and there is no port */
    guint n_pipes;
    GArray **pipes; /* with schedulers: steps, when it is busy, or its queue is full; those of the
                       GPU's pipelines, then of the same pipelines of each scheduler */
    PsWaitQueue *queues; /* [pipe] */
    PsWaitTold told;     /* mostly NULL */
    void *data;
    GArray *steps; /* how many groups are on the first CU */
    gint64 resident;
    gint64 full; /* the last time so far when M groups were on the first CU */
};

/* The place of the sum that belongs to no node: the last. */
static inline guint ps_waits_drain(const PsWaits *waits)
{
    return waits->n_sums - 1;
}

/* ---- waits-settle.c ------------------------------------------------------------------------ */

PsWaitCharge ps_waits_charge(const PsWaits *waits, const PsWaitWarp *warp,
                             const PsWaitIssue *issue);
void ps_waits_add(PsWaitSum *sums, const PsWaitCharge *charge, gint64 times);

/* The warp issues: now, or as soon as no earlier issue can be reported any more. */
void ps_waits_hear(PsWaits *waits, PsWaitGroup *group, guint warp, const PsWaitIssue *issue);

/* All that the warp has pending. */
void ps_waits_settle(PsWaits *waits, PsWaitGroup *group, guint warp);

/* The warp ends. */
void ps_waits_end(PsWaits *waits, PsWaitGroup *group, guint warp, gint64 time);

/* One warp becomes like another of the same program, `shift` ticks earlier. */
void ps_waits_copy(PsWaitWarp *to, const PsWaitWarp *from, gint64 shift);

/* ---- waits-ports.c ------------------------------------------------------------------------- */

void ps_waits_make_pipes(PsWaits *waits);
void ps_waits_free_pipes(PsWaits *waits);

/* Forgets them: other CUs follow. */
void ps_waits_clear_pipes(PsWaits *waits);

/* An instance of the node issues, and keeps its pipe busy for lambda, or its queue full until that
 * has room again. */
void ps_waits_occupy(PsWaits *waits, const PsWaitWarp *warp, const PsWaitNode *node,
                     const PsWaitIssue *issue);

/* How long the pipe was busy until that time of the run; 0 without ports. */
double ps_waits_busy(const PsWaits *waits, const PsWaitWarp *warp, const PsWaitNode *node,
                     gint64 time);

void ps_waits_mark_pipes(const PsWaits *waits, PsWaitMark *mark);

/* The times of the mark, of an issue's being ready, and of its period's beginning. */
typedef struct {
    gint64 mark, ready, begin;
} PsWaitTimes;

/* How many ticks of such a wait, up to an issue in a period of `times`, the pipe is
 * busy for: `first` is that issue in the period from the mark on. Times are the run's. */
double ps_waits_busy_again(const PsWaits *waits, const PsWaitMark *mark, const PsWaitWarp *warp,
                           const PsWaitFirst *first, const PsWaitTimes *times);

/* Time is skipped. */
void ps_waits_skip_pipes(PsWaits *waits, const PsSkip *skip);

/* The warp's pipe for the node (NULL: there are no ports). */
const GArray *ps_waits_pipe(const PsWaits *waits, const PsWaitWarp *warp, const PsWaitNode *node);

/* ---- waits-skip.c -------------------------------------------------------------------------- */

void ps_waits_mark(PsWaits *waits, guint mark);
void ps_waits_skip(PsWaits *waits, const PsSkip *skip);

/* ---- waits-occupancy.c --------------------------------------------------------------------- */

/* Groups on the first CU change by that number; time is skipped. Times are the run's. */
void ps_waits_step(PsWaits *waits, gint64 time, int change);
void ps_waits_step_over(PsWaits *waits, const PsSkip *skip);

#endif
