/* SPDX-License-Identifier: BSD-3-Clause */
/* See csv.h. */
#include "cli/sweep/csv.h"

#include "cli/sweep/configuration.h"

#include <string.h>

/* ---- which sweep it is --------------------------------------------------------------------- */

/* With its length, so that no two lists of texts look the same. */
static void add_text(GChecksum *sum, const char *text)
{
    g_autofree char *length = g_strdup_printf("%" G_GSIZE_FORMAT ":", strlen(text));
    g_checksum_update(sum, (const guchar *)length, -1);
    g_checksum_update(sum, (const guchar *)text, -1);
}

/* Files (of code that is varied, without what they include) count as what was read from them, so
 * that names, folders and comments do not matter. The version does: another one may compute
 * otherwise. 64 bits tell sweeps apart that a person mixes up; the letter in front keeps programs
 * from reading a number. */
char *sweep_id(const Options *options, const GPtrArray *graphs, const GPtrArray *gpus)
{
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
    add_text(sum, PIPESIM_VERSION);
    add_text(sum, options->signature);
    for (guint i = 0; i < graphs->len; i++) {
        g_autofree char *text = ps_idg_write(graphs->pdata[i]);
        add_text(sum, text);
    }
    for (char **file = options->files; !graphs->len && *file; file++) {
        g_autofree char *text = NULL;
        g_file_get_contents(*file, &text, NULL, NULL);
        add_text(sum, text ? text : "");
    }
    for (guint i = 0; i < gpus->len; i++) {
        g_autofree char *text = ps_gpu_write(gpus->pdata[i]);
        add_text(sum, text);
    }
    return g_strdup_printf("s%.16s", g_checksum_get_string(sum));
}

/* 32 bits tell that something was changed; the letter is as above. */
char *sweep_csv_sum(const char *row, gsize length)
{
    g_autofree char *sum =
        g_compute_checksum_for_data(G_CHECKSUM_SHA256, (const guchar *)row, length);
    return g_strdup_printf("c%.8s", sum);
}

/* ---- header and rows ----------------------------------------------------------------------- */

/* Which columns there are. */
static Report blank_report(const Options *options, const PsRational *values)
{
    return (Report){.what_if_text = options->what_if_text,
                    .vary = options->vary,
                    .values = values,
                    .measured = options->measured};
}

/* How many columns stand before the results. */
static guint columns_before(const SweepCsv *csv)
{
    return 2 + csv->options->vary->len;
}

/* How many columns stand behind the results. */
static guint columns_at_end(const SweepCsv *csv)
{
    return csv->code ? 3 : csv->options->shards ? 5 : 2;
}

SweepCsv *sweep_csv_new(const Options *options, char *id, guint total)
{
    SweepCsv *csv = g_new0(SweepCsv, 1);
    *csv = (SweepCsv){
        .options = options, .code = configuration_is_varied(options), .id = id, .total = total};
    GString *header = g_string_new(NULL);
    const Report blank = blank_report(options, NULL);
    csv->facts = report_told_blank(&blank, NULL, NULL, 0);
    ps_csv_heads(header, PS_VIEW_RUN, csv->facts);
    g_string_truncate(header, header->len - 1);
    if (csv->code)
        g_string_append(header, SWEEP_CSV_ERROR);
    g_string_append(header, SWEEP_CSV_ID);
    if (options->shards)
        g_string_append(header, SWEEP_CSV_PART);
    g_string_append_c(header, '\n');
    csv->header = g_string_free(header, FALSE);
    csv->columns = csv_fields(csv->header);
    return csv;
}

void sweep_csv_free(SweepCsv *csv)
{
    if (!csv)
        return;
    ps_told_free(csv->facts);
    g_free(csv->id);
    g_free(csv->header);
    g_free(csv);
}

/* A row without results, up to its line end. */
static void put_blank(const SweepCsv *csv, const Point *point, GString *out)
{
    const Report blank = blank_report(csv->options, point->values);
    g_autoptr(PsTold) facts =
        report_told_blank(&blank, point->name, point->gpu->name, point->known);
    ps_csv_rows(out, PS_VIEW_RUN, facts);
    g_string_truncate(out, out->len - 1);
}

