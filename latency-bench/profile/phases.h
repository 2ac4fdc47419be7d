/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The phases of the injected library, each in a run of its own: times, with what CUPTI calls
 * activity; counters, with range profiling, which runs kernels again and again; and contents, for a
 * recording, which copies what launches begin with, and so disturbs their times. Each begins when
 * CUDA starts, and ends with the program.
 */
#ifndef PIPESIM_LATENCY_BENCH_PROFILE_PHASES_H
#define PIPESIM_LATENCY_BENCH_PROFILE_PHASES_H

#include "latency-bench/profile/cupti.h"

/* All borrow cupti for ever, write to the file (record.h), and report failures there. */
void ps_times_begin(const Cupti *cupti, int file);
void ps_times_end(void);

/* metrics: as ps_profile_counters (roofline/profile.h) has them. */
void ps_counters_begin(const Cupti *cupti, int file, const char *metrics);
void ps_counters_end(void);

/* wanted: a file with a line for each launch to take, "N KERNEL" for the Nth launch of that kernel
 * (its mangled name) in a process; at most so many bytes of memory are kept. */
void ps_contents_begin(const Cupti *cupti, int file, const char *wanted, uint64_t bytes);
void ps_contents_end(void);

#endif
