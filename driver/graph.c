/* SPDX-License-Identifier: BSD-3-Clause */
/* See graph.h. */
#include "driver/graph.h"

#include <string.h>

/* ---- nodes ---------------------------------------------------------------------------------- */

static void free_node(gpointer data)
{
    Node *node = data;
    if (node->type == NODE_ALLOC)
        graph_memory_leave(node->memory);
    g_ptr_array_unref(node->needs);
    g_free(node->values);
    g_free(node->kernel.params);
    if (node->child)
        graph_free(node->child);
    g_clear_pointer(&node->bodies, g_ptr_array_unref);
    g_free(node);
}

/* Copies the values of a kernel's parameters, which then belong to the node. */
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

static GPtrArray *own_bodies(const GPtrArray *bodies)
{
    GPtrArray *mine = g_ptr_array_new_with_free_func((GDestroyNotify)graph_free);
    for (guint i = 0; i < bodies->len; i++) {
        Graph *body = graph_copy(bodies->pdata[i]);
        body->part = TRUE;
        g_ptr_array_add(mine, body);
    }
    return mine;
}

/* Copies what a copied node must own. */
static void own(Node *node)
{
    node->values = NULL;
    if (node->type == NODE_KERNEL)
        keep_values(node);
    if (node->type == NODE_ALLOC)
        graph_memory_keep(node->memory);
    if (node->child) {
        node->child = graph_copy(node->child);
        node->child->part = TRUE;
    }
    if (node->bodies)
        node->bodies = own_bodies(node->bodies);
}

Graph *graph_new(void)
{
    Graph *graph = g_new0(Graph, 1);
    graph->nodes = g_ptr_array_new_with_free_func(free_node);
    graph->conditions = g_array_new(FALSE, FALSE, sizeof(Condition));
    return graph;
}

void graph_free(Graph *graph)
{
    g_ptr_array_unref(graph->nodes);
    g_array_unref(graph->conditions);
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
    own(node); /* before the source of it may be freed */
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
    g_array_append_vals(copy->conditions, graph->conditions->data, graph->conditions->len);
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
