/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fast-forward (sim/engine/forward.h) for an engine: the walk over its whole state. Part of
 * engine-core.h, which is compiled with an order and a stage.
 */
#include "sim/engine/forward.h"

/* Calls a function for each warp on the CU, by age of its group, until one returns FALSE. */
typedef gboolean (*ForwardStep)(PsEngine *engine, PsStage *stage, PsWarp *warp, PsKept *kept,
                                gint64 *times);

static gboolean forward_each_warp(PsEngine *engine, PsStage *stage, PsKept *kept, ForwardStep step,
                                  gint64 *times)
{
    for (guint p = engine->oldest; p != PS_NO_PLACE; p = engine->places[p].newer)
        for (guint w = 0; w < engine->warps_per_group; w++)
            if (!step(engine, stage, &engine->warps[p * engine->warps_per_group + w], kept, times))
                return FALSE;
    return TRUE;
}

static gboolean forward_visit_warp(PsEngine *engine, PsStage *stage, PsWarp *warp, PsKept *kept,
                                   gint64 *times)
{
    (void)stage;
    (void)times;
    return ps_trail_word(&kept->exact, warp->arrived) &&
           (!warp->arrived || ps_trail_word(&kept->exact, warp->barrier)) &&
           ps_trail_word(&kept->exact, warp->left == 0) &&
           ps_trail_time(&kept->exact, engine, warp->done) &&
           order_visit(engine, warp, &kept->exact);
}

/* Records everything that must be equal, or compares it with the record. */
static gboolean forward_visit(PsEngine *engine, PsStage *stage, PsKept *kept, gboolean recording)
{
    ps_forward_number_groups(engine);
    ps_trail_begin(&kept->exact, recording);
    return stage_visit(stage, engine, &kept->exact) &&
           ps_forward_visit_groups(engine, stage_by_place(stage, engine), &kept->exact) &&
           forward_each_warp(engine, stage, kept, forward_visit_warp, NULL);
}

static gboolean forward_keep_counters(PsWarp *warp, PsTrail *counters)
{
    return ps_trail_word(counters, warp->left) & order_keep(warp, counters);
}

/* The time when a warp's next instance is or was ready, relative to the present. */
static gint64 forward_ready(const PsEngine *engine, PsStage *stage, const PsWarp *warp)
{
    const gint64 *ready_at = stage_ready_at(stage, engine, (guint)(warp - engine->warps));
    return ready_at ? *ready_at - engine->now : PS_NOT_DUE;
}

/* Keeps a warp's group, the time when its next instance is ready, and its counters. */
static gboolean forward_keep_warp(PsEngine *engine, PsStage *stage, PsWarp *warp, PsKept *kept,
                                  gint64 *times)
{
    (void)times;
    return ps_trail_word(&kept->counters, engine->places[warp->place].group) &
           ps_trail_word(&kept->counters, forward_ready(engine, stage, warp)) &
           forward_keep_counters(warp, &kept->counters);
}

/* TRUE for a warp that could issue when the state was kept, and has only waited since: others were
 * preferred throughout the period. Its instance was ready so long before that by fifo it would
 * become the first. */
static gboolean forward_starves(const PsEngine *engine, const PsKept *kept, gint64 before,
                                gint64 ready)
{
    const gint64 period = engine->now + engine->base - kept->time;
    return engine->plan->machine->refinements.policy != PS_POLICY_FIFO && before <= 0 &&
           ready == before - period;
}

/* FALSE when the state is too large to be kept. */
static gboolean forward_keep(PsEngine *engine, PsStage *stage, PsKept *kept)
{
    ps_trail_begin(&kept->counters, TRUE);
    kept->kept = forward_visit(engine, stage, kept, TRUE) &&
                 forward_each_warp(engine, stage, kept, forward_keep_warp, NULL);
    return kept->kept;
}

/* Checks a warp against the kept state. If its group was there then, the warp may have moved, or
 * have waited all the time; if its group took another's place, the warp is where that one's was. */
static gboolean forward_warp_moves(PsEngine *engine, PsStage *stage, PsWarp *warp, PsKept *kept,
                                   gint64 *times)
{
    const gboolean same = ps_forward_before(&kept->counters) == engine->places[warp->place].group;
    const gint64 before = ps_forward_before(&kept->counters);
    const gint64 ready = forward_ready(engine, stage, warp);
    if (same && ready != before && forward_starves(engine, kept, before, ready))
        return forward_keep_counters(warp, &kept->counters);
    if (ready != before)
        return FALSE;
    if (!same)
        return forward_keep_counters(warp, &kept->counters);
    ps_forward_limit(ps_forward_before(&kept->counters), warp->left, times);
    return order_moves(warp, &kept->counters, times);
}

