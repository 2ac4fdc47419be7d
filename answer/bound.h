/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the quantitative roofline says of a launch, before anything is simulated: docs/model.md,
 * sections 5 and 6. Peaks are those of the description at the run's clock, whatever a what-if says
 * of latencies: a bound that moved with the latencies it shall check would bound nothing. Only
 * B_mem follows a what-if of device memory's bandwidth. What a warm cache keeps (R7) is no traffic.
 */
#ifndef PIPESIM_ANSWER_BOUND_H
#define PIPESIM_ANSWER_BOUND_H

#include "pipesim.h"

/* How fast a result may be. */
typedef enum {
    CLAMP_CEILING,  /* W_comp / min(E_mix * T_op, O_krn * B_mem) */
    CLAMP_ROOFLINE, /* what equation 19 predicts */
    CLAMP_NONE,     /* as fast as the simulator says */
} Clamp;

/* "ceiling" */
const char *clamp_name(Clamp clamp);

/* What is not known is NaN. */
typedef struct {
    PsMetrics metrics; /* counted from the graph and its launch */
    PsParams params;
    PsPeaks peaks;
    PsPrediction prediction; /* from those of the parameters whose peaks are known */
} Bound;

/* Of this launch at this clock (MHz). Appends warnings (char *) that say which peak the GPU lacks
 * or which node does not state its traffic, and how to state it. */
void bound_init(Bound *bound, const PsMachine *machine, PsRational clock, GPtrArray *warnings);

/* Whether prediction.seconds is equation 19's, and not that of operations or bytes alone. */
gboolean bound_is_whole(const Bound *bound);

/* The least time that the clamp allows, without the launch of the kernel; 0 where nothing is
 * known. */
double bound_seconds(const Bound *bound, Clamp clamp);

/* TRUE where an execution of so many seconds is faster than the clamp allows. */
gboolean bound_is_passed(const Bound *bound, double seconds, Clamp clamp);

/* The peak that the ceiling is made of: B_mem or that of the operations' type. Only where there is
 * a ceiling. */
PsPeakKind bound_ceiling_peak(const Bound *bound);

/* The peak of the kernel's operations, T_op; that of single precision for an unknown type. */
PsPeakKind bound_op_peak(const Bound *bound);

/* Equation 19's rate as a share of the plain roofline min(T_op, O_krn * B_mem); NaN unless it is
 * whole. */
double bound_efficiency(const Bound *bound);

#endif
