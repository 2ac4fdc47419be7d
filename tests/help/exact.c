/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A number is a sign and a magnitude in units of 2^LEAST, wide enough for the product of any two
 * doubles and a third.
 */
#include "tests/help/exact.h"
#include <string.h>

#define LIMBS 140
#define LEAST (-2240)

__extension__ typedef unsigned __int128 Wide;

typedef struct {
    gboolean negative;
    guint32 limb[LIMBS]; /* lowest first */
} Number;

const ExactFormat exact_half = {5, 10, 0x7fff};
const ExactFormat exact_bfloat = {8, 7, 0x7fff};
const ExactFormat exact_single = {8, 23, 0x7fffffff};
const ExactFormat exact_double = {11, 52, G_GUINT64_CONSTANT(0xfff8000000000000)};

static guint64 one(guint at)
{
    return (guint64)1 << at;
}

static guint exponent_of(const ExactFormat *format, guint64 code)
{
    return (guint)(code >> format->mantissa & (one(format->exponent) - 1));
}

guint64 exact_sign(const ExactFormat *format)
{
    return one(format->exponent + format->mantissa);
}

static gboolean special(const ExactFormat *format, guint64 code)
{
    return exponent_of(format, code) == one(format->exponent) - 1;
}

gboolean exact_is_nan(const ExactFormat *format, guint64 code)
{
    return special(format, code) && (code & (one(format->mantissa) - 1)) != 0;
}

gboolean exact_is_infinite(const ExactFormat *format, guint64 code)
{
    return special(format, code) && (code & (one(format->mantissa) - 1)) == 0;
}

guint64 exact_flush(const ExactFormat *format, guint64 code)
{
    return exponent_of(format, code) == 0 ? code & exact_sign(format) : code;
}

void exact_parts(const ExactFormat *format, guint64 code, gboolean *negative, guint64 *mantissa,
                 gint *exponent)
{
    gint bias = (1 << (format->exponent - 1)) - 1;
    guint biased = exponent_of(format, code);
    *negative = (code & exact_sign(format)) != 0;
    *mantissa = (code & (one(format->mantissa) - 1)) + (biased != 0 ? one(format->mantissa) : 0);
    *exponent = (gint)MAX(biased, 1) - bias - (gint)format->mantissa;
}

static gint compare(const Number *a, const Number *b)
{
    for (guint i = LIMBS; i-- > 0;)
        if (a->limb[i] != b->limb[i])
            return a->limb[i] < b->limb[i] ? -1 : 1;
    return 0;
}

static void add_to(Number *sum, const Number *b)
{
    if (sum->negative == b->negative) {
        guint64 carry = 0;
        for (guint i = 0; i < LIMBS; i++) {
            carry += (guint64)sum->limb[i] + b->limb[i];
            sum->limb[i] = (guint32)carry;
            carry >>= 32;
        }
        return;
    }
    Number larger = *sum, smaller = *b;
    if (compare(sum, b) < 0) {
        larger = *b;
        smaller = *sum;
    }
    gint64 borrow = 0;
    for (guint i = 0; i < LIMBS; i++) {
        borrow += (gint64)larger.limb[i] - smaller.limb[i];
        larger.limb[i] = (guint32)borrow;
        borrow >>= 32;
    }
    *sum = larger;
}

static void add_product(Number *sum, gboolean negative, guint64 a, guint64 b, gint exponent)
{
    Number product = {negative, {0}};
    Wide value = (Wide)a * b;
    guint at = (guint)(exponent - LEAST);
    guint shift = at % 32;
    guint64 halves[2] = {(guint64)value, (guint64)(value >> 64)};
    for (guint i = 0; i < 2; i++) {
        Wide shifted = (Wide)halves[i] << shift;
        for (guint j = 0; j < 3; j++)
            product.limb[at / 32 + i * 2 + j] |= (guint32)(shifted >> (j * 32));
    }
    add_to(sum, &product);
}

static gboolean is_zero(const Number *number)
{
    for (guint i = 0; i < LIMBS; i++)
        if (number->limb[i] != 0)
            return FALSE;
    return TRUE;
}

static guint bit(const Number *number, gint at)
{
    return at < 0 ? 0 : number->limb[at / 32] >> (at % 32) & 1;
}

static gint highest(const Number *number)
{
    guint limb = LIMBS - 1;
    while (number->limb[limb] == 0)
        limb--;
    return (gint)(limb * 32 + g_bit_storage(number->limb[limb])) - 1;
}

