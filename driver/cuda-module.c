/* SPDX-License-Identifier: BSD-3-Clause */
/* Entries for code: modules, libraries, functions, occupancy. A library is a module here, and a
 * kernel a function, since there is only one context. */
#include "driver/state.h"

#include <string.h>

#pragma GCC visibility push(default)

CUresult cuModuleLoadData(CUmodule *module, const void *image)
{
    GError *error = NULL;
    DRIVER_ENTER;
    if (!module || !image)
        return CUDA_ERROR_INVALID_VALUE;
    *module = ps_card_module_new(driver.card, image, &error);
    return *module ? CUDA_SUCCESS : driver_fail(error);
}

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int n, void *options,
                            void **values)
{
    (void)n;
    (void)options;
    (void)values;
    return cuModuleLoadData(module, image);
}

CUresult cuModuleLoadFatBinary(CUmodule *module, const void *image)
{
    return cuModuleLoadData(module, image);
}

/* PTX in a file has no zero at its end. */
CUresult cuModuleLoad(CUmodule *module, const char *path)
{
    g_autofree char *text = NULL;
    return g_file_get_contents(path, &text, NULL, NULL) ? cuModuleLoadData(module, text)
                                                        : CUDA_ERROR_FILE_NOT_FOUND;
}

CUresult cuModuleUnload(CUmodule module)
{
    DRIVER_ENTER;
    if (!module)
        return CUDA_ERROR_INVALID_HANDLE;
    driver_print();
    ps_card_module_free(module);
    return CUDA_SUCCESS;
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
    DRIVER_ENTER;
    if (!function || !name)
        return CUDA_ERROR_INVALID_VALUE;
    *function = module ? ps_card_module_function(module, name) : NULL;
    return *function ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

CUresult cuModuleGetGlobal_v2(CUdeviceptr *pointer, size_t *bytes, CUmodule module,
                              const char *name)
{
    DRIVER_ENTER;
    if (!name || !module)
        return CUDA_ERROR_INVALID_VALUE;
    const PsCardPiece *piece = ps_card_module_variable(module, name);
    if (!piece)
        return CUDA_ERROR_NOT_FOUND;
    if (pointer)
        *pointer = (CUdeviceptr)(gsize)piece->data;
    if (bytes)
        *bytes = piece->size;
    return CUDA_SUCCESS;
}

CUresult cuModuleGetFunctionCount(unsigned int *n, CUmodule module)
{
    DRIVER_ENTER;
    *n = ps_card_module_count(module);
    return CUDA_SUCCESS;
}

CUresult cuModuleEnumerateFunctions(CUfunction *functions, unsigned int n, CUmodule module)
{
    DRIVER_ENTER;
    for (unsigned int i = 0; i < n; i++)
        functions[i] = ps_card_module_nth(module, i);
    return CUDA_SUCCESS;
}

/* The mode is lazy: that loses nothing. */
CUresult cuModuleGetLoadingMode(int *mode)
{
    enum { LAZY = 2 };
    *mode = LAZY;
    return CUDA_SUCCESS;
}

/* ---- libraries ------------------------------------------------------------------------------ */

CUresult cuLibraryLoadData(CUlibrary *library, const void *code, void *jit_options,
                           void **jit_values, unsigned int n_jit, void *options, void **values,
                           unsigned int n)
{
    (void)jit_options;
    (void)jit_values;
    (void)n_jit;
    (void)options;
    (void)values;
    (void)n;
    return cuModuleLoadData(library, code);
}

CUresult cuLibraryLoadFromFile(CUlibrary *library, const char *path, void *jit_options,
                               void **jit_values, unsigned int n_jit, void *options, void **values,
                               unsigned int n)
{
    (void)jit_options;
    (void)jit_values;
    (void)n_jit;
    (void)options;
    (void)values;
    (void)n;
    return cuModuleLoad(library, path);
}

CUresult cuLibraryUnload(CUlibrary library)
{
    return cuModuleUnload(library);
}

CUresult cuLibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name)
{
    return cuModuleGetFunction(kernel, library, name);
}

CUresult cuLibraryGetGlobal(CUdeviceptr *pointer, size_t *bytes, CUlibrary library,
                            const char *name)
{
    return cuModuleGetGlobal_v2(pointer, bytes, library, name);
}

