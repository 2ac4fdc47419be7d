/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What compiled code asks of a GPU: every class that the front ends emit is served by every
 * description that ships, and by what a measured one takes for the classes that nobody measured;
 * and the degrees of access patterns.
 */
#include "base/class-name.h"
#include "gpu/gpu.h"
#include "gpu/rows.h"
#include "roofline/roofline.h"
#include <string.h>

/* As pipesim bench measures them, with specialisations below them, and what nobody measures. */
static const char *const asked[] = {
    "fadd",
    "fmul",
    "fmadd",
    "dadd",
    "dmul",
    "dfma",
    "hadd",
    "hmul",
    "hfma",
    "iadd",
    "imad",
    "logic",
    "shift",
    "conversion",
    "rcp",
    "rsqrt",
    "sqrt",
    "sin",
    "cos",
    "exp2",
    "log2",
    "shuffle",
    "barrier",
    "loop",
    "branch",
    "local.load",
    "local.store",
    "atomic.local",
    "atomic.global",
    "constant",
    "global.load",
    "global.store",
    "iadd.setp",
    "fadd.setp",
    "logic.select",
    "imad.wide",
    "conversion.f64",
    "conversion.f2i",
    "conversion.i2f",
    "exp2.tanh",
    "rcp.check",
    "branch.sync",
    "logic.mov",
    "iadd.carry",
    "hadd.convert",
    "conversion.f16",
    "global.load.s8",
    "global.load.s13",
    "global.load.s32",
    "global.load.broadcast",
    "global.store.s32",
    "local.load.v4",
    "local.load.c2.v4",
    "global.load.s8.v4",
    "local.load.c2",
    "local.load.c4",
    "local.load.c32",
    "local.load.conflict.c4",
    "local.store.c16",
    "local.load.broadcast",
    "shuffle.match",
    "shuffle.reduce",
    "logic.vote",
    "atomic.global.add",
    "atomic.local.c32",
    "tensor.f16.f32.m16n8k16",
    "tensor.f16.f16.sparse.m16n8k32",
    "tensor.bf16.m16n8k8",
    "tensor.tf32.m16n8k8",
    "tensor.f64.m8n8k4",
    "tensor.f8.f32.m16n8k32",
    "tensor.s8.m16n8k32",
    "tensor.b1.m16n8k256",
    "unknown",
    "unknown.prmt4",
};

static void assert_served(const PsGpu *gpu, const char *file)
{
    for (guint i = 0; i < G_N_ELEMENTS(asked); i++) {
        const PsClass *class = ps_gpu_class(gpu, asked[i], NULL);
        if (!class)
            g_test_message("%s: nothing serves %s", file, asked[i]);
        g_assert_nonnull(class);
        g_assert_nonnull(class ? ps_gpu_source(gpu, class->source) : NULL);
    }
}

/* Results per cycle and compute unit by NVIDIA's table of the throughput of native arithmetic
 * instructions, by compute capability; halves and packing count by instructions, of two each. 0:
 * several instructions, what the table does not say, or what it says otherwise:
 * docs/reference/gpus.md has those, with the reason. */
static const char *const rows[] = {"fmadd",
                                   "hfma",
                                   "dfma",
                                   "iadd",
                                   "imad",
                                   "iadd.minmax",
                                   "shift",
                                   "logic",
                                   "rcp",
                                   "conversion.bits",
                                   "shuffle",
                                   "logic.vote",
                                   "shuffle.reduce",
                                   "conversion.f2i",
                                   "conversion.i2f",
                                   "conversion.pack",
                                   "conversion.f64"};

