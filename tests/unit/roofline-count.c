/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Metrics counted from graphs, against counts worked out by hand.
 */
#include "roofline/roofline.h"
#include "roofline/terms.h"
#include "tests/help/build-graph.h"

#include <math.h>
#include <string.h>

/* ---- help ---------------------------------------------------------------------------------- */

typedef struct {
    PsIdg *idg;
    PsKernel *kernel;
    PsMetrics metrics;
    GPtrArray *warnings;
} Count;

static void assert_metric(const Count *count, PsMetric metric, double expected)
{
    const double got = count->metrics.value[metric];
    if (isnan(expected) ? isnan(got) : got == expected)
        return;
    g_test_message("%s is %.17g, not %.17g", ps_metric_name(metric), got, expected);
    g_test_fail();
}

/* The launch of the graph itself, on warps of that size. Takes the graph. */
static Count *count_graph(PsIdg *idg, gint64 warp_size)
{
    g_autoptr(GError) error = NULL;
    Count *count = g_new0(Count, 1);
    count->idg = idg;
    count->warnings = g_ptr_array_new_with_free_func(g_free);
    count->kernel = ps_kernel_new(idg, NULL, &error);
    g_assert_no_error(error);
    if (count->kernel)
        ps_metrics_count(count->kernel, count->kernel->groups, count->kernel->group_size, warp_size,
                         &count->metrics, count->warnings);
    return count;
}

static Count *count_text(const char *launch, const char *codes, gint64 warp_size)
{
    g_autofree char *text = g_strdup_printf(
        "<idg xmlns='urn:pipesim:idg:1' version='1' name='toy'>\n<launch %s/>\n%s</idg>", launch,
        codes);
    g_autoptr(GError) error = NULL;
    PsIdg *idg = ps_idg_parse(text, strlen(text), "toy.idg", &error);
    g_assert_no_error(error);
    return count_graph(idg, warp_size);
}

static Count *count_file(const char *path)
{
    g_autoptr(GError) error = NULL;
    PsIdg *idg = ps_idg_load(path, &error);
    g_assert_no_error(error);
    return count_graph(idg, 32);
}

static void count_free(Count *count)
{
    g_ptr_array_unref(count->warnings);
    ps_kernel_free(count->kernel);
    ps_idg_free(count->idg);
    g_free(count);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Count, count_free)

static void assert_warnings(const Count *count, const char *only)
{
    g_assert_cmpuint(count->warnings->len, ==, only ? 1 : 0);
    if (only && count->warnings->len)
        g_assert_cmpstr(count->warnings->pdata[0], ==, only);
    else if (count->warnings->len)
        g_test_message("%s", (char *)count->warnings->pdata[0]);
}

/* ---- what counts as what ------------------------------------------------------------------- */

/* 2 groups of 64 threads; n = 128 threads. */
static void test_types(void)
{
    g_autoptr(Count) count =
        count_text("groups='2' group-size='64'",
                   "<code><node name='a' class='fadd' ops='1' type='fp32'/>"
                   "<loop times='5'><node name='b' class='fmadd' ops='2' type='fp32'/></loop>"
                   "<node name='c' class='dadd' ops='1' type='fp64'/>"
                   "<node name='d' class='dfma' ops='2' type='fp64'/>"
                   "<node name='e' class='iadd' ops='1' type='int'/>"
                   "<node name='f' class='imad' ops='2' type='int'/>"
                   "<node name='g' class='hadd' ops='1' type='fp16'/>"
                   "<node name='h' class='hfma' ops='4' type='fp16'/>"
                   "<node name='i' class='hmma' ops='128' type='tensor'/>"
                   "<node name='j' class='loop'/>"
                   "<node name='k' class='cos' ops='0' type='fp32'/></code>",
                   32);
    const double n = 128;
    assert_metric(count, PS_M_FP32, 6 * n);
    assert_metric(count, PS_M_FMA32, 5 * n);
    assert_metric(count, PS_M_FP64, 2 * n);
    assert_metric(count, PS_M_FMA64, n);
    assert_metric(count, PS_M_INT, 2 * n);
    assert_metric(count, PS_M_FP16, 2 * n);
    assert_metric(count, PS_M_OPS16, 5 * n);
    assert_metric(count, PS_M_TENSOR, n);
    assert_metric(count, PS_M_OPS_TENSOR, 128 * n);
    assert_metric(count, PS_M_INST, 15 * n);
    assert_metric(count, PS_M_LDST, 0);
    assert_metric(count, PS_M_TRAN_R, 0);
    assert_metric(count, PS_M_TRAN_W, 0);
    assert_metric(count, PS_M_L1, 0);
    assert_metric(count, PS_M_L2, 0);
    assert_metric(count, PS_M_SECONDS, NAN);
    assert_warnings(count, NULL);
}

