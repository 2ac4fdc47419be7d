/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Importing a large profile: 10 000 launches of Nsight Compute's long form, 100 MB, beside `wc -l`
 * on the same file, which reads each byte once and does next to nothing with it.
 */
#include "tests/bench/sections.h"

#include "roofline/profile.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <sys/resource.h>

#define LAUNCHES 10000U
#define KERNELS 20U
#define METRICS 30U
#define PAIRS 9 /* of measurements, one after the other; odd */

static const char *const counted[] = {
    "smsp__sass_thread_inst_executed_op_fp64_pred_on.sum",
    "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum",
    "smsp__sass_thread_inst_executed_op_fp32_pred_on.sum",
    "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum",
    "smsp__sass_thread_inst_executed_op_integer_pred_on.sum",
    "smsp__sass_thread_inst_executed_op_memory_pred_on.sum",
    "smsp__inst_executed.sum",
};

static void put_row(FILE *file, guint launch, guint metric)
{
    fprintf(file,
            "\"%u\",\"58960\",\"stencils\",\"127.0.0.1\",\"void stencil_%u<float, (int)32, (bool)1>"
            "(const float *, const float *, float *, int, int, int, Parameters<float, (int)3>)\","
            "\"1\",\"7\",\"(256, 1, 1)\",\"(65536, 1, 1)\",\"0\",\"8.0\",\"Command line profiler "
            "metrics\",",
            launch, launch % KERNELS);
    if (metric < G_N_ELEMENTS(counted))
        fprintf(file, "\"%s\",\"inst\",\"%u,%03u,%03u\"\n", counted[metric], 1 + metric,
                launch % 1000, launch * 7 % 1000);
    else if (metric < 10)
        fprintf(file, "\"dram__bytes_%s.sum\",\"Mbyte\",\"%u.%02u\"\n",
                metric % 2 ? "read" : "write", 100 + metric, launch % 100);
    else if (metric == 10)
        fprintf(file, "\"gpu__time_duration.sum\",\"usecond\",\"%u.%02u\"\n", 100 + launch % 50,
                launch % 100);
    else
        fprintf(file,
                "\"smsp__warp_issue_stalled_reason_%u_per_warp_active.pct\",\"%%\",\"%u.%02u\"\n",
                metric, metric, launch % 100);
}

static char *write_profile(const char *folder)
{
    char *path = g_build_filename(folder, "profile.csv", NULL);
    FILE *file = g_fopen(path, "w");
    if (!file)
        return path;
    fputs("==PROF== Connected to process 58960\n"
          "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\",\"Context\","
          "\"Stream\",\"Block Size\",\"Grid Size\",\"Device\",\"CC\",\"Section Name\",\"Metric "
          "Name\",\"Metric Unit\",\"Metric Value\"\n",
          file);
    for (guint launch = 0; launch < LAUNCHES; launch++)
        for (guint metric = 0; metric < METRICS; metric++)
            put_row(file, launch, metric);
    fclose(file);
    return path;
}

static gboolean count(void *self, const PsProfileKernel *kernel, GError **error)
{
    (void)kernel, (void)error;
    ++*(guint *)self;
    return TRUE;
}

/* Processor time; the kernels, or the launches apart, go to *n. */
static double import_once(const char *path, gboolean apart, guint *n)
{
    const PsProfileOptions options = {.apart = apart, .each = count, .self = n};
    const double start = bench_seconds();
    *n = 0;
    g_autoptr(GError) error = NULL;
    g_autoptr(PsProfile) profile = ps_profile_load(path, &options, &error);
    if (!profile)
        bench_stop(error);
    return bench_seconds() - start;
}

static double count_lines(const char *path)
{
    char wc[] = "wc", lines_only[] = "-l";
    char *argv[] = {wc, lines_only, (char *)path, NULL};
    const double start = bench_seconds_of_others();
    g_autoptr(GError) error = NULL;
    g_autofree char *lines = NULL;
    if (!g_spawn_sync(NULL, argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &lines, NULL, NULL,
                      &error))
        bench_stop(error);
    return bench_seconds_of_others() - start;
}

static void show(const char *what, const char *path, double megabytes, gboolean apart)
{
    double ratios[PAIRS], times[PAIRS], lines[PAIRS];
    guint n = 0;
    import_once(path, apart, &n);
    for (guint i = 0; i < PAIRS; i++) {
        lines[i] = count_lines(path);
        times[i] = import_once(path, apart, &n);
        ratios[i] = times[i] / lines[i];
    }
    const double seconds = bench_median(times, PAIRS);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("  %-20s %6u %9.1f ms %9.1f ms %6.0f MB/s  %5.1f  %6.1f MB\n", what, n,
           bench_median(lines, PAIRS) * 1e3, seconds * 1e3, megabytes / seconds,
           bench_median(ratios, PAIRS), (double)usage.ru_maxrss / 1000);
}

void bench_import(void)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *folder = g_dir_make_tmp("pipesim-bench-XXXXXX", &error);
    if (!folder)
        bench_stop(error);
    g_autofree char *path = write_profile(folder);
    GStatBuf status = {0};
    g_stat(path, &status);
    const double megabytes = (double)status.st_size * 1e-6;
    printf("Importing %u launches, %u metrics each, %.0f MB (target of the ratio: at most 30)\n"
           "  %-20s %6s %12s %12s %11s  %5s  %9s\n",
           LAUNCHES, METRICS, megabytes, "Nsight Compute, long", "to", "wc -l", "import", "",
           "ratio", "most memory");
    show("summed per kernel", path, megabytes, FALSE);
    show("launches apart", path, megabytes, TRUE);
    g_unlink(path);
    g_rmdir(folder);
}
