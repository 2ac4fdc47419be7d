/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program of cuBLAS's interface that solves triangular systems of equations: each solution is put
 * into its equations on a CPU. Compiled with NVIDIA's headers (-DHEADERS) it shows that these
 * declare the same as what is declared here.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#ifdef HEADERS
#include <cublas_v2.h>
#include <cuda_runtime_api.h>
#else
typedef int cublasStatus_t, cublasOperation_t, cublasSideMode_t, cublasFillMode_t, cublasDiagType_t;
typedef struct cublasContext *cublasHandle_t;
enum { CUBLAS_OP_N, CUBLAS_OP_T };
enum { CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT };
enum { CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER };
enum { CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT };
enum { CUBLAS_POINTER_MODE_HOST, CUBLAS_POINTER_MODE_DEVICE };
enum { cudaMemAttachGlobal = 1 };

int cudaMallocManaged(void **to, size_t bytes, unsigned int flags);
int cudaDeviceSynchronize(void);

#define cublasCreate cublasCreate_v2
#define cublasDestroy cublasDestroy_v2
#define cublasSetPointerMode cublasSetPointerMode_v2
#define cublasStrsm cublasStrsm_v2
#define cublasDtrsm cublasDtrsm_v2

cublasStatus_t cublasCreate(cublasHandle_t *handle);
cublasStatus_t cublasDestroy(cublasHandle_t handle);
cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, int mode);
cublasStatus_t cublasStrsm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,
                           cublasOperation_t op, cublasDiagType_t diagonal, int m, int n,
                           const float *alpha, const float *a, int lda, float *b, int ldb);
cublasStatus_t cublasDtrsm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,
                           cublasOperation_t op, cublasDiagType_t diagonal, int m, int n,
                           const double *alpha, const double *a, int lda, double *b, int ldb);
#endif

enum { M = 70, N = 45, LEAD = 80 };

static cublasHandle_t handle;
static double *a, *b, before[LEAD * LEAD];
static float *single_a, *single_b;

typedef struct {
    cublasSideMode_t side;
    cublasFillMode_t fill;
    cublasOperation_t op;
    cublasDiagType_t diagonal;
} Case;

/* The other triangle, and a diagonal of ones, must not be read. */
static void fill(const Case *what)
{
    for (int column = 0; column < LEAD; column++)
        for (int row = 0; row < LEAD; row++) {
            const int i = column * LEAD + row;
            const int there = what->fill == CUBLAS_FILL_MODE_LOWER ? row > column : row < column;
            a[i] = there ? (row * 7 + column * 3) % 11 / 200.0
                   : row != column || what->diagonal == CUBLAS_DIAG_UNIT ? NAN
                                                                         : 2 + row % 3;
            before[i] = b[i] = (row * 5 + column * 13) % 17 - 8;
            single_a[i] = (float)a[i];
            single_b[i] = (float)b[i];
        }
}

static double of_op(const Case *what, int row, int column)
{
    const int i = what->op == CUBLAS_OP_N ? column * LEAD + row : row * LEAD + column;
    const int is_row = i % LEAD, is_column = i / LEAD;
    if (is_row == is_column)
        return what->diagonal == CUBLAS_DIAG_UNIT ? 1 : a[i];
    return (what->fill == CUBLAS_FILL_MODE_LOWER) == (is_row > is_column) ? a[i] : 0;
}

/* How far the equations are from being met, and 1 if something else was written. */
static double off(const Case *what, const double *x, double alpha)
{
    double worst = 0;
    for (int column = 0; column < LEAD; column++)
        for (int row = 0; row < LEAD; row++) {
            double sum = 0;
            const int i = column * LEAD + row;
            if (row >= M || column >= N) {
                worst = x[i] == before[i] ? worst : 1;
                continue;
            }
            if (what->side == CUBLAS_SIDE_LEFT)
                for (int k = 0; k < M; k++)
                    sum += of_op(what, row, k) * x[column * LEAD + k];
            else
                for (int k = 0; k < N; k++)
                    sum += x[k * LEAD + row] * of_op(what, k, column);
            const double is = fabs(sum - alpha * before[i]);
            worst = is <= worst ? worst : is; /* also where it is no number */
        }
    return worst;
}

static void solve(int singles)
{
    const double alpha = 0.5;
    const float single = 0.5f;
    int wrong = 0, failed = 0;
    for (int way = 0; way < 16; way += singles ? 5 : 1) {
        const Case what = {way & 1 ? CUBLAS_SIDE_RIGHT : CUBLAS_SIDE_LEFT,
                           way & 2 ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER,
                           way & 4 ? CUBLAS_OP_T : CUBLAS_OP_N,
                           way & 8 ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT};
        fill(&what);
        failed += singles ? cublasStrsm(handle, what.side, what.fill, what.op, what.diagonal, M, N,
                                        &single, single_a, LEAD, single_b, LEAD)
                          : cublasDtrsm(handle, what.side, what.fill, what.op, what.diagonal, M, N,
                                        &alpha, a, LEAD, b, LEAD);
        failed += cudaDeviceSynchronize() != 0;
        for (int i = 0; singles && i < LEAD * LEAD; i++)
            b[i] = single_b[i];
        wrong += !(off(&what, b, alpha) < (singles ? 1e-4 : 1e-12));
    }
    printf("%s: %d wrong, %d failed\n", singles ? "singles" : "doubles", wrong, failed);
}

int main(void)
{
    const size_t all = (size_t)LEAD * LEAD;
    const double alpha = 1;
    int failed = cudaMallocManaged((void **)&a, all * sizeof *a, cudaMemAttachGlobal) != 0;
    failed += cudaMallocManaged((void **)&b, all * sizeof *b, cudaMemAttachGlobal) != 0;
    failed +=
        cudaMallocManaged((void **)&single_a, all * sizeof *single_a, cudaMemAttachGlobal) != 0;
    failed +=
        cudaMallocManaged((void **)&single_b, all * sizeof *single_b, cudaMemAttachGlobal) != 0;
    failed += cublasCreate(&handle) != 0;
    if (failed)
        return 1;
    solve(0);
    solve(1);
    const int beside = cublasDtrsm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N,
                                   CUBLAS_DIAG_UNIT, 4, 1, &alpha, a, 3, b, 4);
    cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE);
    printf("errors: %d %d\n", beside,
           cublasDtrsm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N,
                       CUBLAS_DIAG_UNIT, 4, 1, &alpha, a, 4, b, 4));
    return cublasDestroy(handle);
}
