/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See bench-chart.h. Points and curves are drawn over the independent instructions in flight, warps
 * times chains: cycles per instruction of the CU fall from Lambda as max(Lambda / x, lambda) does,
 * whatever the mix of warps and chains, so that all points of a straight pipeline lie on one hull.
 * Those of one warp with several chains lie above it where pipelines belong to schedulers: that is
 * how the two are told apart.
 */
#include "cli/bench/chart.h"

#include "cli/system/gnuplot.h"

#include <math.h>
#include <string.h>

/* Panels beside each other, each with its key at its side, and rows of them on a chart of the usual
 * height. */
#define COLUMNS 2
#define USUAL_ROWS 2.5

/* Classes on a panel: as many as go together, and as many as the key beside it has room for. */
#define MOST_CLASSES 7
#define MOST_LINES 13

/* Of the key: letters of its texts per letter of the usual size, and what its samples take. */
#define KEY_LETTERS 0.68
#define KEY_SAMPLE 4

/* Vertical axes that span fewer powers of ten have tics at 2 and 5, too. */
#define SHORT_SPAN 2.2

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

static gboolean is_drawable(const PsHullPoint *point)
{
    return point->warps > 0 && point->ilp > 0 && point->cycles > 0 && isfinite(point->cycles);
}

/* Whether anything of it was measured: a class that others stand in for has a pipeline without. */
static gboolean has_points(const PsBenchFit *fit)
{
    for (guint i = 0; i < fit->points->len; i++)
        if (is_drawable(&g_array_index(fit->points, PsHullPoint, i)))
            return TRUE;
    return FALSE;
}

/* Where a pipeline has too many classes, those whose first two parts are the same are together. */
static char *title_of(const Chart *chart, const PsBenchFit *fit)
{
    const char *pipeline = pipeline_of(chart, fit);
    if (!pipeline || classes_on(chart, pipeline) <= MOST_CLASSES)
        return g_strdup(pipeline);
    g_autofree char *parts = ps_class_first_parts(fit->klass, 2);
    return g_strdup_printf("%s: %s", pipeline, parts);
}

static gboolean is_on(const Chart *chart, guint i, const char *panel)
{
    return g_strcmp0(chart->panel_of[i], panel) == 0;
}

/* Takes the title; where a panel of that title is full, those that come later have one more. */
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

static void find_panels(Chart *chart)
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

static double in_flight(const PsHullPoint *point)
{
    return (double)point->warps * (double)point->ilp;
}

static void put_points(const Chart *chart, guint i)
{
    const PsBenchFit *fit = fit_at(chart, i);
    g_string_append_printf(chart->out, "$points%u << END\n", i);
    for (guint j = 0; j < fit->points->len; j++) {
        const PsHullPoint *point = &g_array_index(fit->points, PsHullPoint, j);
        const double x = in_flight(point);
        if (is_drawable(point))
            g_string_append_printf(chart->out, "%.10g %.10g\n", x, point->cycles / x);
    }
    g_string_append(chart->out, "END\n");
}

/* The fitted curve, max(Lambda / x, lambda), as far as the points go: with both axes logarithmic it
 * is two straight lines. Nothing where a figure is not known. */
static void put_curve(const Chart *chart, guint i)
{
    const PsBenchFit *fit = fit_at(chart, i);
    const double completion = figure(&fit->fit.completion), issue = issue_of_cu(chart, &fit->fit);
    double most = 1;
    for (guint j = 0; j < fit->points->len; j++)
        most = MAX(most, in_flight(&g_array_index(fit->points, PsHullPoint, j)));
    g_string_append_printf(chart->out, "$curve%u << END\n", i);
    const gboolean known = completion > 0 && issue > 0 && isfinite(completion) && isfinite(issue);
    const double at[] = {1, known ? CLAMP(completion / issue, 1, most) : NAN, most};
    for (guint j = 0; j < G_N_ELEMENTS(at); j++)
        if (known)
            g_string_append_printf(chart->out, "%.10g %.10g\n", at[j],
                                   MAX(completion / at[j], issue));
        else
            g_string_append(chart->out, "NaN NaN\n");
    g_string_append(chart->out, "END\n");
}

typedef struct {
    double least, most;
} Range;

