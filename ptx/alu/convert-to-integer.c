/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cvt from numbers to integers. They are rounded, then clamped to the integer's range. NaN becomes
 * 0, except where source or result has 64 bits: then it is the integer with only its highest bit
 * set.
 */
#include "ptx/alu/convert.h"

static guint64 of_nan(const PsPtxStep *step)
{
    guint bits = ps_ptx_type_size(step->type) * 8;
    return bits == 64 || step->type2 == PS_PTX_F64 ? (guint64)1 << (bits - 1) : 0;
}

/* A type of integers as numbers: the least, and the first one beyond the greatest. */
typedef struct {
    double least, beyond;
    guint64 most; /* bits of the greatest */
    gboolean is_signed;
} Range;

static Range range_of(PsPtxType type)
{
    guint bits = ps_ptx_type_size(type) * 8;
    gboolean is_signed = ps_ptx_is_signed(type);
    double beyond = ldexp(1.0, (int)bits - (is_signed ? 1 : 0));
    return (Range){is_signed ? -beyond : 0, beyond,
                   G_MAXUINT64 >> (64 - bits + (is_signed ? 1 : 0)), is_signed};
}

/* Clamps to the range, and cuts to an integer. */
static inline guint64 clamped(double value, const Range *range)
{
    if (value >= range->beyond)
        return range->most;
    if (value <= range->least)
        return range->is_signed ? ~range->most : 0;
    return value < 0 ? (guint64)(gint64)value : (guint64)value;
}

/* flags: the rounding, and 16 for .ftz. */
static void execute(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    const guint64 *from = ps_ptx_source(warp, step, 0);
    const PsPtxRounding rounding = (PsPtxRounding)(step->flags & 15);
    const Range range = range_of(step->type);
    guint64 result[PS_PTX_LANES];
    for (guint lane = 0; lane < PS_PTX_LANES; lane++) {
        guint64 bits = (step->flags & 16) != 0 ? ps_ptx_flush_single(from[lane]) : from[lane];
        double value = ps_ptx_convert_value(step->type2, bits);
        if (rounding != PS_PTX_ZERO) /* clamped() cuts */
            value = ps_ptx_integral(value, rounding);
        result[lane] = isnan(value) ? of_nan(step) : clamped(value, &range);
    }
    for (guint lane = 0; lane < PS_PTX_LANES; lane++)
        result[lane] = ps_ptx_convert_fit(step, result[lane]);
    ps_ptx_give(warp, step->to[0], result, mask);
}

/* The usual conversions: singles cut to 32 bits, or rounded to the nearest integer. */
static inline guint32 cut_to_s32(float value)
{
    if (value >= 0x1p31F)
        return G_MAXINT32;
    return value > -0x1p31F ? (guint32)(gint32)value : value <= -0x1p31F ? 0x80000000 : 0;
}

static inline guint32 cut_to_u32(float value)
{
    return value >= 0x1p32F ? G_MAXUINT32 : value > 0 ? (guint32)value : 0;
}

PS_PTX_EACH_1(cut_f32_s32, guint32, guint64, cut_to_s32(ps_ptx_single(a)))
PS_PTX_EACH_1(cut_f32_u32, guint32, guint64, cut_to_u32(ps_ptx_single(a)))
PS_PTX_EACH_1(nearest_f32_s32, guint32, guint64, cut_to_s32(rintf(ps_ptx_single(a))))
PS_PTX_EACH_1(nearest_f32_u32, guint32, guint64, cut_to_u32(rintf(ps_ptx_single(a))))

static const struct {
    PsPtxType to;
    PsPtxRounding rounding;
    const PsPtxOperation *operation;
} usual[] = {
    {PS_PTX_S32, PS_PTX_ZERO, cut_f32_s32},
    {PS_PTX_U32, PS_PTX_ZERO, cut_f32_u32},
    {PS_PTX_S32, PS_PTX_NEAREST, nearest_f32_s32},
    {PS_PTX_U32, PS_PTX_NEAREST, nearest_f32_u32},
};

gboolean ps_ptx_convert_to_integer(PsPtxDecode *decode, PsPtxStep *step, char **unsupported)
{
    const PsPtxMnemonic *mnemonic = decode->mnemonic;
    if (mnemonic->n_types != 2 || !ps_ptx_is_integer(mnemonic->types[0]) ||
        !ps_ptx_is_number(mnemonic->types[1]))
        return FALSE;
    if (!ps_ptx_convert_decode(decode, step, 1))
        return ps_ptx_cannot(decode, step, unsupported);
    ps_ptx_convert_width(decode, step);
    step->flags = ps_ptx_rounding(mnemonic);
    if (step->type2 == PS_PTX_F32 && ps_ptx_has(mnemonic, "ftz"))
        step->flags |= 16;
    step->execute = execute;
    for (guint i = 0; i < G_N_ELEMENTS(usual); i++)
        if (step->type2 == PS_PTX_F32 && step->kind == 32 && step->type == usual[i].to &&
            step->flags == usual[i].rounding)
            ps_ptx_operate(decode, step, usual[i].operation);
    return TRUE;
}
