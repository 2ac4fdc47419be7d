/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Charts: what stands at which coordinates, names and numbers that could break a script, errors,
 * and whether gnuplot takes each script.
 */
#include "roofline/draw.h"

#include "base/message.h"
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

/* One GPU of round numbers: 1 TFLOP/s, 100 GB/s, ridge at 10; and another of twice that. */
static PsPeaks toy_peaks, big_peaks;

static void init_peaks(PsPeaks *peaks, double factor)
{
    for (int i = 0; i < PS_N_PEAKS; i++)
        peaks->value[i] = NAN;
    peaks->value[PS_T_SP] = 1e12 * factor;
    peaks->value[PS_T_DP] = 2.5e11 * factor;
    peaks->value[PS_T_INT] = 5e11 * factor;
    peaks->value[PS_B_MEM] = 1e11 * factor;
    peaks->value[PS_B_L2] = 4e11 * factor;
    peaks->value[PS_B_L1] = 1e12 * factor;
}

typedef struct {
    PsDraw draw;
    PsParams params[512];
    PsCeilings ceilings[512];
    GPtrArray *names;
} Chart;

static Chart *chart_new(PsDrawKind kind, guint gpus)
{
    Chart *chart = g_new0(Chart, 1);
    init_peaks(&toy_peaks, 1);
    init_peaks(&big_peaks, 2);
    chart->draw.kind = kind;
    chart->draw.discounted = -1;
    chart->draw.gpus = g_array_new(FALSE, FALSE, sizeof(PsDrawGpu));
    chart->draw.kernels = g_array_new(FALSE, FALSE, sizeof(PsDrawKernel));
    chart->names = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < gpus; i++) {
        const PsDrawGpu gpu = {i % 2 ? "Big" : "Toy", i % 2 ? &big_peaks : &toy_peaks};
        g_array_append_val(chart->draw.gpus, gpu);
    }
    return chart;
}

static void chart_free(Chart *chart)
{
    g_array_unref(chart->draw.gpus);
    g_array_unref(chart->draw.kernels);
    g_ptr_array_unref(chart->names);
    g_free(chart);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Chart, chart_free)

/* fp32, as many operations as a second holds, four times and twice the traffic at L1 and L2. */
static PsDrawKernel *add(Chart *chart, const char *name, double intensity, double rate)
{
    PsParams *params = &chart->params[chart->draw.kernels->len];
    g_assert_cmpuint(chart->draw.kernels->len, <, G_N_ELEMENTS(chart->params));
    *params = (PsParams){.K_type = PS_K_FP32,
                         .W_comp = 1e9,
                         .W_traf = 1e9 / intensity,
                         .O_krn = intensity,
                         .E_mix = 0.75,
                         .ops_per_instruction = 2};
    PsCeilings *ceilings = &chart->ceilings[chart->draw.kernels->len];
    for (guint i = 0; i < PS_N_CEILINGS; i++)
        ceilings->of[i] = (PsCeiling){.work = NAN};
    ceilings->of[PS_CEILING_FP32].work = params->W_comp;
    ceilings->of[PS_CEILING_L1].work = 4 * params->W_traf;
    ceilings->of[PS_CEILING_L2].work = 2 * params->W_traf;
    ceilings->of[PS_CEILING_DEVICE].work = params->W_traf;
    char *kept = g_strdup(name);
    g_ptr_array_add(chart->names, kept);
    const PsDrawKernel kernel = {
        .name = kept, .params = params, .ceilings = ceilings, .rate = rate, .adjusted = NAN};
    g_array_append_val(chart->draw.kernels, kernel);
    return &g_array_index(chart->draw.kernels, PsDrawKernel, chart->draw.kernels->len - 1);
}

/* Peaks that no test has set are the GPU's. */
static void set_peaks(Chart *chart)
{
    static const int peaks[PS_N_CEILINGS] = {
        [PS_CEILING_FP64] = PS_T_DP,   [PS_CEILING_FP32] = PS_T_SP,
        [PS_CEILING_FP16] = PS_T_HP,   [PS_CEILING_TENSOR] = PS_T_TENSOR,
        [PS_CEILING_INT] = PS_T_INT,   [PS_CEILING_LOCAL] = PS_B_LOCAL,
        [PS_CEILING_L1] = PS_B_L1,     [PS_CEILING_L2] = PS_B_L2,
        [PS_CEILING_L3] = PS_B_L3,     [PS_CEILING_L4] = PS_B_L4,
        [PS_CEILING_DEVICE] = PS_B_MEM};
    for (guint i = 0; i < chart->draw.kernels->len; i++) {
        const guint gpu = g_array_index(chart->draw.kernels, PsDrawKernel, i).gpu;
        for (guint kind = 0; kind < PS_N_CEILINGS && gpu < chart->draw.gpus->len; kind++)
            if (chart->ceilings[i].of[kind].peak == 0)
                chart->ceilings[i].of[kind].peak =
                    g_array_index(chart->draw.gpus, PsDrawGpu, gpu).peaks->value[peaks[kind]];
    }
}

