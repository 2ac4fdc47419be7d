/* SPDX-License-Identifier: BSD-3-Clause */
/* See progress.h. */
#include "cli/progress.h"

#include <stdio.h>
#include <unistd.h>

#define QUIET (G_USEC_PER_SEC)
#define PAUSE (G_USEC_PER_SEC / 10)

void progress_begin(Progress *progress, guint total, guint before)
{
    *progress = (Progress){.started = g_get_monotonic_time(), .total = total, .before = before};
    progress->terminal = isatty(STDERR_FILENO);
}

char *progress_format_time(gint64 seconds)
{
    const int s = (int)(seconds % 60), min = (int)(seconds / 60 % 60);
    const gint64 h = seconds / 3600;
    if (h > 0)
        return g_strdup_printf("%" G_GINT64_FORMAT " h %d min", h, min);
    return min > 0 ? g_strdup_printf("%d min %d s", min, s) : g_strdup_printf("%d s", s);
}

/* As long as each of those that are left takes as long as those that were done (g_free). */
static char *time_left(const Progress *progress, guint done, gint64 now)
{
    if (done <= progress->before)
        return g_strdup("");
    const double each = (double)(now - progress->started) / (done - progress->before);
    g_autofree char *time =
        progress_format_time((gint64)(each * (progress->total - done) / G_USEC_PER_SEC + 0.5));
    return g_strdup_printf(", %s left", time);
}

void progress_say(Progress *progress, guint done)
{
    if (!progress->terminal)
        return;
    const gint64 now = g_get_monotonic_time();
    /* A line that was wiped comes back at once: the next call may be long in coming. */
    if (now - progress->started < QUIET || (progress->visible && now - progress->said < PAUSE))
        return;
    g_autofree char *left = time_left(progress, done, now);
    /* The line before may have been longer. */
    fprintf(stderr, "\r%u of %u points (%.0f %%)%s\033[K", done, progress->total,
            100.0 * done / progress->total, left);
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
