/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Chooses the launches of the kernels for validation that suit a device. Dynamic local memory
 * limits the number of groups that a CU holds. Where it cannot, because a group gets less of it
 * than a CU has, the launch is left out.
 */
#include "latency-bench/internal.h"
#include "latency-bench/validate/private.h"

#include <math.h>
#include <string.h>

#define MIB (G_GINT64_CONSTANT(1024) * 1024)

/* Trips of the mix, enough for a steady state. */
#define MOST_MIX 512

/* Threads of a group, for which every kernel is compiled. */
#define MOST_THREADS 1024

/* The largest transpose of the full grid; a larger one depends on caches and pages that no
 * description has. */
#define MOST_TRANSPOSE 8192

/* The sizes of a grid; warm caches must not hold the data that streams read. */
static const struct {
    gint64 matrix, width;             /* order of a matrix; order of a volume's planes */
    gint64 caches, least, most;       /* bytes of a stream: a multiple of L2, within limits */
    guint repeats, most_active_steps; /* numbers of steps in the list below; 0: all */
} grids[] = {[PS_GRID_FULL] = {1024, 1024, 8, 256 * MIB, 1024 * MIB, 5, 0},
             [PS_GRID_QUICK] = {1024, 512, 4, 128 * MIB, 512 * MIB, 3, 0},
             [PS_GRID_REDUCED] = {128, 64, 0, 2 * MIB, 2 * MIB, 3, 3}};

/* Active groups for kernels that do not need every number. */
static const gint64 some_active[] = {1, 2, 4, 3, 6, 8, 12, 16, 24, 32};

typedef struct {
    const PsDeviceInfo *info;
    PsBenchGrid grid;
    PsBenchPlan *plan;
    const PsWhole *whole; /* the present kernel */
} Planner;

/* ---- the device ---------------------------------------------------------------------------- */

static gint64 compute_units(const PsDeviceInfo *info)
{
    return MAX(info->compute_units, 1);
}

static gint64 warps_of(const PsDeviceInfo *info, gint64 group_size)
{
    const gint64 warp = MAX(info->warp_size, 1);
    return (group_size + warp - 1) / warp;
}

/* Groups of this size, with this local memory, that a CU holds at once; 1 where nothing is known of
 * the CU. */
static gint64 fitting(const PsDeviceInfo *info, gint64 group_size, gint64 local_memory)
{
    const PsLimits *limits = &info->limits;
    if (limits->warps <= 0)
        return 1;
    gint64 groups = limits->warps / warps_of(info, group_size);
    if (limits->groups > 0)
        groups = MIN(groups, limits->groups);
    const gint64 unit = MAX(limits->local_memory_unit, 1);
    gint64 each = local_memory + limits->local_memory_reserved;
    each = (each + unit - 1) / unit * unit;
    if (limits->local_memory > 0 && each > 0)
        groups = MIN(groups, limits->local_memory / each);
    return groups;
}

static gint64 most_threads(const PsDeviceInfo *info)
{
    return info->limits.group_size > 0 ? MIN(info->limits.group_size, MOST_THREADS) : 256;
}

/* Bytes of a stream: a power of two. */
static gint64 stream_bytes(const Planner *planner)
{
    gint64 wanted = CLAMP(MIN(planner->info->l2, 1024 * MIB) * grids[planner->grid].caches,
                          grids[planner->grid].least, grids[planner->grid].most);
    if (planner->info->memory > 0)
        wanted = MIN(wanted, planner->info->memory / 4);
    gint64 bytes = 64 * 1024;
    while (bytes * 2 <= wanted)
        bytes *= 2;
    return bytes;
}

/* ---- launches ------------------------------------------------------------------------------ */

static void shape_volume(const Planner *planner, PsBenchLaunch *launch)
{
    const gint64 width = grids[planner->grid].width, side = width + 2;
    launch->step = side;
    launch->length = MAX(stream_bytes(planner) / 8 / (side * side) - 2, 1);
    launch->memory = 8 * side * side * (launch->length + 2);
    launch->groups = width * width / launch->group_size;
}

static void shape_matrix(const Planner *planner, PsBenchLaunch *launch)
{
    const gint64 size = grids[planner->grid].matrix, tile = planner->whole->tile;
    launch->step = size;
    launch->length = size / tile;
    launch->groups = launch->length * launch->length;
    launch->memory = 3 * size * size * 4;
}

/* Shapes a transpose, whose step is set already. */
static void shape_transpose(PsBenchLaunch *launch)
{
    launch->memory = 8 * launch->step * launch->step;
    launch->groups = (launch->step / 32) * (launch->step / 32);
}

