/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See sweep-chart.h. A curve has one colour and three parts: a line for results, markers for
 * simulated times, which leave the line where it was clamped (dots lead there), and dashes for the
 * roofline. The key explains these once, in grey, and names the curves.
 */
#include "tell/sweep-chart.h"

#include "base/error.h"
#include "draw/draw.h"

#include <math.h>
#include <string.h>

/* An axis with a larger ratio of values is logarithmic. */
#define LOG_SPAN 32

/* The vertical axis is logarithmic if the lowest simulated point is this far from the roofline. */
#define LOG_DISTANCE 20

/* A colour of the key that no curve has. */
#define GREY "#555555"
static const PsLook result_look = {.colour = GREY, .width = 1.5};
static const PsLook roofline_look = {.colour = GREY, .width = 1.5, .dash = "(12,6)"};
static const PsLook simulated_look = {
    .colour = GREY, .width = 0.8, .dash = "(3,8)", .marker = 7, .size = 0.7};

struct PsSweepChart {
    char *title, *x_label;
    GPtrArray *names; /* names of curves */
    GArray *points;   /* Point */
    double measured;  /* seconds; 0: not told */
};

typedef struct {
    guint curve;
    PsSweepChartPoint point;
} Point;

PsSweepChart *ps_sweep_chart_new(const char *title, const char *x_label)
{
    PsSweepChart *chart = g_new0(PsSweepChart, 1);
    chart->title = g_strdup(title);
    chart->x_label = g_strdup(x_label);
    chart->names = g_ptr_array_new_with_free_func(g_free);
    chart->points = g_array_new(FALSE, FALSE, sizeof(Point));
    return chart;
}

void ps_sweep_chart_free(PsSweepChart *chart)
{
    if (!chart)
        return;
    g_free(chart->title);
    g_free(chart->x_label);
    g_ptr_array_unref(chart->names);
    g_array_unref(chart->points);
    g_free(chart);
}

void ps_sweep_chart_add(PsSweepChart *chart, const char *name, const PsSweepChartPoint *point)
{
    Point added = {chart->names->len, *point};
    if (!g_ptr_array_find_with_equal_func(chart->names, name, g_str_equal, &added.curve))
        g_ptr_array_add(chart->names, g_strdup(name));
    g_array_append_val(chart->points, added);
}

void ps_sweep_chart_set_measured(PsSweepChart *chart, double measured)
{
    chart->measured = measured;
}

const char *ps_sweep_chart_title(const PsSweepChart *chart)
{
    return chart->title;
}

/* ---- curves -------------------------------------------------------------------------------- */

typedef enum { RESULT, SIMULATED, ROOFLINE, N_SERIES } Series;

typedef struct {
    guint n;
    PsXY *points[N_SERIES]; /* by x; y is NaN if unknown */
} Curve;

static void clear_curve(void *curve)
{
    for (Series series = 0; series < N_SERIES; series++)
        g_free(((const Curve *)curve)->points[series]);
}

static const Point *point_at(const PsSweepChart *chart, guint i)
{
    return &g_array_index(chart->points, Point, i);
}

static int by_curve(const void *a, const void *b)
{
    const Point *p = a, *q = b;
    if (p->curve != q->curve)
        return (p->curve > q->curve) - (p->curve < q->curve);
    return (p->point.x > q->point.x) - (p->point.x < q->point.x);
}

/* TRUE if all kernels count operations: then rates are drawn. */
static gboolean all_count(const PsSweepChart *chart)
{
    for (guint i = 0; i < chart->points->len; i++)
        if (!(point_at(chart, i)->point.flops > 0) || !(point_at(chart, i)->point.result > 0))
            return FALSE;
    return TRUE;
}

/* GFLOP/s, or milliseconds. */
static double y_of(const PsSweepChartPoint *point, double seconds, gboolean rate)
{
    return rate ? point->flops / seconds / 1e9 : seconds * 1e3;
}

/* Begins the curve with that first point. */
static Curve curve_from(const PsSweepChart *chart, guint first, gboolean rate)
{
    Curve curve = {0};
    while (first + curve.n < chart->points->len &&
           point_at(chart, first + curve.n)->curve == point_at(chart, first)->curve)
        curve.n++;
    for (Series series = 0; series < N_SERIES; series++)
        curve.points[series] = g_new(PsXY, curve.n);
    for (guint i = 0; i < curve.n; i++) {
        const PsSweepChartPoint *point = &point_at(chart, first + i)->point;
        const double seconds[] = {point->result, point->simulated,
                                  point->roofline > 0 ? point->roofline : NAN};
        for (Series series = 0; series < N_SERIES; series++)
            curve.points[series][i] = (PsXY){point->x, y_of(point, seconds[series], rate)};
    }
    return curve;
}

static GArray *curves_of(const PsSweepChart *chart, gboolean rate)
{
    GArray *curves = g_array_new(FALSE, FALSE, sizeof(Curve));
    g_array_set_clear_func(curves, clear_curve);
    g_array_sort(chart->points, by_curve);
    for (guint i = 0; i < chart->points->len;
         i += g_array_index(curves, Curve, curves->len - 1).n) {
        const Curve curve = curve_from(chart, i, rate);
        g_array_append_val(curves, curve);
    }
    return curves;
}

