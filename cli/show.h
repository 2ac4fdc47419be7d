/* SPDX-License-Identifier: BSD-3-Clause */
/* What a graph and a GPU description say, as text for people. */
#ifndef PIPESIM_CLI_SHOW_H
#define PIPESIM_CLI_SHOW_H

#include "pipesim.h"

/* Appends the graph with every expression worked out. FALSE and *error where one cannot be. */
gboolean show_graph(const PsKernel *kernel, GString *out, GError **error);

void show_gpu(const PsGpu *gpu, GString *out);

/* Where a file was read from. */
void show_path(const char *path, GString *out);

/* The provenance of a file's figures; nothing if none is stated. */
void show_sources(const GPtrArray *sources, GString *out);

#endif
