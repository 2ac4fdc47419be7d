/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Instructions on bits against references that go bit by bit.
 */
#include "tests/help/ptx-rows.h"

static guint bit(guint64 value, guint at)
{
    return at < 64 ? value >> at & 1 : 0;
}

static guint64 low(guint64 value, guint bits)
{
    return value & (G_MAXUINT64 >> (64 - bits));
}

static guint64 logic(const guint64 *in, gint option)
{
    guint64 result = 0;
    for (guint i = 0; i < 64; i++) {
        guint a = bit(in[0], i), b = bit(in[1], i);
        guint c = option == 0 ? a && b : option == 1 ? a || b : a != b;
        result |= (guint64)c << i;
    }
    return result;
}

static guint64 complement(const guint64 *in, gint bits)
{
    return low(G_MAXUINT64 - in[0], (guint)bits);
}

static guint64 is_zero(const guint64 *in, gint option)
{
    (void)option;
    return in[0] == 0 ? 1 : 0;
}

/* option: bits, negative for a signed type. The amount is a word. */
static guint64 left(const guint64 *in, gint bits)
{
    guint64 result = in[0];
    for (guint i = 0; i < MIN((guint32)in[1], 64); i++)
        result = low(result * 2, (guint)bits);
    return result;
}

static guint64 right(const guint64 *in, gint bits)
{
    guint n = (guint)ABS(bits);
    guint64 result = in[0];
    guint64 sign = bits < 0 ? (guint64)bit(in[0], n - 1) << (n - 1) : 0;
    for (guint i = 0; i < MIN((guint32)in[1], 64); i++)
        result = result / 2 | sign;
    return result;
}

static guint64 extract(const guint64 *in, gint bits)
{
    guint n = (guint)ABS(bits);
    guint at = in[1] & 0xff, length = in[2] & 0xff;
    guint sign = bits > 0 || length == 0 ? 0 : bit(in[0], MIN(at + length - 1, n - 1));
    guint64 result = 0;
    for (guint i = 0; i < n; i++) {
        guint here = i < length && at + i < n ? bit(in[0], at + i) : sign;
        result |= (guint64)here << i;
    }
    return result;
}

static guint64 insert(const guint64 *in, gint bits)
{
    guint at = in[2] & 0xff, length = in[3] & 0xff;
    guint64 result = in[1];
    for (guint i = 0; i < length && at + i < (guint)bits; i++) {
        result &= ~((guint64)1 << (at + i));
        result |= (guint64)bit(in[0], i) << (at + i);
    }
    return result;
}

static guint64 population(const guint64 *in, gint option)
{
    (void)option;
    guint n = 0;
    for (guint i = 0; i < 64; i++)
        n += bit(in[0], i);
    return n;
}

static guint64 leading(const guint64 *in, gint bits)
{
    guint n = 0;
    while (n < (guint)bits && bit(in[0], (guint)bits - 1 - n) == 0)
        n++;
    return n;
}

static guint64 find(const guint64 *in, gint bits)
{
    guint n = (guint)ABS(bits);
    guint other = bits < 0 && bit(in[0], n - 1) != 0 ? 0 : 1;
    for (guint i = n; i-- > 0;)
        if (bit(in[0], i) == other)
            return i;
    return G_MAXUINT32;
}

static guint64 find_amount(const guint64 *in, gint bits)
{
    guint64 found = find(in, bits);
    return found == G_MAXUINT32 ? found : (guint)ABS(bits) - 1 - found;
}

static guint64 reverse(const guint64 *in, gint bits)
{
    guint64 result = 0;
    for (guint i = 0; i < (guint)bits; i++)
        result |= (guint64)bit(in[0], i) << ((guint)bits - 1 - i);
    return result;
}

static guint64 any_function(const guint64 *in, gint table)
{
    guint64 result = 0;
    for (guint i = 0; i < 32; i++) {
        guint index = bit(in[0], i) * 4 + bit(in[1], i) * 2 + bit(in[2], i);
        result |= (guint64)((guint)table >> index & 1) << i;
    }
    return result;
}

static guint byte_of(const guint64 *in, guint which)
{
    return (which < 4 ? in[0] >> (which * 8) : in[1] >> ((which - 4) * 8)) & 0xff;
}

/* option: 0 general, 1 f4e, 2 b4e, 3 rc8, 4 ecl, 5 ecr, 6 rc16. Modes as the PTX ISA's table. */
static guint64 permute(const guint64 *in, gint mode)
{
    guint64 result = 0;
    guint c = in[2] & 3;
    for (guint i = 0; i < 4; i++) {
        guint selector = in[2] >> (i * 4) & 15;
        guint which[] = {selector & 7, (c + i) & 7, (8 + c - i) & 7,      c,
                         MAX(i, c),    MIN(i, c),   (c & 1) * 2 + (i & 1)};
        guint byte = byte_of(in, which[mode]);
        if (mode == 0 && selector > 7)
            byte = byte > 127 ? 255 : 0;
        result |= (guint64)byte << (i * 8);
    }
    return result;
}

