/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The error domain, and the one function that blames a place in a file. A hostile file may be
 * quoted in a message: the message stays one line of bounded length.
 */
#include "base/message.h"
#include <string.h>

#define MESSAGE_MAX 1000 /* bytes; longer ones are cut */

/* A fixed quark needs no variable, which threads would share. */
GQuark ps_error_quark(void)
{
    return g_quark_from_static_string("ps-error-quark");
}

gboolean ps_char_is_hidden(gunichar c)
{
    static const struct {
        gunichar first, last;
    } hidden[] = {
        {0x00AD, 0x00AD},   /* a hyphen only where a line breaks */
        {0x061C, 0x061C},   /* direction */
        {0x180E, 0x180E},   /* a vowel separator without width */
        {0x200B, 0x200F},   /* blanks and joiners without width, directions */
        {0x2028, 0x202E},   /* ends of lines and paragraphs, directions */
        {0x2060, 0x206F},   /* joiners, invisible operators, directions, shapes of digits */
        {0xFEFF, 0xFEFF},   /* byte order mark */
        {0xFFF9, 0xFFFB},   /* annotations */
        {0x1D173, 0x1D17A}, /* beams and slurs of music */
        {0xE0000, 0xE007F}, /* tags */
    };
    for (guint i = 0; i < G_N_ELEMENTS(hidden) && c >= hidden[i].first; i++)
        if (c <= hidden[i].last)
            return TRUE;
    return FALSE;
}

/* The number of bytes of the text's first character; 1, and U+FFFD, where they are no UTF-8. */
static gsize take_character(const char *text, gunichar *c)
{
    const gunichar found = g_utf8_get_char_validated(text, -1);
    const gboolean valid = found != (gunichar)-1 && found != (gunichar)-2;
    *c = valid ? found : 0xFFFD;
    return valid ? (gsize)(g_utf8_next_char(text) - text) : 1;
}

char *ps_text_clean(const char *text)
{
    if (!text)
        return NULL;
    char *clean = g_malloc(strlen(text) + 1);
    char *end = clean;
    for (const char *at = text; *at;) {
        gunichar c;
        const gsize size = take_character(at, &c);
        if (g_unichar_iscntrl(c) || ps_char_is_hidden(c)) {
            *end++ = ' ';
        } else {
            memcpy(end, at, size);
            end += size;
        }
        at += size;
    }
    *end = '\0';
    return clean;
}

/* Cuts a text that is too long at the end of a character, and ends it in "...". */
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
