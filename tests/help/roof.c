/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/help/roof.h"

#include "tests/help/contains.h"
#include <math.h>
#include <string.h>

PsPeaks toy_peaks, big_peaks;

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

Roof *roof_new(PsDrawKind kind, guint gpus)
{
    Roof *chart = g_new0(Roof, 1);
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

void roof_free(Roof *chart)
{
    g_array_unref(chart->draw.gpus);
    g_array_unref(chart->draw.kernels);
    g_ptr_array_unref(chart->names);
    g_free(chart);
}

PsDrawKernel *roof_add(Roof *chart, const char *name, double intensity, double rate)
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

void roof_peaks(Roof *chart)
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

char *roof_script(Roof *chart)
{
    g_autoptr(GError) error = NULL;
    roof_peaks(chart);
    double height;
    char *script = ps_draw_script(&chart->draw, &height, &error);
    g_assert_no_error(error);
    g_assert_nonnull(script);
    return script ? script : g_strdup("");
}

void assert_ratio(double value, double expected)
{
    g_assert_cmpfloat_with_epsilon(value / expected, 1, 1e-6);
}

void roof_rows(const char *script, const char *what, double *values, guint n)
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

void roof_point(const char *script, const char *what, double x, double y)
{
    double row[2];
    roof_rows(script, what, row, 1);
    assert_ratio(row[0], x);
    assert_ratio(row[1], y);
}
