/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Three numbers for x, y and z: --grid and --block, which may be expressions over the kernel's
 * arguments, and the groups of --sample.
 */
#ifndef PIPESIM_CLI_BUILD_LAUNCH_H
#define PIPESIM_CLI_BUILD_LAUNCH_H

#include "pipesim.h"

typedef struct {
    guint size[3];
    char *text[3]; /* the expression; NULL for a plain number */
} Extent;

/* "32x32", "32,32", "(n/16)x(n/16)"; an x between two numbers or expressions divides them as a
 * comma does. Each is at most `most` of its direction. FALSE and *error; `option` is its name. */
gboolean extent_parse(const char *option, const char *text, const PsScope *scope,
                      const guint most[3], Extent *extent, GError **error);
void extent_clear(Extent *extent);

/* Groups "X,Y[,Z];..." or "all" (g_free); *n of them. NULL and *error for one that is not in the
 * grid, or more than anybody would wait for. */
guint (*samples_parse(const char *text, const guint grid[3], guint *n, GError **error))[3];

#endif
