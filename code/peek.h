/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Looks at a file's first bytes, to find out what reads it. Standard input loses nothing by this,
 * even as a pipe.
 */
#ifndef PIPESIM_CODE_PEEK_H
#define PIPESIM_CODE_PEEK_H

#include <glib.h>

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* TRUE if the file ("-" is standard input) begins as XML does, perhaps behind a byte order mark and
 * blanks. FALSE also where it cannot be looked at: its reader will say why. */
gboolean ps_peek_is_xml(const char *path);

/* TRUE if a file of that name begins as machine code does (sass/file.h). */
gboolean ps_peek_is_machine_code(const char *path);

/* The ending of a file with that content, by which its reader is chosen: ".cubin" for machine code,
 * ".sass" for a listing of it (sass/from-text.h), ".ptx", ".cu" or ".cl". NULL and *error
 * (PS_ERROR_VALUE): it is none of these. `name` begins the message. */
const char *ps_peek_ending(const char *name, const char *text, gsize length, GError **error);

/* FALSE and *error for the text of a file, with a zero behind it, that is not XML. The message says
 * what it is, as far as its content tells, and what to give in its place. An empty text is left to
 * its reader. */
gboolean ps_peek_no_other(const char *name, const char *text, gsize length, GError **error);

#pragma GCC visibility pop
G_END_DECLS
#endif