static const struct {
    const char *gpu;
    double results[G_N_ELEMENTS(rows)];
} throughput[] = {
    {"gtx960", {128, 0, 4, 128, 0, 64, 64, 128, 32, 32, 32, 64, 0, 32, 32, 32, 4}},
    {"p100", {64, 64, 32, 64, 0, 32, 32, 64, 16, 16, 32, 64, 0, 16, 16, 16, 16}},
    {"pascal", {128, 0, 4, 128, 0, 64, 64, 128, 32, 32, 32, 64, 0, 32, 32, 32, 4}},
    {"gtx1080ti", {128, 1, 4, 128, 0, 64, 64, 128, 32, 32, 32, 64, 0, 32, 32, 32, 4}},
    {"v100", {64, 64, 32, 64, 64, 0, 64, 64, 16, 16, 32, 64, 0, 16, 16, 16, 16}},
    {"t4", {64, 64, 2, 64, 64, 64, 64, 64, 16, 16, 16, 64, 0, 16, 16, 16, 2}},
    {"rtx2070", {64, 64, 2, 64, 64, 64, 64, 64, 16, 16, 16, 64, 0, 16, 16, 16, 2}},
    {"a100", {64, 128, 32, 64, 64, 64, 64, 64, 16, 16, 32, 64, 16, 16, 16, 0, 16}},
    {"a40", {128, 0, 2, 64, 64, 64, 64, 64, 16, 16, 32, 64, 16, 16, 0, 0, 2}},
    {"l40", {128, 64, 2, 64, 64, 64, 64, 64, 16, 16, 32, 64, 16, 16, 0, 0, 2}},
    {"h100", {128, 128, 64, 64, 64, 64, 64, 64, 16, 16, 32, 64, 16, 16, 0, 0, 16}},
    {"b200", {128, 64, 64, 64, 64, 64, 64, 64, 16, 16, 32, 64, 16, 16, 0, 0, 16}},
    {"rtx5090", {128, 64, 2, 128, 64, 128, 64, 64, 16, 16, 32, 128, 16, 0, 0, 0, 2}},
};

static void assert_rate(const PsGpu *gpu, const char *file, const char *name, double results)
{
    const double rate = ps_gpu_class_rate(gpu, ps_gpu_class(gpu, name, NULL));
    if (results > 0 && rate != results)
        g_test_message("%s: %s has %g results per cycle, not %g", file, name, rate, results);
    g_assert_true(results == 0 || rate == results);
}

static void assert_throughput(const PsGpu *gpu, const char *file)
{
    for (guint i = 0; i < G_N_ELEMENTS(throughput); i++) {
        g_autofree char *path = g_strdup_printf("gpus/%s.xml", throughput[i].gpu);
        for (guint k = 0; strcmp(path, file) == 0 && k < G_N_ELEMENTS(rows); k++)
            assert_rate(gpu, file, rows[k], throughput[i].results[k]);
    }
}

/* Where the table differs, and others measured, or the assembler schedules: what that says. */
static void test_otherwise(void)
{
    static const struct {
        const char *gpu, *class;
        double results;
    } otherwise[] = {{"v100", "iadd.minmax", 32},        {"a40", "hfma", 64},
                     {"a40", "conversion.i2f", 64},      {"a100", "conversion.pack", 64},
                     {"rtx5090", "conversion.pack", 64}, {"b200", "conversion.pack", 64},
                     {"b200", "fmadd.pair", 64},         {"b200", "shuffle.reduce.minmax", 64},
                     {"rtx5090", "fadd.minmax", 64}};
    for (guint i = 0; i < G_N_ELEMENTS(otherwise); i++) {
        g_autofree char *path = g_strdup_printf("gpus/%s.xml", otherwise[i].gpu);
        g_autoptr(GError) error = NULL;
        PsGpu *gpu = ps_gpu_load(path, &error);
        g_assert_no_error(error);
        assert_rate(gpu, path, otherwise[i].class, otherwise[i].results);
        ps_gpu_free(gpu);
    }
}

static void for_each_gpu(void (*check)(const PsGpu *gpu, const char *file))
{
    g_autoptr(GDir) dir = g_dir_open("gpus", 0, NULL);
    const char *name;
    guint n = 0;
    while (dir && (name = g_dir_read_name(dir)) != NULL) {
        if (!g_str_has_suffix(name, ".xml"))
            continue;
        g_autofree char *path = g_build_filename("gpus", name, NULL);
        g_autoptr(GError) error = NULL;
        g_autoptr(PsGpu) gpu = ps_gpu_load(path, &error);
        g_assert_no_error(error);
        if (gpu)
            check(gpu, path);
        n++;
    }
    g_assert_cmpuint(n, >=, 10);
}

static void test_throughput(void)
{
    for_each_gpu(assert_throughput);
}

static void test_served(void)
{
    for_each_gpu(assert_served);
}

/* Where atomics have a place, turns at one address take time there. */
static void assert_turns(const PsGpu *gpu, const char *file)
{
    if (gpu->atomics.stated && gpu->atomics.address.num == 0)
        g_test_message("%s", file);
    g_assert_true(!gpu->atomics.stated || gpu->atomics.address.num > 0);
}

static void test_turns(void)
{
    for_each_gpu(assert_turns);
}

