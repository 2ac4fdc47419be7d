/* SPDX-License-Identifier: BSD-3-Clause */
/* A part of a run as options give it: FROM..TO in cycles, each of which may be left out. */
#ifndef PIPESIM_CLI_RUN_WINDOW_H
#define PIPESIM_CLI_RUN_WINDOW_H

#include "pipesim-private.h"

/* The text of that option; NULL or empty: no window is given. FALSE and *error for anything else
 * that is no window, such as one that ends before it begins. */
gboolean window_parse(const char *option, const char *text, PsWindow *window, GError **error);

/* The window in ticks of the answer's run, clipped to it. FALSE and *error where it lies outside.
 */
gboolean window_ticks(const PsWindow *window, const char *option, const PsAnswer *answer,
                      gint64 *from, gint64 *to, GError **error);

/* A time in cycles (g_free). */
char *window_cycles(const PsAnswer *answer, gint64 ticks);

#endif
