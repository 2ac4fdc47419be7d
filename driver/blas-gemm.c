/* SPDX-License-Identifier: BSD-3-Clause */
/* Products of matrices: chooses a kernel and its parameters. See blas-gemm.h. */
#include "driver/blas-gemm.h"

#include <string.h>

enum { FIRST_WITH_F16 = 75, PIECE = 16, MOST_Z = 65535 };

/* ---- what is asked for ---------------------------------------------------------------------- */

static gboolean is_op(int op)
{
    return op == CUBLAS_OP_N || op == CUBLAS_OP_T || op == CUBLAS_OP_C;
}

static cublasStatus_t check(const BlasGemm *gemm)
{
    const gint64 rows_a = gemm->op[0] == CUBLAS_OP_N ? gemm->m : gemm->k,
                 rows_b = gemm->op[1] == CUBLAS_OP_N ? gemm->k : gemm->n;
    if (!blas_is(gemm->handle))
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (gemm->m < 0 || gemm->n < 0 || gemm->k < 0 || gemm->count < 0 || !is_op(gemm->op[0]) ||
        !is_op(gemm->op[1]) || gemm->a.lead < MAX(1, rows_a) || gemm->b.lead < MAX(1, rows_b) ||
        gemm->c.lead < MAX(1, gemm->m) || !gemm->alpha || !gemm->beta)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (gemm->m == 0 || gemm->n == 0 || gemm->count == 0)
        return CUBLAS_STATUS_SUCCESS;
    if (gemm->m > G_MAXINT32 || gemm->n > G_MAXINT32 || gemm->k > G_MAXINT32)
        return CUBLAS_STATUS_NOT_SUPPORTED;
    return gemm->c.first && (gemm->k == 0 || (gemm->a.first && gemm->b.first))
               ? CUBLAS_STATUS_SUCCESS
               : CUBLAS_STATUS_INVALID_VALUE;
}

static gboolean in_halves(int compute)
{
    return compute == CUBLAS_COMPUTE_16F || compute == CUBLAS_COMPUTE_16F_PEDANTIC;
}

/* The combinations of types that cublasGemmEx allows, by cuBLAS's table. */
static gboolean types_go(const BlasGemm *gemm, const BlasProduct *product)
{
    const gboolean same = product->factors == product->result;
    switch (gemm->compute) {
    case CUBLAS_COMPUTE_16F:
    case CUBLAS_COMPUTE_16F_PEDANTIC:
        return same && product->factors == BLAS_F16;
    case CUBLAS_COMPUTE_64F:
    case CUBLAS_COMPUTE_64F_PEDANTIC:
        return same && product->factors == BLAS_F64;
    case CUBLAS_COMPUTE_32F:
    case CUBLAS_COMPUTE_32F_PEDANTIC:
        return product->factors != BLAS_F64 && (same || product->result == BLAS_F32);
    case CUBLAS_COMPUTE_32F_FAST_16F:
    case CUBLAS_COMPUTE_32F_FAST_16BF:
    case CUBLAS_COMPUTE_32F_FAST_TF32:
        return same && product->factors == BLAS_F32;
    default:
        return FALSE;
    }
}

/* ---- which kernel --------------------------------------------------------------------------- */

/* If a program allows singles to be rounded to TF32, it also allows that for 16 bits. */
static gboolean may_round(const BlasGemm *gemm)
{
    return gemm->compute == CUBLAS_COMPUTE_32F_FAST_16F ||
           gemm->compute == CUBLAS_COMPUTE_32F_FAST_16BF ||
           gemm->compute == CUBLAS_COMPUTE_32F_FAST_TF32 ||
           (gemm->compute == CUBLAS_COMPUTE_32F &&
            (gemm->handle->math & ~CUBLAS_MATH_FLAGS) == CUBLAS_TF32_TENSOR_OP_MATH);
}

/* TRUE if the tensor cores' kernels, squares 64 wide, would be more than nine tenths empty. */
static gboolean is_small(const BlasGemm *gemm)
{
    return MAX(gemm->m, gemm->n) <= 16;
}

static BlasWay way_of(const BlasGemm *gemm, const BlasProduct *product)
{
    const guint target = gemm->handle->target;
    if (product->factors == BLAS_F16 || product->factors == BLAS_BF16)
        return target >= FIRST_WITH_F16 && !is_small(gemm) ? BLAS_BY_HALVES : BLAS_BY_UNITS;
    return product->factors == BLAS_F32 && target >= BLAS_FIRST_WITH_BF16 && may_round(gemm)
               ? BLAS_BY_TF32
               : BLAS_BY_UNITS;
}

/* TRUE if all pieces of 16 bytes are aligned, and lie either in the matrix or beyond it as a whole.
 * side: elements of the matrix that lie side by side. */
