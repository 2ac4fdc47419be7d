/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Predictions (equations 10 to 19) against numbers worked out by hand, and what is unknown, zero or
 * wrong.
 */
#include "roofline/terms.h"
#include "tests/help/roofline.h"
#include <string.h>

/* D_ops 0.5, D_ldst 0.3, D_other 0.2; the reference is 50 G instructions per second. */
static void test_predict_fp32(void)
{
    const PsParams params = stated(PS_K_FP32, 1000, 50); /* O_krn 20 */
    const PsPrediction p = predict_round(&params);
    assert_near(p.T_op, 100 * GIGA);
    assert_near(p.W_op, 1);
    assert_near(p.W_ldst, 2);
    assert_near(p.W_other, 1);
    assert_near(p.C_op, 0.5);
    assert_near(p.C_ldst, 0.6);
    assert_near(p.C_other, 0.2);
    assert_near(p.E_instr, 0.5 / 1.3);
    const double adjusted = 0.75 * 0.5 / 1.3 * 100 * GIGA; /* 28.8 G */
    assert_near(p.T_adjusted, adjusted);
    assert_near(p.O_dev, adjusted / (10 * GIGA));
    assert_near(p.T_predicted, adjusted);
    assert_bound(&p, "compute");
    assert_near(p.seconds, 1000 / adjusted);
    assert_near(p.compute_seconds, 1000 / adjusted);
    assert_near(p.memory_seconds, 50 / (10 * GIGA));
    assert_near(p.ceiling, 75 * GIGA);
    assert_near(p.ceiling_seconds, 1000 / (75 * GIGA));
    assert_near(p.attainable, 100 * GIGA);
}

/* All instructions take their turn: how many of them are multiply-adds says nothing of the time. */
static void test_predict_no_mix(void)
{
    PsMetrics metrics = small_metrics();
    PsParams params;
    metrics.value[PS_M_TRAN_R] = 8;
    metrics.value[PS_M_TRAN_W] = 0;
    ps_params_from_metrics(&metrics, &params);
    const PsPrediction with = predict_round(&params);
    metrics.value[PS_M_FMA32] = NAN;
    ps_params_from_metrics(&metrics, &params);
    const PsPrediction p = predict_round(&params);
    assert_bound(&p, "compute");
    assert_near(p.compute_seconds, with.compute_seconds);
    assert_near(p.seconds, with.seconds);
    assert_near(p.T_predicted, NAN);
    assert_near(p.ceiling, NAN);
    assert_near(p.ceiling_seconds, with.ceiling_seconds);
    params.W_traf = 320;
    const PsPrediction q = predict_round(&params);
    assert_bound(&q, "memory");
    assert_near(q.seconds, 32e-9);
}

static void test_predict_memory(void)
{
    const PsParams params = stated(PS_K_FP32, 1000, 500); /* O_krn 2, below O_dev 2.88 */
    const PsPrediction p = predict_round(&params);
    assert_bound(&p, "memory");
    assert_near(p.T_predicted, 20 * GIGA);
    assert_near(p.seconds, 500 / (10 * GIGA));
    assert_near(p.ceiling, 20 * GIGA);
    assert_near(p.attainable, 20 * GIGA);
    assert_near(p.ceiling_seconds, p.seconds);
    /* Where the two intensities are equal, equation 19 takes memory. */
    PsParams equal = stated(PS_K_FP32, 1000, 100);
    equal.E_mix = equal.D_ops = 1;
    equal.D_ldst = equal.D_other = 0;
    const PsPrediction q = predict_round(&equal);
    g_assert_cmpfloat(equal.O_krn, ==, q.O_dev);
    assert_bound(&q, "memory");
}