CUresult cuLibraryGetManaged(CUdeviceptr *pointer, size_t *bytes, CUlibrary library,
                             const char *name)
{
    return cuModuleGetGlobal_v2(pointer, bytes, library, name);
}

CUresult cuLibraryGetKernelCount(unsigned int *n, CUlibrary library)
{
    return cuModuleGetFunctionCount(n, library);
}

CUresult cuLibraryEnumerateKernels(CUkernel *kernels, unsigned int n, CUlibrary library)
{
    return cuModuleEnumerateFunctions(kernels, n, library);
}

CUresult cuKernelGetLibrary(CUlibrary *library, CUkernel kernel)
{
    DRIVER_ENTER;
    *library = ps_card_function_module(kernel);
    return CUDA_SUCCESS;
}

CUresult cuLibraryGetModule(CUmodule *module, CUlibrary library)
{
    DRIVER_ENTER;
    *module = library;
    return CUDA_SUCCESS;
}

CUresult cuKernelGetFunction(CUfunction *function, CUkernel kernel)
{
    DRIVER_ENTER;
    *function = kernel;
    return CUDA_SUCCESS;
}

/* ---- functions ------------------------------------------------------------------------------ */

enum {
    MAX_THREADS,
    SHARED_BYTES,
    CONST_BYTES,
    LOCAL_BYTES,
    REGISTERS,
    PTX_VERSION,
    BINARY_VERSION,
    CACHE_MODE,
    MAX_DYNAMIC_SHARED,
    CARVEOUT
};

CUresult cuFuncGetAttribute(int *value, int attribute, CUfunction function)
{
    DRIVER_ENTER;
    if (!value)
        return CUDA_ERROR_INVALID_VALUE;
    if (!function)
        return CUDA_ERROR_INVALID_HANDLE;
    const PsCardNeeds needs = ps_card_function_needs(function);
    const int values[] = {[MAX_THREADS] = (int)needs.most,
                          [SHARED_BYTES] = (int)needs.shared,
                          [CONST_BYTES] = (int)needs.constant,
                          [LOCAL_BYTES] = (int)needs.local,
                          [REGISTERS] = (int)needs.registers,
                          [PTX_VERSION] = (int)needs.ptx_target,
                          [BINARY_VERSION] = (int)needs.target,
                          [CACHE_MODE] = 0,
                          [MAX_DYNAMIC_SHARED] = (int)ps_card_function_allowed(function),
                          [CARVEOUT] = -1};
    *value = attribute >= 0 && attribute < (int)G_N_ELEMENTS(values) ? values[attribute] : 0;
    return CUDA_SUCCESS;
}

/* A function may have as much shared memory as any group of the device. */
CUresult cuFuncSetAttribute(CUfunction function, int attribute, int value)
{
    enum { OPTIN = 97 };
    int most = 0;
    DRIVER_ENTER;
    if (!function)
        return CUDA_ERROR_INVALID_HANDLE;
    if (attribute != MAX_DYNAMIC_SHARED)
        return CUDA_SUCCESS;
    cuDeviceGetAttribute(&most, OPTIN, 0);
    if (value < 0 || value > most - (int)ps_card_function_needs(function).shared)
        return CUDA_ERROR_INVALID_VALUE;
    ps_card_function_allow(function, (guint64)value);
    return CUDA_SUCCESS;
}

CUresult cuKernelGetAttribute(int *value, int attribute, CUkernel kernel, CUdevice device)
{
    (void)device;
    return cuFuncGetAttribute(value, attribute, kernel);
}

CUresult cuKernelSetAttribute(int attribute, int value, CUkernel kernel, CUdevice device)
{
    (void)device;
    return cuFuncSetAttribute(kernel, attribute, value);
}

