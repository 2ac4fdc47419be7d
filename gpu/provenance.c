/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether a figure, and how much of a description, was measured, published, ... or is assumed. */
#include "gpu/gpu.h"

#include <string.h>

const char *ps_gpu_setting_source(const PsGpu *gpu, const char *element, const char *attribute)
{
    const struct {
        const char *element, *source;
    } settings[] = {{"chip", gpu->chip_source},          {"limits", gpu->limits.source},
                    {"cache", gpu->cache.source},        {"memory", gpu->memory.source},
                    {"atomics", gpu->atomics.source},    {"local-memory", gpu->local.source},
                    {"overheads", gpu->overheads.source}};
    g_autofree char *figure = g_strconcat(element, "/", attribute, NULL);
    gpointer kept = NULL;
    if (strcmp(figure, "chip/load-clock") == 0)
        return gpu->load_source;
    if (g_hash_table_lookup_extended(gpu->kept_sources, figure, NULL, &kept))
        return kept;
    for (guint i = 0; i < G_N_ELEMENTS(settings); i++)
        if (strcmp(settings[i].element, element) == 0)
            return settings[i].source;
    return NULL;
}

static void count(PsProvenance *counts, const PsGpu *gpu, const char *id)
{
    const PsSource *source = id ? ps_gpu_source(gpu, id) : NULL;
    if (source)
        counts->of[source->kind]++;
    else
        counts->unsourced++;
}

/* What a description states at most once. */
static void count_settings(PsProvenance *counts, const PsGpu *gpu)
{
    const struct {
        gboolean stated;
        const char *source;
    } settings[] = {
        {TRUE, gpu->chip_source},
        {gpu->load_clock.num > 0, gpu->load_source},
        {gpu->limits.line > 0 || gpu->limits.source, gpu->limits.source},
        {gpu->memory.levels == NULL && (gpu->cache.l1 || gpu->cache.l2), gpu->cache.source},
        {gpu->memory.levels != NULL, gpu->memory.source},
        {gpu->atomics.stated, gpu->atomics.source},
        {gpu->local.stated, gpu->local.source},
        {gpu->overheads.stated, gpu->overheads.source}};
    for (guint i = 0; i < G_N_ELEMENTS(settings); i++)
        if (settings[i].stated)
            count(counts, gpu, settings[i].source);
}

PsProvenance ps_gpu_provenance(const PsGpu *gpu)
{
    PsProvenance counts = {{0}, 0};
    count_settings(&counts, gpu);
    for (guint i = 0; i < gpu->pipelines->len; i++)
        count(&counts, gpu, ((const PsPipeline *)gpu->pipelines->pdata[i])->source);
    for (guint i = 0; gpu->memory.levels && i < gpu->memory.levels->len; i++)
        count(&counts, gpu, g_array_index(gpu->memory.levels, PsMemoryLevel, i).source);
    for (guint i = 0; i < gpu->classes->len; i++) {
        const PsClass *klass = gpu->classes->pdata[i];
        if (!klass->derived)
            count(&counts, gpu, klass->source);
    }
    for (guint i = 0; i < gpu->peaks->len; i++)
        count(&counts, gpu, ((const PsPeak *)gpu->peaks->pdata[i])->source);
    return counts;
}
