/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rocprofv3's counter_collection.csv: a row per launch and counter. Usually the rows of a launch
 * stand together; some versions write all launches' values of one counter, then those of the next.
 * Counters of several passes come in several files, which may be one behind the other here (cat
 * pass_*), each with its header.
 */
#include "roofline/import/dispatches.h"
#include <string.h>

typedef struct {
    PsDispatches dispatches;
    int process, dispatch, counter, value; /* columns; -1: none (process only) */
    GString *launch;                       /* text that identifies the present launch */
    gint64 dispatch_id;                    /* number of the present launch */
    GString *first; /* the counter that launches of this section begin with */
} Long;

static gboolean find_columns(Long *l, PsImport *import, GError **error)
{
    static const struct {
        const char *name;
        gsize offset;
    } columns[] = {{"Dispatch_Id", G_STRUCT_OFFSET(Long, dispatch)},
                   {"Counter_Name", G_STRUCT_OFFSET(Long, counter)},
                   {"Counter_Value", G_STRUCT_OFFSET(Long, value)}};
    for (guint i = 0; i < G_N_ELEMENTS(columns); i++) {
        int column = ps_import_column(import, columns[i].name, error);
        if (column < 0)
            return FALSE;
        G_STRUCT_MEMBER(int, l, columns[i].offset) = column;
    }
    l->process = ps_header_find(&import->header, "Process_Id");
    return ps_rocprof_init(&l->dispatches.rocprof, import, l->dispatches.rocprof.collector, error);
}

/* TRUE if the row belongs to another launch than the row before. */
static gboolean is_new(Long *l)
{
    const PsImport *import = l->dispatches.rocprof.import;
    const char *dispatch = ps_import_text(import, l->dispatch);
    const char *process = l->process < 0 ? "" : ps_import_text(import, l->process);
    const char *device = l->dispatches.rocprof.device < 0
                             ? ""
                             : ps_import_text(import, l->dispatches.rocprof.device);
    const char *name = ps_import_text(import, l->dispatches.rocprof.name);
    const char *parts[] = {dispatch, process, device, name};
    const char *at = l->launch->str;
    gboolean same = l->launch->len > 0;
    for (guint i = 0; same && i < G_N_ELEMENTS(parts); i++) {
        same = strcmp(at, parts[i]) == 0;
        at += strlen(parts[i]) + 1;
    }
    if (same)
        return FALSE;
    g_string_truncate(l->launch, 0);
    for (guint i = 0; i < G_N_ELEMENTS(parts); i++)
        g_string_append_len(l->launch, parts[i], (gssize)strlen(parts[i]) + 1);
    return TRUE;
}

static gboolean begin_section(Long *l, GError **error)
{
    const PsImport *import = l->dispatches.rocprof.import;
    if (import->options->apart) {
        ps_csv_error(import->csv, (guint)l->dispatch, PS_ERROR_VALUE, error,
                     "launches cannot be kept apart, for the rows of one do not stand together; "
                     "sort the file by Dispatch_Id, or have the launches summed");
        return FALSE;
    }
    ps_collect_section(l->dispatches.rocprof.collector);
    return TRUE;
}

static gboolean has_duration(Long *l, const char *counter)
{
    const PsRocprof *rocprof = &l->dispatches.rocprof;
    return ps_dispatches_is_lead(&l->dispatches, ps_import_text(rocprof->import, rocprof->device),
                                 ps_import_text(rocprof->import, rocprof->name), counter);
}

/* Begins a launch. If its number is lower than the last one's, and it begins with another counter,
 * the file begins to list the same launches again. (Lower numbers alone also come from queues and
 * processes that run side by side.) */
static gboolean begin_launch(Long *l, const char *counter, GError **error)
{
    gint64 id = ps_import_integer(l->dispatches.rocprof.import, l->dispatch, 0, error);
    if (id < 0)
        return FALSE;
    if (id <= l->dispatch_id && strcmp(counter, l->first->str) != 0) {
        if (!begin_section(l, error))
            return FALSE;
        g_string_assign(l->first, counter);
    } else if (l->first->len == 0) {
        g_string_assign(l->first, counter);
    }
    l->dispatch_id = id;
    return ps_rocprof_launch(&l->dispatches.rocprof, error) &&
           (!has_duration(l, counter) || ps_rocprof_duration(&l->dispatches.rocprof, error));
}

/* Begins a further file, at its header. */
static gboolean begin_file(Long *l, GError **error)
{
    PsImport *import = l->dispatches.rocprof.import;
    g_string_truncate(l->launch, 0);
    g_string_truncate(l->first, 0);
    l->dispatch_id = -1;
    return begin_section(l, error) && ps_import_header(import, error) &&
           find_columns(l, import, error);
}

static gboolean read_row(Long *l, GError **error)
{
    PsImport *import = l->dispatches.rocprof.import;
    const char *counter = ps_import_text(import, l->counter);
    if (strcmp(counter, "Counter_Name") == 0)
        return begin_file(l, error);
    if (!ps_import_check_width(import, error))
        return FALSE;
    if (is_new(l) && !begin_launch(l, counter, error))
        return FALSE;
    return ps_rocprof_put(&l->dispatches.rocprof, ps_dispatches_counter(&l->dispatches, counter),
                          l->value, error);
}

static gboolean read_rows(Long *l, PsImport *import, GError **error)
{
    if (!ps_import_header(import, error) || !find_columns(l, import, error))
        return FALSE;
    PsCsvState state;
    while ((state = ps_import_row(import, error)) == PS_CSV_ROW) {
        if (!read_row(l, error))
            return FALSE;
    }
    return state == PS_CSV_END && ps_rocprof_finish(&l->dispatches.rocprof, error);
}

static gboolean read_long(PsImport *import, GError **error)
{
    g_autoptr(PsCollector) collector = ps_collector_new(import, &ps_rocprofv3_formulas);
    g_autoptr(GString) launch = g_string_new(NULL);
    g_autoptr(GString) first = g_string_new(NULL);
    Long l = {.launch = launch, .first = first, .dispatch_id = -1};
    ps_dispatches_init(&l.dispatches, import, collector);
    const gboolean ok = read_rows(&l, import, error);
    ps_dispatches_clear(&l.dispatches);
    return ok;
}

static gboolean matches_long(const PsHeader *header)
{
    return ps_header_find(header, "Counter_Name") >= 0 ||
           (ps_header_find(header, "Counter_Value") >= 0 &&
            ps_header_find(header, "Dispatch_Id") >= 0);
}

const PsImporter ps_import_rocprofv3 = {"rocprofv3", "rocprofv3 --pmc (counter_collection.csv)",
                                        matches_long, read_long};
