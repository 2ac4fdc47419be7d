/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The refinements R1, R2, R3, R5, R6 and R9 to R11 of the slow simulator, held against schedules
 * worked out by hand; reference-self.c does the same for the published model.
 */
#include "tests/help/by-hand.h"

/* Pipelines: alu 0, mem 1, fast 2, each scheduler's fp 3 and products 4. */
static const RefClass classes[] = {
    {"alu", 0, FALSE, 2, 5}, {"mem", 1, FALSE, 3, 10},        {"fast", 2, FALSE, 1, 4},
    {"fp", 3, TRUE, 4, 8},   {"tensor.wgmma", 4, TRUE, 4, 8},
};

/* Runs a graph as told; what is left open is one group of one warp. Without schedulers no node may
 * be of class fp. */
static RefResult *simulate(const Graph *graph, RefRun run)
{
    run.idg = graph->idg;
    run.scope = graph->scope;
    run.warps_per_group = MAX(run.warps_per_group, 1);
    run.active_groups = MAX(run.active_groups, 1);
    run.groups = MAX(run.groups, 1);
    run.classes = classes;
    run.n_classes = G_N_ELEMENTS(classes);
    return ref_simulate(&run);
}

/* The issues of a run, and when it ends. */
static void check(const Graph *graph, RefRun run, const char *const *issues, gint64 ticks)
{
    g_autoptr(RefResult) result = simulate(graph, run);
    check_events(result, REF_ISSUE, issues);
    g_assert_cmpint(result->ticks, ==, ticks);
}

/* ---- R1 ------------------------------------------------------------------------------------ */

/* Warps 0 and 2 belong to scheduler 0, the others to scheduler 1; they take the pipeline in turn.
 */
static void test_schedulers_share_a_pipeline(void)
{
    static const char *const issues[] = {"0 issue group 0 warp 0 position 0 ready 0",
                                         "1 issue group 0 warp 1 position 0 ready 0",
                                         "2 issue group 0 warp 0 position 1 ready 0",
                                         "3 issue group 0 warp 1 position 1 ready 0",
                                         "4 issue group 0 warp 2 position 0 ready 0",
                                         "5 issue group 0 warp 3 position 0 ready 0",
                                         "6 issue group 0 warp 2 position 1 ready 0",
                                         "7 issue group 0 warp 3 position 1 ready 0",
                                         NULL};
    Graph graph = graph_new();
    build_node(graph.body, "a", "fast", "");
    build_node(graph.body, "b", "fast", "");
    check(&graph, (RefRun){.warps_per_group = 4, .schedulers = 2, .port_busy = 1}, issues, 11);
    graph_free(&graph);
}

/* At 2 it is scheduler 1's turn, for what it issued at 0 was on a pipeline of its own. */
static void test_turns_are_for_the_pipelines_of_the_cu(void)
{
    static const char *const issues[] = {"0 issue group 0 warp 0 position 0 ready 0",
                                         "0 issue group 0 warp 1 position 1 ready 0",
                                         "1 issue group 0 warp 0 position 1 ready 0",
                                         "2 issue group 0 warp 1 position 0 ready 0",
                                         "4 issue group 0 warp 0 position 2 ready 0",
                                         "6 issue group 0 warp 1 position 2 ready 0",
                                         NULL};
    Graph graph = graph_new();
    build_node(graph.body, "a", "alu", "");
    build_node(graph.body, "b", "fp", "");
    build_node(graph.body, "c", "alu", "");
    check(&graph, (RefRun){.warps_per_group = 2, .schedulers = 2, .port_busy = 1}, issues, 11);
    graph_free(&graph);
}

/* One warp alone reaches a quarter of what four reach in the same time. */
static void test_pipeline_of_each_scheduler(void)
{
    Graph graph = graph_new();
    build_node(build_loop(graph.body, "4"), "a", "fp", "");
    for (gint64 warps = 1; warps <= 4; warps++) {
        g_autoptr(RefResult) result =
            simulate(&graph, (RefRun){.warps_per_group = warps, .schedulers = 4, .port_busy = 1});
        g_assert_cmpint(result->ticks, ==, 3 * 4 + 8);
        g_assert_cmpint(result->instructions, ==, 4 * warps);
    }
    g_autoptr(RefResult) five =
        simulate(&graph, (RefRun){.warps_per_group = 5, .schedulers = 4, .port_busy = 1});
    g_assert_cmpint(five->ticks, ==, 7 * 4 + 8);
    graph_free(&graph);
}

