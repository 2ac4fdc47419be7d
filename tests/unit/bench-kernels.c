/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Micro-benchmarks and the plan: that each kernel's graph is the chain that its class is fitted to,
 * and that launches are such as a device can make.
 * Where NVRTC is installed, every kernel is compiled by it. With PIPESIM_KERNEL_SOURCES set to a
 * folder, all sources go there, for other compilers (tests/bench-compile.t).
 */
#include "base/class-name.h"
#include "latency-bench/internal.h"
#include "latency-bench/code.h"
#include "tests/help/build-graph.h"
#include "tests/help/engine.h"

#include <dlfcn.h>
#include <math.h>
#include <string.h>

static const char *const BACKENDS[] = {"CUDA", "HIP", "OpenCL"};

static PsRational rational(const char *text)
{
    PsRational value = {0, 1};
    g_assert_true(ps_rational_parse(text, &value));
    return value;
}

static const PsBenchKernel *find(const GPtrArray *all, const char *name)
{
    for (guint i = 0; i < all->len; i++) {
        const PsBenchKernel *kernel = all->pdata[i];
        if (strcmp(kernel->name, name) == 0)
            return kernel;
    }
    g_error("there is no kernel %s", name);
    return NULL;
}

static gboolean is_for(const PsBenchKernel *kernel, const char *backend)
{
    return !kernel->backends || strstr(kernel->backends, backend);
}

/* ---- all kernels --------------------------------------------------------------------------- */

static void check_kernel(const PsBenchKernel *kernel)
{
    g_test_message("%s", kernel->name);
    g_assert_nonnull(kernel->class_name);
    g_assert_cmpint(kernel->ilp, >=, 1);
    g_assert_cmpint(kernel->unroll, >=, 1);
    g_assert_cmpint(kernel->step, >=, 0);
    g_assert_true(kernel->kind != PS_BENCH_PEAK || kernel->operations > 0);
    g_autofree char *function =
        g_strcanon(g_strdup(kernel->name), G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS "_", '_');
    g_autofree char *names = g_strdup_printf("#define NAME %s\n", function);
    for (guint i = 0; i < G_N_ELEMENTS(BACKENDS); i++) {
        g_autofree char *source = ps_bench_source(kernel, BACKENDS[i]);
        g_assert_nonnull(strstr(source, names));
        g_assert_nonnull(strstr(source, "KERNEL(NAME)"));
    }
    g_assert_nonnull(kernel->graph);
    g_autofree char *text = ps_idg_write(kernel->graph);
    g_autoptr(GError) error = NULL;
    g_autoptr(PsIdg) again = ps_idg_parse(text, strlen(text), kernel->name, &error);
    g_assert_no_error(error);
    g_assert_true(again != NULL);
}

/* What is measured. */
static const char CLASSES[] =
    "fadd fmul fmadd dadd dmul dfma hadd hmul hfma iadd imad logic shift conversion.f2i "
    "conversion.i2f rcp rsqrt "
    "sqrt sin cos exp2 log2 fdiv loop barrier shuffle atomic.local atomic.global local.load "
    "local.store constant global.load global.load.l1 memory global.load.l2 global.store "
    "global.store.v2 global.store.v4 global.load.broadcast global.load.v2 global.load.v4 "
    "local.load.v2 local.load.v4 "
    "local.store.v2 local.store.v4 T_SP T_DP T_HP T_int T_add T_ldst T_tensor B_mem B_L2 B_L1 "
    "B_local "
    "mix intensity global.load.A.8x8 global.load.B.8x8 global.load.A.16x16 "
    "global.load.B.16x16 global.store.B.8x8 global.store.B.16x16 walk flow flow.copy flow.queue "
    "flow.queue.copy flow.request "
    "flow.tag flow.lookup flow.miss flow.pair touch.address touch.line touch.lines touch.sectors "
    "touch.write touch.partial launch launch.store launch.timer atomic.local.cas constant.c32 "
    "local.load.p2.v2 local.load.p2.v4 local.load.broadcast local.load.broadcast.v2 "
    "local.load.broadcast.v4 conversion.pack conversion.f64 fadd.minmax iadd.minmax logic.vote "
    "shuffle.reduce shuffle.reduce.minmax imad.beside burst.one burst.eight";

