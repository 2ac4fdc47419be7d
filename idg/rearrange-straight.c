/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Straight code with its loads first: pieces of bodies between loops, each in a new order. See
 * rearrange.h.
 */
#include "idg/internal.h"
#include "idg/rearrange-private.h"

#include <string.h>

typedef struct {
    PsIdg *idg;
    guint code;
    const PsScope *scope;
    GHashTable *names;
    PsIdgRearranged *did;
    gboolean any;
} Raise;

/* ---- what comes earlier ---------------------------------------------------------------------- */

/* [node of a piece]: the longest chain of loads that it waits for. */
static guint *find_depths(const PsBody *body)
{
    guint *depths = g_new0(guint, body->nodes->len);
    for (guint i = 0; i < body->nodes->len; i++) {
        const PsBodyNode *node = ps_body_node(body, i);
        for (guint n = 0; n < node->needs->len; n++) {
            const PsNeed *need = &g_array_index(node->needs, PsNeed, n);
            if (need->back == 0)
                depths[i] =
                    MAX(depths[i], depths[need->on] + (ps_body_node(body, need->on)->load ? 1 : 0));
        }
    }
    return depths;
}

/* Adds the names of loads that now stand before a node which waits for a load, and stood behind it.
 * Returns their number. */
static guint note_earlier(const PsBody *body, const GArray *copies, GHashTable *names)
{
    g_autofree guint *depths = find_depths(body), *place = g_new0(guint, body->nodes->len);
    guint earlier = 0;
    for (guint i = 0; i < copies->len; i++)
        place[g_array_index(copies, PsCopy, i).node] = i;
    for (guint load = 0; load < body->nodes->len; load++) {
        gboolean passes = FALSE;
        for (guint i = 0; ps_body_node(body, load)->load && i < load && !passes; i++)
            passes = depths[i] > depths[load] && place[i] > place[load];
        if (passes)
            g_hash_table_add(names, g_strdup(ps_body_node(body, load)->item->name));
        earlier += passes;
    }
    return earlier;
}

/* ---- who waits for it ------------------------------------------------------------------------ */

static void note_deps(const GPtrArray *deps, GHashTable *names)
{
    for (guint i = 0; deps && i < deps->len; i++)
        g_hash_table_add(names, ((const PsIdgDep *)deps->pdata[i])->on);
}

/* Notes the names of nodes that the piece's dependences name outside of it. Recursive;
 * PS_IDG_MAX_DEPTH bounds it. */
static void note_waited(const GPtrArray *body, const PsBody *piece, GHashTable *names)
{
    for (guint i = 0; i < body->len; i++) {
        const PsIdgItem *item = body->pdata[i];
        if (item->kind == PS_IDG_LOOP)
            note_waited(item->body, piece, names);
        else if (!g_hash_table_contains(piece->by_name, item->name))
            note_deps(item->after, names);
    }
}

/* ---- pieces ---------------------------------------------------------------------------------- */

/* Turns a node's reads into dependences, since order and holds no longer guarantee them. */
static void wait_for_reads(PsIdgItem *item)
{
    for (guint i = 0; item->reads && i < item->reads->len; i++)
        g_ptr_array_add(item->after, item->reads->pdata[i]);
    if (item->reads)
        g_ptr_array_set_free_func(item->reads, NULL);
    g_clear_pointer(&item->reads, g_ptr_array_unref);
}

/* The items in their new order. The array is the caller's; it does not own the items. */
static GPtrArray *in_order(const GPtrArray *items, const GArray *copies)
{
    GPtrArray *ordered = g_ptr_array_new();
    for (guint i = 0; i < copies->len; i++) {
        PsIdgItem *item = items->pdata[g_array_index(copies, PsCopy, i).node];
        g_ptr_array_add(ordered, item);
        wait_for_reads(item);
    }
    return ordered;
}

static void raise_piece(Raise *raise, GPtrArray *parent, guint first, guint n)
{
    g_autoptr(GPtrArray) items = g_ptr_array_new();
    for (guint i = 0; i < n; i++)
        g_ptr_array_add(items, parent->pdata[first + i]);
    g_autoptr(PsBody) body = ps_body_new_straight(items, raise->scope);
    if (!body)
        return;
    gboolean passes_store = FALSE;
    g_autoptr(GArray) copies = ps_body_order(body, 1, FALSE, &passes_store);
    const guint earlier = note_earlier(body, copies, raise->names);
    if (earlier == 0)
        return;
    g_autoptr(GHashTable) lasting = g_hash_table_new(g_str_hash, g_str_equal);
    note_waited(((const PsIdgCode *)raise->idg->codes->pdata[raise->code])->body, body, lasting);
    const gint64 before = ps_body_words(items, raise->scope, lasting);
    g_autoptr(GPtrArray) ordered = in_order(items, copies);
    memcpy(&parent->pdata[first], ordered->pdata, n * sizeof *ordered->pdata);
    const gint64 words = ps_body_words(ordered, raise->scope, lasting) - before;
    raise->did->words = (guint)MAX((gint64)raise->did->words, words);
    raise->did->loads += earlier;
    raise->did->passes_store = raise->did->passes_store || passes_store;
    raise->any = TRUE;
}

static gboolean is_loop(const PsIdgItem *item)
{
    return item->kind == PS_IDG_LOOP;
}

/* Recursive; PS_IDG_MAX_DEPTH bounds it. */
static void raise_body(Raise *raise, GPtrArray *body, gboolean of_loop)
{
    gboolean innermost = of_loop;
    for (guint i = 0; i < body->len; i++)
        innermost = innermost && !is_loop(body->pdata[i]);
    for (guint i = 0, end; !innermost && i < body->len; i = end + 1) {
        for (end = i; end < body->len && !is_loop(body->pdata[end]);)
            end++;
        raise_piece(raise, body, i, end - i);
        if (end < body->len)
            raise_body(raise, ((PsIdgItem *)body->pdata[end])->body, TRUE);
    }
}

gboolean ps_idg_raise_loads(PsIdg *idg, guint code, const PsScope *scope, GHashTable *names,
                            PsIdgRearranged *did)
{
    Raise raise = {idg, code, scope, names, did, FALSE};
    *did = (PsIdgRearranged){0};
    if (ps_idg_has_awaits(idg)) /* awaits refer to instances by their order */
        return FALSE;
    raise_body(&raise, ((PsIdgCode *)idg->codes->pdata[code])->body, FALSE);
    return raise.any;
}
