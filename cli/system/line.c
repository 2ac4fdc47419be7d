/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See line.h. As with drafts (draft.c), a handler sees only global data. It needs numbers that are
 * set atomically, so that it never waits for the mutex. A thread that is about to draw (`drawing`)
 * either sees that the end has come, or the handler waits for it.
 */
#include "cli/system/line.h"

#include <poll.h>
#include <string.h>
#include <unistd.h>

/* Erases to the end of the line. The cursor stays at the begin, where another program's output
 * should start. */
#define WIPE "\033[K"

static GMutex mutex;         /* guards output to the terminal */
static gboolean is_broken;   /* other output has interrupted the line */
static gint stands, drawing; /* atomic, like the next */
static gint ended;

/* TRUE if it accepts output at once; a terminal may be stopped (Ctrl-S). */
static gboolean takes_output(void)
{
    struct pollfd end = {STDERR_FILENO, POLLOUT, 0};
    return poll(&end, 1, 0) == 1 && (end.revents & POLLOUT);
}

static void put(const char *text)
{
    (void)!write(STDERR_FILENO, text, strlen(text));
}

static void wipe(void)
{
    if (g_atomic_int_compare_and_exchange(&stands, 1, 0))
        put(WIPE);
}

void line_draw(const char *text)
{
    g_autofree char *line = g_strconcat(text, WIPE, "\r", NULL);
    g_mutex_lock(&mutex);
    g_atomic_int_set(&drawing, 1);
    if (!is_broken && !g_atomic_int_get(&ended) && takes_output()) {
        g_atomic_int_set(&stands, 1);
        put(line);
    }
    g_atomic_int_set(&drawing, 0);
    g_mutex_unlock(&mutex);
}

void line_wipe(void)
{
    line_lift();
    g_mutex_unlock(&mutex);
}

void line_lift(void)
{
    g_mutex_lock(&mutex);
    wipe();
}

void line_lower(gboolean whole)
{
    is_broken = !whole;
    g_mutex_unlock(&mutex);
}

void line_end(void)
{
    g_atomic_int_set(&ended, 1);
    while (g_atomic_int_get(&drawing))
        continue;
    if (takes_output())
        wipe();
}
