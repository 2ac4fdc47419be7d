/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cvt from numbers to integers. They are rounded, then clamped to the integer's range. NaN becomes
 * 0, but the integer that has only its highest bit set where one side has 64 bits.
 */
#include "idg/ptx/alu/convert.h"

static guint64 of_nan(const PsPtxStep *step)
{
    guint bits = ps_ptx_type_size(step->type) * 8;
    return bits == 64 || step->type2 == PS_PTX_F64 ? (guint64)1 << (bits - 1) : 0;
}

static guint64 clamped(double value, PsPtxType type)
{
    guint bits = ps_ptx_type_size(type) * 8;
    if (ps_ptx_is_signed(type)) {
        double limit = ldexp(1.0, (int)bits - 1);
        if (value >= limit)
            return ((guint64)1 << (bits - 1)) - 1;
        return value < -limit ? (guint64)1 << (bits - 1) : (guint64)(gint64)value;
    }
    if (value >= ldexp(1.0, (int)bits))
        return G_MAXUINT64 >> (64 - bits);
    return value <= 0 ? 0 : (guint64)value;
}

/* flags: the rounding, and 16 for .ftz. */
static void execute(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    const guint64 *from = ps_ptx_source(warp, step, 0);
    guint64 result[PS_PTX_LANES];
    for (guint lane = 0; lane < PS_PTX_LANES; lane++) {
        guint64 bits = (step->flags & 16) != 0 ? ps_ptx_flush_single(from[lane]) : from[lane];
        double value = ps_ptx_convert_value(step->type2, bits);
        guint64 whole =
            isnan(value)
                ? of_nan(step)
                : clamped(ps_ptx_integral(value, (PsPtxRounding)(step->flags & 15)), step->type);
        result[lane] = ps_ptx_convert_fit(step, whole);
    }
    ps_ptx_give(warp, step->to[0], result, mask);
}

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
    return TRUE;
}
