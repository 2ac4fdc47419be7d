/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Nsight Compute's table with a row per launch and a column per metric. See ncu.h. A launch
 * without one of the metrics has nothing in its column.
 */
#include "roofline/import/ncu.h"

#include <string.h>

typedef struct {
    PsImport *import;
    PsCollector *collector;
    PsNcu *ncu;
    int name, device;  /* columns */
    int *metrics;      /* counter of each column; -1: none */
    GPtrArray *units;  /* unit of each column; NULL: none */
    gboolean is_first; /* the next row is the first below the header */
} Reader;

/* Finds a column's metric and unit. Tables of the graphical program name the unit with the metric:
 * "dram__bytes.sum [Mbyte]". */
static int find_metric(const Reader *reader, const char *column, char **unit)
{
    const char *bracket = strstr(column, " [");
    if (!bracket || !g_str_has_suffix(bracket, "]"))
        return ps_ncu_find(reader->ncu, column);
    g_autofree char *name = g_strndup(column, (gsize)(bracket - column));
    const int metric = ps_ncu_find(reader->ncu, name);
    *unit = metric < 0 ? NULL : g_strndup(bracket + 2, strlen(bracket + 2) - 1);
    return metric;
}

static int start_table(gpointer self, GError **error)
{
    Reader *reader = self;
    const PsHeader *header = &reader->import->header;
    ps_collect_section(reader->collector);
    g_ptr_array_set_size(reader->units, 0);
    reader->is_first = TRUE;
    reader->name = ps_ncu_name_column(header);
    reader->device = ps_header_find(header, "device__attribute_display_name");
    if (reader->device < 0)
        reader->device = ps_header_find(header, "Device");
    g_free(reader->metrics);
    reader->metrics = g_new0(int, header->n);
    for (guint i = 0; i < header->n; i++) {
        char *unit = NULL;
        reader->metrics[i] = find_metric(reader, header->names[i], &unit);
        g_ptr_array_add(reader->units, unit);
    }
    return reader->name >= 0 ? reader->name
                             : ps_import_column(reader->import, "Kernel Name", error);
}

/* Takes the row below the header, which names no kernel, as units. */
static gboolean take_units(Reader *reader)
{
    const PsImport *import = reader->import;
    const gboolean is_first = reader->is_first;
    reader->is_first = FALSE;
    if (!is_first || *ps_import_text(import, reader->name))
        return FALSE;
    for (guint i = 0; i < import->header.n; i++) {
        g_free(reader->units->pdata[i]);
        reader->units->pdata[i] = g_strdup(ps_import_text(import, (int)i));
    }
    return TRUE;
}

static void note_missing(const Reader *reader, int metric)
{
    if (ps_ncu_is_counter(reader->ncu, metric))
        ps_collect_missing(reader->collector, metric, reader->import->csv->line);
}

static gboolean read_launch(gpointer self, GError **error)
{
    Reader *reader = self;
    const PsImport *import = reader->import;
    if (!ps_import_check_width(import, error))
        return FALSE;
    if (take_units(reader))
        return TRUE;
    const char *name = ps_ncu_name(import, reader->name, error);
    if (!name)
        return FALSE;
    const PsKernelKey key = {name,
                             reader->device >= 0 ? ps_import_text(import, reader->device) : NULL,
                             ps_ncu_capability(import)};
    ps_ncu_end_launch(reader->ncu);
    if (!ps_collect_launch(reader->collector, &key, import->csv->line, error))
        return FALSE;
    for (guint i = 0; i < import->header.n; i++) {
        const int metric = reader->metrics[i];
        if (metric < 0)
            continue;
        if (!*ps_import_text(import, (int)i))
            note_missing(reader, metric);
        else if (!ps_ncu_put(reader->ncu, metric, (int)i, reader->units->pdata[i], error))
            return FALSE;
    }
    return TRUE;
}

static gboolean read_wide(PsImport *import, GError **error)
{
    static const PsNcuTable table = {start_table, read_launch};
    g_autoptr(PsCollector) collector = ps_collector_new(import, &ps_ncu_formulas);
    g_autoptr(PsNcu) ncu = ps_ncu_new(import, collector);
    Reader reader = {.import = import,
                     .collector = collector,
                     .ncu = ncu,
                     .units = g_ptr_array_new_with_free_func(g_free)};
    const gboolean ok = ps_ncu_read(import, ncu, &table, &reader, error);
    g_free(reader.metrics);
    g_ptr_array_free(reader.units, TRUE);
    return ok;
}

/* TRUE if the header has a kernel's name, or a launch's number, and at least one metric: only
 * metrics have "__". */
static gboolean is_wide(const PsHeader *header)
{
    if (ps_ncu_name_column(header) < 0 && ps_header_find(header, "ID") < 0)
        return FALSE;
    for (guint i = 0; i < header->n; i++)
        if (strstr(header->names[i], "__"))
            return TRUE;
    return FALSE;
}

const PsImporter ps_import_ncu_wide = {"Nsight Compute", "Nsight Compute --csv --page raw", is_wide,
                                       read_wide};
