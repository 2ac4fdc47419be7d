/* SPDX-License-Identifier: BSD-3-Clause */
/* Entries for the device, streams, events and errors. */
#include "driver/runtime.h"

#include "driver/error-names.h"

#include <string.h>

static _Thread_local cudaError_t last;
static _Thread_local gboolean ready; /* this thread has the primary context */

cudaError_t runtime_enter(void)
{
    CUcontext context;
    if (ready)
        return cudaSuccess;
    const cudaError_t error = cuInit(0);
    if (error || cuDevicePrimaryCtxRetain(&context, 0))
        return error ? error : cudaErrorInvalidDevice;
    ready = TRUE;
    return cuCtxSetCurrent(context);
}

cudaError_t runtime_keep(cudaError_t error)
{
    if (error)
        last = error;
    return error;
}

#pragma GCC visibility push(default)

/* A kernel's fault stays, since every call reports it. */
cudaError_t cudaPeekAtLastError(void)
{
    return last;
}

cudaError_t cudaGetLastError(void)
{
    const cudaError_t error = last;
    last = cudaSuccess;
    return error;
}

const char *cudaGetErrorName(cudaError_t error)
{
    const ErrorName *name = error_name(error);
    return name ? name->runtime : "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t error)
{
    const ErrorName *name = error_name(error);
    return name ? name->text : "unrecognized error code";
}

/* ---- the device ----------------------------------------------------------------------------- */

cudaError_t cudaDriverGetVersion(int *version)
{
    return runtime_keep(cuDriverGetVersion(version));
}

cudaError_t cudaGetDeviceCount(int *count)
{
    RUNTIME_CALL(cuDeviceGetCount(count));
}

cudaError_t cudaGetDevice(int *device)
{
    RUNTIME_ENTER;
    *device = 0;
    return cudaSuccess;
}

cudaError_t cudaSetDevice(int device)
{
    CUdevice found;
    RUNTIME_CALL(cuDeviceGet(&found, device));
}

cudaError_t cudaInitDevice(int device, unsigned int flags, unsigned int more)
{
    (void)flags, (void)more;
    return cudaSetDevice(device);
}

cudaError_t cudaChooseDevice(int *device, const void *like)
{
    (void)like;
    return cudaGetDevice(device);
}

cudaError_t cudaSetDeviceFlags(unsigned int flags)
{
    (void)flags;
    RUNTIME_ENTER;
    return cudaSuccess;
}

cudaError_t cudaGetDeviceFlags(unsigned int *flags)
{
    RUNTIME_ENTER;
    *flags = 0;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, int attribute, int device)
{
    RUNTIME_CALL(cuDeviceGetAttribute(value, attribute, device));
}

cudaError_t cudaDeviceSynchronize(void)
{
    RUNTIME_CALL(cuCtxSynchronize());
}

cudaError_t cudaThreadSynchronize(void)
{
    return cudaDeviceSynchronize();
}

cudaError_t cudaDeviceReset(void)
{
    RUNTIME_CALL(cuCtxSynchronize());
}

cudaError_t cudaThreadExit(void)
{
    return cudaDeviceReset();
}

/* Settings that change no result of a program. */
cudaError_t cudaDeviceSetCacheConfig(int config)
{
    (void)config;
    RUNTIME_ENTER;
    return cudaSuccess;
}

cudaError_t cudaDeviceSetSharedMemConfig(int config)
{
    return cudaDeviceSetCacheConfig(config);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    RUNTIME_ENTER;
    *least = 0;
    *greatest = -5;
    return cudaSuccess;
}

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
    (void)device, (void)peer;
    RUNTIME_ENTER;
    *can = 0;
    return cudaSuccess;
}

cudaError_t cudaProfilerStart(void)
{
    return cudaSuccess;
}

cudaError_t cudaProfilerStop(void)
{
    return cudaSuccess;
}

/* ---- streams and events --------------------------------------------------------------------- */

cudaError_t cudaStreamCreateWithPriority(CUstream *stream, unsigned int flags, int priority)
{
    RUNTIME_CALL(cuStreamCreateWithPriority(stream, flags, priority));
}

cudaError_t cudaStreamCreateWithFlags(CUstream *stream, unsigned int flags)
{
    return cudaStreamCreateWithPriority(stream, flags, 0);
}

cudaError_t cudaStreamCreate(CUstream *stream)
{
    return cudaStreamCreateWithFlags(stream, 0);
}

cudaError_t cudaStreamDestroy(CUstream stream)
{
    RUNTIME_CALL(cuStreamDestroy_v2(stream));
}

cudaError_t cudaStreamSynchronize(CUstream stream)
{
    RUNTIME_CALL(cuStreamSynchronize(stream));
}

cudaError_t cudaStreamQuery(CUstream stream)
{
    RUNTIME_CALL(cuStreamQuery(stream));
}

cudaError_t cudaStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags)
{
    RUNTIME_CALL(cuStreamWaitEvent(stream, event, flags));
}

cudaError_t cudaStreamGetFlags(CUstream stream, unsigned int *flags)
{
    RUNTIME_CALL(cuStreamGetFlags(stream, flags));
}

cudaError_t cudaStreamGetPriority(CUstream stream, int *priority)
{
    RUNTIME_CALL(cuStreamGetPriority(stream, priority));
}

typedef struct {
    void (*function)(CUstream, cudaError_t, void *);
    CUstream stream;
    void *data;
} Callback;

static void call(void *data)
{
    const Callback *callback = data;
    callback->function(callback->stream, cudaSuccess, callback->data);
}

/* The driver calls the function before it returns. */
cudaError_t cudaStreamAddCallback(CUstream stream, void (*function)(CUstream, cudaError_t, void *),
                                  void *data, unsigned int flags)
{
    Callback callback = {function, stream, data};
    (void)flags;
    RUNTIME_CALL(cuLaunchHostFunc(stream, call, &callback));
}

cudaError_t cudaStreamAttachMemAsync(CUstream stream, void *pointer, size_t bytes,
                                     unsigned int flags)
{
    (void)pointer, (void)bytes, (void)flags;
    return cudaStreamQuery(stream);
}

cudaError_t cudaEventCreateWithFlags(CUevent *event, unsigned int flags)
{
    RUNTIME_CALL(cuEventCreate(event, flags));
}

cudaError_t cudaEventCreate(CUevent *event)
{
    return cudaEventCreateWithFlags(event, 0);
}

cudaError_t cudaEventDestroy(CUevent event)
{
    RUNTIME_CALL(cuEventDestroy_v2(event));
}

cudaError_t cudaEventRecord(CUevent event, CUstream stream)
{
    RUNTIME_CALL(cuEventRecord(event, stream));
}

cudaError_t cudaEventRecordWithFlags(CUevent event, CUstream stream, unsigned int flags)
{
    (void)flags;
    return cudaEventRecord(event, stream);
}

cudaError_t cudaEventSynchronize(CUevent event)
{
    RUNTIME_CALL(cuEventSynchronize(event));
}

cudaError_t cudaEventQuery(CUevent event)
{
    RUNTIME_CALL(cuEventQuery(event));
}

cudaError_t cudaEventElapsedTime(float *milliseconds, CUevent from, CUevent to)
{
    RUNTIME_CALL(cuEventElapsedTime(milliseconds, from, to));
}

#pragma GCC visibility pop
