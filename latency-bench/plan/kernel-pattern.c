/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Accesses to global memory as a real kernel makes them: the matrix multiplication of The Pipeline
 * Performance Model, for which its Table III has classes of their own. Graphs ask for them by these
 * names (graphs/mmul08.idg, graphs/mmul16.idg).
 */
#include "latency-bench/internal.h"
#include "latency-bench/plan/kernel-private.h"

/* Steps of a trip. */
#define STEPS 16

/* Elements in a row of the matrix, and bytes of the whole matrix. */
#define ORDER 1024
#define BYTES (4 * ORDER * ORDER)

typedef struct {
    const char *name, *class_name;
    PsBenchAccess access;
    gint64 tile;
    gboolean writes;
} Pattern;

static const PsChain TILE_LOAD = {NULL, "pointer_l1", 'p', 1, STEPS, 0, NULL, NULL};

static char *make_setup(const Pattern *pattern)
{
    return g_strdup_printf("#define TILE %" G_GINT64_FORMAT "u\n%s%s%s", pattern->tile,
                           pattern->access == PS_ACCESS_TILES_A ? "#define MATRIX_A 1\n" : "",
                           pattern->writes ? "#define WRITES 1\n" : "", ps_text_tiles);
}

/* Makes stores of the accesses; no instruction waits for a store. */
static void make_stores(PsBenchKernel *kernel, const Pattern *pattern, gint64 ilp)
{
    g_autofree char *setup = make_setup(pattern);
    GPtrArray *trip;
    kernel->ilp = ilp;
    kernel->unroll = STEPS;
    kernel->source = g_strdup_printf("#define ILP %" G_GINT64_FORMAT "\n#define TRIP S%d\n%s%s%s",
                                     ilp, STEPS, ps_text_each, setup, ps_text_tiles_store);
    kernel->graph = ps_bench_graph(kernel->name, &trip);
    GPtrArray *steps = ps_bench_loop(trip, STEPS);
    for (gint64 i = 0; i < ilp; i++) {
        g_autofree char *node = g_strdup_printf("x%" G_GINT64_FORMAT, i);
        ps_bench_traffic(ps_bench_node(steps, node, pattern->class_name, ""), 4, kernel->level);
    }
}

static void make_loads(PsBenchKernel *kernel, const Pattern *pattern, gint64 ilp)
{
    g_autofree char *setup = make_setup(pattern);
    PsChain chain = TILE_LOAD;
    chain.class_name = pattern->class_name;
    ps_bench_chain(kernel, &chain, ilp, setup);
    ps_bench_chain_traffic(kernel, 4);
}

static void add_pattern(GPtrArray *all, const Pattern *pattern, gint64 ilp)
{
    char *name = ilp == 1 ? g_strdup(pattern->name)
                          : g_strdup_printf("%s-ilp%" G_GINT64_FORMAT, pattern->name, ilp);
    PsBenchKernel *kernel = ps_bench_add(all, name, PS_BENCH_GLOBAL, pattern->class_name);
    kernel->memory = pattern->writes ? PS_MEMORY_ZERO : PS_MEMORY_TILES;
    kernel->level = PS_LEVEL_L2;
    kernel->bytes = BYTES;
    kernel->access = pattern->access;
    kernel->width = 4;
    kernel->group_size = pattern->tile * pattern->tile;
    if (pattern->writes)
        make_stores(kernel, pattern, ilp);
    else
        make_loads(kernel, pattern, ilp);
}

guint32 ps_bench_next_tile(const PsBenchKernel *kernel, guint32 word)
{
    const guint32 tile = kernel->group_size == 64 ? 8 : 16, row = word / ORDER,
                  column = word % ORDER;
    const gboolean down = kernel->access == PS_ACCESS_TILES_B;
    const guint32 along = (down ? row : column) + tile, across = down ? column : row;
    const guint32 turned = along < ORDER ? across : (across + tile) % ORDER;
    return down ? along % ORDER * ORDER + turned : turned * ORDER + along % ORDER;
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
