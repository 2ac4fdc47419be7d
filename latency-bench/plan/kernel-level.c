/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Figures that a description states beside classes: the levels of memory, atomic operations,
 * launches.
 *
 *     walk          latency of the level that a buffer fits
 *     flow          its bandwidth: of all CUs, and of one alone
 *     flow.copy     bandwidth where as much is written as is read
 *     flow.queue    time of a trip while few warps, and more and more, keep device memory
 *                   busy: with loads alone, and (flow.queue.copy) where as much is written
 *     flow.request  how often a CU makes a request
 *     flow.tag      lines of L1 that it asks for, all in one bank; flow.lookup: in all banks
 *     flow.miss     the same for lines that L1 does not have
 *     flow.pair     requests and accesses to local memory, in turn
 *     touch.*       atomic operations at one address, in one line, in several lines beside each
 *                   other, in lines of their own; stores at one sector, and of parts of sectors
 *     burst.*       special functions of a warp that wait in front of their unit
 *     launch        costs of groups and launches; launch.store: groups that store; launch.timer:
 *                   time that a timer around a launch counts besides
 *
 * plan-level.c has their buffers and groups.
 */
#include "latency-bench/plan/kernel-private.h"

#include <string.h>

/* Links of a trip. */
#define LINKS 16

static PsBenchKernel *add(GPtrArray *all, const char *name, const char *class_name,
                          PsBenchMemory memory, PsBenchAccess access)
{
    PsBenchKernel *kernel = ps_bench_add(all, g_strdup(name), PS_BENCH_LEVEL, class_name);
    kernel->memory = memory;
    kernel->access = access;
    kernel->width = 4;
    return kernel;
}

/* Adds walks; all threads of the warp load the same 8 bytes. */
static void add_walk(GPtrArray *all)
{
    PsBenchKernel *kernel = add(all, "walk", "walk", PS_MEMORY_WALK, PS_ACCESS_WALK);
    GPtrArray *trip;
    kernel->unroll = LINKS;
    kernel->width = 8;
    kernel->source = g_strdup_printf("#define TRIP S%d\n%s", LINKS, ps_text_walk);
    kernel->graph = ps_bench_graph(kernel->name, &trip);
    PsIdgItem *link = ps_bench_node(ps_bench_loop(trip, LINKS), "x", "global.load", "x");
    ps_bench_reach(kernel->graph, link, 8, "4/warp", PS_LEVEL_L1);
}

typedef struct {
    const char *name, *class_name, *define;
    PsBenchAccess access;
    gint64 ilp;             /* loads of a thread in a trip */
    gint64 bytes;           /* bytes of such a load */
    const char *share;      /* the bytes that move in sectors */
    const char *lines;      /* lines of a request; NULL: as many as its bytes fill */
    const char *wavefronts; /* wavefronts of a request, where their number does not follow from
                               its width */
    gint64 apart;           /* as in PsBenchKernel */
} Flow;

/* Adds stores; where loads hit no cache, stores end there, too. */
static void add_stores(PsBenchKernel *kernel, GPtrArray *trip, const Flow *flow)
{
    for (gint64 i = 0; i < flow->ilp; i++) {
        g_autofree char *name = g_strdup_printf("s%" G_GINT64_FORMAT, i);
        g_autofree char *load = g_strdup_printf("x%" G_GINT64_FORMAT, i);
        ps_bench_reach(kernel->graph, ps_bench_node(trip, name, "global.store", load), flow->bytes,
                       flow->share, PS_LEVEL_L2);
    }
    kernel->operations *= 2;
}

/* Adds a load of local memory to each load. */
static void add_local(GPtrArray *trip, gint64 i)
{
    g_autofree char *name = g_strdup_printf("y%" G_GINT64_FORMAT, i);
    ps_bench_node(trip, name, "local.load", name);
}

