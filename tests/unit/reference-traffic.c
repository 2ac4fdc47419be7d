/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the reference binds the nodes of a graph to on a description with a memory (R7, R8), and the
 * fetch of the first instructions (R5), held against figures worked out by hand.
 */
#include "tests/help/levels.h"

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

/* ---- what a launch before has left --------------------------------------------------------- */

/* 64 groups of 4 warps, of which 2 run a loop of 16 loads of 128 bytes: 262 144 bytes. */
static void check_warm(gint64 cache, gboolean kept)
{
    const PsMemoryLevel levels[] = {level_l1, level_l2, level_device};
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
    g_test_add_func("/reference-traffic/l0", test_l0);
    g_test_add_func("/reference-traffic/passed-by", test_levels_passed_by);
    g_test_add_func("/reference-traffic/weights", test_weights);
    g_test_add_func("/reference-traffic/classes", test_classes_that_win);
    g_test_add_func("/reference-traffic/per-scheduler", test_pipeline_of_each_scheduler);
    g_test_add_func("/reference-traffic/warm", test_warm);
    g_test_add_func("/reference-traffic/dirty", test_dirty);
    return g_test_run();
}
