/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Launch, binding, what-ifs, listeners and limits of the simulator. That its times are right is the
 * business of reference.c, equation1.c and model.c.
 */
#include "sim/engine/traffic.h"
#include "sim/listen/log.h"
#include "sim/listen/stats.h"
#include "tests/help/build-graph.h"

#include <string.h>

/* Everything that one run needs, built in memory. */
typedef struct {
    PsIdg *idg;
    GPtrArray *body;
    PsGpu *gpu;
    PsKernel *kernel;
    PsLaunch launch;
    GPtrArray *warnings;
    PsMachine *machine;
} Setup;

/* A graph without nodes; a GPU of 2 CUs with pipelines p0 (add) and p1 (load, load.slow). */
static Setup setup_new(const char *groups, const char *group_size)
{
    Setup setup = {0};
    setup.idg = build_idg(groups, group_size);
    setup.body = ps_idg_add_code(setup.idg)->body;
    setup.gpu = build_gpu(2, 2);
    build_class(setup.gpu, "add", 0, PS_RATIONAL_INT(1), PS_RATIONAL_INT(6));
    build_class(setup.gpu, "load", 1, PS_RATIONAL_INT(4), PS_RATIONAL_INT(20));
    build_class(setup.gpu, "load.slow", 1, (PsRational){9, 2}, PS_RATIONAL_INT(40));
    setup.warnings = g_ptr_array_new_with_free_func(g_free);
    return setup;
}

static void setup_clear(Setup *setup)
{
    ps_machine_free(setup->machine);
    ps_kernel_free(setup->kernel);
    ps_idg_free(setup->idg);
    build_gpu_free(setup->gpu);
    g_ptr_array_unref(setup->warnings);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Setup, setup_clear)

static gboolean resolve(Setup *setup, gint64 active, GError **error)
{
    const PsLaunchOptions options = {0, 0, active};
    setup->kernel = ps_kernel_new(setup->idg, NULL, error);
    return setup->kernel != NULL && ps_launch_resolve(setup->kernel, setup->gpu, &options,
                                                      &setup->launch, setup->warnings, error);
}

static gboolean bind(Setup *setup, const char *what_if, GError **error)
{
    g_autoptr(GPtrArray) list = what_if ? ps_what_if_parse(what_if, error) : NULL;
    if ((what_if && !list) || !resolve(setup, 0, error))
        return FALSE;
    setup->machine = ps_machine_new(setup->kernel, setup->gpu, &setup->launch,
                                    &(PsMachineOptions){.what_if = list}, setup->warnings, error);
    return setup->machine != NULL;
}

/* The error exists and says this. */
static void assert_says(const GError *error, int code, const char *words)
{
    g_assert_error(error, PS_ERROR, code);
    if (!error || strstr(error->message, words))
        return;
    g_test_message("\"%s\" does not say \"%s\"", error->message, words);
    g_test_fail();
}

/* ---- launch -------------------------------------------------------------------------------- */

static void test_launch_rounds_up(void)
{
    g_auto(Setup) setup = setup_new("7", "33");
    g_autoptr(GError) error = NULL;
    setup.gpu->limits.warps = 16;
    g_assert_true(resolve(&setup, 0, &error));
    g_assert_cmpint(setup.launch.warps_per_group, ==, 2);
    g_assert_cmpint(setup.launch.groups_per_cu, ==, 4);
    g_assert_cmpint(setup.launch.active_groups, ==, 4);
    g_assert_true(setup.launch.limited_by_launch);
    g_assert_cmpfloat(setup.launch.occupancy, ==, 0.5);
    g_assert_cmpuint(setup.warnings->len, ==, 0);
}

static void test_launch_forced_beyond_occupancy(void)
{
    g_auto(Setup) setup = setup_new("100", "64");
    g_autoptr(GError) error = NULL;
    setup.gpu->limits.warps = 16;
    g_assert_true(resolve(&setup, 9, &error));
    g_assert_cmpint(setup.launch.active_groups, ==, 9);
    g_assert_cmpint(setup.launch.fitting_groups, ==, 8);
    g_assert_true(setup.launch.forced);
    g_assert_cmpuint(setup.warnings->len, ==, 1);
}

