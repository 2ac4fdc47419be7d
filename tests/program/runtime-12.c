/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program as compilers of CUDA 12 make it: its runtime's entries have the parameters and layouts
 * of that version, and its kernel is registered before it is launched. It prints what it finds.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* ---- the runtime's interface, as documentation of CUDA 12 has it ------------------------------
 */

typedef struct {
    unsigned int x, y, z;
} dim3;

/* Fields up to those that CUDA 13 does not have, and as many bytes as all. */
typedef struct {
    char name[256], uuid[16], luid[8];
    unsigned int mask;
    size_t memory, shared;
    int registers, warp;
    size_t pitch;
    int threads, block[3], grid[3], clock;
    size_t constant;
    int major, minor;
    size_t alignment, texture_pitch;
    int overlap, units;
    char others[1032 - 384];
} Properties;

/* NOLINTBEGIN(clang-diagnostic-reserved-identifier): names that nvcc's code calls. */
void **__cudaRegisterFatBinary(const void *wrapper);
void __cudaRegisterFatBinaryEnd(void **binary);
void __cudaRegisterFunction(void **binary, const void *host, char *device, const char *name,
                            int limit, void *thread, void *block, void *block_size, void *grid_size,
                            int *warp);
/* NOLINTEND(clang-diagnostic-reserved-identifier) */
int cudaRuntimeGetVersion(int *version);
int cudaGetDeviceProperties_v2(Properties *properties, int device);
int cudaMallocManaged(void **pointer, size_t bytes, unsigned int flags);
int cudaMemAdvise(const void *pointer, size_t bytes, int advice, int device);
int cudaMemPrefetchAsync(const void *pointer, size_t bytes, int device, void *stream);
int cudaLaunchKernel(const void *host, dim3 grid, dim3 block, void **arguments, size_t shared,
                     void *stream);
int cudaStreamCreate(void **stream);
int cudaStreamBeginCapture(void *stream, int mode);
int cudaStreamGetCaptureInfo_v2(void *stream, int *status, unsigned long long *id, void **graph,
                                void *const **last, size_t *n);
int cudaStreamEndCapture(void *stream, void **graph);
int cudaGraphGetEdges(void *graph, void **from, void **to, size_t *n);
int cudaGraphInstantiate(void **made, void *graph, unsigned long long flags);
int cudaGraphLaunch(void *made, void *stream);
int cudaGraphExecDestroy(void *made);
int cudaGraphDestroy(void *graph);
int cudaStreamDestroy(void *stream);
int cudaDeviceSynchronize(void);
int cudaPointerGetAttributes(void *attributes, const void *pointer);
int cudaCreateTextureObject(unsigned long long *handle, const void *resource, const void *sampling,
                            const void *view);
int cudaGetTextureObjectResourceDesc(void *resource, unsigned long long handle);
int cudaThreadSynchronize(void);

/* ---- the kernel ------------------------------------------------------------------------------ */

static const char ptx[] = ".version 8.0\n.target sm_70\n.address_size 64\n"
                          ".visible .entry add(.param .u64 out)\n{\n"
                          ".reg .b32 %r<3>;\n.reg .b64 %d<3>;\nld.param.u64 %d0, [out];\n"
                          "mov.u32 %r0, %tid.x;\nmul.wide.u32 %d1, %r0, 4;\n"
                          "add.u64 %d0, %d0, %d1;\nld.global.u32 %r1, [%d0];\n"
                          "add.u32 %r1, %r1, 1;\nst.global.u32 [%d0], %r1;\nret;\n}\n";

/* A fat binary with that PTX. */
static struct {
    uint32_t magic;
    uint16_t version, head;
    uint64_t size;
    uint16_t kind, entry_version;
    uint32_t entry_head;
    uint64_t entry_size;
    uint32_t packed, unknown[2], target, others[2];
    uint64_t flags, unknown_too, raw;
    char text[sizeof ptx];
} fat = {.magic = 0xba55ed50,
         .version = 1,
         .head = 16,
         .size = 64 + sizeof ptx,
         .kind = 1,
         .entry_version = 0x101,
         .entry_head = 64,
         .entry_size = sizeof ptx,
         .target = 70};

