/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shared libraries that are opened at run time: drivers of devices and their compilers. One program
 * runs with and without them, and says what it looked for.
 *
 * The system looks where it looks for libraries, unless the environment variable PIPESIM_DRIVERS
 * names folders, separated by colons: then these and no others are searched, in order; an empty one
 * stands for the system's own search ("/opt/drivers:" is that folder first, then the system).
 */
#ifndef PIPESIM_LATENCY_BENCH_LIBRARY_H
#define PIPESIM_LATENCY_BENCH_LIBRARY_H

#include "base/message.h"

typedef struct {
    void *handle;
    char *name; /* by which it was found, without folder */
} PsLibrary;

/* A function to look up: its name, and the place of its address in a table of functions. */
typedef struct {
    const char *name;
    gsize offset;
    gboolean optional; /* NULL is stored if the library lacks it */
} PsLibrarySymbol;

/* Opens the first library that is there, of a list of names that ends in NULL; a name with a folder
 * is for the system's search alone. NULL and *error: PS_ERROR_READ if none is there,
 * PS_ERROR_DEVICE if one is, and cannot be used. Either message names them. */
PsLibrary *ps_library_open(const char *const *names, GError **error);
void ps_library_close(PsLibrary *library); /* NULL is fine */

/* Fills a table of functions. FALSE and *error (PS_ERROR_DEVICE: the name of the first that is
 * lacking). */
gboolean ps_library_functions(const PsLibrary *library, const PsLibrarySymbol *symbols, guint n,
                              void *table, GError **error);

/* "libfoo.so.2, libfoo.so" for messages, folders left out. Free with g_free. */
char *ps_library_names(const char *const *names);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsLibrary, ps_library_close)

#endif
