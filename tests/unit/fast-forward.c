/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Skipping time must change nothing: each random long case runs twice, once simulating every
 * instruction and once not, and must give the same ticks, instructions and statistics, and what is
 * heard of groups in the one run must be heard in the other.
 *
 *     PIPESIM_SEEDS=10000 build/tests/unit/fast-forward.t        more seeds than the usual ones
 *     PIPESIM_SEED=4711 build/tests/unit/fast-forward.t          that one alone
 *     PIPESIM_REFINEMENTS="R1 R3" build/tests/unit/fast-forward.t    only these, "" for none
 */
#include "sim/listen/stats.h"
#include "tests/help/build-graph.h"
#include "tests/help/random-roles.h"
#include "tests/help/random-run.h"

#include <string.h>

#define SEEDS 300
#define SEEDS_VALGRIND 10

/* Cases in a hundred of which the engine must skip a part, at least. */
#define LEAST_SKIPPED 50

/* ---- what a run tells ---------------------------------------------------------------------- */

/* A launch or an end; all of the same size, so that there is no padding to compare. */
typedef struct {
    gint64 time, finished, cu, n_cus, group, step;
} GroupEvent;

typedef struct {
    PsSimResult result;
    GPtrArray *rows[3]; /* pipelines, classes, lines */
    GPtrArray *servers;
    double occupancy;
    /* heard and skipped, which together must be all that there is */
    gint64 instructions;
    gint64 launched;
    gint64 finished;
    gint64 skips;
    guint cu;              /* the first of those that are heard of now */
    gint64 skipped_ticks;  /* by them */
    gint64 cu_end;         /* when the latest group of those ended */
    gint64 end;            /* of the latest ones so far */
    gint64 skipped_to_end; /* by those */
    GArray *groups;        /* GroupEvent */
    gint64 marked;         /* how often */
    gboolean odd;          /* a skip makes no sense */
} Told;

static void note(Told *told, gint64 time, gboolean finished, const PsGroups *groups)
{
    const GroupEvent event = {time,          finished,      groups->cu,
                              groups->n_cus, groups->group, groups->step};
    g_array_append_val(told->groups, event);
}

static void on_launched(void *self, gint64 time, const PsGroups *groups)
{
    Told *told = self;
    note(told, time, FALSE, groups);
    told->launched += groups->n_cus;
    if (told->cu != groups->cu)
        told->skipped_ticks = told->cu_end = 0;
    told->cu = groups->cu;
}

/* A group of these CUs has ended. */
static void end_at(Told *told, gint64 time)
{
    told->cu_end = time;
    if (time > told->end)
        told->skipped_to_end = told->skipped_ticks;
    told->end = MAX(told->end, time);
}

static void on_finished(void *self, gint64 time, const PsGroups *groups)
{
    Told *told = self;
    note(told, time, TRUE, groups);
    told->finished += groups->n_cus;
    end_at(told, time);
}

static void on_issued(void *self, gint64 time, gint64 ready, const PsInstance *instance)
{
    (void)time;
    (void)ready;
    ((Told *)self)->instructions += instance->of.n_cus;
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
    if (skip->groups > 0 && told->cu_end > skip->from - skip->period)
        end_at(told, told->cu_end + skip->to - skip->from); /* maybe the last, of an empty CU */
    told->odd = told->odd || told->marked == 0 || skip->times < 1 || skip->period < 1 ||
                skip->from < skip->period || skip->cu != told->cu ||
                skip->to - skip->from != skip->times * skip->period;
}

