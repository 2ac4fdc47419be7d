/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How far a long piece of work is, and how long it will still take, on standard error: only on a
 * terminal, only after a second.
 */
#ifndef PIPESIM_CLI_SYSTEM_PROGRESS_H
#define PIPESIM_CLI_SYSTEM_PROGRESS_H

#include "pipesim.h"

/* Microseconds between two looks at the clock while something is under way. */
#define PROGRESS_LOOK (G_USEC_PER_SEC / 4)

typedef struct {
    gint64 started, said; /* microseconds of the monotonic clock */
    gboolean terminal, visible;
    guint total, before;
} Progress;

/* So many points in all (for progress_say); `before` of them were done at an earlier time, and took
 * none. */
void progress_begin(Progress *progress, guint total, guint before);

/* So many are done, those before included. */
void progress_say(Progress *progress, guint done);

/* The share of a run that is done since then; 0: it is not known. */
void progress_say_share(Progress *progress, double share, gint64 since);

/* What the library says of its work (PsProgressFunc); data is the Progress. */
void progress_hear(const PsProgress *progress, gpointer data);

/* That text, which says it all. */
void progress_say_text(Progress *progress, const char *text);

/* Wipes the line, for other output or for good. */
void progress_wipe(Progress *progress);

/* "12 s", "3 min 20 s", "2 h 5 min" (g_free). */
char *progress_format_time(gint64 seconds);

#endif
