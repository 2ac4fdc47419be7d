/* SPDX-License-Identifier: BSD-3-Clause */
/* Advice on what the kernel does: accesses that cost too much, saturated pipelines. See
 * kind.h. */
#include "advice/kind.h"

#include "answer/traffic.h"

#include <math.h>
#include <string.h>

/* ---- costs that may be avoided ------------------------------------------------------------- */

/* The machine's class of that name: a what-if's may be more general. */
static guint class_of(const PsAnswer *answer, const char *class_name)
{
    for (guint i = 0; i < answer->machine->n_classes; i++)
        if (strcmp(answer->machine->classes[i].asked, class_name) == 0)
            return i;
    return G_MAXUINT;
}

void ps_advice_conflicts(PsAdvicePlan *plan)
{
    const GPtrArray *avoidables = plan->sensitivities->avoidables;
    for (guint i = 0; i < avoidables->len; i++) {
        const PsAvoidable *avoidable = avoidables->pdata[i];
        PsAdvice *advice = ps_advice_add(plan, avoidable->cause, PS_CHANGE_CLASS,
                                         class_of(plan->answer, avoidable->class_name), NULL)
                               ->advice;
        g_free(advice->class_name);
        advice->class_name = ps_text_clean(avoidable->class_name);
        advice->seconds = avoidable->seconds;
        advice->half_width = avoidable->half_width;
        advice->avoidable = avoidable;
    }
}

/* ---- saturated pipelines ------------------------------------------------------------------- */

static gboolean is_on_pipeline(const PsMachineClass *bound, const void *to)
{
    return bound->pipeline == *(const guint *)to;
}

/* What device memory needs of the time for which a pipeline is busy; NaN where its classes may not
 * reach it, or it is known to be busy with that or with requests. */
static double share_of_traffic(const PsAnswer *answer, guint pipeline, guint busiest,
                               gboolean bandwidth)
{
    const PsMachineClass *bound = &answer->machine->classes[busiest];
    return bandwidth || !ps_traffic_may_be(bound->asked) || bound->by_levels
               ? NAN
               : ps_traffic_of_pipeline(answer, pipeline);
}

/* All of its classes take half as long to issue. The ceiling, which is of bytes and operations as
 * they are, would hold that back. */
static void add_pipeline(PsAdvicePlan *plan, guint pipeline)
{
    const PsAnswer *answer = plan->answer;
    const guint busiest = ps_busiest_class(answer, pipeline);
    const gboolean bandwidth = ps_traffic_is_of_pipeline(answer, pipeline, busiest);
    PsVariant *variant = ps_variant_new(plan->question);
    variant->question.clamp = PS_CLAMP_NONE;
    ps_advice_halve(variant, answer, PS_VARIES_ISSUE, is_on_pipeline, &pipeline);
    PsAdvice *advice = ps_advice_add(plan, bandwidth ? PS_CAUSE_BANDWIDTH : PS_CAUSE_THROUGHPUT,
                                     PS_CHANGE_PIPELINE, busiest, variant)
                           ->advice;
    advice->pipelines = g_array_new(FALSE, FALSE, sizeof(guint));
    g_array_append_val(advice->pipelines, pipeline);
    advice->share = share_of_traffic(answer, pipeline, busiest, bandwidth);
}

static gboolean is_on_told(const PsMachineClass *bound, const void *plan)
{
    return ps_advice_tells_pipeline(plan, bound->pipeline);
}

static int busiest_first(gconstpointer a, gconstpointer b, gpointer answer)
{
    const double x = ps_pipeline_utilization(answer, *(const guint *)a);
    const double y = ps_pipeline_utilization(answer, *(const guint *)b);
    return (x < y) - (x > y);
}

/* The pipelines that items are about. */
static GArray *told_pipelines(const PsAdvicePlan *plan)
{
    GArray *told = g_array_new(FALSE, FALSE, sizeof(guint));
    for (guint i = 0; i < plan->answer->gpu->pipelines->len; i++)
        if (ps_advice_tells_pipeline(plan, i))
            g_array_append_val(told, i);
    g_array_sort_with_data(told, busiest_first, (gpointer)plan->answer);
    return told;
}

/* What one pipeline no longer holds back, the next does: so all of them at once. */
static void add_pipelines(PsAdvicePlan *plan, GArray *told)
{
    const PsAnswer *answer = plan->answer;
    PsVariant *variant = ps_variant_new(plan->question);
    variant->question.clamp = PS_CLAMP_NONE;
    ps_advice_halve(variant, answer, PS_VARIES_ISSUE, is_on_told, plan);
    PsAdviceItem *item =
        ps_advice_add(plan, PS_CAUSE_THROUGHPUT, PS_CHANGE_PIPELINES,
                      ps_busiest_class(answer, g_array_index(told, guint, 0)), variant);
    item->advice->pipelines = g_array_ref(told);
    item->more_than = PS_CHANGE_PIPELINE;
}

void ps_advice_pipelines(PsAdvicePlan *plan)
{
    g_autoptr(GArray) told = told_pipelines(plan);
    for (guint i = 0; i < told->len; i++)
        add_pipeline(plan, g_array_index(told, guint, i));
    if (told->len > 1)
        add_pipelines(plan, told);
}
