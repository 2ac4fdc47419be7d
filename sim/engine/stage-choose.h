/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The issue stage of the refinements R1 and R3: choosers issue one instance at a time, the one that
 * the policy prefers among those that could issue now. With warp schedulers (R1) each of them is a
 * chooser, whose port is busy after an issue, and serves its own warps; without schedulers, each
 * pipeline is one.
 *
 * Ready instances stand in a lane, one for each pipeline that a chooser issues to, in the order of
 * the policy; instances that will be ready wait in the chooser's merge, from which they are
 * admitted to their lanes when the chooser can issue next. A lane leads to a pipe: a pipeline of
 * the CU, or a scheduler's own.
 *
 * An issue stage is what engine-core.h is compiled with; it says which functions that takes.
 */
#ifndef PIPESIM_SIM_ENGINE_STAGE_CHOOSE_H
#define PIPESIM_SIM_ENGINE_STAGE_CHOOSE_H

#include "sim/engine/ahead.h"
#include "sim/engine/engine.h"
#include "sim/engine/merge.h"
#include "sim/engine/reads.h"

/* The engine goes from instant to instant. */
#define STAGE_IN_ORDER TRUE

/* The slot before 0, with which lrr begins. */
#define NO_SLOT G_MAXUINT

/* Queues of a chooser's merge, among which the sources are spread. More keep what comes in better
 * order, but each must be looked at for what is next. */
#define CHOOSER_QUEUES 4

/* Lanes of a chooser, as a set. */
typedef guint64 PsLanes;

typedef struct {
    gint64 port_free; /* when its port is free again */
    guint last;       /* the slot that it issued from last; NO_SLOT: none yet, or greedy and its
                         warp is gone */
    PsLanes waiting;  /* those in which something waits */
    PsQueue *lanes;   /* as many as the stage has lanes for each chooser */
    guint *pipes;     /* of each lane */
    PsMerge coming;   /* what will be ready */
} PsChooser;

typedef struct {
    PsPolicy policy;
    guint schedulers;    /* 0: pipelines choose */
    guint *scheduler_of; /* slot -> its scheduler: slot mod S */
    gint64 port_busy;
    guint n_pipelines;
    guint n_choosers, n_pipes;
    guint n_lanes;  /* of each chooser */
    PsLanes turns;  /* lanes of pipelines of the CU, which schedulers get in turn */
    PsLanes shared; /* the part of them without queues */
    PsLanes open;   /* those of these whose pipeline is free */
    gint64 due;     /* the least of dues */
    PsChooser *choosers;
    gint64 *dues; /* per chooser: it issues nothing before */
    PsQueue *lanes;
    guint *had_turn; /* per lane, where warps take turns (R11): the slot that issued last to it;
                        NO_SLOT: none yet */
    guint *pipes;
    gint64 *pipe_free;  /* when each pipe can issue again */
    PsReadPorts *reads; /* of each scheduler; NULL: reading takes no time */
    guint last_shared;  /* the scheduler that last got a pipeline of the CU */
    PsAheads ahead;
} PsStage;

