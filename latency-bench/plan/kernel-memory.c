/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Chains in memory: local memory with conflicts, constant memory, atomics, and loads from L1, L2 or
 * device memory, the last with several patterns. All have kernels of one, two and four chains per
 * warp, without which a pipeline of the CU could look like one of each scheduler.
 *
 * Rows of raw data have a class and a step, and describe/curve.c makes one name of the two: so the
 * class of a kernel with a conflict of degree 8 is local.load, and in its graph local.load.c8.
 */
#include "base/class-name.h"
#include "latency-bench/plan/kernel-private.h"

/* Most chains of a warp. */
#define MOST_CHAINS 4

static const PsChain LOCAL_LOAD = {"local.load", "local_load", 'i', 1, 32, 0, NULL, NULL};
static const PsChain LOCAL_STORE = {"local.store", "local_store", 'i', 1, 32, 0, NULL, NULL};
static const PsChain LOCAL_ATOMIC = {"atomic.local", "local_atomic", 'i', 1, 16, 0, NULL, NULL};
static const PsChain LOCAL_SWAP = {"atomic.local.cas", "local_swap", 'i', 1, 16, 0, NULL, NULL};
static const PsChain GLOBAL_ATOMIC = {"atomic.global", "global_atomic", 'p', 1, 8, 0, NULL, NULL};
static const PsChain CONSTANT_LOAD = {"constant", "constant", 'i', 1, 32, 0, NULL, NULL};

/* Accesses of 2 and 4 words per thread, as in graphs of compiled code. */
static const PsChain WIDE_LOCAL[] = {
    {"local.load.v2", "local_load_v2", 'i', 1, 32, 0, NULL, NULL},
    {"local.load.v4", "local_load_v4", 'i', 1, 32, 0, NULL, NULL},
    {"local.store.v2", "local_store_v2", 'i', 1, 32, 0, NULL, NULL},
    {"local.store.v4", "local_store_v4", 'i', 1, 32, 0, NULL, NULL},
};

/* Loads of several words that two lanes share, or all lanes. */
static const PsChain SHARED_LOCAL[] = {
    {"local.load.p2.v2", "local_load_v2", 'i', 1, 32, 0, NULL, NULL},
    {"local.load.p2.v4", "local_load_v4", 'i', 1, 32, 0, NULL, NULL},
    {"local.load.broadcast", "local_load", 'i', 1, 32, 0, NULL, NULL},
    {"local.load.broadcast.v2", "local_load_v2", 'i', 1, 32, 0, NULL, NULL},
    {"local.load.broadcast.v4", "local_load_v4", 'i', 1, 32, 0, NULL, NULL},
};

/* Each lane loads another word; AMD's scalar unit loads constants from one address. */
static const PsChain CONSTANT_LANES = {"constant.c32", "constant", 'i', 1, 32, 0, NULL, "CUDA"};

static const PsChain L1_LOAD = {"global.load.l1", "pointer_l1", 'p', 1, 32, 0, NULL, NULL};
/* OpenCL has no load that bypasses L1. */
static const PsChain L2_LOAD = {"global.load.l2", "pointer_l2", 'p', 1, 16, 0, NULL, "CUDA HIP"};
static const PsChain RING_LOAD = {"global.load", "pointer_l2", 'p', 1, 16, 0, NULL, NULL};
static const PsChain RING_V2 = {"global.load.v2", "pointer_v2", 'p', 1, 16, 0, NULL, NULL};
static const PsChain RING_V4 = {"global.load.v4", "pointer_v4", 'p', 1, 16, 0, NULL, NULL};

/* ---- local memory -------------------------------------------------------------------------- */

/* "local-load-c2", "local-load-c2-ilp4" (g_free). */
static char *name_with_ilp(const char *name, gint64 ilp)
{
    return ilp == 1 ? g_strdup(name) : g_strdup_printf("%s-ilp%" G_GINT64_FORMAT, name, ilp);
}

static PsBenchKernel *add_local(GPtrArray *all, const char *what, const PsChain *chain,
                                gint64 degree, gint64 ilp)
{
    g_autofree char *class_name =
        ps_class_with_access(chain->class_name, &(PsClassAccess){.conflicts = degree});
    g_autofree char *name = g_strdup_printf("%s-c%" G_GINT64_FORMAT, what, degree);
    PsChain own = *chain;
    own.class_name = class_name;
    PsBenchKernel *kernel =
        ps_bench_add(all, name_with_ilp(name, ilp), PS_BENCH_LOCAL, chain->class_name);
    kernel->step = degree;
    ps_bench_chain(kernel, &own, ilp, ps_text_local);
    return kernel;
}

