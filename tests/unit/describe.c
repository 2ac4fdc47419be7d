/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From raw rows to a description: the decimals that it states, whose pipelines are whose, what
 * stands in for what does not show, peaks, and names that no description may have.
 */
#include "gpu/rows.h"
#include "latency-bench/describe/describe.h"
#include "latency-bench/internal.h"

#include <math.h>
#include <string.h>

/* ---- decimals ------------------------------------------------------------------------------ */

static void assert_decimal(double value, double low, double high, const char *expected)
{
    const PsEstimate estimate = {value, low, high};
    g_autofree char *text = ps_rational_format(ps_describe_decimal(&estimate));
    g_assert_cmpstr(text, ==, expected);
}

static void test_decimals(void)
{
    assert_decimal(2.0031, 1.98, 2.02, "2");
    assert_decimal(2.0131, 1.99, 2.03, "2.01");
    assert_decimal(434.27, 432, 437, "434");
    assert_decimal(0.25012, 0.249, 0.2512, "0.25");
    assert_decimal(1234567, 1200000, 1300000, "1230000");
    /* A narrow interval is not left. */
    assert_decimal(12.34567, 12.34566, 12.34568, "12.34567");
    /* Where none is known, four digits. */
    assert_decimal(12.34567, NAN, NAN, "12.35");
    assert_decimal(0.000123456, NAN, NAN, "0.0001235");
    /* What no description may state. */
    assert_decimal(NAN, NAN, NAN, "0");
    assert_decimal(0, 0, 0, "0");
    assert_decimal(-1, -2, 0, "0");
    assert_decimal(INFINITY, 0, INFINITY, "0");
    assert_decimal(1e-12, NAN, NAN, "0");
    assert_decimal(2e9, NAN, NAN, "0");
}

/* ---- curves -------------------------------------------------------------------------------- */

static void free_row(void *data)
{
    PsRawRow *row = data;
    g_free(row->kernel);
    g_free(row->class_name);
    g_free(row->problem);
    g_free(row);
}

static PsRaw *new_raw(gint64 schedulers)
{
    PsRaw *raw = g_new0(PsRaw, 1);
    raw->info = (PsDeviceInfo){.backend = g_strdup("CUDA"),
                               .name = g_strdup("Toy\n<GPU> & \"more\""),
                               .compute_units = 2,
                               .warp_size = 32,
                               .schedulers = schedulers,
                               .clock = PS_RATIONAL_INT(1000),
                               .boost_clock = PS_RATIONAL_INT(0),
                               .counter = TRUE};
    raw->when = g_strdup("2026-01-01T00:00:00Z");
    raw->rows = g_ptr_array_new_with_free_func(free_row);
    return raw;
}

static void free_raw(PsRaw *raw)
{
    ps_device_info_clear(&raw->info);
    g_free(raw->when);
    g_ptr_array_unref(raw->rows);
    g_free(raw);
}

static PsRawRow *add_row(PsRaw *raw, const char *class_name, PsBenchKind kind, gint64 ilp)
{
    PsRawRow *row = g_new0(PsRawRow, 1);
    row->kernel = g_strdup_printf("%s-ilp%d", class_name, (int)ilp);
    row->class_name = g_strdup(class_name);
    row->kind = kind;
    row->ilp = ilp;
    row->unroll = 1;
    row->sample = (PsBenchSample){NAN, NAN, 1000};
    g_ptr_array_add(raw->rows, row);
    return row;
}

/* A pipeline as equation 1 has it: of the CU (schedulers 1), or one of each of so many. */
typedef struct {
    const char *class_name;
    double issue, completion;
    gint64 schedulers, most_warps, most_ilp, step;
} Hull;

