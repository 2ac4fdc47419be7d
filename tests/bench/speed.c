/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How fast the engine is: simulated warp instructions per second for mmul08 on Pascal with 64
 * warps, nothing skipped, beside what llvm-mca simulates of a CPU's instructions.
 */
#include "tests/bench/sections.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MCA_INSTRUCTIONS 1e6 /* 250000 iterations of four lines */

static const char *mca_input = "vfmadd213pd %ymm0, %ymm1, %ymm2\n"
                               "vfmadd213pd %ymm0, %ymm1, %ymm3\n"
                               "vfmadd213pd %ymm0, %ymm1, %ymm4\n"
                               "vfmadd213pd %ymm0, %ymm1, %ymm5\n";

#define MMUL08 .graph = "graphs/mmul08.idg", .param = "size"
/* A product of tiles as compilers order it, with their stall counts: R9. With all that the V100's
 * description asks for: R1, R2, R3 (lrr), R5 and R7. */
static const char tiles[] =
    "<?xml version='1.0'?>"
    "<idg xmlns='urn:pipesim:idg:1' version='1' name='tiles'>"
    "<param name='size' value='1024'/>"
    "<launch groups='(size/16)^2' group-size='256' local-memory='2048'/>"
    "<code><loop times='size/16'>"
    "<node name='i' class='iadd' hold='4'/>"
    "<node name='a' class='global.load' hold='2' bytes='4' l2='1' device='1/16'/>"
    "<node name='b' class='global.load' bytes='4' l2='1' device='1/16'/>"
    "<node name='s' class='local.store' after='a' bytes='4' hold='2'/>"
    "<node name='t' class='local.store' after='b' bytes='4'/>"
    "<node name='m' class='barrier' after='s t' hold='5'/>"
    "<loop times='4'>"
    "<node name='x' class='local.load' bytes='16'/>"
    "<node name='y' class='local.load' bytes='4'/><node name='z' class='local.load' bytes='4'/>"
    "<node name='p' class='fmadd' after='x y'/><node name='q' class='fmadd' after='z' hold='4'/>"
    "<node name='r' class='fmadd' hold='4'/><node name='u' class='fmadd' hold='4'/>"
    "<node name='j' class='iadd'/>"
    "</loop>"
    "<node name='n' class='barrier' after='x@all y@all z@all'/>"
    "<node name='k' class='branch' hold='5'/>"
    "</loop><node name='w' class='global.store' bytes='4' device='1'/></code></idg>";

#define ON_V100 .graph = tiles, .param = "size", .gpu = "gpus/v100.xml", .launch.groups = 80 * 24

#define R1_R2(what)                                                                                \
    {                                                                                              \
        .schedulers = 4, .has_order = TRUE, .order = PS_ORDER_PROGRAM, .has_policy = TRUE,         \
        .policy = (what)                                                                           \
    }

static const struct {
    BenchSpec spec;
    const char *what;
    int target;
} kinds[] = {
    {{.name = "published", MMUL08}, "published model", 50},
    {{.name = "statistics", MMUL08, .statistics = TRUE}, "the same with statistics", 0},
    {{.name = "fifo", MMUL08, .refinements = R1_R2(PS_POLICY_FIFO)}, "R1 and R2, fifo", 20},
    {{.name = "lrr", MMUL08, .refinements = R1_R2(PS_POLICY_LRR)}, "R1, R2 and R3: lrr", 0},
    {{.name = "gto", MMUL08, .refinements = R1_R2(PS_POLICY_GTO)}, "R1, R2 and R3: gto", 0},
    {{.name = "gty", MMUL08, .refinements = R1_R2(PS_POLICY_GTY)}, "R1, R2 and R3: gty", 0},
    {{.name = "oldest", MMUL08, .refinements = R1_R2(PS_POLICY_OLDEST)},
     "R1, R2 and R3: oldest",
     0},
    {{.name = "all", ON_V100}, "V100: R1, R2, lrr, R5, R7 and R9", 0},
    {{.name = "all-gto", ON_V100, .refinements = {.has_policy = TRUE, .policy = PS_POLICY_GTO}},
     "the same with gto",
     0},
    {{.name = "all-gty", ON_V100, .refinements = {.has_policy = TRUE, .policy = PS_POLICY_GTY}},
     "the same with gty",
     0},
    {{.name = "all-statistics", ON_V100, .statistics = TRUE}, "lrr with statistics", 0},
};
#define N_KINDS G_N_ELEMENTS(kinds)

static BenchRun *kind_run(guint kind, gint64 size)
{
    BenchSpec spec = kinds[kind].spec;
    spec.value = size;
    return bench_run_new(&spec);
}

/* Millions of warp instructions per second. */
static double engine_rate(const BenchRun *run)
{
    PsSimResult result;
    const double seconds = bench_run_seconds(run, FALSE, &result);
    return (double)result.instructions / seconds * 1e-6;
}

