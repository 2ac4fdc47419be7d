/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reading measurements.csv of another campaign, whose rows are
 *
 *     section,name,key=value;key=value;...,metric,value
 *
 * without a header. Its rows of the sections chain, local and global hold slopes already: cycles
 * per operation of one warp. Each becomes two runs, of lengths 1 and 2, without start and end:
 * their slope is the figure. The other sections are of no use here.
 */
#include "base/file.h"
#include "latency-bench/raw/private.h"

#include <math.h>
#include <string.h>

#define N_FIELDS 5
#define MAX_ENVIRONMENT (1024 * 1024)

/* What a row measures. */
typedef struct {
    const char *section, *name, *klass;
    PsBenchKind kind;
    gint64 instructions; /* of the class in each link of the chain */
} Series;

/* Chains of two different instructions one after the other: where both are of one class, each is
 * taken for half. cos is two instructions for whoever writes cos. The pair of rcp and fadd, and the
 * rolled loop around a multiply-add, are left out: they are of two classes. */
static const Series all_series[] = {
    {"chain", "fadd", "fadd", PS_BENCH_CHAIN, 1},
    {"chain", "fmul", "fmul", PS_BENCH_CHAIN, 1},
    {"chain", "ffma", "fmadd", PS_BENCH_CHAIN, 1},
    {"chain", "dadd", "dadd", PS_BENCH_CHAIN, 1},
    {"chain", "dfma", "dfma", PS_BENCH_CHAIN, 1},
    {"chain", "imad", "imad", PS_BENCH_CHAIN, 1},
    {"chain", "iadd_lop_pair", "iadd", PS_BENCH_CHAIN, 2},
    {"chain", "hfma2", "hfma", PS_BENCH_CHAIN, 1},
    {"chain", "cvt_pair", "conversion", PS_BENCH_CHAIN, 2},
    {"chain", "fmul_cos_pair", "cos", PS_BENCH_CHAIN, 1},
    {"chain", "ex2", "exp2", PS_BENCH_CHAIN, 1},
    {"chain", "rsqrt", "rsqrt", PS_BENCH_CHAIN, 1},
    {"chain", "sqrt", "sqrt", PS_BENCH_CHAIN, 1},
    {"chain", "fdiv", "fdiv", PS_BENCH_CHAIN, 1},
    {"chain", "ddiv", "ddiv", PS_BENCH_CHAIN, 1},
    {"chain", "shfl", "shuffle", PS_BENCH_CHAIN, 1},
    {"chain", "barrier", "barrier", PS_BENCH_CHAIN, 1},
    {"local", "load", "local.load", PS_BENCH_LOCAL, 1},
    {"local", "store", "local.store", PS_BENCH_LOCAL, 1},
    {"local", "atomic", "atomic.local", PS_BENCH_LOCAL, 1},
    {"global", "l1", "global.load.l1", PS_BENCH_GLOBAL, 1},
    {"global", "l2", "global.load.l2", PS_BENCH_GLOBAL, 1},
    {"global", "dram", "global.load", PS_BENCH_GLOBAL, 1},
};

typedef struct {
    PsCsv *csv;
    PsRaw *raw;
    PsRawIndex *index;
    double mhz; /* of the last row that told it */
} Reader;

static void reader_clear(Reader *reader)
{
    ps_raw_free(reader->raw);
    ps_raw_index_free(reader->index);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Reader, reader_clear)

/* ---- fields -------------------------------------------------------------------------------- */

/* The text of a key in the third field (g_free); NULL where it is not there. */
char *ps_raw_campaign_key(const PsCsv *csv, const char *key)
{
    g_auto(GStrv) pairs = g_strsplit(csv->fields[2].text, ";", -1);
    const gsize length = strlen(key);
    for (char **pair = pairs; *pair; pair++)
        if (strncmp(*pair, key, length) == 0 && (*pair)[length] == '=')
            return g_strdup(*pair + length + 1);
    return NULL;
}

