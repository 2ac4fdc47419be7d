/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a description says of memory: levels, atomics and local memory, read and written; what
 * follows from them; and what is said of descriptions that contradict themselves.
 */
#include "gpu/level.h"
#include "gpu/rows.h"
#include "tests/help/rational.h"
#include "tests/help/seeds.h"
#include <string.h>

static const char good[] =
    "<gpu xmlns='urn:pipesim:gpu:1' version='1' name='Test'>\n"                       /* 1 */
    "<source id='s' kind='measured'>Me.</source>\n"                                   /* 2 */
    "<chip compute-units='10' clock='1000' warp-size='32'/>\n"                        /* 3 */
    "<pipeline name='global'/><pipeline name='local'/><pipeline name='atomic'/>\n"    /* 4 */
    "<memory pipeline='global' request='2' source='s'>\n"                             /* 5 */
    "<level name='l1' bytes='65536' port='64' latency='30'/>\n"                       /* 6 */
    "<level name='l2' bytes='1048576' port='32' bandwidth='500' latency-ns='200'/>\n" /* 7 */
    "<level name='device' bandwidth='100' latency='800' at='1600' source='s'/>\n"     /* 8 */
    "</memory>\n"                                                                     /* 9 */
    "<atomics pipeline='atomic' latency='300' at='1500' address='1.25' line='0.5'\n"  /* 10 */
    " sectors='3' partial='20' source='s'/>\n"                                        /* 11 */
    "<local-memory pipeline='local' wavefront='1' least='2.1' completion='25' atomic='2'"
    " source='s'/>\n"                                                  /* 12 */
    "<class name='fadd' pipeline='local' issue='1' completion='4'/>\n" /* 13 */
    "</gpu>\n";

static PsGpu *parse(const char *text, GError **error)
{
    return ps_gpu_parse(text, strlen(text), "x.xml", error);
}

/* The good text with one thing replaced. */
static PsGpu *parse_with(const char *old, const char *new, GError **error)
{
    g_autoptr(GString) text = g_string_new(good);
    g_assert_cmpuint(g_string_replace(text, old, new, 1), ==, 1);
    return parse(text->str, error);
}

static PsGpu *parse_good(const char *old, const char *new)
{
    g_autoptr(GError) error = NULL;
    PsGpu *gpu = parse_with(old, new, &error);
    g_assert_no_error(error);
    g_assert_nonnull(gpu);
    return gpu;
}

/* ---- reading and writing ------------------------------------------------------------------- */

static void test_read(void)
{
    g_autoptr(PsGpu) gpu = parse_good("</gpu>", "</gpu>");
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
    g_autoptr(PsGpu) gpu = parse_good("</gpu>", "</gpu>");
    g_assert_cmpint(gpu->cache.l1, ==, 65536);
    g_assert_cmpint(gpu->cache.l2, ==, 1048576);
    g_assert_true(gpu->cache.l1_global);
    g_autoptr(PsGpu) off = parse_good("request='2'", "l1-global='off'");
    g_assert_cmpint(off->cache.l1, ==, 65536);
    g_assert_false(off->cache.l1_global);
    g_autoptr(PsGpu) none =
        parse_good("<level name='l1' bytes='65536' port='64' latency='30'/>", "");
    g_assert_cmpint(none->cache.l1, ==, 0);
    g_assert_false(none->cache.l1_global);
    g_autoptr(PsGpu) alike = parse_good("bytes='1048576'", "bytes='65536'");
    g_assert_cmpint(alike->cache.l2, ==, 65536);
}

