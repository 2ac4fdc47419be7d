/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Exact fractions of 64-bit integers. Latencies, parameters, trip counts and cycles are these and
 * never doubles, so that equal inputs give bit-equal outputs on every machine
 * (docs/reference/model.md, section 3).
 */
#ifndef PIPESIM_BASE_RATIONAL_H
#define PIPESIM_BASE_RATIONAL_H

#include <glib.h>

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* num / den in lowest terms, den > 0. */
typedef struct {
    gint64 num;
    gint64 den;
} PsRational;

/* A whole number as a fraction. */
#define PS_RATIONAL_INT(n) ((PsRational){(n), 1})

/* num / den in lowest terms. FALSE when den is 0 or the reduced fraction does not fit. */
gboolean ps_rational_make(gint64 num, gint64 den, PsRational *result);

/* Reads a plain decimal number ("12", "0.25", "-3.5"; no exponent, no blanks, at most 9 digits
 * after the point). FALSE when text is anything else or out of range. */
gboolean ps_rational_parse(const char *text, PsRational *result);

/* The four operations. FALSE on overflow, and for a division by zero. */
gboolean ps_rational_add(PsRational a, PsRational b, PsRational *result);
gboolean ps_rational_sub(PsRational a, PsRational b, PsRational *result);
gboolean ps_rational_mul(PsRational a, PsRational b, PsRational *result);
gboolean ps_rational_div(PsRational a, PsRational b, PsRational *result);

/* Below, at or above zero as a is less than, equal to or greater than b. */
int ps_rational_cmp(PsRational a, PsRational b);

/* The greatest integer not above a, the least not below a. */
gint64 ps_rational_floor(PsRational a);
gint64 ps_rational_ceil(PsRational a);

/* Whether the denominator is 1. */
gboolean ps_rational_is_int(PsRational a);

/* Widens *den, which is above 0, to the least common multiple of itself and the denominator of a:
 * a * *den is a whole number then. Starting at 1, this finds the common denominator of many
 * fractions. FALSE, and *den as it was, where that does not fit. */
gboolean ps_rational_common_denominator(PsRational a, gint64 *den);

/* The nearest double. */
double ps_rational_to_double(PsRational a);

/* The exact decimal if there is one ("7608491.75"), else "num/den". Free with g_free. */
char *ps_rational_format(PsRational a);

#pragma GCC visibility pop
G_END_DECLS
#endif
