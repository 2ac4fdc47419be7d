/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The critical path: its stretches fill the run without gap or overlap, and with fast-forward its
 * sums are those of the run that simulates every instruction. Cases of a few instructions are
 * checked against paths found by hand.
 */
#include "sim/listen/path.h"
#include "tests/help/build-graph.h"
#include "tests/help/random-roles.h"
#include "tests/help/random-run.h"

#define SEEDS 300
#define SEEDS_VALGRIND 10

/* Cases in a hundred of which the engine must skip a part, at least. */
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
    walked->rows = ps_path_rows(path, walked->result.ticks, error);
    walked->stretches = ps_path_stretches(path, walked->result.ticks, 0, G_MAXINT64, G_MAXUINT);
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
           a->class_index == b->class_index && a->pipeline == b->pipeline && a->warp == b->warp &&
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

static gboolean check_random(const RandomCase *random_case, const Engine *engine, gpointer skipped,
                             GError **error)
{
    (void)random_case;
    return check_machine(engine->machine, skipped, error);
}

static void test_random(void)
{
    random_run_skipping((SeedCounts){SEEDS, SEEDS_VALGRIND}, check_random, LEAST_SKIPPED);
}

/* The same where warps await others (R12). */
static void test_roles(void)
{
    guint skipped = 0;
    const RandomRun run = {.draw = random_case_new_long,
                           .refine = random_case_roles_that_end,
                           .check = check_random,
                           .data = &skipped};
    random_run((SeedCounts){SEEDS, SEEDS_VALGRIND}, &run);
    if (!g_getenv("PIPESIM_SEED"))
        g_assert_cmpuint(skipped, >, 0);
}

/* ---- by hand ------------------------------------------------------------------------------- */

/* A GPU of one CU: class "add" on pipeline 0 (lambda 1, Lambda 6), "load" on 1 (4, 20), "barrier"
 * on 2 (2, 10). */
typedef struct {
    PsIdg *idg;
    PsGpu *gpu;
    GPtrArray *body;
    PsLaunchOptions options;
    PsRefinements refinements;
} Case;

static Case case_new(const char *groups, const char *group_size)
{
    Case c = {.idg = build_idg(groups, group_size), .gpu = build_gpu(1, 3)};
    build_class(c.gpu, "add", 0, PS_RATIONAL_INT(1), PS_RATIONAL_INT(6));
    build_class(c.gpu, "load", 1, PS_RATIONAL_INT(4), PS_RATIONAL_INT(20));
    build_class(c.gpu, "barrier", 2, PS_RATIONAL_INT(2), PS_RATIONAL_INT(10));
    c.body = ps_idg_add_code(c.idg)->body;
    return c;
}

/* The rows as text: "kind node ticks/times", longest first, rows without ticks left out. */
static char *rows_of(const Case *c)
{
    const EngineRun run = {
        .idg = c->idg, .gpu = c->gpu, .options = c->options, .refinements = c->refinements};
    GString *text = g_string_new(NULL);
    g_auto(Walked) walked = {.rows = NULL};
    g_autoptr(GError) error = NULL;
    Engine engine;
    g_assert_true(engine_open(&engine, &run, &error));
    g_assert_true(walk(engine.machine, TRUE, &walked, &error));
    for (guint i = 0; walked.rows && i < walked.rows->len; i++) {
        const PsPathRow *row = walked.rows->pdata[i];
        if (row->ticks == 0)
            continue;
        g_string_append_printf(text, "%s%s ", text->len ? ", " : "", ps_path_kind_name(row->kind));
        if (row->node != G_MAXUINT)
            g_string_append_printf(
                text, "%s ", engine.kernel->programs[row->program].nodes[row->node].item->name);
        g_string_append_printf(text, "%" G_GINT64_FORMAT "/%" G_GINT64_FORMAT, row->ticks,
                               row->times);
        if (row->kind == PS_PATH_BARRIER)
            g_string_append_printf(text, " warp %u", row->warp);
    }
    engine_close(&engine);
    return g_string_free(text, FALSE);
}