static gboolean in_pieces(const BlasGemm *gemm, const BlasMatrix *matrix, gint64 side, guint bytes)
{
    const gint64 each = PIECE / bytes;
    int capturing = 0;
    if (side % each || matrix->lead % each || (!gemm->arrays && matrix->stride % each))
        return FALSE;
    if (!gemm->arrays)
        return (gsize)matrix->first % PIECE == 0;
    /* device memory has the same addresses here; a graph's kernels get their pointers later */
    if (cuStreamIsCapturing(gemm->handle->stream, &capturing) || capturing)
        return FALSE;
    for (gint64 i = 0; i < gemm->count; i++)
        if ((gsize)((const void *const *)matrix->first)[i] % PIECE)
            return FALSE;
    return TRUE;
}

static BlasLoads loads_of(const BlasGemm *gemm, const BlasProduct *product)
{
    const guint bytes = blas_bytes(product->factors);
    const gint64 side_a = product->transposed[0] ? gemm->k : gemm->m,
                 side_b = product->transposed[1] ? gemm->n : gemm->k;
    if (product->way == BLAS_BY_UNITS || !in_pieces(gemm, &gemm->a, side_a, bytes) ||
        !in_pieces(gemm, &gemm->b, side_b, bytes))
        return BLAS_ONE_BY_ONE;
    return gemm->handle->target >= BLAS_FIRST_WITH_BF16 ? BLAS_ASYNC : BLAS_BY_16;
}

static gint64 tiles(gint64 n, guint tile)
{
    return (n + tile - 1) / tile;
}

/* The largest tile of which each compute unit gets one, and of which no half is empty. */
static guint tile_of(const BlasGemm *gemm, const BlasProduct *product)
{
    const guint least = product->way == BLAS_BY_UNITS ? 32 : 64,
                most = product->factors == BLAS_F64 ? 64 : 128;
    const guint units =
        gemm->handle->units_wanted ? (guint)gemm->handle->units_wanted : gemm->handle->units;
    guint tile = most;
    while (tile > least && MIN(gemm->m, gemm->n) <= tile / 2)
        tile /= 2;
    while (tile > least && tiles(gemm->m, tile) * tiles(gemm->n, tile) * gemm->count < units)
        tile /= 2;
    return tile;
}

static char *make(gconstpointer what, guint target)
{
    return blas_product_ptx(what, target);
}

/* ---- the launch ----------------------------------------------------------------------------- */

/* The work that any kernel does for it. A matrix that serves a whole batch is read once. */
static PsCardStandIn work_of(const BlasGemm *gemm, const BlasProduct *product, gint64 k,
                             gboolean adds)
{
    static const PsPeakKind units[] = {
        [BLAS_F16] = PS_T_HP, [BLAS_BF16] = PS_T_SP, [BLAS_F32] = PS_T_SP, [BLAS_F64] = PS_T_DP};
    const double m = (double)gemm->m, n = (double)gemm->n, of_a = gemm->a.stride || gemm->arrays,
                 of_b = gemm->b.stride || gemm->arrays, count = (double)gemm->count;
    const guint in = blas_bytes(product->factors), out = blas_bytes(product->result);
    PsCardStandIn work = {.of = "cuBLAS",
                          .operations = 2 * m * n * (double)k * count,
                          .units = units[product->factors],
                          .products = PS_N_PRODUCTS,
                          .read =
                              in * (double)k * (m * (of_a ? count : 1) + n * (of_b ? count : 1)),
                          .written = out * m * n * count};
    if (gemm->part != BLAS_WHOLE) {
        work.operations *= (n + 1) / (2 * n);
        work.written *= (n + 1) / (2 * n);
        work.read /= 2;
    }
    work.read += (adds ? work.written : 0) + (gemm->bias ? out * m : 0);
    if (product->factors == BLAS_F16)
        work.products = in_halves(gemm->compute) ? PS_PRODUCT_F16_F16 : PS_PRODUCT_F16_F32;
    else if (product->factors == BLAS_BF16)
        work.products = PS_PRODUCT_BF16;
    else if (product->factors == BLAS_F64)
        work.products = PS_PRODUCT_F64;
    else if (product->way == BLAS_BY_TF32)
        work.products = gemm->compute == CUBLAS_COMPUTE_32F_FAST_16F    ? PS_PRODUCT_F16_F32
                        : gemm->compute == CUBLAS_COMPUTE_32F_FAST_16BF ? PS_PRODUCT_BF16
                                                                        : PS_PRODUCT_TF32;
    return work;
}

typedef struct {
    guint64 alpha, beta;
    guint32 how;      /* 0: values; 1: addresses; 2: addresses of halves */
    gboolean nothing; /* alpha is known to be 0: factors are not read */
    gboolean adds;    /* beta may differ from 0 */
} Scales;

static float of_half(guint16 half)
{
    const guint32 sign = (guint32)(half & 0x8000) << 16, rest = half & 0x7fff;
    const guint32 bits = sign | (rest << 13);
    float value;
    memcpy(&value, &bits, sizeof value);
    return rest >= 0x7c00 ? value / 0.0f * (float)(rest == 0x7c00) : value * 0x1p112f;
}