CUresult cuFuncSetCacheConfig(CUfunction function, int config)
{
    DRIVER_ENTER;
    (void)config;
    return function ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuFuncSetSharedMemConfig(CUfunction function, int config)
{
    return cuFuncSetCacheConfig(function, config);
}

CUresult cuFuncGetModule(CUmodule *module, CUfunction function)
{
    DRIVER_ENTER;
    *module = ps_card_function_module(function);
    return CUDA_SUCCESS;
}

CUresult cuFuncGetName(const char **name, CUfunction function)
{
    DRIVER_ENTER;
    *name = ps_card_function_name(function);
    return CUDA_SUCCESS;
}

CUresult cuKernelGetName(const char **name, CUkernel kernel)
{
    return cuFuncGetName(name, kernel);
}

CUresult cuFuncLoad(CUfunction function)
{
    return function ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuFuncIsLoaded(int *state, CUfunction function)
{
    *state = 1;
    return cuFuncLoad(function);
}

CUresult cuFuncGetParamInfo(CUfunction function, size_t n, size_t *offset, size_t *bytes)
{
    const PsCardParam *params;
    DRIVER_ENTER;
    if (!function || n >= ps_card_function_params(function, &params))
        return CUDA_ERROR_INVALID_VALUE;
    if (offset)
        *offset = params[n].offset;
    if (bytes)
        *bytes = params[n].size;
    return CUDA_SUCCESS;
}

CUresult cuKernelGetParamInfo(CUkernel kernel, size_t n, size_t *offset, size_t *bytes)
{
    return cuFuncGetParamInfo(kernel, n, offset, bytes);
}

/* ---- occupancy ------------------------------------------------------------------------------ */

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *groups, CUfunction function,
                                                              int threads, size_t shared,
                                                              unsigned int flags)
{
    DRIVER_ENTER;
    (void)flags;
    if (!groups || threads < 1)
        return CUDA_ERROR_INVALID_VALUE;
    if (!function)
        return CUDA_ERROR_INVALID_HANDLE;
    const PsCardNeeds code = ps_card_function_needs(function);
    const PsGroupNeeds needs = {threads, code.registers, (gint64)(code.shared + shared), 0, 0, 0};
    PsOccupancy occupancy = {0};
    *groups = threads <= (int)code.most && ps_gpu_occupancy(driver.gpu, &needs, &occupancy, NULL)
                  ? (int)occupancy.groups
                  : 0;
    return CUDA_SUCCESS;
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *groups, CUfunction function, int threads,
                                                     size_t shared)
{
    return cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(groups, function, threads, shared,
                                                                0);
}

/* Finds the largest multiple of a warp that gives the most threads at once. */
CUresult cuOccupancyMaxPotentialBlockSize(int *grid, int *block, CUfunction function,
                                          size_t (*shared_of)(int), size_t shared, int limit)
{
    int best = 0;
    DRIVER_ENTER;
    if (!function)
        return CUDA_ERROR_INVALID_HANDLE;
    const int most = (int)ps_card_function_needs(function).most, warp = (int)driver.gpu->warp_size;
    for (int threads = limit > 0 ? MIN(limit, most) : most; threads > 0;
         threads = (threads - 1) / warp * warp) {
        int groups = 0;
        cuOccupancyMaxActiveBlocksPerMultiprocessor(&groups, function, threads,
                                                    shared_of ? shared_of(threads) : shared);
        if (groups * threads <= best)
            continue;
        best = groups * threads;
        *block = threads;
        *grid = groups * (int)driver.gpu->compute_units;
    }
    return best ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* The part of a multiprocessor's shared memory that each of so many groups can have. */
CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, CUfunction function, int groups,
                                                 int threads)
{
    const gsize step = 128;
    gsize best = 0;
    int now = 0;
    DRIVER_ENTER;
    if (!bytes || !function || groups < 1 || threads < 1)
        return CUDA_ERROR_INVALID_VALUE;
    const gsize most = (gsize)driver.gpu->limits.local_memory;
    for (gsize low = 0, high = most / step; low <= high;) {
        const gsize middle = (low + high) / 2;
        cuOccupancyMaxActiveBlocksPerMultiprocessor(&now, function, threads, middle * step);
        if (now >= groups) {
            best = middle * step;
            low = middle + 1;
        } else if (middle == 0) {
            break;
        } else {
            high = middle - 1;
        }
    }
    *bytes = best;
    return CUDA_SUCCESS;
}

CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block, CUfunction function,
                                                   size_t (*shared_of)(int), size_t shared,
                                                   int limit, unsigned int flags)
{
    (void)flags;
    return cuOccupancyMaxPotentialBlockSize(grid, block, function, shared_of, shared, limit);
}

#pragma GCC visibility pop
