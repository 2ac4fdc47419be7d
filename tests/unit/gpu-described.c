/* SPDX-License-Identifier: BSD-3-Clause */
/* What a GPU's description states, as facts; and views whose columns are rows. */
#include "gpu/load.h"
#include "roofline/roofline.h"
#include "tell/gpu-described.h"
#include "tell/roofline-facts.h"

#include <math.h>
#include <string.h>

/* The number of the figure of that name in that part: the member `what` of it, or NaN. */
static double figure(const PsTold *facts, const char *part, const char *name, guint16 what)
{
    gboolean inside = FALSE, found = FALSE;
    for (guint i = 0; i < ps_told_length(facts); i++) {
        const PsFact *fact = ps_told_at(facts, i);
        if (fact->fact == PS_FACT_SHOWN_GPUS_PARTS_PART.n)
            inside = strcmp(fact->value.text, part) == 0;
        if (fact->fact == PS_FACT_SHOWN_GPUS_PARTS_FIGURES_NAME.n)
            found = inside && strcmp(fact->value.text, name) == 0;
        if (found && fact->fact == what)
            return ps_fact_number(fact);
    }
    return NAN;
}

static void test_figures(void)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PsGpu) gpu = ps_gpu_load("gpus/v100.xml", &error);
    g_assert_no_error(error);
    g_autoptr(PsTold) facts = ps_gpus_described(gpu, NULL);
    const guint16 value = PS_FACT_SHOWN_GPUS_PARTS_FIGURES_VALUE.n;
    const guint16 seconds = PS_FACT_SHOWN_GPUS_PARTS_FIGURES_SECONDS.n;
    g_assert_cmpfloat(figure(facts, "chip", "compute units", value), ==, 80);
    g_assert_cmpfloat(figure(facts, "limits", "registers", value), ==, 65536);
    g_assert_cmpfloat(figure(facts, "levels", "l2, latency", value), ==, 212);
    g_assert_cmpfloat(fabs(figure(facts, "levels", "l2, latency", seconds) - 212 / 1380e6), <,
                      1e-15);
    g_assert_cmpfloat(figure(facts, "rates", "fadd", value), ==, 64);
    g_assert_cmpfloat(figure(facts, "peaks", "T_SP", value), ==, 14131.2);
    g_assert_cmpfloat(figure(facts, "peaks", "T_SP", PS_FACT_SHOWN_GPUS_PARTS_FIGURES_DATASHEET.n),
                      ==, 12748.8);
}

/* Two GPUs: what only B has stands behind what is before it there, also before all of A's. */
static void test_beside(void)
{
    g_autoptr(PsGpu) a = ps_gpu_load("tests/golden/input/bare.xml", NULL),
                     b = ps_gpu_load("tests/golden/input/toy.xml", NULL);
    GString *out = g_string_new(NULL);
    const PsPaper paper = {.out = out};
    ps_gpus_beside(a, b, FALSE, &paper);
    const char *alu = strstr(out->str, "\n  alu      32.00"),
               *memory = strstr(out->str, "\n  memory       -");
    g_assert_nonnull(alu);
    g_assert_nonnull(memory);
    g_assert_true(alu < memory);
    g_assert_nonnull(strstr(out->str, "\n  T_SP    -  128.0      -  Gop/s"));
    g_string_free(out, TRUE);
}

/* A metric of the paper is shown though it is zero, another is not; what is not known never is. */
static void test_down(void)
{
    PsMetrics metrics;
    for (guint i = 0; i < PS_N_METRICS; i++)
        metrics.value[i] = NAN;
    metrics.value[PS_M_FP32] = metrics.value[PS_M_FP16] = 0;
    metrics.value[PS_M_L2] = 32;
    g_autoptr(PsTold) facts = ps_told_new();
    ps_tell_metrics(&metrics, facts);
    g_autoptr(PsTable) table = ps_table_of_view(PS_VIEW_ROOFLINE_METRICS_PAGE, facts, NULL, FALSE);
    g_assert_cmpuint(ps_table_n_rows(table), ==, 2);
    g_assert_cmpstr(ps_table_cell(table, 0, 0), ==, "M_fp32");
    g_assert_cmpstr(ps_table_cell(table, 0, 3), ==, "single-precision instructions");
    g_assert_cmpstr(ps_table_cell(table, 1, 0), ==, "M_l2");
    g_assert_cmpstr(ps_table_cell(table, 1, 2), ==, "32.00");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/gpu-described/figures", test_figures);
    g_test_add_func("/gpu-described/beside", test_beside);
    g_test_add_func("/gpu-described/down", test_down);
    return g_test_run();
}
