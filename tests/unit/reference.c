/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The engine against the slow, literal implementation of T1 to T9 and the refinements: random
 * graphs must give the same cycles, the same number of instructions and the same events. A failing
 * case is printed whole.
 *
 *     PIPESIM_SEEDS=100000 build/tests/unit/reference.t      more seeds than the usual ones
 *     PIPESIM_SEED=4711 build/tests/unit/reference.t         that one alone
 *     PIPESIM_REFINEMENTS="R1 R3" build/tests/unit/reference.t   only these refinements, "" for
 * none
 */
#include "tests/help/by-hand.h"
#include "tests/help/random-refine.h"
#include "tests/help/random-roles.h"
#include "tests/help/random-run.h"
#include "tests/help/reference-expand.h"

#include <string.h>

#define SEEDS 2000
#define SEEDS_VALGRIND 100

/* Engine ticks as ticks of the reference; -1 where that is no whole number. */
static gint64 rescale(gint64 ticks, gint64 ticks_per_cycle)
{
    gint64 scaled = ticks * RANDOM_TICKS_PER_CYCLE;
    return scaled % ticks_per_cycle == 0 ? scaled / ticks_per_cycle : -1;
}

static void rescale_events(GArray *events, gint64 ticks_per_cycle)
{
    for (guint i = 0; i < events->len; i++) {
        RefEvent *event = &g_array_index(events, RefEvent, i);
        event->time = rescale(event->time, ticks_per_cycle);
        event->ready = rescale(event->ready, ticks_per_cycle);
    }
}

/* FALSE, having said which is the first that differs, if the lists are not equal. */
static gboolean same_events(const GArray *real, const GArray *reference)
{
    for (guint i = 0; i < MAX(real->len, reference->len); i++) {
        const RefEvent *a = i < real->len ? &g_array_index(real, RefEvent, i) : NULL;
        const RefEvent *b = i < reference->len ? &g_array_index(reference, RefEvent, i) : NULL;
        if (a && b && ref_event_equal(a, b))
            continue;
        g_autofree char *says = a ? ref_event_text(a) : g_strdup("nothing more");
        g_autofree char *should = b ? ref_event_text(b) : g_strdup("nothing more");
        g_test_message("event %u is \"%s\", should be \"%s\"", i, says, should);
        return FALSE;
    }
    return TRUE;
}

static gboolean same_numbers(const PsSimResult *real, gint64 ticks_per_cycle,
                             const RefResult *reference)
{
    PsRational cycles;
    ps_rational_make(reference->ticks, RANDOM_TICKS_PER_CYCLE, &cycles);
    if (ps_rational_cmp(real->cycles, cycles) == 0 &&
        rescale(real->ticks, ticks_per_cycle) == reference->ticks &&
        real->instructions == reference->instructions)
        return TRUE;
    g_autofree char *says = ps_rational_format(real->cycles);
    g_autofree char *should = ps_rational_format(cycles);
    g_test_message("%s cycles and %" G_GINT64_FORMAT " instructions, should be %s and "
                   "%" G_GINT64_FORMAT,
                   says, real->instructions, should, reference->instructions);
    return FALSE;
}

static gboolean same(const Engine *engine, const RefRun *run, GError **error)
{
    g_autoptr(GArray) events = g_array_new(FALSE, FALSE, sizeof(RefEvent));
    g_autoptr(RefResult) reference = ref_simulate(run);
    PsSimResult result, hurried;
    if (!engine_simulate(engine, events, &result, error) ||
        !engine_simulate(engine, NULL, &hurried, error))
        return FALSE;
    gint64 ticks_per_cycle = engine->machine->ticks_per_cycle;
    rescale_events(events, ticks_per_cycle);
    ref_events_sort(events);
    ref_events_sort(reference->events);
    if (!same_numbers(&result, ticks_per_cycle, reference) ||
        !same_numbers(&hurried, ticks_per_cycle, reference))
        return FALSE;
    /* Groups that issue nothing take no time and may be passed over. */
    return reference->instructions == 0 || same_events(events, reference->events);
}

