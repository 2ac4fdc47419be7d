/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program of the driver's interface, which needs no compiler of CUDA's: its kernels are PTX. The
 * first argument says what it does; "ok" and what it found are its last line.
 */
#include "driver/cuda.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

CUresult cuModuleLoadData(CUmodule *module, const void *image);
CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name);
CUresult cuModuleGetGlobal_v2(CUdeviceptr *pointer, size_t *bytes, CUmodule module,
                              const char *name);
CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t bytes);
CUresult cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t bytes);
CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t bytes, CUstream stream);
CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t bytes, CUstream stream);
CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream);
CUresult cuMemcpy3D_v2(const CUDA_MEMCPY3D *what);
CUresult cuMemsetD2D8_v2(CUdeviceptr to, size_t pitch, unsigned char value, size_t width,
                         size_t height);
CUresult cuMemCreate(uint64_t *handle, size_t bytes, const void *properties, uint64_t flags);
CUresult cuGetProcAddress_v2(const char *name, void **address, int version, uint64_t flags,
                             int *status);
CUresult cuGetExportTable(const void **table, const CUuuid *id);
CUresult cuFuncSetAttribute(CUfunction function, int attribute, int value);
CUresult cuImportExternalMemory(void **memory, const void *what);

enum { N = 1000, BLOCK = 128 };

