/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What it costs to look for recurrences where that is in vain: kernels whose state does not recur
 * for long, and graphs that were made to mislead the search. The ratio is that of the time with
 * fast-forward to the time without.
 */
#include "tests/bench/sections.h"

#include <stdio.h>

#define GRAPH(groups, size, codes)                                                                 \
    "<idg xmlns='urn:pipesim:idg:1' version='1' name='made'>"                                      \
    "<launch groups='" groups "' group-size='" size "'/>" codes "</idg>"
#define CODE(warps, body) "<code" warps ">" body "</code>"
#define LOOP(times, body) "<loop times='" times "'>" body "</loop>"
#define CHAIN(name, class) "<node name='" name "' class='" class "' after='" name "'/>"
#define FREE(name, class) "<node name='" name "' class='" class "'/>"

/* Two chains of a loop: the one runs further and further ahead of the other. */
#define DRIFT CHAIN("f", "fmadd") CHAIN("l", "loop")
#define R1_R2                                                                                      \
    {                                                                                              \
        .schedulers = 4, .has_order = TRUE, .order = PS_ORDER_PROGRAM                              \
    }
#define R2                                                                                         \
    {                                                                                              \
        .has_order = TRUE, .order = PS_ORDER_PROGRAM                                               \
    }

static const BenchSpec specs[] = {
    {.name = "mmul16, 32 groups", .graph = "graphs/mmul16.idg", .launch.active = 32},
    {.name = "mmul08, R1 and R2", .graph = "graphs/mmul08.idg", .refinements = R1_R2},
    {.name = "two chains that drift, 1 warp",
     .graph = GRAPH("1", "32", CODE("", LOOP("200000", DRIFT)))},
    {.name = "two chains that drift, 32 warps",
     .graph = GRAPH("1", "1024", CODE("", LOOP("20000", DRIFT)))},
    {.name = "two chains that drift, loops in loops",
     .graph = GRAPH("1", "32", CODE("", LOOP("10", LOOP("10", LOOP("2000", DRIFT)))))},
    {.name = "a warp that drifts beside a steady one",
     .graph = GRAPH("1", "64",
                    CODE(" warps='0'", LOOP("200000", CHAIN("f", "fmadd")))
                        CODE("", LOOP("200000", DRIFT)))},
    {.name = "a warp that drifts after 63 steady ones",
     .graph = GRAPH("1", "2048",
                    CODE(" warps='0..62'", LOOP("20000", CHAIN("f", "fmadd")))
                        CODE("", LOOP("200000", DRIFT))),
     .launch.active = 1},
    {.name = "100000 resident groups of 2 instructions",
     .graph = GRAPH("2000000", "32", CODE("", FREE("f", "fmadd") FREE("g", "global"))),
     .launch.active = 100000},
};

/* A graph of so many loops of few trips, one after the other: each state is like the one a trip
 * before, but the loop is over before that helps. */
static char *many_loops(guint loops, guint trips, guint group_size)
{
    GString *codes = g_string_new(NULL);
    for (guint i = 0; i < loops; i++)
        g_string_append_printf(codes,
                               "<loop times='%u'><node name='f%u' class='fmadd' after='f%u f%u'/>"
                               "</loop>",
                               trips, i, i, i > 0 ? i - 1 : 0);
    char *text = g_strdup_printf("<idg xmlns='urn:pipesim:idg:1' version='1' name='made'>"
                                 "<launch groups='1' group-size='%u'/><code>%s</code></idg>",
                                 group_size, codes->str);
    g_string_free(codes, TRUE);
    return text;
}

static void show(const BenchSpec *spec)
{
    g_autoptr(BenchRun) run = bench_run_new(spec);
    const BenchPair pair = bench_run_pair(run);
    printf("  %-42s %9.3f ms %9.3f ms  %5.2f %6" G_GINT64_FORMAT "\n", spec->name,
           pair.without * 1e3, pair.with * 1e3, pair.ratio, pair.result.skips);
}

static void show_many_loops(void)
{
    g_autofree char *one = many_loops(1000, 3, 32);
    g_autofree char *all = many_loops(1000, 3, 2048);
    const BenchSpec made[] = {
        {.name = "1000 loops of 3 trips, 1 warp", .graph = one},
        {.name = "1000 loops of 3 trips, 1 warp, R2", .graph = one, .refinements = R2},
        {.name = "1000 loops of 3 trips, 64 warps", .graph = all, .launch.active = 1},
        {.name = "1000 loops of 3 trips, 64 warps, R1 and R2",
         .graph = all,
         .launch.active = 1,
         .refinements = R1_R2},
    };
    for (guint i = 0; i < G_N_ELEMENTS(made); i++)
        show(&made[i]);
}

void bench_search(void)
{
    printf(
        "Looking for recurrences where there are few or none (target of the ratio: at most 1.3)\n"
        "  %-42s %12s %12s  %5s %6s\n",
        "Pascal", "without", "with", "ratio", "skips");
    for (guint i = 0; i < G_N_ELEMENTS(specs); i++)
        show(&specs[i]);
    show_many_loops();
}
