/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares a recording from a device with a description: each launch's predicted time beside its
 * measured one. */
#ifndef PIPESIM_CARD_HELD_H
#define PIPESIM_CARD_HELD_H

#include "card/log.h"
#include "card/recording.h"
#include "gpu/gpu.h"
#include "tell/facts.h"
#include "tell/paper.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

typedef struct {
    GArray *launches;   /* PsCardHeldLaunch */
    GPtrArray *notes;   /* char * */
    GPtrArray *other;   /* char *, also among the notes: a device is not the description's */
    GPtrArray *devices; /* const char *, each name once */
} PsCardHeld;

/* Texts are the recording's, or static. */
typedef struct {
    PsCardRecordedLaunch launch;
    double predicted, error;  /* seconds, a share; NaN: not known */
    const char *limit, *code; /* or NULL */
} PsCardHeldLaunch;

/* Simulates all launches on that GPU. The recording outlives the result. NULL and *error as
 * ps_card_replay_all; PS_ERROR_VALUE where no launch has both times. */
PsCardHeld *ps_card_held_new(const PsCardRecording *recording, const PsGpu *gpu, GError **error);
void ps_card_held_free(PsCardHeld *held);

/* The document `recording_validated` of tell/facts.table (ps_told_free). */
PsTold *ps_card_held_told(const PsCardHeld *held, const char *recording, const PsGpu *gpu);

/* The same for people, from those facts. */
void ps_card_held_put(const PsCardHeld *held, const char *recording, const PsGpu *gpu,
                      const PsTold *facts, const PsPaper *paper);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsCardHeld, ps_card_held_free)

#pragma GCC visibility pop
G_END_DECLS
#endif
