/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the reference binds atomics, stores and the sectors of an access to (R8), held against
 * figures worked out by hand.
 */
#include "tests/help/levels.h"

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

/* 128 bytes take device memory 2.56 cycles. It opens 100 rows a cycle, ten for each compute unit:
 * 64 take 6.4 cycles, ten 1. A request that gets nothing there opens none. */
static void test_rows(void)
{
    static const RefStop many[] = {{1, 2048, 1024}, {2, 2048, 1024}, {5, 6554, 1024}, {0, 0, 0}};
    static const RefStop few[] = {{1, 2048, 1024}, {2, 2048, 1024}, {5, 2622, 1024}, {0, 0, 0}};
    static const RefStop none[] = {{1, 2048, 1024}, {2, 2048, 1024}, {0, 0, 0}};
    PsGpu *gpu = gpu_of_three();
    const RefMemory memory = memory_of(gpu);
    Access access = {.class_name = "global.load", .bytes = "4", .l1 = "1", .rows = "64"};
    check_traffic(&memory, &access, 1024, 600 * 1024, few);
    g_array_index(gpu->memory.levels, PsMemoryLevel, 2).rows = (PsRational){100, 1};
    check_traffic(&memory, &access, 1024, 600 * 1024, many);
    access.rows = "10";
    check_traffic(&memory, &access, 1024, 600 * 1024, few);
    access.rows = "64";
    access.l2 = "1";
    access.device = "0";
    check_traffic(&memory, &access, 1024, 200 * 1024, none);
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
    PsMemoryLevel l3 = level_l2;
    l3.level = PS_LEVEL_L3;
    const PsMemoryLevel levels[] = {level_l1, l3, level_device};
    PsGpu *gpu = gpu_with(levels, G_N_ELEMENTS(levels));
    add_atomics(gpu);
    const RefMemory memory = memory_of(gpu);
    check_traffic(&memory, &(Access){.class_name = "atomic"}, 2048, (200 + 172 + 400) * 1024,
                  stops);
    build_gpu_free(gpu);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/reference-traffic/lines", test_lines);
    g_test_add_func("/reference-traffic/rows", test_rows);
    g_test_add_func("/reference-traffic/wavefronts", test_wavefronts);
    g_test_add_func("/reference-traffic/counted", test_counted);
    g_test_add_func("/reference-traffic/not-full", test_warps_that_are_not_full);
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
    return g_test_run();
}
