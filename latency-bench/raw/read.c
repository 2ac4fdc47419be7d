/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads raw files of pipesim's form. People may edit them, so every figure is checked, and a row
 * must not contradict those before it. A power cut may end them, so a last row without a line end
 * is left out, and so are bytes of zero behind all rows.
 */
#include "latency-bench/internal.h"
#include "latency-bench/raw/private.h"

#include <math.h>
#include <string.h>

typedef struct {
    PsCsv *csv;
    PsRaw *raw;
    guint n_columns;                /* number of a run's columns in this file */
    gboolean seen[PS_RAW_N_DEVICE]; /* rows of the device that were read */
    PsRawIndex *index;
    GHashTable *kernels; /* name -> the kernel's first row */
} Reader;

static void reader_clear(Reader *reader)
{
    ps_raw_free(reader->raw);
    ps_raw_index_free(reader->index);
    g_hash_table_unref(reader->kernels);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Reader, reader_clear)

static gboolean take(const Reader *reader, guint at, void *of, const PsRawField *field,
                     GError **error)
{
    g_autofree char *wrong = ps_raw_take(reader->csv->fields[at].text, of, field);
    if (!wrong)
        return TRUE;
    ps_csv_error(reader->csv, at, PS_ERROR_VALUE, error, "%s: '%.40s' %s", field->name,
                 reader->csv->fields[at].text, wrong);
    return FALSE;
}

/* Checks the number of fields; spreadsheets fill short rows up with empty ones. */
static gboolean check_count(const PsCsv *csv, guint expected, GError **error)
{
    guint count = csv->n_fields;
    while (count > expected && csv->fields[count - 1].length == 0)
        count--;
    if (count == expected)
        return TRUE;
    ps_csv_error(csv, MIN(csv->n_fields - 1, expected), PS_ERROR_SYNTAX, error,
                 "a row of '%.40s' has %u fields, and this one has %u", csv->fields[0].text,
                 expected, count);
    return FALSE;
}

/* ---- the head ------------------------------------------------------------------------------ */

static gboolean check_header(Reader *reader, GError **error)
{
    const PsCsv *csv = reader->csv;
    if (strcmp(csv->fields[0].text, "record") != 0) {
        ps_csv_error(csv, 0, PS_ERROR_SYNTAX, error,
                     "this is no raw file of pipesim, whose first line begins with 'record,'");
        return FALSE;
    }
    const gboolean is_whole = csv->n_fields > PS_RAW_FEWEST_COLUMNS + 1 &&
                              csv->fields[PS_RAW_FEWEST_COLUMNS + 1].length > 0;
    reader->n_columns = is_whole ? PS_RAW_N_COLUMNS : PS_RAW_FEWEST_COLUMNS;
    if (!check_count(csv, 1 + reader->n_columns, error))
        return FALSE;
    for (guint i = 0; i < reader->n_columns; i++)
        if (strcmp(csv->fields[i + 1].text, ps_raw_columns[i].name) != 0) {
            ps_csv_error(csv, i + 1, PS_ERROR_SYNTAX, error,
                         "this column is called '%.40s', and '%s' is due here",
                         csv->fields[i + 1].text, ps_raw_columns[i].name);
            return FALSE;
        }
    return TRUE;
}

static gboolean read_device(Reader *reader, GError **error)
{
    PsCsv *csv = reader->csv;
    guint i = 0;
    if (!check_count(csv, 3, error))
        return FALSE;
    while (i < PS_RAW_N_DEVICE && strcmp(csv->fields[1].text, ps_raw_device[i].name) != 0)
        i++;
    if (i == PS_RAW_N_DEVICE || reader->seen[i]) {
        ps_csv_error(csv, 1, PS_ERROR_VALUE, error, "device: '%.40s' %s", csv->fields[1].text,
                     i == PS_RAW_N_DEVICE ? "is nothing that a raw file says of a device"
                                          : "was told above already");
        return FALSE;
    }
    reader->seen[i] = TRUE;
    return take(reader, 2, reader->raw, &ps_raw_device[i], error);
}

/* The name of a row of the device that is missing, or NULL. */
static const char *find_missing(const Reader *reader)
{
    for (guint i = 0; i < PS_RAW_N_DEVICE; i++)
        if (!reader->seen[i])
            return ps_raw_device[i].name;
    return NULL;
}

/* ---- runs ---------------------------------------------------------------------------------- */

static gboolean fail_row(const Reader *reader, const char *column, GError **error, const char *what)
{
    guint i = 0;
    while (strcmp(ps_raw_columns[i].name, column) != 0)
        i++;
    ps_csv_error(reader->csv, i + 1, PS_ERROR_VALUE, error, "%s: %s", column, what);
    return FALSE;
}

static gboolean check_problem(const Reader *reader, const PsRawRow *row, GError **error)
{
    if (isnan(row->sample.cycles) && isnan(row->sample.seconds) && isnan(row->sample.mhz))
        return TRUE;
    return fail_row(reader, "problem", error, "there is a problem, and a sample all the same");
}

static gboolean check_run(const Reader *reader, const PsRawRow *row, GError **error)
{
    static const char none[] = "is 0 in a run that took place";
    const PsBenchLaunch *launch = &row->launch;
    const gboolean is_chain = ps_bench_has_chains(row->kind);
    if (isnan(row->sample.cycles) && isnan(row->sample.seconds))
        return fail_row(reader, "cycles", error,
                        "there are neither cycles nor seconds, and no problem that says why");
    if (is_chain && row->ilp == 0)
        return fail_row(reader, "ilp", error, none);
    if (is_chain && row->unroll == 0)
        return fail_row(reader, "unroll", error, none);
    if (launch->groups == 0)
        return fail_row(reader, "groups", error, none);
    if (launch->group_size == 0)
        return fail_row(reader, "group_size", error, none);
    /* for whole kernels 0 stands for as many warps as fit */
    return launch->warps > 0 || row->kind == PS_BENCH_WHOLE ||
           fail_row(reader, "warps", error, none);
}

