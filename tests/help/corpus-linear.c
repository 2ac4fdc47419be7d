/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Launches of the corpus: vectors and matrices, dense, sparse and transposed, on arithmetic and on
 * tensor cores.
 */
#include "tests/help/corpus.h"

#include <math.h>

/* y = a * x + y, with arguments n, a, x, y. */
static void expect_saxpy(const CorpusLaunch *launch, gpointer const buffers[])
{
    const float a = corpus_float_value(launch, 1);
    const float *x = buffers[2];
    float *y = buffers[3];
    for (int i = 0; i < corpus_int(launch, 0); i++)
        y[i] = fmaf(a, x[i], y[i]);
}

/* out = x + y, with arguments x, y, out, n. */
static void expect_add(const CorpusLaunch *launch, gpointer const buffers[])
{
    const float *x = buffers[0];
    const float *y = buffers[1];
    float *out = buffers[2];
    for (int i = 0; i < corpus_int(launch, 3); i++)
        out[i] = x[i] + y[i];
}

/* values = a * values + b, as often as `times`, or ten times as often in the first half of groups;
 * with arguments n, times, a, b, values. */
static void expect_halves(const CorpusLaunch *launch, gpointer const buffers[])
{
    const float a = corpus_float_value(launch, 2), b = corpus_float_value(launch, 3);
    float *values = buffers[4];
    for (int i = 0; i < corpus_int(launch, 0); i++) {
        const gboolean first = (guint)i / launch->block[0] < launch->grid[0] / 2;
        for (int k = 0; k < corpus_int(launch, 1) * (first ? 10 : 1); k++)
            values[i] = fmaf(a, values[i], b);
    }
}

/* Sums of columns from the first row to one's own, a row for each group; with arguments n, x, y. */
static void expect_triangle(const CorpusLaunch *launch, gpointer const buffers[])
{
    const int columns = (int)launch->block[0];
    const float *x = buffers[1];
    float *y = buffers[2];
    for (int i = 0; i < corpus_int(launch, 0); i++) {
        float sum = 0.0f;
        for (int j = i % columns; j <= i; j += columns)
            sum += x[j];
        y[i] = sum;
    }
}

/* Sums of rows in the order of triton-sum.ptx: four of a thread, 32 threads, four warps. */
static void expect_row_sums(const CorpusLaunch *launch, gpointer const buffers[])
{
    const int stride = corpus_int(launch, 2);
    const int columns = corpus_int(launch, 3);
    float *sums = buffers[1];
    for (guint row = 0; row < launch->grid[0]; row++) {
        const float *from = (const float *)buffers[0] + row * (guint)stride;
        float warps[4];
        for (int warp = 0; warp < 4; warp++) {
            float lanes[32] = {0.0f};
            for (int lane = 0; lane < 32; lane++) {
                const int i = 4 * (32 * warp + lane);
                if (i < columns)
                    lanes[lane] = from[i] + from[i + 1] + from[i + 2] + from[i + 3];
            }
            warps[warp] = corpus_warp_sum(lanes);
        }
        sums[row] = (warps[0] + warps[2]) + (warps[1] + warps[3]);
    }
}

/* c = a * b, square, with arguments a, b, c, size: each element's sum from first to last. */
static void expect_mmul(const CorpusLaunch *launch, gpointer const buffers[])
{
    const int size = corpus_int(launch, 3);
    const float *a = buffers[0];
    const float *b = buffers[1];
    float *c = buffers[2];
    for (int row = 0; row < size; row++)
        for (int column = 0; column < size; column++) {
            float sum = 0.0f;
            for (int k = 0; k < size; k++)
                sum = fmaf(a[row * size + k], b[k * size + column], sum);
            c[row * size + column] = sum;
        }
}

