/* SPDX-License-Identifier: BSD-3-Clause */
/* Entries about memory: allocations, copies and sets. A device's pointer is one of this process, so
 * a copy of any kind is one of memory; what was asked for decides how it is counted. */
#include "driver/state.h"

#include <stdint.h>
#include <string.h>

static gpointer pointer_to(CUdeviceptr address)
{
    return (gpointer)(gsize)address;
}

static const PsCardPiece *piece_at(gconstpointer address)
{
    return ps_card_memory_find(ps_card_memory(driver.card), address);
}

/* ---- allocations ---------------------------------------------------------------------------- */

/* A program that asks for too much goes on with an error, and says so itself. */
static CUresult add(gpointer *pointer, size_t bytes, PsCardKind kind)
{
    DRIVER_ENTER;
    if (!pointer || !bytes)
        return CUDA_ERROR_INVALID_VALUE;
    const PsCardPiece *piece =
        ps_card_memory_add(ps_card_memory(driver.card), bytes, kind, NULL, NULL);
    if (!piece)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *pointer = piece->data;
    return CUDA_SUCCESS;
}

static CUresult add_device(CUdeviceptr *pointer, size_t bytes, PsCardKind kind)
{
    gpointer data = NULL;
    const CUresult result = add(pointer ? &data : NULL, bytes, kind);
    if (!result)
        *pointer = (CUdeviceptr)(gsize)data;
    return result;
}

static CUresult drop(gconstpointer pointer)
{
    DRIVER_ENTER;
    if (!pointer)
        return CUDA_SUCCESS;
    return ps_card_memory_remove(ps_card_memory(driver.card), pointer) ? CUDA_SUCCESS
                                                                       : CUDA_ERROR_INVALID_VALUE;
}

#pragma GCC visibility push(default)

CUresult cuMemAlloc_v2(CUdeviceptr *pointer, size_t bytes)
{
    return add_device(pointer, bytes, PS_CARD_PLAIN);
}

CUresult cuMemAllocManaged(CUdeviceptr *pointer, size_t bytes, unsigned int flags)
{
    (void)flags;
    return add_device(pointer, bytes, PS_CARD_MANAGED);
}

CUresult cuMemAllocPitch_v2(CUdeviceptr *pointer, size_t *pitch, size_t width, size_t height,
                            unsigned int element)
{
    enum { ALIGN = 512 };
    (void)element;
    if (!pitch)
        return CUDA_ERROR_INVALID_VALUE;
    *pitch = (width + ALIGN - 1) / ALIGN * ALIGN;
    return add_device(pointer, *pitch * height, PS_CARD_PLAIN);
}

CUresult cuMemFree_v2(CUdeviceptr pointer)
{
    return drop(pointer_to(pointer));
}

CUresult cuMemAllocAsync(CUdeviceptr *pointer, size_t bytes, CUstream stream)
{
    (void)stream;
    return cuMemAlloc_v2(pointer, bytes);
}

CUresult cuMemAllocFromPoolAsync(CUdeviceptr *pointer, size_t bytes, void *pool, CUstream stream)
{
    (void)pool;
    return cuMemAllocAsync(pointer, bytes, stream);
}

CUresult cuMemFreeAsync(CUdeviceptr pointer, CUstream stream)
{
    (void)stream;
    return cuMemFree_v2(pointer);
}

CUresult cuMemHostAlloc(void **pointer, size_t bytes, unsigned int flags)
{
    (void)flags;
    return add(pointer, bytes, PS_CARD_HOST);
}

CUresult cuMemAllocHost_v2(void **pointer, size_t bytes)
{
    return cuMemHostAlloc(pointer, bytes, 0);
}

CUresult cuMemFreeHost(void *pointer)
{
    return drop(pointer);
}

CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *pointer, void *host, unsigned int flags)
{
    DRIVER_ENTER;
    (void)flags;
    if (!piece_at(host))
        return CUDA_ERROR_INVALID_VALUE;
    *pointer = (CUdeviceptr)(gsize)host;
    return CUDA_SUCCESS;
}

