/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Binding with refinements: which are in play, and the latencies, ticks and compute units that a
 * machine gets from them. What they do to a run is the business of reference.c.
 */
#include "sim/sim.h"
#include "tests/help/build-graph.h"
#include "tests/help/rational.h"

#include <string.h>

/* ---- which refinements --------------------------------------------------------------------- */

/* A GPU of 4 CUs with 2 schedulers of width 1/2 and pipelines p0 (of the CU: add) and p1 (per
 * scheduler: dmul, and load with a table). */
static PsGpu *make_gpu(void)
{
    PsGpu *gpu = build_gpu(4, 2);
    gpu->schedulers = 2;
    gpu->issue_width = (PsRational){1, 2};
    ((PsPipeline *)gpu->pipelines->pdata[1])->per_scheduler = TRUE;
    build_class(gpu, "add", 0, PS_RATIONAL_INT(1), PS_RATIONAL_INT(6));
    build_class(gpu, "dmul", 1, PS_RATIONAL_INT(4), PS_RATIONAL_INT(8));
    build_class(gpu, "load", 1, PS_RATIONAL_INT(8), PS_RATIONAL_INT(100));
    return gpu;
}

static PsRefinements resolve(const PsGpu *gpu, const PsRefinementOptions *options)
{
    g_autoptr(GError) error = NULL;
    PsRefinements refinements = {0};
    g_assert_true(ps_refinements_resolve(gpu, options, &refinements, &error));
    g_assert_no_error(error);
    return refinements;
}

static void assert_published(const PsRefinements *refinements)
{
    g_assert_cmpint(refinements->schedulers, ==, 0);
    g_assert_cmpint(refinements->order, ==, PS_ORDER_DATAFLOW);
    g_assert_cmpint(refinements->policy, ==, PS_POLICY_FIFO);
    g_assert_false(refinements->contention || refinements->overheads || refinements->all_cus);
}

static void test_published_by_default(void)
{
    g_autoptr(PsGpu) gpu = make_gpu();
    const PsRefinements none = resolve(gpu, NULL);
    const PsRefinements empty = resolve(gpu, &(PsRefinementOptions){0});
    assert_published(&none);
    assert_published(&empty);
}

static void test_what_the_gpu_asks_for(void)
{
    g_autoptr(PsGpu) gpu = make_gpu();
    gpu->overheads.stated = TRUE;
    gpu->model = (PsModel){.schedulers = TRUE,
                           .order = PS_ORDER_PROGRAM,
                           .policy = PS_POLICY_GTO,
                           .contention = TRUE,
                           .overheads = TRUE,
                           .all_cus = TRUE};
    const PsRefinements of_gpu = resolve(gpu, NULL);
    g_assert_cmpint(of_gpu.schedulers, ==, 2);
    assert_rational(of_gpu.issue_width, "0.5");
    g_assert_cmpint(of_gpu.order, ==, PS_ORDER_PROGRAM);
    g_assert_cmpint(of_gpu.policy, ==, PS_POLICY_GTO);
    g_assert_true(of_gpu.contention && of_gpu.overheads && of_gpu.all_cus);
    const PsRefinements published = resolve(gpu, &(PsRefinementOptions){.published = TRUE});
    assert_published(&published);
    const PsRefinementOptions back = {.schedulers = PS_NO_SCHEDULERS,
                                      .has_order = TRUE,
                                      .has_policy = TRUE,
                                      .contention = PS_CHOICE_OFF,
                                      .overheads = PS_CHOICE_OFF,
                                      .all_cus = PS_CHOICE_OFF};
    const PsRefinements each_off = resolve(gpu, &back);
    assert_published(&each_off);
}

