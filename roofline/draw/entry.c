/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which kernels a chart tells apart. The same kernel on several GPUs is one: the second of a name
 * on one GPU is the second of that name on every GPU.
 */
#include "roofline/draw/chart.h"

#include "base/kernel-name.h"

#include <string.h>

/* Names up to that, and few, stand at their marks: on one GPU, or each would stand there again for
 * the next. */
#define SHORT_NAME 16
#define SHORTEST_NAME 5
#define MOST_SHORTEST 12

/* The entry that has the kernel's name and its rank among those of this name on its GPU; G_MAXUINT
 * if there is none yet. Keeps the rank. */
static char *identity(GHashTable *ranks, const PsDrawKernel *kernel)
{
    char *on_gpu = g_strdup_printf("%u %s", kernel->gpu, kernel->name);
    const guint rank = GPOINTER_TO_UINT(g_hash_table_lookup(ranks, on_gpu)) + 1;
    g_hash_table_insert(ranks, on_gpu, GUINT_TO_POINTER(rank));
    return g_strdup_printf("%u %s", rank, kernel->name);
}

/* A long one first loses its parameters, then its namespaces. */
static char *shown_name(const char *name)
{
    g_autofree char *scoped = ps_kernel_short_name(name, TRUE);
    g_autofree char *bare = ps_kernel_short_name(name, FALSE);
    const char *const names[] = {name, scoped, bare};
    guint i = 0;
    while (i < 2 && strlen(names[i]) > PS_DRAW_NAME_COLUMNS)
        i++;
    char *shown = ps_draw_shorten(names[i], PS_DRAW_NAME_COLUMNS);
    if (*shown)
        return shown;
    g_free(shown);
    return g_strdup("(no name)");
}

static guint find_or_add(PsDrawChart *chart, GHashTable *known, char *id, guint kernel)
{
    const guint found = GPOINTER_TO_UINT(g_hash_table_lookup(known, id));
    if (found) {
        g_free(id);
        return found - 1;
    }
    const PsDrawEntry entry = {shown_name(ps_draw_kernel(chart->draw, kernel)->name), kernel, 0,
                               NULL, FALSE};
    g_array_append_val(chart->entries, entry);
    g_hash_table_insert(known, id, GUINT_TO_POINTER(chart->entries->len));
    return chart->entries->len - 1;
}

/* Numbers those that are in the chart; a kernel is, if it has a mark on one GPU. */
static void number(PsDrawChart *chart, PsDrawWhy why)
{
    const GArray *entries = chart->entries;
    for (guint i = 0; i < entries->len; i++)
        g_array_index(entries, PsDrawEntry, i).why = "";
    for (guint i = 0; i < chart->draw->kernels->len; i++) {
        PsDrawEntry *entry = &g_array_index(entries, PsDrawEntry, chart->entry_of[i]);
        if (entry->why) {
            const char *reason = why(chart, ps_draw_kernel(chart->draw, i));
            if (!reason || !*entry->why)
                entry->why = reason;
        }
    }
    for (guint i = 0; i < entries->len; i++) {
        PsDrawEntry *entry = &g_array_index(entries, PsDrawEntry, i);
        if (!entry->why)
            entry->number = ++chart->drawn;
    }
}

static gboolean short_names(const PsDrawChart *chart)
{
    guint widest = 0;
    for (guint i = 0; i < chart->entries->len; i++)
        if (ps_draw_entry(chart, i)->number)
            widest = MAX(widest, ps_draw_columns(ps_draw_entry(chart, i)->name));
    return (chart->drawn <= PS_DRAW_FEW && widest <= SHORT_NAME) ||
           (chart->drawn <= MOST_SHORTEST && widest <= SHORTEST_NAME);
}

void ps_draw_entries(PsDrawChart *chart, PsDrawWhy why)
{
    g_autoptr(GHashTable) ranks = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autoptr(GHashTable) known = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint i = 0; i < chart->draw->kernels->len; i++) {
        char *id = identity(ranks, ps_draw_kernel(chart->draw, i));
        chart->entry_of[i] = find_or_add(chart, known, id, i);
    }
    number(chart, why);
    chart->by_name = short_names(chart) &&
                     (chart->draw->kind == PS_DRAW_QUADRANTS || !ps_draw_many_gpus(chart->draw));
}