static char *script_of(Chart *chart)
{
    g_autoptr(GError) error = NULL;
    set_peaks(chart);
    double height;
    char *script = ps_draw_script(&chart->draw, &height, &error);
    g_assert_no_error(error);
    g_assert_nonnull(script);
    return script ? script : g_strdup("");
}

static void assert_has(const char *script, const char *text)
{
    if (!strstr(script, text))
        g_test_message("not in the script: %s", text);
    g_assert_true(strstr(script, text) != NULL);
}

static void assert_lacks(const char *script, const char *text)
{
    if (strstr(script, text))
        g_test_message("in the script: %s", text);
    g_assert_null(strstr(script, text));
}

static void assert_near(double value, double expected)
{
    g_assert_cmpfloat_with_epsilon(value / expected, 1, 1e-6);
}

/* The rows of data after the comment "# what", n of them as x, y, x, y, ... */
static void rows_after(const char *script, const char *what, double *values, guint n)
{
    g_autofree char *comment = g_strdup_printf("\n# %s\n", what);
    const char *at = strstr(script, comment);
    for (guint i = 0; i < 2 * n; i++)
        values[i] = NAN;
    assert_has(script, comment);
    if (!at)
        return;
    char *end = (char *)at + strlen(comment);
    for (guint i = 0; i < 2 * n; i++)
        values[i] = g_ascii_strtod(end, &end);
}

static void assert_point(const char *script, const char *what, double x, double y)
{
    double row[2];
    rows_after(script, what, row, 1);
    assert_near(row[0], x);
    assert_near(row[1], y);
}

static guint count(const char *script, const char *text)
{
    guint n = 0;
    for (const char *at = script; (at = strstr(at, text)) != NULL; at += strlen(text))
        n++;
    return n;
}

/* ---- coordinates -------------------------------------------------------------------------------
 */

static void test_points(void)
{
    g_autoptr(Chart) chart = chart_new(PS_DRAW_ROOFLINE, 1);
    add(chart, "measured", 2, 1.5e11);
    add(chart, "predicted", 40, 4e11)->estimated = TRUE;
    g_autofree char *script = script_of(chart);
    assert_has(script, "set ylabel 'performance (GFLOP/s)'");
    assert_has(script, "set xlabel 'operational intensity (FLOP/byte)'");
    assert_point(script, "1 measured", 2, 150);
    assert_point(script, "2 predicted", 40, 400);
    assert_has(script, "points pointtype 7 "); /* the first marker, filled */
    assert_has(script, "points pointtype 4 "); /* the second, hollow */
    assert_has(script, "set label 'measured' at ");
    assert_has(script, "set label 'hollow: predicted, not measured' at screen ");
}

static void test_ceilings(void)
{
    g_autoptr(Chart) chart = chart_new(PS_DRAW_ROOFLINE, 1);
    double ends[4];
    add(chart, "k", 2, 1.5e11)->adjusted = 3e11;
    g_autofree char *script = script_of(chart);
    rows_after(script, "Toy: device memory 100 GB/s", ends, 2);
    assert_near(ends[1] / ends[0], 100);
    assert_near(ends[2], 10);
    assert_near(ends[3], 1000);
    assert_point(script, "Toy: fp32 1 TFLOP/s", 10, 1000);
    assert_point(script, "Toy: fp32 no FMA 500 GFLOP/s", 5, 500);
    assert_point(script, "its mix, E_mix T_op", 7.5, 750);
    assert_point(script, "adjusted, eq. 18", 3, 300);
    assert_lacks(script, "fp64");
    assert_lacks(script, "L2");
}

