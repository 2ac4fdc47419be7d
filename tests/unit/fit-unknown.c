/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The fit of boat hulls: what a curve cannot tell is not told, and what grows with the warps is
 * contention.
 */
#include "latency-bench/internal.h"
#include "tests/help/hull.h"
#include <math.h>

/* ---- what points do not tell --------------------------------------------------------------- */

static void check_flat(const HullTruth *truth, const PsHullFit *result, HullCounts *counts)
{
    double bound = truth->completion / (64 * 4);
    (void)counts;
    g_assert_true(isnan(result->issue.value));
    g_assert_cmpfloat(result->issue.low, ==, 0);
    g_assert_true(hull_near(result->issue.high, bound, 0.05));
    g_assert_true(hull_near(result->completion.value, truth->completion, 0.03));
    g_assert_cmpint(result->scope, ==, PS_PIPELINE_UNKNOWN);
    g_assert_true(isnan(result->goodness));
}

static void check_line(const HullTruth *truth, const PsHullFit *result, HullCounts *counts)
{
    (void)counts;
    g_assert_true(isnan(result->completion.value));
    g_assert_cmpfloat(result->completion.low, ==, 0);
    g_assert_true(hull_near(result->completion.high, truth->issue, 0.05));
    g_assert_true(hull_near(result->issue.value, truth->issue, 0.03));
    g_assert_cmpint(result->scope, ==, truth->scope);
    g_assert_cmpfloat(result->goodness, >, 0.99);
}

static void test_flat(void)
{
    static const HullTruth flat = {0.5, 400, PS_PIPELINE_CU, 4, 0, 0, 0};
    HullManner manner = hull_usual;
    HullCounts counts = hull_repeat(&flat, &manner, 4, check_flat);
    g_assert_cmpfloat(hull_share(&counts, counts.issue_held), >=, 90);
    g_assert_cmpfloat(hull_share(&counts, counts.completion_held), >=, 90);
    g_assert_cmpuint(counts.tables, ==, 0);
    hull_repeat(&flat, &manner, 0, check_flat);
    manner.noise = 0;
    hull_repeat(&flat, &manner, 4, check_flat);
}

static void test_line(void)
{
    static const HullTruth lines[] = {{8, 6, PS_PIPELINE_CU, 4, 0, 0, 0},
                                      {8, 6, PS_PIPELINE_SCHEDULER, 4, 0, 0, 0}};
    HullManner manner = hull_usual;
    for (guint i = 0; i < G_N_ELEMENTS(lines); i++) {
        manner.noise = hull_usual.noise;
        HullCounts counts = hull_repeat(&lines[i], &manner, 4, check_line);
        g_assert_cmpfloat(hull_share(&counts, counts.issue_held), >=, 85);
        g_assert_cmpfloat(hull_share(&counts, counts.completion_held), >=, 85);
        g_assert_cmpuint(counts.tables, ==, 0);
        manner.noise = 0;
        hull_repeat(&lines[i], &manner, 4, check_line);
    }
}

/* One warp's chains may wait for their scheduler or for the CU: lambda of the CU may be a share of
 * what they show. */
static void test_one_warp(void)
{
    static const double cycles[] = {20, 20, 20.1, 19.9, 20, 24, 28, 32.1, 36, 39.9, 44, 48};
    PsHullPoint points[G_N_ELEMENTS(cycles)];
    for (guint i = 0; i < G_N_ELEMENTS(cycles); i++)
        points[i] = (PsHullPoint){1, i + 1, cycles[i]};
    PsHullFit result;
    ps_hull_fit(points, G_N_ELEMENTS(points), 4, &result);
    g_assert_cmpint(result.scope, ==, PS_PIPELINE_UNKNOWN);
    g_assert_true(hull_near(result.issue.value, 4, 0.01) &&
                  hull_near(result.completion.value, 20, 0.01));
    g_assert_true(hull_holds(&result.issue, 4) && hull_holds(&result.issue, 1));
    g_assert_cmpfloat(result.issue.low, >, 0.95);
    ps_hull_fit(points, G_N_ELEMENTS(points), 1, &result);
    g_assert_true(hull_near(result.issue.value, 4, 0.01) && !hull_holds(&result.issue, 3.9));
}

/* ---- contention ---------------------------------------------------------------------------- */

