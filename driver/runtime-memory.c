/* SPDX-License-Identifier: BSD-3-Clause */
/* Entries for memory: allocations, copies, sets. */
#include "driver/runtime-copy.h"

#include <string.h>

CUresult cuMemAllocAsync(CUdeviceptr *pointer, size_t bytes, CUstream stream);
CUresult cuMemFreeAsync(CUdeviceptr pointer, CUstream stream);
CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t n, CUstream stream);
CUresult cuMemsetD2D8Async(CUdeviceptr to, size_t pitch, unsigned char value, size_t width,
                           size_t height, CUstream stream);
CUresult cuMemHostGetFlags(unsigned int *flags, void *host);

static CUdeviceptr address_of(const void *pointer)
{
    return (CUdeviceptr)(size_t)pointer;
}

/* Allocates in the order of the stream, if there is one. */
static cudaError_t allocate(void **pointer, size_t bytes, const CUstream *stream)
{
    CUdeviceptr address = 0;
    RUNTIME_ENTER;
    if (!pointer)
        return runtime_keep(cudaErrorInvalidValue);
    *pointer = NULL;
    if (bytes == 0)
        return cudaSuccess;
    const cudaError_t error =
        stream ? cuMemAllocAsync(&address, bytes, *stream) : cuMemAlloc_v2(&address, bytes);
    *pointer = (void *)(size_t)address;
    return runtime_keep(error);
}

#pragma GCC visibility push(default)

cudaError_t cudaMalloc(void **pointer, size_t bytes)
{
    return allocate(pointer, bytes, NULL);
}

cudaError_t cudaMallocAsync(void **pointer, size_t bytes, CUstream stream)
{
    return allocate(pointer, bytes, &stream);
}

cudaError_t cudaMallocFromPoolAsync(void **pointer, size_t bytes, void *pool, CUstream stream)
{
    (void)pool;
    return cudaMallocAsync(pointer, bytes, stream);
}

cudaError_t cudaMallocManaged(void **pointer, size_t bytes, unsigned int flags)
{
    CUdeviceptr address = 0;
    RUNTIME_ENTER;
    const cudaError_t error = cuMemAllocManaged(&address, bytes, flags);
    if (!error)
        *pointer = (void *)(size_t)address;
    return runtime_keep(error);
}

cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height)
{
    CUdeviceptr address = 0;
    RUNTIME_ENTER;
    const cudaError_t error = cuMemAllocPitch_v2(&address, pitch, width, height, 4);
    if (!error)
        *pointer = (void *)(size_t)address;
    return runtime_keep(error);
}

cudaError_t cudaMalloc3D(cudaPitchedPtr *pitched, cudaExtent extent)
{
    pitched->width = extent.width;
    pitched->height = extent.height;
    return cudaMallocPitch(&pitched->pointer, &pitched->pitch, extent.width,
                           extent.height * extent.depth);
}

cudaError_t cudaFree(void *pointer)
{
    RUNTIME_CALL(cuMemFree_v2(address_of(pointer)));
}

cudaError_t cudaFreeAsync(void *pointer, CUstream stream)
{
    RUNTIME_CALL(cuMemFreeAsync(address_of(pointer), stream));
}

cudaError_t cudaHostAlloc(void **pointer, size_t bytes, unsigned int flags)
{
    RUNTIME_CALL(cuMemHostAlloc(pointer, bytes, flags));
}

cudaError_t cudaMallocHost(void **pointer, size_t bytes)
{
    return cudaHostAlloc(pointer, bytes, 0);
}

cudaError_t cudaFreeHost(void *pointer)
{
    RUNTIME_CALL(cuMemFreeHost(pointer));
}

cudaError_t cudaHostRegister(void *pointer, size_t bytes, unsigned int flags)
{
    RUNTIME_CALL(cuMemHostRegister_v2(pointer, bytes, flags));
}

cudaError_t cudaHostUnregister(void *pointer)
{
    RUNTIME_CALL(cuMemHostUnregister(pointer));
}

cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned int flags)
{
    (void)flags;
    RUNTIME_ENTER;
    *device = host;
    return cudaSuccess;
}

cudaError_t cudaHostGetFlags(unsigned int *flags, void *host)
{
    RUNTIME_CALL(cuMemHostGetFlags(flags, host));
}

cudaError_t cudaMemGetInfo(size_t *left, size_t *all)
{
    RUNTIME_CALL(cuMemGetInfo_v2(left, all));
}

