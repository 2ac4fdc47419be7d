/* SPDX-License-Identifier: BSD-3-Clause */
/* See node-share.h. */
#include "answer/node-share.h"

#include "answer/explain.h"

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
