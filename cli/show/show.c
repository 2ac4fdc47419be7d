/* SPDX-License-Identifier: BSD-3-Clause */
/* The verb show: prints, draws or rewrites a file's content. */
#include "cli/build/graph.h"
#include "cli/build/recorded.h"
#include "cli/check.h"
#include "cli/fail.h"
#include "cli/find.h"
#include "cli/report/paper.h"
#include "cli/system/output.h"
#include "pipesim-private.h"
#include "cli/verbs.h"

#include <stdlib.h>
#include <string.h>

/* gpu: the GPU whose occupancy is shown, or NULL. */
static char *describe_graph(const Options *options, const PsIdg *idg, const PsGpu *gpu,
                            GError **error)
{
    /* A graph without meaning is shown in no form. */
    g_autoptr(PsKernel) kernel = ps_kernel_new(idg, options->params, error);
    if (!kernel)
        return NULL;
    if (options->given[OPTION_DOT].on)
        return ps_idg_dot(idg);
    if (options->given[OPTION_XML].on)
        return ps_idg_write(idg);
    g_autoptr(PsTold) facts = ps_graph_described(kernel, gpu, error);
    if (!facts)
        return NULL;
    GString *out = g_string_new(NULL);
    const PsPaper paper = paper_for(options, out);
    if (options->format == FORMAT_JSON)
        ps_json_told_document(out, facts);
    else
        ps_graph_page(facts, &paper);
    return g_string_free(out, FALSE);
}

static gboolean check_gpu_options(const Options *options, GError **error)
{
    g_autoptr(GPtrArray) names = ps_scope_names(options->params);
    return (!options->given[OPTION_DOT].on && !names->len && !options->gpus) ||
           usage_error(error, "%s is for graphs, and this is a GPU description",
                       options->given[OPTION_DOT].on ? "--dot"
                       : options->gpus               ? "--gpu"
                                                     : "--param");
}

/* b: the second GPU, or NULL. */
static char *format_gpus(const Options *options, const PsGpu *a, const PsGpu *b)
{
    GString *out = g_string_new(NULL);
    const PsPaper paper = paper_for(options, out);
    g_autoptr(PsTold) facts = options->format == FORMAT_JSON ? ps_gpus_described(a, b) : NULL;
    if (facts)
        ps_json_told_document(out, facts);
    else if (b)
        ps_gpus_beside(a, b, options->given[OPTION_SOURCES].on, &paper);
    else
        ps_gpu_page(a, &paper);
    return g_string_free(out, FALSE);
}

static char *describe_gpu(const Options *options, const PsGpu *gpu, GError **error)
{
    if (!check_gpu_options(options, error))
        return NULL;
    return options->given[OPTION_XML].on ? ps_gpu_write(gpu) : format_gpus(options, gpu, NULL);
}

static char *list_recorded(const Options *options, GError **error)
{
    if (format_is_for_people(options->format) && !options->gpus)
        return recorded_list(options, options->files[0], error);
    usage_error(error, options->gpus
                           ? "--gpu is for a launch: say which, such as --launch 1"
                           : "the list of a recording's launches is text: leave --format out");
    return NULL;
}

static char *show_one(const Options *options, GError **error)
{
    g_autoptr(PsIdg) idg = NULL;
    g_autoptr(PsGpu) gpu = NULL, built_for = NULL;
    if (ps_card_recording_is(options->files[0]) && !options->given[OPTION_LAUNCH].number)
        return list_recorded(options, error);
    if (graph_is_built(options->files[0]))
        idg = graph_of(options, options->files[0], &built_for, NULL, error);
    else
        find_any(options->files[0], &idg, &gpu, error);
    if (idg && options->gpus && !built_for) {
        built_for = find_gpu(options->gpus[0], error);
        if (!built_for)
            return NULL;
    }
    if (idg)
        return describe_graph(options, idg, built_for, error);
    return gpu ? describe_gpu(options, gpu, error) : NULL;
}

/* The GPU of that name. For a graph, the message says that show puts GPUs side by side. */
static PsGpu *find_one_of_two(const char *name, GError **error)
{
    g_autoptr(PsIdg) idg = NULL;
    PsGpu *gpu = NULL;
    if (!graph_is_built(name) && !find_any(name, &idg, &gpu, error))
        return NULL;
    if (!gpu)
        usage_error(error,
                    "'%s' is a kernel, and show puts GPUs side by side; pipesim compare takes two "
                    "kernels",
                    name);
    return gpu;
}

static char *show_pair(const Options *options, GError **error)
{
    g_autoptr(PsGpu) a = find_one_of_two(options->files[0], error);
    g_autoptr(PsGpu) b = a ? find_one_of_two(options->files[1], error) : NULL;
    return b && check_gpu_options(options, error) ? format_gpus(options, a, b) : NULL;
}

/* Checks for one file, or two GPUs. */
static gboolean check(const Options *options, GError **error)
{
    if (!check_files(options, "graph or GPU description to show", error))
        return FALSE;
    const Value *given = options->given;
    const guint files = g_strv_length(options->files);
    if (files > 2)
        return usage_error(error, "'%s': one file at a time, or two GPUs", options->files[2]);
    if (given[OPTION_DOT].on && given[OPTION_XML].on)
        return usage_error(error, "--dot and --xml: one of them at a time");
    if (files > 1 && given[OPTION_XML].on)
        return usage_error(error, "--xml writes one file, not two side by side");
    if (files < 2 && given[OPTION_SOURCES].on)
        return usage_error(error, "--sources is for two GPUs; for one GPU they are always shown");
    return check_one_gpu(options, error) && check_stdin(options, error);
}

int show_verb(const Options *options)
{
    g_autoptr(GError) error = NULL;
    if (!check(options, &error))
        return check_failed(error);
    g_autofree char *text =
        options->files[1] ? show_pair(options, &error) : show_one(options, &error);
    if (!text || !output_write(options->output, text, &error))
        return fail(error);
    return EXIT_SUCCESS;
}
