/* SPDX-License-Identifier: BSD-3-Clause */
/* A product of matrices, in the form that serves all of cuBLAS's entries. */
#ifndef PIPESIM_DRIVER_BLAS_GEMM_H
#define PIPESIM_DRIVER_BLAS_GEMM_H

#include "driver/blas.h"

enum {
    CUBLAS_COMPUTE_16F = 64,
    CUBLAS_COMPUTE_16F_PEDANTIC = 65,
    CUBLAS_COMPUTE_32F = 68,
    CUBLAS_COMPUTE_32F_PEDANTIC = 69,
    CUBLAS_COMPUTE_64F = 70,
    CUBLAS_COMPUTE_64F_PEDANTIC = 71,
    CUBLAS_COMPUTE_32F_FAST_16F = 74,
    CUBLAS_COMPUTE_32F_FAST_16BF = 75,
    CUBLAS_COMPUTE_32F_FAST_TF32 = 77
};

/* A factor or the result of each product of a batch. */
typedef struct {
    const void *first; /* the matrix; or an array of pointers to all */
    gint64 lead;       /* elements from a column to the next */
    gint64 stride;     /* elements from a matrix to the next */
} BlasMatrix;

typedef struct {
    cublasHandle_t handle;
    int op[2];
    gint64 m, n, k, count;
    const void *alpha, *beta;
    BlasMatrix a, b, c;
    gboolean arrays;
    const void *bias; /* of the result's type, one for each row; NULL: none */
    BlasActivation then;
    BlasPart part;       /* others than the whole: A and B are one matrix */
    int factors, result; /* cudaDataType */
    int compute;         /* cublasComputeType_t */
} BlasGemm;

/* Checks whether there is a kernel for it, whatever its matrices hold. */
cublasStatus_t blas_gemm_check(const BlasGemm *gemm);

/* Checks it, and launches a kernel for it: C = then(alpha op(A) op(B) + beta C + bias), for all of
 * a batch. */
cublasStatus_t blas_gemm(const BlasGemm *gemm);

#endif
