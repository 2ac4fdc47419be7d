/* SPDX-License-Identifier: BSD-3-Clause */
/* A launch of a recorded program, in place of a graph. */
#ifndef PIPESIM_CLI_BUILD_RECORDED_H
#define PIPESIM_CLI_BUILD_RECORDED_H

#include "cli/options.h"

/* The graph of the launch that --launch names, for that GPU, like graph_of; a single launch needs
 * no --launch. NULL and *error. */
PsIdg *recorded_graph(const Options *options, const char *path, const PsGpu *gpu,
                      PsSassCode **machine, GError **error);

/* FALSE and *error: --launch is given, and none of the files is a recording. */
gboolean recorded_options_check(const Value *given, char **files, GError **error);

/* A table of the recording's launches (g_free). NULL and *error. */
char *recorded_list(const Options *options, const char *path, GError **error);

#endif
