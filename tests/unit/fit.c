/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The fit of boat hulls: latencies drawn at random come back from noisy curves, intervals hold the
 * truth as often as they say, with few samples, too.
 */
#include "latency-bench/fit/curve.h"
#include "latency-bench/internal.h"
#include "tests/help/hull.h"
#include "tests/help/student.h"
#include <math.h>

/* As the issue asks: lambda 0.25 to 50, Lambda up to 800, their ratio from 2 to half of the
 * greatest load. */
static HullTruth draw(GRand *random, PsPipelineScope scope, const HullManner *manner)
{
    HullTruth truth = {.scope = scope, .schedulers = 4};
    gint64 warps =
        scope == PS_PIPELINE_SCHEDULER ? manner->most_warps / truth.schedulers : manner->most_warps;
    double most = (double)(warps * manner->most_ilp) / 2;
    do {
        truth.issue = hull_log_uniform(random, 0.25, 50);
        truth.completion = truth.issue * hull_log_uniform(random, 2, most);
    } while (truth.completion > 800);
    return truth;
}

/* Draws of each seed from 1 on. 95 % of each must come out well; all are summed. */
static HullCounts count_draws(const char *what, const HullManner *manner, gint64 schedulers,
                              guint seeds)
{
    static const PsPipelineScope scopes[] = {PS_PIPELINE_CU, PS_PIPELINE_SCHEDULER};
    HullCounts all = {0};
    for (guint i = 0; i < seeds * G_N_ELEMENTS(scopes); i++) {
        g_autoptr(GRand) random = g_rand_new_with_seed(1 + i / G_N_ELEMENTS(scopes));
        guint both = all.both;
        for (guint k = 0; k < hull_draws(); k++) {
            PsHullFit result;
            HullTruth truth = draw(random, scopes[i % G_N_ELEMENTS(scopes)], manner);
            g_autoptr(GArray) points = hull_curve(&truth, manner, random);
            hull_fit(points, schedulers, &result);
            g_assert_cmpuint(result.n_points, ==, points->len);
            hull_count(&truth, &result, &all);
            ps_hull_fit_clear(&result);
        }
        g_assert_cmpuint(100 * (all.both - both), >=, 95 * hull_draws());
    }
    hull_say(what, &all);
    return all;
}

/* Intervals of 95 % that are neither too narrow nor too wide; 4 standard deviations of the count.
 */
static void assert_intervals(const HullCounts *counts)
{
    double expected = 0.95 * counts->draws, slack = 4 * sqrt(expected * 0.05);
    g_assert_cmpfloat(counts->issue_held, >=, expected - slack);
    g_assert_cmpfloat(counts->completion_held, >=, expected - slack);
    g_assert_cmpfloat(counts->issue_held, <=, expected + slack);
    g_assert_cmpfloat(counts->completion_held, <=, expected + slack);
}

static void test_draws(void)
{
    HullManner small = hull_usual;
    small.most_warps = 32;
    HullCounts counts[] = {count_draws("64 warps", &hull_usual, 4, 4),
                           count_draws("32 warps", &small, 4, 4)};
    for (guint i = 0; i < G_N_ELEMENTS(counts); i++) {
        g_assert_cmpfloat(hull_share(&counts[i], counts[i].right), >=, 98);
        g_assert_cmpfloat(hull_share(&counts[i], counts[i].tables), <, 1);
        assert_intervals(&counts[i]);
    }
}

/* A pipeline of the CU that schedulers share fairly: those with a warp less are done first, and the
 * others then leave it partly idle. */
static double fair_cycles(const HullTruth *truth, const PsHullPoint *point)
{
    const gint64 fewer = point->warps / truth->schedulers,
                 fuller = point->warps % truth->schedulers;
    const double common = (double)(fewer * truth->schedulers * point->ilp) * truth->issue,
                 alone = (double)(fuller * point->ilp) * truth->issue;
    if (!fuller || common < truth->completion)
        return hull_cycles(truth, point->warps, point->ilp, hull_usual.most_warps);
    return common + MAX(truth->completion / (double)(fewer + 1), alone);
}