static void test_kernels(void)
{
    g_autoptr(GPtrArray) all = ps_bench_kernels();
    g_autoptr(GHashTable) names = g_hash_table_new(g_str_hash, g_str_equal);
    g_autoptr(GHashTable) found = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < all->len; i++) {
        const PsBenchKernel *kernel = all->pdata[i];
        check_kernel(kernel);
        g_assert_true(g_hash_table_add(names, kernel->name));
        g_hash_table_add(found, kernel->class_name);
    }
    g_auto(GStrv) classes = g_strsplit(CLASSES, " ", -1);
    for (char **class = classes; *class; class ++)
        if (!g_hash_table_contains(found, *class))
            g_error("no kernel measures %s", *class);
    g_assert_cmpuint(g_hash_table_size(found), ==, g_strv_length(classes));
}

/* ---- graphs -------------------------------------------------------------------------------- */

typedef struct {
    const char *kernel, *class_name; /* the class: in its graph */
    const char *lambda, *completion;
    gboolean stores; /* nothing waits */
} Curve;

static PsRational run_graph(const PsBenchKernel *kernel, const PsGpu *gpu, gint64 warps,
                            gint64 length)
{
    PsScope *overrides = ps_scope_new();
    ps_scope_set(overrides, "length", PS_RATIONAL_INT(length));
    EngineRun run = {.idg = kernel->graph,
                     .gpu = gpu,
                     .overrides = overrides,
                     .options = {.groups = warps, .group_size = 32, .active = warps}};
    g_autoptr(GError) error = NULL;
    PsSimResult result = {.ticks = 0};
    engine_run(&run, &result, &error);
    g_assert_no_error(error);
    ps_scope_free(overrides);
    return result.cycles;
}

/* max(Lambda, W k lambda) for each link of the chain, exactly. */
static void check_slope(const Curve *curve, const PsBenchKernel *kernel, const PsGpu *gpu,
                        gint64 warps)
{
    const gint64 shorter = 4, longer = 12;
    PsRational a = run_graph(kernel, gpu, warps, shorter),
               b = run_graph(kernel, gpu, warps, longer);
    PsRational slope, wanted, completion = rational(curve->completion);
    g_assert_true(ps_rational_sub(b, a, &slope));
    g_assert_true(
        ps_rational_div(slope, PS_RATIONAL_INT((longer - shorter) * kernel->unroll), &slope));
    g_assert_true(
        ps_rational_mul(rational(curve->lambda), PS_RATIONAL_INT(warps * kernel->ilp), &wanted));
    if (!curve->stores && ps_rational_cmp(wanted, completion) < 0)
        wanted = completion;
    g_autofree char *is = ps_rational_format(slope), *should = ps_rational_format(wanted);
    g_test_message("%s, %d warps", kernel->name, (int)warps);
    g_assert_cmpstr(is, ==, should);
}