/* Only the port keeps b waiting; at 3 nothing but the port becomes free. */
static void test_port(void)
{
    static const char *const issues[] = {"0 issue group 0 warp 0 position 0 ready 0",
                                         "3 issue group 0 warp 0 position 1 ready 0", NULL};
    static const char *const wider[] = {"0 issue group 0 warp 0 position 0 ready 0",
                                        "1 issue group 0 warp 0 position 1 ready 0", NULL};
    Graph graph = graph_new();
    build_node(graph.body, "a", "alu", "");
    build_node(graph.body, "b", "mem", "");
    check(&graph, (RefRun){.schedulers = 1, .port_busy = 3}, issues, 13);
    check(&graph, (RefRun){.schedulers = 1, .port_busy = 1}, wider, 11);
    graph_free(&graph);
}

/* Slots go on from group to group: groups of one warp are on schedulers 0, 1, 0. */
static void test_slots_of_groups(void)
{
    static const char *const issues[] = {"0 issue group 0 warp 0 position 0 ready 0",
                                         "0 issue group 1 warp 0 position 0 ready 0",
                                         "4 issue group 2 warp 0 position 0 ready 0", NULL};
    Graph graph = graph_new();
    build_node(graph.body, "a", "fp", "");
    check(&graph, (RefRun){.active_groups = 3, .groups = 3, .schedulers = 2, .port_busy = 1},
          issues, 12);
    graph_free(&graph);
}

/* ---- R2 ------------------------------------------------------------------------------------ */

/* c could issue at 0. */
static void test_program_order(void)
{
    static const char *const free[] = {"0 issue group 0 warp 0 position 2 ready 0",
                                       "0 issue group 0 warp 0 position 0 ready 0",
                                       "10 issue group 0 warp 0 position 1 ready 10", NULL};
    static const char *const held[] = {"0 issue group 0 warp 0 position 0 ready 0",
                                       "10 issue group 0 warp 0 position 1 ready 10",
                                       "12 issue group 0 warp 0 position 2 ready 10", NULL};
    Graph graph = graph_new();
    build_node(graph.body, "a", "mem", "");
    build_node(graph.body, "b", "alu", "a");
    build_node(graph.body, "c", "alu", "");
    check(&graph, (RefRun){.order = PS_ORDER_DATAFLOW}, free, 15);
    check(&graph, (RefRun){.order = PS_ORDER_PROGRAM}, held, 17);
    graph_free(&graph);
}

/* b's pipeline comes first, but b may issue only when a has, in the same instant. */
static void test_program_order_in_an_instant(void)
{
    static const char *const issues[] = {"0 issue group 0 warp 0 position 0 ready 0",
                                         "0 issue group 0 warp 0 position 1 ready 0", NULL};
    Graph graph = graph_new();
    build_node(graph.body, "a", "mem", "");
    build_node(graph.body, "b", "alu", "");
    check(&graph, (RefRun){.order = PS_ORDER_PROGRAM}, issues, 10);
    graph_free(&graph);
}

/* Each pipeline has its turn before the first one has another: fast, in the first round, finds only
 * warp 1's d, for b, which lets c follow, comes in the second. */
static void test_rounds_of_pipelines(void)
{
    static const char *const issues[] = {"0 issue group 0 warp 0 position 0 ready 0",
                                         "0 issue group 0 warp 1 position 0 ready 0",
                                         "0 issue group 0 warp 0 position 1 ready 0",
                                         "1 issue group 0 warp 0 position 2 ready 0", NULL};
    Graph graph = graph_new();
    ps_idg_add_warps(graph.idg->codes->pdata[0], build_expr("0"), NULL);
    build_node(graph.body, "a", "mem", "");
    build_node(graph.body, "b", "alu", "");
    build_node(graph.body, "c", "fast", "");
    build_node(ps_idg_add_code(graph.idg)->body, "d", "fast", "");
    check(&graph, (RefRun){.warps_per_group = 2, .order = PS_ORDER_PROGRAM}, issues, 10);
    graph_free(&graph);
}

