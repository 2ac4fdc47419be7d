/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Local memory by wavefronts: if loads with conflicts of all degrees follow from those without, the
 * description states that rule once, and classes only for wide accesses that deviate.
 */
#include "base/class-name.h"
#include "gpu/rows.h"
#include "latency-bench/describe/describe.h"

#include <math.h>
#include <string.h>

/* Relative deviation of a class from the rule, at most. */
#define NEAR 0.1

/* The degree of a class such as local.load.c8; 0: it is no such load. */
static gint64 degree_of(const char *class_name)
{
    const gint64 conflicts = ps_class_access(class_name).conflicts;
    g_autofree char *load =
        ps_class_with_access("local.load", &(PsClassAccess){.conflicts = conflicts});
    return strcmp(class_name, load) == 0 ? conflicts : 0;
}

static gboolean is_near(double figure, double expected)
{
    return fabs(figure / expected - 1) <= NEAR;
}

/* TRUE if all loads follow the rule; latencies that do not show contradict nothing. */
static gboolean holds(const PsDescribe *describe, double wavefront, double least, double completion)
{
    for (guint i = 0; i < describe->fits->len; i++) {
        const PsBenchFit *fit = &g_array_index(describe->fits, PsBenchFit, i);
        const double degree = (double)degree_of(fit->class_name);
        const double issue = fit->fit.issue.value, late = fit->fit.completion.value;
        if (degree > 0 &&
            ((isfinite(issue) && !is_near(issue, MAX(least, wavefront * degree))) ||
             (isfinite(late) && !is_near(late, completion + wavefront * (degree - 1)))))
            return FALSE;
    }
    return TRUE;
}

static gboolean agrees(const PsEstimate *found, PsRational follows)
{
    return !isfinite(found->value) || is_near(found->value, ps_rational_to_double(follows));
}

gboolean ps_describe_follows_local(const PsDescribe *describe, const PsBenchFit *fit)
{
    const PsGpu *gpu = describe->gpu;
    guint pipeline;
    PsLatency follows;
    if (!gpu->local.stated)
        return FALSE;
    return ps_class_access(fit->class_name).words == 1 ||
           !ps_gpu_local_latency(gpu, fit->class_name, &pipeline, &follows) ||
           (agrees(&fit->fit.issue, follows.issue) &&
            agrees(&fit->fit.completion, follows.completion));
}

/* Finds operations that keep the unit longer than a load: additions, and among these
 * compare-and-swap. */
static void find_atomics(const PsDescribe *describe, double least, double wavefront,
                         PsLocalMemory *local)
{
    const double add = ps_describe_issue(describe, "atomic.local"),
                 issue = add / MAX(least, wavefront),
                 swaps = ps_describe_issue(describe, "atomic.local.cas") / add;
    if (isfinite(issue) && issue < (1 - NEAR) * ps_rational_to_double(local->atomic))
        local->atomic_issue = ps_describe_figure(fmax(1, issue));
    if (isfinite(swaps) && !is_near(swaps, 1) && swaps > 1)
        local->swap = ps_describe_figure(swaps);
}

void ps_describe_local(PsDescribe *describe)
{
    PsLocalMemory *local = &describe->gpu->local;
    double least = NAN, completion = NAN, wavefront = NAN, atomic = NAN;
    gint64 most = 1;
    for (guint i = 0; i < describe->fits->len; i++) {
        const PsBenchFit *fit = &g_array_index(describe->fits, PsBenchFit, i);
        const gint64 degree = degree_of(fit->class_name);
        if (fit->fit.scope == PS_PIPELINE_SCHEDULER && ps_class_covers("local", fit->class_name))
            return;
        if (degree == 1) {
            least = fit->fit.issue.value;
            completion = fit->fit.completion.value;
        } else if (degree > most && isfinite(fit->fit.issue.value)) {
            most = degree;
            wavefront = fit->fit.issue.value / (double)degree;
        } else if (strcmp(fit->class_name, "atomic.local") == 0) {
            atomic = fit->fit.completion.value;
        }
    }
    if (!describe->gpu->memory.levels || !isfinite(least + completion + wavefront + atomic) ||
        !holds(describe, wavefront, least, completion))
        return;
    *local = (PsLocalMemory){.stated = TRUE,
                             .pipeline = ps_describe_pipeline(describe->gpu, "local", FALSE),
                             .wavefront = ps_describe_figure(wavefront),
                             .least = is_near(least, wavefront) ? PS_RATIONAL_INT(0)
                                                                : ps_describe_figure(least),
                             .completion = ps_describe_figure(completion),
                             .atomic = ps_describe_figure(fmax(1, atomic / completion)),
                             .atomic_issue = PS_RATIONAL_INT(0),
                             .swap = PS_RATIONAL_INT(0),
                             .source = g_strdup("local-memory")};
    find_atomics(describe, least, wavefront, local);
    ps_describe_source(
        describe, "local-memory", PS_SOURCE_MEASURED,
        g_strdup_printf("Fits of chains of loads with conflicts of degrees up to %" G_GINT64_FORMAT
                        ", which all are within %.0f %% of what follows, and of atomic additions "
                        "without conflicts, whose completion latency tells how many times as long "
                        "they take, and whose issue latency how long they keep the unit; the same "
                        "of compare-and-swap, all of which succeed.",
                        most, 100 * NEAR));
}
