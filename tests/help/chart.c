/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/help/chart.h"

#include <string.h>

const PsLook line_look = {.colour = "#0072B2", .width = 2};
const PsLook mark_look = {.colour = "#D55E00", .marker = 7, .size = 0.9};

PsChart *chart_with(PsScale x, PsScale y)
{
    return ps_chart_new("title", &(PsAxis){"across", x, NULL}, &(PsAxis){"up", y, NULL});
}

PsChart *log_chart(void)
{
    PsChart *chart = chart_with(PS_SCALE_LOG10, PS_SCALE_LOG10);
    ps_chart_see(chart, 1, 1);
    ps_chart_see(chart, 1000, 100);
    return chart;
}

char *chart_script(PsChart *chart)
{
    double height;
    return ps_chart_script(chart, &height);
}

const PsChartItem *item_of(const PsChart *chart, PsItemKind kind, guint n)
{
    for (guint i = 0; i < chart->items->len; i++) {
        const PsChartItem *item = chart->items->pdata[i];
        if (item->kind == kind && item->n && n-- == 0)
            return item;
    }
    return NULL;
}

PsBox box_of(const PsChart *chart, const char *text)
{
    for (guint i = 0; i < chart->items->len; i++) {
        const PsChartItem *item = chart->items->pdata[i];
        if (item->kind != PS_ITEM_TEXT || strcmp(item->text, text) != 0)
            continue;
        const PsXY middle = ps_chart_dots(chart, item->points[0]);
        const double width = ps_draw_columns(text) * PS_TEXT_COLUMN * chart->paper.letter;
        const double height = PS_TEXT_ROW * chart->paper.letter;
        return (PsBox){middle.x - width / 2, middle.y - height / 2, width, height};
    }
    g_test_message("no text %s", text);
    g_test_fail();
    return (PsBox){0, 0, 0, 0};
}

gboolean overlap(const PsBox *a, const PsBox *b)
{
    return a->x < b->x + b->width && b->x < a->x + a->width && a->y < b->y + b->height &&
           b->y < a->y + a->height;
}
