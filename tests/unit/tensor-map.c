/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tensor maps: bytes and fields. The bytes are what ptxas makes of tensormap.replace: it says which
 * bits of which word it writes.
 */
#include "ptx/tensor-map.h"
#include <string.h>

static const PsTensorMap plain = {.address = 0x123456789ab0,
                                  .rank = 5,
                                  .element = PS_TENSOR_BF16,
                                  .interleave = 1,
                                  .swizzle = 64,
                                  .nan = TRUE,
                                  .size = {100, 90, 80, 70, 60},
                                  .stride = {2, 0x1234567890, 0xf000000010, 32, 48},
                                  .box = {256, 2, 3, 4, 5},
                                  .step = {1, 2, 3, 4, 8}};

static guint32 word(const guint8 *bytes, guint at)
{
    guint32 result;
    memcpy(&result, bytes + at, sizeof result);
    return GUINT32_FROM_LE(result);
}

static void test_bytes(void)
{
    guint8 bytes[PS_TENSOR_MAP_BYTES];
    ps_tensor_map_encode(&plain, bytes);
    g_assert_cmphex(word(bytes, 0), ==, 0x56789ab0);
    g_assert_cmphex(word(bytes, 4), ==, 0x1234);
    g_assert_cmphex(word(bytes, 8), ==, 4 << 4 | 10 << 7 | 1 << 11 | 2 << 13 | 1 << 15);
    g_assert_cmphex(word(bytes, 0xc), ==, 0x23456789);
    g_assert_cmphex(word(bytes, 0x10), ==, 1);
    g_assert_cmphex(word(bytes, 0x1c), ==, 0x1 | 0xf << 4);
    g_assert_cmphex(word(bytes, 0x20), ==, 99);
    g_assert_cmphex(word(bytes, 0x30), ==, 59);
    g_assert_cmphex(word(bytes, 0x34), ==, 255U << 24 | 1 << 3 | 2 << 6 | 3 << 9 | 7 << 12);
    g_assert_cmphex(word(bytes, 0x38), ==, 0x04030201);
}

static void test_both_ways(void)
{
    for (guint element = 0; element < PS_TENSOR_N_ELEMENTS; element++) {
        guint8 bytes[PS_TENSOR_MAP_BYTES], again[PS_TENSOR_MAP_BYTES];
        PsTensorMap map = plain, back;
        map.element = (PsTensorElement)element;
        map.stride[0] = ps_tensor_element_bytes(map.element);
        map.rank = element % 5 + 1;
        map.swizzle = element % 4 == 0 ? 0 : 16U << element % 4;
        ps_tensor_map_encode(&map, bytes);
        ps_tensor_map_decode(bytes, &back);
        g_assert_cmpuint(back.element, ==, map.element);
        g_assert_cmpuint(back.rank, ==, map.rank);
        g_assert_cmpuint(back.swizzle, ==, map.swizzle);
        g_assert_cmpuint(back.stride[0], ==, map.stride[0]);
        ps_tensor_map_encode(&back, again);
        g_assert_cmpmem(bytes, sizeof bytes, again, sizeof again);
    }
}

/* Elements of 4 bits: the fields count each of the two in a byte. */
static void test_nibbles(void)
{
    const PsTensorMap map = {.rank = 2,
                             .element = PS_TENSOR_U8,
                             .nibbles = TRUE,
                             .size = {256, 512},
                             .stride = {1, 256},
                             .box = {64, 128},
                             .step = {1, 1}};
    guint8 bytes[PS_TENSOR_MAP_BYTES];
    PsTensorMap again;
    ps_tensor_map_encode(&map, bytes);
    g_assert_cmpuint(bytes[32] | bytes[33] << 8, ==, 511);
    g_assert_cmpuint(bytes[55], ==, 127);
    g_assert_cmpuint((bytes[8] | bytes[9] << 8) >> 7 & 15, ==, 11); /* as ptxas makes type 13 */
    ps_tensor_map_decode(bytes, &again);
    g_assert_true(again.nibbles);
    g_assert_cmpint(again.element, ==, PS_TENSOR_U8);
    g_assert_cmpuint(again.size[0], ==, 256);
    g_assert_cmpuint(again.box[0], ==, 64);
    g_assert_cmpuint(again.stride[0], ==, 1);
}

static void wrong(PsTensorMap map, const char *expected)
{
    g_autofree char *text = ps_tensor_map_wrong(&map);
    g_assert_cmpstr(text, ==, expected);
}

static void test_wrong(void)
{
    PsTensorMap map = {.rank = 2,
                       .element = PS_TENSOR_F16,
                       .swizzle = 128,
                       .size = {64, 64},
                       .stride = {2, 128},
                       .box = {64, 8},
                       .step = {1, 1}};
    wrong(map, NULL);
    PsTensorMap other = map;
    other.stride[1] = 136;
    wrong(other, "its stride of dimension 1 is 136 bytes, which is no multiple of 16");
    other.stride[1] = 0; /* of batches that are all the same, or of one */
    wrong(other, NULL);
    other = map;
    other.box[1] = 257;
    wrong(other, "its box has 257 elements in dimension 1; it may have 1 to 256");
    other = map;
    other.box[0] = 4;
    wrong(other, "its box has rows of 8 bytes, which is no multiple of 16");
    other = map;
    other.swizzle = 64;
    wrong(other, "its box has rows of 128 bytes, more than the 64 of its swizzle");
    other = map;
    other.step[1] = 9;
    wrong(other, "its step is 9 in dimension 1; it may be 1 to 8");
    other = map;
    other.address = 8;
    wrong(other, "its address 0x8 is no multiple of 16");
    other = map;
    other.rank = 6;
    wrong(other, "it has 6 dimensions; there may be 1 to 5");
}

static void test_names(void)
{
    PsTensorElement element;
    g_assert_true(ps_tensor_element_called("fp16", &element));
    g_assert_cmpuint(element, ==, PS_TENSOR_F16);
    g_assert_true(ps_tensor_element_called("bf16", &element));
    g_assert_cmpuint(ps_tensor_element_bytes(element), ==, 2);
    g_assert_false(ps_tensor_element_called("f17", &element));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/tensor-map/bytes", test_bytes);
    g_test_add_func("/tensor-map/both-ways", test_both_ways);
    g_test_add_func("/tensor-map/wrong", test_wrong);
    g_test_add_func("/tensor-map/names", test_names);
    g_test_add_func("/tensor-map/nibbles", test_nibbles);
    return g_test_run();
}