/* Names of the table that says what instructions of compiled code are, but for those that always
 * become a sequence of others. */
static GPtrArray *names_of_table(void)
{
    GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GRegex) row =
        g_regex_new("^    \\{\"\\w+\", [^,]+, [^,]+, \"([^\"]+)\"", G_REGEX_MULTILINE, 0, NULL);
    g_autofree char *text = NULL;
    g_assert_true(g_file_get_contents("lift/values/class.c", &text, NULL, NULL));
    g_autoptr(GMatchInfo) match = NULL;
    for (gboolean more = g_regex_match(row, text, 0, &match); more;
         more = g_match_info_next(match, NULL)) {
        g_autofree char *name = g_match_info_fetch(match, 1);
        if (!g_str_has_suffix(name, "div"))
            g_ptr_array_add(names, g_steal_pointer(&name));
    }
    return names;
}

static void assert_table_served(const PsGpu *gpu, const char *file)
{
    g_autoptr(GPtrArray) names = names_of_table();
    g_assert_cmpuint(names->len, >, 90);
    for (guint i = 0; i < names->len; i++) {
        const char *name = names->pdata[i];
        if (!ps_gpu_class(gpu, name, NULL))
            g_test_message("%s: nothing serves %s of lift/values/class.c", file, name);
        g_assert_nonnull(ps_gpu_class(gpu, name, NULL));
    }
}

/* A new row needs nothing else, if it has a name below one that every GPU serves. */
static void test_table_served(void)
{
    for_each_gpu(assert_table_served);
}

/* What serves a class: the rule of local memory where there is one, else a row. */
static PsLatency latency_of(const PsGpu *gpu, const char *name)
{
    PsLatency latency = {{0, 1}, {0, 1}};
    guint pipeline;
    const PsClass *class = ps_gpu_class(gpu, name, NULL);
    g_assert_nonnull(class);
    if (class && !ps_gpu_local_latency(gpu, name, &pipeline, &latency))
        latency = class->latency;
    return latency;
}

/* What is harder takes longer; where an instruction takes some time at least, no less. */
static void assert_harder(const PsGpu *gpu, const char *file, const char *easy, const char *hard,
                          gboolean or_equal)
{
    const PsLatency less = latency_of(gpu, easy), more = latency_of(gpu, hard);
    const int issue = ps_rational_cmp(less.issue, more.issue);
    if (issue > 0 || (issue == 0 && !or_equal))
        g_test_message("%s: %s takes no longer than %s", file, hard, easy);
    g_assert_cmpint(issue, <, or_equal ? 1 : 0);
    g_assert_cmpint(ps_rational_cmp(less.completion, more.completion), <=, 0);
}

/* No conflict is cheaper than none, no request of more sectors than one of fewer (where levels do
 * not count these), and caches are there. */
static void assert_sensible(const PsGpu *gpu, const char *file)
{
    static const char *const harder[][2] = {{"local.load.c2", "local.load.c8"},
                                            {"local.load.c8", "local.load.c32"},
                                            {"local.store.c2", "local.store.c8"},
                                            {"atomic.local", "atomic.local.c8"}};
    static const char *const sectors[][2] = {{"global.load", "global.load.s32"},
                                             {"global.load.s16", "global.load.s32"},
                                             {"global.store", "global.store.s32"}};
    for (guint i = 0; i < G_N_ELEMENTS(harder); i++)
        assert_harder(gpu, file, harder[i][0], harder[i][1], FALSE);
    for (guint i = 0; !gpu->memory.levels && i < G_N_ELEMENTS(sectors); i++)
        assert_harder(gpu, file, sectors[i][0], sectors[i][1], FALSE);
    assert_harder(gpu, file, "local.load", "local.load.c2", gpu->local.least.num > 0);
    assert_harder(gpu, file, "local.store", "local.store.c2", gpu->local.least.num > 0);
    g_assert_cmpint(gpu->cache.l1, >=, 16384);
    g_assert_cmpint(gpu->cache.l2, >, gpu->cache.l1);
    g_assert_nonnull(ps_gpu_source(gpu, gpu->cache.source));
}

static void test_sensible(void)
{
    for_each_gpu(assert_sensible);
}

/* Each GPU but the published paper's states its memory as levels, simulates them unless it is told
 * not to, says of each where it is from, and has no row that would say the same by hand. */
