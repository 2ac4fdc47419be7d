/* SPDX-License-Identifier: BSD-3-Clause */
/* Series of samples: what is steady, and how wide its interval is. */
#include "sim/engine/steady.h"
#include "tests/help/student.h"

#define SAMPLES 48 /* of which the last 32 count */

/* A series of samples of 100 instructions that take so long each. */
static void fill(PsSteady *steady, const gint64 *times)
{
    PsSteadyPoint point = {0, 0, 0, 0};
    ps_steady_begin(steady, 1, 1, &point);
    for (guint i = 0; i < SAMPLES; i++) {
        point.time += times[i];
        point.work += 100;
        g_assert_true(ps_steady_wants(steady, 1));
        (void)ps_steady_add(steady, &point);
    }
}

static void check_constant(void)
{
    PsSteady steady;
    PsSteadyRate rate;
    gint64 times[SAMPLES];
    for (guint i = 0; i < SAMPLES; i++)
        times[i] = i < 16 ? 1000 + i : 500; /* a warm-up, which does not count */
    fill(&steady, times);
    g_assert_true(ps_steady_rate(&steady, 1e6, FALSE, &rate));
    g_assert_cmpfloat(rate.work, ==, 3200);
    g_assert_cmpfloat(rate.time, ==, 16000);
    g_assert_cmpfloat(rate.half_width, ==, 0);
}

/* Nine of ten intervals of independent samples hold the mean, and they are about as wide as the
 * formula says: s = 10 sqrt(2/3) ticks a sample of 100 instructions. */
static void check_noise(void)
{
    guint inside = 0, steadies = 0;
    double width = 0;
    for (guint32 seed = 1; seed <= 400; seed++) {
        g_autoptr(GRand) rand = g_rand_new_with_seed(seed);
        PsSteady steady;
        PsSteadyRate rate;
        gint64 times[SAMPLES];
        for (guint i = 0; i < SAMPLES; i++)
            times[i] = 500 + 10 * (g_rand_int_range(rand, 0, 3) - 1);
        fill(&steady, times);
        if (!ps_steady_rate(&steady, 3200, FALSE, &rate))
            continue;
        gint64 next = 0;
        for (guint i = 0; i < 32; i++)
            next += 500 + 10 * (g_rand_int_range(rand, 0, 3) - 1);
        inside += fabs((double)next - rate.time) <= rate.half_width;
        width += rate.half_width;
        steadies++;
    }
    g_assert_cmpuint(steadies, >=, 300);
    g_assert_cmpuint(inside * 100, >=, steadies * 95);
    /* 2.04 s sqrt(32 + 32), and more, since the widest of several sizes of batches counts. */
    g_assert_cmpfloat(width / steadies, >, 2.04 * 8.16 * 8);
    g_assert_cmpfloat(width / steadies, <, 2 * 2.04 * 8.16 * 8);
}

/* Upwards and downwards. */
static void check_trend(void)
{
    for (int way = -1; way <= 1; way += 2) {
        PsSteady steady;
        PsSteadyRate rate;
        gint64 times[SAMPLES];
        for (int i = 0; i < SAMPLES; i++)
            times[i] = 500 + way * (i + i % 3);
        fill(&steady, times);
        g_assert_false(ps_steady_rate(&steady, 1e6, FALSE, &rate));
        /* In a hurry it is taken as it is. */
        g_assert_true(ps_steady_rate(&steady, 3200, TRUE, &rate));
        g_assert_cmpfloat(rate.half_width, >, 0);
    }
}

/* Half of the interval of a series of n samples, all alike but for one that took longer: the first
 * or the last one of those that count. */
