/* SPDX-License-Identifier: BSD-3-Clause */
/* See graph.h. */
#include "cli/build/graph.h"

#include "cli/find.h"

gboolean say_what_lacks(const Options *options, const char *name, const char *lacking,
                        GError **error)
{
    PsCodeOptions with = options->code;
    with.lacking = lacking;
    g_autoptr(PsBuiltGraph) built = ps_built_graph_new(&with, name, NULL, error);
    return built != NULL;
}

PsIdg *graph_of(const Options *options, const char *name, PsGpu **gpu, PsSassCode **machine,
                GError **error)
{
    const char *gpu_name = options->gpus ? options->gpus[0] : NULL;
    if (!ps_kernel_code_is(name))
        return find_graph(name, gpu_name, error);
    if (!*gpu && gpu_name && !(*gpu = find_gpu(gpu_name, error)))
        return NULL;
    if (*gpu &&
        (!options_fit(options, *gpu, error) || !ps_what_if_check(options->what_if, *gpu, error)))
        return NULL;
    return ps_code_graph(&options->code, name, *gpu, machine, error);
}