static void check_case(Case *c, const char *expected)
{
    g_autofree char *rows = rows_of(c);
    g_assert_cmpstr(rows, ==, expected);
    ps_idg_free(c->idg);
    build_gpu_free(c->gpu);
}

/* One warp: loads and an addition, one after the other. */
static void test_chain(void)
{
    Case c = case_new("1", "32");
    build_node(c.body, "x", "load", "");
    build_node(c.body, "y", "load", "x");
    build_node(c.body, "f", "add", "y");
    check_case(&c, "completion x 20/1, completion y 20/1, completion f 6/1");
}

/* The second of two independent loads waits for the first's lambda. */
static void test_pipeline(void)
{
    Case c = case_new("1", "32");
    build_node(c.body, "x", "load", "");
    build_node(c.body, "y", "load", "");
    build_node(c.body, "f", "add", "x y");
    check_case(&c, "completion y 20/1, completion f 6/1, pipeline x 4/1");
}

/* x holds its warp longer than its result takes; then y's result takes longer than its hold. In the
 * next group, whose place is free before z's hold would end, it is the same again. */
static void test_hold(void)
{
    Case c = case_new("2", "32");
    c.options.active = 1;
    build_node(c.body, "x", "add", "")->hold = build_expr("9");
    build_node(c.body, "y", "load", "x")->hold = build_expr("9");
    build_node(c.body, "z", "add", "y")->hold = build_expr("6");
    check_case(&c, "completion y 40/2, hold x 18/2, completion z 12/2");
}

/* Ten warps on one pipeline: nine lambdas, and the last one's Lambda. */
static void test_saturated(void)
{
    Case c = case_new("1", "320");
    build_node(c.body, "x", "load", "");
    check_case(&c, "pipeline x 36/9, completion x 20/1");
}

/* A group that waits for a place goes on from the end of the one before. */
static void test_place(void)
{
    Case c = case_new("3", "32");
    c.options.active = 1;
    build_node(c.body, "x", "load", "");
    check_case(&c, "completion x 60/3");
}

/* The store that nobody waits for is complete after lambda (T5). */
static void test_store(void)
{
    Case c = case_new("1", "32");
    build_class(c.gpu, "global.store", 1, PS_RATIONAL_INT(8), PS_RATIONAL_INT(100));
    build_node(c.body, "x", "load", "");
    build_node(c.body, "s", "global.store", "x");
    check_case(&c, "completion x 20/1, completion s 8/1");
}

/* Warp 1 has more to do before the barrier than warp 0: the path goes through it. */
static void test_late_warp(void)
{
    Case c = case_new("1", "64");
    ps_idg_add_warps(c.idg->codes->pdata[0], build_expr("0"), NULL);
    build_node(c.body, "b", "barrier", "");
    build_node(c.body, "f", "add", "");
    GPtrArray *late = ps_idg_add_code(c.idg)->body;
    build_node(late, "x", "load", "");
    build_node(late, "y", "load", "x");
    build_node(late, "b", "barrier", "y");
    build_node(late, "f", "add", "");
    check_case(&c, "completion x 20/1, completion y 20/1, barrier b 10/1 warp 1, completion f 6/1, "
                   "pipeline f 1/1");
}

/* Warp 1 comes to no barrier; warp 0's is complete when warp 1 has ended (T6). */
static void test_absent_warp(void)
{
    Case c = case_new("1", "64");
    ps_idg_add_warps(c.idg->codes->pdata[0], build_expr("0"), NULL);
    build_node(c.body, "b", "barrier", "");
    build_node(c.body, "f", "add", "");
    GPtrArray *absent = ps_idg_add_code(c.idg)->body;
    build_node(absent, "x", "load", "");
    build_node(absent, "y", "load", "x");
    check_case(&c, "completion x 20/1, completion y 20/1, completion f 6/1");
}

/* In a loop most of which is skipped, the path finds what each instance of an iteration waited for:
 * barriers of that one, not those in front of the loop. */
