/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The issue stage of program order, where a warp waits with one instance, its next. Choosers issue,
 * as in stage-choose.h, the instance that the policy prefers among those that could issue now: with
 * warp schedulers (R1) each of them is a chooser, which serves its own warps; without, each
 * pipeline.
 *
 * Up to 64 warps of a chooser are a set, a bit each. A lane is a pipeline that a chooser issues to.
 * For each lane it keeps the warps whose next instance goes there and is ready. Those of lanes
 * whose pipe is free could issue now. A pipe is a pipeline of the CU, or a scheduler's own. For the
 * other warps it has, in a few bits, how soon they are ready, so that it looks at sixteen of them
 * at once.
 *
 * The engine's time is how long each issue waits for the one before it, and a mispredicted branch
 * costs as much as a hundred instructions. So the data of an issue stand where the warp's bit alone
 * leads (PsCandidate), nothing is sorted, and a few additions take the place of a branch that the
 * processor cannot predict.
 *
 * An issue stage is what engine-core.h is compiled with; it says which functions that takes.
 */
#ifndef PIPESIM_SIM_ENGINE_STAGE_SETS_H
#define PIPESIM_SIM_ENGINE_STAGE_SETS_H

#include "sim/engine/ahead.h"
#include "sim/engine/engine.h"
#include "sim/engine/reads.h"

/* The engine goes from instant to instant. */
#define STAGE_IN_ORDER TRUE

/* A set of warps of a chooser. */
typedef guint64 PsSet;

/* A time, in ticks after the stage's origin, so short that compilers compare four of them at
 * once. */
typedef gint32 PsSoon;
typedef PsSoon PsFour __attribute__((vector_size(16)));
#define PS_NOT_SOON G_MAXINT32        /* never, or it is not known */
#define PS_TOO_LATE (PS_NOT_SOON - 1) /* later than can be said */
#define PS_FOURS 4                    /* that are looked at at once */

typedef struct {
    PsSet ready;     /* warps whose next instance goes there, and is ready */
    gint64 *free_at; /* when its pipe can issue again */
    guint shared;    /* all ones if schedulers share that pipe; else 0 */
    PsSet last;      /* the warp that issued last to it; none yet: none */
    PsSet turns;     /* all ones if warps take turns (R11); else 0 */
} PsLane;

/* A warp of a chooser; the other members describe its next instance, if there is one. */
typedef struct {
    PsWarp *warp;
    const PsPlanNode *node;
    gint64 rank; /* as of PsItem */
    guint lane;
} PsCandidate;

/* What each issue touches comes first. */
typedef struct {
    /* The chooser issues next, at the earliest, when its port is free again, and either this time
     * has come, or the pipe is free, which another chooser may have taken since. */
    gint64 base;
    gint64 port_free;
    const gint64 *pipe_free;
    gint64 next;  /* when the first of those that are not ready will be; PS_NOT_DUE: none */
    guint64 end;  /* the lane behind all others, which never opens */
    guint64 used; /* lanes to which something that is ready goes, a bit each */
    PsSet last; /* the warp that it issued from last; none yet, or greedy and that is gone: none */
    PsLane *lanes; /* as many as the stage has lanes for each chooser */
    guint n_warps;
    guint first_slot; /* the slot of its first warp */
    guint number;
    union {
        PsSoon soon[PS_SET_SIZE]; /* [warp]: when its next instance is ready; if it is: never */
        PsFour fours[PS_SET_SIZE / 4];
    };
    gint64 ready_at[PS_SET_SIZE]; /* [warp]: the time when its next instance is ready; PS_NOT_DUE:
                                     not known, or there is none */
    PsCandidate candidates[PS_SET_SIZE]; /* [warp] */
} PsChooser;

/* The place of a slot's warp. */
typedef struct {
    guint8 chooser; /* with schedulers */
    guint8 warp;
} PsSeat;