/* Behind the row that begins there. */
static void put_end(const SweepCsv *csv, const Point *point, const char *why, gsize begin,
                    GString *out)
{
    const Options *options = csv->options;
    if (csv->code)
        csv_put(out, why);
    g_autofree char *sum = sweep_csv_sum(out->str + begin, out->len - begin);
    csv_put(out, sum);
    csv_put(out, csv->id);
    if (options->shards)
        g_string_append_printf(out, ",%u/%u,%u,%u", options->shard, options->shards, point->number,
                               csv->total);
    g_string_append_c(out, '\n');
}

void sweep_csv_row(const SweepCsv *csv, const Point *point, const Report *report, GString *out)
{
    const gsize begin = out->len;
    g_autoptr(PsTold) facts = report_told(report);
    ps_csv_rows(out, PS_VIEW_RUN, facts);
    g_string_truncate(out, out->len - 1);
    put_end(csv, point, "", begin, out);
}

void sweep_csv_failed(const SweepCsv *csv, const Point *point, const char *why, GString *out)
{
    const gsize begin = out->len;
    put_blank(csv, point, out);
    put_end(csv, point, why, begin, out);
}

/* ---- rows that are there ------------------------------------------------------------------- */

gboolean sweep_csv_begins(const SweepCsv *csv, const Point *point, const char *row)
{
    g_autoptr(GString) blank = g_string_new(NULL);
    put_blank(csv, point, blank);
    const char *results = blank->str;
    for (guint i = 0; i < columns_before(csv); i++)
        results += csv_field_length(results) + 1;
    return strncmp(row, blank->str, MIN(strlen(row), (gsize)(results - blank->str))) == 0;
}

/* Checks a cell of the i-th column, one of results. */
static gboolean check_result(const SweepCsv *csv, guint i, const char *row, gsize length,
                             char **why)
{
    const char *name;
    g_autofree char *cell = g_strndup(row, length);
    if (ps_csv_fits(PS_VIEW_RUN, csv->facts, i, cell, &name))
        return TRUE;
    *why = *cell ? g_strdup_printf("%s: '%.40s' is nothing that pipesim writes", name, cell)
                 : g_strdup_printf("%s: there is no value", name);
    return FALSE;
}

/* The cell at `at` is the sum of what stands before it. */
static gboolean check_sum(const char *row, gsize at, gsize length, char **why)
{
    g_autofree char *sum = sweep_csv_sum(row, at - 1);
    if (length == strlen(sum) && strncmp(row + at, sum, length) == 0)
        return TRUE;
    *why = g_strdup_printf("check: it does not fit the row, whose check is %s", sum);
    return FALSE;
}

/* Side by side with the row of a point that failed, which has everything but results. */
SweepRow sweep_csv_check(const SweepCsv *csv, const Point *point, const char *row, gsize *at,
                         char **why)
{
    const guint first = columns_before(csv), behind = csv->columns - columns_at_end(csv);
    g_autoptr(GString) failed = g_string_new(NULL);
    sweep_csv_failed(csv, point, "", failed);
    if (strcmp(row, failed->str) == 0)
        return SWEEP_ROW_FAILED;
    const char *cell = row, *due = failed->str;
    for (guint i = 0; i < csv->columns; i++) {
        const gsize length = csv_field_length(cell), due_length = csv_field_length(due);
        const gboolean is_last = i == csv->columns - 1;
        *at = (gsize)(cell - row);
        if (i >= first && i < behind) {
            if (!check_result(csv, i, cell, length, why))
                return SWEEP_ROW_BROKEN;
        } else if (i == behind) {
            if (!check_sum(row, *at, length, why))
                return SWEEP_ROW_BROKEN;
        } else if (length != due_length || strncmp(cell, due, length) != 0) {
            return SWEEP_ROW_OTHER;
        }
        if (cell[length] != (is_last ? '\n' : ',')) {
            *at += length;
            *why = g_strdup(is_last ? "the row goes on behind its last column"
                                    : "the row ends before its last column");
            return SWEEP_ROW_BROKEN;
        }
        cell += length + 1;
        due += due_length + 1;
    }
    return SWEEP_ROW_DONE;
}
