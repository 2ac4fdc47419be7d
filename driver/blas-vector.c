/* SPDX-License-Identifier: BSD-3-Clause */
/* Entries for vectors, and for a matrix and vectors. */
#include "driver/blas.h"

#include <string.h>

enum { ROWS_OF_GEMV = 32, COLUMNS_OF_GEMV_T = 8, MOST_Y = 65535, TURNS = 4 };

/* Arguments of a kernel: the parameters in driver/blas-lines.c. */
typedef struct {
    BlasVector kernel;
    BlasType type;
    const void *x, *y, *a;
    gint64 lda, incx, incy;
    const void *alpha, *beta; /* as the program gives them */
    gint64 m, n;
    double operations, read, written; /* elements that any kernel must move */
} Work;

typedef struct {
    BlasVector kernel;
    BlasType type;
} Which;

static char *make(gconstpointer what, guint target)
{
    const Which *which = what;
    return blas_vector_ptx(which->kernel, which->type, target);
}

/* A value, or its address. */
static guint64 scale_of(cublasHandle_t handle, const void *scale, BlasType type)
{
    guint64 bits = 0;
    if (handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE || !scale)
        return (gsize)scale;
    memcpy(&bits, scale, blas_bytes(type));
    return bits;
}

static gboolean is_zero(cublasHandle_t handle, const void *scale, BlasType type)
{
    return scale && handle->pointer_mode == CUBLAS_POINTER_MODE_HOST &&
           (type == BLAS_F64 ? *(const double *)scale == 0 : *(const float *)scale == 0);
}

static cublasStatus_t launch(cublasHandle_t handle, const Work *work, guint groups, guint beside)
{
    const Which which = {work->kernel, work->type};
    const guint bytes = blas_bytes(work->type);
    const PsCardStandIn stand_in = {.of = "cuBLAS",
                                    .operations = work->operations,
                                    .units = work->type == BLAS_F64 ? PS_T_DP : PS_T_SP,
                                    .products = PS_N_PRODUCTS,
                                    .read = work->read * bytes,
                                    .written = work->written * bytes};
    guint64 alpha = scale_of(handle, work->alpha, work->type),
            beta = scale_of(handle, work->beta, work->type);
    guint32 m = (guint32)work->m, n = (guint32)work->n,
            how = handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE;
    void *params[] = {(void *)&work->x,
                      (void *)&work->y,
                      (void *)&work->a,
                      (void *)&work->lda,
                      (void *)&work->incx,
                      (void *)&work->incy,
                      &alpha,
                      &beta,
                      &m,
                      &n,
                      &how};
    const CUlaunchConfig config = {.grid = {groups, beside, 1},
                                   .block = {BLAS_VECTOR_THREADS, 1, 1},
                                   .stream = handle->stream};
    g_autofree char *name = blas_vector_name(work->kernel, work->type);
    CUfunction function = blas_function(name, make, &which, handle->target);
    return blas_ran(function ? driver_stand_in(&config, function, params, &stand_in)
                             : CUDA_ERROR_UNKNOWN);
}

/* The lowest address of a vector whose increment may be negative. */
static const void *first(const void *x, gint64 n, gint64 increment, BlasType type)
{
    return increment < 0 ? (const char *)x + (1 - n) * increment * blas_bytes(type) : x;
}

static guint groups_of(gint64 n, gint64 each)
{
    return (guint)((n + each - 1) / each);
}

/* ---- vectors -------------------------------------------------------------------------------- */