/* Short ceilings of two kernels that differ, each around its own intensity. */
static void test_own_ceilings(void)
{
    g_autoptr(Chart) chart = chart_new(PS_DRAW_ROOFLINE, 1);
    double ends[4];
    add(chart, "k", 40, 1.5e11)->adjusted = 3e11;
    add(chart, "other", 60, 1.5e11)->adjusted = 2e11;
    chart->params[1].E_mix = 0.6;
    g_autofree char *script = script_of(chart);
    rows_after(script, "other: its mix, E_mix T_op", ends, 2);
    g_assert_cmpfloat(ends[0], <, 60);
    g_assert_cmpfloat(ends[2], >, 60);
    assert_near(ends[1], 600);
    rows_after(script, "k: adjusted, eq. 18", ends, 2);
    assert_near(sqrt(ends[0] * ends[2]), 40);
    assert_near(ends[3], 300);
    assert_has(script, "set label 'mix 600 GFLOP/s' at ");
    assert_has(script, "set label 'eq. 18 200 GFLOP/s' at ");
    g_assert_cmpuint(count(script, ": ceiling, "), ==, 2); /* both kinds in the key, once */
}

/* What is drawn already, as the GPU's ceiling or as a prediction on it, and what bounds nothing. */
static void test_needless_ceilings(void)
{
    g_autoptr(Chart) chart = chart_new(PS_DRAW_ROOFLINE, 1);
    add(chart, "plain", 40, 1.5e11);
    chart->params[0].E_mix = 1;
    add(chart, "predicted", 60, 2e11)->adjusted = 2e11;
    g_array_index(chart->draw.kernels, PsDrawKernel, 1).estimated = TRUE;
    add(chart, "left of its ridge", 0.5, 1e10)->adjusted = 3e11;
    g_autofree char *script = script_of(chart);
    assert_lacks(script, "# plain: ");
    assert_lacks(script, "# predicted: adjusted, eq. 18");
    assert_lacks(script, "# left of its ridge: ");
    assert_has(script, "# predicted: its mix");

    add(chart, "predicted", 60, 2e11)->gpu = 1;
    const PsDrawGpu big = {"Big", &big_peaks};
    g_array_append_val(chart->draw.gpus, big);
    g_autofree char *many = script_of(chart);
    assert_lacks(many, "its mix");
}

/* gnuplot's SVG terminal does not see an arrow's dashes if width and colour are the same as of the
 * one before. */
static void test_dashes_of_key(void)
{
    g_autoptr(Chart) chart = chart_new(PS_DRAW_ROOFLINE, 1);
    add(chart, "k", 40, 1.5e11)->adjusted = 3e11;
    add(chart, "other", 60, 1.5e11)->adjusted = 2e11;
    chart->params[1].E_mix = 0.6;
    g_autofree char *script = script_of(chart);
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
    g_autoptr(Chart) chart = chart_new(PS_DRAW_ROOFLINE, 1);
    add(chart, "a", 2, 1e11);
    add(chart, "b", 3, 1e11);
    chart->params[1].K_type = PS_K_INT;
    g_autofree char *script = script_of(chart);
    assert_has(script, "'performance (Gop/s)'");
    assert_has(script, "(op/byte)");
    assert_point(script, "Toy: fp32 no FMA, int 500 Gop/s", 5, 500);
    assert_lacks(script, "fp64");
}

static void test_discounted(void)
{
    g_autoptr(Chart) chart = chart_new(PS_DRAW_ROOFLINE, 1);
    add(chart, "k", 2, 5e10);
    chart->draw.discounted = 0;
    g_autofree char *script = script_of(chart);
    double ends[4];
    assert_has(script, "'discounted to 25 %, through k'");
    rows_after(script, "discounted bandwidth", ends, 2);
    assert_near(ends[1] / ends[0], 25);
    assert_near(ends[2], 10);
    assert_near(ends[3], 250);
    rows_after(script, "discounted peak", ends, 2);
    assert_near(ends[0], 10);
    assert_near(ends[3], 250);
}

static void test_many_gpus(void)
{
    g_autoptr(Chart) chart = chart_new(PS_DRAW_ROOFLINE, 2);
    add(chart, "k", 2, 1e11); /* a short name, too, is in the chart once */
    add(chart, "k", 2, 2e11)->gpu = 1;
    g_autofree char *script = script_of(chart);
    assert_has(script, "set title 'Rooflines of 2 GPUs'");
    assert_has(script, "'A  Toy'");
    assert_has(script, "'B  Big'");
    assert_point(script, "Toy: A fp32 1 TFLOP/s", 10, 1000);
    assert_point(script, "Big: B fp32 2 TFLOP/s", 10, 2000);
    g_assert_cmpuint(count(script, "'1  k'"), ==, 1); /* the same on both */
    assert_lacks(script, "'2  k");
    assert_lacks(script, "'k'");
    g_assert_cmpuint(count(script, "set label '1' at "), ==, 2);
}

