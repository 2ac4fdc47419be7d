/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Curves and counts: see hull.h.
 */
#include "latency-bench/internal.h"
#include "tests/help/hull.h"
#include <math.h>

const HullManner hull_usual = {0.02, 0.01, 64, 4, 3, FALSE, 0, FALSE};

static gint64 ceil_div(gint64 a, gint64 b)
{
    return (a + b - 1) / b;
}

double hull_cycles(const HullTruth *truth, gint64 warps, gint64 ilp, gint64 most_warps)
{
    gint64 knee = truth->knee ? truth->knee : most_warps;
    double spread = (double)(MIN(warps, knee) - 1) / (double)(knee - 1);
    double completion = truth->completion * (1 + truth->growth * spread);
    double fullest = (double)(ceil_div(warps, MAX(truth->schedulers, 1)) * ilp);
    double load = truth->scope == PS_PIPELINE_SCHEDULER ? fullest : (double)(warps * ilp);
    return MAX(MAX(completion, load * truth->issue), fullest * truth->port);
}

static double normal(GRand *random)
{
    double u = 1 - g_rand_double(random), v = g_rand_double(random);
    return sqrt(-2 * log(u)) * cos(2 * G_PI * v);
}

static void measure(GArray *points, const HullTruth *truth, const HullManner *manner, gint64 warps,
                    gint64 ilp, GRand *random)
{
    double common = 1;
    if (manner->launch_noise > 0)
        common += manner->launch_noise * normal(random);
    for (guint k = 0; k < manner->repeats; k++) {
        double cycles = common * hull_cycles(truth, warps, ilp, manner->most_warps);
        cycles *= 1 + manner->noise * normal(random);
        if (g_rand_double(random) < manner->outliers)
            cycles *= g_rand_double_range(random, 1, 5);
        PsHullPoint point = {warps, ilp, cycles};
        g_array_append_val(points, point);
    }
}

GArray *hull_curve(const HullTruth *truth, const HullManner *manner, GRand *random)
{
    static const gint64 warps[] = {1, 2, 3, 4, 6, 8, 9, 12, 16, 17, 24, 32, 33, 48, 49, 64};
    static const gint64 ilp[] = {1, 2, 4, 8};
    GArray *points = g_array_new(FALSE, FALSE, sizeof(PsHullPoint));
    for (guint w = 0; w < G_N_ELEMENTS(warps) && warps[w] <= manner->most_warps; w++)
        for (guint k = 0; k < G_N_ELEMENTS(ilp); k++) {
            gboolean odd = warps[w] > 3 && warps[w] % 2;
            gboolean few = warps[w] <= 2 || (manner->deep && (warps[w] == 17 || warps[w] == 33));
            if ((odd && manner->even) || (ilp[k] > manner->most_ilp && !few))
                continue;
            measure(points, truth, manner, warps[w], ilp[k], random);
        }
    return points;
}

void hull_fit(const GArray *points, gint64 schedulers, PsHullFit *result)
{
    ps_hull_fit((const PsHullPoint *)points->data, points->len, schedulers, result);
}

double hull_log_uniform(GRand *random, double low, double high)
{
    return low * exp(g_rand_double(random) * log(high / low));
}

gboolean hull_near(double value, double truth, double share)
{
    return fabs(value / truth - 1) <= share;
}

gboolean hull_holds(const PsEstimate *estimate, double truth)
{
    return estimate->low <= truth && truth <= estimate->high;
}

void hull_count(const HullTruth *truth, const PsHullFit *result, HullCounts *counts)
{
    double issue = truth->issue;
    if (truth->scope == PS_PIPELINE_SCHEDULER && result->scope != PS_PIPELINE_SCHEDULER)
        issue /= (double)truth->schedulers;
    counts->draws++;
    counts->both += hull_near(result->issue.value, issue, 0.03) &&
                    hull_near(result->completion.value, truth->completion, 0.03);
    counts->right += result->scope == truth->scope;
    counts->wrong += result->scope != truth->scope && result->scope != PS_PIPELINE_UNKNOWN;
    counts->issue_held += hull_holds(&result->issue, issue);
    counts->completion_held += hull_holds(&result->completion, truth->completion);
    counts->tables += !result->straight;
    counts->outliers += result->n_outliers;
    g_assert_true(result->straight == !result->at);
}

void hull_say(const char *what, const HullCounts *counts)
{
    g_test_message("%s, of %u draws: lambda and Lambda within 3 %% %u, scope right %u, wrong %u, "
                   "intervals hold lambda %u, Lambda %u, taken for contention %u, outliers %.1f",
                   what, counts->draws, counts->both, counts->right, counts->wrong,
                   counts->issue_held, counts->completion_held, counts->tables,
                   (double)counts->outliers / counts->draws);
}

guint hull_draws(void)
{
    return g_strcmp0(g_getenv("PIPESIM_CHECKER"), "valgrind") == 0 ? 20 : 100;
}

double hull_share(const HullCounts *counts, guint count)
{
    return 100.0 * count / counts->draws;
}

HullCounts hull_repeat(const HullTruth *truth, const HullManner *manner, gint64 schedulers,
                       HullCheck check)
{
    HullCounts counts = {0};
    g_autoptr(GRand) random = g_rand_new_with_seed(11);
    for (guint k = 0; k < hull_draws(); k++) {
        PsHullFit result;
        g_autoptr(GArray) points = hull_curve(truth, manner, random);
        hull_fit(points, schedulers, &result);
        hull_count(truth, &result, &counts);
        if (check)
            check(truth, &result, &counts);
        ps_hull_fit_clear(&result);
    }
    return counts;
}
