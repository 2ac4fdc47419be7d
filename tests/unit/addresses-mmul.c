/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The benchmarks of mmul's accesses touch, step by step, what mmul08 and mmul16 touch, whose code
 * is executed for the same groups.
 */
#include "latency-bench/internal.h"
#include "ptx/run/run.h"
#include "tests/help/host-kernels.h"
#include "tests/help/known-gpus.h"
#include "tests/help/replay.h"

#include <string.h>

#define ORDER 1024
#define MATRIX_BYTES (4 * ORDER * ORDER)

/* What one CU touches: step and sector, as one number each, ascending, each once. */
static int compare(gconstpointer a, gconstpointer b)
{
    const guint64 x = *(const guint64 *)a, y = *(const guint64 *)b;
    return (x > y) - (x < y);
}

static void tidy(GArray *touched)
{
    guint n = 0;
    g_array_sort(touched, compare);
    for (guint i = 0; i < touched->len; i++)
        if (i == 0 || g_array_index(touched, guint64, i) != g_array_index(touched, guint64, n - 1))
            g_array_index(touched, guint64, n++) = g_array_index(touched, guint64, i);
    g_array_set_size(touched, n);
}

static void put(GArray *touched, guint step, guint64 address)
{
    const guint64 both = (guint64)step << 32 | address / REPLAY_SECTOR;
    g_array_append_val(touched, both);
}

/* What the first CU's groups of the benchmark with one chain touch. */
static GArray *touched_by_bench(const PsBenchKernel *kernel, const PsDeviceInfo *info,
                                const PsBenchLaunch *launch)
{
    GArray *touched = g_array_new(FALSE, FALSE, sizeof(guint64));
    g_auto(HostTrace) trace = host_trace(kernel, info, launch, 0, 1);
    for (guint step = 0; step + 1 < trace.starts->len; step++)
        for (guint i = g_array_index(trace.starts, guint, step);
             i < g_array_index(trace.starts, guint, step + 1); i++)
            put(touched, step, (guint64)g_array_index(trace.sectors, guint32, i) * REPLAY_SECTOR);
    tidy(touched);
    return touched;
}

/* A listener to mmul: what its warps load from the matrix at `base`, or store there. */
typedef struct {
    guint64 base;
    guint steps[32]; /* of each warp of the group, so far */
    GArray *touched;
} Heard;

static void on_group(gpointer data, const guint group[3])
{
    (void)group;
    memset(((Heard *)data)->steps, 0, sizeof((Heard *)data)->steps);
}

static void on_event(gpointer data, const PsPtxEvent *event)
{
    Heard *heard = data;
    if (!event->memory || event->space != PS_PTX_GLOBAL)
        return;
    gboolean is_ours = FALSE;
    for (guint lane = 0; lane < PS_PTX_LANES; lane++) {
        const guint64 offset = event->address[lane] - heard->base;
        if (!(event->mask >> lane & 1) || offset >= MATRIX_BYTES)
            continue;
        put(heard->touched, heard->steps[event->warp], offset);
        is_ours = TRUE;
    }
    heard->steps[event->warp] += is_ours;
}

/* What the same groups of mmul touch, by executing its code. matrix: 0 A, 1 B. */
static GArray *touched_by_mmul(guint tile, guint matrix, gint64 groups, gint64 cus)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *path = g_strdup_printf("tests/corpus/mmul%02u.ptx", tile);
    g_autoptr(PsPtxModule) module = ps_ptx_load(path, &error);
    g_assert_no_error(error);
    g_autofree guint8 *data = g_malloc0(3 * (gsize)MATRIX_BYTES);
    const PsPtxArgument arguments[] = {
        {.name = "a", .data = data, .size = MATRIX_BYTES},
        {.name = "b", .data = data + MATRIX_BYTES, .size = MATRIX_BYTES},
        {.name = "c", .data = data + 2 * (gsize)MATRIX_BYTES, .size = MATRIX_BYTES},
        {.name = "size", .bits = ORDER},
    };
    const PsPtxLaunch launch = {.kernel = ps_ptx_kernel(module, NULL, &error),
                                .grid = {ORDER / tile, ORDER / tile, 1},
                                .block = {tile, tile, 1},
                                .n_arguments = G_N_ELEMENTS(arguments),
                                .arguments = arguments};
    g_autoptr(PsPtxMachine) machine = ps_ptx_machine_new(module, &launch, &error);
    g_assert_no_error(error);
    Heard heard = {.base = ps_ptx_machine_address(machine, matrix),
                   .touched = g_array_new(FALSE, FALSE, sizeof(guint64))};
    const PsPtxListener listener = {.data = &heard, .group_begins = on_group, .executed = on_event};
    for (guint group = 0; group < groups; group += (guint)cus) {
        const guint at[3] = {group % (ORDER / tile), group / (ORDER / tile), 0};
        g_assert_true(ps_ptx_run_group(machine, at, &listener, &error));
        g_assert_no_error(error);
    }
    tidy(heard.touched);
    return heard.touched;
}