/* An integer from least on; FALSE and *error where it is none, or not there. */
static gboolean take_key(const Reader *reader, const char *key, gint64 least, gint64 *value,
                         GError **error)
{
    const PsRawField field = {key, PS_RAW_INT, 0, least, G_GINT64_CONSTANT(1) << 50};
    g_autofree char *text = ps_raw_campaign_key(reader->csv, key);
    g_autofree char *wrong = text ? ps_raw_take(text, value, &field) : g_strdup("is missing");
    if (!wrong)
        return TRUE;
    ps_csv_error(reader->csv, 2, PS_ERROR_VALUE, error, "%s: '%.40s' %s", key, text ? text : "",
                 wrong);
    return FALSE;
}

static gboolean take_value(const Reader *reader, double *value, GError **error)
{
    const PsCsvField *field = &reader->csv->fields[4];
    char *end = NULL;
    *value = g_ascii_strtod(field->text, &end);
    if (end != field->text && !*end)
        return TRUE;
    ps_csv_error(reader->csv, 4, PS_ERROR_VALUE, error, "%.40s: '%.40s' is no number",
                 reader->csv->fields[3].text, field->text);
    return FALSE;
}

/* ---- the device ---------------------------------------------------------------------------- */

/* Multiprocessors of NVIDIA have four schedulers, but for those of compute capability 2.x and 6.0,
 * which have two. */
static gint64 schedulers_of(const char *capability)
{
    return g_str_has_prefix(capability, "2.") || strcmp(capability, "6.0") == 0 ? 2 : 4;
}

static gboolean read_figures(const Reader *reader, GError **error)
{
    PsDeviceInfo *info = &reader->raw->info;
    gint64 threads = 0;
    const struct {
        const char *key;
        gint64 least, *to;
    } keys[] = {
        {"compute_units", 1, &info->compute_units},
        {"l2_bytes", 0, &info->l2},
        {"local_bytes_per_cu", 0, &info->limits.local_memory},
        {"registers_per_cu", 0, &info->limits.registers},
        {"threads_per_cu", 0, &threads},
    };
    for (guint i = 0; i < G_N_ELEMENTS(keys); i++)
        if (!take_key(reader, keys[i].key, keys[i].least, keys[i].to, error))
            return FALSE;
    info->limits.warps = threads / info->warp_size;
    return TRUE;
}

static gboolean read_device(Reader *reader, GError **error)
{
    PsDeviceInfo *info = &reader->raw->info;
    const PsRawField name = {"name", PS_RAW_NAME, G_STRUCT_OFFSET(PsDeviceInfo, name), 0, 0};
    double mhz = NAN;
    if (!take_value(reader, &mhz, error))
        return FALSE;
    reader->mhz = isfinite(mhz) && mhz > 0 ? mhz : NAN;
    if (info->compute_units > 0)
        return TRUE; /* every part of a campaign begins with this row */
    g_clear_pointer(&info->name, g_free);
    g_autofree char *wrong = ps_raw_take(reader->csv->fields[1].text, info, &name);
    if (wrong) {
        ps_csv_error(reader->csv, 1, PS_ERROR_VALUE, error, "name: '%.40s' %s",
                     reader->csv->fields[1].text, wrong);
        return FALSE;
    }
    g_autofree char *capability = ps_raw_campaign_key(reader->csv, "cc");
    g_autofree char *driver = ps_raw_campaign_key(reader->csv, "driver");
    if (capability) {
        g_auto(GStrv) parts = g_strsplit(capability, ".", -1);
        g_autofree char *joined = g_strjoinv("", parts);
        g_autofree char *text = g_strconcat("sm_", joined, NULL);
        g_free(info->architecture);
        info->architecture = ps_raw_clean(text);
        info->schedulers = schedulers_of(capability);
    }
    if (driver && !info->driver) {
        g_autofree char *text = g_strconcat("CUDA driver ", driver, NULL);
        info->driver = ps_raw_clean(text);
    }
    return read_figures(reader, error);
}

