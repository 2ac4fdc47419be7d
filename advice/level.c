/* SPDX-License-Identifier: BSD-3-Clause */
/* Advice on levels of memory that are saturated (R7). See kind.h. */
#include "advice/access.h"

#include "answer/figures.h"
#include "tell/format.h"
#include "tell/words.h"

static char *sentence(const PsAnswer *answer, const PsAdvice *advice)
{
    g_autofree char *share = ps_format_share(ps_server_utilization(answer, advice->server));
    g_autofree char *text = ps_server_words(advice->server);
    g_autofree char *gives = ps_would_give(answer, advice),
                    *name = ps_advice_class_words(answer, advice);
    return g_strdup_printf("%s is busy %s of the time: less traffic there helps (%s above all); "
                           "half of it for each instruction %s",
                           text, share, name, gives);
}

static const PsAdviceChange faster = {.name = "level", .sentence = sentence};

/* Moving half of the bytes takes as long as moving all at twice the rate. */
static PsVariant *double_rate(const PsAdvicePlan *plan, const PsMemoryLevel *level)
{
    PsVariant *variant = ps_variant_new(plan->question);
    PsWhatIf *what_if = ps_variant_times_level(variant, plan->answer, level->level);
    what_if->bandwidth = what_if->port = PS_RATIONAL_INT(2);
    return variant;
}

/* TRUE if a node moves no more at the level than its threads request, and cannot have moved the
 * same data before: repeated passes would be loops of their own, or loops around one. */
static gboolean asks_once(const PsProgramNode *node, PsLevel level)
{
    return node->n_loops <= 1 && ps_rational_cmp(node->share[level], PS_RATIONAL_INT(1)) <= 0;
}

static gboolean reaches(const PsProgramNode *node, PsLevel level)
{
    return node->bytes > 0 && node->count > 0 && node->share[level].num > 0;
}

/* TRUE if each byte that crosses the level is requested once: then the kernel needs all of them. */
static gboolean moves_once(const PsAnswer *answer, PsLevel level)
{
    const PsProgramNode *first = NULL;
    for (guint p = 0; p < answer->kernel->n_programs; p++)
        for (guint n = 0; n < answer->kernel->programs[p].n_nodes; n++) {
            const PsProgramNode *node = &answer->kernel->programs[p].nodes[n];
            if (!reaches(node, level))
                continue;
            first = first ? first : node;
            if (!asks_once(node, level) || ps_access_loop(node) != ps_access_loop(first))
                return FALSE;
        }
    return TRUE;
}

/* A class that is known to move more than necessary is told there. If the kernel needs everything
 * that device memory moves, nothing is left to tell. */
static void find(PsAdvicePlan *plan)
{
    const PsAnswer *answer = plan->answer;
    if (ps_advice_is_at_ceiling(answer))
        return;
    for (guint i = 0; i < answer->machine->n_levels; i++) {
        const PsServerRow *row = answer->servers->pdata[i];
        const guint busiest = ps_server_busiest_class(answer, row);
        if (ps_server_utilization(answer, row) < PS_NEARLY_SATURATED ||
            ps_advice_has_avoidable(plan, answer->machine->classes[busiest].asked))
            continue;
        if (answer->machine->levels[i].level == PS_LEVEL_DEVICE &&
            moves_once(answer, PS_LEVEL_DEVICE))
            continue;
        PsVariant *variant = double_rate(plan, &answer->machine->levels[i]);
        ps_advice_add(plan, PS_CAUSE_BANDWIDTH, &faster, busiest, variant)->advice->server = row;
    }
}

const PsAdviceKind ps_advice_kind_level = {.find = find};
