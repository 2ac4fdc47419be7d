/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The terms of the roofline one by one: names of metrics and peaks, where a peak stands in a
 * description, and what a kernel makes of the peaks. The equations are in roofline.h.
 */
#ifndef PIPESIM_ROOFLINE_TERMS_H
#define PIPESIM_ROOFLINE_TERMS_H

#include "roofline/roofline.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* The metric's name in the paper or in its manner: "M_fp32", "M_tran-r"; borrowed. */
const char *ps_metric_name(PsMetric metric);

/* Whether the paper has no such type. */
gboolean ps_k_type_is_beyond(PsKType type);

/* How many instructions of that type a node counts as, each time that a thread comes to it: one, or
 * as many as its stated operations take; 0 where it does nothing of the type. */
double ps_node_instructions(const PsProgramNode *node, PsKType type);

/* The names of peaks, "T_SP", "B_mem", in descriptions. */
const char *ps_peak_kind_name(PsPeakKind kind);

/* The class of the description whose issue latency that peak follows from; NULL where there is
 * none. Borrowed. */
const PsClass *ps_peak_class(const PsGpu *gpu, PsPeakKind kind);

/* The level of memory whose bandwidth is that peak, where the description states levels; NULL where
 * there is none. Borrowed. */
const PsMemoryLevel *ps_peak_level(const PsGpu *gpu, PsPeakKind kind);

/* The word for an origin: "stated", "derived", "datasheet"; NULL where it is not known. */
const char *ps_peak_origin_name(PsPeakOrigin origin);

/* Sets T_tensor to the rate of this kernel's matrix products, each kind at its own peak:
 * "T_tensor.f16.f32" of the description, else "T_tensor.f16", else "T_tensor"; of sparse ones
 * twice that, since the zeros that nobody multiplies are operations, too. It stays as it is
 * where their kinds are not known, or no peak is stated for one of them. The clock is that of
 * ps_peaks_resolve. */
void ps_peaks_products(const PsGpu *gpu, PsRational clock, const PsMetrics *metrics,
                       PsPeaks *peaks);

/* The most operations per second of products of the class's kind, by the higher of what the
 * description and the data sheet state; of any kind where the class does not say; NaN where no peak
 * is stated. */
double ps_product_limit(const PsGpu *gpu, PsRational clock, const char *class_name);

/* Lowers B_mem for a kernel that both reads and writes device memory, where the description says so
 * (`mixed`). It stays as it is where they do not distinguish reads from writes, or the description
 * states a value of B_mem itself. */
void ps_peaks_mix(const PsGpu *gpu, const PsMetrics *metrics, PsPeaks *peaks);

/* The limits of any kernel of these metrics (NULL: not known), for ceilings: the peaks as above, or
 * the data sheet's where those are more, since a benchmark rarely reaches what the hardware can do.
 * Matrix products go by their kinds; B_mem is the same however reads and writes are mixed. */
void ps_peaks_limits(const PsGpu *gpu, PsRational clock, const PsMetrics *metrics, PsPeaks *peaks);

/* The least bytes that device memory moves while the kernel runs: all bytes without the stored ones
 * that the caches of all CUs may still hold when it ends (docs/reference/model.md, section 5,
 * Ceilings). NaN where W_traf is not known. */
double ps_traffic_least(const PsParams *params, const PsGpu *gpu);

/* (predicted - measured) / measured; NaN where either is not known or measured is 0. */
double ps_prediction_error(const PsPrediction *prediction, double measured_seconds);

#pragma GCC visibility pop
G_END_DECLS
#endif
