/* SPDX-License-Identifier: BSD-3-Clause */
/* From a flattened code to its program: dependences by name become counts of instances. */
#include "idg/program-private.h"

#include "base/class-name.h"

#include <string.h>

/* The largest hold, which is that of a GPU's latency. */
#define PS_MAX_HOLD 1000000000

/* A program in the making. */
typedef struct {
    PsFlat *flat;
    int *index;   /* [flat node]: node of the program, -1 if it has no instance */
    guint *place; /* [flat node]: 1 + its place among the Written of the present node, or 0 */
    PsProgram *program;
} Build;

/* All dependences that are written on one node x: the shortest distance implies every longer
 * one. */
typedef struct {
    int x;
    gint64 distance;
} Written;

static PsProgramDep count_dep(const Build *build, int v, int x, gint64 distance)
{
    const int common = ps_flat_common_loop(build->flat, v, x);
    PsProgramDep dep = {(guint)build->index[x], 0, ps_flat_instances(build->flat, x, common),
                        ps_flat_instances(build->flat, v, common), FALSE};
    dep.first = (x < v ? dep.per : 0) - (distance - 1);
    return dep;
}

/* Resolves one written dependence. *x becomes the flat index, -1 where the node has no instances;
 * *distance its distance. */
static gboolean resolve(const Build *build, int v, const PsIdgDep *written, int *x,
                        gint64 *distance, GError **error)
{
    const PsFlat *flat = build->flat;
    const PsIdgItem *item = ps_flat_node(flat, v)->item;
    const PsPlace place = ps_idg_place(flat->idg, item->line);
    *x = GPOINTER_TO_INT(g_hash_table_lookup(flat->by_name, written->on)) - 1;
    if (*x < 0) {
        ps_error_at(error, PS_ERROR_VALUE, place,
                    "node '%s' depends on '%s', but this code has no node of that name", item->name,
                    written->on);
        return FALSE;
    }
    if (*x > v && ps_flat_common_loop(flat, v, *x) == PS_NO_LOOP) {
        ps_error_at(error, PS_ERROR_VALUE, place,
                    "node '%s' depends on '%s', which stands later, and no loop encloses both",
                    item->name, written->on);
        return FALSE;
    }
    *distance = 1;
    if (written->distance &&
        !ps_expr_eval_int(written->distance, flat->scope, place,
                          &(PsIntRange){"dependence distance", 1, PS_MAX_INSTANCES}, distance,
                          error))
        return FALSE;
    ps_flat_node(flat, *x)->wanted = TRUE;
    if (!ps_flat_node(flat, *x)->live)
        *x = -1;
    return TRUE;
}

/* Adds a dependence unless no instance ever needs it. */
static void add_dep(GArray *deps, const PsProgramDep *dep, gint64 count)
{
    if (dep->first + dep->per * ((count - 1) / dep->every) > 0)
        g_array_append_val(deps, *dep);
}

/* Fences that no written plain dependence implies. plain: int, flat nodes at distance 1. */
static void add_fences(const Build *build, int v, const GArray *plain, GArray *deps, gint64 count)
{
    const GArray *fences = ps_flat_node(build->flat, v)->fences;
    for (guint i = 0; i < fences->len; i++) {
        const int b = g_array_index(fences, int, i);
        gboolean implied = FALSE;
        for (guint j = 0; j < plain->len && !implied; j++)
            implied = ps_flat_fence_implied(build->flat, b, v, g_array_index(plain, int, j));
        if (implied)
            continue;
        PsProgramDep dep = count_dep(build, v, b, 1);
        dep.fence = TRUE;
        add_dep(deps, &dep, count);
    }
}

/* Gathers the written dependences of node v; where a node has no instances it only checks them. */
static gboolean gather(const Build *build, int v, GArray *written, GError **error)
{
    const PsFlatNode *flat_node = ps_flat_node(build->flat, v);
    const GPtrArray *after = flat_node->item->after;
    for (guint i = 0; after && i < after->len; i++) {
        Written next;
        if (!resolve(build, v, after->pdata[i], &next.x, &next.distance, error))
            return FALSE;
        if (next.x < 0 || !flat_node->live)
            continue;
        guint *place = &build->place[next.x];
        if (*place == 0) {
            g_array_append_val(written, next);
            *place = written->len;
        } else {
            Written *first = &g_array_index(written, Written, *place - 1);
            first->distance = MIN(first->distance, next.distance);
        }
    }
    for (guint i = 0; i < written->len; i++)
        build->place[g_array_index(written, Written, i).x] = 0;
    return TRUE;
}

