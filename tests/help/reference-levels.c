/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What an issue does at the levels of memory in the slow simulator, rules R7 and R8: see
 * reference-sim.h.
 */
#include "tests/help/reference-sim.h"

__extension__ typedef __int128 Wide;

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

static gboolean is_posted(const Node *node)
{
    return node->instance->unneeded && (node->instance->store || node->traffic->atomic);
}

/* What is left of the work that a device memory with a window had before it, so many ticks later;
 * all in whole grains. */
static gint64 left_of(gint64 work, gint64 ticks, gint64 window)
{
    while (ticks > 0 && work > window) { /* it is always busy */
        const gint64 step = MIN(ticks, work - window);
        ticks -= step;
        work -= step;
    }
    const gint64 done = (gint64)((Wide)ticks * (2 * window - work) / window);
    return ticks == 0 ? work : (gint64)((Wide)work * window / (window + done));
}

/* When a request that gets to a device memory with a window at that time goes on. */
static gint64 leave_device(const Sim *sim, Cu *cu, const Node *node, gint64 service, gint64 arrives)
{
    const gint64 grain = MAX(sim->run->grain, 1);
    const gint64 window = sim->run->window / grain, at = MAX(arrives, cu->asked);
    const gint64 work = left_of(cu->work / grain, (at - cu->asked) / grain, window);
    const gint64 steps = 32 * MIN(work, window) / window; /* of 32 */
    gint64 leaves = at + MAX(work - window, 0) * grain;
    if (!is_posted(node)) {
        leaves += sim->run->queue / grain * steps / 32 * grain;
        leaves = cu->answered = MAX(leaves, cu->answered);
    }
    cu->work = work * grain + service;
    cu->asked = at;
    g_array_index(cu->levels, gint64, PS_LEVEL_DEVICE) = at + cu->work;
    return leaves;
}

/* When L2's slices begin with it: with a window, a load does not wait for the last of what is
 * before it, so much of it. */
static gint64 leave_slices(const Sim *sim, Cu *cu, const Node *node, const RefStop *stop,
                           gint64 arrives)
{
    gint64 *busy_until = &g_array_index(cu->levels, gint64, stop->server);
    const gint64 before = *busy_until;
    *busy_until = MAX(arrives, before) + stop->service;
    return MAX(arrives, is_posted(node) ? before : before - sim->run->window);
}

/* First come, first served: it gets to each server when the one before it has begun to serve it.
 * What it waits at each counts as much as its weight there. */
static gint64 wait_at_levels(const Sim *sim, Cu *cu, const Node *node)
{
    const RefTraffic *traffic = node->traffic;
    gint64 arrives = node->begins, sum = 0;
    const gint64 grain = MAX(sim->run->grain, 1);
    for (guint i = 0; i < traffic->n_stops; i++) {
        const RefStop *stop = &traffic->stops[i];
        gint64 *busy_until = &g_array_index(cu->levels, gint64, stop->server);
        gint64 starts = MAX(arrives, *busy_until);
        if (stop->server == PS_LEVEL_DEVICE && sim->run->window > 0)
            starts = leave_device(sim, cu, node, stop->service, arrives);
        else if (stop->server == PS_N_LEVELS + 1) /* R8 */
            starts = leave_slices(sim, cu, node, stop, arrives);
        else
            *busy_until = starts + stop->service;
        sum += stop->weight * (starts - arrives);
        arrives = starts;
    }
    return sum / 1024 / grain * grain;
}

gint64 ref_visit_levels(const Sim *sim, Cu *cu, const Node *node)
{
    const gint64 wait = wait_at_levels(sim, cu, node);
    if (is_posted(node))
        return node->begins + MAX(MAX(node->class->issue, node->traffic->drain), wait);
    return node->begins + node->class->completion + wait;
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
