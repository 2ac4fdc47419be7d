/* SPDX-License-Identifier: BSD-3-Clause */
/* Entries for textures and surfaces. Kernels get their handles as arguments. */
#include "driver/state.h"
#include "driver/texture.h"

#include "card/texture.h"

#include <string.h>

/* The descriptions that handles were made from. */
typedef struct {
    Resource resource;
    Sampling sampling;
} Made;
static GHashTable *all;

/* ---- from resources ------------------------------------------------------------------------- */

/* FALSE: there is no such format. */
static gboolean set_format(PsPtxTexture *texture, unsigned int format, unsigned int channels)
{
    enum { UINT8 = 1, UINT32 = 3, SINT8 = 8, SINT32 = 10, HALF = 16, FLOAT = 32 };
    texture->channels = channels;
    texture->bytes = format == FLOAT                       ? 4
                     : format == HALF                      ? 2
                     : format >= UINT8 && format <= UINT32 ? 1 << (format - UINT8)
                     : format >= SINT8 && format <= SINT32 ? 1 << (format - SINT8)
                                                           : 0;
    texture->texel = format >= HALF    ? PS_PTX_TEXEL_FLOAT
                     : format >= SINT8 ? PS_PTX_TEXEL_SIGNED
                                       : PS_PTX_TEXEL_UNSIGNED;
    return texture->bytes && (channels == 1 || channels == 2 || channels == 4);
}

static gboolean read_array(const struct Array *array, PsPtxTexture *texture)
{
    const CUDA_ARRAY3D_DESCRIPTOR *is = &array->is;
    const gboolean layered = (is->flags & (ARRAY_LAYERED | ARRAY_CUBE)) != 0;
    texture->address = (gsize)array->piece->data;
    texture->pitch = array->pitch;
    texture->plane = array->pitch * MAX(is->height, 1);
    texture->size[0] = (guint)is->width;
    texture->size[1] = (guint)MAX(is->height, 1);
    texture->size[2] = layered ? 1 : (guint)MAX(is->depth, 1);
    texture->layers = layered ? (guint)MAX(is->depth, 1) : 1;
    return set_format(texture, is->format, is->channels);
}

static gboolean read_resource(const Resource *resource, PsPtxTexture *texture)
{
    texture->size[0] = texture->size[1] = texture->size[2] = texture->layers = 1;
    switch (resource->kind) {
    case RESOURCE_ARRAY:
        return resource->is.array && resource->is.array->piece &&
               read_array(resource->is.array, texture);
    case RESOURCE_MIPMAPPED:
        return resource->is.array && resource->is.array->levels &&
               read_array(resource->is.array->levels[0], texture);
    case RESOURCE_LINEAR:
        texture->address = resource->is.linear.at;
        texture->plain = TRUE;
        if (!set_format(texture, resource->is.linear.format, resource->is.linear.channels))
            return FALSE;
        texture->size[0] =
            (guint)(resource->is.linear.bytes / (texture->bytes * texture->channels));
        return TRUE;
    case RESOURCE_PITCHED:
        texture->address = resource->is.pitched.at;
        texture->pitch = resource->is.pitched.pitch;
        texture->size[0] = (guint)resource->is.pitched.width;
        texture->size[1] = (guint)resource->is.pitched.height;
        return set_format(texture, resource->is.pitched.format, resource->is.pitched.channels);
    default:
        return FALSE;
    }
}

static void read_sampling(const Sampling *sampling, PsPtxTexture *texture)
{
    for (guint i = 0; i < 3; i++)
        texture->edge[i] = (PsPtxBeyond)sampling->edge[i];
    texture->normalized = (sampling->flags & NORMALIZED) != 0;
    texture->fraction =
        texture->texel != PS_PTX_TEXEL_FLOAT && (sampling->flags & READ_AS_INTEGER) == 0;
    texture->linear =
        sampling->linear && (texture->fraction || texture->texel == PS_PTX_TEXEL_FLOAT);
    if (!texture->plain)
        memcpy(texture->border, sampling->border, sizeof texture->border);
}

static gboolean has_levels(const Resource *resource)
{
    return resource->kind == RESOURCE_MIPMAPPED && resource->is.array &&
           resource->is.array->n_levels > 1;
}

static CUresult add(uint64_t *handle, const Resource *resource, const Sampling *sampling)
{
    PsPtxTexture texture = {0};
    DRIVER_ENTER;
    if (!handle || !resource || !read_resource(resource, &texture))
        return CUDA_ERROR_INVALID_VALUE;
    if (has_levels(resource) || (sampling && (sampling->flags & SRGB) != 0)) {
        driver_say_once("the program reads a texture with smaller copies, or one of sRGB, which "
                        "pipesim does not support");
        return CUDA_ERROR_NOT_SUPPORTED;
    }
    if (sampling)
        read_sampling(sampling, &texture);
    *handle = ps_card_texture_add(driver.card, &texture);
    if (!all)
        all = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
    Made *made = g_new0(Made, 1);
    made->resource = *resource;
    if (sampling)
        made->sampling = *sampling;
    g_hash_table_insert(all, g_memdup2(handle, sizeof *handle), made);
    return CUDA_SUCCESS;
}

static const Made *find(uint64_t handle)
{
    return all ? g_hash_table_lookup(all, &handle) : NULL;
}

#pragma GCC visibility push(default)

CUresult cuTexObjectCreate(uint64_t *handle, const Resource *resource, const Sampling *sampling,
                           const void *view)
{
    (void)view;
    return sampling ? add(handle, resource, sampling) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuTexObjectDestroy(uint64_t handle)
{
    DRIVER_ENTER;
    if (!ps_card_texture_remove(driver.card, handle))
        return CUDA_ERROR_INVALID_VALUE;
    g_hash_table_remove(all, &handle);
    return CUDA_SUCCESS;
}

CUresult cuTexObjectGetResourceDesc(Resource *resource, uint64_t handle)
{
    DRIVER_ENTER;
    const Made *made = find(handle);
    if (!made || !resource)
        return CUDA_ERROR_INVALID_VALUE;
    *resource = made->resource;
    return CUDA_SUCCESS;
}

CUresult cuTexObjectGetTextureDesc(Sampling *sampling, uint64_t handle)
{
    DRIVER_ENTER;
    const Made *made = find(handle);
    if (!made || !sampling)
        return CUDA_ERROR_INVALID_VALUE;
    *sampling = made->sampling;
    return CUDA_SUCCESS;
}

CUresult cuSurfObjectCreate(uint64_t *handle, const Resource *resource)
{
    return resource && resource->kind == RESOURCE_ARRAY ? add(handle, resource, NULL)
                                                        : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuSurfObjectDestroy(uint64_t handle)
{
    return cuTexObjectDestroy(handle);
}

CUresult cuSurfObjectGetResourceDesc(Resource *resource, uint64_t handle)
{
    return cuTexObjectGetResourceDesc(resource, handle);
}

#pragma GCC visibility pop
