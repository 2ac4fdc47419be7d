/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds items to a chart. */
#include "draw/chart.h"

#include <math.h>

/* Columns; longer texts of the key are cut. */
#define MOST_COLUMNS 56

static PsRuler ruler_new(const PsAxis *axis)
{
    return (PsRuler){g_strdup(axis->label), g_strdup(axis->unit), axis->scale, INFINITY, -INFINITY,
                     ps_draw_prefix(1)};
}

static void free_item(void *data)
{
    PsChartItem *item = data;
    g_free(item->text);
    g_free(item->before);
    g_free(item->points);
    g_free(item);
}

static void clear_key_line(void *line)
{
    g_free(((PsKeyLine *)line)->text);
}

PsChart *ps_chart_new(const char *title, const PsAxis *x, const PsAxis *y)
{
    PsChart *chart = g_new0(PsChart, 1);
    chart->title = g_strdup(title);
    chart->x = ruler_new(x);
    chart->y = ruler_new(y);
    chart->items = g_ptr_array_new_with_free_func(free_item);
    chart->key = g_array_new(FALSE, FALSE, sizeof(PsKeyLine));
    g_array_set_clear_func(chart->key, clear_key_line);
    ps_room_init(&chart->room);
    return chart;
}

void ps_chart_free(PsChart *chart)
{
    const PsRuler *const rulers[] = {&chart->x, &chart->y};
    for (guint i = 0; i < G_N_ELEMENTS(rulers); i++) {
        g_free(rulers[i]->label);
        g_free(rulers[i]->unit);
    }
    g_free(chart->title);
    g_ptr_array_unref(chart->items);
    g_array_unref(chart->key);
    ps_room_clear(&chart->room);
    g_free(chart);
}

void ps_chart_see(PsChart *chart, double x, double y)
{
    ps_ruler_see(&chart->x, x);
    ps_ruler_see(&chart->y, y);
}

void ps_chart_add(PsChart *chart, PsItemKind kind, const char *text, const PsLook *look,
                  const PsXY *points, guint n)
{
    PsChartItem *item = g_new(PsChartItem, 1);
    *item = (PsChartItem){.kind = kind,
                          .text = g_strdup(text),
                          .look = *look,
                          .points = g_memdup2(points, n * sizeof *points),
                          .n = n};
    g_ptr_array_add(chart->items, item);
}

void ps_chart_line(PsChart *chart, const char *what, const PsLook *look, const PsXY *points,
                   guint n)
{
    if (look->width > 0)
        ps_chart_add(chart, PS_ITEM_LINE, what, look, points, n);
    for (guint i = 0; i < n && look->marker; i++)
        if (isfinite(points[i].y))
            ps_chart_mark(chart, what, look, points[i]);
}

void ps_chart_segment(PsChart *chart, const char *what, const PsLook *look, PsXY from, PsXY to)
{
    ps_chart_line(chart, what, look, (const PsXY[]){from, to}, 2);
}

void ps_chart_series(PsChart *chart, const char *name, const PsLook *look, const PsXY *points,
                     guint n)
{
    for (guint i = 0; i < n; i++)
        ps_chart_see(chart, points[i].x, points[i].y);
    ps_chart_line(chart, name, look, points, n);
    if (name)
        ps_chart_key(chart, look, "%s", name);
}

void ps_chart_mark(PsChart *chart, const char *what, const PsLook *look, PsXY at)
{
    ps_chart_add(chart, PS_ITEM_MARK, what, look, &at, 1);
    chart->edge = chart->edge || isinf(at.x);
}

void ps_chart_arrow(PsChart *chart, const PsLook *look, PsXY from, PsXY to)
{
    ps_chart_add(chart, PS_ITEM_ARROW, NULL, look, (const PsXY[]){from, to}, 2);
}

void ps_chart_shade(PsChart *chart, const char *colour, PsXY from, PsXY to)
{
    ps_chart_add(chart, PS_ITEM_SHADE, NULL, &(PsLook){.colour = colour}, (const PsXY[]){from, to},
                 2);
}

void ps_chart_label(PsChart *chart, const char *text, const char *colour, PsXY at)
{
    ps_chart_add(chart, PS_ITEM_LABEL, text, &(PsLook){.colour = colour}, &at, 1);
}

void ps_chart_label_along(PsChart *chart, const char *text, const char *colour, PsXY from, PsXY to)
{
    ps_chart_add(chart, PS_ITEM_ALONG, text, &(PsLook){.colour = colour}, (const PsXY[]){from, to},
                 2);
}

void ps_chart_tag(PsChart *chart, const char *before)
{
    PsChartItem *last = chart->items->pdata[chart->items->len - 1];
    last->before = g_strdup(before);
}

void ps_chart_key(PsChart *chart, const PsLook *look, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    if (ps_draw_columns(text) > MOST_COLUMNS) {
        char *shorter = ps_draw_shorten(text, MOST_COLUMNS);
        g_free(text);
        text = shorter;
    }
    const PsKeyLine line = {look ? *look : (PsLook){0}, text};
    g_array_append_val(chart->key, line);
}
