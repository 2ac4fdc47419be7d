/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whole kernels in the measurements.csv of another campaign (raw/campaign.c says how its rows
 * look): rows of the section kernel, with the metric median_ms. Of each kernel whose graph we have
 * this says how its keys become a launch. The others are named in a warning, and left out.
 */
#include "latency-bench/raw/private.h"
#include "latency-bench/validate/private.h"

#include <math.h>
#include <string.h>

typedef struct {
    PsValidation *validation;
    PsCsv *csv;
    GPtrArray *unknown; /* char *: names, each once */
} Reader;

/* What the rows of one kernel are: its keys of use are those that are named. */
typedef struct {
    const char *theirs;
    const char *ours; /* a kernel of ours; volkov-%d: with the key arithmetic */
    const char *name; /* in reports */
    const char *keys[4];
    void (*launch)(const gint64 *value, gint64 compute_units, PsBenchLaunch *launch);
} Series;

/* Its groups are tiles of as many threads as warps and active groups tell. */
static void mmul_launch(const gint64 *value, gint64 compute_units, PsBenchLaunch *launch)
{
    const gint64 threads = 32 * value[1] / MAX(value[0], 1);
    const gint64 tile = (gint64)(sqrt((double)threads) + 0.5);
    (void)compute_units;
    launch->group_size = threads;
    launch->warps = value[1];
    launch->step = value[2];
    launch->length = value[2] / MAX(tile, 1);
    launch->groups = launch->length * launch->length;
}

/* 64 threads in each group, of which each loads 16 bytes at a time. */
static void stream_launch(const gint64 *value, gint64 compute_units, PsBenchLaunch *launch)
{
    launch->group_size = 64;
    launch->warps = value[1];
    launch->groups = compute_units * value[0];
    launch->length = value[2] / (16 * 64 * MAX(launch->groups, 1));
}

static void volkov_launch(const gint64 *value, gint64 compute_units, PsBenchLaunch *launch)
{
    launch->group_size = 64;
    launch->warps = value[1];
    launch->groups = compute_units * value[0];
    launch->length = value[2];
}

static void saxpy_launch(const gint64 *value, gint64 compute_units, PsBenchLaunch *launch)
{
    (void)compute_units;
    launch->group_size = value[0];
    launch->groups = value[1] / MAX(value[0], 1);
    launch->length = 1;
}

static void reduction_launch(const gint64 *value, gint64 compute_units, PsBenchLaunch *launch)
{
    (void)compute_units;
    const gint64 threads = MAX(value[2] * value[0], 1);
    launch->group_size = launch->step = value[0];
    launch->groups = value[2];
    launch->length = (value[1] + threads - 1) / threads;
}

static void transpose_launch(const gint64 *value, gint64 compute_units, PsBenchLaunch *launch)
{
    (void)compute_units;
    launch->group_size = 256;
    launch->step = value[0];
    launch->groups = (value[0] / 32) * (value[0] / 32);
    launch->length = 1;
}

/* value: width and height of a group, points in each direction with the faces. */
static void stencil_launch(const gint64 *value, gint64 compute_units, PsBenchLaunch *launch)
{
    (void)compute_units;
    const gint64 inner = value[2] - 2, x = MAX(value[0], 1), y = MAX(value[1], 1);
    launch->group_size = x * y;
    launch->step = value[2];
    launch->length = inner;
    launch->groups = ((inner + x - 1) / x) * ((inner + y - 1) / y);
}

#define MMUL {"active", "warps", "size"}, mmul_launch
static const Series all_series[] = {
    {"mmul08", "mmul08", "mmul08", MMUL},
    {"mmul16", "mmul16", "mmul16", MMUL},
    {"mmul08_conflict", "mmul08-conflict", "mmul08-conflict", MMUL},
    {"mmul16_conflict", "mmul16-conflict", "mmul16-conflict", MMUL},
    {"mmul08_scalar", "mmul08", "mmul08-scalar", MMUL},
    {"mmul16_scalar", "mmul16", "mmul16-scalar", MMUL},
    {"stream_read", "memory-ilp4", "stream-read", {"active", "warps", "bytes"}, stream_launch},
    {"volkov_mix", "volkov-", "volkov-", {"active", "warps", "iterations"}, volkov_launch},
    {"saxpy", "saxpy", "saxpy", {"block", "n"}, saxpy_launch},
    {"reduce", "reduction", "reduction", {"block", "n", "groups"}, reduction_launch},
    {"transpose_padded", "transpose", "transpose", {"n"}, transpose_launch},
    {"transpose_tiled", "transpose-conflict", "transpose-conflict", {"n"}, transpose_launch},
    {"stencil7", "stencil", "stencil", {"block", "block", "n"}, stencil_launch},
};

/* ---- a row --------------------------------------------------------------------------------- */

/* A key's value; of "block=32x8" the number after the last x where `second`. */
static gboolean take_key(const Reader *reader, const char *key, gboolean second, gint64 *value,
                         GError **error)
{
    const PsRawField field = {key, PS_RAW_INT, 0, 1, G_GINT64_CONSTANT(1) << 40};
    g_autofree char *text = ps_raw_campaign_key(reader->csv, key);
    char *cross = text ? strchr(text, 'x') : NULL;
    const char *digits = cross && second ? cross + 1 : text;
    if (cross)
        *cross = '\0';
    g_autofree char *wrong = digits ? ps_raw_take(digits, value, &field) : g_strdup("is missing");
    if (!wrong)
        return TRUE;
    ps_csv_error(reader->csv, 2, PS_ERROR_VALUE, error, "%s: '%.40s' %s", key, digits ? digits : "",
                 wrong);
    return FALSE;
}

