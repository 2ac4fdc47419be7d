/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The graph of code as one point of a sweep has it: compiled with its macros, launched with its
 * grid, block and arguments. What is kept is taken; else this program builds it in a process of its
 * own, since compilers are run from one thread only, and many points are built at once.
 */
#ifndef PIPESIM_CLI_SWEEP_CONFIGURATION_H
#define PIPESIM_CLI_SWEEP_CONFIGURATION_H

#include "cli/options.h"
#include "cli/sweep/point.h"

/* TRUE if a list of the sweep is of the code. */
gboolean configuration_is_varied(const Options *options);

/* Whether the launch of the point, the first of its file, lacks nothing: every other point would
 * lack the same. FALSE and *error: wrong usage, which says all that is missing. What else is wrong
 * with the point, it tells itself. */
gboolean configuration_check(const Options *options, const Point *point, GError **error);

/* The graph of the point's file on its GPU (ps_idg_free). To `told` is added what building tells
 * (as BuildOptions.told). NULL and *error: it does not compile, cannot be launched, ...; the
 * message is what was said first of that. In any thread. */
PsIdg *configuration_graph(const Options *options, const Point *point, GPtrArray *told,
                           GError **error);

#endif
