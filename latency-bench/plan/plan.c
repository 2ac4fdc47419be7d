/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The launches for a device: kernels that suit it, over a grid of warps, each at two lengths, so
 * that start and end drop out of the slope.
 *
 * Local memory limits the number of groups that a CU holds at once: each group asks for so much
 * that the wanted number fits, and no more; and as many groups are launched as all CUs hold
 * together. A device that gives a single group less than half of a CU's local memory can hold more
 * groups, and one whose local memory is not known any number: there the launch relies on groups
 * being spread over CUs evenly, and the driver looks where they really ran.
 */
#include "latency-bench/internal.h"
#include "latency-bench/plan/plan-private.h"

#include <string.h>

/* Threads of a group, for which every kernel is compiled. */
#define MOST_THREADS 1024

/* The longer of two lengths. */
#define LONGER 3

/* Size of a group that is assumed where the device does not say: it is usual for OpenCL devices. */
#define USUAL_GROUP 256

typedef struct {
    const PsDeviceInfo *info;
    PsBenchGrid grid;
    PsBenchPlan *plan;
    gint64 group_warps; /* most warps of a group */
    gint64 warps;       /* most warps of a CU that are known to be active at once */
} Planner;

void ps_bench_plan_free(PsBenchPlan *plan)
{
    if (!plan)
        return;
    g_ptr_array_unref(plan->kernels);
    g_array_unref(plan->points);
    g_ptr_array_unref(plan->warnings);
    g_free(plan);
}

/* ---- how many warps, in which groups ------------------------------------------------------- */

static gint64 or_else(gint64 figure, gint64 unknown)
{
    return figure > 0 ? figure : unknown;
}

/* Finds the limits; without any, a CU is only known to hold one group. */
static void find_limits(Planner *planner)
{
    const PsDeviceInfo *info = planner->info;
    const gint64 warp = MAX(info->warp_size, 1);
    const gint64 threads = MIN(or_else(info->limits.group_size, USUAL_GROUP), MOST_THREADS);
    planner->group_warps = MAX(threads / warp, 1);
    planner->warps = or_else(info->limits.warps, planner->group_warps);
}

/* The number of groups of a given size with `warps` warps in all; 0: there is none. */
static gint64 groups_of_size(const Planner *planner, gint64 warps, gint64 size)
{
    const gint64 of_group = (size + planner->info->warp_size - 1) / planner->info->warp_size;
    const gint64 most = or_else(planner->info->limits.groups, planner->warps);
    return of_group <= planner->group_warps && warps % of_group == 0 && warps / of_group <= most
               ? warps / of_group
               : 0;
}

/* The least number of groups with `warps` warps in all, or, where single_warps, the largest; 0:
 * there is none. */
static gint64 groups_for(const Planner *planner, gint64 warps, gboolean single_warps)
{
    const gint64 most =
        planner->info->limits.warps > 0 ? or_else(planner->info->limits.groups, planner->warps) : 1;
    gint64 found = 0;
    for (gint64 groups = 1; groups <= MIN(most, warps); groups++)
        if (warps % groups == 0 && warps / groups <= planner->group_warps) {
            found = groups;
            if (!single_warps)
                break;
        }
    return found;
}

/* ---- points -------------------------------------------------------------------------------- */

static guint repeats_in(const Planner *planner, const PsBenchKernel *kernel)
{
    static const guint repeats[] = {[PS_GRID_FULL] = 5, [PS_GRID_QUICK] = 3, [PS_GRID_REDUCED] = 3};
    if (kernel->kind == PS_BENCH_LEVEL && kernel->memory != PS_MEMORY_WALK)
        return 2 * repeats[planner->grid] - 1; /* the launches are few and short, so their
                                                  figures need more repeats */
    return ps_plan_is_rate(kernel) ? 3 : repeats[planner->grid];
}

