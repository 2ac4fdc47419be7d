/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages of errors: their place in a file, in letters that are safe to show. */
#ifndef PIPESIM_BASE_MESSAGE_H
#define PIPESIM_BASE_MESSAGE_H

#include "base/error.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* A place in a file, for messages. `file` is borrowed; line 0 means the file as a whole. */
typedef struct {
    const char *file;
    int line;
} PsPlace;

/* Sets *error to a PS_ERROR of that code with the message "FILE:LINE: " + format. */
void ps_error_at(GError **error, PsErrorCode code, PsPlace place, const char *format, ...)
    G_GNUC_PRINTF(4, 5);

/* TRUE for a character that is there without being seen: it turns the direction of writing, joins,
 * or has no width. With such characters a text can look like another. */
gboolean ps_char_is_hidden(gunichar c);

/* A copy of text in which every control character (C0 with tab and newline, DEL, and C1 as UTF-8
 * writes it) and every hidden one is a blank: safe for a terminal, what it looks like, and one
 * line, whatever a file or a name holds. Bytes that are no UTF-8 stay as they are; NULL gives NULL.
 * Free with g_free. ps_error_at does this to its messages. */
char *ps_text_clean(const char *text);

#pragma GCC visibility pop
G_END_DECLS
#endif
