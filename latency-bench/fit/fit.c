/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Turns points into estimates: the latencies that the points determine, with their confidence, and
 * bounds of the others.
 */
#include "latency-bench/fit/curve.h"
#include "latency-bench/internal.h"
#include <math.h>

/* ---- points -------------------------------------------------------------------------------- */

static int compare_points(gconstpointer a, gconstpointer b, gpointer unused)
{
    const PsCurvePoint *x = a, *y = b;
    (void)unused;
    if (x->warps != y->warps)
        return (x->warps > y->warps) - (x->warps < y->warps);
    if (x->ilp != y->ilp)
        return (x->ilp > y->ilp) - (x->ilp < y->ilp);
    return (x->y > y->y) - (x->y < y->y);
}

static void take_points(PsFitWork *work, const PsHullPoint *points, guint n)
{
    PsCurve *curve = &work->curve;
    curve->points = g_new(PsCurvePoint, n + 1);
    for (guint i = 0; i < n; i++) {
        const PsHullPoint *p = &points[i];
        if (!isfinite(p->cycles) || p->cycles <= 0 || p->warps <= 0 || p->ilp <= 0)
            continue;
        double load = log((double)p->ilp) + log((double)p->warps);
        curve->points[curve->n++] =
            (PsCurvePoint){p->warps, p->ilp, log(p->cycles), {0, load, load}};
    }
    g_qsort_with_data(curve->points, (gint)curve->n, sizeof *curve->points, compare_points, NULL);
}

static void share_out(PsFitWork *work, gint64 schedulers)
{
    work->schedulers = schedulers;
    for (guint i = 0; i < work->curve.n && schedulers > 1; i++) {
        PsCurvePoint *p = &work->curve.points[i];
        gint64 fullest = p->warps / schedulers + (p->warps % schedulers != 0);
        p->offset[PS_BRANCH_SCHEDULER] = log((double)p->ilp) + log((double)fullest);
    }
}

/* ---- what the points tell ------------------------------------------------------------------ */

typedef struct {
    gboolean issue, completion;
} Told;

/* The flat branch alone, or (flat FALSE) those of pipelines alone. */
static PsHull reduced(const PsFitWork *work, gboolean flat)
{
    PsHull hull = work->hull;
    g_autofree double *y = g_new(double, work->curve.n);
    PsBranch only = flat ? PS_BRANCH_FLAT : work->alike;
    gboolean alone = TRUE;
    for (guint b = 0; b < PS_N_BRANCHES; b++)
        if ((b == PS_BRANCH_FLAT) != flat)
            hull.at[b] = -INFINITY;
        else if (b != only && isfinite(hull.at[b]))
            alone = FALSE;
    if (alone) {
        for (guint i = 0; i < work->curve.n; i++)
            y[i] = work->curve.points[i].y - work->curve.points[i].offset[only];
        hull.at[only] = ps_median(y, work->curve.n);
    }
    ps_hull_refine(&work->curve, work->scale, &hull);
    return hull;
}

/* Drops branches that the points do not determine. If few points suit one branch as well as both,
 * the better one counts; two points suit any hull, and determine none. */
static Told tell_hull(PsFitWork *work)
{
    PsHull flat = reduced(work, TRUE), rise = reduced(work, FALSE);
    Told told = {ps_fit_shows(work, work->hull.loss, flat.loss),
                 ps_fit_shows(work, work->hull.loss, rise.loss)};
    const double one_point = ps_robust_loss(INFINITY) / 2;
    if (!told.issue && !told.completion && fabs(flat.loss - rise.loss) > one_point) {
        told.issue = rise.loss < flat.loss;
        told.completion = !told.issue;
    }
    if (told.issue != told.completion)
        work->hull = told.issue ? rise : flat;
    ps_hull_residuals(&work->hull, &work->curve, work->residuals);
    ps_spread(&work->curve, work->residuals, work->scale, told.issue + told.completion,
              &work->spread);
    return told.issue && told.completion && !work->spread.freedom ? (Told){FALSE, FALSE} : told;
}

/* If Lambda grows exactly as the load does over some range of loads, a pipeline is at work;
 * otherwise there are only levels. */
