/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What fast-forward gains: answers to questions of growing size. What can be run without it takes a
 * second or so; of what cannot, the time is estimated from the number of instructions and the rate
 * that was measured last.
 */
#include "tests/bench/sections.h"

#include <stdio.h>

#define TRILLION G_GINT64_CONSTANT(1000000000000)

/* Without fast-forward it would run at that many instructions per second. */
static BenchPair estimate(const BenchRun *run, double rate)
{
    BenchPair pair = {0};
    double with[BENCH_ROUNDS];
    for (int i = 0; i < BENCH_ROUNDS; i++)
        with[i] = bench_run_seconds(run, TRUE, &pair.result);
    pair.with = bench_median(with, BENCH_ROUNDS);
    pair.without = (double)pair.result.instructions / rate;
    pair.ratio = pair.with / pair.without;
    return pair;
}

/* Runs one kernel; *rate is 0 where it is to be measured. Returns the time with fast-forward. */
static double show(const BenchSpec *spec, double *rate)
{
    g_autoptr(BenchRun) run = bench_run_new(spec);
    const gboolean measured = *rate <= 0;
    const BenchPair pair = measured ? bench_run_pair(run) : estimate(run, *rate);
    const double instructions = (double)pair.result.instructions;
    if (measured)
        *rate = instructions / pair.without;
    printf("  %-42s %12.4g %9.3f ms %10.4g s%s %10.4g\n", spec->name, instructions, pair.with * 1e3,
           pair.without, measured ? " " : "*", 1 / pair.ratio);
    return pair.with;
}

static void head(const char *title)
{
    printf("%s\n  %-42s %12s %12s %12s  %10s\n", title, "* estimated", "instructions", "with",
           "without", "gain");
}

static BenchSpec mmul08(const char *name, gint64 size)
{
    return (BenchSpec){.name = name,
                       .graph = "graphs/mmul08.idg",
                       .param = "size",
                       .value = size,
                       .statistics = TRUE};
}

static BenchSpec fadd(const char *name, gint64 n, gint64 groups)
{
    return (BenchSpec){.name = name,
                       .graph = "graphs/fadd.idg",
                       .param = "n",
                       .value = n,
                       .launch.groups = groups,
                       .statistics = TRUE};
}

static void show_sizes(void)
{
    const BenchSpec sizes[] = {mmul08("size 2^10", 1 << 10), mmul08("size 2^14", 1 << 14),
                               mmul08("size 2^20", 1 << 20)};
    double rate = 0, times[G_N_ELEMENTS(sizes)];
    head("Fast-forward: mmul08, Pascal, 64 warps, with statistics");
    for (guint i = 0; i < G_N_ELEMENTS(sizes); i++)
        times[i] = show(&sizes[i], &rate);
    printf("  from the first to the last, time grows by a factor of %.2f (target: below 10)\n",
           times[G_N_ELEMENTS(sizes) - 1] / times[0]);
}

static void show_chains(void)
{
    const BenchSpec chains[] = {fadd("10^5 iterations, 8 warps", 100000, 1),
                                fadd("10^12 iterations, 8 warps", TRILLION, 1),
                                fadd("10^12 iterations, 1024 groups of 8 warps", TRILLION, 1024)};
    double rate = 0;
    head("Fast-forward: a loop around a chain, fadd, Pascal, with statistics (target: "
         "milliseconds)");
    for (guint i = 0; i < G_N_ELEMENTS(chains); i++)
        show(&chains[i], &rate);
}

void bench_growth(void)
{
    show_sizes();
    printf("\n");
    show_chains();
}