static gboolean bound(const char *what, gint64 real, gint64 should)
{
    if (real != should)
        g_test_message("%s is bound to %" G_GINT64_FORMAT ", should be %" G_GINT64_FORMAT, what,
                       real, should);
    return real == should;
}

/* What a node that goes through levels is bound to. Servers may have other numbers. */
static gboolean same_traffic(const PsMachine *machine, const PsNodeCost *cost,
                             const RefTraffic *traffic)
{
    const gint64 tick = machine->ticks_per_cycle;
    gboolean same = bound("number of stops", cost->n_stops, traffic->n_stops);
    same = bound("lambda", rescale(cost->issue, tick), traffic->serves.issue) && same;
    if (!cost->posted)
        same = bound("Lambda", rescale(cost->completion, tick), traffic->serves.completion) && same;
    for (guint i = 0; same && i < traffic->n_stops; i++) {
        const RefStop *stop = &traffic->stops[i];
        same = bound("service", rescale(cost->stops[i].service, tick), stop->service) && same;
        same = bound("weight", cost->stops[i].weight, stop->weight) && same;
    }
    return same;
}

static gboolean same_nodes(const PsMachine *machine, GHashTable *traffic)
{
    gboolean same = TRUE;
    for (guint p = 0; p < machine->kernel->n_programs; p++) {
        const PsProgram *program = &machine->kernel->programs[p];
        for (guint n = 0; n < program->n_nodes; n++) {
            const PsIdgItem *item = program->nodes[n].item;
            const RefTraffic *its = traffic ? g_hash_table_lookup(traffic, item) : NULL;
            if (!its || same_traffic(machine, &machine->costs[p][n], its))
                continue;
            g_test_message("of node %s of code %u", item->name, p);
            same = FALSE;
        }
    }
    return same;
}

/* ---- the tick ------------------------------------------------------------------------------ */

static void widen(gint64 time, gint64 *tick)
{
    PsRational cycles;
    ps_rational_make(time, RANDOM_TICKS_PER_CYCLE, &cycles);
    ps_rational_common_denominator(cycles, tick);
}

static const RefClass *class_of(const RandomCase *c, const char *asked)
{
    for (guint i = 0; i < c->classes->len; i++)
        if (strcmp(g_array_index(c->classes, RefClass, i).asked, asked) == 0)
            return &g_array_index(c->classes, RefClass, i);
    g_error("no class %s", asked);
}

static void widen_by_node(const RandomCase *c, const RefInstance *instance, gint64 *tick)
{
    const RefTraffic *traffic = c->traffic ? g_hash_table_lookup(c->traffic, instance->item) : NULL;
    const RefClass *class = traffic ? &traffic->serves : class_of(c, instance->item->class_name);
    widen(class->issue, tick);
    widen(class->completion, tick);
    PsRational hold = {0, 1};
    if (instance->item->hold)
        ps_expr_eval(instance->item->hold, c->scope, (PsPlace){"test", 0}, &hold, NULL);
    ps_rational_common_denominator(hold, tick);
    if (traffic && instance->unneeded && (instance->store || traffic->atomic))
        widen(MAX(class->issue, traffic->drain), tick);
    for (guint i = 0; traffic && i < traffic->n_stops; i++)
        widen(traffic->stops[i].service, tick);
}

/* The ticks of a cycle: the least common denominator of all times in play. */
static gint64 ticks_of(const RandomCase *c)
{
    gint64 tick = 1;
    g_autoptr(GPtrArray) codes = g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
    for (guint i = 0; i < c->idg->codes->len; i++)
        g_ptr_array_add(codes, ref_expand(((PsIdgCode *)c->idg->codes->pdata[i])->body, c->scope));
    ref_expand_awaits(c->idg, c->scope, codes);
    for (guint i = 0; i < codes->len; i++) {
        const GPtrArray *list = codes->pdata[i];
        for (guint n = 0; n < list->len; n++)
            widen_by_node(c, list->pdata[n], &tick);
    }
    widen(c->port_busy, &tick);
    widen(c->group_launch, &tick);
    widen(c->group_interval, &tick);
    widen(c->turnaround, &tick);
    widen(c->fetch, &tick);
    widen(c->queue, &tick);
    widen(c->window, &tick);
    return tick;
}

