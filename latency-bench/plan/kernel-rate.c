/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rates: streams through device memory, peaks, and the sweeps over operational intensity and over
 * the share of loads.
 */
#include "base/class-name.h"
#include "latency-bench/plan/kernel-private.h"

#include <string.h>

/* ---- streams ------------------------------------------------------------------------------- */

typedef struct {
    const char *name, *class_name, *graph_class;
    gint64 ilp;
    PsBenchKind kind;
    gboolean writes;
} Stream;

static void add_stream(GPtrArray *all, const Stream *stream)
{
    PsBenchKernel *kernel =
        ps_bench_add(all, g_strdup(stream->name), stream->kind, stream->class_name);
    kernel->ilp = stream->ilp;
    kernel->memory = PS_MEMORY_ZERO;
    kernel->level = PS_LEVEL_DEVICE;
    kernel->access = PS_ACCESS_STREAM;
    kernel->width = 4 * ps_class_access(stream->class_name).words;
    kernel->operations = (double)(kernel->width * stream->ilp);
    GString *source = g_string_new(NULL);
    g_autofree char *ilp = g_strdup_printf("%" G_GINT64_FORMAT, stream->ilp);
    g_autofree char *words =
        g_strdup_printf("%" G_GINT64_FORMAT "u", ps_class_access(stream->class_name).words);
    ps_bench_define(source, "ILP", ilp);
    ps_bench_define(source, "WORDS", words);
    if (stream->writes)
        ps_bench_define(source, "WRITES", "1");
    g_string_append(source, ps_text_each);
    g_string_append(source, ps_text_stream);
    kernel->source = g_string_free(source, FALSE);

    GPtrArray *trip;
    kernel->graph = ps_bench_graph(stream->name, &trip);
    for (gint64 i = 0; i < stream->ilp; i++) {
        g_autofree char *node = g_strdup_printf("x%" G_GINT64_FORMAT, i);
        ps_bench_traffic(ps_bench_node(trip, node, stream->graph_class, stream->writes ? "" : node),
                         kernel->width, PS_LEVEL_DEVICE);
    }
}

static void add_streams(GPtrArray *all)
{
    static const Stream streams[] = {
        {"memory-ilp1", "memory", "memory", 1, PS_BENCH_GLOBAL, FALSE},
        {"memory-ilp2", "memory", "memory", 2, PS_BENCH_GLOBAL, FALSE},
        {"memory-ilp4", "memory", "memory", 4, PS_BENCH_GLOBAL, FALSE},
        {"memory-ilp8", "memory", "memory", 8, PS_BENCH_GLOBAL, FALSE},
        {"global-store", "global.store", "global.store", 8, PS_BENCH_GLOBAL, TRUE},
        {"global-store-ilp4", "global.store", "global.store", 4, PS_BENCH_GLOBAL, TRUE},
        {"global-store-v2", "global.store.v2", "global.store.v2", 8, PS_BENCH_GLOBAL, TRUE},
        {"global-store-v2-ilp4", "global.store.v2", "global.store.v2", 4, PS_BENCH_GLOBAL, TRUE},
        {"global-store-v4", "global.store.v4", "global.store.v4", 8, PS_BENCH_GLOBAL, TRUE},
        {"global-store-v4-ilp4", "global.store.v4", "global.store.v4", 4, PS_BENCH_GLOBAL, TRUE},
        {"stream-read", "memory", "memory", 8, PS_BENCH_STREAM, FALSE},
        {"stream-write", "global.store", "global.store", 8, PS_BENCH_STREAM, TRUE},
        {"peak-b-mem", "B_mem", "memory", 8, PS_BENCH_PEAK, FALSE},
    };
    for (guint i = 0; i < G_N_ELEMENTS(streams); i++)
        add_stream(all, &streams[i]);
}

/* ---- peaks --------------------------------------------------------------------------------- */

static void add_tensor_peak(GPtrArray *all)
{
    PsBenchKernel *kernel = ps_bench_add(all, g_strdup("peak-t-tensor"), PS_BENCH_PEAK, "T_tensor");
    kernel->ilp = 4;
    kernel->unroll = 16;
    kernel->operations = 2.0 * 16 * 8 * 16 / 32 * 16 * 4;
    kernel->backends = "CUDA";
    kernel->since = 75; /* tensor cores came with sm_70, the instruction used here with sm_75 */
    kernel->needs_fp16 = TRUE;
    kernel->source = g_strconcat("#define TRIP S16\n", ps_text_tensor, NULL);
    GPtrArray *trip;
    kernel->graph = ps_bench_graph(kernel->name, &trip);
    GPtrArray *steps = ps_bench_loop(trip, kernel->unroll);
    for (gint64 i = 0; i < kernel->ilp; i++) {
        g_autofree char *node = g_strdup_printf("x%" G_GINT64_FORMAT, i);
        ps_bench_count(ps_bench_node(steps, node, "tensor", node), 2 * 16 * 8 * 16 / 32, "tensor");
    }
}

