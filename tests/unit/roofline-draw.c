/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Roofline charts: what stands at which coordinates.
 */
#include "tests/help/contains.h"
#include "tests/help/roof.h"

#include "base/message.h"
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

/* ---- coordinates -------------------------------------------------------------------------------
 */

static void test_points(void)
{
    g_autoptr(Roof) chart = roof_new(PS_DRAW_ROOFLINE, 1);
    roof_add(chart, "measured", 2, 1.5e11);
    roof_add(chart, "predicted", 40, 4e11)->estimated = TRUE;
    g_autofree char *script = roof_script(chart);
    assert_has(script, "set ylabel 'performance (GFLOP/s)'");
    assert_has(script, "set xlabel 'operational intensity (FLOP/byte)'");
    roof_point(script, "1 measured", 2, 150);
    roof_point(script, "2 predicted", 40, 400);
    assert_has(script, "points pointtype 7 "); /* the first marker, filled */
    assert_has(script, "points pointtype 4 "); /* the second, hollow */
    assert_has(script, "set label 'measured' at ");
    assert_has(script, "set label 'hollow: predicted, not measured' at screen ");
}

static void test_ceilings(void)
{
    g_autoptr(Roof) chart = roof_new(PS_DRAW_ROOFLINE, 1);
    double ends[4];
    roof_add(chart, "k", 2, 1.5e11)->adjusted = 3e11;
    g_autofree char *script = roof_script(chart);
    roof_rows(script, "Toy: device memory 100 GB/s", ends, 2);
    assert_ratio(ends[1] / ends[0], 100);
    assert_ratio(ends[2], 10);
    assert_ratio(ends[3], 1000);
    roof_point(script, "Toy: fp32 1 TFLOP/s", 10, 1000);
    roof_point(script, "Toy: fp32 no FMA 500 GFLOP/s", 5, 500);
    roof_point(script, "its mix, E_mix T_op", 7.5, 750);
    roof_point(script, "adjusted, eq. 18", 3, 300);
    assert_lacks(script, "fp64");
    assert_lacks(script, "L2");
}

/* Short ceilings of two kernels that differ, each around its own intensity. */
static void test_own_ceilings(void)
{
    g_autoptr(Roof) chart = roof_new(PS_DRAW_ROOFLINE, 1);
    double ends[4];
    roof_add(chart, "k", 40, 1.5e11)->adjusted = 3e11;
    roof_add(chart, "other", 60, 1.5e11)->adjusted = 2e11;
    chart->params[1].E_mix = 0.6;
    g_autofree char *script = roof_script(chart);
    roof_rows(script, "other: its mix, E_mix T_op", ends, 2);
    g_assert_cmpfloat(ends[0], <, 60);
    g_assert_cmpfloat(ends[2], >, 60);
    assert_ratio(ends[1], 600);
    roof_rows(script, "k: adjusted, eq. 18", ends, 2);
    assert_ratio(sqrt(ends[0] * ends[2]), 40);
    assert_ratio(ends[3], 300);
    assert_has(script, "set label 'mix 600 GFLOP/s' at ");
    assert_has(script, "set label 'eq. 18 200 GFLOP/s' at ");
    g_assert_cmpuint(count_of(script, ": ceiling, "), ==, 2); /* both kinds in the key, once */
}

/* What is drawn already, as the GPU's ceiling or as a prediction on it, and what bounds nothing. */
static void test_needless_ceilings(void)
{
    g_autoptr(Roof) chart = roof_new(PS_DRAW_ROOFLINE, 1);
    roof_add(chart, "plain", 40, 1.5e11);
    chart->params[0].E_mix = 1;
    roof_add(chart, "predicted", 60, 2e11)->adjusted = 2e11;
    g_array_index(chart->draw.kernels, PsDrawKernel, 1).estimated = TRUE;
    roof_add(chart, "left of its ridge", 0.5, 1e10)->adjusted = 3e11;
    g_autofree char *script = roof_script(chart);
    assert_lacks(script, "# plain: ");
    assert_lacks(script, "# predicted: adjusted, eq. 18");
    assert_lacks(script, "# left of its ridge: ");
    assert_has(script, "# predicted: its mix");

    roof_add(chart, "predicted", 60, 2e11)->gpu = 1;
    const PsDrawGpu big = {"Big", &big_peaks};
    g_array_append_val(chart->draw.gpus, big);
    g_autofree char *many = roof_script(chart);
    assert_lacks(many, "its mix");
}

