/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Floating-point arithmetic the slow way: numbers are integers of thousands of bits, results are
 * rounded from the exact value. What programs compute fast is held against it.
 */
#ifndef PIPESIM_TESTS_HELP_EXACT_H
#define PIPESIM_TESTS_HELP_EXACT_H

#include <glib.h>

typedef enum { EXACT_NEAREST, EXACT_ZERO, EXACT_DOWN, EXACT_UP, EXACT_AWAY } ExactRounding;

/* A format with infinities and NaN: bits of the exponent and of the mantissa as stored. */
typedef struct {
    guint exponent, mantissa;
    guint64 nan;
} ExactFormat;

extern const ExactFormat exact_half, exact_bfloat, exact_single, exact_double;

gboolean exact_is_nan(const ExactFormat *format, guint64 code);
gboolean exact_is_infinite(const ExactFormat *format, guint64 code);
guint64 exact_sign(const ExactFormat *format); /* the bit of the sign */
/* A subnormal becomes a zero. */
guint64 exact_flush(const ExactFormat *format, guint64 code);

/* a * b + c, rounded once. */
guint64 exact_fma(const ExactFormat *format, guint64 a, guint64 b, guint64 c,
                  ExactRounding rounding);
guint64 exact_add(const ExactFormat *format, guint64 a, guint64 b, ExactRounding rounding);
guint64 exact_mul(const ExactFormat *format, guint64 a, guint64 b, ExactRounding rounding);

/* mantissa * 2^exponent in the format. */
guint64 exact_round(const ExactFormat *format, gboolean negative, guint64 mantissa, gint exponent,
                    ExactRounding rounding);
/* A number of one format in another. */
guint64 exact_convert(const ExactFormat *to, const ExactFormat *from, guint64 code,
                      ExactRounding rounding);

/* TRUE if got is a / b, or the root of a, so rounded; for finite numbers, b and a not zero. */
gboolean exact_is_quotient(const ExactFormat *format, guint64 got, guint64 a, guint64 b,
                           ExactRounding rounding);
gboolean exact_is_root(const ExactFormat *format, guint64 got, guint64 a, ExactRounding rounding);

/* The parts of a finite number. */
void exact_parts(const ExactFormat *format, guint64 code, gboolean *negative, guint64 *mantissa,
                 gint *exponent);

#endif