/* W_op = T_SP / T_op for the paper's types; beyond, an instruction of p operations. */
static void test_predict_types(void)
{
    static const struct {
        PsKType type;
        double T_op, W_op;
    } expected[] = {{PS_K_FP64, 50, 2}, {PS_K_INT, 40, 2.5}, {PS_K_FP16, 200, 1}};
    for (guint i = 0; i < G_N_ELEMENTS(expected); i++) {
        const PsParams params = stated(expected[i].type, 1000, 1);
        const PsPrediction p = predict_round(&params);
        const double C_op = 0.5 * expected[i].W_op;
        assert_near(p.T_op, expected[i].T_op * GIGA);
        assert_near(p.W_op, expected[i].W_op);
        assert_near(p.E_instr, C_op / (C_op + 0.8));
        assert_near(p.T_adjusted, 0.75 * C_op / (C_op + 0.8) * expected[i].T_op * GIGA);
    }
    PsParams tensor = stated(PS_K_TENSOR, 1000, 1);
    tensor.ops_per_instruction = 128; /* 1000 / 128 G per second */
    assert_near(predict_round(&tensor).W_op, 50 / (1000.0 / 128));
}

/* Integer operations may be additions, which may have a pipeline of their own: the ceiling allows
 * for both, equation 18 does not. */
static void test_predict_integers(void)
{
    PsParams params = stated(PS_K_INT, 1000, 1);
    params.E_mix = 0.5;
    const PsPrediction p = predict_round(&params);
    assert_near(p.T_adjusted, 0.5 * p.E_instr * 40 * GIGA);
    assert_near(p.ceiling, 70 * GIGA);
    assert_near(p.attainable, 50 * GIGA);
    PsPeaks slow = round_peaks();
    slow.value[PS_T_ADD] = 10 * GIGA;
    assert_near(predict(&params, &slow).ceiling, 30 * GIGA);
}

static void test_predict_zero(void)
{
    PsParams params = stated(PS_K_FP32, 1000, 0);
    PsPrediction p = predict_round(&params);
    assert_bound(&p, "compute");
    assert_near(p.seconds, p.compute_seconds);
    assert_near(p.memory_seconds, 0);
    assert_near(p.ceiling, 75 * GIGA);
    assert_near(p.attainable, 100 * GIGA);
    params = stated(PS_K_FP32, 0, 500);
    p = predict_round(&params);
    assert_bound(&p, "memory");
    assert_near(p.seconds, 500 / (10 * GIGA));
    assert_near(p.T_predicted, 0);
    assert_near(p.compute_seconds, 0);
    assert_near(p.ceiling_seconds, p.seconds);
    params = stated(PS_K_FP32, 0, 0);
    p = predict_round(&params);
    assert_bound(&p, NULL);
    assert_near(p.seconds, NAN);
    assert_near(p.T_predicted, NAN);
    assert_near(p.ceiling_seconds, NAN);
}

/* No traffic, so no bandwidth; no work, so no throughput: such peaks may be absent. */
static void test_predict_zero_needs_nothing(void)
{
    PsPeaks peaks = round_peaks();
    peaks.value[PS_B_MEM] = NAN;
    PsParams params = stated(PS_K_FP32, 1000, 0);
    PsPrediction p = predict(&params, &peaks);
    assert_bound(&p, "compute");
    assert_near(p.ceiling, 75 * GIGA);
    peaks = round_peaks();
    for (guint i = 0; i < PS_N_PEAKS; i++)
        if (i != PS_B_MEM)
            peaks.value[i] = NAN;
    params = stated(PS_K_FP32, 0, 500);
    p = predict(&params, &peaks);
    assert_bound(&p, "memory");
    assert_near(p.seconds, 500 / (10 * GIGA));
    /* No loads and stores, no others: neither T_ldst nor T_add. */
    peaks.value[PS_T_SP] = 100 * GIGA;
    params = stated(PS_K_FP32, 1000, 1);
    params.D_ops = 1;
    params.D_ldst = params.D_other = 0;
    p = predict(&params, &peaks);
    assert_near(p.E_instr, 1);
    assert_near(p.T_adjusted, 75 * GIGA);
}