static void add_peaks(GPtrArray *all)
{
    static const struct {
        const char *name, *peak, *class_name;
        gint64 chains; /* number of chains whose order assemblers keep */
    } peaks[] = {{"peak-t-sp", "T_SP", "fmadd", 4},
                 {"peak-t-dp", "T_DP", "dfma", 4},
                 {"peak-t-hp", "T_HP", "hfma", 8},
                 {"peak-t-int", "T_int", "imad", 4},
                 {"peak-t-add", "T_add", "iadd", 4}};
    for (guint i = 0; i < G_N_ELEMENTS(peaks); i++)
        ps_bench_chain(ps_bench_add(all, g_strdup(peaks[i].name), PS_BENCH_PEAK, peaks[i].peak),
                       ps_bench_arithmetic(peaks[i].class_name), peaks[i].chains,
                       ps_text_arithmetic);
    add_tensor_peak(all);
}

/* ---- sweeps -------------------------------------------------------------------------------- */

static const gint64 SHARES[] = {0, 1, 2, 4, 8, 16, 32, 64, 128, 256};

static char *source_with(gint64 fmas, const char *piece)
{
    return g_strdup_printf("#define FMAS S%" G_GINT64_FORMAT "\n%s", fmas, piece);
}

/* Four loads, each with its multiply-adds and its addition; the next four come after the last
 * addition, since a warp issues in program order. */
static PsIdg *intensity_graph(const char *name, gint64 fmas)
{
    GPtrArray *trip;
    PsIdg *idg = ps_bench_graph(name, &trip);
    static const char *const loads[] = {"l0", "l1", "l2", "l3"};
    static const char *const chains[] = {"f0", "f1", "f2", "f3"};
    static const char *const waits[] = {"l0 f0", "l1 f1", "l2 f2", "l3 f3"};
    static const char *const sums[] = {"s0", "s1", "s2", "s3"};
    static const char *const adds[] = {"l0 f0 s3", "l1 f1 s0", "l2 f2 s1", "l3 f3 s2"};
    for (guint i = 0; i < G_N_ELEMENTS(loads); i++)
        ps_bench_traffic(ps_bench_node(trip, loads[i], "memory", "s3"), 4, PS_LEVEL_DEVICE);
    GPtrArray *steps = ps_bench_loop(trip, fmas);
    for (guint i = 0; i < G_N_ELEMENTS(chains); i++)
        ps_bench_count(ps_bench_node(steps, chains[i], "fmadd", waits[i]), 2, "fp32");
    for (guint i = 0; i < G_N_ELEMENTS(sums); i++)
        ps_bench_count(ps_bench_node(trip, sums[i], "fadd", adds[i]), 1, "fp32");
    return idg;
}

static PsIdg *mix_graph(const char *name, gint64 fmas)
{
    GPtrArray *trip;
    PsIdg *idg = ps_bench_graph(name, &trip);
    ps_bench_traffic(ps_bench_node(trip, "load", "memory", "add fma"), 4, PS_LEVEL_DEVICE);
    ps_bench_count(ps_bench_node(trip, "add", "fadd", "load fma add"), 1, "fp32");
    GPtrArray *steps = ps_bench_loop(trip, fmas);
    ps_bench_count(ps_bench_node(steps, "fma", "fmadd", "add fma"), 2, "fp32");
    return idg;
}

static PsBenchKernel *add_sweep(GPtrArray *all, const char *what, PsBenchKind kind, gint64 fmas)
{
    PsBenchKernel *kernel =
        ps_bench_add(all, g_strdup_printf("%s-%" G_GINT64_FORMAT, what, fmas), kind, what);
    kernel->step = fmas;
    kernel->memory = PS_MEMORY_ZERO;
    kernel->level = PS_LEVEL_DEVICE;
    kernel->access = PS_ACCESS_STREAM;
    kernel->width = 4;
    return kernel;
}

static void add_sweeps(GPtrArray *all)
{
    for (guint i = 0; i < G_N_ELEMENTS(SHARES); i++) {
        const gint64 fmas = SHARES[i];
        PsBenchKernel *kernel = add_sweep(all, "intensity", PS_BENCH_INTENSITY, fmas);
        kernel->unroll = 4;
        kernel->operations = 8.0 * (double)fmas + 4;
        kernel->source = source_with(fmas, ps_text_intensity);
        kernel->graph = intensity_graph(kernel->name, fmas);
    }
    for (guint i = 0; i < G_N_ELEMENTS(SHARES); i++) {
        const gint64 fmas = SHARES[i];
        PsBenchKernel *kernel = add_sweep(all, "mix", PS_BENCH_MIX, fmas);
        kernel->operations = 2.0 * (double)fmas + 1;
        kernel->source = source_with(fmas, ps_text_mix);
        kernel->graph = mix_graph(kernel->name, fmas);
    }
}

void ps_bench_add_rates(GPtrArray *all)
{
    add_streams(all);
    add_peaks(all);
    add_sweeps(all);
}
