/* SPDX-License-Identifier: BSD-3-Clause */
/* Marks of kernels in the roofline's plane, and how one leads to the next. */
#include "roofline/draw/chart.h"

#include <math.h>
#include <string.h>

/* A kernel of infinite intensity stands so many dots from the right edge. */
#define FROM_EDGE 22

#define GREY "#555555"

/* A diamond: no level of memory has it. */
#define LEGEND_SHAPE 3

const char *ps_draw_why_not(const PsDrawKernel *kernel, double intensity, double bytes)
{
    if (isnan(intensity))
        return isnan(kernel->params->W_comp) ? "operations not known"
               : isnan(bytes)                ? "traffic not known"
                                             : "no operations, no traffic";
    if (intensity <= 0)
        return "no operations";
    if (isnan(kernel->rate))
        return "performance not known";
    if (kernel->rate <= 0)
        return "performance is 0";
    if (!ps_draw_drawable(kernel->rate))
        return "performance out of range";
    if (isfinite(intensity) && !ps_draw_drawable(intensity))
        return "intensity out of range";
    return NULL;
}

PsDrawXY ps_draw_place_of(const PsDrawChart *chart, double intensity, double rate)
{
    const PsDrawXY edge = ps_draw_value(chart, (PsDrawXY){chart->room.width - FROM_EDGE, 0});
    return (PsDrawXY){isinf(intensity) ? edge.x : intensity, rate / chart->unit};
}

char *ps_draw_mark_style(guint shape, const char *colour, gboolean hollow, gboolean small)
{
    return g_strdup_printf("pointtype %u pointsize %s linewidth %s linecolor rgb '%s'",
                           ps_draw_marker(shape, hollow), small ? "0.45" : "0.9",
                           small ? "0.8" : "1.4", colour);
}

char *ps_draw_mark_inside(const char *style)
{
    static const char before[] = "pointtype ";
    g_assert(g_str_has_prefix(style, before));
    char *size = NULL;
    const guint64 type = g_ascii_strtoull(style + strlen(before), &size, 10);
    if (type % 2) /* ps_draw_marker: filled */
        return NULL;
    return g_strdup_printf("%s%u%.*s linecolor rgb 'white'", before, (guint)type + 1,
                           (int)(strstr(size, " linewidth") - size), size);
}

void ps_draw_kernel_mark(PsDrawChart *chart, guint i, double intensity, const char *style)
{
    const PsDrawKernel *kernel = ps_draw_kernel(chart->draw, i);
    const PsDrawEntry *entry = &g_array_index(chart->entries, PsDrawEntry, chart->entry_of[i]);
    const PsDrawXY at = ps_draw_place_of(chart, intensity, kernel->rate);
    g_autofree char *what = g_strdup_printf("%u %s", entry->number, kernel->name);
    ps_draw_mark(chart, what, style, at);
    if (isinf(intensity)) {
        const PsDrawXY dots = ps_draw_dots(chart, at);
        const PsDrawXY end = ps_draw_value(chart, (PsDrawXY){chart->room.width + 5, dots.y});
        ps_draw_arrow(chart, at, end, "linecolor rgb '" GREY "'");
    }
}

void ps_draw_key_marks(PsDrawChart *chart)
{
    gboolean achieved = FALSE, estimated = FALSE;
    for (guint i = 0; i < chart->draw->kernels->len; i++) {
        const PsDrawKernel *kernel = ps_draw_kernel(chart->draw, i);
        if (!g_array_index(chart->entries, PsDrawEntry, chart->entry_of[i]).number)
            continue;
        if (kernel->estimated)
            estimated = TRUE;
        else
            achieved = TRUE;
        chart->edge = chart->edge || isinf(kernel->params->O_krn);
    }
    if (achieved)
        ps_draw_key_add(chart, NULL, ps_draw_mark_style(LEGEND_SHAPE, GREY, FALSE, FALSE),
                        g_strdup("filled: measured"));
    if (estimated)
        ps_draw_key_add(chart, NULL, ps_draw_mark_style(LEGEND_SHAPE, GREY, TRUE, FALSE),
                        g_strdup("hollow: predicted, not measured"));
    if (chart->edge)
        ps_draw_key_add(chart, NULL, NULL, g_strdup("at the right edge: no traffic"));
}

void ps_draw_trajectory(PsDrawChart *chart, PsDrawIntensity intensity_of, PsLevel level,
                        const char *style)
{
    const PsDraw *draw = chart->draw;
    for (guint gpu = 0; gpu < draw->gpus->len; gpu++) {
        gboolean begun = FALSE;
        PsDrawXY last = {0, 0};
        for (guint i = 0; i < draw->kernels->len; i++) {
            const PsDrawKernel *kernel = ps_draw_kernel(draw, i);
            const double intensity = intensity_of(kernel, level);
            if (kernel->gpu != gpu ||
                ps_draw_why_not(kernel, intensity, kernel->params->traffic[level]))
                continue;
            const PsDrawXY at = ps_draw_place_of(chart, intensity, kernel->rate);
            if (begun)
                ps_draw_arrow(chart, last, at, style);
            last = at;
            begun = TRUE;
        }
    }
}