static void add_point(Planner *planner, const PsBenchLaunch *launch)
{
    const PsBenchKernel *kernel = planner->plan->kernels->pdata[planner->plan->kernels->len - 1];
    const PsBenchPoint point = {planner->plan->kernels->len - 1, *launch,
                                repeats_in(planner, kernel)};
    g_array_append_val(planner->plan->points, point);
}

/* Fits the length of a kernel that must find nothing in a cache: the longer of two launches must
 * not come to a place again before twice the last cache has passed. FALSE: even the shortest length
 * comes to it too early. */
static gboolean fit_length(const PsBenchKernel *kernel, const PsDeviceInfo *info,
                           PsBenchLaunch *launch)
{
    if (!ps_bench_is_cold(kernel, launch))
        return TRUE;
    for (; launch->length > 0; launch->length /= 2) {
        PsBenchLaunch longer = *launch;
        longer.length *= LONGER;
        const gint64 reuse = ps_bench_footprint(kernel, info, &longer).reuse;
        if (reuse == 0 || reuse >= 2 * ps_bench_last_cache(info))
            return TRUE;
    }
    return FALSE;
}

/* Adds both lengths, for that many warps in that many groups on each CU. */
static void add_pair(Planner *planner, const PsBenchKernel *kernel, gint64 warps, gint64 groups)
{
    const PsDeviceInfo *info = planner->info;
    const gint64 needed = ps_plan_local_memory(kernel, info);
    /* a benchmark of L1 takes no more local memory than it needs, since the rest is L1 */
    const gint64 local = kernel->level == PS_LEVEL_L1 && kernel->memory
                             ? needed
                             : ps_bench_local_memory(info, groups, needed);
    if (local < 0)
        return;
    PsBenchLaunch launch = {.groups = MAX(info->compute_units, 1) * groups,
                            .group_size = warps / groups * MAX(info->warp_size, 1),
                            .local_memory = local,
                            .warps = warps,
                            .length = ps_plan_length(kernel, info, warps),
                            .memory = ps_plan_buffer(kernel, info, planner->grid),
                            .step = kernel->step};
    if (!fit_length(kernel, info, &launch))
        return;
    add_point(planner, &launch);
    launch.length *= LONGER;
    add_point(planner, &launch);
}

/* Numbers of warps. With one more than a multiple of the schedulers one of these has a warp more,
 * and decides: that tells pipelines of the CU from those of schedulers. */
static const gint64 *warps_in(PsBenchGrid grid)
{
    static const gint64 full[] = {1, 2, 3, 4, 6, 8, 9, 12, 16, 17, 24, 32, 33, 48, 49, 64, 0};
    static const gint64 quick[] = {1, 2, 4, 8, 9, 16, 17, 32, 33, 64, 0};
    static const gint64 reduced[] = {1, 2, 4, 8, 0};
    return grid == PS_GRID_FULL ? full : grid == PS_GRID_QUICK ? quick : reduced;
}

/* Eight chains are for telling schedulers from a CU-wide pipeline: with one warp or two, and, where
 * these do not fill a deep pipeline, with many that fill schedulers unevenly. */
static gboolean is_wanted(const PsBenchKernel *kernel, gint64 warps)
{
    return kernel->kind != PS_BENCH_CHAIN || kernel->ilp < 8 || warps <= 2 || warps == 17 ||
           warps == 33;
}

/* Adds splits of equal numbers of warps into other groups, where these should make no difference,
 * to show that they make none. */
static void add_splits(Planner *planner, const PsBenchKernel *kernel, gint64 warps)
{
    const gint64 fewest = groups_for(planner, warps, FALSE),
                 most = groups_for(planner, warps, TRUE);
    for (gint64 groups = fewest + 1; groups <= most; groups++)
        if (warps % groups == 0 && (groups & (groups - 1)) == 0)
            add_pair(planner, kernel, warps, groups);
}