/* The machine is what the reference was told to simulate: else there is no need to compare times.
 */
static gboolean same_machine(const PsMachine *machine, const RandomCase *c)
{
    const gint64 tick = machine->ticks_per_cycle;
    gboolean same = bound("tick", tick, ticks_of(c));
    same = bound("G", machine->launch.warps_per_group, c->warps_per_group) && same;
    same = bound("M", machine->launch.active_groups, c->active_groups) && same;
    same = bound("N", machine->launch.groups_per_cu, c->groups_per_cu) && same;
    same = bound("number of CUs", machine->n_cus, c->n_cus) && same;
    same = bound("port", rescale(machine->port_busy, tick), c->port_busy) && same;
    same = bound("window", rescale(machine->read_window, tick), c->read_window) && same;
    same = bound("group launch", rescale(machine->group_launch, tick), c->group_launch) && same;
    same = bound("turnaround", rescale(machine->turnaround, tick), c->turnaround) && same;
    same = bound("fetch", rescale(machine->fetch, tick), c->fetch) && same;
    same = bound("interval", rescale(machine->group_interval, tick), c->group_interval) && same;
    for (guint s = 0; s < machine->n_levels; s++) {
        const PsServer *server = &g_array_index(machine->servers, PsServer, s);
        const gboolean device = server->level == PS_LEVEL_DEVICE;
        same = bound("queue", rescale(server->queue, tick), device ? c->queue : 0) && same;
        same = bound("window", rescale(server->window, tick), device ? c->window : 0) && same;
    }
    return same_nodes(machine, c->traffic) && same;
}

static gboolean check_case(const RandomCase *random_case, const Engine *engine, gpointer data,
                           GError **error)
{
    (void)data;
    RefRun ref_run = random_case_run(random_case);
    ref_run.grain = RANDOM_TICKS_PER_CYCLE / engine->machine->ticks_per_cycle;
    return same_machine(engine->machine, random_case) && same(engine, &ref_run, error);
}

static void test_random(void)
{
    const RandomRun run = {
        .draw = random_case_new, .refine = random_case_what_if, .check = check_case};
    random_run((SeedCounts){SEEDS, SEEDS_VALGRIND}, &run);
}

/* R2 with fifo, whose key is when a node's turn has come: what stands behind others would go first
 * too often, were it only when its data have. */
static void refine_to_turns(RandomCase *random_case)
{
    random_case->refinements.order = PS_ORDER_PROGRAM;
    random_case->refinements.policy = PS_POLICY_FIFO;
}

static void test_turns(void)
{
    const RandomRun run = {.draw = random_case_new, .refine = refine_to_turns, .check = check_case};
    random_run((SeedCounts){SEEDS, SEEDS_VALGRIND}, &run);
}

/* ---- roles of warps ------------------------------------------------------------------------ */

/* Cases whose warps await others, and those in which some do for ever. */
typedef struct {
    guint halted, waits;
} Roles;

static guint count_waits(const PsKernel *kernel)
{
    guint waits = 0;
    for (guint p = 0; p < kernel->n_programs; p++)
        for (guint n = 0; n < kernel->programs[p].n_nodes; n++)
            waits += kernel->programs[p].nodes[n].n_waits;
    return waits;
}

