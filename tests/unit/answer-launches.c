/* SPDX-License-Identifier: BSD-3-Clause */
/* What launches take together. */
#include "answer/launches.h"

#include <math.h>

static void check(const PsLaunchTime *time, double total, double half_width, double share)
{
    g_assert_cmpfloat(time->total, ==, total);
    g_assert_cmpfloat(time->total_half_width, ==, half_width);
    g_assert_cmpfloat(time->share, ==, share);
}

static void test_sum(void)
{
    PsLaunchTime times[] = {{.count = 3, .seconds = 2, .half_width = 0.25},
                            {.count = 1, .seconds = 8, .half_width = 0.5},
                            {.count = 2, .seconds = 1}};
    const PsLaunchTime all = ps_launch_times_add_up(times, 3);
    check(&times[0], 6, 0.75, 0.375);
    check(&times[1], 8, 0.5, 0.5);
    check(&times[2], 2, 0, 0.125);
    check(&all, 16, 1.25, 1);
    g_assert_cmpint(all.count, ==, 6);
    g_assert_cmpfloat(all.seconds, ==, 16.0 / 6);
    g_assert_cmpfloat(all.half_width, ==, 1.25 / 6);
}

/* Shares of no time are not known. */
static void test_nothing(void)
{
    PsLaunchTime times[] = {{.count = 3}};
    const PsLaunchTime all = ps_launch_times_add_up(times, 1);
    g_assert_true(isnan(times[0].share) && isnan(all.share));
    g_assert_cmpfloat(all.total, ==, 0);
    g_assert_cmpfloat(all.seconds, ==, 0);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/answer/launches/sum", test_sum);
    g_test_add_func("/answer/launches/nothing", test_nothing);
    return g_test_run();
}
