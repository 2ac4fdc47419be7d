/* SPDX-License-Identifier: BSD-3-Clause */
/* Random cases: see random-graph.h. */
#include "tests/help/random-graph.h"
#include "tests/help/build-graph.h"
#include "tests/help/random-code.h"
#include "tests/help/random-long.h"
#include "tests/help/random-memory.h"

#include <string.h>

/* Sets the generator of kinds of groups apart, so that graphs without are what they were. */
#define KINDS_SEED 0x61d5

static gboolean chance(GRand *rand, int percent)
{
    return g_rand_int_range(rand, 0, 100) < percent;
}

PsRational random_latency(GRand *rand, gboolean whole, gint32 most)
{
    static const gint32 denominators[] = {1, 2, 4, 5, 8};
    gint32 den = whole ? 1 : denominators[g_rand_int_range(rand, 0, G_N_ELEMENTS(denominators))];
    PsRational latency;
    ps_rational_make(g_rand_int_range(rand, 1, most * den + 1), den, &latency);
    return latency;
}

/* ---- the GPU ------------------------------------------------------------------------------- */

static gint64 ticks(PsRational cycles)
{
    return cycles.num * (RANDOM_TICKS_PER_CYCLE / cycles.den);
}

void random_case_ask(RandomCase *c, const char *asked, const char *name)
{
    const PsClass *class = ps_gpu_class(c->gpu, name, NULL);
    const PsPipeline *pipeline = c->gpu->pipelines->pdata[class->pipeline];
    RefClass ref = {g_strdup(asked), class->pipeline,
                    pipeline->per_scheduler && c->refinements.schedulers > 0,
                    ticks(class->latency.issue), ticks(class->latency.completion)};
    if (pipeline->per_scheduler && c->refinements.schedulers == 0)
        ref.issue /= c->gpu->schedulers;
    g_array_append_val(c->classes, ref);
}

/* A class of the GPU, which the graph asks for by its name, a subclass, or both. */
static void add_class(RandomCase *c, GRand *rand, gboolean whole, const char *name, guint pipeline)
{
    build_class(c->gpu, name, pipeline, random_latency(rand, whole, chance(rand, 30) ? 12 : 3),
                random_latency(rand, whole, chance(rand, 30) ? 40 : 6));
    random_case_ask(c, name, name);
    g_autofree char *sub = g_strconcat(name, ".x", NULL);
    if (chance(rand, 20))
        random_case_ask(c, sub, name);
}

static void make_gpu(RandomCase *c, GRand *rand)
{
    static const char *const kinds[] = {"a", "store", "b"};
    guint pipelines = (guint)g_rand_int_range(rand, 1, 5);
    gboolean whole = chance(rand, 50);
    c->gpu = build_gpu(g_rand_int_range(rand, 1, 5), pipelines);
    for (guint p = 0; p < pipelines; p++)
        for (guint k = 0; k < G_N_ELEMENTS(kinds); k++) {
            /* Products of four warps take turns where a queue is in front of them (R11). */
            g_autofree char *name = p == 1 && k == 2 ? g_strdup("tensor.wgmma")
                                                     : g_strdup_printf("p%u.%s", p, kinds[k]);
            if (k == 0 || chance(rand, 40))
                add_class(c, rand, whole, name, p);
        }
    if (chance(rand, 60))
        add_class(c, rand, whole, "barrier", 0);
    if (chance(rand, 40))
        add_class(c, rand, whole, "barrier.b", pipelines - 1);
}

/* ---- the graph ----------------------------------------------------------------------------- */

static void add_param(RandomCase *c, const char *name, const char *value, gint64 is)
{
    ps_idg_add_param(c->idg, name, build_expr(value));
    ps_scope_set(c->scope, name, PS_RATIONAL_INT(is));
}

/* p with a default that may be overridden, and q that follows from p. */
static void make_params(RandomCase *c, GRand *rand)
{
    gint64 p = g_rand_int_range(rand, 0, 5), q = p + g_rand_int_range(rand, 0, 4);
    g_autofree char *value_of_q = g_strdup_printf("p+%" G_GINT64_FORMAT, q - p);
    gboolean override = chance(rand, 40);
    g_autofree char *value_of_p =
        g_strdup_printf("%" G_GINT64_FORMAT, override ? p + g_rand_int_range(rand, 1, 9) : p);
    if (override)
        ps_scope_set(c->overrides, "p", PS_RATIONAL_INT(p));
    add_param(c, "p", value_of_p, p);
    add_param(c, "q", value_of_q, q);
}

/* Fills in one code; how depends on the kind of case. */
typedef void (*MakeCode)(const RandomParts *parts, GPtrArray *body);

/* Makes the codes of one kind of groups: one code for all warps, or one or two more for some of
 * them. */