static double width_of_odd(guint n, gboolean last)
{
    PsSteady steady;
    PsSteadyRate rate;
    guint odd = 0;
    for (guint turn = 0; turn < 2; turn++) {
        PsSteadyPoint point = {0, 0, 0, 0};
        ps_steady_begin(&steady, 1, 1, &point);
        for (guint i = 0; i < n; i++) {
            point.time += turn > 0 && i == odd ? 600 : 500;
            point.work += 100;
            g_assert_true(ps_steady_wants(&steady, 1));
            (void)ps_steady_add(&steady, &point);
        }
        odd = last ? n - 1 : steady.start;
    }
    g_assert_true(ps_steady_rate(&steady, 1e6, TRUE, &rate));
    return rate.half_width;
}

/* Where batches leave samples over, these are the first ones: the last sample is part of some batch
 * of each size, and the fewest batches have the widest interval. */
static void check_last(void)
{
    guint differ = 0;
    for (guint n = 40; n < 60; n++) {
        const double first = width_of_odd(n, FALSE), last = width_of_odd(n, TRUE);
        g_test_message("%u samples: %g, %g", n, first, last);
        g_assert_cmpfloat(last, >=, first * (1 - 1e-9));
        differ += last > first * (1 + 1e-9);
    }
    g_assert_cmpuint(differ, >=, 5);
}

/* Batches of the stretch that counts are all alike, but took longer before that, and get further
 * ahead. */
static void check_change(void)
{
    PsSteady steady;
    PsSteadyRate rate;
    PsSteadyPoint point = {0, 0, 0, 0};
    ps_steady_begin(&steady, 1, 1, &point);
    for (guint i = 0; i < SAMPLES; i++) {
        point.time += i < 8 ? 900 : i < 16 ? 510 : 500;
        point.work += 100;
        point.lead += i < 16 ? 7 : 1;
        (void)ps_steady_wants(&steady, 1);
        (void)ps_steady_add(&steady, &point);
    }
    g_assert_true(ps_steady_rate(&steady, 5000, FALSE, &rate));
    g_assert_cmpfloat(rate.half_width, ==, 0);
    g_assert_cmpfloat_with_epsilon(rate.change, 500, 1e-6);
    g_assert_cmpfloat(rate.ahead, ==, 32);
}

/* Servers that get further behind take so much longer in the end; those that catch up do not. */
static void check_backlog(void)
{
    for (gint64 grows = -10; grows <= 10; grows += 10) {
        PsSteady steady;
        PsSteadyRate rate;
        PsSteadyPoint point = {.backlog = 1000};
        ps_steady_begin(&steady, 1, 1, &point);
        for (guint i = 0; i < SAMPLES; i++) {
            point.time += 500;
            point.work += 100;
            point.backlog += grows;
            (void)ps_steady_wants(&steady, 1);
            (void)ps_steady_add(&steady, &point);
        }
        g_assert_true(ps_steady_rate(&steady, 5000, FALSE, &rate));
        g_assert_cmpfloat(rate.backlog, ==, grows > 0 ? 320 : 0);
    }
}

/* Times scatter by s = 10 sqrt(2/3) ticks a sample, of 100 instructions: t(31) s for 100, and more
 * since the widest of several sizes of batches counts; nothing is known of less than two. */
static void check_scatter(void)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(1);
    PsSteady steady;
    gint64 times[SAMPLES];
    for (guint i = 0; i < SAMPLES; i++)
        times[i] = 500 + 10 * (g_rand_int_range(rand, 0, 3) - 1);
    fill(&steady, times);
    const double of_sample = 10 * ps_steady_scatter(&steady);
    g_assert_cmpfloat(of_sample, >, 0.8 * 2.04 * 8.16);
    g_assert_cmpfloat(of_sample, <, 3 * 2.04 * 8.16);
    ps_steady_begin(&steady, 1, 1, &(PsSteadyPoint){0, 0, 0, 0});
    g_assert_cmpfloat(ps_steady_scatter(&steady), ==, 0);
}

