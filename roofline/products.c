/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Matrix products by their kind: the kind of a class, and the peak that counts for it
 * (docs/reference/model.md, section 5).
 */
#include "base/class-name.h"
#include "base/matrix.h"
#include "gpu/rows.h"
#include "roofline/params.h"
#include "roofline/terms.h"

#include <math.h>
#include <string.h>

/* Relative difference of two equal sums of operations by rounding. */
#define ROUNDING 1e-9

/* Names of kinds, as in the names of classes and peaks. */
static const struct {
    const char *factor, *result;
} types[PS_PRODUCT_SPARSE] = {
    [PS_PRODUCT_F64] = {"f64", NULL},      [PS_PRODUCT_F32] = {"f32", NULL},
    [PS_PRODUCT_TF32] = {"tf32", NULL},    [PS_PRODUCT_BF16] = {"bf16", NULL},
    [PS_PRODUCT_F16_F16] = {"f16", "f16"}, [PS_PRODUCT_F16_F32] = {"f16", "f32"},
    [PS_PRODUCT_F8_F16] = {"f8", "f16"},   [PS_PRODUCT_F8_F32] = {"f8", "f32"},
    [PS_PRODUCT_F6_F16] = {"f6", "f16"},   [PS_PRODUCT_F6_F32] = {"f6", "f32"},
    [PS_PRODUCT_F4_F16] = {"f4", "f16"},   [PS_PRODUCT_F4_F32] = {"f4", "f32"},
    [PS_PRODUCT_S8] = {"s8", NULL},        [PS_PRODUCT_S4] = {"s4", NULL},
    [PS_PRODUCT_B1] = {"b1", NULL}};

/* The kind of a class, PS_N_PRODUCTS where its name does not say. The instruction (wgmma) does not
 * matter here. */
static guint kind_of(const char *class_name)
{
    PsMatrixName product;
    if (!ps_matrix_parse(class_name, &product))
        return PS_N_PRODUCTS;
    for (guint kind = 0; kind < PS_PRODUCT_SPARSE; kind++)
        if (g_strcmp0(types[kind].factor, product.factor) == 0 &&
            g_strcmp0(types[kind].result, product.result) == 0)
            return kind + (product.sparse ? PS_PRODUCT_SPARSE : 0);
    return PS_N_PRODUCTS;
}

void ps_products_count(const char *class_name, double ops, PsMetrics *metrics)
{
    const guint kind = kind_of(class_name);
    if (kind < PS_N_PRODUCTS)
        metrics->products[kind] += ops;
}

/* ---- peaks --------------------------------------------------------------------------------- */

/* The peak with a kind's name, or with the longest beginning of it; PS_N_PRODUCTS: a peak of any
 * kind. */
static const PsPeak *find_peak(const PsGpu *gpu, guint kind)
{
    const guint type = kind % PS_PRODUCT_SPARSE;
    g_autofree char *name = kind < PS_N_PRODUCTS ? g_strjoin(".", "T_tensor", types[type].factor,
                                                             types[type].result, NULL)
                                                 : g_strdup("T_tensor");
    const PsPeak *peak;
    do
        peak = ps_gpu_peak(gpu, name);
    while (!peak && ps_class_cut_last(name));
    return peak;
}

/* The figures that count: the description's, else the data sheet's; or the higher of both. */
typedef enum { FIRST, HIGHEST } Figures;

/* Operations per second; NaN, and *peak is NULL, where there is no peak. */
static double peak_of(const PsGpu *gpu, PsRational clock, guint kind, Figures figures,
                      const PsPeak **peak)
{
    *peak = find_peak(gpu, kind);
    if (!*peak)
        return NAN;
    const PsRational value = (*peak)->value, sheet = (*peak)->datasheet;
    const gboolean by_value = figures == FIRST ? value.num != 0 : ps_rational_cmp(value, sheet) > 0;
    const PsRational rate = by_value ? value : sheet;
    const double scale = ps_rational_to_double(clock.num ? clock : ps_gpu_usual_clock(gpu)) /
                         ps_rational_to_double(gpu->clock);
    const gboolean sparse = kind >= PS_PRODUCT_SPARSE && kind < PS_N_PRODUCTS;
    return ps_rational_to_double(rate) * 1e9 * scale * (sparse ? 2 : 1);
}

