/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Fast-forward from a moment within a period (sim/engine/forward.h), for an engine whose stage has
 * STAGE_MOMENTS. A stage has stage_moment, which saves its state or sets it back, and an order
 * order_moment for a warp, order_limit (how many periods on it may be moved) and order_jump. Part
 * of forward-core.h.
 */
#include "sim/engine/moment.h"

/* Saves all changing state, or sets it back. Groups come first, since the warps depend on them. */
static void jump_moment(PsEngine *engine, PsStage *stage, PsMoment *moment, gboolean saving)
{
    ps_moment_begin(moment, saving);
    ps_moment_engine(moment, engine);
    for (guint p = engine->oldest; p != PS_NO_PLACE; p = engine->places[p].newer)
        for (guint w = 0; w < engine->warps_per_group; w++)
            order_moment(&engine->warps[p * engine->warps_per_group + w], moment);
    stage_moment(stage, moment);
}

static void jump_save(PsForward *forward, PsEngine *engine, PsStage *stage, guint depth)
{
    PsMoment *moment = ps_forward_moment(forward, engine, depth);
    if (moment)
        jump_moment(engine, stage, moment, TRUE);
}

/* Makes words of a state that was saved as bytes: the engine is set back to it for as long. FALSE
 * when it is too large. */
static gboolean jump_read(PsForward *forward, PsEngine *engine, PsStage *stage, PsKept *kept)
{
    jump_moment(engine, stage, &forward->present, TRUE);
    jump_moment(engine, stage, &kept->bytes, FALSE);
    kept->saved = FALSE;
    const gboolean done = forward_keep(engine, stage, kept);
    jump_moment(engine, stage, &forward->present, FALSE);
    return done;
}

/* The counters of a warp that forward_keep_warp kept. */
typedef struct {
    gint64 left;
    OrderCounters order;
} JumpCounters;

static JumpCounters jump_counters(const PsWarp *warp, PsTrail *counters)
{
    counters->at += 2; /* its group, which stayed, and when its next instance is ready */
    JumpCounters kept = {.left = ps_forward_before(counters)};
    kept.order = order_kept(warp, counters);
    return kept;
}

/* Does something with a warp. A period begins with its counters `before` and ends with its counters
 * `after`. */
typedef void (*JumpStep)(PsEngine *engine, PsWarp *warp, const JumpCounters *before,
                         const JumpCounters *after, gint64 *times);

static void jump_each_warp(PsEngine *engine, PsKept *since, PsKept *present, JumpStep step,
                           gint64 *times)
{
    ps_trail_begin(&since->counters, FALSE);
    ps_trail_begin(&present->counters, FALSE);
    for (guint p = engine->oldest; p != PS_NO_PLACE; p = engine->places[p].newer)
        for (guint w = 0; w < engine->warps_per_group; w++) {
            PsWarp *warp = &engine->warps[p * engine->warps_per_group + w];
            const JumpCounters before = jump_counters(warp, &since->counters);
            const JumpCounters after = jump_counters(warp, &present->counters);
            step(engine, warp, &before, &after, times);
        }
}

/* Lowers *times to the periods by which the warp may be moved. */
static void jump_limit_warp(PsEngine *engine, PsWarp *warp, const JumpCounters *before,
                            const JumpCounters *after, gint64 *times)
{
    (void)engine;
    ps_forward_limit_at(before->left, after->left, warp->left, times);
    order_limit(warp, &before->order, &after->order, times);
}

static void jump_warp(PsEngine *engine, PsWarp *warp, const JumpCounters *before,
                      const JumpCounters *after, gint64 *times)
{
    engine->places[warp->place].stays = TRUE;
    warp->left -= *times * (before->left - after->left);
    order_jump(warp, &before->order, &after->order, *times);
    warp->stands += warp->shift;
}

/* Sets the engine back to the latest of those moments from which so many periods may pass. FALSE,
 * and nothing moved, if there is none. */
static gboolean jump_back(PsEngine *engine, PsStage *stage, PsKept *since, const GPtrArray *list,
                          PsMoments *moments, gint64 times)
{
    guint may = 0, may_not = list->len;
    while (may < may_not) {
        const guint middle = (may + may_not) / 2;
        gint64 most = G_MAXINT64;
        jump_moment(engine, stage, list->pdata[middle], FALSE);
        jump_each_warp(engine, since, &moments->now, jump_limit_warp, &most);
        if (most >= times)
            may = middle + 1;
        else
            may_not = middle;
    }
    moments->chosen = may > 0 ? list->pdata[may - 1] : &moments->present;
    jump_moment(engine, stage, moments->chosen, FALSE);
    return may > 0;
}

/* If the engine's state repeats that one, and whole periods would leave a part: goes on from a
 * moment as late in the period as possible. FALSE if that gains nothing. */
static gboolean forward_jump(PsForward *forward, PsEngine *engine, PsStage *stage, guint depth,
                             PsKept *since, gint64 times)
{
    g_autoptr(GPtrArray) list = ps_forward_moments(forward, since, depth, engine, times);
    if (!list)
        return FALSE;
    PsMoments *moments = forward->moments[depth];
    gint64 more = times + 1;
    jump_moment(engine, stage, &moments->present, TRUE);
    ps_trail_begin(&moments->now.counters, TRUE);
    if (!forward_each_warp(engine, stage, &moments->now, forward_keep_warp, NULL) ||
        !jump_back(engine, stage, since, list, moments, more))
        return FALSE;
    jump_each_warp(engine, since, &moments->now, jump_warp, &more);
    ps_forward_jump(forward, since, depth, engine, more);
    stage_shift(stage, engine);
    return TRUE;
}
