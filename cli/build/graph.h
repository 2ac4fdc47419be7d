/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From a kernel's code and what it is launched with to its graph, for the verb build, and for
 * others that are given code in place of a graph.
 */
#ifndef PIPESIM_CLI_BUILD_GRAPH_H
#define PIPESIM_CLI_BUILD_GRAPH_H

#include "cli/build/machine.h"
#include "cli/build/module.h"
#include "cli/options.h"

typedef struct {
    BuildModule *module;
    const PsPtxFunction *kernel;
    PsLaunchArguments *arguments; /* buffers hold what the kernel wrote */
    GPtrArray *dumped;   /* GBytes, by --dump: what they held when the samples had been executed */
    PsSassCode *machine; /* what is executed; NULL: the kernel's PTX */
    PsBuild *build;
} BuiltGraph;

/* gpu may be NULL: then nobody knows caches. Warnings of the build are in build->warnings. NULL and
 * *error. */
BuiltGraph *built_graph_new(const BuildOptions *options, const char *name, const PsGpu *gpu,
                            GError **error);
void built_graph_free(BuiltGraph *built);

/* What --dump takes, "NAME=FILE" or "NAME+OFFSET=FILE": the buffer, and the file, which is a part
 * of the text. FALSE and *error. */
gboolean built_graph_find_dump(const BuiltGraph *built, const char *text, PsLaunchBuffer *buffer,
                               const char **file, GError **error);

/* For code whose command line lacks that option: FALSE and *error, which says all that its launch
 * lacks (PS_ERROR_USAGE), or why the code cannot be read. */
gboolean say_what_lacks(const Options *options, const char *name, const char *lacking,
                        GError **error);

/* The graph that a name stands for: built of code for a GPU, or found (find.h). Code that finds no
 * *gpu reads the first of --gpu into it, if there is one (the caller frees it). *machine, where
 * that is not NULL, becomes the machine code that was executed, if any was (ps_sass_code_free). The
 * graph knows its instructions and where the code says that sources are, and may be one that was
 * built and kept before. Warns of what building warns of. NULL and *error. */
PsIdg *graph_of(const Options *options, const char *name, PsGpu **gpu, PsSassCode **machine,
                GError **error);

/* Code that a graph was built of, to be launched in other shapes. It is read again, from what is
 * kept where that is possible; what is told on the way was told with the graph. The options must
 * live as long. NULL and *error. */
typedef struct BuiltCode BuiltCode;
BuiltCode *built_code_new(const BuildOptions *options, const char *name, const PsGpu *gpu,
                          GError **error);
void built_code_free(BuiltCode *code);
const PsLaunchCode *built_code_launch(const BuiltCode *code); /* borrowed */

/* The graph of that code's source with another text, launched in the same way (ps_idg_free). *same:
 * NULL is returned since its PTX is the same. Nothing is told on the way. NULL and *error. */
PsIdg *built_code_rewritten(const BuiltCode *code, const char *text, gboolean *same,
                            GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(BuiltGraph, built_graph_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(BuiltCode, built_code_free)

#endif
