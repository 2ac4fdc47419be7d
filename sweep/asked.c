/* SPDX-License-Identifier: BSD-3-Clause */
/* See asked.h. */
#include "sweep/asked.h"

gboolean ps_sweep_is_of_code(const GPtrArray *axes)
{
    for (guint i = 0; i < axes->len; i++)
        if (ps_sweep_axis_is_code(axes->pdata[i]))
            return TRUE;
    return FALSE;
}

gboolean ps_sweep_question(const PsSweepAsked *asked, const PsIdg *idg, const PsGpu *gpu,
                           PsQuestion *question, GError **error)
{
    *question = asked->question;
    question->idg = idg;
    question->gpu = gpu;
    return ps_asked_question_clock(asked->prefix, &asked->clock, gpu, &question->clock, error);
}
