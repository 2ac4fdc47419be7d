/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Stands between a program and pipesim's own libcuda (LD_PRELOAD), and tells cupti-library.c what
 * NVIDIA's driver would tell CUPTI: modules with their machine code, launches with their
 * parameters, records of kernels. Functions that the injected library asks for are those of
 * pipesim's driver.
 *
 *     STANDIN_CUBIN=FILE   what the driver has made of PTX      STANDIN_LAZY=1  it makes it only
 * when a kernel is launched
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "driver/cuda.h"
#include "latency-bench/profile/driver-api.h"
#include "tests/stand-in/cupti.h"

#include <dlfcn.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CALL __attribute__((visibility("default")))

enum { MOST_NODES = 100 };

/* A context begins with its device. */
static uint32_t context;
static _Atomic uint32_t order, n_modules;
static int capturing;

/* What is launched by graphs. */
static struct {
    CuptiKernel kernels[MOST_NODES];
    unsigned n;
} captured;

/* Code that is told of when this thread launches a kernel. */
static _Thread_local void *late;
static _Thread_local size_t late_size;

static void find(const char *name, void *function)
{
    void *symbol = dlsym(RTLD_NEXT, name);
    if (!symbol)
        abort();
    memcpy(function, &symbol, sizeof symbol);
}

static void tell(int32_t domain, uint32_t id, const void *data)
{
    void *library = dlopen("libcupti.so.13", RTLD_NOW | RTLD_NOLOAD);
    void *symbol = library ? dlsym(library, "standin_tell") : NULL;
    void (*function)(int32_t, uint32_t, const void *);
    memcpy(&function, &symbol, sizeof symbol);
    if (function)
        function(domain, id, data);
}

static void tell_kernel(const CuptiKernel *kernel)
{
    void *library = dlopen("libcupti.so.13", RTLD_NOW | RTLD_NOLOAD);
    void *symbol = library ? dlsym(library, "standin_kernel") : NULL;
    void (*function)(const CuptiKernel *);
    memcpy(&function, &symbol, sizeof symbol);
    if (function)
        function(kernel);
}

/* ---- the beginning ------------------------------------------------------------------------- */

CALL CUresult cuInit(unsigned int flags);

CUresult cuInit(unsigned int flags)
{
    CUresult (*real)(unsigned int);
    find("cuInit", &real);
    const CUresult result = real(flags);
    const char *path = getenv("CUDA_INJECTION64_PATH");
    void *library = path ? dlopen(path, RTLD_NOW) : NULL;
    void *symbol = library ? dlsym(library, "InitializeInjection") : NULL;
    int (*injected)(void);
    memcpy(&injected, &symbol, sizeof symbol);
    if (injected)
        injected();
    return result;
}

/* ---- calls --------------------------------------------------------------------------------- */

static CuptiCall enter(uint32_t id, const void *parameters, const char *symbol)
{
    const CuptiCall call = {.site = CUPTI_ENTER,
                            .parameters = parameters,
                            .symbol = symbol,
                            .context = &context,
                            .correlation = ++order};
    tell(CUPTI_DOMAIN_DRIVER, id, &call);
    return call;
}

static CUresult leave(uint32_t id, CuptiCall call, CUresult result)
{
    int32_t told = (int32_t)result;
    call.site = CUPTI_EXIT;
    call.result = &told;
    tell(CUPTI_DOMAIN_DRIVER, id, &call);
    return result;
}

/* ---- code ---------------------------------------------------------------------------------- */

static void tell_module(const void *cubin, size_t size)
{
    const CuptiModule module = {++n_modules, size, cubin};
    const CuptiResource resource = {.context = &context, .descriptor = &module};
    tell(CUPTI_DOMAIN_RESOURCE, CUPTI_MODULE_LOADED, &resource);
}

static void tell_late(void)
{
    if (late)
        tell_module(late, late_size);
    free(late);
    late = NULL;
}

static void *read_file(const char *path, size_t *size)
{
    enum { MOST = 1 << 20 };
    FILE *file = path ? fopen(path, "rb") : NULL;
    char *bytes = calloc(1, MOST);
    *size = file && bytes ? fread(bytes, 1, MOST, file) : 0;
    if (file)
        fclose(file);
    return bytes;
}

CALL CUresult cuModuleLoadData(CUmodule *module, const void *image);

CUresult cuModuleLoadData(CUmodule *module, const void *image)
{
    CUresult (*real)(CUmodule *, const void *);
    find("cuModuleLoadData", &real);
    const DriverLoad load = {module, image};
    const CuptiCall call = enter(CUPTI_MODULE_LOAD_DATA, &load, NULL);
    const CUresult result = real(module, image);
    late = read_file(getenv("STANDIN_CUBIN"), &late_size);
    if (!getenv("STANDIN_LAZY"))
        tell_late();
    return leave(CUPTI_MODULE_LOAD_DATA, call, result);
}