static void add_hull(PsRaw *raw, const Hull *hull)
{
    for (gint64 ilp = 1; ilp <= hull->most_ilp; ilp *= 2)
        for (gint64 warps = 1; warps <= hull->most_warps; warps *= 2)
            for (gint64 length = 100; length <= 200; length += 100) {
                const gint64 fullest = (warps + hull->schedulers - 1) / hull->schedulers;
                PsRawRow *row = add_row(raw, hull->class_name,
                                        hull->step ? PS_BENCH_LOCAL : PS_BENCH_CHAIN, ilp);
                row->launch = (PsBenchLaunch){.groups = 2,
                                              .group_size = warps * 32,
                                              .warps = warps,
                                              .length = length,
                                              .step = hull->step};
                row->sample.cycles =
                    40 +
                    (double)length * MAX(hull->completion, (double)(fullest * ilp) * hull->issue);
            }
}

static const PsClass *class_of(const PsBenchResult *result, const char *name)
{
    PsMatch match;
    const PsClass *class = ps_gpu_class(result->gpu, name, &match);
    return class && match == PS_MATCH_EXACT ? class : NULL;
}

static void assert_class(const PsBenchResult *result, const char *name, const char *pipeline,
                         double issue, double completion)
{
    const PsClass *class = class_of(result, name);
    g_assert_nonnull(class);
    if (!class)
        return;
    const PsPipeline *own = result->gpu->pipelines->pdata[class->pipeline];
    g_assert_cmpstr(own->name, ==, pipeline);
    g_assert_cmpfloat_with_epsilon(ps_rational_to_double(class->latency.issue), issue,
                                   issue * 0.02);
    g_assert_cmpfloat_with_epsilon(ps_rational_to_double(class->latency.completion), completion,
                                   completion * 0.02);
}

static PsSourceKind kind_of(const PsBenchResult *result, const char *name)
{
    const PsClass *class = class_of(result, name);
    const PsSource *source = class ? ps_gpu_source(result->gpu, class->source) : NULL;
    g_assert_nonnull(source);
    return source ? source->kind : PS_SOURCE_VENDOR;
}

static PsBenchResult *describe(const PsRaw *raw)
{
    g_autoptr(GError) error = NULL;
    PsBenchResult *result = ps_bench_describe(raw, &error);
    g_assert_no_error(error);
    return result;
}

static void test_scopes(void)
{
    static const Hull hulls[] = {
        {"fadd", 2, 8, 4, 64, 8, 0},
        {"fmul", 2, 8, 4, 64, 8, 0},
        {"dfma", 4, 8, 4, 64, 8, 0},
        {"fmadd", 1, 12, 1, 64, 8, 0}, /* not as the others of its unit */
        {"cos", 1, 20, 1, 64, 8, 0},
        {"local.load", 1, 30, 1, 64, 1, 1},
        {"local.load", 4, 60, 1, 64, 1, 4},
        {"iadd", 1, 4, 4, 64, 1, 0}, /* does not tell */
    };
    PsRaw *raw = new_raw(4);
    for (guint i = 0; i < G_N_ELEMENTS(hulls); i++)
        add_hull(raw, &hulls[i]);
    g_autoptr(PsBenchResult) result = describe(raw);
    g_assert_cmpstr(result->gpu->name, ==, "Toy <GPU> & \"more\"");
    assert_class(result, "fadd", "fp32", 2, 8);
    assert_class(result, "fmadd", "fp32-cu", 1, 12);
    assert_class(result, "cos", "sfu", 1, 20);
    assert_class(result, "local.load", "local", 1, 30);
    assert_class(result, "local.load.c4", "local", 4, 60);
    assert_class(result, "iadd", "int", 1, 4);
    assert_class(result, "index", "int", 1, 4);
    g_assert_cmpint(kind_of(result, "fadd"), ==, PS_SOURCE_MEASURED);
    g_assert_cmpint(kind_of(result, "index"), ==, PS_SOURCE_ASSUMED);
    const PsClass *fadd = class_of(result, "fadd");
    g_assert_true(
        ((const PsPipeline *)result->gpu->pipelines->pdata[fadd->pipeline])->per_scheduler);
    g_assert_true(result->gpu->model.schedulers);
    g_assert_cmpint(result->gpu->model.order, ==, PS_ORDER_PROGRAM);
    free_raw(raw);
}

