/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes a description to the text of its file, in the order in which a person would read it.
 */
#include "base/source-xml.h"
#include "gpu/internal.h"
#include "gpu/rows.h"

#include <string.h>

/* Writes an element with the attributes of its table, and no content. */
static void write_element(xmlTextWriter *writer, const PsFields *fields, const void *of)
{
    ps_xml_start(writer, fields->element);
    ps_fields_write(fields, writer, of);
    ps_xml_end(writer);
}

static void write_cache(xmlTextWriter *writer, const PsGpu *gpu)
{
    const PsCache *cache = &gpu->cache;
    if (gpu->memory.levels || (!cache->l1 && !cache->l2))
        return;
    ps_xml_start(writer, "cache");
    ps_xml_put_text(writer, "l1-global", cache->l1 && !cache->l1_global ? "off" : NULL);
    ps_fields_write(&ps_gpu_fields_cache, writer, gpu);
    ps_xml_end(writer);
}

static void put_pipeline(xmlTextWriter *writer, const PsGpu *gpu, guint index)
{
    const PsPipeline *pipeline = g_ptr_array_index(gpu->pipelines, index);
    ps_xml_put_text(writer, "pipeline", pipeline->name);
}

static void write_memory(xmlTextWriter *writer, const PsGpu *gpu)
{
    const PsMemory *memory = &gpu->memory;
    if (!memory->levels)
        return;
    ps_xml_start(writer, "memory");
    put_pipeline(writer, gpu, memory->pipeline);
    ps_fields_write(&ps_gpu_fields_memory, writer, gpu);
    for (guint i = 0; i < memory->levels->len; i++)
        write_element(writer, &ps_gpu_fields_level,
                      &g_array_index(memory->levels, PsMemoryLevel, i));
    ps_xml_end(writer);
}

/* Writes the elements on a pipeline that a description has at most once. */
static void write_served(xmlTextWriter *writer, const PsGpu *gpu, const PsFields *fields,
                         guint pipeline)
{
    ps_xml_start(writer, fields->element);
    put_pipeline(writer, gpu, pipeline);
    ps_fields_write(fields, writer, gpu);
    ps_xml_end(writer);
}

static void write_pipeline(xmlTextWriter *writer, const PsPipeline *pipeline)
{
    ps_xml_start(writer, "pipeline");
    ps_xml_put_text(writer, "name", pipeline->name);
    ps_fields_write(&ps_gpu_fields_pipeline, writer, pipeline);
    ps_xml_end(writer);
}

static void write_class(xmlTextWriter *writer, const PsGpu *gpu, const PsClass *class)
{
    if (class->derived)
        return;
    ps_xml_start(writer, "class");
    ps_xml_put_text(writer, "name", class->name);
    put_pipeline(writer, gpu, class->pipeline);
    ps_fields_write(&ps_gpu_fields_class, writer, class);
    for (guint i = 0; class->at && i < class->at->len; i++)
        write_element(writer, &ps_gpu_fields_at, &g_array_index(class->at, PsLatencyAt, i));
    ps_xml_end(writer);
}

static void write_peak(xmlTextWriter *writer, const PsPeak *peak)
{
    ps_xml_start(writer, "peak");
    ps_xml_put_text(writer, "name", peak->name);
    ps_fields_write(&ps_gpu_fields_peak, writer, peak);
    ps_xml_end(writer);
}

/* Writes only what differs from the published model, which is all zeros. */
static void write_model(xmlTextWriter *writer, const PsGpu *gpu)
{
    static const PsModel published;
    if (memcmp(&gpu->model, &published, sizeof published) != 0)
        write_element(writer, &ps_gpu_fields_model, gpu);
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
    ps_fields_write(&ps_gpu_fields_gpu, writer, gpu);
    write_capability(writer, gpu->capability);
    write_sources(writer, gpu);
    write_element(writer, &ps_gpu_fields_chip, gpu);
    write_element(writer, &ps_gpu_fields_limits, gpu);
    write_cache(writer, gpu);
    write_pipelines(writer, gpu);
    write_memory(writer, gpu);
    if (gpu->atomics.stated)
        write_served(writer, gpu, &ps_gpu_fields_atomics, gpu->atomics.pipeline);
    if (gpu->local.stated)
        write_served(writer, gpu, &ps_gpu_fields_local_memory, gpu->local.pipeline);
    write_classes(writer, gpu);
    for (guint i = 0; i < gpu->defaults->len; i++)
        write_element(writer, &ps_gpu_fields_default, g_ptr_array_index(gpu->defaults, i));
    for (guint i = 0; i < gpu->peaks->len; i++)
        write_peak(writer, g_ptr_array_index(gpu->peaks, i));
    if (gpu->overheads.stated)
        write_element(writer, &ps_gpu_fields_overheads, gpu);
    if (gpu->host.stated)
        write_element(writer, &ps_gpu_fields_host_link, gpu);
    write_model(writer, gpu);
    return ps_xml_writer_finish(writer, buffer);
}
