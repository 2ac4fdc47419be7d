/* SPDX-License-Identifier: BSD-3-Clause */
/* Advice on the launch: groups at once, groups that leave compute units idle, what launches cost.
 * See advice-private.h. */
#include "cli/advice-private.h"
#include "cli/format.h"

#include <math.h>
#include <string.h>

/* ---- groups at once ------------------------------------------------------------------------ */

static gint64 fitting(const Answer *answer, gint64 registers, gint64 local_memory)
{
    const PsGroupNeeds needs = {answer->machine->launch.group_size, registers, local_memory};
    PsOccupancy occupancy;
    return ps_gpu_occupancy(answer->gpu, &needs, &occupancy, NULL) ? occupancy.groups : 0;
}

/* The largest need, below what it is, with which so many groups fit as far as that resource goes;
 * the other resource is given as much as it takes. 0 where there is none. */
static gint64 largest_need(const Answer *answer, gboolean registers, gint64 groups)
{
    gint64 low = 0, high = registers ? answer->kernel->registers : answer->kernel->local_memory;
    while (low + 1 < high) {
        const gint64 middle = low + (high - low) / 2;
        if (fitting(answer, registers ? middle : 0, registers ? 0 : middle) >= groups)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* "4 registers per thread less" */
static char *describe_less(const Answer *answer, gboolean registers, gint64 groups)
{
    const gint64 has = registers ? answer->kernel->registers : answer->kernel->local_memory;
    const gint64 less = has - largest_need(answer, registers, groups);
    g_autofree char *amount = registers ? format_noun(less, "register") : format_noun(less, "byte");
    return g_strdup_printf("%s%s less (%" G_GINT64_FORMAT " instead of %" G_GINT64_FORMAT ")",
                           amount, registers ? " per thread" : " of local memory per group",
                           has - less, has);
}

/* Whether less of the limited resources could make room for that many groups. */
static gboolean can_fit(const Answer *answer, gint64 groups)
{
    const PsLaunch *launch = &answer->machine->launch;
    if (launch->limited_by & (PS_LIMIT_WARPS | PS_LIMIT_GROUPS))
        return FALSE;
    return (!(launch->limited_by & PS_LIMIT_REGISTERS) || largest_need(answer, TRUE, groups) > 0) &&
           (!(launch->limited_by & PS_LIMIT_LOCAL_MEMORY) ||
            largest_need(answer, FALSE, groups) > 0);
}

static char *tell_one_more(const AdvicePlan *plan, const AdviceItem *item)
{
    const Answer *answer = plan->answer;
    const guint limits = answer->machine->launch.limited_by;
    g_autofree char *gives = advice_would_give(plan, item);
    g_autoptr(GString) needs = g_string_new(NULL);
    for (guint registers = 0; registers < 2; registers++) {
        if (!(limits & (registers ? PS_LIMIT_REGISTERS : PS_LIMIT_LOCAL_MEMORY)))
            continue;
        g_autofree char *less =
            describe_less(answer, registers == 1, answer->machine->launch.active_groups + 1);
        g_string_append_printf(needs, "%s%s", needs->len ? " and " : "", less);
    }
    const gint64 more = item->number - answer->machine->launch.active_groups;
    return more == 1 ? g_strdup_printf("one more group per CU needs %s and %s", needs->str, gives)
                     : g_strdup_printf("%" G_GINT64_FORMAT " more groups per CU need %s and %s",
                                       more, needs->str, gives);
}

/* The completion latency that takes most of the path; NULL where another kind does. */
static const ExplainShare *longest_latency(const Answer *answer)
{
    const GPtrArray *shares = answer->explain->by_class;
    const ExplainShare *top = shares && shares->len ? shares->pdata[0] : NULL;
    return top && top->kind == PS_PATH_COMPLETION ? top : NULL;
}

static char *tell_more(const AdvicePlan *plan, const AdviceItem *item)
{
    const Answer *answer = plan->answer;
    const PsLaunch *launch = &answer->machine->launch;
    const ExplainShare *top = longest_latency(answer);
    g_autofree char *gives = advice_would_give(plan, item);
    g_autofree char *more = g_strdup_printf(
        "%" G_GINT64_FORMAT " groups at once instead of %" G_GINT64_FORMAT ", which fit, %s",
        item->number, launch->active_groups, gives);
    if (!top)
        return g_steal_pointer(&more);
    const PsBoundClass *bound = &answer->machine->classes[top->class_];
    g_autofree char *klass = ps_text_clean(bound->asked);
    g_autofree char *latency = format_rational(bound->latency.completion);
    g_autofree char *share = format_share(top->share);
    return g_strdup_printf("the completion latency of %s (%s cycles) takes %s of the critical "
                           "path, and too few warps hide it: %s",
                           klass, latency, share, more);
}

/* With what lets one more group fit, several may. */
static gint64 that_fit(const Answer *answer, gint64 groups)
{
    const PsLaunch *launch = &answer->machine->launch;
    const PsKernel *kernel = answer->kernel;
    const gint64 registers = launch->limited_by & PS_LIMIT_REGISTERS
                                 ? largest_need(answer, TRUE, groups)
                                 : kernel->registers;
    const gint64 local_memory = launch->limited_by & PS_LIMIT_LOCAL_MEMORY
                                    ? largest_need(answer, FALSE, groups)
                                    : kernel->local_memory;
    return MIN(fitting(answer, registers, local_memory), launch->groups_per_cu);
}

/* As many as fit, where fewer were asked for; else one more. */
void advice_occupancy(AdvicePlan *plan)
{
    const Answer *answer = plan->answer;
    const PsLaunch *launch = &answer->machine->launch;
    const gint64 fit = MIN(launch->fitting_groups, launch->groups_per_cu);
    const gboolean forced = launch->forced && launch->active_groups < fit;
    const gint64 wanted = forced ? fit : launch->active_groups + 1;
    if (!forced && (launch->forced || wanted > launch->groups_per_cu || !can_fit(answer, wanted)))
        return;
    Trial *trial = trial_new(plan->question);
    const gint64 groups = forced ? wanted : that_fit(answer, wanted);
    trial->question.launch.active = groups;
    const ExplainShare *top = longest_latency(answer);
    const gboolean latency = forced && top;
    AdviceItem *item = advice_add(plan, latency ? "latency" : "occupancy",
                                  forced ? tell_more : tell_one_more, trial);
    item->number = groups;
    item->klass = latency ? answer->machine->classes[top->class_].asked : NULL;
}

/* ---- groups that leave compute units idle -------------------------------------------------- */

static char *tell_tail(const AdvicePlan *plan, const AdviceItem *item)
{
    const PsLaunch *launch = &plan->answer->machine->launch;
    const gint64 cus = plan->answer->gpu->compute_units;
    g_autofree char *units = format_noun(cus, "CU");
    g_autofree char *now = format_noun(launch->groups, "group");
    g_autofree char *then = format_noun(item->number, "group");
    g_autofree char *seconds = format_time(item->seconds);
    g_autofree char *before = format_time(plan->answer->seconds);
    g_autofree char *share = format_share(item->gain);
    g_autofree char *take = strcmp(seconds, before) == 0
                                ? g_strdup_printf("no longer (%s)", seconds)
                                : g_strdup_printf("%s instead of %s", seconds, before);
    return g_strdup_printf("%s %s not fill %s with %" G_GINT64_FORMAT " at once evenly: %s would "
                           "take %s, %s less for each group",
                           now, launch->groups == 1 ? "does" : "do", units, launch->active_groups,
                           then, take, share);
}

static void add_even(AdvicePlan *plan, gint64 groups)
{
    const PsLaunch *launch = &plan->answer->machine->launch;
    if (groups <= 0 || groups == launch->groups)
        return;
    Trial *trial = trial_new(plan->question);
    trial->question.launch.groups = groups;
    AdviceItem *item = advice_add(plan, "tail", tell_tail, trial);
    item->number = groups;
    item->weight = 1.0 / (double)groups;
    item->before = plan->answer->seconds / (double)launch->groups;
}

/* Numbers of groups with which all CUs are full to the end: the next ones below and above. */
void advice_tail(AdvicePlan *plan)
{
    const PsLaunch *launch = &plan->answer->machine->launch;
    const gint64 cus = plan->answer->gpu->compute_units, at_once = launch->active_groups;
    if (cus > launch->groups / at_once) {
        if (launch->groups % cus != 0)
            add_even(plan, (launch->groups / cus + 1) * cus);
        return;
    }
    const gint64 round = cus * at_once;
    if (launch->groups % round != 0)
        add_even(plan, launch->groups / round * round);
}

/* ---- what launches cost -------------------------------------------------------------------- */

static char *tell_launch(const AdvicePlan *plan, const AdviceItem *item)
{
    g_autofree char *gives = advice_would_give(plan, item);
    g_autofree char *kernel = format_time(plan->answer->launch_seconds);
    return g_strdup_printf("launches that cost nothing (the kernel's takes %s, and each group's) "
                           "%s: more work for each launch, and larger groups, come near to that",
                           kernel, gives);
}

void advice_launch(AdvicePlan *plan)
{
    if (!plan->answer->machine->refinements.overheads)
        return;
    Trial *trial = trial_new(plan->question);
    PsRefinementOptions *without = g_new0(PsRefinementOptions, 1);
    if (plan->question->refinements)
        *without = *plan->question->refinements;
    without->overheads = PS_CHOICE_OFF;
    trial->question.refinements = trial->refinements = without;
    advice_add(plan, "launch", tell_launch, trial);
}
