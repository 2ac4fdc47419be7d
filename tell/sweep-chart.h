/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The chart of a sweep: performance over active warps or over another varied value, as a script for
 * gnuplot. Each curve shows the simulated points (markers), the roofline's prediction (dashed) and
 * the result (a line). Performance is in GFLOP/s where every point counts operations, else the time
 * in milliseconds.
 */
#ifndef PIPESIM_TELL_SWEEP_CHART_H
#define PIPESIM_TELL_SWEEP_CHART_H

#include <glib.h>

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* A sweep's points, curve by curve. */
typedef struct PsSweepChart PsSweepChart;

/* Times are seconds; NaN for a roofline that is not known. */
typedef struct {
    double x;
    double flops; /* floating-point operations; 0 if the graph counts none */
    double simulated, roofline, result;
} PsSweepChartPoint;

/* The title and the label of the horizontal axis are copied. */
PsSweepChart *ps_sweep_chart_new(const char *title, const char *x_label);
void ps_sweep_chart_free(PsSweepChart *chart);

/* One point of the curve of that name. */
void ps_sweep_chart_add(PsSweepChart *chart, const char *curve, const PsSweepChartPoint *point);

/* A measured time in seconds, as a line across the chart. */
void ps_sweep_chart_set_measured(PsSweepChart *chart, double measured);

/* The title, borrowed. */
const char *ps_sweep_chart_title(const PsSweepChart *chart);

/* The script (g_free) and the height of its page (ps_chart_script). NULL and *error if there is no
 * point. */
char *ps_sweep_chart_script(PsSweepChart *chart, double *height, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsSweepChart, ps_sweep_chart_free)

#pragma GCC visibility pop
G_END_DECLS
#endif
