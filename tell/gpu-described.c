/* SPDX-License-Identifier: BSD-3-Clause */
/* The facts of a GPU's description. See gpu-described.h. */
#include "tell/gpu-described.h"

#include "sim/sim.h"
#include "tell/describe.h"
#include "tell/gpu-parts.h"
#include "tell/sources.h"

static void tell_class(const PsGpu *gpu, const PsClass *class, const PsLatencyAt *at, PsTold *facts)
{
    const PsPipeline *pipeline = gpu->pipelines->pdata[class->pipeline];
    const PsLatency latency = at ? at->latency : class->latency;
    g_autofree char *source = ps_gpu_source_words(gpu, class->source);
    ps_tell_item(facts);
    ps_tell(facts, PS_FACT_SHOWN_GPUS_CLASSES_NAME, class->name);
    if (at)
        ps_tell(facts, PS_FACT_SHOWN_GPUS_CLASSES_AT_WARPS, at->warps);
    ps_tell(facts, PS_FACT_SHOWN_GPUS_CLASSES_PIPELINE, pipeline->name);
    ps_tell(facts, PS_FACT_SHOWN_GPUS_CLASSES_PER_SCHEDULER, pipeline->per_scheduler);
    ps_tell(facts, PS_FACT_SHOWN_GPUS_CLASSES_ISSUE, latency.issue);
    ps_tell(facts, PS_FACT_SHOWN_GPUS_CLASSES_COMPLETION, latency.completion);
    ps_tell(facts, PS_FACT_SHOWN_GPUS_CLASSES_FOLLOWS, class->derived);
    ps_tell(facts, PS_FACT_SHOWN_GPUS_CLASSES_SOURCE, source);
    ps_tell_close(facts);
}

static void tell_classes(const PsGpu *gpu, PsTold *facts)
{
    ps_tell_open(facts, PS_FACT_SHOWN_GPUS_CLASSES);
    for (guint i = 0; i < gpu->classes->len; i++) {
        const PsClass *class = gpu->classes->pdata[i];
        tell_class(gpu, class, NULL, facts);
        for (guint k = 0; class->at && k < class->at->len; k++)
            tell_class(gpu, class, &g_array_index(class->at, PsLatencyAt, k), facts);
    }
    ps_tell_close(facts);
    ps_tell_open(facts, PS_FACT_SHOWN_GPUS_STAND_INS);
    for (guint i = 0; i < gpu->defaults->len; i++) {
        const PsDefaultClass *other = gpu->defaults->pdata[i];
        ps_tell_item(facts);
        ps_tell(facts, PS_FACT_SHOWN_GPUS_STAND_INS_KIND, other->kind);
        ps_tell(facts, PS_FACT_SHOWN_GPUS_STAND_INS_CLASS, other->class_name);
        ps_tell_close(facts);
    }
    ps_tell_close(facts);
}

/* The refinements that the description asks for, in words (g_free); NULL: none. */
static char *model_of(const PsGpu *gpu)
{
    PsRefinements refinements;
    g_autoptr(GError) error = NULL;
    if (!ps_refinements_resolve(gpu, NULL, &refinements, &error))
        return g_strdup(error->message);
    g_autofree char *words = ps_sentence_refinements(&refinements);
    return *words ? g_steal_pointer(&words) : NULL;
}

void ps_tell_sources(const GPtrArray *sources, PsTold *facts)
{
    ps_tell_open(facts, PS_FACT_SHOWN_GPUS_SOURCES);
    for (guint i = 0; i < sources->len; i++) {
        const PsSource *source = sources->pdata[i];
        ps_tell_item(facts);
        ps_tell(facts, PS_FACT_SHOWN_GPUS_SOURCES_ID, source->id);
        ps_tell(facts, PS_FACT_SHOWN_GPUS_SOURCES_KIND, ps_source_kind_name(source->kind));
        ps_tell(facts, PS_FACT_SHOWN_GPUS_SOURCES_FAMILY, source->family);
        ps_tell(facts, PS_FACT_SHOWN_GPUS_SOURCES_TEXT, source->text);
        ps_tell_close(facts);
    }
    ps_tell_close(facts);
}

static void tell_gpu(const PsGpu *gpu, PsTold *facts)
{
    g_autofree char *model = model_of(gpu);
    ps_tell_item(facts);
    ps_tell(facts, PS_FACT_SHOWN_GPUS_GPU, gpu->name);
    ps_tell(facts, PS_FACT_SHOWN_GPUS_ARCHITECTURE, gpu->architecture);
    ps_tell(facts, PS_FACT_SHOWN_GPUS_VENDOR, gpu->vendor);
    ps_tell(facts, PS_FACT_SHOWN_GPUS_FILE, gpu->path);
    ps_tell(facts, PS_FACT_SHOWN_GPUS_MODEL, model);
    ps_tell_open(facts, PS_FACT_SHOWN_GPUS_PARTS);
    for (PsGpuPart part = 0; part < PS_N_GPU_PARTS; part++)
        ps_tell_gpu_part(gpu, part, facts);
    ps_tell_close(facts);
    tell_classes(gpu, facts);
    ps_tell_sources(gpu->sources, facts);
    ps_tell_close(facts);
}

PsTold *ps_gpus_described(const PsGpu *a, const PsGpu *b)
{
    PsTold *facts = ps_told_new();
    ps_tell(facts, PS_FACT_SHOWN_PIPESIM, PIPESIM_VERSION);
    ps_tell_open(facts, PS_FACT_SHOWN_GPUS);
    tell_gpu(a, facts);
    if (b)
        tell_gpu(b, facts);
    ps_tell_close(facts);
    return facts;
}
