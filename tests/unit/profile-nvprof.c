/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Profiles of nvprof: what comes from the files in tests/profiles/, from older ones, from tables
 * that follow each other in one file, and from two files joined.
 */
#include "tests/help/profile.h"
#include <math.h>

static void test_nvprof_metrics(void)
{
    g_autoptr(PsProfile) profile = profile_file(PROFILES "nvprof-metrics.csv", NULL);
    const PsProfileKernel *stencil = profile_kernel(profile, 0);
    if (!profile)
        return;
    g_assert_cmpstr(profile->kind, ==, "nvprof metrics");
    g_assert_cmpuint(profile->kernels->len, ==, 2);
    g_assert_cmpuint(profile_count_warnings(profile), ==, 0);
    g_assert_cmpstr(stencil->name, ==, "stencil(float const *, float*, int)");
    g_assert_cmpstr(stencil->device, ==, "Tesla K40c (0)");
    g_assert_cmpint(stencil->launches, ==, 3);
    g_assert_cmpint(stencil->launch, ==, 0);
    g_assert_cmpint(stencil->line, ==, 12);
    g_assert_true(stencil->has_metrics);
    g_assert_true(isnan(stencil->seconds));
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_FP32), ==, 3 * 6100.0);
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_FMA32), ==, 3 * 1000.0);
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_FP64), ==, 0);
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_INT), ==, 3 * 9000.0);
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_LDST), ==, 3 * 4000.0);
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_INST), ==, 3 * 32 * 700.0);
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_TRAN_R), ==, 3 * 32 * 120.0);
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_TRAN_W), ==, 3 * 32 * 50.0);
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_L2), ==, 3 * 32 * 500.0);
    g_assert_true(isnan(profile_metric(profile, 0, PS_M_L1)));
    g_assert_cmpint(stencil->params.K_type, ==, PS_K_FP32);
    g_assert_cmpfloat(stencil->params.W_comp, ==, 3 * 7100.0);
    g_assert_cmpint(profile_kernel(profile, 1)->params.K_type, ==, PS_K_FP64);
}

static void test_nvprof_trace(void)
{
    g_autoptr(PsProfile) profile = profile_file(PROFILES "nvprof-trace.csv", NULL);
    const PsProfileKernel *stencil = profile_kernel(profile, 0);
    if (!profile)
        return;
    g_assert_cmpstr(profile->kind, ==, "nvprof trace");
    g_assert_cmpuint(profile->kernels->len, ==, 2);
    g_assert_cmpstr(stencil->name, ==, "stencil(float const *, float*, int)");
    g_assert_cmpint(stencil->launches, ==, 3);
    profile_near(stencil->seconds, 34e-6);
    profile_near(profile_kernel(profile, 1)->seconds, 5.25e-6);
    g_assert_cmpuint(profile_count_warnings(profile), ==, 1);
    g_assert_true(profile_warns(profile, "durations", "nvprof --csv --metrics"));

    const PsProfileOptions apart = {.apart = TRUE};
    g_autoptr(PsProfile) launches = profile_file(PROFILES "nvprof-trace.csv", &apart);
    const PsProfileKernel *third = profile_kernel(launches, 2);
    g_assert_cmpuint(launches->kernels->len, ==, 4);
    g_assert_cmpint(third->launch, ==, 3);
    g_assert_cmpint(third->launches, ==, 1);
    g_assert_cmpfloat(third->seconds, ==, 12e-6);
    g_assert_cmpint(third->line, ==, 9);
    g_assert_cmpint(profile_kernel(launches, 3)->launch, ==, 1);
}

static void test_nvprof_summary(void)
{
    g_autoptr(PsProfile) profile = profile_file(PROFILES "nvprof-summary.csv", NULL);
    const PsProfileKernel *stencil = profile_kernel(profile, 0);
    if (!profile)
        return;
    g_assert_cmpuint(profile->kernels->len, ==, 2);
    g_assert_cmpint(stencil->launches, ==, 3);
    g_assert_null(stencil->device);
    g_assert_cmpfloat(stencil->seconds, ==, 34e-6);

    /* Before CUDA 9 there was no column for the type. */
    g_autoptr(PsProfile) old =
        profile_text("==12== Profiling result:\n"
                     "\"Time(%)\",\"Time\",\"Calls\",\"Avg\",\"Min\",\"Max\",\"Name\"\n"
                     "%,ms,,ms,us,us,\n"
                     "80.0,2.5,2,1.25,1.0,1.5,\"f(int)\"\n"
                     "20.0,1.5,2,0.75,1.0,1.5,\"[CUDA memcpy HtoD]\"\n"
                     "\n"
                     "==12== API calls:\n"
                     "\"Time(%)\",\"Time\",\"Calls\",\"Avg\",\"Min\",\"Max\",\"Name\"\n"
                     "%,ms,,ms,us,us,\n"
                     "80.0,2.5,2,1.25,1.0,1.5,\"cudaLaunch\"\n",
                     NULL);
    g_assert_cmpuint(old->kernels->len, ==, 1);
    g_assert_cmpfloat(profile_kernel(old, 0)->seconds, ==, 2.5e-3);
}

