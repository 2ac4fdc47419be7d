/* SPDX-License-Identifier: BSD-3-Clause */
/* The chart of a sweep (sweep-chart.h), as its script. */
#include "base/error.h"
#include "tell/sweep-chart.h"

#include <math.h>
#include <string.h>

static guint times_in(const char *text, const char *what)
{
    guint times = 0;
    for (const char *at = text; (at = strstr(at, what)) != NULL; at += strlen(what))
        times++;
    return times;
}

static char *script_of(PsSweepChart *chart)
{
    double height = 0;
    g_autoptr(GError) error = NULL;
    char *script = ps_sweep_chart_script(chart, &height, &error);
    g_assert_no_error(error);
    g_assert_cmpfloat(height, >=, 1);
    return script;
}

static void test_nothing(void)
{
    g_autoptr(PsSweepChart) chart = ps_sweep_chart_new("t", "x");
    g_autoptr(GError) error = NULL;
    double height;
    g_assert_null(ps_sweep_chart_script(chart, &height, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_VALUE);
}

/* Rates, if every point counts operations; times, if one does not. */
static void test_rates(void)
{
    g_autoptr(PsSweepChart) chart = ps_sweep_chart_new("sizes", "n");
    g_assert_cmpstr(ps_sweep_chart_title(chart), ==, "sizes");
    ps_sweep_chart_add(chart, "one", &(PsSweepChartPoint){1, 1e9, 1, 0.5, 1});
    ps_sweep_chart_add(chart, "one", &(PsSweepChartPoint){2, 1e9, 2, 0.5, 2});
    g_autofree char *rates = script_of(chart);
    g_assert_nonnull(strstr(rates, "GFLOP/s"));
    g_assert_nonnull(strstr(rates, "roofline"));
    ps_sweep_chart_add(chart, "two", &(PsSweepChartPoint){1, 0, 1, 0.5, 1});
    g_autofree char *times = script_of(chart);
    g_assert_nonnull(strstr(times, "time (ms)"));
    g_assert_null(strstr(times, "GFLOP/s"));
}

/* Without a roofline the key does not speak of one; a measured time has its own line. */
static void test_key(void)
{
    g_autoptr(PsSweepChart) chart = ps_sweep_chart_new("sizes", "n");
    for (guint i = 1; i <= 3; i++) {
        ps_sweep_chart_add(chart, "first", &(PsSweepChartPoint){i, 1e9, 2, NAN, 2});
        ps_sweep_chart_add(chart, "second", &(PsSweepChartPoint){i, 1e9, 3, NAN, 3});
    }
    g_autofree char *before = script_of(chart);
    g_assert_null(strstr(before, "roofline"));
    g_assert_null(strstr(before, "measured"));
    g_assert_cmpuint(times_in(before, "first"), ==, times_in(before, "second"));
    g_assert_nonnull(strstr(before, "first"));
    ps_sweep_chart_set_measured(chart, 2.5);
    g_autofree char *after = script_of(chart);
    g_assert_nonnull(strstr(after, "measured"));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/sweep-chart/nothing", test_nothing);
    g_test_add_func("/sweep-chart/rates", test_rates);
    g_test_add_func("/sweep-chart/key", test_key);
    return g_test_run();
}