typedef struct {
    PsPolicy policy;
    guint schedulers; /* 0: pipelines choose */
    gint64 port_busy;
    guint n_choosers, n_lanes, n_pipes; /* n_lanes: of each chooser */
    guint stride;  /* from the slot of a chooser's warp to the slot of its next */
    gint64 due;    /* nothing issues before */
    gint64 origin; /* of what is soon */
    PsChooser *choosers;
    guint last_shared; /* the scheduler that last got a pipeline of the CU */
    PsSeat *seats;     /* by slot */
    PsLane *lanes;
    gint64 *pipe_free;  /* when each pipe can issue again */
    PsReadPorts *reads; /* of each scheduler; NULL: reading takes no time */
    PsAheads ahead;
} PsStage;

static const gint64 stage_never = PS_NOT_DUE;

static inline void stage_init_chooser(PsStage *stage, const PsEngine *engine, guint c)
{
    const PsPlan *plan = engine->plan;
    const guint n = plan->n_pipelines;
    const guint n_slots = engine->n_places * engine->warps_per_group;
    PsChooser *chooser = &stage->choosers[c];
    *chooser = (PsChooser){.base = PS_NOT_DUE, .pipe_free = &stage_never, .next = PS_NOT_DUE};
    chooser->number = c;
    chooser->first_slot = stage->schedulers > 0 ? c : 0;
    chooser->lanes = &stage->lanes[c * (stage->n_lanes + 1)];
    chooser->lanes[stage->n_lanes].free_at = &stage->pipe_free[stage->n_pipes];
    chooser->end = (guint64)1 << stage->n_lanes;
    for (guint w = 0; w < PS_SET_SIZE; w++) {
        chooser->soon[w] = PS_NOT_SOON;
        chooser->ready_at[w] = PS_NOT_DUE;
    }
    for (guint slot = chooser->first_slot; slot < n_slots; slot += stage->stride) {
        stage->seats[slot] = (PsSeat){(guint8)c, (guint8)chooser->n_warps};
        chooser->candidates[chooser->n_warps++] = (PsCandidate){.warp = &engine->warps[slot]};
    }
    for (guint l = 0; l < stage->n_lanes; l++) {
        const guint p = stage->schedulers > 0 ? l : c;
        const gboolean own = plan->per_scheduler[p] || plan->queues[p] > 0;
        const guint pipe = own ? n * (1 + c) + p : p;
        chooser->lanes[l].free_at = &stage->pipe_free[pipe];
        chooser->lanes[l].shared = -(guint)(stage->schedulers > 0 && !plan->per_scheduler[p]);
        chooser->lanes[l].turns = -(PsSet)(plan->turns[p] != 0);
    }
}

static inline void stage_init(PsStage *stage, const PsEngine *engine)
{
    const PsPlan *plan = engine->plan;
    const PsMachine *machine = plan->machine;
    const guint n = plan->n_pipelines;
    const guint n_slots = engine->n_places * engine->warps_per_group;
    const guint schedulers = (guint)machine->refinements.schedulers;
    *stage = (PsStage){.policy = machine->refinements.policy,
                       .schedulers = schedulers,
                       .port_busy = machine->port_busy,
                       .n_choosers = schedulers > 0 ? schedulers : n,
                       .n_lanes = schedulers > 0 ? n : 1,
                       .n_pipes = n * (1 + schedulers),
                       .stride = MAX(schedulers, 1),
                       .due = PS_NOT_DUE};
    stage->choosers = g_new(PsChooser, stage->n_choosers);
    stage->seats = g_new(PsSeat, n_slots);
    stage->lanes = g_new0(PsLane, stage->n_choosers * (stage->n_lanes + 1));
    stage->pipe_free = g_new0(gint64, stage->n_pipes + 1);
    stage->pipe_free[stage->n_pipes] = PS_NOT_DUE;
    stage->reads = ps_reads_new(machine);
    stage->ahead = ps_aheads_new(plan);
    stage->last_shared = stage->n_choosers - 1;
    for (guint c = 0; c < stage->n_choosers; c++)
        stage_init_chooser(stage, engine, c);
}

