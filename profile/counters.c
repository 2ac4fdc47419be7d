/* SPDX-License-Identifier: BSD-3-Clause */
/* See counters.h. */
#include "profile/counters.h"

#include "roofline/profile.h"

#include <string.h>

/* The existing counters of a way (g_strfreev); NULL: the way does not serve. */
static char **serving(const char *way, GHashTable *known)
{
    const gboolean any = *way == '?';
    g_auto(GStrv) names = g_strsplit(way + any, ",", -1);
    g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
    guint n = 0;
    for (guint i = 0; names[i]; i++)
        if (!known || g_hash_table_contains(known, names[i])) {
            g_strv_builder_add(builder, names[i]);
            n++;
        }
    return n > 0 && (any || n == g_strv_length(names)) ? g_strv_builder_end(builder) : NULL;
}

static void add(GPtrArray *counters, char **names)
{
    for (guint i = 0; names[i]; i++)
        if (!g_ptr_array_find_with_equal_func(counters, names[i], g_str_equal, NULL))
            g_ptr_array_add(counters, g_strdup(names[i]));
}

GPtrArray *ps_counters_wanted(const char *profiler, GHashTable *known)
{
    GPtrArray *counters = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *text = ps_profile_counters(profiler);
    g_auto(GStrv) metrics = g_strsplit(text, ";", -1);
    for (guint i = 0; metrics[i]; i++) {
        g_auto(GStrv) ways = g_strsplit(metrics[i], "|", -1);
        g_auto(GStrv) names = NULL;
        for (guint k = 0; ways[k] && !names; k++)
            names = serving(ways[k], known);
        if (names)
            add(counters, names);
    }
    return counters;
}
