/* SPDX-License-Identifier: BSD-3-Clause */
/* See progress.h. */
#include "cli/system/progress.h"

#include "pipesim-private.h"
#include "cli/system/draft.h"
#include "cli/system/line.h"
#include "cli/system/terminal.h"

#include <string.h>
#include <unistd.h>

/* Microseconds: no progress is shown of shorter work; and between two lines. */
#define QUIET (G_USEC_PER_SEC)
#define PAUSE (G_USEC_PER_SEC / 10)

/* Columns that a shortened text keeps, at least. */
#define LEAST_TEXT 5

struct Progress {
    gint64 started;  /* on the monotonic clock */
    GThread *thread; /* NULL: nobody would see a line */
    GMutex mutex;    /* guards what follows */
    GCond changed;
    gboolean ended;
    char *what;     /* the present work */
    gint64 begun;   /* when the work began */
    gboolean heard; /* progress has been reported: */
    PsProgress last;
};

/* ---- the text ------------------------------------------------------------------------------ */

static char *format_wait(double microseconds)
{
    const gint64 seconds = (gint64)(microseconds / G_USEC_PER_SEC + 0.5);
    const int s = (int)(seconds % 60), min = (int)(seconds / 60 % 60);
    const gint64 h = seconds / 3600;
    if (h > 0)
        return g_strdup_printf("%" G_GINT64_FORMAT " h %d min", h, min);
    return min > 0 ? g_strdup_printf("%d min %d s", min, s) : g_strdup_printf("%d s", s);
}

static char *format_points(const char *what, const PsProgress *last)
{
    return g_strdup_printf("%s%" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " points (%.0f %%)",
                           what, last->done, last->of,
                           last->of ? 100.0 * (double)last->done / (double)last->of : 100);
}

/* The reported part of the line, without the remaining time; NULL: nothing is reported yet. */
static char *format_heard(const PsProgress *last)
{
    g_autofree char *done = ps_format_count((gint64)last->done),
                    *of = ps_format_count((gint64)last->of);
    switch (last->phase) {
    case PS_PHASE_RUN:
        return last->share > 0 ? g_strdup_printf("%.0f %% simulated", 100 * last->share) : NULL;
    case PS_PHASE_PLAN:
        return format_points("preparing ", last);
    case PS_PHASE_POINTS:
        return format_points("", last);
    case PS_PHASE_GROUP:
        return g_strdup_printf("executing a group: %s warp instructions, at most %s", done, of);
    case PS_PHASE_FILE:
        return g_strdup_printf("%.0f MB", (double)last->done / 1e6);
    case PS_PHASE_TOOL:
        break;
    }
    return NULL;
}

/* ", 12 s left", if the rest goes on like the part that is done; "" if that is unknown. */
static char *format_left(const PsProgress *last, gint64 now)
{
    if (!(last->share > 0 && last->share < 1))
        return g_strdup("");
    g_autofree char *left = format_wait((double)(now - last->since) * (1 / last->share - 1));
    return g_strdup_printf(", %s left", left);
}

/* The text in so many columns on one line; it is cut in its middle, since its end tells more. */
static char *fit(const char *text, const char *end, guint columns)
{
    const glong length = g_utf8_strlen(end, -1);
    const guint room = columns > (guint)length + LEAST_TEXT ? columns - (guint)length : LEAST_TEXT;
    g_autofree char *clean = ps_text_clean(text), *cut = ps_format_cut(clean, room);
    g_autofree char *whole = g_strconcat(cut, end, NULL);
    return g_utf8_substring(whole, 0, MIN(g_utf8_strlen(whole, -1), (glong)columns));
}

static char *format_line(const Progress *progress, gint64 now)
{
    const PsProgress *last = &progress->last;
    const guint columns = terminal_width_of(STDERR_FILENO) - 1;
    g_autofree char *heard = progress->heard ? format_heard(last) : NULL;
    g_autofree char *left = heard ? format_left(last, now) : NULL;
    g_autofree char *passed = format_wait((double)(now - progress->begun));
    g_autofree char *end = NULL;
    if (heard && last->phase != PS_PHASE_FILE)
        return fit(heard, left, columns);
    end = heard ? g_strdup_printf(": %s%s", heard, left) : g_strdup_printf(" for %s", passed);
    return fit(progress->what, end, columns);
}

/* ---- the thread ---------------------------------------------------------------------------- */

static gpointer draw(gpointer self)
{
    Progress *progress = self;
    gint64 next = progress->started + QUIET;
    g_mutex_lock(&progress->mutex);
    while (!progress->ended) {
        if (g_cond_wait_until(&progress->changed, &progress->mutex, next) || progress->ended)
            continue;
        const gint64 now = g_get_monotonic_time();
        g_autofree char *line = format_line(progress, now);
        line_draw(line);
        next = now + PAUSE;
    }
    g_mutex_unlock(&progress->mutex);
    return NULL;
}

/* Without a thread there is no line. Signals stay with the main thread. */
static void start(Progress *progress)
{
    sigset_t old;
    ps_tool_block_signals(&old);
    draft_catch_signals();
    progress->thread = g_thread_try_new("progress", draw, progress, NULL);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
}

Progress *progress_new(gboolean shows)
{
    Progress *progress = g_new0(Progress, 1);
    progress->started = g_get_monotonic_time();
    g_mutex_init(&progress->mutex);
    g_cond_init(&progress->changed);
    progress_begin(progress, NULL, NULL);
    if (shows && isatty(STDERR_FILENO))
        start(progress);
    return progress;
}

void progress_free(Progress *progress)
{
    if (!progress)
        return;
    g_mutex_lock(&progress->mutex);
    progress->ended = TRUE;
    g_cond_signal(&progress->changed);
    g_mutex_unlock(&progress->mutex);
    if (progress->thread)
        g_thread_join(progress->thread);
    line_wipe();
    g_mutex_clear(&progress->mutex);
    g_cond_clear(&progress->changed);
    g_free(progress->what);
    g_free(progress);
}

void progress_begin(Progress *progress, const char *what, const char *name)
{
    if (!progress)
        return;
    g_mutex_lock(&progress->mutex);
    g_free(progress->what);
    progress->what =
        name ? g_strdup_printf("%s %s", what, name) : g_strdup(what ? what : "working");
    progress->begun = g_get_monotonic_time();
    progress->heard = FALSE;
    g_mutex_unlock(&progress->mutex);
}

static gboolean hear(const PsProgress *heard, gpointer data)
{
    Progress *progress = data;
    g_mutex_lock(&progress->mutex);
    progress->heard = TRUE;
    progress->last = *heard;
    g_mutex_unlock(&progress->mutex);
    return TRUE;
}

PsHearer progress_hearer(Progress *progress)
{
    return (PsHearer){progress ? hear : NULL, progress};
}
