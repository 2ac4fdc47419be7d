/* SPDX-License-Identifier: BSD-3-Clause */
/* See tensor-map.h. All words are little-endian. */
#include "ptx/tensor-map.h"
#include <string.h>

/* Bytes of the fields' words. */
enum {
    ADDRESS = 0,
    KINDS = 8,
    STRIDES = 12,
    HIGH = 28,
    SIZES = 32,
    STEPS = 52,
    BOXES = 55,
    IM2COL = 64,
    PIXELS = 68,
    CORNERS = 72
};

#define IM2COL_WORD 0x6c6f6332U /* marks a map of pipesim's own for im2col */

/* Bits in the word of kinds. */
enum {
    RANK_AT = 4,
    ELEMENT_AT = 7,
    INTERLEAVE_AT = 11,
    SWIZZLE_AT = 13,
    NAN_AT = 15,
    TF32_AT = 16
};

static const struct {
    const char *names[3];
    guint bytes;
} elements[PS_TENSOR_N_ELEMENTS] = {
    [PS_TENSOR_U8] = {{"u8", "uint8", "fp8"}, 1},
    [PS_TENSOR_U16] = {{"u16", "uint16", NULL}, 2},
    [PS_TENSOR_U32] = {{"u32", "uint32", NULL}, 4},
    [PS_TENSOR_S32] = {{"s32", "int32", NULL}, 4},
    [PS_TENSOR_U64] = {{"u64", "uint64", NULL}, 8},
    [PS_TENSOR_S64] = {{"s64", "int64", NULL}, 8},
    [PS_TENSOR_F16] = {{"f16", "fp16", "float16"}, 2},
    [PS_TENSOR_F32] = {{"f32", "fp32", "float32"}, 4},
    [PS_TENSOR_F32_FTZ] = {{"f32.ftz", NULL, NULL}, 4},
    [PS_TENSOR_F64] = {{"f64", "fp64", "float64"}, 8},
    [PS_TENSOR_BF16] = {{"bf16", "bfloat16", NULL}, 2},
    [PS_TENSOR_TF32] = {{"tf32", NULL, NULL}, 4},
    [PS_TENSOR_TF32_FTZ] = {{"tf32.ftz", NULL, NULL}, 4},
};

guint ps_tensor_element_bytes(PsTensorElement element)
{
    return elements[element].bytes;
}

gboolean ps_tensor_element_called(const char *name, PsTensorElement *element)
{
    for (guint i = 0; i < PS_TENSOR_N_ELEMENTS; i++)
        for (guint k = 0; k < G_N_ELEMENTS(elements[i].names); k++)
            if (g_strcmp0(elements[i].names[k], name) == 0) {
                *element = (PsTensorElement)i;
                return TRUE;
            }
    return FALSE;
}

static void put_word(guint8 *at, guint64 word, guint bytes)
{
    for (guint i = 0; i < bytes; i++)
        at[i] = (guint8)(word >> 8 * i);
}

static guint64 get_word(const guint8 *at, guint bytes)
{
    guint64 word = 0;
    for (guint i = 0; i < bytes; i++)
        word |= (guint64)at[i] << 8 * i;
    return word;
}

#define NIBBLES 11U /* the code of elements of 4 bits, as tensormap.replace numbers it */

/* Tf32 is f32 with a bit of its own. */
static guint32 element_bits(const PsTensorMap *map)
{
    const PsTensorElement element = map->element;
    if (map->nibbles)
        return NIBBLES << ELEMENT_AT;
    const gboolean tf32 = element >= PS_TENSOR_TF32;
    const guint code = tf32 ? (guint)element - PS_TENSOR_TF32 + PS_TENSOR_F32 : (guint)element;
    return (guint32)code << ELEMENT_AT | (guint32)tf32 << TF32_AT;
}

void ps_tensor_map_encode(const PsTensorMap *map, guint8 bytes[PS_TENSOR_MAP_BYTES])
{
    const guint swizzle = map->swizzle == 0 ? 0 : (guint)__builtin_ctz(map->swizzle) - 4;
    guint64 high = 0, steps = 0;
    memset(bytes, 0, PS_TENSOR_MAP_BYTES);
    put_word(bytes + ADDRESS, map->address, 8);
    put_word(bytes + KINDS,
             (map->rank - 1) << RANK_AT | element_bits(map) | map->interleave << INTERLEAVE_AT |
                 swizzle << SWIZZLE_AT | (guint)(map->nan != 0) << NAN_AT,
             4);
    for (guint i = 0; i + 1 < map->rank; i++) {
        put_word(bytes + STRIDES + 4 * i, map->stride[i + 1] >> 4 & G_MAXUINT32, 4);
        high |= (map->stride[i + 1] >> 36 & 15) << 4 * i;
    }
    put_word(bytes + HIGH, high, 4);
    for (guint i = 0; i < map->rank; i++) {
        const guint each = map->nibbles && i == 0 ? 2 : 1;
        put_word(bytes + SIZES + 4 * i, map->size[i] * each - 1, 4);
        steps |= (guint64)(map->step[i] - 1) << 3 * i;
        bytes[BOXES + i] = (guint8)(map->box[i] * each - 1);
    }
    put_word(bytes + STEPS, steps, 3);
    if (!map->im2col)
        return;
    put_word(bytes + IM2COL, IM2COL_WORD, 4);
    put_word(bytes + PIXELS, map->pixels, 4);
    for (guint i = 1; i + 1 < map->rank; i++) {
        put_word(bytes + CORNERS + 4 * i, (guint64)map->lower[i], 2);
        put_word(bytes + CORNERS + 4 * i + 2, (guint64)map->upper[i], 2);
    }
}

