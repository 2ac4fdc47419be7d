/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The frame of a test on random cases: see random-run.h.
 */
#include "tests/help/random-run.h"
#include "tests/help/random-refine.h"

gboolean random_run_seed(guint32 seed, const RandomRun *run)
{
    g_autoptr(RandomCase) random_case = run->draw(seed);
    g_autoptr(GError) error = NULL;
    random_case_refine(random_case);
    if (run->refine)
        run->refine(random_case);
    const EngineRun engine_run = engine_run_of(random_case);
    Engine engine;
    gboolean ok = engine_open(&engine, &engine_run, &error);
    if (ok) {
        ok = run->check(random_case, &engine, run->data, &error);
        engine_close(&engine);
    }
    if (error)
        g_test_message("the engine says: %s", error->message);
    if (!ok)
        random_case_print(random_case);
    return ok;
}

static gboolean check_seed(guint32 seed, gpointer data)
{
    return random_run_seed(seed, data);
}

guint random_run(SeedCounts counts, const RandomRun *run)
{
    RandomRun copy = *run;
    return seeds_check(counts, check_seed, &copy);
}

void random_run_skipping(SeedCounts counts, RandomCheck check, guint least)
{
    guint skipped = 0;
    const RandomRun run = {.draw = random_case_new_long, .check = check, .data = &skipped};
    const guint cases = random_run(counts, &run);
    g_test_message("in %u of %u cases time was skipped", skipped, cases);
    if (!g_getenv("PIPESIM_SEED"))
        g_assert_cmpuint(skipped * 100, >=, cases * least);
}
