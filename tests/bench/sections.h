/* SPDX-License-Identifier: BSD-3-Clause */
/* What the benchmark measures, in parts that can be asked for one by one. */
#ifndef PIPESIM_TESTS_BENCH_SECTIONS_H
#define PIPESIM_TESTS_BENCH_SECTIONS_H

#include "tests/bench/run.h"

/* Simulated instructions per second, nothing skipped, beside llvm-mca. */
void bench_speed(void);

/* What fast-forward gains: questions of growing size; a sweep over occupancies. */
void bench_growth(void);
void bench_occupancies(void);

/* What it costs where it gains nothing. */
void bench_search(void);

/* What the critical path and the waits cost. */
void bench_explain(void);

/* Importing a profile of 100 MB, beside counting its lines. */
void bench_import(void);

/* Executing kernels, beside OpenCL on this processor where that is there. */
void bench_pocl(void);

/* Executing compiled code, and making graphs of it. */
void bench_front(void);
/* The same kernels step by step and compiled for this processor. */
void bench_compiled(void);
/* One group of the kernel NAME, executed, or all that its graph takes (build-NAME), for a profiler;
 * prints the thread instructions. FALSE where none has this name. */
gboolean bench_front_once(const char *name);

/* One run of those of bench_speed, smaller, to be looked at by a profiler; prints how many
 * instructions it simulates. FALSE where none has this name. */
gboolean bench_speed_once(const char *name);
void bench_speed_names(void);

#endif
