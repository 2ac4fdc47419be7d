/* SPDX-License-Identifier: BSD-3-Clause */
/* See path.h. Recording and going back are in path-record.c and path-walk.c. */
#include "sim/listen/path-private.h"

const char *ps_path_kind_name(PsPathKind kind)
{
    static const char *const names[PS_PATH_N_KINDS] = {
        "completion", "memory", "pipeline", "port", "hold", "barrier", "place", "launch", "drain"};
    return names[kind];
}

/* ---- the machine, laid out ----------------------------------------------------------------- */

/* Number of barriers that a warp of a group of that kind passes. */
static gint64 n_barriers(const PsKernel *kernel, guint kind, gint64 warp)
{
    const int program = ps_kernel_program_of(kernel, kind, warp);
    gint64 n = 0;
    for (guint i = 0; program >= 0 && i < kernel->programs[program].n_nodes; i++) {
        const PsProgramNode *node = &kernel->programs[program].nodes[i];
        n += node->barrier ? node->count : 0;
    }
    return n;
}

/* The longest time that an instance keeps its scheduler's port. A bank of registers is busy, from
 * the time when the instance before began to read, for at most the window, or for all that an
 * instance can read from it. The next instance begins earlier or later by at most a window less its
 * own reads (R10). */
static gint64 longest_port(const PsMachine *machine)
{
    const gint64 reads = PS_IDG_MAX_READS * machine->ticks_per_cycle;
    if (machine->read_window == 0)
        return machine->port_busy;
    return machine->port_busy + reads + MAX(reads - machine->read_window, 0);
}

static void lay_out(PsPath *path, const PsMachine *machine)
{
    ps_nodes_init(&path->table, machine);
    path->lag = MAX(path->table.lag, 1);
    path->longest_issue = longest_port(machine);
    for (guint c = 0; c < machine->n_classes; c++)
        path->queues |= machine->classes[c].queue > 0;
    path->delays = path->queues || machine->servers->len > 0;
    path->longest = g_new0(gint64, path->table.n_nodes + 1);
    for (guint n = 0; n < path->table.n_nodes; n++) {
        const PsMachineNode *node = &path->table.all[n];
        path->longest_issue = MAX(path->longest_issue, node->issue);
        path->longest[n] = node->completion;
        path->longest_hold = MAX(path->longest_hold, node->hold);
        path->longest_completion = MAX(path->longest_completion, node->completion);
        if (node->node->barrier)
            path->longest_barrier = MAX(path->longest_barrier, node->completion);
    }
    for (guint k = 0; k < machine->kernel->n_kinds; k++)
        for (guint w = 1; w < path->n_warps; w++)
            path->uneven |= n_barriers(machine->kernel, k, w) != n_barriers(machine->kernel, k, 0);
}

static guint bits_of(guint64 most)
{
    return most == 0 ? 1 : 64 - (guint)__builtin_clzll(most);
}

static void lay_out_bits(PsPath *path)
{
    const PsKernel *kernel = path->machine->kernel;
    const gint64 slots = path->machine->launch.active_groups * (gint64)path->n_warps;
    path->bits = (PsPathBits){bits_of((guint64)MAX(slots, 1) - 1), bits_of(ps_path_end(path))};
    for (guint p = 0; p < kernel->n_programs; p++)
        path->too_long |=
            bits_of((guint64)kernel->programs[p].length) + path->bits.slot + path->bits.node > 64;
}

PsPath *ps_path_new(const PsMachine *machine)
{
    PsPath *path = g_new0(PsPath, 1);
    path->machine = machine;
    path->n_warps = (guint)machine->launch.warps_per_group;
    path->n_schedulers = (guint)MAX(machine->refinements.schedulers, 1);
    lay_out(path, machine);
    lay_out_bits(path);
    ps_path_record_init(path);
    return path;
}

void ps_path_free(PsPath *path)
{
    if (!path)
        return;
    ps_path_record_clear(path);
    ps_nodes_clear(&path->table);
    g_free(path->longest);
    g_free(path);
}

/* ---- rows ---------------------------------------------------------------------------------- */

static void sums_init(PsPathSums *sums, const PsPath *path)
{
    guint nth = 0;
    sums->n_nodes = path->table.n_nodes + 1;
    sums->n_warps = path->n_warps;
    sums->barrier = g_new0(guint, sums->n_nodes);
    for (guint i = 0; i < path->table.n_nodes; i++) {
        sums->barrier[i] = nth;
        nth += path->table.all[i].node->barrier ? 1 : 0;
    }
    sums->n = 2 * PS_PATH_N_KINDS * sums->n_nodes + (nth + 1) * sums->n_warps;
    sums->at = g_new0(gint64, sums->n);
}

static void sums_clear(PsPathSums *sums)
{
    g_free(sums->barrier);
    g_free(sums->at);
}

/* The warp that most often arrived last. */
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
                       .class_index = G_MAXUINT,
                       .pipeline = G_MAXUINT,
                       .ticks = sums->at[ps_path_sum_ticks(sums, kind, node)],
                       .times = sums->at[ps_path_sum_times(sums, kind, node)]};
    if (node == path->table.n_nodes)
        return row;
    const PsMachineNode *of = &path->table.all[node];
    row->program = of->program;
    row->node = node - path->table.first_node[of->program];
    row->class_index = of->class_index;
    row->pipeline = of->pipeline;
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

