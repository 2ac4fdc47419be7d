/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a description says of memory: levels, atomics and local memory, read and written; what
 * follows from them; and what is said of descriptions that contradict themselves.
 */
#include "gpu/level.h"
#include "gpu/rows.h"
#include "tests/help/memory-text.h"
#include "tests/help/rational.h"
#include <string.h>

/* ---- reading and writing ------------------------------------------------------------------- */

static void test_read(void)
{
    g_autoptr(PsGpu) gpu = memory_parse_good("</gpu>", "</gpu>");
    const PsMemoryLevel *l1 = ps_gpu_level(gpu, PS_LEVEL_L1), *l2 = ps_gpu_level(gpu, PS_LEVEL_L2),
                        *device = ps_gpu_level(gpu, PS_LEVEL_DEVICE);
    g_assert_null(ps_gpu_level(gpu, PS_LEVEL_L3));
    g_assert_cmpuint(gpu->memory.levels->len, ==, 3);
    g_assert_cmpuint(gpu->memory.pipeline, ==, 0);
    g_assert_cmpint(gpu->memory.line, ==, 5);
    g_assert_cmpint(gpu->memory.line_bytes, ==, 128);
    g_assert_cmpint(gpu->memory.sector_bytes, ==, 32);
    g_assert_cmpint(gpu->memory.fetch_bytes, ==, 64);
    g_assert_true(gpu->memory.l1_global);
    assert_rational(gpu->memory.request, "2");
    g_assert_cmpint(l1->bytes, ==, 65536);
    g_assert_cmpint(l1->line, ==, 6);
    assert_rational(l1->port, "64");
    assert_rational(l1->bandwidth, "0");
    assert_rational(l1->at, "0");
    assert_rational(l2->latency, "200");
    assert_rational(l2->at, "1000");
    g_assert_cmpint(device->bytes, ==, 0);
    assert_rational(device->bandwidth, "100");
    assert_rational(device->port, "0");
    g_assert_cmpstr(device->source, ==, "s");
    g_assert_true(gpu->atomics.stated);
    g_assert_cmpuint(gpu->atomics.pipeline, ==, 2);
    assert_rational(gpu->atomics.request, "1");
    assert_rational(gpu->atomics.address, "1.25");
    assert_rational(gpu->atomics.per_line, "0.5");
    assert_rational(gpu->atomics.sectors, "3");
    assert_rational(gpu->atomics.partial, "20");
    g_assert_true(gpu->local.stated);
    assert_rational(gpu->local.least, "2.1");
    assert_rational(gpu->local.atomic, "2");
}

/* build asks for the caches, wherever they stand. */
static void test_cache(void)
{
    g_autoptr(PsGpu) gpu = memory_parse_good("</gpu>", "</gpu>");
    g_assert_cmpint(gpu->cache.l1, ==, 65536);
    g_assert_cmpint(gpu->cache.l2, ==, 1048576);
    g_assert_true(gpu->cache.l1_global);
    g_autoptr(PsGpu) off = memory_parse_good("request='2'", "l1-global='off'");
    g_assert_cmpint(off->cache.l1, ==, 65536);
    g_assert_false(off->cache.l1_global);
    g_autoptr(PsGpu) none =
        memory_parse_good("<level name='l1' bytes='65536' port='64' latency='30'/>", "");
    g_assert_cmpint(none->cache.l1, ==, 0);
    g_assert_false(none->cache.l1_global);
    g_autoptr(PsGpu) alike = memory_parse_good("bytes='1048576'", "bytes='65536'");
    g_assert_cmpint(alike->cache.l2, ==, 65536);
}

