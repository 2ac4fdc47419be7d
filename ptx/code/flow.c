/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Basic blocks, the points where lanes that part meet again, and loops.
 *
 * Lanes meet at a branch's immediate post-dominator. Ways that end early must not hide it: after
 *
 *     if (a) { if (b) return; y; } z;
 *
 * lanes meet at z, though lanes with b never get there. So edges to an early end are left out where
 * there is another way. The end is the last block in the text that ends, except for traps. A block
 * of nothing but ret, which many branches share, counts as the end only where the last block before
 * it goes there, since compilers put rare code behind it. Where threads that end early wait for
 * others on their way (a barrier), meeting without them could make all wait for ever: then no edge
 * is left out.
 *
 * Loops are natural ones: a back edge goes to a block that dominates it. A cycle without such a
 * block (irreducible) is no loop, and no other code minds it.
 */
#include "ptx/code/expand.h"
#include <string.h>

typedef struct {
    guint first, last; /* its points */
    gboolean ends;     /* threads may end in the block */
    gboolean bare;     /* the block does nothing but end */
    gboolean waits;    /* the block has a barrier */
    gboolean stays;    /* a way without early ends leads from it to the end */
} Block;

typedef struct {
    PsPtxCode *code;
    GArray *blocks;  /* Block */
    guint *block_of; /* point -> block; n_points -> the end */
    GArray *edges;   /* PsPtxEdge between blocks; the end is block number blocks->len */
    guint end;       /* number of the end: blocks->len */
} Flow;

static Block *block_at(const Flow *flow, guint number)
{
    return &g_array_index(flow->blocks, Block, number);
}

/* ---- blocks --------------------------------------------------------------------------------- */

static gboolean parts(const PsPtxPoint *point)
{
    return point->target != PS_PTX_NOWHERE || point->targets ||
           ps_ptx_leaves(point) != PS_PTX_STAYS;
}

static void lead(PsPtxCode *code, guint point)
{
    if (point < code->n_points)
        code->points[point].leader = TRUE;
}

static void find_leaders(PsPtxCode *code)
{
    lead(code, 0);
    for (guint i = 0; i < code->n_points; i++) {
        const PsPtxPoint *point = &code->points[i];
        if (!parts(point))
            continue;
        lead(code, i + 1);
        lead(code, point->target);
        for (guint k = 0; point->targets && k < point->targets->len; k++)
            lead(code, g_array_index(point->targets, guint, k));
    }
}

static gboolean is_barrier(const PsPtxPoint *point)
{
    const char *opcode = point->instruction->mnemonic->opcode;
    return strcmp(opcode, "bar") == 0 || strcmp(opcode, "barrier") == 0 ||
           strcmp(opcode, "mbarrier") == 0;
}

static void find_blocks(Flow *flow)
{
    const PsPtxCode *code = flow->code;
    Block *block = NULL;
    for (guint i = 0; i < code->n_points; i++) {
        const PsPtxPoint *point = &code->points[i];
        if (point->leader) {
            Block new = {.first = i};
            g_array_append_val(flow->blocks, new);
            block = block_at(flow, flow->blocks->len - 1);
        }
        g_assert(block);
        block->last = i;
        block->waits |= is_barrier(point);
        block->ends |= ps_ptx_leaves(point) == PS_PTX_ENDS;
        flow->block_of[i] = flow->blocks->len - 1;
        block->bare = block->ends && block->first == i && point->instruction->guard < 0;
    }
    flow->end = flow->blocks->len;
    flow->block_of[code->n_points] = flow->end;
}

static void add_edge(Flow *flow, guint from, guint target)
{
    PsPtxEdge edge = {from, flow->block_of[MIN(target, flow->code->n_points)]};
    g_array_append_val(flow->edges, edge);
}

