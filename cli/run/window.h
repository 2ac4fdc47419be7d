/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A part of a run: FROM..TO in cycles, each of which may be left out. Of a run in which time is
 * skipped, a window is simulated whole where that takes no more than some millions of instructions.
 */
#ifndef PIPESIM_CLI_RUN_WINDOW_H
#define PIPESIM_CLI_RUN_WINDOW_H

#include "pipesim.h"

typedef struct {
    gboolean given;
    PsRational from, to; /* cycles; to is -1: the end of the run */
} Window;

/* The text of that option; NULL or empty: no window is given. FALSE and *error for anything else
 * that is no window, such as one that ends before it begins. */
gboolean window_parse(const char *option, const char *text, Window *window, GError **error);

/* The window in ticks of the answer's run, clipped to it. FALSE and *error where it lies outside.
 */
gboolean window_ticks(const Window *window, const char *option, const PsAnswer *answer,
                      gint64 *from, gint64 *to, GError **error);

/* A time in cycles (g_free). */
char *window_cycles(const PsAnswer *answer, gint64 ticks);

/* Makes the options simulate all of the window, if that is not too much. */
void window_make_whole(const PsAnswer *answer, gint64 from, gint64 to, PsSimOptions *options);

#endif
