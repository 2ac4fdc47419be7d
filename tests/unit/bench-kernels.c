/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Micro-benchmarks: that each kernel's graph is the chain that its class is fitted to.
 * Where NVRTC is installed, every kernel is compiled by it. With PIPESIM_KERNEL_SOURCES set to a
 * folder, all sources go there, for other compilers (tests/bench-compile.t).
 */
#include "base/class-name.h"
#include "latency-bench/internal.h"
#include "latency-bench/code.h"
#include "tests/help/build-graph.h"
#include "tests/help/engine.h"

#include <dlfcn.h>
#include <math.h>
#include <string.h>

static const char *const BACKENDS[] = {"CUDA", "HIP", "OpenCL"};

static PsRational rational(const char *text)
{
    PsRational value = {0, 1};
    g_assert_true(ps_rational_parse(text, &value));
    return value;
}

static const PsBenchKernel *find(const GPtrArray *all, const char *name)
{
    for (guint i = 0; i < all->len; i++) {
        const PsBenchKernel *kernel = all->pdata[i];
        if (strcmp(kernel->name, name) == 0)
            return kernel;
    }
    g_error("there is no kernel %s", name);
    return NULL;
}

static gboolean is_for(const PsBenchKernel *kernel, const char *backend)
{
    return !kernel->backends || strstr(kernel->backends, backend);
}

/* ---- all kernels --------------------------------------------------------------------------- */

static void check_kernel(const PsBenchKernel *kernel)
{
    g_test_message("%s", kernel->name);
    g_assert_nonnull(kernel->class_name);
    g_assert_cmpint(kernel->ilp, >=, 1);
    g_assert_cmpint(kernel->unroll, >=, 1);
    g_assert_cmpint(kernel->step, >=, 0);
    g_assert_true(kernel->kind != PS_BENCH_PEAK || kernel->operations > 0);
    g_autofree char *function =
        g_strcanon(g_strdup(kernel->name), G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS "_", '_');
    g_autofree char *names = g_strdup_printf("#define NAME %s\n", function);
    for (guint i = 0; i < G_N_ELEMENTS(BACKENDS); i++) {
        g_autofree char *source = ps_bench_source(kernel, BACKENDS[i]);
        g_assert_nonnull(strstr(source, names));
        g_assert_nonnull(strstr(source, "KERNEL(NAME)"));
    }
    g_assert_nonnull(kernel->graph);
    g_autofree char *text = ps_idg_write(kernel->graph);
    g_autoptr(GError) error = NULL;
    g_autoptr(PsIdg) again = ps_idg_parse(text, strlen(text), kernel->name, &error);
    g_assert_no_error(error);
    g_assert_true(again != NULL);
}

/* What is measured. */
static const char CLASSES[] =
    "fadd fmul fmadd dadd dmul dfma hadd hmul hfma iadd imad logic shift conversion.f2i "
    "conversion.i2f rcp rsqrt "
    "sqrt sin cos exp2 log2 fdiv loop barrier shuffle atomic.local atomic.global local.load "
    "local.store constant global.load global.load.l1 memory global.load.l2 global.store "
    "global.store.v2 global.store.v4 global.load.broadcast global.load.v2 global.load.v4 "
    "local.load.v2 local.load.v4 "
    "local.store.v2 local.store.v4 T_SP T_DP T_HP T_int T_add T_ldst T_tensor B_mem B_L2 B_L1 "
    "B_local "
    "mix intensity global.load.A.8x8 global.load.B.8x8 global.load.A.16x16 "
    "global.load.B.16x16 global.store.B.8x8 global.store.B.16x16 walk flow flow.copy flow.queue "
    "flow.queue.copy flow.request "
    "flow.tag flow.lookup flow.miss flow.pair touch.address touch.line touch.lines touch.sectors "
    "touch.write touch.partial launch launch.store launch.timer atomic.local.cas constant.c32 "
    "local.load.p2.v2 local.load.p2.v4 local.load.broadcast local.load.broadcast.v2 "
    "local.load.broadcast.v4 conversion.pack conversion.f64 fadd.minmax iadd.minmax logic.vote "
    "shuffle.reduce shuffle.reduce.minmax imad.beside burst.one burst.eight";

