/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files that may be read: those below the current folder. A caller may follow a text from anywhere,
 * and must not reach what a person did not hand over.
 */
#ifndef PIPESIM_SERVE_BELOW_H
#define PIPESIM_SERVE_BELOW_H

#include "base/error.h"

G_BEGIN_DECLS

typedef enum { PS_BELOW_FILE, PS_BELOW_FOLDER } PsBelowKind;

/* The path of a file (folder) below the current one, seen from there, which begins with no dash
 * (g_free). It may be given as an absolute path, too. NULL and *error (PS_ERROR_READ) where it
 * leads elsewhere: over "..", or through a symbolic link; and where there is no such file, or it is
 * a device or a pipe. what begins the message. */
char *ps_below(const char *what, const char *path, PsBelowKind kind, GError **error);

/* TRUE if there is something of that name in the current folder. */
gboolean ps_below_has(const char *name);

G_END_DECLS
#endif
