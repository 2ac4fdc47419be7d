/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Charts for tests of draw/, and what is where in them.
 */
#ifndef PIPESIM_TESTS_HELP_CHART_H
#define PIPESIM_TESTS_HELP_CHART_H

#include "draw/chart.h"

extern const PsLook line_look, mark_look;

/* A chart with these scales, which the caller frees. */
PsChart *chart_with(PsScale x, PsScale y);

/* The same with both axes logarithmic: 1 to 1000 across and 1 to 100 up are in the frame. */
PsChart *log_chart(void);

char *chart_script(PsChart *chart);

/* The item n of that kind that has points, from 0, or NULL. */
const PsChartItem *item_of(const PsChart *chart, PsItemKind kind, guint n);

/* The box around a text, in dots. A text that is not there fails the test. */
PsBox box_of(const PsChart *chart, const char *text);
gboolean overlap(const PsBox *a, const PsBox *b);

#endif
