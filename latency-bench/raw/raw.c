/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Raw samples in memory: frees them, and finds one of them.
 */
#include "latency-bench/internal.h"
#include "latency-bench/raw/private.h"

#include <math.h>
#include <string.h>

static void row_free(void *row)
{
    ps_raw_row_free(row);
}

void ps_raw_row_free(PsRawRow *row)
{
    if (!row)
        return;
    g_free(row->kernel);
    g_free(row->class_name);
    g_free(row->problem);
    g_free(row);
}

void ps_raw_row_set(PsRawRow *row, const PsBenchKernel *kernel)
{
    *row = (PsRawRow){
        .kernel = g_strdup(kernel->name),
        .class_name = g_strdup(kernel->class_name),
        .kind = kernel->kind,
        .ilp = kernel->ilp,
        .unroll = kernel->unroll,
        .operations = kernel->operations,
        .sample = {NAN, NAN, NAN},
    };
}

PsRaw *ps_raw_new(const char *path)
{
    PsRaw *raw = g_new0(PsRaw, 1);
    raw->path = g_strdup(path);
    raw->info.clock = raw->info.boost_clock = PS_RATIONAL_INT(0);
    raw->rows = g_ptr_array_new_with_free_func(row_free);
    return raw;
}

void ps_raw_free(PsRaw *raw)
{
    if (!raw)
        return;
    ps_device_info_clear(&raw->info);
    g_ptr_array_unref(raw->rows);
    g_free(raw->path);
    g_free(raw->when);
    g_free(raw);
}

/* ---- the index ----------------------------------------------------------------------------- */

struct PsRawIndex {
    GHashTable *rows; /* key -> row */
};

/* launch NULL: the key of the kernel as a whole. */
static char *key_of(const char *kernel, const PsBenchLaunch *launch, gboolean is_problem)
{
    if (!launch)
        return g_strconcat("all,", kernel, NULL);
    const gint64 figures[] = {
        launch->groups, launch->group_size, launch->local_memory, launch->warps,
        launch->length, launch->memory,     launch->step,         is_problem ? -1 : launch->repeat,
    };
    GString *key = g_string_new(NULL);
    for (guint i = 0; i < G_N_ELEMENTS(figures); i++)
        g_string_append_printf(key, "%" G_GINT64_FORMAT ",", figures[i]);
    g_string_append(key, kernel);
    return g_string_free(key, FALSE);
}

PsRawIndex *ps_raw_index_new(void)
{
    PsRawIndex *index = g_new(PsRawIndex, 1);
    index->rows = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    return index;
}

void ps_raw_index_free(PsRawIndex *index)
{
    if (!index)
        return;
    g_hash_table_unref(index->rows);
    g_free(index);
}

gboolean ps_raw_index_add(PsRawIndex *index, const PsRawRow *row)
{
    const gboolean of_kernel = row->problem && row->launch.groups == 0;
    char *key = key_of(row->kernel, of_kernel ? NULL : &row->launch, row->problem != NULL);
    if (g_hash_table_contains(index->rows, key)) {
        g_free(key);
        return FALSE;
    }
    g_hash_table_insert(index->rows, key, (void *)row);
    return TRUE;
}

const PsRawRow *ps_raw_index_run(const PsRawIndex *index, const char *kernel,
                                 const PsBenchLaunch *launch)
{
    g_autofree char *key = key_of(kernel, launch, FALSE);
    return g_hash_table_lookup(index->rows, key);
}

const PsRawRow *ps_raw_index_problem(const PsRawIndex *index, const char *kernel,
                                     const PsBenchLaunch *launch)
{
    g_autofree char *key = key_of(kernel, launch, TRUE);
    return g_hash_table_lookup(index->rows, key);
}