/* With an l0, l1 is shared, and l0 is what a compute unit has for itself. */
static void test_own_cache(void)
{
    static const char l0[] = "<level name='l0' bytes='16384' port='128' latency='20'/>"
                             "<level name='l1' bytes='65536' bandwidth='800' latency='30'/>";
    static const char l1[] = "<level name='l1' bytes='65536' port='64' latency='30'/>";
    g_autoptr(GError) error = NULL, no_bandwidth = NULL;
    g_autoptr(PsGpu) plain = memory_parse_good("</gpu>", "</gpu>");
    g_autoptr(PsGpu) gpu = memory_parse_good(l1, l0);
    g_assert_cmpint(ps_gpu_own_cache(plain)->level, ==, PS_LEVEL_L1);
    g_assert_cmpint(ps_gpu_own_cache(gpu)->level, ==, PS_LEVEL_L0);
    g_assert_cmpint(gpu->cache.l1, ==, 16384);
    g_assert_cmpint(gpu->cache.l2, ==, 1048576);
    g_autofree char *text = ps_gpu_write(gpu);
    g_autoptr(PsGpu) back = memory_parse(text, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(back->memory.levels->len, ==, 4);
    g_autoptr(PsGpu) bad = memory_parse_with(
        "<level name='l1'", "<level name='l0' bytes='128' port='1' latency='1'/><level name='l1'",
        &no_bandwidth);
    g_assert_null(bad);
    g_assert_cmpstr(no_bandwidth->message, ==,
                    "x.xml:6: the level 'l1' needs 'bandwidth', the 10^9 bytes per second of all "
                    "compute units together");
}

/* What follows is no part of the text; all that is stated is, and is read back. */
static void test_write(void)
{
    g_autoptr(PsGpu) gpu = memory_parse_good(
        "request='2'", "request='2' masked='on' tag='0.5' wavefront='2' lookup='0.25' "
                       "store='50' queue='200' queue-mixed='550.5' window='2000' l1-global='off'");
    g_autofree char *text = ps_gpu_write(gpu);
    const char *from = strstr(text, "  <memory"), *to = strstr(text, "  <class");
    g_autofree char *part = from && to ? g_strndup(from, (gsize)(to - from)) : NULL;
    g_assert_cmpstr(
        part, ==,
        "  <memory pipeline=\"global\" line=\"128\" sector=\"32\" masked=\"on\" request=\"2\" "
        "tag=\"0.5\" wavefront=\"2\" lookup=\"0.25\" store=\"50\" "
        "queue=\"200\" queue-mixed=\"550.5\" window=\"2000\" l1-global=\"off\" source=\"s\">\n"
        "    <level name=\"l1\" bytes=\"65536\" port=\"64\" latency=\"30\"/>\n"
        "    <level name=\"l2\" bytes=\"1048576\" port=\"32\" bandwidth=\"500\" latency=\"200\" "
        "at=\"1000\"/>\n"
        "    <level name=\"device\" bandwidth=\"100\" latency=\"800\" at=\"1600\" source=\"s\"/>\n"
        "  </memory>\n"
        "  <atomics pipeline=\"atomic\" latency=\"300\" at=\"1500\" request=\"1\" "
        "address=\"1.25\" line=\"0.5\" sectors=\"3\" partial=\"20\" source=\"s\"/>\n"
        "  <local-memory pipeline=\"local\" wavefront=\"1\" least=\"2.1\" completion=\"25\" "
        "atomic=\"2\" source=\"s\"/>\n");
    g_assert_null(strstr(text, "<cache"));
    g_assert_null(strstr(text, "name=\"memory\""));
    g_autoptr(GError) error = NULL;
    g_autoptr(PsGpu) again = memory_parse(text, &error);
    g_assert_no_error(error);
    g_autofree char *twice = again ? ps_gpu_write(again) : NULL;
    g_assert_cmpstr(text, ==, twice);
}

/* Written where it is another than without it. */
static void test_fetch(void)
{
    g_autoptr(PsGpu) gpu = memory_parse_good("request='2'", "fetch='32'"),
                     usual = memory_parse_good("request='2'", "fetch='64'");
    g_autofree char *text = ps_gpu_write(gpu), *shorter = ps_gpu_write(usual);
    g_assert_cmpint(gpu->memory.fetch_bytes, ==, 32);
    g_assert_nonnull(strstr(text, "sector=\"32\" fetch=\"32\""));
    g_assert_null(strstr(shorter, "fetch="));
}

/* Without it L1 reads sectors. */
static void test_fill(void)
{
    g_autoptr(PsGpu) gpu = memory_parse_good("request='2'", "fill='128'"),
                     usual = memory_parse_good("request='2'", "fetch='64'");
    g_autofree char *text = ps_gpu_write(gpu), *shorter = ps_gpu_write(usual);
    g_assert_cmpint(gpu->memory.fill_bytes, ==, 128);
    g_assert_nonnull(strstr(text, "sector=\"32\" fill=\"128\""));
    g_assert_cmpint(usual->memory.fill_bytes, ==, 0);
    g_assert_null(strstr(shorter, "fill="));
}

static void test_overheads(void)
{
    g_autoptr(PsGpu) gpu =
        memory_parse_good("</gpu>", "<overheads turnaround='300' dispatch='2.5'/>"
                                    "<model overheads='on' levels='on'/></gpu>");
    assert_rational(gpu->overheads.turnaround, "300");
    assert_rational(gpu->overheads.dispatch, "2.5");
    g_assert_true(gpu->model.levels);
    g_autofree char *text = ps_gpu_write(gpu);
    g_assert_nonnull(strstr(text, "<overheads turnaround=\"300\" dispatch=\"2.5\"/>"));
    g_assert_nonnull(strstr(text, "<model overheads=\"on\" levels=\"on\"/>"));
    g_autoptr(PsGpu) off = memory_parse_good("</gpu>", "<model levels='off'/></gpu>");
    g_assert_false(off->model.levels);
}

static void test_host_link(void)
{
    g_autoptr(PsGpu) gpu = memory_parse_good(
        "</gpu>", "<host-link to-device='12.5' to-host='13' latency='1.5'/></gpu>");
    g_assert_true(gpu->host.stated);
    assert_rational(gpu->host.to_device, "12.5");
    assert_rational(gpu->host.to_host, "13");
    assert_rational(gpu->host.latency, "1.5");
    g_autofree char *text = ps_gpu_write(gpu);
    g_assert_nonnull(
        strstr(text, "<host-link to-device=\"12.5\" to-host=\"13\" latency=\"1.5\"/>"));
}

/* ---- what follows -------------------------------------------------------------------------- */

static void assert_class(const PsGpu *gpu, const char *asked, const char *found, guint pipeline,
                         const char *issue, const char *completion)
{
    const PsClass *class = ps_gpu_class(gpu, asked, NULL);
    g_assert_nonnull(class);
    if (!class)
        return;
    g_assert_cmpstr(class->name, ==, found);
    g_assert_cmpuint(class->pipeline, ==, pipeline);
    assert_rational(class->latency.issue, issue);
    assert_rational(class->latency.completion, completion);
}

/* 128 bytes at a tenth of 100 GB/s, at 1000 MHz 10 bytes per cycle; 800 cycles of 1600 MHz are 500.
 * L2 would give each CU 32 bytes per cycle, its port. */
static void test_derived(void)
{
    g_autoptr(PsGpu) gpu = memory_parse_good("</gpu>", "</gpu>");
    assert_class(gpu, "memory", "memory", 0, "12.80078125", "500");
    assert_class(gpu, "global.load.s8", "global", 0, "12.80078125", "500");
    assert_class(gpu, "atomic.global.add", "atomic", 2, "12.80078125", "200");
    assert_class(gpu, "local", "local", 1, "2.1", "25");
    assert_class(gpu, "atomic.local", "atomic.local", 1, "4.2", "50");
    assert_class(gpu, "memory.fence", "memory", 0, "12.80078125", "500");
    assert_class(gpu, "memory.fence.group", "memory.fence.group", 1, "2.1", "25");
    g_assert_true(ps_gpu_class(gpu, "global.load", NULL)->derived);
    g_assert_false(ps_gpu_class(gpu, "fadd", NULL)->derived);
    g_assert_cmpstr(ps_gpu_class(gpu, "memory", NULL)->source, ==, "s");
    PsMatch match;
    g_assert_null(ps_gpu_class(gpu, "shuffle", &match));
}

/* Device memory is the narrowest way by its bandwidth, which L2's is never below, unless L2's port
 * carries less; and no request is issued faster than the pipeline takes one. */
static void test_slowest_level(void)
{
    g_autoptr(PsGpu) bandwidth = memory_parse_good("bandwidth='100'", "bandwidth='80'");
    assert_class(bandwidth, "memory", "memory", 0, "16", "500");
    g_autoptr(PsGpu) port = memory_parse_good("port='32'", "port='4'");
    assert_class(port, "memory", "memory", 0, "32", "500");
    g_autoptr(PsGpu) request = memory_parse_good("request='2'", "request='20'");
    assert_class(request, "memory", "memory", 0, "20", "500");
    g_autoptr(PsGpu) wide = memory_parse_good("warp-size='32'", "warp-size='64'");
    assert_class(wide, "memory", "memory", 0, "25.6005859375", "500");
}

/* A row of the file is what it says, and serves what is below it; atomics without figures of their
 * own are accesses. */
static void test_rows(void)
{
    g_autoptr(PsGpu) gpu = memory_parse_good(
        "</gpu>", "<class name='global' pipeline='local' issue='7' completion='9'/>"
                  "<class name='global.load.A.8x8' pipeline='global' issue='5' completion='6'/>"
                  "<class name='local.load.c4' pipeline='global' issue='3' completion='8'/>"
                  "<default kind='unknown' class='memory'/></gpu>");
    assert_class(gpu, "global.load", "global", 1, "7", "9");
    assert_class(gpu, "global.load.A.8x8", "global.load.A.8x8", 0, "5", "6");
    assert_class(gpu, "memory", "memory", 0, "12.80078125", "500");
    assert_class(gpu, "nothing", "memory", 0, "12.80078125", "500");
    g_assert_false(ps_gpu_class(gpu, "global.load", NULL)->derived);
    g_autoptr(GString) text = g_string_new(memory_good);
    char *from = strstr(text->str, "<atomics"), *to = strstr(text->str, "<local-memory");
    g_string_erase(text, from - text->str, to - from);
    g_autoptr(GError) error = NULL;
    g_autoptr(PsGpu) plain = memory_parse(text->str, &error);
    g_assert_no_error(error);
    g_assert_false(plain->atomics.stated);
    assert_class(plain, "atomic.global", "atomic", 0, "12.80078125", "500");
}

/* Built in memory: the same, and again when a figure changes. */
static void test_derive_again(void)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PsGpu) gpu = ps_gpu_new("built");
    g_assert_true(ps_gpu_derive(gpu, &error));
    g_assert_cmpuint(gpu->classes->len, ==, 0);
    ps_gpu_add_pipeline(gpu, "global");
    PsMemoryLevel *device = ps_gpu_add_level(gpu, PS_LEVEL_DEVICE);
    device->bandwidth = PS_RATIONAL_INT(64);
    device->latency = PS_RATIONAL_INT(400);
    g_assert_true(ps_gpu_derive(gpu, &error));
    assert_class(gpu, "global", "global", 0, "2", "400");
    g_array_index(gpu->memory.levels, PsMemoryLevel, 0).latency = PS_RATIONAL_INT(500);
    g_assert_true(ps_gpu_derive(gpu, &error));
    assert_class(gpu, "global", "global", 0, "2", "500");
    g_assert_cmpuint(gpu->classes->len, ==, 3);
    g_assert_no_error(error);
}

