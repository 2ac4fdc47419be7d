/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where warps wait: the parts add up to the time of all warps' places, and with fast-forward they
 * are those of the run that simulates every instruction. Small cases are checked against what was
 * found by hand.
 */
#include "sim/listen/waits.h"
#include "tests/help/build-graph.h"
#include "tests/help/engine.h"
#include "tests/help/random-roles.h"
#include "tests/help/random-run.h"

#include <math.h>

#define SEEDS 340 /* 336: a period longer than what is kept of when pipelines were busy */
#define SEEDS_VALGRIND 10

/* Cases in a hundred of which the engine must skip a part, at least. */
#define LEAST_SKIPPED 50

#define PARTS 7

typedef struct {
    PsSimResult result;
    GPtrArray *rows;
    GArray *nodes;
    double occupancy[PARTS];
    gint64 tail;
} Waited;

static void waited_clear(Waited *waited)
{
    g_clear_pointer(&waited->rows, g_ptr_array_unref);
    g_clear_pointer(&waited->nodes, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Waited, waited_clear)

static gboolean wait_for(const PsMachine *machine, gboolean every_one, Waited *waited,
                         GError **error)
{
    g_autoptr(PsWaits) waits = ps_waits_new(machine);
    const PsListener listener = ps_waits_listener(waits);
    const PsSimOptions options = {
        .listeners = &listener, .n_listeners = 1, .no_fast_forward = every_one};
    if (!ps_sim_run(machine, &options, &waited->result, error))
        return FALSE;
    waited->rows = ps_waits_rows(waits, waited->result.ticks);
    waited->nodes = ps_waits_of_nodes(waits);
    ps_waits_occupancy(waits, waited->result.ticks, PARTS, waited->occupancy);
    waited->tail = ps_waits_tail(waits, waited->result.ticks);
    return TRUE;
}

static double ticks_of(const GPtrArray *rows, PsWaitKind kind, guint which)
{
    for (guint i = 0; i < rows->len; i++) {
        const PsWaitRow *row = rows->pdata[i];
        if (row->kind == kind && row->which == which)
            return row->ticks;
    }
    return 0;
}

/* ---- the same, literally ------------------------------------------------------------------- */

/* Keeps all that happens, and afterwards goes through it warp by warp. */
typedef struct {
    const PsMachine *machine;
    GArray *issues;    /* Issue */
    GHashTable *known; /* "CU/group/warp/node/time" of each completion */
    GHashTable *ends;  /* "CU/group": launch and end, gint64[2] */
    GArray *changes;   /* Change, in order of time on each CU */
    GHashTable *pipes; /* "CU/pipeline/scheduler" -> GArray of Issue, in order of time */
    double *sums[PS_WAIT_N_KINDS];
    GHashTable *nodes; /* "KIND/PROGRAM/NODE" -> double *: what is charged at a node */
} Literal;

typedef struct {
    gint64 time, ready;
    PsInstance instance;
    const GArray *pipe; /* of pipes, with schedulers */
    guint nth;          /* of the pipe */
} Issue;

/* A group comes or goes. */
typedef struct {
    gint64 time;
    guint cu, n_cus;
    int groups; /* 1, -1 */
} Change;

static void literal_change(const Literal *literal, gint64 time, const PsGroups *of, int groups)
{
    const Change change = {time, of->cu, of->n_cus, groups};
    g_array_append_val(literal->changes, change);
}

static void literal_launched(void *self, gint64 time, const PsGroups *of)
{
    Literal *literal = self;
    gint64 *span = g_new(gint64, 2);
    span[0] = time;
    literal_change(literal, time, of, 1);
    g_hash_table_insert(literal->ends, g_strdup_printf("%u/%d", of->cu, (int)of->group), span);
}

static void literal_finished(void *self, gint64 time, const PsGroups *of)
{
    g_autofree char *key = g_strdup_printf("%u/%d", of->cu, (int)of->group);
    ((gint64 *)g_hash_table_lookup(((Literal *)self)->ends, key))[1] = time;
    literal_change(self, time, of, -1);
}

/* What the instance goes to: a pipeline of the CU, or of its warp's scheduler (R1). */
static GArray *literal_pipe(const Literal *literal, const PsInstance *of)
{
    const PsMachine *machine = literal->machine;
    const PsMachineClass *class = &machine->classes[machine->class_of[of->program][of->node]];
    const guint slot = of->of.place * (guint)machine->launch.warps_per_group + of->warp;
    const gboolean own = class->per_scheduler || class->queue > 0;
    const int scheduler = own ? (int)(slot % (guint)machine->refinements.schedulers) : -1;
    char *key = g_strdup_printf("%u/%u/%d", of->of.cu, class->pipeline, scheduler);
    GArray *pipe = g_hash_table_lookup(literal->pipes, key);
    if (!pipe)
        g_hash_table_insert(literal->pipes, g_strdup(key),
                            pipe = g_array_new(FALSE, FALSE, sizeof(Issue)));
    g_free(key);
    return pipe;
}

static void literal_issued(void *self, gint64 time, gint64 ready, const PsInstance *instance)
{
    const Literal *literal = self;
    GArray *pipe = literal_pipe(literal, instance);
    const Issue issue = {time, ready, *instance, pipe, pipe->len};
    g_array_append_val(pipe, issue);
    g_array_append_val(literal->issues, issue);
}

static char *result_key(const PsInstance *of, guint node, gint64 time)
{
    return g_strdup_printf("%u/%d/%u/%u/%" G_GINT64_FORMAT, of->of.cu, (int)of->of.group, of->warp,
                           node, time);
}

static void literal_completed(void *self, gint64 time, const PsInstance *instance)
{
    g_hash_table_add(((Literal *)self)->known, result_key(instance, instance->node, time));
}

static int in_order(gconstpointer a, gconstpointer b)
{
    const Issue *x = a, *y = b;
    const gint64 keys[][2] = {{x->instance.of.cu, y->instance.of.cu},
                              {x->instance.of.group, y->instance.of.group},
                              {x->instance.warp, y->instance.warp},
                              {x->time, y->time},
                              {x->ready, y->ready},
                              {x->instance.position, y->instance.position}};
    for (guint i = 0; i < G_N_ELEMENTS(keys); i++)
        if (keys[i][0] != keys[i][1])
            return keys[i][0] < keys[i][1] ? -1 : 1;
    return 0;
}

static guint class_of(const Literal *literal, const PsInstance *of)
{
    return literal->machine->class_of[of->program][of->node];
}

static gint64 lambda_of(const Literal *literal, const PsInstance *of)
{
    return literal->machine->costs[of->program][of->node].issue;
}

/* What it waits for until it is ready: a class, G_MAXUINT for a barrier. */
static guint literal_cause(const Literal *literal, const Issue *issue)
{
    const PsInstance *of = &issue->instance;
    const PsProgram *program = &literal->machine->kernel->programs[of->program];
    const PsProgramNode *node = &program->nodes[of->node];
    for (guint d = 0; d < node->n_deps; d++) {
        const guint on = node->deps[d].on;
        g_autofree char *key = result_key(of, on, issue->ready);
        if (!program->nodes[on].barrier && g_hash_table_contains(literal->known, key))
            return literal->machine->class_of[of->program][on];
    }
    return G_MAXUINT;
}

/* R9: until what issued before no longer holds the warp. */
static gboolean literal_held(const Literal *literal, const Issue *before, const Issue *issue)
{
    const PsInstance *of = &before->instance;
    const gint64 hold = literal->machine->costs[of->program][of->node].hold;
    return hold > 0 && before->time + hold == issue->ready;
}

/* R11: from that issue to the pipeline its queue is full until this time. */
static gint64 literal_full(const Literal *literal, const GArray *pipe, guint nth)
{
    const PsInstance *of = &g_array_index(pipe, Issue, nth).instance;
    const guint queue = literal->machine->classes[class_of(literal, of)].queue;
    if (nth + 1 < queue)
        return 0;
    const Issue *oldest = &g_array_index(pipe, Issue, nth + 1 - queue);
    return oldest->time + oldest->instance.queued;
}

/* How long, of the time from `ready` to its issue, its pipeline was busy with others before it, or
 * its queue full of them (R11). Without schedulers, all of it. */
static gint64 literal_queue(const Literal *literal, const Issue *issue, gint64 ready)
{
    gint64 busy = 0;
    if (literal->machine->refinements.schedulers == 0)
        return issue->time - ready;
    for (guint i = issue->nth; i-- > 0;) {
        const Issue *other = &g_array_index(issue->pipe, Issue, i);
        const gboolean queue =
            literal->machine->classes[class_of(literal, &other->instance)].queue > 0;
        const gint64 end = queue ? literal_full(literal, issue->pipe, i)
                                 : other->time + lambda_of(literal, &other->instance);
        if (end <= ready)
            break;
        busy += MAX(MIN(end, issue->time) - MAX(other->time, ready), 0);
    }
    return busy;
}

static char *node_key(PsWaitKind kind, guint program, guint node)
{
    return g_strdup_printf("%u/%u/%u", (guint)kind, program, node);
}

static void add_at(GHashTable *nodes, PsWaitKind kind, guint program, guint node, double ticks)
{
    char *key = node_key(kind, program, node);
    double *sum = g_hash_table_lookup(nodes, key);
    if (!sum)
        g_hash_table_insert(nodes, g_strdup(key), sum = g_new0(double, 1));
    *sum += ticks;
    g_free(key);
}

/* Charged at that instance. */
static void literal_add(const Literal *literal, PsWaitKind kind, guint which, gint64 ticks,
                        const PsInstance *at)
{
    const double all = (double)ticks * at->of.n_cus;
    g_assert_cmpint(ticks, >=, 0);
    literal->sums[kind][which == G_MAXUINT ? 0 : which] += all;
    if (kind < PS_WAIT_DRAIN)
        add_at(literal->nodes, kind, at->program, at->node, all);
}

/* From the issue before (NULL: the launch) to this one. */
static void literal_charge(const Literal *literal, const Issue *before, const Issue *issue)
{
    const PsMachine *machine = literal->machine;
    g_autofree char *key =
        g_strdup_printf("%u/%d", issue->instance.of.cu, (int)issue->instance.of.group);
    const gint64 *span = g_hash_table_lookup(literal->ends, key);
    const gint64 since =
        before ? before->time : MAX(span[0] + machine->group_launch, machine->fetch);
    const gint64 lambda = before ? lambda_of(literal, &before->instance) : 0;
    const gint64 ready = MAX(issue->ready, since), held = MIN(since + lambda, ready);
    const guint cause = ready > held ? literal_cause(literal, issue) : 0;
    if (before)
        literal_add(literal, PS_WAIT_ISSUING, class_of(literal, &before->instance), held - since,
                    &before->instance);
    if (cause == G_MAXUINT && before && literal_held(literal, before, issue))
        literal_add(literal, PS_WAIT_HOLD, class_of(literal, &before->instance), ready - held,
                    &before->instance);
    else
        literal_add(literal, cause == G_MAXUINT ? PS_WAIT_BARRIER : PS_WAIT_DATA, cause,
                    ready - held, &issue->instance);
    const gint64 queued = literal_queue(literal, issue, ready);
    literal_add(literal, PS_WAIT_QUEUE,
                machine->classes[class_of(literal, &issue->instance)].pipeline, queued,
                &issue->instance);
    literal_add(literal, PS_WAIT_PORT, G_MAXUINT, issue->time - ready - queued, &issue->instance);
}

/* After its last issue. */
static void literal_end(const Literal *literal, const Issue *last)
{
    const PsInstance *of = &last->instance;
    const guint class_index = class_of(literal, of);
    g_autofree char *key = g_strdup_printf("%u/%d", of->of.cu, (int)of->of.group);
    const gint64 *span = g_hash_table_lookup(literal->ends, key);
    const gint64 left = span[1] - last->time;
    const gint64 lambda = MIN(lambda_of(literal, of), left);
    literal_add(literal, PS_WAIT_ISSUING, class_index, lambda, of);
    literal_add(literal, PS_WAIT_DRAIN, G_MAXUINT, left - lambda, of);
}

static gboolean same_warp(const Issue *a, const Issue *b)
{
    return a->instance.of.cu == b->instance.of.cu && a->instance.of.group == b->instance.of.group &&
           a->instance.warp == b->instance.warp;
}

static void literal_sum(Literal *literal)
{
    g_array_sort(literal->issues, in_order);
    for (guint i = 0; i < literal->issues->len; i++) {
        const Issue *issue = &g_array_index(literal->issues, Issue, i);
        const Issue *before = i > 0 && same_warp(issue - 1, issue) ? issue - 1 : NULL;
        literal_charge(literal, before, issue);
        if (i + 1 == literal->issues->len || !same_warp(issue, issue + 1))
            literal_end(literal, issue);
    }
}

/* Warps' ticks after the last time when so many groups were on their CU, backwards from the end. */
static double literal_done(const Literal *literal, gint64 ticks)
{
    double done = 0;
    guint cu = G_MAXUINT;
    int groups = 0, most = 0;
    for (guint i = literal->changes->len; i-- > 0;) {
        const Change *change = &g_array_index(literal->changes, Change, i);
        if (change->cu != cu)
            most = 0;
        cu = change->cu;
        groups -= change->groups;
        if (groups > most)
            done += (double)(ticks - change->time) * change->n_cus;
        most = MAX(most, groups);
    }
    return done * (double)literal->machine->launch.warps_per_group;
}

static gboolean same_sums(const Literal *literal, const GPtrArray *rows)
{
    gboolean same = TRUE;
    const guint n = literal->machine->n_classes + literal->machine->gpu->pipelines->len;
    for (guint kind = 0; kind < PS_WAIT_DRAIN; kind++)
        for (guint i = 0; i < n; i++) {
            const gboolean whole = kind == PS_WAIT_BARRIER || kind == PS_WAIT_PORT;
            const double is = whole && i > 0 ? 0 : ticks_of(rows, kind, whole ? G_MAXUINT : i);
            if (is != literal->sums[kind][i])
                g_test_message("%s of %u is %.17g, literally %.17g", ps_wait_kind_name(kind), i, is,
                               literal->sums[kind][i]);
            same = same && is == literal->sums[kind][i];
        }
    /* Warps without instructions have no events. */
    return same && ticks_of(rows, PS_WAIT_DRAIN, G_MAXUINT) >= literal->sums[PS_WAIT_DRAIN][0];
}

/* The same by node; what is waited for there is a result of the class that it is counted for. */
static gboolean same_at_nodes(const Literal *literal, const PsWaits *waits)
{
    g_autoptr(GArray) rows = ps_waits_of_nodes(waits);
    g_autoptr(GHashTable) is = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    gboolean same = TRUE;
    GHashTableIter iter;
    gpointer key, sum;
    for (guint i = 0; i < rows->len; i++) {
        const PsNodeWait *row = &g_array_index(rows, PsNodeWait, i);
        const gboolean data = row->kind == PS_WAIT_DATA;
        add_at(is, row->kind, row->program, row->node, row->ticks);
        g_assert_true(data == (row->on != G_MAXUINT));
        if (data)
            g_assert_cmpuint(row->which, ==, literal->machine->class_of[row->program][row->on]);
    }
    g_hash_table_iter_init(&iter, literal->nodes);
    while (g_hash_table_iter_next(&iter, &key, &sum)) {
        const double *other = g_hash_table_lookup(is, key);
        if (*(double *)sum == (other ? *other : 0))
            continue;
        g_test_message("%s is %.17g, literally %.17g", (char *)key, other ? *other : 0,
                       *(double *)sum);
        same = FALSE;
    }
    return same;
}

static gboolean check_literally(const PsMachine *machine, GError **error)
{
    g_autoptr(GHashTable) known = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autoptr(GHashTable) ends = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    g_autoptr(GArray) issues = g_array_new(FALSE, FALSE, sizeof(Issue));
    g_autoptr(PsWaits) waits = ps_waits_new(machine);
    g_autoptr(GArray) changes = g_array_new(FALSE, FALSE, sizeof(Change));
    g_autoptr(GHashTable) nodes = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    g_autoptr(GHashTable) pipes =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_array_unref);
    Literal literal = {.machine = machine,
                       .pipes = pipes,
                       .issues = issues,
                       .known = known,
                       .ends = ends,
                       .changes = changes,
                       .nodes = nodes};
    const PsListener listeners[] = {ps_waits_listener(waits),
                                    {.self = &literal,
                                     .launched = literal_launched,
                                     .issued = literal_issued,
                                     .completed = literal_completed,
                                     .finished = literal_finished}};
    const PsSimOptions options = {
        .listeners = listeners, .n_listeners = 2, .no_fast_forward = TRUE};
    PsSimResult result;
    if (!ps_sim_run(machine, &options, &result, error))
        return FALSE;
    for (guint kind = 0; kind < PS_WAIT_N_KINDS; kind++)
        literal.sums[kind] = g_new0(double, machine->n_classes + machine->gpu->pipelines->len + 1);
    literal_sum(&literal);
    g_autoptr(GPtrArray) rows = ps_waits_rows(waits, result.ticks);
    const double done = literal_done(&literal, result.ticks);
    const double is = ticks_of(rows, PS_WAIT_DONE, G_MAXUINT);
    if (is != done)
        g_test_message("done is %.17g, literally %.17g", is, done);
    const gboolean same = same_sums(&literal, rows) && same_at_nodes(&literal, waits) && is == done;
    for (guint kind = 0; kind < PS_WAIT_N_KINDS; kind++)
        g_free(literal.sums[kind]);
    return same;
}

