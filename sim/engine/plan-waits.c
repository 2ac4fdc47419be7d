/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Waits for other warps of the group (R12). A warp keeps what it lacks: for each wait, and each
 * awaited warp, the number of completions that its next instance still needs. Each completion
 * lowers that number; the waiting instance raises it again when it has issued.
 */
#include "sim/engine/plan.h"
#include "sim/engine/warp.h"

/* Lists the warps of a group that run each program; all belong to one kind. */
static void list_warps(PsPlan *plan)
{
    for (guint p = 0; p < plan->n_programs; p++)
        plan->programs[p].warps = g_new(guint, plan->programs[p].n_warps + 1);
    for (guint k = 0; k < plan->n_kinds; k++) {
        const PsPlanKind *kind = &plan->kinds[k];
        for (gint64 w = 0; w < plan->machine->launch.warps_per_group; w++)
            plan->programs[kind->program_of[w]].warps[kind->nth_of[w]] = (guint)w;
    }
}

static guint count_waits(const PsProgram *program)
{
    guint waits = 0;
    for (guint n = 0; n < program->n_nodes; n++)
        waits += program->nodes[n].n_waits;
    return waits;
}

static void set_limit(PsPlanWait *to, const PsProgramWait *wait)
{
    const gint64 more = wait->most - to->first;
    to->raises = -1;
    if (wait->most == G_MAXINT64 || wait->per == 0)
        return;
    to->raises = (more + wait->per - 1) / wait->per;
    to->rest = more - wait->per * (to->raises - 1);
}

static void lay_out_waits_of(PsPlan *plan, guint p)
{
    const PsProgram *program = &plan->machine->kernel->programs[p];
    PsPlanProgram *to = &plan->programs[p];
    to->waits = g_new0(PsPlanWait, count_waits(program) + 1);
    for (guint n = 0; n < to->n_nodes; n++) {
        const PsProgramNode *node = &program->nodes[n];
        to->nodes[n].n_waits = node->n_waits;
        to->nodes[n].waits = &to->waits[to->n_waits];
        for (guint i = 0; i < node->n_waits; i++) {
            const PsProgramWait *wait = &node->waits[i];
            to->waits[to->n_waits] = (PsPlanWait){.first = MIN(wait->first, wait->most),
                                                  .per = wait->per,
                                                  .every = wait->every,
                                                  .program = wait->program,
                                                  .on = wait->on,
                                                  .node = n,
                                                  .number = to->n_waits,
                                                  .lack = to->n_lacks,
                                                  .n_lacks = plan->programs[wait->program].n_warps};
            set_limit(&to->waits[to->n_waits], wait);
            to->n_waits++;
            to->n_lacks += plan->programs[wait->program].n_warps;
            plan->programs[wait->program].nodes[wait->on].n_watches++;
            plan->programs[wait->program].nodes[wait->on].far_awaited = TRUE;
        }
    }
}

/* Marks the nodes that are looked at when they have issued: those that await something, those
 * before them, and those that end a loop. */
static void mark_ends(PsPlanProgram *program)
{
    for (guint n = 0; n < program->n_nodes; n++) {
        PsPlanNode *node = &program->nodes[n];
        const gboolean next = n + 1 < program->n_nodes && node[1].n_waits > 0;
        node->ends = node->ends || next || node->n_waits > 0;
    }
}

/* Lays out the watches; n_watches is set. */
static void lay_out_watches(PsPlan *plan)
{
    for (guint p = 0; p < plan->n_programs; p++) {
        PsPlanProgram *program = &plan->programs[p];
        guint all = 0;
        for (guint n = 0; n < program->n_nodes; n++)
            all += program->nodes[n].n_watches;
        PsPlanWatch *watch = program->watches = g_new0(PsPlanWatch, all + 1);
        for (guint n = 0; n < program->n_nodes; n++) {
            program->nodes[n].watches = watch;
            watch += program->nodes[n].n_watches;
            program->nodes[n].n_watches = 0;
        }
    }
    for (guint p = 0; p < plan->n_programs; p++)
        for (guint i = 0; i < plan->programs[p].n_waits; i++) {
            const PsPlanWait *wait = &plan->programs[p].waits[i];
            PsPlanNode *on = &plan->programs[wait->program].nodes[wait->on];
            PsPlanWatch *watches = plan->programs[wait->program].watches;
            watches[on->watches - watches + on->n_watches++] = (PsPlanWatch){p, wait->lack};
        }
}

void ps_plan_lay_out_waits(PsPlan *plan)
{
    list_warps(plan);
    for (guint p = 0; p < plan->n_programs; p++)
        lay_out_waits_of(plan, p);
    lay_out_watches(plan);
    for (guint p = 0; p < plan->n_programs; p++) {
        PsPlanProgram *program = &plan->programs[p];
        mark_ends(program);
        plan->waits = plan->waits || program->n_waits > 0;
        for (guint n = 0; n < program->n_nodes; n++)
            program->history += ps_plan_remembers(&program->nodes[n]) ? PS_HISTORY : 0;
    }
}
