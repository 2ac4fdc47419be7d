/* SPDX-License-Identifier: BSD-3-Clause */
/* How sure advice is: which figures it rests on. See
 * kind.h. */
#include "advice/kind.h"

static gboolean has(const GArray *list, guint number)
{
    for (guint i = 0; list && i < list->len; i++)
        if (g_array_index(list, guint, i) == number)
            return TRUE;
    return FALSE;
}

static gboolean is_of_launch(const PsAdvice *advice)
{
    return advice->class_index == G_MAXUINT && !advice->pipelines && !advice->classes;
}

static gboolean is_about(const PsAnswer *answer, const PsAdvice *advice, guint class_index)
{
    return is_of_launch(advice)
               ? ps_explain_path_share(answer, PS_PATH_N_KINDS, class_index) >= PS_ADVICE_LEAST
               : advice->class_index == class_index || has(advice->classes, class_index) ||
                     has(advice->pipelines, answer->machine->classes[class_index].pipeline);
}

void ps_advice_find_sure(const PsAnswer *answer, PsAdvice *advice)
{
    g_autofree gboolean *about = g_new(gboolean, answer->machine->n_classes);
    for (guint i = 0; i < answer->machine->n_classes; i++)
        about[i] = is_about(answer, advice, i);
    advice->trust = ps_answer_trust_of(answer, about, is_of_launch(advice));
}
