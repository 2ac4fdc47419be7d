/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Chooses the hull of a curve among three hypotheses: a pipeline of the CU, pipelines of
 * schedulers, and a pipeline of the CU that a single scheduler cannot fill, because of its issue
 * port or of a queue before the pipeline. The third contains the others. Its gain over each of them
 * shows which of its branches the points need: scheduler and CU are only distinguished by launches
 * whose warps fill schedulers unevenly (few warps of many chains, or 9, 17, 33 or 49 warps).
 *
 * The limit of that: a pipeline of the CU with lambda at or below 1 / (S * issue width) is never
 * seen, since the schedulers' ports are slower. It counts as one per scheduler with lambda' = 1 /
 * width, which predicts the same.
 */
#include "latency-bench/fit/curve.h"
#include <math.h>

/* The reduction of loss that shows a branch (chi squared of one degree: 3 in 2000 by chance). It is
 * more than one point, which may be an outlier, can bring. */
#define ENOUGH 10

/* Samples of a model without noise, or of a slow counter, agree better than two latencies can
 * describe any device: smaller scales mean nothing. */
#define LEAST_SCALE 1e-3

/* ---- hypotheses ---------------------------------------------------------------------------- */

/* Starts from each of the others, and from ports of various widths in between. */
static void fit_both(PsFitWork *work)
{
    enum { PARTS = 4 };
    PsHull *both = &work->both;
    *both = work->cu.loss <= work->scheduler.loss ? work->cu : work->scheduler;
    for (guint k = 0; k <= 2 * PARTS; k++) {
        PsHull try = k <= PARTS ? work->cu : work->scheduler;
        double share = (double)(k % (PARTS + 1)) / PARTS;
        if (k <= PARTS)
            try.at[PS_BRANCH_SCHEDULER] =
                try.at[PS_BRANCH_CU] + share * log((double)work->schedulers);
        else
            try.at[PS_BRANCH_CU] =
                try.at[PS_BRANCH_SCHEDULER] - share * log((double)work->schedulers);
        ps_hull_refine(&work->curve, work->scale, &try);
        if (try.loss < both->loss)
            *both = try;
    }
}

/* The scale comes from the hypothesis with the least residuals: a wrong one must not be excused by
 * its own spread. */
static double scale_of(const PsFitWork *work, const PsHull *hull, guint parameters)
{
    g_autofree double *residuals = g_new(double, work->curve.n);
    ps_hull_residuals(hull, &work->curve, residuals);
    double repeats = ps_repeat_scale(&work->curve);
    double scale = ps_robust_scale(residuals, work->curve.n, parameters);
    return MAX(LEAST_SCALE, isnan(repeats) ? scale : MAX(scale, repeats));
}

/* The load of launches whose warps fill schedulers unevenly, on a pipeline of the CU of which each
 * scheduler gets a fair share: those with a warp less are done first, and the others then have it
 * for themselves, but no longer warps enough to fill it. depth is Lambda / lambda; W warps at once
 * are the load where that does not matter. In units of lambda, per link:
 * `light` is what the less filled schedulers take, `heavy` the others while these run. */
static double uneven_load(const PsCurvePoint *point, gint64 schedulers, double depth)
{
    const gint64 each = point->warps / schedulers;
    const double ilp = (double)point->ilp, fewer = (double)each, all = (double)schedulers,
                 fuller = (double)(point->warps % schedulers), plain = (double)point->warps * ilp;
    if (fewer < 1 || fuller < 1)
        return plain;
    const double light = MAX(depth, all * fewer * ilp), alone = fuller * (fewer + 1) * ilp,
                 heavy = alone / (1 - (all - fuller) * fewer * ilp / light);
    return heavy > light ? MAX(plain, light + (1 - light / heavy) * MAX(depth, alone)) : plain;
}