static inline void stage_clear(PsStage *stage)
{
    g_free(stage->choosers);
    g_free(stage->seats);
    g_free(stage->lanes);
    g_free(stage->pipe_free);
    g_free(stage->reads);
    ps_aheads_clear(&stage->ahead);
}

/* The first of a set that is not empty. */
static inline guint stage_first(PsSet set)
{
    return (guint)__builtin_ctzll(set);
}

/* ---- what waits ---------------------------------------------------------------------------- */

static inline PsChooser *stage_chooser_of(const PsStage *stage, const PsPlanNode *node, guint slot)
{
    return &stage->choosers[stage->schedulers > 0 ? stage->seats[slot].chooser : node->pipeline];
}

/* A warp begins in that slot. It is not the one there that a greedy chooser issued from last. */
static inline void stage_begin(PsStage *stage, guint slot)
{
    const PsSeat seat = stage->seats[slot];
    if (stage->reads)
        ps_reads_begin(&stage->reads[seat.chooser], slot);
    if (!ps_engine_greedy(stage->policy))
        return;
    for (guint c = 0; c < stage->n_choosers; c++)
        if (stage->schedulers == 0 || c == seat.chooser)
            stage->choosers[c].last &= ~((PsSet)1 << seat.warp);
}

/* The time, which is not before the origin, from there on; never, if it has come already. */
static inline PsSoon stage_soon(const PsStage *stage, gint64 time, gboolean come)
{
    return (PsSoon)MIN(time - stage->origin, PS_TOO_LATE) | (-come & PS_NOT_SOON);
}

/* The warp's next instance, if it is ready, can be chosen. */
static inline void stage_open(PsChooser *chooser, guint lane, guint w, gboolean ready)
{
    chooser->lanes[lane].ready |= (PsSet)ready << w;
    chooser->used |= (guint64)ready << lane;
}

/* The warp's next instance will be ready then. */
static inline G_ALWAYS_INLINE void stage_add(PsStage *stage, PsChooser *chooser, guint w,
                                             guint lane, const PsNext *next, gint64 now)
{
    const gboolean ready = next->ready <= now;
    PsCandidate *candidate = &chooser->candidates[w];
    chooser->ready_at[w] = next->ready;
    chooser->soon[w] = stage_soon(stage, next->ready, ready);
    candidate->node = next->node;
    candidate->rank = candidate->warp->rank;
    candidate->lane = lane;
    stage_open(chooser, lane, w, ready);
    chooser->next = MIN(chooser->next, ready ? PS_NOT_DUE : next->ready);
    chooser->base = MIN(chooser->base, next->ready);
}

/* Adds a warp's next instance, whose time of readiness has become known. */
static inline void stage_push(PsStage *stage, PsEngine *engine, const PsPlanNode *node,
                              const PsItem *item)
{
    const PsNext next = {node, item->ready};
    PsChooser *chooser = stage_chooser_of(stage, node, item->slot);
    stage_add(stage, chooser, stage->seats[item->slot].warp,
              stage->schedulers > 0 ? node->pipeline : 0, &next, engine->now);
}

/* Which warps of a piece are ready by then. Lowers *first to when the first of the others is. */
static inline G_ALWAYS_INLINE PsSet stage_look(const PsFour *soon, PsSoon time, PsSoon *first)
{
    static const PsFour bits[PS_FOURS] = {{1 << 0, 1 << 1, 1 << 2, 1 << 3},
                                          {1 << 4, 1 << 5, 1 << 6, 1 << 7},
                                          {1 << 8, 1 << 9, 1 << 10, 1 << 11},
                                          {1 << 12, 1 << 13, 1 << 14, 1 << 15}};
    const PsFour now = {time, time, time, time};
    PsFour ready = {0}, rest = {PS_NOT_SOON, PS_NOT_SOON, PS_NOT_SOON, PS_NOT_SOON};
#pragma GCC unroll 4
    for (guint i = 0; i < PS_FOURS; i++) {
        const PsFour late = soon[i] > now;
        const PsFour later = (soon[i] & late) | (~late & PS_NOT_SOON);
        ready |= ~late & bits[i];
        rest ^= (rest ^ later) & (later < rest);
    }
    *first = MIN(*first, MIN(MIN(rest[0], rest[1]), MIN(rest[2], rest[3])));
    return (PsSet)(ready[0] | ready[1] | ready[2] | ready[3]);
}