CUresult cuMemHostGetFlags(unsigned int *flags, void *host)
{
    enum { MAPPED = 2 };
    DRIVER_ENTER;
    if (!piece_at(host))
        return CUDA_ERROR_INVALID_VALUE;
    *flags = MAPPED;
    return CUDA_SUCCESS;
}

CUresult cuMemHostRegister_v2(void *pointer, size_t bytes, unsigned int flags)
{
    DRIVER_ENTER;
    (void)flags;
    if (!pointer || !bytes)
        return CUDA_ERROR_INVALID_VALUE;
    return ps_card_memory_lend(ps_card_memory(driver.card), pointer, bytes, NULL)
               ? CUDA_SUCCESS
               : CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
}

CUresult cuMemHostUnregister(void *pointer)
{
    return drop(pointer) ? CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED : CUDA_SUCCESS;
}

CUresult cuMemGetInfo_v2(size_t *left, size_t *all)
{
    guint64 bytes, taken;
    DRIVER_ENTER;
    ps_card_memory_count(ps_card_memory(driver.card), &bytes, &taken);
    *all = bytes;
    *left = bytes - taken;
    return CUDA_SUCCESS;
}

CUresult cuMemGetAddressRange_v2(CUdeviceptr *base, size_t *bytes, CUdeviceptr pointer)
{
    DRIVER_ENTER;
    const PsCardPiece *piece = piece_at(pointer_to(pointer));
    if (!piece)
        return CUDA_ERROR_NOT_FOUND;
    if (base)
        *base = (CUdeviceptr)(gsize)piece->data;
    if (bytes)
        *bytes = piece->size;
    return CUDA_SUCCESS;
}

