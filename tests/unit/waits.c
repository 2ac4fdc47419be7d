/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where warps wait: the parts add up to the time of all warps' places, and with fast-forward they
 * are those of the run that simulates every instruction.
 */
#include "tests/help/build-graph.h"
#include "tests/help/engine.h"
#include "tests/help/random-roles.h"
#include "tests/help/random-run.h"
#include "tests/help/waited.h"

#include <math.h>

#define SEEDS 340 /* 336: a period longer than what is kept of when pipelines were busy */
#define SEEDS_VALGRIND 10

/* Cases in a hundred of which the engine must skip a part, at least. */
#define LEAST_SKIPPED 50

static gboolean check_sum(const PsMachine *machine, const Waited *waited)
{
    const double all = (double)waited->result.ticks * (double)machine->n_cus *
                       (double)machine->launch.active_groups *
                       (double)machine->launch.warps_per_group;
    double sum = 0;
    gboolean good = TRUE;
    for (guint i = 0; i < waited->rows->len; i++) {
        const PsWaitRow *row = waited->rows->pdata[i];
        sum += row->ticks;
        good = good && row->ticks > 0;
    }
    if (!good || fabs(sum - all) > 1e-12 * all)
        g_test_message("the sum is %.17g, should be %.17g", sum, all);
    return good && fabs(sum - all) <= 1e-12 * all;
}

static void say_row(const char *which, const PsWaitRow *row)
{
    g_test_message("%s: %s of %u: %.17g ticks", which, ps_wait_kind_name(row->kind), row->which,
                   row->ticks);
}

static gboolean same_rows(const Waited *hurried, const Waited *every)
{
    gboolean same = hurried->rows->len == every->rows->len;
    for (guint i = 0; same && i < every->rows->len; i++) {
        const PsWaitRow *a = hurried->rows->pdata[i], *b = every->rows->pdata[i];
        same = a->kind == b->kind && a->which == b->which && a->ticks == b->ticks;
    }
    for (guint i = 0; !same && i < MAX(hurried->rows->len, every->rows->len); i++) {
        if (i < hurried->rows->len)
            say_row("hurried", hurried->rows->pdata[i]);
        if (i < every->rows->len)
            say_row("every", every->rows->pdata[i]);
    }
    return same;
}

static gboolean same_nodes(const Waited *hurried, const Waited *every)
{
    gboolean same = hurried->nodes->len == every->nodes->len;
    for (guint i = 0; same && i < every->nodes->len; i++) {
        const PsNodeWait *a = &g_array_index(hurried->nodes, PsNodeWait, i);
        const PsNodeWait *b = &g_array_index(every->nodes, PsNodeWait, i);
        same = a->kind == b->kind && a->which == b->which && a->program == b->program &&
               a->node == b->node && a->on == b->on && a->ticks == b->ticks;
        if (!same)
            g_test_message("%s at node %u of %u: %.17g ticks, should be %.17g",
                           ps_wait_kind_name(b->kind), b->node, b->program, a->ticks, b->ticks);
    }
    return same;
}

static gboolean same_rest(const Waited *hurried, const Waited *every)
{
    gboolean same = hurried->tail == every->tail;
    for (guint i = 0; i < WAITED_PARTS; i++)
        same = same && fabs(hurried->occupancy[i] - every->occupancy[i]) <=
                           1e-9 * MAX(every->occupancy[i], 1);
    if (!same)
        g_test_message("tail %" G_GINT64_FORMAT ", should be %" G_GINT64_FORMAT, hurried->tail,
                       every->tail);
    for (guint i = 0; !same && i < WAITED_PARTS; i++)
        g_test_message("occupancy %.17g, should be %.17g", hurried->occupancy[i],
                       every->occupancy[i]);
    return same;
}

static gboolean check_machine(const PsMachine *machine, guint *skipped, GError **error)
{
    g_auto(Waited) hurried = {.rows = NULL}, every = {.rows = NULL};
    if (!wait_for(machine, FALSE, &hurried, error) || !wait_for(machine, TRUE, &every, error))
        return FALSE;
    *skipped += hurried.result.skips > 0;
    gboolean good = check_sum(machine, &every);
    good = check_sum(machine, &hurried) && good;
    good = same_rows(&hurried, &every) && good;
    good = same_nodes(&hurried, &every) && good;
    return same_rest(&hurried, &every) && good;
}

static gboolean check_skipping(const RandomCase *random_case, const Engine *engine,
                               gpointer skipped, GError **error)
{
    (void)random_case;
    return check_machine(engine->machine, skipped, error);
}

static void test_random(void)
{
    random_run_skipping((SeedCounts){SEEDS, SEEDS_VALGRIND}, check_skipping, LEAST_SKIPPED);
}

/* The same where warps await others (R12). */
static void test_roles(void)
{
    guint skipped = 0;
    const RandomRun run = {.draw = random_case_new_long,
                           .refine = random_case_roles_that_end,
                           .check = check_skipping,
                           .data = &skipped};
    random_run((SeedCounts){SEEDS, SEEDS_VALGRIND}, &run);
    if (!g_getenv("PIPESIM_SEED"))
        g_assert_cmpuint(skipped, >, 0);
}

/* Groups of 6 cycles begin every 8, and their places rest for 10: two places take turns, so that
 * the time from a launch to the next is a period that ends in another place than it began. The last
 * group is alone, as all are, and ends the run: nothing is done before. */
static void check_places_in_turn(guint groups)
{
    g_autofree char *text = g_strdup_printf("%u", groups);
    g_autoptr(PsIdg) idg = build_idg(text, "32");
    PsGpu *gpu = build_gpu(1, 1);
    g_auto(Waited) waited = {.rows = NULL};
    g_autoptr(GError) error = NULL;
    guint skipped = 0;
    Engine engine;
    build_class(gpu, "add", 0, PS_RATIONAL_INT(1), PS_RATIONAL_INT(6));
    build_node(ps_idg_add_code(idg)->body, "a", "add", "");
    gpu->overheads.group_interval = PS_RATIONAL_INT(8);
    gpu->overheads.turnaround = PS_RATIONAL_INT(20);
    const EngineRun run = {
        .idg = idg, .gpu = gpu, .options = {.active = 5}, .refinements = {.overheads = TRUE}};
    g_assert_true(engine_open(&engine, &run, &error));
    g_assert_true(check_machine(engine.machine, &skipped, &error));
    g_assert_cmpuint(skipped, ==, 1);
    g_assert_true(wait_for(engine.machine, FALSE, &waited, &error));
    g_assert_no_error(error);
    const gint64 ticks = (gint64)(groups - 1) * 8 + 6;
    g_assert_cmpint(waited.result.ticks, ==, ticks);
    g_assert_cmpfloat(ticks_of(waited.rows, PS_WAIT_NOT_STARTED, G_MAXUINT), ==,
                      (double)(5 * ticks - groups * 6));
    g_assert_cmpfloat(ticks_of(waited.rows, PS_WAIT_DONE, G_MAXUINT), ==, 0);
    engine_close(&engine);
    build_gpu_free(gpu);
}

/* Wherever the skipped time ends. */
static void test_places_in_turn(void)
{
    for (guint groups = 96; groups <= 104; groups++)
        check_places_in_turn(groups);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/waits/random", test_random);
    g_test_add_func("/waits/roles", test_roles);
    g_test_add_func("/waits/places-in-turn", test_places_in_turn);
    return g_test_run();
}
