/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The parameters of a kernel (equations 2 to 9) against numbers worked out by hand, each type; what
 * users may state instead, and what they may not.
 */
#include "roofline/terms.h"
#include "tests/help/roofline.h"

/* ---- names --------------------------------------------------------------------------------- */

static void test_names(void)
{
    g_assert_cmpstr(ps_metric_name(PS_M_FMA32), ==, "M_fma32");
    g_assert_cmpstr(ps_metric_name(PS_M_TRAN_W), ==, "M_tran-w");
    for (guint i = 0; i < PS_N_METRICS; i++)
        g_assert_true(g_str_has_prefix(ps_metric_name((PsMetric)i), "M_"));
    for (int type = PS_K_FP64; type <= PS_K_TENSOR; type++)
        g_assert_cmpint(ps_k_type_of(ps_k_type_name((PsKType)type)), ==, type);
    g_assert_cmpint(ps_k_type_of("fp33"), ==, PS_K_UNKNOWN);
    g_assert_cmpint(ps_k_type_of(NULL), ==, PS_K_UNKNOWN);
    g_assert_null(ps_k_type_name(PS_K_UNKNOWN));
    g_assert_null(ps_bound_name(PS_BOUND_UNKNOWN));
    g_assert_cmpstr(ps_peak_kind_name(PS_B_LOCAL), ==, "B_local");
}

static void test_metrics_start_unknown(void)
{
    PsMetrics metrics;
    ps_metrics_init(&metrics);
    for (guint i = 0; i < PS_N_METRICS; i++)
        g_assert_true(isnan(metrics.value[i]));
}

/* ---- equations 2 to 9 ---------------------------------------------------------------------- */

static void test_parameters_fp32(void)
{
    const PsMetrics metrics = small_metrics();
    PsParams params;
    ps_params_from_metrics(&metrics, &params);
    g_assert_cmpint(params.K_type, ==, PS_K_FP32);
    assert_near(params.W_comp, 500);
    assert_near(params.W_traf, 160);
    assert_near(params.E_mix, 500.0 / 800);
    assert_near(params.D_ops, 0.4);
    assert_near(params.D_ldst, 0.2);
    assert_near(params.D_other, 0.4);
    assert_near(params.O_krn, 500.0 / 160);
    assert_near(params.traffic[PS_LEVEL_DEVICE], 160);
    assert_near(params.traffic[PS_LEVEL_L2], 640);
    assert_near(params.traffic[PS_LEVEL_L1], NAN);
    assert_near(params.ops_per_instruction, 2);
}

/* A kernel is about what it does most of, not about its one double-precision instruction. */
static void test_parameters_fp64(void)
{
    PsMetrics metrics = small_metrics();
    metrics.value[PS_M_FP64] = 10;
    metrics.value[PS_M_FMA64] = 10;
    PsParams params;
    ps_params_from_metrics(&metrics, &params);
    g_assert_cmpint(params.K_type, ==, PS_K_FP32);
    assert_near(params.W_comp, 500);
    metrics.value[PS_M_FP32] = 12;
    metrics.value[PS_M_FMA32] = 8;
    ps_params_from_metrics(&metrics, &params);
    g_assert_cmpint(params.K_type, ==, PS_K_FP64); /* as many: the wider one */
    assert_near(params.W_comp, 20);
    assert_near(params.E_mix, 1);
    assert_near(params.D_ops, 0.01);
    assert_near(params.D_other, 0.79);
}

/* nvprof's flop_count_sp alone says how many operations there are, and nothing of their mix. */
static void test_parameters_operations(void)
{
    PsMetrics metrics;
    PsParams params;
    ps_metrics_init(&metrics);
    metrics.value[PS_M_OPS32] = 600;
    metrics.value[PS_M_OPS64] = 0;
    ps_params_from_metrics(&metrics, &params);
    g_assert_cmpint(params.K_type, ==, PS_K_FP32);
    assert_near(params.W_comp, 600);
    assert_near(params.E_mix, NAN);
    metrics.value[PS_M_FP32] = 400; /* instructions come before them, and with multiply-adds */
    metrics.value[PS_M_FMA32] = 300;
    ps_params_from_metrics(&metrics, &params);
    assert_near(params.W_comp, 700);
    assert_near(params.instructions, 400);
}