/* What a fair share leaves idle is not taken for pipelines of schedulers. */
static void test_fair(void)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(1);
    guint right = 0, good = 0;
    HullManner manner = hull_usual;
    manner.deep = TRUE;
    for (guint i = 0; i < 100; i++) {
        HullTruth truth = draw(random, PS_PIPELINE_CU, &hull_usual);
        g_autoptr(GArray) points = hull_curve(&truth, &manner, random);
        for (guint k = 0; k < points->len; k++) {
            PsHullPoint *point = &g_array_index(points, PsHullPoint, k);
            point->cycles *= fair_cycles(&truth, point) /
                             hull_cycles(&truth, point->warps, point->ilp, hull_usual.most_warps);
        }
        PsHullFit result;
        hull_fit(points, truth.schedulers, &result);
        right += result.scope == PS_PIPELINE_CU;
        good += fabs(result.issue.value / truth.issue - 1) < 0.03 &&
                fabs(result.completion.value / truth.completion - 1) < 0.03;
        ps_hull_fit_clear(&result);
    }
    g_test_message("right %u, good %u of 100", right, good);
    g_assert_cmpuint(right, >=, 95);
    g_assert_cmpuint(good, >=, 95);
}

static void test_outliers(void)
{
    HullManner manner = hull_usual;
    manner.outliers = 0.1;
    HullCounts counts = count_draws("10 % outliers", &manner, 4, 2);
    g_assert_cmpfloat(hull_share(&counts, counts.right), >=, 95);
    g_assert_cmpfloat(hull_share(&counts, counts.tables), <, 2);
    g_assert_cmpuint(counts.outliers / counts.draws, >=, 12);
    assert_intervals(&counts);
}

static void test_without_noise(void)
{
    HullManner manner = hull_usual;
    manner.noise = 0;
    HullCounts counts = count_draws("no noise", &manner, 4, 1);
    g_assert_cmpuint(counts.right, ==, counts.draws);
    g_assert_cmpuint(counts.tables, ==, 0);
    g_assert_cmpuint(counts.issue_held + counts.completion_held, ==, 2 * counts.draws);
}

static void test_single_samples(void)
{
    HullManner manner = hull_usual;
    manner.repeats = 1;
    HullCounts counts = count_draws("one sample each", &manner, 4, 2);
    g_assert_cmpfloat(hull_share(&counts, counts.right), >=, 92);
    g_assert_cmpfloat(hull_share(&counts, counts.tables), <, 2);
    assert_intervals(&counts);
    manner.most_ilp = 1; /* and 2 to 8 chains for one warp and two */
    counts = count_draws("one sample each, few chains", &manner, 4, 2);
    g_assert_cmpfloat(hull_share(&counts, counts.right), >=, 92);
    g_assert_cmpfloat(hull_share(&counts, counts.tables), <, 2);
}

/* What all repeats of a launch have in common they do not show: intervals must not rely on it. */
static void test_launches_that_differ(void)
{
    HullManner manner = hull_usual;
    manner.noise = 0.004;
    manner.launch_noise = 0.02;
    HullCounts counts = count_draws("launches differ", &manner, 4, 2);
    g_assert_cmpfloat(hull_share(&counts, counts.right), >=, 95);
    g_assert_cmpfloat(hull_share(&counts, counts.tables), <, 2);
    g_assert_cmpfloat(hull_share(&counts, counts.issue_held), >=, 90);
    g_assert_cmpfloat(hull_share(&counts, counts.completion_held), >=, 90);
}

/* With 4, 8, 12, ... warps both scopes predict the same: then none is told, rather than a wrong
 * one, and lambda is that of the CU. */
static void test_even_warps(void)
{
    HullManner manner = hull_usual;
    manner.even = TRUE;
    HullCounts counts = count_draws("even warps", &manner, 4, 2);
    g_assert_cmpfloat(hull_share(&counts, counts.wrong), <=, 1);
    g_assert_cmpfloat(hull_share(&counts, counts.right), >=, 40);
    g_assert_cmpfloat(hull_share(&counts, counts.right), <=, 80);
    g_assert_cmpfloat(hull_share(&counts, counts.issue_held), >=, 90);
}

/* With always as many chains per warp no scope is told, and lambda is that of the CU. */
static void test_one_chain(void)
{
    static const HullTruth truths[] = {{2, 10, PS_PIPELINE_SCHEDULER, 4, 0, 0, 0},
                                       {1, 40, PS_PIPELINE_CU, 4, 0, 0, 0}};
    for (guint i = 0; i < G_N_ELEMENTS(truths); i++)
        for (gint64 ilp = 1; ilp <= 8; ilp *= 8) {
            g_autoptr(GRand) random = g_rand_new_with_seed(3);
            g_autoptr(GArray) points = hull_curve(&truths[i], &hull_usual, random);
            for (guint k = points->len; k-- > 0;)
                if (g_array_index(points, PsHullPoint, k).ilp != 1)
                    g_array_remove_index(points, k);
            for (guint k = 0; k < points->len; k++)
                g_array_index(points, PsHullPoint, k).ilp = ilp;
            PsHullFit result;
            hull_fit(points, truths[i].schedulers, &result);
            const double issue = i == 0 ? truths[i].issue / 4 : truths[i].issue;
            g_assert_cmpint(result.scope, ==, PS_PIPELINE_UNKNOWN);
            g_assert_true(hull_near(result.issue.value * (double)ilp, issue, 0.03));
            g_assert_true(hull_near(result.completion.value, truths[i].completion, 0.03));
            ps_hull_fit_clear(&result);
        }
}

