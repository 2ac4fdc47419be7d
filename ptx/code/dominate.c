/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Dominators by the algorithm of Lengauer and Tarjan, in the version with path compression alone:
 * O(edges * log(nodes)) for any graph, irreducible ones included, so that no input makes it slow.
 * Nothing here is recursive: a kernel may have a million blocks in a row.
 */
#include "ptx/code/expand.h"

PsPtxGraph ps_ptx_graph(guint n, const PsPtxEdge *edges, guint n_edges, gboolean reversed)
{
    PsPtxGraph graph = {n, g_new0(guint, (gsize)n + 2), g_new(guint, (gsize)n_edges + 1)};
    for (guint i = 0; i < n_edges; i++)
        graph.at[(reversed ? edges[i].to : edges[i].from) + 2]++;
    for (guint i = 2; i <= n; i++)
        graph.at[i] += graph.at[i - 1];
    for (guint i = 0; i < n_edges; i++) {
        guint from = reversed ? edges[i].to : edges[i].from;
        graph.to[graph.at[from + 1]++] = reversed ? edges[i].from : edges[i].to;
    }
    return graph;
}

void ps_ptx_graph_clear(PsPtxGraph *graph)
{
    g_clear_pointer(&graph->at, g_free);
    g_clear_pointer(&graph->to, g_free);
}

/* All arrays but `order` and `number` are indexed by the number that the depth-first search gave,
 * which is 0 for the root. */
typedef struct {
    guint n;       /* nodes reached */
    guint *order;  /* node of each number */
    guint *number; /* number of each node; G_MAXUINT: not reached */
    guint *parent; /* parent in the tree of the search */
    guint *semi;   /* semi-dominator */
    guint *best;   /* on the compressed way up: the node with the least semi */
    guint *above;  /* parent in the forest; G_MAXUINT: a root of it */
    guint *bucket; /* first node that has this one as its semi-dominator, then ... */
    guint *next;   /* ... the others */
    guint *idom;
    guint *stack;
} Search;

static void search(Search *s, const PsPtxGraph *graph, guint root)
{
    g_autofree guint *cursor = g_new(guint, graph->n);
    guint depth = 0;
    s->number[root] = 0;
    s->order[0] = root;
    s->parent[0] = 0;
    s->n = 1;
    cursor[root] = graph->at[root];
    s->stack[depth++] = root;
    while (depth > 0) {
        guint node = s->stack[depth - 1];
        if (cursor[node] == graph->at[node + 1]) {
            depth--;
            continue;
        }
        guint to = graph->to[cursor[node]++];
        if (s->number[to] != G_MAXUINT)
            continue;
        s->parent[s->n] = s->number[node];
        s->order[s->n] = to;
        s->number[to] = s->n++;
        cursor[to] = graph->at[to];
        s->stack[depth++] = to;
    }
}

/* The node of least semi-dominator between v and the root of its tree in the forest. */
static guint evaluate(Search *s, guint v)
{
    guint depth = 0;
    if (s->above[v] == G_MAXUINT)
        return v;
    for (guint u = v; s->above[s->above[u]] != G_MAXUINT; u = s->above[u])
        s->stack[depth++] = u;
    while (depth > 0) {
        guint u = s->stack[--depth];
        guint up = s->above[u];
        if (s->semi[s->best[up]] < s->semi[s->best[u]])
            s->best[u] = s->best[up];
        s->above[u] = s->above[up];
    }
    return s->best[v];
}

static void solve(Search *s, const PsPtxGraph *backward)
{
    for (guint w = s->n - 1; w > 0; w--) {
        guint node = s->order[w];
        for (guint i = backward->at[node]; i < backward->at[node + 1]; i++) {
            guint v = s->number[backward->to[i]];
            if (v == G_MAXUINT)
                continue;
            guint u = evaluate(s, v);
            s->semi[w] = MIN(s->semi[w], s->semi[u]);
        }
        s->next[w] = s->bucket[s->semi[w]];
        s->bucket[s->semi[w]] = w;
        guint parent = s->parent[w];
        s->above[w] = parent;
        for (guint v = s->bucket[parent]; v != G_MAXUINT; v = s->next[v]) {
            guint u = evaluate(s, v);
            s->idom[v] = s->semi[u] < s->semi[v] ? u : parent;
        }
        s->bucket[parent] = G_MAXUINT;
    }
    for (guint w = 1; w < s->n; w++)
        if (s->idom[w] != s->semi[w])
            s->idom[w] = s->idom[s->idom[w]];
}

guint *ps_ptx_dominators(const PsPtxGraph *forward, const PsPtxGraph *backward, guint root)
{
    const gsize n = forward->n;
    g_autofree guint *space = g_new(guint, 10 * n);
    Search s = {.order = space,
                .number = space + n,
                .parent = space + 2 * n,
                .semi = space + 3 * n,
                .best = space + 4 * n,
                .above = space + 5 * n,
                .bucket = space + 6 * n,
                .next = space + 7 * n,
                .idom = space + 8 * n,
                .stack = space + 9 * n};
    guint *dominators = g_new(guint, n);
    for (guint i = 0; i < n; i++) {
        s.number[i] = s.above[i] = s.bucket[i] = dominators[i] = G_MAXUINT;
        s.semi[i] = s.best[i] = i;
    }
    search(&s, forward, root);
    solve(&s, backward);
    for (guint w = 1; w < s.n; w++)
        dominators[s.order[w]] = s.order[s.idom[w]];
    return dominators;
}

void ps_ptx_dominator_tree(const guint *dominators, guint n, guint root, guint *number, guint *size)
{
    g_autofree PsPtxEdge *edges = g_new(PsPtxEdge, n);
    g_autofree guint *stack = g_new(guint, n);
    guint n_edges = 0, depth = 0, next = 0;
    for (guint i = 0; i < n; i++) {
        number[i] = size[i] = 0;
        if (dominators[i] != G_MAXUINT)
            edges[n_edges++] = (PsPtxEdge){dominators[i], i};
    }
    PsPtxGraph tree = ps_ptx_graph(n, edges, n_edges, FALSE);
    g_autofree guint *order = g_new(guint, n);
    stack[depth++] = root;
    while (depth > 0) {
        guint node = stack[--depth];
        order[next] = node;
        number[node] = next++;
        for (guint i = tree.at[node]; i < tree.at[node + 1]; i++)
            stack[depth++] = tree.to[i];
    }
    while (next > 0) {
        guint node = order[--next];
        size[node]++;
        if (dominators[node] != G_MAXUINT)
            size[dominators[node]] += size[node];
    }
    ps_ptx_graph_clear(&tree);
}
