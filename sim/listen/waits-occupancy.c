/* SPDX-License-Identifier: BSD-3-Clause */
/* Resident groups over time, as steps: mostly an ended group is replaced at once, so steps are
 * few. */
#include "sim/listen/waits-private.h"

void ps_waits_step(PsWaits *waits, gint64 time, int change)
{
    waits->resident += change;
    ps_steps_add(waits->steps, time, (double)waits->resident);
}

void ps_waits_step_over(PsWaits *waits, const PsSkip *skip)
{
    ps_steps_repeat(waits->steps, skip);
    ps_steps_add(waits->steps, skip->to, (double)waits->resident);
}

void ps_waits_occupancy(const PsWaits *waits, gint64 ticks, guint n, double *warps)
{
    for (guint i = 0; i < n; i++) {
        /* A share of less than a tick has the value of that tick. */
        const gint64 from = (gint64)((double)ticks * i / n);
        const gint64 to = MAX(i + 1 == n ? ticks : (gint64)((double)ticks * (i + 1) / n), from + 1);
        warps[i] = ps_steps_area(waits->steps, from, to) * waits->n_warps / (double)(to - from);
    }
}

gint64 ps_waits_tail(const PsWaits *waits, gint64 ticks)
{
    return ticks - MIN(waits->full, ticks);
}