/* Checks that the kernel is the same as in the rows before. */
static gboolean check_kernel(const Reader *reader, const PsRawRow *row, GError **error)
{
    const PsRawRow *first = g_hash_table_lookup(reader->kernels, row->kernel);
    const char *differs = NULL;
    if (!first) {
        g_hash_table_insert(reader->kernels, row->kernel, (void *)row);
        return TRUE;
    }
    if (strcmp(first->class_name, row->class_name) != 0)
        differs = "class";
    else if (first->kind != row->kind)
        differs = "kind";
    else if (first->ilp != row->ilp)
        differs = "ilp";
    else if (first->unroll != row->unroll)
        differs = "unroll";
    else if (first->operations != row->operations)
        differs = "operations";
    return !differs ||
           fail_row(reader, differs, error, "differs from the rows of the same kernel above");
}

static gboolean add_row(Reader *reader, PsRawRow *row, GError **error)
{
    g_ptr_array_add(reader->raw->rows, row);
    if (row->problem ? !check_problem(reader, row, error) : !check_run(reader, row, error))
        return FALSE;
    if (!check_kernel(reader, row, error))
        return FALSE;
    if (!ps_raw_index_add(reader->index, row) && !row->problem)
        return fail_row(reader, "repeat", error, "this run is there twice");
    return TRUE;
}

static gboolean read_run(Reader *reader, GError **error)
{
    PsCsv *csv = reader->csv;
    const char *missing = find_missing(reader);
    if (missing) {
        ps_csv_error(csv, 0, PS_ERROR_SYNTAX, error,
                     "runs begin here, and 'device,%s,...' is missing above", missing);
        return FALSE;
    }
    if (!check_count(csv, 1 + reader->n_columns, error))
        return FALSE;
    if (reader->raw->rows->len == PS_RAW_MAX_ROWS) {
        ps_csv_error(csv, 0, PS_ERROR_LIMIT, error, "there are more than %d runs", PS_RAW_MAX_ROWS);
        return FALSE;
    }
    g_autoptr(PsRawRow) row = g_new0(PsRawRow, 1);
    for (guint i = 0; i < reader->n_columns; i++)
        if (!take(reader, i + 1, row, &ps_raw_columns[i], error))
            return FALSE;
    return add_row(reader, g_steal_pointer(&row), error);
}

/* ---- the file ------------------------------------------------------------------------------ */

static gboolean read_row(Reader *reader, GError **error)
{
    PsCsv *csv = reader->csv;
    if (!ps_csv_split(csv, error))
        return FALSE;
    if (strcmp(csv->fields[0].text, "run") == 0)
        return read_run(reader, error);
    if (strcmp(csv->fields[0].text, "device") == 0)
        return read_device(reader, error);
    ps_csv_error(csv, 0, PS_ERROR_SYNTAX, error, "a row begins with 'device' or 'run', not '%.40s'",
                 csv->fields[0].text);
    return FALSE;
}

/* TRUE if a file of one line without an end begins as raw files do. */
static gboolean is_begin(const PsCsv *csv)
{
    g_autoptr(GString) header = g_string_new(NULL);
    ps_raw_put_header(header);
    return csv->is_cut && csv->length <= header->len &&
           strncmp(csv->text, header->str, csv->length) == 0;
}

/* Reads the rows; the first line was read and split. */
static PsRaw *read_rows(PsCsv *csv, gboolean *is_begun, GError **error)
{
    g_auto(Reader) reader = {
        .csv = csv,
        .raw = ps_raw_new(csv->name),
        .index = ps_raw_index_new(),
        .kernels = g_hash_table_new(g_str_hash, g_str_equal),
    };
    if (!check_header(&reader, error))
        return NULL;
    PsCsvState state;
    while ((state = ps_csv_line(csv, error)) == PS_CSV_ROW && !csv->is_cut)
        if (csv->length > 0 && !read_row(&reader, error))
            return NULL;
    if (state == PS_CSV_ERROR)
        return NULL;
    reader.raw->cut_off = state == PS_CSV_ROW || csv->is_lost;
    *is_begun = find_missing(&reader) != NULL;
    return *is_begun ? NULL : g_steal_pointer(&reader.raw);
}

PsRaw *ps_raw_open(const char *path, gboolean *is_begun, GError **error)
{
    *is_begun = FALSE;
    g_autoptr(PsCsv) csv = ps_csv_open(path, error);
    if (!csv)
        return NULL;
    csv->may_lose = TRUE;
    const PsCsvState state = ps_csv_line(csv, error);
    if (state == PS_CSV_ERROR)
        return NULL;
    *is_begun = state == PS_CSV_END || is_begin(csv);
    return *is_begun || !ps_csv_split(csv, error) ? NULL : read_rows(csv, is_begun, error);
}

PsRaw *ps_raw_load(const char *path, GError **error)
{
    gboolean is_begun = FALSE;
    PsRaw *raw = ps_raw_open(path, &is_begun, error);
    if (is_begun)
        ps_error_at(error, PS_ERROR_SYNTAX, (PsPlace){path, 0},
                    "ends before the first run: nothing was measured yet");
    return raw;
}