static void test_launch_forced_where_nothing_fits(void)
{
    g_auto(Setup) setup = setup_new("100", "1024");
    g_autoptr(GError) error = NULL;
    setup.gpu->limits.warps = 16;
    g_assert_true(resolve(&setup, 1, &error));
    g_assert_cmpint(setup.launch.active_groups, ==, 1);
    g_assert_cmpuint(setup.warnings->len, ==, 1);
}

static void test_launch_does_not_fit(void)
{
    g_auto(Setup) setup = setup_new("100", "1024");
    g_autoptr(GError) error = NULL;
    setup.gpu->limits.warps = 16;
    g_assert_false(resolve(&setup, 0, &error));
    assert_says(error, PS_ERROR_VALUE, "32");
}

static void test_launch_of_too_many_warps(void)
{
    g_auto(Setup) setup = setup_new("10^12", "1024");
    g_autoptr(GError) error = NULL;
    g_assert_false(resolve(&setup, 1000000000, &error));
    assert_says(error, PS_ERROR_LIMIT, "at most 1048576 warps");
}

/* ---- binding ------------------------------------------------------------------------------- */

static void test_bind_falls_back(void)
{
    g_auto(Setup) setup = setup_new("2", "32");
    g_autoptr(GError) error = NULL;
    build_node(setup.body, "x", "load.fast.s4", "");
    g_assert_true(bind(&setup, NULL, &error));
    g_assert_cmpuint(setup.machine->n_classes, ==, 1);
    g_assert_cmpstr(setup.machine->classes[0].class->name, ==, "load");
    g_assert_cmpint(setup.machine->classes[0].match, ==, PS_MATCH_PARENT);
}

static void test_bind_lacks_class(void)
{
    g_auto(Setup) setup = setup_new("2", "32");
    g_autoptr(GError) error = NULL;
    build_node(setup.body, "x", "tensor.mma", "");
    g_assert_false(bind(&setup, NULL, &error));
    assert_says(error, PS_ERROR_VALUE, "'tensor.mma'");
    assert_says(error, PS_ERROR_VALUE, "add, load, load.slow");
}

static void test_bind_ticks(void)
{
    g_auto(Setup) setup = setup_new("2", "32");
    g_autoptr(GError) error = NULL;
    build_node(setup.body, "x", "load.slow", "");
    build_node(setup.body, "y", "add", "");
    g_assert_true(bind(&setup, "add.issue=0.2", &error));
    g_assert_cmpint(setup.machine->ticks_per_cycle, ==, 10);
    g_assert_cmpint(setup.machine->classes[0].issue, ==, 45);
    g_assert_cmpint(setup.machine->classes[1].issue, ==, 2);
    g_assert_cmpint(setup.machine->classes[1].completion, ==, 60);
}

static void test_bind_without_code_for_a_warp(void)
{
    g_auto(Setup) setup = setup_new("2", "96");
    g_autoptr(GError) error = NULL;
    build_node(setup.body, "x", "add", "");
    PsIdgCode *code = setup.idg->codes->pdata[0];
    ps_idg_add_warps(code, build_expr("0"), build_expr("1"));
    g_assert_false(bind(&setup, NULL, &error));
    assert_says(error, PS_ERROR_VALUE, "warp 2");
}

static void test_bind_pipeline_per_scheduler(void)
{
    g_auto(Setup) setup = setup_new("2", "32");
    g_autoptr(GError) error = NULL;
    build_node(setup.body, "x", "load", "");
    setup.gpu->schedulers = 4;
    ((PsPipeline *)setup.gpu->pipelines->pdata[1])->per_scheduler = TRUE;
    g_assert_true(bind(&setup, NULL, &error));
    g_assert_cmpint(setup.machine->classes[0].issue, ==, 1);
}

/* What the levels of memory say of a class counts, unless the description has a row for the pattern
 * of access itself. */
