/* SPDX-License-Identifier: BSD-3-Clause */
/* See tensor-instruction.h. */
#include "ptx/run/tensor-instruction.h"

#define HALF_M 64U
#define WHOLE_M 128U

#define NONE PS_PTX_N_ELEMENTS

/* The types of factors, and of D, by their numbers in the descriptor. */
static const struct {
    PsPtxElement factors[8], results[4];
    guint k;
    gboolean scaled;
} kinds[] = {
    [PS_PTX_KIND_F16] = {{PS_PTX_ELEMENT_F16, PS_PTX_ELEMENT_BF16, NONE, NONE, NONE, NONE, NONE,
                          NONE},
                         {PS_PTX_ELEMENT_F16, PS_PTX_ELEMENT_F32, NONE, NONE},
                         16,
                         FALSE},
    [PS_PTX_KIND_TF32] = {{NONE, NONE, PS_PTX_ELEMENT_TF32, NONE, NONE, NONE, NONE, NONE},
                          {NONE, PS_PTX_ELEMENT_F32, NONE, NONE},
                          8,
                          FALSE},
    [PS_PTX_KIND_F8F6F4] = {{PS_PTX_ELEMENT_E4M3, PS_PTX_ELEMENT_E5M2, NONE, PS_PTX_ELEMENT_E2M3,
                             PS_PTX_ELEMENT_E3M2, PS_PTX_ELEMENT_E2M1, NONE, NONE},
                            {PS_PTX_ELEMENT_F16, PS_PTX_ELEMENT_F32, NONE, NONE},
                            32,
                            FALSE},
    [PS_PTX_KIND_I8] = {{PS_PTX_ELEMENT_U8, PS_PTX_ELEMENT_S8, NONE, NONE, NONE, NONE, NONE, NONE},
                        {NONE, NONE, PS_PTX_ELEMENT_S32, NONE},
                        32,
                        FALSE},
    [PS_PTX_KIND_FLOATS] = {{PS_PTX_ELEMENT_F16, PS_PTX_ELEMENT_BF16, PS_PTX_ELEMENT_TF32, NONE,
                             NONE, NONE, NONE, NONE},
                            {PS_PTX_ELEMENT_F16, PS_PTX_ELEMENT_F32, NONE, NONE},
                            0,
                            FALSE},
    [PS_PTX_KIND_MXF8F6F4] = {{PS_PTX_ELEMENT_E4M3, PS_PTX_ELEMENT_E5M2, NONE, PS_PTX_ELEMENT_E2M3,
                               PS_PTX_ELEMENT_E3M2, PS_PTX_ELEMENT_E2M1, NONE, NONE},
                              {NONE, PS_PTX_ELEMENT_F32, NONE, NONE},
                              32,
                              TRUE},
    [PS_PTX_KIND_MXF4] = {
        {NONE, PS_PTX_ELEMENT_E2M1, NONE, NONE, NONE, PS_PTX_ELEMENT_E2M1, NONE, NONE},
        {NONE, PS_PTX_ELEMENT_F32, NONE, NONE},
        64,
        TRUE}};

gboolean ps_ptx_kind_is_scaled(PsPtxKind kind)
{
    return kinds[kind].scaled;
}

/* Bits of an element in shared memory. Elements of fewer than 8 bits lie 16 in 16 bytes, if the
 * kind is one of 8 bits. */
guint ps_ptx_kind_bits(PsPtxKind kind, PsPtxElement element)
{
    const gboolean whole = kind != PS_PTX_KIND_F8F6F4 && kind != PS_PTX_KIND_MXF8F6F4;
    const gboolean six = element == PS_PTX_ELEMENT_E2M3 || element == PS_PTX_ELEMENT_E3M2;
    return whole ? 0 : six ? 6 : element == PS_PTX_ELEMENT_E2M1 ? 4 : 0;
}

PsPtxTensorInstruction ps_ptx_tensor_instruction(PsPtxKind kind, guint32 word)
{
    const gboolean scaled = kinds[kind].scaled;
    PsPtxTensorInstruction is = {
        .product = {.m = scaled ? (word >> 27 & 3) << 7 : (word >> 24 & 31) << 4,
                    .n = (word >> 17 & 63) << 3,
                    .d = scaled ? PS_PTX_ELEMENT_F32 : kinds[kind].results[word >> 4 & 3],
                    .a = kinds[kind].factors[word >> 7 & 7],
                    .b = kinds[kind].factors[word >> 10 & 7],
                    .k = kinds[kind].k,
                    .satfinite = kind == PS_PTX_KIND_I8 && (word >> 3 & 1) != 0},
        .negative = ((word >> 13 ^ word >> 14) & 1) != 0,
        .across = {(word >> 15 & 1) != 0, (word >> 16 & 1) != 0}};
    is.product.c = is.product.d;
    if (kind == PS_PTX_KIND_FLOATS)
        is.product.k = is.product.a == NONE ? 0 : 256 / ps_ptx_element_bits(is.product.a);
    if (kind == PS_PTX_KIND_MXF4)
        is.product.b = kinds[kind].factors[word >> 10 & 3]; /* A and B have two bits there */
    if (!scaled)
        return is;
    is.scale[0] = word >> 29 & 3;
    is.scale[1] = word >> 4 & 3;
    is.powers = (word >> 23 & 1) != 0;
    return is;
}

static const char *wrong_shape(PsPtxKind kind, const PsPtxTensorInstruction *is, gboolean pair)
{
    const guint m = is->product.m, n = is->product.n, least = pair || m == WHOLE_M ? 16 : 8;
    if (kinds[kind].scaled ? m != WHOLE_M * (pair ? 2 : 1) && m != WHOLE_M
                           : m != WHOLE_M && m != (pair ? 2 * WHOLE_M : HALF_M))
        return pair                 ? "a number of rows that is neither 128 nor 256"
               : kinds[kind].scaled ? "a number of rows that is not 128"
                                    : "a number of rows that is neither 64 nor 128";
    if (n < 8 || n > 256 || n % least != 0)
        return "a number of columns that is no multiple of 16 (of 64 rows: of 8) up to 256";
    return NULL;
}

const char *ps_ptx_tensor_wrong(PsPtxKind kind, guint32 word, const PsPtxTensorInstruction *is,
                                gboolean pair)
{
    const PsPtxProduct *product = &is->product;
    if ((word >> 2 & 1) != 0)
        return "a sparse product, which is not executed";
    if (kind == PS_PTX_KIND_MXF4 && word >> 31 != 0)
        return "a depth of 96, which is not executed";
    if (product->a == NONE || product->b == NONE)
        return "types of factors that its kind does not have";
    if (product->d == NONE)
        return "a type of the result that its kind does not have";
    if (kind == PS_PTX_KIND_I8 && is->negative)
        return "a factor that is negated, which integers cannot be";
    return wrong_shape(kind, is, pair);
}
