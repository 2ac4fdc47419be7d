/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds what would help most, among all causes that show signs. See kind.h. */
#include "advice/kind.h"

#include <math.h>

/* Items that are told, at most. */
#define MAX_ITEMS 8

#define DECLARE_KIND(name) extern const PsAdviceKind ps_advice_kind_##name;
PS_ADVICE_KINDS(DECLARE_KIND)

#define POINT_TO_KIND(name) &ps_advice_kind_##name,
static const PsAdviceKind *const KINDS[] = {PS_ADVICE_KINDS(POINT_TO_KIND)};

/* Nodes of all variants' graphs together, at most: they take some hundreds of MB. */
#define MOST_NODES 500000

/* Making graphs may take this fraction of the remaining effort, before any is simulated. */
#define PART_FOR_GRAPHS 3

static guint count_nodes(const PsKernel *kernel)
{
    guint n = 0;
    for (guint p = 0; p < kernel->n_programs; p++)
        n += kernel->programs[p].n_nodes;
    return n;
}

/* Number of graphs among the items. */
static guint count_graphs(const PsAdvicePlan *plan)
{
    guint n = 0;
    for (guint i = 0; i < plan->items->len; i++) {
        const PsAdviceItem *item = plan->items->pdata[i];
        n += item->variant && item->variant->idg;
    }
    return n;
}

/* Plans the items with other latencies, limits and launches. */
static void plan_others(PsAdvicePlan *plan)
{
    for (guint i = 0; i < G_N_ELEMENTS(KINDS); i++)
        if (!KINDS[i]->copies_graph)
            KINDS[i]->find(plan);
}

/* Plans the items with graphs of their own; only few of a large graph, unless the user gives the
 * time. */
static void plan_graphs(PsAdvicePlan *plan)
{
    PsVariantEffort *effort = &plan->effort;
    const gint64 left = effort->most - effort->cost, each = PS_VARIANT_COPIED * effort->machine;
    const gint64 nodes = count_nodes(plan->answer->kernel);
    const gint64 most = plan->question->deadline ? G_MAXINT64
                                                 : MIN(left / PART_FOR_GRAPHS / MAX(each, 1),
                                                       MOST_NODES / MAX(nodes, 1));
    for (guint i = 0; i < G_N_ELEMENTS(KINDS); i++) {
        if (!KINDS[i]->copies_graph)
            continue;
        if (count_graphs(plan) < most)
            KINDS[i]->find(plan);
        else
            plan->sensitivities->untried++;
    }
    effort->cost += count_graphs(plan) * each;
}

/* ---- what they gain ------------------------------------------------------------------------ */

static int most_helpful_first(gconstpointer a, gconstpointer b)
{
    const PsAdviceItem *x = *(PsAdviceItem *const *)a, *y = *(PsAdviceItem *const *)b;
    return (x->advice->gain < y->advice->gain) - (x->advice->gain > y->advice->gain);
}

/* Several changes together must gain more than each alone. The cost of launches, and CUs that end
 * early, are upper bounds: if another shape of the launch gains half of that, the shape is told
 * instead. */
static void demand_more(const PsAdvicePlan *plan, PsAdviceItem *item)
{
    for (guint i = 0; item->more_than && i < plan->items->len; i++) {
        const PsAdviceItem *part = plan->items->pdata[i];
        const double gain = part->advice->gain;
        if (part->advice->change != item->more_than || gain < part->least)
            continue;
        item->least =
            fmax(item->least, item->more_than->is_nearer ? 2 * gain : gain + PS_ADVICE_LEAST);
    }
}

/* If work happens to meet differently, times change by a few per cent, up or down. The gain of
 * longer latencies shows how much of a gain is chance. */
static void demand_more_than_chance(PsAdvicePlan *plan)
{
    double chance = 0;
    for (guint i = 0; i < plan->items->len; i++) {
        const PsVariant *check = ((const PsAdviceItem *)plan->items->pdata[i])->check;
        if (check && !isnan(check->seconds) && plan->answer->seconds > 0)
            chance = fmax(chance, 1 - check->seconds / plan->answer->seconds);
    }
    for (guint i = 0; i < plan->items->len; i++) {
        PsAdviceItem *item = plan->items->pdata[i];
        if (item->check)
            item->least += chance;
    }
}

/* Finds the gain, if seconds are known: of the variant, or beforehand. */
static void find_gain(const PsAdvicePlan *plan, PsAdviceItem *item)
{
    PsAdvice *advice = item->advice;
    const double now = plan->answer->seconds;
    /* If the opposite change was not tried, a gain may be chance. */
    const gboolean is_checked = !item->check || item->check->why || !isnan(item->check->seconds);
    if (item->variant)
        advice->seconds = is_checked ? item->variant->seconds : NAN;
    if (advice->change->holds && !advice->change->holds(plan->answer, item->variant))
        advice->seconds = NAN;
    if (item->variant)
        advice->half_width = item->variant->half_width;
    if (!isnan(advice->seconds) && now > 0 && !advice->change->has_room)
        advice->gain = 1 - advice->seconds * item->weight / now;
    if (now > 0)
        item->least += hypot(plan->answer->clamped ? 0 : plan->answer->half_width,
                             advice->half_width * item->weight) /
                       now;
}

/* The time up to which an item may be worth telling. An item that makes room for more work may take
 * longer. */
static double most_seconds(const PsAdvicePlan *plan, const PsAdviceItem *item)
{
    return item->advice->change->has_room
               ? INFINITY
               : plan->answer->seconds * (1 - ps_advice_least_gain(plan->answer)) / item->weight;
}

