/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Textures and surfaces of the driver's interface. Element (x, y, z) of each array is x + 10 y +
 * 100 z, so that what a filter should give can be seen. Each line is one way to read.
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
CUresult cuMemcpy3D_v2(const CUDA_MEMCPY3D *what);
CUresult cuArray3DCreate_v2(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *is);
CUresult cuArrayDestroy(CUarray array);
CUresult cuTexObjectCreate(uint64_t *handle, const void *resource, const void *sampling,
                           const void *view);
CUresult cuTexObjectDestroy(uint64_t handle);
CUresult cuTexObjectGetResourceDesc(void *resource, uint64_t handle);
CUresult cuTexObjectGetTextureDesc(void *sampling, uint64_t handle);
CUresult cuSurfObjectCreate(uint64_t *handle, const void *resource);

enum { N = 4, DEPTH = 3, MOST = 8, UINT8 = 1, FLOAT = 32 };
enum { WRAP, CLAMP_IT, MIRROR, BORDER };
enum { READ_AS_INTEGER = 1, NORMALIZED = 2 };

/* Each thread reads at a place (x, y, z) that a buffer has, four channels. */
#define KERNEL(NAME, CODE)                                                                         \
    ".visible .entry " NAME "(.param .u64 t, .param .u64 at, .param .u64 out)\n{\n"                \
    ".reg .b64 %d<8>;\n.reg .b32 %r<8>;\n.reg .f32 %f<8>;\n"                                       \
    "ld.param.u64 %d0, [t];\nld.param.u64 %d1, [at];\nld.param.u64 %d2, [out];\n"                  \
    "mov.u32 %r0, %tid.x;\nmul.wide.u32 %d3, %r0, 16;\nadd.s64 %d4, %d1, %d3;\n"                   \
    "add.s64 %d5, %d2, %d3;\nld.global.v4.f32 {%f0,%f1,%f2,%f3}, [%d4];\n"                         \
    "cvt.rzi.s32.f32 %r1, %f0;\ncvt.rzi.s32.f32 %r2, %f1;\ncvt.rzi.s32.f32 %r3, %f2;\n"            \
    "mov.f32 %f5, 0f00000000;\nmov.f32 %f6, 0f00000000;\nmov.f32 %f7, 0f00000000;\n" CODE          \
    "\nst.global.v4.f32 [%d5], {%f4,%f5,%f6,%f7};\nret;\n}\n"
#define FOUR "{%f4,%f5,%f6,%f7}"
/* Each kernel is a literal of its own, since compilers need not take one longer than 4095 bytes. */
static const char *const ptx[] = {
    ".version 7.0\n.target sm_70\n.address_size 64\n",
    KERNEL("one", "tex.1d.v4.f32.s32 " FOUR ", [%d0, {%r1}];"),
    KERNEL("two", "tex.2d.v4.f32.f32 " FOUR ", [%d0, {%f0, %f1}];"),
    KERNEL("three", "tex.3d.v4.f32.f32 " FOUR ", [%d0, {%f0, %f1, %f2, %f2}];"),
    KERNEL("layer", "tex.a2d.v4.f32.f32 " FOUR ", [%d0, {%r3, %f0, %f1, %f1}];"),
    KERNEL("four", "tld4.r.2d.v4.f32.f32 " FOUR ", [%d0, {%f0, %f1}];"),
    KERNEL("asked", "txq.width.b32 %r1, [%d0];\ntxq.height.b32 %r2, [%d0];\n"
                    "cvt.rn.f32.u32 %f4, %r1;\ncvt.rn.f32.u32 %f5, %r2;"),
    KERNEL("whole", "tex.2d.v4.u32.f32 {%r4,%r5,%r6,%r7}, [%d0, {%f0, %f1}];\n"
                    "cvt.rn.f32.u32 %f4, %r4;"),
    KERNEL("surface", "shl.b32 %r1, %r1, 2;\n"
                      "suld.b.2d.b32.zero %r4, [%d0, {%r1, %r2}];\n"
                      "mov.b32 %f4, %r4;\nadd.f32 %f5, %f4, %f2;\nmov.b32 %r5, %f5;\n"
                      "sust.b.2d.b32.zero [%d0, {%r1, %r2}], %r5;"),
    KERNEL("beyond", "suld.b.2d.b32.trap %r4, [%d0, {%r1, %r2}];\n"
                     "mov.b32 %f4, %r4;")};

