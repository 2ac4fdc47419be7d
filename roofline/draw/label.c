/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Numbers at marks. Kernels of one program lie often on one spot: marks that cannot be told apart
 * share one text.
 */
#include "roofline/draw/chart.h"

#include <math.h>

/* Marks nearer than that, in dots, are one spot. */
#define ONE_SPOT 5

/* Longer lists of numbers are cut. */
#define LIST_COLUMNS 34

static const PsDrawEntry *entry_of(const PsDrawChart *chart, const GArray *tags, guint i)
{
    return &g_array_index(chart->entries, PsDrawEntry, g_array_index(tags, PsDrawTag, i).entry);
}

static int compare(const void *a, const void *b)
{
    const guint x = *(const guint *)a, y = *(const guint *)b;
    return (x > y) - (x < y);
}

/* "1, 4-7" */
static char *list_numbers(const GArray *numbers)
{
    GString *list = g_string_new(NULL);
    for (guint i = 0, next; i < numbers->len; i = next) {
        const guint first = g_array_index(numbers, guint, i);
        for (next = i + 1;
             next < numbers->len && g_array_index(numbers, guint, next) <= first + (next - i);)
            next++;
        const guint last = g_array_index(numbers, guint, next - 1);
        if (list->len > LIST_COLUMNS) {
            g_string_append(list, ", …");
            break;
        }
        g_string_append_printf(list, "%s%u", list->len ? ", " : "", first);
        if (last > first)
            g_string_append_printf(list, "%s%u", last > first + 1 ? "–" : ", ", last);
    }
    return g_string_free(list, FALSE);
}

char *ps_draw_tag_text(const PsDrawChart *chart, const GArray *tags)
{
    g_autoptr(GArray) numbers = g_array_new(FALSE, FALSE, sizeof(guint));
    for (guint i = 0; i < tags->len; i++)
        if (entry_of(chart, tags, i)->listed)
            g_array_append_val(numbers, entry_of(chart, tags, i)->number);
    g_array_sort(numbers, compare);
    /* The same number twice on one spot: the kernel on two GPUs. */
    for (guint i = 1; i < numbers->len;)
        if (g_array_index(numbers, guint, i) == g_array_index(numbers, guint, i - 1))
            g_array_remove_index(numbers, i);
        else
            i++;
    if (!chart->by_name)
        return list_numbers(numbers);
    GString *names = g_string_new(NULL);
    for (guint i = 0; i < numbers->len; i++)
        for (guint j = 0; j < chart->entries->len; j++) {
            const PsDrawEntry *entry = &g_array_index(chart->entries, PsDrawEntry, j);
            if (entry->number == g_array_index(numbers, guint, i))
                g_string_append_printf(names, "%s%s", names->len ? ", " : "", entry->name);
        }
    return g_string_free(names, FALSE);
}

/* The tags on the spot of the first that is left, which they leave. */
static GArray *take_spot(const PsDrawChart *chart, GArray *left)
{
    GArray *spot = g_array_new(FALSE, FALSE, sizeof(PsDrawTag));
    const PsDrawXY place = ps_draw_dots(chart, g_array_index(left, PsDrawTag, 0).at);
    for (guint i = 0; i < left->len;) {
        const PsDrawTag tag = g_array_index(left, PsDrawTag, i);
        const PsDrawXY dots = ps_draw_dots(chart, tag.at);
        if (hypot(dots.x - place.x, dots.y - place.y) > ONE_SPOT) {
            i++;
            continue;
        }
        g_array_append_val(spot, tag);
        g_array_remove_index(left, i);
    }
    return spot;
}

static void free_spot(void *spot)
{
    g_array_unref(spot);
}

GPtrArray *ps_draw_spots(const PsDrawChart *chart, const GArray *tags)
{
    g_autoptr(GArray) left = g_array_new(FALSE, FALSE, sizeof(PsDrawTag));
    GPtrArray *spots = g_ptr_array_new_with_free_func(free_spot);
    for (guint i = 0; i < tags->len; i++)
        if (entry_of(chart, tags, i)->listed)
            g_array_append_val(left, g_array_index(tags, PsDrawTag, i));
    while (left->len)
        g_ptr_array_add(spots, take_spot(chart, left));
    return spots;
}

void ps_draw_tags(PsDrawChart *chart, const GArray *tags, const char *before)
{
    g_autoptr(GPtrArray) spots = ps_draw_spots(chart, tags);
    for (guint i = 0; i < spots->len; i++) {
        const GArray *spot = spots->pdata[i];
        g_autofree char *text = ps_draw_tag_text(chart, spot);
        g_autofree char *full = g_strconcat(before, text, NULL);
        ps_draw_label(chart, full, "#000000", g_array_index(spot, PsDrawTag, 0).at);
    }
}
