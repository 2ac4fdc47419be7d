/* SPDX-License-Identifier: BSD-3-Clause */
/* Entries for arrays, copies of boxes, and copies to arrays. */
#include "driver/runtime-copy.h"

#include <string.h>

CUresult cuArray3DCreate_v2(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *is);
CUresult cuArray3DGetDescriptor_v2(CUDA_ARRAY3D_DESCRIPTOR *is, CUarray array);
CUresult cuArrayDestroy(CUarray array);
CUresult cuMipmappedArrayCreate(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *is, unsigned int n);
CUresult cuMipmappedArrayGetLevel(CUarray *level, CUarray array, unsigned int n);
CUresult cuMemcpy3D_v2(const CUDA_MEMCPY3D *what);
CUresult cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D *what, CUstream stream);

/* The kinds of channels. */
enum { SIGNED, UNSIGNED, FLOATING };

unsigned int runtime_format(const cudaChannelFormatDesc *channels, unsigned int *n)
{
    const int bits = channels->x;
    *n = (channels->x > 0) + (channels->y > 0) + (channels->z > 0) + (channels->w > 0);
    switch (channels->kind) {
    case FLOATING:
        return bits == 16 ? 16 : bits == 32 ? 32 : 0;
    case SIGNED:
        return bits == 8 ? 8 : bits == 16 ? 9 : bits == 32 ? 10 : 0;
    case UNSIGNED:
        return bits == 8 ? 1 : bits == 16 ? 2 : bits == 32 ? 3 : 0;
    default:
        return 0;
    }
}

static cudaChannelFormatDesc channels_of(const CUDA_ARRAY3D_DESCRIPTOR *is)
{
    enum { HALF = 16, FLOAT = 32, FIRST_SIGNED = 8 };
    const unsigned int format = is->format;
    const int bits = format == FLOAT          ? 32
                     : format == HALF         ? 16
                     : format >= FIRST_SIGNED ? 8 << (format - FIRST_SIGNED)
                                              : 8 << (format - 1);
    return (cudaChannelFormatDesc){.x = bits,
                                   .y = is->channels > 1 ? bits : 0,
                                   .z = is->channels > 2 ? bits : 0,
                                   .w = is->channels > 3 ? bits : 0,
                                   .kind = format >= HALF           ? FLOATING
                                           : format >= FIRST_SIGNED ? SIGNED
                                                                    : UNSIGNED};
}

static size_t element_bytes(CUarray array)
{
    CUDA_ARRAY3D_DESCRIPTOR is;
    if (cuArray3DGetDescriptor_v2(&is, array))
        return 1;
    return (size_t)channels_of(&is).x / 8 * is.channels;
}

/* ---- boxes ---------------------------------------------------------------------------------- */

static CopySide side_of(CUarray array, const cudaPos *at, const cudaPitchedPtr *memory,
                        size_t element)
{
    CopySide side = {.x = at->x, .y = at->y, .z = at->z};
    if (array) {
        side.type = MEMORY_ARRAY;
        side.array = array;
        side.x *= element;
    } else {
        side.type = MEMORY_HOST;
        side.host = memory->pointer;
        side.pitch = memory->pitch;
        side.height = memory->height;
    }
    return side;
}

CUDA_MEMCPY3D runtime_box(const cudaMemcpy3DParms *params)
{
    CUarray array = params->from_array ? params->from_array : params->to_array;
    const size_t element = array ? element_bytes(array) : 1;
    return (CUDA_MEMCPY3D){side_of(params->from_array, &params->from_at, &params->from, element),
                           side_of(params->to_array, &params->to_at, &params->to, element),
                           params->extent.width * element, params->extent.height,
                           params->extent.depth};
}

CUDA_MEMCPY3D runtime_row(const void *to, const void *from, size_t bytes)
{
    return (CUDA_MEMCPY3D){
        {.type = MEMORY_HOST, .host = from}, {.type = MEMORY_HOST, .host = to}, bytes, 1, 1};
}