/* option: bit 0 right, bit 1 wrap */
static guint64 funnel(const guint64 *in, gint option)
{
    guint by = (guint32)in[2];
    by = (option & 2) != 0 ? by % 32 : MIN(by, 32);
    guint64 result = 0;
    for (guint i = 0; i < 32; i++) {
        guint at = (option & 1) != 0 ? i + by : i + 32 - by;
        result |= (guint64)(at < 32 ? bit(in[0], at) : bit(in[1], at - 32)) << i;
    }
    return result;
}

/* As the PTX ISA has it. */
static guint64 mask(const guint64 *in, gint wrap)
{
    guint a = (guint32)in[0], b = (guint32)in[1];
    if (wrap != 0) {
        a %= 32;
        b %= 32;
    }
    guint64 result = 0;
    for (guint i = 0; i < 32; i++)
        if (i >= a && (guint64)i < (guint64)a + b)
            result |= (guint64)1 << i;
    return result;
}

/* option: bit 0 signed, bit 1 wrap */
static guint64 extend(const guint64 *in, gint option)
{
    guint n = (guint32)in[1];
    if ((option & 2) != 0)
        n %= 32;
    if (n >= 32)
        return in[0];
    guint64 result = n == 0 ? 0 : low(in[0], n);
    for (guint i = n; i < 32 && n > 0 && (option & 1) != 0; i++)
        result |= (guint64)bit(in[0], n - 1) << i;
    return result;
}

static guint64 nth(const guint64 *in, gint option)
{
    guint base = in[1] & 31;
    gint n = option != 0 ? (gint)(in[2] & 7) - 4 : (gint)(guint32)in[2];
    gint64 left_over = ABS((gint64)n);
    if (n == 0)
        return bit(in[0], base) != 0 ? base : G_MAXUINT32;
    for (guint i = 0; i < 32; i++) {
        gint at = n > 0 ? (gint)(base + i) : (gint)base - (gint)i;
        if (at < 0 || at > 31)
            break;
        left_over -= bit(in[0], (guint)at);
        if (left_over == 0)
            return (guint64)at;
    }
    return G_MAXUINT32;
}

static guint64 select(const guint64 *in, gint option)
{
    (void)option;
    return in[2] != 0 ? in[0] : in[1];
}

static guint64 by_sign(const guint64 *in, gint option)
{
    guint32 c = (guint32)in[2];
    guint exponent = c >> 23 & 0xff;
    if (option == 0)
        return c < 0x80000000 ? in[0] : in[1];
    if (exponent == 0xff && (c & 0x7fffff) != 0)
        return in[1]; /* NaN */
    if (option == 2 && exponent == 0)
        c = 0;
    return c <= 0x80000000 ? in[0] : in[1];
}