static void test_hierarchical(void)
{
    g_autoptr(Chart) chart = chart_new(PS_DRAW_HIERARCHICAL, 1);
    double ends[4];
    add(chart, "k", 8, 2e11);
    g_autofree char *script = script_of(chart);
    assert_has(script, "set title 'Hierarchical roofline of Toy'");
    rows_after(script, "Toy: L1 1 TB/s", ends, 2);
    assert_near(ends[2], 1);
    rows_after(script, "Toy: L2 400 GB/s", ends, 2);
    assert_near(ends[2], 2.5);
    rows_after(script, "Toy: device memory 100 GB/s", ends, 2);
    assert_near(ends[3], 1000);
    rows_after(script, "k", ends, 2); /* the line from L1's mark to L2's */
    assert_near(ends[0], 2);
    assert_near(ends[2], 4);
    assert_point(script, "1 k", 2, 200);
    g_assert_cmpuint(count(script, "\n# 1 k\n"), ==, 3);
    assert_has(script, "\n# 1 k\n8 200\n");
    assert_has(script, "'L1'");
}

/* A kernel has a roof of each type that it counts, a thin one where it is about another; and where
 * peaks that count for kernels differ, each its own. */
static void test_unit_roofs(void)
{
    g_autoptr(Chart) chart = chart_new(PS_DRAW_ROOFLINE, 1);
    add(chart, "a", 2, 1e11);
    add(chart, "b", 3, 1e11);
    chart->ceilings[1].of[PS_CEILING_FP64].work = 1;
    g_autofree char *counted = script_of(chart);
    assert_point(counted, "Toy: fp64 250 GFLOP/s", 2.5, 250);
    assert_lacks(counted, "fp64 no FMA");
    for (guint i = 0; i < 2; i++) {
        chart->params[i].K_type = PS_K_TENSOR;
        chart->ceilings[i].of[PS_CEILING_FP32].work = NAN;
        chart->ceilings[i].of[PS_CEILING_TENSOR] = (PsCeiling){1e9, i ? 4e12 : 8e12, NAN};
    }
    g_autofree char *kinds = script_of(chart);
    assert_point(kinds, "Toy: tensor 8 TFLOP/s", 80, 8000);
    assert_point(kinds, "Toy: tensor 4 TFLOP/s", 40, 4000);
    assert_has(kinds, "'tensor 8 TFLOP/s' at ");
    assert_has(kinds, "linewidth 2 dashtype 1 linecolor rgb '#0072B2'"); /* a's colour */
    chart->ceilings[1].of[PS_CEILING_TENSOR].peak = 7.9e12;
    g_autofree char *same = script_of(chart);
    assert_has(same, "'tensor 8 TFLOP/s'");
    assert_lacks(same, "'tensor 7.9 TFLOP/s'");
}

/* Peaks at many clocks would fill the chart: the highest alone, which no point is above. */
static void test_many_roofs(void)
{
    g_autoptr(Chart) chart = chart_new(PS_DRAW_ROOFLINE, 1);
    for (guint i = 0; i < 5; i++) {
        add(chart, "k", 2 + i, 1e11);
        chart->ceilings[i].of[PS_CEILING_FP32].peak = 1e12 * (1 + 0.1 * i);
        chart->ceilings[i].of[PS_CEILING_DEVICE].peak = 1e11 - 1e9 * i;
    }
    g_autofree char *script = script_of(chart);
    assert_has(script, "'fp32 1.4 TFLOP/s'");
    assert_lacks(script, "'fp32 1 TFLOP/s'");
    assert_has(script, "'device memory 100 GB/s'");
}

/* Local memory is a level where kernels use it, and shares a line with a cache as fast. */
static void test_local_memory(void)
{
    g_autoptr(Chart) chart = chart_new(PS_DRAW_HIERARCHICAL, 1);
    add(chart, "k", 8, 2e11);
    g_autofree char *without = script_of(chart);
    assert_lacks(without, "local memory");
    chart->ceilings[0].of[PS_CEILING_LOCAL] = (PsCeiling){1e9, 1e12, NAN};
    g_autofree char *with = script_of(chart);
    assert_has(with, "'local memory, L1 1 TB/s'");
    assert_has(with, "\n# 1 k\n1 200\n");
}

/* Where a profiler counts only what reaches a third cache, that is where the kernel is, under that
 * cache's roof. */
static void test_third_cache(void)
{
    g_autoptr(Chart) chart = chart_new(PS_DRAW_ROOFLINE, 1);
    add(chart, "k", 8, 2e11);
    toy_peaks.value[PS_B_L3] = 2e11;
    chart->ceilings[0].of[PS_CEILING_L3].work = 1e9 / 4;
    chart->ceilings[0].of[PS_CEILING_DEVICE].work = NAN;
    g_autofree char *script = script_of(chart);
    assert_point(script, "1 k", 4, 200);
    assert_has(script, "'L3 200 GB/s'");
    assert_has(script, "'device memory 100 GB/s'");
    chart->ceilings[0].of[PS_CEILING_DEVICE].work = 1e9 / 8;
    g_autofree char *usual = script_of(chart);
    assert_point(usual, "1 k", 8, 200);
    assert_lacks(usual, "L3");
}

