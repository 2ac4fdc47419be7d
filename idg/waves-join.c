/* SPDX-License-Identifier: BSD-3-Clause */
/* See waves-join.h. */
#include "idg/waves-join.h"

#include "idg/edit.h"
#include "idg/internal.h"
#include "idg/waves-align.h"

/* A node of the joined code, and the nodes of the halves that it replaces. */
typedef struct {
    PsIdgItem *node;
    PsItemPair from;
} Joined;

typedef struct {
    const PsHalf *halves;
    const PsScope *scope;
    GHashTable *used;     /* names of the joined code's nodes */
    GHashTable *names[2]; /* name of a half's node -> name in the joined code */
    GArray *nodes;        /* Joined */
    guint sides;          /* number of sides that the first half has */
} Join;

/* The share of a joined body's runs in which each half takes part: 0 if it never does. */
typedef struct {
    PsRational of[2];
} Parts;

#define NOTHING PS_RATIONAL_INT(0)
#define ONE PS_RATIONAL_INT(1)

static PsExpr *expr_of(PsRational value)
{
    g_autofree char *text =
        g_strdup_printf("%" G_GINT64_FORMAT "/%" G_GINT64_FORMAT, value.num, value.den);
    return value.den == 1 ? ps_idg_number(value.num) : ps_expr_new(text, (PsPlace){text, 0}, NULL);
}

static gboolean value_of(const Join *join, const PsExpr *expr, PsRational absent, PsRational *value)
{
    *value = absent;
    return !expr || ps_expr_eval(expr, join->scope, (PsPlace){"wave", 0}, value, NULL);
}

/* ---- means --------------------------------------------------------------------------------- */

/* What a mean is taken of, and the weight of each half's item. */
typedef struct {
    const PsExpr *of[2];
    PsRational weight[2];
    PsRational absent; /* the value of a half that states none */
} Mean;

/* Sum of weight * value, divided by `all`, or by the weights if that is 0. */
static gboolean find_mean(const Join *join, const Mean *mean, gint64 all, PsRational *value)
{
    PsRational sum = NOTHING, weights = NOTHING;
    for (guint h = 0; h < 2; h++) {
        PsRational one;
        if (!value_of(join, mean->of[h], mean->absent, &one) ||
            !ps_rational_mul(one, mean->weight[h], &one) || !ps_rational_add(sum, one, &sum) ||
            !ps_rational_add(weights, mean->weight[h], &weights))
            return FALSE;
    }
    return ps_rational_div(sum, all ? PS_RATIONAL_INT(all) : weights, value);
}

/* Replaces *expr, which belongs to the joined node. */
static gboolean set_mean(const Join *join, const Mean *mean, gint64 all, PsExpr **expr)
{
    PsRational value;
    if (!mean->of[0] && !mean->of[1] && !all)
        return TRUE;
    if (!find_mean(join, mean, all, &value))
        return FALSE;
    ps_expr_free(*expr);
    *expr = expr_of(value);
    return TRUE;
}

static gboolean weigh(gint64 by, PsRational part, PsRational *weight)
{
    return ps_rational_mul(PS_RATIONAL_INT(by), part, weight);
}

/* How often each half runs the node, times its warps, and times its threads. */
typedef struct {
    PsRational warps[2], threads[2];
} Weights;

static gboolean find_weights(const Join *join, const PsItemPair *from, const Parts *parts,
                             Weights *weights)
{
    for (guint h = 0; h < 2; h++) {
        const PsRational part = from->item[h] ? parts->of[h] : NOTHING;
        if (!weigh(join->halves[h].warps, part, &weights->warps[h]) ||
            !weigh(join->halves[h].threads, part, &weights->threads[h]))
            return FALSE;
    }
    return TRUE;
}

/* The member of both items. */
#define OF(from, member)                                                                           \
    {                                                                                              \
        (from)->item[0] ? (from)->item[0]->member : NULL,                                          \
            (from)->item[1] ? (from)->item[1]->member : NULL                                       \
    }

static gboolean join_lanes(const Join *join, const PsItemPair *from, const Weights *weights,
                           PsIdgItem *node)
{
    const gint64 all = join->halves[0].threads + join->halves[1].threads;
    const Mean mean = {OF(from, lanes), {weights->threads[0], weights->threads[1]}, ONE};
    PsRational value;
    if (!find_mean(join, &mean, all, &value))
        return FALSE;
    g_clear_pointer(&node->lanes, ps_expr_free);
    node->lanes = ps_rational_cmp(value, ONE) == 0 ? NULL : expr_of(value);
    return TRUE;
}