/* ---- series -------------------------------------------------------------------------------- */

static const Series *find_series(const PsCsv *csv)
{
    if (strcmp(csv->fields[3].text, "cycles_per_op_of_one_warp") != 0)
        return NULL;
    for (guint i = 0; i < G_N_ELEMENTS(all_series); i++)
        if (strcmp(csv->fields[0].text, all_series[i].section) == 0 &&
            strcmp(csv->fields[1].text, all_series[i].name) == 0)
            return &all_series[i];
    return NULL;
}

/* The launch as the campaign made it: chains of more than 32 warps in two groups per CU. */
static gboolean read_launch(const Reader *reader, const Series *series, PsRawRow *row,
                            GError **error)
{
    const PsDeviceInfo *info = &reader->raw->info;
    gint64 sectors = 0;
    row->ilp = 1;
    if (!take_key(reader, "warps", 1, &row->launch.warps, error))
        return FALSE;
    if (series->kind == PS_BENCH_CHAIN && !take_key(reader, "ilp", 1, &row->ilp, error))
        return FALSE;
    if (series->kind == PS_BENCH_LOCAL &&
        !take_key(reader, "conflict", 1, &row->launch.step, error))
        return FALSE;
    if (series->kind == PS_BENCH_GLOBAL && !take_key(reader, "sectors", 1, &sectors, error))
        return FALSE;
    if (series->kind == PS_BENCH_GLOBAL)
        row->launch.step = MAX(1, sectors / 8); /* stride in elements of 8 bytes */
    const gint64 groups = row->launch.warps > 32 ? 2 : 1;
    row->launch.groups = groups * MAX(1, info->compute_units);
    row->launch.group_size = row->launch.warps / groups * info->warp_size;
    return TRUE;
}

static PsRawRow *make_row(const Series *series, const PsRawRow *from, gint64 length)
{
    PsRawRow *row = g_new(PsRawRow, 1);
    *row = *from;
    row->kernel =
        g_strdup_printf("%s-%s-ilp%" G_GINT64_FORMAT, series->section, series->name, from->ilp);
    row->klass = g_strdup(series->klass);
    row->launch.length = length;
    return row;
}

/* Two runs that have the figure, cycles per link, as their slope. One that was measured again is a
 * further repeat. */
static void add_runs(Reader *reader, const Series *series, PsRawRow *from, double cycles)
{
    const gboolean is_figure = isfinite(cycles) && cycles > 0;
    for (gint64 length = 1; length <= 2; length++) {
        PsRawRow *row = make_row(series, from, length);
        if (is_figure)
            row->sample = (PsBenchSample){cycles * (double)length, NAN, reader->mhz};
        else
            row->problem = g_strdup("the campaign has no figure here");
        g_ptr_array_add(reader->raw->rows, row);
        while (!ps_raw_index_add(reader->index, row) && is_figure)
            row->launch.repeat++;
    }
}

static gboolean read_series(Reader *reader, const Series *series, GError **error)
{
    PsRawRow from = {.kind = series->kind, .unroll = 1, .sample = {NAN, NAN, NAN}};
    double value = NAN;
    if (reader->raw->rows->len + 2 > PS_RAW_MAX_ROWS) {
        ps_csv_error(reader->csv, 0, PS_ERROR_LIMIT, error, "there are more than %d rows",
                     PS_RAW_MAX_ROWS / 2);
        return FALSE;
    }
    if (!read_launch(reader, series, &from, error) || !take_value(reader, &value, error))
        return FALSE;
    /* In the time of a link a warp issues one operation of each of its chains. */
    add_runs(reader, series, &from, value * (double)from.ilp / (double)series->instructions);
    return TRUE;
}

/* ---- the file ------------------------------------------------------------------------------ */

