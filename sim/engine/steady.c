/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/engine/steady.h"

#include <math.h>

/* The least number of batches for correlation, and for width. */
#define LEAST_BATCHES 8
#define WIDEST_BATCHES 4

void ps_steady_begin(PsSteady *steady, gint64 unit, guint first, const PsSteadyPoint *point)
{
    steady->unit = unit;
    steady->first = first;
    steady->pending = 0;
    steady->n = steady->start = steady->next = 0;
    steady->points[0] = *point;
}

gboolean ps_steady_wants(PsSteady *steady, gint64 events)
{
    steady->pending += events;
    return steady->pending >= steady->unit;
}

/* Joins neighbours into one sample; starts are powers of two. */
static void halve(PsSteady *steady)
{
    steady->n /= 2;
    steady->start /= 2;
    steady->next /= 2;
    steady->unit *= 2;
    for (guint i = 1; i <= steady->n; i++)
        steady->points[i] = steady->points[2 * i];
}

gboolean ps_steady_add(PsSteady *steady, const PsSteadyPoint *point)
{
    steady->pending = 0;
    steady->points[++steady->n] = *point;
    const gboolean power = steady->n >= steady->first && (steady->n & (steady->n - 1)) == 0;
    if (power) {
        steady->start = steady->next;
        steady->next = steady->n;
    }
    if (steady->n == PS_STEADY_SAMPLES)
        halve(steady);
    return power;
}

/* The quantile 0.975 of Student's distribution: Cornish and Fisher's expansion (Abramowitz and
 * Stegun, 26.7.5), which is off by less than three thousandths from 4 degrees of freedom on. */
static double student(guint freedom)
{
    static const double few[] = {12.7062, 4.3027, 3.1824};
    const double z = 1.959964, n = freedom;
    const double z3 = z * z * z, z5 = z3 * z * z, z7 = z5 * z * z;
    if (freedom <= G_N_ELEMENTS(few))
        return few[freedom - 1];
    return z + (z3 + z) / (4 * n) + (5 * z5 + 16 * z3 + 3 * z) / (96 * n * n) +
           (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * n * n * n);
}

/* Moments of a sequence of n values: mean, variance, correlation of neighbours, and its slope in
 * standard errors. */
typedef struct {
    double mean, variance, neighbours, slope;
    double growth; /* slope from one value to the next */
} Moments;

static Moments moments_of(const double *values, guint n)
{
    Moments of = {0};
    double squares = 0, products = 0, along = 0, places = 0;
    for (guint i = 0; i < n; i++)
        of.mean += values[i] / n;
    for (guint i = 0; i < n; i++) {
        const double off = values[i] - of.mean, place = i - (n - 1) / 2.0;
        squares += off * off;
        along += off * place;
        places += place * place;
        if (i > 0)
            products += off * (values[i - 1] - of.mean);
    }
    of.variance = squares / (n - 1);
    const double slope = along / places, rest = squares - slope * along;
    /* A remainder of rounding is no trend. */
    if (squares <= 1e-24 * of.mean * of.mean * n)
        return of;
    of.growth = slope;
    of.neighbours = products / squares;
    of.slope = n > 2 ? fabs(slope) / sqrt(MAX(rest, 1e-9 * squares) / (n - 2) / places) : 0;
    return of;
}

/* Mean times of the work in the last batches of so many samples. */
static guint average(const PsSteady *steady, guint size, double *means)
{
    const guint n = (steady->n - steady->start) / size;
    const PsSteadyPoint *point = &steady->points[steady->n - n * size];
    for (guint i = 0; i < n; i++, point += size)
        means[i] = (double)(point[size].time - point->time) /
                   (double)MAX(point[size].work - point->work, 1);
    return n;
}

/* Half of the 95 % interval of the time of so much work, from the means of batches: for the mean,
 * and for the sum of as many batches as the work has. */
static double half_width(const Moments *of, guint n, double batch, double work)
{
    return student(n - 1) * sqrt(of->variance) * sqrt(work * work / n + work * batch);
}

