/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the reference binds the nodes of a graph to on a description with a memory (R7, R8), and the
 * fetch of the first instructions (R5), held against figures worked out by hand.
 */
#include "tests/help/by-hand.h"
#include "tests/help/reference-traffic.h"

/* ---- binding ------------------------------------------------------------------------------- */

/* Ten compute units at 1000 MHz share 2000 and 500 GB/s: 200 and 50 bytes per cycle for each. Times
 * of device memory are those of 500 MHz. */
static const PsMemoryLevel l1 = {.level = PS_LEVEL_L1,
                                 .bytes = 65536,
                                 .port = {64, 1},
                                 .bandwidth = {0, 1},
                                 .latency = {28, 1},
                                 .at = {0, 1}};
static const PsMemoryLevel l2 = {.level = PS_LEVEL_L2,
                                 .bytes = 1048576,
                                 .port = {64, 1},
                                 .bandwidth = {2000, 1},
                                 .latency = {200, 1},
                                 .at = {0, 1}};
static const PsMemoryLevel device = {.level = PS_LEVEL_DEVICE,
                                     .port = {0, 1},
                                     .bandwidth = {500, 1},
                                     .latency = {300, 1},
                                     .at = {500, 1}};

/* Pipelines: alu 0, mem 1, atom 2. */
static PsGpu *gpu_with(const PsMemoryLevel *levels, guint n)
{
    PsGpu *gpu = build_gpu(10, 3);
    gpu->memory = (PsMemory){.levels = g_array_new(FALSE, FALSE, sizeof(PsMemoryLevel)),
                             .pipeline = 1,
                             .request = {1, 1},
                             .store = {0, 1},
                             .tag = {0, 1},
                             .wavefront = {0, 1},
                             .lookup = {0, 1},
                             .line_bytes = 128,
                             .sector_bytes = 32};
    g_array_append_vals(gpu->memory.levels, levels, n);
    return gpu;
}

static PsGpu *gpu_of_three(void)
{
    const PsMemoryLevel levels[] = {l1, l2, device};
    return gpu_with(levels, G_N_ELEMENTS(levels));
}

/* What a description has about atomics: 2.5 ns at one address, 10 at the lines. */
static void add_atomics(PsGpu *gpu)
{
    gpu->atomics = (PsAtomics){.stated = TRUE,
                               .pipeline = 2,
                               .request = {2, 1},
                               .latency = {100, 1},
                               .at = {500, 1},
                               .address = {2, 5},
                               .per_line = {1, 10},
                               .sectors = {4, 1},
                               .partial = {8, 1}};
}

/* A node's bytes, shares and spot; NULL: not stated. */
typedef struct {
    const char *class_name, *bytes, *l0, *l1, *l2, *device, *spot, *turns, *lines, *wavefronts,
        *lanes;
    guint serial;
    const char *partial;
} Access;

static PsIdgItem *add_access(GPtrArray *body, const Access *access)
{
    PsIdgItem *item = build_node(body, "a", access->class_name, "");
    item->bytes = access->bytes ? build_expr(access->bytes) : NULL;
    item->share[PS_LEVEL_L0] = access->l0 ? build_expr(access->l0) : NULL;
    item->share[PS_LEVEL_L1] = access->l1 ? build_expr(access->l1) : NULL;
    item->share[PS_LEVEL_L2] = access->l2 ? build_expr(access->l2) : NULL;
    item->share[PS_LEVEL_DEVICE] = access->device ? build_expr(access->device) : NULL;
    item->partial = access->partial ? build_expr(access->partial) : NULL;
    item->spot = g_strdup(access->spot);
    item->serial = access->serial;
    item->lines = access->lines ? build_expr(access->lines) : NULL;
    item->wavefronts = access->wavefronts ? build_expr(access->wavefronts) : NULL;
    item->turns = access->turns ? build_expr(access->turns) : NULL;
    item->lanes = access->lanes ? build_expr(access->lanes) : NULL;
    return item;
}

static RefMemory memory_of(const PsGpu *gpu)
{
    return (RefMemory){.gpu = gpu,
                       .clock = {1000, 1},
                       .sharing = 10,
                       .group_size = 32,
                       .warps = 1,
                       .groups = 1,
                       .ticks_per_cycle = 1024};
}

/* Stops end with a service of zero. */
static void check_stops(const RefTraffic *traffic, const RefStop *stops)
{
    for (guint i = 0; i < traffic->n_stops; i++) {
        g_assert_cmpuint(traffic->stops[i].server, ==, stops[i].server);
        g_assert_cmpint(traffic->stops[i].service, ==, stops[i].service);
        g_assert_cmpint(traffic->stops[i].weight, ==, stops[i].weight);
    }
    g_assert_cmpint(stops[traffic->n_stops].service, ==, 0);
}

/* lambda, Lambda and stops of the node must be these, in 1/1024 cycle. */
static void check_traffic(const RefMemory *memory, const Access *access, gint64 issue,
                          gint64 completion, const RefStop *stops)
{
    Graph graph = graph_new();
    const PsIdgItem *item = add_access(graph.body, access);
    g_autoptr(GHashTable) table = ref_traffic_new(memory, graph.idg, graph.scope);
    const RefTraffic *traffic = g_hash_table_lookup(table, item);
    g_assert_nonnull(traffic);
    g_assert_cmpint(traffic->serves.issue, ==, issue);
    g_assert_cmpint(traffic->serves.completion, ==, completion);
    check_stops(traffic, stops);
    graph_free(&graph);
}

/* 128 bytes at each level: 2 cycles at ports of 64, and 128 / 50 = 2.56 cycles, which is 2621.44 of
 * 1/1024. Device memory is 600 cycles of this clock away. */
