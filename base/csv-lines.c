/* SPDX-License-Identifier: BSD-3-Clause */
/* See csv-lines.h. */
#include "base/csv-lines.h"

#include "base/cell.h"
#include "base/message.h"

#include <errno.h>
#include <string.h>

/* Bytes; names and values are short, so no row of a sweep comes near. */
#define MAX_ROW (1 << 20)

/* Bytes of zero that a power cut may leave at a file's end. */
#define MAX_LOST (1 << 28)

void ps_csv_add(GString *out, const char *text)
{
    if (out->len && out->str[out->len - 1] != '\n')
        g_string_append_c(out, ',');
    ps_cell_put(out, text, FALSE);
}

gsize ps_csv_field_length(const char *row)
{
    gboolean quoted = FALSE;
    gsize length = 0;
    for (; row[length] && (quoted || !strchr(",\n", row[length])); length++)
        quoted ^= row[length] == '"';
    return length;
}

guint ps_csv_count(const char *row)
{
    guint fields = 1;
    for (row += ps_csv_field_length(row); *row == ','; row += ps_csv_field_length(row)) {
        fields++;
        row++;
    }
    return fields;
}

void ps_csv_lines_begin(PsCsvLines *reader, FILE *stream, const char *name)
{
    *reader = (PsCsvLines){.stream = stream, .name = name, .row = g_string_new(NULL), .next = 1};
}

void ps_csv_lines_clear(PsCsvLines *reader)
{
    if (reader->row)
        g_string_free(reader->row, TRUE);
    reader->row = NULL;
}

static PsCsvLinesState bad(const PsCsvLines *reader, const char *why, GError **error)
{
    ps_error_at(error, PS_ERROR_SYNTAX, (PsPlace){reader->name, (int)reader->line},
                "this is no comma-separated row: %s", why);
    return PS_CSV_LINES_ERROR;
}

/* At the end of the file, within a row or between two. */
static PsCsvLinesState at_end(const PsCsvLines *reader, gboolean lost, GError **error)
{
    if (ferror(reader->stream)) {
        g_set_error(error, PS_ERROR, PS_ERROR_READ, "%s: cannot be read: %s", reader->name,
                    g_strerror(errno));
        return PS_CSV_LINES_ERROR;
    }
    return reader->row->len || lost ? PS_CSV_LINES_CUT : PS_CSV_LINES_END;
}

/* The reader is behind a byte of zero: all others up to the end of the file must be zeros, too. */
static PsCsvLinesState skip_lost(const PsCsvLines *reader, GError **error)
{
    int c = 0;
    for (guint n = 0; c == 0 && n < MAX_LOST; n++)
        c = getc(reader->stream);
    return c == EOF ? at_end(reader, TRUE, error) : bad(reader, "it has a byte of zero", error);
}

PsCsvLinesState ps_csv_lines_next(PsCsvLines *reader, GError **error)
{
    GString *row = reader->row;
    gboolean quoted = FALSE;
    int c;
    g_string_truncate(row, 0);
    reader->line = reader->next;
    while ((c = getc(reader->stream)) != EOF) {
        if (c == 0)
            return skip_lost(reader, error);
        g_string_append_c(row, (char)c);
        if (c == '"')
            quoted = !quoted;
        if (c != '\n') {
            if (row->len > MAX_ROW)
                return bad(reader, "it is far too long", error);
            continue;
        }
        reader->next++;
        if (quoted)
            continue;
        reader->end += (goffset)row->len;
        return PS_CSV_LINES_ROW;
    }
    return at_end(reader, FALSE, error);
}
