/* SPDX-License-Identifier: BSD-3-Clause */
/* Entries that make, change and launch graphs. Their versions differ in the data of edges; here all
 * edges are of one kind. */
#include "driver/graph.h"

#include <stdio.h>
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

/* ---- nodes in all --------------------------------------------------------------------------- */

/* Programs first ask without room, for the number. */
static void tell_nodes(const GPtrArray *nodes, CUgraphNode *to, size_t *n)
{
    if (to)
        memcpy(to, nodes->pdata, MIN(*n, nodes->len) * sizeof *to);
    *n = to ? MIN(*n, nodes->len) : nodes->len;
}

CUresult cuGraphGetNodes(CUgraph graph, CUgraphNode *nodes, size_t *n)
{
    DRIVER_ENTER;
    if (!graph || !n)
        return CUDA_ERROR_INVALID_VALUE;
    tell_nodes(graph->nodes, nodes, n);
    return CUDA_SUCCESS;
}

CUresult cuGraphGetRootNodes(CUgraph graph, CUgraphNode *nodes, size_t *n)
{
    DRIVER_ENTER;
    if (!graph || !n)
        return CUDA_ERROR_INVALID_VALUE;
    g_autoptr(GPtrArray) roots = g_ptr_array_new();
    for (guint i = 0; i < graph->nodes->len; i++)
        if (((const Node *)graph->nodes->pdata[i])->needs->len == 0)
            g_ptr_array_add(roots, graph->nodes->pdata[i]);
    tell_nodes(roots, nodes, n);
    return CUDA_SUCCESS;
}

CUresult cuGraphNodeGetDependencies_v2(CUgraphNode node, CUgraphNode *needs, void *edges, size_t *n)
{
    DRIVER_ENTER;
    (void)edges;
    if (!node || !n)
        return CUDA_ERROR_INVALID_VALUE;
    tell_nodes(node->needs, needs, n);
    return CUDA_SUCCESS;
}

CUresult cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode *needs, size_t *n)
{
    return cuGraphNodeGetDependencies_v2(node, needs, NULL, n);
}

CUresult cuGraphNodeGetDependentNodes_v2(CUgraphNode node, CUgraphNode *nodes, void *edges,
                                         size_t *n)
{
    DRIVER_ENTER;
    (void)edges;
    if (!node || !n)
        return CUDA_ERROR_INVALID_VALUE;
    g_autoptr(GPtrArray) found = g_ptr_array_new();
    for (guint i = 0; i < node->graph->nodes->len; i++) {
        Node *other = node->graph->nodes->pdata[i];
        if (g_ptr_array_find(other->needs, node, NULL))
            g_ptr_array_add(found, other);
    }
    tell_nodes(found, nodes, n);
    return CUDA_SUCCESS;
}

CUresult cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode *nodes, size_t *n)
{
    return cuGraphNodeGetDependentNodes_v2(node, nodes, NULL, n);
}

CUresult cuGraphGetEdges_v2(CUgraph graph, CUgraphNode *from, CUgraphNode *to, void *edges,
                            size_t *n)
{
    size_t all = 0;
    DRIVER_ENTER;
    (void)edges;
    if (!graph || !n)
        return CUDA_ERROR_INVALID_VALUE;
    for (guint i = 0; i < graph->nodes->len; i++) {
        Node *node = graph->nodes->pdata[i];
        for (guint k = 0; k < node->needs->len; k++, all++)
            if (from && to && all < *n) {
                from[all] = node->needs->pdata[k];
                to[all] = node;
            }
    }
    *n = from && to ? MIN(*n, all) : all;
    return CUDA_SUCCESS;
}

CUresult cuGraphGetEdges(CUgraph graph, CUgraphNode *from, CUgraphNode *to, size_t *n)
{
    return cuGraphGetEdges_v2(graph, from, to, NULL, n);
}

