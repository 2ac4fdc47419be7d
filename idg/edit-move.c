/* SPDX-License-Identifier: BSD-3-Clause */
/* Joins nodes into one, and moves nodes out of loops. See edit.h. */
#include "idg/edit.h"

#include "base/class-name.h"
#include "idg/internal.h"

#include <string.h>

/* ---- finding ------------------------------------------------------------------------------- */

static gboolean find_loops(const GPtrArray *body, const PsIdgItem *node, GPtrArray *loops)
{
    for (guint i = 0; i < body->len; i++) {
        PsIdgItem *item = body->pdata[i];
        if (item == node)
            return TRUE;
        if (item->kind == PS_IDG_LOOP && find_loops(item->body, node, loops)) {
            g_ptr_array_add(loops, item);
            return TRUE;
        }
    }
    return FALSE;
}

static GPtrArray *body_of(const PsIdg *idg, guint code)
{
    return ((PsIdgCode *)idg->codes->pdata[code])->body;
}

GPtrArray *ps_idg_loops_around(const PsIdg *idg, guint code, const PsIdgItem *item)
{
    GPtrArray *loops = g_ptr_array_new();
    find_loops(body_of(idg, code), item, loops);
    return loops;
}

/* The body that has an item of these loops (innermost first), `levels` further out. */
static GPtrArray *body_around(const PsIdg *idg, guint code, const GPtrArray *loops, guint levels)
{
    return levels < loops->len ? ((PsIdgItem *)loops->pdata[levels])->body : body_of(idg, code);
}

/* Changes one dependence of a node; called in program order. */
typedef void (*ForDep)(PsIdgItem *node, PsIdgDep *dep, guint position, void *data);

static void for_each_dep(const GPtrArray *body, guint *position, ForDep what, void *data)
{
    for (guint i = 0; i < body->len; i++) {
        PsIdgItem *item = body->pdata[i];
        if (item->kind == PS_IDG_LOOP) {
            for_each_dep(item->body, position, what, data);
            continue;
        }
        for (guint d = 0; d < item->after->len; d++)
            what(item, item->after->pdata[d], *position, data);
        ++*position;
    }
}

static gboolean position_of(const GPtrArray *body, const PsIdgItem *node, guint *position)
{
    for (guint i = 0; i < body->len; i++) {
        const PsIdgItem *item = body->pdata[i];
        if (item == node || (item->kind == PS_IDG_LOOP && position_of(item->body, node, position)))
            return TRUE;
        *position += item->kind == PS_IDG_NODE;
    }
    return FALSE;
}

/* ---- one for several ------------------------------------------------------------------------- */

typedef struct {
    const char *from, *to;
    guint at, to_at; /* the positions of both nodes */
} Renaming;

/* Between the two positions, the latest instance of one node is an iteration older than that of the
 * other. */
static void rename_dep(PsIdgItem *node, PsIdgDep *dep, guint position, void *data)
{
    const Renaming *renaming = data;
    (void)node;
    if (strcmp(dep->on, renaming->from) != 0)
        return;
    g_free(dep->on);
    dep->on = g_strdup(renaming->to);
    if (dep->all || position <= renaming->to_at || position >= renaming->at)
        return;
    g_autofree char *text =
        g_strdup_printf("((%s)+1)", dep->distance ? ps_expr_text(dep->distance) : "1");
    ps_expr_free(dep->distance);
    dep->distance = ps_expr_new(text, (PsPlace){"after", 0}, NULL);
}

static gboolean is_same(const PsIdgDep *a, const PsIdgDep *b)
{
    return strcmp(a->on, b->on) == 0 && a->all == b->all && !a->distance == !b->distance &&
           (!a->distance || strcmp(ps_expr_text(a->distance), ps_expr_text(b->distance)) == 0);
}

