/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random codes: see random-code.h. Nodes and loops come first; then, when it is known what stands
 * where, the dependences.
 */
#include "tests/help/random-code.h"
#include "tests/help/build-graph.h"

#define MAX_DEPTH 3
#define MAX_INSTANCES 120

/* A node and the loops around it, outermost first; NULL after the innermost. */
typedef struct {
    PsIdgItem *item;
    const PsIdgItem *loops[MAX_DEPTH + 1];
} Placed;

typedef struct {
    const RandomParts *parts;
    guint nodes_left;
    gint64 instances;
    GArray *placed; /* Placed, in program order */
    const PsIdgItem *loops[MAX_DEPTH + 1];
    guint depth;
} Maker;

static gboolean chance(const RandomParts *parts, int percent)
{
    return g_rand_int_range(parts->rand, 0, 100) < percent;
}

PsExpr *random_expr(const RandomParts *parts, gint64 value)
{
    const char *name = chance(parts, 50) ? "p" : "q";
    PsRational of = {0, 1};
    ps_scope_get(parts->scope, name, &of);
    g_autofree char *text = NULL;
    if (chance(parts, 60))
        text = g_strdup_printf("%" G_GINT64_FORMAT, value);
    else if (chance(parts, 50))
        text = g_strdup_printf("%s+(%" G_GINT64_FORMAT ")", name, value - of.num);
    else
        text = g_strdup_printf("ceil((%s%+" G_GINT64_FORMAT ")/3)", name, 3 * value - 1 - of.num);
    return build_expr(text);
}

/* ---- nodes and loops ----------------------------------------------------------------------- */

static void make_node(Maker *maker, GPtrArray *body, gint64 times)
{
    const GPtrArray *asked = maker->parts->asked;
    g_autofree char *name = g_strdup_printf("n%u", maker->placed->len);
    const char *class_name =
        asked->pdata[g_rand_int_range(maker->parts->rand, 0, (gint32)asked->len)];
    Placed placed = {.item = ps_idg_add_node(body, name, class_name)};
    for (guint i = 0; i < maker->depth; i++)
        placed.loops[i] = maker->loops[i];
    g_array_append_val(maker->placed, placed);
    maker->nodes_left--;
    maker->instances += times;
}

/* `times` is how often the body runs. A loop's body is never empty: files do not allow that. */
static void make_body(Maker *maker, GPtrArray *body, gint64 times)
{
    gint32 items = g_rand_int_range(maker->parts->rand, 1, maker->depth == 0 ? 7 : 4);
    for (; items > 0 && maker->nodes_left > 0; items--) {
        gboolean room = maker->instances + 4 * times < MAX_INSTANCES;
        if (!room && body->len > 0)
            return;
        if (maker->depth == MAX_DEPTH || !room || chance(maker->parts, 60)) {
            make_node(maker, body, times);
            continue;
        }
        gint64 trips = g_rand_int_range(maker->parts->rand, chance(maker->parts, 20) ? 0 : 1, 5);
        PsIdgItem *loop = ps_idg_add_loop(body, NULL, random_expr(maker->parts, trips));
        maker->loops[maker->depth++] = loop;
        make_body(maker, loop->body, times * trips);
        maker->depth--;
    }
}

/* ---- dependences --------------------------------------------------------------------------- */

static void make_dep(const RandomParts *parts, const GArray *placed, guint v)
{
    guint x = (guint)g_rand_int_range(parts->rand, 0, (gint32)placed->len);
    if (chance(parts, 50) && v > 0)
        x = v - 1 - (guint)g_rand_int_range(parts->rand, 0, (gint32)MIN(v, 3));
    const Placed *on = &g_array_index(placed, Placed, x);
    const Placed *node = &g_array_index(placed, Placed, v);
    if (x > v && (!on->loops[0] || on->loops[0] != node->loops[0]))
        return; /* stands later without a common loop */
    PsIdgDep *dep = ps_idg_add_dep(node->item, on->item->name);
    dep->all = chance(parts, 30);
    if (!dep->all && chance(parts, 35))
        dep->distance = random_expr(parts, g_rand_int_range(parts->rand, 1, 4));
}

void random_code(const RandomParts *parts, GPtrArray *body)
{
    Maker maker = {.parts = parts, .nodes_left = (guint)g_rand_int_range(parts->rand, 1, 13)};
    maker.placed = g_array_new(FALSE, FALSE, sizeof(Placed));
    make_body(&maker, body, 1);
    gint32 most = g_rand_int_range(parts->rand, 1, 4);
    for (guint v = 0; v < maker.placed->len; v++)
        for (gint32 deps = g_rand_int_range(parts->rand, 0, most + 1); deps > 0; deps--)
            make_dep(parts, maker.placed, v);
    g_array_unref(maker.placed);
}
