/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where memory is contended, Lambda grows with the active warps: instead of one flat branch there
 * is a level for each number of warps, which never falls (isotonic regression, by pooling
 * neighbours that would). A level is told only by points well left of the corner, for in a real
 * device corners are round, and roundness is not contention.
 */
#include "latency-bench/fit/curve.h"
#include <math.h>

/* Share of Lambda for which the pipeline may be busy at a point that determines a level, at
 * most. */
#define LEFT_OF_CORNER 0.6

const PsTableLevel *ps_table_level(const PsTable *table, gint64 warps)
{
    guint low = 0, high = table->levels->len - 1;
    while (low < high) {
        guint middle = (low + high) / 2;
        if (g_array_index(table->levels, PsTableLevel, middle).warps < warps)
            low = middle + 1;
        else
            high = middle;
    }
    return &g_array_index(table->levels, PsTableLevel, low);
}

void ps_table_residuals(const PsTable *table, const PsCurve *curve, double *residuals)
{
    for (guint i = 0; i < curve->n; i++) {
        const PsCurvePoint *point = &curve->points[i];
        double busy = table->issue + point->offset[table->branch];
        residuals[i] = point->y - MAX(ps_table_level(table, point->warps)->at, busy);
    }
}

/* ---- levels that never fall ---------------------------------------------------------------- */

typedef struct {
    double at, weight;
    guint end; /* place behind the level's last point */
} Block;

/* Levels without weight get the value of the one before (the first ones of the one behind). */
static guint pool(GArray *levels)
{
    g_autofree Block *blocks = g_new(Block, levels->len + 1);
    PsTableLevel *all = (PsTableLevel *)levels->data;
    guint n = 0;
    for (guint i = 0; i < levels->len; i++) {
        if (all[i].weight > 0)
            blocks[n++] = (Block){all[i].at, all[i].weight, i + 1};
        for (; n > 1 && blocks[n - 2].at >= blocks[n - 1].at; n--) {
            Block *a = &blocks[n - 2], *b = &blocks[n - 1];
            double weight = a->weight + b->weight;
            *a = (Block){(a->at * a->weight + b->at * b->weight) / weight, weight, b->end};
        }
    }
    for (guint i = 0, block = 0; n && i < levels->len; i++) {
        while (block + 1 < n && i >= blocks[block].end && all[i].weight > 0)
            block++;
        all[i].at = blocks[block].at;
    }
    return n;
}

/* ---- fit ----------------------------------------------------------------------------------- */

/* Levels from the medians of the points with the fewest chains. Returns the least lambda that a
 * median allows, as a logarithm. */
static double medians(const PsCurve *curve, PsTable *table)
{
    g_autofree double *scratch = g_new(double, curve->n);
    double issue = INFINITY;
    for (guint i = 0, end; i < curve->n; i = end) {
        const PsCurvePoint *first = &curve->points[i];
        for (end = i; end < curve->n && curve->points[end].warps == first->warps &&
                      curve->points[end].ilp == first->ilp;
             end++)
            scratch[end - i] = curve->points[end].y;
        double median = ps_median(scratch, end - i);
        issue = MIN(issue, median - first->offset[table->branch]);
        if (!i || curve->points[i - 1].warps != first->warps) {
            PsTableLevel level = {first->warps, median, end - i};
            g_array_append_val(table->levels, level);
        }
    }
    return issue;
}

/* Assumes lambda, and leaves weight only to determined levels. Returns the sum of |residual|. */
static double start(const PsCurve *curve, double issue, PsTable *table)
{
    table->issue = issue;
    for (guint i = 0, k = 0; i < curve->n; i++) {
        const PsCurvePoint *point = &curve->points[i];
        if (i && point->warps == point[-1].warps)
            continue;
        PsTableLevel *level = &g_array_index(table->levels, PsTableLevel, k++);
        if (issue + point->offset[table->branch] > level->at + log(LEFT_OF_CORNER))
            level->weight = 0;
    }
    table->steps = pool(table->levels);
    g_autofree double *residuals = g_new(double, curve->n);
    double loss = 0;
    ps_table_residuals(table, curve, residuals);
    for (guint i = 0; i < curve->n; i++)
        loss += fabs(residuals[i]);
    return loss;
}

typedef struct {
    double weight, sum;
} Mean;

static double step_down(const PsCurve *curve, double scale, PsTable *table)
{
    g_autofree Mean *means = g_new0(Mean, table->levels->len);
    Mean issue = {0, 0};
    const PsTableLevel *levels = (PsTableLevel *)table->levels->data;
    double loss = 0, left = log(LEFT_OF_CORNER);
    for (guint i = 0, k = 0; i < curve->n; i++) {
        const PsCurvePoint *point = &curve->points[i];
        while (levels[k].warps < point->warps)
            k++;
        double busy = table->issue + point->offset[table->branch];
        double residual = point->y - MAX(levels[k].at, busy);
        double weight = ps_robust_weight(residual / scale);
        loss += ps_robust_loss(residual / scale);
        if (busy > levels[k].at) {
            issue.weight += weight;
            issue.sum += weight * residual;
        } else if (busy <= levels[k].at + left) {
            means[k].weight += weight;
            means[k].sum += weight * point->y;
        }
    }
    if (issue.weight > 0)
        table->issue += issue.sum / issue.weight;
    for (guint k = 0; k < table->levels->len; k++) {
        PsTableLevel *level = &g_array_index(table->levels, PsTableLevel, k);
        level->weight = means[k].weight;
        if (level->weight > 0)
            level->at = means[k].sum / level->weight;
    }
    return loss;
}

