/* SPDX-License-Identifier: BSD-3-Clause */
/* The key beside a chart: a sample and a text on each line. */
#include "draw/chart.h"

/* In dots: the gap between plot area and key, the width of a sample with the gap behind it, that
 * gap alone, and the height of a line. */
#define GAP 14
#define SAMPLE 34
#define SAMPLE_END 5
#define ROW 14.4

static const PsKeyLine *line_at(const PsChart *chart, guint i)
{
    return &g_array_index(chart->key, PsKeyLine, i);
}

double ps_key_width(const PsChart *chart, double letter)
{
    guint widest = 0;
    for (guint i = 0; i < chart->key->len; i++)
        widest = MAX(widest, ps_draw_columns(line_at(chart, i)->text));
    return widest ? (GAP + SAMPLE + widest * PS_TEXT_COLUMN) * letter : 0;
}

static void put_place(const PsChart *chart, GString *out, double x, double y)
{
    g_string_append_printf(out, "screen %s,", ps_draw_number(x / chart->paper.width, 4).text);
    g_string_append(out, ps_draw_number(y / chart->paper.height, 4).text);
}

static void put_samples(const PsChart *chart, GString *out, const PsLook *look, double x, double y)
{
    const double end = (SAMPLE - SAMPLE_END) * chart->paper.letter;
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
    g_string_append_printf(out, " left noenhanced font ',%.2g'\n", 9 * chart->paper.letter);
}

/* A long key may begin above the plot area. If there are more lines than have room even so, the
 * last one says how many are missing. */
void ps_key_put(const PsChart *chart, double left, GString *out)
{
    const double letter = chart->paper.letter, row = ROW * letter;
    const PsBox *cell = &chart->paper.cell;
    const guint most = (guint)((cell->height - 4) / row), n = chart->key->len;
    const double top = chart->plot.y + chart->plot.height - row / 2;
    const double need = cell->y + MIN(n, most) * row + 4;
    double y = MIN(cell->y + cell->height - row / 2, MAX(top, need));
    const double x = left + GAP * letter;
    for (guint i = 0; i < MIN(n, most); i++, y -= row) {
        const PsLook *look = &line_at(chart, i)->look;
        if (i + 1 == most && n > most) {
            g_autofree char *others = g_strdup_printf("and %u more", n - i);
            put_line(chart, out, others, x, y);
            return;
        }
        put_samples(chart, out, look, x, y);
        const gboolean sample = look->width > 0 || look->marker;
        put_line(chart, out, line_at(chart, i)->text, sample ? x + SAMPLE * letter : x, y);
    }
}
