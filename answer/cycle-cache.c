/* SPDX-License-Identifier: BSD-3-Clause */
/* See cache.h. The key names everything that sim/ reads of a machine. */
#include "answer/cycle-cache.h"

struct PsCycleCache {
    GHashTable *results; /* PsSimResult, by key */
};

PsCycleCache *ps_cycle_cache_new(void)
{
    PsCycleCache *cache = g_new(PsCycleCache, 1);
    cache->results = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    return cache;
}

void ps_cycle_cache_free(PsCycleCache *cache)
{
    if (!cache)
        return;
    g_hash_table_unref(cache->results);
    g_free(cache);
}

/* ---- keys ---------------------------------------------------------------------------------- */

static void put(GString *key, gint64 value)
{
    g_string_append_printf(key, "%" G_GINT64_FORMAT " ", value);
}

static void put_rational(GString *key, PsRational value)
{
    put(key, value.num);
    put(key, value.den);
}

/* The number of all groups matters only by a CU's own share, unless all CUs are simulated. */
static void put_launch(GString *key, const PsMachine *machine)
{
    const PsLaunch *launch = &machine->launch;
    put(key, launch->warps_per_group);
    put(key, launch->groups_per_cu);
    put(key, launch->active_groups);
    put(key, machine->n_cus);
    put(key, machine->refinements.all_cus ? launch->groups : 0);
}

static void put_refinements(GString *key, const PsRefinements *refinements)
{
    put(key, refinements->schedulers);
    put_rational(key, refinements->issue_width);
    put(key, refinements->order);
    put(key, refinements->policy);
    put(key, refinements->contention);
    put(key, refinements->overheads);
    put(key, refinements->all_cus);
    put(key, refinements->levels);
}

/* Adds the costs of nodes that levels of memory serve. */
static void put_costs(GString *key, const PsMachine *machine)
{
    for (guint p = 0; p < machine->kernel->n_programs; p++)
        for (guint n = 0; n < machine->kernel->programs[p].n_nodes; n++) {
            const PsNodeCost *cost = &machine->costs[p][n];
            if (!machine->classes[machine->class_of[p][n]].by_levels)
                continue;
            put_rational(key, cost->latency.issue);
            put_rational(key, cost->posted ? cost->drain : cost->latency.completion);
            for (guint s = 0; s < cost->n_stops; s++) {
                put(key, cost->stops[s].server);
                put(key, cost->stops[s].weight);
                put_rational(key, cost->stops[s].cycles);
            }
        }
}

/* TRUE for a node that no node awaits, of its warp or another, and whose warp is certain to end
 * later than it completes: from the next node's issue on, holds (R9) keep the warp for `held`
 * cycles at least. Its pipeline begins with it before that issue, unless the pipeline has a queue
 * (R11). */
static gboolean ends_unnoticed(const PsMachine *machine, guint p, guint n, PsRational held)
{
    const PsProgramNode *node = &machine->kernel->programs[p].nodes[n];
    const PsMachineClass *class = &machine->classes[machine->class_of[p][n]];
    return !node->awaited && class->queue == 0 && !class->by_levels &&
           ps_rational_cmp(machine->costs[p][n].latency.completion, held) <= 0;
}

/* Notes the classes of a program's nodes whose completions count. */
static void note_counting(const PsMachine *machine, guint p, gboolean *count)
{
    const PsProgram *program = &machine->kernel->programs[p];
    PsRational held = {0, 1}; /* by the nodes between this one and the last */
    for (guint n = program->n_nodes; n-- > 0;) {
        const PsProgramNode *node = &program->nodes[n];
        if (node->barrier || !(node->free_store || ends_unnoticed(machine, p, n, held)))
            count[machine->class_of[p][n]] = TRUE;
        PsRational longer;
        if (n + 1 < program->n_nodes && ps_rational_add(held, node->hold, &longer))
            held = longer;
    }
}

gboolean *ps_completions_that_count(const PsMachine *machine)
{
    gboolean *count = g_new0(gboolean, MAX(machine->n_classes, 1));
    for (guint p = 0; p < machine->kernel->n_programs; p++)
        note_counting(machine, p, count);
    return count;
}

char *ps_cycle_cache_key(const PsQuestion *question, const PsMachine *machine)
{
    GString *key = g_string_new(NULL);
    g_autofree gboolean *count = ps_completions_that_count(machine);
    g_string_append_printf(key, "%p %p ", (const void *)question->idg, (const void *)question->gpu);
    put(key, question->program == question->other_program ? 0 : (gint64)question->program + 1);
    put(key, question->program == question->other_program ? 0 : question->other_program);
    put_launch(key, machine);
    put_refinements(key, &machine->refinements);
    for (guint i = 0; i < machine->n_classes; i++) {
        const PsMachineClass *bound = &machine->classes[i];
        put(key, bound->pipeline);
        put_rational(key, bound->latency.issue);
        put_rational(key, count[i] ? bound->latency.completion : PS_RATIONAL_INT(0));
    }
    put_costs(key, machine);
    return g_string_free(key, FALSE);
}

/* ---- what is known ------------------------------------------------------------------------- */

/* A simulation reports that it takes too many ticks; another one's result must not hide that. */
gboolean ps_cycle_cache_find(const PsCycleCache *cache, const char *key, gint64 ticks_per_cycle,
                             PsSimResult *result)
{
    const PsSimResult *found = g_hash_table_lookup(cache->results, key);
    PsRational ticks;
    if (!found || !ps_rational_mul(found->cycles, PS_RATIONAL_INT(ticks_per_cycle), &ticks) ||
        ps_rational_cmp(ticks, PS_RATIONAL_INT(G_MAXINT64 / 4)) > 0)
        return FALSE;
    *result = *found;
    return TRUE;
}

void ps_cycle_cache_add(PsCycleCache *cache, const char *key, const PsSimResult *result)
{
    g_hash_table_insert(cache->results, g_strdup(key), g_memdup2(result, sizeof *result));
}