void ps_table_refine(const PsCurve *curve, double scale, PsTable *table)
{
    enum { STEPS = 30 };
    for (guint k = 0; k < STEPS; k++) {
        double before = table->loss;
        table->loss = step_down(curve, scale, table);
        table->steps = pool(table->levels);
        if (k && fabs(before - table->loss) < 1e-9 * (1 + table->loss))
            break;
    }
    g_autofree double *residuals = g_new(double, curve->n);
    ps_table_residuals(table, curve, residuals);
    table->loss = 0;
    for (guint i = 0; i < curve->n; i++)
        table->loss += ps_robust_loss(residuals[i] / scale);
}

static PsTable new_table(PsBranch branch)
{
    return (PsTable){.levels = g_array_new(FALSE, FALSE, sizeof(PsTableLevel)), .branch = branch};
}

void ps_table_start(const PsCurve *curve, const PsHull *straight, PsBranch branch, PsTable *table)
{
    *table = new_table(branch);
    table->loss = start(curve, medians(curve, table), table);
    if (!isfinite(straight->at[branch]))
        return;
    PsTable other = new_table(branch);
    medians(curve, &other);
    other.loss = start(curve, straight->at[branch], &other);
    if (other.loss < table->loss) {
        PsTable worse = *table;
        *table = other;
        other = worse;
    }
    ps_table_clear(&other);
}

void ps_table_clear(PsTable *table)
{
    g_clear_pointer(&table->levels, g_array_unref);
}

double ps_table_growth(const PsTable *table)
{
    double least = INFINITY, most = -INFINITY;
    for (guint i = 0; i < table->levels->len; i++) {
        const PsTableLevel *level = &g_array_index(table->levels, PsTableLevel, i);
        if (level->weight > 0) {
            least = MIN(least, level->at);
            most = MAX(most, level->at);
        }
    }
    return most > least ? most - least : 0;
}

/* ---- few points ---------------------------------------------------------------------------- */

static PsRational decimal(double cycles)
{
    enum { PARTS = 10000 };
    PsRational result = {1, PARTS};
    double parts = round(CLAMP(cycles, 1.0 / PARTS, (double)PS_MAX_LATENCY) * PARTS);
    if (!ps_rational_make((gint64)parts, PARTS, &result))
        g_assert_not_reached();
    return result;
}

/* The place where the line between two levels deviates most from the levels between them; 0:
 * nowhere by a share that matters. */
static guint farthest(const GArray *levels, guint from, guint to)
{
    const double matters = 0.03;
    const PsTableLevel *all = (const PsTableLevel *)levels->data;
    double width = (double)all[to].warps - (double)all[from].warps, most = matters;
    guint where = 0;
    for (guint i = from + 1; i < to; i++) {
        double share = ((double)all[i].warps - (double)all[from].warps) / width;
        double line = (1 - share) * exp(all[from].at) + share * exp(all[to].at);
        double away = fabs(log(line) - all[i].at);
        if (away > most) {
            most = away;
            where = i;
        }
    }
    return where;
}

static void put(GArray *at, const PsTableLevel *level, double issue)
{
    PsLatencyAt entry = {level->warps, {decimal(issue), decimal(exp(level->at))}};
    g_array_append_val(at, entry);
}

GArray *ps_table_points(const PsTable *table, double issue)
{
    GArray *at = g_array_new(FALSE, FALSE, sizeof(PsLatencyAt));
    g_autoptr(GArray) told = g_array_new(FALSE, FALSE, sizeof(PsTableLevel));
    for (guint i = 0; i < table->levels->len; i++)
        if (g_array_index(table->levels, PsTableLevel, i).weight > 0)
            g_array_append_vals(told, &g_array_index(table->levels, PsTableLevel, i), 1);
    if (!told->len)
        return at;
    /* Ends of pieces still to do, the nearest last. */
    g_autoptr(GArray) ends = g_array_new(FALSE, FALSE, sizeof(guint));
    guint from = 0, last = told->len - 1;
    put(at, &g_array_index(told, PsTableLevel, 0), issue);
    if (last)
        g_array_append_val(ends, last);
    while (ends->len) {
        guint to = g_array_index(ends, guint, ends->len - 1);
        guint between = farthest(told, from, to);
        if (between) {
            g_array_append_val(ends, between);
            continue;
        }
        put(at, &g_array_index(told, PsTableLevel, to), issue);
        from = to;
        g_array_set_size(ends, ends->len - 1);
    }
    return at;
}
