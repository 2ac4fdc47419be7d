/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program of cuBLAS's interface: its results are held against sums in double precision, and what
 * it answers to wrong arguments is printed. Compiled with NVIDIA's headers (-DHEADERS) it shows
 * that these declare the same as what is declared here.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef HEADERS
#include <cublas_v2.h>
#include <cuda_runtime_api.h>
#else
typedef int cublasStatus_t, cublasOperation_t, cudaError_t, cudaDataType;
typedef int cublasComputeType_t, cublasGemmAlgo_t, cublasMath_t, cublasPointerMode_t;
typedef struct cublasContext *cublasHandle_t;
typedef struct CUstream_st *cudaStream_t;
typedef struct CUgraph_st *cudaGraph_t;
typedef struct CUgraphExec_st *cudaGraphExec_t;
enum { CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C };
enum { CUBLAS_POINTER_MODE_HOST, CUBLAS_POINTER_MODE_DEVICE };
enum { CUBLAS_DEFAULT_MATH = 0, CUBLAS_TF32_TENSOR_OP_MATH = 3 };
enum {
    CUDA_R_32F = 0,
    CUDA_R_64F = 1,
    CUDA_R_16F = 2,
    CUDA_R_8I = 3,
    CUDA_R_32I = 10,
    CUDA_R_16BF = 14
};
enum {
    CUBLAS_COMPUTE_16F = 64,
    CUBLAS_COMPUTE_32F = 68,
    CUBLAS_COMPUTE_64F = 70,
    CUBLAS_COMPUTE_32I = 72,
    CUBLAS_COMPUTE_32F_FAST_TF32 = 77
};
enum { CUBLAS_GEMM_DEFAULT = -1, cudaMemcpyHostToDevice = 1, cudaMemcpyDeviceToHost = 2 };
enum { cudaStreamCaptureModeGlobal = 0 };

cudaError_t cudaMalloc(void **to, size_t bytes);
cudaError_t cudaFree(void *memory);
cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, int way);
cudaError_t cudaStreamCreate(cudaStream_t *stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, int mode);
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *made, cudaGraph_t graph,
                                 unsigned long long flags);
cudaError_t cudaGraphLaunch(cudaGraphExec_t made, cudaStream_t stream);

#define cublasCreate cublasCreate_v2
#define cublasDestroy cublasDestroy_v2
#define cublasSetStream cublasSetStream_v2
#define cublasSetPointerMode cublasSetPointerMode_v2
#define cublasSgemm cublasSgemm_v2
#define cublasDgemm cublasDgemm_v2
#define cublasSaxpy cublasSaxpy_v2
#define cublasDaxpy cublasDaxpy_v2
#define cublasSscal cublasSscal_v2
#define cublasScopy cublasScopy_v2
#define cublasDswap cublasDswap_v2
#define cublasSdot cublasSdot_v2
#define cublasDdot cublasDdot_v2
#define cublasSasum cublasSasum_v2
#define cublasDnrm2 cublasDnrm2_v2
#define cublasSger cublasSger_v2
#define cublasSgemv cublasSgemv_v2
#define cublasDgemv cublasDgemv_v2
#define cublasSsymv cublasSsymv_v2

cublasStatus_t cublasCreate(cublasHandle_t *handle);
cublasStatus_t cublasDestroy(cublasHandle_t handle);
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream);
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode);
const char *cublasGetStatusName(cublasStatus_t status);
cublasStatus_t cublasSetVector(int n, int bytes, const void *x, int incx, void *y, int incy);
cublasStatus_t cublasGetVector(int n, int bytes, const void *x, int incx, void *y, int incy);
cublasStatus_t cublasSetMatrix(int m, int n, int bytes, const void *a, int lda, void *b, int ldb);
cublasStatus_t cublasGetMatrix(int m, int n, int bytes, const void *a, int lda, void *b, int ldb);
cublasStatus_t cublasSgemm(cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb,
                           int m, int n, int k, const float *alpha, const float *a, int lda,
                           const float *b, int ldb, const float *beta, float *c, int ldc);
cublasStatus_t cublasSgemm_v2_64(cublasHandle_t handle, cublasOperation_t opa,
                                 cublasOperation_t opb, int64_t m, int64_t n, int64_t k,
                                 const float *alpha, const float *a, int64_t lda, const float *b,
                                 int64_t ldb, const float *beta, float *c, int64_t ldc);