/* Hints where managed memory shall be, which is where it is. */
CUresult cuMemAdvise(CUdeviceptr pointer, size_t bytes, int advice, CUdevice device)
{
    DRIVER_ENTER;
    (void)bytes;
    (void)advice;
    (void)device;
    return piece_at(pointer_to(pointer)) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemPrefetchAsync(CUdeviceptr pointer, size_t bytes, CUdevice device, CUstream stream)
{
    (void)stream;
    return cuMemAdvise(pointer, bytes, 0, device);
}

/* ---- what pointers are ---------------------------------------------------------------------- */

CUresult cuPointerGetAttribute(void *value, int attribute, CUdeviceptr pointer)
{
    enum {
        CONTEXT = 1,
        TYPE,
        DEVICE_POINTER,
        HOST_POINTER,
        IS_MANAGED = 8,
        ORDINAL,
        START = 11,
        SIZE
    };
    DRIVER_ENTER;
    const PsCardPiece *piece = piece_at(pointer_to(pointer));
    if (!piece || !value)
        return CUDA_ERROR_INVALID_VALUE;
    switch (attribute) {
    case CONTEXT:
        *(CUcontext *)value = &driver.primary;
        return CUDA_SUCCESS;
    case TYPE:
        *(unsigned int *)value = piece->kind == PS_CARD_HOST ? MEMORY_HOST : MEMORY_DEVICE;
        return CUDA_SUCCESS;
    case DEVICE_POINTER:
    case START:
        *(CUdeviceptr *)value = attribute == START ? (CUdeviceptr)(gsize)piece->data : pointer;
        return CUDA_SUCCESS;
    case HOST_POINTER:
        *(void **)value = pointer_to(pointer);
        return piece->kind == PS_CARD_HOST || piece->kind == PS_CARD_MANAGED
                   ? CUDA_SUCCESS
                   : CUDA_ERROR_INVALID_VALUE;
    case IS_MANAGED:
        *(unsigned int *)value = piece->kind == PS_CARD_MANAGED;
        return CUDA_SUCCESS;
    case ORDINAL:
        *(int *)value = 0;
        return CUDA_SUCCESS;
    case SIZE:
        *(size_t *)value = piece->size;
        return CUDA_SUCCESS;
    default:
        return CUDA_ERROR_NOT_SUPPORTED;
    }
}

CUresult cuPointerGetAttributes(unsigned int n, int *attributes, void **values, CUdeviceptr pointer)
{
    CUresult result = CUDA_SUCCESS;
    for (unsigned int i = 0; i < n && !result; i++)
        result = cuPointerGetAttribute(values[i], attributes[i], pointer);
    return result;
}

#pragma GCC visibility pop

/* ---- copies --------------------------------------------------------------------------------- */

static gboolean is_on_device(gconstpointer address)
{
    const PsCardPiece *piece = piece_at(address);
    return piece && piece->kind != PS_CARD_HOST;
}

/* TRUE if the bytes lie within a piece, or in none: then they are the program's own. */
static gboolean fits(gconstpointer address, gsize bytes)
{
    const PsCardPiece *piece = piece_at(address);
    return !piece || bytes <= piece->size - (gsize)((const guint8 *)address - piece->data);
}

static void count_copy(gconstpointer to, gconstpointer from, gsize bytes)
{
    const gboolean in = is_on_device(to), out = is_on_device(from);
    if (in || out)
        ps_card_log_copy(driver.log,
                         in && out ? PS_CARD_WITHIN
                         : in      ? PS_CARD_TO_DEVICE
                                   : PS_CARD_TO_HOST,
                         bytes);
}

/* A copy that the host waits for, or one of a stream. */
static CUresult copy(gpointer to, gconstpointer from, gsize bytes, const CUstream *in)
{
    DRIVER_ENTER;
    struct Stream *stream = driver_stream(in ? *in : NULL);
    if (!stream)
        return CUDA_ERROR_INVALID_HANDLE;
    if (bytes == 0)
        return CUDA_SUCCESS;
    if (!to || !from || !fits(to, bytes) || !fits(from, bytes))
        return CUDA_ERROR_INVALID_VALUE;
    memmove(to, from, bytes);
    count_copy(to, from, bytes);
    driver_stream_add(stream, 0);
    if (!in) {
        driver.host = MAX(driver.host, stream->at);
        driver_print();
    }
    return CUDA_SUCCESS;
}

#pragma GCC visibility push(default)

CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes)
{
    return copy(pointer_to(to), pointer_to(from), bytes, NULL);
}

CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    return copy(pointer_to(to), pointer_to(from), bytes, &stream);
}

CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t bytes)
{
    return copy(pointer_to(to), from, bytes, NULL);
}

CUresult cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t bytes)
{
    return copy(to, pointer_to(from), bytes, NULL);
}

CUresult cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes)
{
    return copy(pointer_to(to), pointer_to(from), bytes, NULL);
}

CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t bytes, CUstream stream)
{
    return copy(pointer_to(to), from, bytes, &stream);
}

CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    return copy(to, pointer_to(from), bytes, &stream);
}

CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    return copy(pointer_to(to), pointer_to(from), bytes, &stream);
}

CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D *what, CUstream stream)
{
    DRIVER_ENTER;
    struct Stream *in = driver_stream(stream);
    if (!in)
        return CUDA_ERROR_INVALID_HANDLE;
    if (what->from_type == MEMORY_ARRAY || what->to_type == MEMORY_ARRAY)
        return driver_missing("cuMemcpy2D of an array");
    const guint8 *from =
        what->from_type == MEMORY_HOST ? what->from_host : pointer_to(what->from_device);
    guint8 *to = what->to_type == MEMORY_HOST ? what->to_host : pointer_to(what->to_device);
    from += what->from_y * what->from_pitch + what->from_x;
    to += what->to_y * what->to_pitch + what->to_x;
    if (what->width == 0 || what->height == 0)
        return CUDA_SUCCESS;
    if (!fits(to, (what->height - 1) * what->to_pitch + what->width) ||
        !fits(from, (what->height - 1) * what->from_pitch + what->width))
        return CUDA_ERROR_INVALID_VALUE;
    for (size_t y = 0; y < what->height; y++)
        memmove(to + y * what->to_pitch, from + y * what->from_pitch, what->width);
    count_copy(to, from, what->width * what->height);
    driver_stream_add(in, 0);
    return CUDA_SUCCESS;
}