/* Levels that have a ceiling, and no traffic that is known. */
static void test_unknown_levels(void)
{
    g_autoptr(Chart) chart = chart_new(PS_DRAW_HIERARCHICAL, 1);
    double ends[2];
    add(chart, "k", 8, 2e11);
    chart->ceilings[0].of[PS_CEILING_L1].work = NAN;
    g_autofree char *one = script_of(chart);
    assert_has(one, "'L1, traffic not known'");
    rows_after(one, "Toy: L1 1 TB/s", ends, 1);
    assert_near(ends[1] / ends[0], 1000);
    assert_has(one, "'L2'");
    add(chart, "m", 4, 1e11);
    g_autofree char *both = script_of(chart);
    assert_has(both, "'L1, traffic where known'");
    toy_peaks.value[PS_B_L1] = NAN;
    chart->ceilings[1].of[PS_CEILING_L1].peak = NAN;
    g_autofree char *roofless = script_of(chart);
    assert_has(roofless, "'L1, not drawn: bandwidth not known'");
    g_assert_cmpuint(count(roofless, "\n# 2 m\n"), ==, 2);
    chart->ceilings[1].of[PS_CEILING_L1].work = NAN;
    g_autofree char *none = script_of(chart);
    assert_lacks(none, "L1");
}

static void test_trajectory(void)
{
    static const PsDrawKind kinds[] = {PS_DRAW_ROOFLINE, PS_DRAW_HIERARCHICAL};
    for (guint i = 0; i < G_N_ELEMENTS(kinds); i++) {
        g_autoptr(Chart) chart = chart_new(kinds[i], 1);
        add(chart, "v0", 2, 5e10);
        add(chart, "lost", NAN, NAN);
        add(chart, "v1", 8, 1e11);
        add(chart, "v2", 4, 3e11);
        g_autofree char *without = script_of(chart);
        g_assert_cmpuint(count(without, ",20 filled"), ==, 0);
        chart->draw.trajectory = TRUE;
        g_autofree char *script = script_of(chart);
        g_assert_cmpuint(count(script, ",20 filled"), ==, i ? 6 : 2); /* for each level */
    }
}

static void test_quadrants(void)
{
    g_autoptr(Chart) chart = chart_new(PS_DRAW_QUADRANTS, 2);
    double ends[4];
    add(chart, "memory", 2, NAN);
    g_autofree char *script = script_of(chart);
    assert_has(script, "set xlabel 'memory bandwidth (GB/s)'");
    assert_has(script, "set ylabel 'throughput (TFLOP/s)'");
    assert_has(script, "set object polygon"); /* the memory-bound half */
    assert_point(script, "Toy: fp32", 100, 1);
    assert_point(script, "Big: fp32", 200, 2);
    rows_after(script, "1 memory", ends, 2);
    assert_near(ends[1] / ends[0], 2e-3);
    assert_near(ends[3] / ends[2], 2e-3);
    assert_has(script, "\n# 1 memory\n100 0.2\n# 1 memory\n200 0.4\n");

    add(chart, "compute", 50, NAN);
    g_autofree char *both = script_of(chart);
    assert_has(both, "\n# 2 compute\n20 1\n# 2 compute\n40 2\n");
    assert_lacks(both, "set object polygon");
    assert_has(both, "'compute: 50'");
}

/* ---- names
 * ----------------------------------------------------------------------------------------- */

/* No control characters but the ends of lines, valid UTF-8, and all quotes closed. */
static void assert_sound(const char *script)
{
    g_assert_true(g_utf8_validate(script, -1, NULL));
    g_auto(GStrv) lines = g_strsplit(script, "\n", -1);
    for (char **line = lines; *line; line++) {
        guint quotes = 0;
        for (const char *c = *line; *c; c++) {
            g_assert_false(g_ascii_iscntrl(*c));
            quotes += *c == '\'';
        }
        g_assert_true((*line)[0] == '#' || quotes % 2 == 0);
    }
    assert_lacks(script, "nan");
    assert_lacks(script, "inf ");
}

