/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/class-name.h"
#include "sim/engine/merge.h"
#include "sim/engine/warp.h"

#include <string.h>

static void allocate(PsPlanProgram *plan, const PsProgram *program)
{
    plan->n_nodes = program->n_nodes;
    for (guint n = 0; n < program->n_nodes; n++) {
        plan->n_edges += program->nodes[n].n_deps;
        plan->n_loops += program->nodes[n].n_loops;
    }
    /* One element more than needed: no array is NULL, so copying none of its elements is well
     * defined. */
    plan->nodes = g_new0(PsPlanNode, plan->n_nodes + 1);
    plan->outs = g_new0(PsPlanOut, plan->n_edges + 1);
    plan->edges = g_new0(PsPlanEdge, plan->n_edges + 1);
    plan->loops = g_new0(PsPlanLoop, plan->n_loops + 1);
    plan->trips = g_new0(gint64, plan->n_loops + 1);
    plan->initial = g_new0(guint, plan->n_nodes + 1);
    plan->starts = g_new0(PsPlanStart, plan->n_nodes + 1);
}

/* Lays out the edges of node n, whose first_edge is set, and their state at launch. */
static void lay_out_edges(PsPlanProgram *plan, const PsProgramNode *node, guint n)
{
    const PsPlanNode *to = &plan->nodes[n];
    PsPlanStart *start = &plan->starts[n];
    start->position = node->position;
    for (guint d = 0; d < node->n_deps; d++) {
        const PsProgramDep *dep = &node->deps[d];
        plan->edges[to->first_edge + d] =
            (PsPlanEdge){dep->first, dep->per, dep->every, dep->on, plan->nodes[dep->on].source};
        start->pending += dep->first > 0;
        plan->nodes[dep->on].n_outs++;
    }
    if (start->pending == 0)
        plan->initial[plan->n_initial++] = n;
}

/* A loop of the program while loops are found. */
typedef struct {
    guint number, first, last; /* its number in the plan; its first and last node */
    gboolean known;
} Found;

static guint most_loops(const PsProgram *program)
{
    guint most = 0;
    for (guint n = 0; n < program->n_nodes; n++)
        for (guint l = 0; l < program->nodes[n].n_loops; l++)
            most = MAX(most, program->nodes[n].loops[l].number + 1);
    return most;
}

/* Numbers the program's loops in the order in which nodes first stand in them. */
static void lay_out_loops(PsPlanProgram *plan, const PsProgram *program)
{
    g_autofree Found *found = g_new0(Found, most_loops(program) + 1);
    for (guint n = 0; n < plan->n_nodes; n++)
        for (guint l = 0; l < program->nodes[n].n_loops; l++) {
            const PsProgramLoop *loop = &program->nodes[n].loops[l];
            Found *this = &found[loop->number];
            if (!this->known)
                *this = (Found){plan->n_distinct++, n, n, TRUE};
            this->last = n;
            plan->trips[this->number] = loop->trips;
            plan->loops[plan->nodes[n].first_loop + l] =
                (PsPlanLoop){loop->trips,
                             loop->stride,
                             this->number,
                             this->first,
                             n,
                             program->nodes[n].n_loops - l};
        }
    for (guint n = 0; n < plan->n_nodes; n++)
        for (guint l = 0; l < program->nodes[n].n_loops; l++)
            plan->loops[plan->nodes[n].first_loop + l].last =
                found[program->nodes[n].loops[l].number].last;
    for (guint n = 0; n < plan->n_nodes; n++) {
        PsPlanNode *node = &plan->nodes[n];
        while (node->n_ending < node->n_loops &&
               found[program->nodes[n].loops[node->n_ending].number].last == n)
            node->n_ending++;
        node->ends = node->n_ending > 0 || n + 1 == plan->n_nodes;
    }
}

/* Groups the edges by the awaited node; n_outs is set. */
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

