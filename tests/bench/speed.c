/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How fast the engine is: simulated warp instructions per second of processor time for mmul08 on
 * Pascal with 64 warps, nothing skipped, beside what llvm-mca simulates of a CPU's instructions.
 * The two take turns, so that the ratio holds on a machine whose speed drifts. A benchmark, not a
 * test: it judges nothing.
 */
#include "pipesim.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#define ROUNDS 5
#define MCA_INSTRUCTIONS 1e6 /* 250000 iterations of four lines */

static const char *mca_input = "vfmadd213pd %ymm0, %ymm1, %ymm2\n"
                               "vfmadd213pd %ymm0, %ymm1, %ymm3\n"
                               "vfmadd213pd %ymm0, %ymm1, %ymm4\n"
                               "vfmadd213pd %ymm0, %ymm1, %ymm5\n";

static double cpu_seconds(int who)
{
    struct rusage usage;
    getrusage(who, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

static void stop(const GError *error)
{
    fprintf(stderr, "bench: %s\n", error->message);
    exit(1);
}

/* Millions of warp instructions per second; with the statistics that every report needs, or
 * without any listener. */
static double engine_rate(const PsMachine *machine, gboolean with_stats)
{
    GError *error = NULL;
    PsSimResult result;
    g_autoptr(PsStats) stats = ps_stats_new(machine);
    const PsListener listener = ps_stats_listener(stats);
    const double start = cpu_seconds(RUSAGE_SELF);
    if (!ps_sim_run(machine, &(PsSimOptions){&listener, with_stats ? 1 : 0, TRUE}, &result, &error))
        stop(error);
    return (double)result.instructions / (cpu_seconds(RUSAGE_SELF) - start) * 1e-6;
}

/* Millions of CPU instructions per second; 0 where llvm-mca is missing. */
static double mca_rate(const char *input)
{
    const char *argv[] = {"llvm-mca", "-mcpu=skylake", "-iterations=250000", input, NULL};
    const double start = cpu_seconds(RUSAGE_CHILDREN);
    int status = 0;
    if (!g_spawn_sync(NULL, (char **)argv, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL,
                      NULL, NULL, NULL, NULL, &status, NULL) ||
        status != 0)
        return 0;
    return MCA_INSTRUCTIONS / (cpu_seconds(RUSAGE_CHILDREN) - start) * 1e-6;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double values[ROUNDS])
{
    qsort(values, ROUNDS, sizeof(double), compare);
    return values[ROUNDS / 2];
}

int main(void)
{
    GError *error = NULL;
    g_autoptr(PsIdg) idg = ps_idg_load("graphs/mmul08.idg", &error);
    g_autoptr(PsGpu) gpu = idg != NULL ? ps_gpu_load("gpus/pascal.xml", &error) : NULL;
    g_autoptr(PsKernel) kernel = gpu != NULL ? ps_kernel_new(idg, NULL, &error) : NULL;
    g_autoptr(GPtrArray) warnings = g_ptr_array_new_with_free_func(g_free);
    const PsLaunchOptions options = {0};
    PsLaunch launch;
    if (kernel == NULL || !ps_launch_resolve(kernel, gpu, &options, &launch, warnings, &error))
        stop(error);
    g_autoptr(PsMachine) machine = ps_machine_new(kernel, gpu, &launch, NULL, warnings, &error);
    if (machine == NULL)
        stop(error);

    g_autofree char *input = g_build_filename(g_get_tmp_dir(), "pipesim-bench-XXXXXX", NULL);
    const int fd = g_mkstemp(input);
    if (fd < 0 || !g_file_set_contents(input, mca_input, -1, &error))
        stop(error);
    double plain[ROUNDS], stats[ROUNDS], mca[ROUNDS], ratio[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
        mca[i] = mca_rate(input);
        plain[i] = engine_rate(machine, FALSE);
        stats[i] = engine_rate(machine, TRUE);
        ratio[i] = mca[i] > 0 ? plain[i] / mca[i] : 0;
    }
    remove(input);
    printf("mmul08, Pascal, 64 warps       %6.1f M warp instructions/s\n", median(plain));
    printf("the same with statistics       %6.1f M warp instructions/s\n", median(stats));
    if (mca[0] > 0)
        printf("llvm-mca, 4 vfmadd, 250000x    %6.2f M instructions/s\n"
               "ratio, pair by pair            %6.1f\n",
               median(mca), median(ratio));
    else
        printf("llvm-mca is not installed: no comparison\n");
    return 0;
}
