/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See chart.h. Points and curves are drawn over the independent instructions in flight, warps times
 * chains. Cycles per instruction of the CU fall from Lambda as max(Lambda / x, lambda) does,
 * whatever the mix of warps and chains, so all points of a straight pipeline lie on one hull. If
 * pipelines belong to schedulers, points of one warp with several chains lie above it: that
 * distinguishes the two cases.
 */
#include "tell/bench/chart.h"

#include "base/class-name.h"
#include "draw/draw.h"
#include "roofline/ceilings.h"

#include <math.h>
#include <string.h>

#define COLUMNS 2

/* Classes on a panel: those that belong together, as many as the key beside it has room for. */
#define MOST_CLASSES 7
#define MOST_LINES 13

typedef struct {
    const PsRaw *raw;
    const PsBenchResult *result;
    GPtrArray *panels; /* char *: their titles */
    char **panel_of;   /* [fit]: title of its panel; NULL: none */
} Chart;

static const PsBenchFit *fit_at(const Chart *chart, guint i)
{
    return &g_array_index(chart->result->fits, PsBenchFit, i);
}

/* The pipeline of a fit's class; NULL: it has none. */
static const char *pipeline_of(const Chart *chart, const PsBenchFit *fit)
{
    const PsGpu *gpu = chart->result->gpu;
    PsMatch match;
    const PsClass *class = ps_gpu_class(gpu, fit->class_name, &match);
    if (!class || match != PS_MATCH_EXACT)
        return NULL;
    return ((const PsPipeline *)gpu->pipelines->pdata[class->pipeline])->name;
}

static guint classes_on(const Chart *chart, const char *pipeline)
{
    guint n = 0;
    for (guint i = 0; i < chart->result->fits->len; i++)
        n += g_strcmp0(pipeline_of(chart, fit_at(chart, i)), pipeline) == 0;
    return n;
}

/* FALSE: the point cannot be drawn. */
static gboolean point_of(const PsHullPoint *point, PsXY *at)
{
    at->x = (double)point->warps * (double)point->ilp;
    at->y = point->cycles / at->x;
    return point->warps > 0 && point->ilp > 0 && point->cycles > 0 && isfinite(point->cycles);
}

/* TRUE if the fit has measurements: a class for which others stand in has a pipeline without
 * any. */
static gboolean has_points(const PsBenchFit *fit)
{
    PsXY at;
    for (guint i = 0; i < fit->points->len; i++)
        if (point_of(&g_array_index(fit->points, PsHullPoint, i), &at))
            return TRUE;
    return FALSE;
}

/* If a pipeline has too many classes, those with equal first two parts share a panel. */
static char *title_of(const Chart *chart, const PsBenchFit *fit)
{
    const char *pipeline = pipeline_of(chart, fit);
    if (!pipeline || classes_on(chart, pipeline) <= MOST_CLASSES)
        return g_strdup(pipeline);
    g_autofree char *parts = ps_class_first_parts(fit->class_name, 2);
    return g_strdup_printf("%s: %s", pipeline, parts);
}

static gboolean is_on(const Chart *chart, guint i, const char *panel)
{
    return g_strcmp0(chart->panel_of[i], panel) == 0;
}

/* Takes ownership of the title. When a panel is full, later classes get another one. */
static char *with_room(const Chart *chart, guint before, char *title)
{
    for (guint part = 2;; part++) {
        guint n = 0;
        for (guint i = 0; i < before; i++)
            n += is_on(chart, i, title) ? 1 : 0;
        if (n < MOST_LINES)
            return title;
        g_autofree char *full = title;
        const char *end = part > 2 ? strrchr(full, ' ') : full + strlen(full);
        title = g_strdup_printf("%.*s (%u)", (int)(end - full), full, part);
    }
}

