/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What must hold for every run, checked on random graphs. Only theorems stand here: a graph in
 * general may well become faster when a latency rises, or slower for fewer groups (the schedule's
 * order changes), so such things are claimed only where the order of issues cannot change.
 */
#include "tests/help/build-graph.h"
#include "tests/help/engine.h"
#include "tests/help/seeds.h"

static guint n_cases(void)
{
    return seeds_count((SeedCounts){400, 40});
}

static PsSimResult simulate(const EngineRun *run)
{
    g_autoptr(GError) error = NULL;
    PsSimResult result = {.ticks = -1, .cycles = {-1, 1}, .instructions = -1};
    engine_run(run, &result, &error);
    g_assert_no_error(error);
    return result;
}

/* ---- one pipeline at a time ---------------------------------------------------------------- */

/* What a pipeline did. */
typedef struct {
    gint64 busy; /* sum of lambda */
    gint64 last_issue;
    gint64 last_lambda;
    gboolean last_barrier; /* that issue was of a barrier */
} Load;

typedef struct {
    const PsMachine *machine;
    Load *loads;
    gint64 sum; /* of the longer latency of all instances */
    guint overlaps;
} Watch;

static void watch_issue(void *self, gint64 time, gint64 ready, const PsInstance *instance)
{
    Watch *watch = self;
    guint index = watch->machine->class_of[instance->program][instance->node];
    const PsMachineClass *class = &watch->machine->classes[index];
    Load *load = &watch->loads[class->pipeline];
    if (time < ready || (load->busy > 0 && time < load->last_issue + load->last_lambda))
        watch->overlaps++;
    load->busy += class->issue;
    load->last_issue = time;
    load->last_lambda = class->issue;
    load->last_barrier =
        watch->machine->kernel->programs[instance->program].nodes[instance->node].barrier;
    watch->sum += MAX(class->issue, class->completion);
}

/* TRUE if all that is true of every run is true of this one. `covered` says that no class is
 * complete before its pipeline is free again. */
static gboolean loads_hold(const Engine *engine, gboolean covered)
{
    guint pipelines = engine->machine->gpu->pipelines->len;
    g_autofree Load *loads = g_new0(Load, pipelines);
    Watch watch = {engine->machine, loads, 0, 0};
    PsListener listener = {.self = &watch, .issued = watch_issue};
    PsSimResult result;
    /* What is skipped is not heard, so nothing may be. */
    if (!ps_sim_run(
            engine->machine,
            &(PsSimOptions){.listeners = &listener, .n_listeners = 1, .no_fast_forward = TRUE},
            &result, NULL))
        return FALSE;
    gboolean ok = watch.overlaps == 0;
    for (guint p = 0; p < pipelines; p++) {
        const Load *load = &loads[p];
        ok = ok && load->busy - load->last_lambda <= load->last_issue;
        ok = ok && (load->busy == 0 || load->last_issue < result.ticks);
        ok = ok && (!covered || load->last_barrier || load->busy <= result.ticks);
    }
    /* At every instant something is under way or a pipeline recovers, so the sum is an upper bound.
     */
    return ok && result.ticks <= watch.sum;
}

/* Makes every completion latency at least the issue latency. */
static void cover(PsGpu *gpu)
{
    for (guint i = 0; i < gpu->classes->len; i++) {
        PsLatency *latency = &((PsClass *)gpu->classes->pdata[i])->latency;
        if (ps_rational_cmp(latency->completion, latency->issue) < 0)
            latency->completion = latency->issue;
    }
}

/*
 * A pipeline issues one at a time, so all of its issue latencies but the last fit before its last
 * issue, which comes before the end. They all fit, the last one too, where completion takes no less
 * than issue; else the last may outlast the run by lambda - Lambda. So may a barrier that is
 * complete by the latency of another one, which came later on another pipeline.
 */
static void test_busy(void)
{
    for (guint32 seed = 1; seed <= 2 * n_cases(); seed++) {
        g_autoptr(RandomCase) random_case = random_case_new(seed);
        gboolean covered = seed % 2 == 1;
        if (covered)
            cover(random_case->gpu);
        EngineRun run = engine_run_of(random_case);
        Engine engine;
        gboolean ok = engine_open(&engine, &run, NULL) && loads_hold(&engine, covered);
        engine_close(&engine);
        if (!ok)
            random_case_print(random_case);
        g_assert_true(ok);
    }
}

