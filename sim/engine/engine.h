/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The event engine's state, and the parts of it that depend neither on the order of a warp's nodes
 * nor on the issue stage: listeners, the places that groups take, errors. Internal to sim/.
 */
#ifndef PIPESIM_SIM_ENGINE_H
#define PIPESIM_SIM_ENGINE_H

#include "sim/engine/cus.h"
#include "sim/engine/heap.h"
#include "sim/engine/queue.h"
#include "sim/engine/warp.h"
#include "sim/tally.h"

/* Times beyond this end the run: a latency (at most 2^60 ticks) can be added to any before it. */
#define PS_MAX_TIME (G_MAXINT64 / 2)

/* Listeners that want one kind of event. */
typedef struct {
    guint n;
    const PsListener **list;
} PsAudience;

#define PS_NO_PLACE G_MAXUINT

/* The policy prefers the warp that issued last (R3). */
static inline gboolean ps_engine_greedy(PsPolicy policy)
{
    return policy == PS_POLICY_GTO || policy == PS_POLICY_GTY;
}

/* Slots count beyond the one that issued last (R3). */
static inline gboolean ps_engine_by_slot(PsPolicy policy)
{
    return policy == PS_POLICY_LRR || policy == PS_POLICY_GTY;
}

/* When an instance issues, and when its pipeline begins with it: then, or later (R11). */
typedef struct {
    gint64 time, begin;
} PsStart;

/* Program order: the node of a warp's next instance, if it is known when that is ready. */
typedef struct {
    const PsPlanNode *node; /* NULL: it waits at none, or there is no such warp */
    gint64 ready;
} PsNext;

/* A place for a group on the CU. */
typedef struct {
    gint64 group;  /* in order of launch on this CU; -1: the place is free */
    gint64 wanted; /* number of groups of the wave in which it was launched (sim/engine/cus.h) */
    gint64 nth;    /* of them, from 0 */
    guint kind;    /* of the kernel's */
    guint live;    /* warps whose end is not known */
    gint64 gone;   /* the latest known end of its warps */
    guint arrived; /* warps that stand at the barrier that comes next */
    gint64 last_arrival;
    gint64 last_completion; /* the longest Lambda among the warps that arrived last */
    guint older, newer;     /* places by launch, PS_NO_PLACE at the ends */
    guint age;              /* scratch of sim/engine/forward.c: the number of older groups */
    gboolean stays; /* scratch of sim/engine/forward-core.h: a skip does not move its launch, since
                       the same group was there at the beginning of the period */
} PsResident;

/* No group was launched, and no loop of the warp that is watched has gone round
 * (sim/engine/forward.h). */
#define PS_NO_EVENT G_MAXUINT

/* The uncertainty that estimates bring, in halves of 95 % intervals. */
typedef struct {
    double squares; /* ticks squared: independent errors by chance */
    double side;    /* ticks: errors that may all be to the same side */
} PsDoubt;

typedef struct {
    const PsPlan *plan;
    PsCus cus; /* for which this one stands */
    guint warps_per_group;
    PsWarp *warps; /* by slot: place * warps per group + warp */
    guint n_places;
    PsResident *places;
    guint oldest, newest; /* places of the groups launched first and last */
    gint64 turn;          /* when the next group ends or can be launched; PS_NOT_DUE: never */
    PsHeap ends;          /* groups whose end is known: ready is the time, position the place */
    PsQueue leaving;      /* places of groups that ended: ready is when they are free (R5) */
    PsHeap vacant;        /* free places: position is the place */
    gint64 *server_free;  /* when each of the machine's servers is (R7, R8) */
    gint64 asked;         /* when the latest request got to a device memory that has a window */
    gint64 answered;      /* until when it makes loads wait */
    gint64 last_launch;   /* time of the latest launch; none yet: -(interval) */
    gint64 launched, groups;
    gint64 wave;        /* groups launched before the latest wave */
    gint64 wanted;      /* groups of that */
    gboolean scout;     /* the run ends with the first wave that goes beyond `groups`, unserved */
    gboolean parted;    /* that has come */
    gboolean eager;     /* periods are looked for harder (sim/engine/forward.h) */
    gint64 now;         /* the present: completions before it need not be remembered */
    gint64 end;         /* when the last group ended */
    gint64 base;        /* skipped ticks: all times in here are earlier by so many */
    guint source;       /* of what is issued (PsPlanNode); of launches: the plan's n_sources */
    gint64 simulated;   /* instances issued */
    gint64 limit;       /* of them; with more, the run fails */
    gint64 most;        /* of them, until ps_engine_goes_on checks whether the run shall go on */
    const gint *cancel; /* PsSimOptions */
    gboolean cancelled;
    gint64 instructions; /* those skipped; at the end all */
    gint64 skips;        /* how often time was skipped */
    gint64 whole_from;   /* with all that was skipped: nothing of this time is (PsSimOptions) */
    gint64 whole_to;
    double precision;  /* of estimates (PsSimOptions); 0: there are none */
    gint64 exact;      /* instructions that are simulated before any estimate (PsSimOptions) */
    const gint *hurry; /* as PsSimOptions has it */
    gint64 before;     /* instructions that other CUs' runs have simulated */
    gint64 estimated;  /* the estimated part of skipped ticks */
    PsDoubt doubt;     /* that they make of the end */
    double scatter; /* of the part that is simulated after the first estimate (ps_steady_scatter) */
    gint64 parted_at; /* `simulated` at that one */
    gint64 watched;   /* rank of the warp whose loops sim/engine/forward.c watches */
    guint event;      /* the shallowest of them that went round; 0: a group was launched */
    guint *released;  /* scratch: nodes that a completion made ready */
    PsAudience on_launched, on_issued, on_completed, on_finished, on_marked, on_skipped, on_tallied;
    PsTally tally;           /* without nodes if nobody listens to it */
    guint budget;            /* places that all queues may still add */
    const PsPlanNode *stuck; /* the node whose instance found no place: the run fails */
} PsEngine;

