/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Estimates beside exact runs, of a few cases of what `make intervals` tries
 * (docs/evidence/intervals.md): each is estimated, to the same digits each time, by less work than
 * the exact run; the interval holds the exact time; what is counted is in proportion. And of cases
 * that fool simpler rules.
 */
#include "sim/listen/stats.h"
#include "tests/help/engine.h"
#include "tests/help/random-refine.h"

#include <stdlib.h>

typedef struct {
    guint32 seed;
    PsOrder order;
    gboolean loops; /* what is passed over: in loops, else groups */
} Case;

static const Case cases[] = {
    {408, PS_ORDER_PROGRAM, FALSE}, {285, PS_ORDER_PROGRAM, TRUE}, {4410, PS_ORDER_DATAFLOW, TRUE}};

/* What looks steady, and is not quite: of 2026 groups are short and of different kinds of warps,
 * the rate of 439 changes slowly, and warps of 4256 are alike but for one in seven. */
static const guint32 treacherous[] = {2026, 439, 4256};

static void on_skipped(void *self, const PsSkip *skip)
{
    gboolean *loops = self;
    *loops = *loops || (skip->estimated && skip->groups == 0);
}

static void estimate(const PsMachine *machine, PsSimResult *result, double *issued, gboolean *loops)
{
    g_autoptr(PsStats) stats = ps_stats_new(machine);
    const PsListener listeners[] = {ps_stats_listener(stats),
                                    {.self = loops, .skipped = on_skipped}};
    const PsSimOptions options = {.listeners = listeners,
                                  .n_listeners = G_N_ELEMENTS(listeners),
                                  .precision = 0.005,
                                  .exact_instructions = PS_SIM_EXACT_INSTRUCTIONS / 16};
    g_assert_true(ps_sim_run(machine, &options, result, NULL));
    g_autoptr(GPtrArray) classes = ps_stats_classes(stats);
    *issued = 0;
    for (guint i = 0; i < classes->len; i++)
        *issued += (double)((const PsStatsRow *)classes->pdata[i])->issued;
}

/* The case as `make intervals` has it. */
static RandomCase *open_case(guint32 seed, Engine *engine)
{
    RandomCase *c = random_case_new_crowd(seed, 3000000, 20000000);
    random_case_refine(c);
    if (c->refinements.policy != PS_POLICY_FIFO || c->refinements.schedulers > 0)
        c->refinements.order = PS_ORDER_PROGRAM;
    const EngineRun run = engine_run_of(c);
    g_assert_true(engine_open(engine, &run, NULL));
    return c;
}

static void check_seed(gconstpointer data)
{
    const Case *of = data;
    Engine engine;
    g_autoptr(RandomCase) c = open_case(of->seed, &engine);
    PsSimResult exact, first, again;
    double issued;
    gboolean loops = FALSE;
    g_assert_true(ps_sim_run(engine.machine, NULL, &exact, NULL));
    estimate(engine.machine, &first, &issued, &loops);
    estimate(engine.machine, &again, &issued, &loops);
    engine_close(&engine);
    g_assert_cmpint(c->refinements.order, ==, of->order);
    g_assert_cmpint(loops, ==, of->loops);
    g_assert_cmpint(exact.half_width, ==, 0);
    g_assert_cmpint(first.half_width, >, 0);
    g_assert_cmpint(first.estimated_ticks, >, 0);
    g_assert_cmpint(first.ticks, ==, again.ticks);
    g_assert_cmpint(first.half_width, ==, again.half_width);
    g_assert_cmpint(first.simulated, <, exact.simulated);
    g_assert_cmpint(first.instructions, ==, exact.instructions);
    g_assert_cmpint(llabs(first.ticks - exact.ticks), <=, first.half_width);
    g_assert_cmpfloat_with_epsilon(issued / (double)exact.instructions, 1, 0.01);
}

/* Refused, or estimated with an interval that holds the exact time. */
static void check_honest(void)
{
    for (guint i = 0; i < G_N_ELEMENTS(treacherous); i++) {
        Engine engine;
        RandomCase *c = open_case(treacherous[i], &engine);
        PsSimResult exact, result;
        double issued;
        gboolean loops = FALSE;
        g_assert_true(ps_sim_run(engine.machine, NULL, &exact, NULL));
        estimate(engine.machine, &result, &issued, &loops);
        engine_close(&engine);
        random_case_free(c);
        g_assert_cmpint(llabs(result.ticks - exact.ticks), <=, result.half_width);
    }
}

static void check_precisions(void)
{
    static const double bad[] = {-0.01, 0.51, 0.0 / 0.0};
    g_autoptr(RandomCase) c = random_case_new(1);
    const EngineRun run = engine_run_of(c);
    Engine engine;
    g_assert_true(engine_open(&engine, &run, NULL));
    for (guint i = 0; i < G_N_ELEMENTS(bad); i++) {
        const PsSimOptions options = {.precision = bad[i]};
        g_autoptr(GError) error = NULL;
        PsSimResult result;
        g_assert_false(ps_sim_run(engine.machine, &options, &result, &error));
        g_assert_error(error, PS_ERROR, PS_ERROR_USAGE);
    }
    engine_close(&engine);
}

/* A case of groups, in a hurry from the start: far less is simulated, and the interval is wide. */
static void check_hurry(void)
{
    const gint hurry = 1;
    Engine engine;
    RandomCase *c = open_case(cases[0].seed, &engine);
    PsSimResult result;
    const PsSimOptions options = {.hurry = &hurry};
    g_assert_true(ps_sim_run(engine.machine, &options, &result, NULL));
    engine_close(&engine);
    random_case_free(c);
    g_assert_cmpint(result.half_width, >, 0);
    g_assert_cmpint(result.simulated * 10, <, result.instructions);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *name = g_strdup_printf("/intervals/seed/%u", cases[i].seed);
        g_test_add_data_func(name, &cases[i], check_seed);
    }
    g_test_add_func("/intervals/honest", check_honest);
    g_test_add_func("/intervals/precisions", check_precisions);
    g_test_add_func("/intervals/hurry", check_hurry);
    return g_test_run();
}
