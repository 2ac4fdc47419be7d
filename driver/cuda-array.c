/* SPDX-License-Identifier: BSD-3-Clause */
/* Entries for arrays, which lie in memory row by row. */
#include "driver/state.h"

#include <string.h>

/* Bytes of a channel in that format; 0: there is no such format. */
static gsize channel_bytes(unsigned int format)
{
    enum { UINT8 = 1, UINT16, UINT32, SINT8 = 8, SINT16, SINT32, HALF = 16, FLOAT = 32 };
    switch (format) {
    case UINT8:
    case SINT8:
        return 1;
    case UINT16:
    case SINT16:
    case HALF:
        return 2;
    case UINT32:
    case SINT32:
    case FLOAT:
        return 4;
    default:
        return 0;
    }
}

static CUresult create(CUarray *made, const CUDA_ARRAY3D_DESCRIPTOR *is)
{
    enum { ALIGN = 32 };
    GError *error = NULL;
    const gsize bytes = channel_bytes(is->format) * is->channels;
    if (!bytes || is->channels == 3 || is->channels > 4 || !is->width)
        return CUDA_ERROR_INVALID_VALUE;
    struct Array array = {.is = *is, .element = bytes};
    array.pitch = (is->width * bytes + ALIGN - 1) / ALIGN * ALIGN;
    array.piece = ps_card_memory_add(ps_card_memory(driver.card),
                                     array.pitch * MAX(is->height, 1) * MAX(is->depth, 1),
                                     PS_CARD_PLAIN, NULL, &error);
    if (!array.piece) {
        g_error_free(error);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    *made = g_memdup2(&array, sizeof array);
    return CUDA_SUCCESS;
}

static void destroy(struct Array *array)
{
    if (array->piece)
        ps_card_memory_remove(ps_card_memory(driver.card), array->piece->data);
    for (guint i = 0; i < array->n_levels; i++)
        destroy(array->levels[i]);
    g_free(array->levels);
    g_free(array);
}

#pragma GCC visibility push(default)

CUresult cuArray3DCreate_v2(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *is)
{
    DRIVER_ENTER;
    return array && is ? create(array, is) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuArrayCreate_v2(CUarray *array, const CUDA_ARRAY_DESCRIPTOR *is)
{
    if (!is)
        return CUDA_ERROR_INVALID_VALUE;
    const CUDA_ARRAY3D_DESCRIPTOR all = {
        .width = is->width, .height = is->height, .format = is->format, .channels = is->channels};
    return cuArray3DCreate_v2(array, &all);
}

CUresult cuArrayDestroy(CUarray array)
{
    DRIVER_ENTER;
    if (!array)
        return CUDA_ERROR_INVALID_HANDLE;
    destroy(array);
    return CUDA_SUCCESS;
}

CUresult cuArray3DGetDescriptor_v2(CUDA_ARRAY3D_DESCRIPTOR *is, CUarray array)
{
    DRIVER_ENTER;
    if (!array || !is)
        return CUDA_ERROR_INVALID_HANDLE;
    *is = array->is;
    return CUDA_SUCCESS;
}

CUresult cuArrayGetDescriptor_v2(CUDA_ARRAY_DESCRIPTOR *is, CUarray array)
{
    DRIVER_ENTER;
    if (!array || !is)
        return CUDA_ERROR_INVALID_HANDLE;
    *is = (CUDA_ARRAY_DESCRIPTOR){array->is.width, array->is.height, array->is.format,
                                  array->is.channels};
    return CUDA_SUCCESS;
}

/* An array with smaller ones, each half as long in every dimension. */
CUresult cuMipmappedArrayCreate(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *is, unsigned int n)
{
    CUresult result = CUDA_SUCCESS;
    DRIVER_ENTER;
    if (!array || !is || !n)
        return CUDA_ERROR_INVALID_VALUE;
    struct Array *made = g_new0(struct Array, 1);
    CUDA_ARRAY3D_DESCRIPTOR level = *is;
    made->is = *is;
    made->levels = g_new0(struct Array *, n);
    for (; made->n_levels < n && !result; made->n_levels += !result) {
        result = create(&made->levels[made->n_levels], &level);
        level.width = MAX(level.width / 2, 1);
        level.height = is->height ? MAX(level.height / 2, 1) : 0;
        level.depth =
            is->depth && !(is->flags & ARRAY_LAYERED) ? MAX(level.depth / 2, 1) : is->depth;
    }
    if (result)
        destroy(made);
    else
        *array = made;
    return result;
}

CUresult cuMipmappedArrayGetLevel(CUarray *level, CUarray array, unsigned int n)
{
    DRIVER_ENTER;
    if (!level || !array || n >= array->n_levels)
        return CUDA_ERROR_INVALID_VALUE;
    *level = array->levels[n];
    return CUDA_SUCCESS;
}

CUresult cuMipmappedArrayDestroy(CUarray array)
{
    return cuArrayDestroy(array);
}

#pragma GCC visibility pop