/* What conflicts move again, and the further requests of wide accesses: only the former are
 * replays. */
static void test_conflicts(void)
{
    static const struct {
        const char *class_name;
        double passes, without; /* of a request; without conflicts */
    } cases[] = {{"local.load", 1, 1},       {"local.load.c4", 4, 1},
                 {"local.load.v4", 4, 4},    {"local.store.c3.v2", 6, 2},
                 {"local.load.p2.v4", 2, 2}, {"local.load.broadcast.c2.v4", 4, 2}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *code =
            g_strdup_printf("<code><node name='x' class='%s'/></code>", cases[i].class_name);
        g_autoptr(Count) count = count_text("groups='2' group-size='64'", code, 32);
        assert_metric(count, PS_M_LOCAL, 4 * 128 * cases[i].passes);
        g_assert_cmpfloat(count->metrics.conflicts, ==, 4 * 128 * (cases[i].passes - 1));
        g_assert_cmpfloat(count->metrics.replays, ==, 128 * (cases[i].passes - cases[i].without));
    }
}

/* Seven operations are three multiply-adds and an addition: four instructions, in M_inst, too. */
static void test_many_operations(void)
{
    g_autoptr(Count) count = count_text("groups='1' group-size='32'",
                                        "<code><node name='a' class='poly' ops='7' type='fp32'/>"
                                        "<node name='b' class='poly' ops='9' type='fp16'/></code>",
                                        32);
    assert_metric(count, PS_M_FP32, 4 * 32);
    assert_metric(count, PS_M_FMA32, 3 * 32);
    assert_metric(count, PS_M_FP16, 3 * 32);
    assert_metric(count, PS_M_OPS16, 9 * 32);
    assert_metric(count, PS_M_INST, 7 * 32);
    PsParams params;
    ps_params_from_metrics(&count->metrics, &params);
    g_assert_cmpint(params.K_type, ==, PS_K_FP16);
    g_assert_cmpfloat(params.E_mix, ==, 0.75);
}

/* ---- memory -------------------------------------------------------------------------------- */

static void test_traffic(void)
{
    g_autoptr(Count) count = count_text(
        "groups='1' group-size='32'",
        "<code><node name='a' class='global.load' bytes='8' l1='1' l2='0.5' device='0.25'/>"
        "<node name='b' class='global.store.B' bytes='4' l1='1' l2='1' device='1'/>"
        "<node name='c' class='atomic.add' bytes='4' l1='0' l2='1' device='0.5'/>"
        "<node name='d' class='constant.load' bytes='16' l1='1' l2='0' device='0'/>"
        "<node name='e' class='local.store' bytes='4'/><node name='f' class='local'/>"
        "<node name='g' class='globally'/></code>",
        32);
    assert_metric(count, PS_M_TRAN_R, 2 * 32);
    assert_metric(count, PS_M_TRAN_W, 6 * 32);
    assert_metric(count, PS_M_L1, 28 * 32);
    assert_metric(count, PS_M_L2, 12 * 32);
    assert_metric(count, PS_M_LDST, 6 * 32);
    assert_metric(count, PS_M_INST, 7 * 32);
    assert_warnings(count, NULL);
}

/* A level of which one node says nothing is not known; of device memory that is worth a warning. */
static void test_traffic_unknown(void)
{
    g_autoptr(Count) count =
        count_text("groups='1' group-size='32'",
                   "<code>\n<node name='a' class='global.load' bytes='4' l2='1' device='1'/>\n"
                   "<node name='b' class='global.store' bytes='4' l2='1'/>\n"
                   "<node name='c' class='memory' bytes='4' l2='1'/></code>",
                   32);
    assert_metric(count, PS_M_TRAN_R, NAN);
    assert_metric(count, PS_M_TRAN_W, NAN);
    assert_metric(count, PS_M_L1, NAN);
    assert_metric(count, PS_M_L2, 12 * 32);
    assert_warnings(count,
                    "toy.idg:5: node \"b\" (one of 2) does not say how much of its traffic reaches "
                    "device memory, so that W_traf is not known; state it "
                    "with device=\"1\", or the share that misses the caches");
}