static void find_edges(Flow *flow)
{
    for (guint b = 0; b < flow->end; b++) {
        const Block *block = block_at(flow, b);
        const PsPtxPoint *point = &flow->code->points[block->last];
        const gboolean guarded = point->instruction->guard >= 0;
        if (ps_ptx_leaves(point) == PS_PTX_ENDS)
            add_edge(flow, b, flow->code->n_points);
        if (point->target != PS_PTX_NOWHERE)
            add_edge(flow, b, point->target);
        for (guint k = 0; point->targets && k < point->targets->len; k++)
            add_edge(flow, b, g_array_index(point->targets, guint, k));
        /* lanes that do not call go to the call's target */
        if (!parts(point) || guarded)
            add_edge(flow, b, block->last + 1);
    }
}

/* ---- where lanes meet ----------------------------------------------------------------------- */

/* Marks in `seen` all blocks that can be reached from start. */
static void flood(const PsPtxGraph *graph, guint start, guint8 *seen, guint *stack)
{
    guint depth = 0;
    if (seen[start])
        return;
    seen[start] = 1;
    stack[depth++] = start;
    while (depth > 0) {
        guint node = stack[--depth];
        for (guint i = graph->at[node]; i < graph->at[node + 1]; i++)
            if (!seen[graph->to[i]]) {
                seen[graph->to[i]] = 1;
                stack[depth++] = graph->to[i];
            }
    }
}

/* TRUE if threads end in the block by a trap, which is rare. The next two functions tell by which
 * of two blocks more threads come to their end. */
static gboolean is_traps(const Flow *flow, guint block)
{
    const PsPtxPoint *last = &flow->code->points[block_at(flow, block)->last];
    return strcmp(last->instruction->mnemonic->opcode, "trap") == 0;
}

static gboolean ends_later(const Flow *flow, guint block, guint than)
{
    if (than == G_MAXUINT || is_traps(flow, block) != is_traps(flow, than))
        return than == G_MAXUINT || is_traps(flow, than);
    return block > than;
}

static gboolean leads_later(guint block, guint than, guint end)
{
    if (than == G_MAXUINT || (block < end) != (than < end))
        return than == G_MAXUINT || block < end;
    return block > than;
}

/* Finds the edge by which threads come to the end, while other edges are early ends: from `*before`
 * (G_MAXUINT: any block) to `*end`. FALSE: no thread ends. */
static gboolean main_end(const Flow *flow, guint *before, guint *last)
{
    *before = *last = G_MAXUINT;
    for (guint i = 0; i < flow->edges->len; i++) {
        PsPtxEdge edge = g_array_index(flow->edges, PsPtxEdge, i);
        if (edge.to == flow->end && ends_later(flow, edge.from, *last))
            *last = edge.from;
    }
    if (*last == G_MAXUINT)
        return FALSE;
    if (!block_at(flow, *last)->bare)
        return TRUE;
    for (guint i = 0; i < flow->edges->len; i++) {
        PsPtxEdge edge = g_array_index(flow->edges, PsPtxEdge, i);
        if (edge.to == *last && leads_later(edge.from, *before, *last))
            *before = edge.from;
    }
    return TRUE;
}

/* TRUE if the edge goes to an early end. */
static gboolean early(const Flow *flow, PsPtxEdge edge, guint before, guint last)
{
    if (edge.to == flow->end)
        return edge.from != last;
    return block_at(flow, edge.to)->bare && !(edge.to == last && edge.from == before);
}

/* Marks the blocks from which a way without early ends leads to the end. Marks none where threads
 * that end early wait for others on their way. */
static void find_staying(Flow *flow)
{
    const guint n = flow->end + 1;
    g_autofree guint8 *seen = g_new0(guint8, n);
    g_autofree guint *stack = g_new(guint, n);
    g_autoptr(GArray) kept = g_array_new(FALSE, FALSE, sizeof(PsPtxEdge));
    guint before, last;
    if (!main_end(flow, &before, &last))
        return;
    for (guint i = 0; i < flow->edges->len; i++) {
        PsPtxEdge edge = g_array_index(flow->edges, PsPtxEdge, i);
        if (!early(flow, edge, before, last))
            g_array_append_val(kept, edge);
    }
    PsPtxGraph back = ps_ptx_graph(n, (PsPtxEdge *)(gpointer)kept->data, kept->len, TRUE);
    flood(&back, last, seen, stack);
    ps_ptx_graph_clear(&back);
    for (guint b = 0; b < flow->end; b++)
        if (!seen[b] && block_at(flow, b)->waits)
            return;
    for (guint b = 0; b < flow->end; b++)
        block_at(flow, b)->stays = seen[b];
    /* an edge from a marked block to an unmarked one is an early end, too */
    for (guint i = flow->edges->len; i-- > 0;) {
        PsPtxEdge edge = g_array_index(flow->edges, PsPtxEdge, i);
        gboolean to_stay = edge.to != flow->end && seen[edge.to];
        if (seen[edge.from] &&
            (early(flow, edge, before, last) || (!to_stay && edge.to != flow->end)))
            g_array_remove_index_fast(flow->edges, i);
    }
}

