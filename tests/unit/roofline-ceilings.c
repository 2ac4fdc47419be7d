/* SPDX-License-Identifier: BSD-3-Clause */
/* Ceilings of units and levels against numbers worked out by hand. */
#include "roofline/ceilings.h"
#include "roofline/terms.h"
#include "tests/help/roofline.h"
#include <math.h>
#include <string.h>

/* 2 CUs at 1 GHz with 4 schedulers, which issue 4 * 2 * 32 = 256 G instructions of threads per
 * second; a special function takes 8 cycles of the CU. */
static PsGpu *toy(const char *vendor)
{
    g_autofree char *text = g_strdup_printf(
        "<gpu xmlns='urn:pipesim:gpu:1' version='1' name='Toy' vendor='%s'>"
        "<chip compute-units='2' clock='1000' warp-size='32' schedulers='4' issue-width='1'/>"
        "<pipeline name='a'/><class name='rcp' pipeline='a' issue='8' completion='9'/></gpu>",
        vendor);
    g_autoptr(GError) error = NULL;
    PsGpu *gpu = ps_gpu_parse(text, strlen(text), "toy.xml", &error);
    g_assert_no_error(error);
    return gpu;
}

static PsCeilings find(const PsMetrics *metrics, const char *vendor)
{
    g_autoptr(PsGpu) gpu = toy(vendor);
    PsPeaks peaks = round_peaks();
    peaks.value[PS_B_L2] = 40 * GIGA;
    PsParams params;
    PsCeilings ceilings;
    ps_params_from_metrics(metrics, &params);
    ps_ceilings_find(metrics, &params, &peaks, gpu, gpu->clock, &ceilings);
    return ceilings;
}

static void assert_ceiling(const PsCeilings *ceilings, PsCeilingKind kind, double work, double peak,
                           double seconds)
{
    assert_near(ceilings->of[kind].work, work);
    assert_near(ceilings->of[kind].peak, peak);
    assert_near(ceilings->of[kind].seconds, seconds);
}

/* 300 of the 400 instructions of single precision may be minima, of which the other pipeline does
 * 50 G per second. */
static void test_units(void)
{
    PsMetrics metrics = small_metrics();
    metrics.value[PS_M_FMA_PIPE] = NAN;
    metrics.value[PS_M_SPECIAL] = 80;
    metrics.value[PS_M_LOCAL] = 800;
    metrics.value[PS_M_FP64] = 10;
    metrics.value[PS_M_FMA64] = 5;
    const PsCeilings c = find(&metrics, "NVIDIA");
    assert_ceiling(&c, PS_CEILING_FP64, 15, 50 * GIGA, 2 * 10 / (50 * GIGA));
    assert_ceiling(&c, PS_CEILING_FP32, 500, 100 * GIGA, 400 / (100 * GIGA));
    assert_ceiling(&c, PS_CEILING_INT, 300, 70 * GIGA, 300 / (70 * GIGA));
    assert_ceiling(&c, PS_CEILING_SPECIAL, 80, 8 * GIGA, 10e-9);
    assert_ceiling(&c, PS_CEILING_LDST, 200, 25 * GIGA, 8e-9);
    assert_ceiling(&c, PS_CEILING_ISSUE, 1000, 256 * GIGA, 1000 / (256 * GIGA));
    assert_ceiling(&c, PS_CEILING_LOCAL, 800, 100 * GIGA, 8e-9);
    assert_ceiling(&c, PS_CEILING_L1, NAN, NAN, NAN);
    assert_ceiling(&c, PS_CEILING_L2, 640, 40 * GIGA, 16e-9);
    assert_ceiling(&c, PS_CEILING_DEVICE, 160, 10 * GIGA, 16e-9);
    g_assert_cmpint(c.highest, ==, PS_CEILING_L2); /* of two that are equal the first */
    assert_near(c.seconds, 16e-9);
    const PsCeilings amd = find(&metrics, "AMD");
    assert_ceiling(&amd, PS_CEILING_ISSUE, 1000, NAN, NAN);
}