CUresult cuGraphAddDependencies_v2(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                   const void *edges, size_t n)
{
    DRIVER_ENTER;
    (void)edges;
    for (size_t i = 0; i < n; i++)
        if (!from[i] || !to[i] || from[i]->graph != graph || to[i]->graph != graph ||
            g_ptr_array_find(to[i]->needs, from[i], NULL))
            return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < n; i++)
        g_ptr_array_add(to[i]->needs, from[i]);
    return CUDA_SUCCESS;
}

CUresult cuGraphAddDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                size_t n)
{
    return cuGraphAddDependencies_v2(graph, from, to, NULL, n);
}

CUresult cuGraphRemoveDependencies_v2(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                      const void *edges, size_t n)
{
    DRIVER_ENTER;
    (void)graph;
    (void)edges;
    for (size_t i = 0; i < n; i++)
        if (!g_ptr_array_remove(to[i]->needs, from[i]))
            return CUDA_ERROR_INVALID_VALUE;
    return CUDA_SUCCESS;
}

CUresult cuGraphRemoveDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                   size_t n)
{
    return cuGraphRemoveDependencies_v2(graph, from, to, NULL, n);
}

CUresult cuGraphNodeGetType(CUgraphNode node, int *type)
{
    DRIVER_ENTER;
    if (!node || !type)
        return CUDA_ERROR_INVALID_VALUE;
    *type = (int)node->type;
    return CUDA_SUCCESS;
}

CUresult cuGraphDestroyNode(CUgraphNode node)
{
    DRIVER_ENTER;
    if (!node)
        return CUDA_ERROR_INVALID_VALUE;
    graph_remove(node);
    return CUDA_SUCCESS;
}