/* A CU's part of the bandwidth follows the clock, which the bandwidth does not; its port does not
 * let more through. */
static void test_rate(void)
{
    g_autoptr(PsGpu) gpu = memory_parse_good("</gpu>", "</gpu>");
    const PsMemoryLevel *l1 = ps_gpu_level(gpu, PS_LEVEL_L1), *l2 = ps_gpu_level(gpu, PS_LEVEL_L2),
                        *device = ps_gpu_level(gpu, PS_LEVEL_DEVICE);
    PsRational rate;
    g_assert_true(ps_gpu_level_rate(l1, 10, PS_RATIONAL_INT(1000), &rate));
    assert_rational(rate, "64");
    g_assert_true(ps_gpu_level_rate(l2, 10, PS_RATIONAL_INT(1000), &rate));
    assert_rational(rate, "32");
    g_assert_true(ps_gpu_level_rate(l2, 20, PS_RATIONAL_INT(1000), &rate));
    assert_rational(rate, "25");
    g_assert_true(ps_gpu_level_rate(device, 10, PS_RATIONAL_INT(1000), &rate));
    assert_rational(rate, "10");
    g_assert_true(ps_gpu_level_rate(device, 1, PS_RATIONAL_INT(2000), &rate));
    assert_rational(rate, "50");
    g_assert_true(ps_gpu_cycles(device->latency, device->at, PS_RATIONAL_INT(2000), &rate));
    assert_rational(rate, "1000");
    g_assert_true(ps_gpu_cycles(l1->latency, l1->at, PS_RATIONAL_INT(2000), &rate));
    assert_rational(rate, "30");
}