/* The pipeline of products of a kind, G_MAXUINT where no class says so: on GPUs whose tensor cores
 * have no doubles the units of doubles multiply these. */
static guint pipeline_of(const PsGpu *gpu, guint kind)
{
    const gboolean sparse = kind >= PS_PRODUCT_SPARSE;
    const guint type = kind % PS_PRODUCT_SPARSE;
    g_autoptr(GString) name = g_string_new("tensor");
    const char *const parts[] = {types[type].factor, types[type].result, sparse ? "sparse" : NULL};
    for (guint i = 0; kind < PS_N_PRODUCTS && i < G_N_ELEMENTS(parts); i++)
        if (parts[i])
            g_string_append_printf(name, ".%s", parts[i]);
    const PsClass *class = ps_gpu_class(gpu, name->str, NULL);
    return class ? class->pipeline : G_MAXUINT;
}

/* Seconds that pipelines take for products. */
typedef struct {
    guint pipelines[PS_N_PRODUCTS + 1], n;
    double seconds[PS_N_PRODUCTS + 1];
} Taken;

static void take(Taken *taken, guint pipeline, double seconds)
{
    guint i = 0;
    while (i < taken->n && taken->pipelines[i] != pipeline)
        i++;
    if (i == taken->n) {
        taken->pipelines[taken->n++] = pipeline;
        taken->seconds[i] = 0;
    }
    taken->seconds[i] += seconds;
}

/* The time of products one after the other, or at the same time on several pipelines. */
static double seconds_of(const Taken *taken, Figures figures)
{
    double sum = 0, most = 0;
    for (guint i = 0; i < taken->n; i++) {
        sum += taken->seconds[i];
        most = fmax(most, taken->seconds[i]);
    }
    return figures == FIRST || isnan(sum) ? sum : most;
}

static void weigh_products(const PsGpu *gpu, PsRational clock, const PsMetrics *metrics,
                           Figures figures, PsPeaks *peaks)
{
    Taken taken = {.n = 0};
    double known = 0;
    const PsPeak *last = NULL;
    for (guint kind = 0; kind < PS_N_PRODUCTS; kind++) {
        if (!(metrics->products[kind] > 0))
            continue;
        take(&taken, pipeline_of(gpu, kind),
             metrics->products[kind] / peak_of(gpu, clock, kind, figures, &last));
        known += metrics->products[kind];
    }
    const double rest = metrics->value[PS_M_OPS_TENSOR] - known;
    const gboolean others = rest > known * ROUNDING;
    if (others)
        take(&taken, pipeline_of(gpu, PS_N_PRODUCTS), rest / peaks->value[PS_T_TENSOR]);
    const double seconds = seconds_of(&taken, figures);
    if (!last || isnan(seconds))
        return;
    peaks->value[PS_T_TENSOR] = (known + (others ? rest : 0)) / seconds;
    peaks->origin[PS_T_TENSOR] = last->value.num ? PS_PEAK_STATED : PS_PEAK_DATASHEET;
}

double ps_product_limit(const PsGpu *gpu, PsRational clock, const char *class_name)
{
    const PsPeak *peak;
    return peak_of(gpu, clock, kind_of(class_name), HIGHEST, &peak);
}

void ps_peaks_products(const PsGpu *gpu, PsRational clock, const PsMetrics *metrics, PsPeaks *peaks)
{
    weigh_products(gpu, clock, metrics, FIRST, peaks);
}

void ps_products_limit(const PsGpu *gpu, PsRational clock, const PsMetrics *metrics, PsPeaks *peaks)
{
    weigh_products(gpu, clock, metrics, HIGHEST, peaks);
}