static void test_streaming(void)
{
    static const RefStop stops[] = {{1, 2048, 1024}, {2, 2048, 1024}, {5, 2622, 1024}, {0, 0, 0}};
    PsGpu *gpu = gpu_of_three();
    const RefMemory memory = memory_of(gpu);
    check_traffic(&memory, &(Access){.class_name = "global.load"}, 1024, 600 * 1024, stops);
    check_traffic(&memory, &(Access){.class_name = "memory", .bytes = "4"}, 1024, 600 * 1024,
                  stops);
    build_gpu_free(gpu);
}

/* At half the clock, cycles of the compute unit stay, those of a time halve: 300 of 500 MHz; a
 * compute unit's part of device memory is 100 bytes per cycle, and that of L2 400, more than its
 * port. With 40 compute units the part of L2 is 50 at 1000 MHz. */
static void test_clock_and_sharing(void)
{
    static const RefStop slow[] = {{1, 2048, 1024}, {2, 2048, 1024}, {5, 1311, 1024}, {0, 0, 0}};
    static const RefStop many[] = {{1, 2048, 1024}, {2, 2622, 1024}, {5, 10486, 1024}, {0, 0, 0}};
    PsGpu *gpu = gpu_of_three();
    RefMemory memory = memory_of(gpu);
    memory.clock = PS_RATIONAL_INT(500);
    check_traffic(&memory, &(Access){.class_name = "global.load"}, 1024, 300 * 1024, slow);
    memory.clock = PS_RATIONAL_INT(1000);
    memory.sharing = 40;
    check_traffic(&memory, &(Access){.class_name = "global.load"}, 1024, 600 * 1024, many);
    build_gpu_free(gpu);
}

/* 8 bytes per thread, so 256 of a warp and 2 requests: 4 cycles at L1; 12.8 bytes at L2 are 0.2
 * cycles or 204.8, and 0.4 sectors or 409.6, which is 410; at device memory 6.4 bytes, 0.128 cycles
 * or 131.07, and 0.2 sectors or 204.8. 28 * 1024 + 410 * 172 + 205 * 400. */
static void test_shares(void)
{
    static const RefStop stops[] = {{1, 4096, 1024}, {2, 205, 410}, {5, 132, 205}, {0, 0, 0}};
    PsGpu *gpu = gpu_of_three();
    const RefMemory memory = memory_of(gpu);
    const Access access = {
        .class_name = "global.load", .bytes = "8", .l2 = "0.05", .device = "0.025"};
    Access first = access;
    first.l1 = "1";
    check_traffic(&memory, &first, 2048, 28672 + 410 * 172 + 205 * 400, stops);
    build_gpu_free(gpu);
}

/* What is not stated: of L1 as of L2, the next deeper one that is; of device memory as of L2, for
 * nothing deeper is. So 256 bytes, then 256 at 64 and 50 bytes per cycle; more than a sector. A
 * request of 1 byte per thread takes as long as one of 4. */
static void test_shares_that_are_not_stated(void)
{
    static const RefStop stops[] = {{1, 4096, 1024}, {2, 4096, 1024}, {5, 5243, 1024}, {0, 0, 0}};
    static const RefStop bytes[] = {{1, 512, 1024}, {2, 512, 1024}, {5, 656, 1024}, {0, 0, 0}};
    PsGpu *gpu = gpu_of_three();
    const RefMemory memory = memory_of(gpu);
    check_traffic(&memory, &(Access){.class_name = "global.load", .bytes = "4", .l2 = "2"}, 1024,
                  600 * 1024, stops);
    check_traffic(&memory, &(Access){.class_name = "global.load", .bytes = "1"}, 1024, 600 * 1024,
                  bytes);
    build_gpu_free(gpu);
}

/* With an L0 in the description and none in the graph, L0 gets what the graph says of L1, and L1,
 * which is of several compute units, what L2 gets: 16 bytes of 128, half a sector. Then a graph
 * that does say what L0 gets: of 128 bytes 64 at L1, 2 sectors, and 16 behind it. L0 is 10 cycles
 * away, L1 28, L2 200. */
static void test_l0(void)
{
    static const RefStop unknown[] = {{0, 1024, 1024}, {1, 256, 512}, {2, 256, 512}, {0, 0, 0}};
    static const RefStop known[] = {{0, 1024, 1024}, {1, 1024, 1024}, {2, 256, 512}, {0, 0, 0}};
    PsGpu *gpu = gpu_of_three();
    const PsMemoryLevel l0 = {.level = PS_LEVEL_L0,
                              .bytes = 4096,
                              .port = {128, 1},
                              .bandwidth = {0, 1},
                              .mixed = {0, 1},
                              .latency = {10, 1},
                              .at = {0, 1}};
    g_array_prepend_val(gpu->memory.levels, l0);
    const RefMemory memory = memory_of(gpu);
    Access access = {.class_name = "global.load", .l1 = "1", .l2 = "0.125", .device = "0"};
    check_traffic(&memory, &access, 1024, 10240 + 512 * 18 + 512 * 172, unknown);
    access.l0 = "1";
    access.l1 = "0.5";
    check_traffic(&memory, &access, 1024, 28 * 1024 + 512 * 172, known);
    build_gpu_free(gpu);
}

/* Levels that are passed by. L1 of none: L2 is the first that is visited, so its weight is 1,
 * though 16 bytes are half a sector; 0.25 cycles. L2 of none: device memory's weight is 16 / 32,
 * and nothing of the way to L2 counts: 28 + (600 - 200) / 2. Nothing anywhere: L1's latency alone.
 */