/* ---- local memory -------------------------------------------------------------------------- */

static void test_local(void)
{
    static const struct {
        const char *asked, *issue, *completion;
    } cases[] = {{"local", "2.1", "25"},
                 {"local.load", "2.1", "25"},
                 {"local.store.broadcast", "2.1", "25"},
                 {"local.load.c2", "2.1", "26"},
                 {"local.load.c3", "3", "27"},
                 {"local.load.v2", "2.1", "26"},
                 {"local.load.c4.v2", "8", "32"},
                 {"local.load.c2.p2.v4", "4", "28"},
                 {"local.load.broadcast.v4", "2.1", "26"},
                 {"local.store.conflict.c4.v4", "16", "40"},
                 {"local.load.c4x.v", "2.1", "25"},
                 {"local.load.c0", "2.1", "25"},
                 {"atomic.local", "4.2", "50"},
                 {"atomic.local.c32", "64", "112"},
                 {"atomic.local.mbarrier", "4.2", "50"}};
    g_autoptr(PsGpu) gpu = memory_parse_good("</gpu>", "</gpu>");
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        guint pipeline = 9;
        PsLatency latency;
        g_assert_true(ps_gpu_local_latency(gpu, cases[i].asked, &pipeline, &latency));
        g_assert_cmpuint(pipeline, ==, 1);
        assert_rational(latency.issue, cases[i].issue);
        assert_rational(latency.completion, cases[i].completion);
    }
}

