/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The critical path: its stretches fill the run without gap or overlap, and with fast-forward its
 * sums are those of the run that simulates every instruction. Cases of a few instructions are
 * checked against paths found by hand.
 */
#include "sim/path.h"
#include "tests/help/build-graph.h"
#include "tests/help/engine.h"
#include "tests/help/random-refine.h"
#include "tests/help/seeds.h"

#define SEEDS 300
#define SEEDS_VALGRIND 10

/* Of so many cases in a hundred, at least, the engine must skip a part. */
#define LEAST_SKIPPED 50

typedef struct {
    PsSimResult result;
    GPtrArray *rows;
    GArray *stretches;
} Walked;

static void walked_clear(Walked *walked)
{
    g_clear_pointer(&walked->rows, g_ptr_array_unref);
    g_clear_pointer(&walked->stretches, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Walked, walked_clear)

static gboolean walk(const PsMachine *machine, gboolean every_one, Walked *walked, GError **error)
{
    g_autoptr(PsPath) path = ps_path_new(machine);
    const PsListener listener = ps_path_listener(path);
    const PsSimOptions options = {
        .listeners = &listener, .n_listeners = 1, .no_fast_forward = every_one};
    if (!ps_sim_run(machine, &options, &walked->result, error))
        return FALSE;
    walked->rows = ps_path_rows(path, error);
    walked->stretches = ps_path_stretches(path, 0, G_MAXINT64, G_MAXUINT);
    return walked->rows != NULL;
}

static gboolean equal(const char *what, gint64 is, gint64 should_be)
{
    if (is != should_be)
        g_test_message("%s: %" G_GINT64_FORMAT ", should be %" G_GINT64_FORMAT, what, is,
                       should_be);
    return is == should_be;
}

static gint64 total(const Walked *walked)
{
    gint64 sum = 0;
    for (guint i = 0; i < walked->rows->len; i++)
        sum += ((const PsPathRow *)walked->rows->pdata[i])->ticks;
    return sum;
}

static gboolean same_row(const PsPathRow *a, const PsPathRow *b)
{
    return a->kind == b->kind && a->program == b->program && a->node == b->node &&
           a->class_ == b->class_ && a->pipeline == b->pipeline && a->warp == b->warp &&
           a->ticks == b->ticks && a->times == b->times;
}

static void say_row(const char *which, const PsPathRow *row)
{
    g_test_message("%s: %s of node %u of %u: %" G_GINT64_FORMAT " ticks, %" G_GINT64_FORMAT
                   " times, warp %u",
                   which, ps_path_kind_name(row->kind), row->node, row->program, row->ticks,
                   row->times, row->warp);
}

static gboolean same_rows(const Walked *hurried, const Walked *every)
{
    gboolean same = hurried->rows->len == every->rows->len;
    for (guint i = 0; same && i < every->rows->len; i++)
        same = same_row(hurried->rows->pdata[i], every->rows->pdata[i]);
    for (guint i = 0; !same && i < MAX(hurried->rows->len, every->rows->len); i++) {
        if (i < hurried->rows->len)
            say_row("hurried", hurried->rows->pdata[i]);
        if (i < every->rows->len)
            say_row("every", every->rows->pdata[i]);
    }
    return same;
}

/* Stretches of a run in which nothing is skipped follow each other from 0 to the end. */
static gboolean gapless(const Walked *walked)
{
    gint64 at = 0;
    gboolean good = TRUE;
    for (guint i = 0; i < walked->stretches->len; i++) {
        const PsPathStretch *stretch = &g_array_index(walked->stretches, PsPathStretch, i);
        good = equal("a stretch begins at", stretch->from, at) && good;
        at = stretch->to;
    }
    return equal("the last stretch ends at", at, walked->result.ticks) && good;
}

static gboolean check_machine(const PsMachine *machine, guint *skipped, GError **error)
{
    g_auto(Walked) hurried = {.rows = NULL}, every = {.rows = NULL};
    if (!walk(machine, FALSE, &hurried, error) || !walk(machine, TRUE, &every, error))
        return FALSE;
    *skipped += hurried.result.skips > 0;
    gboolean good = equal("sum", total(&every), every.result.ticks);
    good = equal("sum with fast-forward", total(&hurried), every.result.ticks) && good;
    good = gapless(&every) && good;
    return same_rows(&hurried, &every) && good;
}

static gboolean check_seed(guint32 seed, gpointer skipped)
{
    g_autoptr(RandomCase) random_case = random_case_new_long(seed);
    g_autoptr(GError) error = NULL;
    random_case_refine(random_case);
    EngineRun run = engine_run_of(random_case);
    Engine engine;
    gboolean ok = engine_open(&engine, &run, &error);
    if (ok) {
        ok = check_machine(engine.machine, skipped, &error);
        engine_close(&engine);
    }
    if (error)
        g_test_message("the engine says: %s", error->message);
    if (!ok)
        random_case_print(random_case);
    return ok;
}

static void test_random(void)
{
    guint skipped = 0;
    const guint cases = seeds_check((SeedCounts){SEEDS, SEEDS_VALGRIND}, check_seed, &skipped);
    g_test_message("in %u of %u cases time was skipped", skipped, cases);
    if (!g_getenv("PIPESIM_SEED"))
        g_assert_cmpuint(skipped * 100, >=, cases * LEAST_SKIPPED);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/path/random", test_random);
    return g_test_run();
}