/* Removes the dependences, since stores need no earlier store. */
static void forget_dependences(PsBenchKernel *kernel)
{
    const PsIdgCode *code = kernel->graph->codes->pdata[0];
    const PsIdgItem *trips = code->body->pdata[0], *steps = trips->body->pdata[0];
    for (guint i = 0; i < steps->body->len; i++)
        g_ptr_array_set_size(((PsIdgItem *)steps->body->pdata[i])->after, 0);
}

static void add_conflicts(GPtrArray *all)
{
    for (gint64 degree = 1; degree <= 32; degree *= 2)
        for (gint64 ilp = 1; ilp <= MOST_CHAINS; ilp *= 2) {
            add_local(all, "local-load", &LOCAL_LOAD, degree, ilp);
            forget_dependences(add_local(all, "local-store", &LOCAL_STORE, degree, ilp));
        }
    for (gint64 ilp = 1; ilp <= MOST_CHAINS; ilp *= 2)
        add_local(all, "atomic-local", &LOCAL_ATOMIC, 1, ilp);
    for (gint64 ilp = 1; ilp <= MOST_CHAINS; ilp *= 2)
        add_local(all, "swap-local", &LOCAL_SWAP, 1, ilp);
}

/* Adds kernels with one, two and four chains, named after the class. */
static void add_local_chains(GPtrArray *all, const PsChain *chain, const char *like)
{
    g_autofree char *name = g_strdelimit(g_strdup(chain->class_name), ".", '-');
    g_autofree char *setup = g_strconcat(like, ps_text_local, NULL);
    for (gint64 ilp = 1; ilp <= MOST_CHAINS; ilp *= 2) {
        PsBenchKernel *kernel =
            ps_bench_add(all, name_with_ilp(name, ilp), PS_BENCH_LOCAL, chain->class_name);
        ps_bench_chain(kernel, chain, ilp, setup);
        if (ps_class_is_store(chain->class_name))
            forget_dependences(kernel);
    }
}

static void add_wide_local(GPtrArray *all)
{
    for (guint i = 0; i < G_N_ELEMENTS(WIDE_LOCAL); i++)
        add_local_chains(all, &WIDE_LOCAL[i], "");
    for (guint i = 0; i < G_N_ELEMENTS(SHARED_LOCAL); i++)
        add_local_chains(all, &SHARED_LOCAL[i],
                         ps_class_access(SHARED_LOCAL[i].class_name).broadcast
                             ? "#define LIKE 0u\n"
                             : "#define LIKE (LANE / 2u)\n");
}

static void add_constants(GPtrArray *all)
{
    g_autofree char *apart = g_strconcat("#define APART 1\n", ps_text_constant, NULL);
    for (gint64 ilp = 1; ilp <= MOST_CHAINS; ilp *= 2) {
        ps_bench_chain(
            ps_bench_add(all, name_with_ilp("constant-load", ilp), PS_BENCH_CHAIN, "constant"),
            &CONSTANT_LOAD, ilp, ps_text_constant);
        ps_bench_chain(ps_bench_add(all, name_with_ilp("constant-load-c32", ilp), PS_BENCH_CHAIN,
                                    CONSTANT_LANES.class_name),
                       &CONSTANT_LANES, ilp, apart);
    }
}

/* ---- device memory and caches -------------------------------------------------------------- */

typedef struct {
    const char *name, *class_name;
    const PsChain *chain;
    const char *setup;
    const char *define; /* text before the pieces; or NULL */
    PsBenchMemory memory;
    PsLevel level;
    gint64 ilp, step;
} Walk;

static void add_walk(GPtrArray *all, const Walk *walk)
{
    PsBenchKernel *kernel =
        ps_bench_add(all, g_strdup(walk->name), PS_BENCH_GLOBAL, walk->class_name);
    g_autofree char *class_name =
        ps_class_with_access(walk->class_name, &(PsClassAccess){.stride = walk->step});
    PsChain chain = *walk->chain;
    chain.class_name = class_name;
    kernel->step = walk->step;
    kernel->memory = walk->memory;
    kernel->level = walk->level;
    kernel->access = walk->setup == ps_text_ring ? PS_ACCESS_RING
                     : walk->define              ? PS_ACCESS_SHARED
                                                 : PS_ACCESS_OWN;
    kernel->width = 4 * ps_class_access(class_name).words;
    g_autofree char *setup = g_strconcat(walk->define ? walk->define : "", walk->setup, NULL);
    ps_bench_chain(kernel, &chain, walk->ilp, setup);
    ps_bench_chain_traffic(kernel, kernel->width);
}

