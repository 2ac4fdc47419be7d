/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Integer instructions of PTX against exact arithmetic on 128 bits, cut to the result's size.
 */
#include "tests/help/ptx-rows.h"
#include <string.h>

__extension__ typedef __int128 Big;
__extension__ typedef unsigned __int128 UnsignedBig;

#define ROWS 1500

/* Operands of a case: a, b and c as exact numbers; bits of the type. */
typedef Big (*Exact)(Big a, Big b, Big c, guint bits);

static Big add(Big a, Big b, Big c, guint bits)
{
    (void)c, (void)bits;
    return a + b;
}

static Big sub(Big a, Big b, Big c, guint bits)
{
    (void)c, (void)bits;
    return a - b;
}

static Big mul(Big a, Big b, Big c, guint bits)
{
    (void)c, (void)bits;
    return (Big)((UnsignedBig)a * (UnsignedBig)b);
}

static Big mad(Big a, Big b, Big c, guint bits)
{
    return mul(a, b, c, bits) + c;
}

/* Bits above the lower half, which for two unsigned numbers of 64 bits take all of 128. */
static Big mul_hi(Big a, Big b, Big c, guint bits)
{
    Big product = mul(a, b, c, bits);
    return a >= 0 && b >= 0 ? (Big)((UnsignedBig)product >> bits) : product >> bits;
}

static Big mad_hi(Big a, Big b, Big c, guint bits)
{
    return mul_hi(a, b, c, bits) + c;
}

static Big mul24(Big a, Big b, Big c, guint bits)
{
    (void)c, (void)bits;
    return a * b;
}

static Big least(Big a, Big b, Big c, guint bits)
{
    (void)c, (void)bits;
    return MIN(a, b);
}

static Big greatest(Big a, Big b, Big c, guint bits)
{
    (void)c, (void)bits;
    return MAX(a, b);
}

static Big sad(Big a, Big b, Big c, guint bits)
{
    (void)bits;
    return c + (a > b ? a - b : b - a);
}

static Big divide(Big a, Big b, Big c, guint bits)
{
    (void)c, (void)bits;
    return b == 0 ? -1 : a / b;
}

static Big remainder_of(Big a, Big b, Big c, guint bits)
{
    (void)c, (void)bits;
    return b == 0 ? a : a % b;
}

static Big negative(Big a, Big b, Big c, guint bits)
{
    (void)b, (void)c, (void)bits;
    return -a;
}

static Big absolute(Big a, Big b, Big c, guint bits)
{
    (void)b, (void)c, (void)bits;
    return a < 0 ? -a : a;
}

static const struct {
    const char *name;
    guint n, wide; /* wide: the result, and c, have twice the bits */
    const char *types;
    Exact exact;
} cases[] = {
    {"add", 2, 0, "u16 u32 u64 s16 s32 s64", add},
    {"sub", 2, 0, "u16 u32 u64 s16 s32 s64", sub},
    {"mul.lo", 2, 0, "u16 u32 u64 s16 s32 s64", mul},
    {"mul.hi", 2, 0, "u16 u32 u64 s16 s32 s64", mul_hi},
    {"mul.wide", 2, 1, "u16 u32 s16 s32", mul},
    {"mad.lo", 3, 0, "u16 u32 u64 s16 s32 s64", mad},
    {"mad.hi", 3, 0, "u16 u32 u64 s16 s32 s64", mad_hi},
    {"mad.wide", 3, 1, "u16 u32 s16 s32", mad},
    {"min", 2, 0, "u16 u32 u64 s16 s32 s64", least},
    {"max", 2, 0, "u16 u32 u64 s16 s32 s64", greatest},
    {"sad", 3, 0, "u16 u32 u64 s16 s32 s64", sad},
    {"div", 2, 0, "u16 u32 u64 s16 s32 s64", divide},
    {"rem", 2, 0, "u16 u32 u64 s16 s32 s64", remainder_of},
    {"neg", 1, 0, "s16 s32 s64", negative},
    {"abs", 1, 0, "s16 s32 s64", absolute},
};

static Big number(guint64 bits, guint n_bits, gboolean is_signed)
{
    Big value = bits & (G_MAXUINT64 >> (64 - n_bits));
    if (is_signed && value >> (n_bits - 1) != 0)
        value -= (Big)1 << n_bits;
    return value;
}

static guint64 cut(Big value, guint bits)
{
    return (guint64)value & (G_MAXUINT64 >> (64 - bits));
}

