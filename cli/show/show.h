/* SPDX-License-Identifier: BSD-3-Clause */
/* What a graph says, as text for people. */
#ifndef PIPESIM_CLI_SHOW_SHOW_H
#define PIPESIM_CLI_SHOW_SHOW_H

#include "pipesim-private.h"

/* Appends the graph with every expression worked out. FALSE and *error where one cannot be. */
gboolean show_graph(const PsKernel *kernel, GString *out, GError **error);

/* How many of its groups a CU of the GPU holds at once. */
void show_occupancy(const PsKernel *kernel, const PsGpu *gpu, GString *out);

#endif
