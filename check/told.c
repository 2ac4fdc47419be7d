/* SPDX-License-Identifier: BSD-3-Clause */
/* See told.h. */
#include "check/told.h"

#include "check/cause.h"
#include "tell/format.h"

#include <math.h>
#include <string.h>

/* The two sides and their comparison. */
typedef struct {
    const PsCheckKernel *kernel;
    const PsCheckResult *before, *after;
    double slower; /* per cent */
    gboolean fails;
} Pair;

static const PsCheckResult *find(const GPtrArray *results, const PsCheckResult *like)
{
    for (guint i = 0; i < results->len; i++) {
        const PsCheckResult *result = results->pdata[i];
        if (strcmp(result->name, like->name) == 0 && strcmp(result->gpu, like->gpu) == 0)
            return result;
    }
    return NULL;
}

static Pair pair_of(const PsCheckPlan *plan, const GPtrArray *baseline, const PsCheckResult *after)
{
    Pair pair = {.after = after, .before = find(baseline, after), .slower = plan->slower};
    for (guint i = 0; i < plan->kernels->len; i++) {
        const PsCheckKernel *kernel = plan->kernels->pdata[i];
        if (strcmp(kernel->name, after->name) == 0)
            pair.kernel = kernel;
    }
    if (pair.kernel->slower >= 0)
        pair.slower = pair.kernel->slower;
    pair.fails = pair.before && after->seconds > pair.before->seconds * (1 + pair.slower / 100);
    return pair;
}

/* ---- facts ---------------------------------------------------------------------------------- */

static void tell_conflicts(const Pair *pair, PsTold *facts)
{
    const double before = pair->before ? pair->before->conflicts : NAN,
                 after = pair->after ? pair->after->conflicts : NAN;
    if ((isnan(before) || before == 0) && (isnan(after) || after == 0))
        return;
    ps_tell_open(facts, PS_FACT_CHECK_KERNELS_BANK_CONFLICTS);
    if (!isnan(before))
        ps_tell(facts, PS_FACT_MOVED_BEFORE, (gint64)before);
    if (!isnan(after))
        ps_tell(facts, PS_FACT_MOVED_AFTER, (gint64)after);
    ps_tell_close(facts);
}

static void tell_pair(const Pair *pair, PsTold *facts)
{
    const PsCheckResult *one = pair->after ? pair->after : pair->before;
    ps_tell_item(facts);
    ps_tell(facts, PS_FACT_CHECK_KERNELS_NAME, one->name);
    ps_tell(facts, PS_FACT_CHECK_KERNELS_GPU, one->gpu);
    ps_tell(facts, PS_FACT_CHECK_KERNELS_VERDICT,
            !pair->before  ? "added"
            : !pair->after ? "removed"
            : pair->fails  ? "failed"
                           : "passed");
    if (pair->after)
        ps_tell(facts, PS_FACT_CHECK_KERNELS_SLOWER, pair->slower / 100);
    if (pair->before)
        ps_tell(facts, PS_FACT_CHECK_KERNELS_BEFORE, pair->before->seconds);
    if (pair->after)
        ps_tell(facts, PS_FACT_CHECK_KERNELS_AFTER, pair->after->seconds);
    tell_conflicts(pair, facts);
    ps_tell_close(facts);
}

static void tell_cause(const Pair *pair, PsTold *facts)
{
    gint64 line = 0;
    g_autofree char *file = NULL;
    char *cause = ps_check_cause(pair->kernel, pair->before, pair->after, &file, &line);
    if (cause)
        ps_tell_taken(facts, PS_FACT_FINDING_CAUSE, cause);
    ps_tell(facts, PS_FACT_FINDING_FILE, file);
    if (file)
        ps_tell(facts, PS_FACT_FINDING_LINE, line);
    else
        ps_tell_unknown(facts, PS_FACT_FINDING_LINE.n);
}

static void tell_finding(const Pair *pair, PsTold *facts)
{
    g_autofree char *before = ps_format_time(pair->before->seconds),
                    *after = ps_format_time(pair->after->seconds),
                    *more = ps_format_share(pair->after->seconds / pair->before->seconds - 1),
                    *allowed = ps_format_share(pair->slower / 100);
    g_autofree char *sentence =
        g_strdup_printf("%s on %s, and %s in the baseline: %s slower; at most %s is allowed", after,
                        pair->after->gpu, before, more, allowed);
    ps_tell_item(facts);
    ps_tell(facts, PS_FACT_FINDING_LEVEL, "error");
    ps_tell(facts, PS_FACT_FINDING_KERNEL, pair->after->name);
    ps_tell(facts, PS_FACT_FINDING_ON, pair->after->gpu);
    ps_tell(facts, PS_FACT_FINDING_FIGURE, "time");
    ps_tell(facts, PS_FACT_FINDING_SENTENCE, sentence);
    tell_cause(pair, facts);
    ps_tell_close(facts);
}

static char *verdict_words(guint failed, guint all)
{
    g_autofree char *runs = ps_format_noun(all, "kernel");
    return failed ? g_strdup_printf("%u of %s %s slower than is allowed", failed, runs,
                                    failed == 1 ? "is" : "are")
                  : g_strdup_printf("No kernel of %u is slower than is allowed", all);
}

PsTold *ps_check_told(const PsCheckPlan *plan, const GPtrArray *results, const GPtrArray *baseline,
                      guint *failed)
{
    PsTold *facts = ps_told_new();
    g_autoptr(GArray) pairs = g_array_new(FALSE, FALSE, sizeof(Pair));
    *failed = 0;
    for (guint i = 0; i < results->len; i++) {
        const Pair pair = pair_of(plan, baseline, results->pdata[i]);
        *failed += pair.fails;
        g_array_append_val(pairs, pair);
    }
    ps_tell(facts, PS_FACT_CHECK_PIPESIM, PIPESIM_VERSION);
    ps_tell(facts, PS_FACT_CHECK_FILE, plan->path);
    ps_tell(facts, PS_FACT_CHECK_BASELINE, plan->baseline);
    ps_tell(facts, PS_FACT_CHECK_VERDICT, *failed ? "failed" : "passed");
    ps_tell_taken(facts, PS_FACT_CHECK_WORDS, verdict_words(*failed, results->len));
    ps_tell(facts, PS_FACT_CHECK_FAILED, *failed);
    ps_tell_open(facts, PS_FACT_CHECK_KERNELS);
    for (guint i = 0; i < pairs->len; i++)
        tell_pair(&g_array_index(pairs, Pair, i), facts);
    for (guint i = 0; i < baseline->len; i++)
        if (!find(results, baseline->pdata[i]))
            tell_pair(&(Pair){.before = baseline->pdata[i]}, facts);
    ps_tell_close(facts);
    ps_tell_open(facts, PS_FACT_CHECK_FINDINGS);
    for (guint i = 0; i < pairs->len; i++)
        if (g_array_index(pairs, Pair, i).fails)
            tell_finding(&g_array_index(pairs, Pair, i), facts);
    ps_tell_close(facts);
    return facts;
}
