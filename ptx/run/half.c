/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Conversions by arithmetic: exact ones by ldexp, rounding ones by rint of the value in units of
 * its last place.
 */
#include "ptx/run/half.h"
#include <math.h>

/* A format of 16 bits: bits of the fraction, and the least exponent. */
typedef struct {
    int fraction, least, most;
} Format;

static const Format half = {10, -14, 15};
static const Format bfloat = {7, -126, 127};

static double from_bits(guint16 bits, const Format *format)
{
    const guint mask = (1U << format->fraction) - 1;
    const guint fraction = bits & mask, exponent = (bits & 0x7fffU) >> format->fraction;
    double value;

    if (exponent == 0)
        value = ldexp(fraction, format->least - format->fraction);
    else if (exponent == 0x7fffU >> format->fraction)
        value = fraction != 0 ? (double)NAN : (double)INFINITY;
    else
        value = ldexp(fraction + mask + 1, format->least - format->fraction + (int)exponent - 1);
    return (bits & 0x8000U) != 0 ? -value : value;
}

static guint16 to_bits(double value, const Format *format)
{
    const guint16 sign = signbit(value) ? 0x8000U : 0;
    const guint16 infinity = (guint16)(0x7fffU >> format->fraction << format->fraction);
    int exponent;

    if (isnan(value))
        return 0x7fffU;
    if (isinf(value))
        return sign | infinity;
    if (value == 0)
        return sign;
    frexp(value, &exponent);
    exponent = MAX(exponent - 1, format->least);
    double units = rint(ldexp(fabs(value), format->fraction - exponent));
    if (exponent > format->most)
        return sign | infinity;
    /* A carry out of the fraction goes on into the exponent, as it should. */
    guint bits = (guint)units + ((guint)(exponent - format->least) << format->fraction);
    return (guint16)(sign | MIN(bits, infinity));
}

double ps_ptx_from_half(guint16 bits)
{
    return from_bits(bits, &half);
}

double ps_ptx_from_bfloat(guint16 bits)
{
    return from_bits(bits, &bfloat);
}

guint16 ps_ptx_to_half(double value)
{
    return to_bits(value, &half);
}

guint16 ps_ptx_to_bfloat(double value)
{
    return to_bits(value, &bfloat);
}
