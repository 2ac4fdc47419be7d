/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where an element of a description comes from: its source and its line.
 */
#include "base/source-xml.h"
#include "gpu/internal.h"

gboolean ps_gpu_read_fields(PsGpu *gpu, const PsFields *fields, const xmlNode *element, void *to,
                            GError **error)
{
    g_autofree char *id = ps_xml_text(element, "source");
    return ps_fields_read(fields, element, to, error) &&
           ps_source_check(gpu->sources, id, ps_xml_place(element), error) &&
           ps_gpu_read_kept_sources(gpu, element, error);
}

int ps_gpu_own_line(const xmlNode *element)
{
    return ps_xml_is_own(element) ? ps_xml_place(element).line : 0;
}

gboolean ps_gpu_check_own_source(const PsGpu *gpu, const xmlNode *element, const PsOwnSource *own,
                                 GError **error)
{
    if (!ps_source_check(gpu->sources, own->id, ps_xml_place(element), error))
        return FALSE;
    if (own->stated == (own->id != NULL))
        return TRUE;
    ps_error_at(error, PS_ERROR_VALUE, ps_xml_place(element), "'%s' and '%s', %s, need each other",
                own->figure, own->source, own->who);
    return FALSE;
}