/* The time when the first of the warps is ready that are not yet, however late. */
static inline G_ALWAYS_INLINE gint64 stage_first_late(const PsChooser *chooser)
{
    gint64 first = PS_NOT_DUE;
    for (guint w = 0; w < chooser->n_warps; w++)
        if (chooser->soon[w] != PS_NOT_SOON)
            first = MIN(first, chooser->ready_at[w]);
    return first;
}

/* Moves the stage's origin, so that short times are about the present. */
static inline G_ALWAYS_INLINE void stage_move_origin(PsStage *stage, gint64 now)
{
    stage->origin = now;
    for (guint c = 0; c < stage->n_choosers; c++) {
        PsChooser *chooser = &stage->choosers[c];
        for (guint w = 0; w < chooser->n_warps; w++)
            if (chooser->soon[w] != PS_NOT_SOON)
                chooser->soon[w] = stage_soon(stage, MAX(chooser->ready_at[w], now), FALSE);
    }
}

/* Finds those of the chooser's warps that are ready by now, and when the next one will be. */
static inline G_ALWAYS_INLINE void stage_admit(PsStage *stage, PsChooser *chooser, gint64 now)
{
    PsSet ready = 0;
    PsSoon first = PS_NOT_SOON;
    if (G_UNLIKELY(now - stage->origin > PS_NOT_SOON / 2))
        stage_move_origin(stage, now);
    for (guint w = 0; w < chooser->n_warps; w += 4 * PS_FOURS)
        ready |= stage_look(&chooser->fours[w / 4], (PsSoon)(now - stage->origin), &first) << w;
    for (; ready != 0; ready &= ready - 1) {
        const guint w = stage_first(ready);
        chooser->soon[w] = PS_NOT_SOON;
        stage_open(chooser, chooser->candidates[w].lane, w, TRUE);
    }
    chooser->next = first == PS_NOT_SOON ? PS_NOT_DUE : stage->origin + first;
    if (G_UNLIKELY(first == PS_TOO_LATE))
        chooser->next = stage_first_late(chooser);
}

/* The warps of a lane that may issue as soon as it is open: the one whose turn it is, or all
 * that are ready. */
static inline PsSet stage_allowed(const PsLane *lane)
{
    const PsSet behind = lane->ready & -(2 * lane->last);
    const PsSet round = behind != 0 ? behind : lane->ready;
    return lane->ready & ((round & -round) | ~lane->turns);
}

/* The warps that could issue now if the chooser's port were free. */
static inline PsSet stage_able(const PsChooser *chooser, gint64 now)
{
    PsSet able = 0;
    for (guint64 left = chooser->used; left != 0; left &= left - 1) {
        const PsLane *lane = &chooser->lanes[stage_first(left)];
        able |= stage_allowed(lane) & -(PsSet)(*lane->free_at <= now);
    }
    return able;
}

/* The first lane of these, beside those that were looked at before: when the first is open, and
 * when the first of the others. */
static inline void stage_first_open(const PsChooser *chooser, guint64 lanes, gint64 *first,
                                    gint64 *second, const gint64 **pipe_free)
{
    const PsLane *lane = &chooser->lanes[stage_first(lanes)];
    const gint64 open = *lane->free_at;
    *second = MIN(*second, MAX(*first, open));
    *pipe_free = open < *first ? lane->free_at : *pipe_free;
    *first = MIN(*first, open);
}