static void test_kernels(void)
{
    g_autoptr(GPtrArray) all = ps_bench_kernels();
    g_autoptr(GHashTable) names = g_hash_table_new(g_str_hash, g_str_equal);
    g_autoptr(GHashTable) found = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < all->len; i++) {
        const PsBenchKernel *kernel = all->pdata[i];
        check_kernel(kernel);
        g_assert_true(g_hash_table_add(names, kernel->name));
        g_hash_table_add(found, kernel->class_name);
    }
    g_auto(GStrv) classes = g_strsplit(CLASSES, " ", -1);
    for (char **class = classes; *class; class ++)
        if (!g_hash_table_contains(found, *class))
            g_error("no kernel measures %s", *class);
    g_assert_cmpuint(g_hash_table_size(found), ==, g_strv_length(classes));
}

/* ---- graphs -------------------------------------------------------------------------------- */

typedef struct {
    const char *kernel, *class_name; /* the class: in its graph */
    const char *lambda, *completion;
    gboolean stores; /* nothing waits */
} Curve;

static PsRational run_graph(const PsBenchKernel *kernel, const PsGpu *gpu, gint64 warps,
                            gint64 length)
{
    PsScope *overrides = ps_scope_new();
    ps_scope_set(overrides, "length", PS_RATIONAL_INT(length));
    EngineRun run = {.idg = kernel->graph,
                     .gpu = gpu,
                     .overrides = overrides,
                     .options = {.groups = warps, .group_size = 32, .active = warps}};
    g_autoptr(GError) error = NULL;
    PsSimResult result = {.ticks = 0};
    engine_run(&run, &result, &error);
    g_assert_no_error(error);
    ps_scope_free(overrides);
    return result.cycles;
}

/* max(Lambda, W k lambda) for each link of the chain, exactly. */
static void check_slope(const Curve *curve, const PsBenchKernel *kernel, const PsGpu *gpu,
                        gint64 warps)
{
    const gint64 shorter = 4, longer = 12;
    PsRational a = run_graph(kernel, gpu, warps, shorter),
               b = run_graph(kernel, gpu, warps, longer);
    PsRational slope, wanted, completion = rational(curve->completion);
    g_assert_true(ps_rational_sub(b, a, &slope));
    g_assert_true(
        ps_rational_div(slope, PS_RATIONAL_INT((longer - shorter) * kernel->unroll), &slope));
    g_assert_true(
        ps_rational_mul(rational(curve->lambda), PS_RATIONAL_INT(warps * kernel->ilp), &wanted));
    if (!curve->stores && ps_rational_cmp(wanted, completion) < 0)
        wanted = completion;
    g_autofree char *is = ps_rational_format(slope), *should = ps_rational_format(wanted);
    g_test_message("%s, %d warps", kernel->name, (int)warps);
    g_assert_cmpstr(is, ==, should);
}

