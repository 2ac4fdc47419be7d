/* SPDX-License-Identifier: BSD-3-Clause */
/* Graphs and captures: most entries are the driver's under another name. A kernel node names its
 * kernel by a host function. */
#include "driver/runtime-copy.h"
#include "driver/same.h"

#include <string.h>

typedef struct {
    void *function;
    dim3 grid, block;
    unsigned int shared;
    void **params, **extra;
} cudaKernelNodeParams;

/* The driver's layout. */
typedef struct {
    CUfunction function;
    unsigned int grid[3], block[3], shared;
    void **params, **extra;
    void *kernel;
    CUcontext context;
} KernelParams;

/* Both interfaces share the parameters of sets and of host functions. */
typedef struct SetParams SetParams;
typedef struct HostParams HostParams;
typedef struct AllocParams AllocParams;

CUresult cuGraphAddKernelNode_v2(CUgraphNode *, CUgraph, const CUgraphNode *, size_t,
                                 const KernelParams *);
CUresult cuGraphKernelNodeGetParams_v2(CUgraphNode, KernelParams *);
CUresult cuGraphKernelNodeSetParams_v2(CUgraphNode, const KernelParams *);
CUresult cuGraphExecKernelNodeSetParams_v2(CUgraphExec, CUgraphNode, const KernelParams *);
CUresult cuGraphAddMemcpyNode(CUgraphNode *, CUgraph, const CUgraphNode *, size_t,
                              const CUDA_MEMCPY3D *, CUcontext);
CUresult cuGraphMemcpyNodeSetParams(CUgraphNode, const CUDA_MEMCPY3D *);
CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec, CUgraphNode, const CUDA_MEMCPY3D *, CUcontext);
CUresult cuGraphAddMemsetNode(CUgraphNode *, CUgraph, const CUgraphNode *, size_t,
                              const SetParams *, CUcontext);
CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec, CUgraphNode, const SetParams *, CUcontext);

static cudaError_t read_kernel(const cudaKernelNodeParams *from, KernelParams *to)
{
    *to = (KernelParams){.grid = {from->grid.x, from->grid.y, from->grid.z},
                         .block = {from->block.x, from->block.y, from->block.z},
                         .shared = from->shared,
                         .params = from->params,
                         .extra = from->extra};
    return runtime_function(from->function, &to->function);
}

#pragma GCC visibility push(default)

cudaError_t cudaGraphAddKernelNode(CUgraphNode *made, CUgraph graph, const CUgraphNode *needs,
                                   size_t n, const cudaKernelNodeParams *params)
{
    KernelParams read;
    RUNTIME_ENTER;
    const cudaError_t error = read_kernel(params, &read);
    return runtime_keep(error ? error : cuGraphAddKernelNode_v2(made, graph, needs, n, &read));
}

cudaError_t cudaGraphKernelNodeSetParams(CUgraphNode node, const cudaKernelNodeParams *params)
{
    KernelParams read;
    RUNTIME_ENTER;
    const cudaError_t error = read_kernel(params, &read);
    return runtime_keep(error ? error : cuGraphKernelNodeSetParams_v2(node, &read));
}

cudaError_t cudaGraphExecKernelNodeSetParams(CUgraphExec made, CUgraphNode node,
                                             const cudaKernelNodeParams *params)
{
    KernelParams read;
    RUNTIME_ENTER;
    const cudaError_t error = read_kernel(params, &read);
    return runtime_keep(error ? error : cuGraphExecKernelNodeSetParams_v2(made, node, &read));
}

cudaError_t cudaGraphKernelNodeGetParams(CUgraphNode node, cudaKernelNodeParams *params)
{
    KernelParams read;
    RUNTIME_ENTER;
    const cudaError_t error = cuGraphKernelNodeGetParams_v2(node, &read);
    if (error)
        return runtime_keep(error);
    params->function = (void *)runtime_host(read.function);
    params->grid = (dim3){read.grid[0], read.grid[1], read.grid[2]};
    params->block = (dim3){read.block[0], read.block[1], read.block[2]};
    params->shared = read.shared;
    params->params = read.params;
    params->extra = NULL;
    return cudaSuccess;
}

/* ---- copies --------------------------------------------------------------------------------- */

cudaError_t cudaGraphAddMemcpyNode(CUgraphNode *made, CUgraph graph, const CUgraphNode *needs,
                                   size_t n, const cudaMemcpy3DParms *params)
{
    const CUDA_MEMCPY3D box = runtime_box(params);
    RUNTIME_CALL(cuGraphAddMemcpyNode(made, graph, needs, n, &box, NULL));
}

