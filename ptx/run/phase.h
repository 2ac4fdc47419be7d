/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which instructions complete the phases of mbarriers, and which wait for them: what a graph needs
 * to know of a wait. Of a phase it is known which warps arrived, and which asynchronous copies it
 * counts; a warp that waits is told which of these copies are its own, and how many executions of
 * them back.
 *
 * A wait is a meeting of the group, as a barrier is, where every warp arrived, waited once, and
 * touched no memory in between. That is known only when the phase after is over, so it is asked for
 * when groups have ended.
 */
#ifndef PIPESIM_PTX_RUN_PHASE_H
#define PIPESIM_PTX_RUN_PHASE_H

#include "ptx/run/warp.h"

G_BEGIN_DECLS

PsPtxPhases *ps_ptx_phases_new(PsPtxMachine *machine);
void ps_ptx_phases_free(PsPtxPhases *phases);

void ps_ptx_phases_group_begins(PsPtxPhases *phases);
void ps_ptx_phases_group_ends(PsPtxPhases *phases);

/* Of a step that changes the mbarrier at `word`, afterwards: TRUE if that completed the phase. */
typedef enum { PS_PTX_PHASE_ARRIVES, PS_PTX_PHASE_PAYS, PS_PTX_PHASE_BEGINS } PsPtxPhaseChange;
void ps_ptx_phase_change(PsPtxRunner *runner, const guint8 *word, PsPtxPhaseChange change,
                         gboolean completes);

/* The warp executes a copy, which is said before anything else of it. open: it is of those that the
 * next arrival of copies counts. */
void ps_ptx_phase_copies(PsPtxRunner *runner, guint point, gboolean open);
/* The phase at hand counts the copy that the warp executes now. */
void ps_ptx_phase_counts(PsPtxRunner *runner, const guint8 *word, guint point);
/* The phase at hand counts the copies of the warp that no phase counts yet ... */
void ps_ptx_phase_counts_open(PsPtxRunner *runner, const guint8 *word);
/* ... which from now on are of a phase. */
void ps_ptx_phase_close(PsPtxRunner *runner);

/* The warp waits in vain. */
void ps_ptx_phase_tries(PsPtxRunner *runner, const guint8 *word);
/* Lanes of mask wait no more: what they waited for, until the next call (of the machine, as long as
 * it lives). */
const PsPtxWait *ps_ptx_phase_waits(PsPtxRunner *runner, guint point, guint32 mask,
                                    guint8 *const word[PS_PTX_LANES]);

guint ps_ptx_phases_kind(const PsPtxPhases *phases, guint point);

G_END_DECLS
#endif