static void told_clear(Told *told)
{
    for (guint i = 0; i < G_N_ELEMENTS(told->rows); i++)
        g_clear_pointer(&told->rows[i], g_ptr_array_unref);
    g_clear_pointer(&told->servers, g_ptr_array_unref);
    g_clear_pointer(&told->groups, g_array_unref);
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
    const PsSimOptions options = {.listeners = listeners,
                                  .n_listeners = G_N_ELEMENTS(listeners),
                                  .no_fast_forward = every_one};
    told->groups = g_array_new(FALSE, FALSE, sizeof(GroupEvent));
    if (!ps_sim_run(machine, &options, &told->result, error))
        return FALSE;
    told->rows[0] = ps_stats_pipelines(stats);
    told->rows[1] = ps_stats_classes(stats);
    told->rows[2] = ps_stats_lines(stats);
    told->servers = ps_stats_servers(stats);
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
    same = equal("delayed", hurried->delayed, every->delayed) && same;
    same = equal("units", hurried->units, every->units) && same;
    if (!same)
        g_test_message("in the row of %s", every->name);
    return same;
}

/* A server is never busy for longer than the run takes. */
static gboolean equal_servers(const Told *hurried, const Told *every)
{
    gboolean same = equal("number of servers", hurried->servers->len, every->servers->len);
    for (guint i = 0; same && i < every->servers->len; i++) {
        const PsServerRow *a = hurried->servers->pdata[i], *b = every->servers->pdata[i];
        same = equal("visits", a->visits, b->visits) && equal("busy", a->busy, b->busy);
        if (b->busy / b->units > every->result.ticks)
            same = equal("busy beyond the end", b->busy / b->units, every->result.ticks);
        if (!same)
            g_test_message("in the row of the server %s", b->name);
    }
    return same;
}

static gboolean equal_statistics(const Told *hurried, const Told *every)
{
    gboolean same = equal_servers(hurried, every);
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

static int compare_group_events(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(GroupEvent));
}

/* Whatever is heard of groups in the run that skips is heard in the other. */
static gboolean heard_in(const Told *hurried, const Told *every)
{
    guint at = 0;
    g_array_sort(hurried->groups, compare_group_events);
    g_array_sort(every->groups, compare_group_events);
    for (guint i = 0; i < hurried->groups->len; i++) {
        const GroupEvent *event = &g_array_index(hurried->groups, GroupEvent, i);
        while (at < every->groups->len &&
               compare_group_events(&g_array_index(every->groups, GroupEvent, at), event) < 0)
            at++;
        if (at < every->groups->len &&
            compare_group_events(&g_array_index(every->groups, GroupEvent, at), event) == 0)
            continue;
        g_test_message("group %" G_GINT64_FORMAT " of CU %" G_GINT64_FORMAT
                       " should not be %s at tick %" G_GINT64_FORMAT,
                       event->group, event->cu, event->finished ? "done" : "launched", event->time);
        return FALSE;
    }
    return TRUE;
}

/* What was heard and what was skipped make up the result. */
static gboolean complete(const char *which, const Told *told, gint64 groups)
{
    gboolean all = equal("instructions heard", told->instructions, told->result.instructions);
    if (told->result.instructions > 0) {
        all = equal("groups launched", told->launched, groups) && all;
        all = equal("groups finished", told->finished, groups) && all;
    }
    all = equal("skips", told->skips, told->result.skips) && all;
    all = equal("skipped ticks", told->skipped_to_end, told->result.skipped_ticks) && all;
    if (told->odd)
        g_test_message("a skip contradicts itself");
    if (!all || told->odd)
        g_test_message("in the run that %s", which);
    return all && !told->odd;
}

static gboolean same(gint64 groups, const PsMachine *machine, guint *skipped, GError **error)
{
    g_auto(Told) hurried = {.odd = FALSE}, every = {.odd = FALSE};
    if (!simulate(machine, FALSE, &hurried, error) || !simulate(machine, TRUE, &every, error))
        return FALSE;
    *skipped += hurried.result.skips > 0;
    gboolean good = equal("ticks", hurried.result.ticks, every.result.ticks);
    good = equal("instructions", hurried.result.instructions, every.result.instructions) && good;
    good = equal("skips when told not to", every.result.skips, 0) && good;
    good = equal_statistics(&hurried, &every) && good;
    good = heard_in(&hurried, &every) && good;
    good = complete("may skip", &hurried, groups) && good;
    return complete("must not skip", &every, groups) && good;
}

