/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The fit of a hull. Which branch a point lies on is the hard part, for it makes the loss anything
 * but convex: so every way to part the sorted loads in a flat and a rising part is tried first,
 * with medians, which outliers hardly move. From the best of them on it is a matter of weighted
 * means.
 */
#include "latency-bench/fit/curve.h"
#include <math.h>
#include <stdlib.h>

double ps_hull_at(const PsHull *hull, const PsCurvePoint *point, PsBranch *branch)
{
    double y = -INFINITY;
    for (guint b = 0; b < PS_N_BRANCHES; b++)
        if (hull->at[b] + point->offset[b] > y) {
            y = hull->at[b] + point->offset[b];
            if (branch)
                *branch = b;
        }
    return y;
}

void ps_hull_residuals(const PsHull *hull, const PsCurve *curve, double *residuals)
{
    for (guint i = 0; i < curve->n; i++)
        residuals[i] = curve->points[i].y - ps_hull_at(hull, &curve->points[i], NULL);
}

/* ---- start --------------------------------------------------------------------------------- */

typedef struct {
    double offset, y;
} Loaded;

static int compare_loads(const void *a, const void *b)
{
    double x = ((const Loaded *)a)->offset, y = ((const Loaded *)b)->offset;
    return (x > y) - (x < y);
}

static Loaded *sorted_loads(const PsCurve *curve, PsBranch branch)
{
    Loaded *loads = g_new(Loaded, curve->n);
    for (guint i = 0; i < curve->n; i++)
        loads[i] = (Loaded){curve->points[i].offset[branch], curve->points[i].y};
    qsort(loads, curve->n, sizeof *loads, compare_loads);
    return loads;
}

/* The median of y - slope * offset from begin to end; -INFINITY without points. */
static double level(const Loaded *loads, guint begin, guint end, double slope, double *scratch)
{
    if (begin == end)
        return -INFINITY;
    for (guint i = begin; i < end; i++)
        scratch[i - begin] = loads[i].y - slope * loads[i].offset;
    return ps_median(scratch, end - begin);
}

/* TRUE if loads differ there, or at an end. */
static gboolean is_border(const Loaded *loads, guint n, guint split)
{
    return !split || split == n || loads[split - 1].offset < loads[split].offset;
}

/* Tries one way to divide the loads. */
static void part(const Loaded *loads, guint n, guint split, PsBranch branch, PsHull *hull)
{
    g_autofree double *scratch = g_new(double, n);
    double flat = level(loads, 0, split, 0, scratch);
    double rise = level(loads, split, n, 1, scratch);
    double loss = 0;
    for (guint i = 0; i < n; i++)
        loss += fabs(loads[i].y - MAX(flat, rise + loads[i].offset));
    if (loss >= hull->loss)
        return;
    hull->loss = loss;
    hull->at[PS_BRANCH_FLAT] = flat;
    hull->at[branch] = rise;
}

void ps_hull_start(const PsCurve *curve, PsBranch branch, PsHull *hull)
{
    enum { MOST_PARTS = 128 };
    g_autofree Loaded *loads = sorted_loads(curve, branch);
    guint borders = 0;
    for (guint split = 0; split <= curve->n; split++)
        borders += is_border(loads, curve->n, split);
    *hull = (PsHull){{-INFINITY, -INFINITY, -INFINITY}, INFINITY};
    guint stride = 1 + borders / MOST_PARTS, border = 0;
    for (guint split = 0; split <= curve->n; split++)
        if (is_border(loads, curve->n, split) && border++ % stride == 0)
            part(loads, curve->n, split, branch, hull);
}

/* ---- refinement ---------------------------------------------------------------------------- */

/* One step: moves each branch to the weighted mean of its points. Returns the loss before. */
static double step_down(const PsCurve *curve, double scale, const PsHull *from, PsHull *to)
{
    double weights[PS_N_BRANCHES] = {0}, sums[PS_N_BRANCHES] = {0}, loss = 0;
    for (guint i = 0; i < curve->n; i++) {
        PsBranch branch = PS_BRANCH_FLAT;
        double residual = curve->points[i].y - ps_hull_at(from, &curve->points[i], &branch);
        double weight = ps_robust_weight(residual / scale);
        weights[branch] += weight;
        sums[branch] += weight * residual;
        loss += ps_robust_loss(residual / scale);
    }
    for (guint b = 0; b < PS_N_BRANCHES; b++)
        to->at[b] = from->at[b] + (weights[b] > 0 ? sums[b] / weights[b] : 0);
    return loss;
}

/* Points that change their branch may make a step worse: the best hull so far counts. */
void ps_hull_refine(const PsCurve *curve, double scale, PsHull *hull)
{
    enum { MOST_STEPS = 60 };
    PsHull here = *hull, best = *hull;
    best.loss = INFINITY;
    for (guint k = 0; k < MOST_STEPS; k++) {
        PsHull next = here;
        here.loss = step_down(curve, scale, &here, &next);
        if (here.loss < best.loss)
            best = here;
        double moved = 0;
        for (guint b = 0; b < PS_N_BRANCHES; b++)
            if (isfinite(here.at[b]))
                moved = MAX(moved, fabs(next.at[b] - here.at[b]));
        if (moved < scale * 1e-6)
            break;
        here = next;
    }
    *hull = best;
}
