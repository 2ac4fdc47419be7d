/* SPDX-License-Identifier: BSD-3-Clause */
/* See waits.h; waits-private.h says how waits are found. */
#include "sim/listen/waits-private.h"

#include <string.h>

const char *ps_wait_kind_name(PsWaitKind kind)
{
    static const char *const names[PS_WAIT_N_KINDS] = {
        "issuing", "data", "queue", "port", "barrier", "hold", "drain", "not-started", "done"};
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

/* The place of a node's sum. */
static guint add_sum(PsWaits *waits, PsWaitKind kind, guint which, guint n, guint on)
{
    const guint program = waits->table.all[n].program;
    const PsWaitOf of = {kind, which, program, n - waits->table.first_node[program], on};
    g_array_append_val(waits->of, of);
    return waits->of->len - 1;
}

static void lay_out_sums(PsWaits *waits, guint n)
{
    const PsMachineNode *of = &waits->table.all[n];
    const guint first = waits->table.first_node[of->program];
    PsWaitNode *node = &waits->nodes[n];
    node->issuing = add_sum(waits, PS_WAIT_ISSUING, of->class_index, n, G_MAXUINT);
    node->holding = add_sum(waits, PS_WAIT_HOLD, of->class_index, n, G_MAXUINT);
    node->queue = add_sum(waits, PS_WAIT_QUEUE, of->pipeline, n, G_MAXUINT);
    node->port = add_sum(waits, PS_WAIT_PORT, G_MAXUINT, n, G_MAXUINT);
    node->barrier = add_sum(waits, PS_WAIT_BARRIER, G_MAXUINT, n, G_MAXUINT);
    node->data = waits->of->len;
    for (guint d = 0; d < node->n_known; d++)
        add_sum(waits, PS_WAIT_DATA, waits->table.all[first + node->deps[d]].class_index, n,
                node->deps[d]);
}

static void lay_out_node(PsWaits *waits, guint n)
{
    const PsMachineNode *of = &waits->table.all[n];
    const guint first = waits->table.first_node[of->program];
    const PsProgram *program = &waits->machine->kernel->programs[of->program];
    PsWaitNode *node = &waits->nodes[n];
    node->issue = of->issue;
    node->completion = of->completion;
    node->hold = of->hold;
    node->pipe = of->pipeline;
    node->room = of->class->queue;
    node->own_pipe = of->class->per_scheduler || node->room > 0;
    node->deps = g_new(guint, MAX(of->node->n_deps, 1));
    add_deps(node, program, of->node, FALSE);
    node->n_known = node->n_deps;
    add_deps(node, program, of->node, TRUE);
    for (guint d = 0; d < node->n_known; d++)
        waits->nodes[first + node->deps[d]].kept = TRUE;
    lay_out_sums(waits, n);
}

static void lay_out(PsWaits *waits)
{
    const PsWaitOf drain = {PS_WAIT_DRAIN, G_MAXUINT, G_MAXUINT, G_MAXUINT, G_MAXUINT};
    waits->of = g_array_new(FALSE, FALSE, sizeof(PsWaitOf));
    ps_nodes_init(&waits->table, waits->machine);
    waits->nodes = g_new0(PsWaitNode, waits->table.n_nodes + 1);
    for (guint n = 0; n < waits->table.n_nodes; n++)
        lay_out_node(waits, n);
    g_array_append_val(waits->of, drain);
    waits->n_sums = waits->of->len;
}

PsWaits *ps_waits_new(const PsMachine *machine)
{
    PsWaits *waits = g_new0(PsWaits, 1);
    waits->machine = machine;
    waits->n_warps = (guint)machine->launch.warps_per_group;
    lay_out(waits);
    waits->sums = g_new0(PsWaitSum, waits->n_sums);
    waits->total = g_new0(PsWaitSum, waits->n_sums);
    ps_waits_make_pipes(waits);
    for (guint m = 0; m < PS_SIM_MARKS; m++) {
        waits->marks[m].sums = g_new0(PsWaitSum, waits->n_sums);
        waits->marks[m].pipes = g_new0(PsStep, waits->n_pipes);
    }
    waits->cu = G_MAXUINT;
    waits->groups = g_ptr_array_new();
    waits->n_kinds = machine->kernel->n_kinds;
    waits->places = g_new0(PsWaitGroup *, machine->launch.active_groups * waits->n_kinds + 1);
    waits->levels = g_new0(PsWaitLevel, machine->launch.active_groups + 1);
    waits->steps = g_array_new(FALSE, FALSE, sizeof(PsStep));
    return waits;
}

static void free_group(const PsWaits *waits, PsWaitGroup *group)
{
    for (guint w = 0; w < waits->n_warps; w++) {
        PsWaitWarp *warp = &group->warps[w];
        for (guint n = 0; n < warp->n_nodes; n++)
            if (warp->rings[n].mask >= PS_WAITS_RESULTS)
                g_free(warp->rings[n].done);
        g_free(warp->rings);
        g_free(warp->pending);
    }
    g_free(group->warps);
    g_free(group);
}

void ps_waits_free(PsWaits *waits)
{
    if (!waits)
        return;
    for (gint64 i = 0; i < waits->machine->launch.active_groups * waits->n_kinds; i++)
        if (waits->places[i])
            free_group(waits, waits->places[i]);
    for (guint n = 0; n < waits->table.n_nodes; n++)
        g_free(waits->nodes[n].deps);
    for (guint m = 0; m < PS_SIM_MARKS; m++) {
        g_free(waits->marks[m].sums);
        g_free(waits->marks[m].firsts);
        g_free(waits->marks[m].pipes);
    }
    g_array_unref(waits->of);
    g_array_unref(waits->steps);
    ps_waits_free_pipes(waits);
    g_ptr_array_unref(waits->groups);
    g_free(waits->places);
    g_free(waits->levels);
    g_free(waits->nodes);
    ps_nodes_clear(&waits->table);
    g_free(waits->sums);
    g_free(waits->total);
    g_free(waits);
}

/* ---- groups -------------------------------------------------------------------------------- */

static PsWaitGroup *new_group(const PsWaits *waits, const PsGroups *of)
{
    PsWaitGroup *group = g_new0(PsWaitGroup, 1);
    group->warps = g_new0(PsWaitWarp, MAX(waits->n_warps, 1));
    for (guint w = 0; w < waits->n_warps; w++) {
        PsWaitWarp *warp = &group->warps[w];
        const int program = ps_kernel_program_of(waits->machine->kernel, of->kind, w);
        if (program < 0)
            continue;
        warp->program = (guint)program;
        warp->first = waits->table.first_node[program];
        warp->n_nodes = waits->table.first_node[program + 1] - warp->first;
        if (waits->schedulers > 0)
            warp->scheduler = (of->place * waits->n_warps + w) % waits->schedulers;
        warp->rings = g_new(PsWaitRing, MAX(warp->n_nodes, 1));
        for (guint n = 0; n < warp->n_nodes; n++)
            warp->rings[n] = (PsWaitRing){0, PS_WAITS_RESULTS - 1, warp->rings[n].few, {0}};
    }
    return group;
}

/* The sums of groups of a kind in a place; NULL before the first such group. */
static PsWaitGroup **group_in(const PsWaits *waits, const PsGroups *of)
{
    return &waits->places[of->place * waits->n_kinds + of->kind];
}

static PsWaitGroup *take_place(const PsWaits *waits, const PsGroups *of)
{
    PsWaitGroup **kept = group_in(waits, of);
    if (!*kept)
        *kept = new_group(waits, of);
    PsWaitGroup *group = *kept;
    group->group = of->group;
    group->place = of->place;
    return group;
}

/* ---- listening ----------------------------------------------------------------------------- */

/* Earlier groups have added counts for each of these. */
static void fold(const PsWaits *waits, PsWaitSum *total)
{
    for (guint i = 0; i < waits->n_sums; i++)
        total[i] += waits->sums[i] * waits->n_cus;
}

/* The last time at which these CUs had each number of groups. */
static void fold_levels(const PsWaits *waits, PsWaitSum *gone, gint64 *used)
{
    for (gint64 l = 0; l < waits->machine->launch.active_groups && waits->levels[l].nth > 0; l++) {
        *gone += (PsWaitSum)waits->levels[l].time * waits->n_cus;
        *used += waits->n_cus;
    }
}

static void turn_to(PsWaits *waits, const PsGroups *of)
{
    fold(waits, waits->total);
    fold_levels(waits, &waits->gone, &waits->used);
    memset(waits->levels, 0, (gsize)waits->machine->launch.active_groups * sizeof *waits->levels);
    memset(waits->sums, 0, waits->n_sums * sizeof *waits->sums);
    ps_waits_clear_pipes(waits);
    waits->cu = of->cu;
    waits->n_cus = of->n_cus;
    waits->base = 0;
}

static void on_launched(void *self, gint64 time, const PsGroups *of)
{
    PsWaits *waits = self;
    if (waits->cu != of->cu)
        turn_to(waits, of);
    PsWaitGroup *group = take_place(waits, of);
    for (guint m = 0; m < PS_SIM_MARKS; m++)
        group->age_at_mark[m] = G_MAXUINT;
    for (guint w = 0; w < waits->n_warps; w++) {
        PsWaitWarp *warp = &group->warps[w];
        warp->since = MAX(time + waits->machine->group_launch, waits->machine->fetch) - waits->base;
        warp->node = PS_WAITS_NO_NODE;
        warp->fresh = 0;
        warp->kept_open = FALSE;
        for (guint n = 0; n < warp->n_nodes; n++)
            warp->rings[n].n = 0;
    }
    g_ptr_array_add(waits->groups, group);
    if (of->cu == 0)
        ps_waits_step(waits, time, 1);
}

static void on_issued(void *self, gint64 time, gint64 ready, const PsInstance *instance)
{
    PsWaits *waits = self;
    const PsWaitIssue issue = {
        time - waits->base, ready - waits->base,
        instance->position, waits->table.first_node[instance->program] + instance->node,
        instance->delay,    instance->queued};
    ps_waits_hear(waits, *group_in(waits, &instance->of), instance->warp, &issue);
}

static void note_full(PsWaits *waits)
{
    if (waits->cu == 0)
        waits->full = waits->levels[waits->machine->launch.active_groups - 1].time;
}

static void on_finished(void *self, gint64 time, const PsGroups *of)
{
    PsWaits *waits = self;
    PsWaitGroup *group = *group_in(waits, of);
    for (guint w = 0; w < waits->n_warps; w++)
        ps_waits_end(waits, group, w, time - waits->base);
    g_ptr_array_remove(waits->groups, group);
    waits->levels[waits->groups->len] = (PsWaitLevel){time, ++waits->ends};
    if (of->cu == 0)
        ps_waits_step(waits, time, -1);
    note_full(waits);
}

static void on_marked(void *self, guint mark)
{
    ps_waits_mark(self, mark);
}

static void on_skipped(void *self, const PsSkip *skip)
{
    PsWaits *waits = self;
    ps_waits_skip(waits, skip);
    /* A CU that had so many groups in the period has them in its last repetition, too. */
    for (gint64 l = 0; l < waits->machine->launch.active_groups; l++)
        if (waits->levels[l].nth > waits->marks[skip->mark].ends)
            waits->levels[l].time += skip->to - skip->from;
    /* Groups of all CUs share one numbering (sim/engine/cus.h). */
    const gint64 renumbered = skip->groups / skip->n_cus * waits->machine->n_cus;
    for (guint g = 0; g < waits->groups->len; g++) {
        PsWaitGroup *group = waits->groups->pdata[g];
        group->group += skip->estimated || group->age_at_mark[skip->mark] != g ? renumbered : 0;
    }
    if (skip->cu == 0)
        ps_waits_step_over(waits, skip);
    note_full(waits);
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

static int compare_numbers(guint x, guint y)
{
    return (x > y) - (x < y);
}

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
    return x->kind != y->kind ? (int)x->kind - (int)y->kind : compare_numbers(x->which, y->which);
}

/* Sums over all CUs (g_free). */
static PsWaitSum *sums_of_all(const PsWaits *waits)
{
    PsWaitSum *sums = g_memdup2(waits->total, waits->n_sums * sizeof *sums);
    fold(waits, sums);
    return sums;
}

/* Adds the rows of one kind: of each class or pipeline, over all nodes. */
static void add_rows_of(GPtrArray *rows, const PsWaits *waits, const PsWaitSum *sums,
                        PsWaitKind kind)
{
    const guint n = MAX(waits->machine->n_classes, waits->machine->gpu->pipelines->len);
    g_autofree PsWaitSum *of = g_new0(PsWaitSum, n + 1); /* the last one is for neither */
    for (guint i = 0; i < waits->n_sums; i++) {
        const PsWaitOf *what = &g_array_index(waits->of, PsWaitOf, i);
        if (what->kind == kind)
            of[MIN(what->which, n)] += sums[i];
    }
    for (guint i = 0; i <= n; i++)
        add_row(rows, kind, i < n ? i : G_MAXUINT, of[i]);
}

GPtrArray *ps_waits_rows(const PsWaits *waits, gint64 ticks)
{
    const PsMachine *machine = waits->machine;
    GPtrArray *rows = g_ptr_array_new_with_free_func(g_free);
    g_autofree PsWaitSum *sums = sums_of_all(waits);
    PsWaitSum gone = waits->gone;
    gint64 used = waits->used;
    PsWaitSum empty =
        (PsWaitSum)ticks * machine->n_cus * machine->launch.active_groups * waits->n_warps;
    fold_levels(waits, &gone, &used);
    const PsWaitSum done = ((PsWaitSum)ticks * used - gone) * waits->n_warps;
    for (guint i = 0; i < waits->n_sums; i++)
        empty -= sums[i];
    for (PsWaitKind kind = 0; kind < PS_WAIT_NOT_STARTED; kind++)
        add_rows_of(rows, waits, sums, kind);
    /* Estimated sums of the others may exceed the time that there is. */
    add_row(rows, PS_WAIT_NOT_STARTED, G_MAXUINT, MAX(empty - done, 0));
    add_row(rows, PS_WAIT_DONE, G_MAXUINT, done);
    g_ptr_array_sort(rows, largest_first);
    return rows;
}

GArray *ps_waits_of_nodes(const PsWaits *waits)
{
    g_autofree PsWaitSum *sums = sums_of_all(waits);
    GArray *rows = g_array_new(FALSE, FALSE, sizeof(PsNodeWait));
    for (guint i = 0; i < ps_waits_drain(waits); i++) {
        const PsWaitOf *of = &g_array_index(waits->of, PsWaitOf, i);
        const PsNodeWait row = {of->kind, of->which, of->program,
                                of->node, of->on,    (double)sums[i]};
        if (sums[i] != 0)
            g_array_append_val(rows, row);
    }
    return rows;
}
