/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A device in this process, as its driver sees it: memory, code, launches, which are executed with
 * all their groups, and a time for each of them, which is the predicted one.
 */
#ifndef PIPESIM_CARD_CARD_H
#define PIPESIM_CARD_CARD_H

#include "card/bound.h"
#include "card/log.h"
#include "card/memory.h"
#include "card/module.h"
#include "gpu/gpu.h"
#include "ptx/run/launch.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* One of that GPU, which is borrowed. memory: its bytes; 0: as many as the description says. What
 * happens is written to the log (borrowed; NULL: nowhere). */
PsCard *ps_card_new(const PsGpu *gpu, guint64 memory, PsCardLog *log);
void ps_card_free(PsCard *card);

/* Ends groups after so many instructions of a warp; 0: the executor's limit. */
void ps_card_limit(PsCard *card, guint64 instructions);

/* Executes the groups of a launch by at most so many threads, where their order does not matter
 * (ptx/run/together.h); 0: as many as there are processors. */
void ps_card_threads(PsCard *card, guint threads);

/* Records launches from now on: writes the code, arguments and memory with which each begins to
 * that descriptor, which stays the caller's, as chunks of a recording (recording.h). */
void ps_card_record_to(PsCard *card, int file);

/* Gives malloc of kernels so many bytes. FALSE: that is no size for it, or more than the device
 * has, or there is a heap already, since kernels were launched that may have used it. */
gboolean ps_card_set_heap(PsCard *card, guint64 bytes);
guint64 ps_card_heap(const PsCard *card);

/* Executes kernels step by step, and compiles none of them. */
void ps_card_steps(PsCard *card);

/* Executes of each launch from now on only those groups that its time needs. The program's results
 * are then wrong, which the log says; it names kernels whose results the host reads. */
void ps_card_some(PsCard *card);

/* Called when something other than a launch changed memory of the device: a copy, or bytes that
 * were set (from NULL), from the first byte to the last. */
void ps_card_copied(PsCard *card, gconstpointer to, gconstpointer from, gsize bytes);

const PsGpu *ps_card_gpu(const PsCard *card);
PsCardMemory *ps_card_memory(PsCard *card);

/* What kernels printed; the caller empties it. */
GString *ps_card_printed(PsCard *card);

/* ---- launches ------------------------------------------------------------------------------ */

typedef struct {
    PsCardFunction *function;
    guint grid[3], block[3];
    guint cluster[3];            /* groups of a cluster; 0: what the code says */
    guint64 shared;              /* bytes besides those that the code asks for */
    gconstpointer const *params; /* where each parameter's value is; or NULL */
    gconstpointer packed;        /* in place of them: all parameters, as they lie in memory ... */
    gsize packed_size;           /* ... so many bytes */
    gboolean cooperative;        /* groups may wait for each other */
    guint stream;                /* for the log ... */
    double begin;                /* ... as this is: seconds on the program's axis of time */
    PsCardStandIn stand_in;      /* its work in place of another library's kernel */
} PsCardLaunch;

/* The mistake of a thread; its codes are PsPtxFault. */
#define PS_CARD_FAULT ps_card_fault_quark()
GQuark ps_card_fault_quark(void);

/* Executes the launch, and finds its time. *seconds, where that is not NULL, becomes the time; NaN:
 * not known. FALSE and *error: PS_ERROR_USAGE for a launch that cannot be (sizes, a missing
 * parameter), PS_ERROR_RESOURCES for more threads than the code allows, PS_CARD_FAULT, or an
 * instruction that the executor does not know. */
gboolean ps_card_launch(PsCard *card, const PsCardLaunch *launch, double *seconds, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsCard, ps_card_free)

#pragma GCC visibility pop
G_END_DECLS
#endif
