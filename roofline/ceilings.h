/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A ceiling is the time that one unit or one level of memory needs at its peak for a kernel's work.
 * Equations 10 to 17 state it for the instructions of one pipeline; here each pipeline has one.
 * Units work at the same time, so the largest ceiling decides.
 */
#ifndef PIPESIM_ROOFLINE_CEILINGS_H
#define PIPESIM_ROOFLINE_CEILINGS_H

#include "roofline/roofline.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* Units, and levels of memory. */
typedef enum {
    PS_CEILING_FP64,
    PS_CEILING_FP32,
    PS_CEILING_FP16,
    PS_CEILING_TENSOR,
    PS_CEILING_INT,
    PS_CEILING_SPECIAL, /* special functions: reciprocals, roots, sines */
    PS_CEILING_LDST,    /* loads and stores, of whatever memory */
    PS_CEILING_ISSUE,   /* all instructions, at the schedulers */
    PS_CEILING_LOCAL,   /* local memory */
    PS_CEILING_L1,
    PS_CEILING_L2,
    PS_CEILING_L3, /* further caches, if the GPU has them */
    PS_CEILING_L4,
    PS_CEILING_DEVICE,
    PS_N_CEILINGS
} PsCeilingKind;

/* "fp64", ..., "int", "special", "ldst", "issue", "local", "L1", ..., "L4", "device". */
const char *ps_ceiling_name(PsCeilingKind kind);

/* TRUE if work is bytes, and the peak a bandwidth. */
gboolean ps_ceiling_is_bytes(PsCeilingKind kind);

/* A ceiling. NaN is what is not known. */
typedef struct {
    double work;    /* operations (for integers, special functions, loads and issue: instructions of
                       threads), or bytes */
    double peak;    /* most of these per second */
    double seconds; /* least time: more than work / peak if not all operations are the
                       multiply-adds of the peak; less if caches may keep what is stored, or
                       special functions are part of the work */
} PsCeiling;

/* All ceilings of a kernel. */
typedef struct {
    PsCeiling of[PS_N_CEILINGS];
    int highest;    /* PsCeilingKind of the largest time; -1 if none is known */
    double seconds; /* its time */
} PsCeilings;

/* The ceilings of a kernel with these metrics, or where these are NULL with these parameters alone,
 * on a GPU at that clock (MHz, {0, 1} for the usual one) with these peaks, which should be those of
 * ps_peaks_limits. A unit of which the description tells no peak has no ceiling.
 *
 * What a profiler counts behind L2 goes to L3 where the GPU has one, and how much of it goes on to
 * device memory is not known then.
 *
 * Instructions of single precision are not all of the pipeline that T_SP is of: minima, comparisons
 * and conversions have another, as fast as T_add. Where nobody counted those of either, they may
 * share both. Integers do: additions at T_add, multiply-adds at T_int. AMD's schedulers issue
 * several instructions in a cycle, of one kind each, and have no ceiling. */
void ps_ceilings_find(const PsMetrics *metrics, const PsParams *params, const PsPeaks *peaks,
                      const PsGpu *gpu, PsRational clock, PsCeilings *ceilings);

/* Raises a prediction to its bound: where a ceiling takes longer than the prediction, the time
 * becomes the ceiling's, the bound PS_BOUND_CEILING, and T_predicted the rate that is left. */
void ps_prediction_raise(const PsCeilings *ceilings, const PsParams *params,
                         PsPrediction *prediction);

#pragma GCC visibility pop
G_END_DECLS
#endif