cudaError_t cudaGraphMemcpyNodeSetParams(CUgraphNode node, const cudaMemcpy3DParms *params)
{
    const CUDA_MEMCPY3D box = runtime_box(params);
    RUNTIME_CALL(cuGraphMemcpyNodeSetParams(node, &box));
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(CUgraphExec made, CUgraphNode node,
                                             const cudaMemcpy3DParms *params)
{
    const CUDA_MEMCPY3D box = runtime_box(params);
    RUNTIME_CALL(cuGraphExecMemcpyNodeSetParams(made, node, &box, NULL));
}

cudaError_t cudaGraphAddMemcpyNode1D(CUgraphNode *made, CUgraph graph, const CUgraphNode *needs,
                                     size_t n, void *to, const void *from, size_t bytes, int kind)
{
    const CUDA_MEMCPY3D box = runtime_row(to, from, bytes);
    (void)kind;
    RUNTIME_CALL(cuGraphAddMemcpyNode(made, graph, needs, n, &box, NULL));
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(CUgraphNode node, void *to, const void *from,
                                           size_t bytes, int kind)
{
    const CUDA_MEMCPY3D box = runtime_row(to, from, bytes);
    (void)kind;
    RUNTIME_CALL(cuGraphMemcpyNodeSetParams(node, &box));
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(CUgraphExec made, CUgraphNode node, void *to,
                                               const void *from, size_t bytes, int kind)
{
    const CUDA_MEMCPY3D box = runtime_row(to, from, bytes);
    (void)kind;
    RUNTIME_CALL(cuGraphExecMemcpyNodeSetParams(made, node, &box, NULL));
}

cudaError_t cudaGraphAddMemcpyNodeToSymbol(CUgraphNode *made, CUgraph graph,
                                           const CUgraphNode *needs, size_t n, const void *symbol,
                                           const void *from, size_t bytes, size_t at, int kind)
{
    char *address;
    RUNTIME_ENTER;
    const cudaError_t error = runtime_variable(symbol, &address, NULL);
    return error ? runtime_keep(error)
                 : cudaGraphAddMemcpyNode1D(made, graph, needs, n, address + at, from, bytes, kind);
}

cudaError_t cudaGraphAddMemcpyNodeFromSymbol(CUgraphNode *made, CUgraph graph,
                                             const CUgraphNode *needs, size_t n, void *to,
                                             const void *symbol, size_t bytes, size_t at, int kind)
{
    char *address;
    RUNTIME_ENTER;
    const cudaError_t error = runtime_variable(symbol, &address, NULL);
    return error ? runtime_keep(error)
                 : cudaGraphAddMemcpyNode1D(made, graph, needs, n, to, address + at, bytes, kind);
}

/* ---- what takes a context more -------------------------------------------------------------- */

cudaError_t cudaGraphAddMemsetNode(CUgraphNode *made, CUgraph graph, const CUgraphNode *needs,
                                   size_t n, const SetParams *params)
{
    RUNTIME_CALL(cuGraphAddMemsetNode(made, graph, needs, n, params, NULL));
}

cudaError_t cudaGraphExecMemsetNodeSetParams(CUgraphExec made, CUgraphNode node,
                                             const SetParams *params)
{
    RUNTIME_CALL(cuGraphExecMemsetNodeSetParams(made, node, params, NULL));
}

/* ---- what is the driver's ------------------------------------------------------------------- */

/* clang-format off */
#define NODE_TYPES CUgraphNode *made, CUgraph graph, const CUgraphNode *needs, size_t n

SAME(GraphCreate, (CUgraph *graph, unsigned int flags), (graph, flags))
SAME(GraphDestroy, (CUgraph graph), (graph))
SAME(GraphClone, (CUgraph *clone, CUgraph graph), (clone, graph))
SAME(GraphExecDestroy, (CUgraphExec made), (made))
SAME(GraphExecGetFlags, (CUgraphExec made, uint64_t *flags), (made, flags))
SAME(GraphUpload, (CUgraphExec made, CUstream stream), (made, stream))
SAME(GraphLaunch, (CUgraphExec made, CUstream stream), (made, stream))
SAME(GraphDestroyNode, (CUgraphNode node), (node))
SAME(GraphNodeGetType, (CUgraphNode node, int *type), (node, type))
SAME(GraphNodeFindInClone, (CUgraphNode *found, CUgraphNode node, CUgraph clone), (found, node, clone))
SAME(GraphNodeSetEnabled, (CUgraphExec made, CUgraphNode node, unsigned int on), (made, node, on))
SAME(GraphNodeGetEnabled, (CUgraphExec made, CUgraphNode node, unsigned int *on), (made, node, on))
SAME(GraphGetNodes, (CUgraph graph, CUgraphNode *nodes, size_t *n), (graph, nodes, n))
SAME(GraphGetRootNodes, (CUgraph graph, CUgraphNode *nodes, size_t *n), (graph, nodes, n))
SAME(GraphMemsetNodeGetParams, (CUgraphNode node, SetParams *params), (node, params))
SAME(GraphMemsetNodeSetParams, (CUgraphNode node, const SetParams *params), (node, params))
SAME(GraphAddHostNode, (NODE_TYPES, const HostParams *params), (made, graph, needs, n, params))
SAME(GraphHostNodeGetParams, (CUgraphNode node, HostParams *params), (node, params))
SAME(GraphHostNodeSetParams, (CUgraphNode node, const HostParams *params), (node, params))
SAME(GraphExecHostNodeSetParams, (CUgraphExec made, CUgraphNode node, const HostParams *params), (made, node, params))
SAME(GraphAddChildGraphNode, (NODE_TYPES, CUgraph child), (made, graph, needs, n, child))
SAME(GraphChildGraphNodeGetGraph, (CUgraphNode node, CUgraph *graph), (node, graph))
SAME(GraphExecChildGraphNodeSetParams, (CUgraphExec made, CUgraphNode node, CUgraph child), (made, node, child))
SAME(GraphAddEmptyNode, (NODE_TYPES), (made, graph, needs, n))
SAME(GraphAddEventRecordNode, (NODE_TYPES, CUevent event), (made, graph, needs, n, event))
SAME(GraphEventRecordNodeGetEvent, (CUgraphNode node, CUevent *event), (node, event))
SAME(GraphEventRecordNodeSetEvent, (CUgraphNode node, CUevent event), (node, event))
SAME(GraphExecEventRecordNodeSetEvent, (CUgraphExec made, CUgraphNode node, CUevent event), (made, node, event))
SAME(GraphAddEventWaitNode, (NODE_TYPES, CUevent event), (made, graph, needs, n, event))
SAME(GraphEventWaitNodeGetEvent, (CUgraphNode node, CUevent *event), (node, event))
SAME(GraphEventWaitNodeSetEvent, (CUgraphNode node, CUevent event), (node, event))
SAME(GraphExecEventWaitNodeSetEvent, (CUgraphExec made, CUgraphNode node, CUevent event), (made, node, event))
SAME(GraphAddMemAllocNode, (NODE_TYPES, AllocParams *params), (made, graph, needs, n, params))
SAME(GraphMemAllocNodeGetParams, (CUgraphNode node, AllocParams *params), (node, params))
SAME(GraphMemFreeNodeGetParams, (CUgraphNode node, CUdeviceptr *memory), (node, memory))
SAME(DeviceGraphMemTrim, (CUdevice device), (device))
SAME(UserObjectCreate, (void **object, void *data, void (*destroy)(void *), unsigned int n, unsigned int flags), (object, data, destroy, n, flags))
SAME(UserObjectRetain, (void *object, unsigned int n), (object, n))
SAME(UserObjectRelease, (void *object, unsigned int n), (object, n))
SAME(GraphRetainUserObject, (CUgraph graph, void *object, unsigned int n, unsigned int flags), (graph, object, n, flags))
SAME(GraphReleaseUserObject, (CUgraph graph, void *object, unsigned int n), (graph, object, n))
SAME_AS(GraphInstantiate, cuGraphInstantiateWithFlags, (CUgraphExec *made, CUgraph graph, unsigned long long flags), (made, graph, flags))
SAME(GraphInstantiateWithParams, (CUgraphExec *made, CUgraph graph, void *params), (made, graph, params))
SAME_AS(GraphExecUpdate, cuGraphExecUpdate_v2, (CUgraphExec made, CUgraph graph, void *info), (made, graph, info))
SAME_AS(StreamBeginCapture, cuStreamBeginCapture_v2, (CUstream stream, int mode), (stream, mode))
SAME(StreamBeginCaptureToGraph, (CUstream stream, CUgraph graph, const CUgraphNode *needs, const void *edges, size_t n, int mode), (stream, graph, needs, edges, n, mode))
SAME(StreamEndCapture, (CUstream stream, CUgraph *graph), (stream, graph))
SAME(ThreadExchangeStreamCaptureMode, (int *mode), (mode))
/* clang-format on */

cudaError_t cudaStreamIsCapturing(CUstream stream, int *status)
{
    RUNTIME_CALL(cuStreamIsCapturing(stream, status));
}

cudaError_t cudaGraphInstantiateWithFlags(CUgraphExec *made, CUgraph graph,
                                          unsigned long long flags)
{
    return cudaGraphInstantiate(made, graph, flags);
}

CUresult cuGraphAddMemFreeNode(CUgraphNode *, CUgraph, const CUgraphNode *, size_t, CUdeviceptr);
cudaError_t cudaGraphAddMemFreeNode(NODE_TYPES, void *memory)
{
    RUNTIME_CALL(cuGraphAddMemFreeNode(made, graph, needs, n, (CUdeviceptr)(size_t)memory));
}

#pragma GCC visibility pop
