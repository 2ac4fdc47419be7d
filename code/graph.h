/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The way from a kernel's code and its launch to its graph. The code is read or compiled, machine
 * code or PTX of it is executed, and a graph that was built before is found again.
 */
#ifndef PIPESIM_CODE_GRAPH_H
#define PIPESIM_CODE_GRAPH_H

#include "sass/sass.h"
#include "code/module.h"
#include "launch/shape.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

typedef struct {
    PsCodeModule *module;
    const PsPtxFunction *kernel;
    PsLaunchArguments *arguments; /* buffers hold what the kernel wrote */
    GPtrArray *dumped;   /* GBytes, by PsCodeOptions.dumps: what they held when the samples had been
                            executed */
    PsSassCode *machine; /* what is executed; NULL: the kernel's PTX */
    PsBuild *build;
} PsBuiltGraph;

/* gpu may be NULL: then nobody knows caches. Warnings of the build are in build->warnings. NULL and
 * *error. */
PsBuiltGraph *ps_built_graph_new(const PsCodeOptions *options, const char *name, const PsGpu *gpu,
                                 GError **error);
void ps_built_graph_free(PsBuiltGraph *built);

/* Whether the launch of that code lacks nothing. Arguments' values are not read, and nothing is
 * executed. FALSE and *error: PS_ERROR_USAGE says all that it lacks. */
gboolean ps_code_check_launch(const PsCodeOptions *options, const char *name, const PsGpu *gpu,
                              GError **error);

/* The launch as a line of a file of launches (launch/listed.h), with placeholders for what it lacks
 * (g_free). NULL: the code cannot be read, or has no such kernel. */
char *ps_code_launch_line(const PsCodeOptions *options, const char *name, const PsGpu *gpu);

/* Common arguments that the kernel does not have (char *; g_ptr_array_unref); NULL as above. */
GPtrArray *ps_code_untaken(const PsCodeOptions *options, const char *name, const PsGpu *gpu);

/* The graph of that code for that GPU (ps_idg_free), built or kept. *machine, unless NULL, becomes
 * the executed machine code, if any (ps_sass_code_free). The graph has its instructions and the
 * places of sources that the code states. Gives the warnings of the build. NULL and *error. */
PsIdg *ps_code_graph(const PsCodeOptions *options, const char *name, const PsGpu *gpu,
                     PsSassCode **machine, GError **error);

/* The code behind a graph, to be launched in other shapes. It is read again, from kept results if
 * possible; its messages came with the graph. The options must live as long. NULL and *error. */
typedef struct PsBuiltCode PsBuiltCode;
PsBuiltCode *ps_built_code_new(const PsCodeOptions *options, const char *name, const PsGpu *gpu,
                               GError **error);
void ps_built_code_free(PsBuiltCode *code);
const PsLaunchCode *ps_built_code_launch(const PsBuiltCode *code); /* borrowed */

/* The graph of that code's source with another text, launched in the same way (ps_idg_free). *same:
 * NULL is returned since its PTX is the same. Nothing is told on the way. NULL and *error. */
PsIdg *ps_built_code_rewritten(const PsBuiltCode *code, const char *text, gboolean *same,
                               GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsBuiltGraph, ps_built_graph_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsBuiltCode, ps_built_code_free)

#pragma GCC visibility pop
G_END_DECLS
#endif
