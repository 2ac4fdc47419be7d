/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The conditions under which a raw file can be continued: it is of this kind and device, and it has
 * byte for byte, up to where it is cut off, the rows that the writer would have written by this
 * device's plans. The reader alone forgives changes by people and spreadsheets; to append to such a
 * file would mix two forms.
 */
#include "latency-bench/raw/private.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Number of a row's columns for the kernel; the launch's, which follow the name. */
#define N_OF_KERNEL 5
#define N_OF_LAUNCH 8

typedef struct {
    const char *path;
    FILE *stream;
    char *line; /* the present line, with its line end unless it is cut off */
    size_t room;
    gsize length;
    int number;        /* number of the line, from 1 */
    GString *due;      /* the line that the writer would have written in its place */
    PsRawIndex *index; /* index of the rows that there can be: every run, and for each kernel a
                          problem */
    GPtrArray *rows;   /* rows of the index */
} Check;

static void check_clear(Check *check)
{
    if (check->stream)
        fclose(check->stream);
    free(check->line);
    g_string_free(check->due, TRUE);
    ps_raw_index_free(check->index);
    g_ptr_array_unref(check->rows);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Check, check_clear)

/* ---- places -------------------------------------------------------------------------------- */

/* The field of the due line with this byte; *begin: where the field begins. */
static guint field_at(const GString *due, gsize at, gsize *begin)
{
    gboolean quoted = FALSE;
    guint field = 0;
    *begin = 0;
    for (gsize i = 0; i < at; i++) {
        quoted ^= due->str[i] == '"';
        if (due->str[i] == ',' && !quoted) {
            field++;
            *begin = i + 1;
        }
    }
    return field;
}

static gboolean fail_at(const Check *check, gsize byte, GError **error, const char *format, ...)
    G_GNUC_PRINTF(4, 5);

/* Sets the error: the due line equals the present one only up to that byte. */
static gboolean fail_at(const Check *check, gsize byte, GError **error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *what = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_autofree char *location = g_strdup_printf("%s:%d:%ld", check->path, check->number,
                                                g_utf8_strlen(check->due->str, (gssize)byte) + 1);
    ps_error_at(error, PS_ERROR_VALUE, (PsPlace){location, 0}, "%s", what);
    return FALSE;
}

/* The offset of a column in the due line, which is a run. */
static gsize column_at(const Check *check, guint column)
{
    gsize begin = 0, at = 0;
    while (field_at(check->due, at, &begin) < column + 1)
        at++;
    return begin;
}

/* ---- lines --------------------------------------------------------------------------------- */

/* Reads the next line. FALSE at the end of the file. */
static gboolean next_line(Check *check)
{
    const gssize length = getline(&check->line, &check->room, check->stream);
    if (length < 0)
        return FALSE;
    /* bytes of zero are the end: the reader has checked that only zeros follow */
    check->length = strnlen(check->line, (gsize)length);
    check->number++;
    return TRUE;
}

static gboolean is_cut(const Check *check)
{
    return check->length == 0 || check->line[check->length - 1] != '\n';
}

/* Checks that the present line is the due one, or its beginning where the file is cut off. */
static gboolean check_line(const Check *check, GError **error)
{
    const GString *due = check->due;
    gsize same = 0, begin = 0;
    while (same < check->length && same < due->len && check->line[same] == due->str[same])
        same++;
    if (same == check->length && (same == due->len || is_cut(check)))
        return TRUE;
    if (same + 1 == due->len)
        return fail_at(check, same, error,
                       "pipesim's row ends here: a file that was changed is not continued; measure "
                       "into another file");
    field_at(due, same, &begin);
    const gsize end = begin + strcspn(due->str + begin, due->str[begin] == '"' ? "\n" : ",\n");
    return fail_at(check, begin, error,
                   "pipesim writes '%.*s' here: a file that was changed is not continued; measure "
                   "into another file",
                   (int)(end - begin), due->str + begin);
}