/* If one half states nothing, shares and lanes decide for it. */
static gboolean join_partial(const Join *join, const PsItemPair *from, const Weights *weights,
                             PsIdgItem *node)
{
    const gint64 all = join->halves[0].warps + join->halves[1].warps;
    const Mean partial = {OF(from, partial), {weights->warps[0], weights->warps[1]}, NOTHING};
    for (guint h = 0; h < 2; h++)
        if (from->item[h] && !from->item[h]->partial)
            g_clear_pointer(&node->partial, ps_expr_free);
    return !node->partial || set_mean(join, &partial, all, &node->partial);
}

/* Bytes are those of all threads of the wave: a half that does not run the node adds none. */
static gboolean join_bytes(const Join *join, const PsItemPair *from, const Weights *weights,
                           PsIdgItem *node)
{
    const gint64 all = join->halves[0].warps + join->halves[1].warps;
    const PsRational *by = weights->warps;
    for (PsLevel level = 0; level < PS_N_LEVELS; level++) {
        const Mean share = {OF(from, share[level]), {by[0], by[1]}, NOTHING};
        if ((share.of[0] || share.of[1]) && !set_mean(join, &share, all, &node->share[level]))
            return FALSE;
    }
    const Mean distinct = {OF(from, distinct), {by[0], by[1]}, NOTHING},
               read_only = {OF(from, read_only), {by[0], by[1]}, NOTHING};
    return join_partial(join, from, weights, node) &&
           (!node->distinct || set_mean(join, &distinct, all, &node->distinct)) &&
           (!node->read_only || set_mean(join, &read_only, all, &node->read_only));
}

/* A request's lines, wavefronts and rows are the mean over the halves that make requests. */
static gboolean join_requests(const Join *join, const PsItemPair *from, const Weights *weights,
                              PsIdgItem *node)
{
    const PsRational *by = weights->warps;
    const Mean lines = {OF(from, lines), {by[0], by[1]}, NOTHING},
               wavefronts = {OF(from, wavefronts), {by[0], by[1]}, NOTHING},
               rows = {OF(from, rows), {by[0], by[1]}, NOTHING};
    return set_mean(join, &lines, 0, &node->lines) &&
           set_mean(join, &wavefronts, 0, &node->wavefronts) &&
           set_mean(join, &rows, 0, &node->rows);
}

/* A wave takes the turns of all its warps: those of the half with more turns in a request, as often
 * as gives the sum. */
static gboolean join_turns(const Join *join, const PsItemPair *from, const Weights *weights,
                           PsIdgItem *node)
{
    guint serial[2], most;
    for (guint h = 0; h < 2; h++)
        serial[h] = from->item[h] ? MAX(from->item[h]->serial, 1) : 1;
    most = MAX(serial[0], serial[1]);
    Mean mean = {OF(from, turns), {NOTHING, NOTHING}, ONE};
    for (guint h = 0; h < 2; h++)
        if (!ps_rational_mul(weights->warps[h], PS_RATIONAL_INT(serial[h]), &mean.weight[h]))
            return FALSE;
    PsRational value;
    if (!find_mean(join, &mean, (join->halves[0].warps + join->halves[1].warps) * most, &value))
        return FALSE;
    node->serial = MAX(node->serial, most > 1 ? most : 0);
    g_clear_pointer(&node->turns, ps_expr_free);
    node->turns = ps_rational_cmp(value, ONE) == 0 ? NULL : expr_of(value);
    return TRUE;
}

/* ---- nodes --------------------------------------------------------------------------------- */

/* Keeps the properties of two accesses, which advice reads, as far as both have them. */
static void join_notes(const PsItemPair *from, PsIdgItem *node)
{
    const PsIdgItem *a = from->item[0], *b = from->item[1];
    if (!a || !b)
        return;
    node->meet = MAX(a->meet, b->meet);
    node->invariant = MIN(a->invariant, b->invariant);
    node->vector = a->vector == b->vector ? a->vector : 0;
    node->offset = a->offset == b->offset ? a->offset : PS_IDG_ANY_OFFSET;
    if (g_strcmp0(a->by, b->by) != 0)
        g_clear_pointer(&node->by, g_free);
}