static void test_levels_passed_by(void)
{
    static const RefStop no_l1[] = {{2, 256, 1024}, {0, 0, 0}};
    static const RefStop no_l2[] = {{1, 2048, 1024}, {5, 328, 512}, {0, 0, 0}};
    static const RefStop none[] = {{0, 0, 0}};
    PsGpu *gpu = gpu_of_three();
    const RefMemory memory = memory_of(gpu);
    Access access = {
        .class_name = "global.load", .bytes = "4", .l1 = "0", .l2 = "0.125", .device = "0"};
    check_traffic(&memory, &access, 1024, 200 * 1024, no_l1);
    access.l1 = "1";
    access.l2 = "0";
    access.device = "0.125";
    check_traffic(&memory, &access, 1024, 228 * 1024, no_l2);
    access.l1 = access.device = "0";
    check_traffic(&memory, &access, 1024, 28 * 1024, none);
    build_gpu_free(gpu);
}

/* The smallest weight is 1/1024; one that is lower than the next deeper level's bytes say stays. */
static void test_weights(void)
{
    static const RefStop stops[] = {{1, 2048, 1024}, {2, 1, 1}, {5, 1, 1}, {0, 0, 0}};
    static const RefStop falls[] = {{1, 2048, 1024}, {2, 256, 512}, {5, 2622, 512}, {0, 0, 0}};
    PsGpu *gpu = gpu_of_three();
    const RefMemory memory = memory_of(gpu);
    Access access = {
        .class_name = "global.load", .bytes = "4", .l1 = "1", .l2 = "0.0001", .device = "0.00008"};
    check_traffic(&memory, &access, 1024, 28672 + 172 + 400, stops);
    access.l2 = "0.125";
    access.device = "1";
    check_traffic(&memory, &access, 1024, 28672 + 86 * 1024 + 200 * 1024, falls);
    build_gpu_free(gpu);
}

/* A class of the description that is for a pattern serves as without levels, a plain one does not,
 * nor does one that follows from the levels. Atomics on local memory are none of these. */
static void test_classes_that_win(void)
{
    static const struct {
        const char *asked;
        gboolean levels;
    } rows[] = {{"global.load.A.8x8", FALSE},
                {"global.load.A.9x9", TRUE},
                {"global.load", TRUE},
                {"global.store.s8", TRUE},
                {"memory", TRUE},
                {"atomic.add", TRUE},
                {"atomic.local.add", FALSE},
                {"local.load", FALSE},
                {"memory.fence", FALSE},
                {"memory.fence.group", FALSE},
                {"fadd", FALSE}};
    const PsRational one = PS_RATIONAL_INT(1);
    PsGpu *gpu = gpu_of_three();
    const RefMemory memory = memory_of(gpu);
    build_class(gpu, "global.load", 0, one, one);
    build_class(gpu, "global.load.A.8x8", 0, one, one);
    build_class(gpu, "global.store.s8", 0, one, one);
    ((PsClass *)gpu->classes->pdata[2])->derived = TRUE;
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        Graph graph = graph_new();
        const PsIdgItem *item = build_node(graph.body, "a", rows[i].asked, "");
        g_autoptr(GHashTable) table = ref_traffic_new(&memory, graph.idg, graph.scope);
        g_assert_true((g_hash_table_lookup(table, item) != NULL) == rows[i].levels);
        graph_free(&graph);
    }
    build_gpu_free(gpu);
}

/* One pipeline for each of 4 schedulers: without R1 it counts as one of four times the rate. */
static void test_pipeline_of_each_scheduler(void)
{
    PsGpu *gpu = gpu_of_three();
    RefMemory memory = memory_of(gpu);
    gpu->schedulers = 4;
    ((PsPipeline *)gpu->pipelines->pdata[1])->per_scheduler = TRUE;
    for (gint64 schedulers = 0; schedulers <= 4; schedulers += 4) {
        Graph graph = graph_new();
        const PsIdgItem *item = build_node(graph.body, "a", "global.load", "");
        memory.schedulers = schedulers;
        g_autoptr(GHashTable) table = ref_traffic_new(&memory, graph.idg, graph.scope);
        const RefTraffic *traffic = g_hash_table_lookup(table, item);
        g_assert_cmpint(traffic->serves.issue, ==, schedulers ? 1024 : 256);
        g_assert_cmpint(traffic->serves.per_scheduler, ==, schedulers > 0);
        g_assert_cmpuint(traffic->serves.pipeline, ==, 1);
        graph_free(&graph);
    }
    build_gpu_free(gpu);
}

/* ---- binding: R8 --------------------------------------------------------------------------- */

/* 4 sectors: all compute units' 40 at 4 * 10^9 per second take 10 ns, 10 cycles. Device memory adds
 * its 600 - 200 to the 200 of an atomic. */
static void test_atomics(void)
{
    static const RefStop stops[] = {
        {1, 2048, 1024}, {2, 2048, 1024}, {6, 10240, 1024}, {5, 2622, 1024}, {0, 0, 0}};
    PsGpu *gpu = gpu_of_three();
    add_atomics(gpu);
    const RefMemory memory = memory_of(gpu);
    check_traffic(&memory, &(Access){.class_name = "atomic.add", .bytes = "16", .l2 = "0.25"}, 2048,
                  600 * 1024, stops);
    build_gpu_free(gpu);
}

/* 1 byte per thread, but a sector for every 16 bytes: 64 bytes, 2 sectors. 20 sectors at 8 * 10^9
 * per second are 2.5 ns; of atomics there are 5 ns at 4 * 10^9 before. Loads have neither. */
