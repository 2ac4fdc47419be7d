/* SPDX-License-Identifier: BSD-3-Clause */
/* A description held against whole kernels: as facts, and as a page. */
#ifndef PIPESIM_TELL_VALIDATED_H
#define PIPESIM_TELL_VALIDATED_H

#include "answer/validated.h"
#include "tell/facts.h"
#include "tell/paper.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* What is compared. All is borrowed. */
typedef struct {
    const PsValidation *validation;
    const PsValidated *comparison;
    const PsGpu *gpu;
    const char *chart; /* name of the chart's file; NULL: there is none */
} PsValidatedReport;

/* The document `pipesim validate --format json` (ps_told_free): errors of each kernel as in the
 * paper's Table II, of all points, and the points. */
PsTold *ps_validated_told(const PsValidatedReport *report);

/* The same for people, from those facts. */
void ps_validated_page(const PsValidatedReport *report, const PsTold *facts, const PsPaper *paper);

#pragma GCC visibility pop
G_END_DECLS
#endif
