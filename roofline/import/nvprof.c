/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * nvprof --csv. One file may hold several tables, one after the other, each under a header of its
 * own:
 *
 *     "Device","Kernel","Invocations","Metric Name","Metric Description","Min","Max","Avg"
 *     "Device","Kernel","Invocations","Event Name","Min","Max","Avg"         passed over
 *     "Start","Duration","Grid X",...,"Device","Context","Stream","Name"     --print-gpu-trace
 *     "Device","Context","Stream","Kernel","flop_count_sp",...               the same, --metrics
 *     "Type","Time(%)","Time","Calls","Avg","Min","Max","Name"               summary
 *     "Time(%)","Time","Calls","Avg","Min","Max","Name"                      summary, before CUDA 9
 *
 * Traces and summaries have a row of units below the header.
 */
#include "roofline/import/nvprof.h"

#include <string.h>

/* ---- tables -------------------------------------------------------------------------------- */

typedef struct Reader Reader;

struct Reader {
    PsImport *import;
    PsCollector *collector;
    gboolean (*row)(Reader *reader, GError **error); /* NULL: the table is passed over */
    int device, name, time;                          /* columns; -1: none */
    int launches, metric, min, max, avg, type;
    int duration;        /* counter */
    char *time_unit;     /* text in the row of units */
    int *counters;       /* counter of each column of a trace; -1: none */
    GString *short_name; /* name of a kernel in a trace */
};

static gboolean has(const PsHeader *header, const char *name)
{
    return ps_header_find(header, name) >= 0;
}

static guint count_columns(const PsHeader *header, const char *const *names)
{
    guint n = 0;
    for (; *names; names++)
        n += has(header, *names);
    return n;
}

/* TRUE for a table of metrics. Some columns may be missing, as the header says. */
static gboolean is_metrics(const PsHeader *header)
{
    static const char *const names[] = {
        "Device", "Kernel", "Invocations", "Metric Name", "Event Name", "Min", "Max", "Avg", NULL};
    return count_columns(header, names) >= 5;
}

static gboolean is_trace(const PsHeader *header)
{
    return (has(header, "Start") && has(header, "Duration")) ||
           (has(header, "Kernel") && (has(header, "Context") || has(header, "Stream")));
}

static gboolean is_summary(const PsHeader *header)
{
    static const char *const names[] = {"Time(%)", "Time", "Calls", "Avg",
                                        "Min",     "Max",  "Name",  NULL};
    return count_columns(header, names) >= 5;
}

static gboolean need(const Reader *reader, const char *name, int *column, GError **error)
{
    *column = ps_import_column(reader->import, name, error);
    return *column >= 0;
}

/* ---- metrics ------------------------------------------------------------------------------- */

static gboolean put_average(Reader *reader, int counter, gint64 launches, GError **error)
{
    const PsImport *import = reader->import;
    const PsUnit unit = ps_collector_unit(reader->collector, counter);
    const int columns[] = {reader->min, reader->max, reader->avg};
    double values[3];
    for (guint i = 0; i < G_N_ELEMENTS(columns); i++) {
        switch (ps_import_count(import, columns[i], unit, NULL, &values[i], error)) {
        case PS_NUMBER_BAD:
            return FALSE;
        case PS_NUMBER_MISSING:
            ps_collect_missing(reader->collector, counter, import->csv->line);
            return TRUE;
        case PS_NUMBER_OK:
            break;
        }
    }
    if (values[2] < values[0] || values[2] > values[1]) {
        ps_csv_error(import->csv, (guint)reader->avg, PS_ERROR_VALUE, error,
                     "Avg: '%s' is not between Min and Max%s", ps_import_text(import, reader->avg),
                     import->csv->is_cut ? ": the file is cut off" : "");
        return FALSE;
    }
    ps_collect_put(reader->collector, counter, values[2] * (double)launches);
    return TRUE;
}