/* With an l0, l1 is shared, and l0 is what a compute unit has for itself. */
static void test_own_cache(void)
{
    static const char l0[] = "<level name='l0' bytes='16384' port='128' latency='20'/>"
                             "<level name='l1' bytes='65536' bandwidth='800' latency='30'/>";
    static const char l1[] = "<level name='l1' bytes='65536' port='64' latency='30'/>";
    g_autoptr(GError) error = NULL, no_bandwidth = NULL;
    g_autoptr(PsGpu) plain = parse_good("</gpu>", "</gpu>");
    g_autoptr(PsGpu) gpu = parse_good(l1, l0);
    g_assert_cmpint(ps_gpu_own_cache(plain)->level, ==, PS_LEVEL_L1);
    g_assert_cmpint(ps_gpu_own_cache(gpu)->level, ==, PS_LEVEL_L0);
    g_assert_cmpint(gpu->cache.l1, ==, 16384);
    g_assert_cmpint(gpu->cache.l2, ==, 1048576);
    g_autofree char *text = ps_gpu_write(gpu);
    g_autoptr(PsGpu) back = parse(text, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(back->memory.levels->len, ==, 4);
    g_autoptr(PsGpu) bad = parse_with(
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
    g_autoptr(PsGpu) gpu = parse_good(
        "request='2'", "request='2' tag='0.5' wavefront='2' lookup='0.25' "
                       "store='50' queue='200' queue-mixed='550.5' window='2000' l1-global='off'");
    g_autofree char *text = ps_gpu_write(gpu);
    const char *from = strstr(text, "  <memory"), *to = strstr(text, "  <class");
    g_autofree char *part = from && to ? g_strndup(from, (gsize)(to - from)) : NULL;
    g_assert_cmpstr(
        part, ==,
        "  <memory pipeline=\"global\" line=\"128\" sector=\"32\" request=\"2\" "
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
    g_autoptr(PsGpu) again = parse(text, &error);
    g_assert_no_error(error);
    g_autofree char *twice = again ? ps_gpu_write(again) : NULL;
    g_assert_cmpstr(text, ==, twice);
}

/* Written where it is another than without it. */
static void test_fetch(void)
{
    g_autoptr(PsGpu) gpu = parse_good("request='2'", "fetch='32'"),
                     usual = parse_good("request='2'", "fetch='64'");
    g_autofree char *text = ps_gpu_write(gpu), *shorter = ps_gpu_write(usual);
    g_assert_cmpint(gpu->memory.fetch_bytes, ==, 32);
    g_assert_nonnull(strstr(text, "sector=\"32\" fetch=\"32\""));
    g_assert_null(strstr(shorter, "fetch="));
}

static void test_overheads(void)
{
    g_autoptr(PsGpu) gpu = parse_good("</gpu>", "<overheads turnaround='300' dispatch='2.5'/>"
                                                "<model overheads='on' levels='on'/></gpu>");
    assert_rational(gpu->overheads.turnaround, "300");
    assert_rational(gpu->overheads.dispatch, "2.5");
    g_assert_true(gpu->model.levels);
    g_autofree char *text = ps_gpu_write(gpu);
    g_assert_nonnull(strstr(text, "<overheads turnaround=\"300\" dispatch=\"2.5\"/>"));
    g_assert_nonnull(strstr(text, "<model overheads=\"on\" levels=\"on\"/>"));
    g_autoptr(PsGpu) off = parse_good("</gpu>", "<model levels='off'/></gpu>");
    g_assert_false(off->model.levels);
}

static void test_host_link(void)
{
    g_autoptr(PsGpu) gpu =
        parse_good("</gpu>", "<host-link to-device='12.5' to-host='13' latency='1.5'/></gpu>");
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
    g_autoptr(PsGpu) gpu = parse_good("</gpu>", "</gpu>");
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
    g_autoptr(PsGpu) bandwidth = parse_good("bandwidth='100'", "bandwidth='80'");
    assert_class(bandwidth, "memory", "memory", 0, "16", "500");
    g_autoptr(PsGpu) port = parse_good("port='32'", "port='4'");
    assert_class(port, "memory", "memory", 0, "32", "500");
    g_autoptr(PsGpu) request = parse_good("request='2'", "request='20'");
    assert_class(request, "memory", "memory", 0, "20", "500");
    g_autoptr(PsGpu) wide = parse_good("warp-size='32'", "warp-size='64'");
    assert_class(wide, "memory", "memory", 0, "25.6005859375", "500");
}

/* A row of the file is what it says, and serves what is below it; atomics without figures of their
 * own are accesses. */
static void test_rows(void)
{
    g_autoptr(PsGpu) gpu = parse_good(
        "</gpu>", "<class name='global' pipeline='local' issue='7' completion='9'/>"
                  "<class name='global.load.A.8x8' pipeline='global' issue='5' completion='6'/>"
                  "<class name='local.load.c4' pipeline='global' issue='3' completion='8'/>"
                  "<default kind='unknown' class='memory'/></gpu>");
    assert_class(gpu, "global.load", "global", 1, "7", "9");
    assert_class(gpu, "global.load.A.8x8", "global.load.A.8x8", 0, "5", "6");
    assert_class(gpu, "memory", "memory", 0, "12.80078125", "500");
    assert_class(gpu, "nothing", "memory", 0, "12.80078125", "500");
    g_assert_false(ps_gpu_class(gpu, "global.load", NULL)->derived);
    g_autoptr(GString) text = g_string_new(good);
    char *from = strstr(text->str, "<atomics"), *to = strstr(text->str, "<local-memory");
    g_string_erase(text, from - text->str, to - from);
    g_autoptr(GError) error = NULL;
    g_autoptr(PsGpu) plain = parse(text->str, &error);
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
    g_autoptr(PsGpu) gpu = parse_good("</gpu>", "</gpu>");
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
    g_autoptr(PsGpu) gpu = parse_good("</gpu>", "</gpu>");
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
    g_autoptr(PsGpu) gpu = parse_good("atomic='2'", "atomic='2' atomic-issue='1.5' swap='3'");
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
    g_autoptr(PsGpu) gpu = parse_good(
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
    g_autoptr(PsGpu) gpu = parse_good(
        "</gpu>", "<class name='local.load.c8' pipeline='global' issue='3' completion='8'/></gpu>");
    guint pipeline = 9;
    PsLatency latency;
    for (guint i = 0; i < G_N_ELEMENTS(others); i++)
        g_assert_false(ps_gpu_local_latency(gpu, others[i], &pipeline, &latency));
    g_assert_cmpuint(pipeline, ==, 9);
    g_assert_true(ps_gpu_local_latency(gpu, "local.load.c7", &pipeline, &latency));
    g_autoptr(PsGpu) huge = parse_good("wavefront='1'", "wavefront='500000000'");
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
    g_autoptr(PsGpu) gpu = parse_good("</gpu>", CONSTANTS);
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

/* 16 rows of each of four warps; a result comes so much later as the instruction takes longer. */
static void test_work(void)
{
    static const struct {
        const char *asked, *issue, *completion;
    } cases[] = {{"tensor.wgmma.bf16.m64n256k16", "128", "148"},
                 {"tensor.wgmma.bf16.m64n8k16", "4", "24"},
                 {"tensor.wgmma.bf16.m16n8k16", "4", "24"},
                 {"tensor.wgmma.f16.f32.sparse.m64n128k32", "64", "84"},
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
    g_autoptr(PsGpu) gpu = parse_good("</gpu>", CONSTANTS);
    const PsClass *class = ps_gpu_class(gpu, "constant", NULL);
    g_assert_false(ps_gpu_pass_latency(class, "constant.c999999999", &latency));
    g_assert_cmpint(latency.issue.num, ==, 7);
}

/* ---- bad files ----------------------------------------------------------------------------- */

#define L1 "<level name='l1' bytes='65536' port='64' latency='30'/>"
#define L2 "<level name='l2' bytes='1048576' port='32' bandwidth='500' latency-ns='200'/>"
#define DEVICE "<level name='device' bandwidth='100' latency='800' at='1600' source='s'/>"
#define NEEDS_LATENCY                                                                              \
    "x.xml:7: the level 'l2' needs either 'latency', in cycles of the clock 'at' or of the "       \
    "compute unit's, or 'latency-ns'"
#define COUNTED(name)                                                                              \
    "x.xml:14: the class '" name "' says what follows from the levels of <memory>: "               \
    "remove it"
#define CLASS(name) "<class name='" name "' pipeline='global' issue='1' completion='1'/></gpu>"

static const struct {
    const char *old, *new, *message;
} bad[] = {
    {"</gpu>",
     "<class name='constant.c4' pipeline='local' issue='2' completion='9' pass='2'/></gpu>",
     "x.xml:14: the class 'constant.c4' has 'pass', but its name says how many passes it takes"},
    {"</gpu>",
     "<class name='constant' pipeline='local' issue='2' completion='9' pass='2'>"
     "<at warps='1' issue='2' completion='9'/></class></gpu>",
     "x.xml:14: the class 'constant' has 'pass' and a table over active warps"},
    {"</gpu>", "<class name='constant' pipeline='local' issue='2' completion='9' pass='0'/></gpu>",
     "x.xml:14: "},
    {L1 "\n" L2, L2 "\n" L1,
     "x.xml:7: the level 'l1' comes after 'l2': levels stand from the compute unit outwards, l0, "
     "l1, "
     "l2, l3, l4, device"},
    {L1 "\n", L1 "\n" L1 "\n", "x.xml:7: there are two levels 'l1', the first in line 6"},
    {DEVICE, "",
     "x.xml:5: <memory> needs the level 'device' as its last: every access may get "
     "there"},
    {DEVICE, DEVICE L2, "x.xml:8: the level 'l2' comes after 'device'"},
    {"bytes='65536' ", "", "x.xml:6: the level 'l1' needs its capacity: add 'bytes'"},
    {"bytes='65536'", "bytes='65537'",
     "x.xml:6: the level 'l1' has a capacity that is no multiple of the line's bytes: correct "
     "'bytes', or 'line' of <memory>"},
    {"bytes='65536'", "bytes='0'", "x.xml:6: <level> has bytes=\"0\""},
    {"'device' ", "'device' bytes='128' ",
     "x.xml:8: the level 'device' has no capacity that a simulation could exhaust: leave out "
     "'bytes'"},
    {"bandwidth='500'", "",
     "x.xml:7: the level 'l2' needs 'bandwidth', the 10^9 bytes per second "
     "of all compute units together"},
    {"bandwidth='500'", "bandwidth='0'", "x.xml:7: <level> has bandwidth=\"0\""},
    {"port='64' ", "", "x.xml:6: the level 'l1' needs 'port', its bytes per cycle"},
    {"port='64'", "port='0'", "x.xml:6: <level> has port=\"0\""},
    {"port='64'", "bandwidth='64'",
     "x.xml:6: the level 'l1' belongs to one compute unit: state 'port', its bytes per cycle, in "
     "place of 'bandwidth'"},
    {"bandwidth='100'", "bandwidth='100' dirty='0.5'",
     "x.xml:8: the level 'device' has nothing to write back: 'dirty' is for a cache that all "
     "compute units share"},
    {"bandwidth='500'", "bandwidth='500' dirty='1.5'",
     "x.xml:7: the level 'l2' would write back more than it holds: 'dirty' is a share, at most 1"},
    {" latency-ns='200'", "", NEEDS_LATENCY},
    {"latency-ns='200'", "latency-ns='200' latency='200'", NEEDS_LATENCY},
    {"latency-ns='200'", "latency-ns='200' at='1600'", NEEDS_LATENCY},
    {"latency-ns='200'", "latency-ns='0'", "x.xml:7: <level> has latency-ns=\"0\""},
    {"latency-ns='200'", "latency-ns='500'",
     "x.xml:8: the level 'device' answers no later than 'l2' before it (at the base clock): "
     "latencies grow with depth"},
    {"latency='30'", "latency='201'", "x.xml:7: the level 'l2' answers no later than 'l1'"},
    {"bytes='1048576'", "bytes='32768'",
     "x.xml:7: the level 'l2' is smaller than 'l1' before it: capacities grow with depth; correct "
     "'bytes' of one of them"},
    {"port='32'", "port='500.5'",
     "x.xml:7: the level 'l2' moves less than the port of one compute unit (at the base clock): "
     "correct 'port', in bytes per cycle, or 'bandwidth', in 10^9 bytes per second of all of "
     "them"},
    {"bandwidth='100'", "bandwidth='500.5'",
     "x.xml:8: the level 'device' moves more than 'l2' before it, which all of that passes: "
     "correct 'bandwidth' of one of them"},
    {"name='l2'", "name='L2'",
     "x.xml:7: <level> has name=\"L2\", but that must be one of: l0, l1, l2, l3, l4, device"},
    {"<memory pipeline='global'", "<memory pipeline='gobal'",
     "x.xml:5: <memory> is on the pipeline 'gobal', which is not there; the file has: global, "
     "local, atomic"},
    {"<atomics pipeline='atomic'", "<atomics pipeline='at'",
     "x.xml:10: <atomics> is on the pipeline 'at', which is not there"},
    {"<local-memory pipeline='local'", "<local-memory pipeline='lo'",
     "x.xml:12: <local-memory> is on the pipeline 'lo', which is not there"},
    {"request='2'", "line='48'", "x.xml:6: the level 'l1' has a capacity that is no multiple"},
    {"request='2'", "sector='48'",
     "x.xml:5: <memory> has a line that is no multiple of its sector: correct 'line' or 'sector'"},
    {"request='2'", "fetch='48'",
     "x.xml:5: <memory> fetches what is no multiple of its sector: correct 'fetch' or 'sector'"},
    {"request='2'", "request='0'", "x.xml:5: <memory> has request=\"0\""},
    {"request='2'", "tag='-1'", "x.xml:5: <memory> has tag=\"-1\""},
    {"request='2'", "wavefront='0'", "x.xml:5: <memory> has wavefront=\"0\""},
    {"request='2'", "lookup='0.25'",
     "x.xml:5: <memory> says what 'lookup' takes beside wavefronts, but not what these take: add "
     "'wavefront', or leave out 'lookup'"},
    {"request='2'", "wavefront='1' lookup='1.5'",
     "x.xml:5: <memory> takes longer to look up a line than for a wavefront of it: correct "
     "'lookup' "
     "or 'wavefront'"},
    {"request='2'", "queue='200' window='2000'",
     "x.xml:5: <memory> says in part how loads wait at device memory that is busy: state all of "
     "'queue', 'queue-mixed' and 'window', or none"},
    {"request='2'", "queue='200' queue-mixed='199' window='2000'",
     "x.xml:5: <memory> has loads that wait less where reads and writes are mixed: make "
     "'queue-mixed' at least 'queue'"},
    {"request='2'", "queue='200' queue-mixed='300' window='299'",
     "x.xml:5: <memory> has loads that wait longer at device memory than there is work before "
     "them: make 'window' at least 'queue-mixed'"},
    {"request='2'", "wavefront='4'",
     "x.xml:5: <memory> has a port of 'l1' that moves more than a line for each wavefront: correct "
     "'port' or 'wavefront'"},
    {"</gpu>", "<cache l2='128'/></gpu>",
     "x.xml:14: <cache> says what the levels of <memory> say, too: remove it"},
    {"</gpu>", "<memory pipeline='local'>" DEVICE "</memory></gpu>",
     "x.xml:14: <gpu> may have only one <memory>"},
    {"</gpu>", CLASS("global.load.s8"), COUNTED("global.load.s8")},
    {"</gpu>", CLASS("global.store.v4"), COUNTED("global.store.v4")},
    {"</gpu>", CLASS("global.load.s8.v2"), COUNTED("global.load.s8.v2")},
    {"</gpu>", CLASS("memory.v2"), COUNTED("memory.v2")},
    {"line='0.5'", "line='0.5' block='0.5'",
     "x.xml:10: <atomics> has blocks of less than a line: make 'block' at least 1"},
    {"address='1.25' line='0.5'", "block='4'",
     "x.xml:10: <atomics> has lines that take turns, but no rate for one address: add 'address', "
     "or leave out 'block'"},
    {"address='1.25' ", "",
     "x.xml:10: <atomics> states a rate for all sectors of a line, but none for one address: add "
     "'address'"},
    {"line='0.5'", "line='1.26'",
     "x.xml:10: <atomics> serves requests to all sectors of a line faster than requests to one "
     "address: correct 'line' or 'address'"},
    {"latency='300' ", "", "x.xml:10: <atomics> needs the attribute 'latency'"},
    {"line='0.5'", "line='0.5' write='1.26'",
     "x.xml:10: <atomics> serves stores at one sector faster than atomics at one address: correct "
     "'write' or 'address'"},
    {"address='1.25' line='0.5'", "write='1'",
     "x.xml:10: <atomics> states a rate for stores at one sector, but none for one address: add "
     "'address'"},
    {"address='1.25' line='0.5'\n sectors='3' partial='20'", "rates-at='1350'",
     "x.xml:10: <atomics> states a clock for rates, but no rate: remove 'rates-at'"},
    {"partial='20'", "partial='20' loads='80'",
     "x.xml:10: <atomics> states what loads take beside stores, but no rate of stores: add "
     "'stores', or leave out 'loads'"},
    {"partial='20'", "partial='20' stores='19'",
     "x.xml:10: <atomics> takes parts of sectors faster than whole ones: correct 'partial' or "
     "'stores'"},
    {"line='0.5'", "line='0.5' rates-at='0'", "x.xml:10: <atomics> has rates-at=\"0\""},
    {"atomic='2'", "atomic='0.5'",
     "x.xml:12: <local-memory> has atomics that take less than a load: make 'atomic' at least 1"},
    {"atomic='2'", "atomic='2' atomic-issue='0.5'",
     "x.xml:12: <local-memory> has atomics that keep their pipeline for less than a load does: "
     "make 'atomic-issue' at least 1"},
    {"atomic='2'", "atomic='2' atomic-issue='2.5'",
     "x.xml:12: <local-memory> has atomics that keep their pipeline for longer than they take: "
     "correct 'atomic-issue' or 'atomic'"},
    {"atomic='2'", "atomic='2' swap='0.5'",
     "x.xml:12: <local-memory> has compare-and-swap faster than other atomics: make 'swap' at "
     "least 1"},
    {"sectors='3'", "sectors='0'", "x.xml:10: <atomics> has sectors=\"0\""},
    {"wavefront='1'", "", "x.xml:12: <local-memory> needs the attribute 'wavefront'"},
    {"least='2.1'", "least='0'", "x.xml:12: <local-memory> has least=\"0\""},
    {"' source='s'>\n", "' source='t'>\n", "x.xml:5: there is no source"},
    {"at='1600' source='s'", "source='t'", "x.xml:8: there is no source"},
    {"partial='20' source='s'", "source='t'", "x.xml:10: there is no source"},
    {"atomic='2' source='s'", "atomic='2' source='t'", "x.xml:12: there is no source"},
    {"bandwidth='100'", "bandwidth='0.000000001'",
     "x.xml:5: the latencies that follow from <memory> are above 1000000000 cycles, or take "
     "fractions beyond 64 bits: use fewer decimals"},
    {"atomic='2'", "atomic='1000000000'",
     "x.xml:12: the latencies that follow from <local-memory> are above 1000000000 cycles"},
    {"</gpu>", "<overheads turnaround='-1'/></gpu>", "x.xml:14: <overheads> has turnaround=\"-1\""},
    {"</gpu>", "<overheads kernel-launch='2' timer='1.5'/></gpu>",
     "x.xml:14: <overheads> has a timer that counts less than the launch in it: make 'timer' at "
     "least 'kernel-launch'"},
    {"</gpu>", "<overheads kernel-launch='2' in-graph='2.5'/></gpu>",
     "x.xml:14: <overheads> has launches that take longer in a graph than alone: make 'in-graph' "
     "at most 'kernel-launch'"},
    {"</gpu>", "<host-link to-device='1'/></gpu>", "x.xml:14: <host-link>"},
    {"</gpu>", "<overheads dispatch='x'/></gpu>", "x.xml:14: <overheads> has dispatch=\"x\""},
    {"</gpu>", "<model levels='yes'/></gpu>", "x.xml:14: <model> has levels=\"yes\""},
};

static void test_bad(void)
{
    for (guint i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(PsGpu) gpu = parse_with(bad[i].old, bad[i].new, &error);
        g_assert_null(gpu);
        g_assert_true(error && error->domain == PS_ERROR);
        if (error && !g_str_has_prefix(error->message, bad[i].message))
            g_assert_cmpstr(error->message, ==, bad[i].message);
    }
}

/* Without <memory> neither atomics nor the model can speak of levels. */
static void test_no_memory(void)
{
    static const struct {
        const char *more, *message;
    } cases[] = {{"<model levels='on'/>",
                  "x.xml:3: <model> asks for levels, but there is no <memory> that states them; "
                  "add it, or say levels=\"off\""},
                 {"<atomics pipeline='a' latency='1'/>",
                  "x.xml:3: <atomics> adds to <memory>, which is not there: add it, or state a "
                  "<class> 'atomic' instead"},
                 {"<memory pipeline='a'/>", "x.xml:3: <memory> "}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text =
            g_strdup_printf("<gpu xmlns='urn:pipesim:gpu:1' version='1' name='Test'>\n"
                            "<chip compute-units='1' clock='1' warp-size='32'/>\n"
                            "%s<pipeline name='a'/></gpu>",
                            cases[i].more);
        g_autoptr(GError) error = NULL;
        g_autoptr(PsGpu) gpu = parse(text, &error);
        g_assert_null(gpu);
        if (!error || !g_str_has_prefix(error->message, cases[i].message))
            g_assert_cmpstr(error ? error->message : NULL, ==, cases[i].message);
    }
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
        g_autoptr(PsGpu) gpu = parse_good("</gpu>", more);
        const PsClass *class = ps_gpu_class(gpu, fine[i], NULL);
        g_assert_cmpstr(class->name, ==, fine[i]);
        g_assert_false(class->derived);
    }
}

/* One byte of the good text changed: one error, or a description that is written and read back. */
static gboolean check_mutated(guint32 seed, gpointer data)
{
    (void)data;
    g_autoptr(GRand) rand = g_rand_new_with_seed(seed);
    g_autoptr(GError) error = NULL;
    g_autofree char *text = g_strdup(good);
    const gsize length = strlen(text);
    text[g_rand_int_range(rand, 0, (gint32)length)] = (char)g_rand_int_range(rand, 1, 128);
    g_autoptr(PsGpu) gpu = ps_gpu_parse(text, length, "x.xml", &error);
    g_assert_true((gpu == NULL) == (error != NULL));
    if (!gpu)
        return TRUE;
    g_autofree char *once = ps_gpu_write(gpu);
    g_autoptr(PsGpu) again = parse(once, &error);
    g_assert_no_error(error);
    g_autofree char *twice = again ? ps_gpu_write(again) : NULL;
    g_assert_cmpstr(once, ==, twice);
    return TRUE;
}

static void test_mutated(void)
{
    seeds_check((SeedCounts){2000, 100}, check_mutated, NULL);
}

/* ---- provenance ---------------------------------------------------------------------------- */

/* What follows from others is not counted; what names no source is. */
static void test_provenance(void)
{
    g_autoptr(PsGpu) gpu = parse_good(
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
    g_test_add_func("/gpu-memory/bad", test_bad);
    g_test_add_func("/gpu-memory/no-memory", test_no_memory);
    g_test_add_func("/gpu-memory/patterns", test_patterns);
    g_test_add_func("/gpu-memory/mutated", test_mutated);
    g_test_add_func("/gpu-memory/provenance", test_provenance);
    return g_test_run();
}