static void test_skipped_barriers(void)
{
    Case c = case_new("1", "32");
    Engine engine;
    g_autoptr(GError) error = NULL;
    guint skipped = 0;
    build_node(c.body, "a", "barrier", "");
    build_node(c.body, "d", "barrier", "");
    GPtrArray *loop = build_loop(c.body, "2000");
    build_node(loop, "x", "load", "");
    build_node(loop, "b", "barrier", "x");
    build_node(loop, "c", "barrier", "b");
    g_assert_true(engine_open(&engine, &(EngineRun){.idg = c.idg, .gpu = c.gpu}, &error));
    g_assert_true(check_machine(engine.machine, &skipped, &error));
    g_assert_cmpuint(skipped, ==, 1);
    engine_close(&engine);
    check_case(&c, "completion x 40000/2000, barrier b 20000/2000 warp 0, barrier c 20000/2000 "
                   "warp 0, barrier a 10/1 warp 0, barrier d 10/1 warp 0");
}

/* Launches three cycles apart, ready five cycles after (R5). */
static void test_launches(void)
{
    Case c = case_new("3", "32");
    c.refinements.overheads = TRUE;
    c.gpu->overheads.group_launch = PS_RATIONAL_INT(5);
    c.gpu->overheads.group_interval = PS_RATIONAL_INT(30);
    c.gpu->limits.groups = 8;
    build_node(c.body, "x", "load", "");
    check_case(&c, "launch 65/3, completion x 20/1");
}

/* The place of a group that ended takes seven cycles to take the next (R5). */
static void test_turnaround(void)
{
    Case c = case_new("3", "32");
    c.options.active = 1;
    c.refinements.overheads = TRUE;
    c.gpu->overheads.turnaround = PS_RATIONAL_INT(7);
    build_node(c.body, "x", "load", "");
    check_case(&c, "completion x 60/3, place 14/2");
}

/* Memory on pipeline 1 that answers after 100 cycles and moves 8 bytes in each: those that a warp
 * loads or stores, 4 for each thread, in 16. */
static void add_memory(Case *c)
{
    c->refinements.levels = TRUE;
    c->gpu->clock = PS_RATIONAL_INT(1000);
    c->gpu->memory.pipeline = 1;
    c->gpu->memory.request = PS_RATIONAL_INT(4);
    PsMemoryLevel *device = ps_gpu_add_level(c->gpu, PS_LEVEL_DEVICE);
    device->bandwidth = PS_RATIONAL_INT(8);
    device->latency = PS_RATIONAL_INT(100);
    g_assert_true(ps_gpu_derive(c->gpu, NULL));
}

/* The second load issues four cycles after the first, but memory moves that until 16 (R7). */
static void test_memory(void)
{
    Case c = case_new("1", "32");
    add_memory(&c);
    build_node(c.body, "x", "global.load", "");
    build_node(c.body, "y", "global.load", "");
    build_node(c.body, "f", "add", "x y");
    check_case(&c, "completion y 100/1, memory y 12/1, completion f 6/1, pipeline x 4/1");
}

/* The warp is done with its store after lambda, memory twelve cycles later (R7). */
static void test_drain(void)
{
    Case c = case_new("1", "32");
    add_memory(&c);
    build_node(c.body, "s", "global.store", "");
    check_case(&c, "drain 12/1, completion s 4/1");
}

/* The first instructions and the arguments come from memory, one after the other (R5 with R7). */
static void test_fetch(void)
{
    Case c = case_new("1", "32");
    add_memory(&c);
    c.refinements.overheads = TRUE;
    c.gpu->overheads.group_launch = PS_RATIONAL_INT(5);
    build_node(c.body, "x", "global.load", "");
    check_case(&c, "launch 200/1, completion x 100/1");
}

/* One scheduler that issues every cycle: what is ready waits for its port. */
static void test_port(void)
{
    Case c = case_new("1", "64");
    c.refinements.schedulers = 1;
    c.refinements.issue_width = PS_RATIONAL_INT(1);
    build_node(c.body, "x", "load", "");
    build_node(c.body, "f", "add", "");
    check_case(&c, "completion x 20/1, pipeline x 4/1");
}

