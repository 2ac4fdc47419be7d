/* SPDX-License-Identifier: BSD-3-Clause */
/* Entries for pools, which only count: their memory is memory of the device. */
#include "driver/state.h"

#include <string.h>

/* The first attributes, which allow reuse, have 32 bits. */
enum { REUSE = 3, THRESHOLD, RESERVED, RESERVED_HIGH, USED, USED_HIGH, N_ATTRIBUTES };

typedef struct Pool {
    uint64_t values[THRESHOLD + 1];
} Pool;

static Pool whole = {{0, 1, 1, 1}}, *current = &whole;

#pragma GCC visibility push(default)

CUresult cuMemPoolCreate(Pool **pool, const void *properties)
{
    DRIVER_ENTER;
    if (!pool || !properties)
        return CUDA_ERROR_INVALID_VALUE;
    *pool = g_new0(Pool, 1);
    for (guint i = 1; i <= REUSE; i++)
        (*pool)->values[i] = 1;
    return CUDA_SUCCESS;
}

CUresult cuMemPoolDestroy(Pool *pool)
{
    DRIVER_ENTER;
    if (!pool || pool == &whole)
        return CUDA_ERROR_INVALID_VALUE;
    if (current == pool)
        current = &whole;
    g_free(pool);
    return CUDA_SUCCESS;
}

CUresult cuMemPoolTrimTo(Pool *pool, size_t bytes)
{
    (void)bytes;
    return pool ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static gsize size_of(int attribute)
{
    return attribute <= REUSE ? sizeof(int) : sizeof(uint64_t);
}

/* The number of the memory's mark for an attribute. */
static guint mark_of(int attribute)
{
    return attribute == USED_HIGH;
}

/* A high mark can only be set to 0, which means the present use. */
CUresult cuMemPoolSetAttribute(Pool *pool, int attribute, const void *value)
{
    DRIVER_ENTER;
    uint64_t number = 0;
    if (!pool || !value || attribute < 1 || attribute >= N_ATTRIBUTES)
        return CUDA_ERROR_INVALID_VALUE;
    memcpy(&number, value, size_of(attribute));
    if (attribute <= THRESHOLD)
        pool->values[attribute] = number;
    else if ((attribute != RESERVED_HIGH && attribute != USED_HIGH) || number != 0)
        return CUDA_ERROR_INVALID_VALUE;
    else
        ps_card_memory_mark(ps_card_memory(driver.card), mark_of(attribute));
    return CUDA_SUCCESS;
}

/* Used memory is what the device has allocated. */
CUresult cuMemPoolGetAttribute(Pool *pool, int attribute, void *value)
{
    guint64 all, number;
    DRIVER_ENTER;
    if (!pool || !value || attribute < 1 || attribute >= N_ATTRIBUTES)
        return CUDA_ERROR_INVALID_VALUE;
    const PsCardMemory *memory = ps_card_memory(driver.card);
    if (attribute <= THRESHOLD)
        number = pool->values[attribute];
    else if (attribute == RESERVED || attribute == USED)
        ps_card_memory_count(memory, &all, &number);
    else
        number = ps_card_memory_most(memory, mark_of(attribute));
    memcpy(value, &number, size_of(attribute));
    return CUDA_SUCCESS;
}

CUresult cuMemPoolSetAccess(Pool *pool, const void *access, size_t n)
{
    (void)access;
    (void)n;
    return pool ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemPoolGetAccess(int *flags, Pool *pool, const void *location)
{
    enum { READ_AND_WRITE = 3 };
    (void)location;
    *flags = READ_AND_WRITE;
    return pool ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuDeviceGetDefaultMemPool(Pool **pool, CUdevice device)
{
    DRIVER_ENTER;
    *pool = &whole;
    return device != 0 ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS;
}

CUresult cuDeviceGetMemPool(Pool **pool, CUdevice device)
{
    DRIVER_ENTER;
    *pool = current;
    return device != 0 ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS;
}

CUresult cuDeviceSetMemPool(CUdevice device, Pool *pool)
{
    DRIVER_ENTER;
    if (device != 0)
        return CUDA_ERROR_INVALID_DEVICE;
    if (!pool)
        return CUDA_ERROR_INVALID_VALUE;
    current = pool;
    return CUDA_SUCCESS;
}

/* ---- memory that is mapped: addresses first, what lies there later -------------------------- */

enum { GRANULARITY = 2 << 20 };

/* Memory has one place, so an allocation lies where it is mapped first. */
typedef struct {
    size_t bytes;
    char properties[32];
} Allocation;

CUresult cuMemGetAllocationGranularity(size_t *bytes, const void *properties, int option)
{
    DRIVER_ENTER;
    (void)properties;
    (void)option;
    if (!bytes)
        return CUDA_ERROR_INVALID_VALUE;
    *bytes = GRANULARITY;
    return CUDA_SUCCESS;
}

CUresult cuMemCreate(uint64_t *handle, size_t bytes, const void *properties, uint64_t flags)
{
    DRIVER_ENTER;
    if (!handle || !bytes || bytes % GRANULARITY || !properties || flags)
        return CUDA_ERROR_INVALID_VALUE;
    Allocation *made = g_new0(Allocation, 1);
    made->bytes = bytes;
    memcpy(made->properties, properties, sizeof made->properties);
    *handle = (gsize)made;
    return CUDA_SUCCESS;
}

CUresult cuMemGetAllocationPropertiesFromHandle(void *properties, uint64_t handle)
{
    DRIVER_ENTER;
    if (!handle || !properties)
        return CUDA_ERROR_INVALID_VALUE;
    memcpy(properties, ((const Allocation *)(gsize)handle)->properties,
           sizeof((const Allocation *)0)->properties);
    return CUDA_SUCCESS;
}

CUresult cuMemRelease(uint64_t handle)
{
    DRIVER_ENTER;
    if (!handle)
        return CUDA_ERROR_INVALID_VALUE;
    g_free((Allocation *)(gsize)handle);
    return CUDA_SUCCESS;
}

CUresult cuMemAddressReserve(CUdeviceptr *pointer, size_t bytes, size_t align, CUdeviceptr wanted,
                             uint64_t flags)
{
    (void)align;
    (void)wanted;
    (void)flags;
    return bytes % GRANULARITY ? CUDA_ERROR_INVALID_VALUE : cuMemAlloc_v2(pointer, bytes);
}

CUresult cuMemAddressFree(CUdeviceptr pointer, size_t bytes)
{
    (void)bytes;
    return cuMemFree_v2(pointer);
}

CUresult cuMemMap(CUdeviceptr pointer, size_t bytes, size_t offset, uint64_t handle, uint64_t flags)
{
    DRIVER_ENTER;
    (void)flags;
    const PsCardPiece *piece =
        ps_card_memory_find(ps_card_memory(driver.card), (gpointer)(gsize)pointer);
    if (!piece || !handle || offset ||
        bytes > piece->size - (gsize)((guint8 *)(gsize)pointer - piece->data))
        return CUDA_ERROR_INVALID_VALUE;
    return CUDA_SUCCESS;
}

CUresult cuMemUnmap(CUdeviceptr pointer, size_t bytes)
{
    return cuMemMap(pointer, bytes, 0, 1, 0);
}

CUresult cuMemSetAccess(CUdeviceptr pointer, size_t bytes, const void *access, size_t n)
{
    (void)access;
    (void)n;
    return cuMemUnmap(pointer, bytes);
}

#pragma GCC visibility pop