static void test_partial_sectors(void)
{
    static const RefStop store[] = {
        {1, 512, 1024}, {2, 1024, 1024}, {7, 2560, 1024}, {5, 656, 1024}, {0, 0, 0}};
    static const RefStop atomic[] = {{1, 512, 1024},  {2, 1024, 1024}, {6, 5120, 1024},
                                     {7, 2560, 1024}, {5, 656, 1024},  {0, 0, 0}};
    static const RefStop load[] = {{1, 512, 1024}, {2, 1024, 1024}, {5, 656, 1024}, {0, 0, 0}};
    PsGpu *gpu = gpu_of_three();
    add_atomics(gpu);
    const RefMemory memory = memory_of(gpu);
    Access access = {
        .class_name = "global.store", .bytes = "1", .l1 = "1", .l2 = "2", .device = "1"};
    check_traffic(&memory, &access, 1024, 600 * 1024, store);
    access.class_name = "atomic.add";
    check_traffic(&memory, &access, 2048, 600 * 1024, atomic);
    access.class_name = "global.load";
    check_traffic(&memory, &access, 1024, 600 * 1024, load);
    build_gpu_free(gpu);
}

/* A load and a store of one launch. */
static void check_pair(const RefMemory *memory, const RefStop *load, const RefStop *store)
{
    static const Access of[] = {{.class_name = "global.load"}, {.class_name = "global.store"}};
    Graph graph = graph_new();
    const PsIdgItem *items[] = {add_access(graph.body, &of[0]), add_access(graph.body, &of[1])};
    g_autoptr(GHashTable) table = ref_traffic_new(memory, graph.idg, graph.scope);
    check_stops(g_hash_table_lookup(table, items[0]), load);
    check_stops(g_hash_table_lookup(table, items[1]), store);
    graph_free(&graph);
}

/* 128 bytes are 4 sectors, of which the slices take 2 * 10^9 a second from stores of 40 compute
 * units: 80 cycles. L2's port takes 2 cycles for them, its bandwidth 2.56 for a load's. The slices
 * give 4 * 10^9 beside stores, so 40 cycles; where that is not stated, what L2's bandwidth gives.
 * Without a rate of stores there is nothing of all this. */
static void test_stores(void)
{
    static const RefStop
        plain[] = {{1, 2048, 1024}, {2, 2622, 1024}, {5, 10486, 1024}, {0, 0, 0}},
        load[] = {{1, 2048, 1024}, {2, 2622, 1024}, {7, 40960, 1024}, {5, 10486, 1024}, {0, 0, 0}},
        same[] = {{1, 2048, 1024}, {2, 2622, 1024}, {7, 2622, 1024}, {5, 10486, 1024}, {0, 0, 0}},
        store[] = {{1, 2048, 1024}, {2, 2048, 1024}, {7, 81920, 1024}, {5, 10486, 1024}, {0, 0, 0}};
    PsGpu *gpu = gpu_of_three();
    RefMemory memory = memory_of(gpu);
    memory.sharing = 40;
    add_atomics(gpu);
    check_pair(&memory, plain, plain);
    gpu->atomics.stores = PS_RATIONAL_INT(2);
    check_pair(&memory, same, store);
    gpu->atomics.loads = PS_RATIONAL_INT(4);
    check_pair(&memory, load, store);
    check_traffic(&memory, &(Access){.class_name = "global.load"}, 1024, 600 * 1024, plain);
    build_gpu_free(gpu);
}

/* A request moves one sector, 32 bytes: the four lanes that come to it write 16 of them, and eight
 * would write all. 10 sectors at 8 * 10^9 per second are 1.25 ns. */
static void test_partial_lanes(void)
{
    static const RefStop few[] = {
        {1, 512, 1024}, {2, 512, 1024}, {7, 1280, 1024}, {5, 656, 1024}, {0, 0, 0}};
    static const RefStop enough[] = {{1, 512, 1024}, {2, 512, 1024}, {5, 656, 1024}, {0, 0, 0}};
    PsGpu *gpu = gpu_of_three();
    add_atomics(gpu);
    const RefMemory memory = memory_of(gpu);
    Access access = {.class_name = "global.store", .l1 = "0.25", .lanes = "0.125"};
    check_traffic(&memory, &access, 1024, 600 * 1024, few);
    access.lanes = "0.25";
    check_traffic(&memory, &access, 1024, 600 * 1024, enough);
    build_gpu_free(gpu);
}

/* 128 bytes that do not begin a sector are five sectors, of which the first and the last are
 * written in part: 20 at 8 * 10^9 per second are 2.5 ns. Three are whole: 30 at 16 * 10^9, or where
 * that is not stated 960 bytes at 2000 * 10^9. So are all five where the graph says that none is
 * partial; what a load brings beside has its own rate. */
static void test_partial_some(void)
{
    static const RefStop
        some[] = {{1, 2560, 1024}, {2, 2560, 1024}, {7, 4480, 1024}, {5, 3277, 1024}, {0, 0, 0}},
        bytes[] = {{1, 2560, 1024}, {2, 2560, 1024}, {7, 3052, 1024}, {5, 3277, 1024}, {0, 0, 0}},
        whole[] = {{1, 2560, 1024}, {2, 2560, 1024}, {7, 3200, 1024}, {5, 3277, 1024}, {0, 0, 0}},
        load[] = {{1, 2048, 1024}, {2, 2048, 1024}, {7, 656, 1024}, {5, 2622, 1024}, {0, 0, 0}};
    PsGpu *gpu = gpu_of_three();
    add_atomics(gpu);
    const RefMemory memory = memory_of(gpu);
    Access access = {.class_name = "global.store", .bytes = "4", .l1 = "1.25", .partial = "0.5"};
    check_traffic(&memory, &access, 1024, 600 * 1024, bytes);
    gpu->atomics.stores = PS_RATIONAL_INT(16);
    check_traffic(&memory, &access, 1024, 600 * 1024, some);
    gpu->atomics.loads = PS_RATIONAL_INT(40);
    Graph graph = graph_new();
    add_access(graph.body, &access);
    const PsIdgItem *other =
        add_access(graph.body, &(Access){.class_name = "global.load", .bytes = "4"});
    g_autoptr(GHashTable) table = ref_traffic_new(&memory, graph.idg, graph.scope);
    check_stops(g_hash_table_lookup(table, other), load);
    graph_free(&graph);
    access.partial = "0";
    check_traffic(&memory, &access, 1024, 600 * 1024, whole);
    build_gpu_free(gpu);
}

