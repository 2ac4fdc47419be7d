/* SPDX-License-Identifier: BSD-3-Clause */
/* Advice on the launch: groups at once, groups that leave compute units idle, what launches cost.
 * See kind.h. */
#include "advice/kind.h"

/* ---- groups at once ------------------------------------------------------------------------ */

static gint64 fitting(const PsAnswer *answer, gint64 registers, gint64 local_memory)
{
    PsGroupNeeds needs = ps_kernel_needs(answer->kernel, answer->machine->launch.group_size);
    needs.registers = registers;
    needs.local_memory = local_memory;
    PsOccupancy occupancy;
    return ps_gpu_occupancy(answer->gpu, &needs, &occupancy, NULL) ? occupancy.groups : 0;
}

/* The largest need, below what it is, with which so many groups fit as far as that resource goes;
 * the other resource is given as much as it takes. 0 where there is none. */
static gint64 largest_need(const PsAnswer *answer, gboolean registers, gint64 groups)
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

/* Whether less of the limited resources could make room for that many groups. */
static gboolean can_fit(const PsAnswer *answer, gint64 groups)
{
    const PsLaunch *launch = &answer->machine->launch;
    if (launch->limited_by & (PS_LIMIT_WARPS | PS_LIMIT_GROUPS | PS_LIMIT_SCALAR_REGISTERS))
        return FALSE;
    return (!(launch->limited_by & PS_LIMIT_REGISTERS) || largest_need(answer, TRUE, groups) > 0) &&
           (!(launch->limited_by & PS_LIMIT_LOCAL_MEMORY) ||
            largest_need(answer, FALSE, groups) > 0);
}

/* With what lets one more group fit, several may. */
static gint64 that_fit(const PsAnswer *answer, gint64 groups)
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

/* As many as fit, where fewer were asked for: what is waited for is the cause, if it is known. */
static void add_active(PsAdvicePlan *plan, gint64 groups)
{
    const PsExplainShare *top = ps_advice_longest_latency(plan->answer);
    PsVariant *variant = ps_variant_new(plan->question);
    ps_variant_set_active(variant, plan->answer, groups);
    PsAdvice *advice = ps_advice_add(plan, top ? PS_CAUSE_LATENCY : PS_CAUSE_OCCUPANCY,
                                     PS_CHANGE_ACTIVE, top ? top->class_index : G_MAXUINT, variant)
                           ->advice;
    advice->groups = groups;
    advice->share = top ? top->share : 0;
}

/* One more, or as many as fit with what that takes. */
static void add_needs(PsAdvicePlan *plan, gint64 wanted)
{
    const PsAnswer *answer = plan->answer;
    const guint limits = answer->machine->launch.limited_by;
    PsVariant *variant = ps_variant_new(plan->question);
    PsAdvice *advice =
        ps_advice_add(plan, PS_CAUSE_OCCUPANCY, PS_CHANGE_NEEDS, G_MAXUINT, variant)->advice;
    advice->groups = that_fit(answer, wanted);
    ps_variant_set_active(variant, answer, advice->groups);
    advice->registers = limits & PS_LIMIT_REGISTERS ? largest_need(answer, TRUE, wanted) : 0;
    advice->local_memory = limits & PS_LIMIT_LOCAL_MEMORY ? largest_need(answer, FALSE, wanted) : 0;
}

void ps_advice_occupancy(PsAdvicePlan *plan)
{
    const PsLaunch *launch = &plan->answer->machine->launch;
    const gint64 fit = MIN(launch->fitting_groups, launch->groups_per_cu);
    const gint64 wanted = launch->active_groups + 1;
    if (launch->forced && launch->active_groups < fit)
        add_active(plan, fit);
    else if (!launch->forced && wanted <= launch->groups_per_cu && can_fit(plan->answer, wanted))
        add_needs(plan, wanted);
}

/* ---- groups that leave compute units idle -------------------------------------------------- */

static PsAdviceItem *add_groups(PsAdvicePlan *plan, gint64 groups, PsChange change)
{
    PsVariant *variant = ps_variant_new(plan->question);
    variant->question.launch.groups = groups;
    variant->share = (double)plan->answer->explain->tail / (double)plan->answer->result.ticks;
    PsAdviceItem *item = ps_advice_add(plan, PS_CAUSE_TAIL, change, G_MAXUINT, variant);
    item->advice->groups = groups;
    return item;
}

/* Numbers of groups with which all CUs end at once: the next one below makes the same work take
 * less, if there is more of it in each group; where all groups run at once, that above takes as
 * long as now. */
void ps_advice_tail(PsAdvicePlan *plan)
{
    const PsLaunch *launch = &plan->answer->machine->launch;
    const gint64 cus = plan->answer->gpu->compute_units, each = launch->groups / cus;
    const gint64 round = cus * MIN(each, launch->active_groups);
    if (round > 0 && launch->groups % round != 0) {
        const gint64 even = launch->groups / round * round;
        PsAdviceItem *item = add_groups(plan, even, PS_CHANGE_EVEN_GROUPS);
        item->weight = (double)launch->groups / (double)even;
        item->more_than = PS_CHANGE_SHAPE;
    }
    if (each < launch->active_groups && launch->groups % cus != 0)
        add_groups(plan, (each + 1) * cus, PS_CHANGE_MORE_GROUPS);
}

/* ---- what launches cost -------------------------------------------------------------------- */

void ps_advice_launch(PsAdvicePlan *plan)
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
    ps_advice_add(plan, PS_CAUSE_LAUNCH, PS_CHANGE_NO_OVERHEADS, G_MAXUINT, variant)->more_than =
        PS_CHANGE_SHAPE;
}