static void test_bind_levels(void)
{
    static const struct {
        const char *asked, *found;
        gboolean derived, by_levels;
    } cases[] = {
        {"global.load", "global.load", FALSE, TRUE},
        {"global.load.s8", "global.load", FALSE, TRUE},
        {"global.load.s8", "global.load.s8", FALSE, FALSE},
        {"global.load.s8", "global.load.s8", TRUE, TRUE},
        {"atomic.global", "atomic.global", FALSE, TRUE},
        {"atomic.local", "atomic.local", FALSE, FALSE},
        {"memory.fence", "memory.fence", FALSE, FALSE},
        {"memory.fence.group", "memory.fence.group", TRUE, FALSE},
        {"local.load", "local.load", FALSE, FALSE},
    };
    for (guint i = 0; i < 2 * G_N_ELEMENTS(cases); i++) {
        const guint c = i / 2;
        const PsMachine machine = {.refinements.levels = i % 2 == 0};
        PsIdgItem item = {.class_name = (char *)cases[c].asked};
        const PsProgramNode node = {.item = &item};
        const PsClass class = {.name = (char *)cases[c].found, .derived = cases[c].derived};
        g_assert_true(ps_memory_rules(&machine, &node, &class) ==
                      (machine.refinements.levels && cases[c].by_levels));
    }
}

/* ---- what-ifs ------------------------------------------------------------------------------ */

static void test_what_if_longest_wins(void)
{
    g_auto(Setup) setup = setup_new("2", "32");
    g_autoptr(GError) error = NULL;
    build_node(setup.body, "x", "load", "");
    build_node(setup.body, "y", "load.slow", "");
    g_assert_true(bind(&setup, "load.slow.issue=7, load.issue=3,load.completion=99", &error));
    g_assert_cmpint(setup.machine->classes[0].issue, ==, 3);
    g_assert_cmpint(setup.machine->classes[0].completion, ==, 99);
    g_assert_cmpint(setup.machine->classes[1].issue, ==, 7);
    /* load has 20 cycles, load.slow 40. */
    g_assert_cmpint(setup.machine->classes[1].completion, ==, 198);
}

static void test_what_if_halves(void)
{
    /* The more special what-if says nothing of the completion latency: the other one does. */
    g_auto(Setup) setup = setup_new("2", "32");
    g_autoptr(GError) error = NULL;
    build_node(setup.body, "x", "load.slow", "");
    g_assert_true(bind(&setup, "load.completion=99,load.slow.issue=7", &error));
    g_assert_cmpint(setup.machine->classes[0].issue, ==, 7);
    g_assert_cmpint(setup.machine->classes[0].completion, ==, 99);
}

/* The later of two for the same name counts, in one text and in a list. */
static void test_what_if_later_wins(void)
{
    g_auto(Setup) setup = setup_new("2", "32");
    g_autoptr(GError) error = NULL;
    build_node(setup.body, "x", "load", "");
    g_assert_true(bind(&setup, "load.issue=7,load.completion=50,load.issue=3", &error));
    g_assert_cmpint(setup.machine->classes[0].issue, ==, 3);
    g_assert_cmpint(setup.machine->classes[0].completion, ==, 50);
    g_autoptr(GPtrArray) list = g_ptr_array_new_with_free_func((GDestroyNotify)ps_what_if_free);
    for (gint64 value = 1; value <= 2; value++) {
        PsWhatIf *what_if = ps_what_if_new("load");
        what_if->issue = PS_RATIONAL_INT(10 * value);
        what_if->completion = PS_RATIONAL_INT(100 * value);
        g_ptr_array_add(list, what_if);
    }
    g_autoptr(PsMachine) machine =
        ps_machine_new(setup.kernel, setup.gpu, &setup.launch, &(PsMachineOptions){.what_if = list},
                       setup.warnings, &error);
    g_assert_cmpint(machine->classes[0].issue, ==, 20);
    g_assert_cmpint(machine->classes[0].completion, ==, 200);
}

static void test_what_if_matches_what_is_asked_for(void)
{
    /* The GPU serves load.a with load, but the what-if speaks of what the graph asks for. */
    g_auto(Setup) setup = setup_new("2", "32");
    g_autoptr(GError) error = NULL;
    build_node(setup.body, "x", "load.a", "");
    g_assert_true(bind(&setup, "load.a.issue=3", &error));
    g_assert_cmpint(setup.machine->classes[0].issue, ==, 3);
}

