/* SPDX-License-Identifier: BSD-3-Clause */
/* The graph that a name on the command line means, which may be a kernel's code. */
#ifndef PIPESIM_CLI_BUILD_GRAPH_H
#define PIPESIM_CLI_BUILD_GRAPH_H

#include "cli/options.h"

/* For code whose command line lacks that option. FALSE and *error, which says everything that the
 * launch lacks (PS_ERROR_USAGE), or why the code cannot be read. */
gboolean say_what_lacks(const Options *options, const char *name, const char *lacking,
                        GError **error);

/* TRUE if the name means something with a graph for each GPU: code, or a recording. */
gboolean graph_is_built(const char *name);

/* The graph that a name means: built from code for a GPU, that of a recorded launch, or a file
 * (find.h). If *gpu is NULL, the first --gpu is read into it (the caller frees it). *machine,
 * unless NULL, becomes the executed machine code, if there was any (ps_sass_code_free). The graph
 * knows its instructions and the code's paths of sources; it may come from the store. Prints the
 * warnings of building. NULL and *error. */
PsIdg *graph_of(const Options *options, const char *name, PsGpu **gpu, PsSassCode **machine,
                GError **error);

#endif