cublasStatus_t cublasDgemm(cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb,
                           int m, int n, int k, const double *alpha, const double *a, int lda,
                           const double *b, int ldb, const double *beta, double *c, int ldc);
cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb,
                            int m, int n, int k, const void *alpha, const void *a,
                            cudaDataType type_a, int lda, const void *b, cudaDataType type_b,
                            int ldb, const void *beta, void *c, cudaDataType type_c, int ldc,
                            cublasComputeType_t compute, cublasGemmAlgo_t algorithm);
cublasStatus_t cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t opa,
                                   cublasOperation_t opb, int m, int n, int k, const void *alpha,
                                   const void *const a[], cudaDataType type_a, int lda,
                                   const void *const b[], cudaDataType type_b, int ldb,
                                   const void *beta, void *const c[], cudaDataType type_c, int ldc,
                                   int count, cublasComputeType_t compute,
                                   cublasGemmAlgo_t algorithm);
cublasStatus_t cublasSgemmBatched(cublasHandle_t handle, cublasOperation_t opa,
                                  cublasOperation_t opb, int m, int n, int k, const float *alpha,
                                  const float *const a[], int lda, const float *const b[], int ldb,
                                  const float *beta, float *const c[], int ldc, int count);
cublasStatus_t cublasDgemmStridedBatched(cublasHandle_t handle, cublasOperation_t opa,
                                         cublasOperation_t opb, int m, int n, int k,
                                         const double *alpha, const double *a, int lda,
                                         long long step_a, const double *b, int ldb,
                                         long long step_b, const double *beta, double *c, int ldc,
                                         long long step_c, int count);
cublasStatus_t cublasSaxpy(cublasHandle_t handle, int n, const float *alpha, const float *x,
                           int incx, float *y, int incy);
cublasStatus_t cublasDaxpy(cublasHandle_t handle, int n, const double *alpha, const double *x,
                           int incx, double *y, int incy);
cublasStatus_t cublasSscal(cublasHandle_t handle, int n, const float *alpha, float *x, int incx);
cublasStatus_t cublasScopy(cublasHandle_t handle, int n, const float *x, int incx, float *y,
                           int incy);
cublasStatus_t cublasDswap(cublasHandle_t handle, int n, double *x, int incx, double *y, int incy);
cublasStatus_t cublasSdot(cublasHandle_t handle, int n, const float *x, int incx, const float *y,
                          int incy, float *result);
cublasStatus_t cublasDdot(cublasHandle_t handle, int n, const double *x, int incx, const double *y,
                          int incy, double *result);
cublasStatus_t cublasDotEx(cublasHandle_t handle, int n, const void *x, cudaDataType type_x,
                           int incx, const void *y, cudaDataType type_y, int incy, void *result,
                           cudaDataType type, cudaDataType precision);
cublasStatus_t cublasSasum(cublasHandle_t handle, int n, const float *x, int incx, float *result);
cublasStatus_t cublasDnrm2(cublasHandle_t handle, int n, const double *x, int incx, double *result);
cublasStatus_t cublasSger(cublasHandle_t handle, int m, int n, const float *alpha, const float *x,
                          int incx, const float *y, int incy, float *a, int lda);
cublasStatus_t cublasSgemv(cublasHandle_t handle, cublasOperation_t op, int m, int n,
                           const float *alpha, const float *a, int lda, const float *x, int incx,
                           const float *beta, float *y, int incy);
cublasStatus_t cublasDgemv(cublasHandle_t handle, cublasOperation_t op, int m, int n,
                           const double *alpha, const double *a, int lda, const double *x, int incx,
                           const double *beta, double *y, int incy);
cublasStatus_t cublasSsymv(cublasHandle_t handle, int upper, int n, const float *alpha,
                           const float *a, int lda, const float *x, int incx, const float *beta,
                           float *y, int incy);
cublasStatus_t cublasSetSmCountTarget(cublasHandle_t handle, int units);
#endif

/* For C, the header does not have it. */
cublasStatus_t cublasHgemm(cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb,
                           int m, int n, int k, const uint16_t *alpha, const uint16_t *a, int lda,
                           const uint16_t *b, int ldb, const uint16_t *beta, uint16_t *c, int ldc);

static cublasHandle_t handle;
static int wrong;

