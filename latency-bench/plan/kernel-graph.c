/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Builds micro-benchmarks as graphs, with short calls.
 */
#include "latency-bench/plan/kernel-private.h"

/* Parses an expression of this program, which is always valid. */
static PsExpr *expression(const char *text)
{
    PsExpr *expr = ps_expr_new(text, (PsPlace){"kernel", 0}, NULL);
    g_assert(expr);
    return expr;
}

static PsExpr *integer(gint64 value)
{
    g_autofree char *text = g_strdup_printf("%" G_GINT64_FORMAT, value);
    return expression(text);
}

PsIdg *ps_bench_graph(const char *name, GPtrArray **trip)
{
    PsIdg *idg = ps_idg_new(name);
    ps_idg_add_param(idg, "length", integer(16));
    idg->launch.groups = integer(1);
    idg->launch.group_size = integer(32);
    *trip = ps_idg_add_loop(ps_idg_add_code(idg)->body, "trips", expression("length"))->body;
    return idg;
}

GPtrArray *ps_bench_loop(GPtrArray *body, gint64 times)
{
    return ps_idg_add_loop(body, NULL, integer(times))->body;
}

PsIdgItem *ps_bench_node(GPtrArray *body, const char *name, const char *class_name,
                         const char *after)
{
    PsIdgItem *node = ps_idg_add_node(body, name, class_name);
    g_auto(GStrv) words = g_strsplit(after, " ", -1);
    for (char **word = words; *word; word++)
        if (**word)
            ps_idg_add_dep(node, *word);
    return node;
}

void ps_bench_count(PsIdgItem *node, gint64 operations, const char *type)
{
    if (!type)
        return;
    node->ops = integer(operations);
    node->type = g_strdup(type);
}

void ps_bench_traffic(PsIdgItem *node, gint64 bytes, PsLevel level)
{
    node->bytes = integer(bytes);
    for (PsLevel i = PS_LEVEL_L1; i < PS_N_LEVELS; i++)
        node->share[i] = integer(i <= level);
}

void ps_bench_reach(PsIdg *graph, PsIdgItem *node, gint64 bytes, const char *share, PsLevel first)
{
    if (graph->params->len == 1) /* at the first node, when `length` is the only parameter */
        for (PsLevel i = PS_LEVEL_L2; i < PS_N_LEVELS; i++)
            ps_idg_add_param(graph, ps_level_name(i), integer(1));
    if (graph->params->len == PS_N_LEVELS - 1) /* when there are `length` and the levels behind
                                                  l1 */
        ps_idg_add_param(graph, "warp", integer(32));
    node->bytes = integer(bytes);
    for (PsLevel i = PS_LEVEL_L1; i < PS_N_LEVELS; i++) {
        g_autofree char *reached =
            i == PS_LEVEL_L1 ? g_strdup(share) : g_strdup_printf("%s*%s", ps_level_name(i), share);
        node->share[i] = i < first ? integer(0) : expression(reached);
    }
}