static void see(Range *range, double cycles)
{
    if (!(cycles > 0) || !isfinite(cycles))
        return;
    range->least = MIN(range->least, cycles);
    range->most = MAX(range->most, cycles);
}

/* What is fitted shall be seen; where nothing could be, what is measured. */
static Range range_of(const Chart *chart, const char *panel)
{
    Range fitted = {INFINITY, 0}, measured = {INFINITY, 0};
    for (guint i = 0; i < chart->result->fits->len; i++) {
        const PsBenchFit *fit = fit_at(chart, i);
        if (!is_on(chart, i, panel))
            continue;
        see(&fitted, issue_of_cu(chart, &fit->fit));
        see(&fitted, figure(&fit->fit.completion));
        for (guint j = 0; j < fit->points->len; j++) {
            const PsHullPoint *point = &g_array_index(fit->points, PsHullPoint, j);
            see(&measured, point->cycles / in_flight(point));
        }
    }
    return fitted.most > 0 ? fitted : measured;
}

static void put_range(const Chart *chart, const char *panel)
{
    const Range seen = range_of(chart, panel);
    const Range shown = {seen.least / MARGIN, seen.most * MARGIN};
    g_string_append_printf(chart->out, "set yrange [%.10g:%.10g]\n", shown.least, shown.most);
    if (log10(shown.most / shown.least) >= SHORT_SPAN) {
        g_string_append(chart->out, "set ytics autofreq\n");
        return;
    }
    const char *separator = "set ytics (";
    for (int power = (int)floor(log10(shown.least)); power <= log10(shown.most); power++)
        for (int digit = 1; digit <= 5; digit += digit == 1 ? 1 : 3) {
            g_string_append_printf(chart->out, "%s%.6g", separator, digit * pow(10, power));
            separator = ", ";
        }
    g_string_append(chart->out, ")\n");
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
        g_string_append_printf(chart->out, ", $curve%u with lines linetype %u notitle", i, colour);
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
                    "set ytics autofreq\nset xlabel 'FLOP/byte'\nset ylabel 'GFLOP/s'\n"
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

/* What the widest text of a key takes, in letters of the usual size. */
static guint key_letters(const Chart *chart)
{
    glong widest = (glong)strlen("measured");
    for (guint i = 0; i < chart->result->fits->len; i++)
        if (chart->panel_of[i])
            widest = MAX(widest, g_utf8_strlen(fit_at(chart, i)->klass, -1));
    return KEY_SAMPLE + (guint)(KEY_LETTERS * (double)widest);
}

static void put_frame(const Chart *chart, guint rows, guint columns)
{
    g_autofree char *title = g_strdup_printf("Boat hulls of %s: measured points, fitted curves",
                                             chart->result->gpu->name);
    g_autofree char *quoted = ps_draw_quote(title);
    g_string_append_printf(
        chart->out,
        "min(a, b) = a < b ? a : b\n"
        "set samples 400\nset logscale xy\nset border 3\nset tics nomirror\n"
        "set tics font ',8'\nset rmargin %u\nset xrange [1:*]\n"
        "set key at graph 1.01,graph 1 left top Left reverse vertical maxcols 1 font ',7' "
        "samplen 1 spacing 0.8 noenhanced\n"
        "set title font ',9'\nset xlabel 'instructions in flight' font ',8' offset 0,0.8\n"
        "set ylabel 'cycles per warp instruction' font ',8' offset 1.5,0\nset logscale x 2\n"
        "set format y '%%g'\n"
        "set grid linetype 1 linewidth 0.5 linecolor rgb '#dddddd'\n"
        "set multiplot layout %u,%u title %s noenhanced font ',10'\n",
        key_letters(chart), rows, columns, quoted);
}

static void put_all(const Chart *chart, double *height)
{
    for (guint i = 0; i < chart->result->fits->len; i++)
        if (chart->panel_of[i]) {
            put_points(chart, i);
            put_curve(chart, i);
        }
    const gboolean sweep = put_intensity_points(chart);
    const guint panels = MAX(chart->panels->len + sweep, 1);
    const guint columns = MIN(panels, COLUMNS), rows = (panels + columns - 1) / columns;
    *height = MAX(rows / USUAL_ROWS, 1);
    put_frame(chart, rows, columns);
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