/* What never leaves the chip needs no share; an atomic of global memory does. */
static void test_traffic_on_chip(void)
{
    g_autoptr(Count) count = count_text(
        "groups='1' group-size='32'",
        "<code>\n<node name='a' class='global.load' bytes='4' l1='1' l2='1' device='1'/>\n"
        "<node name='b' class='constant' bytes='4'/>\n"
        "<node name='c' class='atomic.local' bytes='4'/>\n"
        "<node name='d' class='atomic.local.c32' bytes='4'/>\n"
        "<node name='e' class='local.load' bytes='4'/>\n"
        "<node name='f' class='memory.fence'/><node name='g' class='global.load.prefetch'/></code>",
        32);
    assert_metric(count, PS_M_TRAN_R, 4 * 32);
    assert_metric(count, PS_M_TRAN_W, 0);
    assert_metric(count, PS_M_L2, 4 * 32);
    assert_warnings(count, NULL);
    g_autoptr(Count) far =
        count_text("groups='1' group-size='32'",
                   "<code>\n<node name='a' class='atomic.global' bytes='4' l2='1'/></code>", 32);
    assert_metric(far, PS_M_TRAN_W, NAN);
}

static void test_traffic_no_bytes(void)
{
    g_autoptr(Count) count = count_text("groups='1' group-size='32'",
                                        "<code>\n<node name='a' class='global.load'/></code>", 32);
    assert_metric(count, PS_M_TRAN_R, NAN);
    assert_metric(count, PS_M_TRAN_W, 0);
    assert_metric(count, PS_M_LDST, 32);
    assert_warnings(count, "toy.idg:4: node \"a\" does not say how much of its traffic reaches "
                           "device memory, so that W_traf is not known; state it with "
                           "bytes=\"...\" per thread and device=\"1\", or the share that misses "
                           "the caches");
}

/* No bytes at all, as stated, are known. A caller may have no use for warnings. */
static void test_traffic_zero_bytes(void)
{
    g_autoptr(Count) count =
        count_text("groups='1' group-size='32'",
                   "<code><node name='a' class='global.load' bytes='0' device='1'/>"
                   "<node name='b' class='global.load' bytes='4'/></code>",
                   32);
    assert_metric(count, PS_M_TRAN_R, NAN);
    ps_metrics_count(count->kernel, 1, 32, 32, &count->metrics, NULL);
    assert_metric(count, PS_M_TRAN_R, NAN);
}

/* A graph built in memory has a name, but no lines. */
static void test_traffic_in_memory(void)
{
    PsIdg *idg = build_idg("1", "32");
    PsIdgCode *code = ps_idg_add_code(idg);
    build_node(code->body, "x", "global.load", "");
    g_autoptr(Count) count = count_graph(idg, 32);
    assert_warnings(count,
                    "test: node \"x\" does not say how much of its traffic reaches device memory, "
                    "so that W_traf is not known; state it with bytes=\"...\" per thread "
                    "and device=\"1\", or the share that misses the caches");
}

/* ---- launches ------------------------------------------------------------------------------ */

/* 3 groups of 100 threads: four warps of 32, of which the last has 4; two warps of 64. */
static void test_partial_warps(void)
{
    static const char code[] = "<code><loop times='10'>"
                               "<node name='a' class='fadd' ops='1' type='fp32'/></loop></code>";
    g_autoptr(Count) nvidia = count_text("groups='3' group-size='100'", code, 32);
    assert_metric(nvidia, PS_M_FP32, 3000);
    assert_metric(nvidia, PS_M_INST, 3 * 128 * 10);
    g_autoptr(Count) amd = count_text("groups='3' group-size='100'", code, 64);
    assert_metric(amd, PS_M_FP32, 3000);
    assert_metric(amd, PS_M_INST, 3 * 128 * 10);
    g_autoptr(Count) lonely = count_text("groups='3' group-size='1'", code, 64);
    assert_metric(lonely, PS_M_FP32, 30);
    assert_metric(lonely, PS_M_INST, 3 * 64 * 10);
}