/* ---- random cases -------------------------------------------------------------------------- */

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
    for (guint i = 0; i < PARTS; i++)
        same = same && fabs(hurried->occupancy[i] - every->occupancy[i]) <=
                           1e-9 * MAX(every->occupancy[i], 1);
    if (!same)
        g_test_message("tail %" G_GINT64_FORMAT ", should be %" G_GINT64_FORMAT, hurried->tail,
                       every->tail);
    for (guint i = 0; !same && i < PARTS; i++)
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

static gboolean check_random(const RandomCase *random_case, const Engine *engine, gpointer data,
                             GError **error)
{
    (void)random_case, (void)data;
    return check_literally(engine->machine, error);
}

static void test_random(void)
{
    random_run_skipping((SeedCounts){SEEDS, SEEDS_VALGRIND}, check_skipping, LEAST_SKIPPED);
}

static void test_literal(void)
{
    const RandomRun run = {.draw = random_case_new, .check = check_random};
    random_run((SeedCounts){SEEDS, SEEDS_VALGRIND}, &run);
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

static void test_literal_roles(void)
{
    const RandomRun run = {
        .draw = random_case_new, .refine = random_case_roles_that_end, .check = check_random};
    random_run((SeedCounts){SEEDS, SEEDS_VALGRIND}, &run);
}

/* ---- by hand ------------------------------------------------------------------------------- */

typedef struct {
    PsIdg *idg;
    PsGpu *gpu;
    Engine engine;
    Waited waited;
} Hand;

/* Groups of that many warps on one CU with two pipelines: add (lambda 1, Lambda 6) and barrier
 * (1, 10) on the first, load (4, 20) on the second. */
static Hand hand_begin(const char *groups, const char *group_size)
{
    Hand hand = {.idg = build_idg(groups, group_size), .gpu = build_gpu(1, 2)};
    build_class(hand.gpu, "add", 0, PS_RATIONAL_INT(1), PS_RATIONAL_INT(6));
    build_class(hand.gpu, "load", 1, PS_RATIONAL_INT(4), PS_RATIONAL_INT(20));
    build_class(hand.gpu, "barrier", 0, PS_RATIONAL_INT(1), PS_RATIONAL_INT(10));
    return hand;
}

static void hand_run(Hand *hand, PsRefinements refinements)
{
    const EngineRun run = {
        .idg = hand->idg, .gpu = hand->gpu, .options = {.active = 1}, .refinements = refinements};
    g_autoptr(GError) error = NULL;
    g_assert_true(engine_open(&hand->engine, &run, &error));
    g_assert_true(wait_for(hand->engine.machine, TRUE, &hand->waited, &error));
    g_assert_no_error(error);
}

static void hand_clear(Hand *hand)
{
    waited_clear(&hand->waited);
    engine_close(&hand->engine);
    ps_idg_free(hand->idg);
    build_gpu_free(hand->gpu);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Hand, hand_clear)

static void assert_waits(const Hand *hand, PsWaitKind kind, const char *name, double ticks)
{
    const PsMachine *machine = hand->engine.machine;
    guint which = G_MAXUINT;
    for (guint c = 0; name && c < machine->n_classes; c++)
        if (g_str_equal(machine->classes[c].asked, name))
            which = kind == PS_WAIT_QUEUE ? machine->classes[c].pipeline : c;
    g_assert_cmpfloat(ticks_of(hand->waited.rows, kind, which), ==, ticks);
}

/* One warp: load at 0, add at 20, done at 26; twice. */
static void test_chain(void)
{
    g_auto(Hand) hand = hand_begin("2", "32");
    GPtrArray *body = ps_idg_add_code(hand.idg)->body;
    build_node(body, "l", "load", "");
    build_node(body, "a", "add", "l");
    hand_run(&hand, (PsRefinements){0});
    g_assert_cmpint(hand.waited.result.ticks, ==, 52);
    assert_waits(&hand, PS_WAIT_ISSUING, "load", 8);
    assert_waits(&hand, PS_WAIT_DATA, "load", 32);
    assert_waits(&hand, PS_WAIT_ISSUING, "add", 2);
    assert_waits(&hand, PS_WAIT_DRAIN, NULL, 10);
    g_assert_cmpuint(hand.waited.rows->len, ==, 4);
    g_assert_cmpint(hand.waited.tail, ==, 0);
    for (guint i = 0; i < PARTS; i++)
        g_assert_cmpfloat_with_epsilon(hand.waited.occupancy[i], 1, 1e-12);
}

/* Two warps load at 0 and 4; the other one's data come later by so much. Of the three loads of a
 * warp the last two are ready at once, and issue when the pipeline is free. */
static void test_queue(void)
{
    g_auto(Hand) hand = hand_begin("1", "64");
    GPtrArray *body = ps_idg_add_code(hand.idg)->body;
    build_node(body, "l", "load", "");
    build_node(body, "m", "load", "");
    build_node(body, "a", "add", "m");
    hand_run(&hand, (PsRefinements){0});
    /* l0 0, m0 4, l1 8, m1 12: what is ready first, then the lower warp; a0 24, a1 32, done 38. */
    g_assert_cmpint(hand.waited.result.ticks, ==, 38);
    assert_waits(&hand, PS_WAIT_QUEUE, "load", 4 + 12);
    assert_waits(&hand, PS_WAIT_ISSUING, "load", 4 + 4);
    assert_waits(&hand, PS_WAIT_DATA, "load", 16 + 16);
    assert_waits(&hand, PS_WAIT_ISSUING, "add", 2);
    assert_waits(&hand, PS_WAIT_DRAIN, NULL, 13 + 5);
    g_assert_cmpuint(hand.waited.rows->len, ==, 5);
}

/* Out of order: the add that stands last needs nothing and issues at 0, like the load before it.
 * In program order it issues after what waits for the load. */
static void test_orders(void)
{
    for (guint order = 0; order < 2; order++) {
        g_auto(Hand) hand = hand_begin("1", "32");
        GPtrArray *body = ps_idg_add_code(hand.idg)->body;
        build_node(body, "l", "load", "");
        build_node(body, "a", "add", "l");
        build_node(body, "b", "add", "");
        hand_run(&hand, (PsRefinements){.order = order ? PS_ORDER_PROGRAM : PS_ORDER_DATAFLOW});
        /* Dataflow: l and b at 0, b the last of them; a at 20, done 26. Program: b at 21, done
         * 27, ready since a issued, and held by a. */
        g_assert_cmpint(hand.waited.result.ticks, ==, order ? 27 : 26);
        assert_waits(&hand, PS_WAIT_ISSUING, "load", order ? 4 : 0);
        assert_waits(&hand, PS_WAIT_DATA, "load", order ? 16 : 19);
        assert_waits(&hand, PS_WAIT_QUEUE, "add", order ? 1 : 0);
        assert_waits(&hand, PS_WAIT_ISSUING, "add", order ? 1 : 2);
        assert_waits(&hand, PS_WAIT_DRAIN, NULL, 5);
    }
}

/* Two warps of one scheduler, which issues one instruction a cycle, the older warp's first. What is
 * ready waits for its pipeline while that is busy; l0 and then a1 wait while theirs is free. */
static void test_port(void)
{
    g_auto(Hand) hand = hand_begin("1", "64");
    GPtrArray *body = ps_idg_add_code(hand.idg)->body;
    build_node(body, "a", "add", "");
    build_node(body, "l", "load", "");
    hand_run(&hand, (PsRefinements){.schedulers = 1,
                                    .issue_width = PS_RATIONAL_INT(1),
                                    .order = PS_ORDER_PROGRAM,
                                    .policy = PS_POLICY_OLDEST});
    /* a0 0, l0 1, a1 2 (its pipeline is busy until 1), l1 5. */
    g_assert_cmpint(hand.waited.result.ticks, ==, 25);
    assert_waits(&hand, PS_WAIT_PORT, NULL, 1 + 1);
    assert_waits(&hand, PS_WAIT_QUEUE, "add", 1);
    assert_waits(&hand, PS_WAIT_QUEUE, "load", 3);
}

/* Two loads may wait for their pipeline (R11), which begins with them at 0, 4, 8 and 12. They issue
 * at 0, 1 and 2, as the port is free; at 2 the queue is full, until 4, though the port is not free
 * before 3. */
static void test_queue_in_front(void)
{
    g_auto(Hand) hand = hand_begin("1", "32");
    GPtrArray *body = ps_idg_add_code(hand.idg)->body;
    ((PsPipeline *)hand.gpu->pipelines->pdata[1])->queue = 2;
    build_node(body, "l", "load", "");
    build_node(body, "m", "load", "");
    build_node(body, "n", "load", "");
    build_node(body, "o", "load", "");
    hand_run(&hand, (PsRefinements){.schedulers = 1,
                                    .issue_width = PS_RATIONAL_INT(1),
                                    .order = PS_ORDER_PROGRAM});
    g_assert_cmpint(hand.waited.result.ticks, ==, 12 + 20);
    assert_waits(&hand, PS_WAIT_PORT, NULL, 1 + 1);
    assert_waits(&hand, PS_WAIT_QUEUE, "load", 2);
}

/* a holds the warp for 6 cycles, of which its lambda is issuing; the load's hold is over before its
 * result is there; b's ends in the instant of the load's result, which counts. */
static void test_hold(void)
{
    g_auto(Hand) hand = hand_begin("1", "32");
    GPtrArray *body = ps_idg_add_code(hand.idg)->body;
    build_node(body, "a", "add", "")->hold = build_expr("6");
    build_node(body, "l", "load", "")->hold = build_expr("5");
    build_node(body, "b", "add", "")->hold = build_expr("15");
    build_node(body, "c", "add", "l");
    hand_run(&hand, (PsRefinements){.order = PS_ORDER_PROGRAM});
    /* a 0, l 6, b 11, c 26, done 32. */
    g_assert_cmpint(hand.waited.result.ticks, ==, 32);
    assert_waits(&hand, PS_WAIT_ISSUING, "add", 3);
    assert_waits(&hand, PS_WAIT_HOLD, "add", 5);
    assert_waits(&hand, PS_WAIT_ISSUING, "load", 4);
    assert_waits(&hand, PS_WAIT_HOLD, "load", 1);
    assert_waits(&hand, PS_WAIT_DATA, "load", 14);
    assert_waits(&hand, PS_WAIT_DRAIN, NULL, 5);
}

/* The second warp loads first and comes last to the barrier. */
static void test_barrier(void)
{
    g_auto(Hand) hand = hand_begin("1", "64");
    PsIdgCode *code = ps_idg_add_code(hand.idg);
    ps_idg_add_warps(code, build_expr("0"), NULL);
    build_node(code->body, "b", "barrier", "");
    build_node(code->body, "a", "add", "");
    code = ps_idg_add_code(hand.idg);
    ps_idg_add_warps(code, build_expr("1"), NULL);
    build_node(code->body, "l", "load", "");
    build_node(code->body, "c", "barrier", "l");
    hand_run(&hand, (PsRefinements){0});
    /* b 0, l 0, c 20, both complete at 30, a 30, done 36. */
    g_assert_cmpint(hand.waited.result.ticks, ==, 36);
    assert_waits(&hand, PS_WAIT_ISSUING, "barrier", 1 + 1);
    assert_waits(&hand, PS_WAIT_BARRIER, NULL, 29);
    assert_waits(&hand, PS_WAIT_ISSUING, "add", 1);
    assert_waits(&hand, PS_WAIT_ISSUING, "load", 4);
    assert_waits(&hand, PS_WAIT_DATA, "load", 16);
    assert_waits(&hand, PS_WAIT_DRAIN, NULL, 5 + 15);
    g_assert_cmpuint(hand.waited.rows->len, ==, 6);
}

/* Groups of 6 cycles begin every 8, and their places rest for 10: two places take turns, so that
 * the time from a launch to the next is a period that ends in another place than it began. The last
 * group is alone, as all are, and ends the run: nothing is done before. */
static void check_places_in_turn(guint groups)
{
    g_autofree char *text = g_strdup_printf("%u", groups);
    g_auto(Hand) hand = hand_begin(text, "32");
    g_autoptr(GError) error = NULL;
    guint skipped = 0;
    build_node(ps_idg_add_code(hand.idg)->body, "a", "add", "");
    hand.gpu->overheads.group_interval = PS_RATIONAL_INT(8);
    hand.gpu->overheads.turnaround = PS_RATIONAL_INT(20);
    const EngineRun run = {.idg = hand.idg,
                           .gpu = hand.gpu,
                           .options = {.active = 5},
                           .refinements = {.overheads = TRUE}};
    g_assert_true(engine_open(&hand.engine, &run, &error));
    g_assert_true(check_machine(hand.engine.machine, &skipped, &error));
    g_assert_cmpuint(skipped, ==, 1);
    g_assert_true(wait_for(hand.engine.machine, FALSE, &hand.waited, &error));
    g_assert_no_error(error);
    const gint64 ticks = (gint64)(groups - 1) * 8 + 6;
    g_assert_cmpint(hand.waited.result.ticks, ==, ticks);
    assert_waits(&hand, PS_WAIT_NOT_STARTED, NULL, (double)(5 * ticks - groups * 6));
    assert_waits(&hand, PS_WAIT_DONE, NULL, 0);
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
    g_test_add_func("/waits/chain", test_chain);
    g_test_add_func("/waits/queue", test_queue);
    g_test_add_func("/waits/orders", test_orders);
    g_test_add_func("/waits/barrier", test_barrier);
    g_test_add_func("/waits/port", test_port);
    g_test_add_func("/waits/queue-in-front", test_queue_in_front);
    g_test_add_func("/waits/hold", test_hold);
    g_test_add_func("/waits/places-in-turn", test_places_in_turn);
    g_test_add_func("/waits/literal", test_literal);
    g_test_add_func("/waits/random", test_random);
    g_test_add_func("/waits/roles", test_roles);
    g_test_add_func("/waits/literal-roles", test_literal_roles);
    return g_test_run();
}