static const char *const hostile[] = {
    "it's \"quoted\" `id` $x {/Bold b} a_b^c @p ~q \\n %s",
    "END",
    "two\nlines\r\nset output '/tmp/stolen'\n\tend",
    "\033[31mred\302\205\302\255hyphen",
    "not UTF-8: \377\376",
    "",
    "void "
    "cutlass::Kernel<cutlass::gemm::kernel::Gemm<cutlass::gemm::threadblock::MmaPipelined<cutlass"
    "::gemm::GemmShape<128, 128, 8>, float, cutlass::layout::RowMajor>, true>>(Params const&, int)",
    "\346\240\270\345\277\203\350\241\214\345\210\227\344\271\230\346\263\225\346\240\270\345\277"
    "\203"
    "\350\241\214\345\210\227\344\271\230\346\263\225\346\240\270\345\277\203\350\241\214\345\210"
    "\227"
    "\344\271\230\346\263\225",
};

static void add_hostile(Chart *chart)
{
    for (guint i = 0; i < G_N_ELEMENTS(hostile); i++)
        add(chart, hostile[i], 1 + i, 1e10 * (1 + i));
    g_array_index(chart->draw.gpus, PsDrawGpu, 0).name = hostile[2];
    chart->draw.title = hostile[0];
}

static void test_names(void)
{
    for (PsDrawKind kind = PS_DRAW_ROOFLINE; kind <= PS_DRAW_QUADRANTS; kind++) {
        g_autoptr(Chart) chart = chart_new(kind, 2);
        add_hostile(chart);
        g_autofree char *script = script_of(chart);
        assert_sound(script);
        assert_has(script,
                   "set title 'it''s \"quoted\" `id` $x {/Bold b} a_b^c @p ~q \\n %s' noenh");
        assert_lacks(script, "\nset output");
        assert_has(script, "'6  (no name)'");
        assert_has(script, "'7  Kernel<cutlass::gemm…::RowMajor>, true>>'");
        assert_has(script, "  \346\240\270"); /* twenty letters of two columns are too long */
    }
}

/* ---- numbers
 * ----------------------------------------------------------------------------------------- */

static void add_odd(Chart *chart)
{
    add(chart, "usual", 2, 1e11);
    add(chart, "no rate", 2, NAN);
    add(chart, "zero rate", 2, 0);
    add(chart, "endless rate", 2, INFINITY);
    add(chart, "negative rate", 2, -1);
    add(chart, "no traffic", INFINITY, 1e11);
    add(chart, "no operations", 0, 1e11);
    add(chart, "unknown", NAN, 1e11);
    add(chart, "tiny", 1e-12, 1);
    add(chart, "huge", 1e12, 1e12);
    add(chart, "beyond", 1e-300, 1e300);
    add(chart, "subnormal", 4e-320, 4e-320);
    chart->params[6].W_comp = 0;
    chart->params[6].W_traf = 1e9;
    chart->params[7].W_comp = NAN;
    for (guint i = 0; i < chart->draw.kernels->len; i++)
        g_array_index(chart->draw.kernels, PsDrawKernel, i).adjusted = i % 2 ? NAN : INFINITY;
    chart->params[8].E_mix = NAN;
    chart->params[9].E_mix = 0;
    chart->params[9].K_type = PS_K_UNKNOWN;
}

static void test_numbers(void)
{
    for (PsDrawKind kind = PS_DRAW_ROOFLINE; kind <= PS_DRAW_QUADRANTS; kind++) {
        g_autoptr(Chart) chart = chart_new(kind, 1);
        add_odd(chart);
        chart->draw.trajectory = TRUE;
        g_autofree char *script = script_of(chart);
        assert_sound(script);
        assert_has(script, "'not drawn: operations not known'");
        assert_has(script, "'not drawn: no operations'");
        if (kind == PS_DRAW_QUADRANTS) {
            assert_has(script, "'not drawn: no traffic, compute bound'");
            continue;
        }
        assert_has(script, "'not drawn: performance not known'");
        assert_has(script, "'not drawn: performance is 0'");
        assert_has(script, "'not drawn: performance out of range'");
        assert_has(script, "'at the right edge: no traffic'");
        assert_has(script, "no traffic'");
    }
}

/* A mark at the right edge is inside the plot area, and right of all others. */
static void test_edge(void)
{
    g_autoptr(Chart) chart = chart_new(PS_DRAW_ROOFLINE, 1);
    double mark[2], most = 0;
    add(chart, "far", 1e6, 1e11);
    add(chart, "edge", INFINITY, 1e11);
    g_autofree char *script = script_of(chart);
    const char *range = strstr(script, "set xrange [");
    rows_after(script, "2 edge", mark, 1);
    if (range)
        most = g_ascii_strtod(strchr(range, ':') + 1, NULL);
    g_assert_cmpfloat(mark[0], >, 1e6);
    g_assert_cmpfloat(mark[0], <, most);
    assert_near(mark[1], 100);
}

