/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The fit of boat hulls: latencies drawn at random come back from noisy curves, intervals hold the
 * truth as often as they say, and what a curve cannot tell is not told. Curves are those of
 * equation 1, computed here, on the launches that a plan makes.
 */
#include "latency-bench/fit.h"
#include <float.h>
#include <math.h>

/* ---- curves -------------------------------------------------------------------------------- */

/* A device to measure. */
typedef struct {
    double issue, completion;
    PsPipelineScope scope;
    gint64 schedulers;
    double port;   /* cycles per instruction of a scheduler's issue port; 0: none */
    double growth; /* Lambda of the most warps is 1 + growth times that of one */
    gint64 knee;   /* warps from which on it grows no more; 0: it grows all the way */
} Truth;

/* How it is measured. */
typedef struct {
    double noise;    /* standard deviation, as a share */
    double outliers; /* share of samples that take 1 to 5 times as long */
    gint64 most_warps, most_ilp;
    guint repeats;
    gboolean even;       /* without the odd numbers of warps that fill schedulers unevenly */
    double launch_noise; /* of all repeats of one launch alike */
    gboolean deep;       /* many chains of many warps, too, as the full grid has them */
} Manner;

static const Manner usual = {0.02, 0.01, 64, 4, 3, FALSE, 0, FALSE};

static gint64 ceil_div(gint64 a, gint64 b)
{
    return (a + b - 1) / b;
}

static double cycles_of(const Truth *truth, gint64 warps, gint64 ilp, gint64 most_warps)
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

static void measure(GArray *points, const Truth *truth, const Manner *manner, gint64 warps,
                    gint64 ilp, GRand *random)
{
    double common = 1;
    if (manner->launch_noise > 0)
        common += manner->launch_noise * normal(random);
    for (guint k = 0; k < manner->repeats; k++) {
        double cycles = common * cycles_of(truth, warps, ilp, manner->most_warps);
        cycles *= 1 + manner->noise * normal(random);
        if (g_rand_double(random) < manner->outliers)
            cycles *= g_rand_double_range(random, 1, 5);
        PsHullPoint point = {warps, ilp, cycles};
        g_array_append_val(points, point);
    }
}

static GArray *curve(const Truth *truth, const Manner *manner, GRand *random)
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

static void fit(const GArray *points, gint64 schedulers, PsHullFit *result)
{
    ps_hull_fit((const PsHullPoint *)points->data, points->len, schedulers, result);
}

static double log_uniform(GRand *random, double low, double high)
{
    return low * exp(g_rand_double(random) * log(high / low));
}

/* As the issue asks: lambda 0.25 to 50, Lambda up to 800, their ratio from 2 to half of the
 * greatest load. */
static Truth draw(GRand *random, PsPipelineScope scope, const Manner *manner)
{
    Truth truth = {.scope = scope, .schedulers = 4};
    gint64 warps =
        scope == PS_PIPELINE_SCHEDULER ? manner->most_warps / truth.schedulers : manner->most_warps;
    double most = (double)(warps * manner->most_ilp) / 2;
    do {
        truth.issue = log_uniform(random, 0.25, 50);
        truth.completion = truth.issue * log_uniform(random, 2, most);
    } while (truth.completion > 800);
    return truth;
}

/* ---- counts over draws --------------------------------------------------------------------- */

typedef struct {
    guint draws, both, right, wrong, issue_held, completion_held, tables, outliers;
} Counts;

static gboolean near(double value, double truth, double share)
{
    return fabs(value / truth - 1) <= share;
}

static gboolean holds(const PsEstimate *estimate, double truth)
{
    return estimate->low <= truth && truth <= estimate->high;
}

static void count_draw(const Truth *truth, const PsHullFit *result, Counts *counts)
{
    double issue = truth->issue;
    if (truth->scope == PS_PIPELINE_SCHEDULER && result->scope != PS_PIPELINE_SCHEDULER)
        issue /= (double)truth->schedulers;
    counts->draws++;
    counts->both += near(result->issue.value, issue, 0.03) &&
                    near(result->completion.value, truth->completion, 0.03);
    counts->right += result->scope == truth->scope;
    counts->wrong += result->scope != truth->scope && result->scope != PS_PIPELINE_UNKNOWN;
    counts->issue_held += holds(&result->issue, issue);
    counts->completion_held += holds(&result->completion, truth->completion);
    counts->tables += !result->straight;
    counts->outliers += result->n_outliers;
    g_assert_true(result->straight == !result->at);
}

