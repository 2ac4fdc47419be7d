/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Logic, shifts and selections. A shift by more than the size gives what shifting bit by bit would.
 */
#include "ptx/alu/bits.h"

/* Values have zeros above their size, so these serve all sizes, and predicates. */
PS_PTX_EACH_2(and_any, guint64, guint64, a &b)
PS_PTX_EACH_2(or_any, guint64, guint64, a | b)
PS_PTX_EACH_2(xor_any, guint64, guint64, a ^ b)
PS_PTX_EACH_1(not_pred, guint64, guint64, a ^ 1)
PS_PTX_EACH_1(not_16, guint16, guint64, ~a)
PS_PTX_EACH_1(not_32, guint32, guint64, ~a)
PS_PTX_EACH_1(not_64, guint64, guint64, ~a)
PS_PTX_EACH_1(cnot_16, guint16, guint16, a == 0)
PS_PTX_EACH_1(cnot_32, guint32, guint32, a == 0)
PS_PTX_EACH_1(cnot_64, guint64, guint64, a == 0)

static inline guint64 shifted_left(guint64 a, guint32 by)
{
    return by > 63 ? 0 : a << by;
}

static inline guint64 shifted_right(guint64 a, guint32 by)
{
    return by > 63 ? 0 : a >> by;
}

/* The C standard leaves the shift of a negative number to the compiler; both compilers that build
 * this repeat the sign. */
static inline guint64 shifted_signed(gint64 a, guint32 by)
{
    return (guint64)(a >> MIN(by, 63));
}

PS_PTX_EACH_2(shl_16, guint16, guint64, shifted_left(a, (guint32)b))
PS_PTX_EACH_2(shl_32, guint32, guint64, shifted_left(a, (guint32)b))
PS_PTX_EACH_2(shl_64, guint64, guint64, shifted_left(a, (guint32)b))
PS_PTX_EACH_2(shr_16, guint16, guint64, shifted_right((guint16)a, (guint32)b))
PS_PTX_EACH_2(shr_32, guint32, guint64, shifted_right((guint32)a, (guint32)b))
PS_PTX_EACH_2(shr_64, guint64, guint64, shifted_right(a, (guint32)b))
PS_PTX_EACH_2(shr_s16, guint16, guint64, shifted_signed((gint16)a, (guint32)b))
PS_PTX_EACH_2(shr_s32, guint32, guint64, shifted_signed((gint32)a, (guint32)b))
PS_PTX_EACH_2(shr_s64, guint64, guint64, shifted_signed((gint64)a, (guint32)b))

PS_PTX_EACH_3(selp_any, guint64, guint64, c != 0 ? a : b)
PS_PTX_EACH_3(slct_s32, guint64, guint64, (gint32)c >= 0 ? a : b)

/* TRUE by a number's sign: -0.0 is not less than 0; NaN is not at least 0. ftz makes a small
 * negative number -0.0. */
static inline gboolean at_least_zero(guint32 bits)
{
    gboolean nan = (bits & 0x7fffffff) > 0x7f800000;
    return !nan && (bits >> 31 == 0 || (bits & 0x7fffffff) == 0);
}

static inline gboolean at_least_zero_ftz(guint32 bits)
{
    return at_least_zero((bits & 0x7f800000) == 0 ? 0 : bits);
}

PS_PTX_EACH_3(slct_f32, guint64, guint64, at_least_zero((guint32)c) ? a : b)
PS_PTX_EACH_3(slct_ftz_f32, guint64, guint64, at_least_zero_ftz((guint32)c) ? a : b)

#define LOGIC(OPCODE, NAME, N)                                                                     \
    {OPCODE ".pred", NAME, N, {PS_PTX_PRED}}, {OPCODE ".b16", NAME, N, {PS_PTX_B16}},              \
        {OPCODE ".b32", NAME, N, {PS_PTX_B32}},                                                    \
    {                                                                                              \
        OPCODE ".b64", NAME, N,                                                                    \
        {                                                                                          \
            PS_PTX_B64                                                                             \
        }                                                                                          \
    }
