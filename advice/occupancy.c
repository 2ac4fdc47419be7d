/* SPDX-License-Identifier: BSD-3-Clause */
/* Advice on the number of groups at once. See kind.h. */
#include "advice/kind.h"

#include "idg/words.h"
#include "tell/format.h"

#include <math.h>

typedef struct {
    gint64 groups;                  /* groups at once */
    gint64 registers, local_memory; /* needs with which one more group fits, if they limit it */
    double share;                   /* share of the critical path in its class's latency */
} More;

/* ---- what is said of it -------------------------------------------------------------------- */

/* "4 registers per thread less (28 instead of 32)" */
static void describe_less(GString *out, const char *noun, const char *of, gint64 then, gint64 now)
{
    if (then == 0)
        return;
    g_autofree char *amount = ps_format_noun(now - then, noun);
    g_autofree char *after = ps_format_count(then);
    g_autofree char *before = ps_format_count(now);
    g_string_append_printf(out, "%s%s%s less (%s instead of %s)", out->len ? " and " : "", amount,
                           of, after, before);
}

static char *describe_needs(const PsAnswer *answer, const PsAdvice *advice)
{
    const More *with = advice->data;
    const PsKernel *kernel = answer->kernel;
    g_autofree char *gives = ps_would_give(answer, advice);
    g_autoptr(GString) needs = g_string_new(NULL);
    g_autofree char *of_group =
        g_strdup_printf(" of %s per group", ps_idg_local_memory(answer->idg));
    describe_less(needs, "byte", of_group, with->local_memory, kernel->local_memory);
    describe_less(needs, "register", " per thread", with->registers, kernel->registers);
    const gint64 more = with->groups - answer->machine->launch.active_groups;
    return more == 1 ? g_strdup_printf("one more group per CU needs %s and %s", needs->str, gives)
                     : g_strdup_printf("%" G_GINT64_FORMAT " more groups per CU need %s and %s",
                                       more, needs->str, gives);
}

static char *describe_active(const PsAnswer *answer, const PsAdvice *advice)
{
    const More *with = advice->data;
    g_autofree char *gives = ps_would_give(answer, advice);
    g_autofree char *more = g_strdup_printf(
        "%" G_GINT64_FORMAT " groups at once instead of %" G_GINT64_FORMAT ", which fit, %s",
        with->groups, answer->machine->launch.active_groups, gives);
    if (advice->class_index == G_MAXUINT)
        return g_steal_pointer(&more);
    const PsMachineClass *bound = &answer->machine->classes[advice->class_index];
    g_autofree char *latency = ps_format_latency(bound->latency.completion);
    g_autofree char *share = ps_format_share(with->share),
                    *name = ps_advice_class_words(answer, advice);
    return g_strdup_printf("the completion latency of %s (%s cycles) takes %s of the critical "
                           "path, and too few warps hide it: %s",
                           name, latency, share, more);
}

static void tell_figures(const PsAdvice *advice, PsTold *facts)
{
    const More *with = advice->data;
    ps_tell_entry_whole(facts, "groups", (double)with->groups);
    if (with->registers)
        ps_tell_entry_whole(facts, "registers", (double)with->registers);
    if (with->local_memory)
        ps_tell_entry_whole(facts, "local_memory_bytes", (double)with->local_memory);
    if (with->share > 0)
        ps_tell_entry_figure(facts, "path_share", with->share);
}

static const PsAdviceChange needs_less = {
    .name = "needs", .sentence = describe_needs, .tell_figures = tell_figures};
static const PsAdviceChange more_active = {
    .name = "active", .sentence = describe_active, .tell_figures = tell_figures};

/* ---- which fit ----------------------------------------------------------------------------- */

static gint64 fitting(const PsAnswer *answer, gint64 registers, gint64 local_memory)
{
    PsGroupNeeds needs = ps_kernel_needs(answer->kernel, answer->machine->launch.group_size);
    needs.registers = registers;
    needs.local_memory = local_memory;
    PsOccupancy occupancy;
    return ps_gpu_occupancy(answer->gpu, &needs, &occupancy, NULL) ? occupancy.groups : 0;
}

