/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where the warps of small graphs wait, against what was found by hand.
 */
#include "tests/help/build-graph.h"
#include "tests/help/engine.h"
#include "tests/help/waited.h"

typedef struct {
    PsIdg *idg;
    PsGpu *gpu;
    Engine engine;
    Waited waited;
} Hand;

/* Groups of that many warps on one CU with two pipelines: add (lambda 1, Lambda 6) and barrier
 * (1, 10) on the first, load (4, 20) on the second. */
static Hand hand_begin(const char *groups, const char *group_size)
{
    Hand hand = {.idg = build_idg(groups, group_size), .gpu = build_gpu(1, 2)};
    build_class(hand.gpu, "add", 0, PS_RATIONAL_INT(1), PS_RATIONAL_INT(6));
    build_class(hand.gpu, "load", 1, PS_RATIONAL_INT(4), PS_RATIONAL_INT(20));
    build_class(hand.gpu, "barrier", 0, PS_RATIONAL_INT(1), PS_RATIONAL_INT(10));
    return hand;
}

static void hand_run(Hand *hand, PsRefinements refinements)
{
    const EngineRun run = {
        .idg = hand->idg, .gpu = hand->gpu, .options = {.active = 1}, .refinements = refinements};
    g_autoptr(GError) error = NULL;
    g_assert_true(engine_open(&hand->engine, &run, &error));
    g_assert_true(wait_for(hand->engine.machine, TRUE, &hand->waited, &error));
    g_assert_no_error(error);
}

static void hand_clear(Hand *hand)
{
    waited_clear(&hand->waited);
    engine_close(&hand->engine);
    ps_idg_free(hand->idg);
    build_gpu_free(hand->gpu);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Hand, hand_clear)

static void assert_waits(const Hand *hand, PsWaitKind kind, const char *name, double ticks)
{
    const PsMachine *machine = hand->engine.machine;
    guint which = G_MAXUINT;
    for (guint c = 0; name && c < machine->n_classes; c++)
        if (g_str_equal(machine->classes[c].asked, name))
            which = kind == PS_WAIT_QUEUE ? machine->classes[c].pipeline : c;
    g_assert_cmpfloat(ticks_of(hand->waited.rows, kind, which), ==, ticks);
}

/* One warp: load at 0, add at 20, done at 26; twice. */
static void test_chain(void)
{
    g_auto(Hand) hand = hand_begin("2", "32");
    GPtrArray *body = ps_idg_add_code(hand.idg)->body;
    build_node(body, "l", "load", "");
    build_node(body, "a", "add", "l");
    hand_run(&hand, (PsRefinements){0});
    g_assert_cmpint(hand.waited.result.ticks, ==, 52);
    assert_waits(&hand, PS_WAIT_ISSUING, "load", 8);
    assert_waits(&hand, PS_WAIT_DATA, "load", 32);
    assert_waits(&hand, PS_WAIT_ISSUING, "add", 2);
    assert_waits(&hand, PS_WAIT_DRAIN, NULL, 10);
    g_assert_cmpuint(hand.waited.rows->len, ==, 4);
    g_assert_cmpint(hand.waited.tail, ==, 0);
    for (guint i = 0; i < WAITED_PARTS; i++)
        g_assert_cmpfloat_with_epsilon(hand.waited.occupancy[i], 1, 1e-12);
}

/* Two warps load at 0 and 4; the other one's data come later by so much. Of the three loads of a
 * warp the last two are ready at once, and issue when the pipeline is free. */
static void test_queue(void)
{
    g_auto(Hand) hand = hand_begin("1", "64");
    GPtrArray *body = ps_idg_add_code(hand.idg)->body;
    build_node(body, "l", "load", "");
    build_node(body, "m", "load", "");
    build_node(body, "a", "add", "m");
    hand_run(&hand, (PsRefinements){0});
    /* l0 0, m0 4, l1 8, m1 12: what is ready first, then the lower warp; a0 24, a1 32, done 38. */
    g_assert_cmpint(hand.waited.result.ticks, ==, 38);
    assert_waits(&hand, PS_WAIT_QUEUE, "load", 4 + 12);
    assert_waits(&hand, PS_WAIT_ISSUING, "load", 4 + 4);
    assert_waits(&hand, PS_WAIT_DATA, "load", 16 + 16);
    assert_waits(&hand, PS_WAIT_ISSUING, "add", 2);
    assert_waits(&hand, PS_WAIT_DRAIN, NULL, 13 + 5);
    g_assert_cmpuint(hand.waited.rows->len, ==, 5);
}

