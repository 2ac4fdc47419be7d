/* SPDX-License-Identifier: BSD-3-Clause */
/* Advice on counters of loops that are converted in each iteration. See strength.h. */
#include "advice/strength.h"

#include "base/class-name.h"

#include <string.h>

static char *sentence(const PsAnswer *answer, const PsAdvice *advice)
{
    return ps_cheaper_sentence(
        answer, advice,
        g_strdup("the loop's counter is converted in each iteration: a second counter, of "
                 "float (exact up to 2^24),"));
}

static const PsAdviceChange second_counter = PS_CHEAPER_CHANGE("counter", sentence);

typedef struct {
    const PsProgram *program;
    GHashTable *number; /* name -> number of the node, as a pointer */
} Nodes;

/* The nodes that one waits for; in machine code, also those whose results it reads without a
 * wait. */
static GArray *sources_of(const Nodes *nodes, guint node)
{
    const PsProgramNode *at = &nodes->program->nodes[node];
    GArray *sources = g_array_new(FALSE, FALSE, sizeof(guint));
    for (guint d = 0; d < at->n_deps; d++)
        if (!at->deps[d].fence)
            g_array_append_val(sources, at->deps[d].on);
    for (guint r = 0; at->item->reads && r < at->item->reads->len; r++) {
        gpointer number;
        if (g_hash_table_lookup_extended(
                nodes->number, ((const PsIdgDep *)at->item->reads->pdata[r])->on, NULL, &number)) {
            const guint on = GPOINTER_TO_UINT(number);
            g_array_append_val(sources, on);
        }
    }
    return sources;
}

/* TRUE for an addition to its own result, or for an instruction that counts and branches back. */
static gboolean is_counter(const Nodes *nodes, guint node)
{
    const PsProgramNode *at = &nodes->program->nodes[node];
    g_autoptr(GArray) sources = sources_of(nodes, node);
    gboolean counts = ps_class_covers("loop", at->item->class_name);
    for (guint s = 0; s < sources->len; s++)
        counts |= g_array_index(sources, guint, s) == node &&
                  ps_class_covers("iadd", at->item->class_name);
    return counts && at->n_loops > 0;
}

/* TRUE if a node waits for a counter, and otherwise only for values from before the loop. */
static gboolean is_of_counter(const Nodes *nodes, guint node, int depth)
{
    const PsProgramNode *at = &nodes->program->nodes[node];
    g_autoptr(GArray) sources = sources_of(nodes, node);
    gboolean of_counter = FALSE;
    for (guint s = 0; s < sources->len; s++) {
        const guint on = g_array_index(sources, guint, s);
        const PsProgramNode *from = &nodes->program->nodes[on];
        if (on == node || from->n_loops < at->n_loops)
            continue;
        if (!is_counter(nodes, on) &&
            !(depth > 0 && ps_class_covers("iadd", from->item->class_name) &&
              is_of_counter(nodes, on, depth - 1)))
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

/* Replaces conversions of counters by additions. */
static void choose(PsStrength *strength, const PsProgram *program)
{
    g_autoptr(GHashTable) number = g_hash_table_new(g_str_hash, g_str_equal);
    const Nodes nodes = {program, number};
    for (guint n = 0; n < program->n_nodes; n++)
        g_hash_table_insert(number, program->nodes[n].item->name, GUINT_TO_POINTER(n));
    for (guint n = 0; n < program->n_nodes; n++)
        if (makes_single(program->nodes[n].item) && is_of_counter(&nodes, n, 2))
            ps_strength_set(strength, program->nodes[n].item, "=fadd:*");
}

static void find(PsAdvicePlan *plan)
{
    g_autoptr(PsStrength) strength = ps_strength_new(plan->answer);
    for (guint p = 0; p < plan->answer->kernel->n_programs; p++)
        choose(strength, &plan->answer->kernel->programs[p]);
    ps_strength_add(plan, strength, PS_STRENGTH_LINES,
                    &(PsAdviceAbout){PS_CAUSE_CONVERSION, &second_counter});
}

const PsAdviceKind ps_advice_kind_counter = {.find = find, .copies_graph = TRUE};
