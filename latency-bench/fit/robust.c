/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Robust figures for the fit: a sample may take several times as long because something else ran,
 * and must not count then.
 */
#include "latency-bench/fit/curve.h"
#include <math.h>
#include <stdlib.h>

double ps_robust_weight(double u)
{
    double v = u / PS_OUTLIER;
    if (!(fabs(v) < 1))
        return 0;
    return (1 - v * v) * (1 - v * v);
}

double ps_robust_loss(double u)
{
    const double most = PS_OUTLIER * PS_OUTLIER / 3;
    double v = u / PS_OUTLIER;
    if (!(fabs(v) < 1))
        return most;
    double rest = 1 - v * v;
    return most * (1 - rest * rest * rest);
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double ps_median(double *values, guint n)
{
    qsort(values, n, sizeof *values, compare_doubles);
    return n % 2 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

/* The median of |x| of a normal distribution is this share of its standard deviation. */
#define MEDIAN_SHARE 0.6745

double ps_robust_scale(const double *residuals, guint n, guint parameters)
{
    if (n <= parameters)
        return 0;
    g_autofree double *sizes = g_new(double, n);
    for (guint i = 0; i < n; i++)
        sizes[i] = fabs(residuals[i]);
    return ps_median(sizes, n) / MEDIAN_SHARE * sqrt((double)n / (n - parameters));
}

static gboolean same_launch(const PsCurvePoint *a, const PsCurvePoint *b)
{
    return a->warps == b->warps && a->ilp == b->ilp;
}

/* The end of the repeats that begin at i. */
static guint repeats_end(const PsCurve *curve, guint i)
{
    guint end = i + 1;
    while (end < curve->n && same_launch(&curve->points[i], &curve->points[end]))
        end++;
    return end;
}

enum { ALL_PAIRS = 8 };

/* Differences between all pairs of repeats; of many repeats, their differences from the median, on
 * the same scale. Returns the number of differences. */
static guint put_differences(const PsCurvePoint *repeats, guint n, double *differences)
{
    guint k = 0;
    if (n <= ALL_PAIRS) {
        for (guint i = 1; i < n; i++)
            for (guint j = 0; j < i; j++)
                differences[k++] = fabs(repeats[i].y - repeats[j].y);
        return k;
    }
    for (; k < n; k++)
        differences[k] = repeats[k].y;
    double median = ps_median(differences, n);
    for (k = 0; k < n; k++)
        differences[k] = fabs(differences[k] - median) * G_SQRT2;
    return n;
}

double ps_repeat_scale(const PsCurve *curve)
{
    enum { FEW = 6 };
    g_autofree double *differences = g_new(double, (gsize)curve->n *ALL_PAIRS / 2);
    guint n = 0;
    for (guint i = 0, end; i < curve->n; i = end) {
        end = repeats_end(curve, i);
        n += put_differences(&curve->points[i], end - i, differences + n);
    }
    return n < FEW ? NAN : ps_median(differences, n) / MEDIAN_SHARE / G_SQRT2;
}

static int compare_chains(const void *a, const void *b)
{
    const PsCurvePoint *x = a, *y = b;
    if (x->ilp != y->ilp)
        return (x->ilp > y->ilp) - (x->ilp < y->ilp);
    return (x->warps > y->warps) - (x->warps < y->warps);
}

/* Distance of a point from the line between its neighbours in warps, in logarithms: all of these
 * curves are nearly straight there except for a corner or two. */
double ps_neighbour_scale(const PsCurve *curve)
{
    enum { FEW = 6 };
    g_autofree PsCurvePoint *p = g_memdup2(curve->points, curve->n * sizeof *p);
    g_autofree double *differences = g_new(double, curve->n);
    guint n = 0;
    qsort(p, curve->n, sizeof *p, compare_chains);
    for (guint i = 1; i + 1 < curve->n; i++) {
        if (p[i - 1].ilp != p[i + 1].ilp || p[i - 1].warps == p[i].warps ||
            p[i].warps == p[i + 1].warps)
            continue;
        double from = log((double)p[i - 1].warps), to = log((double)p[i + 1].warps);
        double share = (log((double)p[i].warps) - from) / (to - from);
        double line = (1 - share) * p[i - 1].y + share * p[i + 1].y;
        double spread = sqrt(1 + share * share + (1 - share) * (1 - share));
        differences[n++] = fabs(p[i].y - line) / spread;
    }
    return n < FEW ? NAN : ps_median(differences, n) / MEDIAN_SHARE;
}

/* Ratio of the variance of a mean to the variance that its points alone suggest: if means over
 * repeats scatter more than repeats do (F of the lack of fit), points are not as many independent
 * observations. Repeats that agree better than `least`, a variance, prove nothing. */
static double inflation_of(const PsCurve *curve, const double *shares, guint parameters,
                           double least)
{
    double between = 0, all = 0;
    guint launches = 0;
    for (guint i = 0, end; i < curve->n; i = end) {
        double sum = 0;
        end = repeats_end(curve, i);
        for (guint k = i; k < end; k++) {
            sum += shares[k];
            all += shares[k] * shares[k];
        }
        between += sum * sum / (end - i);
        launches++;
    }
    if (launches <= parameters || curve->n <= launches)
        return 1;
    double free_launches = launches - parameters, free_repeats = curve->n - launches;
    double within = MAX((all - between) / free_repeats, least);
    double chance = 1 + 2 * sqrt(2 / free_launches + 2 / free_repeats);
    between /= free_launches;
    if (between <= chance * within)
        return 1;
    return MAX(1, between / (all / (curve->n - parameters)));
}

void ps_spread(const PsCurve *curve, const double *residuals, double scale, guint parameters,
               PsSpread *spread)
{
    g_autofree double *shares = g_new(double, curve->n);
    double squares = 0, y = 0, y2 = 0, rest = 0, slope = 0;
    guint inside = 0;
    *spread = (PsSpread){.inflation = 1};
    for (guint i = 0; i < curve->n; i++) {
        double u = residuals[i] / scale, v = u / PS_OUTLIER, weight = ps_robust_weight(u);
        shares[i] = weight * residuals[i];
        squares += shares[i] * shares[i];
        if (weight <= 0)
            continue;
        inside++;
        slope += (1 - v * v) * (1 - 5 * v * v);
        rest += residuals[i] * residuals[i];
        y += curve->points[i].y;
        y2 += curve->points[i].y * curve->points[i].y;
    }
    spread->outliers = curve->n - inside;
    spread->freedom = inside > parameters ? inside - parameters : 0;
    if (!spread->freedom)
        return;
    slope = MAX(slope / inside, 0.5);
    spread->variance = squares / spread->freedom / (slope * slope);
    spread->variance = MAX(spread->variance, scale * scale / 4);
    double least = scale * scale / 100;
    spread->inflation = inflation_of(curve, shares, parameters, least);
    double all = y2 - y * y / inside;
    spread->explained = all > 0 ? 1 - rest / all : NAN;
}

double ps_student(guint freedom)
{
    static const double few[] = {INFINITY, 12.706, 4.303, 3.182, 2.776, 2.571};
    const double z = 1.959964;
    if (freedom < G_N_ELEMENTS(few))
        return few[freedom];
    return z + (z * z * z + z) / (4.0 * freedom) +
           (5 * pow(z, 5) + 16 * z * z * z + 3 * z) / (96.0 * freedom * freedom);
}
