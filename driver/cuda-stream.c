/* SPDX-License-Identifier: BSD-3-Clause */
/* Entries for streams and events. Work is done at once; its times are predicted. */
#include "driver/graph.h"

#include <math.h>

enum { NON_BLOCKING = 1 };

/* A stream that waits for captured work is captured, too. */
static CUresult join(struct Stream *stream, const struct Event *event)
{
    if (stream == &driver.legacy || (stream->capture && stream->capture != event->capture))
        return CUDA_ERROR_STREAM_CAPTURE_ISOLATION;
    if (!stream->capture)
        stream->last = g_ptr_array_new();
    stream->capture = event->capture;
    for (guint i = 0; i < event->last->len; i++)
        if (!g_ptr_array_find(stream->last, event->last->pdata[i], NULL))
            g_ptr_array_add(stream->last, event->last->pdata[i]);
    return CUDA_SUCCESS;
}

#pragma GCC visibility push(default)

CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned int flags, int priority)
{
    DRIVER_ENTER;
    if (!stream || flags > NON_BLOCKING)
        return CUDA_ERROR_INVALID_VALUE;
    *stream = g_new0(struct Stream, 1);
    (*stream)->number = ++driver.n_streams;
    (*stream)->apart = (flags & NON_BLOCKING) != 0;
    (*stream)->priority = priority;
    g_ptr_array_add(driver.streams, *stream);
    return CUDA_SUCCESS;
}

CUresult cuStreamCreate(CUstream *stream, unsigned int flags)
{
    return cuStreamCreateWithPriority(stream, flags, 0);
}

CUresult cuStreamDestroy_v2(CUstream stream)
{
    DRIVER_ENTER;
    const struct Stream *own = driver_stream(stream);
    if (!own || own == &driver.legacy)
        return CUDA_ERROR_INVALID_HANDLE;
    g_ptr_array_remove(driver.streams, stream);
    return CUDA_SUCCESS;
}

CUresult cuStreamSynchronize(CUstream stream)
{
    DRIVER_ENTER;
    const struct Stream *own = driver_stream(stream);
    if (!own)
        return CUDA_ERROR_INVALID_HANDLE;
    driver.host = MAX(driver.host, driver_stream_at(own));
    driver_print();
    return CUDA_SUCCESS;
}

CUresult cuStreamQuery(CUstream stream)
{
    DRIVER_ENTER;
    return driver_stream(stream) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags)
{
    DRIVER_ENTER;
    (void)flags;
    struct Stream *own = driver_stream(stream);
    if (!own || !event)
        return CUDA_ERROR_INVALID_HANDLE;
    if (event->capture)
        return join(own, event);
    if (own->capture)
        return CUDA_ERROR_STREAM_CAPTURE_ISOLATION;
    if (event->recorded)
        own->at = MAX(own->at, event->at);
    return CUDA_SUCCESS;
}

CUresult cuStreamGetFlags(CUstream stream, unsigned int *flags)
{
    DRIVER_ENTER;
    const struct Stream *own = driver_stream(stream);
    if (!own)
        return CUDA_ERROR_INVALID_HANDLE;
    *flags = own->apart ? NON_BLOCKING : 0;
    return CUDA_SUCCESS;
}

CUresult cuStreamGetPriority(CUstream stream, int *priority)
{
    DRIVER_ENTER;
    const struct Stream *own = driver_stream(stream);
    if (!own)
        return CUDA_ERROR_INVALID_HANDLE;
    *priority = own->priority;
    return CUDA_SUCCESS;
}

CUresult cuStreamGetCtx(CUstream stream, CUcontext *context)
{
    DRIVER_ENTER;
    if (!driver_stream(stream))
        return CUDA_ERROR_INVALID_HANDLE;
    *context = &driver.primary;
    return CUDA_SUCCESS;
}

CUresult cuStreamGetId(CUstream stream, unsigned long long *id)
{
    DRIVER_ENTER;
    const struct Stream *own = driver_stream(stream);
    if (!own)
        return CUDA_ERROR_INVALID_HANDLE;
    *id = own->number;
    return CUDA_SUCCESS;
}

CUresult cuStreamAttachMemAsync(CUstream stream, CUdeviceptr pointer, size_t bytes,
                                unsigned int flags)
{
    DRIVER_ENTER;
    (void)pointer;
    (void)bytes;
    (void)flags;
    return driver_stream(stream) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

/* ---- events --------------------------------------------------------------------------------- */

CUresult cuEventCreate(CUevent *event, unsigned int flags)
{
    DRIVER_ENTER;
    (void)flags;
    if (!event)
        return CUDA_ERROR_INVALID_VALUE;
    *event = g_new0(struct Event, 1);
    return CUDA_SUCCESS;
}

CUresult cuEventDestroy_v2(CUevent event)
{
    DRIVER_ENTER;
    if (!event)
        return CUDA_ERROR_INVALID_HANDLE;
    g_clear_pointer(&event->last, g_ptr_array_unref);
    g_free(event);
    return CUDA_SUCCESS;
}

CUresult cuEventRecord(CUevent event, CUstream stream)
{
    DRIVER_ENTER;
    const struct Stream *own = driver_stream(stream);
    if (!own || !event)
        return CUDA_ERROR_INVALID_HANDLE;
    g_clear_pointer(&event->last, g_ptr_array_unref);
    event->capture = own->capture;
    event->recorded = !own->capture;
    if (own->capture)
        event->last = g_ptr_array_copy(own->last, NULL, NULL);
    else
        event->at = driver_stream_at(own);
    return CUDA_SUCCESS;
}

CUresult cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned int flags)
{
    (void)flags;
    return cuEventRecord(event, stream);
}

CUresult cuEventSynchronize(CUevent event)
{
    DRIVER_ENTER;
    if (!event)
        return CUDA_ERROR_INVALID_HANDLE;
    if (event->recorded)
        driver.host = MAX(driver.host, event->at);
    driver_print();
    return CUDA_SUCCESS;
}

CUresult cuEventQuery(CUevent event)
{
    DRIVER_ENTER;
    return event ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuEventElapsedTime(float *milliseconds, CUevent from, CUevent to)
{
    DRIVER_ENTER;
    if (!from || !to || !from->recorded || !to->recorded)
        return CUDA_ERROR_INVALID_HANDLE;
    *milliseconds = (float)((to->at - from->at) * 1000);
    return CUDA_SUCCESS;
}

CUresult cuEventElapsedTime_v2(float *milliseconds, CUevent from, CUevent to)
{
    return cuEventElapsedTime(milliseconds, from, to);
}

#pragma GCC visibility pop