static Big clamp(Big value, guint bits, gboolean is_signed)
{
    Big most = ((Big)1 << (bits - (is_signed ? 1 : 0))) - 1;
    Big lowest = is_signed ? -most - 1 : 0;
    return value < lowest ? lowest : value > most ? most : value;
}

static char letter(guint bits)
{
    return "hrd"[bits / 32];
}

static void check_type(gsize i, const char *type)
{
    gboolean is_signed = type[0] == 's';
    guint bits = (guint)g_ascii_strtoull(type + 1, NULL, 10);
    guint result = bits << cases[i].wide;
    char to[2] = {letter(result), '\0'};
    char from[4] = {letter(bits), letter(bits), letter(result), '\0'};
    guint n = cases[i].n;
    from[n] = '\0';
    static const char *const sources[] = {"", "a0", "a0, a1", "a0, a1, a2"};
    g_autofree char *body = g_strdup_printf("%s.%s z0, %s;", cases[i].name, type, sources[n]);
    g_autofree guint64 *in = ptx_rows(ROWS, from, (guint32)i);
    g_autofree guint64 *out = g_new0(guint64, ROWS);
    if (!ptx_run(body, to, from, ROWS, in, out))
        return;
    for (guint row = 0; row < ROWS; row++) {
        const guint64 *at = &in[row * n];
        Big want = cases[i].exact(number(at[0], bits, is_signed),
                                  n > 1 ? number(at[1], bits, is_signed) : 0,
                                  n > 2 ? number(at[2], result, is_signed) : 0, bits);
        if (!ptx_same(body, n, at, out[row], cut(want, result)))
            return;
    }
}

static void test_exact(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_auto(GStrv) types = g_strsplit(cases[i].types, " ", -1);
        for (guint j = 0; types[j] != NULL; j++)
            check_type(i, types[j]);
    }
}

static guint64 add_sat(const guint64 *in, gint option)
{
    (void)option;
    return cut(clamp(number(in[0], 32, TRUE) + number(in[1], 32, TRUE), 32, TRUE), 32);
}

static guint64 sub_sat(const guint64 *in, gint option)
{
    (void)option;
    return cut(clamp(number(in[0], 32, TRUE) - number(in[1], 32, TRUE), 32, TRUE), 32);
}

static guint64 add_sat_u(const guint64 *in, gint option)
{
    (void)option;
    return cut(clamp(number(in[0], 32, FALSE) + number(in[1], 32, FALSE), 32, FALSE), 32);
}

static guint64 mad_hi_sat(const guint64 *in, gint option)
{
    (void)option;
    Big high = number(in[0], 32, TRUE) * number(in[1], 32, TRUE) >> 32;
    return cut(clamp(high + number(in[2], 32, TRUE), 32, TRUE), 32);
}

static guint64 mad24_hi_sat(const guint64 *in, gint option)
{
    (void)option;
    Big high = number(in[0], 24, TRUE) * number(in[1], 24, TRUE) >> 16;
    return cut(clamp(high + number(in[2], 32, TRUE), 32, TRUE), 32);
}

static guint64 mul24_lo_u(const guint64 *in, gint option)
{
    (void)option;
    return cut(mul24(number(in[0], 24, FALSE), number(in[1], 24, FALSE), 0, 32), 32);
}

static guint64 mul24_hi_s(const guint64 *in, gint option)
{
    (void)option;
    return cut(mul24(number(in[0], 24, TRUE), number(in[1], 24, TRUE), 0, 32) >> 16, 32);
}

static guint64 mad24_lo_s(const guint64 *in, gint option)
{
    (void)option;
    return cut(number(in[0], 24, TRUE) * number(in[1], 24, TRUE) + number(in[2], 32, TRUE), 32);
}

static guint64 dot(const guint64 *in, guint n, gboolean signed_a, gboolean signed_b, guint first)
{
    Big sum = (Big)in[2];
    for (guint i = 0; i < n; i++)
        sum += number(in[0] >> (i * 32 / n), 32 / n, signed_a) *
               number(in[1] >> ((first + i) * 8), 8, signed_b);
    return cut(sum, 32);
}

static guint64 dp4a_uu(const guint64 *in, gint option)
{
    (void)option;
    return dot(in, 4, FALSE, FALSE, 0);
}

static guint64 dp4a_su(const guint64 *in, gint option)
{
    (void)option;
    return dot(in, 4, TRUE, FALSE, 0);
}