CUresult cuGraphNodeFindInClone(CUgraphNode *found, CUgraphNode node, CUgraph clone)
{
    DRIVER_ENTER;
    *found = clone ? graph_find(clone, node) : NULL;
    return *found ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGraphNodeSetEnabled(CUgraphExec made, CUgraphNode node, unsigned int on)
{
    DRIVER_ENTER;
    Node *found = made ? graph_find(made, node) : NULL;
    if (!found)
        return CUDA_ERROR_INVALID_VALUE;
    found->off = !on;
    return CUDA_SUCCESS;
}

CUresult cuGraphNodeGetEnabled(CUgraphExec made, CUgraphNode node, unsigned int *on)
{
    DRIVER_ENTER;
    const Node *found = made ? graph_find(made, node) : NULL;
    if (!found)
        return CUDA_ERROR_INVALID_VALUE;
    *on = !found->off;
    return CUDA_SUCCESS;
}

/* ---- graphs --------------------------------------------------------------------------------- */

CUresult cuGraphCreate(CUgraph *graph, unsigned int flags)
{
    DRIVER_ENTER;
    if (!graph || flags)
        return CUDA_ERROR_INVALID_VALUE;
    *graph = graph_new();
    return CUDA_SUCCESS;
}

CUresult cuGraphDestroy(CUgraph graph)
{
    DRIVER_ENTER;
    if (!graph || graph->part)
        return CUDA_ERROR_INVALID_VALUE;
    graph_free(graph);
    return CUDA_SUCCESS;
}

CUresult cuGraphClone(CUgraph *clone, CUgraph graph)
{
    DRIVER_ENTER;
    if (!clone || !graph)
        return CUDA_ERROR_INVALID_VALUE;
    *clone = graph_copy(graph);
    return CUDA_SUCCESS;
}

CUresult cuGraphInstantiateWithFlags(CUgraphExec *made, CUgraph graph, unsigned long long flags)
{
    (void)flags;
    return cuGraphClone(made, graph);
}

CUresult cuGraphInstantiate(CUgraphExec *made, CUgraph graph, CUgraphNode *wrong, char *text,
                            size_t size)
{
    if (wrong)
        *wrong = NULL;
    if (text && size)
        *text = 0;
    return cuGraphClone(made, graph);
}

CUresult cuGraphInstantiate_v2(CUgraphExec *made, CUgraph graph, CUgraphNode *wrong, char *text,
                               size_t size)
{
    return cuGraphInstantiate(made, graph, wrong, text, size);
}

typedef struct {
    uint64_t flags;
    CUstream upload;
    CUgraphNode wrong;
    int result;
} InstantiateParams;

CUresult cuGraphInstantiateWithParams(CUgraphExec *made, CUgraph graph, InstantiateParams *params)
{
    params->wrong = NULL;
    params->result = 0;
    return cuGraphClone(made, graph);
}

CUresult cuGraphExecGetFlags(CUgraphExec made, uint64_t *flags)
{
    *flags = 0;
    return made ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuGraphExecDestroy(CUgraphExec made)
{
    return cuGraphDestroy(made);
}

CUresult cuGraphUpload(CUgraphExec made, CUstream stream)
{
    (void)stream;
    return made ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuGraphLaunch(CUgraphExec made, CUstream stream)
{
    {
        DRIVER_ENTER;
        struct Stream *own = driver_stream(stream);
        if (own && own->capture)
            return graph_capture(own, &(Node){.type = NODE_GRAPH, .child = made});
    }
    return graph_run(made, stream);
}

/* Nodes of both graphs are in the same order if both were made alike. */
static CUresult update(Graph *made, const Graph *graph, int *why)
{
    enum { TOPOLOGY = 2, TYPE };
    *why = TOPOLOGY;
    if (made->nodes->len != graph->nodes->len)
        return CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
    for (guint i = 0; i < made->nodes->len; i++) {
        const Node *to = made->nodes->pdata[i], *from = graph->nodes->pdata[i];
        *why = to->needs->len != from->needs->len ? TOPOLOGY : TYPE;
        if (to->type != from->type || to->needs->len != from->needs->len)
            return CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
    }
    for (guint i = 0; i < made->nodes->len; i++) {
        Node *to = made->nodes->pdata[i];
        graph_change(to, graph->nodes->pdata[i]);
        to->of = graph->nodes->pdata[i];
    }
    *why = 0;
    return CUDA_SUCCESS;
}

CUresult cuGraphExecUpdate(CUgraphExec made, CUgraph graph, CUgraphNode *wrong, int *why)
{
    DRIVER_ENTER;
    if (!made || !graph)
        return CUDA_ERROR_INVALID_VALUE;
    if (wrong)
        *wrong = NULL;
    return update(made, graph, why);
}

typedef struct {
    int result;
    CUgraphNode wrong, from;
} UpdateInfo;

CUresult cuGraphExecUpdate_v2(CUgraphExec made, CUgraph graph, UpdateInfo *info)
{
    info->from = NULL;
    return cuGraphExecUpdate(made, graph, &info->wrong, &info->result);
}

/* A program's object that a graph holds is held until the program ends. */
CUresult cuUserObjectCreate(void **object, void *data, void (*destroy)(void *), unsigned int n,
                            unsigned int flags)
{
    (void)destroy;
    (void)n;
    (void)flags;
    *object = data;
    return CUDA_SUCCESS;
}

CUresult cuUserObjectRetain(void *object, unsigned int n)
{
    (void)object;
    (void)n;
    return CUDA_SUCCESS;
}

CUresult cuUserObjectRelease(void *object, unsigned int n)
{
    return cuUserObjectRetain(object, n);
}

CUresult cuGraphRetainUserObject(CUgraph graph, void *object, unsigned int n, unsigned int flags)
{
    (void)graph;
    (void)flags;
    return cuUserObjectRetain(object, n);
}

CUresult cuGraphReleaseUserObject(CUgraph graph, void *object, unsigned int n)
{
    (void)graph;
    return cuUserObjectRetain(object, n);
}

#pragma GCC visibility pop