/* Linear between its points, constant outside, as refinement R4 has it. */
static double completion_at(const GArray *at, gint64 warps)
{
    const PsLatencyAt *p = (const PsLatencyAt *)at->data;
    guint k = 0;
    while (k + 1 < at->len && p[k + 1].warps <= warps)
        k++;
    double here = ps_rational_to_double(p[k].latency.completion);
    if (k + 1 == at->len || warps <= p[k].warps)
        return here;
    double share = (double)(warps - p[k].warps) / (double)(p[k + 1].warps - p[k].warps);
    return here + share * (ps_rational_to_double(p[k + 1].latency.completion) - here);
}

/* HullCounts in `right` tables that hold the truth wherever the pipeline does not hide it. */
static void check_table(const HullTruth *truth, const PsHullFit *result, HullCounts *counts)
{
    gboolean right = TRUE;
    if (!result->at)
        return;
    for (guint i = 0; i < result->at->len; i++) {
        const PsLatencyAt *p = &g_array_index(result->at, PsLatencyAt, i);
        g_assert_cmpint(p->latency.issue.num, >, 0);
        g_assert_true(!i ||
                      (p->warps > p[-1].warps &&
                       ps_rational_cmp(p->latency.completion, p[-1].latency.completion) >= 0));
    }
    for (gint64 warps = 1; warps <= 64; warps++) {
        double grown = hull_cycles(truth, warps, 1, 64);
        if (grown > 1.7 * (double)warps * truth->issue)
            right = right && hull_near(completion_at(result->at, warps), grown, 0.06);
    }
    g_assert_cmpuint(result->at->len, <=, 8);
    counts->wrong += !right;
}

static void test_contention(void)
{
    static const HullTruth truths[] = {{10, 500, PS_PIPELINE_CU, 4, 0, 0.3, 0},
                                       {10, 500, PS_PIPELINE_CU, 4, 0, 1, 0},
                                       {20, 500, PS_PIPELINE_CU, 4, 0, 3, 0},
                                       {12, 500, PS_PIPELINE_CU, 4, 0, 1, 12},
                                       {40, 500, PS_PIPELINE_SCHEDULER, 4, 0, 1, 0}};
    for (guint i = 0; i < G_N_ELEMENTS(truths); i++) {
        HullCounts counts = hull_repeat(&truths[i], &hull_usual, 4, check_table);
        hull_say("contention", &counts);
        g_assert_cmpfloat(hull_share(&counts, counts.tables), >=, 95);
        g_assert_cmpfloat(hull_share(&counts, counts.both), >=, 95);
        g_assert_cmpfloat(hull_share(&counts, counts.wrong), <=, 5);
        g_assert_cmpfloat(hull_share(&counts, counts.right), >=, 95);
        g_assert_cmpfloat(hull_share(&counts, counts.issue_held), >=, 85);
        counts = hull_repeat(&truths[i], &hull_usual, 0, check_table);
        g_assert_cmpfloat(hull_share(&counts, counts.tables), >=, 95);
        g_assert_cmpfloat(hull_share(&counts, counts.wrong), <=, 5);
        g_assert_cmpuint(counts.right, ==, 0);
    }
}

static void check_flat_table(const HullTruth *truth, const PsHullFit *result, HullCounts *counts)
{
    check_table(truth, result, counts);
    g_assert_true(isnan(result->issue.value));
    g_assert_true(hull_holds(&result->issue, truth->issue));
    g_assert_cmpfloat(result->issue.high, <, 1.1 * truth->completion * 2 / 256);
    g_assert_true(hull_near(result->completion.value, truth->completion, 0.03));
}

static void test_contention_alone(void)
{
    static const HullTruth truth = {1, 500, PS_PIPELINE_CU, 4, 0, 1, 0};
    HullCounts counts = hull_repeat(&truth, &hull_usual, 4, check_flat_table);
    g_assert_cmpuint(counts.tables, ==, counts.draws);
    HullManner manner = hull_usual;
    manner.repeats = 1;
    manner.most_ilp = 1;
    HullCounts single = hull_repeat(&truth, &manner, 4, NULL);
    hull_say("contention, one sample each", &single);
    g_assert_cmpfloat(hull_share(&single, single.tables), >=, 90);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/fit/flat", test_flat);
    g_test_add_func("/fit/line", test_line);
    g_test_add_func("/fit/one-warp", test_one_warp);
    g_test_add_func("/fit/contention", test_contention);
    g_test_add_func("/fit/contention-alone", test_contention_alone);
    return g_test_run();
}
