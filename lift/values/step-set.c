/* SPDX-License-Identifier: BSD-3-Clause */
/* See step-set.h. */
#include "lift/values/step-set.h"

gboolean ps_idiom_contains(const GArray *set, guint step)
{
    for (guint i = 0; i < set->len; i++)
        if (g_array_index(set, guint, i) == step)
            return TRUE;
    return FALSE;
}

void ps_idiom_add(GArray *set, guint step)
{
    if (step != PS_NO_STEP && !ps_idiom_contains(set, step))
        g_array_append_val(set, step);
}

GArray *ps_idiom_set_new(void)
{
    return g_array_new(FALSE, FALSE, sizeof(guint));
}

gboolean ps_idiom_same_line(const PsIdiomSearch *search, guint a, guint b)
{
    const PsPtxInstruction *x = ps_facts_instruction(search->facts, ps_step_in(search, a)->point);
    const PsPtxInstruction *y = ps_facts_instruction(search->facts, ps_step_in(search, b)->point);
    return x->source_line == y->source_line && x->file == y->file && x->call == y->call;
}

void ps_idiom_mark(const PsIdiomSearch *search, const GArray *set, guint result, const char *op)
{
    ps_step_in(search, result)->op = op;
    for (guint i = 0; i < set->len; i++) {
        PsCodeStep *step = ps_step_in(search, g_array_index(set, guint, i));
        if (step->whole == PS_NO_STEP && !step->shared && !step->op)
            step->whole = result;
        else if (step->whole != PS_NO_STEP && !ps_idiom_same_line(search, step->whole, result))
            step->shared = TRUE;
        if (step->shared)
            step->whole = PS_NO_STEP;
    }
}

guint ps_idiom_add_branch(const PsIdiomSearch *search, guint branch, GArray *set)
{
    guint begin = branch, end = branch;
    while (begin > 0 && branch - begin < PS_IDIOM_MOST_APART &&
           !ps_step_is(ps_step_in(search, begin), "BSSY"))
        begin--;
    ps_idiom_add(set, branch);
    if (!ps_step_is(ps_step_in(search, begin), "BSSY"))
        return PS_NO_STEP;
    const char *barrier = ps_step_in(search, begin)->operands[0];
    while (++end < search->steps->len && end - branch < PS_IDIOM_MOST_SUBROUTINE)
        if (ps_step_is(ps_step_in(search, end), "BSYNC") &&
            g_strcmp0(ps_step_in(search, end)->operands[0], barrier) == 0) {
            ps_idiom_add(set, begin);
            ps_idiom_add(set, end);
            return end;
        }
    return PS_NO_STEP;
}
