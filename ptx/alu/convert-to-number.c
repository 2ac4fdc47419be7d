/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cvt from integers and numbers to numbers. An integer of 64 bits, which a double may not hold
 * exactly, is rounded to odd first, so that the second rounding gives what a single one would.
 */
#include "ptx/alu/convert.h"
#include "ptx/alu/integer.h"

enum { FTZ = 16, SAT = 32, RELU = 64, SATFINITE = 128, INTEGRAL = 256, ROUNDING = 15 };

PS_PTX_EACH_1(single_of_s32, guint32, gint32, ps_ptx_single_raw((float)a))
PS_PTX_EACH_1(single_of_u32, guint32, guint32, ps_ptx_single_raw((float)a))
PS_PTX_EACH_1(double_of_s32, guint64, gint32, ps_ptx_double_raw((double)a))
PS_PTX_EACH_1(double_of_u32, guint64, guint32, ps_ptx_double_raw((double)a))
PS_PTX_EACH_1(single_of_half, guint32, guint64, ps_ptx_single_bits(ps_ptx_half_value(a)))
PS_PTX_EACH_1(single_of_bfloat, guint32, guint64, ps_ptx_single_bits(ps_ptx_bfloat_value(a)))
PS_PTX_EACH_1(single_of_double, guint32, guint64, ps_ptx_single_bits((float)ps_ptx_double(a)))
PS_PTX_EACH_1(half_of_single, guint16, guint64, ps_ptx_half_bits((double)ps_ptx_single(a)))
PS_PTX_EACH_1(bfloat_of_single, guint16, guint64, ps_ptx_bfloat_bits((double)ps_ptx_single(a)))
PS_PTX_EACH_1(double_of_single, guint64, guint64, ps_ptx_double_raw((double)ps_ptx_single(a)))

/* Clamps between 0 and 1; NaN becomes 0. */
static inline float clamped(float value)
{
    return value > 0 ? (value < 1 ? value : 1.0F) : 0.0F;
}

PS_PTX_EACH_1(sat_single, guint32, guint64, ps_ptx_single_raw(clamped(ps_ptx_single(a))))
PS_PTX_EACH_1(sat_flushed, guint32, guint64,
              ps_ptx_single_raw(clamped(ps_ptx_single(ps_ptx_flush_single(a)))))
PS_PTX_EACH_1(nearest_single, guint32, guint64, ps_ptx_single_bits(rintf(ps_ptx_single(a))))
PS_PTX_EACH_1(cut_single, guint32, guint64, ps_ptx_single_bits(truncf(ps_ptx_single(a))))
PS_PTX_EACH_1(floor_single, guint32, guint64, ps_ptx_single_bits(floorf(ps_ptx_single(a))))
PS_PTX_EACH_1(ceil_single, guint32, guint64, ps_ptx_single_bits(ceilf(ps_ptx_single(a))))

/* The common conversions; their flags are those of the step. */
static const struct {
    PsPtxType to, from;
    guint flags;
    const PsPtxOperation *operation;
} common[] = {
    {PS_PTX_F32, PS_PTX_S32, 0, single_of_s32},
    {PS_PTX_F32, PS_PTX_U32, 0, single_of_u32},
    {PS_PTX_F64, PS_PTX_S32, 0, double_of_s32},
    {PS_PTX_F64, PS_PTX_U32, 0, double_of_u32},
    {PS_PTX_F32, PS_PTX_F16, 0, single_of_half},
    {PS_PTX_F32, PS_PTX_BF16, 0, single_of_bfloat},
    {PS_PTX_F32, PS_PTX_F64, 0, single_of_double},
    {PS_PTX_F64, PS_PTX_F32, 0, double_of_single},
    {PS_PTX_F16, PS_PTX_F32, 0, half_of_single},
    {PS_PTX_BF16, PS_PTX_F32, 0, bfloat_of_single},
    {PS_PTX_F32, PS_PTX_F32, SAT, sat_single},
    {PS_PTX_F32, PS_PTX_F32, SAT | FTZ, sat_flushed},
    {PS_PTX_F32, PS_PTX_F32, INTEGRAL | PS_PTX_NEAREST, nearest_single},
    {PS_PTX_F32, PS_PTX_F32, INTEGRAL | PS_PTX_ZERO, cut_single},
    {PS_PTX_F32, PS_PTX_F32, INTEGRAL | PS_PTX_DOWN, floor_single},
    {PS_PTX_F32, PS_PTX_F32, INTEGRAL | PS_PTX_UP, ceil_single},
};

/* Cuts an integer's magnitude to the 53 bits of a double: the bits that are dropped are rounded as
 * the step says, or to odd. */
static double magnitude_to_double(guint64 magnitude, gboolean negative, gboolean odd,
                                  PsPtxRounding rounding)
{
    if (magnitude >> 53 == 0)
        return (double)magnitude;
    guint shift = 11 - (guint)__builtin_clzll(magnitude);
    guint64 rest = magnitude & (((guint64)1 << shift) - 1);
    guint64 kept = magnitude >> shift;
    if (odd)
        kept |= rest != 0;
    else if (ps_ptx_rounds_up(rest, (guint64)1 << (shift - 1), (kept & 1) != 0, negative, rounding))
        kept++;
    return ldexp((double)kept, (int)shift);
}