/* What lies below a bit: 0 nothing, 1 less than half of it, 2 half, 3 more. */
static guint below(const Number *number, gint at)
{
    guint half = bit(number, at - 1);
    for (gint i = 0; i < at - 1; i += 32) {
        const gint more = at - 1 - i;
        const guint32 mask = more >= 32 ? G_MAXUINT32 : ((guint32)1 << more) - 1;
        if ((number->limb[i / 32] & mask) != 0)
            return half * 2 + 1;
    }
    return half * 2;
}

static gboolean goes_up(guint rest, guint odd, gboolean negative, ExactRounding rounding)
{
    switch (rounding) {
    case EXACT_NEAREST:
        return rest == 3 || (rest == 2 && odd != 0);
    case EXACT_AWAY:
        return rest >= 2;
    case EXACT_DOWN:
        return rest != 0 && negative;
    case EXACT_UP:
        return rest != 0 && !negative;
    case EXACT_ZERO:
    default:
        return FALSE;
    }
}

static guint64 round_number(const ExactFormat *format, const Number *number, ExactRounding rounding)
{
    gint bias = (1 << (format->exponent - 1)) - 1;
    guint64 sign = number->negative ? exact_sign(format) : 0;
    gint top = highest(number);
    gint lowest_kept = MAX(top - (gint)format->mantissa, 1 - bias - (gint)format->mantissa - LEAST);
    guint64 kept = 0;
    for (gint i = MAX(top, lowest_kept); i >= lowest_kept; i--)
        kept = kept * 2 + bit(number, i);
    kept += goes_up(below(number, lowest_kept), kept & 1, number->negative, rounding) ? 1 : 0;
    /* A mantissa that became one bit longer is a larger exponent: adding does the right thing. */
    guint64 code = kept;
    gint exponent = lowest_kept + LEAST + (gint)format->mantissa;
    if (kept >= one(format->mantissa))
        code += (guint64)(exponent + bias - 1) << format->mantissa;
    guint64 infinity = (one(format->exponent) - 1) << format->mantissa;
    if (code < infinity)
        return sign | code;
    gboolean stays = rounding == EXACT_ZERO || (rounding == EXACT_DOWN && !number->negative) ||
                     (rounding == EXACT_UP && number->negative);
    return sign | (stays ? infinity - 1 : infinity);
}

guint64 exact_round(const ExactFormat *format, gboolean negative, guint64 mantissa, gint exponent,
                    ExactRounding rounding)
{
    Number number = {negative, {0}};
    if (mantissa == 0)
        return negative ? exact_sign(format) : 0;
    add_product(&number, negative, mantissa, 1, exponent);
    return round_number(format, &number, rounding);
}

guint64 exact_convert(const ExactFormat *to, const ExactFormat *from, guint64 code,
                      ExactRounding rounding)
{
    gboolean negative;
    guint64 mantissa;
    gint exponent;
    exact_parts(from, code, &negative, &mantissa, &exponent);
    if (exact_is_nan(from, code))
        return to->nan;
    if (exact_is_infinite(from, code))
        return ((one(to->exponent) - 1) << to->mantissa) | (negative ? exact_sign(to) : 0);
    return exact_round(to, negative, mantissa, exponent, rounding);
}

/* Where an operand is infinite. */
static guint64 infinite_fma(const ExactFormat *format, guint64 a, guint64 b, guint64 c)
{
    guint64 infinity = (one(format->exponent) - 1) << format->mantissa;
    guint64 magnitude = exact_sign(format) - 1;
    guint64 product_sign = (a ^ b) & exact_sign(format);
    gboolean product_infinite = exact_is_infinite(format, a) || exact_is_infinite(format, b);
    if (product_infinite && ((a & magnitude) == 0 || (b & magnitude) == 0))
        return format->nan;
    if (!product_infinite)
        return c;
    if (exact_is_infinite(format, c) && (c & exact_sign(format)) != product_sign)
        return format->nan;
    return infinity | product_sign;
}

static guint64 finite_fma(const ExactFormat *format, const guint64 code[3], ExactRounding rounding)
{
    gboolean negative[3];
    guint64 mantissa[3];
    gint exponent[3];
    for (guint i = 0; i < 3; i++)
        exact_parts(format, code[i], &negative[i], &mantissa[i], &exponent[i]);
    gboolean product = negative[0] != negative[1];
    Number sum = {product, {0}};
    add_product(&sum, product, mantissa[0], mantissa[1], exponent[0] + exponent[1]);
    add_product(&sum, negative[2], mantissa[2], 1, exponent[2]);
    if (!is_zero(&sum))
        return round_number(format, &sum, rounding);
    gboolean minus = product == negative[2] ? product : rounding == EXACT_DOWN;
    return minus ? exact_sign(format) : 0;
}