/* Atomics keep their pipeline for less than they take, compare-and-swap for longer than others. */
static void test_local_atomics(void)
{
    static const struct {
        const char *asked, *issue, *completion;
    } cases[] = {{"atomic.local", "3.15", "50"},
                 {"atomic.local.c32", "48", "112"},
                 {"atomic.local.cas", "9.45", "50"},
                 {"atomic.local.cas.c4", "18", "56"},
                 {"local.load.c4", "4", "28"}};
    g_autoptr(PsGpu) gpu =
        memory_parse_good("atomic='2'", "atomic='2' atomic-issue='1.5' swap='3'");
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        guint pipeline = 9;
        PsLatency latency;
        g_assert_true(ps_gpu_local_latency(gpu, cases[i].asked, &pipeline, &latency));
        assert_rational(latency.issue, cases[i].issue);
        assert_rational(latency.completion, cases[i].completion);
    }
    g_autofree char *text = ps_gpu_write(gpu);
    g_assert_nonnull(strstr(text, "atomic=\"2\" atomic-issue=\"1.5\" swap=\"3\""));
}

/* Rates of the whole chip that go with the clock, and of stores. */
static void test_rates(void)
{
    g_autoptr(PsGpu) gpu = memory_parse_good(
        "partial='20'", "partial='20' stores='25' loads='80' write='0.75' rates-at='1350'");
    assert_rational(gpu->atomics.stores, "25");
    assert_rational(gpu->atomics.loads, "80");
    assert_rational(gpu->atomics.write, "0.75");
    assert_rational(gpu->atomics.rates_at, "1350");
    g_autofree char *text = ps_gpu_write(gpu);
    g_assert_nonnull(
        strstr(text, "partial=\"20\" stores=\"25\" loads=\"80\" write=\"0.75\" rates-at=\"1350\""));
}

