/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Types and numbers of CUDA's driver interface, after NVIDIA's documentation: the layouts for which
 * programs were compiled. Building needs no header of NVIDIA's.
 */
#ifndef PIPESIM_DRIVER_CUDA_H
#define PIPESIM_DRIVER_CUDA_H

#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(default)

typedef int CUresult;
typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct Context *CUcontext;
typedef struct PsCardModule *CUmodule;
typedef struct PsCardModule *CUlibrary;
typedef struct PsCardFunction *CUfunction;
typedef struct PsCardFunction *CUkernel;
typedef struct Stream *CUstream;
typedef struct Event *CUevent;
typedef struct Array *CUarray;
typedef struct Graph *CUgraph, *CUgraphExec;
typedef struct Node *CUgraphNode;
typedef struct {
    char bytes[16];
} CUuuid;

enum {
    CUDA_SUCCESS = 0,
    CUDA_ERROR_INVALID_VALUE = 1,
    CUDA_ERROR_OUT_OF_MEMORY = 2,
    CUDA_ERROR_NOT_INITIALIZED = 3,
    CUDA_ERROR_DEINITIALIZED = 4,
    CUDA_ERROR_NO_DEVICE = 100,
    CUDA_ERROR_INVALID_DEVICE = 101,
    CUDA_ERROR_INVALID_IMAGE = 200,
    CUDA_ERROR_INVALID_CONTEXT = 201,
    CUDA_ERROR_NO_BINARY_FOR_GPU = 209,
    CUDA_ERROR_FILE_NOT_FOUND = 301,
    CUDA_ERROR_INVALID_HANDLE = 400,
    CUDA_ERROR_NOT_FOUND = 500,
    CUDA_ERROR_NOT_READY = 600,
    CUDA_ERROR_ILLEGAL_ADDRESS = 700,
    CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES = 701,
    CUDA_ERROR_LAUNCH_TIMEOUT = 702,
    CUDA_ERROR_ASSERT = 710,
    CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED = 712,
    CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED = 713,
    CUDA_ERROR_MISALIGNED_ADDRESS = 716,
    CUDA_ERROR_LAUNCH_FAILED = 719,
    CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE = 720,
    CUDA_ERROR_NOT_SUPPORTED = 801,
    CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED = 900,
    CUDA_ERROR_STREAM_CAPTURE_INVALIDATED = 901,
    CUDA_ERROR_STREAM_CAPTURE_UNMATCHED = 903,
    CUDA_ERROR_STREAM_CAPTURE_UNJOINED = 904,
    CUDA_ERROR_STREAM_CAPTURE_ISOLATION = 905,
    CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD = 908,
    CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE = 910,
    CUDA_ERROR_INVALID_CLUSTER_SIZE = 912,
    CUDA_ERROR_UNKNOWN = 999
};

/* The version of the interface in toolkit 13.0. */
#define DRIVER_VERSION 13000

/* The two streams without an object. */
#define STREAM_LEGACY ((CUstream)1)
#define STREAM_PER_THREAD ((CUstream)2)

typedef struct {
    unsigned int id;
    char pad[4];
    union {
        char pad[64];
        int cooperative;
        unsigned int cluster[3];
    } value;
} CUlaunchAttribute;

typedef struct {
    unsigned int grid[3], block[3], shared;
    CUstream stream;
    CUlaunchAttribute *attributes;
    unsigned int n_attributes;
} CUlaunchConfig;

enum { ATTRIBUTE_COOPERATIVE = 2, ATTRIBUTE_CLUSTER = 4 };

/* A rectangle that is copied. */
typedef struct {
    size_t from_x, from_y;
    unsigned int from_type;
    const void *from_host;
    CUdeviceptr from_device;
    CUarray from_array;
    size_t from_pitch;
    size_t to_x, to_y;
    unsigned int to_type;
    void *to_host;
    CUdeviceptr to_device;
    CUarray to_array;
    size_t to_pitch;
    size_t width, height;
} CUDA_MEMCPY2D;

/* A box that is copied; the fields of either side are in the same order. */
typedef struct {
    size_t x, y, z, level;
    unsigned int type;
    const void *host;
    CUdeviceptr device;
    CUarray array;
    void *reserved;
    size_t pitch, height;
} CopySide;
typedef struct {
    CopySide from, to;
    size_t width, height, depth;
} CUDA_MEMCPY3D;