/* reads, writes: elements that are moved for each of n. */
static cublasStatus_t each(cublasHandle_t handle, Work work, double reads, double writes)
{
    const gboolean turns = work.kernel == BLAS_ROT,
                   scales = work.kernel == BLAS_AXPY || work.kernel == BLAS_SCAL || turns;
    if (!blas_is(handle))
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if ((scales && !work.alpha) || (turns && !work.beta))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (work.n <= 0 || (work.kernel == BLAS_SCAL && work.incx <= 0) ||
        (work.kernel == BLAS_AXPY && is_zero(handle, work.alpha, work.type)))
        return CUBLAS_STATUS_SUCCESS;
    if (!work.x || (work.kernel != BLAS_SCAL && !work.y))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (work.n > G_MAXINT32)
        return CUBLAS_STATUS_NOT_SUPPORTED;
    work.x = first(work.x, work.n, work.incx, work.type);
    work.y = first(work.y, work.n, work.incy, work.type);
    work.operations = work.kernel == BLAS_AXPY   ? 2 * (double)work.n
                      : turns                    ? 6 * (double)work.n
                      : work.kernel == BLAS_SCAL ? (double)work.n
                                                 : 0;
    work.read = reads * (double)work.n;
    work.written = writes * (double)work.n;
    return launch(handle, &work, groups_of(work.n, BLAS_VECTOR_THREADS), 1);
}

/* Brings a result to the place where the program wants it. */
static cublasStatus_t bring(cublasHandle_t handle, CUdeviceptr from, void *to, guint bytes)
{
    if (handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE)
        return CUBLAS_STATUS_SUCCESS;
    const CUresult result = cuMemcpyAsync((CUdeviceptr)(gsize)to, from, bytes, handle->stream);
    return blas_ran(result ? result : cuStreamSynchronize(handle->stream));
}

/* The result, zero, of no elements. */
static cublasStatus_t of_nothing(cublasHandle_t handle, void *result, guint bytes)
{
    static const double zero = 0;
    if (handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE)
        return blas_ran(cuMemcpyAsync((CUdeviceptr)(gsize)result, (CUdeviceptr)(gsize)&zero, bytes,
                                      handle->stream));
    memcpy(result, &zero, bytes);
    return CUBLAS_STATUS_SUCCESS;
}

/* A result of that many bytes from all n elements of x, and of y where the kernel takes it: the
 * results of parts, then with the kernel "last" that of these, in two launches. */
static cublasStatus_t reduce(cublasHandle_t handle, Work work, BlasVector last, void *result,
                             guint bytes)
{
    const gboolean both = work.kernel == BLAS_DOT;
    if (!blas_is(handle))
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!result)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (work.n <= 0 || (!both && work.incx <= 0))
        return of_nothing(handle, result, bytes);
    if (!work.x || (both && !work.y))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (work.n > G_MAXINT32)
        return CUBLAS_STATUS_NOT_SUPPORTED;
    cublasStatus_t status = blas_scratch(handle);
    if (status)
        return status;
    const guint parts = MIN(groups_of(work.n, (gint64)BLAS_VECTOR_THREADS * TURNS),
                            MIN(BLAS_MOST_PARTS, 4 * handle->units));
    work.a = (const void *)(gsize)(handle->scratch + BLAS_PARTS_AT);
    work.read = (both ? 2 : 1) * (double)work.n;
    const gboolean there = handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE;
    Work end = work;
    end.kernel = last;
    if (last == BLAS_SUM || last == BLAS_ROOT) { /* the places of elements need the elements */
        end.x = work.a;
        end.incx = 1;
    }
    end.y = there ? result : (void *)(gsize)handle->scratch;
    end.m = bytes;
    end.n = parts;
    end.operations = end.read = parts;
    end.written = 1;
    work.x = first(work.x, work.n, work.incx, work.type);
    work.y = first(work.y, work.n, work.incy, work.type);
    status = launch(handle, &work, parts, 1);
    if (!status)
        status = launch(handle, &end, 1, 1);
    return status ? status : bring(handle, handle->scratch, result, bytes);
}

static cublasStatus_t sum(cublasHandle_t handle, Work work, BlasVector last, void *result)
{
    work.operations = (work.kernel == BLAS_ASUM ? 1 : 2) * (double)work.n;
    return reduce(handle, work, last, result, blas_bytes(work.type));
}

/* The place, of that many bytes, of the largest or smallest element. */
static cublasStatus_t place(cublasHandle_t handle, Work work, BlasVector last, void *result,
                            guint bytes)
{
    work.operations = (double)work.n;
    return reduce(handle, work, last, result, bytes);
}

