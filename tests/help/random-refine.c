/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random refinements: see random-refine.h. They have a generator of their own, so that the graph of
 * a seed does not depend on which refinements are drawn.
 */
#include "tests/help/random-refine.h"
#include "tests/help/build-graph.h"
#include "tests/help/random-memory.h"
#include "tests/help/reference-what-if.h"

#include <string.h>

/* Sets the generator apart from the one that makes the graph of the same seed. */
#define OTHER_SEED 0x5eed5eed
#define HOLDS_SEED 0x401d5
#define READS_SEED 0xbad6e
#define QUEUES_SEED 0x9e7e5
#define WHAT_IF_SEED 0x3a71f

enum { R1, R2, R3, R5, R6, R7, R9, N_REFINEMENTS };

static gboolean chance(GRand *rand, int percent)
{
    return g_rand_int_range(rand, 0, 100) < percent;
}

static guint allowed(void)
{
    static const char *const names[N_REFINEMENTS] = {"R1", "R2", "R3", "R5", "R6", "R7", "R9"};
    const char *text = g_getenv("PIPESIM_REFINEMENTS");
    guint mask = 0;
    for (guint i = 0; i < N_REFINEMENTS; i++)
        if (!text || strstr(text, names[i]))
            mask |= 1U << i;
    return mask;
}

static guint draw(GRand *rand)
{
    const guint all = (1U << N_REFINEMENTS) - 1;
    if (chance(rand, 10))
        return 0;
    if (chance(rand, 15))
        return all;
    if (chance(rand, 35))
        return 1U << g_rand_int_range(rand, 0, N_REFINEMENTS);
    return g_rand_int(rand) & all;
}

static gint64 ticks(PsRational cycles)
{
    return cycles.num * (RANDOM_TICKS_PER_CYCLE / cycles.den);
}

/* ---- R1 ------------------------------------------------------------------------------------ */

/* Where two warps may arrive at a barrier in the same instant with different completion latencies,
 * the rules do not say which is the last: see random-graph.c. */
static gboolean may_split(const RandomCase *c, guint pipeline)
{
    for (guint i = 0; pipeline == 0 && i < c->classes->len; i++)
        if (g_str_has_prefix(g_array_index(c->classes, RefClass, i).asked, "barrier.b"))
            return FALSE;
    return TRUE;
}

/* Some pipelines become pipelines per scheduler. Without R1 they count as one that is faster. */
static void split_pipelines(RandomCase *c, GRand *rand, gboolean schedulers)
{
    for (guint p = 0; p < c->gpu->pipelines->len; p++) {
        PsPipeline *pipeline = c->gpu->pipelines->pdata[p];
        pipeline->per_scheduler = chance(rand, schedulers ? 40 : 10) && may_split(c, p);
        for (guint i = 0; i < c->classes->len; i++) {
            RefClass *class = &g_array_index(c->classes, RefClass, i);
            if (class->pipeline != p || !pipeline->per_scheduler)
                continue;
            class->per_scheduler = schedulers;
            if (!schedulers)
                class->issue /= c->gpu->schedulers;
        }
    }
}

static void refine_schedulers(RandomCase *c, GRand *rand, gboolean on)
{
    static const PsRational widths[] = {{1, 2}, {1, 1}, {2, 1}, {4, 1}};
    PsRational width = widths[g_rand_int_range(rand, 0, G_N_ELEMENTS(widths))];
    c->gpu->schedulers = g_rand_int_range(rand, 1, 5);
    c->gpu->issue_width = width;
    split_pipelines(c, rand, on);
    if (!on)
        return;
    c->refinements.schedulers = c->gpu->schedulers;
    c->refinements.issue_width = width;
    c->port_busy = RANDOM_TICKS_PER_CYCLE * width.den / width.num;
}

/* ---- R5, R6 -------------------------------------------------------------------------------- */

