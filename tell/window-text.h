/* SPDX-License-Identifier: BSD-3-Clause */
/* A window of a run (answer/window.h) in words. */
#ifndef PIPESIM_TELL_WINDOW_TEXT_H
#define PIPESIM_TELL_WINDOW_TEXT_H

#include "answer/window.h"

G_BEGIN_DECLS

/* The window in ticks of the answer's run, clipped to it. FALSE and *error where it lies outside.
 */
gboolean ps_window_place(const PsWindow *window, const PsAnswer *answer, gint64 *from, gint64 *to,
                         GError **error);

/* Ticks of the answer's run, in cycles (g_free). */
char *ps_window_cycles(const PsAnswer *answer, gint64 ticks);

G_END_DECLS
#endif