static CopySide in_array(CUarray array, size_t x, size_t y)
{
    return (CopySide){.type = MEMORY_ARRAY, .array = array, .x = x, .y = y};
}

static CopySide in_memory(const void *memory, size_t pitch)
{
    return (CopySide){.type = MEMORY_HOST, .host = memory, .pitch = pitch};
}

#pragma GCC visibility push(default)

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms *params, CUstream stream)
{
    RUNTIME_ENTER;
    const CUDA_MEMCPY3D box = runtime_box(params);
    return runtime_keep(cuMemcpy3DAsync_v2(&box, stream));
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms *params)
{
    RUNTIME_ENTER;
    const CUDA_MEMCPY3D box = runtime_box(params);
    return runtime_keep(cuMemcpy3D_v2(&box));
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t width, size_t height, int kind, CUstream stream)
{
    const CUDA_MEMCPY3D box = {in_memory(from, from_pitch), in_memory(to, to_pitch), width, height,
                               1};
    (void)kind;
    if (width > to_pitch || width > from_pitch)
        return runtime_keep(cudaErrorInvalidPitchValue);
    RUNTIME_CALL(cuMemcpy3DAsync_v2(&box, stream));
}

cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                         size_t width, size_t height, int kind)
{
    const CUDA_MEMCPY3D box = {in_memory(from, from_pitch), in_memory(to, to_pitch), width, height,
                               1};
    (void)kind;
    if (width > to_pitch || width > from_pitch)
        return runtime_keep(cudaErrorInvalidPitchValue);
    RUNTIME_CALL(cuMemcpy3D_v2(&box));
}

/* ---- to and from arrays --------------------------------------------------------------------- */

cudaError_t cudaMemcpy2DToArrayAsync(CUarray to, size_t x, size_t y, const void *from, size_t pitch,
                                     size_t width, size_t height, int kind, CUstream stream)
{
    const CUDA_MEMCPY3D box = {in_memory(from, pitch), in_array(to, x, y), width, height, 1};
    (void)kind;
    RUNTIME_CALL(cuMemcpy3DAsync_v2(&box, stream));
}

cudaError_t cudaMemcpy2DToArray(CUarray to, size_t x, size_t y, const void *from, size_t pitch,
                                size_t width, size_t height, int kind)
{
    const CUDA_MEMCPY3D box = {in_memory(from, pitch), in_array(to, x, y), width, height, 1};
    (void)kind;
    RUNTIME_CALL(cuMemcpy3D_v2(&box));
}

cudaError_t cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, CUarray from, size_t x, size_t y,
                                       size_t width, size_t height, int kind, CUstream stream)
{
    const CUDA_MEMCPY3D box = {in_array(from, x, y), in_memory(to, pitch), width, height, 1};
    (void)kind;
    RUNTIME_CALL(cuMemcpy3DAsync_v2(&box, stream));
}

cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, CUarray from, size_t x, size_t y,
                                  size_t width, size_t height, int kind)
{
    const CUDA_MEMCPY3D box = {in_array(from, x, y), in_memory(to, pitch), width, height, 1};
    (void)kind;
    RUNTIME_CALL(cuMemcpy3D_v2(&box));
}

cudaError_t cudaMemcpy2DArrayToArray(CUarray to, size_t to_x, size_t to_y, CUarray from,
                                     size_t from_x, size_t from_y, size_t width, size_t height,
                                     int kind)
{
    const CUDA_MEMCPY3D box = {in_array(from, from_x, from_y), in_array(to, to_x, to_y), width,
                               height, 1};
    (void)kind;
    RUNTIME_CALL(cuMemcpy3D_v2(&box));
}

