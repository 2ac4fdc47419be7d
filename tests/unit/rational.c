/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Exact fractions: results against values worked out by hand, and every way to leave their range.
 */
#include "base/rational.h"
#include <string.h>

#define MAX64 G_MAXINT64
#define MIN64 G_MININT64

static void assert_is(PsRational a, gint64 num, gint64 den)
{
    g_assert_cmpint(a.num, ==, num);
    g_assert_cmpint(a.den, ==, den);
}

static void assert_parses(const char *text, gint64 num, gint64 den)
{
    PsRational a = {0, 0};
    g_assert_true(ps_rational_parse(text, &a));
    assert_is(a, num, den);
}

static void test_make(void)
{
    PsRational a;
    g_assert_true(ps_rational_make(6, -4, &a));
    assert_is(a, -3, 2);
    g_assert_true(ps_rational_make(0, -7, &a));
    assert_is(a, 0, 1);
    g_assert_true(ps_rational_make(MIN64, MIN64, &a));
    assert_is(a, 1, 1);
    g_assert_true(ps_rational_make(MIN64, 2, &a));
    assert_is(a, MIN64 / 2, 1);
    g_assert_false(ps_rational_make(1, 0, &a));
    g_assert_false(ps_rational_make(MIN64, -1, &a));
    g_assert_false(ps_rational_make(1, MIN64, &a));
}

static void test_parse(void)
{
    assert_parses("12", 12, 1);
    assert_parses("0.25", 1, 4);
    assert_parses("-3.5", -7, 2);
    assert_parses("-0", 0, 1);
    assert_parses("007.50", 15, 2);
    assert_parses("0.123456789", 123456789, 1000000000);
    assert_parses("9223372036854775807", MAX64, 1);
    assert_parses("-9223372036854775808", MIN64, 1);
    assert_parses("9223372036854775807.000000000", MAX64, 1);
}

static void test_parse_bad(void)
{
    static const char *const bad[] = {
        "",
        "-",
        ".",
        "1.",
        ".5",
        "+1",
        " 1",
        "1 ",
        "1e3",
        "0x1",
        "nan",
        "inf",
        "--1",
        "1.-",
        "1,5",
        "1/2",
        "1.2.3",
        "1.0000000000",
        "NaN",
        "1\n",
        "-inf",
        "1_0",
        "\xd9\xa1",
        "9223372036854775808",
        "-9223372036854775809",
        "9223372036854775807.5",
        "99999999999999999999999999999999999999999999999999999999999999"};
    for (guint i = 0; i < G_N_ELEMENTS(bad); i++) {
        PsRational a = {5, 3};
        gboolean taken = ps_rational_parse(bad[i], &a);
        if (taken)
            g_test_message("'%s' was taken for a number", bad[i]);
        g_assert_false(taken);
        assert_is(a, 5, 3);
    }
}

static void test_arithmetic(void)
{
    PsRational a = {1, 6}, b = {-3, 4}, c;
    g_assert_true(ps_rational_add(a, b, &c));
    assert_is(c, -7, 12);
    g_assert_true(ps_rational_sub(a, b, &c));
    assert_is(c, 11, 12);
    g_assert_true(ps_rational_mul(a, b, &c));
    assert_is(c, -1, 8);
    g_assert_true(ps_rational_div(a, b, &c));
    assert_is(c, -2, 9);
    g_assert_false(ps_rational_div(a, PS_RATIONAL_INT(0), &c));
}

static void test_overflow(void)
{
    PsRational max = PS_RATIONAL_INT(MAX64), min = PS_RATIONAL_INT(MIN64);
    PsRational one = PS_RATIONAL_INT(1), small = {1, MAX64}, c;
    g_assert_false(ps_rational_add(max, one, &c));
    g_assert_false(ps_rational_sub(min, one, &c));
    g_assert_false(ps_rational_mul(max, max, &c));
    g_assert_false(ps_rational_mul(min, min, &c));
    g_assert_false(ps_rational_mul(small, small, &c));
    g_assert_false(ps_rational_div(min, PS_RATIONAL_INT(-1), &c));
    g_assert_false(ps_rational_div(max, small, &c));
    g_assert_true(ps_rational_mul(max, small, &c));
    assert_is(c, 1, 1);
    g_assert_true(ps_rational_add(max, min, &c));
    assert_is(c, -1, 1);
    g_assert_true(ps_rational_div(min, min, &c));
    assert_is(c, 1, 1);
}