/* The sources and pipelines that the kernel uses. */
typedef struct {
    GArray *sources;  /* Source */
    guint *pipelines; /* the GPU's pipeline -> the plan's */
} Used;

typedef struct {
    guint pipeline;
    gint64 completion;
} Source;

/* Sources beyond this number share numbers: these only help to keep queues in order. */
#define MOST_SOURCES 64

static guint source_number(GArray *sources, guint pipeline, gint64 completion)
{
    for (guint i = 0; i < sources->len; i++) {
        const Source *known = &g_array_index(sources, Source, i);
        if (known->pipeline == pipeline && known->completion == completion)
            return i;
    }
    const Source source = {pipeline, completion};
    if (sources->len == MOST_SOURCES)
        return pipeline % MOST_SOURCES;
    g_array_append_val(sources, source);
    return sources->len - 1;
}

static PsPlanNode plan_node(const PsMachine *machine, guint p, guint n, const Used *used)
{
    const PsProgramNode *node = &machine->kernel->programs[p].nodes[n];
    const PsNodeCost *cost = &machine->costs[p][n];
    PsPlanNode plan = {.item = node->item, .issue = cost->issue, .completion = cost->completion};
    plan.hold = cost->hold;
    memcpy(plan.banks, node->item->banks, sizeof plan.banks);
    memcpy(plan.kept, node->item->kept, sizeof plan.kept);
    plan.reads = machine->read_window > 0 && (plan.banks[0] > 0 || plan.banks[1] > 0);
    plan.posted = cost->posted;
    plan.n_stops = cost->n_stops;
    plan.stops = cost->stops;
    plan.pipeline = used->pipelines[machine->classes[machine->class_of[p][n]].pipeline];
    plan.queue = machine->classes[machine->class_of[p][n]].queue;
    plan.asks = plan.reads || plan.queue > 0;
    plan.source = source_number(used->sources, plan.pipeline, plan.completion);
    plan.barrier = node->barrier;
    plan.count = node->count;
    plan.n_edges = node->n_deps;
    plan.n_loops = node->n_loops;
    return plan;
}

static void plan_program(PsPlan *all, guint p, const Used *used)
{
    PsPlanProgram *plan = &all->programs[p];
    const PsMachine *machine = all->machine;
    const PsProgram *program = &machine->kernel->programs[p];
    allocate(plan, program);
    plan->length = program->length;
    guint edge = 0, loop = 0;
    for (guint n = 0; n < program->n_nodes; n++) {
        plan->nodes[n] = plan_node(machine, p, n, used);
        plan->nodes[n].number = all->n_nodes++;
        plan->nodes[n].first_edge = edge;
        plan->nodes[n].edges = &plan->edges[edge];
        plan->nodes[n].first_loop = loop;
        plan->nodes[n].loops = &plan->loops[loop];
        edge += program->nodes[n].n_deps;
        loop += program->nodes[n].n_loops;
        all->shortest = MIN(all->shortest, plan->nodes[n].completion);
        if (program->nodes[n].count > program->nodes[plan->deepest].count)
            plan->deepest = n;
    }
    for (guint n = 0; n < program->n_nodes; n++)
        lay_out_edges(plan, &program->nodes[n], n);
    lay_out_outs(plan, program);
    lay_out_loops(plan, program);
    ps_plan_lay_out_values(plan);
}

/* TRUE if the pipeline serves products of four warps, whether or not the kernel has them. */
static gboolean multiplies(const PsGpu *gpu, guint pipeline)
{
    for (guint c = 0; c < gpu->classes->len; c++) {
        const PsClass *class = gpu->classes->pdata[c];
        if (class->pipeline == pipeline && ps_class_covers("tensor.wgmma", class->name))
            return TRUE;
    }
    return FALSE;
}

