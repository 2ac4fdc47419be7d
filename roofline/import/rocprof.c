/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * AMD's profilers, a row per launch: rocprof v1 and v2, ROCm Compute Profiler's pmc_perf.csv and
 * timestamps.csv, and rocprofv3's kernel_trace.csv, which only has times. Also the statistics that
 * all of them write, a row per kernel.
 *
 * A launch's duration is from the begin to the end of the kernel on the device. Both times are in
 * the row of its counters: these are collected one launch at a time, but the times do not include
 * reading them (and ROCm Compute Profiler takes the times from a run without counters).
 */
#include "roofline/import/rocprof.h"
#include <string.h>

static int find_any(const PsHeader *header, const char *const *names)
{
    int column = -1;
    for (; column < 0 && *names; names++)
        column = ps_header_find(header, *names);
    return column;
}

static gboolean has_any(const PsHeader *header, const char *const *names)
{
    return find_any(header, names) >= 0;
}

static const char *const name_columns[] = {"Kernel_Name", "KernelName", NULL};
static const char *const device_columns[] = {"GPU_ID", "gpu-id", "Agent_Id", NULL};
static const char *const start_columns[] = {"Start_Timestamp", "BeginNs", NULL};
static const char *const end_columns[] = {"End_Timestamp", "EndNs", NULL};
static const char *const wave_columns[] = {"Wave_Size", "wave_size", NULL};

/* ---- launches ------------------------------------------------------------------------------ */

gboolean ps_rocprof_init(PsRocprof *rocprof, PsImport *import, PsCollector *collector,
                         GError **error)
{
    const PsHeader *header = &import->header;
    rocprof->import = import;
    rocprof->collector = collector;
    rocprof->name = find_any(header, name_columns);
    rocprof->device = find_any(header, device_columns);
    rocprof->start = find_any(header, start_columns);
    rocprof->end = find_any(header, end_columns);
    rocprof->wave = find_any(header, wave_columns);
    rocprof->wave_size = 64;
    if (rocprof->name < 0) {
        const gboolean first = ps_header_find(header, "gpu-id") < 0;
        return ps_import_column(import, name_columns[first ? 0 : 1], error) >= 0;
    }
    if (rocprof->start >= 0 && rocprof->end < 0) {
        const gboolean first = strcmp(header->names[rocprof->start], start_columns[0]) == 0;
        return ps_import_column(import, end_columns[first ? 0 : 1], error) >= 0;
    }
    if (rocprof->end >= 0 && rocprof->start < 0) {
        const gboolean first = strcmp(header->names[rocprof->end], end_columns[0]) == 0;
        return ps_import_column(import, start_columns[first ? 0 : 1], error) >= 0;
    }
    return TRUE;
}

void ps_rocprof_note(PsRocprof *rocprof, const char *counter)
{
    rocprof->waves |= g_str_has_prefix(counter, "SQ_INSTS");
    rocprof->new_reads |= g_str_has_prefix(counter, "TCC_EA0_RDREQ");
    rocprof->large_reads |= g_str_has_prefix(counter, "TCC_BUBBLE") ||
                            g_str_has_prefix(counter, "TCC_EA0_RDREQ_128B") ||
                            g_ascii_strcasecmp(counter, "FETCH_SIZE") == 0 ||
                            strcmp(counter, "FetchSize") == 0;
}

static gboolean read_wave_size(PsRocprof *rocprof, GError **error)
{
    if (rocprof->wave < 0)
        return TRUE;
    gint64 size = ps_import_integer(rocprof->import, rocprof->wave, 1, error);
    if (size < 0)
        return FALSE;
    if (size != 32 && size != 64) {
        ps_csv_error(rocprof->import->csv, (guint)rocprof->wave, PS_ERROR_VALUE, error,
                     "a wave of %" G_GINT64_FORMAT " threads; waves have 32 or 64", size);
        return FALSE;
    }
    rocprof->wave_size = (int)size;
    return TRUE;
}

/* A time in nanoseconds since the machine began, or since 1970, which one double would not hold
 * exactly. */
typedef struct {
    guint64 whole;
    double fraction;
    gboolean is_rounded; /* rounded to few digits, with an exponent, as spreadsheets write it */
} Time;

