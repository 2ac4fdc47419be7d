/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The parts of the quantitative roofline as facts, for all documents that have one: a run's, the
 * verb roofline's, a profile's. Keys are the paper's symbols, units are those of
 * roofline/roofline.h. Each function tells members of the group that is open; what is not known or
 * not finite is told so.
 */
#ifndef PIPESIM_TELL_ROOFLINE_FACTS_H
#define PIPESIM_TELL_ROOFLINE_FACTS_H

#include "roofline/ceilings.h"
#include "roofline/roofline.h"
#include "tell/facts.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* The group `parameters`: what a kernel does (section 3). */
void ps_tell_parameters(const PsParams *params, PsTold *facts);

/* Time and bound, and all intermediate values; `equations` too where the ceiling holds it back. */
void ps_tell_prediction(const PsPrediction *prediction, PsTold *facts);

/* The group `ceilings`. measured: seconds that the kernel took on this GPU, NaN where nobody
 * measured; rates and shares are those that it achieved. */
void ps_tell_ceilings(const PsCeilings *ceilings, double measured, PsTold *facts);

/* The groups `metrics`, one of each of Table 1 and beyond, and `peaks` with their origins. */
void ps_tell_metrics(const PsMetrics *metrics, PsTold *facts);
void ps_tell_peaks(const PsPeaks *peaks, PsTold *facts);

#pragma GCC visibility pop
G_END_DECLS
#endif
