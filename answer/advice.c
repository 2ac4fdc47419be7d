/* SPDX-License-Identifier: BSD-3-Clause */
/* See advice-private.h. */
#include "answer/advice-private.h"

#include "cli/report/format.h"
#include "answer/levels.h"
#include "answer/loads.h"

#include <math.h>
#include <string.h>

/* Items that are told at most. */
#define MAX_ITEMS 8

static void (*const KINDS[])(AdvicePlan *plan) = {
    advice_conflicts, advice_occupancy, advice_barriers, advice_ports, advice_pipelines,
    advice_levels,    advice_latencies, advice_tail,     advice_launch};

/* ---- items --------------------------------------------------------------------------------- */

static void free_item(void *data)
{
    AdviceItem *item = data;
    trial_free(item->trial);
    trial_free(item->check);
    g_free(item);
}

AdviceItem *advice_add(AdvicePlan *plan, const char *kind, AdviceTell tell, Trial *trial)
{
    AdviceItem *item = g_new0(AdviceItem, 1);
    *item = (AdviceItem){.kind = kind,
                         .tell = tell,
                         .trial = trial,
                         .seconds = NAN,
                         .least = ADVICE_LEAST,
                         .class_ = G_MAXUINT,
                         .weight = 1};
    g_ptr_array_add(plan->items, item);
    return item;
}

char *advice_would_give(const AdvicePlan *plan, const AdviceItem *item)
{
    g_autofree char *then = format_time(item->seconds);
    g_autofree char *now = format_time(plan->answer->seconds);
    g_autofree char *share = format_share(item->gain);
    return g_strdup_printf("would give %s instead of %s (%s less)", then, now, share);
}

/* Room for more work makes this launch no faster: it is worth telling, but comes last. */
static gboolean is_worth_telling(const AdvicePlan *plan, const AdviceItem *item)
{
    if (!item->is_room)
        return item->gain >= item->least;
    const double groups = (double)plan->answer->machine->launch.groups;
    return item->seconds <= plan->answer->seconds &&
           1 - groups / (double)item->number >= ADVICE_LEAST;
}

static int most_helpful_first(gconstpointer a, gconstpointer b)
{
    const AdviceItem *x = *(AdviceItem *const *)a, *y = *(AdviceItem *const *)b;
    return (x->gain < y->gain) - (x->gain > y->gain);
}

/* What is changed together must give more than each part of it. */
static void demand_more(const AdvicePlan *plan, AdviceItem *item)
{
    for (guint i = 0; item->more_than && i < plan->items->len; i++) {
        const AdviceItem *part = plan->items->pdata[i];
        if (part->tell == item->more_than)
            item->least = fmax(item->least, part->gain + ADVICE_LEAST);
    }
}

/* When work meets by another chance, times change by a few per cent, up or down: what longer
 * latencies gain tells how much. */
static void demand_more_than_chance(AdvicePlan *plan)
{
    double chance = 0;
    for (guint i = 0; i < plan->items->len; i++) {
        const Trial *check = ((const AdviceItem *)plan->items->pdata[i])->check;
        if (check && !isnan(check->seconds) && plan->answer->seconds > 0)
            chance = fmax(chance, 1 - check->seconds / plan->answer->seconds);
    }
    for (guint i = 0; i < plan->items->len; i++) {
        AdviceItem *item = plan->items->pdata[i];
        if (item->check)
            item->least += chance;
    }
}

static gboolean simulate_items(AdvicePlan *plan, guint threads, GError **error)
{
    g_autoptr(GPtrArray) trials = g_ptr_array_new();
    Sensitivities *known = plan->sensitivities;
    for (guint i = 0; i < plan->items->len; i++) {
        AdviceItem *item = plan->items->pdata[i];
        if (item->trial)
            g_ptr_array_add(trials, item->trial);
        if (item->check)
            g_ptr_array_add(trials, item->check);
    }
    if (!trials_run(trials, threads, known->memo, &known->runs, error))
        return FALSE;
    for (guint i = 0; i < plan->items->len; i++) {
        AdviceItem *item = plan->items->pdata[i];
        if (item->trial)
            item->seconds = item->trial->seconds;
        if (!isnan(item->seconds) && plan->answer->seconds > 0 && !item->is_room)
            item->gain = 1 - item->seconds * item->weight / plan->answer->seconds;
    }
    demand_more_than_chance(plan);
    for (guint i = 0; i < plan->items->len; i++)
        demand_more(plan, plan->items->pdata[i]);
    g_ptr_array_sort(plan->items, most_helpful_first);
    return TRUE;
}

/* ---- advice -------------------------------------------------------------------------------- */