/* y[i] = scale * x[i] + y[i] for i below n; counted adds 1 to a variable by each thread. */
static const char ptx[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".const .align 4 .f32 scale;\n"
    ".global .align 4 .u32 seen = 7;\n"
    ".visible .entry saxpy(.param .u32 n, .param .u64 x, .param .u64 y)\n{\n"
    ".reg .pred %p;\n.reg .b32 %r<6>;\n.reg .f32 %f<4>;\n.reg .b64 %d<6>;\n"
    "ld.param.u32 %r0, [n];\nld.param.u64 %d0, [x];\nld.param.u64 %d1, [y];\n"
    "cvta.to.global.u64 %d0, %d0;\ncvta.to.global.u64 %d1, %d1;\n"
    "mov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %ntid.x;\nmov.u32 %r3, %tid.x;\n"
    "mad.lo.s32 %r4, %r1, %r2, %r3;\nsetp.ge.s32 %p, %r4, %r0;\n@%p bra END;\n"
    "mul.wide.s32 %d2, %r4, 4;\nadd.s64 %d3, %d0, %d2;\nadd.s64 %d4, %d1, %d2;\n"
    "ld.global.f32 %f0, [%d3];\nld.global.f32 %f1, [%d4];\nld.const.f32 %f2, [scale];\n"
    "fma.rn.f32 %f3, %f0, %f2, %f1;\nst.global.f32 [%d4], %f3;\nEND:\nret;\n}\n"
    ".visible .entry counted()\n{\n.reg .b32 %r<2>;\n"
    "atom.global.add.u32 %r0, [seen], 1;\nret;\n}\n";

/* A kernel for each thing that a thread can do wrong. */
static const char wrong[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .entry misaligned(.param .u64 x)\n{\n.reg .b64 %d;\n.reg .b32 %r;\n"
    "ld.param.u64 %d, [x];\nld.global.u32 %r, [%d+2];\nst.global.u32 [%d], %r;\nret;\n}\n"
    ".visible .entry trapped(.param .u64 x)\n{\ntrap;\nret;\n}\n"
    ".visible .entry shared(.param .u64 x)\n{\n.shared .b32 s[4];\n.reg .b32 %r;\n"
    "ld.shared.u32 %r, [s+4096];\nst.shared.u32 [s], %r;\nret;\n}\n"
    ".visible .entry endless(.param .u64 x)\n{\n.reg .b32 %r;\nmov.u32 %r, 0;\n"
    "L:\nadd.u32 %r, %r, 1;\nbra L;\n}\n"
    ".visible .entry small(.param .u64 x)\n.maxntid 32, 1, 1\n{\nret;\n}\n";

static const char newer[] = ".version 8.0\n.target sm_90\n.address_size 64\n"
                            ".visible .entry none()\n{\nret;\n}\n";

static void check(CUresult result, const char *what)
{
    const char *name = NULL;
    if (!result)
        return;
    cuGetErrorName(result, &name);
    printf("%s: %s\n", what, name ? name : "?");
    exit(1);
}

typedef struct {
    CUmodule module;
    CUfunction saxpy, counted;
    CUdeviceptr x, y;
    float host[N];
} Work;

static void begin(Work *work)
{
    CUcontext context;
    check(cuInit(0), "cuInit");
    check(cuDevicePrimaryCtxRetain(&context, 0), "cuDevicePrimaryCtxRetain");
    check(cuCtxSetCurrent(context), "cuCtxSetCurrent");
    check(cuModuleLoadData(&work->module, ptx), "cuModuleLoadData");
    check(cuModuleGetFunction(&work->saxpy, work->module, "saxpy"), "cuModuleGetFunction");
    check(cuModuleGetFunction(&work->counted, work->module, "counted"), "cuModuleGetFunction");
    check(cuMemAlloc_v2(&work->x, sizeof work->host), "cuMemAlloc");
    check(cuMemAlloc_v2(&work->y, sizeof work->host), "cuMemAlloc");
    for (int i = 0; i < N; i++)
        work->host[i] = (float)i;
    check(cuMemcpyHtoD_v2(work->x, work->host, sizeof work->host), "cuMemcpyHtoD");
}

static void set_scale(const Work *work, float scale)
{
    CUdeviceptr at;
    size_t bytes;
    check(cuModuleGetGlobal_v2(&at, &bytes, work->module, "scale"), "cuModuleGetGlobal");
    check(bytes == sizeof scale ? 0 : 1, "the size of scale");
    check(cuMemcpyHtoD_v2(at, &scale, sizeof scale), "cuMemcpyHtoD");
}

static CUresult launch(const Work *work, int n, int groups)
{
    CUdeviceptr x = work->x, y = work->y;
    void *params[] = {&n, &x, &y};
    return cuLaunchKernel(work->saxpy, (unsigned int)groups, 1, 1, BLOCK, 1, 1, 0, NULL, params,
                          NULL);
}

/* Launches with pointers to parameters and with all of them packed, a constant that changes between
 * them, a variable that kernels count in; events that tell the time. */
static void run(Work *work)
{
    struct {
        int n;
        CUdeviceptr x, y;
    } packed = {N, work->x, work->y};
    size_t size = sizeof packed, bytes;
    void *extra[] = {LAUNCH_PARAM_BUFFER_POINTER, &packed, LAUNCH_PARAM_BUFFER_SIZE, &size,
                     LAUNCH_PARAM_END};
    CUevent events[2];
    CUdeviceptr at;
    unsigned int seen;
    float milliseconds;
    for (int i = 0; i < 2; i++)
        check(cuEventCreate(&events[i], 0), "cuEventCreate");
    set_scale(work, 2);
    check(launch(work, N, (N + BLOCK - 1) / BLOCK), "cuLaunchKernel");
    set_scale(work, 10);
    check(cuEventRecord(events[0], NULL), "cuEventRecord");
    check(cuLaunchKernel(work->saxpy, (N + BLOCK - 1) / BLOCK, 1, 1, BLOCK, 1, 1, 0, NULL, NULL,
                         extra),
          "cuLaunchKernel");
    check(cuEventRecord(events[1], NULL), "cuEventRecord");
    check(cuLaunchKernel(work->counted, 3, 1, 1, 32, 1, 1, 0, NULL, NULL, NULL), "cuLaunchKernel");
    check(cuCtxSynchronize(), "cuCtxSynchronize");
    check(cuEventElapsedTime(&milliseconds, events[0], events[1]), "cuEventElapsedTime");
    for (int i = 0; i < 2; i++)
        check(cuEventDestroy_v2(events[i]), "cuEventDestroy");
    check(cuModuleGetGlobal_v2(&at, &bytes, work->module, "seen"), "cuModuleGetGlobal");
    check(cuMemcpyDtoH_v2(&seen, at, sizeof seen), "cuMemcpyDtoH");
    check(cuMemcpyDtoH_v2(work->host, work->y, sizeof work->host), "cuMemcpyDtoH");
    for (int i = 0; i < N; i++)
        if (work->host[i] != 12 * (float)i) {
            printf("y[%d] is %g\n", i, (double)work->host[i]);
            exit(1);
        }
    printf("ok %u %s\n", seen, milliseconds > 0.0005f && milliseconds < 1 ? "timed" : "untimed");
}

static void print_error(const char *what, CUresult result)
{
    const char *name = "?";
    cuGetErrorName(result, &name);
    printf("%s %s\n", what, name);
}

/* A box of two planes of three rows of four bytes is taken out of planes of five rows of eight, and
 * put where planes have four rows: the sum of what comes, by its place. */
static void boxes(Work *work)
{
    unsigned char from[120], to[64] = {0};
    CUDA_MEMCPY3D box = {
        .from =
            {.x = 2, .y = 1, .z = 1, .type = MEMORY_HOST, .host = from, .pitch = 8, .height = 5},
        .to = {.type = MEMORY_DEVICE, .device = work->x, .pitch = 4, .height = 4},
        .width = 4,
        .height = 3,
        .depth = 2};
    unsigned int sum = 0;
    for (unsigned int i = 0; i < sizeof from; i++)
        from[i] = (unsigned char)(i + 1);
    check(cuMemsetD2D8_v2(work->x, 8, 0, 8, 8), "cuMemsetD2D8");
    check(cuMemcpy3D_v2(&box), "cuMemcpy3D");
    check(cuMemcpyDtoH_v2(to, work->x, sizeof to), "cuMemcpyDtoH");
    for (unsigned int i = 0; i < sizeof to; i++)
        sum += i * to[i];
    printf("box %u\n", sum);
}

/* What the driver says to calls that cannot be. */
static void errors(Work *work)
{
    enum { MOST_SHARED = 8 }; /* an A100 gives a group 163 KB */
    CUlaunchAttribute pair = {.id = ATTRIBUTE_CLUSTER, .value.cluster = {2, 1, 1}};
    const CUlaunchConfig clusters = {
        .grid = {3, 1, 1}, .block = {BLOCK, 1, 1}, .attributes = &pair, .n_attributes = 1};
    CUdeviceptr pointer;
    CUmodule module;
    CUfunction function;
    const void *table;
    const CUuuid of_runtime = {"\x6b\xd5\xfb\x6c\x5b\xf4\xe7\x4a\x89\x87\xd9\x39\x12\xfd\x9d\xf9"};
    void *memory, *address;
    uint64_t handle;
    int status = 0, *nowhere = NULL;
    print_error("memory", cuMemAlloc_v2(&pointer, (size_t)1 << 45));
    print_error("function", cuModuleGetFunction(&function, work->module, "gone"));
    print_error("newer", cuModuleLoadData(&module, newer));
    print_error("image", cuModuleLoadData(&module, "no code at all"));
    print_error("block", cuLaunchKernel(work->saxpy, 1, 1, 1, 2048, 1, 1, 0, NULL, NULL, NULL));
    print_error("shared", cuFuncSetAttribute(work->saxpy, MOST_SHARED, 163 * 1024));
    print_error("shared", cuFuncSetAttribute(work->saxpy, MOST_SHARED, 163 * 1024 + 1));
    print_error("clusters", cuLaunchKernelEx(&clusters, work->saxpy, NULL, NULL));
    print_error("beyond", cuMemcpyDtoH_v2(work->host, work->y + 8, sizeof work->host));
    print_error("rows", cuMemsetD2D8_v2(work->y + sizeof work->host - 8, 16, 0, 16, 1));
    print_error("pieces", cuMemCreate(&handle, (size_t)1 << 20, "", 0));
    boxes(work);
    print_error("free", cuMemFree_v2((CUdeviceptr)(size_t)&nowhere));
    print_error("external", cuImportExternalMemory(&memory, NULL));
    print_error("external", cuImportExternalMemory(&memory, NULL));
    print_error("table", cuGetExportTable(&table, &of_runtime));
    cuGetProcAddress_v2("cuMemAlloc", &address, 13000, 0, &status);
    printf("address %d %d\n", address == (void *)(size_t)&cuMemAlloc_v2, status);
    cuGetProcAddress_v2("cuNothing", &address, 13000, 0, &status);
    printf("address %d %d\n", address != NULL, status);
    cuGetProcAddress_v2("cuCtxGetDevice", &address, 1000, 0, &status);
    printf("address %d %d\n", address != NULL, status);
}

/* What a kernel of `wrong` does wrong is told by all later calls. */
static void fault(const Work *work, const char *name)
{
    CUmodule module;
    CUfunction function;
    CUdeviceptr x = work->x;
    void *params[] = {&x};
    check(cuModuleLoadData(&module, wrong), "cuModuleLoadData");
    check(cuModuleGetFunction(&function, module, name), "cuModuleGetFunction");
    print_error("launch", cuLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, NULL, params, NULL));
    print_error("synchronize", cuCtxSynchronize());
    print_error("copy", cuMemcpyHtoD_v2(x, work->host, sizeof work->host));
}

/* ---- times of copies ------------------------------------------------------------------------ */

/* Microseconds until what the stream was given is done. */
static double until(CUevent begin, CUstream stream)
{
    CUevent end;
    float milliseconds = 0;
    check(cuEventCreate(&end, 0), "cuEventCreate");
    check(cuEventRecord(end, stream), "cuEventRecord");
    check(cuEventElapsedTime(&milliseconds, begin, end), "cuEventElapsedTime");
    check(cuEventDestroy_v2(end), "cuEventDestroy");
    return (double)milliseconds * 1000;
}

/* Each line: when it is done, and what a stream that waits for nothing but the host does not begin
 * before. */
static void copies(const Work *work)
{
    enum { BYTES = 1 << 20 };
    CUstream one, two, third;
    CUevent begin, sent;
    CUdeviceptr there, other;
    void *pinned, *own = malloc(BYTES);
    check(cuStreamCreateWithPriority(&one, 1, 0), "cuStreamCreateWithPriority");
    check(cuStreamCreateWithPriority(&two, 1, 0), "cuStreamCreateWithPriority");
    check(cuStreamCreateWithPriority(&third, 1, 0), "cuStreamCreateWithPriority");
    check(cuEventCreate(&begin, 0), "cuEventCreate");
    check(cuMemAlloc_v2(&there, BYTES), "cuMemAlloc");
    check(cuMemAlloc_v2(&other, BYTES), "cuMemAlloc");
    check(cuMemHostAlloc(&pinned, BYTES, 0), "cuMemHostAlloc");
    memset(pinned, 1, BYTES);
    memset(own, 1, BYTES);
    check(launch(work, N, 8), "cuLaunchKernel");
    check(cuCtxSynchronize(), "cuCtxSynchronize");
    check(cuEventRecord(begin, third), "cuEventRecord");
    check(cuMemcpyHtoDAsync_v2(there, pinned, BYTES, one), "to the device");
    printf("to the device %.0f, host %.0f\n", until(begin, one), until(begin, third));
    check(cuMemcpyHtoDAsync_v2(other, pinned, BYTES, two), "to the device");
    printf("one after the other %.0f\n", until(begin, two));
    check(cuMemcpyDtoHAsync_v2(pinned, there, BYTES, one), "to the host");
    printf("beside it %.0f\n", until(begin, one));
    check(cuMemcpyDtoDAsync_v2(other, there, BYTES, one), "on the device");
    printf("on the device %.1f, host %.0f\n", until(begin, one), until(begin, third));
    check(cuEventCreate(&sent, 0), "cuEventCreate");
    check(cuEventRecord(sent, one), "cuEventRecord");
    check(cuStreamWaitEvent(third, sent, 0), "cuStreamWaitEvent");
    printf("behind it %.1f\n", until(begin, third));
    check(cuEventDestroy_v2(sent), "cuEventDestroy");
    check(cuMemcpyHtoDAsync_v2(there, own, BYTES, one), "to the device");
    printf("not pinned: the host waits, %d\n", until(begin, one) == until(begin, third));
    check(cuEventDestroy_v2(begin), "cuEventDestroy");
    free(own);
}

int main(int argc, char **argv)
{
    static Work work;
    const char *what = argc > 1 ? argv[1] : "run";
    if (strcmp(what, "nothing") == 0)
        return 0;
    begin(&work);
    if (strcmp(what, "run") == 0)
        run(&work);
    if (strcmp(what, "copies") == 0)
        copies(&work);
    if (strcmp(what, "errors") == 0)
        errors(&work);
    if (strcmp(what, "beyond") == 0) { /* the launch succeeds, and what follows tells */
        print_error("launch", launch(&work, N + BLOCK, (N + 2 * BLOCK - 1) / BLOCK));
        print_error("synchronize", cuCtxSynchronize());
        print_error("free", cuMemFree_v2(work.x));
    }
    if (strcmp(what, "fault") == 0)
        fault(&work, argv[2]);
    if (strcmp(what, "dies") == 0) {
        check(launch(&work, N, 8), "cuLaunchKernel");
        raise(SIGABRT); /* which no sanitizer catches */
    }
    if (strcmp(what, "forks") == 0) {
        int status;
        if (fork() == 0)
            _exit(cuCtxSynchronize());
        check(launch(&work, N, 8), "cuLaunchKernel");
        wait(&status);
        printf("child %d\n", WEXITSTATUS(status));
    }
    return 0;
}