/* The benchmark's launch with most groups, whose first steps are mmul's. */
static void check_matrix(const KnownGpu *gpu, guint tile, guint matrix)
{
    const PsDeviceInfo info = known_gpu_info(gpu);
    g_autofree char *name = g_strdup_printf("global-load-%c-%ux%u", matrix ? 'b' : 'a', tile, tile);
    g_autoptr(PsBenchPlan) plan = ps_bench_plan(&info, PS_GRID_FULL, name);
    g_assert_cmpuint(plan->points->len, >, 0);
    const PsBenchKernel *kernel = plan->kernels->pdata[0];
    PsBenchLaunch launch = g_array_index(plan->points, PsBenchPoint, plan->points->len - 1).launch;
    launch.length = ORDER / tile / kernel->unroll; /* one line of tiles, which is all of mmul */
    g_autoptr(GArray) is = touched_by_bench(kernel, &info, &launch);
    g_autoptr(GArray) should = touched_by_mmul(tile, matrix, launch.groups, info.compute_units);
    const gint64 sectors = ps_bench_footprint(kernel, &info, &launch).sectors;
    const gint64 loads = launch.warps * (info.warp_size * 4 / REPLAY_SECTOR);
    g_test_message("%s, %s: %ld of %ld sectors of a CU and step are distinct", gpu->name, name,
                   (long)sectors, (long)loads);
    g_assert_cmpuint(is->len, ==, should->len);
    g_assert_true(is->len == should->len &&
                  memcmp(is->data, should->data, is->len * sizeof(guint64)) == 0);
    g_assert_cmpint(sectors * (ORDER / tile), ==, should->len);
}

static void test_matrices(void)
{
    for (guint i = 0; i < N_KNOWN_GPUS; i++)
        for (guint matrix = 0; matrix < 2; matrix++) {
            check_matrix(&known_gpus[i], 8, matrix);
            check_matrix(&known_gpus[i], 16, matrix);
        }
}

/* What mmul's thread would access in the lap-th line of tiles from its block's own on: the tile row
 * below, or the tile column to the right. */
static guint64 place_in_lap(gboolean is_a, guint tile, guint block, guint thread, guint step)
{
    const guint tiles = ORDER / tile, lap = step / tiles, trip = step % tiles;
    const guint i = thread / tile, j = thread % tile;
    const guint row = (block / tiles + lap) % tiles * tile + i;
    const guint column = (block + lap) % tiles * tile + j;
    return 4 * (guint64)(is_a ? row * ORDER + trip * tile + j : (trip * tile + i) * ORDER + column);
}

/* Three laps of the last blocks, which go on at the matrix's other end. */
static void check_laps(const char *name, gboolean is_a, guint tile)
{
    PsDeviceInfo info = known_gpu_info(&known_gpus[0]);
    g_autoptr(PsBenchPlan) plan = ps_bench_plan(&info, PS_GRID_FULL, name);
    const PsBenchKernel *kernel = plan->kernels->pdata[0];
    PsBenchLaunch launch = g_array_index(plan->points, PsBenchPoint, 0).launch;
    const guint blocks = (ORDER / tile) * (ORDER / tile), steps = 3 * ORDER / tile;
    info.compute_units = launch.groups = blocks;
    launch.length = steps / kernel->unroll;
    g_autoptr(GArray) should = g_array_new(FALSE, FALSE, sizeof(guint64));
    g_autoptr(GArray) is = g_array_new(FALSE, FALSE, sizeof(guint64));
    g_auto(HostTrace) trace = host_trace(kernel, &info, &launch, blocks - 1, 1);
    for (guint step = 0; step < steps; step++) {
        for (guint thread = 0; thread < tile * tile; thread++)
            put(should, step, place_in_lap(is_a, tile, blocks - 1, thread, step));
        for (guint i = g_array_index(trace.starts, guint, step);
             i < g_array_index(trace.starts, guint, step + 1); i++)
            put(is, step, (guint64)g_array_index(trace.sectors, guint32, i) * REPLAY_SECTOR);
    }
    tidy(should);
    tidy(is);
    g_test_message("%s", name);
    g_assert_cmpmem(is->data, is->len * sizeof(guint64), should->data,
                    should->len * sizeof(guint64));
}

static void test_laps(void)
{
    check_laps("global-load-a-8x8", TRUE, 8);
    check_laps("global-load-b-8x8", FALSE, 8);
    check_laps("global-load-a-16x16", TRUE, 16);
    check_laps("global-load-b-16x16", FALSE, 16);
    check_laps("global-store-b-8x8", FALSE, 8);
    check_laps("global-store-b-16x16", FALSE, 16);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    host_kernels_open();
    g_test_add_func("/addresses-mmul/matrices", test_matrices);
    g_test_add_func("/addresses-mmul/laps", test_laps);
    const int status = g_test_run();
    host_kernels_close();
    return status;
}
