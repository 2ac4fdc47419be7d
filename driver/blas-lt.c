/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cuBLASLt's interface: a product is described by one structure, each matrix by another, whose
 * attributes a program sets one by one. There is one way to make a product, so what a program
 * prefers is not asked.
 */
#include "driver/blas-gemm.h"

#include <string.h>

/* ---- attributes ----------------------------------------------------------------------------- */

typedef struct {
    guint bytes, at;
} Attribute;

#define ATTRIBUTE(type, field)                                                                     \
    {                                                                                              \
        sizeof(((type *)NULL)->field), G_STRUCT_OFFSET(type, field)                                \
    }

/* Programs have room for 64 bytes of a matrix, and for 256 of a product. */
typedef struct {
    guint32 type, order;
    guint64 rows, columns;
    gint64 lead;
    gint32 count;
    gint64 stride;
} Layout;

enum { COLUMN, ROW };

static const Attribute layout_attributes[] = {ATTRIBUTE(Layout, type),  ATTRIBUTE(Layout, order),
                                              ATTRIBUTE(Layout, rows),  ATTRIBUTE(Layout, columns),
                                              ATTRIBUTE(Layout, lead),  ATTRIBUTE(Layout, count),
                                              ATTRIBUTE(Layout, stride)};

typedef struct {
    gint32 compute, scale, pointer_mode, op[3];
    guint32 fill, epilogue;
    const void *bias;
    gint64 bias_stride;
    gint32 units, bias_type;
    gint8 fast;
    guint8 others; /* ... were set, which no kernel here has */
} Product;

enum { BIAS_TYPE = 26, SAME_TYPE = -1, RELU = 2, BIAS = 4, GELU = 32, FULL = 2 };

static const Attribute product_attributes[] = {[0] = ATTRIBUTE(Product, compute),
                                               [1] = ATTRIBUTE(Product, scale),
                                               [2] = ATTRIBUTE(Product, pointer_mode),
                                               [3] = ATTRIBUTE(Product, op[0]),
                                               [4] = ATTRIBUTE(Product, op[1]),
                                               [5] = ATTRIBUTE(Product, op[2]),
                                               [6] = ATTRIBUTE(Product, fill),
                                               [7] = ATTRIBUTE(Product, epilogue),
                                               [8] = ATTRIBUTE(Product, bias),
                                               [10] = ATTRIBUTE(Product, bias_stride),
                                               [15] = ATTRIBUTE(Product, units),
                                               [25] = ATTRIBUTE(Product, fast),
                                               [BIAS_TYPE] = ATTRIBUTE(Product, bias_type)};

static const Attribute *find(const Attribute *all, guint n, int which)
{
    return which >= 0 && which < (int)n && all[which].bytes ? &all[which] : NULL;
}

static cublasStatus_t set(void *at, const Attribute *attribute, const void *value, size_t bytes)
{
    if (!at || !attribute || !value || bytes != attribute->bytes)
        return CUBLAS_STATUS_INVALID_VALUE;
    memcpy((char *)at + attribute->at, value, bytes);
    return CUBLAS_STATUS_SUCCESS;
}

/* bytes 0: asks only how many there are. */
static cublasStatus_t get(const void *at, const Attribute *attribute, void *value, size_t bytes,
                          size_t *written)
{
    if (!at || !attribute || (bytes ? !value || bytes < attribute->bytes : !written))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (bytes)
        memcpy(value, (const char *)at + attribute->at, attribute->bytes);
    if (written)
        *written = attribute->bytes;
    return CUBLAS_STATUS_SUCCESS;
}

/* Whether a program sets what is there anyway. */
static gboolean is_zero(const void *value, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if (((const char *)value)[i])
            return FALSE;
    return TRUE;
}

/* ---- what is asked for ---------------------------------------------------------------------- */

/* A matrix by rows is a transposed one by columns. */
static void take(const Layout *layout, int op, const void *first, BlasMatrix *matrix, int *becomes)
{
    *matrix = (BlasMatrix){first, layout->lead, layout->stride};
    *becomes = layout->order != ROW ? op : op == CUBLAS_OP_N ? CUBLAS_OP_T : CUBLAS_OP_N;
}

static gboolean same(const Layout *one, const Layout *other)
{
    return one->rows == other->rows && one->columns == other->columns && one->type == other->type &&
           one->order == other->order && one->count == other->count;
}

static gboolean sizes_fit(const Product *product, const Layout *const all[4], guint64 *k)
{
    const Layout *a = all[0], *b = all[1], *d = all[3];
    const gboolean plain_a = product->op[0] == CUBLAS_OP_N, plain_b = product->op[1] == CUBLAS_OP_N;
    *k = plain_a ? a->columns : a->rows;
    return (plain_a ? a->rows : a->columns) == d->rows && (plain_b ? b->rows : b->columns) == *k &&
           (plain_b ? b->columns : b->rows) == d->columns && same(all[2], d) &&
           a->count == d->count && b->count == d->count && d->rows <= G_MAXINT32 &&
           d->columns <= G_MAXINT32 && *k <= G_MAXINT32;
}