/* ---- the device ---------------------------------------------------------------------------- */

/* The text of a field, without quotes (g_free). */
static char *text_of(const void *of, const PsRawField *field)
{
    const void *value = (const char *)of + field->offset;
    if (field->type == PS_RAW_NAME || field->type == PS_RAW_CLASS || field->type == PS_RAW_TEXT)
        return ps_raw_clean(*(char *const *)value ? *(char *const *)value : "");
    GString *text = g_string_new(NULL);
    ps_raw_put(text, of, field);
    return g_string_free(text, FALSE);
}

/* Checks the device. A processor's clock may differ: it is a momentary value from its driver. */
static gboolean check_device(const char *path, const PsRaw *there, const PsRaw *here,
                             GError **error)
{
    for (guint i = 0; i < PS_RAW_N_DEVICE - 1; i++) {
        const PsRawField *field = &ps_raw_device[i];
        g_autofree char *old = text_of(there, field), *new = text_of(here, field);
        if (strcmp(old, new) == 0 || (field->type == PS_RAW_RATIONAL && here->info.processor))
            continue;
        ps_error_at(error, PS_ERROR_VALUE, (PsPlace){path, 0},
                    "holds measurements of another device: its %s is '%s' there, and '%s' here; "
                    "measure into another file",
                    field->name, old, new);
        return FALSE;
    }
    return TRUE;
}

/* The time in the writer's form; for another text, a time that it could be. */
static char *clean_time(const char *when)
{
    g_autoptr(GTimeZone) utc = g_time_zone_new_utc();
    g_autoptr(GDateTime) time = when ? g_date_time_new_from_iso8601(when, utc) : NULL;
    return time ? g_date_time_format(time, PS_RAW_WHEN) : g_strdup("2000-01-01T00:00:00Z");
}

/* Checks the head. A file with nothing but a head may end anywhere in it, even within a time that
 * is not known. */
static gboolean check_head(Check *check, const PsRaw *there, const PsRaw *here, GError **error)
{
    PsRaw head = there ? *there : *here;
    g_autofree char *when = clean_time(head.when);
    head.when = when;
    for (guint i = 0; i <= PS_RAW_N_DEVICE && next_line(check); i++) {
        g_string_truncate(check->due, 0);
        if (i == 0)
            ps_raw_put_header(check->due);
        else
            ps_raw_put_device(check->due, &head, i - 1);
        const gboolean is_time = !there && i == PS_RAW_N_DEVICE && is_cut(check);
        if (is_time)
            check->length = MIN(check->length, strlen("device,when,"));
        if (!check_line(check, error))
            return FALSE;
    }
    return TRUE;
}

/* ---- runs ---------------------------------------------------------------------------------- */

static void add_row(Check *check, const PsBenchKernel *kernel, const PsBenchLaunch *launch,
                    const char *problem)
{
    PsRawRow *row = g_new(PsRawRow, 1);
    ps_raw_row_set(row, kernel);
    row->problem = g_strdup(problem);
    if (launch)
        row->launch = *launch;
    g_ptr_array_add(check->rows, row);
    ps_raw_index_add(check->index, row);
}

static void add_plan(Check *check, const PsBenchPlan *plan)
{
    for (guint i = 0; i < plan->kernels->len; i++)
        add_row(check, plan->kernels->pdata[i], NULL, "it cannot be compiled");
    for (guint i = 0; i < plan->points->len; i++) {
        const PsBenchPoint *point = &g_array_index(plan->points, PsBenchPoint, i);
        PsBenchLaunch launch = point->launch;
        for (launch.repeat = 0; launch.repeat < (gint64)point->repeats; launch.repeat++)
            add_row(check, plan->kernels->pdata[point->kernel], &launch, NULL);
    }
}

