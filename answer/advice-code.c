/* SPDX-License-Identifier: BSD-3-Clause */
/* Advice on what the kernel does: accesses that cost too much, saturated pipelines. See
 * advice-private.h. */
#include "answer/advice-private.h"
#include "cli/report/format.h"
#include "answer/loads.h"
#include "answer/relief.h"
#include "answer/traffic.h"

#include <math.h>
#include <string.h>

/* ---- bank conflicts, sectors
 * ----------------------------------------------------------------------- */

/* "issue latency 7 -> 1 and completion latency 100 -> 30", of what changes. */
static char *describe_relief(const Relief *relief)
{
    GString *out = g_string_new(NULL);
    const struct {
        const char *name;
        PsRational from, to;
    } parts[] = {{"issue latency", relief->from.issue, relief->to.issue},
                 {"completion latency", relief->from.completion, relief->to.completion}};
    for (guint i = 0; i < G_N_ELEMENTS(parts); i++) {
        if (ps_rational_cmp(parts[i].from, parts[i].to) == 0)
            continue;
        g_autofree char *from = format_rational(parts[i].from);
        g_autofree char *to = format_rational(parts[i].to);
        g_string_append_printf(out, "%s%s %s -> %s", out->len ? " and " : "", parts[i].name, from,
                               to);
    }
    return g_string_free(out, FALSE);
}

/* What device memory has to do with it: its bytes are in the graph, and may have been more. */
static char *describe_traffic(const Relief *relief)
{
    if (isnan(relief->traffic_from) || isnan(relief->traffic_to))
        return g_strdup("how many bytes reach device memory is not known");
    if (relief->traffic_from == relief->traffic_to)
        return g_strdup("the bytes of device memory stay");
    g_autofree char *from = format_scaled(relief->traffic_from);
    g_autofree char *to = format_scaled(relief->traffic_to);
    return g_strdup_printf("%s bytes of device memory instead of %s", to, from);
}

static char *tell_coalesced(const Relief *relief, const char *klass, const char *change,
                            const char *gives)
{
    g_autofree char *traffic = describe_traffic(relief);
    g_autofree char *least =
        relief->least > 0 ? g_strdup_printf(", where %" G_GINT64_FORMAT " would do", relief->least)
                          : g_strdup("");
    return g_strdup_printf(
        "%s touches %" G_GINT64_FORMAT " sectors per request%s: coalesced, it %s%s%s; %s", klass,
        relief->sectors, least, gives, *change ? ", with " : "", change, traffic);
}

static char *tell_relief(const AdvicePlan *plan, const AdviceItem *item)
{
    const Relief *relief = plan->sensitivities->reliefs->pdata[item->index];
    g_autofree char *klass = ps_text_clean(relief->klass);
    g_autofree char *change = describe_relief(relief);
    g_autofree char *gives = advice_would_give(plan, item);
    if (relief->sectors > 0)
        return tell_coalesced(relief, klass, change, gives);
    if (relief->degree.num == 0)
        return g_strdup_printf("%s %s, as the GPU has it, %s", klass, change, gives);
    g_autofree char *degree = format_number(ps_rational_to_double(relief->degree));
    g_autofree char *exact = format_rational(relief->degree);
    return g_strdup_printf("%s %s %s: that is a bank conflict of degree %s", klass, change, gives,
                           ps_rational_is_int(relief->degree) ? exact : degree);
}

/* The machine's class of that name: a what-if's may be more general. */
static guint class_of(const Answer *answer, const char *klass)
{
    for (guint i = 0; i < answer->machine->n_classes; i++)
        if (strcmp(answer->machine->classes[i].asked, klass) == 0)
            return i;
    return G_MAXUINT;
}

void advice_conflicts(AdvicePlan *plan)
{
    const GPtrArray *reliefs = plan->sensitivities->reliefs;
    for (guint i = 0; i < reliefs->len; i++) {
        const Relief *relief = reliefs->pdata[i];
        const char *kind = relief->sectors      ? "uncoalesced"
                           : relief->degree.num ? "bank-conflict"
                                                : "what-if";
        AdviceItem *item = advice_add(plan, kind, tell_relief, NULL);
        item->seconds = relief->seconds;
        item->klass = relief->klass;
        item->class_ = class_of(plan->answer, relief->klass);
        item->index = i;
    }
}