/* A name that the joined code does not have yet. */
static const char *take_name(Join *join, const char *wanted)
{
    char *name = g_strdup(wanted);
    for (guint n = 2; g_hash_table_contains(join->used, name); n++) {
        g_free(name);
        name = g_strdup_printf("%s__%u", wanted, n);
    }
    g_hash_table_add(join->used, name);
    return name;
}

/* The joined node of two items, under a name of its own. */
static PsIdgItem *new_node(Join *join, const PsItemPair *from, GPtrArray *body)
{
    const PsIdgItem *one = from->item[from->item[0] ? 0 : 1];
    PsIdgItem *node = ps_idg_copy_item(one);
    g_ptr_array_add(body, node);
    if (!from->item[0]) {
        g_free(node->name);
        node->name = g_strdup(take_name(join, one->name));
        node->side += node->side ? join->sides : 0;
    }
    for (guint h = 0; h < 2; h++)
        if (from->item[h])
            g_hash_table_insert(join->names[h], from->item[h]->name, node->name);
    const Joined joined = {node, *from};
    g_array_append_val(join->nodes, joined);
    return node;
}

/* Adds no node if neither half ever runs it, in a loop round which only the other half goes. */
static gboolean add_node(Join *join, const PsItemPair *from, const Parts *parts, GPtrArray *body)
{
    Weights weights;
    if (!find_weights(join, from, parts, &weights))
        return FALSE;
    if (weights.warps[0].num == 0 && weights.warps[1].num == 0)
        return TRUE;
    PsIdgItem *node = new_node(join, from, body);
    join_notes(from, node);
    return join_lanes(join, from, &weights, node) && join_bytes(join, from, &weights, node) &&
           join_requests(join, from, &weights, node) &&
           (!node->spot || join_turns(join, from, &weights, node));
}

/* ---- loops --------------------------------------------------------------------------------- */

static gboolean trips_of(const Join *join, const PsIdgItem *loop, gint64 *trips)
{
    const PsIntRange range = {"trip count", 0, G_MAXINT64};
    *trips = 0;
    return !loop ||
           ps_expr_eval_int(loop->times, join->scope, (PsPlace){"wave", 0}, &range, trips, NULL);
}

static gboolean join_bodies(Join *join, const GPtrArray *a, const GPtrArray *b, const Parts *parts,
                            GPtrArray *body);

/* The loop runs as often as the longer of both; the other half's threads are idle then. */
static gboolean add_loop(Join *join, const PsItemPair *from, const Parts *parts, GPtrArray *body)
{
    const PsIdgItem *one = from->item[from->item[0] ? 0 : 1];
    gint64 trips[2];
    Parts within = *parts;
    if (!trips_of(join, from->item[0], &trips[0]) || !trips_of(join, from->item[1], &trips[1]))
        return FALSE;
    const gint64 most = MAX(trips[0], trips[1]);
    for (guint h = 0; h < 2; h++) {
        PsRational share;
        if (!ps_rational_make(trips[h], MAX(most, 1), &share) ||
            !ps_rational_mul(parts->of[h], share, &within.of[h]))
            return FALSE;
    }
    PsIdgItem *loop = ps_idg_add_loop(body, one->name, ps_idg_number(most));
    loop->line = one->line;
    loop->comment = g_strdup(one->comment);
    g_autoptr(GPtrArray) none = g_ptr_array_new();
    const gboolean joined =
        join_bodies(join, from->item[0] ? from->item[0]->body : none,
                    from->item[1] ? from->item[1]->body : none, &within, loop->body);
    if (!loop->body->len)
        g_ptr_array_remove(body, loop);
    return joined;
}

/* Recursive; PS_IDG_MAX_DEPTH bounds it. */
static gboolean join_bodies(Join *join, const GPtrArray *a, const GPtrArray *b, const Parts *parts,
                            GPtrArray *body)
{
    g_autoptr(GArray) pairs = ps_waves_align(a, b);
    for (guint i = 0; pairs && i < pairs->len; i++) {
        const PsItemPair *pair = &g_array_index(pairs, PsItemPair, i);
        const PsIdgItem *one = pair->item[pair->item[0] ? 0 : 1];
        if (!(one->kind == PS_IDG_LOOP ? add_loop : add_node)(join, pair, parts, body))
            return FALSE;
    }
    return pairs != NULL;
}

/* ---- dependences ----------------------------------------------------------------------------- */

