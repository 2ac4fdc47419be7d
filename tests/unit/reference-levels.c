/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The servers of memory and the launches of groups in the slow simulator (R7, turnaround and
 * dispatch of R5), held against schedules worked out by hand.
 */
#include "tests/help/by-hand.h"
#include "tests/help/reference-traffic.h"

/* Pipelines: alu 0, mem 1. */
static const RefClass alu = {"alu", 0, FALSE, 2, 5};

/* Runs the graph as told; what is left open is one group of one warp. */
static RefResult *simulate(const Graph *graph, RefRun run)
{
    run.idg = graph->idg;
    run.scope = graph->scope;
    run.warps_per_group = MAX(run.warps_per_group, 1);
    run.active_groups = MAX(run.active_groups, 1);
    run.groups = MAX(run.groups, 1);
    run.classes = &alu;
    run.n_classes = 1;
    return ref_simulate(&run);
}

/* All events of a kind, and when the run ends. */
static void check(const Graph *graph, RefRun run, RefEventKind kind, const char *const *events,
                  gint64 ticks)
{
    g_autoptr(RefResult) result = simulate(graph, run);
    check_events(result, kind, events);
    g_assert_cmpint(result->ticks, ==, ticks);
}

static GHashTable *table_of(PsIdgItem *item, RefTraffic *traffic)
{
    GHashTable *table = g_hash_table_new(NULL, NULL);
    g_hash_table_insert(table, item, traffic);
    return table;
}

/* ---- R7: servers --------------------------------------------------------------------------- */

/* Warp 0 finds all free. Warp 1, at 1: the first server at 2, which is 1 late; the second at 6, 4
 * late, of which a quarter counts. Warp 2, at 2: at 4, 2 late; at 12, 8 late. */
static void test_servers_in_a_row(void)
{
    static const char *const ends[] = {"20 complete group 0 warp 0 position 0",
                                       "23 complete group 0 warp 1 position 0",
                                       "26 complete group 0 warp 2 position 0", NULL};
    RefTraffic load = {{NULL, 1, FALSE, 1, 20}, FALSE, 2, {{0, 2, 1024}, {1, 6, 256}}, 0};
    Graph graph = graph_new();
    g_autoptr(GHashTable) table = table_of(build_node(graph.body, "a", "global.load", ""), &load);
    check(&graph, (RefRun){.warps_per_group = 3, .traffic = table}, REF_COMPLETE, ends, 26);
    graph_free(&graph);
}

/* It gets to the second server when the first begins to serve it, not when it has done so: at 1,
 * where the other load has left it busy until 9. */
static void test_servers_overlap(void)
{
    static const char *const ends[] = {"10 complete group 0 warp 0 position 0",
                                       "18 complete group 0 warp 0 position 1", NULL};
    RefTraffic second = {{NULL, 1, FALSE, 1, 10}, FALSE, 1, {{1, 9, 1024}}, 0};
    RefTraffic both = {{NULL, 1, FALSE, 1, 9}, FALSE, 2, {{0, 7, 1024}, {1, 1, 1024}}, 0};
    Graph graph = graph_new();
    g_autoptr(GHashTable) table = table_of(build_node(graph.body, "a", "global.load", ""), &second);
    g_hash_table_insert(table, build_node(graph.body, "b", "global.load", ""), &both);
    check(&graph, (RefRun){.traffic = table}, REF_COMPLETE, ends, 18);
    graph_free(&graph);
}

/* A wait is half of the work, up to the window. Before the six loads there is, as some of it is
 * done in each tick: 0; 16, 15 of it left; 31, 30; 46, 45; 61, 60; 76, 75, which is 11 beyond the
 * window. Then 91 are left to do from 5 on. */
