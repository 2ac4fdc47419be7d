/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Launches of a recording on a GPU, perhaps another one than the program ran on. A launch finds its
 * memory at the recorded addresses, with the recorded content; it is an error to access more.
 * Groups are executed as far as the graph needs them, and all of them only where some wait for
 * others.
 */
#ifndef PIPESIM_CARD_REPLAY_H
#define PIPESIM_CARD_REPLAY_H

#include "card/log.h"
#include "card/recording.h"
#include "gpu/gpu.h"
#include "idg/load.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

typedef struct PsCardReplay PsCardReplay;
typedef struct PsSassCode PsSassCode; /* sass/sass.h */

/* On that GPU; both are borrowed. graphs: those of launches are wanted in the log, too. */
PsCardReplay *ps_card_replay_new(const PsCardRecording *recording, const PsGpu *gpu,
                                 gboolean graphs);
void ps_card_replay_free(PsCardReplay *replay);

/* The graph of launch n, from 1 (ps_idg_free). *machine, where that is not NULL, becomes the
 * machine code that it is of, if any (ps_sass_code_free). notes get what a person should know (char
 * *; the array's own). NULL and *error: PS_ERROR_VALUE where nothing in the code suits the GPU, or
 * the launch accesses what was not recorded; PS_ERROR_SYNTAX where the file was changed. */
PsIdg *ps_card_replay_graph(PsCardReplay *replay, guint n, PsSassCode **machine, GPtrArray *notes,
                            GError **error);

/* All launches, one after the other in their streams, as the log of a program has them: those that
 * did the same when they were recorded are simulated once. The recording has no copies. NULL and
 * *error. */
PsCardRead *ps_card_replay_all(PsCardReplay *replay, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsCardReplay, ps_card_replay_free)

#pragma GCC visibility pop
G_END_DECLS
#endif