/* Without pipelines per scheduler the published model is asked for. */
static void test_one_scope(void)
{
    static const Hull hull = {"fadd", 0.25, 6, 1, 64, 8, 0};
    PsRaw *raw = new_raw(4);
    add_hull(raw, &hull);
    g_autoptr(PsBenchResult) result = describe(raw);
    assert_class(result, "fadd", "fp32", 0.25, 6);
    g_assert_false(result->gpu->model.schedulers);
    g_assert_cmpint(result->gpu->model.order, ==, PS_ORDER_DATAFLOW);
    free_raw(raw);
}

static void test_bounds(void)
{
    static const Hull hulls[] = {
        {"local.load", 1, 30, 1, 64, 1, 1},
        {"local.store", 2, 0.01, 1, 64, 1, 1}, /* its Lambda never shows */
        {"sin", 8, 8, 1, 64, 4, 0},            /* nor does this */
        {"atomic", 1, 900, 1, 8, 1, 0},        /* its lambda never shows */
    };
    PsRaw *raw = new_raw(0);
    for (guint i = 0; i < G_N_ELEMENTS(hulls); i++)
        add_hull(raw, &hulls[i]);
    g_autoptr(PsBenchResult) result = describe(raw);
    assert_class(result, "local.store", "local", 2, 30);
    g_assert_cmpint(kind_of(result, "local.store"), ==, PS_SOURCE_ASSUMED);
    const PsClass *atomic = class_of(result, "atomic");
    g_assert_nonnull(atomic);
    g_assert_cmpint(kind_of(result, "atomic"), ==, PS_SOURCE_ASSUMED);
    g_assert_cmpfloat(ps_rational_to_double(atomic->latency.issue), <=, 130);
    g_assert_cmpuint(result->warnings->len, >=, 1);
    free_raw(raw);
}

/* Conversions of integers have a unit of their own only where they are faster than those to
 * integers, whose unit serves all others. */
static void check_conversions(double issue, const char *pipeline)
{
    const Hull hulls[] = {{"fadd", 1, 4, 1, 64, 8, 0},
                          {"iadd", 1, 4, 1, 64, 8, 0},
                          {"conversion.f2i", 4, 12, 1, 64, 8, 0},
                          {"conversion.i2f", issue, 6, 1, 64, 8, 0}};
    PsRaw *raw = new_raw(0);
    for (guint i = 0; i < G_N_ELEMENTS(hulls); i++)
        add_hull(raw, &hulls[i]);
    g_autoptr(PsBenchResult) result = describe(raw);
    assert_class(result, "conversion.f2i", "conversion", 4, 12);
    assert_class(result, "conversion.i2f", pipeline, issue, 6);
    assert_class(result, "conversion", "conversion", 4, 12);
    g_assert_cmpint(kind_of(result, "conversion"), ==, PS_SOURCE_ASSUMED);
    free_raw(raw);
}

/* Integer multiply-adds are of the unit of single precision, or of their own, by what a pair of
 * both takes; where nobody measured that, of the unit of integers. */
static void check_beside(double pair, const char *pipeline)
{
    const Hull hulls[] = {{"fmadd", 1, 4, 1, 64, 8, 0},
                          {"imad", 2, 4, 1, 64, 8, 0},
                          {"iadd", 2, 4, 1, 64, 8, 0},
                          {"imad.beside", pair, 4, 1, 64, 4, 0}};
    PsRaw *raw = new_raw(0);
    for (guint i = 0; i < G_N_ELEMENTS(hulls) - (pair == 0); i++)
        add_hull(raw, &hulls[i]);
    g_autoptr(PsBenchResult) result = describe(raw);
    assert_class(result, "imad", pipeline, 2, 4);
    assert_class(result, "fmadd", "fp32", 1, 4);
    assert_class(result, "iadd", "int", 2, 4);
    g_assert_null(class_of(result, "imad.beside"));
    free_raw(raw);
}

static void test_beside(void)
{
    check_beside(0, "int");
    check_beside(2, "imad");
    check_beside(2.4, "imad");
    check_beside(2.6, "fp32");
    check_beside(3, "fp32");
}

static void test_conversions(void)
{
    check_conversions(1, "int");
    check_conversions(4, "conversion");
}

