/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The plan of what is measured: launches are such as a device can make, and their time.
 */
#include "base/class-name.h"
#include "latency-bench/internal.h"
#include "tests/help/build-graph.h"

#include <string.h>

/* ---- plans --------------------------------------------------------------------------------- */

/* Figures as devices report them. */
static PsDeviceInfo hopper(void)
{
    return (PsDeviceInfo){.backend = (char *)"CUDA",
                          .name = (char *)"NVIDIA H100 PCIe",
                          .architecture = (char *)"sm_90",
                          .compute_units = 114,
                          .warp_size = 32,
                          .schedulers = 4,
                          .clock = {1755, 1},
                          .limits = {.warps = 64,
                                     .groups = 32,
                                     .group_size = 1024,
                                     .local_memory = 233472,
                                     .local_memory_per_group = 232448,
                                     .local_memory_unit = 128,
                                     .local_memory_reserved = 1024},
                          .memory = G_GINT64_CONSTANT(80) << 30,
                          .l2 = 50 << 20,
                          .counter = TRUE,
                          .fp64 = TRUE,
                          .fp16 = TRUE};
}

static PsDeviceInfo instinct(void)
{
    return (PsDeviceInfo){.backend = (char *)"HIP",
                          .architecture = (char *)"gfx90a",
                          .compute_units = 104,
                          .warp_size = 64,
                          .limits = {.warps = 32,
                                     .group_size = 1024,
                                     .local_memory = 65536,
                                     .local_memory_per_group = 65536},
                          .memory = G_GINT64_CONSTANT(64) << 30,
                          .l2 = 8 << 20,
                          .counter = TRUE,
                          .fp64 = TRUE,
                          .fp16 = TRUE};
}

/* A CPU: nothing is known of its limits but a group's. */
static PsDeviceInfo cpu(void)
{
    return (PsDeviceInfo){
        .backend = (char *)"OpenCL",
        .compute_units = 2,
        .warp_size = 8,
        .limits = {.group_size = 4096, .local_memory = 524288, .local_memory_per_group = 524288},
        .memory = G_GINT64_CONSTANT(8) << 30,
        .fp64 = TRUE};
}

static PsDeviceInfo nothing_known(void)
{
    return (PsDeviceInfo){.backend = (char *)"model", .compute_units = 1, .warp_size = 32};
}

/* A walk through a buffer that is no cache's goes to device memory: it is at least twice as large
 * as the cache that the device tells of, and of a ring that is not walked as a whole before no
 * launch, the longest, meets a line twice. */
static void check_walk(const PsDeviceInfo *info, const PsBenchLaunch *launch)
{
    const gint64 lines = launch->memory / 128;
    g_assert_cmpint(launch->groups, ==, 1);
    g_assert_cmpint(launch->warps, ==, 1);
    g_assert_true(launch->memory <= info->l2 / 2 || launch->memory >= 2 * info->l2);
    g_assert_true(launch->step == lines || launch->step == 0);
    if (launch->memory <= info->l2)
        g_assert_cmpint(launch->step, ==, lines);
    if (launch->step == 0)
        g_assert_cmpint(launch->length * 16, <=, lines / 2);
}

static void check_level(const PsDeviceInfo *info, const PsBenchKernel *kernel,
                        const PsBenchLaunch *launch)
{
    const gint64 warps = launch->group_size / info->warp_size;
    const gboolean alone = launch->groups == 1;
    g_assert_cmpint(launch->group_size, <=, 1024);
    g_assert_true(alone || launch->groups % info->compute_units == 0);
    g_assert_true((launch->memory > 0) == (kernel->memory != PS_MEMORY_NONE));
    g_assert_cmpint(launch->memory % 256, ==, 0);
    g_assert_cmpint(launch->memory, <=, G_MAXUINT32);
    if (strcmp(kernel->class_name, "walk") == 0)
        check_walk(info, launch);
    else if (!ps_class_covers("launch", kernel->class_name))
        g_assert_cmpint(launch->warps, ==, warps);
    /* What a flow's groups move in a trip: a CU must meet the buffer, not its part of it. */
    if (strcmp(kernel->class_name, "flow") == 0 && launch->memory > 8192 && info->compute_units > 1)
        g_assert_cmpint(launch->memory, >, launch->groups * launch->group_size * 32);
    /* What is read fits no cache, nor does either half of a copy; the launch gets through all of
     * it. */
    const gboolean copies = kernel->access == PS_ACCESS_COPY;
    if (copies || ps_class_covers("flow.queue", kernel->class_name)) {
        const gint64 trip = launch->groups * launch->group_size * (copies ? 64 : 32);
        g_assert_cmpint(launch->memory, >, (copies ? 2 : 1) * info->l2);
        g_assert_cmpint((launch->length + 1) * trip, >, launch->memory);
    }
    if (info->limits.warps)
        g_assert_cmpint(launch->warps, <=, info->limits.warps);
}

