/* SPDX-License-Identifier: BSD-3-Clause */
/* A comparison as a report for people, in Markdown, as JSON, and as a table for programs. */
#ifndef PIPESIM_CLI_VALIDATE_REPORT_H
#define PIPESIM_CLI_VALIDATE_REPORT_H

#include "pipesim-private.h"

typedef struct {
    const PsValidation *validation;
    const PsValidated *comparison;
    const PsGpu *gpu;
    const char *chart; /* name of the chart's file; NULL: there is none */
} ValidateReport;

/* Errors per kernel as in the paper's Table II, then all points (g_free). */
char *validate_report_text(const ValidateReport *report);

/* All of it as JSON (g_free). */
char *validate_report_json(const ValidateReport *report);

/* All points as CSV (g_free). */
char *validate_report_csv(const ValidateReport *report);

/* The first point after `first` that is not of the same kernel, or the number of points. */
guint validate_end_of_kernel(const PsValidated *comparison, guint first);

#endif