/* Scalars have the type of sums, as it is with cublasGemmEx. */
static gboolean is_known(const Product *product, const Layout *const all[4])
{
    const gint32 scale =
        product->compute == CUBLAS_COMPUTE_16F || product->compute == CUBLAS_COMPUTE_16F_PEDANTIC
            ? CUDA_R_16F
        : product->compute == CUBLAS_COMPUTE_64F || product->compute == CUBLAS_COMPUTE_64F_PEDANTIC
            ? CUDA_R_64F
            : CUDA_R_32F;
    const guint32 rest = product->epilogue & ~(guint32)(RELU | BIAS | GELU);
    const gboolean has_bias = (product->epilogue & BIAS) != 0;
    for (guint i = 0; i < 4; i++)
        if (all[i]->order > ROW)
            return FALSE;
    return !product->others && product->scale == scale && product->pointer_mode >= 0 &&
           product->pointer_mode <= CUBLAS_POINTER_MODE_DEVICE && product->op[2] == CUBLAS_OP_N &&
           product->fill == FULL && rest <= 1 &&
           (product->epilogue & (RELU | GELU)) != (RELU | GELU) &&
           (!has_bias ||
            (all[3]->order == COLUMN && product->bias_stride == 0 &&
             (product->bias_type == SAME_TYPE || (guint32)product->bias_type == all[3]->type)));
}

/* A result by rows is the transposed product of the transposed factors in the other order. */
static void turn(BlasGemm *gemm)
{
    const BlasMatrix a = gemm->a;
    const gint64 m = gemm->m;
    const int op = gemm->op[0];
    gemm->a = gemm->b;
    gemm->b = a;
    gemm->op[0] = gemm->op[1] == CUBLAS_OP_N ? CUBLAS_OP_T : CUBLAS_OP_N;
    gemm->op[1] = op == CUBLAS_OP_N ? CUBLAS_OP_T : CUBLAS_OP_N;
    gemm->m = gemm->n;
    gemm->n = m;
}

/* all: A, B, C, D. No matrix has a place yet. */
static cublasStatus_t plan(const Product *product, const Layout *const all[4], BlasGemm *gemm)
{
    guint64 k;
    if (!product || !all[0] || !all[1] || !all[2] || !all[3] || !sizes_fit(product, all, &k))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (!is_known(product, all)) {
        driver_missing("cublasLtMatmul with such a product");
        return CUBLAS_STATUS_NOT_SUPPORTED;
    }
    gemm->m = (gint64)all[3]->rows;
    gemm->n = (gint64)all[3]->columns;
    gemm->k = (gint64)k;
    gemm->count = all[3]->count;
    gemm->factors = all[0]->type == all[1]->type ? (int)all[0]->type : -1;
    gemm->result = (int)all[3]->type;
    gemm->compute = product->compute;
    gemm->then = product->epilogue & RELU   ? BLAS_RELU
                 : product->epilogue & GELU ? BLAS_GELU
                                            : BLAS_AS_IT_IS;
    gemm->bias = product->epilogue & BIAS ? product->bias : NULL;
    return blas_gemm_check(gemm);
}

/* ---- a product ------------------------------------------------------------------------------ */

CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D *what, CUstream stream);

/* Kernels add to what the result holds: C is copied there. */
static cublasStatus_t bring(const BlasGemm *gemm, const BlasMatrix *from)
{
    BlasType type = BLAS_F32;
    blas_type_of(gemm->result, &type);
    const gint64 bytes = blas_bytes(type);
    cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
    for (gint64 i = 0; i < gemm->count && !status; i++) {
        const CUDA_MEMCPY2D what = {
            .from_type = MEMORY_DEVICE,
            .from_device = (gsize)from->first + (gsize)(i * from->stride * bytes),
            .from_pitch = (gsize)(from->lead * bytes),
            .to_type = MEMORY_DEVICE,
            .to_device = (gsize)gemm->c.first + (gsize)(i * gemm->c.stride * bytes),
            .to_pitch = (gsize)(gemm->c.lead * bytes),
            .width = (gsize)(gemm->m * bytes),
            .height = (gsize)gemm->n};
        status = blas_ran(cuMemcpy2DAsync_v2(&what, gemm->handle->stream));
    }
    return status;
}