static void drop_repeated(const GPtrArray *body)
{
    for (guint i = 0; i < body->len; i++) {
        const PsIdgItem *item = body->pdata[i];
        if (item->kind == PS_IDG_LOOP)
            drop_repeated(item->body);
        for (guint d = item->kind == PS_IDG_NODE ? item->after->len : 0; d-- > 1;)
            for (guint e = 0; e < d; e++)
                if (is_same(item->after->pdata[d], item->after->pdata[e])) {
                    g_ptr_array_remove_index(item->after, d);
                    break;
                }
    }
}

/* Adds to a node what the other one waits for. */
static void await_too(PsIdgItem *node, PsIdgItem *other)
{
    for (guint i = 0; i < other->after->len && node->after->len < PS_IDG_MAX_AFTER; i++) {
        const PsIdgDep *dep = other->after->pdata[i];
        PsIdgDep *copy = ps_idg_add_dep(node, dep->on);
        copy->all = dep->all;
        copy->distance = dep->distance
                             ? ps_expr_new(ps_expr_text(dep->distance), (PsPlace){"after", 0}, NULL)
                             : NULL;
    }
}

void ps_idg_join(PsIdg *idg, guint code, PsIdgItem *keep, PsIdgItem *gone)
{
    GPtrArray *body = body_of(idg, code);
    Renaming renaming = {.from = gone->name, .to = keep->name};
    guint position = 0;
    position_of(body, gone, &renaming.at);
    position_of(body, keep, &renaming.to_at);
    for_each_dep(body, &position, rename_dep, &renaming);
    if (renaming.to_at > renaming.at)
        await_too(keep, gone);
    g_autoptr(GPtrArray) loops = ps_idg_loops_around(idg, code, gone);
    g_ptr_array_remove(body_around(idg, code, loops, 0), gone);
    drop_repeated(body);
}

/* ---- out of loops ---------------------------------------------------------------------------- */

static void once(PsIdgItem *node, PsIdgDep *dep, guint position, void *data)
{
    (void)node;
    (void)position;
    if (strcmp(dep->on, data) != 0)
        return;
    g_clear_pointer(&dep->distance, ps_expr_free);
    dep->all = FALSE;
}

static gboolean is_in(const GPtrArray *body, const char *name)
{
    for (guint i = 0; i < body->len; i++) {
        const PsIdgItem *item = body->pdata[i];
        if (item->kind == PS_IDG_LOOP ? is_in(item->body, name) : strcmp(item->name, name) == 0)
            return TRUE;
    }
    return FALSE;
}

/* Producers in the loop have not run before it, and have ended behind it. */
static void await_outside(PsIdgItem *node, const PsIdgItem *loop, gboolean behind)
{
    for (guint d = node->after->len; d-- > 0;) {
        PsIdgDep *dep = node->after->pdata[d];
        if (!is_in(loop->body, dep->on))
            continue;
        if (behind)
            g_clear_pointer(&dep->distance, ps_expr_free);
        else
            g_ptr_array_remove_index(node->after, d);
    }
}

static gint index_of(const GPtrArray *body, const PsIdgItem *item)
{
    guint index = 0;
    g_ptr_array_find((GPtrArray *)body, item, &index);
    return (gint)index;
}

void ps_idg_hoist(PsIdg *idg, guint code, PsIdgItem *node, guint levels, gboolean behind)
{
    g_autoptr(GPtrArray) loops = ps_idg_loops_around(idg, code, node);
    levels = MIN(levels, loops->len);
    if (levels == 0)
        return;
    PsIdgItem *loop = loops->pdata[levels - 1];
    GPtrArray *from = body_around(idg, code, loops, 0), *to = body_around(idg, code, loops, levels);
    guint position = 0;
    g_ptr_array_steal_index(from, (guint)index_of(from, node));
    await_outside(node, loop, behind);
    for_each_dep(body_of(idg, code), &position, once, node->name);
    g_ptr_array_insert(to, index_of(to, loop) + behind, node);
}

