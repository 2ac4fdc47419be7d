/* SPDX-License-Identifier: BSD-3-Clause */
/* Pools, peers, and other entries whose parameters are the driver's. */
#include "driver/runtime.h"

/* An entry that calls a driver's entry, declared in cuda.h. */
#define CALLS(NAME, VARIANT, TYPES, VALUES)                                                        \
    cudaError_t cuda##NAME TYPES                                                                   \
    {                                                                                              \
        RUNTIME_CALL(VARIANT VALUES);                                                              \
    }
/* The same for an entry that cuda.h does not declare. */
#define SAME_AS(NAME, VARIANT, TYPES, VALUES)                                                      \
    CUresult VARIANT TYPES;                                                                        \
    CALLS(NAME, VARIANT, TYPES, VALUES)
#define SAME(NAME, TYPES, VALUES) SAME_AS(NAME, cu##NAME, TYPES, VALUES)

#pragma GCC visibility push(default)

/* clang-format off */
SAME(MemPoolCreate, (void **pool, const void *properties), (pool, properties))
SAME(MemPoolDestroy, (void *pool), (pool))
SAME(MemPoolTrimTo, (void *pool, size_t bytes), (pool, bytes))
SAME(MemPoolSetAttribute, (void *pool, int attribute, const void *value), (pool, attribute, value))
SAME(MemPoolGetAttribute, (void *pool, int attribute, void *value), (pool, attribute, value))
SAME(MemPoolSetAccess, (void *pool, const void *access, size_t n), (pool, access, n))
SAME(MemPoolGetAccess, (int *flags, void *pool, const void *location), (flags, pool, location))
SAME(DeviceGetDefaultMemPool, (void **pool, int device), (pool, device))
SAME(DeviceGetMemPool, (void **pool, int device), (pool, device))
SAME(DeviceSetMemPool, (int device, void *pool), (device, pool))
SAME_AS(DeviceSetLimit, cuCtxSetLimit, (int limit, size_t value), (limit, value))
SAME_AS(DeviceGetLimit, cuCtxGetLimit, (size_t *value, int limit), (value, limit))
SAME(DeviceGetPCIBusId, (char *id, int length, int device), (id, length, device))
SAME(DeviceGetByPCIBusId, (int *device, const char *id), (device, id))
SAME(DeviceGetP2PAttribute, (int *value, int attribute, int from, int to), (value, attribute, from, to))
SAME(StreamGetId, (CUstream stream, unsigned long long *id), (stream, id))
/* Libraries of the runtime are the driver's. */
CALLS(LibraryLoadData, cuLibraryLoadData, (CUlibrary *library, const void *code, void *jit_options, void **jit_values, unsigned int n_jit, void *options, void **values, unsigned int n), (library, code, jit_options, jit_values, n_jit, options, values, n))
SAME(LibraryLoadFromFile, (CUlibrary *library, const char *path, void *jit_options, void **jit_values, unsigned int n_jit, void *options, void **values, unsigned int n), (library, path, jit_options, jit_values, n_jit, options, values, n))
CALLS(LibraryUnload, cuLibraryUnload, (CUlibrary library), (library))
CALLS(LibraryGetKernel, cuLibraryGetKernel, (CUkernel *kernel, CUlibrary library, const char *name), (kernel, library, name))
CALLS(LibraryGetGlobal, cuLibraryGetGlobal, (CUdeviceptr *pointer, size_t *bytes, CUlibrary library, const char *name), (pointer, bytes, library, name))
SAME(LibraryGetManaged, (CUdeviceptr *pointer, size_t *bytes, CUlibrary library, const char *name), (pointer, bytes, library, name))
SAME_AS(LibraryGetKernelCount, cuModuleGetFunctionCount, (unsigned int *n, CUlibrary library), (n, library))
SAME_AS(LibraryEnumerateKernels, cuModuleEnumerateFunctions, (CUkernel *kernels, unsigned int n, CUlibrary library), (kernels, n, library))
/* clang-format on */