static gboolean bad_time(const PsImport *import, int column, GError **error)
{
    ps_csv_error(import->csv, (guint)column, PS_ERROR_VALUE, error,
                 "%s: '%.100s' is no time; it must be a number of nanoseconds",
                 import->header.names[column], ps_import_text(import, column));
    return FALSE;
}

static gboolean read_time(const PsImport *import, int column, Time *time, GError **error)
{
    const char *text = ps_import_text(import, column);
    const gsize digits = strspn(text, "0123456789");
    g_autofree char *whole = g_strndup(text, digits);
    char *end;
    *time = (Time){.fraction = g_ascii_strtod(text + digits, &end)};
    if (text[digits] != '.')
        time->fraction = 0;
    time->is_rounded = digits && strpbrk(text, "eE");
    if (time->is_rounded)
        return (g_ascii_strtod(text, &end) < 0x1p63 && !*end) || bad_time(import, column, error);
    return (g_ascii_string_to_unsigned(whole, 10, 0, G_MAXINT64, &time->whole, NULL) &&
            (!text[digits] || (text[digits] == '.' && !*end))) ||
           bad_time(import, column, error);
}

gboolean ps_rocprof_duration(PsRocprof *rocprof, GError **error)
{
    const PsImport *import = rocprof->import;
    Time start, end;
    if (rocprof->start < 0)
        return TRUE;
    if (!read_time(import, rocprof->start, &start, error) ||
        !read_time(import, rocprof->end, &end, error))
        return FALSE;
    const int duration = ps_collector_counter(rocprof->collector, PS_ROCPROF_DURATION);
    if (start.is_rounded || end.is_rounded) {
        if (!rocprof->rounded_line)
            rocprof->rounded_line = import->csv->line;
        ps_collect_missing(rocprof->collector, duration, import->csv->line);
        return TRUE;
    }
    const double nanoseconds =
        (double)(gint64)(end.whole - start.whole) + (end.fraction - start.fraction);
    if (nanoseconds <= 0) {
        ps_csv_error(import->csv, (guint)rocprof->end, PS_ERROR_VALUE, error,
                     "%s is %s, but %s %s: a kernel takes more than 0",
                     import->header.names[rocprof->end], ps_import_text(import, rocprof->end),
                     import->header.names[rocprof->start], ps_import_text(import, rocprof->start));
        return FALSE;
    }
    ps_collect_put(rocprof->collector, duration, nanoseconds / 1e9);
    return TRUE;
}

/* The name of a device; GPUs and agents have numbers. */
static char *device_name(const PsRocprof *rocprof)
{
    if (rocprof->device < 0)
        return NULL;
    const PsImport *import = rocprof->import;
    const char *text = ps_import_text(import, rocprof->device);
    if (!*text || !g_ascii_isdigit(*text))
        return *text ? g_strdup(text) : NULL;
    gboolean agent = strcmp(import->header.names[rocprof->device], "Agent_Id") == 0;
    return g_strconcat(agent ? "Agent " : "GPU ", text, NULL);
}

gboolean ps_rocprof_launch(PsRocprof *rocprof, GError **error)
{
    PsImport *import = rocprof->import;
    const char *name = ps_import_text(import, rocprof->name);
    if (!*name) {
        ps_csv_error(import->csv, (guint)rocprof->name, PS_ERROR_VALUE, error,
                     "a launch without its kernel's name");
        return FALSE;
    }
    g_autofree char *device = device_name(rocprof);
    const PsKernelKey key = {name, device, 0};
    return ps_collect_launch(rocprof->collector, &key, import->csv->line, error) &&
           read_wave_size(rocprof, error);
}

void ps_rocprof_put_value(PsRocprof *rocprof, PsRocprofCounter counter, double value)
{
    if (counter.per_wave)
        value *= rocprof->wave_size;
    if (counter.adds)
        ps_collect_add(rocprof->collector, counter.counter, value);
    else
        ps_collect_put(rocprof->collector, counter.counter, value);
}

