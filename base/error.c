/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The error domain and the one way to blame a place in a file. Whatever a hostile file gets quoted
 * into a message, the message stays one line of bounded length.
 */
#include "base/error.h"

#define MESSAGE_MAX 1000 /* bytes; longer ones are cut */

G_DEFINE_QUARK(ps - error - quark, ps_error)

/* Control characters become blanks, and what is too long ends in "...". Bytes that are no UTF-8
 * (a file name may have such) stay as they are. */
static void make_one_line(GString *text)
{
    for (gsize i = 0; i < text->len; i++) {
        guchar c = (guchar)text->str[i];
        gboolean c1 = c == 0xC2 && (guchar)text->str[i + 1] >= 0x80 &&
                      (guchar)text->str[i + 1] < 0xA0; /* U+0080 to U+009F in UTF-8 */
        if (c1)
            text->str[i + 1] = ' ';
        if (c1 || c < 0x20 || c == 0x7F)
            text->str[i] = ' ';
    }
    if (text->len > MESSAGE_MAX) {
        gsize end = MESSAGE_MAX;
        while (end > 0 && ((guchar)text->str[end] & 0xC0) == 0x80)
            end--; /* not in the middle of a character */
        g_string_truncate(text, end);
        g_string_append(text, "...");
    }
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
    make_one_line(text);
    g_set_error_literal(error, PS_ERROR, code, text->str);
}