static void test_not_local(void)
{
    static const char *const others[] = {"locals",          "shuffle",       "atomic",
                                         "atomic.localize", "global.load",   "local.load.c8",
                                         "atomic.global",   "constant.c4.v2"};
    g_autoptr(PsGpu) gpu = memory_parse_good(
        "</gpu>", "<class name='local.load.c8' pipeline='global' issue='3' completion='8'/></gpu>");
    guint pipeline = 9;
    PsLatency latency;
    for (guint i = 0; i < G_N_ELEMENTS(others); i++)
        g_assert_false(ps_gpu_local_latency(gpu, others[i], &pipeline, &latency));
    g_assert_cmpuint(pipeline, ==, 9);
    g_assert_true(ps_gpu_local_latency(gpu, "local.load.c7", &pipeline, &latency));
    g_autoptr(PsGpu) huge = memory_parse_good("wavefront='1'", "wavefront='500000000'");
    g_assert_true(ps_gpu_local_latency(huge, "local.load.c2", &pipeline, &latency));
    g_assert_false(ps_gpu_local_latency(huge, "local.load.c3", &pipeline, &latency));
    g_autoptr(PsGpu) none = ps_gpu_new("none");
    g_assert_false(ps_gpu_local_latency(none, "local.load", &pipeline, &latency));
}

/* ---- passes --------------------------------------------------------------------------------- */

#define CONSTANTS                                                                                  \
    "<class name='constant' pipeline='local' issue='2' completion='25' pass='1.5'/></gpu>"

static void test_passes(void)
{
    static const struct {
        const char *asked, *issue, *completion;
    } cases[] = {{"constant", "2", "25"},
                 {"constant.broadcast", "2", "25"},
                 {"constant.c2", "3.5", "26.5"},
                 {"constant.c32.v2", "48.5", "71.5"}};
    g_autoptr(PsGpu) gpu = memory_parse_good("</gpu>", CONSTANTS);
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        PsLatency latency;
        const PsClass *class = ps_gpu_class(gpu, cases[i].asked, NULL);
        g_assert_true(ps_gpu_pass_latency(class, cases[i].asked, &latency));
        assert_rational(latency.issue, cases[i].issue);
        assert_rational(latency.completion, cases[i].completion);
    }
    g_autofree char *text = ps_gpu_write(gpu);
    g_assert_nonnull(strstr(text, " pass=\"1.5\""));
}

/* 16 rows of each of four warps; a result comes so much later as the instruction takes longer. With
 * fewer than 64 columns the factors that lie in shared memory are what it waits for. */
