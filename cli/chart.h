/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The chart of a sweep: performance over active warps or over what else is varied, one curve for
 * each series, drawn by gnuplot. Performance is in GFLOP/s where every graph counts operations,
 * else the time in milliseconds.
 */
#ifndef PIPESIM_CLI_CHART_H
#define PIPESIM_CLI_CHART_H

#include <glib.h>

/* FALSE and *error (wrong usage) where the name does not end in .svg, .png or .pdf. */
gboolean chart_check(const char *path, GError **error);

typedef struct Chart Chart;

/* path is what chart_check has accepted, and where the chart will stand; title and x_label are
 * copied. NULL and *error at once if gnuplot is missing or the file cannot be written, so that
 * nobody waits for a sweep in vain. */
Chart *chart_new(const char *path, const char *title, const char *x_label, GError **error);
void chart_free(Chart *chart);

/* One point of the curve of that name. */
void chart_add(Chart *chart, const char *curve, double x, double gflops, double seconds);

/* Draws, and puts the file in its place. FALSE and *error if there is no point, or gnuplot
 * fails. */
gboolean chart_draw(Chart *chart, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Chart, chart_free)

#endif