static gboolean build_deps(const Build *build, int v, PsProgramNode *node, GError **error)
{
    g_autoptr(GArray) written = g_array_new(FALSE, FALSE, sizeof(Written));
    g_autoptr(GArray) deps = g_array_new(FALSE, FALSE, sizeof(PsProgramDep));
    g_autoptr(GArray) plain = g_array_new(FALSE, FALSE, sizeof(int));
    if (!gather(build, v, written, error))
        return FALSE;
    if (!ps_flat_node(build->flat, v)->live)
        return TRUE;
    for (guint i = 0; i < written->len; i++) {
        const Written *on = &g_array_index(written, Written, i);
        const PsProgramDep dep = count_dep(build, v, on->x, on->distance);
        add_dep(deps, &dep, node->count);
        if (on->distance == 1)
            g_array_append_val(plain, on->x);
    }
    add_fences(build, v, plain, deps, node->count);
    node->n_deps = deps->len;
    node->deps = g_memdup2(deps->data, deps->len * sizeof(PsProgramDep));
    return TRUE;
}

/* The value of a share's expression, named by `what` in messages; the whole if there is no
 * expression. */
static gboolean build_part(const PsFlat *flat, const PsIdgItem *item, const PsExpr *expr,
                           const char *what, PsRational *part, GError **error)
{
    const PsPlace place = ps_idg_place(flat->idg, item->line);
    *part = PS_RATIONAL_INT(1);
    if (!expr)
        return TRUE;
    if (!ps_expr_eval(expr, flat->scope, place, part, error))
        return FALSE;
    if (ps_rational_cmp(*part, PS_RATIONAL_INT(0)) > 0 &&
        ps_rational_cmp(*part, PS_RATIONAL_INT(1)) <= 0)
        return TRUE;
    g_autofree char *value = ps_rational_format(*part);
    ps_error_at(error, PS_ERROR_VALUE, place, "%s; it must be above 0 and at most 1, and is %s",
                what, value);
    return FALSE;
}

/* The share of the node's requests that go to its spot, and the share of a warp's threads that run
 * it. */
static gboolean build_parts(const PsFlat *flat, PsProgramNode *node, GError **error)
{
    const PsIdgItem *item = node->item;
    node->spot = item->spot;
    return build_part(flat, item, item->turns,
                      "turns is the share of a node's requests that go to its spot", &node->turns,
                      error) &&
           build_part(flat, item, item->lanes,
                      "lanes is the share of a warp's threads that come to the node", &node->lanes,
                      error);
}

/* The cycles for which the node keeps its warp from issuing. */
static gboolean build_hold(const PsFlat *flat, PsProgramNode *node, GError **error)
{
    const PsIdgItem *item = node->item;
    const PsPlace place = ps_idg_place(flat->idg, item->line);
    node->hold = PS_RATIONAL_INT(0);
    if (!item->hold)
        return TRUE;
    if (!ps_expr_eval(item->hold, flat->scope, place, &node->hold, error))
        return FALSE;
    if (node->hold.num >= 0 && ps_rational_cmp(node->hold, PS_RATIONAL_INT(PS_MAX_HOLD)) <= 0)
        return TRUE;
    g_autofree char *value = ps_rational_format(node->hold);
    ps_error_at(
        error, PS_ERROR_VALUE, place,
        "hold is for how many cycles node '%s' keeps its warp from issuing; it must be from "
        "0 to %d, and is %s",
        item->name, PS_MAX_HOLD, value);
    return FALSE;
}

