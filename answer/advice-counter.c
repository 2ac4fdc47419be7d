/* SPDX-License-Identifier: BSD-3-Clause */
/* Advice on loops' counters that are converted in each iteration. See strength.h. */
#include "answer/strength.h"

#include "base/class-name.h"

#include <string.h>

/* An addition that adds to its own result. */
static gboolean is_counter(const PsProgram *program, guint node)
{
    const PsProgramNode *at = &program->nodes[node];
    gboolean counts = FALSE;
    for (guint d = 0; d < at->n_deps; d++)
        counts |= at->deps[d].on == node;
    return counts && at->n_loops > 0 && ps_class_covers("iadd", at->item->class_name);
}

/* Whether a node waits for a counter, and for nothing else but what a loop begins with. */
static gboolean is_of_counter(const PsProgram *program, guint node, int depth)
{
    const PsProgramNode *at = &program->nodes[node];
    gboolean of_counter = FALSE;
    for (guint d = 0; d < at->n_deps; d++) {
        const guint on = at->deps[d].on;
        const PsProgramNode *from = &program->nodes[on];
        if (at->deps[d].fence || on == node || from->n_loops < at->n_loops)
            continue;
        if (!is_counter(program, on) &&
            !(depth > 0 && ps_class_covers("iadd", from->item->class_name) &&
              is_of_counter(program, on, depth - 1)))
            return FALSE;
        of_counter = TRUE;
    }
    return of_counter && at->n_loops > 0;
}

static gboolean makes_single(const PsIdgItem *node)
{
    return !node->part && g_str_has_prefix(node->op ? node->op : "", "cvt.rn.f32.") &&
           strchr("su", node->op[strlen("cvt.rn.f32.")]);
}

void ps_advice_counters(PsAdvicePlan *plan)
{
    g_autoptr(PsStrength) strength = ps_strength_new(plan->answer);
    const PsKernel *kernel = plan->answer->kernel;
    for (guint p = 0; p < kernel->n_programs; p++)
        for (guint n = 0; n < kernel->programs[p].n_nodes; n++) {
            const PsIdgItem *node = kernel->programs[p].nodes[n].item;
            if (makes_single(node) && is_of_counter(&kernel->programs[p], n, 2))
                ps_strength_set(strength, node, "=fadd:*");
        }
    ps_strength_add(plan, strength, PS_STRENGTH_LINES,
                    &(PsAdviceAbout){PS_CAUSE_CONVERSION, PS_CHANGE_COUNTER});
}