/* depth 0: loads are warps times chains. */
static void put_loads(PsFitWork *work, double depth)
{
    for (guint i = 0; i < work->curve.n; i++) {
        PsCurvePoint *point = &work->curve.points[i];
        const double plain = (double)point->warps * (double)point->ilp;
        point->offset[PS_BRANCH_CU] =
            log(depth > 0 ? uneven_load(point, work->schedulers, depth) : plain);
    }
}

/* TRUE if points spread around it hardly more than repeats do. Both spreads are medians, whose
 * ratio varies by about 1.5 / sqrt(n): up to three times that is no difference. */
static gboolean fits_well(const PsFitWork *work, const PsHull *hull)
{
    const double hardly = 1 + 4.5 / sqrt(work->curve.n), repeats = ps_repeat_scale(&work->curve);
    if (isnan(repeats))
        return FALSE;
    ps_hull_residuals(hull, &work->curve, work->residuals);
    return ps_robust_scale(work->residuals, work->curve.n, 2) <= MAX(LEAST_SCALE, hardly * repeats);
}

/* If a fairly shared pipeline of the CU explains the curve, and better than the other hulls do,
 * loads are fairly shared. A curve that no straight hull explains keeps its plain loads. */
static void try_fair_share(PsFitWork *work)
{
    enum { STEPS = 3 };
    PsHull fair = work->cu;
    for (guint k = 0; k < STEPS; k++) {
        const double depth = exp(fair.at[PS_BRANCH_FLAT] - fair.at[PS_BRANCH_CU]);
        if (!isfinite(depth))
            break;
        put_loads(work, depth);
        ps_hull_start(&work->curve, PS_BRANCH_CU, &fair);
    }
    if (fair.loss < MIN(work->cu.loss, work->scheduler.loss) && fits_well(work, &fair))
        work->cu = fair;
    else
        put_loads(work, 0);
}

void ps_fit_hypotheses(PsFitWork *work)
{
    gboolean schedulers = work->schedulers > 1;
    put_loads(work, 0);
    ps_hull_start(&work->curve, PS_BRANCH_CU, &work->cu);
    if (schedulers) {
        ps_hull_start(&work->curve, PS_BRANCH_SCHEDULER, &work->scheduler);
        try_fair_share(work);
    }
    work->both = schedulers && work->scheduler.loss < work->cu.loss ? work->scheduler : work->cu;
    work->scale = scale_of(work, &work->both, 2);
    for (guint k = 0; k < 2; k++) {
        ps_hull_refine(&work->curve, work->scale, &work->cu);
        work->both = work->cu;
        if (schedulers) {
            ps_hull_refine(&work->curve, work->scale, &work->scheduler);
            fit_both(work);
        }
        work->scale = scale_of(work, &work->both, 2);
    }
    ps_hull_residuals(&work->both, &work->curve, work->residuals);
    ps_spread(&work->curve, work->residuals, work->scale, 2, &work->spread);
}

/* TRUE if one loss shows something that the other hypothesis lacks. */
gboolean ps_fit_shows(const PsFitWork *work, double less, double more)
{
    return (more - less) / work->spread.inflation > ENOUGH;
}

/* Both branches must be needed. A port that is hardly slower than the pipeline does not count, nor
 * does a pipeline of the CU that is hardly slower than all ports together: either explains only a
 * small misfit. */
static void choose_of_both(PsFitWork *work)
{
    const double hardly = 1.15;
    double slower = exp(work->both.at[PS_BRANCH_SCHEDULER] - work->both.at[PS_BRANCH_CU]);
    work->scope =
        slower * hardly < (double)work->schedulers ? PS_PIPELINE_CU : PS_PIPELINE_SCHEDULER;
    if (work->scope == PS_PIPELINE_CU && slower > hardly)
        work->hull = work->both;
}

