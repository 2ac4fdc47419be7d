/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Launches of the benchmarks of levels, atomic operations and launches. The size of a buffer
 * decides which level serves it. The driver knows the size of one cache at most, so walks go
 * through buffers of many sizes, and describe/level.c finds the levels from their times.
 *
 * A buffer that is to lie in a cache is walked once before the time begins. A larger buffer is at
 * least twice as large as that cache, and no launch begins where another one did.
 */
#include "base/class-name.h"
#include "latency-bench/internal.h"
#include "latency-bench/plan/plan-private.h"

#include <string.h>

#define KIB G_GINT64_CONSTANT(1024)
#define MIB (1024 * KIB)

/* Bytes of a line of a walk. */
#define LINE 128

/* The largest buffer that is walked once before the time begins: that takes 0.4 s for the full
 * grid, which finds caches up to that size. */
#define MOST_WARM (128 * MIB)
#define MOST_WARM_QUICK (32 * MIB)

/* A buffer larger than the caches that drivers do not report. */
#define LARGEST (512 * MIB)

/* Factor between two lengths, and between two numbers of groups. */
#define LONGER 8

typedef struct {
    const PsDeviceInfo *info;
    PsBenchGrid grid;
    GArray *launches;     /* PsBenchLaunch */
    gint64 warp, threads; /* threads of a warp, and of a large group */
} Points;

/* Adds both lengths, on that many CUs. */
static void add_pair(const Points *points, gint64 groups, gint64 threads, gint64 length,
                     gint64 memory, gint64 step)
{
    PsBenchLaunch launch = {.groups = groups,
                            .group_size = threads,
                            .warps = threads / points->warp,
                            .length = length,
                            .memory = memory,
                            .step = step};
    g_array_append_val(points->launches, launch);
    launch.length *= LONGER;
    g_array_append_val(points->launches, launch);
}

/* ---- buffers ------------------------------------------------------------------------------- */

/* Bytes of half of the cache that the driver reports. */
static gint64 half_of_l2(const Points *points)
{
    return points->info->l2 / 2 / KIB * KIB;
}

static gint64 largest(const Points *points)
{
    const gint64 wanted = MAX(LARGEST, 4 * points->info->l2), memory = points->info->memory;
    return (memory > 0 ? MIN(wanted, memory / 4) : wanted) / MIB * MIB;
}

/* Calls add for sizes at least twice as large as that cache, each `factor` times the one before. */
static void add_large(const Points *points, gint64 factor,
                      void (*add)(const Points *points, gint64 memory))
{
    for (gint64 bytes = largest(points); bytes >= 2 * points->info->l2 && bytes > 0;
         bytes = bytes / factor / KIB * KIB)
        add(points, bytes);
}

static void add_walk(const Points *points, gint64 memory)
{
    const gint64 length = 16, warm = points->grid == PS_GRID_FULL ? MOST_WARM : MOST_WARM_QUICK;
    const gboolean is_warm = memory <= MAX(warm, points->info->l2);
    add_pair(points, 1, points->warp, length, memory, is_warm ? memory / LINE : 0);
}

static void add_walks(const Points *points)
{
    static const gint64 small[] = {4,   8,   16,  24,  32,  48,  64,  96,
                                   128, 160, 192, 224, 256, 320, 384, 512};
    for (guint i = 0; i < G_N_ELEMENTS(small) && small[i] * KIB < half_of_l2(points); i++)
        add_walk(points, small[i] * KIB);
    add_walk(points, half_of_l2(points));
    add_large(points, points->grid == PS_GRID_FULL ? 2 : 4, add_walk);
}

/* Adds flows of all CUs and of one alone; the shorter one goes through the whole buffer. */
static void add_flow(const Points *points, gint64 memory)
{
    const gint64 cus = MAX(points->info->compute_units, 1), least = 64;
    const gint64 tile = points->threads * 32; /* bytes of a group and trip */
    add_pair(points, cus, points->threads, MAX(memory / tile / cus, least), memory, 1);
    if (memory > FITS_L1 && cus > 1)
        add_pair(points, 1, points->threads, MAX(memory / tile, least), memory, 1);
}

static void add_flows(const Points *points)
{
    add_flow(points, FITS_L1);
    add_flow(points, half_of_l2(points));
    add_large(points, 4, add_flow);
}

/* Adds a copy by all CUs, from one half of the largest buffer to the other; the shorter one copies
 * all of it. There is none where the buffer is not beyond twice the cache. */
static void add_copy(const Points *points)
{
    const gint64 cus = MAX(points->info->compute_units, 1), memory = largest(points);
    const gint64 tile = points->threads * 64, least = 64; /* bytes that a group reads and writes */
    if (memory > 2 * points->info->l2)
        add_pair(points, cus, points->threads, MAX(memory / tile / cus, least), memory, 1);
}

/* Adds more and more warps of each CU through the largest buffer. All of them read it (parts: 1),
 * or copy one half to the other (2). */