/* Records of a group of that kind: its instructions, its launch and its end. */
static gint64 records_of(const PsMachine *machine, guint kind)
{
    gint64 records = 2;
    for (gint64 w = 0; w < machine->launch.warps_per_group && records < PS_PATH_MAX; w++) {
        const int program = ps_kernel_program_of(machine->kernel, kind, w);
        if (program >= 0)
            records += MIN(machine->kernel->programs[program].length, PS_PATH_MAX);
    }
    return records;
}

/* Groups of a launch that fit the tape on any CU, if all were of the largest kind. */
static gint64 groups_kept(const PsMachine *machine)
{
    gint64 records = 0;
    for (guint k = 0; k < machine->kernel->n_kinds; k++)
        records = MAX(records, records_of(machine, k));
    return PS_PATH_MAX / records * machine->gpu->compute_units;
}

static gboolean is_whole(const PsPath *path, GError **error)
{
    if (path->too_long) {
        g_set_error(error, PS_ERROR, PS_ERROR_LIMIT,
                    "the critical path is not kept of warps with more than 2^%u instructions",
                    64 - path->bits.slot - path->bits.node);
        return FALSE;
    }
    if (!path->full)
        return TRUE;
    const gint64 groups = groups_kept(path->machine);
    g_autofree char *remedy =
        groups > 0 ? g_strdup_printf(
                         "this one simulates more, %" G_GINT64_FORMAT " groups would not", groups)
                   : g_strdup("each group of this one has more");
    g_set_error(error, PS_ERROR, PS_ERROR_LIMIT,
                "the critical path is kept for runs that simulate at most some %" G_GINT64_FORMAT
                " million instructions; %s",
                PS_PATH_MAX / 1000000, remedy);
    return FALSE;
}

/* Time of the run behind its last group. */
static gint64 drain_of(const PsPath *path, gint64 ticks)
{
    const PsPathTape *tape = ps_path_tape(path);
    return ticks - tape->ended - tape->skipped;
}

GPtrArray *ps_path_rows(PsPath *path, gint64 ticks, GError **error)
{
    if (!is_whole(path, error))
        return NULL;
    PsPathSums sums;
    sums_init(&sums, path);
    ps_path_walk(&(PsPathBack){path, ps_path_tape(path)}, &sums, NULL, NULL);
    sums.at[ps_path_sum_ticks(&sums, PS_PATH_DRAIN, G_MAXUINT)] = drain_of(path, ticks);
    sums.at[ps_path_sum_times(&sums, PS_PATH_DRAIN, G_MAXUINT)] = drain_of(path, ticks) > 0;
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
    PsPathBack back;
    gint64 from, to;
    guint most;
    GArray *stretches;
} Window;

/* The charged instance, as far as a record tells. */
static PsInstance instance_of(const PsPathBack *back, guint32 number)
{
    const PsPath *path = back->path;
    const PsPathEvent record = ps_path_event(back, number);
    const PsPathLaunch launch = ps_path_launch_of(back, record.slot, number + 1);
    PsInstance instance = {.of = {.cu = path->cu,
                                  .n_cus = 1,
                                  .group = launch.group,
                                  .place = record.slot / path->n_warps},
                           .warp = record.slot % path->n_warps,
                           .program = G_MAXUINT,
                           .node = G_MAXUINT,
                           .position = -1};
    if (record.node >= ps_path_launch(path))
        return instance;
    instance.program = path->table.all[record.node].program;
    instance.node = record.node - path->table.first_node[instance.program];
    return instance;
}

static void keep(gpointer data, PsPathKind kind, guint32 charged, gint64 from, gint64 to)
{
    Window *window = data;
    if (from >= window->to || to <= window->from || window->stretches->len == window->most)
        return;
    const PsPathStretch stretch = {kind, from, to, instance_of(&window->back, charged)};
    g_array_append_val(window->stretches, stretch);
}

static void keep_drain(Window *window, gint64 ticks)
{
    const gint64 from = ticks - drain_of(window->back.path, ticks);
    const PsPathStretch stretch = {
        PS_PATH_DRAIN, from, ticks, {.program = G_MAXUINT, .node = G_MAXUINT, .position = -1}};
    if (from < ticks && from < window->to && ticks > window->from && window->most > 0)
        g_array_append_val(window->stretches, stretch);
}

static int earliest_first(gconstpointer a, gconstpointer b)
{
    const PsPathStretch *x = a, *y = b;
    return (x->from > y->from) - (x->from < y->from);
}

GArray *ps_path_stretches(PsPath *path, gint64 ticks, gint64 from, gint64 to, guint most)
{
    Window window = {.back = {path, ps_path_tape(path)},
                     .from = from,
                     .to = to,
                     .most = most,
                     .stretches = g_array_new(FALSE, FALSE, sizeof(PsPathStretch))};
    PsPathSums sums;
    if (path->full || path->too_long)
        return window.stretches;
    sums_init(&sums, path);
    keep_drain(&window, ticks);
    ps_path_walk(&window.back, &sums, keep, &window);
    sums_clear(&sums);
    g_array_sort(window.stretches, earliest_first);
    return window.stretches;
}
