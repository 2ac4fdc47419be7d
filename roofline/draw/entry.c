/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The kernels that a chart distinguishes, and their names. The same kernel on several GPUs is one
 * entry: the second of a name on one GPU is the second of that name on every GPU.
 */
#include "roofline/draw/chart.h"

#include "base/kernel-name.h"

#include <string.h>

/* Longest name at a mark. Only few names stand at marks, and only on one GPU, since each would
 * stand there again for the next GPU. */
#define SHORT_NAME 16
#define SHORTEST_NAME 5
#define MOST_SHORTEST 12

/* Columns of a file's name. */
#define MOST_FILE 18

/* The key of an entry: the kernel's name and its rank among those of this name on its GPU. Counts
 * the rank up. */
static char *identity(GHashTable *ranks, const PsDrawKernel *kernel)
{
    char *on_gpu = g_strdup_printf("%u %s", kernel->gpu, kernel->name);
    const guint rank = GPOINTER_TO_UINT(g_hash_table_lookup(ranks, on_gpu)) + 1;
    g_hash_table_insert(ranks, on_gpu, GUINT_TO_POINTER(rank));
    return g_strdup_printf("%u %s", rank, kernel->name);
}

/* The name that is shown. A long one first loses its parameters, then its namespaces. */
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

/* Numbers the kernels in the chart; a kernel is in the chart if it has a mark on one GPU. */
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

/* ---- equal names ----------------------------------------------------------------------------- */

static gboolean same_name(const PsDrawChart *chart, guint i, guint j)
{
    return strcmp(ps_draw_entry(chart, i)->name, ps_draw_entry(chart, j)->name) == 0;
}

static const PsDrawKernel *first_of(const PsDrawChart *chart, guint entry)
{
    return ps_draw_kernel(chart->draw, ps_draw_entry(chart, entry)->first);
}

/* " #3 (b.csv)": the launch and the file of entry i, as far as they distinguish it from entries of
 * the same name; "" where the name is unique. */
static char *difference_of(const PsDrawChart *chart, guint i)
{
    const PsDrawKernel *kernel = first_of(chart, i);
    gboolean by_launch = FALSE, by_file = FALSE;
    for (guint j = 0; j < chart->entries->len; j++) {
        const PsDrawKernel *other = first_of(chart, j);
        if (!same_name(chart, i, j))
            continue;
        by_launch |= kernel->launch && other->launch != kernel->launch;
        by_file |= kernel->file && g_strcmp0(other->file, kernel->file) != 0;
    }
    GString *text = g_string_new(NULL);
    if (by_launch)
        g_string_append_printf(text, " #%" G_GINT64_FORMAT, kernel->launch);
    if (by_file) {
        g_autofree char *base = g_path_get_basename(kernel->file);
        g_autofree char *name = ps_draw_shorten(base, MOST_FILE);
        g_string_append_printf(text, " (%s)", name);
    }
    return g_string_free(text, FALSE);
}

/* Appends the text of its entry to each name, and frees the texts. */
static void append_to_names(PsDrawChart *chart, char **texts)
{
    for (guint i = 0; i < chart->entries->len; i++) {
        PsDrawEntry *entry = &g_array_index(chart->entries, PsDrawEntry, i);
        g_autofree char *text = texts[i], *name = entry->name;
        g_autofree char *shorter =
            ps_draw_shorten(name, PS_DRAW_NAME_COLUMNS - ps_draw_columns(text));
        entry->name = g_strconcat(shorter, text, NULL);
    }
}

/* Numbers names that are still the same, or have become the same, in their order. */
static void tell_apart(PsDrawChart *chart)
{
    const guint n = chart->entries->len;
    g_autofree char **texts = g_new(char *, n);
    for (guint i = 0; i < n; i++)
        texts[i] = difference_of(chart, i);
    append_to_names(chart, texts);
    for (guint i = 0; i < n; i++) {
        guint all = 0, rank = 0;
        for (guint j = 0; j < n; j++)
            if (same_name(chart, i, j)) {
                all++;
                rank += j <= i ? 1 : 0;
            }
        texts[i] = all > 1 ? g_strdup_printf(" [%u]", rank) : g_strdup("");
    }
    append_to_names(chart, texts);
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
    tell_apart(chart);
    chart->by_name = short_names(chart) &&
                     (chart->draw->kind == PS_DRAW_QUADRANTS || !ps_draw_many_gpus(chart->draw));
}
