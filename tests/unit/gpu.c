/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * GPU descriptions: the two that ship against the paper's tables, writing and reading back, and
 * class fallback. (Bad files are gpu-bad.c's.)
 */
#include "gpu/gpu.h"
#include "gpu/level.h"
#include "gpu/rows.h"
#include "tests/help/rational.h"
#include "tests/help/small-gpu.h"
#include <string.h>

/* ---- the files that ship ------------------------------------------------------------------- */

/* A row of Tables II and III, and of section IV-C: issue and completion latency of both GPUs. */
static const struct {
    const char *asked, *found, *pipeline;
    const char *fermi[2], *pascal[2];
} rows[] = {
    {"fadd", "fadd", "alu", {"1", "18"}, {"0.25", "6"}},
    {"cos", "cos", "sfu", {"8", "40"}, {"1", "14"}},
    {"loop", "loop", "alu", {"4", "58"}, {"1.75", "29"}},
    {"memory", "memory", "global", {"23", "521"}, {"12", "378"}},
    {"local.load", "local", "local", {"2", "47"}, {"1", "30"}},
    {"local.store", "local", "local", {"2", "47"}, {"1", "30"}},
    {"global.load.A.8x8", "global.load.A.8x8", "global", {"20", "162"}, {"7", "210"}},
    {"global.load.B.8x8", "global.load.B.8x8", "global", {"45", "479"}, {"8", "409"}},
    {"global.load.A.16x16", "global.load.A.16x16", "global", {"13", "244"}, {"6", "247"}},
    {"global.load.B.16x16", "global.load.B.16x16", "global", {"17", "561"}, {"10", "444"}},
    {"barrier", "barrier", "barrier", {"3", "40"}, {"2", "70"}},
    {"fmadd", "fmadd", "alu", {"1", "18"}, {"0.25", "6"}},
    {"local.load.conflict", "local.load.conflict", "local", {"16", "250"}, {"7", "100"}},
    {"global.store.B.8x8", "global.store.B.8x8", "global", {"45", "479"}, {"8", "409"}},
    {"global.store.B.16x16", "global.store.B.16x16", "global", {"17", "561"}, {"10", "444"}},
    {"global.load", "global", "global", {"23", "521"}, {"12", "378"}},
    {"global.store", "global", "global", {"23", "521"}, {"12", "378"}},
    {"index", "index", "alu", {"1", "18"}, {"0.25", "6"}},
};

static void assert_latencies(const PsGpu *gpu, guint row, const char *const latencies[2])
{
    PsMatch match = PS_MATCH_DEFAULT;
    const PsClass *class = ps_gpu_class(gpu, rows[row].asked, &match);
    g_assert_nonnull(class);
    if (!class)
        return;
    const PsPipeline *pipeline = g_ptr_array_index(gpu->pipelines, class->pipeline);
    gboolean same = strcmp(rows[row].asked, rows[row].found) == 0;
    g_assert_cmpstr(class->name, ==, rows[row].found);
    g_assert_cmpint(match, ==, same ? PS_MATCH_EXACT : PS_MATCH_PARENT);
    g_assert_cmpstr(pipeline->name, ==, rows[row].pipeline);
    g_assert_false(pipeline->per_scheduler);
    assert_rational(class->latency.issue, latencies[0]);
    assert_rational(class->latency.completion, latencies[1]);
    g_assert_nonnull(ps_gpu_source(gpu, class->source));
}

static void test_tables(void)
{
    g_autoptr(PsGpu) fermi = gpu_load("gpus/fermi.xml");
    g_autoptr(PsGpu) pascal = gpu_load("gpus/pascal.xml");
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++) {
        assert_latencies(fermi, i, rows[i].fermi);
        assert_latencies(pascal, i, rows[i].pascal);
    }
    g_assert_cmpint(ps_gpu_source(fermi, ps_gpu_class(fermi, "index", NULL)->source)->kind, ==,
                    PS_SOURCE_ASSUMED);
    g_assert_cmpint(ps_gpu_source(pascal, ps_gpu_class(pascal, "fadd", NULL)->source)->kind, ==,
                    PS_SOURCE_PUBLISHED);
}