static void add_flow(GPtrArray *all, const Flow *flow)
{
    PsBenchKernel *kernel = add(all, flow->name, flow->class_name, PS_MEMORY_ZERO, flow->access);
    GPtrArray *trip;
    kernel->ilp = flow->ilp;
    kernel->width = flow->bytes;
    kernel->operations = (double)(flow->bytes * flow->ilp);
    kernel->apart = flow->apart;
    kernel->source = g_strdup_printf("#define ILP %" G_GINT64_FORMAT "\n%s%s%s", flow->ilp,
                                     flow->define, ps_text_each, ps_text_flow);
    kernel->graph = ps_bench_graph(kernel->name, &trip);
    for (gint64 i = 0; i < flow->ilp; i++) {
        g_autofree char *name = g_strdup_printf("x%" G_GINT64_FORMAT, i);
        PsIdgItem *load = ps_bench_node(trip, name, "global.load", name);
        ps_bench_reach(kernel->graph, load, flow->bytes, flow->share, PS_LEVEL_L1);
        if (flow->lines)
            load->lines = ps_expr_new(flow->lines, (PsPlace){"kernel", 0}, NULL);
        if (flow->wavefronts)
            load->wavefronts = ps_expr_new(flow->wavefronts, (PsPlace){"kernel", 0}, NULL);
        if (strcmp(flow->class_name, "flow.pair") == 0)
            add_local(trip, i);
    }
    if (flow->access == PS_ACCESS_COPY)
        add_stores(kernel, trip, flow);
}

typedef struct {
    const char *name, *class_name;
    PsBenchAccess access;
    const char *op, *place, *stride, *graph_class;
    double operations; /* requests or sectors of each thread in a trip */
    const char *share; /* share of the 4 bytes that moves in sectors */
    const char *turns; /* of requests, at one of the places that they take turns at; or NULL */
    guint serial;      /* turns of a request at one address; 0: one */
} Touch;

static void add_touch(GPtrArray *all, const Touch *touch)
{
    PsBenchKernel *kernel = add(all, touch->name, touch->class_name, PS_MEMORY_ZERO, touch->access);
    GPtrArray *trip;
    GString *source = g_string_new(NULL);
    kernel->operations = touch->operations;
    ps_bench_define(source, "OP(at)", touch->op);
    ps_bench_define(source, "PLACE", touch->place);
    ps_bench_define(source, "STRIDE", touch->stride);
    g_string_append(source, ps_text_touch);
    kernel->source = g_string_free(source, FALSE);
    kernel->graph = ps_bench_graph(kernel->name, &trip);
    PsIdgItem *node = ps_bench_node(trip, "x", touch->graph_class, "");
    ps_bench_reach(kernel->graph, node, 4, touch->share, PS_LEVEL_L2);
    if (touch->access == PS_ACCESS_LINES) /* of these, so many are one place */
        ps_idg_add_param(kernel->graph, "block", ps_expr_new("1", (PsPlace){"kernel", 0}, NULL));
    if (touch->turns) {
        node->spot = g_strdup("place");
        node->turns = ps_expr_new(touch->turns, (PsPlace){"kernel", 0}, NULL);
        node->serial = touch->serial;
    }
}

/* Multiply-adds behind a burst; they take longer than the burst's special functions. */
#define BEHIND 64

/* Special functions that a warp has at once. The times of the kernel do not include the work
 * between two bursts, so in the graph no part of a burst is hidden behind the multiply-adds before
 * it. */
static void add_burst(GPtrArray *all, const char *name, const char *class_name, gint64 ilp)
{
    PsBenchKernel *kernel = add(all, name, class_name, PS_MEMORY_NONE, PS_ACCESS_NONE);
    GPtrArray *trip;
    kernel->ilp = ilp;
    kernel->backends = "CUDA";
    kernel->source = g_strdup_printf("#define ILP %" G_GINT64_FORMAT "\n#define TRIP S%d\n%s%s",
                                     ilp, BEHIND, ps_text_each, ps_text_burst);
    kernel->graph = ps_bench_graph(kernel->name, &trip);
    for (gint64 i = 0; i < ilp; i++) {
        g_autofree char *node = g_strdup_printf("x%" G_GINT64_FORMAT, i);
        ps_bench_count(ps_bench_node(trip, node, "exp2", "y"), 1, "fp32");
    }
    ps_bench_count(ps_bench_node(ps_bench_loop(trip, BEHIND), "y", "fmadd", "y"), 2, "fp32");
}