static void free_advice(void *data)
{
    Advice *advice = data;
    g_free(advice->sentence);
    g_free(advice->klass);
    g_free(advice);
}

static void add_advice(GPtrArray *list, const char *kind, char *sentence /* taken */)
{
    Advice *advice = g_new0(Advice, 1);
    *advice = (Advice){.kind = kind, .sentence = sentence, .seconds = NAN, .class_ = G_MAXUINT};
    g_ptr_array_add(list, advice);
}

static char *describe_pipeline(const Answer *answer)
{
    double load;
    const PsServerRow *level = level_busiest(answer);
    (void)load_busiest(answer, &load);
    if (load_of_dispatch(answer) >= load) {
        g_autofree char *busy = format_share(load);
        return g_strdup_printf("used for %s of the time", busy);
    }
    if (level && level_load(answer, level) >= load) {
        g_autofree char *text = level_text(level), *busy = format_share(load);
        return g_strdup_printf("at %s of %s", busy, text);
    }
    const PsStatsRow *row = answer_busiest(answer);
    g_autofree char *share = format_share(answer_busy(answer));
    g_autofree char *name = ps_text_clean(row->name);
    return g_strdup_printf("at %s of the %s pipeline", share, name);
}

/* Nothing that was tried helps. */
static char *tell_nothing(const AdvicePlan *plan)
{
    const Answer *answer = plan->answer;
    double load;
    (void)load_busiest(answer, &load);
    if (answer->result.ticks == 0)
        return g_strdup("nothing is known: the graph has no instruction to run");
    if (answer->clamped)
        return g_strdup("nothing is known: the simulated time is below what the roofline allows, "
                        "so an input is wrong; see the cross-check, or use --clamp none");
    g_autofree char *pipeline = describe_pipeline(answer);
    /* A trial with half of its issue latencies was among those that gave nothing. */
    if (answer_busy(answer) >= ANSWER_SATURATED && answer_busy(answer) >= load)
        return g_strdup_printf("nothing alone gives more than 2 %%: %s, but with half of its issue "
                               "latencies other waits would take as long",
                               pipeline);
    return g_strdup_printf("nothing is known: no latency, limit or launch that was tried gives "
                           "more than 2 %%, and %s is %s",
                           load_of_dispatch(answer) >= load ? "the rate of launches"
                           : load > answer_busy(answer)     ? "memory"
                                                            : "the busiest pipeline",
                           pipeline);
}

gboolean advice_is_alone(const AdvicePlan *plan)
{
    guint worth_telling = 0;
    for (guint i = 0; i < plan->items->len; i++) {
        const AdviceItem *item = plan->items->pdata[i];
        worth_telling += item->gain >= item->least;
    }
    return worth_telling == 1;
}

/* A late warp may be held against each kind of other warp: it has one cause, so it is told once. */
static gboolean is_told(const GPtrArray *list, const AdviceItem *item)
{
    if (strcmp(item->kind, "barrier") != 0)
        return FALSE;
    for (guint i = 0; i < list->len; i++)
        if (strcmp(((const Advice *)list->pdata[i])->kind, item->kind) == 0)
            return TRUE;
    return FALSE;
}

static void tell_items(const AdvicePlan *plan, GPtrArray *list)
{
    for (guint i = 0; i < plan->items->len && list->len < MAX_ITEMS; i++) {
        const AdviceItem *item = plan->items->pdata[i];
        if (!is_worth_telling(plan, item) || is_told(list, item))
            continue;
        add_advice(list, item->kind, item->tell(plan, item));
        Advice *advice = list->pdata[list->len - 1];
        advice->klass = ps_text_clean(item->klass);
        advice->class_ = item->class_;
        advice->level = item->level;
        advice->seconds = item->seconds;
        advice->gain = item->gain;
    }
}

GPtrArray *advice_new(const Question *question, const Answer *answer, Sensitivities *sensitivities,
                      guint threads, GError **error)
{
    g_autoptr(GPtrArray) items = g_ptr_array_new_with_free_func(free_item);
    g_autoptr(GPtrArray) list = g_ptr_array_new_with_free_func(free_advice);
    AdvicePlan plan = {question, answer, sensitivities, items};
    if (answer->result.ticks > 0 && !answer->clamped)
        for (guint i = 0; i < G_N_ELEMENTS(KINDS); i++)
            KINDS[i](&plan);
    if (!simulate_items(&plan, threads, error))
        return NULL;
    tell_items(&plan, list);
    if (!list->len)
        add_advice(list, "nothing", tell_nothing(&plan));
    return g_steal_pointer(&list);
}
