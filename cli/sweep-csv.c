/* SPDX-License-Identifier: BSD-3-Clause */
/* See sweep-csv.h. */
#include "cli/sweep-csv.h"

#include <string.h>

/* ---- which sweep it is --------------------------------------------------------------------- */

/* With its length, so that no two lists of texts look the same. */
static void add_text(GChecksum *sum, const char *text)
{
    g_autofree char *length = g_strdup_printf("%" G_GSIZE_FORMAT ":", strlen(text));
    g_checksum_update(sum, (const guchar *)length, -1);
    g_checksum_update(sum, (const guchar *)text, -1);
}

/* Files count as what was read from them, so that names, folders and comments do not matter. The
 * version does: another one may compute otherwise. 64 bits tell sweeps apart that a person mixes
 * up; the letter in front keeps programs from reading a number. */
char *sweep_id(const Options *options, const GPtrArray *graphs, const GPtrArray *gpus)
{
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
    add_text(sum, PIPESIM_VERSION);
    add_text(sum, options->signature);
    for (guint i = 0; i < graphs->len; i++) {
        g_autofree char *text = ps_idg_write(graphs->pdata[i]);
        add_text(sum, text);
    }
    for (guint i = 0; i < gpus->len; i++) {
        g_autofree char *text = ps_gpu_write(gpus->pdata[i]);
        add_text(sum, text);
    }
    return g_strdup_printf("s%.16s", g_checksum_get_string(sum));
}

/* ---- header and rows ----------------------------------------------------------------------- */

SweepCsv *sweep_csv_new(const Options *options, char *id, guint total)
{
    SweepCsv *csv = g_new0(SweepCsv, 1);
    *csv = (SweepCsv){.options = options, .id = id, .total = total};
    GString *header = g_string_new(NULL);
    const Report blank = {.what_if_text = options->what_if_text,
                          .vary = options->vary,
                          .measured = options->measured};
    report_csv_header(&blank, header);
    g_string_truncate(header, header->len - 1);
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
    g_free(csv->id);
    g_free(csv->header);
    g_free(csv);
}

/* The columns that no simulation has to fill, at the beginning of a row and at its end. */
static void put_key(const SweepCsv *csv, const Point *point, GString *out)
{
    report_csv_key(point->idg, point->gpu, point->values, point->known, out);
    for (guint i = point->known; i < csv->options->vary->len; i++)
        csv_put(out, "");
}

static void put_end(const SweepCsv *csv, const Point *point, GString *out)
{
    const Options *options = csv->options;
    csv_put(out, csv->id);
    if (options->shards)
        g_string_append_printf(out, ",%u/%u,%u,%u", options->shard, options->shards, point->number,
                               csv->total);
    g_string_append_c(out, '\n');
}

void sweep_csv_row(const SweepCsv *csv, const Point *point, const Report *report, GString *out)
{
    report_csv_row(report, out);
    g_string_truncate(out, out->len - 1);
    put_end(csv, point, out);
}

void sweep_csv_failed(const SweepCsv *csv, const Point *point, GString *out)
{
    const guint at_end = csv->options->shards ? 4 : 1;
    put_key(csv, point, out);
    for (guint i = 2 + csv->options->vary->len; i < csv->columns - at_end; i++)
        csv_put(out, "");
    put_end(csv, point, out);
}

/* ---- rows that are there ------------------------------------------------------------------- */

gboolean sweep_csv_is_row(const SweepCsv *csv, const Point *point, const char *row, gboolean cut,
                          gboolean *failed)
{
    g_autoptr(GString) key = g_string_new(NULL);
    g_autoptr(GString) end = g_string_new(NULL);
    put_key(csv, point, key);
    g_string_append_c(key, ',');
    if (cut)
        return strncmp(row, key->str, MIN(strlen(row), key->len)) == 0;
    put_end(csv, point, end);
    g_string_prepend_c(end, ',');
    g_autoptr(GString) empty = g_string_new(NULL);
    sweep_csv_failed(csv, point, empty);
    *failed = strcmp(row, empty->str) == 0;
    return *failed || (g_str_has_prefix(row, key->str) && g_str_has_suffix(row, end->str) &&
                       strlen(row) > key->len + end->len && csv_fields(row) == csv->columns);
}