/* None of them waits for data, but each for its turn: it is ready when the one before it issues. */
static void test_program_order_and_fifo(void)
{
    static const char *const issues[] = {"0 issue group 0 warp 0 position 0 ready 0",
                                         "0 issue group 0 warp 0 position 1 ready 0",
                                         "2 issue group 0 warp 0 position 2 ready 0",
                                         "3 issue group 0 warp 1 position 0 ready 0",
                                         "4 issue group 0 warp 1 position 1 ready 3",
                                         "6 issue group 0 warp 1 position 2 ready 4",
                                         NULL};
    Graph graph = graph_new();
    build_node(graph.body, "a", "mem", "");
    build_node(graph.body, "b", "alu", "");
    build_node(graph.body, "c", "alu", "");
    check(&graph, (RefRun){.warps_per_group = 2, .order = PS_ORDER_PROGRAM}, issues, 13);
    graph_free(&graph);
}

/* ---- R3 ------------------------------------------------------------------------------------ */

/* x, y after x, z; three warps of them on one pipeline. */
static void check_policy(PsPolicy policy, const char *const *issues, gint64 ticks)
{
    Graph graph = graph_new();
    build_node(graph.body, "x", "alu", "");
    build_node(graph.body, "y", "alu", "x");
    build_node(graph.body, "z", "alu", "");
    check(&graph, (RefRun){.warps_per_group = 3, .policy = policy}, issues, ticks);
    graph_free(&graph);
}

static void test_fifo(void)
{
    static const char *const issues[] = {
        "0 issue group 0 warp 0 position 0 ready 0",   "2 issue group 0 warp 0 position 2 ready 0",
        "4 issue group 0 warp 1 position 0 ready 0",   "6 issue group 0 warp 1 position 2 ready 0",
        "8 issue group 0 warp 2 position 0 ready 0",   "10 issue group 0 warp 2 position 2 ready 0",
        "12 issue group 0 warp 0 position 1 ready 5",  "14 issue group 0 warp 1 position 1 ready 9",
        "16 issue group 0 warp 2 position 1 ready 13", NULL};
    check_policy(PS_POLICY_FIFO, issues, 21);
}

static void test_lrr(void)
{
    static const char *const issues[] = {
        "0 issue group 0 warp 0 position 0 ready 0",  "2 issue group 0 warp 1 position 0 ready 0",
        "4 issue group 0 warp 2 position 0 ready 0",  "6 issue group 0 warp 0 position 1 ready 5",
        "8 issue group 0 warp 1 position 1 ready 7",  "10 issue group 0 warp 2 position 1 ready 9",
        "12 issue group 0 warp 0 position 2 ready 0", "14 issue group 0 warp 1 position 2 ready 0",
        "16 issue group 0 warp 2 position 2 ready 0", NULL};
    check_policy(PS_POLICY_LRR, issues, 21);
}

/* At 8 the slot issued from last, warp 1's, has nothing (its y is ready at 9), so the oldest goes.
 */
static void test_gto(void)
{
    static const char *const issues[] = {
        "0 issue group 0 warp 0 position 0 ready 0",   "2 issue group 0 warp 0 position 2 ready 0",
        "4 issue group 0 warp 1 position 0 ready 0",   "6 issue group 0 warp 1 position 2 ready 0",
        "8 issue group 0 warp 0 position 1 ready 5",   "10 issue group 0 warp 1 position 1 ready 9",
        "12 issue group 0 warp 2 position 0 ready 0",  "14 issue group 0 warp 2 position 2 ready 0",
        "17 issue group 0 warp 2 position 1 ready 17", NULL};
    check_policy(PS_POLICY_GTO, issues, 22);
}

