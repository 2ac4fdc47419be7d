/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes items of advice, and says which other advice an item rules out. See kind.h. */
#include "advice/kind.h"
#include "answer/figures.h"
#include "base/class-name.h"

#include <math.h>

PsAdvice *ps_advice_new(PsCause cause, const PsAdviceChange *change, guint class_index)
{
    PsAdvice *advice = g_new0(PsAdvice, 1);
    *advice = (PsAdvice){.cause = cause,
                         .change = change,
                         .class_index = class_index,
                         .node = G_MAXUINT,
                         .seconds = NAN};
    return advice;
}

void ps_advice_free(void *data)
{
    PsAdvice *advice = data;
    if (!advice)
        return;
    if (advice->data && advice->change->clear)
        advice->change->clear(advice->data);
    g_free(advice->data);
    g_free(advice->class_name);
    g_free(advice->sentence);
    ps_told_free(advice->facts);
    ps_trust_clear(&advice->trust);
    g_free(advice);
}

void ps_advice_item_free(void *data)
{
    PsAdviceItem *item = data;
    ps_advice_free(item->advice);
    ps_variant_free(item->variant);
    ps_variant_free(item->check);
    g_free(item);
}

double ps_advice_least_gain(const PsAnswer *answer)
{
    return answer->machine->refinements.order == PS_ORDER_PROGRAM ? PS_MODEL_ERROR
                                                                  : PS_ADVICE_LEAST;
}

PsAdviceItem *ps_advice_add(PsAdvicePlan *plan, PsCause cause, const PsAdviceChange *change,
                            guint class_index, PsVariant *variant)
{
    PsAdviceItem *item = g_new0(PsAdviceItem, 1);
    *item = (PsAdviceItem){.advice = ps_advice_new(cause, change, class_index),
                           .variant = variant,
                           .least = ps_advice_least_gain(plan->answer),
                           .weight = 1};
    if (variant)
        variant->by_power = plan->by_power;
    if (class_index != G_MAXUINT)
        item->advice->class_name = ps_text_clean(plan->answer->machine->classes[class_index].asked);
    g_ptr_array_add(plan->items, item);
    return item;
}

void ps_advice_phrase(const PsAnswer *answer, PsAdvice *advice)
{
    const PsAdviceChange *change = advice->change;
    g_free(advice->sentence);
    ps_told_free(advice->facts);
    advice->sentence = change->sentence(answer, advice);
    advice->facts = ps_told_new();
    if (change->tell_own)
        change->tell_own(answer, advice, advice->facts);
    if (!change->tell_figures)
        return;
    ps_tell_open(advice->facts, PS_FACT_ADVICE_FIGURES);
    change->tell_figures(advice, advice->facts);
    ps_tell_close(advice->facts);
}

gboolean ps_advice_is_worth_telling(const PsAdvicePlan *plan, const PsAdviceItem *item)
{
    return item->advice->change->has_room
               ? item->advice->change->has_room(plan->answer, item->advice)
               : item->advice->gain >= item->least;
}

gboolean ps_advice_has_avoidable(const PsAdvicePlan *plan, const char *class_name)
{
    const GPtrArray *avoidables = plan->sensitivities->avoidables;
    for (guint i = 0; i < avoidables->len; i++) {
        const PsAvoidable *avoidable = avoidables->pdata[i];
        if (ps_class_covers(avoidable->class_name, class_name) &&
            1 - avoidable->seconds / plan->answer->seconds >= PS_ADVICE_LEAST)
            return TRUE;
    }
    return FALSE;
}

gboolean ps_advice_is_at_ceiling(const PsAnswer *answer)
{
    return ps_answer_headroom(answer) * (1 - PS_ADVICE_LEAST) < 1;
}

gboolean ps_advice_tells_pipeline(const PsAdvicePlan *plan, guint pipeline)
{
    const PsAnswer *answer = plan->answer;
    const guint busiest = ps_busiest_class(answer, pipeline);
    return busiest != G_MAXUINT && !ps_advice_is_at_ceiling(answer) &&
           ps_pipeline_utilization(answer, pipeline) >= PS_NEARLY_SATURATED &&
           !ps_advice_has_avoidable(plan, answer->machine->classes[busiest].asked);
}
