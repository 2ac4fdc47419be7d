/* SPDX-License-Identifier: BSD-3-Clause */
/* What would help most, of all that there are signs of. See kind.h. */
#include "advice/kind.h"
#include "advice/words.h"

#include <math.h>

/* Items that are told at most. */
#define MAX_ITEMS 8

typedef void (*Kind)(PsAdvicePlan *plan);

/* By other latencies, limits and launches. */
static const Kind KINDS[] = {ps_advice_conflicts, ps_advice_occupancy, ps_advice_barriers,
                             ps_advice_ports,     ps_advice_pipelines, ps_advice_levels,
                             ps_advice_latencies, ps_advice_tail,      ps_advice_launch,
                             ps_advice_shape};

/* By graphs of the kernel as it would be, of which each takes as much memory as the graph. */
static const Kind GRAPH_KINDS[] = {
    ps_advice_divisions, ps_advice_exact_math, ps_advice_doubles,    ps_advice_indices,
    ps_advice_counters,  ps_advice_narrow,     ps_advice_misaligned, ps_advice_one_address,
    ps_advice_reuse,     ps_advice_tiles,      ps_advice_divergence, ps_advice_imbalance,
    ps_advice_tensor,    ps_advice_loops,      ps_advice_straight,   ps_advice_read_only};

/* Nodes of all these graphs together: what fits into some hundreds of MB. */
#define MOST_NODES 500000

/* Making graphs may take one part in so many of the effort that is left, before any is simulated.
 */
#define PART_FOR_GRAPHS 3

static guint count_nodes(const PsKernel *kernel)
{
    guint n = 0;
    for (guint p = 0; p < kernel->n_programs; p++)
        n += kernel->programs[p].n_nodes;
    return n;
}

/* Graphs among the items. */
static guint count_graphs(const PsAdvicePlan *plan)
{
    guint n = 0;
    for (guint i = 0; i < plan->items->len; i++) {
        const PsAdviceItem *item = plan->items->pdata[i];
        n += item->variant && item->variant->idg;
    }
    return n;
}

/* Few other graphs are made of a large one, unless the time is given. */
static void plan_graphs(PsAdvicePlan *plan)
{
    PsVariantEffort *effort = &plan->effort;
    const gint64 left = effort->most - effort->cost, each = PS_VARIANT_COPIED * effort->machine;
    const gint64 nodes = count_nodes(plan->answer->kernel);
    const gint64 most = plan->question->deadline ? G_MAXINT64
                                                 : MIN(left / PART_FOR_GRAPHS / MAX(each, 1),
                                                       MOST_NODES / MAX(nodes, 1));
    for (guint i = 0; i < G_N_ELEMENTS(GRAPH_KINDS); i++) {
        if (count_graphs(plan) < most)
            GRAPH_KINDS[i](plan);
        else
            plan->sensitivities->untried++;
    }
    effort->cost += count_graphs(plan) * each;
}

/* ---- what they gain ------------------------------------------------------------------------ */

/* Room for more work makes this launch no faster: it is worth telling, but comes last. There is
 * room where more groups take no longer, as far as the model can tell; where CUs have no work at
 * all, also where they get more done in the time that they take. */
static gboolean is_room(const PsAdvicePlan *plan, const PsAdvice *advice)
{
    const PsAnswer *answer = plan->answer;
    const double part = (double)answer->machine->launch.groups / (double)advice->groups;
    const double longer = advice->seconds / answer->seconds;
    const gboolean idle = answer->machine->launch.groups < answer->gpu->compute_units;
    return (longer <= 1 + PS_MODEL_ERROR || idle) && fmax(longer, 1) * part <= 1 - PS_ADVICE_LEAST;
}

static gboolean is_worth_telling(const PsAdvicePlan *plan, const PsAdviceItem *item)
{
    return item->advice->change == PS_CHANGE_MORE_GROUPS ? is_room(plan, item->advice)
                                                         : item->advice->gain >= item->least;
}

static int most_helpful_first(gconstpointer a, gconstpointer b)
{
    const PsAdviceItem *x = *(PsAdviceItem *const *)a, *y = *(PsAdviceItem *const *)b;
    return (x->advice->gain < y->advice->gain) - (x->advice->gain > y->advice->gain);
}

/* What is changed together must give more than each part of it. What launches cost, and CUs that
 * end late, are a bound: where another shape of the launch gets half of that, it is told instead.
 */
static void demand_more(const PsAdvicePlan *plan, PsAdviceItem *item)
{
    for (guint i = 0; item->more_than && i < plan->items->len; i++) {
        const PsAdviceItem *part = plan->items->pdata[i];
        const double gain = part->advice->gain;
        if (part->advice->change != item->more_than || gain < part->least)
            continue;
        item->least = fmax(item->least,
                           item->more_than == PS_CHANGE_SHAPE ? 2 * gain : gain + PS_ADVICE_LEAST);
    }
}

/* When work meets by another chance, times change by a few per cent, up or down: what longer
 * latencies gain tells how much. */
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

