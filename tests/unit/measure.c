/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Running a plan on devices that simulate or fail: what is measured, what is left out and
 * said, what is kept, and that a campaign which was interrupted anywhere ends up with the samples
 * of one which was not.
 */
#include "latency-bench/internal.h"
#include "tests/help/bench.h"
#include "tests/help/build-graph.h"

#include <glib/gstdio.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

static const gint64 some_warps[] = {1, 2, 8, 24, 0};

/* ---- what a case needs --------------------------------------------------------------------- */

typedef struct {
    PsGpu *gpu;
    PsBenchPlan *plan;
    PsDevice *device;
    char *path;
    GPtrArray *warnings;
    char **unseen; /* as of PsBenchMeasure */
    guint stop_at; /* points after which the progress says FALSE; 0: never */
    guint n_told;
    guint last_done;
} Case;

/* Three kernels, 8 points each, on a model without a blur. */
static Case case_new(double noise, double outliers)
{
    Case test = {.gpu = bench_gpu(), .plan = bench_plan(), .path = bench_path()};
    const PsModelDevice model = {
        .gpu = test.gpu, .noise = noise, .outliers = outliers, .worst = 3, .seed = 7};
    bench_plan_add(test.plan, bench_chain("fadd", 1, 64), 2, some_warps, 2);
    bench_plan_add(test.plan, bench_chain("fadd", 2, 64), 2, some_warps, 2);
    bench_plan_add(test.plan, bench_chain("cos", 1, 32), 2, some_warps, 2);
    test.device = ps_device_model(&model, NULL);
    test.warnings = g_ptr_array_new_with_free_func(g_free);
    return test;
}

static void case_clear(Case *test)
{
    ps_device_close(test->device);
    bench_plan_free(test->plan);
    build_gpu_free(test->gpu);
    bench_path_free(test->path);
    g_ptr_array_unref(test->warnings);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Case, case_clear)

static gboolean count_progress(const PsProgress *progress, gpointer self)
{
    Case *test = self;
    g_assert_cmpint(progress->phase, ==, PS_PHASE_POINTS);
    g_assert_cmpuint(progress->of, ==, test->plan->points->len);
    g_assert_cmpuint(progress->done, >=, test->last_done);
    test->last_done = (guint)progress->done;
    test->n_told++;
    return test->stop_at == 0 || progress->done < test->stop_at;
}

/* Measures into the case's file, from where that is. */
static gboolean measure_on(Case *test, PsDevice *device, GError **error)
{
    g_autoptr(PsRaw) done = NULL;
    g_autoptr(GPtrArray) plans = g_ptr_array_new();
    g_ptr_array_add(plans, test->plan);
    PsRawWriter *writer = ps_raw_writer_new(test->path, &device->info, plans, &done, error);
    g_assert_nonnull(writer);
    if (!writer)
        return FALSE;
    const PsBenchMeasure measure = {.writer = writer,
                                    .done = done,
                                    .progress = {count_progress, test},
                                    .warnings = test->warnings,
                                    .unseen = test->unseen};
    test->last_done = test->n_told = 0;
    const gboolean ok = ps_bench_measure(device, test->plan, &measure, error);
    g_assert_true(ps_raw_writer_close(writer, NULL));
    return ok;
}

static void measure_all(Case *test)
{
    g_autoptr(GError) error = NULL;
    g_assert_true(measure_on(test, test->device, &error));
    g_assert_no_error(error);
}

static PsRaw *load(const Case *test)
{
    g_autoptr(GError) error = NULL;
    PsRaw *raw = ps_raw_load(test->path, &error);
    g_assert_no_error(error);
    return raw;
}

static void assert_warning(const Case *test, guint at, const char *text)
{
    g_assert_cmpuint(test->warnings->len, >, at);
    if (test->warnings->len > at)
        g_assert_cmpstr(test->warnings->pdata[at], ==, text);
}

/* ---- the model ----------------------------------------------------------------------------- */

