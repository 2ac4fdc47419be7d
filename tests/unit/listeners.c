/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The log and the statistics, told by hand what happens, in orders in which an engine may tell it:
 * each pipeline and kind of event by itself, several CUs, skipped time.
 */
#include "sim/listen/log.h"
#include "sim/listen/stats.h"
#include "sim/tally.h"
#include "tests/help/build-graph.h"

/* x on pipeline p1 (load: lambda 4, Lambda 20), then y on p0 (add: lambda 1, Lambda 6); groups of
 * one warp. Both are of source line 7. */
typedef struct {
    PsIdg *idg;
    PsGpu *gpu;
    PsKernel *kernel;
    PsMachine *machine;
} Setup;

enum { X, Y };

static void setup_clear(Setup *setup)
{
    ps_machine_free(setup->machine);
    ps_kernel_free(setup->kernel);
    ps_idg_free(setup->idg);
    build_gpu_free(setup->gpu);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Setup, setup_clear)

/* Whether the machine is right is no matter here, so what a test wants of it is simply set. */
static Setup setup_new(gint64 n_cus, gint64 schedulers)
{
    Setup setup = {.idg = build_idg("100", "32"), .gpu = build_gpu(2, 2)};
    g_autoptr(GPtrArray) warnings = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GError) error = NULL;
    PsLaunch launch;
    build_class(setup.gpu, "add", 0, PS_RATIONAL_INT(1), PS_RATIONAL_INT(6));
    build_class(setup.gpu, "load", 1, PS_RATIONAL_INT(4), PS_RATIONAL_INT(20));
    setup.gpu->limits.warps = 4;
    GPtrArray *body = ps_idg_add_code(setup.idg)->body;
    build_node(body, "x", "load", "")->source_line = 7;
    build_node(body, "y", "add", "x")->source_line = 7;
    setup.kernel = ps_kernel_new(setup.idg, NULL, &error);
    g_assert_true(ps_launch_resolve(setup.kernel, setup.gpu, &(PsLaunchOptions){0}, &launch,
                                    warnings, &error));
    setup.machine = ps_machine_new(setup.kernel, setup.gpu, &launch, NULL, warnings, &error);
    g_assert_no_error(error);
    setup.machine->n_cus = n_cus;
    setup.machine->refinements.schedulers = schedulers;
    setup.machine->classes[Y].per_scheduler = schedulers > 0;
    return setup;
}

static PsInstance instance(guint cu, gint64 group, guint node)
{
    return (PsInstance){.of = {cu, 1, group, 0, 0, 0}, .node = node, .position = node};
}

static void launch(const PsListener *listener, gint64 time, guint cu, gint64 group)
{
    listener->launched(listener->self, time, &(PsGroups){cu, 1, group, 0, 0, 0});
}

static void finish(const PsListener *listener, gint64 time, guint cu, gint64 group)
{
    listener->finished(listener->self, time, &(PsGroups){cu, 1, group, 0, 0, 0});
}

static void issue(const PsListener *listener, gint64 time, gint64 ready, PsInstance instance)
{
    listener->issued(listener->self, time, ready, &instance);
}

/* What a row is to be. */
typedef struct {
    const char *name;
    gint64 issued, busy, queued, most_queued, units;
} Row;

static void assert_row(const GPtrArray *rows, guint i, const Row *expected)
{
    g_assert_cmpuint(rows->len, >, i);
    const PsStatsRow *row = rows->pdata[i];
    g_assert_cmpstr(row->name, ==, expected->name);
    g_assert_cmpint(row->issued, ==, expected->issued);
    g_assert_cmpint(row->busy, ==, expected->busy);
    g_assert_cmpint(row->queued, ==, expected->queued);
    g_assert_cmpint(row->most_queued, ==, expected->most_queued);
    g_assert_cmpint(row->units, ==, expected->units);
}

/* ---- log ----------------------------------------------------------------------------------- */

