/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cvt between integers. Plain conversions cut or extend; .sat clamps to the result's range.
 */
#include "ptx/alu/convert.h"
#include "ptx/alu/integer.h"

/* Extends from that type to step->kind bits. */
#define EXTEND_FOR(NAME, FOR, TYPE)                                                                \
    __attribute__(FOR) static void NAME(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)      \
    {                                                                                              \
        const guint64 *from = ps_ptx_source(warp, step, 0);                                        \
        const guint64 keep = G_MAXUINT64 >> (64 - step->kind);                                     \
        guint64 result[PS_PTX_LANES];                                                              \
        PS_PTX_EACH_LANE result[lane] = (guint64)(gint64)(TYPE)from[lane] & keep;                  \
        ps_ptx_give(warp, step->to[0], result, mask);                                              \
    }
#define EXTEND(NAME, TYPE)                                                                         \
    EXTEND_FOR(NAME##_plain, (), TYPE)                                                             \
    EXTEND_FOR(NAME##_avx2, PS_PTX_FOR_AVX2, TYPE)                                                 \
    static const PsPtxOperation NAME[1] = {{{NAME##_plain, NAME##_avx2}, {NULL, NULL}}};

EXTEND(from_u8, guint8)
EXTEND(from_u16, guint16)
EXTEND(from_u32, guint32)
EXTEND(from_64, guint64)
EXTEND(from_s8, gint8)
EXTEND(from_s16, gint16)
EXTEND(from_s32, gint32)

static const PsPtxOperation *const extend[PS_PTX_N_TYPES] = {
    [PS_PTX_U8] = from_u8, [PS_PTX_U16] = from_u16, [PS_PTX_U32] = from_u32, [PS_PTX_U64] = from_64,
    [PS_PTX_S8] = from_s8, [PS_PTX_S16] = from_s16, [PS_PTX_S32] = from_s32, [PS_PTX_S64] = from_64,
};

/* Clamps a 64-bit number, with or without sign, to the bits of the type. */
static guint64 saturated(guint64 value, gboolean from_signed, PsPtxType to)
{
    guint bits = ps_ptx_type_size(to) * 8;
    gboolean to_signed = ps_ptx_is_signed(to);
    guint64 most = G_MAXUINT64 >> (64 - bits + (to_signed ? 1 : 0));
    gint64 least = to_signed ? -(gint64)most - 1 : 0;
    if (from_signed && (gint64)value < 0)
        return (guint64)MAX((gint64)value, least);
    return MIN(value, most);
}

/* flags: 1 for .sat */
static void execute_general(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    const guint64 *from = ps_ptx_source(warp, step, 0);
    guint bits = ps_ptx_type_size(step->type2) * 8;
    gboolean from_signed = ps_ptx_is_signed(step->type2);
    guint64 result[PS_PTX_LANES];
    for (guint lane = 0; lane < PS_PTX_LANES; lane++) {
        guint64 value = from_signed ? (guint64)ps_ptx_signed(from[lane], bits)
                                    : from[lane] & (G_MAXUINT64 >> (64 - bits));
        if (step->flags != 0)
            value = saturated(value, from_signed, step->type);
        result[lane] = ps_ptx_convert_fit(step, value);
    }
    ps_ptx_give(warp, step->to[0], result, mask);
}

/* cvt.pack: the low bits come from b, the next from a, the rest from c. kind: bits of one
 * number. */
static void execute_pack(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    gboolean to_signed = (step->flags & 1) != 0;
    gboolean from_signed = step->type2 == PS_PTX_S32;
    guint bits = step->kind;
    gint64 most = ((gint64)1 << (bits - (to_signed ? 1 : 0))) - 1;
    gint64 least = to_signed ? -most - 1 : 0;
    guint64 keep = ((guint64)1 << bits) - 1;
    guint64 result[PS_PTX_LANES];
    for (guint lane = 0; lane < PS_PTX_LANES; lane++) {
        guint64 packed = step->n_from == 3 ? ps_ptx_source(warp, step, 2)[lane] << (2 * bits) : 0;
        for (guint i = 0; i < 2; i++) {
            guint32 value = (guint32)ps_ptx_source(warp, step, i)[lane];
            gint64 wide = from_signed ? (gint64)(gint32)value : (gint64)value;
            packed |= ((guint64)CLAMP(wide, least, most) & keep) << (i == 0 ? bits : 0);
        }
        result[lane] = (guint32)packed;
    }
    ps_ptx_give(warp, step->to[0], result, mask);
}

static gboolean decode_pack(PsPtxDecode *decode, PsPtxStep *step, char **unsupported)
{
    static const struct {
        const char *name;
        guint bits;
        guint is_signed;
    } to[] = {{"u16", 16, 0}, {"s16", 16, 1}, {"u8", 8, 0}, {"s8", 8, 1},
              {"u4", 4, 0},   {"s4", 4, 1},   {"u2", 2, 0}, {"s2", 2, 1}};
    for (guint i = 0; i < G_N_ELEMENTS(to); i++)
        if (ps_ptx_has(decode->mnemonic, to[i].name)) {
            step->kind = to[i].bits;
            step->flags = to[i].is_signed;
        }
    step->type2 = ps_ptx_has(decode->mnemonic, "s32") ? PS_PTX_S32 : PS_PTX_U32;
    if (step->kind == 0 || !ps_ptx_operands(decode, 3, 4) ||
        !ps_ptx_decode_usual(decode, step, step->type2) || step->n_to != 1 || step->n_from < 2 ||
        step->n_from > 3)
        return ps_ptx_cannot(decode, step, unsupported);
    step->execute = execute_pack;
    return TRUE;
}

gboolean ps_ptx_convert_integers(PsPtxDecode *decode, PsPtxStep *step, char **unsupported)
{
    const PsPtxMnemonic *mnemonic = decode->mnemonic;
    if (ps_ptx_has(mnemonic, "pack"))
        return decode_pack(decode, step, unsupported);
    if (mnemonic->n_types != 2 || !ps_ptx_is_integer(mnemonic->types[0]) ||
        !ps_ptx_is_integer(mnemonic->types[1]))
        return FALSE;
    if (!ps_ptx_convert_decode(decode, step, 1))
        return ps_ptx_cannot(decode, step, unsupported);
    ps_ptx_convert_width(decode, step);
    step->flags = ps_ptx_has(mnemonic, "sat") ? 1 : 0;
    guint bits = ps_ptx_type_size(step->type) * 8;
    gboolean plain = step->flags == 0 && (bits == step->kind || !ps_ptx_is_signed(step->type));
    step->execute = execute_general;
    if (plain) {
        step->kind = bits;
        ps_ptx_operate(decode, step, extend[step->type2]);
    }
    return TRUE;
}
