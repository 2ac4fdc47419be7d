/* SPDX-License-Identifier: BSD-3-Clause */
/* A loop's nodes and their dependences. See rearrange-private.h. */
#include "idg/rearrange-private.h"

#include "base/class-name.h"
#include "idg/internal.h"

#include <string.h>

/* Nodes of a loop's body; longer bodies were unrolled before. */
#define MOST_NODES 512
/* Nodes of straight code that are ordered at once: the time grows with the square of their
 * number. */
#define MOST_STRAIGHT 2048
/* Iterations between an instance and one that waits for it, at most. */
#define MOST_BACK 1024

/* ---- what waits for what ------------------------------------------------------------------- */

/* FALSE if the distance is unknown, or too large. */
static gboolean add_need(const PsBody *body, guint at, const PsIdgDep *dep, const PsScope *scope)
{
    const guint on = GPOINTER_TO_UINT(g_hash_table_lookup(body->by_name, dep->on));
    gint64 distance = 1;
    if (on == 0)
        return TRUE;
    if (dep->distance &&
        !ps_expr_eval_int(dep->distance, scope, (PsPlace){"distance", 0},
                          &(PsIntRange){"distance", 1, MOST_BACK}, &distance, NULL))
        return FALSE;
    const PsNeed need = {on - 1, distance - (on - 1 < at)};
    g_array_append_val(ps_body_node(body, at)->needs, need);
    return TRUE;
}

static gboolean add_needs(const PsBody *body, guint at, const GPtrArray *deps, const PsScope *scope)
{
    for (guint i = 0; deps && i < deps->len; i++)
        if (!add_need(body, at, deps->pdata[i], scope))
            return FALSE;
    return TRUE;
}

/* TRUE if the nodes that are waited for implicitly are known. */
static gboolean is_told(const GPtrArray *items)
{
    gboolean holds = FALSE;
    for (guint i = 0; i < items->len; i++) {
        const PsIdgItem *item = items->pdata[i];
        if (item->reads)
            return TRUE;
        holds = holds || item->hold;
    }
    return !holds;
}

/* ---- what nodes are ------------------------------------------------------------------------ */

static gboolean is_branch(const PsIdgItem *item)
{
    return ps_class_covers("branch", item->class_name) || ps_class_covers("loop", item->class_name);
}

static gboolean is_local(const PsBodyNode *node)
{
    return ps_class_is_local(node->item->class_name);
}

gboolean ps_body_writes(const PsBodyNode *node, gboolean local)
{
    const char *name = node->item->class_name;
    return ps_class_writes(name) && ps_class_is_local(name) == local;
}

static void classify(PsBodyNode *node)
{
    static const char *const memory[] = {"global", "memory", "local", NULL};
    static const char *const fences[] = {"branch", "loop", "memory.fence", NULL};
    const char *name = node->item->class_name;
    node->fence = ps_idg_is_barrier(node->item) || ps_class_is_one_of(name, fences);
    node->load = !node->fence && ps_class_is_one_of(name, memory) && !ps_class_writes(name);
}

/* TRUE if all nodes that wait for this one exist once per trip; FALSE if none waits. */
static gboolean serves_once(const PsBody *body, guint on)
{
    gboolean any = FALSE;
    for (guint i = 0; i < body->nodes->len; i++) {
        const PsBodyNode *node = ps_body_node(body, i);
        for (guint n = 0; i != on && n < node->needs->len; n++)
            if (g_array_index(node->needs, PsNeed, n).on == on) {
                if (!node->once)
                    return FALSE;
                any = TRUE;
            }
    }
    return any;
}

/* Marks a node, and all nodes of the loop that it waits for. */
static void mark(const PsBody *body, guint at, gboolean *marks)
{
    const GArray *needs = ps_body_node(body, at)->needs;
    if (marks[at])
        return;
    marks[at] = TRUE;
    for (guint n = 0; n < needs->len; n++)
        mark(body, g_array_index(needs, PsNeed, n).on, marks);
}

/* TRUE if the node needs only values of its own iteration, or of one node an iteration before
 * (G_MAXUINT: not known yet). A carry comes from another counter. */
static gboolean counts(const PsBody *body, guint at, guint *before)
{
    const PsBodyNode *node = ps_body_node(body, at);
    for (guint n = 0; n < node->needs->len; n++) {
        const PsNeed *need = &g_array_index(node->needs, PsNeed, n);
        if (need->back == 0)
            continue;
        if (need->back != 1 || (*before != G_MAXUINT && *before != need->on))
            return FALSE;
        *before = need->on;
    }
    return ps_class_covers("iadd", node->item->class_name);
}

