/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The event engine: rules T1 to T9 around an order of the nodes of a warp (order-*.h) and an issue
 * stage (stage-*.h). A file that wants an engine includes one of each and then this; the compiler
 * makes one piece of them, so that the choice costs nothing per event.
 *
 * Since completions are known when their instances issue, only issues and launches are events. Time
 * goes from one event to the next, by steps of as much as the stage may look ahead.
 *
 * An order is order_start (a warp was launched), order_known (a completion is known) and
 * order_issued (an instance has issued; what that makes known of the warp's next one). A stage is a
 * type PsStage with stage_init, stage_clear, stage_begin (a warp begins in a slot), stage_push (an
 * instance's readiness is known), for the order of dataflow stage_append (room for several at
 * once), stage_next (when one issues next), stage_lookahead and stage_run; STAGE_IN_ORDER says
 * whether all issue in order of time, as they must where they meet at servers (R7). For
 * fast-forward an order has order_visit (what must be equal), order_keep (what may move),
 * order_moves and order_skip, and for estimates order_trips_left and order_go_on; a stage has
 * stage_by_place, stage_visit and stage_shift.
 */
#include "sim/engine/device.h"
#include "sim/engine/engine.h"
#include "sim/engine/forward-core.h"

__extension__ typedef __int128 Wide;

/* Called when the end of a warp is known. */
static void finish_warp(PsEngine *engine, PsStage *stage, const PsWarp *warp);

/* Called when it is known that an instance will be complete at that time. */
static inline G_ALWAYS_INLINE void know(PsEngine *engine, PsStage *stage, PsWarp *warp,
                                        const PsItem *item, const PsPlanNode *node, gint64 done)
{
    if (G_UNLIKELY(engine->on_completed.n > 0)) {
        const PsItem told = *item; /* a copy: the item itself may stay in registers */
        ps_engine_tell_completed(engine, done, &told);
    }
    warp->done = MAX(warp->done, done);
    order_known(engine, stage, warp, item, node, done);
    if (--warp->left == 0)
        finish_warp(engine, stage, warp);
}

/* Called when all live warps of the group stand at the barrier (T6): it completes Lambda after the
 * last one came, but not before the end of a warp that never came. */
static void complete_barrier(PsEngine *engine, PsStage *stage, guint place)
{
    PsResident *group = &engine->places[place];
    const gint64 done = MAX(group->last_arrival + group->last_completion, group->gone);
    const guint first = place * engine->warps_per_group;
    group->arrived = 0;
    group->last_arrival = -1;
    for (guint slot = first; slot < first + engine->warps_per_group; slot++) {
        PsWarp *warp = &engine->warps[slot];
        if (!warp->arrived)
            continue;
        const PsPlanNode *node = &warp->program->nodes[warp->barrier];
        const PsItem item = {0, warp->rank, warp->stands, slot, warp->barrier};
        warp->arrived = FALSE;
        engine->source = node->source;
        know(engine, stage, warp, &item, node, done);
    }
}

static void finish_warp(PsEngine *engine, PsStage *stage, const PsWarp *warp)
{
    PsResident *group = &engine->places[warp->place];
    group->gone = MAX(group->gone, warp->done);
    if (--group->live == 0)
        ps_engine_end(engine, warp->place);
    else if (group->arrived > 0 && group->arrived == group->live)
        complete_barrier(engine, stage, warp->place);
}

static void arrive(PsEngine *engine, PsStage *stage, PsWarp *warp, const PsItem *item,
                   const PsPlanNode *node, gint64 time)
{
    PsResident *group = &engine->places[warp->place];
    warp->arrived = TRUE;
    warp->barrier = item->node;
    warp->stands = item->position;
    group->arrived++;
    if (time > group->last_arrival)
        group->last_completion = 0;
    if (time >= group->last_arrival) {
        group->last_arrival = time;
        group->last_completion = MAX(group->last_completion, node->completion);
    }
    if (group->arrived == group->live)
        complete_barrier(engine, stage, warp->place);
}

/* A request arrives at a device memory that has a window. Returns when memory begins with it. */
static gint64 ask_device(PsEngine *engine, const PsStop *stop, gboolean posted, gint64 time)
{
    const PsServer *server = &g_array_index(engine->plan->machine->servers, PsServer, stop->server);
    gint64 *free_at = &engine->server_free[stop->server];
    time = MAX(time, engine->asked);
    const gint64 work = ps_device_left(MIN(*free_at, PS_MAX_TIME) - engine->asked,
                                       time - engine->asked, server->window);
    gint64 start = time + ps_device_wait(work, server->queue, server->window, posted);
    if (!posted)
        start = engine->answered = MAX(start, engine->answered);
    engine->asked = time;
    *free_at = time + work + stop->service;
    return start;
}

/* A request arrives at L2's slices, where device memory has a window: stores before a load delay it
 * only by their time beyond that window. Returns when the slices begin with it. */
static gint64 ask_slices(PsEngine *engine, const PsStop *stop, gboolean posted, gint64 time)
{
    const PsServer *server = &g_array_index(engine->plan->machine->servers, PsServer, stop->server);
    gint64 *free_at = &engine->server_free[stop->server];
    const gint64 before = MIN(*free_at, PS_MAX_TIME);
    *free_at = MAX(*free_at, MAX(time, before) + stop->service);
    return MAX(time, posted ? before : before - server->window);
}

static gint64 ask_busy(PsEngine *engine, const PsStop *stop, gboolean posted, gint64 time)
{
    const PsServer *server = &g_array_index(engine->plan->machine->servers, PsServer, stop->server);
    return server->level < PS_N_LEVELS ? ask_device(engine, stop, posted, time)
                                       : ask_slices(engine, stop, posted, time);
}

/* Lets an instance pass the servers on its way through memory (R7, R8): each begins with it when it
 * has arrived and the server is free. Returns the delay of its completion. A warp that posts much
 * does not wait for it, so servers may come to their limit before the run does (is_late). */
static inline gint64 pass(PsEngine *engine, const PsPlanNode *node, gint64 time)
{
    Wide waited = 0;
    for (guint s = 0; s < node->n_stops; s++) {
        const PsStop *stop = &node->stops[s];
        gint64 *free_at = &engine->server_free[stop->server];
        gint64 start = MAX(time, MIN(*free_at, PS_MAX_TIME));
        if (G_UNLIKELY(stop->has_window))
            start = ask_busy(engine, stop, node->posted, time);
        else
            *free_at = MAX(*free_at, start + stop->service);
        waited += (Wide)stop->weight * (start - time);
        time = start;
    }
    gint64 delay = (gint64)(waited / PS_STOP_WHOLE);
    if (node->posted)
        delay = MAX(delay - node->completion, 0);
    if (engine->tally.nodes)
        engine->tally.nodes[node->number].delayed += delay;
    return delay;
}

/* An instance leaves the issue stage. Returns whether that makes the readiness of the warp's next
 * instance known. */
static inline G_ALWAYS_INLINE PsNext issue(PsEngine *engine, PsStage *stage, PsWarp *warp,
                                           const PsItem *item, const PsPlanNode *node,
                                           PsStart start)
{
    engine->simulated++;
    const gint64 delay =
        STAGE_IN_ORDER && G_UNLIKELY(node->n_stops > 0) ? pass(engine, node, start.begin) : 0;
    if (engine->on_issued.n > 0) {
        const PsItem told = *item;
        ps_engine_tell_issued(engine, start.time, &told, start.begin, delay);
    }
    engine->source = node->source;
    if (G_UNLIKELY(node->barrier))
        arrive(engine, stage, warp, item, node, start.time);
    else
        know(engine, stage, warp, item, node, start.begin + node->completion + delay);
    return order_issued(engine, warp, node, start.time);
}

static void launch(PsEngine *engine, PsStage *stage, guint place, gint64 time)
{
    const PsPlan *plan = engine->plan;
    const guint n = engine->warps_per_group;
    PsResident *group = &engine->places[place];
    const guint *program_of = plan->kinds[group->kind].program_of;
    const PsMachine *machine = plan->machine;
    const gint64 ready = MAX(time + machine->group_launch, machine->fetch - engine->base);
    if (engine->on_launched.n > 0)
        ps_engine_tell_launched(engine, time, place);
    for (guint w = 0; w < n; w++)
        group->live += plan->programs[program_of[w]].length > 0;
    for (guint w = 0; w < n; w++) {
        PsWarp *warp = &engine->warps[place * n + w];
        engine->budget += ps_warp_take(warp, &plan->programs[program_of[w]]);
        ps_warp_start(warp, group->group * n + w, ready);
        stage_begin(stage, place * n + w);
        engine->source = plan->n_sources;
        order_start(engine, stage, place * n + w);
    }
    if (group->live == 0) { /* a kind without instructions: it is done at once */
        group->gone = time;
        ps_engine_end(engine, place);
    }
}

/* Groups that end make room for those that wait (T7), up to and without that time. */
static void take_turns(PsEngine *engine, PsStage *stage, gint64 before)
{
    guint place;
    while (engine->turn < before) {
        const gint64 time = engine->turn;
        ps_engine_vacate(engine, time);
        if (!ps_engine_begin_wave(engine, time))
            return;
        while ((place = ps_engine_take_place(engine, time)) != PS_NO_PLACE)
            launch(engine, stage, place, time);
    }
}

static inline gboolean over(const PsEngine *engine)
{
    if (engine->scout)
        return engine->parted;
    return engine->oldest == PS_NO_PLACE && engine->launched == engine->groups;
}

/* The run ends when its servers do, too (R7). TRUE when that is beyond all time. */
static inline gboolean is_late(PsEngine *engine)
{
    for (guint s = 0; s < engine->plan->machine->servers->len; s++)
        engine->end = MAX(engine->end, engine->server_free[s]);
    return engine->end > PS_MAX_TIME - engine->base;
}

/* Runs to the end. FALSE when engine->stuck is set, when too much was simulated or, if neither,
 * when time is up. */
static gboolean run(PsEngine *engine, gboolean fast_forward)
{
    PsStage stage;
    stage_init(&stage, engine);
    PsForward forward;
    ps_forward_init(&forward, engine, fast_forward);
    while (!over(engine) && !engine->stuck &&
           (engine->simulated <= engine->most || ps_engine_goes_on(engine))) {
        engine->now = MIN(engine->turn, stage_next(&stage));
        if (engine->now > PS_MAX_TIME - engine->base)
            break;
        if (engine->event != PS_NO_EVENT)
            forward_check(&forward, engine, &stage);
        const gint64 horizon = engine->now + stage_lookahead(&stage);
        take_turns(engine, &stage, horizon);
        stage_run(&stage, engine, horizon);
    }
    engine->instructions += engine->simulated;
    ps_engine_tell_tally(engine);
    const gboolean late = is_late(engine);
    ps_forward_clear(&forward);
    stage_clear(&stage);
    return over(engine) && engine->simulated <= engine->limit && !late;
}