/* Numbers the pipelines that the kernel uses, in the GPU's order. */
static void find_pipelines(PsPlan *plan, Used *used)
{
    const PsMachine *machine = plan->machine;
    const guint n = machine->gpu->pipelines->len;
    used->pipelines = g_new0(guint, n);
    for (guint c = 0; c < machine->n_classes; c++)
        used->pipelines[machine->classes[c].pipeline] = 1;
    plan->per_scheduler = g_new0(gboolean, n);
    plan->queues = g_new0(guint, n);
    plan->turns = g_new0(gboolean, n);
    for (guint p = 0; p < n; p++)
        if (used->pipelines[p] > 0)
            used->pipelines[p] = plan->n_pipelines++;
    for (guint c = 0; c < machine->n_classes; c++) {
        const guint p = used->pipelines[machine->classes[c].pipeline];
        plan->per_scheduler[p] = machine->classes[c].per_scheduler;
        plan->queues[p] = machine->classes[c].queue;
        plan->turns[p] =
            plan->queues[p] > 0 && multiplies(machine->gpu, machine->classes[c].pipeline);
        plan->by_turns |= plan->turns[p];
    }
}

/* FALSE where a group of that kind has more than 2^63 instances. */
static gboolean plan_kind(PsPlan *plan, guint number)
{
    const PsMachine *machine = plan->machine;
    const gint64 n = machine->launch.warps_per_group;
    PsPlanKind *kind = &plan->kinds[number];
    gboolean fits = TRUE;
    kind->program_of = g_new0(guint, n);
    kind->nth_of = g_new0(guint, n);
    for (gint64 w = 0; w < n; w++) {
        kind->program_of[w] = (guint)ps_kernel_program_of(machine->kernel, number, w);
        kind->nth_of[w] = plan->programs[kind->program_of[w]].n_warps++;
        const gint64 length = plan->programs[kind->program_of[w]].length;
        if (length > plan->programs[kind->program_of[kind->longest]].length)
            kind->longest = (guint)w;
        fits = fits && !__builtin_add_overflow(kind->length, length, &kind->length);
    }
    if (machine->kernel->kinds[number].share > 0)
        plan->group_length = MAX(plan->group_length, kind->length);
    return fits;
}

static gboolean plan_kinds(PsPlan *plan, GError **error)
{
    const PsLaunch *launch = &plan->machine->launch;
    gint64 all, ranks;
    gboolean fits = !__builtin_mul_overflow(launch->groups_per_cu, launch->warps_per_group, &ranks);
    plan->n_kinds = plan->machine->kernel->n_kinds;
    plan->kinds = g_new0(PsPlanKind, plan->n_kinds);
    for (guint k = 0; k < plan->n_kinds; k++)
        fits = plan_kind(plan, k) && fits;
    if (fits && !__builtin_mul_overflow(plan->group_length, launch->groups_per_cu, &all))
        return TRUE;
    g_set_error(error, PS_ERROR, PS_ERROR_LIMIT,
                "the launch has more than 2^63 warps, or warp instructions, on a CU");
    return FALSE;
}

/* The state of a warp has room for its largest program. */
static gboolean check_bytes(const PsPlan *plan, GError **error)
{
    const PsLaunch *launch = &plan->machine->launch;
    const gint64 bytes = ps_warp_bytes(plan);
    if (bytes <= PS_SIM_MAX_BYTES / (launch->active_groups * launch->warps_per_group))
        return TRUE;
    g_set_error(error, PS_ERROR, PS_ERROR_LIMIT,
                "the state of %" G_GINT64_FORMAT " resident warps, %" G_GINT64_FORMAT
                " bytes each, takes more than %" G_GINT64_FORMAT " MiB",
                launch->active_groups * launch->warps_per_group, bytes, PS_SIM_MAX_BYTES >> 20);
    return FALSE;
}

/* Gives the pipeline a queue for the source, unless it has one. */
static void give_queue(PsPlan *plan, guint pipeline, guint source)
{
    guint8 *queue = &plan->queue_of[pipeline][source];
    if (*queue != PS_MERGE_QUEUES)
        return;
    plan->n_queues[pipeline] += plan->n_queues[pipeline] < PS_MERGE_QUEUES;
    *queue = (guint8)(plan->n_queues[pipeline] - 1);
}

