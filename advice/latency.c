/* SPDX-License-Identifier: BSD-3-Clause */
/* Advice on long latencies: of one class, or of several that warps wait for side by side. See
 * kind.h. */
#include "advice/kind.h"

#include "answer/avoidable.h"
#include "answer/figures.h"
#include "answer/words.h"
#include "base/class-name.h"
#include "idg/words.h"
#include "tell/format.h"
#include "tell/words.h"

#include <math.h>
#include <string.h>

/* Latencies that are told, at most. */
#define MOST_LATENCIES 5

/* Classes whose completions warps wait for side by side. */
typedef struct {
    GArray *classes; /* guint: the machine's classes */
} Together;

static void clear(void *data)
{
    Together *together = data;
    g_array_unref(together->classes);
}

static gboolean has_class(const Together *together, guint class_index)
{
    for (guint i = 0; i < together->classes->len; i++)
        if (g_array_index(together->classes, guint, i) == class_index)
            return TRUE;
    return FALSE;
}

/* ---- what is said of it -------------------------------------------------------------------- */

/* How a kernel can shorten waits for a completion latency. */
static const char *less_waiting(const char *class_name)
{
    if (ps_class_covers("barrier", class_name))
        return "fewer barriers";
    if (ps_class_covers("atomic", class_name))
        return "fewer of them, or results that nothing waits for";
    if (!ps_class_is_local(class_name) && !ps_class_is_global(class_name))
        return "fewer of them";
    return "more of them or more warps at once would hide it";
}

static char *describe_one(const PsAnswer *answer, const PsAdvice *advice)
{
    const PsSensitivity *row = advice->data;
    g_autofree char *from = ps_format_latency(row->value);
    g_autofree char *to = ps_format_latency(row->tried[0]);
    g_autofree char *gives = ps_would_give(answer, advice);
    g_autofree char *name = ps_idg_class_words(answer->idg, row->class_name);
    const char *varies = ps_varies_words(answer, row->varies),
               *less = less_waiting(row->class_name);
    return ps_class_differs(answer->machine, row->class_index)
               ? g_strdup_printf("half of the %s that levels of memory give each %s %s: %s", varies,
                                 name, gives, less)
               : g_strdup_printf("%s %s %s -> %s %s: %s", name, varies, from, to, gives, less);
}

/* Classes that are named; one more is named rather than told as "1 other". */
#define MOST_CLASSES 3

static char *describe_all(const PsAnswer *answer, const PsAdvice *advice)
{
    const GArray *classes = ((const Together *)advice->data)->classes;
    g_autoptr(GString) all = g_string_new(NULL);
    const guint n = classes->len, named = n <= MOST_CLASSES + 1 ? n : MOST_CLASSES;
    for (guint i = 0; i < named; i++) {
        const guint class_index = g_array_index(classes, guint, i);
        g_autofree char *asked = ps_answer_class_words(answer, class_index);
        g_string_append_printf(all, "%s%s", i ? ", " : "", asked);
    }
    if (named < n)
        g_string_append_printf(all, " and %u others of the kind", n - named);
    g_autofree char *gives = ps_would_give(answer, advice);
    return g_strdup_printf("half the completion latency of %s together %s: %s", all->str, gives,
                           less_waiting(advice->class_name));
}

static void tell_one_figures(const PsAdvice *advice, PsTold *facts)
{
    const PsSensitivity *row = advice->data;
    if (row->value.num > 0)
        ps_tell_entry_exact(facts, "now", row->value);
    if (row->tried[0].num > 0)
        ps_tell_entry_exact(facts, "then", row->tried[0]);
}

static void tell_all_figures(const PsAdvice *advice, PsTold *facts)
{
    ps_tell_entry_whole(facts, "classes", ((const Together *)advice->data)->classes->len);
}

static gboolean is_about(const PsAnswer *answer, const PsAdvice *advice, guint class_index)
{
    (void)answer;
    return advice->class_index == class_index || has_class(advice->data, class_index);
}

static const PsAdviceChange all = {.name = "latencies",
                                   .sentence = describe_all,
                                   .tell_figures = tell_all_figures,
                                   .is_about = is_about,
                                   .clear = clear};

/* TRUE if told advice covers this: latencies that help more together are told together. */
static gboolean is_covered(const PsAdvice *advice, const PsAdvice *told)
{
    return told->change == &all && has_class(told->data, advice->class_index);
}

