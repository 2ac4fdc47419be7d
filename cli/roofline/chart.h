/* SPDX-License-Identifier: BSD-3-Clause */
/* The chart of the verb roofline: its kernels on its GPUs, drawn or as gnuplot's script. */
#ifndef PIPESIM_CLI_ROOFLINE_CHART_H
#define PIPESIM_CLI_ROOFLINE_CHART_H

#include "cli/options.h"
#include "pipesim-private.h"

/* The most kernels that a chart has: more would be a cloud, not a chart. */
#define ROOFLINE_MOST_DRAWN 200

/* The script (g_free), and how high its page is, for these kernels (PsRooflineKernel) and GPUs
 * (PsRooflineGpu). NULL and *error where nothing can be drawn, or no kernel is the one that
 * --discounted names. */
char *roofline_chart_script(const Options *options, const GArray *gpus, const GPtrArray *kernels,
                            double *height, GError **error);

#endif