static gboolean check_form(const PsCsv *csv, GError **error)
{
    if (csv->n_fields == N_FIELDS)
        return TRUE;
    ps_csv_error(csv, 0, PS_ERROR_SYNTAX, error,
                 "this is neither a raw file of pipesim, whose first line begins with 'record,', "
                 "nor a campaign's measurements, whose rows are "
                 "'section,name,key=value;...,metric,value'");
    return FALSE;
}

/* A row that was split. */
static gboolean read_row(Reader *reader, GError **error)
{
    if (!check_form(reader->csv, error))
        return FALSE;
    if (strcmp(reader->csv->fields[0].text, "device") == 0)
        return read_device(reader, error);
    const Series *series = find_series(reader->csv);
    return !series || read_series(reader, series, error);
}

/* All rows from the present one on, which was split. */
static gboolean read_rows(Reader *reader, GError **error)
{
    PsCsv *csv = reader->csv;
    PsCsvState state = PS_CSV_ROW;
    while (state == PS_CSV_ROW && !csv->is_cut) {
        if (csv->length > 0 && !read_row(reader, error))
            return FALSE;
        state = ps_csv_line(csv, error);
        if (state == PS_CSV_ROW && !csv->is_cut && !ps_csv_split(csv, error))
            return FALSE;
    }
    reader->raw->cut_off = state == PS_CSV_ROW;
    return state != PS_CSV_ERROR;
}

/* The value of a line "key : value" (g_free), or NULL. */
static char *find_line(char **lines, const char *key)
{
    for (char **line = lines; *line; line++) {
        const char *colon = strchr(*line, ':');
        const char *begin = *line + strspn(*line, " \t");
        if (!colon || !g_str_has_prefix(begin, key))
            continue;
        char *value = ps_raw_clean(colon + 1);
        return g_strstrip(value);
    }
    return NULL;
}

/* What environment.txt beside it says of the GPU and its driver; it need not be there. */
static void read_environment(Reader *reader)
{
    PsDeviceInfo *info = &reader->raw->info;
    g_autofree char *folder = g_path_get_dirname(reader->csv->name);
    g_autofree char *path = g_build_filename(folder, "environment.txt", NULL);
    g_autofree char *text = ps_file_read(path, MAX_ENVIRONMENT, NULL, NULL);
    if (!text)
        return;
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    g_autofree char *driver = find_line(lines, "Driver Version");
    g_autofree char *cuda = find_line(lines, "CUDA Version");
    info->name = find_line(lines, "Product Name");
    if (driver)
        info->driver = g_strdup_printf("%s%s%s", driver, cuda ? ", CUDA " : "", cuda ? cuda : "");
}

static void begin(Reader *reader)
{
    PsDeviceInfo *info = &reader->raw->info;
    info->backend = g_strdup("CUDA");
    info->vendor = g_strdup("NVIDIA");
    info->warp_size = 32;
    info->counter = info->fp64 = info->fp16 = TRUE;
    if (strcmp(reader->csv->name, "-") != 0)
        read_environment(reader);
}

PsRaw *ps_raw_read_campaign(PsCsv *csv, GError **error)
{
    g_auto(Reader) reader = {
        .csv = csv, .raw = ps_raw_new(csv->name), .index = ps_raw_index_new(), .mhz = NAN};
    PsDeviceInfo *info = &reader.raw->info;
    begin(&reader);
    if (!check_form(csv, error) || !read_rows(&reader, error))
        return NULL;
    if (!info->name)
        info->name = g_strdup("NVIDIA GPU");
    if (info->compute_units == 0) {
        ps_error_at(error, PS_ERROR_VALUE, (PsPlace){csv->name, 0},
                    "does not say which GPU was measured: a row 'device,NAME,compute_units=...' is "
                    "missing");
        return NULL;
    }
    return g_steal_pointer(&reader.raw);
}
