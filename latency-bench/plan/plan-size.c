/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The length of a launch, and the memory that it works in.
 */
#include "base/class-name.h"
#include "latency-bench/internal.h"
#include "latency-bench/plan/plan-private.h"

#include <math.h>

/* Bytes, if the device does not tell. */
#define USUAL_L2 (1024 * 1024)

/* The largest cache that any GPU has (Infinity Cache of an MI300X). */
#define LARGEST_CACHE (256 * MIB)

#define KIB G_GINT64_CONSTANT(1024)
#define MIB (1024 * KIB)

/* The shorter length, at most: kernels rely on lengths below 2^30. */
#define MOST_LENGTH (1 << 27)

/* Usual latencies of instructions, in cycles: a length by them is long enough for a sample, and not
 * much longer. `issue` is that of a warp on the whole CU. The first entry that covers the class
 * counts. */
static const struct {
    const char *class_name;
    double completion, issue;
} TYPICAL[] = {
    {"fdiv", 60, 8},
    {"dadd", 8, 1},
    {"dmul", 8, 1},
    {"dfma", 8, 1},
    {"T_DP", 8, 1},
    {"rcp", 18, 2},
    {"rsqrt", 18, 2},
    {"sqrt", 18, 2},
    {"sin", 18, 2},
    {"cos", 18, 2},
    {"exp2", 18, 2},
    {"log2", 18, 2},
    {"conversion", 8, 1},
    {"barrier", 20, 2},
    {"shuffle", 22, 2},
    {"loop", 12, 1},
    {"constant.c32", 100, 64},
    {"constant", 30, 1},
    {"T_tensor", 16, 8},
    {"T_ldst", 25, 1},
    {"B_local", 25, 1},
    {"local", 25, 1},
    {"atomic.local", 60, 4},
    {"atomic", 500, 8},
    {"global.load.l1", 30, 2},
    {"global.load.l2", 220, 4},
    {"B_L1", 30, 2},
    {"B_L2", 220, 4},
    {"global.store", 8, 8},
    {"global", 600, 12},
    {"memory", 600, 8},
    {"B_mem", 600, 8},
    {"mix", 600, 8},
    {"intensity", 150, 8},
};

/* Cycles of one trip. */
static double trip_cycles(const PsBenchKernel *kernel, gint64 warps)
{
    double completion = 4, issue = 0.25;
    for (guint i = 0; i < G_N_ELEMENTS(TYPICAL); i++)
        if (ps_class_covers(TYPICAL[i].class_name, kernel->class_name)) {
            completion = TYPICAL[i].completion;
            issue = TYPICAL[i].issue;
            break;
        }
    if (kernel->kind == PS_BENCH_LOCAL)
        issue *= (double)kernel->step;
    double cycles = (double)kernel->unroll * MAX(completion, issue * (double)(warps * kernel->ilp));
    if (kernel->kind == PS_BENCH_MIX || kernel->kind == PS_BENCH_INTENSITY)
        cycles += 4 * (double)kernel->step;
    return cycles;
}

gboolean ps_plan_is_rate(const PsBenchKernel *kernel)
{
    return kernel->kind == PS_BENCH_PEAK || kernel->kind == PS_BENCH_INTENSITY ||
           kernel->kind == PS_BENCH_MIX || kernel->kind == PS_BENCH_STREAM;
}

/* Cycles of the shorter of the two launches: with a counter 20 microseconds, so that the clock can
 * be determined; a whole launch's time counts if it is long beside the cost of a launch. */
static double wanted_cycles(const PsBenchKernel *kernel, const PsDeviceInfo *info)
{
    if (!ps_plan_is_real(info))
        return 4e3;
    if (!info->counter)
        return 1e6;
    return ps_plan_is_rate(kernel) ? 5e5 : 4e4;
}

gint64 ps_plan_length(const PsBenchKernel *kernel, const PsDeviceInfo *info, gint64 warps)
{
    const double trips = ceil(wanted_cycles(kernel, info) / trip_cycles(kernel, warps));
    return (gint64)CLAMP(trips, 2, MOST_LENGTH);
}

/* ---- memory -------------------------------------------------------------------------------- */

/* CUDA's drivers report the only cache behind L1, and processors their last one. HIP's report L2
 * and no cache behind it, and OpenCL's do not say which cache they report. */
