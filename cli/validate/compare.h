/* SPDX-License-Identifier: BSD-3-Clause */
/* What was measured beside what the simulator and the roofline say of it. */
#ifndef PIPESIM_CLI_VALIDATE_COMPARE_H
#define PIPESIM_CLI_VALIDATE_COMPARE_H

#include "pipesim.h"

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
} Compared;

typedef struct {
    GArray *points;      /* Compared, those of one kernel together */
    GPtrArray *warnings; /* char *: what was left out, and what predictions rely on; each once */
    double mhz;          /* median of the clocks that were measured; NaN without any */
} Comparison;

/* Simulates all points, so many at once. validation must outlive the result. NULL and *error where
 * not one of them can be simulated. */
Comparison *comparison_new(const PsValidation *validation, const PsGpu *gpu, guint jobs,
                           GError **error);
void comparison_free(Comparison *comparison);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Comparison, comparison_free)

#endif
