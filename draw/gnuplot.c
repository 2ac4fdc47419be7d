/* SPDX-License-Identifier: BSD-3-Clause */
/* Charts as a script for gnuplot, with their data inside. */
#include "draw/chart.h"

#include <math.h>
#include <string.h>

/* Points of the letters of a chart's title, its axes' names and tics, and the texts in it, on a
 * page of 900 dots; and the width of a letter of the title, in dots. */
#define TITLE 11.5
#define AXIS 10
#define TEXT 9
#define TITLE_COLUMN 8.4

/* From here on numbers at tics have a prefix instead of all their zeros. */
#define LONG_NUMBER 1e7

/* Pages of several charts: rows that fit on a page of the usual height; dots of the title above
 * them; and, as `panel`, the dots that each chart needs for its axes. */
#define USUAL_ROWS 2.3
#define TITLE_HEIGHT 30.0
static const PsPaper panel = {
    .left = 60, .right = 12, .bottom = 42, .top = 24, .letter = 0.78, .key = 0.78};

typedef struct {
    GString *out;          /* the script: first the settings of a chart, then its data and plots */
    GString *data, *plots; /* data and plots of the chart that is being written, until its
                              settings are complete */
    guint n_lines, n_marks;
} Script;

/* ---- the frame ------------------------------------------------------------------------------ */

static void put_words(GString *out, const char *setting, const char *text, double size,
                      const char *how)
{
    g_autofree char *quoted = ps_draw_quote(text);
    g_string_append_printf(out, "%s %s noenhanced font ',%.3g'%s\n", setting, quoted, size, how);
}

static void put_title(const PsChart *chart, GString *out)
{
    const PsPaper *paper = &chart->paper;
    const double middle = chart->plot.x + chart->plot.width / 2;
    const double room = 2 * MIN(middle - paper->cell.x, paper->cell.x + paper->cell.width - middle);
    g_autofree char *shown =
        ps_draw_shorten(chart->title, (guint)(room / (TITLE_COLUMN * paper->letter)));
    put_words(out, "set title", shown, TITLE * paper->letter,
              paper->letter < 1 ? " offset 0,-0.6" : "");
}

static void put_margin(GString *out, char side, double share)
{
    g_string_append_printf(out, "set %cmargin at screen %s\n", side, ps_draw_number(share, 4).text);
}

/* Writes tics of powers of ten: where gnuplot's own leave powers out, odd ones are between them. */
static void put_log_tics(const PsRuler *ruler, char axis, GString *out)
{
    g_autoptr(GArray) tics = ps_ruler_tics(ruler), minor = ps_ruler_minor_tics(ruler);
    g_string_append_printf(out, "set %ctics (", axis);
    for (guint i = 0; i < tics->len; i++) {
        const double tic = g_array_index(tics, double, i);
        g_autofree char *text = ps_ruler_tic_text(ruler, tic);
        g_string_append_printf(out, "%s'%s' %s", i ? ", " : "", text, ps_draw_number(tic, 6).text);
    }
    for (guint i = 0; i < minor->len; i++)
        g_string_append_printf(out, "%s'' %s 1", i || tics->len ? ", " : "",
                               ps_draw_number(g_array_index(minor, double, i), 6).text);
    g_string_append(out, ")\n");
}

static void put_axis(const PsRuler *ruler, char axis, GString *out)
{
    const double factor = ruler->prefix->factor;
    const double least = ps_ruler_value(ruler, 0) / factor,
                 most = ps_ruler_value(ruler, 1) / factor;
    if (ruler->scale != PS_SCALE_LINEAR)
        g_string_append_printf(out, "set logscale %c %s\n", axis,
                               ruler->scale == PS_SCALE_LOG2 ? "2" : "10");
    g_string_append_printf(out, "set format %c '%s'\n", axis,
                           most < LONG_NUMBER ? "%.8g" : "%.1s%c");
    g_string_append_printf(out, "set %crange [%s:", axis, ps_draw_number(least, 10).text);
    g_string_append_printf(out, "%s]\n", ps_draw_number(most, 10).text);
    if (ruler->scale == PS_SCALE_LOG10)
        put_log_tics(ruler, axis, out);
    else
        g_string_append_printf(out, "set %ctics autofreq\n", axis);
}