static gboolean read_metric(Reader *reader, GError **error)
{
    const PsImport *import = reader->import;
    const PsKernelKey key = {ps_import_text(import, reader->name),
                             ps_import_text(import, reader->device), 0};
    if (!ps_import_check_width(import, error))
        return FALSE;
    const gint64 launches = ps_import_integer(import, reader->launches, 1, error);
    if (launches < 0)
        return FALSE;
    const int counter =
        ps_collector_counter(reader->collector, ps_import_text(import, reader->metric));
    return ps_collect_kernel(reader->collector, &key, launches, import->csv->line, error) &&
           (counter < 0 || put_average(reader, counter, launches, error));
}

static gboolean start_metrics(Reader *reader, GError **error)
{
    if (has(&reader->import->header, "Event Name")) {
        reader->import->passed_over = "events"; /* events have names of metrics, but other
                                                   meanings */
        return TRUE;
    }
    reader->row = read_metric;
    return need(reader, "Device", &reader->device, error) &&
           need(reader, "Kernel", &reader->name, error) &&
           need(reader, "Invocations", &reader->launches, error) &&
           need(reader, "Metric Name", &reader->metric, error) &&
           need(reader, "Min", &reader->min, error) && need(reader, "Max", &reader->max, error) &&
           need(reader, "Avg", &reader->avg, error);
}

/* ---- traces and summaries ------------------------------------------------------------------ */

/* Takes the row of units, which names no kernel. */
static gboolean take_units(Reader *reader)
{
    if (*ps_import_text(reader->import, reader->name))
        return FALSE;
    g_free(reader->time_unit);
    reader->time_unit = g_strdup(ps_import_text(reader->import, reader->time));
    return TRUE;
}

/* FALSE for "[CUDA memcpy HtoD]" and the like. */
static gboolean is_kernel(const Reader *reader)
{
    return *ps_import_text(reader->import, reader->name) != '[';
}

/* The name without the number that traces give their rows: "saxpy(int, float*) [126]". */
static const char *without_number(Reader *reader, const char *name)
{
    const char *bracket = strrchr(name, '[');
    if (!bracket || bracket - name < 2 || bracket[-1] != ' ' || !g_ascii_isdigit(bracket[1]))
        return name;
    const char *end = bracket + 1 + strspn(bracket + 1, "0123456789");
    if (strcmp(end, "]") != 0)
        return name;
    g_string_truncate(reader->short_name, 0);
    g_string_append_len(reader->short_name, name, bracket - name - 1);
    return reader->short_name->str;
}

static gboolean read_launch(Reader *reader, GError **error)
{
    const PsImport *import = reader->import;
    if (!ps_import_check_width(import, error))
        return FALSE;
    if (take_units(reader) || !is_kernel(reader))
        return TRUE;
    const PsKernelKey key = {without_number(reader, ps_import_text(import, reader->name)),
                             ps_import_text(import, reader->device), 0};
    if (!ps_collect_launch(reader->collector, &key, import->csv->line, error))
        return FALSE;
    for (guint i = 0; i < import->header.n; i++) {
        const char *unit = (int)i == reader->time ? reader->time_unit : NULL;
        if (reader->counters[i] >= 0 &&
            !ps_import_put(import, reader->collector, reader->counters[i], (int)i, unit, error))
            return FALSE;
    }
    return TRUE;
}

static gboolean start_trace(Reader *reader, GError **error)
{
    const PsHeader *header = &reader->import->header;
    if (!has(header, "Device") && header->n < 8)
        return TRUE; /* rows of calls to the programming interface */
    reader->row = read_launch;
    reader->name = ps_header_find(header, "Kernel");
    reader->time = ps_header_find(header, "Duration");
    g_free(reader->counters);
    reader->counters = g_new0(int, header->n);
    for (guint i = 0; i < header->n; i++)
        reader->counters[i] = ps_nvprof_counter(reader->collector, header->names[i]);
    return need(reader, "Device", &reader->device, error) &&
           (reader->name >= 0 || need(reader, "Name", &reader->name, error));
}