/* Without a blur the slopes are equation 1. */
static void test_equation(void)
{
    g_auto(Case) test = case_new(0, 0);
    measure_all(&test);
    g_assert_cmpuint(test.warnings->len, ==, 0);
    g_assert_cmpuint(test.n_told, ==, 3 + 24);
    g_assert_cmpuint(test.last_done, ==, 24);
    g_autoptr(PsRaw) raw = load(&test);
    g_assert_cmpuint(raw->rows->len, ==, 48);
    g_assert_cmpstr(raw->info.backend, ==, "model");
    g_autoptr(GArray) fadd = ps_raw_hull(raw, "fadd");
    g_assert_cmpuint(fadd->len, ==, 16);
    for (guint i = 0; i < fadd->len; i++) {
        const PsHullPoint *point = &g_array_index(fadd, PsHullPoint, i);
        g_assert_cmpfloat(point->cycles, ==, MAX(6, (double)(point->warps * point->ilp) * 0.25));
    }
    const PsRawRow *row = raw->rows->pdata[0];
    g_assert_cmpfloat(row->sample.cycles, ==, 8 * 64 * 6);
    g_assert_cmpfloat_with_epsilon(row->sample.seconds, 8 * 64 * 6 / 1e9, 1e-18);
    g_assert_cmpfloat(row->sample.mhz, ==, 1000);
}

/* A pipeline of each scheduler: lambda 2, Lambda 8, four of them. */
static void test_schedulers(void)
{
    g_auto(Case) test = case_new(0, 0);
    bench_plan_add(test.plan, bench_chain("fmadd", 2, 64), 2, some_warps, 1);
    measure_all(&test);
    g_autoptr(PsRaw) raw = load(&test);
    g_autoptr(GArray) points = ps_raw_hull(raw, "fmadd");
    g_assert_cmpuint(points->len, ==, 4);
    for (guint i = 0; i < points->len; i++) {
        const PsHullPoint *point = &g_array_index(points, PsHullPoint, i);
        const double per_scheduler = ceil((double)point->warps / 4);
        g_assert_cmpfloat(point->cycles, ==, MAX(8, per_scheduler * 2 * 2));
    }
}

static PsBenchSample sample_of(const PsModelDevice *model, const PsBenchKernel *kernel,
                               gint64 repeat)
{
    g_autoptr(PsDevice) device = ps_device_model(model, NULL);
    const PsBenchLaunch launch = {
        .groups = 2, .group_size = 64, .warps = 2, .length = 8, .repeat = repeat};
    PsBenchSample sample = {NAN, NAN, NAN};
    PsBenchProgram *program = ps_device_compile(device, kernel, NULL);
    g_assert_true(ps_device_run(device, program, &launch, &sample, NULL));
    g_assert_null(ps_device_code(device, program));
    ps_device_release(device, program);
    return sample;
}

/* 4000 repeats are as blurred as was asked for. */
static void check_blur(double noise, double outliers)
{
    PsGpu *gpu = bench_gpu();
    const PsModelDevice model = {gpu, noise, outliers, 5, 1};
    g_autoptr(PsDevice) device = ps_device_model(&model, NULL);
    PsBenchPlan *plan = bench_plan();
    g_ptr_array_add(plan->kernels, bench_chain("fadd", 1, 64));
    PsBenchProgram *program = ps_device_compile(device, plan->kernels->pdata[0], NULL);
    PsBenchLaunch launch = {.groups = 2, .group_size = 64, .warps = 2, .length = 8};
    const double cycles = 8 * 64 * 6 + 0.25;
    double sum = 0, squares = 0;
    guint n_out = 0, n = 0;
    for (; launch.repeat < 4000; launch.repeat++) {
        PsBenchSample sample;
        g_assert_true(ps_device_run(device, program, &launch, &sample, NULL));
        const double factor = sample.cycles / cycles;
        g_assert_cmpfloat(factor, <, 5.5);
        if (factor > 1 + 6 * noise) {
            n_out++;
            continue;
        }
        sum += factor - 1;
        squares += (factor - 1) * (factor - 1);
        n++;
    }
    g_assert_cmpfloat(fabs(sum / n), <, 0.1 * noise + 1e-9);
    g_assert_cmpfloat(fabs(sqrt(squares / n) - noise), <, 0.1 * noise + 1e-9);
    g_assert_cmpfloat(fabs(n_out / 4000.0 - outliers), <=, 0.3 * outliers);
    ps_device_release(device, program);
    bench_plan_free(plan);
    build_gpu_free(gpu);
}

static void test_blur(void)
{
    check_blur(0, 0);
    check_blur(0.02, 0);
    check_blur(0.02, 0.05);
}

