/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Profiles of nvprof and Nsight Compute: what comes from the files in tests/profiles/, and that of
 * what is wrong with a file there is one message, which names file, line and column.
 */
#include "roofline/profile.h"

#include <glib/gstdio.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PROFILES "tests/profiles/"

static char *path; /* of the file that a case writes */

/* ---- help ---------------------------------------------------------------------------------- */

static PsProfile *load(const char *file, const PsProfileOptions *options)
{
    g_autoptr(GError) error = NULL;
    PsProfile *profile = ps_profile_load(file, options, &error);
    g_assert_no_error(error);
    return profile;
}

/* Anew each time: what replaces a file waits for the disk. */
static void write_file(const char *text, gssize length)
{
    const gsize n = length < 0 ? strlen(text) : (gsize)length;
    g_unlink(path);
    FILE *file = g_fopen(path, "wb");
    g_assert_nonnull(file);
    g_assert_cmpuint(file ? fwrite(text, 1, n, file) : 0, ==, n);
    if (file)
        fclose(file);
}

static PsProfile *load_text(const char *text)
{
    write_file(text, -1);
    return load(path, NULL);
}

/* The message of that text, behind the file's name. */
static void assert_bad(const char *text, const char *expected)
{
    g_autoptr(GError) error = NULL;
    write_file(text, -1);
    PsProfile *profile = ps_profile_load(path, NULL, &error);
    g_assert_null(profile);
    ps_profile_free(profile);
    g_assert_nonnull(error);
    const char *message = error ? error->message : "";
    g_assert_true(g_str_has_prefix(message, path));
    g_assert_cmpstr(g_str_has_prefix(message, path) ? message + strlen(path) : "", ==, expected);
}

static const PsProfileKernel *kernel_at(const PsProfile *profile, guint i)
{
    g_assert_nonnull(profile);
    g_assert_cmpuint(profile ? profile->kernels->len : 0, >, i);
    return profile && profile->kernels->len > i ? profile->kernels->pdata[i] : NULL;
}

static double metric(const PsProfile *profile, guint i, PsMetric metric)
{
    const PsProfileKernel *kernel = kernel_at(profile, i);
    return kernel ? kernel->metrics.value[metric] : -1;
}

static void assert_near(double got, double expected)
{
    g_assert_cmpfloat_with_epsilon(got, expected, fabs(expected) * 1e-14);
}

/* That a warning has all of these words. */
static gboolean warns(const PsProfile *profile, const char *one, const char *other)
{
    for (guint i = 0; profile && i < profile->warnings->len; i++) {
        const char *warning = profile->warnings->pdata[i];
        if (g_str_has_prefix(warning, profile->path) && strstr(warning, one) &&
            strstr(warning, other))
            return TRUE;
    }
    return FALSE;
}

static guint count_warnings(const PsProfile *profile)
{
    return profile ? profile->warnings->len : 0;
}

/* ---- nvprof -------------------------------------------------------------------------------- */

static void test_nvprof_metrics(void)
{
    g_autoptr(PsProfile) profile = load(PROFILES "nvprof-metrics.csv", NULL);
    const PsProfileKernel *stencil = kernel_at(profile, 0);
    if (!stencil)
        return;
    g_assert_cmpstr(profile->kind, ==, "nvprof metrics");
    g_assert_cmpuint(profile->kernels->len, ==, 2);
    g_assert_cmpuint(count_warnings(profile), ==, 0);
    g_assert_cmpstr(stencil->name, ==, "stencil(float const *, float*, int)");
    g_assert_cmpstr(stencil->device, ==, "Tesla K40c (0)");
    g_assert_cmpint(stencil->launches, ==, 3);
    g_assert_cmpint(stencil->launch, ==, 0);
    g_assert_cmpint(stencil->line, ==, 12);
    g_assert_true(stencil->has_metrics);
    g_assert_true(isnan(stencil->seconds));
    g_assert_cmpfloat(metric(profile, 0, PS_M_FP32), ==, 3 * 6100.0);
    g_assert_cmpfloat(metric(profile, 0, PS_M_FMA32), ==, 3 * 1000.0);
    g_assert_cmpfloat(metric(profile, 0, PS_M_FP64), ==, 0);
    g_assert_cmpfloat(metric(profile, 0, PS_M_INT), ==, 3 * 9000.0);
    g_assert_cmpfloat(metric(profile, 0, PS_M_LDST), ==, 3 * 4000.0);
    g_assert_cmpfloat(metric(profile, 0, PS_M_INST), ==, 3 * 32 * 700.0);
    g_assert_cmpfloat(metric(profile, 0, PS_M_TRAN_R), ==, 3 * 32 * 120.0);
    g_assert_cmpfloat(metric(profile, 0, PS_M_TRAN_W), ==, 3 * 32 * 50.0);
    g_assert_cmpfloat(metric(profile, 0, PS_M_L2), ==, 3 * 32 * 500.0);
    g_assert_true(isnan(metric(profile, 0, PS_M_L1)));
    g_assert_cmpint(stencil->params.K_type, ==, PS_K_FP32);
    g_assert_cmpfloat(stencil->params.W_comp, ==, 3 * 7100.0);
    g_assert_cmpint(kernel_at(profile, 1)->params.K_type, ==, PS_K_FP64);
}

