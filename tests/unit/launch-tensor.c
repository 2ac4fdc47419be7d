/* SPDX-License-Identifier: BSD-3-Clause */
/* Tensor maps as people write them. */
#include "ptx/tensor-map.h"
#include "tests/help/launch.h"

#include <string.h>

static const LaunchCase plain = {
    .params = ".param .align 64 .b8 k_param_0[128], .param .u32 k_param_1",
    .body = "mov.b64 d1, k_param_0; cvta.param.u64 d2, d1; ld.param.u32 r1, [k_param_1];"};

static void test_map(void)
{
    g_autoptr(Launched) launched = launch_with(
        plain, TEXTS("tensor:bf16:128x64:box=64x32:swizzle=128:step=1x2:nan:random", "5"));
    PsTensorMap map;
    g_assert_no_error(launched->error);
    const PsPtxArgument *value = &launched->arguments->values[0];
    g_assert_cmpuint(value->size, ==, PS_TENSOR_MAP_BYTES);
    g_assert_cmpuint(value->n_fields, ==, 1);
    g_assert_cmpuint(value->fields[0].offset, ==, 0);
    g_assert_cmpuint(value->fields[0].size, ==, 128 * 64 * 2);
    ps_tensor_map_decode(value->bytes, &map);
    g_assert_cmpuint(map.element, ==, PS_TENSOR_BF16);
    g_assert_cmpuint(map.rank, ==, 2);
    g_assert_cmpuint(map.size[0], ==, 128);
    g_assert_cmpuint(map.size[1], ==, 64);
    g_assert_cmpuint(map.stride[1], ==, 256);
    g_assert_cmpuint(map.box[0], ==, 64);
    g_assert_cmpuint(map.box[1], ==, 32);
    g_assert_cmpuint(map.step[1], ==, 2);
    g_assert_cmpuint(map.swizzle, ==, 128);
    g_assert_true(map.nan);
}

static void test_strides(void)
{
    g_autoptr(Launched) launched =
        launch_with(plain, TEXTS("tensor:u8:100x8x4:stride=112x1K:zero:8K", "5"));
    PsTensorMap map;
    g_assert_error(launched->error, PS_ERROR, PS_ERROR_USAGE); /* rows of 100 bytes */
    g_autoptr(Launched) other =
        launch_with(plain, TEXTS("tensor:u8:100x8x4:box=64x8x1:stride=112x1K:zero:8K", "5"));
    g_assert_no_error(other->error);
    ps_tensor_map_decode(other->arguments->values[0].bytes, &map);
    g_assert_cmpuint(map.stride[1], ==, 112);
    g_assert_cmpuint(map.stride[2], ==, 1024);
}

static void refused(const char *text, const char *message)
{
    g_autoptr(Launched) launched = launch_with(plain, TEXTS(text, "5"));
    g_assert_error(launched->error, PS_ERROR, PS_ERROR_USAGE);
    if (!strstr(launched->error->message, message))
        g_assert_cmpstr(launched->error->message, ==, message);
}

static void test_refused(void)
{
    refused("tensor:f16", "write tensor:TYPE:SIZE");
    refused("tensor:f17:64x64:zero", "there is no type 'f17' of a tensor's elements");
    refused("tensor:f16:64y64:zero", "'64y64' is no size of a tensor");
    refused("tensor:f16:64x64:box=64:zero", "'box=64' is no part of a tensor of 2 dimensions");
    refused("tensor:f16:64x64:swizzle=48:zero", "'swizzle=48' is no part of a tensor");
    refused("tensor:f16:64x64:swizzle=64:zero",
            "this is no tensor map, since its box has rows of 128 bytes, more than the 64 of its "
            "swizzle");
    refused("tensor:f16:64x64:box=64x64", "nothing says what the tensor holds");
    refused("tensor:f16:64x64:zero:8000", "the tensor takes 8192 bytes, and 8000 were given");
    g_autoptr(Launched) launched =
        launch_with(plain, TEXTS("1=tensor:f16:64x64:zero", "0=zero:128"));
    g_assert_error(launched->error, PS_ERROR, PS_ERROR_USAGE);
    g_assert_nonnull(strstr(launched->error->message, "this argument is no tensor map"));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/launch-tensor/map", test_map);
    g_test_add_func("/launch-tensor/strides", test_strides);
    g_test_add_func("/launch-tensor/refused", test_refused);
    return g_test_run();
}
