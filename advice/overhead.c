/* SPDX-License-Identifier: BSD-3-Clause */
/* Advice on the cost of launches. See kind.h. */
#include "advice/kind.h"

#include "tell/format.h"

static char *sentence(const PsAnswer *answer, const PsAdvice *advice)
{
    g_autofree char *gives = ps_would_give(answer, advice);
    g_autofree char *kernel = ps_format_time(answer->launch_seconds);
    return g_strdup_printf(
        "launches that cost nothing (the kernel's takes %s, each group's some more) "
        "%s: more work for each launch, and larger groups, come near to that",
        kernel, gives);
}

static const PsAdviceChange no_overheads = {.name = "no-overheads", .sentence = sentence};

static void find(PsAdvicePlan *plan)
{
    const PsAnswer *answer = plan->answer;
    const double share = answer->launch_seconds / answer->seconds +
                         ps_explain_path_share(answer, PS_PATH_LAUNCH, G_MAXUINT) +
                         ps_explain_path_share(answer, PS_PATH_PLACE, G_MAXUINT);
    if (!answer->machine->refinements.overheads ||
        (answer->explain->path && share < PS_ADVICE_LEAST))
        return;
    PsVariant *variant = ps_variant_new(plan->question);
    PsRefinementOptions *without = g_new0(PsRefinementOptions, 1);
    if (plan->question->refinements)
        *without = *plan->question->refinements;
    without->overheads = PS_CHOICE_OFF;
    variant->question.refinements = variant->refinements = without;
    variant->share = share;
    ps_advice_add(plan, PS_CAUSE_LAUNCH, &no_overheads, G_MAXUINT, variant)->more_than =
        &ps_change_shape;
}

const PsAdviceKind ps_advice_kind_overhead = {.find = find};