static void add_level_points(Planner *planner, const PsBenchKernel *kernel)
{
    g_autoptr(GArray) launches = g_array_new(FALSE, FALSE, sizeof(PsBenchLaunch));
    ps_plan_level_launches(kernel, planner->info, planner->grid, planner->group_warps, launches);
    for (guint i = 0; i < launches->len; i++)
        add_point(planner, &g_array_index(launches, PsBenchLaunch, i));
}

static void add_points(Planner *planner, const PsBenchKernel *kernel)
{
    if (kernel->kind == PS_BENCH_LEVEL) {
        add_level_points(planner, kernel);
        return;
    }
    /* The warps of a group wait for each other at a barrier: as few as possible tell its Lambda. */
    const gboolean alone = strcmp(kernel->class_name, "barrier") == 0;
    for (const gint64 *warps = warps_in(planner->grid); *warps; warps++) {
        if (*warps > planner->warps || !is_wanted(kernel, *warps))
            continue;
        const gint64 groups = kernel->group_size > 0
                                  ? groups_of_size(planner, *warps, kernel->group_size)
                                  : groups_for(planner, *warps, alone);
        /* two groups of a CU might find each other's lines in its L1 instead of L2 */
        const gboolean meets = kernel->access == PS_ACCESS_FLOW && groups > 1;
        if (groups > 0 && !meets)
            add_pair(planner, kernel, *warps, groups);
        if (planner->grid == PS_GRID_FULL && strcmp(kernel->name, "fmadd-ilp1") == 0)
            add_splits(planner, kernel, *warps);
    }
}

/* Buffers are a quarter of memory at most, and a sweep goes through twice the last cache. */
static gboolean can_sweep(const PsDeviceInfo *info)
{
    return info->memory <= 0 || 2 * ps_bench_last_cache(info) <= info->memory / 4;
}

/* Warns of missing or unsure benchmarks of device memory. */
static void warn_of_memory(PsBenchPlan *plan, const PsDeviceInfo *info, guint n_left)
{
    const gint64 mib = 1024 * 1024, last = ps_bench_last_cache(info);
    if (n_left > 0)
        g_ptr_array_add(
            plan->warnings,
            g_strdup_printf("%u benchmarks of device memory are left out: %" G_GINT64_FORMAT
                            " MiB are too little to overwrite a cache of %" G_GINT64_FORMAT
                            " MiB twice",
                            n_left, info->memory / mib, last / mib));
    else if (ps_plan_is_real(info) && info->l2 <= 0)
        g_ptr_array_add(
            plan->warnings,
            g_strdup_printf(
                "the driver does not tell the size of the last cache: benchmarks of device "
                "memory assume %" G_GINT64_FORMAT " MiB, and levels of memory are "
                "not measured",
                last / mib));
}

PsBenchPlan *ps_bench_plan(const PsDeviceInfo *info, PsBenchGrid grid, const char *pattern)
{
    PsBenchPlan *plan = g_new0(PsBenchPlan, 1);
    plan->points = g_array_new(FALSE, FALSE, sizeof(PsBenchPoint));
    plan->warnings = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GPtrArray) all = ps_bench_kernels();
    plan->kernels = g_ptr_array_new_with_free_func((GDestroyNotify)ps_bench_kernel_free);
    Planner planner = {.info = info, .grid = grid, .plan = plan};
    guint n_left = 0;
    find_limits(&planner);
    for (guint i = 0; i < all->len; i++) {
        PsBenchKernel *kernel = all->pdata[i];
        if (!ps_plan_wants(kernel, info, grid) ||
            (pattern && !g_pattern_match_simple(pattern, kernel->name)))
            continue;
        if (kernel->level == PS_LEVEL_DEVICE && !can_sweep(info)) {
            n_left++;
            continue;
        }
        all->pdata[i] = NULL;
        g_ptr_array_add(plan->kernels, kernel);
        add_points(&planner, kernel);
    }
    warn_of_memory(plan, info, n_left);
    return plan;
}