static void say_counts(const char *what, const Counts *counts)
{
    g_test_message("%s, of %u draws: lambda and Lambda within 3 %% %u, scope right %u, wrong %u, "
                   "intervals hold lambda %u, Lambda %u, taken for contention %u, outliers %.1f",
                   what, counts->draws, counts->both, counts->right, counts->wrong,
                   counts->issue_held, counts->completion_held, counts->tables,
                   (double)counts->outliers / counts->draws);
}

/* Draws for each seed. */
static guint many(void)
{
    return g_strcmp0(g_getenv("PIPESIM_CHECKER"), "valgrind") == 0 ? 20 : 100;
}

/* Draws of each seed from 1 on. 95 % of each must come out well; all are summed. */
static Counts count_draws(const char *what, const Manner *manner, gint64 schedulers, guint seeds)
{
    static const PsPipelineScope scopes[] = {PS_PIPELINE_CU, PS_PIPELINE_SCHEDULER};
    Counts all = {0};
    for (guint i = 0; i < seeds * G_N_ELEMENTS(scopes); i++) {
        g_autoptr(GRand) random = g_rand_new_with_seed(1 + i / G_N_ELEMENTS(scopes));
        guint both = all.both;
        for (guint k = 0; k < many(); k++) {
            PsHullFit result;
            Truth truth = draw(random, scopes[i % G_N_ELEMENTS(scopes)], manner);
            g_autoptr(GArray) points = curve(&truth, manner, random);
            fit(points, schedulers, &result);
            g_assert_cmpuint(result.n_points, ==, points->len);
            count_draw(&truth, &result, &all);
            ps_hull_fit_clear(&result);
        }
        g_assert_cmpuint(100 * (all.both - both), >=, 95 * many());
    }
    say_counts(what, &all);
    return all;
}

/* Intervals of 95 % that are neither too narrow nor too wide; 4 standard deviations of the count.
 */
static void assert_intervals(const Counts *counts)
{
    double expected = 0.95 * counts->draws, slack = 4 * sqrt(expected * 0.05);
    g_assert_cmpfloat(counts->issue_held, >=, expected - slack);
    g_assert_cmpfloat(counts->completion_held, >=, expected - slack);
    g_assert_cmpfloat(counts->issue_held, <=, expected + slack);
    g_assert_cmpfloat(counts->completion_held, <=, expected + slack);
}

/* In per cent of the draws. */
static double share(const Counts *counts, guint count)
{
    return 100.0 * count / counts->draws;
}

static void test_draws(void)
{
    Manner small = usual;
    small.most_warps = 32;
    Counts counts[] = {count_draws("64 warps", &usual, 4, 4),
                       count_draws("32 warps", &small, 4, 4)};
    for (guint i = 0; i < G_N_ELEMENTS(counts); i++) {
        g_assert_cmpfloat(share(&counts[i], counts[i].right), >=, 98);
        g_assert_cmpfloat(share(&counts[i], counts[i].tables), <, 1);
        assert_intervals(&counts[i]);
    }
}

/* A pipeline of the CU that schedulers share fairly: those with a warp less are done first, and the
 * others then leave it partly idle. */
static double fair_cycles(const Truth *truth, const PsHullPoint *point)
{
    const gint64 fewer = point->warps / truth->schedulers,
                 fuller = point->warps % truth->schedulers;
    const double common = (double)(fewer * truth->schedulers * point->ilp) * truth->issue,
                 alone = (double)(fuller * point->ilp) * truth->issue;
    if (!fuller || common < truth->completion)
        return cycles_of(truth, point->warps, point->ilp, usual.most_warps);
    return common + MAX(truth->completion / (double)(fewer + 1), alone);
}

