/* SPDX-License-Identifier: BSD-3-Clause */
/* Graphs that were built of code, kept by content. */
#ifndef PIPESIM_CODE_KEPT_GRAPH_H
#define PIPESIM_CODE_KEPT_GRAPH_H

#include "code/graph.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* The key of what ps_built_graph_new would make (g_checksum_free). */
GChecksum *ps_kept_graph_key(const PsCodeOptions *options, const char *name, const PsGpu *gpu);

/* The kept graph, as built, with the data that a graph's file lacks: comments, machine
 * instructions, places of sources. Repeats the messages of its building. NULL: there is none. */
PsIdg *ps_kept_graph_find(const PsCodeOptions *options, GChecksum *key);

/* Keeps the graph, with the messages since options->told was empty. */
void ps_kept_graph_put(const PsCodeOptions *options, GChecksum *key, const PsBuiltGraph *built);

/* A kept graph as bytes, to be handed to another process, and back: the graph; its messages are
 * added to `told` (char *). NULL: the bytes are no graph. */
GBytes *ps_kept_graph_pack(const PsBuiltGraph *built, const GPtrArray *told);
PsIdg *ps_kept_graph_unpack(GBytes *bytes, GPtrArray *told);

#pragma GCC visibility pop
G_END_DECLS
#endif
