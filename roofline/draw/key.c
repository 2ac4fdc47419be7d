/* SPDX-License-Identifier: BSD-3-Clause */
/* The key beside a chart: a sample and a text on each line. */
#include "roofline/draw/chart.h"

#include <string.h>

/* As many lines as the page has room for, and for kernels at least and at most. */
#define LINES 36
#define LEAST_KERNELS 6
#define MOST_KERNELS 30

/* Numbers in the chart: a kernel has one on each GPU. */
#define MOST_TAGS 90

/* Of kernels that are not drawn so many are named. */
#define MOST_MISSING 4

/* Dots: from the plot area to the key, of a sample, of a row. */
#define GAP 14
#define SAMPLE 34
#define ROW 14.4

void ps_draw_key_line_free(void *data)
{
    PsDrawKeyLine *line = data;
    g_free(line->line);
    g_free(line->mark);
    g_free(line->text);
    g_free(line);
}

void ps_draw_key_add(PsDrawChart *chart, char *line, char *mark, char *text)
{
    PsDrawKeyLine *row = g_new(PsDrawKeyLine, 1);
    *row = (PsDrawKeyLine){line, mark, text};
    g_ptr_array_add(chart->key, row);
}

double ps_draw_key_width(const PsDrawChart *chart)
{
    guint widest = 0;
    for (guint i = 0; i < chart->key->len; i++)
        widest = MAX(widest, ps_draw_columns(((const PsDrawKeyLine *)chart->key->pdata[i])->text));
    return widest ? (GAP + SAMPLE + widest * PS_DRAW_COLUMN) / PS_DRAW_PAGE_WIDTH : 0;
}

/* ---- kernels -------------------------------------------------------------------------------- */

static const PsDrawEntry *entry_at(const PsDrawChart *chart, guint i)
{
    return &g_array_index(chart->entries, PsDrawEntry, i);
}

/* The first entry from i on that is not drawn for the same reason as it; entries->len: none. */
static guint next_missing(const PsDrawChart *chart, guint i, const char *why)
{
    while (i < chart->entries->len &&
           (!entry_at(chart, i)->why || strcmp(entry_at(chart, i)->why, why) != 0))
        i++;
    return i;
}

static gboolean is_first_missing(const PsDrawChart *chart, guint i)
{
    const char *why = entry_at(chart, i)->why;
    return why && next_missing(chart, 0, why) == i;
}

static void add_missing(PsDrawChart *chart, guint first)
{
    const char *why = entry_at(chart, first)->why;
    ps_draw_key_add(chart, NULL, NULL, g_strdup_printf("not drawn: %s", why));
    guint n = 0;
    for (guint i = first; i < chart->entries->len; i = next_missing(chart, i + 1, why))
        if (n++ < MOST_MISSING)
            ps_draw_key_add(chart, NULL, NULL, g_strdup_printf("  %s", entry_at(chart, i)->name));
    if (n > MOST_MISSING)
        ps_draw_key_add(chart, NULL, NULL, g_strdup_printf("  and %u more", n - MOST_MISSING));
}

/* Lines that add_missing will add. */
static guint missing_lines(const PsDrawChart *chart)
{
    guint lines = 0;
    for (guint i = 0; i < chart->entries->len; i++)
        if (is_first_missing(chart, i)) {
            const char *why = entry_at(chart, i)->why;
            guint n = 0;
            for (guint j = i; j < chart->entries->len; j = next_missing(chart, j + 1, why))
                n++;
            lines += 1 + MIN(n, MOST_MISSING + 1);
        }
    return lines;
}

static void add_drawn(PsDrawChart *chart, PsDrawStyleOf style_of, guint most)
{
    const guint drawn = ps_draw_entries_drawn(chart);
    for (guint i = 0; i < chart->entries->len; i++) {
        const PsDrawEntry *entry = entry_at(chart, i);
        if (!entry->listed)
            continue;
        char *style = style_of ? style_of(chart, i) : NULL;
        ps_draw_key_add(chart, NULL, style, g_strdup_printf("%u  %s", entry->number, entry->name));
    }
    if (drawn > most)
        ps_draw_key_add(chart, NULL, NULL,
                        g_strdup_printf("and %u more, without numbers", drawn - most));
}

void ps_draw_key_kernels(PsDrawChart *chart, PsDrawStyleOf style_of)
{
    const guint drawn = ps_draw_entries_drawn(chart);
    const guint used = chart->key->len + missing_lines(chart);
    guint most = LINES > used + LEAST_KERNELS ? LINES - used : LEAST_KERNELS;
    if (drawn > most)
        most--; /* the line that says how many more */
    most = MIN(most, MOST_KERNELS);
    if (chart->draw->kind != PS_DRAW_QUADRANTS)
        most = MIN(most, MAX(LEAST_KERNELS, MOST_TAGS / chart->draw->gpus->len));
    ps_draw_entries_list(chart, chart->by_name ? drawn : most);
    if (!chart->by_name)
        add_drawn(chart, style_of, most);
    for (guint i = 0; i < chart->entries->len; i++)
        if (is_first_missing(chart, i))
            add_missing(chart, i);
}

/* ---- its place ------------------------------------------------------------------------------ */

static void put_place(GString *out, double x, double y)
{
    g_string_append_printf(out, "screen %s,", ps_draw_number(x / PS_DRAW_PAGE_WIDTH, 4).text);
    g_string_append_printf(out, "%s", ps_draw_number(y / PS_DRAW_PAGE_HEIGHT, 4).text);
}

static void put_samples(PsDrawChart *chart, const PsDrawKeyLine *row, double x, double y)
{
    GString *out = chart->settings;
    if (row->line) {
        g_autofree char *style = g_strconcat("nohead ", row->line, NULL);
        g_string_append(out, "set arrow from ");
        put_place(out, x, y);
        g_string_append(out, " to ");
        put_place(out, x + SAMPLE - 5, y);
        ps_draw_arrow_style(chart, style);
    }
    if (row->mark) {
        g_string_append(out, "set label '' at ");
        put_place(out, x + (SAMPLE - 5) / 2.0, y);
        g_string_append_printf(out, " point %s\n", row->mark);
    }
}

void ps_draw_key_put(PsDrawChart *chart)
{
    GString *out = chart->settings;
    const double x = chart->right * PS_DRAW_PAGE_WIDTH + GAP;
    double y = chart->top * PS_DRAW_PAGE_HEIGHT - ROW / 2;
    /* A long key may begin above the plot area. */
    const double need = chart->key->len * ROW + 4;
    y = MIN(PS_DRAW_PAGE_HEIGHT - ROW / 2, MAX(y, need));
    for (guint i = 0; i < chart->key->len; i++, y -= ROW) {
        const PsDrawKeyLine *row = chart->key->pdata[i];
        g_autofree char *text = ps_draw_quote(row->text);
        put_samples(chart, row, x, y);
        g_string_append_printf(out, "set label %s at ", text);
        put_place(out, row->line || row->mark ? x + SAMPLE : x, y);
        g_string_append(out, " left noenhanced font ',9'\n");
    }
}