static double number_or_nan(const char *text)
{
    char *end = NULL;
    const double value = text ? g_ascii_strtod(text, &end) : NAN;
    return text && end != text && !*end && isfinite(value) && value > 0 ? value : NAN;
}

static void note_unknown(const Reader *reader, const char *name)
{
    if (!g_ptr_array_find_with_equal_func(reader->unknown, name, g_str_equal, NULL))
        g_ptr_array_add(reader->unknown, g_strdup(name));
}

/* The kernel of ours, or NULL; *name is what reports call it (g_free). */
static const PsBenchKernel *find_kernel(const Reader *reader, const Series *series, char **name)
{
    g_autofree char *share = g_str_has_suffix(series->ours, "-")
                                 ? ps_raw_campaign_key(reader->csv, "arithmetic")
                                 : g_strdup("");
    g_autofree char *ours = g_strconcat(series->ours, share ? share : "?", NULL);
    *name = g_strconcat(series->name, share, NULL);
    return ps_validation_find(reader->validation, ours);
}

/* What a launch must be for a graph to be simulated. */
static gboolean check_launch(const Reader *reader, const PsBenchLaunch *launch, GError **error)
{
    if (launch->groups > 0 && launch->length > 0 && launch->group_size > 0 &&
        launch->group_size <= 1024)
        return TRUE;
    ps_csv_error(reader->csv, 2, PS_ERROR_VALUE, error,
                 "these keys make no launch: %" G_GINT64_FORMAT " groups of %" G_GINT64_FORMAT
                 " threads, %" G_GINT64_FORMAT " trips",
                 launch->groups, launch->group_size, launch->length);
    return FALSE;
}

static gboolean read_series(const Reader *reader, const Series *series, GError **error)
{
    const double milliseconds = number_or_nan(reader->csv->fields[4].text);
    gint64 value[G_N_ELEMENTS(series->keys)] = {0};
    g_autofree char *name = NULL;
    const PsBenchKernel *of = find_kernel(reader, series, &name);
    if (!of) {
        note_unknown(reader, name);
        return TRUE;
    }
    for (guint i = 0; i < G_N_ELEMENTS(series->keys) && series->keys[i]; i++) {
        const gboolean second = i > 0 && strcmp(series->keys[i], series->keys[i - 1]) == 0;
        if (!take_key(reader, series->keys[i], second, &value[i], error))
            return FALSE;
    }
    if (isnan(milliseconds)) {
        ps_csv_error(reader->csv, 4, PS_ERROR_VALUE, error, "median_ms: '%.40s' is no time",
                     reader->csv->fields[4].text);
        return FALSE;
    }
    PsBenchLaunch launch = {.step = 1};
    series->launch(value, reader->validation->raw->info.compute_units, &launch);
    if (!check_launch(reader, &launch, error))
        return FALSE;
    g_autofree char *mhz = ps_raw_campaign_key(reader->csv, "mhz");
    PsValidationPoint *point = ps_validation_add(reader->validation, name, of);
    point->launch = launch;
    point->samples = 1;
    point->seconds = milliseconds / 1e3;
    point->mhz = number_or_nan(mhz);
    return TRUE;
}

static gboolean read_row(const Reader *reader, GError **error)
{
    const PsCsv *csv = reader->csv;
    if (csv->n_fields != 5 || strcmp(csv->fields[0].text, "kernel") != 0 ||
        strcmp(csv->fields[3].text, "median_ms") != 0)
        return TRUE;
    for (guint i = 0; i < G_N_ELEMENTS(all_series); i++)
        if (strcmp(csv->fields[1].text, all_series[i].theirs) == 0)
            return read_series(reader, &all_series[i], error);
    /* Loads of mmul alone are what a description is made of. */
    if (strcmp(csv->fields[1].text, "pattern") != 0)
        note_unknown(reader, csv->fields[1].text);
    return TRUE;
}

/* ---- the file ------------------------------------------------------------------------------ */

static gboolean read_rows(const Reader *reader, GError **error)
{
    PsCsvState state;
    while ((state = ps_csv_line(reader->csv, error)) == PS_CSV_ROW && !reader->csv->is_cut)
        if (reader->csv->length > 0 &&
            (!ps_csv_split(reader->csv, error) || !read_row(reader, error)))
            return FALSE;
    return state != PS_CSV_ERROR;
}

/* Points of one kernel together: volkov's shares come in any order. */
static int by_kernel(const void *a, const void *b)
{
    return strcmp(((const PsValidationPoint *)a)->kernel, ((const PsValidationPoint *)b)->kernel);
}

gboolean ps_validation_read_campaign(PsValidation *validation, const char *path, GError **error)
{
    g_autoptr(PsCsv) csv = ps_csv_open(path, error);
    g_autoptr(GPtrArray) unknown = g_ptr_array_new_with_free_func(g_free);
    const Reader reader = {validation, csv, unknown};
    if (!csv || !read_rows(&reader, error))
        return FALSE;
    g_array_sort(validation->points, by_kernel);
    if (unknown->len == 0)
        return TRUE;
    g_ptr_array_add(unknown, NULL);
    g_autofree char *names = g_strjoinv(", ", (char **)unknown->pdata);
    g_autofree char *text = g_strdup_printf("left out, since there is no graph of them: %s", names);
    g_ptr_array_add(validation->warnings, ps_raw_clean(text));
    return TRUE;
}
