/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The kernels for validation: that they compute what they are called (on PoCL, where there is
 * OpenCL), that their graphs do the work of their sources, and how errors are summed up.
 */
#include "latency-bench/code.h"
#include "latency-bench/device/driver.h"
#include "latency-bench/internal.h"
#include "latency-bench/validate.h"
#include "roofline/roofline.h"

#include <math.h>
#include <string.h>

/* ---- errors -------------------------------------------------------------------------------- */

static void test_summary(void)
{
    const double errors[] = {0.1, NAN, -0.3, 0.2, 0.0};
    PsErrorSummary summary;
    ps_error_summary(errors, G_N_ELEMENTS(errors), &summary);
    g_assert_cmpuint(summary.points, ==, 4);
    g_assert_cmpfloat_with_epsilon(summary.mean, 0, 1e-12);
    g_assert_cmpfloat_with_epsilon(summary.absolute, 0.15, 1e-12);
    g_assert_cmpfloat_with_epsilon(summary.worst, -0.3, 1e-12);
    g_assert_cmpfloat_with_epsilon(summary.deviation, sqrt(0.14 / 3), 1e-12);
    ps_error_summary(errors, 1, &summary);
    g_assert_cmpfloat_with_epsilon(summary.mean, 0.1, 1e-12);
    g_assert_true(isnan(summary.deviation));
    ps_error_summary(errors + 1, 1, &summary);
    g_assert_cmpuint(summary.points, ==, 0);
    g_assert_true(isnan(summary.mean) && isnan(summary.worst) && isnan(summary.absolute));
}

/* ---- plans --------------------------------------------------------------------------------- */

static PsDeviceInfo device_info(void)
{
    return (PsDeviceInfo){
        .backend = (char *)"model",
        .name = (char *)"made up",
        .compute_units = 10,
        .warp_size = 32,
        .limits = {.warps = 64,
                   .groups = 32,
                   .group_size = 1024,
                   .local_memory = 98304,
                   .local_memory_per_group = 49152,
                   .local_memory_unit = 256},
        .memory = G_GINT64_CONSTANT(1) << 33,
        .l2 = 1 << 21,
    };
}

static const PsBenchKernel *kernel_of(const PsBenchPlan *plan, const PsBenchPoint *point)
{
    return plan->kernels->pdata[point->kernel];
}

/* Every occupancy that can be had, once, and with as much local memory as leaves no room for more.
 */
static void test_plan(void)
{
    const PsDeviceInfo info = device_info();
    g_autoptr(PsBenchPlan) plan = ps_validation_plan(&info, PS_GRID_FULL, "mmul*");
    gint64 before = 0;
    guint n = 0;
    for (guint i = 0; i < plan->points->len; i++) {
        const PsBenchPoint *point = &g_array_index(plan->points, PsBenchPoint, i);
        const PsBenchLaunch *launch = &point->launch;
        if (strcmp(kernel_of(plan, point)->name, "mmul08") != 0)
            continue;
        const gint64 active = launch->warps / 2;
        g_assert_cmpint(launch->warps, >, before);
        g_assert_cmpint(launch->local_memory, >=, 512);
        g_assert_cmpint(launch->local_memory, <=, info.limits.local_memory_per_group);
        g_assert_cmpint(active == 32 ? 32 : 98304 / ((launch->local_memory + 255) / 256 * 256), ==,
                        active);
        g_assert_cmpint(launch->groups, ==, 128 * 128);
        g_assert_cmpint(launch->length, ==, 128);
        before = launch->warps;
        n++;
    }
    g_assert_cmpint(before, ==, 64);
    /* One group alone cannot be had: it gets half of the local memory at most. */
    g_assert_cmpuint(n, >=, 20);
    g_assert_cmpuint(n, <, 32);
}

/* A device that says nothing of itself. */
static void test_plan_unknown(void)
{
    const PsDeviceInfo info = {.backend = (char *)"OpenCL", .name = (char *)"made up"};
    for (PsBenchGrid grid = PS_GRID_FULL; grid <= PS_GRID_REDUCED; grid++) {
        g_autoptr(PsBenchPlan) plan = ps_validation_plan(&info, grid, NULL);
        g_assert_cmpuint(plan->points->len, >, 8);
        for (guint i = 0; i < plan->points->len; i++) {
            const PsBenchLaunch *launch = &g_array_index(plan->points, PsBenchPoint, i).launch;
            g_assert_cmpint(launch->groups, >, 0);
            g_assert_cmpint(launch->group_size, <=, 256);
            g_assert_cmpint(launch->warps, >, 0);
            g_assert_cmpint(launch->length, >, 0);
            g_assert_cmpint(launch->memory, >, 0);
        }
    }
}

/* ---- graphs -------------------------------------------------------------------------------- */