/* Millions of CPU instructions per second; 0 where llvm-mca is missing. */
static double mca_rate(const char *input)
{
    const char *argv[] = {"llvm-mca", "-mcpu=skylake", "-iterations=250000", input, NULL};
    const double start = bench_seconds_of_others();
    int status = 0;
    if (!g_spawn_sync(NULL, (char **)argv, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL,
                      NULL, NULL, NULL, NULL, &status, NULL) ||
        status != 0)
        return 0;
    return MCA_INSTRUCTIONS / (bench_seconds_of_others() - start) * 1e-6;
}

static char *write_mca_input(void)
{
    GError *error = NULL;
    char *input = g_build_filename(g_get_tmp_dir(), "pipesim-bench-XXXXXX", NULL);
    const int fd = g_mkstemp(input);
    if (fd < 0 || !g_file_set_contents(input, mca_input, -1, &error))
        bench_stop(error);
    return input;
}

/* Kinds that run between two runs of llvm-mca; their ratio is to the mean of those. */
#define BETWEEN 2
#define MOST_MCA (1 + BENCH_ROUNDS * ((N_KINDS - 1) / BETWEEN + 1))

typedef struct {
    double rate[N_KINDS][BENCH_ROUNDS], ratio[N_KINDS][BENCH_ROUNDS];
    double mca[MOST_MCA];
    int n_mca;
} Rates;

static void measure(BenchRun *const *runs, const char *input, Rates *rates)
{
    double before = rates->mca[rates->n_mca++] = mca_rate(input);
    for (int i = 0; i < BENCH_ROUNDS; i++)
        for (guint first = 0; first < N_KINDS; first += BETWEEN) {
            const guint end = MIN(first + BETWEEN, N_KINDS);
            for (guint k = first; k < end; k++)
                rates->rate[k][i] = engine_rate(runs[k]);
            const double after = rates->mca[rates->n_mca++] = mca_rate(input);
            for (guint k = first; k < end && after > 0; k++)
                rates->ratio[k][i] = rates->rate[k][i] * 2 / (before + after);
            before = after;
        }
}

/* How often the published model's rate of the same round, which is the first kind's. */
static double share_of_published(const Rates *rates, guint kind)
{
    double shares[BENCH_ROUNDS];
    for (int i = 0; i < BENCH_ROUNDS; i++)
        shares[i] = rates->rate[kind][i] / rates->rate[0][i];
    return bench_median(shares, BENCH_ROUNDS);
}

static void report(Rates *rates)
{
    double share[N_KINDS];
    const double mca = bench_median(rates->mca, rates->n_mca);
    for (guint k = 0; k < N_KINDS; k++) /* before medians sort the rounds */
        share[k] = share_of_published(rates, k);
    printf("Raw speed: mmul08 on Pascal, 64 warps, and a kernel with holds on the V100; nothing "
           "skipped\n  %-42s %21s  published  llvm-mca\n"
           "  (targets of the ratio to the published model: 0.94 with statistics, 0.6 with "
           "R1 and R2)\n",
           "", "instructions/s");
    for (guint k = 0; k < N_KINDS; k++) {
        printf("  %-42s %19.2f M  %9.3f", kinds[k].what, bench_median(rates->rate[k], BENCH_ROUNDS),
               share[k]);
        if (mca > 0)
            printf("  %8.1f", bench_median(rates->ratio[k], BENCH_ROUNDS));
        if (kinds[k].target > 0)
            printf(" (target: at least %d)", kinds[k].target);
        printf("\n");
    }
    if (mca > 0)
        printf("  %-42s %19.2f M\n", "llvm-mca, 4 vfmadd, 250000 times", mca);
    else
        printf("  llvm-mca is not installed: no comparison\n");
}

void bench_speed(void)
{
    BenchRun *runs[N_KINDS];
    Rates rates = {.n_mca = 0};
    g_autofree char *input = write_mca_input();
    for (guint k = 0; k < N_KINDS; k++)
        runs[k] = kind_run(k, 1024);
    measure(runs, input, &rates);
    remove(input);
    report(&rates);
    for (guint k = 0; k < N_KINDS; k++)
        bench_run_free(runs[k]);
}

gboolean bench_speed_once(const char *name)
{
    for (guint k = 0; k < N_KINDS; k++) {
        if (strcmp(kinds[k].spec.name, name) != 0)
            continue;
        g_autoptr(BenchRun) run = kind_run(k, 256);
        printf("%" G_GINT64_FORMAT "\n", bench_run_once(run, FALSE).instructions);
        return TRUE;
    }
    return FALSE;
}

void bench_speed_names(void)
{
    for (guint k = 0; k < N_KINDS; k++)
        printf("%s\n", kinds[k].spec.name);
}