static void check_launch(const PsDeviceInfo *info, const PsBenchKernel *kernel,
                         const PsBenchLaunch *launch)
{
    if (kernel->kind == PS_BENCH_LEVEL) {
        check_level(info, kernel, launch);
        return;
    }
    const PsLimits *limits = &info->limits;
    const gint64 groups = launch->groups / info->compute_units;
    g_assert_cmpint(launch->groups, ==, groups * info->compute_units);
    g_assert_cmpint(launch->group_size * groups, ==, launch->warps * info->warp_size);
    g_assert_cmpint(launch->group_size, <=, 1024);
    g_assert_cmpint(launch->length, >=, 1);
    g_assert_cmpint(launch->length, <, 1 << 30);
    g_assert_cmpint(launch->step, ==, kernel->step);
    g_assert_true((launch->memory > 0) == (kernel->memory != PS_MEMORY_NONE));
    g_assert_cmpint(launch->memory % 256, ==, 0);
    if (limits->warps)
        g_assert_cmpint(launch->warps, <=, limits->warps);
    if (limits->groups)
        g_assert_cmpint(groups, <=, limits->groups);
    if (limits->local_memory_per_group)
        g_assert_cmpint(launch->local_memory, <=, limits->local_memory_per_group);
    if (kernel->kind == PS_BENCH_LOCAL)
        g_assert_cmpint(launch->local_memory, >=, 128 * info->warp_size);
    if (kernel->level == PS_LEVEL_DEVICE && kernel->memory == PS_MEMORY_ZERO)
        g_assert_cmpint(launch->memory / 4, >=, launch->groups * launch->group_size * 8);
}

/* As many groups fit as were wanted, and no more, where the device's limits allow to say so. */
static void check_occupancy(const PsDeviceInfo *info, const PsBenchKernel *kernel,
                            const PsBenchLaunch *launch)
{
    if ((kernel->level == PS_LEVEL_L1 && kernel->memory != PS_MEMORY_NONE) ||
        kernel->kind == PS_BENCH_LEVEL)
        return;
    PsGpu *gpu = build_gpu(info->compute_units, 0);
    gpu->warp_size = info->warp_size;
    gpu->limits = info->limits;
    PsOccupancy occupancy;
    g_autoptr(GError) error = NULL;
    ps_gpu_occupancy(gpu, &(PsGroupNeeds){launch->group_size, 0, launch->local_memory, 0, 0, 0},
                     &occupancy, &error);
    g_assert_no_error(error);
    g_assert_cmpint(occupancy.groups, ==, launch->groups / info->compute_units);
    build_gpu_free(gpu);
}

static void check_plan(const PsDeviceInfo *info, PsBenchGrid grid, gboolean limits_known)
{
    g_autoptr(PsBenchPlan) plan = ps_bench_plan(info, grid, NULL);
    g_assert_cmpuint(plan->kernels->len, >=, 15);
    guint before = 0, n_launches = 0; /* which are the last */
    for (guint i = 0; i < plan->points->len; i++) {
        const PsBenchPoint *point = &g_array_index(plan->points, PsBenchPoint, i);
        const PsBenchKernel *kernel = plan->kernels->pdata[point->kernel];
        g_assert_cmpuint(point->repeats, >=, 1);
        /* Kernel by kernel, and none without a point. */
        g_assert_true(point->kernel == before || point->kernel == before + 1);
        before = point->kernel;
        check_launch(info, kernel, &point->launch);
        if (limits_known)
            check_occupancy(info, kernel, &point->launch);
        n_launches += ps_class_covers("launch", kernel->class_name);
        if (i % 2 && !n_launches) {
            const PsBenchLaunch *shorter = &g_array_index(plan->points, PsBenchPoint, i - 1).launch;
            g_assert_cmpint(point->launch.length, >, shorter->length);
            g_assert_cmpint(point->launch.warps, ==, shorter->warps);
        }
    }
    g_assert_cmpuint(before, ==, plan->kernels->len - 1);
    g_assert_cmpuint((plan->points->len - n_launches) % 2, ==, 0);
}