static inline void stage_init(PsStage *stage, const PsEngine *engine)
{
    const PsPlan *plan = engine->plan;
    const PsMachine *machine = plan->machine;
    const guint n = plan->n_pipelines;
    *stage = (PsStage){.policy = machine->refinements.policy,
                       .schedulers = (guint)machine->refinements.schedulers,
                       .port_busy = machine->port_busy,
                       .n_pipelines = n};
    stage->n_choosers = stage->schedulers > 0 ? stage->schedulers : n;
    stage->n_lanes = stage->schedulers > 0 ? n : 1;
    stage->n_pipes = n * (1 + stage->schedulers);
    stage->choosers = g_new0(PsChooser, stage->n_choosers);
    stage->dues = g_new(gint64, stage->n_choosers);
    const guint n_slots = engine->n_places * engine->warps_per_group;
    stage->scheduler_of = g_new(guint, n_slots);
    for (guint slot = 0; slot < n_slots; slot++)
        stage->scheduler_of[slot] = slot % stage->n_choosers;
    const guint n_lanes = stage->n_choosers * stage->n_lanes;
    stage->lanes = g_new(PsQueue, n_lanes);
    stage->pipes = g_new(guint, n_lanes);
    stage->had_turn = g_new(guint, n_lanes);
    for (guint l = 0; l < n_lanes; l++) {
        const guint p = l % n, scheduler = l / n;
        ps_queue_init(&stage->lanes[l]);
        stage->had_turn[l] = NO_SLOT;
        const gboolean own = plan->per_scheduler[p] || plan->queues[p] > 0;
        stage->pipes[l] = own ? n * (1 + scheduler) + p : p;
    }
    stage->pipe_free = g_new0(gint64, stage->n_pipes);
    stage->reads = ps_reads_new(machine);
    stage->ahead = ps_aheads_new(plan);
    stage->last_shared = stage->n_choosers - 1;
    stage->due = PS_NOT_DUE;
    for (guint l = 0; stage->schedulers > 0 && l < n; l++) {
        stage->turns |= (PsLanes)!plan->per_scheduler[l] << l;
        stage->shared |= (PsLanes)(!plan->per_scheduler[l] && plan->queues[l] == 0) << l;
    }
    for (guint c = 0; c < stage->n_choosers; c++) {
        PsChooser *chooser = &stage->choosers[c];
        chooser->last = NO_SLOT;
        chooser->lanes = &stage->lanes[c * stage->n_lanes];
        chooser->pipes = &stage->pipes[c * stage->n_lanes];
        stage->dues[c] = PS_NOT_DUE;
        ps_merge_init(&chooser->coming, CHOOSER_QUEUES);
    }
}

static inline void stage_clear(PsStage *stage)
{
    for (guint l = 0; l < stage->n_choosers * stage->n_lanes; l++)
        ps_queue_clear(&stage->lanes[l]);
    for (guint c = 0; c < stage->n_choosers; c++)
        ps_merge_clear(&stage->choosers[c].coming);
    g_free(stage->choosers);
    g_free(stage->dues);
    g_free(stage->scheduler_of);
    g_free(stage->lanes);
    g_free(stage->pipes);
    g_free(stage->had_turn);
    g_free(stage->pipe_free);
    g_free(stage->reads);
    ps_aheads_clear(&stage->ahead);
}

/* ---- what waits ---------------------------------------------------------------------------- */

/* The order in which the policy keeps a lane. */
static inline gboolean stage_precedes(const PsStage *stage, const PsItem *a, const PsItem *b)
{
    if (stage->policy == PS_POLICY_FIFO)
        return ps_item_before(a, b);
    if (stage->policy == PS_POLICY_LRR)
        return a->slot != b->slot ? a->slot < b->slot : a->position < b->position;
    if (stage->policy == PS_POLICY_GTY)
        return a->slot != b->slot ? a->slot > b->slot : a->position < b->position;
    return ps_item_older(a, b);
}