static void check(int error, const char *what)
{
    if (error) {
        printf("%s: error %d\n", what, error);
        exit(1);
    }
}

/* ---- numbers of each type ------------------------------------------------------------------- */

typedef struct {
    const char *name;
    int type, bytes, fraction; /* bits of the fraction that it holds */
} Type;
static const Type halves = {"half", CUDA_R_16F, 2, 10}, bfloats = {"bfloat", CUDA_R_16BF, 2, 7},
                  singles = {"single", CUDA_R_32F, 4, 23}, doubles = {"double", CUDA_R_64F, 8, 52};

static double get(const void *from, size_t i, const Type *type)
{
    const uint16_t *bits = from;
    uint32_t wide;
    float value;
    if (type == &doubles)
        return ((const double *)from)[i];
    if (type == &singles)
        return (double)((const float *)from)[i];
    wide = (uint32_t)bits[i] << 16;
    if (type == &halves) /* the exponent is made wider by a product */
        wide = (wide & 0x80000000) | (wide & 0x7fffffff) >> 3;
    memcpy(&value, &wide, sizeof value);
    return type == &halves ? (double)value * 0x1p112 : (double)value;
}

/* The number has few bits, so that it is kept as it is. */
static void set(void *to, size_t i, const Type *type, double number)
{
    float value = (float)(type == &halves ? number * 0x1p-112 : number);
    uint32_t wide;
    if (type == &doubles)
        ((double *)to)[i] = number;
    else if (type == &singles)
        ((float *)to)[i] = (float)number;
    else {
        memcpy(&wide, &value, sizeof wide);
        if (type == &halves)
            wide = (wide & 0x80000000) | (wide & 0x0fffffff) << 3;
        ((uint16_t *)to)[i] = (uint16_t)(wide >> 16);
    }
}

static uint32_t seed = 1;
static double random_number(const Type *type)
{
    seed = seed * 1664525 + 1013904223;
    const double few = (double)((int)(seed >> 24) - 128) / 64;
    return type->bytes < 4 ? few : few + (double)(seed >> 8) * 0x1p-30;
}

static void *device(size_t bytes)
{
    void *memory;
    check(cudaMalloc(&memory, bytes), "cudaMalloc");
    return memory;
}

static void *filled(size_t n, const Type *type)
{
    void *made = calloc(n, (size_t)type->bytes);
    for (size_t i = 0; i < n; i++)
        set(made, i, type, random_number(type));
    return made;
}

static void *sent(const void *from, size_t bytes)
{
    void *to = device(bytes);
    check(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
    return to;
}

static void brought(void *to, const void *from, size_t bytes)
{
    check(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost), "cudaMemcpy");
}

/* ---- products ------------------------------------------------------------------------------- */

typedef struct {
    const Type *in, *out;
    int opa, opb, m, n, k, lda, ldb, ldc;
    int skip; /* elements before each factor, so that it begins elsewhere */
    double alpha, beta;
    int fraction; /* bits of factors and sums that count */
} Product;

static double element(const void *x, const Product *p, int op, int row, int column, int ld)
{
    const size_t at = op == CUBLAS_OP_N ? (size_t)column * (size_t)ld + (size_t)row
                                        : (size_t)row * (size_t)ld + (size_t)column;
    return get(x, at + (size_t)p->skip, p->in);
}

/* How far the worst element is from the sum in double precision, by how far it may be: every
 * product and sum rounds to so many bits, and the result to its own. */
static double worst(const Product *p, const void *a, const void *b, const void *before,
                    const void *after)
{
    double most = 0;
    for (int j = 0; j < p->n; j++)
        for (int i = 0; i < p->m; i++) {
            const size_t at = (size_t)j * (size_t)p->ldc + (size_t)i;
            double sum = 0, size = 0;
            for (int k = 0; k < p->k; k++) {
                const double x = element(a, p, p->opa, i, k, p->lda),
                             y = element(b, p, p->opb, k, j, p->ldb);
                sum += x * y;
                size += fabs(x * y);
            }
            const double old = p->beta != 0 ? p->beta * get(before, at, p->out) : 0,
                         right = p->alpha * sum + old;
            const double bound =
                (fabs(p->alpha) * size + fabs(old)) *
                    ((p->k + 2) * ldexp(1, -(p->fraction == 10 ? 23 : p->fraction)) +
                     (p->fraction == 10 ? 0x1p-9 : 0)) +
                fabs(right) * ldexp(1, -p->out->fraction) + 1e-30;
            const double off = fabs(get(after, at, p->out) - right) / bound;
            most = off > most || isnan(off) ? (isnan(off) ? INFINITY : off) : most;
        }
    return most;
}

