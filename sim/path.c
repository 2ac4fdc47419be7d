/* SPDX-License-Identifier: BSD-3-Clause */
/* See path.h. Recording and going back are in path-record.c and path-walk.c. */
#include "sim/path-private.h"

const char *ps_path_kind_name(PsPathKind kind)
{
    static const char *const names[PS_PATH_N_KINDS] = {"completion", "pipeline", "port",
                                                       "barrier",    "place",    "launch"};
    return names[kind];
}

/* ---- the machine, laid out ----------------------------------------------------------------- */

guint ps_path_program(const PsPath *path, guint node)
{
    guint p = path->machine->kernel->n_programs - 1;
    while (p > 0 && path->first_node[p] > node)
        p--;
    return p;
}

static void lay_out_nodes(PsPath *path)
{
    const PsKernel *kernel = path->machine->kernel;
    path->first_node = g_new0(guint, kernel->n_programs + 1);
    path->n_deps = g_new0(guint, kernel->n_programs + 1);
    for (guint p = 0; p < kernel->n_programs; p++) {
        const guint n = kernel->programs[p].n_nodes;
        path->first_node[p + 1] = path->first_node[p] + n;
        path->most_nodes = MAX(path->most_nodes, n);
    }
    path->n_nodes = path->first_node[kernel->n_programs];
    path->plan = g_new(PsPathPlan, path->n_nodes + 1);
}

static void plan_node(PsPath *path, guint p, guint n)
{
    const PsProgramNode *node = &path->machine->kernel->programs[p].nodes[n];
    const PsBoundClass *klass = &path->machine->classes[path->machine->class_of[p][n]];
    const guint schedulers = (guint)MAX(path->machine->refinements.schedulers, 1);
    path->plan[path->first_node[p] + n] =
        (PsPathPlan){.deps = node->deps,
                     .n_deps = node->n_deps,
                     .first_dep = path->n_deps[p],
                     .holder = klass->pipeline * schedulers,
                     .per_scheduler = klass->per_scheduler,
                     .barrier = node->barrier,
                     .issue = klass->issue,
                     .completion = node->free_store ? klass->issue : klass->completion,
                     .klass = klass};
    path->n_deps[p] += node->n_deps;
}

PsPath *ps_path_new(const PsMachine *machine)
{
    PsPath *path = g_new0(PsPath, 1);
    const guint schedulers = (guint)MAX(machine->refinements.schedulers, 1);
    path->machine = machine;
    path->first_port = machine->gpu->pipelines->len * schedulers;
    path->n_holders = path->first_port + schedulers;
    lay_out_nodes(path);
    for (guint p = 0; p < machine->kernel->n_programs; p++)
        for (guint n = 0; n < machine->kernel->programs[p].n_nodes; n++)
            plan_node(path, p, n);
    ps_path_record_init(path);
    return path;
}

void ps_path_free(PsPath *path)
{
    if (!path)
        return;
    ps_path_record_clear(path);
    g_free(path->first_node);
    g_free(path->n_deps);
    g_free(path->plan);
    g_free(path);
}

/* ---- rows ---------------------------------------------------------------------------------- */

static void sums_init(PsPathSums *sums, const PsPath *path)
{
    guint n_barriers = 0;
    sums->n_nodes = path->n_nodes + 1;
    sums->n_warps = (guint)path->machine->launch.warps_per_group;
    sums->barrier = g_new0(guint, sums->n_nodes);
    for (guint i = 0; i < path->n_nodes; i++) {
        sums->barrier[i] = n_barriers;
        n_barriers += path->plan[i].barrier ? 1 : 0;
    }
    sums->n = 2 * PS_PATH_N_KINDS * sums->n_nodes + (n_barriers + 1) * sums->n_warps;
    sums->at = g_new0(gint64, sums->n);
}

static void sums_clear(PsPathSums *sums)
{
    g_free(sums->barrier);
    g_free(sums->at);
}

/* The warp that was the last to arrive most often. */
static guint latest_warp(const PsPathSums *sums, guint node)
{
    guint latest = 0;
    for (guint w = 1; w < sums->n_warps; w++)
        if (sums->at[ps_path_sum_late(sums, node, w)] >
            sums->at[ps_path_sum_late(sums, node, latest)])
            latest = w;
    return latest;
}

