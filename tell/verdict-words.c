/* SPDX-License-Identifier: BSD-3-Clause */
/* The verdict of the cross-check in words. See words.h. */
#include "answer/answer-private.h"
#include "answer/figures.h"
#include "tell/words.h"

#include "answer/words.h"
#include "roofline/terms.h"
#include "tell/format.h"

#include <string.h>

/* ---- faster -------------------------------------------------------------------------------- */

/* ", or lambda of fp32.add (1 cycle)": another input that may be wrong. */
static char *describe_input(const PsAnswer *answer)
{
    const PsVerdict *verdict = &answer->verdict;
    if (verdict->class_index == G_MAXUINT)
        return g_strdup("");
    const PsMachineClass *bound = &answer->machine->classes[verdict->class_index];
    if (bound->by_levels && verdict->peak == PS_B_MEM)
        return g_strdup(", or the bandwidth of the level device");
    const PsLatency latency = ps_what_if_latency(answer->machine, verdict->class_index);
    g_autofree char *issue = ps_format_latency(latency.issue);
    g_autofree char *bytes =
        verdict->bytes > 0
            ? g_strdup_printf(
                  ", which is that of %d bytes of a thread, and the graph moves %" G_GINT64_FORMAT
                  " at once",
                  PS_REQUEST_BYTES, verdict->bytes)
            : g_strdup("");
    g_autofree char *name = ps_answer_class_words(answer, verdict->class_index);
    return g_strdup_printf(", or lambda of %s (%s cycle%s)%s", name, issue,
                           strcmp(issue, "1") == 0 ? "" : "s", bytes);
}

/* The words for what the ceiling counts: "traffic", "operations of the pipeline alu". */
static char *describe_work(const PsAnswer *answer)
{
    const guint pipeline = answer->roofline.pipeline;
    if (answer->verdict.peak == PS_B_MEM)
        return g_strdup("traffic");
    if (pipeline >= answer->gpu->pipelines->len)
        return g_strdup("operations");
    g_autofree char *served_by = ps_pipeline_words(answer, pipeline);
    return g_strdup_printf("operations of the pipeline %s", served_by);
}

static char *impossible(const PsAnswer *answer)
{
    const PsVerdict *verdict = &answer->verdict;
    const gboolean memory = verdict->peak == PS_B_MEM;
    const PsPeaks *peaks = memory ? &answer->roofline.peaks : &answer->roofline.limits;
    g_autofree char *value = ps_format_scaled(peaks->value[verdict->peak]);
    g_autofree char *input = describe_input(answer);
    g_autofree char *served = describe_work(answer);
    const char *what = memory ? "traffic" : "operations";
    return g_strdup_printf("%sfaster than the %s at the peak %s allows, so an input is wrong: "
                           "check that peak (%s%s), the %s that the graph states%s",
                           verdict->near ? "the two agree within 10 %, but it is a little " : "",
                           served, ps_peak_kind_name(verdict->peak), value, memory ? "B/s" : "OP/s",
                           what, input);
}

static char *describe_busy(const PsAnswer *answer, guint pipeline)
{
    const PsStatsRow *row = answer->pipelines->pdata[pipeline];
    g_autofree char *share = ps_format_share(ps_answer_share(answer, row));
    g_autofree char *name = ps_answer_pipeline_words(answer, row->name);
    return g_strdup_printf("%s (busy %s)", name, share);
}

/* The second busiest pipeline. */
static guint second_busiest(const PsAnswer *answer)
{
    guint second = answer->busiest == 0 ? 1 : 0;
    for (guint i = 0; i < answer->pipelines->len; i++)
        if (i != answer->busiest && ps_answer_share(answer, answer->pipelines->pdata[i]) >
                                        ps_answer_share(answer, answer->pipelines->pdata[second]))
            second = i;
    return second;
}

static char *faster(const PsAnswer *answer)
{
    g_autofree char *first = describe_busy(answer, answer->busiest);
    if (answer->pipelines->len < 2)
        return g_strdup_printf("faster than equation 19, which counts more for the instructions "
                               "of %s, the only pipeline, than their latencies say",
                               first);
    g_autofree char *second = describe_busy(answer, second_busiest(answer));
    return g_strdup_printf("faster than equation 19, which counts all instructions on one "
                           "pipeline: the pipelines overlap, %s and %s above all",
                           first, second);
}

