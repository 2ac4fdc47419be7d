/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Products of matrices. PTX leaves the order of summation and the precision between open, unless
 * elements are doubles: these are a chain of fma over k. All else is summed in double and rounded
 * once; integers are exact and wrap, or are clamped by .satfinite.
 */
#include "ptx/alu/matrix.h"
#include "ptx/alu/integer.h"
#include <fenv.h>

#define EACH(EXPRESSION)                                                                           \
    for (guint lane = 0; lane < PS_PTX_LANES; lane++) {                                            \
        guint64 c = code[lane];                                                                    \
        value[lane] = (double)(EXPRESSION);                                                        \
    }                                                                                              \
    break

void ps_ptx_element_values(PsPtxElement element, const guint64 code[PS_PTX_LANES],
                           double value[PS_PTX_LANES])
{
    switch (element) {
    case PS_PTX_ELEMENT_F16:
        EACH(ps_ptx_half_value(c));
    case PS_PTX_ELEMENT_BF16:
        EACH(ps_ptx_bfloat_value(c));
    case PS_PTX_ELEMENT_TF32:
        EACH(ps_ptx_single(c & ~(guint64)0x1fff)); /* the lower bits are ignored */
    case PS_PTX_ELEMENT_F32:
        EACH(ps_ptx_single(c));
    case PS_PTX_ELEMENT_F64:
        EACH(ps_ptx_double(c));
    case PS_PTX_ELEMENT_S32:
        EACH((gint32)(guint32)c);
    case PS_PTX_ELEMENT_S8:
        EACH((gint8)(guint8)c);
    case PS_PTX_ELEMENT_U8:
        EACH((guint8)c);
    case PS_PTX_ELEMENT_S4:
        EACH(ps_ptx_signed(c, 4));
    case PS_PTX_ELEMENT_U4:
        EACH(c & 15);
    case PS_PTX_ELEMENT_B1:
        EACH(c & 1);
    case PS_PTX_ELEMENT_E4M3:
        EACH(ps_ptx_decode_format((guint32)c & 0xff, &ps_ptx_format_e4m3));
    case PS_PTX_ELEMENT_E5M2:
        EACH(ps_ptx_decode_format((guint32)c & 0xff, &ps_ptx_format_e5m2));
    case PS_PTX_ELEMENT_E2M3:
        EACH(ps_ptx_decode_format((guint32)c & 0x3f, &ps_ptx_format_e2m3));
    case PS_PTX_ELEMENT_E3M2:
        EACH(ps_ptx_decode_format((guint32)c & 0x3f, &ps_ptx_format_e3m2));
    case PS_PTX_ELEMENT_E2M1_OF_8:
        EACH(ps_ptx_decode_format((guint32)c >> 2 & 15, &ps_ptx_format_e2m1));
    case PS_PTX_ELEMENT_E2M1:
        EACH(ps_ptx_decode_format((guint32)c & 15, &ps_ptx_format_e2m1));
    case PS_PTX_N_ELEMENTS:
    default:
        break;
    }
}

guint64 ps_ptx_element_code(const PsPtxProduct *product, double value)
{
    switch (product->d) {
    case PS_PTX_ELEMENT_F16:
        if (product->satfinite && isnan(value))
            return 0;
        if (product->satfinite)
            value = CLAMP(value, -65504.0, 65504.0);
        return ps_ptx_half_bits(value);
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

static double bits_in_common(const PsPtxProduct *product, double a, double b)
{
    return product->exclusive_or ? a + b - 2 * a * b : a * b;
}

/* A row of A times B, in the order of k, eight columns at a time: all shapes have a multiple of
 * them, and compilers keep these sums in registers. */
static void multiply_row(const PsPtxProduct *product, const double *a, const double *b,
                         double sum[PS_PTX_MATRIX_COLUMNS])
{
    for (guint first = 0; first < product->n; first += 8) {
        double part[8] = {0};
        for (guint k = 0; k < product->k; k++)
            for (guint i = 0; i < 8; i++)
                part[i] += a[k] * b[k * product->n + first + i];
        memcpy(&sum[first], part, sizeof part);
    }
}

static void multiply_bits(const PsPtxProduct *product, const double *a, const double *b,
                          double sum[PS_PTX_MATRIX_COLUMNS])
{
    for (guint k = 0; k < product->k; k++)
        for (guint column = 0; column < product->n; column++)
            sum[column] += bits_in_common(product, a[k], b[k * product->n + column]);
}

/* Products of doubles: D = A * B + C, summed in the order of k. */
static void chain(const PsPtxProduct *product, const double *a, const double *b, double *c)
{
    for (guint k = 0; k < product->k; k++)
        for (guint column = 0; column < product->n; column++)
            c[column] = fma(a[k], b[k * product->n + column], c[column]);
}

void ps_ptx_product_compute(const PsPtxProduct *product, PsPtxMatrices *matrices)
{
    gboolean doubles = product->d == PS_PTX_ELEMENT_F64;
    int was = ps_ptx_set_rounding(doubles ? product->rounding : PS_PTX_NEAREST);
    for (guint row = 0; row < product->m; row++) {
        const double *a = &matrices->a[row * product->k];
        double *c = &matrices->c[row * product->n];
        double sum[PS_PTX_MATRIX_COLUMNS] = {0};
        if (doubles) {
            chain(product, a, matrices->b, c);
            continue;
        }
        if (product->a == PS_PTX_ELEMENT_B1)
            multiply_bits(product, a, matrices->b, sum);
        else
            multiply_row(product, a, matrices->b, sum);
        for (guint column = 0; column < product->n; column++)
            c[column] += sum[column];
    }
    fesetround(was);
}
