/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds latencies by fitting the boat hull, equation 1 of The Pipeline Performance Model, to the
 * whole curve.
 *
 * A warp runs `ilp` chains. In the time between one link of its chains and the next it issues ilp
 * instructions; with W warps on the CU, a pipeline of the CU takes for that
 *
 *     max(Lambda, W * ilp * lambda)
 *
 * cycles, and pipelines of S schedulers max(Lambda, ceil(W / S) * ilp * lambda'), lambda' being of
 * one of them. One warp with many chains distinguishes the two.
 */
#ifndef PIPESIM_LATENCY_BENCH_FIT_H
#define PIPESIM_LATENCY_BENCH_FIT_H

#include "gpu/gpu.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

typedef struct {
    gint64 warps;  /* active on the CU */
    gint64 ilp;    /* chains of each */
    double cycles; /* per link: slope between two lengths, so that start and end drop out; NaN: no
                      sample */
} PsHullPoint;

/* A figure with its 95 % confidence interval. Where the points do not determine it, value is NaN,
 * and low and high are the bounds that they give (0 and INFINITY: none). */
typedef struct {
    double value, low, high;
} PsEstimate;

typedef enum { PS_PIPELINE_UNKNOWN, PS_PIPELINE_CU, PS_PIPELINE_SCHEDULER } PsPipelineScope;

typedef struct {
    PsEstimate issue; /* lambda: cycles per warp instruction, of a pipeline of that scope; of the
                         CU where the scope is unknown */
    PsEstimate completion; /* Lambda */
    PsPipelineScope scope;
    double goodness; /* share of the variance (of logarithms) that the fit explains, outliers apart;
                        NaN for a flat curve, which has nothing to explain */
    guint n_points, n_outliers;
    gboolean straight; /* two latencies fit; else `at` says how they grow */
    GArray *at; /* PsLatencyAt: Lambda over active warps if it grows (contention), with lambda or
                   its upper bound; or NULL. completion is then that of the fewest warps */
} PsHullFit;

#pragma GCC visibility pop
G_END_DECLS
#endif
