/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Graphs and GPUs built in memory for tests: see build-graph.h.
 */
#include "tests/help/build-graph.h"

#include <string.h>

PsExpr *build_expr(const char *text)
{
    GError *error = NULL;
    PsExpr *expr = ps_expr_new(text, (PsPlace){"test", 0}, &error);
    if (!expr)
        g_error("%s", error->message);
    return expr;
}

PsIdg *build_idg(const char *groups, const char *group_size)
{
    PsIdg *idg = ps_idg_new("test");
    idg->launch.groups = build_expr(groups);
    idg->launch.group_size = build_expr(group_size);
    return idg;
}

PsIdgItem *build_node(GPtrArray *body, const char *name, const char *class_name, const char *after)
{
    PsIdgItem *node = ps_idg_add_node(body, name, class_name);
    g_auto(GStrv) words = g_strsplit(after, " ", -1);
    for (char **word = words; *word; word++) {
        if (!**word)
            continue;
        char *at = strchr(*word, '@');
        if (at)
            *at++ = '\0';
        PsIdgDep *dep = ps_idg_add_dep(node, *word);
        if (at && strcmp(at, "all") == 0)
            dep->all = TRUE;
        else if (at)
            dep->distance = build_expr(at);
    }
    return node;
}

GPtrArray *build_loop(GPtrArray *body, const char *times)
{
    return ps_idg_add_loop(body, NULL, build_expr(times))->body;
}

PsGpu *build_gpu(gint64 compute_units, guint n_pipelines)
{
    PsGpu *gpu = ps_gpu_new("test GPU");
    gpu->vendor = g_strdup("nobody");
    gpu->architecture = g_strdup("none");
    gpu->compute_units = compute_units;
    gpu->issue_width = PS_RATIONAL_INT(1);
    for (guint i = 0; i < n_pipelines; i++) {
        g_autofree char *name = g_strdup_printf("p%u", i);
        ps_gpu_add_pipeline(gpu, name);
    }
    return gpu;
}

void build_gpu_free(PsGpu *gpu)
{
    ps_gpu_free(gpu);
}

void build_class(PsGpu *gpu, const char *name, guint pipeline, PsRational issue,
                 PsRational completion)
{
    PsClass *class = ps_gpu_add_class(gpu, name);
    class->pipeline = pipeline;
    class->latency = (PsLatency){issue, completion};
}