static void test_parameters_int(void)
{
    PsMetrics metrics = small_metrics();
    metrics.value[PS_M_FP32] = metrics.value[PS_M_FMA32] = 0;
    PsParams params;
    ps_params_from_metrics(&metrics, &params);
    g_assert_cmpint(params.K_type, ==, PS_K_INT);
    assert_near(params.W_comp, 300);
    assert_near(params.E_mix, 0.5);
    assert_near(params.D_ops, 0.3);
}

/* Beyond the paper: what does more operations than the type of the rule. */
static void test_parameters_beyond(void)
{
    PsMetrics metrics = small_metrics();
    metrics.value[PS_M_FP16] = 250;
    metrics.value[PS_M_OPS16] = 500;
    PsParams params;
    ps_params_from_metrics(&metrics, &params);
    g_assert_cmpint(params.K_type, ==, PS_K_FP32); /* as many, not more */
    metrics.value[PS_M_OPS16] = 600;
    ps_params_from_metrics(&metrics, &params);
    g_assert_cmpint(params.K_type, ==, PS_K_FP16);
    assert_near(params.W_comp, 600);
    assert_near(params.E_mix, 600.0 / (4 * 250));
    assert_near(params.D_ops, 0.25);
    assert_near(params.ops_per_instruction, 4);
    metrics.value[PS_M_TENSOR] = 20;
    metrics.value[PS_M_OPS_TENSOR] = 2560;
    ps_params_from_metrics(&metrics, &params);
    g_assert_cmpint(params.K_type, ==, PS_K_TENSOR);
    assert_near(params.W_comp, 2560);
    assert_near(params.ops_per_instruction, 128);
    assert_near(params.E_mix, 1);
    assert_near(params.D_ops, 0.02);
}

/* A type is not guessed: "int otherwise" needs to know that there is nothing else. */
static void test_parameters_unknown(void)
{
    PsMetrics metrics;
    PsParams params;
    ps_metrics_init(&metrics);
    metrics.value[PS_M_TRAN_R] = 1000;
    metrics.value[PS_M_TRAN_W] = 500;
    metrics.value[PS_M_INT] = 77;
    ps_params_from_metrics(&metrics, &params);
    g_assert_cmpint(params.K_type, ==, PS_K_UNKNOWN);
    assert_near(params.W_comp, NAN);
    assert_near(params.W_traf, 1500);
    assert_near(params.E_mix, NAN);
    assert_near(params.D_ops, NAN);
    assert_near(params.O_krn, NAN);
    metrics.value[PS_M_FP32] = metrics.value[PS_M_FP64] = 0;
    ps_params_from_metrics(&metrics, &params);
    g_assert_cmpint(params.K_type, ==, PS_K_INT);
    assert_near(params.W_comp, 77);
    assert_near(params.D_ops, NAN); /* M_inst is not known */
    /* A part of the traffic alone is no traffic. */
    metrics.value[PS_M_TRAN_W] = NAN;
    ps_params_from_metrics(&metrics, &params);
    assert_near(params.W_traf, NAN);
}

static void test_parameters_zero(void)
{
    PsMetrics metrics = small_metrics();
    PsParams params;
    metrics.value[PS_M_TRAN_R] = metrics.value[PS_M_TRAN_W] = 0;
    ps_params_from_metrics(&metrics, &params);
    assert_near(params.O_krn, INFINITY);
    metrics = zero_metrics();
    ps_params_from_metrics(&metrics, &params);
    assert_near(params.W_comp, 0);
    assert_near(params.O_krn, NAN);
    assert_near(params.D_ops, NAN);
    metrics.value[PS_M_TRAN_R] = 64;
    ps_params_from_metrics(&metrics, &params);
    assert_near(params.O_krn, 0);
}