/* ---- scale --------------------------------------------------------------------------------- */

static void scale(PsRational *value, PsRational factor)
{
    g_assert_true(ps_rational_mul(*value, factor, value));
}

/* All latencies 3/7 as long, the time exactly 3/7 as long. */
static void test_scale(void)
{
    const PsRational factor = {3, 7};
    for (guint32 seed = 1; seed <= n_cases(); seed++) {
        g_autoptr(RandomCase) random_case = random_case_new(seed);
        EngineRun run = engine_run_of(random_case);
        PsSimResult whole = simulate(&run);
        for (guint i = 0; i < random_case->gpu->classes->len; i++) {
            PsClass *class = random_case->gpu->classes->pdata[i];
            scale(&class->latency.issue, factor);
            scale(&class->latency.completion, factor);
        }
        PsSimResult part = simulate(&run);
        scale(&whole.cycles, factor);
        gboolean ok = ps_rational_cmp(whole.cycles, part.cycles) == 0;
        if (!ok)
            random_case_print(random_case);
        g_assert_true(ok);
    }
}

/* ---- chains: time never falls when a latency rises ----------------------------------------- */

typedef struct {
    PsIdg *idg;
    PsGpu *gpu;
    EngineRun run;
} Chain;

static void chain_free(Chain *chain)
{
    ps_idg_free(chain->idg);
    build_gpu_free(chain->gpu);
}

static Chain chain_new(GRand *rand, guint pipelines, guint n_classes)
{
    Chain chain = {build_idg("1", "32"), build_gpu(1, pipelines), {.idg = NULL}};
    for (guint i = 0; i < n_classes; i++) {
        g_autofree char *name = g_strdup_printf(i % 3 == 2 ? "c%u.store" : "c%u", i);
        build_class(chain.gpu, name, i % pipelines, random_latency(rand, i % 2 == 1, 9),
                    random_latency(rand, i % 2 == 1, 30));
    }
    chain.run = (EngineRun){.idg = chain.idg, .gpu = chain.gpu};
    return chain;
}

static void chain_launch(Chain *chain, gint64 warps, gint64 active, gint64 groups)
{
    chain->run.options = (PsLaunchOptions){groups, 32 * warps, active};
}

/* Appends nodes n0, n1, ..., each after the one before, the first after `first`. */
static void chain_nodes(const Chain *chain, GPtrArray *body, const guint *classes, guint length)
{
    g_autofree char *after = g_strdup("");
    for (guint i = 0; i < length; i++) {
        const PsClass *class = chain->gpu->classes->pdata[classes[i]];
        g_autofree char *name = g_strdup_printf("n%u", i);
        build_node(body, name, class->name, after);
        g_free(after);
        after = g_steal_pointer(&name);
    }
}

/* Whatever instructions, once round a loop and once more: one warp after the other is alone, so
 * there is nothing to put in another order. */
static Chain lonely_chain(GRand *rand)
{
    Chain chain = chain_new(rand, (guint)g_rand_int_range(rand, 1, 4), 5);
    guint length = (guint)g_rand_int_range(rand, 1, 8), classes[8];
    for (guint i = 0; i < length; i++)
        classes[i] = (guint)g_rand_int_range(rand, 0, 5);
    GPtrArray *body = ps_idg_add_code(chain.idg)->body;
    GPtrArray *loop = build_loop(body, "3");
    chain_nodes(&chain, loop, classes, length);
    PsIdgItem *first = loop->pdata[0];
    ps_idg_add_dep(first, ((PsIdgItem *)loop->pdata[length - 1])->name);
    g_autofree char *last = g_strdup_printf("n%u", length - 1);
    build_node(body, "end", "c2.store", last);
    chain_launch(&chain, 1, 1, g_rand_int_range(rand, 1, 4));
    return chain;
}

/* Each instruction on a pipeline of its own: what enters first stays first all the way, whatever
 * the latencies, so groups also end in order. */