static PsPathRow *row_of(const PsPath *path, const PsPathSums *sums, PsPathKind kind, guint node)
{
    PsPathRow *row = g_new(PsPathRow, 1);
    *row = (PsPathRow){.kind = kind,
                       .program = G_MAXUINT,
                       .node = G_MAXUINT,
                       .class_ = G_MAXUINT,
                       .pipeline = G_MAXUINT,
                       .ticks = sums->at[ps_path_sum_ticks(sums, kind, node)],
                       .times = sums->at[ps_path_sum_times(sums, kind, node)]};
    if (node == path->n_nodes)
        return row;
    row->program = ps_path_program(path, node);
    row->node = node - path->first_node[row->program];
    row->class_ = path->machine->class_of[row->program][row->node];
    row->pipeline = path->plan[node].klass->pipeline;
    if (kind == PS_PATH_BARRIER)
        row->warp = latest_warp(sums, node);
    return row;
}

static int longest_first(gconstpointer a, gconstpointer b)
{
    const PsPathRow *x = *(PsPathRow *const *)a, *y = *(PsPathRow *const *)b;
    if (x->ticks != y->ticks)
        return x->ticks > y->ticks ? -1 : 1;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    if (x->program != y->program)
        return x->program < y->program ? -1 : 1;
    return (x->node > y->node) - (x->node < y->node);
}

static gboolean is_whole(const PsPath *path, GError **error)
{
    if (!path->full)
        return TRUE;
    g_set_error(error, PS_ERROR, PS_ERROR_LIMIT,
                "the critical path is kept for runs that simulate at most %" G_GINT64_FORMAT
                " instructions; this one simulates more: take fewer groups%s",
                PS_PATH_MAX, "");
    return FALSE;
}

GPtrArray *ps_path_rows(PsPath *path, GError **error)
{
    if (!is_whole(path, error))
        return NULL;
    PsPathSums sums;
    sums_init(&sums, path);
    ps_path_walk(path, ps_path_tape(path), &sums, NULL, NULL);
    GPtrArray *rows = g_ptr_array_new_with_free_func(g_free);
    for (guint kind = 0; kind < PS_PATH_N_KINDS; kind++)
        for (guint node = 0; node < sums.n_nodes; node++)
            if (sums.at[ps_path_sum_times(&sums, kind, node)] > 0)
                g_ptr_array_add(rows, row_of(path, &sums, kind, node));
    g_ptr_array_sort(rows, longest_first);
    sums_clear(&sums);
    return rows;
}

/* ---- stretches ----------------------------------------------------------------------------- */

typedef struct {
    const PsPath *path;
    const PsPathTape *tape;
    gint64 from, to;
    guint most;
    GArray *stretches;
} Window;

/* What is charged, as far as it is known of a record. */
static PsInstance instance_of(const PsPath *path, const PsPathTape *tape,
                              const PsPathRecord *record)
{
    const gboolean launch = record->node == PS_NODE_LAUNCH;
    const PsPathRecord *group = launch ? record : ps_path_record(tape, record->launch);
    PsInstance instance = {
        .of = {path->cu, 1, (gint64)((guint64)group->before << 32 | group->next), 0},
        .warp = record->warp,
        .program = G_MAXUINT,
        .node = G_MAXUINT,
        .position = -1};
    if (launch)
        return instance;
    instance.program = ps_path_program(path, record->node);
    instance.node = record->node - path->first_node[instance.program];
    return instance;
}

static void keep(gpointer data, PsPathKind kind, const PsPathRecord *charged, gint64 from,
                 gint64 to)
{
    Window *window = data;
    if (from >= window->to || to <= window->from || window->stretches->len == window->most)
        return;
    const PsPathStretch stretch = {kind, from, to,
                                   instance_of(window->path, window->tape, charged)};
    g_array_append_val(window->stretches, stretch);
}

static int earliest_first(gconstpointer a, gconstpointer b)
{
    const PsPathStretch *x = a, *y = b;
    return (x->from > y->from) - (x->from < y->from);
}

GArray *ps_path_stretches(PsPath *path, gint64 from, gint64 to, guint most)
{
    Window window = {
        path, ps_path_tape(path), from, to, most, g_array_new(FALSE, FALSE, sizeof(PsPathStretch))};
    PsPathSums sums;
    if (path->full)
        return window.stretches;
    sums_init(&sums, path);
    ps_path_walk(path, window.tape, &sums, keep, &window);
    sums_clear(&sums);
    g_array_sort(window.stretches, earliest_first);
    return window.stretches;
}