/* Operations of a launch with these figures, counted from the graph. */
static double operations(const char *name, const PsBenchLaunch *launch)
{
    g_autoptr(GPtrArray) kernels = ps_validation_kernels();
    for (guint i = 0; i < kernels->len; i++) {
        PsValidationPoint point = {.of = kernels->pdata[i], .launch = *launch};
        if (strcmp(point.of->name, name) != 0)
            continue;
        PsScope *params = ps_validation_params(&point);
        g_autoptr(GError) error = NULL;
        g_autoptr(PsKernel) kernel = ps_kernel_new(point.of->graph, params, &error);
        ps_scope_free(params);
        g_assert_no_error(error);
        PsMetrics metrics;
        ps_metrics_count(kernel, launch->groups, launch->group_size, 32, &metrics, NULL);
        const double adds = metrics.value[PS_M_FP32], fmas = metrics.value[PS_M_FMA32];
        return adds + fmas;
    }
    g_assert_not_reached();
}

static void test_work(void)
{
    const PsBenchLaunch mmul = {.groups = 64, .group_size = 64, .length = 8, .step = 64};
    g_assert_cmpfloat(operations("mmul08", &mmul), ==, 2 * 64 * 64 * 64);
    const PsBenchLaunch saxpy = {.groups = 10, .group_size = 100, .length = 1, .step = 1};
    g_assert_cmpfloat(operations("saxpy", &saxpy), ==, 2 * 1000);
    const PsBenchLaunch mix = {.groups = 2, .group_size = 64, .length = 5, .step = 64};
    g_assert_cmpfloat(operations("volkov-16", &mix), ==, 128 * 5 * 33);
    g_assert_cmpfloat(operations("volkov-0", &mix), ==, 128 * 5);
    const PsBenchLaunch stencil = {.groups = 4, .group_size = 256, .length = 7, .step = 34};
    g_assert_cmpfloat(operations("stencil", &stencil), ==, 1024 * 7 * 9);
    const PsBenchLaunch sum = {.groups = 1, .group_size = 64, .length = 3, .step = 64};
    g_assert_cmpfloat(operations("reduction", &sum), ==, 64 * (3 + 6));
}

/* ---- sources, run by OpenCL ---------------------------------------------------------------- */

typedef struct {
    PsDevice *device;
    PsBenchProgram *program;
    float *before, *after; /* the memory */
    gsize n;
} Ran;

static void ran_clear(Ran *ran)
{
    if (ran->program)
        ps_device_release(ran->device, ran->program);
    ps_device_close(ran->device);
    g_free(ran->before);
    g_free(ran->after);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Ran, ran_clear)