static const struct {
    uint32_t magic, version;
    const void *data, *extra;
} wrapper = {0x466243b1, 1, &fat, NULL};

/* The stub, whose address stands for the kernel. */
static const char add;

static void register_kernel(void)
{
    static char name[] = "add";
    memcpy(fat.text, ptx, sizeof ptx);
    void **binary = __cudaRegisterFatBinary(&wrapper);
    __cudaRegisterFunction(binary, &add, name, name, -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterFatBinaryEnd(binary);
}

/* ---- what it does ---------------------------------------------------------------------------- */

enum { THREADS = 64, MANAGED = 1, READ_MOSTLY = 1, RELAXED = 2 };

static int launch(uint32_t *out, void *stream)
{
    void *arguments[] = {&out};
    const dim3 grid = {1, 1, 1}, block = {THREADS, 1, 1};
    return cudaLaunchKernel(&add, grid, block, arguments, 0, stream);
}

/* Two launches that are captured: one edge. */
static void capture(uint32_t *out)
{
    void *stream, *graph, *made, *from[4], *to[4], *const *last;
    int status = 0;
    unsigned long long id = 0;
    size_t nodes = 0, edges = 4;
    int wrong = cudaStreamCreate(&stream) + cudaStreamBeginCapture(stream, RELAXED) +
                launch(out, stream) + launch(out, stream) +
                cudaStreamGetCaptureInfo_v2(stream, &status, &id, &graph, &last, &nodes) +
                cudaStreamEndCapture(stream, &graph) + cudaGraphGetEdges(graph, from, to, &edges) +
                cudaGraphInstantiate(&made, graph, 0) + cudaGraphLaunch(made, stream) +
                cudaThreadSynchronize() + cudaGraphExecDestroy(made) + cudaGraphDestroy(graph) +
                cudaStreamDestroy(stream);
    printf("graph: error %d, capturing %d, last %zu, edges %zu, then %u\n", wrong, status, nodes,
           edges, out[1]);
}

/* Structures that CUDA 13 made longer: nothing behind those of CUDA 12 is written or read. */
static void structures(uint32_t *out)
{
    struct {
        int type, device;
        void *device_pointer, *host_pointer;
        char behind[64];
    } pointer = {.behind = "behind"};
    struct {
        int kind;
        void *at;
        int bits[4], format;
        size_t bytes, others[2];
        char behind[80];
    } linear = {.kind = 2, .at = out, .bits = {32}, .format = 1, .bytes = 4, .behind = "behind"},
      back = {.behind = "after"};
    char sampling[128] = {0};
    unsigned long long handle = 0;
    memset(linear.behind, 1, sizeof linear.behind);
    const int asked = cudaPointerGetAttributes(&pointer, out),
              made = cudaCreateTextureObject(&handle, &linear, sampling, NULL),
              got = cudaGetTextureObjectResourceDesc(&back, handle);
    printf("pointer: %d, type %d, %s; texture: %d %d, bytes %zu, %s\n", asked, pointer.type,
           pointer.behind, made, got, back.bytes, back.behind);
}

int main(void)
{
    Properties properties;
    uint32_t *out = NULL;
    int version = 0;
    register_kernel();
    cudaRuntimeGetVersion(&version);
    const int told = cudaGetDeviceProperties_v2(&properties, 0);
    printf("version %d, properties %d: sm_%d%d, %d units, warps of %d, clock %d\n", version, told,
           properties.major, properties.minor, properties.units, properties.warp,
           properties.clock > 0);
    const int made = cudaMallocManaged((void **)&out, THREADS * sizeof *out, MANAGED);
    const int hints = cudaMemAdvise(out, 4, READ_MOSTLY, 0) + cudaMemPrefetchAsync(out, 4, 0, NULL);
    const int launched = launch(out, NULL), waited = cudaDeviceSynchronize();
    printf("launch: %d %d %d %d, then %u\n", made, hints, launched, waited, out[1]);
    capture(out);
    structures(out);
    return 0;
}
