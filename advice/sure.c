/* SPDX-License-Identifier: BSD-3-Clause */
/* How sure advice is, by the figures that it rests on. See kind.h. */
#include "advice/kind.h"
#include "answer/figures.h"

static gboolean is_about(const PsAnswer *answer, const PsAdvice *advice, guint class_index)
{
    if (advice->change->is_about)
        return advice->change->is_about(answer, advice, class_index);
    return advice->class_index == G_MAXUINT
               ? ps_explain_path_share(answer, PS_PATH_N_KINDS, class_index) >= PS_ADVICE_LEAST
               : advice->class_index == class_index;
}

void ps_advice_find_sure(const PsAnswer *answer, PsAdvice *advice)
{
    g_autofree gboolean *about = g_new(gboolean, answer->machine->n_classes);
    for (guint i = 0; i < answer->machine->n_classes; i++)
        about[i] = is_about(answer, advice, i);
    advice->trust = ps_answer_trust_of(answer, about, advice->class_index == G_MAXUINT);
}