/* ---- copies: in one address space, the direction need not be known --------------------------- */

enum { LAST_KIND = 4 };

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, int kind)
{
    RUNTIME_ENTER;
    if (kind < 0 || kind > LAST_KIND)
        return runtime_keep(cudaErrorInvalidMemcpyDirection);
    return runtime_keep(cuMemcpy(address_of(to), address_of(from), bytes));
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, int kind, CUstream stream)
{
    RUNTIME_ENTER;
    if (kind < 0 || kind > LAST_KIND)
        return runtime_keep(cudaErrorInvalidMemcpyDirection);
    return runtime_keep(cuMemcpyAsync(address_of(to), address_of(from), bytes, stream));
}

cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t bytes)
{
    (void)to_device, (void)from_device;
    return cudaMemcpy(to, from, bytes, LAST_KIND);
}

cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device,
                                size_t bytes, CUstream stream)
{
    (void)to_device, (void)from_device;
    return cudaMemcpyAsync(to, from, bytes, LAST_KIND, stream);
}

/* ---- variables ------------------------------------------------------------------------------ */

static cudaError_t find_symbol(const void *symbol, size_t bytes, size_t offset, char **at)
{
    size_t size = 0;
    RUNTIME_ENTER;
    const cudaError_t error = runtime_variable(symbol, at, &size);
    if (error)
        return runtime_keep(error);
    if (offset > size || bytes > size - offset)
        return runtime_keep(cudaErrorInvalidValue);
    *at += offset;
    return cudaSuccess;
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset,
                               int kind)
{
    char *at;
    const cudaError_t error = find_symbol(symbol, bytes, offset, &at);
    return error ? error : cudaMemcpy(at, from, bytes, kind);
}

cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset,
                                 int kind)
{
    char *at;
    const cudaError_t error = find_symbol(symbol, bytes, offset, &at);
    return error ? error : cudaMemcpy(to, at, bytes, kind);
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t bytes,
                                    size_t offset, int kind, CUstream stream)
{
    char *at;
    const cudaError_t error = find_symbol(symbol, bytes, offset, &at);
    return error ? error : cudaMemcpyAsync(at, from, bytes, kind, stream);
}

cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t bytes, size_t offset,
                                      int kind, CUstream stream)
{
    char *at;
    const cudaError_t error = find_symbol(symbol, bytes, offset, &at);
    return error ? error : cudaMemcpyAsync(to, at, bytes, kind, stream);
}

cudaError_t cudaGetSymbolAddress(void **address, const void *symbol)
{
    char *at = NULL;
    const cudaError_t error = find_symbol(symbol, 0, 0, &at);
    *address = at;
    return error;
}

cudaError_t cudaGetSymbolSize(size_t *size, const void *symbol)
{
    char *at;
    RUNTIME_ENTER;
    return runtime_keep(runtime_variable(symbol, &at, size));
}

/* ---- sets ----------------------------------------------------------------------------------- */

cudaError_t cudaMemsetAsync(void *to, int value, size_t bytes, CUstream stream)
{
    RUNTIME_CALL(cuMemsetD8Async(address_of(to), (unsigned char)value, bytes, stream));
}

cudaError_t cudaMemset(void *to, int value, size_t bytes)
{
    return cudaMemsetAsync(to, value, bytes, NULL);
}

cudaError_t cudaMemset2DAsync(void *to, size_t pitch, int value, size_t width, size_t height,
                              CUstream stream)
{
    RUNTIME_CALL(
        cuMemsetD2D8Async(address_of(to), pitch, (unsigned char)value, width, height, stream));
}

cudaError_t cudaMemset2D(void *to, size_t pitch, int value, size_t width, size_t height)
{
    return cudaMemset2DAsync(to, pitch, value, width, height, NULL);
}

cudaError_t cudaMemset3DAsync(cudaPitchedPtr to, int value, cudaExtent extent, CUstream stream)
{
    cudaError_t error = cudaSuccess;
    for (size_t z = 0; z < extent.depth && !error; z++)
        error = cudaMemset2DAsync((char *)to.pointer + z * to.pitch * to.height, to.pitch, value,
                                  extent.width, extent.height, stream);
    return error;
}

cudaError_t cudaMemset3D(cudaPitchedPtr to, int value, cudaExtent extent)
{
    return cudaMemset3DAsync(to, value, extent, NULL);
}

#pragma GCC visibility pop