void ps_idg_put_behind(PsIdg *idg, guint code, const PsIdgItem *item, guint levels, PsIdgItem *node)
{
    g_autoptr(GPtrArray) loops = ps_idg_loops_around(idg, code, item);
    GPtrArray *body = body_around(idg, code, loops, levels);
    g_ptr_array_insert(body, index_of(body, levels ? loops->pdata[levels - 1] : item) + 1, node);
}

PsIdgItem *ps_idg_strip(PsIdg *idg, guint code, PsIdgItem *loop, gint64 times)
{
    g_autoptr(GPtrArray) loops = ps_idg_loops_around(idg, code, loop);
    g_autoptr(GPtrArray) holder = g_ptr_array_new();
    GPtrArray *body = body_around(idg, code, loops, 0);
    g_autofree char *outer_times =
        g_strdup_printf("(%s)/%" G_GINT64_FORMAT, ps_expr_text(loop->times), times);
    g_autofree char *inner_times = g_strdup_printf("%" G_GINT64_FORMAT, times);
    PsIdgItem *outer =
        ps_idg_add_loop(holder, loop->name, ps_expr_new(outer_times, (PsPlace){"times", 0}, NULL));
    body->pdata[index_of(body, loop)] = outer;
    g_ptr_array_add(outer->body, loop);
    ps_expr_free(loop->times);
    loop->times = ps_expr_new(inner_times, (PsPlace){"times", 0}, NULL);
    return outer;
}

/* ---- earlier in a body ----------------------------------------------------------------------- */

/* The items of a body, from `begin` up to `end`, that may change places. */
typedef struct {
    GPtrArray *body;
    guint begin, end;
    guint8 *up; /* [item]: it moves to the front */
} Stretch;

static gboolean ends_stretch(const PsIdgItem *item)
{
    return item->kind == PS_IDG_LOOP || ps_class_covers("barrier", item->class_name) ||
           ps_class_writes(item->class_name);
}

/* The place in the stretch of the node that a dependence names; `end`: the node is not there. */
static guint find_in(const Stretch *stretch, const PsIdgDep *dep)
{
    guint i = stretch->begin;
    while (i < stretch->end &&
           strcmp(((const PsIdgItem *)stretch->body->pdata[i])->name, dep->on) != 0)
        i++;
    return i;
}

static void mark(const Stretch *stretch, PsIdgMeans means, void *data)
{
    for (guint i = stretch->end; i-- > stretch->begin;) {
        const PsIdgItem *item = stretch->body->pdata[i];
        stretch->up[i] = stretch->up[i] || means(item, data);
        for (guint d = 0; stretch->up[i] && d < item->after->len; d++) {
            const guint on = find_in(stretch, item->after->pdata[d]);
            if (on < i)
                stretch->up[on] = TRUE;
        }
    }
}

/* A dependence on the iteration before becomes one on this iteration where the node now comes
 * first. */
static void shift(const Stretch *stretch, guint at)
{
    const PsIdgItem *item = stretch->body->pdata[at];
    for (guint d = 0; d < item->after->len; d++) {
        PsIdgDep *dep = item->after->pdata[d];
        const guint on = find_in(stretch, dep);
        if (on == stretch->end || on <= at || !stretch->up[on] || stretch->up[at] || dep->all)
            continue;
        g_autofree char *text =
            g_strdup_printf("((%s)+1)", dep->distance ? ps_expr_text(dep->distance) : "1");
        ps_expr_free(dep->distance);
        dep->distance = ps_expr_new(text, (PsPlace){"after", 0}, NULL);
    }
}

static void reorder(const Stretch *stretch)
{
    g_autoptr(GPtrArray) order = g_ptr_array_new();
    for (guint i = stretch->begin; i < stretch->end; i++)
        shift(stretch, i);
    for (int up = 1; up >= 0; up--)
        for (guint i = stretch->begin; i < stretch->end; i++)
            if (stretch->up[i] == up)
                g_ptr_array_add(order, stretch->body->pdata[i]);
    for (guint i = 0; i < order->len; i++)
        stretch->body->pdata[stretch->begin + i] = order->pdata[i];
}

