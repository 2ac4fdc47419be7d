/* SPDX-License-Identifier: BSD-3-Clause */
/* Entries that capture streams: their calls become nodes of a graph. */
#include "driver/graph.h"

enum { NOT_CAPTURED, CAPTURED };

static void leave(struct Stream *stream)
{
    stream->capture = NULL;
    stream->began = FALSE;
    g_clear_pointer(&stream->last, g_ptr_array_unref);
}

static CUresult begin(CUstream in, CUgraph graph, const CUgraphNode *needs, size_t n)
{
    struct Stream *stream = driver_stream(in);
    if (!stream)
        return CUDA_ERROR_INVALID_HANDLE;
    if (stream == &driver.legacy || stream->capture)
        return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    stream->capture = graph ? graph : graph_new();
    stream->began = TRUE;
    stream->lent = graph != NULL;
    stream->last = g_ptr_array_new();
    for (size_t i = 0; i < n; i++)
        g_ptr_array_add(stream->last, needs[i]);
    return CUDA_SUCCESS;
}

static gboolean is_needed(const Graph *graph, const Node *node)
{
    for (guint i = 0; i < graph->nodes->len; i++)
        if (g_ptr_array_find(((const Node *)graph->nodes->pdata[i])->needs, node, NULL))
            return TRUE;
    return FALSE;
}

/* TRUE if the streams that were captured with this one have joined it again. */
static gboolean is_joined(const struct Stream *other, const struct Stream *stream)
{
    for (guint i = 0; i < other->last->len; i++)
        if (!is_needed(stream->capture, other->last->pdata[i]) &&
            !g_ptr_array_find(stream->last, other->last->pdata[i], NULL))
            return FALSE;
    return TRUE;
}

#pragma GCC visibility push(default)

CUresult cuStreamBeginCapture(CUstream stream)
{
    DRIVER_ENTER;
    return begin(stream, NULL, NULL, 0);
}

CUresult cuStreamBeginCapture_v2(CUstream stream, int mode)
{
    DRIVER_ENTER;
    (void)mode;
    return begin(stream, NULL, NULL, 0);
}

CUresult cuStreamBeginCaptureToGraph(CUstream stream, CUgraph graph, const CUgraphNode *needs,
                                     const void *edges, size_t n, int mode)
{
    DRIVER_ENTER;
    (void)edges;
    (void)mode;
    return graph ? begin(stream, graph, needs, n) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuStreamEndCapture(CUstream in, CUgraph *graph)
{
    CUresult result = CUDA_SUCCESS;
    DRIVER_ENTER;
    struct Stream *stream = driver_stream(in);
    if (graph)
        *graph = NULL;
    if (!stream || !stream->capture || (!graph && !stream->lent))
        return CUDA_ERROR_INVALID_VALUE;
    if (!stream->began)
        return CUDA_ERROR_STREAM_CAPTURE_UNMATCHED;
    Graph *made = stream->capture;
    for (guint i = 0; i < driver.streams->len; i++) {
        struct Stream *other = driver.streams->pdata[i];
        if (other == stream || other->capture != made)
            continue;
        if (!is_joined(other, stream))
            result = CUDA_ERROR_STREAM_CAPTURE_UNJOINED;
        leave(other);
    }
    leave(stream);
    if (!result && graph)
        *graph = made;
    else if (!result)
        return result;
    else if (!stream->lent)
        graph_free(made);
    return result;
}

CUresult cuStreamIsCapturing(CUstream stream, int *status)
{
    DRIVER_ENTER;
    const struct Stream *own = driver_stream(stream);
    if (!own || !status)
        return CUDA_ERROR_INVALID_HANDLE;
    *status = own->capture ? CAPTURED : NOT_CAPTURED;
    return CUDA_SUCCESS;
}

CUresult cuStreamGetCaptureInfo_v3(CUstream stream, int *status, uint64_t *id, CUgraph *graph,
                                   const CUgraphNode **last, const void **edges, size_t *n)
{
    const CUresult result = cuStreamIsCapturing(stream, status);
    DRIVER_ENTER;
    const struct Stream *own = result ? NULL : driver_stream(stream);
    if (!own || !own->capture)
        return result;
    if (id)
        *id = (gsize)own->capture;
    if (graph)
        *graph = own->capture;
    if (last)
        *last = (const CUgraphNode *)own->last->pdata;
    if (edges)
        *edges = NULL;
    if (n)
        *n = own->last->len;
    return CUDA_SUCCESS;
}

CUresult cuStreamGetCaptureInfo_v2(CUstream stream, int *status, uint64_t *id, CUgraph *graph,
                                   const CUgraphNode **last, size_t *n)
{
    return cuStreamGetCaptureInfo_v3(stream, status, id, graph, last, NULL, n);
}

CUresult cuStreamGetCaptureInfo(CUstream stream, int *status, uint64_t *id)
{
    return cuStreamGetCaptureInfo_v3(stream, status, id, NULL, NULL, NULL, NULL);
}

CUresult cuStreamUpdateCaptureDependencies_v2(CUstream stream, CUgraphNode *nodes,
                                              const void *edges, size_t n, unsigned int flags)
{
    enum { SET = 1 };
    DRIVER_ENTER;
    (void)edges;
    const struct Stream *own = driver_stream(stream);
    if (!own || !own->capture)
        return CUDA_ERROR_INVALID_VALUE;
    if (flags & SET)
        g_ptr_array_set_size(own->last, 0);
    for (size_t i = 0; i < n; i++)
        g_ptr_array_add(own->last, nodes[i]);
    return CUDA_SUCCESS;
}

CUresult cuStreamUpdateCaptureDependencies(CUstream stream, CUgraphNode *nodes, size_t n,
                                           unsigned int flags)
{
    return cuStreamUpdateCaptureDependencies_v2(stream, nodes, NULL, n, flags);
}

CUresult cuThreadExchangeStreamCaptureMode(int *mode)
{
    static _Thread_local int now;
    const int before = now;
    now = *mode;
    *mode = before;
    return CUDA_SUCCESS;
}

#pragma GCC visibility pop
