/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The issue stage of program order, where a warp waits with one instance, its next. Choosers issue,
 * as in stage-choose.h, the one among those that could issue now that the policy prefers: with warp
 * schedulers (R1) each of them is a chooser, which serves its own warps; without, each pipeline.
 *
 * Up to 64 warps of a chooser are a set, a bit each. A chooser knows which of its warps are ready,
 * and of each lane (a pipeline that it issues to) whose next instance goes there; what could issue
 * now is those in both, of the lanes whose pipe is free. A pipe is a pipeline of the CU, or a
 * scheduler's own.
 *
 * Time goes by how long each issue waits for the one before it, and not by instructions. So what an
 * issue takes stands where the warp's bit alone leads (PsCandidate), nothing is sorted, and where
 * the outcome of a comparison cannot be foreseen, a few additions cost less than a branch.
 *
 * An issue stage is what engine-core.h is compiled with; it says which functions that takes.
 */
#ifndef PIPESIM_SIM_ENGINE_STAGE_SETS_H
#define PIPESIM_SIM_ENGINE_STAGE_SETS_H

#include "sim/engine/engine.h"
#include "sim/engine/trail.h"

/* The engine goes from instant to instant. */
#define STAGE_IN_ORDER TRUE

/* A set of warps of a chooser. */
typedef guint64 PsSet;

typedef struct {
    PsSet warps;     /* whose next instance goes there */
    gint64 *free_at; /* when its pipe can issue again */
} PsLane;

/* A warp of a chooser; the rest is of its next instance, if there is one. */
typedef struct {
    PsWarp *warp;
    const PsPlanNode *node;
    gint64 rank; /* as of PsItem */
    guint lane;
} PsCandidate;

typedef struct {
    gint64 next;  /* when the first of those that are not ready will be; PS_NOT_DUE: none */
    PsSet ready;  /* warps whose next instance is ready */
    PsSet behind; /* those behind the one that it issued from last; none yet: all */
    PsSet last;   /* the one that it issued from last; none yet: none */
    guint n_warps;
    guint first_slot;             /* that of its first warp */
    PsLane *lanes;                /* as many as the stage has lanes for each chooser */
    guint64 used;                 /* lanes to which something that is ready goes, a bit each */
    gint64 ready_at[PS_SET_SIZE]; /* [warp]: when its next instance is; PS_NOT_DUE: it is not known
                                     or there is none */
    PsCandidate candidates[PS_SET_SIZE]; /* [warp] */
} PsChooser;

/* When a chooser issues next, at the earliest: its port is free again, and either that time has
 * come, or the pipe is free, which another chooser may have taken since. */
typedef struct {
    gint64 base;
    gint64 port_free;
    const gint64 *pipe_free;
} PsDue;

/* Where a slot's warp is. */
typedef struct {
    guint8 chooser; /* with schedulers */
    guint8 warp;
} PsSeat;

typedef struct {
    PsPolicy policy;
    guint schedulers; /* 0: pipelines choose */
    gint64 port_busy;
    guint n_choosers, n_lanes, n_pipes; /* n_lanes: of each chooser */
    guint stride;                       /* from the slot of a chooser's warp to that of its next */
    guint64 shared;                     /* lanes of pipelines of the CU, a bit each */
    guint last_shared;                  /* the scheduler that last got a pipeline of the CU */
    gint64 due;                         /* nothing issues before */
    PsChooser *choosers;
    PsDue *dues;   /* per chooser */
    PsSeat *seats; /* by slot */
    PsLane *lanes;
    gint64 *pipe_free; /* when each pipe can issue again */
} PsStage;

static const gint64 stage_never = PS_NOT_DUE;

