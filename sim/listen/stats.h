/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A listener that counts: busy time and queueing per node, from which follow the same per pipeline,
 * per instruction class and per source line, and the achieved occupancy.
 */
#ifndef PIPESIM_SIM_LISTEN_STATS_H
#define PIPESIM_SIM_LISTEN_STATS_H

#include "sim/sim.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* Sums over some nodes on all simulated CUs, in ticks; name belongs to the row. The share of time
 * that a pipeline was busy is busy / (the run's ticks * units), and so for the other rows.
 *
 * A pipeline that each scheduler has (refinement R1) counts once for each. Of a source line all
 * pipelines count as if each scheduler had its own: what keeps one of the whole CU busy keeps it so
 * for every scheduler. */
typedef struct {
    char *name;         /* the pipeline, the class asked for, or "FILE:LINE" */
    gint64 issued;      /* warp instructions */
    gint64 busy;        /* sum of lambda: time that they kept their pipeline, up to the run's end */
    gint64 queued;      /* sum of (begin - ready): time that they waited for their pipeline */
    gint64 blocked;     /* of that, before they issued to a queue in front of it (R11) */
    gint64 most_queued; /* longest single wait */
    gint64 delayed;     /* sum of what they waited in memory (PsInstance.delay) */
    gint64 units;       /* the number of such pipelines that were simulated */
} PsStatsRow;           /* sums are G_MAXINT64 at most */

/* Statistics that are being gathered. */
typedef struct PsStats PsStats;

/* Statistics of one run of the machine. The caller frees them. */
PsStats *ps_stats_new(const PsMachine *machine /* borrowed, must outlive it */);
void ps_stats_free(PsStats *stats);

/* The listener to pass to ps_sim_run; lives as long as stats. */
PsListener ps_stats_listener(PsStats *stats);

/* Rows, PsStatsRow, when the run is over: of the pipelines that issued something, in the GPU's
 * order; of all classes of the machine, in its order; of the source lines that issued something, in
 * program order. The caller owns the array (g_ptr_array_unref). */
GPtrArray *ps_stats_pipelines(const PsStats *stats);
GPtrArray *ps_stats_classes(const PsStats *stats);
GPtrArray *ps_stats_lines(const PsStats *stats);

/* Warp instructions that a node of the kernel issued on all simulated CUs. */
gint64 ps_stats_issued(const PsStats *stats, guint program, guint node);

/* Sums over what passed a server of memory (rules R7 and R8), on all simulated CUs. Its share of
 * the time is busy / (the run's ticks * units). */
typedef struct {
    char *name;     /* as of PsServer */
    PsLevel level;  /* as of PsServer */
    gint64 visits;  /* instances that moved bytes there */
    gint64 busy;    /* ticks, G_MAXINT64 at most */
    gint64 opening; /* of these, ticks of visits that take as long as it takes to open their rows */
    double bytes;   /* moved there; 0 for a server that is no level */
    gint64 units;   /* the number of such servers that were simulated */
} PsServerRow;

/* TRUE if device memory is busy with opening rows for most of its time. */
gboolean ps_server_opens(const PsServerRow *row);

/* Rows, PsServerRow, when the run is over: in the order of the machine's servers; none without rule
 * R7. The caller owns the array. */
GPtrArray *ps_stats_servers(const PsStats *stats);

/* Mean of resident warps over a time of so many ticks, as a share of the most warps of the
 * simulated CUs. At most what a CU holds at once, since an estimated run may have fewer ticks than
 * its groups. 0 if the GPU states no such limit. */
double ps_stats_occupancy(const PsStats *stats, gint64 ticks);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsStats, ps_stats_free)

#pragma GCC visibility pop
G_END_DECLS
#endif
