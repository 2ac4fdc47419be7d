/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A part of a run, in cycles. Of a run in which time is skipped, a window is simulated whole where
 * that takes no more than some millions of instructions.
 */
#ifndef PIPESIM_ANSWER_WINDOW_H
#define PIPESIM_ANSWER_WINDOW_H

#include "answer/answer.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* A part of a run's time, as it was asked for. */
typedef struct {
    gboolean given;
    PsRational from, to; /* cycles; to is -1: the end of the run */
} PsWindow;

/* The window in ticks of the answer's run, clipped to it. FALSE where it lies outside. */
gboolean ps_window_ticks(const PsWindow *window, const PsAnswer *answer, gint64 *from, gint64 *to);

/* Makes the options simulate all of the window, if that is not too much. */
void ps_window_make_whole(const PsAnswer *answer, gint64 from, gint64 to, PsSimOptions *options);

#pragma GCC visibility pop
G_END_DECLS
#endif