static void add_many(Chart *chart, guint n)
{
    for (guint i = 0; i < n; i++) {
        g_autofree char *name = g_strdup_printf("kernel number %u", i + 1);
        add(chart, name, exp2((i * 7) % 20 - 4.0), 1e9 * (1 + (i * 13) % 37));
    }
}

static void test_counts(void)
{
    static const guint counts[] = {0, 1, 20, 300};
    for (PsDrawKind kind = PS_DRAW_ROOFLINE; kind <= PS_DRAW_QUADRANTS; kind++)
        for (guint i = 0; i < G_N_ELEMENTS(counts); i++) {
            g_autoptr(Chart) chart = chart_new(kind, 1);
            add_many(chart, counts[i]);
            g_autofree char *script = script_of(chart);
            g_autofree char *again = counts[i] < 300 ? script_of(chart) : g_strdup(script);
            assert_sound(script);
            g_assert_cmpstr(script, ==, again);
            g_assert_cmpuint(count(script, "more, without numbers"), ==, counts[i] == 300);
            if (counts[i] == 20)
                for (guint k = 1; k <= 20; k++) {
                    g_autofree char *line = g_strdup_printf("'%u  kernel number %u'", k, k);
                    assert_has(script, line);
                }
        }
}

/* Kernels of one name are told apart by launch, else by file, else by their order. */
static void test_equal_names(void)
{
    static const struct {
        gint64 launch;
        const char *file;
    } of[] = {{1, "in/a.csv"}, {2, "in/a.csv"}, {0, "b.csv"}, {0, NULL}, {0, NULL}};
    g_autoptr(Chart) chart = chart_new(PS_DRAW_ROOFLINE, 1);
    for (guint i = 0; i < G_N_ELEMENTS(of); i++) {
        PsDrawKernel *kernel = add(chart, "k", 2 + i, 1e11);
        kernel->launch = of[i].launch;
        kernel->file = of[i].file;
    }
    add(chart, "another", 2, 1e10)->file = "c.csv";
    add(chart, hostile[6], 2, 1e10)->file = "a file whose name is long.csv";
    add(chart, hostile[6], 3, 1e10);
    g_autofree char *script = script_of(chart);
    assert_has(script, "'1  k #1 (a.csv)'");
    assert_has(script, "'2  k #2 (a.csv)'");
    assert_has(script, "'3  k (b.csv)'");
    assert_has(script, "'4  k [1]'");
    assert_has(script, "'5  k [2]'");
    assert_has(script, "'6  another'");
    assert_has(script, "'7  Kernel<cu…>, true>> (a file wh…long.csv)'");
    assert_has(script, "'8  Kernel<cutlass::gemm…::RowMajor>, true>>'");
}

/* Kernels on one spot share a label. */
static void test_one_spot(void)
{
    g_autoptr(Chart) chart = chart_new(PS_DRAW_ROOFLINE, 1);
    for (guint i = 0; i < 20; i++) {
        g_autofree char *name = g_strdup_printf("kernel number %u", i + 1);
        add(chart, name, i == 4 || i == 5 ? 50 : 2, 1e11);
    }
    g_autofree char *script = script_of(chart);
    assert_has(script, "set label '1–4, 7–20' at ");
    assert_has(script, "set label '5, 6' at ");
}

/* ---- errors
 * -------------------------------------------------------------------------------------------- */

static void assert_fails(Chart *chart, const char *message)
{
    g_autoptr(GError) error = NULL;
    set_peaks(chart);
    double height;
    g_autofree char *script = ps_draw_script(&chart->draw, &height, &error);
    g_assert_null(script);
    g_assert_error(error, PS_ERROR, PS_ERROR_VALUE);
    g_assert_cmpstr(error ? error->message : NULL, ==, message);
}

static void test_errors(void)
{
    g_autoptr(Chart) none = chart_new(PS_DRAW_ROOFLINE, 0);
    assert_fails(none, "a chart needs at least one GPU");
    g_autoptr(Chart) chart = chart_new(PS_DRAW_ROOFLINE, 1);
    add(chart, "k", 2, NAN);
    chart->draw.discounted = 0;
    assert_fails(chart,
                 "the discounted roofline cannot go through kernel 1, k: performance not known");
    chart->draw.discounted = 1;
    assert_fails(chart,
                 "the discounted roofline cannot go through kernel 2: there is no such kernel");
    chart->draw.discounted = -1;
    add(chart, "m", 2, 1e9)->gpu = 7;
    assert_fails(chart, "kernel 'm' of the chart is on GPU 8, but there are 1");
}

