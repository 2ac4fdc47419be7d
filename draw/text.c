/* SPDX-License-Identifier: BSD-3-Clause */
/* See text.h. */
#include "draw/text.h"

/* In single quotes gnuplot takes every character as it is, except the quote itself. */
char *ps_draw_quote(const char *text)
{
    g_auto(GStrv) parts = g_strsplit(text, "'", 0);
    g_autofree char *doubled = g_strjoinv("''", parts);
    for (char *c = doubled; *c; c++)
        if (g_ascii_iscntrl(*c))
            *c = ' ';
    return g_strconcat("'", doubled, "'", NULL);
}

static guint columns_of(gunichar c)
{
    if (g_unichar_iszerowidth(c))
        return 0;
    return g_unichar_iswide(c) ? 2 : 1;
}

guint ps_draw_columns(const char *text)
{
    guint columns = 0;
    for (const char *c = text; *c; c = g_utf8_next_char(c))
        columns += columns_of(g_utf8_get_char(c));
    return columns;
}

/* Makes a blank of each character without a glyph: control characters, and marks that turn the
 * direction of writing. */
static char *printable(const char *text)
{
    g_autofree char *valid = g_utf8_make_valid(text, -1);
    GString *clean = g_string_new(NULL);
    for (const char *c = valid; *c; c = g_utf8_next_char(c)) {
        const gunichar letter = g_utf8_get_char(c);
        g_string_append_unichar(clean, g_unichar_isprint(letter) ? letter : ' ');
    }
    return g_strstrip(g_string_free(clean, FALSE));
}

/* The end of the longest beginning of the text with at most `columns` columns. */
static const char *head_end(const char *text, guint columns)
{
    guint width = 0;
    while (*text && (width += columns_of(g_utf8_get_char(text))) <= columns)
        text = g_utf8_next_char(text);
    return text;
}

static const char *tail_start(const char *text, guint columns)
{
    guint width = ps_draw_columns(text);
    for (; width > columns; text = g_utf8_next_char(text))
        width -= columns_of(g_utf8_get_char(text));
    return text;
}

char *ps_draw_shorten(const char *text, guint columns)
{
    char *clean = printable(text);
    if (ps_draw_columns(clean) <= columns)
        return clean;
    const guint head = columns / 2;
    char *shorter = g_strdup_printf("%.*s…%s", (int)(head_end(clean, head) - clean), clean,
                                    tail_start(clean, columns - 1 - head));
    g_free(clean);
    return shorter;
}

PsDrawNumber ps_draw_number(double value, int digits)
{
    PsDrawNumber number;
    char format[16];
    g_snprintf(format, sizeof format, "%%.%dg", digits);
    g_ascii_formatd(number.text, sizeof number.text, format, value);
    return number;
}

const PsPrefix *ps_draw_prefix(double value)
{
    static const PsPrefix prefixes[] = {{1e12, "T"}, {1e9, "G"},  {1e6, "M"},  {1e3, "k"},
                                        {1, ""},     {1e-3, "m"}, {1e-6, "u"}, {1e-9, "n"}};
    guint i = 0;
    while (i + 1 < G_N_ELEMENTS(prefixes) && !(value >= prefixes[i].factor))
        i++;
    return &prefixes[i];
}

/* A value that three digits round up to 1 of the next prefix gets that prefix. Values beyond all
 * prefixes, or below 1, have none. */
char *ps_draw_amount(double value, const char *unit)
{
    const PsPrefix *prefix = ps_draw_prefix(value < 1e15 ? MAX(value / 0.9995, 1) : 1);
    return g_strdup_printf("%s %s%s", ps_draw_number(value / prefix->factor, 3).text, prefix->text,
                           unit);
}
