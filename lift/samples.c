/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs groups: those of the plan, from which the cache model learns what groups share, and those
 * that the caller asked for; then those that show of which kinds all are (samples-kinds.c).
 */
#include "lift/build-private.h"

#include <string.h>

/* Kinds of iterations of a loop in a graph, at most; people could not read more. */
#define MOST_KINDS 16

/* ---- groups that are asked for -------------------------------------------------------------- */

static gboolean check_group(const PsBuildOptions *options, const guint group[3], GError **error)
{
    const guint *grid = options->launch.grid;
    if (group[0] < grid[0] && group[1] < grid[1] && group[2] < grid[2])
        return TRUE;
    g_set_error(error, PS_ERROR, PS_ERROR_VALUE,
                "there is no group %u,%u,%u: the grid has %u x %u x %u groups, counted from 0",
                group[0], group[1], group[2], grid[0], grid[1], grid[2]);
    return FALSE;
}

static gboolean run_listed(PsSamples *samples, GError **error)
{
    const PsBuildOptions *options = samples->options;
    for (guint i = 0; i < options->n_samples; i++)
        if (!check_group(options, options->samples[i], error))
            return FALSE;
    for (guint i = 0; i < options->n_samples; i++) {
        const guint *group = options->samples[i];
        if (!ps_samples_execute(samples, group, ps_samples_planned(samples, group), error))
            return FALSE;
    }
    return TRUE;
}

static gboolean run_first(PsSamples *samples, GError **error)
{
    for (guint i = 0; i < samples->plan->len; i++) {
        PsPlanned *one = &g_array_index(samples->plan, PsPlanned, i);
        if (one->first && !ps_samples_execute(samples, one->group, one, error))
            return FALSE;
    }
    return TRUE;
}

/* ---- groups that share with them ------------------------------------------------------------ */

/* Executes a group that only the plan wants. It may exceed its limit of time or memory; any other
 * fault is the kernel's. A user who asked for other groups gets a warning, and their graph. A group
 * that took a number from a counter ends the plan, since no other group does its work. */
static gboolean run_beside(PsSamples *samples, PsPlanned *one, guint64 most, GError **error)
{
    g_autoptr(GError) why = NULL;
    ps_ptx_machine_limit(samples->machine, ps_samples_takes_numbers(samples) ? 0 : most);
    const gboolean good = ps_samples_execute(samples, one->group, one, &why);
    ps_ptx_machine_limit(samples->machine, 0);
    if (good || samples->cancelled)
        return TRUE;
    const gboolean full = ps_ptx_machine_full(samples->machine);
    if (!full && most > 0 && g_error_matches(why, PS_ERROR, PS_ERROR_LIMIT))
        return TRUE;
    if (!full && samples->options->n_samples == 0) {
        g_propagate_error(error, g_steal_pointer(&why));
        return FALSE;
    }
    if (!samples->left_out)
        samples->left_out =
            g_strdup_printf("shares of traffic are without what group %u,%u,%u shares: %s",
                            one->group[0], one->group[1], one->group[2], why->message);
    return TRUE;
}

/* Executes the rest of the plan, while that takes no more than its first groups did, or an
 * unnoticeable time. */
static gboolean run_plan(PsSamples *samples, GError **error)
{
    guint64 first = 0, spent = 0;
    for (guint i = 0; i < samples->plan->len; i++) {
        PsPlanned *one = &g_array_index(samples->plan, PsPlanned, i);
        const guint64 budget = MAX(first, PS_SAMPLES_BUDGET);
        if (!samples->cancelled && !one->done && (one->first || spent < budget) &&
            !run_beside(samples, one, one->first ? 0 : budget - spent, error))
            return FALSE;
        if (one->first)
            first += one->took;
        else
            spent += one->took;
    }
    return TRUE;
}

