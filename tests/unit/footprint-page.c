/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * docs/evidence/footprints.md, what micro-benchmarks touch of memory on GPUs with small and large
 * caches: it must be what this makes of the plans. With PIPESIM_FOOTPRINTS set to a file, it is
 * written there.
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

static void put_range(GString *page, const char *name, const Range *range)
{
    g_string_append_printf(page, "| %s | %u | ", name, range->launches);
    put_size(page, range->memory);
    g_string_append(page, " | ");
    put_size(page, range->least);
    if (range->most > range->least) {
        g_string_append(page, " to ");
        put_size(page, range->most);
    }
    g_string_append_printf(page, " | %ld | ", (long)range->sectors);
    if (range->reuse)
        put_size(page, range->reuse);
    else
        g_string_append(page, "never");
    g_string_append(page, range->is_cold ? " | emptied |\n" : " | |\n");
}

static void put_gpu(GString *page, const KnownGpu *gpu)
{
    const PsDeviceInfo info = known_gpu_info(gpu);
    g_autoptr(PsBenchPlan) plan = ps_bench_plan(&info, PS_GRID_FULL, NULL);
    g_autofree char *family = NULL;
    Range range = {0};
    g_string_append_printf(
        page,
        "\n## %s: a last cache of %ld MiB\n\n"
        "| benchmark | launches | buffer | touched by a launch | sectors of a CU "
        "and step | met again after | caches |\n|---|--:|--:|--:|--:|--:|---|\n",
        gpu->name, (long)gpu->last);
    for (guint i = 0; i < plan->points->len; i++) {
        const PsBenchPoint *point = &g_array_index(plan->points, PsBenchPoint, i);
        const PsBenchKernel *kernel = plan->kernels->pdata[point->kernel];
        g_autofree char *own = family_of(kernel->name);
        if (family && strcmp(own, family) != 0 && range.launches)
            put_range(page, family, &range);
        if (!family || strcmp(own, family) != 0)
            range = (Range){0};
        if (kernel->access != PS_ACCESS_NONE)
            extend(&range, kernel, &info, &point->launch);
        g_free(family);
        family = g_steal_pointer(&own);
    }
    if (range.launches)
        put_range(page, family, &range);
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
        "caches differ, with 1 %% of noise; in cycles. The truth is %d, %d and %d,\nand the last "
        "one "
        "for all three classes, whose loads come from device memory.\n\n"
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

static GString *make_page(void)
{
    GString *page = g_string_new(
        "# What micro-benchmarks touch\n\n"
        "Made by `make footprints`, from the plan of the full grid. `tests/unit/addresses.c` runs "
        "the "
        "kernels' own sources, thread by\nthread, holds the addresses against these figures (which "
        "raw files state of each launch), and replays them through a cache:\nwhat is to be found "
        "in "
        "device memory misses a cache of twice the last one with every access; what is to be found "
        "in L1 or L2\nmisses once. Launches of too many accesses are replayed with fewer trips. "
        "Loads and stores of matrices A, B and C are, step by\nstep, those of mmul08 and mmul16, "
        "whose code is executed for that.\n\n"
        "\"Emptied\": before each launch a sweep reads twice the last cache. \"Met again after\": "
        "the "
        "fewest bytes between two touches of a\nsector within one launch.\n");
    for (guint i = 0; i < N_KNOWN_GPUS; i++)
        put_gpu(page, &known_gpus[i]);
    put_fits(page);
    return page;
}

static gboolean write_page(const char *path)
{
    g_autoptr(GString) page = make_page();
    return g_file_set_contents(path, page->str, (gssize)page->len, NULL);
}

static void test_page(void)
{
    g_autofree char *text = NULL;
    g_autoptr(GString) page = make_page();
    g_assert_true(g_file_get_contents("docs/evidence/footprints.md", &text, NULL, NULL));
    g_assert_cmpstr(text, ==, page->str);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    if (g_getenv("PIPESIM_FOOTPRINTS"))
        return write_page(g_getenv("PIPESIM_FOOTPRINTS")) ? 0 : 1;
    g_test_add_func("/footprint-page/same", test_page);
    return g_test_run();
}