/* Where the compiler gives a class to two units, its source says so. */
static void check_mixture(const char *architecture, gboolean mixed)
{
    static const Hull hull = {"iadd", 1, 4, 1, 64, 8, 0};
    PsRaw *raw = new_raw(0);
    raw->info.architecture = g_strdup(architecture);
    add_hull(raw, &hull);
    g_autoptr(PsBenchResult) result = describe(raw);
    const PsClass *iadd = class_of(result, "iadd");
    const PsSource *source = iadd ? ps_gpu_source(result->gpu, iadd->source) : NULL;
    g_assert_nonnull(source);
    g_assert_true(source && mixed == (strstr(source->text, "iadd (half IADD3, half IMAD.IADD, as "
                                                           "the compiler mixes them) ") != NULL));
    free_raw(raw);
}

static void test_mixtures(void)
{
    check_mixture("sm_90", TRUE);
    check_mixture("sm_120", FALSE);
    check_mixture("gfx90a", FALSE);
    g_assert_cmpstr(ps_describe_mixture("hmul", "sm_100"), ==, "HMUL2, half HFMA2");
    g_assert_cmpstr(ps_describe_mixture("hfma", "sm_100"), ==, NULL);
    g_assert_cmpstr(ps_describe_mixture("hfma", "sm_9"), ==, NULL);
    g_assert_cmpstr(ps_describe_mixture("hfma", NULL), ==, NULL);
}

/* Wide accesses of local memory have rows where what is stated once does not tell of them. */
static void test_wide_local(void)
{
    const struct {
        const char *class_name;
        double issue, completion;
        gboolean follows;
    } cases[] = {{"local.load.v4", 4.2, 37, TRUE}, {"local.load.v4", 4, 50, FALSE},
                 {"local.load.v4", 8, 36, FALSE},  {"local.load.v2", NAN, 34, TRUE},
                 {"local.store.v2", 2, NAN, TRUE}, {"local.store.v2", 1, NAN, FALSE},
                 {"local.store.c2", 9, NAN, TRUE}, {"atomic.local", 9, 99, TRUE},
                 {"local.load.c8", 9, 99, TRUE}};
    PsGpu *gpu = ps_gpu_new("toy");
    ps_describe_pipeline(gpu, "local", FALSE);
    gpu->local = (PsLocalMemory){.stated = TRUE,
                                 .wavefront = PS_RATIONAL_INT(1),
                                 .least = PS_RATIONAL_INT(0),
                                 .completion = PS_RATIONAL_INT(33),
                                 .atomic = PS_RATIONAL_INT(2)};
    const PsDescribe describe = {.gpu = gpu};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        const PsBenchFit fit = {.class_name = (char *)cases[i].class_name,
                                .fit = {.issue = {.value = cases[i].issue},
                                        .completion = {.value = cases[i].completion}}};
        g_test_message("%s %g %g", cases[i].class_name, cases[i].issue, cases[i].completion);
        g_assert_true(ps_describe_follows(&describe, &fit) == cases[i].follows);
    }
    gpu->local.stated = FALSE;
    const PsBenchFit load = {.class_name = (char *)"local.load"};
    g_assert_false(ps_describe_follows(&describe, &load));
    ps_gpu_free(gpu);
}