static void test_plans(void)
{
    const PsDeviceInfo devices[] = {hopper(), instinct(), cpu(), nothing_known()};
    for (guint i = 0; i < G_N_ELEMENTS(devices); i++)
        for (PsBenchGrid grid = PS_GRID_FULL; grid <= PS_GRID_REDUCED; grid++) {
            g_test_message("%s, grid %d", devices[i].backend, (int)grid);
            check_plan(&devices[i], grid, devices[i].limits.warps > 0);
        }
}

/* Each source defines what its texts take from outside; a compiler would find it, which is slow. */
static void test_defined(void)
{
    static const char *const names[] = {"ILP", "TRIP", "WORDS", "STRIDE"};
    const PsDeviceInfo info = hopper();
    g_autoptr(PsBenchPlan) plan = ps_bench_plan(&info, PS_GRID_FULL, NULL);
    for (guint i = 0; i < plan->kernels->len; i++) {
        const PsBenchKernel *kernel = plan->kernels->pdata[i];
        for (guint n = 0; n < G_N_ELEMENTS(names); n++) {
            g_autofree char *word = g_strdup_printf("\\b%s\\b", names[n]);
            g_autofree char *definition = g_strdup_printf("#define %s ", names[n]);
            g_test_message("%s of %s", names[n], kernel->name);
            g_assert_true(!g_regex_match_simple(word, kernel->source, 0, 0) ||
                          strstr(kernel->source, definition));
        }
    }
}

static gboolean has_level(const PsBenchPlan *plan, PsLevel level)
{
    for (guint i = 0; i < plan->kernels->len; i++)
        if (((const PsBenchKernel *)plan->kernels->pdata[i])->level == level)
            return TRUE;
    return FALSE;
}

/* Caches that nobody tells of, and memory that is too small for a sweep: said in one line. */
static void test_unknown_cache(void)
{
    PsDeviceInfo info = hopper();
    g_autoptr(PsBenchPlan) known = ps_bench_plan(&info, PS_GRID_QUICK, NULL);
    g_assert_cmpuint(known->warnings->len, ==, 0);
    g_assert_cmpint(ps_bench_last_cache(&info), ==, info.l2);
    info.l2 = 0;
    g_autoptr(PsBenchPlan) plan = ps_bench_plan(&info, PS_GRID_QUICK, NULL);
    g_assert_cmpuint(plan->warnings->len, ==, 1);
    g_assert_cmpstr(plan->warnings->pdata[0], ==,
                    "the driver does not tell the size of the last cache: benchmarks of device "
                    "memory assume 256 MiB, and levels of memory are not measured");
    g_assert_cmpint(ps_bench_last_cache(&info), ==, 256 << 20);
    g_assert_true(has_level(plan, PS_LEVEL_DEVICE));
    info.memory = G_GINT64_CONSTANT(1) << 30;
    g_autoptr(PsBenchPlan) small = ps_bench_plan(&info, PS_GRID_QUICK, NULL);
    g_assert_cmpuint(small->warnings->len, ==, 1);
    const char *text = small->warnings->pdata[0];
    g_assert_true(g_str_has_suffix(text, " benchmarks of device memory are left out: 1024 MiB are "
                                         "too little to overwrite a cache of 256 MiB twice"));
    g_assert_false(has_level(small, PS_LEVEL_DEVICE));
    /* HIP tells of L2, and not of what lies behind it. */
    const PsDeviceInfo amd = instinct();
    g_assert_cmpint(ps_bench_last_cache(&amd), ==, 256 << 20);
}