static Told tell_table(PsFitWork *work)
{
    const double range = log(1.2);
    PsTable *table = &work->table;
    double loss = 0, least = INFINITY, most = -INFINITY;
    for (guint i = 0; i < work->curve.n; i++) {
        const PsCurvePoint *point = &work->curve.points[i];
        double level = ps_table_level(table, point->warps)->at, load = point->offset[work->alike];
        loss += ps_robust_loss((point->y - level) / work->scale);
        if (table->issue + load <= level || ps_robust_weight(work->residuals[i] / work->scale) <= 0)
            continue;
        least = MIN(least, load);
        most = MAX(most, load);
    }
    Told told = {most - least > range && ps_fit_shows(work, table->loss, loss), TRUE};
    if (!told.issue) {
        table->issue = -INFINITY;
        ps_table_refine(&work->curve, work->scale, table);
        ps_table_residuals(table, &work->curve, work->residuals);
        ps_spread(&work->curve, work->residuals, work->scale, table->steps, &work->spread);
    }
    return told;
}

/* ---- estimates ----------------------------------------------------------------------------- */

/* TRUE if the point is one of those that determine Lambda (flat) or lambda. For a table's first
 * level only its own points count, since points pooled with it may be higher in truth. */
static gboolean tells(const PsFitWork *work, const PsCurvePoint *point, gboolean flat)
{
    PsBranch branch = PS_BRANCH_FLAT;
    if (!work->table.levels) {
        ps_hull_at(&work->hull, point, &branch);
        return branch == (flat ? PS_BRANCH_FLAT : work->alike);
    }
    double level = ps_table_level(&work->table, point->warps)->at;
    gboolean busy = work->table.issue + point->offset[work->alike] > level;
    return flat ? !busy && point->warps == work->curve.points[0].warps : busy;
}

/* The variance is that of the branch's own points, joined by a few with the common variance: noise
 * may differ between both ends of the curve, but few points do not show their own. */
static PsEstimate estimate(const PsFitWork *work, double at, gboolean flat)
{
    const double more = 8;
    double squares = 0, weight = 0;
    for (guint i = 0; i < work->curve.n; i++) {
        double share = ps_robust_weight(work->residuals[i] / work->scale);
        if (share <= 0 || !tells(work, &work->curve.points[i], flat))
            continue;
        squares += share * share * work->residuals[i] * work->residuals[i];
        weight++;
    }
    PsEstimate result = {exp(at), 0, INFINITY};
    if (!work->spread.freedom || weight <= 0)
        return result;
    double variance = (squares + more * work->spread.variance) / (weight + more);
    double error = ps_student(work->spread.freedom) *
                   sqrt(MAX(variance, work->spread.variance) * work->spread.inflation / weight);
    result.low = exp(at - error);
    result.high = exp(at + error);
    return result;
}

/* The bound that no point contradicts: Lambda is at most the least time, lambda (of the CU) at most
 * the least time per load. Times are those of the fit, which may be off by margin (a logarithm);
 * points well above the fit have their own. */
static PsEstimate bound(const PsFitWork *work, gboolean flat, double margin)
{
    double least = INFINITY, well = 2 * sqrt(work->spread.variance);
    for (guint i = 0; i < work->curve.n; i++) {
        const PsCurvePoint *point = &work->curve.points[i];
        double residual = work->residuals[i];
        double time = point->y + (residual > well ? well : margin - residual);
        least = MIN(least, time - (flat ? 0 : point->offset[PS_BRANCH_CU]));
    }
    return (PsEstimate){NAN, 0, exp(least)};
}

static double margin_of(const PsFitWork *work, const PsEstimate *known)
{
    if (known && isfinite(known->high))
        return log(known->high / known->value);
    return 2 * sqrt(work->spread.variance);
}

/* If the scope is unknown, lambda may also be a share of a scheduler's pipeline. */
static void allow_for_scheduler(const PsFitWork *work, PsEstimate *issue)
{
    double share = exp(work->scheduler.at[PS_BRANCH_SCHEDULER]) / (double)work->schedulers;
    if (!(share > 0))
        return;
    double ratio = share / issue->value;
    issue->low *= MIN(1, ratio);
    issue->high *= MAX(1, ratio);
}

