/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A file of launches: a line for each, as a shell would read it, the kernel's name first and then
 * the options of its launch. Empty lines are ignored, and so is the rest of a line from a word that
 * begins with #.
 */
#ifndef PIPESIM_LAUNCH_LISTED_H
#define PIPESIM_LAUNCH_LISTED_H

#include "base/message.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* A line of such a file. */
typedef struct {
    guint line;   /* from 1 */
    char *kernel; /* name of the kernel */
    char **words; /* its options, NULL at the end */
} PsListedLaunch;

/* Byte order marks, UTF-16, lines that end in a carriage return and blanks outside of ASCII are
 * accepted.
 *
 * The launches of a file's text of so many bytes, with a zero behind them, in their order
 * (PsListedLaunch; g_ptr_array_unref). The path is for messages, and what options begin with, "--".
 * NULL and *error (PS_ERROR_VALUE) for a line that no shell could read or that names no kernel, and
 * where there is no launch. */
GPtrArray *ps_listed_launches(const char *text, gsize length, const char *path, const char *prefix,
                              GError **error);

#pragma GCC visibility pop
G_END_DECLS
#endif
