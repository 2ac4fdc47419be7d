/* SPDX-License-Identifier: BSD-3-Clause */
/* Entries for the device and its contexts. */
#include "driver/state.h"

#include <stdlib.h>
#include <string.h>

#pragma GCC visibility push(default)

CUresult cuDriverGetVersion(int *version)
{
    if (!version)
        return CUDA_ERROR_INVALID_VALUE;
    *version = DRIVER_VERSION;
    return CUDA_SUCCESS;
}

/* ---- the device ----------------------------------------------------------------------------- */

/* CUDA_VISIBLE_DEVICES hides the only device unless it begins with its number or name. */
static gboolean is_visible(void)
{
    const char *visible = g_getenv("CUDA_VISIBLE_DEVICES");
    return !visible || *visible == '0' || g_str_has_prefix(visible, "GPU-");
}

CUresult cuDeviceGetCount(int *count)
{
    DRIVER_ENTER;
    if (!count)
        return CUDA_ERROR_INVALID_VALUE;
    *count = is_visible();
    return CUDA_SUCCESS;
}

CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
    DRIVER_ENTER;
    if (!device)
        return CUDA_ERROR_INVALID_VALUE;
    if (ordinal != 0 || !is_visible())
        return CUDA_ERROR_INVALID_DEVICE;
    *device = 0;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetName(char *name, int length, CUdevice device)
{
    DRIVER_ENTER;
    if (device != 0)
        return CUDA_ERROR_INVALID_DEVICE;
    if (!name || length < 1)
        return CUDA_ERROR_INVALID_VALUE;
    g_strlcpy(name, driver.gpu->name, (gsize)length);
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device)
{
    static const char own[sizeof uuid->bytes] = "pipesim";
    DRIVER_ENTER;
    if (device != 0)
        return CUDA_ERROR_INVALID_DEVICE;
    memcpy(uuid->bytes, own, sizeof own);
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice device)
{
    return cuDeviceGetUuid(uuid, device);
}

CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice device)
{
    guint64 all, taken;
    DRIVER_ENTER;
    if (device != 0)
        return CUDA_ERROR_INVALID_DEVICE;
    ps_card_memory_count(ps_card_memory(driver.card), &all, &taken);
    *bytes = all;
    return CUDA_SUCCESS;
}

CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device)
{
    DRIVER_ENTER;
    if (device != 0)
        return CUDA_ERROR_INVALID_DEVICE;
    *major = (int)driver.gpu->capability / 10;
    *minor = (int)driver.gpu->capability % 10;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetPCIBusId(char *id, int length, CUdevice device)
{
    DRIVER_ENTER;
    if (device != 0)
        return CUDA_ERROR_INVALID_DEVICE;
    g_strlcpy(id, "0000:01:00.0", (gsize)length);
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetByPCIBusId(CUdevice *device, const char *id)
{
    DRIVER_ENTER;
    *device = 0;
    return id ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer)
{
    DRIVER_ENTER;
    if (device != 0 || peer != 0)
        return CUDA_ERROR_INVALID_DEVICE;
    *can = 0;
    return CUDA_SUCCESS;
}

/* ---- contexts ------------------------------------------------------------------------------- */

/* Each thread has a stack of contexts, whose last one is current. */
enum { MOST_DEPTH = 64 };
static _Thread_local struct {
    CUcontext contexts[MOST_DEPTH];
    guint n;
} stack;

CUresult cuCtxPushCurrent_v2(CUcontext context)
{
    DRIVER_ENTER;
    if (!context || stack.n == MOST_DEPTH)
        return CUDA_ERROR_INVALID_CONTEXT;
    stack.contexts[stack.n++] = context;
    return CUDA_SUCCESS;
}

CUresult cuCtxPopCurrent_v2(CUcontext *context)
{
    DRIVER_ENTER;
    if (stack.n == 0)
        return CUDA_ERROR_INVALID_CONTEXT;
    stack.n--;
    if (context)
        *context = stack.contexts[stack.n];
    return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext context)
{
    DRIVER_ENTER;
    if (stack.n > 0)
        stack.n--;
    if (context)
        stack.contexts[stack.n++] = context;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext *context)
{
    DRIVER_ENTER;
    *context = stack.n ? stack.contexts[stack.n - 1] : NULL;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetDevice(CUdevice *device)
{
    DRIVER_ENTER;
    if (!stack.n)
        return CUDA_ERROR_INVALID_CONTEXT;
    *device = 0;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetDevice_v2(CUdevice *device, CUcontext context)
{
    DRIVER_ENTER;
    (void)context;
    *device = 0;
    return CUDA_SUCCESS;
}

static CUresult create(CUcontext *context, CUdevice device)
{
    DRIVER_ENTER;
    if (!context)
        return CUDA_ERROR_INVALID_VALUE;
    if (device != 0)
        return CUDA_ERROR_INVALID_DEVICE;
    *context = g_new0(struct Context, 1);
    return cuCtxPushCurrent_v2(*context);
}

CUresult cuCtxCreate_v2(CUcontext *context, unsigned int flags, CUdevice device)
{
    (void)flags;
    return create(context, device);
}

CUresult cuCtxCreate_v3(CUcontext *context, void *affinities, int n, unsigned int flags,
                        CUdevice device)
{
    (void)affinities;
    (void)n;
    (void)flags;
    return create(context, device);
}

CUresult cuCtxCreate_v4(CUcontext *context, void *params, unsigned int flags, CUdevice device)
{
    (void)params;
    (void)flags;
    return create(context, device);
}

CUresult cuCtxDestroy_v2(CUcontext context)
{
    DRIVER_ENTER;
    if (!context || context == &driver.primary)
        return CUDA_ERROR_INVALID_CONTEXT;
    if (stack.n && stack.contexts[stack.n - 1] == context)
        stack.n--;
    driver_print();
    g_free(context);
    return CUDA_SUCCESS;
}

CUresult cuCtxGetApiVersion(CUcontext context, unsigned int *version)
{
    DRIVER_ENTER;
    (void)context;
    *version = 3020;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetFlags(unsigned int *flags)
{
    DRIVER_ENTER;
    *flags = 0;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest)
{
    DRIVER_ENTER;
    if (least)
        *least = 0;
    if (greatest)
        *greatest = -5;
    return CUDA_SUCCESS;
}

/* Settings of a device that change no result of a program. */
CUresult cuCtxSetCacheConfig(int config)
{
    DRIVER_ENTER;
    (void)config;
    return CUDA_SUCCESS;
}

CUresult cuCtxSetSharedMemConfig(int config)
{
    DRIVER_ENTER;
    (void)config;
    return CUDA_SUCCESS;
}

#define LIMIT_HEAP 2 /* CU_LIMIT_MALLOC_HEAP_SIZE */

/* Other limits change no result of a program. */
CUresult cuCtxSetLimit(int limit, size_t value)
{
    DRIVER_ENTER;
    return limit != LIMIT_HEAP || ps_card_set_heap(driver.card, value) ? CUDA_SUCCESS
                                                                       : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuCtxGetLimit(size_t *value, int limit)
{
    static const size_t usual[] = {1024, 1 << 20, 8 << 20, 2, 2048, 128};
    DRIVER_ENTER;
    if (limit < 0 || limit >= (int)G_N_ELEMENTS(usual))
        return CUDA_ERROR_INVALID_VALUE;
    *value = limit == LIMIT_HEAP ? ps_card_heap(driver.card) : usual[limit];
    return CUDA_SUCCESS;
}

CUresult cuCtxSynchronize(void)
{
    DRIVER_ENTER;
    driver.host = MAX(driver.host, driver_stream_at(&driver.legacy));
    for (guint i = 0; i < driver.streams->len; i++)
        driver.host = MAX(driver.host, ((const struct Stream *)driver.streams->pdata[i])->at);
    driver_print();
    return CUDA_SUCCESS;
}

CUresult cuCtxSynchronize_v2(CUcontext context)
{
    (void)context;
    return cuCtxSynchronize();
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
    DRIVER_ENTER;
    if (device != 0)
        return CUDA_ERROR_INVALID_DEVICE;
    driver.primary.retained++;
    *context = &driver.primary;
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device)
{
    DRIVER_ENTER;
    if (device != 0)
        return CUDA_ERROR_INVALID_DEVICE;
    if (driver.primary.retained)
        driver.primary.retained--;
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRelease(CUdevice device)
{
    return cuDevicePrimaryCtxRelease_v2(device);
}

CUresult cuDevicePrimaryCtxReset_v2(CUdevice device)
{
    DRIVER_ENTER;
    driver_print();
    return device != 0 ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxReset(CUdevice device)
{
    return cuDevicePrimaryCtxReset_v2(device);
}

CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice device, unsigned int flags)
{
    DRIVER_ENTER;
    (void)flags;
    return device != 0 ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned int *flags, int *active)
{
    DRIVER_ENTER;
    if (device != 0)
        return CUDA_ERROR_INVALID_DEVICE;
    *flags = 0;
    *active = driver.primary.retained > 0;
    return CUDA_SUCCESS;
}

/* ---- profilers ------------------------------------------------------------------------------ */

CUresult cuProfilerStart(void)
{
    return CUDA_SUCCESS;
}

CUresult cuProfilerStop(void)
{
    return CUDA_SUCCESS;
}

#pragma GCC visibility pop
