/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Completions and barriers of the slow simulator: see reference-sim.h.
 */
#include "tests/help/reference-sim.h"

/* ---- barriers (T6) ------------------------------------------------------------------------- */

static Node *find_barrier(const Warp *warp, guint number)
{
    for (guint i = 0; i < warp->n_nodes; i++) {
        const RefInstance *instance = warp->nodes[i].instance;
        if (instance->barrier && instance->barrier_number == number)
            return &warp->nodes[i];
    }
    return NULL;
}

/* The one with the longest Lambda counts as the last of those that come in the same instant. */
static gboolean later(const Node *a, const Node *b)
{
    return a->issued != b->issued ? a->issued > b->issued
                                  : a->class->completion > b->class->completion;
}

/* The barrier of that number among those that have arrived at it, latest last; NULL if a warp that
 * counts has not. */
static const Node *last_arrival(const Sim *sim, const Group *group, guint number)
{
    const Node *last = NULL;
    for (gint64 w = 0; w < sim->run->warps_per_group; w++) {
        const Node *node = find_barrier(&group->warps[w], number);
        gboolean arrived = node && node->issued != UNKNOWN;
        if (!arrived && !group->warps[w].done)
            return NULL;
        if (arrived && (!last || later(node, last)))
            last = node;
    }
    return last;
}

/* Settles when that barrier completes, if that can be known now. */
static void settle_barrier(const Sim *sim, const Group *group, guint number)
{
    const Node *last = last_arrival(sim, group, number);
    if (!last)
        return;
    gint64 completes = MAX(sim->now, last->issued + last->class->completion);
    for (gint64 w = 0; w < sim->run->warps_per_group; w++) {
        Node *node = find_barrier(&group->warps[w], number);
        if (node && node->issued != UNKNOWN)
            node->completes = completes;
    }
}

void ref_settle_barriers(const Sim *sim, const Group *group)
{
    for (gint64 w = 0; w < sim->run->warps_per_group; w++) {
        const Warp *warp = &group->warps[w];
        for (guint i = 0; i < warp->n_nodes; i++) {
            const Node *node = &warp->nodes[i];
            if (node->instance->barrier && node->issued != UNKNOWN && node->completes == UNKNOWN)
                settle_barrier(sim, group, node->instance->barrier_number);
        }
    }
}

/* ---- nodes, warps, groups (T4, T5, T7) ----------------------------------------------------- */

static gboolean complete_nodes(Sim *sim, const Group *group, guint w)
{
    Warp *warp = &group->warps[w];
    gboolean changed = FALSE;
    for (guint i = 0; i < warp->n_nodes; i++) {
        if (warp->nodes[i].complete || warp->nodes[i].completes != sim->now)
            continue;
        warp->nodes[i].complete = TRUE;
        ref_log_node(sim, REF_COMPLETE, &(Choice){group, w, i});
        changed = TRUE;
    }
    return changed;
}

static gboolean finish_warp(Warp *warp)
{
    if (warp->done)
        return FALSE;
    warp->done = TRUE;
    for (guint i = 0; i < warp->n_nodes; i++)
        warp->done = warp->done && warp->nodes[i].complete;
    return warp->done;
}

/* A warp that is done may complete a barrier at this very instant, so again until nothing moves. */
static void complete_group(Sim *sim, const Group *group)
{
    gboolean changed = TRUE;
    while (changed) {
        changed = FALSE;
        for (gint64 w = 0; w < sim->run->warps_per_group; w++) {
            changed = complete_nodes(sim, group, (guint)w) || changed;
            changed = finish_warp(&group->warps[w]) || changed;
        }
        ref_settle_barriers(sim, group);
    }
}

static gboolean group_done(const Sim *sim, const Group *group)
{
    for (gint64 w = 0; w < sim->run->warps_per_group; w++)
        if (!group->warps[w].done)
            return FALSE;
    return TRUE;
}

void ref_group_free(const Sim *sim, Group *group)
{
    for (gint64 w = 0; w < sim->run->warps_per_group; w++)
        g_free(group->warps[w].nodes);
    g_free(group->warps);
    g_free(group);
}

static gboolean finish_groups(Sim *sim, const Cu *cu)
{
    guint before = cu->groups->len;
    for (guint g = 0; g < cu->groups->len;) {
        Group *group = cu->groups->pdata[g];
        if (!group_done(sim, group)) {
            g++;
            continue;
        }
        ref_log_group(sim, REF_DONE, group);
        sim->result->ticks = sim->now;
        g_array_index(cu->places, gint64, group->place) = sim->now + sim->run->turnaround;
        g_ptr_array_remove_index(cu->groups, g);
        ref_group_free(sim, group);
    }
    return cu->groups->len < before;
}

gboolean ref_complete(Sim *sim)
{
    gboolean finished = FALSE;
    for (guint c = 0; c < sim->cus->len; c++) {
        const Cu *cu = sim->cus->pdata[c];
        for (guint g = 0; g < cu->groups->len; g++)
            complete_group(sim, cu->groups->pdata[g]);
        finished = finish_groups(sim, cu) || finished;
    }
    return finished;
}