static void test_log_sorts(void)
{
    g_auto(Setup) setup = setup_new(2, 0);
    g_autoptr(PsLog) log = ps_log_new(setup.machine);
    const PsListener listener = ps_log_listener(log);
    const PsInstance x1 = instance(1, 1, X), x0 = instance(0, 0, X);
    issue(&listener, 0, 0, x1);
    issue(&listener, 20, 20, instance(1, 1, Y));
    issue(&listener, 0, 0, x0);
    launch(&listener, 0, 1, 1);
    launch(&listener, 20, 0, 2);
    launch(&listener, 0, 0, 0);
    finish(&listener, 20, 0, 0);
    listener.completed(listener.self, 20, &x1);
    listener.completed(listener.self, 20, &x0);
    const char *text = "0          launch    CU 0 group 0\n"
                       "0          launch    CU 1 group 1\n"
                       "0          issue     CU 0 group 0 warp 0 x[0] ready 0\n"
                       "0          issue     CU 1 group 1 warp 0 x[0] ready 0\n"
                       "20         complete  CU 0 group 0 warp 0 x[0]\n"
                       "20         complete  CU 1 group 1 warp 0 x[0]\n"
                       "20         done      CU 0 group 0\n"
                       "20         launch    CU 0 group 2\n"
                       "20         issue     CU 1 group 1 warp 0 y[1] ready 20\n";
    g_assert_cmpstr(ps_log_text(log), ==, text);
    g_assert_cmpstr(ps_log_text(log), ==, text);
}

static void test_log_shows_what_was_skipped(void)
{
    g_auto(Setup) setup = setup_new(1, 0);
    g_autoptr(PsLog) log = ps_log_new(setup.machine);
    const PsListener listener = ps_log_listener(log);
    setup.machine->ticks_per_cycle = 2;
    finish(&listener, 91, 0, 9);
    listener.skipped(listener.self, &(PsSkip){0, 1, 0, 21, 81, 20, 3, 6, 3, FALSE});
    launch(&listener, 21, 0, 1);
    finish(&listener, 20, 0, 0);
    g_assert_cmpstr(ps_log_text(log), ==,
                    "10         done      group 0\n"
                    "...        skipped   from 10.5 to 40.5: 3 times the 10 cycles before\n"
                    "10.5       launch    group 1\n"
                    "45.5       done      group 9\n");
}

/* CUs 1 to 3 do the same, CU 0 something else. */
static void test_log_of_cus(void)
{
    g_auto(Setup) setup = setup_new(4, 0);
    g_autoptr(PsLog) log = ps_log_new(setup.machine);
    const PsListener listener = ps_log_listener(log);
    const PsGroups groups = {1, 3, 4, 2, 0, 0};
    const PsInstance x = {.of = groups, .node = X, .position = X};
    listener.launched(listener.self, 0, &groups);
    issue(&listener, 0, 0, x);
    listener.skipped(listener.self, &(PsSkip){1, 3, 0, 10, 20, 10, 1, 6, 3, FALSE});
    listener.skipped(listener.self, &(PsSkip){0, 1, 0, 10, 30, 10, 2, 6, 3, FALSE});
    listener.completed(listener.self, 20, &x);
    listener.finished(listener.self, 20, &groups);
    g_assert_cmpstr(ps_log_text(log), ==,
                    "0          launch    CU 1 group 4\n"
                    "0          launch    CU 2 group 6\n"
                    "0          launch    CU 3 group 8\n"
                    "0          issue     CU 1 group 4 warp 0 x[0] ready 0\n"
                    "0          issue     CU 2 group 6 warp 0 x[0] ready 0\n"
                    "0          issue     CU 3 group 8 warp 0 x[0] ready 0\n"
                    "...        skipped   CU 0 from 10 to 30: 2 times the 10 cycles before\n"
                    "...        skipped   CU 1 to 3 from 10 to 20: the 10 cycles before again\n"
                    "20         complete  CU 1 group 4 warp 0 x[0]\n"
                    "20         complete  CU 2 group 6 warp 0 x[0]\n"
                    "20         complete  CU 3 group 8 warp 0 x[0]\n"
                    "20         done      CU 1 group 4\n"
                    "20         done      CU 2 group 6\n"
                    "20         done      CU 3 group 8\n");
}

/* ---- statistics ---------------------------------------------------------------------------- */

/* An instance as the engine tells it to who only adds up. */
static void tally(const Setup *setup, const PsListener *listener, gint64 time, gint64 ready,
                  PsInstance instance)
{
    const gint64 queued = time - ready;
    PsTallyNode nodes[2] = {0};
    PsTallyHold hold = {time + setup->machine->costs[0][instance.node].issue, instance.node};
    nodes[instance.node] = (PsTallyNode){1, queued, queued, 0, 0};
    listener->tallied(listener->self,
                      &(PsTally){instance.of.cu, instance.of.n_cus, 2, 1, nodes, &hold});
}

