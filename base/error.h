/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The one error domain of pipesim. A message is a whole sentence for a person: where a file is to
 * blame it starts with "FILE:LINE: ", then says what is wrong and what would be right. It carries
 * no program name and no final full stop.
 *
 * Since: 0.1
 */
#ifndef PIPESIM_BASE_ERROR_H
#define PIPESIM_BASE_ERROR_H

#include <glib.h>

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* The domain of all errors of the library. */
#define PS_ERROR ps_error_quark()

/* The domain of all errors of the library. */
GQuark ps_error_quark(void);

/* What went wrong, in kind; the message says the rest. */
typedef enum {
    PS_ERROR_READ,      /* a file cannot be read or written */
    PS_ERROR_SYNTAX,    /* malformed XML, a violated schema, an expression that does not parse */
    PS_ERROR_VALUE,     /* well-formed, but meaningless: an unknown name, a negative latency, ... */
    PS_ERROR_LIMIT,     /* a stated limit was reached: time, length, instances that wait */
    PS_ERROR_USAGE,     /* the caller asked for something that does not exist */
    PS_ERROR_DEVICE,    /* a device, its driver or its compiler failed */
    PS_ERROR_RESOURCES, /* a launch needs more than the device has */
    PS_ERROR_TIME,      /* the time that was given was over before there was an answer */
    PS_ERROR_CANCELLED, /* whoever asked for it wants no more of it (PsProgressFunc) */
} PsErrorCode;

/* A place in a file, for messages. `file` is borrowed; line 0 means the file as a whole. */
typedef struct {
    const char *file;
    int line;
} PsPlace;

/* Sets *error to a PS_ERROR of that code with the message "FILE:LINE: " + format. */
void ps_error_at(GError **error, PsErrorCode code, PsPlace place, const char *format, ...)
    G_GNUC_PRINTF(4, 5);

/* Whether a character is there without being seen: it turns the direction of writing, joins, or has
 * no width. With such a text can look like another. */
gboolean ps_char_is_hidden(gunichar c);

/* A copy of text in which every control character (C0 with tab and newline, DEL, and C1 as UTF-8
 * writes it) and every hidden one is a blank: safe for a terminal, what it looks like, and one
 * line, whatever a file or a name holds. Bytes that are no UTF-8 stay as they are; NULL gives NULL.
 * Free with g_free. ps_error_at does this to its messages. */
char *ps_text_clean(const char *text);

#pragma GCC visibility pop
G_END_DECLS
#endif