/* The lines that a request touches, or those of its parts. */
static gboolean build_lines(const PsFlat *flat, const PsProgramNode *node, const PsExpr *expr,
                            const char *attribute, PsRational *lines, GError **error)
{
    const PsPlace place = ps_idg_place(flat->idg, node->item->line);
    *lines = PS_RATIONAL_INT(0);
    if (!expr)
        return TRUE;
    if (!ps_expr_eval(expr, flat->scope, place, lines, error))
        return FALSE;
    if (ps_rational_cmp(*lines, PS_RATIONAL_INT(0)) > 0 &&
        ps_rational_cmp(*lines, PS_RATIONAL_INT(1024)) <= 0)
        return TRUE;
    g_autofree char *value = ps_rational_format(*lines);
    ps_error_at(error, PS_ERROR_VALUE, place,
                "%s are those of a request of one warp; there must be more than 0 and at most "
                "1024, not %s",
                attribute, value);
    return FALSE;
}

/* Bytes; the longest line of any cache: whole lines may move for what a thread asks for. */
#define LINE 128

/* The share of a node's bytes that an attribute states; -1 if it states none. */
static gboolean build_moved(const PsFlat *flat, const PsProgramNode *node, const PsExpr *expr,
                            const char *attribute, PsRational *moved, GError **error)
{
    const PsPlace place = ps_idg_place(flat->idg, node->item->line);
    /* for bytes that begin at the end of a line */
    const gint64 bytes = MAX(node->bytes, 1), lines = (bytes + 2 * (gint64)(LINE - 1)) / LINE;
    PsRational most;
    *moved = PS_RATIONAL_INT(-1);
    if (!expr)
        return TRUE;
    if (!ps_expr_eval(expr, flat->scope, place, moved, error))
        return FALSE;
    (void)ps_rational_make(LINE * lines, bytes, &most);
    if (ps_rational_cmp(*moved, PS_RATIONAL_INT(0)) >= 0 && ps_rational_cmp(*moved, most) <= 0)
        return TRUE;
    g_autofree char *value = ps_rational_format(*moved), *limit = ps_rational_format(most);
    ps_error_at(error, PS_ERROR_VALUE, place,
                "%s is the share of the bytes of node '%s', %" G_GINT64_FORMAT
                " of a thread, that is moved there; it must be from 0 to %s, which are whole lines "
                "of %d bytes (1 is each byte once), and is %s",
                attribute, node->item->name, bytes, limit, LINE, value);
    return FALSE;
}

/* Bytes that are written in part are a share of those that reach L2. */
static gboolean build_partial(const PsFlat *flat, PsProgramNode *node, GError **error)
{
    const PsRational l2 = node->share[PS_LEVEL_L2];
    if (!build_moved(flat, node, node->item->partial, "partial", &node->partial, error))
        return FALSE;
    if (node->partial.num <= 0 || l2.num < 0 || ps_rational_cmp(node->partial, l2) <= 0)
        return TRUE;
    g_autofree char *part = ps_rational_format(node->partial), *all = ps_rational_format(l2);
    ps_error_at(error, PS_ERROR_VALUE, ps_idg_place(flat->idg, node->item->line),
                "partial is the share of the bytes of node '%s' that is moved to L2 in sectors "
                "which are written in part; it must be at most the share at l2, %s, and is %s",
                node->item->name, all, part);
    return FALSE;
}

/* Attributes that advice alone reads are checked, too. */
static gboolean build_shares(const PsFlat *flat, PsProgramNode *node, GError **error)
{
    const PsIdgItem *item = node->item;
    PsRational unused;
    for (PsLevel level = 0; level < PS_N_LEVELS; level++)
        if (!build_moved(flat, node, item->share[level], ps_level_name(level), &node->share[level],
                         error))
            return FALSE;
    return build_partial(flat, node, error) &&
           build_moved(flat, node, item->distinct, "distinct", &unused, error) &&
           build_moved(flat, node, item->read_only, "read-only", &unused, error);
}

