/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What benchmarks run, and how they take time: always processor time, always in turns with what it
 * is compared with, since the speed of a machine drifts.
 */
#ifndef PIPESIM_TESTS_BENCH_RUN_H
#define PIPESIM_TESTS_BENCH_RUN_H

#include "pipesim-private.h"

#define PASCAL "gpus/pascal.xml"
#define FERMI "gpus/fermi.xml"

/* What to run; what is zero is as the graph and the GPU have it. */
typedef struct {
    const char *name;
    const char *graph; /* a file, or the text of one, which begins with '<' */
    const char *gpu;   /* NULL: PASCAL */
    const char *param; /* a parameter that gets this value */
    gint64 value;
    PsLaunchOptions launch;
    PsRefinementOptions refinements;
    gboolean statistics;
} BenchSpec;

/* Everything that it takes, read and bound. */
typedef struct {
    BenchSpec spec;
    PsIdg *idg;
    PsGpu *gpu;
    PsKernel *kernel;
    PsLaunch kernel_launch;
    PsMachine *machine;
} BenchRun;

/* Ends the program where something is wrong. */
BenchRun *bench_run_new(const BenchSpec *spec);
void bench_run_free(BenchRun *run);

/* Binds it again, with so many active groups. */
void bench_run_bind(BenchRun *run, gint64 active);

/* Simulates once. */
PsSimResult bench_run_once(const BenchRun *run, gboolean fast_forward);

/* Seconds of processor time that simulating takes; short runs are repeated. */
double bench_run_seconds(const BenchRun *run, gboolean fast_forward, PsSimResult *result);

/* How often things are measured; odd. */
#define BENCH_ROUNDS 5

/* A run with and without fast-forward in turns: medians, and that of the ratios with / without. */
typedef struct {
    double with, without, ratio;
    PsSimResult result; /* of the run with */
} BenchPair;

BenchPair bench_run_pair(const BenchRun *run);

/* Seconds that this process has used so far, and those that processes which it started have. */
double bench_seconds(void);
double bench_seconds_of_others(void);

/* The middle one, of an even number the upper of the two; sorts them. */
double bench_median(double *values, int n);

void bench_stop(const GError *error) G_GNUC_NORETURN;

G_DEFINE_AUTOPTR_CLEANUP_FUNC(BenchRun, bench_run_free)

#endif