static void put_frame(const PsChart *chart, GString *out)
{
    const PsPaper *paper = &chart->paper;
    const PsBox *plot = &chart->plot;
    const gboolean small = paper->letter < 1;
    g_autofree char *x = ps_ruler_label(&chart->x), *y = ps_ruler_label(&chart->y);
    put_title(chart, out);
    put_words(out, "set xlabel", x, AXIS * paper->letter, small ? " offset 0,0.8" : "");
    put_words(out, "set ylabel", y, AXIS * paper->letter, small ? " offset 1.5,0" : " offset -1,0");
    put_margin(out, 'l', plot->x / paper->width);
    put_margin(out, 'r', (plot->x + plot->width) / paper->width);
    put_margin(out, 'b', plot->y / paper->height);
    put_margin(out, 't', (plot->y + plot->height) / paper->height);
    g_string_append_printf(out,
                           "set border 3\nset tics nomirror font ',%.3g'\nunset key\n"
                           "set clip two\n"
                           "set grid linetype 1 linewidth 0.5 linecolor rgb '#dddddd'\n",
                           AXIS * paper->letter);
    put_axis(&chart->x, 'x', out);
    put_axis(&chart->y, 'y', out);
}

/* ---- what is in it -------------------------------------------------------------------------- */

static void put_pair(const PsChart *chart, GString *out, PsXY value, const char *between)
{
    const double x = value.x / chart->x.prefix->factor, y = value.y / chart->y.prefix->factor;
    g_string_append_printf(out, "%s%s", ps_draw_number(x, 10).text, between);
    g_string_append(out, isnan(y) ? "NaN" : ps_draw_number(y, 10).text);
}

static void put_row(const PsChart *chart, GString *out, PsXY value)
{
    put_pair(chart, out, value, " ");
    g_string_append_c(out, '\n');
}

/* A comment, which stays on one line whatever characters the text has. */
static void put_comment(GString *out, const char *text)
{
    g_autofree char *clean = text ? ps_draw_shorten(text, 120) : NULL;
    if (clean)
        g_string_append_printf(out, "# %s\n", clean);
}

static void put_plot(GString *plots, const char *block, guint i, const char *with,
                     const char *style)
{
    g_string_append_printf(plots, "%s$%s%u with %s %s notitle",
                           plots->len ? ", \\\n     " : "plot ", block, i, with, style);
}

static void put_line(Script *script, const PsChart *chart, const PsChartItem *item)
{
    const guint number = script->n_lines++;
    g_string_append_printf(script->data, "$line%u << END\n", number);
    put_comment(script->data, item->text);
    for (guint i = 0; i < item->n; i++)
        put_row(chart, script->data, item->points[i]);
    g_string_append(script->data, "END\n");
    g_autofree char *style = ps_gnuplot_line(&item->look);
    put_plot(script->plots, "line", number, "lines", style);
}

/* Writes all marks of that look, which gnuplot draws in one go, and removes them from the chart. */
static void put_block(GString *out, const PsChart *chart, const PsLook *look)
{
    for (guint i = 0; i < chart->items->len; i++) {
        PsChartItem *item = chart->items->pdata[i];
        if (item->kind != PS_ITEM_MARK || !item->n || item->look.marker != look->marker ||
            item->look.size != look->size || strcmp(item->look.colour, look->colour) != 0)
            continue;
        put_comment(out, item->text);
        put_row(chart, out, item->points[0]);
        item->n = 0;
    }
}

/* Hollow marks are filled with white, or lines behind them would make them look filled. All white
 * insides are drawn before all marks, so that none covers another mark. */
static void put_marks(Script *script, const PsChart *chart)
{
    g_autoptr(GString) plots = g_string_new(NULL);
    for (guint i = 0; i < chart->items->len; i++) {
        const PsChartItem *item = chart->items->pdata[i];
        const PsLook *look = &item->look;
        if (item->kind != PS_ITEM_MARK || !item->n)
            continue;
        const guint number = script->n_marks++;
        g_string_append_printf(script->data, "$marks%u << END\n", number);
        put_block(script->data, chart, look);
        g_string_append(script->data, "END\n");
        g_autofree char *style = ps_gnuplot_mark(look);
        g_autofree char *inside =
            g_strdup_printf("pointtype %u pointsize %s linecolor rgb 'white'", look->marker + 1,
                            ps_draw_number(look->size, 3).text);
        if (look->marker % 2 == 0) /* even numbers are hollow, see ps_look_marker */
            put_plot(script->plots, "marks", number, "points", inside);
        g_string_append_printf(plots, "%s$marks%u with points %s notitle",
                               script->plots->len || plots->len ? ", \\\n     " : "plot ", number,
                               style);
    }
    g_string_append(script->plots, plots->str);
}

static void put_arrow(Script *script, const PsChart *chart, const PsChartItem *item)
{
    GString *out = script->out;
    g_autofree char *line = ps_gnuplot_line(&item->look);
    g_autofree char *style =
        item->kind == PS_ITEM_LEADER
            ? g_strconcat("nohead ", line, NULL)
            : g_strdup_printf("size screen %s,20 filled %s",
                              ps_draw_number(item->look.size / chart->paper.width, 3).text, line);
    g_string_append(out, "set arrow from ");
    put_pair(chart, out, item->points[0], ",");
    g_string_append(out, " to ");
    put_pair(chart, out, item->points[1], ",");
    ps_gnuplot_arrow(out, style);
}

