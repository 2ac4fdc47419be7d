/* SPDX-License-Identifier: BSD-3-Clause */
/* Kernels in the key: numbers and names, and the reasons why some are not drawn. */
#include "roofline/draw/chart.h"

#include <string.h>

/* Least and most kernels with numbers: colours and shapes do not distinguish more. */
#define LEAST_KERNELS 6
#define MOST_KERNELS 42

/* Most numbers in the chart: a kernel has one on each GPU. */
#define MOST_TAGS 90

/* Most kernels that are not drawn and are named. */
#define MOST_MISSING 4

/* The first entry from i on that is not drawn for the reason `why`; entries->len: none. */
static guint next_missing(const PsDrawChart *chart, guint i, const char *why)
{
    while (i < chart->entries->len &&
           (!ps_draw_entry(chart, i)->why || strcmp(ps_draw_entry(chart, i)->why, why) != 0))
        i++;
    return i;
}

static gboolean is_first_missing(const PsDrawChart *chart, guint i)
{
    const char *why = ps_draw_entry(chart, i)->why;
    return why && next_missing(chart, 0, why) == i;
}

static void add_missing(const PsDrawChart *chart, guint first, GPtrArray *texts)
{
    const char *why = ps_draw_entry(chart, first)->why;
    g_ptr_array_add(texts, g_strdup_printf("not drawn: %s", why));
    guint n = 0;
    for (guint i = first; i < chart->entries->len; i = next_missing(chart, i + 1, why))
        if (n++ < MOST_MISSING)
            g_ptr_array_add(texts, g_strdup_printf("  %s", ps_draw_entry(chart, i)->name));
    if (n > MOST_MISSING)
        g_ptr_array_add(texts, g_strdup_printf("  and %u more", n - MOST_MISSING));
}

/* Lines about kernels that are not drawn. */
static GPtrArray *missing_texts(const PsDrawChart *chart)
{
    GPtrArray *texts = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < chart->entries->len; i++)
        if (is_first_missing(chart, i))
            add_missing(chart, i, texts);
    return texts;
}

static void add_drawn(PsDrawChart *chart, PsDrawLookOf look_of, guint most)
{
    for (guint i = 0; i < chart->entries->len; i++) {
        const PsDrawEntry *entry = ps_draw_entry(chart, i);
        if (!entry->listed)
            continue;
        const PsLook look = look_of ? look_of(chart, i) : (PsLook){0};
        ps_chart_key(chart->chart, &look, "%u  %s", entry->number, entry->name);
    }
    if (chart->drawn > most)
        ps_chart_key(chart->chart, NULL, "and %u more, without numbers", chart->drawn - most);
}

void ps_draw_key_kernels(PsDrawChart *chart, PsDrawLookOf look_of)
{
    g_autoptr(GPtrArray) missing = missing_texts(chart);
    guint most = MOST_KERNELS;
    if (chart->draw->kind != PS_DRAW_QUADRANTS)
        most = MIN(most, MAX(LEAST_KERNELS, MOST_TAGS / chart->draw->gpus->len));
    for (guint i = 0; i < chart->entries->len; i++) {
        PsDrawEntry *entry = &g_array_index(chart->entries, PsDrawEntry, i);
        entry->listed = entry->number && (chart->by_name || entry->number <= most);
    }
    if (!chart->by_name)
        add_drawn(chart, look_of, most);
    for (guint i = 0; i < missing->len; i++)
        ps_chart_key(chart->chart, NULL, "%s", (char *)missing->pdata[i]);
}
