/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts and times of the same launches, from two runs: see traced.h. */
#include "profile/traced.h"

/* Launches of one kernel in order: their counts, and the number already assigned. */
typedef struct {
    GPtrArray *counts;
    guint next;
} Queue;

static void queue_free(void *data)
{
    Queue *queue = data;
    g_ptr_array_unref(queue->counts);
    g_free(queue);
}

/* Counts are matched by the device's number and the kernel's name. */
static char *key_of(const PsTracedLaunch *launch)
{
    return g_strdup_printf("%" G_GINT64_FORMAT " %s", launch->device, launch->kernel);
}

static GHashTable *queue_up(const GArray *launches)
{
    GHashTable *queues = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, queue_free);
    for (guint i = 0; i < launches->len; i++) {
        const PsTracedLaunch *launch = &g_array_index(launches, PsTracedLaunch, i);
        g_autofree char *key = key_of(launch);
        Queue *queue = g_hash_table_lookup(queues, key);
        if (!queue) {
            queue = g_new0(Queue, 1);
            queue->counts = g_ptr_array_new();
            g_hash_table_insert(queues, g_steal_pointer(&key), queue);
        }
        g_ptr_array_add(queue->counts, (gpointer)launch->counts);
    }
    return queues;
}

guint ps_traced_join(PsTraced *times, const PsTraced *counts, guint *left)
{
    g_autoptr(GHashTable) queues = queue_up(counts->launches);
    guint given = 0;
    *left = 0;
    for (guint i = 0; i < times->launches->len; i++) {
        PsTracedLaunch *launch = &g_array_index(times->launches, PsTracedLaunch, i);
        g_autofree char *key = key_of(launch);
        Queue *queue = launch->graph ? NULL : g_hash_table_lookup(queues, key);
        if (queue && queue->next < queue->counts->len) {
            launch->counts =
                g_string_chunk_insert(times->texts, queue->counts->pdata[queue->next++]);
            given++;
        } else if (!launch->graph) {
            ++*left;
        }
    }
    *left += counts->launches->len - given;
    return given;
}