/* Finds when the chooser can issue something of what is ready or will be: one lane is open first,
 * and something else will be possible then. Lanes are taken in pairs: more branches that nobody can
 * foresee cost more than a look at the lane at the end, which never opens. */
static inline void stage_find_due(PsChooser *chooser)
{
    gint64 first = PS_NOT_DUE;
    gint64 base = chooser->next;
    const gint64 *pipe_free = &stage_never;
    guint64 left = chooser->used;
    do {
        stage_first_open(chooser, left | chooser->end, &first, &base, &pipe_free);
        left &= left - 1;
        stage_first_open(chooser, left | chooser->end, &first, &base, &pipe_free);
        left &= left - 1;
    } while (G_UNLIKELY(left != 0));
    chooser->base = base;
    chooser->pipe_free = pipe_free;
}

static inline gint64 stage_due(const PsChooser *chooser)
{
    return MAX(MIN(chooser->base, *chooser->pipe_free), chooser->port_free);
}

static inline gint64 stage_next(const PsStage *stage)
{
    return stage->due;
}

static inline gint64 stage_lookahead(const PsStage *stage)
{
    (void)stage;
    return 1;
}

/* ---- choosing (R3) ------------------------------------------------------------------------- */

/* The oldest warp, and for fifo the one of those that became ready first. */
static inline guint stage_oldest(const PsChooser *chooser, gboolean fifo, PsSet able)
{
    guint best = stage_first(able);
    for (able &= able - 1; able != 0; able &= able - 1) {
        const guint w = stage_first(able);
        const gboolean tie = !fifo || chooser->ready_at[w] == chooser->ready_at[best];
        const gboolean older = tie ? chooser->candidates[w].rank < chooser->candidates[best].rank
                                   : chooser->ready_at[w] < chooser->ready_at[best];
        best = older ? w : best;
    }
    return best;
}

/* The last of a set that is not empty: of the greatest slot. */
static inline guint stage_last(PsSet set)
{
    return PS_SET_SIZE - 1 - (guint)__builtin_clzll(set);
}

/* The warp that the policy prefers among these; there is at least one. */
static inline guint stage_choose(const PsStage *stage, const PsChooser *chooser, PsSet able)
{
    const PsSet last = able & chooser->last, behind = able & -(2 * chooser->last);
    if (stage->policy == PS_POLICY_LRR)
        return stage_first(behind != 0 ? behind : able);
    if (ps_engine_greedy(stage->policy) && last != 0)
        return stage_first(last);
    if (stage->policy == PS_POLICY_GTY)
        return stage_last(able);
    return stage_oldest(chooser, stage->policy == PS_POLICY_FIFO, able);
}

static PsNext issue(PsEngine *engine, PsStage *stage, PsWarp *warp, const PsItem *item,
                    const PsPlanNode *node, PsStart start);

/* The rare parts of an issue: reading keeps the port (R10); an instance in front of whose pipeline
 * others wait gets a place there (R11), and *open becomes the time of the next one. Returns when
 * the pipeline begins with it. */
static inline gint64 stage_begin_with(const PsStage *stage, const PsEngine *engine,
                                      PsChooser *chooser, const PsPlanNode *node, guint slot,
                                      gint64 *open)
{
    const guint c = chooser->number;
    const gint64 now = engine->now;
    if (node->reads)
        chooser->port_free +=
            ps_reads_wait(&stage->reads[c], engine->plan->machine, node, slot, now);
    if (node->queue == 0)
        return now;
    return ps_ahead_begin(ps_ahead_of(&stage->ahead, c, node), node, now, open);
}