static gboolean run_all(PsSamples *samples, GError **error)
{
    const PsBuildOptions *options = samples->options;
    if (options->n_samples > 0 ? !run_listed(samples, error) : !run_first(samples, error))
        return FALSE;
    if (options->sampled)
        options->sampled(options->sampled_data);
    return ps_samples_are_whole(options) || run_plan(samples, error);
}

/* ---- points --------------------------------------------------------------------------------- */

/* Keeps the branches that parted lanes, and all branches through tables, whose events do not tell
 * where lanes go. */
static void clear_others(const PsPtxCode *code, guint8 *apart)
{
    for (guint p = 0; p < code->n_points; p++) {
        const PsPtxPoint *point = &code->points[p];
        apart[p] = point->targets != NULL || (apart[p] && point->target != PS_PTX_NOWHERE);
    }
}

/* Notes the waits for mbarriers at which all warps of a group meet in every group. A group of one
 * warp has no such waits. */
static void find_meetings(PsSamples *samples, const PsPtxCode *code)
{
    samples->meets = g_new0(guint8, code->n_points + 1);
    for (guint p = 0; p < code->n_points; p++)
        samples->meets[p] =
            ps_ptx_machine_wait(samples->machine, p) == (PS_PTX_WAIT_OWN | PS_PTX_WAIT_OTHERS);
}

static void find_ways(PsSamples *samples, const PsPtxCode *code)
{
    samples->ways = g_new0(guint8, code->n_points + 1);
    for (guint p = 0; p < code->n_points; p++)
        samples->ways[p] = (guint8)ps_ptx_machine_way(samples->machine, p);
}

static void find_products(PsSamples *samples, const PsPtxCode *code)
{
    samples->products = g_new0(const PsPtxTensorProduct *, code->n_points + 1);
    for (guint p = 0; p < code->n_points; p++)
        samples->products[p] = ps_ptx_machine_product(samples->machine, p);
}

/* ---- all of it ------------------------------------------------------------------------------ */

static void begin(PsSamples *samples, const PsPtxCode *code)
{
    const PsBuildOptions *options = samples->options;
    const guint *grid = options->launch.grid;
    const guint *block = options->launch.block;
    const guint n_warps = (block[0] * block[1] * block[2] + PS_PTX_LANES - 1) / PS_PTX_LANES;
    const guint held = ps_samples_resident(options, code);
    PsRollOptions roll = {.most_kinds = MOST_KINDS,
                          .all_issue = options->machine != NULL,
                          .patterns = {.grid = {grid[0], grid[1], grid[2]},
                                       .l1 = ps_samples_l1(options, code),
                                       .l2 = options->l2,
                                       .sector = options->sector,
                                       .fill = options->fill,
                                       .fetch = options->fetch,
                                       .masked = options->masked,
                                       .rows = options->rows,
                                       .place = options->place,
                                       .units = options->compute_units,
                                       .resident = held,
                                       .rounds = ps_plan_rounds(grid, options->compute_units),
                                       .l1_global = options->l1_global,
                                       .counts = ps_target_counts(options->module->target)}};
    samples->extents = ps_ptx_machine_extents(samples->machine, &roll.patterns.n_extents);
    roll.patterns.extents = samples->extents;
    samples->strata = ps_strata_of_grid(grid);
    samples->begun = samples->told = g_get_monotonic_time();
    samples->due = PS_SAMPLES_HEARING;
    samples->plan = ps_plan_new(grid, options->l1 > 0 ? options->compute_units : 0, held);
    samples->roll = ps_roll_new(code, &roll);
    samples->record = ps_roll_listener(samples->roll);
    samples->apart = g_new0(guint8, code->n_points + 1);
    samples->takes = ps_samples_takers(code);
    samples->first_at = g_new0(guint64, code->n_points + 1);
    samples->all_at = g_new0(guint64, code->n_points + 1);
    samples->warps_at = g_new0(guint32, code->n_points + 1);
    samples->census = ps_census_new(code->n_points, n_warps);
    samples->tally = ps_tally_new(code->n_points);
    samples->recorded = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free,
                                              (GDestroyNotify)g_ptr_array_unref);
    samples->numbers = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    samples->counted = g_ptr_array_new_with_free_func(g_free);
    samples->shown = g_ptr_array_new();
    if (options->n_samples == 0) {
        samples->n_edges = ps_strata_count(&samples->strata);
    }
}

