/* SPDX-License-Identifier: BSD-3-Clause */
/* See csv.h. */
#include "cli/report/csv.h"

#include "pipesim-private.h"

#include <errno.h>
#include <string.h>

/* No row of a sweep comes near: names and values are short. */
#define MAX_ROW (1 << 20)

/* No power cut leaves more bytes of zero. */
#define MAX_LOST (1 << 28)

void csv_put(GString *out, const char *text)
{
    if (out->len && out->str[out->len - 1] != '\n')
        g_string_append_c(out, ',');
    ps_cell_put(out, text, FALSE);
}

gsize csv_field_length(const char *row)
{
    gboolean quoted = FALSE;
    gsize length = 0;
    for (; row[length] && (quoted || !strchr(",\n", row[length])); length++)
        quoted ^= row[length] == '"';
    return length;
}

guint csv_fields(const char *row)
{
    guint fields = 1;
    for (row += csv_field_length(row); *row == ','; row += csv_field_length(row)) {
        fields++;
        row++;
    }
    return fields;
}

void csv_begin(CsvReader *reader, FILE *stream, const char *name)
{
    *reader = (CsvReader){.stream = stream, .name = name, .row = g_string_new(NULL), .next = 1};
}

void csv_clear(CsvReader *reader)
{
    if (reader->row)
        g_string_free(reader->row, TRUE);
    reader->row = NULL;
}

static CsvState bad(const CsvReader *reader, const char *why, GError **error)
{
    ps_error_at(error, PS_ERROR_SYNTAX, (PsPlace){reader->name, (int)reader->line},
                "this is no comma-separated row: %s", why);
    return CSV_ERROR;
}

/* At the end of the file, within a row or between two. */
static CsvState at_end(const CsvReader *reader, gboolean lost, GError **error)
{
    if (ferror(reader->stream)) {
        g_set_error(error, PS_ERROR, PS_ERROR_READ, "%s: cannot be read: %s", reader->name,
                    g_strerror(errno));
        return CSV_ERROR;
    }
    return reader->row->len || lost ? CSV_CUT : CSV_END;
}

/* Behind a byte of zero: all others up to the end of the file must be zeros, too. */
static CsvState skip_lost(const CsvReader *reader, GError **error)
{
    int c = 0;
    for (guint n = 0; c == 0 && n < MAX_LOST; n++)
        c = getc(reader->stream);
    return c == EOF ? at_end(reader, TRUE, error) : bad(reader, "it has a byte of zero", error);
}

CsvState csv_next(CsvReader *reader, GError **error)
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
        return CSV_ROW;
    }
    return at_end(reader, FALSE, error);
}
