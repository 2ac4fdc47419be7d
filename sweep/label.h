/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Names of a sweep's points, in messages and in charts. The horizontal axis has the active warps if
 * the number of active groups varies, otherwise the last list of numbers; everything else makes
 * curves. Free results with g_free.
 */
#ifndef PIPESIM_SWEEP_LABEL_H
#define PIPESIM_SWEEP_LABEL_H

#include "answer/sweep.h"
#include "sweep/plan.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

typedef struct {
    const GPtrArray *vary;
    gboolean several_graphs, several_gpus;
} PsSweepNaming;

/* What the points of a plan may be told apart by. */
PsSweepNaming ps_sweep_plan_naming(const PsSweepPlan *plan);

/* "active=3, size=512", of the first n values. */
char *ps_sweep_point_label(const GPtrArray *vary, const PsRational *values, guint n);

/* What tells the point's curve from the others. */
char *ps_sweep_curve_label(const PsSweepNaming *naming, const PsAnswer *answer,
                           const PsRational *values);

/* FALSE if all lists have words: then the horizontal axis has no values. */
gboolean ps_sweep_has_x(const GPtrArray *vary);

/* The point's place on the horizontal axis, and what that axis shows. */
double ps_sweep_x(const GPtrArray *vary, const PsAnswer *answer, const PsRational *values);
char *ps_sweep_x_label(const GPtrArray *vary);

/* What all curves have in common. */
char *ps_sweep_chart_title_of(const PsSweepNaming *naming, const char *name, const PsGpu *gpu);

#pragma GCC visibility pop
G_END_DECLS
#endif
