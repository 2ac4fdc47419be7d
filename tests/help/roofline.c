/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Help for tests of the roofline: see roofline.h.
 */
#include "tests/help/roofline.h"

void assert_near(double got, double expected)
{
    if (isnan(expected))
        g_assert_true(isnan(got));
    else if (isinf(expected) || expected == 0)
        g_assert_cmpfloat(got, ==, expected);
    else
        g_assert_cmpfloat_with_epsilon(got / expected, 1, 1e-9);
}

void assert_within(double got, double low, double high)
{
    g_assert_cmpfloat(got, >=, low);
    g_assert_cmpfloat(got, <=, high);
}

PsGpu *roofline_gpu(const char *path)
{
    g_autoptr(GError) error = NULL;
    PsGpu *gpu = ps_gpu_load(path, &error);
    g_assert_no_error(error);
    return gpu;
}

PsPeaks peaks_of(const PsGpu *gpu)
{
    PsPeaks peaks;
    ps_peaks_resolve(gpu, gpu->clock, &peaks);
    return peaks;
}

PsPeaks round_peaks(void)
{
    PsPeaks peaks;
    for (guint i = 0; i < PS_N_PEAKS; i++) {
        peaks.value[i] = NAN;
        peaks.origin[i] = PS_PEAK_UNKNOWN;
    }
    peaks.value[PS_T_SP] = 100 * GIGA;
    peaks.value[PS_T_DP] = 50 * GIGA;
    peaks.value[PS_T_HP] = 200 * GIGA;
    peaks.value[PS_T_TENSOR] = 1000 * GIGA;
    peaks.value[PS_T_INT] = 40 * GIGA;
    peaks.value[PS_T_ADD] = 50 * GIGA;
    peaks.value[PS_T_LDST] = 25 * GIGA;
    peaks.value[PS_B_MEM] = 10 * GIGA;
    return peaks;
}

PsPrediction predict(const PsParams *params, const PsPeaks *peaks)
{
    g_autoptr(PsGpu) gpu = ps_gpu_new("Round");
    g_autoptr(GError) error = NULL;
    PsPrediction prediction = {0};
    g_assert_true(ps_predict(params, peaks, gpu, &prediction, &error));
    g_assert_no_error(error);
    return prediction;
}

PsPrediction predict_round(const PsParams *params)
{
    const PsPeaks peaks = round_peaks();
    return predict(params, &peaks);
}

void assert_bound(const PsPrediction *prediction, const char *name)
{
    g_assert_cmpstr(ps_bound_name(prediction->bound), ==, name);
}

PsMetrics zero_metrics(void)
{
    PsMetrics metrics;
    ps_metrics_init(&metrics);
    for (guint i = 0; i < PS_N_METRICS; i++)
        if (i < PS_M_L1)
            metrics.value[i] = 0;
    return metrics;
}

PsParams unknown_params(void)
{
    return (PsParams){
        PS_K_UNKNOWN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, {NAN, NAN, NAN, NAN, NAN, NAN},
        NAN,          NAN, 0,   0};
}

PsParams stated(PsKType type, double W_comp, double W_traf)
{
    g_autoptr(GError) error = NULL;
    PsParams params = unknown_params();
    params.K_type = type;
    params.W_comp = W_comp;
    params.W_traf = W_traf;
    params.E_mix = 0.75;
    params.D_ops = 0.5;
    params.D_ldst = 0.3;
    g_assert_true(ps_params_complete(&params, &error));
    g_assert_no_error(error);
    return params;
}

PsMetrics small_metrics(void)
{
    PsMetrics metrics = zero_metrics();
    metrics.value[PS_M_FP32] = 400;
    metrics.value[PS_M_FMA32] = 100;
    metrics.value[PS_M_INT] = 300;
    metrics.value[PS_M_LDST] = 200;
    metrics.value[PS_M_INST] = 1000;
    metrics.value[PS_M_TRAN_R] = 32 * 3;
    metrics.value[PS_M_TRAN_W] = 32 * 2;
    metrics.value[PS_M_L2] = 640;
    return metrics;
}
