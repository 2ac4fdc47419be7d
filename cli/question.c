/* SPDX-License-Identifier: BSD-3-Clause */
/* See question.h. */
#include "cli/question.h"

PsQuestion question_base(const Options *options)
{
    const gboolean shows = options->explain || options->report || options->given[OPTION_LISTING].on;
    return (PsQuestion){.params = options->params,
                        .launch = options->launch,
                        .refinements = &options->refinements,
                        .clamp = options->clamp,
                        .no_fast_forward = options->no_fast_forward,
                        .precision = options->precision,
                        .deadline = options->deadline,
                        .explain = shows || options->advise,
                        .sketch = !shows};
}

PsVariedQuestion *question_of(const Options *options, const PsIdg *idg, const PsGpu *gpu,
                              GError **error)
{
    PsQuestion base = question_base(options);
    base.idg = idg;
    base.gpu = gpu;
    if (!ps_asked_question_clock("--", &options->clock, gpu, &base.clock, error))
        return NULL;
    return ps_varied_question_new(&base, options->vary, NULL, 0, options->what_if_text, error);
}
