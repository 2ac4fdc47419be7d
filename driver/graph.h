/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * CUDA graphs: they are made node by node, or from the work of captured streams. An executable
 * graph is a copy. Its nodes run one after the other, in an order that their edges allow; times of
 * nodes that no edge orders overlap.
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

/* When a conditional node runs which of its graphs. The numbers are CUDA's. */
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
    GPtrArray *needs; /* Node: its predecessors */
    const Node *of;   /* the node that it is a copy of, or NULL */
    gboolean off;     /* disabled: it does nothing */
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
    GPtrArray *bodies; /* Graph: what runs by the condition */
    CUevent event;
    CUdeviceptr memory;
    size_t bytes;
    double end;    /* time of its end, while the graph runs */
    gboolean done; /* ... if it has run */
};

struct Graph {
    GPtrArray *nodes;   /* Node */
    GArray *conditions; /* Condition */
    gboolean part;      /* it belongs to a node, which frees it */
};

Graph *graph_new(void);
void graph_free(Graph *graph);
Graph *graph_copy(const Graph *graph);

/* The copy of this node in a copied graph; NULL: none was made. */
Node *graph_find(const Graph *copy, const Node *node);

/* Adds a copy of the node, behind the nodes that it needs. NULL: some of these belong to another
 * graph. */
Node *graph_add(Graph *graph, const Node *like, Node *const *needs, size_t n);

/* Gives a node the parameters of `like`. The type must be the same. */
CUresult graph_change(Node *node, const Node *like);

void graph_remove(Node *node);

/* Gives the node to a captured stream, behind the stream's nodes. */
CUresult graph_capture(struct Stream *stream, const Node *like);

/* Memory that a node allocates belongs to that node until the owner gives it up. */
void graph_memory_keep(CUdeviceptr memory);
void graph_memory_leave(CUdeviceptr memory);

/* A launch allocates the memory. */
void graph_memory_use(CUdeviceptr memory);

/* Frees the memory. FALSE: no graph has it. */
gboolean graph_memory_free(CUdeviceptr memory, CUresult *result);

/* The caller does not hold the lock: nodes may call the host. */
CUresult graph_run(Graph *graph, CUstream stream);

#endif
