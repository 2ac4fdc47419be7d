/* SPDX-License-Identifier: BSD-3-Clause */
/* See graph.h. */
#include "driver/graph.h"

#include <string.h>

/* ---- nodes ---------------------------------------------------------------------------------- */

static void free_node(gpointer data)
{
    Node *node = data;
    g_ptr_array_unref(node->needs);
    g_free(node->values);
    g_free(node->kernel.params);
    if (node->child)
        graph_free(node->child);
    g_free(node);
}

/* The values of a kernel's parameters, which are the node's from then on. */
static void keep_values(Node *node)
{
    const PsCardParam *params;
    const Launch launch = node->kernel;
    const guint n = ps_card_function_params(launch.function, &params);
    const guint8 *packed = NULL;
    for (void **extra = launch.params ? NULL : launch.extra; extra && *extra; extra += 2)
        if (*extra == LAUNCH_PARAM_BUFFER_POINTER)
            packed = extra[1];
    node->n_values = n ? params[n - 1].offset + params[n - 1].size : 0;
    node->values = g_malloc0(node->n_values + 1);
    node->kernel.params = g_new0(void *, (gsize)n + 1);
    node->kernel.extra = NULL;
    for (guint i = 0; i < n; i++) {
        const void *from = launch.params ? launch.params[i]
                           : packed      ? packed + params[i].offset
                                         : NULL;
        node->kernel.params[i] = node->values + params[i].offset;
        if (from)
            memcpy(node->kernel.params[i], from, params[i].size);
    }
}

/* What is the node's own, after it was copied. */
static void own(Node *node)
{
    node->values = NULL;
    if (node->type == NODE_KERNEL)
        keep_values(node);
    if (node->child) {
        node->child = graph_copy(node->child);
        node->child->part = TRUE;
    }
}

Graph *graph_new(void)
{
    Graph *graph = g_new0(Graph, 1);
    graph->nodes = g_ptr_array_new_with_free_func(free_node);
    return graph;
}

void graph_free(Graph *graph)
{
    g_ptr_array_unref(graph->nodes);
    g_free(graph);
}

Node *graph_add(Graph *graph, const Node *like, Node *const *needs, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!needs[i] || needs[i]->graph != graph)
            return NULL;
    Node *node = g_memdup2(like, sizeof *like);
    node->graph = graph;
    node->needs = g_ptr_array_new();
    for (size_t i = 0; i < n; i++)
        g_ptr_array_add(node->needs, needs[i]);
    own(node);
    g_ptr_array_add(graph->nodes, node);
    return node;
}

CUresult graph_change(Node *node, const Node *like)
{
    if (!node || node->type != like->type)
        return CUDA_ERROR_INVALID_VALUE;
    Node before = *node;
    *node = *like;
    node->graph = before.graph;
    node->needs = before.needs;
    node->of = before.of;
    node->off = before.off;
    own(node); /* before what it may be made of goes */
    before.needs = g_ptr_array_new();
    free_node(g_memdup2(&before, sizeof before));
    return CUDA_SUCCESS;
}

void graph_remove(Node *node)
{
    Graph *graph = node->graph;
    for (guint i = 0; i < graph->nodes->len; i++)
        g_ptr_array_remove(((Node *)graph->nodes->pdata[i])->needs, node);
    g_ptr_array_remove(graph->nodes, node);
}

Node *graph_find(const Graph *copy, const Node *node)
{
    for (guint i = 0; i < copy->nodes->len; i++)
        if (((Node *)copy->nodes->pdata[i])->of == node)
            return copy->nodes->pdata[i];
    return NULL;
}

Graph *graph_copy(const Graph *graph)
{
    Graph *copy = graph_new();
    for (guint i = 0; i < graph->nodes->len; i++) {
        const Node *node = graph->nodes->pdata[i];
        graph_add(copy, node, NULL, 0)->of = node;
    }
    for (guint i = 0; i < graph->nodes->len; i++) {
        const Node *node = graph->nodes->pdata[i];
        Node *made = copy->nodes->pdata[i];
        for (guint k = 0; k < node->needs->len; k++)
            g_ptr_array_add(made->needs, graph_find(copy, node->needs->pdata[k]));
    }
    return copy;
}

/* ---- capture -------------------------------------------------------------------------------- */

CUresult graph_capture(struct Stream *stream, const Node *like)
{
    Node *node =
        graph_add(stream->capture, like, (Node *const *)stream->last->pdata, stream->last->len);
    if (!node)
        return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    g_ptr_array_set_size(stream->last, 0);
    g_ptr_array_add(stream->last, node);
    return CUDA_SUCCESS;
}

/* ---- execution ------------------------------------------------------------------------------ */

static CUresult run_nodes(Graph *graph, struct Stream *like, double *end);

static CUresult do_node(Node *node, struct Stream *stream)
{
    DRIVER_ENTER;
    switch (node->type) {
    case NODE_KERNEL:
        return driver_launch(&node->kernel, stream);
    case NODE_COPY:
        return driver_copy(&node->copy, stream);
    case NODE_SET:
        return driver_set(&node->set, stream);
    case NODE_WAIT:
        if (node->event->recorded)
            stream->at = MAX(stream->at, node->event->at);
        return CUDA_SUCCESS;
    case NODE_RECORD:
        node->event->at = stream->at;
        node->event->recorded = TRUE;
        return CUDA_SUCCESS;
    default: /* memory of a graph is there as long as its node is */
        return CUDA_SUCCESS;
    }
}

static CUresult run_node(Node *node, const struct Stream *like, double begin)
{
    struct Stream own = *like;
    CUresult result = CUDA_SUCCESS;
    own.apart = TRUE;
    own.at = begin;
    node->done = TRUE;
    for (guint i = 0; i < node->needs->len && !result; i++) {
        Node *need = node->needs->pdata[i];
        if (!need->done)
            result = run_node(need, like, begin);
        own.at = MAX(own.at, need->end);
    }
    node->end = own.at;
    if (result || node->off)
        return result;
    if (node->type == NODE_GRAPH)
        return run_nodes(node->child, &own, &node->end);
    if (node->type == NODE_HOST)
        node->function(node->data);
    else
        result = do_node(node, &own);
    node->end = own.at;
    return result;
}

static CUresult run_nodes(Graph *graph, struct Stream *like, double *end)
{
    CUresult result = CUDA_SUCCESS;
    const double begin = like->at;
    for (guint i = 0; i < graph->nodes->len; i++)
        ((Node *)graph->nodes->pdata[i])->done = FALSE;
    for (guint i = 0; i < graph->nodes->len && !result; i++) {
        Node *node = graph->nodes->pdata[i];
        if (!node->done)
            result = run_node(node, like, begin);
        *end = MAX(*end, node->end);
    }
    return result;
}

CUresult graph_run(Graph *graph, CUstream in)
{
    struct Stream like;
    {
        DRIVER_ENTER;
        const struct Stream *stream = driver_stream(in);
        if (!stream || !graph)
            return CUDA_ERROR_INVALID_HANDLE;
        like = *stream;
        like.at = driver_stream_at(stream);
    }
    double end = like.at;
    const CUresult result = run_nodes(graph, &like, &end);
    DRIVER_ENTER;
    struct Stream *stream = driver_stream(in);
    if (stream)
        stream->at = MAX(stream->at, end);
    return result;
}