/* What is in the pipeline of multiply-adds is counted, or at least the multiply-adds are. */
static void test_single_precision(void)
{
    PsMetrics metrics = small_metrics();
    metrics.value[PS_M_FMA_PIPE] = 350;
    const PsCeilings counted = find(&metrics, "NVIDIA");
    assert_near(counted.of[PS_CEILING_FP32].seconds, 350 / (50 * GIGA));
    metrics.value[PS_M_FMA_PIPE] = NAN;
    metrics.value[PS_M_FMA32] = 300;
    const PsCeilings fused = find(&metrics, "NVIDIA");
    assert_near(fused.of[PS_CEILING_FP32].seconds, 300 / (50 * GIGA));
    metrics.value[PS_M_FP32] = metrics.value[PS_M_FMA32] = NAN;
    metrics.value[PS_M_OPS32] = 900;
    const PsCeilings operations = find(&metrics, "NVIDIA");
    assert_ceiling(&operations, PS_CEILING_FP32, 900, 100 * GIGA, 9e-9);
}

/* On AMD's GPUs loads and stores of local memory and of L1 pass each other by. */
static void test_loads_of_amd(void)
{
    PsMetrics metrics = small_metrics();
    g_autoptr(PsGpu) gpu = toy("AMD");
    PsPeaks peaks = round_peaks();
    PsParams params;
    PsCeilings c;
    peaks.value[PS_B_L1] = 60 * GIGA;
    ps_params_from_metrics(&metrics, &params);
    ps_ceilings_find(&metrics, &params, &peaks, gpu, gpu->clock, &c);
    assert_ceiling(&c, PS_CEILING_LDST, 200, 40 * GIGA, 5e-9);
}

/* What is counted behind L2 goes to L3 where there is one, and device memory may have had less of
 * it; a graph tells both. */
static void test_further_levels(void)
{
    static const char text[] =
        "<gpu xmlns='urn:pipesim:gpu:1' version='1' name='Toy'>"
        "<chip compute-units='2' clock='1000' warp-size='32'/><pipeline name='a'/>"
        "<memory pipeline='a'><level name='l2' bytes='4096' bandwidth='70' latency='200'/>"
        "<level name='l3' bytes='8192' bandwidth='60' latency='300'/>"
        "<level name='device' bandwidth='50' latency='400'/></memory></gpu>";
    g_autoptr(PsGpu) with = ps_gpu_parse(text, strlen(text), "toy.xml", NULL);
    g_autoptr(PsGpu) without = toy("NVIDIA");
    PsMetrics metrics = small_metrics();
    PsPeaks peaks = round_peaks();
    PsParams params;
    PsCeilings c;
    peaks.value[PS_B_L3] = 20 * GIGA;
    peaks.value[PS_B_L4] = 16 * GIGA;
    metrics.value[PS_M_L3] = metrics.value[PS_M_L4] = NAN;
    metrics.value[PS_M_BEHIND_L2] = 160;
    ps_params_from_metrics(&metrics, &params);
    ps_ceilings_find(&metrics, &params, &peaks, without, without->clock, &c);
    assert_ceiling(&c, PS_CEILING_DEVICE, 160, 10 * GIGA, 16e-9);
    assert_ceiling(&c, PS_CEILING_L3, NAN, 20 * GIGA, NAN);
    ps_ceilings_find(&metrics, &params, &peaks, with, with->clock, &c);
    assert_ceiling(&c, PS_CEILING_L3, 160, 20 * GIGA, 8e-9);
    assert_ceiling(&c, PS_CEILING_DEVICE, NAN, 10 * GIGA, NAN);
    metrics.value[PS_M_L3] = 240;
    metrics.value[PS_M_L4] = 200;
    ps_ceilings_find(&metrics, &params, &peaks, with, with->clock, &c);
    assert_ceiling(&c, PS_CEILING_L3, 240, 20 * GIGA, 12e-9);
    assert_ceiling(&c, PS_CEILING_L4, 200, 16 * GIGA, 12.5e-9);
    assert_ceiling(&c, PS_CEILING_DEVICE, 160, 10 * GIGA, 16e-9);
}

/* Caches that all CUs share may keep what a graph stores, but no more than they hold; nothing of
 * what it loads, nor of what a profiler counted. */
