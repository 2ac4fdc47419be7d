/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The ceilings of the plain roofline besides a GPU's own. Each kernel has two customised ones:
 * E_mix * T_op for its share of multiply-adds, and equation 18's T'_op. A ceiling that all kernels
 * share goes across the plane. The others are short lines at their kernel, drawn for few kernels on
 * one GPU, since each has a text. The discounted roofline goes through one kernel.
 */
#include "roofline/draw/chart.h"

#include <math.h>

/* Mixes that differ by less are one ceiling. */
#define SAME 0.01

/* Half the length of a kernel's own ceiling, in dots. */
#define HALF_LENGTH 16

#define SHARED "#0072B2"

static const PsLook discounted_look = {.colour = "#D55E00", .width = 1.8, .dash = "4"};

static gboolean is_drawn(const PsDraw *draw, guint i)
{
    return !ps_draw_why_not(ps_draw_kernel(draw, i), PS_DRAW_DEVICE);
}

/* ---- customised ceilings -------------------------------------------------------------------- */

typedef struct {
    gboolean mix; /* TRUE: E_mix * T_op; FALSE: equation 18's T'_op */
    const char *name, *brief, *dash;
} Custom;

static const Custom customs[] = {
    {TRUE, "its mix, E_mix T_op", "mix", "1"},
    {FALSE, "adjusted, eq. 18", "eq. 18", "3"},
};

/* The height of a kernel's ceiling; NaN where it is not known, or the kernel has none of its own:
 * integers have no mix. */
static double value_of(const Custom *custom, const PsDrawKernel *kernel)
{
    const double value = !custom->mix ? kernel->adjusted
                         : kernel->params->K_type == PS_K_INT
                             ? NAN
                             : kernel->params->E_mix * ps_draw_own_peak(kernel);
    return ps_draw_drawable(value) ? value : NAN;
}

/* TRUE if the chart has customised ceilings: those of many kernels, or on several GPUs, would be a
 * crowd. */
static gboolean has_customs(const PsDrawChart *chart)
{
    return !ps_draw_many_gpus(chart->draw) && chart->drawn <= PS_DRAW_FEW;
}

/* The ceiling that all drawn kernels share; NaN where they share none, or are on several GPUs. */
static double shared(const PsDraw *draw, const Custom *custom)
{
    double value = NAN;
    for (guint i = 0; i < draw->kernels->len; i++) {
        if (!is_drawn(draw, i))
            continue;
        const double its = value_of(custom, ps_draw_kernel(draw, i));
        if (isnan(its) || fabs(its / value - 1) > SAME)
            return NAN;
        value = isnan(value) ? its : value;
    }
    return value;
}

/* TRUE where a GPU's own ceiling has that height. */
static gboolean is_plain(const PsDraw *draw, double value)
{
    for (guint i = 0; i < draw->kernels->len; i++) {
        const double peak = ps_draw_own_peak(ps_draw_kernel(draw, i));
        if (fabs(value / peak - 1) < SAME || fabs(2 * value / peak - 1) < SAME)
            return TRUE;
    }
    return FALSE;
}

/* The intensity from which bandwidth allows the ceiling. */
static double ridge_of(const PsDraw *draw, double value)
{
    const double bandwidth = ps_draw_bandwidth(draw, 0, PS_DRAW_DEVICE);
    return isnan(bandwidth) ? PS_CHART_NEAR : value / bandwidth;
}

/* TRUE if the ceiling is drawn at the kernel alone: it is not drawn already, as a GPU's own ceiling
 * or as the point that is predicted to be on it, and it bounds the kernel, since bandwidth is no
 * lower ceiling at the kernel's intensity. */
static gboolean has_own(const PsDraw *draw, const Custom *custom, guint i)
{
    const PsDrawKernel *kernel = ps_draw_kernel(draw, i);
    const double value = value_of(custom, kernel);
    if (!is_drawn(draw, i) || isnan(value) || !isnan(shared(draw, custom)) || is_plain(draw, value))
        return FALSE;
    if (kernel->estimated && fabs(kernel->rate / value - 1) < SAME)
        return FALSE;
    return kernel->params->O_krn >= ridge_of(draw, value);
}

static PsLook look_of(const Custom *custom, const char *colour)
{
    return (PsLook){.colour = colour, .width = 1.4, .dash = custom->dash};
}

static void put_shared(PsDrawChart *chart, const Custom *custom, double value)
{
    const PsLook look = look_of(custom, SHARED);
    const PsXY from = {ridge_of(chart->draw, value), value}, to = {PS_CHART_FAR, value};
    g_autofree char *amount = ps_draw_rate(chart, value);
    g_autofree char *text = g_strdup_printf("%s: %s", custom->name, amount);
    ps_chart_segment(chart->chart, custom->name, &look, from, to);
    ps_chart_label_along(chart->chart, text, SHARED, to, from);
}