/* TRUE for a counter: it adds to itself what the loop does not change, in one addition or in the
 * two of a 64-bit number. Copies of the instructions that use it add a larger constant. */
static gboolean is_counter(const PsBody *body, guint at)
{
    g_autofree gboolean *marks = g_new0(gboolean, body->nodes->len);
    guint before = G_MAXUINT;
    const gboolean carries =
        ps_class_covers("iadd.carry", ps_body_node(body, at)->item->class_name);
    mark(body, at, marks);
    for (guint i = 0; i < body->nodes->len; i++)
        if (marks[i] && !(carries && i != at && ps_body_node(body, i)->once) &&
            !counts(body, i, &before))
            return FALSE;
    return before != G_MAXUINT;
}

/* The loop's own branch, or what stands for its overhead. */
static void find_branch(const PsBody *body)
{
    PsBodyNode *last = ps_body_node(body, body->nodes->len - 1);
    gboolean any = FALSE;
    for (guint i = 0; i < body->nodes->len; i++) {
        PsBodyNode *node = ps_body_node(body, i);
        node->once = ps_class_covers("loop", node->item->class_name);
        any = any || node->once;
    }
    last->once = last->once || (!any && is_branch(last->item));
}

static void find_once(const PsBody *body)
{
    gboolean more = TRUE;
    find_branch(body);
    while (more) {
        more = FALSE;
        for (guint i = 0; i < body->nodes->len; i++) {
            PsBodyNode *node = ps_body_node(body, i);
            if (node->once || node->load || (node->fence && !is_branch(node->item)) ||
                ps_class_writes(node->item->class_name))
                continue;
            node->once = is_counter(body, i) || serves_once(body, i);
            more = more || node->once;
        }
    }
    for (guint i = 0; i < body->nodes->len; i++)
        ps_body_node(body, i)->fence = ps_body_node(body, i)->fence && !ps_body_node(body, i)->once;
}

/* ---- what may be done ---------------------------------------------------------------------- */

/* TRUE if the node depends on itself alone, an iteration before: a counter of some kind. */
static gboolean is_own(const PsBody *body, guint at)
{
    const PsBodyNode *node = ps_body_node(body, at);
    for (guint n = 0; n < node->needs->len; n++)
        if (g_array_index(node->needs, PsNeed, n).on != at)
            return FALSE;
    return !node->load;
}

/* TRUE if the loop's branch waits for more than counters: the next iteration is not known in
 * advance. */
static gboolean ends_by_data(const PsBody *body)
{
    g_autofree gboolean *marks = g_new0(gboolean, body->nodes->len);
    for (guint i = 0; i < body->nodes->len; i++)
        if (ps_body_node(body, i)->once)
            mark(body, i, marks);
    for (guint i = 0; i < body->nodes->len; i++)
        if (marks[i] && !ps_body_node(body, i)->once && !is_own(body, i))
            return TRUE;
    return FALSE;
}

static gboolean writes_any(const PsBody *body, gboolean local)
{
    for (guint i = 0; i < body->nodes->len; i++)
        if (ps_body_writes(ps_body_node(body, i), local))
            return TRUE;
    return FALSE;
}

/* TRUE if a load, with everything that its address needs, may run an iteration ahead: nothing
 * writes memory that it may read, and no other branch decides about it. Other warps write the
 * group's memory. */
static gboolean may_be_early(const PsBody *body, guint load, const gboolean *marks)
{
    if (is_local(ps_body_node(body, load)) || writes_any(body, FALSE))
        return FALSE;
    for (guint i = 0; i < body->nodes->len; i++) {
        const PsBodyNode *node = ps_body_node(body, i);
        if (i < load && node->fence && is_branch(node->item))
            return FALSE;
        if (marks[i] &&
            (node->fence || ps_class_writes(node->item->class_name) || (i != load && node->load)))
            return FALSE;
    }
    return TRUE;
}

