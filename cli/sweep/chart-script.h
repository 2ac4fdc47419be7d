/* SPDX-License-Identifier: BSD-3-Clause */
/* A sweep's chart as a script for gnuplot, with its data inside. */
#ifndef PIPESIM_CLI_SWEEP_CHART_SCRIPT_H
#define PIPESIM_CLI_SWEEP_CHART_SCRIPT_H

#include "cli/sweep/chart.h"

typedef struct {
    char *name;
    GArray *points; /* ChartPoint, at least one */
} ChartCurve;

typedef struct {
    char *title, *x_label;
    GPtrArray *curves; /* ChartCurve, at least one; the script sorts their points */
    double measured;   /* seconds; 0 where none was told */
} ChartSheet;

/* Free with g_free. */
char *chart_script(const ChartSheet *sheet);

#endif