/* Warps 0 and 3 (the last, of 4 threads) and 7 (not there) run one code, the others another. */
static void test_codes(void)
{
    g_autoptr(Count) count =
        count_text("groups='2' group-size='100'",
                   "<code warps='0,3..7'><node name='a' class='fadd' ops='1' type='fp32'/></code>"
                   "<code warps='9'><node name='z' class='dadd' ops='1' type='fp64'/></code>"
                   "<code><node name='b' class='iadd' ops='1' type='int'/><node name='c' "
                   "class='loop'/></code>",
                   32);
    assert_metric(count, PS_M_FP32, 2 * 36);
    assert_metric(count, PS_M_FP64, 0);
    assert_metric(count, PS_M_INT, 2 * 64);
    assert_metric(count, PS_M_INST, 2 * (64 + 64 * 2));
}

/* What no warp runs needs no traffic. */
static void test_codes_idle(void)
{
    g_autoptr(Count) count =
        count_text("groups='1' group-size='32'",
                   "<code warps='1'><node name='z' class='global.load'/></code>"
                   "<code><node name='b' class='iadd' ops='1' type='int'/></code>",
                   32);
    assert_metric(count, PS_M_TRAN_R, 0);
    assert_warnings(count, NULL);
}

/* 10^9 groups of 1024 threads with 10^12 trips: far beyond 64 bits, and finite. */
static void test_huge(void)
{
    g_autoptr(Count) count = count_text("groups='1000000000' group-size='1024'",
                                        "<code><loop times='1000000000000'>"
                                        "<node name='a' class='fmadd' ops='2' type='fp32'/>"
                                        "<node name='l' class='global.load' bytes='16' device='1'/>"
                                        "</loop></code>",
                                        32);
    assert_metric(count, PS_M_FP32, 1.024e24);
    assert_metric(count, PS_M_FMA32, 1.024e24);
    assert_metric(count, PS_M_INST, 2.048e24);
    assert_metric(count, PS_M_TRAN_R, 1.6384e25);
}

/* ---- the graphs of the project ------------------------------------------------------------- */

static PsPrediction predict(const Count *count, const char *path)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PsGpu) gpu = ps_gpu_load(path, &error);
    g_assert_no_error(error);
    PsParams params;
    PsPeaks peaks;
    PsPrediction prediction = {0};
    ps_params_from_metrics(&count->metrics, &params);
    ps_peaks_resolve(gpu, PS_RATIONAL_INT(0), &peaks);
    g_assert_true(ps_predict(&params, &peaks, gpu, &prediction, &error));
    g_assert_no_error(error);
    return prediction;
}

static void assert_within(double got, double low, double high)
{
    g_assert_cmpfloat(got, >=, low);
    g_assert_cmpfloat(got, <=, high);
}

/* The check of docs/reference/model.md, section 5. Per thread and tile 8 multiply-adds, 16 loads
 * and 2 stores of local, 2 loads of device memory, 2 barriers and the loop; 128 tiles, and a store.
 */
static void test_mmul08(void)
{
    g_autoptr(Count) count = count_file("graphs/mmul08.idg");
    const double threads = 1024.0 * 1024, matrix = threads * 4;
    assert_metric(count, PS_M_FP32, threads * 128 * 8);
    assert_metric(count, PS_M_FMA32, threads * 128 * 8);
    assert_metric(count, PS_M_LDST, threads * (128 * 20 + 1));
    assert_metric(count, PS_M_INST, threads * (128 * 31 + 1));
    assert_metric(count, PS_M_TRAN_R, 2 * matrix);
    assert_metric(count, PS_M_TRAN_W, matrix);
    assert_warnings(count, NULL);
    PsParams params;
    ps_params_from_metrics(&count->metrics, &params);
    assert_within(params.O_krn, 170.65, 170.75);
    const PsPrediction p = predict(count, "gpus/pascal.xml");
    g_assert_cmpint(p.bound, ==, PS_BOUND_COMPUTE);
    assert_within(p.T_adjusted / 1e9, 338.75, 338.85);
    assert_within(p.seconds * 1e3, 6.335, 6.345);
    assert_within(p.ceiling / 1e9, 3855, 3856);
    assert_within(p.ceiling_seconds * 1e3, 0.5565, 0.5575);
}