/* As gto's, with warps 0 and 2 in each other's place. */
static void test_gty(void)
{
    static const char *const issues[] = {
        "0 issue group 0 warp 2 position 0 ready 0",   "2 issue group 0 warp 2 position 2 ready 0",
        "4 issue group 0 warp 1 position 0 ready 0",   "6 issue group 0 warp 1 position 2 ready 0",
        "8 issue group 0 warp 2 position 1 ready 5",   "10 issue group 0 warp 1 position 1 ready 9",
        "12 issue group 0 warp 0 position 0 ready 0",  "14 issue group 0 warp 0 position 2 ready 0",
        "17 issue group 0 warp 0 position 1 ready 17", NULL};
    check_policy(PS_POLICY_GTY, issues, 22);
}

static void test_oldest(void)
{
    static const char *const issues[] = {
        "0 issue group 0 warp 0 position 0 ready 0",   "2 issue group 0 warp 0 position 2 ready 0",
        "4 issue group 0 warp 1 position 0 ready 0",   "6 issue group 0 warp 0 position 1 ready 5",
        "8 issue group 0 warp 1 position 2 ready 0",   "10 issue group 0 warp 1 position 1 ready 9",
        "12 issue group 0 warp 2 position 0 ready 0",  "14 issue group 0 warp 2 position 2 ready 0",
        "17 issue group 0 warp 2 position 1 ready 17", NULL};
    check_policy(PS_POLICY_OLDEST, issues, 22);
}

/* With schedulers it is the scheduler that goes round, over both pipelines: at 1 to warp 1, whose a
 * finds alu taken. Without them each pipeline does. */
static void test_lrr_of_a_scheduler(void)
{
    static const char *const one[] = {"0 issue group 0 warp 0 position 0 ready 0",
                                      "1 issue group 0 warp 1 position 1 ready 0",
                                      "2 issue group 0 warp 1 position 0 ready 0",
                                      "4 issue group 0 warp 0 position 1 ready 0", NULL};
    static const char *const none[] = {"0 issue group 0 warp 0 position 0 ready 0",
                                       "0 issue group 0 warp 0 position 1 ready 0",
                                       "2 issue group 0 warp 1 position 0 ready 0",
                                       "3 issue group 0 warp 1 position 1 ready 0", NULL};
    Graph graph = graph_new();
    build_node(graph.body, "a", "alu", "");
    build_node(graph.body, "b", "mem", "");
    RefRun run = {.warps_per_group = 2, .policy = PS_POLICY_LRR};
    check(&graph, run, none, 13);
    run.schedulers = 1;
    run.port_busy = 1;
    check(&graph, run, one, 14);
    graph_free(&graph);
}

/* ---- R5 ------------------------------------------------------------------------------------ */

/* Groups start 3 after their launch, and launches are 4 apart: at 3 a node becomes ready and at 4 a
 * launch falls due, and nothing else happens then. Group 0 is done at 8, when the next may start.
 */
static void test_overheads(void)
{
    static const char *const launches[] = {"0 launch group 0", "4 launch group 1",
                                           "8 launch group 2", NULL};
    static const char *const issues[] = {"3 issue group 0 warp 0 position 0 ready 3",
                                         "7 issue group 1 warp 0 position 0 ready 7",
                                         "11 issue group 2 warp 0 position 0 ready 11", NULL};
    Graph graph = graph_new();
    build_node(graph.body, "a", "alu", "");
    const RefRun run = {.active_groups = 2, .groups = 3, .group_launch = 3, .group_interval = 4};
    check(&graph, run, issues, 16);
    g_autoptr(RefResult) result = simulate(&graph, run);
    check_events(result, REF_LAUNCH, launches);
    graph_free(&graph);
}

/* Launches further apart than groups are long: the CU is empty from 5 to 9. */
static void test_interval(void)
{
    static const char *const launches[] = {"0 launch group 0", "9 launch group 1",
                                           "18 launch group 2", NULL};
    Graph graph = graph_new();
    build_node(graph.body, "a", "alu", "");
    g_autoptr(RefResult) result =
        simulate(&graph, (RefRun){.active_groups = 2, .groups = 3, .group_interval = 9});
    check_events(result, REF_LAUNCH, launches);
    g_assert_cmpint(result->ticks, ==, 23);
    graph_free(&graph);
}

/* When group 3 is launched at 15, group 2 is in place 0; places 1 and 2 are free. It takes 1 and so
 * scheduler 1; scheduler 0's port is busy until 16. */