/* Metrics of each launch. */
static void test_nvprof_trace_metrics(void)
{
    g_autoptr(PsProfile) profile = profile_text(
        "==12== Metric result:\n"
        "\"Device\",\"Context\",\"Stream\",\"Kernel\",\"Correlation_ID\",\"inst_fp_32\","
        "\"FP Instructions(Double)\"\n"
        "\"Tesla V100 (0)\",\"1\",\"7\",\"f(int)\",101,7,1\n"
        "\"Tesla V100 (0)\",\"1\",\"7\",\"g(int)\",102,5,0\n"
        "\"Tesla V100 (0)\",\"1\",\"7\",\"f(int)\",103,8,2\n",
        NULL);
    g_assert_cmpuint(profile->kernels->len, ==, 2);
    g_assert_cmpint(profile_kernel(profile, 0)->launches, ==, 2);
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_FP32), ==, 15);
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_FP64), ==, 3);
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
            g_autoptr(PsProfile) profile = profile_text(text, NULL);
            g_assert_cmpuint(profile->kernels->len, ==, 2);
            g_assert_cmpint(profile_kernel(profile, 0)->launches, ==, 3);
            g_assert_cmpstr(profile_kernel(profile, 0)->device, ==, "Tesla K40c (0)");
            profile_near(profile_kernel(profile, 0)->seconds, 34e-6);
            g_assert_cmpfloat(profile_metric(profile, 0, PS_M_FP32), ==, 3 * 6100.0);
            g_assert_cmpuint(profile_count_warnings(profile), ==,
                             swapped); /* what the program printed */
        }
    }
}

/* A summary of other launches says nothing of those whose device is known. */
static void test_nvprof_apart(void)
{
    g_autofree char *metrics = NULL;
    g_file_get_contents(PROFILES "nvprof-metrics.csv", &metrics, NULL, NULL);
    g_autofree char *text =
        g_strconcat(metrics,
                    "\"Type\",\"Time(%)\",\"Time\",\"Calls\",\"Avg\",\"Min\",\"Max\",\"Name\"\n"
                    ",%,ms,,ms,ms,ms,\n"
                    "\"GPU activities\",1,12,6,2,2,2,\"stencil(float const *, float*, int)\"\n",
                    NULL);
    g_autoptr(PsProfile) profile = profile_text(text, NULL);
    g_assert_cmpuint(profile->kernels->len, ==, 3);
    g_assert_cmpint(profile_kernel(profile, 0)->launches, ==, 3);
    g_assert_true(isnan(profile_kernel(profile, 0)->seconds));
    g_assert_null(profile_kernel(profile, 2)->device);
    g_assert_cmpint(profile_kernel(profile, 2)->launches, ==, 6);
    profile_near(profile_kernel(profile, 2)->seconds, 12e-3);
}