/* Where seconds are known: of the variant, or beforehand. */
static void find_gain(const PsAdvicePlan *plan, PsAdviceItem *item)
{
    PsAdvice *advice = item->advice;
    const double now = plan->answer->seconds;
    /* Without the opposite change nobody knows whether it helps by more than chance. */
    const gboolean is_checked = !item->check || item->check->why || !isnan(item->check->seconds);
    if (item->variant)
        advice->seconds = is_checked ? item->variant->seconds : NAN;
    if (advice->change == PS_CHANGE_SHAPE && !ps_advice_shape_holds(plan->answer, item->variant))
        advice->seconds = NAN;
    if (item->variant)
        advice->half_width = item->variant->half_width;
    if (!isnan(advice->seconds) && now > 0 && advice->change != PS_CHANGE_MORE_GROUPS)
        advice->gain = 1 - advice->seconds * item->weight / now;
    if (now > 0)
        item->least += hypot(plan->answer->clamped ? 0 : plan->answer->half_width,
                             advice->half_width * item->weight) /
                       now;
}

/* From what time on it may be worth telling. Room for more work may take longer. */
static double most_seconds(const PsAdvicePlan *plan, const PsAdviceItem *item)
{
    return item->advice->change == PS_CHANGE_MORE_GROUPS
               ? INFINITY
               : plan->answer->seconds * (1 - ps_advice_least_gain(plan->answer)) / item->weight;
}

/* What is simulated one after the other. */
typedef enum { CHANGES, OPPOSITES_OF_GAINS, OTHER_OPPOSITES } Turn;

/* Simulates what items change, or what is opposite to that: first of those that gain anything. The
 * others only show better what chance does. */
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
    ps_advice_choose_ways(plan);
    g_ptr_array_sort(plan->items, most_helpful_first);
    return TRUE;
}

/* ---- advice -------------------------------------------------------------------------------- */

/* A latency is one of those that help more together. */
static gboolean is_among(const PsAdvice *advice, const PsAdvice *together)
{
    for (guint i = 0; advice->change == PS_CHANGE_LATENCY && together->classes &&
                      together->change == PS_CHANGE_LATENCIES && i < together->classes->len;
         i++)
        if (g_array_index(together->classes, guint, i) == advice->class_index)
            return TRUE;
    return FALSE;
}

/* A late warp may be held against each kind of other warp, and several shapes of a launch may be
 * tried: it has one cause, so it is told once, as is a latency together with others or alone. Nor
 * is there room for more work where another shape uses it. */
static gboolean is_told(const GPtrArray *list, const PsAdvice *advice)
{
    const gboolean once = advice->cause == PS_CAUSE_BARRIER || advice->cause == PS_CAUSE_SHAPE;
    for (guint i = 0; i < list->len; i++) {
        const PsCause told = ((const PsAdvice *)list->pdata[i])->cause;
        if ((once && told == advice->cause) || is_among(advice, list->pdata[i]) ||
            (advice->change == PS_CHANGE_MORE_GROUPS && told == PS_CAUSE_SHAPE))
            return TRUE;
    }
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
        if (!is_worth_telling(plan, item) || is_told(list, item->advice))
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

/* Before items are told, which takes them. */
static PsOccupancyStep *find_step(const PsAdvicePlan *plan)
{
    for (guint i = 0; i < plan->items->len; i++) {
        const PsAdviceItem *item = plan->items->pdata[i];
        const PsAdvice *advice = item->advice;
        if (advice->change != PS_CHANGE_NEEDS || isnan(advice->seconds))
            continue;
        PsOccupancyStep *step = g_new0(PsOccupancyStep, 1);
        *step = (PsOccupancyStep){
            advice->groups,     advice->registers, advice->local_memory,        advice->seconds,
            advice->half_width, advice->gain,      is_worth_telling(plan, item)};
        return step;
    }
    return NULL;
}

gboolean ps_answer_find_advice(PsAnswer *answer, const PsQuestion *question, guint threads,
                               GError **error)
{
    g_autoptr(GPtrArray) items = g_ptr_array_new_with_free_func(ps_advice_item_free);
    g_autoptr(GPtrArray) list = g_ptr_array_new_with_free_func(ps_advice_free);
    PsAdvicePlan plan = {question, answer, answer->sensitivities, items,
                         ps_variants_effort(question, answer)};
    plan.effort.cost = answer->sensitivities->cost;
    if (answer->result.ticks > 0 && !answer->clamped) {
        for (guint i = 0; i < G_N_ELEMENTS(KINDS); i++)
            KINDS[i](&plan);
        plan_graphs(&plan);
    }
    if (!simulate_items(&plan, threads, error))
        return FALSE;
    g_free(answer->occupancy_step);
    answer->occupancy_step = find_step(&plan);
    tell_items(&plan, list);
    if (!list->len && (!answer->sensitivities->untried || !question->deadline))
        tell_nothing(answer, list);
    g_clear_pointer(&answer->advice, g_ptr_array_unref);
    answer->advice = g_steal_pointer(&list);
    return TRUE;
}