/* A series that is full goes on with larger samples, and measures the same. */
static void check_full(void)
{
    PsSteady steady;
    PsSteadyRate rate;
    PsSteadyPoint point = {0, 0, 0, 0};
    ps_steady_begin(&steady, 1, 1, &point);
    for (guint i = 0; i < 3 * PS_STEADY_SAMPLES; i++) {
        point.time += 7;
        point.work += 2;
        if (ps_steady_wants(&steady, 1))
            (void)ps_steady_add(&steady, &point);
    }
    g_assert_cmpuint(steady.n, <=, PS_STEADY_SAMPLES);
    g_assert_true(ps_steady_rate(&steady, 1e6, FALSE, &rate));
    g_assert_cmpfloat(rate.time, ==, 3.5 * rate.work);
    g_assert_cmpfloat(rate.work, >=, PS_STEADY_SAMPLES);
    /* Samples are as far apart as each other, those that became one, too. */
    const gint64 apart = steady.points[steady.n].work - steady.points[steady.n - 1].work;
    for (guint i = 1; i <= steady.n; i++)
        g_assert_cmpint(steady.points[i].work - steady.points[i - 1].work, ==, apart);
}

/* The interval of a lead that goes up and down is the quantile 0.975 of Student's distribution, to
 * three thousandths, times its standard deviation. */
static void check_student(void)
{
    for (guint n = 4; n <= 200; n += n < 80 ? 1 : 30) {
        PsSteady steady;
        PsSteadyRate rate;
        PsSteadyPoint point = {0, 0, 0, 0};
        ps_steady_begin(&steady, 1, 1, &point);
        for (guint i = 0; i < n; i++) {
            point = (PsSteadyPoint){point.time + 500, point.work + 100, i % 2 ? 1000 : -1000, 0};
            g_assert_true(ps_steady_wants(&steady, 1));
            (void)ps_steady_add(&steady, &point);
        }
        const guint samples = steady.n - steady.start;
        const double mean = samples % 2 ? 1000. / samples : 0;
        const double deviation = sqrt(samples * (1e6 - mean * mean) / (samples - 1));
        g_assert_true(ps_steady_rate(&steady, 100, TRUE, &rate));
        const double quantile = rate.lead / deviation;
        g_test_message("%u samples: %g", samples, quantile);
        g_assert_cmpfloat(student_to(quantile * 0.997, samples - 1), <, 0.475);
        g_assert_cmpfloat(student_to(quantile * 1.003, samples - 1), >, 0.475);
    }
}

/* The interval of further work, where samples go up and down, so that batches of two are alike:
 * that of the mean, which grows with the work, and that of as many batches as it is, with its root.
 */
static void check_width(void)
{
    static const double works[] = {100, 3200, 320000, 1e8};
    PsSteady steady;
    gint64 times[SAMPLES];
    for (guint i = 0; i < SAMPLES; i++)
        times[i] = i % 2 ? 510 : 490;
    fill(&steady, times);
    for (guint i = 0; i < G_N_ELEMENTS(works); i++) {
        PsSteadyRate rate;
        const double work = works[i], deviation = 0.1 * sqrt(32. / 31);
        g_assert_true(ps_steady_rate(&steady, work, FALSE, &rate));
        const double quantile = rate.half_width / deviation / sqrt(work * work / 32 + work * 100);
        g_assert_cmpfloat(student_to(quantile * 0.997, 31), <, 0.475);
        g_assert_cmpfloat(student_to(quantile * 1.003, 31), >, 0.475);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/steady/constant", check_constant);
    g_test_add_func("/steady/noise", check_noise);
    g_test_add_func("/steady/trend", check_trend);
    g_test_add_func("/steady/last", check_last);
    g_test_add_func("/steady/change", check_change);
    g_test_add_func("/steady/backlog", check_backlog);
    g_test_add_func("/steady/scatter", check_scatter);
    g_test_add_func("/steady/full", check_full);
    g_test_add_func("/steady/student", check_student);
    g_test_add_func("/steady/width", check_width);
    return g_test_run();
}
