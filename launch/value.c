/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of types with fractions are read as double, others as 64-bit integers. */
#include "launch/value.h"
#include "launch/spelling.h"

#include "base/count.h"
#include "base/usage.h"

#include <errno.h>
#include <math.h>
#include <string.h>

typedef enum { KIND_NONE, KIND_INTEGER, KIND_FLOAT, KIND_EITHER } Kind;

/* The kind of a type's numbers: .b32 of newer compilers is an int or a float. */
static Kind kind_of(PsPtxType type)
{
    switch (type) {
    case PS_PTX_F16:
    case PS_PTX_BF16:
    case PS_PTX_F32:
    case PS_PTX_F64:
        return KIND_FLOAT;
    case PS_PTX_B16:
    case PS_PTX_B32:
    case PS_PTX_B64:
        return KIND_EITHER;
    case PS_PTX_B8:
    case PS_PTX_U8:
    case PS_PTX_U16:
    case PS_PTX_U32:
    case PS_PTX_U64:
    case PS_PTX_S8:
    case PS_PTX_S16:
    case PS_PTX_S32:
    case PS_PTX_S64:
        return KIND_INTEGER;
    default:
        return KIND_NONE;
    }
}

gboolean ps_value_is_float(PsPtxType type)
{
    return kind_of(type) == KIND_FLOAT;
}

gboolean ps_value_is_element(PsPtxType type)
{
    return kind_of(type) == KIND_FLOAT || kind_of(type) == KIND_INTEGER;
}

/* ---- bits of floating-point numbers -------------------------------------------------------- */

static guint32 single_bits(double value)
{
    const float single = (float)value;
    guint32 bits;
    memcpy(&bits, &single, sizeof bits);
    return bits;
}

/* Rounds to nearest, ties to even; values beyond the range become infinite. */
static guint32 half_bits(double value)
{
    const guint32 sign = signbit(value) ? 0x8000 : 0;
    const double size = fabs(value);
    int exponent;
    if (isnan(value))
        return sign | 0x7e00;
    if (size >= 65520)
        return sign | 0x7c00;
    if (!(size > 0))
        return sign;
    (void)frexp(size, &exponent);
    /* The exponent of the last place: 11 below the next power of 2 for normal numbers, -24 for
     * subnormal ones. */
    const int place = MAX(exponent - 11, -24);
    const guint32 units = (guint32)nearbyint(ldexp(size, -place));
    return sign | (((guint32)(place + 24) << 10) + units);
}

/* The upper half of a single, rounded in the same way. */
static guint32 brain_bits(double value)
{
    const guint32 bits = single_bits(value);
    if (isnan(value))
        return (bits >> 16) | 0x40;
    return (bits + 0x7fff + ((bits >> 16) & 1)) >> 16;
}

guint64 ps_value_float_bits(double value, PsPtxType type)
{
    guint64 bits;
    switch (type) {
    case PS_PTX_F16:
    case PS_PTX_B16:
        return half_bits(value);
    case PS_PTX_BF16:
        return brain_bits(value);
    case PS_PTX_F64:
    case PS_PTX_B64:
        memcpy(&bits, &value, sizeof bits);
        return bits;
    default:
        return single_bits(value);
    }
}

/* ---- numbers ------------------------------------------------------------------------------- */

/* TRUE if so many bits hold the number, signed or unsigned. */
static gboolean parse_integer(const char *text, guint size, guint64 *bits)
{
    const gboolean negative = *text == '-';
    const char *digits = text + negative;
    const gboolean hex = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
    const guint width = 8 * size;
    char *end;
    digits += hex ? 2 : 0;
    if (!g_ascii_isxdigit(*digits))
        return FALSE;
    errno = 0;
    const guint64 value = g_ascii_strtoull(digits, &end, hex ? 16 : 10);
    if (errno || *end)
        return FALSE;
    const guint64 most = negative      ? G_GUINT64_CONSTANT(1) << (width - 1)
                         : width == 64 ? G_MAXUINT64
                                       : (G_GUINT64_CONSTANT(1) << width) - 1;
    if (value > most)
        return FALSE;
    *bits = (negative ? 0 - value : value) &
            (width == 64 ? G_MAXUINT64 : (G_GUINT64_CONSTANT(1) << width) - 1);
    return TRUE;
}

static gboolean parse_float(const char *text, PsPtxType type, guint64 *bits)
{
    char *end;
    const double value = g_ascii_strtod(text, &end);
    if (end == text || *end || g_ascii_isspace(*text))
        return FALSE;
    *bits = ps_value_float_bits(value, type);
    return TRUE;
}

/* "1e6" is as likely an integer as a fraction. */
static gboolean is_whole_power(const char *text)
{
    const gsize digits = strspn(text, G_CSET_DIGITS "+-");
    return digits && (text[digits] == 'e' || text[digits] == 'E') &&
           g_ascii_isdigit(text[digits + 1]);
}

static gboolean is_of_word(char c)
{
    return g_ascii_isalnum(c) || c == '_' || c == '.';
}

/* Appends the number that these digits and their unit mean; FALSE: there is no unit. */
static gboolean add_in_full(const char *digits, gsize n, GString *out)
{
    g_autofree char *number = g_strndup(digits, n + 1);
    guint64 value;
    if (!digits[n] || !strchr("KMG", digits[n]) || is_of_word(digits[n + 1]) ||
        !ps_count_parse(number, &value))
        return FALSE;
    g_string_append_printf(out, "%" G_GUINT64_FORMAT, value);
    return TRUE;
}

char *ps_value_expand(const char *text)
{
    GString *out = g_string_new(NULL);
    for (gsize at = 0; text[at];) {
        const gsize n = strspn(text + at, G_CSET_DIGITS);
        if (n > 0 && (at == 0 || !is_of_word(text[at - 1])) && add_in_full(text + at, n, out)) {
            at += n + 1;
            continue;
        }
        g_string_append_len(out, text + at, (gssize)MAX(n, 1));
        at += MAX(n, 1);
    }
    return g_string_free(out, FALSE);
}

gboolean ps_value_parse(const char *what, const char *text, PsPtxType type, guint64 *bits,
                        GError **error)
{
    const Kind kind = kind_of(type);
    g_autofree char *number = ps_value_expand(text);
    *bits = 0;
    if ((kind & KIND_INTEGER) != 0 && parse_integer(number, ps_ptx_type_size(type), bits))
        return TRUE;
    if (kind == KIND_EITHER && is_whole_power(number))
        return ps_usage_error(error,
                              "%s: '%s' may be an integer or a fraction; write its digits, or .0 "
                              "behind them",
                              what, text);
    if ((kind & KIND_FLOAT) != 0 && parse_float(number, type, bits))
        return TRUE;
    g_autofree char *whole = ps_spelling_whole(text);
    if (whole)
        return ps_usage_error(error, "%s: '%s' has commas between its digits; write %s", what, text,
                              whole);
    return ps_usage_error(error,
                          "%s: '%s' is no %s of the type .%s (such as %s), and no zero:BYTES, "
                          "ramp:BYTES, random:BYTES or @FILE",
                          what, text, kind == KIND_INTEGER ? "whole number" : "number",
                          ps_ptx_type_name(type), kind == KIND_INTEGER ? "1000 or 16M" : "2.5");
}
