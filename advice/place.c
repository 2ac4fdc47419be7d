/* SPDX-License-Identifier: BSD-3-Clause */
/* Where in the code advice is about. See kind.h. */
#include "advice/kind.h"

#include "answer/answer-private.h"

/* The class that is longest on the path, among those that are waited for. */
static const PsPathRow *longest_of(const PsAnswer *answer, const PsAdvice *advice)
{
    const PsPathRow *longest = NULL;
    for (guint i = 0; i < advice->classes->len; i++) {
        const PsPathRow *row =
            ps_cause_row(answer, advice->cause, g_array_index(advice->classes, guint, i));
        if (row && (!longest || row->ticks > longest->ticks))
            longest = row;
    }
    return longest;
}

/* The busiest of several pipelines counts. */
static guint class_of(const PsAnswer *answer, const PsAdvice *advice)
{
    return advice->class_index == G_MAXUINT && advice->pipelines
               ? ps_busiest_class(answer, g_array_index(advice->pipelines, guint, 0))
               : advice->class_index;
}

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
        return; /* whoever made it knows */
    const guint class_index = class_of(answer, advice);
    const PsPathRow *row = advice->classes ? longest_of(answer, advice)
                                           : ps_cause_row(answer, advice->cause, class_index);
    if (row && row->node != G_MAXUINT) {
        advice->program = row->program;
        advice->node = row->node;
    } else if (class_index != G_MAXUINT) {
        place_first(answer, class_index, advice);
    }
}
