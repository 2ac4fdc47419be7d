/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What micro-benchmarks touch of memory: their own sources run here, thread by thread. What the
 * library says of a launch must be what it touches; and caches, replayed, must hold what they are
 * to hold, and nothing else, on GPUs with small and large ones.
 */
#include "latency-bench/internal.h"
#include "tests/help/host-kernels.h"
#include "tests/help/known-gpus.h"
#include "tests/help/replay.h"

#include <string.h>

/* Accesses of a launch that is still run here. */
#define MOST_ACCESSES (300 * 1000)

/* ---- what it touched ----------------------------------------------------------------------- */

static gboolean take_bit(guint8 *bits, guint32 at)
{
    const gboolean was = bits[at / 8] >> at % 8 & 1;
    bits[at / 8] |= (guint8)(1U << at % 8);
    return was;
}

/* The library's figures, but for reuse, which is 1 where any sector is touched in two steps. */
static PsFootprint sum_up(const PsBenchKernel *kernel, const HostTrace *trace, gint64 memory)
{
    PsFootprint sum = {.sectors = trace->first};
    const gsize n = (gsize)memory / REPLAY_SECTOR + 1;
    g_autofree guint8 *sectors = g_malloc0(n / 8 + 1), *lines = g_malloc0(n / 32 + 1);
    g_autofree guint32 *last = g_new0(guint32, n); /* step, from 1 */
    for (guint access = 0; access + 1 < trace->starts->len; access++)
        for (guint i = g_array_index(trace->starts, guint, access);
             i < g_array_index(trace->starts, guint, access + 1); i++) {
            const guint step = access / host_side_by_side(kernel);
            const guint32 sector = g_array_index(trace->sectors, guint32, i);
            sum.bytes += take_bit(sectors, sector) ? 0 : REPLAY_SECTOR;
            sum.lines += !take_bit(lines, sector / 4);
            sum.reuse |= last[sector] && last[sector] != step + 1;
            last[sector] = step + 1;
        }
    return sum;
}

/* What caches must make of it. */
static void check_caches(const KnownGpu *gpu, const PsBenchKernel *kernel,
                         const PsBenchLaunch *launch, const HostTrace *trace, gint64 bytes)
{
    if (ps_bench_is_cold(kernel, launch))
        g_assert_cmpint(replay_missed(trace->sectors, 2 * gpu->last * MIB), ==,
                        trace->sectors->len);
    else if (kernel->level == PS_LEVEL_L1 && kernel->kind != PS_BENCH_LEVEL)
        g_assert_cmpint(replay_missed(trace->sectors, 8 * 1024) * REPLAY_SECTOR, ==, bytes);
    else if (kernel->level == PS_LEVEL_L2 && kernel->group_size == 0 &&
             kernel->kind != PS_BENCH_LEVEL)
        g_assert_cmpint(replay_missed(trace->sectors, gpu->l2 * MIB / 2) * REPLAY_SECTOR, ==,
                        bytes);
}

/* What is to be found in L2 no L1 holds when it is asked for again: that of the first CU, whose
 * loads go there, too, since they are not told to pass it by. */
static void check_l1(const KnownGpu *gpu, const PsDeviceInfo *info, const PsBenchKernel *kernel,
                     const PsBenchLaunch *launch)
{
    if (kernel->access != PS_ACCESS_FLOW || launch->memory < gpu->l2 * MIB / 4)
        return;
    g_auto(HostTrace) trace = host_trace(kernel, info, launch, 0, 1);
    g_assert_cmpint(replay_missed(trace.sectors, gpu->l1 * 1024), ==, trace.sectors->len);
}

static gint64 cost_of(const PsBenchKernel *kernel, const PsBenchLaunch *launch)
{
    return host_accesses(kernel, launch) * launch->groups * launch->group_size;
}

static void check_launch(const KnownGpu *gpu, const PsDeviceInfo *info, const PsBenchKernel *kernel,
                         const PsBenchLaunch *launch)
{
    const PsFootprint is = ps_bench_footprint(kernel, info, launch);
    g_auto(HostTrace) trace = host_trace(kernel, info, launch, 0, info->compute_units);
    const PsFootprint should = sum_up(kernel, &trace, launch->memory);
    g_test_message("%s, %s: %ld groups of %ld, %ld trips, %ld bytes", gpu->name, kernel->name,
                   (long)launch->groups, (long)launch->group_size, (long)launch->length,
                   (long)launch->memory);
    g_assert_cmpint(is.bytes, ==, should.bytes);
    g_assert_cmpint(is.lines, ==, should.lines);
    g_assert_cmpint(is.sectors, ==, should.sectors);
    g_assert_cmpint(is.reuse > 0, ==, should.reuse);
    check_caches(gpu, kernel, launch, &trace, should.bytes);
    check_l1(gpu, info, kernel, launch);
}

/* Shortens a launch that is too long for here to what can be run; FALSE: not even one trip can. */
static gboolean shorten(const PsBenchKernel *kernel, PsBenchLaunch *launch, gint64 most)
{
    while (launch->length > 1 && cost_of(kernel, launch) > most)
        launch->length /= 2;
    return cost_of(kernel, launch) <= most;
}

/* The launch of fewest accesses, and of most that can be run here. */
static void check_kernel(const KnownGpu *gpu, const PsDeviceInfo *info, const PsBenchPlan *plan,
                         guint k)
{
    const PsBenchKernel *kernel = plan->kernels->pdata[k];
    PsBenchLaunch least = {0}, most = {0};
    for (guint i = 0; i < plan->points->len; i++) {
        const PsBenchPoint *point = &g_array_index(plan->points, PsBenchPoint, i);
        PsBenchLaunch launch = point->launch;
        if (point->kernel != k || !shorten(kernel, &launch, MOST_ACCESSES))
            continue;
        if (!least.groups || cost_of(kernel, &launch) < cost_of(kernel, &least))
            least = launch;
        if (!most.groups || cost_of(kernel, &launch) > cost_of(kernel, &most))
            most = launch;
    }
    if (!least.groups)
        return;
    check_launch(gpu, info, kernel, &least);
    if (memcmp(&least, &most, sizeof least) != 0)
        check_launch(gpu, info, kernel, &most);
}

static void check_gpu(const KnownGpu *gpu)
{
    const PsDeviceInfo info = known_gpu_info(gpu);
    g_autoptr(PsBenchPlan) plan = ps_bench_plan(&info, PS_GRID_FULL, NULL);
    for (guint k = 0; k < plan->kernels->len; k++)
        if (((const PsBenchKernel *)plan->kernels->pdata[k])->access != PS_ACCESS_NONE)
            check_kernel(gpu, &info, plan, k);
}

static void test_gpu(gconstpointer gpu)
{
    check_gpu(gpu);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    host_kernels_open();
    for (guint i = 0; i < N_KNOWN_GPUS; i++) {
        g_autofree char *name = g_strconcat("/addresses/", known_gpus[i].name, NULL);
        g_test_add_data_func(name, &known_gpus[i], test_gpu);
    }
    const int status = g_test_run();
    host_kernels_close();
    return status;
}
