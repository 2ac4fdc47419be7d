/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Are the intervals of estimates honest? Runs cases estimated and exactly, and says how often the
 * exact time lies inside the stated 95 % interval, how wide those are, and how much was simulated.
 *
 *     intervals random FROM TO       random long kernels of these seeds, with random refinements
 *     intervals graphs FILE...       graphs (.idg) on GPUs (.xml) with their refinements
 *
 * A line for each case that was estimated, then the sums. What repeats exactly before that is not
 * estimated, and does not count; nor does what takes too long to be estimated.
 */
#include "sim/engine/estimate.h"
#include "tests/help/engine.h"
#include "tests/help/random-refine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Estimates may begin after so many instructions, a sixteenth of the usual, which is harder: drift
 * that is slow shows in few. */
#define BEGIN (PS_SIM_EXACT_INSTRUCTIONS / 16)

/* What is not estimated within so many is given up, and so are exact runs of more. */
#define MOST_ESTIMATED (10 * BEGIN)
#define MOST 40000000

/* Graphs get as many groups as make so many instructions on a CU. */
#define ON_A_CU 8000000

#define PRECISION 0.005

typedef struct {
    guint cases, estimated, inside;
    double width, simulated; /* sums of shares */
} Sums;

static void add(Sums *sums, const char *name, const PsSimResult *exact, const PsSimResult *estimate)
{
    const double ticks = (double)exact->ticks;
    const double off = (double)(estimate->ticks - exact->ticks) / ticks;
    const double width = (double)estimate->half_width / ticks;
    const double simulated = (double)estimate->simulated / (double)exact->simulated;
    sums->estimated++;
    sums->inside += fabs(off) <= width;
    sums->width += width;
    sums->simulated += simulated;
    printf("%s %+9.4f %% of +-%8.4f %%, simulated %5.1f %%%s\n", name, 100 * off, 100 * width,
           100 * simulated, fabs(off) <= width ? "" : "  OUTSIDE");
}

static void try(Sums *sums, const char *name, const PsMachine *machine)
{
    PsSimResult exact, estimate;
    PsSimOptions options = {
        .most_instructions = MOST_ESTIMATED, .precision = PRECISION, .exact_instructions = BEGIN};
    sums->cases++;
    if (!ps_sim_run(machine, &options, &estimate, NULL) || estimate.half_width == 0)
        return;
    options = (PsSimOptions){.most_instructions = MOST};
    if (ps_sim_run(machine, &options, &exact, NULL))
        add(sums, name, &exact, &estimate);
}

static void print_sums(const char *what, const Sums *sums)
{
    const double n = MAX(sums->estimated, 1);
    printf("%s: %u cases, %u estimated, inside %u (%.1f %%), +-%.3f %%, simulated %.1f %%\n", what,
           sums->cases, sums->estimated, sums->inside, 100 * sums->inside / n,
           100 * sums->width / n, 100 * sums->simulated / n);
}

/* ---- random cases -------------------------------------------------------------------------- */

static void random_seeds(guint32 from, guint32 to)
{
    Sums sums = {0};
    for (guint32 seed = from; seed <= to; seed++) {
        g_autoptr(RandomCase) c = random_case_new_crowd(seed, 3000000, 20000000);
        g_autofree char *name = g_strdup_printf("seed %u", seed);
        random_case_refine(c);
        /* In dataflow order, stores that nobody waits for pile up without end, which policies other
         * than fifo look through at each choice: these take hours. */
        if (c->refinements.policy != PS_POLICY_FIFO || c->refinements.schedulers > 0)
            c->refinements.order = PS_ORDER_PROGRAM;
        const EngineRun run = engine_run_of(c);
        Engine engine;
        if (!engine_open(&engine, &run, NULL))
            continue;
        try(&sums, name, engine.machine);
        engine_close(&engine);
    }
    print_sums("random", &sums);
}

/* ---- graphs -------------------------------------------------------------------------------- */

/* How many times its groups a launch is to have. */
static gint64 times_groups(const PsMachine *machine)
{
    const PsSimOptions options = {.precision = PRECISION};
    PsSimResult result;
    if (!ps_sim_run(machine, &options, &result, NULL) || result.instructions == 0)
        return 1;
    return MAX(1, ON_A_CU * machine->n_cus / result.instructions);
}

static void graph_on_gpu(Sums *sums, const PsIdg *idg, const PsGpu *gpu, const char *name)
{
    EngineRun run = {.idg = idg, .gpu = gpu};
    const PsRefinementOptions none = {0};
    Engine engine;
    if (!ps_refinements_resolve(gpu, &none, &run.refinements, NULL) ||
        !engine_open(&engine, &run, NULL))
        return;
    run.options.groups = engine.machine->launch.groups * times_groups(engine.machine);
    engine_close(&engine);
    if (!engine_open(&engine, &run, NULL))
        return;
    try(sums, name, engine.machine);
    engine_close(&engine);
}

static void on_gpus(Sums *sums, const char *file, char **files)
{
    g_autoptr(PsIdg) idg = ps_idg_load(file, NULL);
    for (; idg && *files; files++) {
        g_autoptr(PsGpu) gpu = g_str_has_suffix(*files, ".xml") ? ps_gpu_load(*files, NULL) : NULL;
        if (!gpu)
            continue;
        g_autofree char *graph = g_path_get_basename(file), *on = g_path_get_basename(*files);
        g_autofree char *name = g_strdup_printf("%s on %s", graph, on);
        graph_on_gpu(sums, idg, gpu, name);
    }
}

static void graphs(char **files)
{
    Sums sums = {0};
    for (char **file = files; *file; file++)
        if (g_str_has_suffix(*file, ".idg"))
            on_gpus(&sums, *file, files);
    print_sums("graphs", &sums);
}

int main(int argc, char **argv)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (argc == 4 && strcmp(argv[1], "random") == 0)
        random_seeds((guint32)atoi(argv[2]), (guint32)atoi(argv[3]));
    if (argc > 2 && strcmp(argv[1], "graphs") == 0)
        graphs(argv + 2);
    return 0;
}
