/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The event engine: rules T1 to T9 around an issue stage. A file that wants an engine includes a
 * stage (stage-*.h) and then this; the compiler makes one piece of both, so that the choice costs
 * nothing per event.
 *
 * Time jumps from one instant at which something completes or can issue to the next; within an
 * instant completions come first, then launches, then issues (T8).
 */
#include "sim/engine.h"

/* Times beyond this end the run: a latency (at most 2^60 ticks) can be added to any before it. */
#define MAX_TIME (G_MAXINT64 / 2)

/* The next instances of these nodes are ready, and perhaps more after them: hands all of them to
 * the issue stage. */
static inline void release(PsEngine *engine, PsStage *stage, guint slot, guint n)
{
    PsWarp *warp = &engine->warps[slot];
    for (guint i = 0; i < n; i++) {
        const guint node = engine->released[i];
        const PsPlanNode *plan = &warp->program->nodes[node];
        do {
            const PsItem item = {engine->now, warp->states[node].position, slot, node};
            if (G_UNLIKELY(!stage_push(stage, plan->pipeline, &item, &engine->budget))) {
                engine->stuck = plan;
                return;
            }
        } while (ps_warp_advance(warp, node));
    }
}

/* Adds what completes at item->time, a Lambda from now and so after all that the timer holds. node
 * is what was issued last for it. */
static inline void set_timer(PsEngine *engine, const PsPlanNode *node, const PsItem *item)
{
    PsRing *ring = &engine->timers[node->timer];
    PsItem *place = ps_ring_push(ring, &engine->budget);
    if (G_UNLIKELY(place == NULL)) {
        engine->stuck = node;
        return;
    }
    *place = *item;
    if (ring->count == 1)
        engine->due[node->timer] = item->time;
}

/* All live warps of the group stand at the barrier (T6): it completes Lambda after the last one
 * came. */
static void set_barrier_timer(PsEngine *engine, guint place)
{
    const PsResident *group = &engine->places[place];
    const PsItem item = {group->last_arrival + group->last_barrier->completion, 0, place,
                         PS_GROUP_BARRIER};
    set_timer(engine, group->last_barrier, &item);
}

static void finish_group(PsEngine *engine, guint place)
{
    guint i = engine->n_finished++;
    for (; i > 0 && engine->finished[i - 1] > place; i--)
        engine->finished[i] = engine->finished[i - 1];
    engine->finished[i] = place;
}

static void finish_warp(PsEngine *engine, guint place)
{
    PsResident *group = &engine->places[place];
    if (--group->live == 0)
        finish_group(engine, place);
    else if (group->arrived > 0 && group->arrived == group->live)
        engine->freed[engine->n_freed++] = place;
}

static inline void complete(PsEngine *engine, PsStage *stage, guint slot, guint node,
                            gint64 position)
{
    PsWarp *warp = &engine->warps[slot];
    if (G_UNLIKELY(engine->on_completed.n > 0))
        ps_engine_tell_completed(engine, slot, node, position);
    const guint n = ps_warp_complete(warp, node, engine->released);
    if (n > 0)
        release(engine, stage, slot, n);
    if (--warp->left == 0)
        finish_warp(engine, warp->place);
}

static void complete_barrier(PsEngine *engine, PsStage *stage, guint place)
{
    const guint first = place * engine->warps_per_group;
    engine->places[place].arrived = 0;
    for (guint slot = first; slot < first + engine->warps_per_group; slot++) {
        PsWarp *warp = &engine->warps[slot];
        if (!warp->at_barrier)
            continue;
        warp->at_barrier = FALSE;
        complete(engine, stage, slot, warp->barrier, warp->position);
    }
}

/* A barrier whose last missing warp has ended instead of arriving: it completes Lambda after the
 * last one came, but not before now. That may be before what its timer holds already. */
static void free_barrier(PsEngine *engine, PsStage *stage, guint place)
{
    const PsResident *group = &engine->places[place];
    const gint64 time = group->last_arrival + group->last_barrier->completion;
    if (time <= engine->now) {
        complete_barrier(engine, stage, place);
        return;
    }
    const guint timer = group->last_barrier->timer;
    PsRing *ring = &engine->timers[timer];
    set_barrier_timer(engine, place);
    if (engine->stuck != NULL)
        return;
    for (guint i = ring->count - 1; i > 0 && ps_ring_at(ring, i - 1)->time > time; i--) {
        const PsItem earlier = *ps_ring_at(ring, i);
        *ps_ring_at(ring, i) = *ps_ring_at(ring, i - 1);
        *ps_ring_at(ring, i - 1) = earlier;
    }
    engine->due[timer] = ps_ring_at(ring, 0)->time;
}

