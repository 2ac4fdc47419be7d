/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Matrix products by their kind: which a class is of, and which peak counts for it (docs/model.md,
 * section 5).
 */
#include "roofline/params.h"

#include <math.h>
#include <string.h>

/* Sums of the same operations that are equal but for how they were rounded. */
#define ROUNDING 1e-9

/* As in the names of classes and peaks. */
static const char *const names[PS_PRODUCT_SPARSE] = {[PS_PRODUCT_F64] = "f64",
                                                     [PS_PRODUCT_F32] = "f32",
                                                     [PS_PRODUCT_TF32] = "tf32",
                                                     [PS_PRODUCT_BF16] = "bf16",
                                                     [PS_PRODUCT_F16_F16] = "f16.f16",
                                                     [PS_PRODUCT_F16_F32] = "f16.f32",
                                                     [PS_PRODUCT_F8_F16] = "f8.f16",
                                                     [PS_PRODUCT_F8_F32] = "f8.f32",
                                                     [PS_PRODUCT_F6_F16] = "f6.f16",
                                                     [PS_PRODUCT_F6_F32] = "f6.f32",
                                                     [PS_PRODUCT_F4_F16] = "f4.f16",
                                                     [PS_PRODUCT_F4_F32] = "f4.f32",
                                                     [PS_PRODUCT_S8] = "s8",
                                                     [PS_PRODUCT_S4] = "s4",
                                                     [PS_PRODUCT_B1] = "b1"};

/* ---- of a class ---------------------------------------------------------------------------- */

/* Which of the instructions it is (wgmma) does not matter here. */
static const char *after_instruction(const char *klass)
{
    static const char *const before[] = {"tensor.wgmma.", "tensor."};
    for (guint i = 0; i < G_N_ELEMENTS(before); i++)
        if (g_str_has_prefix(klass, before[i]))
            return klass + strlen(before[i]);
    return "";
}

void ps_products_count(const char *klass, double ops, PsMetrics *metrics)
{
    const char *rest = after_instruction(klass);
    for (guint kind = 0; kind < PS_PRODUCT_SPARSE; kind++) {
        if (!ps_class_covers(names[kind], rest))
            continue;
        const char *shape = rest + strlen(names[kind]);
        const gboolean sparse = *shape && ps_class_covers("sparse", shape + 1);
        metrics->products[kind + (sparse ? PS_PRODUCT_SPARSE : 0)] += ops;
    }
}

/* ---- peaks --------------------------------------------------------------------------------- */

/* The peak of that name, or of the longest beginning of it. */
static const PsPeak *find_upwards(const PsGpu *gpu, const char *name)
{
    g_autofree char *part = g_strdup(name);
    const PsPeak *peak = NULL;
    for (char *end = part + strlen(part); !peak && end; end = strrchr(part, '.')) {
        *end = '\0';
        peak = ps_gpu_peak(gpu, part);
    }
    return peak;
}

double ps_peak_of_product(const PsGpu *gpu, PsRational clock, PsProductKind kind,
                          const PsPeak **peak)
{
    g_autofree char *name = g_strconcat("T_tensor.", names[kind % PS_PRODUCT_SPARSE], NULL);
    *peak = find_upwards(gpu, name);
    if (!*peak)
        return NAN;
    const PsRational rate = (*peak)->value.num ? (*peak)->value : (*peak)->datasheet;
    const double scale = ps_rational_to_double(clock.num ? clock : ps_gpu_usual_clock(gpu)) /
                         ps_rational_to_double(gpu->clock);
    return ps_rational_to_double(rate) * 1e9 * scale * (kind >= PS_PRODUCT_SPARSE ? 2 : 1);
}

void ps_peaks_products(const PsGpu *gpu, PsRational clock, const PsMetrics *metrics, PsPeaks *peaks)
{
    double seconds = 0, known = 0;
    const PsPeak *last = NULL;
    for (guint kind = 0; kind < PS_N_PRODUCTS; kind++) {
        if (!(metrics->products[kind] > 0))
            continue;
        seconds +=
            metrics->products[kind] / ps_peak_of_product(gpu, clock, (PsProductKind)kind, &last);
        known += metrics->products[kind];
    }
    const double rest = metrics->value[PS_M_OPS_TENSOR] - known;
    const gboolean others = rest > known * ROUNDING;
    if (others)
        seconds += rest / peaks->value[PS_T_TENSOR];
    if (!last || isnan(seconds))
        return;
    peaks->value[PS_T_TENSOR] = (known + (others ? rest : 0)) / seconds;
    peaks->origin[PS_T_TENSOR] = last->value.num ? PS_PEAK_STATED : PS_PEAK_DATASHEET;
}
