/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Integer instructions on two halves of 32 bits: .u16x2 and .s16x2.
 */
#include "ptx/alu/integer.h"

static inline guint32 both(guint32 low, guint32 high)
{
    return (low & 0xffff) | high << 16;
}

static inline guint32 saturated(gint32 value)
{
    return (guint32)CLAMP(value, G_MININT16, G_MAXINT16);
}

static inline guint32 saturated_u(gint32 value)
{
    return (guint32)CLAMP(value, 0, G_MAXUINT16);
}

/* Both halves of each source, signed and unsigned. */
#define LOW_A ((gint32)(gint16)a)
#define HIGH_A ((gint32)(gint16)(a >> 16))
#define LOW_B ((gint32)(gint16)b)
#define HIGH_B ((gint32)(gint16)(b >> 16))
#define LOW_UA ((gint32)(a & 0xffff))
#define HIGH_UA ((gint32)(a >> 16))
#define LOW_UB ((gint32)(b & 0xffff))
#define HIGH_UB ((gint32)(b >> 16))

PS_PTX_EACH_2(add_x2, guint32, guint32, both(a + b, (a >> 16) + (b >> 16)))
PS_PTX_EACH_2(sub_x2, guint32, guint32, both(a - b, (a >> 16) - (b >> 16)))
PS_PTX_EACH_2(add_sat_s16x2, guint32, guint32,
              both(saturated(LOW_A + LOW_B), saturated(HIGH_A + HIGH_B)))
PS_PTX_EACH_2(sub_sat_s16x2, guint32, guint32,
              both(saturated(LOW_A - LOW_B), saturated(HIGH_A - HIGH_B)))
PS_PTX_EACH_2(add_sat_u16x2, guint32, guint32,
              both(saturated_u(LOW_UA + LOW_UB), saturated_u(HIGH_UA + HIGH_UB)))
PS_PTX_EACH_2(sub_sat_u16x2, guint32, guint32,
              both(saturated_u(LOW_UA - LOW_UB), saturated_u(HIGH_UA - HIGH_UB)))
PS_PTX_EACH_2(min_u16x2, guint32, guint32,
              both((guint32)MIN(LOW_UA, LOW_UB), (guint32)MIN(HIGH_UA, HIGH_UB)))
PS_PTX_EACH_2(max_u16x2, guint32, guint32,
              both((guint32)MAX(LOW_UA, LOW_UB), (guint32)MAX(HIGH_UA, HIGH_UB)))
PS_PTX_EACH_2(min_s16x2, guint32, guint32,
              both((guint32)MIN(LOW_A, LOW_B), (guint32)MIN(HIGH_A, HIGH_B)))
PS_PTX_EACH_2(max_s16x2, guint32, guint32,
              both((guint32)MAX(LOW_A, LOW_B), (guint32)MAX(HIGH_A, HIGH_B)))
PS_PTX_EACH_2(min_relu_s16x2, guint32, guint32,
              both((guint32)MAX(MIN(LOW_A, LOW_B), 0), (guint32)MAX(MIN(HIGH_A, HIGH_B), 0)))
PS_PTX_EACH_2(max_relu_s16x2, guint32, guint32,
              both((guint32)MAX(MAX(LOW_A, LOW_B), 0), (guint32)MAX(MAX(HIGH_A, HIGH_B), 0)))
PS_PTX_EACH_1(neg_s16x2, guint32, guint32, both(0 - a, 0 - (a >> 16)))
PS_PTX_EACH_1(abs_s16x2, guint32, guint32, both((guint32)ABS(LOW_A), (guint32)ABS(HIGH_A)))

static const PsPtxEntry table[] = {
    {"add.u16x2", add_x2, 2, {PS_PTX_B32}},
    {"add.s16x2", add_x2, 2, {PS_PTX_B32}},
    {"sub.u16x2", sub_x2, 2, {PS_PTX_B32}},
    {"sub.s16x2", sub_x2, 2, {PS_PTX_B32}},
    {"add.sat.u16x2", add_sat_u16x2, 2, {PS_PTX_B32}},
    {"add.sat.s16x2", add_sat_s16x2, 2, {PS_PTX_B32}},
    {"sub.sat.u16x2", sub_sat_u16x2, 2, {PS_PTX_B32}},
    {"sub.sat.s16x2", sub_sat_s16x2, 2, {PS_PTX_B32}},
    {"min.u16x2", min_u16x2, 2, {PS_PTX_B32}},
    {"max.u16x2", max_u16x2, 2, {PS_PTX_B32}},
    {"min.s16x2", min_s16x2, 2, {PS_PTX_B32}},
    {"max.s16x2", max_s16x2, 2, {PS_PTX_B32}},
    {"min.relu.s16x2", min_relu_s16x2, 2, {PS_PTX_B32}},
    {"min.s16x2.relu", min_relu_s16x2, 2, {PS_PTX_B32}},
    {"max.relu.s16x2", max_relu_s16x2, 2, {PS_PTX_B32}},
    {"max.s16x2.relu", max_relu_s16x2, 2, {PS_PTX_B32}},
    {"neg.s16x2", neg_s16x2, 1, {PS_PTX_B32}},
    {"abs.s16x2", abs_s16x2, 1, {PS_PTX_B32}},
};

gboolean ps_ptx_packed(PsPtxDecode *decode, PsPtxStep *step, char **unsupported)
{
    return ps_ptx_entry(table, G_N_ELEMENTS(table), decode, step, unsupported);
}