static void test_kept(void)
{
    static const char text[] =
        "<gpu xmlns='urn:pipesim:gpu:1' version='1' name='Toy'>"
        "<chip compute-units='2' clock='1000' warp-size='32'/><pipeline name='a'/>"
        "<memory pipeline='a'><level name='l1' bytes='128' port='32' latency='20'/>"
        "<level name='l2' bytes='256' bandwidth='70' latency='200'/>"
        "<level name='device' bandwidth='50' latency='400'/></memory></gpu>";
    static const struct {
        double stored, least;
    } cases[] = {{0, 1600}, {200, 1400}, {256, 1344}, {640, 1344}};
    g_autoptr(GError) error = NULL;
    g_autoptr(PsGpu) gpu = ps_gpu_parse(text, strlen(text), "toy.xml", &error);
    g_assert_no_error(error);
    const PsPeaks peaks = round_peaks();
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        PsMetrics metrics = small_metrics();
        PsParams params;
        PsPrediction prediction;
        PsCeilings c;
        metrics.value[PS_M_TRAN_R] = 960;
        metrics.value[PS_M_TRAN_W] = 640;
        metrics.stored = cases[i].stored;
        ps_params_from_metrics(&metrics, &params);
        assert_near(ps_traffic_least(&params, gpu), cases[i].least);
        ps_ceilings_find(&metrics, &params, &peaks, gpu, gpu->clock, &c);
        assert_ceiling(&c, PS_CEILING_DEVICE, 1600, 10 * GIGA, cases[i].least / (10 * GIGA));
        g_assert_true(ps_predict(&params, &peaks, gpu, &prediction, NULL));
        assert_near(prediction.memory_seconds, 160e-9);
        assert_near(prediction.ceiling_seconds, cases[i].least / (10 * GIGA));
    }
}

/* What a graph has for other units is not this one's: special functions of doubles, atomics, and
 * conflicts of which the description does not say what they take. */
static void test_elsewhere(void)
{
    PsMetrics metrics = small_metrics();
    metrics.value[PS_M_FP64] = 10;
    metrics.value[PS_M_FMA64] = 5;
    metrics.value[PS_M_LOCAL] = 800;
    metrics.special64 = 4;
    metrics.atomics = 50;
    metrics.conflicts = 700;
    const PsCeilings c = find(&metrics, "NVIDIA");
    assert_ceiling(&c, PS_CEILING_FP64, 15, 50 * GIGA, 2 * 6 / (50 * GIGA));
    assert_ceiling(&c, PS_CEILING_LDST, 150, 25 * GIGA, 6e-9);
    assert_ceiling(&c, PS_CEILING_LOCAL, 100, 100 * GIGA, 1e-9);
}

/* A graph's instructions wait for schedulers only where the description asks for these; what ran on
 * the hardware did. */
static void test_without_schedulers(void)
{
    static const char *const models[] = {"", "<model schedulers='on'/>"};
    for (guint i = 0; i < G_N_ELEMENTS(models); i++) {
        g_autofree char *text = g_strdup_printf(
            "<gpu xmlns='urn:pipesim:gpu:1' version='1' name='Toy' vendor='NVIDIA'>"
            "<chip compute-units='2' clock='1000' warp-size='32' schedulers='4' issue-width='1'/>"
            "%s<pipeline name='a'/><class name='rcp' pipeline='a' issue='8' completion='9'/></gpu>",
            models[i]);
        g_autoptr(GError) error = NULL;
        g_autoptr(PsGpu) gpu = ps_gpu_parse(text, strlen(text), "toy.xml", &error);
        g_assert_no_error(error);
        const PsPeaks peaks = round_peaks();
        PsMetrics metrics = small_metrics();
        PsParams params;
        PsCeilings c;
        ps_params_from_metrics(&metrics, &params);
        ps_ceilings_find(&metrics, &params, &peaks, gpu, gpu->clock, &c);
        assert_ceiling(&c, PS_CEILING_ISSUE, 1000, 256 * GIGA, 1000 / (256 * GIGA));
        metrics.graph = TRUE;
        ps_ceilings_find(&metrics, &params, &peaks, gpu, gpu->clock, &c);
        const double rate = i ? 256 * GIGA : NAN;
        assert_ceiling(&c, PS_CEILING_ISSUE, 1000, rate, 1000 / rate);
    }
}

/* A pipeline of each memory: both work at the same time. Where a description counts wavefronts, one
 * unit serves both. */
