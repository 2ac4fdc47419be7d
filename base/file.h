/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reading a whole file whose length is not known in advance: a pipe, a device, standard input.
 */
#ifndef PIPESIM_BASE_FILE_H
#define PIPESIM_BASE_FILE_H

#include "base/message.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* The longest graph or GPU description that is read, in bytes. */
#define PS_FILE_MAX_BYTES (32 * 1024 * 1024)

/* The bytes of the file at path ("-" is standard input, which can be read only once), *length of
 * them (length may be NULL), and a zero after the last. Free with g_free. NULL and *error when it
 * cannot be read (PS_ERROR_READ), or is longer than max_bytes (PS_ERROR_LIMIT); no more than that
 * is read. */
char *ps_file_read(const char *path, gsize max_bytes, gsize *length, GError **error);

#pragma GCC visibility pop
G_END_DECLS
#endif
