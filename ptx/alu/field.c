/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bit fields and counts of bits.
 */
#include "ptx/alu/bits.h"

static inline guint64 ones(guint32 n)
{
    return n > 63 ? G_MAXUINT64 : ((guint64)1 << n) - 1;
}

/* c bits of a from bit b on; bits beyond the end are the sign, or zeros. Both counts have 8
 * bits. */
static inline guint64 extracted(guint64 a, guint32 b, guint32 c, guint bits, gboolean is_signed)
{
    guint32 from = b & 0xff;
    guint32 n = c & 0xff;
    if (n == 0)
        return 0;
    guint32 last = MIN(from + n - 1, bits - 1);
    guint64 sign = is_signed && (a >> last & 1) != 0 ? G_MAXUINT64 : 0;
    guint64 low = from > 63 ? 0 : a >> from;
    guint32 have = from >= bits ? 0 : MIN(n, bits - from);
    return (low & ones(have)) | (sign & ~ones(have));
}

PS_PTX_EACH_3(bfe_u32, guint32, guint64, extracted(a, (guint32)b, (guint32)c, 32, FALSE))
PS_PTX_EACH_3(bfe_s32, guint32, guint64, extracted(a, (guint32)b, (guint32)c, 32, TRUE))
PS_PTX_EACH_3(bfe_u64, guint64, guint64, extracted(a, (guint32)b, (guint32)c, 64, FALSE))
PS_PTX_EACH_3(bfe_s64, guint64, guint64, extracted(a, (guint32)b, (guint32)c, 64, TRUE))

/* b with d bits from bit c on replaced by the low bits of a. */
static inline guint64 inserted(guint64 a, guint64 b, guint32 c, guint32 d)
{
    guint32 from = c & 0xff;
    if (from > 63)
        return b;
    guint64 field = ones(d & 0xff) << from;
    return (b & ~field) | (a << from & field);
}

/* kind: bits of the result. */
static void execute_bfi(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    guint64 result[PS_PTX_LANES];
    for (guint lane = 0; lane < PS_PTX_LANES; lane++)
        result[lane] =
            inserted(ps_ptx_source(warp, step, 0)[lane], ps_ptx_source(warp, step, 1)[lane],
                     (guint32)ps_ptx_source(warp, step, 2)[lane],
                     (guint32)ps_ptx_source(warp, step, 3)[lane]) &
            (step->type == PS_PTX_B32 ? G_MAXUINT32 : G_MAXUINT64);
    ps_ptx_give(warp, step->to[0], result, mask);
}

static inline guint32 leading_zeros(guint64 a, guint bits)
{
    return a == 0 ? bits : (guint32)__builtin_clzll(a) - (64 - bits);
}

/* The highest bit that is set, or that is clear in a negative number; -1 where there is none. */
static inline guint32 highest(guint64 a, guint bits)
{
    return a == 0 ? G_MAXUINT32 : bits - 1 - leading_zeros(a, bits);
}

static inline guint32 highest_from_top(guint64 a, guint bits)
{
    return a == 0 ? G_MAXUINT32 : leading_zeros(a, bits);
}

static inline guint64 without_sign(gint64 a)
{
    return (guint64)(a < 0 ? ~a : a);
}

PS_PTX_EACH_1(popc_32, guint32, guint32, __builtin_popcount(a))
PS_PTX_EACH_1(popc_64, guint32, guint64, __builtin_popcountll(a))
PS_PTX_EACH_1(clz_32, guint32, guint32, leading_zeros(a, 32))
PS_PTX_EACH_1(clz_64, guint32, guint64, leading_zeros(a, 64))
PS_PTX_EACH_1(bfind_u32, guint32, guint32, highest(a, 32))
PS_PTX_EACH_1(bfind_s32, guint32, gint32, highest(without_sign(a), 32))
PS_PTX_EACH_1(bfind_u64, guint32, guint64, highest(a, 64))
PS_PTX_EACH_1(bfind_s64, guint32, gint64, highest(without_sign(a), 64))
PS_PTX_EACH_1(bfind_top_u32, guint32, guint32, highest_from_top(a, 32))
PS_PTX_EACH_1(bfind_top_s32, guint32, gint32, highest_from_top(without_sign(a), 32))
PS_PTX_EACH_1(bfind_top_u64, guint32, guint64, highest_from_top(a, 64))
PS_PTX_EACH_1(bfind_top_s64, guint32, gint64, highest_from_top(without_sign(a), 64))

static inline guint64 reversed(guint64 a)
{
    a = (a >> 1 & 0x5555555555555555) | (a & 0x5555555555555555) << 1;
    a = (a >> 2 & 0x3333333333333333) | (a & 0x3333333333333333) << 2;
    a = (a >> 4 & 0x0f0f0f0f0f0f0f0f) | (a & 0x0f0f0f0f0f0f0f0f) << 4;
    return GUINT64_SWAP_LE_BE(a);
}

PS_PTX_EACH_1(brev_32, guint32, guint32, reversed(a) >> 32)
PS_PTX_EACH_1(brev_64, guint64, guint64, reversed(a))