/* ---- slower -------------------------------------------------------------------------------- */

/* The longest wait of the run, if it was explained. */
static char *longest_of_path(const PsAnswer *answer)
{
    const PsExplainShare *longest = answer->explain->by_class->pdata[0];
    g_autofree char *percent = ps_format_share(longest->share);
    g_autofree char *name = ps_class_share_words(answer, longest);
    return g_strdup_printf("slower than equation 19: no pipeline is saturated; the "
                           "longest part of the critical path, %s, is %s",
                           percent, name);
}

static char *waiting(const PsAnswer *answer)
{
    const PsVerdict *verdict = &answer->verdict;
    if (answer->explain && answer->explain->by_class && answer->explain->by_class->len > 0)
        return longest_of_path(answer);
    if (verdict->class_index == G_MAXUINT)
        return g_strdup("slower than equation 19: no pipeline is saturated");
    const PsMachineClass *bound = &answer->machine->classes[verdict->class_index];
    g_autofree char *completion = ps_format_latency(bound->latency.completion);
    g_autofree char *percent = ps_format_share(verdict->share);
    g_autofree char *name = ps_answer_class_words(answer, verdict->class_index);
    return g_strdup_printf("slower than equation 19: warps wait most for %s (Lambda %s cycles), an "
                           "estimated %s of their critical path",
                           name, completion, percent);
}

static char *dispatched(const PsAnswer *answer)
{
    g_autofree char *share = ps_format_share(answer->verdict.load);
    return g_strdup_printf("slower than equation 19, which counts no launches of groups (%s of "
                           "the time)",
                           share);
}

static char *issued(const PsAnswer *answer)
{
    g_autofree char *share = ps_format_share(answer->verdict.load);
    return g_strdup_printf("slower than equation 19, which counts no issue ports (busy %s of "
                           "the time)",
                           share);
}

static char *served(const PsAnswer *answer)
{
    g_autofree char *share = ps_format_share(answer->verdict.load);
    g_autofree char *text = ps_server_words(answer->verdict.server);
    return g_strdup_printf("slower than equation 19, which counts less for %s (busy %s)", text,
                           share);
}

static char *saturated(const PsAnswer *answer)
{
    g_autofree char *busiest = describe_busy(answer, answer->busiest);
    return g_strdup_printf("slower than equation 19: the pipeline %s takes longer for its "
                           "instructions than the peaks say",
                           busiest);
}

/* "the fullest CU runs 2 groups, a CU 1.1 on average" */
static char *describe_fill(const PsAnswer *answer)
{
    const PsLaunch *launch = &answer->machine->launch;
    g_autofree char *fullest = ps_format_noun(launch->groups_per_cu, "group");
    g_autofree char *mean =
        ps_format_number((double)launch->groups / (double)answer->gpu->compute_units);
    return g_strdup_printf("the fullest CU runs %s, a CU %s on average", fullest, mean);
}

static char *unevenly_shared(const PsAnswer *answer)
{
    g_autofree char *fill = describe_fill(answer);
    return g_strdup_printf("slower than equation 19, which shares the work among all CUs evenly: "
                           "%s",
                           fill);
}

/* -------------------------------------------------------------------------------------------- */

static char *agreeing(const PsAnswer *answer)
{
    (void)answer;
    return g_strdup("the two agree within 10 %");
}

char *ps_verdict_sentence(const PsAnswer *answer)
{
    static char *(*const sentences[])(const PsAnswer *) = {
        [PS_VERDICT_IMPOSSIBLE] = impossible, [PS_VERDICT_AGREE] = agreeing,
        [PS_VERDICT_FASTER] = faster,         [PS_VERDICT_UNEVEN] = unevenly_shared,
        [PS_VERDICT_LATENCY] = waiting,       [PS_VERDICT_DISPATCH] = dispatched,
        [PS_VERDICT_SERVER] = served,         [PS_VERDICT_PIPELINE] = saturated,
        [PS_VERDICT_PORTS] = issued};
    if (answer->verdict.kind == PS_VERDICT_NONE)
        return NULL;
    g_autofree char *sentence = sentences[answer->verdict.kind](answer);
    if (!answer->verdict.uneven)
        return g_steal_pointer(&sentence);
    g_autofree char *fill = describe_fill(answer);
    return g_strdup_printf("%s; besides, the work is uneven: %s", sentence, fill);
}
