/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Launches that repeat an earlier one. A kernel's work follows from its arguments and from the
 * memory that it touches. Where both are as before an earlier launch, its results are that
 * launch's, and no group needs to be executed: programs that measure themselves launch one kernel
 * hundreds of times.
 */
#ifndef PIPESIM_CARD_REPEAT_H
#define PIPESIM_CARD_REPEAT_H

#include "card/launch.h"

G_BEGIN_DECLS

/* Room for the results of all kernels' launches: so many bytes, or as many as the program's memory
 * has. Records are freed before it. */
PsCardResults *ps_card_results_new(gsize room);
void ps_card_results_free(PsCardResults *results);

/* The record of one kernel's launches. The card outlives it. */
PsCardRepeats *ps_card_repeats_new(PsCard *card);
void ps_card_repeats_free(PsCardRepeats *repeats);

/* Writes the results of an earlier launch to memory, and gives the run that launch's work. FALSE:
 * no known launch began like this one, and memory is as it was. TRUE and *error: some results could
 * not be written. */
gboolean ps_card_repeat(PsCardRun *run, GBytes *call, GError **error);

/* Begins to note the memory that a launch touches, for the snapshot. NULL: there is no need, since
 * this is the first such call, or since this kernel's launches do not repeat. */
PsCardRecord *ps_card_record_new(const PsCardRun *run, GBytes *call);
void ps_card_record_touched(gpointer record, const PsCardPiece *piece, gsize block);

/* Keeps the record of a launch that has ended, or frees it where that did not go well. */
void ps_card_record_end(PsCardRecord *record, const PsCardRun *run, gboolean good);

G_END_DECLS
#endif