static void test_predict_unknown(void)
{
    /* Bytes alone. */
    PsParams params = unknown_params();
    params.W_traf = params.traffic[PS_LEVEL_DEVICE] = 500;
    PsPrediction p = predict_round(&params);
    assert_bound(&p, "memory (compute unknown)");
    assert_near(p.seconds, 500 / (10 * GIGA));
    assert_near(p.T_predicted, NAN);
    assert_near(p.T_op, NAN);
    assert_near(p.compute_seconds, NAN);
    assert_near(p.ceiling_seconds, p.seconds);
    /* Work alone. */
    params = stated(PS_K_FP32, 1000, NAN);
    p = predict_round(&params);
    assert_bound(&p, "compute (memory unknown)");
    assert_near(p.seconds, p.compute_seconds);
    assert_near(p.memory_seconds, NAN);
    assert_near(p.ceiling, 75 * GIGA);
    /* Bytes and operations, but not the other instructions: the ceiling is known. */
    params = stated(PS_K_FP32, 1000, 50);
    params.D_ldst = params.D_other = NAN;
    p = predict_round(&params);
    assert_bound(&p, "compute (instructions unknown)");
    assert_near(p.E_instr, NAN);
    assert_near(p.ceiling, 75 * GIGA);
    assert_near(p.ceiling_seconds, 1000 / (75 * GIGA));
    assert_near(p.seconds, p.ceiling_seconds);
    assert_near(p.T_predicted, p.ceiling);
    assert_near(p.compute_seconds, NAN);
    /* Not even the mix: no more than the peak. */
    params.E_mix = NAN;
    p = predict_round(&params);
    assert_bound(&p, "compute (instructions unknown)");
    assert_near(p.seconds, 1000 / (100 * GIGA));
    /* Without traffic, compute is the bound, whatever else is known. */
    params.E_mix = 0.75;
    params.W_traf = 0;
    params.O_krn = INFINITY;
    p = predict_round(&params);
    assert_bound(&p, "compute (instructions unknown)");
    assert_near(p.seconds, 1000 / (75 * GIGA));
    /* Bytes that take longer than the ceiling: which it is cannot be told. */
    params = stated(PS_K_FP32, 1000, 500);
    params.D_ldst = params.D_other = NAN;
    p = predict_round(&params);
    assert_bound(&p, "memory (compute unknown)");
    assert_near(p.seconds, 500 / (10 * GIGA));
    /* Nothing at all, and what says nothing. */
    params = unknown_params();
    p = predict_round(&params);
    assert_bound(&p, NULL);
    assert_near(p.seconds, NAN);
    /* No traffic bounds nothing, so something else does. */
    params.W_traf = 0;
    p = predict_round(&params);
    assert_bound(&p, "compute (instructions unknown)");
    assert_near(p.seconds, NAN);
    assert_near(p.ceiling_seconds, NAN);
    assert_near(p.T_predicted, NAN);
}