/* gnuplot's SVG terminal does not see an arrow's dashes if width and colour are the same as of the
 * one before. */
static void test_dashes_of_key(void)
{
    g_autoptr(Roof) chart = roof_new(PS_DRAW_ROOFLINE, 1);
    roof_add(chart, "k", 40, 1.5e11)->adjusted = 3e11;
    roof_add(chart, "other", 60, 1.5e11)->adjusted = 2e11;
    chart->params[1].E_mix = 0.6;
    g_autofree char *script = roof_script(chart);
    const char *mix = strstr(script, "nohead linewidth 1.4 dashtype 1 linecolor rgb '#555555'\n");
    const char *adjusted =
        strstr(script, "nohead linewidth 1.4 dashtype 3 linecolor rgb '#555555'\n");
    g_assert_nonnull(mix);
    g_assert_nonnull(adjusted);
    const char *part = mix ? strstr(mix, "nohead linecolor rgb 'white'\n") : NULL;
    g_assert_true(part && part < adjusted);
}

static void test_types(void)
{
    g_autoptr(Roof) chart = roof_new(PS_DRAW_ROOFLINE, 1);
    roof_add(chart, "a", 2, 1e11);
    roof_add(chart, "b", 3, 1e11);
    chart->params[1].K_type = PS_K_INT;
    g_autofree char *script = roof_script(chart);
    assert_has(script, "'performance (Gop/s)'");
    assert_has(script, "(op/byte)");
    roof_point(script, "Toy: fp32 no FMA, int 500 Gop/s", 5, 500);
    assert_lacks(script, "fp64");
}

static void test_discounted(void)
{
    g_autoptr(Roof) chart = roof_new(PS_DRAW_ROOFLINE, 1);
    roof_add(chart, "k", 2, 5e10);
    chart->draw.discounted = 0;
    g_autofree char *script = roof_script(chart);
    double ends[4];
    assert_has(script, "'discounted to 25 %, through k'");
    roof_rows(script, "discounted bandwidth", ends, 2);
    assert_ratio(ends[1] / ends[0], 25);
    assert_ratio(ends[2], 10);
    assert_ratio(ends[3], 250);
    roof_rows(script, "discounted peak", ends, 2);
    assert_ratio(ends[0], 10);
    assert_ratio(ends[3], 250);
}

static void test_many_gpus(void)
{
    g_autoptr(Roof) chart = roof_new(PS_DRAW_ROOFLINE, 2);
    roof_add(chart, "k", 2, 1e11); /* a short name, too, is in the chart once */
    roof_add(chart, "k", 2, 2e11)->gpu = 1;
    g_autofree char *script = roof_script(chart);
    assert_has(script, "set title 'Rooflines of 2 GPUs'");
    assert_has(script, "'A  Toy'");
    assert_has(script, "'B  Big'");
    roof_point(script, "Toy: A fp32 1 TFLOP/s", 10, 1000);
    roof_point(script, "Big: B fp32 2 TFLOP/s", 10, 2000);
    g_assert_cmpuint(count_of(script, "'1  k'"), ==, 1); /* the same on both */
    assert_lacks(script, "'2  k");
    assert_lacks(script, "'k'");
    g_assert_cmpuint(count_of(script, "set label '1' at "), ==, 2);
}

static void test_hierarchical(void)
{
    g_autoptr(Roof) chart = roof_new(PS_DRAW_HIERARCHICAL, 1);
    double ends[4];
    roof_add(chart, "k", 8, 2e11);
    g_autofree char *script = roof_script(chart);
    assert_has(script, "set title 'Hierarchical roofline of Toy'");
    roof_rows(script, "Toy: L1 1 TB/s", ends, 2);
    assert_ratio(ends[2], 1);
    roof_rows(script, "Toy: L2 400 GB/s", ends, 2);
    assert_ratio(ends[2], 2.5);
    roof_rows(script, "Toy: device memory 100 GB/s", ends, 2);
    assert_ratio(ends[3], 1000);
    roof_rows(script, "k", ends, 2); /* the line from L1's mark to L2's */
    assert_ratio(ends[0], 2);
    assert_ratio(ends[2], 4);
    roof_point(script, "1 k", 2, 200);
    g_assert_cmpuint(count_of(script, "\n# 1 k\n"), ==, 3);
    assert_has(script, "\n# 1 k\n8 200\n");
    assert_has(script, "'L1'");
}

