/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Adds to a description what all of its parts add: warnings, sources and pipelines.
 */
#include "latency-bench/describe/describe.h"

#include <string.h>

void ps_describe_warn(PsDescribe *describe, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_ptr_array_add(describe->warnings, g_strdup_vprintf(format, arguments));
    va_end(arguments);
}

void ps_describe_source(PsDescribe *describe, const char *id, PsSourceKind kind, char *text)
{
    PsSource *source = g_new(PsSource, 1);
    *source = (PsSource){g_strdup(id), kind, text, NULL};
    g_ptr_array_add(describe->gpu->sources, source);
}

char *ps_describe_source_name(const char *class_name, const char *what)
{
    char *name = g_strconcat(g_ascii_isdigit(*class_name) ? "_" : "", class_name, "-", what, NULL);
    return g_strdelimit(name, ".", '-');
}

guint ps_describe_pipeline(PsGpu *gpu, const char *name, gboolean per_scheduler)
{
    for (guint i = 0; i < gpu->pipelines->len; i++)
        if (strcmp(((const PsPipeline *)gpu->pipelines->pdata[i])->name, name) == 0)
            return i;
    PsPipeline *pipeline = ps_gpu_add_pipeline(gpu, name);
    pipeline->per_scheduler = per_scheduler;
    return gpu->pipelines->len - 1;
}
