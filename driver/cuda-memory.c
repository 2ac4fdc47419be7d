/* SPDX-License-Identifier: BSD-3-Clause */
/* Entries for memory: allocations, copies and sets. Device pointers belong to this process, so
 * every copy is one in memory; the kinds of both allocations decide how it is counted. */
#include "driver/graph.h"

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

/* A program that asks for too much gets an error, and reports it itself. */
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
    return pointer ? driver_free((CUdeviceptr)(gsize)pointer) : CUDA_SUCCESS;
}

CUresult driver_free(CUdeviceptr memory)
{
    CUresult result = CUDA_SUCCESS;
    if (!graph_memory_free(memory, &result) &&
        !ps_card_memory_remove(ps_card_memory(driver.card), pointer_to(memory)))
        result = CUDA_ERROR_INVALID_VALUE;
    return result;
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

#pragma GCC visibility pop

/* Memory of a graph exists from the creation of its node. */
static CUresult note(CUstream in, const Node *like)
{
    DRIVER_ENTER;
    struct Stream *stream = driver_stream(in);
    if (!stream)
        return CUDA_ERROR_INVALID_HANDLE;
    return stream->capture ? graph_capture(stream, like) : CUDA_SUCCESS;
}

static gboolean is_captured(CUstream stream)
{
    int status = 0;
    return !cuStreamIsCapturing(stream, &status) && status;
}

#pragma GCC visibility push(default)

CUresult cuMemAllocAsync(CUdeviceptr *pointer, size_t bytes, CUstream stream)
{
    const CUresult result = cuMemAlloc_v2(pointer, bytes);
    return result ? result
                  : note(stream, &(Node){.type = NODE_ALLOC, .memory = *pointer, .bytes = bytes});
}

CUresult cuMemAllocFromPoolAsync(CUdeviceptr *pointer, size_t bytes, void *pool, CUstream stream)
{
    (void)pool;
    return cuMemAllocAsync(pointer, bytes, stream);
}

CUresult cuMemFreeAsync(CUdeviceptr pointer, CUstream stream)
{
    return is_captured(stream) ? note(stream, &(Node){.type = NODE_FREE, .memory = pointer})
                               : cuMemFree_v2(pointer);
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

/* Hints on the place of managed memory, which stays where it is. */
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

/* Versions with a struct in place of the device's number. */
CUresult cuMemAdvise_v2(CUdeviceptr pointer, size_t bytes, int advice, uint64_t location)
{
    (void)location;
    return cuMemAdvise(pointer, bytes, advice, 0);
}

CUresult cuMemPrefetchAsync_v2(CUdeviceptr pointer, size_t bytes, uint64_t location,
                               unsigned int flags, CUstream stream)
{
    (void)location;
    (void)flags;
    return cuMemPrefetchAsync(pointer, bytes, 0, stream);
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
