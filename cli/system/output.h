/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The destination of results. A file appears whole or not at all: it is written beside its place
 * without a name (nameless.h) or under another one (draft.h), and takes its place when all is on
 * the disk. Standard output, devices and pipes are written directly, and so is a file that grows
 * row by row. Each failed write is an error; a pipe without a reader ends the program, as usual.
 */
#ifndef PIPESIM_CLI_SYSTEM_OUTPUT_H
#define PIPESIM_CLI_SYSTEM_OUTPUT_H

#include <glib.h>
#include <stdio.h>

typedef struct Output Output;

/* path NULL or "-" is standard output. NULL and *error where it cannot be written. */
Output *output_open(const char *path, GError **error);

/* A file that grows in place, and keeps what was written in any case. Takes ownership of the
 * stream, which stands where writing continues. */
Output *output_append(const char *path, FILE *stream);

/* Writes. Text for standard output or for a growing file is there at once, so that a reader has it
 * even if the program is interrupted. FALSE and *error as soon as a write fails. */
gboolean output_put(Output *output, const char *text, GError **error);
gboolean output_put_bytes(Output *output, const void *bytes, gsize size, GError **error);

/* Puts everything in its place. FALSE and *error if that fails. Ends the output either way. */
gboolean output_commit(Output *output, GError **error);

/* Drops what was written (to a file). NULL is allowed, and after output_commit is not. */
void output_drop(Output *output);

/* Opens, writes the text or the bytes, commits. */
gboolean output_write(const char *path, const char *text, GError **error);
gboolean output_write_bytes(const char *path, const void *bytes, gsize size, GError **error);

#endif
