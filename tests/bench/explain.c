/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What it costs to explain a run, critical path and waits, where every instruction is simulated:
 * the time of both beside that of the answer alone, with the statistics that every report has.
 */
#include "tests/bench/sections.h"

#include <stdio.h>

static const BenchSpec specs[] = {
    {.name = "mmul16, Pascal", .graph = "graphs/mmul16.idg"},
    {.name = "mmul16, Fermi", .graph = "graphs/mmul16.idg", .gpu = FERMI},
    {.name = "mmul08, Pascal", .graph = "graphs/mmul08.idg"},
    {.name = "mmul16, one group at a time", .graph = "graphs/mmul16.idg", .launch.active = 1},
    {.name = "mmul16, R1 and R2",
     .graph = "graphs/mmul16.idg",
     .refinements = {.schedulers = 4, .has_order = TRUE, .order = PS_ORDER_PROGRAM}},
    {.name = "conflicts, mmul16", .graph = "graphs/mmul16-conflict.idg"},
};

/* Seconds of processor time; an explained run ends with its rows. */
static double seconds_of(const BenchRun *run, gboolean explained)
{
    const double start = bench_seconds();
    GError *error = NULL;
    PsSimResult result;
    g_autoptr(PsStats) stats = ps_stats_new(run->machine);
    g_autoptr(PsPath) path = ps_path_new(run->machine);
    g_autoptr(PsWaits) waits = ps_waits_new(run->machine);
    const PsListener listeners[] = {ps_stats_listener(stats), ps_path_listener(path),
                                    ps_waits_listener(waits)};
    const PsSimOptions options = {.listeners = listeners,
                                  .n_listeners = explained ? G_N_ELEMENTS(listeners) : 1,
                                  .no_fast_forward = TRUE};
    if (!ps_sim_run(run->machine, &options, &result, &error))
        bench_stop(error);
    if (explained) {
        g_autoptr(GPtrArray) rows = ps_path_rows(path, result.ticks, &error);
        g_autoptr(GPtrArray) of_warps = ps_waits_rows(waits, result.ticks);
        if (!rows || of_warps->len == 0)
            bench_stop(error);
    }
    return bench_seconds() - start;
}

static void show(const BenchSpec *spec)
{
    g_autoptr(BenchRun) run = bench_run_new(spec);
    double plain[BENCH_ROUNDS], explained[BENCH_ROUNDS], ratio[BENCH_ROUNDS];
    for (int i = 0; i < BENCH_ROUNDS; i++) {
        plain[i] = seconds_of(run, FALSE);
        explained[i] = seconds_of(run, TRUE);
        ratio[i] = explained[i] / plain[i];
    }
    printf("  %-28s %9.3f s %9.3f s  %5.2f\n", spec->name, bench_median(plain, BENCH_ROUNDS),
           bench_median(explained, BENCH_ROUNDS), bench_median(ratio, BENCH_ROUNDS));
}

void bench_explain(void)
{
    printf("Explaining a run, nothing skipped (target of the ratio: at most 2)\n"
           "  %-28s %11s %11s  %5s\n",
           "", "plain", "explained", "ratio");
    for (guint i = 0; i < G_N_ELEMENTS(specs); i++)
        show(&specs[i]);
}
