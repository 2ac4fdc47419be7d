/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Products with so many columns that vectors of the processor go along them. Sums are the same as
 * in smaller products (matrix-product.c): over k in its order, in double, which holds each product
 * exactly; C comes last, and the result is rounded once.
 */
#include "ptx/alu/matrix.h"
#include "ptx/step/lane.h"

#define COLUMNS 8 /* columns whose sums stay in the processor's registers */

PS_PTX_INLINE void multiply(const PsPtxWideProduct *product, const double *a, const double *b,
                            double *c)
{
    const guint n = product->n, k = product->k;
    for (guint row = 0; row < product->m; row++, a += k, c += n)
        for (guint first = 0; first < n; first += COLUMNS) {
            double sum[COLUMNS] = {0};
            for (guint i = 0; i < k; i++)
                for (guint j = 0; j < COLUMNS; j++)
                    sum[j] += a[i] * b[i * n + first + j];
            for (guint j = 0; j < COLUMNS; j++)
                c[first + j] += sum[j];
        }
}

static void multiply_plain(const PsPtxWideProduct *product, const double *a, const double *b,
                           double *c)
{
    multiply(product, a, b, c);
}

__attribute__(PS_PTX_FOR_AVX2) static void
multiply_avx2(const PsPtxWideProduct *product, const double *a, const double *b, double *c)
{
    multiply(product, a, b, c);
}

void ps_ptx_wide_product(const PsPtxWideProduct *product, const double *a, const double *b,
                         double *c)
{
    (product->vectors == PS_PTX_AVX2 ? multiply_avx2 : multiply_plain)(product, a, b, c);
}
