/* SPDX-License-Identifier: BSD-3-Clause */
/* Handles of cuBLAS's interface, their settings, and copies. */
#include "driver/blas.h"

#ifdef CUDA_12
enum { MAJOR = 12, MINOR = 9, PATCH = 1, RUNTIME = 12090 };
#else
enum { MAJOR = 13, MINOR = 1, PATCH = 0, RUNTIME = 13000 };
#endif

static GMutex lock;
static GHashTable *handles;   /* handles that exist */
static GHashTable *functions; /* name -> CUfunction */

/* ---- for other files ------------------------------------------------------------------------ */

gboolean blas_is(cublasHandle_t handle)
{
    g_mutex_lock(&lock);
    const gboolean is = handle && handles && g_hash_table_contains(handles, handle);
    g_mutex_unlock(&lock);
    return is;
}

CUfunction blas_function(const char *name, char *(*make)(gconstpointer what, guint target),
                         gconstpointer what, guint target)
{
    CUmodule module;
    g_mutex_lock(&lock);
    if (!functions)
        functions = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    CUfunction function = g_hash_table_lookup(functions, name);
    if (!function) {
        g_autofree char *text = make(what, target);
        if (cuLibraryLoadData(&module, text, NULL, NULL, 0, NULL, NULL, 0) == CUDA_SUCCESS &&
            cuLibraryGetKernel(&function, module, name) == CUDA_SUCCESS)
            g_hash_table_insert(functions, g_strdup(name), function);
    }
    g_mutex_unlock(&lock);
    return function;
}

gboolean blas_type_of(int type, BlasType *is)
{
    static const struct {
        int type;
        BlasType is;
    } types[] = {{CUDA_R_16F, BLAS_F16},
                 {CUDA_R_16BF, BLAS_BF16},
                 {CUDA_R_32F, BLAS_F32},
                 {CUDA_R_64F, BLAS_F64}};
    for (guint i = 0; i < G_N_ELEMENTS(types); i++)
        if (types[i].type == type) {
            *is = types[i].is;
            return TRUE;
        }
    return FALSE;
}

cublasStatus_t blas_ran(CUresult result)
{
    return result == CUDA_SUCCESS               ? CUBLAS_STATUS_SUCCESS
           : result == CUDA_ERROR_OUT_OF_MEMORY ? CUBLAS_STATUS_ALLOC_FAILED
                                                : CUBLAS_STATUS_EXECUTION_FAILED;
}

cublasStatus_t blas_scratch(cublasHandle_t handle)
{
    return handle->scratch ? CUBLAS_STATUS_SUCCESS
                           : blas_ran(cuMemAlloc_v2(&handle->scratch, BLAS_SCRATCH));
}

/* Handles belong to the primary context of the device. */
static gboolean find_device(cublasHandle_t handle)
{
    enum { UNITS = 16, CAPABILITY_MAJOR = 75, CAPABILITY_MINOR = 76 };
    CUcontext context;
    int major, minor, units;
    if (cuInit(0) || cuCtxGetCurrent(&context) ||
        (!context && (cuDevicePrimaryCtxRetain(&context, 0) || cuCtxSetCurrent(context))) ||
        cuDeviceGetAttribute(&major, CAPABILITY_MAJOR, 0) ||
        cuDeviceGetAttribute(&minor, CAPABILITY_MINOR, 0) || cuDeviceGetAttribute(&units, UNITS, 0))
        return FALSE;
    handle->target = blas_target((guint)(10 * major + minor));
    handle->units = (guint)units;
    return TRUE;
}

#pragma GCC visibility push(default)

/* ---- handles -------------------------------------------------------------------------------- */

cublasStatus_t cublasCreate_v2(cublasHandle_t *handle)
{
    if (!handle)
        return CUBLAS_STATUS_INVALID_VALUE;
    *handle = NULL;
    cublasHandle_t made = g_new0(struct cublasContext, 1);
    if (!find_device(made)) {
        g_free(made);
        return CUBLAS_STATUS_NOT_INITIALIZED;
    }
    g_mutex_lock(&lock);
    if (!handles)
        handles = g_hash_table_new(NULL, NULL);
    g_hash_table_add(handles, made);
    g_mutex_unlock(&lock);
    *handle = made;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasDestroy_v2(cublasHandle_t handle)
{
    g_mutex_lock(&lock);
    const gboolean is = handle && handles && g_hash_table_remove(handles, handle);
    g_mutex_unlock(&lock);
    if (!is)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    if (handle->scratch)
        cuMemFree_v2(handle->scratch);
    g_free(handle);
    return CUBLAS_STATUS_SUCCESS;
}

#define CHECK(handle)                                                                              \
    do {                                                                                           \
        if (!blas_is(handle))                                                                      \
            return CUBLAS_STATUS_NOT_INITIALIZED;                                                  \
    } while (0)

cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, CUstream stream)
{
    CHECK(handle);
    handle->stream = stream;
    return CUBLAS_STATUS_SUCCESS;
}

