/* SPDX-License-Identifier: BSD-3-Clause */
/* See node-share.h. */
#include "advice/node-share.h"

#include "answer/answer-private.h"
#include "answer/explain.h"

typedef struct {
    const PsIdgItem *node;
    double share, sum; /* share of the node, and of its whole line */
} LineShare;

GHashTable *ps_line_shares_new(void)
{
    return g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
}

void ps_line_shares_add(GHashTable *lines, const PsIdg *idg, const PsIdgItem *node, double share)
{
    char *line = ps_item_line(idg, node);
    LineShare *of = line ? g_hash_table_lookup(lines, line) : NULL;
    if (line && !of) {
        of = g_new0(LineShare, 1);
        of->node = node;
        g_hash_table_insert(lines, g_steal_pointer(&line), of);
    }
    g_free(line);
    if (!of)
        return;
    of->sum += share;
    if (share > of->share) {
        of->share = share;
        of->node = node;
    }
}

const PsIdgItem *ps_line_shares_most(GHashTable *lines)
{
    const LineShare *most = NULL;
    GHashTableIter iter;
    gpointer of;
    g_hash_table_iter_init(&iter, lines);
    while (g_hash_table_iter_next(&iter, NULL, &of))
        if (!most || ((const LineShare *)of)->sum > most->sum)
            most = of;
    return most ? most->node : NULL;
}

GHashTable *ps_node_shares(const PsAnswer *answer)
{
    const PsKernel *kernel = answer->kernel;
    const GPtrArray *path = answer->explain->path;
    GHashTable *shares = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    for (guint p = 0; p < kernel->n_programs; p++)
        for (guint n = 0; n < kernel->programs[p].n_nodes; n++) {
            PsNodeShare *share = g_new0(PsNodeShare, 1);
            *share = (PsNodeShare){p, n, 0};
            g_hash_table_insert(shares, (gpointer)kernel->programs[p].nodes[n].item, share);
        }
    for (guint i = 0; path && i < path->len; i++) {
        const PsPathRow *row = path->pdata[i];
        if (row->node == G_MAXUINT)
            continue;
        PsNodeShare *share =
            g_hash_table_lookup(shares, kernel->programs[row->program].nodes[row->node].item);
        share->share += (double)row->ticks / (double)answer->result.ticks;
    }
    return shares;
}