static void test_slopes(void)
{
    static const Curve curves[] = {
        {"fadd-ilp1", "fadd", "0.25", "4", FALSE},
        {"fadd-ilp2", "fadd", "0.25", "4", FALSE},
        {"fadd-ilp4", "fadd", "1.75", "24", FALSE},
        {"fmadd-ilp8", "fmadd", "0.5", "6", FALSE},
        {"conversion-f2i-ilp1", "conversion.f2i", "2", "8.5", FALSE},
        {"conversion-i2f-ilp4", "conversion.i2f", "0.5", "4", FALSE},
        {"hfma-ilp1", "hfma", "1", "6", FALSE},
        {"iadd-ilp2", "iadd", "0.3", "4", FALSE},
        {"loop-ilp1", "loop", "3", "40", FALSE},
        {"barrier-ilp1", "barrier", "2", "20", FALSE},
        {"shuffle-ilp1", "shuffle", "2", "22", FALSE},
        {"constant-load", "constant", "1", "27", FALSE},
        {"local-load-c1", "local.load", "1", "33", FALSE},
        {"local-load-c8", "local.load.c8", "8", "70", FALSE},
        {"local-store-c4", "local.store.c4", "4", "40", TRUE},
        {"local-load-v4-ilp2", "local.load.v4", "4", "36", FALSE},
        {"local-store-v2", "local.store.v2", "2", "33", TRUE},
        {"atomic-local-c1", "atomic.local", "4", "60", FALSE},
        {"global-load-s1", "global.load", "12", "600", FALSE},
        {"global-load-s32", "global.load.stride32", "32", "800", FALSE},
        {"global-load-v4", "global.load.v4", "16", "620", FALSE},
        {"global-load-l1", "global.load.l1", "2", "33", FALSE},
        {"memory-ilp1", "memory", "14.7", "434", FALSE},
        {"memory-ilp8", "memory", "14.7", "434", FALSE},
        {"global-store", "global.store", "14", "434", TRUE},
        {"global-store-v4-ilp4", "global.store.v4", "56", "434", TRUE},
        {"global-load-a-8x8", "global.load.A.8x8", "7", "210", FALSE},
        {"global-load-b-16x16-ilp4", "global.load.B.16x16", "10", "444", FALSE},
        {"global-store-b-8x8", "global.store.B.8x8", "8", "409", TRUE},
        {"peak-t-sp", "fmadd", "0.25", "4", FALSE},
    };
    static const gint64 warps[] = {1, 2, 3, 8, 24, 64};
    g_autoptr(GPtrArray) all = ps_bench_kernels();
    for (guint i = 0; i < G_N_ELEMENTS(curves); i++) {
        const PsBenchKernel *kernel = find(all, curves[i].kernel);
        PsGpu *gpu = build_gpu(1, 1);
        build_class(gpu, curves[i].class_name, 0, rational(curves[i].lambda),
                    rational(curves[i].completion));
        for (guint j = 0; j < G_N_ELEMENTS(warps); j++)
            check_slope(&curves[i], kernel, gpu, warps[j]);
        build_gpu_free(gpu);
    }
}

/* What each access of a chain moves, per thread: as graphs of compiled code say it. */
static void test_widths(void)
{
    static const struct {
        const char *kernel, *class_name, *bytes;
    } cases[] = {{"global-load-l1", "global.load.l1", "4"},
                 {"global-load-l2-ilp4", "global.load.l2", "4"},
                 {"global-load-s1", "global.load", "4"},
                 {"global-load-v2", "global.load.v2", "8"},
                 {"global-load-v4-ilp2", "global.load.v4", "16"},
                 {"atomic-global", "atomic.global", "4"}};
    g_autoptr(GPtrArray) all = ps_bench_kernels();
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        const PsBenchKernel *kernel = find(all, cases[i].kernel);
        const PsIdgCode *code = kernel->graph->codes->pdata[0];
        const PsIdgItem *trips = code->body->pdata[0], *steps = trips->body->pdata[0],
                        *node = steps->body->pdata[0];
        g_test_message("%s", kernel->name);
        g_assert_cmpstr(node->class_name, ==, cases[i].class_name);
        g_assert_cmpstr(ps_expr_text(node->bytes), ==, cases[i].bytes);
    }
}

/* As many chains as compilers keep in order: one of divisions, one or eight of half precision. */
static void test_chains(void)
{
    static const struct {
        const char *class_name;
        gint64 chains[2];
    } cases[] = {{"fdiv", {1, 1}}, {"barrier", {1, 1}}, {"loop", {1, 1}}, {"hadd", {1, 8}},
                 {"hmul", {1, 8}}, {"hfma", {1, 8}},    {"T_HP", {8, 8}}};
    g_autoptr(GPtrArray) all = ps_bench_kernels();
    for (guint i = 0; i < all->len; i++) {
        const PsBenchKernel *kernel = all->pdata[i];
        for (guint j = 0; j < G_N_ELEMENTS(cases); j++)
            if (strcmp(kernel->class_name, cases[j].class_name) == 0)
                g_assert_true(kernel->ilp == cases[j].chains[0] ||
                              kernel->ilp == cases[j].chains[1]);
    }
}

