/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where warps wait, against the same worked out from all that happens in a run, warp by warp.
 */
#include "tests/help/engine.h"
#include "tests/help/random-roles.h"
#include "tests/help/random-run.h"
#include "tests/help/waited.h"

#define SEEDS 340 /* 336: a period longer than what is kept of when pipelines were busy */
#define SEEDS_VALGRIND 10

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
static gboolean check_random(const RandomCase *random_case, const Engine *engine, gpointer data,
                             GError **error)
{
    (void)random_case, (void)data;
    return check_literally(engine->machine, error);
}

static void test_literal(void)
{
    const RandomRun run = {.draw = random_case_new, .check = check_random};
    random_run((SeedCounts){SEEDS, SEEDS_VALGRIND}, &run);
}

static void test_literal_roles(void)
{
    const RandomRun run = {
        .draw = random_case_new, .refine = random_case_roles_that_end, .check = check_random};
    random_run((SeedCounts){SEEDS, SEEDS_VALGRIND}, &run);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/waits/literal", test_literal);
    g_test_add_func("/waits/literal-roles", test_literal_roles);
    return g_test_run();
}