/* What compiled code asks for is served by the nearest that was measured, as assumed. */
static void test_compiled(void)
{
    static const Hull hulls[] = {
        {"fadd", 1, 4, 1, 64, 8, 0},        {"fmul", 1, 4, 1, 64, 8, 0},
        {"fmadd", 1, 4, 1, 64, 8, 0},       {"iadd", 2, 5, 1, 64, 8, 0},
        {"imad", 3, 6, 1, 64, 8, 0},        {"cos", 8, 20, 1, 64, 8, 0},
        {"dfma", 8, 16, 1, 64, 4, 0},       {"hmul", 2, 6, 1, 64, 8, 0},
        {"barrier", 2, 20, 1, 64, 1, 0},    {"local.load", 1, 30, 1, 64, 1, 1},
        {"local.load", 4, 60, 1, 64, 1, 4}, {"memory", 16, 400, 1, 64, 1, 0}};
    static const struct {
        const char *asked, *found;
        double issue, completion;
    } served[] = {{"logic.select", "logic", 2, 5},
                  {"shift", "shift", 2, 5},
                  {"dadd.sign", "dadd", 8, 16},
                  {"hadd.setp", "hadd", 2, 6},
                  {"rsqrt", "rsqrt", 8, 20},
                  {"exp2.tanh", "exp2", 8, 20},
                  {"sqrt", "sqrt", 16, 40},
                  {"tensor.f16", "tensor", 64, 256},
                  {"shuffle.match", "shuffle", 1, 30},
                  {"constant", "constant", 1, 30},
                  {"branch", "branch", 2, 5},
                  {"loop", "loop", 4, 15},
                  {"unknown.new", "unknown", 2, 5},
                  {"global.store.s32", "global", 16, 400},
                  {"local.load.c3", "local.load.c4", 4, 60}};
    PsRaw *raw = new_raw(0);
    for (guint i = 0; i < G_N_ELEMENTS(hulls); i++)
        add_hull(raw, &hulls[i]);
    raw->info.l2 = 4 * 1024 * 1024;
    raw->info.memory = G_GINT64_CONSTANT(6000000000);
    g_autoptr(PsBenchResult) result = describe(raw);
    for (guint i = 0; i < G_N_ELEMENTS(served); i++) {
        const PsClass *class = ps_gpu_class(result->gpu, served[i].asked, NULL);
        g_assert_cmpstr(class ? class->name : "", ==, served[i].found);
        if (!class)
            continue;
        g_assert_cmpfloat_with_epsilon(ps_rational_to_double(class->latency.issue), served[i].issue,
                                       served[i].issue * 0.02);
        g_assert_cmpfloat_with_epsilon(ps_rational_to_double(class->latency.completion),
                                       served[i].completion, served[i].completion * 0.02);
    }
    g_assert_cmpint(kind_of(result, "sqrt"), ==, PS_SOURCE_ASSUMED);
    g_assert_cmpint(result->gpu->cache.l2, ==, 4 * 1024 * 1024);
    g_assert_cmpint(result->gpu->device_memory, ==, 5722);
    g_assert_cmpint(result->gpu->cache.l1, ==, 0);
    free_raw(raw);
}

/* What takes no time was removed by the compiler, and what has one point says nothing: both are
 * left out, and said, as are latencies that do not show, each reason in one line. */
static void test_untold(void)
{
    static const Hull hulls[] = {
        {"fadd", 2, 8, 1, 64, 4, 0},   {"barrier", 0.0001, 0.002, 1, 64, 1, 0},
        {"iadd", 0.1, 12, 1, 1, 1, 0}, {"sin", 8, 8, 1, 64, 4, 0},
        {"cos", 8, 8, 1, 64, 4, 0},    {"atomic.local", 1, 900, 1, 8, 1, 0},
    };
    PsRaw *raw = new_raw(0);
    for (guint i = 0; i < G_N_ELEMENTS(hulls); i++)
        add_hull(raw, &hulls[i]);
    g_autoptr(PsBenchResult) result = describe(raw);
    g_assert_null(class_of(result, "barrier"));
    g_assert_null(class_of(result, "iadd"));
    g_assert_cmpuint(result->warnings->len, ==, 3);
    static const char *const expected[] = {
        "not every *: lambda of atomic.local is at most *; Lambda of sin is *, of cos at most *",
        "left out, since there is a single point: iadd",
        "left out, since the compiler removed the work: barrier (Lambda is *)",
    };
    for (guint i = 0; i < G_N_ELEMENTS(expected) && i < result->warnings->len; i++) {
        g_test_message("%s", (const char *)result->warnings->pdata[i]);
        g_assert_true(g_pattern_match_simple(expected[i], result->warnings->pdata[i]));
    }
    free_raw(raw);
}

/* ---- peaks --------------------------------------------------------------------------------- */

