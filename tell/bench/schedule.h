/* SPDX-License-Identifier: BSD-3-Clause */
/* What an assembler's schedule says of latencies, for people and for programs. */
#ifndef PIPESIM_TELL_BENCH_SCHEDULE_H
#define PIPESIM_TELL_BENCH_SCHEDULE_H

#include "latency-bench/schedule.h"
#include "tell/facts.h"
#include "tell/paper.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* All is borrowed. */
typedef struct {
    const PsSchedule *schedule;
    const char *architecture; /* "sm_90" */
    const char *compiler;     /* "ptxas 13.0.88" */
    const char *output;       /* the family's path */
} PsScheduleReport;

/* The report for people, and as facts (ps_told_free). */
void ps_schedule_text(const PsScheduleReport *report, const PsPaper *paper);
PsTold *ps_schedule_told(const PsScheduleReport *report);

#pragma GCC visibility pop
G_END_DECLS
#endif
