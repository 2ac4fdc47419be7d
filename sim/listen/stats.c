/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums that do not depend on the order in which events of different pipelines arrive, so that a
 * repeated period only multiplies what it added. */
#include "sim/listen/stats.h"

#include "sim/listen/repeat.h"

#include <math.h>
#include <string.h>

/* The pipeline that a node's instances keep busy. */
typedef struct {
    guint first;  /* place of the first hold of its pipeline */
    guint copies; /* such pipelines of a CU */
} Held;

/* The counts of CUs that do the same, for one of them. A pipeline keeps the holds of those of its
 * instances that last longest: one for each scheduler that has the pipeline, otherwise one. Only
 * these can last beyond the end of the run: each copy of a pipeline has at most one such instance,
 * its last. */
typedef struct {
    guint cu, n_cus;
    gint64 end; /* end of the last group so far */
    PsTallyHold *holds;
} Share;

struct PsStats {
    const PsMachine *machine;
    guint n_nodes;     /* nodes of all programs */
    guint *first_node; /* [program]: place of its first node in counts */
    PsTallyNode *counts;
    PsTallyNode *at_mark[PS_SIM_MARKS];
    guint *first_hold; /* [pipeline]: place of its first hold in a CU's holds */
    Held *held;        /* as counts */
    GArray *shares;    /* Share; mostly the last alone still gets events */
    /* Integral of resident groups over time, once all groups have ended: the sum of their ends less
     * the sum of their launches. */
    PsWide group_ticks;
    PsWide group_ticks_at_mark[PS_SIM_MARKS];
};

static const PsMachineClass *class_entry(const PsMachine *machine, guint program, guint node)
{
    return &machine->classes[machine->class_of[program][node]];
}

/* Number of such pipelines of a CU. */
static guint copies_of(const PsMachine *machine, const PsMachineClass *class)
{
    return class->per_scheduler ? (guint)MAX(machine->refinements.schedulers, 1) : 1;
}

static void lay_out_nodes(PsStats *stats, const PsKernel *kernel)
{
    stats->first_node = g_new(guint, MAX(kernel->n_programs, 1));
    for (guint p = 0; p < kernel->n_programs; p++) {
        stats->first_node[p] = stats->n_nodes;
        stats->n_nodes += kernel->programs[p].n_nodes;
    }
    stats->counts = g_new0(PsTallyNode, MAX(stats->n_nodes, 1));
    for (guint mark = 0; mark < PS_SIM_MARKS; mark++)
        stats->at_mark[mark] = g_new0(PsTallyNode, MAX(stats->n_nodes, 1));
}

static void clear_share(void *share)
{
    g_free(((Share *)share)->holds);
}

static void lay_out_holds(PsStats *stats, const PsMachine *machine)
{
    const guint n = machine->gpu->pipelines->len;
    stats->first_hold = g_new0(guint, n + 1);
    for (guint c = 0; c < machine->n_classes; c++)
        stats->first_hold[machine->classes[c].pipeline + 1] =
            copies_of(machine, &machine->classes[c]);
    for (guint p = 0; p < n; p++)
        stats->first_hold[p + 1] += stats->first_hold[p];
    stats->held = g_new(Held, MAX(stats->n_nodes, 1));
    for (guint p = 0; p < machine->kernel->n_programs; p++)
        for (guint i = 0; i < machine->kernel->programs[p].n_nodes; i++) {
            const PsMachineClass *class = class_entry(machine, p, i);
            stats->held[stats->first_node[p] + i] =
                (Held){stats->first_hold[class->pipeline], copies_of(machine, class)};
        }
    stats->shares = g_array_new(FALSE, FALSE, sizeof(Share));
    g_array_set_clear_func(stats->shares, clear_share);
}

PsStats *ps_stats_new(const PsMachine *machine)
{
    PsStats *stats = g_new0(PsStats, 1);
    stats->machine = machine;
    lay_out_nodes(stats, machine->kernel);
    lay_out_holds(stats, machine);
    return stats;
}