/* A run that nobody listens to looks harder for what repeats, and comes to the same end. */
static gboolean same_alone(const PsMachine *machine, GError **error)
{
    PsSimResult alone, every;
    const PsSimOptions whole = {.no_fast_forward = TRUE};
    if (!ps_sim_run(machine, NULL, &alone, error) || !ps_sim_run(machine, &whole, &every, error))
        return FALSE;
    const gboolean good = equal("ticks alone", alone.ticks, every.ticks);
    return equal("instructions alone", alone.instructions, every.instructions) && good;
}

static gboolean check_case(const RandomCase *random_case, const Engine *engine, gpointer skipped,
                           GError **error)
{
    return same(random_case_run(random_case).groups, engine->machine, skipped, error) &&
           same_alone(engine->machine, error);
}

static void test_same(void)
{
    random_run_skipping((SeedCounts){SEEDS, SEEDS_VALGRIND}, check_case, LEAST_SKIPPED);
}

/* With warps that await others (R12), of which some wait for ever, whether time is skipped or not.
 */
typedef struct {
    guint skipped, waits, halted;
} Roles;

static gboolean check_roles(const RandomCase *random_case, const Engine *engine, gpointer data,
                            GError **error)
{
    Roles *roles = data;
    g_autoptr(GError) halt = NULL;
    PsSimResult result;
    const PsSimOptions whole = {.no_fast_forward = TRUE};
    guint skipped = 0;
    const gboolean waits = ps_idg_has_awaits(random_case->idg);
    if (ps_sim_run(engine->machine, &whole, &result, &halt)) {
        const gboolean good = check_case(random_case, engine, &skipped, error);
        roles->skipped += waits && skipped > 0;
        roles->waits += waits;
        return good;
    }
    roles->halted++;
    return strstr(halt->message, "for ever") &&
           !ps_sim_run(engine->machine, NULL, &result, error) && (g_clear_error(error), TRUE);
}

static void test_roles(void)
{
    Roles roles = {0};
    const RandomRun run = {.draw = random_case_new_long,
                           .refine = random_case_roles,
                           .check = check_roles,
                           .data = &roles};
    const guint cases = random_run((SeedCounts){SEEDS, SEEDS_VALGRIND}, &run);
    g_test_message(
        "of %u cases %u have warps that await others, and of %u of these time is skipped; "
        "%u halt",
        cases, roles.waits, roles.skipped, roles.halted);
    if (!g_getenv("PIPESIM_SEED"))
        g_assert_cmpuint(roles.skipped * 4, >, roles.waits);
}

/* Groups that repeat from the 700th on, in periods of 64, while states are kept at launches 511 and
 * 1023: by hashes the period is found at once, and within each group that of its loop when it has
 * come once; what is left of it is skipped from a moment within it. With listeners the period of a
 * later wave is found where those before it began. */
static void test_looks_harder(void)
{
    g_autoptr(PsIdg) idg = ps_idg_load("graphs/mmul08.idg", NULL);
    g_autoptr(PsGpu) gpu = ps_gpu_load("gpus/pascal.xml", NULL);
    g_autoptr(GError) error = NULL;
    g_auto(Told) told = {.odd = FALSE};
    PsSimResult alone;
    Engine engine;
    const EngineRun run = {.idg = idg, .gpu = gpu, .options = {.groups = 16384}};
    g_assert_true(engine_open(&engine, &run, &error));
    g_assert_true(simulate(engine.machine, FALSE, &told, &error));
    g_assert_true(ps_sim_run(engine.machine, NULL, &alone, &error));
    g_assert_cmpint(alone.ticks, ==, told.result.ticks);
    g_assert_cmpint(alone.simulated, <, 1260000);
    g_assert_cmpint(told.result.simulated, <, 1800000);
    engine_close(&engine);
}

/* The groups that are on the CUs at the start got there one by one, those that follow in pairs: the
 * groups on each of two schedulers are done one after the other, and at the same time as those of
 * the other scheduler. So the numbers of groups follow another rule than they did at first. */