static void find_panels(const Chart *chart)
{
    for (guint i = 0; i < chart->result->fits->len; i++) {
        const PsBenchFit *fit = fit_at(chart, i);
        char *title = has_points(fit) ? title_of(chart, fit) : NULL;
        chart->panel_of[i] = title ? with_room(chart, i, title) : NULL;
        title = chart->panel_of[i];
        if (title && !g_ptr_array_find_with_equal_func(chart->panels, title, g_str_equal, NULL))
            g_ptr_array_add(chart->panels, title);
    }
}

/* ---- hulls --------------------------------------------------------------------------------- */

/* The figure, or the bound that replaces it. */
static double figure(const PsEstimate *estimate)
{
    return isfinite(estimate->value) ? estimate->value : estimate->high;
}

/* lambda of the whole CU, also for pipelines of schedulers. */
static double issue_of_cu(const Chart *chart, const PsHullFit *fit)
{
    const double schedulers =
        fit->scope == PS_PIPELINE_SCHEDULER ? (double)MAX(chart->result->gpu->schedulers, 1) : 1;
    return figure(&fit->issue) / schedulers;
}

/* Puts the points and their curve, max(Lambda / x, lambda), as far as the points go; with two
 * logarithmic axes it is two straight lines. The range shows the fit (outliers may lie outside), or
 * the measurements if a figure is unknown. */
static void put_hull(const Chart *chart, const PsBenchFit *fit, guint number, PsChart *out)
{
    const PsLook marks = {
        .colour = ps_look_colour(number), .marker = ps_look_marker(0, FALSE), .size = 0.35};
    const PsLook line = {
        .colour = marks.colour, .width = 1, .dash = ps_look_dash(number / PS_LOOK_COLOURS)};
    PsLook both = marks;
    both.width = line.width;
    both.dash = line.dash;
    const double completion = figure(&fit->fit.completion), issue = issue_of_cu(chart, &fit->fit);
    const gboolean known = completion > 0 && issue > 0 && isfinite(completion) && isfinite(issue);
    double most = 1;
    for (guint i = 0; i < fit->points->len; i++) {
        PsXY at;
        if (!point_of(&g_array_index(fit->points, PsHullPoint, i), &at))
            continue;
        ps_chart_mark(out, NULL, &marks, at);
        ps_chart_see(out, at.x, known ? NAN : at.y);
        most = MAX(most, at.x);
    }
    const double bend = known ? CLAMP(completion / issue, 1, most) : NAN;
    const PsXY hull[] = {{1, MAX(completion, issue)},
                         {bend, MAX(completion / bend, issue)},
                         {most, MAX(completion / most, issue)}};
    if (known)
        ps_chart_series(out, NULL, &line, hull, G_N_ELEMENTS(hull));
    ps_chart_key(out, &both, "%s", fit->class_name);
}

static PsChart *draw_panel(const Chart *chart, const char *panel)
{
    static const PsAxis x = {"instructions in flight", PS_SCALE_LOG2, NULL};
    static const PsAxis y = {"cycles per warp instruction", PS_SCALE_LOG10, NULL};
    PsChart *out = ps_chart_new(panel, &x, &y);
    for (guint i = 0, n = 0; i < chart->result->fits->len; i++)
        if (is_on(chart, i, panel))
            put_hull(chart, fit_at(chart, i), n++, out);
    return out;
}

/* ---- the sweep over intensity -------------------------------------------------------------- */

/* A peak in 10^9 units per second at the base clock; NaN: unknown. */
static double peak_of(const Chart *chart, PsPeakKind kind)
{
    PsPeaks peaks;
    ps_peaks_resolve(chart->result->gpu, chart->result->gpu->clock, &peaks);
    return peaks.value[kind] / 1e9;
}

/* Operations per byte, and 10^9 operations per second. A row states the operations of a thread and
 * trip, which has `ilp` loads of 4 bytes. FALSE: the row has no time. */
