/* SPDX-License-Identifier: BSD-3-Clause */
/* See csv.h. */
#include "sweep/csv.h"

#include "tell/facts-csv.h"

#include <string.h>

/* ---- which sweep it is --------------------------------------------------------------------- */

/* Texts are preceded by their length, so that no two lists of texts look the same. */
static void add_text(GChecksum *sum, const char *text)
{
    g_autofree char *length = g_strdup_printf("%" G_GSIZE_FORMAT ":", strlen(text));
    g_checksum_update(sum, (const guchar *)length, -1);
    g_checksum_update(sum, (const guchar *)text, -1);
}

/* The id of a sweep. Files count by their content (for varied code without included files), so that
 * names, folders and comments do not matter. The version counts: another one may compute
 * differently. 64 bits distinguish the sweeps that a person might mix up; the first letter keeps
 * programs from reading a number. */
static char *id_of(const PsSweepPlan *plan)
{
    const PsSweepAsked *asked = plan->asked;
    const GPtrArray *graphs = plan->graphs, *gpus = plan->gpus;
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
    add_text(sum, PIPESIM_VERSION);
    add_text(sum, asked->signature);
    for (guint i = 0; i < graphs->len; i++) {
        g_autofree char *text = ps_idg_write(graphs->pdata[i]);
        add_text(sum, text);
    }
    for (char **file = asked->files; !graphs->len && *file; file++) {
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

/* 32 bits show that something was changed; the first letter is as above. */
char *ps_sweep_csv_sum(const char *row, gsize length)
{
    g_autofree char *sum =
        g_compute_checksum_for_data(G_CHECKSUM_SHA256, (const guchar *)row, length);
    return g_strdup_printf("c%.8s", sum);
}

/* ---- header and rows ----------------------------------------------------------------------- */

/* A report without values, for the columns. */
static PsReported blank_report(const PsSweepAsked *asked, const PsRational *values)
{
    return (PsReported){.what_if_text = asked->what_if,
                        .vary = asked->axes,
                        .values = values,
                        .measured = asked->measured};
}

/* The number of columns before the results. */
static guint columns_before(const PsSweepCsv *csv)
{
    return 2 + csv->asked->axes->len;
}

/* The number of columns behind the results. */
static guint columns_at_end(const PsSweepCsv *csv)
{
    return csv->code ? 3 : csv->asked->shards ? 5 : 2;
}

PsSweepCsv *ps_sweep_csv_new(const PsSweepPlan *plan)
{
    const PsSweepAsked *asked = plan->asked;
    PsSweepCsv *csv = g_new0(PsSweepCsv, 1);
    *csv = (PsSweepCsv){.asked = asked,
                        .code = ps_sweep_is_of_code(asked->axes),
                        .id = asked->signature ? id_of(plan) : NULL,
                        .total = plan->total};
    GString *header = g_string_new(NULL);
    const PsReported blank = blank_report(asked, NULL);
    csv->facts = ps_reported_blank(&blank, NULL, NULL, 0);
    ps_csv_heads(header, PS_VIEW_RUN, csv->facts);
    g_string_truncate(header, header->len - 1);
    if (csv->code)
        g_string_append(header, PS_SWEEP_CSV_ERROR);
    if (csv->id)
        g_string_append(header, PS_SWEEP_CSV_ID);
    if (asked->shards)
        g_string_append(header, PS_SWEEP_CSV_PART);
    g_string_append_c(header, '\n');
    csv->header = g_string_free(header, FALSE);
    csv->columns = ps_csv_count(csv->header);
    return csv;
}

void ps_sweep_csv_free(PsSweepCsv *csv)
{
    if (!csv)
        return;
    ps_told_free(csv->facts);
    g_free(csv->id);
    g_free(csv->header);
    g_free(csv);
}

/* Writes a row without results, up to its line end. */
static void put_blank(const PsSweepCsv *csv, const PsSweepPoint *point, GString *out)
{
    const PsReported blank = blank_report(csv->asked, point->values);
    g_autoptr(PsTold) facts =
        ps_reported_blank(&blank, point->name, point->gpu->name, point->known);
    ps_csv_rows(out, PS_VIEW_RUN, facts);
    g_string_truncate(out, out->len - 1);
}

/* Writes the last columns of the row that begins there. */
static void put_end(const PsSweepCsv *csv, const PsSweepPoint *point, const char *why, gsize begin,
                    GString *out)
{
    const PsSweepAsked *asked = csv->asked;
    if (csv->code)
        ps_csv_add(out, why);
    if (csv->id) {
        g_autofree char *sum = ps_sweep_csv_sum(out->str + begin, out->len - begin);
        ps_csv_add(out, sum);
        ps_csv_add(out, csv->id);
    }
    if (asked->shards)
        g_string_append_printf(out, ",%u/%u,%u,%u", asked->shard, asked->shards, point->number,
                               csv->total);
    g_string_append_c(out, '\n');
}

void ps_sweep_csv_row(const PsSweepCsv *csv, const PsSweepPoint *point, const PsReported *report,
                      GString *out)
{
    const gsize begin = out->len;
    g_autoptr(PsTold) facts = ps_reported_told(report);
    ps_csv_rows(out, PS_VIEW_RUN, facts);
    g_string_truncate(out, out->len - 1);
    put_end(csv, point, "", begin, out);
}

void ps_sweep_csv_failed(const PsSweepCsv *csv, const PsSweepPoint *point, const char *why,
                         GString *out)
{
    const gsize begin = out->len;
    put_blank(csv, point, out);
    put_end(csv, point, why, begin, out);
}

/* ---- rows that are there ------------------------------------------------------------------- */

gboolean ps_sweep_csv_begins(const PsSweepCsv *csv, const PsSweepPoint *point, const char *row)
{
    g_autoptr(GString) blank = g_string_new(NULL);
    put_blank(csv, point, blank);
    const char *results = blank->str;
    for (guint i = 0; i < columns_before(csv); i++)
        results += ps_csv_field_length(results) + 1;
    return strncmp(row, blank->str, MIN(strlen(row), (gsize)(results - blank->str))) == 0;
}

/* Checks a cell of the i-th column, one of the results. */
static gboolean check_result(const PsSweepCsv *csv, guint i, const char *row, gsize length,
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

/* TRUE if the cell at `at` is the sum over everything before it. */
static gboolean check_sum(const char *row, gsize at, gsize length, char **why)
{
    g_autofree char *sum = ps_sweep_csv_sum(row, at - 1);
    if (length == strlen(sum) && strncmp(row + at, sum, length) == 0)
        return TRUE;
    *why = g_strdup_printf("check: it does not fit the row, whose check is %s", sum);
    return FALSE;
}

/* Compares the row with that of a failed point, which has everything but results. */
PsSweepRow ps_sweep_csv_check(const PsSweepCsv *csv, const PsSweepPoint *point, const char *row,
                              gsize *at, char **why)
{
    const guint first = columns_before(csv), behind = csv->columns - columns_at_end(csv);
    g_autoptr(GString) failed = g_string_new(NULL);
    ps_sweep_csv_failed(csv, point, "", failed);
    if (strcmp(row, failed->str) == 0)
        return PS_SWEEP_ROW_FAILED;
    const char *cell = row, *due = failed->str;
    for (guint i = 0; i < csv->columns; i++) {
        const gsize length = ps_csv_field_length(cell), due_length = ps_csv_field_length(due);
        const gboolean is_last = i == csv->columns - 1;
        *at = (gsize)(cell - row);
        if (i >= first && i < behind) {
            if (!check_result(csv, i, cell, length, why))
                return PS_SWEEP_ROW_BROKEN;
        } else if (i == behind) {
            if (!check_sum(row, *at, length, why))
                return PS_SWEEP_ROW_BROKEN;
        } else if (length != due_length || strncmp(cell, due, length) != 0) {
            return PS_SWEEP_ROW_OTHER;
        }
        if (cell[length] != (is_last ? '\n' : ',')) {
            *at += length;
            *why = g_strdup(is_last ? "the row goes on behind its last column"
                                    : "the row ends before its last column");
            return PS_SWEEP_ROW_BROKEN;
        }
        cell += length + 1;
        due += due_length + 1;
    }
    return PS_SWEEP_ROW_DONE;
}
