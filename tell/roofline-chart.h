/* SPDX-License-Identifier: BSD-3-Clause */
/* The chart of a roofline: kernels on GPUs, as gnuplot's script. */
#ifndef PIPESIM_TELL_ROOFLINE_CHART_H
#define PIPESIM_TELL_ROOFLINE_CHART_H

#include "roofline/draw.h"
#include "tell/roofline-kernel.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* The most kernels that a chart has: more would be a cloud, not a chart. */
#define PS_ROOFLINE_MOST_DRAWN 200

/* The content of the chart. All is borrowed. */
typedef struct {
    const GArray *gpus;       /* PsRooflineGpu */
    const GPtrArray *kernels; /* PsRooflineKernel */
    PsDrawKind kind;
    gboolean trajectory; /* kernels are versions of one */
    int discounted; /* which kernel is drawn without what it discounts (roofline/draw.h); -1: none
                     */
} PsRooflineChart;

/* Finds a kernel by its name, by its number in the chart, from 1, or by a pattern of names; a name
 * that looks like a number comes first. FALSE and *error (PS_ERROR_USAGE) if no kernel fits, or
 * several do. */
gboolean ps_roofline_chart_find(const GPtrArray *kernels, const char *which, guint *index,
                                GError **error);

/* The script (g_free), and how high its page is. NULL and *error where nothing can be drawn. */
char *ps_roofline_chart_script(const PsRooflineChart *chart, double *height, GError **error);

#pragma GCC visibility pop
G_END_DECLS
#endif