/* Kernels need no workspace. */
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void *workspace, size_t bytes)
{
    enum { ALIGNED = 256 };
    CHECK(handle);
    (void)bytes;
    return (size_t)workspace % ALIGNED ? CUBLAS_STATUS_INVALID_VALUE : CUBLAS_STATUS_SUCCESS;
}

/* An entry that sets a field, and one that gets it. NOLINTBEGIN(bugprone-macro-parentheses) */
#define FIELD(name, version, field, type, valid)                                                   \
    cublasStatus_t cublasSet##name##version(cublasHandle_t handle, type value)                     \
    {                                                                                              \
        CHECK(handle);                                                                             \
        if (!(valid))                                                                              \
            return CUBLAS_STATUS_INVALID_VALUE;                                                    \
        handle->field = value;                                                                     \
        return CUBLAS_STATUS_SUCCESS;                                                              \
    }                                                                                              \
    cublasStatus_t cublasGet##name##version(cublasHandle_t handle, type *value)                    \
    {                                                                                              \
        CHECK(handle);                                                                             \
        if (!value)                                                                                \
            return CUBLAS_STATUS_INVALID_VALUE;                                                    \
        *value = handle->field;                                                                    \
        return CUBLAS_STATUS_SUCCESS;                                                              \
    }

FIELD(PointerMode, _v2, pointer_mode, int,
      value == CUBLAS_POINTER_MODE_HOST || value == CUBLAS_POINTER_MODE_DEVICE)
FIELD(AtomicsMode, , atomics, int, value == 0 || value == 1)
FIELD(MathMode, , math, int,
      value >= 0 && (value & ~CUBLAS_MATH_FLAGS) <= CUBLAS_FP32_EMULATED_BF16X9_MATH)
FIELD(SmCountTarget, , units_wanted, int, value >= 0 && (guint)value <= handle->units)

/* NOLINTEND(bugprone-macro-parentheses) */