static void test_nvprof_trace(void)
{
    g_autoptr(PsProfile) profile = load(PROFILES "nvprof-trace.csv", NULL);
    const PsProfileKernel *stencil = kernel_at(profile, 0);
    if (!stencil)
        return;
    g_assert_cmpstr(profile->kind, ==, "nvprof trace");
    g_assert_cmpuint(profile->kernels->len, ==, 2);
    g_assert_cmpstr(stencil->name, ==, "stencil(float const *, float*, int)");
    g_assert_cmpint(stencil->launches, ==, 3);
    assert_near(stencil->seconds, 34e-6);
    assert_near(kernel_at(profile, 1)->seconds, 5.25e-6);
    g_assert_cmpuint(count_warnings(profile), ==, 1);
    g_assert_true(warns(profile, "durations", "nvprof --csv --metrics"));

    const PsProfileOptions apart = {.apart = TRUE};
    g_autoptr(PsProfile) launches = load(PROFILES "nvprof-trace.csv", &apart);
    const PsProfileKernel *third = kernel_at(launches, 2);
    g_assert_cmpuint(launches->kernels->len, ==, 4);
    g_assert_cmpint(third->launch, ==, 3);
    g_assert_cmpint(third->launches, ==, 1);
    g_assert_cmpfloat(third->seconds, ==, 12e-6);
    g_assert_cmpint(third->line, ==, 9);
    g_assert_cmpint(kernel_at(launches, 3)->launch, ==, 1);
}

static void test_nvprof_summary(void)
{
    g_autoptr(PsProfile) profile = load(PROFILES "nvprof-summary.csv", NULL);
    const PsProfileKernel *stencil = kernel_at(profile, 0);
    if (!stencil)
        return;
    g_assert_cmpuint(profile->kernels->len, ==, 2);
    g_assert_cmpint(stencil->launches, ==, 3);
    g_assert_null(stencil->device);
    g_assert_cmpfloat(stencil->seconds, ==, 34e-6);

    /* Before CUDA 9 there was no column for the type. */
    g_autoptr(PsProfile) old =
        load_text("==12== Profiling result:\n"
                  "\"Time(%)\",\"Time\",\"Calls\",\"Avg\",\"Min\",\"Max\",\"Name\"\n"
                  "%,ms,,ms,us,us,\n"
                  "80.0,2.5,2,1.25,1.0,1.5,\"f(int)\"\n"
                  "20.0,1.5,2,0.75,1.0,1.5,\"[CUDA memcpy HtoD]\"\n"
                  "\n"
                  "==12== API calls:\n"
                  "\"Time(%)\",\"Time\",\"Calls\",\"Avg\",\"Min\",\"Max\",\"Name\"\n"
                  "%,ms,,ms,us,us,\n"
                  "80.0,2.5,2,1.25,1.0,1.5,\"cudaLaunch\"\n");
    g_assert_cmpuint(old->kernels->len, ==, 1);
    g_assert_cmpfloat(kernel_at(old, 0)->seconds, ==, 2.5e-3);
}

/* Metrics of each launch. */
static void test_nvprof_trace_metrics(void)
{
    g_autoptr(PsProfile) profile =
        load_text("==12== Metric result:\n"
                  "\"Device\",\"Context\",\"Stream\",\"Kernel\",\"Correlation_ID\",\"inst_fp_32\","
                  "\"FP Instructions(Double)\"\n"
                  "\"Tesla V100 (0)\",\"1\",\"7\",\"f(int)\",101,7,1\n"
                  "\"Tesla V100 (0)\",\"1\",\"7\",\"g(int)\",102,5,0\n"
                  "\"Tesla V100 (0)\",\"1\",\"7\",\"f(int)\",103,8,2\n");
    g_assert_cmpuint(profile->kernels->len, ==, 2);
    g_assert_cmpint(kernel_at(profile, 0)->launches, ==, 2);
    g_assert_cmpfloat(metric(profile, 0, PS_M_FP32), ==, 15);
    g_assert_cmpfloat(metric(profile, 0, PS_M_FP64), ==, 3);
}

/* Tables that follow each other in one file. */
static void test_nvprof_together(void)
{
    static const char *const files[] = {PROFILES "nvprof-trace.csv", PROFILES "nvprof-summary.csv"};
    g_autofree char *metrics = NULL;
    g_file_get_contents(PROFILES "nvprof-metrics.csv", &metrics, NULL, NULL);
    for (guint i = 0; i < G_N_ELEMENTS(files); i++) {
        g_autofree char *times = NULL;
        g_file_get_contents(files[i], &times, NULL, NULL);
        for (guint swapped = 0; swapped < 2; swapped++) {
            g_autofree char *text =
                g_strconcat(swapped ? times : metrics, swapped ? metrics : times, NULL);
            g_autoptr(PsProfile) profile = load_text(text);
            g_assert_cmpuint(profile->kernels->len, ==, 2);
            g_assert_cmpint(kernel_at(profile, 0)->launches, ==, 3);
            g_assert_cmpstr(kernel_at(profile, 0)->device, ==, "Tesla K40c (0)");
            assert_near(kernel_at(profile, 0)->seconds, 34e-6);
            g_assert_cmpfloat(metric(profile, 0, PS_M_FP32), ==, 3 * 6100.0);
            g_assert_cmpuint(count_warnings(profile), ==, swapped); /* what the program printed */
        }
    }
}

static void test_join(void)
{
    static const char *const files[] = {PROFILES "nvprof-trace.csv", PROFILES "nvprof-summary.csv"};
    for (guint i = 0; i < G_N_ELEMENTS(files); i++) {
        g_autoptr(PsProfile) profile = load(PROFILES "nvprof-metrics.csv", NULL);
        g_autoptr(PsProfile) times = load(files[i], NULL);
        g_assert_cmpuint(ps_profile_join(profile, times), ==, 2);
        assert_near(kernel_at(profile, 0)->seconds, 34e-6);
        assert_near(metric(profile, 1, PS_M_SECONDS), 5.25e-6);
        g_assert_cmpuint(ps_profile_join(profile, times), ==, 0);
    }
    const PsProfileOptions apart = {.apart = TRUE};
    g_autoptr(PsProfile) profile = load(PROFILES "nvprof-metrics.csv", NULL);
    g_autoptr(PsProfile) times = load(PROFILES "nvprof-trace.csv", &apart);
    g_assert_cmpuint(ps_profile_join(profile, times), ==, 2);
    assert_near(kernel_at(profile, 0)->seconds, 34e-6);

    /* Another number of launches: their mean. */
    g_autoptr(PsProfile) more =
        load_text("\"Type\",\"Time(%)\",\"Time\",\"Calls\",\"Avg\",\"Min\",\"Max\",\"Name\"\n"
                  ",%,ms,,ms,ms,ms,\n"
                  "\"GPU activities\",1,12,6,2,2,2,\"stencil(float const *, float*, int)\"\n");
    g_autoptr(PsProfile) again = load(PROFILES "nvprof-metrics.csv", NULL);
    g_assert_cmpuint(ps_profile_join(again, more), ==, 1);
    assert_near(kernel_at(again, 0)->seconds, 6e-3);

    /* Another device. */
    g_autoptr(PsProfile) elsewhere =
        load_text("\"Start\",\"Duration\",\"Device\",\"Name\"\n"
                  "s,s,,\n"
                  "1,1,\"Tesla K40c (1)\",\"stencil(float const *, float*, int)\"\n");
    g_autoptr(PsProfile) here = load(PROFILES "nvprof-metrics.csv", NULL);
    g_assert_cmpuint(ps_profile_join(here, elsewhere), ==, 0);
    g_assert_true(isnan(kernel_at(here, 0)->seconds));
}

