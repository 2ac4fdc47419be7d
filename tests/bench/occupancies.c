/* SPDX-License-Identifier: BSD-3-Clause */
/* What fast-forward gains for a sweep: every occupancy of both matrix multiplications. */
#include "tests/bench/sections.h"

#include <stdio.h>

typedef struct {
    int runs;
    double with, without;
    double instructions;
} Sum;

/* Binding, simulating and statistics, once each. */
static double answer(BenchRun *run, gint64 active, gboolean fast_forward, Sum *sum)
{
    const double start = bench_seconds();
    bench_run_bind(run, active);
    const PsSimResult result = bench_run_once(run, fast_forward);
    const double seconds = bench_seconds() - start;
    if (fast_forward)
        sum->instructions += (double)result.instructions;
    return seconds;
}

static void add(const char *graph, const char *gpu, Sum *sum)
{
    const BenchSpec spec = {.graph = graph, .gpu = gpu, .statistics = TRUE};
    g_autoptr(BenchRun) run = bench_run_new(&spec);
    const gint64 most = run->kernel_launch.fitting_groups;
    for (gint64 active = 1; active <= most; active++) {
        sum->with += answer(run, active, TRUE, sum);
        sum->without += answer(run, active, FALSE, sum);
        sum->runs++;
    }
}

void bench_occupancies(void)
{
    Sum sum = {0};
    add("graphs/mmul08.idg", FERMI, &sum);
    add("graphs/mmul16.idg", FERMI, &sum);
    add("graphs/mmul08.idg", PASCAL, &sum);
    add("graphs/mmul16.idg", PASCAL, &sum);
    printf(
        "Fast-forward: every occupancy of mmul08 and mmul16 on Fermi and Pascal, with statistics\n"
        "  %d runs, %.4g instructions: %.2f s with (target: below 3), %.2f s without, gain "
        "%.1f\n",
        sum.runs, sum.instructions, sum.with, sum.without, sum.without / sum.with);
}
