/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The fit of boat hulls: few points, points of any magnitude and order, and those of no hull.
 */
#include "latency-bench/internal.h"
#include "tests/help/hull.h"
#include <float.h>
#include <math.h>

static void assert_unknown(const PsHullFit *result, guint n)
{
    g_assert_true(isnan(result->issue.value) && isnan(result->completion.value));
    g_assert_cmpfloat(result->issue.low, ==, 0);
    g_assert_cmpfloat(result->completion.low, ==, 0);
    g_assert_cmpint(result->scope, ==, PS_PIPELINE_UNKNOWN);
    g_assert_cmpuint(result->n_points, ==, n);
    g_assert_true(result->straight && !result->at);
}

static void test_no_points(void)
{
    static const PsHullPoint bad[] = {{1, 1, NAN}, {1, 1, INFINITY}, {1, 1, 0},
                                      {1, 1, -5},  {0, 1, 8},        {1, 0, 8},
                                      {-1, 1, 8},  {1, -1, 8},       {4, 1, -INFINITY}};
    static const PsHullPoint one[] = {{1, 1, NAN}, {1, 1, 8}, {2, 1, NAN}};
    PsHullFit result;
    ps_hull_fit(NULL, 0, 4, &result);
    assert_unknown(&result, 0);
    g_assert_true(isinf(result.issue.high) && isinf(result.completion.high));
    g_assert_true(isnan(result.goodness));
    ps_hull_fit(bad, G_N_ELEMENTS(bad), 4, &result);
    assert_unknown(&result, 0);
    ps_hull_fit(one, G_N_ELEMENTS(one), 4, &result);
    assert_unknown(&result, 1);
    g_assert_true(isinf(result.issue.high) && isinf(result.completion.high));
    ps_hull_fit_clear(&result);
}

/* One load tells a sum of two things; bounds are all there is. */
static void test_one_load(void)
{
    static const PsHullPoint same[] = {{4, 2, 80}, {4, 2, 80}, {4, 2, 80}, {4, 2, 80}};
    PsHullFit result;
    for (gint64 schedulers = 0; schedulers <= 4; schedulers++) {
        ps_hull_fit(same, G_N_ELEMENTS(same), schedulers, &result);
        assert_unknown(&result, 4);
        g_assert_true(hull_near(result.issue.high, 10, 0.01));
        g_assert_true(hull_near(result.completion.high, 80, 0.01));
    }
}

static void test_two_points(void)
{
    static const PsHullPoint flat[] = {{1, 1, 40}, {8, 1, 40}};
    static const PsHullPoint line[] = {{1, 1, 40}, {8, 1, 320}};
    static const PsHullPoint hull[] = {{1, 1, 40}, {8, 1, 120}};
    PsHullFit result;
    ps_hull_fit(flat, 2, 0, &result);
    g_assert_true(hull_near(result.completion.value, 40, 1e-9));
    g_assert_true(isnan(result.issue.value) && hull_near(result.issue.high, 5, 0.05));
    ps_hull_fit(line, 2, 0, &result);
    g_assert_true(hull_near(result.issue.value, 40, 1e-9));
    g_assert_true(isnan(result.completion.value) && hull_near(result.completion.high, 40, 0.05));
    ps_hull_fit(hull, 2, 0, &result);
    assert_unknown(&result, 2);
    g_assert_true(hull_near(result.issue.high, 15, 0.01));
    g_assert_true(hull_near(result.completion.high, 40, 0.01));
}

