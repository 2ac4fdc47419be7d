/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Chooses the kernels to run: those of the grid that suit the device.
 */
#include "latency-bench/plan/plan-private.h"

#include <string.h>

static gboolean matches_any(const char *name, const char *const *patterns)
{
    for (; *patterns; patterns++)
        if (g_pattern_match_simple(*patterns, name))
            return TRUE;
    return FALSE;
}

static gboolean is_in_grid(const char *name, PsBenchGrid grid)
{
    static const char *const not_quick[] = {"*-ilp2",
                                            "*-ilp8",
                                            "*mul-ilp4",
                                            "rcp-ilp?",
                                            "sqrt-ilp?",
                                            "sin-*",
                                            "cos-ilp4",
                                            "log2-*",
                                            "*-c4*",
                                            "*-c16*",
                                            "*-s4*",
                                            "*8x8*",
                                            "*16x16*",
                                            "*-s16*",
                                            "*-v?*",
                                            "local-load-broadcast*",
                                            "swap-local*",
                                            "constant-load-c32*",
                                            "conversion-pack*",
                                            "conversion-f64*",
                                            "*-minmax-*",
                                            "shuffle-reduce*",
                                            "logic-vote*",
                                            "imad-beside*",
                                            "flow-miss",
                                            "touch-lines",
                                            "touch-write",
                                            "local-store-c2-*",
                                            "local-store-c8-*",
                                            "local-store-c32-*",
                                            "*sity-2",
                                            "*sity-8",
                                            "*sity-32",
                                            "*sity-128",
                                            "mix-1",
                                            "mix-2",
                                            "mix-8",
                                            "mix-16",
                                            "mix-64",
                                            "mix-128",
                                            "flow-queue*",
                                            "burst-*",
                                            NULL};
    static const char *const reduced[] = {"fadd-ilp1",    "fmadd-ilp1",   "fmadd-ilp4",
                                          "iadd-ilp1",    "imad-ilp1",    "rsqrt-ilp1",
                                          "fdiv-ilp1",    "loop-ilp1",    "local-load-c1",
                                          "memory-ilp1",  "barrier-ilp1", "memory-ilp8",
                                          "global-store", "stream-read",  "global-load-s1",
                                          "peak-t-sp",    "peak-b-mem",   "intensity-1",
                                          "intensity-16", "mix-4",        NULL};
    if (grid == PS_GRID_REDUCED)
        return matches_any(name, reduced);
    return grid == PS_GRID_FULL || strcmp(name, "memory-ilp8") == 0 ||
           !matches_any(name, not_quick);
}

/* The capability of NVIDIA's devices; 0 for others. */
static guint64 capability_of(const PsDeviceInfo *info)
{
    return info->architecture && g_str_has_prefix(info->architecture, "sm_")
               ? g_ascii_strtoull(info->architecture + strlen("sm_"), NULL, 10)
               : 0;
}

static gboolean suits(const PsBenchKernel *kernel, const PsDeviceInfo *info)
{
    if ((kernel->needs_fp64 && !info->fp64) || (kernel->needs_fp16 && !info->fp16))
        return FALSE;
    if (kernel->kind == PS_BENCH_LEVEL && kernel->memory != PS_MEMORY_NONE &&
        !ps_plan_knows_l2(info))
        return FALSE;
    if (!ps_plan_is_real(info))
        return kernel->graph != NULL;
    if (kernel->backends && !strstr(kernel->backends, info->backend))
        return FALSE;
    /* On a processor the work-items of a group run one after another: a barrier only ends one loop
     * and begins the next, and nothing is left of barriers alone. */
    if (info->processor && strcmp(kernel->class_name, "barrier") == 0)
        return FALSE;
    return !kernel->since || capability_of(info) >= (guint64)kernel->since;
}

/* TRUE for what a description with levels of memory does not state in rows of its own; a quick grid
 * leaves it out if levels can be measured. */
static gboolean is_told_by_levels(const PsBenchKernel *kernel, const PsDeviceInfo *info)
{
    static const char *const names[] = {"global-load-s2*",        "global-load-s8*",
                                        "global-load-s32*",       "global-load-l?*",
                                        "global-load-broadcast*", NULL};
    return ps_plan_knows_l2(info) && matches_any(kernel->name, names);
}

gboolean ps_plan_wants(const PsBenchKernel *kernel, const PsDeviceInfo *info, PsBenchGrid grid)
{
    return suits(kernel, info) && is_in_grid(kernel->name, grid) &&
           (grid != PS_GRID_QUICK || !is_told_by_levels(kernel, info));
}
