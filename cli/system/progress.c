/* SPDX-License-Identifier: BSD-3-Clause */
/* See progress.h. */
#include "cli/system/progress.h"

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

static gboolean is_due(const Progress *progress, gint64 now)
{
    /* A line that was wiped comes back at once: the next call may be long in coming. */
    return progress->terminal && now - progress->started >= QUIET &&
           (!progress->visible || now - progress->said >= PAUSE);
}

/* Says the text and, as long as the rest goes on like the share that is done since then, how long
 * it takes. */
static void put(Progress *progress, const char *text, double share, gint64 since, gint64 now)
{
    g_autofree char *left =
        share > 0 ? progress_format_time(
                        (gint64)((double)(now - since) * (1 / share - 1) / G_USEC_PER_SEC + 0.5))
                  : NULL;
    /* The line before may have been longer. */
    fprintf(stderr, "\r%s%s%s%s\033[K", text, left ? ", " : "", left ? left : "",
            left ? " left" : "");
    fflush(stderr);
    progress->said = now;
    progress->visible = TRUE;
}

void progress_say(Progress *progress, guint done)
{
    const gint64 now = g_get_monotonic_time();
    if (!is_due(progress, now))
        return;
    g_autofree char *text = g_strdup_printf("%u of %u points (%.0f %%)", done, progress->total,
                                            100.0 * done / progress->total);
    const double share = done > progress->before ? (double)(done - progress->before) /
                                                       (progress->total - progress->before)
                                                 : 0;
    put(progress, text, share, progress->started, now);
}

void progress_say_share(Progress *progress, double share, gint64 since)
{
    const gint64 now = g_get_monotonic_time();
    if (!is_due(progress, now))
        return;
    g_autofree char *passed = progress_format_time((now - progress->started) / G_USEC_PER_SEC);
    g_autofree char *text = share > 0 ? g_strdup_printf("%.0f %% simulated", 100 * share)
                                      : g_strdup_printf("simulating for %s", passed);
    put(progress, text, share, since, now);
}

void progress_hear(const PsProgress *heard, gpointer data)
{
    Progress *progress = data;
    progress->total = heard->of;
    if (heard->of)
        progress_say(progress, heard->done);
    else
        progress_say_share(progress, heard->share, heard->since);
}

void progress_say_text(Progress *progress, const char *text)
{
    const gint64 now = g_get_monotonic_time();
    if (is_due(progress, now))
        put(progress, text, 0, 0, now);
}

void progress_wipe(Progress *progress)
{
    if (!progress->visible)
        return;
    fputs("\r\033[K", stderr);
    progress->visible = FALSE;
}
