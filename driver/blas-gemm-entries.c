/* SPDX-License-Identifier: BSD-3-Clause */
/* Entries for products of matrices: of each type, alone, in a batch of pointers, or in a strided
 * batch. */
#include "driver/blas-gemm.h"

/* The interface has that many parameters, and types cannot stand in parentheses.
 * NOLINTBEGIN(readability-function-size,bugprone-macro-parentheses) */
#pragma GCC visibility push(default)

/* Parameters with which all forms begin. */
#define SIZES(INT) cublasHandle_t handle, int opa, int opb, INT m, INT n, INT k
#define GEMM(what, ...)                                                                            \
    return blas_gemm(&(BlasGemm){.handle = handle,                                                 \
                                 .op = {opa, opb},                                                 \
                                 .m = m,                                                           \
                                 .n = n,                                                           \
                                 .k = k,                                                           \
                                 .alpha = alpha,                                                   \
                                 .beta = beta,                                                     \
                                 what,                                                             \
                                 __VA_ARGS__})
#define OF(type, mode) .factors = (type), .result = (type), .compute = (mode)

#define PLAIN(name, end, INT, T, type, mode)                                                       \
    cublasStatus_t cublas##name##end(SIZES(INT), const T *alpha, const T *a, INT lda, const T *b,  \
                                     INT ldb, const T *beta, T *c, INT ldc)                        \
    {                                                                                              \
        GEMM(OF(type, mode), .count = 1, .a = {a, lda, 0}, .b = {b, ldb, 0}, .c = {c, ldc, 0});    \
    }
#define BATCHED(name, end, INT, T, type, mode)                                                     \
    cublasStatus_t cublas##name##Batched##end(SIZES(INT), const T *alpha, const T *const a[],      \
                                              INT lda, const T *const b[], INT ldb, const T *beta, \
                                              T *const c[], INT ldc, INT count)                    \
    {                                                                                              \
        GEMM(OF(type, mode), .count = count, .arrays = TRUE, .a = {a, lda, 0}, .b = {b, ldb, 0},   \
             .c = {c, ldc, 0});                                                                    \
    }
#define STRIDED(name, end, INT, T, type, mode)                                                     \
    cublasStatus_t cublas##name##StridedBatched##end(                                              \
        SIZES(INT), const T *alpha, const T *a, INT lda, gint64 step_a, const T *b, INT ldb,       \
        gint64 step_b, const T *beta, T *c, INT ldc, gint64 step_c, INT count)                     \
    {                                                                                              \
        GEMM(OF(type, mode), .count = count, .a = {a, lda, step_a}, .b = {b, ldb, step_b},         \
             .c = {c, ldc, step_c});                                                               \
    }
#define FORMS(name, version, T, type, mode)                                                        \
    PLAIN(name, version, int, T, type, mode)                                                       \
    PLAIN(name, version##_64, gint64, T, type, mode)                                               \
    BATCHED(name, , int, T, type, mode)                                                            \
    BATCHED(name, _64, gint64, T, type, mode)                                                      \
    STRIDED(name, , int, T, type, mode)                                                            \
    STRIDED(name, _64, gint64, T, type, mode)

FORMS(Sgemm, _v2, float, CUDA_R_32F, CUBLAS_COMPUTE_32F)
FORMS(Dgemm, _v2, double, CUDA_R_64F, CUBLAS_COMPUTE_64F)
FORMS(Hgemm, , guint16, CUDA_R_16F, CUBLAS_COMPUTE_16F)

/* C = alpha op(A) op(A)^T + beta C, on one side of the diagonal. */
static cublasStatus_t symmetric(BlasGemm gemm, int fill, int op)
{
    enum { LOWER, UPPER };
    if ((fill != LOWER && fill != UPPER) ||
        (op != CUBLAS_OP_N && op != CUBLAS_OP_T && op != CUBLAS_OP_C))
        return CUBLAS_STATUS_INVALID_VALUE;
    gemm.part = fill == LOWER ? BLAS_LOWER : BLAS_UPPER;
    gemm.op[0] = op == CUBLAS_OP_N ? CUBLAS_OP_N : CUBLAS_OP_T;
    gemm.op[1] = op == CUBLAS_OP_N ? CUBLAS_OP_T : CUBLAS_OP_N;
    return blas_gemm(&gemm);
}

#define SYMMETRIC(S, end, INT, T, type, mode)                                                      \
    cublasStatus_t cublas##S##syrk##end(cublasHandle_t handle, int fill, int op, INT n, INT k,     \
                                        const T *alpha, const T *a, INT lda, const T *beta, T *c,  \
                                        INT ldc)                                                   \
    {                                                                                              \
        return symmetric((BlasGemm){.handle = handle,                                              \
                                    .m = n,                                                        \
                                    .n = n,                                                        \
                                    .k = k,                                                        \
                                    .alpha = alpha,                                                \
                                    .beta = beta,                                                  \
                                    OF(type, mode),                                                \
                                    .count = 1,                                                    \
                                    .a = {a, lda, 0},                                              \
                                    .b = {a, lda, 0},                                              \
                                    .c = {c, ldc, 0}},                                             \
                         fill, op);                                                                \
    }