gboolean advice_has_relief(const AdvicePlan *plan, const char *klass)
{
    const GPtrArray *reliefs = plan->sensitivities->reliefs;
    for (guint i = 0; i < reliefs->len; i++) {
        const Relief *relief = reliefs->pdata[i];
        if (ps_class_covers(relief->klass, klass) &&
            1 - relief->seconds / plan->answer->seconds >= ADVICE_LEAST)
            return TRUE;
    }
    return FALSE;
}

/* ---- saturated pipelines ------------------------------------------------------------------- */

/* "global pipeline", and where its classes may reach device memory what that needs of the time. */
static char *describe_busy(const Answer *answer, guint pipeline, guint busiest, gboolean bandwidth)
{
    g_autofree char *share = format_share(load_of_pipeline(answer, pipeline));
    g_autofree char *name =
        ps_text_clean(((const PsPipeline *)answer->gpu->pipelines->pdata[pipeline])->name);
    const double traffic = traffic_of_pipeline(answer, pipeline);
    if (bandwidth || isnan(traffic) || !traffic_may_be(answer->machine->classes[busiest].asked) ||
        answer->machine->classes[busiest].by_levels)
        return g_strdup_printf("at %s of the %s pipeline", share, name);
    g_autofree char *needs = format_share(traffic);
    return g_strdup_printf("at %s of the %s pipeline, of which device memory needs %s", share, name,
                           needs);
}

static char *tell_pipeline(const AdvicePlan *plan, const AdviceItem *item)
{
    const gboolean bandwidth = g_str_equal(item->kind, "bandwidth");
    g_autofree char *busy = describe_busy(plan->answer, item->index, item->class_, bandwidth);
    g_autofree char *gives = advice_would_give(plan, item);
    g_autofree char *klass = ps_text_clean(item->klass);
    const gboolean alone = advice_is_alone(plan);
    const char *only = alone ? "only " : "";
    const char *rest = alone ? "; nothing else gives more than 2 %" : "";
    if (bandwidth)
        return g_strdup_printf("memory bandwidth: %s, %sless traffic helps (%s above all); half of "
                               "it for each instruction %s%s",
                               busy, only, klass, gives, rest);
    return g_strdup_printf("%s, %sfewer instructions on it help (%s above all); half of their "
                           "issue latencies %s%s",
                           busy, only, klass, gives, rest);
}

static int shortest_name_first(gconstpointer a, gconstpointer b, gpointer machine)
{
    const PsMachineClass *classes = ((const PsMachine *)machine)->classes;
    const gsize x = strlen(classes[*(const guint *)a].asked);
    const gsize y = strlen(classes[*(const guint *)b].asked);
    return (x > y) - (x < y);
}

static gboolean is_on_pipeline(const PsMachineClass *bound, const void *to)
{
    return bound->pipeline == *(const guint *)to;
}

void advice_halve(Trial *trial, const Answer *answer, Varies varies, AdviceBelongs belongs,
                  const void *to)
{
    const PsMachine *machine = answer->machine;
    g_autoptr(GArray) list = g_array_new(FALSE, FALSE, sizeof(guint));
    for (guint i = 0; i < machine->n_classes; i++)
        if (belongs(&machine->classes[i], to))
            g_array_append_val(list, i);
    g_array_sort_with_data(list, shortest_name_first, (gpointer)machine);
    for (guint k = 0; k < list->len; k++) {
        const guint i = g_array_index(list, guint, k);
        const PsLatency now = trial_latency(machine, i);
        PsLatency half = {{0, 1}, {0, 1}};
        const gboolean is_exact =
            varies == VARIES_ISSUE
                ? ps_rational_div(now.issue, PS_RATIONAL_INT(2), &half.issue)
                : ps_rational_div(now.completion, PS_RATIONAL_INT(2), &half.completion);
        if (is_exact)
            trial_set_latency(trial, answer, i, half);
    }
}

/* All of its classes take half as long to issue. The ceiling, which is of bytes and operations as
 * they are, would hold that back. */
static void add_pipeline(AdvicePlan *plan, guint pipeline, guint busiest)
{
    const PsMachine *machine = plan->answer->machine;
    const char *klass = machine->classes[busiest].asked;
    const gboolean bandwidth = traffic_is_of_pipeline(plan->answer, pipeline, busiest);
    Trial *trial = trial_new(plan->question);
    trial->question.clamp = CLAMP_NONE;
    advice_halve(trial, plan->answer, VARIES_ISSUE, is_on_pipeline, &pipeline);
    AdviceItem *item =
        advice_add(plan, bandwidth ? "bandwidth" : "throughput", tell_pipeline, trial);
    item->klass = klass;
    item->class_ = busiest;
    item->index = pipeline;
}