/* The widest interval over all sizes of batches, from the smallest whose means do not correlate.
 * Large batches show slow changes. FALSE if all correlate, or the means have a trend. */
static gboolean find_width(const PsSteady *steady, double work, double more_work, double *width)
{
    double means[PS_STEADY_SAMPLES];
    const guint samples = steady->n - steady->start;
    gboolean found = FALSE;
    for (guint size = 1; samples >= LEAST_BATCHES && samples / size >= WIDEST_BATCHES; size++) {
        const guint n = average(steady, size, means);
        const Moments of = moments_of(means, n);
        found = found || (n >= LEAST_BATCHES && of.neighbours <= student(n - 1) / sqrt(n));
        if (found && n >= LEAST_BATCHES && of.slope > student(n - 2))
            return FALSE;
        *width = MAX(*width, half_width(&of, n, work / n, more_work));
    }
    return found;
}

double ps_steady_scatter(const PsSteady *steady)
{
    double means[PS_STEADY_SAMPLES], widest = 0;
    const guint samples = steady->start > 0 ? steady->n - steady->start : 0;
    for (guint size = 1; samples / size >= (size > 1 ? WIDEST_BATCHES : 2); size++) {
        const guint n = average(steady, size, means);
        const Moments of = moments_of(means, n);
        const PsSteadyPoint *to = &steady->points[steady->n], *from = to - n * size;
        const double batch = (double)(to->work - from->work) / n;
        widest = MAX(widest, student(n - 1) * sqrt(of.variance * batch));
    }
    return widest;
}

/* How much the share of unfinished work may differ so many samples later: any value of the series
 * is as likely, and a trend continues. */
static double lead_of(const PsSteady *steady, double later)
{
    double leads[PS_STEADY_SAMPLES] = {0};
    const guint n = steady->n - steady->start;
    for (guint i = 0; i < n; i++)
        leads[i] = (double)steady->points[steady->start + 1 + i].lead;
    const Moments of = moments_of(leads, n);
    const gboolean grows = n > 2 && of.slope > student(n - 2);
    return student(n - 1) * sqrt(of.variance) + (grows ? fabs(of.growth) * later : 0);
}

/* The time per instruction between two points. */
static double rate_between(const PsSteadyPoint *from, const PsSteadyPoint *to)
{
    return (double)(to->time - from->time) / (double)MAX(to->work - from->work, 1);
}

/* The change of the rate from the stretch before the start (half of all that came before it) to the
 * stretch that counts. A rate that approaches its limit as 1/t has that distance still to go. */
static double change_of(const PsSteady *steady)
{
    const PsSteadyPoint *start = &steady->points[steady->start];
    const PsSteadyPoint *before = &steady->points[steady->start / 2];
    return steady->start < 2 ? 0
                             : fabs(rate_between(start, &steady->points[steady->n]) -
                                    rate_between(before, start));
}

gboolean ps_steady_rate(const PsSteady *steady, double more_work, gboolean hurried,
                        PsSteadyRate *rate)
{
    const guint n = steady->n - steady->start;
    if (steady->start == 0 || n < 2)
        return FALSE;
    const PsSteadyPoint *from = &steady->points[steady->start], *to = &steady->points[steady->n];
    *rate = (PsSteadyRate){.time = (double)(to->time - from->time),
                           .work = (double)(to->work - from->work),
                           .lead = lead_of(steady, more_work * n / (double)(to->work - from->work)),
                           .backlog = (double)MAX(to->backlog - from->backlog, 0),
                           .change = change_of(steady) * more_work,
                           .ahead = fabs((double)(to->lead - from->lead))};
    if (find_width(steady, rate->work, more_work, &rate->half_width))
        return TRUE;
    double means[PS_STEADY_SAMPLES];
    const guint all = average(steady, 1, means);
    const Moments of = moments_of(means, all);
    rate->half_width = MAX(rate->half_width, half_width(&of, all, rate->work / all, more_work));
    return hurried;
}