typedef struct {
    int kind;
    union {
        CUarray array;
        struct {
            CUdeviceptr at;
            unsigned int format, channels;
            size_t sizes[3];
        } memory;
        int reserved[32];
    } is;
    unsigned int flags;
} Resource;
typedef struct {
    int edge[3], linear;
    unsigned int flags, anisotropy;
    int mipmap_linear;
    float levels[3], border[4];
    int reserved[12];
} Sampling;

static CUmodule module;
static CUdeviceptr at, out;

static void check(CUresult result, const char *what)
{
    if (result) {
        printf("%s: error %d\n", what, result);
        exit(1);
    }
}
#define CHECK(CALL) check(CALL, #CALL)

static CUarray make_array(unsigned int format, unsigned int height, unsigned int depth, int layers)
{
    static float numbers[DEPTH][N][N];
    static unsigned char bytes[DEPTH][N][N];
    const int small = format == UINT8;
    const CUDA_ARRAY3D_DESCRIPTOR is = {N, height, depth, format, 1, layers ? ARRAY_LAYERED : 0};
    CUarray array;
    for (int z = 0; z < DEPTH; z++)
        for (int y = 0; y < N; y++)
            for (int x = 0; x < N; x++) {
                numbers[z][y][x] = (float)(x + 10 * y + 100 * z);
                bytes[z][y][x] = (unsigned char)(51 * x);
            }
    CHECK(cuArray3DCreate_v2(&array, &is));
    const size_t row = small ? N : N * sizeof(float);
    const CUDA_MEMCPY3D box = {{.type = MEMORY_HOST,
                                .host = small ? (void *)bytes : (void *)numbers,
                                .pitch = row,
                                .height = N},
                               {.type = MEMORY_ARRAY, .array = array},
                               row,
                               height ? height : 1,
                               depth ? depth : 1};
    CHECK(cuMemcpy3D_v2(&box));
    return array;
}

static void run(const char *name, uint64_t texture, const float (*places)[4], unsigned int n)
{
    float found[MOST][4];
    CUfunction function;
    void *params[] = {&texture, &at, &out};
    CHECK(cuModuleGetFunction(&function, module, name));
    CHECK(cuMemcpyHtoD_v2(at, places, n * sizeof *places));
    CHECK(cuLaunchKernel(function, 1, 1, 1, n, 1, 1, 0, NULL, params, NULL));
    if (cuMemcpyDtoH_v2(found, out, n * sizeof *found)) {
        puts(" failed");
        return;
    }
    for (unsigned int i = 0; i < n; i++)
        printf(" %.9g", (double)found[i][0]);
    puts("");
}

static uint64_t texture_of(const Resource *resource, int edge, int linear, unsigned int flags)
{
    const Sampling sampling = {{edge, edge, edge}, linear, flags, 0, 0, {0}, {-1, -2, -3, -4}, {0}};
    uint64_t handle;
    Resource resource_of = {0};
    Sampling sampling_of = {0};
    CHECK(cuTexObjectCreate(&handle, resource, &sampling, NULL));
    CHECK(cuTexObjectGetResourceDesc(&resource_of, handle));
    CHECK(cuTexObjectGetTextureDesc(&sampling_of, handle));
    if (memcmp(&resource_of, resource, sizeof resource_of) != 0 || sampling_of.flags != flags ||
        sampling_of.border[3] != -4)
        puts("the texture has another resource or sampling than it was made with");
    return handle;
}