void ps_idg_raise(GPtrArray *body, PsIdgMeans means, void *data)
{
    g_autofree guint8 *up = g_new0(guint8, body->len + 1);
    for (guint i = 0, begin = 0; i <= body->len; i++) {
        if (i < body->len && !ends_stretch(body->pdata[i]))
            continue;
        const Stretch stretch = {body, begin, i, up};
        mark(&stretch, means, data);
        reorder(&stretch);
        begin = i + 1;
    }
}

/* ---- what nobody needs ----------------------------------------------------------------------- */

static void note_awaited(PsIdgItem *node, PsIdgDep *dep, guint position, void *data)
{
    (void)position;
    if (strcmp(node->name, dep->on) != 0)
        g_hash_table_add(data, dep->on);
}

typedef struct {
    GHashTable *nodes;   /* name -> PsIdgItem */
    GHashTable *awaited; /* names of nodes for which others wait in the graph before the change */
    GHashTable *needed;  /* names of nodes for which nobody waited, and names of their producers */
} Needs;

static void name_nodes(const GPtrArray *body, GHashTable *nodes)
{
    for (guint i = 0; i < body->len; i++) {
        PsIdgItem *item = body->pdata[i];
        if (item->kind == PS_IDG_LOOP)
            name_nodes(item->body, nodes);
        else
            g_hash_table_insert(nodes, item->name, item);
    }
}

static void find_needed(Needs *needs)
{
    g_autoptr(GPtrArray) open = g_ptr_array_new();
    GHashTableIter iter;
    gpointer name, node;
    g_hash_table_iter_init(&iter, needs->nodes);
    while (g_hash_table_iter_next(&iter, &name, &node))
        if (!g_hash_table_contains(needs->awaited, name) && g_hash_table_add(needs->needed, name))
            g_ptr_array_add(open, node);
    while (open->len > 0) {
        const PsIdgItem *item = g_ptr_array_remove_index_fast(open, open->len - 1);
        for (guint d = 0; d < item->after->len; d++) {
            PsIdgDep *dep = item->after->pdata[d];
            PsIdgItem *on = g_hash_table_lookup(needs->nodes, dep->on);
            if (on && g_hash_table_add(needs->needed, on->name))
                g_ptr_array_add(open, on);
        }
    }
}

/* The names are borrowed from the graph. */
static Needs needs_of(const PsIdg *idg, guint code, GHashTable *awaited)
{
    Needs needs = {g_hash_table_new(g_str_hash, g_str_equal), awaited,
                   g_hash_table_new(g_str_hash, g_str_equal)};
    name_nodes(body_of(idg, code), needs.nodes);
    find_needed(&needs);
    return needs;
}

static void needs_clear(Needs *needs)
{
    g_hash_table_unref(needs->nodes);
    g_hash_table_unref(needs->needed);
}

typedef struct {
    GHashTable *before, *now;
} NoLonger;

static gboolean is_unused(const PsIdgItem *node, void *data)
{
    const NoLonger *needed = data;
    return g_hash_table_contains(needed->before, node->name) &&
           !g_hash_table_contains(needed->now, node->name);
}

void ps_idg_drop_unused(PsIdg *idg, guint code, const PsIdg *before)
{
    g_autoptr(GHashTable) awaited = g_hash_table_new(g_str_hash, g_str_equal);
    guint position = 0;
    for_each_dep(body_of(before, code), &position, note_awaited, awaited);
    Needs then = needs_of(before, code, awaited), now = needs_of(idg, code, awaited);
    NoLonger no_longer = {then.needed, now.needed};
    ps_idg_remove(idg, code, is_unused, &no_longer);
    needs_clear(&then);
    needs_clear(&now);
}
