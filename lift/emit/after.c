/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a node's dependences: on earlier nodes, on registers that it reads, and on other warps. */
#include "lift/emit/emit-private.h"

#include "idg/internal.h"

/* TRUE if spot x lies in a loop that spot v is not in. */
static gboolean is_deeper(const PsSpots *spots, guint x, guint v)
{
    const guint around = ps_spot(spots, x)->around;
    return around != PS_NO_SPOT && (v < around || v > ps_spot(spots, around)->partner);
}

/* TRUE if a barrier need not wait for an access, because it waits for another node that does. */
static gboolean is_implied(const PsSpots *spots, const PsSpot *node, const PsEdge *edge)
{
    for (guint i = 0; !edge->value && i < node->edges->len; i++) {
        const PsEdge *other = &g_array_index(node->edges, PsEdge, i);
        const PsSpot *by = ps_spot(spots, other->on);
        if (other->on <= edge->on || other->value || other->distance > edge->distance ||
            by->around != ps_spot(spots, edge->on)->around || !by->edges || !by->alive)
            continue;
        for (guint j = 0; j < by->edges->len; j++) {
            const PsEdge *needs = &g_array_index(by->edges, PsEdge, j);
            if (needs->on == edge->on && needs->value && needs->distance == 1)
                return TRUE;
        }
    }
    return FALSE;
}

static void add_dependence(const PsSpots *spots, guint i, const PsEdge *edge, PsIdgItem *node)
{
    if (node->after->len >= PS_IDG_MAX_AFTER)
        return;
    PsIdgDep *dep = ps_idg_add_dep(node, ps_spot(spots, edge->on)->name);
    if (edge->distance > 1)
        dep->distance = ps_number_expr(edge->distance);
    else
        dep->all = !edge->value && is_deeper(spots, edge->on, i);
}

static int compare_edges(const void *a, const void *b)
{
    const PsEdge *x = a, *y = b;
    return x->on < y->on ? -1 : x->on > y->on;
}

void ps_emit_dependences(const PsSpots *spots, guint i, PsIdgItem *node)
{
    const PsSpot *spot = ps_spot(spots, i);
    if (!spot->edges)
        return;
    g_array_sort(spot->edges, compare_edges);
    for (guint e = 0; e < spot->edges->len; e++) {
        const PsEdge *edge = &g_array_index(spot->edges, PsEdge, e);
        if (ps_spot_is_node(spots, edge->on) && !is_implied(spots, spot, edge))
            add_dependence(spots, i, edge, node);
    }
}

static gboolean is_innermost(const PsSpots *spots, guint loop)
{
    const guint end = ps_spot(spots, loop)->partner;
    for (guint i = loop + 1; i < end; i++)
        if (ps_spot(spots, i)->kind == PS_SPOT_LOOP)
            return FALSE;
    return TRUE;
}

/* TRUE if the node waits for that one, or for a later instance of it. */
static gboolean waits_for(const PsSpot *spot, const PsEdge *read)
{
    for (guint e = 0; spot->edges && e < spot->edges->len; e++) {
        const PsEdge *edge = &g_array_index(spot->edges, PsEdge, e);
        if (edge->on == read->on && edge->distance <= read->distance)
            return TRUE;
    }
    return FALSE;
}

/* Adds what machine code reads in the same body without a dependence: in an innermost loop, and
 * where a load might move before a store. */
void ps_emit_reads(const PsEmit *emit, guint i, PsIdgItem *node)
{
    const PsSpots *spots = emit->spots;
    const PsSpot *spot = ps_spot(spots, i);
    if (!spot->reads ||
        !(emit->keeps[i] || (spot->around != PS_NO_SPOT && is_innermost(spots, spot->around))))
        return;
    g_array_sort(spot->reads, compare_edges);
    for (guint e = 0; e < spot->reads->len && e < PS_IDG_MAX_AFTER; e++) {
        const PsEdge *read = &g_array_index(spot->reads, PsEdge, e);
        const PsSpot *on = ps_spot(spots, read->on);
        if (!ps_spot_is_node(spots, read->on) || waits_for(spot, read))
            continue;
        PsIdgDep *dep = ps_idg_add_read(node, on->name);
        if (read->distance > 1)
            dep->distance = ps_number_expr(read->distance);
    }
}

static PsExpr *other_than(gint64 number, gint64 usual)
{
    return number != usual ? ps_number_expr(number) : NULL;
}

/* Adds the node's needs from other warps. */
void ps_emit_awaits(const PsEmit *emit, guint i, PsIdgItem *node)
{
    const GArray *awaits = emit->role->awaits;
    guint n = 0;
    for (guint a = 0; a < awaits->len; a++) {
        const PsRoleAwait *await = &g_array_index(awaits, PsRoleAwait, a);
        if (await->spot != i || n++ >= PS_IDG_MAX_AFTER)
            continue;
        const PsWarpRole *other = emit->roles->list->pdata[await->role];
        PsIdgAwait *to =
            ps_idg_add_await(node, other->name, ps_spot(other->spots, await->on)->name);
        to->per = other_than(await->per, 1);
        to->every = other_than(await->every, 1);
        to->before = other_than(await->before, 0);
        to->to_all = await->to_all;
    }
}
