/* SPDX-License-Identifier: BSD-3-Clause */
/* The key beside or below a chart: a sample and a text on each line. */
#include "draw/chart.h"

/* In dots: the gap between plot area and key, and between columns; the width of a sample with the
 * gap behind it, that gap alone, and the height of a line. */
#define GAP 14
#define SAMPLE 34
#define SAMPLE_END 5
#define COLUMN 5.8 /* width of an average letter */
#define ROW 14.4

/* A key below the chart has no more rows than this. */
#define MOST_ROWS 36

static const PsKeyLine *line_at(const PsChart *chart, guint i)
{
    return &g_array_index(chart->key, PsKeyLine, i);
}

double ps_key_width(const PsChart *chart, double letter)
{
    guint widest = 0;
    for (guint i = 0; i < chart->key->len; i++)
        widest = MAX(widest, ps_draw_columns(line_at(chart, i)->text));
    return widest ? (GAP + SAMPLE + widest * COLUMN) * letter : 0;
}

static void put_place(const PsChart *chart, GString *out, double x, double y)
{
    g_string_append_printf(out, "screen %s,", ps_draw_number(x / chart->paper.width, 4).text);
    g_string_append(out, ps_draw_number(y / chart->paper.height, 4).text);
}

static void put_samples(const PsChart *chart, GString *out, const PsLook *look, double x, double y)
{
    const double end = (SAMPLE - SAMPLE_END) * chart->paper.key;
    if (look->width > 0) {
        g_autofree char *line = ps_gnuplot_line(look);
        g_autofree char *style = g_strconcat("nohead ", line, NULL);
        g_string_append(out, "set arrow from ");
        put_place(chart, out, x, y);
        g_string_append(out, " to ");
        put_place(chart, out, x + end, y);
        ps_gnuplot_arrow(out, style);
    }
    if (look->marker) {
        g_autofree char *mark = ps_gnuplot_mark(look);
        g_string_append(out, "set label '' at ");
        put_place(chart, out, x + end / 2, y);
        g_string_append_printf(out, " point %s\n", mark);
    }
}

static void put_line(const PsChart *chart, GString *out, const char *text, double x, double y)
{
    g_autofree char *quoted = ps_draw_quote(text);
    g_string_append_printf(out, "set label %s at ", quoted);
    put_place(chart, out, x, y);
    g_string_append_printf(out, " left noenhanced font ',%.2g'\n", 9 * chart->paper.key);
}

/* Writes lines of the key from `first` on, as many as have room in a column. Where even the last
 * column has too little room, its last line tells the number of lines that are left out. */
static void put_column(const PsChart *chart, guint first, guint rows, gboolean is_last, PsXY at,
                       GString *out)
{
    const double letter = chart->paper.key;
    const guint n = chart->key->len, end = MIN(first + rows, n);
    for (guint i = first; i < end; i++, at.y -= ROW * letter) {
        const PsLook *look = &line_at(chart, i)->look;
        if (is_last && i + 1 == end && end < n) {
            g_autofree char *others = g_strdup_printf("and %u more", n - i);
            put_line(chart, out, others, at.x, at.y);
            return;
        }
        put_samples(chart, out, look, at.x, at.y);
        const gboolean sample = look->width > 0 || look->marker;
        put_line(chart, out, line_at(chart, i)->text, sample ? at.x + SAMPLE * letter : at.x, at.y);
    }
}

/* A long key may begin above the plot area. */
void ps_key_put_beside(const PsChart *chart, double left, GString *out)
{
    const double letter = chart->paper.key, row = ROW * letter;
    const PsBox *cell = &chart->paper.cell;
    const guint most = (guint)((cell->height - 4) / row), n = chart->key->len;
    const double top = chart->plot.y + chart->plot.height - row / 2;
    const double need = cell->y + MIN(n, most) * row + 4;
    const double y = MIN(cell->y + cell->height - row / 2, MAX(top, need));
    put_column(chart, 0, most, TRUE, (PsXY){left + GAP * letter, y}, out);
}

static guint columns_of(const PsChart *chart, const PsPaper *paper)
{
    return MAX((guint)(paper->width / ps_key_width(chart, paper->key)), 1);
}

static guint rows_of(const PsChart *chart, const PsPaper *paper)
{
    const guint columns = columns_of(chart, paper);
    return MIN((chart->key->len + columns - 1) / columns, MOST_ROWS);
}

double ps_key_height(const PsChart *chart, const PsPaper *paper)
{
    return chart->key->len ? (rows_of(chart, paper) * ROW + GAP) * paper->key : 0;
}

/* Puts the key in the middle of the page, or at the left edge of the plot area if that is further
 * left. */
void ps_key_put_below(const PsChart *chart, GString *out)
{
    const PsPaper *paper = &chart->paper;
    if (!chart->key->len)
        return;
    const double width = ps_key_width(chart, paper->key);
    const guint rows = rows_of(chart, paper), most = columns_of(chart, paper);
    const guint columns = MIN((chart->key->len + rows - 1) / rows, most);
    const double gap = GAP * paper->key, left = MAX((paper->width - columns * width - gap) / 2, 0);
    PsXY at = {MIN(left + gap, chart->plot.x), paper->cell.y - ROW / 2 * paper->key};
    for (guint i = 0; i < columns; i++, at.x += width)
        put_column(chart, i * rows, rows, i + 1 == most, at, out);
}
