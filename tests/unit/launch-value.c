/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers as bits of a type of PTX. */
#include "launch/value.h"

#include "base/message.h"

#include <math.h>
#include <string.h>

static void check(PsPtxType type, const char *text, guint64 bits)
{
    g_autoptr(GError) error = NULL;
    guint64 got = 1;
    g_assert_true(ps_value_parse("x", text, type, &got, &error));
    g_assert_no_error(error);
    g_assert_cmphex(got, ==, bits);
}

static void check_wrong(PsPtxType type, const char *text)
{
    g_autoptr(GError) error = NULL;
    guint64 bits;
    g_assert_false(ps_value_parse("x", text, type, &bits, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_USAGE);
}

/* As a number with a sign, or as one without. */
static void test_integers(void)
{
    check(PS_PTX_U32, "0", 0);
    check(PS_PTX_U32, "4294967295", 0xffffffff);
    check_wrong(PS_PTX_U32, "4294967296");
    check(PS_PTX_U32, "-2147483648", 0x80000000);
    check_wrong(PS_PTX_U32, "-2147483649");
    check(PS_PTX_S32, "-1", 0xffffffff);
    check(PS_PTX_U8, "255", 255);
    check_wrong(PS_PTX_U8, "256");
    check(PS_PTX_S8, "-128", 0x80);
    check_wrong(PS_PTX_S8, "-129");
    check(PS_PTX_U16, "0xfFfF", 0xffff);
    check(PS_PTX_U16, "0X10", 16);
    check(PS_PTX_S16, "-0x10", 0xfff0);
    check(PS_PTX_U64, "18446744073709551615", G_MAXUINT64);
    check_wrong(PS_PTX_U64, "18446744073709551616");
    check(PS_PTX_S64, "-9223372036854775808", G_GUINT64_CONSTANT(1) << 63);
    check_wrong(PS_PTX_S64, "-9223372036854775809");
}

static void test_no_integers(void)
{
    static const char *const texts[] = {"",   "-",  "0x",  "2.5",  "1 ",
                                        " 1", "+1", "1e3", "0x1g", "--1"};
    for (guint i = 0; i < G_N_ELEMENTS(texts); i++)
        check_wrong(PS_PTX_S32, texts[i]);
}

/* K, M and G as in sizes of buffers: of 1024, and no more than 64 bits. */
static void test_units(void)
{
    check(PS_PTX_U32, "16M", 16 << 20);
    check(PS_PTX_S32, "-1K", 0xfffffc00);
    check(PS_PTX_U64, "3G", G_GUINT64_CONSTANT(3) << 30);
    check(PS_PTX_U16, "0K", 0);
    check(PS_PTX_F32, "1K", 0x44800000);
    check_wrong(PS_PTX_U32, "4G");
    check_wrong(PS_PTX_U16, "64K");
    check_wrong(PS_PTX_U64, "9007199254740992K");
    static const char *const texts[] = {"M", "-K", "1.5M", "0x1K", "1KB", "1k", "1T", "1 M"};
    for (guint i = 0; i < G_N_ELEMENTS(texts); i++)
        check_wrong(PS_PTX_S64, texts[i]);
}

static void test_floats(void)
{
    check(PS_PTX_F32, "1", 0x3f800000);
    check(PS_PTX_F32, "-2.5", 0xc0200000);
    check(PS_PTX_F32, "1e40", 0x7f800000);
    check(PS_PTX_F64, "0.1", G_GUINT64_CONSTANT(0x3fb999999999999a));
    check_wrong(PS_PTX_F32, "");
    check_wrong(PS_PTX_F32, "1x");
    check_wrong(PS_PTX_F32, " 1");
    check_wrong(PS_PTX_F64, "one");
}

/* To the nearest, ties to even. */
static void test_halves(void)
{
    check(PS_PTX_F16, "1", 0x3c00);
    check(PS_PTX_F16, "-2", 0xc000);
    check(PS_PTX_F16, "1.00048828125", 0x3c00); /* a tie, down */
    check(PS_PTX_F16, "1.00146484375", 0x3c02); /* a tie, up */
    check(PS_PTX_F16, "1.0005", 0x3c01);
    check(PS_PTX_F16, "65504", 0x7bff);
    check(PS_PTX_F16, "65519.9", 0x7bff);
    check(PS_PTX_F16, "65520", 0x7c00);
    check(PS_PTX_F16, "-1e9", 0xfc00);
    check(PS_PTX_F16, "6.103515625e-05", 0x0400); /* the smallest normal number */
    check(PS_PTX_F16, "6.0975551605224609e-05", 0x03ff);
    check(PS_PTX_F16, "5.9604644775390625e-08", 0x0001);
    check(PS_PTX_F16, "2.9802322387695312e-08", 0x0000); /* half of it: to even */
    check(PS_PTX_F16, "-0", 0x8000);
    check(PS_PTX_F16, "nan", 0x7e00);
    check(PS_PTX_F16, "inf", 0x7c00);
}

static void test_brains(void)
{
    check(PS_PTX_BF16, "1", 0x3f80);
    check(PS_PTX_BF16, "1.00390625", 0x3f80); /* a tie, down */
    check(PS_PTX_BF16, "1.01171875", 0x3f82); /* a tie, up */
    check(PS_PTX_BF16, "-3", 0xc040);
    check(PS_PTX_BF16, "3.4e38", 0x7f80);
    check(PS_PTX_BF16, "nan", 0x7fc0);
}

/* What newer compilers write for both: a whole number is one, all else a fraction. */
static void test_either(void)
{
    check(PS_PTX_B32, "1", 1);
    check(PS_PTX_B32, "1.0", 0x3f800000);
    check(PS_PTX_B32, "-1", 0xffffffff);
    check(PS_PTX_B16, "1.", 0x3c00);
    check(PS_PTX_B64, "0.5", G_GUINT64_CONSTANT(0x3fe0000000000000));
    check_wrong(PS_PTX_B32, "x");
}

static void test_no_numbers(void)
{
    check_wrong(PS_PTX_PRED, "1");
    check_wrong(PS_PTX_F16X2, "1");
    check_wrong(PS_PTX_OPAQUE, "1");
}

static void test_messages(void)
{
    g_autoptr(GError) whole = NULL, any = NULL;
    guint64 bits;
    g_assert_false(ps_value_parse("--arg n", "2.5", PS_PTX_U32, &bits, &whole));
    g_assert_cmpstr(whole->message, ==,
                    "--arg n: '2.5' is no whole number of the type .u32 (such as 1000 or 16M), and "
                    "no zero:BYTES, "
                    "ramp:BYTES, random:BYTES or @FILE");
    g_assert_false(ps_value_parse("x", "y", PS_PTX_F32, &bits, &any));
    g_assert_cmpstr(
        any->message, ==,
        "x: 'y' is no number of the type .f32 (such as 2.5), and no zero:BYTES, ramp:BYTES, "
        "random:BYTES or @FILE");
}

static void test_kinds(void)
{
    for (PsPtxType type = PS_PTX_NO_TYPE; type < PS_PTX_N_TYPES; type++) {
        const gboolean is_float =
            type == PS_PTX_F16 || type == PS_PTX_BF16 || type == PS_PTX_F32 || type == PS_PTX_F64;
        const gboolean is_integer = (type >= PS_PTX_U8 && type <= PS_PTX_S64) || type == PS_PTX_B8;
        g_assert_cmpint(ps_value_is_float(type), ==, is_float);
        g_assert_cmpint(ps_value_is_element(type), ==, is_float || is_integer);
    }
}

/* What 16 bits without a sign are: a half, or the upper half of a single. */
static double value_of(PsPtxType type, guint bits)
{
    const guint places = type == PS_PTX_F16 ? 10 : 7, bias = type == PS_PTX_F16 ? 15 : 127;
    const int exponent = (int)(bits >> places);
    const guint fraction = bits & ((1U << places) - 1);
    return exponent == 0 ? ldexp(fraction, 1 - (int)(bias + places))
                         : ldexp(fraction + (1U << places), exponent - (int)(bias + places));
}

/* Each number of 16 bits is itself, with either sign; what is between two is the nearer one, and
 * halfway the even one. What is halfway to the number behind the last is infinite. */
static void test_rounding(void)
{
    static const PsPtxType types[] = {PS_PTX_F16, PS_PTX_BF16};
    for (guint t = 0; t < G_N_ELEMENTS(types); t++) {
        const PsPtxType type = types[t];
        const guint infinite = type == PS_PTX_F16 ? 0x7c00 : 0x7f80;
        for (guint bits = 0; bits < infinite; bits++) {
            const double value = value_of(type, bits), next = value_of(type, bits + 1);
            const double middle = (value + next) / 2, quarter = (next - value) / 4;
            const guint even = bits % 2 ? bits + 1 : bits;
            g_assert_cmphex(ps_value_float_bits(value, type), ==, bits);
            g_assert_cmphex(ps_value_float_bits(-value, type), ==, 0x8000 | bits);
            g_assert_cmphex(ps_value_float_bits(middle, type), ==, even);
            g_assert_cmphex(ps_value_float_bits(middle - quarter, type), ==, bits);
            g_assert_cmphex(ps_value_float_bits(middle + quarter, type), ==, bits + 1);
            g_assert_cmphex(ps_value_float_bits(-middle, type), ==, 0x8000 | even);
        }
        g_assert_cmphex(ps_value_float_bits(INFINITY, type), ==, infinite);
        g_assert_cmphex(ps_value_float_bits(-INFINITY, type), ==, 0x8000 | infinite);
        g_assert_cmphex(ps_value_float_bits(NAN, type) & 0x7fff, >, infinite);
    }
}

/* A number that is none stays that, whichever of its bits are left. */
static void test_nan(void)
{
    for (guint place = 0; place < 23; place++) {
        const guint32 bits = 0x7f800000 | 1U << place;
        float single;
        memcpy(&single, &bits, sizeof single);
        g_assert_cmphex(ps_value_float_bits((double)single, PS_PTX_BF16) & 0x7fff, >, 0x7f80);
        g_assert_cmphex(ps_value_float_bits((double)single, PS_PTX_F16) & 0x7fff, >, 0x7c00);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/launch/value/integers", test_integers);
    g_test_add_func("/launch/value/no-integers", test_no_integers);
    g_test_add_func("/launch/value/floats", test_floats);
    g_test_add_func("/launch/value/halves", test_halves);
    g_test_add_func("/launch/value/brains", test_brains);
    g_test_add_func("/launch/value/either", test_either);
    g_test_add_func("/launch/value/no-numbers", test_no_numbers);
    g_test_add_func("/launch/value/messages", test_messages);
    g_test_add_func("/launch/value/kinds", test_kinds);
    g_test_add_func("/launch/value/units", test_units);
    g_test_add_func("/launch-value/rounding", test_rounding);
    g_test_add_func("/launch-value/nan", test_nan);
    return g_test_run();
}