static guint64 dp2a_lo_ss(const guint64 *in, gint option)
{
    (void)option;
    return dot(in, 2, TRUE, TRUE, 0);
}

static guint64 dp2a_hi_us(const guint64 *in, gint option)
{
    (void)option;
    return dot(in, 2, FALSE, TRUE, 2);
}

/* Both halves of a pair, as `make` computes one of them. */
static guint64 pair(const guint64 *in, gboolean is_signed, Exact make, gboolean sat, gboolean relu)
{
    guint64 result = 0;
    for (guint shift = 0; shift < 32; shift += 16) {
        Big value = make(number(in[0] >> shift, 16, is_signed),
                         number(in[1] >> shift, 16, is_signed), 0, 16);
        if (sat)
            value = clamp(value, 16, is_signed);
        if (relu && value < 0)
            value = 0;
        result |= cut(value, 16) << shift;
    }
    return result;
}

static guint64 add_s16x2(const guint64 *in, gint option)
{
    (void)option;
    return pair(in, TRUE, add, FALSE, FALSE);
}

static guint64 add_sat_s16x2(const guint64 *in, gint option)
{
    (void)option;
    return pair(in, TRUE, add, TRUE, FALSE);
}

static guint64 min_s16x2(const guint64 *in, gint option)
{
    (void)option;
    return pair(in, TRUE, least, FALSE, FALSE);
}

static guint64 max_u16x2(const guint64 *in, gint option)
{
    (void)option;
    return pair(in, FALSE, greatest, FALSE, FALSE);
}

static guint64 max_relu_s16x2(const guint64 *in, gint option)
{
    (void)option;
    return pair(in, TRUE, greatest, FALSE, TRUE);
}

static guint64 min_relu_s32(const guint64 *in, gint option)
{
    (void)option;
    Big value = MIN(number(in[0], 32, TRUE), number(in[1], 32, TRUE));
    return cut(MAX(value, 0), 32);
}

/* Parts of a word: `parts` of them, as a video instruction combines them. */
static guint64 video(const guint64 *in, guint parts, gboolean is_signed, Exact make, gboolean sat)
{
    guint bits = 32 / parts;
    guint64 result = 0;
    for (guint i = 0; i < parts; i++) {
        Big value = make(number(in[0] >> (i * bits), bits, is_signed),
                         number(in[1] >> (i * bits), bits, is_signed), 0, bits);
        result |= cut(sat ? clamp(value, bits, is_signed) : value, bits) << (i * bits);
    }
    return result;
}

static Big difference(Big a, Big b, Big c, guint bits)
{
    (void)c, (void)bits;
    return a > b ? a - b : b - a;
}

static guint64 vadd_sat(const guint64 *in, gint option)
{
    return video(in, (guint)option, TRUE, add, TRUE);
}

static guint64 vsub_wrap(const guint64 *in, gint option)
{
    return video(in, (guint)option, FALSE, sub, FALSE);
}

static guint64 vabsdiff(const guint64 *in, gint option)
{
    return video(in, (guint)option, FALSE, difference, FALSE);
}

/* The sum of all four differences and a third source. */
static guint64 vabsdiff_sum(const guint64 *in, gint option)
{
    (void)option;
    guint64 four = video(in, 4, FALSE, difference, FALSE);
    return cut((Big)in[2] + (four & 255) + (four >> 8 & 255) + (four >> 16 & 255) + (four >> 24),
               32);
}

static guint64 vmax_then_min(const guint64 *in, gint option)
{
    (void)option;
    Big value = MAX(number(in[0], 32, TRUE), number(in[1], 32, TRUE));
    return cut(MIN(value, number(in[2], 32, TRUE)), 32);
}

static guint64 vset_less(const guint64 *in, gint parts)
{
    guint bits = 32 / (guint)parts;
    guint64 result = 0;
    for (guint i = 0; i < (guint)parts; i++) {
        Big a = number(in[0] >> (i * bits), bits, FALSE);
        result |= (guint64)(a < number(in[1] >> (i * bits), bits, FALSE)) << (i * bits);
    }
    return result;
}

static guint64 vshl_clamp(const guint64 *in, gint option)
{
    (void)option;
    return in[1] > 31 ? 0 : cut((Big)in[0] << in[1], 32);
}

