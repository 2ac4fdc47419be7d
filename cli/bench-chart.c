/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See bench-chart.h. Points and curves are drawn over the independent instructions in flight, warps
 * times chains: cycles per instruction of the CU fall from Lambda as max(Lambda / x, lambda) does,
 * whatever the mix of warps and chains, so that all points of a straight pipeline lie on one hull.
 * Those of one warp with several chains lie above it where pipelines belong to schedulers: that is
 * how the two are told apart.
 */
#include "cli/bench-chart.h"

#include "cli/gnuplot.h"

#include <math.h>
#include <string.h>

/* Panels beside each other, and rows of them on a chart of the usual height. */
#define COLUMNS 3
#define USUAL_ROWS 2.5

/* Classes of a panel, whose key would cover the points else. */
#define MOST_CLASSES 7

/* How far a panel goes beyond the figures in it; outliers may lie further off. */
#define MARGIN 3

typedef struct {
    const PsRaw *raw;
    const PsBenchResult *result;
    GString *out;
    GPtrArray *panels; /* char *: their titles */
    char **panel_of;   /* of each fit: its panel's title; NULL where it has no class */
} Chart;

static const PsBenchFit *fit_at(const Chart *chart, guint i)
{
    return &g_array_index(chart->result->fits, PsBenchFit, i);
}

/* The pipeline of the class that came of a fit; NULL where it is none. */
static const char *pipeline_of(const Chart *chart, const PsBenchFit *fit)
{
    const PsGpu *gpu = chart->result->gpu;
    PsMatch match;
    const PsClass *klass = ps_gpu_class(gpu, fit->klass, &match);
    if (!klass || match != PS_MATCH_EXACT)
        return NULL;
    return ((const PsPipeline *)gpu->pipelines->pdata[klass->pipeline])->name;
}

static guint classes_on(const Chart *chart, const char *pipeline)
{
    guint n = 0;
    for (guint i = 0; i < chart->result->fits->len; i++)
        n += g_strcmp0(pipeline_of(chart, fit_at(chart, i)), pipeline) == 0;
    return n;
}

/* Where a pipeline has too many classes, those whose first two parts are the same are together. */
static char *title_of(const Chart *chart, const PsBenchFit *fit)
{
    const char *pipeline = pipeline_of(chart, fit);
    if (!pipeline || classes_on(chart, pipeline) <= MOST_CLASSES)
        return g_strdup(pipeline);
    const char *dot = strchr(fit->klass, '.'), *end = dot ? strchr(dot + 1, '.') : NULL;
    g_autofree char *parts =
        end ? g_strndup(fit->klass, (gsize)(end - fit->klass)) : g_strdup(fit->klass);
    return g_strdup_printf("%s: %s", pipeline, parts);
}

static void find_panels(Chart *chart)
{
    for (guint i = 0; i < chart->result->fits->len; i++) {
        char *title = title_of(chart, fit_at(chart, i));
        chart->panel_of[i] = title;
        if (title && !g_ptr_array_find_with_equal_func(chart->panels, title, g_str_equal, NULL))
            g_ptr_array_add(chart->panels, title);
    }
}

/* ---- hulls --------------------------------------------------------------------------------- */

/* gnuplot's own colours but the yellow one. */
static guint colour_of(guint i)
{
    static const guint colours[] = {1, 2, 3, 4, 6, 7, 8};
    return colours[i % G_N_ELEMENTS(colours)];
}

/* The figure, or the bound that stands in for it. */
static double figure(const PsEstimate *estimate)
{
    return isfinite(estimate->value) ? estimate->value : estimate->high;
}

/* lambda of the CU, whoever the pipeline belongs to. */
static double issue_of_cu(const Chart *chart, const PsHullFit *fit)
{
    const double schedulers =
        fit->scope == PS_PIPELINE_SCHEDULER ? (double)MAX(chart->result->gpu->schedulers, 1) : 1;
    return figure(&fit->issue) / schedulers;
}

