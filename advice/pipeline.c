/* SPDX-License-Identifier: BSD-3-Clause */
/* Advice on saturated pipelines. See kind.h. */
#include "advice/kind.h"

#include "answer/figures.h"
#include "answer/traffic.h"
#include "answer/words.h"
#include "tell/format.h"
#include "tell/words.h"

#include <math.h>

typedef struct {
    GArray *pipelines; /* guint: the GPU's pipelines, busiest first */
    double traffic;    /* share that device memory needs; NaN: not applicable */
} Busy;

static void clear(void *data)
{
    Busy *busy = data;
    g_array_unref(busy->pipelines);
}

/* A number of one of the machine's pipelines. */
static guint pipeline_at(const Busy *busy, guint i)
{
    return g_array_index(busy->pipelines, guint, i);
}

static gboolean is_about(const PsAnswer *answer, const PsAdvice *advice, guint class_index)
{
    const Busy *busy = advice->data;
    gboolean has = advice->class_index == class_index;
    for (guint i = 0; i < busy->pipelines->len; i++)
        has = has || pipeline_at(busy, i) == answer->machine->classes[class_index].pipeline;
    return has;
}

/* ---- what is said of it -------------------------------------------------------------------- */

/* "at 96.1 % of the global pipeline"; if its classes may reach device memory, with the share of the
 * time that the traffic needs. */
static char *describe_busy(const PsAnswer *answer, const PsAdvice *advice)
{
    const Busy *of = advice->data;
    const guint pipeline = pipeline_at(of, 0);
    g_autofree char *share = ps_format_share(ps_pipeline_utilization(answer, pipeline));
    g_autofree char *name = ps_pipeline_words(answer, pipeline);
    if (isnan(of->traffic))
        return g_strdup_printf("at %s of the %s pipeline", share, name);
    g_autofree char *needs = ps_format_share(of->traffic);
    return g_strdup_printf("at %s of the %s pipeline, of which device memory needs %s", share, name,
                           needs);
}

static char *describe_one(const PsAnswer *answer, const PsAdvice *advice)
{
    g_autofree char *busy = describe_busy(answer, advice);
    g_autofree char *gives = ps_would_give(answer, advice),
                    *name = ps_advice_class_words(answer, advice);
    const char *only = advice->alone ? "only " : "";
    const char *rest = advice->alone ? "; nothing else gives more than 2 %" : "";
    if (advice->cause == PS_CAUSE_BANDWIDTH)
        return g_strdup_printf("memory bandwidth: %s, %sless traffic helps (%s above all); half of "
                               "it for each instruction %s%s",
                               busy, only, name, gives, rest);
    return g_strdup_printf("%s, %sfewer instructions on it help (%s above all); half of their "
                           "issue latencies %s%s",
                           busy, only, name, gives, rest);
}

static char *busy_pipeline(const PsAnswer *answer, guint pipeline)
{
    g_autofree char *share = ps_format_share(ps_pipeline_utilization(answer, pipeline));
    g_autofree char *name = ps_pipeline_words(answer, pipeline);
    return g_strdup_printf("%s at %s", name, share);
}

static char *class_above_all(const PsAnswer *answer, guint pipeline)
{
    return ps_answer_class_words(answer, ps_busiest_class(answer, pipeline));
}

/* "global at 96.1 % and local at 87.4 %", or other words for each. */
static char *list_pipelines(const PsAnswer *answer, const PsAdvice *advice,
                            char *(*say)(const PsAnswer *answer, guint pipeline))
{
    const GArray *pipelines = ((const Busy *)advice->data)->pipelines;
    GString *out = g_string_new(NULL);
    for (guint i = 0; i < pipelines->len; i++) {
        g_autofree char *name = say(answer, g_array_index(pipelines, guint, i));
        const char *before = i == 0 ? "" : i + 1 < pipelines->len ? ", " : " and ";
        g_string_append_printf(out, "%s%s", before, name);
    }
    return g_string_free(out, FALSE);
}

