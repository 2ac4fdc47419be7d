/* SPDX-License-Identifier: BSD-3-Clause */
/* Flattening a code: one walk in program order that evaluates every trip count once. */
#include "idg/flat.h"

#include "idg/internal.h"

#include <string.h>

/* Where the walk stands. */
typedef struct {
    PsFlat *flat;
    int loop; /* the innermost loop around this place */
    gboolean live;
    gint64 position; /* place of the next instance, in the first iteration of all loops around it */
    GError **error;
} Walk;

static gboolean flatten_body(Walk *walk, const GPtrArray *body);

static gboolean too_long(Walk *walk, const PsIdgItem *item)
{
    ps_error_at(walk->error, PS_ERROR_LIMIT, ps_idg_place(walk->flat->idg, item->line),
                "a warp would run more than %" G_GINT64_FORMAT " instructions", PS_MAX_INSTANCES);
    return FALSE;
}

static gboolean flatten_node(Walk *walk, const PsIdgItem *item)
{
    PsFlatNode node = {item,           walk->loop, walk->live, FALSE, ps_idg_is_barrier(item),
                       walk->position, NULL};
    g_array_append_val(walk->flat->nodes, node);
    g_hash_table_insert(walk->flat->by_name, item->name, GINT_TO_POINTER(walk->flat->nodes->len));
    if (walk->live && ++walk->position > PS_MAX_INSTANCES)
        return too_long(walk, item);
    return TRUE;
}

static gboolean flatten_loop(Walk *walk, const PsIdgItem *item)
{
    PsFlat *flat = walk->flat;
    const PsPlace place = ps_idg_place(flat->idg, item->line);
    PsFlatLoop loop = {item, walk->loop, 0, 0, 0, -1};
    loop.depth = walk->loop == PS_NO_LOOP ? 1 : ps_flat_loop(flat, walk->loop)->depth + 1;
    if (!ps_expr_eval_int(item->times, flat->scope, place,
                          &(PsIntRange){"trip count", 0, PS_MAX_INSTANCES}, &loop.trips,
                          walk->error))
        return FALSE;
    g_array_append_val(flat->loops, loop);

    const Walk outer = *walk;
    const int self = (int)flat->loops->len - 1;
    walk->loop = self;
    walk->live = outer.live && loop.trips > 0;
    if (!flatten_body(walk, item->body))
        return FALSE;
    const gint64 length = walk->position - outer.position;
    ps_flat_loop(flat, self)->length = length;
    gint64 all = 0;
    if (walk->live && (__builtin_mul_overflow(length, loop.trips, &all) ||
                       all > PS_MAX_INSTANCES - outer.position))
        return too_long(walk, item);
    walk->position = outer.position + all;
    walk->loop = outer.loop;
    walk->live = outer.live;
    return TRUE;
}

static gboolean flatten_body(Walk *walk, const GPtrArray *body)
{
    for (guint i = 0; i < body->len; i++) {
        const PsIdgItem *item = body->pdata[i];
        if (!(item->kind == PS_IDG_LOOP ? flatten_loop(walk, item) : flatten_node(walk, item)))
            return FALSE;
    }
    return TRUE;
}

static void clear_node(void *node)
{
    GArray *fences = ((PsFlatNode *)node)->fences;
    if (fences)
        g_array_unref(fences);
}

PsFlat *ps_flat_new(const PsIdg *idg, const PsIdgCode *code, const PsScope *scope, gint64 *length,
                    GError **error)
{
    g_autoptr(PsFlat) flat = g_new0(PsFlat, 1);
    flat->idg = idg;
    flat->scope = scope;
    flat->loops = g_array_new(FALSE, FALSE, sizeof(PsFlatLoop));
    flat->nodes = g_array_new(FALSE, FALSE, sizeof(PsFlatNode));
    g_array_set_clear_func(flat->nodes, clear_node);
    flat->by_name = g_hash_table_new(g_str_hash, g_str_equal);
    Walk walk = {flat, PS_NO_LOOP, TRUE, 0, error};
    if (!flatten_body(&walk, code->body))
        return NULL;
    *length = walk.position;
    return g_steal_pointer(&flat);
}

void ps_flat_free(PsFlat *flat)
{
    if (!flat)
        return;
    g_array_unref(flat->loops);
    g_array_unref(flat->nodes);
    g_hash_table_unref(flat->by_name);
    g_free(flat);
}

int ps_flat_common_loop(const PsFlat *flat, int a, int b)
{
    int p = ps_flat_node(flat, a)->loop;
    int q = ps_flat_node(flat, b)->loop;
    /* An outer loop has a lower index than those inside it. */
    while (p != q) {
        if (p > q)
            p = ps_flat_loop(flat, p)->parent;
        else
            q = ps_flat_loop(flat, q)->parent;
    }
    return p;
}

gint64 ps_flat_instances(const PsFlat *flat, int node, int loop)
{
    gint64 product = 1;
    for (int l = ps_flat_node(flat, node)->loop; l != loop; l = ps_flat_loop(flat, l)->parent)
        product *= ps_flat_loop(flat, l)->trips;
    return product;
}
