/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program of cuBLAS's interface: places of largest and smallest elements, rotations of vectors,
 * and sums of matrices, held against a CPU. Compiled with NVIDIA's headers (-DHEADERS) it shows
 * that these declare the same as what is declared here.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#ifdef HEADERS
#include <cublas_v2.h>
#include <cuda_runtime_api.h>
#else
typedef int cublasStatus_t, cublasOperation_t, cudaError_t;
typedef struct cublasContext *cublasHandle_t;
enum { CUBLAS_OP_N, CUBLAS_OP_T };
enum { CUBLAS_POINTER_MODE_HOST, CUBLAS_POINTER_MODE_DEVICE };
typedef int cublasFillMode_t, cublasMath_t;
enum { CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER };
enum { CUBLAS_DEFAULT_MATH = 0, CUBLAS_TF32_TENSOR_OP_MATH = 3 };
enum { cudaMemAttachGlobal = 1 };

cudaError_t cudaMallocManaged(void **to, size_t bytes, unsigned int flags);
cudaError_t cudaDeviceSynchronize(void);

#define cublasCreate cublasCreate_v2
#define cublasDestroy cublasDestroy_v2
#define cublasSetPointerMode cublasSetPointerMode_v2
#define cublasIsamax cublasIsamax_v2
#define cublasIdamin cublasIdamin_v2
#define cublasIdamax_64 cublasIdamax_v2_64
#define cublasSrot cublasSrot_v2
#define cublasSsyrk cublasSsyrk_v2
#define cublasDsyrk cublasDsyrk_v2

cublasStatus_t cublasCreate(cublasHandle_t *handle);
cublasStatus_t cublasDestroy(cublasHandle_t handle);
cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, int mode);
cublasStatus_t cublasIsamax(cublasHandle_t handle, int n, const float *x, int incx, int *result);
cublasStatus_t cublasIdamin(cublasHandle_t handle, int n, const double *x, int incx, int *result);
cublasStatus_t cublasIdamax_64(cublasHandle_t handle, int64_t n, const double *x, int64_t incx,
                               int64_t *result);
cublasStatus_t cublasSrot(cublasHandle_t handle, int n, float *x, int incx, float *y, int incy,
                          const float *c, const float *s);
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
cublasStatus_t cublasSsyrk(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op,
                           int n, int k, const float *alpha, const float *a, int lda,
                           const float *beta, float *c, int ldc);
cublasStatus_t cublasDsyrk(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t op,
                           int n, int k, const double *alpha, const double *a, int lda,
                           const double *beta, double *c, int ldc);
cublasStatus_t cublasSgeam(cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb,
                           int m, int n, const float *alpha, const float *a, int lda,
                           const float *beta, const float *b, int ldb, float *c, int ldc);
cublasStatus_t cublasDgeam(cublasHandle_t handle, cublasOperation_t opa, cublasOperation_t opb,
                           int m, int n, const double *alpha, const double *a, int lda,
                           const double *beta, const double *b, int ldb, double *c, int ldc);
#endif

enum { N = 10000, M = 300, COLUMNS = 7, LEAD = 320 };

static cublasHandle_t handle;
static int failed; /* calls */

static void *managed(size_t bytes)
{
    void *memory = NULL;
    failed += cudaMallocManaged(&memory, bytes, cudaMemAttachGlobal) != 0;
    return memory;
}

/* ---- places --------------------------------------------------------------------------------- */

