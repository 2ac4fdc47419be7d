/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The quantitative roofline in JSON, for every verb that prints it: keys are the paper's symbols,
 * units are those of roofline.h, and what is not known or not finite is null. Each function adds
 * members to the object that is open.
 */
#ifndef PIPESIM_CLI_REPORT_ROOFLINE_JSON_H
#define PIPESIM_CLI_REPORT_ROOFLINE_JSON_H

#include "pipesim-private.h"

/* "parameters": {"K_type", "W_comp", "W_traf", "E_mix", "D_ops", "D_ldst", "D_other", "O_krn",
 * "ops_per_instruction", "beyond_paper", "traffic": {"L1", "L2"}} */
void put_roofline_parameters(const PsParams *params, PsJson *json);

/* "seconds", "bound", "T_op", "E_instr", "T_adjusted", "O_dev" and all other intermediate
 * values. */
void put_roofline_prediction(const PsPrediction *prediction, PsJson *json);

/* "metrics": {"M_fp64": ...}, one key for each of Table 1 and beyond. */
/* What it achieved, too, where it was measured on that GPU: seconds, NaN where not. */
void put_roofline_ceilings(const PsCeilings *ceilings, double measured, PsJson *json);
void put_roofline_metrics(const PsMetrics *metrics, PsJson *json);

/* "peaks": {"T_SP": {"value", "origin"}, ...}; origin is "stated", "derived", "datasheet" or
 * null. */
void put_roofline_peaks(const PsPeaks *peaks, PsJson *json);

#endif
