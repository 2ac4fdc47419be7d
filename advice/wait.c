/* SPDX-License-Identifier: BSD-3-Clause */
/* Advice on what warps wait for beside data and pipelines: each other, and issue ports. See
 * kind.h. */
#include "advice/kind.h"

#include "advice/work.h"

#include <math.h>

/* ---- barriers ------------------------------------------------------------------------------ */

/* The program of a warp of a group of that kind. */
static guint program_of(const PsAnswer *answer, guint kind, gint64 warp)
{
    return (guint)ps_kernel_program_of(answer->kernel, kind, warp);
}

/* A warp of the groups of that kind that runs that program. */
static gint64 warp_of(const PsAnswer *answer, guint kind, guint program)
{
    gint64 warp = 0;
    while (warp + 1 < answer->machine->launch.warps_per_group &&
           program_of(answer, kind, warp) != program)
        warp++;
    return warp;
}

/* The barrier's row of the path that takes longest; NULL where none is on it. */
static const PsPathRow *longest_barrier(const PsAnswer *answer)
{
    const GPtrArray *path = answer->explain->path;
    for (guint i = 0; path && i < path->len; i++) {
        const PsPathRow *row = path->pdata[i];
        if (row->kind == PS_PATH_BARRIER)
            return row;
    }
    return NULL;
}

/* How much of what a path's row shows is what the late warp does more often than the other. */
static double share_of_more(const char *key, GHashTable *late, GHashTable *other)
{
    const double times = ps_work_times(late, key);
    return times > 0 ? fmax(0, 1 - ps_work_times(other, key) / times) : 0;
}

/* Where the late warp's code has most of the critical path that the other's has not; where nothing
 * is known of that, the barrier stays the place. */
static void place_late(const PsAnswer *answer, guint late, guint other, PsAdvice *advice)
{
    g_autoptr(GHashTable) does = ps_work_new(answer->kernel, late, FALSE);
    g_autoptr(GHashTable) others = ps_work_new(answer->kernel, other, FALSE);
    g_autoptr(GHashTable) shares = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    double most = 0;
    for (guint i = 0; i < answer->explain->path->len; i++) {
        const PsPathRow *row = answer->explain->path->pdata[i];
        if (row->node == G_MAXUINT || row->program != late || row->kind == PS_PATH_BARRIER)
            continue;
        char *key =
            ps_work_key(answer->kernel->idg, answer->kernel->programs[late].nodes[row->node].item);
        double *share = g_new(double, 1);
        *share = ps_work_times(shares, key) + (double)row->ticks * share_of_more(key, does, others);
        if (*share > most) {
            most = *share;
            advice->program = row->program;
            advice->node = row->node;
        }
        g_hash_table_replace(shares, key, share);
    }
}

/* Where the warps of a group have different code, the late one gets that of each other, in turn. */
void ps_advice_barriers(PsAdvicePlan *plan)
{
    const PsAnswer *answer = plan->answer;
    const PsPathRow *row = longest_barrier(answer);
    if (!row)
        return;
    const guint kind = answer->kernel->programs[row->program].kind;
    const guint late = program_of(answer, kind, row->warp);
    for (guint p = 0; p < answer->kernel->n_programs; p++) {
        const gint64 warp = warp_of(answer, kind, p);
        if (p == late || program_of(answer, kind, warp) != p)
            continue;
        PsVariant *variant = ps_variant_new(plan->question);
        variant->question.program = late;
        variant->question.other_program = p;
        variant->share = ps_explain_path_share(answer, PS_PATH_BARRIER, G_MAXUINT);
        PsAdvice *advice =
            ps_advice_add(plan, PS_CAUSE_BARRIER, PS_CHANGE_LATE_WARP, row->class_index, variant)
                ->advice;
        advice->share = ps_explain_barrier_share(answer->explain);
        advice->warp = row->warp;
        advice->other_warp = warp;
        advice->kind = kind;
        place_late(answer, late, p, advice);
    }
}

/* ---- issue ports --------------------------------------------------------------------------- */

/* The share of the critical path that waits for issue ports, and the class that holds them
 * longest. */
static double waiting_for_ports(const PsAnswer *answer, guint *class_index)
{
    const GPtrArray *shares = answer->explain->by_class;
    double sum = 0;
    *class_index = G_MAXUINT;
    for (guint i = 0; shares && i < shares->len; i++) {
        const PsExplainShare *share = shares->pdata[i];
        if (share->kind != PS_PATH_PORT)
            continue;
        if (*class_index == G_MAXUINT)
            *class_index = share->class_index;
        sum += share->share;
    }
    return sum;
}

/* Every instruction takes its port for equally long, so ports twice as wide are what half as many
 * instructions would leave of them. What gains more than the path has of waiting for them does so
 * by chance. */
void ps_advice_ports(PsAdvicePlan *plan)
{
    const PsAnswer *answer = plan->answer;
    guint class_index;
    const double share = waiting_for_ports(answer, &class_index);
    if (answer->machine->refinements.schedulers == 0 || share < PS_ADVICE_LEAST ||
        class_index == G_MAXUINT)
        return;
    PsVariant *variant = ps_variant_new(plan->question);
    variant->question.ports = 2;
    variant->share = share;
    variant->question.clamp = PS_CLAMP_NONE;
    ps_advice_add(plan, PS_CAUSE_ISSUE_PORT, PS_CHANGE_PORTS, class_index, variant)->advice->share =
        share;
}