static void test_pattern(void)
{
    const PsDeviceInfo info = hopper();
    g_autoptr(PsBenchPlan) some = ps_bench_plan(&info, PS_GRID_FULL, "fadd-ilp*");
    g_assert_cmpuint(some->kernels->len, ==, 4);
    g_autoptr(PsBenchPlan) none = ps_bench_plan(&info, PS_GRID_FULL, "nothing");
    g_assert_cmpuint(none->kernels->len, ==, 0);
    g_assert_cmpuint(none->points->len, ==, 0);
}

/* Reductions within a warp came with sm_80; votes are older. */
static void test_since(void)
{
    PsDeviceInfo info = hopper();
    const struct {
        const char *architecture;
        guint kernels;
    } cases[] = {{"sm_75", 3}, {"sm_80", 9}, {"sm_90", 9}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        info.architecture = (char *)cases[i].architecture;
        g_autoptr(PsBenchPlan) votes = ps_bench_plan(&info, PS_GRID_FULL, "logic-vote*");
        g_autoptr(PsBenchPlan) sums = ps_bench_plan(&info, PS_GRID_FULL, "shuffle-reduce*");
        g_assert_cmpuint(votes->kernels->len + sums->kernels->len, ==, cases[i].kernels);
    }
}

/* What a device lacks is not asked of it. */
static void test_suits(void)
{
    PsDeviceInfo info = hopper();
    info.fp64 = info.fp16 = FALSE;
    info.architecture = (char *)"sm_61";
    g_autoptr(PsBenchPlan) plan = ps_bench_plan(&info, PS_GRID_FULL, NULL);
    for (guint i = 0; i < plan->kernels->len; i++) {
        const PsBenchKernel *kernel = plan->kernels->pdata[i];
        g_assert_false(kernel->needs_fp64 || kernel->needs_fp16);
        g_assert_cmpstr(kernel->class_name, !=, "T_tensor");
    }
    const PsDeviceInfo opencl = cpu();
    g_autoptr(PsBenchPlan) there = ps_bench_plan(&opencl, PS_GRID_FULL, NULL);
    for (guint i = 0; i < there->kernels->len; i++)
        g_assert_cmpstr(((const PsBenchKernel *)there->kernels->pdata[i])->class_name, !=,
                        "shuffle");
}

/* How long a plan takes when each launch costs 0.3 ms beside its work, each pair another launch,
 * and each kernel half a second to compile and to fill its memory; a link of a walk takes 0.4 us.
 */
static double seconds_of(PsBenchGrid grid)
{
    const PsDeviceInfo info = hopper();
    g_autoptr(PsBenchPlan) plan = ps_bench_plan(&info, grid, NULL);
    double launches = 0, links = 0;
    for (guint i = 0; i < plan->points->len; i++) {
        const PsBenchPoint *point = &g_array_index(plan->points, PsBenchPoint, i);
        const PsBenchKernel *kernel = plan->kernels->pdata[point->kernel];
        launches += point->repeats + 0.5;
        if (kernel->memory == PS_MEMORY_WALK)
            links +=
                (point->repeats + 0.5) * (double)(point->launch.step + 16 * point->launch.length);
    }
    g_test_message("%u kernels, %u points, %.0f launches", plan->kernels->len, plan->points->len,
                   launches);
    return 0.5 * plan->kernels->len + launches * (0.3e-3 + 0.5e-3) + links * 0.4e-6;
}

static void test_duration(void)
{
    g_assert_cmpfloat(seconds_of(PS_GRID_FULL), <, 240);
    g_assert_cmpfloat(seconds_of(PS_GRID_QUICK), <, 55);
    g_assert_cmpfloat(seconds_of(PS_GRID_REDUCED), <, 30);
}

/* ---- compilers ----------------------------------------------------------------------------- */

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/bench-kernels/plans", test_plans);
    g_test_add_func("/bench-kernels/defined", test_defined);
    g_test_add_func("/bench-kernels/pattern", test_pattern);
    g_test_add_func("/bench-kernels/since", test_since);
    g_test_add_func("/bench-kernels/unknown-cache", test_unknown_cache);
    g_test_add_func("/bench-kernels/suits", test_suits);
    g_test_add_func("/bench-kernels/duration", test_duration);
    return g_test_run();
}
