/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A strict reader of the part of TOML 1.0 that lists of kernels are written in: comments, [TABLE],
 * [[TABLE]], and keys without dots, whose values are strings of one line, numbers, true, false, and
 * arrays of these. Everything else of TOML is an error that says so. Debian has no library of TOML
 * in C.
 */
#ifndef PIPESIM_BASE_TOML_H
#define PIPESIM_BASE_TOML_H

#include "base/message.h"

typedef struct {
    PsPlace place;
    const char *table; /* "" before the first */
    const char *key;   /* NULL: the table begins here */
    gboolean of_array; /* the table is one of several of that name */
    gboolean is_array; /* whether the value is an array */
    GPtrArray *texts;  /* the items of an array, or the value itself; numbers as they are written */
} PsTomlEntry;

/* A listener: its table, key and texts are valid only during the call. */
typedef gboolean (*PsTomlHeard)(const PsTomlEntry *entry, gpointer self, GError **error);

/* Reads the text, and tells each table and key in their order. FALSE and *error: PS_ERROR_SYNTAX
 * with the line, PS_ERROR_VALUE for a repeated key or table, or the listener's. */
gboolean ps_toml_read(const char *text, const char *file, PsTomlHeard heard, gpointer self,
                      GError **error);

#endif
