/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The estimates that the fit rests on, on noise whose deviation is known: each gives that, whether
 * repeats are few or many, warps are even or not, and some points are outliers.
 */
#include "latency-bench/fit/curve.h"

#include <math.h>

enum { DRAWS = 400, OF_ONE = 40 };

#define SIGMA 0.03

/* A number of the normal distribution. */
static double normal(GRand *random)
{
    const double u = 1 - g_rand_double(random), v = g_rand_double(random);
    return sqrt(-2 * log(u)) * cos(2 * G_PI * v);
}

static void assert_near(const char *what, double is, double wanted, double share)
{
    g_test_message("%s: %g beside %g", what, is, wanted);
    g_assert_cmpfloat(fabs(is - wanted), <, share * wanted);
}

/* Points of so many launches, each with so many repeats, whose means differ by a deviation, too. */
static PsCurve draw(GRand *random, guint launches, guint repeats, double of_launch)
{
    PsCurve curve = {g_new0(PsCurvePoint, (gsize)launches * repeats), launches * repeats};
    for (guint i = 0; i < launches; i++) {
        const double mean = of_launch * normal(random);
        for (guint k = 0; k < repeats; k++)
            curve.points[i * repeats + k] =
                (PsCurvePoint){.warps = i + 1, .ilp = 1, .y = mean + SIGMA * normal(random)};
    }
    return curve;
}

/* ---- deviations ----------------------------------------------------------------------------- */

/* Parameters that were fitted take residuals away, which counts. */
static void test_residuals(void)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(1);
    double residuals[OF_ONE], sum = 0;
    for (guint d = 0; d < DRAWS; d++) {
        for (guint i = 0; i < OF_ONE; i++)
            residuals[i] = SIGMA * normal(random);
        sum += ps_robust_scale(residuals, OF_ONE, 0);
    }
    assert_near("residuals", sum / DRAWS, SIGMA, 0.03);
    assert_near("of four parameters", ps_robust_scale(residuals, OF_ONE, 4),
                ps_robust_scale(residuals, OF_ONE, 0) * sqrt(40.0 / 36), 1e-9);
    g_assert_cmpfloat(ps_robust_scale(residuals, 4, 4), ==, 0);
}

/* Few repeats are compared with each other, many with their median, on which one of nine lies. What
 * launches differ by does not count. */
static void test_repeats(void)
{
    static const struct {
        guint repeats;
        double share;
    } cases[] = {{2, 0.03}, {3, 0.03}, {8, 0.03}, {9, 0.16}, {40, 0.04}};
    g_autoptr(GRand) random = g_rand_new_with_seed(2);
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        double sum = 0;
        for (guint d = 0; d < DRAWS; d++) {
            const PsCurve curve = draw(random, 20, cases[i].repeats, 1);
            sum += ps_repeat_scale(&curve);
            g_free(curve.points);
        }
        g_autofree char *what = g_strdup_printf("%u repeats", cases[i].repeats);
        assert_near(what, sum / DRAWS, SIGMA, cases[i].share);
    }
    const PsCurve few = draw(random, 5, 2, 1), more = draw(random, 6, 2, 1);
    g_assert_true(isnan(ps_repeat_scale(&few)));
    g_assert_false(isnan(ps_repeat_scale(&more)));
    g_free(few.points);
    g_free(more.points);
}

/* A line over the logarithms of warps, of which each second one is nearer to the one before it or
 * to the one behind. */
static void test_neighbours(void)
{
    static const gint64 warps[][12] = {{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048},
                                       {8, 9, 16, 18, 32, 36, 64, 72, 128, 144, 256, 288},
                                       {8, 15, 16, 30, 32, 60, 64, 120, 128, 240, 256, 480}};
    g_autoptr(GRand) random = g_rand_new_with_seed(3);
    for (guint i = 0; i < G_N_ELEMENTS(warps); i++) {
        PsCurvePoint points[4 * 12];
        const PsCurve curve = {points, G_N_ELEMENTS(points)};
        double sum = 0;
        for (guint d = 0; d < DRAWS; d++) {
            for (guint k = 0; k < curve.n; k++) {
                const gint64 w = warps[i][k % 12];
                points[k] = (PsCurvePoint){.warps = w,
                                           .ilp = k / 12 + 1,
                                           .y = 2 * log((double)w) + SIGMA * normal(random)};
            }
            sum += ps_neighbour_scale(&curve);
        }
        assert_near("neighbours", sum / DRAWS, SIGMA, 0.04);
    }
}

/* ---- spread --------------------------------------------------------------------------------- */

/* Biweights take a twentieth more than the variance. Outliers are as many as there are, and change
 * little. */
static void test_variance(void)
{
    enum { LAUNCHES = 100 };
    g_autoptr(GRand) random = g_rand_new_with_seed(4);
    for (guint outliers = 0; outliers <= 10; outliers += 5) {
        double variance = 0;
        for (guint d = 0; d < DRAWS; d++) {
            const PsCurve curve = draw(random, LAUNCHES, 1, 0);
            double residuals[LAUNCHES];
            PsSpread spread;
            for (guint i = 0; i < LAUNCHES; i++)
                residuals[i] = curve.points[i].y + (i < outliers ? 50 * SIGMA : 0);
            ps_spread(&curve, residuals, SIGMA, 0, &spread);
            g_assert_cmpuint(spread.outliers, ==, outliers);
            g_assert_cmpuint(spread.freedom, ==, LAUNCHES - outliers);
            variance += spread.variance;
            g_free(curve.points);
        }
        assert_near("variance", variance / DRAWS, 1.05 * SIGMA * SIGMA, 0.05);
    }
}

/* Means over repeats that vary as repeats explain are told as that in nearly all draws; those of
 * launches that differ vary as many times more as follows from both deviations. */
static void test_inflation(void)
{
    static const double of_launch[] = {0, 0.5, 2};
    enum { LAUNCHES = 30, REPEATS = 5 };
    g_autoptr(GRand) random = g_rand_new_with_seed(5);
    for (guint i = 0; i < G_N_ELEMENTS(of_launch); i++) {
        const double by = of_launch[i] * of_launch[i];
        double sum = 0;
        guint none = 0;
        for (guint d = 0; d < DRAWS; d++) {
            const PsCurve curve = draw(random, LAUNCHES, REPEATS, of_launch[i] * SIGMA);
            double residuals[LAUNCHES * REPEATS];
            PsSpread spread;
            for (guint k = 0; k < curve.n; k++)
                residuals[k] = curve.points[k].y;
            ps_spread(&curve, residuals, SIGMA * sqrt(1 + by), 0, &spread);
            sum += spread.inflation;
            none += spread.inflation == 1;
            g_free(curve.points);
        }
        g_test_message("launches differ by %g: %u of %u without", of_launch[i], none, DRAWS);
        if (by == 0)
            g_assert_cmpuint(100 * none, >=, 95 * DRAWS);
        else
            assert_near("inflation", sum / DRAWS, (1 + REPEATS * by) / (1 + by), 0.1);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/fit-robust/residuals", test_residuals);
    g_test_add_func("/fit-robust/repeats", test_repeats);
    g_test_add_func("/fit-robust/neighbours", test_neighbours);
    g_test_add_func("/fit-robust/variance", test_variance);
    g_test_add_func("/fit-robust/inflation", test_inflation);
    return g_test_run();
}
