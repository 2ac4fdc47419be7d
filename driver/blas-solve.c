/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Triangular systems of equations with many right sides. 32 unknowns at a time are solved by a
 * kernel of one thread for each right side; what they contribute to the others is a product.
 */
#include "driver/blas-gemm.h"

#include <string.h>

enum { BLOCK = 32, THREADS = 128 };
enum { LEFT, RIGHT };
enum { LOWER, UPPER };
enum { NON_UNIT, UNIT };

/* T X = alpha B, which overwrites B. Right sides of the other kind, X T = alpha B, are the same
 * with all transposed. Strides are elements from a row or a column to the next. */
typedef struct {
    cublasHandle_t handle;
    BlasType type;
    int side, fill, op, diagonal;
    gint64 m, n; /* as the program has them: rows and columns of B */
    const void *alpha, *a;
    gint64 lda;
    void *b;
    gint64 ldb;
} Solve;

/* ---- the kernel ----------------------------------------------------------------------------- */

static char *name_of(BlasType type)
{
    return g_strdup_printf("stand_in_trsm_%s", blas_type_name(type));
}

/* Goes forward; an upper triangle is one that goes backward, by strides below 0. */
static char *make(gconstpointer what, guint target)
{
    const BlasType type = *(const BlasType *)what;
    const guint bits = 8 * blas_bytes(type);
    g_autofree char *name = name_of(type);
    GString *out = g_string_new(NULL);
    blas_ptx_module(out, target);
    g_string_append_printf(
        out,
        ".visible .entry %s(\n    .param .u64 a,\n    .param .u64 b,\n"
        "    .param .u64 rows,\n    .param .u64 columns,\n    .param .u64 down,\n"
        "    .param .u64 across,\n    .param .u64 alpha,\n    .param .u32 m,\n"
        "    .param .u32 n,\n    .param .u32 unit)\n.maxntid %d, 1, 1\n",
        name, THREADS);
    g_string_append_printf(out,
                           "{\n.reg .b64 %%d<12>;\n.reg .b32 %%r<10>;\n.reg .pred %%p<5>;\n"
                           ".reg .f%u %%f<4>, %%alpha;\n",
                           bits);
    g_string_append(out,
                    "mov.u32 %r0, %tid.x;\nmov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %ntid.x;\n"
                    "mad.lo.u32 %r0, %r1, %r2, %r0;\nld.param.u32 %r1, [n];\n"
                    "setp.ge.u32 %p0, %r0, %r1;\n@%p0 ret;\nld.param.u32 %r2, [m];\n"
                    "ld.param.u32 %r3, [unit];\nsetp.ne.u32 %p1, %r3, 0;\n"
                    "ld.param.u64 %d0, [a];\nld.param.u64 %d1, [b];\nld.param.u64 %d2, [rows];\n"
                    "ld.param.u64 %d3, [columns];\nld.param.u64 %d4, [down];\n"
                    "ld.param.u64 %d5, [across];\ncvt.u64.u32 %d6, %r0;\n"
                    "mad.lo.u64 %d1, %d6, %d5, %d1;\nmov.u64 %d7, %d1;\nmov.u32 %r4, 0;\n");
    g_string_append_printf(out, "ld.param.f%u %%alpha, [alpha];\n", bits);
    g_string_append_printf(out,
                           "ROW:\nsetp.ge.u32 %%p0, %%r4, %%r2;\n@%%p0 ret;\n"
                           "ld.global.f%u %%f0, [%%d7];\nmul.rn.f%u %%f0, %%f0, %%alpha;\n"
                           "mov.u32 %%r5, 0;\nmov.u64 %%d8, %%d0;\nmov.u64 %%d9, %%d1;\n"
                           "COLUMN:\nsetp.ge.u32 %%p2, %%r5, %%r4;\n@%%p2 bra DIAGONAL;\n"
                           "ld.global.f%u %%f1, [%%d8];\nld.global.f%u %%f2, [%%d9];\n"
                           "neg.f%u %%f2, %%f2;\nfma.rn.f%u %%f0, %%f1, %%f2, %%f0;\n",
                           bits, bits, bits, bits, bits, bits);
    g_string_append_printf(out,
                           "add.u64 %%d8, %%d8, %%d3;\nadd.u64 %%d9, %%d9, %%d4;\n"
                           "add.u32 %%r5, %%r5, 1;\nbra COLUMN;\n"
                           "DIAGONAL:\n@%%p1 bra DONE;\nld.global.f%u %%f1, [%%d8];\n"
                           "div.rn.f%u %%f0, %%f0, %%f1;\nDONE:\nst.global.f%u [%%d7], %%f0;\n"
                           "add.u64 %%d0, %%d0, %%d2;\nadd.u64 %%d7, %%d7, %%d4;\n"
                           "add.u32 %%r4, %%r4, 1;\nbra ROW;\n}\n",
                           bits, bits, bits);
    return g_string_free(out, FALSE);
}