static void test_slopes(void)
{
    static const Curve curves[] = {
        {"fadd-ilp1", "fadd", "0.25", "4", FALSE},
        {"fadd-ilp2", "fadd", "0.25", "4", FALSE},
        {"fadd-ilp4", "fadd", "1.75", "24", FALSE},
        {"fmadd-ilp8", "fmadd", "0.5", "6", FALSE},
        {"conversion-f2i-ilp1", "conversion.f2i", "2", "8.5", FALSE},
        {"conversion-i2f-ilp4", "conversion.i2f", "0.5", "4", FALSE},
        {"hfma-ilp1", "hfma", "1", "6", FALSE},
        {"iadd-ilp2", "iadd", "0.3", "4", FALSE},
        {"loop-ilp1", "loop", "3", "40", FALSE},
        {"barrier-ilp1", "barrier", "2", "20", FALSE},
        {"shuffle-ilp1", "shuffle", "2", "22", FALSE},
        {"constant-load", "constant", "1", "27", FALSE},
        {"local-load-c1", "local.load", "1", "33", FALSE},
        {"local-load-c8", "local.load.c8", "8", "70", FALSE},
        {"local-store-c4", "local.store.c4", "4", "40", TRUE},
        {"local-load-v4-ilp2", "local.load.v4", "4", "36", FALSE},
        {"local-store-v2", "local.store.v2", "2", "33", TRUE},
        {"atomic-local-c1", "atomic.local", "4", "60", FALSE},
        {"global-load-s1", "global.load", "12", "600", FALSE},
        {"global-load-s32", "global.load.stride32", "32", "800", FALSE},
        {"global-load-v4", "global.load.v4", "16", "620", FALSE},
        {"global-load-l1", "global.load.l1", "2", "33", FALSE},
        {"memory-ilp1", "memory", "14.7", "434", FALSE},
        {"memory-ilp8", "memory", "14.7", "434", FALSE},
        {"global-store", "global.store", "14", "434", TRUE},
        {"global-store-v4-ilp4", "global.store.v4", "56", "434", TRUE},
        {"global-load-a-8x8", "global.load.A.8x8", "7", "210", FALSE},
        {"global-load-b-16x16-ilp4", "global.load.B.16x16", "10", "444", FALSE},
        {"global-store-b-8x8", "global.store.B.8x8", "8", "409", TRUE},
        {"peak-t-sp", "fmadd", "0.25", "4", FALSE},
    };
    static const gint64 warps[] = {1, 2, 3, 8, 24, 64};
    g_autoptr(GPtrArray) all = ps_bench_kernels();
    for (guint i = 0; i < G_N_ELEMENTS(curves); i++) {
        const PsBenchKernel *kernel = find(all, curves[i].kernel);
        PsGpu *gpu = build_gpu(1, 1);
        build_class(gpu, curves[i].class_name, 0, rational(curves[i].lambda),
                    rational(curves[i].completion));
        for (guint j = 0; j < G_N_ELEMENTS(warps); j++)
            check_slope(&curves[i], kernel, gpu, warps[j]);
        build_gpu_free(gpu);
    }
}

/* What each access of a chain moves, per thread: as graphs of compiled code say it. */
static void test_widths(void)
{
    static const struct {
        const char *kernel, *class_name, *bytes;
    } cases[] = {{"global-load-l1", "global.load.l1", "4"},
                 {"global-load-l2-ilp4", "global.load.l2", "4"},
                 {"global-load-s1", "global.load", "4"},
                 {"global-load-v2", "global.load.v2", "8"},
                 {"global-load-v4-ilp2", "global.load.v4", "16"},
                 {"atomic-global", "atomic.global", "4"}};
    g_autoptr(GPtrArray) all = ps_bench_kernels();
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        const PsBenchKernel *kernel = find(all, cases[i].kernel);
        const PsIdgCode *code = kernel->graph->codes->pdata[0];
        const PsIdgItem *trips = code->body->pdata[0], *steps = trips->body->pdata[0],
                        *node = steps->body->pdata[0];
        g_test_message("%s", kernel->name);
        g_assert_cmpstr(node->class_name, ==, cases[i].class_name);
        g_assert_cmpstr(ps_expr_text(node->bytes), ==, cases[i].bytes);
    }
}

/* As many chains as compilers keep in order: one of divisions, one or eight of half precision. */
static void test_chains(void)
{
    static const struct {
        const char *class_name;
        gint64 chains[2];
    } cases[] = {{"fdiv", {1, 1}}, {"barrier", {1, 1}}, {"loop", {1, 1}}, {"hadd", {1, 8}},
                 {"hmul", {1, 8}}, {"hfma", {1, 8}},    {"T_HP", {8, 8}}};
    g_autoptr(GPtrArray) all = ps_bench_kernels();
    for (guint i = 0; i < all->len; i++) {
        const PsBenchKernel *kernel = all->pdata[i];
        for (guint j = 0; j < G_N_ELEMENTS(cases); j++)
            if (strcmp(kernel->class_name, cases[j].class_name) == 0)
                g_assert_true(kernel->ilp == cases[j].chains[0] ||
                              kernel->ilp == cases[j].chains[1]);
    }
}