static gboolean intensity_of(const PsRawRow *row, PsXY *at)
{
    const PsBenchLaunch *launch = &row->launch;
    at->x = row->operations / (4.0 * (double)MAX(row->ilp, 1));
    at->y = row->operations * (double)launch->length * (double)launch->groups *
            (double)launch->group_size / row->sample.seconds / 1e9;
    return !row->problem && at->x > 0 && isfinite(at->y) && at->y > 0;
}

/* The best rate at each intensity, over occupancies and repeats. */
static GArray *best_rates(const Chart *chart)
{
    GArray *best = g_array_new(FALSE, FALSE, sizeof(PsXY));
    for (guint i = 0; i < chart->raw->rows->len; i++) {
        const PsRawRow *row = chart->raw->rows->pdata[i];
        PsXY rate;
        guint at = 0;
        if (row->kind != PS_BENCH_INTENSITY || !intensity_of(row, &rate))
            continue;
        while (at < best->len && g_array_index(best, PsXY, at).x < rate.x)
            at++;
        PsXY *same = at < best->len ? &g_array_index(best, PsXY, at) : NULL;
        if (same && same->x == rate.x)
            same->y = MAX(same->y, rate.y);
        else
            g_array_insert_val(best, at, rate);
    }
    return best;
}

/* NULL: nothing of the sweep was measured. */
static PsChart *draw_intensity(const Chart *chart)
{
    static const PsAxis x = {"FLOP/byte", PS_SCALE_LOG2, NULL};
    static const PsAxis y = {"GFLOP/s", PS_SCALE_LOG10, NULL};
    static const PsLook black = {.colour = "#000000", .width = 1};
    const PsLook look = {
        .colour = ps_look_colour(0), .width = 1, .marker = ps_look_marker(0, FALSE), .size = 0.5};
    const double compute = peak_of(chart, PS_T_SP), memory = peak_of(chart, PS_B_MEM);
    g_autoptr(GArray) best = best_rates(chart);
    if (!best->len)
        return NULL;
    const PsXY *points = (const PsXY *)(const void *)best->data;
    const double least = points[0].x, most = points[best->len - 1].x;
    const double ridge = CLAMP(compute / memory, least, most);
    const PsXY roof[] = {{least, MIN(memory * least, compute)},
                         {ridge, MIN(memory * ridge, compute)},
                         {most, MIN(memory * most, compute)}};
    PsChart *out = ps_chart_new("intensity sweep", &x, &y);
    ps_chart_series(out, "measured", &look, points, best->len);
    if (compute > 0 && memory > 0)
        ps_chart_series(out, "roofline", &black, roof, G_N_ELEMENTS(roof));
    return out;
}

/* -------------------------------------------------------------------------------------------- */

static void free_chart(void *chart)
{
    ps_chart_free(chart);
}

char *ps_bench_chart_script(const PsRaw *raw, const PsBenchResult *result, double *height)
{
    g_autoptr(GPtrArray) panels = g_ptr_array_new();
    g_autoptr(GPtrArray) charts = g_ptr_array_new_with_free_func(free_chart);
    g_autofree char *title =
        g_strdup_printf("Boat hulls of %s: measured points, fitted curves", result->gpu->name);
    const Chart chart = {raw, result, panels, g_new0(char *, result->fits->len + 1)};
    find_panels(&chart);
    for (guint i = 0; i < panels->len; i++)
        g_ptr_array_add(charts, draw_panel(&chart, panels->pdata[i]));
    PsChart *sweep = draw_intensity(&chart);
    if (sweep)
        g_ptr_array_add(charts, sweep);
    if (!charts->len)
        g_ptr_array_add(charts, draw_panel(&chart, "nothing was measured"));
    char *script = ps_charts_script(charts, title, COLUMNS, FALSE, height);
    for (guint i = 0; i < result->fits->len; i++)
        g_free(chart.panel_of[i]);
    g_free(chart.panel_of);
    return script;
}
