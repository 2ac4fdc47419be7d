/* SPDX-License-Identifier: BSD-3-Clause */
/* Launches in all forms, and the entries for functions. */
#include "driver/runtime.h"

#include <string.h>

/* ---- configurations ------------------------------------------------------------------------- */

/* The arguments between <<< and >>>, until the stub takes them: their expressions may launch,
 * too. */
enum { MOST_PUSHED = 64 };
typedef struct {
    dim3 grid, block;
    size_t shared;
    CUstream stream;
} Pushed;
static _Thread_local struct {
    Pushed pushed[MOST_PUSHED];
    unsigned int n;
} stack;

static cudaError_t launch(const void *host, const cudaLaunchConfig *config, void **args)
{
    enum { MOST_THREADS = 1024 };
    CUfunction function = NULL;
    RUNTIME_ENTER;
    const cudaError_t error = runtime_function(host, &function);
    if (error)
        return runtime_keep(error);
    const CUlaunchConfig with = {.grid = {config->grid.x, config->grid.y, config->grid.z},
                                 .block = {config->block.x, config->block.y, config->block.z},
                                 .shared = (unsigned int)config->shared,
                                 .stream = config->stream,
                                 .attributes = config->attributes,
                                 .n_attributes = config->n_attributes};
    const unsigned long long threads =
        (unsigned long long)with.block[0] * with.block[1] * with.block[2];
    if (threads == 0 || threads > MOST_THREADS || with.grid[0] == 0 || with.grid[1] == 0 ||
        with.grid[2] == 0)
        return runtime_keep(cudaErrorInvalidConfiguration);
    return runtime_keep(cuLaunchKernelEx(&with, function, args, NULL));
}

#pragma GCC visibility push(default)

unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, CUstream stream)
{
    if (stack.n == MOST_PUSHED)
        return 1;
    stack.pushed[stack.n++] = (Pushed){grid, block, shared, stream};
    return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream)
{
    if (stack.n == 0)
        return runtime_keep(cudaErrorInvalidConfiguration);
    const Pushed *top = &stack.pushed[--stack.n];
    *grid = top->grid;
    *block = top->block;
    *shared = top->shared;
    memcpy(stream, &top->stream, sizeof top->stream);
    return cudaSuccess;
}

cudaError_t cudaLaunchKernel(const void *host, dim3 grid, dim3 block, void **args, size_t shared,
                             CUstream stream)
{
    return launch(host, &(cudaLaunchConfig){grid, block, shared, stream, NULL, 0}, args);
}

cudaError_t __cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **args,
                               size_t shared, CUstream stream)
{
    return cudaLaunchKernel(kernel, grid, block, args, shared, stream);
}

cudaError_t cudaLaunchCooperativeKernel(const void *host, dim3 grid, dim3 block, void **args,
                                        size_t shared, CUstream stream)
{
    CUlaunchAttribute together = {.id = ATTRIBUTE_COOPERATIVE, .value = {.cooperative = 1}};
    return launch(host, &(cudaLaunchConfig){grid, block, shared, stream, &together, 1}, args);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig *config, const void *host, void **args)
{
    return config ? launch(host, config, args) : runtime_keep(cudaErrorInvalidValue);
}

cudaError_t cudaLaunchHostFunc(CUstream stream, void (*function)(void *), void *data)
{
    RUNTIME_CALL(cuLaunchHostFunc(stream, function, data));
}

/* ---- functions ------------------------------------------------------------------------------ */

typedef struct {
    size_t shared, constant, local;
    int threads, registers, ptx, binary, cache, dynamic, carveout;
    int cluster_must, cluster[3], cluster_policy, others[17];
} cudaFuncAttributes;

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, const void *host)
{
    enum { THREADS, SHARED, CONSTANT, LOCAL, REGISTERS, PTX, BINARY, CACHE, DYNAMIC, CARVEOUT, N };
    CUfunction function;
    int values[N] = {0};
    RUNTIME_ENTER;
    cudaError_t error = runtime_function(host, &function);
    for (int i = 0; i < N && !error; i++)
        error = cuFuncGetAttribute(&values[i], i, function);
    if (error)
        return runtime_keep(error);
    memset(attributes, 0, G_STRUCT_OFFSET(cudaFuncAttributes, others));
    attributes->shared = (size_t)values[SHARED];
    attributes->constant = (size_t)values[CONSTANT];
    attributes->local = (size_t)values[LOCAL];
    attributes->threads = values[THREADS];
    attributes->registers = values[REGISTERS];
    attributes->ptx = values[PTX];
    attributes->binary = values[BINARY];
    attributes->cache = values[CACHE];
    attributes->dynamic = values[DYNAMIC];
    attributes->carveout = values[CARVEOUT];
    return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(const void *host, int attribute, int value)
{
    CUfunction function;
    RUNTIME_ENTER;
    const cudaError_t error = runtime_function(host, &function);
    return runtime_keep(error ? error : cuFuncSetAttribute(function, attribute, value));
}

/* Attributes that change no result of a program. */
cudaError_t cudaFuncSetCacheConfig(const void *host, int config)
{
    CUfunction function;
    (void)config;
    RUNTIME_ENTER;
    return runtime_keep(runtime_function(host, &function));
}

cudaError_t cudaFuncSetSharedMemConfig(const void *host, int config)
{
    return cudaFuncSetCacheConfig(host, config);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *groups, const void *host,
                                                                   int threads, size_t shared,
                                                                   unsigned int flags)
{
    CUfunction function;
    RUNTIME_ENTER;
    const cudaError_t error = runtime_function(host, &function);
    return runtime_keep(error ? error
                              : cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
                                    groups, function, threads, shared, flags));
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *groups, const void *host,
                                                          int threads, size_t shared)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(groups, host, threads, shared, 0);
}

#pragma GCC visibility pop