static void make_codes_of_kind(RandomCase *c, const RandomParts *parts, MakeCode make)
{
    gint64 from = 0;
    gint32 more = chance(parts->rand, 35) ? g_rand_int_range(parts->rand, 1, 3) : 0;
    for (; more > 0; more--) {
        gint64 to = from + g_rand_int_range(parts->rand, 0, 2);
        PsIdgCode *code = ps_idg_add_code(c->idg);
        ps_idg_add_warps(code, random_expr(parts, from), to > from ? random_expr(parts, to) : NULL);
        make(parts, code->body);
        from = to + 1;
    }
    make(parts, ps_idg_add_code(c->idg)->body);
}

/* All groups do the same, or they are of up to three kinds, some of which may be without groups, or
 * without instructions. What is of the first kind is what it is without others. */
static void make_codes(RandomCase *c, const RandomParts *parts, MakeCode make)
{
    RandomParts others = *parts;
    others.rand = g_rand_new_with_seed(c->seed ^ KINDS_SEED);
    gint32 kinds = chance(others.rand, 30) ? g_rand_int_range(others.rand, 1, 4) : 0;
    gint64 parts_of_all = 0;
    for (gint32 k = 0; k < MAX(kinds, 1); k++) {
        const RandomParts *mine = k > 0 ? &others : parts;
        const gint64 share = g_rand_int_range(others.rand, 0, chance(others.rand, 80) ? 4 : 20);
        const gboolean last = k + 1 == kinds;
        g_autofree char *name = g_strdup_printf("kind%d", (int)k);
        parts_of_all += share;
        if (kinds > 0)
            ps_idg_add_kind(c->idg, name,
                            random_expr(&others, last && parts_of_all == 0 ? 1 : share));
        if (k == 0 || chance(others.rand, 85))
            make_codes_of_kind(c, mine, make);
        else
            build_node(build_loop(ps_idg_add_code(c->idg)->body, "0"), "never", "p0.a", "");
    }
    g_rand_free(others.rand);
}

void random_case_spread(RandomCase *c, GRand *rand, gint64 compute_units)
{
    c->gpu->compute_units = compute_units;
    c->groups = c->groups_per_cu * compute_units;
    c->groups -= g_rand_int_range(rand, 0, (gint32)compute_units);
    g_autofree char *all_groups = g_strdup_printf("%" G_GINT64_FORMAT, c->groups);
    ps_expr_free(c->idg->launch.groups);
    c->idg->launch.groups = build_expr(all_groups);
}

/* instances: about how many of them a warp of a long case is to have. */
static void make_graph(RandomCase *c, GRand *rand, gint64 instances, MakeCode make)
{
    gint64 size = 32 * c->warps_per_group - (chance(rand, 30) ? g_rand_int_range(rand, 0, 32) : 0);
    g_autofree char *group_size = g_strdup_printf("%" G_GINT64_FORMAT, size);
    c->group_size = size;
    c->idg = build_idg("1", group_size);
    random_case_spread(c, rand, c->gpu->compute_units);
    make_params(c, rand);
    g_autoptr(GPtrArray) asked = g_ptr_array_new();
    for (guint i = 0; i < c->classes->len; i++)
        g_ptr_array_add(asked, (gpointer)g_array_index(c->classes, RefClass, i).asked);
    RandomParts parts = {rand, c->scope, asked, instances};
    make_codes(c, &parts, make);
}

/* ---- the case ------------------------------------------------------------------------------ */

static void clear_class(gpointer data)
{
    g_free((char *)((RefClass *)data)->asked);
}

static RandomCase *blank_case(guint32 seed)
{
    RandomCase *c = g_new0(RandomCase, 1);
    c->seed = seed;
    c->overrides = ps_scope_new();
    c->scope = ps_scope_new();
    c->classes = g_array_new(FALSE, FALSE, sizeof(RefClass));
    g_array_set_clear_func(c->classes, clear_class);
    c->n_cus = 1;
    c->clock = PS_RATIONAL_INT(0);
    return c;
}

static void make_launch(RandomCase *c, GRand *rand, gint32 most)
{
    gint64 fitting = g_rand_int_range(rand, 1, most + 1);
    c->active_groups = MIN(fitting, c->groups_per_cu);
    make_gpu(c, rand);
    if (chance(rand, 50))
        c->options.active = fitting;
    else
        c->gpu->limits.groups = fitting;
}

RandomCase *random_case_new(guint32 seed)
{
    GRand *rand = g_rand_new_with_seed(seed);
    RandomCase *c = blank_case(seed);
    c->warps_per_group = g_rand_int_range(rand, 1, 5);
    c->groups_per_cu = g_rand_int_range(rand, 1, 9);
    make_launch(c, rand, 4);
    make_graph(c, rand, 0, random_code);
    g_rand_free(rand);
    return c;
}