static gboolean may_add(const BlasGemm *gemm)
{
    const double doubles = 0;
    const float singles = 0; /* halves of zero have the same bits, but for a sign */
    guint16 half;
    if (gemm->handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE)
        return TRUE;
    switch (gemm->compute) {
    case CUBLAS_COMPUTE_64F:
    case CUBLAS_COMPUTE_64F_PEDANTIC:
        return *(const double *)gemm->beta != doubles;
    case CUBLAS_COMPUTE_16F:
    case CUBLAS_COMPUTE_16F_PEDANTIC:
        memcpy(&half, gemm->beta, sizeof half);
        return (half & 0x7fff) != 0;
    default:
        return *(const float *)gemm->beta != singles;
    }
}

static const Layout *layout_of(gconstpointer layout)
{
    return layout;
}

/* Handles of cuBLAS are such of cuBLASLt as well, and those of another library are not known here:
 * each product has one of its own. */
static cublasHandle_t handle_for(const Product *product, CUstream stream)
{
    cublasHandle_t handle;
    if (cublasCreate_v2(&handle))
        return NULL;
    handle->stream = stream;
    handle->pointer_mode = product->pointer_mode;
    handle->units_wanted = CLAMP(product->units, 0, (gint32)handle->units);
    return handle;
}

static cublasStatus_t multiply(BlasGemm *gemm, const Product *product, const Layout *const all[4],
                               const void *const at[4])
{
    BlasMatrix before, after;
    int unused;
    take(all[0], product->op[0], at[0], &gemm->a, &gemm->op[0]);
    take(all[1], product->op[1], at[1], &gemm->b, &gemm->op[1]);
    take(all[2], CUBLAS_OP_N, at[2], &before, &unused);
    take(all[3], CUBLAS_OP_N, at[3], &after, &unused);
    gemm->c = after;
    if (all[3]->order == ROW)
        turn(gemm);
    if (gemm->beta && before.first && before.first != after.first && may_add(gemm)) {
        const cublasStatus_t status = bring(gemm, &before);
        if (status)
            return status;
    }
    return blas_gemm(gemm);
}

#pragma GCC visibility push(default)

cublasStatus_t cublasLtMatmul(void *lt, const Product *product, const void *alpha, const void *a,
                              const void *of_a, const void *b, const void *of_b, const void *beta,
                              const void *c, const void *of_c, void *d, const void *of_d,
                              const void *algorithm, void *workspace, size_t workspace_bytes,
                              CUstream stream)
{
    const Layout *const all[] = {layout_of(of_a), layout_of(of_b), layout_of(of_c),
                                 layout_of(of_d)};
    const void *const at[] = {a, b, c, d};
    (void)algorithm, (void)workspace, (void)workspace_bytes;
    if (!lt)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!product || (product->epilogue & BIAS && !product->bias))
        return CUBLAS_STATUS_INVALID_VALUE;
    BlasGemm gemm = {.handle = handle_for(product, stream), .alpha = alpha, .beta = beta};
    if (!gemm.handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    cublasStatus_t status = plan(product, all, &gemm);
    if (!status)
        status = multiply(&gemm, product, all, at);
    cublasDestroy_v2(gemm.handle);
    return status;
}

/* ---- algorithms ----------------------------------------------------------------------------- */

/* cublasLtMatmulHeuristicResult_t */
typedef struct {
    guint64 algorithm[8];
    size_t workspace;
    cublasStatus_t status;
    float waves;
    int reserved[4];
} Found;

cublasStatus_t cublasLtMatmulAlgoCheck(void *lt, const Product *product, const void *of_a,
                                       const void *of_b, const void *of_c, const void *of_d,
                                       const void *algorithm, Found *found)
{
    const Layout *const all[] = {layout_of(of_a), layout_of(of_b), layout_of(of_c),
                                 layout_of(of_d)};
    (void)algorithm;
    if (!lt)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!product || !found)
        return CUBLAS_STATUS_INVALID_VALUE;
    BlasGemm gemm = {.handle = handle_for(product, NULL)};
    if (!gemm.handle)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    *found = (Found){.status = plan(product, all, &gemm), .waves = 1};
    cublasDestroy_v2(gemm.handle);
    return found->status;
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(void *lt, const Product *product, const void *of_a,
                                              const void *of_b, const void *of_c, const void *of_d,
                                              const void *preference, int wanted, Found *found,
                                              int *n)
{
    (void)preference;
    if (!n || wanted < 1)
        return CUBLAS_STATUS_INVALID_VALUE;
    const cublasStatus_t status =
        cublasLtMatmulAlgoCheck(lt, product, of_a, of_b, of_c, of_d, NULL, found);
    *n = status == CUBLAS_STATUS_SUCCESS;
    return status;
}

/* ---- descriptions --------------------------------------------------------------------------- */

