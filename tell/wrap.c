/* SPDX-License-Identifier: BSD-3-Clause */
/* See wrap.h. */
#include "tell/wrap.h"

#include <string.h>

guint ps_text_width(const char *text)
{
    return (guint)(g_utf8_validate(text, -1, NULL) ? (gsize)g_utf8_strlen(text, -1) : strlen(text));
}

void ps_text_pad(GString *out, guint n)
{
    for (guint i = 0; i < n; i++)
        g_string_append_c(out, ' ');
}

/* The end of the word at text. A number with grouped digits, or with its %, is one word. */
static const char *word_end(const char *text)
{
    const char *c = text;
    while (*c && *c != '\n' && *c != '\t' &&
           !(*c == ' ' &&
             !(c > text && g_ascii_isdigit(c[-1]) && (g_ascii_isdigit(c[1]) || c[1] == '%'))))
        c++;
    return c;
}

void ps_wrap_text(GString *out, const char *first, const char *text)
{
    const guint indent = ps_text_width(first);
    guint column = indent;
    g_string_append(out, first);
    for (const char *end; *(text += strspn(text, " \n\t")); text = end) {
        end = word_end(text);
        g_autofree char *word = g_strndup(text, (gsize)(end - text));
        const guint own = ps_text_width(word);
        if (column > indent && column + 1 + own > PS_TEXT_WIDTH) {
            g_string_append_c(out, '\n');
            ps_text_pad(out, indent);
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