static void put_shade(Script *script, const PsChart *chart, const PsChartItem *item)
{
    GString *out = script->out;
    for (guint i = 0; i <= item->n; i++) {
        g_string_append(out, i ? " to " : "set object polygon from ");
        put_pair(chart, out, item->points[i % item->n], ",");
    }
    g_string_append_printf(out, " behind fillstyle solid noborder fillcolor rgb '%s'\n",
                           item->look.colour);
}

static void put_text(Script *script, const PsChart *chart, const PsChartItem *item)
{
    GString *out = script->out;
    g_autofree char *quoted = ps_draw_quote(item->text);
    g_string_append_printf(out, "set label %s at ", quoted);
    put_pair(chart, out, item->points[0], ",");
    g_string_append_printf(out, " center noenhanced font ',%.3g' textcolor rgb '%s' front",
                           TEXT * chart->paper.letter, item->look.colour);
    if (item->degrees != 0)
        g_string_append_printf(out, " rotate by %s", ps_draw_number(item->degrees, 4).text);
    g_string_append_c(out, '\n');
}

/* Writes the settings, then the data, then the plots of a chart. */
static void put_chart(Script *script, PsChart *chart)
{
    static void (*const put[PS_ITEM_LEADER + 1])(Script *, const PsChart *, const PsChartItem *) = {
        [PS_ITEM_SHADE] = put_shade,
        [PS_ITEM_LINE] = put_line,
        [PS_ITEM_ARROW] = put_arrow,
        [PS_ITEM_LEADER] = put_arrow,
        [PS_ITEM_TEXT] = put_text};
    ps_chart_lay_out(chart);
    put_frame(chart, script->out);
    for (guint i = 0; i < chart->items->len; i++) {
        const PsChartItem *item = chart->items->pdata[i];
        if (put[item->kind] && item->n)
            put[item->kind](script, chart, item);
    }
    put_marks(script, chart);
    g_string_append_printf(script->out, "%s%s\n", script->data->str,
                           script->plots->len ? script->plots->str : "plot NaN notitle");
    g_string_truncate(script->data, 0);
    g_string_truncate(script->plots, 0);
}

/* ---- the script ----------------------------------------------------------------------------- */

static Script begin(double height)
{
    const Script script = {
        .out = g_string_new(NULL), .data = g_string_new(NULL), .plots = g_string_new(NULL)};
    g_string_append_printf(
        script.out,
        "# A chart by pipesim, for gnuplot 5.2 or later. To draw it, say where it goes:\n"
        "#     gnuplot -e \"set terminal svg size 900,%.0f; set output 'chart.svg'\" THIS_FILE\n"
        "# or put these two settings on the next line. It is laid out for pages of that shape.\n"
        "set encoding utf8\n",
        PS_PAGE_HEIGHT * height);
    return script;
}

static char *end(const Script *script)
{
    g_string_free(script->data, TRUE);
    g_string_free(script->plots, TRUE);
    return g_string_free(script->out, FALSE);
}

char *ps_chart_script(PsChart *chart, double *height)
{
    ps_chart_frame(chart);
    *height = chart->paper.height / PS_PAGE_HEIGHT;
    Script script = begin(*height);
    ps_key_put_below(chart, script.out);
    put_chart(&script, chart);
    return end(&script);
}

char *ps_charts_script(const GPtrArray *charts, const char *title, guint columns, gboolean one_key,
                       double *height)
{
    const guint n = charts->len, across = MIN(n, columns), rows = (n + across - 1) / across;
    const double key = one_key ? ps_key_width(charts->pdata[0], panel.letter) : 0;
    *height = MAX(rows / USUAL_ROWS, 1);
    Script script = begin(*height);
    PsPaper paper = panel;
    paper.width = PS_PAGE_WIDTH;
    paper.height = PS_PAGE_HEIGHT * *height;
    paper.cell.width = (paper.width - key) / across;
    paper.cell.height = (paper.height - TITLE_HEIGHT) / rows;
    put_words(script.out, "set multiplot title", title, AXIS, "");
    for (guint i = 0; i < n; i++) {
        PsChart *chart = charts->pdata[i];
        paper.cell.x = i % across * paper.cell.width;
        const guint below = rows - 1 - i / across;
        paper.cell.y = below * paper.cell.height;
        ps_chart_frame_on(chart, &paper, !one_key);
        g_string_append(script.out, "unset label\nunset arrow\nunset object\nunset logscale\n");
        if (!one_key)
            ps_key_put_beside(chart, chart->plot.x + chart->plot.width, script.out);
        else if (i == 0)
            ps_key_put_beside(chart, paper.width - key - panel.right, script.out);
        put_chart(&script, chart);
    }
    g_string_append(script.out, "unset multiplot\n");
    return end(&script);
}
