/* SPDX-License-Identifier: BSD-3-Clause */
/* A chart as an SVG element within a page. Colours are classes of the page's style sheet, so that
 * they follow light and dark. Sizes are in units of the viewBox, which the page scales as a whole.
 */
#include "draw/chart.h"

#include <math.h>

#define WIDTH 480.0
#define HEIGHT 320.0

/* Distances: of a text's baseline from its middle, of texts at the x axis from the frame's lower
 * end, and of texts at the y axis from the frame's left edge. */
#define BASE 4
#define BELOW 17
#define BESIDE 6

/* A place in the plot area, given as shares of its size from the lower left corner, in units of the
 * viewBox, whose y goes down. */
static PsXY corner(const PsChart *chart, double x, double y)
{
    return (PsXY){chart->plot.x + chart->plot.width * x,
                  HEIGHT - chart->plot.y - chart->plot.height * y};
}

/* The place of a value within the frame. */
static PsXY place(const PsChart *chart, PsXY value)
{
    return corner(chart, CLAMP(ps_ruler_share(&chart->x, value.x), 0, 1),
                  CLAMP(ps_ruler_share(&chart->y, value.y), 0, 1));
}

static void put_words(GString *out, const char *text)
{
    g_autofree char *clean = ps_draw_shorten(text, G_MAXINT);
    g_autofree char *escaped = g_markup_escape_text(clean, -1);
    g_string_append(out, escaped);
}

/* "0.1", "20", "5 k", "1 T" */
static char *tic_text(double value)
{
    const PsPrefix *prefix = ps_draw_prefix(MAX(value, 1));
    return g_strdup_printf("%s%s%s", ps_draw_number(value / prefix->factor, 4).text,
                           *prefix->text ? " " : "", prefix->text);
}

/* Draws a line across the frame at each tic, and writes its number. */
static void put_tics(const PsChart *chart, const PsRuler *ruler, GString *out)
{
    const gboolean is_x = ruler == &chart->x;
    g_autoptr(GArray) tics = ps_ruler_tics(ruler);
    for (guint i = 0; i < tics->len; i++) {
        const double tic = g_array_index(tics, double, i), value = tic * ruler->prefix->factor;
        const double share = ps_ruler_share(ruler, value);
        const PsXY from = corner(chart, is_x ? share : 0, is_x ? 0 : share);
        const PsXY to = corner(chart, is_x ? share : 1, is_x ? 1 : share);
        g_autofree char *text = tic_text(tic);
        g_string_append_printf(out,
                               "<path class='grid' d='M%.1f %.1fL%.1f %.1f'/><text x='%.1f' "
                               "y='%.1f' class='%c'>%s</text>\n",
                               from.x, from.y, to.x, to.y, from.x - (is_x ? 0 : BESIDE),
                               from.y + (is_x ? BELOW : BASE), is_x ? 'm' : 'e', text);
    }
}

static void put_frame(const PsChart *chart, GString *out)
{
    const PsXY low = corner(chart, 0, 0), high = corner(chart, 1, 1);
    g_autofree char *x = ps_ruler_label(&chart->x), *y = ps_ruler_label(&chart->y);
    put_tics(chart, &chart->x, out);
    put_tics(chart, &chart->y, out);
    g_string_append_printf(out, "<path class='frame' d='M%.1f %.1fV%.1fH%.1f'/>\n", low.x, high.y,
                           low.y, high.x);
    g_string_append_printf(out, "<text x='%.1f' y='%.1f' class='m'>", (low.x + high.x) / 2,
                           HEIGHT - 10);
    put_words(out, x);
    g_string_append_printf(out,
                           "</text><text transform='translate(14 %.1f) rotate(-90)' class='m'>",
                           (low.y + high.y) / 2);
    put_words(out, y);
    g_string_append(out, "</text>\n");
}

static void put_line(const PsChart *chart, const PsChartItem *item, GString *out)
{
    g_string_append_printf(out, "<polyline class='%s' points='",
                           item->kind == PS_ITEM_LEADER ? "frame" : item->look.colour);
    for (guint i = 0; i < item->n; i++) {
        const PsXY at = place(chart, item->points[i]);
        g_string_append_printf(out, "%s%.1f,%.1f", i ? " " : "", at.x, at.y);
    }
    g_string_append(out, "'/>\n");
}

static void put_text(const PsChart *chart, const PsChartItem *item, GString *out)
{
    const PsXY at = place(chart, item->points[0]);
    if (item->degrees != 0)
        g_string_append_printf(
            out, "<text transform='translate(%.1f %.1f) rotate(%.1f)' dy='%d' class='m halo'>",
            at.x, at.y, -item->degrees, BASE);
    else
        g_string_append_printf(out, "<text x='%.1f' y='%.1f' class='m halo'>", at.x, at.y + BASE);
    put_words(out, item->text);
    g_string_append(out, "</text>\n");
}

static void put_item(const PsChart *chart, const PsChartItem *item, GString *out)
{
    const PsXY at = item->n ? place(chart, item->points[0]) : (PsXY){0, 0};
    if (item->kind == PS_ITEM_MARK)
        g_string_append_printf(out, "<circle class='%s' cx='%.1f' cy='%.1f' r='%d'/>\n",
                               item->look.colour, at.x, at.y, PS_MARK);
    else if (item->kind == PS_ITEM_TEXT)
        put_text(chart, item, out);
    else if (item->kind == PS_ITEM_LEADER || item->kind == PS_ITEM_LINE)
        put_line(chart, item, out);
}

void ps_chart_svg(PsChart *chart, const char *name, const char *text, GString *out)
{
    static const PsPaper paper = {.width = WIDTH,
                                  .height = HEIGHT,
                                  .cell = {0, 0, WIDTH, HEIGHT},
                                  .left = 66,
                                  .right = 24,
                                  .bottom = 48,
                                  .top = 12,
                                  .letter = 1.3};
    ps_chart_frame_on(chart, &paper, FALSE);
    ps_chart_lay_out(chart);
    g_string_append_printf(out,
                           "<svg viewBox='0 0 %.0f %.0f' role='img' aria-labelledby='%s-t %s-d'>\n"
                           "<title id='%s-t'>",
                           WIDTH, HEIGHT, name, name, name);
    put_words(out, chart->title);
    g_string_append_printf(out, "</title><desc id='%s-d'>", name);
    put_words(out, text);
    g_string_append(out, "</desc>\n");
    put_frame(chart, out);
    for (guint i = 0; i < chart->items->len; i++) {
        const PsChartItem *item = chart->items->pdata[i];
        if (item->n)
            put_item(chart, item, out);
    }
    g_string_append(out, "</svg>\n");
}
