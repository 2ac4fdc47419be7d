/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernels that stand in for cuBLAS's, as texts of PTX that are made when a program needs them, so
 * that no CUDA compiler is needed. All matrices are stored by columns, as in cuBLAS.
 */
#ifndef PIPESIM_DRIVER_BLAS_PTX_H
#define PIPESIM_DRIVER_BLAS_PTX_H

#include <glib.h>

typedef enum { BLAS_F16, BLAS_BF16, BLAS_F32, BLAS_F64, BLAS_N_TYPES } BlasType;

/* Bytes of an element. */
guint blas_bytes(BlasType type);

/* "bf16" */
const char *blas_type_name(BlasType type);

/* How a product is calculated. */
typedef enum {
    BLAS_BY_UNITS,  /* multiply-adds of the result's precision: singles, or doubles */
    BLAS_BY_HALVES, /* tensor cores, with factors of 16 bits as they are */
    BLAS_BY_TF32    /* tensor cores, with singles of which 10 bits of fraction count */
} BlasWay;

/* How a group loads its part of the factors. */
typedef enum {
    BLAS_ONE_BY_ONE, /* each element by itself, at any address */
    BLAS_BY_16,      /* 16 bytes at a time, which begin at multiples of 16 */
    BLAS_ASYNC       /* the same past the registers: cp.async */
} BlasLoads;

/* The function of each element of a result. GELU: by tanh, as in cuBLASLt; not for doubles. */
typedef enum { BLAS_AS_IT_IS, BLAS_RELU, BLAS_GELU } BlasActivation;

/* Elements of a square result that are made: all, or those on one side of the diagonal and on it.
 */
typedef enum { BLAS_WHOLE, BLAS_LOWER, BLAS_UPPER } BlasPart;

/* A kernel of products: C = then(alpha op(A) op(B) + beta C + bias). Its parameters are
 * BlasProductArguments. */
typedef struct {
    BlasType factors, result;
    BlasWay way;
    BlasLoads loads;        /* ONE_BY_ONE if the way is BY_UNITS */
    gboolean transposed[2]; /* A, B */
    gboolean bias;          /* a value for each row of the result is added ... */
    BlasActivation then;    /* ... and then this function applied */
    BlasPart part;
    guint tile; /* rows and columns of a group's part of C: 32 (by units), 64, 128 */
} BlasProduct;

/* The threads of a group. */
guint blas_product_threads(const BlasProduct *product);

/* The kernel's name; target: as below (g_free). */
char *blas_product_name(const BlasProduct *product);

/* The text of a module with the kernel (g_free). target: 80 for sm_80, a result of blas_target. */
char *blas_product_ptx(const BlasProduct *product, guint target);

/* The kernels of vectors, and of a matrix and vectors. */
typedef enum {
    BLAS_AXPY,
    BLAS_SCAL,
    BLAS_COPY,
    BLAS_SWAP,
    BLAS_ROT,
    BLAS_DOT,     /* parts of sums; */
    BLAS_ASUM,    /* parts of sums */
    BLAS_SQUARES, /* parts of sums */
    BLAS_SUM,     /* ... of which these are the sums, */
    BLAS_ROOT,    /* and the square roots */
    BLAS_AMAX,    /* places of the largest elements of parts; */
    BLAS_AMIN,    /* of the smallest; */
    BLAS_AMAX_OF, /* ... and of these the first largest one, counted from 1; m: bytes of a place */
    BLAS_AMIN_OF,
    BLAS_GER,
    BLAS_GEMV,
    BLAS_GEMV_T,
    BLAS_GEAM_NN, /* A is x, with incx from column to column; B is y; C is a */
    BLAS_GEAM_TN,
    BLAS_GEAM_NT,
    BLAS_GEAM_TT,
    BLAS_N_VECTOR
} BlasVector;

/* Threads of these kernels' groups. */
#define BLAS_VECTOR_THREADS 256

/* type: of the vectors, or of the result where partial sums are added. Sums are doubles for
 * doubles, otherwise singles; halves and bfloats only have kernels of dot. */
char *blas_vector_name(BlasVector kernel, BlasType type);
char *blas_vector_ptx(BlasVector kernel, BlasType type, guint target);

/* The architecture for which code is made, for a GPU of that compute capability (86 for 8.6). */
guint blas_target(guint capability);

/* ---- for those files that make texts -------------------------------------------------------- */

/* The begin of a module, and of a kernel with that name. */
void blas_ptx_module(GString *out, guint target);

/* Loads %alpha and %beta from the parameters `alpha` and `beta`, which are values or addresses by
 * `scales`: 0, 1, or 2 for the address of a half. doubles: in double precision, otherwise
 * single. */
void blas_ptx_scale(GString *out, const char *name, gboolean doubles);

/* Declares the registers that blas_ptx_scale needs. */
void blas_ptx_scale_registers(GString *out, gboolean doubles);

/* Loads an element as a value in the precision of sums, if the predicate holds. value: a register
 * of .f32 or .f64; %h0 and %s0 are scratch registers of 16 and 32 bits. */
void blas_ptx_load(GString *out, BlasType type, const char *predicate, const char *value,
                   const char *address);
void blas_ptx_store(GString *out, BlasType type, const char *predicate, const char *value,
                    const char *address);

#endif
