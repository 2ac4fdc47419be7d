/* SPDX-License-Identifier: BSD-3-Clause */
/* See work.h. */
#include "advice/work.h"

#include "answer/answer-private.h"

#include <math.h>
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

/* ---- in all ---------------------------------------------------------------------------------- */

#define LEAST_WORK 0.98

/* The mean work of a group: instructions, or bytes of each thread at a level. */
static double sum_of(const PsKernel *kernel, gint64 warps_per_group, PsLevel level)
{
    double sum = 0;
    for (guint p = 0; p < kernel->n_programs; p++) {
        const double warps = ps_kernel_mean_warps(kernel, p, warps_per_group);
        for (guint n = 0; n < kernel->programs[p].n_nodes; n++) {
            const PsProgramNode *node = &kernel->programs[p].nodes[n];
            const double bytes =
                level == PS_N_LEVELS
                    ? 1
                    : fmax(ps_rational_to_double(node->share[level]), 0) * (double)node->bytes;
            sum += warps * (double)node->count * bytes;
        }
    }
    return sum;
}

gboolean ps_work_is_as_much(const PsKernel *now, const PsKernel *then, gint64 warps_per_group)
{
    for (guint level = 0; level <= PS_N_LEVELS; level++)
        if (sum_of(then, warps_per_group, level) < LEAST_WORK * sum_of(now, warps_per_group, level))
            return FALSE;
    return TRUE;
}
