/* SPDX-License-Identifier: BSD-3-Clause */
/* See clock.h. */
#include "tests/help/clock.h"

#include <time.h>

static GMutex mutex;
static gint64 stopped_at;   /* 0: it goes */
static const GThread *here; /* looks of other threads take time; NULL: nobody's do */

static gint64 real_time(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (gint64)now.tv_sec * G_USEC_PER_SEC + now.tv_nsec / 1000;
}

gint64 g_get_monotonic_time(void)
{
    g_mutex_lock(&mutex);
    const gint64 now = stopped_at ? stopped_at : real_time();
    if (stopped_at && here && g_thread_self() != here)
        stopped_at++;
    g_mutex_unlock(&mutex);
    return now;
}

void clock_set(gint64 now)
{
    g_mutex_lock(&mutex);
    stopped_at = now;
    g_mutex_unlock(&mutex);
}

gint64 clock_stop(void)
{
    const gint64 now = real_time() + G_TIME_SPAN_HOUR;
    here = NULL;
    clock_set(now);
    return now;
}

gint64 clock_stop_but_for_looks(void)
{
    const gint64 now = clock_stop();
    here = g_thread_self();
    return now;
}

void clock_go(void)
{
    here = NULL;
    clock_set(0);
}