/* Gives each pipeline a queue for each source of what it issues. Launches, which are rare, share
 * the first. */
static void lay_out_queues(PsPlan *plan)
{
    const guint sources = plan->n_sources + 1;
    plan->queue_of = g_new(guint8 *, plan->n_pipelines);
    plan->n_queues = g_new0(guint, plan->n_pipelines);
    for (guint p = 0; p < plan->n_pipelines; p++) {
        plan->queue_of[p] = g_new(guint8, sources);
        memset(plan->queue_of[p], PS_MERGE_QUEUES, sources);
    }
    for (guint p = 0; p < plan->n_programs; p++) {
        const PsPlanProgram *program = &plan->programs[p];
        for (guint n = 0; n < program->n_nodes; n++)
            for (guint o = 0; o < program->nodes[n].n_outs; o++)
                give_queue(plan, program->nodes[program->nodes[n].outs[o].node].pipeline,
                           program->nodes[n].source);
    }
    for (guint p = 0; p < plan->n_pipelines; p++)
        for (guint s = 0; s < sources; s++)
            plan->queue_of[p][s] %= PS_MERGE_QUEUES;
}

gint64 ps_plan_instructions(const PsPlan *plan, gint64 n)
{
    gint64 length = 0;
    for (guint k = 0; k < plan->n_kinds; k++)
        length += ps_kernel_groups_of(plan->machine->kernel, k, n) * plan->kinds[k].length;
    return length;
}

/* Schedulers keep their lanes as a set in a word. */
static gboolean check_pipelines(const PsPlan *plan, GError **error)
{
    if (plan->machine->refinements.schedulers == 0 ||
        plan->n_pipelines <= PS_SIM_MAX_SCHEDULER_PIPELINES)
        return TRUE;
    g_set_error(error, PS_ERROR, PS_ERROR_LIMIT,
                "the kernel uses %u pipelines; warp schedulers issue to at most %d",
                plan->n_pipelines, PS_SIM_MAX_SCHEDULER_PIPELINES);
    return FALSE;
}

gboolean ps_plan_init(PsPlan *plan, const PsMachine *machine, GError **error)
{
    const PsKernel *kernel = machine->kernel;
    g_autoptr(GArray) sources = g_array_new(FALSE, FALSE, sizeof(Source));
    Used used = {.sources = sources};
    *plan = (PsPlan){.machine = machine, .shortest = G_MAXINT64};
    find_pipelines(plan, &used);
    plan->n_programs = kernel->n_programs;
    plan->programs = g_new0(PsPlanProgram, plan->n_programs);
    for (guint p = 0; p < plan->n_programs; p++)
        plan_program(plan, p, &used);
    g_free(used.pipelines);
    plan->n_sources = sources->len;
    lay_out_queues(plan);
    if (!plan_kinds(plan, error))
        return FALSE;
    ps_plan_lay_out_waits(plan);
    return check_bytes(plan, error) && check_pipelines(plan, error);
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
        g_free(program->trips);
        g_free(program->values);
        g_free(program->fars);
        g_free(program->starts);
        g_free(program->waits);
        g_free(program->watches);
        g_free(program->warps);
    }
    g_free(plan->programs);
    for (guint k = 0; k < plan->n_kinds; k++) {
        g_free(plan->kinds[k].program_of);
        g_free(plan->kinds[k].nth_of);
    }
    g_free(plan->kinds);
    g_free(plan->per_scheduler);
    g_free(plan->queues);
    g_free(plan->turns);
    for (guint p = 0; plan->queue_of && p < plan->n_pipelines; p++)
        g_free(plan->queue_of[p]);
    g_free(plan->queue_of);
    g_free(plan->n_queues);
}