/* Both vectors and the result have one type. Sums are doubles for doubles, otherwise singles. */
static cublasStatus_t dot(cublasHandle_t handle, Work work, const int *types, void *result)
{
    const int precision = types[3];
    const gboolean known = types[0] == types[1] && types[0] == types[2] &&
                           blas_type_of(types[0], &work.type) &&
                           precision == (work.type == BLAS_F64 ? CUDA_R_64F : CUDA_R_32F);
    if (!blas_is(handle))
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!known) {
        driver_missing("cublasDotEx with vectors of these types");
        return CUBLAS_STATUS_NOT_SUPPORTED;
    }
    if (work.type == BLAS_BF16 && handle->target < BLAS_FIRST_WITH_BF16)
        return CUBLAS_STATUS_ARCH_MISMATCH;
    return sum(handle, work, BLAS_SUM, result);
}

/* ---- a matrix and vectors ------------------------------------------------------------------- */

static cublasStatus_t ger(cublasHandle_t handle, Work work)
{
    if (!blas_is(handle))
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (work.m < 0 || work.n < 0 || work.incx == 0 || work.incy == 0 || work.lda < MAX(1, work.m) ||
        !work.alpha)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (work.m == 0 || work.n == 0 || is_zero(handle, work.alpha, work.type))
        return CUBLAS_STATUS_SUCCESS;
    if (!work.x || !work.y || !work.a)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (work.m > G_MAXINT32 || work.n > G_MAXINT32)
        return CUBLAS_STATUS_NOT_SUPPORTED;
    const double elements = (double)work.m * (double)work.n;
    work.x = first(work.x, work.m, work.incx, work.type);
    work.y = first(work.y, work.n, work.incy, work.type);
    work.operations = 2 * elements;
    work.read = elements + (double)(work.m + work.n);
    work.written = elements;
    return launch(handle, &work, groups_of(work.m, BLAS_VECTOR_THREADS),
                  (guint)MIN(work.n, MOST_Y));
}

static gboolean is_op(int op)
{
    return op == CUBLAS_OP_N || op == CUBLAS_OP_T || op == CUBLAS_OP_C;
}

/* C = alpha op(A) + beta op(B). A matrix whose factor is 0 need not be there. */
static cublasStatus_t geam(cublasHandle_t handle, const int op[2], Work work)
{
    static const BlasVector kernels[] = {BLAS_GEAM_NN, BLAS_GEAM_TN, BLAS_GEAM_NT, BLAS_GEAM_TT};
    const gboolean across_a = op[0] != CUBLAS_OP_N, across_b = op[1] != CUBLAS_OP_N;
    if (!blas_is(handle))
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!is_op(op[0]) || !is_op(op[1]) || work.m < 0 || work.n < 0 || !work.alpha || !work.beta ||
        work.lda < MAX(1, work.m) || work.incx < MAX(1, across_a ? work.n : work.m) ||
        work.incy < MAX(1, across_b ? work.n : work.m))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (work.m == 0 || work.n == 0)
        return CUBLAS_STATUS_SUCCESS;
    const gboolean no_a = is_zero(handle, work.alpha, work.type),
                   no_b = is_zero(handle, work.beta, work.type);
    if (!work.a || (!work.x && !no_a) || (!work.y && !no_b))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (work.m > G_MAXINT32 || work.n > G_MAXINT32)
        return CUBLAS_STATUS_NOT_SUPPORTED;
    const double elements = (double)work.m * (double)work.n;
    work.kernel = kernels[(across_a ? 1 : 0) + (across_b ? 2 : 0)];
    work.operations = 3 * elements;
    work.read = elements * (!no_a + !no_b);
    work.written = elements;
    return launch(handle, &work, groups_of(work.m, BLAS_VECTOR_THREADS),
                  (guint)MIN(work.n, MOST_Y));
}

