/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that graphs allocate. It keeps its address as long as a node refers to it, even if it is
 * freed in between: the graph's next launch finds it there. */
#include "driver/graph.h"

typedef struct {
    guint nodes;
    gboolean used; /* a launch has allocated it, and nothing has freed it since */
} Kept;

static Kept *find(CUdeviceptr memory)
{
    return driver.graph_memory ? g_hash_table_lookup(driver.graph_memory, (gpointer)(gsize)memory)
                               : NULL;
}

static void remove_unless_needed(const Kept *kept, CUdeviceptr memory)
{
    if (kept->nodes || kept->used)
        return;
    g_hash_table_remove(driver.graph_memory, (gpointer)(gsize)memory);
    ps_card_memory_remove(ps_card_memory(driver.card), (gpointer)(gsize)memory);
}

void graph_memory_keep(CUdeviceptr memory)
{
    if (!driver.graph_memory)
        driver.graph_memory = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    Kept *kept = find(memory);
    if (!kept) {
        kept = g_new0(Kept, 1);
        g_hash_table_insert(driver.graph_memory, (gpointer)(gsize)memory, kept);
    }
    kept->nodes++;
}

void graph_memory_leave(CUdeviceptr memory)
{
    Kept *kept = find(memory);
    kept->nodes--;
    remove_unless_needed(kept, memory);
}

void graph_memory_use(CUdeviceptr memory)
{
    find(memory)->used = TRUE;
}

gboolean graph_memory_free(CUdeviceptr memory, CUresult *result)
{
    Kept *kept = find(memory);
    if (!kept)
        return FALSE;
    *result = kept->used ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    kept->used = FALSE;
    remove_unless_needed(kept, memory);
    return TRUE;
}
