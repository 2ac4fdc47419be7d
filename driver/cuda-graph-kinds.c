/* SPDX-License-Identifier: BSD-3-Clause */
/* Entries for nodes of each kind: they make nodes, and tell and change their parameters. */
#include "driver/graph.h"

#include <string.h>

/* ---- what nodes do, as programs say it ------------------------------------------------------ */

typedef struct {
    CUfunction function;
    unsigned int grid[3], block[3], shared;
    void **params, **extra;
} KernelParams;
typedef struct {
    CUfunction function;
    unsigned int grid[3], block[3], shared;
    void **params, **extra;
    CUkernel kernel;
    CUcontext context;
} KernelParams2;

typedef struct {
    CUdeviceptr to;
    size_t pitch;
    unsigned int value, size;
    size_t width, height;
} SetParams;

typedef struct {
    void (*function)(void *);
    void *data;
} HostParams;

/* The omitted members name the pool, and the devices that may access it. */
typedef struct {
    unsigned char pool[88];
    const void *access;
    size_t n_access, bytes;
    CUdeviceptr memory;
} AllocParams;

static Node kernel_of(const KernelParams *params)
{
    Node node = {.type = NODE_KERNEL,
                 .kernel = {.config = {.shared = params->shared},
                            .function = params->function,
                            .params = params->params,
                            .extra = params->extra}};
    memcpy(node.kernel.config.grid, params->grid, sizeof params->grid);
    memcpy(node.kernel.config.block, params->block, sizeof params->block);
    return node;
}

static Node kernel2_of(const KernelParams2 *params)
{
    KernelParams first;
    memcpy(&first, params, sizeof first);
    if (!first.function)
        first.function = params->kernel;
    return kernel_of(&first);
}

static void tell_kernel(const Node *node, KernelParams *params)
{
    params->function = node->kernel.function;
    memcpy(params->grid, node->kernel.config.grid, sizeof params->grid);
    memcpy(params->block, node->kernel.config.block, sizeof params->block);
    params->shared = node->kernel.config.shared;
    params->params = node->kernel.params;
    params->extra = NULL;
}

static void tell_kernel2(const Node *node, KernelParams2 *params)
{
    KernelParams first;
    tell_kernel(node, &first);
    memcpy(params, &first, sizeof first);
    params->kernel = NULL;
    params->context = &driver.primary;
}

static Node copy_of(const CUDA_MEMCPY3D *params)
{
    return (Node){.type = NODE_COPY, .copy = *params};
}

static void tell_copy(const Node *node, CUDA_MEMCPY3D *params)
{
    *params = node->copy;
}

static Node set_of(const SetParams *params)
{
    return (Node){.type = NODE_SET,
                  .set = {(gpointer)(gsize)params->to, params->pitch, params->value, params->size,
                          params->width, params->height}};
}

static void tell_set(const Node *node, SetParams *params)
{
    const Fill *set = &node->set;
    *params = (SetParams){
        (CUdeviceptr)(gsize)set->to, set->pitch, set->value, set->size, set->width, set->height};
}

static Node host_of(const HostParams *params)
{
    return (Node){.type = NODE_HOST, .function = params->function, .data = params->data};
}

static void tell_host(const Node *node, HostParams *params)
{
    *params = (HostParams){node->function, node->data};
}

/* ---- entries of each kind of node ----------------------------------------------------------- */