/* A kernel has a roof of each type that it counts, a thin one where it is about another; and where
 * peaks that count for kernels differ, each its own. */
static void test_unit_roofs(void)
{
    g_autoptr(Roof) chart = roof_new(PS_DRAW_ROOFLINE, 1);
    roof_add(chart, "a", 2, 1e11);
    roof_add(chart, "b", 3, 1e11);
    chart->ceilings[1].of[PS_CEILING_FP64].work = 1;
    g_autofree char *counted = roof_script(chart);
    roof_point(counted, "Toy: fp64 250 GFLOP/s", 2.5, 250);
    assert_lacks(counted, "fp64 no FMA");
    for (guint i = 0; i < 2; i++) {
        chart->params[i].K_type = PS_K_TENSOR;
        chart->ceilings[i].of[PS_CEILING_FP32].work = NAN;
        chart->ceilings[i].of[PS_CEILING_TENSOR] = (PsCeiling){1e9, i ? 4e12 : 8e12, NAN};
    }
    g_autofree char *kinds = roof_script(chart);
    roof_point(kinds, "Toy: tensor 8 TFLOP/s", 80, 8000);
    roof_point(kinds, "Toy: tensor 4 TFLOP/s", 40, 4000);
    assert_has(kinds, "'tensor 8 TFLOP/s' at ");
    assert_has(kinds, "linewidth 2 dashtype 1 linecolor rgb '#0072B2'"); /* a's colour */
    chart->ceilings[1].of[PS_CEILING_TENSOR].peak = 7.9e12;
    g_autofree char *same = roof_script(chart);
    assert_has(same, "'tensor 8 TFLOP/s'");
    assert_lacks(same, "'tensor 7.9 TFLOP/s'");
}

/* Peaks at many clocks would fill the chart: the highest alone, which no point is above. */
static void test_many_roofs(void)
{
    g_autoptr(Roof) chart = roof_new(PS_DRAW_ROOFLINE, 1);
    for (guint i = 0; i < 5; i++) {
        roof_add(chart, "k", 2 + i, 1e11);
        chart->ceilings[i].of[PS_CEILING_FP32].peak = 1e12 * (1 + 0.1 * i);
        chart->ceilings[i].of[PS_CEILING_DEVICE].peak = 1e11 - 1e9 * i;
    }
    g_autofree char *script = roof_script(chart);
    assert_has(script, "'fp32 1.4 TFLOP/s'");
    assert_lacks(script, "'fp32 1 TFLOP/s'");
    assert_has(script, "'device memory 100 GB/s'");
}

/* Local memory is a level where kernels use it, and shares a line with a cache as fast. */
static void test_local_memory(void)
{
    g_autoptr(Roof) chart = roof_new(PS_DRAW_HIERARCHICAL, 1);
    roof_add(chart, "k", 8, 2e11);
    g_autofree char *without = roof_script(chart);
    assert_lacks(without, "local memory");
    chart->ceilings[0].of[PS_CEILING_LOCAL] = (PsCeiling){1e9, 1e12, NAN};
    g_autofree char *with = roof_script(chart);
    assert_has(with, "'local memory, L1 1 TB/s'");
    assert_has(with, "\n# 1 k\n1 200\n");
}

/* Where a profiler counts only what reaches a third cache, that is where the kernel is, under that
 * cache's roof. */
static void test_third_cache(void)
{
    g_autoptr(Roof) chart = roof_new(PS_DRAW_ROOFLINE, 1);
    roof_add(chart, "k", 8, 2e11);
    toy_peaks.value[PS_B_L3] = 2e11;
    chart->ceilings[0].of[PS_CEILING_L3].work = 1e9 / 4;
    chart->ceilings[0].of[PS_CEILING_DEVICE].work = NAN;
    g_autofree char *script = roof_script(chart);
    roof_point(script, "1 k", 4, 200);
    assert_has(script, "'L3 200 GB/s'");
    assert_has(script, "'device memory 100 GB/s'");
    chart->ceilings[0].of[PS_CEILING_DEVICE].work = 1e9 / 8;
    g_autofree char *usual = roof_script(chart);
    roof_point(usual, "1 k", 8, 200);
    assert_lacks(usual, "L3");
}

