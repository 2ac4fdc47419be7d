/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Singles rounded toward zero, down or up, without a mode of the processor: loops over them have
 * vectors. A double holds a product of two singles, and a sum with a bit that stands for the rest
 * (ps_ptx_sum_odd). Such a double lies on the same side of each single as the exact number.
 */
#ifndef PIPESIM_PTX_ALU_DIRECTED_H
#define PIPESIM_PTX_ALU_DIRECTED_H

#include "ptx/step/number.h"

G_BEGIN_DECLS

/* The bits of a double as a single; `how` is a constant. */
static inline guint64 ps_ptx_directed(double value, PsPtxRounding how)
{
    const float single = (float)value;
    const guint32 bits = (guint32)ps_ptx_single_bits(single), sign = bits >> 31;
    const double back = (double)single;
    if (how == PS_PTX_ZERO)
        return bits - (guint32)(fabs(back) > fabs(value));
    const guint32 up = 1 - 2 * sign; /* leads to the next single above */
    if (how == PS_PTX_UP)
        return bits + ((0 - (guint32)(back < value)) & up);
    return bits - ((0 - (guint32)(back > value)) & up);
}

/* a + b. The sum of zeros with both signs is negative only if the rounding is down, and so is that
 * of numbers that cancel each other. */
static inline guint64 ps_ptx_directed_sum(double a, double b, PsPtxRounding how)
{
    const guint64 signs = (ps_ptx_double_raw(a) ^ ps_ptx_double_raw(b)) >> 63;
    const double sum = ps_ptx_sum_odd(a, b);
    const guint64 is_zero = ps_ptx_double_raw(sum) << 1 == 0 ? 1 : 0;
    return ps_ptx_directed(sum, how) | (how == PS_PTX_DOWN ? (is_zero & signs) << 31 : 0);
}

static inline double ps_ptx_product(guint64 a, guint64 b)
{
    return (double)ps_ptx_single(a) * (double)ps_ptx_single(b);
}

G_END_DECLS
#endif
