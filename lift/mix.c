/* SPDX-License-Identifier: BSD-3-Clause */
/* The instruction mix, before and after the rules. */
#include "lift/build-private.h"

static GHashTable *count_layout(const PsSamples *samples, const PsLayout *layout)
{
    GHashTable *counts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    for (guint i = 0; i < samples->groups->len; i++) {
        const PsRollGroup *group = samples->groups->pdata[i];
        for (guint j = 0; j < group->warps->len; j++) {
            const PsRollWarps *warps = group->warps->pdata[j];
            ps_spots_count_classes(g_hash_table_lookup(layout->spots, warps->sequence),
                                   warps->warps->len, counts);
        }
    }
    return counts;
}

static int compare(gconstpointer a, gconstpointer b)
{
    const PsBuildMix *x = *(PsBuildMix *const *)a, *y = *(PsBuildMix *const *)b;
    if (x->after != y->after)
        return x->after > y->after ? -1 : 1;
    if (x->before != y->before)
        return x->before > y->before ? -1 : 1;
    return g_strcmp0(x->class_name, y->class_name);
}

static void mix_free(gpointer data)
{
    PsBuildMix *mix = data;
    g_free(mix->class_name);
    g_free(mix);
}

static gint64 count_of(GHashTable *counts, const char *class_name)
{
    const gint64 *count = g_hash_table_lookup(counts, class_name);
    return count ? *count : 0;
}

static void add_classes(GPtrArray *mix, GHashTable *of, GHashTable *before, GHashTable *after)
{
    GHashTableIter iter;
    gpointer class;
    g_hash_table_iter_init(&iter, of);
    while (g_hash_table_iter_next(&iter, &class, NULL)) {
        if (of == before && g_hash_table_contains(after, class))
            continue;
        PsBuildMix *one = g_new0(PsBuildMix, 1);
        one->class_name = g_strdup(class);
        one->before = count_of(before, class);
        one->after = count_of(after, class);
        g_ptr_array_add(mix, one);
    }
}

GPtrArray *ps_mix_new(const PsSamples *samples, const PsLayout *before, const PsLayout *after)
{
    g_autoptr(GHashTable) counts_before = count_layout(samples, before);
    g_autoptr(GHashTable) counts_after = count_layout(samples, after);
    GPtrArray *mix = g_ptr_array_new_with_free_func(mix_free);
    add_classes(mix, counts_after, counts_before, counts_after);
    add_classes(mix, counts_before, counts_before, counts_after);
    g_ptr_array_sort(mix, compare);
    return mix;
}