cublasStatus_t cublasGetStream_v2(cublasHandle_t handle, CUstream *stream)
{
    CHECK(handle);
    if (!stream)
        return CUBLAS_STATUS_INVALID_VALUE;
    *stream = handle->stream;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetVersion_v2(cublasHandle_t handle, int *version)
{
    (void)handle;
    if (!version)
        return CUBLAS_STATUS_INVALID_VALUE;
    *version = MAJOR * 10000 + MINOR * 100 + PATCH;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetProperty(int which, int *value)
{
    static const int parts[] = {MAJOR, MINOR, PATCH};
    if (!value || which < 0 || which >= (int)G_N_ELEMENTS(parts))
        return CUBLAS_STATUS_INVALID_VALUE;
    *value = parts[which];
    return CUBLAS_STATUS_SUCCESS;
}

size_t cublasGetCudartVersion(void)
{
    return RUNTIME;
}

/* ---- names ---------------------------------------------------------------------------------- */

static const struct {
    cublasStatus_t status;
    const char *name, *text;
} TEXTS[] = {
    {CUBLAS_STATUS_SUCCESS, "CUBLAS_STATUS_SUCCESS", "success"},
    {CUBLAS_STATUS_NOT_INITIALIZED, "CUBLAS_STATUS_NOT_INITIALIZED", "no such handle was made"},
    {CUBLAS_STATUS_ALLOC_FAILED, "CUBLAS_STATUS_ALLOC_FAILED", "out of memory"},
    {CUBLAS_STATUS_INVALID_VALUE, "CUBLAS_STATUS_INVALID_VALUE", "an argument is not valid"},
    {CUBLAS_STATUS_ARCH_MISMATCH, "CUBLAS_STATUS_ARCH_MISMATCH", "the device does not have this"},
    {CUBLAS_STATUS_MAPPING_ERROR, "CUBLAS_STATUS_MAPPING_ERROR", "memory cannot be copied"},
    {CUBLAS_STATUS_EXECUTION_FAILED, "CUBLAS_STATUS_EXECUTION_FAILED", "a kernel failed"},
    {CUBLAS_STATUS_INTERNAL_ERROR, "CUBLAS_STATUS_INTERNAL_ERROR", "an operation failed"},
    {CUBLAS_STATUS_NOT_SUPPORTED, "CUBLAS_STATUS_NOT_SUPPORTED", "this is not supported"},
    {CUBLAS_STATUS_LICENSE_ERROR, "CUBLAS_STATUS_LICENSE_ERROR", "there is no licence"}};

const char *cublasGetStatusName(cublasStatus_t status)
{
    for (guint i = 0; i < G_N_ELEMENTS(TEXTS); i++)
        if (TEXTS[i].status == status)
            return TEXTS[i].name;
    return "CUBLAS_STATUS_UNKNOWN";
}

const char *cublasGetStatusString(cublasStatus_t status)
{
    for (guint i = 0; i < G_N_ELEMENTS(TEXTS); i++)
        if (TEXTS[i].status == status)
            return TEXTS[i].text;
    return "no status has this number";
}

/* ---- copies --------------------------------------------------------------------------------- */

#pragma GCC visibility pop

CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D *what, CUstream stream);
CUresult cuMemcpy2D_v2(const CUDA_MEMCPY2D *what);

/* Columns of a matrix: their bytes, and the bytes from one to the next. stream NULL: the host
 * waits. */
typedef struct {
    gint64 width, height, from_pitch, to_pitch;
    const void *from;
    void *to;
    gboolean to_host, async;
    CUstream stream;
} Copy;

static cublasStatus_t copy(const Copy *copy)
{
    const CUDA_MEMCPY2D what = {.from_type = copy->to_host ? MEMORY_DEVICE : MEMORY_HOST,
                                .from_host = copy->from,
                                .from_device = (CUdeviceptr)(gsize)copy->from,
                                .from_pitch = (gsize)copy->from_pitch,
                                .to_type = copy->to_host ? MEMORY_HOST : MEMORY_DEVICE,
                                .to_host = copy->to,
                                .to_device = (CUdeviceptr)(gsize)copy->to,
                                .to_pitch = (gsize)copy->to_pitch,
                                .width = (gsize)copy->width,
                                .height = (gsize)copy->height};
    if (copy->width < 0 || copy->height < 0 || copy->from_pitch <= 0 || copy->to_pitch <= 0)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (copy->width == 0 || copy->height == 0)
        return CUBLAS_STATUS_SUCCESS;
    return (copy->async ? cuMemcpy2DAsync_v2(&what, copy->stream) : cuMemcpy2D_v2(&what))
               ? CUBLAS_STATUS_MAPPING_ERROR
               : CUBLAS_STATUS_SUCCESS;
}

/* Adjacent elements are one row. */
static cublasStatus_t copy_vector(gint64 n, gint64 bytes, const void *from, gint64 from_step,
                                  void *to, gint64 to_step, gboolean to_host,
                                  const CUstream *stream)
{
    const gboolean whole = from_step == 1 && to_step == 1;
    const Copy what = {.width = whole ? n * bytes : bytes,
                       .height = whole ? MIN(n, 1) : n,
                       .from_pitch = MAX(from_step, 0) * MAX(bytes, 0) * (whole ? MAX(n, 1) : 1),
                       .to_pitch = MAX(to_step, 0) * MAX(bytes, 0) * (whole ? MAX(n, 1) : 1),
                       .from = from,
                       .to = to,
                       .to_host = to_host,
                       .async = stream != NULL,
                       .stream = stream ? *stream : NULL};
    return copy(&what);
}

static cublasStatus_t copy_matrix(gint64 rows, gint64 columns, gint64 bytes, const void *from,
                                  gint64 from_lead, void *to, gint64 to_lead, gboolean to_host,
                                  const CUstream *stream)
{
    const Copy what = {.width = bytes > 0 ? rows * bytes : -1,
                       .height = columns,
                       .from_pitch = from_lead * bytes,
                       .to_pitch = to_lead * bytes,
                       .from = from,
                       .to = to,
                       .to_host = to_host,
                       .async = stream != NULL,
                       .stream = stream ? *stream : NULL};
    return copy(&what);
}

#pragma GCC visibility push(default)

#define COPIES(name, to_host, INT, end)                                                            \
    cublasStatus_t cublas##name##Vector##end(INT n, INT bytes, const void *x, INT incx, void *y,   \
                                             INT incy)                                             \
    {                                                                                              \
        return copy_vector(n, bytes, x, incx, y, incy, to_host, NULL);                             \
    }                                                                                              \
    cublasStatus_t cublas##name##VectorAsync##end(INT n, INT bytes, const void *x, INT incx,       \
                                                  void *y, INT incy, CUstream stream)              \
    {                                                                                              \
        return copy_vector(n, bytes, x, incx, y, incy, to_host, &stream);                          \
    }                                                                                              \
    cublasStatus_t cublas##name##Matrix##end(INT rows, INT columns, INT bytes, const void *a,      \
                                             INT lda, void *b, INT ldb)                            \
    {                                                                                              \
        return copy_matrix(rows, columns, bytes, a, lda, b, ldb, to_host, NULL);                   \
    }                                                                                              \
    cublasStatus_t cublas##name##MatrixAsync##end(INT rows, INT columns, INT bytes, const void *a, \
                                                  INT lda, void *b, INT ldb, CUstream stream)      \
    {                                                                                              \
        return copy_matrix(rows, columns, bytes, a, lda, b, ldb, to_host, &stream);                \
    }

COPIES(Set, FALSE, int, )
COPIES(Set, FALSE, gint64, _64)
COPIES(Get, TRUE, int, )
COPIES(Get, TRUE, gint64, _64)

#pragma GCC visibility pop