static gboolean read_total(Reader *reader, GError **error)
{
    const PsImport *import = reader->import;
    if (!ps_import_check_width(import, error))
        return FALSE;
    const gboolean is_other =
        reader->type >= 0 && strcmp(ps_import_text(import, reader->type), "GPU activities") != 0;
    if (take_units(reader) || is_other || !is_kernel(reader))
        return TRUE;
    const PsKernelKey key = {ps_import_text(import, reader->name), NULL, 0};
    const gint64 launches = ps_import_integer(import, reader->launches, 1, error);
    return launches >= 0 &&
           ps_collect_kernel(reader->collector, &key, launches, import->csv->line, error) &&
           ps_import_put(import, reader->collector, reader->duration, reader->time,
                         reader->time_unit, error);
}

static gboolean start_summary(Reader *reader, GError **error)
{
    const PsImport *import = reader->import;
    reader->type = ps_header_find(&import->header, "Type");
    if (reader->type < 0 && import->talk && strstr(import->talk, "API calls"))
        return TRUE;
    reader->row = read_total;
    return need(reader, "Name", &reader->name, error) &&
           need(reader, "Time", &reader->time, error) &&
           need(reader, "Calls", &reader->launches, error);
}

/* ---- the file ------------------------------------------------------------------------------ */

/* TRUE for the first column of one of the tables. */
static gboolean is_header(const PsCsv *csv)
{
    static const char *const firsts[] = {"Device", "Start", "Type", "Time(%)"};
    for (guint i = 0; i < G_N_ELEMENTS(firsts); i++)
        if (strcmp(csv->fields[0].text, firsts[i]) == 0)
            return TRUE;
    return FALSE;
}

static gboolean start_table(Reader *reader, GError **error)
{
    const PsHeader *header = &reader->import->header;
    if (!ps_import_header(reader->import, error))
        return FALSE;
    reader->row = NULL;
    g_clear_pointer(&reader->time_unit, g_free);
    ps_collect_section(reader->collector);
    if (is_metrics(header))
        return start_metrics(reader, error);
    return is_trace(header) ? start_trace(reader, error) : start_summary(reader, error);
}

static gboolean read_tables(Reader *reader, GError **error)
{
    PsImport *import = reader->import;
    PsCsvState state;
    if (!start_table(reader, error))
        return FALSE;
    while ((state = ps_import_row(import, error)) == PS_CSV_ROW) {
        if (is_header(import->csv)) {
            if (!start_table(reader, error))
                return FALSE;
        } else if (reader->row && !ps_import_is_prose(import) && !reader->row(reader, error)) {
            return FALSE;
        }
    }
    return state == PS_CSV_END && ps_collector_finish(reader->collector, error);
}

static gboolean read_nvprof(PsImport *import, GError **error)
{
    g_autoptr(PsCollector) collector = ps_collector_new(import, &ps_nvprof_formulas);
    Reader reader = {.import = import,
                     .collector = collector,
                     .duration = ps_collector_counter(collector, "Duration"),
                     .short_name = g_string_new(NULL)};
    const gboolean ok = read_tables(&reader, error);
    g_free(reader.time_unit);
    g_free(reader.counters);
    g_string_free(reader.short_name, TRUE);
    return ok;
}

const PsImporter ps_import_nvprof_metrics = {"nvprof metrics", "nvprof --csv --metrics", is_metrics,
                                             read_nvprof};
const PsImporter ps_import_nvprof_trace = {"nvprof trace", "nvprof --csv --print-gpu-trace",
                                           is_trace, read_nvprof};
const PsImporter ps_import_nvprof_summary = {"nvprof summary", "nvprof --csv (summary)", is_summary,
                                             read_nvprof};
