/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The slow simulator that tests hold the engine against, held itself against schedules worked out
 * by hand.
 */
#include "tests/help/by-hand.h"
#include "tests/help/reference-expand.h"

/* Pipelines: alu 0, mem 1, barrier 2. */
static const RefClass classes[] = {
    {"alu", 0, FALSE, 2, 5},           {"index", 0, FALSE, 1, 4},      {"fmadd", 0, FALSE, 2, 6},
    {"mem", 1, FALSE, 3, 10},          {"mem.store", 1, FALSE, 3, 10}, {"barrier", 2, FALSE, 1, 7},
    {"barrier.slow", 2, FALSE, 1, 20},
};

static RefResult *simulate(const Graph *graph, gint64 warps, gint64 active, gint64 groups)
{
    const RefRun run = {.idg = graph->idg,
                        .scope = graph->scope,
                        .warps_per_group = warps,
                        .active_groups = active,
                        .groups = groups,
                        .classes = classes,
                        .n_classes = G_N_ELEMENTS(classes)};
    return ref_simulate(&run);
}

static void check_ticks(const Graph *graph, gint64 warps, gint64 expected)
{
    g_autoptr(RefResult) result = simulate(graph, warps, 1, 1);
    g_assert_cmpint(result->ticks, ==, expected);
}

/* Positions that an instance needs: "0 1 2". */
static void check_needs(const GPtrArray *list, guint v, const char *expected)
{
    const RefInstance *instance = list->pdata[v];
    g_autoptr(GString) text = g_string_new(NULL);
    for (guint i = 0; i < instance->needs->len; i++)
        g_string_append_printf(text, "%s%u", i ? " " : "",
                               g_array_index(instance->needs, guint, i));
    g_assert_cmpstr(text->str, ==, expected);
}

static void test_chain(void)
{
    Graph graph = graph_new();
    build_node(graph.body, "a", "alu", "");
    build_node(graph.body, "b", "alu", "a");
    build_node(graph.body, "c", "alu", "b");
    check_ticks(&graph, 1, 3 * 5);
    check_ticks(&graph, 2, 3 * 5 + 1 * 2);
    check_ticks(&graph, 4, 5 + 11 * 2);
    graph_free(&graph);
}

static void test_saxpy(void)
{
    Graph graph = graph_new();
    build_node(graph.body, "i", "index", "");
    build_node(graph.body, "x", "mem", "i");
    build_node(graph.body, "y", "mem", "i");
    build_node(graph.body, "z", "fmadd", "x y");
    build_node(graph.body, "s", "mem.store", "z");
    check_ticks(&graph, 1, 4 + 10 + 3 + 6 + 3);
    graph_free(&graph);
}

/* T5: only a store on which nothing depends is complete when its pipeline is free again. */
static void test_stores(void)
{
    Graph graph = graph_new();
    build_node(graph.body, "s", "mem.store", "");
    check_ticks(&graph, 1, 3);
    build_node(graph.body, "a", "alu", "s");
    check_ticks(&graph, 1, 10 + 5);
    graph_free(&graph);
}

/* a: 0, 2. b arrives at 5, 7, completes at 14 for both. c waits for it, though it does not say so.
 */
static void test_barrier(void)
{
    static const char *const issues[] = {"0 issue group 0 warp 0 position 0 ready 0",
                                         "2 issue group 0 warp 1 position 0 ready 0",
                                         "5 issue group 0 warp 0 position 1 ready 5",
                                         "7 issue group 0 warp 1 position 1 ready 7",
                                         "14 issue group 0 warp 0 position 2 ready 14",
                                         "16 issue group 0 warp 1 position 2 ready 14",
                                         NULL};
    Graph graph = graph_new();
    build_node(graph.body, "a", "alu", "");
    build_node(graph.body, "b", "barrier", "a");
    build_node(graph.body, "c", "alu", "");
    g_autoptr(RefResult) result = simulate(&graph, 2, 1, 1);
    check_events(result, REF_ISSUE, issues);
    g_assert_cmpint(result->ticks, ==, 21);
    graph_free(&graph);
}

