/* SPDX-License-Identifier: BSD-3-Clause */
/* Textures and surfaces in the runtime's interface. */
#include "driver/runtime.h"
#include "driver/texture.h"

#include <string.h>

typedef struct {
    int kind;
    union {
        CUarray array;
        struct {
            void *at;
            cudaChannelFormatDesc channels;
            size_t bytes;
        } linear;
        struct {
            void *at;
            cudaChannelFormatDesc channels;
            size_t width, height, pitch;
        } pitched;
    } is;
} cudaResourceDesc;

/* CUDA 13 has more behind it, which is zero. */
G_STATIC_ASSERT(sizeof(cudaResourceDesc) == 64);

typedef struct {
    int edge[3], linear, as_fraction, srgb;
    float border[4];
    int normalized;
    unsigned int anisotropy;
    int mipmap_linear;
    float level_bias, least_level, most_level;
    int others[2];
} cudaTextureDesc;

typedef struct {
    cudaResourceDesc resource;
    cudaTextureDesc sampling;
} Made;
static GMutex lock;
static GHashTable *all; /* descriptions that handles were made from */

static void keep(uint64_t handle, const cudaResourceDesc *resource, const cudaTextureDesc *sampling)
{
    Made *made = g_new0(Made, 1);
    made->resource = *resource;
    if (sampling)
        made->sampling = *sampling;
    g_mutex_lock(&lock);
    if (!all)
        all = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
    g_hash_table_insert(all, g_memdup2(&handle, sizeof handle), made);
    g_mutex_unlock(&lock);
}

static const Made *find(uint64_t handle)
{
    g_mutex_lock(&lock);
    const Made *made = all ? g_hash_table_lookup(all, &handle) : NULL;
    g_mutex_unlock(&lock);
    return made;
}

static Resource read_resource(const cudaResourceDesc *from)
{
    Resource to = {.kind = from->kind};
    if (from->kind == RESOURCE_LINEAR) {
        to.is.linear.at = (CUdeviceptr)(size_t)from->is.linear.at;
        to.is.linear.format = runtime_format(&from->is.linear.channels, &to.is.linear.channels);
        to.is.linear.bytes = from->is.linear.bytes;
    } else if (from->kind == RESOURCE_PITCHED) {
        to.is.pitched.at = (CUdeviceptr)(size_t)from->is.pitched.at;
        to.is.pitched.format = runtime_format(&from->is.pitched.channels, &to.is.pitched.channels);
        to.is.pitched.width = from->is.pitched.width;
        to.is.pitched.height = from->is.pitched.height;
        to.is.pitched.pitch = from->is.pitched.pitch;
    } else {
        to.is.array = from->is.array;
    }
    return to;
}

static Sampling read_sampling(const cudaTextureDesc *from)
{
    Sampling to = {.linear = from->linear,
                   .anisotropy = from->anisotropy,
                   .mipmap_linear = from->mipmap_linear,
                   .level_bias = from->level_bias,
                   .least_level = from->least_level,
                   .most_level = from->most_level};
    to.flags = (from->as_fraction ? 0U : READ_AS_INTEGER) | (from->normalized ? NORMALIZED : 0U) |
               (from->srgb ? SRGB : 0U);
    memcpy(to.edge, from->edge, sizeof to.edge);
    memcpy(to.border, from->border, sizeof to.border);
    return to;
}

cudaError_t runtime_resource(void *resource, uint64_t handle)
{
    RUNTIME_ENTER;
    const Made *made = find(handle);
    if (!made)
        return runtime_keep(cudaErrorInvalidValue);
    memcpy(resource, &made->resource, sizeof made->resource);
    return cudaSuccess;
}

#pragma GCC visibility push(default)

cudaError_t cudaCreateTextureObject(uint64_t *handle, const cudaResourceDesc *resource,
                                    const cudaTextureDesc *sampling, const void *view)
{
    RUNTIME_ENTER;
    if (!handle || !resource || !sampling)
        return runtime_keep(cudaErrorInvalidValue);
    const Resource read = read_resource(resource);
    const Sampling how = read_sampling(sampling);
    const cudaError_t error = cuTexObjectCreate(handle, &read, &how, view);
    if (!error)
        keep(*handle, resource, sampling);
    return runtime_keep(error);
}

cudaError_t cudaDestroyTextureObject(uint64_t handle)
{
    RUNTIME_CALL(cuTexObjectDestroy(handle));
}

cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc *sampling, uint64_t handle)
{
    RUNTIME_ENTER;
    const Made *made = find(handle);
    if (!made)
        return runtime_keep(cudaErrorInvalidValue);
    *sampling = made->sampling;
    return cudaSuccess;
}

cudaError_t cudaCreateSurfaceObject(uint64_t *handle, const cudaResourceDesc *resource)
{
    RUNTIME_ENTER;
    if (!handle || !resource)
        return runtime_keep(cudaErrorInvalidValue);
    const Resource read = read_resource(resource);
    const cudaError_t error = cuSurfObjectCreate(handle, &read);
    if (!error)
        keep(*handle, resource, NULL);
    return runtime_keep(error);
}

cudaError_t cudaDestroySurfaceObject(uint64_t handle)
{
    RUNTIME_CALL(cuSurfObjectDestroy(handle));
}

#pragma GCC visibility pop
