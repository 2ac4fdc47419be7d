/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the points of a sweep are called, in messages and in charts. The horizontal axis is the
 * active warps where the number of active groups is varied, else of the lists of numbers the last;
 * whatever else differs makes curves. Free what is returned with g_free.
 */
#ifndef PIPESIM_CLI_SWEEP_LABEL_H
#define PIPESIM_CLI_SWEEP_LABEL_H

#include "pipesim-private.h"

typedef struct {
    const GPtrArray *vary;
    gboolean several_graphs, several_gpus;
} SweepNaming;

/* "active=3, size=512", of the first n values. */
char *sweep_point_label(const GPtrArray *vary, const PsRational *values, guint n);

/* What tells the point's curve from the others. */
char *sweep_curve_label(const SweepNaming *naming, const PsAnswer *answer,
                        const PsRational *values);

/* FALSE where all lists are of words: there is nothing to run along the horizontal axis. */
gboolean sweep_has_x(const GPtrArray *vary);

/* Where the point stands on the horizontal axis, and what that is. */
double sweep_x(const GPtrArray *vary, const PsAnswer *answer, const PsRational *values);
char *sweep_x_label(const GPtrArray *vary);

/* What all curves have in common. */
char *sweep_chart_title(const SweepNaming *naming, const char *name, const PsGpu *gpu);

#endif