static void put_points(const Chart *chart, guint i)
{
    const PsBenchFit *fit = fit_at(chart, i);
    guint n = 0;
    g_string_append_printf(chart->out, "$points%u << END\n", i);
    for (guint j = 0; j < fit->points->len; j++) {
        const PsHullPoint *point = &g_array_index(fit->points, PsHullPoint, j);
        const double x = (double)point->warps * (double)point->ilp;
        if (!(point->cycles > 0) || !isfinite(point->cycles))
            continue;
        g_string_append_printf(chart->out, "%.10g %.10g\n", x, point->cycles / x);
        n++;
    }
    /* gnuplot takes no empty table. */
    g_string_append(chart->out, n ? "END\n" : "NaN NaN\nEND\n");
}

static void put_curve(const Chart *chart, guint i, guint colour)
{
    const PsHullFit *fit = &fit_at(chart, i)->fit;
    g_string_append_printf(chart->out, ", max(%.10g / x, %.10g) with lines linetype %u notitle",
                           figure(&fit->completion), issue_of_cu(chart, fit), colour);
}

static gboolean is_on(const Chart *chart, guint i, const char *panel)
{
    return g_strcmp0(chart->panel_of[i], panel) == 0;
}

static void put_range(const Chart *chart, const char *panel)
{
    double least = INFINITY, most = 0;
    for (guint i = 0; i < chart->result->fits->len; i++)
        if (is_on(chart, i, panel)) {
            const PsHullFit *fit = &fit_at(chart, i)->fit;
            least = MIN(least, issue_of_cu(chart, fit));
            most = MAX(most, MAX(figure(&fit->completion), issue_of_cu(chart, fit)));
        }
    g_string_append_printf(chart->out, "set yrange [%.10g:%.10g]\n", least / MARGIN, most * MARGIN);
}

static void put_panel(const Chart *chart, const char *panel)
{
    g_autofree char *title = ps_draw_quote(panel);
    put_range(chart, panel);
    g_string_append_printf(chart->out, "set title %s noenhanced offset 0,-0.6\nplot NaN notitle",
                           title);
    for (guint i = 0, n = 0; i < chart->result->fits->len; i++) {
        if (!is_on(chart, i, panel))
            continue;
        const guint colour = colour_of(n++);
        g_autofree char *name = ps_draw_quote(fit_at(chart, i)->klass);
        g_string_append_printf(chart->out,
                               ", $points%u using 1:2 with points linetype %u pointtype 7 "
                               "pointsize 0.35 title %s",
                               i, colour, name);
        put_curve(chart, i, colour);
    }
    g_string_append_c(chart->out, '\n');
}

/* ---- the sweep over intensity -------------------------------------------------------------- */

/* 10^9 units per second of a peak at the base clock; NaN where it is not known. */
static double peak_of(const Chart *chart, PsPeakKind kind)
{
    PsPeaks peaks;
    ps_peaks_resolve(chart->result->gpu, chart->result->gpu->clock, &peaks);
    return peaks.value[kind] / 1e9;
}

typedef struct {
    double intensity, rate; /* operations per byte, and per second */
} Rate;

/* A row states the operations of a thread and trip, which has `ilp` loads of 4 bytes. FALSE where
 * there is no time. */
static gboolean intensity_of(const PsRawRow *row, Rate *rate)
{
    const PsBenchLaunch *launch = &row->launch;
    rate->intensity = row->operations / (4.0 * (double)MAX(row->ilp, 1));
    rate->rate = row->operations * (double)launch->length * (double)launch->groups *
                 (double)launch->group_size / row->sample.seconds;
    return !row->problem && rate->intensity > 0 && isfinite(rate->rate) && rate->rate > 0;
}

/* The best rate at each intensity, that is, over occupancies and repeats. */
static GArray *best_rates(const Chart *chart)
{
    GArray *best = g_array_new(FALSE, FALSE, sizeof(Rate));
    for (guint i = 0; i < chart->raw->rows->len; i++) {
        const PsRawRow *row = chart->raw->rows->pdata[i];
        Rate rate;
        guint at = 0;
        if (row->kind != PS_BENCH_INTENSITY || !intensity_of(row, &rate))
            continue;
        while (at < best->len && g_array_index(best, Rate, at).intensity < rate.intensity)
            at++;
        Rate *same = at < best->len ? &g_array_index(best, Rate, at) : NULL;
        if (same && same->intensity == rate.intensity)
            same->rate = MAX(same->rate, rate.rate);
        else
            g_array_insert_val(best, at, rate);
    }
    return best;
}