static void test_two_ways(void)
{
    static const char *const counts[] = {"", " wavefront='1'"};
    for (guint i = 0; i < G_N_ELEMENTS(counts); i++) {
        g_autofree char *text = g_strdup_printf(
            "<gpu xmlns='urn:pipesim:gpu:1' version='1' name='Toy' vendor='NVIDIA'>"
            "<chip compute-units='2' clock='1000' warp-size='32'/><pipeline name='a'/>"
            "<pipeline name='b'/><memory pipeline='b' request='4'%s>"
            "<level name='l1' bytes='1024' port='32' latency='20'/>"
            "<level name='device' bandwidth='50' latency='400'/></memory>"
            "<local-memory pipeline='a' wavefront='1' completion='9' atomic='2'/></gpu>",
            counts[i]);
        g_autoptr(GError) error = NULL;
        g_autoptr(PsGpu) gpu = ps_gpu_parse(text, strlen(text), "toy.xml", &error);
        g_assert_no_error(error);
        const PsMetrics metrics = small_metrics();
        const PsPeaks peaks = round_peaks();
        PsParams params;
        PsCeilings c;
        ps_params_from_metrics(&metrics, &params);
        ps_ceilings_find(&metrics, &params, &peaks, gpu, gpu->clock, &c);
        const double rate = (i ? 25 : 25 + 2 * 32 / 4) * GIGA;
        assert_ceiling(&c, PS_CEILING_LDST, 200, rate, 200 / rate);
    }
}

/* Parameters that were measured elsewhere say what one type does. */
static void test_parameters(void)
{
    g_autoptr(PsGpu) gpu = toy("NVIDIA");
    g_autoptr(GError) error = NULL;
    const PsPeaks peaks = round_peaks();
    PsParams params = stated(PS_K_FP64, 1000, 50);
    PsCeilings c;
    g_assert_true(ps_params_complete(&params, &error));
    ps_ceilings_find(NULL, &params, &peaks, gpu, gpu->clock, &c);
    assert_ceiling(&c, PS_CEILING_FP64, 1000, 50 * GIGA, 1000 / 0.75 / (50 * GIGA));
    assert_near(c.of[PS_CEILING_ISSUE].work, 1000 / 1.5 / params.D_ops);
    assert_ceiling(&c, PS_CEILING_DEVICE, 50, 10 * GIGA, 5e-9);
    assert_ceiling(&c, PS_CEILING_FP32, NAN, 100 * GIGA, NAN);
    params = unknown_params();
    ps_ceilings_find(NULL, &params, &peaks, gpu, gpu->clock, &c);
    g_assert_cmpint(c.highest, ==, -1);
    assert_near(c.seconds, NAN);
}

/* No prediction is below its own bound, and one that is above stays as it is. */
static void test_raised(void)
{
    const PsParams params = {.W_comp = 300};
    const PsCeilings ceilings = {.highest = PS_CEILING_ISSUE, .seconds = 3};
    PsPrediction below = {.seconds = 2, .bound = PS_BOUND_MEMORY, .T_predicted = 150};
    ps_prediction_raise(&ceilings, &params, &below);
    g_assert_cmpfloat(below.seconds, ==, 3);
    g_assert_cmpfloat(below.T_predicted, ==, 100);
    g_assert_cmpint(below.bound, ==, PS_BOUND_CEILING);
    g_assert_cmpfloat(below.equations_seconds, ==, 2);
    g_assert_cmpint(below.equations_bound, ==, PS_BOUND_MEMORY);
    static const double others[] = {4, 3, 3 * (1 - 1e-12), NAN};
    for (guint i = 0; i < G_N_ELEMENTS(others); i++) {
        PsPrediction other = {.seconds = others[i], .bound = PS_BOUND_MEMORY};
        ps_prediction_raise(&ceilings, &params, &other);
        g_assert_cmpint(other.bound, ==, PS_BOUND_MEMORY);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/roofline/ceilings/units", test_units);
    g_test_add_func("/roofline/ceilings/single-precision", test_single_precision);
    g_test_add_func("/roofline/ceilings/loads-of-amd", test_loads_of_amd);
    g_test_add_func("/roofline/ceilings/further-levels", test_further_levels);
    g_test_add_func("/roofline/ceilings/kept", test_kept);
    g_test_add_func("/roofline/ceilings/elsewhere", test_elsewhere);
    g_test_add_func("/roofline/ceilings/two-ways", test_two_ways);
    g_test_add_func("/roofline/ceilings/without-schedulers", test_without_schedulers);
    g_test_add_func("/roofline/ceilings/parameters", test_parameters);
    g_test_add_func("/roofline/ceilings/raised", test_raised);
    return g_test_run();
}
