/* SPDX-License-Identifier: BSD-3-Clause */
/* The verb show: what a file says, drawn, or written anew. */
#include "cli/show.h"

#include "cli/build-graph.h"
#include "cli/fail.h"
#include "cli/find.h"
#include "cli/output.h"
#include "cli/table.h"
#include "cli/verbs.h"

#include <stdlib.h>
#include <string.h>

void show_path(const char *path, GString *out)
{
    g_string_append_printf(out, "read from %s\n", strcmp(path, "-") == 0 ? "standard input" : path);
}

void show_sources(const GPtrArray *sources, GString *out)
{
    if (!sources->len)
        return;
    g_string_append(out, "\nSources\n");
    for (guint i = 0; i < sources->len; i++) {
        const PsSource *source = sources->pdata[i];
        g_autofree char *text = g_strdup_printf(
            "%s%s%s%s%s: %s", source->id ? source->id : "", source->id ? ", " : "",
            ps_source_kind_name(source->kind), source->family ? ", of the family " : "",
            source->family ? source->family : "", source->text);
        wrap_text(out, "  - ", text);
    }
}

static char *describe_graph(const Options *options, const PsIdg *idg, GError **error)
{
    /* Drawn or written or not: a graph that makes no sense is shown in no form. */
    g_autoptr(PsKernel) kernel = ps_kernel_new(idg, options->params, error);
    if (!kernel)
        return NULL;
    if (options->dot)
        return ps_idg_dot(idg);
    if (options->xml)
        return ps_idg_write(idg);
    g_autoptr(GString) out = g_string_new(NULL);
    if (!show_graph(kernel, out, error))
        return NULL;
    return g_string_free(g_steal_pointer(&out), FALSE);
}

static char *describe_gpu(const Options *options, const PsGpu *gpu, GError **error)
{
    g_autoptr(GPtrArray) names = ps_scope_names(options->params);
    if (options->dot || names->len) {
        usage_error(error, "%s is for graphs, and this is a GPU description",
                    options->dot ? "--dot" : "--param");
        return NULL;
    }
    if (options->xml)
        return ps_gpu_write(gpu);
    GString *out = g_string_new(NULL);
    show_gpu(gpu, out);
    return g_string_free(out, FALSE);
}

int show_verb(const Options *options)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PsIdg) idg = NULL;
    g_autoptr(PsGpu) gpu = NULL, built_for = NULL;
    if (build_is_code(options->files[0]))
        idg = graph_of(options, options->files[0], &built_for, &error);
    else
        find_any(options->files[0], &idg, &gpu, &error);
    if (!idg && !gpu)
        return fail(error);
    g_autofree char *text =
        idg ? describe_graph(options, idg, &error) : describe_gpu(options, gpu, &error);
    if (!text || !output_write(options->output, text, &error))
        return fail(error);
    return EXIT_SUCCESS;
}
