/* SPDX-License-Identifier: BSD-3-Clause */
/* Advice on issue ports for which warps wait. See kind.h. */
#include "advice/kind.h"

#include "tell/format.h"

typedef struct {
    double share; /* share of the critical path that waits for ports */
} Waiting;

/* ---- what is said of it -------------------------------------------------------------------- */

static char *sentence(const PsAnswer *answer, const PsAdvice *advice)
{
    g_autofree char *share = ps_format_share(((const Waiting *)advice->data)->share);
    g_autofree char *gives = ps_would_give(answer, advice),
                    *name = ps_advice_class_words(answer, advice);
    g_autofree char *width = ps_format_rational(answer->machine->refinements.issue_width);
    return g_strdup_printf("schedulers issue %s per cycle at most: %s of the critical path waits "
                           "for their ports (%s above all), so fewer instructions of any class "
                           "help; twice as many per cycle %s",
                           width, share, name, gives);
}

static void tell_figures(const PsAdvice *advice, PsTold *facts)
{
    ps_tell_entry_figure(facts, "path_share", ((const Waiting *)advice->data)->share);
}

static const PsAdviceChange ports = {
    .name = "ports", .sentence = sentence, .tell_figures = tell_figures};

/* -------------------------------------------------------------------------------------------- */

/* The share of the critical path that waits for issue ports, and the class that holds them
 * longest. */
static double waiting_for_ports(const PsAnswer *answer, guint *class_index)
{
    const GPtrArray *shares = answer->explain->by_class;
    double sum = 0;
    *class_index = G_MAXUINT;
    for (guint i = 0; shares && i < shares->len; i++) {
        const PsExplainShare *share = shares->pdata[i];
        if (share->kind != PS_PATH_PORT)
            continue;
        if (*class_index == G_MAXUINT)
            *class_index = share->class_index;
        sum += share->share;
    }
    return sum;
}

/* Each instruction takes its port equally long, so half as many instructions leave as much room as
 * ports twice as wide. A gain above the path's waits for ports is chance. */
static void find(PsAdvicePlan *plan)
{
    const PsAnswer *answer = plan->answer;
    guint class_index;
    const double share = waiting_for_ports(answer, &class_index);
    if (answer->machine->refinements.schedulers == 0 || share < PS_ADVICE_LEAST ||
        class_index == G_MAXUINT)
        return;
    PsVariant *variant = ps_variant_new(plan->question);
    variant->question.ports = 2;
    variant->share = share;
    variant->question.clamp = PS_CLAMP_NONE;
    PsAdvice *advice =
        ps_advice_add(plan, PS_CAUSE_ISSUE_PORT, &ports, class_index, variant)->advice;
    ps_advice_data_new(advice, Waiting)->share = share;
}

const PsAdviceKind ps_advice_kind_port = {.find = find};
