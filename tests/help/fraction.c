/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Exact fractions for the slow simulator: see fraction.h.
 */
#include "tests/help/fraction.h"

static FractionInt times(FractionInt a, FractionInt b)
{
    FractionInt product;
    if (__builtin_mul_overflow(a, b, &product))
        g_error("a fraction does not fit 128 bits");
    return product;
}

static FractionInt plus(FractionInt a, FractionInt b)
{
    FractionInt sum;
    if (__builtin_add_overflow(a, b, &sum))
        g_error("a fraction does not fit 128 bits");
    return sum;
}

static FractionInt common_divisor(FractionInt a, FractionInt b)
{
    while (b != 0) {
        FractionInt rest = a % b;
        a = b;
        b = rest;
    }
    return a < 0 ? -a : a;
}

static Fraction lowest(FractionInt num, FractionInt den)
{
    if (den == 0)
        g_error("a fraction is divided by zero");
    FractionInt divisor = common_divisor(num, den);
    if (den < 0)
        divisor = -divisor;
    return (Fraction){num / divisor, den / divisor};
}

Fraction fraction(gint64 num, gint64 den)
{
    return lowest(num, den);
}

Fraction fraction_of(PsRational rational)
{
    return lowest(rational.num, rational.den);
}

Fraction fraction_add(Fraction a, Fraction b)
{
    return lowest(plus(times(a.num, b.den), times(b.num, a.den)), times(a.den, b.den));
}

Fraction fraction_sub(Fraction a, Fraction b)
{
    return fraction_add(a, (Fraction){-b.num, b.den});
}

Fraction fraction_mul(Fraction a, Fraction b)
{
    return lowest(times(a.num, b.num), times(a.den, b.den));
}

Fraction fraction_div(Fraction a, Fraction b)
{
    return lowest(times(a.num, b.den), times(a.den, b.num));
}

gboolean fraction_less(Fraction a, Fraction b)
{
    return times(a.num, b.den) < times(b.num, a.den);
}

Fraction fraction_min(Fraction a, Fraction b)
{
    return fraction_less(b, a) ? b : a;
}

Fraction fraction_max(Fraction a, Fraction b)
{
    return fraction_less(a, b) ? b : a;
}

gint64 fraction_ceil(Fraction a, gint64 of)
{
    return (gint64)(plus(times(a.num, of), a.den - 1) / a.den);
}

gint64 fraction_round(Fraction a, gint64 of)
{
    return (gint64)(plus(times(times(a.num, of), 2), a.den) / times(a.den, 2));
}

gint64 fraction_whole(Fraction a, gint64 of)
{
    FractionInt product = times(a.num, of);
    if (product % a.den != 0)
        g_error("a time is no whole number of ticks");
    return (gint64)(product / a.den);
}
