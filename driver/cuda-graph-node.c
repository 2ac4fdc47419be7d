/* SPDX-License-Identifier: BSD-3-Clause */
/* Nodes of any type, whose parameters stand in one structure, and conditional nodes. */
#include "driver/graph.h"

#include <string.h>

/* A condition's parameters: an array owned by the driver gets the node's graphs. */
typedef struct {
    CUdeviceptr handle;
    int type;
    unsigned int size;
    CUgraph *bodies;
} ConditionParams;

/* In the driver's interface a copy stands behind flags and a context. */
typedef struct {
    int type;
    int reserved[3];
    union {
        long long words[29];
        guint8 of_node[1];
        struct {
            int flags, reserved;
            CUcontext context;
            CUDA_MEMCPY3D box;
        } copy;
        CUgraph child;
        CUevent event;
        CUdeviceptr memory;
        ConditionParams condition;
    };
    long long reserved2;
} NodeParams;

#define NODE CUgraphNode *made, CUgraph graph, const CUgraphNode *needs, size_t n

CUresult cuGraphAddKernelNode_v2(NODE, const void *params);
CUresult cuGraphAddMemcpyNode(NODE, const CUDA_MEMCPY3D *params, CUcontext context);
CUresult cuGraphAddMemsetNode(NODE, const void *params, CUcontext context);
CUresult cuGraphAddHostNode(NODE, const void *params);
CUresult cuGraphAddChildGraphNode(NODE, CUgraph child);
CUresult cuGraphAddEmptyNode(NODE);
CUresult cuGraphAddEventWaitNode(NODE, CUevent event);
CUresult cuGraphAddEventRecordNode(NODE, CUevent event);
CUresult cuGraphAddMemAllocNode(NODE, void *params);
CUresult cuGraphAddMemFreeNode(NODE, CUdeviceptr memory);

/* TRUE if a condition may have so many graphs. */
static gboolean is_size(const ConditionParams *params)
{
    switch (params->type) {
    case CONDITION_IF:
        return params->size == 1 || params->size == 2;
    case CONDITION_WHILE:
        return params->size == 1;
    case CONDITION_SWITCH:
        return params->size > 0;
    default:
        return FALSE;
    }
}

static CUresult add_condition(NODE, ConditionParams *params)
{
    DRIVER_ENTER;
    if (!made || !graph || (n && !needs) || !is_size(params))
        return CUDA_ERROR_INVALID_VALUE;
    g_autoptr(GPtrArray) bodies = g_ptr_array_new_with_free_func((GDestroyNotify)graph_free);
    for (unsigned int i = 0; i < params->size; i++)
        g_ptr_array_add(bodies, graph_new());
    const Node like = {.type = NODE_CONDITION,
                       .condition = params->handle,
                       .kind = (ConditionType)params->type,
                       .bodies = bodies};
    *made = graph_add(graph, &like, needs, n);
    if (!*made)
        return CUDA_ERROR_INVALID_VALUE;
    params->bodies = (CUgraph *)(*made)->bodies->pdata;
    return CUDA_SUCCESS;
}

#pragma GCC visibility push(default)

CUresult cuGraphConditionalHandleCreate(CUdeviceptr *handle, CUgraph graph, CUcontext context,
                                        unsigned int first, unsigned int flags)
{
    enum { BEGINS = 1 };
    GError *error = NULL;
    (void)context;
    DRIVER_ENTER;
    if (!handle || !graph || flags > BEGINS)
        return CUDA_ERROR_INVALID_VALUE;
    const PsCardPiece *piece = ps_card_memory_add(ps_card_memory(driver.card), sizeof first,
                                                  PS_CARD_PLAIN, "a graph's condition", &error);
    if (!piece)
        return driver_fail(error);
    const Condition condition = {piece->address, flags == BEGINS, first};
    g_array_append_val(graph->conditions, condition);
    *handle = condition.word;
    return CUDA_SUCCESS;
}

CUresult cuGraphAddNode(NODE, NodeParams *params)
{
    if (!params)
        return CUDA_ERROR_INVALID_VALUE;
    switch (params->type) {
    case NODE_KERNEL:
        return cuGraphAddKernelNode_v2(made, graph, needs, n, params->of_node);
    case NODE_COPY:
        return cuGraphAddMemcpyNode(made, graph, needs, n, &params->copy.box, NULL);
    case NODE_SET:
        return cuGraphAddMemsetNode(made, graph, needs, n, params->of_node, NULL);
    case NODE_HOST:
        return cuGraphAddHostNode(made, graph, needs, n, params->of_node);
    case NODE_GRAPH:
        return cuGraphAddChildGraphNode(made, graph, needs, n, params->child);
    case NODE_EMPTY:
        return cuGraphAddEmptyNode(made, graph, needs, n);
    case NODE_WAIT:
        return cuGraphAddEventWaitNode(made, graph, needs, n, params->event);
    case NODE_RECORD:
        return cuGraphAddEventRecordNode(made, graph, needs, n, params->event);
    case NODE_ALLOC:
        return cuGraphAddMemAllocNode(made, graph, needs, n, params->of_node);
    case NODE_FREE:
        return cuGraphAddMemFreeNode(made, graph, needs, n, params->memory);
    case NODE_CONDITION:
        return add_condition(made, graph, needs, n, &params->condition);
    default:
        return CUDA_ERROR_NOT_SUPPORTED;
    }
}

/* Data of edges, beyond the order of nodes, starts kernels early, which changes no result. */
CUresult cuGraphAddNode_v2(CUgraphNode *made, CUgraph graph, const CUgraphNode *needs,
                           const void *edges, size_t n, NodeParams *params)
{
    (void)edges;
    return cuGraphAddNode(made, graph, needs, n, params);
}

#pragma GCC visibility pop