/* ---- Nsight Compute ------------------------------------------------------------------------ */

/* Bytes and a duration alone: a byte order mark, lines of the program and of the profiler, CR LF.
 */
static void test_ncu_long(void)
{
    g_autoptr(PsProfile) profile = load(PROFILES "ncu-long.csv", NULL);
    const PsProfileKernel *axpy = kernel_at(profile, 0);
    if (!axpy)
        return;
    g_assert_cmpstr(profile->kind, ==, "Nsight Compute");
    g_assert_cmpuint(profile->kernels->len, ==, 1);
    g_assert_cmpstr(axpy->name, ==, "unnamed>::axpy(float, const float *, float *, int)");
    g_assert_cmpstr(axpy->device, ==, "0");
    g_assert_cmpint(axpy->launches, ==, 1);
    g_assert_cmpint(axpy->line, ==, 10);
    g_assert_cmpfloat(axpy->seconds, ==, 250000e-9);
    g_assert_cmpfloat(metric(profile, 0, PS_M_TRAN_R), ==, 134217728);
    g_assert_cmpfloat(metric(profile, 0, PS_M_TRAN_W), ==, 67108864);
    g_assert_true(isnan(metric(profile, 0, PS_M_FP32)));
    g_assert_cmpint(axpy->params.K_type, ==, PS_K_UNKNOWN);
    g_assert_cmpfloat(axpy->params.W_traf, ==, 134217728 + 67108864);
    g_assert_cmpuint(count_warnings(profile), ==, 4);
    g_assert_true(
        warns(profile, "M_fp64, M_fma64, M_fp32, M_fma32, M_int are missing, needed for", "E_mix"));
    g_assert_true(warns(profile, "M_ldst is missing", "D_ldst"));
    /* One list for all. */
    g_assert_false(warns(profile, "M_ldst is missing", "--metrics"));
    g_assert_true(warns(profile, "M_inst is missing",
                        "; to collect all that is missing: ncu --csv --metrics "
                        "smsp__sass_thread_inst_executed_op_fp64_pred_on.sum,"));
    g_assert_true(warns(profile, "smsp__sass_thread_inst_executed_op_memory_pred_on.sum,",
                        "smsp__inst_executed.sum"));
    g_assert_true(warns(profile, "M_l1", "global memory alone"));
}

static void test_ncu_wide(void)
{
    g_autoptr(PsProfile) profile = load(PROFILES "ncu-raw.csv", NULL);
    if (!kernel_at(profile, 1))
        return;
    g_assert_cmpstr(kernel_at(profile, 0)->name, ==,
                    "void gemm<__half, (int)128>(const T1 *, T1 *, int)");
    g_assert_cmpstr(kernel_at(profile, 1)->name, ==, "fill(float *, \"quoted\", int)");
    g_assert_cmpint(kernel_at(profile, 0)->launches, ==, 2);
    assert_near(kernel_at(profile, 0)->seconds, 40e-6);
    g_assert_cmpfloat(metric(profile, 0, PS_M_FP32), ==, 8000);
    g_assert_cmpfloat(metric(profile, 0, PS_M_FMA32), ==, 4000);
    g_assert_cmpfloat(metric(profile, 0, PS_M_INST), ==, 2 * 32 * 10000.0);
    g_assert_cmpfloat(metric(profile, 0, PS_M_TRAN_R), ==, 2 * 512500.0);
    g_assert_cmpfloat(metric(profile, 0, PS_M_TRAN_W), ==, 2 * 250000.0);
    g_assert_cmpfloat(metric(profile, 0, PS_M_TENSOR), ==, 2 * 32 * 1024.0);
    g_assert_cmpfloat(metric(profile, 0, PS_M_OPS_TENSOR), ==, 2 * 4194304.0);
    g_assert_cmpfloat(metric(profile, 0, PS_M_L2), ==, 2 * 3.5e6);
    g_assert_cmpfloat(metric(profile, 1, PS_M_INT), ==, 1500);
    g_assert_cmpuint(count_warnings(profile), ==, 0);
}

static void test_ncu_summary(void)
{
    g_autoptr(PsProfile) profile = load(PROFILES "ncu-summary.csv", NULL);
    g_assert_cmpuint(profile ? profile->kernels->len : 0, ==, 1);
    if (!kernel_at(profile, 0))
        return;
    g_assert_cmpint(kernel_at(profile, 0)->launches, ==, 6);
    assert_near(kernel_at(profile, 0)->seconds, 20e-6);
    g_assert_cmpfloat(metric(profile, 0, PS_M_TRAN_R), ==, 608000);
}

#define LONG                                                                                       \
    "\"ID\",\"Process ID\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n"
#define ROW(id, process, kernel, metric, unit, value)                                              \
    "\"" id "\",\"" process "\",\"" kernel "\",\"" metric "\",\"" unit "\",\"" value "\"\n"