static void test_numbers(void)
{
    PsIdg *idg = build_idg("1000", "32");
    PsGpu *gpu = build_gpu(3, 1);
    guint skipped = 0;
    g_autoptr(GError) error = NULL;
    build_class(gpu, "add", 0, PS_RATIONAL_INT(1), PS_RATIONAL_INT(3));
    ((PsPipeline *)gpu->pipelines->pdata[0])->per_scheduler = TRUE;
    build_node(build_loop(ps_idg_add_code(idg)->body, "10"), "x", "add", "");
    const EngineRun run = {
        .idg = idg,
        .gpu = gpu,
        .options = {.active = 6},
        .refinements = {
            .schedulers = 2, .issue_width = {1, 1}, .policy = PS_POLICY_OLDEST, .all_cus = TRUE}};
    Engine engine;
    g_assert_true(engine_open(&engine, &run, &error));
    g_assert_true(same(1000, engine.machine, &skipped, &error));
    g_assert_cmpuint(skipped, ==, 1);
    engine_close(&engine);
    ps_idg_free(idg);
    build_gpu_free(gpu);
}

/* When warp 2's loop goes round, warps 0 and 1 stand at the barrier, which holds warp 0 beyond that
 * barrier's end: each time by one cycle less, since its hold is two cycles shorter than the loop
 * takes. Only how long it still holds tells one iteration from the next, until it is over. */
static void test_hold_at_a_barrier(void)
{
    PsIdg *idg = build_idg("1", "96");
    PsGpu *gpu = build_gpu(1, 4);
    guint skipped = 0;
    g_autoptr(GError) error = NULL;
    build_class(gpu, "add", 0, PS_RATIONAL_INT(1), PS_RATIONAL_INT(1));
    build_class(gpu, "mul", 3, PS_RATIONAL_INT(1), PS_RATIONAL_INT(58));
    build_class(gpu, "load", 1, PS_RATIONAL_INT(1), PS_RATIONAL_INT(60));
    build_class(gpu, "barrier", 2, PS_RATIONAL_INT(1), PS_RATIONAL_INT(1));
    PsIdgCode *code = ps_idg_add_code(idg);
    ps_idg_add_warps(code, build_expr("0"), NULL);
    GPtrArray *loop = build_loop(code->body, "400");
    build_node(loop, "b", "barrier", "")->hold = build_expr("119");
    build_node(loop, "c", "add", "");
    build_node(code->body, "z1", "load", "");
    build_node(code->body, "z2", "load", "z1");
    build_node(code->body, "z3", "load", "z2");
    code = ps_idg_add_code(idg);
    ps_idg_add_warps(code, build_expr("1"), NULL);
    loop = build_loop(code->body, "400");
    build_node(loop, "b", "barrier", "m");
    build_node(loop, "m", "mul", "");
    loop = build_loop(ps_idg_add_code(idg)->body, "400");
    build_node(loop, "b", "barrier", "y");
    build_node(loop, "x", "load", "");
    build_node(loop, "y", "load", "x");
    const EngineRun run = {.idg = idg, .gpu = gpu, .refinements = {.order = PS_ORDER_PROGRAM}};
    Engine engine;
    g_assert_true(engine_open(&engine, &run, &error));
    g_assert_true(same(1, engine.machine, &skipped, &error));
    g_assert_cmpuint(skipped, ==, 1);
    engine_close(&engine);
    ps_idg_free(idg);
    build_gpu_free(gpu);
}

/* ---- instances that wait across iterations ------------------------------------------------- */

typedef struct {
    const char *inner, *outer; /* trips */
    gint64 f, g, z, c, x;      /* Lambda of f, g, z and c, lambda of x */
    gint64 h, pipe;            /* lambda of h and z */
    PsPolicy policy;
    gint64 schedulers;
} Straddle;

/* Instances of x may wait from one iteration of the outer loop into the next: to z, which shares
 * their pipeline, they then stand before, else behind it. */