gboolean ps_body_find_early(PsBody *body)
{
    gboolean any = FALSE;
    for (guint i = 0; i < body->nodes->len; i++) {
        g_autofree gboolean *marks = g_new0(gboolean, body->nodes->len);
        if (!ps_body_node(body, i)->load)
            continue;
        mark(body, i, marks);
        if (!may_be_early(body, i, marks))
            continue;
        any = TRUE;
        for (guint m = 0; m < body->nodes->len; m++)
            ps_body_node(body, m)->early = ps_body_node(body, m)->early || marks[m];
        /* whatever reads it, its value stays in the variable until the next iteration */
        const PsNeed last = {i, 1};
        g_array_append_val(ps_body_node(body, i)->needs, last);
    }
    return any;
}

/* The only node of the loop that waits for this one, and how far back; G_MAXUINT: none, or
 * several. */
static guint only_reader(const PsBody *body, guint on, gint64 *back)
{
    guint reader = G_MAXUINT;
    for (guint i = 0; i < body->nodes->len; i++)
        for (guint n = 0; n < ps_body_node(body, i)->needs->len; n++) {
            const PsNeed *need = &g_array_index(ps_body_node(body, i)->needs, PsNeed, n);
            if (need->on != on)
                continue;
            if (reader != G_MAXUINT)
                return G_MAXUINT;
            reader = i;
            *back = need->back;
        }
    return reader;
}

static gboolean is_addition(const PsBodyNode *node)
{
    static const char *const adds[] = {"fadd", "fmadd", "ffma", "dadd", "dfma",
                                       "hadd", "hfma",  "iadd", "imad", NULL};
    return ps_class_is_one_of(node->item->class_name, adds) && !node->once;
}

/* Follows additions from a node to a later one that only it reads an iteration later; where the two
 * are the same node, the chain is a sum. */
static void find_summed(const PsBody *body, guint last)
{
    guint at = last;
    gint64 back = 0;
    for (guint steps = 0; steps < body->nodes->len; steps++) {
        if (!is_addition(ps_body_node(body, at)))
            return;
        const guint next = only_reader(body, at, &back);
        if (next == G_MAXUINT || (at == last ? back != 1 : back != 0))
            return;
        if (next == last) {
            PsBodyNode *first = ps_body_node(body, only_reader(body, last, &back));
            first->summed = TRUE;
            first->adds_to = last;
            return;
        }
        at = next;
    }
}

/* ---- the body ------------------------------------------------------------------------------ */

static gboolean add_nodes(PsBody *body, const GPtrArray *items, const PsScope *scope)
{
    for (guint i = 0; i < items->len; i++) {
        PsIdgItem *item = items->pdata[i];
        if (item->kind == PS_IDG_LOOP)
            return FALSE;
        PsBodyNode node = {.item = item, .needs = g_array_new(FALSE, FALSE, sizeof(PsNeed))};
        classify(&node);
        g_array_append_val(body->nodes, node);
        g_hash_table_insert(body->by_name, item->name, GUINT_TO_POINTER(i + 1));
    }
    for (guint i = 0; i < items->len; i++) {
        const PsIdgItem *item = items->pdata[i];
        if (!add_needs(body, i, item->after, scope) || !add_needs(body, i, item->reads, scope))
            return FALSE;
    }
    return TRUE;
}

static void clear_node(void *data)
{
    g_array_unref(((PsBodyNode *)data)->needs);
}

/* Marks everything about the loop as not known yet. */
static PsBody *new_body(const GPtrArray *items, guint most, const PsScope *scope)
{
    g_autoptr(PsBody) body = g_new0(PsBody, 1);
    body->nodes = g_array_new(FALSE, FALSE, sizeof(PsBodyNode));
    body->by_name = g_hash_table_new(g_str_hash, g_str_equal);
    g_array_set_clear_func(body->nodes, clear_node);
    if (items->len == 0 || items->len > most || !is_told(items) || !add_nodes(body, items, scope))
        return NULL;
    return g_steal_pointer(&body);
}

PsBody *ps_body_new_straight(const GPtrArray *items, const PsScope *scope)
{
    PsBody *body = new_body(items, MOST_STRAIGHT, scope);
    if (body)
        body->straight = TRUE;
    return body;
}

PsBody *ps_body_new(const GPtrArray *items, const PsScope *scope)
{
    g_autoptr(PsBody) body = new_body(items, MOST_NODES, scope);
    if (!body)
        return NULL;
    find_once(body);
    for (guint i = 0; i < body->nodes->len; i++)
        find_summed(body, i);
    return ends_by_data(body) ? NULL : g_steal_pointer(&body);
}

void ps_body_free(PsBody *body)
{
    if (!body)
        return;
    g_array_unref(body->nodes);
    g_hash_table_unref(body->by_name);
    g_free(body);
}
