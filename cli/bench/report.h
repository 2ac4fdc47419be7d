/* SPDX-License-Identifier: BSD-3-Clause */
/* What bench says of its measurements, besides the description that it writes. */
#ifndef PIPESIM_CLI_BENCH_REPORT_H
#define PIPESIM_CLI_BENCH_REPORT_H

#include "pipesim-private.h"

/* Everything is borrowed. */
typedef struct {
    const PsRaw *raw;
    const PsBenchResult *result;
    const PsGpu *known; /* another description of the same GPU, for its data sheet; or NULL */
    const char *output; /* where the description went; NULL: standard output */
    const GPtrArray *warnings; /* char *, all of them */
} BenchReport;

/* How many launches were measured and did not fail. */
guint bench_samples(const BenchReport *report);

/* What the data sheet says of the peak, in its unit; 0: not known. */
PsRational bench_data_sheet(const BenchReport *report, const PsPeak *peak);

/* The report as facts (ps_told_free), and for people. */
PsTold *bench_report_told(const BenchReport *report);
void bench_report_text(const BenchReport *report, const PsTold *facts, const PsPaper *paper);

#endif
