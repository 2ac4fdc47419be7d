/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counters of the kernels that one context launches, by CUPTI's range profiling: each launch is a
 * range and is replayed until all counters are taken. A session takes as many launches as CUPTI
 * keeps track of; then their counters are read, and the next session begins.
 */
#ifndef PIPESIM_LATENCY_BENCH_PROFILE_RANGES_H
#define PIPESIM_LATENCY_BENCH_PROFILE_RANGES_H

#include "latency-bench/profile/cupti.h"

/* A way to find a figure by metrics. */
typedef struct {
    int of;  /* the number of what it tells */
    int any; /* those of the metrics that exist will do */
    const char **names;
    size_t n;
} MetricsWay;

/* The state that all contexts share. */
typedef struct {
    const Cupti *cupti;
    int file;
    MetricsWay *ways; /* in order, the best first */
    size_t n_ways, n_names;
} RangesSetup;

typedef struct Ranges Ranges;

/* For a context, which is the current one of this thread; NULL without memory. What fails is said
 * in the file, and nothing is measured then. */
Ranges *ps_ranges_new(const RangesSetup *setup, void *context);

/* Before a kernel is launched, by its name and a number that rises; and where the launch failed. */
void ps_ranges_launch(Ranges *ranges, const char *kernel, uint32_t order);
void ps_ranges_unlaunch(Ranges *ranges);

/* Reads and writes the counters of the launches so far. What is launched until the next
 * ps_ranges_launch is not measured. */
void ps_ranges_flush(Ranges *ranges);

/* Flushes, and frees all; NULL is fine. */
void ps_ranges_free(Ranges *ranges);

#endif