void ps_engine_init(PsEngine *engine, const PsPlan *plan, const PsSimOptions *options,
                    const PsCus *cus);
void ps_engine_clear(PsEngine *engine);

/* ---- the places of groups ------------------------------------------------------------------ */

/* The end of a group is known. */
void ps_engine_end(PsEngine *engine, guint place);

/* Groups that end by this time make room (T7). */
void ps_engine_vacate(PsEngine *engine, gint64 time);

/* Begins a wave, of the groups for which there is room now. FALSE if a scout has come to its
 * end. */
gboolean ps_engine_begin_wave(PsEngine *engine, gint64 time);

/* The place for a group that is launched now; PS_NO_PLACE: none may be launched now. */
guint ps_engine_take_place(PsEngine *engine, gint64 time);

/* Passes so many groups over: residents become those that take their part after them, but for those
 * that stay. */
void ps_engine_renumber(PsEngine *engine, gint64 groups);

/* A slot by the age of its group, which ps_forward_number_groups has found; -1: its warp is gone.
 */
static inline gint64 ps_engine_by_age(const PsEngine *engine, guint slot)
{
    const guint place = slot / engine->warps_per_group;
    if (engine->places[place].group < 0)
        return -1;
    return (gint64)engine->places[place].age * engine->warps_per_group +
           slot % engine->warps_per_group;
}

/* ---- listeners ----------------------------------------------------------------------------- */

/* Call the listeners of that event; there must be some. */
void ps_engine_tell_launched(const PsEngine *engine, gint64 time, guint place);
/* begin: when its pipeline begins with it; served: ticks that it waits for servers (R7, R8). */
void ps_engine_tell_issued(const PsEngine *engine, gint64 time, const PsItem *item, gint64 begin,
                           gint64 served);
void ps_engine_tell_completed(const PsEngine *engine, gint64 time, const PsItem *item);
void ps_engine_tell_marked(PsEngine *engine, guint mark);

/* Tells listeners the issues since the last call. */
void ps_engine_tell_tally(PsEngine *engine);

/* Tells listeners what was skipped on one CU, for all CUs that do the same. */
void ps_engine_tell_skipped(PsEngine *engine, const PsSkip *skip);

/* TRUE if the run shall go on, now that engine->most is passed; engine->most then grows. */
gboolean ps_engine_goes_on(PsEngine *engine);

/* Sets *error: it was cancelled, too much was simulated, too many instances of a node wait, or time
 * is up. Returns FALSE. */
gboolean ps_engine_fail(const PsEngine *engine, GError **error);

/* Sets *error: warps await each other for ever (R12), and which do. Returns FALSE. */
gboolean ps_engine_fail_deadlock(const PsEngine *engine, GError **error);

/* Adds an instance to the tally, if there is one: it keeps its pipe (a pipeline, or a scheduler's
 * own) from that time on. */
static inline void ps_engine_tally(PsEngine *engine, const PsPlanNode *node, guint pipe,
                                   gint64 ready, gint64 time)
{
    if (!engine->tally.nodes)
        return;
    PsTallyNode *sums = &engine->tally.nodes[node->number];
    const gint64 queued = time - ready;
    sums->issued++;
    sums->queued += queued;
    sums->most_queued = MAX(sums->most_queued, queued);
    engine->tally.holds[pipe] = (PsTallyHold){time + node->issue + engine->base, node->number};
}

/* Adds an instance that was ready, then issues, to a queue in front of its pipeline (R11), if there
 * is one. */
static inline void ps_engine_tally_blocked(PsEngine *engine, const PsPlanNode *node, gint64 ready)
{
    if (engine->tally.nodes && node->queue > 0)
        engine->tally.nodes[node->number].blocked += engine->now - ready;
}

/* ---- the engines --------------------------------------------------------------------------- */

/* Most warps of a chooser that are a set of bits in a word, and most choosers that are gone round
 * each time (sim/engine/stage-sets.h). */
#define PS_SET_SIZE 64

typedef gboolean (*PsEngineRun)(PsEngine *engine, gboolean fast_forward);

/* Dataflow order, every pipeline for itself, what was ready first: the published model. */
gboolean ps_engine_run_published(PsEngine *engine, gboolean fast_forward);

/* Every policy, with and without schedulers, in either order; program order with at most
 * PS_SET_SIZE choosers and warps of each, and fewer pipelines, or with any number. */
gboolean ps_engine_run_dataflow(PsEngine *engine, gboolean fast_forward);
gboolean ps_engine_run_program(PsEngine *engine, gboolean fast_forward);
gboolean ps_engine_run_crowd(PsEngine *engine, gboolean fast_forward);

#endif
