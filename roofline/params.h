/* SPDX-License-Identifier: BSD-3-Clause */
/* What the parts of the model share. Internal to the library. */
#ifndef PIPESIM_ROOFLINE_PARAMS_H
#define PIPESIM_ROOFLINE_PARAMS_H

#include "roofline/roofline.h"

/* Operations of a thread's largest instruction of a type: two for a multiply-add, four for two
 * multiply-adds of half precision; 0 for tensor cores, whose instructions differ. */
double ps_k_type_ops(PsKType type);

/* Adds operations to the class's kind of matrix products, if its name states one. */
void ps_products_count(const char *class_name, double ops, PsMetrics *metrics);

/* As ps_peaks_products, by the higher of what a description and the data sheet state of each kind;
 * products that different pipelines do take as long as the longest of these. */
void ps_products_limit(const PsGpu *gpu, PsRational clock, const PsMetrics *metrics,
                       PsPeaks *peaks);

/* TRUE if the peak of that name does not follow the CUs' clock: the peaks of device memory and of
 * the caches before it. */
gboolean ps_peak_has_own_clock(const char *name);

/* The name of the class from whose issue latency a peak follows, the first if there are two; NULL:
 * none does. */
const char *ps_peak_class_name(PsPeakKind kind);

/* TRUE if its latencies were not measured: a figure that follows from them is no peak. */
gboolean ps_peak_is_assumed(const PsGpu *gpu, const PsClass *gpu_class);

/* Whether each parameter that is known is in its range, and they fit each other; else FALSE and
 * *error (PS_ERROR_VALUE), naming the parameter. */
gboolean ps_params_check(const PsParams *params, GError **error);

#endif