static void test_chips(void)
{
    g_autoptr(PsGpu) fermi = gpu_load("gpus/fermi.xml");
    g_autoptr(PsGpu) pascal = gpu_load("gpus/pascal.xml");
    g_assert_cmpstr(fermi->path, ==, "gpus/fermi.xml");
    g_assert_cmpstr(fermi->name, ==, "Tesla C2050");
    g_assert_cmpstr(pascal->name, ==, "GeForce GTX 1060 6GB");
    g_assert_cmpstr(pascal->vendor, ==, "NVIDIA");
    g_assert_cmpstr(pascal->architecture, ==, "Pascal");
    g_assert_cmpuint(pascal->capability, ==, 61);
    g_assert_cmpint(fermi->compute_units, ==, 14);
    g_assert_cmpint(pascal->compute_units, ==, 10);
    assert_rational(fermi->clock, "1150");
    assert_rational(fermi->boost_clock, "0");
    assert_rational(pascal->clock, "1506");
    assert_rational(pascal->boost_clock, "1708");
    g_assert_cmpint(fermi->schedulers, ==, 2);
    assert_rational(fermi->issue_width, "0.5");
    g_assert_cmpint(pascal->schedulers, ==, 4);
    assert_rational(pascal->issue_width, "2");
    g_assert_false(fermi->overheads.stated || pascal->overheads.stated);
    g_assert_false(fermi->model.schedulers || pascal->model.schedulers);
    assert_rational(ps_gpu_peak(fermi, "B_mem")->datasheet, "144");
    assert_rational(ps_gpu_peak(pascal, "T_DP")->datasheet, "120.48");
    assert_rational(ps_gpu_peak(pascal, "T_DP")->value, "0");
    g_assert_null(ps_gpu_peak(pascal, "T_HP"));
}

/* Each figure that ships says where it is from, and no class is a guess. */
static void test_provenance(void)
{
    static const char *const files[] = {"gpus/fermi.xml", "gpus/pascal.xml"};
    for (guint f = 0; f < G_N_ELEMENTS(files); f++) {
        g_autoptr(PsGpu) gpu = gpu_load(files[f]);
        g_assert_nonnull(ps_gpu_source(gpu, gpu->chip_source));
        g_assert_nonnull(ps_gpu_source(gpu, gpu->limits.source));
        for (guint i = 0; i < gpu->classes->len; i++) {
            const PsClass *class = g_ptr_array_index(gpu->classes, i);
            g_assert_nonnull(ps_gpu_source(gpu, class->source));
            g_assert_cmpint(class->line, >, 0);
        }
        for (guint i = 0; i < gpu->peaks->len; i++) {
            const PsPeak *peak = g_ptr_array_index(gpu->peaks, i);
            g_assert_nonnull(ps_gpu_source(gpu, peak->source));
        }
        g_assert_cmpuint(gpu->defaults->len, ==, 0);
        PsMatch match;
        g_assert_null(ps_gpu_class(gpu, "integer.add", &match));
    }
}

/* ---- a small description ------------------------------------------------------------------- */

static PsGpu *parse_good(void)
{
    g_autoptr(GError) error = NULL;
    PsGpu *gpu = small_gpu_parse(small_gpu, &error);
    g_assert_no_error(error);
    g_assert_nonnull(gpu);
    return gpu;
}

static void test_read(void)
{
    g_autoptr(PsGpu) gpu = parse_good();
    const PsClass *class = ps_gpu_class(gpu, "a.b", NULL);
    g_assert_cmpint(class->pipeline, ==, 1);
    g_assert_cmpint(class->line, ==, 7);
    g_assert_cmpuint(class->at->len, ==, 2);
    g_assert_cmpint(g_array_index(class->at, PsLatencyAt, 1).warps, ==, 4);
    assert_rational(g_array_index(class->at, PsLatencyAt, 0).latency.completion, "2.25");
    g_assert_null(ps_gpu_class(gpu, "a", NULL)->at);
    g_assert_cmpint(gpu->limits.warps, ==, 8);
    g_assert_cmpint(gpu->limits.groups, ==, 0);
    g_assert_cmpint(gpu->limits.register_unit, ==, 16);
    g_assert_cmpint(gpu->limits.warp_unit, ==, 1);
    g_assert_cmpint(gpu->limits.local_memory_unit, ==, 1);
    g_assert_cmpint(gpu->limits.local_memory_reserved, ==, 1024);
    g_assert_true(((PsPipeline *)g_ptr_array_index(gpu->pipelines, 1))->per_scheduler);
    assert_rational(ps_gpu_peak(gpu, "B_mem")->value, "90");
    assert_rational(ps_gpu_peak(gpu, "B_mem")->datasheet, "100.125");
    g_assert_cmpstr(ps_gpu_source(gpu, "s")->text, ==, "Me.");
    g_assert_null(ps_gpu_source(gpu, "t"));
    g_assert_null(ps_gpu_source(gpu, NULL));
    g_assert_null(gpu->vendor);
}

