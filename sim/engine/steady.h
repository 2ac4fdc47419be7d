/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Decides whether a series of samples is steady, and how sure its rate is. A sample has the time
 * that some work took; the series tells the time of work that is to come
 * (docs/evidence/intervals.md has the statistics):
 *
 * - Warm-up is left out: samples count from a start that moves. When their number n is a power of
 *   two, the start becomes the sample n/2, so at least the first quarter never counts.
 * - Samples are averaged in batches, large enough that the means of neighbours do not correlate;
 *   there are 8 at least then. While there is no such size, or the means have a trend, the series
 *   is not steady. Of all larger sizes, down to 4 batches, the widest interval counts.
 * - The time that further work takes is then that of the work measured, in proportion, and its 95 %
 *   interval that of a sum of so many more of such batches (Student's t).
 * - Batches do not show a rate that still changes, or work that gets ahead of its own completion.
 *   Both are reported apart, since they err to one side.
 *
 * The series has a fixed size: when it is full, neighbours become one sample. Internal to sim/.
 */
#ifndef PIPESIM_SIM_ENGINE_STEADY_H
#define PIPESIM_SIM_ENGINE_STEADY_H

#include <glib.h>

/* Most samples, a power of two. */
#define PS_STEADY_SAMPLES 512

/* The end of a sample. */
typedef struct {
    gint64 time;    /* ticks, with all that was skipped */
    gint64 work;    /* instructions up to there */
    gint64 lead;    /* instructions done for unfinished work, plus a constant */
    gint64 backlog; /* ticks that servers are behind */
} PsSteadyPoint;

typedef struct {
    gint64 unit;    /* events in a sample, at first the least that makes one */
    gint64 pending; /* events since the last point */
    guint first;    /* the first start, a power of two */
    guint n;        /* points but for the one at 0 */
    guint start;    /* samples count from this point on; 0: from none yet */
    guint next;     /* the next start */
    PsSteadyPoint points[PS_STEADY_SAMPLES + 1];
} PsSteady;

/* Begins the series anew at this point. */
void ps_steady_begin(PsSteady *steady, gint64 unit, guint first, const PsSteadyPoint *point);

/* Adds so many events. TRUE if they complete a sample, which the caller then adds. */
gboolean ps_steady_wants(PsSteady *steady, gint64 events);

/* Adds a sample that ends there. TRUE if the point is the next start; the former next start is the
 * start now. */
gboolean ps_steady_add(PsSteady *steady, const PsSteadyPoint *point);

/* The measurements since the start. */
typedef struct {
    double time, work;
    double half_width; /* ticks: 95 % interval of what so much more work takes */
    double lead;       /* instructions: uncertainty (95 %) of what is done of the unfinished */
    double backlog;    /* ticks by which it grew */
    double change;     /* ticks: so much longer or shorter at the rate before the start */
    double ahead;      /* instructions by which the lead grew or shrank */
} PsSteadyRate;

/* FALSE if it is not steady, or with `hurried` if there are less than two samples. */
gboolean ps_steady_rate(const PsSteady *steady, double more_work, gboolean hurried,
                        PsSteadyRate *rate);

/* Half of the 95 % interval of the time of some work, in ticks for each square root of an
 * instruction, since the scatter of a sum of batches grows with its root. 0 if there are less than
 * two samples. */
double ps_steady_scatter(const PsSteady *steady);

#endif