static cublasStatus_t gemv(cublasHandle_t handle, int op, Work work)
{
    if (!blas_is(handle))
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (work.m < 0 || work.n < 0 || work.incx == 0 || work.incy == 0 || work.lda < MAX(1, work.m) ||
        !work.alpha || !work.beta || !is_op(op))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (work.m == 0 || work.n == 0)
        return CUBLAS_STATUS_SUCCESS;
    if (!work.x || !work.y || !work.a)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (work.m > G_MAXINT32 || work.n > G_MAXINT32)
        return CUBLAS_STATUS_NOT_SUPPORTED;
    const gboolean plain = op == CUBLAS_OP_N;
    const gint64 of_x = plain ? work.n : work.m, of_y = plain ? work.m : work.n;
    const double elements = (double)work.m * (double)work.n;
    work.kernel = plain ? BLAS_GEMV : BLAS_GEMV_T;
    work.x = first(work.x, of_x, work.incx, work.type);
    work.y = first(work.y, of_y, work.incy, work.type);
    work.operations = 2 * elements;
    work.read =
        elements + (double)of_x + (is_zero(handle, work.beta, work.type) ? 0 : (double)of_y);
    work.written = (double)of_y;
    return launch(handle, &work,
                  plain ? groups_of(work.m, ROWS_OF_GEMV) : groups_of(work.n, COLUMNS_OF_GEMV_T),
                  1);
}

/* ---- entries -------------------------------------------------------------------------------- */

/* The interface has that many parameters, and types cannot stand in parentheses.
 * NOLINTBEGIN(readability-function-size,bugprone-macro-parentheses) */
#pragma GCC visibility push(default)

#define VECTOR(k, T, N) .kernel = BLAS_##k, .type = (T), .n = (N), .x = x, .incx = incx
#define BOTH .y = y, .incy = incy

#define ENTRIES(S, T, TYPE, INT, end)                                                              \
    cublasStatus_t cublas##S##axpy##end(cublasHandle_t handle, INT n, const T *alpha, const T *x,  \
                                        INT incx, T *y, INT incy)                                  \
    {                                                                                              \
        return each(handle, (Work){VECTOR(AXPY, TYPE, n), BOTH, .alpha = alpha}, 2, 1);            \
    }                                                                                              \
    cublasStatus_t cublas##S##scal##end(cublasHandle_t handle, INT n, const T *alpha, T *x,        \
                                        INT incx)                                                  \
    {                                                                                              \
        return each(handle, (Work){VECTOR(SCAL, TYPE, n), .alpha = alpha}, 1, 1);                  \
    }                                                                                              \
    cublasStatus_t cublas##S##copy##end(cublasHandle_t handle, INT n, const T *x, INT incx, T *y,  \
                                        INT incy)                                                  \
    {                                                                                              \
        return each(handle, (Work){VECTOR(COPY, TYPE, n), BOTH}, 1, 1);                            \
    }                                                                                              \
    cublasStatus_t cublas##S##swap##end(cublasHandle_t handle, INT n, T *x, INT incx, T *y,        \
                                        INT incy)                                                  \
    {                                                                                              \
        return each(handle, (Work){VECTOR(SWAP, TYPE, n), BOTH}, 2, 2);                            \
    }                                                                                              \
    cublasStatus_t cublas##S##dot##end(cublasHandle_t handle, INT n, const T *x, INT incx,         \
                                       const T *y, INT incy, T *result)                            \
    {                                                                                              \
        return sum(handle, (Work){VECTOR(DOT, TYPE, n), BOTH}, BLAS_SUM, result);                  \
    }                                                                                              \
    cublasStatus_t cublas##S##asum##end(cublasHandle_t handle, INT n, const T *x, INT incx,        \
                                        T *result)                                                 \
    {                                                                                              \
        return sum(handle, (Work){VECTOR(ASUM, TYPE, n)}, BLAS_SUM, result);                       \
    }                                                                                              \
    cublasStatus_t cublas##S##nrm2##end(cublasHandle_t handle, INT n, const T *x, INT incx,        \
                                        T *result)                                                 \
    {                                                                                              \
        return sum(handle, (Work){VECTOR(SQUARES, TYPE, n)}, BLAS_ROOT, result);                   \
    }                                                                                              \
    cublasStatus_t cublas##S##ger##end(cublasHandle_t handle, INT m, INT n, const T *alpha,        \
                                       const T *x, INT incx, const T *y, INT incy, T *a, INT lda)  \
    {                                                                                              \
        return ger(handle, (Work){VECTOR(GER, TYPE, n), BOTH, .m = m, .alpha = alpha, .a = a,      \
                                  .lda = lda});                                                    \
    }                                                                                              \
    cublasStatus_t cublas##S##gemv##end(cublasHandle_t handle, int op, INT m, INT n,               \
                                        const T *alpha, const T *a, INT lda, const T *x, INT incx, \
                                        const T *beta, T *y, INT incy)                             \
    {                                                                                              \
        return gemv(handle, op,                                                                    \
                    (Work){VECTOR(GEMV, TYPE, n), BOTH, .m = m, .alpha = alpha, .beta = beta,      \
                           .a = a, .lda = lda});                                                   \
    }

