/* SPDX-License-Identifier: BSD-3-Clause */
/* See waits.h; waits-private.h says how it is done. */
#include "sim/waits-private.h"

#include <string.h>

const char *ps_wait_kind_name(PsWaitKind kind)
{
    static const char *const names[PS_WAIT_N_KINDS] = {"issuing", "data",  "queue",
                                                       "barrier", "drain", "empty"};
    return names[kind];
}

/* ---- the machine, laid out ----------------------------------------------------------------- */

static void add_deps(PsWaitNode *node, const PsProgram *program, const PsProgramNode *of,
                     gboolean barriers)
{
    for (guint d = 0; d < of->n_deps; d++)
        if (program->nodes[of->deps[d].on].barrier == barriers)
            node->deps[node->n_deps++] = of->deps[d].on;
}

static void lay_out_node(PsWaits *waits, guint p, guint n)
{
    const PsMachine *machine = waits->machine;
    const PsProgram *program = &machine->kernel->programs[p];
    const PsProgramNode *of = &program->nodes[n];
    const guint class_ = machine->class_of[p][n];
    const PsBoundClass *klass = &machine->classes[class_];
    PsWaitNode *node = &waits->nodes[waits->first_node[p] + n];
    node->issue = klass->issue;
    node->completion = of->free_store ? klass->issue : klass->completion;
    node->issuing = class_;
    node->data = machine->n_classes + class_;
    node->queue = 2 * machine->n_classes + klass->pipeline;
    node->deps = g_new(guint, MAX(of->n_deps, 1));
    add_deps(node, program, of, FALSE);
    node->n_known = node->n_deps;
    add_deps(node, program, of, TRUE);
    for (guint d = 0; d < node->n_known; d++)
        waits->nodes[waits->first_node[p] + node->deps[d]].kept = TRUE;
}

/* How far the engine looks ahead (sim/stage-fifo.h): no instance completes sooner after its issue.
 * The others tell of issues in order of time. */
static gint64 find_lag(const PsWaits *waits)
{
    const PsRefinements *refinements = &waits->machine->refinements;
    gint64 lag = G_MAXINT64 / 4;
    if (refinements->order == PS_ORDER_PROGRAM || refinements->schedulers > 0 ||
        refinements->policy != PS_POLICY_FIFO)
        return 1;
    for (guint n = 0; n < waits->n_nodes; n++)
        lag = MIN(lag, waits->nodes[n].completion);
    return lag;
}

static void lay_out(PsWaits *waits)
{
    const PsKernel *kernel = waits->machine->kernel;
    waits->first_node = g_new0(guint, kernel->n_programs + 1);
    for (guint p = 0; p < kernel->n_programs; p++)
        waits->first_node[p + 1] = waits->first_node[p] + kernel->programs[p].n_nodes;
    waits->n_nodes = waits->first_node[kernel->n_programs];
    waits->nodes = g_new0(PsWaitNode, waits->n_nodes + 1);
    for (guint p = 0; p < kernel->n_programs; p++)
        for (guint n = 0; n < kernel->programs[p].n_nodes; n++)
            lay_out_node(waits, p, n);
    waits->program_of = g_new(int, waits->n_warps + 1);
    for (guint w = 0; w < waits->n_warps; w++)
        waits->program_of[w] = ps_kernel_program_of(kernel, w);
    waits->lag = find_lag(waits);
    waits->n_sums = 2 * waits->machine->n_classes + waits->machine->gpu->pipelines->len + 2;
}

static void free_group(void *data)
{
    PsWaitGroup *group = data;
    g_free(group->warps);
    g_free(group);
}

PsWaits *ps_waits_new(const PsMachine *machine)
{
    PsWaits *waits = g_new0(PsWaits, 1);
    guint size = 16;
    while (size < 4 * machine->launch.active_groups)
        size *= 2;
    waits->machine = machine;
    waits->n_warps = (guint)machine->launch.warps_per_group;
    lay_out(waits);
    waits->sums = g_new0(PsWaitSum, waits->n_sums);
    waits->total = g_new0(PsWaitSum, waits->n_sums);
    for (guint m = 0; m < PS_SIM_MARKS; m++)
        waits->marks[m].sums = g_new0(PsWaitSum, waits->n_sums);
    waits->cu = G_MAXUINT;
    waits->mask = size - 1;
    waits->index = g_new0(PsWaitGroup *, size);
    waits->groups = g_ptr_array_new();
    waits->spare = g_ptr_array_new();
    waits->steps = g_array_new(FALSE, FALSE, sizeof(PsWaitStep));
    return waits;
}

