/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The one error domain of pipesim. A message is a whole sentence for a person: where a file is to
 * blame it starts with "FILE:LINE: ", then says what is wrong and what would be right. It carries
 * no program name and no final full stop.
 */
#ifndef PIPESIM_BASE_ERROR_H
#define PIPESIM_BASE_ERROR_H

#include <glib.h>

G_BEGIN_DECLS
#pragma GCC visibility push(default)

#define PS_ERROR ps_error_quark()
GQuark ps_error_quark(void);

typedef enum {
    PS_ERROR_READ,   /* a file cannot be read or written */
    PS_ERROR_SYNTAX, /* malformed XML, a violated schema, an expression that does not parse */
    PS_ERROR_VALUE,  /* well-formed, but meaningless: an unknown name, a negative latency, ... */
    PS_ERROR_LIMIT,  /* a stated limit was reached: time, length, instances that wait */
    PS_ERROR_USAGE,  /* the caller asked for something that does not exist */
} PsErrorCode;

/* A place in a file, for messages. `file` is borrowed; line 0 means the file as a whole. */
typedef struct {
    const char *file;
    int line;
} PsPlace;

/* Sets *error to a PS_ERROR of that code with the message "FILE:LINE: " + format. */
void ps_error_at(GError **error, PsErrorCode code, PsPlace place, const char *format, ...)
    G_GNUC_PRINTF(4, 5);

#pragma GCC visibility pop
G_END_DECLS
#endif
