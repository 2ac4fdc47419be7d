/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Are the intervals of estimates honest? Runs cases exactly and estimated, and says how often the
 * exact time lies inside the stated 95 % interval, how wide those are, and how much was simulated.
 *
 *     intervals random FROM TO       random long kernels of these seeds, with random refinements
 *
 * A line for each case that was estimated, then the sums. What repeats exactly is not estimated,
 * and does not count.
 */
#include "sim/engine/estimate.h"
#include "tests/help/engine.h"
#include "tests/help/random-refine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Estimates may begin after so many instructions, a sixteenth of the usual, which is harder: drift
 * that is slow shows in few. What an exact run simulates less than twice of is no case. */
#define BEGIN (PS_SIM_EXACT_INSTRUCTIONS / 16)

/* Exact runs of more are given up. */
#define MOST 40000000

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
    sums->cases++;
    if (estimate->half_width == 0)
        return;
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
    PsSimOptions options = {.most_instructions = MOST};
    g_autoptr(GError) error = NULL;
    if (!ps_sim_run(machine, &options, &exact, &error) || exact.simulated < 2 * BEGIN)
        return;
    options.precision = PRECISION;
    options.exact_instructions = BEGIN;
    if (ps_sim_run(machine, &options, &estimate, &error))
        add(sums, name, &exact, &estimate);
    else
        printf("%s: %s\n", name, error->message);
}

static void print_sums(const char *what, const Sums *sums)
{
    const double n = MAX(sums->estimated, 1);
    printf("%s: %u cases, %u estimated, inside %u (%.1f %%), +-%.3f %%, simulated %.1f %%\n", what,
           sums->cases, sums->estimated, sums->inside, 100 * sums->inside / n,
           100 * sums->width / n, 100 * sums->simulated / n);
}

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

int main(int argc, char **argv)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (argc == 4 && strcmp(argv[1], "random") == 0)
        random_seeds((guint32)atoi(argv[2]), (guint32)atoi(argv[3]));
    return 0;
}