static void test_busy_device(void)
{
    static const char *const ends[] = {"20 complete group 0 warp 0 position 0",
                                       "28 complete group 0 warp 1 position 0",
                                       "37 complete group 0 warp 2 position 0",
                                       "45 complete group 0 warp 3 position 0",
                                       "54 complete group 0 warp 4 position 0",
                                       "68 complete group 0 warp 5 position 0",
                                       NULL};
    RefTraffic load = {{NULL, 1, FALSE, 1, 20}, FALSE, 1, {{PS_LEVEL_DEVICE, 16, 1024}}, 0};
    Graph graph = graph_new();
    g_autoptr(GHashTable) table = table_of(build_node(graph.body, "a", "global.load", ""), &load);
    check(&graph, (RefRun){.warps_per_group = 6, .traffic = table, .queue = 32, .window = 64},
          REF_COMPLETE, ends, 96);
    graph_free(&graph);
}

/* The same as stores, for which nobody waits: they wait for what is beyond the window alone. */
static void test_busy_device_posted(void)
{
    static const char *const ends[] = {"1 complete group 0 warp 0 position 0",
                                       "2 complete group 0 warp 1 position 0",
                                       "3 complete group 0 warp 2 position 0",
                                       "4 complete group 0 warp 3 position 0",
                                       "5 complete group 0 warp 4 position 0",
                                       "16 complete group 0 warp 5 position 0",
                                       NULL};
    RefTraffic store = {{NULL, 1, FALSE, 1, 20}, FALSE, 1, {{PS_LEVEL_DEVICE, 16, 1024}}, 0};
    Graph graph = graph_new();
    g_autoptr(GHashTable) table = table_of(build_node(graph.body, "a", "global.store", ""), &store);
    check(&graph, (RefRun){.warps_per_group = 6, .traffic = table, .queue = 32, .window = 64},
          REF_COMPLETE, ends, 96);
    graph_free(&graph);
}

/* R8, a window of 20: stores of 16 and loads of 8 by turns at L2's slices. The first load does not
 * wait for the store before it. The second store waits for both; the second load gets there at 3,
 * has work until 40 before it, and begins 20 before that is over. */
static void test_busy_slices(void)
{
    static const char *const ends[] = {
        "1 complete group 0 warp 0 position 0", "21 complete group 0 warp 0 position 1",
        "24 complete group 0 warp 1 position 0", "40 complete group 0 warp 1 position 1", NULL};
    const guint slices = PS_N_LEVELS + 1;
    RefTraffic store = {{NULL, 1, FALSE, 1, 20}, FALSE, 1, {{slices, 16, 1024}}, 0};
    RefTraffic load = {{NULL, 1, FALSE, 1, 20}, FALSE, 1, {{slices, 8, 1024}}, 0};
    Graph graph = graph_new();
    g_autoptr(GHashTable) table = table_of(build_node(graph.body, "a", "global.store", ""), &store);
    g_hash_table_insert(table, build_node(graph.body, "b", "global.load", ""), &load);
    check(&graph, (RefRun){.warps_per_group = 2, .traffic = table, .window = 20}, REF_COMPLETE,
          ends, 48);
    graph_free(&graph);
}

/* Waits of 7 and 9, 16 in all: 7 * 300 / 1024 + 9 * 300 / 1024 is 4.69, rounded down at the end
 * alone; in multiples of 3 it is 3. */
static void test_waits_round_down(void)
{
    static const char *const fine[] = {"20 complete group 0 warp 0 position 0",
                                       "25 complete group 0 warp 1 position 0", NULL};
    static const char *const coarse[] = {"20 complete group 0 warp 0 position 0",
                                         "24 complete group 0 warp 1 position 0", NULL};
    RefTraffic load = {{NULL, 1, FALSE, 1, 20}, FALSE, 2, {{0, 8, 300}, {1, 17, 300}}, 0};
    Graph graph = graph_new();
    g_autoptr(GHashTable) table = table_of(build_node(graph.body, "a", "global.load", ""), &load);
    RefRun run = {.warps_per_group = 2, .traffic = table};
    check(&graph, run, REF_COMPLETE, fine, 34);
    run.grain = 3;
    check(&graph, run, REF_COMPLETE, coarse, 34);
    graph_free(&graph);
}

/* A warp is done with a store when it has queued, 1 after its issue or 9 late; the run is over when
 * the server is. The others go on with 5 more. */