/* Both find that warps wait for each other for ever, or neither does, and then all is the same. */
static gboolean check_roles(const RandomCase *random_case, const Engine *engine, gpointer data,
                            GError **error)
{
    Roles *roles = data;
    g_autoptr(GError) halt = NULL;
    PsSimResult result;
    RefRun ref_run = random_case_run(random_case);
    ref_run.grain = RANDOM_TICKS_PER_CYCLE / engine->machine->ticks_per_cycle;
    g_autoptr(RefResult) reference = ref_simulate(&ref_run);
    roles->waits += count_waits(engine->machine->kernel) > 0;
    if (!reference->halted)
        return same_machine(engine->machine, random_case) && same(engine, &ref_run, error);
    roles->halted++;
    if (!engine_simulate(engine, NULL, &result, &halt) &&
        g_error_matches(halt, PS_ERROR, PS_ERROR_VALUE) && strstr(halt->message, "for ever"))
        return TRUE;
    g_test_message("warps wait for each other for ever, but the engine says: %s",
                   halt ? halt->message : "nothing of it");
    return FALSE;
}

static void test_roles(void)
{
    Roles roles = {0};
    const RandomRun run = {
        .draw = random_case_new, .refine = random_case_roles, .check = check_roles, .data = &roles};
    const guint cases = random_run((SeedCounts){SEEDS, SEEDS_VALGRIND}, &run);
    g_test_message("in %u of %u cases warps await others, in %u for ever", roles.waits, cases,
                   roles.halted);
    if (g_getenv("PIPESIM_SEED"))
        return;
    g_assert_cmpuint(roles.waits * 3, >, cases);
    g_assert_cmpuint(roles.halted * 50, >, cases);
    g_assert_cmpuint(roles.halted * 4, <, cases);
}

/* ---- waves --------------------------------------------------------------------------------- */

/* Groups of one warp, each on a scheduler with a pipeline of its own, so that as many groups end at
 * one instant as there are schedulers. Random cases seldom have that. */
static void check_waves(PsGpu *gpu, gint64 groups, gint64 schedulers)
{
    const RefClass class = {"add", 0, TRUE, 2 * RANDOM_TICKS_PER_CYCLE, 5 * RANDOM_TICKS_PER_CYCLE};
    Graph graph = graph_new();
    g_autoptr(GError) error = NULL;
    build_node(graph.body, "x", "add", "");
    const EngineRun run = {
        .idg = graph.idg,
        .gpu = gpu,
        .options = {.groups = groups, .active = 4},
        .refinements = {.schedulers = schedulers, .issue_width = {1, 1}, .all_cus = TRUE}};
    const RefRun ref_run = {.idg = graph.idg,
                            .scope = graph.scope,
                            .warps_per_group = 1,
                            .active_groups = MIN(4, (groups - 1) / gpu->compute_units + 1),
                            .groups = groups,
                            .classes = &class,
                            .n_classes = 1,
                            .schedulers = schedulers,
                            .port_busy = RANDOM_TICKS_PER_CYCLE,
                            .n_cus = MIN(gpu->compute_units, groups)};
    Engine engine;
    g_assert_true(engine_open(&engine, &run, &error));
    if (!same(&engine, &ref_run, &error)) {
        g_test_fail();
        g_test_message("%" G_GINT64_FORMAT " CUs, %" G_GINT64_FORMAT " groups, %" G_GINT64_FORMAT
                       " schedulers",
                       gpu->compute_units, groups, schedulers);
    }
    g_assert_no_error(error);
    engine_close(&engine);
    graph_free(&graph);
}

static void test_waves(void)
{
    for (gint64 cus = 1; cus <= 4; cus++) {
        PsGpu *gpu = build_gpu(cus, 1);
        build_class(gpu, "add", 0, PS_RATIONAL_INT(2), PS_RATIONAL_INT(5));
        ((PsPipeline *)gpu->pipelines->pdata[0])->per_scheduler = TRUE;
        for (gint64 groups = 1; groups <= 40; groups++)
            for (gint64 schedulers = 1; schedulers <= 4; schedulers++)
                check_waves(gpu, groups, schedulers);
        build_gpu_free(gpu);
    }
}

/* ---- crowds -------------------------------------------------------------------------------- */

/* More warps than a set of the engine has room for (PS_SET_SIZE), in program order: groups of one
 * warp, which all want the same two pipelines. In front of the second, schedulers may have queues
 * (R11), of which one may be full while others are not. */
