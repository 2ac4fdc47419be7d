/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Integer addition, subtraction, division, minimum and maximum: instructions whose result has the
 * size of their sources. A division by zero gives ones, as devices do, and the remainder is the
 * dividend; the least number divided by -1 is itself.
 */
#include "ptx/alu/integer.h"

PS_PTX_EACH_2(add_16, guint16, guint32, a + b)
PS_PTX_EACH_2(add_32, guint32, guint32, a + b)
PS_PTX_EACH_2(add_64, guint64, guint64, a + b)
PS_PTX_EACH_2(sub_16, guint16, guint32, a - b)
PS_PTX_EACH_2(sub_32, guint32, guint32, a - b)
PS_PTX_EACH_2(sub_64, guint64, guint64, a - b)

PS_PTX_EACH_2(min_u16, guint16, guint16, MIN(a, b))
PS_PTX_EACH_2(min_u32, guint32, guint32, MIN(a, b))
PS_PTX_EACH_2(min_u64, guint64, guint64, MIN(a, b))
PS_PTX_EACH_2(min_s16, guint16, gint16, MIN(a, b))
PS_PTX_EACH_2(min_s32, guint32, gint32, MIN(a, b))
PS_PTX_EACH_2(min_s64, guint64, gint64, MIN(a, b))
PS_PTX_EACH_2(max_u16, guint16, guint16, MAX(a, b))
PS_PTX_EACH_2(max_u32, guint32, guint32, MAX(a, b))
PS_PTX_EACH_2(max_u64, guint64, guint64, MAX(a, b))
PS_PTX_EACH_2(max_s16, guint16, gint16, MAX(a, b))
PS_PTX_EACH_2(max_s32, guint32, gint32, MAX(a, b))
PS_PTX_EACH_2(max_s64, guint64, gint64, MAX(a, b))
PS_PTX_EACH_2(min_relu_s32, guint32, gint32, MAX(MIN(a, b), 0))
PS_PTX_EACH_2(max_relu_s32, guint32, gint32, MAX(MAX(a, b), 0))

static inline guint32 saturated(gint64 value)
{
    return (guint32)(gint32)CLAMP(value, G_MININT32, G_MAXINT32);
}

PS_PTX_EACH_2(add_sat_s32, guint32, gint32, saturated((gint64)a + b))
PS_PTX_EACH_2(sub_sat_s32, guint32, gint32, saturated((gint64)a - b))
PS_PTX_EACH_2(add_sat_u32, guint32, guint32, a + b < a ? G_MAXUINT32 : a + b)
PS_PTX_EACH_2(sub_sat_u32, guint32, guint32, a < b ? 0 : a - b)

PS_PTX_EACH_1(neg_16, guint16, guint32, 0 - a)
PS_PTX_EACH_1(neg_32, guint32, guint32, 0 - a)
PS_PTX_EACH_1(neg_64, guint64, guint64, 0 - a)
PS_PTX_EACH_1(abs_s16, guint16, gint16, a < 0 ? 0 - (guint32)a : (guint32)a)
PS_PTX_EACH_1(abs_s32, guint32, gint32, a < 0 ? 0 - (guint32)a : (guint32)a)
PS_PTX_EACH_1(abs_s64, guint64, gint64, a < 0 ? 0 - (guint64)a : (guint64)a)

static inline gint64 divided(gint64 a, gint64 b)
{
    return b == 0 ? -1 : b == -1 ? (gint64)(0 - (guint64)a) : a / b;
}

static inline gint64 left_over(gint64 a, gint64 b)
{
    return b == 0 ? a : b == -1 ? 0 : a % b;
}

PS_PTX_EACH_2(div_u16, guint16, guint16, b == 0 ? G_MAXUINT16 : a / b)
PS_PTX_EACH_2(div_u32, guint32, guint32, b == 0 ? G_MAXUINT32 : a / b)
PS_PTX_EACH_2(div_u64, guint64, guint64, b == 0 ? G_MAXUINT64 : a / b)
PS_PTX_EACH_2(div_s16, guint16, gint16, divided(a, b))
PS_PTX_EACH_2(div_s32, guint32, gint32, divided(a, b))
PS_PTX_EACH_2(div_s64, guint64, gint64, divided(a, b))
PS_PTX_EACH_2(rem_u16, guint16, guint16, b == 0 ? a : a % b)
PS_PTX_EACH_2(rem_u32, guint32, guint32, b == 0 ? a : a % b)
PS_PTX_EACH_2(rem_u64, guint64, guint64, b == 0 ? a : a % b)
PS_PTX_EACH_2(rem_s16, guint16, gint16, left_over(a, b))
PS_PTX_EACH_2(rem_s32, guint32, gint32, left_over(a, b))
PS_PTX_EACH_2(rem_s64, guint64, gint64, left_over(a, b))

/* c + |a - b| */
PS_PTX_EACH_3(sad_u16, guint16, guint16, (guint32)c + (guint32)(a > b ? a - b : b - a))
PS_PTX_EACH_3(sad_u32, guint32, guint32, c + (a > b ? a - b : b - a))
PS_PTX_EACH_3(sad_u64, guint64, guint64, c + (a > b ? a - b : b - a))
PS_PTX_EACH_3(sad_s16, guint16, gint16, (guint32)c + (guint32)(a > b ? a - b : b - a))
PS_PTX_EACH_3(sad_s32, guint32, gint32,
              (guint32)c + (a > b ? (guint32)a - (guint32)b : (guint32)b - (guint32)a))
PS_PTX_EACH_3(sad_s64, guint64, gint64,
              (guint64)c + (a > b ? (guint64)a - (guint64)b : (guint64)b - (guint64)a))

static const PsPtxEntry table[] = {
    PS_PTX_ALIKE("add", add, 2),
    PS_PTX_ALIKE("sub", sub, 2),
    PS_PTX_UNSIGNED("min", min, 2),
    PS_PTX_SIGNED("min", min, 2),
    PS_PTX_UNSIGNED("max", max, 2),
    PS_PTX_SIGNED("max", max, 2),
    {"min.relu.s32", min_relu_s32, 2, {PS_PTX_S32}},
    {"max.relu.s32", max_relu_s32, 2, {PS_PTX_S32}},
    {"add.sat.s32", add_sat_s32, 2, {PS_PTX_S32}},
    {"sub.sat.s32", sub_sat_s32, 2, {PS_PTX_S32}},
    {"add.sat.u32", add_sat_u32, 2, {PS_PTX_U32}},
    {"sub.sat.u32", sub_sat_u32, 2, {PS_PTX_U32}},
    {"neg.s16", neg_16, 1, {PS_PTX_S16}},
    {"neg.s32", neg_32, 1, {PS_PTX_S32}},
    {"neg.s64", neg_64, 1, {PS_PTX_S64}},
    PS_PTX_SIGNED("abs", abs, 1),
    PS_PTX_UNSIGNED("div", div, 2),
    PS_PTX_SIGNED("div", div, 2),
    PS_PTX_UNSIGNED("rem", rem, 2),
    PS_PTX_SIGNED("rem", rem, 2),
    PS_PTX_UNSIGNED("sad", sad, 3),
    PS_PTX_SIGNED("sad", sad, 3),
};

gboolean ps_ptx_add(PsPtxDecode *decode, PsPtxStep *step, char **unsupported)
{
    return ps_ptx_entry(table, G_N_ELEMENTS(table), decode, step, unsupported);
}