static void test_stores_only_queue(void)
{
    static const char *const ends[] = {"1 complete group 0 warp 0 position 0",
                                       "10 complete group 0 warp 1 position 0", NULL};
    RefTraffic store = {{NULL, 1, FALSE, 1, 30}, FALSE, 1, {{0, 10, 1024}}, 0};
    Graph graph = graph_new();
    g_autoptr(GHashTable) table = table_of(build_node(graph.body, "a", "global.store", ""), &store);
    check(&graph, (RefRun){.warps_per_group = 2, .traffic = table}, REF_COMPLETE, ends, 20);
    graph_free(&graph);
}

/* What drains for 12 keeps its warp for so long, unless it queues for longer: warp 1's is complete
 * at 1 + 12, warp 2's, which begins at 20, at that. */
static void test_stores_drain(void)
{
    static const char *const ends[] = {"12 complete group 0 warp 0 position 0",
                                       "13 complete group 0 warp 1 position 0",
                                       "20 complete group 0 warp 2 position 0", NULL};
    RefTraffic store = {{NULL, 1, FALSE, 1, 30}, FALSE, 1, {{0, 10, 1024}}, 12};
    Graph graph = graph_new();
    g_autoptr(GHashTable) table = table_of(build_node(graph.body, "a", "global.store", ""), &store);
    check(&graph, (RefRun){.warps_per_group = 3, .traffic = table}, REF_COMPLETE, ends, 30);
    graph_free(&graph);
}

/* What a node depends on takes its whole latency, and so does a load that nothing depends on. */
static void check_atomic(const char *class_name, const char *after, gboolean atomic, gint64 end)
{
    RefTraffic traffic = {{NULL, 1, FALSE, 2, 30}, atomic, 1, {{0, 10, 1024}}, 0};
    Graph graph = graph_new();
    g_autoptr(GHashTable) table = table_of(build_node(graph.body, "a", class_name, ""), &traffic);
    build_node(graph.body, "b", "alu", after);
    g_autoptr(RefResult) result = simulate(&graph, (RefRun){.traffic = table});
    g_assert_cmpint(result->ticks, ==, end);
    graph_free(&graph);
}

static void test_what_is_waited_for(void)
{
    check_atomic("global.store", "", FALSE, 10);
    check_atomic("global.store", "a", FALSE, 35);
    check_atomic("atomic.add", "", TRUE, 10);
    check_atomic("atomic.add", "a", TRUE, 35);
    check_atomic("global.load", "", FALSE, 30);
}

/* With R6 each compute unit has its own. */
static void test_servers_of_cus(void)
{
    static const char *const ends[] = {"20 complete group 0 warp 0 position 0",
                                       "20 complete group 1 warp 0 position 0 cu 1", NULL};
    RefTraffic load = {{NULL, 1, FALSE, 1, 20}, FALSE, 1, {{0, 8, 1024}}, 0};
    Graph graph = graph_new();
    g_autoptr(GHashTable) table = table_of(build_node(graph.body, "a", "global.load", ""), &load);
    check(&graph, (RefRun){.groups = 2, .n_cus = 2, .traffic = table}, REF_COMPLETE, ends, 20);
    graph_free(&graph);
}

/* Both schedulers issue at 0, the first one first, and both visit one server. */
static void test_servers_in_an_instant(void)
{
    static const char *const ends[] = {"20 complete group 0 warp 0 position 0",
                                       "28 complete group 0 warp 1 position 0", NULL};
    RefTraffic load = {{NULL, 1, TRUE, 1, 20}, FALSE, 1, {{0, 8, 1024}}, 0};
    Graph graph = graph_new();
    g_autoptr(GHashTable) table = table_of(build_node(graph.body, "a", "global.load", ""), &load);
    check(&graph, (RefRun){.warps_per_group = 2, .schedulers = 2, .port_busy = 1, .traffic = table},
          REF_COMPLETE, ends, 28);
    graph_free(&graph);
}

