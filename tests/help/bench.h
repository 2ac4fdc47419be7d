/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Benchmarks made by hand for tests: chains of one class as graphs, plans of them, and files to
 * measure into.
 */
#ifndef PIPESIM_TESTS_HELP_BENCH_H
#define PIPESIM_TESTS_HELP_BENCH_H

#include "latency-bench/bench.h"

/* `ilp` chains of `unroll` instructions of the class per trip, called "KLASS-ilpN". */
PsBenchKernel *bench_chain(const char *class_name, gint64 ilp, gint64 unroll);

/* A plan without kernels, to be freed with bench_plan_free. */
PsBenchPlan *bench_plan(void);
void bench_plan_free(PsBenchPlan *plan);

/* Adds a kernel (taken) with points of these warps per CU, a list that ends in 0, each of two
 * lengths, and so many repeats. One group per CU. */
void bench_plan_add(PsBenchPlan *plan, PsBenchKernel *kernel, gint64 compute_units,
                    const gint64 *warps, guint repeats);

/* A GPU of 2 CUs with fadd (0.25, 6), cos (1, 14) and fmadd (one pipeline per scheduler, of which
 * there are 4). */
PsGpu *bench_gpu(void);

/* What a file holds (g_free); the line that says when it was measured is left out. */
char *bench_read(const char *path);

/* A path in a new folder of its own, where nothing is yet (g_free); the end of both. */
char *bench_path(void);
void bench_path_free(char *path);

#endif
