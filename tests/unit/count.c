/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers with a unit behind them: values worked out by hand, and what is no such number. */
#include "base/count.h"

static void test_counts(void)
{
    static const struct {
        const char *text;
        guint64 count;
    } cases[] = {{"0", 0},
                 {"4K", 4096},
                 {"10M", 10485760},
                 {"3G", G_GUINT64_CONSTANT(3) << 30},
                 {"8589934591G", G_GUINT64_CONSTANT(8589934591) << 30},
                 {"9223372036854775807", G_MAXINT64}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        guint64 count = 1;
        PsRational number = {0, 0};
        g_assert_true(ps_count_parse(cases[i].text, &count));
        g_assert_cmpuint(count, ==, cases[i].count);
        g_assert_true(ps_count_parse_rational(cases[i].text, &number));
        g_assert_cmpint(number.num, ==, (gint64)cases[i].count);
        g_assert_cmpint(number.den, ==, 1);
    }
}

static void test_no_counts(void)
{
    static const char *const none[] = {
        "8589934592G", "9223372036854775808", "K", "", "4k", "-1K", "0x10K", "4KB", "1.5M", "4 K"};
    for (guint i = 0; i < G_N_ELEMENTS(none); i++) {
        guint64 count = 0;
        PsRational number = {0, 0};
        g_assert_false(ps_count_parse(none[i], &count));
        g_assert_false(ps_count_parse_rational(none[i], &number));
    }
}

static void test_fractions(void)
{
    guint64 count = 0;
    PsRational number = {0, 0};
    g_assert_false(ps_count_parse("-2.5", &count));
    g_assert_true(ps_count_parse_rational("-2.5", &number));
    g_assert_cmpint(number.num, ==, -5);
    g_assert_cmpint(number.den, ==, 2);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/count/counts", test_counts);
    g_test_add_func("/count/no-counts", test_no_counts);
    g_test_add_func("/count/fractions", test_fractions);
    return g_test_run();
}
