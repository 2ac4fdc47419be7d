/* SPDX-License-Identifier: BSD-3-Clause */
/* Nodes of any type: kernels and copies differ between the runtime's interface and the driver's. */
#include "driver/graph.h"
#include "driver/runtime-copy.h"
#include "driver/same.h"

typedef struct {
    int type;
    int reserved[3];
    union {
        long long words[29];
        guint8 of_node[1];
        struct {
            int flags, reserved[3];
            cudaMemcpy3DParms box;
        } copy;
    };
    long long reserved2;
} NodeParams;

#define NODE CUgraphNode *made, CUgraph graph, const CUgraphNode *needs, size_t n

cudaError_t cudaGraphAddKernelNode(NODE, const void *params);
cudaError_t cudaGraphAddMemcpyNode(NODE, const cudaMemcpy3DParms *params);
CUresult cuGraphAddNode(NODE, void *params);
CUresult cuGraphConditionalHandleCreate(CUdeviceptr *handle, CUgraph graph, CUcontext context,
                                        unsigned int first, unsigned int flags);

cudaError_t runtime_add_node(NODE, void *of)
{
    NodeParams *params = of;
    if (params && params->type == NODE_KERNEL)
        return cudaGraphAddKernelNode(made, graph, needs, n, params->of_node);
    if (params && params->type == NODE_COPY)
        return cudaGraphAddMemcpyNode(made, graph, needs, n, &params->copy.box);
    RUNTIME_CALL(cuGraphAddNode(made, graph, needs, n, params));
}

#pragma GCC visibility push(default)

cudaError_t cudaGraphConditionalHandleCreate(CUdeviceptr *handle, CUgraph graph, unsigned int first,
                                             unsigned int flags)
{
    RUNTIME_CALL(cuGraphConditionalHandleCreate(handle, graph, NULL, first, flags));
}

#pragma GCC visibility pop