/* How often a node alone in its graph visits a server. */
static guint n_stops_at(const RefMemory *memory, const Access *access, guint server)
{
    Graph graph = graph_new();
    const PsIdgItem *item = add_access(graph.body, access);
    g_autoptr(GHashTable) table = ref_traffic_new(memory, graph.idg, graph.scope);
    const RefTraffic *traffic = g_hash_table_lookup(table, item);
    guint n = 0;
    for (guint i = 0; i < traffic->n_stops; i++)
        n += traffic->stops[i].server == server;
    graph_free(&graph);
    return n;
}

static gboolean takes_slices(const RefMemory *memory, const char *share)
{
    const Access access = {.class_name = "global.store", .bytes = "4", .l1 = share};
    return n_stops_at(memory, &access, 7) > 0;
}

/* Unless the graph says so, a copy of many bytes writes whole sectors. */
static void test_partial_copy(void)
{
    PsGpu *gpu = gpu_of_three();
    add_atomics(gpu);
    const RefMemory memory = memory_of(gpu);
    build_class(gpu, "copy", 0, (PsRational){4, 1}, (PsRational){10, 1});
    Access access = {.class_name = "copy.store", .bytes = "4", .l2 = "1.25"};
    g_assert_cmpuint(n_stops_at(&memory, &access, 7), ==, 0);
    access.partial = "0.5";
    g_assert_cmpuint(n_stops_at(&memory, &access, 7), ==, 1);
    build_gpu_free(gpu);
}

/* A mean warp of 40 threads has 20, so the 128 bytes of a whole one are 1.6 times its own. */
static void test_partial_groups(void)
{
    PsGpu *gpu = gpu_of_three();
    add_atomics(gpu);
    RefMemory memory = memory_of(gpu);
    g_assert_false(takes_slices(&memory, "1"));
    g_assert_true(takes_slices(&memory, "1.01"));
    memory.group_size = 40;
    memory.warps = 2;
    g_assert_false(takes_slices(&memory, "1.6"));
    g_assert_true(takes_slices(&memory, "1.61"));
    build_gpu_free(gpu);
}

/* Beside stores that write in part, the 128 bytes of a load take the slices what they take of L2:
 * 1280 bytes at 2000 * 10^9 per second are 0.64 ns. */
static void test_slices(void)
{
    static const RefStop beside[] = {
        {1, 2048, 1024}, {2, 2048, 1024}, {7, 656, 1024}, {5, 2622, 1024}, {0, 0, 0}};
    static const char *const others[] = {"global.load", "global.store"};
    PsGpu *gpu = gpu_of_three();
    add_atomics(gpu);
    const RefMemory memory = memory_of(gpu);
    for (guint i = 0; i < G_N_ELEMENTS(others); i++) {
        Graph graph = graph_new();
        add_access(graph.body, &(Access){.class_name = "global.store", .bytes = "1", .l2 = "2"});
        const PsIdgItem *other =
            add_access(graph.body, &(Access){.class_name = others[i], .bytes = "4"});
        g_autoptr(GHashTable) table = ref_traffic_new(&memory, graph.idg, graph.scope);
        check_stops(g_hash_table_lookup(table, other), beside);
        graph_free(&graph);
    }
    build_gpu_free(gpu);
}

/* Ten lines at half a cycle each are 5 cycles, longer than the 2 for the bytes, at L1 alone; three
 * are 1.5. What moves no bytes there has no lines there. */
static void test_lines(void)
{
    static const RefStop ten[] = {{1, 5120, 1024}, {2, 2048, 1024}, {5, 2622, 1024}, {0, 0, 0}};
    static const RefStop three[] = {{1, 2048, 1024}, {2, 2048, 1024}, {5, 2622, 1024}, {0, 0, 0}};
    static const RefStop none[] = {{0, 0, 0}};
    PsGpu *gpu = gpu_of_three();
    gpu->memory.tag = (PsRational){1, 2};
    const RefMemory memory = memory_of(gpu);
    Access access = {.class_name = "global.load", .bytes = "4", .l1 = "1", .lines = "10"};
    check_traffic(&memory, &access, 1024, 600 * 1024, ten);
    access.lines = "3";
    check_traffic(&memory, &access, 1024, 600 * 1024, three);
    access.l1 = "0";
    access.lines = "10";
    check_traffic(&memory, &access, 1024, 28 * 1024, none);
    build_gpu_free(gpu);
}

/* Three wavefronts at 2 cycles each are 6, 40 lines at a quarter 10; twelve wavefronts are 24. So
 * long the unit and L1 are busy. Of 512 bytes half get to L2, 4 cycles by its port; so do half of
 * the lines, 10 at half a cycle. Nothing is counted where the graph does not say how many
 * wavefronts there are: then 16 bytes are four requests, and the lines take L1 20 cycles. */
static void test_wavefronts(void)
{
    static const RefStop by_lines[] = {
        {1, 10240, 1024}, {2, 10240, 1024}, {5, 5243, 1024}, {0, 0, 0}};
    static const RefStop by_banks[] = {
        {1, 24576, 1024}, {2, 10240, 1024}, {5, 5243, 1024}, {0, 0, 0}};
    static const RefStop plain[] = {{1, 20480, 1024}, {2, 4096, 1024}, {5, 5243, 1024}, {0, 0, 0}};
    PsGpu *gpu = gpu_of_three();
    gpu->memory.tag = (PsRational){1, 2};
    gpu->memory.wavefront = (PsRational){2, 1};
    gpu->memory.lookup = (PsRational){1, 4};
    const RefMemory memory = memory_of(gpu);
    Access access = {.class_name = "global.load",
                     .bytes = "16",
                     .l1 = "1",
                     .l2 = "0.5",
                     .lines = "40",
                     .wavefronts = "3"};
    check_traffic(&memory, &access, 10240, 600 * 1024, by_lines);
    access.wavefronts = "12";
    check_traffic(&memory, &access, 24576, 600 * 1024, by_banks);
    access.wavefronts = NULL;
    check_traffic(&memory, &access, 4096, 600 * 1024, plain);
    build_gpu_free(gpu);
}

