/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/help/levels.h"

const PsMemoryLevel level_l1 = {.level = PS_LEVEL_L1,
                                .bytes = 65536,
                                .port = {64, 1},
                                .bandwidth = {0, 1},
                                .latency = {28, 1},
                                .at = {0, 1}};
const PsMemoryLevel level_l2 = {.level = PS_LEVEL_L2,
                                .bytes = 1048576,
                                .port = {64, 1},
                                .bandwidth = {2000, 1},
                                .latency = {200, 1},
                                .at = {0, 1}};
const PsMemoryLevel level_device = {.level = PS_LEVEL_DEVICE,
                                    .port = {0, 1},
                                    .bandwidth = {500, 1},
                                    .latency = {300, 1},
                                    .at = {500, 1}};

PsGpu *gpu_with(const PsMemoryLevel *levels, guint n)
{
    PsGpu *gpu = build_gpu(10, 3);
    gpu->memory = (PsMemory){.levels = g_array_new(FALSE, FALSE, sizeof(PsMemoryLevel)),
                             .pipeline = 1,
                             .request = {1, 1},
                             .store = {0, 1},
                             .texture = {0, 1},
                             .tag = {0, 1},
                             .wavefront = {0, 1},
                             .lookup = {0, 1},
                             .line_bytes = 128,
                             .sector_bytes = 32};
    g_array_append_vals(gpu->memory.levels, levels, n);
    return gpu;
}

PsGpu *gpu_of_three(void)
{
    const PsMemoryLevel levels[] = {level_l1, level_l2, level_device};
    return gpu_with(levels, G_N_ELEMENTS(levels));
}

void add_atomics(PsGpu *gpu)
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

PsIdgItem *add_access(GPtrArray *body, const Access *access)
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
    item->rows = access->rows ? build_expr(access->rows) : NULL;
    item->turns = access->turns ? build_expr(access->turns) : NULL;
    item->lanes = access->lanes ? build_expr(access->lanes) : NULL;
    return item;
}

RefMemory memory_of(const PsGpu *gpu)
{
    return (RefMemory){.gpu = gpu,
                       .clock = {1000, 1},
                       .sharing = 10,
                       .group_size = 32,
                       .warps = 1,
                       .groups = 1,
                       .ticks_per_cycle = 1024};
}

void check_stops(const RefTraffic *traffic, const RefStop *stops)
{
    for (guint i = 0; i < traffic->n_stops; i++) {
        g_assert_cmpuint(traffic->stops[i].server, ==, stops[i].server);
        g_assert_cmpint(traffic->stops[i].service, ==, stops[i].service);
        g_assert_cmpint(traffic->stops[i].weight, ==, stops[i].weight);
    }
    g_assert_cmpint(stops[traffic->n_stops].service, ==, 0);
}

void check_traffic(const RefMemory *memory, const Access *access, gint64 issue, gint64 completion,
                   const RefStop *stops)
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
