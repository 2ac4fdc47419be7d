/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Time in the slow simulator: see reference.h.
 */
#include "tests/help/reference-sim.h"

void ref_log_group(const Sim *sim, RefEventKind kind, const Group *group)
{
    RefEvent event = {sim->now, kind, group->number, 0, 0, 0, group->cu};
    g_array_append_val(sim->result->events, event);
}

void ref_log_node(const Sim *sim, RefEventKind kind, const Choice *choice)
{
    gint64 ready = kind == REF_ISSUE ? ref_node(choice)->ready : 0;
    RefEvent event = {sim->now,         kind,  choice->group->number, choice->warp,
                      choice->position, ready, choice->group->cu};
    g_array_append_val(sim->result->events, event);
}

/* ---- the next instant ---------------------------------------------------------------------- */

static void sooner(const Sim *sim, gint64 time, gint64 *next)
{
    if (time > sim->now && (*next == UNKNOWN || time < *next))
        *next = time;
}

static void sooner_servers(const Sim *sim, const GArray *servers, gint64 *next)
{
    for (guint i = 0; i < servers->len; i++)
        sooner(sim, g_array_index(servers, Server, i).busy_until, next);
}

static void sooner_group(const Sim *sim, const Group *group, gint64 *next)
{
    for (gint64 w = 0; w < sim->run->warps_per_group; w++)
        for (guint i = 0; i < group->warps[w].n_nodes; i++) {
            sooner(sim, group->warps[w].nodes[i].begins, next);
            sooner(sim, group->warps[w].nodes[i].completes, next);
            sooner(sim, group->warps[w].nodes[i].ready, next);
        }
}

/* The next instant at which a pipeline or a port is free again, a launch is due, a pipeline begins
 * with a node, a node completes or is ready; UNKNOWN: none. */
static gint64 next_instant(const Sim *sim)
{
    gint64 next = UNKNOWN;
    for (guint c = 0; c < sim->cus->len; c++) {
        const Cu *cu = sim->cus->pdata[c];
        sooner_servers(sim, cu->pipelines, &next);
        sooner_servers(sim, cu->schedulers, &next);
        sooner(sim, ref_launch_due(sim, cu), &next);
        for (guint g = 0; g < cu->groups->len; g++)
            sooner_group(sim, cu->groups->pdata[g], &next);
    }
    return next;
}

/* ---- a run --------------------------------------------------------------------------------- */

static GArray *servers_new(gint64 n)
{
    GArray *servers = g_array_new(FALSE, FALSE, sizeof(Server));
    for (; n > 0; n--) {
        Server server = {0, UNKNOWN, UNKNOWN, {0}, UNKNOWN, UNKNOWN};
        g_array_append_val(servers, server);
    }
    return servers;
}

static guint count_pipelines(const RefRun *run)
{
    guint pipelines = 0;
    for (guint i = 0; i < run->n_classes; i++)
        pipelines = MAX(pipelines, run->classes[i].pipeline + 1);
    GHashTableIter iter;
    gpointer traffic;
    if (run->traffic) {
        g_hash_table_iter_init(&iter, run->traffic);
        while (g_hash_table_iter_next(&iter, NULL, &traffic))
            pipelines = MAX(pipelines, ((const RefTraffic *)traffic)->serves.pipeline + 1);
    }
    return pipelines;
}

/* An array of so many times, or numbers, all zero. */
static GArray *times_new(gint64 n)
{
    GArray *times = g_array_new(FALSE, TRUE, sizeof(gint64));
    return g_array_set_size(times, (guint)n);
}

static Cu *cu_new(const RefRun *run, guint number)
{
    Cu *cu = g_new0(Cu, 1);
    cu->number = number;
    cu->groups = g_ptr_array_new();
    cu->last_launch = UNKNOWN;
    cu->kinds = times_new(ref_kinds(run->idg));
    cu->places = times_new(run->active_groups);
    cu->levels = times_new(ref_level_servers(run));
    cu->pipelines = servers_new(count_pipelines(run) * MAX(run->schedulers, 1));
    cu->turns = servers_new(count_pipelines(run) * MAX(run->schedulers, 1));
    cu->schedulers = servers_new(run->schedulers);
    cu->last_scheduler = UNKNOWN;
    return cu;
}

static void cu_free(gpointer data)
{
    Cu *cu = data;
    g_ptr_array_unref(cu->groups);
    g_array_unref(cu->kinds);
    g_array_unref(cu->places);
    g_array_unref(cu->levels);
    g_array_unref(cu->pipelines);
    g_array_unref(cu->turns);
    g_array_unref(cu->schedulers);
    g_free(cu);
}

/* R9: with a node that holds its warp, all issue in program order. */
static gboolean holds(const RefRun *run, const GPtrArray *list)
{
    for (guint i = 0; i < list->len; i++)
        if (ref_hold(run, list->pdata[i]) > 0)
            return TRUE;
    return FALSE;
}

static void sim_start(Sim *sim, const RefRun *run)
{
    *sim = (Sim){.run = run, .cus = g_ptr_array_new_with_free_func(cu_free)};
    sim->in_order = run->order == PS_ORDER_PROGRAM;
    sim->codes = g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
    for (guint c = 0; c < run->idg->codes->len; c++) {
        const PsIdgCode *code = run->idg->codes->pdata[c];
        g_ptr_array_add(sim->codes, ref_expand(code->body, run->scope));
        sim->in_order = sim->in_order || holds(run, sim->codes->pdata[c]);
    }
    sim->awaits = ps_idg_has_awaits(run->idg);
    sim->in_order = sim->in_order || sim->awaits;
    ref_expand_awaits(run->idg, run->scope, sim->codes);
    for (guint c = 0; c < MAX(run->n_cus, 1); c++)
        g_ptr_array_add(sim->cus, cu_new(run, c));
    sim->result = g_new0(RefResult, 1);
    sim->result->events = g_array_new(FALSE, FALSE, sizeof(RefEvent));
}

/* Completions, launches, issues (T8). A group without an instance is done when launched, and so
 * makes room at once. */
static void instant(Sim *sim)
{
    ref_complete(sim);
    do
        ref_launch(sim);
    while (ref_complete(sim));
    ref_issue(sim);
}

/* Nothing is to come any more: all groups are done, or wait for each other. */
static void check_end(const Sim *sim)
{
    gboolean done = sim->next_group >= sim->run->groups;
    for (guint c = 0; c < sim->cus->len; c++) {
        const GPtrArray *groups = ((const Cu *)sim->cus->pdata[c])->groups;
        done = done && groups->len == 0;
        for (guint g = 0; g < groups->len; g++)
            ref_group_free(sim, groups->pdata[g]);
    }
    if (!done && !sim->awaits)
        g_error("the reference came to a halt before all groups were done");
    sim->result->halted = !done;
}

RefResult *ref_simulate(const RefRun *run)
{
    Sim sim;
    sim_start(&sim, run);
    for (; sim.now != UNKNOWN; sim.now = next_instant(&sim))
        instant(&sim);
    check_end(&sim);
    sim.result->ticks = MAX(sim.result->ticks, ref_levels_end(&sim));
    if (sim.result->instructions == 0)
        sim.result->ticks = 0; /* a launch without any instruction takes no time, R5 or not */
    g_ptr_array_unref(sim.cus);
    g_ptr_array_unref(sim.codes);
    return sim.result;
}