/* FALSE and *error if executed code takes a time that is not known here. */
static gboolean is_timed(const PsSamples *samples, const PsPtxCode *code, GError **error)
{
    for (guint i = 0; i < code->n_points; i++) {
        const PsPtxTensorProduct *product = ps_ptx_machine_product(samples->machine, i);
        if (!product || !product->differs)
            continue;
        g_autofree char *where = ps_ptx_code_where(code, i);
        g_set_error(error, PS_ERROR, PS_ERROR_VALUE,
                    "%s: how long a product with tensor memory takes whose shape or types change "
                    "from one execution to the next is not known to pipesim",
                    where);
        return FALSE;
    }
    return TRUE;
}

gboolean ps_samples_run(PsSamples *samples, const PsBuildOptions *options, GError **error)
{
    *samples = (PsSamples){.options = options};
    PsPtxLaunch launch = options->launch;
    launch.partial = options->partial;
    launch.way_only = !options->sampled; /* that may look at results */
    launch.all_issue = options->machine != NULL;
    launch.assembled = TRUE;
    launch.partial_name = options->partial_name;
    samples->machine = ps_ptx_machine_new(options->module, &launch, error);
    if (!samples->machine)
        return FALSE;
    const PsPtxCode *code = ps_ptx_machine_code(samples->machine);
    begin(samples, code);
    if (!run_all(samples, error) || !is_timed(samples, code, error))
        return FALSE;
    if (!ps_samples_are_whole(options) && !samples->cancelled)
        ps_samples_wave(samples, ps_samples_resident(options, code));
    ps_roll_settle(samples->roll);
    if (!samples->cancelled && !ps_samples_find_groups(samples, error))
        return FALSE;
    if (samples->cancelled) {
        g_propagate_error(error, g_steal_pointer(&samples->cancelled));
        return FALSE;
    }
    /* over all groups, with those that only show kinds: one of these may be the graph's */
    clear_others(code, samples->apart);
    find_meetings(samples, code);
    find_ways(samples, code);
    find_products(samples, code);
    return TRUE;
}

void ps_samples_clear(PsSamples *samples)
{
    g_clear_error(&samples->cancelled);
    g_clear_pointer(&samples->groups, g_ptr_array_unref);
    g_clear_pointer(&samples->kinds, g_array_unref);
    g_clear_pointer(&samples->chosen, g_array_unref);
    g_clear_pointer(&samples->roll, ps_roll_free);
    g_clear_pointer(&samples->plan, g_array_unref);
    g_clear_pointer(&samples->classes, ps_samples_free_classes);
    g_clear_pointer(&samples->decided, g_free);
    g_clear_pointer(&samples->extents, g_free);
    g_clear_pointer(&samples->census, ps_census_free);
    g_clear_pointer(&samples->tally, ps_tally_free);
    g_clear_pointer(&samples->recorded, g_hash_table_unref);
    g_clear_pointer(&samples->numbers, g_hash_table_unref);
    g_clear_pointer(&samples->counted, g_ptr_array_unref);
    g_clear_pointer(&samples->shown, g_ptr_array_unref);
    g_clear_pointer(&samples->left_out, g_free);
    g_clear_pointer(&samples->few, g_free);
    g_clear_pointer(&samples->apart, g_free);
    g_clear_pointer(&samples->first_at, g_free);
    g_clear_pointer(&samples->all_at, g_free);
    g_clear_pointer(&samples->warps_at, g_free);
    g_clear_pointer(&samples->meets, g_free);
    g_clear_pointer(&samples->ways, g_free);
    g_clear_pointer(&samples->takes, g_free);
    g_clear_pointer(&samples->products, g_free);
    g_clear_pointer(&samples->machine, ps_ptx_machine_free);
}