static CUresult add(CUgraphNode *made, CUgraph graph, const CUgraphNode *needs, size_t n,
                    const Node *like)
{
    DRIVER_ENTER;
    if (!made || !graph || (n && !needs))
        return CUDA_ERROR_INVALID_VALUE;
    if (like->type == NODE_KERNEL && !like->kernel.function)
        return CUDA_ERROR_INVALID_HANDLE;
    *made = graph_add(graph, like, needs, n);
    return *made ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static CUresult change(CUgraphNode node, const Node *like)
{
    DRIVER_ENTER;
    return graph_change(node, like);
}

static CUresult change_in(CUgraphExec made, CUgraphNode node, const Node *like)
{
    DRIVER_ENTER;
    return made && node ? graph_change(graph_find(made, node), like) : CUDA_ERROR_INVALID_VALUE;
}

#pragma GCC visibility push(default)

#define ADD(NAME, PARAMS, OF)                                                                      \
    CUresult NAME(CUgraphNode *made, CUgraph graph, const CUgraphNode *needs, size_t n,            \
                  const PARAMS *params)                                                            \
    {                                                                                              \
        const Node like = OF(params);                                                              \
        return add(made, graph, needs, n, &like);                                                  \
    }
#define ADD_IN_CONTEXT(NAME, PARAMS, OF)                                                           \
    CUresult NAME(CUgraphNode *made, CUgraph graph, const CUgraphNode *needs, size_t n,            \
                  const PARAMS *params, CUcontext context)                                         \
    {                                                                                              \
        const Node like = OF(params);                                                              \
        (void)context;                                                                             \
        return add(made, graph, needs, n, &like);                                                  \
    }
#define GET(NAME, PARAMS, TELL, TYPE)                                                              \
    CUresult NAME(CUgraphNode node, PARAMS params)                                                 \
    {                                                                                              \
        DRIVER_ENTER;                                                                              \
        if (!node || node->type != (TYPE))                                                         \
            return CUDA_ERROR_INVALID_VALUE;                                                       \
        TELL(node, params);                                                                        \
        return CUDA_SUCCESS;                                                                       \
    }
#define SET(NAME, PARAMS, OF)                                                                      \
    CUresult NAME(CUgraphNode node, const PARAMS *params)                                          \
    {                                                                                              \
        const Node like = OF(params);                                                              \
        return change(node, &like);                                                                \
    }
#define SET_IN(NAME, PARAMS, OF)                                                                   \
    CUresult NAME(CUgraphExec made, CUgraphNode node, const PARAMS *params)                        \
    {                                                                                              \
        const Node like = OF(params);                                                              \
        return change_in(made, node, &like);                                                       \
    }
#define SET_IN_CONTEXT(NAME, PARAMS, OF)                                                           \
    CUresult NAME(CUgraphExec made, CUgraphNode node, const PARAMS *params, CUcontext context)     \
    {                                                                                              \
        const Node like = OF(params);                                                              \
        (void)context;                                                                             \
        return change_in(made, node, &like);                                                       \
    }

ADD(cuGraphAddKernelNode, KernelParams, kernel_of)
ADD(cuGraphAddKernelNode_v2, KernelParams2, kernel2_of)
GET(cuGraphKernelNodeGetParams, KernelParams *, tell_kernel, NODE_KERNEL)
GET(cuGraphKernelNodeGetParams_v2, KernelParams2 *, tell_kernel2, NODE_KERNEL)
SET(cuGraphKernelNodeSetParams, KernelParams, kernel_of)
SET(cuGraphKernelNodeSetParams_v2, KernelParams2, kernel2_of)
SET_IN(cuGraphExecKernelNodeSetParams, KernelParams, kernel_of)
SET_IN(cuGraphExecKernelNodeSetParams_v2, KernelParams2, kernel2_of)

ADD_IN_CONTEXT(cuGraphAddMemcpyNode, CUDA_MEMCPY3D, copy_of)
GET(cuGraphMemcpyNodeGetParams, CUDA_MEMCPY3D *, tell_copy, NODE_COPY)
SET(cuGraphMemcpyNodeSetParams, CUDA_MEMCPY3D, copy_of)
SET_IN_CONTEXT(cuGraphExecMemcpyNodeSetParams, CUDA_MEMCPY3D, copy_of)

ADD_IN_CONTEXT(cuGraphAddMemsetNode, SetParams, set_of)
GET(cuGraphMemsetNodeGetParams, SetParams *, tell_set, NODE_SET)
SET(cuGraphMemsetNodeSetParams, SetParams, set_of)
SET_IN_CONTEXT(cuGraphExecMemsetNodeSetParams, SetParams, set_of)

ADD(cuGraphAddHostNode, HostParams, host_of)
GET(cuGraphHostNodeGetParams, HostParams *, tell_host, NODE_HOST)
SET(cuGraphHostNodeSetParams, HostParams, host_of)
SET_IN(cuGraphExecHostNodeSetParams, HostParams, host_of)

CUresult cuGraphAddEmptyNode(CUgraphNode *made, CUgraph graph, const CUgraphNode *needs, size_t n)
{
    return add(made, graph, needs, n, &(Node){.type = NODE_EMPTY});
}

CUresult cuGraphAddChildGraphNode(CUgraphNode *made, CUgraph graph, const CUgraphNode *needs,
                                  size_t n, CUgraph child)
{
    return child ? add(made, graph, needs, n, &(Node){.type = NODE_GRAPH, .child = child})
                 : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode node, CUgraph *graph)
{
    DRIVER_ENTER;
    if (!node || node->type != NODE_GRAPH)
        return CUDA_ERROR_INVALID_VALUE;
    *graph = node->child;
    return CUDA_SUCCESS;
}

CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec made, CUgraphNode node, CUgraph child)
{
    return child ? change_in(made, node, &(Node){.type = NODE_GRAPH, .child = child})
                 : CUDA_ERROR_INVALID_VALUE;
}