/* Warp 0 meets barriers b and c; warp 1 only d, which is its first and so meets b. Warp 0 arrives
 * at b at 0, warp 1 at 10: complete at 10 + 20, by the latency of the one that came last. c, issued
 * at 30, waits for nobody but is held until warp 1 is done. */
static void test_divergence(void)
{
    static const char *const completions[] = {
        "10 complete group 0 warp 1 position 0", "30 complete group 0 warp 0 position 0",
        "30 complete group 0 warp 1 position 1", "40 complete group 0 warp 1 position 2",
        "40 complete group 0 warp 0 position 1", NULL};
    Graph graph = graph_new();
    ps_idg_add_warps(graph.idg->codes->pdata[0], build_expr("0"), NULL);
    build_node(graph.body, "b", "barrier", "");
    build_node(graph.body, "c", "barrier", "");
    GPtrArray *rest = ps_idg_add_code(graph.idg)->body;
    build_node(rest, "m", "mem", "");
    build_node(rest, "d", "barrier.slow", "m");
    build_node(rest, "n", "mem", "");
    g_autoptr(RefResult) result = simulate(&graph, 2, 1, 1);
    check_events(result, REF_COMPLETE, completions);
    g_assert_cmpint(result->ticks, ==, 40);
    graph_free(&graph);
}

/* One group at a time, kinds with shares of 2 and 3: long, short, long, short, short. */
static void test_kinds(void)
{
    static const char *const completions[] = {"10 complete group 0 warp 0 position 0",
                                              "15 complete group 1 warp 0 position 0",
                                              "25 complete group 2 warp 0 position 0",
                                              "30 complete group 3 warp 0 position 0",
                                              "35 complete group 4 warp 0 position 0",
                                              "45 complete group 5 warp 0 position 0",
                                              NULL};
    Graph graph = graph_new();
    ps_idg_add_kind(graph.idg, "long", build_expr("2"));
    build_node(graph.body, "m", "mem", "");
    ps_idg_add_kind(graph.idg, "short", build_expr("3"));
    build_node(ps_idg_add_code(graph.idg)->body, "a", "alu", "");
    g_autoptr(RefResult) result = simulate(&graph, 1, 1, 6);
    check_events(result, REF_COMPLETE, completions);
    g_assert_cmpint(result->ticks, ==, 45);
    graph_free(&graph);
}

/* The last warp that was missing is done at 5, before the barrier's latency is over. */
static void test_done_early(void)
{
    Graph graph = graph_new();
    ps_idg_add_warps(graph.idg->codes->pdata[0], build_expr("0"), build_expr("1"));
    build_node(graph.body, "b", "barrier", "");
    build_node(ps_idg_add_code(graph.idg)->body, "a", "alu", "");
    check_ticks(&graph, 3, 1 + 7);
    graph_free(&graph);
}

/* What is ready first goes first, though an earlier warp has something that is ready, too. */
static void test_fifo(void)
{
    static const char *const issues[] = {"0 issue group 0 warp 0 position 0 ready 0",
                                         "3 issue group 0 warp 0 position 2 ready 0",
                                         "6 issue group 0 warp 1 position 0 ready 0",
                                         "9 issue group 0 warp 1 position 2 ready 0",
                                         "12 issue group 0 warp 0 position 1 ready 10",
                                         "16 issue group 0 warp 1 position 1 ready 16",
                                         NULL};
    Graph graph = graph_new();
    build_node(graph.body, "a", "mem", "");
    build_node(graph.body, "c", "mem", "a");
    build_node(graph.body, "b", "mem", "");
    g_autoptr(RefResult) result = simulate(&graph, 2, 1, 1);
    check_events(result, REF_ISSUE, issues);
    g_assert_cmpint(result->ticks, ==, 26);
    graph_free(&graph);
}

static void test_groups(void)
{
    static const char *const launches[] = {"0 launch group 0", "0 launch group 1",
                                           "5 launch group 2", NULL};
    static const char *const ends[] = {"5 done group 0", "7 done group 1", "10 done group 2", NULL};
    Graph graph = graph_new();
    build_node(graph.body, "a", "alu", "");
    g_autoptr(RefResult) result = simulate(&graph, 1, 2, 3);
    check_events(result, REF_LAUNCH, launches);
    check_events(result, REF_DONE, ends);
    g_assert_cmpint(result->instructions, ==, 3);
    graph_free(&graph);
}

