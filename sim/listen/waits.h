/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A listener that adds up how warps spend their time. Every tick of every place for a warp on the
 * simulated CUs, from 0 to the run's end, is one of
 *
 * - issuing: up to lambda after an issue of the warp, until its next instance is ready.
 *
 * - data: the next instance waits for a result; by the class of that result.
 *
 * - hold: it waits until what issued last no longer holds the warp (R9); by the class of that.
 *
 * - queue: it is ready, and its pipeline is busy; by pipeline.
 *
 * - port: it is ready, its pipeline could take it, but its scheduler has just issued, or prefers
 *   others (R1).
 *
 * - barrier: it waits for a barrier, for the other warps, and for Lambda after the last; or for
 *   what it awaits of other warps (R12).
 *
 * - drain: the warp has issued everything, and lambda after that is over: it waits for its last
 *   results, then for the other warps of its group.
 *
 * - not started: no warp is there yet: before a launch, between groups; and what a launch itself
 *   takes (R5).
 *
 * - done: no warp is there any more, since all groups have been launched.
 *
 * so that the sums of all are warps * ticks exactly. A warp's next instance is the one that it
 * issues next, whatever its place in program order: its issues are taken one after the other by
 * time, those of one instant by when they were ready, then by program order. From one issue (or the
 * launch) to the next, the time until the next instance is ready is issuing, for lambda, then data,
 * hold or barrier, and the rest is queue or port.
 *
 * Of several results that arrive in the instant in which they make an instance ready, the first
 * that the node's dependences name counts, in the order in which the kernel has them; a hold that
 * ends then counts where none does, a barrier where that does not either. Sums are the same with
 * and without fast-forward; of an instance that stays ready while its pipeline becomes busy tens of
 * thousands of times, what is queue and what is port is rounded.
 */
#ifndef PIPESIM_SIM_LISTEN_WAITS_H
#define PIPESIM_SIM_LISTEN_WAITS_H

#include "sim/sim.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* The activity of a warp at a time. */
typedef enum {
    PS_WAIT_ISSUING,
    PS_WAIT_DATA,
    PS_WAIT_QUEUE,
    PS_WAIT_PORT,
    PS_WAIT_BARRIER,
    PS_WAIT_HOLD,
    PS_WAIT_DRAIN,
    PS_WAIT_NOT_STARTED,
    PS_WAIT_DONE,
    PS_WAIT_N_KINDS
} PsWaitKind;

const char *ps_wait_kind_name(PsWaitKind kind); /* "data", "not-started" */

/* Warps' ticks of one kind, by class (DATA, HOLD, ISSUING) or pipeline (QUEUE). */
typedef struct {
    PsWaitKind kind;
    guint which; /* of the machine's classes, or of the GPU's pipelines; G_MAXUINT: of neither */
    double ticks;
} PsWaitRow;

/* Warps' ticks of one kind at one node: ISSUING and HOLD after it issued, all others before; what
 * is waited for as in PsWaitRow. Drains, and places without a warp, belong to no node. */
typedef struct {
    PsWaitKind kind;
    guint which;         /* as of PsWaitRow */
    guint program, node; /* of the kernel */
    guint on;            /* DATA: the node of that program whose result it is; else G_MAXUINT */
    double ticks;
} PsNodeWait;

/* Sums of waits, while a run goes on. */
typedef struct PsWaits PsWaits;

/* Gathers the waits of the machine's warps; the machine must outlive it. */
PsWaits *ps_waits_new(const PsMachine *machine /* borrowed, must outlive it */);

/* Frees it, and what is in it. */
void ps_waits_free(PsWaits *waits);

/* The listener to pass to ps_sim_run; borrowed, valid as long as waits is. */
PsListener ps_waits_listener(PsWaits *waits);

/* Rows, PsWaitRow, largest first, of a run of these ticks; none of 0 ticks. The array is the
 * caller's. */
GPtrArray *ps_waits_rows(const PsWaits *waits, gint64 ticks);

/* PsNodeWait, in program order, when the run is over. The array is the caller's. */
GArray *ps_waits_of_nodes(const PsWaits *waits);

/* Resident warps of the first CU over time: `n` means over equal parts of the run. */
void ps_waits_occupancy(const PsWaits *waits, gint64 ticks, guint n, double *warps);

/* Ticks at the end of the run with fewer than M groups on the first CU (the tail). */
gint64 ps_waits_tail(const PsWaits *waits, gint64 ticks);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsWaits, ps_waits_free)

#pragma GCC visibility pop
G_END_DECLS
#endif
