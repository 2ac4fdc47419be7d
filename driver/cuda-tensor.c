/* SPDX-License-Identifier: BSD-3-Clause */
/* Entries that encode tensor maps, which kernels get as arguments or read from memory. */
#include "driver/state.h"

#include "ptx/tensor-map.h"

/* Element types in the order of CUtensorMapDataType. */
static const PsTensorElement elements[] = {
    PS_TENSOR_U8,      PS_TENSOR_U16,  PS_TENSOR_U32,     PS_TENSOR_S32, PS_TENSOR_U64,
    PS_TENSOR_S64,     PS_TENSOR_F16,  PS_TENSOR_F32,     PS_TENSOR_F64, PS_TENSOR_BF16,
    PS_TENSOR_F32_FTZ, PS_TENSOR_TF32, PS_TENSOR_TF32_FTZ};

enum { MOST_SWIZZLE = 3, MOST_INTERLEAVE = 2, FILL_NAN = 1 };

enum { NIBBLES = 13 }; /* elements of 4 bits, two in a byte */

/* FALSE: the map has a feature that pipesim's maps lack. */
static gboolean is_known(unsigned int type, unsigned int interleave, unsigned int swizzle)
{
    return type <= NIBBLES && swizzle <= MOST_SWIZZLE && interleave <= MOST_INTERLEAVE;
}

static void say_unknown(void)
{
    driver_say_once(
        "the program encodes a tensor map of elements of 4 or 6 bits with gaps, or with "
        "another swizzle than of 32, 64 and 128 bytes, which pipesim does not "
        "support");
}

#pragma GCC visibility push(default)

CUresult cuTensorMapEncodeTiled(void *to, unsigned int type, uint32_t rank, void *address,
                                const uint64_t *sizes, const uint64_t *strides, const uint32_t *box,
                                const uint32_t *steps, unsigned int interleave,
                                unsigned int swizzle, unsigned int promotion, unsigned int fill)
{
    (void)promotion;
    if (!to || !sizes || !box || !steps || rank < 1 || rank > PS_TENSOR_MAX_RANK ||
        (rank > 1 && !strides))
        return CUDA_ERROR_INVALID_VALUE;
    if (!is_known(type, interleave, swizzle)) {
        say_unknown();
        return CUDA_ERROR_NOT_SUPPORTED;
    }
    PsTensorMap map = {.address = (gsize)address,
                       .rank = rank,
                       .element = type == NIBBLES ? PS_TENSOR_U8 : elements[type],
                       .nibbles = type == NIBBLES,
                       .interleave = interleave,
                       .swizzle = swizzle == 0 ? 0 : 16U << swizzle,
                       .nan = fill == FILL_NAN};
    for (uint32_t i = 0; i < rank; i++) {
        map.size[i] = sizes[i];
        map.stride[i] = i > 0 ? strides[i - 1] : ps_tensor_element_bytes(map.element);
        map.box[i] = box[i];
        map.step[i] = steps[i];
    }
    if (map.nibbles && (sizes[0] % 2 != 0 || box[0] % 2 != 0))
        return CUDA_ERROR_INVALID_VALUE;
    if (map.nibbles) {
        map.size[0] /= 2;
        map.box[0] /= 2;
    }
    g_autofree char *wrong = ps_tensor_map_wrong(&map);
    if (wrong)
        return CUDA_ERROR_INVALID_VALUE;
    ps_tensor_map_encode(&map, to);
    return CUDA_SUCCESS;
}

/* Corners have the dimensions from 1 on, except the last. */
CUresult cuTensorMapEncodeIm2col(void *to, unsigned int type, uint32_t rank, void *address,
                                 const uint64_t *sizes, const uint64_t *strides, const int *lower,
                                 const int *upper, uint32_t channels, uint32_t pixels,
                                 const uint32_t *steps, unsigned int interleave,
                                 unsigned int swizzle, unsigned int promotion, unsigned int fill)
{
    (void)promotion;
    if (!to || !sizes || !strides || !lower || !upper || !steps || rank < 3 ||
        rank > PS_TENSOR_MAX_RANK)
        return CUDA_ERROR_INVALID_VALUE;
    if (!is_known(type, interleave, swizzle) || type == NIBBLES) {
        say_unknown();
        return CUDA_ERROR_NOT_SUPPORTED;
    }
    PsTensorMap map = {.address = (gsize)address,
                       .rank = rank,
                       .element = elements[type],
                       .interleave = interleave,
                       .swizzle = swizzle == 0 ? 0 : 16U << swizzle,
                       .nan = fill == FILL_NAN,
                       .im2col = TRUE,
                       .pixels = pixels};
    for (uint32_t i = 0; i < rank; i++) {
        map.size[i] = sizes[i];
        map.stride[i] = i > 0 ? strides[i - 1] : ps_tensor_element_bytes(map.element);
        map.box[i] = i == 0 ? channels : 1;
        map.step[i] = steps[i];
    }
    for (uint32_t i = 1; i + 1 < rank; i++) {
        map.lower[i] = lower[i - 1];
        map.upper[i] = upper[i - 1];
    }
    g_autofree char *wrong = ps_tensor_map_wrong(&map);
    if (wrong)
        return CUDA_ERROR_INVALID_VALUE;
    ps_tensor_map_encode(&map, to);
    return CUDA_SUCCESS;
}

CUresult cuTensorMapReplaceAddress(void *to, void *address)
{
    PsTensorMap map;
    if (!to)
        return CUDA_ERROR_INVALID_VALUE;
    ps_tensor_map_decode(to, &map);
    map.address = (gsize)address;
    g_autofree char *wrong = ps_tensor_map_wrong(&map);
    if (wrong)
        return CUDA_ERROR_INVALID_VALUE;
    ps_tensor_map_encode(&map, to);
    return CUDA_SUCCESS;
}

#pragma GCC visibility pop