/* What a fair share leaves idle is not taken for pipelines of schedulers. */
static void test_fair(void)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(1);
    guint right = 0, good = 0;
    Manner manner = usual;
    manner.deep = TRUE;
    for (guint i = 0; i < 100; i++) {
        Truth truth = draw(random, PS_PIPELINE_CU, &usual);
        g_autoptr(GArray) points = curve(&truth, &manner, random);
        for (guint k = 0; k < points->len; k++) {
            PsHullPoint *point = &g_array_index(points, PsHullPoint, k);
            point->cycles *= fair_cycles(&truth, point) /
                             cycles_of(&truth, point->warps, point->ilp, usual.most_warps);
        }
        PsHullFit result;
        fit(points, truth.schedulers, &result);
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
    Manner manner = usual;
    manner.outliers = 0.1;
    Counts counts = count_draws("10 % outliers", &manner, 4, 2);
    g_assert_cmpfloat(share(&counts, counts.right), >=, 95);
    g_assert_cmpfloat(share(&counts, counts.tables), <, 2);
    g_assert_cmpuint(counts.outliers / counts.draws, >=, 12);
    assert_intervals(&counts);
}

static void test_without_noise(void)
{
    Manner manner = usual;
    manner.noise = 0;
    Counts counts = count_draws("no noise", &manner, 4, 1);
    g_assert_cmpuint(counts.right, ==, counts.draws);
    g_assert_cmpuint(counts.tables, ==, 0);
    g_assert_cmpuint(counts.issue_held + counts.completion_held, ==, 2 * counts.draws);
}

static void test_single_samples(void)
{
    Manner manner = usual;
    manner.repeats = 1;
    Counts counts = count_draws("one sample each", &manner, 4, 2);
    g_assert_cmpfloat(share(&counts, counts.right), >=, 92);
    g_assert_cmpfloat(share(&counts, counts.tables), <, 2);
    assert_intervals(&counts);
    manner.most_ilp = 1; /* and 2 to 8 chains for one warp and two */
    counts = count_draws("one sample each, few chains", &manner, 4, 2);
    g_assert_cmpfloat(share(&counts, counts.right), >=, 92);
    g_assert_cmpfloat(share(&counts, counts.tables), <, 2);
}

/* What all repeats of a launch have in common they do not show: intervals must not rely on it. */
static void test_launches_that_differ(void)
{
    Manner manner = usual;
    manner.noise = 0.004;
    manner.launch_noise = 0.02;
    Counts counts = count_draws("launches differ", &manner, 4, 2);
    g_assert_cmpfloat(share(&counts, counts.right), >=, 95);
    g_assert_cmpfloat(share(&counts, counts.tables), <, 2);
    g_assert_cmpfloat(share(&counts, counts.issue_held), >=, 90);
    g_assert_cmpfloat(share(&counts, counts.completion_held), >=, 90);
}

/* With 4, 8, 12, ... warps both scopes predict the same: then none is told, rather than a wrong
 * one, and lambda is that of the CU. */
static void test_even_warps(void)
{
    Manner manner = usual;
    manner.even = TRUE;
    Counts counts = count_draws("even warps", &manner, 4, 2);
    g_assert_cmpfloat(share(&counts, counts.wrong), <=, 1);
    g_assert_cmpfloat(share(&counts, counts.right), >=, 40);
    g_assert_cmpfloat(share(&counts, counts.right), <=, 80);
    g_assert_cmpfloat(share(&counts, counts.issue_held), >=, 90);
}

/* With always as many chains per warp no scope is told, and lambda is that of the CU. */
static void test_one_chain(void)
{
    static const Truth truths[] = {{2, 10, PS_PIPELINE_SCHEDULER, 4, 0, 0, 0},
                                   {1, 40, PS_PIPELINE_CU, 4, 0, 0, 0}};
    for (guint i = 0; i < G_N_ELEMENTS(truths); i++)
        for (gint64 ilp = 1; ilp <= 8; ilp *= 8) {
            g_autoptr(GRand) random = g_rand_new_with_seed(3);
            g_autoptr(GArray) points = curve(&truths[i], &usual, random);
            for (guint k = points->len; k-- > 0;)
                if (g_array_index(points, PsHullPoint, k).ilp != 1)
                    g_array_remove_index(points, k);
            for (guint k = 0; k < points->len; k++)
                g_array_index(points, PsHullPoint, k).ilp = ilp;
            PsHullFit result;
            fit(points, truths[i].schedulers, &result);
            const double issue = i == 0 ? truths[i].issue / 4 : truths[i].issue;
            g_assert_cmpint(result.scope, ==, PS_PIPELINE_UNKNOWN);
            g_assert_true(near(result.issue.value * (double)ilp, issue, 0.03));
            g_assert_true(near(result.completion.value, truths[i].completion, 0.03));
            ps_hull_fit_clear(&result);
        }
}

