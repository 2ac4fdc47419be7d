/* SPDX-License-Identifier: BSD-3-Clause */
/* See roofline-json.h and roofline-asked.h. */
#include "tell/roofline-json.h"

#include "answer/asked.h"
#include "tell/roofline-asked.h"

/* Counts the graph's launch for warps of the GPU's size, with notes for the reader. */
static gboolean count(const PsQuestion *question, PsProfileKernel *counted, const char *path,
                      PsNotes *notes, GError **error)
{
    const PsWavesOf of = {question->idg, question->params, question->launch.groups,
                          question->launch.group_size, question->gpu->warp_size};
    g_autoptr(GPtrArray) warnings = g_ptr_array_new_with_free_func(g_free);
    if (!ps_launch_count(&of, &counted->metrics, warnings, error))
        return FALSE;
    ps_params_from_metrics(&counted->metrics, &counted->params);
    for (guint i = 0; i < warnings->len; i++)
        ps_notes_add_warning(notes, path, warnings->pdata[i]);
    return TRUE;
}

PsRooflineKernel *ps_question_roofline(PsQuestion *question, double measured, GArray *gpus,
                                       PsNotes *notes, GError **error)
{
    const PsAsked *asked = (const PsAsked *)question;
    const PsIdg *idg = question->idg;
    const char *path = idg->path ? idg->path : idg->name;
    g_autoptr(PsProfileKernel) counted = ps_roofline_graph_kernel(idg);
    PsRational clock;
    if (!ps_asked_clock("", &asked->clock, question->gpu, &clock, error) ||
        !count(question, counted, path, notes, error))
        return NULL;
    const gboolean is_asked_for = asked->clock.choice != PS_CLOCK_USUAL;
    const PsRooflineGpu on = ps_roofline_gpu_at(question->gpu, clock, is_asked_for);
    g_array_append_val(gpus, on);
    if (measured > 0)
        counted->seconds = measured;
    return ps_roofline_kernel_new(counted, path, NULL, gpus, notes, error);
}

char *ps_question_roofline_json(PsQuestion *question, double measured, GError **error)
{
    g_autoptr(PsNotes) notes = ps_notes_new();
    g_autoptr(GArray) gpus = g_array_new(FALSE, FALSE, sizeof(PsRooflineGpu));
    g_autoptr(PsRooflineKernel) kernel =
        ps_question_roofline(question, measured, gpus, notes, error);
    if (!kernel)
        return NULL;
    g_autoptr(GPtrArray) warnings = ps_notes_texts(notes);
    PsJson json = {.out = g_string_new(NULL)};
    ps_roofline_json_begin(&json);
    ps_roofline_json_kernel(&json, kernel, gpus, FALSE);
    ps_roofline_json_end(&json, gpus, warnings);
    return g_string_free(json.out, FALSE);
}
