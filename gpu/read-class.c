/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads an instruction class: its pipeline, its two latencies, and the table of these over active
 * warps (refinement R4).
 */
#include "base/class-name.h"
#include "base/matrix.h"
#include "gpu/internal.h"

#include <string.h>

static gboolean read_at(PsClass *class, const xmlNode *element, GError **error)
{
    PsLatencyAt at = {0, {{0, 1}, {0, 1}}};
    if (!ps_fields_read(&ps_gpu_fields_at, element, &at, error))
        return FALSE;
    if (!class->at)
        class->at = g_array_new(FALSE, FALSE, sizeof(PsLatencyAt));
    gint64 before =
        class->at->len ? g_array_index(class->at, PsLatencyAt, class->at->len - 1).warps : 0;
    if (at.warps <= before) {
        ps_error_at(error, PS_ERROR_VALUE, ps_xml_place(element),
                    "the table of the class '%s' goes from %" G_GINT64_FORMAT
                    " to %" G_GINT64_FORMAT " warps; warps must increase",
                    class->name, before, at.warps);
        return FALSE;
    }
    g_array_append_val(class->at, at);
    return TRUE;
}

static gboolean check_name(const PsGpu *gpu, const char *name, const xmlNode *element,
                           GError **error)
{
    const PsClass *twin = ps_gpu_find_class(gpu, name);
    if (twin)
        ps_error_at(error, PS_ERROR_VALUE, ps_xml_place(element),
                    "there are two classes with the name '%s', the first in line %d", name,
                    twin->line);
    else if (gpu->memory.levels && ps_class_is_counted(name))
        ps_error_at(error, PS_ERROR_VALUE, ps_xml_place(element),
                    "the class '%s' says what follows from the levels of <memory>: remove it",
                    name);
    else
        return ps_matrix_check(name, ps_xml_place(element), error);
    return FALSE;
}

/* Checks the attributes for warps of twice as many threads. */
static gboolean check_wide_issue(const PsGpu *gpu, const PsClass *class, const xmlNode *element,
                                 GError **error)
{
    const PsPipeline *pipeline = gpu->pipelines->pdata[class->pipeline];
    const char *wrong = NULL;
    if (!class->wide_issue.num)
        return TRUE;
    if (!pipeline->halves)
        wrong = "has 'wide-issue', but its pipeline does not say halves=\"on\"";
    else if (class->at)
        wrong = "has 'wide-issue' and a table over active warps: leave out one of them";
    else if (ps_rational_cmp(class->wide_issue, class->latency.issue) < 0)
        wrong = "issues twice as many threads sooner: make 'wide-issue' at least 'issue'";
    if (wrong)
        ps_error_at(error, PS_ERROR_VALUE, ps_xml_place(element), "the class '%s' %s", class->name,
                    wrong);
    return !wrong;
}

/* Checks the attributes for accesses that take several passes. */
static gboolean check_pass(const PsClass *class, const xmlNode *element, GError **error)
{
    const char *wrong = NULL;
    if (!class->pass.num)
        return TRUE;
    if (ps_class_access(class->name).conflicts > 1)
        wrong = "has 'pass', but its name says how many passes it takes: state 'pass' of the class "
                "above it";
    else if (class->at)
        wrong = "has 'pass' and a table over active warps: leave out one of them";
    if (wrong)
        ps_error_at(error, PS_ERROR_VALUE, ps_xml_place(element), "the class '%s' %s", class->name,
                    wrong);
    return !wrong;
}

gboolean ps_gpu_read_class(PsGpu *gpu, const xmlNode *element, GError **error)
{
    g_autofree char *name = ps_xml_text(element, "name");
    g_autofree char *what = g_strdup_printf("the class '%s'", name);
    if (!check_name(gpu, name, element, error))
        return FALSE;
    PsClass *class = ps_gpu_add_class(gpu, name);
    class->line = ps_xml_place(element).line;
    if (!ps_gpu_read_pipeline_name(gpu, element, what, &class->pipeline, error) ||
        !ps_gpu_read_fields(gpu, &ps_gpu_fields_class, element, class, error))
        return FALSE;
    for (const xmlNode *at = ps_xml_first(element); at; at = ps_xml_next(at)) {
        if (!read_at(class, at, error))
            return FALSE;
    }
    return check_wide_issue(gpu, class, element, error) && check_pass(class, element, error);
}