static void refine_overheads(RandomCase *c, GRand *rand)
{
    PsOverheads *overheads = &c->gpu->overheads;
    gboolean whole = chance(rand, 50);
    c->refinements.overheads = TRUE;
    overheads->kernel_launch = random_latency(rand, whole, 9);
    if (chance(rand, 65))
        overheads->group_launch = random_latency(rand, whole, 20);
    if (chance(rand, 65))
        overheads->group_interval = random_latency(rand, whole, chance(rand, 50) ? 8 : 40);
    if (chance(rand, 65))
        overheads->turnaround = random_latency(rand, whole, chance(rand, 50) ? 8 : 40);
    if (chance(rand, 65))
        overheads->dispatch = random_latency(rand, whole, 3);
    const gint64 dispatch = ticks(overheads->dispatch) * MIN(c->gpu->compute_units, c->groups);
    c->group_launch = ticks(overheads->group_launch);
    c->group_interval = MAX(ticks(overheads->group_interval), dispatch);
    c->turnaround = ticks(overheads->turnaround);
}

static void refine_cus(RandomCase *c)
{
    c->refinements.all_cus = TRUE;
    c->n_cus = MIN(c->gpu->compute_units, c->groups);
}

/* ---- R9 ------------------------------------------------------------------------------------ */

static void hold_some(RandomCase *c, GRand *rand, const GPtrArray *body, int percent)
{
    for (guint i = 0; i < body->len; i++) {
        PsIdgItem *item = body->pdata[i];
        if (item->kind == PS_IDG_LOOP) {
            hold_some(c, rand, item->body, percent);
        } else if (chance(rand, percent)) {
            const PsRational cycles =
                random_latency(rand, chance(rand, 50), chance(rand, 80) ? 6 : 30);
            g_autofree char *text = ps_rational_format(cycles);
            item->hold = build_expr(text);
        }
    }
}

static void refine_holds(RandomCase *c)
{
    GRand *rand = g_rand_new_with_seed(c->seed ^ HOLDS_SEED);
    const int percent = g_rand_int_range(rand, 10, 101);
    for (guint i = 0; i < c->idg->codes->len; i++)
        hold_some(c, rand, ((const PsIdgCode *)c->idg->codes->pdata[i])->body, percent);
    g_rand_free(rand);
}

/* ---- R10 ----------------------------------------------------------------------------------- */

static void read_some(GRand *rand, const GPtrArray *body, int percent)
{
    for (guint i = 0; i < body->len; i++) {
        PsIdgItem *item = body->pdata[i];
        if (item->kind == PS_IDG_LOOP) {
            read_some(rand, item->body, percent);
            continue;
        }
        for (guint b = 0; b < PS_IDG_BANKS && chance(rand, percent); b++) {
            item->banks[b] = (guint8)g_rand_int_range(rand, 0, PS_IDG_MAX_READS + 1);
            item->kept[b] = (guint8)g_rand_int_range(rand, 0, item->banks[b] + 1);
        }
    }
}

/* With a generator of its own, so that cases without are what they were. It is nothing without
 * schedulers. */
static void refine_reads(RandomCase *c)
{
    GRand *rand = g_rand_new_with_seed(c->seed ^ READS_SEED);
    const int percent = g_rand_int_range(rand, 30, 101);
    if (chance(rand, 40)) {
        c->gpu->read_window = chance(rand, 60) ? 3 : g_rand_int_range(rand, 1, 6);
        for (guint i = 0; i < c->idg->codes->len; i++)
            read_some(rand, ((const PsIdgCode *)c->idg->codes->pdata[i])->body, percent);
    }
    c->read_window =
        c->refinements.schedulers > 0 ? c->gpu->read_window * RANDOM_TICKS_PER_CYCLE : 0;
    g_rand_free(rand);
}

/* ---- R11 ----------------------------------------------------------------------------------- */

static gboolean serves_barriers(const RandomCase *c, guint pipeline)
{
    for (guint i = 0; i < c->classes->len; i++) {
        const RefClass *class = &g_array_index(c->classes, RefClass, i);
        if (class->pipeline == pipeline && g_str_has_prefix(class->asked, "barrier"))
            return TRUE;
    }
    return FALSE;
}

/* With a generator of its own, as reads have. It is nothing without schedulers, nor in dataflow
 * order. */
static void refine_queues(RandomCase *c)
{
    GRand *rand = g_rand_new_with_seed(c->seed ^ QUEUES_SEED);
    const int percent = chance(rand, 50) ? 0 : g_rand_int_range(rand, 30, 101);
    c->queues = g_new0(gint64, c->gpu->pipelines->len + 1);
    for (guint p = 0; p < c->gpu->pipelines->len; p++) {
        if (!chance(rand, percent) || serves_barriers(c, p))
            continue;
        c->queues[p] = chance(rand, 80) ? g_rand_int_range(rand, 1, 5) : PS_MOST_QUEUED;
        ((PsPipeline *)c->gpu->pipelines->pdata[p])->queue = c->queues[p];
    }
    g_rand_free(rand);
}