static void test_lowest_place(void)
{
    static const char *const issues[] = {"0 issue group 0 warp 0 position 0 ready 0",
                                         "5 issue group 1 warp 0 position 0 ready 5",
                                         "10 issue group 2 warp 0 position 0 ready 10",
                                         "15 issue group 3 warp 0 position 0 ready 15", NULL};
    Graph graph = graph_new();
    build_node(graph.body, "a", "fp", "");
    check(
        &graph,
        (RefRun){
            .active_groups = 3, .groups = 4, .schedulers = 2, .port_busy = 6, .group_interval = 5},
        issues, 23);
    graph_free(&graph);
}

/* ---- R6 ------------------------------------------------------------------------------------ */

/* Three CUs with two groups each; the seventh group goes to the first of three CUs that have a free
 * place at 5. */
static void test_all_cus(void)
{
    static const char *const launches[] = {"0 launch group 0",      "0 launch group 1 cu 1",
                                           "0 launch group 2 cu 2", "0 launch group 3",
                                           "0 launch group 4 cu 1", "0 launch group 5 cu 2",
                                           "5 launch group 6",      NULL};
    static const char *const ends[] = {
        "5 done group 0",      "5 done group 1 cu 1", "5 done group 2 cu 2", "7 done group 3",
        "7 done group 4 cu 1", "7 done group 5 cu 2", "10 done group 6",     NULL};
    Graph graph = graph_new();
    build_node(graph.body, "a", "alu", "");
    g_autoptr(RefResult) result =
        simulate(&graph, (RefRun){.active_groups = 2, .groups = 7, .n_cus = 3});
    check_events(result, REF_LAUNCH, launches);
    check_events(result, REF_DONE, ends);
    g_assert_cmpint(result->ticks, ==, 10);
    graph_free(&graph);
}

/* At 8 each CU has two free places: each is a request, those of the lower CU come first. */
static void test_requests(void)
{
    static const char *const launches[] = {"0 launch group 0",      "0 launch group 1 cu 1",
                                           "0 launch group 2",      "0 launch group 3 cu 1",
                                           "8 launch group 4",      "8 launch group 5",
                                           "8 launch group 6 cu 1", NULL};
    Graph graph = graph_new();
    build_node(graph.body, "a", "fp", "");
    g_autoptr(RefResult) result = simulate(
        &graph,
        (RefRun){.active_groups = 2, .groups = 7, .n_cus = 2, .schedulers = 2, .port_busy = 1});
    check_events(result, REF_LAUNCH, launches);
    g_assert_cmpint(result->ticks, ==, 16);
    graph_free(&graph);
}

/* Each CU has its own launches 4 apart. */
static void test_intervals_of_cus(void)
{
    static const char *const launches[] = {"0 launch group 0",  "0 launch group 1 cu 1",
                                           "4 launch group 2",  "4 launch group 3 cu 1",
                                           "10 launch group 4", NULL};
    Graph graph = graph_new();
    build_node(graph.body, "a", "mem", "");
    g_autoptr(RefResult) result = simulate(
        &graph, (RefRun){.active_groups = 2, .groups = 5, .n_cus = 2, .group_interval = 4});
    check_events(result, REF_LAUNCH, launches);
    g_assert_cmpint(result->ticks, ==, 20);
    graph_free(&graph);
}

/* ---- R9 ------------------------------------------------------------------------------------ */

/* The example of docs/reference/model.md: a holds each warp for 3 cycles, in which the other warp
 * issues. What comes after b is not held. Without R2 it is the same, since holds bring it. */
static void test_hold(void)
{
    static const char *const issues[] = {"0 issue group 0 warp 0 position 0 ready 0",
                                         "1 issue group 0 warp 1 position 0 ready 0",
                                         "3 issue group 0 warp 0 position 1 ready 3",
                                         "3 issue group 0 warp 0 position 2 ready 3",
                                         "4 issue group 0 warp 1 position 1 ready 4",
                                         "6 issue group 0 warp 1 position 2 ready 4",
                                         NULL};
    Graph graph = graph_new();
    build_node(graph.body, "a", "fast", "")->hold = build_expr("3");
    build_node(graph.body, "b", "fast", "");
    build_node(graph.body, "c", "mem", "");
    check(&graph, (RefRun){.warps_per_group = 2, .order = PS_ORDER_PROGRAM, .cycle = 1}, issues,
          16);
    check(&graph, (RefRun){.warps_per_group = 2, .order = PS_ORDER_DATAFLOW, .cycle = 1}, issues,
          16);
    graph_free(&graph);
}

