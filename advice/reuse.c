/* SPDX-License-Identifier: BSD-3-Clause */
/* Advice on repeated accesses of a thread to one address in loops, which a register could hold
 * meanwhile (PsIdgItem, invariant): a loaded or stored value, or a sum. See kind.h. */
#include "advice/access.h"
#include "answer/traffic.h"

#include "base/class-name.h"
#include "idg/edit.h"
#include "tell/format.h"

#include <string.h>

/* "loads the same address 32 times: one load before the loop" */
static char *sentence(const PsAnswer *answer, const PsAdvice *advice)
{
    const PsMoved *moved = advice->data;
    const gboolean stores = ps_class_is_store(advice->class_name);
    g_autofree char *times = ps_format_count(moved->now);
    if (ps_class_covers("atomic", advice->class_name))
        return ps_moved_sentence(
            answer, advice,
            g_strdup_printf("each thread adds to the same address %s times in a loop: a register "
                            "instead, and one atomic behind it,",
                            times));
    return ps_moved_sentence(
        answer, advice,
        g_strdup_printf("each thread %s the same address %s times in a loop: a register instead, "
                        "and one %s,",
                        stores ? "stores to" : "loads from", times,
                        stores ? "store behind it" : "load before it"));
}

static const PsAdviceChange in_registers = PS_MOVED_CHANGE("in-registers", sentence);

/* The loops around a node in which its address stays, and their iterations altogether. */
static guint loops_of(const PsProgramNode *node, gint64 *times)
{
    const guint n = MIN(node->item->invariant, node->n_loops);
    *times = 1;
    for (guint i = 0; i < n; i++)
        *times *= node->loops[i].trips;
    return *times > 1 ? n : 0;
}

static gboolean is_load(const PsIdgItem *node, void *data)
{
    (void)data;
    return ps_class_covers("global.load", node->class_name);
}

/* ---- sums ---------------------------------------------------------------------------------- */

/* TRUE if an earlier atomic of its line adds at the same place: unrolled loops have several. Only
 * the first of them touches memory that its group has not touched before. */
static gboolean adds_to_another(const PsAnswer *answer, guint program, guint n)
{
    const PsProgramNode *nodes = answer->kernel->programs[program].nodes, *node = &nodes[n];
    if (ps_traffic_distinct(answer, node) > 0)
        return FALSE;
    for (guint before = n; before-- > 0 && nodes[before].n_loops == node->n_loops;)
        if (nodes[before].item->source_line == node->item->source_line &&
            strcmp(nodes[before].item->class_name, node->item->class_name) == 0)
            return TRUE;
    return FALSE;
}

/* Moves one atomic behind so many loops. */
static void add_behind(PsIdg *idg, guint program, const PsProgramNode *node, guint loops)
{
    const PsIdgItem *item = ps_idg_find(idg, program, node->item->name);
    const PsAccessTraffic traffic = ps_access_traffic(node);
    g_autofree char *name = g_strdup_printf("%s__sum", item->name);
    g_autoptr(GPtrArray) holder = g_ptr_array_new();
    PsIdgItem *sum = ps_idg_add_node(holder, name, item->class_name);
    ps_idg_add_dep(sum, item->name);
    ps_access_set_traffic(sum, &traffic);
    sum->source_line = item->source_line;
    sum->file = g_strdup(item->file);
    ps_idg_put_behind(idg, program, item, loops, sum);
}

/* Keeps a sum in a register in the loops. */
static void sum_up(const PsAnswer *answer, PsIdg *idg, guint program, guint n, guint loops)
{
    const PsProgramNode *node = &answer->kernel->programs[program].nodes[n];
    if (!adds_to_another(answer, program, n))
        add_behind(idg, program, node, loops);
    ps_access_leave_global(ps_idg_find(idg, program, node->item->name), "iadd");
}

/* ---- loads and stores ---------------------------------------------------------------------- */

/* Moves a load before the loops, and a store behind them: loads that may read the store's place no
 * longer wait. */
static void hoist(PsIdg *idg, guint program, const PsProgramNode *node, guint loops)
{
    PsIdgItem *item = ps_idg_find(idg, program, node->item->name);
    const gboolean stores = ps_class_is_store(item->class_name);
    g_autoptr(GPtrArray) around = ps_idg_loops_around(idg, program, item);
    ps_idg_hoist(idg, program, item, loops, stores);
    if (stores)
        ps_idg_raise(((PsIdgItem *)around->pdata[0])->body, is_load, NULL);
}

/* ---- advice -------------------------------------------------------------------------------- */

/* Executions of all nodes on the source line that is told. */
static gint64 times_there(const PsAnswer *answer, const PsAccessPlaces *places)
{
    const PsProgram *program = &answer->kernel->programs[places->program];
    const PsIdgItem *told = program->nodes[places->node].item;
    gint64 sum = 0, times;
    for (guint n = 0; n < program->n_nodes; n++) {
        const PsIdgItem *item = program->nodes[n].item;
        if (loops_of(&program->nodes[n], &times) && item->source_line == told->source_line &&
            strcmp(item->class_name, told->class_name) == 0)
            sum += times;
    }
    return sum;
}

static void find(PsAdvicePlan *plan)
{
    const PsAnswer *answer = plan->answer;
    g_autoptr(PsIdg) idg = ps_idg_copy(plan->question->idg);
    g_auto(PsAccessPlaces) places = ps_access_places();
    gint64 times;
    for (guint p = 0; p < answer->kernel->n_programs; p++)
        for (guint n = 0; n < answer->kernel->programs[p].n_nodes; n++) {
            const PsProgramNode *node = &answer->kernel->programs[p].nodes[n];
            const guint loops = loops_of(node, &times);
            const gboolean sums = ps_class_covers("atomic", node->item->class_name);
            if (!loops || (sums && node->awaited))
                continue;
            if (sums)
                sum_up(answer, idg, p, n, loops);
            else
                hoist(idg, p, node, loops);
            ps_access_add_place(&places, answer, p, n);
        }
    if (places.node == G_MAXUINT)
        return;
    for (guint p = 0; p < answer->kernel->n_programs; p++)
        ps_idg_drop_unused(idg, p, plan->question->idg);
    PsAdvice *advice =
        ps_access_advise(plan, PS_CAUSE_REUSE, &in_registers, g_steal_pointer(&idg), &places);
    PsMoved *moved = advice->data;
    moved->now = times_there(answer, &places);
    moved->then = 1;
}

const PsAdviceKind ps_advice_kind_reuse = {.find = find, .copies_graph = TRUE};
