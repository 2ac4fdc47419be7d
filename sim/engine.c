/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/engine.h"

/* ---- listeners ----------------------------------------------------------------------------- */

static void add(PsAudience *audience, const PsListener *listener, gboolean wants)
{
    if (!wants)
        return;
    audience->list = g_renew(const PsListener *, audience->list, audience->n + 1);
    audience->list[audience->n++] = listener;
}

PsInstance ps_engine_instance(const PsEngine *engine, guint slot, guint node, gint64 position)
{
    const guint place = slot / engine->warps_per_group;
    const guint warp = slot % engine->warps_per_group;
    return (PsInstance){
        0, engine->places[place].group, warp, engine->plan->program_of[warp], node, position};
}

void ps_engine_tell_launched(const PsEngine *engine, gint64 group)
{
    for (guint i = 0; i < engine->on_launched.n; i++) {
        const PsListener *listener = engine->on_launched.list[i];
        listener->launched(listener->self, engine->now, 0, group);
    }
}

void ps_engine_tell_issued(const PsEngine *engine, const PsItem *item)
{
    const PsInstance instance = ps_engine_instance(engine, item->slot, item->node, item->position);
    for (guint i = 0; i < engine->on_issued.n; i++) {
        const PsListener *listener = engine->on_issued.list[i];
        listener->issued(listener->self, engine->now, item->time, &instance);
    }
}

void ps_engine_tell_completed(const PsEngine *engine, guint slot, guint node, gint64 position)
{
    const PsInstance instance = ps_engine_instance(engine, slot, node, position);
    for (guint i = 0; i < engine->on_completed.n; i++) {
        const PsListener *listener = engine->on_completed.list[i];
        listener->completed(listener->self, engine->now, &instance);
    }
}

void ps_engine_tell_finished(const PsEngine *engine, gint64 group)
{
    for (guint i = 0; i < engine->on_finished.n; i++) {
        const PsListener *listener = engine->on_finished.list[i];
        listener->finished(listener->self, engine->now, 0, group);
    }
}

/* ---- state --------------------------------------------------------------------------------- */

void ps_engine_init(PsEngine *engine, const PsPlan *plan, const PsListener *listeners,
                    guint n_listeners)
{
    const PsLaunch *launch = &plan->machine->launch;
    *engine =
        (PsEngine){.plan = plan, .groups = launch->groups_per_cu, .budget = PS_SIM_WAITING_LIMIT};
    engine->warps_per_group = (guint)launch->warps_per_group;
    engine->n_places = (guint)launch->active_groups;
    engine->places = g_new0(PsResident, engine->n_places);
    engine->finished = g_new(guint, engine->n_places);
    engine->freed = g_new(guint, engine->n_places);
    const guint n_warps = engine->n_places * engine->warps_per_group;
    engine->warps = g_new(PsWarp, n_warps);
    for (guint slot = 0; slot < n_warps; slot++) {
        ps_warp_init(&engine->warps[slot], plan);
        engine->warps[slot].place = slot / engine->warps_per_group;
    }
    engine->timers = g_new(PsRing, plan->n_timers);
    for (guint t = 0; t < plan->n_timers; t++)
        ps_ring_init(&engine->timers[t]);
    engine->n_due = plan->n_timers + plan->n_pipelines;
    engine->due = g_new(gint64, engine->n_due);
    for (guint i = 0; i < engine->n_due; i++)
        engine->due[i] = PS_NOT_DUE;
    guint most_nodes = 1;
    for (guint p = 0; p < plan->n_programs; p++)
        most_nodes = MAX(most_nodes, plan->programs[p].n_nodes);
    engine->released = g_new(guint, most_nodes);
    for (guint i = 0; i < n_listeners; i++) {
        add(&engine->on_launched, &listeners[i], listeners[i].launched != NULL);
        add(&engine->on_issued, &listeners[i], listeners[i].issued != NULL);
        add(&engine->on_completed, &listeners[i], listeners[i].completed != NULL);
        add(&engine->on_finished, &listeners[i], listeners[i].finished != NULL);
    }
}

void ps_engine_clear(PsEngine *engine)
{
    for (guint slot = 0; slot < engine->n_places * engine->warps_per_group; slot++)
        ps_warp_clear(&engine->warps[slot]);
    for (guint t = 0; t < engine->plan->n_timers; t++)
        ps_ring_clear(&engine->timers[t]);
    g_free(engine->warps);
    g_free(engine->places);
    g_free(engine->finished);
    g_free(engine->freed);
    g_free(engine->timers);
    g_free(engine->due);
    g_free(engine->released);
    g_free(engine->on_launched.list);
    g_free(engine->on_issued.list);
    g_free(engine->on_completed.list);
    g_free(engine->on_finished.list);
}

gboolean ps_engine_fail(const PsEngine *engine, GError **error)
{
    if (engine->stuck == NULL) {
        g_set_error(error, PS_ERROR, PS_ERROR_LIMIT,
                    "the run takes more than 2^62 ticks of 1/%" G_GINT64_FORMAT " cycle",
                    engine->plan->machine->ticks_per_cycle);
        return FALSE;
    }
    const PsIdgItem *item = engine->stuck->item;
    ps_error_at(error, PS_ERROR_LIMIT, ps_idg_place(engine->plan->machine->kernel->idg, item->line),
                "some %d instances wait for a pipeline or are under way at once, the last of node "
                "'%s', which may run ahead of others without bound; let it depend on what holds it "
                "back on the GPU, or use --order program",
                PS_SIM_WAITING_LIMIT, item->name);
    return FALSE;
}