#define MORE(S, s, T, TYPE, INT, version, end)                                                     \
    cublasStatus_t cublas##S##rot##version##end(cublasHandle_t handle, INT n, T *x, INT incx,      \
                                                T *y, INT incy, const T *c, const T *s_)           \
    {                                                                                              \
        return each(handle, (Work){VECTOR(ROT, TYPE, n), BOTH, .alpha = c, .beta = s_}, 2, 2);     \
    }                                                                                              \
    cublasStatus_t cublasI##s##amax##version##end(cublasHandle_t handle, INT n, const T *x,        \
                                                  INT incx, INT *result)                           \
    {                                                                                              \
        return place(handle, (Work){VECTOR(AMAX, TYPE, n)}, BLAS_AMAX_OF, result, sizeof *result); \
    }                                                                                              \
    cublasStatus_t cublasI##s##amin##version##end(cublasHandle_t handle, INT n, const T *x,        \
                                                  INT incx, INT *result)                           \
    {                                                                                              \
        return place(handle, (Work){VECTOR(AMIN, TYPE, n)}, BLAS_AMIN_OF, result, sizeof *result); \
    }                                                                                              \
    cublasStatus_t cublas##S##geam##end(cublasHandle_t handle, int opa, int opb, INT m, INT n,     \
                                        const T *alpha, const T *a, INT lda, const T *beta,        \
                                        const T *b, INT ldb, T *c, INT ldc)                        \
    {                                                                                              \
        return geam(handle, (const int[]){opa, opb},                                               \
                    (Work){.type = TYPE,                                                           \
                           .m = m,                                                                 \
                           .n = n,                                                                 \
                           .alpha = alpha,                                                         \
                           .beta = beta,                                                           \
                           .x = a,                                                                 \
                           .incx = lda,                                                            \
                           .y = b,                                                                 \
                           .incy = ldb,                                                            \
                           .a = c,                                                                 \
                           .lda = ldc});                                                           \
    }

MORE(S, s, float, BLAS_F32, int, _v2, )
MORE(S, s, float, BLAS_F32, gint64, _v2, _64)
MORE(D, d, double, BLAS_F64, int, _v2, )
MORE(D, d, double, BLAS_F64, gint64, _v2, _64)

#define DOT_EX(INT, end)                                                                           \
    cublasStatus_t cublasDotEx##end(cublasHandle_t handle, INT n, const void *x, int type_x,       \
                                    INT incx, const void *y, int type_y, INT incy, void *result,   \
                                    int type, int precision)                                       \
    {                                                                                              \
        return dot(handle, (Work){VECTOR(DOT, BLAS_F32, n), BOTH},                                 \
                   (const int[]){type_x, type_y, type, precision}, result);                        \
    }

DOT_EX(int, )
DOT_EX(gint64, _64)
ENTRIES(S, float, BLAS_F32, int, _v2)
ENTRIES(S, float, BLAS_F32, gint64, _v2_64)
ENTRIES(D, double, BLAS_F64, int, _v2)
ENTRIES(D, double, BLAS_F64, gint64, _v2_64)

#pragma GCC visibility pop
/* NOLINTEND(readability-function-size,bugprone-macro-parentheses) */
