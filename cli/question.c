/* SPDX-License-Identifier: BSD-3-Clause */
/* See question.h. */
#include "cli/question.h"

gboolean question_of(const Options *options, const PsIdg *idg, const PsGpu *gpu,
                     PsQuestion *question, GError **error)
{
    const gboolean shows = options->explain || options->report || options->given[OPTION_LISTING].on;
    *question = (PsQuestion){.idg = idg,
                             .gpu = gpu,
                             .params = options->params,
                             .launch = options->launch,
                             .refinements = &options->refinements,
                             .clamp = options->clamp,
                             .no_fast_forward = options->no_fast_forward,
                             .precision = options->precision,
                             .deadline = options->deadline,
                             .explain = shows || options->advise,
                             .sketch = !shows};
    return ps_asked_question_clock("--", &options->clock, gpu, &question->clock, error);
}

PsVariedQuestion *varied_question_of(const Options *options, const PsIdg *idg, const PsGpu *gpu,
                                     const PsRational *values, guint n, GError **error)
{
    PsQuestion base;
    if (!question_of(options, idg, gpu, &base, error))
        return NULL;
    return ps_varied_question_new(&base, options->vary, values, n, options->what_if_text, error);
}