static inline void stage_init_chooser(PsStage *stage, const PsEngine *engine, guint c)
{
    const PsPlan *plan = engine->plan;
    const guint n = plan->n_pipelines;
    const guint n_slots = engine->n_places * engine->warps_per_group;
    PsChooser *chooser = &stage->choosers[c];
    *chooser = (PsChooser){.next = PS_NOT_DUE, .behind = ~(PsSet)0};
    chooser->first_slot = stage->schedulers > 0 ? c : 0;
    chooser->lanes = &stage->lanes[c * stage->n_lanes];
    for (guint slot = chooser->first_slot; slot < n_slots; slot += stage->stride) {
        stage->seats[slot] = (PsSeat){(guint8)c, (guint8)chooser->n_warps};
        chooser->candidates[chooser->n_warps] = (PsCandidate){.warp = &engine->warps[slot]};
        chooser->ready_at[chooser->n_warps++] = PS_NOT_DUE;
    }
    for (guint l = 0; l < stage->n_lanes; l++) {
        const guint p = stage->schedulers > 0 ? l : c;
        const guint pipe = plan->per_scheduler[p] ? n * (1 + c) + p : p;
        chooser->lanes[l].free_at = &stage->pipe_free[pipe];
    }
    stage->dues[c] = (PsDue){PS_NOT_DUE, 0, &stage_never};
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
    stage->last_shared = stage->n_choosers - 1;
    for (guint l = 0; l < stage->n_lanes; l++)
        stage->shared |= (guint64)(schedulers > 0 && !plan->per_scheduler[l]) << l;
    stage->choosers = g_new(PsChooser, stage->n_choosers);
    stage->dues = g_new(PsDue, stage->n_choosers);
    stage->seats = g_new(PsSeat, n_slots);
    stage->lanes = g_new0(PsLane, stage->n_choosers * stage->n_lanes);
    stage->pipe_free = g_new0(gint64, stage->n_pipes);
    for (guint c = 0; c < stage->n_choosers; c++)
        stage_init_chooser(stage, engine, c);
}

