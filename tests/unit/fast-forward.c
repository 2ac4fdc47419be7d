/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Skipping time must change nothing: each random long case runs twice, once simulating every
 * instruction and once not, and must give the same ticks, instructions and statistics.
 *
 *     PIPESIM_SEEDS=10000 build/tests/unit/fast-forward.t        more seeds than the usual ones
 *     PIPESIM_SEED=4711 build/tests/unit/fast-forward.t          that one alone
 *     PIPESIM_REFINEMENTS="R1 R3" build/tests/unit/fast-forward.t    only these, "" for none
 */
#include "sim/stats.h"
#include "tests/help/engine.h"
#include "tests/help/random-refine.h"
#include "tests/help/seeds.h"

#define SEEDS 300
#define SEEDS_VALGRIND 10

/* Of so many cases in a hundred, at least, the engine must skip a part, or the comparison would
 * show nothing. */
#define LEAST_SKIPPED 50

/* ---- what a run tells ---------------------------------------------------------------------- */

typedef struct {
    PsSimResult result;
    GPtrArray *rows[3]; /* pipelines, classes, lines */
    double occupancy;
    /* heard and skipped, which together must be all that there is */
    gint64 instructions;
    gint64 launched;
    gint64 finished;
    gint64 skips;
    gint64 skipped_ticks;
    gint64 marked; /* how often */
    gboolean odd;  /* a skip makes no sense */
} Told;

static void on_launched(void *self, gint64 time, guint cu, gint64 group)
{
    (void)time;
    (void)cu;
    (void)group;
    ((Told *)self)->launched++;
}

static void on_finished(void *self, gint64 time, guint cu, gint64 group)
{
    (void)time;
    (void)cu;
    (void)group;
    ((Told *)self)->finished++;
}

static void on_issued(void *self, gint64 time, gint64 ready, const PsInstance *instance)
{
    (void)time;
    (void)ready;
    (void)instance;
    ((Told *)self)->instructions++;
}

static void on_marked(void *self, guint mark)
{
    (void)mark;
    ((Told *)self)->marked++;
}

static void on_skipped(void *self, const PsSkip *skip)
{
    Told *told = self;
    told->instructions += skip->instructions;
    told->launched += skip->groups;
    told->finished += skip->groups;
    told->skips++;
    told->skipped_ticks += skip->to - skip->from;
    told->odd = told->odd || told->marked == 0 || skip->times < 1 || skip->period < 1 ||
                skip->from < skip->period || skip->to - skip->from != skip->times * skip->period;
}

static void told_clear(Told *told)
{
    for (guint i = 0; i < G_N_ELEMENTS(told->rows); i++)
        g_clear_pointer(&told->rows[i], g_ptr_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Told, told_clear)

static gboolean simulate(const PsMachine *machine, gboolean every_one, Told *told, GError **error)
{
    g_autoptr(PsStats) stats = ps_stats_new(machine);
    const PsListener listeners[] = {{.self = told,
                                     .launched = on_launched,
                                     .issued = on_issued,
                                     .finished = on_finished,
                                     .marked = on_marked,
                                     .skipped = on_skipped},
                                    ps_stats_listener(stats)};
    const PsSimOptions options = {listeners, G_N_ELEMENTS(listeners), every_one};
    if (!ps_sim_run(machine, &options, &told->result, error))
        return FALSE;
    told->rows[0] = ps_stats_pipelines(stats);
    told->rows[1] = ps_stats_classes(stats);
    told->rows[2] = ps_stats_lines(stats);
    told->occupancy = ps_stats_occupancy(stats, told->result.ticks);
    return TRUE;
}

/* ---- what must be the same ----------------------------------------------------------------- */

static gboolean equal(const char *what, gint64 hurried, gint64 every)
{
    if (hurried != every)
        g_test_message("%s is %" G_GINT64_FORMAT ", should be %" G_GINT64_FORMAT, what, hurried,
                       every);
    return hurried == every;
}

static gboolean equal_rows(const PsStatsRow *hurried, const PsStatsRow *every)
{
    gboolean same = g_strcmp0(hurried->name, every->name) == 0;
    same = equal("issued", hurried->issued, every->issued) && same;
    same = equal("busy", hurried->busy, every->busy) && same;
    same = equal("queued", hurried->queued, every->queued) && same;
    same = equal("most_queued", hurried->most_queued, every->most_queued) && same;
    same = equal("units", hurried->units, every->units) && same;
    if (!same)
        g_test_message("in the row of %s", every->name);
    return same;
}

static gboolean equal_statistics(const Told *hurried, const Told *every)
{
    gboolean same = TRUE;
    for (guint i = 0; i < G_N_ELEMENTS(every->rows); i++) {
        const GPtrArray *a = hurried->rows[i], *b = every->rows[i];
        same = equal("number of rows", a->len, b->len) && same;
        for (guint r = 0; same && r < b->len; r++)
            same = equal_rows(a->pdata[r], b->pdata[r]);
    }
    if (hurried->occupancy == every->occupancy)
        return same;
    g_test_message("occupancy is %.17g, should be %.17g", hurried->occupancy, every->occupancy);
    return FALSE;
}

/* What was heard and what was skipped make up the result. */
static gboolean complete(const char *which, const Told *told, const RefRun *run)
{
    gboolean all = equal("instructions heard", told->instructions, told->result.instructions);
    if (told->result.instructions > 0) {
        all = equal("groups launched", told->launched, run->groups) && all;
        all = equal("groups finished", told->finished, run->groups) && all;
    }
    all = equal("skips", told->skips, told->result.skips) && all;
    all = equal("skipped ticks", told->skipped_ticks, told->result.skipped_ticks) && all;
    if (told->odd)
        g_test_message("a skip contradicts itself");
    if (!all || told->odd)
        g_test_message("in the run that %s", which);
    return all && !told->odd;
}

static gboolean same(const RandomCase *random_case, const PsMachine *machine, guint *skipped,
                     GError **error)
{
    g_auto(Told) hurried = {.odd = FALSE}, every = {.odd = FALSE};
    const RefRun run = random_case_run(random_case);
    if (!simulate(machine, FALSE, &hurried, error) || !simulate(machine, TRUE, &every, error))
        return FALSE;
    *skipped += hurried.result.skips > 0;
    gboolean good = equal("ticks", hurried.result.ticks, every.result.ticks);
    good = equal("instructions", hurried.result.instructions, every.result.instructions) && good;
    good = equal("skips when told not to", every.result.skips, 0) && good;
    good = equal_statistics(&hurried, &every) && good;
    good = complete("may skip", &hurried, &run) && good;
    return complete("must not skip", &every, &run) && good;
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
        ok = same(random_case, engine.machine, skipped, &error);
        engine_close(&engine);
    }
    if (error)
        g_test_message("the engine says: %s", error->message);
    if (!ok)
        random_case_print(random_case);
    return ok;
}

static void test_same(void)
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
    g_test_add_func("/fast-forward/same", test_same);
    return g_test_run();
}
