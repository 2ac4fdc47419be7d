/* SPDX-License-Identifier: BSD-3-Clause */
/* See parting.h. */
#include "advice/parting.h"

#include <math.h>

/* Shares that differ by less are equal. */
#define NEAR 0.02

typedef struct {
    const PsKernel *kernel;
    guint code;
    GPtrArray *found;
} Search;

void ps_idg_visit(const GPtrArray *body, guint first, guint end, PsVisitNode visit, void *data)
{
    for (guint i = first; i < end; i++) {
        const PsIdgItem *item = body->pdata[i];
        if (item->kind == PS_IDG_LOOP)
            ps_idg_visit(item->body, 0, item->body->len, visit, data);
        else
            visit(item, data);
    }
}

static void divergence_free(void *data)
{
    PsDivergence *divergence = data;
    g_array_unref(divergence->ways);
    g_free(divergence);
}

/* ---- shares -------------------------------------------------------------------------------- */

static double share_of(const Search *search, const PsIdgItem *node)
{
    PsRational lanes;
    if (!node->lanes ||
        !ps_expr_eval(node->lanes, search->kernel->scope, (PsPlace){"lanes", 0}, &lanes, NULL))
        return 1;
    return ps_rational_to_double(lanes);
}

typedef struct {
    const Search *search;
    double most;
} Most;

static void find_most(const PsIdgItem *node, void *data)
{
    Most *most = data;
    most->most = fmax(most->most, share_of(most->search, node));
}

/* The largest share of any node of the items. */
static double most_of(const Search *search, const GPtrArray *body, guint first, guint end)
{
    Most most = {search, 0};
    ps_idg_visit(body, first, end, find_most, &most);
    return most.most;
}

static const PsIdgItem *first_node(const PsIdgItem *item)
{
    while (item->kind == PS_IDG_LOOP)
        item = item->body->pdata[0];
    return item;
}

/* ---- places -------------------------------------------------------------------------------- */

typedef struct {
    const PsIdgItem *node;
} Placed;

static void find_placed(const PsIdgItem *node, void *data)
{
    Placed *placed = data;
    if (!placed->node || (node->source_line > 0 && !node->near &&
                          (placed->node->source_line == 0 || placed->node->near)))
        placed->node = node;
}

/* A branch stands before its ways. Without one, they begin with something that has a place. The
 * place of a loop is its end, which has the line of its condition. */
static const PsIdgItem *place_of(const GPtrArray *body, guint first, guint end, gboolean loop)
{
    Placed placed = {NULL};
    const PsIdgItem *before = first > 0 ? body->pdata[first - 1] : NULL;
    const PsIdgItem *last = body->pdata[first];
    while (last->kind == PS_IDG_LOOP)
        last = last->body->pdata[last->body->len - 1];
    if (!loop && before && before->kind == PS_IDG_NODE && before->source_line > 0)
        return before;
    if (loop && last->source_line > 0)
        return last;
    ps_idg_visit(body, first, end, find_placed, &placed);
    return placed.node;
}

static PsDivergence *add(Search *search, const GPtrArray *body, GArray *ways, gboolean loop)
{
    const PsWay *first = &g_array_index(ways, PsWay, 0);
    const PsWay *last = &g_array_index(ways, PsWay, ways->len - 1);
    PsDivergence *divergence = g_new(PsDivergence, 1);
    *divergence = (PsDivergence){search->code, body, place_of(body, first->first, last->end, loop),
                                 loop, g_array_ref(ways)};
    g_ptr_array_add(search->found, divergence);
    return divergence;
}

/* ---- ways ---------------------------------------------------------------------------------- */

/* Items that share the threads of what is around them. */
typedef struct {
    const GPtrArray *body;
    guint first, end;
    double share; /* share of a warp's threads that enter what is around */
    guint side;   /* side of a branch that the part is on */
} Part;

static void search_part(Search *search, const Part *part);