/* Issues the instance that the chooser prefers among these warps. */
static inline G_ALWAYS_INLINE void stage_issue(PsStage *stage, PsEngine *engine, PsChooser *chooser,
                                               gboolean schedulers, PsSet able, gint64 now)
{
    const guint w = stage_choose(stage, chooser, able);
    const PsCandidate *candidate = &chooser->candidates[w];
    PsWarp *warp = candidate->warp;
    const PsPlanNode *node = candidate->node;
    const gint64 ready = chooser->ready_at[w];
    PsLane *lane = &chooser->lanes[candidate->lane];
    chooser->last = (PsSet)1 << w;
    lane->last = chooser->last;
    lane->ready ^= chooser->last;
    chooser->used ^= (guint64)(lane->ready == 0) << candidate->lane;
    chooser->ready_at[w] = PS_NOT_DUE;
    chooser->port_free = now + stage->port_busy;
    *lane->free_at = now + node->issue;
    const guint slot = chooser->first_slot + w * stage->stride;
    gint64 begin = now;
    if (G_UNLIKELY(node->asks)) {
        begin = stage_begin_with(stage, engine, chooser, node, slot, lane->free_at);
        ps_engine_tally_blocked(engine, node, ready);
    }
    ps_engine_tally(engine, node, (guint)(lane->free_at - stage->pipe_free), ready, begin);
    stage->last_shared ^= (stage->last_shared ^ chooser->number) & lane->shared;
    const PsItem item = {ready, warp->rank, warp->position, slot, warp->at};
    const PsNext next = issue(engine, stage, warp, &item, node, (PsStart){now, begin});
    if (next.node && schedulers)
        stage_add(stage, chooser, w, next.node->pipeline, &next, now);
    else if (next.node)
        stage_add(stage, &stage->choosers[next.node->pipeline], w, 0, &next, now);
}

/* Lets a chooser issue, if it can. */
static inline G_ALWAYS_INLINE gboolean stage_visit_chooser(PsStage *stage, PsEngine *engine,
                                                           PsChooser *chooser, gboolean schedulers,
                                                           gint64 now)
{
    if (chooser->next <= now)
        stage_admit(stage, chooser, now);
    const PsSet able = stage_able(chooser, now);
    if (G_LIKELY(able != 0))
        stage_issue(stage, engine, chooser, schedulers, able, now);
    stage_find_due(chooser);
    return able != 0;
}

/* Finds when the first of the choosers issues. */
static inline void stage_find_first(PsStage *stage)
{
    gint64 due = PS_NOT_DUE;
    for (guint c = 0; c < stage->n_choosers; c++)
        due = MIN(due, stage_due(&stage->choosers[c]));
    stage->due = due;
}

/* The chooser after that one, in turn; without a branch, which nobody could foresee. */
static inline PsChooser *stage_after(const PsStage *stage, PsChooser *chooser)
{
    const PsChooser *end = &stage->choosers[stage->n_choosers];
    return chooser + 1 == end ? stage->choosers : chooser + 1;
}

/* R1: schedulers choose in turn, after the one that last got a pipeline of the CU. One choice for
 * each is enough: a scheduler that issued has a busy port, one that did not finds nothing more, and
 * a barrier makes instances ready later. Trying each is faster than finding first which can issue:
 * branches let the processor begin with the next one before this one is done. */
static inline void stage_run_schedulers(PsStage *stage, PsEngine *engine)
{
    const gint64 now = engine->now;
    PsChooser *chooser = stage_after(stage, &stage->choosers[stage->last_shared]);
    for (guint left = stage->n_choosers; left > 0; left--) {
        if (stage_due(chooser) <= now)
            stage_visit_chooser(stage, engine, chooser, TRUE, now);
        chooser = stage_after(stage, chooser);
    }
}

/* Without schedulers pipelines choose in their order, again until none of them issues: an issue can
 * make the warp's next instance ready. */
static inline void stage_run_pipelines(PsStage *stage, PsEngine *engine)
{
    gboolean issued = TRUE;
    while (issued && !engine->stuck) {
        issued = FALSE;
        for (guint c = 0; c < stage->n_choosers; c++)
            if (stage_due(&stage->choosers[c]) <= engine->now)
                issued |=
                    stage_visit_chooser(stage, engine, &stage->choosers[c], FALSE, engine->now);
    }
}