/* Whatever comes last counts: b's data at 10, or at 12 a hold of 12. The hold of what comes last
 * in a warp keeps nobody, and ends with the warp: its place is taken when its results are there. */
static void test_hold_and_data(void)
{
    static const char *const data[] = {"0 issue group 0 warp 0 position 0 ready 0",
                                       "10 issue group 0 warp 0 position 1 ready 10",
                                       "14 issue group 1 warp 0 position 0 ready 14",
                                       "24 issue group 1 warp 0 position 1 ready 24", NULL};
    static const char *const held[] = {"0 issue group 0 warp 0 position 0 ready 0",
                                       "12 issue group 0 warp 0 position 1 ready 12",
                                       "16 issue group 1 warp 0 position 0 ready 16",
                                       "28 issue group 1 warp 0 position 1 ready 28", NULL};
    Graph graph = graph_new();
    PsIdgItem *a = build_node(graph.body, "a", "mem", "");
    build_node(graph.body, "b", "fast", "a")->hold = build_expr("100");
    const RefRun run = {.groups = 2, .order = PS_ORDER_PROGRAM, .cycle = 2};
    a->hold = build_expr("2.5");
    check(&graph, run, data, 28);
    ps_expr_free(a->hold);
    a->hold = build_expr("6");
    check(&graph, run, held, 32);
    graph_free(&graph);
}

/* ---- R12 ----------------------------------------------------------------------------------- */

/* The example of docs/reference/model.md: a ring of two stages, which one warp fills and another
 * one empties. */
static void test_ring(void)
{
    static const char *const issues[] = {"0 issue group 0 warp 0 position 0 ready 0",
                                         "3 issue group 0 warp 0 position 1 ready 0",
                                         "10 issue group 0 warp 1 position 0 ready 10",
                                         "13 issue group 0 warp 1 position 1 ready 13",
                                         "14 issue group 0 warp 0 position 2 ready 14",
                                         "24 issue group 0 warp 1 position 2 ready 24",
                                         NULL};
    Graph graph = graph_new();
    PsIdgCode *producer = graph.idg->codes->pdata[0], *consumer = ps_idg_add_code(graph.idg);
    producer->name = g_strdup("producer");
    consumer->name = g_strdup("consumer");
    ps_idg_add_warps(producer, build_expr("0"), NULL);
    PsIdgItem *copy = build_node(build_loop(graph.body, "3"), "copy", "mem", "");
    PsIdgItem *use = build_node(build_loop(consumer->body, "3"), "use", "fast", "");
    ps_idg_add_await(copy, "consumer", "use")->before = build_expr("2");
    ps_idg_add_await(use, "producer", "copy");
    check(&graph, (RefRun){.warps_per_group = 2}, issues, 28);
    graph_free(&graph);
}

/* ---- R10 ----------------------------------------------------------------------------------- */

static PsIdgItem *build_reader(GPtrArray *body, const char *name, guint8 even, guint8 odd)
{
    PsIdgItem *item = build_node(body, name, "fast", "");
    item->banks[0] = even;
    item->banks[1] = odd;
    return item;
}

/* The second reads one of each bank, with 3 before it in the even one, which is busy until 3: it
 * has until 4, so it need not wait. With two more it waits for a cycle, with three for two. */
