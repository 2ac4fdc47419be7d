/* SPDX-License-Identifier: BSD-3-Clause */
/* Entries for other devices, of which there are none, and for memory of other processes. */
#include "driver/state.h"

#pragma GCC visibility push(default)

CUresult cuCtxEnablePeerAccess(CUcontext context, unsigned int flags)
{
    enum { PEER_ACCESS_UNSUPPORTED = 217 };
    DRIVER_ENTER;
    (void)flags;
    return context ? PEER_ACCESS_UNSUPPORTED : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult cuCtxDisablePeerAccess(CUcontext context)
{
    enum { PEER_ACCESS_NOT_ENABLED = 705 };
    DRIVER_ENTER;
    return context ? PEER_ACCESS_NOT_ENABLED : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult cuDeviceGetP2PAttribute(int *value, int attribute, CUdevice from, CUdevice to)
{
    DRIVER_ENTER;
    (void)attribute;
    if (!value)
        return CUDA_ERROR_INVALID_VALUE;
    if (from != 0 || to != 0 || from == to)
        return CUDA_ERROR_INVALID_DEVICE;
    *value = 0;
    return CUDA_SUCCESS;
}

#pragma GCC visibility pop
