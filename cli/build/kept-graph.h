/* SPDX-License-Identifier: BSD-3-Clause */
/* Graphs that were built of code, kept by content. */
#ifndef PIPESIM_CLI_BUILD_KEPT_GRAPH_H
#define PIPESIM_CLI_BUILD_KEPT_GRAPH_H

#include "cli/build/graph.h"

/* A variable of the environment with which the verb build writes what kept_graph_pack makes in
 * place of the graph: for this program, which reads it (cli/sweep/configuration.c). */
#define BUILD_HANDS_ON "PIPESIM_BUILD_HANDS_ON"

/* The key of what built_graph_new would make (g_checksum_free). */
GChecksum *kept_graph_key(const BuildOptions *options, const char *name, const PsGpu *gpu);

/* The graph that is kept, as built, with what files of graphs lack: comments, machine
 * instructions, places of sources. Tells what was told when it was built. NULL: there is none. */
PsIdg *kept_graph_find(const BuildOptions *options, GChecksum *key);

/* Keeps it, with what was told since options->told was empty. */
void kept_graph_put(const BuildOptions *options, GChecksum *key, const BuiltGraph *built);

/* What is kept of it, to be handed to another process, and back: the graph, with what was told
 * added to `told` (char *). NULL: the bytes are none. */
GBytes *kept_graph_pack(const BuiltGraph *built, const GPtrArray *told);
PsIdg *kept_graph_unpack(GBytes *bytes, GPtrArray *told);

#endif
