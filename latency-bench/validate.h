/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whole kernels that a description is held against: how they are run on a device, and what was
 * measured, ready to be simulated. They are PsBenchKernels with graphs of their own, so that a
 * device, a model and a raw file deal with them as with micro-benchmarks.
 *
 *     ps_validation_plan -> ps_bench_measure -> raw CSV -> ps_validation_load -> points
 *
 * A raw file of micro-benchmarks does as well (Table II of The Pipeline Performance Model).
 */
#ifndef PIPESIM_LATENCY_BENCH_VALIDATE_H
#define PIPESIM_LATENCY_BENCH_VALIDATE_H

#include "latency-bench/bench.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* All kernels for validation, PsBenchKernel; the caller frees the array. */
GPtrArray *ps_validation_kernels(void);

/* What suits the device: every occupancy of the matrix multiplications, some of other kernels,
 * group sizes of those that cannot limit their occupancy. pattern: kernels whose names match (a
 * glob), NULL: all. */
PsBenchPlan *ps_validation_plan(const PsDeviceInfo *info, PsBenchGrid grid, const char *pattern);

/* The plan of whole kernels or of micro-benchmarks. NULL and *error (PS_ERROR_VALUE) if nothing can
 * be measured: no name matches the pattern (the message lists the names), or none suits the
 * device. */
PsBenchPlan *ps_bench_choose(const PsDeviceInfo *info, gboolean validation, PsBenchGrid grid,
                             const char *pattern, GError **error);

/* All that a file which is continued may hold (PsBenchPlan; g_ptr_array_unref): it may have been
 * begun with another grid, or with other names. */
GPtrArray *ps_bench_plans(const PsDeviceInfo *info, gboolean validation);

/* A measured launch. Its cycles are compared if they are known, else its seconds. */
typedef struct {
    char *kernel; /* its name in the file, owned: mmul08, or mmul08/scalar for another program
                     that does what the graph of mmul08 says */
    const PsBenchKernel *of; /* the kernel with the graph; borrowed from the PsValidation */
    PsBenchLaunch launch;    /* warps 0: as many as fit */
    guint samples;
    double seconds, cycles; /* medians; NaN if not known */
    double spread;          /* of the samples: (most - least) / median */
    double mhz;             /* clock of the CUs; NaN if not known */
} PsValidationPoint;

typedef struct {
    PsRaw *raw;
    GPtrArray *kernels;  /* PsBenchKernel */
    GArray *points;      /* PsValidationPoint; those of one kernel together */
    GPtrArray *warnings; /* char *: what was left out, and why */
} PsValidation;

/* NULL and *error as ps_raw_load, and if there is nothing to compare (PS_ERROR_VALUE). */
PsValidation *ps_validation_load(const char *path, GError **error);
void ps_validation_free(PsValidation *validation);

/* The parameters of the point's graph (ps_scope_free). */
PsScope *ps_validation_params(const PsValidationPoint *point);

/* Errors, (predicted - measured) / measured, in sum; all NaN without any. */
typedef struct {
    guint points;
    double mean;
    double deviation; /* standard deviation of the sample; NaN of a single point */
    double absolute;  /* mean of the absolute errors */
    double worst;     /* that with the largest absolute value */
} PsErrorSummary;

/* Summarizes the errors that are not NaN. */
void ps_error_summary(const double *errors, guint n, PsErrorSummary *summary);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsValidation, ps_validation_free)

#pragma GCC visibility pop
G_END_DECLS
#endif
