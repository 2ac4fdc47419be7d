/* SPDX-License-Identifier: BSD-3-Clause */
/* Advice on latencies that take long: of one class, or of several that wait side by side. See
 * kind.h. */
#include "advice/kind.h"

#include "answer/avoidable.h"

#include <math.h>
#include <string.h>

/* Latencies that are told at most. */
#define MOST_LATENCIES 5

const PsExplainShare *ps_advice_longest_latency(const PsAnswer *answer)
{
    const GPtrArray *shares = answer->explain->by_class;
    const PsExplainShare *top = shares && shares->len ? shares->pdata[0] : NULL;
    return top && top->kind == PS_PATH_COMPLETION ? top : NULL;
}

/* Whether it is a completion latency that a kernel may wait for less, and that nothing else covers.
 */
static gboolean is_candidate(const PsAdvicePlan *plan, const PsSensitivity *row)
{
    return row->varies == PS_VARIES_COMPLETION && !isnan(row->seconds[0]) &&
           ps_latency_may_help(plan->answer, row->class_index) &&
           !ps_advice_has_avoidable(plan, row->class_name);
}

static gboolean is_served_by(const PsMachineClass *bound, const void *to)
{
    return bound->class == to;
}

/* The machine's classes that a class of the GPU serves, and whose completion is waited for. */
static GArray *find_served(const PsMachine *machine, const PsClass *class)
{
    GArray *served = g_array_new(FALSE, FALSE, sizeof(guint));
    g_autofree gboolean *count = ps_completions_that_count(machine);
    for (guint i = 0; i < machine->n_classes; i++)
        if (count[i] && is_served_by(&machine->classes[i], class))
            g_array_append_val(served, i);
    return served;
}

/* How much of the critical path completions of a class of the GPU take. */
static double completions_of(const PsAnswer *answer, const PsClass *class)
{
    const GPtrArray *shares = answer->explain->by_class;
    double sum = 0;
    for (guint i = 0; shares && i < shares->len; i++) {
        const PsExplainShare *share = shares->pdata[i];
        if (share->kind == PS_PATH_COMPLETION &&
            answer->machine->classes[share->class_index].class == class)
            sum += share->share;
    }
    return sum;
}

/* The class whose completions take most of the path, among those that it serves. */
static guint longest_completion(const PsAnswer *answer, const PsClass *class)
{
    const GPtrArray *shares = answer->explain->by_class;
    for (guint i = 0; i < shares->len; i++) {
        const PsExplainShare *share = shares->pdata[i];
        if (share->kind == PS_PATH_COMPLETION &&
            answer->machine->classes[share->class_index].class == class)
            return share->class_index;
    }
    return G_MAXUINT;
}

/* The class of the GPU whose completions take most of the path, of those that serve several classes
 * of the machine and may be waited for less; NULL where that is next to nothing. */
static const PsClass *find_shared(const PsAnswer *answer)
{
    double most = 2 * PS_ADVICE_LEAST; /* half of them gains half of it at most */
    const PsClass *found = NULL;
    for (guint i = 0; i < answer->machine->n_classes; i++) {
        const PsClass *class = answer->machine->classes[i].class;
        const double share = completions_of(answer, class);
        g_autoptr(GArray) served = find_served(answer->machine, class);
        if (served->len < 2 || share <= most || !ps_latency_is_avoidable(class->name))
            continue;
        most = share;
        found = class;
    }
    return found;
}

/* Where loads go side by side, to be quicker alone helps none of them. best is what half of one
 * latency gains. */
static void add_together(PsAdvicePlan *plan, double best)
{
    const PsAnswer *answer = plan->answer;
    const PsClass *class = find_shared(answer);
    if (!class)
        return;
    PsVariant *variant = ps_variant_new(plan->question);
    ps_advice_halve(variant, answer, PS_VARIES_COMPLETION, is_served_by, class);
    PsAdviceItem *item = ps_advice_add(plan, PS_CAUSE_LATENCY, PS_CHANGE_LATENCIES,
                                       longest_completion(answer, class), variant);
    g_free(item->advice->class_name);
    item->advice->class_name = ps_text_clean(class->name);
    item->advice->classes = find_served(answer->machine, class);
    item->least = best >= PS_ADVICE_LEAST ? best + PS_ADVICE_LEAST : PS_ADVICE_LEAST;
}

/* A latency of which half gains something. */
typedef struct {
    const PsSensitivity *row;
    guint at;
    double gain;
} Candidate;

static int most_helpful_first(gconstpointer a, gconstpointer b)
{
    const Candidate *x = a, *y = b;
    if (x->gain != y->gain)
        return x->gain < y->gain ? 1 : -1;
    return (x->at > y->at) - (x->at < y->at);
}

/* Those that nothing else covers, the most helpful first. */
static GArray *find_candidates(const PsAdvicePlan *plan)
{
    const GPtrArray *rows = plan->sensitivities->rows;
    GArray *found = g_array_new(FALSE, FALSE, sizeof(Candidate));
    for (guint i = 0; i < rows->len; i++) {
        const PsSensitivity *row = rows->pdata[i];
        if (!is_candidate(plan, row))
            continue;
        const Candidate candidate = {row, i, 1 - row->seconds[0] / plan->answer->seconds};
        if (candidate.gain >= PS_ADVICE_LEAST)
            g_array_append_val(found, candidate);
    }
    g_array_sort(found, most_helpful_first);
    return found;
}

/* The latency of a row twice as long. */
static PsVariant *doubled(const PsAdvicePlan *plan, const PsSensitivity *row)
{
    PsVariant *variant = ps_variant_new(plan->question);
    ps_variant_times_latency(variant, plan->answer, row->class_index,
                             (PsLatency){PS_RATIONAL_INT(0), PS_RATIONAL_INT(2)});
    return variant;
}

/* The completion latencies of which half helps most, and those that help together. To issue less is
 * advice where a pipeline is saturated. */
void ps_advice_latencies(PsAdvicePlan *plan)
{
    double best = 0;
    g_autoptr(GArray) found = find_candidates(plan);
    for (guint i = 0; i < found->len; i++) {
        const Candidate *candidate = &g_array_index(found, Candidate, i);
        best = fmax(best, candidate->gain);
        if (i >= MOST_LATENCIES)
            continue;
        PsAdviceItem *item = ps_advice_add(plan, PS_CAUSE_LATENCY, PS_CHANGE_LATENCY,
                                           candidate->row->class_index, NULL);
        item->advice->seconds = candidate->row->seconds[0];
        item->advice->half_width = candidate->row->half_widths[0];
        item->advice->latency = candidate->row;
        item->check = doubled(plan, candidate->row);
    }
    add_together(plan, best);
}

PsAdvice *ps_advice_nothing(const PsAnswer *answer)
{
    PsAdvice *advice = ps_advice_new(PS_CAUSE_NOTHING, PS_CHANGE_NONE, G_MAXUINT);
    const PsExplainShare *top = ps_advice_longest_latency(answer);
    if (!top)
        return advice;
    const PsMachineClass *bound = &answer->machine->classes[top->class_index];
    if (ps_latency_is_avoidable(bound->asked))
        return advice;
    advice->class_index = top->class_index;
    advice->class_name = ps_text_clean(bound->asked);
    advice->share = top->share;
    return advice;
}
