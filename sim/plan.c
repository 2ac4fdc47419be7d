/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/warp.h"

/* What the kernel uses, in order of first use. */
typedef struct {
    GArray *timers;    /* gint64: Lambda in ticks */
    GArray *pipelines; /* gint64: index in the GPU's */
} Used;

/* The number of this value; a new one if it is not there. */
static guint number_of(GArray *values, gint64 value)
{
    for (guint i = 0; i < values->len; i++)
        if (g_array_index(values, gint64, i) == value)
            return i;
    g_array_append_val(values, value);
    return values->len - 1;
}

static PsPlanNode plan_node(const PsProgramNode *node, const PsBoundClass *bound, const Used *used)
{
    PsPlanNode plan = {.item = node->item};
    plan.issue = bound->issue;
    plan.completion = node->free_store ? bound->issue : bound->completion;
    plan.pipeline = number_of(used->pipelines, bound->pipeline);
    plan.timer = number_of(used->timers, plan.completion);
    plan.barrier = node->barrier;
    plan.n_edges = node->n_deps;
    plan.n_loops = node->n_loops;
    return plan;
}

static void allocate(PsPlanProgram *plan, const PsProgram *program)
{
    plan->n_nodes = program->n_nodes;
    for (guint n = 0; n < program->n_nodes; n++) {
        plan->n_edges += program->nodes[n].n_deps;
        plan->n_loops += program->nodes[n].n_loops;
    }
    /* One more than needed: no array is NULL, and copying none of its elements is well defined. */
    plan->nodes = g_new0(PsPlanNode, plan->n_nodes + 1);
    plan->outs = g_new0(PsPlanOut, plan->n_edges + 1);
    plan->edges = g_new0(PsPlanEdge, plan->n_edges + 1);
    plan->loops = g_new0(PsProgramLoop, plan->n_loops + 1);
    plan->initial = g_new0(guint, plan->n_nodes + 1);
    plan->states = g_new0(PsNodeState, plan->n_nodes + 1);
    plan->slack = g_new0(gint64, plan->n_edges + 1);
    plan->countdown = g_new0(gint64, plan->n_edges + 1);
    plan->trips = g_new0(gint64, plan->n_loops + 1);
}

/* Edges, loops and the state at launch of node n, whose first_edge and first_loop are set. */
static void lay_out_node(PsPlanProgram *plan, const PsProgramNode *node, guint n)
{
    const PsPlanNode *to = &plan->nodes[n];
    PsNodeState *state = &plan->states[n];
    *state = (PsNodeState){node->position, node->count, 0};
    for (guint d = 0; d < node->n_deps; d++) {
        const PsProgramDep *dep = &node->deps[d];
        const guint edge = to->first_edge + d;
        plan->edges[edge] = (PsPlanEdge){dep->per, dep->every};
        plan->slack[edge] = dep->first;
        plan->countdown[edge] = dep->every;
        state->pending += dep->first > 0;
        plan->nodes[dep->on].n_outs++;
    }
    for (guint l = 0; l < node->n_loops; l++) {
        plan->loops[to->first_loop + l] = node->loops[l];
        plan->trips[to->first_loop + l] = node->loops[l].trips;
    }
    if (state->pending == 0)
        plan->initial[plan->n_initial++] = n;
}

/* Groups the edges by the node that others wait for; n_outs is set. */
static void lay_out_outs(PsPlanProgram *plan, const PsProgram *program)
{
    g_autofree guint *next = g_new0(guint, plan->n_nodes + 1);
    next[0] = 0;
    for (guint n = 0; n < plan->n_nodes; n++) {
        plan->nodes[n].outs = &plan->outs[next[n]];
        next[n + 1] = next[n] + plan->nodes[n].n_outs;
    }
    for (guint n = 0; n < plan->n_nodes; n++)
        for (guint d = 0; d < program->nodes[n].n_deps; d++) {
            const guint on = program->nodes[n].deps[d].on;
            plan->outs[next[on]++] = (PsPlanOut){plan->nodes[n].first_edge + d, n};
        }
}