static PsIdg *straddling_graph(const Straddle *straddle)
{
    PsIdg *idg = build_idg("1", "32");
    GPtrArray *body = ps_idg_add_code(idg)->body;
    build_node(body, "h", "h", "");
    GPtrArray *outer = build_loop(body, straddle->outer);
    GPtrArray *first = build_loop(outer, straddle->inner);
    build_node(first, "f", "f", "f");
    build_node(first, "c", "c", "f");
    build_node(first, "x", "x", "c");
    GPtrArray *second = build_loop(outer, straddle->inner);
    build_node(second, "g", "g", "g");
    build_node(second, "z", "z", "g");
    build_node(second, "y", "y", "z");
    return idg;
}

static PsGpu *straddling_gpu(const Straddle *straddle)
{
    const PsRational one = PS_RATIONAL_INT(1);
    PsGpu *gpu = build_gpu(1, 6);
    build_class(gpu, "y", 5, one, one);
    build_class(gpu, "f", 0, one, PS_RATIONAL_INT(straddle->f));
    build_class(gpu, "c", 3, one, PS_RATIONAL_INT(straddle->c));
    build_class(gpu, "h", 1, PS_RATIONAL_INT(straddle->h), one);
    build_class(gpu, "g", 1, one, PS_RATIONAL_INT(straddle->g));
    build_class(gpu, "x", 2, PS_RATIONAL_INT(straddle->x), PS_RATIONAL_INT(20));
    build_class(gpu, "z", 2, PS_RATIONAL_INT(straddle->pipe), PS_RATIONAL_INT(straddle->z));
    return gpu;
}

static void test_straddling(void)
{
    static const Straddle cases[] = {{"78", "3", 6, 6, 10, 72, 3, 474, 2, PS_POLICY_FIFO, 0},
                                     {"54", "5", 4, 2, 2, 210, 1, 482, 1, PS_POLICY_OLDEST, 1}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        PsIdg *idg = straddling_graph(&cases[i]);
        PsGpu *gpu = straddling_gpu(&cases[i]);
        const EngineRun run = {.idg = idg,
                               .gpu = gpu,
                               .refinements = {.policy = cases[i].policy,
                                               .schedulers = cases[i].schedulers,
                                               .issue_width = PS_RATIONAL_INT(4)}};
        Engine engine;
        g_autoptr(GError) error = NULL;
        guint skipped = 0;
        g_assert_true(engine_open(&engine, &run, &error));
        g_assert_true(same(1, engine.machine, &skipped, &error));
        engine_close(&engine);
        build_gpu_free(gpu);
        ps_idg_free(idg);
    }
}

/* ---- loops that go at different speeds ----------------------------------------------------- */

/* Two chains of one warp, of 20 and of 6 cycles for each trip: in 60 cycles all is as before, but
 * for counters that fell by 3 and by 10, so that one loop ends long before the other. */
static void test_two_speeds(void)
{
    static const char *const trips[][2] = {{"500", "500"}, {"500", "90"}, {"90", "500"}};
    for (guint i = 0; i < G_N_ELEMENTS(trips); i++) {
        PsIdg *idg = build_idg("1", "32");
        PsGpu *gpu = build_gpu(1, 2);
        GPtrArray *body = ps_idg_add_code(idg)->body;
        Engine engine;
        g_autoptr(GError) error = NULL;
        guint skipped = 0;
        build_class(gpu, "f", 0, PS_RATIONAL_INT(1), PS_RATIONAL_INT(20));
        build_class(gpu, "g", 1, PS_RATIONAL_INT(1), PS_RATIONAL_INT(6));
        build_node(build_loop(body, trips[i][0]), "f", "f", "f");
        build_node(build_loop(body, trips[i][1]), "g", "g", "g");
        g_assert_true(engine_open(&engine, &(EngineRun){.idg = idg, .gpu = gpu}, &error));
        g_assert_true(same(1, engine.machine, &skipped, &error));
        engine_close(&engine);
        build_gpu_free(gpu);
        ps_idg_free(idg);
    }
}

/* Two warps keep a pipeline busy. By gty these are of the greatest slots: three of five groups
 * wait until all others have come. With a turnaround one of them goes on by some trips of its loop
 * while a place is free: it is there throughout a period in which other groups come and go. */
