/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The parts of ps_bench_plan: how long launches on a device are and in how much memory
 * (plan-size.c), which kernels suit it (plan-kernels.c), and over which warps they run (plan.c,
 * plan-level.c). Internal to the library.
 */
#ifndef PIPESIM_LATENCY_BENCH_PLAN_PRIVATE_H
#define PIPESIM_LATENCY_BENCH_PLAN_PRIVATE_H

#include "latency-bench/bench.h"

/* Bytes that fit every L1, and a request of a warp that touches a line with each lane. */
#define FITS_L1 8192

/* FALSE for a device that simulates. */
gboolean ps_plan_is_real(const PsDeviceInfo *info);

/* TRUE if the kernel measures a rate of one launch, rather than a slope between two. */
gboolean ps_plan_is_rate(const PsBenchKernel *kernel);

/* TRUE if the kernel is in that grid, and the device has all that it needs. */
gboolean ps_plan_wants(const PsBenchKernel *kernel, const PsDeviceInfo *info, PsBenchGrid grid);

/* The shorter of the two lengths, with so many warps on each CU. */
gint64 ps_plan_length(const PsBenchKernel *kernel, const PsDeviceInfo *info, gint64 warps);

/* Bytes of the buffer that the kernel walks through; 0: none. */
gint64 ps_plan_buffer(const PsBenchKernel *kernel, const PsDeviceInfo *info, PsBenchGrid grid);

/* Whether the size of a cache is known, beyond which buffers of device memory must be. */
gboolean ps_plan_knows_l2(const PsDeviceInfo *info);

/* Appends the launches (PsBenchLaunch) of a benchmark of PS_BENCH_LEVEL, with groups of at most
 * group_warps warps: pairs of two lengths; of class launch one group, and there and below
 * it pairs of two numbers of groups. */
void ps_plan_level_launches(const PsBenchKernel *kernel, const PsDeviceInfo *info, PsBenchGrid grid,
                            gint64 group_warps, GArray *launches);

/* Bytes of local memory that the kernel itself works in. */
gint64 ps_plan_local_memory(const PsBenchKernel *kernel, const PsDeviceInfo *info);

#endif
