/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Launches of the slow simulator, and what a group is made of: see reference-sim.h.
 */
#include "tests/help/reference-sim.h"

#include <string.h>

static const RefClass *class_of(const Sim *sim, const char *asked)
{
    for (guint i = 0; i < sim->run->n_classes; i++)
        if (strcmp(sim->run->classes[i].asked, asked) == 0)
            return &sim->run->classes[i];
    g_error("no class %s", asked);
}

static const RefTraffic *traffic_of(const Sim *sim, const PsIdgItem *item)
{
    return sim->run->traffic ? g_hash_table_lookup(sim->run->traffic, item) : NULL;
}

static void start_warp(const Sim *sim, Warp *warp, guint number)
{
    const GPtrArray *code = sim->codes->pdata[number];
    warp->code = number;
    warp->n_nodes = code->len;
    warp->nodes = g_new0(Node, code->len);
    for (guint i = 0; i < code->len; i++) {
        const RefInstance *instance = code->pdata[i];
        const RefTraffic *traffic = traffic_of(sim, instance->item);
        const RefClass *class =
            traffic ? &traffic->serves : class_of(sim, instance->item->class_name);
        warp->nodes[i] =
            (Node){instance, class, traffic, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, FALSE};
    }
}

/* ---- where --------------------------------------------------------------------------------- */

static gboolean taken(const Cu *cu, gint64 place)
{
    for (guint g = 0; g < cu->groups->len; g++)
        if (((const Group *)cu->groups->pdata[g])->place == place)
            return TRUE;
    return FALSE;
}

/* Since when the place may take a group: turnaround after the end of its last (R5); UNKNOWN while
 * it has one. */
static gint64 free_since(const Cu *cu, gint64 place)
{
    return taken(cu, place) ? UNKNOWN : g_array_index(cu->places, gint64, place);
}

/* R1: the lowest free slots. A group holds its slots until all of it is done, so that those of a
 * group always are together. */
static gint64 lowest_place(const Sim *sim, const Cu *cu)
{
    gint64 place = 0;
    while (free_since(cu, place) == UNKNOWN || free_since(cu, place) > sim->now)
        place++;
    return place;
}

/* When the first place is free; UNKNOWN while each has a group. */
static gint64 first_free(const Sim *sim, const Cu *cu)
{
    gint64 first = UNKNOWN;
    for (gint64 place = 0; place < sim->run->active_groups; place++) {
        const gint64 since = free_since(cu, place);
        if (since != UNKNOWN && (first == UNKNOWN || since < first))
            first = since;
    }
    return first;
}

/* The kind of the next group of a CU: of the groups that those of no kind before it are, a kind has
 * its share, rounded up. The first that lacks one gets it. */
static guint next_kind(const Sim *sim, const Cu *cu)
{
    const PsIdg *idg = sim->run->idg;
    gint64 groups = 1, parts = 0;
    for (guint k = 0; k < ref_kinds(idg); k++) {
        groups += g_array_index(cu->kinds, gint64, k);
        parts += ref_share(idg, sim->run->scope, k);
    }
    for (guint k = 0; k < ref_kinds(idg); k++) {
        const gint64 share = ref_share(idg, sim->run->scope, k);
        const gint64 had = g_array_index(cu->kinds, gint64, k);
        if (had * parts < share * groups)
            return k;
        groups -= had;
        parts -= share;
    }
    g_error("no kind of groups has its turn");
}

static void launch(Sim *sim, Cu *cu)
{
    const guint kind = next_kind(sim, cu);
    Group *group = g_new0(Group, 1);
    group->number = sim->next_group++;
    group->place = lowest_place(sim, cu);
    group->cu = cu->number;
    group->launched = sim->now;
    group->warps = g_new0(Warp, sim->run->warps_per_group);
    for (gint64 w = 0; w < sim->run->warps_per_group; w++)
        start_warp(sim, &group->warps[w], ref_code_of(sim->run->idg, sim->run->scope, kind, w));
    g_array_index(cu->kinds, gint64, kind)++;
    g_ptr_array_add(cu->groups, group);
    cu->last_launch = sim->now;
    ref_log_group(sim, REF_LAUNCH, group);
}

/* ---- when ---------------------------------------------------------------------------------- */

gint64 ref_launch_due(const Sim *sim, const Cu *cu)
{
    const gint64 place = first_free(sim, cu);
    if (place == UNKNOWN || sim->next_group >= sim->run->groups)
        return UNKNOWN;
    const gint64 due = MAX(sim->now, place);
    if (cu->last_launch == UNKNOWN)
        return due;
    return MAX(due, cu->last_launch + sim->run->group_interval); /* R5 */
}

/* R6: at the start one group per CU in turn; later, as places become free, all that a CU may have,
 * then those of the next. */
void ref_launch(Sim *sim)
{
    gboolean in_turn = sim->now == 0, more = TRUE;
    while (more) {
        more = FALSE;
        for (guint c = 0; c < sim->cus->len; c++) {
            Cu *cu = sim->cus->pdata[c];
            while (ref_launch_due(sim, cu) == sim->now) {
                launch(sim, cu);
                more = TRUE;
                if (in_turn)
                    break;
            }
        }
    }
}