static inline void stage_run(PsStage *stage, PsEngine *engine, gint64 before)
{
    (void)before;
    if (stage->schedulers > 0)
        stage_run_schedulers(stage, engine);
    else
        stage_run_pipelines(stage, engine);
    stage_find_first(stage);
}

/* ---- fast-forward (sim/engine/forward.h)
 * ---------------------------------------------------------- */

/* TRUE if slots count: with lrr and gty, where warps take turns, and with schedulers unless each
 * group has as many warps for each of them. Then places are not alike. */
static inline gboolean stage_by_place(const PsStage *stage, const PsEngine *engine)
{
    return ps_engine_by_slot(stage->policy) || engine->plan->by_turns ||
           (stage->schedulers > 0 && engine->warps_per_group % stage->schedulers != 0);
}

/* The time when a warp's next instance is or was ready. NULL: not known, or there is none. */
static inline gint64 *stage_ready_at(PsStage *stage, const PsEngine *engine, guint slot)
{
    const PsWarp *warp = &engine->warps[slot];
    if (warp->waits || warp->at == warp->program->n_nodes)
        return NULL;
    PsChooser *chooser = stage_chooser_of(stage, &warp->program->nodes[warp->at], slot);
    return &chooser->ready_at[stage->seats[slot].warp];
}

/* The warp from which a chooser issued last, if the policy uses it: by its slot, or by the age of
 * its group. */
static inline gboolean stage_visit_last(const PsStage *stage, const PsEngine *engine,
                                        const PsChooser *chooser, PsTrail *trail)
{
    if (ps_engine_by_slot(stage->policy))
        return ps_trail_word(trail, (gint64)chooser->last);
    if (!ps_engine_greedy(stage->policy))
        return TRUE;
    const guint w = chooser->last != 0 ? stage_first(chooser->last) : 0;
    return ps_trail_word(trail, chooser->last != 0 ? ps_engine_by_age(engine, chooser->first_slot +
                                                                                  w * stage->stride)
                                                   : -1);
}

/* The warps that had the last turns. */
static inline gboolean stage_visit_turns(const PsStage *stage, const PsChooser *chooser,
                                         PsTrail *trail)
{
    gboolean same = TRUE;
    for (guint l = 0; same && l < stage->n_lanes; l++)
        same = ps_trail_word(trail, (gint64)(chooser->lanes[l].last & chooser->lanes[l].turns));
    return same;
}

static inline gboolean stage_visit(const PsStage *stage, const PsEngine *engine, PsTrail *trail)
{
    gboolean same = ps_trail_word(trail, stage->last_shared);
    for (guint p = 0; same && p < stage->n_pipes; p++)
        same = ps_trail_time(trail, engine, stage->pipe_free[p]);
    same = same && ps_aheads_visit(&stage->ahead, engine, trail);
    for (guint c = 0; same && c < stage->n_choosers; c++)
        same = ps_trail_time(trail, engine, stage->choosers[c].port_free) &&
               stage_visit_last(stage, engine, &stage->choosers[c], trail) &&
               (!engine->plan->by_turns || stage_visit_turns(stage, &stage->choosers[c], trail)) &&
               (!stage->reads ||
                ps_reads_visit(&stage->reads[c], engine, stage_by_place(stage, engine), trail));
    return same;
}

/* After a skip: warps have other ranks. */
static inline void stage_shift(PsStage *stage, const PsEngine *engine)
{
    (void)engine;
    for (guint c = 0; c < stage->n_choosers; c++) {
        PsChooser *chooser = &stage->choosers[c];
        for (guint w = 0; w < chooser->n_warps; w++)
            chooser->candidates[w].rank = chooser->candidates[w].warp->rank;
    }
}

#endif