/* Out of order: the add that stands last needs nothing and issues at 0, like the load before it.
 * In program order it issues after what waits for the load. */
static void test_orders(void)
{
    for (guint order = 0; order < 2; order++) {
        g_auto(Hand) hand = hand_begin("1", "32");
        GPtrArray *body = ps_idg_add_code(hand.idg)->body;
        build_node(body, "l", "load", "");
        build_node(body, "a", "add", "l");
        build_node(body, "b", "add", "");
        hand_run(&hand, (PsRefinements){.order = order ? PS_ORDER_PROGRAM : PS_ORDER_DATAFLOW});
        /* Dataflow: l and b at 0, b the last of them; a at 20, done 26. Program: b at 21, done
         * 27, ready since a issued, and held by a. */
        g_assert_cmpint(hand.waited.result.ticks, ==, order ? 27 : 26);
        assert_waits(&hand, PS_WAIT_ISSUING, "load", order ? 4 : 0);
        assert_waits(&hand, PS_WAIT_DATA, "load", order ? 16 : 19);
        assert_waits(&hand, PS_WAIT_QUEUE, "add", order ? 1 : 0);
        assert_waits(&hand, PS_WAIT_ISSUING, "add", order ? 1 : 2);
        assert_waits(&hand, PS_WAIT_DRAIN, NULL, 5);
    }
}

/* Two warps of one scheduler, which issues one instruction a cycle, the older warp's first. What is
 * ready waits for its pipeline while that is busy; l0 and then a1 wait while theirs is free. */
static void test_port(void)
{
    g_auto(Hand) hand = hand_begin("1", "64");
    GPtrArray *body = ps_idg_add_code(hand.idg)->body;
    build_node(body, "a", "add", "");
    build_node(body, "l", "load", "");
    hand_run(&hand, (PsRefinements){.schedulers = 1,
                                    .issue_width = PS_RATIONAL_INT(1),
                                    .order = PS_ORDER_PROGRAM,
                                    .policy = PS_POLICY_OLDEST});
    /* a0 0, l0 1, a1 2 (its pipeline is busy until 1), l1 5. */
    g_assert_cmpint(hand.waited.result.ticks, ==, 25);
    assert_waits(&hand, PS_WAIT_PORT, NULL, 1 + 1);
    assert_waits(&hand, PS_WAIT_QUEUE, "add", 1);
    assert_waits(&hand, PS_WAIT_QUEUE, "load", 3);
}

/* A run in more parts than it has ticks: each part is what its tick is. */
static void test_fine(void)
{
    g_auto(Hand) hand = hand_begin("2", "32");
    const EngineRun run = {.idg = hand.idg, .gpu = hand.gpu, .options = {.active = 1}};
    double warps[200];
    PsSimResult result;
    build_node(ps_idg_add_code(hand.idg)->body, "a", "add", "");
    g_assert_true(engine_open(&hand.engine, &run, NULL));
    g_autoptr(PsWaits) waits = ps_waits_new(hand.engine.machine);
    const PsListener listener = ps_waits_listener(waits);
    const PsSimOptions options = {.listeners = &listener, .n_listeners = 1};
    g_assert_true(ps_sim_run(hand.engine.machine, &options, &result, NULL));
    g_assert_cmpint(result.ticks, <, G_N_ELEMENTS(warps));
    ps_waits_occupancy(waits, result.ticks, G_N_ELEMENTS(warps), warps);
    for (guint i = 0; i < G_N_ELEMENTS(warps); i++)
        g_assert_cmpfloat(warps[i], ==, 1);
}

/* Two loads may wait for their pipeline (R11), which begins with them at 0, 4, 8 and 12. They issue
 * at 0, 1 and 2, as the port is free; at 2 the queue is full, until 4, though the port is not free
 * before 3. */
