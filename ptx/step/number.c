/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Narrow formats: rounds to them by operations on integers, so that one function has all roundings
 * of all formats, and no compiler can reorder it.
 */
#include "ptx/step/number.h"
#include <fenv.h>

const PsPtxFormat ps_ptx_format_half = {5, 10, 15, 0x7bff, 0x7c00, PS_PTX_NAN_HALF};
const PsPtxFormat ps_ptx_format_bfloat = {8, 7, 127, 0x7f7f, 0x7f80, PS_PTX_NAN_HALF};
const PsPtxFormat ps_ptx_format_tf32 = {8, 10, 127, 0x3fbff, 0x3fc00, 0x3ffff};
const PsPtxFormat ps_ptx_format_single = {8, 23, 127, 0x7f7fffff, 0x7f800000, PS_PTX_NAN_SINGLE};
const PsPtxFormat ps_ptx_format_e4m3 = {4, 3, 7, 0x7e, 0x7f, 0x7f};
const PsPtxFormat ps_ptx_format_e5m2 = {5, 2, 15, 0x7b, 0x7c, 0x7f};
const PsPtxFormat ps_ptx_format_e2m1 = {2, 1, 1, 0x7, 0x7, 0x7};
const PsPtxFormat ps_ptx_format_e2m3 = {2, 3, 1, 0x1f, 0x1f, 0x1f};
const PsPtxFormat ps_ptx_format_e3m2 = {3, 2, 3, 0x1f, 0x1f, 0x1f};

PsPtxRounding ps_ptx_rounding(const PsPtxMnemonic *mnemonic)
{
    static const struct {
        const char *part;
        PsPtxRounding rounding;
    } parts[] = {{"rz", PS_PTX_ZERO},  {"rm", PS_PTX_DOWN},  {"rp", PS_PTX_UP},
                 {"rzi", PS_PTX_ZERO}, {"rmi", PS_PTX_DOWN}, {"rpi", PS_PTX_UP},
                 {"rna", PS_PTX_AWAY}};
    for (guint i = 0; i < G_N_ELEMENTS(parts); i++)
        if (ps_ptx_has(mnemonic, parts[i].part))
            return parts[i].rounding;
    return PS_PTX_NEAREST;
}

double ps_ptx_integral(double value, PsPtxRounding rounding)
{
    switch (rounding) {
    case PS_PTX_ZERO:
        return trunc(value);
    case PS_PTX_DOWN:
        return floor(value);
    case PS_PTX_UP:
        return ceil(value);
    case PS_PTX_NEAREST:
    case PS_PTX_AWAY:
    default:
        return nearbyint(value);
    }
}

int ps_ptx_set_rounding(PsPtxRounding rounding)
{
    static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD, FE_TONEAREST};
    int was = fegetround();
    fesetround(modes[rounding]);
    return was;
}

gboolean ps_ptx_rounds_up(guint64 rest, guint64 half, gboolean odd, gboolean negative,
                          PsPtxRounding rounding)
{
    switch (rounding) {
    case PS_PTX_NEAREST:
        return rest > half || (rest == half && odd);
    case PS_PTX_AWAY:
        return rest >= half;
    case PS_PTX_DOWN:
        return negative && rest != 0;
    case PS_PTX_UP:
        return !negative && rest != 0;
    case PS_PTX_ZERO:
    default:
        return FALSE;
    }
}

/* A number that is too large becomes infinity, unless it is rounded toward zero. */
static guint32 overflown(const PsPtxFormat *format, PsPtxRounding rounding, gboolean negative)
{
    gboolean stays = rounding == PS_PTX_ZERO || (rounding == PS_PTX_DOWN && !negative) ||
                     (rounding == PS_PTX_UP && negative);
    return stays ? format->most : format->infinity;
}

static guint32 rounded(guint64 magnitude, const PsPtxFormat *format, PsPtxRounding rounding,
                       gboolean negative)
{
    gint biased = (gint)(magnitude >> 52);
    guint64 mantissa = magnitude & ((G_GUINT64_CONSTANT(1) << 52) - 1);
    if (biased == 0)
        biased = 1;
    else
        mantissa |= G_GUINT64_CONSTANT(1) << 52;
    gint exponent = biased - 1023;
    gint least = 1 - format->bias;
    gint subnormal = MAX(least - exponent, 0);
    gint shift = MIN(52 - (gint)format->mantissa + subnormal, 63);
    guint64 kept = mantissa >> shift;
    guint64 rest = mantissa & ((G_GUINT64_CONSTANT(1) << shift) - 1);
    if (ps_ptx_rounds_up(rest, G_GUINT64_CONSTANT(1) << (shift - 1), (kept & 1) != 0, negative,
                         rounding))
        kept++;
    guint64 code = kept;
    if (subnormal == 0)
        code += (guint64)(exponent - least) << format->mantissa;
    return code > format->most ? overflown(format, rounding, negative) : (guint32)code;
}

guint32 ps_ptx_encode(double value, const PsPtxFormat *format, PsPtxRounding rounding,
                      gboolean satfinite)
{
    if (value != value)
        return format->nan;
    guint64 bits = ps_ptx_double_raw(value);
    gboolean negative = bits >> 63 != 0;
    guint64 magnitude = bits & G_MAXINT64;
    guint32 sign = (guint32)negative << (format->exponent + format->mantissa);
    gboolean infinite = magnitude >> 52 == 0x7ff;
    guint32 code = infinite ? format->infinity : rounded(magnitude, format, rounding, negative);
    if (satfinite && code > format->most)
        code = format->most;
    return code | sign;
}

double ps_ptx_decode_format(guint32 code, const PsPtxFormat *format)
{
    guint sign_at = format->exponent + format->mantissa;
    guint32 magnitude = code & (((guint32)1 << sign_at) - 1);
    gboolean negative = (code >> sign_at & 1) != 0;
    gint exponent = (gint)(magnitude >> format->mantissa);
    double fraction = magnitude & (((guint32)1 << format->mantissa) - 1);
    if (magnitude > format->most)
        return magnitude == format->infinity && format->infinity != format->nan
                   ? (negative ? -INFINITY : INFINITY)
                   : NAN;
    if (exponent != 0)
        fraction += (double)((guint32)1 << format->mantissa);
    double value = ldexp(fraction, MAX(exponent, 1) - format->bias - (gint)format->mantissa);
    return negative ? -value : value;
}
