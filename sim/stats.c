/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/stats.h"

/* Sums over instances or groups may exceed 64 bits where the time itself does not. */
__extension__ typedef __int128 Wide;

/* Sums of one node of one program. */
typedef struct {
    gint64 issued;
    gint64 last_issue;
    gint64 most_queued;
    Wide queued;
} Counts;

struct PsStats {
    const PsMachine *machine;
    Counts **counts; /* [program][node] */
    gint64 resident; /* groups on the CU since `since` */
    gint64 since;
    Wide group_ticks; /* integral of resident groups over time */
};

PsStats *ps_stats_new(const PsMachine *machine)
{
    const PsKernel *kernel = machine->kernel;
    PsStats *stats = g_new0(PsStats, 1);
    stats->machine = machine;
    stats->counts = g_new(Counts *, kernel->n_programs);
    for (guint p = 0; p < kernel->n_programs; p++)
        stats->counts[p] = g_new0(Counts, MAX(kernel->programs[p].n_nodes, 1));
    return stats;
}

void ps_stats_free(PsStats *stats)
{
    if (stats == NULL)
        return;
    for (guint p = 0; p < stats->machine->kernel->n_programs; p++)
        g_free(stats->counts[p]);
    g_free(stats->counts);
    g_free(stats);
}

/* ---- listening ----------------------------------------------------------------------------- */

static void on_issued(void *self, gint64 time, gint64 ready, const PsInstance *instance)
{
    PsStats *stats = self;
    Counts *counts = &stats->counts[instance->program][instance->node];
    const gint64 queued = time - ready;
    counts->issued++;
    counts->last_issue = time;
    counts->queued += queued;
    counts->most_queued = MAX(counts->most_queued, queued);
}

static void change_resident(PsStats *stats, gint64 time, gint64 change)
{
    stats->group_ticks += (Wide)stats->resident * (time - stats->since);
    stats->since = time;
    stats->resident += change;
}

static void on_launched(void *self, gint64 time, guint cu, gint64 group)
{
    (void)cu;
    (void)group;
    change_resident(self, time, 1);
}

static void on_finished(void *self, gint64 time, guint cu, gint64 group)
{
    (void)cu;
    (void)group;
    change_resident(self, time, -1);
}

PsListener ps_stats_listener(PsStats *stats)
{
    return (PsListener){
        .self = stats, .launched = on_launched, .issued = on_issued, .finished = on_finished};
}

/* ---- reporting ----------------------------------------------------------------------------- */

static gint64 saturate(Wide sum)
{
    return sum > G_MAXINT64 ? G_MAXINT64 : (gint64)sum;
}

static void free_row(void *row)
{
    g_free(((PsStatsRow *)row)->name);
    g_free(row);
}

/* Adds a node's counts to a row. After its last instance the pipeline may be busy beyond the end of
 * the run, which is now: that part does not count. (Only the last of a pipeline can reach so far,
 * since the next one waits for it.) */
static void add_counts(PsStatsRow *row, const PsStats *stats, guint program, guint node)
{
    const PsMachine *machine = stats->machine;
    const Counts *counts = &stats->counts[program][node];
    const gint64 issue = machine->classes[machine->class_of[program][node]].issue;
    if (counts->issued == 0)
        return;
    const gint64 beyond = MAX(counts->last_issue + issue - stats->since, 0);
    row->issued += counts->issued;
    row->busy += (gint64)((Wide)counts->issued * issue - beyond);
    row->queued = saturate((Wide)row->queued + counts->queued);
    row->most_queued = MAX(row->most_queued, counts->most_queued);
}

/* The sums by a key of each node: an index below n_rows. */
typedef guint (*KeyOf)(const PsMachine *machine, guint program, guint node);

static GPtrArray *sum_by(const PsStats *stats, guint n_rows, KeyOf key_of)
{
    const PsMachine *machine = stats->machine;
    GPtrArray *rows = g_ptr_array_new_with_free_func(free_row);
    for (guint i = 0; i < n_rows; i++)
        g_ptr_array_add(rows, g_new0(PsStatsRow, 1));
    for (guint p = 0; p < machine->kernel->n_programs; p++)
        for (guint n = 0; n < machine->kernel->programs[p].n_nodes; n++)
            add_counts(rows->pdata[key_of(machine, p, n)], stats, p, n);
    return rows;
}

static void drop_idle(GPtrArray *rows)
{
    for (guint i = rows->len; i-- > 0;)
        if (((PsStatsRow *)rows->pdata[i])->issued == 0)
            g_ptr_array_remove_index(rows, i);
}

static guint pipeline_of(const PsMachine *machine, guint program, guint node)
{
    return machine->classes[machine->class_of[program][node]].pipeline;
}

static guint class_of(const PsMachine *machine, guint program, guint node)
{
    return machine->class_of[program][node];
}

GPtrArray *ps_stats_pipelines(const PsStats *stats)
{
    const GPtrArray *pipelines = stats->machine->gpu->pipelines;
    GPtrArray *rows = sum_by(stats, pipelines->len, pipeline_of);
    for (guint i = 0; i < pipelines->len; i++)
        ((PsStatsRow *)rows->pdata[i])->name =
            g_strdup(((const PsPipeline *)pipelines->pdata[i])->name);
    drop_idle(rows);
    return rows;
}

GPtrArray *ps_stats_classes(const PsStats *stats)
{
    const PsMachine *machine = stats->machine;
    GPtrArray *rows = sum_by(stats, machine->n_classes, class_of);
    for (guint i = 0; i < machine->n_classes; i++)
        ((PsStatsRow *)rows->pdata[i])->name = g_strdup(machine->classes[i].asked);
    return rows;
}

/* The row of a source line, made where there is none. */
static PsStatsRow *find_line(GPtrArray *rows, GHashTable *by_name, char *name /* taken */)
{
    PsStatsRow *row = g_hash_table_lookup(by_name, name);
    if (row != NULL) {
        g_free(name);
        return row;
    }
    row = g_new0(PsStatsRow, 1);
    row->name = name;
    g_ptr_array_add(rows, row);
    g_hash_table_insert(by_name, name, row);
    return row;
}

GPtrArray *ps_stats_lines(const PsStats *stats)
{
    const PsMachine *machine = stats->machine;
    const PsIdg *idg = machine->kernel->idg;
    GPtrArray *rows = g_ptr_array_new_with_free_func(free_row);
    g_autoptr(GHashTable) by_name = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint p = 0; p < machine->kernel->n_programs; p++)
        for (guint n = 0; n < machine->kernel->programs[p].n_nodes; n++) {
            const PsIdgItem *item = machine->kernel->programs[p].nodes[n].item;
            const char *file = item->file != NULL ? item->file : idg->file;
            if (item->source_line == 0)
                continue;
            char *name = g_strdup_printf("%s:%d", file != NULL ? file : "?", item->source_line);
            add_counts(find_line(rows, by_name, name), stats, p, n);
        }
    drop_idle(rows);
    return rows;
}

double ps_stats_occupancy(const PsStats *stats, gint64 ticks)
{
    const PsMachine *machine = stats->machine;
    if (machine->gpu->limits.warps == 0 || ticks == 0)
        return 0;
    return (double)stats->group_ticks * (double)machine->launch.warps_per_group /
           ((double)ticks * (double)machine->gpu->limits.warps);
}
