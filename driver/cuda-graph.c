/* SPDX-License-Identifier: BSD-3-Clause */
/* Entries for graphs as a whole: their nodes and edges, copies, updates and launches. The versions
 * of entries differ in the data of edges; here all edges are of one kind. */
#include "driver/graph.h"

#include <string.h>

/* ---- nodes in all --------------------------------------------------------------------------- */

/* Programs first ask without room, for the number. */
static void tell_nodes(const GPtrArray *nodes, CUgraphNode *to, size_t *n)
{
    if (to)
        memcpy(to, nodes->pdata, MIN(*n, nodes->len) * sizeof *to);
    *n = to ? MIN(*n, nodes->len) : nodes->len;
}

#pragma GCC visibility push(default)

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