/* What lies between columns of C stays as it is. */
static int is_kept(const Product *p, const void *before, const void *after)
{
    for (int j = 0; j < p->n; j++)
        for (int i = p->m; i < p->ldc; i++)
            if (get(before, (size_t)j * (size_t)p->ldc + (size_t)i, p->out) !=
                get(after, (size_t)j * (size_t)p->ldc + (size_t)i, p->out))
                return 0;
    return 1;
}

static cublasStatus_t call(const Product *p, void *a, void *b, void *c)
{
    const float alpha = (float)p->alpha, beta = (float)p->beta;
    const double both[] = {p->alpha, p->beta};
    a = (char *)a + p->skip * p->in->bytes;
    b = (char *)b + p->skip * p->in->bytes;
    const cublasOperation_t opa = p->opa, opb = p->opb;
    if (p->in == &doubles)
        return cublasDgemm(handle, opa, opb, p->m, p->n, p->k, &both[0], a, p->lda, b, p->ldb,
                           &both[1], c, p->ldc);
    if (p->out == &halves) {
        uint16_t scales[2];
        set(scales, 0, &halves, p->alpha);
        set(scales, 1, &halves, p->beta);
        return cublasHgemm(handle, opa, opb, p->m, p->n, p->k, &scales[0], a, p->lda, b, p->ldb,
                           &scales[1], c, p->ldc);
    }
    if (p->in == &singles && p->fraction > 10)
        return cublasSgemm(handle, opa, opb, p->m, p->n, p->k, &alpha, a, p->lda, b, p->ldb, &beta,
                           c, p->ldc);
    return cublasGemmEx(
        handle, opa, opb, p->m, p->n, p->k, &alpha, a, (cudaDataType)p->in->type, p->lda, b,
        (cudaDataType)p->in->type, p->ldb, &beta, c, (cudaDataType)p->out->type, p->ldc,
        p->in == &singles ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
}

static void try(Product p)
{
    const size_t bytes = (size_t)p.in->bytes,
                 size_a = (size_t)p.lda * (size_t)(p.opa == CUBLAS_OP_N ? p.k : p.m) + 16,
                 size_b = (size_t)p.ldb * (size_t)(p.opb == CUBLAS_OP_N ? p.n : p.k) + 16,
                 size_c = (size_t)p.ldc * (size_t)p.n;
    void *a = filled(size_a, p.in), *b = filled(size_b, p.in), *c = filled(size_c, p.out),
         *after = malloc(size_c * (size_t)p.out->bytes);
    for (size_t i = 0; p.beta == 0 && i < size_c; i++) /* nobody reads what is not added */
        if (i % (size_t)p.ldc < (size_t)p.m)
            set(c, i, p.out, NAN);
    void *da = sent(a, size_a * bytes), *db = sent(b, size_b * bytes),
         *dc = sent(c, size_c * (size_t)p.out->bytes);
    check(call(&p, da, db, dc), "a product");
    brought(after, dc, size_c * (size_t)p.out->bytes);
    const double off = worst(&p, a, b, c, after);
    if (!(off < 1) || !is_kept(&p, c, after)) {
        printf("%s to %s, ops %d %d, %d x %d x %d, skip %d: off by %g of the bound\n", p.in->name,
               p.out->name, p.opa, p.opb, p.m, p.n, p.k, p.skip, off);
        wrong++;
    }
    free(a), free(b), free(c), free(after);
    cudaFree(da), cudaFree(db), cudaFree(dc);
}

/* All ways of loading: sizes that are multiples of 16 bytes, and others; squares of C of all sizes
 * that kernels make. */
static void products(const Type *in, const Type *out, int fraction)
{
    static const struct {
        int m, n, k, odd, skip;
    } sizes[] = {{64, 64, 32, 0, 0}, {72, 40, 104, 8, 0}, {65, 33, 17, 0, 0},
                 {80, 16, 48, 8, 1}, {1, 1, 1, 0, 0},     {66, 34, 18, 6, 0}};
    int n = 0;
    wrong = 0;
    for (int op = 0; op < 4; op++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++, n++) {
            Product p = {.in = in,
                         .out = out,
                         .opa = op & 1,
                         .opb = op >> 1,
                         .m = sizes[i].m,
                         .n = sizes[i].n,
                         .k = sizes[i].k,
                         .ldc = sizes[i].m + sizes[i].odd,
                         .skip = sizes[i].skip,
                         .alpha = i == 1 ? -0.5 : 1,
                         .beta = i == 1 ? 2 : 0,
                         .fraction = fraction};
            p.lda = (p.opa ? p.k : p.m) + sizes[i].odd;
            p.ldb = (p.opb ? p.n : p.k) + sizes[i].odd;
            try(p);
        }
    printf("%s to %s%s: %d products, %d wrong\n", in->name, out->name,
           in == &singles && fraction == 10 ? " by tf32" : "", n, wrong);
}

/* Squares of 128, which a GPU gets that is to be filled with few of them. */
static void large(const Type *type, int fraction)
{
    wrong = 0;
    check(cublasSetSmCountTarget(handle, 2), "cublasSetSmCountTarget");
    for (int op = 0; op < 4; op++)
        try((Product){.in = type,
                      .out = type,
                      .opa = op & 1,
                      .opb = op >> 1,
                      .m = 136,
                      .n = 264,
                      .k = 72,
                      .lda = 136,
                      .ldb = 264,
                      .ldc = 136,
                      .alpha = 1,
                      .fraction = fraction});
    printf("large, of %s%s: %d wrong\n", type->name,
           fraction == 10 && type == &singles ? " by tf32" : "", wrong);
}

/* ---- batches -------------------------------------------------------------------------------- */

enum { BATCH = 3, SIDE = 24, SIZE = SIDE * SIDE };

/* Each is compared as one product would be. */
static void compare_batch(const Type *type, const void *a, const void *b, const void *c,
                          const void *after)
{
    wrong = 0;
    for (int i = 0; i < BATCH; i++) {
        const Product p = {.in = type,
                           .out = type,
                           .opa = CUBLAS_OP_N,
                           .opb = CUBLAS_OP_T,
                           .m = SIDE,
                           .n = SIDE,
                           .k = SIDE,
                           .lda = SIDE,
                           .ldb = SIDE,
                           .ldc = SIDE,
                           .alpha = 2,
                           .beta = 1,
                           .fraction = type == &doubles ? 52 : 23};
        const size_t at = (size_t)(i * SIZE * type->bytes);
        wrong += !(worst(&p, (const char *)a + at, (const char *)b + at, (const char *)c + at,
                         (const char *)after + at) < 1);
    }
    printf("%s: %d wrong\n",
           type == &doubles   ? "strides, of double"
           : type == &singles ? "pointers, of single"
                              : "pointers, of half",
           wrong);
}

static void batches(const Type *type)
{
    const size_t bytes = (size_t)type->bytes, all = (size_t)BATCH * SIZE * bytes;
    void *a = filled(BATCH * SIZE, type), *b = filled(BATCH * SIZE, type),
         *c = filled(BATCH * SIZE, type), *after = malloc(all);
    char *da = sent(a, all), *db = sent(b, all), *dc = sent(c, all);
    void *pointers[3][BATCH], *places[3];
    const float alpha = 2, beta = 1;
    const double two = 2, one = 1;
    for (int i = 0; i < BATCH; i++) {
        pointers[0][i] = da + (size_t)(i * SIZE) * bytes;
        pointers[1][i] = db + (size_t)(i * SIZE) * bytes;
        pointers[2][i] = dc + (size_t)(i * SIZE) * bytes;
    }
    for (int i = 0; i < 3; i++)
        places[i] = sent(pointers[i], sizeof pointers[i]);
    if (type == &doubles)
        check(cublasDgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_T, SIDE, SIDE, SIDE, &two,
                                        (double *)da, SIDE, SIZE, (double *)db, SIDE, SIZE, &one,
                                        (double *)dc, SIDE, SIZE, BATCH),
              "strides");
    else if (type == &singles)
        check(cublasSgemmBatched(handle, CUBLAS_OP_N, CUBLAS_OP_T, SIDE, SIDE, SIDE, &alpha,
                                 places[0], SIDE, places[1], SIDE, &beta, places[2], SIDE, BATCH),
              "pointers");
    else
        check(cublasGemmBatchedEx(handle, CUBLAS_OP_N, CUBLAS_OP_T, SIDE, SIDE, SIDE, &alpha,
                                  places[0], CUDA_R_16F, SIDE, places[1], CUDA_R_16F, SIDE, &beta,
                                  places[2], CUDA_R_16F, SIDE, BATCH, CUBLAS_COMPUTE_32F,
                                  CUBLAS_GEMM_DEFAULT),
              "pointers");
    brought(after, dc, all);
    compare_batch(type, a, b, c, after);
    free(a), free(b), free(c), free(after);
}

