/* SPDX-License-Identifier: BSD-3-Clause */
/* Advice on the launch: groups at once, groups that leave compute units idle, what launches cost.
 * See advice-private.h. */
#include "answer/advice-private.h"
#include "cli/report/format.h"

#include <math.h>
#include <string.h>

/* ---- groups at once ------------------------------------------------------------------------ */

static gint64 fitting(const Answer *answer, gint64 registers, gint64 local_memory)
{
    PsGroupNeeds needs = ps_kernel_needs(answer->kernel, answer->machine->launch.group_size);
    needs.registers = registers;
    needs.local_memory = local_memory;
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
    g_autofree char *then = format_count(has - less);
    g_autofree char *now = format_count(has);
    return g_strdup_printf("%s%s less (%s instead of %s)", amount,
                           registers ? " per thread" : " of local memory per group", then, now);
}

/* Whether less of the limited resources could make room for that many groups. */
static gboolean can_fit(const Answer *answer, gint64 groups)
{
    const PsLaunch *launch = &answer->machine->launch;
    if (launch->limited_by & (PS_LIMIT_WARPS | PS_LIMIT_GROUPS | PS_LIMIT_SCALAR_REGISTERS))
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
    const PsMachineClass *bound = &answer->machine->classes[top->class_];
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
    item->class_ = latency ? top->class_ : G_MAXUINT;
}

/* ---- groups that leave compute units idle -------------------------------------------------- */

static char *format_groups(gint64 groups)
{
    return format_noun(groups, "group");
}

/* The CUs end at different times. The gain is what the work of this launch would take in groups
 * that end together. */
static char *tell_tail(const AdvicePlan *plan, const AdviceItem *item)
{
    const PsLaunch *launch = &plan->answer->machine->launch;
    g_autofree char *units = format_noun(plan->answer->gpu->compute_units, "CU");
    g_autofree char *now = format_groups(launch->groups);
    g_autofree char *then = format_groups(item->number);
    g_autofree char *seconds = format_time(item->seconds);
    g_autofree char *before = format_time(plan->answer->seconds);
    g_autofree char *share = format_share(item->gain);
    return g_strdup_printf("%s do not fill %s with %" G_GINT64_FORMAT
                           " at once evenly: %s would take %s instead of %s, and all of the work "
                           "at that rate %s less",
                           now, units, launch->active_groups, then, seconds, before, share);
}

/* "6 groups leave 74 of 80 CUs without work", "of 80 CUs 20 run 2 groups and the others 1" */
static char *describe_room(const Answer *answer)
{
    const gint64 groups = answer->machine->launch.groups, cus = answer->gpu->compute_units;
    g_autofree char *units = format_noun(cus, "CU");
    g_autofree char *now = format_groups(groups);
    if (groups < cus)
        return g_strdup_printf("%s %s %" G_GINT64_FORMAT " of %s without work", now,
                               groups == 1 ? "leaves" : "leave", cus - groups, units);
    g_autofree char *most = format_groups(groups / cus + 1);
    return g_strdup_printf("of %s %" G_GINT64_FORMAT " %s %s and the others %" G_GINT64_FORMAT,
                           units, groups % cus, groups % cus == 1 ? "runs" : "run", most,
                           groups / cus);
}

/* Some CUs have less to do than others, or nothing, all the time. That this launch would take less
 * time by other groups is not known; that there is room for more is. */
static char *tell_room(const AdvicePlan *plan, const AdviceItem *item)
{
    const gint64 groups = plan->answer->machine->launch.groups;
    g_autofree char *room = describe_room(plan->answer);
    g_autofree char *then = format_groups(item->number);
    g_autofree char *seconds = format_time(item->seconds);
    g_autofree char *times = item->number % groups == 0
                                 ? g_strdup_printf("%" G_GINT64_FORMAT, item->number / groups)
                                 : format_number((double)item->number / (double)groups);
    return g_strdup_printf("%s: %s would take no longer (%s), so there is room for %s times the "
                           "work in each launch",
                           room, then, seconds, times);
}

static AdviceItem *add_groups(AdvicePlan *plan, gint64 groups, AdviceTell tell)
{
    Trial *trial = trial_new(plan->question);
    trial->question.launch.groups = groups;
    AdviceItem *item = advice_add(plan, "tail", tell, trial);
    item->number = groups;
    return item;
}

/* Numbers of groups with which all CUs end at once: the next one below makes the same work take
 * less, if there is more of it in each group; where all groups run at once, that above takes as
 * long as now. */
void advice_tail(AdvicePlan *plan)
{
    const PsLaunch *launch = &plan->answer->machine->launch;
    const gint64 cus = plan->answer->gpu->compute_units, each = launch->groups / cus;
    const gint64 round = cus * MIN(each, launch->active_groups);
    if (round > 0 && launch->groups % round != 0) {
        const gint64 even = launch->groups / round * round;
        AdviceItem *item = add_groups(plan, even, tell_tail);
        item->weight = (double)launch->groups / (double)even;
    }
    if (each < launch->active_groups && launch->groups % cus != 0) {
        AdviceItem *item = add_groups(plan, (each + 1) * cus, tell_room);
        item->is_room = TRUE;
    }
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
