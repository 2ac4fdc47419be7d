/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Device memory: the busier it is, the longer loads wait (docs/reference/model.md, R7). Internal to
 * sim/.
 */
#ifndef PIPESIM_SIM_ENGINE_DEVICE_H
#define PIPESIM_SIM_ENGINE_DEVICE_H

#include <glib.h>

__extension__ typedef __int128 PsDeviceWide;

/* Steps of the wait at a busy memory. With so few, loads that ask soon after each other wait for
 * the same time, and states recur unless the wait goes to and fro between two steps. */
#define PS_DEVICE_STEPS 32

/* The work that memory still has before it after some ticks. With a window of it or more memory is
 * always busy; with less, it is idle for a share that grows to 1, squared. */
static inline gint64 ps_device_left(gint64 work, gint64 ticks, gint64 window)
{
    const gint64 busy = CLAMP(work - window, 0, ticks);
    work -= busy;
    ticks -= busy;
    if (ticks == 0 || work == 0)
        return work;
    const PsDeviceWide done = (PsDeviceWide)ticks * (2 * window - work) / window;
    return (gint64)((PsDeviceWide)work * window / (window + done));
}

/* The time that a load waits for that work; a posted access waits for work beyond the window
 * alone. */
static inline gint64 ps_device_wait(gint64 work, gint64 queue, gint64 window, gboolean posted)
{
    const gint64 steps = MIN(work, window) * PS_DEVICE_STEPS / window;
    return MAX(work - window, 0) + (posted ? 0 : queue * steps / PS_DEVICE_STEPS);
}

#endif