/* One warp: a load, an addition and a chain of multiply-adds, one after the other. */
static void test_mix(void)
{
    g_autoptr(GPtrArray) all = ps_bench_kernels();
    PsGpu *gpu = build_gpu(1, 2);
    build_class(gpu, "memory", 0, rational("10"), rational("400"));
    build_class(gpu, "fadd", 1, rational("1"), rational("4"));
    build_class(gpu, "fmadd", 1, rational("1"), rational("5"));
    const struct {
        const char *kernel;
        gint64 cycles; /* of a trip */
    } cases[] = {{"mix-0", 404},
                 {"mix-16", 404 + 80},
                 /* the fourth load is issued 30 cycles late, and so are its multiply-adds */
                 {"intensity-0", 30 + 400 + 4},
                 {"intensity-16", 30 + 400 + 80 + 4}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        const PsBenchKernel *kernel = find(all, cases[i].kernel);
        PsRational slope;
        g_assert_true(
            ps_rational_sub(run_graph(kernel, gpu, 1, 7), run_graph(kernel, gpu, 1, 6), &slope));
        g_autofree char *is = ps_rational_format(slope);
        g_autofree char *should = g_strdup_printf("%d", (int)cases[i].cycles);
        g_test_message("%s", kernel->name);
        g_assert_cmpstr(is, ==, should);
    }
    build_gpu_free(gpu);
}

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
                    "memory take it for 256 MiB, and levels of memory are not measured");
    g_assert_cmpint(ps_bench_last_cache(&info), ==, 256 << 20);
    g_assert_true(has_level(plan, PS_LEVEL_DEVICE));
    info.memory = G_GINT64_CONSTANT(1) << 30;
    g_autoptr(PsBenchPlan) small = ps_bench_plan(&info, PS_GRID_QUICK, NULL);
    g_assert_cmpuint(small->warnings->len, ==, 1);
    const char *text = small->warnings->pdata[0];
    g_assert_true(g_str_has_suffix(text, " benchmarks of device memory are left out: 1024 MiB are "
                                         "too little to sweep twice a cache of 256 MiB out of the "
                                         "way"));
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

static void test_sources(void)
{
    static const char *const endings[] = {"cu", "hip", "cl"};
    const char *folder = g_getenv("PIPESIM_KERNEL_SOURCES");
    if (!folder) {
        g_test_skip("PIPESIM_KERNEL_SOURCES names no folder");
        return;
    }
    g_autoptr(GPtrArray) all = ps_bench_kernels();
    for (guint i = 0; i < all->len; i++)
        for (guint j = 0; j < G_N_ELEMENTS(BACKENDS); j++) {
            const PsBenchKernel *kernel = all->pdata[i];
            if (!is_for(kernel, BACKENDS[j]))
                continue;
            g_autofree char *source = ps_bench_source(kernel, BACKENDS[j]);
            g_autofree char *path = g_strdup_printf("%s/%s.%s", folder, kernel->name, endings[j]);
            g_assert_true(g_file_set_contents(path, source, -1, NULL));
        }
}

/* The part of NVRTC that is needed here; 0 is success. */
typedef struct {
    int (*create)(void **program, const char *source, const char *name, int n_headers,
                  const char *const *headers, const char *const *names);
    int (*compile)(void *program, int n_options, const char *const *options);
    int (*ptx_size)(void *program, gsize *bytes);
    int (*ptx)(void *program, char *text);
    int (*log_size)(void *program, gsize *bytes);
    int (*log)(void *program, char *text);
    int (*destroy)(void **program);
} Nvrtc;

static gboolean load_nvrtc(Nvrtc *nvrtc)
{
    static const char *const names[] = {"libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12",
                                        "/usr/local/cuda/lib64/libnvrtc.so"};
    void *library = NULL;
    for (guint i = 0; i < G_N_ELEMENTS(names) && !library; i++)
        library = dlopen(names[i], RTLD_NOW);
    if (!library)
        return FALSE;
    *(void **)&nvrtc->create = dlsym(library, "nvrtcCreateProgram");
    *(void **)&nvrtc->compile = dlsym(library, "nvrtcCompileProgram");
    *(void **)&nvrtc->ptx_size = dlsym(library, "nvrtcGetPTXSize");
    *(void **)&nvrtc->ptx = dlsym(library, "nvrtcGetPTX");
    *(void **)&nvrtc->log_size = dlsym(library, "nvrtcGetProgramLogSize");
    *(void **)&nvrtc->log = dlsym(library, "nvrtcGetProgramLog");
    *(void **)&nvrtc->destroy = dlsym(library, "nvrtcDestroyProgram");
    return nvrtc->create && nvrtc->compile && nvrtc->ptx_size && nvrtc->ptx && nvrtc->log_size &&
           nvrtc->log && nvrtc->destroy;
}

/* Pointers need nothing worked out: from the first access of a trip to its last there are only
 * accesses, and moves of pointers' halves. */
