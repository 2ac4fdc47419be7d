/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A look at how a file begins, to tell what reads it. Standard input loses nothing by this, though
 * it may be a pipe.
 */
#ifndef PIPESIM_CLI_SYSTEM_PEEK_H
#define PIPESIM_CLI_SYSTEM_PEEK_H

#include <glib.h>

/* TRUE if the file ("-" is standard input) begins as XML does, perhaps behind a byte order mark and
 * blanks. FALSE also where it cannot be looked at: its reader will say why. */
gboolean peek_is_xml(const char *path);

/* TRUE if a file of that name begins as machine code does (sass/file.h). */
gboolean peek_is_machine_code(const char *path);

/* Says of a file that was read that it is machine code (ELF), where it is: FALSE and *error. */
gboolean peek_no_machine_code(const char *name, const char *text, gsize length, GError **error);

#endif
