/* SPDX-License-Identifier: BSD-3-Clause */
/* The whole text of a kernel of products. See blas-ptx.h. */
#include "driver/blas-product.h"

char *blas_product_ptx(const BlasProduct *product, guint target)
{
    GString *out = g_string_new(NULL);
    blas_ptx_module(out, target);
    blas_product_begin(out, product);
    if (product->way == BLAS_BY_UNITS)
        blas_units_body(out, product);
    else
        blas_tensor_body(out, product, target);
    g_string_append(out, "ret;\n}\n");
    return g_string_free(out, FALSE);
}