static void test_what_if_unmatched(void)
{
    g_auto(Setup) setup = setup_new("2", "32");
    g_autoptr(GError) error = NULL;
    build_node(setup.body, "x", "load", "");
    g_assert_false(bind(&setup, "add.issue=3", &error));
    assert_says(error, PS_ERROR_USAGE, "it asks for: load");
}

static void test_what_if_malformed(void)
{
    const char *bad[] = {"",
                         "load",
                         "load.issue",
                         "issue=3",
                         ".issue=3",
                         "load.isue=3",
                         "load.issue=",
                         "load.issue=0",
                         "load.issue=-1",
                         "load.issue=nan",
                         "load.issue=inf",
                         "load.issue=1e3",
                         "load.issue=3,",
                         "load.issue=99999999999"};
    for (guint i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(GPtrArray) list = ps_what_if_parse(bad[i], &error);
        g_assert_null(list);
        assert_says(error, PS_ERROR_USAGE, "CLASS.issue=CYCLES");
    }
}

/* ---- barriers ------------------------------------------------------------------------------ */

/* Two warps arrive in the same instant, on different pipelines: the longer latency counts (T6),
 * whichever of them the engine meets first. */
static void test_barrier_of_one_instant(void)
{
    static const char *const classes[][2] = {{"barrier.slow", "barrier.quick"},
                                             {"barrier.quick", "barrier.slow"}};
    for (guint i = 0; i < G_N_ELEMENTS(classes); i++) {
        g_auto(Setup) setup = setup_new("2", "64");
        g_autoptr(GError) error = NULL;
        build_class(setup.gpu, "barrier.slow", 0, PS_RATIONAL_INT(1), PS_RATIONAL_INT(9));
        build_class(setup.gpu, "barrier.quick", 1, PS_RATIONAL_INT(1), PS_RATIONAL_INT(2));
        ps_idg_add_warps(setup.idg->codes->pdata[0], build_expr("0"), NULL);
        build_node(setup.body, "x", classes[i][0], "");
        build_node(ps_idg_add_code(setup.idg)->body, "y", classes[i][1], "");
        g_assert_true(bind(&setup, NULL, &error));
        PsSimResult result;
        g_assert_true(ps_sim_run(setup.machine, NULL, &result, &error));
        g_assert_cmpint(result.ticks, ==, 9);
    }
}

/* ---- listeners ----------------------------------------------------------------------------- */

static void test_log(void)
{
    g_auto(Setup) setup = setup_new("2", "64");
    g_autoptr(GError) error = NULL;
    build_node(setup.body, "x", "load", "");
    build_node(setup.body, "y", "add", "x");
    g_assert_true(bind(&setup, NULL, &error));
    g_autoptr(PsLog) log = ps_log_new(setup.machine);
    const PsListener listener = ps_log_listener(log);
    PsSimResult result;
    g_assert_true(ps_sim_run(
        setup.machine, &(PsSimOptions){.listeners = &listener, .n_listeners = 1}, &result, &error));
    g_assert_cmpstr(ps_log_text(log), ==,
                    "0          launch    group 0\n"
                    "0          issue     group 0 warp 0 x[0] ready 0\n"
                    "4          issue     group 0 warp 1 x[0] ready 0\n"
                    "20         complete  group 0 warp 0 x[0]\n"
                    "20         issue     group 0 warp 0 y[1] ready 20\n"
                    "24         complete  group 0 warp 1 x[0]\n"
                    "24         issue     group 0 warp 1 y[1] ready 24\n"
                    "26         complete  group 0 warp 0 y[1]\n"
                    "30         complete  group 0 warp 1 y[1]\n"
                    "30         done      group 0\n");
}

/* Where both places of each of two CUs are free in the same instant, the first CU gets the next two
 * groups, the second one those behind them. */
