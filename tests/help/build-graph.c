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

PsIdgItem *build_node(GPtrArray *body, const char *name, const char *klass, const char *after)
{
    PsIdgItem *node = ps_idg_add_node(body, name, klass);
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

static void pipeline_free(gpointer data)
{
    PsPipeline *pipeline = data;
    g_free(pipeline->name);
    g_free(pipeline);
}

static void class_free(gpointer data)
{
    PsClass *klass = data;
    g_free(klass->name);
    g_free(klass);
}

PsGpu *build_gpu(gint64 compute_units, guint n_pipelines)
{
    PsGpu *gpu = g_new0(PsGpu, 1);
    gpu->name = g_strdup("test GPU");
    gpu->vendor = g_strdup("nobody");
    gpu->architecture = g_strdup("none");
    gpu->compute_units = compute_units;
    gpu->clock = PS_RATIONAL_INT(1000);
    gpu->boost_clock = PS_RATIONAL_INT(0);
    gpu->warp_size = 32;
    gpu->issue_width = 1;
    gpu->limits.register_unit = 1;
    gpu->limits.warp_unit = 1;
    gpu->limits.local_memory_unit = 1;
    gpu->sources = g_ptr_array_new();
    gpu->pipelines = g_ptr_array_new_with_free_func(pipeline_free);
    gpu->classes = g_ptr_array_new_with_free_func(class_free);
    gpu->defaults = g_ptr_array_new();
    gpu->peaks = g_ptr_array_new();
    for (guint i = 0; i < n_pipelines; i++) {
        PsPipeline *pipeline = g_new0(PsPipeline, 1);
        pipeline->name = g_strdup_printf("p%u", i);
        g_ptr_array_add(gpu->pipelines, pipeline);
    }
    return gpu;
}

void build_gpu_free(PsGpu *gpu)
{
    if (!gpu)
        return;
    g_ptr_array_unref(gpu->sources);
    g_ptr_array_unref(gpu->pipelines);
    g_ptr_array_unref(gpu->classes);
    g_ptr_array_unref(gpu->defaults);
    g_ptr_array_unref(gpu->peaks);
    g_free(gpu->name);
    g_free(gpu->vendor);
    g_free(gpu->architecture);
    g_free(gpu);
}

void build_class(PsGpu *gpu, const char *name, guint pipeline, PsRational issue,
                 PsRational completion)
{
    PsClass *klass = g_new0(PsClass, 1);
    klass->name = g_strdup(name);
    klass->pipeline = pipeline;
    klass->latency = (PsLatency){issue, completion};
    g_ptr_array_add(gpu->classes, klass);
}