static gboolean has_dep(const GPtrArray *after, const PsIdgDep *dep, const char *on)
{
    for (guint i = 0; i < after->len; i++) {
        const PsIdgDep *other = after->pdata[i];
        const char *distance = dep->distance ? ps_expr_text(dep->distance) : NULL,
                   *others = other->distance ? ps_expr_text(other->distance) : NULL;
        if (g_strcmp0(other->on, on) == 0 && other->all == dep->all &&
            g_strcmp0(distance, others) == 0)
            return TRUE;
    }
    return FALSE;
}

/* Gives the joined node the dependences of both halves. */
static void join_deps(const Join *join, const Joined *joined)
{
    PsIdgItem *node = joined->node;
    g_clear_pointer(&node->after, g_ptr_array_unref);
    node->after = ps_idg_new_deps();
    for (guint h = 0; h < 2; h++) {
        const PsIdgItem *from = joined->from.item[h];
        for (guint i = 0; from && from->after && i < from->after->len; i++) {
            const PsIdgDep *dep = from->after->pdata[i];
            const char *on = g_hash_table_lookup(join->names[h], dep->on);
            if (on && !has_dep(node->after, dep, on)) {
                PsIdgDep *copy = ps_idg_add_dep(node, on);
                copy->all = dep->all;
                copy->distance = ps_idg_copy_expr(dep->distance);
            }
        }
    }
}

/* Renames an awaited node if all halves mean the same one. */
static void rename_other(const Join *join, const Joined *joined, gsize member)
{
    const char *name = NULL;
    for (guint h = 0; h < 2; h++) {
        const PsIdgItem *from = joined->from.item[h];
        const char *own = from ? G_STRUCT_MEMBER(char *, from, member) : NULL,
                   *its = own ? g_hash_table_lookup(join->names[h], own) : NULL;
        if (h == 1 && from && joined->from.item[0] && g_strcmp0(its, name) != 0)
            name = NULL;
        else if (from)
            name = its;
    }
    char **own = &G_STRUCT_MEMBER(char *, joined->node, member);
    g_free(*own);
    *own = g_strdup(name);
}

static void join_names(const Join *join)
{
    for (guint i = 0; i < join->nodes->len; i++) {
        const Joined *joined = &g_array_index(join->nodes, Joined, i);
        join_deps(join, joined);
        rename_other(join, joined, G_STRUCT_OFFSET(PsIdgItem, part));
        rename_other(join, joined, G_STRUCT_OFFSET(PsIdgItem, beside));
    }
}

/* ---- all of it ----------------------------------------------------------------------------- */

/* Takes over the names and sides of the first half. */
static void take_first(Join *join, const GPtrArray *body)
{
    for (guint i = 0; i < body->len; i++) {
        const PsIdgItem *item = body->pdata[i];
        if (item->kind == PS_IDG_LOOP) {
            take_first(join, item->body);
            continue;
        }
        g_hash_table_add(join->used, g_strdup(item->name));
        join->sides = MAX(join->sides, item->side);
    }
}

/* The number of barriers that a warp passes. */
static gint64 barriers_in(const Join *join, const GPtrArray *body)
{
    gint64 n = 0, trips;
    for (guint i = 0; i < body->len; i++) {
        const PsIdgItem *item = body->pdata[i];
        if (item->kind == PS_IDG_NODE)
            n += ps_idg_is_barrier(item);
        else if (trips_of(join, item, &trips))
            n += trips * barriers_in(join, item->body);
    }
    return n;
}

gboolean ps_waves_join(const PsHalf halves[2], const PsScope *scope, GPtrArray *body)
{
    g_autoptr(GHashTable) used = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autoptr(GHashTable) first = g_hash_table_new(g_str_hash, g_str_equal);
    g_autoptr(GHashTable) second = g_hash_table_new(g_str_hash, g_str_equal);
    g_autoptr(GArray) nodes = g_array_new(FALSE, FALSE, sizeof(Joined));
    Join join = {halves, scope, used, {first, second}, nodes, 0};
    take_first(&join, halves[0].body);
    if (!join_bodies(&join, halves[0].body, halves[1].body, &(Parts){{ONE, ONE}}, body))
        return FALSE;
    join_names(&join);
    return barriers_in(&join, body) ==
           MAX(barriers_in(&join, halves[0].body), barriers_in(&join, halves[1].body));
}
