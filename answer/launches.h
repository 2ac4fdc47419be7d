/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The time of many launches together, one after the other. The time between two launches is not
 * known, and not counted.
 */
#ifndef PIPESIM_ANSWER_LAUNCHES_H
#define PIPESIM_ANSWER_LAUNCHES_H

#include <glib.h>

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* Launches that are alike, or all of them. Half-widths are those of 95 % intervals, 0: exact. */
typedef struct {
    gint64 count;
    double seconds, half_width;     /* of one launch, seconds; as a mean of all */
    double total, total_half_width; /* of all, seconds */
    double share;                   /* of the time of all launches; NaN if that is 0 */
} PsLaunchTime;

/* Finds what follows from count, seconds and half_width of n kinds of launches, and returns the
 * sum. Its half-width is the sum of theirs: errors may all be to one side. */
PsLaunchTime ps_launch_times_add_up(PsLaunchTime *times, guint n);

#pragma GCC visibility pop
G_END_DECLS
#endif
