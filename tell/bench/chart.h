/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The chart of bench: a panel for each pipeline with the boat hulls of its classes
 * (several for one that serves many), measured points
 * and fitted curves, and one for the sweep over operational intensity under the roofline.
 */
#ifndef PIPESIM_TELL_BENCH_CHART_H
#define PIPESIM_TELL_BENCH_CHART_H

#include "latency-bench/bench.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* The script for gnuplot (g_free), and how many times as high as other charts it shall be. */
char *ps_bench_chart_script(const PsRaw *raw, const PsBenchResult *result, double *height);

#pragma GCC visibility pop
G_END_DECLS
#endif