/* ---- launches ------------------------------------------------------------------------------ */

static const char *name_of(CUfunction function)
{
    CUresult (*name)(const char **, CUfunction);
    const char *text = NULL;
    find("cuFuncGetName", &name);
    return name(&text, function) == 0 ? text : NULL;
}

static void record(const CuptiCall *call, const unsigned int *grid, const unsigned int *block,
                   unsigned int shared, const void *stream)
{
    CuptiKernel kernel = {.kind = CUPTI_KIND_CONCURRENT_KERNEL,
                          .context = 1,
                          .stream = stream ? 13 : 7,
                          .dynamic_memory = (int32_t)shared,
                          .correlation = call->correlation,
                          .name = call->symbol};
    for (int i = 0; i < 3; i++) {
        kernel.grid[i] = (int32_t)grid[i];
        kernel.block[i] = (int32_t)block[i];
    }
    if (!capturing)
        tell_kernel(&kernel);
    else if (captured.n < MOST_NODES)
        captured.kernels[captured.n++] = kernel;
}

CALL CUresult cuLaunchKernel(CUfunction function, unsigned int grid, unsigned int grid_y,
                             unsigned int grid_z, unsigned int block, unsigned int block_y,
                             unsigned int block_z, unsigned int shared, CUstream stream,
                             void **values, void **extra);
CALL CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function, void **values,
                               void **extra);

/* The interface has that many. NOLINTNEXTLINE(readability-function-size) */
CUresult cuLaunchKernel(CUfunction function, unsigned int grid, unsigned int grid_y,
                        unsigned int grid_z, unsigned int block, unsigned int block_y,
                        unsigned int block_z, unsigned int shared, CUstream stream, void **values,
                        void **extra)
{
    CUresult (*real)(CUfunction, unsigned int, unsigned int, unsigned int, unsigned int,
                     unsigned int, unsigned int, unsigned int, CUstream, void **, void **);
    find("cuLaunchKernel", &real);
    const DriverLaunch launch = {
        function, {grid, grid_y, grid_z}, {block, block_y, block_z}, shared, stream, values, extra};
    const CuptiCall call = enter(CUPTI_LAUNCH_KERNEL, &launch, name_of(function));
    tell_late();
    const CUresult result = real(function, grid, grid_y, grid_z, block, block_y, block_z, shared,
                                 stream, values, extra);
    if (result == CUDA_SUCCESS)
        record(&call, launch.grid, launch.block, shared, stream);
    return leave(CUPTI_LAUNCH_KERNEL, call, result);
}

CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function, void **values,
                          void **extra)
{
    CUresult (*real)(const CUlaunchConfig *, CUfunction, void **, void **);
    find("cuLaunchKernelEx", &real);
    const DriverLaunchEx launch = {(const void *)config, function, values, extra};
    const CuptiCall call = enter(CUPTI_LAUNCH_KERNEL_EX, &launch, name_of(function));
    tell_late();
    const CUresult result = real(config, function, values, extra);
    if (result == CUDA_SUCCESS)
        record(&call, config->grid, config->block, config->shared, config->stream);
    return leave(CUPTI_LAUNCH_KERNEL_EX, call, result);
}

/* ---- graphs -------------------------------------------------------------------------------- */

CALL CUresult cuStreamBeginCapture_v2(CUstream stream, int mode);
CALL CUresult cuStreamEndCapture(CUstream stream, CUgraph *graph);
CALL CUresult cuGraphLaunch(CUgraphExec made, CUstream stream);

CUresult cuStreamBeginCapture_v2(CUstream stream, int mode)
{
    CUresult (*real)(CUstream, int);
    find("cuStreamBeginCapture_v2", &real);
    const CuptiCall call = enter(CUPTI_BEGIN_CAPTURE_2, &stream, NULL);
    capturing = 1;
    return leave(CUPTI_BEGIN_CAPTURE_2, call, real(stream, mode));
}

CUresult cuStreamEndCapture(CUstream stream, CUgraph *graph)
{
    CUresult (*real)(CUstream, CUgraph *);
    find("cuStreamEndCapture", &real);
    const CuptiCall call = enter(CUPTI_END_CAPTURE, &stream, NULL);
    capturing = 0;
    return leave(CUPTI_END_CAPTURE, call, real(stream, graph));
}

CUresult cuGraphLaunch(CUgraphExec made, CUstream stream)
{
    CUresult (*real)(CUgraphExec, CUstream);
    find("cuGraphLaunch", &real);
    const CuptiCall call = enter(CUPTI_GRAPH_LAUNCH, &made, NULL);
    const CUresult result = real(made, stream);
    for (unsigned i = 0; i < captured.n; i++) {
        CuptiKernel kernel = captured.kernels[i];
        kernel.correlation = call.correlation;
        kernel.graph_node = i + 1;
        tell_kernel(&kernel);
    }
    return leave(CUPTI_GRAPH_LAUNCH, call, result);
}