static const PsAdviceChange one = {.name = "latency",
                                   .sentence = describe_one,
                                   .tell_figures = tell_one_figures,
                                   .is_covered = is_covered};

/* ---- which they are ------------------------------------------------------------------------ */

/* TRUE for a completion latency for which a kernel can wait less, and that no other advice
 * covers. */
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

/* The machine's classes that one class of the GPU serves, and for whose completion warps wait. */
static GArray *find_served(const PsMachine *machine, const PsClass *class)
{
    GArray *served = g_array_new(FALSE, FALSE, sizeof(guint));
    g_autofree gboolean *count = ps_completions_that_count(machine);
    for (guint i = 0; i < machine->n_classes; i++)
        if (count[i] && is_served_by(&machine->classes[i], class))
            g_array_append_val(served, i);
    return served;
}

/* The share of the critical path that completions of a class of the GPU take. */
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

/* Among the machine's classes that it serves, the one whose completions take most of the path. */
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

/* The class of the GPU whose completions take most of the path, among those that serve several
 * classes of the machine and for which warps can wait less; NULL: the share is too small. */
static const PsClass *find_shared(const PsAnswer *answer)
{
    double most = 2 * PS_ADVICE_LEAST; /* half of a latency gains at most half of its share */
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

/* Puts the item at the class that is longest on the path. */
static void place_longest(const PsAnswer *answer, PsAdvice *advice)
{
    const GArray *classes = ((const Together *)advice->data)->classes;
    const PsPathRow *longest = NULL;
    for (guint i = 0; i < classes->len; i++) {
        const PsPathRow *row =
            ps_cause_row(answer, advice->cause, g_array_index(classes, guint, i));
        if (row && (!longest || row->ticks > longest->ticks))
            longest = row;
    }
    if (!longest || longest->node == G_MAXUINT)
        return;
    advice->program = longest->program;
    advice->node = longest->node;
}

/* Adds loads that run side by side: a faster one alone helps nothing. best is the gain of halving
 * one latency. */
static void add_together(PsAdvicePlan *plan, double best)
{
    const PsAnswer *answer = plan->answer;
    const PsClass *class = find_shared(answer);
    if (!class)
        return;
    PsVariant *variant = ps_variant_new(plan->question);
    ps_advice_halve(variant, answer, PS_VARIES_COMPLETION, is_served_by, class);
    PsAdviceItem *item =
        ps_advice_add(plan, PS_CAUSE_LATENCY, &all, longest_completion(answer, class), variant);
    g_free(item->advice->class_name);
    item->advice->class_name = ps_text_clean(class->name);
    ps_advice_data_new(item->advice, Together)->classes = find_served(answer->machine, class);
    place_longest(answer, item->advice);
    item->least = best >= PS_ADVICE_LEAST ? best + PS_ADVICE_LEAST : PS_ADVICE_LEAST;
}

/* A latency whose half gains something. */
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

/* Latencies that no other advice covers, the most helpful first. */
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

/* A variant with twice the latency of a row. */
static PsVariant *doubled(const PsAdvicePlan *plan, const PsSensitivity *row)
{
    PsVariant *variant = ps_variant_new(plan->question);
    ps_variant_times_latency(variant, plan->answer, row->class_index,
                             (PsLatency){PS_RATIONAL_INT(0), PS_RATIONAL_INT(2)});
    return variant;
}

/* Finds the completion latencies of which half helps most, and those that help together. Shorter
 * issue latencies are advice only where a pipeline is saturated. */
static void find(PsAdvicePlan *plan)
{
    double best = 0;
    g_autoptr(GArray) found = find_candidates(plan);
    for (guint i = 0; i < found->len; i++) {
        const Candidate *candidate = &g_array_index(found, Candidate, i);
        best = fmax(best, candidate->gain);
        if (i >= MOST_LATENCIES)
            continue;
        PsAdviceItem *item =
            ps_advice_add(plan, PS_CAUSE_LATENCY, &one, candidate->row->class_index, NULL);
        item->advice->seconds = candidate->row->seconds[0];
        item->advice->half_width = candidate->row->half_widths[0];
        item->advice->data = g_memdup2(candidate->row, sizeof *candidate->row);
        item->check = doubled(plan, candidate->row);
    }
    add_together(plan, best);
}

const PsAdviceKind ps_advice_kind_latency = {.find = find};