void ps_stats_free(PsStats *stats)
{
    if (!stats)
        return;
    g_free(stats->first_node);
    g_free(stats->counts);
    for (guint mark = 0; mark < PS_SIM_MARKS; mark++)
        g_free(stats->at_mark[mark]);
    g_free(stats->first_hold);
    g_free(stats->held);
    g_array_unref(stats->shares);
    g_free(stats);
}

/* ---- listening ----------------------------------------------------------------------------- */

/* The share of these CUs. */
static Share *share_of(PsStats *stats, guint cu, guint n_cus)
{
    for (guint i = stats->shares->len; i-- > 0;) {
        Share *share = &g_array_index(stats->shares, Share, i);
        if (G_LIKELY(share->cu == cu))
            return share;
    }
    const guint n_holds = stats->first_hold[stats->machine->gpu->pipelines->len];
    const Share share = {cu, n_cus, 0, g_new0(PsTallyHold, MAX(n_holds, 1))};
    g_array_append_val(stats->shares, share);
    return &g_array_index(stats->shares, Share, stats->shares->len - 1);
}

/* Keeps the hold in the place of the one that ends first, if that ends before it. */
static void keep(PsTallyHold *holds, guint n, const PsTallyHold *hold)
{
    PsTallyHold *first = holds;
    for (guint i = 1; i < n; i++)
        if (holds[i].until < first->until)
            first = &holds[i];
    if (first->until < hold->until)
        *first = *hold;
}

static void on_tallied(void *self, const PsTally *tally)
{
    PsStats *stats = self;
    const Share *share = share_of(stats, tally->cu, tally->n_cus);
    for (guint n = 0; n < tally->n_nodes; n++) {
        const PsTallyNode *more = &tally->nodes[n];
        PsTallyNode *counts = &stats->counts[n];
        counts->issued += more->issued * tally->n_cus;
        counts->queued += more->queued * tally->n_cus;
        counts->blocked += more->blocked * tally->n_cus;
        counts->delayed += more->delayed * tally->n_cus;
        counts->most_queued = MAX(counts->most_queued, more->most_queued);
    }
    for (guint h = 0; h < tally->n_holds; h++) {
        const PsTallyHold *hold = &tally->holds[h];
        if (hold->node == PS_TALLY_NONE)
            continue;
        const Held *held = &stats->held[hold->node];
        keep(share->holds + held->first, held->copies, hold);
    }
}

static void on_launched(void *self, gint64 time, const PsGroups *groups)
{
    ((PsStats *)self)->group_ticks -= (PsWide)time * groups->n_cus;
}

static void on_finished(void *self, gint64 time, const PsGroups *groups)
{
    PsStats *stats = self;
    Share *share = share_of(stats, groups->cu, groups->n_cus);
    stats->group_ticks += (PsWide)time * groups->n_cus;
    share->end = MAX(share->end, time);
}

static void on_marked(void *self, guint mark)
{
    PsStats *stats = self;
    memcpy(stats->at_mark[mark], stats->counts, stats->n_nodes * sizeof(PsTallyNode));
    stats->group_ticks_at_mark[mark] = stats->group_ticks;
}

/* In a period as many groups end as are launched, so the shift of their times from period to period
 * cancels out. The end and the holds are shifted to the last period. If they are older than the
 * period, that has no effect: they were over when the period was, and shifted ones are over when
 * the skipped time is. What other CUs added to the sums came before the mark, so it is not in the
 * growth. */