/* ---- axes ---------------------------------------------------------------------------------- */

/* NaN: no value. */
typedef struct {
    PsXY least, most;
} Extent;

static Extent extent_of(const GArray *curves, Series first, Series last)
{
    Extent extent = {{NAN, NAN}, {NAN, NAN}};
    for (guint i = 0; i < curves->len; i++)
        for (Series series = first; series <= last; series++)
            for (guint j = 0; j < g_array_index(curves, Curve, i).n; j++) {
                const PsXY at = g_array_index(curves, Curve, i).points[series][j];
                extent.least = (PsXY){fmin(extent.least.x, at.x), fmin(extent.least.y, at.y)};
                extent.most = (PsXY){fmax(extent.most.x, at.x), fmax(extent.most.y, at.y)};
            }
    return extent;
}

/* Both axes begin at 0, unless the horizontal one is logarithmic, or a simulation far from the
 * roofline would be pressed down to the axis. */
static PsChart *begin(const PsSweepChart *chart, const Extent *drawn, double roofline,
                      gboolean rate)
{
    const gboolean log_x =
        drawn->least.x > 0 && drawn->most.x > 1024 && drawn->most.x / drawn->least.x > LOG_SPAN;
    const gboolean log_y = drawn->least.y > 0 && roofline / drawn->most.y > LOG_DISTANCE;
    const PsAxis x = {chart->x_label, log_x ? PS_SCALE_LOG2 : PS_SCALE_LINEAR, NULL};
    const PsAxis y = {rate ? "performance (GFLOP/s)" : "time (ms)",
                      log_y ? PS_SCALE_LOG10 : PS_SCALE_LINEAR, NULL};
    return ps_chart_new(chart->title, &x, &y);
}

/* ---- what is drawn ------------------------------------------------------------------------- */

static gboolean same_roofline(const Curve *one, const Curve *other)
{
    return one->n == other->n &&
           memcmp(one->points[ROOFLINE], other->points[ROOFLINE], one->n * sizeof(PsXY)) == 0;
}

/* Equal rooflines (if only latencies differ) would hide each other: the first is drawn, in grey. */
static void put_roofline(const GArray *curves, guint i, PsChart *out)
{
    const Curve *curve = &g_array_index(curves, Curve, i);
    PsLook look = roofline_look;
    look.colour = ps_look_colour(i);
    for (guint j = 0; j < curves->len; j++) {
        if (j == i || !same_roofline(curve, &g_array_index(curves, Curve, j)))
            continue;
        look.colour = GREY;
        if (j < i)
            return;
    }
    ps_chart_series(out, NULL, &look, curve->points[ROOFLINE], curve->n);
}

static void put_curve(const char *name, const Curve *curve, guint i, PsChart *out)
{
    const PsLook line = {
        .colour = ps_look_colour(i), .width = 1.5, .dash = ps_look_dash(i / PS_LOOK_COLOURS)};
    PsLook marks = simulated_look, both = line;
    marks.colour = line.colour;
    marks.marker = both.marker = ps_look_marker(i, FALSE);
    both.size = marks.size;
    ps_chart_series(out, NULL, &line, curve->points[RESULT], curve->n);
    ps_chart_series(out, NULL, &marks, curve->points[SIMULATED], curve->n);
    ps_chart_key(out, &both, "%s", name);
}

static void put_measured(const PsSweepChart *chart, const Extent *drawn, gboolean rate,
                         PsChart *out)
{
    static const PsLook look = {.colour = "#000000", .width = 1.5, .dash = "(24,8,4,8)"};
    const double y = y_of(&point_at(chart, 0)->point, chart->measured, rate);
    const PsXY ends[] = {{drawn->least.x, y}, {drawn->most.x, y}};
    if (chart->measured > 0)
        ps_chart_series(out, "measured", &look, ends, G_N_ELEMENTS(ends));
}

char *ps_sweep_chart_script(PsSweepChart *chart, double *height, GError **error)
{
    if (!chart->points->len) {
        g_set_error(error, PS_ERROR, PS_ERROR_VALUE, "there is no point to draw in a chart");
        return NULL;
    }
    const gboolean rate = all_count(chart);
    g_autoptr(GArray) curves = curves_of(chart, rate);
    const Extent drawn = extent_of(curves, RESULT, SIMULATED);
    const double roofline = extent_of(curves, ROOFLINE, ROOFLINE).most.y;
    g_autoptr(PsChart) out = begin(chart, &drawn, roofline, rate);
    for (guint i = 0; i < curves->len; i++)
        put_roofline(curves, i, out);
    ps_chart_key(out, &result_look, "result");
    ps_chart_key(out, &simulated_look, "simulated");
    if (!isnan(roofline))
        ps_chart_key(out, &roofline_look, "roofline");
    put_measured(chart, &drawn, rate, out);
    for (guint i = 0; i < curves->len; i++)
        put_curve(chart->names->pdata[i], &g_array_index(curves, Curve, i), i, out);
    return ps_chart_script(out, height);
}
