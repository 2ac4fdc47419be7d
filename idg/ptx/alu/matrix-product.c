/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Products of matrices. PTX leaves the order of summation and the precision between open, unless
 * elements are doubles: these are a chain of fma over k. All else is summed in double and rounded
 * once; integers are exact and wrap, or are clamped by .satfinite.
 */
#include "idg/ptx/alu/matrix.h"
#include "idg/ptx/alu/integer.h"
#include <fenv.h>

double ps_ptx_element_value(PsPtxElement element, guint64 code)
{
    switch (element) {
    case PS_PTX_ELEMENT_F16:
        return ps_ptx_half_value(code);
    case PS_PTX_ELEMENT_BF16:
        return ps_ptx_bfloat_value(code);
    case PS_PTX_ELEMENT_TF32:
        return ps_ptx_single(code & ~(guint64)0x1fff); /* the lower bits are ignored */
    case PS_PTX_ELEMENT_F32:
        return ps_ptx_single(code);
    case PS_PTX_ELEMENT_F64:
        return ps_ptx_double(code);
    case PS_PTX_ELEMENT_S32:
        return (double)ps_ptx_signed(code, 32);
    case PS_PTX_ELEMENT_S8:
        return (double)ps_ptx_signed(code, 8);
    case PS_PTX_ELEMENT_S4:
        return (double)ps_ptx_signed(code, 4);
    case PS_PTX_ELEMENT_E4M3:
        return ps_ptx_decode_format((guint32)code, &ps_ptx_format_e4m3);
    case PS_PTX_ELEMENT_E5M2:
        return ps_ptx_decode_format((guint32)code, &ps_ptx_format_e5m2);
    case PS_PTX_ELEMENT_U8:
    case PS_PTX_ELEMENT_U4:
    case PS_PTX_ELEMENT_B1:
    case PS_PTX_N_ELEMENTS:
    default:
        return (double)code;
    }
}

guint64 ps_ptx_element_code(const PsPtxProduct *product, double value)
{
    switch (product->d) {
    case PS_PTX_ELEMENT_F16:
        if (product->satfinite && isnan(value))
            return 0;
        return ps_ptx_encode(value, &ps_ptx_format_half, PS_PTX_NEAREST, product->satfinite);
    case PS_PTX_ELEMENT_F32:
        return ps_ptx_single_bits((float)value);
    case PS_PTX_ELEMENT_F64:
        return ps_ptx_double_raw(value);
    case PS_PTX_ELEMENT_S32:
        if (product->satfinite)
            value = CLAMP(value, G_MININT32, G_MAXINT32);
        return (guint32)(gint64)value;
    default:
        return 0;
    }
}

/* An element of D of doubles. */
static double chain(const PsPtxProduct *product, const PsPtxMatrices *matrices, guint row,
                    guint column)
{
    double sum = matrices->c[row * product->n + column];
    for (guint k = 0; k < product->k; k++)
        sum = fma(matrices->a[row * product->k + k], matrices->b[k * product->n + column], sum);
    return sum;
}

static double bits_in_common(const PsPtxProduct *product, double a, double b)
{
    return product->exclusive_or ? a + b - 2 * a * b : a * b;
}

static double sum_of(const PsPtxProduct *product, const PsPtxMatrices *matrices, guint row,
                     guint column)
{
    const double *a = &matrices->a[row * product->k];
    const double *b = &matrices->b[column];
    double sum = 0;
    for (guint k = 0; k < product->k; k++)
        sum += product->a == PS_PTX_ELEMENT_B1 ? bits_in_common(product, a[k], b[k * product->n])
                                               : a[k] * b[k * product->n];
    return sum + matrices->c[row * product->n + column];
}

void ps_ptx_product_compute(const PsPtxProduct *product, PsPtxMatrices *matrices)
{
    gboolean doubles = product->d == PS_PTX_ELEMENT_F64;
    int was = ps_ptx_set_rounding(doubles ? product->rounding : PS_PTX_NEAREST);
    for (guint row = 0; row < product->m; row++)
        for (guint column = 0; column < product->n; column++)
            matrices->c[row * product->n + column] = doubles
                                                         ? chain(product, matrices, row, column)
                                                         : sum_of(product, matrices, row, column);
    fesetround(was);
}
