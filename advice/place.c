/* SPDX-License-Identifier: BSD-3-Clause */
/* The place in the code that advice is about. See kind.h. */
#include "advice/kind.h"

#include "answer/answer-private.h"

static void place_first(const PsAnswer *answer, guint class_index, PsAdvice *advice)
{
    for (guint p = 0; p < answer->kernel->n_programs; p++)
        for (guint n = 0; n < answer->kernel->programs[p].n_nodes; n++)
            if (answer->machine->class_of[p][n] == class_index && advice->node == G_MAXUINT) {
                advice->program = p;
                advice->node = n;
            }
}

void ps_advice_place(const PsAnswer *answer, PsAdvice *advice)
{
    if (advice->node != G_MAXUINT)
        return; /* its maker has set the place */
    const guint class_index = advice->class_index;
    const PsPathRow *row = ps_cause_row(answer, advice->cause, class_index);
    if (row && row->node != G_MAXUINT) {
        advice->program = row->program;
        advice->node = row->node;
    } else if (class_index != G_MAXUINT) {
        place_first(answer, class_index, advice);
    }
}