static void check_crowd(PsGpu *gpu, const char *second, gint64 schedulers, PsPolicy policy)
{
    const gint64 tick = RANDOM_TICKS_PER_CYCLE, groups = 150, active = 70;
    const RefClass classes[] = {{"add", 0, FALSE, 2 * tick, 5 * tick},
                                {second, 1, FALSE, 3 * tick, 90 * tick}};
    const gint64 queues[] = {0, ((const PsPipeline *)gpu->pipelines->pdata[1])->queue};
    Graph graph = graph_new();
    g_autoptr(GError) error = NULL;
    build_node(graph.body, "x", second, "");
    build_node(graph.body, "y", "add", "x");
    build_node(graph.body, "z", second, "y");
    const EngineRun run = {.idg = graph.idg,
                           .gpu = gpu,
                           .options = {.groups = groups, .active = active},
                           .refinements = {.schedulers = schedulers,
                                           .issue_width = {1, 1},
                                           .order = PS_ORDER_PROGRAM,
                                           .policy = policy}};
    const RefRun ref_run = {.idg = graph.idg,
                            .scope = graph.scope,
                            .warps_per_group = 1,
                            .active_groups = active,
                            .groups = groups,
                            .classes = classes,
                            .n_classes = G_N_ELEMENTS(classes),
                            .schedulers = schedulers,
                            .port_busy = schedulers > 0 ? tick : 0,
                            .order = PS_ORDER_PROGRAM,
                            .policy = policy,
                            .queues = queues,
                            .n_cus = 1};
    Engine engine;
    g_assert_true(engine_open(&engine, &run, &error));
    if (!same(&engine, &ref_run, &error)) {
        g_test_fail();
        g_test_message("%" G_GINT64_FORMAT " schedulers, policy %d, %s, queue of %" G_GINT64_FORMAT,
                       schedulers, (int)policy, second, queues[1]);
    }
    g_assert_no_error(error);
    engine_close(&engine);
    graph_free(&graph);
}

/* The second pipeline serves what is called so. */
static void check_crowds(const char *second)
{
    static const PsPolicy policies[] = {PS_POLICY_FIFO, PS_POLICY_LRR, PS_POLICY_GTO, PS_POLICY_GTY,
                                        PS_POLICY_OLDEST};
    PsGpu *gpu = build_gpu(1, 2);
    build_class(gpu, "add", 0, PS_RATIONAL_INT(2), PS_RATIONAL_INT(5));
    build_class(gpu, second, 1, PS_RATIONAL_INT(3), PS_RATIONAL_INT(90));
    PsPipeline *loads = gpu->pipelines->pdata[1];
    for (loads->queue = 0; loads->queue <= 2; loads->queue++)
        for (guint p = 0; p < G_N_ELEMENTS(policies); p++)
            for (gint64 schedulers = 0; schedulers <= 70; schedulers += schedulers < 2 ? 1 : 68)
                check_crowd(gpu, second, schedulers, policies[p]);
    build_gpu_free(gpu);
}

static void test_crowd(void)
{
    check_crowds("load");
}

/* Warps get places in these queues by turns. */
static void test_crowd_of_products(void)
{
    check_crowds("tensor.wgmma");
}

/* ---- pipelines ----------------------------------------------------------------------------- */

/* As many pipelines as schedulers may issue to, and one less, which is what the engine's sets have
 * room for. */