/* One warp: a load, an addition and a chain of multiply-adds, one after the other. */
static void test_mix(void)
{
    g_autoptr(GPtrArray) all = ps_bench_kernels();
    PsGpu *gpu = build_gpu(1, 2);
    build_class(gpu, "memory", 0, rational("10"), rational("400"));
    build_class(gpu, "fadd", 1, rational("1"), rational("4"));
    build_class(gpu, "fmadd", 1, rational("1"), rational("5"));
    const struct {
        const char *kernel;
        gint64 cycles; /* of a trip */
    } cases[] = {{"mix-0", 404},
                 {"mix-16", 404 + 80},
                 /* the fourth load is issued 30 cycles late, and so are its multiply-adds */
                 {"intensity-0", 30 + 400 + 4},
                 {"intensity-16", 30 + 400 + 80 + 4}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        const PsBenchKernel *kernel = find(all, cases[i].kernel);
        PsRational slope;
        g_assert_true(
            ps_rational_sub(run_graph(kernel, gpu, 1, 7), run_graph(kernel, gpu, 1, 6), &slope));
        g_autofree char *is = ps_rational_format(slope);
        g_autofree char *should = g_strdup_printf("%d", (int)cases[i].cycles);
        g_test_message("%s", kernel->name);
        g_assert_cmpstr(is, ==, should);
    }
    build_gpu_free(gpu);
}

static void test_sources(void)
{
    static const char *const endings[] = {"cu", "hip", "cl"};
    const char *folder = g_getenv("PIPESIM_KERNEL_SOURCES");
    if (!folder) {
        g_test_skip("PIPESIM_KERNEL_SOURCES names no folder");
        return;
    }
    g_autoptr(GPtrArray) all = ps_bench_kernels();
    for (guint i = 0; i < all->len; i++)
        for (guint j = 0; j < G_N_ELEMENTS(BACKENDS); j++) {
            const PsBenchKernel *kernel = all->pdata[i];
            if (!is_for(kernel, BACKENDS[j]))
                continue;
            g_autofree char *source = ps_bench_source(kernel, BACKENDS[j]);
            g_autofree char *path = g_strdup_printf("%s/%s.%s", folder, kernel->name, endings[j]);
            g_assert_true(g_file_set_contents(path, source, -1, NULL));
        }
}

/* The part of NVRTC that is needed here; 0 is success. */
typedef struct {
    int (*create)(void **program, const char *source, const char *name, int n_headers,
                  const char *const *headers, const char *const *names);
    int (*compile)(void *program, int n_options, const char *const *options);
    int (*ptx_size)(void *program, gsize *bytes);
    int (*ptx)(void *program, char *text);
    int (*log_size)(void *program, gsize *bytes);
    int (*log)(void *program, char *text);
    int (*destroy)(void **program);
} Nvrtc;

static gboolean load_nvrtc(Nvrtc *nvrtc)
{
    static const char *const names[] = {"libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12",
                                        "/usr/local/cuda/lib64/libnvrtc.so"};
    void *library = NULL;
    for (guint i = 0; i < G_N_ELEMENTS(names) && !library; i++)
        library = dlopen(names[i], RTLD_NOW);
    if (!library)
        return FALSE;
    *(void **)&nvrtc->create = dlsym(library, "nvrtcCreateProgram");
    *(void **)&nvrtc->compile = dlsym(library, "nvrtcCompileProgram");
    *(void **)&nvrtc->ptx_size = dlsym(library, "nvrtcGetPTXSize");
    *(void **)&nvrtc->ptx = dlsym(library, "nvrtcGetPTX");
    *(void **)&nvrtc->log_size = dlsym(library, "nvrtcGetProgramLogSize");
    *(void **)&nvrtc->log = dlsym(library, "nvrtcGetProgramLog");
    *(void **)&nvrtc->destroy = dlsym(library, "nvrtcDestroyProgram");
    return nvrtc->create && nvrtc->compile && nvrtc->ptx_size && nvrtc->ptx && nvrtc->log_size &&
           nvrtc->log && nvrtc->destroy;
}

