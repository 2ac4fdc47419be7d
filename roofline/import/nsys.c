/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Nsight Systems: durations alone, as nsys stats --format csv prints them. Columns name their unit.
 *
 *     "Time (%)","Total Time (ns)","Instances","Avg (ns)",...,"Name"      cuda_gpu_kern_sum
 *     "Start (ns)","Duration (ns)","CorrId",...,"Device",...,"Name"       cuda_gpu_trace
 */
#include "roofline/import/import.h"
#include "roofline/import/ncu.h"

#include <string.h>

typedef struct {
    PsImport *import;
    PsCollector *collector;
    int name, device, launches, time; /* columns; -1: none */
    int duration;                     /* counter */
    char *unit;                       /* unit of the time */
} Reader;

/* The column of that name, with or without a unit in brackets behind it. */
static int find_timed(const PsHeader *header, const char *name)
{
    const gsize length = strlen(name);
    for (guint i = 0; i < header->n; i++) {
        const char *text = header->names[i];
        if (strncmp(text, name, length) == 0 &&
            (!text[length] || strncmp(text + length, " (", 2) == 0))
            return (int)i;
    }
    return -1;
}

/* "ns" in "Duration (ns)"; older versions leave it out. */
static char *unit_of(const char *column)
{
    const char *open = strrchr(column, '(');
    const char *close = open ? strchr(open, ')') : NULL;
    if (!close)
        return g_strdup("ns");
    g_autofree char *unit = g_strndup(open + 1, (gsize)(close - open - 1));
    return g_strdup(strcmp(unit, "sec") == 0 ? "s" : unit);
}

static gboolean is_summary(const PsHeader *header)
{
    return ps_header_find(header, "Instances") >= 0 && find_timed(header, "Total Time") >= 0;
}

static gboolean is_trace(const PsHeader *header)
{
    return ps_header_find(header, "CorrId") >= 0 && find_timed(header, "Duration") >= 0;
}

static gboolean start_table(Reader *reader, GError **error)
{
    const PsHeader *header = &reader->import->header;
    if (!ps_import_header(reader->import, error))
        return FALSE;
    ps_collect_section(reader->collector);
    reader->launches = ps_header_find(header, "Instances");
    reader->time = find_timed(header, reader->launches < 0 ? "Duration" : "Total Time");
    reader->device = ps_header_find(header, "Device");
    reader->name = ps_import_column(reader->import, "Name", error);
    if (reader->name < 0)
        return FALSE;
    g_free(reader->unit);
    reader->unit = unit_of(header->names[reader->time]);
    return TRUE;
}

static gboolean read_row(Reader *reader, GError **error)
{
    const PsImport *import = reader->import;
    if (!ps_import_check_width(import, error))
        return FALSE;
    const PsKernelKey key = {ps_import_text(import, reader->name),
                             reader->device < 0 ? NULL : ps_import_text(import, reader->device), 0};
    if (*key.name == '[') /* "[CUDA memcpy Host-to-Device]" */
        return TRUE;
    gint64 launches = 1;
    if (reader->launches >= 0)
        launches = ps_import_integer(import, reader->launches, 1, error);
    if (launches < 0)
        return FALSE;
    return (reader->launches < 0
                ? ps_collect_launch(reader->collector, &key, import->csv->line, error)
                : ps_collect_kernel(reader->collector, &key, launches, import->csv->line, error)) &&
           ps_import_put(import, reader->collector, reader->duration, reader->time, reader->unit,
                         error);
}

static gboolean read_tables(Reader *reader, GError **error)
{
    PsImport *import = reader->import;
    PsCsvState state;
    if (!start_table(reader, error))
        return FALSE;
    while ((state = ps_import_row(import, error)) == PS_CSV_ROW)
        if (!read_row(reader, error))
            return FALSE;
    return state == PS_CSV_END && ps_collector_finish(reader->collector, error);
}

static gboolean read_nsys(PsImport *import, GError **error)
{
    g_autoptr(PsCollector) collector = ps_collector_new(import, &ps_ncu_formulas);
    Reader reader = {.import = import,
                     .collector = collector,
                     .duration = ps_collector_counter(collector, "gpu__time_duration.sum")};
    const gboolean ok = read_tables(&reader, error);
    g_free(reader.unit);
    return ok;
}

const PsImporter ps_import_nsys_summary = {"Nsight Systems summary",
                                           "nsys stats --report cuda_gpu_kern_sum --format csv",
                                           is_summary, read_nsys};
const PsImporter ps_import_nsys_trace = {
    "Nsight Systems trace", "nsys stats --report cuda_gpu_trace --format csv", is_trace, read_nsys};