/* The largest smaller need with which so many groups fit, if only this resource limited them. 0:
 * there is none. */
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

/* TRUE if that many groups fit with no fewer registers than the code has live at once. */
static gboolean registers_can_fit(const PsAnswer *answer, gint64 groups)
{
    const gint64 need = largest_need(answer, TRUE, groups);
    return need > 0 && need >= answer->kernel->alive;
}

/* TRUE if smaller needs of the limiting resources could make room for that many groups. */
static gboolean can_fit(const PsAnswer *answer, gint64 groups)
{
    const PsLaunch *launch = &answer->machine->launch;
    if (launch->limited_by &
        (PS_LIMIT_WARPS | PS_LIMIT_GROUPS | PS_LIMIT_SCALAR_REGISTERS | PS_LIMIT_TENSOR_MEMORY))
        return FALSE;
    return (!(launch->limited_by & PS_LIMIT_REGISTERS) || registers_can_fit(answer, groups)) &&
           (!(launch->limited_by & PS_LIMIT_LOCAL_MEMORY) ||
            largest_need(answer, FALSE, groups) > 0);
}

/* The needs that let one more group fit may let several fit. */
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

/* Adds advice for as many groups as fit, if fewer were asked for. The class that warps wait for is
 * the cause, if it is known. */
static void add_active(PsAdvicePlan *plan, gint64 groups)
{
    const PsExplainShare *top = ps_advice_longest_latency(plan->answer);
    PsVariant *variant = ps_variant_new(plan->question);
    ps_variant_set_active(variant, plan->answer, groups);
    PsAdvice *advice = ps_advice_add(plan, top ? PS_CAUSE_LATENCY : PS_CAUSE_OCCUPANCY,
                                     &more_active, top ? top->class_index : G_MAXUINT, variant)
                           ->advice;
    *ps_advice_data_new(advice, More) = (More){.groups = groups, .share = top ? top->share : 0};
}

/* Adds advice for one group more, or for as many as fit with the same needs. */
static void add_needs(PsAdvicePlan *plan, gint64 wanted)
{
    const PsAnswer *answer = plan->answer;
    const guint limits = answer->machine->launch.limited_by;
    PsVariant *variant = ps_variant_new(plan->question);
    PsAdvice *advice =
        ps_advice_add(plan, PS_CAUSE_OCCUPANCY, &needs_less, G_MAXUINT, variant)->advice;
    More *with = ps_advice_data_new(advice, More);
    with->groups = that_fit(answer, wanted);
    ps_variant_set_active(variant, answer, with->groups);
    with->registers = limits & PS_LIMIT_REGISTERS ? largest_need(answer, TRUE, wanted) : 0;
    with->local_memory = limits & PS_LIMIT_LOCAL_MEMORY ? largest_need(answer, FALSE, wanted) : 0;
}

static void find(PsAdvicePlan *plan)
{
    const PsLaunch *launch = &plan->answer->machine->launch;
    const gint64 fit = MIN(launch->fitting_groups, launch->groups_per_cu);
    const gint64 wanted = launch->active_groups + 1;
    if (launch->forced && launch->active_groups < fit)
        add_active(plan, fit);
    else if (!launch->forced && wanted <= launch->groups_per_cu && can_fit(plan->answer, wanted))
        add_needs(plan, wanted);
}

/* Adds the facts of the next step, which are told even if it is no advice. */
static void conclude(PsAdvicePlan *plan)
{
    for (guint i = 0; i < plan->items->len && !plan->step; i++) {
        const PsAdviceItem *item = plan->items->pdata[i];
        const PsAdvice *advice = item->advice;
        const More *with = advice->data;
        if (advice->change != &needs_less || isnan(advice->seconds))
            continue;
        plan->step = g_new(PsOccupancyStep, 1);
        *plan->step = (PsOccupancyStep){.groups = with->groups,
                                        .registers = with->registers,
                                        .local_memory = with->local_memory,
                                        .seconds = advice->seconds,
                                        .half_width = advice->half_width,
                                        .gain = advice->gain,
                                        .pays = ps_advice_is_worth_telling(plan, item)};
    }
}

const PsAdviceKind ps_advice_kind_occupancy = {.find = find, .conclude = conclude};