/* FALSE if this is no recurrence. *times: the number of periods that can be skipped. */
static gboolean forward_recurs(PsEngine *engine, PsStage *stage, PsKept *kept, gint64 *times)
{
    *times = 0;
    if (!forward_visit(engine, stage, kept, FALSE) || kept->exact.at != kept->exact.n ||
        !ps_forward_asked_alike(kept, engine))
        return FALSE;
    gint64 most = ps_forward_most(kept, engine);
    ps_trail_begin(&kept->counters, FALSE);
    if (!forward_each_warp(engine, stage, kept, forward_warp_moves, &most))
        return FALSE;
    *times = most;
    return TRUE;
}

/* Moves on a warp that has waited all the time and goes on to wait: its next instance was ready so
 * much earlier. */
static gboolean forward_skip_warp(PsEngine *engine, PsStage *stage, PsWarp *warp, PsKept *kept,
                                  gint64 *times)
{
    PsResident *group = &engine->places[warp->place];
    group->stays = ps_forward_before(&kept->counters) == group->group;
    if (ps_forward_before(&kept->counters) != forward_ready(engine, stage, warp))
        *stage_ready_at(stage, engine, (guint)(warp - engine->warps)) -=
            *times * (engine->now + engine->base - kept->time);
    if (!group->stays) {
        warp->shift = 0;
        return forward_keep_counters(warp, &kept->counters);
    }
    ps_forward_move(ps_forward_before(&kept->counters), &warp->left, *times);
    order_skip(warp, &kept->counters, *times);
    warp->stands += warp->shift;
    return TRUE;
}

/* Skips so many times what happened since that state. */
static void forward_pass(PsForward *forward, PsEngine *engine, PsStage *stage, guint depth,
                         PsKept *since, gint64 times)
{
    ps_trail_begin(&since->counters, FALSE);
    forward_each_warp(engine, stage, since, forward_skip_warp, &times);
    ps_forward_skip(forward, since, depth, engine, times);
    stage_shift(stage, engine);
}

#ifdef STAGE_MOMENTS
#include "sim/engine/forward-jump.h"
#endif

/* A run that looks harder keeps the state as one of the latest. No group is launched between the
 * events of an inner loop that are compared, so there it can be saved as bytes. */
static void forward_keep_latest(PsForward *forward, PsEngine *engine, PsStage *stage, guint depth)
{
    PsKept *room = ps_forward_room(forward, depth);
    if (!room)
        return;
    room->saved = FALSE;
#ifdef STAGE_MOMENTS
    if (depth > 0) {
        jump_moment(engine, stage, &room->bytes, TRUE);
        ps_forward_saved(forward, room, depth);
        ps_forward_mark(forward, room, depth, engine);
        return;
    }
#endif
    if (forward_keep(engine, stage, room))
        ps_forward_mark(forward, room, depth, engine);
    forward->kept[depth].exact.effort += room->exact.effort + room->counters.effort;
}

/* The state that this one repeats; NULL: none is known. *times: how many periods can be skipped. */
static PsKept *forward_find(PsForward *forward, PsEngine *engine, PsStage *stage, guint depth,
                            gint64 *times)
{
    PsKept *kept = &forward->kept[depth];
    const gboolean recurs = kept->kept && forward_recurs(engine, stage, kept, times);
    PsKept *latest = *times == 0 ? ps_forward_recall(forward, engine, depth) : NULL;
#ifdef STAGE_MOMENTS
    if (latest && latest->saved && !jump_read(forward, engine, stage, latest))
        latest = NULL;
#endif
    if (!latest)
        return recurs ? kept : NULL;
    const gboolean recurs_later = forward_recurs(engine, stage, latest, times);
    kept->exact.effort += latest->exact.effort;
    latest->exact.effort = 0;
    return recurs_later ? latest : recurs ? kept : NULL;
}

/* Skips periods that repeat exactly, or keeps a state to find them later. TRUE if it skipped. */
static gboolean forward_repeat(PsForward *forward, PsEngine *engine, PsStage *stage, guint depth)
{
    PsKept *kept = ps_forward_event(forward, engine, depth);
    if (!kept)
        return FALSE;
    gint64 times = 0;
    PsKept *since = forward_find(forward, engine, stage, depth, &times);
#ifdef STAGE_MOMENTS
    if (since && forward_jump(forward, engine, stage, depth, since, times))
        return TRUE;
    jump_save(forward, engine, stage, depth);
#endif
    if (times > 0) {
        forward_pass(forward, engine, stage, depth, since, times);
        return TRUE;
    }
    forward_keep_latest(forward, engine, stage, depth);
    if ((ps_forward_recalls(forward, depth) || ps_forward_keeps(kept)) &&
        forward_keep(engine, stage, kept))
        ps_forward_mark(forward, kept, depth, engine);
    return FALSE;
}