static char *describe_all(const PsAnswer *answer, const PsAdvice *advice)
{
    const guint n = ((const Busy *)advice->data)->pipelines->len;
    g_autofree char *pipelines = list_pipelines(answer, advice, busy_pipeline);
    g_autofree char *classes = list_pipelines(answer, advice, class_above_all);
    g_autofree char *gives = ps_would_give(answer, advice);
    return g_strdup_printf("%u pipelines are near their limits, %s: fewer instructions on %s help "
                           "(%s above all); half of their issue latencies %s",
                           n, pipelines, n == 2 ? "both" : "all of them", classes, gives);
}

static void tell_figures(const PsAdvice *advice, PsTold *facts)
{
    const Busy *busy = advice->data;
    ps_tell_entry_whole(facts, "pipelines", busy->pipelines->len);
    if (!isnan(busy->traffic))
        ps_tell_entry_figure(facts, "device_memory", busy->traffic);
}

static const PsAdviceChange one = {.name = "pipeline",
                                   .sentence = describe_one,
                                   .tell_figures = tell_figures,
                                   .is_about = is_about,
                                   .clear = clear};
static const PsAdviceChange all = {.name = "pipelines",
                                   .sentence = describe_all,
                                   .tell_figures = tell_figures,
                                   .is_about = is_about,
                                   .clear = clear};

/* ---- which they are ------------------------------------------------------------------------ */

static gboolean is_on_pipeline(const PsMachineClass *bound, const void *to)
{
    return bound->pipeline == *(const guint *)to;
}

/* The share of a pipeline's busy time that device memory needs; NaN: its classes may not reach it,
 * or the pipeline is known to be busy with the traffic or with requests. */
static double share_of_traffic(const PsAnswer *answer, guint pipeline, guint busiest,
                               gboolean bandwidth)
{
    const PsMachineClass *bound = &answer->machine->classes[busiest];
    return bandwidth || !ps_traffic_may_be(bound->asked) || bound->by_levels
               ? NAN
               : ps_traffic_of_pipeline(answer, pipeline);
}

/* Adds a variant in which all classes of the pipeline issue in half of the time. It has no ceiling,
 * which counts the present bytes and operations and would hide the gain. */
static void add_pipeline(PsAdvicePlan *plan, guint pipeline)
{
    const PsAnswer *answer = plan->answer;
    const guint busiest = ps_busiest_class(answer, pipeline);
    const gboolean bandwidth = ps_traffic_is_of_pipeline(answer, pipeline, busiest);
    PsVariant *variant = ps_variant_new(plan->question);
    variant->question.clamp = PS_CLAMP_NONE;
    ps_advice_halve(variant, answer, PS_VARIES_ISSUE, is_on_pipeline, &pipeline);
    PsAdvice *advice = ps_advice_add(plan, bandwidth ? PS_CAUSE_BANDWIDTH : PS_CAUSE_THROUGHPUT,
                                     &one, busiest, variant)
                           ->advice;
    Busy *busy = ps_advice_data_new(advice, Busy);
    busy->pipelines = g_array_new(FALSE, FALSE, sizeof(guint));
    g_array_append_val(busy->pipelines, pipeline);
    busy->traffic = share_of_traffic(answer, pipeline, busiest, bandwidth);
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

/* Adds a variant with all pipelines at once: where one no longer limits the run, the next one
 * does. */
static void add_pipelines(PsAdvicePlan *plan, GArray *told)
{
    const PsAnswer *answer = plan->answer;
    PsVariant *variant = ps_variant_new(plan->question);
    variant->question.clamp = PS_CLAMP_NONE;
    ps_advice_halve(variant, answer, PS_VARIES_ISSUE, is_on_told, plan);
    PsAdviceItem *item =
        ps_advice_add(plan, PS_CAUSE_THROUGHPUT, &all,
                      ps_busiest_class(answer, g_array_index(told, guint, 0)), variant);
    Busy *busy = ps_advice_data_new(item->advice, Busy);
    busy->pipelines = g_array_ref(told);
    busy->traffic = NAN;
    item->more_than = &one;
}

static void find(PsAdvicePlan *plan)
{
    g_autoptr(GArray) told = told_pipelines(plan);
    for (guint i = 0; i < told->len; i++)
        add_pipeline(plan, g_array_index(told, guint, i));
    if (told->len > 1)
        add_pipelines(plan, told);
}

const PsAdviceKind ps_advice_kind_pipeline = {.find = find};