SYMMETRIC(S, _v2, int, float, CUDA_R_32F, CUBLAS_COMPUTE_32F)
SYMMETRIC(S, _v2_64, gint64, float, CUDA_R_32F, CUBLAS_COMPUTE_32F)
SYMMETRIC(D, _v2, int, double, CUDA_R_64F, CUBLAS_COMPUTE_64F)
SYMMETRIC(D, _v2_64, gint64, double, CUDA_R_64F, CUBLAS_COMPUTE_64F)

#define TYPES .factors = type_a == type_b ? type_a : -1, .result = type_c, .compute = compute
#define EX(end, INT)                                                                               \
    cublasStatus_t cublasGemmEx##end(SIZES(INT), const void *alpha, const void *a, int type_a,     \
                                     INT lda, const void *b, int type_b, INT ldb,                  \
                                     const void *beta, void *c, int type_c, INT ldc, int compute,  \
                                     int algorithm)                                                \
    {                                                                                              \
        (void)algorithm;                                                                           \
        GEMM(TYPES, .count = 1, .a = {a, lda, 0}, .b = {b, ldb, 0}, .c = {c, ldc, 0});             \
    }                                                                                              \
    cublasStatus_t cublasGemmBatchedEx##end(                                                       \
        SIZES(INT), const void *alpha, const void *const a[], int type_a, INT lda,                 \
        const void *const b[], int type_b, INT ldb, const void *beta, void *const c[], int type_c, \
        INT ldc, INT count, int compute, int algorithm)                                            \
    {                                                                                              \
        (void)algorithm;                                                                           \
        GEMM(TYPES, .count = count, .arrays = TRUE, .a = {a, lda, 0}, .b = {b, ldb, 0},            \
             .c = {c, ldc, 0});                                                                    \
    }                                                                                              \
    cublasStatus_t cublasGemmStridedBatchedEx##end(                                                \
        SIZES(INT), const void *alpha, const void *a, int type_a, INT lda, gint64 step_a,          \
        const void *b, int type_b, INT ldb, gint64 step_b, const void *beta, void *c, int type_c,  \
        INT ldc, gint64 step_c, INT count, int compute, int algorithm)                             \
    {                                                                                              \
        (void)algorithm;                                                                           \
        GEMM(TYPES, .count = count, .a = {a, lda, step_a}, .b = {b, ldb, step_b},                  \
             .c = {c, ldc, step_c});                                                               \
    }                                                                                              \
    cublasStatus_t cublasSgemmEx##end(SIZES(INT), const float *alpha, const void *a, int type_a,   \
                                      INT lda, const void *b, int type_b, INT ldb,                 \
                                      const float *beta, void *c, int type_c, INT ldc)             \
    {                                                                                              \
        const int compute = CUBLAS_COMPUTE_32F;                                                    \
        GEMM(TYPES, .count = 1, .a = {a, lda, 0}, .b = {b, ldb, 0}, .c = {c, ldc, 0});             \
    }

EX(, int)
EX(_64, gint64)

#pragma GCC visibility pop
/* NOLINTEND(readability-function-size,bugprone-macro-parentheses) */