static void test_unknown_schedulers(void)
{
    HullCounts counts = count_draws("schedulers not known", &hull_usual, 0, 1);
    g_assert_cmpuint(counts.right + counts.wrong, ==, 0);
    g_assert_cmpfloat(hull_share(&counts, counts.issue_held), >=, 90);
}

/* A scheduler's port that is slower than the CU's pipeline hides neither scope nor lambda. */
static void test_port(void)
{
    static const HullTruth truths[] = {{0.5, 20, PS_PIPELINE_CU, 4, 1, 0, 0},
                                       {1, 30, PS_PIPELINE_CU, 4, 2, 0, 0},
                                       {1.5, 30, PS_PIPELINE_CU, 4, 2, 0, 0},
                                       {0.7, 20, PS_PIPELINE_CU, 2, 1, 0, 0}};
    for (guint i = 0; i < G_N_ELEMENTS(truths); i++) {
        HullCounts counts = hull_repeat(&truths[i], &hull_usual, truths[i].schedulers, NULL);
        hull_say("port", &counts);
        g_assert_cmpfloat(hull_share(&counts, counts.both), >=, 95);
        g_assert_cmpfloat(hull_share(&counts, counts.right), >=, 95);
        g_assert_cmpuint(counts.tables, ==, 0);
    }
    /* Nobody sees a pipeline that takes more than all ports together give. */
    HullTruth fast = {0.2, 20, PS_PIPELINE_CU, 4, 1, 0, 0},
              ports = {1, 20, PS_PIPELINE_SCHEDULER, 4, 1, 0, 0};
    HullCounts counts = hull_repeat(&fast, &hull_usual, 4, NULL);
    g_assert_cmpuint(counts.right, ==, 0);
    counts = hull_repeat(&ports, &hull_usual, 4, NULL);
    g_assert_cmpfloat(hull_share(&counts, counts.right), >=, 95);
    /* A limit of the CU that is hardly below what its schedulers reach together is none. (Without
     * many chains of many warps it could be a pipeline that schedulers share fairly.) */
    HullTruth hardly = {1.05, 60, PS_PIPELINE_CU, 4, 4, 0, 0};
    HullManner deep = hull_usual;
    deep.deep = TRUE;
    counts = hull_repeat(&hardly, &deep, 4, NULL);
    g_assert_cmpfloat(hull_share(&counts, counts.wrong), >=, 95);
}

/* The quantile 0.975 of Student's distribution: three digits of it to 5 degrees of freedom, then an
 * expansion that leaves out 2.6 / n^3 and less. */
static void test_student(void)
{
    for (guint n = 1; n <= 120; n++) {
        const double quantile = ps_student(n), root = 1. / n;
        const double below = n <= 5 ? 5e-4 : 2e-6;
        const double above = n <= 5 ? 5e-4 : 2.6 * pow(root, 3) + 2 * pow(root, 4) + 2e-6;
        g_test_message("%u degrees of freedom: %g", n, quantile);
        g_assert_cmpfloat(student_to(quantile - below, n), <, 0.475);
        g_assert_cmpfloat(student_to(quantile + above, n), >, 0.475);
    }
    g_assert_true(isinf(ps_student(0)));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/fit/student", test_student);
    g_test_add_func("/fit/draws", test_draws);
    g_test_add_func("/fit/fair", test_fair);
    g_test_add_func("/fit/outliers", test_outliers);
    g_test_add_func("/fit/without-noise", test_without_noise);
    g_test_add_func("/fit/single-samples", test_single_samples);
    g_test_add_func("/fit/launches-that-differ", test_launches_that_differ);
    g_test_add_func("/fit/even-warps", test_even_warps);
    g_test_add_func("/fit/one-chain", test_one_chain);
    g_test_add_func("/fit/unknown-schedulers", test_unknown_schedulers);
    g_test_add_func("/fit/port", test_port);
    return g_test_run();
}