#define FP32 "smsp__sass_thread_inst_executed_op_fp32_pred_on.sum"
#define READ "dram__bytes_read.sum"
#define TIME "gpu__time_duration.sum"

/* Several kernels, launches and processes; a metric that two sections list; both spellings. */
static void test_ncu_launches(void)
{
    static const char text[] =
        LONG ROW("0", "7", "f", FP32, "inst", "1,000") ROW("0", "7", "f", TIME, "usecond", "2")
            ROW("0", "7", "f", FP32, "inst", "1,000") ROW("1", "7", "g", FP32, "inst", "5")
                ROW("1", "7", "g", TIME, "us", "1") ROW("2", "7", "f", TIME, "nsecond", "3,000")
                    ROW("2", "7", "f", "sm__sass_thread_inst_executed_op_fp32_pred_on.sum", "Kinst",
                        "2") ROW("0", "8", "f", FP32, "inst", "1")
                        ROW("0", "8", "f", TIME, "msecond", "0.001");
    g_autoptr(PsProfile) profile = load_text(text);
    g_assert_cmpuint(profile->kernels->len, ==, 2);
    g_assert_cmpint(kernel_at(profile, 0)->launches, ==, 3);
    g_assert_cmpfloat(metric(profile, 0, PS_M_FP32), ==, 3001);
    g_assert_null(kernel_at(profile, 0)->device);
    assert_near(kernel_at(profile, 0)->seconds, 6e-6);
    g_assert_cmpint(kernel_at(profile, 1)->launches, ==, 1);

    const PsProfileOptions apart = {.apart = TRUE};
    g_autoptr(PsProfile) launches = load(path, &apart);
    g_assert_cmpuint(launches->kernels->len, ==, 4);
    g_assert_cmpfloat(metric(launches, 0, PS_M_FP32), ==, 1000);
    g_assert_cmpfloat(metric(launches, 1, PS_M_FP32), ==, 5);
    g_assert_cmpfloat(metric(launches, 2, PS_M_FP32), ==, 2000);
    g_assert_cmpint(kernel_at(launches, 2)->launch, ==, 2);
    g_assert_cmpint(kernel_at(launches, 3)->launch, ==, 3);
    g_assert_cmpint(kernel_at(launches, 3)->line, ==, 9);
    g_assert_cmpint(kernel_at(launches, 3)->launches, ==, 1);

    /* The same table twice, as of two runs. */
    g_autofree char *twice = g_strconcat(text, "==PROF== Connected\n", text, NULL);
    g_autoptr(PsProfile) both = load_text(twice);
    g_assert_cmpint(kernel_at(both, 0)->launches, ==, 6);
    g_assert_cmpfloat(metric(both, 0, PS_M_FP32), ==, 6002);
}

/* Columns in another order, more of them, rows of rules, short rows. */
static void test_ncu_versions(void)
{
    g_autoptr(PsProfile) profile = load_text(
        "\"ID\",\"Process ID\",\"Host Name\",\"Id:Domain:Msg\",\"Metric Value\",\"Metric Name\","
        "\"Metric Unit\",\"Kernel Name\",\"Kernel Time\",\"Section Name\",\"Rule Name\",\"Rule "
        "Type\"\n"
        "\"0\",\"7\",\"h\",\"\",\"1.5\",\"Duration\",\"usecond\",\"f\",\"t\",\"S\",\"\",\"\"\n"
        "\"0\",\"7\",\"h\",\"\",\"\",\"\",\"\",\"f\",\"t\",\"S\",\"Rule\",\"WRN\"\n"
        "\"0\",\"7\",\"h\",\"\",\"10\",\"Executed Instructions\",\"inst\",\"f\",\"t\",\"S\"\n"
        "\"0\",\"7\",\"h\",\"\",\"1.2\",\"Memory "
        "Throughput\",\"Gbyte/second\",\"f\",\"t\",\"S\"\n");
    g_assert_cmpfloat(kernel_at(profile, 0)->seconds, ==, 1.5e-6);
    g_assert_cmpfloat(metric(profile, 0, PS_M_INST), ==, 320);
    g_assert_cmpint(kernel_at(profile, 0)->launches, ==, 1);
}

/* One way and the total, the total alone, sectors. */
static void test_ncu_traffic(void)
{
    g_autoptr(PsProfile) profile =
        load_text(LONG ROW("0", "7", "a", "dram__bytes.sum", "byte", "10")
                      ROW("0", "7", "a", READ, "byte", "3")
                          ROW("1", "7", "b", "dram__bytes.sum", "byte", "10")
                              ROW("2", "7", "c", "dram__sectors_read.sum", "sector", "2")
                                  ROW("2", "7", "c", "dram__sectors_write.sum", "sector", "1"));
    g_assert_cmpfloat(metric(profile, 0, PS_M_TRAN_R), ==, 3);
    g_assert_cmpfloat(metric(profile, 0, PS_M_TRAN_W), ==, 7);
    g_assert_cmpfloat(metric(profile, 1, PS_M_TRAN_R), ==, 10);
    g_assert_cmpfloat(metric(profile, 1, PS_M_TRAN_W), ==, 0);
    g_assert_cmpfloat(metric(profile, 2, PS_M_TRAN_R), ==, 64);
    g_assert_cmpfloat(metric(profile, 2, PS_M_TRAN_W), ==, 32);
}

/* ---- rates --------------------------------------------------------------------------------- */

/* Only rates: the frequency times the duration are each launch's cycles, and derived__sm is the
 * peak. */
