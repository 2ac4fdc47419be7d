/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads what a description says of refinements (docs/reference/model.md, section 4): which it asks
 * for, and what launches cost. The schema has checked the words.
 */
#include "gpu/internal.h"

/* What a timer counts includes the launch. */
static gboolean check_overheads(const PsOverheads *overheads, const xmlNode *element,
                                GError **error)
{
    if (!overheads->timer.num || ps_rational_cmp(overheads->timer, overheads->kernel_launch) >= 0)
        return TRUE;
    ps_error_at(error, PS_ERROR_VALUE, ps_xml_place(element),
                "<overheads> has a timer that counts less than the launch in it: make 'timer' at "
                "least 'kernel-launch'");
    return FALSE;
}

gboolean ps_gpu_read_overheads(PsGpu *gpu, const xmlNode *element, GError **error)
{
    PsOverheads *overheads = &gpu->overheads;
    overheads->stated = TRUE;
    return ps_xml_decimal(element, "kernel-launch", &overheads->kernel_launch, error) &&
           ps_xml_decimal(element, "group-launch", &overheads->group_launch, error) &&
           ps_xml_decimal(element, "group-interval", &overheads->group_interval, error) &&
           ps_xml_decimal(element, "turnaround", &overheads->turnaround, error) &&
           ps_xml_decimal(element, "dispatch", &overheads->dispatch, error) &&
           ps_xml_decimal(element, "timer", &overheads->timer, error) &&
           ps_gpu_read_source_id(gpu, element, &overheads->source, error) &&
           check_overheads(overheads, element, error);
}

static gboolean has_word(const xmlNode *element, const char *attribute, const char *word)
{
    g_autofree char *text = ps_xml_text(element, attribute);
    return g_strcmp0(text, word) == 0;
}

static PsPolicy read_policy(const xmlNode *element)
{
    for (PsPolicy policy = PS_POLICY_FIFO; policy <= PS_POLICY_OLDEST; policy++)
        if (has_word(element, "policy", ps_policy_name(policy)))
            return policy;
    return PS_POLICY_FIFO;
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
    gpu->model = (PsModel){
        .schedulers = has_word(element, "schedulers", "on"),
        .order = has_word(element, "order", "program") ? PS_ORDER_PROGRAM : PS_ORDER_DATAFLOW,
        .policy = read_policy(element),
        .contention = has_word(element, "contention", "on"),
        .overheads = has_word(element, "overheads", "on"),
        .all_cus = has_word(element, "cus", "all"),
        .levels = has_word(element, "levels", "on"),
    };
    return check_model(gpu, element, error);
}
