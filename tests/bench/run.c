/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/bench/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

/* Runs are repeated until they have taken that long in all. */
#define LEAST_SECONDS 0.03

/* Some of these runs take seconds; odd. */
#define PAIR_ROUNDS 3

void bench_stop(const GError *error)
{
    fprintf(stderr, "bench: %s\n", error->message);
    exit(1);
}

/* ---- what is run --------------------------------------------------------------------------- */

static PsIdg *read_graph(const char *graph, GError **error)
{
    if (graph[0] == '<')
        return ps_idg_parse(graph, strlen(graph), "graph of the benchmark", error);
    return ps_idg_load(graph, error);
}

void bench_run_bind(BenchRun *run, gint64 active)
{
    GError *error = NULL;
    g_autoptr(GPtrArray) warnings = g_ptr_array_new_with_free_func(g_free);
    PsMachineOptions options = {0};
    run->spec.launch.active = active;
    ps_machine_free(run->machine);
    run->machine = NULL;
    if (ps_launch_resolve(run->kernel, run->gpu, &run->spec.launch, &run->kernel_launch, warnings,
                          &error) &&
        ps_refinements_resolve(run->gpu, &run->spec.refinements, &options.refinements, &error))
        run->machine =
            ps_machine_new(run->kernel, run->gpu, &run->kernel_launch, &options, warnings, &error);
    if (!run->machine)
        bench_stop(error);
}

BenchRun *bench_run_new(const BenchSpec *spec)
{
    GError *error = NULL;
    BenchRun *run = g_new0(BenchRun, 1);
    PsScope *scope = ps_scope_new();
    run->spec = *spec;
    if (spec->param)
        ps_scope_set(scope, spec->param, PS_RATIONAL_INT(spec->value));
    run->idg = read_graph(spec->graph, &error);
    if (run->idg)
        run->gpu = ps_gpu_load(spec->gpu ? spec->gpu : PASCAL, &error);
    if (run->gpu)
        run->kernel = ps_kernel_new(run->idg, scope, &error);
    if (!run->kernel)
        bench_stop(error);
    ps_scope_free(scope);
    bench_run_bind(run, spec->launch.active);
    return run;
}

void bench_run_free(BenchRun *run)
{
    if (!run)
        return;
    ps_machine_free(run->machine);
    ps_kernel_free(run->kernel);
    ps_gpu_free(run->gpu);
    ps_idg_free(run->idg);
    g_free(run);
}

/* ---- time ---------------------------------------------------------------------------------- */

double bench_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

double bench_seconds_of_others(void)
{
    struct rusage usage;
    getrusage(RUSAGE_CHILDREN, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

PsSimResult bench_run_once(const BenchRun *run, gboolean fast_forward)
{
    GError *error = NULL;
    PsSimResult result;
    g_autoptr(PsStats) stats = ps_stats_new(run->machine);
    const PsListener listener = ps_stats_listener(stats);
    const PsSimOptions options = {.listeners = &listener,
                                  .n_listeners = run->spec.statistics ? 1 : 0,
                                  .no_fast_forward = !fast_forward};
    if (!ps_sim_run(run->machine, &options, &result, &error))
        bench_stop(error);
    return result;
}

double bench_run_seconds(const BenchRun *run, gboolean fast_forward, PsSimResult *result)
{
    const double start = bench_seconds();
    double seconds;
    int n = 0;
    do {
        *result = bench_run_once(run, fast_forward);
        seconds = bench_seconds() - start;
        n++;
    } while (seconds < LEAST_SECONDS);
    return seconds / n;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_median(double *values, int n)
{
    qsort(values, (size_t)n, sizeof(double), compare);
    return values[n / 2];
}

BenchPair bench_run_pair(const BenchRun *run)
{
    double with[PAIR_ROUNDS], without[PAIR_ROUNDS], ratio[PAIR_ROUNDS];
    BenchPair pair = {0};
    PsSimResult same;
    for (int i = 0; i < PAIR_ROUNDS; i++) {
        /* The two go first in turns, too. */
        if (i % 2 == 0)
            without[i] = bench_run_seconds(run, FALSE, &same);
        with[i] = bench_run_seconds(run, TRUE, &pair.result);
        if (i % 2 != 0)
            without[i] = bench_run_seconds(run, FALSE, &same);
        ratio[i] = with[i] / without[i];
    }
    pair.with = bench_median(with, PAIR_ROUNDS);
    pair.without = bench_median(without, PAIR_ROUNDS);
    pair.ratio = bench_median(ratio, PAIR_ROUNDS);
    return pair;
}