/* ---- events --------------------------------------------------------------------------------- */

#define EVENT_NODE(KIND, TYPE)                                                                     \
    CUresult cuGraphAddEvent##KIND##Node(CUgraphNode *made, CUgraph graph,                         \
                                         const CUgraphNode *needs, size_t n, CUevent event)        \
    {                                                                                              \
        return event ? add(made, graph, needs, n, &(Node){.type = (TYPE), .event = event})         \
                     : CUDA_ERROR_INVALID_HANDLE;                                                  \
    }                                                                                              \
    CUresult cuGraphEvent##KIND##NodeGetEvent(CUgraphNode node, CUevent *event)                    \
    {                                                                                              \
        DRIVER_ENTER;                                                                              \
        if (!node || node->type != (TYPE))                                                         \
            return CUDA_ERROR_INVALID_VALUE;                                                       \
        *event = node->event;                                                                      \
        return CUDA_SUCCESS;                                                                       \
    }                                                                                              \
    CUresult cuGraphEvent##KIND##NodeSetEvent(CUgraphNode node, CUevent event)                     \
    {                                                                                              \
        return change(node, &(Node){.type = (TYPE), .event = event});                              \
    }                                                                                              \
    CUresult cuGraphExecEvent##KIND##NodeSetEvent(CUgraphExec made, CUgraphNode node,              \
                                                  CUevent event)                                   \
    {                                                                                              \
        return change_in(made, node, &(Node){.type = (TYPE), .event = event});                     \
    }

EVENT_NODE(Record, NODE_RECORD)
EVENT_NODE(Wait, NODE_WAIT)

/* ---- memory: it is there from when its node is made ----------------------------------------- */

CUresult cuGraphAddMemAllocNode(CUgraphNode *made, CUgraph graph, const CUgraphNode *needs,
                                size_t n, AllocParams *params)
{
    const CUresult result = cuMemAlloc_v2(&params->memory, params->bytes);
    return result
               ? result
               : add(made, graph, needs, n,
                     &(Node){.type = NODE_ALLOC, .memory = params->memory, .bytes = params->bytes});
}

CUresult cuGraphMemAllocNodeGetParams(CUgraphNode node, AllocParams *params)
{
    DRIVER_ENTER;
    if (!node || node->type != NODE_ALLOC)
        return CUDA_ERROR_INVALID_VALUE;
    *params = (AllocParams){.bytes = node->bytes, .memory = node->memory};
    return CUDA_SUCCESS;
}

CUresult cuGraphAddMemFreeNode(CUgraphNode *made, CUgraph graph, const CUgraphNode *needs, size_t n,
                               CUdeviceptr memory)
{
    return add(made, graph, needs, n, &(Node){.type = NODE_FREE, .memory = memory});
}

CUresult cuGraphMemFreeNodeGetParams(CUgraphNode node, CUdeviceptr *memory)
{
    DRIVER_ENTER;
    if (!node || node->type != NODE_FREE)
        return CUDA_ERROR_INVALID_VALUE;
    *memory = node->memory;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGraphMemTrim(CUdevice device)
{
    return device != 0 ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS;
}

#pragma GCC visibility pop