/* ---- blocks --------------------------------------------------------------------------------- */

/* Where things lie in the system that goes from left: T[i, j] is at a + i rows + j columns. */
typedef struct {
    gint64 size, sides;   /* unknowns, and right sides */
    gint64 rows, columns; /* strides of T, */
    gint64 down, across;  /* and of B */
    gboolean forward;     /* T is a lower triangle */
} View;

static View view_of(const Solve *solve)
{
    const gboolean left = solve->side == LEFT;
    const gboolean across = (solve->op != CUBLAS_OP_N) == left; /* T is A transposed */
    return (View){.size = left ? solve->m : solve->n,
                  .sides = left ? solve->n : solve->m,
                  .rows = across ? solve->lda : 1,
                  .columns = across ? 1 : solve->lda,
                  .down = left ? 1 : solve->ldb,
                  .across = left ? solve->ldb : 1,
                  .forward = (solve->fill == LOWER) != across};
}

static void *place(const Solve *solve, const void *from, gint64 elements)
{
    return (char *)(gsize)from + elements * blas_bytes(solve->type);
}

static guint64 alpha_bits(const Solve *solve, gboolean first)
{
    guint64 bits = 0;
    const float single = first ? *(const float *)solve->alpha : 1;
    const double value = solve->type == BLAS_F64 && first ? *(const double *)solve->alpha : 1;
    memcpy(&bits, solve->type == BLAS_F64 ? (const void *)&value : &single,
           blas_bytes(solve->type));
    return bits;
}

/* The unknowns from that one on, of which there are so many. */
static cublasStatus_t solve_block(const Solve *solve, const View *view, gint64 from, gint64 n)
{
    const gint64 bytes = blas_bytes(solve->type), start = view->forward ? from : from + n - 1,
                 sign = view->forward ? bytes : -bytes;
    const gboolean first = view->forward ? from == 0 : from + n == view->size;
    const double elements = (double)n * (double)view->sides;
    const PsCardStandIn work = {.of = "cuBLAS",
                                .operations = (double)n * elements,
                                .units = solve->type == BLAS_F64 ? PS_T_DP : PS_T_SP,
                                .products = PS_N_PRODUCTS,
                                .read =
                                    (double)bytes * ((double)n * (double)(n + 1) / 2 + elements),
                                .written = (double)bytes * elements};
    void *a = place(solve, solve->a, start * (view->rows + view->columns)),
         *b = place(solve, solve->b, start * view->down);
    gint64 rows = sign * view->rows, columns = sign * view->columns, down = sign * view->down,
           across = bytes * view->across;
    guint64 alpha = alpha_bits(solve, first);
    guint32 m = (guint32)n, sides = (guint32)view->sides, unit = solve->diagonal == UNIT;
    void *params[] = {&a, &b, &rows, &columns, &down, &across, &alpha, &m, &sides, &unit};
    const CUlaunchConfig config = {.grid = {(guint)((view->sides + THREADS - 1) / THREADS), 1, 1},
                                   .block = {THREADS, 1, 1},
                                   .stream = solve->handle->stream};
    g_autofree char *name = name_of(solve->type);
    CUfunction function = blas_function(name, make, &solve->type, solve->handle->target);
    return blas_ran(function ? driver_stand_in(&config, function, params, &work)
                             : CUDA_ERROR_UNKNOWN);
}