static void test_rates_wide(void)
{
    g_autoptr(PsProfile) profile = load(PROFILES "ncu-roofline-raw.csv", NULL);
    if (!kernel_at(profile, 0))
        return;
    g_assert_cmpint(kernel_at(profile, 0)->launches, ==, 2);
    assert_near(metric(profile, 0, PS_M_FP32), 15000 * 258.0 + 28000 * 102.5);
    assert_near(metric(profile, 0, PS_M_FMA32), 15000 * 256.25 + 28000 * 100.0);
    g_assert_cmpfloat(metric(profile, 0, PS_M_FP64), ==, 0);
    assert_near(metric(profile, 0, PS_M_FP16), 43000 * (16 + 8.0));
    assert_near(metric(profile, 0, PS_M_OPS16), 43000 * (64 + 16.0));
    assert_near(metric(profile, 0, PS_M_TRAN_R), 16e6);
    g_assert_cmpfloat(metric(profile, 0, PS_M_TRAN_W), ==, 0);
    assert_near(metric(profile, 0, PS_M_L1), 32e6);
    assert_near(metric(profile, 0, PS_M_L2), 18e6);
    g_assert_cmpfloat(metric(profile, 0, PS_M_INST), ==, 2 * 32 * 500000.0);
    g_assert_true(warns(profile,
                        "from rates, which the file prints rounded, are in M_fp64, M_fma64,",
                        "ncu --csv --metrics smsp__sass_thread_inst_executed_op_fp64_pred_on.sum"));
    g_assert_false(warns(profile, "M_inst,", ""));
    g_assert_true(warns(profile, "M_ldst is missing", ""));

    const PsProfileOptions apart = {.apart = TRUE};
    g_autoptr(PsProfile) launches = load(PROFILES "ncu-roofline-raw.csv", &apart);
    assert_near(metric(launches, 0, PS_M_FMA32), 15000 * 256.25);
    assert_near(metric(launches, 1, PS_M_FMA32), 28000 * 100.0);
}

/* Launch by launch: what is exact comes first, and a launch that has no sum takes its rates. The
 * bytes written are a difference, which rounding made negative. */
static void test_rates_long(void)
{
    const PsProfileOptions apart = {.apart = TRUE};
    g_autoptr(PsProfile) profile = load(PROFILES "ncu-roofline-long.csv", NULL);
    g_autoptr(PsProfile) launches = load(PROFILES "ncu-roofline-long.csv", &apart);
    if (!kernel_at(profile, 0) || !kernel_at(launches, 1))
        return;
    assert_near(metric(launches, 0, PS_M_FP64), 12000.5 * (2 + 4 + 8));
    assert_near(metric(launches, 0, PS_M_FMA64), 12000.5 * 8);
    assert_near(metric(launches, 0, PS_M_TENSOR), 12000.5 * 16);
    assert_near(metric(launches, 0, PS_M_OPS_TENSOR), 12000.5 * 1024);
    assert_near(metric(launches, 0, PS_M_TRAN_R), 30000);
    assert_near(metric(launches, 0, PS_M_TRAN_W), 20000);
    assert_near(metric(launches, 1, PS_M_FP64), 2000 + 4 + 5000);
    assert_near(metric(launches, 1, PS_M_FMA64), 5000);
    assert_near(metric(launches, 1, PS_M_OPS_TENSOR), 77);
    g_assert_cmpfloat(metric(launches, 1, PS_M_TRAN_W), ==, 0);
    assert_near(metric(profile, 0, PS_M_FP64), 12000.5 * 14 + 7004);
    assert_near(metric(profile, 0, PS_M_OPS_TENSOR), 12000.5 * 1024 + 77);
    assert_near(metric(profile, 0, PS_M_TRAN_R), 90000);
    g_assert_true(warns(profile, "rates", "M_tran-w"));
    g_assert_true(warns(profile, "rates", "M_ops-tensor"));
    g_assert_false(warns(profile, "M_tran-r", ""));
}

#define FFMA "smsp__sass_thread_inst_executed_op_ffma_pred_on"
#define TENSOR16 "sm__ops_path_tensor_src_fp16"

/* A whole counts where none of its parts does; exact sums make all rates silent. */
static void test_rates_or_sums(void)
{
    g_autoptr(PsProfile) profile =
        load_text(LONG ROW("0", "7", "f", FFMA ".sum.per_cycle_elapsed", "inst/cycle", "3")
                      ROW("0", "7", "f", "smsp__cycles_elapsed.avg", "cycle", "10")
                          ROW("0", "7", "f", FFMA ".sum", "inst", "31")
                              ROW("0", "7", "f", TENSOR16 ".sum", "", "50")
                                  ROW("0", "7", "f", TENSOR16 "_dst_fp16.sum", "", "40")
                                      ROW("1", "7", "g", TENSOR16 ".sum", "", "50"));
    g_assert_cmpfloat(metric(profile, 0, PS_M_FMA32), ==, 31);
    g_assert_cmpfloat(metric(profile, 0, PS_M_OPS_TENSOR), ==, 40);
    g_assert_cmpfloat(metric(profile, 1, PS_M_OPS_TENSOR), ==, 50);
    g_assert_false(warns(profile, "rate", ""));
    g_assert_false(warns(profile, "the same launch", ""));
}

/* No cycles, no unit of a rate, not a number. */
static void test_rates_bad(void)
{
    g_autoptr(PsProfile) timeless =
        load_text(LONG ROW("0", "7", "f", FFMA ".sum.per_cycle_elapsed", "inst/cycle", "3")
                      ROW("0", "7", "f", "smsp__cycles_elapsed.avg.per_second", "Ghz", "1"));
    g_assert_true(isnan(metric(timeless, 0, PS_M_FMA32)));
    g_assert_true(warns(timeless, "rates without the cycles or the time of their launches",
                        "smsp__cycles_elapsed.avg,gpu__time_duration.sum"));
    g_autoptr(PsProfile) odd = load_text(LONG ROW("0", "7", "f", "dram__bytes.sum.per_second", "%",
                                                  "3") ROW("0", "7", "f", TIME, "ns", "3"));
    g_assert_true(isnan(metric(odd, 0, PS_M_TRAN_R)));
    g_assert_true(warns(odd, "the rate in line 2, column 6 is of the unit '%'", "does not count"));
    assert_bad(LONG ROW("0", "7", "f", FFMA ".sum.per_cycle_elapsed", "inst/cycle", "x"),
               ":2:98: Metric Value: 'x' is no number");
    assert_bad(LONG ROW("0", "7", "f", FFMA ".sum.per_cycle_elapsed", "inst/cycle", "-1"),
               ":2:98: Metric Value: '-1' is negative, and no rate or number of cycles can be");
    assert_bad(LONG ROW("0", "7", "f", "dram__bytes.sum.per_second", "byte/s", "1e308")
                   ROW("0", "7", "f", TIME, "s", "1e300"),
               ":2: M_tran-r of the kernel that begins here is too large for a number");
}