static void test_unknown_schedulers(void)
{
    Counts counts = count_draws("schedulers not known", &usual, 0, 1);
    g_assert_cmpuint(counts.right + counts.wrong, ==, 0);
    g_assert_cmpfloat(share(&counts, counts.issue_held), >=, 90);
}

/* ---- one truth, many curves ---------------------------------------------------------------- */

typedef void (*Check)(const Truth *truth, const PsHullFit *result, Counts *counts);

static Counts repeat(const Truth *truth, const Manner *manner, gint64 schedulers, Check check)
{
    Counts counts = {0};
    g_autoptr(GRand) random = g_rand_new_with_seed(11);
    for (guint k = 0; k < many(); k++) {
        PsHullFit result;
        g_autoptr(GArray) points = curve(truth, manner, random);
        fit(points, schedulers, &result);
        count_draw(truth, &result, &counts);
        if (check)
            check(truth, &result, &counts);
        ps_hull_fit_clear(&result);
    }
    return counts;
}

/* A scheduler's port that is slower than the CU's pipeline hides neither scope nor lambda. */
static void test_port(void)
{
    static const Truth truths[] = {{0.5, 20, PS_PIPELINE_CU, 4, 1, 0, 0},
                                   {1, 30, PS_PIPELINE_CU, 4, 2, 0, 0},
                                   {1.5, 30, PS_PIPELINE_CU, 4, 2, 0, 0},
                                   {0.7, 20, PS_PIPELINE_CU, 2, 1, 0, 0}};
    for (guint i = 0; i < G_N_ELEMENTS(truths); i++) {
        Counts counts = repeat(&truths[i], &usual, truths[i].schedulers, NULL);
        say_counts("port", &counts);
        g_assert_cmpfloat(share(&counts, counts.both), >=, 95);
        g_assert_cmpfloat(share(&counts, counts.right), >=, 95);
        g_assert_cmpuint(counts.tables, ==, 0);
    }
    /* Nobody sees a pipeline that takes more than all ports together give. */
    Truth fast = {0.2, 20, PS_PIPELINE_CU, 4, 1, 0, 0},
          ports = {1, 20, PS_PIPELINE_SCHEDULER, 4, 1, 0, 0};
    Counts counts = repeat(&fast, &usual, 4, NULL);
    g_assert_cmpuint(counts.right, ==, 0);
    counts = repeat(&ports, &usual, 4, NULL);
    g_assert_cmpfloat(share(&counts, counts.right), >=, 95);
    /* A limit of the CU that is hardly below what its schedulers reach together is none. (Without
     * many chains of many warps it could be a pipeline that schedulers share fairly.) */
    Truth hardly = {1.05, 60, PS_PIPELINE_CU, 4, 4, 0, 0};
    Manner deep = usual;
    deep.deep = TRUE;
    counts = repeat(&hardly, &deep, 4, NULL);
    g_assert_cmpfloat(share(&counts, counts.wrong), >=, 95);
}

/* ---- what points do not tell --------------------------------------------------------------- */

static void check_flat(const Truth *truth, const PsHullFit *result, Counts *counts)
{
    double bound = truth->completion / (64 * 4);
    (void)counts;
    g_assert_true(isnan(result->issue.value));
    g_assert_cmpfloat(result->issue.low, ==, 0);
    g_assert_true(near(result->issue.high, bound, 0.05));
    g_assert_true(near(result->completion.value, truth->completion, 0.03));
    g_assert_cmpint(result->scope, ==, PS_PIPELINE_UNKNOWN);
    g_assert_true(isnan(result->goodness));
}