void random_case_refine(RandomCase *c)
{
    const PsPolicy greedy = c->seed % 2 == 0 ? PS_POLICY_GTO : PS_POLICY_GTY;
    const PsPolicy policies[] = {PS_POLICY_LRR, greedy, PS_POLICY_OLDEST};
    GRand *rand = g_rand_new_with_seed(c->seed ^ OTHER_SEED);
    guint on = draw(rand) & allowed();
    PsPolicy policy = policies[g_rand_int_range(rand, 0, G_N_ELEMENTS(policies))];
    refine_schedulers(c, rand, ((on >> R1) & 1) != 0);
    c->refinements.order = (on >> R2) & 1 ? PS_ORDER_PROGRAM : PS_ORDER_DATAFLOW;
    c->refinements.policy = (on >> R3) & 1 ? policy : PS_POLICY_FIFO;
    if ((on >> R6) & 1)
        refine_cus(c);
    else if (chance(rand, 30))
        random_case_spread(c, rand, g_rand_int_range(rand, 10, 100));
    if ((on >> R5) & 1)
        refine_overheads(c, rand);
    if ((on >> R7) & 1)
        random_case_add_memory(c, rand);
    if ((on >> R9) & 1)
        refine_holds(c);
    if ((allowed() >> R1) & 1)
        refine_reads(c);
    refine_queues(c);
    g_rand_free(rand);
}

/* ---- what-ifs ------------------------------------------------------------------------------ */

/* The classes that the graph asks for, but for barriers', as in may_split. */
static GPtrArray *list_names(const RandomCase *c)
{
    GPtrArray *names = g_ptr_array_new();
    g_autoptr(GPtrArray) nodes = g_ptr_array_new();
    for (guint i = 0; i < c->idg->codes->len; i++)
        ref_nodes(((const PsIdgCode *)c->idg->codes->pdata[i])->body, c->scope, nodes);
    for (guint i = 0; i < nodes->len; i++) {
        const PsIdgItem *item = nodes->pdata[i];
        if (!g_str_has_prefix(item->class_name, "barrier"))
            g_ptr_array_add(names, item->class_name);
    }
    return names;
}

/* "CLASS.issue=V", of a class or what is above it; a half at most once, as ticks are. */
static void add_what_if(GString *text, GRand *rand, const GPtrArray *names)
{
    static const char *const figures[] = {"issue", "completion"}, *const factors[] = {"x2", "x3"};
    g_autofree char *name = g_strdup(names->pdata[g_rand_int_range(rand, 0, (gint32)names->len)]);
    char *const last = strrchr(name, '.');
    if (last && chance(rand, 50))
        *last = 0;
    const PsRational figure = random_latency(rand, chance(rand, 50), 30);
    g_autofree char *value = chance(rand, 60) ? ps_rational_format(figure)
                             : text->len == 0 ? g_strdup("x0.5")
                                              : g_strdup(factors[g_rand_int_range(rand, 0, 2)]);
    g_string_append_printf(text, "%s%s.%s=%s", text->len ? "," : "", name,
                           figures[g_rand_int_range(rand, 0, 2)], value);
}

void random_case_what_if(RandomCase *c)
{
    GRand *rand = g_rand_new_with_seed(c->seed ^ WHAT_IF_SEED);
    g_autoptr(GPtrArray) names = list_names(c);
    g_autoptr(GString) text = g_string_new(NULL);
    for (gint32 n = chance(rand, 40) && names->len ? g_rand_int_range(rand, 1, 4) : 0; n > 0; n--)
        add_what_if(text, rand, names);
    g_rand_free(rand);
    if (text->len == 0)
        return;
    c->what_if = g_strdup(text->str);
    g_autoptr(GPtrArray) list = ps_what_if_parse(c->what_if, NULL);
    const RefCosts costs = {.idg = c->idg,
                            .scope = c->scope,
                            .gpu = c->gpu,
                            .schedulers = c->refinements.schedulers,
                            .ticks_per_cycle = RANDOM_TICKS_PER_CYCLE,
                            .classes = c->classes,
                            .traffic = c->traffic};
    ref_what_if(&costs, list);
}