/* c = alpha * a * b + beta * c. */
static void expect_gemm(const CorpusLaunch *launch, gpointer const buffers[])
{
    const int n = corpus_int(launch, 1);
    const int depth = corpus_int(launch, 2);
    const float alpha = corpus_float_value(launch, 3);
    const float beta = corpus_float_value(launch, 6);
    const float *a = buffers[4];
    const float *b = buffers[5];
    float *c = buffers[7];
    for (int row = 0; row < corpus_int(launch, 0); row++)
        for (int column = 0; column < n; column++) {
            float sum = 0.0f;
            for (int k = 0; k < depth; k++)
                sum = fmaf(a[row * depth + k], b[k * n + column], sum);
            c[row * n + column] = fmaf(sum, alpha, c[row * n + column] * beta);
        }
}

/* c = a * b + c, halves by rows and by columns, with arguments m, n, k, a, b, c. */
static void expect_wmma(const CorpusLaunch *launch, gpointer const buffers[])
{
    const int n = corpus_int(launch, 1);
    const int depth = corpus_int(launch, 2);
    const guint16 *a = buffers[3];
    const guint16 *b = buffers[4];
    float *c = buffers[5];
    for (int row = 0; row < corpus_int(launch, 0); row++)
        for (int column = 0; column < n; column++)
            for (int k = 0; k < depth; k++)
                c[row * n + column] +=
                    corpus_half(a[row * depth + k]) * corpus_half(b[column * depth + k]);
}

/* c = a * b, halves by rows: a has `rows`, b has n columns. */
static void multiply_halves(const guint16 *a, const guint16 *b, float *c, int rows, int n,
                            int depth)
{
    for (int row = 0; row < rows; row++)
        for (int column = 0; column < n; column++) {
            float sum = 0.0f;
            for (int k = 0; k < depth; k++)
                sum += corpus_half(a[row * depth + k]) * corpus_half(b[k * n + column]);
            c[row * n + column] = sum;
        }
}

/* With arguments n, k, a, b, c; 16 rows for each row of groups. */
static void expect_mma(const CorpusLaunch *launch, gpointer const buffers[])
{
    multiply_halves(buffers[2], buffers[3], buffers[4], 16 * (int)launch->grid[1],
                    corpus_int(launch, 0), corpus_int(launch, 1));
}

/* With arguments a, b, c, n, k; 128 rows for each row of groups. */
static void expect_gemm_tensor(const CorpusLaunch *launch, gpointer const buffers[])
{
    multiply_halves(buffers[0], buffers[1], buffers[2], 128 * (int)launch->grid[1],
                    corpus_int(launch, 3), corpus_int(launch, 4));
}

static void expect_transpose(const CorpusLaunch *launch, gpointer const buffers[])
{
    const int width = corpus_int(launch, 0);
    const int height = corpus_int(launch, 1);
    const float *in = buffers[2];
    float *out = buffers[3];
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            out[x * height + y] = in[y * width + x];
}

/* ---- a sparse matrix with rows of very different lengths ------------------------------------ */

#define ROWS 90
#define COLUMNS 200
#define ELEMENTS 450 /* the sum of row_length over all rows */

/* None, a few, or in one row most of the columns. */
static int row_length(int row)
{
    if (row == 13)
        return 150;
    return row % 7 == 0 ? 0 : row * row % 11;
}

static void fill_first(gpointer data, guint count, G_GNUC_UNUSED guint32 seed)
{
    gint32 *first = data;
    first[0] = 0;
    for (guint row = 0; row + 1 < count; row++)
        first[row + 1] = first[row] + row_length((int)row);
    g_assert_cmpint(first[count - 1], ==, ELEMENTS);
}

static void fill_columns(gpointer data, guint count, guint32 seed)
{
    gint32 *columns = data;
    for (guint i = 0; i < count; i++)
        columns[i] = (gint32)(corpus_random(&seed) % COLUMNS);
}

static void expect_spmv_thread(const CorpusLaunch *launch, gpointer const buffers[])
{
    const gint32 *first = buffers[1];
    const gint32 *columns = buffers[2];
    const float *values = buffers[3];
    const float *x = buffers[4];
    float *y = buffers[5];
    for (int row = 0; row < corpus_int(launch, 0); row++) {
        float sum = 0.0f;
        for (int i = first[row]; i < first[row + 1]; i++)
            sum = fmaf(values[i], x[columns[i]], sum);
        y[row] = sum;
    }
}

