/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Profiles of Nsight Compute that have rates in place of counts.
 */
#include "tests/help/profile-ncu.h"
#include <math.h>

/* Only rates: the frequency times the duration are each launch's cycles, and derived__sm is the
 * peak. */
static void test_rates_wide(void)
{
    g_autoptr(PsProfile) profile = profile_file(PROFILES "ncu-roofline-raw.csv", NULL);
    g_assert_cmpint(profile_kernel(profile, 0)->launches, ==, 2);
    profile_near(profile_metric(profile, 0, PS_M_FP32), 15000 * 258.0 + 28000 * 102.5);
    profile_near(profile_metric(profile, 0, PS_M_FMA32), 15000 * 256.25 + 28000 * 100.0);
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_FP64), ==, 0);
    profile_near(profile_metric(profile, 0, PS_M_FP16), 43000 * (16 + 8.0));
    profile_near(profile_metric(profile, 0, PS_M_OPS16), 43000 * (64 + 16.0));
    profile_near(profile_metric(profile, 0, PS_M_TRAN_R), 16e6);
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_TRAN_W), ==, 0);
    profile_near(profile_metric(profile, 0, PS_M_L1), 32e6);
    profile_near(profile_metric(profile, 0, PS_M_L2), 18e6);
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_INST), ==, 2 * 32 * 500000.0);
    g_assert_true(
        profile_warns(profile, "from rates, which the file prints rounded, are in M_fp64, M_fma64,",
                      "ncu --csv --metrics smsp__sass_thread_inst_executed_op_fp64_pred_on.sum"));
    g_assert_false(profile_warns(profile, "M_inst,", ""));
    g_assert_true(profile_warns(profile, "M_ldst is missing", ""));

    const PsProfileOptions apart = {.apart = TRUE};
    g_autoptr(PsProfile) launches = profile_file(PROFILES "ncu-roofline-raw.csv", &apart);
    profile_near(profile_metric(launches, 0, PS_M_FMA32), 15000 * 256.25);
    profile_near(profile_metric(launches, 1, PS_M_FMA32), 28000 * 100.0);
}

/* Launch by launch: what is exact comes first, and a launch that has no sum takes its rates. The
 * bytes written are a difference, which rounding made negative. */
static void test_rates_long(void)
{
    const PsProfileOptions apart = {.apart = TRUE};
    g_autoptr(PsProfile) profile = profile_file(PROFILES "ncu-roofline-long.csv", NULL);
    g_autoptr(PsProfile) launches = profile_file(PROFILES "ncu-roofline-long.csv", &apart);
    profile_near(profile_metric(launches, 0, PS_M_FP64), 12000.5 * (2 + 4 + 8));
    profile_near(profile_metric(launches, 0, PS_M_FMA64), 12000.5 * 8);
    profile_near(profile_metric(launches, 0, PS_M_TENSOR), 12000.5 * 16);
    profile_near(profile_metric(launches, 0, PS_M_OPS_TENSOR), 12000.5 * 1024);
    profile_near(profile_metric(launches, 0, PS_M_TRAN_R), 30000);
    profile_near(profile_metric(launches, 0, PS_M_TRAN_W), 20000);
    profile_near(profile_metric(launches, 1, PS_M_FP64), 2000 + 4 + 5000);
    profile_near(profile_metric(launches, 1, PS_M_FMA64), 5000);
    profile_near(profile_metric(launches, 1, PS_M_OPS_TENSOR), 77);
    g_assert_cmpfloat(profile_metric(launches, 1, PS_M_TRAN_W), ==, 0);
    profile_near(profile_metric(profile, 0, PS_M_FP64), 12000.5 * 14 + 7004);
    profile_near(profile_metric(profile, 0, PS_M_OPS_TENSOR), 12000.5 * 1024 + 77);
    profile_near(profile_metric(profile, 0, PS_M_TRAN_R), 90000);
    g_assert_true(profile_warns(profile, "rates", "M_tran-w"));
    g_assert_true(profile_warns(profile, "rates", "M_ops-tensor"));
    g_assert_false(profile_warns(profile, "M_tran-r", ""));
}

#define FFMA "smsp__sass_thread_inst_executed_op_ffma_pred_on"
#define TENSOR16 "sm__ops_path_tensor_src_fp16"

/* A whole counts where none of its parts does; exact sums make all rates silent. */
static void test_rates_or_sums(void)
{
    g_autoptr(PsProfile) profile =
        profile_text(LONG ROW("0", "7", "f", FFMA ".sum.per_cycle_elapsed", "inst/cycle", "3")
                         ROW("0", "7", "f", "smsp__cycles_elapsed.avg", "cycle", "10")
                             ROW("0", "7", "f", FFMA ".sum", "inst", "31")
                                 ROW("0", "7", "f", TENSOR16 ".sum", "", "50")
                                     ROW("0", "7", "f", TENSOR16 "_dst_fp16.sum", "", "40")
                                         ROW("1", "7", "g", TENSOR16 ".sum", "", "50"),
                     NULL);
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_FMA32), ==, 31);
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_OPS_TENSOR), ==, 40);
    g_assert_cmpfloat(profile_metric(profile, 1, PS_M_OPS_TENSOR), ==, 50);
    g_assert_false(profile_warns(profile, "rate", ""));
    g_assert_false(profile_warns(profile, "the same launch", ""));
}

