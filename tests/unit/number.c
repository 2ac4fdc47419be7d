/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers and units as profilers print them, and what is none. */
#include "roofline/import/import.h"

#include <math.h>

static void assert_number(const char *text, double value, const char *unit)
{
    PsNumber number = {NAN, ""};
    const char *why = NULL;
    g_assert_cmpint(ps_number_parse(text, FALSE, &number, &why), ==, PS_NUMBER_OK);
    g_assert_cmpfloat(number.value, ==, value);
    g_assert_cmpstr(number.unit, ==, unit);
}

static void assert_bad(const char *text, const char *expected)
{
    PsNumber number;
    const char *why = NULL;
    g_assert_cmpint(ps_number_parse(text, FALSE, &number, &why), ==, PS_NUMBER_BAD);
    g_assert_cmpstr(why, ==, expected);
}

static void test_numbers(void)
{
    assert_number("0", 0, "");
    assert_number("007", 7, "");
    assert_number("4377483000", 4377483000.0, "");
    assert_number("53,261,312", 53261312, "");
    assert_number("1,000.50", 1000.5, "");
    assert_number("1 000", 1000, "");
    assert_number("1'000", 1000, "");
    assert_number("12,943,820,224.72", 12943820224.72, "");
    assert_number("0.589015", 0.589015, "");
    assert_number(".5", 0.5, "");
    assert_number("5.", 5, "");
    assert_number("1e3", 1000, "");
    assert_number("1.5E-2", 0.015, "");
    assert_number("-3", -3, "");
    assert_number(" 3 ", 3, "");
    assert_number("22.30%", 22.3, "%");
    assert_number("44.02GB/s", 44.02, "GB/s");
    assert_number("1.5 Kbyte", 1.5, "Kbyte");
    assert_number("2e", 2, "e");
    assert_number("18446744073709551616", 18446744073709551616.0, "");
}

static void test_missing(void)
{
    static const char *const missing[] = {"n/a",      "N/A",  "(!) n/a",   "(!) nan",   "(!)nan",
                                          "(!) -nan", "nan",  "NaN",       "-nan(ind)", "(!) inf",
                                          "inf",      "-inf", "<OVERFLOW>"};
    PsNumber number;
    const char *why;
    for (guint i = 0; i < G_N_ELEMENTS(missing); i++)
        g_assert_cmpint(ps_number_parse(missing[i], i % 2, &number, &why), ==, PS_NUMBER_MISSING);
}

static void test_bad(void)
{
    static const char threes[] =
        "is no number: digits go in threes between commas, and a point is before decimals";
    assert_bad("", "is empty where a number is due");
    assert_bad(" ", "is no number");
    assert_bad("-", "is no number");
    assert_bad(".", "is no number");
    assert_bad("(!) 3", "is no number");
    assert_bad("nano", "is no number");
    assert_bad("Low (3)", "is no number");
    assert_bad("info", "is no number");
    assert_bad("OVERFLOW", "is no number");
    assert_bad("1e400", "is too large for a number");
    assert_bad("12,34", threes);
    assert_bad("1,2345", threes);
    assert_bad("1234,567", threes);
    assert_bad("53.261.312", threes);
    assert_bad("1_000", threes);
    assert_bad(",123", "is no number");
    g_autofree char *digits = g_strnfill(100, '9');
    assert_bad(digits, "is no number");
}

static void test_units(void)
{
    static const struct {
        PsUnit unit;
        const char *name;
        double scale;
    } cases[] = {
        {PS_UNIT_SECONDS, "second", 1},
        {PS_UNIT_SECONDS, "s", 1},
        {PS_UNIT_SECONDS, "msecond", 1e-3},
        {PS_UNIT_SECONDS, "ms", 1e-3},
        {PS_UNIT_SECONDS, "usecond", 1e-6},
        {PS_UNIT_SECONDS, "us", 1e-6},
        {PS_UNIT_SECONDS, "\xc2\xb5s", 1e-6},
        {PS_UNIT_SECONDS, "nsecond", 1e-9},
        {PS_UNIT_SECONDS, "ns ", 1e-9},
        {PS_UNIT_SECONDS, "", NAN},
        {PS_UNIT_SECONDS, "byte", NAN},
        {PS_UNIT_SECONDS, "cycle", NAN},
        {PS_UNIT_BYTES, "", 1},
        {PS_UNIT_BYTES, "byte", 1},
        {PS_UNIT_BYTES, "B", 1},
        {PS_UNIT_BYTES, "Kbyte", 1e3},
        {PS_UNIT_BYTES, "KB", 1e3},
        {PS_UNIT_BYTES, "Mbyte", 1e6},
        {PS_UNIT_BYTES, "MB", 1e6},
        {PS_UNIT_BYTES, "Gbyte", 1e9},
        {PS_UNIT_BYTES, "GiB", 1073741824},
        {PS_UNIT_BYTES, "Tbyte", 1e12},
        {PS_UNIT_BYTES, "GB/s", NAN},
        {PS_UNIT_BYTES, "byte/second", NAN},
        {PS_UNIT_BYTES, "sector", NAN},
        {PS_UNIT_BYTES, "%", NAN},
        {PS_UNIT_COUNT, "", 1},
        {PS_UNIT_COUNT, "inst", 1},
        {PS_UNIT_COUNT, "Kinst", 1e3},
        {PS_UNIT_COUNT, "Minst", 1e6},
        {PS_UNIT_COUNT, "sector", 1},
        {PS_UNIT_COUNT, "wavefront", 1},
        {PS_UNIT_COUNT, "%", NAN},
        {PS_UNIT_COUNT, "inst/cycle", NAN},
        {PS_UNIT_COUNT, "byte", NAN},
        {PS_UNIT_COUNT, "ns", NAN},
        {PS_UNIT_COUNT, "Kwavefront", NAN},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        const double scale = ps_unit_scale(cases[i].unit, cases[i].name);
        g_test_message("%s", cases[i].name);
        if (isnan(cases[i].scale))
            g_assert_true(isnan(scale));
        else
            g_assert_cmpfloat(scale, ==, cases[i].scale);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/number/numbers", test_numbers);
    g_test_add_func("/number/missing", test_missing);
    g_test_add_func("/number/bad", test_bad);
    g_test_add_func("/number/units", test_units);
    return g_test_run();
}