gint64 ps_bench_last_cache(const PsDeviceInfo *info)
{
    const gboolean is_told = info->processor || g_strcmp0(info->backend, "CUDA") == 0;
    if (!ps_plan_is_real(info) || (is_told && info->l2 > 0))
        return info->l2;
    return MAX(info->l2, LARGEST_CACHE);
}

typedef struct {
    gint64 caches, least, most; /* multiple of the last cache, within limits in bytes */
} Size;

static const Size sizes[] = {[PS_GRID_FULL] = {8, 128 * MIB, 2048 * MIB},
                             [PS_GRID_QUICK] = {4, 64 * MIB, 1024 * MIB},
                             [PS_GRID_REDUCED] = {2, 16 * MIB, 128 * MIB}};

static gint64 within_memory(const PsDeviceInfo *info, gint64 bytes)
{
    return info->memory > 0 ? MIN(bytes, info->memory / 4) : bytes;
}

/* At least twice the last cache, so that repeated passes from start to end find nothing in a
 * cache. */
static gint64 device_buffer(const PsDeviceInfo *info, PsBenchGrid grid)
{
    const Size *size = &sizes[grid];
    const gint64 bytes = within_memory(
        info, CLAMP(ps_bench_last_cache(info) * size->caches, size->least, size->most));
    return bytes - bytes % (64 * KIB);
}

/* The lines that a warp touches in a ring exceed twice the last cache, if memory allows; a power of
 * two. */
static gint64 ring_buffer(const PsBenchKernel *kernel, const PsDeviceInfo *info, PsBenchGrid grid)
{
    const gint64 most = within_memory(info, sizes[grid].most);
    PsBenchLaunch all = {.groups = 1,
                         .group_size = MAX(info->warp_size, 1),
                         .warps = 1,
                         .length = MOST_LENGTH,
                         .memory = MIN(sizes[grid].least, most),
                         .step = kernel->step};
    while (2 * all.memory <= most &&
           ps_bench_footprint(kernel, info, &all).bytes < 5 * ps_bench_last_cache(info) / 2)
        all.memory *= 2;
    return all.memory;
}

/* At most half of L2 is used, since it may consist of parts, each with its own copies. */
gint64 ps_plan_buffer(const PsBenchKernel *kernel, const PsDeviceInfo *info, PsBenchGrid grid)
{
    if (kernel->memory == PS_MEMORY_NONE || kernel->bytes > 0)
        return kernel->bytes;
    switch (kernel->level) {
    case PS_LEVEL_L1:
        return 8 * KIB;
    case PS_LEVEL_L2:
        return CLAMP((info->l2 > 0 ? info->l2 : USUAL_L2) / 4, 64 * KIB, 64 * MIB) / KIB * KIB;
    default:
        return kernel->access == PS_ACCESS_RING ? ring_buffer(kernel, info, grid)
                                                : device_buffer(info, grid);
    }
}

/* Local memory for the kernel itself: 32 words for each lane. */
gint64 ps_plan_local_memory(const PsBenchKernel *kernel, const PsDeviceInfo *info)
{
    static const char *const peaks[] = {"T_ldst", "B_local", NULL};
    const gboolean uses =
        kernel->kind == PS_BENCH_LOCAL || g_strv_contains(peaks, kernel->class_name);
    /* A kernel that does not know its warps' size assumes 32. */
    return uses ? 4 * 32 * MAX(info->warp_size, 32) : 0;
}

gint64 ps_bench_local_memory(const PsDeviceInfo *info, gint64 groups, gint64 needed)
{
    const PsLimits *limits = &info->limits;
    if (limits->local_memory <= 0)
        return needed;
    const gint64 unit = MAX(limits->local_memory_unit, 4);
    gint64 each = limits->local_memory / groups;
    each = each - each % unit - limits->local_memory_reserved;
    if (limits->local_memory_per_group > 0)
        each = MIN(each, limits->local_memory_per_group);
    return each >= needed ? each : -1;
}

gboolean ps_plan_knows_l2(const PsDeviceInfo *info)
{
    return info->l2 >= 4 * FITS_L1;
}

gboolean ps_plan_is_real(const PsDeviceInfo *info)
{
    static const char *const real[] = {"CUDA", "HIP", "OpenCL", NULL};
    return info->backend && g_strv_contains(real, info->backend);
}