/* lambda as if the schedulers' pipelines were one of the CU. */
static void hide_scope(const PsFitWork *work, PsHullFit *fit)
{
    double share = fit->scope == PS_PIPELINE_SCHEDULER ? 1.0 / (double)work->schedulers : 1;
    fit->issue.value *= share;
    fit->issue.low *= share;
    fit->issue.high *= share;
    fit->scope = PS_PIPELINE_UNKNOWN;
}

static void put_issue(const PsFitWork *work, gboolean straight, PsHullFit *fit)
{
    fit->issue = estimate(work, straight ? work->hull.at[work->alike] : work->table.issue, FALSE);
    fit->scope = work->scope;
    if (straight && work->scope == PS_PIPELINE_UNKNOWN && work->schedulers > 1)
        allow_for_scheduler(work, &fit->issue);
    if (work->scope_hidden)
        hide_scope(work, fit);
}

static void put_estimates(PsFitWork *work, PsHullFit *fit)
{
    gboolean straight = !work->table.levels;
    Told told = straight ? tell_hull(work) : tell_table(work);
    fit->scope = PS_PIPELINE_UNKNOWN;
    if (told.completion) {
        double at = straight ? work->hull.at[PS_BRANCH_FLAT]
                             : g_array_index(work->table.levels, PsTableLevel, 0).at;
        fit->completion = estimate(work, at, TRUE);
    }
    if (told.issue)
        put_issue(work, straight, fit);
    else
        fit->issue = bound(work, FALSE, margin_of(work, told.completion ? &fit->completion : NULL));
    if (!told.completion)
        fit->completion = bound(work, TRUE, margin_of(work, told.issue ? &fit->issue : NULL));
    fit->straight = straight;
    if (!straight)
        fit->at = ps_table_points(&work->table, told.issue ? fit->issue.value : fit->issue.high);
    fit->goodness = straight && !told.issue ? NAN : work->spread.explained;
    fit->n_outliers = work->spread.outliers;
}

/* ---- the fit ------------------------------------------------------------------------------- */

/* Schedulers bend the curve even if the device does not report them: if a usual number of them
 * explains the points better than none, lambda comes from that. (If Lambda grows with the warps,
 * too, this sees less, and lambda may be off by some per cent.) */
static void guess_schedulers(PsFitWork *work)
{
    static const gint64 usual[] = {2, 4};
    gint64 best = 0;
    double gain = 0;
    for (guint i = 0; i < G_N_ELEMENTS(usual); i++) {
        share_out(work, usual[i]);
        ps_fit_hypotheses(work);
        if (ps_fit_shows(work, work->both.loss, work->cu.loss) &&
            work->cu.loss - work->both.loss > gain) {
            gain = work->cu.loss - work->both.loss;
            best = usual[i];
        }
    }
    share_out(work, best);
}

/* One chain per warp, or a constant number, distinguishes a pipeline of the CU from those of
 * schedulers only by warps that fill these unevenly, and other things disturb that more. */
static gboolean has_chains(const PsCurve *curve)
{
    for (guint i = 1; i < curve->n; i++)
        if (curve->points[i].ilp != curve->points[0].ilp)
            return TRUE;
    return FALSE;
}

void ps_hull_fit(const PsHullPoint *points, guint n, gint64 schedulers, PsHullFit *fit)
{
    const PsEstimate unknown = {NAN, 0, INFINITY};
    PsFitWork work = {0};
    *fit = (PsHullFit){.issue = unknown, .completion = unknown, .goodness = NAN, .straight = TRUE};
    take_points(&work, points, n);
    fit->n_points = work.curve.n;
    if (work.curve.n >= 2) {
        work.residuals = g_new(double, work.curve.n);
        work.scope_hidden = schedulers <= 0 || !has_chains(&work.curve);
        if (schedulers > 0)
            share_out(&work, schedulers);
        else
            guess_schedulers(&work);
        ps_fit_hypotheses(&work);
        ps_fit_scope(&work);
        ps_fit_contention(&work);
        put_estimates(&work, fit);
    }
    ps_table_clear(&work.table);
    g_free(work.residuals);
    g_free(work.curve.points);
}

void ps_hull_fit_clear(PsHullFit *fit)
{
    g_clear_pointer(&fit->at, g_array_unref);
}
