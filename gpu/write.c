/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From a description to the text of its file, in the order in which a person would read it.
 */
#include "base/source-xml.h"
#include "gpu/internal.h"

static void put_ints(xmlTextWriter *writer, const PsGpu *gpu, const PsGpuInt *ints, guint n)
{
    for (guint i = 0; i < n; i++) {
        gint64 value = *(const gint64 *)(const void *)((const char *)gpu + ints[i].offset);
        if (value != ints[i].absent)
            ps_xml_put_int(writer, ints[i].attribute, value);
    }
}

static void write_chip(xmlTextWriter *writer, const PsGpu *gpu)
{
    ps_xml_start(writer, "chip");
    put_ints(writer, gpu, ps_gpu_chip, PS_GPU_N_CHIP);
    ps_xml_put_decimal(writer, "issue-width", gpu->issue_width);
    ps_xml_put_decimal(writer, "clock", gpu->clock);
    ps_xml_put_decimal(writer, "boost-clock", gpu->boost_clock);
    ps_xml_put_text(writer, "source", gpu->chip_source);
    ps_xml_put_decimal(writer, "load-clock", gpu->load_clock);
    ps_xml_put_text(writer, "load-source", gpu->load_source);
    ps_xml_put_text(writer, "memory-source", gpu->memory_source);
    ps_xml_end(writer);
    ps_xml_start(writer, "limits");
    put_ints(writer, gpu, ps_gpu_limits, PS_GPU_N_LIMITS);
    ps_xml_put_text(writer, "accumulators", ps_gpu_accumulators[gpu->limits.accumulators]);
    ps_xml_put_text(writer, "source", gpu->limits.source);
    ps_xml_end(writer);
}

static void write_cache(xmlTextWriter *writer, const PsGpu *gpu)
{
    const PsCache *cache = &gpu->cache;
    if (gpu->memory.levels || (!cache->l1 && !cache->l2))
        return;
    ps_xml_start(writer, "cache");
    put_ints(writer, gpu, ps_gpu_cache, PS_GPU_N_CACHE);
    ps_xml_put_text(writer, "l1-global", cache->l1 && !cache->l1_global ? "off" : NULL);
    ps_xml_put_text(writer, "source", cache->source);
    ps_xml_end(writer);
}

static void put_pipeline(xmlTextWriter *writer, const PsGpu *gpu, guint index)
{
    const PsPipeline *pipeline = g_ptr_array_index(gpu->pipelines, index);
    ps_xml_put_text(writer, "pipeline", pipeline->name);
}

static void write_level(xmlTextWriter *writer, const PsMemoryLevel *level)
{
    ps_xml_start(writer, "level");
    ps_xml_put_text(writer, "name", ps_level_name(level->level));
    if (level->bytes)
        ps_xml_put_int(writer, "bytes", level->bytes);
    ps_xml_put_decimal(writer, "port", level->port);
    ps_xml_put_decimal(writer, "bandwidth", level->bandwidth);
    ps_xml_put_decimal(writer, "mixed", level->mixed);
    ps_xml_put_decimal(writer, "latency", level->latency);
    ps_xml_put_decimal(writer, "at", level->at);
    ps_xml_put_text(writer, "source", level->source);
    ps_xml_end(writer);
}

static void write_memory(xmlTextWriter *writer, const PsGpu *gpu)
{
    const PsMemory *memory = &gpu->memory;
    if (!memory->levels)
        return;
    ps_xml_start(writer, "memory");
    put_pipeline(writer, gpu, memory->pipeline);
    ps_xml_put_int(writer, "line", memory->line_bytes);
    ps_xml_put_int(writer, "sector", memory->sector_bytes);
    if (memory->fetch_bytes != PS_GPU_FETCH)
        ps_xml_put_int(writer, "fetch", memory->fetch_bytes);
    ps_xml_put_decimal(writer, "request", memory->request);
    ps_xml_put_decimal(writer, "tag", memory->tag);
    ps_xml_put_decimal(writer, "wavefront", memory->wavefront);
    ps_xml_put_decimal(writer, "lookup", memory->lookup);
    ps_xml_put_decimal(writer, "store", memory->store);
    ps_xml_put_decimal(writer, "queue", memory->queue);
    ps_xml_put_decimal(writer, "queue-mixed", memory->queue_mixed);
    ps_xml_put_decimal(writer, "window", memory->window);
    ps_xml_put_text(writer, "l1-global", memory->l1_global ? NULL : "off");
    ps_xml_put_text(writer, "source", memory->source);
    for (guint i = 0; i < memory->levels->len; i++)
        write_level(writer, &g_array_index(memory->levels, PsMemoryLevel, i));
    ps_xml_end(writer);
}