static void test_seed(void)
{
    PsGpu *gpu = bench_gpu();
    PsModelDevice model = {gpu, 0.02, 0, 1, 1};
    PsBenchPlan *plan = bench_plan();
    g_ptr_array_add(plan->kernels, bench_chain("fadd", 1, 64));
    const PsBenchKernel *kernel = plan->kernels->pdata[0];
    const double first = sample_of(&model, kernel, 0).cycles;
    g_assert_cmpfloat(sample_of(&model, kernel, 0).cycles, ==, first);
    g_assert_cmpfloat(sample_of(&model, kernel, 1).cycles, !=, first);
    model.seed = 2;
    g_assert_cmpfloat(sample_of(&model, kernel, 0).cycles, !=, first);
    bench_plan_free(plan);
    build_gpu_free(gpu);
}

static void test_bad_model(void)
{
    PsGpu *gpu = bench_gpu();
    const PsModelDevice bad[] = {{gpu, -0.1, 0, 1, 0},
                                 {gpu, NAN, 0, 1, 0},
                                 {gpu, 0, 1.5, 1, 0},
                                 {gpu, 0, 0.1, 0, 0},
                                 {gpu, 0, 0.1, INFINITY, 0}};
    for (guint i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_autoptr(GError) error = NULL;
        g_assert_null(ps_device_model(&bad[i], &error));
        g_assert_error(error, PS_ERROR, PS_ERROR_USAGE);
    }
    g_autoptr(GError) error = NULL;
    gpu->clock = PS_RATIONAL_INT(0);
    g_assert_null(ps_device_model(&(PsModelDevice){.gpu = gpu}, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_VALUE);
    build_gpu_free(gpu);
}

/* The benchmarks themselves, as graphs, on a description that is there: what it lacks is left out,
 * and no launch is too large. */
static void test_real_kernels(void)
{
    g_auto(Case) test = case_new(0, 0);
    g_autoptr(GError) error = NULL;
    g_autoptr(PsGpu) gpu = ps_gpu_load("gpus/pascal.xml", &error);
    g_assert_no_error(error);
    const PsModelDevice model = {.gpu = gpu, .worst = 1};
    g_autoptr(PsDevice) device = ps_device_model(&model, &error);
    bench_plan_free(test.plan);
    test.plan = ps_bench_plan(&device->info, PS_GRID_FULL, NULL);
    g_assert_true(measure_on(&test, device, &error));
    for (guint i = 0; i < test.warnings->len; i++) {
        g_test_message("%s", (const char *)test.warnings->pdata[i]);
        g_assert_nonnull(strstr(test.warnings->pdata[i], " is left out: "));
    }
    g_autoptr(PsRaw) raw = load(&test);
    g_autoptr(GArray) points = ps_raw_hull(raw, "fadd");
    g_assert_cmpuint(points->len, >, 50);
    for (guint i = 0; i < points->len; i++) {
        const PsHullPoint *point = &g_array_index(points, PsHullPoint, i);
        g_assert_cmpfloat(point->cycles, ==, MAX(6, (double)(point->warps * point->ilp) * 0.25));
    }
}

/* ---- what is left out ---------------------------------------------------------------------- */

/* Warps that the CU cannot hold, a class that it lacks, a kernel that has no graph. */
static void test_resources(void)
{
    g_auto(Case) test = case_new(0, 0);
    PsBenchKernel *bare = bench_chain("fadd", 4, 8);
    test.gpu->limits.warps = 16;
    g_clear_pointer(&bare->graph, ps_idg_free);
    bench_plan_add(test.plan, bare, 2, some_warps, 2);
    bench_plan_add(test.plan, bench_chain("dfma", 1, 8), 2, some_warps, 2);
    measure_all(&test);
    g_assert_cmpuint(test.warnings->len, ==, 5);
    assert_warning(
        &test, 0,
        "fadd-ilp1: 2 of 8 points are left out, since the device cannot launch them: not "
        "even one group of 768 threads fits: it needs 24 warps, and a compute unit of "
        "test GPU has 16");
    assert_warning(
        &test, 3,
        "fadd-ilp4 is left out: a model needs the kernel as a graph, and 'fadd-ilp4' has "
        "none");
    assert_warning(&test, 4, "dfma-ilp1 is left out: the GPU 'test GPU' has no class 'dfma'");
    g_autoptr(PsRaw) raw = load(&test);
    g_assert_cmpuint(raw->rows->len, ==, 3 * (6 * 2 + 2) + 2);

    g_autofree char *before = bench_read(test.path);
    g_ptr_array_set_size(test.warnings, 0);
    measure_all(&test);
    g_autofree char *after = bench_read(test.path);
    g_assert_cmpstr(before, ==, after);
    g_assert_cmpuint(test.warnings->len, ==, 5);
}

/* ---- interrupted and resumed --------------------------------------------------------------- */

static void test_stop(void)
{
    g_auto(Case) whole = case_new(0.02, 0.01);
    measure_all(&whole);
    g_autofree char *expected = bench_read(whole.path);
    g_auto(Case) test = case_new(0.02, 0.01);
    for (test.stop_at = 1; test.stop_at <= 24; test.stop_at++) {
        measure_all(&test);
        g_assert_cmpuint(test.last_done, ==, test.stop_at);
        g_autoptr(PsRaw) raw = load(&test);
        g_assert_cmpuint(raw->rows->len, ==, 2 * test.stop_at);
    }
    g_autofree char *text = bench_read(test.path);
    g_assert_cmpstr(text, ==, expected);
}

/* After any number of rows, that is within a point, too. */
static void test_resume(void)
{
    g_auto(Case) test = case_new(0.02, 0.01);
    g_autofree char *whole = NULL;
    measure_all(&test);
    g_file_get_contents(test.path, &whole, NULL, NULL);
    g_autofree char *expected = bench_read(test.path);
    for (const char *end = strstr(whole, "\nrun,"); end; end = strchr(end + 1, '\n')) {
        g_unlink(test.path);
        FILE *file = fopen(test.path, "w");
        fwrite(whole, 1, (gsize)(end - whole) + 1, file);
        fclose(file);
        measure_all(&test);
        g_autofree char *text = bench_read(test.path);
        g_assert_cmpstr(text, ==, expected);
        if (g_test_failed())
            break;
    }
}

/* ---- devices that fail --------------------------------------------------------------------- */

typedef struct {
    PsDevice device;
    PsDevice *model;
    guint n_runs, n_compiled;
    guint vanish_at;     /* the run that fails; 0: none */
    const char *broken;  /* the kernel that does not compile, or NULL */
    gboolean lost;       /* and is the device lost then? */
    const char *code;    /* of the first kernel that is compiled; NULL: none is to be seen */
    GBytes *image;       /* of all; NULL: the same */
    gboolean has_sample; /* instead of the model's */
    PsBenchSample sample;
} Fake;

static void fake_close(PsDevice *device)
{
    (void)device;
}

static PsBenchProgram *fake_compile(PsDevice *device, const PsBenchKernel *kernel, GError **error)
{
    Fake *fake = (Fake *)device;
    fake->n_compiled++;
    if (!fake->broken || !strstr(kernel->name, fake->broken))
        return ps_device_compile(fake->model, kernel, error);
    g_set_error(error, PS_ERROR, PS_ERROR_DEVICE, "line 3: expected ';'\nand more");
    return NULL;
}

static void fake_release(PsDevice *device, PsBenchProgram *program)
{
    ps_device_release(((Fake *)device)->model, program);
}

static gboolean fake_run(PsDevice *device, PsBenchProgram *program, const PsBenchLaunch *launch,
                         PsBenchSample *sample, GError **error)
{
    Fake *fake = (Fake *)device;
    if (++fake->n_runs == fake->vanish_at) {
        g_set_error(error, PS_ERROR, PS_ERROR_DEVICE, "the device is lost");
        return FALSE;
    }
    if (!ps_device_run(fake->model, program, launch, sample, error))
        return FALSE;
    if (fake->has_sample)
        *sample = fake->sample;
    return TRUE;
}

static char *fake_code(PsDevice *device, PsBenchProgram *program)
{
    const Fake *fake = (const Fake *)device;
    (void)program;
    return fake->n_compiled == 1 ? g_strdup(fake->code) : NULL;
}

static GBytes *fake_image(PsDevice *device, PsBenchProgram *program)
{
    const Fake *fake = (const Fake *)device;
    (void)program;
    return fake->image ? g_bytes_ref(fake->image) : NULL;
}

static gboolean fake_check(PsDevice *device, GError **error)
{
    if (((Fake *)device)->lost)
        g_set_error(error, PS_ERROR, PS_ERROR_DEVICE, "the device is lost");
    return !((Fake *)device)->lost;
}

static const PsDeviceClass fake_class = {.close = fake_close,
                                         .compile = fake_compile,
                                         .release = fake_release,
                                         .run = fake_run,
                                         .code = fake_code,
                                         .image = fake_image,
                                         .check = fake_check};

static Fake fake_new(const Case *test)
{
    return (Fake){.device = {&fake_class, test->device->info}, .model = test->device};
}

/* Whenever it vanishes, what was measured is kept, and goes on later. */
static void test_vanish(void)
{
    g_auto(Case) whole = case_new(0.02, 0);
    measure_all(&whole);
    g_autofree char *expected = bench_read(whole.path);
    for (guint at = 1; at <= 51; at += 5) {
        g_auto(Case) test = case_new(0.02, 0);
        g_autoptr(GError) error = NULL;
        Fake fake = fake_new(&test);
        fake.vanish_at = at;
        g_assert_false(measure_on(&test, &fake.device, &error));
        g_assert_error(error, PS_ERROR, PS_ERROR_DEVICE);
        g_assert_true(error && g_str_has_suffix(error->message, "-ilp1: the device is lost") |
                                   g_str_has_suffix(error->message, "-ilp2: the device is lost"));
        g_autoptr(PsRaw) raw = load(&test);
        g_assert_cmpuint(raw->rows->len, ==, at - 1 - MIN(at - 1, 1 + (at - 1) / 17));
        measure_all(&test);
        g_autofree char *text = bench_read(test.path);
        g_assert_cmpstr(text, ==, expected);
    }
}

static void check_timers(PsBenchSample sample, gboolean is_good)
{
    g_auto(Case) test = case_new(0, 0);
    g_autoptr(GError) error = NULL;
    Fake fake = fake_new(&test);
    fake.has_sample = TRUE;
    fake.sample = sample;
    g_assert_cmpint(measure_on(&test, &fake.device, &error), ==, is_good);
    g_autoptr(PsRaw) raw = load(&test);
    g_assert_cmpuint(raw->rows->len, ==, is_good ? 48 : 0);
    if (is_good)
        return;
    g_assert_error(error, PS_ERROR, PS_ERROR_DEVICE);
    g_assert_cmpstr(error ? error->message : "", ==,
                    "fadd-ilp1: the timers of test GPU do not advance: by them a run took no time");
}

static void test_timers(void)
{
    check_timers((PsBenchSample){0, 0, 1000}, FALSE);
    check_timers((PsBenchSample){NAN, NAN, NAN}, FALSE);
    check_timers((PsBenchSample){-1, NAN, NAN}, FALSE);
    check_timers((PsBenchSample){INFINITY, 0, NAN}, FALSE);
    check_timers((PsBenchSample){NAN, 1e-6, NAN}, TRUE);
    check_timers((PsBenchSample){0, 1e-6, 0}, TRUE);
    check_timers((PsBenchSample){100, 0, 1000}, TRUE);
}

/* One kernel does not compile; later it does. */
static void test_broken(void)
{
    g_auto(Case) test = case_new(0, 0);
    Fake fake = fake_new(&test);
    fake.broken = "fadd-ilp2";
    g_assert_true(measure_on(&test, &fake.device, NULL));
    g_assert_cmpuint(test.warnings->len, ==, 1);
    assert_warning(&test, 0, "fadd-ilp2 is left out: line 3: expected ';' and more");
    g_autofree char *before = bench_read(test.path);
    g_assert_cmpuint(fake.n_compiled, ==, 3);
    g_assert_true(measure_on(&test, &fake.device, NULL));
    g_autofree char *after = bench_read(test.path);
    g_assert_cmpstr(before, ==, after);
    g_assert_cmpuint(fake.n_compiled, ==, 4);
    g_autoptr(PsRaw) raw = load(&test);
    g_assert_cmpuint(raw->rows->len, ==, 33);
    fake.broken = NULL;
    g_assert_true(measure_on(&test, &fake.device, NULL));
    g_autoptr(PsRaw) repaired = load(&test);
    g_assert_cmpuint(repaired->rows->len, ==, 49);
}

/* A device that is lost compiles nothing: that is said once, and what was measured is kept. */
static void test_lost(void)
{
    g_auto(Case) test = case_new(0, 0);
    g_autoptr(GError) error = NULL;
    Fake fake = fake_new(&test);
    fake.broken = "fadd-ilp2";
    fake.lost = TRUE;
    g_assert_false(measure_on(&test, &fake.device, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_DEVICE);
    g_assert_cmpstr(error ? error->message : "", ==, "fadd-ilp2: the device is lost");
    g_assert_cmpuint(test.warnings->len, ==, 0);
    g_assert_cmpuint(fake.n_compiled, ==, 2);
    g_autoptr(PsRaw) raw = load(&test);
    g_assert_cmpuint(raw->rows->len, ==, 16);
    measure_all(&test);
    g_autoptr(PsRaw) whole = load(&test);
    g_assert_cmpuint(whole->rows->len, ==, 48);
}

static void test_all_broken(void)
{
    g_auto(Case) test = case_new(0, 0);
    g_autoptr(GError) error = NULL;
    Fake fake = fake_new(&test);
    fake.broken = "ilp";
    g_assert_false(measure_on(&test, &fake.device, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_DEVICE);
    g_assert_cmpstr(error ? error->message : "", ==,
                    "not one kernel can be run: fadd-ilp1: line 3: expected ';' and more");
}

/* A chain that the compiler removed is no chain. */
static void test_code(void)
{
    g_auto(Case) test = case_new(0, 0);
    Fake fake = fake_new(&test);
    fake.code = "mov.f32 %f1, %f2;\n";
    g_assert_true(measure_on(&test, &fake.device, NULL));
    g_assert_cmpuint(test.warnings->len, ==, 1);
    g_autoptr(PsRaw) raw = load(&test);
    g_assert_cmpuint(raw->rows->len, ==, 33);
    g_autoptr(GArray) points = ps_raw_hull(raw, "fadd");
    g_assert_cmpuint(points->len, ==, 8);
}

/* Machine code that cannot be read is measured, and the first reason why it cannot is told. */
static void test_unseen(void)
{
    g_auto(Case) test = case_new(0, 0);
    Fake fake = fake_new(&test);
    g_autofree char *unseen = NULL;
    g_autoptr(GError) error = NULL;
    fake.image = g_bytes_new_static("\177ELF", 4);
    test.unseen = &unseen;
    g_assert_true(measure_on(&test, &fake.device, &error));
    g_assert_no_error(error);
    g_assert_cmpstr(unseen, ==, "the machine code is no ELF file, or a damaged one");
    g_assert_cmpuint(test.warnings->len, ==, 0);
    g_autoptr(PsRaw) raw = load(&test);
    g_assert_cmpuint(raw->rows->len, ==, 48);
    g_bytes_unref(fake.image);
}

/* A disk that is full: the file stays whole. */
static void test_full(void)
{
    g_auto(Case) test = case_new(0, 0);
    g_autoptr(GError) error = NULL;
    struct rlimit before, few;
    getrlimit(RLIMIT_FSIZE, &before);
    few = before;
    few.rlim_cur = 1500;
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &few);
    const gboolean ok = measure_on(&test, test.device, &error);
    setrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, handler);
    g_assert_false(ok);
    g_assert_error(error, PS_ERROR, PS_ERROR_READ);
    g_autoptr(PsRaw) raw = load(&test);
    g_assert_false(raw->cut_off);
    g_assert_cmpuint(raw->rows->len, >, 0);
    g_assert_cmpuint(raw->rows->len, <, 48);
    measure_all(&test);
    g_autoptr(PsRaw) whole = load(&test);
    g_assert_cmpuint(whole->rows->len, ==, 48);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/measure/equation", test_equation);
    g_test_add_func("/measure/schedulers", test_schedulers);
    g_test_add_func("/measure/blur", test_blur);
    g_test_add_func("/measure/seed", test_seed);
    g_test_add_func("/measure/bad-model", test_bad_model);
    g_test_add_func("/measure/real-kernels", test_real_kernels);
    g_test_add_func("/measure/resources", test_resources);
    g_test_add_func("/measure/stop", test_stop);
    g_test_add_func("/measure/resume", test_resume);
    g_test_add_func("/measure/vanish", test_vanish);
    g_test_add_func("/measure/timers", test_timers);
    g_test_add_func("/measure/broken", test_broken);
    g_test_add_func("/measure/lost", test_lost);
    g_test_add_func("/measure/all-broken", test_all_broken);
    g_test_add_func("/measure/code", test_code);
    g_test_add_func("/measure/unseen", test_unseen);
    g_test_add_func("/measure/full", test_full);
    return g_test_run();
}