static void on_skipped(void *self, const PsSkip *skip)
{
    PsStats *stats = self;
    const gint64 shift = skip->to - skip->from;
    Share *share = share_of(stats, skip->cu, skip->n_cus);
    for (guint i = 0; i < stats->n_nodes; i++) {
        PsTallyNode *counts = &stats->counts[i];
        const PsTallyNode *before = &stats->at_mark[skip->mark][i];
        counts->issued += (gint64)ps_repeat(skip, counts->issued - before->issued);
        counts->queued += ps_repeat(skip, counts->queued - before->queued);
        counts->blocked += ps_repeat(skip, counts->blocked - before->blocked);
        counts->delayed += ps_repeat(skip, counts->delayed - before->delayed);
    }
    stats->group_ticks +=
        ps_repeat(skip, stats->group_ticks - stats->group_ticks_at_mark[skip->mark]);
    share->end += shift;
    for (guint i = 0; i < stats->first_hold[stats->machine->gpu->pipelines->len]; i++)
        share->holds[i].until += shift;
}

PsListener ps_stats_listener(PsStats *stats)
{
    return (PsListener){.self = stats,
                        .launched = on_launched,
                        .tallied = on_tallied,
                        .finished = on_finished,
                        .marked = on_marked,
                        .skipped = on_skipped};
}

/* ---- reporting ----------------------------------------------------------------------------- */

static gint64 saturate(PsWide sum)
{
    return sum > G_MAXINT64 ? G_MAXINT64 : (gint64)sum;
}

static void free_row(void *row)
{
    g_free(((PsStatsRow *)row)->name);
    g_free(row);
}

static void add_beyond(const PsStats *stats, const Share *share, gint64 end, PsWide *beyond)
{
    for (guint i = 0; i < stats->first_hold[stats->machine->gpu->pipelines->len]; i++) {
        const PsTallyHold *hold = &share->holds[i];
        if (hold->until > end)
            beyond[hold->node] += (PsWide)(hold->until - end) * share->n_cus;
    }
}

/* [node]: ticks for which pipelines are busy with it after the end of the run. */
static PsWide *find_beyond(const PsStats *stats)
{
    PsWide *beyond = g_new0(PsWide, MAX(stats->n_nodes, 1));
    gint64 end = 0;
    for (guint i = 0; i < stats->shares->len; i++)
        end = MAX(end, g_array_index(stats->shares, Share, i).end);
    for (guint i = 0; i < stats->shares->len; i++)
        add_beyond(stats, &g_array_index(stats->shares, Share, i), end, beyond);
    return beyond;
}

/* Adds a node's counts to a row, which gets the node's units if it has none. A row with several
 * units belongs to a line, and counts pipelines as if each scheduler had them. */
static void add_counts(PsStatsRow *row, const PsStats *stats, guint program, guint n,
                       const PsWide *beyond)
{
    const PsMachine *machine = stats->machine;
    const PsMachineClass *class = class_entry(machine, program, n);
    const guint node = stats->first_node[program] + n;
    const PsTallyNode *counts = &stats->counts[node];
    const gint64 units = machine->n_cus * copies_of(machine, class);
    if (row->units == 0)
        row->units = units;
    const gint64 weight = row->units > units ? machine->refinements.schedulers : 1;
    const PsWide busy = (PsWide)counts->issued * machine->costs[program][n].issue - beyond[node];
    row->issued += counts->issued;
    row->busy = saturate(row->busy + busy * weight);
    row->queued = saturate(row->queued + counts->queued);
    row->blocked = saturate(row->blocked + counts->blocked);
    row->delayed = saturate(row->delayed + counts->delayed);
    row->most_queued = MAX(row->most_queued, counts->most_queued);
}

/* Sums by a key of each node: an index below n_rows. */
typedef guint (*KeyOf)(const PsMachine *machine, guint program, guint node);