static PsBenchKernel *add_group(GPtrArray *all, const char *name, const char *class_name,
                                PsBenchMemory memory, const char *define, GPtrArray **trip)
{
    PsBenchKernel *kernel =
        add(all, name, class_name, memory, memory ? PS_ACCESS_SECTORS : PS_ACCESS_NONE);
    kernel->untimed = TRUE;
    kernel->source = g_strconcat(define, ps_text_group, NULL);
    kernel->graph = ps_bench_graph(kernel->name, trip);
    return kernel;
}

static void add_launches(GPtrArray *all)
{
    GPtrArray *trip;
    add_group(all, "launch", "launch", PS_MEMORY_NONE, "", &trip);
    ps_bench_count(ps_bench_node(trip, "x", "fadd", "x"), 1, "fp32");
    add_group(all, "launch-timer", "launch.timer", PS_MEMORY_NONE, "", &trip)->again = TRUE;
    ps_bench_count(ps_bench_node(trip, "x", "fadd", "x"), 1, "fp32");
    PsBenchKernel *stores =
        add_group(all, "launch-store", "launch.store", PS_MEMORY_ZERO, "#define STORES 1\n", &trip);
    ps_bench_reach(stores->graph, ps_bench_node(trip, "x", "global.store", ""), 4, "1",
                   PS_LEVEL_L2);
}

void ps_bench_add_levels(GPtrArray *all)
{
    static const Flow flows[] = {
        {"flow", "flow", "", PS_ACCESS_FLOW, 2, 16, "1", NULL, NULL, 0},
        {"flow-copy", "flow.copy", "#define COPY 1\n", PS_ACCESS_COPY, 2, 16, "1", NULL, NULL, 0},
        {"flow-queue", "flow.queue", "", PS_ACCESS_FLOW, 2, 16, "1", NULL, NULL, 0},
        {"flow-queue-copy", "flow.queue.copy", "#define COPY 1\n", PS_ACCESS_COPY, 2, 16, "1", NULL,
         NULL, 0},
        {"flow-request", "flow.request", "#define SAME 1\n", PS_ACCESS_SAME, 8, 4, "8/warp", "1",
         "1", 0},
        {"flow-tag", "flow.tag", "#define APART 32u\n", PS_ACCESS_APART, 8, 4, "8", "warp", "warp",
         32},
        {"flow-lookup", "flow.lookup", "#define APART 33u\n", PS_ACCESS_APART, 8, 4, "8", "warp",
         "warp/32", 33},
        {"flow-miss", "flow.miss", "#define SPREAD 33u\n", PS_ACCESS_MISS, 1, 4, "8", "warp",
         "warp/32", 33},
        {"flow-pair", "flow.pair", "#define SAME 1\n#define PAIR 1\n", PS_ACCESS_SAME, 8, 4,
         "8/warp", "1", "1", 0},
    };
    static const Touch touches[] = {
        {"touch-address", "touch.address", PS_ACCESS_POINT, "OP_reduce(at)", "0u", "0u",
         "atomic.global", 1, "8/warp", "1", 32},
        {"touch-line", "touch.line", PS_ACCESS_LINE, "OP_reduce(at)", "LANE % 32u", "0u",
         "atomic.global", 1, "32/warp", "1", 0},
        {"touch-lines", "touch.lines", PS_ACCESS_LINES, "OP_reduce(at)",
         "WARP % 16u * 32u + LANE % 32u", "0u", "atomic.global", 1, "32/warp", "block/16", 0},
        {"touch-sectors", "touch.sectors", PS_ACCESS_SECTORS, "OP_reduce(at)", "NUMBER", "THREADS",
         "atomic.global", 0.125, "1", NULL, 0},
        {"touch-write", "touch.write", PS_ACCESS_SECTOR, "OP_put(at)", "LANE % 8u", "0u",
         "global.store", 1, "8/warp", "1", 0},
        {"touch-partial", "touch.partial", PS_ACCESS_PARTIAL, "OP_put(at)", "8u * NUMBER",
         "8u * THREADS", "global.store", 1, "8", NULL, 0},
    };
    add_walk(all);
    for (guint i = 0; i < G_N_ELEMENTS(flows); i++)
        add_flow(all, &flows[i]);
    for (guint i = 0; i < G_N_ELEMENTS(touches); i++)
        add_touch(all, &touches[i]);
    add_burst(all, "burst-one", "burst.one", 1);
    add_burst(all, "burst-eight", "burst.eight", 8);
    add_launches(all);
}
