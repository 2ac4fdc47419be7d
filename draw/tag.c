/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tags: texts at marks or along lines. Often several lie on one spot, since kernels of one program
 * resemble each other. Such texts become one text.
 */
#include "draw/chart.h"

#include <math.h>
#include <string.h>

/* Points nearer to each other than this, in dots, are one spot. */
#define ONE_SPOT 8

/* A list of texts longer than this ends in "…". */
#define LIST_COLUMNS 34

/* The number in the text; 0 if it is a name. */
static guint number_of(const char *text)
{
    guint64 number = 0;
    g_ascii_string_to_unsigned(text, 10, 1, G_MAXUINT, &number, NULL);
    return (guint)number;
}

static int by_number(const void *a, const void *b)
{
    const guint x = number_of(*(char *const *)a), y = number_of(*(char *const *)b);
    return (x > y) - (x < y);
}

/* "1, 4–7": each text once, numbers that follow each other as a range. g_free. */
static char *list_of(GPtrArray *texts)
{
    GString *list = g_string_new(NULL);
    g_ptr_array_sort(texts, by_number);
    for (guint i = 1; i < texts->len;)
        if (strcmp(texts->pdata[i], texts->pdata[i - 1]) == 0)
            g_ptr_array_remove_index(texts, i);
        else
            i++;
    for (guint i = 0, next; i < texts->len; i = next) {
        const guint first = number_of(texts->pdata[i]);
        for (next = i + 1;
             first && next < texts->len && number_of(texts->pdata[next]) == first + (next - i);)
            next++;
        if (list->len > LIST_COLUMNS) {
            g_string_append(list, ", …");
            break;
        }
        g_string_append_printf(list, "%s%s", list->len ? ", " : "", (char *)texts->pdata[i]);
        if (next > i + 1)
            g_string_append_printf(list, "%s%s", next > i + 2 ? "–" : ", ",
                                   (char *)texts->pdata[next - 1]);
    }
    return g_string_free(list, FALSE);
}

static gboolean on_one_spot(const PsChart *chart, const PsChartItem *a, const PsChartItem *b)
{
    if (!b->before || a->kind != b->kind || strcmp(a->before, b->before) != 0 || !b->n)
        return FALSE;
    const PsXY p = ps_chart_dots(chart, a->points[0]), q = ps_chart_dots(chart, b->points[0]);
    return hypot(p.x - q.x, p.y - q.y) <= ONE_SPOT;
}

/* Cuts tags along lines: such a tag lies where its line begins in the plot area. */
static void cut_tags(PsChart *chart)
{
    for (guint i = 0; i < chart->items->len; i++) {
        const PsChartItem *item = chart->items->pdata[i];
        if (item->before && item->kind == PS_ITEM_ALONG)
            ps_chart_cut(chart, &item->points[0], &item->points[1]);
    }
}

void ps_chart_join_tags(PsChart *chart)
{
    cut_tags(chart);
    for (guint i = 0; i < chart->items->len; i++) {
        PsChartItem *item = chart->items->pdata[i];
        if (!item->before || !item->n)
            continue;
        g_autoptr(GPtrArray) texts = g_ptr_array_new();
        g_ptr_array_add(texts, item->text);
        for (guint j = i + 1; j < chart->items->len; j++) {
            PsChartItem *other = chart->items->pdata[j];
            if (!on_one_spot(chart, item, other))
                continue;
            g_ptr_array_add(texts, other->text);
            other->n = 0;
        }
        g_autofree char *list = list_of(texts);
        g_free(item->text);
        item->text = g_strconcat(item->before, list, NULL);
    }
}