static void test_work(void)
{
    static const struct {
        const char *asked, *issue, *completion;
    } cases[] = {{"tensor.wgmma.bf16.m64n256k16", "128", "148"},
                 {"tensor.wgmma.bf16.m64n64k16", "32", "52"},
                 {"tensor.wgmma.bf16.m64n32k16", "24", "44"},
                 {"tensor.wgmma.bf16.m64n8k16", "18", "38"},
                 {"tensor.wgmma.bf16.held.m64n8k16", "4", "24"},
                 {"tensor.wgmma.bf16.held.m64n16k16", "8", "28"},
                 {"tensor.wgmma.f8.f32.m64n16k32", "20", "40"},
                 {"tensor.wgmma.bf16.m16n8k16", "4", "24"},
                 {"tensor.wgmma.f16.f32.sparse.m64n128k32", "80", "100"},
                 {"tensor.wgmma.f16.f32.sparse.held.m64n128k32", "64", "84"},
                 {"tensor.wgmma.tf32.m64n256k8", "128", "148"},
                 {"tensor.wgmma.f8.f32.m64n64k32", "32", "52"},
                 {"tensor.wgmma", "4", "24"}};
    g_autoptr(GError) error = NULL;
    g_autoptr(PsGpu) gpu = ps_gpu_load("gpus/h100.xml", &error);
    g_assert_no_error(error);
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        const PsClass *class = ps_gpu_class(gpu, cases[i].asked, NULL);
        PsLatency latency = class->latency;
        g_assert_true(ps_gpu_product_latency(class, cases[i].asked, &latency));
        assert_rational(latency.issue, cases[i].issue);
        assert_rational(latency.completion, cases[i].completion);
    }
}

/* 128 rows of N columns in N / 2 cycles, and no less than factors in shared memory take; the first
 * factor is there before it begins. */
static void test_tensor_memory(void)
{
    static const struct {
        const char *asked, *issue, *completion;
    } cases[] = {{"tensor.tcgen05.bf16.m128n256k16", "128", "234"},
                 {"tensor.tcgen05.f16.f32.m128n128k16", "64", "170"},
                 {"tensor.tcgen05.f16.f32.m128n64k16", "48", "138"},
                 {"tensor.tcgen05.f16.f32.held.m128n64k16", "32", "106"},
                 {"tensor.tcgen05.f16.f32.m64n64k16", "32", "122"},
                 {"tensor.tcgen05.f16.f32.m64n256k16", "128", "218"},
                 {"tensor.tcgen05.f16.f32.held.m128n16k16", "8", "82"},
                 {"tensor.tcgen05.tf32.m128n128k8", "64", "170"},
                 {"tensor.tcgen05.f8.f32.m128n256k32", "128", "234"},
                 {"tensor.tcgen05.s8.m128n256k32", "128", "234"},
                 {"tensor.tcgen05.f4.f32.m128n256k64", "128", "234"},
                 {"tensor.tcgen05.pair.bf16.m256n256k16", "128", "268"},
                 {"tensor.tcgen05.pair.bf16.m256n64k16", "40", "172"},
                 {"tensor.tcgen05.pair.f8.f32.m128n256k32", "64", "188"},
                 {"tensor.tcgen05.pair.f4.f32.held.m256n128k64", "64", "172"}};
    g_autoptr(GError) error = NULL;
    g_autoptr(PsGpu) gpu = ps_gpu_load("gpus/b200.xml", &error);
    g_assert_no_error(error);
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        const PsClass *class = ps_gpu_class(gpu, cases[i].asked, NULL);
        PsLatency latency = class->latency;
        g_test_message("%s", cases[i].asked);
        g_assert_true(ps_gpu_serves_product(class, cases[i].asked));
        g_assert_true(ps_gpu_product_latency(class, cases[i].asked, &latency));
        assert_rational(latency.issue, cases[i].issue);
        assert_rational(latency.completion, cases[i].completion);
    }
}

/* What has no tensor memory does not do by other products what needs it. */
static void test_no_tensor_memory(void)
{
    const char *asked = "tensor.tcgen05.f16.f32.m128n64k16";
    g_autoptr(GError) error = NULL;
    g_autoptr(PsGpu) gpu = ps_gpu_load("gpus/h100.xml", &error);
    g_assert_no_error(error);
    g_assert_false(ps_gpu_serves_product(ps_gpu_class(gpu, asked, NULL), asked));
}