/* Right shifts of numbers without sign, or of bits. */
#define RIGHT(TYPE, NAME, TYPES)                                                                   \
    {                                                                                              \
        "shr." TYPE, NAME, 2,                                                                      \
        {                                                                                          \
            TYPES, PS_PTX_U32                                                                      \
        }                                                                                          \
    }
#define SELECT(TYPE, TYPES)                                                                        \
    {"selp." TYPE, selp_any, 3, {TYPES, TYPES, PS_PTX_PRED}},                                      \
        {"slct." TYPE ".s32", slct_s32, 3, {TYPES, TYPES, PS_PTX_S32}},                            \
        {"slct." TYPE ".f32", slct_f32, 3, {TYPES, TYPES, PS_PTX_F32}},                            \
    {                                                                                              \
        "slct.ftz." TYPE ".f32", slct_ftz_f32, 3,                                                  \
        {                                                                                          \
            TYPES, TYPES, PS_PTX_F32                                                               \
        }                                                                                          \
    }

static const PsPtxEntry table[] = {
    LOGIC("and", and_any, 2),
    LOGIC("or", or_any, 2),
    LOGIC("xor", xor_any, 2),
    {"not.pred", not_pred, 1, {PS_PTX_PRED}},
    {"not.b16", not_16, 1, {PS_PTX_B16}},
    {"not.b32", not_32, 1, {PS_PTX_B32}},
    {"not.b64", not_64, 1, {PS_PTX_B64}},
    {"cnot.b16", cnot_16, 1, {PS_PTX_B16}},
    {"cnot.b32", cnot_32, 1, {PS_PTX_B32}},
    {"cnot.b64", cnot_64, 1, {PS_PTX_B64}},
    {"shl.b16", shl_16, 2, {PS_PTX_B16, PS_PTX_U32}},
    {"shl.b32", shl_32, 2, {PS_PTX_B32, PS_PTX_U32}},
    {"shl.b64", shl_64, 2, {PS_PTX_B64, PS_PTX_U32}},
    RIGHT("b16", shr_16, PS_PTX_B16),
    RIGHT("u16", shr_16, PS_PTX_U16),
    RIGHT("s16", shr_s16, PS_PTX_S16),
    RIGHT("b32", shr_32, PS_PTX_B32),
    RIGHT("u32", shr_32, PS_PTX_U32),
    RIGHT("s32", shr_s32, PS_PTX_S32),
    RIGHT("b64", shr_64, PS_PTX_B64),
    RIGHT("u64", shr_64, PS_PTX_U64),
    RIGHT("s64", shr_s64, PS_PTX_S64),
    SELECT("b16", PS_PTX_B16),
    SELECT("u16", PS_PTX_U16),
    SELECT("s16", PS_PTX_S16),
    SELECT("b32", PS_PTX_B32),
    SELECT("u32", PS_PTX_U32),
    SELECT("s32", PS_PTX_S32),
    SELECT("f32", PS_PTX_F32),
    SELECT("b64", PS_PTX_B64),
    SELECT("u64", PS_PTX_U64),
    SELECT("s64", PS_PTX_S64),
    SELECT("f64", PS_PTX_F64),
    {"selp.f16", selp_any, 3, {PS_PTX_F16, PS_PTX_F16, PS_PTX_PRED}},
    {"selp.bf16", selp_any, 3, {PS_PTX_BF16, PS_PTX_BF16, PS_PTX_PRED}},
    {"selp.f16x2", selp_any, 3, {PS_PTX_F16X2, PS_PTX_F16X2, PS_PTX_PRED}},
};

gboolean ps_ptx_logic(PsPtxDecode *decode, PsPtxStep *step, char **unsupported)
{
    return ps_ptx_entry(table, G_N_ELEMENTS(table), decode, step, unsupported);
}