static const PtxCase cases[] = {
    {"and.b16 z0, a0, a1;", "h", "hh", logic, 0},
    {"and.b32 z0, a0, a1;", "r", "rr", logic, 0},
    {"and.b64 z0, a0, a1;", "d", "dd", logic, 0},
    {"and.pred z0, a0, a1;", "p", "pp", logic, 0},
    {"or.b32 z0, a0, a1;", "r", "rr", logic, 1},
    {"or.pred z0, a0, a1;", "p", "pp", logic, 1},
    {"xor.b64 z0, a0, a1;", "d", "dd", logic, 2},
    {"xor.pred z0, a0, a1;", "p", "pp", logic, 2},
    {"not.b16 z0, a0;", "h", "h", complement, 16},
    {"not.b32 z0, a0;", "r", "r", complement, 32},
    {"not.b64 z0, a0;", "d", "d", complement, 64},
    {"not.pred z0, a0;", "p", "p", complement, 1},
    {"cnot.b16 z0, a0;", "h", "h", is_zero, 0},
    {"cnot.b32 z0, a0;", "r", "r", is_zero, 0},
    {"cnot.b64 z0, a0;", "d", "d", is_zero, 0},
    {"shl.b16 z0, a0, a1;", "h", "hr", left, 16},
    {"shl.b32 z0, a0, a1;", "r", "rr", left, 32},
    {"shl.b64 z0, a0, a1;", "d", "dr", left, 64},
    {"shr.b16 z0, a0, a1;", "h", "hr", right, 16},
    {"shr.u16 z0, a0, a1;", "h", "hr", right, 16},
    {"shr.s16 z0, a0, a1;", "h", "hr", right, -16},
    {"shr.b32 z0, a0, a1;", "r", "rr", right, 32},
    {"shr.s32 z0, a0, a1;", "r", "rr", right, -32},
    {"shr.u64 z0, a0, a1;", "d", "dr", right, 64},
    {"shr.s64 z0, a0, a1;", "d", "dr", right, -64},
    {"bfe.u32 z0, a0, a1, a2;", "r", "rrr", extract, 32},
    {"bfe.s32 z0, a0, a1, a2;", "r", "rrr", extract, -32},
    {"bfe.u64 z0, a0, a1, a2;", "d", "drr", extract, 64},
    {"bfe.s64 z0, a0, a1, a2;", "d", "drr", extract, -64},
    {"bfi.b32 z0, a0, a1, a2, a3;", "r", "rrrr", insert, 32},
    {"bfi.b64 z0, a0, a1, a2, a3;", "d", "ddrr", insert, 64},
    {"popc.b32 z0, a0;", "r", "r", population, 0},
    {"popc.b64 z0, a0;", "r", "d", population, 0},
    {"clz.b32 z0, a0;", "r", "r", leading, 32},
    {"clz.b64 z0, a0;", "r", "d", leading, 64},
    {"bfind.u32 z0, a0;", "r", "r", find, 32},
    {"bfind.s32 z0, a0;", "r", "r", find, -32},
    {"bfind.u64 z0, a0;", "r", "d", find, 64},
    {"bfind.s64 z0, a0;", "r", "d", find, -64},
    {"bfind.shiftamt.u32 z0, a0;", "r", "r", find_amount, 32},
    {"bfind.shiftamt.s32 z0, a0;", "r", "r", find_amount, -32},
    {"bfind.shiftamt.u64 z0, a0;", "r", "d", find_amount, 64},
    {"bfind.shiftamt.s64 z0, a0;", "r", "d", find_amount, -64},
    {"brev.b32 z0, a0;", "r", "r", reverse, 32},
    {"brev.b64 z0, a0;", "d", "d", reverse, 64},
    {"lop3.b32 z0, a0, a1, a2, 0x96;", "r", "rrr", any_function, 0x96},
    {"lop3.b32 z0, a0, a1, a2, 0xca;", "r", "rrr", any_function, 0xca},
    {"lop3.b32 z0, a0, a1, a2, 0x01;", "r", "rrr", any_function, 0x01},
    {"prmt.b32 z0, a0, a1, a2;", "r", "rrr", permute, 0},
    {"prmt.b32.f4e z0, a0, a1, a2;", "r", "rrr", permute, 1},
    {"prmt.b32.b4e z0, a0, a1, a2;", "r", "rrr", permute, 2},
    {"prmt.b32.rc8 z0, a0, a1, a2;", "r", "rrr", permute, 3},
    {"prmt.b32.ecl z0, a0, a1, a2;", "r", "rrr", permute, 4},
    {"prmt.b32.ecr z0, a0, a1, a2;", "r", "rrr", permute, 5},
    {"prmt.b32.rc16 z0, a0, a1, a2;", "r", "rrr", permute, 6},
    {"shf.l.clamp.b32 z0, a0, a1, a2;", "r", "rrr", funnel, 0},
    {"shf.r.clamp.b32 z0, a0, a1, a2;", "r", "rrr", funnel, 1},
    {"shf.l.wrap.b32 z0, a0, a1, a2;", "r", "rrr", funnel, 2},
    {"shf.r.wrap.b32 z0, a0, a1, a2;", "r", "rrr", funnel, 3},
    {"bmsk.clamp.b32 z0, a0, a1;", "r", "rr", mask, 0},
    {"bmsk.wrap.b32 z0, a0, a1;", "r", "rr", mask, 1},
    {"szext.clamp.u32 z0, a0, a1;", "r", "rr", extend, 0},
    {"szext.clamp.s32 z0, a0, a1;", "r", "rr", extend, 1},
    {"szext.wrap.u32 z0, a0, a1;", "r", "rr", extend, 2},
    {"szext.wrap.s32 z0, a0, a1;", "r", "rr", extend, 3},
    {"and.b32 a1, a1, 31; fns.b32 z0, a0, a1, a2;", "r", "rrr", nth, 0},
    {"{.reg .b32 n; and.b32 n, a2, 7; sub.s32 n, n, 4; and.b32 a1, a1, 31;"
     "fns.b32 z0, a0, a1, n;}",
     "r", "rrr", nth, 1},
    {"selp.b16 z0, a0, a1, a2;", "h", "hhp", select, 0},
    {"selp.s32 z0, a0, a1, a2;", "r", "rrp", select, 0},
    {"selp.f64 z0, a0, a1, a2;", "d", "ddp", select, 0},
    {"slct.u64.s32 z0, a0, a1, a2;", "d", "ddr", by_sign, 0},
    {"slct.f32.f32 z0, a0, a1, a2;", "r", "rrr", by_sign, 1},
    {"slct.ftz.f32.f32 z0, a0, a1, a2;", "r", "rrr", by_sign, 2},
};