gboolean advice_tells_pipeline(const AdvicePlan *plan, guint pipeline)
{
    const guint busiest = load_busiest_class(plan->answer, pipeline);
    return busiest != G_MAXUINT && load_of_pipeline(plan->answer, pipeline) >= ANSWER_NEARLY &&
           !advice_has_relief(plan, plan->answer->machine->classes[busiest].asked);
}

static gboolean is_on_told(const PsMachineClass *bound, const void *plan)
{
    return advice_tells_pipeline(plan, bound->pipeline);
}

static int busiest_first(gconstpointer a, gconstpointer b, gpointer answer)
{
    const double x = load_of_pipeline(answer, *(const guint *)a);
    const double y = load_of_pipeline(answer, *(const guint *)b);
    return (x < y) - (x > y);
}

/* The pipelines that items are about. */
static GArray *told_pipelines(const AdvicePlan *plan)
{
    GArray *told = g_array_new(FALSE, FALSE, sizeof(guint));
    for (guint i = 0; i < plan->answer->gpu->pipelines->len; i++)
        if (advice_tells_pipeline(plan, i))
            g_array_append_val(told, i);
    g_array_sort_with_data(told, busiest_first, (gpointer)plan->answer);
    return told;
}

/* "global at 96.1 %", or the class that takes most of it (g_free). */
static char *name_told(const Answer *answer, guint pipeline, gboolean class_)
{
    if (class_)
        return ps_text_clean(answer->machine->classes[load_busiest_class(answer, pipeline)].asked);
    g_autofree char *share = format_share(load_of_pipeline(answer, pipeline));
    g_autofree char *name =
        ps_text_clean(((const PsPipeline *)answer->gpu->pipelines->pdata[pipeline])->name);
    return g_strdup_printf("%s at %s", name, share);
}

/* "global at 96.1 % and local at 87.4 %", or their classes (g_free). */
static char *list_told(const AdvicePlan *plan, gboolean classes)
{
    g_autoptr(GArray) told = told_pipelines(plan);
    GString *out = g_string_new(NULL);
    for (guint i = 0; i < told->len; i++) {
        g_autofree char *name = name_told(plan->answer, g_array_index(told, guint, i), classes);
        const char *before = i == 0 ? "" : i + 1 < told->len ? ", " : " and ";
        g_string_append_printf(out, "%s%s", before, name);
    }
    return g_string_free(out, FALSE);
}

static char *tell_pipelines(const AdvicePlan *plan, const AdviceItem *item)
{
    g_autofree char *pipelines = list_told(plan, FALSE);
    g_autofree char *classes = list_told(plan, TRUE);
    g_autofree char *gives = advice_would_give(plan, item);
    return g_strdup_printf("%" G_GINT64_FORMAT " pipelines are near their limits, %s: fewer "
                           "instructions on %s help (%s above all); half of their issue latencies "
                           "%s",
                           item->number, pipelines, item->number == 2 ? "both" : "all of them",
                           classes, gives);
}

/* What one pipeline no longer holds back, the next does: so all of them at once. */
static void add_pipelines(AdvicePlan *plan, const GArray *told)
{
    const Answer *answer = plan->answer;
    Trial *trial = trial_new(plan->question);
    trial->question.clamp = CLAMP_NONE;
    advice_halve(trial, answer, VARIES_ISSUE, is_on_told, plan);
    AdviceItem *item = advice_add(plan, "throughput", tell_pipelines, trial);
    item->class_ = load_busiest_class(answer, g_array_index(told, guint, 0));
    item->klass = answer->machine->classes[item->class_].asked;
    item->number = told->len;
    item->more_than = tell_pipeline;
}

void advice_pipelines(AdvicePlan *plan)
{
    g_autoptr(GArray) told = told_pipelines(plan);
    for (guint i = 0; i < told->len; i++) {
        const guint pipeline = g_array_index(told, guint, i);
        add_pipeline(plan, pipeline, load_busiest_class(plan->answer, pipeline));
    }
    if (told->len > 1)
        add_pipelines(plan, told);
}