static void check_line(const Truth *truth, const PsHullFit *result, Counts *counts)
{
    (void)counts;
    g_assert_true(isnan(result->completion.value));
    g_assert_cmpfloat(result->completion.low, ==, 0);
    g_assert_true(near(result->completion.high, truth->issue, 0.05));
    g_assert_true(near(result->issue.value, truth->issue, 0.03));
    g_assert_cmpint(result->scope, ==, truth->scope);
    g_assert_cmpfloat(result->goodness, >, 0.99);
}

static void test_flat(void)
{
    static const Truth flat = {0.5, 400, PS_PIPELINE_CU, 4, 0, 0, 0};
    Manner manner = usual;
    Counts counts = repeat(&flat, &manner, 4, check_flat);
    g_assert_cmpfloat(share(&counts, counts.issue_held), >=, 90);
    g_assert_cmpfloat(share(&counts, counts.completion_held), >=, 90);
    g_assert_cmpuint(counts.tables, ==, 0);
    repeat(&flat, &manner, 0, check_flat);
    manner.noise = 0;
    repeat(&flat, &manner, 4, check_flat);
}

static void test_line(void)
{
    static const Truth lines[] = {{8, 6, PS_PIPELINE_CU, 4, 0, 0, 0},
                                  {8, 6, PS_PIPELINE_SCHEDULER, 4, 0, 0, 0}};
    Manner manner = usual;
    for (guint i = 0; i < G_N_ELEMENTS(lines); i++) {
        manner.noise = usual.noise;
        Counts counts = repeat(&lines[i], &manner, 4, check_line);
        g_assert_cmpfloat(share(&counts, counts.issue_held), >=, 85);
        g_assert_cmpfloat(share(&counts, counts.completion_held), >=, 85);
        g_assert_cmpuint(counts.tables, ==, 0);
        manner.noise = 0;
        repeat(&lines[i], &manner, 4, check_line);
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
    g_assert_true(near(result.issue.value, 4, 0.01) && near(result.completion.value, 20, 0.01));
    g_assert_true(holds(&result.issue, 4) && holds(&result.issue, 1));
    g_assert_cmpfloat(result.issue.low, >, 0.95);
    ps_hull_fit(points, G_N_ELEMENTS(points), 1, &result);
    g_assert_true(near(result.issue.value, 4, 0.01) && !holds(&result.issue, 3.9));
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

/* Counts in `right` tables that hold the truth wherever the pipeline does not hide it. */
static void check_table(const Truth *truth, const PsHullFit *result, Counts *counts)
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
        double grown = cycles_of(truth, warps, 1, 64);
        if (grown > 1.7 * (double)warps * truth->issue)
            right = right && near(completion_at(result->at, warps), grown, 0.06);
    }
    g_assert_cmpuint(result->at->len, <=, 8);
    counts->wrong += !right;
}

static void test_contention(void)
{
    static const Truth truths[] = {{10, 500, PS_PIPELINE_CU, 4, 0, 0.3, 0},
                                   {10, 500, PS_PIPELINE_CU, 4, 0, 1, 0},
                                   {20, 500, PS_PIPELINE_CU, 4, 0, 3, 0},
                                   {12, 500, PS_PIPELINE_CU, 4, 0, 1, 12},
                                   {40, 500, PS_PIPELINE_SCHEDULER, 4, 0, 1, 0}};
    for (guint i = 0; i < G_N_ELEMENTS(truths); i++) {
        Counts counts = repeat(&truths[i], &usual, 4, check_table);
        say_counts("contention", &counts);
        g_assert_cmpfloat(share(&counts, counts.tables), >=, 95);
        g_assert_cmpfloat(share(&counts, counts.both), >=, 95);
        g_assert_cmpfloat(share(&counts, counts.wrong), <=, 5);
        g_assert_cmpfloat(share(&counts, counts.right), >=, 95);
        g_assert_cmpfloat(share(&counts, counts.issue_held), >=, 85);
        counts = repeat(&truths[i], &usual, 0, check_table);
        g_assert_cmpfloat(share(&counts, counts.tables), >=, 95);
        g_assert_cmpfloat(share(&counts, counts.wrong), <=, 5);
        g_assert_cmpuint(counts.right, ==, 0);
    }
}