static void expect_spmv_warp(const CorpusLaunch *launch, gpointer const buffers[])
{
    const gint32 *first = buffers[1];
    const gint32 *columns = buffers[2];
    const float *values = buffers[3];
    const float *x = buffers[4];
    float *y = buffers[5];
    for (int row = 0; row < corpus_int(launch, 0); row++) {
        float lanes[32] = {0.0f};
        for (int i = first[row]; i < first[row + 1]; i++) {
            float *sum = &lanes[(i - first[row]) % 32];
            *sum = fmaf(values[i], x[columns[i]], *sum);
        }
        y[row] = corpus_warp_sum(lanes);
    }
}

/* ---- the launches --------------------------------------------------------------------------- */

#define FLOATS(NAME, COUNT) CORPUS_BUFFER(NAME, CORPUS_F32, COUNT, corpus_fill_floats)
#define HALVES(NAME, COUNT) CORPUS_BUFFER(NAME, CORPUS_U16, COUNT, corpus_fill_halves)
#define RESULT(NAME, COUNT) CORPUS_BUFFER(NAME, CORPUS_F32, COUNT, NULL)

#define SAXPY                                                                                      \
    {                                                                                              \
        CORPUS_INT("n", 1200), CORPUS_FLOAT("a", 2.3), FLOATS("x", 1200), FLOATS("y", 1200)        \
    }
#define MMUL(SIZE)                                                                                 \
    {                                                                                              \
        FLOATS("a", (SIZE) * (SIZE)), FLOATS("b", (SIZE) * (SIZE)), RESULT("c", (SIZE) * (SIZE)),  \
            CORPUS_INT("size", SIZE)                                                               \
    }
#define TRANSPOSE                                                                                  \
    {                                                                                              \
        CORPUS_INT("width", 70), CORPUS_INT("height", 45), FLOATS("in", 70 * 45),                  \
            RESULT("out", 70 * 45)                                                                 \
    }
#define SPMV                                                                                       \
    {                                                                                              \
        CORPUS_INT("rows", ROWS), CORPUS_BUFFER("first", CORPUS_I32, ROWS + 1, fill_first),        \
            CORPUS_BUFFER("columns", CORPUS_I32, ELEMENTS, fill_columns),                          \
            FLOATS("values", ELEMENTS), FLOATS("x", COLUMNS), RESULT("y", ROWS)                    \
    }