CUresult cuMemcpy2D_v2(const CUDA_MEMCPY2D *what)
{
    const CUresult result = cuMemcpy2DAsync_v2(what, NULL);
    return result ? result : cuStreamSynchronize(NULL);
}

CUresult cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D *what)
{
    return cuMemcpy2D_v2(what);
}

#pragma GCC visibility pop

/* ---- sets ----------------------------------------------------------------------------------- */

/* Rows of n elements each. */
typedef struct {
    gpointer to;
    gsize pitch;
    guint32 value;
    guint size;
    gsize width, height;
} Fill;

static CUresult set(const Fill *fill, CUstream in)
{
    DRIVER_ENTER;
    struct Stream *stream = driver_stream(in);
    const gsize row = fill->width * fill->size;
    if (!stream)
        return CUDA_ERROR_INVALID_HANDLE;
    if (row == 0 || fill->height == 0)
        return CUDA_SUCCESS;
    if (!piece_at(fill->to) || !fits(fill->to, (fill->height - 1) * fill->pitch + row))
        return CUDA_ERROR_INVALID_VALUE;
    for (gsize y = 0; y < fill->height; y++) {
        guint8 *to = (guint8 *)fill->to + y * fill->pitch;
        if (fill->size == 1)
            memset(to, (int)fill->value, row);
        else
            for (gsize x = 0; x < fill->width; x++)
                memcpy(to + x * fill->size, &fill->value, fill->size);
    }
    ps_card_log_copy(driver.log, PS_CARD_SET, row * fill->height);
    driver_stream_add(stream, 0);
    return CUDA_SUCCESS;
}

#pragma GCC visibility push(default)

#define SETS(BITS, TYPE)                                                                           \
    CUresult cuMemsetD##BITS##Async(CUdeviceptr to, TYPE value, size_t n, CUstream stream);        \
    CUresult cuMemsetD##BITS##Async(CUdeviceptr to, TYPE value, size_t n, CUstream stream)         \
    {                                                                                              \
        return set(&(Fill){pointer_to(to), 0, value, sizeof value, n, 1}, stream);                 \
    }                                                                                              \
    CUresult cuMemsetD##BITS##_v2(CUdeviceptr to, TYPE value, size_t n);                           \
    CUresult cuMemsetD##BITS##_v2(CUdeviceptr to, TYPE value, size_t n)                            \
    {                                                                                              \
        return cuMemsetD##BITS##Async(to, value, n, NULL);                                         \
    }                                                                                              \
    CUresult cuMemsetD2D##BITS##Async(CUdeviceptr to, size_t pitch, TYPE value, size_t width,      \
                                      size_t height, CUstream stream);                             \
    CUresult cuMemsetD2D##BITS##Async(CUdeviceptr to, size_t pitch, TYPE value, size_t width,      \
                                      size_t height, CUstream stream)                              \
    {                                                                                              \
        return set(&(Fill){pointer_to(to), pitch, value, sizeof value, width, height}, stream);    \
    }                                                                                              \
    CUresult cuMemsetD2D##BITS##_v2(CUdeviceptr to, size_t pitch, TYPE value, size_t width,        \
                                    size_t height);                                                \
    CUresult cuMemsetD2D##BITS##_v2(CUdeviceptr to, size_t pitch, TYPE value, size_t width,        \
                                    size_t height)                                                 \
    {                                                                                              \
        return cuMemsetD2D##BITS##Async(to, pitch, value, width, height, NULL);                    \
    }

SETS(8, unsigned char)
SETS(16, unsigned short)
SETS(32, unsigned int)

#pragma GCC visibility pop