/* A chain of additions has no traffic; saxpy has little else: 12 bytes per 2 operations. */
static void test_others(void)
{
    g_autoptr(Count) fadd = count_file("graphs/fadd.idg");
    PsPrediction p = predict(fadd, "gpus/pascal.xml");
    g_assert_cmpint(p.bound, ==, PS_BOUND_COMPUTE);
    g_assert_cmpfloat(p.E_instr, ==, 1);
    assert_within(p.T_adjusted / 1e9, 1927.67, 1927.69);
    g_autoptr(Count) saxpy = count_file("graphs/saxpy.idg");
    p = predict(saxpy, "gpus/pascal.xml");
    g_assert_cmpint(p.bound, ==, PS_BOUND_MEMORY);
    assert_within(p.T_predicted / (160.64e9 * 2 / 12), 1 - 1e-9, 1 + 1e-9);
    /* Loop overheads alone are neither work nor traffic. */
    g_autoptr(Count) loop = count_file("graphs/loop.idg");
    p = predict(loop, "gpus/pascal.xml");
    g_assert_cmpint(p.bound, ==, PS_BOUND_UNKNOWN);
    g_assert_true(isnan(p.seconds));
}

/* Each graph of the project says what reaches device memory. */
static void test_all_graphs(void)
{
    g_autoptr(GDir) folder = g_dir_open("graphs", 0, NULL);
    guint n = 0;
    for (const char *name; (name = g_dir_read_name(folder));) {
        if (!g_str_has_suffix(name, ".idg"))
            continue;
        g_autofree char *path = g_build_filename("graphs", name, NULL);
        g_autoptr(Count) count = count_file(path);
        assert_warnings(count, NULL);
        g_assert_false(isnan(count->metrics.value[PS_M_TRAN_R]));
        g_assert_false(isnan(count->metrics.value[PS_M_TRAN_W]));
        n++;
    }
    g_assert_cmpuint(n, >=, 10);
}

/* A group of 33 threads: 16.5 of a warp in the mean, of whose bytes the shares are. The first warp
 * reads 128 bytes, the second one a sector. */
static void test_uneven_warps(void)
{
    g_autoptr(Count) count = count_text(
        "groups='10' group-size='33'",
        "<code warps='0'><node name='a' class='global.load' bytes='4' device='64/33'/>"
        "</code><code><node name='b' class='global.load' bytes='4' device='16/33'/></code>",
        32);
    assert_metric(count, PS_M_TRAN_R, 10 * (128 + 32));
    assert_metric(count, PS_M_LDST, 10 * 33);
}

/* A half of 512 bytes reaches L3 and a quarter L4; a node that speaks of neither has none. */
static void test_further_levels(void)
{
    g_autoptr(Count) count = count_text("groups='1' group-size='128'",
                                        "<code><node name='a' class='global.load' bytes='4' "
                                        "l3='1/2' l4='1/4' device='1/8'/></code>",
                                        32);
    assert_metric(count, PS_M_L3, 256);
    assert_metric(count, PS_M_L4, 128);
    assert_metric(count, PS_M_BEHIND_L2, NAN);
    g_autoptr(Count) none = count_text("groups='1' group-size='128'",
                                       "<code><node name='a' class='fmadd'/></code>", 32);
    assert_metric(none, PS_M_L3, NAN);
    assert_metric(none, PS_M_L2, 0);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/roofline-count/types", test_types);
    g_test_add_func("/roofline-count/conflicts", test_conflicts);
    g_test_add_func("/roofline-count/many-operations", test_many_operations);
    g_test_add_func("/roofline-count/traffic/known", test_traffic);
    g_test_add_func("/roofline-count/traffic/unknown", test_traffic_unknown);
    g_test_add_func("/roofline-count/traffic/on-chip", test_traffic_on_chip);
    g_test_add_func("/roofline-count/traffic/no-bytes", test_traffic_no_bytes);
    g_test_add_func("/roofline-count/traffic/zero-bytes", test_traffic_zero_bytes);
    g_test_add_func("/roofline-count/traffic/in-memory", test_traffic_in_memory);
    g_test_add_func("/roofline-count/launch/partial-warps", test_partial_warps);
    g_test_add_func("/roofline-count/launch/codes", test_codes);
    g_test_add_func("/roofline-count/launch/codes-idle", test_codes_idle);
    g_test_add_func("/roofline-count/launch/huge", test_huge);
    g_test_add_func("/roofline-count/launch/uneven-warps", test_uneven_warps);
    g_test_add_func("/roofline-count/traffic/further-levels", test_further_levels);
    g_test_add_func("/roofline-count/graphs/mmul08", test_mmul08);
    g_test_add_func("/roofline-count/graphs/others", test_others);
    g_test_add_func("/roofline-count/graphs/all", test_all_graphs);
    return g_test_run();
}