/* A node that states no wavefronts has one for each word where another states some: 4, which take 8
 * cycles, and on the pipeline of local memory, if there is one. */
static void test_counted(void)
{
    for (guint local = 0; local < 2; local++) {
        PsGpu *gpu = gpu_of_three();
        Graph graph = graph_new();
        gpu->memory.wavefront = (PsRational){2, 1};
        gpu->local.stated = local > 0;
        gpu->local.pipeline = 0;
        const RefMemory memory = memory_of(gpu);
        add_access(graph.body, &(Access){.class_name = "global.store", .wavefronts = "1"});
        const PsIdgItem *item =
            add_access(graph.body, &(Access){.class_name = "global.load", .bytes = "16"});
        g_autoptr(GHashTable) table = ref_traffic_new(&memory, graph.idg, graph.scope);
        const RefTraffic *traffic = g_hash_table_lookup(table, item);
        g_assert_cmpint(traffic->serves.issue, ==, 8 * 1024);
        g_assert_cmpuint(traffic->serves.pipeline, ==, local ? 0 : 1);
        graph_free(&graph);
        build_gpu_free(gpu);
    }
}

/* 20 threads in one warp: 80 bytes; 40 in two: the same. 1.25 cycles, 1.6 at device memory. The
 * request is of a warp, whatever its threads. */
static void test_warps_that_are_not_full(void)
{
    static const RefStop stops[] = {{1, 1280, 1024}, {2, 1280, 1024}, {5, 1639, 1024}, {0, 0, 0}};
    PsGpu *gpu = gpu_of_three();
    RefMemory memory = memory_of(gpu);
    memory.group_size = 20;
    check_traffic(&memory, &(Access){.class_name = "global.load"}, 1024, 600 * 1024, stops);
    memory.group_size = 40;
    memory.warps = 2;
    check_traffic(&memory, &(Access){.class_name = "global.load"}, 1024, 600 * 1024, stops);
    build_gpu_free(gpu);
}

/* Two sectors are a third of the way from 2.5 to 10 ns: 5, of ten compute units 50; half of the
 * requests go there: 25 cycles. A byte, a 32nd of a sector, is as one sector: 25, and 12.5 of half;
 * but L2 and device memory are reached by a 32nd. More than 4 sectors are as 4: 100 and 50. Without
 * a rate for lines it is always 2.5 ns. */
static void test_spots(void)
{
    static const RefStop two[] = {
        {1, 1024, 1024}, {2, 1024, 1024}, {8, 25600, 1024}, {5, 1311, 1024}, {0, 0, 0}};
    static const RefStop one[] = {
        {1, 16, 1024}, {2, 16, 32}, {8, 12800, 32}, {5, 21, 32}, {0, 0, 0}};
    static const RefStop many[] = {
        {1, 8192, 1024}, {2, 8192, 1024}, {8, 204800, 1024}, {5, 10486, 1024}, {0, 0, 0}};
    static const RefStop no_line[] = {
        {1, 1024, 1024}, {2, 1024, 1024}, {8, 12800, 1024}, {5, 1311, 1024}, {0, 0, 0}};
    PsGpu *gpu = gpu_of_three();
    add_atomics(gpu);
    const RefMemory memory = memory_of(gpu);
    Access access = {
        .class_name = "global.store", .bytes = "2", .spot = "x", .turns = "0.5", .l2 = "1"};
    check_traffic(&memory, &access, 1024, 600 * 1024, two);
    access.l2 = "0.015625";
    check_traffic(&memory, &access, 1024, 28672 + 32 * 572, one);
    access.bytes = "16";
    access.l2 = "1";
    check_traffic(&memory, &access, 4096, 600 * 1024, many);
    gpu->atomics.block = (PsRational){8, 1}; /* which the graph's shares allow for */
    check_traffic(&memory, &access, 4096, 600 * 1024, many);
    access.bytes = "2";
    gpu->atomics.per_line = (PsRational){0, 1};
    check_traffic(&memory, &access, 1024, 600 * 1024, no_line);
    build_gpu_free(gpu);
}

/* Operations at one address take turns: half of the requests have eight in two sectors, whose first
 * ones take 2.5 + 17.5 / 3 ns, and the other six 15; or three in eight sectors, 40 ns. */
static void test_serial(void)
{
    static const RefStop stops[] = {
        {1, 1024, 1024}, {2, 1024, 1024}, {8, 119467, 1024}, {5, 1311, 1024}, {0, 0, 0}};
    static const RefStop sectors[] = {
        {1, 4096, 1024}, {2, 4096, 1024}, {8, 204800, 1024}, {5, 5243, 1024}, {0, 0, 0}};
    PsGpu *gpu = gpu_of_three();
    add_atomics(gpu);
    gpu->atomics.per_line = (PsRational){1, 20};
    const RefMemory memory = memory_of(gpu);
    Access access = {.class_name = "global.store",
                     .bytes = "2",
                     .spot = "x",
                     .turns = "0.5",
                     .l2 = "1",
                     .serial = 8};
    check_traffic(&memory, &access, 1024, 600 * 1024, stops);
    access.bytes = "8";
    access.serial = 3;
    check_traffic(&memory, &access, 2048, 600 * 1024, sectors);
    build_gpu_free(gpu);
}

