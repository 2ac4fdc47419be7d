/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Integer products: the low half, the high half or all of the product, with a sum (mad), of 24
 * bits, and dot products of bytes and halves.
 */
#include "ptx/alu/integer.h"

__extension__ typedef unsigned __int128 Unsigned128;
__extension__ typedef __int128 Signed128;

static inline guint64 high_u64(guint64 a, guint64 b)
{
    return (guint64)((Unsigned128)a * b >> 64);
}

static inline guint64 high_s64(gint64 a, gint64 b)
{
    return (guint64)((Signed128)a * b >> 64);
}

static inline guint32 high_s32(gint32 a, gint32 b)
{
    return (guint32)((guint64)((gint64)a * b) >> 32);
}

static inline guint32 saturated(gint64 value)
{
    return (guint32)(gint32)CLAMP(value, G_MININT32, G_MAXINT32);
}

PS_PTX_EACH_2(mul_lo_16, guint16, guint32, a *b)
PS_PTX_EACH_2(mul_lo_32, guint32, guint32, a *b)
PS_PTX_EACH_2(mul_lo_64, guint64, guint64, a *b)
PS_PTX_EACH_2(mul_hi_u16, guint16, guint16, (guint32)a *b >> 16)
PS_PTX_EACH_2(mul_hi_s16, guint16, gint16, (guint32)(a *b) >> 16)
PS_PTX_EACH_2(mul_hi_u32, guint32, guint32, (guint64)a *b >> 32)
PS_PTX_EACH_2(mul_hi_s32, guint32, gint32, high_s32(a, b))
PS_PTX_EACH_2(mul_hi_u64, guint64, guint64, high_u64(a, b))
PS_PTX_EACH_2(mul_hi_s64, guint64, gint64, high_s64(a, b))
PS_PTX_EACH_2(mul_wide_u16, guint32, guint16, (guint32)a *b)
PS_PTX_EACH_2(mul_wide_s16, guint32, gint16, a *b)
PS_PTX_EACH_2(mul_wide_u32, guint64, guint32, (guint64)a *b)
PS_PTX_EACH_2(mul_wide_s32, guint64, gint32, (gint64)a *b)

PS_PTX_EACH_3(mad_lo_16, guint16, guint32, a *b + c)
PS_PTX_EACH_3(mad_lo_32, guint32, guint32, a *b + c)
PS_PTX_EACH_3(mad_lo_64, guint64, guint64, a *b + c)
PS_PTX_EACH_3(mad_hi_u16, guint16, guint16, ((guint32)a * b >> 16) + c)
PS_PTX_EACH_3(mad_hi_s16, guint16, gint16, ((guint32)(a * b) >> 16) + (guint32)c)
PS_PTX_EACH_3(mad_hi_u32, guint32, guint32, ((guint64)a * b >> 32) + c)
PS_PTX_EACH_3(mad_hi_s32, guint32, gint32, high_s32(a, b) + (guint32)c)
PS_PTX_EACH_3(mad_hi_u64, guint64, guint64, high_u64(a, b) + c)
PS_PTX_EACH_3(mad_hi_s64, guint64, gint64, high_s64(a, b) + (guint64)c)
PS_PTX_EACH_3(mad_hi_sat_s32, guint32, gint32, saturated((gint64)(gint32)high_s32(a, b) + c))
/* The third source is as wide as the result. */
PS_PTX_EACH_3(mad_wide_u16, guint32, guint32, (guint32)(guint16)a *(guint16)b + c)
PS_PTX_EACH_3(mad_wide_s16, guint32, guint32, (guint32)((gint16)a *(gint16)b) + c)
PS_PTX_EACH_3(mad_wide_u32, guint64, guint64, (guint64)(guint32)a *(guint32)b + c)
PS_PTX_EACH_3(mad_wide_s32, guint64, guint64, (guint64)((gint64)(gint32)a *(gint32)b) + c)

/* mul24.lo has the low 32 of 48 bits, mul24.hi the high 32. */
static inline guint64 product_u24(guint32 a, guint32 b)
{
    return (guint64)(a & 0xffffff) * (b & 0xffffff);
}

static inline guint64 product_s24(guint32 a, guint32 b)
{
    return (guint64)(ps_ptx_signed(a, 24) * ps_ptx_signed(b, 24));
}

PS_PTX_EACH_2(mul24_lo_u32, guint32, guint32, product_u24(a, b))
PS_PTX_EACH_2(mul24_lo_s32, guint32, guint32, product_s24(a, b))
PS_PTX_EACH_2(mul24_hi_u32, guint32, guint32, product_u24(a, b) >> 16)
PS_PTX_EACH_2(mul24_hi_s32, guint32, guint32, product_s24(a, b) >> 16)
PS_PTX_EACH_3(mad24_lo_u32, guint32, guint32, product_u24(a, b) + c)
PS_PTX_EACH_3(mad24_lo_s32, guint32, guint32, product_s24(a, b) + c)
PS_PTX_EACH_3(mad24_hi_u32, guint32, guint32, (product_u24(a, b) >> 16) + c)
PS_PTX_EACH_3(mad24_hi_s32, guint32, guint32, (product_s24(a, b) >> 16) + c)
PS_PTX_EACH_3(mad24_hi_sat_s32, guint32, guint32,
              saturated((gint64)(gint32)(product_s24(a, b) >> 16) + (gint32)c))