/* A card's own source, and those of families whose figures it leaves as they are. */
static void test_setting_source(void)
{
    g_autoptr(PsGpu) card = gpu_load("gpus/rtx3090.xml");
    const char *const own = ps_gpu_setting_source(card, "chip", "clock");
    const char *const kept = ps_gpu_setting_source(card, "chip", "warp-size");
    g_assert_cmpstr(own, ==, card->chip_source);
    g_assert_null(ps_gpu_source(card, own)->family);
    g_assert_cmpstr(ps_gpu_source(card, kept)->family, ==, "nvidia");
    g_assert_cmpstr(ps_gpu_setting_source(card, "overheads", "dispatch"), ==,
                    card->overheads.source);
    g_assert_null(ps_gpu_setting_source(card, "class", "issue"));
    g_autoptr(GPtrArray) of_chip = ps_gpu_setting_sources(card, "chip");
    g_assert_cmpuint(of_chip->len, ==, 3);
    g_assert_cmpstr(of_chip->pdata[0], ==, own);
    g_assert_cmpstr(of_chip->pdata[1], ==, kept);
    g_assert_cmpstr(of_chip->pdata[2], ==, ps_gpu_setting_source(card, "chip", "read-window"));
    g_autofree char *text = ps_gpu_write(card);
    g_autoptr(PsGpu) again = small_gpu_parse(text, NULL);
    g_assert_cmpstr(ps_gpu_setting_source(again, "chip", "warp-size"), ==, own);
}

/* Two texts are equal only if nothing was lost on the way: what is read is all that is written. */
static void assert_round_trip(const PsGpu *gpu)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *once = ps_gpu_write(gpu);
    g_autoptr(PsGpu) again = small_gpu_parse(once, &error);
    g_assert_no_error(error);
    g_assert_nonnull(again);
    g_autofree char *twice = ps_gpu_write(again);
    g_assert_cmpstr(once, ==, twice);
}

static void test_write(void)
{
    g_autoptr(PsGpu) fermi = gpu_load("gpus/fermi.xml");
    g_autoptr(PsGpu) pascal = gpu_load("gpus/pascal.xml");
    g_autoptr(PsGpu) small = parse_good();
    g_autoptr(PsGpu) empty = ps_gpu_new("empty & \"odd\" <name>");
    assert_round_trip(fermi);
    assert_round_trip(pascal);
    assert_round_trip(small);
    assert_round_trip(empty);
}

static void test_written_text(void)
{
    g_autoptr(PsGpu) gpu = parse_good();
    g_autofree char *text = ps_gpu_write(gpu);
    g_assert_cmpstr(
        text, ==,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<gpu xmlns=\"urn:pipesim:gpu:1\" version=\"1\" name=\"Test\">\n"
        "  <source id=\"s\" kind=\"measured\">Me.</source>\n"
        "  <source kind=\"assumed\">All of it.</source>\n"
        "  <chip compute-units=\"2\" clock=\"1000.5\" warp-size=\"64\" schedulers=\"4\" "
        "source=\"s\"/>\n"
        "  <limits warps=\"8\" register-unit=\"16\" local-memory-reserved=\"1024\"/>\n"
        "  <pipeline name=\"p\"/>\n"
        "  <pipeline name=\"q\" per=\"scheduler\" source=\"s\"/>\n"
        "  <class name=\"a\" pipeline=\"p\" issue=\"0.5\" completion=\"3\"/>\n"
        "  <class name=\"a.b\" pipeline=\"q\" issue=\"2\" completion=\"7\" source=\"s\">\n"
        "    <at warps=\"1\" issue=\"1\" completion=\"2.25\"/>\n"
        "    <at warps=\"4\" issue=\"3\" completion=\"9\"/>\n"
        "  </class>\n"
        "  <default kind=\"unknown\" class=\"a.b\"/>\n"
        "  <default kind=\"integer\" class=\"a\"/>\n"
        "  <peak name=\"B_mem\" value=\"90\" datasheet=\"100.125\" source=\"s\"/>\n"
        "</gpu>\n");
}