static guint64 bits_of(const BlasGemm *gemm, const void *scale, gboolean *zero)
{
    guint64 bits = 0;
    guint16 half;
    float single;
    double value;
    if (gemm->compute == CUBLAS_COMPUTE_64F || gemm->compute == CUBLAS_COMPUTE_64F_PEDANTIC) {
        memcpy(&value, scale, sizeof value);
        memcpy(&bits, &value, sizeof value);
        *zero = value == 0;
        return bits;
    }
    if (in_halves(gemm->compute)) {
        memcpy(&half, scale, sizeof half);
        single = of_half(half);
    } else {
        memcpy(&single, scale, sizeof single);
    }
    memcpy(&bits, &single, sizeof single);
    *zero = single == 0;
    return bits;
}

static Scales scales_of(const BlasGemm *gemm)
{
    Scales scales = {.adds = TRUE};
    gboolean zero;
    if (gemm->handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE) {
        scales.alpha = (gsize)gemm->alpha;
        scales.beta = (gsize)gemm->beta;
        scales.how = in_halves(gemm->compute) ? 2 : 1;
        return scales;
    }
    scales.alpha = bits_of(gemm, gemm->alpha, &scales.nothing);
    scales.beta = bits_of(gemm, gemm->beta, &zero);
    scales.adds = !zero;
    return scales;
}

/* Launches the batch from that product on, as many as a grid takes. */
static CUresult launch(const BlasGemm *gemm, const BlasProduct *product, CUfunction function,
                       gint64 from)
{
    const guint in = blas_bytes(product->factors), out = blas_bytes(product->result);
    const gint64 count = MIN(gemm->count - from, MOST_Z);
    const Scales scales = scales_of(gemm);
    const gint64 k = scales.nothing ? 0 : gemm->k;
    guint64 alpha = scales.alpha, beta = scales.beta, at[3];
    guint32 m = (guint32)gemm->m, n = (guint32)gemm->n, sums = (guint32)k,
            arrays = gemm->arrays != FALSE, how = scales.how;
    const BlasMatrix *const all[] = {&gemm->a, &gemm->b, &gemm->c};
    for (guint i = 0; i < 3; i++)
        at[i] = (gsize)all[i]->first +
                (guint64)(from * (gemm->arrays ? (gint64)sizeof(void *)
                                               : all[i]->stride * (i == 2 ? out : in)));
    void *params[] = {&at[0],
                      &at[1],
                      &at[2],
                      (void *)&all[0]->lead,
                      (void *)&all[1]->lead,
                      (void *)&all[2]->lead,
                      (void *)&all[0]->stride,
                      (void *)&all[1]->stride,
                      (void *)&all[2]->stride,
                      &alpha,
                      &beta,
                      &m,
                      &n,
                      &sums,
                      &arrays,
                      &how,
                      (void *)&gemm->bias}; /* the last: most kernels have none */
    const CUlaunchConfig config = {.grid = {(guint)tiles(gemm->m, product->tile),
                                            (guint)tiles(gemm->n, product->tile), (guint)count},
                                   .block = {blas_product_threads(product), 1, 1},
                                   .stream = gemm->handle->stream};
    BlasGemm part = *gemm;
    part.count = count;
    const PsCardStandIn work = work_of(&part, product, k, scales.adds);
    return driver_stand_in(&config, function, params, &work);
}

/* Its types, and what is done with the result. */
static cublasStatus_t find_types(const BlasGemm *gemm, BlasProduct *product)
{
    if (!blas_type_of(gemm->factors, &product->factors) ||
        !blas_type_of(gemm->result, &product->result) || !types_go(gemm, product) ||
        (gemm->then == BLAS_GELU && product->result == BLAS_F64)) {
        driver_missing("cuBLAS with products of these types");
        return CUBLAS_STATUS_NOT_SUPPORTED;
    }
    product->bias = gemm->bias != NULL;
    product->then = gemm->then;
    product->part = gemm->part;
    return product->factors == BLAS_BF16 && gemm->handle->target < BLAS_FIRST_WITH_BF16
               ? CUBLAS_STATUS_ARCH_MISMATCH
               : CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t blas_gemm_check(const BlasGemm *gemm)
{
    BlasProduct product = {0};
    return find_types(gemm, &product);
}

cublasStatus_t blas_gemm(const BlasGemm *gemm)
{
    cublasStatus_t status = check(gemm);
    BlasProduct product = {.transposed = {gemm->op[0] != CUBLAS_OP_N, gemm->op[1] != CUBLAS_OP_N}};
    if (status || gemm->m == 0 || gemm->n == 0 || gemm->count == 0)
        return status;
    status = find_types(gemm, &product);
    if (status)
        return status;
    product.way = way_of(gemm, &product);
    product.loads = loads_of(gemm, &product);
    product.tile = tile_of(gemm, &product);
    g_autofree char *name = blas_product_name(&product);
    CUfunction function = blas_function(name, make, &product, gemm->handle->target);
    CUresult result = function ? CUDA_SUCCESS : CUDA_ERROR_UNKNOWN;
    for (gint64 from = 0; from < gemm->count && !result; from += MOST_Z)
        result = launch(gemm, &product, function, from);
    return blas_ran(result);
}