static void test_starving(void)
{
    static const struct {
        gint64 turnaround;
        const char *trips;
    } cases[] = {{0, "40"}, {7, "40"}, {90, "4000"}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        PsIdg *idg = build_idg("700", "32");
        PsGpu *gpu = build_gpu(1, 1);
        const EngineRun run = {
            .idg = idg,
            .gpu = gpu,
            .options.active = 5,
            .refinements = {.order = PS_ORDER_PROGRAM, .policy = PS_POLICY_GTY, .overheads = TRUE}};
        Engine engine;
        g_autoptr(GError) error = NULL;
        guint skipped = 0;
        gpu->overheads.turnaround = PS_RATIONAL_INT(cases[i].turnaround);
        build_class(gpu, "f", 0, PS_RATIONAL_INT(10), PS_RATIONAL_INT(20));
        build_node(build_loop(ps_idg_add_code(idg)->body, cases[i].trips), "f", "f", "f");
        g_assert_true(engine_open(&engine, &run, &error));
        g_assert_true(same(700, engine.machine, &skipped, &error));
        g_assert_cmpuint(skipped, ==, 1);
        engine_close(&engine);
        build_gpu_free(gpu);
        ps_idg_free(idg);
    }
}

/* In program order three warps meet at each barrier, in loops that end at different times: while
 * one goes round its one loop, each of the others comes to the end of an inner loop now and then,
 * so that two of its counters fall. */
static void test_three_codes(void)
{
    PsIdg *idg = build_idg("1", "96");
    PsGpu *gpu = build_gpu(1, 1);
    Engine engine;
    GPtrArray *body[3];
    g_autoptr(GError) error = NULL;
    guint skipped = 0;
    build_class(gpu, "a", 0, PS_RATIONAL_INT(3), PS_RATIONAL_INT(6));
    build_class(gpu, "barrier", 0, PS_RATIONAL_INT(2), PS_RATIONAL_INT(3));
    for (guint warp = 0; warp < G_N_ELEMENTS(body); warp++) {
        g_autofree char *number = g_strdup_printf("%u", warp);
        PsIdgCode *code = ps_idg_add_code(idg);
        ps_idg_add_warps(code, build_expr(number), NULL);
        body[warp] = code->body;
    }
    GPtrArray *loop = build_loop(body[0], "1116");
    build_node(loop, "b", "barrier", "");
    build_node(loop, "c", "barrier", "");
    build_node(loop, "x", "a", "c");
    build_node(loop, "d", "barrier", "");
    loop = build_loop(body[1], "40");
    build_node(loop, "b", "barrier", "");
    build_node(loop, "x", "a", "b");
    loop = build_loop(loop, "55");
    build_node(loop, "c", "barrier", "");
    build_node(loop, "d", "barrier", "");
    loop = build_loop(body[2], "19");
    build_node(loop, "b", "barrier", "");
    loop = build_loop(loop, "58");
    build_node(loop, "c", "barrier", "");
    build_node(loop, "d", "barrier", "");
    build_node(loop, "x", "a", "d");
    build_node(loop, "e", "barrier", "");
    const EngineRun run = {.idg = idg, .gpu = gpu, .refinements = {.order = PS_ORDER_PROGRAM}};
    g_assert_true(engine_open(&engine, &run, &error));
    g_assert_true(same(1, engine.machine, &skipped, &error));
    g_assert_cmpuint(skipped, ==, 1);
    engine_close(&engine);
    build_gpu_free(gpu);
    ps_idg_free(idg);
}

/* ---- device memory with a window (R7) ------------------------------------------------------ */

/* Memory on pipeline 1 that takes 16 cycles for a load of a warp. The more of that is left, the
 * longer the next one waits. */
static void add_busy_memory(PsGpu *gpu)
{
    PsMemoryLevel *device = ps_gpu_add_level(gpu, PS_LEVEL_DEVICE);
    device->bandwidth = PS_RATIONAL_INT(8);
    device->latency = PS_RATIONAL_INT(100);
    gpu->memory.pipeline = 1;
    gpu->memory.request = PS_RATIONAL_INT(4);
    gpu->memory.queue = gpu->memory.queue_mixed = PS_RATIONAL_INT(32);
    gpu->memory.window = PS_RATIONAL_INT(64);
    g_assert_true(ps_gpu_derive(gpu, NULL));
}

