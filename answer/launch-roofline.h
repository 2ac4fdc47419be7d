/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The quantitative roofline of a launch, before anything is simulated: docs/reference/model.md,
 * sections 5 and 6. Peaks are those of the description at the run's clock, whatever a what-if says
 * of latencies: a bound that moved with the latencies it shall check would bound nothing. Only
 * B_mem follows a what-if of device memory's bandwidth. Bytes that a warm cache keeps (R7) are no
 * traffic, and bounds leave out bytes that caches may hold when the kernel ends.
 */
#ifndef PIPESIM_ANSWER_LAUNCH_ROOFLINE_H
#define PIPESIM_ANSWER_LAUNCH_ROOFLINE_H

#include "idg/waves.h"
#include "roofline/roofline.h"
#include "sim/sim.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* How fast a result may be. */
typedef enum {
    PS_CLAMP_CEILING,  /* operations by the pipelines that serve them, and traffic */
    PS_CLAMP_ROOFLINE, /* what equation 19 predicts */
    PS_CLAMP_NONE,     /* as fast as the simulator says */
} PsClamp;

const char *ps_clamp_name(PsClamp clamp); /* "ceiling" */

/* What is not known is NaN. */
typedef struct {
    PsMetrics metrics; /* counted from the graph and its launch */
    PsParams params;
    PsPeaks peaks;
    PsPrediction prediction; /* from those of the parameters whose peaks are known; its ceiling is
                                by the pipelines that serve the operations, and by the limits */
    PsPeaks limits; /* peaks that operations and traffic cannot exceed: the data sheet's if that is
                       higher than the measured one */
    PsPeakKind unit_peak; /* of the pipeline whose operations take longest, */
    guint pipeline;       /* and the pipeline, of the GPU's; G_MAXUINT: none is known */
    double
        least_traffic;      /* bytes that surely reach device memory before the kernel ends: W_traf
                               without what caches may hold then (docs/reference/model.md, section 5) */
    double reached_seconds; /* of these at the B_mem that was reached */
} PsLaunchRoofline;

/* Counts what a graph's launch does in the GPU's warps. Warnings may be added to `warnings`, which
 * may be NULL. FALSE and *error as ps_kernel_new. */
gboolean ps_launch_count(const PsWavesOf *of, PsMetrics *metrics, GPtrArray *warnings,
                         GError **error);

/* TRUE if prediction.seconds is equation 19's, and not the time of operations or bytes alone. */
gboolean ps_launch_roofline_is_whole(const PsLaunchRoofline *roofline);

/* The least time that the clamp allows, without the launch of the kernel; 0 if nothing is known.
 * Traffic counts at the measured B_mem. A description without levels has one cost for accesses of
 * any width, and would move more, so this is no bound of the hardware; prediction.ceiling_seconds
 * is one. */
double ps_launch_roofline_seconds(const PsLaunchRoofline *roofline, PsClamp clamp);

/* The peak behind the ceiling: B_mem or that of the operations' pipeline. Call it only if there is
 * a ceiling. */
PsPeakKind ps_launch_roofline_ceiling_peak(const PsLaunchRoofline *roofline);

/* The peak of the kernel's operations, T_op; the one of single precision for an unknown type. */
PsPeakKind ps_launch_roofline_op_peak(const PsLaunchRoofline *roofline);

/* Equation 19's rate as a share of the plain roofline min(T_op, O_krn * B_mem); NaN unless it is
 * whole. */
double ps_launch_roofline_efficiency(const PsLaunchRoofline *roofline);

#pragma GCC visibility pop

G_END_DECLS
#endif