static void assert_levels(const PsGpu *gpu, const char *file)
{
    const gboolean paper = strstr(file, "fermi") || strstr(file, "pascal");
    g_assert_cmpint(gpu->memory.levels != NULL, ==, !paper);
    g_assert_cmpint(gpu->model.levels, ==, !paper);
    g_assert_cmpint(gpu->atomics.stated && gpu->local.stated, ==, !paper);
    for (guint i = 0; gpu->memory.levels && i < gpu->memory.levels->len; i++) {
        const PsMemoryLevel *level = &g_array_index(gpu->memory.levels, PsMemoryLevel, i);
        g_assert_nonnull(ps_gpu_source(gpu, level->source));
    }
    for (guint i = 0; !paper && i < gpu->classes->len; i++) {
        const PsClass *class = gpu->classes->pdata[i];
        const gboolean memory =
            ps_class_covers("global", class->name) || ps_class_covers("memory", class->name) ||
            ps_class_covers("local", class->name) || ps_class_covers("atomic", class->name);
        g_assert_cmpint(class->derived, ==, memory);
    }
}

static void test_levels(void)
{
    for_each_gpu(assert_levels);
}

/* ---- degrees ------------------------------------------------------------------------------- */

static PsGpu *with_classes(const char *const *names)
{
    PsGpu *gpu = ps_gpu_new("degrees");
    ps_gpu_add_pipeline(gpu, "p");
    for (; *names; names++)
        ps_gpu_add_class(gpu, *names);
    return gpu;
}

static void test_degrees(void)
{
    static const char *const names[] = {"a",    "a.b",   "a.c8",      "a.c2",   "a.c32", "a.d3",
                                        "x.c4", "a.f64", "tensor.s4", "tensor", NULL};
    static const struct {
        const char *asked, *found;
    } cases[] = {{"a.c2", "a.c2"},
                 {"a.c3", "a.c8"},
                 {"a.c9", "a.c32"},
                 {"a.c1", "a.c2"},
                 {"a.c64", "a.c32"},
                 {"a.c3.x", "a.c8"},
                 {"a.e3", "a"},
                 {"a.d1", "a.d3"},
                 {"a.c", "a"},
                 {"a.c3x", "a"},
                 {"a.cc3", "a"},
                 {"a.b.c3", "a.b"},
                 {"a.f16", "a"},
                 {"a.f64", "a.f64"},
                 {"x.c5", "x.c4"},
                 {"x.c1234567890", ""},
                 {"y.c4", ""},
                 {"c4", ""},
                 {"tensor.s8", "tensor"},
                 {"tensor.s4.m8n8k32", "tensor.s4"}};
    g_autoptr(PsGpu) gpu = with_classes(names);
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        PsMatch match = PS_MATCH_DEFAULT;
        const PsClass *class = ps_gpu_class(gpu, cases[i].asked, &match);
        g_assert_cmpstr(class ? class->name : "", ==, cases[i].found);
        if (class)
            g_assert_cmpint(match, ==,
                            strcmp(cases[i].asked, class->name) == 0 ? PS_MATCH_EXACT
                                                                     : PS_MATCH_PARENT);
    }
}

/* ---- what is assumed tells no peak --------------------------------------------------------- */

static void test_peaks(void)
{
    static const char text[] =
        "<gpu xmlns='urn:pipesim:gpu:1' version='1' name='Test'>"
        "<source id='m' kind='measured'>Me.</source><source id='a' kind='assumed'>Nobody.</source>"
        "<chip compute-units='1' clock='1000' warp-size='32'/><pipeline name='p'/>"
        "<class name='fmadd' pipeline='p' issue='1' completion='1' source='m'/>"
        "<class name='hfma' pipeline='p' issue='1' completion='1' source='a'/>"
        "<class name='imad' pipeline='p' issue='1' completion='1' source='a'/>"
        "<peak name='T_int' datasheet='7'/></gpu>";
    g_autoptr(GError) error = NULL;
    g_autoptr(PsGpu) gpu = ps_gpu_parse(text, strlen(text), "x.xml", &error);
    g_assert_no_error(error);
    PsPeaks peaks;
    ps_peaks_resolve(gpu, PS_RATIONAL_INT(0), &peaks);
    g_assert_cmpint(peaks.origin[PS_T_SP], ==, PS_PEAK_DERIVED);
    g_assert_cmpint(peaks.origin[PS_T_HP], ==, PS_PEAK_UNKNOWN);
    g_assert_cmpint(peaks.origin[PS_T_INT], ==, PS_PEAK_DATASHEET);
    g_assert_cmpfloat(peaks.value[PS_T_INT], ==, 7e9);
}