/* Checks that the plans have such a row. */
static gboolean check_run(const Check *check, const PsRawRow *row, GError **error)
{
    const PsRawRow *kernel = ps_raw_index_problem(check->index, row->kernel, NULL);
    const gboolean of_kernel = row->problem && row->launch.groups == 0;
    if (!kernel)
        return fail_at(check, column_at(check, 0), error,
                       "kernel: '%s' is not measured here; measure into another file", row->kernel);
    for (guint i = 1; i <= N_OF_KERNEL + (of_kernel ? N_OF_LAUNCH : 0); i++) {
        g_autofree char *text = text_of(row, &ps_raw_columns[i]);
        g_autofree char *due = text_of(kernel, &ps_raw_columns[i]);
        if (strcmp(text, due) != 0)
            return fail_at(check, column_at(check, i), error,
                           "%s: '%s' is not that of this kernel, '%s'; measure into another file",
                           ps_raw_columns[i].name, text, due);
    }
    return of_kernel || ps_raw_index_run(check->index, row->kernel, &row->launch) ||
           fail_at(
               check, column_at(check, N_OF_KERNEL + 1), error,
               "groups: neither this launch of the kernel nor so many repeats of it are measured "
               "here; measure into another file");
}

static gboolean check_runs(Check *check, const GPtrArray *rows, GError **error)
{
    for (guint i = 0; i < rows->len && next_line(check); i++) {
        g_string_truncate(check->due, 0);
        ps_raw_put_run(check->due, rows->pdata[i]);
        if (!check_line(check, error) || !check_run(check, rows->pdata[i], error))
            return FALSE;
    }
    if (!next_line(check))
        return TRUE;
    /* only the beginning of a row that was cut off is known */
    g_string_assign(check->due, "run,");
    check->length = is_cut(check) ? MIN(check->length, check->due->len) : check->length;
    return check_line(check, error);
}

/* ---- the whole ----------------------------------------------------------------------------- */

static gboolean is_whole(PsBenchKind kind)
{
    return kind == PS_BENCH_WHOLE;
}

/* Checks that all rows are of one kind: whole kernels are never beside micro-benchmarks. */
static gboolean check_kind(const char *path, const PsRaw *there, const GPtrArray *plans,
                           GError **error)
{
    const PsBenchPlan *plan = plans->pdata[0];
    if (there->rows->len == 0 || plan->kernels->len == 0)
        return TRUE;
    const PsRawRow *row = there->rows->pdata[0];
    const gboolean whole = is_whole(row->kind);
    if (whole == is_whole(((const PsBenchKernel *)plan->kernels->pdata[0])->kind))
        return TRUE;
    ps_error_at(error, PS_ERROR_VALUE, (PsPlace){path, 0},
                "holds %s, and is not continued with %s; measure into another file",
                whole ? "whole kernels, as validate measures them"
                      : "micro-benchmarks, as bench measures them",
                whole ? "micro-benchmarks" : "whole kernels");
    return FALSE;
}

gboolean ps_raw_check_resume(const char *path, const PsRaw *there, const PsRaw *here,
                             const GPtrArray *plans, GError **error)
{
    if (there &&
        (!check_kind(path, there, plans, error) || !check_device(path, there, here, error)))
        return FALSE;
    g_auto(Check) check = {
        .path = path,
        .stream = fopen(path, "rb"),
        .due = g_string_new(NULL),
        .index = ps_raw_index_new(),
        .rows = g_ptr_array_new_with_free_func((GDestroyNotify)ps_raw_row_free),
    };
    if (!check.stream) {
        ps_error_at(error, PS_ERROR_READ, (PsPlace){path, 0}, "cannot be read: %s",
                    g_strerror(errno));
        return FALSE;
    }
    if (!check_head(&check, there, here, error))
        return FALSE;
    for (guint i = 0; i < plans->len; i++)
        add_plan(&check, plans->pdata[i]);
    return !there || check_runs(&check, there->rows, error);
}
