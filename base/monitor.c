/* SPDX-License-Identifier: BSD-3-Clause */
/* See monitor.h. */
#include "base/monitor.h"

struct PsMonitor {
    gint cancelled; /* atomic, since a handler of a signal can take no lock */
    GMutex lock;    /* guards the other members */
    gboolean told;
    PsProgress last;
};

PsMonitor *ps_monitor_new(void)
{
    PsMonitor *monitor = g_new0(PsMonitor, 1);
    g_mutex_init(&monitor->lock);
    return monitor;
}

void ps_monitor_free(PsMonitor *monitor)
{
    if (!monitor)
        return;
    g_mutex_clear(&monitor->lock);
    g_free(monitor);
}

static gboolean hear(const PsProgress *progress, gpointer data)
{
    PsMonitor *monitor = data;
    g_mutex_lock(&monitor->lock);
    monitor->last = *progress;
    monitor->told = TRUE;
    g_mutex_unlock(&monitor->lock);
    return !g_atomic_int_get(&monitor->cancelled);
}

PsHearer ps_monitor_hearer(PsMonitor *monitor)
{
    return (PsHearer){hear, monitor};
}

void ps_monitor_cancel(PsMonitor *monitor)
{
    g_atomic_int_set(&monitor->cancelled, TRUE);
}

gboolean ps_monitor_progress(PsMonitor *monitor, PsProgress *progress)
{
    g_mutex_lock(&monitor->lock);
    const gboolean told = monitor->told;
    if (told)
        *progress = monitor->last;
    g_mutex_unlock(&monitor->lock);
    return told;
}