static gboolean build_attributes(const PsFlat *flat, PsProgramNode *node, GError **error)
{
    const PsIdgItem *item = node->item;
    const PsPlace place = ps_idg_place(flat->idg, item->line);
    if (item->bytes &&
        !ps_expr_eval_int(item->bytes, flat->scope, place, &(PsIntRange){"bytes", 0, G_MAXINT32},
                          &node->bytes, error))
        return FALSE;
    if (item->ops && !ps_expr_eval_int(item->ops, flat->scope, place,
                                       &(PsIntRange){"ops", 0, G_MAXINT32}, &node->ops, error))
        return FALSE;
    return build_shares(flat, node, error) &&
           build_lines(flat, node, item->lines, "lines", &node->lines, error) &&
           build_lines(flat, node, item->wavefronts, "wavefronts", &node->wavefronts, error) &&
           build_lines(flat, node, item->rows, "rows", &node->rows, error);
}

static void build_loops(const PsFlat *flat, const PsFlatNode *flat_node, PsProgramNode *node)
{
    const int innermost = flat_node->loop;
    node->n_loops = innermost == PS_NO_LOOP ? 0 : (guint)ps_flat_loop(flat, innermost)->depth;
    node->loops = g_new(PsProgramLoop, node->n_loops);
    int l = innermost;
    for (guint i = 0; i < node->n_loops; i++, l = ps_flat_loop(flat, l)->parent)
        node->loops[i] =
            (PsProgramLoop){ps_flat_loop(flat, l)->trips, ps_flat_loop(flat, l)->length, (guint)l};
}

/* Numbers the nodes that have instances. */
static void number_nodes(Build *build)
{
    guint n = 0;
    for (guint i = 0; i < build->flat->nodes->len; i++)
        build->index[i] = ps_flat_node(build->flat, i)->live ? (int)n++ : -1;
    build->program->n_nodes = n;
    build->program->nodes = g_new0(PsProgramNode, n);
}

static gboolean build_nodes(Build *build, GError **error)
{
    const PsFlat *flat = build->flat;
    for (guint i = 0; i < flat->nodes->len; i++) {
        const PsFlatNode *flat_node = ps_flat_node(flat, i);
        PsProgramNode unused = {0};
        PsProgramNode *node = flat_node->live ? &build->program->nodes[build->index[i]] : &unused;
        node->item = flat_node->item;
        node->barrier = flat_node->barrier;
        node->position = flat_node->position;
        node->count = flat_node->live ? ps_flat_instances(flat, (int)i, PS_NO_LOOP) : 0;
        if (!build_deps(build, (int)i, node, error) || !build_attributes(flat, node, error))
            return FALSE;
        if (!build_parts(flat, node, error) || !build_hold(flat, node, error))
            return FALSE;
        if (flat_node->live)
            build_loops(flat, flat_node, node);
    }
    return TRUE;
}

/* Rule T5 asks whether any node depends on a store. The answer is known once all dependences are
 * resolved. */
static void mark_free_stores(Build *build)
{
    for (guint i = 0; i < build->flat->nodes->len; i++) {
        const PsFlatNode *flat_node = ps_flat_node(build->flat, i);
        if (!flat_node->live)
            continue;
        PsProgramNode *node = &build->program->nodes[build->index[i]];
        node->awaited = flat_node->wanted;
        node->free_store = !node->awaited && ps_class_is_store(node->item->class_name);
    }
}

gboolean ps_program_build(PsProgram *program, const PsIdg *idg, const PsIdgCode *code,
                          const PsScope *scope, GError **error)
{
    g_autoptr(PsFlat) flat = ps_flat_new(idg, code, scope, &program->length, error);
    if (!flat)
        return FALSE;
    ps_flat_find_fences(flat, code);
    g_autofree int *index = g_new(int, MAX(flat->nodes->len, 1));
    g_autofree guint *place = g_new0(guint, MAX(flat->nodes->len, 1));
    Build build = {flat, index, place, program};
    number_nodes(&build);
    if (!build_nodes(&build, error))
        return FALSE;
    mark_free_stores(&build);
    return TRUE;
}

void ps_program_clear(PsProgram *program)
{
    for (guint i = 0; i < program->n_nodes; i++) {
        g_free(program->nodes[i].deps);
        g_free(program->nodes[i].loops);
        g_free(program->nodes[i].waits);
    }
    g_free(program->nodes);
}