static void test_log_of_one_instant(void)
{
    g_auto(Setup) setup = setup_new("8", "32");
    g_autoptr(GError) error = NULL;
    setup.gpu->limits.warps = 2;
    build_node(setup.body, "x", "add", "");
    g_assert_true(bind(&setup, NULL, &error));
    setup.machine->n_cus = 2;
    setup.machine->refinements.schedulers = 2;
    setup.machine->classes[0].per_scheduler = TRUE;
    g_autoptr(PsLog) log = ps_log_new(setup.machine);
    const PsListener listener = ps_log_listener(log);
    PsSimResult result;
    g_assert_true(ps_sim_run(
        setup.machine, &(PsSimOptions){.listeners = &listener, .n_listeners = 1}, &result, &error));
    g_assert_nonnull(strstr(ps_log_text(log), "6          launch    CU 0 group 4\n"
                                              "6          launch    CU 0 group 5\n"
                                              "6          launch    CU 1 group 6\n"
                                              "6          launch    CU 1 group 7\n"));
}

static void test_stats(void)
{
    g_auto(Setup) setup = setup_new("4", "64");
    g_autoptr(GError) error = NULL;
    setup.gpu->limits.warps = 4;
    setup.gpu->limits.groups = 1;
    build_node(setup.body, "x", "load", "")->source_line = 3;
    build_node(setup.body, "y", "add", "x")->source_line = 3;
    build_node(setup.body, "z", "add", "y")->source_line = 4;
    g_assert_true(bind(&setup, NULL, &error));
    g_autoptr(PsStats) stats = ps_stats_new(setup.machine);
    const PsListener listener = ps_stats_listener(stats);
    PsSimResult result;
    g_assert_true(ps_sim_run(
        setup.machine, &(PsSimOptions){.listeners = &listener, .n_listeners = 1}, &result, &error));
    /* Each of the two groups that follow each other takes 20 + 4 + 6 + 6 cycles. */
    g_assert_cmpint(result.ticks, ==, 72);
    g_autoptr(GPtrArray) pipelines = ps_stats_pipelines(stats);
    const PsStatsRow *add = pipelines->pdata[0], *load = pipelines->pdata[1];
    g_assert_cmpint(add->issued, ==, 8);
    g_assert_cmpint(add->busy, ==, 8);
    g_assert_cmpint(load->busy, ==, 16);
    g_assert_cmpint(load->queued, ==, 8);
    g_assert_cmpint(load->most_queued, ==, 4);
    g_autoptr(GPtrArray) lines = ps_stats_lines(stats);
    g_assert_cmpuint(lines->len, ==, 2);
    g_assert_cmpint(((const PsStatsRow *)lines->pdata[0])->busy, ==, 20);
    g_assert_cmpfloat(ps_stats_occupancy(stats, result.ticks), ==, 0.5);
}

/* A pipeline that is still busy when the run ends was not busy for longer than the run. */
static void test_stats_end_with_the_run(void)
{
    g_auto(Setup) setup = setup_new("2", "32");
    g_autoptr(GError) error = NULL;
    build_node(setup.body, "x", "add", "");
    g_assert_true(bind(&setup, "add.issue=1000", &error));
    g_autoptr(PsStats) stats = ps_stats_new(setup.machine);
    const PsListener listener = ps_stats_listener(stats);
    PsSimResult result;
    g_assert_true(ps_sim_run(
        setup.machine, &(PsSimOptions){.listeners = &listener, .n_listeners = 1}, &result, &error));
    g_assert_cmpint(result.ticks, ==, 6);
    g_autoptr(GPtrArray) pipelines = ps_stats_pipelines(stats);
    g_assert_cmpint(((const PsStatsRow *)pipelines->pdata[0])->busy, ==, 6);
}

/* ---- limits -------------------------------------------------------------------------------- */

static void test_runs_ahead(void)
{
    g_auto(Setup) setup = setup_new("2", "32");
    g_autoptr(GError) error = NULL;
    GPtrArray *loop = build_loop(setup.body, "10^9");
    build_node(loop, "x", "load", "");
    g_assert_true(bind(&setup, NULL, &error));
    PsSimResult result;
    g_assert_false(ps_sim_run(setup.machine, NULL, &result, &error));
    assert_says(error, PS_ERROR_LIMIT, "node 'x', which may run ahead");
    assert_says(error, PS_ERROR_LIMIT, "set the order to program");
}