/* Nobody asks memory in the loop, most of whose time is skipped: memory has done its work when the
 * second load comes, whether the first was at tick 0 or later. */
static void test_memory_at_work(void)
{
    for (guint late = 0; late < 2; late++) {
        PsIdg *idg = build_idg("1", "32");
        PsGpu *gpu = build_gpu(1, 2);
        guint skipped = 0;
        g_autoptr(GError) error = NULL;
        build_class(gpu, "add", 0, PS_RATIONAL_INT(1), PS_RATIONAL_INT(6));
        add_busy_memory(gpu);
        GPtrArray *body = ps_idg_add_code(idg)->body;
        if (late == 1)
            build_node(body, "a", "add", "");
        build_node(body, "x", "global.load", late == 1 ? "a" : "");
        build_node(build_loop(body, "400"), "f", "add", "f");
        build_node(body, "y", "global.load", "f");
        const EngineRun run = {
            .idg = idg, .gpu = gpu, .refinements = {.order = PS_ORDER_PROGRAM, .levels = TRUE}};
        Engine engine;
        g_assert_true(engine_open(&engine, &run, &error));
        g_assert_true(same(1, engine.machine, &skipped, &error));
        g_assert_cmpuint(skipped, ==, 1);
        engine_close(&engine);
        build_gpu_free(gpu);
        ps_idg_free(idg);
    }
}

/* ---- banks of registers (R10) -------------------------------------------------------------- */

/* x keeps its bank until 5. The loop begins at 3.5 and goes round each half cycle. From 5 on the
 * bank is free; y, whose three reads have a window of one cycle, would wait for it and delay z
 * until 7. */
static void test_banks_just_free(void)
{
    PsIdg *idg = build_idg("1", "32");
    PsGpu *gpu = build_gpu(1, 1);
    guint skipped = 0;
    g_autoptr(GError) error = NULL;
    const PsRational half = {1, 2};
    build_class(gpu, "add", 0, half, half);
    gpu->read_window = 1;
    GPtrArray *body = ps_idg_add_code(idg)->body;
    PsIdgItem *x = build_node(body, "x", "add", "");
    x->banks[0] = 3;
    x->hold = build_expr("3.5");
    build_node(build_loop(body, "400"), "f", "add", "");
    build_node(body, "y", "add", "")->banks[0] = 3;
    build_node(body, "z", "add", "");
    const EngineRun run = {.idg = idg,
                           .gpu = gpu,
                           .refinements = {.order = PS_ORDER_PROGRAM,
                                           .schedulers = 1,
                                           .issue_width = PS_RATIONAL_INT(2)}};
    Engine engine;
    g_assert_true(engine_open(&engine, &run, &error));
    g_assert_true(same(1, engine.machine, &skipped, &error));
    g_assert_cmpuint(skipped, ==, 1);
    engine_close(&engine);
    build_gpu_free(gpu);
    ps_idg_free(idg);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/fast-forward/same", test_same);
    g_test_add_func("/fast-forward/roles", test_roles);
    g_test_add_func("/fast-forward/looks-harder", test_looks_harder);
    g_test_add_func("/fast-forward/numbers", test_numbers);
    g_test_add_func("/fast-forward/straddling", test_straddling);
    g_test_add_func("/fast-forward/two-speeds", test_two_speeds);
    g_test_add_func("/fast-forward/starving", test_starving);
    g_test_add_func("/fast-forward/three-codes", test_three_codes);
    g_test_add_func("/fast-forward/hold-at-a-barrier", test_hold_at_a_barrier);
    g_test_add_func("/fast-forward/memory-at-work", test_memory_at_work);
    g_test_add_func("/fast-forward/banks-just-free", test_banks_just_free);
    return g_test_run();
}