static void write_atomics(xmlTextWriter *writer, const PsGpu *gpu)
{
    const PsAtomics *atomics = &gpu->atomics;
    if (!atomics->stated)
        return;
    ps_xml_start(writer, "atomics");
    put_pipeline(writer, gpu, atomics->pipeline);
    ps_xml_put_decimal(writer, "request", atomics->request);
    ps_xml_put_decimal(writer, "latency", atomics->latency);
    ps_xml_put_decimal(writer, "at", atomics->at);
    ps_xml_put_decimal(writer, "address", atomics->address);
    ps_xml_put_decimal(writer, "line", atomics->per_line);
    ps_xml_put_decimal(writer, "block", atomics->block);
    ps_xml_put_decimal(writer, "sectors", atomics->sectors);
    ps_xml_put_decimal(writer, "partial", atomics->partial);
    ps_xml_put_decimal(writer, "write", atomics->write);
    ps_xml_put_decimal(writer, "rates-at", atomics->rates_at);
    ps_xml_put_text(writer, "source", atomics->source);
    ps_xml_end(writer);
}

static void write_local(xmlTextWriter *writer, const PsGpu *gpu)
{
    const PsLocalMemory *local = &gpu->local;
    if (!local->stated)
        return;
    ps_xml_start(writer, "local-memory");
    put_pipeline(writer, gpu, local->pipeline);
    ps_xml_put_decimal(writer, "wavefront", local->wavefront);
    ps_xml_put_decimal(writer, "least", local->least);
    ps_xml_put_decimal(writer, "completion", local->completion);
    ps_xml_put_decimal(writer, "atomic", local->atomic);
    ps_xml_put_decimal(writer, "atomic-issue", local->atomic_issue);
    ps_xml_put_decimal(writer, "swap", local->swap);
    ps_xml_put_text(writer, "source", local->source);
    ps_xml_end(writer);
}

static void write_pipeline(xmlTextWriter *writer, const PsPipeline *pipeline)
{
    ps_xml_start(writer, "pipeline");
    ps_xml_put_text(writer, "name", pipeline->name);
    ps_xml_put_text(writer, "per", pipeline->per_scheduler ? "scheduler" : NULL);
    ps_xml_put_text(writer, "halves", pipeline->halves ? "on" : NULL);
    ps_xml_put_text(writer, "source", pipeline->source);
    ps_xml_end(writer);
}

static void put_latency(xmlTextWriter *writer, const PsLatency *latency)
{
    ps_xml_put_decimal(writer, "issue", latency->issue);
    ps_xml_put_decimal(writer, "completion", latency->completion);
}

static void write_class(xmlTextWriter *writer, const PsGpu *gpu, const PsClass *class)
{
    if (class->derived)
        return;
    ps_xml_start(writer, "class");
    ps_xml_put_text(writer, "name", class->name);
    put_pipeline(writer, gpu, class->pipeline);
    put_latency(writer, &class->latency);
    ps_xml_put_decimal(writer, "wide-issue", class->wide_issue);
    ps_xml_put_decimal(writer, "pass", class->pass);
    ps_xml_put_text(writer, "source", class->source);
    for (guint i = 0; class->at && i < class->at->len; i++) {
        const PsLatencyAt *at = &g_array_index(class->at, PsLatencyAt, i);
        ps_xml_start(writer, "at");
        ps_xml_put_int(writer, "warps", at->warps);
        put_latency(writer, &at->latency);
        ps_xml_end(writer);
    }
    ps_xml_end(writer);
}

static void write_default(xmlTextWriter *writer, const PsDefaultClass *fallback)
{
    ps_xml_start(writer, "default");
    ps_xml_put_text(writer, "kind", fallback->kind);
    ps_xml_put_text(writer, "class", fallback->class_name);
    ps_xml_end(writer);
}

static void write_peak(xmlTextWriter *writer, const PsPeak *peak)
{
    ps_xml_start(writer, "peak");
    ps_xml_put_text(writer, "name", peak->name);
    ps_xml_put_decimal(writer, "value", peak->value);
    ps_xml_put_decimal(writer, "datasheet", peak->datasheet);
    ps_xml_put_text(writer, "source", peak->source);
    ps_xml_end(writer);
}

