/* SPDX-License-Identifier: BSD-3-Clause */
/* See html.h. */
#include "tell/html.h"

#include "base/message.h"

#include <string.h>

/* TRUE for characters that XML forbids. */
static gboolean is_forbidden(gunichar c)
{
    return (c >= 0x7F && c <= 0x9F) || (c & 0xFFFE) == 0xFFFE || (c >= 0xFDD0 && c <= 0xFDEF);
}

static void put_character(GString *out, gunichar c)
{
    static const struct {
        char c;
        const char *entity;
    } escapes[] = {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}};
    for (guint i = 0; i < G_N_ELEMENTS(escapes); i++)
        if (c == (gunichar)escapes[i].c) {
            g_string_append(out, escapes[i].entity);
            return;
        }
    if (c == '\t')
        g_string_append_c(out, '\t');
    else if (c < 0x20)
        g_string_append_unichar(out, 0x2400 + c); /* the symbol for that control character */
    else if (c == 0x7F)
        g_string_append_unichar(out, 0x2421);
    else if (ps_char_is_hidden(c))
        g_string_append_printf(out, "[U+%04X]", c);
    else
        g_string_append_unichar(out, is_forbidden(c) ? 0xFFFD : c);
}

void ps_html_text(GString *out, const char *text)
{
    g_autofree char *valid = g_utf8_make_valid(text ? text : "", -1);
    for (const char *at = valid; *at; at = g_utf8_next_char(at))
        put_character(out, g_utf8_get_char(at));
}

void ps_html_element(GString *out, const char *tag, const char *text)
{
    g_string_append_printf(out, "<%s>", tag);
    ps_html_text(out, text);
    g_string_append_printf(out, "</%.*s>", (int)strcspn(tag, " "), tag);
}