static void check_pointers(const PsBenchKernel *kernel, const char *ptx)
{
    static const char *const chased[] = {
        "global.load",    "global.load.l1",        "global.load.l2", "global.load.v2",
        "global.load.v4", "global.load.broadcast", "atomic.global",  NULL};
    if (!g_strv_contains(chased, kernel->class_name))
        return;
    const char *begin = strstr(ptx, "%clock64"),
               *end = begin ? strstr(begin + 1, "%clock64") : NULL;
    g_assert_nonnull(end);
    const char *access = strstr(kernel->class_name, "load") ? "ld." : "atom.";
    const char *first = g_strstr_len(begin, end - begin, access);
    const char *last = g_strrstr_len(begin, end - begin, access);
    g_autofree char *trip = g_strndup(first, (gsize)(last - first));
    g_autoptr(GRegex) other = g_regex_new(
        "^\\s*[{\\t ]*(?!mov\\.b64|ld\\.|atom\\.|\\.reg|//|\\})[a-z]", G_REGEX_MULTILINE, 0, NULL);
    g_autoptr(GMatchInfo) match = NULL;
    g_regex_match(other, trip, 0, &match);
    g_autofree char *found = g_match_info_fetch(match, 0);
    g_test_message("%s", kernel->name);
    g_assert_cmpstr(found, ==, NULL);
}

/* Compiles without a word of warning, and the code holds the chain. */
static void check_nvrtc(const Nvrtc *nvrtc, const PsBenchKernel *kernel, const char *option)
{
    void *program = NULL;
    gsize bytes = 0;
    g_autofree char *source = ps_bench_source(kernel, "CUDA");
    g_assert_cmpint(nvrtc->create(&program, source, kernel->name, 0, NULL, NULL), ==, 0);
    const int status = nvrtc->compile(program, 1, &option);
    g_assert_cmpint(nvrtc->log_size(program, &bytes), ==, 0);
    g_autofree char *log = g_malloc0(bytes + 1);
    g_assert_cmpint(nvrtc->log(program, log), ==, 0);
    g_assert_cmpstr(log, ==, "");
    g_assert_cmpint(status, ==, 0);
    if (status == 0) {
        g_assert_cmpint(nvrtc->ptx_size(program, &bytes), ==, 0);
        g_autofree char *ptx = g_malloc0(bytes + 1);
        g_autofree char *unseen = NULL;
        g_autoptr(GError) error = NULL;
        g_assert_cmpint(nvrtc->ptx(program, ptx), ==, 0);
        ps_bench_check_code(kernel, NULL, ptx, &unseen, &error);
        g_assert_no_error(error);
        check_pointers(kernel, ptx);
    }
    nvrtc->destroy(&program);
}

static void test_nvrtc(void)
{
    static const char *const options[] = {"-arch=compute_75", "-arch=compute_90"};
    Nvrtc nvrtc = {.create = NULL};
    if (!load_nvrtc(&nvrtc)) {
        g_test_skip("NVRTC is not installed");
        return;
    }
    g_autoptr(GPtrArray) all = ps_bench_kernels();
    for (guint i = 0; i < G_N_ELEMENTS(options); i++)
        for (guint j = 0; j < all->len; j++)
            if (is_for(all->pdata[j], "CUDA"))
                check_nvrtc(&nvrtc, all->pdata[j], options[i]);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/bench-kernels/kernels", test_kernels);
    g_test_add_func("/bench-kernels/slopes", test_slopes);
    g_test_add_func("/bench-kernels/widths", test_widths);
    g_test_add_func("/bench-kernels/chains", test_chains);
    g_test_add_func("/bench-kernels/mix", test_mix);
    g_test_add_func("/bench-kernels/plans", test_plans);
    g_test_add_func("/bench-kernels/pattern", test_pattern);
    g_test_add_func("/bench-kernels/since", test_since);
    g_test_add_func("/bench-kernels/unknown-cache", test_unknown_cache);
    g_test_add_func("/bench-kernels/suits", test_suits);
    g_test_add_func("/bench-kernels/duration", test_duration);
    g_test_add_func("/bench-kernels/sources", test_sources);
    g_test_add_func("/bench-kernels/nvrtc", test_nvrtc);
    return g_test_run();
}