/* ---- caches -------------------------------------------------------------------------------- */

static PsGpu *parse_cache(const char *cache, GError **error)
{
    g_autofree char *text =
        g_strdup_printf("<gpu xmlns='urn:pipesim:gpu:1' version='1' name='Test'>"
                        "<source id='s' kind='vendor'>They.</source>"
                        "<chip compute-units='1' clock='1' warp-size='32'/>"
                        "%s</gpu>",
                        cache);
    return ps_gpu_parse(text, strlen(text), "x.xml", error);
}

static void test_cache(void)
{
    static const struct {
        const char *text;
        gint64 l1, l2;
        gboolean global;
        const char *written;
    } good[] = {{"", 0, 0, FALSE, NULL},
                {"<cache l1='4096' l2='65536' source='s'/>", 4096, 65536, TRUE,
                 "<cache l1=\"4096\" l2=\"65536\" source=\"s\"/>"},
                {"<cache l1='4096' l1-global='off'/>", 4096, 0, FALSE,
                 "<cache l1-global=\"off\" l1=\"4096\"/>"},
                {"<cache l2='65536'/>", 0, 65536, FALSE, "<cache l2=\"65536\"/>"}};
    for (guint i = 0; i < G_N_ELEMENTS(good); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(PsGpu) gpu = parse_cache(good[i].text, &error);
        g_assert_no_error(error);
        if (!gpu)
            continue;
        g_assert_cmpint(gpu->cache.l1, ==, good[i].l1);
        g_assert_cmpint(gpu->cache.l2, ==, good[i].l2);
        g_assert_cmpint(gpu->cache.l1_global, ==, good[i].global);
        g_autofree char *text = ps_gpu_write(gpu);
        g_assert_true(good[i].written ? strstr(text, good[i].written) != NULL
                                      : !strstr(text, "<cache"));
    }
}

static void test_bad_cache(void)
{
    static const struct {
        const char *text, *message;
    } bad[] = {{"<cache/>", "x.xml:1: <cache> needs the attribute 'l1' or 'l2', or both"},
               {"<cache l2='1' l1-global='on'/>",
                "x.xml:1: <cache> says what L1 keeps, but not how many bytes it has; add l1"},
               {"<cache l1='1'/><cache l1='1'/>", "x.xml:1: <gpu> may have only one <cache>"}};
    for (guint i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(PsGpu) gpu = parse_cache(bad[i].text, &error);
        g_assert_null(gpu);
        g_assert_cmpstr(error ? error->message : NULL, ==, bad[i].message);
    }
}

static void test_rate(void)
{
    static const char text[] =
        "<gpu xmlns='urn:pipesim:gpu:1' version='1' name='x'><chip compute-units='7' clock='100' "
        "warp-size='64' schedulers='4'/><pipeline name='one'/><pipeline name='each' "
        "per='scheduler'/><class name='a' pipeline='one' issue='0.5' completion='1'/><class "
        "name='b' pipeline='each' issue='8' completion='1'/></gpu>";
    g_autoptr(GError) error = NULL;
    g_autoptr(PsGpu) gpu = ps_gpu_parse(text, strlen(text), "x.xml", &error);
    g_assert_no_error(error);
    g_assert_cmpfloat(ps_gpu_class_rate(gpu, ps_gpu_class(gpu, "a", NULL)), ==, 128);
    g_assert_cmpfloat(ps_gpu_class_rate(gpu, ps_gpu_class(gpu, "b", NULL)), ==, 32);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/gpu-classes/served", test_served);
    g_test_add_func("/gpu-classes/turns", test_turns);
    g_test_add_func("/gpu-classes/throughput", test_throughput);
    g_test_add_func("/gpu-classes/otherwise", test_otherwise);
    g_test_add_func("/gpu-classes/table-served", test_table_served);
    g_test_add_func("/gpu-classes/sensible", test_sensible);
    g_test_add_func("/gpu-classes/levels", test_levels);
    g_test_add_func("/gpu-classes/degrees", test_degrees);
    g_test_add_func("/gpu-classes/peaks", test_peaks);
    g_test_add_func("/gpu-classes/rate", test_rate);
    g_test_add_func("/gpu-classes/cache", test_cache);
    g_test_add_func("/gpu-classes/bad-cache", test_bad_cache);
    return g_test_run();
}