/* Fills in the values that follow from group size and active groups. */
static void shape(const Planner *planner, gint64 active, PsBenchLaunch *launch)
{
    const PsShape kind = planner->whole->shape;
    launch->memory = stream_bytes(planner);
    launch->length = 1;
    launch->step = MAX(launch->step, 1);
    launch->groups = compute_units(planner->info) * active;
    if (kind == PS_SHAPE_MATRIX) {
        shape_matrix(planner, launch);
    } else if (kind == PS_SHAPE_TRANSPOSE) {
        shape_transpose(launch);
    } else if (kind == PS_SHAPE_VOLUME) {
        shape_volume(planner, launch);
    } else if (kind == PS_SHAPE_VECTOR) {
        launch->groups = launch->memory / 8 / launch->group_size;
    } else {
        const gint64 trips = launch->memory / 4 / (launch->groups * launch->group_size);
        launch->length = CLAMP(trips, 1, kind == PS_SHAPE_MIX ? MOST_MIX : G_MAXINT32 / 4);
        launch->step = launch->group_size;
    }
}

static void add_point(const Planner *planner, gint64 active, gint64 local, PsBenchLaunch *launch)
{
    launch->local_memory = local;
    shape(planner, active, launch);
    const gint64 each = (launch->groups + compute_units(planner->info) - 1) /
                        compute_units(planner->info); /* N of the model */
    if (active > each)
        return;
    launch->warps = active * warps_of(planner->info, launch->group_size);
    const PsBenchPoint point = {planner->plan->kernels->len - 1, *launch,
                                grids[planner->grid].repeats};
    g_array_append_val(planner->plan->points, point);
}

/* ---- what is varied ------------------------------------------------------------------------ */

static void add_active(const Planner *planner, gint64 active)
{
    const PsWhole *whole = planner->whole;
    const gint64 local = ps_bench_local_memory(planner->info, active, whole->local_memory);
    PsBenchLaunch launch = {.group_size = whole->group_size};
    if (local >= 0 && fitting(planner->info, whole->group_size, local) == active)
        add_point(planner, active, local, &launch);
}

static void vary_active(const Planner *planner)
{
    const PsWhole *whole = planner->whole;
    const gint64 most = fitting(planner->info, whole->group_size, whole->local_memory);
    const guint steps = grids[planner->grid].most_active_steps;
    if (whole->shape == PS_SHAPE_MATRIX) {
        for (gint64 active = 1; active <= most; active++)
            add_active(planner, active);
        return;
    }
    for (guint i = 0; i < (steps ? steps : G_N_ELEMENTS(some_active)); i++)
        if (some_active[i] <= most)
            add_active(planner, some_active[i]);
}

static void vary_group_size(const Planner *planner)
{
    for (gint64 size = 64; size <= most_threads(planner->info); size *= 2) {
        const gint64 local = planner->whole->shape == PS_SHAPE_SUM ? 4 * size : 0;
        PsBenchLaunch launch = {.group_size = size};
        add_point(planner, fitting(planner->info, size, local), local, &launch);
    }
}

static void vary_order(const Planner *planner)
{
    const PsWhole *whole = planner->whole;
    const gint64 active = fitting(planner->info, whole->group_size, whole->local_memory);
    const gint64 most = MIN((gint64)sqrt((double)stream_bytes(planner) / 8), MOST_TRANSPOSE);
    for (gint64 order = most / 32 * 32, i = 0; order >= 32 && i < 2; order = order / 64 * 32, i++) {
        PsBenchLaunch launch = {.group_size = whole->group_size, .step = order};
        add_point(planner, active, whole->local_memory, &launch);
    }
}

static void add_kernel(Planner *planner)
{
    const gint64 least = planner->whole->group_size;
    if (least > most_threads(planner->info))
        return;
    if (planner->whole->shape == PS_SHAPE_TRANSPOSE)
        vary_order(planner);
    else if (planner->whole->group_size == 0)
        vary_group_size(planner);
    else
        vary_active(planner);
}

PsBenchPlan *ps_validation_plan(const PsDeviceInfo *info, PsBenchGrid grid, const char *pattern)
{
    PsBenchPlan *plan = g_new0(PsBenchPlan, 1);
    guint n = 0;
    const PsWhole *whole = ps_whole_all(&n);
    plan->points = g_array_new(FALSE, FALSE, sizeof(PsBenchPoint));
    plan->warnings = g_ptr_array_new_with_free_func(g_free);
    plan->kernels = g_ptr_array_new_with_free_func((GDestroyNotify)ps_bench_kernel_free);
    g_autoptr(GPtrArray) all = ps_validation_kernels();
    Planner planner = {info, grid, plan, NULL};
    for (guint i = 0; i < n; i++) {
        if (whole[i].grids < grid || (pattern && !g_pattern_match_simple(pattern, whole[i].name)))
            continue;
        planner.whole = &whole[i];
        g_ptr_array_add(plan->kernels, g_steal_pointer(&all->pdata[i]));
        add_kernel(&planner);
    }
    return plan;
}