static void arrive(PsEngine *engine, const PsItem *item)
{
    PsWarp *warp = &engine->warps[item->slot];
    PsResident *group = &engine->places[warp->place];
    warp->at_barrier = TRUE;
    warp->barrier = item->node;
    warp->position = item->position;
    group->arrived++;
    group->last_arrival = engine->now;
    group->last_barrier = &warp->program->nodes[item->node];
    if (group->arrived == group->live)
        set_barrier_timer(engine, warp->place);
}

static void launch(PsEngine *engine, PsStage *stage, guint place)
{
    const PsPlan *plan = engine->plan;
    const guint n = engine->warps_per_group;
    PsResident *group = &engine->places[place];
    *group = (PsResident){.group = engine->launched++};
    engine->n_resident++;
    if (engine->on_launched.n > 0)
        ps_engine_tell_launched(engine, group->group);
    for (guint w = 0; w < n; w++) {
        const PsPlanProgram *program = &plan->programs[plan->program_of[w]];
        const guint slot = place * n + w;
        ps_warp_start(&engine->warps[slot], program, (guint64)group->group * n + w);
        group->live += program->length > 0;
        memcpy(engine->released, program->initial, program->n_initial * sizeof(guint));
        release(engine, stage, slot, program->n_initial);
    }
}

/* Groups that are done make room for those that wait (T7). */
static void replace_finished(PsEngine *engine, PsStage *stage)
{
    const guint n = engine->n_finished;
    engine->n_finished = 0;
    engine->n_resident -= n;
    for (guint i = 0; i < n && engine->on_finished.n > 0; i++)
        ps_engine_tell_finished(engine, engine->places[engine->finished[i]].group);
    for (guint i = 0; i < n && engine->launched < engine->groups; i++)
        launch(engine, stage, engine->finished[i]);
}

/* A timer is due: completes what its time has come for. */
static inline void complete_due(PsEngine *engine, PsStage *stage, guint timer)
{
    PsRing *ring = &engine->timers[timer];
    while (ring->count > 0 && ps_ring_at(ring, 0)->time == engine->now) {
        const PsItem item = *ps_ring_at(ring, 0);
        ps_ring_pop(ring);
        if (item.node == PS_GROUP_BARRIER)
            complete_barrier(engine, stage, item.slot);
        else
            complete(engine, stage, item.slot, item.node, item.position);
    }
    engine->due[timer] = ring->count > 0 ? ps_ring_at(ring, 0)->time : PS_NOT_DUE;
}

static inline void issue(PsEngine *engine, const PsItem *item)
{
    const PsPlanNode *node = &engine->warps[item->slot].program->nodes[item->node];
    engine->instructions++;
    if (engine->on_issued.n > 0)
        ps_engine_tell_issued(engine, item);
    if (G_UNLIKELY(node->barrier)) {
        arrive(engine, item);
        return;
    }
    const PsItem done = {engine->now + node->completion, item->position, item->slot, item->node};
    set_timer(engine, node, &done);
}

/* Completions, launches, issues of the present instant. */
static inline void run_instant(PsEngine *engine, PsStage *stage)
{
    const guint n_timers = engine->plan->n_timers;
    const gint64 *due = engine->due;
    for (guint t = 0; t < n_timers; t++)
        if (due[t] == engine->now)
            complete_due(engine, stage, t);
    while (G_UNLIKELY(engine->n_freed > 0))
        free_barrier(engine, stage, engine->freed[--engine->n_freed]);
    if (engine->n_finished > 0)
        replace_finished(engine, stage);
    stage_settle(stage, engine->now);
    for (guint i = n_timers; i < engine->n_due; i++) {
        if (due[i] != engine->now)
            continue;
        const PsItem item = stage_issue(stage, i - n_timers, engine->now);
        issue(engine, &item);
    }
}

static inline gint64 next_instant(const PsEngine *engine)
{
    gint64 next = PS_NOT_DUE;
    const gint64 *due = engine->due, *end = due + engine->n_due;
    for (; due < end; due++)
        next = MIN(next, *due);
    return next;
}

/* Runs to the end. FALSE when engine->stuck is set or, if it is not, when time is up. */
static gboolean run(PsEngine *engine)
{
    PsStage stage;
    stage_init(&stage, engine->plan, engine->warps, engine->due + engine->plan->n_timers);
    for (guint place = 0; place < engine->n_places; place++)
        launch(engine, &stage, place);
    run_instant(engine, &stage);
    while (engine->n_resident > 0 && engine->stuck == NULL) {
        engine->now = next_instant(engine);
        if (engine->now > MAX_TIME)
            break;
        run_instant(engine, &stage);
    }
    stage_clear(&stage);
    return engine->n_resident == 0;
}