static Chain flow_line(GRand *rand)
{
    guint length = (guint)g_rand_int_range(rand, 1, 7), classes[] = {0, 1, 2, 3, 4, 5, 6};
    Chain chain = chain_new(rand, length, length);
    chain_nodes(&chain, ps_idg_add_code(chain.idg)->body, classes, length);
    gint64 active = g_rand_int_range(rand, 1, 5);
    chain_launch(&chain, g_rand_int_range(rand, 1, 5), active, g_rand_int_range(rand, 1, 12));
    return chain;
}

/* Equal instructions, one warp per group: each comes back Lambda after its issue, so the warps take
 * turns for ever. */
static Chain equal_chain(GRand *rand)
{
    guint length = (guint)g_rand_int_range(rand, 1, 7), classes[] = {0, 0, 0, 0, 0, 0, 0};
    Chain chain = chain_new(rand, 1, 1);
    chain_nodes(&chain, ps_idg_add_code(chain.idg)->body, classes, length);
    gint64 active = g_rand_int_range(rand, 1, 9);
    chain_launch(&chain, 1, active, g_rand_int_range(rand, 1, 20));
    return chain;
}

static void raise_latency(GRand *rand, const Chain *chain)
{
    guint which = (guint)g_rand_int_range(rand, 0, (gint32)chain->gpu->classes->len);
    PsLatency *latency = &((PsClass *)chain->gpu->classes->pdata[which])->latency;
    PsRational *value = g_rand_boolean(rand) ? &latency->issue : &latency->completion;
    g_assert_true(ps_rational_add(*value, random_latency(rand, FALSE, 9), value));
}

typedef Chain (*ChainMaker)(GRand *rand);

static void check_chains(ChainMaker make)
{
    for (guint32 seed = 1; seed <= n_cases(); seed++) {
        GRand *rand = g_rand_new_with_seed(seed);
        Chain chain = make(rand);
        PsSimResult before = simulate(&chain.run);
        for (int rises = 0; rises < 6; rises++) {
            raise_latency(rand, &chain);
            PsSimResult after = simulate(&chain.run);
            if (ps_rational_cmp(before.cycles, after.cycles) > 0)
                g_test_message("seed %u, rise %d", seed, rises);
            g_assert_cmpint(ps_rational_cmp(before.cycles, after.cycles), <=, 0);
            before = after;
        }
        chain_free(&chain);
        g_rand_free(rand);
    }
}

static void test_lonely(void)
{
    check_chains(lonely_chain);
}

static void test_flow_line(void)
{
    check_chains(flow_line);
}

static void test_equal(void)
{
    check_chains(equal_chain);
}

/* ---- more groups --------------------------------------------------------------------------- */

/* A flow line's groups end in order and do not feel the ones behind them: one more takes longer. */
static void test_more_groups(void)
{
    for (guint32 seed = 1; seed <= n_cases(); seed++) {
        GRand *rand = g_rand_new_with_seed(seed);
        Chain chain = flow_line(rand);
        PsSimResult fewer = simulate(&chain.run);
        chain.run.options.groups++;
        PsSimResult more = simulate(&chain.run);
        g_assert_cmpint(ps_rational_cmp(fewer.cycles, more.cycles), <, 0);
        chain_free(&chain);
        g_rand_free(rand);
    }
}

/* Any graph, one group at a time: another takes longer, unless it does nothing. */
static void test_one_at_a_time(void)
{
    for (guint32 seed = 1; seed <= n_cases(); seed++) {
        g_autoptr(RandomCase) random_case = random_case_new(seed);
        EngineRun run = engine_run_of(random_case);
        run.options.active = 1;
        PsSimResult fewer = simulate(&run);
        run.options.groups = (random_case->groups_per_cu + 1) * random_case->gpu->compute_units;
        PsSimResult more = simulate(&run);
        int order = ps_rational_cmp(fewer.cycles, more.cycles);
        g_assert_true(more.instructions == fewer.instructions ? order == 0 : order < 0);
    }
}

static GArray *events_of(const EngineRun *run)
{
    GArray *events = g_array_new(FALSE, FALSE, sizeof(RefEvent));
    g_autoptr(GError) error = NULL;
    PsSimResult result;
    Engine engine;
    if (engine_open(&engine, run, &error)) {
        engine_simulate(&engine, events, &result, &error);
        engine_close(&engine);
    }
    g_assert_no_error(error);
    ref_events_sort(events);
    return events;
}