static void test_fallback(void)
{
    static const struct {
        const char *asked, *found;
        PsMatch match;
    } cases[] = {{"a", "a", PS_MATCH_EXACT},
                 {"a.b", "a.b", PS_MATCH_EXACT},
                 {"a.b.c.d", "a.b", PS_MATCH_PARENT},
                 {"a.c.b", "a", PS_MATCH_PARENT},
                 {"a.bc", "a", PS_MATCH_PARENT},
                 {"ab", "a.b", PS_MATCH_DEFAULT},
                 {"integer", "a", PS_MATCH_DEFAULT},
                 {"integer.add", "a", PS_MATCH_DEFAULT},
                 {"integers.add", "a.b", PS_MATCH_DEFAULT},
                 {"atomic.add", "a.b", PS_MATCH_DEFAULT}};
    g_autoptr(PsGpu) gpu = parse_good();
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        PsMatch match = PS_MATCH_EXACT;
        const PsClass *class = ps_gpu_class(gpu, cases[i].asked, &match);
        g_assert_cmpstr(class ? class->name : NULL, ==, cases[i].found);
        g_assert_cmpint(match, ==, cases[i].match);
    }
}

/* ---- registers of other kinds ---------------------------------------------------------------- */

static void test_accumulators(void)
{
    static const char *const words[] = {"apart", "joint"};
    for (guint i = 0; i < G_N_ELEMENTS(words); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(GString) text = g_string_new(small_gpu);
        g_autofree char *limits =
            g_strdup_printf("<limits accumulators='%s' scalar-registers='3200' "
                            "scalar-registers-per-warp='112' scalar-register-unit='16' ",
                            words[i]);
        g_string_replace(text, "<limits ", limits, 1);
        g_autoptr(PsGpu) gpu = small_gpu_parse(text->str, &error);
        g_assert_no_error(error);
        g_assert_cmpint(gpu->limits.accumulators, ==, PS_ACCUMULATORS_APART + (int)i);
        g_assert_cmpint(gpu->limits.scalar_registers, ==, 3200);
        g_assert_cmpint(gpu->limits.scalar_registers_per_warp, ==, 112);
        g_assert_cmpint(gpu->limits.scalar_register_unit, ==, 16);
        assert_round_trip(gpu);
        g_autofree char *written = ps_gpu_write(gpu);
        g_assert_nonnull(strstr(written, words[i]));
    }
}

static void test_is_amd(void)
{
    g_autoptr(PsGpu) gpu = ps_gpu_new("test");
    g_assert_false(ps_gpu_is_amd(gpu));
    gpu->vendor = g_strdup("Advanced Micro Devices, Inc.");
    g_assert_true(ps_gpu_is_amd(gpu));
    g_free(gpu->vendor);
    gpu->vendor = g_strdup("NVIDIA");
    g_assert_false(ps_gpu_is_amd(gpu));
}

/* ---- refinements --------------------------------------------------------------------------- */

/* The small description with an issue width and with more at its end, in line 16. */
static PsGpu *parse_refined(const char *more, GError **error)
{
    g_autoptr(GString) text = g_string_new(small_gpu);
    g_autofree char *end = g_strconcat(more, "</gpu>", NULL);
    g_string_replace(text, "schedulers='4'", "schedulers='4' issue-width='0.5'", 1);
    g_string_replace(text, "</gpu>", end, 1);
    return small_gpu_parse(text->str, error);
}

/* The small description's first class on a pipeline that takes warps of twice as many threads in
 * halves. */
static PsGpu *parse_halves(const char *halves, const char *class_name, GError **error)
{
    g_autofree char *more = g_strdup_printf(
        "<pipeline name='h' %s/><class name='wide' pipeline='h' issue='2' completion='6' %s/class>",
        halves, class_name);
    return parse_refined(more, error);
}

static void test_halves(void)
{
    static const struct {
        const char *halves, *class_name, *message;
    } bad[] = {
        {"", "wide-issue='3'><",
         "the class 'wide' has 'wide-issue', but its pipeline does not say "},
        {"halves='on'", "wide-issue='1'><", "the class 'wide' issues twice as many threads sooner"},
        {"halves='on'", "wide-issue='3'><at warps='1' issue='2' completion='6'/><",
         "the class 'wide' has 'wide-issue' and a table"},
    };
    g_autoptr(GError) error = NULL;
    g_autoptr(PsGpu) gpu = parse_halves("halves='on'", "wide-issue='3'><", &error);
    g_assert_no_error(error);
    g_assert_true(ps_gpu_has_wide_warps(gpu));
    assert_round_trip(gpu);
    g_autofree char *text = ps_gpu_write(gpu);
    g_assert_nonnull(strstr(text, "<pipeline name=\"h\" halves=\"on\"/>"));
    g_assert_nonnull(strstr(text, " wide-issue=\"3\""));
    for (guint i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_autoptr(GError) why = NULL;
        g_autoptr(PsGpu) none = parse_halves(bad[i].halves, bad[i].class_name, &why);
        g_assert_null(none);
        g_assert_nonnull(strstr(why ? why->message : "", bad[i].message));
    }
}

