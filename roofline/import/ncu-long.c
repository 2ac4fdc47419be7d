/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Nsight Compute's tables with a row per metric. See ncu.h. The rows of a launch, known by
 * its ID and process, stand together; a metric that several sections list counts once. Rows without
 * a metric are the advice of rules.
 */
#include "roofline/import/ncu.h"

#include <math.h>
#include <string.h>

typedef struct {
    PsImport *import;
    PsCollector *collector;
    PsNcu *ncu;
    int name, id, process, device, metric, unit, value; /* columns; -1: none */
    int launches;                                       /* column of summaries */
    guint last;                                         /* last of the columns that a row needs */
    GString *present_id, *present_process, *present_name;
    gboolean has_present;
    GHashTable *last_ids; /* last ID of each process, which shows launches whose rows do not
                             stand together */
} Reader;

static gboolean need(Reader *reader, const char *name, int *column, GError **error)
{
    *column = ps_import_column(reader->import, name, error);
    if (*column >= 0)
        reader->last = MAX(reader->last, (guint)*column);
    return *column >= 0;
}

/* Checks the width of a row; it may end before the columns of rules. */
static gboolean check_width(const Reader *reader, GError **error)
{
    const PsImport *import = reader->import;
    const guint n = import->csv->n_fields;
    if (n > reader->last && n < import->header.n && !import->csv->is_cut &&
        ps_header_find(&import->header, "Rule Name") >= 0)
        return TRUE;
    return ps_import_check_width(import, error);
}

static PsKernelKey row_key(const Reader *reader, const char *name)
{
    const PsImport *import = reader->import;
    return (PsKernelKey){name, reader->device >= 0 ? ps_import_text(import, reader->device) : NULL,
                         ps_ncu_capability(import)};
}

/* ---- launches ------------------------------------------------------------------------------ */

static gboolean is_present(const Reader *reader)
{
    return reader->has_present &&
           strcmp(ps_import_text(reader->import, reader->id), reader->present_id->str) == 0 &&
           strcmp(ps_import_text(reader->import, reader->process), reader->present_process->str) ==
               0;
}

static gboolean check_name(const Reader *reader, const char *name, GError **error)
{
    if (strcmp(name, reader->present_name->str) == 0)
        return TRUE;
    ps_csv_error(reader->import->csv, (guint)reader->name, PS_ERROR_VALUE, error,
                 "launch %s is of the kernel '%.100s' here, and above of '%.100s'",
                 reader->present_id->str, name, reader->present_name->str);
    return FALSE;
}

/* Checks that IDs rise. An ID that does not rise is that of a launch whose rows are apart, or whose
 * place is not known. */
static gboolean check_id(Reader *reader, GError **error)
{
    const char *process = ps_import_text(reader->import, reader->process);
    const gint64 id = ps_import_integer(reader->import, reader->id, 0, error);
    if (id < 0)
        return FALSE;
    gint64 *last = g_hash_table_lookup(reader->last_ids, process);
    if (last && *last >= id) {
        ps_csv_error(reader->import->csv, (guint)reader->id, PS_ERROR_VALUE, error,
                     "launch %" G_GINT64_FORMAT " comes after launch %" G_GINT64_FORMAT
                     ": the rows of a launch must stand together, in order of the IDs",
                     id, *last);
        return FALSE;
    }
    if (!last) {
        last = g_new(gint64, 1);
        g_hash_table_insert(reader->last_ids, g_strdup(process), last);
    }
    *last = id;
    return TRUE;
}

static gboolean begin_launch(Reader *reader, const char *name, GError **error)
{
    const PsKernelKey key = row_key(reader, name);
    ps_ncu_end_launch(reader->ncu);
    if (!check_id(reader, error) ||
        !ps_collect_launch(reader->collector, &key, reader->import->csv->line, error))
        return FALSE;
    g_string_assign(reader->present_id, ps_import_text(reader->import, reader->id));
    g_string_assign(reader->present_process, ps_import_text(reader->import, reader->process));
    g_string_assign(reader->present_name, name);
    reader->has_present = TRUE;
    return TRUE;
}

/* ---- summaries ----------------------------------------------------------------------------- */