void ps_fit_scope(PsFitWork *work)
{
    work->hull = work->cu;
    work->alike = PS_BRANCH_CU;
    work->scope = PS_PIPELINE_UNKNOWN;
    if (work->schedulers <= 1)
        return;
    gboolean needs_cu = ps_fit_shows(work, work->both.loss, work->scheduler.loss);
    gboolean needs_scheduler = ps_fit_shows(work, work->both.loss, work->cu.loss);
    if (needs_cu && needs_scheduler) {
        choose_of_both(work);
    } else if (needs_cu) {
        work->scope = PS_PIPELINE_CU;
    } else if (needs_scheduler) {
        work->scope = PS_PIPELINE_SCHEDULER;
    }
    if (work->scope == PS_PIPELINE_SCHEDULER) {
        work->hull = work->scheduler;
        work->alike = PS_BRANCH_SCHEDULER;
    }
}

/* ---- contention ---------------------------------------------------------------------------- */

/* Without repeats the levels' residuals show nothing: single samples that grow with the warps are
 * their own levels, and leave no residuals. */
static double table_scale(const PsFitWork *work, const PsTable *table)
{
    double scale = ps_repeat_scale(&work->curve);
    if (isnan(scale)) {
        scale = ps_neighbour_scale(&work->curve);
        return isnan(scale) ? work->scale : MAX(LEAST_SCALE, scale);
    }
    g_autofree double *residuals = g_new(double, work->curve.n);
    ps_table_residuals(table, &work->curve, residuals);
    double own = ps_robust_scale(residuals, work->curve.n, table->steps + 1);
    return MAX(LEAST_SCALE, MAX(scale, own));
}

/* Both tables are fitted with the smaller scale, so that they can be compared. */
static void fit_tables(const PsFitWork *work, PsTable *tables, guint n, double *scale)
{
    static const PsBranch branches[] = {PS_BRANCH_CU, PS_BRANCH_SCHEDULER};
    const PsHull *const hulls[] = {&work->cu, &work->scheduler};
    *scale = INFINITY;
    for (guint i = 0; i < n; i++) {
        ps_table_start(&work->curve, hulls[i], branches[i], &tables[i]);
        *scale = MIN(*scale, table_scale(work, &tables[i]));
    }
    for (guint i = 0; i < n; i++)
        ps_table_refine(&work->curve, *scale, &tables[i]);
}

static void spread_of_table(const PsFitWork *work, const PsTable *table, double scale,
                            double *residuals, PsSpread *spread)
{
    ps_table_residuals(table, &work->curve, residuals);
    ps_spread(&work->curve, residuals, scale, table->steps + 1, spread);
}

void ps_fit_contention(PsFitWork *work)
{
    /* Levels cost what chance would bring; two latencies describe a growth below a twelfth well
     * enough. */
    const double chance = 2, least_growth = 0.08;
    PsTable tables[2] = {{0}};
    guint n = work->schedulers > 1 ? 2 : 1;
    double scale;
    fit_tables(work, tables, n, &scale);
    const PsTable *best = n > 1 && tables[1].loss < tables[0].loss ? &tables[1] : &tables[0];
    PsHull straight = work->both;
    ps_hull_refine(&work->curve, scale, &straight);
    g_autofree double *residuals = g_new(double, work->curve.n);
    PsSpread spread;
    spread_of_table(work, best, scale, residuals, &spread);
    double gain = (straight.loss - best->loss) / spread.inflation;
    if (gain > 1.5 * ENOUGH + chance * best->steps &&
        ps_table_growth(best) > MAX(least_growth, 3 * scale)) {
        gboolean told = n > 1 && fabs(tables[0].loss - tables[1].loss) / spread.inflation > ENOUGH;
        guint taken = told && best == &tables[1];
        work->table = tables[taken];
        tables[taken].levels = NULL;
        work->alike = work->table.branch;
        work->scope = !told ? PS_PIPELINE_UNKNOWN : taken ? PS_PIPELINE_SCHEDULER : PS_PIPELINE_CU;
        work->scale = scale;
        spread_of_table(work, &work->table, scale, work->residuals, &work->spread);
    }
    for (guint i = 0; i < n; i++)
        ps_table_clear(&tables[i]);
}