/* Group k from 30k on: x at once, y after having waited for k % 2 cycles; it is done after 27
 * cycles and as long as the next is there. Issues of x are told one group ahead of everything else.
 */
static void tell_group(const Setup *setup, const PsListener *listener, gint64 k)
{
    const gint64 start = 30 * k;
    if (k == 0)
        tally(setup, listener, start, start, instance(0, k, X));
    tally(setup, listener, start + 30, start + 30, instance(0, k + 1, X));
    launch(listener, start, 0, k);
    finish(listener, start + 27, 0, k);
    tally(setup, listener, start + 20 + k % 2, start + 20, instance(0, k, Y));
}

static void tell_last(const Setup *setup, const PsListener *listener, gint64 k)
{
    const gint64 start = 30 * k;
    launch(listener, start, 0, k);
    finish(listener, start + 27, 0, k);
    tally(setup, listener, start + 26, start + 20, instance(0, k, Y));
}

/* Where all is told, and where some groups are skipped, two by two, the same comes out. */
static void test_stats_of_skipped_time(void)
{
    const Row add = {"p0", 101, 100 + 1, 50 + 6, 6, 1};
    const Row load = {"p1", 101, 404, 0, 0, 1};
    g_auto(Setup) setup = setup_new(1, 0);
    for (guint skip = 0; skip < 2; skip++) {
        g_autoptr(PsStats) stats = ps_stats_new(setup.machine);
        const PsListener listener = ps_stats_listener(stats);
        for (gint64 k = 0; k < 100; k++) {
            tell_group(&setup, &listener, k);
            if (skip && k == 3)
                listener.marked(listener.self, 0);
            if (!skip || k != 5)
                continue;
            listener.skipped(listener.self,
                             &(PsSkip){0, 1, 0, 180, 180 + 45 * 60, 60, 45, 180, 90, FALSE});
            k += 90;
        }
        tell_last(&setup, &listener, 100);
        g_autoptr(GPtrArray) rows = ps_stats_pipelines(stats);
        assert_row(rows, 0, &add);
        assert_row(rows, 1, &load);
        g_assert_cmpfloat(ps_stats_occupancy(stats, 3027), ==, 101 * 27 / (3027.0 * 4));
    }
}

/* Nothing is heard after the skip: the last group finishes within it, and its y keeps the pipeline
 * for 2 ticks more. */
static void test_stats_of_a_skipped_end(void)
{
    g_auto(Setup) setup = setup_new(1, 0);
    g_autoptr(PsStats) stats = ps_stats_new(setup.machine);
    const PsListener listener = ps_stats_listener(stats);
    const Row add = {"p0", 10, 10 * 8 - 2, 0, 0, 1};
    setup.machine->costs[0][Y].issue = 8;
    listener.marked(listener.self, 0);
    launch(&listener, 0, 0, 0);
    tally(&setup, &listener, 20, 20, instance(0, 0, Y));
    finish(&listener, 26, 0, 0);
    listener.skipped(listener.self, &(PsSkip){0, 1, 0, 26, 26 * 10, 26, 9, 9, 9, FALSE});
    g_autoptr(GPtrArray) rows = ps_stats_pipelines(stats);
    assert_row(rows, 0, &add);
    g_assert_cmpfloat(ps_stats_occupancy(stats, 260), ==, 0.25);
    const PsLaunch *of = &setup.machine->launch;
    const double most = (double)(of->active_groups * of->warps_per_group) /
                        (double)setup.machine->gpu->limits.warps;
    g_assert_cmpfloat(ps_stats_occupancy(stats, 1), ==, most); /* an estimate of too few ticks */
}

/* What is extrapolated adds in proportion to its time: here 2.5 times what its stretch did. */
static void test_stats_of_estimated_time(void)
{
    g_auto(Setup) setup = setup_new(1, 0);
    g_autoptr(PsStats) stats = ps_stats_new(setup.machine);
    const PsListener listener = ps_stats_listener(stats);
    const Row add = {"p0", 4 + 10, 4 + 10, 8 + 20, 2, 1};
    launch(&listener, 0, 0, 0);
    listener.marked(listener.self, 0);
    for (gint64 k = 0; k < 4; k++)
        tally(&setup, &listener, 10 * k + 2, 10 * k, instance(0, 0, Y));
    listener.skipped(listener.self, &(PsSkip){0, 1, 0, 40, 140, 40, 2, 10, 0, TRUE});
    finish(&listener, 150, 0, 0);
    g_autoptr(GPtrArray) rows = ps_stats_pipelines(stats);
    assert_row(rows, 0, &add);
}