/* Puts the total of all launches; the row has the average per launch. */
static gboolean put_total(Reader *reader, int counter, gint64 launches, GError **error)
{
    const PsImport *import = reader->import;
    double value;
    switch (ps_import_count(import, reader->value, ps_collector_unit(reader->collector, counter),
                            ps_import_text(import, reader->unit), &value, error)) {
    case PS_NUMBER_BAD:
        return FALSE;
    case PS_NUMBER_MISSING:
        ps_collect_missing(reader->collector, counter, import->csv->line);
        return TRUE;
    case PS_NUMBER_OK:
        break;
    }
    ps_collect_put(reader->collector, counter, value * (double)launches);
    return TRUE;
}

static gboolean read_summary(Reader *reader, const char *name, int counter, GError **error)
{
    const PsKernelKey key = row_key(reader, name);
    const gint64 launches = ps_import_integer(reader->import, reader->launches, 1, error);
    return launches >= 0 &&
           ps_collect_kernel(reader->collector, &key, launches, reader->import->csv->line, error) &&
           (!ps_ncu_is_counter(reader->ncu, counter) ||
            put_total(reader, counter, launches, error));
}

/* ---- the file ------------------------------------------------------------------------------ */

static gboolean read_row(gpointer self, GError **error)
{
    Reader *reader = self;
    const PsImport *import = reader->import;
    if (!check_width(reader, error))
        return FALSE;
    const char *metric = ps_import_text(import, reader->metric);
    const char *name = ps_ncu_name(import, reader->name, error);
    if (!name)
        return FALSE;
    const int counter = *metric ? ps_ncu_find(reader->ncu, metric) : -1;
    if (reader->launches >= 0)
        return read_summary(reader, name, counter, error);
    if (!(is_present(reader) ? check_name(reader, name, error) : begin_launch(reader, name, error)))
        return FALSE;
    return counter < 0 || ps_ncu_put(reader->ncu, counter, reader->value,
                                     ps_import_text(import, reader->unit), error);
}

static gboolean find_values(Reader *reader, GError **error)
{
    if (reader->launches >= 0)
        return need(reader, "Average", &reader->value, error);
    return need(reader, "ID", &reader->id, error) &&
           need(reader, "Metric Value", &reader->value, error);
}

static int start_table(gpointer self, GError **error)
{
    Reader *reader = self;
    const PsImport *import = reader->import;
    reader->last = 0;
    reader->has_present = FALSE;
    g_hash_table_remove_all(reader->last_ids);
    ps_collect_section(reader->collector);
    reader->process = ps_header_find(&import->header, "Process ID");
    reader->device = ps_header_find(&import->header, "Device");
    reader->launches = ps_header_find(&import->header, "Invocations");
    if (!need(reader, "Kernel Name", &reader->name, error) ||
        !need(reader, "Metric Name", &reader->metric, error) ||
        !need(reader, "Metric Unit", &reader->unit, error) || !find_values(reader, error))
        return -1;
    return reader->name;
}

static gboolean read_long(PsImport *import, GError **error)
{
    static const PsNcuTable table = {start_table, read_row};
    g_autoptr(PsCollector) collector = ps_collector_new(import, &ps_ncu_formulas);
    g_autoptr(PsNcu) ncu = ps_ncu_new(import, collector);
    Reader reader = {.import = import,
                     .collector = collector,
                     .ncu = ncu,
                     .present_id = g_string_new(NULL),
                     .present_process = g_string_new(NULL),
                     .present_name = g_string_new(NULL),
                     .last_ids = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free)};
    const gboolean ok = ps_ncu_read(import, ncu, &table, &reader, error);
    g_string_free(reader.present_id, TRUE);
    g_string_free(reader.present_process, TRUE);
    g_string_free(reader.present_name, TRUE);
    g_hash_table_destroy(reader.last_ids);
    return ok;
}

static guint count_columns(const PsHeader *header)
{
    static const char *const names[] = {"Kernel Name", "Metric Name", "Metric Unit", "Metric Value",
                                        "ID",          "Average",     "Invocations"};
    guint n = 0;
    for (guint i = 0; i < G_N_ELEMENTS(names); i++)
        n += ps_header_find(header, names[i]) >= 0;
    return n;
}

static gboolean is_long(const PsHeader *header)
{
    return count_columns(header) >= 3 && ps_header_find(header, "Invocations") < 0;
}

static gboolean is_summary(const PsHeader *header)
{
    return count_columns(header) >= 4 && ps_header_find(header, "Invocations") >= 0;
}

const PsImporter ps_import_ncu_long = {"Nsight Compute", "Nsight Compute --csv", is_long,
                                       read_long};
const PsImporter ps_import_ncu_summary = {"Nsight Compute summary",
                                          "Nsight Compute --csv --print-summary per-kernel",
                                          is_summary, read_long};