static void test_unknown_peaks(void)
{
    for (PsDrawKind kind = PS_DRAW_ROOFLINE; kind <= PS_DRAW_QUADRANTS; kind++) {
        g_autoptr(Chart) chart = chart_new(kind, 1);
        add(chart, "k", 2, 1e9);
        toy_peaks.value[PS_T_SP] = NAN;
        if (kind != PS_DRAW_QUADRANTS) {
            g_autofree char *slopes = script_of(chart);
            assert_sound(slopes);
            assert_lacks(slopes, "fp32");
        }
        for (PsPeakKind peak = PS_B_MEM; peak <= PS_B_L1; peak++)
            toy_peaks.value[peak] = NAN;
        for (guint i = 0; i < PS_N_CEILINGS; i++)
            chart->ceilings[0].of[i].peak = NAN;
        assert_fails(chart,
                     kind == PS_DRAW_QUADRANTS
                         ? "the chart has no point for 'Toy': it needs B_mem and the peak of the "
                           "kernels' type, and the description does not give both"
                         : "the chart has no ceiling of 'Toy': its description gives none of "
                           "B_mem, T_SP");
    }
}

/* ---- gnuplot
 * ------------------------------------------------------------------------------------------- */

/* As the head of the script says that it can be run. Outside of a locale of UTF-8 gnuplot warns of
 * every script that asks for UTF-8, whatever else is in it. */
static void run_gnuplot(const char *script, const char *terminal, const char *folder)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *file = g_build_filename(folder, "script.gp", NULL);
    g_autofree char *image = g_build_filename(folder, "image", NULL);
    g_autofree char *settings =
        g_strdup_printf("set terminal %s; set output '%s'", terminal, image);
    char *argv[] = {(char[]){"gnuplot"}, (char[]){"-d"}, (char[]){"-e"}, settings, file, NULL};
    g_auto(GStrv) environment = g_environ_setenv(g_get_environ(), "LC_ALL", "C.UTF-8", TRUE);
    g_autofree char *said = NULL;
    int status = -1;
    g_assert_true(g_file_set_contents(file, script, -1, &error));
    g_assert_true(g_spawn_sync(NULL, argv, environment, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL,
                               &said, &status, &error));
    g_assert_no_error(error);
    g_assert_true(g_spawn_check_wait_status(status, &error));
    g_assert_no_error(error);
    g_assert_cmpstr(said, ==, "");
    GStatBuf facts;
    g_assert_cmpint(g_stat(image, &facts), ==, 0);
    g_assert_cmpint(facts.st_size, >, 1000);
    g_unlink(image);
    g_unlink(file);
}

static void test_gnuplot(void)
{
    static const char *const terminals[] = {"svg size 900,560", "pngcairo size 1200,750",
                                            "pdfcairo size 18cm,11.2cm"};
    g_autofree char *gnuplot = g_find_program_in_path("gnuplot");
    if (!gnuplot) {
        g_test_skip("gnuplot is not installed");
        return;
    }
    g_autofree char *folder = g_dir_make_tmp("pipesim-draw-XXXXXX", NULL);
    for (PsDrawKind kind = PS_DRAW_ROOFLINE; kind <= PS_DRAW_QUADRANTS; kind++)
        for (guint i = 0; i < G_N_ELEMENTS(terminals); i++) {
            g_autoptr(Chart) chart = chart_new(kind, 1 + i);
            add_hostile(chart);
            add_odd(chart);
            chart->draw.trajectory = TRUE;
            g_autofree char *script = script_of(chart);
            run_gnuplot(script, terminals[i], folder);
        }
    g_autoptr(Chart) empty = chart_new(PS_DRAW_ROOFLINE, 1);
    g_autofree char *bare = script_of(empty);
    run_gnuplot(bare, terminals[0], folder);
    g_rmdir(folder);
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
    g_test_add_func("/roofline-draw/names", test_names);
    g_test_add_func("/roofline-draw/numbers", test_numbers);
    g_test_add_func("/roofline-draw/edge", test_edge);
    g_test_add_func("/roofline-draw/counts", test_counts);
    g_test_add_func("/roofline-draw/equal-names", test_equal_names);
    g_test_add_func("/roofline-draw/one-spot", test_one_spot);
    g_test_add_func("/roofline-draw/errors", test_errors);
    g_test_add_func("/roofline-draw/unknown-peaks", test_unknown_peaks);
    g_test_add_func("/roofline-draw/gnuplot", test_gnuplot);
    return g_test_run();
}