static void read_2d(const Resource *plane)
{
    /* the last two lie less and more than half of a weight's last bit from an element */
    static const float places[][4] = {{1.5F, 1.5F},
                                      {2, 1.5F},
                                      {1.75F, 2.25F},
                                      {-3, 0.5F},
                                      {9, 3.5F},
                                      {1.5F + 1 / 1024.F, 1.5F},
                                      {1.5F + 1 / 512.F, 1.5F},
                                      {3.75F, 3.5F}};
    static const float parts[][4] = {
        {0.375F, 0.375F}, {1.125F, 0.125F}, {-0.125F, 0.125F}, {1.375F, 0.125F}};
    printf("point, clamp:");
    run("two", texture_of(plane, CLAMP_IT, 0, 0), places, MOST);
    printf("linear, clamp:");
    run("two", texture_of(plane, CLAMP_IT, 1, 0), places, MOST);
    printf("linear, border:");
    run("two", texture_of(plane, BORDER, 1, 0), places, MOST);
    printf("wrap:");
    run("two", texture_of(plane, WRAP, 0, NORMALIZED), parts, 4);
    printf("mirror:");
    run("two", texture_of(plane, MIRROR, 0, NORMALIZED), parts, 4);
    printf("wrap of other coordinates is clamp:");
    run("two", texture_of(plane, WRAP, 0, 0), places, MOST);
    printf("four around:");
    run("four", texture_of(plane, CLAMP_IT, 0, 0), places, 1);
    printf("size:");
    run("asked", texture_of(plane, CLAMP_IT, 0, 0), places, 1);
}

int main(void)
{
    static const float in_space[][4] = {{1.5F, 1.5F, 1.5F}, {2, 2, 2}, {0.5F, 0.5F, 2}};
    static const float layers[][4] = {{1.5F, 1.5F, 2}, {2.5F, 0.5F, 1}, {0.5F, 0.5F, 7}};
    static const float lines[][4] = {{0, 7, 8, 9}, {3}, {4}, {-1}};
    static const float cells[][4] = {{1, 2, 1000}, {3, 3, 1000}, {4, 0, 1000}, {0, -1, 1000}};
    static char code[1 << 14];
    CUcontext context;
    uint64_t surface;
    CHECK(cuInit(0));
    CHECK(cuCtxCreate_v2(&context, 0, 0));
    for (size_t i = 0; i < sizeof ptx / sizeof *ptx; i++)
        strcat(code, ptx[i]);
    CHECK(cuModuleLoadData(&module, code));
    CHECK(cuMemAlloc_v2(&at, sizeof(float[MOST][4])));
    CHECK(cuMemAlloc_v2(&out, sizeof(float[MOST][4])));
    Resource plane = {.is.array = make_array(FLOAT, N, 0, 0)};
    read_2d(&plane);
    printf("of three dimensions:");
    const Resource space = {.is.array = make_array(FLOAT, N, DEPTH, 0)};
    run("three", texture_of(&space, CLAMP_IT, 1, 0), in_space, 3);
    printf("layered:");
    const Resource layered = {.is.array = make_array(FLOAT, N, DEPTH, 1)};
    run("layer", texture_of(&layered, CLAMP_IT, 0, 0), layers, 3);
    const Resource fractions = {.is.array = make_array(UINT8, N, 0, 0)};
    printf("fractions of bytes:");
    run("two", texture_of(&fractions, CLAMP_IT, 1, 0), in_space, 2);
    printf("bytes:");
    run("whole", texture_of(&fractions, CLAMP_IT, 0, READ_AS_INTEGER), in_space, 2);
    const Resource line = {2, .is.memory = {at, FLOAT, 1, {4 * sizeof(float)}}, 0};
    printf("linear memory:");
    run("one", texture_of(&line, CLAMP_IT, 0, 0), lines, 4);
    CHECK(cuSurfObjectCreate(&surface, &plane));
    printf("surface:");
    run("surface", surface, cells, 4);
    printf("written:");
    run("surface", surface, cells, 4);
    CHECK(cuTexObjectDestroy(surface));
    printf("destroyed twice: %d\n", cuTexObjectDestroy(surface));
    CHECK(cuSurfObjectCreate(&surface, &plane));
    printf("beyond it:");
    run("beyond", surface, cells, 4);
    return 0;
}