static void plan_program(PsPlanProgram *plan, const PsMachine *machine, guint p, const Used *used)
{
    const PsProgram *program = &machine->kernel->programs[p];
    allocate(plan, program);
    plan->length = program->length;
    guint edge = 0, loop = 0;
    for (guint n = 0; n < program->n_nodes; n++) {
        const PsBoundClass *bound = &machine->classes[machine->class_of[p][n]];
        plan->nodes[n] = plan_node(&program->nodes[n], bound, used);
        plan->nodes[n].first_edge = edge;
        plan->nodes[n].edges = &plan->edges[edge];
        plan->nodes[n].first_loop = loop;
        plan->nodes[n].loops = &plan->loops[loop];
        edge += program->nodes[n].n_deps;
        loop += program->nodes[n].n_loops;
    }
    for (guint n = 0; n < program->n_nodes; n++)
        lay_out_node(plan, &program->nodes[n], n);
    lay_out_outs(plan, program);
}

static gboolean count_instructions(PsPlan *plan, GError **error)
{
    const PsLaunch *launch = &plan->machine->launch;
    gint64 all;
    gboolean fits = TRUE;
    for (gint64 w = 0; fits && w < launch->warps_per_group; w++)
        fits = !__builtin_add_overflow(
            plan->group_length, plan->programs[plan->program_of[w]].length, &plan->group_length);
    if (fits && !__builtin_mul_overflow(plan->group_length, launch->groups_per_cu, &all))
        return TRUE;
    g_set_error(error, PS_ERROR, PS_ERROR_LIMIT,
                "the launch issues more than 2^63 warp instructions on a CU");
    return FALSE;
}

/* The state of a warp is as large as that of its largest program. */
static gboolean check_bytes(const PsPlan *plan, GError **error)
{
    const PsLaunch *launch = &plan->machine->launch;
    gint64 bytes = sizeof(PsWarp);
    for (guint p = 0; p < plan->n_programs; p++)
        bytes = MAX(bytes, ps_warp_bytes(&plan->programs[p]));
    if (bytes <= PS_SIM_MAX_BYTES / (launch->active_groups * launch->warps_per_group))
        return TRUE;
    g_set_error(error, PS_ERROR, PS_ERROR_LIMIT,
                "the state of %" G_GINT64_FORMAT " resident warps, %" G_GINT64_FORMAT
                " bytes each, takes more than %" G_GINT64_FORMAT " MiB",
                launch->active_groups * launch->warps_per_group, bytes, PS_SIM_MAX_BYTES >> 20);
    return FALSE;
}

gboolean ps_plan_init(PsPlan *plan, const PsMachine *machine, GError **error)
{
    const PsKernel *kernel = machine->kernel;
    g_autoptr(GArray) timers = g_array_new(FALSE, FALSE, sizeof(gint64));
    g_autoptr(GArray) pipelines = g_array_new(FALSE, FALSE, sizeof(gint64));
    const Used used = {timers, pipelines};
    *plan = (PsPlan){.machine = machine};
    plan->n_programs = kernel->n_programs;
    plan->programs = g_new0(PsPlanProgram, plan->n_programs);
    for (guint p = 0; p < plan->n_programs; p++)
        plan_program(&plan->programs[p], machine, p, &used);
    plan->n_timers = timers->len;
    plan->n_pipelines = pipelines->len;
    plan->program_of = g_new0(guint, machine->launch.warps_per_group);
    for (gint64 w = 0; w < machine->launch.warps_per_group; w++)
        plan->program_of[w] = (guint)ps_kernel_program_of(kernel, w);
    return count_instructions(plan, error) && check_bytes(plan, error);
}

void ps_plan_clear(PsPlan *plan)
{
    for (guint p = 0; p < plan->n_programs; p++) {
        PsPlanProgram *program = &plan->programs[p];
        g_free(program->nodes);
        g_free(program->outs);
        g_free(program->edges);
        g_free(program->loops);
        g_free(program->initial);
        g_free(program->states);
        g_free(program->slack);
        g_free(program->countdown);
        g_free(program->trips);
    }
    g_free(plan->programs);
    g_free(plan->program_of);
}
