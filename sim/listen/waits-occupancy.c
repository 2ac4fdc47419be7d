/* SPDX-License-Identifier: BSD-3-Clause */
/* Resident groups over time, as steps: mostly a group that ends is replaced at once, so that they
 * are few. Skipped time is one step, which refers to the period before it. */
#include "sim/listen/waits-private.h"

/* Then each second one goes: what was between them counts with its mean. */
#define MAX_STEPS (1 << 18)

static PsWaitStep *step_at(const PsWaits *waits, guint i)
{
    return &g_array_index(waits->steps, PsWaitStep, i);
}

/* The integral of groups up to that time. */
static double area_until(const PsWaits *waits, gint64 time)
{
    guint low = 0, high = waits->steps->len;
    while (high - low > 1) {
        const guint middle = low + (high - low) / 2;
        if (step_at(waits, middle)->time <= time)
            low = middle;
        else
            high = middle;
    }
    const PsWaitStep *step = step_at(waits, low);
    const gint64 since = time - step->time;
    if (since <= 0)
        return step->area;
    if (step->period == 0)
        return step->area + step->groups * (double)since;
    const gint64 periods = since / step->period;
    const double before = area_until(waits, step->time - step->period);
    const double within = area_until(waits, step->time - step->period + since % step->period);
    return step->area + (double)periods * (step->area - before) + within - before;
}

static void thin_out(PsWaits *waits)
{
    guint kept = 1;
    for (guint i = 1; i < waits->steps->len; i++) {
        PsWaitStep *last = step_at(waits, kept - 1);
        const PsWaitStep step = *step_at(waits, i);
        const PsWaitStep *next = i + 1 < waits->steps->len ? step_at(waits, i + 1) : NULL;
        if (i % 2 == 1 && next && step.period == 0 && last->period == 0)
            last->groups = (next->area - last->area) / (double)(next->time - last->time);
        else
            *step_at(waits, kept++) = step;
    }
    g_array_set_size(waits->steps, kept);
}

static void add_step(PsWaits *waits, PsWaitStep step)
{
    const guint n = waits->steps->len;
    PsWaitStep *last = n > 0 ? step_at(waits, n - 1) : NULL;
    step.area = n > 0 ? area_until(waits, step.time) : 0;
    if (last && last->time == step.time && last->period == 0) {
        *last = step;
        /* A group that was replaced changes nothing. */
        if (n > 1 && step.period == 0 && step_at(waits, n - 2)->period == 0 &&
            step_at(waits, n - 2)->groups == step.groups)
            g_array_set_size(waits->steps, n - 1);
        return;
    }
    g_array_append_val(waits->steps, step);
    if (waits->steps->len >= MAX_STEPS)
        thin_out(waits);
}

void ps_waits_step(PsWaits *waits, gint64 time, int change)
{
    waits->resident += change;
    add_step(waits, (PsWaitStep){.time = time, .groups = (double)waits->resident});
}

void ps_waits_step_over(PsWaits *waits, const PsSkip *skip)
{
    add_step(waits, (PsWaitStep){.time = skip->from, .period = skip->period});
    add_step(waits, (PsWaitStep){.time = skip->to, .groups = (double)waits->resident});
}

void ps_waits_occupancy(const PsWaits *waits, gint64 ticks, guint n, double *warps)
{
    for (guint i = 0; i < n; i++) {
        /* Parts of less than a tick are what that tick is. */
        const gint64 from = (gint64)((double)ticks * i / n);
        const gint64 to = MAX(i + 1 == n ? ticks : (gint64)((double)ticks * (i + 1) / n), from + 1);
        const double area =
            waits->steps->len > 0 ? area_until(waits, to) - area_until(waits, from) : 0;
        warps[i] = area * waits->n_warps / (double)(to - from);
    }
}

gint64 ps_waits_tail(const PsWaits *waits, gint64 ticks)
{
    return ticks - MIN(waits->full, ticks);
}