/* Copies bytes along the rows of an array, each of which continues in the next. */
static cudaError_t copy_line(CUarray array, size_t x, size_t y, char *memory, size_t bytes,
                             gboolean in)
{
    CUDA_ARRAY3D_DESCRIPTOR is;
    cudaError_t error = cuArray3DGetDescriptor_v2(&is, array);
    const size_t row = error ? 1 : is.width * element_bytes(array);
    while (bytes > 0 && !error) {
        const size_t now = MIN(bytes, row - x);
        error = in ? cudaMemcpy2DToArray(array, x, y, memory, now, now, 1, 0)
                   : cudaMemcpy2DFromArray(memory, now, array, x, y, now, 1, 0);
        memory += now;
        bytes -= now;
        x = 0;
        y++;
    }
    return runtime_keep(error);
}

cudaError_t cudaMemcpyToArray(CUarray to, size_t x, size_t y, const void *from, size_t bytes,
                              int kind)
{
    (void)kind;
    RUNTIME_ENTER;
    return copy_line(to, x, y, (char *)(size_t)from, bytes, TRUE);
}

cudaError_t cudaMemcpyFromArray(void *to, CUarray from, size_t x, size_t y, size_t bytes, int kind)
{
    (void)kind;
    RUNTIME_ENTER;
    return copy_line(from, x, y, to, bytes, FALSE);
}

/* ---- arrays --------------------------------------------------------------------------------- */

static CUDA_ARRAY3D_DESCRIPTOR describe(const cudaChannelFormatDesc *channels, cudaExtent extent,
                                        unsigned int flags)
{
    CUDA_ARRAY3D_DESCRIPTOR is = {extent.width, extent.height, extent.depth, 0, 0, flags};
    is.format = runtime_format(channels, &is.channels);
    return is;
}

cudaError_t cudaMalloc3DArray(CUarray *array, const cudaChannelFormatDesc *channels,
                              cudaExtent extent, unsigned int flags)
{
    const CUDA_ARRAY3D_DESCRIPTOR is = describe(channels, extent, flags);
    RUNTIME_CALL(cuArray3DCreate_v2(array, &is));
}

cudaError_t cudaMallocArray(CUarray *array, const cudaChannelFormatDesc *channels, size_t width,
                            size_t height, unsigned int flags)
{
    return cudaMalloc3DArray(array, channels, (cudaExtent){width, height, 0}, flags);
}

cudaError_t cudaMallocMipmappedArray(CUarray *array, const cudaChannelFormatDesc *channels,
                                     cudaExtent extent, unsigned int n, unsigned int flags)
{
    const CUDA_ARRAY3D_DESCRIPTOR is = describe(channels, extent, flags);
    RUNTIME_CALL(cuMipmappedArrayCreate(array, &is, n));
}

cudaError_t cudaGetMipmappedArrayLevel(CUarray *level, CUarray array, unsigned int n)
{
    RUNTIME_CALL(cuMipmappedArrayGetLevel(level, array, n));
}

cudaError_t cudaFreeArray(CUarray array)
{
    RUNTIME_ENTER;
    return array ? runtime_keep(cuArrayDestroy(array)) : cudaSuccess;
}

cudaError_t cudaFreeMipmappedArray(CUarray array)
{
    return cudaFreeArray(array);
}

cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc *channels, cudaExtent *extent,
                             unsigned int *flags, CUarray array)
{
    CUDA_ARRAY3D_DESCRIPTOR is;
    RUNTIME_ENTER;
    const cudaError_t error = cuArray3DGetDescriptor_v2(&is, array);
    if (error)
        return runtime_keep(error);
    if (channels)
        *channels = channels_of(&is);
    if (extent)
        *extent = (cudaExtent){is.width, is.height, is.depth};
    if (flags)
        *flags = is.flags;
    return cudaSuccess;
}

cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc *channels, CUarray array)
{
    return cudaArrayGetInfo(channels, NULL, NULL, array);
}

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, int kind)
{
    return (cudaChannelFormatDesc){x, y, z, w, kind};
}

#pragma GCC visibility pop
