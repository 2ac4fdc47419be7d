/* SPDX-License-Identifier: BSD-3-Clause */
/* See progress.h. */
#include "cli/progress.h"

#include <stdio.h>
#include <unistd.h>

#define QUIET (G_USEC_PER_SEC)
#define PAUSE (G_USEC_PER_SEC / 10)

void progress_begin(Progress *progress, guint total)
{
    *progress = (Progress){.started = g_get_monotonic_time(), .total = total};
    progress->terminal = isatty(STDERR_FILENO);
}

void progress_say(Progress *progress, guint done)
{
    if (!progress->terminal)
        return;
    const gint64 now = g_get_monotonic_time();
    /* A line that was wiped comes back at once: the next call may be long in coming. */
    if (now - progress->started < QUIET || (progress->visible && now - progress->said < PAUSE))
        return;
    fprintf(stderr, "\r%u of %u points (%.0f %%)", done, progress->total,
            100.0 * done / progress->total);
    fflush(stderr);
    progress->said = now;
    progress->visible = TRUE;
}

void progress_wipe(Progress *progress)
{
    if (!progress->visible)
        return;
    fputs("\r\033[K", stderr);
    progress->visible = FALSE;
}