/* ---- vectors -------------------------------------------------------------------------------- */

enum { N = 5000 };

static void near(const char *what, double is, double right, double bound)
{
    if (!(fabs(is - right) <= bound)) {
        printf("%s is %.17g, not %.17g\n", what, is, right);
        wrong++;
    }
}

static void vectors(void)
{
    float *x = filled(N, &singles), *y = filled(N, &singles), *to = malloc(N * sizeof *to), sum;
    double *u = filled(N, &doubles), *v = filled(N, &doubles), *back = malloc(N * sizeof *back),
           all;
    float *dx = sent(x, N * sizeof *x), *dy = sent(y, N * sizeof *y);
    double *du = sent(u, N * sizeof *u), *dv = sent(v, N * sizeof *v);
    const float three = 3;
    const double half = 0.5;
    double right = 0, size = 0, squares = 0, sizes = 0;
    wrong = 0;
    for (int i = 0; i < N; i++) {
        right += (double)x[i] * (double)y[N - 1 - i];
        sizes += fabs((double)x[i] * (double)y[i]);
        size += fabs((double)x[i]);
        squares += u[i] * u[i];
    }
    check(cublasSdot(handle, N, dx, 1, dy, -1, &sum), "dot");
    near("dot", (double)sum, right, sizes * 1e-5);
    check(cublasSasum(handle, N, dx, 1, &sum), "asum");
    near("asum", (double)sum, size, size * 1e-5);
    check(cublasDnrm2(handle, N, du, 1, &all), "nrm2");
    near("nrm2", all, sqrt(squares), 1e-12 * sqrt(squares));
    for (int i = 0; i < 2; i++) { /* 256 numbers that are 1, and the last that is 2 */
        const Type *type = i ? &bfloats : &halves;
        uint16_t ones[256], *d, is;
        for (int k = 0; k < 256; k++)
            set(ones, (size_t)k, type, k < 255 ? 1 : 2);
        d = sent(ones, sizeof ones);
        if (cublasDotEx(handle, 256, d, (cudaDataType)type->type, 1, d, (cudaDataType)type->type, 1,
                        &is, (cudaDataType)type->type, CUDA_R_32F) == 0)
            near("dot of few bits", get(&is, 0, type), type == &halves ? 259 : 260, 0);
        else
            printf("no dot of %s\n", type->name);
    }
    check(cublasDdot(handle, 0, du, 1, dv, 1, &all), "dot of nothing");
    near("dot of nothing", all, 0, 0);
    check(cublasSaxpy(handle, N / 2, &three, dx, 2, dy, -2), "axpy");
    brought(to, dy, N * sizeof *to);
    for (int i = 0; i < N; i++)
        near("axpy", (double)to[i], i % 2 ? (double)y[i] : (double)fmaf(three, x[N - 2 - i], y[i]),
             0);
    check(cublasDaxpy(handle, N, &half, du, 1, dv, 1), "axpy");
    check(cublasDswap(handle, N, du, 1, dv, 1), "swap");
    brought(back, du, N * sizeof *back);
    for (int i = 0; i < N; i++)
        near("axpy, and swap", back[i], fma(half, u[i], v[i]), 0);
    check(cublasSscal(handle, N, &three, dx, 1), "scal");
    check(cublasScopy(handle, N, dx, 1, dy, 1), "copy");
    brought(to, dy, N * sizeof *to);
    for (int i = 0; i < N; i++)
        near("scal, and copy", (double)to[i], (double)(three * x[i]), 0);
    printf("vectors: %d wrong\n", wrong);
}

