/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Parameters, peaks and predictions for tests of the roofline, with figures that are round; and
 * comparisons of doubles.
 */
#ifndef PIPESIM_TESTS_HELP_ROOFLINE_H
#define PIPESIM_TESTS_HELP_ROOFLINE_H

#include "roofline/roofline.h"
#include <math.h>

#define GIGA 1e9

/* Equal but for rounding; NaN equals NaN. */
void assert_near(double got, double expected);
void assert_within(double got, double low, double high);

/* A description that loads. */
PsGpu *roofline_gpu(const char *path);

/* At the GPU's base clock, at which descriptions state them. */
PsPeaks peaks_of(const PsGpu *gpu);

/* A GPU in memory with round figures: per second 100 G single, 50 G double, 200 G half, 1000 G
 * tensor and 40 G integer operations, 50 G additions, 25 G loads and stores, 10 GB. */
PsPeaks round_peaks(void);

/* Predictions that succeed. */
PsPrediction predict(const PsParams *params, const PsPeaks *peaks);
PsPrediction predict_round(const PsParams *params);

void assert_bound(const PsPrediction *prediction, const char *name);

/* Metrics that are known to be zero where nothing else is said; caches and duration unknown. */
PsMetrics zero_metrics(void);

/* 1000 instructions of threads: 400 of fp32, of them 100 multiply-adds, 200 loads and stores. */
PsMetrics small_metrics(void);

PsParams unknown_params(void);

/* Parameters that a user states. */
PsParams stated(PsKType type, double W_comp, double W_traf);

#endif
