/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cvt from and to pairs of scale factors, .ue8m0x2. A code c of eight bits is the power 2^(c -
 * 127); 255 is NaN. There is no sign: a number becomes the power of its magnitude. The first source
 * is the upper one.
 */
#include "ptx/alu/convert.h"

#define NOT_A_SCALE 0xffu
#define LARGEST_SCALE 0xfeu
#define LEAST_SCALE 0x00400000u /* the bits of 2^-127 as a single */
#define INFINITE 0x7f800000u

/* .rz: the power at or below a single's magnitude. A magnitude below 2^-127 becomes 2^-127. */
static inline guint32 scale_below(guint32 single)
{
    return single >> 23 & 0xff;
}

/* .rp: the power at or above the magnitude. */
static inline guint32 scale_above(guint32 single)
{
    const guint32 magnitude = single & G_MAXINT32;
    const gboolean between = (magnitude & 0x7fffff) != 0;
    return (magnitude >> 23) + (between && magnitude > LEAST_SCALE && magnitude < INFINITE);
}

/* .satfinite: the largest power for all larger magnitudes. NaN stays. */
static inline guint32 finite_scale(guint32 scale, guint32 single)
{
    return scale == NOT_A_SCALE && (single & G_MAXINT32) <= INFINITE ? LARGEST_SCALE : scale;
}

static inline guint32 finite_scale_below(guint32 single)
{
    return finite_scale(scale_below(single), single);
}

static inline guint32 finite_scale_above(guint32 single)
{
    return finite_scale(scale_above(single), single);
}

static inline guint32 bfloat_of(guint32 scale)
{
    return scale == NOT_A_SCALE ? PS_PTX_NAN_HALF : scale == 0 ? LEAST_SCALE >> 16 : scale << 7;
}

/* The two scales of a pair. The upper one comes from the first source, or from the upper half of
 * the only one. */
#define SCALES(NAME, SCALE)                                                                        \
    PS_PTX_EACH_2(NAME##_f32, guint32, guint32, SCALE(a) << 8 | SCALE(b))                          \
    PS_PTX_EACH_1(NAME##_bf16x2, guint32, guint32, SCALE(a & 0xffff0000) << 8 | SCALE(a << 16))

SCALES(below, scale_below)
SCALES(above, scale_above)
SCALES(finite_below, finite_scale_below)
SCALES(finite_above, finite_scale_above)
PS_PTX_EACH_1(bfloats, guint32, guint32, bfloat_of(a >> 8 & 0xff) << 16 | bfloat_of(a & 0xff))

static const PsPtxEntry table[] = {
    {"cvt.rz.ue8m0x2.f32", below_f32, 2, {PS_PTX_F32}},
    {"cvt.rp.ue8m0x2.f32", above_f32, 2, {PS_PTX_F32}},
    {"cvt.rz.satfinite.ue8m0x2.f32", finite_below_f32, 2, {PS_PTX_F32}},
    {"cvt.rp.satfinite.ue8m0x2.f32", finite_above_f32, 2, {PS_PTX_F32}},
    {"cvt.rz.ue8m0x2.bf16x2", below_bf16x2, 1, {PS_PTX_B32}},
    {"cvt.rp.ue8m0x2.bf16x2", above_bf16x2, 1, {PS_PTX_B32}},
    {"cvt.rz.satfinite.ue8m0x2.bf16x2", finite_below_bf16x2, 1, {PS_PTX_B32}},
    {"cvt.rp.satfinite.ue8m0x2.bf16x2", finite_above_bf16x2, 1, {PS_PTX_B32}},
    {"cvt.rn.bf16x2.ue8m0x2", bfloats, 1, {PS_PTX_B16}},
};

gboolean ps_ptx_convert_scale(PsPtxDecode *decode, PsPtxStep *step, char **unsupported)
{
    return ps_ptx_entry(table, G_N_ELEMENTS(table), decode, step, unsupported);
}