static void test_each_alone(void)
{
    g_autoptr(PsGpu) gpu = make_gpu();
    gpu->overheads.stated = TRUE;
    const PsRefinements schedulers = resolve(gpu, &(PsRefinementOptions){.schedulers = 3});
    g_assert_cmpint(schedulers.schedulers, ==, 3);
    assert_rational(schedulers.issue_width, "0.5");
    g_assert_cmpint(
        resolve(gpu, &(PsRefinementOptions){.has_order = TRUE, .order = PS_ORDER_PROGRAM}).order,
        ==, PS_ORDER_PROGRAM);
    g_assert_cmpint(
        resolve(gpu, &(PsRefinementOptions){.has_policy = TRUE, .policy = PS_POLICY_LRR}).policy,
        ==, PS_POLICY_LRR);
    g_assert_true(resolve(gpu, &(PsRefinementOptions){.overheads = PS_CHOICE_ON}).overheads);
    g_assert_true(resolve(gpu, &(PsRefinementOptions){.all_cus = PS_CHOICE_ON}).all_cus);
}

/* A rule that has nothing to go by is no choice. */
static void test_contention_asked(void)
{
    static const PsRefinementOptions on = {.contention = PS_CHOICE_ON};
    g_autoptr(PsGpu) gpu = make_gpu();
    g_autoptr(GError) error = NULL;
    PsRefinements refinements;
    g_assert_false(ps_refinements_resolve(gpu, &on, &refinements, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_USAGE);
    g_assert_nonnull(strstr(error->message, "has a table over active warps"));
    PsClass *load = gpu->classes->pdata[2];
    load->at = g_array_new(FALSE, FALSE, sizeof(PsLatencyAt));
    g_assert_true(resolve(gpu, &on).contention);
}

static void test_width_that_is_not_stated(void)
{
    g_autoptr(PsGpu) gpu = make_gpu();
    gpu->issue_width = PS_RATIONAL_INT(0);
    assert_rational(resolve(gpu, &(PsRefinementOptions){.schedulers = 4}).issue_width, "1");
}

static void assert_refused(const PsGpu *gpu, const PsRefinementOptions *options, int code,
                           const char *words)
{
    g_autoptr(GError) error = NULL;
    PsRefinements refinements;
    g_assert_false(ps_refinements_resolve(gpu, options, &refinements, &error));
    g_assert_error(error, PS_ERROR, code);
    g_assert_true(error && strstr(error->message, words));
}

static void test_refused(void)
{
    g_autoptr(PsGpu) gpu = make_gpu();
    assert_refused(gpu, &(PsRefinementOptions){.overheads = PS_CHOICE_ON}, PS_ERROR_USAGE,
                   "<overheads>");
    assert_refused(gpu, &(PsRefinementOptions){.schedulers = PS_SIM_MAX_SCHEDULERS + 1},
                   PS_ERROR_LIMIT, "1 to 1024");
    assert_refused(gpu, &(PsRefinementOptions){.schedulers = -2}, PS_ERROR_LIMIT, "1 to 1024");
    gpu->model.schedulers = TRUE;
    gpu->schedulers = 0;
    assert_refused(gpu, NULL, PS_ERROR_LIMIT, "0 schedulers");
}

/* ---- machines ------------------------------------------------------------------------------ */

typedef struct {
    PsIdg *idg;
    PsGpu *gpu;
    PsKernel *kernel;
    PsLaunch launch;
    GPtrArray *warnings;
    PsMachine *machine;
} Setup;

/* 8 groups of 2 warps on each of 4 CUs, 3 of them at once. */
static Setup setup_new(void)
{
    Setup setup = {.idg = build_idg("32", "64"), .gpu = make_gpu()};
    GPtrArray *body = ps_idg_add_code(setup.idg)->body;
    build_node(body, "x", "add", "");
    build_node(body, "y", "dmul", "x");
    build_node(body, "z", "load", "y");
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

typedef struct {
    gint64 groups, active;
    const char *what_if;
    PsRefinements refinements;
} Asked;

static gboolean bind(Setup *setup, const Asked *asked, GError **error)
{
    const PsLaunchOptions options = {asked->groups, 0, asked->active ? asked->active : 3};
    g_autoptr(GPtrArray) list = asked->what_if ? ps_what_if_parse(asked->what_if, error) : NULL;
    setup->kernel = ps_kernel_new(setup->idg, NULL, error);
    if (!ps_launch_resolve(setup->kernel, setup->gpu, &options, &setup->launch, setup->warnings,
                           error))
        return FALSE;
    setup->machine =
        ps_machine_new(setup->kernel, setup->gpu, &setup->launch,
                       &(PsMachineOptions){.what_if = list, .refinements = asked->refinements},
                       setup->warnings, error);
    return setup->machine != NULL;
}

static const PsRefinements with_schedulers = {.schedulers = 2, .issue_width = {1, 2}};

static void test_published(void)
{
    g_auto(Setup) setup = setup_new();
    g_autoptr(GError) error = NULL;
    g_assert_true(bind(&setup, &(Asked){0}, &error));
    const PsMachine *machine = setup.machine;
    g_assert_cmpint(machine->n_cus, ==, 1);
    g_assert_cmpint(machine->ticks_per_cycle, ==, 1);
    g_assert_cmpint(machine->port_busy, ==, 0);
    g_assert_cmpint(machine->group_launch, ==, 0);
    g_assert_cmpint(machine->group_interval, ==, 0);
    g_assert_cmpint(machine->kernel_launch.num, ==, 0);
    g_assert_false(machine->classes[1].per_scheduler);
    assert_rational(machine->classes[1].latency.issue, "2"); /* 4 / 2 schedulers */
}

static void test_schedulers(void)
{
    g_auto(Setup) setup = setup_new();
    g_autoptr(GError) error = NULL;
    g_assert_true(bind(&setup, &(Asked){.refinements = with_schedulers}, &error));
    const PsMachine *machine = setup.machine;
    g_assert_cmpint(machine->refinements.schedulers, ==, 2);
    g_assert_cmpint(machine->port_busy, ==, 2); /* one instruction in two cycles */
    g_assert_false(machine->classes[0].per_scheduler);
    g_assert_true(machine->classes[1].per_scheduler);
    g_assert_cmpint(machine->classes[1].issue, ==, 4);
}

/* R11: queues count with schedulers and in program order, and not in front of barriers. */
static void check_queues(const PsRefinements *refinements, gboolean barrier, guint add, guint dmul)
{
    g_auto(Setup) setup = setup_new();
    g_autoptr(GError) error = NULL;
    for (guint p = 0; p < 2; p++)
        ((PsPipeline *)setup.gpu->pipelines->pdata[p])->queue = 3 + p;
    build_class(setup.gpu, "barrier", 0, PS_RATIONAL_INT(1), PS_RATIONAL_INT(6));
    if (barrier)
        build_node(((const PsIdgCode *)setup.idg->codes->pdata[0])->body, "b", "barrier", "z");
    g_assert_true(bind(&setup, &(Asked){.refinements = *refinements}, &error));
    g_assert_cmpuint(setup.machine->classes[0].queue, ==, add);
    g_assert_cmpuint(setup.machine->classes[1].queue, ==, dmul);
}

static void test_queues(void)
{
    PsRefinements refinements = with_schedulers;
    check_queues(&refinements, FALSE, 0, 0);
    refinements.order = PS_ORDER_PROGRAM;
    check_queues(&refinements, FALSE, 3, 4);
    check_queues(&refinements, TRUE, 0, 4);
    refinements.schedulers = 0;
    check_queues(&refinements, FALSE, 0, 0);
}

/* The tick divides the time that a port is busy, too: 1/3 cycle. */
static void test_tick_of_a_port(void)
{
    g_auto(Setup) setup = setup_new();
    g_autoptr(GError) error = NULL;
    const PsRefinements refinements = {.schedulers = 2, .issue_width = {3, 1}};
    g_assert_true(bind(&setup, &(Asked){.refinements = refinements}, &error));
    g_assert_cmpint(setup.machine->ticks_per_cycle, ==, 3);
    g_assert_cmpint(setup.machine->port_busy, ==, 1);
    g_assert_cmpint(setup.machine->classes[0].completion, ==, 18);
}

static void test_no_tick(void)
{
    g_auto(Setup) setup = setup_new();
    g_autoptr(GError) error = NULL;
    const PsRefinements refinements = {.schedulers = 2, .issue_width = {1000000007, 1000000000}};
    g_assert_false(bind(&setup,
                        &(Asked){.what_if = "add.issue=0.000000001,load.completion=1000000000",
                                 .refinements = refinements},
                        &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_LIMIT);
    g_assert_true(error && strstr(error->message, "issue width"));
}

static void test_width_of_zero(void)
{
    g_auto(Setup) setup = setup_new();
    g_autoptr(GError) error = NULL;
    const PsRefinements refinements = {.schedulers = 2, .issue_width = {0, 1}};
    g_assert_false(bind(&setup, &(Asked){.refinements = refinements}, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_USAGE);
}

static const PsOverheads overheads = {.stated = TRUE,
                                      .kernel_launch = {5, 2},
                                      .group_launch = {25, 2},
                                      .group_interval = {31, 3},
                                      .turnaround = {7, 3},
                                      .dispatch = {1, 3}};

static void test_overheads(void)
{
    g_auto(Setup) setup = setup_new();
    g_autoptr(GError) error = NULL;
    setup.gpu->overheads = overheads;
    g_assert_true(bind(&setup, &(Asked){.refinements = {.overheads = TRUE}}, &error));
    g_assert_cmpint(setup.machine->ticks_per_cycle, ==, 6);
    g_assert_cmpint(setup.machine->group_launch, ==, 75);
    g_assert_cmpint(setup.machine->group_interval, ==, 62);
    g_assert_cmpint(setup.machine->turnaround, ==, 14);
    assert_rational(setup.machine->kernel_launch, "2.5");
}

static void test_overheads_off(void)
{
    g_auto(Setup) setup = setup_new();
    g_autoptr(GError) error = NULL;
    setup.gpu->overheads = overheads;
    g_assert_true(bind(&setup, &(Asked){0}, &error));
    g_assert_cmpint(setup.machine->ticks_per_cycle, ==, 1);
    g_assert_cmpint(setup.machine->group_launch, ==, 0);
    g_assert_cmpint(setup.machine->kernel_launch.num, ==, 0);
}

/* Fewer groups than CUs: with levels of memory each has the more of what they share. */
static void test_fewer_groups(void)
{
    for (guint levels = 0; levels < 2; levels++) {
        g_auto(Setup) setup = setup_new();
        g_autoptr(GError) error = NULL;
        PsMemoryLevel *device = ps_gpu_add_level(setup.gpu, PS_LEVEL_DEVICE);
        const Asked asked = {.groups = 3, .active = 1, .refinements = {.levels = levels == 1}};
        setup.gpu->clock = PS_RATIONAL_INT(1000);
        device->bandwidth = PS_RATIONAL_INT(24);
        device->latency = PS_RATIONAL_INT(400);
        g_assert_true(bind(&setup, &asked, &error));
        g_assert_cmpuint(setup.warnings->len, ==, 1 - levels);
        if (levels == 0)
            g_assert_nonnull(strstr(setup.warnings->pdata[0], "fewer groups (3)"));
        else
            assert_rational(g_array_index(setup.machine->servers, PsServer, 0).rate, "8");
    }
}

/* Holds bring program order, and say so where it was not asked for; they count for the tick. Of 0
 * there are none. */
static void test_holds(void)
{
    static const struct {
        const char *hold;
        PsOrder asked, order;
        guint warnings;
        gint64 ticks, per_cycle;
    } cases[] = {{"9/4", PS_ORDER_DATAFLOW, PS_ORDER_PROGRAM, 1, 9, 4},
                 {"9/4", PS_ORDER_PROGRAM, PS_ORDER_PROGRAM, 0, 9, 4},
                 {"0", PS_ORDER_DATAFLOW, PS_ORDER_DATAFLOW, 0, 0, 1}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_auto(Setup) setup = setup_new();
        g_autoptr(GError) error = NULL;
        const Asked asked = {.refinements = {.order = cases[i].asked}};
        PsIdgItem *y = ((const PsIdgCode *)setup.idg->codes->pdata[0])->body->pdata[1];
        y->hold = build_expr(cases[i].hold);
        g_assert_true(bind(&setup, &asked, &error));
        g_assert_cmpint(setup.machine->refinements.order, ==, cases[i].order);
        g_assert_cmpint(setup.machine->ticks_per_cycle, ==, cases[i].per_cycle);
        g_assert_cmpint(setup.machine->costs[0][1].hold, ==, cases[i].ticks);
        g_assert_cmpuint(setup.warnings->len, ==, cases[i].warnings);
        if (cases[i].warnings > 0)
            g_assert_nonnull(strstr(setup.warnings->pdata[0], "node 'y' holds its warp"));
    }
}

/* A bandwidth that no fraction of 64 bits holds for one CU. */
static void test_too_fine_bandwidth(void)
{
    g_auto(Setup) setup = setup_new();
    g_autoptr(GError) error = NULL;
    PsMemoryLevel *device = ps_gpu_add_level(setup.gpu, PS_LEVEL_DEVICE);
    const Asked asked = {.groups = 3, .active = 1, .refinements = {.levels = TRUE}};
    setup.gpu->clock = PS_RATIONAL_INT(1);
    device->latency = PS_RATIONAL_INT(400);
    device->bandwidth = (PsRational){G_MAXINT64 - 1, 1};
    g_assert_false(bind(&setup, &asked, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_LIMIT);
    g_assert_nonnull(strstr(error->message, "a bandwidth is too large or too fine"));
}

static void test_all_cus(void)
{
    static const struct {
        gint64 groups, cus;
    } cases[] = {{1, 1}, {3, 3}, {4, 4}, {5, 4}, {1000000, 4}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_auto(Setup) setup = setup_new();
        g_autoptr(GError) error = NULL;
        const Asked asked = {.groups = cases[i].groups, .refinements = {.all_cus = TRUE}};
        g_assert_true(bind(&setup, &asked, &error));
        g_assert_cmpint(setup.machine->n_cus, ==, cases[i].cus);
    }
}

static void test_too_many_cus(void)
{
    g_auto(Setup) setup = setup_new();
    g_autoptr(GError) error = NULL;
    setup.gpu->compute_units = 1000000000;
    const Asked asked = {.groups = G_MAXINT64 / 4, .refinements = {.all_cus = TRUE}};
    g_assert_false(bind(&setup, &asked, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_LIMIT);
    g_assert_true(error && strstr(error->message, "1000000000 CUs with 6 warps each"));
}

static void test_too_many_schedulers(void)
{
    g_auto(Setup) setup = setup_new();
    g_autoptr(GError) error = NULL;
    setup.gpu->compute_units = 100000;
    const PsRefinements refinements = {.schedulers = 1024, .issue_width = {1, 1}, .all_cus = TRUE};
    g_assert_false(bind(&setup, &(Asked){.groups = 100000, .refinements = refinements}, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_LIMIT);
    g_assert_true(error && strstr(error->message, "100000 CUs with 1024 schedulers each"));
}

/* ---- contention ---------------------------------------------------------------------------- */

static void add_point(Setup *setup, gint64 warps, PsRational issue, PsRational completion)
{
    PsClass *load = setup->gpu->classes->pdata[2];
    const PsLatencyAt at = {warps, {issue, completion}};
    if (!load->at)
        load->at = g_array_new(FALSE, FALSE, sizeof(PsLatencyAt));
    g_array_append_val(load->at, at);
}

/* The latencies of load with that many active groups of 2 warps. */
static void assert_load(const PsRational points[3][2], gint64 active, const char *issue,
                        const char *completion)
{
    g_auto(Setup) setup = setup_new();
    g_autoptr(GError) error = NULL;
    add_point(&setup, 4, points[0][0], points[0][1]);
    add_point(&setup, 6, points[1][0], points[1][1]);
    add_point(&setup, 13, points[2][0], points[2][1]);
    const PsRefinements refinements = {.schedulers = 2, .issue_width = {1, 1}, .contention = TRUE};
    g_assert_true(bind(&setup, &(Asked){.active = active, .refinements = refinements}, &error));
    assert_rational(setup.machine->classes[2].latency.issue, issue);
    assert_rational(setup.machine->classes[2].latency.completion, completion);
    g_assert_cmpuint(setup.warnings->len, ==, 0);
}

static void test_table(void)
{
    static const PsRational points[3][2] = {
        {{1, 1}, {100, 1}}, {{2, 1}, {50, 1}}, {{3, 1}, {600, 1}}};
    assert_load(points, 1, "1", "100"); /* constant below */
    assert_load(points, 2, "1", "100");
    assert_load(points, 3, "2", "50");
    /* 8 warps: 2/7 of the way. 2 + 2/7 = 2340.57/1024, 50 + 1100/7 = 212114.29/1024. */
    assert_load(points, 4, "2.2861328125", "207.142578125");
    assert_load(points, 6, "2.857421875", "521.4287109375"); /* 2925.71, 533942.86 */
    assert_load(points, 8, "3", "600");                      /* constant above */
}

/* Half a part goes up, also on the way down; a point is rounded like what is between; a latency
 * never becomes 0. */
static void test_table_rounds(void)
{
    static const PsRational points[3][2] = {
        {{1, 2048}, {1, 1}}, {{1, 1000000000}, {1025, 1024}}, {{1, 3}, {1, 1}}};
    assert_load(points, 1, "0.0009765625", "1"); /* 0.5 -> 1 */
    assert_load(points, 3, "0.0009765625", "1.0009765625");
    assert_load(points, 8, "0.3330078125", "1"); /* 341.33 -> 341 */
    static const PsRational down[3][2] = {
        {{1025, 1024}, {1024, 1024}}, {{1024, 1024}, {1025, 1024}}, {{1, 1}, {1, 1}}};
    g_auto(Setup) setup = setup_new();
    g_autoptr(GError) error = NULL;
    add_point(&setup, 5, down[0][0], down[0][1]);
    add_point(&setup, 7, down[1][0], down[1][1]);
    g_assert_true(bind(&setup, &(Asked){.refinements = {.contention = TRUE}}, &error));
    /* Without schedulers load has half the issue latency on a pipeline of the CU. */
    assert_rational(setup.machine->classes[2].latency.issue, "0.50048828125"); /* 1025 / 2048 */
    assert_rational(setup.machine->classes[2].latency.completion, "1.0009765625");
}

/* Numbers as large and as fine as files can state stay exact. */
static void test_table_extremes(void)
{
    g_auto(Setup) setup = setup_new();
    g_autoptr(GError) error = NULL;
    add_point(&setup, 1, (PsRational){999999999999999999, 1000000000}, (PsRational){1, 1000000000});
    add_point(&setup, 1000000000, (PsRational){1, 1000000000}, PS_RATIONAL_INT(1000000000));
    const PsRefinements refinements = {.schedulers = 2, .issue_width = {1, 1}, .contention = TRUE};
    g_assert_true(bind(&setup, &(Asked){.refinements = refinements}, &error));
    /* 6 warps: 5 / 999999999 of the way. */
    assert_rational(setup.machine->classes[2].latency.issue, "999999995");
    assert_rational(setup.machine->classes[2].latency.completion, "5");
}

static void test_table_and_what_if(void)
{
    g_auto(Setup) setup = setup_new();
    g_autoptr(GError) error = NULL;
    add_point(&setup, 6, PS_RATIONAL_INT(11), PS_RATIONAL_INT(111));
    const PsRefinements refinements = {.schedulers = 2, .issue_width = {1, 1}, .contention = TRUE};
    const Asked asked = {.what_if = "load.completion=7", .refinements = refinements};
    g_assert_true(bind(&setup, &asked, &error));
    assert_rational(setup.machine->classes[2].latency.issue, "11");
    assert_rational(setup.machine->classes[2].latency.completion, "7");
}

static void test_table_that_is_not_used(void)
{
    g_auto(Setup) setup = setup_new();
    g_autoptr(GError) error = NULL;
    add_point(&setup, 6, PS_RATIONAL_INT(11), PS_RATIONAL_INT(111));
    g_assert_true(bind(&setup, &(Asked){0}, &error));
    assert_rational(setup.machine->classes[2].latency.completion, "100");
    g_assert_cmpuint(setup.warnings->len, ==, 1);
    g_assert_nonnull(strstr(setup.warnings->pdata[0], "class load: contention is off"));
}

static void test_contention_without_tables(void)
{
    g_auto(Setup) setup = setup_new();
    g_autoptr(GError) error = NULL;
    g_assert_true(bind(&setup, &(Asked){.refinements = {.contention = TRUE}}, &error));
    g_assert_cmpuint(setup.warnings->len, ==, 1);
    g_assert_nonnull(strstr(setup.warnings->pdata[0], "it changes nothing"));
    g_assert_false(setup.machine->refinements.contention);
}

/* Runs a graph with a node for each of so many pipelines, with one scheduler or without. */
static gboolean run_pipelines(guint n, gint64 schedulers, GError **error)
{
    g_autoptr(PsIdg) idg = build_idg("1", "32");
    PsGpu *gpu = build_gpu(1, n);
    PsIdgCode *code = ps_idg_add_code(idg);
    for (guint p = 0; p < n; p++) {
        g_autofree char *name = g_strdup_printf("c%u", p);
        build_class(gpu, name, p, PS_RATIONAL_INT(1), PS_RATIONAL_INT(2));
        build_node(code->body, name, name, "");
    }
    g_autoptr(PsKernel) kernel = ps_kernel_new(idg, NULL, NULL);
    g_autoptr(GPtrArray) warnings = g_ptr_array_new_with_free_func(g_free);
    const PsMachineOptions options = {
        .refinements = {.schedulers = schedulers, .issue_width = PS_RATIONAL_INT(1)}};
    PsLaunch launch;
    g_assert_true(ps_launch_resolve(kernel, gpu, &(PsLaunchOptions){0}, &launch, warnings, NULL));
    g_autoptr(PsMachine) machine = ps_machine_new(kernel, gpu, &launch, &options, warnings, NULL);
    PsSimResult result = {0};
    const gboolean done = ps_sim_run(machine, NULL, &result, error);
    if (done)
        g_assert_cmpint(result.instructions, ==, n);
    g_clear_pointer(&machine, ps_machine_free);
    build_gpu_free(gpu);
    return done;
}

static void test_many_pipelines(void)
{
    g_autoptr(GError) error = NULL;
    g_assert_true(run_pipelines(64, 1, &error));
    g_assert_true(run_pipelines(65, 0, &error));
    g_assert_false(run_pipelines(65, 1, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_LIMIT);
    g_assert_nonnull(
        strstr(error->message, "uses 65 pipelines; warp schedulers issue to at most 64"));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/refinements/published-by-default", test_published_by_default);
    g_test_add_func("/refinements/what-the-gpu-asks-for", test_what_the_gpu_asks_for);
    g_test_add_func("/refinements/each-alone", test_each_alone);
    g_test_add_func("/refinements/width-that-is-not-stated", test_width_that_is_not_stated);
    g_test_add_func("/refinements/refused", test_refused);
    g_test_add_func("/machine/published", test_published);
    g_test_add_func("/machine/schedulers", test_schedulers);
    g_test_add_func("/machine/queues", test_queues);
    g_test_add_func("/machine/tick-of-a-port", test_tick_of_a_port);
    g_test_add_func("/machine/no-tick", test_no_tick);
    g_test_add_func("/machine/width-of-zero", test_width_of_zero);
    g_test_add_func("/machine/overheads", test_overheads);
    g_test_add_func("/machine/overheads-off", test_overheads_off);
    g_test_add_func("/machine/fewer-groups", test_fewer_groups);
    g_test_add_func("/machine/holds", test_holds);
    g_test_add_func("/machine/too-fine-bandwidth", test_too_fine_bandwidth);
    g_test_add_func("/machine/all-cus", test_all_cus);
    g_test_add_func("/machine/too-many-cus", test_too_many_cus);
    g_test_add_func("/machine/too-many-schedulers", test_too_many_schedulers);
    g_test_add_func("/machine/many-pipelines", test_many_pipelines);
    g_test_add_func("/machine/table", test_table);
    g_test_add_func("/machine/table-rounds", test_table_rounds);
    g_test_add_func("/machine/table-extremes", test_table_extremes);
    g_test_add_func("/machine/table-and-what-if", test_table_and_what_if);
    g_test_add_func("/machine/table-that-is-not-used", test_table_that_is_not_used);
    g_test_add_func("/refinements/contention-asked", test_contention_asked);
    g_test_add_func("/machine/contention-without-tables", test_contention_without_tables);
    return g_test_run();
}