static void test_join(void)
{
    static const char *const files[] = {PROFILES "nvprof-trace.csv", PROFILES "nvprof-summary.csv"};
    for (guint i = 0; i < G_N_ELEMENTS(files); i++) {
        g_autoptr(PsProfile) profile = profile_file(PROFILES "nvprof-metrics.csv", NULL);
        g_autoptr(PsProfile) times = profile_file(files[i], NULL);
        g_assert_cmpuint(ps_profile_join(profile, times), ==, 2);
        profile_near(profile_kernel(profile, 0)->seconds, 34e-6);
        profile_near(profile_metric(profile, 1, PS_M_SECONDS), 5.25e-6);
        g_assert_cmpuint(ps_profile_join(profile, times), ==, 0);
    }
    const PsProfileOptions apart = {.apart = TRUE};
    g_autoptr(PsProfile) profile = profile_file(PROFILES "nvprof-metrics.csv", NULL);
    g_autoptr(PsProfile) times = profile_file(PROFILES "nvprof-trace.csv", &apart);
    g_assert_cmpuint(ps_profile_join(profile, times), ==, 2);
    profile_near(profile_kernel(profile, 0)->seconds, 34e-6);

    /* Another number of launches: their mean. */
    g_autoptr(PsProfile) more =
        profile_text("\"Type\",\"Time(%)\",\"Time\",\"Calls\",\"Avg\",\"Min\",\"Max\",\"Name\"\n"
                     ",%,ms,,ms,ms,ms,\n"
                     "\"GPU activities\",1,12,6,2,2,2,\"stencil(float const *, float*, int)\"\n",
                     NULL);
    g_autoptr(PsProfile) again = profile_file(PROFILES "nvprof-metrics.csv", NULL);
    g_assert_cmpuint(ps_profile_join(again, more), ==, 1);
    profile_near(profile_kernel(again, 0)->seconds, 6e-3);

    /* Another device. */
    g_autoptr(PsProfile) elsewhere =
        profile_text("\"Start\",\"Duration\",\"Device\",\"Name\"\n"
                     "s,s,,\n"
                     "1,1,\"Tesla K40c (1)\",\"stencil(float const *, float*, int)\"\n",
                     NULL);
    g_autoptr(PsProfile) here = profile_file(PROFILES "nvprof-metrics.csv", NULL);
    g_assert_cmpuint(ps_profile_join(here, elsewhere), ==, 0);
    g_assert_true(isnan(profile_kernel(here, 0)->seconds));
}

/* Operations alone; and what each pipeline was given, which ceilings are found from. */
static void test_nvprof_pipelines(void)
{
#define METRIC(name, value)                                                                        \
    "\"K40c (0)\",\"k\",2,\"" name "\",\"" name "\"," value "," value "," value "\n"
    g_autoptr(PsProfile) profile = profile_text(
        "\"Device\",\"Kernel\",\"Invocations\",\"Metric Name\",\"Metric "
        "Description\",\"Min\",\"Max\",\"Avg\"\n" METRIC("flop_count_sp", "900")
            METRIC("flop_count_dp", "70") METRIC("flop_count_sp_add", "20")
                METRIC("flop_count_sp_mul", "30") METRIC("flop_count_sp_fma", "400")
                    METRIC("flop_count_sp_special", "8") METRIC("shared_load_transactions", "5")
                        METRIC("shared_store_transactions", "6"),
        NULL);
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_OPS32), ==, 2 * 900);
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_OPS64), ==, 2 * 70);
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_FMA_PIPE), ==, 2 * 450);
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_SPECIAL), ==, 2 * 8);
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_LOCAL), ==, 2 * 128 * 11);
    g_autoptr(PsProfile) alone =
        profile_text("\"Device\",\"Kernel\",\"Invocations\",\"Metric Name\",\"Metric "
                     "Description\",\"Min\",\"Max\",\"Avg\"\n" METRIC("flop_count_sp", "900"),
                     NULL);
    g_assert_cmpint(profile_kernel(alone, 0)->params.K_type, ==, PS_K_FP32);
    g_assert_cmpfloat(profile_kernel(alone, 0)->params.W_comp, ==, 1800);
#undef METRIC
}

/* Events bear the names of metrics and are none. */
static void test_nvprof_events(void)
{
    profile_bad("\"Device\",\"Kernel\",\"Invocations\",\"Event Name\",\"Min\",\"Max\",\"Avg\"\n"
                "\"Tesla K40c (0)\",\"k(int)\",1,\"inst_executed\",5,5,5\n",
                "F:1: this is a table of events, which say nothing of what the roofline needs; to "
                "collect that: nvprof --csv --metrics ...");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/profile/nvprof/metrics", test_nvprof_metrics);
    g_test_add_func("/profile/nvprof/trace", test_nvprof_trace);
    g_test_add_func("/profile/nvprof/summary", test_nvprof_summary);
    g_test_add_func("/profile/nvprof/trace-metrics", test_nvprof_trace_metrics);
    g_test_add_func("/profile/nvprof/together", test_nvprof_together);
    g_test_add_func("/profile/nvprof/apart", test_nvprof_apart);
    g_test_add_func("/profile/nvprof/pipelines", test_nvprof_pipelines);
    g_test_add_func("/profile/nvprof/events", test_nvprof_events);
    g_test_add_func("/profile/join", test_join);
    return g_test_run();
}
