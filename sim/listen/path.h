/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A listener that finds the critical path: from the last completion back to time 0, each stretch of
 * time charged to what it was spent on. Stretches join without gap or overlap, so their sums are
 * the run's ticks exactly.
 *
 * Going back from the end of an instance:
 *
 * - completion: from its issue to its completion, its Lambda (of a store that no instruction waits
 *   for, lambda).
 *
 * - memory: the time by which it completes later than that, since it waited for levels of memory
 * and other servers there (R7, R8).
 *
 * - pipeline: from when an instance was ready to when it issued, while its pipeline was busy;
 *   charged to the instance that held the pipeline, back to when that issued. From there the path
 *   follows the holder.
 *
 * - port: the same, while its scheduler's port was busy (R1).
 *
 * - hold: from an issue until the warp might issue again (R9); charged to what held it. From there
 *   the path follows that.
 *
 * - barrier: from the issue of the last warp to arrive to when the barrier completes; the path
 *   follows that warp.
 *
 * - place: from a group's launch to the end of the group that made room, the turnaround of its
 *   place (R5); where the launch waited for the one before it, that is the launch's own.
 *
 * - launch: what launches themselves take, up to a group's first instructions (R5).
 *
 * - drain: after the end of the last group, until memory has done all that was asked of it (R7).
 *
 * Of several results that are there at the same instant, the one that issued last counts (of
 * several warps that come to a barrier, the first): any choice gives the same total. Records are
 * kept for what is simulated; what fast-forward skips repeats the period before it, so the path
 * repeats itself there, and its sums are those of the run without fast-forward. Memory grows with
 * the instructions that are simulated, up to PS_PATH_MAX.
 */
#ifndef PIPESIM_SIM_LISTEN_PATH_H
#define PIPESIM_SIM_LISTEN_PATH_H

#include "sim/sim.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* Instances that are recorded at most, launches and ends of groups among them: 512 MB, with levels
 * of memory (R7) 768. It is more than an estimate of 0.5 % takes. */
#define PS_PATH_MAX (G_GINT64_CONSTANT(1) << 25)

/* The kind of a piece of the path. */
typedef enum {
    PS_PATH_COMPLETION,
    PS_PATH_MEMORY,
    PS_PATH_PIPELINE,
    PS_PATH_PORT,
    PS_PATH_HOLD,
    PS_PATH_BARRIER,
    PS_PATH_PLACE,
    PS_PATH_LAUNCH,
    PS_PATH_DRAIN,
    PS_PATH_N_KINDS
} PsPathKind;

const char *ps_path_kind_name(PsPathKind kind); /* "completion" */

/* All stretches of one kind that are charged to one node. */
typedef struct {
    PsPathKind kind;
    guint program, node; /* that is charged. PIPELINE, PORT: the holder; BARRIER: the barrier;
                            PLACE, LAUNCH, DRAIN: G_MAXUINT */
    guint class_index;   /* the node's class in the machine; G_MAXUINT if it has none */
    guint pipeline;      /* the node's pipeline in the GPU; G_MAXUINT if it has none */
    guint warp;          /* BARRIER: the warp of a group that came last most often; else 0 */
    gint64 ticks;
    gint64 times; /* stretches */
} PsPathRow;

/* One stretch of the path, for flow arrows and timelines. */
typedef struct {
    PsPathKind kind;
    gint64 from, to;     /* ticks */
    PsInstance instance; /* that is charged, as in PsPathRow */
} PsPathStretch;

/* A critical path. */
typedef struct PsPath PsPath;

/* The path of one run of the machine; with R6 the path on the CU that ends last. */
PsPath *ps_path_new(const PsMachine *machine /* borrowed, must outlive it */);
void ps_path_free(PsPath *path);
PsListener ps_path_listener(PsPath *path);

/* Goes back from the end of a run of so many ticks. Rows, PsPathRow, longest first; their ticks add
 * up to the run's. NULL and *error (PS_ERROR_LIMIT) if more than PS_PATH_MAX instances were
 * simulated; the message says what to do. The array is the caller's. */
GPtrArray *ps_path_rows(PsPath *path, gint64 ticks, GError **error);

/* The stretches of a run of so many ticks that touch from <= time < to, in order of time, only the
 * last `most` of them. Stretches in skipped time are left out if the path repeats itself there. An
 * instance's position may be -1, not known; a drain has no members. The array (PsPathStretch) is
 * the caller's. */
GArray *ps_path_stretches(PsPath *path, gint64 ticks, gint64 from, gint64 to, guint most);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsPath, ps_path_free)

#pragma GCC visibility pop
G_END_DECLS
#endif