typedef struct {
    size_t width, height;
    unsigned int format, channels;
} CUDA_ARRAY_DESCRIPTOR;

typedef struct {
    size_t width, height, depth;
    unsigned int format, channels, flags;
} CUDA_ARRAY3D_DESCRIPTOR;

enum { ARRAY_LAYERED = 1, ARRAY_CUBE = 4 };

enum { MEMORY_HOST = 1, MEMORY_DEVICE = 2, MEMORY_ARRAY = 3, MEMORY_UNIFIED = 4 };

/* In `extra` of a launch. */
#define LAUNCH_PARAM_END ((void *)0)
#define LAUNCH_PARAM_BUFFER_POINTER ((void *)1)
#define LAUNCH_PARAM_BUFFER_SIZE ((void *)2)

CUresult cuInit(unsigned int flags);
CUresult cuDriverGetVersion(int *version);
CUresult cuDeviceGet(CUdevice *device, int ordinal);
CUresult cuDeviceGetCount(int *count);
CUresult cuDeviceGetName(char *name, int length, CUdevice device);
CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice device);
CUresult cuDeviceGetAttribute(int *value, int attribute, CUdevice device);
CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device);
CUresult cuCtxSetCurrent(CUcontext context);
CUresult cuCtxGetCurrent(CUcontext *context);
CUresult cuCtxSynchronize(void);
CUresult cuMemGetInfo_v2(size_t *left, size_t *all);
CUresult cuMemAlloc_v2(CUdeviceptr *pointer, size_t bytes);
CUresult cuMemAllocManaged(CUdeviceptr *pointer, size_t bytes, unsigned int flags);
CUresult cuMemAllocPitch_v2(CUdeviceptr *pointer, size_t *pitch, size_t width, size_t height,
                            unsigned int element);
CUresult cuMemFree_v2(CUdeviceptr pointer);
CUresult cuMemHostAlloc(void **pointer, size_t bytes, unsigned int flags);
CUresult cuMemFreeHost(void *pointer);
CUresult cuMemHostRegister_v2(void *pointer, size_t bytes, unsigned int flags);
CUresult cuMemHostUnregister(void *pointer);
CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream);
CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes);
CUresult cuLibraryLoadData(CUlibrary *library, const void *code, void *jit_options,
                           void **jit_values, unsigned int n_jit, void *options, void **values,
                           unsigned int n);
CUresult cuLibraryUnload(CUlibrary library);
CUresult cuLibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name);
CUresult cuLibraryGetGlobal(CUdeviceptr *pointer, size_t *bytes, CUlibrary library,
                            const char *name);
CUresult cuFuncGetAttribute(int *value, int attribute, CUfunction function);
CUresult cuFuncSetAttribute(CUfunction function, int attribute, int value);
CUresult cuLaunchKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y,
                        unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                        unsigned int block_z, unsigned int shared, CUstream stream, void **params,
                        void **extra);
CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function, void **params,
                          void **extra);
CUresult cuLaunchHostFunc(CUstream stream, void (*function)(void *), void *data);
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *groups, CUfunction function,
                                                              int threads, size_t shared,
                                                              unsigned int flags);
CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned int flags, int priority);
CUresult cuStreamDestroy_v2(CUstream stream);
CUresult cuStreamSynchronize(CUstream stream);
CUresult cuStreamQuery(CUstream stream);
CUresult cuStreamIsCapturing(CUstream stream, int *status);
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags);
CUresult cuStreamGetFlags(CUstream stream, unsigned int *flags);
CUresult cuStreamGetPriority(CUstream stream, int *priority);
CUresult cuEventCreate(CUevent *event, unsigned int flags);
CUresult cuEventDestroy_v2(CUevent event);
CUresult cuEventRecord(CUevent event, CUstream stream);
CUresult cuEventSynchronize(CUevent event);
CUresult cuEventQuery(CUevent event);
CUresult cuEventElapsedTime(float *milliseconds, CUevent from, CUevent to);
CUresult cuGetErrorName(CUresult error, const char **name);
CUresult cuGetErrorString(CUresult error, const char **text);
CUresult cuPointerGetAttribute(void *value, int attribute, CUdeviceptr pointer);

#pragma GCC visibility pop

#endif