static void places(void)
{
    float *x = managed(N * sizeof *x);
    double *y = managed(N * sizeof *y);
    int largest = 0, smallest = 0, one = 0, none = 7, steps = 0, *there = managed(sizeof *there);
    int64_t wide = 0;
    for (int i = 0; i < N; i++) {
        x[i] = (float)(i * 37 % 101) / 8;
        y[i] = 3 + (i * 41 % 97);
    }
    x[777] = x[5000] = x[9998] = -99; /* the first counts */
    y[4321] = y[8000] = -0.5;
    y[6000] = -1000;
    failed += cublasIsamax(handle, N, x, 1, &largest) + cublasIdamin(handle, N, y, 1, &smallest) +
              cublasIdamax_64(handle, N, y, 1, &wide) + cublasIsamax(handle, 1, x, 1, &one) +
              cublasIsamax(handle, 0, x, 1, &none) + cublasIsamax(handle, N / 2, x, 2, &steps);
    failed += cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE) +
              cublasIsamax(handle, N, x, 1, there) + (int)cudaDeviceSynchronize() +
              cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST);
    printf("places: %d %d %d, one %d, none %d, every second %d, on the device %d\n", largest,
           smallest, (int)wide, one, none, steps, *there);
    x[0] = NAN;
    failed += cublasIsamax(handle, 1, x, 1, &one) + cublasIsamax(handle, N, x, 1, &largest);
    printf("no number: %d, among numbers %d\n", one, largest);
}

/* ---- rotations ------------------------------------------------------------------------------ */

static void rotation(void)
{
    float *x = managed(N * sizeof *x), *y = managed(2 * N * sizeof *y);
    const float c = 0.6f, s = 0.8f;
    int wrong = 0;
    for (int i = 0; i < N; i++) {
        x[i] = (float)(i % 13);
        y[2 * i] = (float)(i % 7) - 3;
        y[2 * i + 1] = 5;
    }
    failed += cublasSrot(handle, N, x, 1, y, -2, &c, &s) + (int)cudaDeviceSynchronize();
    for (int i = 0; i < N; i++) {
        const int at = N - 1 - i; /* y goes backwards */
        const double was = i % 13, other = at % 7 - 3;
        wrong += !(fabs(x[i] - (0.6 * was + 0.8 * other)) < 1e-5) ||
                 !(fabs(y[2 * at] - (0.6 * other - 0.8 * was)) < 1e-5) || y[2 * i + 1] != 5;
    }
    printf("rotation: %d wrong\n", wrong);
}

/* ---- sums of matrices ----------------------------------------------------------------------- */

static int at(cublasOperation_t op, int row, int column)
{
    return op == CUBLAS_OP_N ? column * LEAD + row : row * LEAD + column;
}

static void sums(void)
{
    const size_t all = (size_t)LEAD * LEAD;
    double *a = managed(all * sizeof *a), *b = managed(all * sizeof *b),
           *c = managed(all * sizeof *c);
    const double alpha = 2, beta = -0.5;
    int wrong = 0;
    for (size_t i = 0; i < all; i++) {
        a[i] = (double)(i * 7 % 31);
        b[i] = (double)(i * 11 % 29);
        c[i] = -7;
    }
    for (int op = 0; op < 4; op++) {
        const cublasOperation_t opa = op & 1 ? CUBLAS_OP_T : CUBLAS_OP_N,
                                opb = op & 2 ? CUBLAS_OP_T : CUBLAS_OP_N;
        failed +=
            cublasDgeam(handle, opa, opb, M, COLUMNS, &alpha, a, LEAD, &beta, b, LEAD, c, LEAD) +
            (int)cudaDeviceSynchronize();
        for (int column = 0; column < COLUMNS; column++)
            for (int row = 0; row < LEAD; row++)
                wrong +=
                    c[column * LEAD + row] !=
                    (row < M ? 2 * a[at(opa, row, column)] - 0.5 * b[at(opb, row, column)] : -7);
    }
    printf("sums of matrices: %d wrong\n", wrong);
}

