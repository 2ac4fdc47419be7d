/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What an issue does at the levels of memory in the slow simulator, rules R7 and R8: see
 * reference-sim.h.
 */
#include "tests/help/reference-sim.h"

guint ref_level_servers(const RefRun *run)
{
    guint servers = 0;
    GHashTableIter iter;
    gpointer value;
    if (!run->traffic)
        return 0;
    g_hash_table_iter_init(&iter, run->traffic);
    while (g_hash_table_iter_next(&iter, NULL, &value)) {
        const RefTraffic *traffic = value;
        for (guint i = 0; i < traffic->n_stops; i++)
            servers = MAX(servers, traffic->stops[i].server + 1);
    }
    return servers;
}

/* First come, first served: it gets to each server when the one before it has begun to serve it.
 * What it waits at each counts as much as its weight there. */
static gint64 wait_at_levels(const Sim *sim, const Cu *cu, const RefTraffic *traffic)
{
    gint64 arrives = sim->now, sum = 0;
    const gint64 grain = MAX(sim->run->grain, 1);
    for (guint i = 0; i < traffic->n_stops; i++) {
        const RefStop *stop = &traffic->stops[i];
        gint64 *busy_until = &g_array_index(cu->levels, gint64, stop->server);
        const gint64 starts = MAX(arrives, *busy_until);
        sum += stop->weight * (starts - arrives);
        *busy_until = starts + stop->service;
        arrives = starts;
    }
    return sum / 1024 / grain * grain;
}

gint64 ref_visit_levels(const Sim *sim, const Cu *cu, const Node *node)
{
    const gint64 wait = wait_at_levels(sim, cu, node->traffic);
    if (node->instance->unneeded && (node->instance->store || node->traffic->atomic))
        return sim->now + MAX(MAX(node->class->issue, node->traffic->drain), wait);
    return sim->now + node->class->completion + wait;
}

gint64 ref_levels_end(const Sim *sim)
{
    gint64 end = 0;
    for (guint c = 0; c < sim->cus->len; c++) {
        const Cu *cu = sim->cus->pdata[c];
        for (guint s = 0; s < cu->levels->len; s++)
            end = MAX(end, g_array_index(cu->levels, gint64, s));
    }
    return end;
}