/* The trips that each slot's warp has left of its loop at that depth. */
static void forward_note_trips(const PsEngine *engine, guint depth, PsEstimateTrips *trips)
{
    const guint n = engine->warps_per_group;
    for (guint p = engine->oldest; p != PS_NO_PLACE; p = engine->places[p].newer)
        for (guint slot = p * n; slot < (p + 1) * n; slot++) {
            const PsPlanLoop *loop = ps_estimate_loop(engine->warps[slot].program, depth);
            trips[slot] = loop ? order_trips_left(&engine->warps[slot], loop->number)
                               : (PsEstimateTrips){0, 0};
        }
}

/* Finds a stretch of loops at that depth: the stretch, the iterations of each slot's warp in it,
 * and how often it may be repeated until a warp comes to the end of its loop. FALSE if some warp is
 * outside of such a loop. */
static gboolean forward_find_trips(const PsExtrapolation *estimate, const PsEngine *engine,
                                   PsEstimateStep *step, double *trips)
{
    const guint n = engine->warps_per_group;
    g_autofree PsEstimateTrips *now = g_new(PsEstimateTrips, engine->n_places * n);
    forward_note_trips(engine, step->depth, now);
    if (!ps_estimate_trips(estimate, engine, step, now, trips))
        return FALSE;
    step->most = step->trips = (double)G_MAXINT64;
    for (guint p = engine->oldest; p != PS_NO_PLACE; p = engine->places[p].newer)
        for (guint slot = p * n; slot < (p + 1) * n; slot++) {
            const PsPlanLoop *loop = ps_estimate_loop(engine->warps[slot].program, step->depth);
            const gint64 left = now[slot].ahead - PS_ESTIMATE_LAST_ITERATIONS;
            step->trips = MIN(step->trips, trips[slot]);
            step->work += trips[slot] * (double)loop->stride;
            step->most = MIN(step->most, (double)MAX(left, 0) / MAX(trips[slot], 1));
        }
    return step->trips >= PS_ESTIMATE_LEAST_TRIPS && step->work > 0;
}

/* Each warp goes on by so many times the iterations that it went in the stretch. Returns the
 * instructions that it passes over. */
static gint64 forward_go_on(PsEngine *engine, const PsEstimateStep *step, const double *trips)
{
    const guint n = engine->warps_per_group;
    for (guint p = 0; p < engine->n_places; p++)
        engine->places[p].stays = FALSE;
    gint64 work =
        ps_plan_instructions(engine->plan, engine->launched + step->times * step->groups) -
        ps_plan_instructions(engine->plan, engine->launched);
    for (guint p = engine->oldest; p != PS_NO_PLACE; p = engine->places[p].newer)
        for (guint slot = p * n; slot < (p + 1) * n; slot++) {
            PsWarp *warp = &engine->warps[slot];
            const PsPlanLoop *loop = ps_estimate_loop(warp->program, step->depth);
            const gint64 on =
                step->depth > 0 ? (gint64)((double)step->times * trips[slot] + 0.5) : 0;
            warp->shift = on > 0 ? on * loop->stride : 0;
            warp->left -= warp->shift;
            warp->stands += warp->shift;
            work += warp->shift;
            if (on > 0)
                order_go_on(warp, loop->number, on);
        }
    return work;
}

/* If nothing repeats exactly but a stretch is steady: passes over as much of it as is left. */
static void forward_estimate(PsForward *forward, PsEngine *engine, PsStage *stage, guint depth)
{
    PsExtrapolation *estimate = &forward->estimate;
    PsEstimateStep step = {.depth = depth};
    const PsEstimateEvent event = ps_estimate_event(estimate, engine, depth);
    if (event == PS_ESTIMATE_MARK && depth > 0)
        forward_note_trips(engine, depth, ps_estimate_mark(estimate, depth)->trips);
    if (event != PS_ESTIMATE_TEST)
        return;
    g_autofree double *trips = g_new(double, engine->n_places * engine->warps_per_group);
    const gboolean found = depth > 0 ? forward_find_trips(estimate, engine, &step, trips)
                                     : ps_estimate_groups(estimate, engine, &step);
    if (!found || !ps_estimate_decide(estimate, engine, &step))
        return;
    const gint64 work = forward_go_on(engine, &step, trips);
    ps_estimate_skip(estimate, engine, &step, work);
    ps_forward_forget(forward);
    stage_shift(stage, engine);
}

/* Called when one of the loops that are watched has gone round, or a group was launched. */
static void forward_check(PsForward *forward, PsEngine *engine, PsStage *stage)
{
    const guint depth = MIN(engine->event, PS_FORWARD_DEPTHS - 1);
    engine->event = PS_NO_EVENT;
    const gboolean skipped = forward_repeat(forward, engine, stage, depth);
    if (forward->estimate.on && skipped)
        ps_estimate_restart(&forward->estimate, engine, depth, TRUE);
    else if (forward->estimate.on && (depth == 0 || !engine->plan->waits)) /* they keep in step */
        forward_estimate(forward, engine, stage, depth);
}