/* The limit is one for all pipelines and timers together. */
static void test_runs_ahead_on_many_pipelines(void)
{
    g_auto(Setup) setup = setup_new("2", "32");
    g_autoptr(GError) error = NULL;
    GPtrArray *loop = build_loop(setup.body, "3*10^6");
    build_node(loop, "x", "load", "");
    build_node(loop, "y", "add", "");
    g_assert_true(bind(&setup, NULL, &error));
    PsSimResult result;
    g_assert_false(ps_sim_run(setup.machine, NULL, &result, &error));
    assert_says(error, PS_ERROR_LIMIT, "may run ahead");
}

/* A listener for issues in program order on pipeline p0. */
static void check_order(void *self, gint64 time, gint64 ready, const PsInstance *instance)
{
    gint64 *last = self;
    (void)time;
    if (ready == 0)
        return;
    g_assert_cmpint(instance->position, >, *last);
    *last = instance->position;
}

/* Many instances that become ready in one instant, out of order: n log n, not n^2. */
static void test_many_ready_at_once(void)
{
    g_auto(Setup) setup = setup_new("2", "32");
    g_autoptr(GError) error = NULL;
    build_node(setup.body, "a", "load", "");
    build_node(setup.body, "b", "add", "");
    GPtrArray *loop = build_loop(setup.body, "500000");
    build_node(loop, "x", "add", "a");
    build_node(loop, "y", "add", "b");
    g_assert_true(bind(&setup, "load.completion=6", &error));
    PsSimResult result;
    gint64 last = -1;
    const PsListener listener = {.self = &last, .issued = check_order};
    g_assert_true(ps_sim_run(
        setup.machine, &(PsSimOptions){.listeners = &listener, .n_listeners = 1}, &result, &error));
    g_assert_cmpint(result.cycles.num, ==, 6 + 1000000 - 1 + 6);
}

static void test_state_too_large(void)
{
    g_auto(Setup) setup = setup_new("2", "2^25");
    g_autoptr(GError) error = NULL;
    GPtrArray *loop = build_loop(setup.body, "2");
    for (guint i = 0; i < 100; i++) {
        g_autofree char *name = g_strdup_printf("x%u", i);
        build_node(loop, name, "add", name);
    }
    g_assert_true(bind(&setup, NULL, &error));
    PsSimResult result;
    g_assert_false(ps_sim_run(setup.machine, NULL, &result, &error));
    assert_says(error, PS_ERROR_LIMIT, "1024 MiB");
}

/* Fast instructions that wait for nothing but each other may be any number ahead of slow ones: no
 * memory goes into that as long as they do not wait for their pipeline. */
static void test_runs_ahead_without_waiting(void)
{
    g_auto(Setup) setup = setup_new("2", "32");
    g_autoptr(GError) error = NULL;
    GPtrArray *loop = build_loop(setup.body, "1000000");
    build_node(loop, "x", "add", "x");
    build_node(loop, "y", "load", "x y");
    g_assert_true(bind(&setup, NULL, &error));
    PsSimResult result;
    g_assert_true(ps_sim_run(setup.machine, NULL, &result, &error));
    g_assert_cmpint(result.ticks, ==, 6 + 20 * 1000000);
}

static void test_too_many_instructions(void)
{
    g_auto(Setup) setup = setup_new("10^12", "32");
    g_autoptr(GError) error = NULL;
    setup.gpu->limits.groups = 1;
    GPtrArray *loop = build_loop(setup.body, "10^12");
    build_node(loop, "x", "add", "x");
    g_assert_true(bind(&setup, NULL, &error));
    PsSimResult result;
    g_assert_false(ps_sim_run(setup.machine, NULL, &result, &error));
    assert_says(error, PS_ERROR_LIMIT, "2^63");
}