/* The first of two values counts, and a warning names both. */
static void test_conflicts(void)
{
    g_autoptr(PsProfile) profile = load_text(
        LONG ROW("0", "7", "f", READ, "byte", "1,000") ROW("0", "7", "f", READ, "byte", "1,000")
            ROW("0", "7", "f", READ, "byte", "1,001") ROW("0", "7", "f", READ, "byte", "7"));
    g_assert_cmpfloat(metric(profile, 0, PS_M_TRAN_R), ==, 1000);
    g_assert_true(warns(profile,
                        "line 4: " READ " is 1001 here, and 1000 above in the same launch, which "
                        "counts",
                        "; 1 more such"));
}

/* ---- what is missing ----------------------------------------------------------------------- */

static void test_missing_values(void)
{
    g_autoptr(PsProfile) profile = load_text(LONG ROW("0", "7", "f", FP32, "inst", "1") ROW(
        "0", "7", "f", READ, "byte", "n/a") ROW("1", "7", "f", READ, "byte", "5"));
    g_assert_true(isnan(metric(profile, 0, PS_M_FP32)));
    g_assert_true(isnan(metric(profile, 0, PS_M_TRAN_R)));
    g_assert_true(warns(profile, "M_fp32 (" FP32 " is there for 1 of 2 launches)", "E_mix"));
    g_assert_true(warns(profile, "M_tran-r (" READ " has no value in line 3)", "W_traf"));
}

/* Instructions of tensor cores whose operations nobody counted: they may be most of the kernel. */
static void test_missing_operations(void)
{
    g_autoptr(PsProfile) tensor =
        load_text(LONG ROW("0", "7", "f", "sm__inst_executed_pipe_tensor.sum", "inst", "9")
                      ROW("0", "7", "f", FP32, "inst", "5"));
    g_assert_true(warns(tensor, "M_ops-tensor", "") &&
                  warns(tensor, "--metrics", "sm__ops_path_tensor_src_fp16_dst_fp32.sum"));
    g_assert_false(warns(tensor, "src_int4", ""));
    g_autoptr(PsProfile) small =
        load_text(LONG ROW("0", "7", "f", "sm__ops_path_tensor_src_fp8_dst_fp32.sum", "", "8")
                      ROW("0", "7", "f", "sm__ops_path_tensor_src_fp4_fp6_dst_fp32.sum", "", "6"));
    g_assert_cmpfloat(metric(small, 0, PS_M_OPS_TENSOR), ==, 14);
    g_autoptr(PsProfile) none =
        load_text(LONG ROW("0", "7", "f", "sm__inst_executed_pipe_tensor.sum", "inst", "0")
                      ROW("0", "7", "f", FP32, "inst", "5"));
    g_assert_false(warns(none, "M_ops-tensor", ""));
    g_autoptr(PsProfile) half = load_text(LONG ROW(
        "0", "7", "f", "smsp__sass_thread_inst_executed_op_fp16_pred_on.sum", "inst", "9"));
    g_assert_true(warns(half, "M_ops16", "") &&
                  warns(half, "--metrics", "smsp__sass_thread_inst_executed_op_hfma_pred_on.sum"));
}

/* Kernels that lack the same share a warning, others have their own. */
static void test_missing_of_several(void)
{
    g_autoptr(PsProfile) same =
        load_text(LONG ROW("0", "7", "f", READ, "byte", "1") ROW("1", "7", "g", READ, "byte", "1"));
    g_assert_cmpuint(count_warnings(same), ==, 4);
    g_assert_false(warns(same, "kernel '", ""));
    g_autoptr(PsProfile) other =
        load_text(LONG ROW("0", "7", "f", READ, "byte", "1") ROW("1", "7", "g", FP32, "inst", "1"));
    g_assert_cmpuint(count_warnings(other), ==, 8);
    g_assert_true(warns(other, "kernel 'f': M_tran-w is missing", ""));
    g_assert_true(warns(other, "kernel 'g': M_tran-r, M_tran-w are missing", ""));
}

/* ---- bad files ----------------------------------------------------------------------------- */

