/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Entries whose parameters, or structures behind these, changed with CUDA 13. For programs of CUDA
 * 12 (CUDA_12) they have numbered names, and older.c has the plain ones.
 */
#ifdef CUDA_12
#define cudaGraphAddDependencies cudaGraphAddDependencies_v2
#define cudaGraphAddNode cudaGraphAddNode_v2
#define cudaGraphGetEdges cudaGraphGetEdges_v2
#define cudaGraphNodeGetDependencies cudaGraphNodeGetDependencies_v2
#define cudaGraphNodeGetDependentNodes cudaGraphNodeGetDependentNodes_v2
#define cudaGraphRemoveDependencies cudaGraphRemoveDependencies_v2
#define cudaMemAdvise cudaMemAdvise_v2
#define cudaMemPrefetchAsync cudaMemPrefetchAsync_v2
#define cudaStreamGetCaptureInfo cudaStreamGetCaptureInfo_v3
#define cudaStreamUpdateCaptureDependencies cudaStreamUpdateCaptureDependencies_v2
#endif

#include "driver/properties.h"
#include "driver/same.h"

#include <string.h>

#pragma GCC visibility push(default)

/* Hints change no result of a program. */
cudaError_t cudaMemAdvise(const void *pointer, size_t bytes, int advice, uint64_t location)
{
    (void)pointer, (void)bytes, (void)advice, (void)location;
    RUNTIME_ENTER;
    return cudaSuccess;
}

cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes, uint64_t location,
                                 unsigned int flags, CUstream stream)
{
    (void)pointer, (void)bytes, (void)location, (void)flags, (void)stream;
    RUNTIME_ENTER;
    return cudaSuccess;
}

cudaError_t cudaGraphAddNode(CUgraphNode *made, CUgraph graph, const CUgraphNode *needs,
                             const void *edges, size_t n, void *params)
{
    (void)edges;
    return runtime_add_node(made, graph, needs, n, params);
}

/* clang-format off */
SAME_AS(GraphGetEdges, cuGraphGetEdges_v2, (CUgraph graph, CUgraphNode *from, CUgraphNode *to, void *edges, size_t *n), (graph, from, to, edges, n))
SAME_AS(GraphNodeGetDependencies, cuGraphNodeGetDependencies_v2, (CUgraphNode node, CUgraphNode *needs, void *edges, size_t *n), (node, needs, edges, n))
SAME_AS(GraphNodeGetDependentNodes, cuGraphNodeGetDependentNodes_v2, (CUgraphNode node, CUgraphNode *nodes, void *edges, size_t *n), (node, nodes, edges, n))
SAME_AS(GraphAddDependencies, cuGraphAddDependencies_v2, (CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, const void *edges, size_t n), (graph, from, to, edges, n))
SAME_AS(GraphRemoveDependencies, cuGraphRemoveDependencies_v2, (CUgraph graph, const CUgraphNode *from, const CUgraphNode *to, const void *edges, size_t n), (graph, from, to, edges, n))
SAME_AS(StreamGetCaptureInfo, cuStreamGetCaptureInfo_v3, (CUstream stream, int *status, uint64_t *id, CUgraph *graph, const CUgraphNode **last, const void **edges, size_t *n), (stream, status, id, graph, last, edges, n))
SAME_AS(StreamUpdateCaptureDependencies, cuStreamUpdateCaptureDependencies_v2, (CUstream stream, CUgraphNode *nodes, const void *edges, size_t n, unsigned int flags), (stream, nodes, edges, n, flags))
/* clang-format on */

/* ---- structures that grew ------------------------------------------------------------------- */

typedef struct {
    int type, device;
    void *device_pointer, *host_pointer;
#ifndef CUDA_12
    long reserved[8];
#endif
} cudaPointerAttributes;

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *pointer)
{
    enum { TYPE = 2, IS_MANAGED = 8 };
    enum { UNREGISTERED, HOST, DEVICE, MANAGED };
    unsigned int type = 0, managed = 0;
    const CUdeviceptr address = (CUdeviceptr)(size_t)pointer;
    RUNTIME_ENTER;
    memset(attributes, 0, sizeof *attributes);
    attributes->device = -2;
    if (cuPointerGetAttribute(&type, TYPE, address)) {
        attributes->host_pointer = (void *)(size_t)pointer;
        return cudaSuccess;
    }
    cuPointerGetAttribute(&managed, IS_MANAGED, address);
    attributes->device = 0;
    attributes->type = managed ? MANAGED : type == MEMORY_HOST ? HOST : DEVICE;
    attributes->device_pointer = (void *)(size_t)pointer;
    if (attributes->type != DEVICE)
        attributes->host_pointer = (void *)(size_t)pointer;
    return cudaSuccess;
}

cudaError_t cudaGetTextureObjectResourceDesc(void *resource, uint64_t handle)
{
#ifndef CUDA_12
    enum { BYTES = 144 };
    memset(resource, 0, BYTES);
#endif
    return runtime_resource(resource, handle);
}

cudaError_t cudaGetSurfaceObjectResourceDesc(void *resource, uint64_t handle)
{
    return cudaGetTextureObjectResourceDesc(resource, handle);
}

#ifndef CUDA_12
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int device)
{
    return runtime_properties(properties, device);
}

cudaError_t cudaDriverGetVersion(int *version);
cudaError_t cudaRuntimeGetVersion(int *version)
{
    return cudaDriverGetVersion(version);
}
#endif

#pragma GCC visibility pop