static void clear_warps(const PsWaits *waits, PsWaitGroup *group)
{
    for (guint w = 0; w < waits->n_warps; w++) {
        PsWaitWarp *warp = &group->warps[w];
        for (guint n = 0; n < warp->n_nodes; n++)
            g_free(warp->rings[n].done);
        g_free(warp->rings);
        g_free(warp->pending);
    }
}

static void free_groups(const PsWaits *waits, GPtrArray *groups)
{
    for (guint g = 0; g < groups->len; g++) {
        clear_warps(waits, groups->pdata[g]);
        free_group(groups->pdata[g]);
    }
    g_ptr_array_unref(groups);
}

void ps_waits_free(PsWaits *waits)
{
    if (!waits)
        return;
    free_groups(waits, waits->groups);
    free_groups(waits, waits->spare);
    for (guint n = 0; n < waits->n_nodes; n++)
        g_free(waits->nodes[n].deps);
    for (guint m = 0; m < PS_SIM_MARKS; m++) {
        g_free(waits->marks[m].sums);
        g_free(waits->marks[m].firsts);
    }
    g_array_unref(waits->steps);
    g_free(waits->index);
    g_free(waits->nodes);
    g_free(waits->first_node);
    g_free(waits->program_of);
    g_free(waits->sums);
    g_free(waits->total);
    g_free(waits);
}

/* ---- groups -------------------------------------------------------------------------------- */

static void index_groups(PsWaits *waits)
{
    memset(waits->index, 0, ((gsize)waits->mask + 1) * sizeof *waits->index);
    for (guint g = 0; g < waits->groups->len; g++) {
        PsWaitGroup *group = waits->groups->pdata[g];
        guint at = (guint)group->group & waits->mask;
        while (waits->index[at])
            at = (at + 1) & waits->mask;
        waits->index[at] = group;
    }
}

static inline PsWaitGroup *find_group(const PsWaits *waits, gint64 number)
{
    guint at = (guint)number & waits->mask;
    while (waits->index[at] && waits->index[at]->group != number)
        at = (at + 1) & waits->mask;
    return waits->index[at];
}

static PsWaitGroup *new_group(const PsWaits *waits)
{
    PsWaitGroup *group = g_new0(PsWaitGroup, 1);
    group->warps = g_new0(PsWaitWarp, MAX(waits->n_warps, 1));
    for (guint w = 0; w < waits->n_warps; w++) {
        PsWaitWarp *warp = &group->warps[w];
        if (waits->program_of[w] < 0)
            continue;
        warp->first = waits->first_node[waits->program_of[w]];
        warp->n_nodes = waits->first_node[waits->program_of[w] + 1] - warp->first;
        warp->rings = g_new(PsWaitRing, MAX(warp->n_nodes, 1));
        for (guint n = 0; n < warp->n_nodes; n++)
            warp->rings[n] = (PsWaitRing){0, PS_WAITS_PROBES - 1, g_new(gint64, PS_WAITS_PROBES)};
    }
    return group;
}

static PsWaitGroup *take_group(const PsWaits *waits)
{
    const guint n = waits->spare->len;
    return n > 0 ? g_ptr_array_remove_index_fast(waits->spare, n - 1) : new_group(waits);
}

/* ---- listening ----------------------------------------------------------------------------- */

/* What those before have added counts for each of them. */
static void fold(const PsWaits *waits, PsWaitSum *total)
{
    for (guint i = 0; i < waits->n_sums; i++)
        total[i] += waits->sums[i] * waits->n_cus;
}

static void turn_to(PsWaits *waits, const PsGroups *of)
{
    fold(waits, waits->total);
    memset(waits->sums, 0, waits->n_sums * sizeof *waits->sums);
    waits->cu = of->cu;
    waits->n_cus = of->n_cus;
    waits->base = 0;
}

static void on_launched(void *self, gint64 time, const PsGroups *of)
{
    PsWaits *waits = self;
    if (waits->cu != of->cu)
        turn_to(waits, of);
    PsWaitGroup *group = take_group(waits);
    group->group = of->group;
    for (guint m = 0; m < PS_SIM_MARKS; m++)
        group->age_at_mark[m] = G_MAXUINT;
    for (guint w = 0; w < waits->n_warps; w++) {
        PsWaitWarp *warp = &group->warps[w];
        warp->since = time - waits->base + waits->machine->group_launch;
        warp->node = PS_WAITS_NO_NODE;
        warp->fresh = 0;
        for (guint n = 0; n < warp->n_nodes; n++)
            warp->rings[n].n = 0;
    }
    g_ptr_array_add(waits->groups, group);
    index_groups(waits);
    if (of->cu == 0)
        ps_waits_step(waits, time, 1);
}

