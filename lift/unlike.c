/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Groups that execute the same, and access memory otherwise, since places follow from data: one
 * gathers at random, another in order. They are of one kind, for kinds go by instructions, and the
 * graph has the accesses of one of them.
 */
#include "lift/build-private.h"

#include <math.h>

/* Parts of the launch that count alike, as more groups are looked at of some than of others; so
 * many parts, at least, tell what all do. */
#define PARTS 16
#define LEAST_PARTS 4
/* A word is worth what changes a group's sectors by so much. */
#define LEAST_SHARE 0.1

/* Sectors of global memory, wherever requests begin in one: at each point, and at all. */
typedef struct {
    double *at, all;
} Sectors;

static void add_sequence(const PsRollSequence *sequence, double times, Sectors *sectors)
{
    for (guint i = 0; i < sequence->n_items; i++) {
        const PsRollItem *item = &sequence->items[i];
        if (item->kind == PS_ROLL_STEP && item->pattern && item->pattern->space == PS_PTX_GLOBAL) {
            const double sum = times * item->pattern->spread / PS_SECTOR;
            sectors->at[item->point] += sum;
            sectors->all += sum;
        }
        for (guint r = 0; item->kind == PS_ROLL_LOOP && r < item->n_runs; r++)
            add_sequence(item->runs[r].body, times * (double)item->runs[r].times, sectors);
    }
}

static void add_group(const PsRollGroup *group, double times, Sectors *sectors)
{
    for (guint i = 0; i < group->warps->len; i++) {
        const PsRollWarps *warps = group->warps->pdata[i];
        add_sequence(warps->sequence, times * warps->warps->len, sectors);
    }
}

static guint part_of(const PsSamples *samples, const PsRollGroup *group)
{
    const double place = (double)ps_samples_place(samples, group->group);
    return MIN((guint)(place * PARTS / (double)ps_samples_groups(samples)), PARTS - 1);
}

/* Whether the group is one of those that were recorded and execute as much as that one. */
static gboolean is_alike(const PsRollGroup *one, const PsRollGroup *group)
{
    return one->length == group->length;
}

/* Adds up the groups like that one, each part of the launch by its mean; gives their number, or 0
 * where they are of too few parts. */
static guint add_alike(const PsSamples *samples, const PsRollGroup *group, Sectors *sectors)
{
    const GPtrArray *all = ps_roll_groups(samples->roll);
    guint of_part[PARTS] = {0}, n = 0, parts = 0;
    for (guint i = 0; i < all->len; i++)
        if (is_alike(all->pdata[i], group)) {
            parts += of_part[part_of(samples, all->pdata[i])]++ == 0;
            n++;
        }
    for (guint i = 0; parts >= LEAST_PARTS && i < all->len; i++)
        if (is_alike(all->pdata[i], group))
            add_group(all->pdata[i], 1.0 / (parts * of_part[part_of(samples, all->pdata[i])]),
                      sectors);
    return parts >= LEAST_PARTS ? n : 0;
}

static void warn_of_kind(const PsSamples *samples, const PsPtxCode *code, const PsRollGroup *group,
                         GPtrArray *warnings)
{
    g_autofree double *own_at = g_new0(double, code->n_points + 1);
    g_autofree double *mean_at = g_new0(double, code->n_points + 1);
    Sectors own = {.at = own_at}, mean = {.at = mean_at};
    guint most = 0;
    add_group(group, 1, &own);
    const guint n = add_alike(samples, group, &mean);
    if (n == 0 || fabs(mean.all - own.all) <= LEAST_SHARE * MAX(mean.all, own.all))
        return;
    for (guint p = 1; p < code->n_points; p++)
        if (fabs(mean.at[p] - own.at[p]) > fabs(mean.at[most] - own.at[most]))
            most = p;
    g_autofree char *where = ps_ptx_code_where(code, most);
    const char *name = samples->options->sample_name;
    g_ptr_array_add(
        warnings,
        g_strdup_printf("%s: groups that execute the same access other places here: %.0f sectors "
                        "in group %u,%u,%u, which the graph has, and %.0f in the mean of the %u "
                        "that were looked at; the time is of the former%s%s%s",
                        where, own.at[most], group->group[0], group->group[1], group->group[2],
                        mean.at[most], n, name ? "; " : "", name ? name : "",
                        name ? " X,Y,Z takes another one" : ""));
}

void ps_build_warn_of_unlike(const PsSamples *samples, const PsPtxCode *code, GPtrArray *warnings)
{
    const guint before = warnings->len;
    for (guint k = 0; k < samples->chosen->len && warnings->len == before; k++)
        warn_of_kind(samples, code, g_array_index(samples->chosen, PsKind, k).group, warnings);
}