/* The floats that a device finds at the start. */
static float float_at(gsize at)
{
    const guint32 bits = 0x3F800000U | ((guint32)at * 2654435769U) >> 9;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static PsBenchProgram *compile(PsDevice *device, const char *name)
{
    g_autoptr(GPtrArray) kernels = ps_validation_kernels();
    for (guint i = 0; i < kernels->len; i++) {
        const PsBenchKernel *kernel = kernels->pdata[i];
        if (strcmp(kernel->name, name) != 0)
            continue;
        GError *error = NULL;
        PsBenchProgram *program = ps_device_compile(device, kernel, &error);
        g_assert_no_error(error);
        return program;
    }
    g_assert_not_reached();
}

/* FALSE where there is no OpenCL. */
static gboolean run(Ran *ran, const char *name, const PsBenchLaunch *launch)
{
    g_autoptr(GError) error = NULL;
    PsBenchSample sample;
    if (g_strcmp0(g_getenv("PIPESIM_CHECKER"), "valgrind") == 0) {
        g_test_skip("valgrind does not know all instructions that PoCL makes");
        return FALSE;
    }
    ran->device = ps_device_open("opencl", 0, &error);
    if (!ran->device) {
        g_test_skip(error->message);
        return FALSE;
    }
    ran->program = compile(ran->device, name);
    ps_device_run(ran->device, ran->program, launch, &sample, &error);
    g_assert_no_error(error);
    ran->n = (gsize)launch->memory / 4;
    ran->before = g_new(float, ran->n);
    ran->after = g_new(float, ran->n);
    for (gsize i = 0; i < ran->n; i++)
        ran->before[i] = float_at(i);
    PsDriver *driver = (PsDriver *)ran->device;
    g_assert_true(driver->calls->read(driver, driver->memory.buffer, ran->after,
                                      ran->n * sizeof(float), NULL));
    return TRUE;
}

static void check_mmul(const char *name, gsize tile)
{
    enum { N = 32 };
    const gint64 tiles = (gint64)(N / tile);
    const PsBenchLaunch launch = {.groups = tiles * tiles,
                                  .group_size = (gint64)(tile * tile),
                                  .local_memory = (gint64)(8 * tile * tile),
                                  .warps = 1,
                                  .length = tiles,
                                  .memory = 12 * N * N,
                                  .step = N};
    g_auto(Ran) ran = {0};
    if (!run(&ran, name, &launch))
        return;
    for (gsize i = 0; i < N; i++)
        for (gsize j = 0; j < N; j++) {
            double sum = 0;
            for (gsize k = 0; k < N; k++)
                sum += (double)ran.before[i * N + k] * (double)ran.before[N * N + k * N + j];
            g_assert_cmpfloat_with_epsilon((double)ran.after[2 * N * N + i * N + j], sum, 1e-3);
        }
}

static void test_mmul(void)
{
    check_mmul("mmul08", 8);
    check_mmul("mmul16", 16);
}

/* Conflicts must not lead out of the tiles; what is computed means nothing. */
static void test_conflict(void)
{
    const PsBenchLaunch launch = {.groups = 16,
                                  .group_size = 64,
                                  .local_memory = 2 * 8 * 32 * 4,
                                  .warps = 1,
                                  .length = 4,
                                  .memory = 12 * 32 * 32,
                                  .step = 32};
    g_auto(Ran) ran = {0};
    if (!run(&ran, "mmul08-conflict", &launch))
        return;
    for (gsize i = 2048; i < ran.n; i++)
        g_assert_true((double)ran.after[i] > 32 && (double)ran.after[i] < 4 * 32);
}

static void check_transpose(const char *name, gint64 pitch)
{
    enum { N = 64 };
    const PsBenchLaunch launch = {.groups = 4,
                                  .group_size = 256,
                                  .local_memory = 128 * pitch,
                                  .warps = 8,
                                  .length = 1,
                                  .memory = 8 * N * N,
                                  .step = N};
    g_auto(Ran) ran = {0};
    if (!run(&ran, name, &launch))
        return;
    for (gsize i = 0; i < N; i++)
        for (gsize j = 0; j < N; j++)
            g_assert_true(ran.after[N * N + j * N + i] == ran.before[i * N + j]);
}

static void test_transpose(void)
{
    check_transpose("transpose", 33);
    check_transpose("transpose-conflict", 32);
}

/* Once: kernels with a loop run first with a single trip, which does not change what they read. */
static void test_saxpy(void)
{
    const PsBenchLaunch launch = {
        .groups = 10, .group_size = 64, .warps = 2, .length = 1, .memory = 8 * 640, .step = 1};
    g_auto(Ran) ran = {0};
    if (!run(&ran, "saxpy", &launch))
        return;
    for (gsize i = 0; i < 640; i++)
        g_assert_cmpfloat_with_epsilon((double)ran.after[640 + i],
                                       0.5 * (double)ran.before[i] + (double)ran.before[640 + i],
                                       1e-6);
}

static void test_reduction(void)
{
    enum { GROUPS = 3, SIZE = 64, TRIPS = 5 };
    const PsBenchLaunch launch = {.groups = GROUPS,
                                  .group_size = SIZE,
                                  .local_memory = 4 * SIZE,
                                  .warps = 2,
                                  .length = TRIPS,
                                  .memory = 4 * GROUPS * SIZE * TRIPS,
                                  .step = SIZE};
    g_auto(Ran) ran = {0};
    float sums[GROUPS];
    if (!run(&ran, "reduction", &launch))
        return;
    PsDriver *driver = (PsDriver *)ran.device;
    g_assert_true(driver->calls->read(driver, driver->sink.buffer, sums, sizeof sums, NULL));
    for (gsize group = 0; group < GROUPS; group++) {
        double sum = 0;
        for (gsize i = 0; i < (gsize)GROUPS * SIZE * TRIPS; i++)
            if (i / SIZE % GROUPS == group)
                sum += (double)ran.before[i];
        g_assert_cmpfloat_with_epsilon((double)sums[group], sum, 1e-3);
    }
}

static double stencil_at(const float *a, gsize i, gsize row, gsize plane)
{
    const double sum = (double)a[i - 1] + (double)a[i + 1] + (double)a[i - row] +
                       (double)a[i + row] + (double)a[i - plane] + (double)a[i + plane];
    return (double)a[i] + 0.1 * (sum - 6 * (double)a[i]);
}

static void test_stencil(void)
{
    enum { W = 16, ROW = W + 2, PLANE = ROW * ROW, TRIPS = 3, N = PLANE * (TRIPS + 2) };
    const PsBenchLaunch launch = {.groups = 1,
                                  .group_size = 256,
                                  .warps = 8,
                                  .length = TRIPS,
                                  .memory = (gint64)8 * N,
                                  .step = ROW};
    g_auto(Ran) ran = {0};
    if (!run(&ran, "stencil", &launch))
        return;
    for (gsize z = 1; z <= TRIPS; z++)
        for (gsize y = 1; y <= W; y++)
            for (gsize x = 1; x <= W; x++) {
                const gsize i = z * PLANE + y * ROW + x;
                g_assert_cmpfloat_with_epsilon((double)ran.after[N + i],
                                               stencil_at(ran.before, i, ROW, PLANE), 1e-5);
            }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/validate/summary", test_summary);
    g_test_add_func("/validate/plan", test_plan);
    g_test_add_func("/validate/plan/unknown", test_plan_unknown);
    g_test_add_func("/validate/work", test_work);
    g_test_add_func("/validate/mmul", test_mmul);
    g_test_add_func("/validate/mmul/conflict", test_conflict);
    g_test_add_func("/validate/transpose", test_transpose);
    g_test_add_func("/validate/saxpy", test_saxpy);
    g_test_add_func("/validate/reduction", test_reduction);
    g_test_add_func("/validate/stencil", test_stencil);
    return g_test_run();
}