/* The first of a lane that is not before the key in the lane's order. */
static inline guint stage_find(const PsStage *stage, const PsQueue *queue, const PsItem *key)
{
    guint low = 0, high = queue->count;
    while (low < high) {
        const guint middle = low + (high - low) / 2;
        if (stage_precedes(stage, ps_queue_at(queue, middle), key))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static inline gboolean stage_add(const PsStage *stage, PsQueue *queue, const PsItem *item,
                                 guint *budget)
{
    if (G_UNLIKELY(!ps_queue_reserve(queue, budget)))
        return FALSE;
    if (queue->count > 0 && stage_precedes(stage, item, ps_queue_at(queue, queue->count - 1)))
        ps_queue_insert(queue, stage_find(stage, queue, item), item);
    else
        *ps_queue_at(queue, queue->count++) = *item;
    return TRUE;
}

static inline guint stage_lane_of(const PsStage *stage, const PsPlanNode *node)
{
    return stage->schedulers > 0 ? node->pipeline : 0;
}

/* Adds an instance that is ready to its lane. */
static inline void stage_admit(const PsStage *stage, PsEngine *engine, PsChooser *chooser,
                               const PsPlanNode *node, const PsItem *item)
{
    const guint l = stage_lane_of(stage, node);
    chooser->waiting |= (PsLanes)1 << l;
    if (G_UNLIKELY(!stage_add(stage, &chooser->lanes[l], item, &engine->budget)))
        engine->stuck = node;
}

/* Adds an instance whose time of readiness has become known. */
static inline void stage_push(PsStage *stage, PsEngine *engine, const PsPlanNode *node,
                              const PsItem *item)
{
    const guint c = stage->schedulers > 0 ? stage->scheduler_of[item->slot] : node->pipeline;
    PsChooser *chooser = &stage->choosers[c];
    gint64 due = MAX(item->ready, chooser->port_free);
    if (item->ready <= engine->now) {
        stage_admit(stage, engine, chooser, node, item);
        due = MAX(due, stage->pipe_free[chooser->pipes[stage_lane_of(stage, node)]]);
    } else if (G_UNLIKELY(!ps_merge_push(&chooser->coming, engine->source % CHOOSER_QUEUES, item,
                                         &engine->budget))) {
        engine->stuck = node;
    }
    stage->dues[c] = MIN(stage->dues[c], due);
    stage->due = MIN(stage->due, due);
}

/* Room for n instances behind one that was just added. This is the first of them; the others follow
 * it in order and are ready with it. NULL: add them one by one. */
static inline PsItem *stage_append(PsStage *stage, const PsEngine *engine, const PsPlanNode *node,
                                   const PsItem *item, gint64 n)
{
    const guint c = stage->schedulers > 0 ? stage->scheduler_of[item->slot] : node->pipeline;
    PsQueue *queue = &stage->choosers[c].coming.queues[engine->source % CHOOSER_QUEUES];
    return item->ready <= engine->now ? NULL : ps_queue_append(queue, item, n);
}

/* A warp begins in that slot. It is not the one there that a greedy chooser issued from last. */
static inline void stage_begin(PsStage *stage, guint slot)
{
    if (stage->reads)
        ps_reads_begin(&stage->reads[stage->scheduler_of[slot]], slot);
    if (!ps_engine_greedy(stage->policy))
        return;
    for (guint c = 0; c < stage->n_choosers; c++)
        if (stage->choosers[c].last == slot)
            stage->choosers[c].last = NO_SLOT;
}

/* The time when the chooser can issue something that is ready or will be. */
static inline gint64 stage_due(const PsStage *stage, const PsChooser *chooser)
{
    gint64 due = chooser->coming.next;
    for (PsLanes left = chooser->waiting; left != 0; left &= left - 1)
        due = MIN(due, stage->pipe_free[chooser->pipes[__builtin_ctzll(left)]]);
    return MAX(due, chooser->port_free);
}

/* Those of the lanes whose pipe is free. */
static inline PsLanes stage_open(const PsStage *stage, const PsEngine *engine,
                                 const PsChooser *chooser, PsLanes lanes)
{
    for (PsLanes left = lanes; left != 0; left &= left - 1) {
        const guint l = (guint)__builtin_ctzll(left);
        lanes ^= (PsLanes)(stage->pipe_free[chooser->pipes[l]] > engine->now) << l;
    }
    return lanes;
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

/* The place in a lane, which is not empty, of the warp whose turn comes after that slot. */
static inline guint stage_turn(const PsQueue *queue, guint last)
{
    guint best = 0;
    for (guint i = 1; i < queue->count; i++)
        if (ps_queue_at(queue, i)->slot - (last + 1) < ps_queue_at(queue, best)->slot - (last + 1))
            best = i;
    return best;
}

/* What the policy prefers in a lane that is not empty, or whose turn it is. */
static inline guint stage_prefer(const PsStage *stage, const PsEngine *engine,
                                 const PsChooser *chooser, const PsQueue *queue)
{
    const guint lane = (guint)(queue - stage->lanes);
    if (G_UNLIKELY(engine->plan->by_turns) && engine->plan->turns[lane % stage->n_lanes])
        return stage_turn(queue, stage->had_turn[lane]);
    if (stage->policy == PS_POLICY_LRR) {
        const PsItem key = {.slot = chooser->last + 1, .position = -1};
        const guint i = stage_find(stage, queue, &key);
        return i < queue->count ? i : 0;
    }
    if (ps_engine_greedy(stage->policy) && chooser->last != NO_SLOT) {
        const PsItem key = {
            .rank = engine->warps[chooser->last].rank, .slot = chooser->last, .position = -1};
        const guint i = stage_find(stage, queue, &key);
        return i < queue->count && ps_queue_at(queue, i)->slot == chooser->last ? i : 0;
    }
    return 0;
}

/* Which of two the policy prefers: TRUE for a. */
static inline gboolean stage_better(const PsStage *stage, const PsChooser *chooser, const PsItem *a,
                                    const PsItem *b)
{
    if (ps_engine_greedy(stage->policy) && a->slot != b->slot) {
        if (a->slot == chooser->last)
            return TRUE;
        if (b->slot == chooser->last)
            return FALSE;
    }
    if (stage->policy == PS_POLICY_LRR && (a->slot > chooser->last) != (b->slot > chooser->last))
        return a->slot > chooser->last;
    return stage_precedes(stage, a, b);
}

static PsNext issue(PsEngine *engine, PsStage *stage, PsWarp *warp, const PsItem *item,
                    const PsPlanNode *node, PsStart start);

/* The open lane (there is one) from which the chooser issues; *at is the place in it. */
static inline guint stage_choose(const PsStage *stage, const PsEngine *engine,
                                 const PsChooser *chooser, PsLanes open, guint *at)
{
    guint best = (guint)__builtin_ctzll(open);
    *at = stage_prefer(stage, engine, chooser, &chooser->lanes[best]);
    for (open &= open - 1; open != 0; open &= open - 1) {
        const guint l = (guint)__builtin_ctzll(open);
        const guint i = stage_prefer(stage, engine, chooser, &chooser->lanes[l]);
        if (!stage_better(stage, chooser, ps_queue_at(&chooser->lanes[l], i),
                          ps_queue_at(&chooser->lanes[best], *at)))
            continue;
        best = l;
        *at = i;
    }
    return best;
}

/* Takes an instance out of its lane. */
static inline PsItem stage_take(PsChooser *chooser, guint l, guint at)
{
    PsQueue *lane = &chooser->lanes[l];
    const PsItem item = *ps_queue_at(lane, at);
    if (at == 0)
        ps_queue_pop(lane);
    else
        ps_queue_remove(lane, at);
    chooser->waiting &= ~((PsLanes)(lane->count == 0) << l);
    return item;
}

/* Moves instances that are ready by now to the chooser's lanes. */
static inline void stage_admit_all(PsStage *stage, PsEngine *engine, PsChooser *chooser)
{
    while (chooser->coming.next <= engine->now) {
        const PsItem item = ps_merge_take(&chooser->coming);
        const PsPlanNode *node = &engine->warps[item.slot].program->nodes[item.node];
        stage_admit(stage, engine, chooser, node, &item);
    }
}

/* Issues the instance that the chooser prefers in the open lanes. */
static inline void stage_issue(PsStage *stage, PsEngine *engine, guint c, PsLanes open)
{
    PsChooser *chooser = &stage->choosers[c];
    guint at;
    const guint l = stage_choose(stage, engine, chooser, open, &at);
    const guint pipe = chooser->pipes[l];
    const PsItem item = stage_take(chooser, l, at);
    PsWarp *warp = &engine->warps[item.slot];
    const PsPlanNode *node = &warp->program->nodes[item.node];
    chooser->last = stage->had_turn[c * stage->n_lanes + l] = item.slot;
    chooser->port_free = engine->now + stage->port_busy;
    if (G_UNLIKELY(node->reads))
        chooser->port_free +=
            ps_reads_wait(&stage->reads[c], engine->plan->machine, node, item.slot, engine->now);
    gint64 begin = engine->now;
    stage->pipe_free[pipe] = begin + node->issue;
    if (G_UNLIKELY(node->queue > 0)) {
        begin = ps_ahead_begin(ps_ahead_of(&stage->ahead, c, node), node, engine->now,
                               &stage->pipe_free[pipe]);
        ps_engine_tally_blocked(engine, node, item.ready);
    }
    ps_engine_tally(engine, node, pipe, item.ready, begin);
    if (stage->turns >> l & 1)
        stage->last_shared = c;
    stage->open &= ~((PsLanes)1 << l);
    const PsNext next = issue(engine, stage, warp, &item, node, (PsStart){engine->now, begin});
    if (!next.node)
        return;
    stage_push(stage, engine, next.node,
               &(PsItem){next.ready, warp->rank, warp->position, item.slot, warp->at});
}

/* Each chooser issues once, if it can, in turn from the first on. TRUE if any has. */
static inline gboolean stage_round(PsStage *stage, PsEngine *engine, guint first)
{
    gboolean issued = FALSE;
    const guint n = stage->n_choosers;
    stage->due = PS_NOT_DUE;
    stage->open = stage_open(stage, engine, &stage->choosers[0], stage->shared);
    for (guint i = 0; i < n; i++) {
        const guint c = first + i < n ? first + i : first + i - n;
        PsChooser *chooser = &stage->choosers[c];
        if (stage->dues[c] <= engine->now) {
            stage_admit_all(stage, engine, chooser);
            const PsLanes open =
                (chooser->waiting & stage->open) |
                stage_open(stage, engine, chooser, chooser->waiting & ~stage->shared);
            if (G_LIKELY(open != 0)) {
                stage_issue(stage, engine, c, open);
                issued = TRUE;
            }
            stage->dues[c] = stage_due(stage, chooser);
        }
        stage->due = MIN(stage->due, stage->dues[c]);
    }
    return issued;
}

/* R1: schedulers choose in turn, after the one that last got a pipeline of the CU. One round is
 * enough: a scheduler that issued has a busy port, and one that did not finds nothing more. Without
 * schedulers pipelines choose in their order, again until none of them issues. */
static inline void stage_run(PsStage *stage, PsEngine *engine, gint64 before)
{
    (void)before;
    guint first = stage->schedulers > 0 ? stage->last_shared + 1 : 0;
    if (first == stage->n_choosers)
        first = 0;
    while (stage_round(stage, engine, first) && stage->schedulers == 0 && !engine->stuck)
        ;
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

/* The warp from which a chooser issued last, if the policy uses it: by its slot, or by the age of
 * its group. */
static inline gboolean stage_visit_last(const PsStage *stage, const PsEngine *engine, guint last,
                                        PsTrail *trail)
{
    if (ps_engine_by_slot(stage->policy))
        return ps_trail_word(trail, last);
    return !ps_engine_greedy(stage->policy) ||
           ps_trail_word(trail, last != NO_SLOT ? ps_engine_by_age(engine, last) : -1);
}

/* When instances are ready stands in queues, which stage_visit sees. */
static inline gint64 *stage_ready_at(PsStage *stage, const PsEngine *engine, guint slot)
{
    (void)stage;
    (void)engine;
    (void)slot;
    return NULL;
}

static inline gboolean stage_visit(const PsStage *stage, const PsEngine *engine, PsTrail *trail)
{
    gboolean same = ps_trail_word(trail, stage->last_shared);
    for (guint p = 0; same && p < stage->n_pipes; p++)
        same = ps_trail_time(trail, engine, stage->pipe_free[p]);
    same = same && ps_aheads_visit(&stage->ahead, engine, trail);
    for (guint c = 0; same && c < stage->n_choosers; c++)
        same = ps_trail_time(trail, engine, stage->choosers[c].port_free) &&
               stage_visit_last(stage, engine, stage->choosers[c].last, trail) &&
               ps_trail_merge(trail, engine, &stage->choosers[c].coming) &&
               (!stage->reads ||
                ps_reads_visit(&stage->reads[c], engine, stage_by_place(stage, engine), trail));
    for (guint l = 0; same && l < stage->n_choosers * stage->n_lanes; l++)
        same = ps_trail_queue(trail, engine, &stage->lanes[l]) &&
               (!engine->plan->by_turns || !engine->plan->turns[l % stage->n_lanes] ||
                ps_trail_word(trail, stage->had_turn[l]));
    return same;
}

static inline void stage_shift(PsStage *stage, const PsEngine *engine)
{
    for (guint l = 0; l < stage->n_choosers * stage->n_lanes; l++)
        ps_trail_shift_queue(engine, &stage->lanes[l]);
    for (guint c = 0; c < stage->n_choosers; c++)
        ps_trail_shift_merge(engine, &stage->choosers[c].coming);
}

#endif
