/* SPDX-License-Identifier: BSD-3-Clause */
/* Advice on latencies that take long: of one class, or of several that wait side by side. See
 * advice-private.h. */
#include "answer/advice-private.h"
#include "cli/report/format.h"

#include <math.h>
#include <string.h>

/* Latencies that are told at most. */
#define MOST_LATENCIES 5

/* ---- latencies ----------------------------------------------------------------------------- */

static char *tell_latency(const AdvicePlan *plan, const AdviceItem *item)
{
    const Sensitivity *row = plan->sensitivities->rows->pdata[item->index];
    g_autofree char *from = format_rational(row->value);
    g_autofree char *to = format_rational(row->tried[0]);
    g_autofree char *gives = advice_would_give(plan, item);
    return g_strdup_printf("%s %s %s -> %s %s", row->klass, varies_text(row->varies), from, to,
                           gives);
}

/* The machine's class that a row is of. */
static guint class_of(const AdvicePlan *plan, const Sensitivity *row)
{
    const PsMachine *machine = plan->answer->machine;
    for (guint i = 0; i < machine->n_classes; i++) {
        g_autofree char *asked = ps_text_clean(machine->classes[i].asked);
        if (strcmp(asked, row->klass) == 0)
            return i;
    }
    return G_MAXUINT;
}

/* Whether an item is there already about the class's pipeline, or what it costs. */
static gboolean is_covered(const AdvicePlan *plan, const Sensitivity *row)
{
    if (advice_has_relief(plan, row->klass))
        return TRUE;
    const guint class_ = class_of(plan, row);
    return row->varies == VARIES_ISSUE && class_ != G_MAXUINT &&
           advice_tells_pipeline(plan, plan->answer->machine->classes[class_].pipeline);
}

static gboolean is_served_by(const PsMachineClass *bound, const void *to)
{
    return bound->klass == to;
}

/* "global.load.A, global.load.B": those that a class of the GPU serves, and whose completion is
 * waited for (g_free). *n is how many. */
static char *list_served(const PsMachine *machine, const PsClass *klass, guint *n)
{
    GString *out = g_string_new(NULL);
    g_autofree gboolean *count = completions_that_count(machine);
    *n = 0;
    for (guint i = 0; i < machine->n_classes; i++) {
        g_autofree char *asked = ps_text_clean(machine->classes[i].asked);
        if (!count[i] || !is_served_by(&machine->classes[i], klass))
            continue;
        g_string_append_printf(out, "%s%s", *n ? ", " : "", asked);
        ++*n;
    }
    return g_string_free(out, FALSE);
}

static char *tell_together(const AdvicePlan *plan, const AdviceItem *item)
{
    const PsMachine *machine = plan->answer->machine;
    guint n;
    g_autofree char *all = list_served(machine, machine->classes[item->index].klass, &n);
    g_autofree char *gives = advice_would_give(plan, item);
    return g_strdup_printf("half the completion latency of %s together %s", all, gives);
}

/* How much of the critical path completions of a class of the GPU take. */
static double completions_of(const Answer *answer, const PsClass *klass)
{
    const GPtrArray *shares = answer->explain->by_class;
    double sum = 0;
    for (guint i = 0; shares && i < shares->len; i++) {
        const ExplainShare *share = shares->pdata[i];
        if (share->kind == PS_PATH_COMPLETION &&
            answer->machine->classes[share->class_].klass == klass)
            sum += share->share;
    }
    return sum;
}

/* Of the classes that it serves, the one whose completions take most of the path. */
static guint longest_completion(const Answer *answer, const PsClass *klass)
{
    const GPtrArray *shares = answer->explain->by_class;
    for (guint i = 0; i < shares->len; i++) {
        const ExplainShare *share = shares->pdata[i];
        if (share->kind == PS_PATH_COMPLETION &&
            answer->machine->classes[share->class_].klass == klass)
            return share->class_;
    }
    return G_MAXUINT;
}

/* Where loads go side by side, to be quicker alone helps none of them. best is what half of one
 * latency gains. */
static void add_together(AdvicePlan *plan, double best)
{
    const Answer *answer = plan->answer;
    double most = 0;
    guint at = 0;
    for (guint i = 0; i < answer->machine->n_classes; i++) {
        const PsClass *klass = answer->machine->classes[i].klass;
        const double share = completions_of(answer, klass);
        guint n;
        g_free(list_served(answer->machine, klass, &n));
        if (n < 2 || share <= most)
            continue;
        most = share;
        at = i;
    }
    if (!(most > ADVICE_LEAST))
        return;
    const PsClass *klass = answer->machine->classes[at].klass;
    Trial *trial = trial_new(plan->question);
    advice_halve(trial, answer, VARIES_COMPLETION, is_served_by, klass);
    AdviceItem *item = advice_add(plan, "latency", tell_together, trial);
    item->klass = klass->name;
    item->index = at;
    item->class_ = longest_completion(answer, klass);
    item->least = best >= ADVICE_LEAST ? best + ADVICE_LEAST : ADVICE_LEAST;
}

/* A latency of which half gains something. */
typedef struct {
    const Sensitivity *row;
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
static GArray *find_candidates(const AdvicePlan *plan)
{
    const GPtrArray *rows = plan->sensitivities->rows;
    GArray *found = g_array_new(FALSE, FALSE, sizeof(Candidate));
    for (guint i = 0; i < rows->len; i++) {
        const Sensitivity *row = rows->pdata[i];
        if ((row->varies != VARIES_ISSUE && row->varies != VARIES_COMPLETION) ||
            isnan(row->seconds[0]) || is_covered(plan, row))
            continue;
        const Candidate candidate = {row, i, 1 - row->seconds[0] / plan->answer->seconds};
        if (candidate.gain >= ADVICE_LEAST)
            g_array_append_val(found, candidate);
    }
    g_array_sort(found, most_helpful_first);
    return found;
}

/* The latency of a row twice as long; NULL where that cannot be written. */
static Trial *doubled(const AdvicePlan *plan, const Sensitivity *row, guint class_)
{
    const gboolean issue = row->varies == VARIES_ISSUE;
    PsRational twice;
    if (class_ == G_MAXUINT || !ps_rational_mul(row->value, PS_RATIONAL_INT(2), &twice))
        return NULL;
    Trial *trial = trial_new(plan->question);
    trial_set_latency(
        trial, plan->answer, class_,
        (PsLatency){issue ? twice : PS_RATIONAL_INT(0), issue ? PS_RATIONAL_INT(0) : twice});
    return trial;
}

/* The latencies of which half helps most, and completion latencies that help together. To issue
 * more often is throughput. */
void advice_latencies(AdvicePlan *plan)
{
    double best = 0;
    g_autoptr(GArray) found = find_candidates(plan);
    for (guint i = 0; i < found->len; i++) {
        const Candidate *candidate = &g_array_index(found, Candidate, i);
        const gboolean issue = candidate->row->varies == VARIES_ISSUE;
        if (!issue)
            best = fmax(best, candidate->gain);
        if (i >= MOST_LATENCIES)
            continue;
        AdviceItem *item = advice_add(plan, issue ? "throughput" : "latency", tell_latency, NULL);
        item->seconds = candidate->row->seconds[0];
        item->klass = candidate->row->klass;
        item->class_ = class_of(plan, candidate->row);
        item->index = candidate->at;
        item->check = doubled(plan, candidate->row, item->class_);
    }
    add_together(plan, best);
}