static void write_overheads(xmlTextWriter *writer, const PsOverheads *overheads)
{
    if (!overheads->stated)
        return;
    ps_xml_start(writer, "overheads");
    ps_xml_put_decimal(writer, "kernel-launch", overheads->kernel_launch);
    ps_xml_put_decimal(writer, "group-launch", overheads->group_launch);
    ps_xml_put_decimal(writer, "group-interval", overheads->group_interval);
    ps_xml_put_decimal(writer, "turnaround", overheads->turnaround);
    ps_xml_put_decimal(writer, "dispatch", overheads->dispatch);
    ps_xml_put_decimal(writer, "timer", overheads->timer);
    ps_xml_put_text(writer, "source", overheads->source);
    ps_xml_end(writer);
}

/* Only what differs from the published model. */
static void write_model(xmlTextWriter *writer, const PsModel *model)
{
    const gboolean program = model->order == PS_ORDER_PROGRAM;
    const gboolean policy = model->policy != PS_POLICY_FIFO;
    if (!model->schedulers && !program && !policy && !model->contention && !model->overheads &&
        !model->all_cus && !model->levels)
        return;
    ps_xml_start(writer, "model");
    ps_xml_put_text(writer, "schedulers", model->schedulers ? "on" : NULL);
    ps_xml_put_text(writer, "order", program ? ps_order_name(model->order) : NULL);
    ps_xml_put_text(writer, "policy", policy ? ps_policy_name(model->policy) : NULL);
    ps_xml_put_text(writer, "contention", model->contention ? "on" : NULL);
    ps_xml_put_text(writer, "overheads", model->overheads ? "on" : NULL);
    ps_xml_put_text(writer, "cus", model->all_cus ? "all" : NULL);
    ps_xml_put_text(writer, "levels", model->levels ? "on" : NULL);
    ps_xml_end(writer);
}

static void write_sources(xmlTextWriter *writer, const PsGpu *gpu)
{
    for (guint i = 0; i < gpu->sources->len; i++)
        ps_source_write(writer, g_ptr_array_index(gpu->sources, i));
}

static void write_pipelines(xmlTextWriter *writer, const PsGpu *gpu)
{
    for (guint i = 0; i < gpu->pipelines->len; i++)
        write_pipeline(writer, g_ptr_array_index(gpu->pipelines, i));
}

static void write_classes(xmlTextWriter *writer, const PsGpu *gpu)
{
    for (guint i = 0; i < gpu->classes->len; i++)
        write_class(writer, gpu, g_ptr_array_index(gpu->classes, i));
}

char *ps_gpu_write_family(const PsGpu *gpu, const char *extends)
{
    xmlBuffer *buffer = xmlBufferCreate();
    xmlTextWriter *writer = ps_xml_writer_new(buffer, "family", PS_GPU_NS);
    ps_xml_put_text(writer, "version", "1");
    ps_xml_put_text(writer, "extends", extends);
    write_sources(writer, gpu);
    write_pipelines(writer, gpu);
    write_classes(writer, gpu);
    return ps_xml_writer_finish(writer, buffer);
}

static void write_capability(xmlTextWriter *writer, guint capability)
{
    g_autofree char *text =
        capability ? g_strdup_printf("%u.%u", capability / 10, capability % 10) : NULL;
    ps_xml_put_text(writer, "compute-capability", text);
}

char *ps_gpu_write(const PsGpu *gpu)
{
    xmlBuffer *buffer = xmlBufferCreate();
    xmlTextWriter *writer = ps_xml_writer_new(buffer, "gpu", PS_GPU_NS);
    ps_xml_put_text(writer, "version", "1");
    ps_xml_put_text(writer, "name", gpu->name);
    ps_xml_put_text(writer, "vendor", gpu->vendor);
    ps_xml_put_text(writer, "architecture", gpu->architecture);
    write_capability(writer, gpu->capability);
    write_sources(writer, gpu);
    write_chip(writer, gpu);
    write_cache(writer, gpu);
    write_pipelines(writer, gpu);
    write_memory(writer, gpu);
    write_atomics(writer, gpu);
    write_local(writer, gpu);
    write_classes(writer, gpu);
    for (guint i = 0; i < gpu->defaults->len; i++)
        write_default(writer, g_ptr_array_index(gpu->defaults, i));
    for (guint i = 0; i < gpu->peaks->len; i++)
        write_peak(writer, g_ptr_array_index(gpu->peaks, i));
    write_overheads(writer, &gpu->overheads);
    write_model(writer, &gpu->model);
    return ps_xml_writer_finish(writer, buffer);
}
