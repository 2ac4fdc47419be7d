/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * docs/evidence/footprints.md and its rows, what micro-benchmarks touch of memory on GPUs with
 * small and large caches: they must be what this makes of the plans. With PIPESIM_FOOTPRINTS set to
 * a folder, they are written there.
 */
#include "gpu/rows.h"
#include "latency-bench/internal.h"
#include "tests/help/known-gpus.h"
#include "tests/help/made-up.h"

#include <string.h>

/* "walk" of "walk", "fadd" of "fadd-ilp4": chains do not matter here (g_free). */
static char *family_of(const char *name)
{
    const char *end = strstr(name, "-ilp");
    return end ? g_strndup(name, (gsize)(end - name)) : g_strdup(name);
}

typedef struct {
    guint launches;
    gint64 least, most; /* bytes touched */
    gint64 sectors;     /* most, of a CU and step */
    gint64 reuse;       /* least above 0; 0: nothing is met again */
    gint64 memory;
    gboolean is_cold;
} Range;

static void extend(Range *range, const PsBenchKernel *kernel, const PsDeviceInfo *info,
                   const PsBenchLaunch *launch)
{
    const PsFootprint footprint = ps_bench_footprint(kernel, info, launch);
    range->least = range->launches ? MIN(range->least, footprint.bytes) : footprint.bytes;
    range->most = MAX(range->most, footprint.bytes);
    range->sectors = MAX(range->sectors, footprint.sectors);
    range->memory = MAX(range->memory, launch->memory);
    if (footprint.reuse > 0)
        range->reuse = range->reuse ? MIN(range->reuse, footprint.reuse) : footprint.reuse;
    range->is_cold |= ps_bench_is_cold(kernel, launch);
    range->launches++;
}

static void put_size(GString *page, gint64 bytes)
{
    if (bytes >= MIB)
        g_string_append_printf(page, "%.4g MiB", (double)bytes / (double)MIB);
    else
        g_string_append_printf(page, "%.4g KiB", (double)bytes / 1024);
}

/* A line of the rows: a benchmark on a GPU. */
static void put_range(GString *rows, const KnownGpu *gpu, const char *name, const Range *range)
{
    g_string_append_printf(rows, "%s\t%s\t%u\t", gpu->name, name, range->launches);
    put_size(rows, range->memory);
    g_string_append_c(rows, '\t');
    put_size(rows, range->least);
    if (range->most > range->least) {
        g_string_append(rows, " to ");
        put_size(rows, range->most);
    }
    g_string_append_printf(rows, "\t%ld\t", (long)range->sectors);
    if (range->reuse)
        put_size(rows, range->reuse);
    else
        g_string_append(rows, "never");
    g_string_append(rows, range->is_cold ? "\temptied\n" : "\tas they are\n");
}

/* What the benchmarks of a GPU come to. */
typedef struct {
    guint benchmarks, launches, cold;
    gint64 most; /* bytes that a launch touches */
} Total;

static void end_range(GString *rows, const KnownGpu *gpu, const char *name, const Range *range,
                      Total *total)
{
    put_range(rows, gpu, name, range);
    total->benchmarks++;
    total->launches += range->launches;
    total->cold += range->is_cold ? 1 : 0;
    total->most = MAX(total->most, range->most);
}

static void put_gpu(GString *page, GString *rows, const KnownGpu *gpu)
{
    const PsDeviceInfo info = known_gpu_info(gpu);
    g_autoptr(PsBenchPlan) plan = ps_bench_plan(&info, PS_GRID_FULL, NULL);
    g_autofree char *family = NULL;
    Range range = {0};
    Total total = {0};
    for (guint i = 0; i < plan->points->len; i++) {
        const PsBenchPoint *point = &g_array_index(plan->points, PsBenchPoint, i);
        const PsBenchKernel *kernel = plan->kernels->pdata[point->kernel];
        g_autofree char *own = family_of(kernel->name);
        if (family && strcmp(own, family) != 0 && range.launches)
            end_range(rows, gpu, family, &range, &total);
        if (!family || strcmp(own, family) != 0)
            range = (Range){0};
        if (kernel->access != PS_ACCESS_NONE)
            extend(&range, kernel, &info, &point->launch);
        g_free(family);
        family = g_steal_pointer(&own);
    }
    if (range.launches)
        end_range(rows, gpu, family, &range, &total);
    g_string_append_printf(page, "| %s | %ld MiB | %u | %u | %u | ", gpu->name, (long)gpu->last,
                           total.benchmarks, total.launches, total.cold);
    put_size(page, total.most);
    g_string_append(page, " |\n");
}

/* Cycles of a level, as the description says. */
static double cycles_of(const PsGpu *gpu, PsLevel at)
{
    const PsMemoryLevel *level = ps_gpu_level(gpu, at);
    PsRational cycles = {0, 1};
    g_assert_true(level && ps_gpu_cycles(level->latency, level->at, gpu->clock, &cycles));
    return ps_rational_to_double(cycles);
}