static void matrices_and_vectors(void)
{
    enum { ROWS = 70, COLUMNS = 45, LEAD = 73 };
    double *a = filled((size_t)LEAD * COLUMNS, &doubles), *x = filled(ROWS, &doubles),
           *y = filled(2 * ROWS, &doubles), *to = malloc(2 * ROWS * sizeof *to);
    float *b = malloc((size_t)LEAD * COLUMNS * sizeof *b), *row = filled(ROWS, &singles),
          *after = malloc((size_t)LEAD * COLUMNS * sizeof *after);
    const double two = 2, half = 0.5;
    const float minus = -1;
    wrong = 0;
    for (int i = 0; i < LEAD * COLUMNS; i++)
        b[i] = (float)a[i];
    double *da = sent(a, (size_t)LEAD * COLUMNS * sizeof *a), *dx = sent(x, ROWS * sizeof *x), *dy;
    float *db = sent(b, (size_t)LEAD * COLUMNS * sizeof *b), *drow = sent(row, ROWS * sizeof *row);
    for (int op = 0; op < 2; op++) {
        const int in = op ? ROWS : COLUMNS, out = op ? COLUMNS : ROWS;
        dy = sent(y, 2 * ROWS * sizeof *y);
        check(cublasDgemv(handle, op ? CUBLAS_OP_T : CUBLAS_OP_N, ROWS, COLUMNS, &two, da, LEAD, dx,
                          1, &half, dy, 2),
              "gemv");
        brought(to, dy, 2 * ROWS * sizeof *to);
        for (int i = 0; i < out; i++) {
            double sum = 0;
            for (int k = 0; k < in; k++)
                sum += (op ? a[i * LEAD + k] : a[k * LEAD + i]) * x[k];
            near("gemv", to[2 * i], two * sum + half * y[2 * i], 1e-11);
        }
    }
    check(cublasSger(handle, ROWS, COLUMNS, &minus, drow, 1, drow, 1, db, LEAD), "ger");
    brought(after, db, (size_t)LEAD * COLUMNS * sizeof *after);
    for (int j = 0; j < COLUMNS; j++)
        for (int i = 0; i < LEAD; i++)
            near("ger", (double)after[j * LEAD + i],
                 i < ROWS ? (double)fmaf(-row[i], row[j], b[j * LEAD + i])
                          : (double)b[j * LEAD + i],
                 0);
    printf("a matrix and vectors: %d wrong\n", wrong);
}