/* Any magnitude of cycles, and of warps, chains and schedulers. */
static void test_magnitudes(void)
{
    static const HullTruth truth = {4, 60, PS_PIPELINE_SCHEDULER, 4, 0, 0, 0};
    static const double scales[] = {1e-300, 1e-9, 1e9, 1e300};
    for (guint i = 0; i < G_N_ELEMENTS(scales); i++) {
        g_autoptr(GRand) random = g_rand_new_with_seed(3);
        g_autoptr(GArray) points = hull_curve(&truth, &hull_usual, random);
        for (guint k = 0; k < points->len; k++)
            g_array_index(points, PsHullPoint, k).cycles *= scales[i];
        PsHullFit result;
        hull_fit(points, 4, &result);
        g_assert_true(hull_near(result.issue.value, 4 * scales[i], 0.03));
        g_assert_true(hull_near(result.completion.value, 60 * scales[i], 0.03));
        g_assert_cmpint(result.scope, ==, PS_PIPELINE_SCHEDULER);
        ps_hull_fit_clear(&result);
    }
    static const PsHullPoint extreme[] = {
        {G_MAXINT64, G_MAXINT64, 1e300}, {1, 1, 1e-300},   {G_MAXINT64, 1, DBL_MAX},
        {1, G_MAXINT64, DBL_MIN},        {3, 5, 4.9e-324}, {2, 2, 1}};
    static const gint64 schedulers[] = {G_MININT64, -1, 0, 1, 2, 4, G_MAXINT64};
    for (guint i = 0; i < G_N_ELEMENTS(schedulers); i++) {
        PsHullFit result;
        ps_hull_fit(extreme, G_N_ELEMENTS(extreme), schedulers[i], &result);
        g_assert_cmpuint(result.n_points, ==, G_N_ELEMENTS(extreme));
        ps_hull_fit_clear(&result);
    }
}

/* Samples that have nothing to do with a hull, few and many: an answer, and numbers in order. */
static void test_anything(void)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(5);
    for (guint k = 0; k < 300; k++) {
        g_autoptr(GArray) points = g_array_new(FALSE, FALSE, sizeof(PsHullPoint));
        guint n = (guint)g_rand_int_range(random, 0, k % 20 ? 40 : 2000);
        for (guint i = 0; i < n; i++) {
            PsHullPoint point = {g_rand_int_range(random, 1, 65), g_rand_int_range(random, 1, 9),
                                 hull_log_uniform(random, 1, k % 3 ? 1000 : 2)};
            g_array_append_val(points, point);
        }
        PsHullFit result;
        hull_fit(points, g_rand_int_range(random, 0, 9), &result);
        g_assert_false(result.issue.low > result.issue.value ||
                       result.issue.value > result.issue.high);
        g_assert_false(result.completion.low > result.completion.value ||
                       result.completion.value > result.completion.high);
        g_assert_false(isnan(result.issue.high) || isnan(result.completion.high));
        g_assert_false(result.goodness > 1);
        g_assert_cmpuint(result.n_outliers, <=, result.n_points);
        ps_hull_fit_clear(&result);
    }
}

static void shuffle(GArray *points, GRand *random)
{
    for (guint i = points->len - 1; i; i--) {
        guint k = (guint)g_rand_int_range(random, 0, (gint32)i + 1);
        PsHullPoint point = g_array_index(points, PsHullPoint, i);
        g_array_index(points, PsHullPoint, i) = g_array_index(points, PsHullPoint, k);
        g_array_index(points, PsHullPoint, k) = point;
    }
}

/* The same points give the same bits. */
static void test_order(void)
{
    static const HullTruth truth = {8, 90, PS_PIPELINE_CU, 4, 0, 0, 0};
    g_autoptr(GRand) random = g_rand_new_with_seed(9);
    for (guint i = 0; i < 20; i++) {
        g_autoptr(GArray) points = hull_curve(&truth, &hull_usual, random);
        PsHullFit before, after;
        hull_fit(points, 4, &before);
        shuffle(points, random);
        hull_fit(points, 4, &after);
        g_assert_cmpmem(&before.issue, sizeof before.issue, &after.issue, sizeof after.issue);
        g_assert_cmpmem(&before.completion, sizeof before.completion, &after.completion,
                        sizeof after.completion);
        g_assert_cmpfloat(before.goodness, ==, after.goodness);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/fit/no-points", test_no_points);
    g_test_add_func("/fit/one-load", test_one_load);
    g_test_add_func("/fit/two-points", test_two_points);
    g_test_add_func("/fit/magnitudes", test_magnitudes);
    g_test_add_func("/fit/anything", test_anything);
    g_test_add_func("/fit/order", test_order);
    return g_test_run();
}