static cublasStatus_t begin(void *at, size_t room, gconstpointer first, size_t bytes)
{
    if (!at)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (room < bytes)
        return CUBLAS_STATUS_ALLOC_FAILED;
    memcpy(at, first, bytes);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatrixLayoutInit_internal(void *layout, size_t bytes, int type, guint64 rows,
                                                 guint64 columns, gint64 lead)
{
    const Layout first = {(guint32)type, COLUMN, rows, columns, lead, 1, 0};
    return begin(layout, bytes, &first, sizeof first);
}

cublasStatus_t cublasLtMatrixLayoutCreate(Layout **layout, int type, guint64 rows, guint64 columns,
                                          gint64 lead)
{
    if (!layout)
        return CUBLAS_STATUS_INVALID_VALUE;
    *layout = g_new0(Layout, 1);
    return cublasLtMatrixLayoutInit_internal(*layout, sizeof **layout, type, rows, columns, lead);
}

cublasStatus_t cublasLtMatrixLayoutDestroy(Layout *layout)
{
    g_free(layout);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatrixLayoutSetAttribute(Layout *layout, int which, const void *value,
                                                size_t bytes)
{
    const guint n = G_N_ELEMENTS(layout_attributes);
    const Attribute *attribute = find(layout_attributes, n, which);
    if (layout && value && !attribute && is_zero(value, bytes))
        return CUBLAS_STATUS_SUCCESS;
    return set(layout, attribute, value, bytes);
}

cublasStatus_t cublasLtMatrixLayoutGetAttribute(const Layout *layout, int which, void *value,
                                                size_t bytes, size_t *written)
{
    const guint n = G_N_ELEMENTS(layout_attributes);
    return get(layout, find(layout_attributes, n, which), value, bytes, written);
}

cublasStatus_t cublasLtMatmulDescInit_internal(void *product, size_t bytes, int compute, int scale)
{
    const Product first = {
        .compute = compute, .scale = scale, .fill = FULL, .epilogue = 1, .bias_type = SAME_TYPE};
    return begin(product, bytes, &first, sizeof first);
}

cublasStatus_t cublasLtMatmulDescCreate(Product **product, int compute, int scale)
{
    if (!product)
        return CUBLAS_STATUS_INVALID_VALUE;
    *product = g_new0(Product, 1);
    return cublasLtMatmulDescInit_internal(*product, sizeof **product, compute, scale);
}

cublasStatus_t cublasLtMatmulDescDestroy(Product *product)
{
    g_free(product);
    return CUBLAS_STATUS_SUCCESS;
}

/* An attribute that is not here, scales of 8-bit numbers among them, ends in a product that is not
 * supported, unless it is what it is anyway. */
cublasStatus_t cublasLtMatmulDescSetAttribute(Product *product, int which, const void *value,
                                              size_t bytes)
{
    const guint n = G_N_ELEMENTS(product_attributes);
    const Attribute *attribute = find(product_attributes, n, which);
    if (attribute || !product || !value)
        return set(product, attribute, value, bytes);
    if (!is_zero(value, bytes))
        product->others = 1;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulDescGetAttribute(const Product *product, int which, void *value,
                                              size_t bytes, size_t *written)
{
    const guint n = G_N_ELEMENTS(product_attributes);
    return get(product, find(product_attributes, n, which), value, bytes, written);
}

/* ---- preferences, of which none is asked ---------------------------------------------------- */

cublasStatus_t cublasLtMatmulPreferenceInit_internal(void *preference, size_t bytes)
{
    if (!preference)
        return CUBLAS_STATUS_INVALID_VALUE;
    memset(preference, 0, bytes);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulPreferenceCreate(void **preference)
{
    if (!preference)
        return CUBLAS_STATUS_INVALID_VALUE;
    *preference = g_malloc0(1);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulPreferenceDestroy(void *preference)
{
    g_free(preference);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulPreferenceSetAttribute(void *preference, int which, const void *value,
                                                    size_t bytes)
{
    (void)which, (void)bytes;
    return preference && value ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}

/* ---- handles -------------------------------------------------------------------------------- */

cublasStatus_t cublasLtCreate(void **lt)
{
    return cublasCreate_v2((cublasHandle_t *)lt);
}

cublasStatus_t cublasLtDestroy(void *lt)
{
    return cublasDestroy_v2(lt);
}

size_t cublasLtGetVersion(void)
{
    int version = 0;
    cublasGetVersion_v2(NULL, &version);
    return (size_t)version;
}

size_t cublasLtGetCudartVersion(void)
{
    return cublasGetCudartVersion();
}

cublasStatus_t cublasLtGetProperty(int which, int *value)
{
    return cublasGetProperty(which, value);
}

const char *cublasLtGetStatusName(cublasStatus_t status)
{
    return cublasGetStatusName(status);
}

const char *cublasLtGetStatusString(cublasStatus_t status)
{
    return cublasGetStatusString(status);
}

#pragma GCC visibility pop