static void add_queue(const Points *points, gint64 parts)
{
    static const gint64 warps[] = {1, 2, 3, 4, 6, 8, 12, 16};
    const gint64 cus = MAX(points->info->compute_units, 1), memory = largest(points), least = 64;
    if (memory <= parts * points->info->l2)
        return;
    for (guint i = 0; i < G_N_ELEMENTS(warps) && warps[i] * points->warp <= points->threads; i++) {
        const gint64 threads = warps[i] * points->warp, tile = parts * threads * 32;
        add_pair(points, cus, threads, MAX(memory / tile / cus, least), memory, 1);
    }
}

/* ---- launches ------------------------------------------------------------------------------ */

/* Adds two numbers of groups of a warp, with `active` of them at once on a CU. */
static void add_groups(const Points *points, gint64 active, gint64 local, gint64 memory)
{
    const gint64 cus = MAX(points->info->compute_units, 1), turns = 16;
    PsBenchLaunch launch = {.groups = cus * active * turns,
                            .group_size = points->warp,
                            .local_memory = local,
                            .warps = active,
                            .length = 1,
                            .memory = memory,
                            .step = 1};
    g_array_append_val(points->launches, launch);
    launch.groups *= LONGER;
    g_array_append_val(points->launches, launch);
}

/* Most groups of a warp on a CU at once; 0 where the device does not say. */
static gint64 most_groups(const PsLimits *limits)
{
    return limits->groups > 0 ? MIN(limits->groups, limits->warps) : limits->warps;
}

/* Adds launches with as few groups at once as local memory allows. */
static void add_few(const Points *points, gint64 memory)
{
    const PsLimits *limits = &points->info->limits;
    const gint64 local = ps_bench_local_memory(points->info, 1, 0), most = most_groups(limits);
    if (local > 0 && most > 0)
        add_groups(points,
                   MIN(limits->local_memory / (local + limits->local_memory_reserved), most), local,
                   memory);
}

/* Adds launches of one group; of many at once; of few at once. */
static void add_launches(const Points *points)
{
    const PsBenchLaunch one = {
        .groups = 1, .group_size = points->warp, .warps = 1, .length = 1, .step = 1};
    const gint64 most = most_groups(&points->info->limits);
    g_array_append_val(points->launches, one);
    if (most > 0)
        add_groups(points, most, 0, 0);
    add_few(points, 0);
}

/* Adds one launch between a start of the timer and its end, and several, which take far longer than
 * the host takes to ask for them. */
static void add_timer(const Points *points)
{
    PsBenchLaunch launch = {
        .groups = 1, .group_size = points->warp, .warps = 1, .length = 1024, .step = 1};
    g_array_append_val(points->launches, launch);
    launch.step = LONGER;
    g_array_append_val(points->launches, launch);
}

/* Adds launches with a word of local memory for each thread. */
static void add_with_local(const Points *points)
{
    add_pair(points, MAX(points->info->compute_units, 1), points->threads, 64, FITS_L1, 1);
    for (guint i = points->launches->len - 2; i < points->launches->len; i++)
        g_array_index(points->launches, PsBenchLaunch, i).local_memory = 4 * points->threads;
}

/* -------------------------------------------------------------------------------------------- */

void ps_plan_level_launches(const PsBenchKernel *kernel, const PsDeviceInfo *info, PsBenchGrid grid,
                            gint64 group_warps, GArray *launches)
{
    const gint64 warp = MAX(info->warp_size, 1), length = 64;
    const Points points = {info, grid, launches, warp, group_warps * warp};
    const gint64 cus = MAX(info->compute_units, 1);
    if (strcmp(kernel->class_name, "launch") == 0)
        add_launches(&points);
    else if (strcmp(kernel->class_name, "launch.store") == 0)
        add_few(&points, half_of_l2(&points));
    else if (strcmp(kernel->class_name, "launch.timer") == 0)
        add_timer(&points);
    else if (strcmp(kernel->class_name, "flow.pair") == 0)
        add_with_local(&points);
    else if (strcmp(kernel->class_name, "walk") == 0)
        add_walks(&points);
    else if (strcmp(kernel->class_name, "flow") == 0)
        add_flows(&points);
    else if (strcmp(kernel->class_name, "flow.copy") == 0)
        add_copy(&points);
    else if (ps_class_covers("flow.queue", kernel->class_name))
        add_queue(&points, kernel->access == PS_ACCESS_COPY ? 2 : 1);
    else if (ps_class_covers("burst", kernel->class_name))
        add_pair(&points, 1, warp, length, 0, 1);
    else if (kernel->access == PS_ACCESS_MISS) /* alone: L2 is large enough for one CU */
        add_pair(&points, 1, points.threads, length, half_of_l2(&points), 1);
    else if (ps_class_covers("flow", kernel->class_name))
        add_pair(&points, cus, points.threads, length, FITS_L1, 1);
    else
        add_pair(&points, cus, points.threads, length, half_of_l2(&points), 1);
}
