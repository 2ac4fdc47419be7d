/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fast-forward (sim/engine/forward.h) for an engine: the walk over its whole state. Part of
 * engine-core.h, which is compiled with an order and a stage.
 */
#include "sim/engine/forward.h"

/* Calls a function for each warp on the CU, by age of its group. FALSE where one says so. */
typedef gboolean (*ForwardStep)(PsEngine *engine, PsWarp *warp, PsKept *kept, gint64 *times);

static gboolean forward_each_warp(PsEngine *engine, PsKept *kept, ForwardStep step, gint64 *times)
{
    for (guint p = engine->oldest; p != PS_NO_PLACE; p = engine->places[p].newer)
        for (guint w = 0; w < engine->warps_per_group; w++)
            if (!step(engine, &engine->warps[p * engine->warps_per_group + w], kept, times))
                return FALSE;
    return TRUE;
}

static gboolean forward_visit_warp(PsEngine *engine, PsWarp *warp, PsKept *kept, gint64 *times)
{
    (void)times;
    return ps_trail_word(&kept->exact, warp->arrived) &&
           (!warp->arrived || ps_trail_word(&kept->exact, warp->barrier)) &&
           ps_trail_word(&kept->exact, warp->left == 0) &&
           ps_trail_time(&kept->exact, engine, warp->done) &&
           order_visit(engine, warp, &kept->exact);
}

/* Records all that must be equal, or compares it with what was recorded. */
static gboolean forward_visit(PsEngine *engine, const PsStage *stage, PsKept *kept,
                              gboolean recording)
{
    ps_forward_number_groups(engine);
    ps_trail_begin(&kept->exact, recording);
    return stage_visit(stage, engine, &kept->exact) &&
           ps_forward_visit_groups(engine, stage_by_place(stage, engine), &kept->exact) &&
           forward_each_warp(engine, kept, forward_visit_warp, NULL);
}

/* Keeps the warp's counters, or compares them with what was kept. */
static gboolean forward_keep_warp(PsEngine *engine, PsWarp *warp, PsKept *kept, gint64 *times)
{
    (void)engine;
    (void)times;
    return ps_trail_word(&kept->counters, warp->left) & order_keep(warp, &kept->counters);
}

/* FALSE when the state is too large to be kept. */
static gboolean forward_keep(PsEngine *engine, const PsStage *stage, PsKept *kept)
{
    ps_trail_begin(&kept->counters, TRUE);
    kept->kept = forward_visit(engine, stage, kept, TRUE) &&
                 forward_each_warp(engine, kept, forward_keep_warp, NULL);
    return kept->kept;
}

static gboolean forward_warp_moves(PsEngine *engine, PsWarp *warp, PsKept *kept, gint64 *times)
{
    (void)engine;
    ps_forward_limit(ps_forward_before(&kept->counters), warp->left, times);
    return order_moves(warp, &kept->counters, times);
}

/* How many periods can be skipped; 0: none, or this is no recurrence. */
static gint64 forward_times(PsEngine *engine, const PsStage *stage, PsKept *kept)
{
    if (!forward_visit(engine, stage, kept, FALSE) || kept->exact.at != kept->exact.n)
        return 0;
    gint64 times = ps_forward_most(kept, engine);
    ps_trail_begin(&kept->counters, FALSE);
    const ForwardStep step =
        engine->launched == kept->launched ? forward_warp_moves : forward_keep_warp;
    return forward_each_warp(engine, kept, step, &times) ? times : 0;
}

static gboolean forward_skip_warp(PsEngine *engine, PsWarp *warp, PsKept *kept, gint64 *times)
{
    (void)engine;
    ps_forward_move(ps_forward_before(&kept->counters), &warp->left, *times);
    order_skip(warp, &kept->counters, *times);
    warp->stands += warp->shift;
    return TRUE;
}

static gboolean forward_stay_warp(PsEngine *engine, PsWarp *warp, PsKept *kept, gint64 *times)
{
    (void)engine;
    (void)kept;
    (void)times;
    warp->shift = 0;
    return TRUE;
}

/* One of the loops that are watched has gone round, or a group was launched. */
static void forward_check(PsForward *forward, PsEngine *engine, PsStage *stage)
{
    const guint depth = MIN(engine->event, PS_FORWARD_DEPTHS - 1);
    PsKept *kept = ps_forward_event(forward, engine, depth);
    engine->event = PS_NO_EVENT;
    if (!kept)
        return;
    gint64 times = kept->kept ? forward_times(engine, stage, kept) : 0;
    if (times > 0) {
        ps_trail_begin(&kept->counters, FALSE);
        if (engine->launched == kept->launched)
            forward_each_warp(engine, kept, forward_skip_warp, &times);
        else
            forward_each_warp(engine, kept, forward_stay_warp, &times);
        ps_forward_skip(forward, depth, engine, times);
        stage_shift(stage, engine);
    } else if (ps_forward_keeps(kept) && forward_keep(engine, stage, kept)) {
        ps_forward_mark(forward, depth, engine);
    }
}