/* A campaign on model devices of which all is known. */
static void put_fits(GString *page)
{
    static const gint64 mib[] = {4, 40, 50, 96};
    static const char *const classes[] = {"global.load", "global.load.broadcast", "memory"};
    g_string_append_printf(
        page,
        "\n## What the fit makes of it\n\nCampaigns with the full grid on model devices whose last "
        "caches differ, with 1 %% of noise; in cycles. The truth is %d,\n%d and %d, and the last "
        "one for all three classes, whose loads come from device memory.\n\n"
        "| last cache | L1 | L2 | device memory | `global.load` | `global.load.broadcast` | "
        "`memory` "
        "|\n|--:|--:|--:|--:|--:|--:|--:|\n",
        MADE_UP_L1, MADE_UP_L2, MADE_UP_DEVICE);
    for (guint i = 0; i < G_N_ELEMENTS(mib); i++) {
        g_autoptr(PsGpu) gpu = made_up_with_l2(mib[i]);
        g_autoptr(PsBenchResult) result = made_up_campaign(gpu, 0.01, 0);
        g_string_append_printf(page, "| %ld MiB |", (long)mib[i]);
        for (PsLevel level = PS_LEVEL_L1; level <= PS_LEVEL_DEVICE; level++)
            if (ps_gpu_level(gpu, level))
                g_string_append_printf(page, " %.1f |", cycles_of(result->gpu, level));
        for (guint k = 0; k < G_N_ELEMENTS(classes); k++)
            g_string_append_printf(page, " %.1f |",
                                   made_up_fit(result, classes[k])->fit.completion.value);
        g_string_append_c(page, '\n');
    }
}

typedef struct {
    GString *page, *rows;
} Told;

static void told_clear(Told *told)
{
    g_string_free(told->page, TRUE);
    g_string_free(told->rows, TRUE);
}

static Told tell_all(void)
{
    const Told told = {
        .page = g_string_new(
            "# What micro-benchmarks touch\n\n"
            "`make footprints` makes this page and [its rows](rows/footprints.tsv) from the plan "
            "of "
            "the full grid.\n`tests/unit/addresses.c` runs the kernels' own sources, thread by "
            "thread. It holds their addresses against these\nfigures, which raw files state of "
            "each "
            "launch, and replays them through a cache. What is to be found in device "
            "memory\nmisses "
            "a cache of twice the last one with every access. What is to be found in L1 or L2 "
            "misses "
            "once. Launches of too\nmany accesses are replayed with fewer trips. Loads and stores "
            "of "
            "matrices A, B and C are, step by step, those of\nmmul08 and mmul16, whose code is "
            "executed for that.\n\n"
            "A row has a benchmark on a GPU: its launches, the buffer, the bytes that a launch "
            "touches, the sectors of a CU and\nstep, the fewest bytes between two touches of a "
            "sector within one launch, and whether a sweep reads twice the last\ncache before each "
            "launch (*emptied*).\n\n"
            "| GPU | last cache | benchmarks | launches | benchmarks whose caches are emptied | "
            "most "
            "that a launch touches |\n|---|--:|--:|--:|--:|--:|\n"),
        .rows = g_string_new("GPU\tbenchmark\tlaunches\tbuffer\ttouched by a launch\tsectors of a "
                             "CU and step\tmet again after\tcaches\n"),
    };
    for (guint i = 0; i < N_KNOWN_GPUS; i++)
        put_gpu(told.page, told.rows, &known_gpus[i]);
    put_fits(told.page);
    return told;
}

#define PAGE "footprints.md"
#define ROWS "rows/footprints.tsv"

static gboolean write_file(const char *folder, const char *name, const GString *text)
{
    g_autofree char *path = g_build_filename(folder, name, NULL);
    return g_file_set_contents(path, text->str, (gssize)text->len, NULL);
}

static gboolean write_all(const char *folder)
{
    Told told = tell_all();
    const gboolean is_written =
        write_file(folder, PAGE, told.page) && write_file(folder, ROWS, told.rows);
    told_clear(&told);
    return is_written;
}

static void assert_is(const char *name, const GString *expected)
{
    g_autofree char *path = g_build_filename("docs/evidence", name, NULL);
    g_autofree char *text = NULL;
    g_assert_true(g_file_get_contents(path, &text, NULL, NULL));
    g_assert_cmpstr(text, ==, expected->str);
}

static void test_page(void)
{
    Told told = tell_all();
    assert_is(PAGE, told.page);
    assert_is(ROWS, told.rows);
    told_clear(&told);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    if (g_getenv("PIPESIM_FOOTPRINTS"))
        return write_all(g_getenv("PIPESIM_FOOTPRINTS")) ? 0 : 1;
    g_test_add_func("/footprint-page/same", test_page);
    return g_test_run();
}
