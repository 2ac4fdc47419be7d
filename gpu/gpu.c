/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A description in memory: its begin, its end, and how things in it are found.
 */
#include "base/source-xml.h"
#include "gpu/internal.h"
#include "gpu/rows.h"
#include <string.h>

static void free_pipeline(void *data)
{
    PsPipeline *pipeline = data;
    g_free(pipeline->name);
    ps_fields_free(&ps_gpu_fields_pipeline, pipeline);
    g_free(pipeline);
}

static void free_class(void *data)
{
    PsClass *class = data;
    g_free(class->name);
    ps_fields_free(&ps_gpu_fields_class, class);
    if (class->at)
        g_array_unref(class->at);
    g_free(class);
}

static void free_default(void *data)
{
    ps_fields_free(&ps_gpu_fields_default, data);
    g_free(data);
}

static void free_peak(void *data)
{
    PsPeak *peak = data;
    g_free(peak->name);
    ps_fields_free(&ps_gpu_fields_peak, peak);
    g_free(peak);
}

static void free_level(void *data)
{
    ps_fields_free(&ps_gpu_fields_level, data);
}

PsMemoryLevel *ps_gpu_add_level(PsGpu *gpu, PsLevel level)
{
    PsMemoryLevel empty = {0};
    ps_fields_init(&ps_gpu_fields_level, &empty);
    empty.level = level;
    if (!gpu->memory.levels) {
        gpu->memory.levels = g_array_new(FALSE, FALSE, sizeof(PsMemoryLevel));
        g_array_set_clear_func(gpu->memory.levels, free_level);
    }
    g_array_append_val(gpu->memory.levels, empty);
    return &g_array_index(gpu->memory.levels, PsMemoryLevel, gpu->memory.levels->len - 1);
}

PsGpu *ps_gpu_new(const char *name)
{
    PsGpu *gpu = g_new0(PsGpu, 1);
    gpu->name = g_strdup(name);
    for (guint i = 0; ps_gpu_fields[i]; i++)
        ps_fields_init(ps_gpu_fields[i], gpu);
    gpu->compute_units = 1;
    gpu->clock = PS_RATIONAL_INT(1000);
    gpu->warp_size = 32;
    gpu->sources = ps_sources_new();
    gpu->pipelines = g_ptr_array_new_with_free_func(free_pipeline);
    gpu->classes = g_ptr_array_new_with_free_func(free_class);
    gpu->defaults = g_ptr_array_new_with_free_func(free_default);
    gpu->peaks = g_ptr_array_new_with_free_func(free_peak);
    gpu->by_name = g_hash_table_new(g_str_hash, g_str_equal);
    gpu->kept_sources = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    return gpu;
}

void ps_gpu_free(PsGpu *gpu)
{
    if (!gpu)
        return;
    g_free(gpu->path);
    g_free(gpu->name);
    for (guint i = 0; ps_gpu_fields[i]; i++)
        ps_fields_free(ps_gpu_fields[i], gpu);
    if (gpu->memory.levels)
        g_array_unref(gpu->memory.levels);
    g_hash_table_unref(gpu->by_name); /* before the classes, whose names are its keys */
    g_hash_table_unref(gpu->kept_sources);
    g_ptr_array_unref(gpu->sources);
    g_ptr_array_unref(gpu->pipelines);
    g_ptr_array_unref(gpu->classes);
    g_ptr_array_unref(gpu->defaults);
    g_ptr_array_unref(gpu->peaks);
    g_free(gpu);
}

gboolean ps_gpu_is_amd(const PsGpu *gpu)
{
    return gpu->vendor && (strcmp(gpu->vendor, "AMD") == 0 ||
                           g_str_has_prefix(gpu->vendor, "Advanced Micro Devices"));
}

PsPipeline *ps_gpu_add_pipeline(PsGpu *gpu, const char *name)
{
    PsPipeline *pipeline = g_new0(PsPipeline, 1);
    pipeline->name = g_strdup(name);
    g_ptr_array_add(gpu->pipelines, pipeline);
    return pipeline;
}

PsClass *ps_gpu_add_class(PsGpu *gpu, const char *name)
{
    PsClass *class = g_new0(PsClass, 1);
    class->name = g_strdup(name);
    ps_fields_init(&ps_gpu_fields_class, class);
    class->latency = (PsLatency){PS_RATIONAL_INT(1), PS_RATIONAL_INT(1)};
    g_ptr_array_add(gpu->classes, class);
    if (!g_hash_table_contains(gpu->by_name, name)) /* of equal names the first is found */
        g_hash_table_insert(gpu->by_name, class->name, class);
    return class;
}

int ps_gpu_find_pipeline(const PsGpu *gpu, const char *name)
{
    for (guint i = 0; i < gpu->pipelines->len; i++) {
        const PsPipeline *pipeline = g_ptr_array_index(gpu->pipelines, i);
        if (strcmp(pipeline->name, name) == 0)
            return (int)i;
    }
    return -1;
}

const PsPeak *ps_gpu_peak(const PsGpu *gpu, const char *name)
{
    for (guint i = 0; i < gpu->peaks->len; i++) {
        const PsPeak *peak = g_ptr_array_index(gpu->peaks, i);
        if (strcmp(peak->name, name) == 0)
            return peak;
    }
    return NULL;
}

const PsSource *ps_gpu_source(const PsGpu *gpu, const char *id)
{
    return id ? ps_source_find(gpu->sources, id) : NULL;
}

char *ps_gpu_pipeline_names(const PsGpu *gpu)
{
    GString *names = g_string_new(NULL);
    for (guint i = 0; i < gpu->pipelines->len; i++) {
        const PsPipeline *pipeline = g_ptr_array_index(gpu->pipelines, i);
        g_string_append_printf(names, "%s%s", i ? ", " : "", pipeline->name);
    }
    return g_string_free(names, FALSE);
}

char *ps_gpu_class_names(const PsGpu *gpu)
{
    GString *names = g_string_new(NULL);
    for (guint i = 0; i < gpu->classes->len; i++) {
        const PsClass *class = g_ptr_array_index(gpu->classes, i);
        g_string_append_printf(names, "%s%s", i ? ", " : "", class->name);
    }
    return g_string_free(names, FALSE);
}
