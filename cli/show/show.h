/* SPDX-License-Identifier: BSD-3-Clause */
/* What a graph and a GPU description say, as text for people. */
#ifndef PIPESIM_CLI_SHOW_SHOW_H
#define PIPESIM_CLI_SHOW_SHOW_H

#include "cli/show/figures.h"
#include "pipesim-private.h"

/* Appends the graph with every expression worked out. FALSE and *error where one cannot be. */
gboolean show_graph(const PsKernel *kernel, GString *out, GError **error);

/* How many of its groups a CU of the GPU holds at once. */
void show_occupancy(const PsKernel *kernel, const PsGpu *gpu, GString *out);

void show_gpu(const PsGpu *gpu, GString *out);

/* Two GPUs side by side, on demand with the source of each figure. */
void show_two(const PsGpu *a, const PsGpu *b, gboolean sources, GString *out);

/* "GeForce RTX 3090, Ampere, NVIDIA", and the refinements that the description asks for: empty for
 * the published model (g_free). */
char *show_title(const PsGpu *gpu);
char *show_model(const PsGpu *gpu);

/* Levels of memory, or caches, atomics and local memory of a GPU. */
void show_memory(const PsGpu *gpu, GString *out);

/* A part's figures, each with its source; nothing where the description says nothing of it. */
void show_part(const PsGpu *gpu, Part part, GString *out);

/* The kind of a figure's source, and its name; what is assumed must catch the eye. Free with
 * g_free. */
char *show_source(const PsGpu *gpu, const char *id);

/* Where a file was read from. */
void show_path(const char *path, GString *out);

/* The provenance of a file's figures under that title; nothing if none is stated. */
void show_sources(const GPtrArray *sources, const char *title, GString *out);

#endif