/* All that there are may be simulated, but not if one less is allowed; those skipped are free. */
static void test_most_instructions(void)
{
    g_auto(Setup) setup = setup_new("200", "64");
    g_autoptr(GError) error = NULL;
    GPtrArray *loop = build_loop(setup.body, "100");
    build_node(loop, "x", "add", "x");
    g_assert_true(bind(&setup, NULL, &error));
    PsSimResult result;
    PsSimOptions options = {.no_fast_forward = TRUE};
    g_assert_true(ps_sim_run(setup.machine, &options, &result, &error));
    g_assert_false(result.stopped);
    options.most_instructions = result.instructions;
    g_assert_true(ps_sim_run(setup.machine, &options, &result, &error));
    g_assert_false(result.stopped);
    options.most_instructions--;
    g_assert_false(ps_sim_run(setup.machine, &options, &result, &error));
    assert_says(error, PS_ERROR_LIMIT, "simulates more instructions than it may");
    g_assert_true(result.stopped);
    g_clear_error(&error);
    options.no_fast_forward = FALSE;
    g_assert_true(ps_sim_run(setup.machine, &options, &result, &error));
    g_assert_cmpint(result.skips, >, 0);
}

static void test_nothing_to_run(void)
{
    g_auto(Setup) setup = setup_new("10^12", "32");
    g_autoptr(GError) error = NULL;
    setup.gpu->limits.groups = 1;
    GPtrArray *loop = build_loop(setup.body, "0");
    build_node(loop, "x", "add", "x");
    g_assert_true(bind(&setup, NULL, &error));
    PsSimResult result;
    g_assert_true(ps_sim_run(setup.machine, NULL, &result, &error));
    g_assert_cmpint(result.ticks, ==, 0);
    g_assert_cmpint(result.instructions, ==, 0);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/launch/rounds-up", test_launch_rounds_up);
    g_test_add_func("/launch/forced-beyond-occupancy", test_launch_forced_beyond_occupancy);
    g_test_add_func("/launch/forced-where-nothing-fits", test_launch_forced_where_nothing_fits);
    g_test_add_func("/launch/does-not-fit", test_launch_does_not_fit);
    g_test_add_func("/launch/too-many-warps", test_launch_of_too_many_warps);
    g_test_add_func("/machine/falls-back", test_bind_falls_back);
    g_test_add_func("/machine/lacks-class", test_bind_lacks_class);
    g_test_add_func("/machine/ticks", test_bind_ticks);
    g_test_add_func("/machine/warp-without-code", test_bind_without_code_for_a_warp);
    g_test_add_func("/machine/pipeline-per-scheduler", test_bind_pipeline_per_scheduler);
    g_test_add_func("/machine/levels", test_bind_levels);
    g_test_add_func("/what-if/longest-wins", test_what_if_longest_wins);
    g_test_add_func("/what-if/halves", test_what_if_halves);
    g_test_add_func("/what-if/later-wins", test_what_if_later_wins);
    g_test_add_func("/what-if/matches-what-is-asked-for", test_what_if_matches_what_is_asked_for);
    g_test_add_func("/what-if/unmatched", test_what_if_unmatched);
    g_test_add_func("/what-if/malformed", test_what_if_malformed);
    g_test_add_func("/barrier/of-one-instant", test_barrier_of_one_instant);
    g_test_add_func("/listeners/log", test_log);
    g_test_add_func("/listeners/log-of-one-instant", test_log_of_one_instant);
    g_test_add_func("/listeners/stats", test_stats);
    g_test_add_func("/listeners/stats-end-with-the-run", test_stats_end_with_the_run);
    g_test_add_func("/limits/runs-ahead", test_runs_ahead);
    g_test_add_func("/limits/runs-ahead-on-many-pipelines", test_runs_ahead_on_many_pipelines);
    g_test_add_func("/limits/many-ready-at-once", test_many_ready_at_once);
    g_test_add_func("/limits/state-too-large", test_state_too_large);
    g_test_add_func("/limits/runs-ahead-without-waiting", test_runs_ahead_without_waiting);
    g_test_add_func("/limits/too-many-instructions", test_too_many_instructions);
    g_test_add_func("/limits/most-instructions", test_most_instructions);
    g_test_add_func("/limits/nothing-to-run", test_nothing_to_run);
    return g_test_run();
}