/* Levels that have a ceiling, and no traffic that is known. */
static void test_unknown_levels(void)
{
    g_autoptr(Roof) chart = roof_new(PS_DRAW_HIERARCHICAL, 1);
    double ends[2];
    roof_add(chart, "k", 8, 2e11);
    chart->ceilings[0].of[PS_CEILING_L1].work = NAN;
    g_autofree char *one = roof_script(chart);
    assert_has(one, "'L1, traffic not known'");
    roof_rows(one, "Toy: L1 1 TB/s", ends, 1);
    assert_ratio(ends[1] / ends[0], 1000);
    assert_has(one, "'L2'");
    roof_add(chart, "m", 4, 1e11);
    g_autofree char *both = roof_script(chart);
    assert_has(both, "'L1, traffic where known'");
    toy_peaks.value[PS_B_L1] = NAN;
    chart->ceilings[1].of[PS_CEILING_L1].peak = NAN;
    g_autofree char *roofless = roof_script(chart);
    assert_has(roofless, "'L1, not drawn: bandwidth not known'");
    g_assert_cmpuint(count_of(roofless, "\n# 2 m\n"), ==, 2);
    chart->ceilings[1].of[PS_CEILING_L1].work = NAN;
    g_autofree char *none = roof_script(chart);
    assert_lacks(none, "L1");
}

static void test_trajectory(void)
{
    static const PsDrawKind kinds[] = {PS_DRAW_ROOFLINE, PS_DRAW_HIERARCHICAL};
    for (guint i = 0; i < G_N_ELEMENTS(kinds); i++) {
        g_autoptr(Roof) chart = roof_new(kinds[i], 1);
        roof_add(chart, "v0", 2, 5e10);
        roof_add(chart, "lost", NAN, NAN);
        roof_add(chart, "v1", 8, 1e11);
        roof_add(chart, "v2", 4, 3e11);
        g_autofree char *without = roof_script(chart);
        g_assert_cmpuint(count_of(without, ",20 filled"), ==, 0);
        chart->draw.trajectory = TRUE;
        g_autofree char *script = roof_script(chart);
        g_assert_cmpuint(count_of(script, ",20 filled"), ==, i ? 6 : 2); /* for each level */
    }
}

static void test_quadrants(void)
{
    g_autoptr(Roof) chart = roof_new(PS_DRAW_QUADRANTS, 2);
    double ends[4];
    roof_add(chart, "memory", 2, NAN);
    g_autofree char *script = roof_script(chart);
    assert_has(script, "set xlabel 'memory bandwidth (GB/s)'");
    assert_has(script, "set ylabel 'throughput (TFLOP/s)'");
    assert_has(script, "set object polygon"); /* the memory-bound half */
    roof_point(script, "Toy: fp32", 100, 1);
    roof_point(script, "Big: fp32", 200, 2);
    roof_rows(script, "1 memory", ends, 2);
    assert_ratio(ends[1] / ends[0], 2e-3);
    assert_ratio(ends[3] / ends[2], 2e-3);
    assert_has(script, "\n# 1 memory\n100 0.2\n# 1 memory\n200 0.4\n");

    roof_add(chart, "compute", 50, NAN);
    g_autofree char *both = roof_script(chart);
    assert_has(both, "\n# 2 compute\n20 1\n# 2 compute\n40 2\n");
    assert_lacks(both, "set object polygon");
    assert_has(both, "'compute: 50'");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/roofline-draw/points", test_points);
    g_test_add_func("/roofline-draw/ceilings", test_ceilings);
    g_test_add_func("/roofline-draw/own-ceilings", test_own_ceilings);
    g_test_add_func("/roofline-draw/needless-ceilings", test_needless_ceilings);
    g_test_add_func("/roofline-draw/dashes-of-key", test_dashes_of_key);
    g_test_add_func("/roofline-draw/types", test_types);
    g_test_add_func("/roofline-draw/discounted", test_discounted);
    g_test_add_func("/roofline-draw/many-gpus", test_many_gpus);
    g_test_add_func("/roofline-draw/hierarchical", test_hierarchical);
    g_test_add_func("/roofline-draw/unit-roofs", test_unit_roofs);
    g_test_add_func("/roofline-draw/many-roofs", test_many_roofs);
    g_test_add_func("/roofline-draw/local-memory", test_local_memory);
    g_test_add_func("/roofline-draw/third-cache", test_third_cache);
    g_test_add_func("/roofline-draw/unknown-levels", test_unknown_levels);
    g_test_add_func("/roofline-draw/trajectory", test_trajectory);
    g_test_add_func("/roofline-draw/quadrants", test_quadrants);
    return g_test_run();
}
