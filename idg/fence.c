/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A barrier is a fence for what follows (docs/reference/model.md, section 2): every later node of
 * the warp depends on the most recent barrier before it. Barriers of a warp complete in program
 * order, so a node may as well depend on every barrier that can be the most recent one: at most one
 * per enclosing loop (the last of the previous iteration) and one before them all.
 */
#include "idg/flat.h"

typedef struct {
    PsFlat *flat;
    int next_node, next_loop;
    GArray *recent; /* int: barriers that may be the most recent one here */
} Walk;

/* Finds the last barrier of each live loop's body. */
static void find_last_barriers(PsFlat *flat)
{
    for (guint i = 0; i < flat->nodes->len; i++) {
        const PsFlatNode *node = ps_flat_node(flat, i);
        if (!node->barrier || !node->live)
            continue;
        for (int l = node->loop; l != PS_NO_LOOP; l = ps_flat_loop(flat, l)->parent)
            ps_flat_loop(flat, l)->last_barrier = (int)i;
    }
}

static void set_recent(Walk *walk, int barrier)
{
    g_array_set_size(walk->recent, 0);
    g_array_append_val(walk->recent, barrier);
}

static void add_recent(Walk *walk, int barrier)
{
    for (guint i = 0; i < walk->recent->len; i++)
        if (g_array_index(walk->recent, int, i) == barrier)
            return;
    g_array_append_val(walk->recent, barrier);
}

static void walk_body(Walk *walk, const GPtrArray *body);

static void walk_loop(Walk *walk, const PsIdgItem *item)
{
    const PsFlatLoop *loop = ps_flat_loop(walk->flat, walk->next_loop);
    const int last = loop->last_barrier;
    walk->next_loop++;
    if (last >= 0 && loop->trips > 1)
        add_recent(walk, last);
    walk_body(walk, item->body);
    /* From here on the last barrier of the body, if it has one, is the most recent. */
}

static void walk_body(Walk *walk, const GPtrArray *body)
{
    for (guint i = 0; i < body->len; i++) {
        const PsIdgItem *item = body->pdata[i];
        if (item->kind == PS_IDG_LOOP) {
            walk_loop(walk, item);
            continue;
        }
        const int self = walk->next_node++;
        PsFlatNode *node = ps_flat_node(walk->flat, self);
        if (!node->live)
            continue;
        node->fences = g_array_copy(walk->recent);
        if (node->barrier)
            set_recent(walk, self);
    }
}

void ps_flat_find_fences(PsFlat *flat, const PsIdgCode *code)
{
    find_last_barriers(flat);
    g_autoptr(GArray) recent = g_array_new(FALSE, FALSE, sizeof(int));
    Walk walk = {flat, 0, 0, recent};
    walk_body(&walk, code->body);
}

static gboolean is_fence_of(const PsFlat *flat, int barrier, int node)
{
    const GArray *fences = ps_flat_node(flat, node)->fences;
    for (guint i = 0; i < fences->len; i++)
        if (g_array_index(fences, int, i) == barrier)
            return TRUE;
    return FALSE;
}

gboolean ps_flat_fence_implied(const PsFlat *flat, int b, int v, int x)
{
    if (x == b)
        return TRUE;
    if (x == v || !is_fence_of(flat, b, x))
        return FALSE;
    /* No barrier b can run between that x and v: b comes before x on the way to v, in straight line
     * or, where all three stand in the same loop, around its end. */
    if (b < x && x < v)
        return TRUE;
    const int loop = ps_flat_node(flat, v)->loop;
    const gboolean together =
        ps_flat_node(flat, b)->loop == loop && ps_flat_node(flat, x)->loop == loop;
    return together && ((x < v && v < b) || (v < b && b < x));
}
