/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program that compiles its kernel itself, by the library of NVRTC that its argument names, for
 * the GPU that it finds. It prints "ok" where the results are right.
 */
#include "driver/cuda.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int n, void *options,
                            void **values);
CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name);
CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t bytes);
CUresult cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t bytes);

enum { N = 1000, THREADS = 128 };

static const char source[] =
    "extern \"C\" __global__ void saxpy(int n, float a, const float *x, float *y)\n"
    "{\n"
    "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "    if (i < n)\n"
    "        y[i] = a * x[i] + y[i];\n"
    "}\n";

static void *library;

/* POSIX lets dlsym's pointer be a function; ISO C knows no such conversion. */
typedef union {
    void *pointer;
    int (*create)(void **program, const char *source, const char *name, int n,
                  const char *const *headers, const char *const *names);
    int (*compile)(void *program, int n, const char *const *options);
    int (*size)(void *program, size_t *size);
    int (*get)(void *program, char *to);
} Function;

static Function find(const char *name)
{
    const Function function = {dlsym(library, name)};
    if (!function.pointer) {
        printf("no %s\n", name);
        exit(1);
    }
    return function;
}

static void must(int result, const char *what)
{
    if (result == 0)
        return;
    printf("%s gives %d\n", what, result);
    exit(1);
}

static char *compile(int capability)
{
    void *program;
    size_t size;
    char option[64];
    const char *const options[] = {option};
    snprintf(option, sizeof option, "--gpu-architecture=sm_%d", capability);
    must(find("nvrtcCreateProgram").create(&program, source, "saxpy.cu", 0, NULL, NULL), "create");
    must(find("nvrtcCompileProgram").compile(program, 1, options), "compile");
    must(find("nvrtcGetCUBINSize").size(program, &size), "size");
    char *cubin = malloc(size);
    must(find("nvrtcGetCUBIN").get(program, cubin), "cubin");
    return cubin;
}

/* Results right: y is 2 x + 1. */
static int run(CUfunction function)
{
    static float x[N], y[N];
    CUdeviceptr dx, dy;
    int n = N, wrong = 0;
    float a = 2;
    void *params[] = {&n, &a, &dx, &dy};
    for (int i = 0; i < N; i++) {
        x[i] = (float)i;
        y[i] = 1;
    }
    must(cuMemAlloc_v2(&dx, sizeof x) + cuMemAlloc_v2(&dy, sizeof y), "allocate");
    must(cuMemcpyHtoD_v2(dx, x, sizeof x) + cuMemcpyHtoD_v2(dy, y, sizeof y), "copy");
    must(cuLaunchKernel(function, (N + THREADS - 1) / THREADS, 1, 1, THREADS, 1, 1, 0, NULL, params,
                        NULL),
         "launch");
    must(cuMemcpyDtoH_v2(y, dy, sizeof y), "copy back");
    for (int i = 0; i < N; i++)
        wrong += y[i] < 2.0F * (float)i + 1 || y[i] > 2.0F * (float)i + 1;
    return wrong;
}

int main(int argc, char **argv)
{
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction function;
    int major, minor;
    library = argc > 1 ? dlopen(argv[1], RTLD_NOW) : NULL;
    if (!library) {
        puts("no library");
        return 1;
    }
    must(cuInit(0) + cuDeviceGet(&device, 0), "begin");
    must(cuDevicePrimaryCtxRetain(&context, device) + cuCtxSetCurrent(context), "context");
    must(cuDeviceGetAttribute(&major, 75, device) + cuDeviceGetAttribute(&minor, 76, device),
         "capability");
    char *cubin = compile(10 * major + minor);
    must(cuModuleLoadDataEx(&module, cubin, 0, NULL, NULL), "load");
    free(cubin);
    must(cuModuleGetFunction(&function, module, "saxpy"), "function");
    const int wrong = run(function);
    printf(wrong ? "%d wrong\n" : "ok\n", wrong);
    return wrong != 0;
}