static double integer_value(const PsPtxStep *step, guint64 bits)
{
    guint size = ps_ptx_type_size(step->type2) * 8;
    gboolean odd = step->type != PS_PTX_F64;
    PsPtxRounding rounding = (PsPtxRounding)(step->flags & ROUNDING);
    if (!ps_ptx_is_signed(step->type2))
        return magnitude_to_double(bits & (G_MAXUINT64 >> (64 - size)), FALSE, odd, rounding);
    gint64 value = ps_ptx_signed(bits, size);
    if (value >= 0)
        return magnitude_to_double((guint64)value, FALSE, odd, rounding);
    return -magnitude_to_double(0 - (guint64)value, TRUE, odd, rounding);
}

/* The bits of the result; .tf32 has the upper bits of a single. */
static guint64 encoded(const PsPtxStep *step, double value)
{
    PsPtxRounding rounding = (PsPtxRounding)(step->flags & ROUNDING);
    gboolean satfinite = (step->flags & SATFINITE) != 0;
    guint64 bits;
    switch (step->type) {
    case PS_PTX_F16:
        return ps_ptx_encode(value, &ps_ptx_format_half, rounding, satfinite);
    case PS_PTX_BF16:
        return ps_ptx_encode(value, &ps_ptx_format_bfloat, rounding, satfinite);
    case PS_PTX_TF32:
        if (isnan(value))
            return PS_PTX_NAN_SINGLE;
        return (guint64)ps_ptx_encode(value, &ps_ptx_format_tf32, rounding, satfinite) << 13;
    case PS_PTX_F32:
        bits = ps_ptx_encode(value, &ps_ptx_format_single, rounding, satfinite);
        return (step->flags & FTZ) != 0 ? ps_ptx_flush_single(bits) : bits;
    default:
        return ps_ptx_double_raw(value);
    }
}

static guint64 converted(const PsPtxStep *step, guint64 bits)
{
    double value;
    if (ps_ptx_is_integer(step->type2)) {
        value = integer_value(step, bits);
    } else {
        gboolean flush = (step->flags & FTZ) != 0 && step->type2 == PS_PTX_F32;
        value = ps_ptx_convert_value(step->type2, flush ? ps_ptx_flush_single(bits) : bits);
        if ((step->flags & INTEGRAL) != 0)
            value = ps_ptx_integral(value, (PsPtxRounding)(step->flags & ROUNDING));
    }
    if ((step->flags & SAT) != 0)
        value = value > 0 ? MIN(value, 1.0) : 0.0;
    if ((step->flags & RELU) != 0 && signbit(value) && !isnan(value))
        value = 0;
    return encoded(step, value);
}

static void execute_general(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    const guint64 *from = ps_ptx_source(warp, step, 0);
    guint64 result[PS_PTX_LANES];
    for (guint lane = 0; lane < PS_PTX_LANES; lane++)
        result[lane] = converted(step, from[lane]);
    ps_ptx_give(warp, step->to[0], result, mask);
}

static guint flags_of(const PsPtxMnemonic *mnemonic)
{
    static const struct {
        const char *part;
        guint flag;
    } parts[] = {{"ftz", FTZ},      {"sat", SAT},      {"relu", RELU},    {"satfinite", SATFINITE},
                 {"rni", INTEGRAL}, {"rzi", INTEGRAL}, {"rmi", INTEGRAL}, {"rpi", INTEGRAL}};
    guint flags = ps_ptx_rounding(mnemonic);
    for (guint i = 0; i < G_N_ELEMENTS(parts); i++)
        flags |= ps_ptx_has(mnemonic, parts[i].part) ? parts[i].flag : 0;
    return flags;
}

gboolean ps_ptx_convert_to_number(PsPtxDecode *decode, PsPtxStep *step, char **unsupported)
{
    const PsPtxMnemonic *mnemonic = decode->mnemonic;
    PsPtxType to = mnemonic->types[0];
    PsPtxType from = mnemonic->types[1];
    if (mnemonic->n_types != 2 || !(ps_ptx_is_number(to) || to == PS_PTX_TF32) ||
        !(ps_ptx_is_integer(from) || ps_ptx_is_number(from)))
        return FALSE;
    if (ps_ptx_has(mnemonic, "rs") || !ps_ptx_convert_decode(decode, step, 1))
        return ps_ptx_cannot(decode, step, unsupported);
    step->flags = flags_of(mnemonic);
    step->execute = execute_general;
    for (guint i = 0; i < G_N_ELEMENTS(common); i++)
        if (common[i].to == to && common[i].from == from && common[i].flags == step->flags)
            ps_ptx_operate(decode, step, common[i].operation);
    return TRUE;
}
