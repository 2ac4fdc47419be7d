/* SPDX-License-Identifier: BSD-3-Clause */
/* Turns measured figures into the decimals that a description states. */
#include "latency-bench/describe/describe.h"

#include <math.h>

/* Digits of a figure: the usual limit, and the limit that keeps it inside of a narrow interval. */
#define DIGITS 4
#define MOST_DIGITS 9

/* Digits behind the point that ps_rational_parse takes. */
#define MOST_PLACES 9

/* Rounds to that many significant digits. FALSE: the result is no decimal above 0. */
static gboolean round_to(double value, int digits, PsRational *result)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE + 32];
    const int places = digits - 1 - (int)floor(log10(value));
    const double unit = pow(10, places);
    g_snprintf(text, sizeof text, "%.*f", CLAMP(places, 0, MOST_PLACES),
               places < 0 ? round(value * unit) / unit : value);
    return ps_rational_parse(text, result) && result->num > 0;
}

/* TRUE if the rounded value is near enough. */
static gboolean is_close(const PsEstimate *estimate, int digits, double rounded)
{
    const gboolean bounded = isfinite(estimate->low) && isfinite(estimate->high) &&
                             estimate->low < estimate->high && estimate->low <= estimate->value &&
                             estimate->value <= estimate->high;
    if (!bounded)
        return digits >= DIGITS;
    if (digits >= DIGITS)
        return estimate->low <= rounded && rounded <= estimate->high;
    return fabs(rounded - estimate->value) <= (estimate->high - estimate->low) / 8;
}

PsRational ps_describe_decimal(const PsEstimate *estimate)
{
    PsRational result = PS_RATIONAL_INT(0);
    if (!(estimate->value > 0) || estimate->value > PS_MAX_LATENCY)
        return PS_RATIONAL_INT(0);
    for (int digits = 1; digits <= MOST_DIGITS; digits++) {
        if (round_to(estimate->value, digits, &result) &&
            is_close(estimate, digits, ps_rational_to_double(result)))
            return result;
    }
    /* A narrower interval is a formality. */
    return result.num > 0 ? result : PS_RATIONAL_INT(0);
}

PsRational ps_describe_figure(double value)
{
    return ps_describe_decimal(&(PsEstimate){value, NAN, NAN});
}
