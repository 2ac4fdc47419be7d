/* SPDX-License-Identifier: BSD-3-Clause */
/* Advice on latencies that take long: of one class, or of several that wait side by side. See
 * advice-private.h. */
#include "cli/advice-private.h"
#include "cli/format.h"

#include <math.h>
#include <string.h>

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

/* Whether an item is there already about the class's pipeline, or what it costs. */
static gboolean is_covered(const AdvicePlan *plan, const Sensitivity *row)
{
    if (advice_has_relief(plan, row->klass))
        return TRUE;
    const PsMachine *machine = plan->answer->machine;
    for (guint i = 0; i < machine->n_classes; i++) {
        if (strcmp(machine->classes[i].asked, row->klass) != 0)
            continue;
        const PsStatsRow *busy = advice_stats(plan->answer, machine->classes[i].pipeline);
        return row->varies == VARIES_ISSUE && busy &&
               answer_share(plan->answer, busy) >= ANSWER_SATURATED;
    }
    return FALSE;
}

static gboolean is_served_by(const PsBoundClass *bound, const void *to)
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
        g_autofree char *all = list_served(answer->machine, klass, &n);
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
    item->index = at;
    item->klass = klass->name;
    item->least = best >= ADVICE_LEAST ? best + ADVICE_LEAST : ADVICE_LEAST;
}

/* The row of those latencies of which half helps most; NULL where none is known. */
static const Sensitivity *best_row(const AdvicePlan *plan, Varies varies, guint *at)
{
    const GPtrArray *rows = plan->sensitivities->rows;
    const Sensitivity *best = NULL;
    for (guint i = 0; i < rows->len; i++) {
        const Sensitivity *row = rows->pdata[i];
        if (row->varies != varies || isnan(row->seconds[0]) || is_covered(plan, row) ||
            (best && row->seconds[0] >= best->seconds[0]))
            continue;
        best = row;
        *at = i;
    }
    return best;
}

/* The two latencies of which half helps most, and completion latencies that help together. */
void advice_latencies(AdvicePlan *plan)
{
    double gain = 0;
    for (Varies varies = VARIES_ISSUE; varies <= VARIES_COMPLETION; varies++) {
        guint at = 0;
        const Sensitivity *best = best_row(plan, varies, &at);
        if (!best)
            continue;
        AdviceItem *item = advice_add(plan, "latency", tell_latency, NULL);
        item->seconds = best->seconds[0];
        item->klass = best->klass;
        item->index = at;
        gain = 1 - best->seconds[0] / plan->answer->seconds;
    }
    add_together(plan, fmax(0, gain));
}
