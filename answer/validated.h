/* SPDX-License-Identifier: BSD-3-Clause */
/* Measured times beside those of the simulator and of the roofline. */
#ifndef PIPESIM_ANSWER_VALIDATED_H
#define PIPESIM_ANSWER_VALIDATED_H

#include "answer/answer.h"
#include "latency-bench/validate.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* Times in seconds; NaN for what is not known. */
typedef struct {
    const PsValidationPoint *point; /* borrowed */
    double mhz;                     /* the clock that both predictions have */
    double measured, simulated, roofline;
    double simulated_error, roofline_error; /* shares of the measured time */
    PsRational cycles;                      /* simulated */
    gint64 active;                          /* groups on a CU */
    gint64 warps;                           /* on a CU */
    double flops, bytes;                    /* of device memory */
} PsValidatedPoint;

typedef struct {
    GArray *points;      /* PsValidatedPoint; points of one kernel stand together */
    GPtrArray *warnings; /* char *: what was left out, and what predictions rely on; each once */
    double mhz;          /* median of the measured clocks; NaN if there is none */
} PsValidated;

/* Simulates all points, on so many threads; progress may be NULL. validation must outlive the
 * result. NULL and *error if none of them can be simulated, or progress ends it. */
PsValidated *ps_validated_new(const PsValidation *validation, const PsGpu *gpu, guint threads,
                              const PsHearer *progress, GError **error);
void ps_validated_free(PsValidated *comparison);

/* The first point after `first` that is not of the same kernel, or the number of points. */
guint ps_validated_end_of_kernel(const PsValidated *comparison, guint first);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(PsValidated, ps_validated_free)

#pragma GCC visibility pop
G_END_DECLS
#endif
