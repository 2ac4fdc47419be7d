/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells of a figure, and of a whole description, how much was measured, published, ... or is
 * assumed. */
#include "gpu/internal.h"
#include "gpu/rows.h"

#include <string.h>

static const char *source_of_element(const PsGpu *gpu, const char *element)
{
    const PsField *source = NULL;
    for (guint i = 0; ps_gpu_fields[i] && !source; i++)
        if (strcmp(ps_gpu_fields[i]->element, element) == 0)
            source = ps_field_find(ps_gpu_fields[i], "source");
    return source ? G_STRUCT_MEMBER(const char *, gpu, source->offset) : NULL;
}

const char *ps_gpu_setting_source(const PsGpu *gpu, const char *element, const char *attribute)
{
    g_autofree char *figure = g_strconcat(element, "/", attribute, NULL);
    gpointer kept = NULL;
    if (strcmp(figure, "chip/load-clock") == 0)
        return gpu->load_source;
    if (strcmp(figure, "chip/power-clock") == 0)
        return gpu->power_source;
    if (strcmp(figure, "chip/memory") == 0)
        return gpu->memory_source;
    if (g_hash_table_lookup_extended(gpu->kept_sources, figure, NULL, &kept))
        return kept;
    return source_of_element(gpu, element);
}

/* Compares source names; NULL equals NULL alone. */
static gboolean is_same_id(const void *a, const void *b)
{
    return g_strcmp0(a, b) == 0;
}

GPtrArray *ps_gpu_setting_sources(const PsGpu *gpu, const char *element)
{
    g_autofree char *prefix = g_strconcat(element, "/", NULL);
    GPtrArray *ids = g_ptr_array_new();
    GHashTableIter iter;
    gpointer figure = NULL, id = NULL;
    g_ptr_array_add(ids, (gpointer)source_of_element(gpu, element));
    g_hash_table_iter_init(&iter, gpu->kept_sources);
    while (g_hash_table_iter_next(&iter, &figure, &id))
        if (g_str_has_prefix(figure, prefix) &&
            !g_ptr_array_find_with_equal_func(ids, id, is_same_id, NULL))
            g_ptr_array_add(ids, id);
    return ids;
}

static void count(PsProvenance *counts, const PsGpu *gpu, const char *id)
{
    const PsSource *source = id ? ps_gpu_source(gpu, id) : NULL;
    if (source)
        counts->of[source->kind]++;
    else
        counts->unsourced++;
}

/* Counts a setting once for each kind of source that its figures have. */
static void count_setting(PsProvenance *counts, const PsGpu *gpu, const char *element)
{
    g_autoptr(GPtrArray) ids = ps_gpu_setting_sources(gpu, element);
    PsProvenance own = {{0}, 0};
    for (guint i = 0; i < ids->len; i++)
        count(&own, gpu, ids->pdata[i]);
    for (guint kind = 0; kind < PS_N_SOURCE_KINDS; kind++)
        counts->of[kind] += own.of[kind] > 0;
    counts->unsourced += own.unsourced > 0;
}

/* Counts the elements that a description has at most once. */
static void count_settings(PsProvenance *counts, const PsGpu *gpu)
{
    const struct {
        gboolean stated;
        const char *element;
    } settings[] = {{TRUE, "chip"},
                    {gpu->limits.line > 0 || gpu->limits.source, "limits"},
                    {!gpu->memory.levels && (gpu->cache.l1 || gpu->cache.l2), "cache"},
                    {gpu->memory.levels != NULL, "memory"},
                    {gpu->atomics.stated, "atomics"},
                    {gpu->local.stated, "local-memory"},
                    {gpu->overheads.stated, "overheads"},
                    {gpu->host.stated, "host-link"}};
    for (guint i = 0; i < G_N_ELEMENTS(settings); i++)
        if (settings[i].stated)
            count_setting(counts, gpu, settings[i].element);
    if (gpu->load_clock.num)
        count(counts, gpu, gpu->load_source);
    if (gpu->power_clock.num)
        count(counts, gpu, gpu->power_source);
    if (gpu->device_memory)
        count(counts, gpu, gpu->memory_source);
}

PsProvenance ps_gpu_provenance(const PsGpu *gpu)
{
    PsProvenance counts = {{0}, 0};
    count_settings(&counts, gpu);
    for (guint i = 0; i < gpu->pipelines->len; i++) {
        const PsPipeline *pipeline = gpu->pipelines->pdata[i];
        count(&counts, gpu, pipeline->source);
        if (pipeline->queue > 0)
            count(&counts, gpu, pipeline->queue_source);
    }
    for (guint i = 0; gpu->memory.levels && i < gpu->memory.levels->len; i++) {
        const PsMemoryLevel *level = &g_array_index(gpu->memory.levels, PsMemoryLevel, i);
        count(&counts, gpu, level->source);
        if (level->rows.num > 0)
            count(&counts, gpu, level->rows_source);
    }
    for (guint i = 0; i < gpu->classes->len; i++) {
        const PsClass *class = gpu->classes->pdata[i];
        if (!class->derived)
            count(&counts, gpu, class->source);
    }
    for (guint i = 0; i < gpu->peaks->len; i++)
        count(&counts, gpu, ((const PsPeak *)gpu->peaks->pdata[i])->source);
    return counts;
}
