/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sums of counters per kernel and device. See import.h. A launch that is kept apart is summed in an
 * entry that all such launches use in turn, and handed on when the next one begins.
 */
#include "roofline/import/collect-private.h"

#include <math.h>
#include <string.h>

static guint hash_key(gconstpointer p)
{
    const PsKernelKey *key = p;
    return g_str_hash(key->name) * 31 + (key->device ? g_str_hash(key->device) : 0);
}

static gboolean equal_keys(gconstpointer p, gconstpointer q)
{
    const PsKernelKey *a = p, *b = q;
    return strcmp(a->name, b->name) == 0 && g_strcmp0(a->device, b->device) == 0 &&
           a->capability == b->capability;
}

PsCollector *ps_collector_new(const PsImport *import, const PsFormulas *formulas)
{
    PsCollector *collector = g_new0(PsCollector, 1);
    collector->import = import;
    collector->section = 1;
    ps_counters_init(&collector->counters, formulas);
    collector->entries = g_hash_table_new(hash_key, equal_keys);
    collector->order =
        g_ptr_array_new_with_free_func((GDestroyNotify)(void (*)(void))ps_entry_free);
    collector->slots = g_new0(guint, collector->counters.names->len);
    collector->all = g_new0(PsCounter, collector->counters.names->len);
    return collector;
}

void ps_collector_free(PsCollector *collector)
{
    if (!collector)
        return;
    ps_counters_clear(&collector->counters);
    g_hash_table_destroy(collector->entries);
    g_ptr_array_free(collector->order, TRUE);
    g_free(collector->launch.counters);
    g_free(collector->slots);
    g_free(collector->all);
    g_free(collector->conflict);
    g_free(collector);
}

int ps_collector_counter(const PsCollector *collector, const char *name)
{
    return GPOINTER_TO_INT(g_hash_table_lookup(collector->counters.by_name, name)) - 1;
}

const char *ps_collector_counter_name(const PsCollector *collector, int counter)
{
    return collector->counters.names->pdata[counter];
}

int ps_collector_n_counters(const PsCollector *collector)
{
    return (int)collector->counters.names->len;
}

PsUnit ps_collector_unit(const PsCollector *collector, int counter)
{
    return g_array_index(collector->counters.units, PsUnit, counter);
}

/* ---- collecting ---------------------------------------------------------------------------- */

static PsEntry *find_entry(PsCollector *collector, const PsKernelKey *key, int line)
{
    if (collector->entry && equal_keys(&collector->entry->key, key))
        return collector->entry;
    PsEntry *entry = g_hash_table_lookup(collector->entries, key);
    if (entry)
        return entry;
    entry = g_new0(PsEntry, 1);
    entry->key = (PsKernelKey){g_strdup(key->name), g_strdup(key->device), key->capability};
    entry->line = line;
    g_hash_table_insert(collector->entries, &entry->key, entry);
    g_ptr_array_add(collector->order, entry);
    return entry;
}

void ps_collect_section(PsCollector *collector)
{
    collector->section++;
}

gboolean ps_collect_launch(PsCollector *collector, const PsKernelKey *key, int line, GError **error)
{
    if (!ps_collector_end_launch(collector, error))
        return FALSE;
    PsEntry *entry = find_entry(collector, key, line);
    if (entry->section != collector->section)
        entry->in_section = 0;
    entry->section = collector->section;
    entry->in_section++;
    entry->launches = MAX(entry->launches, entry->in_section);
    collector->entry = entry;
    collector->begun++;
    collector->weight = 1;
    collector->is_apart = collector->import->options->apart;
    collector->summed = collector->is_apart ? &collector->launch : entry;
    collector->launch_line = line;
    if (collector->launch.room > 0)
        memset(collector->launch.counters, 0,
               collector->launch.room * sizeof *collector->launch.counters);
    return TRUE;
}

gboolean ps_collect_kernel(PsCollector *collector, const PsKernelKey *key, gint64 launches,
                           int line, GError **error)
{
    if (!ps_collector_end_launch(collector, error))
        return FALSE;
    collector->entry = find_entry(collector, key, line);
    collector->entry->launches = MAX(collector->entry->launches, launches);
    collector->summed = collector->entry;
    collector->begun++;
    collector->weight = launches;
    return TRUE;
}

static void note_conflict(PsCollector *collector, int counter, double before, double value)
{
    char here[G_ASCII_DTOSTR_BUF_SIZE], above[G_ASCII_DTOSTR_BUF_SIZE];
    if (collector->n_conflicts++ > 0)
        return;
    g_ascii_formatd(here, sizeof here, "%.10g", value);
    g_ascii_formatd(above, sizeof above, "%.10g", before);
    collector->conflict = g_strdup_printf(
        "line %d: %s is %s here, and %s above in the same launch, which counts",
        collector->import->csv->line, ps_collector_counter_name(collector, counter), here, above);
}

void ps_collect_put(PsCollector *collector, int counter, double value)
{
    const PsCounter *sum = ps_entry_room(collector, collector->summed, (guint)counter);
    if (sum->begun != collector->begun)
        ps_collect_add(collector, counter, value);
    else if (sum->last != value)
        note_conflict(collector, counter, sum->last, value);
}

void ps_collect_add(PsCollector *collector, int counter, double value)
{
    PsCounter *sum = ps_entry_room(collector, collector->summed, (guint)counter);
    sum->sum += value;
    if (sum->begun == collector->begun) {
        sum->last += value;
        return;
    }
    sum->begun = collector->begun;
    sum->last = value;
    sum->n = collector->weight > G_MAXINT64 - sum->n ? G_MAXINT64 : sum->n + collector->weight;
}

void ps_collect_estimate(PsCollector *collector, int counter, double value)
{
    if (ps_collect_has(collector, counter))
        return;
    PsCounter *sum = ps_entry_room(collector, collector->summed, (guint)counter);
    sum->begun_estimated = collector->begun;
    sum->estimate += value;
    sum->n_estimated += collector->weight;
}

double ps_collect_value(const PsCollector *collector, int counter)
{
    if (!collector->summed)
        return NAN;
    const PsCounter *sum = ps_entry_counter(collector, collector->summed, (guint)counter);
    return sum->begun == collector->begun ? sum->last : NAN;
}

gboolean ps_collect_has(const PsCollector *collector, int counter)
{
    const PsCounter *sum = ps_entry_counter(collector, collector->summed, (guint)counter);
    return sum->begun == collector->begun || sum->begun_estimated == collector->begun;
}

void ps_collect_missing(PsCollector *collector, int counter, int line)
{
    int *missing = &ps_entry_room(collector, collector->entry, (guint)counter)->missing;
    if (*missing == 0)
        *missing = line;
}
