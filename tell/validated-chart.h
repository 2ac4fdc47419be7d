/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The chart of a comparison, as Figure 3 of The Pipeline Performance Model: performance over active
 * warps, measured (points), simulated (a line) and the roofline (dashes), a panel for each kernel
 * that was run at several occupancies.
 */
#ifndef PIPESIM_TELL_VALIDATED_CHART_H
#define PIPESIM_TELL_VALIDATED_CHART_H

#include "answer/validated.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* The script for gnuplot (g_free), and how many times as high as other charts it shall be. NULL
 * where no kernel has two occupancies. */
char *ps_validated_chart_script(const PsValidated *comparison, const char *title, double *height);

#pragma GCC visibility pop
G_END_DECLS
#endif