static const PtxCase single[] = {
    {"vadd.s32.s32.s32.sat z0, a0, a1;", "r", "rr", vadd_sat, 1},
    {"vadd2.s32.s32.s32.sat z0, a0, a1, a0;", "r", "rr", vadd_sat, 2},
    {"vadd4.s32.s32.s32.sat z0, a0, a1, a0;", "r", "rr", vadd_sat, 4},
    {"vsub.u32.u32.u32 z0, a0, a1;", "r", "rr", vsub_wrap, 1},
    {"vsub4.u32.u32.u32 z0, a0, a1, a0;", "r", "rr", vsub_wrap, 4},
    {"vabsdiff2.u32.u32.u32 z0, a0, a1, a0;", "r", "rr", vabsdiff, 2},
    {"vabsdiff4.u32.u32.u32.add z0, a0, a1, a2;", "r", "rrr", vabsdiff_sum, 0},
    {"vmax.s32.s32.s32.min z0, a0, a1, a2;", "r", "rrr", vmax_then_min, 0},
    {"vset4.u32.u32.lt z0, a0, a1, a0;", "r", "rr", vset_less, 4},
    {"vset.u32.u32.lt z0, a0, a1;", "r", "rr", vset_less, 1},
    {"vshl.u32.u32.u32.clamp z0, a0, a1;", "r", "rr", vshl_clamp, 0},
    {"add.sat.s32 z0, a0, a1;", "r", "rr", add_sat, 0},
    {"sub.sat.s32 z0, a0, a1;", "r", "rr", sub_sat, 0},
    {"add.sat.u32 z0, a0, a1;", "r", "rr", add_sat_u, 0},
    {"mad.hi.sat.s32 z0, a0, a1, a2;", "r", "rrr", mad_hi_sat, 0},
    {"mad24.hi.sat.s32 z0, a0, a1, a2;", "r", "rrr", mad24_hi_sat, 0},
    {"mul24.lo.u32 z0, a0, a1;", "r", "rr", mul24_lo_u, 0},
    {"mul24.hi.s32 z0, a0, a1;", "r", "rr", mul24_hi_s, 0},
    {"mad24.lo.s32 z0, a0, a1, a2;", "r", "rrr", mad24_lo_s, 0},
    {"dp4a.u32.u32 z0, a0, a1, a2;", "r", "rrr", dp4a_uu, 0},
    {"dp4a.s32.u32 z0, a0, a1, a2;", "r", "rrr", dp4a_su, 0},
    {"dp2a.lo.s32.s32 z0, a0, a1, a2;", "r", "rrr", dp2a_lo_ss, 0},
    {"dp2a.hi.u32.s32 z0, a0, a1, a2;", "r", "rrr", dp2a_hi_us, 0},
    {"add.s16x2 z0, a0, a1;", "r", "rr", add_s16x2, 0},
    {"add.sat.s16x2 z0, a0, a1;", "r", "rr", add_sat_s16x2, 0},
    {"min.s16x2 z0, a0, a1;", "r", "rr", min_s16x2, 0},
    {"max.u16x2 z0, a0, a1;", "r", "rr", max_u16x2, 0},
    {"max.relu.s16x2 z0, a0, a1;", "r", "rr", max_relu_s16x2, 0},
    {"max.s16x2.relu z0, a0, a1;", "r", "rr", max_relu_s16x2, 0},
    {"min.relu.s32 z0, a0, a1;", "r", "rr", min_relu_s32, 0},
};

static void test_modifiers(void)
{
    ptx_check(single, G_N_ELEMENTS(single));
}

/* Sums, differences and products of 128 bits from two halves, in steps of 32 or 64 bits. */
static UnsignedBig whole(guint64 low, guint64 high)
{
    return (UnsignedBig)high << 64 | low;
}

static UnsignedBig wide_sum(UnsignedBig a, UnsignedBig b)
{
    return a + b;
}

static UnsignedBig wide_difference(UnsignedBig a, UnsignedBig b)
{
    return a - b;
}

static void check_wide(const char *body, UnsignedBig (*want)(UnsignedBig a, UnsignedBig b))
{
    g_autofree guint64 *in = ptx_rows(ROWS, "dddd", 7);
    g_autofree guint64 *out = g_new0(guint64, (gsize)ROWS * 2);
    if (!ptx_run(body, "dd", "dddd", ROWS, in, out))
        return;
    for (guint row = 0; row < ROWS; row++) {
        const guint64 *at = &in[row * 4];
        UnsignedBig exact = want(whole(at[0], at[1]), whole(at[2], at[3]));
        if (!ptx_same(body, 4, at, out[row * 2], (guint64)exact) ||
            !ptx_same(body, 4, at, out[row * 2 + 1], (guint64)(exact >> 64)))
            return;
    }
}

