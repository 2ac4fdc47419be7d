/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Exact fractions. Every operation computes in 128 bits, where no product of two 64-bit numbers and
 * no sum of two such products overflows, reduces, and only then asks whether the result fits.
 */
#include "base/rational.h"

__extension__ typedef __int128 Wide;
__extension__ typedef unsigned __int128 UWide;

#define FRACTION_DIGITS 9

static UWide gcd(UWide a, UWide b)
{
    while (b != 0) {
        UWide rest = (a | b) >> 64 ? a % b : (UWide)((guint64)a % (guint64)b);
        a = b;
        b = rest;
    }
    return a;
}

/* num / den, reduced, with a denominator above zero. All operations end here. */
static gboolean reduce(Wide num, Wide den, PsRational *result)
{
    if (den == 0)
        return FALSE;
    if (den < 0) {
        num = -num;
        den = -den;
    }
    Wide divisor = (Wide)gcd(num < 0 ? (UWide)-num : (UWide)num, (UWide)den);
    num /= divisor;
    den /= divisor;
    if (num < G_MININT64 || num > G_MAXINT64 || den > G_MAXINT64)
        return FALSE;
    *result = (PsRational){(gint64)num, (gint64)den};
    return TRUE;
}

gboolean ps_rational_make(gint64 num, gint64 den, PsRational *result)
{
    return reduce(num, den, result);
}

/* Appends the digits at *text to *number and returns how many there were; -1 where the number
 * leaves every range that could still be a result. */
static int take_digits(const char **text, Wide *number)
{
    int count = 0;
    for (; g_ascii_isdigit(**text); (*text)++) {
        if (*number > ((Wide)G_MAXINT64 + 1) * 1000000000)
            return -1;
        *number = *number * 10 + (**text - '0');
        count = MIN(count + 1, FRACTION_DIGITS + 1);
    }
    return count;
}

gboolean ps_rational_parse(const char *text, PsRational *result)
{
    gboolean negative = *text == '-';
    if (negative)
        text++;
    Wide number = 0;
    Wide scale = 1;
    if (take_digits(&text, &number) <= 0)
        return FALSE;
    if (*text == '.') {
        text++;
        int digits = take_digits(&text, &number);
        if (digits <= 0 || digits > FRACTION_DIGITS)
            return FALSE;
        while (digits-- > 0)
            scale *= 10;
    }
    return *text == '\0' && reduce(negative ? -number : number, scale, result);
}

gboolean ps_rational_add(PsRational a, PsRational b, PsRational *result)
{
    return reduce((Wide)a.num * b.den + (Wide)b.num * a.den, (Wide)a.den * b.den, result);
}

gboolean ps_rational_sub(PsRational a, PsRational b, PsRational *result)
{
    return reduce((Wide)a.num * b.den - (Wide)b.num * a.den, (Wide)a.den * b.den, result);
}

gboolean ps_rational_mul(PsRational a, PsRational b, PsRational *result)
{
    return reduce((Wide)a.num * b.num, (Wide)a.den * b.den, result);
}

gboolean ps_rational_div(PsRational a, PsRational b, PsRational *result)
{
    return reduce((Wide)a.num * b.den, (Wide)a.den * b.num, result);
}

int ps_rational_cmp(PsRational a, PsRational b)
{
    Wide left = (Wide)a.num * b.den;
    Wide right = (Wide)b.num * a.den;
    return (left > right) - (left < right);
}

gint64 ps_rational_floor(PsRational a)
{
    return a.num / a.den - (a.num % a.den < 0);
}

gint64 ps_rational_ceil(PsRational a)
{
    return a.num / a.den + (a.num % a.den > 0);
}

gboolean ps_rational_is_int(PsRational a)
{
    return a.den == 1;
}

gboolean ps_rational_common_denominator(PsRational a, gint64 *den)
{
    Wide multiple = (Wide)*den * (a.den / (Wide)gcd((UWide)*den, (UWide)a.den));
    if (multiple > G_MAXINT64)
        return FALSE;
    *den = (gint64)multiple;
    return TRUE;
}

double ps_rational_to_double(PsRational a)
{
    return (double)a.num / (double)a.den;
}

/* A decimal fraction ends if and only if its denominator has no prime factors but 2 and 5. */
static gboolean is_decimal(gint64 den)
{
    while (den % 2 == 0)
        den /= 2;
    while (den % 5 == 0)
        den /= 5;
    return den == 1;
}

char *ps_rational_format(PsRational a)
{
    if (!is_decimal(a.den))
        return g_strdup_printf("%" G_GINT64_FORMAT "/%" G_GINT64_FORMAT, a.num, a.den);
    guint64 size = a.num < 0 ? -(guint64)a.num : (guint64)a.num;
    guint64 den = (guint64)a.den;
    GString *text = g_string_new(a.num < 0 ? "-" : NULL);
    g_string_append_printf(text, "%" G_GUINT64_FORMAT, size / den);
    UWide rest = size % den;
    if (rest != 0)
        g_string_append_c(text, '.');
    for (; rest != 0; rest = rest * 10 % den)
        g_string_append_c(text, (char)('0' + (int)(rest * 10 / den)));
    return g_string_free(text, FALSE);
}
