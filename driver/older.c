/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Entries for programs of CUDA 12 where those of CUDA 13 differ (changed.c), and entries that CUDA
 * 13's runtime lacks.
 */
#include "driver/properties.h"
#include "driver/same.h"

#include <string.h>

#pragma GCC visibility push(default)

enum { VERSION = 12090 };

cudaError_t cudaRuntimeGetVersion(int *version)
{
    RUNTIME_ENTER;
    if (!version)
        return runtime_keep(cudaErrorInvalidValue);
    *version = VERSION;
    return cudaSuccess;
}

/* ---- properties ----------------------------------------------------------------------------- */

/* The layout for which programs of CUDA 12 were compiled. */
typedef struct {
    char name[256], uuid[16], luid[8];
    unsigned int luid_mask;
    size_t memory, shared_per_block;
    int registers, warp;
    size_t pitch;
    int threads, block[3], grid[3], clock;
    size_t constant;
    int major, minor;
    size_t texture_alignment, texture_pitch;
    int overlap, units, timeout, integrated, map_host, mode;
    int textures_and_surfaces[40];
    size_t surface_alignment;
    int concurrent, ecc, bus, slot, domain, tcc, engines, unified, memory_clock, bus_width, l2,
        persisting, threads_per_unit, priorities, global_l1, local_l1;
    size_t shared_per_unit;
    int registers_per_unit, managed, multi, multi_id, native_atomic, double_ratio, pageable,
        concurrent_managed, preemption, host_pointer, cooperative, cooperative_multi;
    size_t shared_optin;
    int host_tables, direct_managed, blocks_per_unit, window;
    size_t reserved_shared;
    int host_register, sparse, read_only, semaphore, pools, rdma;
    unsigned int rdma_flush;
    int rdma_order;
    unsigned int pool_handles;
    int deferred, ipc_event, cluster, function_pointers, reserved[63];
} Properties;

G_STATIC_ASSERT(sizeof(Properties) == 1032);

#define COPY(member) memcpy(&to->member, &from->member, sizeof to->member)

static void copy_limits(Properties *to, const cudaDeviceProp *from)
{
    COPY(name), COPY(uuid), COPY(luid), COPY(luid_mask), COPY(memory), COPY(shared_per_block);
    COPY(registers), COPY(warp), COPY(pitch), COPY(threads), COPY(block), COPY(grid);
    COPY(constant), COPY(major), COPY(minor), COPY(texture_alignment), COPY(texture_pitch);
    COPY(units), COPY(bus_width), COPY(l2), COPY(persisting), COPY(threads_per_unit);
    COPY(shared_per_unit), COPY(registers_per_unit), COPY(shared_optin), COPY(blocks_per_unit);
    COPY(window), COPY(reserved_shared), COPY(surface_alignment);
}

static void copy_abilities(Properties *to, const cudaDeviceProp *from)
{
    COPY(integrated), COPY(map_host), COPY(concurrent), COPY(ecc), COPY(bus), COPY(slot);
    COPY(domain), COPY(tcc), COPY(engines), COPY(unified), COPY(priorities), COPY(global_l1);
    COPY(local_l1), COPY(managed), COPY(multi), COPY(multi_id), COPY(native_atomic);
    COPY(pageable), COPY(concurrent_managed), COPY(preemption), COPY(host_pointer);
    COPY(cooperative), COPY(host_tables), COPY(direct_managed), COPY(host_register), COPY(sparse);
    COPY(read_only), COPY(semaphore), COPY(pools), COPY(rdma), COPY(rdma_flush), COPY(rdma_order);
    COPY(pool_handles), COPY(deferred), COPY(ipc_event), COPY(cluster), COPY(function_pointers);
}

cudaError_t cudaGetDeviceProperties_v2(Properties *properties, int device)
{
    cudaDeviceProp newer;
    const cudaError_t error = runtime_properties(&newer, device);
    memset(properties, 0, sizeof *properties);
    if (error)
        return error;
    copy_limits(properties, &newer);
    copy_abilities(properties, &newer);
    properties->clock = runtime_attribute(13);
    properties->memory_clock = runtime_attribute(36);
    properties->overlap = runtime_attribute(15);
    properties->double_ratio = runtime_attribute(87);
    return cudaSuccess;
}

/* ---- hints ---------------------------------------------------------------------------------- */

cudaError_t cudaMemAdvise(const void *pointer, size_t bytes, int advice, int device)
{
    (void)pointer, (void)bytes, (void)advice, (void)device;
    RUNTIME_ENTER;
    return cudaSuccess;
}

cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes, int device, CUstream stream)
{
    (void)pointer, (void)bytes, (void)device, (void)stream;
    RUNTIME_ENTER;
    return cudaSuccess;
}

/* ---- events and graphs ---------------------------------------------------------------------- */

cudaError_t cudaEventElapsedTime(float *milliseconds, CUevent from, CUevent to);
cudaError_t cudaEventElapsedTime_v2(float *milliseconds, CUevent from, CUevent to)
{
    return cudaEventElapsedTime(milliseconds, from, to);
}

cudaError_t cudaGraphAddNode(CUgraphNode *made, CUgraph graph, const CUgraphNode *needs, size_t n,
                             void *params)
{
    return runtime_add_node(made, graph, needs, n, params);
}

/* clang-format off */
SAME(GraphGetEdges, (CUgraph graph, CUgraphNode *from, CUgraphNode *to, size_t *n), (graph, from, to, n))
SAME(GraphNodeGetDependencies, (CUgraphNode node, CUgraphNode *needs, size_t *n), (node, needs, n))
SAME(GraphNodeGetDependentNodes, (CUgraphNode node, CUgraphNode *nodes, size_t *n), (node, nodes, n))
SAME(GraphAddDependencies, (CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, size_t n), (graph, from, to, n))
SAME(GraphRemoveDependencies, (CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, size_t n), (graph, from, to, n))
SAME(StreamGetCaptureInfo, (CUstream stream, int *status, uint64_t *id), (stream, status, id))
SAME_AS(StreamGetCaptureInfo_v2, cuStreamGetCaptureInfo_v2, (CUstream stream, int *status, uint64_t *id, CUgraph *graph, const CUgraphNode **last, size_t *n), (stream, status, id, graph, last, n))
SAME(StreamUpdateCaptureDependencies, (CUstream stream, CUgraphNode *nodes, size_t n, unsigned int flags), (stream, nodes, n, flags))
/* clang-format on */

#pragma GCC visibility pop