/* A transposition is a sum of which one matrix is not there. */
static void transposition(void)
{
    float *a = managed((size_t)M * COLUMNS * sizeof *a),
          *c = managed((size_t)M * COLUMNS * sizeof *c);
    const float one = 1, zero = 0;
    int wrong = 0;
    for (int i = 0; i < M * COLUMNS; i++)
        a[i] = (float)i;
    failed += cublasSgeam(handle, CUBLAS_OP_T, CUBLAS_OP_N, M, COLUMNS, &one, a, COLUMNS, &zero,
                          NULL, M, c, M) +
              (int)cudaDeviceSynchronize();
    for (int row = 0; row < M; row++)
        for (int column = 0; column < COLUMNS; column++)
            wrong += c[column * M + row] != a[row * COLUMNS + column];
    printf("transposition: %d wrong\n", wrong);
    printf("errors: %d %d %d\n", cublasSgeam(handle, 9, 0, 1, 1, &one, a, 1, &one, a, 1, c, 1),
           cublasSgeam(handle, 0, 0, 4, 1, &one, a, 1, &one, a, 4, c, 4),
           cublasIsamax(handle, 4, a, 1, NULL));
}

/* ---- a matrix by itself --------------------------------------------------------------------- */

enum { SIDE = 150, DEEP = 21 };

static double wanted(cublasOperation_t op, int row, int column)
{
    double sum = 0;
    for (int k = 0; k < DEEP; k++) {
        const int one = op == CUBLAS_OP_N ? k * LEAD + row : row * LEAD + k,
                  other = op == CUBLAS_OP_N ? k * LEAD + column : column * LEAD + k;
        sum += (one * 7 % 31 - 15) * (other * 7 % 31 - 15);
    }
    return 2 * sum + 3 * ((column * LEAD + row) % 5);
}

/* The number of elements that are wrong: of the doubles, or where these are not there the singles.
 */
static int off(cublasFillMode_t fill, cublasOperation_t op, const double *doubles,
               const float *singles)
{
    int wrong = 0;
    for (int column = 0; column < SIDE; column++)
        for (int row = 0; row < SIDE; row++) {
            const int i = column * LEAD + row,
                      made = fill == CUBLAS_FILL_MODE_LOWER ? row >= column : row <= column;
            wrong +=
                (doubles ? doubles[i] : singles[i]) != (made ? wanted(op, row, column) : i % 5);
        }
    return wrong;
}

/* Elements on the other side of the diagonal stay as they are. Singles also by tensor cores. */
static void symmetric(void)
{
    const size_t all = (size_t)LEAD * LEAD;
    double *a = managed(all * sizeof *a), *c = managed(all * sizeof *c);
    float *single_a = managed(all * sizeof *single_a), *single_c = managed(all * sizeof *single_c);
    const double two = 2, three = 3;
    const float single_two = 2, single_three = 3;
    int wrong = 0;
    for (int way = 0; way < 12; way++) {
        const cublasFillMode_t fill = way & 1 ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER;
        const cublasOperation_t op = way & 2 ? CUBLAS_OP_T : CUBLAS_OP_N;
        for (size_t i = 0; i < all; i++) {
            single_a[i] = (float)(a[i] = (double)(i * 7 % 31) - 15);
            single_c[i] = (float)(c[i] = (double)(i % 5));
        }
        failed +=
            cublasSetMathMode(handle, way & 8 ? CUBLAS_TF32_TENSOR_OP_MATH : CUBLAS_DEFAULT_MATH) +
            (way < 4 ? cublasDsyrk(handle, fill, op, SIDE, DEEP, &two, a, LEAD, &three, c, LEAD)
                     : cublasSsyrk(handle, fill, op, SIDE, DEEP, &single_two, single_a, LEAD,
                                   &single_three, single_c, LEAD)) +
            (int)cudaDeviceSynchronize();
        wrong += off(fill, op, way < 4 ? c : NULL, single_c);
    }
    printf("a matrix by itself: %d wrong\n", wrong);
}

int main(void)
{
    failed += cublasCreate(&handle);
    places();
    rotation();
    sums();
    transposition();
    symmetric();
    failed += cublasDestroy(handle);
    printf("calls that failed: %d\n", failed);
    return 0;
}