cudaError_t cudaStreamGetDevice(CUstream stream, int *device)
{
    *device = 0;
    RUNTIME_CALL(cuStreamQuery(stream));
}

/* A device is no peer of itself. */
cudaError_t cudaDeviceEnablePeerAccess(int device, unsigned int flags)
{
    enum { PEER_ACCESS_UNSUPPORTED = 217 };
    CUdevice found;
    (void)flags;
    RUNTIME_ENTER;
    const cudaError_t error = cuDeviceGet(&found, device);
    return runtime_keep(error ? error : PEER_ACCESS_UNSUPPORTED);
}

cudaError_t cudaDeviceDisablePeerAccess(int device)
{
    enum { PEER_ACCESS_NOT_ENABLED = 705 };
    CUdevice found;
    RUNTIME_ENTER;
    const cudaError_t error = cuDeviceGet(&found, device);
    return runtime_keep(error ? error : PEER_ACCESS_NOT_ENABLED);
}

cudaError_t cudaDeviceGetCacheConfig(int *config)
{
    RUNTIME_ENTER;
    *config = 0;
    return cudaSuccess;
}

/* Banks of shared memory are four bytes wide. */
cudaError_t cudaDeviceGetSharedMemConfig(int *config)
{
    enum { FOUR_BYTES = 1 };
    RUNTIME_ENTER;
    *config = FOUR_BYTES;
    return cudaSuccess;
}

cudaError_t cudaCtxResetPersistingL2Cache(void)
{
    RUNTIME_ENTER;
    return cudaSuccess;
}

cudaError_t cudaSetValidDevices(const int *devices, int n)
{
    (void)devices, (void)n;
    RUNTIME_ENTER;
    return cudaSuccess;
}

/* Hints on streams, which change no result of a program. */
cudaError_t cudaStreamSetAttribute(CUstream stream, int attribute, const void *value)
{
    (void)attribute, (void)value;
    RUNTIME_CALL(cuStreamQuery(stream));
}

cudaError_t cudaStreamCopyAttributes(CUstream to, CUstream from)
{
    (void)to;
    RUNTIME_CALL(cuStreamQuery(from));
}

/* ---- functions ------------------------------------------------------------------------------ */

CUresult cuFuncGetName(const char **name, CUfunction function);
cudaError_t cudaFuncGetName(const char **name, const void *host)
{
    CUfunction function;
    RUNTIME_ENTER;
    const cudaError_t error = runtime_function(host, &function);
    return runtime_keep(error ? error : cuFuncGetName(name, function));
}

CUresult cuFuncGetParamInfo(CUfunction function, size_t n, size_t *offset, size_t *bytes);
cudaError_t cudaFuncGetParamInfo(const void *host, size_t n, size_t *offset, size_t *bytes)
{
    CUfunction function;
    RUNTIME_ENTER;
    const cudaError_t error = runtime_function(host, &function);
    return runtime_keep(error ? error : cuFuncGetParamInfo(function, n, offset, bytes));
}

CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, CUfunction function, int groups,
                                                 int threads);
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *host, int groups,
                                                      int threads)
{
    CUfunction function;
    RUNTIME_ENTER;
    const cudaError_t error = runtime_function(host, &function);
    return runtime_keep(
        error ? error : cuOccupancyAvailableDynamicSMemPerBlock(bytes, function, groups, threads));
}

/* ---- the driver's entries ------------------------------------------------------------------- */

CUresult cuGetProcAddress_v2(const char *name, void **address, int version, uint64_t flags,
                             int *status);
cudaError_t cudaGetDriverEntryPointByVersion(const char *name, void **address, unsigned int version,
                                             unsigned long long flags, int *status)
{
    int how;
    RUNTIME_ENTER;
    return runtime_keep(
        cuGetProcAddress_v2(name, address, (int)version, flags, status ? status : &how));
}

cudaError_t cudaGetDriverEntryPoint(const char *name, void **address, unsigned long long flags,
                                    int *status)
{
    return cudaGetDriverEntryPointByVersion(name, address, DRIVER_VERSION, flags, status);
}

#pragma GCC visibility pop