static inline void stage_clear(PsStage *stage)
{
    g_free(stage->choosers);
    g_free(stage->dues);
    g_free(stage->seats);
    g_free(stage->lanes);
    g_free(stage->pipe_free);
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

/* The warp's next instance will be ready then. */
static inline G_ALWAYS_INLINE void stage_add(PsStage *stage, PsChooser *chooser, guint w,
                                             const PsNext *next, gint64 rank, gint64 now)
{
    PsDue *due = &stage->dues[chooser - stage->choosers];
    const gboolean ready = next->ready <= now;
    const guint lane = stage->schedulers > 0 ? next->node->pipeline : 0;
    PsCandidate *candidate = &chooser->candidates[w];
    chooser->ready_at[w] = next->ready;
    candidate->node = next->node;
    candidate->rank = rank;
    candidate->lane = lane;
    chooser->lanes[lane].warps |= (PsSet)1 << w;
    chooser->ready |= (PsSet)ready << w;
    chooser->used |= (guint64)ready << lane;
    chooser->next = MIN(chooser->next, ready ? PS_NOT_DUE : next->ready);
    due->base = MIN(due->base, next->ready);
}

/* Adds a warp's next instance, whose time of readiness has become known. */
static inline void stage_push(PsStage *stage, PsEngine *engine, const PsPlanNode *node,
                              const PsItem *item)
{
    const PsNext next = {node, item->ready};
    PsChooser *chooser = stage_chooser_of(stage, node, item->slot);
    stage_add(stage, chooser, stage->seats[item->slot].warp, &next, item->rank, engine->now);
}

/* Finds those of the chooser's warps that are ready by now, and when the next one will be. */
static inline void stage_admit(PsChooser *chooser, gint64 now)
{
    PsSet ready = 0;
    guint64 soonest = G_MAXUINT64;
    for (guint w = chooser->n_warps; w-- > 0;) {
        const guint64 after = (guint64)(chooser->ready_at[w] - now) - 1; /* below 0: ready */
        ready = 2 * ready + (after >> 63);
        soonest = MIN(soonest, after);
    }
    for (PsSet left = ready & ~chooser->ready; left != 0; left &= left - 1)
        chooser->used |= (guint64)1 << chooser->candidates[stage_first(left)].lane;
    chooser->ready = ready;
    chooser->next = soonest >> 63 != 0 ? PS_NOT_DUE : (gint64)soonest + 1 + now;
}

/* Those that could issue now, were the chooser's port free. */
static inline PsSet stage_able(const PsChooser *chooser, gint64 now)
{
    PsSet able = 0;
    for (guint64 left = chooser->used; left != 0; left &= left - 1) {
        const PsLane *lane = &chooser->lanes[stage_first(left)];
        able |= lane->warps & -(PsSet)(*lane->free_at <= now);
    }
    return able & chooser->ready;
}

/* Finds when the chooser can issue something of what is ready or will be: one lane is open first,
 * and something else will be possible then. */
static inline void stage_find_due(const PsChooser *chooser, PsDue *due)
{
    gint64 first = PS_NOT_DUE;
    gint64 base = chooser->next;
    const gint64 *pipe_free = &stage_never;
    for (guint64 left = chooser->used; left != 0; left &= left - 1) {
        const PsLane *lane = &chooser->lanes[stage_first(left)];
        const gint64 open = *lane->free_at;
        base = MIN(base, MAX(first, open));
        pipe_free = open < first ? lane->free_at : pipe_free;
        first = MIN(first, open);
    }
    due->base = base;
    due->pipe_free = pipe_free;
}

static inline gint64 stage_due(const PsDue *due)
{
    return MAX(MIN(due->base, *due->pipe_free), due->port_free);
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

/* Which of these warps, of which there are some, the policy prefers. */
static inline guint stage_choose(const PsStage *stage, const PsChooser *chooser, PsSet able)
{
    const PsSet last = able & chooser->last, behind = able & chooser->behind;
    if (stage->policy == PS_POLICY_LRR)
        return stage_first(behind != 0 ? behind : able);
    if (stage->policy == PS_POLICY_GTO && last != 0)
        return stage_first(last);
    return stage_oldest(chooser, stage->policy == PS_POLICY_FIFO, able);
}

static PsNext issue(PsEngine *engine, PsStage *stage, PsWarp *warp, const PsItem *item,
                    const PsPlanNode *node, gint64 time);

/* The chooser issues what it prefers of these warps. */
static inline G_ALWAYS_INLINE void stage_issue(PsStage *stage, PsEngine *engine, guint c,
                                               PsSet able, gint64 now)
{
    PsChooser *chooser = &stage->choosers[c];
    const guint w = stage_choose(stage, chooser, able);
    const guint slot = chooser->first_slot + w * stage->stride;
    const PsCandidate *candidate = &chooser->candidates[w];
    PsWarp *warp = candidate->warp;
    const PsPlanNode *node = candidate->node;
    const PsItem item = {chooser->ready_at[w], warp->rank, warp->position, slot, warp->at};
    PsLane *lane = &chooser->lanes[candidate->lane];
    chooser->last = (PsSet)1 << w;
    chooser->behind = ~(PsSet)1 << w;
    chooser->ready &= ~chooser->last;
    lane->warps &= ~chooser->last;
    chooser->used &= ~((guint64)((lane->warps & chooser->ready) == 0) << candidate->lane);
    chooser->ready_at[w] = PS_NOT_DUE;
    stage->dues[c].port_free = now + stage->port_busy;
    *lane->free_at = now + node->issue;
    ps_engine_tally(engine, node, (guint)(lane->free_at - stage->pipe_free), item.ready, now);
    stage->last_shared ^= (stage->last_shared ^ c) & -(guint)(stage->shared >> node->pipeline & 1);
    const PsNext next = issue(engine, stage, warp, &item, node, now);
    if (!next.node)
        return;
    if (stage->schedulers == 0)
        chooser = &stage->choosers[next.node->pipeline];
    stage_add(stage, chooser, w, &next, warp->rank, now);
}

/* A chooser issues, if it can. */
static inline G_ALWAYS_INLINE gboolean stage_visit_chooser(PsStage *stage, PsEngine *engine,
                                                           guint c, gint64 now)
{
    PsChooser *chooser = &stage->choosers[c];
    if (chooser->next <= now)
        stage_admit(chooser, now);
    const PsSet able = stage_able(chooser, now);
    if (G_LIKELY(able != 0))
        stage_issue(stage, engine, c, able, now);
    stage_find_due(chooser, &stage->dues[c]);
    return able != 0;
}

/* Finds when the first of the choosers issues. */
static inline void stage_find_first(PsStage *stage)
{
    gint64 due = PS_NOT_DUE;
    for (guint c = 0; c < stage->n_choosers; c++)
        due = MIN(due, stage_due(&stage->dues[c]));
    stage->due = due;
}

/* The chooser after that one, in turn; without a branch, which nobody could foresee. */
static inline guint stage_after(guint c, guint n)
{
    return (c + 1) & -(guint)(c + 1 < n);
}

/* R1: schedulers choose in turn, after the one that last got a pipeline of the CU. Once for each is
 * enough: who has issued has a busy port, who has not finds nothing more, and what a barrier makes
 * ready is ready later. Going round is faster than finding first who can: branches let the
 * processor begin with the next one before this one is done. */
static inline void stage_run_schedulers(PsStage *stage, PsEngine *engine)
{
    const gint64 now = engine->now;
    const guint n = stage->n_choosers;
    guint c = stage_after(stage->last_shared, n);
    for (guint left = n; left > 0; left--) {
        if (stage_due(&stage->dues[c]) <= now)
            stage_visit_chooser(stage, engine, c, now);
        c = stage_after(c, n);
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
            if (stage_due(&stage->dues[c]) <= engine->now)
                issued |= stage_visit_chooser(stage, engine, c, engine->now);
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

/* Places are not alike where slots count: to lrr and gto, and to schedulers unless each group has
 * as many warps for each of them. */
static inline gboolean stage_by_place(const PsStage *stage, const PsEngine *engine)
{
    return stage->policy == PS_POLICY_LRR || stage->policy == PS_POLICY_GTO ||
           (stage->schedulers > 0 && engine->warps_per_group % stage->schedulers != 0);
}

/* When a warp's next instance is or was ready. */
static inline gboolean stage_visit_warp(const PsStage *stage, const PsEngine *engine, guint slot,
                                        PsTrail *trail)
{
    const PsWarp *warp = &engine->warps[slot];
    if (warp->waits || warp->at == warp->program->n_nodes)
        return ps_trail_word(trail, PS_NOT_DUE);
    const PsChooser *chooser = stage_chooser_of(stage, &warp->program->nodes[warp->at], slot);
    return ps_trail_word(trail, chooser->ready_at[stage->seats[slot].warp] - engine->now);
}

static inline gboolean stage_visit(const PsStage *stage, const PsEngine *engine, PsTrail *trail)
{
    const gboolean slots = stage->policy == PS_POLICY_LRR || stage->policy == PS_POLICY_GTO;
    gboolean same = ps_trail_word(trail, stage->last_shared);
    for (guint p = 0; same && p < stage->n_pipes; p++)
        same = ps_trail_time(trail, engine, stage->pipe_free[p]);
    for (guint c = 0; same && c < stage->n_choosers; c++)
        same = ps_trail_time(trail, engine, stage->dues[c].port_free) &&
               (!slots || ps_trail_word(trail, (gint64)stage->choosers[c].last));
    for (guint p = engine->oldest; same && p != PS_NO_PLACE; p = engine->places[p].newer)
        for (guint w = 0; same && w < engine->warps_per_group; w++)
            same = stage_visit_warp(stage, engine, p * engine->warps_per_group + w, trail);
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