/* Part number i of a, `bits` wide. */
static inline gint64 part(guint32 a, guint i, guint bits, gboolean is_signed)
{
    guint32 low = (guint32)((a >> (i * bits)) & (((guint64)1 << bits) - 1));
    return is_signed ? ps_ptx_signed(low, bits) : (gint64)low;
}

/* kind: 0 for dp4a, 1 for dp2a.lo, 2 for dp2a.hi, which takes the upper two bytes of b. */
static void execute_dot(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    const guint64 *from_a = ps_ptx_source(warp, step, 0);
    const guint64 *from_b = ps_ptx_source(warp, step, 1);
    const guint64 *from_c = ps_ptx_source(warp, step, 2);
    gboolean signed_a = step->type == PS_PTX_S32;
    gboolean signed_b = step->type2 == PS_PTX_S32;
    guint n = step->kind == 0 ? 4 : 2;
    guint first = step->kind == 2 ? 2 : 0;
    guint64 result[PS_PTX_LANES];
    for (guint lane = 0; lane < PS_PTX_LANES; lane++) {
        guint32 a = (guint32)from_a[lane];
        guint32 b = (guint32)from_b[lane];
        guint64 sum = from_c[lane];
        for (guint i = 0; i < n; i++)
            sum += (guint64)(part(a, i, 32 / n, signed_a) * part(b, first + i, 8, signed_b));
        result[lane] = (guint32)sum;
    }
    ps_ptx_give(warp, step->to[0], result, mask);
}

static gboolean decode_dot(PsPtxDecode *decode, PsPtxStep *step, char **unsupported)
{
    const PsPtxMnemonic *mnemonic = decode->mnemonic;
    gboolean four = strcmp(mnemonic->opcode, "dp4a") == 0;
    if (!four && strcmp(mnemonic->opcode, "dp2a") != 0)
        return FALSE;
    step->type = mnemonic->types[0];
    step->type2 = mnemonic->types[1];
    step->kind = four ? 0 : ps_ptx_has(mnemonic, "hi") ? 2 : 1;
    if (mnemonic->n_types != 2 || !ps_ptx_operands(decode, 4, 4) ||
        !ps_ptx_decode_usual(decode, step, PS_PTX_B32) || step->n_to != 1 || step->n_from != 3)
        return ps_ptx_cannot(decode, step, unsupported);
    step->execute = execute_dot;
    return TRUE;
}

static const PsPtxEntry table[] = {
    PS_PTX_ALIKE("mul.lo", mul_lo, 2),
    PS_PTX_UNSIGNED("mul.hi", mul_hi, 2),
    PS_PTX_SIGNED("mul.hi", mul_hi, 2),
    {"mul.wide.u16", mul_wide_u16, 2, {PS_PTX_U16}},
    {"mul.wide.s16", mul_wide_s16, 2, {PS_PTX_S16}},
    {"mul.wide.u32", mul_wide_u32, 2, {PS_PTX_U32}},
    {"mul.wide.s32", mul_wide_s32, 2, {PS_PTX_S32}},
    PS_PTX_ALIKE("mad.lo", mad_lo, 3),
    PS_PTX_UNSIGNED("mad.hi", mad_hi, 3),
    PS_PTX_SIGNED("mad.hi", mad_hi, 3),
    {"mad.hi.sat.s32", mad_hi_sat_s32, 3, {PS_PTX_S32}},
    {"mad.wide.u16", mad_wide_u16, 3, {PS_PTX_U16, PS_PTX_U16, PS_PTX_U32}},
    {"mad.wide.s16", mad_wide_s16, 3, {PS_PTX_S16, PS_PTX_S16, PS_PTX_S32}},
    {"mad.wide.u32", mad_wide_u32, 3, {PS_PTX_U32, PS_PTX_U32, PS_PTX_U64}},
    {"mad.wide.s32", mad_wide_s32, 3, {PS_PTX_S32, PS_PTX_S32, PS_PTX_S64}},
    {"mul24.lo.u32", mul24_lo_u32, 2, {PS_PTX_U32}},
    {"mul24.lo.s32", mul24_lo_s32, 2, {PS_PTX_S32}},
    {"mul24.hi.u32", mul24_hi_u32, 2, {PS_PTX_U32}},
    {"mul24.hi.s32", mul24_hi_s32, 2, {PS_PTX_S32}},
    {"mad24.lo.u32", mad24_lo_u32, 3, {PS_PTX_U32}},
    {"mad24.lo.s32", mad24_lo_s32, 3, {PS_PTX_S32}},
    {"mad24.hi.u32", mad24_hi_u32, 3, {PS_PTX_U32}},
    {"mad24.hi.s32", mad24_hi_s32, 3, {PS_PTX_S32}},
    {"mad24.hi.sat.s32", mad24_hi_sat_s32, 3, {PS_PTX_S32}},
};

gboolean ps_ptx_multiply(PsPtxDecode *decode, PsPtxStep *step, char **unsupported)
{
    return ps_ptx_entry(table, G_N_ELEMENTS(table), decode, step, unsupported) ||
           decode_dot(decode, step, unsupported);
}
