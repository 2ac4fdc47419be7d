/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Benchmarks: they print figures, with the targets beside them, and judge nothing.
 *
 *     bench                  all parts
 *     bench growth search    these parts
 *     bench once             names of runs for a profiler
 *     bench once published   that run
 *
 * From the root of the sources, for the sake of graphs/ and gpus/.
 */
#include "tests/bench/sections.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    void (*run)(void);
} parts[] = {
    {"speed", bench_speed},   {"growth", bench_growth},   {"occupancies", bench_occupancies},
    {"search", bench_search}, {"explain", bench_explain}, {"import", bench_import},
    {"front", bench_front},   {"pocl", bench_pocl},       {"compiled", bench_compiled}};

static gboolean asked(const char *part, int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], part) == 0)
            return TRUE;
    return argc == 1;
}

static int run_once(const char *name)
{
    if (!name)
        bench_speed_names();
    else if (!bench_speed_once(name) && !bench_front_once(name))
        return fprintf(stderr, "bench: there is no run '%s'\n", name), 2;
    return 0;
}

int main(int argc, char **argv)
{
    guint n = 0;
    if (argc > 1 && strcmp(argv[1], "once") == 0)
        return run_once(argv[2]);
    for (guint i = 0; i < G_N_ELEMENTS(parts); i++) {
        if (!asked(parts[i].name, argc, argv))
            continue;
        printf("%s", n++ > 0 ? "\n" : "");
        parts[i].run();
        fflush(stdout);
    }
    if (n > 0)
        return 0;
    fprintf(stderr, "bench: the parts are speed, growth, occupancies, search, explain, import, "
                    "pocl, front and compiled\n");
    return 2;
}