/* A store takes its sector 1/0.25 ns at least, so those of half of the requests 20 cycles of ten
 * compute units; an atomic does not. Rates that were measured at 500 MHz take as many cycles at
 * 1000: half as many as rates that are the same at every clock. */
static void test_writes(void)
{
    static const RefStop store[] = {
        {1, 512, 1024}, {2, 512, 1024}, {8, 20480, 1024}, {5, 656, 1024}, {0, 0, 0}};
    static const RefStop slower[] = {
        {1, 512, 1024}, {2, 512, 1024}, {8, 10240, 1024}, {5, 656, 1024}, {0, 0, 0}};
    static const RefStop atomic[] = {{1, 512, 1024},  {2, 512, 1024}, {6, 1280, 1024},
                                     {8, 6400, 1024}, {5, 656, 1024}, {0, 0, 0}};
    PsGpu *gpu = gpu_of_three();
    add_atomics(gpu);
    gpu->atomics.write = (PsRational){1, 4};
    const RefMemory memory = memory_of(gpu);
    Access access = {
        .class_name = "global.store", .bytes = "1", .spot = "x", .turns = "0.5", .l2 = "1"};
    check_traffic(&memory, &access, 1024, 600 * 1024, store);
    gpu->atomics.rates_at = (PsRational){500, 1};
    check_traffic(&memory, &access, 1024, 600 * 1024, slower);
    access.class_name = "atomic.add";
    check_traffic(&memory, &access, 2048, 600 * 1024, atomic);
    build_gpu_free(gpu);
}

/* Nodes of one name meet, whatever their codes; others do not. */
static void test_spots_meet(void)
{
    static const char *const spots[] = {"x", "y", "x", NULL};
    static const guint servers[] = {8, 9, 8};
    const PsIdgItem *items[3];
    PsGpu *gpu = gpu_of_three();
    add_atomics(gpu);
    const RefMemory memory = memory_of(gpu);
    Graph graph = graph_new();
    ps_idg_add_warps(graph.idg->codes->pdata[0], build_expr("0"), NULL);
    GPtrArray *bodies[] = {graph.body, graph.body, ps_idg_add_code(graph.idg)->body};
    for (guint i = 0; i < 3; i++)
        items[i] = add_access(bodies[i], &(Access){.class_name = "atomic.add", .spot = spots[i]});
    g_autoptr(GHashTable) table = ref_traffic_new(&memory, graph.idg, graph.scope);
    for (guint i = 0; i < 3; i++) {
        const RefTraffic *traffic = g_hash_table_lookup(table, items[i]);
        g_assert_cmpuint(traffic->stops[3].server, ==, servers[i]);
    }
    graph_free(&graph);
    build_gpu_free(gpu);
}

/* What R8 adds stands before L3 and device memory: after L1 where there is no L2. An atomic's 200
 * grow by what is beyond L2: by 200 - 28 of L3 and 600 - 200 of device memory. */
static void test_without_l2(void)
{
    static const RefStop stops[] = {
        {1, 2048, 1024}, {6, 10240, 1024}, {3, 2048, 1024}, {5, 2622, 1024}, {0, 0, 0}};
    PsMemoryLevel l3 = l2;
    l3.level = PS_LEVEL_L3;
    const PsMemoryLevel levels[] = {l1, l3, device};
    PsGpu *gpu = gpu_with(levels, G_N_ELEMENTS(levels));
    add_atomics(gpu);
    const RefMemory memory = memory_of(gpu);
    check_traffic(&memory, &(Access){.class_name = "atomic"}, 2048, (200 + 172 + 400) * 1024,
                  stops);
    build_gpu_free(gpu);
}

/* ---- what a launch before has left --------------------------------------------------------- */

/* 64 groups of 4 warps, of which 2 run a loop of 16 loads of 128 bytes: 262 144 bytes. */
static void check_warm(gint64 cache, gboolean kept)
{
    const PsMemoryLevel levels[] = {l1, l2, device};
    PsGpu *gpu = gpu_with(levels, G_N_ELEMENTS(levels));
    g_array_index(gpu->memory.levels, PsMemoryLevel, 1).bytes = cache;
    RefMemory memory = memory_of(gpu);
    memory.groups = 64;
    memory.warps = 4;
    memory.group_size = 128;
    memory.cache = PS_CACHE_WARM;
    Graph graph = graph_new();
    ps_idg_add_warps(graph.idg->codes->pdata[0], build_expr("1"), build_expr("2"));
    const PsIdgItem *item =
        add_access(build_loop(graph.body, "16"), &(Access){.class_name = "global.load"});
    build_node(ps_idg_add_code(graph.idg)->body, "b", "alu", "");
    g_autoptr(GHashTable) table = ref_traffic_new(&memory, graph.idg, graph.scope);
    const RefTraffic *traffic = g_hash_table_lookup(table, item);
    g_assert_cmpuint(traffic->n_stops, ==, kept ? 2 : 3);
    g_assert_cmpint(traffic->serves.completion, ==, (kept ? 200 : 600) * 1024);
    graph_free(&graph);
    build_gpu_free(gpu);
}

static void test_warm(void)
{
    check_warm(262144, TRUE);
    check_warm(262143, FALSE);
}

/* A warp loads as many bytes as the cache holds, 128, of which half are dirty: 128 / 2 * (1 - 1/e)
 * are written back, 324 of 1024 for each that is read, so that 2.56 cycles become 3.37 (3450.88 of
 * 1/1024). A store that stays there leaves 1/e of them, 119 of 1024. */
