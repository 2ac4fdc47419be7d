/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The quantitative roofline in JSON, for every verb that prints it: keys are the paper's symbols,
 * units are those of roofline.h, and what is not known or not finite is null. Each function adds
 * members to the object that is open.
 */
#ifndef PIPESIM_CLI_REPORT_ROOFLINE_JSON_H
#define PIPESIM_CLI_REPORT_ROOFLINE_JSON_H

#include "cli/report/json.h"
#include "pipesim.h"

/* A number: whole ones below 2^53 without a fraction, null for NaN and infinity. */
void put_roofline_number(Json *json, const char *key, double value);

/* The same with as many digits as it takes to read back the same number: for what reports take as
 * input again. */
void put_roofline_exact(Json *json, const char *key, double value);

/* A text, null for NULL. */
void put_roofline_text(Json *json, const char *key, const char *value);

/* "parameters": {"K_type", "W_comp", "W_traf", "E_mix", "D_ops", "D_ldst", "D_other", "O_krn",
 * "ops_per_instruction", "beyond_paper", "traffic": {"L1", "L2"}} */
void put_roofline_parameters(const PsParams *params, Json *json);

/* "seconds", "bound", "T_op", "E_instr", "T_adjusted", "O_dev" and all other intermediate
 * values. */
void put_roofline_prediction(const PsPrediction *prediction, Json *json);

/* "metrics": {"M_fp64": ...}, one key for each of Table 1 and beyond. */
/* What it achieved, too, where it was measured on that GPU: seconds, NaN where not. */
void put_roofline_ceilings(const PsCeilings *ceilings, double measured, Json *json);
void put_roofline_metrics(const PsMetrics *metrics, Json *json);

/* "peaks": {"T_SP": {"value", "origin"}, ...}; origin is "stated", "derived", "datasheet" or
 * null. */
void put_roofline_peaks(const PsPeaks *peaks, Json *json);

/* Words for where a peak comes from: "derived"; NULL where it is not known. */
const char *roofline_origin_name(PsPeakOrigin origin);

/* Types that the paper does not have. */
gboolean roofline_is_beyond(PsKType type);

#endif