static void test_bad_kinds(void)
{
    g_autoptr(GError) error = NULL;
    assert_bad("", ": the file is empty");
    assert_bad("\n\n", ": the file is empty");
    assert_bad("==PROF== Connected to process 1\n==WARNING== No kernels were profiled.\n",
               ":1: there is no table here; the profiler says: ==WARNING== No kernels were "
               "profiled.");
    assert_bad("==12== NVPROF is profiling process 12\n==12== Error: unknown error\n",
               ":1: there is no table here; the profiler says: ==12== Error: unknown error");
    g_assert_null(ps_profile_load("no/such/file", NULL, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_READ);
    g_clear_error(&error);

    write_file("\n\nx,y,z\n1,2,3\n", -1);
    g_assert_null(ps_profile_load(path, NULL, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_SYNTAX);
    static const char *const kinds[] = {
        ":3: this is no profile of a kind", "nvprof --csv --metrics;",
        "nvprof --csv --print-gpu-trace;",  "Nsight Compute --csv;",
        "Nsight Compute --csv --page raw;", "JSON"};
    for (guint i = 0; error && i < G_N_ELEMENTS(kinds); i++)
        g_assert_nonnull(strstr(error->message, kinds[i]));
    g_clear_error(&error);

    write_file("==PROF== Connected to process 1\n  f (64, 1, 1)x(256, 1, 1)\n", -1);
    g_assert_null(ps_profile_load(path, NULL, &error));
    g_assert_nonnull(strstr(error ? error->message : "", "give the profiler --csv"));
    g_clear_error(&error);

    write_file("NVR\0\1\2", 6);
    g_assert_null(ps_profile_load(path, NULL, &error));
    g_assert_nonnull(strstr(error ? error->message : "", ":1: here is a byte of zero"));
    g_assert_nonnull(strstr(error ? error->message : "", "ncu --import"));
}

static void test_bad_tables(void)
{
    assert_bad(LONG, ":1: no kernel stands below this header: was one launched and profiled?");
    assert_bad("x\n" LONG "==ERROR== out of luck\n",
               ":2: no kernel stands below this header; the profiler says: ==ERROR== out of luck");
    assert_bad("\"ID\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\"\n",
               ":1: the column \"Metric Value\" is missing in this header of Nsight Compute");
    assert_bad("\"ID\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n",
               ":1: the column \"Kernel Name\" is missing in this header of Nsight Compute");
    assert_bad("\"Kernel Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n",
               ":1: the column \"ID\" is missing in this header of Nsight Compute");
    assert_bad("\"ID\",\"dram__bytes_read.sum\"\n",
               ":1: the column \"Kernel Name\" is missing in this header of Nsight Compute");
    assert_bad("\"Device\",\"Kernel\",\"Invocations\",\"Metric Name\",\"Min\",\"Max\"\n",
               ":1: the column \"Avg\" is missing in this header of nvprof metrics");
    assert_bad("\"Start\",\"Duration\",\"Device\",\"Stream\"\n",
               ":1: the column \"Name\" is missing in this header of nvprof trace");
    assert_bad("\"Time(%)\",\"Time\",\"Avg\",\"Min\",\"Max\",\"Name\"\n",
               ":1: the column \"Calls\" is missing in this header of nvprof summary");
    assert_bad(LONG ROW("1", "7", "f", READ, "byte", "1") ROW("0", "7", "g", READ, "byte", "1")
                   ROW("1", "7", "f", FP32, "inst", "1"),
               ":3:1: launch 0 comes after launch 1: the rows of a launch must stand together, in "
               "order of the IDs");
    assert_bad(LONG ROW("1", "7", "f", READ, "byte", "1") ROW("1", "7", "g", FP32, "inst", "1"),
               ":3:9: launch 1 is of the kernel 'g' here, and above of 'f'");
    assert_bad(LONG ROW("x", "7", "f", READ, "byte", "1"), ":2:1: ID: 'x' is no number");
    assert_bad(LONG ROW("0.5", "7", "f", READ, "byte", "1"),
               ":2:1: ID: '0.5' is no whole number of at least 0");
    assert_bad(LONG ROW("0", "7", "", READ, "byte", "1"), ":2:9: Kernel Name is empty");
}

static void test_bad_values(void)
{
    assert_bad(LONG ROW("0", "7", "f", READ, "byte", "-1"),
               ":2:43: Metric Value: '-1' is negative, and no count or duration can be");
    assert_bad(LONG ROW("0", "7", "f", READ, "byte", "1e400"),
               ":2:43: Metric Value: '1e400' is too large for a number");
    assert_bad(LONG ROW("0", "7", "f", READ, "byte", "nan"),
               ":2:43: Metric Value: 'nan' is no number");
    assert_bad(LONG ROW("0", "7", "f", READ, "byte", ""),
               ":2:43: Metric Value is empty where a number is due");
    assert_bad(LONG ROW("0", "7", "f", READ, "furlong", "1"),
               ":2:46: Metric Value: '1' is of the unit 'furlong', and its unit must be one of "
               "bytes, such as byte or Kbyte");
    assert_bad(LONG ROW("0", "7", "f", TIME, "ns", "0"),
               ":2:43: Metric Value: '0' is no duration: a kernel takes more than no time");
    assert_bad(LONG ROW("0", "7", "f", TIME, "", "1"),
               ":2:41: Metric Value: '1' has no unit, and its unit must be one of time, such as ns "
               "or usecond");
    assert_bad(LONG ROW("0", "7", "f", READ, "byte", "1e308")
                   ROW("1", "7", "f", READ, "byte", "1e308"),
               ":2: M_tran-r of the kernel that begins here is too large for a number");
    assert_bad("\"Device\",\"Kernel\",\"Invocations\",\"Metric Name\",\"Min\",\"Max\",\"Avg\"\n"
               "\"K40\",\"f\",0,\"inst_fp_32\",1,1,1\n",
               ":2:11: Invocations: '0' is no whole number of at least 1");
    assert_bad("\"Device\",\"Kernel\",\"Invocations\",\"Metric Name\",\"Min\",\"Max\",\"Avg\"\n"
               "\"K40\",\"f\",2,\"inst_fp_32\",10,12,<OVERFLOW>\n",
               ":2:32: Avg: '<OVERFLOW>' is no number");
    assert_bad("\"Start\",\"Duration\",\"Device\",\"Name\"\n1,1,\"K40\",\"f\"\n",
               ":2:3: Duration: '1' has no unit, and its unit must be one of time, such as ns or "
               "usecond");
}

static void test_cut_off(void)
{
    assert_bad(LONG ROW("0", "7", "f", READ, "byte", "1") "\"0\",\"7\",\"f\"",
               ":3:9: this row has 3 fields, and the header in line 1 has 6: the file is cut off");
    assert_bad(LONG "\"0\",\"7\",\"f\",\"dram_",
               ":2:13: a quote begins here, and the file ends before it does: it is cut off");
    assert_bad(LONG "\"0\",\"7\",\"f\"\n",
               ":2:9: this row has 3 fields, and the header in line 1 has 6");
    assert_bad("\"Device\",\"Kernel\",\"Invocations\",\"Metric Name\",\"Min\",\"Max\",\"Avg\"\n"
               "\"K40\",\"f\",2,\"inst_fp_32\",1000,1200,11",
               ":2:36: Avg: '11' is not between Min and Max: the file is cut off");
    g_autoptr(PsProfile) profile =
        load_text("\"Device\",\"Kernel\",\"Invocations\",\"Metric Name\",\"Min\",\"Max\",\"Avg\"\n"
                  "\"K40\",\"f\",2,\"inst_fp_32\",1,1200,11");
    g_assert_true(warns(profile, "ends in line 2 without a line end", "cut off"));
}

/* Every file, cut off after every byte and with every byte replaced: an error or a profile, and
 * never anything else. */
static void test_damaged(void)
{
    static const char *const files[] = {
        "nvprof-metrics.csv", "nvprof-trace.csv", "nvprof-summary.csv",   "ncu-raw.csv",
        "ncu-summary.csv",    "ncu-long.csv",     "ncu-roofline-raw.csv", "ncu-roofline-long.csv"};
    for (guint i = 0; i < G_N_ELEMENTS(files); i++) {
        g_autofree char *file = g_strconcat(PROFILES, files[i], NULL);
        g_autofree char *text = NULL;
        gsize length = 0;
        g_assert_true(g_file_get_contents(file, &text, &length, NULL));
        for (gsize at = 0; at < length; at += 1 + at % 5) {
            static const char replacements[] = "\",\n-x9=";
            const char kept = text[at];
            g_autoptr(GError) cut = NULL, damaged = NULL;
            write_file(text, (gssize)at);
            g_autoptr(PsProfile) one = ps_profile_load(path, NULL, &cut);
            g_assert_true((one == NULL) == (cut != NULL));
            text[at] = replacements[at % (sizeof replacements - 1)];
            write_file(text, (gssize)length);
            g_autoptr(PsProfile) other = ps_profile_load(path, NULL, &damaged);
            g_assert_true((other == NULL) == (damaged != NULL));
            text[at] = kept;
        }
    }
}

/* ---- streaming ----------------------------------------------------------------------------- */

typedef struct {
    guint n, stop;
    double bytes;
} Taken;

static gboolean take(void *self, const PsProfileKernel *kernel, GError **error)
{
    Taken *taken = self;
    taken->n++;
    taken->bytes += kernel->metrics.value[PS_M_TRAN_R];
    if (taken->n != taken->stop)
        return TRUE;
    g_set_error_literal(error, PS_ERROR, PS_ERROR_LIMIT, "enough");
    return FALSE;
}

static void test_each(void)
{
    g_autoptr(GString) text = g_string_new(LONG);
    for (guint i = 0; i < 20000; i++)
        g_string_append_printf(text, "\"%u\",\"7\",\"k%u\",\"" READ "\",\"byte\",\"%u\"\n", i,
                               i % 3, i);
    write_file(text->str, -1);
    Taken taken = {0};
    PsProfileOptions options = {.apart = TRUE, .each = take, .self = &taken};
    g_autoptr(PsProfile) apart = load(path, &options);
    g_assert_cmpuint(apart->kernels->len, ==, 0);
    g_assert_cmpuint(taken.n, ==, 20000);
    g_assert_cmpfloat(taken.bytes, ==, 19999 * 10000.0);

    taken = (Taken){0};
    options.apart = FALSE;
    g_autoptr(PsProfile) together = load(path, &options);
    g_assert_cmpuint(together->kernels->len, ==, 0);
    g_assert_cmpuint(taken.n, ==, 3);
    g_assert_cmpfloat(taken.bytes, ==, 19999 * 10000.0);

    g_autoptr(GError) error = NULL;
    taken = (Taken){.stop = 2};
    options.apart = TRUE;
    g_assert_null(ps_profile_load(path, &options, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_LIMIT);
    g_assert_cmpuint(taken.n, ==, 2);
}

static void add_tests(void)
{
    g_test_add_func("/profile/nvprof/metrics", test_nvprof_metrics);
    g_test_add_func("/profile/nvprof/trace", test_nvprof_trace);
    g_test_add_func("/profile/nvprof/summary", test_nvprof_summary);
    g_test_add_func("/profile/nvprof/trace-metrics", test_nvprof_trace_metrics);
    g_test_add_func("/profile/nvprof/together", test_nvprof_together);
    g_test_add_func("/profile/join", test_join);
    g_test_add_func("/profile/ncu/long", test_ncu_long);
    g_test_add_func("/profile/ncu/wide", test_ncu_wide);
    g_test_add_func("/profile/ncu/summary", test_ncu_summary);
    g_test_add_func("/profile/ncu/launches", test_ncu_launches);
    g_test_add_func("/profile/ncu/versions", test_ncu_versions);
    g_test_add_func("/profile/ncu/traffic", test_ncu_traffic);
    g_test_add_func("/profile/rates/wide", test_rates_wide);
    g_test_add_func("/profile/rates/long", test_rates_long);
    g_test_add_func("/profile/rates/or-sums", test_rates_or_sums);
    g_test_add_func("/profile/rates/bad", test_rates_bad);
    g_test_add_func("/profile/conflicts", test_conflicts);
    g_test_add_func("/profile/missing/values", test_missing_values);
    g_test_add_func("/profile/missing/operations", test_missing_operations);
    g_test_add_func("/profile/missing/of-several", test_missing_of_several);
    g_test_add_func("/profile/bad/kinds", test_bad_kinds);
    g_test_add_func("/profile/bad/tables", test_bad_tables);
    g_test_add_func("/profile/bad/values", test_bad_values);
    g_test_add_func("/profile/bad/cut-off", test_cut_off);
    g_test_add_func("/profile/bad/damaged", test_damaged);
    g_test_add_func("/profile/each", test_each);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_autoptr(GError) error = NULL;
    const int fd = g_file_open_tmp("pipesim-profile-XXXXXX", &path, &error);
    g_assert_no_error(error);
    close(fd);
    add_tests();
    const int status = g_test_run();
    g_unlink(path);
    g_free(path);
    return status;
}