static GPtrArray *sum_by(const PsStats *stats, guint n_rows, KeyOf key_of)
{
    const PsMachine *machine = stats->machine;
    g_autofree PsWide *beyond = find_beyond(stats);
    GPtrArray *rows = g_ptr_array_new_with_free_func(free_row);
    for (guint i = 0; i < n_rows; i++)
        g_ptr_array_add(rows, g_new0(PsStatsRow, 1));
    for (guint p = 0; p < machine->kernel->n_programs; p++)
        for (guint n = 0; n < machine->kernel->programs[p].n_nodes; n++)
            add_counts(rows->pdata[key_of(machine, p, n)], stats, p, n, beyond);
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
    return class_entry(machine, program, node)->pipeline;
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

/* The row of a source line; made if there is none. */
static PsStatsRow *find_line(GPtrArray *rows, GHashTable *by_name, char *name /* taken over */)
{
    PsStatsRow *row = g_hash_table_lookup(by_name, name);
    if (row) {
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
    g_autofree PsWide *beyond = find_beyond(stats);
    GPtrArray *rows = g_ptr_array_new_with_free_func(free_row);
    g_autoptr(GHashTable) by_name = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint p = 0; p < machine->kernel->n_programs; p++)
        for (guint n = 0; n < machine->kernel->programs[p].n_nodes; n++) {
            const PsIdgItem *item = machine->kernel->programs[p].nodes[n].item;
            const char *file = item->file ? item->file : idg->file;
            if (item->source_line == 0)
                continue;
            char *name = g_strdup_printf("%s:%d", file ? file : "?", item->source_line);
            PsStatsRow *row = find_line(rows, by_name, name);
            row->units = machine->n_cus * MAX(machine->refinements.schedulers, 1);
            add_counts(row, stats, p, n, beyond);
        }
    drop_idle(rows);
    return rows;
}

gint64 ps_stats_issued(const PsStats *stats, guint program, guint node)
{
    return stats->counts[stats->first_node[program] + node].issued;
}

double ps_stats_occupancy(const PsStats *stats, gint64 ticks)
{
    const PsMachine *machine = stats->machine;
    if (machine->gpu->limits.warps == 0 || ticks == 0)
        return 0;
    const double share =
        (double)machine->launch.warps_per_group / (double)machine->gpu->limits.warps;
    const double groups = (double)stats->group_ticks / ((double)ticks * (double)machine->n_cus);
    return share * fmin(groups, (double)machine->launch.active_groups);
}

static void free_server(void *row)
{
    g_free(((PsServerRow *)row)->name);
    g_free(row);
}

/* Adds what a node's instances did at each of its stops. */
static void add_stops(const PsStats *stats, guint program, guint n, const GPtrArray *rows)
{
    const PsNodeCost *cost = &stats->machine->costs[program][n];
    const gint64 issued = stats->counts[stats->first_node[program] + n].issued;
    for (guint s = 0; s < cost->n_stops; s++) {
        PsServerRow *row = rows->pdata[cost->stops[s].server];
        row->visits += issued;
        row->busy = saturate(row->busy + (PsWide)issued * cost->stops[s].service);
        if (row->level == PS_LEVEL_DEVICE && cost->opens)
            row->opening = saturate(row->opening + (PsWide)issued * cost->stops[s].service);
        if (row->level < PS_N_LEVELS)
            row->bytes += (double)issued * ps_rational_to_double(cost->moved[row->level]);
    }
}

gboolean ps_server_opens(const PsServerRow *row)
{
    return row->opening > row->busy / 2;
}

GPtrArray *ps_stats_servers(const PsStats *stats)
{
    const PsMachine *machine = stats->machine;
    GPtrArray *rows = g_ptr_array_new_with_free_func(free_server);
    for (guint i = 0; i < machine->servers->len; i++) {
        const PsServer *server = &g_array_index(machine->servers, PsServer, i);
        PsServerRow *row = g_new0(PsServerRow, 1);
        row->name = g_strdup(server->name);
        row->level = server->level;
        row->units = machine->n_cus;
        g_ptr_array_add(rows, row);
    }
    for (guint p = 0; p < machine->kernel->n_programs; p++)
        for (guint n = 0; n < machine->kernel->programs[p].n_nodes; n++)
            add_stops(stats, p, n, rows);
    return rows;
}
