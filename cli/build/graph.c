/* SPDX-License-Identifier: BSD-3-Clause */
/* See graph.h. */
#include "cli/build/graph.h"

#include "cli/build/recorded.h"
#include "cli/fail.h"
#include "cli/find.h"

gboolean say_what_lacks(const Options *options, const char *name, const char *lacking,
                        GError **error)
{
    PsCodeOptions with = options->code;
    with.lacking = lacking;
    g_autoptr(PsBuiltGraph) built = ps_built_graph_new(&with, name, NULL, error);
    return built != NULL;
}

gboolean graph_is_built(const char *name)
{
    return ps_kernel_code_is(name) || ps_card_recording_is(name);
}

PsIdg *graph_of(const Options *options, const char *name, PsGpu **gpu, PsSassCode **machine,
                GError **error)
{
    const char *gpu_name = options->gpus ? options->gpus[0] : NULL;
    const gboolean recorded = ps_card_recording_is(name);
    if (!recorded && !ps_kernel_code_is(name))
        return find_graph(name, gpu_name, error);
    if (!*gpu && gpu_name && !(*gpu = find_gpu(gpu_name, error)))
        return NULL;
    if (*gpu &&
        (!options_fit(options, *gpu, error) || !ps_what_if_check(options->what_if, *gpu, error)))
        return NULL;
    if (recorded && !*gpu) {
        usage_error(error, "%s: say for which GPU, such as --gpu a100", name);
        return NULL;
    }
    return recorded ? recorded_graph(options, name, *gpu, machine, error)
                    : ps_code_graph(&options->code, name, *gpu, machine, error);
}