gboolean ps_rocprof_put(PsRocprof *rocprof, PsRocprofCounter counter, int column, GError **error)
{
    PsCollector *collector = rocprof->collector;
    double value;
    PsNumberState state = PS_NUMBER_MISSING;
    if (counter.counter < 0)
        return TRUE;
    if (*ps_import_text(rocprof->import, column)) /* in joined tables some rows have no value */
        state = ps_import_count(rocprof->import, column, PS_UNIT_COUNT, NULL, &value, error);
    switch (state) {
    case PS_NUMBER_BAD:
        return FALSE;
    case PS_NUMBER_MISSING:
        ps_collect_missing(collector, counter.counter, rocprof->import->csv->line);
        return TRUE;
    default:
        break;
    }
    ps_rocprof_put_value(rocprof, counter, value);
    return TRUE;
}

gboolean ps_rocprof_finish(PsRocprof *rocprof, GError **error)
{
    PsProfile *profile = rocprof->import->profile;
    if (rocprof->rounded_line)
        ps_import_warn(profile,
                       "times are rounded (line %d is the first): how long these launches took is "
                       "not known",
                       rocprof->rounded_line);
    if (rocprof->waves && rocprof->wave < 0)
        ps_import_warn(profile, "the wave size is not told; counters of instructions are taken for "
                                "those of waves of 64 threads");
    if (rocprof->new_reads && !rocprof->large_reads)
        ps_import_warn(profile,
                       "reads of 128 bytes are not told apart and count as 64 bytes; on MI300 "
                       "TCC_BUBBLE_sum tells how many there are, on MI350 TCC_EA0_RDREQ_128B_sum");
    return ps_collector_finish(rocprof->collector, error);
}

/* ---- a row per launch ---------------------------------------------------------------------- */

typedef struct {
    int column;
    PsRocprofCounter counter;
} Column;

/* TRUE if the header has the sum of the channels that this column is one of. */
static gboolean is_summed_up(GHashTable *names, const char *name)
{
    const char *index = strchr(name, '[');
    if (!index)
        return FALSE;
    g_autofree char *sum = g_strdup_printf("%.*s_sum", (int)(index - name), name);
    return g_hash_table_contains(names, sum);
}

/* The counters of columns. Of columns with the same name the first counts: they have the same
 * values. */
static GArray *counter_columns(PsRocprof *rocprof)
{
    const PsHeader *header = &rocprof->import->header;
    GArray *columns = g_array_new(FALSE, FALSE, sizeof(Column));
    g_autoptr(GHashTable) names = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = header->n; i-- > 0;)
        g_hash_table_insert(names, header->names[i], GUINT_TO_POINTER(i));
    for (guint i = 0; i < header->n; i++) {
        const char *name = header->names[i];
        if (GPOINTER_TO_UINT(g_hash_table_lookup(names, name)) != i || is_summed_up(names, name))
            continue;
        const Column column = {(int)i, ps_rocprof_counter(rocprof->collector, name)};
        if (column.counter.counter >= 0) {
            g_array_append_val(columns, column);
            ps_rocprof_note(rocprof, name);
        }
    }
    return columns;
}

static gboolean read_launch(PsRocprof *rocprof, const GArray *columns, GError **error)
{
    if (!ps_import_check_width(rocprof->import, error) || !ps_rocprof_launch(rocprof, error) ||
        !ps_rocprof_duration(rocprof, error))
        return FALSE;
    for (guint i = 0; i < columns->len; i++) {
        const Column *column = &g_array_index(columns, Column, i);
        if (!ps_rocprof_put(rocprof, column->counter, column->column, error))
            return FALSE;
    }
    return TRUE;
}

static gboolean read_launches(PsImport *import, const PsFormulas *formulas, GError **error)
{
    if (!ps_import_header(import, error))
        return FALSE;
    g_autoptr(PsCollector) collector = ps_collector_new(import, formulas);
    PsRocprof rocprof = {0};
    if (!ps_rocprof_init(&rocprof, import, collector, error))
        return FALSE;
    g_autoptr(GArray) columns = counter_columns(&rocprof);
    PsCsvState state;
    while ((state = ps_import_row(import, error)) == PS_CSV_ROW) {
        if (!read_launch(&rocprof, columns, error))
            return FALSE;
    }
    return state == PS_CSV_END && ps_rocprof_finish(&rocprof, error);
}

