/* SPDX-License-Identifier: BSD-3-Clause */
/* See notes.h. */
#include "advice/notes.h"

#include "answer/sensitivity.h"
#include "answer/source-file.h"

void ps_answer_note_untried(PsAnswer *answer, gboolean has_budget)
{
    const PsSensitivities *known = answer->sensitivities;
    const char *why = has_budget ? "time was out" : "each takes long";
    const char *more = has_budget ? ""
                                  : "; they concern the smallest parts of the critical path, and a "
                                    "budget of more seconds allows more";
    if (known->untried)
        g_ptr_array_add(answer->warnings,
                        g_strdup_printf("%s: %u of %u simulations of other inputs were not made, "
                                        "so their gains are not known%s",
                                        why, known->untried, known->runs + known->untried, more));
}

void ps_answer_note_changed_source(PsAnswer *answer)
{
    const PsIdg *idg = answer->idg;
    if (!idg->file || !idg->digest)
        return;
    g_autoptr(PsSourceFile) source = ps_source_file_new(idg, idg->file);
    if (source->changed)
        g_ptr_array_add(answer->warnings,
                        g_strdup_printf("%s: lines are those of then", source->why));
}