static void test_empty(void)
{
    static const char *const ends[] = {"0 done group 0", "0 done group 1", "0 done group 2", NULL};
    Graph graph = graph_new();
    build_node(build_loop(graph.body, "0"), "a", "alu", "");
    g_autoptr(RefResult) result = simulate(&graph, 2, 1, 3);
    check_events(result, REF_DONE, ends);
    g_assert_cmpint(result->ticks, ==, 0);
    g_assert_cmpint(result->instructions, ==, 0);
    graph_free(&graph);
}

/* Double buffering: at most two of x under way. 0, 2, 5, 7. */
static void test_distance(void)
{
    Graph graph = graph_new();
    ps_scope_set(graph.scope, "k", PS_RATIONAL_INT(2));
    build_node(build_loop(graph.body, "2*k"), "x", "alu", "x@k");
    check_ticks(&graph, 1, 12);
    graph_free(&graph);
}

/* v and x wait for each other: v0 x0 v1 x1 v2 x2. */
static void test_backward(void)
{
    Graph graph = graph_new();
    GPtrArray *body = build_loop(graph.body, "3");
    build_node(body, "v", "alu", "x");
    build_node(body, "x", "alu", "v");
    check_ticks(&graph, 1, 6 * 5);
    graph_free(&graph);
}

/* Twice: (x x) y (x x) y, v; then w. 0 1 2  3 4 5  6, 7 8 9  10 11 12  13; 14. */
static void test_all(void)
{
    Graph graph = graph_new();
    GPtrArray *outer = build_loop(graph.body, "2");
    GPtrArray *middle = build_loop(outer, "2");
    build_node(build_loop(middle, "2"), "x", "alu", "y@all");
    build_node(middle, "y", "alu", "x@all");
    build_node(outer, "v", "alu", "x@all y@2");
    build_node(graph.body, "w", "alu", "x@all v@all v@3");
    g_autoptr(GPtrArray) list = ref_expand(graph.body, graph.scope);
    g_assert_cmpint(list->len, ==, 15);
    check_needs(list, 0, "");
    check_needs(list, 2, "1 0");
    check_needs(list, 5, "4 3");
    check_needs(list, 3, "2"); /* no loop is around y but not around x: the plain dependence */
    check_needs(list, 6, "4 3 1 0 2");
    check_needs(list, 7, "5"); /* of the execution of the outermost loop before */
    check_needs(list, 13, "11 10 8 7 9");
    check_needs(list, 14, "11 10 8 7 4 3 1 0 13 6");
    graph_free(&graph);
}

/* Barriers of a loop: everything after one depends on it, the next one too. */
static void test_fence(void)
{
    Graph graph = graph_new();
    build_node(graph.body, "a", "alu", "");
    GPtrArray *body = build_loop(graph.body, "2");
    build_node(body, "s", "mem", "");
    build_node(body, "b", "barrier", "s");
    build_node(graph.body, "c", "alu", "a");
    g_autoptr(GPtrArray) list = ref_expand(graph.body, graph.scope);
    check_needs(list, 1, "");
    check_needs(list, 2, "1");
    check_needs(list, 3, "2");
    check_needs(list, 4, "3 2");
    check_needs(list, 5, "0 4");
    graph_free(&graph);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/reference-self/chain", test_chain);
    g_test_add_func("/reference-self/saxpy", test_saxpy);
    g_test_add_func("/reference-self/stores", test_stores);
    g_test_add_func("/reference-self/barrier", test_barrier);
    g_test_add_func("/reference-self/divergence", test_divergence);
    g_test_add_func("/reference-self/done-early", test_done_early);
    g_test_add_func("/reference-self/kinds", test_kinds);
    g_test_add_func("/reference-self/fifo", test_fifo);
    g_test_add_func("/reference-self/groups", test_groups);
    g_test_add_func("/reference-self/empty", test_empty);
    g_test_add_func("/reference-self/distance", test_distance);
    g_test_add_func("/reference-self/backward", test_backward);
    g_test_add_func("/reference-self/all", test_all);
    g_test_add_func("/reference-self/fence", test_fence);
    return g_test_run();
}