static void test_banks(void)
{
    static const gint64 third[] = {2, 3, 4};
    for (guint8 even = 1; even <= 3; even++) {
        Graph graph = graph_new();
        g_autofree char *last =
            g_strdup_printf("%d issue group 0 warp 0 position 2 ready 0", (int)third[even - 1]);
        const char *issues[] = {"0 issue group 0 warp 0 position 0 ready 0",
                                "1 issue group 0 warp 0 position 1 ready 0", last, NULL};
        build_reader(graph.body, "a", 3, 0);
        build_reader(graph.body, "b", even, even < 3 ? 1 : 0);
        build_node(graph.body, "c", "fast", "");
        check(&graph, (RefRun){.schedulers = 1, .port_busy = 1, .read_window = 3, .cycle = 1},
              issues, third[even - 1] + 4);
        graph_free(&graph);
    }
}

/* Two and one by turns take three cycles for two; the same bank twice takes two for each. */
static void test_banks_by_turns(void)
{
    for (guint same = 0; same < 2; same++) {
        Graph graph = graph_new();
        GPtrArray *loop = build_loop(graph.body, "50");
        build_reader(loop, "a", 2, 1);
        build_reader(loop, "b", same ? 2 : 1, same ? 1 : 2);
        build_node(graph.body, "c", "fast", "");
        g_autoptr(RefResult) result = simulate(
            &graph, (RefRun){.schedulers = 1, .port_busy = 1, .read_window = 3, .cycle = 1});
        g_assert_cmpint(result->ticks, ==, same ? 202 : 152);
        graph_free(&graph);
    }
}

/* What is kept need not be read, but for another warp that read in between. */
static void test_banks_kept(void)
{
    Graph graph = graph_new();
    build_reader(build_loop(graph.body, "50"), "a", 3, 0)->kept[0] = 2;
    const RefRun run = {.schedulers = 1, .port_busy = 1, .read_window = 3, .cycle = 1};
    RefRun two = run;
    two.warps_per_group = 2;
    g_autoptr(RefResult) alone = simulate(&graph, run);
    two.policy = PS_POLICY_LRR;
    g_autoptr(RefResult) both = simulate(&graph, two);
    g_assert_cmpint(alone->ticks, ==, 53);
    g_assert_cmpint(both->ticks, >, 290);
    graph_free(&graph);
}

/* ---- R11 ----------------------------------------------------------------------------------- */

/* Two may wait for mem, which begins with a at 0, b at 3, c at 6, d at 9. So d issues when mem
 * begins with b, and e need not wait until d has the pipeline. */
static void test_queue(void)
{
    static const char *const issues[] = {
        "0 issue group 0 warp 0 position 0 ready 0", "1 issue group 0 warp 0 position 1 ready 0",
        "2 issue group 0 warp 0 position 2 ready 1", "3 issue group 0 warp 0 position 3 ready 2",
        "4 issue group 0 warp 0 position 4 ready 3", NULL};
    static const gint64 queues[] = {0, 2, 0, 0};
    Graph graph = graph_new();
    build_node(graph.body, "a", "mem", "");
    build_node(graph.body, "b", "mem", "");
    build_node(graph.body, "c", "mem", "");
    build_node(graph.body, "d", "mem", "");
    build_node(graph.body, "e", "fast", "");
    check(&graph,
          (RefRun){.order = PS_ORDER_PROGRAM, .schedulers = 1, .port_busy = 1, .queues = queues},
          issues, 9 + 10);
    graph_free(&graph);
}

/* Each scheduler has a queue of its own in front of a pipeline of the CU, which begins with what
 * was issued first: warp 0's a at 0, warp 1's at 3, warp 0's b at 6, and warp 1's, which issues at
 * 3, at 9. */
static void test_queues_of_schedulers(void)
{
    static const char *const issues[] = {"0 issue group 0 warp 0 position 0 ready 0",
                                         "0 issue group 0 warp 1 position 0 ready 0",
                                         "1 issue group 0 warp 0 position 1 ready 0",
                                         "3 issue group 0 warp 1 position 1 ready 0", NULL};
    static const gint64 queues[] = {0, 1, 0, 0};
    Graph graph = graph_new();
    build_node(graph.body, "a", "mem", "");
    build_node(graph.body, "b", "mem", "");
    check(&graph,
          (RefRun){.order = PS_ORDER_PROGRAM,
                   .schedulers = 2,
                   .port_busy = 1,
                   .warps_per_group = 2,
                   .queues = queues},
          issues, 9 + 10);
    graph_free(&graph);
}

