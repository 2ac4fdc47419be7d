/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See chart-script.h. A curve is three things of one colour: a line for the result, markers for
 * what was simulated, which leave the line where it was clamped (dots lead there), and dashes for
 * the roofline. The key names the curves, and says once, in grey, what dashes and markers are.
 */
#include "cli/sweep/chart-script.h"

#include "pipesim.h"

#include <math.h>

/* An axis whose values span more than this is logarithmic. */
#define LOG_SPAN 32

/* The vertical axis is logarithmic where the lowest simulated point is this far from the
 * roofline. */
#define LOG_DISTANCE 20

/* Up to so many curves are named above the chart, more at its side. */
#define FEW_CURVES 6

/* gnuplot's own. */
#define N_COLOURS 8
#define N_DASHES 5

/* Tick marks are written out below this, and with M, G, ... above. */
#define LONG_NUMBER 1e7

/* What differs from a curve's own look. */
#define GREY "linecolor rgb '#555555'"
#define ROOFLINE_DASH "dashtype (24,12) linewidth 1.5"
#define SIMULATED_DASH "dashtype (3,8) linewidth 0.8"

typedef struct {
    const ChartSheet *sheet;
    GString *script;
    gboolean rate; /* GFLOP/s, not milliseconds */
} Script;

static const ChartCurve *curve_at(const Script *script, guint i)
{
    return script->sheet->curves->pdata[i];
}

static const ChartPoint *point_at(const ChartCurve *curve, guint i)
{
    return &g_array_index(curve->points, ChartPoint, i);
}

static void put_setting(GString *script, const char *setting, const char *text)
{
    g_autofree char *quoted = ps_draw_quote(text);
    g_string_append_printf(script, "%s %s noenhanced\n", setting, quoted);
}

/* ---- data ---------------------------------------------------------------------------------- */

static int by_x(const void *a, const void *b)
{
    const ChartPoint *p = a, *q = b;
    return (p->x > q->x) - (p->x < q->x);
}

/* Everything that counts operations is drawn as a rate. */
static gboolean all_count(const ChartSheet *sheet)
{
    for (guint i = 0; i < sheet->curves->len; i++) {
        const ChartCurve *curve = sheet->curves->pdata[i];
        for (guint j = 0; j < curve->points->len; j++)
            if (!(point_at(curve, j)->flops > 0) || !(point_at(curve, j)->result > 0))
                return FALSE;
    }
    return TRUE;
}

static double y_of(const Script *script, const ChartPoint *point, double seconds)
{
    return script->rate ? point->flops / seconds / 1e9 : seconds * 1e3;
}

/* Columns: x, simulated, roofline, result. gnuplot leaves a gap at "NaN". */
static void put_data(const Script *script, guint i)
{
    const ChartCurve *curve = curve_at(script, i);
    g_string_append_printf(script->script, "$curve%u << END\n", i);
    for (guint j = 0; j < curve->points->len; j++) {
        const ChartPoint *point = point_at(curve, j);
        g_string_append_printf(script->script, "%.10g %.10g ", point->x,
                               y_of(script, point, point->simulated));
        if (point->roofline > 0)
            g_string_append_printf(script->script, "%.10g ", y_of(script, point, point->roofline));
        else
            g_string_append(script->script, "NaN ");
        g_string_append_printf(script->script, "%.10g\n", y_of(script, point, point->result));
    }
    g_string_append(script->script, "END\n");
}

/* ---- axes ---------------------------------------------------------------------------------- */

typedef struct {
    double least, most;
} Extent;

static const Extent NOTHING = {G_MAXDOUBLE, -G_MAXDOUBLE};

static void extend(Extent *extent, double value)
{
    extent->least = MIN(extent->least, value);
    extent->most = MAX(extent->most, value);
}

/* Numbers are written out until they get so long that people count their zeros. */
static void put_format(GString *script, char axis, const Extent *extent)
{
    g_string_append_printf(script, "set format %c '%s'\n", axis,
                           extent->most < LONG_NUMBER ? "%.8g" : "%.1s%c");
}

/* The horizontal axis starts at 0, unless its values span so much that it is logarithmic. */
static void put_x(GString *script, const Extent *x)
{
    if (x->least > 0 && x->most > 1024 && x->most / x->least > LOG_SPAN)
        g_string_append(script, "set logscale x 2\n");
    else if (x->least >= 0 && x->most > 0)
        g_string_append_printf(script, "set xrange [0:%.10g]\n", x->most * 1.02);
    put_format(script, 'x', x);
}

/* The vertical one likewise, unless that would press a simulation that is far from the roofline
 * down to the axis. */
static void put_y(const Script *script, const Extent *drawn, const Extent *roofline)
{
    Extent y = *drawn;
    if (roofline->most > 0) {
        extend(&y, roofline->least);
        extend(&y, roofline->most);
    }
    if (drawn->least > 0 && y.most / drawn->most > LOG_DISTANCE)
        g_string_append(script->script, "set logscale y 10\nset yrange [*:*]\n");
    else
        g_string_append(script->script, "set yrange [0:*]\n");
    put_format(script->script, 'y', &y);
}

static void put_axes(const Script *script)
{
    Extent x = NOTHING, drawn = NOTHING, roofline = NOTHING;
    for (guint i = 0; i < script->sheet->curves->len; i++) {
        const ChartCurve *curve = curve_at(script, i);
        for (guint j = 0; j < curve->points->len; j++) {
            const ChartPoint *point = point_at(curve, j);
            extend(&x, point->x);
            extend(&drawn, y_of(script, point, point->simulated));
            extend(&drawn, y_of(script, point, point->result));
            if (point->roofline > 0)
                extend(&roofline, y_of(script, point, point->roofline));
        }
    }
    put_x(script->script, &x);
    put_y(script, &drawn, &roofline);
}