static void assert_needs(PsKType type, PsPeakKind lacking, const char *message)
{
    g_autoptr(PsGpu) gpu = ps_gpu_new("Round");
    g_autoptr(GError) error = NULL;
    gpu->path = g_strdup("round.xml");
    PsPeaks peaks = round_peaks();
    PsPrediction prediction;
    const PsParams params = stated(type, 1000, 50);
    peaks.value[lacking] = NAN;
    g_assert_false(ps_predict(&params, &peaks, gpu, &prediction, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_VALUE);
    g_assert_cmpstr(error ? error->message : NULL, ==, message);
}

static void test_predict_missing(void)
{
    assert_needs(PS_K_FP64, PS_T_DP,
                 "round.xml: the GPU 'Round' has no peak T_DP, which this kernel needs for "
                 "double-precision operations (K_type fp64); state it with <peak name=\"T_DP\" "
                 "value=\"...\"/>, in 10^9 operations per second, or describe the class 'dfma', "
                 "from whose issue latency it follows");
    assert_needs(PS_K_TENSOR, PS_T_TENSOR,
                 "round.xml: the GPU 'Round' has no peak T_tensor, which this kernel needs for "
                 "tensor-core operations (K_type tensor); state it with <peak name=\"T_tensor\" "
                 "value=\"...\"/>, in 10^9 operations per second");
    assert_needs(PS_K_FP32, PS_B_MEM,
                 "round.xml: the GPU 'Round' has no peak B_mem, which this kernel needs for its "
                 "traffic to device memory (W_traf); state it with <peak name=\"B_mem\" "
                 "value=\"...\"/>, in 10^9 bytes per second, or describe the class 'memory', from "
                 "whose issue latency it follows");
    assert_needs(PS_K_FP32, PS_T_ADD,
                 "round.xml: the GPU 'Round' has no peak T_add, which this kernel needs for its "
                 "other instructions (D_other); state it with <peak name=\"T_add\" "
                 "value=\"...\"/>, in 10^9 operations per second, or describe the class 'iadd', "
                 "from whose issue latency it follows");
    assert_needs(PS_K_FP32, PS_T_LDST,
                 "round.xml: the GPU 'Round' has no peak T_ldst, which this kernel needs for its "
                 "loads and stores (D_ldst); state it with <peak name=\"T_ldst\" "
                 "value=\"...\"/>, in 10^9 operations per second, or describe the class "
                 "'local.load', from whose issue latency it follows");
}

/* A profile that counts more multiply-adds than instructions contradicts itself. */
static void test_predict_contradiction(void)
{
    PsMetrics metrics = small_metrics();
    metrics.value[PS_M_FMA32] = 500;
    PsParams params;
    ps_params_from_metrics(&metrics, &params);
    g_autoptr(PsGpu) gpu = ps_gpu_new("Round");
    g_autoptr(GError) error = NULL;
    const PsPeaks peaks = round_peaks();
    PsPrediction prediction;
    g_assert_false(ps_predict(&params, &peaks, gpu, &prediction, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_VALUE);
    g_assert_true(error && strstr(error->message, "E_mix is 1.125"));
}

/* Numbers near the end of what a double holds. */
static void test_predict_large(void)
{
    const PsParams params = stated(PS_K_FP32, 1e300, 1e290);
    const PsPrediction p = predict_round(&params);
    assert_bound(&p, "compute");
    g_assert_true(isfinite(p.seconds));
    const PsParams small = stated(PS_K_FP32, 1, 1e300);
    const PsPrediction q = predict_round(&small);
    assert_bound(&q, "memory");
    assert_near(q.seconds, 1e290);
}

static void test_error(void)
{
    PsPrediction p = {.seconds = 3};
    assert_near(ps_prediction_error(&p, 2), 0.5);
    assert_near(ps_prediction_error(&p, 4), -0.25);
    assert_near(ps_prediction_error(&p, 0), NAN);
    assert_near(ps_prediction_error(&p, NAN), NAN);
    p.seconds = NAN;
    assert_near(ps_prediction_error(&p, 2), NAN);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/roofline/predict/fp32", test_predict_fp32);
    g_test_add_func("/roofline/predict/no-mix", test_predict_no_mix);
    g_test_add_func("/roofline/predict/memory", test_predict_memory);
    g_test_add_func("/roofline/predict/types", test_predict_types);
    g_test_add_func("/roofline/predict/integers", test_predict_integers);
    g_test_add_func("/roofline/predict/zero", test_predict_zero);
    g_test_add_func("/roofline/predict/zero-needs-nothing", test_predict_zero_needs_nothing);
    g_test_add_func("/roofline/predict/unknown", test_predict_unknown);
    g_test_add_func("/roofline/predict/missing", test_predict_missing);
    g_test_add_func("/roofline/predict/contradiction", test_predict_contradiction);
    g_test_add_func("/roofline/predict/large", test_predict_large);
    g_test_add_func("/roofline/predict/error", test_error);
    return g_test_run();
}