/* Three reads of a bank within a window of one cycle: x keeps its port for two cycles more than
 * without, y for four (R10). The other scheduler's z issues a cycle after this one's. */
static void test_banks(void)
{
    Case c = case_new("1", "64");
    c.refinements.schedulers = 2;
    c.refinements.issue_width = PS_RATIONAL_INT(1);
    c.gpu->read_window = 1;
    build_node(c.body, "x", "add", "")->banks[0] = 3;
    build_node(c.body, "y", "add", "")->banks[0] = 3;
    build_node(c.body, "z", "add", "")->banks[0] = 3;
    check_case(&c, "completion z 6/1, port y 5/1, port x 3/1, pipeline z 1/1");
}

/* Two loads may wait for their pipeline, which begins with x at 0, y at 4, z at 8, w at 12 (R11).
 * When it begins with y, w issues, and g after it. Of w's result, f waits longest for what was
 * before it in the pipeline. */
static void check_queue(const char *last, const char *after, const char *expected)
{
    Case c = case_new("1", "32");
    c.refinements.schedulers = 1;
    c.refinements.issue_width = PS_RATIONAL_INT(1);
    c.refinements.order = PS_ORDER_PROGRAM;
    ((PsPipeline *)c.gpu->pipelines->pdata[1])->queue = 2;
    build_class(c.gpu, "long", 0, PS_RATIONAL_INT(1), PS_RATIONAL_INT(100));
    build_node(c.body, "x", "load", "");
    build_node(c.body, "y", "load", "");
    build_node(c.body, "z", "load", "");
    build_node(c.body, "w", "load", "");
    build_node(c.body, "g", last, after);
    check_case(&c, expected);
}

static void test_queue(void)
{
    check_queue("add", "w",
                "completion w 20/1, completion g 6/1, pipeline x 4/1, pipeline y 4/1, pipeline z "
                "4/1");
    check_queue("long", "", "completion g 100/1, pipeline x 4/1, port w 1/1");
}

/* A node with so many instances that a record cannot tell their places in program order apart. */
static void test_too_long(void)
{
    Case c = case_new("1", "1024");
    GPtrArray *loop = build_loop(c.body, "9007199254740992"); /* 2^53 */
    for (guint i = 0; i < 8; i++) {
        g_autofree char *name = g_strdup_printf("f%u", i);
        build_node(loop, name, "add", name);
    }
    const EngineRun run = {
        .idg = c.idg, .gpu = c.gpu, .options = c.options, .refinements = c.refinements};
    g_auto(Walked) walked = {.rows = NULL};
    g_autoptr(GError) error = NULL;
    Engine engine;
    g_assert_true(engine_open(&engine, &run, &error));
    g_assert_false(walk(engine.machine, FALSE, &walked, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_LIMIT);
    g_assert_cmpstr(error ? error->message : NULL, ==,
                    "the critical path is not kept of warps with more than 2^55 instructions");
    engine_close(&engine);
    ps_idg_free(c.idg);
    build_gpu_free(c.gpu);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/path/chain", test_chain);
    g_test_add_func("/path/pipeline", test_pipeline);
    g_test_add_func("/path/hold", test_hold);
    g_test_add_func("/path/saturated", test_saturated);
    g_test_add_func("/path/place", test_place);
    g_test_add_func("/path/store", test_store);
    g_test_add_func("/path/late-warp", test_late_warp);
    g_test_add_func("/path/absent-warp", test_absent_warp);
    g_test_add_func("/path/skipped-barriers", test_skipped_barriers);
    g_test_add_func("/path/launches", test_launches);
    g_test_add_func("/path/turnaround", test_turnaround);
    g_test_add_func("/path/memory", test_memory);
    g_test_add_func("/path/drain", test_drain);
    g_test_add_func("/path/fetch", test_fetch);
    g_test_add_func("/path/port", test_port);
    g_test_add_func("/path/banks", test_banks);
    g_test_add_func("/path/queue", test_queue);
    g_test_add_func("/path/too-long", test_too_long);
    g_test_add_func("/path/random", test_random);
    g_test_add_func("/path/roles", test_roles);
    return g_test_run();
}
