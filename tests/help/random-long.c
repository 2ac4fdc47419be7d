/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Long random codes: see random-long.h. Most loops carry a dependence from one iteration to the
 * next, as loops of kernels do; the others let fast nodes run ahead of slow ones, so that the state
 * of the machine grows and nothing recurs.
 */
#include "tests/help/random-long.h"
#include "tests/help/build-graph.h"

typedef struct {
    const RandomParts *parts;
    GPtrArray *nodes; /* PsIdgItem, in program order */
} Maker;

static gboolean chance(const Maker *maker, int percent)
{
    return g_rand_int_range(maker->parts->rand, 0, 100) < percent;
}

gint64 random_size(GRand *rand, gint64 least, gint64 most)
{
    guint doublings = 0;
    while (least << (doublings + 1) <= most)
        doublings++;
    gint64 size = least << g_rand_int_range(rand, 0, (gint32)doublings + 1);
    return MIN(most, size + g_rand_int_range(rand, 0, (gint32)size));
}

/* Each mostly after the one before it, sometimes also after an earlier one. */
static void make_nodes(Maker *maker, GPtrArray *body, gint32 n)
{
    const GPtrArray *asked = maker->parts->asked;
    for (; n > 0; n--) {
        guint place = maker->nodes->len;
        g_autofree char *name = g_strdup_printf("n%u", place);
        guint class_index = (guint)g_rand_int_range(maker->parts->rand, 0, (gint32)asked->len);
        PsIdgItem *node = ps_idg_add_node(body, name, asked->pdata[class_index]);
        node->source_line = (int)place / 2 + 1;
        if (place > 0 && chance(maker, 75))
            ps_idg_add_dep(node, ((PsIdgItem *)maker->nodes->pdata[place - 1])->name);
        if (place > 1 && chance(maker, 25)) {
            guint on = (guint)g_rand_int_range(maker->parts->rand, 0, (gint32)place);
            ps_idg_add_dep(node, ((PsIdgItem *)maker->nodes->pdata[on])->name)->all =
                chance(maker, 30);
        }
        g_ptr_array_add(maker->nodes, node);
    }
}

/* The first node of a loop waits for the last one of the iteration before, or of an earlier one. */
static void carry(const Maker *maker, guint first)
{
    const PsIdgItem *last = maker->nodes->pdata[maker->nodes->len - 1];
    PsIdgDep *dep = ps_idg_add_dep(maker->nodes->pdata[first], last->name);
    if (chance(maker, 20))
        dep->distance = build_expr(chance(maker, 50) ? "2" : "3");
}

static GPtrArray *make_loop(const Maker *maker, GPtrArray *body, gint64 trips)
{
    return ps_idg_add_loop(body, NULL, random_expr(maker->parts, trips))->body;
}

static void make_inner_loop(Maker *maker, GPtrArray *body, gint64 trips, gint32 nodes)
{
    GPtrArray *loop = make_loop(maker, body, trips);
    guint first = maker->nodes->len;
    make_nodes(maker, loop, nodes);
    if (chance(maker, 90))
        carry(maker, first);
}

/* Trips of the outer loop times trips of the inner one make the wanted number. */
static void make_nest(Maker *maker, GPtrArray *body, gint64 trips, gint32 nodes)
{
    GRand *rand = maker->parts->rand;
    gint64 outer = random_size(rand, 2, MAX(trips / 2, 2));
    GPtrArray *loop = make_loop(maker, body, outer);
    guint first = maker->nodes->len;
    make_nodes(maker, loop, g_rand_int_range(rand, 0, 3));
    make_inner_loop(maker, loop, MAX(trips / outer, 1), nodes);
    make_nodes(maker, loop, g_rand_int_range(rand, 0, 3));
    if (chance(maker, 80))
        carry(maker, first);
}

void random_long_code(const RandomParts *parts, GPtrArray *body)
{
    Maker maker = {parts, g_ptr_array_new()};
    gint32 nodes = g_rand_int_range(parts->rand, 1, 5);
    gint64 trips = parts->instances / nodes;
    make_nodes(&maker, body, g_rand_int_range(parts->rand, trips < 2 ? 1 : 0, 3));
    if (trips >= 4 && chance(&maker, 40))
        make_nest(&maker, body, trips, nodes);
    else if (trips >= 2)
        make_inner_loop(&maker, body, trips, nodes);
    make_nodes(&maker, body, g_rand_int_range(parts->rand, 0, 3));
    g_ptr_array_unref(maker.nodes);
}
