/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/listen/steps.h"

/* At this number every second step of the older half goes, and the mean stands for the time between
 * the rest. */
#define MAX_STEPS (1 << 16)

static inline PsStep *step_at(const GArray *steps, guint i)
{
    return &g_array_index(steps, PsStep, i);
}

/* The last step at or before that time, or the first step. Callers mostly ask for times near the
 * end. */
static guint step_before(const GArray *steps, gint64 time)
{
    guint high = steps->len, back = 1;
    while (back < high && step_at(steps, high - back)->time > time) {
        high -= back;
        back *= 2;
    }
    guint low = back < high ? high - back : 0;
    while (high - low > 1) {
        const guint middle = low + (high - low) / 2;
        if (step_at(steps, middle)->time <= time)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static double area_until(const GArray *steps, gint64 time)
{
    const PsStep *last = step_at(steps, steps->len - 1);
    const PsStep *step =
        G_LIKELY(last->time <= time) ? last : step_at(steps, step_before(steps, time));
    const gint64 since = time - step->time;
    if (since <= 0)
        return step->area;
    if (step->period == 0)
        return step->area + step->value * (double)since;
    const gint64 periods = since / step->period;
    const double before = area_until(steps, step->time - step->period);
    const double within = area_until(steps, step->time - step->period + since % step->period);
    return step->area + (double)periods * (step->area - before) + within - before;
}

static void thin_out(GArray *steps)
{
    const guint older = steps->len / 2;
    guint kept = 1;
    for (guint i = 1; i < older; i++) {
        PsStep *last = step_at(steps, kept - 1);
        const PsStep step = *step_at(steps, i), *next = step_at(steps, i + 1);
        if (i % 2 == 1 && step.period == 0 && last->period == 0)
            last->value = (next->area - last->area) / (double)(next->time - last->time);
        else
            *step_at(steps, kept++) = step;
    }
    g_array_remove_range(steps, kept, older - kept);
}

static void add(GArray *steps, PsStep step)
{
    step.area = steps->len > 0 ? area_until(steps, step.time) : 0;
    if (steps->len > 0 && step_at(steps, steps->len - 1)->time == step.time &&
        step_at(steps, steps->len - 1)->period == 0)
        g_array_set_size(steps, steps->len - 1);
    const PsStep *last = steps->len > 0 ? step_at(steps, steps->len - 1) : NULL;
    if (last && step.period == 0 && last->period == 0 && last->value == step.value)
        return;
    g_array_append_val(steps, step);
    if (steps->len >= MAX_STEPS)
        thin_out(steps);
}

void ps_steps_add(GArray *steps, gint64 time, double value)
{
    add(steps, (PsStep){.time = time, .value = value});
}

void ps_steps_pulse(GArray *steps, gint64 from, gint64 to)
{
    PsStep *last = steps->len > 1 ? step_at(steps, steps->len - 1) : NULL;
    if (last && last->time == from && last->period == 0 && last[-1].value == 1) {
        last->time = to;
        last->area += (double)(to - from);
        return;
    }
    ps_steps_add(steps, from, 1);
    ps_steps_add(steps, to, 0);
}

void ps_steps_repeat(GArray *steps, const PsSkip *skip)
{
    while (steps->len > 0 && step_at(steps, steps->len - 1)->time > skip->from)
        g_array_set_size(steps, steps->len - 1);
    add(steps, (PsStep){.time = skip->from, .period = skip->period});
}

double ps_steps_area(const GArray *steps, gint64 from, gint64 to)
{
    return steps->len > 0 ? area_until(steps, to) - area_until(steps, from) : 0;
}

double ps_steps_value(const GArray *steps, gint64 time, gint64 *until)
{
    *until = G_MAXINT64;
    if (steps->len == 0)
        return 0;
    const guint i = step_before(steps, time);
    const PsStep *step = step_at(steps, i);
    if (step->time > time)
        *until = step->time;
    else if (i + 1 < steps->len)
        *until = step[1].time;
    return step->time > time ? 0 : step->value;
}