static void test_queue_in_front(void)
{
    g_auto(Hand) hand = hand_begin("1", "32");
    GPtrArray *body = ps_idg_add_code(hand.idg)->body;
    ((PsPipeline *)hand.gpu->pipelines->pdata[1])->queue = 2;
    build_node(body, "l", "load", "");
    build_node(body, "m", "load", "");
    build_node(body, "n", "load", "");
    build_node(body, "o", "load", "");
    hand_run(&hand, (PsRefinements){.schedulers = 1,
                                    .issue_width = PS_RATIONAL_INT(1),
                                    .order = PS_ORDER_PROGRAM});
    g_assert_cmpint(hand.waited.result.ticks, ==, 12 + 20);
    assert_waits(&hand, PS_WAIT_PORT, NULL, 1 + 1);
    assert_waits(&hand, PS_WAIT_QUEUE, "load", 2);
}

/* a holds the warp for 6 cycles, of which its lambda is issuing; the load's hold is over before its
 * result is there; b's ends in the instant of the load's result, which counts. */
static void test_hold(void)
{
    g_auto(Hand) hand = hand_begin("1", "32");
    GPtrArray *body = ps_idg_add_code(hand.idg)->body;
    build_node(body, "a", "add", "")->hold = build_expr("6");
    build_node(body, "l", "load", "")->hold = build_expr("5");
    build_node(body, "b", "add", "")->hold = build_expr("15");
    build_node(body, "c", "add", "l");
    hand_run(&hand, (PsRefinements){.order = PS_ORDER_PROGRAM});
    /* a 0, l 6, b 11, c 26, done 32. */
    g_assert_cmpint(hand.waited.result.ticks, ==, 32);
    assert_waits(&hand, PS_WAIT_ISSUING, "add", 3);
    assert_waits(&hand, PS_WAIT_HOLD, "add", 5);
    assert_waits(&hand, PS_WAIT_ISSUING, "load", 4);
    assert_waits(&hand, PS_WAIT_HOLD, "load", 1);
    assert_waits(&hand, PS_WAIT_DATA, "load", 14);
    assert_waits(&hand, PS_WAIT_DRAIN, NULL, 5);
}

/* The second warp loads first and comes last to the barrier. */
static void test_barrier(void)
{
    g_auto(Hand) hand = hand_begin("1", "64");
    PsIdgCode *code = ps_idg_add_code(hand.idg);
    ps_idg_add_warps(code, build_expr("0"), NULL);
    build_node(code->body, "b", "barrier", "");
    build_node(code->body, "a", "add", "");
    code = ps_idg_add_code(hand.idg);
    ps_idg_add_warps(code, build_expr("1"), NULL);
    build_node(code->body, "l", "load", "");
    build_node(code->body, "c", "barrier", "l");
    hand_run(&hand, (PsRefinements){0});
    /* b 0, l 0, c 20, both complete at 30, a 30, done 36. */
    g_assert_cmpint(hand.waited.result.ticks, ==, 36);
    assert_waits(&hand, PS_WAIT_ISSUING, "barrier", 1 + 1);
    assert_waits(&hand, PS_WAIT_BARRIER, NULL, 29);
    assert_waits(&hand, PS_WAIT_ISSUING, "add", 1);
    assert_waits(&hand, PS_WAIT_ISSUING, "load", 4);
    assert_waits(&hand, PS_WAIT_DATA, "load", 16);
    assert_waits(&hand, PS_WAIT_DRAIN, NULL, 5 + 15);
    g_assert_cmpuint(hand.waited.rows->len, ==, 6);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/waits/chain", test_chain);
    g_test_add_func("/waits/queue", test_queue);
    g_test_add_func("/waits/orders", test_orders);
    g_test_add_func("/waits/barrier", test_barrier);
    g_test_add_func("/waits/port", test_port);
    g_test_add_func("/waits/queue-in-front", test_queue_in_front);
    g_test_add_func("/waits/hold", test_hold);
    g_test_add_func("/waits/fine", test_fine);
    return g_test_run();
}