/* Warps get places in front of products by turns, though the scheduler is greedy: warp 1's a at 1,
 * warp 0's b at 4, when warp 1's begins. Elsewhere warp 0 would have the place at 1. */
static void test_turns_of_products(void)
{
    static const char *const issues[] = {"0 issue group 0 warp 0 position 0 ready 0",
                                         "1 issue group 0 warp 1 position 0 ready 0",
                                         "4 issue group 0 warp 0 position 1 ready 0",
                                         "8 issue group 0 warp 1 position 1 ready 1", NULL};
    static const gint64 queues[] = {0, 0, 0, 0, 1};
    Graph graph = graph_new();
    build_node(graph.body, "a", "tensor.wgmma", "");
    build_node(graph.body, "b", "tensor.wgmma", "");
    check(&graph,
          (RefRun){.order = PS_ORDER_PROGRAM,
                   .policy = PS_POLICY_GTO,
                   .schedulers = 1,
                   .port_busy = 1,
                   .warps_per_group = 2,
                   .queues = queues},
          issues, 12 + 8);
    graph_free(&graph);
}

/* In dataflow order nothing waits in front of pipelines. */
static void test_queue_in_dataflow(void)
{
    static const char *const issues[] = {"0 issue group 0 warp 0 position 0 ready 0",
                                         "3 issue group 0 warp 0 position 1 ready 0", NULL};
    static const gint64 queues[] = {0, 2, 0, 0};
    Graph graph = graph_new();
    build_node(graph.body, "a", "mem", "");
    build_node(graph.body, "b", "mem", "");
    check(&graph, (RefRun){.schedulers = 1, .port_busy = 1, .queues = queues}, issues, 3 + 10);
    graph_free(&graph);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/reference-refined/schedulers-share", test_schedulers_share_a_pipeline);
    g_test_add_func("/reference-refined/turns", test_turns_are_for_the_pipelines_of_the_cu);
    g_test_add_func("/reference-refined/per-scheduler", test_pipeline_of_each_scheduler);
    g_test_add_func("/reference-refined/port", test_port);
    g_test_add_func("/reference-refined/slots", test_slots_of_groups);
    g_test_add_func("/reference-refined/program-order", test_program_order);
    g_test_add_func("/reference-refined/program-order-instant", test_program_order_in_an_instant);
    g_test_add_func("/reference-refined/program-order-rounds", test_rounds_of_pipelines);
    g_test_add_func("/reference-refined/program-order-fifo", test_program_order_and_fifo);
    g_test_add_func("/reference-refined/fifo", test_fifo);
    g_test_add_func("/reference-refined/lrr", test_lrr);
    g_test_add_func("/reference-refined/gto", test_gto);
    g_test_add_func("/reference-refined/gty", test_gty);
    g_test_add_func("/reference-refined/oldest", test_oldest);
    g_test_add_func("/reference-refined/lrr-scheduler", test_lrr_of_a_scheduler);
    g_test_add_func("/reference-refined/banks", test_banks);
    g_test_add_func("/reference-refined/banks-by-turns", test_banks_by_turns);
    g_test_add_func("/reference-refined/banks-kept", test_banks_kept);
    g_test_add_func("/reference-refined/overheads", test_overheads);
    g_test_add_func("/reference-refined/interval", test_interval);
    g_test_add_func("/reference-refined/lowest-place", test_lowest_place);
    g_test_add_func("/reference-refined/all-cus", test_all_cus);
    g_test_add_func("/reference-refined/requests", test_requests);
    g_test_add_func("/reference-refined/intervals-of-cus", test_intervals_of_cus);
    g_test_add_func("/reference-refined/hold", test_hold);
    g_test_add_func("/reference-refined/hold-and-data", test_hold_and_data);
    g_test_add_func("/reference-refined/ring", test_ring);
    g_test_add_func("/reference-refined/queue", test_queue);
    g_test_add_func("/reference-refined/queues-of-schedulers", test_queues_of_schedulers);
    g_test_add_func("/reference-refined/turns-of-products", test_turns_of_products);
    g_test_add_func("/reference-refined/queue-in-dataflow", test_queue_in_dataflow);
    return g_test_run();
}
