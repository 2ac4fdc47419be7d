/* SPDX-License-Identifier: BSD-3-Clause */
/* See work.h. */
#include "answer/work.h"

#include "answer/answer-private.h"

#include <string.h>

char *ps_work_key(const PsIdg *idg, const PsIdgItem *node)
{
    const char *first = strchr(node->class_name, '.');
    const char *second = first ? strchr(first + 1, '.') : NULL;
    const int length = second ? (int)(second - node->class_name) : (int)strlen(node->class_name);
    g_autofree char *line = ps_item_line(idg, node);
    return g_strdup_printf("%s %.*s", line ? line : node->name, length, node->class_name);
}

GHashTable *ps_work_new(const PsKernel *kernel, guint program, gboolean straight)
{
    const PsProgram *of = &kernel->programs[program];
    GHashTable *work = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    for (guint n = 0; n < of->n_nodes; n++) {
        if (straight && of->nodes[n].n_loops > 0)
            continue;
        char *key = ps_work_key(kernel->idg, of->nodes[n].item);
        double *times = g_new(double, 1);
        *times = ps_work_times(work, key) + (double)of->nodes[n].count;
        g_hash_table_replace(work, key, times);
    }
    return work;
}

double ps_work_times(GHashTable *work, const char *key)
{
    const double *times = g_hash_table_lookup(work, key);
    return times ? *times : 0;
}