/* ---- what handles are set to ---------------------------------------------------------------- */

/* Scalars on the device, which a graph reads when it runs; copies of parts of matrices. */
static void modes(void)
{
    enum { SMALL = 5, LEAD = 7 };
    float a[SMALL * SMALL], c[LEAD * SMALL], scalars[2] = {1, 0}, sum;
    for (int i = 0; i < SMALL * SMALL; i++)
        a[i] = (float)i;
    float *da = device(sizeof c), *dc = device(sizeof c), *ds = sent(scalars, sizeof scalars);
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t made;
    check(cublasSetMatrix(SMALL, SMALL, sizeof *a, a, SMALL, da, LEAD), "cublasSetMatrix");
    check(cudaStreamCreate(&stream), "cudaStreamCreate");
    check(cublasSetStream(handle, stream), "cublasSetStream");
    check(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE), "cublasSetPointerMode");
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), "cudaStreamBeginCapture");
    check(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, SMALL, SMALL, SMALL, ds, da, LEAD, da, LEAD,
                      ds + 1, dc, LEAD),
          "cublasSgemm");
    check(cublasSasum(handle, SMALL, dc, 1, ds + 1), "cublasSasum");
    check(cudaStreamEndCapture(stream, &graph), "cudaStreamEndCapture");
    check(cudaGraphInstantiate(&made, graph, 0), "cudaGraphInstantiate");
    scalars[0] = 2; /* after the capture, before it runs */
    check(cudaMemcpy(ds, scalars, sizeof *scalars, cudaMemcpyHostToDevice), "cudaMemcpy");
    check(cudaGraphLaunch(made, stream), "cudaGraphLaunch");
    check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
    check(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST), "cublasSetPointerMode");
    check(cublasGetMatrix(SMALL, SMALL, sizeof *c, dc, LEAD, c, SMALL), "cublasGetMatrix");
    check(cublasGetVector(1, sizeof sum, ds + 1, 1, &sum, 1), "cublasGetVector");
    printf("captured, with scalars on the device: %g %g, sum %g\n", (double)c[0], (double)c[6],
           (double)sum);
    check(cublasSetStream(handle, NULL), "cublasSetStream");
    check(cublasSetMathMode(handle, CUBLAS_TF32_TENSOR_OP_MATH), "cublasSetMathMode");
    scalars[0] = 1;
    check(cublasSgemm_v2_64(handle, CUBLAS_OP_N, CUBLAS_OP_N, SMALL, SMALL, SMALL, &scalars[0], da,
                            LEAD, da, LEAD, &scalars[1], dc, LEAD),
          "cublasSgemm_64");
    check(cublasSetMathMode(handle, CUBLAS_DEFAULT_MATH), "cublasSetMathMode");
    check(cublasGetMatrix(SMALL, SMALL, sizeof *c, dc, LEAD, c, SMALL), "cublasGetMatrix");
    printf("by tf32: %g\n", (double)c[6]);
}