static gboolean read_rocprof(PsImport *import, GError **error)
{
    return read_launches(import, &ps_rocprof_formulas, error);
}

static gboolean read_trace(PsImport *import, GError **error)
{
    return read_launches(import, &ps_rocprofv3_formulas, error);
}

/* Accepts a header even without the kernel's name: a message about the missing name is better than
 * one about an unknown kind. */
static gboolean matches_rocprof(const PsHeader *header)
{
    static const char *const ids[] = {"Index",  "Dispatch_ID", "Dispatch_Id",
                                      "gpu-id", "GPU_ID",      NULL};
    static const char *const launch[] = {"KernelName", "Kernel_Name",     "grd",     "Grid_Size",
                                         "GRD",        "Start_Timestamp", "BeginNs", NULL};
    static const char *const v3[] = {"Counter_Name", "Counter_Value", "Kind", NULL};
    return has_any(header, ids) && has_any(header, launch) && !has_any(header, v3);
}

static gboolean matches_trace(const PsHeader *header)
{
    static const char *const kernel[] = {"Kernel_Name", "Kernel_Id", NULL};
    return ps_header_find(header, "Kind") >= 0 && has_any(header, kernel);
}

const PsImporter ps_import_rocprof = {
    "rocprof", "rocprof's results.csv (v1, v2) and rocprofiler-compute's pmc_perf.csv",
    matches_rocprof, read_rocprof};

const PsImporter ps_import_rocprof_trace = {"rocprofv3 kernel trace",
                                            "rocprofv3 --kernel-trace (kernel_trace.csv)",
                                            matches_trace, read_trace};

/* ---- a row per kernel ---------------------------------------------------------------------- */

static gboolean matches_stats(const PsHeader *header)
{
    return ps_header_find(header, "TotalDurationNs") >= 0;
}

typedef struct {
    PsImport *import;
    PsCollector *collector;
    int name, calls, total; /* columns */
    int duration;           /* counter */
} Stats;

/* TRUE for copies and fills of version 1, which are among the kernels, some under this name. */
static gboolean is_command(const Stats *stats)
{
    return g_str_has_prefix(ps_import_text(stats->import, stats->name), "Unknown command type");
}

static gboolean read_total(const Stats *stats, GError **error)
{
    PsImport *import = stats->import;
    PsCsv *csv = import->csv;
    /* version 1 writes names without quotes, even with commas in them */
    if (csv->n_fields > import->header.n && stats->name == 0)
        ps_csv_join(csv, 0, csv->n_fields - import->header.n + 1);
    if (is_command(stats))
        return TRUE;
    if (!ps_import_check_width(import, error))
        return FALSE;
    const gint64 launches = ps_import_integer(import, stats->calls, 1, error);
    const PsKernelKey key = {ps_import_text(import, stats->name), NULL, 0};
    return launches >= 0 && ps_collect_kernel(stats->collector, &key, launches, csv->line, error) &&
           ps_import_put(import, stats->collector, stats->duration, stats->total, "ns", error);
}

static gboolean read_stats(PsImport *import, GError **error)
{
    if (!ps_import_header(import, error))
        return FALSE;
    Stats stats = {.import = import, .name = ps_import_column(import, "Name", error)};
    stats.calls = stats.name < 0 ? -1 : ps_import_column(import, "Calls", error);
    stats.total = stats.calls < 0 ? -1 : ps_import_column(import, "TotalDurationNs", error);
    if (stats.total < 0)
        return FALSE;
    g_autoptr(PsCollector) collector = ps_collector_new(import, &ps_rocprof_formulas);
    stats.collector = collector;
    stats.duration = ps_collector_counter(collector, PS_ROCPROF_DURATION);
    PsCsvState state;
    while ((state = ps_import_row(import, error)) == PS_CSV_ROW) {
        if (!read_total(&stats, error))
            return FALSE;
    }
    return state == PS_CSV_END && ps_collector_finish(collector, error);
}

const PsImporter ps_import_rocprof_stats = {"rocprof statistics",
                                            "rocprof --stats (results.stats.csv, kernel_stats.csv)",
                                            matches_stats, read_stats};
