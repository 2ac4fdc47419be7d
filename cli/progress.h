/* SPDX-License-Identifier: BSD-3-Clause */
/* How far a long piece of work is, on standard error: only on a terminal, only after a second. */
#ifndef PIPESIM_CLI_PROGRESS_H
#define PIPESIM_CLI_PROGRESS_H

#include <glib.h>

typedef struct {
    gint64 started, said; /* microseconds of the monotonic clock */
    gboolean terminal, visible;
    guint total;
} Progress;

void progress_begin(Progress *progress, guint total);

/* So many are done. */
void progress_say(Progress *progress, guint done);

/* Wipes the line, for other output or for good. */
void progress_wipe(Progress *progress);

#endif