/* FALSE where nothing of the sweep was measured. */
static gboolean put_intensity_points(const Chart *chart)
{
    g_autoptr(GArray) best = best_rates(chart);
    g_string_append(chart->out, "$intensity << END\n");
    for (guint i = 0; i < best->len; i++) {
        const Rate *rate = &g_array_index(best, Rate, i);
        g_string_append_printf(chart->out, "%.10g %.10g\n", rate->intensity, rate->rate / 1e9);
    }
    g_string_append(chart->out, best->len ? "END\n" : "NaN NaN\nEND\n");
    return best->len > 0;
}

static void put_intensity(const Chart *chart)
{
    const double compute = peak_of(chart, PS_T_SP), memory = peak_of(chart, PS_B_MEM);
    g_string_append(chart->out,
                    "set title 'intensity sweep' offset 0,-0.6\nset autoscale y\n"
                    "set xlabel 'flop/byte'\nset ylabel 'GFLOP/s'\nset key bottom right\n"
                    "plot $intensity using 1:2 with linespoints linetype 1 pointtype 7 pointsize "
                    "0.5 title 'measured'");
    if (compute > 0 && memory > 0)
        g_string_append_printf(chart->out,
                               ", min(%.10g * x, %.10g) with lines linecolor rgb 'black' title "
                               "'roofline'",
                               memory, compute);
    g_string_append_c(chart->out, '\n');
}

/* -------------------------------------------------------------------------------------------- */

static void put_frame(const Chart *chart, guint rows)
{
    g_autofree char *title =
        g_strdup_printf("Boat hulls of %s: cycles per warp instruction over instructions in flight",
                        chart->result->gpu->name);
    g_autofree char *quoted = ps_draw_quote(title);
    g_string_append_printf(
        chart->out,
        "max(a, b) = a > b ? a : b\nmin(a, b) = a < b ? a : b\n"
        "set samples 400\nset logscale xy\nset border 3\nset tics nomirror\n"
        "set tics font ',8'\nset key font ',7' samplen 1 spacing 0.8 noenhanced\n"
        "set title font ',9'\nset xlabel font ',8' offset 0,0.8\n"
        "set ylabel font ',8' offset 1.5,0\nset logscale x 2\n"
        "set format y '%%g'\n"
        "set grid linetype 1 linewidth 0.5 linecolor rgb '#dddddd'\n"
        "set multiplot layout %u,%u title %s noenhanced font ',10'\n",
        rows, (guint)COLUMNS, quoted);
}

static void put_all(const Chart *chart, double *height)
{
    for (guint i = 0; i < chart->result->fits->len; i++)
        put_points(chart, i);
    const gboolean sweep = put_intensity_points(chart);
    const guint rows = MAX((chart->panels->len + sweep + COLUMNS - 1) / COLUMNS, 1);
    *height = MAX(rows / USUAL_ROWS, 1);
    put_frame(chart, rows);
    for (guint i = 0; i < chart->panels->len; i++)
        put_panel(chart, chart->panels->pdata[i]);
    if (sweep)
        put_intensity(chart);
    g_string_append(chart->out, "unset multiplot\n");
}

char *bench_chart_script(const PsRaw *raw, const PsBenchResult *result, double *height)
{
    GString *out = g_string_new(NULL);
    g_autoptr(GPtrArray) panels = g_ptr_array_new();
    Chart chart = {raw, result, out, panels, g_new0(char *, result->fits->len + 1)};
    find_panels(&chart);
    put_all(&chart, height);
    for (guint i = 0; i < result->fits->len; i++)
        g_free(chart.panel_of[i]);
    g_free(chart.panel_of);
    return g_string_free(out, FALSE);
}