static void check_pipelines(guint pipelines)
{
    const gint64 tick = RANDOM_TICKS_PER_CYCLE;
    PsGpu *gpu = build_gpu(1, pipelines);
    Graph graph = graph_new();
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    g_autofree RefClass *classes = g_new0(RefClass, pipelines);
    for (guint p = 0; p < pipelines; p++) {
        char *name = g_strdup_printf("c%u", p);
        g_ptr_array_add(names, name);
        build_class(gpu, name, p, PS_RATIONAL_INT(3), PS_RATIONAL_INT(7));
        classes[p] = (RefClass){name, p, FALSE, 3 * tick, 7 * tick};
        build_node(graph.body, name, name, "");
    }
    const EngineRun run = {
        .idg = graph.idg,
        .gpu = gpu,
        .options = {.groups = 9, .active = 6},
        .refinements = {.schedulers = 2, .issue_width = {1, 1}, .order = PS_ORDER_PROGRAM}};
    const RefRun ref_run = {.idg = graph.idg,
                            .scope = graph.scope,
                            .warps_per_group = 1,
                            .active_groups = 6,
                            .groups = 9,
                            .classes = classes,
                            .n_classes = pipelines,
                            .schedulers = 2,
                            .port_busy = tick,
                            .order = PS_ORDER_PROGRAM,
                            .n_cus = 1};
    Engine engine;
    g_assert_true(engine_open(&engine, &run, &error));
    g_assert_true(same(&engine, &ref_run, &error));
    g_assert_no_error(error);
    engine_close(&engine);
    graph_free(&graph);
    build_gpu_free(gpu);
}

static void test_pipelines(void)
{
    check_pipelines(PS_SIM_MAX_SCHEDULER_PIPELINES - 1);
    check_pipelines(PS_SIM_MAX_SCHEDULER_PIPELINES);
}

/* ---- times far apart ----------------------------------------------------------------------- */

/* Cycles of warps in program order, all latencies so many times as long. */
static PsRational cycles_of_scaled(gint64 scale, gint64 schedulers, PsPolicy policy)
{
    PsGpu *gpu = build_gpu(1, 2);
    build_class(gpu, "add", 0, PS_RATIONAL_INT(2 * scale), PS_RATIONAL_INT(5 * scale));
    build_class(gpu, "load", 1, PS_RATIONAL_INT(3 * scale), PS_RATIONAL_INT(90 * scale));
    Graph graph = graph_new();
    g_autoptr(GError) error = NULL;
    build_node(graph.body, "x", "load", "");
    build_node(graph.body, "i", "add", "");
    build_node(graph.body, "y", "add", "x");
    build_node(graph.body, "z", "load", "y");
    const EngineRun run = {.idg = graph.idg,
                           .gpu = gpu,
                           .options = {.groups = 150, .active = 40},
                           .refinements = {.schedulers = schedulers,
                                           .issue_width = {1, scale},
                                           .order = PS_ORDER_PROGRAM,
                                           .policy = policy}};
    Engine engine;
    PsSimResult result = {0};
    g_assert_true(engine_open(&engine, &run, &error));
    g_assert_true(engine_simulate(&engine, NULL, &result, &error));
    g_assert_no_error(error);
    engine_close(&engine);
    graph_free(&graph);
    build_gpu_free(gpu);
    return result.cycles;
}

/* The engine keeps what is soon in 32 bits; how long a tick is must not matter. */
static void test_far(void)
{
    static const gint64 scales[] = {(gint64)1 << 24, (gint64)1 << 29, (gint64)1 << 46};
    for (guint p = PS_POLICY_FIFO; p <= PS_POLICY_OLDEST; p++)
        for (gint64 schedulers = 0; schedulers <= 4; schedulers += 2) {
            const PsRational near = cycles_of_scaled(1, schedulers, (PsPolicy)p);
            for (guint s = 0; s < G_N_ELEMENTS(scales); s++) {
                const PsRational far = cycles_of_scaled(scales[s], schedulers, (PsPolicy)p);
                g_assert_cmpint(far.num, ==, near.num * scales[s]);
                g_assert_cmpint(far.den, ==, near.den);
            }
        }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/reference/random", test_random);
    g_test_add_func("/reference/roles", test_roles);
    g_test_add_func("/reference/turns", test_turns);
    g_test_add_func("/reference/waves", test_waves);
    g_test_add_func("/reference/crowd", test_crowd);
    g_test_add_func("/reference/crowd-of-products", test_crowd_of_products);
    g_test_add_func("/reference/pipelines", test_pipelines);
    g_test_add_func("/reference/far", test_far);
    return g_test_run();
}