/* Pointers need nothing worked out: from the first access of a trip to its last there are only
 * accesses, and moves of pointers' halves. */
static void check_pointers(const PsBenchKernel *kernel, const char *ptx)
{
    static const char *const chased[] = {
        "global.load",    "global.load.l1",        "global.load.l2", "global.load.v2",
        "global.load.v4", "global.load.broadcast", "atomic.global",  NULL};
    if (!g_strv_contains(chased, kernel->class_name))
        return;
    const char *begin = strstr(ptx, "%clock64"),
               *end = begin ? strstr(begin + 1, "%clock64") : NULL;
    g_assert_nonnull(end);
    const char *access = strstr(kernel->class_name, "load") ? "ld." : "atom.";
    const char *first = g_strstr_len(begin, end - begin, access);
    const char *last = g_strrstr_len(begin, end - begin, access);
    g_autofree char *trip = g_strndup(first, (gsize)(last - first));
    g_autoptr(GRegex) other = g_regex_new(
        "^\\s*[{\\t ]*(?!mov\\.b64|ld\\.|atom\\.|\\.reg|//|\\})[a-z]", G_REGEX_MULTILINE, 0, NULL);
    g_autoptr(GMatchInfo) match = NULL;
    g_regex_match(other, trip, 0, &match);
    g_autofree char *found = g_match_info_fetch(match, 0);
    g_test_message("%s", kernel->name);
    g_assert_cmpstr(found, ==, NULL);
}

/* Compiles without a word of warning, and the code holds the chain. */
static void check_nvrtc(const Nvrtc *nvrtc, const PsBenchKernel *kernel, const char *option)
{
    void *program = NULL;
    gsize bytes = 0;
    g_autofree char *source = ps_bench_source(kernel, "CUDA");
    g_assert_cmpint(nvrtc->create(&program, source, kernel->name, 0, NULL, NULL), ==, 0);
    const int status = nvrtc->compile(program, 1, &option);
    g_assert_cmpint(nvrtc->log_size(program, &bytes), ==, 0);
    g_autofree char *log = g_malloc0(bytes + 1);
    g_assert_cmpint(nvrtc->log(program, log), ==, 0);
    g_assert_cmpstr(log, ==, "");
    g_assert_cmpint(status, ==, 0);
    if (status == 0) {
        g_assert_cmpint(nvrtc->ptx_size(program, &bytes), ==, 0);
        g_autofree char *ptx = g_malloc0(bytes + 1);
        g_autofree char *unseen = NULL;
        g_autoptr(GError) error = NULL;
        g_assert_cmpint(nvrtc->ptx(program, ptx), ==, 0);
        ps_bench_check_code(kernel, NULL, ptx, &unseen, &error);
        g_assert_no_error(error);
        check_pointers(kernel, ptx);
    }
    nvrtc->destroy(&program);
}

static void test_nvrtc(void)
{
    static const char *const options[] = {"-arch=compute_75", "-arch=compute_90"};
    Nvrtc nvrtc = {.create = NULL};
    if (!load_nvrtc(&nvrtc)) {
        g_test_skip("NVRTC is not installed");
        return;
    }
    g_autoptr(GPtrArray) all = ps_bench_kernels();
    for (guint i = 0; i < G_N_ELEMENTS(options); i++)
        for (guint j = 0; j < all->len; j++)
            if (is_for(all->pdata[j], "CUDA"))
                check_nvrtc(&nvrtc, all->pdata[j], options[i]);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/bench-kernels/kernels", test_kernels);
    g_test_add_func("/bench-kernels/slopes", test_slopes);
    g_test_add_func("/bench-kernels/widths", test_widths);
    g_test_add_func("/bench-kernels/chains", test_chains);
    g_test_add_func("/bench-kernels/mix", test_mix);
    g_test_add_func("/bench-kernels/sources", test_sources);
    g_test_add_func("/bench-kernels/nvrtc", test_nvrtc);
    return g_test_run();
}
