/* SPDX-License-Identifier: BSD-3-Clause */
/* Executes the nodes of a graph. */
#include "driver/graph.h"

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
    case NODE_ALLOC:
        graph_memory_use(node->memory);
        return CUDA_SUCCESS;
    case NODE_FREE:
        return driver_free(node->memory);
    default:
        return CUDA_SUCCESS;
    }
}

static guint32 *word_of(CUdeviceptr word)
{
    return (guint32 *)(gpointer)(gsize)word;
}

/* Conditions start with the values that the program gave first. */
static void begin_conditions(const Graph *graph)
{
    for (guint i = 0; i < graph->conditions->len; i++) {
        const Condition *condition = &g_array_index(graph->conditions, Condition, i);
        guint32 *word = word_of(condition->word);
        if (!condition->begins)
            continue;
        *word = condition->first;
        ps_card_copied(driver.card, word, NULL, sizeof *word);
    }
    for (guint i = 0; i < graph->nodes->len; i++) {
        const Node *node = graph->nodes->pdata[i];
        if (node->child)
            begin_conditions(node->child);
        for (guint k = 0; node->bodies && k < node->bodies->len; k++)
            begin_conditions(node->bodies->pdata[k]);
    }
}

/* The graph that the node runs for this value of its condition; NULL: none. */
static Graph *body_for(const Node *node, guint32 value)
{
    const guint body = node->kind == CONDITION_SWITCH ? value : value == 0;
    const gboolean done = node->kind == CONDITION_WHILE && value == 0;
    return done || body >= node->bodies->len ? NULL : node->bodies->pdata[body];
}

/* A device evaluates the condition itself; its time for that is not counted. */
static CUresult run_bodies(const Node *node, struct Stream *own, double *end)
{
    const guint32 *value = word_of(node->condition);
    CUresult result = CUDA_SUCCESS;
    Graph *body = body_for(node, *value);
    {
        DRIVER_ENTER;
        driver_note_once("the time that a conditional node of a graph takes for its condition is "
                         "not known, and no time includes it");
    }
    while (body && !result) {
        result = run_nodes(body, own, end);
        own->at = *end;
        body = node->kind == CONDITION_WHILE ? body_for(node, *value) : NULL;
    }
    return result;
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
    if (node->type == NODE_CONDITION)
        return run_bodies(node, &own, &node->end);
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
        begin_conditions(graph);
    }
    double end = like.at;
    const CUresult result = run_nodes(graph, &like, &end);
    DRIVER_ENTER;
    struct Stream *stream = driver_stream(in);
    if (stream)
        stream->at = MAX(stream->at, end);
    return result;
}