static void say(const char *what, cublasStatus_t status)
{
    printf("%s: %s\n", what, cublasGetStatusName(status));
}

static void errors(void)
{
    const float one = 1;
    const int whole = 1;
    float *x = device(64 * sizeof *x), result;
    cublasHandle_t none = NULL;
#define SGEMM(of, op, m, lda, alpha, c)                                                            \
    cublasSgemm(of, (cublasOperation_t)(op), CUBLAS_OP_N, m, 4, 4, alpha, x, lda, x, 4, &one, c, 4)
    say("no handle", SGEMM(none, CUBLAS_OP_N, 4, 4, &one, x));
    say("no operation", SGEMM(handle, 7, 4, 4, &one, x));
    say("rows below 0", SGEMM(handle, CUBLAS_OP_N, -1, 4, &one, x));
    say("columns that overlap", SGEMM(handle, CUBLAS_OP_N, 4, 3, &one, x));
    say("no scalar", SGEMM(handle, CUBLAS_OP_N, 4, 4, NULL, x));
    say("no result", SGEMM(handle, CUBLAS_OP_N, 4, 4, &one, NULL));
    say("no rows", SGEMM(handle, CUBLAS_OP_N, 0, 4, &one, x));
    say("integers", cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &whole, x, CUDA_R_8I, 4,
                                 x, CUDA_R_8I, 4, &whole, x, CUDA_R_32I, 4, CUBLAS_COMPUTE_32I,
                                 CUBLAS_GEMM_DEFAULT));
    say("no increment", cublasSgemv(handle, CUBLAS_OP_N, 4, 4, &one, x, 4, x, 0, &one, x, 1));
    say("no place", cublasSasum(handle, 4, x, 1, NULL));
    say("no increment of a sum", cublasSasum(handle, 4, x, 0, &result));
    say("no element", cublasSetVector(4, 0, &one, 1, x, 1));
    say("no such mode", cublasSetMathMode(handle, (cublasMath_t)9));
    say("what is not there", cublasSsymv(handle, 0, 4, &one, x, 4, x, 1, &one, x, 1));
    say("again", cublasSsymv(handle, 0, 4, &one, x, 4, x, 1, &one, x, 1));
    say("no pointer to a handle", cublasCreate(NULL));
    say("destroyed", cublasDestroy(handle));
    say("destroyed twice", cublasDestroy(handle));
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "products";
    const cublasStatus_t status = cublasCreate(&handle);
    if (status) {
        printf("no handle: %d\n", (int)status);
        return 3;
    }
    if (strcmp(what, "products") == 0) {
        products(&singles, &singles, 23);
        products(&doubles, &doubles, 52);
        products(&halves, &halves, 23);
        products(&halves, &singles, 23);
    }
    if (strcmp(what, "products") == 0 && argc < 3) { /* what older GPUs do not have */
        products(&bfloats, &bfloats, 23);
        products(&singles, &singles, 10);
        batches(&singles);
        batches(&doubles);
        batches(&halves);
    }
    if (strcmp(what, "large") == 0) {
        large(&singles, 23);
        large(&halves, 23);
        large(&singles, 10);
        large(&doubles, 52);
    }
    if (strcmp(what, "vectors") == 0) {
        vectors();
        matrices_and_vectors();
        modes();
    }
    if (strcmp(what, "errors") == 0)
        errors();
    return 0;
}
