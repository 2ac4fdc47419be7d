/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tensor maps of the driver's interface: a kernel copies a box by a map that is its argument, of
 * which each thread reads an element. Element (x, y) of the tensor is x + 100 y.
 */
#include "driver/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

CUresult cuCtxCreate_v2(CUcontext *context, unsigned int flags, CUdevice device);
CUresult cuModuleLoadData(CUmodule *module, const void *image);
CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name);
CUresult cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t bytes);
CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t bytes);
CUresult cuTensorMapEncodeTiled(void *to, unsigned int type, uint32_t rank, void *address,
                                const uint64_t *sizes, const uint64_t *strides, const uint32_t *box,
                                const uint32_t *steps, unsigned int interleave,
                                unsigned int swizzle, unsigned int promotion, unsigned int fill);
CUresult cuTensorMapEncodeIm2col(void *to, unsigned int type, uint32_t rank, void *address,
                                 const uint64_t *sizes, const uint64_t *strides, const int *lower,
                                 const int *upper, uint32_t channels, uint32_t pixels,
                                 const uint32_t *steps, unsigned int interleave,
                                 unsigned int swizzle, unsigned int promotion, unsigned int fill);
CUresult cuTensorMapReplaceAddress(void *to, void *address);

enum { WIDTH = 16, HEIGHT = 8, BOX = 4, UINT32 = 2, PACKED = 14, ATOMS_OF_32 = 4 };

static const char ptx[] =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".visible .entry copy(.param .align 64 .b8 map[128], .param .u64 out)\n{\n"
    ".reg .b32 %r<8>; .reg .b64 %d<4>; .reg .pred %p<3>;\n"
    ".shared .align 128 .b8 box[64]; .shared .align 8 .b64 full;\n"
    "ld.param.u64 %d0, [out]; mov.b64 %d1, map; cvta.param.u64 %d1, %d1;\n"
    "mov.u32 %r0, %tid.x; mov.u32 %r1, box; mov.u32 %r2, full; setp.ne.u32 %p0, %r0, 0;\n"
    "@%p0 bra BEGUN; mbarrier.init.shared.b64 [%r2], 1;\n"
    "mbarrier.arrive.expect_tx.shared.b64 _, [%r2], 64; mov.u32 %r3, 14; mov.u32 %r4, 2;\n"
    "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r1], "
    "[%d1, {%r3, %r4}], [%r2];\n"
    "BEGUN: bar.sync 0;\n"
    "WAIT: mbarrier.try_wait.parity.shared.b64 %p1, [%r2], 0; @!%p1 bra WAIT;\n"
    "shl.b32 %r5, %r0, 2; add.u32 %r6, %r1, %r5; ld.shared.u32 %r7, [%r6];\n"
    "cvt.u64.u32 %d2, %r5; add.u64 %d2, %d0, %d2; st.global.u32 [%d2], %r7; ret;\n}\n";

/* The tensor as two lines of 16 pixels with 4 channels: four pixels, from one before the end of the
 * first line on, and each one to its right. */
static const char *const im2col[2] = {
    "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r1], "
    "[%d1, {%r3, %r4}], [%r2];\n",
    "cp.async.bulk.tensor.3d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%r1], "
    "[%d1, {0, %r3, 0}], [%r2], {1};\n"};

static void check(CUresult error, const char *what)
{
    if (error) {
        printf("%s: error %d\n", what, (int)error);
        exit(1);
    }
}
#define CHECK(CALL) check(CALL, #CALL)

static CUresult encode(void *map, CUdeviceptr at, unsigned int type, uint64_t stride,
                       unsigned int swizzle)
{
    const uint64_t sizes[2] = {WIDTH, HEIGHT};
    const uint32_t box[2] = {BOX, BOX}, steps[2] = {1, 1};
    return cuTensorMapEncodeTiled(map, type, 2, (void *)at, sizes, &stride, box, steps, 0, swizzle,
                                  2, 0);
}

static CUresult encode_im2col(void *map, CUdeviceptr at, uint32_t pixels)
{
    const uint64_t sizes[3] = {4, 16, 2}, strides[2] = {16, 256};
    const int lower[1] = {0}, upper[1] = {0};
    const uint32_t steps[3] = {1, 1, 1};
    return cuTensorMapEncodeIm2col(map, UINT32, 3, (void *)at, sizes, strides, lower, upper, 4,
                                   pixels, steps, 0, 0, 0, 0);
}

/* The same kernel with the other copy. */
static CUfunction by_im2col(void)
{
    static char text[sizeof ptx + 256];
    const char *tile = strstr(ptx, im2col[0]);
    CUmodule module;
    CUfunction function;
    snprintf(text, sizeof text, "%.*s%s%s", (int)(tile - ptx), ptx, im2col[1],
             tile + strlen(im2col[0]));
    CHECK(cuModuleLoadData(&module, text));
    CHECK(cuModuleGetFunction(&function, module, "copy"));
    return function;
}

static void run(CUfunction function, void *map, CUdeviceptr out)
{
    uint32_t found[BOX * BOX] = {0};
    void *params[] = {map, &out};
    CHECK(cuLaunchKernel(function, 1, 1, 1, BOX * BOX, 1, 1, 0, NULL, params, NULL));
    CHECK(cuMemcpyDtoH_v2(found, out, sizeof found));
    for (int i = 0; i < BOX * BOX; i++)
        printf("%s%u", i > 0 ? " " : "", found[i]);
    puts("");
}

int main(void)
{
    static uint32_t tensor[2][HEIGHT][WIDTH];
    _Alignas(64) unsigned char map[128];
    const uint64_t row = WIDTH * sizeof(uint32_t);
    CUcontext context;
    CUmodule module;
    CUfunction function;
    CUdeviceptr at, other, out;
    for (uint32_t y = 0; y < HEIGHT; y++)
        for (uint32_t x = 0; x < WIDTH; x++) {
            tensor[0][y][x] = x + 100 * y;
            tensor[1][y][x] = 5000 + x + 100 * y;
        }
    CHECK(cuInit(0));
    CHECK(cuCtxCreate_v2(&context, 0, 0));
    CHECK(cuModuleLoadData(&module, ptx));
    CHECK(cuModuleGetFunction(&function, module, "copy"));
    CHECK(cuMemAlloc_v2(&at, sizeof tensor[0]));
    CHECK(cuMemAlloc_v2(&other, sizeof tensor[0]));
    CHECK(cuMemAlloc_v2(&out, BOX * BOX * sizeof(uint32_t)));
    CHECK(cuMemcpyHtoD_v2(at, tensor[0], sizeof tensor[0]));
    CHECK(cuMemcpyHtoD_v2(other, tensor[1], sizeof tensor[1]));
    CHECK(encode(map, at, UINT32, row, 0));
    run(function, map, out);
    CHECK(cuTensorMapReplaceAddress(map, (void *)other));
    run(function, map, out);
    CHECK(encode_im2col(map, at, 4));
    run(by_im2col(), map, out);
    printf("too many pixels %d\n", (int)encode_im2col(map, at, 1025));
    printf("wrong stride %d, elements of 4 bits %d, another swizzle %d, wrong address %d\n",
           (int)encode(map, at, UINT32, row - 4, 0), (int)encode(map, at, PACKED, row, 0),
           (int)encode(map, at, UINT32, row, ATOMS_OF_32),
           (int)cuTensorMapReplaceAddress(map, (void *)(at + 4)));
    return 0;
}