static void test_compare(void)
{
    PsRational below = {MAX64 - 1, MAX64}, above = {MAX64, MAX64 - 1};
    g_assert_cmpint(ps_rational_cmp(below, above), <, 0);
    g_assert_cmpint(ps_rational_cmp(above, below), >, 0);
    g_assert_cmpint(ps_rational_cmp(above, above), ==, 0);
    g_assert_cmpint(ps_rational_cmp(PS_RATIONAL_INT(MIN64), PS_RATIONAL_INT(MAX64)), <, 0);
}

static void test_round(void)
{
    static const struct {
        PsRational a;
        gint64 floor, ceil;
    } cases[] = {{{7, 2}, 3, 4},    {{-7, 2}, -4, -3},         {{6, 1}, 6, 6},
                 {{-6, 1}, -6, -6}, {{1, MAX64}, 0, 1},        {{-1, MAX64}, -1, 0},
                 {{0, 1}, 0, 0},    {{MIN64, 1}, MIN64, MIN64}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_assert_cmpint(ps_rational_floor(cases[i].a), ==, cases[i].floor);
        g_assert_cmpint(ps_rational_ceil(cases[i].a), ==, cases[i].ceil);
        g_assert_cmpint(ps_rational_is_int(cases[i].a), ==, cases[i].a.den == 1);
    }
}

static void test_common_denominator(void)
{
    gint64 den = 1;
    g_assert_true(ps_rational_common_denominator((PsRational){7, 4}, &den));
    g_assert_cmpint(den, ==, 4);
    g_assert_true(ps_rational_common_denominator((PsRational){-1, 6}, &den));
    g_assert_cmpint(den, ==, 12);
    g_assert_true(ps_rational_common_denominator(PS_RATIONAL_INT(5), &den));
    g_assert_cmpint(den, ==, 12);
    g_assert_false(ps_rational_common_denominator((PsRational){1, MAX64}, &den));
    g_assert_cmpint(den, ==, 12);
    den = MAX64;
    g_assert_true(ps_rational_common_denominator((PsRational){1, MAX64}, &den));
    g_assert_cmpint(den, ==, MAX64);
}

static void test_format(void)
{
    static const struct {
        PsRational a;
        const char *text;
    } cases[] = {{{30433967, 4}, "7608491.75"},
                 {{-1, 4}, "-0.25"},
                 {{0, 1}, "0"},
                 {{1, 3}, "1/3"},
                 {{-7, 30}, "-7/30"},
                 {{1, 1000000000}, "0.000000001"},
                 {{1, 1024}, "0.0009765625"},
                 {{MIN64, 1}, "-9223372036854775808"},
                 {{MAX64, 2}, "4611686018427387903.5"}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = ps_rational_format(cases[i].a);
        g_assert_cmpstr(text, ==, cases[i].text);
    }
    /* 1 / 2^62 has 62 digits after the point, and the last is a 5 */
    g_autofree char *tiny = ps_rational_format((PsRational){1, (gint64)1 << 62});
    g_assert_cmpuint(strlen(tiny), ==, 64);
    g_assert_true(g_str_has_suffix(tiny, "5"));
    g_assert_cmpfloat(ps_rational_to_double((PsRational){-3, 4}), ==, -0.75);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/rational/make", test_make);
    g_test_add_func("/rational/parse", test_parse);
    g_test_add_func("/rational/parse-bad", test_parse_bad);
    g_test_add_func("/rational/arithmetic", test_arithmetic);
    g_test_add_func("/rational/overflow", test_overflow);
    g_test_add_func("/rational/compare", test_compare);
    g_test_add_func("/rational/round", test_round);
    g_test_add_func("/rational/common-denominator", test_common_denominator);
    g_test_add_func("/rational/format", test_format);
    return g_test_run();
}