void ps_tensor_map_decode(const guint8 bytes[PS_TENSOR_MAP_BYTES], PsTensorMap *map)
{
    const guint64 kinds = get_word(bytes + KINDS, 4), high = get_word(bytes + HIGH, 4);
    const guint code = kinds >> ELEMENT_AT & 15, swizzle = kinds >> SWIZZLE_AT & 3;
    const gboolean tf32 =
        (kinds >> TF32_AT & 1) != 0 && (code == PS_TENSOR_F32 || code == PS_TENSOR_F32_FTZ);
    *map = (PsTensorMap){.address = get_word(bytes + ADDRESS, 8),
                         .rank = (kinds >> RANK_AT & 7) + 1,
                         .element =
                             (PsTensorElement)(tf32 ? code + PS_TENSOR_TF32 - PS_TENSOR_F32 : code),
                         .interleave = kinds >> INTERLEAVE_AT & 3,
                         .swizzle = swizzle == 0 ? 0 : 16U << swizzle,
                         .nan = (kinds >> NAN_AT & 1) != 0};
    for (guint i = 0; i < PS_TENSOR_MAX_RANK; i++) {
        map->size[i] = get_word(bytes + SIZES + 4 * i, 4) + 1;
        map->box[i] = bytes[BOXES + i] + 1U;
        map->step[i] = (guint)(get_word(bytes + STEPS, 3) >> 3 * i & 7) + 1;
        if (i > 0)
            map->stride[i] =
                get_word(bytes + STRIDES + 4 * (i - 1), 4) << 4 | (high >> 4 * (i - 1) & 15) << 36;
    }
    map->im2col = get_word(bytes + IM2COL, 4) == IM2COL_WORD;
    for (guint i = 1; map->im2col && i < PS_TENSOR_MAX_RANK; i++) {
        map->lower[i] = (gint16)get_word(bytes + CORNERS + 4 * i, 2);
        map->upper[i] = (gint16)get_word(bytes + CORNERS + 4 * i + 2, 2);
    }
    if (map->im2col)
        map->pixels = (guint)get_word(bytes + PIXELS, 4);
    map->nibbles = code == NIBBLES;
    if (map->nibbles) {
        map->element = PS_TENSOR_U8;
        map->size[0] /= 2;
        map->box[0] /= 2;
    }
    if (map->element < PS_TENSOR_N_ELEMENTS)
        map->stride[0] = elements[map->element].bytes;
}

static char *wrong_dimension(const PsTensorMap *map, guint i)
{
    if (i > 0 && map->stride[i] % 16 != 0)
        return g_strdup_printf("its stride of dimension %u is %" G_GUINT64_FORMAT
                               " bytes, which is no multiple of 16",
                               i, map->stride[i]);
    if (map->box[i] < 1 || map->box[i] > 256)
        return g_strdup_printf("its box has %u elements in dimension %u; it may have 1 to 256",
                               map->box[i], i);
    if (map->step[i] < 1 || map->step[i] > 8)
        return g_strdup_printf("its step is %u in dimension %u; it may be 1 to 8", map->step[i], i);
    if (map->size[i] < 1 || map->size[i] > (guint64)1 << 32)
        return g_strdup_printf("it has %" G_GUINT64_FORMAT " elements in dimension %u",
                               map->size[i], i);
    return NULL;
}

/* The reason why a map for im2col is wrong, besides the reasons for any map. */
static char *wrong_im2col(const PsTensorMap *map)
{
    static const gint most[] = {[3] = 1 << 15, [4] = 1 << 7, [5] = 1 << 4}; /* by the number of
                                                                               dimensions */
    if (map->rank < 3)
        return g_strdup_printf("it is for im2col and has %u dimensions; there may be 3 to 5",
                               map->rank);
    if (map->pixels < 1 || map->pixels > 1024)
        return g_strdup_printf("it copies %u pixels; there may be 1 to 1024", map->pixels);
    for (guint i = 1; i + 1 < map->rank; i++)
        if (MIN(map->lower[i], map->upper[i]) < -most[map->rank] ||
            MAX(map->lower[i], map->upper[i]) >= most[map->rank])
            return g_strdup_printf("its corners are %d and %d in dimension %u; of %u dimensions "
                                   "they may be %d to %d",
                                   map->lower[i], map->upper[i], i, map->rank, -most[map->rank],
                                   most[map->rank] - 1);
    return NULL;
}

char *ps_tensor_map_wrong(const PsTensorMap *map)
{
    if (map->rank < 1 || map->rank > PS_TENSOR_MAX_RANK)
        return g_strdup_printf("it has %u dimensions; there may be 1 to 5", map->rank);
    if (map->element >= PS_TENSOR_N_ELEMENTS)
        return g_strdup_printf("its elements are of no known type (%u)", map->element);
    if (map->address % 16 != 0)
        return g_strdup_printf("its address 0x%" G_GINT64_MODIFIER "x is no multiple of 16",
                               map->address);
    for (guint i = 0; i < map->rank; i++) {
        char *wrong = wrong_dimension(map, i);
        if (wrong)
            return wrong;
    }
    char *corners = map->im2col ? wrong_im2col(map) : NULL;
    if (corners)
        return corners;
    const guint inner =
        (map->box[0] + map->step[0] - 1) / map->step[0] * elements[map->element].bytes;
    if (inner % 16 != 0)
        return g_strdup_printf("its box has rows of %u bytes, which is no multiple of 16", inner);
    if (map->swizzle > 0 && inner > map->swizzle)
        return g_strdup_printf("its box has rows of %u bytes, more than the %u of its swizzle",
                               inner, map->swizzle);
    return NULL;
}
