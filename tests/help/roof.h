/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Roofline charts for tests, and what their scripts have at which coordinates.
 */
#ifndef PIPESIM_TESTS_HELP_ROOF_H
#define PIPESIM_TESTS_HELP_ROOF_H

#include "roofline/draw.h"

/* One GPU of round numbers: 1 TFLOP/s, 100 GB/s, ridge at 10; and another of twice that. */
extern PsPeaks toy_peaks, big_peaks;

typedef struct {
    PsDraw draw;
    PsParams params[512];
    PsCeilings ceilings[512];
    GPtrArray *names;
} Roof;

/* A chart with so many of these GPUs in turn, and without kernels. */
Roof *roof_new(PsDrawKind kind, guint gpus);
void roof_free(Roof *chart);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Roof, roof_free)

/* A kernel of fp32 with as many operations as a second holds, and four times and twice the traffic
 * at L1 and L2. The chart owns it. */
PsDrawKernel *roof_add(Roof *chart, const char *name, double intensity, double rate);

/* Peaks that no test has set become the GPU's. */
void roof_peaks(Roof *chart);

/* The chart's script, with these peaks. */
char *roof_script(Roof *chart);

void assert_ratio(double value, double expected);

/* The n rows of data after the comment "# what", as x, y, x, y, ... */
void roof_rows(const char *script, const char *what, double *values, guint n);
void roof_point(const char *script, const char *what, double x, double y);

#endif