static void test_too_many_passes(void)
{
    PsLatency latency = {{7, 1}, {7, 1}};
    g_autoptr(PsGpu) gpu = memory_parse_good("</gpu>", CONSTANTS);
    const PsClass *class = ps_gpu_class(gpu, "constant", NULL);
    g_assert_false(ps_gpu_pass_latency(class, "constant.c999999999", &latency));
    g_assert_cmpint(latency.issue.num, ==, 7);
}

/* Patterns that somebody measured are no such rows. */
static void test_patterns(void)
{
    static const char *const fine[] = {
        "global.load.A.8x8", "global.load.stride2", "global.load.own", "global.load.A.s8",
        "global.load.c4",    "global.s8x",          "local.load.v2",   "atomic.global.s8"};
    for (guint i = 0; i < G_N_ELEMENTS(fine); i++) {
        g_autofree char *more = g_strdup_printf(
            "<class name='%s' pipeline='global' issue='1' completion='1'/></gpu>", fine[i]);
        g_autoptr(PsGpu) gpu = memory_parse_good("</gpu>", more);
        const PsClass *class = ps_gpu_class(gpu, fine[i], NULL);
        g_assert_cmpstr(class->name, ==, fine[i]);
        g_assert_false(class->derived);
    }
}

/* ---- provenance ---------------------------------------------------------------------------- */

/* What follows from others is not counted; what names no source is. */
static void test_provenance(void)
{
    g_autoptr(PsGpu) gpu = memory_parse_good(
        "</gpu>", "<source id='t' kind='assumed'>You.</source>"
                  "<class name='loop' pipeline='local' issue='1' completion='4' source='t'/>"
                  "<limits warps='8' source='t'/><overheads dispatch='2' source='s'/>"
                  "<peak name='T_SP' value='5' source='t'/></gpu>");
    const PsProvenance counts = ps_gpu_provenance(gpu);
    g_assert_cmpuint(counts.of[PS_SOURCE_MEASURED], ==, 5);
    g_assert_cmpuint(counts.of[PS_SOURCE_ASSUMED], ==, 3);
    g_assert_cmpuint(counts.of[PS_SOURCE_PUBLISHED], ==, 0);
    g_assert_cmpuint(counts.unsourced, ==, 7);
    g_autoptr(PsGpu) bare = ps_gpu_new("Bare");
    g_assert_cmpuint(ps_gpu_provenance(bare).unsourced, ==, 1);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/gpu-memory/read", test_read);
    g_test_add_func("/gpu-memory/cache", test_cache);
    g_test_add_func("/gpu-memory/own-cache", test_own_cache);
    g_test_add_func("/gpu-memory/write", test_write);
    g_test_add_func("/gpu-memory/fetch", test_fetch);
    g_test_add_func("/gpu-memory/fill", test_fill);
    g_test_add_func("/gpu-memory/overheads", test_overheads);
    g_test_add_func("/gpu-memory/host-link", test_host_link);
    g_test_add_func("/gpu-memory/derived", test_derived);
    g_test_add_func("/gpu-memory/slowest-level", test_slowest_level);
    g_test_add_func("/gpu-memory/rows", test_rows);
    g_test_add_func("/gpu-memory/derive-again", test_derive_again);
    g_test_add_func("/gpu-memory/rate", test_rate);
    g_test_add_func("/gpu-memory/local", test_local);
    g_test_add_func("/gpu-memory/local-atomics", test_local_atomics);
    g_test_add_func("/gpu-memory/rates", test_rates);
    g_test_add_func("/gpu-memory/not-local", test_not_local);
    g_test_add_func("/gpu-memory/passes", test_passes);
    g_test_add_func("/gpu-memory/work", test_work);
    g_test_add_func("/gpu-memory/tensor-memory", test_tensor_memory);
    g_test_add_func("/gpu-memory/no-tensor-memory", test_no_tensor_memory);
    g_test_add_func("/gpu-memory/too-many-passes", test_too_many_passes);
    g_test_add_func("/gpu-memory/patterns", test_patterns);
    g_test_add_func("/gpu-memory/provenance", test_provenance);
    return g_test_run();
}
