/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The chart of a sweep: performance over active warps or over what else is varied, drawn by
 * gnuplot. Each series shows what was simulated (markers), the roofline's prediction (dashed) and
 * the result (a line). Performance is in GFLOP/s where every graph counts operations, else the time
 * in milliseconds.
 */
#ifndef PIPESIM_CLI_SWEEP_CHART_H
#define PIPESIM_CLI_SWEEP_CHART_H

#include <glib.h>

typedef struct Chart Chart;

/* Times are seconds; NaN for a roofline that is not known. */
typedef struct {
    double x;
    double flops; /* floating-point operations; 0 where none are counted */
    double simulated, roofline, result;
} ChartPoint;

/* path is what gnuplot_check has accepted, and where the chart will stand; title and x_label are
 * copied. NULL and *error at once if gnuplot is missing or the file cannot be written, so that
 * nobody waits for a sweep in vain. */
Chart *chart_new(const char *path, const char *title, const char *x_label, GError **error);
void chart_free(Chart *chart);

/* One point of the curve of that name. */
void chart_add(Chart *chart, const char *curve, const ChartPoint *point);

/* A measured time in seconds, as a line across the chart. */
void chart_set_measured(Chart *chart, double measured);

/* Draws, and puts the file in its place. FALSE and *error if there is no point, or gnuplot
 * fails. */
gboolean chart_draw(Chart *chart, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Chart, chart_free)

#endif
