/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads an instruction class: its pipeline, its two latencies, and the table of these over active
 * warps (refinement R4).
 */
#include "gpu/internal.h"

/* The schema has made sure that both are there and above zero. */
static gboolean read_latency(const xmlNode *element, PsLatency *latency, GError **error)
{
    return ps_xml_decimal(element, "issue", &latency->issue, error) &&
           ps_xml_decimal(element, "completion", &latency->completion, error);
}

static gboolean read_at(PsClass *klass, const xmlNode *element, GError **error)
{
    PsLatencyAt at = {0, {{0, 1}, {0, 1}}};
    if (!ps_xml_int(element, "warps", 1, PS_GPU_MOST, &at.warps, error) ||
        !read_latency(element, &at.latency, error))
        return FALSE;
    if (!klass->at)
        klass->at = g_array_new(FALSE, FALSE, sizeof(PsLatencyAt));
    gint64 before =
        klass->at->len ? g_array_index(klass->at, PsLatencyAt, klass->at->len - 1).warps : 0;
    if (at.warps <= before) {
        ps_error_at(error, PS_ERROR_VALUE, ps_xml_place(element),
                    "the table of the class '%s' goes from %" G_GINT64_FORMAT
                    " to %" G_GINT64_FORMAT " warps; warps must increase",
                    klass->name, before, at.warps);
        return FALSE;
    }
    g_array_append_val(klass->at, at);
    return TRUE;
}

static gboolean read_pipeline(const PsGpu *gpu, PsClass *klass, const xmlNode *element,
                              GError **error)
{
    g_autofree char *pipeline = ps_xml_text(element, "pipeline");
    int index = ps_gpu_find_pipeline(gpu, pipeline);
    if (index >= 0) {
        klass->pipeline = (guint)index;
        return TRUE;
    }
    g_autofree char *names = ps_gpu_pipeline_names(gpu);
    ps_error_at(error, PS_ERROR_VALUE, ps_xml_place(element),
                "the class '%s' is on the pipeline '%s', which is not there; the file has: %s",
                klass->name, pipeline, *names ? names : "no pipelines");
    return FALSE;
}

gboolean ps_gpu_read_class(PsGpu *gpu, const xmlNode *element, GError **error)
{
    g_autofree char *name = ps_xml_text(element, "name");
    const PsClass *twin = ps_gpu_find_class(gpu, name);
    if (twin) {
        ps_error_at(error, PS_ERROR_VALUE, ps_xml_place(element),
                    "there are two classes with the name '%s', the first in line %d", name,
                    twin->line);
        return FALSE;
    }
    PsClass *klass = ps_gpu_add_class(gpu, name);
    klass->line = ps_xml_place(element).line;
    if (!read_pipeline(gpu, klass, element, error) ||
        !read_latency(element, &klass->latency, error) ||
        !ps_gpu_read_source_id(gpu, element, &klass->source, error))
        return FALSE;
    for (const xmlNode *at = ps_xml_first(element); at; at = ps_xml_next(at)) {
        if (!read_at(klass, at, error))
            return FALSE;
    }
    return TRUE;
}