const CorpusLaunch corpus_linear[] = {
    {CORPUS_LAUNCH("saxpy", "saxpy.ptx", "saxpy", 5, 1, 256, 1), .arguments = SAXPY,
     .expect = expect_saxpy},
    {CORPUS_LAUNCH("saxpy-opencl", "saxpy-opencl.ptx", "saxpy", 19, 1, 64, 1), .arguments = SAXPY,
     .expect = expect_saxpy},
    {CORPUS_LAUNCH("triton-add", "triton-add.ptx", "add_kernel", 2, 1, 128, 1), .nameless = TRUE,
     .arguments = {FLOATS("x", 1324), FLOATS("y", 1324), RESULT("out", 1324),
                   CORPUS_INT("n_elements", 1324)},
     .expect = expect_add},
    {CORPUS_LAUNCH("triton-sum", "triton-sum.ptx", "sum_kernel", 3, 1, 128, 1), .nameless = TRUE,
     .dynamic_shared = 16,
     .arguments = {FLOATS("x", 3 * 320), RESULT("out", 3), CORPUS_INT("stride", 320),
                   CORPUS_INT("n_columns", 300)},
     .expect = expect_row_sums},
    {CORPUS_LAUNCH("halves", "kinds.ptx", "halves", 40, 1, 64, 1),
     .arguments = {CORPUS_INT("n", 2560), CORPUS_INT("times", 10), CORPUS_FLOAT("a", 0.9),
                   CORPUS_FLOAT("b", 0.1), FLOATS("values", 2560)},
     .expect = expect_halves},
    {CORPUS_LAUNCH("triangle", "kinds.ptx", "triangle", 30, 1, 32, 1),
     .arguments = {CORPUS_INT("n", 960), FLOATS("x", 960), RESULT("y", 960)},
     .expect = expect_triangle},
    {CORPUS_LAUNCH("mmul08", "mmul08.ptx", "mmul", 4, 4, 8, 8), .arguments = MMUL(32),
     .expect = expect_mmul},
    {CORPUS_LAUNCH("mmul16", "mmul16.ptx", "mmul", 2, 2, 16, 16), .arguments = MMUL(32),
     .expect = expect_mmul},
    {CORPUS_LAUNCH("mmul16-opencl", "mmul16-opencl.ptx", "mmul", 2, 2, 16, 16), .nameless = TRUE,
     .arguments = MMUL(32), .expect = expect_mmul},
    {CORPUS_LAUNCH("gemm-async", "gemm-async.ptx", "gemm_async", 3, 3, 16, 16),
     .arguments = MMUL(48), .expect = expect_mmul},
    /* the second row of groups has nothing to do */
    {CORPUS_LAUNCH("gemm-registers", "gemm-registers.ptx", "gemm_registers", 2, 2, 8, 8),
     .arguments = {CORPUS_INT("m", 32), CORPUS_INT("n", 64), CORPUS_INT("k", 24),
                   CORPUS_FLOAT("alpha", 1.1), FLOATS("a", 32 * 24), FLOATS("b", 24 * 64),
                   CORPUS_FLOAT("beta", -0.7), FLOATS("c", 32 * 64)},
     .expect = expect_gemm},
    /* the last group's second warp has nothing to do */
    {CORPUS_LAUNCH("wmma", "wmma.ptx", "wmma_gemm", 2, 2, 64, 1),
     .arguments = {CORPUS_INT("m", 32), CORPUS_INT("n", 48), CORPUS_INT("k", 32),
                   HALVES("a", 32 * 32), HALVES("b", 32 * 48),
                   CORPUS_BUFFER("c", CORPUS_F32, 32 * 48, NULL)},
     .expect = expect_wmma},
    {CORPUS_LAUNCH("mma", "mma.ptx", "mma", 3, 2, 32, 1),
     .arguments = {CORPUS_INT("n", 24), CORPUS_INT("k", 80), HALVES("a", 32 * 80),
                   HALVES("b", 80 * 24), RESULT("c", 32 * 24)},
     .expect = expect_mma},
    /* one more slice than stages */
    {CORPUS_LAUNCH("gemm-tensor", "gemm-tensor.ptx", "gemm_tensor", 1, 1, 256, 1),
     .dynamic_shared = 73728,
     .arguments = {HALVES("a", 128 * 128), HALVES("b", 128 * 256), RESULT("c", 128 * 256),
                   CORPUS_INT("n", 256), CORPUS_INT("k", 128)},
     .expect = expect_gemm_tensor},
    {CORPUS_LAUNCH("transpose-naive", "transpose.ptx", "transpose_naive", 3, 2, 32, 8),
     .arguments = TRANSPOSE, .expect = expect_transpose},
    {CORPUS_LAUNCH("transpose-tiled", "transpose.ptx", "transpose_tiled", 3, 2, 32, 8),
     .arguments = TRANSPOSE, .expect = expect_transpose},
    {CORPUS_LAUNCH("transpose-padded", "transpose.ptx", "transpose_padded", 3, 2, 32, 8),
     .arguments = TRANSPOSE, .expect = expect_transpose},
    {CORPUS_LAUNCH("spmv-thread", "spmv.ptx", "spmv_thread", 3, 1, 32, 1), .arguments = SPMV,
     .expect = expect_spmv_thread},
    {CORPUS_LAUNCH("spmv-warp", "spmv.ptx", "spmv_warp", 23, 1, 128, 1), .arguments = SPMV,
     .expect = expect_spmv_warp},
    {.name = NULL}};