/* Takes what known unknowns contribute from the rows from `to` on, of which there are `rest`. */
static cublasStatus_t subtract(const Solve *solve, const View *view, gint64 from, gint64 n,
                               gint64 to, gint64 rest)
{
    const gboolean left = solve->side == LEFT, doubles = solve->type == BLAS_F64;
    const gboolean first = view->forward ? from == 0 : from + n == view->size;
    const float less = -1, one = 1;
    const double less_double = -1, one_double = 1;
    const BlasMatrix t = {place(solve, solve->a, to * view->rows + from * view->columns),
                          solve->lda, 0},
                     x = {place(solve, solve->b, from * view->down), solve->ldb, 0};
    const int plain = view->rows == 1 ? CUBLAS_OP_N : CUBLAS_OP_T,
              turned = view->rows == 1 ? CUBLAS_OP_T : CUBLAS_OP_N;
    return blas_gemm(
        &(BlasGemm){.handle = solve->handle,
                    .op = {left ? plain : CUBLAS_OP_N, left ? CUBLAS_OP_N : turned},
                    .m = left ? rest : view->sides,
                    .n = left ? view->sides : rest,
                    .k = n,
                    .count = 1,
                    .alpha = doubles ? (const void *)&less_double : &less,
                    .beta = first     ? solve->alpha
                            : doubles ? (const void *)&one_double
                                      : &one,
                    .a = left ? t : x,
                    .b = left ? x : t,
                    .c = {place(solve, solve->b, to * view->down), solve->ldb, 0},
                    .factors = doubles ? CUDA_R_64F : CUDA_R_32F,
                    .result = doubles ? CUDA_R_64F : CUDA_R_32F,
                    .compute = doubles ? CUBLAS_COMPUTE_64F : CUBLAS_COMPUTE_32F_PEDANTIC});
}

static cublasStatus_t check(const Solve *solve)
{
    const gint64 size = solve->side == LEFT ? solve->m : solve->n;
    if (!blas_is(solve->handle))
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if ((solve->side != LEFT && solve->side != RIGHT) ||
        (solve->fill != LOWER && solve->fill != UPPER) ||
        (solve->op != CUBLAS_OP_N && solve->op != CUBLAS_OP_T && solve->op != CUBLAS_OP_C) ||
        (solve->diagonal != NON_UNIT && solve->diagonal != UNIT) || solve->m < 0 || solve->n < 0 ||
        !solve->alpha || solve->lda < MAX(1, size) || solve->ldb < MAX(1, solve->m))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (solve->m == 0 || solve->n == 0)
        return CUBLAS_STATUS_SUCCESS;
    if (!solve->a || !solve->b)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (solve->handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE) {
        driver_missing("cublasStrsm with its scalar on the device");
        return CUBLAS_STATUS_NOT_SUPPORTED;
    }
    return solve->m > G_MAXINT32 || solve->n > G_MAXINT32 ? CUBLAS_STATUS_NOT_SUPPORTED
                                                          : CUBLAS_STATUS_SUCCESS;
}

static cublasStatus_t solve_all(Solve solve)
{
    cublasStatus_t status = check(&solve);
    if (solve.m <= 0 || solve.n <= 0)
        return status;
    const View view = view_of(&solve);
    for (gint64 done = 0; done < view.size && !status; done += BLOCK) {
        const gint64 n = MIN(BLOCK, view.size - done), rest = view.size - done - n,
                     from = view.forward ? done : rest;
        status = solve_block(&solve, &view, from, n);
        if (!status && rest > 0)
            status = subtract(&solve, &view, from, n, view.forward ? from + n : 0, rest);
    }
    return status;
}

/* ---- entries -------------------------------------------------------------------------------- */

/* The interface has that many parameters, and types cannot stand in parentheses.
 * NOLINTBEGIN(readability-function-size,bugprone-macro-parentheses) */
#pragma GCC visibility push(default)

#define TRSM(S, end, INT, T, of)                                                                   \
    cublasStatus_t cublas##S##trsm##end(cublasHandle_t handle, int side, int fill, int op,         \
                                        int diagonal, INT m, INT n, const T *alpha, const T *a,    \
                                        INT lda, T *b, INT ldb)                                    \
    {                                                                                              \
        return solve_all((Solve){.handle = handle,                                                 \
                                 .type = of,                                                       \
                                 .side = side,                                                     \
                                 .fill = fill,                                                     \
                                 .op = op,                                                         \
                                 .diagonal = diagonal,                                             \
                                 .m = m,                                                           \
                                 .n = n,                                                           \
                                 .alpha = alpha,                                                   \
                                 .a = a,                                                           \
                                 .lda = lda,                                                       \
                                 .b = b,                                                           \
                                 .ldb = ldb});                                                     \
    }

TRSM(S, _v2, int, float, BLAS_F32)
TRSM(S, _v2_64, gint64, float, BLAS_F32)
TRSM(D, _v2, int, double, BLAS_F64)
TRSM(D, _v2_64, gint64, double, BLAS_F64)

#pragma GCC visibility pop
/* NOLINTEND(readability-function-size,bugprone-macro-parentheses) */
