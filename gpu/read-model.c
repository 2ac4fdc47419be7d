/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads a description's refinements (docs/reference/model.md, section 4): which it asks for, the
 * costs of launches, and the link to the host. The schema has checked the words.
 */
#include "gpu/internal.h"

/* A timer's count includes the launch; a launch in a graph is no slower than one alone. */
static gboolean check_overheads(const PsOverheads *overheads, const xmlNode *element,
                                GError **error)
{
    const char *wrong = NULL;
    if (overheads->timer.num && ps_rational_cmp(overheads->timer, overheads->kernel_launch) < 0)
        wrong = "a timer that counts less than the launch in it: make 'timer' at least "
                "'kernel-launch'";
    else if (ps_rational_cmp(overheads->in_graph, overheads->kernel_launch) > 0)
        wrong = "launches that take longer in a graph than alone: make 'in-graph' at most "
                "'kernel-launch'";
    if (wrong)
        ps_error_at(error, PS_ERROR_VALUE, ps_xml_place(element), "<overheads> has %s", wrong);
    return !wrong;
}

gboolean ps_gpu_read_overheads(PsGpu *gpu, const xmlNode *element, GError **error)
{
    PsOverheads *overheads = &gpu->overheads;
    overheads->stated = TRUE;
    return ps_gpu_read_fields(gpu, &ps_gpu_fields_overheads, element, gpu, error) &&
           check_overheads(overheads, element, error);
}

gboolean ps_gpu_read_host_link(PsGpu *gpu, const xmlNode *element, GError **error)
{
    gpu->host.stated = TRUE;
    return ps_gpu_read_fields(gpu, &ps_gpu_fields_host_link, element, gpu, error);
}

/* A description that asks for a refinement must state what it needs. */
static gboolean check_model(const PsGpu *gpu, const xmlNode *element, GError **error)
{
    const PsPlace place = ps_xml_place(element);
    if (gpu->model.schedulers && (gpu->schedulers == 0 || gpu->issue_width.num == 0)) {
        ps_error_at(error, PS_ERROR_VALUE, place,
                    "<model> asks for schedulers, but <chip> does not state %s; add it, or say "
                    "schedulers=\"off\"",
                    gpu->schedulers == 0 ? "how many there are (schedulers)"
                                         : "their issue width (issue-width)");
        return FALSE;
    }
    if (gpu->model.overheads && !gpu->overheads.stated) {
        ps_error_at(error, PS_ERROR_VALUE, place,
                    "<model> asks for overheads, but there is no <overheads> that states them; add "
                    "it, or say overheads=\"off\"");
        return FALSE;
    }
    if (gpu->model.levels && !gpu->memory.levels) {
        ps_error_at(error, PS_ERROR_VALUE, place,
                    "<model> asks for levels, but there is no <memory> that states them; add it, "
                    "or say levels=\"off\"");
        return FALSE;
    }
    return TRUE;
}

gboolean ps_gpu_read_model(PsGpu *gpu, const xmlNode *element, GError **error)
{
    return ps_fields_read(&ps_gpu_fields_model, element, gpu, error) &&
           check_model(gpu, element, error);
}
