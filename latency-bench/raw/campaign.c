/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reading measurements.csv of another campaign, whose rows are
 *
 *     section,name,key=value;key=value;...,metric,value
 *
 * without a header. What tells cycles per link of a chain becomes two runs, of lengths 1 and 2,
 * without start and end: their slope is the figure. All else is of no use here.
 */
#include "base/file.h"
#include "latency-bench/raw/campaign.h"

#include <math.h>
#include <string.h>

#define N_FIELDS 5
#define MAX_ENVIRONMENT (1024 * 1024)

static void campaign_clear(PsCampaign *reader)
{
    ps_raw_free(reader->raw);
    ps_raw_index_free(reader->index);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(PsCampaign, campaign_clear)

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

gboolean ps_campaign_key(const PsCampaign *reader, const char *key, gint64 least, gint64 *value,
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

gboolean ps_campaign_value(const PsCampaign *reader, double *value, GError **error)
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

static gboolean read_figures(const PsCampaign *reader, GError **error)
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
        if (!ps_campaign_key(reader, keys[i].key, keys[i].least, keys[i].to, error))
            return FALSE;
    info->limits.warps = threads / info->warp_size;
    return TRUE;
}

static gboolean read_device(PsCampaign *reader, GError **error)
{
    PsDeviceInfo *info = &reader->raw->info;
    const PsRawField name = {"name", PS_RAW_NAME, G_STRUCT_OFFSET(PsDeviceInfo, name), 0, 0};
    double mhz = NAN;
    if (!ps_campaign_value(reader, &mhz, error))
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

/* ---- runs ---------------------------------------------------------------------------------- */

static PsRawRow *make_row(const PsRawRow *from, gint64 length)
{
    PsRawRow *row = g_new(PsRawRow, 1);
    *row = *from;
    row->kernel = g_strdup(from->kernel);
    row->klass = g_strdup(from->klass);
    row->unroll = 1;
    row->launch.length = length;
    return row;
}

/* One that was measured again is a further repeat. */
gboolean ps_campaign_add(PsCampaign *reader, const PsRawRow *from, double cycles, GError **error)
{
    const gboolean is_figure = isfinite(cycles) && cycles > 0;
    PsRawRow own = *from;
    if (reader->raw->rows->len + 2 > PS_RAW_MAX_ROWS) {
        ps_csv_error(reader->csv, 0, PS_ERROR_LIMIT, error, "there are more than %d rows",
                     PS_RAW_MAX_ROWS / 2);
        return FALSE;
    }
    for (gint64 length = 1; length <= 2; length++) {
        PsRawRow *row = make_row(&own, length);
        row->sample = (PsBenchSample){NAN, NAN, NAN};
        if (is_figure)
            row->sample = (PsBenchSample){cycles * (double)length, NAN, from->sample.mhz};
        else
            row->problem = g_strdup("the campaign has no figure here");
        g_ptr_array_add(reader->raw->rows, row);
        while (!ps_raw_index_add(reader->index, row) && is_figure)
            row->launch.repeat++;
        own.launch.repeat = row->launch.repeat;
    }
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
static gboolean read_row(PsCampaign *reader, GError **error)
{
    if (!check_form(reader->csv, error))
        return FALSE;
    if (strcmp(reader->csv->fields[0].text, "device") == 0)
        return read_device(reader, error);
    return ps_campaign_series(reader, error) && ps_campaign_pattern(reader, error);
}

/* All rows from the present one on, which was split. */
static gboolean read_rows(PsCampaign *reader, GError **error)
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
    reader->raw->cut_off = state == PS_CSV_ROW || csv->is_lost;
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
static void read_environment(PsCampaign *reader)
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

static void begin(PsCampaign *reader)
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
    g_auto(PsCampaign) reader = {.csv = csv,
                                 .raw = ps_raw_new(csv->name),
                                 .index = ps_raw_index_new(),
                                 .mhz = NAN,
                                 .launch = NAN,
                                 .fadd = NAN,
                                 .pair = NAN};
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