guint64 exact_fma(const ExactFormat *format, guint64 a, guint64 b, guint64 c,
                  ExactRounding rounding)
{
    const guint64 code[3] = {a, b, c};
    gboolean infinite = FALSE;
    for (guint i = 0; i < 3; i++) {
        if (exact_is_nan(format, code[i]))
            return format->nan;
        infinite = infinite || exact_is_infinite(format, code[i]);
    }
    return infinite ? infinite_fma(format, a, b, c) : finite_fma(format, code, rounding);
}

guint64 exact_add(const ExactFormat *format, guint64 a, guint64 b, ExactRounding rounding)
{
    guint64 unit = (one(format->exponent - 1) - 1) << format->mantissa;
    return exact_fma(format, a, unit, b, rounding);
}

guint64 exact_mul(const ExactFormat *format, guint64 a, guint64 b, ExactRounding rounding)
{
    /* A zero of the product's sign changes nothing. */
    return exact_fma(format, a, b, (a ^ b) & exact_sign(format), rounding);
}

/* A number as an odd or even multiple of half a unit in the last place: code and code + 1 have
 * their middle between them. */
typedef struct {
    guint64 mantissa;
    gint exponent;
} Magnitude;

/* Twice the magnitude that lies between a code and the next (or is the code itself). */
static Magnitude doubled(const ExactFormat *format, guint64 magnitude, gboolean middle)
{
    gboolean negative;
    Magnitude result;
    exact_parts(format, magnitude, &negative, &result.mantissa, &result.exponent);
    result.mantissa = result.mantissa * 2 + (middle ? 1 : 0);
    return result;
}

/* Sign of |a| / |b| - x / 2, or if b is 0 that of |a| - x^2 / 4. */
static gint against(const ExactFormat *format, guint64 a, guint64 b, Magnitude x)
{
    gboolean ignored;
    guint64 mantissa[2];
    gint exponent[2];
    Number rest = {FALSE, {0}};
    exact_parts(format, a, &ignored, &mantissa[0], &exponent[0]);
    exact_parts(format, b, &ignored, &mantissa[1], &exponent[1]);
    gboolean quotient = (b & (exact_sign(format) - 1)) != 0;
    add_product(&rest, FALSE, mantissa[0], quotient ? 2 : 4, exponent[0]);
    if (quotient)
        add_product(&rest, TRUE, x.mantissa, mantissa[1], x.exponent + exponent[1]);
    else
        add_product(&rest, TRUE, x.mantissa, x.mantissa, 2 * x.exponent);
    return is_zero(&rest) ? 0 : rest.negative ? -1 : 1;
}

/* Whether a magnitude is what the exact value rounds to. */
static gboolean rounds_to(const ExactFormat *format, guint64 magnitude, guint64 a, guint64 b,
                          gboolean negative, ExactRounding rounding)
{
    gint here = against(format, a, b, doubled(format, magnitude, FALSE));
    gboolean up = rounding == (negative ? EXACT_DOWN : EXACT_UP);
    guint64 infinity = (one(format->exponent) - 1) << format->mantissa;
    if (rounding != EXACT_NEAREST) {
        if (here == 0)
            return magnitude < infinity;
        if (up)
            return (here < 0 || magnitude == infinity) && magnitude > 0 &&
                   against(format, a, b, doubled(format, magnitude - 1, FALSE)) > 0;
        return here > 0 && magnitude < infinity &&
               (magnitude == infinity - 1 ||
                against(format, a, b, doubled(format, magnitude + 1, FALSE)) < 0);
    }
    gint above =
        magnitude == infinity ? -1 : against(format, a, b, doubled(format, magnitude, TRUE));
    gint under = magnitude == 0 ? 1 : against(format, a, b, doubled(format, magnitude - 1, TRUE));
    gboolean even = (magnitude & 1) == 0;
    return (above < 0 || (above == 0 && even)) && (under > 0 || (under == 0 && even));
}

gboolean exact_is_quotient(const ExactFormat *format, guint64 got, guint64 a, guint64 b,
                           ExactRounding rounding)
{
    guint64 sign = exact_sign(format);
    gboolean negative = ((a ^ b) & sign) != 0;
    return (got & sign) == ((a ^ b) & sign) &&
           rounds_to(format, got & (sign - 1), a, b, negative, rounding);
}

gboolean exact_is_root(const ExactFormat *format, guint64 got, guint64 a, ExactRounding rounding)
{
    return (got & exact_sign(format)) == 0 && rounds_to(format, got, a, 0, FALSE, rounding);
}
