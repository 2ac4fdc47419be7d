/* SPDX-License-Identifier: BSD-3-Clause */
/* See part.h. */
#include "sweep/part.h"

#include "sweep/csv.h"

#include <errno.h>
#include <string.h>

static gboolean part_error(const PsSweepPart *part, GError **error, const char *format, ...)
    G_GNUC_PRINTF(3, 4);

static gboolean part_error(const PsSweepPart *part, GError **error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *why = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    ps_error_at(error, PS_ERROR_VALUE, (PsPlace){part->path, (int)part->reader.line}, "%s", why);
    return FALSE;
}

/* ---- the columns of parts ------------------------------------------------------------------ */

static gboolean take_number(const char *text, guint *number)
{
    guint64 value;
    if (!g_ascii_string_to_unsigned(text, 10, 1, PS_SWEEP_MAX_POINTS, &value, NULL))
        return FALSE;
    *number = (guint)value;
    return TRUE;
}

/* Cuts the last field off a row and returns it; NULL: there is none. */
static char *cut_field(char *row)
{
    char *comma = strrchr(row, ',');
    if (!comma)
        return NULL;
    *comma = '\0';
    return comma + 1;
}

/* Reads the columns that only parts have, and cuts them off. */
static gboolean take_columns(char *text, PsSweepPartRow *row)
{
    const char *points = cut_field(text);
    const char *point = points ? cut_field(text) : NULL;
    char *shard = point ? cut_field(text) : NULL;
    char *shards = shard ? strchr(shard, '/') : NULL;
    if (!shards)
        return FALSE;
    *shards++ = '\0';
    return take_number(points, &row->points) && take_number(point, &row->point) &&
           take_number(shard, &row->shard) && take_number(shards, &row->shards) &&
           row->shard <= row->shards && row->point <= row->points &&
           (row->point - 1) % row->shards == row->shard - 1;
}

/* ---- reading ------------------------------------------------------------------------------- */

static gboolean take_header(PsSweepPart *part, GError **error)
{
    switch (ps_csv_lines_next(&part->reader, error)) {
    case PS_CSV_LINES_ERROR:
        return FALSE;
    case PS_CSV_LINES_END:
        return part_error(part, error, "the file is empty, and no part of a sweep");
    case PS_CSV_LINES_CUT:
    case PS_CSV_LINES_ROW:
        break;
    }
    part->header = g_strdup(part->reader.row->str);
    if (g_str_has_suffix(part->header, PS_SWEEP_CSV_ID PS_SWEEP_CSV_PART "\n")) {
        part->header[strlen(part->header) - strlen(PS_SWEEP_CSV_PART "\n")] = '\0';
        return TRUE;
    }
    if (g_str_has_suffix(part->header, PS_SWEEP_CSV_ID "\n"))
        return part_error(part, error, "this is the CSV of a whole sweep, and no part of one");
    return part_error(part, error,
                      "this is no part of a sweep, as %sshard makes them: its header does not end "
                      "with 'sweep,shard,point,points'",
                      part->prefix);
}

/* TRUE if the last field but one is the sum of those before it. */
static gboolean has_sum(const char *text)
{
    const char *end = strrchr(text, ',');
    const char *begin = end ? g_strrstr_len(text, end - text, ",") : NULL;
    if (!begin)
        return FALSE;
    g_autofree char *sum = ps_sweep_csv_sum(text, (gsize)(begin - text));
    return (gsize)(end - begin - 1) == strlen(sum) && strncmp(begin + 1, sum, strlen(sum)) == 0;
}

/* Takes the row whose fields were read. */
static gboolean take_row(PsSweepPart *part, GError **error)
{
    g_autofree char *text = g_strndup(part->reader.row->str, part->reader.row->len - 1);
    const guint shard = part->row.shard, shards = part->row.shards, points = part->row.points;
    if (ps_csv_count(text) != ps_csv_count(part->header) + 3 || !take_columns(text, &part->row))
        return part_error(part, error, "this is no row of a part, as %sshard makes them",
                          part->prefix);
    const char *comma = strrchr(text, ',');
    const gboolean is_first = !part->id;
    if (is_first)
        part->id = g_strdup(comma + 1);
    g_string_assign(part->text, text);
    if (!has_sum(text))
        return part_error(part, error, "this row was changed: its check does not fit it");
    return is_first ||
           (strcmp(part->id, comma + 1) == 0 && shard == part->row.shard &&
            shards == part->row.shards && points == part->row.points) ||
           part_error(part, error, "this row and those before it are of different sweeps");
}

gboolean ps_sweep_part_next(PsSweepPart *part, GError **error)
{
    switch (ps_csv_lines_next(&part->reader, error)) {
    case PS_CSV_LINES_ROW:
        return take_row(part, error);
    case PS_CSV_LINES_CUT:
        return part_error(part, error,
                          "the part is cut off in this row: run its sweep again with %sresume",
                          part->prefix);
    case PS_CSV_LINES_END:
        part->is_over = TRUE;
        return TRUE;
    case PS_CSV_LINES_ERROR:
        break;
    }
    return FALSE;
}

PsSweepPart *ps_sweep_part_open(const char *path, const char *prefix, GError **error)
{
    g_autoptr(PsSweepPart) part = g_new0(PsSweepPart, 1);
    const gboolean standard = strcmp(path, "-") == 0;
    part->path = standard ? "standard input" : path;
    part->stream = standard ? stdin : fopen(path, "rb");
    part->text = g_string_new(NULL);
    part->prefix = prefix;
    if (!part->stream) {
        g_set_error(error, PS_ERROR, PS_ERROR_READ, "%s: cannot be read: %s", path,
                    g_strerror(errno));
        return NULL;
    }
    ps_csv_lines_begin(&part->reader, part->stream, part->path);
    return take_header(part, error) && ps_sweep_part_next(part, error) ? g_steal_pointer(&part)
                                                                       : NULL;
}

void ps_sweep_part_free(PsSweepPart *part)
{
    if (!part)
        return;
    if (part->stream && part->stream != stdin)
        fclose(part->stream);
    ps_csv_lines_clear(&part->reader);
    g_string_free(part->text, TRUE);
    g_free(part->header);
    g_free(part->id);
    g_free(part);
}
