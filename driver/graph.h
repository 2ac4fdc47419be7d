/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * CUDA graphs: they are made node by node, or of the work that streams are given while they are
 * captured. An executable graph is a copy. Its nodes are done one after the other, in an order that
 * their edges allow; the times of those that no edge orders overlap.
 */
#ifndef PIPESIM_DRIVER_GRAPH_H
#define PIPESIM_DRIVER_GRAPH_H

#include "driver/state.h"

/* The numbers are CUDA's. */
typedef enum {
    NODE_KERNEL = 0,
    NODE_COPY = 1,
    NODE_SET = 2,
    NODE_HOST = 3,
    NODE_GRAPH = 4,
    NODE_EMPTY = 5,
    NODE_WAIT = 6,
    NODE_RECORD = 7,
    NODE_ALLOC = 10,
    NODE_FREE = 11,
    NODE_CONDITION = 13
} NodeType;

/* How often a conditional node does which of its graphs. The numbers are CUDA's. */
typedef enum { CONDITION_IF, CONDITION_WHILE, CONDITION_SWITCH } ConditionType;

/* A word of the device's memory, which kernels write and conditional nodes read. Its address is the
 * program's handle. */
typedef struct {
    CUdeviceptr word;
    gboolean begins; /* each launch of the graph writes `first` there */
    guint32 first;
} Condition;

typedef struct Node Node;
typedef struct Graph Graph;

struct Node {
    NodeType type;
    Graph *graph;
    GPtrArray *needs; /* Node: what comes before it */
    const Node *of;   /* what it is a copy of, or NULL */
    gboolean off;     /* it does nothing */
    Launch kernel;    /* ... whose parameters are `values` */
    guint8 *values;
    gsize n_values;
    CUDA_MEMCPY3D copy;
    Fill set;
    void (*function)(void *);
    void *data;
    Graph *child;
    CUdeviceptr condition; /* the word */
    ConditionType kind;
    GPtrArray *bodies; /* Graph: what is done by the condition */
    CUevent event;
    CUdeviceptr memory;
    size_t bytes;
    double end;    /* when it is done, while the graph runs */
    gboolean done; /* ... which it is */
};

struct Graph {
    GPtrArray *nodes;   /* Node */
    GArray *conditions; /* Condition */
    gboolean part;      /* of a node, which frees it */
};

Graph *graph_new(void);
void graph_free(Graph *graph);
Graph *graph_copy(const Graph *graph);

/* The node of a copy that was made of this one; NULL: none was. */
Node *graph_find(const Graph *copy, const Node *node);

/* Adds a copy of the node, behind those that it needs. NULL: some of these are of another graph. */
Node *graph_add(Graph *graph, const Node *like, Node *const *needs, size_t n);

/* Gives a node the parameters of `like`. The type must be the same. */
CUresult graph_change(Node *node, const Node *like);

void graph_remove(Node *node);

/* Gives the node to a stream that is captured. The stream's nodes come before it. */
CUresult graph_capture(struct Stream *stream, const Node *like);

/* Memory that a node allocates has that node as its owner from then on, until the owner leaves
 * it. */
void graph_memory_keep(CUdeviceptr memory);
void graph_memory_leave(CUdeviceptr memory);

/* A launch allocates it. */
void graph_memory_use(CUdeviceptr memory);

/* Somebody frees it. FALSE: no graph has it. */
gboolean graph_memory_free(CUdeviceptr memory, CUresult *result);

/* The caller does not hold the lock: nodes may call the host. */
CUresult graph_run(Graph *graph, CUstream stream);

#endif