/* ---- curves -------------------------------------------------------------------------------- */

/* What a curve is drawn in. gnuplot has eight colours, and each has a marker, for print without
 * colours; curves beyond them get another dash and another marker for each eight. */
static guint marker_of(guint i)
{
    static const guint markers[] = {7, 5, 9, 13, 6, 4, 8, 12};
    return markers[(i + i / N_COLOURS) % G_N_ELEMENTS(markers)];
}

static void put_curve(const Script *script, guint i)
{
    g_autofree char *name = ps_draw_quote(curve_at(script, i)->name);
    const guint colour = i % N_COLOURS + 1;
    g_string_append_printf(
        script->script,
        ", $curve%u using 1:4 with lines linetype %u dashtype %u linewidth 1.5 "
        "notitle, $curve%u using 1:2 with linespoints linetype %u " SIMULATED_DASH
        " pointtype %u pointsize 0.7 notitle",
        i, colour, i / N_COLOURS % N_DASHES + 1, i, colour, marker_of(i));
    /* What the key shows: line and marker together, of no point. */
    g_string_append_printf(script->script,
                           ", NaN with linespoints linetype %u dashtype %u linewidth 1.5 "
                           "pointtype %u pointsize 0.7 title %s",
                           colour, i / N_COLOURS % N_DASHES + 1, marker_of(i), name);
}

static gboolean same_roofline(const ChartCurve *one, const ChartCurve *other)
{
    if (one->points->len != other->points->len)
        return FALSE;
    for (guint i = 0; i < one->points->len; i++) {
        const ChartPoint *p = point_at(one, i), *q = point_at(other, i);
        if (p->x != q->x || p->roofline != q->roofline || p->flops != q->flops)
            return FALSE;
    }
    return TRUE;
}

static gboolean has_roofline(const ChartCurve *curve)
{
    for (guint i = 0; i < curve->points->len; i++)
        if (point_at(curve, i)->roofline > 0)
            return TRUE;
    return FALSE;
}

/* Rooflines that are the same (latencies alone differ, say) would hide each other: TRUE for the
 * first of them; *alone tells whether there are others like it. */
static gboolean is_first_roofline(const Script *script, guint i, gboolean *alone)
{
    const ChartCurve *curve = curve_at(script, i);
    *alone = TRUE;
    for (guint j = 0; j < script->sheet->curves->len; j++) {
        if (j == i || !same_roofline(curve, curve_at(script, j)))
            continue;
        *alone = FALSE;
        if (j < i)
            return FALSE;
    }
    return has_roofline(curve);
}

/* A roofline has the colour of its curve, grey where several have it. */
static gboolean put_roofline(const Script *script, guint i)
{
    gboolean alone;
    if (!is_first_roofline(script, i, &alone))
        return FALSE;
    g_string_append_printf(script->script, ", $curve%u using 1:3 with lines ", i);
    if (alone)
        g_string_append_printf(script->script, "linetype %u", i % N_COLOURS + 1);
    else
        g_string_append(script->script, GREY);
    g_string_append(script->script, " " ROOFLINE_DASH " notitle");
    return TRUE;
}

static void put_plot(const Script *script)
{
    GString *out = script->script;
    const ChartSheet *sheet = script->sheet;
    gboolean roofline = FALSE;
    g_string_append(out, "plot NaN notitle");
    for (guint i = 0; i < sheet->curves->len; i++)
        roofline |= put_roofline(script, i);
    for (guint i = 0; i < sheet->curves->len; i++)
        put_curve(script, i);
    g_string_append(out, ", NaN with lines " GREY " linewidth 1.5 title 'result', "
                         "NaN with linespoints " GREY " " SIMULATED_DASH
                         " pointtype 7 pointsize 0.7 title 'simulated'");
    if (roofline)
        g_string_append(out, ", NaN with lines " GREY " " ROOFLINE_DASH " title 'roofline'");
    if (sheet->measured > 0)
        g_string_append_printf(out,
                               ", %.10g with lines linecolor rgb 'black' dashtype "
                               "(24,8,4,8) linewidth 1.5 title 'measured'",
                               y_of(script, point_at(curve_at(script, 0), 0), sheet->measured));
    g_string_append_c(out, '\n');
}

/* -------------------------------------------------------------------------------------------- */

char *chart_script(const ChartSheet *sheet)
{
    GString *out = g_string_new(NULL);
    const Script script = {sheet, out, all_count(sheet)};
    put_setting(out, "set title", sheet->title);
    put_setting(out, "set xlabel", sheet->x_label);
    put_setting(out, "set ylabel", script.rate ? "performance (GFLOP/s)" : "time (ms)");
    g_string_append(out, "set grid linetype 1 linewidth 0.5 linecolor rgb '#cccccc'\nset border 3\n"
                         "set tics nomirror\nset key noenhanced ");
    g_string_append(out, sheet->curves->len > FEW_CURVES ? "outside right vertical\n"
                                                         : "tmargin center horizontal\n");
    for (guint i = 0; i < sheet->curves->len; i++) {
        g_array_sort(curve_at(&script, i)->points, by_x);
        put_data(&script, i);
    }
    put_axes(&script);
    put_plot(&script);
    return g_string_free(out, FALSE);
}