static void test_carry(void)
{
    check_wide("add.cc.u64 z0, a0, a2; addc.u64 z1, a1, a3;", wide_sum);
    check_wide("sub.cc.s64 z0, a0, a2; subc.s64 z1, a1, a3;", wide_difference);
    /* The same in words: the carry goes through three instructions. */
    check_wide("{.reg .b32 p<4>, q<4>;"
               "mov.b64 {p0, p1}, a0; mov.b64 {p2, p3}, a1;"
               "mov.b64 {q0, q1}, a2; mov.b64 {q2, q3}, a3;"
               "add.cc.u32 p0, p0, q0; addc.cc.u32 p1, p1, q1;"
               "addc.cc.u32 p2, p2, q2; addc.u32 p3, p3, q3;"
               "mov.b64 z0, {p0, p1}; mov.b64 z1, {p2, p3};}",
               wide_sum);
    check_wide("{.reg .b32 p<4>, q<4>;"
               "mov.b64 {p0, p1}, a0; mov.b64 {p2, p3}, a1;"
               "mov.b64 {q0, q1}, a2; mov.b64 {q2, q3}, a3;"
               "sub.cc.u32 p0, p0, q0; subc.cc.u32 p1, p1, q1;"
               "subc.cc.u32 p2, p2, q2; subc.u32 p3, p3, q3;"
               "mov.b64 z0, {p0, p1}; mov.b64 z1, {p2, p3};}",
               wide_difference);
}

/* 64 x 64 bits by words, as compilers write it. */
static void test_long_product(void)
{
    const char *body = "{.reg .b32 p0, p1, q0, q1, r0, r1, r2, r3;"
                       "mov.b64 {p0, p1}, a0; mov.b64 {q0, q1}, a1;"
                       "mul.lo.u32 r0, p0, q0; mul.hi.u32 r1, p0, q0;"
                       "mad.lo.cc.u32 r1, p1, q0, r1; madc.hi.u32 r2, p1, q0, 0;"
                       "mad.lo.cc.u32 r1, p0, q1, r1; madc.hi.cc.u32 r2, p0, q1, r2;"
                       "madc.hi.u32 r3, p1, q1, 0; mad.lo.cc.u32 r2, p1, q1, r2;"
                       "addc.u32 r3, r3, 0;"
                       "mov.b64 z0, {r0, r1}; mov.b64 z1, {r2, r3};}";
    g_autofree guint64 *in = ptx_rows(ROWS, "dd", 9);
    g_autofree guint64 *out = g_new0(guint64, (gsize)ROWS * 2);
    if (!ptx_run(body, "dd", "dd", ROWS, in, out))
        return;
    for (guint row = 0; row < ROWS; row++) {
        UnsignedBig exact = (UnsignedBig)in[row * 2] * in[row * 2 + 1];
        if (!ptx_same(body, 2, &in[row * 2], out[row * 2], (guint64)exact) ||
            !ptx_same(body, 2, &in[row * 2], out[row * 2 + 1], (guint64)(exact >> 64)))
            return;
    }
}

/* Lanes whose guard is false keep what they had, and their carry. */
static void test_guard(void)
{
    const char *body = "mov.b32 z0, 77; @a0 add.cc.u32 z0, a1, a2; addc.u32 z1, 0, 0;";
    g_autofree guint64 *in = ptx_rows(ROWS, "prr", 11);
    g_autofree guint64 *out = g_new0(guint64, (gsize)ROWS * 2);
    if (!ptx_run(body, "rr", "prr", ROWS, in, out))
        return;
    for (guint row = 0; row < ROWS; row++) {
        const guint64 *at = &in[row * 3];
        guint64 sum = at[0] != 0 ? at[1] + at[2] : 77;
        if (!ptx_same(body, 3, at, out[row * 2], (guint32)sum) ||
            !ptx_same(body, 3, at, out[row * 2 + 1], sum >> 32))
            return;
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/ptx-alu/integer/exact", test_exact);
    g_test_add_func("/ptx-alu/integer/modifiers", test_modifiers);
    g_test_add_func("/ptx-alu/integer/carry", test_carry);
    g_test_add_func("/ptx-alu/integer/long-product", test_long_product);
    g_test_add_func("/ptx-alu/integer/guard", test_guard);
    return g_test_run();
}
