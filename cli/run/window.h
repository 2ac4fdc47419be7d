/* SPDX-License-Identifier: BSD-3-Clause */
/* A part of a run as options give it: FROM..TO in cycles, each of which may be left out. */
#ifndef PIPESIM_CLI_RUN_WINDOW_H
#define PIPESIM_CLI_RUN_WINDOW_H

#include "pipesim-private.h"

/* The text of that option; NULL or empty: no window is given. FALSE and *error for anything else
 * that is no window, such as one that ends before it begins. */
gboolean window_parse(const char *option, const char *text, PsWindow *window, GError **error);

#endif
