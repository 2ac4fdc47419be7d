/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Records launches to a file while the program runs: code, arguments, and the previous content of
 * each block of memory that they access, each content once (chunk.h). A program that dies leaves
 * all launches up to then.
 */
#ifndef PIPESIM_CARD_RECORDER_H
#define PIPESIM_CARD_RECORDER_H

#include "card/launch.h"

G_BEGIN_DECLS

/* Writes to that descriptor, which stays the caller's; the log (NULL: none) hears of what is not
 * recorded. */
PsCardRecorder *ps_card_recorder_new(int file, PsCardLog *log);
void ps_card_recorder_free(PsCardRecorder *recorder);

/* Keeps what the image of a new module has, where there is a recorder. */
void ps_card_recorder_look(PsCardModule *module, gconstpointer image);

/* Begins with a launch that is to be executed, and gives it a number. NULL: nobody records, or the
 * module's code is not recorded. */
PsCardRecorded *ps_card_recorded_new(PsCardRun *run);
void ps_card_recorded_touched(PsCardRecorded *recorded, const PsCardPiece *piece, gsize block);

/* Writes the launch and frees its record; `good`: the launch ended well. NULL is fine. */
void ps_card_recorded_end(PsCardRecorded *recorded, gboolean good);

/* Writes that a launch is the one that has the run's number. */
void ps_card_recorder_same(const PsCardRun *run);

G_END_DECLS
#endif
