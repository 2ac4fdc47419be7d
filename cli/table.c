/* SPDX-License-Identifier: BSD-3-Clause */
/* See table.h. */
#include "cli/table.h"

#include <string.h>

#define GAP 2

struct Table {
    char *align;
    guint columns;
    GPtrArray *cells;
};

Table *table_new(const char *align)
{
    Table *table = g_new(Table, 1);
    table->align = g_strdup(align);
    table->columns = (guint)strlen(align);
    table->cells = g_ptr_array_new_with_free_func(g_free);
    return table;
}

void table_free(Table *table)
{
    g_free(table->align);
    g_ptr_array_unref(table->cells);
    g_free(table);
}

void table_add(Table *table, char *text)
{
    g_ptr_array_add(table->cells, text);
}

/* Columns that a text takes; what is not UTF-8 is counted by bytes. */
static guint width_of(const char *text)
{
    return (guint)(g_utf8_validate(text, -1, NULL) ? (gsize)g_utf8_strlen(text, -1) : strlen(text));
}

static void pad(GString *out, guint n)
{
    for (guint i = 0; i < n; i++)
        g_string_append_c(out, ' ');
}

static guint *column_widths(const Table *table)
{
    guint *width = g_new0(guint, table->columns);
    for (guint i = 0; i < table->cells->len; i++) {
        const guint column = i % table->columns;
        width[column] = MAX(width[column], width_of(table->cells->pdata[i]));
    }
    return width;
}

/* The names get what the other columns leave. */
static void fit_names(guint *width, guint columns, guint indent)
{
    guint others = indent;
    for (guint i = 1; i < columns; i++)
        others += GAP + width[i];
    const guint room = others + 8 < TEXT_WIDTH ? TEXT_WIDTH - others : 8;
    width[0] = MIN(width[0], room);
}

static void print_row(const Table *table, guint row, const guint *width, guint indent, GString *out)
{
    pad(out, indent);
    for (guint i = 0; i < table->columns; i++) {
        const char *cell = table->cells->pdata[row * table->columns + i];
        const guint own = width_of(cell);
        const guint space = own < width[i] ? width[i] - own : 0;
        if (i)
            pad(out, GAP);
        if (table->align[i] == 'r')
            pad(out, space);
        g_string_append(out, cell);
        if (own > width[i] && table->columns > 1) {
            g_string_append_c(out, '\n');
            pad(out, indent + width[i]);
        } else if (table->align[i] == 'l') {
            pad(out, space);
        }
    }
    while (out->len && out->str[out->len - 1] == ' ')
        g_string_truncate(out, out->len - 1);
    g_string_append_c(out, '\n');
}

void table_print(const Table *table, guint indent, GString *out)
{
    g_autofree guint *width = column_widths(table);
    fit_names(width, table->columns, indent);
    for (guint row = 0; row < table->cells->len / table->columns; row++)
        print_row(table, row, width, indent, out);
}

/* Where the word at text ends. A number with its digits in groups or its % is one word. */
static const char *word_end(const char *text)
{
    const char *c = text;
    while (*c && *c != '\n' && *c != '\t' &&
           !(*c == ' ' &&
             !(c > text && g_ascii_isdigit(c[-1]) && (g_ascii_isdigit(c[1]) || c[1] == '%'))))
        c++;
    return c;
}

void wrap_text(GString *out, const char *first, const char *text)
{
    const guint indent = width_of(first);
    guint column = indent;
    g_string_append(out, first);
    for (const char *end; *(text += strspn(text, " \n\t")); text = end) {
        end = word_end(text);
        g_autofree char *word = g_strndup(text, (gsize)(end - text));
        const guint own = width_of(word);
        if (column > indent && column + 1 + own > TEXT_WIDTH) {
            g_string_append_c(out, '\n');
            pad(out, indent);
            column = indent;
        } else if (column > indent) {
            g_string_append_c(out, ' ');
            column++;
        }
        g_string_append(out, word);
        column += own;
    }
    while (out->len && out->str[out->len - 1] == ' ')
        g_string_truncate(out, out->len - 1);
    g_string_append_c(out, '\n');
}