/* No cycles, no unit of a rate, not a number. */
static void test_rates_bad(void)
{
    g_autoptr(PsProfile) timeless =
        profile_text(LONG ROW("0", "7", "f", FFMA ".sum.per_cycle_elapsed", "inst/cycle", "3")
                         ROW("0", "7", "f", "smsp__cycles_elapsed.avg.per_second", "Ghz", "1"),
                     NULL);
    g_assert_true(isnan(profile_metric(timeless, 0, PS_M_FMA32)));
    g_assert_true(profile_warns(timeless, "rates without the cycles or the time of their launches",
                                "smsp__cycles_elapsed.avg,gpu__time_duration.sum"));
    g_autoptr(PsProfile) odd =
        profile_text(LONG ROW("0", "7", "f", "dram__bytes.sum.per_second", "mile", "3")
                         ROW("0", "7", "f", TIME, "ns", "3"),
                     NULL);
    g_assert_true(isnan(profile_metric(odd, 0, PS_M_TRAN_R)));
    g_assert_true(
        profile_warns(odd, "the rate in line 2, column 6 is of the unit 'mile'", "does not count"));
    profile_bad(LONG ROW("0", "7", "f", FFMA ".sum.per_cycle_elapsed", "inst/cycle", "x"),
                "F:2:98: Metric Value: 'x' is no number");
    profile_bad(LONG ROW("0", "7", "f", FFMA ".sum.per_cycle_elapsed", "inst/cycle", "-1"),
                "F:2:98: Metric Value: '-1' is negative, and no rate or number of cycles can be");
    profile_bad(LONG ROW("0", "7", "f", "dram__bytes.sum.per_second", "byte/s", "1e308")
                    ROW("0", "7", "f", TIME, "s", "1e300"),
                "F:2: M_tran-r of the kernel that begins here is too large for a number");
}

/* Products of tensor units with and without sparsity are two parts, as sums or as either rate. */
static void test_rates_sparsity(void)
{
#define PARTS(END, UNIT, OFF, ON)                                                                  \
    ROW("0", "7", "f", TENSOR16 "_dst_fp32_sparsity_off.sum" END, UNIT, OFF)                       \
    ROW("0", "7", "f", TENSOR16 "_dst_fp32_sparsity_on.sum" END, UNIT, ON)
    static const char *const parts[] = {PARTS("", "", "4000", "20"),
                                        PARTS(".per_cycle_elapsed", "1/cycle", "4", "0.02"),
                                        PARTS(".per_second", "1/second", "4e9", "2e7")};
    for (guint i = 0; i < G_N_ELEMENTS(parts); i++) {
        g_autofree char *text =
            g_strconcat(LONG ROW("0", "7", "f", TIME, "us", "1")
                            ROW("0", "7", "f", "sm__cycles_elapsed.avg", "cycle", "1000"),
                        parts[i], NULL);
        g_autoptr(PsProfile) profile = profile_text(text, NULL);
        profile_near(profile_metric(profile, 0, PS_M_OPS_TENSOR), 4020);
    }
}

/* The page of details has device memory's traffic as a rate, and under the same label its share of
 * the peak; cycles of a clock with its frequency are a time. */
static void test_rates_details(void)
{
    g_autoptr(PsProfile) profile =
        profile_text(LONG ROW("0", "7", "f", "Memory Throughput", "%", "81.5")
                         ROW("0", "7", "f", "Memory Throughput", "Gbyte/second", "500")
                             ROW("0", "7", "f", "Duration", "usecond", "2"),
                     NULL);
    profile_near(profile_metric(profile, 0, PS_M_TRAN_R), 1e6);
    g_assert_false(profile_warns(profile, "unit", ""));
    g_assert_true(profile_warns(profile, "from rates", "M_tran-r"));
    g_autoptr(PsProfile) clocked =
        profile_text(LONG ROW("0", "7", "f", "sm__cycles_elapsed.avg", "cycle", "3000")
                         ROW("0", "7", "f", "sm__cycles_elapsed.avg.per_second", "Ghz", "1.5"),
                     NULL);
    profile_near(profile_kernel(clocked, 0)->seconds, 2e-6);
    g_assert_true(profile_warns(clocked, "from rates", "M_seconds"));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/profile/rates/wide", test_rates_wide);
    g_test_add_func("/profile/rates/long", test_rates_long);
    g_test_add_func("/profile/rates/or-sums", test_rates_or_sums);
    g_test_add_func("/profile/rates/sparsity", test_rates_sparsity);
    g_test_add_func("/profile/rates/details", test_rates_details);
    g_test_add_func("/profile/rates/bad", test_rates_bad);
    return g_test_run();
}