/* bmsk: b ones from bit a on. Clamped, counts beyond 32 are 32; wrapped, they are modulo 32. */
static inline guint32 mask_of(guint32 a, guint32 b)
{
    return a > 31 ? 0 : (guint32)(ones(MIN(b, 32)) << a);
}

PS_PTX_EACH_2(bmsk_clamp, guint32, guint32, mask_of(a, b))
PS_PTX_EACH_2(bmsk_wrap, guint32, guint32, mask_of(a & 31, b & 31))

/* szext: the low b bits of a, with the sign of the highest of them, or zeros. */
static inline guint32 extended(guint32 a, guint32 b, gboolean is_signed)
{
    if (b == 0)
        return 0;
    if (b > 31)
        return a;
    guint32 low = a & (guint32)ones(b);
    return is_signed && (low >> (b - 1) & 1) != 0 ? low | ~(guint32)ones(b) : low;
}

PS_PTX_EACH_2(szext_clamp_u32, guint32, guint32, extended(a, b, FALSE))
PS_PTX_EACH_2(szext_clamp_s32, guint32, guint32, extended(a, b, TRUE))
PS_PTX_EACH_2(szext_wrap_u32, guint32, guint32, extended(a, b & 31, FALSE))
PS_PTX_EACH_2(szext_wrap_s32, guint32, guint32, extended(a, b & 31, TRUE))

/* fns: the bit number of the c-th set bit of a, counted from bit b on (c of 1 is the first there,
 * c of -1 the first below or at it); 0 asks for bit b itself. */
static inline guint32 nth_set(guint32 a, guint32 b, gint32 c)
{
    if (b > 31)
        return G_MAXUINT32;
    if (c == 0)
        return (a >> b & 1) != 0 ? b : G_MAXUINT32;
    guint32 left = c < 0 ? 0 - (guint32)c : (guint32)c;
    for (gint32 at = (gint32)b; at >= 0 && at < 32; at += c < 0 ? -1 : 1)
        if ((a >> at & 1) != 0 && --left == 0)
            return (guint32)at;
    return G_MAXUINT32;
}

PS_PTX_EACH_3(fns_b32, guint32, guint32, nth_set(a, b, (gint32)c))

static const PsPtxEntry table[] = {
    {"bfe.u32", bfe_u32, 3, {PS_PTX_U32}},
    {"bfe.s32", bfe_s32, 3, {PS_PTX_S32, PS_PTX_U32}},
    {"bfe.u64", bfe_u64, 3, {PS_PTX_U64, PS_PTX_U32}},
    {"bfe.s64", bfe_s64, 3, {PS_PTX_S64, PS_PTX_U32}},
    {"bfi.b32", PS_PTX_ALONE(execute_bfi), 4, {PS_PTX_B32}},
    {"bfi.b64", PS_PTX_ALONE(execute_bfi), 4, {PS_PTX_B64, PS_PTX_B64, PS_PTX_U32}},
    {"popc.b32", popc_32, 1, {PS_PTX_B32}},
    {"popc.b64", popc_64, 1, {PS_PTX_B64}},
    {"clz.b32", clz_32, 1, {PS_PTX_B32}},
    {"clz.b64", clz_64, 1, {PS_PTX_B64}},
    {"bfind.u32", bfind_u32, 1, {PS_PTX_U32}},
    {"bfind.s32", bfind_s32, 1, {PS_PTX_S32}},
    {"bfind.u64", bfind_u64, 1, {PS_PTX_U64}},
    {"bfind.s64", bfind_s64, 1, {PS_PTX_S64}},
    {"bfind.shiftamt.u32", bfind_top_u32, 1, {PS_PTX_U32}},
    {"bfind.shiftamt.s32", bfind_top_s32, 1, {PS_PTX_S32}},
    {"bfind.shiftamt.u64", bfind_top_u64, 1, {PS_PTX_U64}},
    {"bfind.shiftamt.s64", bfind_top_s64, 1, {PS_PTX_S64}},
    {"brev.b32", brev_32, 1, {PS_PTX_B32}},
    {"brev.b64", brev_64, 1, {PS_PTX_B64}},
    {"bmsk.clamp.b32", bmsk_clamp, 2, {PS_PTX_U32}},
    {"bmsk.wrap.b32", bmsk_wrap, 2, {PS_PTX_U32}},
    {"szext.clamp.u32", szext_clamp_u32, 2, {PS_PTX_U32}},
    {"szext.clamp.s32", szext_clamp_s32, 2, {PS_PTX_S32, PS_PTX_U32}},
    {"szext.wrap.u32", szext_wrap_u32, 2, {PS_PTX_U32}},
    {"szext.wrap.s32", szext_wrap_s32, 2, {PS_PTX_S32, PS_PTX_U32}},
    {"fns.b32", fns_b32, 3, {PS_PTX_B32, PS_PTX_B32, PS_PTX_S32}},
};

gboolean ps_ptx_field(PsPtxDecode *decode, PsPtxStep *step, char **unsupported)
{
    return ps_ptx_entry(table, G_N_ELEMENTS(table), decode, step, unsupported);
}