/* Adds an edge to the end for code without one, such as an endless loop, from the last of its
 * blocks. */
static void end_endless(Flow *flow)
{
    const guint n = flow->end + 1;
    g_autofree guint8 *seen = g_new0(guint8, n);
    g_autofree guint *stack = g_new(guint, n);
    PsPtxGraph back =
        ps_ptx_graph(n, (PsPtxEdge *)(gpointer)flow->edges->data, flow->edges->len, TRUE);
    flood(&back, flow->end, seen, stack);
    for (guint b = flow->end; b-- > 0;) {
        PsPtxEdge edge = {b, flow->end};
        if (seen[b])
            continue;
        g_array_append_val(flow->edges, edge);
        flood(&back, b, seen, stack);
    }
    ps_ptx_graph_clear(&back);
}

static void find_meets(Flow *flow)
{
    PsPtxCode *code = flow->code;
    const guint n = flow->end + 1;
    find_staying(flow);
    end_endless(flow);
    const PsPtxEdge *edges = (PsPtxEdge *)(gpointer)flow->edges->data;
    PsPtxGraph back = ps_ptx_graph(n, edges, flow->edges->len, TRUE);
    PsPtxGraph forward = ps_ptx_graph(n, edges, flow->edges->len, FALSE);
    g_autofree guint *meets = ps_ptx_dominators(&back, &forward, flow->end);
    for (guint b = 0; b < flow->end; b++) {
        guint last = block_at(flow, b)->last;
        if (parts(&code->points[last]) && meets[b] != G_MAXUINT && meets[b] != flow->end)
            code->points[last].meet = block_at(flow, meets[b])->first;
    }
    ps_ptx_graph_clear(&back);
    ps_ptx_graph_clear(&forward);
}

/* ---- loops ---------------------------------------------------------------------------------- */

typedef struct {
    PsPtxGraph back;
    guint *number, *size; /* numbers and sizes of subtrees in the dominator tree */
    guint *header;        /* block -> header of the innermost loop found so far around it */
    guint *leader;        /* union-find: block -> the header of the outermost loop found so far */
    guint *stack;
} Loops;

static gboolean dominates(const Loops *loops, guint a, guint b)
{
    return loops->size[a] > 0 && loops->size[b] > 0 && loops->number[a] <= loops->number[b] &&
           loops->number[b] < loops->number[a] + loops->size[a];
}

static guint leader_of(Loops *loops, guint block)
{
    while (loops->leader[block] != block) {
        loops->leader[block] = loops->leader[loops->leader[block]];
        block = loops->leader[block];
    }
    return block;
}

/* Gives the loop of this header all blocks that lead back to it. A loop inside it is one block by
 * now, so that each edge is followed about once in all. TRUE if it is a header. */
static gboolean collect(Loops *loops, guint header)
{
    guint depth = 0;
    gboolean found = FALSE;
    for (guint i = loops->back.at[header]; i < loops->back.at[header + 1]; i++) {
        guint latch = loops->back.to[i];
        if (!dominates(loops, header, latch))
            continue;
        found = TRUE;
        guint leader = leader_of(loops, latch);
        if (leader != header) {
            loops->leader[leader] = header;
            loops->header[leader] = header;
            loops->stack[depth++] = leader;
        }
    }
    while (depth > 0) {
        guint block = loops->stack[--depth];
        for (guint i = loops->back.at[block]; i < loops->back.at[block + 1]; i++) {
            guint from = loops->back.to[i];
            guint leader = leader_of(loops, from);
            if (leader == header || !dominates(loops, header, leader))
                continue;
            loops->leader[leader] = header;
            loops->header[leader] = header;
            loops->stack[depth++] = leader;
        }
    }
    return found;
}