static void test_overheads(void)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PsGpu) none = parse_good();
    g_assert_false(none->overheads.stated);
    assert_rational(none->overheads.kernel_launch, "0");
    g_autoptr(PsGpu) gpu =
        parse_refined("<overheads group-launch='12.5' group-interval='0' source='s'/>", &error);
    g_assert_no_error(error);
    g_assert_true(gpu->overheads.stated);
    assert_rational(gpu->overheads.kernel_launch, "0");
    assert_rational(gpu->overheads.group_launch, "12.5");
    assert_rational(gpu->overheads.group_interval, "0");
    g_assert_cmpstr(gpu->overheads.source, ==, "s");
    assert_round_trip(gpu);
    g_autoptr(PsGpu) zero = parse_refined("<overheads kernel-launch='0'/>", &error);
    g_assert_no_error(error);
    g_assert_true(zero->overheads.stated);
    g_autofree char *text = ps_gpu_write(zero);
    g_assert_nonnull(strstr(text, "<overheads/>"));
}

static void test_model(void)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PsGpu) none = parse_good();
    g_assert_false(none->model.schedulers || none->model.contention || none->model.overheads ||
                   none->model.all_cus);
    g_assert_cmpint(none->model.policy, ==, PS_POLICY_FIFO);
    g_assert_cmpint(none->model.order, ==, PS_ORDER_DATAFLOW);
    g_autoptr(PsGpu) all = parse_refined("<model schedulers='on' order='program' policy='oldest' "
                                         "contention='on' overheads='on' cus='all'/><overheads/>",
                                         &error);
    g_assert_no_error(error);
    assert_rational(all->issue_width, "0.5");
    g_assert_true(all->model.schedulers && all->model.contention && all->model.overheads &&
                  all->model.all_cus);
    g_assert_cmpint(all->model.policy, ==, PS_POLICY_OLDEST);
    g_assert_cmpint(all->model.order, ==, PS_ORDER_PROGRAM);
    assert_round_trip(all);
    g_autofree char *text = ps_gpu_write(all);
    g_assert_nonnull(strstr(text, "<model schedulers=\"on\" order=\"program\" policy=\"oldest\" "
                                  "contention=\"on\" overheads=\"on\" cus=\"all\"/>"));
}

/* Each by itself, and what it says by default written out. */
static void test_model_parts(void)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PsGpu) lrr = parse_refined("<model policy='lrr'/>", &error);
    g_autoptr(PsGpu) gto = parse_refined("<model policy='gto' cus='fullest'/>", &error);
    g_autoptr(PsGpu) plain =
        parse_refined("<model schedulers='off' order='dataflow' policy='fifo' contention='off' "
                      "overheads='off' cus='fullest'/>",
                      &error);
    g_assert_no_error(error);
    g_assert_cmpint(lrr->model.policy, ==, PS_POLICY_LRR);
    g_assert_cmpint(gto->model.policy, ==, PS_POLICY_GTO);
    g_assert_false(lrr->model.schedulers || gto->model.all_cus);
    g_autofree char *text = ps_gpu_write(plain);
    g_assert_null(strstr(text, "<model"));
}