/* On CU 0 the first y of one scheduler, and the last but one of the other, are the ones whose
 * pipelines are still busy when the run ends at 30, by 10 and 3; on CU 1 one is, by 2. */
static void test_stats_of_schedulers(void)
{
    g_auto(Setup) setup = setup_new(2, 2);
    g_autoptr(PsStats) stats = ps_stats_new(setup.machine);
    const PsListener listener = ps_stats_listener(stats);
    PsNodeCost *y = &setup.machine->costs[0][Y];
    launch(&listener, 0, 0, 0);
    launch(&listener, 10, 1, 1);
    y->issue = 20;
    tally(&setup, &listener, 20, 20, instance(0, 0, Y));
    tally(&setup, &listener, 12, 12, instance(1, 1, Y));
    y->issue = 1;
    tally(&setup, &listener, 22, 21, instance(0, 0, Y));
    tally(&setup, &listener, 23, 23, instance(0, 0, Y));
    y->issue = 9;
    tally(&setup, &listener, 24, 24, instance(0, 0, Y));
    tally(&setup, &listener, 26, 26, instance(0, 0, X));
    finish(&listener, 30, 1, 1);
    finish(&listener, 25, 0, 0);
    g_autoptr(GPtrArray) rows = ps_stats_pipelines(stats), lines = ps_stats_lines(stats);
    /* The rows take the lambda that the node has now for all of them. */
    assert_row(rows, 0, &(Row){"p0", 5, 5 * 9 - 10 - 3 - 2, 1, 1, 4});
    assert_row(rows, 1, &(Row){"p1", 1, 4, 0, 0, 2});
    /* What kept p1 busy counts for both schedulers in the line's row. */
    assert_row(lines, 0, &(Row){"?:7", 6, 30 + 2 * 4, 1, 1, 4});
    g_assert_cmpfloat(ps_stats_occupancy(stats, 30), ==, 45 / (30.0 * 4 * 2));
}

/* CUs 0 and 1 run 9 groups each, 8 of them in skipped time, and are done at 270; CUs 2 to 4 run one
 * until 28. All y last 20 beyond the end of their group, but for CUs 2 to 4 there is time for it.
 */
static void test_stats_of_cus(void)
{
    g_auto(Setup) setup = setup_new(5, 0);
    g_autoptr(PsStats) stats = ps_stats_new(setup.machine);
    const PsListener listener = ps_stats_listener(stats);
    const PsGroups some = {0, 2, 0, 1, 0, 0}, others = {2, 3, 2, 1, 0, 0};
    setup.machine->costs[0][Y].issue = 26;
    listener.marked(listener.self, 0);
    listener.launched(listener.self, 0, &some);
    tally(&setup, &listener, 24, 20, (PsInstance){.of = some, .node = Y});
    listener.finished(listener.self, 30, &some);
    listener.skipped(listener.self, &(PsSkip){0, 2, 0, 30, 270, 30, 8, 16, 16, FALSE});
    listener.launched(listener.self, 0, &others);
    tally(&setup, &listener, 22, 20, (PsInstance){.of = others, .node = Y});
    listener.finished(listener.self, 28, &others);
    g_autoptr(GPtrArray) rows = ps_stats_pipelines(stats);
    assert_row(rows, 0, &(Row){"p0", 18 + 3, 21 * 26 - 2 * 20, 18 * 4 + 3 * 2, 4, 5});
    g_assert_cmpfloat(ps_stats_occupancy(stats, 270), ==, (2 * 270 + 3 * 28) / (270.0 * 4 * 5));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/log/sorts", test_log_sorts);
    g_test_add_func("/log/skipped", test_log_shows_what_was_skipped);
    g_test_add_func("/log/cus", test_log_of_cus);
    g_test_add_func("/stats/skipped", test_stats_of_skipped_time);
    g_test_add_func("/stats/skipped-end", test_stats_of_a_skipped_end);
    g_test_add_func("/stats/estimated", test_stats_of_estimated_time);
    g_test_add_func("/stats/schedulers", test_stats_of_schedulers);
    g_test_add_func("/stats/cus", test_stats_of_cus);
    return g_test_run();
}