static gboolean is_full(const Search *search, const Part *part, guint i)
{
    return most_of(search, part->body, i, i + 1) >= part->share * (1 - NEAR);
}

/* The number of the way on that side; n if there is none. */
static guint way_of(const Part *part, const GArray *ways, guint side)
{
    for (guint w = 0; w < ways->len; w++)
        if (first_node(part->body->pdata[g_array_index(ways, PsWay, w).first])->side == side)
            return w;
    return ways->len;
}

/* Finds, from item i on, the ways on the sides of a branch. A return to a side ends the inner ways;
 * so does a side whose threads exceed those that the earlier ways leave. */
static GArray *find_ways(const Search *search, const Part *part, guint i)
{
    GArray *ways = g_array_new(FALSE, FALSE, sizeof(PsWay));
    for (; i < part->end && !is_full(search, part, i); i++) {
        const guint side = first_node(part->body->pdata[i])->side;
        if (side == part->side)
            break;
        const guint way = way_of(part, ways, side);
        const double from = ways->len ? g_array_index(ways, PsWay, ways->len - 1).to : 0;
        const double to = from + share_of(search, first_node(part->body->pdata[i])) / part->share;
        if (way < ways->len)
            g_array_set_size(ways, way + 1);
        if (way == ways->len && (ways->len == 0 || to <= 1 + NEAR)) {
            const PsWay new = {i, i, from, fmin(to, 1)};
            g_array_append_val(ways, new);
        }
        g_array_index(ways, PsWay, ways->len - 1).end = i + 1;
    }
    return ways;
}

/* Looks at the ways that begin at item i. Returns the item behind them. */
static guint search_ways(Search *search, const Part *part, guint i)
{
    g_autoptr(GArray) ways = find_ways(search, part, i);
    if (ways->len == 0)
        return i + 1;
    add(search, part->body, ways, FALSE);
    for (guint w = 0; w < ways->len; w++) {
        const PsWay *way = &g_array_index(ways, PsWay, w);
        const Part inside = {part->body, way->first, way->end, part->share * (way->to - way->from),
                             first_node(part->body->pdata[way->first])->side};
        search_part(search, &inside);
    }
    return g_array_index(ways, PsWay, ways->len - 1).end;
}

/* Looks at a loop that all of the part's threads enter. */
static void search_loop(Search *search, const Part *part, guint i)
{
    const PsIdgItem *loop = part->body->pdata[i];
    const double share = most_of(search, part->body, i, i + 1);
    const Part inside = {loop->body, 0, loop->body->len, fmin(share, part->share), part->side};
    if (!is_full(search, part, i)) {
        const PsWay way = {i, i + 1, 0, share / part->share};
        g_autoptr(GArray) ways = g_array_new(FALSE, FALSE, sizeof(PsWay));
        g_array_append_val(ways, way);
        add(search, part->body, ways, TRUE);
    }
    search_part(search, &inside);
}

/* Recursive; the depth of the graph's loops and sides bounds it. */
static void search_part(Search *search, const Part *part)
{
    for (guint i = part->first; i < part->end;) {
        const PsIdgItem *item = part->body->pdata[i];
        const gboolean stays = first_node(item)->side == part->side;
        if (item->kind == PS_IDG_LOOP && (stays || is_full(search, part, i)))
            search_loop(search, part, i++);
        else if (item->kind == PS_IDG_NODE && (stays || is_full(search, part, i)))
            i++;
        else
            i = search_ways(search, part, i);
    }
}

GPtrArray *ps_divergences_find(const PsKernel *kernel)
{
    GPtrArray *found = g_ptr_array_new_with_free_func(divergence_free);
    for (guint c = 0; c < kernel->idg->codes->len; c++) {
        const GPtrArray *body = ((const PsIdgCode *)kernel->idg->codes->pdata[c])->body;
        Search search = {kernel, c, found};
        const Part all = {body, 0, body->len, 1, 0};
        search_part(&search, &all);
    }
    return found;
}
