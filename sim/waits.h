/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A listener that says where warps spend their time. Every tick of a place for a warp on the
 * simulated CUs, from 0 to the run's end, is one of
 *
 *     issuing    up to lambda after an issue of the warp, as long as it has nothing else to issue
 *     data       its next instance in program order waits for a result, by the class of that result
 *     queue      that instance is ready and waits for a pipeline or its scheduler's port, by
 * pipeline barrier    that instance waits for a barrier drain      it has issued everything and
 * waits for its last results empty      no warp is there: before the first launch, between groups,
 * after the last
 *
 * so that all sum up to warps * ticks exactly. "Next instance" is the one that the warp issues
 * next.
 */
#ifndef PIPESIM_SIM_WAITS_H
#define PIPESIM_SIM_WAITS_H

#include "sim/sim.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

typedef enum {
    PS_WAIT_ISSUING,
    PS_WAIT_DATA,
    PS_WAIT_QUEUE,
    PS_WAIT_BARRIER,
    PS_WAIT_DRAIN,
    PS_WAIT_EMPTY,
    PS_WAIT_N_KINDS
} PsWaitKind;

const char *ps_wait_kind_name(PsWaitKind kind); /* "data" */

/* Warps' ticks of one kind, by class (DATA, ISSUING) or pipeline (QUEUE). */
typedef struct {
    PsWaitKind kind;
    guint which; /* of the machine's classes, or of the GPU's pipelines; G_MAXUINT: of neither */
    double ticks;
} PsWaitRow;

typedef struct PsWaits PsWaits;

PsWaits *ps_waits_new(const PsMachine *machine /* borrowed, must outlive it */);
void ps_waits_free(PsWaits *waits);
PsListener ps_waits_listener(PsWaits *waits);

/* Rows, PsWaitRow, largest first, of a run of these ticks. The array is the caller's. */
GPtrArray *ps_waits_rows(const PsWaits *waits, gint64 ticks);

/* Resident warps of the first CU over time: `n` means over equal parts of the run. */
void ps_waits_occupancy(const PsWaits *waits, gint64 ticks, guint n, double *warps);

/* Ticks at the end of the run in which fewer than M groups were on the first CU (the tail). */
gint64 ps_waits_tail(const PsWaits *waits, gint64 ticks);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsWaits, ps_waits_free)

#pragma GCC visibility pop
G_END_DECLS
#endif