/* Numbers the loops, outer ones first, and notes the innermost loop of each point. */
static void number_loops(Flow *flow, const Loops *loops, const guint *order, const guint8 *heads)
{
    PsPtxCode *code = flow->code;
    g_autofree guint *loop_of = g_new(guint, (gsize)flow->end + 1);
    g_autoptr(GArray) list = g_array_new(FALSE, FALSE, sizeof(PsPtxLoop));
    for (guint i = 0; i < flow->end; i++) {
        guint block = order[i];
        if (block == G_MAXUINT)
            continue;
        guint around =
            loops->header[block] == G_MAXUINT ? PS_PTX_NOWHERE : loop_of[loops->header[block]];
        loop_of[block] = around;
        if (!heads[block])
            continue;
        PsPtxLoop loop = {
            block_at(flow, block)->first, around,
            around == PS_PTX_NOWHERE ? 1 : g_array_index(list, PsPtxLoop, around).depth + 1};
        loop_of[block] = list->len;
        g_array_append_val(list, loop);
    }
    for (guint i = 0; i < code->n_points; i++)
        if (loops->size[flow->block_of[i]] > 0)
            code->points[i].loop = loop_of[flow->block_of[i]];
    code->n_loops = list->len;
    code->loops = (PsPtxLoop *)(gpointer)g_array_free(g_steal_pointer(&list), FALSE);
}

static void find_loops(Flow *flow)
{
    const guint n = flow->end + 1;
    const PsPtxEdge *edges = (PsPtxEdge *)(gpointer)flow->edges->data;
    PsPtxGraph forward = ps_ptx_graph(n, edges, flow->edges->len, FALSE);
    g_autofree guint *space = g_new(guint, 6 * (gsize)n);
    g_autofree guint8 *heads = g_new0(guint8, n);
    Loops loops = {.back = ps_ptx_graph(n, edges, flow->edges->len, TRUE),
                   .number = space,
                   .size = space + n,
                   .header = space + 2 * (gsize)n,
                   .leader = space + 3 * (gsize)n,
                   .stack = space + 4 * (gsize)n};
    guint *order = space + 5 * (gsize)n;
    g_autofree guint *dominators = ps_ptx_dominators(&forward, &loops.back, 0);
    ps_ptx_dominator_tree(dominators, n, 0, loops.number, loops.size);
    for (guint b = 0; b < n; b++) {
        loops.header[b] = order[b] = G_MAXUINT;
        loops.leader[b] = b;
    }
    for (guint b = 0; b < n; b++)
        if (loops.size[b] > 0)
            order[loops.number[b]] = b;
    /* the header of an inner loop comes later in the dominator tree than that of the outer one; the
     * end, wherever its place is, is in no loop */
    for (guint i = n; i-- > 0;)
        if (order[i] != G_MAXUINT && order[i] != flow->end)
            heads[order[i]] = collect(&loops, order[i]);
    guint kept = 0;
    for (guint i = 0; i < n; i++)
        if (order[i] != flow->end)
            order[kept++] = order[i];
    number_loops(flow, &loops, order, heads);
    ps_ptx_graph_clear(&forward);
    ps_ptx_graph_clear(&loops.back);
}

void ps_ptx_flow(PsPtxCode *code)
{
    if (code->n_points == 0)
        return;
    Flow flow = {.code = code,
                 .blocks = g_array_new(FALSE, FALSE, sizeof(Block)),
                 .block_of = g_new(guint, (gsize)code->n_points + 1),
                 .edges = g_array_new(FALSE, FALSE, sizeof(PsPtxEdge))};

    find_leaders(code);
    find_blocks(&flow);
    find_edges(&flow);
    find_loops(&flow);
    find_meets(&flow);
    g_array_unref(flow.blocks);
    g_array_unref(flow.edges);
    g_free(flow.block_of);
}