/* ---- parameters from elsewhere ------------------------------------------------------------- */

static void test_complete(void)
{
    const PsParams params = stated(PS_K_FP32, 1000, 50);
    assert_near(params.D_other, 0.2);
    assert_near(params.O_krn, 20);
    assert_near(params.traffic[PS_LEVEL_DEVICE], 50);
    assert_near(params.ops_per_instruction, 2);
    assert_near(stated(PS_K_FP16, 1, 1).ops_per_instruction, 4);
    assert_near(stated(PS_K_TENSOR, 1, 1).ops_per_instruction, NAN);
    assert_near(stated(PS_K_FP32, 1, 0).O_krn, INFINITY);
    assert_near(stated(PS_K_FP32, 0, 0).O_krn, NAN);
    /* Percentages rounded to whole ones may miss a sum of 1 by one. */
    g_autoptr(GError) error = NULL;
    PsParams rounded = params;
    rounded.D_ops = 0.35, rounded.D_ldst = 0.48, rounded.D_other = 0.18;
    g_assert_true(ps_params_complete(&rounded, &error));
    g_assert_no_error(error);
    assert_near(rounded.D_other, 0.18);
    /* The intensity alone tells the traffic. */
    PsParams intense = unknown_params();
    intense.W_comp = 100;
    intense.O_krn = 4;
    g_assert_true(ps_params_complete(&intense, &error));
    assert_near(intense.W_traf, 25);
}

static void assert_refused(PsParams params, const char *message)
{
    g_autoptr(GError) error = NULL;
    g_assert_false(ps_params_complete(&params, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_VALUE);
    g_assert_cmpstr(error ? error->message : NULL, ==, message);
}

static void test_complete_wrong(void)
{
    const PsParams good = stated(PS_K_FP32, 1000, 50);
    PsParams bad = good;
    bad.W_comp = -1;
    assert_refused(bad, "W_comp is -1; it must be 0 or more, and finite");
    bad = good;
    bad.W_traf = INFINITY;
    assert_refused(bad, "W_traf is inf; it must be 0 or more, and finite");
    bad = good;
    bad.E_mix = 58;
    assert_refused(bad, "E_mix is 58; it must be a fraction from 0 to 1");
    bad = good;
    bad.D_ops = -0.1;
    bad.D_other = NAN;
    assert_refused(bad, "D_ops is -0.1; it must be a fraction from 0 to 1");
    bad = good;
    bad.D_ops = 0.8;
    bad.D_other = NAN;
    assert_refused(bad, "the sum of D_ops and D_ldst is 1.1; it must be at most 1");
    bad = good;
    bad.D_other = 0.5;
    assert_refused(bad, "the sum of D_ops, D_ldst and D_other is 1.3; it must be 1 (D_other may be "
                        "left out)");
    bad = good;
    bad.E_mix = 0;
    assert_refused(bad, "E_mix is 0; it must be above 0, since W_comp is");
    bad = good;
    bad.D_ops = 0;
    bad.D_other = NAN;
    assert_refused(bad, "D_ops is 0; it must be above 0, since W_comp is");
    bad = good;
    bad.O_krn = -2;
    assert_refused(bad, "O_krn is -2; it must be 0 or more");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/roofline/names", test_names);
    g_test_add_func("/roofline/metrics/unknown", test_metrics_start_unknown);
    g_test_add_func("/roofline/parameters/fp32", test_parameters_fp32);
    g_test_add_func("/roofline/parameters/fp64", test_parameters_fp64);
    g_test_add_func("/roofline/parameters/operations", test_parameters_operations);
    g_test_add_func("/roofline/parameters/int", test_parameters_int);
    g_test_add_func("/roofline/parameters/beyond", test_parameters_beyond);
    g_test_add_func("/roofline/parameters/unknown", test_parameters_unknown);
    g_test_add_func("/roofline/parameters/zero", test_parameters_zero);
    g_test_add_func("/roofline/complete/right", test_complete);
    g_test_add_func("/roofline/complete/wrong", test_complete_wrong);
    return g_test_run();
}