static void check_flat_table(const Truth *truth, const PsHullFit *result, Counts *counts)
{
    check_table(truth, result, counts);
    g_assert_true(isnan(result->issue.value));
    g_assert_true(holds(&result->issue, truth->issue));
    g_assert_cmpfloat(result->issue.high, <, 1.1 * truth->completion * 2 / 256);
    g_assert_true(near(result->completion.value, truth->completion, 0.03));
}

static void test_contention_alone(void)
{
    static const Truth truth = {1, 500, PS_PIPELINE_CU, 4, 0, 1, 0};
    Counts counts = repeat(&truth, &usual, 4, check_flat_table);
    g_assert_cmpuint(counts.tables, ==, counts.draws);
    Manner manner = usual;
    manner.repeats = 1;
    manner.most_ilp = 1;
    Counts single = repeat(&truth, &manner, 4, NULL);
    say_counts("contention, one sample each", &single);
    g_assert_cmpfloat(share(&single, single.tables), >=, 90);
}

/* ---- little and strange -------------------------------------------------------------------- */

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
        g_assert_true(near(result.issue.high, 10, 0.01));
        g_assert_true(near(result.completion.high, 80, 0.01));
    }
}

static void test_two_points(void)
{
    static const PsHullPoint flat[] = {{1, 1, 40}, {8, 1, 40}};
    static const PsHullPoint line[] = {{1, 1, 40}, {8, 1, 320}};
    static const PsHullPoint hull[] = {{1, 1, 40}, {8, 1, 120}};
    PsHullFit result;
    ps_hull_fit(flat, 2, 0, &result);
    g_assert_true(near(result.completion.value, 40, 1e-9));
    g_assert_true(isnan(result.issue.value) && near(result.issue.high, 5, 0.05));
    ps_hull_fit(line, 2, 0, &result);
    g_assert_true(near(result.issue.value, 40, 1e-9));
    g_assert_true(isnan(result.completion.value) && near(result.completion.high, 40, 0.05));
    ps_hull_fit(hull, 2, 0, &result);
    assert_unknown(&result, 2);
    g_assert_true(near(result.issue.high, 15, 0.01));
    g_assert_true(near(result.completion.high, 40, 0.01));
}

/* Any magnitude of cycles, and of warps, chains and schedulers. */
static void test_magnitudes(void)
{
    static const Truth truth = {4, 60, PS_PIPELINE_SCHEDULER, 4, 0, 0, 0};
    static const double scales[] = {1e-300, 1e-9, 1e9, 1e300};
    for (guint i = 0; i < G_N_ELEMENTS(scales); i++) {
        g_autoptr(GRand) random = g_rand_new_with_seed(3);
        g_autoptr(GArray) points = curve(&truth, &usual, random);
        for (guint k = 0; k < points->len; k++)
            g_array_index(points, PsHullPoint, k).cycles *= scales[i];
        PsHullFit result;
        fit(points, 4, &result);
        g_assert_true(near(result.issue.value, 4 * scales[i], 0.03));
        g_assert_true(near(result.completion.value, 60 * scales[i], 0.03));
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
                                 log_uniform(random, 1, k % 3 ? 1000 : 2)};
            g_array_append_val(points, point);
        }
        PsHullFit result;
        fit(points, g_rand_int_range(random, 0, 9), &result);
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
    static const Truth truth = {8, 90, PS_PIPELINE_CU, 4, 0, 0, 0};
    g_autoptr(GRand) random = g_rand_new_with_seed(9);
    for (guint i = 0; i < 20; i++) {
        g_autoptr(GArray) points = curve(&truth, &usual, random);
        PsHullFit before, after;
        fit(points, 4, &before);
        shuffle(points, random);
        fit(points, 4, &after);
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
    g_test_add_func("/fit/flat", test_flat);
    g_test_add_func("/fit/line", test_line);
    g_test_add_func("/fit/one-warp", test_one_warp);
    g_test_add_func("/fit/contention", test_contention);
    g_test_add_func("/fit/contention-alone", test_contention_alone);
    g_test_add_func("/fit/no-points", test_no_points);
    g_test_add_func("/fit/one-load", test_one_load);
    g_test_add_func("/fit/two-points", test_two_points);
    g_test_add_func("/fit/magnitudes", test_magnitudes);
    g_test_add_func("/fit/anything", test_anything);
    g_test_add_func("/fit/order", test_order);
    return g_test_run();
}