/* Many groups, long loops, or some of both. */
static RandomCase *make_long(GRand *rand, RandomCase *c, gint64 instructions, gint32 crowd)
{
    c->too_long = TRUE;
    c->warps_per_group = g_rand_int_range(rand, 1, crowd);
    c->groups_per_cu =
        chance(rand, 50) ? random_size(rand, 100, 10000) : g_rand_int_range(rand, 1, 9);
    make_launch(c, rand, crowd);
    c->gpu->limits.warps = 64; /* at least as many as there ever are: for the occupancy */
    make_graph(c, rand, instructions / (c->groups_per_cu * c->warps_per_group), random_long_code);
    g_rand_free(rand);
    return c;
}

/* As many instructions in all as two simulations of it take little time for. */
RandomCase *random_case_new_long(guint32 seed)
{
    GRand *rand = g_rand_new_with_seed(seed);
    RandomCase *c = blank_case(seed);
    const gint64 instructions = random_size(rand, 2000, 200000);
    return make_long(rand, c, instructions, 4);
}

RandomCase *random_case_new_crowd(guint32 seed, gint64 least, gint64 most)
{
    GRand *rand = g_rand_new_with_seed(seed);
    RandomCase *c = blank_case(seed);
    const gint64 instructions = random_size(rand, least, most);
    return make_long(rand, c, instructions, 8);
}

void random_case_free(RandomCase *random_case)
{
    if (!random_case)
        return;
    ps_idg_free(random_case->idg);
    ps_scope_free(random_case->overrides);
    ps_scope_free(random_case->scope);
    build_gpu_free(random_case->gpu);
    g_array_unref(random_case->classes);
    g_clear_pointer(&random_case->traffic, g_hash_table_unref);
    g_free(random_case->what_if);
    g_free(random_case->queues);
    g_free(random_case);
}

RefRun random_case_run(const RandomCase *random_case)
{
    return (RefRun){.idg = random_case->idg,
                    .scope = random_case->scope,
                    .warps_per_group = random_case->warps_per_group,
                    .active_groups = random_case->active_groups,
                    .groups = random_case->refinements.all_cus ? random_case->groups
                                                               : random_case->groups_per_cu,
                    .classes = &g_array_index(random_case->classes, RefClass, 0),
                    .n_classes = random_case->classes->len,
                    .schedulers = random_case->refinements.schedulers,
                    .port_busy = random_case->port_busy,
                    .read_window = random_case->read_window,
                    .queues = random_case->queues,
                    .order = random_case->refinements.order,
                    .policy = random_case->refinements.policy,
                    .group_launch = random_case->group_launch,
                    .group_interval = random_case->group_interval,
                    .turnaround = random_case->turnaround,
                    .fetch = random_case->fetch,
                    .queue = random_case->queue,
                    .window = random_case->window,
                    .cycle = RANDOM_TICKS_PER_CYCLE,
                    .traffic = random_case->traffic,
                    .n_cus = random_case->n_cus};
}

static void print_refinements(const RandomCase *c)
{
    static const char *const policies[] = {"fifo", "lrr", "gto", "gty", "oldest"};
    const PsRefinements *r = &c->refinements;
    g_test_message("refinements: %" G_GINT64_FORMAT " schedulers, port busy %" G_GINT64_FORMAT
                   ", read window %" G_GINT64_FORMAT
                   ", order %s, policy %s, group launch %" G_GINT64_FORMAT
                   ", interval %" G_GINT64_FORMAT ", turnaround %" G_GINT64_FORMAT
                   ", %" G_GINT64_FORMAT " CUs simulated, %" G_GINT64_FORMAT " groups in all",
                   r->schedulers, c->port_busy, c->read_window,
                   r->order == PS_ORDER_PROGRAM ? "program" : "dataflow", policies[r->policy],
                   c->group_launch, c->group_interval, c->turnaround, c->n_cus, c->groups);
}

void random_case_print(const RandomCase *random_case)
{
    g_autofree char *text = ps_idg_write(random_case->idg);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    PsRational p = {0, 1};
    ps_scope_get(random_case->scope, "p", &p);
    g_test_message("seed %u: G %" G_GINT64_FORMAT " M %" G_GINT64_FORMAT " N %" G_GINT64_FORMAT
                   " p=%" G_GINT64_FORMAT ", latencies in ticks of 1/%d cycle",
                   random_case->seed, random_case->warps_per_group, random_case->active_groups,
                   random_case->groups_per_cu, p.num, RANDOM_TICKS_PER_CYCLE);
    print_refinements(random_case);
    if (random_case->what_if)
        g_test_message("what-if (in the classes below): %s", random_case->what_if);
    random_case_print_memory(random_case);
    for (guint i = 0; i < random_case->classes->len; i++) {
        const RefClass *ref = &g_array_index(random_case->classes, RefClass, i);
        g_test_message("class %s: pipeline %u%s issue %" G_GINT64_FORMAT
                       " completion %" G_GINT64_FORMAT,
                       ref->asked, ref->pipeline, ref->per_scheduler ? " per scheduler" : "",
                       ref->issue, ref->completion);
    }
    for (char **line = lines; *line; line++)
        g_test_message("%s", *line);
}
