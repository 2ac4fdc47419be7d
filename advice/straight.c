/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Advice on straight code: loads that stand behind waits for other loads move before these
 * (ps_idg_raise_loads). Compilers do that themselves, as far as they spend registers on it, except
 * where a store might write the loaded data. See kind.h.
 */
#include "advice/loop-way.h"

#include "idg/edit.h"
#include "idg/rearrange.h"
#include "tell/format.h"

static char *sentence(const PsAnswer *answer, const PsAdvice *advice)
{
    const PsLoopWay *way = ps_loop_way(advice, 0);
    g_autofree char *loads = ps_format_noun(way->loads, "load");
    g_autofree char *gives = ps_would_give(answer, advice);
    g_autofree char *price = ps_loop_price(way);
    return g_strdup_printf("%s earlier%s, before what waits for others%s %s", loads,
                           way->loads > 1 ? ", this one with them" : "", *price ? price : ",",
                           gives);
}

static void tell_figures(const PsAdvice *advice, PsTold *facts)
{
    const PsLoopWay *way = ps_loop_way(advice, 0);
    ps_tell_entry_whole(facts, "loads", way->loads);
    ps_tell_entry_whole(facts, "registers", way->registers);
}

static const PsAdviceChange raised_loads = {.name = "raised",
                                            .sentence = sentence,
                                            .tell_figures = tell_figures,
                                            .clear = ps_loop_ways_clear};

/* Loads that move up: a set of names for each program. */
typedef struct {
    GPtrArray *names;         /* GHashTable */
    double share;             /* share of the critical path that waits for them */
    const PsPathRow *longest; /* the longest of these rows; NULL: none */
} Raised;

static void find_share(const PsAnswer *answer, Raised *raised)
{
    const GPtrArray *path = answer->explain->path;
    for (guint i = 0; path && i < path->len; i++) {
        const PsPathRow *row = path->pdata[i];
        if (row->node == G_MAXUINT || !ps_advice_is_load(answer, row))
            continue;
        const PsIdgItem *item = answer->kernel->programs[row->program].nodes[row->node].item;
        if (!g_hash_table_contains(raised->names->pdata[row->program], item->name))
            continue;
        raised->share += (double)row->ticks / (double)answer->result.ticks;
        raised->longest = raised->longest ? raised->longest : row;
    }
}

/* Moves loads up in all straight code of the graph; FALSE if nothing changes. */
static gboolean raise_all(const PsAnswer *answer, PsIdg *idg, Raised *raised, PsLoopWay *way)
{
    gboolean any = FALSE;
    for (guint p = 0; p < answer->kernel->n_programs; p++) {
        GHashTable *names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
        PsIdgRearranged did;
        any = ps_idg_raise_loads(idg, p, answer->kernel->scope, names, &did) || any;
        g_ptr_array_add(raised->names, names);
        way->loads = MAX(way->loads, did.loads);
        way->registers = MAX(way->registers, did.words);
        way->passes_store = way->passes_store || did.passes_store;
    }
    return any;
}

static void add_item(PsAdvicePlan *plan, const Raised *raised, const PsLoopWay *way, PsIdg *idg)
{
    PsVariant *variant = ps_variant_new(plan->question);
    variant->question.idg = variant->idg = idg;
    variant->share = raised->share;
    PsAdvice *advice =
        ps_advice_add(plan, PS_CAUSE_ORDER, &raised_loads, raised->longest->class_index, variant)
            ->advice;
    advice->program = raised->longest->program;
    advice->node = raised->longest->node;
    ps_loop_ways_init(advice, G_MAXUINT, way);
}

static void find(PsAdvicePlan *plan)
{
    const PsAnswer *answer = plan->answer;
    g_autoptr(PsIdg) idg = ps_idg_copy(plan->question->idg);
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func((GDestroyNotify)g_hash_table_unref);
    Raised raised = {.names = names};
    PsLoopWay way = {.times = 1};
    if (!raise_all(answer, idg, &raised, &way) || (idg->of_ptx && !way.passes_store) ||
        !ps_advice_add_registers(answer, way.registers, idg))
        return;
    find_share(answer, &raised);
    if (raised.share >= PS_ADVICE_LEAST)
        add_item(plan, &raised, &way, g_steal_pointer(&idg));
}

const PsAdviceKind ps_advice_kind_straight = {.find = find, .copies_graph = TRUE};