/* ---- R5: turnaround ------------------------------------------------------------------------ */

/* Groups 0 and 1 end at 5 and 7; their places take the next ones 3 later. */
static void test_turnaround(void)
{
    static const char *const launches[] = {"0 launch group 0", "0 launch group 1",
                                           "8 launch group 2", "10 launch group 3", NULL};
    Graph graph = graph_new();
    build_node(graph.body, "a", "alu", "");
    check(&graph, (RefRun){.active_groups = 2, .groups = 4, .turnaround = 3}, REF_LAUNCH, launches,
          15);
    graph_free(&graph);
}

/* The place of group 0 is free at 8, but launches are 9 apart: group 1 takes place 1, which was
 * never taken, at 9, and group 2 the one of group 0 at 18. */
static void test_turnaround_and_interval(void)
{
    static const char *const launches[] = {"0 launch group 0", "9 launch group 1",
                                           "18 launch group 2", NULL};
    Graph graph = graph_new();
    build_node(graph.body, "a", "alu", "");
    RefRun run = {.active_groups = 2, .groups = 3, .group_interval = 9, .turnaround = 3};
    check(&graph, run, REF_LAUNCH, launches, 23);
    run.turnaround = 30; /* 5 + 30 */
    static const char *const late[] = {"0 launch group 0", "9 launch group 1", "35 launch group 2",
                                       NULL};
    check(&graph, run, REF_LAUNCH, late, 40);
    graph_free(&graph);
}

/* With R6: both places of each compute unit are free at 5 + 3 and 7 + 3, those of the first go
 * first. */
static void test_turnaround_of_cus(void)
{
    static const char *const launches[] = {
        "0 launch group 0", "0 launch group 1 cu 1", "0 launch group 2",  "0 launch group 3 cu 1",
        "8 launch group 4", "8 launch group 5 cu 1", "10 launch group 6", NULL};
    Graph graph = graph_new();
    build_node(graph.body, "a", "alu", "");
    check(&graph, (RefRun){.active_groups = 2, .groups = 7, .n_cus = 2, .turnaround = 3},
          REF_LAUNCH, launches, 15);
    graph_free(&graph);
}

/* ---- R5: the first instructions ------------------------------------------------------------ */

/* Groups 0 and 1 wait for them until 7; group 2, launched at 12, does not. */
static void test_first_instructions(void)
{
    static const char *const issues[] = {"7 issue group 0 warp 0 position 0 ready 7",
                                         "9 issue group 1 warp 0 position 0 ready 7",
                                         "14 issue group 2 warp 0 position 0 ready 14", NULL};
    Graph graph = graph_new();
    build_node(graph.body, "a", "alu", "");
    check(&graph, (RefRun){.active_groups = 2, .groups = 3, .group_launch = 2, .fetch = 7},
          REF_ISSUE, issues, 19);
    graph_free(&graph);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/reference-levels/row", test_servers_in_a_row);
    g_test_add_func("/reference-levels/overlap", test_servers_overlap);
    g_test_add_func("/reference-levels/round-down", test_waits_round_down);
    g_test_add_func("/reference-levels/busy-device", test_busy_device);
    g_test_add_func("/reference-levels/busy-device-posted", test_busy_device_posted);
    g_test_add_func("/reference-levels/busy-slices", test_busy_slices);
    g_test_add_func("/reference-levels/stores", test_stores_only_queue);
    g_test_add_func("/reference-levels/drain", test_stores_drain);
    g_test_add_func("/reference-levels/waited-for", test_what_is_waited_for);
    g_test_add_func("/reference-levels/cus", test_servers_of_cus);
    g_test_add_func("/reference-levels/instant", test_servers_in_an_instant);
    g_test_add_func("/reference-levels/turnaround", test_turnaround);
    g_test_add_func("/reference-levels/turnaround-interval", test_turnaround_and_interval);
    g_test_add_func("/reference-levels/turnaround-cus", test_turnaround_of_cus);
    g_test_add_func("/reference-levels/first-instructions", test_first_instructions);
    return g_test_run();
}