static void test_cases(void)
{
    ptx_check(cases, G_N_ELEMENTS(cases));
}

/* Every amount from 0 to 80, and some lengths. */
static void test_amounts(void)
{
    static const PtxCase two[] = {
        {"shl.b16 z0, a0, a1;", "h", "hr", left, 16},
        {"shl.b32 z0, a0, a1;", "r", "rr", left, 32},
        {"shl.b64 z0, a0, a1;", "d", "dr", left, 64},
        {"shr.s16 z0, a0, a1;", "h", "hr", right, -16},
        {"shr.u32 z0, a0, a1;", "r", "rr", right, 32},
        {"shr.s32 z0, a0, a1;", "r", "rr", right, -32},
        {"shr.s64 z0, a0, a1;", "d", "dr", right, -64},
        {"bfe.u32 z0, a0, a1, a2;", "r", "rrr", extract, 32},
        {"bfe.s32 z0, a0, a1, a2;", "r", "rrr", extract, -32},
        {"bfe.s64 z0, a0, a1, a2;", "d", "drr", extract, -64},
    };
    enum { AMOUNTS = 81, ROWS = AMOUNTS * 27 };
    for (gsize i = 0; i < G_N_ELEMENTS(two); i++) {
        guint n = two[i].from[2] == '\0' ? 2 : 3;
        g_autofree guint64 *in = ptx_rows(ROWS, two[i].from, (guint32)i);
        g_autofree guint64 *out = g_new0(guint64, ROWS);
        for (guint row = 0; row < ROWS; row++) {
            in[row * n + 1] = row % AMOUNTS;
            if (n == 3)
                in[row * n + 2] = row / AMOUNTS * 3;
        }
        if (!ptx_run(two[i].body, two[i].to, two[i].from, ROWS, in, out))
            continue;
        for (guint row = 0; row < ROWS; row++)
            if (!ptx_same(two[i].body, n, &in[row * n], out[row],
                          two[i].reference(&in[row * n], two[i].option)))
                break;
    }
}

static guint64 second_result(const guint64 *in, gint option)
{
    guint some = any_function(in, 0x80) != 0;
    guint other = (option & 2) != 0 ? in[3] == 0 : in[3] != 0;
    return (option & 1) != 0 ? some | other : some & other;
}

static guint64 packed(const guint64 *in, gint option)
{
    guint bits = (guint)option;
    guint64 result = 0;
    for (guint i = 0; i < 64 / bits; i++)
        result |= in[i] << (i * bits);
    return result;
}

static guint64 upper_part(const guint64 *in, gint option)
{
    return in[0] >> (option * 16) & 0xffff;
}

static guint64 second(const guint64 *in, gint option)
{
    return in[option];
}

static void test_moves(void)
{
    static const PtxCase moves[] = {
        {"lop3.and.b32 z1|z0, a0, a1, a2, 0x80, a3;", "pr", "rrrp", second_result, 0},
        {"lop3.or.b32 z1|z0, a0, a1, a2, 0x80, a3;", "pr", "rrrp", second_result, 1},
        {"lop3.and.b32 z1|z0, a0, a1, a2, 0x80, !a3;", "pr", "rrrp", second_result, 2},
        {"mov.b64 z0, {a0, a1};", "d", "rr", packed, 32},
        {"mov.b64 z0, {a0, a1, a2, a3};", "d", "hhhh", packed, 16},
        {"mov.b64 {_, z0, _, _}, a0;", "h", "d", upper_part, 1},
        {"mov.b64 {_, _, _, z0}, a0;", "h", "d", upper_part, 3},
        {"mov.b32 {_, z0}, a0;", "h", "r", upper_part, 1},
        {"mov.b32 {z0, _}, a0;", "h", "r", upper_part, 0},
        {"mov.f64 z0, a0;", "d", "d", second, 0},
        {"mov.pred z0, a0;", "p", "p", second, 0},
        {"mov.u16 z0, a0;", "h", "h", second, 0},
    };
    ptx_check(moves, G_N_ELEMENTS(moves));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/ptx-alu/bits/cases", test_cases);
    g_test_add_func("/ptx-alu/bits/amounts", test_amounts);
    g_test_add_func("/ptx-alu/bits/moves", test_moves);
    return g_test_run();
}
