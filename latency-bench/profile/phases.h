/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The two things that the injected library measures, each in a run of its own: times, with what
 * CUPTI calls activity, and counters, with range profiling, which runs kernels again and again.
 * Each begins when CUDA starts, and ends with the program.
 */
#ifndef PIPESIM_LATENCY_BENCH_PROFILE_PHASES_H
#define PIPESIM_LATENCY_BENCH_PROFILE_PHASES_H

#include "latency-bench/profile/cupti.h"

/* Both borrow cupti for ever, write to the file (record.h), and say there what failed. */
void ps_times_begin(const Cupti *cupti, int file);
void ps_times_end(void);

/* metrics: as ps_profile_counters (roofline/profile.h) has them. */
void ps_counters_begin(const Cupti *cupti, int file, const char *metrics);
void ps_counters_end(void);

#endif
