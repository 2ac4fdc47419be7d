/* SPDX-License-Identifier: BSD-3-Clause */
/* See validated-chart.h. */
#include "tell/validated-chart.h"

#include "draw/draw.h"

#include <math.h>

#define COLUMNS 3

typedef struct {
    const PsValidated *comparison;
    guint first, end; /* range of one kernel's points */
} Panel;

static const PsValidatedPoint *at(const Panel *panel, guint i)
{
    return &g_array_index(panel->comparison->points, PsValidatedPoint, i);
}

static gboolean varies(const Panel *panel)
{
    for (guint i = panel->first + 1; i < panel->end; i++)
        if (at(panel, i)->warps != at(panel, panel->first)->warps)
            return TRUE;
    return FALSE;
}

/* The work of a run in units of 10^9: operations, otherwise bytes; otherwise it is unknown. */
static double work(const PsValidatedPoint *compared)
{
    return compared->flops > 0   ? compared->flops / 1e9
           : compared->bytes > 0 ? compared->bytes / 1e9
                                 : NAN;
}

static const char *unit(const PsValidatedPoint *compared)
{
    return compared->flops > 0 ? "GFLOP/s" : "GB/s";
}

static int by_warps(const void *a, const void *b)
{
    const PsValidatedPoint *x = a, *y = b;
    return (x->warps > y->warps) - (x->warps < y->warps);
}

/* Puts a kernel's points by warps, with the rates of one of their times. */
static void put_series(const GArray *sorted, gsize time, const char *name, const PsLook *look,
                       PsChart *chart)
{
    g_autofree PsXY *points = g_new(PsXY, sorted->len);
    for (guint i = 0; i < sorted->len; i++) {
        const PsValidatedPoint *point = &g_array_index(sorted, PsValidatedPoint, i);
        points[i] =
            (PsXY){(double)point->warps, work(point) / G_STRUCT_MEMBER(double, point, time)};
    }
    ps_chart_series(chart, name, look, points, sorted->len);
}

static PsChart *draw_panel(const Panel *panel)
{
    const PsLook measured = {
        .colour = ps_look_colour(0), .marker = ps_look_marker(0, FALSE), .size = 0.4};
    const PsLook simulated = {.colour = ps_look_colour(1), .width = 1.5};
    const PsLook roofline = {.colour = "#000000", .width = 1, .dash = "2"};
    const PsAxis x = {"active warps", PS_SCALE_LINEAR, NULL};
    const PsAxis y = {unit(at(panel, panel->first)), PS_SCALE_LINEAR, NULL};
    PsChart *chart = ps_chart_new(at(panel, panel->first)->point->kernel, &x, &y);
    g_autoptr(GArray) sorted = g_array_new(FALSE, FALSE, sizeof(PsValidatedPoint));
    g_array_append_vals(sorted, at(panel, panel->first), panel->end - panel->first);
    g_array_sort(sorted, by_warps);
    put_series(sorted, G_STRUCT_OFFSET(PsValidatedPoint, measured), "measured", &measured, chart);
    put_series(sorted, G_STRUCT_OFFSET(PsValidatedPoint, simulated), "simulated", &simulated,
               chart);
    put_series(sorted, G_STRUCT_OFFSET(PsValidatedPoint, roofline), "roofline", &roofline, chart);
    return chart;
}

static void free_chart(void *chart)
{
    ps_chart_free(chart);
}

char *ps_validated_chart_script(const PsValidated *comparison, const char *title, double *height)
{
    g_autoptr(GPtrArray) charts = g_ptr_array_new_with_free_func(free_chart);
    for (guint i = 0; i < comparison->points->len; i = ps_validated_end_of_kernel(comparison, i)) {
        const Panel panel = {comparison, i, ps_validated_end_of_kernel(comparison, i)};
        if (varies(&panel))
            g_ptr_array_add(charts, draw_panel(&panel));
    }
    return charts->len ? ps_charts_script(charts, title, COLUMNS, TRUE, height) : NULL;
}