static void test_many_classes(void)
{
    g_autoptr(GString) text = g_string_new(small_gpu);
    g_autoptr(GString) classes = g_string_new(NULL);
    for (int i = 0; i < 3000; i++)
        g_string_append_printf(classes,
                               "<class name='c%d' pipeline='p' issue='1' completion='1'/>\n", i);
    g_string_append(classes, "</gpu>");
    g_string_replace(text, "</gpu>", classes->str, 1);
    g_autoptr(GError) error = NULL;
    g_autoptr(PsGpu) gpu = small_gpu_parse(text->str, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(gpu ? gpu->classes->len : 0, ==, 3002);
    const PsClass *class = gpu ? ps_gpu_class(gpu, "c2999.x.y", NULL) : NULL;
    g_assert_cmpstr(class ? class->name : NULL, ==, "c2999");
}

/* Classes built in memory are found as those of a file are; of equal names, the first. */
static void test_built_classes(void)
{
    g_autoptr(PsGpu) gpu = ps_gpu_new("test");
    g_autofree char *none = ps_gpu_class_names(gpu);
    g_assert_cmpstr(none, ==, "");
    g_assert_null(ps_gpu_class(gpu, "a", NULL));
    const PsClass *first = ps_gpu_add_class(gpu, "a.b");
    ps_gpu_add_class(gpu, "a.b");
    const PsClass *general = ps_gpu_add_class(gpu, "a");
    PsMatch match;
    g_assert_true(ps_gpu_class(gpu, "a.b", &match) == first && match == PS_MATCH_EXACT);
    g_assert_true(ps_gpu_class(gpu, "a.b.c", &match) == first && match == PS_MATCH_PARENT);
    g_assert_true(ps_gpu_class(gpu, "a.c", &match) == general && match == PS_MATCH_PARENT);
    g_autofree char *names = ps_gpu_class_names(gpu);
    g_assert_cmpstr(names, ==, "a.b, a.b, a");
}

/* Which of the clocks that a description states counts as the usual one, and which is highest. */
static void test_clocks(void)
{
    static const struct {
        gint64 base, boost, load, usual, highest;
        const char *of_1500;
    } cases[] = {{1000, 0, 0, 1000, 1000, NULL},          {1000, 1500, 0, 1500, 1500, "boost"},
                 {1000, 1500, 1200, 1200, 1500, "boost"}, {1000, 0, 1500, 1500, 1500, "under load"},
                 {1000, 1500, 1600, 1600, 1600, "boost"}, {1500, 1200, 1100, 1100, 1500, "base"},
                 {1500, 1500, 0, 1500, 1500, "base"}};
    g_autoptr(PsGpu) gpu = ps_gpu_new("g");
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        gpu->clock = PS_RATIONAL_INT(cases[i].base);
        gpu->boost_clock = PS_RATIONAL_INT(cases[i].boost);
        gpu->load_clock = PS_RATIONAL_INT(cases[i].load);
        g_assert_cmpint(ps_gpu_usual_clock(gpu).num, ==, cases[i].usual);
        g_assert_cmpint(ps_gpu_highest_clock(gpu).num, ==, cases[i].highest);
        g_assert_cmpstr(ps_gpu_clock_name(gpu, PS_RATIONAL_INT(1500)), ==, cases[i].of_1500);
    }
}

/* R7: the share of a launch's traffic that is mixed, and what device memory moves of it. */
static void test_mixed(void)
{
    static const struct {
        double read, written;
        gint64 parts;
        const char *bandwidth;
    } cases[] = {{0, 0, 0, "900"},   {5, 0, 0, "900"},    {3, 1, 1024, "600"}, {1, 1, 1024, "600"},
                 {1, 7, 512, "720"}, {7, 1, 512, "720"},  {15, 1, 256, "800"}, {8191, 1, 1, NULL},
                 {8189, 3, 2, NULL}, {8192, 1, 0, "900"}, {1e15, 1, 0, "900"}};
    const PsMemoryLevel level = {.bandwidth = PS_RATIONAL_INT(900), .mixed = PS_RATIONAL_INT(600)};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        PsRational bandwidth;
        const gint64 parts = ps_gpu_mixed_parts(cases[i].read, cases[i].written);
        g_assert_cmpint(parts, ==, cases[i].parts);
        g_assert_true(ps_gpu_level_bandwidth(&level, parts, &bandwidth));
        if (cases[i].bandwidth)
            assert_rational(bandwidth, cases[i].bandwidth);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/gpu/tables", test_tables);
    g_test_add_func("/gpu/chips", test_chips);
    g_test_add_func("/gpu/provenance", test_provenance);
    g_test_add_func("/gpu/read", test_read);
    g_test_add_func("/gpu/setting-source", test_setting_source);
    g_test_add_func("/gpu/write", test_write);
    g_test_add_func("/gpu/written-text", test_written_text);
    g_test_add_func("/gpu/fallback", test_fallback);
    g_test_add_func("/gpu/accumulators", test_accumulators);
    g_test_add_func("/gpu/halves", test_halves);
    g_test_add_func("/gpu/is-amd", test_is_amd);
    g_test_add_func("/gpu/overheads", test_overheads);
    g_test_add_func("/gpu/model", test_model);
    g_test_add_func("/gpu/model-parts", test_model_parts);
    g_test_add_func("/gpu/many-classes", test_many_classes);
    g_test_add_func("/gpu/built-classes", test_built_classes);
    g_test_add_func("/gpu/clocks", test_clocks);
    g_test_add_func("/gpu/mixed", test_mixed);
    return g_test_run();
}
