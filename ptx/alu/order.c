/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * min, max and copysign of singles and doubles. -0.0 is less than 0.0; a NaN loses against a
 * number, but wins with .NaN.
 */
#include "ptx/alu/float.h"

enum { NAN_WINS = 1, XORSIGN = 2 };

/* Bits of a number as an integer that is in the same order. */
static inline gint64 rank_single(guint64 bits)
{
    gint32 value = (gint32)(guint32)bits;
    return value < 0 ? (gint64)(value ^ G_MAXINT32) : value;
}

static inline gint64 rank_double(guint64 bits)
{
    gint64 value = (gint64)bits;
    return value < 0 ? value ^ G_MAXINT64 : value;
}

static inline gboolean nan_single(guint64 bits)
{
    return (bits & 0x7fffffff) > 0x7f800000;
}

static inline gboolean nan_double(guint64 bits)
{
    return (bits & G_MAXINT64) > G_GUINT64_CONSTANT(0x7ff0000000000000);
}

/* The lesser of two singles, or the greater if `greater`. */
static inline guint64 chosen_single(guint64 a, guint64 b, gboolean greater, guint how)
{
    if (nan_single(a) || nan_single(b)) {
        if ((how & NAN_WINS) != 0 || (nan_single(a) && nan_single(b)))
            return PS_PTX_NAN_SINGLE;
        return nan_single(a) ? b : a;
    }
    return (rank_single(a) > rank_single(b)) == greater ? a : b;
}

static inline guint64 chosen_magnitude(guint64 a, guint64 b, gboolean greater, guint how)
{
    guint64 sign = (a ^ b) & 0x80000000;
    guint64 result = chosen_single(a & 0x7fffffff, b & 0x7fffffff, greater, how);
    return nan_single(result) ? PS_PTX_NAN_SINGLE : result | sign;
}

static inline guint64 chosen_double(guint64 a, guint64 b, gboolean greater)
{
    if (nan_double(a) || nan_double(b))
        return nan_double(a) && nan_double(b) ? a | G_GUINT64_CONSTANT(0x0008000000000000)
               : nan_double(a)                ? b
                                              : a;
    return (rank_double(a) > rank_double(b)) == greater ? a : b;
}

static inline guint64 three(guint64 a, guint64 b, guint64 c, gboolean greater, guint how)
{
    return chosen_single(chosen_single(a, b, greater, how), c, greater, how);
}

static inline guint64 three_magnitudes(guint64 a, guint64 b, guint64 c, gboolean greater, guint how)
{
    return chosen_magnitude(chosen_magnitude(a, b, greater, how), c, greater, how);
}

PS_PTX_COMPUTE(min_f32, chosen_single(a, b, FALSE, 0))
PS_PTX_COMPUTE(max_f32, chosen_single(a, b, TRUE, 0))
PS_PTX_COMPUTE(min_nan_f32, chosen_single(a, b, FALSE, NAN_WINS))
PS_PTX_COMPUTE(max_nan_f32, chosen_single(a, b, TRUE, NAN_WINS))
PS_PTX_COMPUTE(min_abs_f32, chosen_magnitude(a, b, FALSE, 0))
PS_PTX_COMPUTE(max_abs_f32, chosen_magnitude(a, b, TRUE, 0))
PS_PTX_COMPUTE(min_nan_abs_f32, chosen_magnitude(a, b, FALSE, NAN_WINS))
PS_PTX_COMPUTE(max_nan_abs_f32, chosen_magnitude(a, b, TRUE, NAN_WINS))
PS_PTX_COMPUTE(min3_f32, three(a, b, c, FALSE, 0))
PS_PTX_COMPUTE(max3_f32, three(a, b, c, TRUE, 0))
PS_PTX_COMPUTE(min3_nan_f32, three(a, b, c, FALSE, NAN_WINS))
PS_PTX_COMPUTE(max3_nan_f32, three(a, b, c, TRUE, NAN_WINS))
PS_PTX_COMPUTE(min3_abs_f32, three_magnitudes(a, b, c, FALSE, 0))
PS_PTX_COMPUTE(max3_abs_f32, three_magnitudes(a, b, c, TRUE, 0))
PS_PTX_COMPUTE(min3_nan_abs_f32, three_magnitudes(a, b, c, FALSE, NAN_WINS))
PS_PTX_COMPUTE(max3_nan_abs_f32, three_magnitudes(a, b, c, TRUE, NAN_WINS))
PS_PTX_COMPUTE(min_f64, chosen_double(a, b, FALSE))
PS_PTX_COMPUTE(max_f64, chosen_double(a, b, TRUE))

/* Takes the sign from the first source, the magnitude from the second. */
PS_PTX_COMPUTE(copysign_f32, (a & 0x80000000) | (b & 0x7fffffff))
PS_PTX_COMPUTE(copysign_f64, (a & ~(guint64)G_MAXINT64) | (b & G_MAXINT64))

/* By the number of sources, least or greatest, and NAN_WINS | XORSIGN. */
static const PsPtxOperation *const singles[2][2][4] = {
    {{min_f32, min_nan_f32, min_abs_f32, min_nan_abs_f32},
     {max_f32, max_nan_f32, max_abs_f32, max_nan_abs_f32}},
    {{min3_f32, min3_nan_f32, min3_abs_f32, min3_nan_abs_f32},
     {max3_f32, max3_nan_f32, max3_abs_f32, max3_nan_abs_f32}},
};

gboolean ps_ptx_order(PsPtxDecode *decode, PsPtxStep *step, char **unsupported)
{
    static const char *const own[] = {"min", "max", "copysign", NULL};
    const PsPtxMnemonic *mnemonic = decode->mnemonic;
    if (!ps_ptx_opcode_in(decode, own))
        return FALSE;
    gboolean greatest = strcmp(mnemonic->opcode, "max") == 0;
    gboolean three_sources = decode->instruction->n_operands == 4;
    guint how = (ps_ptx_has(mnemonic, "NaN") ? NAN_WINS : 0) |
                (ps_ptx_has(mnemonic, "xorsign") ? XORSIGN : 0);
    gboolean wide = mnemonic->types[0] == PS_PTX_F64;
    const PsPtxOperation *operation = singles[three_sources][greatest][how];
    if (strcmp(mnemonic->opcode, "copysign") == 0)
        operation = wide ? copysign_f64 : copysign_f32;
    else if (wide)
        operation = greatest ? max_f64 : min_f64;
    step->type = mnemonic->types[0];
    return ps_ptx_float_decode(decode, step, operation, three_sources ? 3 : 2) ||
           ps_ptx_cannot(decode, step, unsupported);
}
