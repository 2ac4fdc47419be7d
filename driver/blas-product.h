/* SPDX-License-Identifier: BSD-3-Clause */
/* The common part of the kernels of products, by units and by tensor cores. See blas-ptx.h. */
#ifndef PIPESIM_DRIVER_BLAS_PRODUCT_H
#define PIPESIM_DRIVER_BLAS_PRODUCT_H

#include "driver/blas-ptx.h"

/* Begins the kernel: its name, parameters and registers. From then on %A, %B and %C are the
 * addresses of this product's matrices, %lda, %ldb and %ldc bytes from one column to the next, %m,
 * %n and %k sizes, %thread the thread, and %row0 and %col0 the first row and column of C in the
 * group's part. Registers %r and %d (of 32 and 64 bits) are free. */
void blas_product_begin(GString *out, const BlasProduct *product);

/* Called when the factors are summed up to %k: from then on %alpha and %beta are known. */
void blas_product_scale(GString *out, const BlasProduct *product);

/* Loads the product's bias, if it has one, to %biasROW for the row of C in %r2, if %inrowROW
 * holds. */
void blas_product_bias(GString *out, const BlasProduct *product, guint row);

/* Makes %at0 false if the element so many rows below that of %r0, in the column %r2, lies outside
 * the product's part of C. */
void blas_product_mask(GString *out, const BlasProduct *product, guint below);

/* Stores one element of C from its sum at that address, if the predicate holds. row: of the
 * bias. */
void blas_product_put(GString *out, const BlasProduct *product, const char *predicate,
                      const char *sum, const char *address, guint row);

/* TRUE if the factor (0: A, 1: B) lies in memory along the rows of C, or its columns; otherwise the
 * elements to be summed up are adjacent. */
gboolean blas_product_across(const BlasProduct *product, guint factor);

/* Write the bodies of kernels, by units and by tensor cores. */
void blas_units_body(GString *out, const BlasProduct *product);
void blas_tensor_body(GString *out, const BlasProduct *product, guint target);

#endif
