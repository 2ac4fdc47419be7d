/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Records the instructions that complete the phases of mbarriers, and those that wait for them,
 * since a graph needs for a wait: the warps that arrived in a phase, the asynchronous copies that
 * it counts, the waiting warp's own ones among these, and how many executions of a copy back each
 * is.
 *
 * A wait is a meeting of the group, like a barrier, if every warp arrived, waited once, and touched
 * no memory in between. That is only known when the next phase is over, so it is settled when
 * groups have ended.
 */
#ifndef PIPESIM_PTX_RUN_PHASE_H
#define PIPESIM_PTX_RUN_PHASE_H

#include "ptx/run/warp.h"

G_BEGIN_DECLS

PsPtxPhases *ps_ptx_phases_new(PsPtxMachine *machine);
void ps_ptx_phases_free(PsPtxPhases *phases);

void ps_ptx_phases_group_begins(PsPtxPhases *phases);
void ps_ptx_phases_group_ends(PsPtxPhases *phases);

/* Called after a step has changed the mbarrier at `word`: TRUE if that completed the phase. */
typedef enum { PS_PTX_PHASE_ARRIVES, PS_PTX_PHASE_PAYS, PS_PTX_PHASE_BEGINS } PsPtxPhaseChange;
void ps_ptx_phase_change(PsPtxRunner *runner, const guint8 *word, PsPtxPhaseChange change,
                         gboolean completes);

/* The warp executes a copy or an arrival; called before anything else about it. open: the next
 * arrival for copies counts it. */
void ps_ptx_phase_executes(PsPtxRunner *runner, guint point, gboolean open);
/* Forgets the execution that was counted last, which copied nothing. */
PsPtxEnder ps_ptx_phase_latest(PsPtxRunner *runner, guint point);
/* The present phase counts the copy, or the arrival, that the warp executes. */
void ps_ptx_phase_counts(PsPtxRunner *runner, const guint8 *word, guint point, gboolean copy);
/* The present phase counts all copies of the warp that are in no phase yet ... */
void ps_ptx_phase_counts_open(PsPtxRunner *runner, const guint8 *word);
/* ... and which then belong to one. */
void ps_ptx_phase_close(PsPtxRunner *runner);

/* Notes that the warp waits for a phase that is not complete. */
void ps_ptx_phase_tries(PsPtxRunner *runner, const guint8 *word);
/* Ends the wait of the lanes in mask. Returns what they waited for, which is valid as long as the
 * machine lives. */
const PsPtxWait *ps_ptx_phase_waits(PsPtxRunner *runner, guint point, guint32 mask,
                                    guint8 *const word[PS_PTX_LANES]);

/* The warps that have arrived in the present phase, one bit each. */
guint32 ps_ptx_phase_arrived(const PsPtxRunner *runner, const guint8 *word);

/* Notes that the warp comes to a barrier that counts threads. */
void ps_ptx_phase_comes(PsPtxRunner *runner, guint point, guint barrier);
/* All arrivals at the barrier of the machine's group since it was complete last (PsPtxEnder,
 * borrowed). */
GArray *ps_ptx_phase_came(const PsPtxMachine *machine, guint barrier);

guint ps_ptx_phases_kind(const PsPtxPhases *phases, guint point);

G_END_DECLS
#endif
