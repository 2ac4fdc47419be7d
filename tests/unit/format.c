/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers as people read them (tell/format.h). */
#include "tell/format.h"
#include "tell/wrap.h"

#include <string.h>

static void test_cycles(void)
{
    static const struct {
        PsRational cycles;
        const char *exact, *rounded;
    } cases[] = {{{30433967, 4}, "7 608 491.75", "7 608 492"},
                 {{4001, 4}, "1 000.25", "1 000"},
                 {{2001, 2}, "1 000.5", "1 001"},
                 {{3999, 4}, "999.75", "999.8"},
                 {{87, 2}, "43.5", "43.50"},
                 {{40, 3}, "40/3", "13.33"},
                 {{12, 1}, "12", "12"},
                 {{0, 1}, "0", "0"},
                 {{G_MAXINT64, 1}, "9 223 372 036 854 775 807", "9 223 372 036 854 775 807"},
                 {{G_MAXINT64, 2}, "4 611 686 018 427 387 903.5", "4 611 686 018 427 387 904"},
                 {{G_MAXINT64, 4096}, NULL, "2 251 799 813 685 248"}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *exact = ps_format_cycles(cases[i].cycles);
        g_autofree char *rounded = ps_format_rounded_cycles(cases[i].cycles);
        if (cases[i].exact)
            g_assert_cmpstr(exact, ==, cases[i].exact);
        g_assert_cmpstr(rounded, ==, cases[i].rounded);
    }
}

static void test_latencies(void)
{
    static const struct {
        PsRational cycles;
        const char *text;
    } cases[] = {
        {{419991, 1000}, "419.991"}, {{430071, 1024}, "420.0"}, {{1, 4}, "0.25"}, {{7, 1}, "7"},
        {{40, 3}, "13.33"},          {{1, 1024}, "0.0009766"}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = ps_format_latency(cases[i].cycles);
        g_assert_cmpstr(text, ==, cases[i].text);
    }
}

/* Half a width is told with two digits, up to where that would be in tens. */
static void test_intervals(void)
{
    static const struct {
        double seconds, half;
        const char *text;
    } cases[] = {{0.05, 0.002, "50.00 ms +- 2"},     {0.9, 0.0994, "900.0 ms +- 99"},
                 {0.9, 0.0125, "900.0 ms +- 12"},    {0.9, 0.123, "900.0 ms +- 123"},
                 {0.9, 0.00025, "900.0 ms +- 0.25"}, {0.9, 0, "900.0 ms"}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = ps_format_interval(cases[i].seconds, cases[i].half);
        g_assert_cmpstr(text, ==, cases[i].text);
    }
}

/* Five digits of the longest time, at least. */
static void test_scales(void)
{
    static const struct {
        double most;
        const char *unit;
        int decimals;
    } cases[] = {{1, "s", 4},       {0.999, "ms", 2}, {0.1, "ms", 2},    {0.0999, "ms", 3},
                 {0.0100, "ms", 3}, {9e-3, "ms", 4},  {250e-9, "ns", 2}, {1e-12, "ns", 4}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        const PsTimeScale scale = ps_time_scale(cases[i].most);
        g_assert_cmpstr(scale.unit, ==, cases[i].unit);
        g_assert_cmpint(scale.decimals, ==, cases[i].decimals);
    }
}

/* No line is longer than it may be, and none has room for the next word. */
static void test_wrapped(void)
{
    for (guint last = 1; last <= PS_TEXT_WIDTH - 3; last++) {
        g_autofree char *word = g_strnfill(last, 'x');
        g_autofree char *text = g_strdup_printf("one two %s three", word);
        g_autoptr(GString) out = g_string_new(NULL);
        ps_wrap_text(out, "A: ", text);
        g_auto(GStrv) lines = g_strsplit(out->str, "\n", -1);
        for (guint i = 0; lines[i] && lines[i + 1]; i++) {
            const gsize next = strcspn(lines[i + 1] + strspn(lines[i + 1], " "), " ");
            g_assert_cmpuint(strlen(lines[i]), <=, PS_TEXT_WIDTH);
            g_assert_true(next == 0 || strlen(lines[i]) + 1 + next > PS_TEXT_WIDTH);
        }
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/format/cycles", test_cycles);
    g_test_add_func("/format/latencies", test_latencies);
    g_test_add_func("/format/intervals", test_intervals);
    g_test_add_func("/format/scales", test_scales);
    g_test_add_func("/format/wrapped", test_wrapped);
    return g_test_run();
}
