/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The one error domain of pipesim. A message is a whole sentence for a person: where a file is to
 * blame it starts with "FILE:LINE: ", then says what is wrong and what would be right. It carries
 * no program name and no final full stop.
 *
 * Since: 0.1.0
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
    PS_ERROR_TIME,      /* the given time was over before there was an answer */
    PS_ERROR_CANCELLED, /* the caller wants no more of it (PsProgressFunc) */
} PsErrorCode;

#pragma GCC visibility pop
G_END_DECLS
#endif
