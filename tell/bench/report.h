/* SPDX-License-Identifier: BSD-3-Clause */
/* What bench says of its measurements, besides the description that it writes. */
#ifndef PIPESIM_TELL_BENCH_REPORT_H
#define PIPESIM_TELL_BENCH_REPORT_H

#include "latency-bench/bench.h"
#include "tell/facts.h"
#include "tell/paper.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* Everything is borrowed. */
typedef struct {
    const PsRaw *raw;
    const PsBenchResult *result;
    const PsGpu *known; /* another description of the same GPU, for its data sheet; or NULL */
    const char *output; /* the description's path; NULL: standard output */
    const GPtrArray *warnings; /* char *, all of them */
    const char *option;        /* what names a GPU on the command line: "--gpu" */
} PsBenchReport;

/* The number of launches that were measured and did not fail. */
guint ps_bench_samples(const PsBenchReport *report);

/* What the data sheet says of the peak, in its unit; 0: not known. */
PsRational ps_bench_data_sheet(const PsBenchReport *report, const PsPeak *peak);

/* The report as facts (ps_told_free), and for people. */
PsTold *ps_bench_report_told(const PsBenchReport *report);
void ps_bench_report_text(const PsBenchReport *report, const PsTold *facts, const PsPaper *paper);

#pragma GCC visibility pop
G_END_DECLS
#endif
