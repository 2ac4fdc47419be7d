/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The error domain and the one way to blame a place in a file. Whatever a hostile file gets quoted
 * into a message, the message stays one line of bounded length.
 */
#include "base/error.h"
#include <string.h>

#define MESSAGE_MAX 1000 /* bytes; longer ones are cut */

G_DEFINE_QUARK(ps - error - quark, ps_error)

char *ps_text_clean(const char *text)
{
    if (!text)
        return NULL;
    char *clean = g_malloc(strlen(text) + 1);
    char *end = clean;
    for (const char *at = text; *at; at++) {
        gboolean c1 = (guchar)at[0] == 0xC2 && (guchar)at[1] >= 0x80 &&
                      (guchar)at[1] < 0xA0; /* U+0080 to U+009F in UTF-8 */
        at += c1;
        *end++ = (char)(c1 || g_ascii_iscntrl(*at) ? ' ' : *at);
    }
    *end = '\0';
    return clean;
}

/* Cuts what is too long, not in the middle of a character, and ends it in "...". */
static void shorten(GString *text)
{
    if (text->len <= MESSAGE_MAX)
        return;
    gsize end = MESSAGE_MAX;
    while (end > 0 && ((guchar)text->str[end] & 0xC0) == 0x80)
        end--;
    g_string_truncate(text, end);
    g_string_append(text, "...");
}

void ps_error_at(GError **error, PsErrorCode code, PsPlace place, const char *format, ...)
{
    g_autoptr(GString) text = g_string_new(NULL);
    if (place.file && place.line > 0)
        g_string_append_printf(text, "%s:%d: ", place.file, place.line);
    else if (place.file)
        g_string_append_printf(text, "%s: ", place.file);
    va_list arguments;
    va_start(arguments, format);
    g_string_append_vprintf(text, format, arguments);
    va_end(arguments);
    shorten(text);
    g_autofree char *message = ps_text_clean(text->str);
    g_set_error_literal(error, PS_ERROR, code, message);
}
