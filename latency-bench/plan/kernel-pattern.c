/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Accesses to global memory as a kernel makes them: those of the matrix multiplication of The
 * Pipeline Performance Model, for which its Table III has classes of their own. Graphs ask for them
 * by these names (graphs/mmul08.idg, graphs/mmul16.idg).
 */
#include "latency-bench/plan/kernel-private.h"

#define LOAD "\\bld(\\.volatile|\\.weak)?\\.global|\\bLDG|\\b(global|flat)_load"
#define STORE "\\bst(\\.volatile|\\.weak)?\\.global|\\bSTG|\\b(global|flat)_store"

/* Steps of a trip. */
#define STEPS 16

/* Of the matrix: 1024 by 1024 elements. */
#define BYTES (4 * 1024 * 1024)

typedef struct {
    const char *name, *klass;
    PsBenchAccess access;
    gint64 tile;
    gboolean writes;
} Pattern;

static PsIdg *make_graph(const PsBenchKernel *kernel, const Pattern *pattern)
{
    GPtrArray *trip;
    PsIdg *idg = ps_bench_graph(kernel->name, &trip);
    GPtrArray *steps = ps_bench_loop(trip, STEPS);
    for (gint64 i = 0; i < kernel->ilp; i++) {
        g_autofree char *node = g_strdup_printf("x%" G_GINT64_FORMAT, i);
        ps_bench_traffic(ps_bench_node(steps, node, pattern->klass, pattern->writes ? "" : node), 4,
                         kernel->level);
    }
    return idg;
}

static char *make_source(const PsBenchKernel *kernel, const Pattern *pattern)
{
    return g_strdup_printf("#define ILP %" G_GINT64_FORMAT "\n#define TILE %" G_GINT64_FORMAT "u\n"
                           "#define TRIP S%d\n%s%s%s%s",
                           kernel->ilp, pattern->tile, STEPS,
                           pattern->access == PS_ACCESS_TILES_A ? "#define MATRIX_A 1\n" : "",
                           pattern->writes ? "#define WRITES 1\n" : "", ps_text_each,
                           ps_text_pattern);
}

static void add_pattern(GPtrArray *all, const Pattern *pattern, gint64 ilp)
{
    char *name = ilp == 1 ? g_strdup(pattern->name)
                          : g_strdup_printf("%s-ilp%" G_GINT64_FORMAT, pattern->name, ilp);
    PsBenchKernel *kernel = ps_bench_add(all, name, PS_BENCH_GLOBAL, pattern->klass);
    kernel->ilp = ilp;
    kernel->unroll = STEPS;
    kernel->memory = pattern->writes ? PS_MEMORY_ZERO : PS_MEMORY_SELF;
    kernel->level = PS_LEVEL_L2;
    kernel->bytes = BYTES;
    kernel->access = pattern->access;
    kernel->width = 4;
    kernel->group_size = pattern->tile * pattern->tile;
    kernel->mnemonic = g_strdup(pattern->writes ? STORE : LOAD);
    kernel->source = make_source(kernel, pattern);
    kernel->graph = make_graph(kernel, pattern);
}

void ps_bench_add_patterns(GPtrArray *all)
{
    static const Pattern patterns[] = {
        {"global-load-a-8x8", "global.load.A.8x8", PS_ACCESS_TILES_A, 8, FALSE},
        {"global-load-b-8x8", "global.load.B.8x8", PS_ACCESS_TILES_B, 8, FALSE},
        {"global-load-a-16x16", "global.load.A.16x16", PS_ACCESS_TILES_A, 16, FALSE},
        {"global-load-b-16x16", "global.load.B.16x16", PS_ACCESS_TILES_B, 16, FALSE},
        {"global-store-b-8x8", "global.store.B.8x8", PS_ACCESS_TILES_B, 8, TRUE},
        {"global-store-b-16x16", "global.store.B.16x16", PS_ACCESS_TILES_B, 16, TRUE},
    };
    for (guint i = 0; i < G_N_ELEMENTS(patterns); i++)
        for (gint64 ilp = 1; ilp <= 4; ilp *= 2)
            add_pattern(all, &patterns[i], ilp);
}