/* How many events there are before a group's launch; none if it is not launched. */
static guint events_before(const GArray *events, gint64 group)
{
    gint64 launch = 0;
    guint before = 0;
    for (guint i = 0; i < events->len; i++) {
        const RefEvent *event = &g_array_index(events, RefEvent, i);
        if (event->kind == REF_LAUNCH && event->group == group)
            launch = event->time;
    }
    while (before < events->len && g_array_index(events, RefEvent, before).time < launch)
        before++;
    return before;
}

/* The future does not change the past: up to the launch of its last group, a run goes like the run
 * without that group. */
static void test_past(void)
{
    guint compared = 0;
    for (guint32 seed = 1; seed <= n_cases(); seed++) {
        g_autoptr(RandomCase) random_case = random_case_new(seed);
        gint64 last = random_case->groups_per_cu;
        EngineRun run = engine_run_of(random_case);
        run.options.groups = last * random_case->gpu->compute_units;
        g_autoptr(GArray) fewer = events_of(&run);
        run.options.groups += random_case->gpu->compute_units;
        g_autoptr(GArray) more = events_of(&run);
        guint past = events_before(more, last);
        g_assert_cmpuint(past, <=, fewer->len);
        for (guint i = 0; i < MIN(past, fewer->len); i++)
            g_assert_true(ref_event_equal(&g_array_index(fewer, RefEvent, i),
                                          &g_array_index(more, RefEvent, i)));
        compared += past;
    }
    g_assert_cmpuint(compared, >, 0);
}

/* ---- threads ------------------------------------------------------------------------------- */

#define MACHINES 100
#define THREADS 4

typedef struct {
    const Engine *engines;
    PsSimResult results[MACHINES];
    guint failed;
} Worker;

static gpointer work(gpointer data)
{
    Worker *worker = data;
    for (guint i = 0; i < MACHINES; i++)
        if (!ps_sim_run(worker->engines[i].machine, NULL, &worker->results[i], NULL))
            worker->failed++;
    return NULL;
}

static void check_workers(const Worker *one, const Worker *other)
{
    g_assert_cmpuint(other->failed, ==, 0);
    for (guint i = 0; i < MACHINES; i++) {
        g_assert_cmpint(one->results[i].ticks, ==, other->results[i].ticks);
        g_assert_cmpint(one->results[i].instructions, ==, other->results[i].instructions);
    }
}

/* The same machines at the same time in several threads as alone. */
static void test_threads(void)
{
    RandomCase *cases[MACHINES];
    Engine engines[MACHINES];
    for (guint32 i = 0; i < MACHINES; i++) {
        cases[i] = random_case_new(i + 1);
        EngineRun run = engine_run_of(cases[i]);
        g_assert_true(engine_open(&engines[i], &run, NULL));
    }
    g_autofree Worker *workers = g_new0(Worker, THREADS + 1);
    GThread *threads[THREADS];
    workers[THREADS].engines = engines;
    work(&workers[THREADS]);
    for (guint t = 0; t < THREADS; t++) {
        workers[t].engines = engines;
        threads[t] = g_thread_new("worker", work, &workers[t]);
    }
    for (guint t = 0; t < THREADS; t++) {
        g_thread_join(threads[t]);
        check_workers(&workers[THREADS], &workers[t]);
    }
    for (guint i = 0; i < MACHINES; i++) {
        engine_close(&engines[i]);
        random_case_free(cases[i]);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/properties/busy", test_busy);
    g_test_add_func("/properties/scale", test_scale);
    g_test_add_func("/properties/latency/lonely", test_lonely);
    g_test_add_func("/properties/latency/flow-line", test_flow_line);
    g_test_add_func("/properties/latency/equal", test_equal);
    g_test_add_func("/properties/more-groups", test_more_groups);
    g_test_add_func("/properties/one-at-a-time", test_one_at_a_time);
    g_test_add_func("/properties/past", test_past);
    g_test_add_func("/properties/threads", test_threads);
    return g_test_run();
}