static void add_rate(PsRaw *raw, const char *class_name, PsBenchKind kind, double seconds)
{
    PsRawRow *row = add_row(raw, class_name, kind, 1);
    row->operations = 8;
    row->launch = (PsBenchLaunch){
        .groups = 10, .group_size = 100, .warps = 8, .length = 1000, .repeat = raw->rows->len};
    row->sample.seconds = seconds;
    row->sample.mhz = 2000;
}

/* 8 million operations; the clock was twice the base clock. */
static void test_peaks(void)
{
    static const Hull hull = {"fadd", 1, 10, 1, 64, 4, 0};
    PsRaw *raw = new_raw(0);
    add_hull(raw, &hull);
    add_rate(raw, "T_SP", PS_BENCH_PEAK, 1e-3);
    add_rate(raw, "T_SP", PS_BENCH_PEAK, 2e-3);
    add_rate(raw, "T_SP", PS_BENCH_PEAK, 1e-6); /* too good to be true */
    add_rate(raw, "T_SP", PS_BENCH_PEAK, 1e-3);
    add_rate(raw, "T_SP", PS_BENCH_PEAK, 1e-3);
    add_rate(raw, "memory", PS_BENCH_STREAM, 1e-3);
    g_autoptr(PsBenchResult) result = describe(raw);
    const PsPeak *compute = ps_gpu_peak(result->gpu, "T_SP"),
                 *memory = ps_gpu_peak(result->gpu, "B_mem");
    g_assert_nonnull(compute);
    g_assert_nonnull(memory);
    g_assert_cmpfloat_with_epsilon(ps_rational_to_double(compute->value), 4, 1e-9);
    g_assert_cmpfloat_with_epsilon(ps_rational_to_double(memory->value), 8, 1e-9);
    g_assert_null(ps_gpu_peak(result->gpu, "T_DP"));
    free_raw(raw);
}

/* ---- what makes no description ------------------------------------------------------------- */

static void test_nothing(void)
{
    PsRaw *raw = new_raw(4);
    g_autoptr(GError) error = NULL;
    PsRawRow *row = add_row(raw, "fadd", PS_BENCH_CHAIN, 1);
    row->problem = g_strdup("it does not compile");
    g_assert_null(ps_bench_describe(raw, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_VALUE);
    g_assert_nonnull(strstr(error->message, "not a single class"));
    free_raw(raw);
}

/* Classes that are called like other things in a description, or cannot be there. */
static void test_names(void)
{
    static const Hull hulls[] = {
        {"peaks", 1, 10, 1, 64, 1, 0},     {"chip.data", 1, 10, 1, 64, 1, 0},
        {"4th", 1, 10, 1, 64, 1, 0},       {"a..b", 1, 10, 1, 64, 1, 0},
        {"two words", 1, 10, 1, 64, 1, 0}, {".", 1, 10, 1, 64, 1, 0}};
    PsRaw *raw = new_raw(0);
    for (guint i = 0; i < G_N_ELEMENTS(hulls); i++)
        add_hull(raw, &hulls[i]);
    g_autoptr(PsBenchResult) result = describe(raw);
    assert_class(result, "peaks", "peaks", 1, 10);
    assert_class(result, "chip.data", "chip", 1, 10);
    assert_class(result, "4th", "_4th", 1, 10);
    g_assert_null(class_of(result, "a..b"));
    g_assert_null(class_of(result, "two words"));
    free_raw(raw);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/describe/decimals", test_decimals);
    g_test_add_func("/describe/scopes", test_scopes);
    g_test_add_func("/describe/one-scope", test_one_scope);
    g_test_add_func("/describe/bounds", test_bounds);
    g_test_add_func("/describe/beside", test_beside);
    g_test_add_func("/describe/conversions", test_conversions);
    g_test_add_func("/describe/mixtures", test_mixtures);
    g_test_add_func("/describe/wide-local", test_wide_local);
    g_test_add_func("/describe/compiled", test_compiled);
    g_test_add_func("/describe/untold", test_untold);
    g_test_add_func("/describe/peaks", test_peaks);
    g_test_add_func("/describe/nothing", test_nothing);
    g_test_add_func("/describe/names", test_names);
    return g_test_run();
}
