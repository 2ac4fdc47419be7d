/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Floating-point numbers in slots: their bits, the effect of .ftz, .sat and NaN, and the formats
 * narrower than a single, which are computed as doubles and rounded once. A double has more than
 * twice the bits of a half, so rounding a sum, product or quotient to it first does no harm.
 * Operations of three operands are rounded to odd, which never does harm.
 */
#ifndef PIPESIM_PTX_STEP_NUMBER_H
#define PIPESIM_PTX_STEP_NUMBER_H

#include "ptx/step/lane.h"
#include <math.h>

G_BEGIN_DECLS

#define PS_PTX_NAN_SINGLE 0x7fffffffu
#define PS_PTX_NAN_HALF 0x7fffu
#define PS_PTX_NAN_DOUBLE G_GUINT64_CONSTANT(0xfff8000000000000)

typedef enum {
    PS_PTX_NEAREST, /* .rn */
    PS_PTX_ZERO,    /* .rz */
    PS_PTX_DOWN,    /* .rm */
    PS_PTX_UP,      /* .rp */
    PS_PTX_AWAY     /* .rna: nearest, ties away from zero */
} PsPtxRounding;

/* The rounding that a mnemonic states (.rn, .rz, ...); NEAREST without. */
PsPtxRounding ps_ptx_rounding(const PsPtxMnemonic *mnemonic);

/* Sets the C library's mode and returns what it was, which the caller restores with fesetround. */
int ps_ptx_set_rounding(PsPtxRounding rounding);

/* Rounded to an integral number. */
double ps_ptx_integral(double value, PsPtxRounding rounding);

/* TRUE if a magnitude is rounded up. rest: the bits that are dropped; half: half of the last bit
 * that is kept; odd: whether that bit is set. */
gboolean ps_ptx_rounds_up(guint64 rest, guint64 half, gboolean odd, gboolean negative,
                          PsPtxRounding rounding);

static inline float ps_ptx_single(guint64 bits)
{
    guint32 low = (guint32)bits;
    float value;
    memcpy(&value, &low, sizeof value);
    return value;
}

static inline guint64 ps_ptx_single_raw(float value)
{
    guint32 bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* All NaN become the same one. */
static inline guint64 ps_ptx_single_bits(float value)
{
    return value != value ? PS_PTX_NAN_SINGLE : ps_ptx_single_raw(value);
}

static inline double ps_ptx_double(guint64 bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline guint64 ps_ptx_double_raw(double value)
{
    guint64 bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* A subnormal becomes a zero of its sign. */
static inline guint64 ps_ptx_flush_single(guint64 bits)
{
    return (bits & 0x7f800000) == 0 ? bits & 0x80000000 : bits;
}

static inline guint64 ps_ptx_flush_half(guint64 bits)
{
    return (bits & 0x7c00) == 0 ? bits & 0x8000 : bits;
}

static inline guint64 ps_ptx_flush_bfloat(guint64 bits)
{
    return (bits & 0x7f80) == 0 ? bits & 0x8000 : bits;
}

/* A format of a sign, an exponent and a mantissa in this order. */
typedef struct {
    guint exponent, mantissa; /* bits */
    gint bias;
    guint32 most;     /* code of the largest finite number */
    guint32 infinity; /* the code of infinity, or of NaN if there is none */
    guint32 nan;      /* code */
} PsPtxFormat;

extern const PsPtxFormat ps_ptx_format_half, ps_ptx_format_bfloat, ps_ptx_format_tf32,
    ps_ptx_format_single, ps_ptx_format_e4m3, ps_ptx_format_e5m2, ps_ptx_format_e2m1,
    ps_ptx_format_e2m3, ps_ptx_format_e3m2;

/* A double in that format. satfinite: the largest number if it overflows. */
guint32 ps_ptx_encode(double value, const PsPtxFormat *format, PsPtxRounding rounding,
                      gboolean satfinite);

/* The number that a code of the format stands for, exactly. */
double ps_ptx_decode_format(guint32 code, const PsPtxFormat *format);

/* A half's value without branches. */
static inline float ps_ptx_half_value(guint64 bits)
{
    guint32 magnitude = (guint32)(bits & 0x7fff) << 13;
    float value = ps_ptx_single(magnitude) * 0x1p112f;
    guint32 large = (bits & 0x7c00) == 0x7c00 ? 0x7f800000 : 0;
    guint32 sign = (guint32)(bits & 0x8000) << 16;
    return ps_ptx_single(((guint32)ps_ptx_single_raw(value) & ~(large & 0x7f800000)) | large |
                         sign);
}

static inline float ps_ptx_bfloat_value(guint64 bits)
{
    return ps_ptx_single((bits & 0xffff) << 16);
}

/* a + b rounded to odd: if a double cannot hold it, the neighbour whose last bit is set. To nearest
 * must be the C library's mode. */
static inline double ps_ptx_sum_odd(double a, double b)
{
    double sum = a + b;
    double part = sum - a;
    double rest = (a - (sum - part)) + (b - part); /* exactly what sum lacks; NaN of infinities */
    guint64 bits = ps_ptx_double_raw(sum), lacks = ps_ptx_double_raw(rest);
    guint64 closer = (bits ^ lacks) >> 63; /* the exact sum is nearer to zero */
    guint64 infinite = G_GUINT64_CONSTANT(0x7ff0000000000000) << 1;
    guint64 moves = (guint64)(lacks << 1 != 0) & (guint64)(lacks << 1 <= infinite) & ~bits;
    return ps_ptx_double(bits + ((0 - (moves & 1)) & (1 - 2 * closer)));
}

/* A double's value as the bits of a single, rounded to odd. */
static inline guint32 ps_ptx_single_odd(double value)
{
    float single = (float)value;
    guint32 bits = (guint32)ps_ptx_single_raw(single);
    bits -= fabs((double)single) > fabs(value) ? 1 : 0;
    return bits | ((double)single != value ? 1 : 0);
}

/* ps_ptx_encode to nearest for halves and bfloats, without branches: a number too small for a
 * normal half is rounded by adding a number whose last bit is the half's last bit. */
static inline guint64 ps_ptx_half_bits(double value)
{
    guint32 bits = ps_ptx_single_odd(value);
    guint32 magnitude = bits & 0x7fffffff;
    guint32 normal = (magnitude - (112U << 23) + 0xfff + (magnitude >> 13 & 1)) >> 13;
    guint32 subnormal = (guint32)ps_ptx_single_raw(ps_ptx_single(magnitude) + 0.5F) - 0x3f000000;
    guint32 result = magnitude < 113U << 23 ? subnormal : normal;
    result = magnitude >= 143U << 23 ? 0x7c00 : result;
    return value != value ? PS_PTX_NAN_HALF : result | (bits >> 16 & 0x8000);
}

static inline guint64 ps_ptx_bfloat_bits(double value)
{
    guint32 bits = ps_ptx_single_odd(value);
    guint32 rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
    return value != value ? PS_PTX_NAN_HALF : rounded;
}

G_END_DECLS
#endif