/* Puts the shared ceilings, and for those of single kernels their part of the axes and the key. */
static void put_customs(PsDrawChart *chart)
{
    const PsDraw *draw = chart->draw;
    for (guint c = 0; c < G_N_ELEMENTS(customs) && has_customs(chart); c++) {
        const PsLook look = look_of(&customs[c], PS_DRAW_GREY);
        const double value = shared(draw, &customs[c]);
        gboolean any = FALSE;
        ps_chart_see(chart->chart, NAN, value);
        if (!isnan(value) && !is_plain(draw, value))
            put_shared(chart, &customs[c], value);
        for (guint i = 0; i < draw->kernels->len; i++)
            if (has_own(draw, &customs[c], i)) {
                ps_chart_see(chart->chart, NAN, value_of(&customs[c], ps_draw_kernel(draw, i)));
                any = TRUE;
            }
        if (any)
            ps_chart_key(chart->chart, &look, "%s: ceiling, %s", customs[c].brief, customs[c].name);
    }
}

/* Puts a kernel's own ceiling around its intensity, not before the ceiling's ridge. */
static void put_own(PsDrawChart *chart, const Custom *custom, guint i)
{
    const PsDrawKernel *kernel = ps_draw_kernel(chart->draw, i);
    const double value = value_of(custom, kernel);
    const PsXY at = ps_chart_dots(chart->chart, (PsXY){kernel->params->O_krn, value});
    const PsXY ridge = ps_chart_dots(chart->chart, (PsXY){ridge_of(chart->draw, value), value});
    const double left = MAX(at.x - HALF_LENGTH, ridge.x);
    const PsXY from = ps_chart_value(chart->chart, (PsXY){left, at.y});
    const PsXY to = ps_chart_value(chart->chart, (PsXY){left + 2.0 * HALF_LENGTH, at.y});
    const PsLook look = look_of(custom, ps_draw_kernel_colour(chart, i));
    g_autofree char *what = g_strdup_printf("%s: %s", kernel->name, custom->name);
    g_autofree char *amount = ps_draw_rate(chart, value);
    g_autofree char *text = g_strdup_printf("%s %s", custom->brief, amount);
    ps_chart_segment(chart->chart, what, &look, from, to);
    ps_chart_label(chart->chart, text, look.colour, to);
}

void ps_draw_own_customs(PsDrawChart *chart)
{
    ps_chart_frame(chart->chart); /* lengths are in dots from now on */
    for (guint c = 0; c < G_N_ELEMENTS(customs) && has_customs(chart); c++)
        for (guint i = 0; i < chart->draw->kernels->len; i++)
            if (has_own(chart->draw, &customs[c], i))
                put_own(chart, &customs[c], i);
}

/* ---- the discounted roofline ---------------------------------------------------------------- */

/* The share of the plain roofline that the kernel reaches; NaN where that is not known. */
static double efficiency(const PsDraw *draw, guint i)
{
    const PsDrawKernel *kernel = ps_draw_kernel(draw, i);
    const double roof = fmin(ps_draw_own_peak(kernel),
                             kernel->params->O_krn * ps_draw_own_bandwidth(kernel, PS_DRAW_DEVICE));
    return kernel->rate / roof;
}

static gboolean check_discounted(const PsDraw *draw, GError **error)
{
    if (draw->discounted < 0)
        return TRUE;
    const guint i = (guint)draw->discounted;
    const char *reason = NULL;
    if (i >= draw->kernels->len)
        reason = "there is no such kernel";
    else if (!is_drawn(draw, i))
        reason = ps_draw_why_not(ps_draw_kernel(draw, i), PS_DRAW_DEVICE);
    else if (!ps_draw_drawable(efficiency(draw, i)))
        reason = "the ceilings above it are not known";
    if (reason)
        g_set_error(error, PS_ERROR, PS_ERROR_VALUE,
                    "the discounted roofline cannot go through kernel %u%s%s: %s", i + 1,
                    i < draw->kernels->len ? ", " : "",
                    i < draw->kernels->len ? ps_draw_kernel(draw, i)->name : "", reason);
    return !reason;
}

/* Puts both roofs, scaled so that the kernel is on them. */
static void put_discounted(PsDrawChart *chart)
{
    const PsDraw *draw = chart->draw;
    if (draw->discounted < 0)
        return;
    const guint i = (guint)draw->discounted;
    const PsDrawKernel *kernel = ps_draw_kernel(draw, i);
    const double share = efficiency(draw, i);
    const double slope = share * ps_draw_own_bandwidth(kernel, PS_DRAW_DEVICE);
    const double top = share * ps_draw_own_peak(kernel);
    const double ridge = isnan(slope) ? PS_CHART_NEAR : isnan(top) ? PS_CHART_FAR : top / slope;
    if (!isnan(slope))
        ps_chart_segment(chart->chart, "discounted bandwidth", &discounted_look,
                         (PsXY){PS_CHART_NEAR, PS_CHART_NEAR * slope},
                         (PsXY){ridge, ridge * slope});
    if (!isnan(top))
        ps_chart_segment(chart->chart, "discounted peak", &discounted_look, (PsXY){ridge, top},
                         (PsXY){PS_CHART_FAR, top});
    const PsDrawEntry *entry = ps_draw_entry_of(chart, i);
    g_autofree char *through =
        chart->by_name ? g_strdup(entry->name) : g_strdup_printf("%u", entry->number);
    ps_chart_key(chart->chart, &discounted_look, "discounted to %s %%, through %s",
                 ps_draw_number(share * 100, 3).text, through);
}

gboolean ps_draw_customs(PsDrawChart *chart, GError **error)
{
    if (!check_discounted(chart->draw, error))
        return FALSE;
    put_customs(chart);
    put_discounted(chart);
    return TRUE;
}
