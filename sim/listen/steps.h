/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A function of time that is constant from step to step: resident groups, or whether a pipeline is
 * busy. Skipped time is one step, which refers to the period before it. Times are the run's, in
 * ticks, and steps come in their order. Internal to sim/.
 */
#ifndef PIPESIM_SIM_LISTEN_STEPS_H
#define PIPESIM_SIM_LISTEN_STEPS_H

#include "sim/sim.h"

typedef struct {
    gint64 time;
    gint64 period; /* 0: it has the value until the next step */
    double value;
    double area; /* the integral until this time */
} PsStep;

/* Adds a step (PsStep) to an array that g_array_unref frees: from that time on the function has the
 * value. */
void ps_steps_add(GArray *steps, gint64 time, double value);

/* The function is 1 from one time to another, not before any step so far, and then 0. */
void ps_steps_pulse(GArray *steps, gint64 from, gint64 to);

/* Skipped time repeats the period before it. Steps of later times go; what comes after it is to be
 * added. */
void ps_steps_repeat(GArray *steps, const PsSkip *skip);

/* The integral from one time to another. */
double ps_steps_area(const GArray *steps, gint64 from, gint64 to);

/* The value at a time that was not skipped; *until is when it may be another. */
double ps_steps_value(const GArray *steps, gint64 time, gint64 *until);

#endif
