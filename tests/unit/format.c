/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers as people read them (tell/format.h). */
#include "tell/format.h"

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

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/format/cycles", test_cycles);
    g_test_add_func("/format/latencies", test_latencies);
    return g_test_run();
}
