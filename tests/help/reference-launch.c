/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Launches of the slow simulator, and what a group is made of: see reference-sim.h.
 */
#include "tests/help/reference-sim.h"

#include <string.h>

static gint64 value_of(const Sim *sim, const PsExpr *expr)
{
    GError *error = NULL;
    gint64 value = 0;
    if (!ps_expr_eval_int(expr, sim->run->scope, (PsPlace){"test", 0},
                          &(PsIntRange){"warp", 0, G_MAXINT32}, &value, &error))
        g_error("%s", error->message);
    return value;
}

static gboolean claims(const Sim *sim, const PsIdgCode *code, gint64 warp)
{
    for (guint i = 0; code->warps && i < code->warps->len; i++) {
        const PsIdgWarps *range = code->warps->pdata[i];
        gint64 first = value_of(sim, range->first);
        gint64 last = range->last ? value_of(sim, range->last) : first;
        if (first <= warp && warp <= last)
            return TRUE;
    }
    return FALSE;
}

/* The code that a warp of each group runs: the one that claims it, else the one for the rest. */
static GPtrArray *code_of(const Sim *sim, gint64 warp)
{
    const GPtrArray *codes = sim->run->idg->codes;
    for (guint c = 0; c < codes->len; c++)
        if (claims(sim, codes->pdata[c], warp))
            return sim->codes->pdata[c];
    for (guint c = 0; c < codes->len; c++)
        if (!((const PsIdgCode *)codes->pdata[c])->warps)
            return sim->codes->pdata[c];
    g_error("no code for warp %" G_GINT64_FORMAT, warp);
}

static const RefClass *class_of(const Sim *sim, const char *asked)
{
    for (guint i = 0; i < sim->run->n_classes; i++)
        if (strcmp(sim->run->classes[i].asked, asked) == 0)
            return &sim->run->classes[i];
    g_error("no class %s", asked);
}

static void start_warp(const Sim *sim, Warp *warp, const GPtrArray *code)
{
    warp->n_nodes = code->len;
    warp->nodes = g_new0(Node, code->len);
    for (guint i = 0; i < code->len; i++) {
        const RefInstance *instance = code->pdata[i];
        warp->nodes[i] = (Node){
            instance, class_of(sim, instance->item->klass), UNKNOWN, UNKNOWN, UNKNOWN, FALSE};
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

/* R1: the lowest free slots. A group holds its slots until all of it is done, so that those of a
 * group always are together. */
static gint64 lowest_place(const Cu *cu)
{
    gint64 place = 0;
    while (taken(cu, place))
        place++;
    return place;
}

static void launch(Sim *sim, Cu *cu)
{
    Group *group = g_new0(Group, 1);
    group->number = sim->next_group++;
    group->place = lowest_place(cu);
    group->cu = cu->number;
    group->launched = sim->now;
    group->warps = g_new0(Warp, sim->run->warps_per_group);
    for (gint64 w = 0; w < sim->run->warps_per_group; w++)
        start_warp(sim, &group->warps[w], code_of(sim, w));
    g_ptr_array_add(cu->groups, group);
    cu->last_launch = sim->now;
    ref_log_group(sim, REF_LAUNCH, group);
}

/* ---- when ---------------------------------------------------------------------------------- */

gint64 ref_launch_due(const Sim *sim, const Cu *cu)
{
    if ((gint64)cu->groups->len >= sim->run->active_groups || sim->next_group >= sim->run->groups)
        return UNKNOWN;
    if (cu->last_launch == UNKNOWN)
        return sim->now;
    return MAX(sim->now, cu->last_launch + sim->run->group_interval); /* R5 */
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
