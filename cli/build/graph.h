/* SPDX-License-Identifier: BSD-3-Clause */
/* The graph that a name on the command line stands for, where that may be a kernel's code. */
#ifndef PIPESIM_CLI_BUILD_GRAPH_H
#define PIPESIM_CLI_BUILD_GRAPH_H

#include "cli/options.h"

/* For code whose command line lacks that option: FALSE and *error, which says all that its launch
 * lacks (PS_ERROR_USAGE), or why the code cannot be read. */
gboolean say_what_lacks(const Options *options, const char *name, const char *lacking,
                        GError **error);

/* Whether the name stands for something of which each GPU has a graph of its own: code, or a
 * recording. */
gboolean graph_is_built(const char *name);

/* The graph that a name stands for: built of code for a GPU, that of a recorded launch,
 * or found (find.h). What finds no *gpu reads the first of --gpu into it, if there is one (the
 * caller frees it). *machine, where that is not NULL, becomes the machine code that was executed,
 * if any was (ps_sass_code_free). The graph knows its instructions and where the code says that
 * sources are, and may be one that was built and kept before. Warns of what building warns of. NULL
 * and *error. */
PsIdg *graph_of(const Options *options, const char *name, PsGpu **gpu, PsSassCode **machine,
                GError **error);

#endif
