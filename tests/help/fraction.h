/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Exact fractions of 128-bit integers for the slow simulator, which is to share no arithmetic with
 * the library. Whatever does not fit ends the program.
 */
#ifndef PIPESIM_TESTS_HELP_FRACTION_H
#define PIPESIM_TESTS_HELP_FRACTION_H

#include "base/rational.h"

__extension__ typedef __int128 FractionInt;

/* In lowest terms, den above 0. */
typedef struct {
    FractionInt num, den;
} Fraction;

Fraction fraction(gint64 num, gint64 den);
Fraction fraction_of(PsRational rational);

Fraction fraction_add(Fraction a, Fraction b);
Fraction fraction_sub(Fraction a, Fraction b);
Fraction fraction_mul(Fraction a, Fraction b);
Fraction fraction_div(Fraction a, Fraction b);

gboolean fraction_less(Fraction a, Fraction b);
Fraction fraction_min(Fraction a, Fraction b);
Fraction fraction_max(Fraction a, Fraction b);

/* a in parts of 1/of, rounded up, and to the nearest, halves up; a is not below 0. */
gint64 fraction_ceil(Fraction a, gint64 of);
gint64 fraction_round(Fraction a, gint64 of);

/* a * of, which must be a whole number. */
gint64 fraction_whole(Fraction a, gint64 of);

#endif