static void check_dirty(const char *store, gint64 service)
{
    const Access load = {.class_name = "global.load", .bytes = "4"};
    const Access other = {.class_name = "global.store", .bytes = store};
    PsGpu *gpu = gpu_of_three();
    PsMemoryLevel *cache = &g_array_index(gpu->memory.levels, PsMemoryLevel, 1);
    RefMemory memory = memory_of(gpu);
    Graph graph = graph_new();
    const PsIdgItem *item = add_access(graph.body, &load);
    if (store)
        add_access(graph.body, &other);
    cache->bytes = 128;
    cache->dirty = (PsRational){1, 2};
    memory.groups = memory.warps = 1;
    memory.group_size = 32;
    memory.cache = PS_CACHE_DIRTY;
    g_autoptr(GHashTable) table = ref_traffic_new(&memory, graph.idg, graph.scope);
    const RefTraffic *traffic = g_hash_table_lookup(table, item);
    g_assert_cmpint(traffic->stops[traffic->n_stops - 1].service, ==, service);
    graph_free(&graph);
    build_gpu_free(gpu);
}

static void test_dirty(void)
{
    check_dirty(NULL, 3451);
    check_dirty("4", 2927);
}

/* ---- R7: device memory that is busy --------------------------------------------------------- */

/* At 700 MHz 40.5 ns are 28.35 cycles, 29030.4 of 1/1024, and 300 ns 210 cycles. A launch that
 * writes half as much as it reads is mixed as one that does as much of both: 75 ns are 52.5 cycles.
 * Where no window is stated, there is nothing. */
static void test_queue(void)
{
    const Access load = {.class_name = "global.load", .bytes = "8"};
    const Access store = {.class_name = "global.store", .bytes = "4"};
    PsGpu *gpu = gpu_of_three();
    Graph graph = graph_new();
    RefMemory memory = memory_of(gpu);
    gint64 queue = 1, window = 1;
    gpu->memory.queue = gpu->memory.queue_mixed = gpu->memory.window = (PsRational){0, 1};
    add_access(graph.body, &load);
    ref_queue(&memory, graph.idg, graph.scope, &queue, &window);
    g_assert_cmpint(queue, ==, 0);
    g_assert_cmpint(window, ==, 0);
    memory.clock = PS_RATIONAL_INT(700);
    gpu->memory.queue = (PsRational){81, 2};
    gpu->memory.queue_mixed = PS_RATIONAL_INT(75);
    gpu->memory.window = PS_RATIONAL_INT(300);
    ref_queue(&memory, graph.idg, graph.scope, &queue, &window);
    g_assert_cmpint(queue, ==, 29030);
    g_assert_cmpint(window, ==, 210 * 1024);
    add_access(graph.body, &store);
    ref_queue(&memory, graph.idg, graph.scope, &queue, &window);
    g_assert_cmpint(queue, ==, 52 * 1024 + 512);
    graph_free(&graph);
    build_gpu_free(gpu);
}

/* ---- R5: the fetch of the first instructions ----------------------------------------------- */

/* Twice the latency of device memory, 600 cycles; warm, of L2; 18.5 at 700 MHz are 26.43 cycles,
 * twice that 52.857, which is 54125.7 of 1/1024. */
static void test_fetch(void)
{
    PsGpu *gpu = gpu_of_three();
    RefMemory memory = memory_of(gpu);
    g_assert_cmpint(ref_fetch(&memory), ==, 1200 * 1024);
    memory.cache = PS_CACHE_WARM;
    g_assert_cmpint(ref_fetch(&memory), ==, 400 * 1024);
    PsMemoryLevel *last = &g_array_index(gpu->memory.levels, PsMemoryLevel, 1);
    last->latency = (PsRational){37, 2};
    last->at = PS_RATIONAL_INT(700);
    g_assert_cmpint(ref_fetch(&memory), ==, 54126);
    build_gpu_free(gpu);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/reference-traffic/fetch", test_fetch);
    g_test_add_func("/reference-traffic/queue", test_queue);
    g_test_add_func("/reference-traffic/streaming", test_streaming);
    g_test_add_func("/reference-traffic/clock", test_clock_and_sharing);
    g_test_add_func("/reference-traffic/shares", test_shares);
    g_test_add_func("/reference-traffic/shares-not-stated", test_shares_that_are_not_stated);
    g_test_add_func("/reference-traffic/lines", test_lines);
    g_test_add_func("/reference-traffic/wavefronts", test_wavefronts);
    g_test_add_func("/reference-traffic/counted", test_counted);
    g_test_add_func("/reference-traffic/not-full", test_warps_that_are_not_full);
    g_test_add_func("/reference-traffic/l0", test_l0);
    g_test_add_func("/reference-traffic/passed-by", test_levels_passed_by);
    g_test_add_func("/reference-traffic/weights", test_weights);
    g_test_add_func("/reference-traffic/classes", test_classes_that_win);
    g_test_add_func("/reference-traffic/per-scheduler", test_pipeline_of_each_scheduler);
    g_test_add_func("/reference-traffic/atomics", test_atomics);
    g_test_add_func("/reference-traffic/partial", test_partial_sectors);
    g_test_add_func("/reference-traffic/stores", test_stores);
    g_test_add_func("/reference-traffic/partial-lanes", test_partial_lanes);
    g_test_add_func("/reference-traffic/partial-some", test_partial_some);
    g_test_add_func("/reference-traffic/partial-copy", test_partial_copy);
    g_test_add_func("/reference-traffic/partial-groups", test_partial_groups);
    g_test_add_func("/reference-traffic/slices", test_slices);
    g_test_add_func("/reference-traffic/spots", test_spots);
    g_test_add_func("/reference-traffic/serial", test_serial);
    g_test_add_func("/reference-traffic/writes", test_writes);
    g_test_add_func("/reference-traffic/spots-meet", test_spots_meet);
    g_test_add_func("/reference-traffic/without-l2", test_without_l2);
    g_test_add_func("/reference-traffic/warm", test_warm);
    g_test_add_func("/reference-traffic/dirty", test_dirty);
    return g_test_run();
}
