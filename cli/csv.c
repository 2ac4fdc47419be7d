/* SPDX-License-Identifier: BSD-3-Clause */
/* See csv.h. */
#include "cli/csv.h"

#include "pipesim.h"

#include <errno.h>
#include <string.h>

/* No row of a sweep comes near: names and values are short. */
#define MAX_ROW (1 << 20)

void csv_put(GString *out, const char *text)
{
    if (out->len && out->str[out->len - 1] != '\n')
        g_string_append_c(out, ',');
    ps_cell_put(out, text, FALSE);
}

guint csv_fields(const char *row)
{
    guint fields = 1;
    gboolean quoted = FALSE;
    for (; *row; row++) {
        if (*row == '"')
            quoted = !quoted;
        fields += *row == ',' && !quoted;
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
static CsvState at_end(CsvReader *reader, GError **error)
{
    GString *row = reader->row;
    if (ferror(reader->stream)) {
        g_set_error(error, PS_ERROR, PS_ERROR_READ, "%s: cannot be read: %s", reader->name,
                    g_strerror(errno));
        return CSV_ERROR;
    }
    if (!row->len)
        return CSV_END;
    const gsize text = strlen(row->str);
    for (gsize i = text; i < row->len; i++)
        if (row->str[i])
            return bad(reader, "it has a byte of zero", error);
    g_string_truncate(row, text);
    return CSV_CUT;
}

CsvState csv_next(CsvReader *reader, GError **error)
{
    GString *row = reader->row;
    gboolean quoted = FALSE;
    int c;
    g_string_truncate(row, 0);
    reader->line = reader->next;
    while ((c = getc(reader->stream)) != EOF) {
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
        return strlen(row->str) == row->len ? CSV_ROW : bad(reader, "it has a byte of zero", error);
    }
    return at_end(reader, error);
}