static void on_issued(void *self, gint64 time, gint64 ready, const PsInstance *instance)
{
    PsWaits *waits = self;
    const PsWaitIssue issue = {time - waits->base, ready - waits->base, instance->position,
                               waits->first_node[instance->program] + instance->node};
    PsWaitGroup *group = find_group(waits, instance->of.group);
    if (G_LIKELY(group != NULL))
        ps_waits_hear(waits, group, instance->warp, &issue);
}

static void on_finished(void *self, gint64 time, const PsGroups *of)
{
    PsWaits *waits = self;
    PsWaitGroup *group = find_group(waits, of->group);
    if (!group)
        return;
    for (guint w = 0; w < waits->n_warps; w++)
        ps_waits_end(waits, group, w, time - waits->base);
    g_ptr_array_remove(waits->groups, group);
    g_ptr_array_add(waits->spare, group);
    index_groups(waits);
    if (of->cu == 0)
        ps_waits_step(waits, time, -1);
}

static void on_marked(void *self, guint mark)
{
    ps_waits_mark(self, mark);
}

static void on_skipped(void *self, const PsSkip *skip)
{
    PsWaits *waits = self;
    ps_waits_skip(waits, skip);
    /* Groups of all CUs are numbered together (sim/cus.h). */
    const gint64 renumbered = skip->groups / skip->n_cus * waits->machine->n_cus;
    for (guint g = 0; g < waits->groups->len; g++)
        ((PsWaitGroup *)waits->groups->pdata[g])->group += renumbered;
    index_groups(waits);
    if (skip->cu == 0)
        ps_waits_step_over(waits, skip);
}

PsListener ps_waits_listener(PsWaits *waits)
{
    return (PsListener){.self = waits,
                        .launched = on_launched,
                        .issued = on_issued,
                        .finished = on_finished,
                        .marked = on_marked,
                        .skipped = on_skipped};
}

/* ---- rows ---------------------------------------------------------------------------------- */

static void add_row(GPtrArray *rows, PsWaitKind kind, guint which, PsWaitSum ticks)
{
    if (ticks == 0)
        return;
    PsWaitRow *row = g_new(PsWaitRow, 1);
    *row = (PsWaitRow){kind, which, (double)ticks};
    g_ptr_array_add(rows, row);
}

static int largest_first(gconstpointer a, gconstpointer b)
{
    const PsWaitRow *x = *(PsWaitRow *const *)a, *y = *(PsWaitRow *const *)b;
    if (x->ticks != y->ticks)
        return x->ticks > y->ticks ? -1 : 1;
    return x->kind != y->kind ? (int)x->kind - (int)y->kind
                              : (x->which > y->which) - (x->which < y->which);
}

GPtrArray *ps_waits_rows(const PsWaits *waits, gint64 ticks)
{
    const PsMachine *machine = waits->machine;
    GPtrArray *rows = g_ptr_array_new_with_free_func(g_free);
    g_autofree PsWaitSum *sums = g_memdup2(waits->total, waits->n_sums * sizeof *sums);
    PsWaitSum empty =
        (PsWaitSum)ticks * machine->n_cus * machine->launch.active_groups * waits->n_warps;
    fold(waits, sums);
    for (guint i = 0; i < waits->n_sums; i++)
        empty -= sums[i];
    for (guint c = 0; c < machine->n_classes; c++) {
        add_row(rows, PS_WAIT_ISSUING, c, sums[c]);
        add_row(rows, PS_WAIT_DATA, c, sums[machine->n_classes + c]);
    }
    for (guint p = 0; p < machine->gpu->pipelines->len; p++)
        add_row(rows, PS_WAIT_QUEUE, p, sums[2 * machine->n_classes + p]);
    add_row(rows, PS_WAIT_BARRIER, G_MAXUINT, sums[ps_waits_barrier(waits)]);
    add_row(rows, PS_WAIT_DRAIN, G_MAXUINT, sums[ps_waits_drain(waits)]);
    add_row(rows, PS_WAIT_EMPTY, G_MAXUINT, empty);
    g_ptr_array_sort(rows, largest_first);
    return rows;
}