/* The order in which variants are simulated. */
typedef enum { CHANGES, OPPOSITES_OF_GAINS, OTHER_OPPOSITES } Turn;

/* Simulates the items' changes, or the opposites of these: first the opposites of changes with any
 * gain. The other opposites only show the size of chance better. */
static gboolean simulate_all(PsAdvicePlan *plan, Turn turn, guint threads, GError **error)
{
    g_autoptr(GPtrArray) variants = g_ptr_array_new();
    for (guint i = 0; i < plan->items->len; i++) {
        const PsAdviceItem *item = plan->items->pdata[i];
        const double most = most_seconds(plan, item);
        const double seconds = item->variant ? item->variant->seconds : item->advice->seconds;
        PsVariant *variant = turn == CHANGES ? item->variant : item->check;
        if (!variant || (turn != CHANGES && (seconds < most) != (turn == OPPOSITES_OF_GAINS)))
            continue;
        variant->wanted = turn == CHANGES ? most : plan->answer->seconds;
        g_ptr_array_add(variants, variant);
    }
    if (!ps_variants_run(plan->question, variants, threads, plan->sensitivities->cache,
                         &plan->effort, error))
        return FALSE;
    if (turn != OTHER_OPPOSITES)
        plan->sensitivities->untried += ps_variants_untried(variants);
    return TRUE;
}

static gboolean simulate_items(PsAdvicePlan *plan, guint threads, GError **error)
{
    PsSensitivities *known = plan->sensitivities;
    for (Turn turn = CHANGES; turn <= OTHER_OPPOSITES; turn++)
        if (!simulate_all(plan, turn, threads, error))
            return FALSE;
    known->runs += plan->effort.runs;
    known->instructions += plan->effort.instructions;
    known->cost = plan->effort.cost;
    for (guint i = 0; i < plan->items->len; i++)
        find_gain(plan, plan->items->pdata[i]);
    demand_more_than_chance(plan);
    for (guint i = 0; i < plan->items->len; i++)
        demand_more(plan, plan->items->pdata[i]);
    for (guint i = 0; i < G_N_ELEMENTS(KINDS); i++)
        if (KINDS[i]->conclude)
            KINDS[i]->conclude(plan);
    g_ptr_array_sort(plan->items, most_helpful_first);
    return TRUE;
}

/* ---- advice -------------------------------------------------------------------------------- */

static gboolean is_covered(const GPtrArray *list, const PsAdvice *advice)
{
    for (guint i = 0; advice->change->is_covered && i < list->len; i++)
        if (advice->change->is_covered(advice, list->pdata[i]))
            return TRUE;
    return FALSE;
}

static void tell_items(const PsAdvicePlan *plan, GPtrArray *list)
{
    guint gaining = 0;
    for (guint i = 0; i < plan->items->len; i++) {
        const PsAdviceItem *item = plan->items->pdata[i];
        gaining += item->advice->gain >= item->least;
    }
    for (guint i = 0; i < plan->items->len && list->len < MAX_ITEMS; i++) {
        PsAdviceItem *item = plan->items->pdata[i];
        if (!ps_advice_is_worth_telling(plan, item) || is_covered(list, item->advice))
            continue;
        item->advice->alone = gaining == 1 && plan->sensitivities->untried == 0;
        ps_advice_place(plan->answer, item->advice);
        ps_advice_find_sure(plan->answer, item->advice);
        ps_advice_phrase(plan->answer, item->advice);
        g_ptr_array_add(list, g_steal_pointer(&item->advice));
    }
}

static void tell_nothing(const PsAnswer *answer, GPtrArray *list)
{
    PsAdvice *advice = ps_advice_nothing(answer);
    ps_advice_phrase(answer, advice);
    g_ptr_array_add(list, advice);
}

/* TRUE if another time of the tensor cores' work might lead to another clock (R13). */
static gboolean may_change_clock(const PsQuestion *asked, const PsAnswer *answer)
{
    return !asked->clock.num && asked->gpu->power_clock.num &&
           answer->roofline.metrics.value[PS_M_OPS_TENSOR] > 0;
}

gboolean ps_answer_find_advice(PsAnswer *answer, const PsQuestion *question, guint threads,
                               GError **error)
{
    g_autoptr(GPtrArray) items = g_ptr_array_new_with_free_func(ps_advice_item_free);
    g_autoptr(GPtrArray) list = g_ptr_array_new_with_free_func(ps_advice_free);
    const PsQuestion *of_asked = question;
    PsQuestion of_answer = *question;
    of_answer.clock = answer->clock;
    if (answer->of_waves)
        of_answer.idg = answer->of_waves; /* the graph that was simulated */
    question = &of_answer;
    PsAdvicePlan plan = {.question = question,
                         .answer = answer,
                         .sensitivities = answer->sensitivities,
                         .items = items,
                         .effort = ps_variants_effort(question, answer),
                         .by_power = may_change_clock(of_asked, answer)};
    plan.effort.cost = answer->sensitivities->cost;
    if (answer->result.ticks > 0 && !answer->clamped) {
        plan_others(&plan);
        plan_graphs(&plan);
    }
    const gboolean done = simulate_items(&plan, threads, error);
    g_free(answer->occupancy_step);
    answer->occupancy_step = plan.step;
    if (!done)
        return FALSE;
    tell_items(&plan, list);
    if (!list->len && (!answer->sensitivities->untried || !question->deadline))
        tell_nothing(answer, list);
    g_clear_pointer(&answer->advice, g_ptr_array_unref);
    answer->advice = g_steal_pointer(&list);
    return TRUE;
}