/* Adds kernels of the same walk with more chains. */
static void add_chains(GPtrArray *all, const Walk *walk)
{
    for (gint64 ilp = 1; ilp <= MOST_CHAINS; ilp *= 2) {
        g_autofree char *name = name_with_ilp(walk->name, ilp);
        Walk own = *walk;
        own.name = name;
        own.ilp = ilp;
        add_walk(all, &own);
    }
}

static void add_walks(GPtrArray *all)
{
    const Walk walks[] = {
        {"global-load-l1", "global.load.l1", &L1_LOAD, ps_text_pointer, "#define SHARED\n",
         PS_MEMORY_ZERO, PS_LEVEL_L1, 1, 1},
        {"global-load-l2", "global.load.l2", &L2_LOAD, ps_text_pointer, NULL, PS_MEMORY_ZERO,
         PS_LEVEL_L2, 1, 1},
        {"global-load-broadcast", "global.load.broadcast", &RING_LOAD, ps_text_ring, NULL,
         PS_MEMORY_RING, PS_LEVEL_DEVICE, 1, 0},
        {"global-load-v2", "global.load.v2", &RING_V2, ps_text_ring, NULL, PS_MEMORY_RING,
         PS_LEVEL_DEVICE, 1, 1},
        {"global-load-v4", "global.load.v4", &RING_V4, ps_text_ring, NULL, PS_MEMORY_RING,
         PS_LEVEL_DEVICE, 1, 1},
        {"atomic-global", "atomic.global", &GLOBAL_ATOMIC, ps_text_pointer, NULL, PS_MEMORY_ZERO,
         PS_LEVEL_L2, 1, 1},
    };
    for (guint i = 0; i < G_N_ELEMENTS(walks); i++)
        add_chains(all, &walks[i]);
    for (gint64 stride = 1; stride <= 32; stride *= 2) {
        g_autofree char *name = g_strdup_printf("global-load-s%" G_GINT64_FORMAT, stride);
        const Walk walk = {name,           "global.load",   &RING_LOAD, ps_text_ring, NULL,
                           PS_MEMORY_RING, PS_LEVEL_DEVICE, 1,          stride};
        add_chains(all, &walk);
    }
}

/* ---- rates of local memory and caches ------------------------------------------------------ */

static void add_local_peak(GPtrArray *all, const char *name, const char *peak, gint64 worth)
{
    PsBenchKernel *kernel = ps_bench_add(all, g_strdup(name), PS_BENCH_PEAK, peak);
    ps_bench_chain(kernel, &LOCAL_LOAD, 4, ps_text_local);
    kernel->operations = (double)(worth * kernel->unroll * kernel->ilp);
}

/* Adds loads of 16 bytes, which need the fewest requests, one after the other through a buffer that
 * the cache holds. */
static void add_cache_peak(GPtrArray *all, const char *name, const char *peak, PsLevel level)
{
    PsBenchKernel *kernel = ps_bench_add(all, g_strdup(name), PS_BENCH_PEAK, peak);
    kernel->ilp = 4;
    kernel->operations = 16.0 * (double)kernel->ilp;
    kernel->memory = PS_MEMORY_ZERO;
    kernel->level = level;
    kernel->access = PS_ACCESS_FLOW;
    kernel->width = 16;
    kernel->source = g_strconcat("#define ILP 4\n", ps_text_each, ps_text_flow, NULL);
    GPtrArray *trip;
    kernel->graph = ps_bench_graph(name, &trip);
    for (gint64 i = 0; i < kernel->ilp; i++) {
        g_autofree char *node = g_strdup_printf("x%" G_GINT64_FORMAT, i);
        ps_bench_traffic(ps_bench_node(trip, node, "global.load.v4", node), 16, level);
    }
}

void ps_bench_add_memory(GPtrArray *all)
{
    add_conflicts(all);
    add_wide_local(all);
    add_constants(all);
    add_walks(all);
    add_local_peak(all, "peak-t-ldst", "T_ldst", 1);
    add_local_peak(all, "peak-b-local", "B_local", 4);
    add_cache_peak(all, "peak-b-l1", "B_L1", PS_LEVEL_L1);
    add_cache_peak(all, "peak-b-l2", "B_L2", PS_LEVEL_L2);
}
