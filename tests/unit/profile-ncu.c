/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Profiles of Nsight Compute: what comes from the files in tests/profiles/ and from other versions;
 * what is missing in them; kernels handed out one by one.
 */
#include "tests/help/profile-ncu.h"
#include <math.h>
#include <string.h>

/* Bytes and a duration alone: a byte order mark, lines of the program and of the profiler, CR LF.
 */
static void test_ncu_long(void)
{
    g_autoptr(PsProfile) profile = profile_file(PROFILES "ncu-long.csv", NULL);
    const PsProfileKernel *axpy = profile_kernel(profile, 0);
    if (!profile)
        return;
    g_assert_cmpstr(profile->kind, ==, "Nsight Compute");
    g_assert_cmpuint(profile->kernels->len, ==, 1);
    g_assert_cmpstr(axpy->name, ==, "unnamed>::axpy(float, const float *, float *, int)");
    g_assert_cmpstr(axpy->device, ==, "0");
    g_assert_cmpint(axpy->launches, ==, 1);
    g_assert_cmpint(axpy->line, ==, 10);
    g_assert_cmpfloat(axpy->seconds, ==, 250000e-9);
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_TRAN_R), ==, 134217728);
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_TRAN_W), ==, 67108864);
    g_assert_true(isnan(profile_metric(profile, 0, PS_M_FP32)));
    g_assert_cmpint(axpy->params.K_type, ==, PS_K_UNKNOWN);
    g_assert_cmpfloat(axpy->params.W_traf, ==, 134217728 + 67108864);
    g_assert_cmpuint(profile_count_warnings(profile), ==, 4);
    g_assert_true(profile_warns(
        profile, "M_fp64, M_fma64, M_fp32, M_fma32, M_int are missing, needed for", "E_mix"));
    g_assert_true(profile_warns(profile, "M_ldst is missing", "D_ldst"));
    /* One list for all. */
    g_assert_false(profile_warns(profile, "M_ldst is missing", "--metrics"));
    g_assert_true(profile_warns(profile, "M_inst is missing",
                                "; to collect all that is missing: ncu --csv --metrics "
                                "smsp__sass_thread_inst_executed_op_fp64_pred_on.sum,"));
    g_assert_true(profile_warns(profile, "smsp__sass_thread_inst_executed_op_memory_pred_on.sum,",
                                "smsp__inst_executed.sum"));
    g_assert_true(profile_warns(profile, "M_l1", "only loads and stores of global memory"));
}

static void test_ncu_wide(void)
{
    g_autoptr(PsProfile) profile = profile_file(PROFILES "ncu-raw.csv", NULL);
    g_assert_cmpstr(profile_kernel(profile, 0)->name, ==,
                    "void gemm<__half, (int)128>(const T1 *, T1 *, int)");
    g_assert_cmpstr(profile_kernel(profile, 1)->name, ==, "fill(float *, \"quoted\", int)");
    g_assert_cmpint(profile_kernel(profile, 0)->launches, ==, 2);
    profile_near(profile_kernel(profile, 0)->seconds, 40e-6);
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_FP32), ==, 8000);
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_FMA32), ==, 4000);
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_INST), ==, 2 * 32 * 10000.0);
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_TRAN_R), ==, 2 * 512500.0);
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_TRAN_W), ==, 2 * 250000.0);
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_TENSOR), ==, 2 * 32 * 1024.0);
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_OPS_TENSOR), ==, 2 * 4194304.0);
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_L2), ==, 2 * 3.5e6);
    g_assert_cmpfloat(profile_metric(profile, 1, PS_M_INT), ==, 1500);
    g_assert_cmpuint(profile_count_warnings(profile), ==, 0);
}

static void test_ncu_summary(void)
{
    g_autoptr(PsProfile) profile = profile_file(PROFILES "ncu-summary.csv", NULL);
    g_assert_cmpuint(profile ? profile->kernels->len : 0, ==, 1);
    g_assert_cmpint(profile_kernel(profile, 0)->launches, ==, 6);
    profile_near(profile_kernel(profile, 0)->seconds, 20e-6);
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_TRAN_R), ==, 608000);
}

/* Several kernels, launches and processes; a metric that two sections list; both spellings. */
static void test_ncu_launches(void)
{
    static const char text[] =
        LONG ROW("0", "7", "f", FP32, "inst", "1,000") ROW("0", "7", "f", TIME, "usecond", "2")
            ROW("0", "7", "f", FP32, "inst", "1,000") ROW("1", "7", "g", FP32, "inst", "5")
                ROW("1", "7", "g", TIME, "us", "1") ROW("2", "7", "f", TIME, "nsecond", "3,000")
                    ROW("2", "7", "f", "sm__sass_thread_inst_executed_op_fp32_pred_on.sum", "Kinst",
                        "2") ROW("0", "8", "f", FP32, "inst", "1")
                        ROW("0", "8", "f", TIME, "msecond", "0.001");
    g_autoptr(PsProfile) profile = profile_text(text, NULL);
    g_assert_cmpuint(profile->kernels->len, ==, 2);
    g_assert_cmpint(profile_kernel(profile, 0)->launches, ==, 3);
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_FP32), ==, 3001);
    g_assert_null(profile_kernel(profile, 0)->device);
    profile_near(profile_kernel(profile, 0)->seconds, 6e-6);
    g_assert_cmpint(profile_kernel(profile, 1)->launches, ==, 1);

    const PsProfileOptions apart = {.apart = TRUE};
    g_autoptr(PsProfile) launches = profile_text(text, &apart);
    g_assert_cmpuint(launches->kernels->len, ==, 4);
    g_assert_cmpfloat(profile_metric(launches, 0, PS_M_FP32), ==, 1000);
    g_assert_cmpfloat(profile_metric(launches, 1, PS_M_FP32), ==, 5);
    g_assert_cmpfloat(profile_metric(launches, 2, PS_M_FP32), ==, 2000);
    g_assert_cmpint(profile_kernel(launches, 2)->launch, ==, 2);
    g_assert_cmpint(profile_kernel(launches, 3)->launch, ==, 3);
    g_assert_cmpint(profile_kernel(launches, 3)->line, ==, 9);
    g_assert_cmpint(profile_kernel(launches, 3)->launches, ==, 1);

    /* The same table twice, as of two runs. */
    g_autofree char *twice = g_strconcat(text, "==PROF== Connected\n", text, NULL);
    g_autoptr(PsProfile) both = profile_text(twice, NULL);
    g_assert_cmpint(profile_kernel(both, 0)->launches, ==, 6);
    g_assert_cmpfloat(profile_metric(both, 0, PS_M_FP32), ==, 6002);
}

/* The same launches on two devices, in contexts of two processes: details and raw page, with units
 * that Nsight Compute chose and without. */
static void test_ncu_forms(void)
{
    static const char *const forms[] = {"details-auto", "details-base", "raw-auto", "raw-base"};
    static const struct {
        const char *device;
        guint capability;
        gint64 launches;
        double seconds, read, written, inst;
    } expected[] = {{"0", 86, 2, 39.14e-6, 16.77e6, 8.37e6, 2 * 524288 * 32.0},
                    {"1", 70, 1, 16.38e-6, 8.4e6, 4.2e6, 524288 * 32.0},
                    {"0", 86, 1, 9.47e-6, 4.19e6, 1280, 139264 * 32.0}};
    for (guint form = 0; form < G_N_ELEMENTS(forms); form++) {
        g_autofree char *path = g_strdup_printf(PROFILES "ncu-%s.csv", forms[form]);
        g_autoptr(PsProfile) profile = profile_file(path, NULL);
        g_assert_cmpuint(profile ? profile->kernels->len : 0, ==, G_N_ELEMENTS(expected));
        g_assert_cmpuint(profile_count_warnings(profile), ==, 0);
        for (guint i = 0; i < G_N_ELEMENTS(expected); i++) {
            const PsProfileKernel *kernel = profile_kernel(profile, i);
            g_assert_cmpstr(kernel->device, ==, expected[i].device);
            g_assert_cmpuint(kernel->capability, ==, expected[i].capability);
            g_assert_cmpint(kernel->launches, ==, expected[i].launches);
            profile_near(kernel->seconds, expected[i].seconds);
            profile_near(profile_metric(profile, i, PS_M_TRAN_R), expected[i].read);
            profile_near(profile_metric(profile, i, PS_M_TRAN_W), expected[i].written);
            g_assert_cmpfloat(profile_metric(profile, i, PS_M_INST), ==, expected[i].inst);
        }
    }
}

/* Columns in another order, more of them, rows of rules, short rows. */
static void test_ncu_versions(void)
{
    g_autoptr(PsProfile) profile = profile_text(
        "\"ID\",\"Process ID\",\"Host Name\",\"Id:Domain:Msg\",\"Metric Value\",\"Metric Name\","
        "\"Metric Unit\",\"Kernel Name\",\"Kernel Time\",\"Section Name\",\"Rule Name\",\"Rule "
        "Type\"\n"
        "\"0\",\"7\",\"h\",\"\",\"1.5\",\"Duration\",\"usecond\",\"f\",\"t\",\"S\",\"\",\"\"\n"
        "\"0\",\"7\",\"h\",\"\",\"\",\"\",\"\",\"f\",\"t\",\"S\",\"Rule\",\"WRN\"\n"
        "\"0\",\"7\",\"h\",\"\",\"10\",\"Executed Instructions\",\"inst\",\"f\",\"t\",\"S\"\n"
        "\"0\",\"7\",\"h\",\"\",\"1.2\",\"Memory "
        "Throughput\",\"Gbyte/second\",\"f\",\"t\",\"S\"\n",
        NULL);
    g_assert_cmpfloat(profile_kernel(profile, 0)->seconds, ==, 1.5e-6);
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_INST), ==, 320);
    g_assert_cmpint(profile_kernel(profile, 0)->launches, ==, 1);
}

/* One way and the total, the total alone, sectors. */
static void test_ncu_traffic(void)
{
    g_autoptr(PsProfile) profile =
        profile_text(LONG ROW("0", "7", "a", "dram__bytes.sum", "byte", "10")
                         ROW("0", "7", "a", READ, "byte", "3")
                             ROW("1", "7", "b", "dram__bytes.sum", "byte", "10")
                                 ROW("2", "7", "c", "dram__sectors_read.sum", "sector", "2")
                                     ROW("2", "7", "c", "dram__sectors_write.sum", "sector", "1"),
                     NULL);
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_TRAN_R), ==, 3);
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_TRAN_W), ==, 7);
    g_assert_cmpfloat(profile_metric(profile, 1, PS_M_TRAN_R), ==, 10);
    g_assert_cmpfloat(profile_metric(profile, 1, PS_M_TRAN_W), ==, 0);
    g_assert_cmpfloat(profile_metric(profile, 2, PS_M_TRAN_R), ==, 64);
    g_assert_cmpfloat(profile_metric(profile, 2, PS_M_TRAN_W), ==, 32);
}

static void add_counter(GString *text, const char *name, guint value)
{
    g_string_append_printf(text, "\"0\",\"7\",\"f\",\"%s\",\"%s\",\"%u\"\n", name,
                           strstr(name, "bytes")     ? "byte"
                           : strstr(name, "sectors") ? "sector"
                                                     : "inst",
                           value);
}

typedef struct {
    const char *name;
    guint value;
} Counted;

/* What is found where these are counted; NULL names: nothing of that way. */
static void check_traffic(const Counted *reads, const Counted *writes, gboolean total)
{
    g_autoptr(GString) text = g_string_new(LONG);
    if (reads->name)
        add_counter(text, reads->name, reads->value);
    if (writes->name)
        add_counter(text, writes->name, writes->value);
    if (total)
        add_counter(text, "dram__bytes.sum", 160);
    g_test_message("%s", text->str);
    g_autoptr(PsProfile) profile = profile_text(text->str, NULL);
    const double read = profile_metric(profile, 0, PS_M_TRAN_R);
    const double written = profile_metric(profile, 0, PS_M_TRAN_W);
    const gboolean both = total && (reads->name || writes->name);
    if (total)
        g_assert_cmpfloat(read + written, ==, 160);
    if (reads->name || both)
        g_assert_cmpfloat(read, ==, 96);
    if (writes->name || both)
        g_assert_cmpfloat(written, ==, 64);
    g_assert_true(reads->name || total || isnan(read));
    g_assert_true(writes->name || total || isnan(written));
}

/* The launch reads 96 bytes and writes 64, by whichever counters tell it, in bytes or in
 * sectors, with or without the total: where both ways follow, they are these; where only the total
 * is there, that is all. */
static void test_ncu_traffic_counters(void)
{
    static const Counted reads[] = {{NULL, 0},
                                    {"dram__bytes_read.sum", 96},
                                    {"dram__bytes_op_read.sum", 96},
                                    {"dram__sectors_read.sum", 3},
                                    {"dram__sectors_op_read.sum", 3}};
    static const Counted writes[] = {{NULL, 0},
                                     {"dram__bytes_write.sum", 64},
                                     {"dram__bytes_op_write.sum", 64},
                                     {"dram__sectors_write.sum", 2},
                                     {"dram__sectors_op_write.sum", 2}};
    for (guint r = 0; r < G_N_ELEMENTS(reads); r++)
        for (guint w = 0; w < G_N_ELEMENTS(writes); w++)
            for (guint total = r + w == 0; total < 2; total++)
                check_traffic(&reads[r], &writes[w], total != 0);
}

/* The first of two values counts, and a warning names both. */
static void test_conflicts(void)
{
    g_autoptr(PsProfile) profile = profile_text(
        LONG ROW("0", "7", "f", READ, "byte", "1,000") ROW("0", "7", "f", READ, "byte", "1,000")
            ROW("0", "7", "f", READ, "byte", "1,001") ROW("0", "7", "f", READ, "byte", "7"),
        NULL);
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_TRAN_R), ==, 1000);
    g_assert_true(profile_warns(profile,
                                "line 4: " READ
                                " is 1001 here, and 1000 above in the same launch, which "
                                "counts",
                                "; 1 more such"));
}

/* ---- what is missing ----------------------------------------------------------------------- */

static void test_missing_values(void)
{
    g_autoptr(PsProfile) profile = profile_text(LONG ROW("0", "7", "f", FP32, "inst", "1")
                                                    ROW("0", "7", "f", READ, "byte", "n/a")
                                                        ROW("1", "7", "f", READ, "byte", "5"),
                                                NULL);
    g_assert_true(isnan(profile_metric(profile, 0, PS_M_FP32)));
    g_assert_true(isnan(profile_metric(profile, 0, PS_M_TRAN_R)));
    g_assert_true(
        profile_warns(profile, "M_fp32 (" FP32 " is there for 1 of 2 launches)", "E_mix"));
    g_assert_true(profile_warns(profile, "M_tran-r (" READ " has no value in line 3)", "W_traf"));
}

/* Instructions of tensor cores whose operations nobody counted: they may be most of the kernel. */
static void test_missing_operations(void)
{
    g_autoptr(PsProfile) tensor =
        profile_text(LONG ROW("0", "7", "f", "sm__inst_executed_pipe_tensor.sum", "inst", "9")
                         ROW("0", "7", "f", FP32, "inst", "5"),
                     NULL);
    g_assert_true(profile_warns(tensor, "M_ops-tensor", "") &&
                  profile_warns(tensor, "--metrics", "sm__ops_path_tensor_src_fp16_dst_fp32.sum"));
    g_assert_false(profile_warns(tensor, "src_int4", ""));
    g_autoptr(PsProfile) small = profile_text(
        LONG ROW("0", "7", "f", "sm__ops_path_tensor_src_fp8_dst_fp32.sum", "", "8")
            ROW("0", "7", "f", "sm__ops_path_tensor_src_fp4_fp6_dst_fp32.sum", "", "6"),
        NULL);
    g_assert_cmpfloat(profile_metric(small, 0, PS_M_OPS_TENSOR), ==, 14);
    g_autoptr(PsProfile) none =
        profile_text(LONG ROW("0", "7", "f", "sm__inst_executed_pipe_tensor.sum", "inst", "0")
                         ROW("0", "7", "f", FP32, "inst", "5"),
                     NULL);
    g_assert_false(profile_warns(none, "M_ops-tensor", ""));
    g_autoptr(PsProfile) half = profile_text(
        LONG ROW("0", "7", "f", "smsp__sass_thread_inst_executed_op_fp16_pred_on.sum", "inst", "9"),
        NULL);
    g_assert_true(
        profile_warns(half, "M_ops16", "") &&
        profile_warns(half, "--metrics", "smsp__sass_thread_inst_executed_op_hfma_pred_on.sum"));
}

/* Operations of tensor cores are told by type, as far as the counters do. */
static void test_ncu_products(void)
{
    g_autoptr(PsProfile) profile = profile_text(
        LONG ROW("0", "7", "f", "sm__ops_path_tensor_src_int8.sum", "", "8")
            ROW("0", "7", "f", "sm__ops_path_tensor_src_fp16_dst_fp32.sum", "", "6")
                ROW("0", "7", "f", "sm__ops_path_tensor_src_fp4_fp6_dst_fp32.sum", "", "5"),
        NULL);
    const PsProfileKernel *kernel = profile->kernels->pdata[0];
    const double *products = kernel->metrics.products;
    g_assert_cmpfloat(products[PS_PRODUCT_S8], ==, 8);
    g_assert_cmpfloat(products[PS_PRODUCT_F16_F32], ==, 6);
    g_assert_cmpfloat(products[PS_PRODUCT_F16_F16], ==, 0);
    g_assert_cmpfloat(kernel->metrics.value[PS_M_OPS_TENSOR], ==, 19);
}

/* Kernels that lack the same share a warning, others have their own. */
static void test_missing_of_several(void)
{
    g_autoptr(PsProfile) same = profile_text(
        LONG ROW("0", "7", "f", READ, "byte", "1") ROW("1", "7", "g", READ, "byte", "1"), NULL);
    g_assert_cmpuint(profile_count_warnings(same), ==, 4);
    g_assert_false(profile_warns(same, "kernel '", ""));
    g_autoptr(PsProfile) other = profile_text(
        LONG ROW("0", "7", "f", READ, "byte", "1") ROW("1", "7", "g", FP32, "inst", "1"), NULL);
    g_assert_cmpuint(profile_count_warnings(other), ==, 8);
    g_assert_true(profile_warns(other, "kernel 'f': M_tran-w is missing", ""));
    g_assert_true(profile_warns(other, "kernel 'g': M_tran-r, M_tran-w are missing", ""));
}

/* ---- streaming ----------------------------------------------------------------------------- */

typedef struct {
    guint n, stop;
    double bytes;
} Taken;

static gboolean take(void *self, const PsProfileKernel *kernel, GError **error)
{
    Taken *taken = self;
    taken->n++;
    taken->bytes += kernel->metrics.value[PS_M_TRAN_R];
    if (taken->n != taken->stop)
        return TRUE;
    g_set_error_literal(error, PS_ERROR, PS_ERROR_LIMIT, "enough");
    return FALSE;
}

static void test_each(void)
{
    g_autoptr(GString) text = g_string_new(LONG);
    for (guint i = 0; i < 20000; i++)
        g_string_append_printf(text, "\"%u\",\"7\",\"k%u\",\"" READ "\",\"byte\",\"%u\"\n", i,
                               i % 3, i + 1);
    Taken taken = {0};
    PsProfileOptions options = {.apart = TRUE, .each = take, .self = &taken};
    g_autoptr(PsProfile) apart = profile_text(text->str, &options);
    g_assert_cmpuint(apart->kernels->len, ==, 0);
    g_assert_cmpuint(taken.n, ==, 20000);
    g_assert_cmpfloat(taken.bytes, ==, 20001 * 10000.0);

    taken = (Taken){0};
    options.apart = FALSE;
    g_autoptr(PsProfile) together = profile_text(text->str, &options);
    g_assert_cmpuint(together->kernels->len, ==, 0);
    g_assert_cmpuint(taken.n, ==, 3);
    g_assert_cmpfloat(taken.bytes, ==, 20001 * 10000.0);

    g_autoptr(GError) error = NULL;
    taken = (Taken){.stop = 2};
    options.apart = TRUE;
    g_assert_null(profile_bytes(text->str, text->len, &options, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_LIMIT);
    g_assert_cmpuint(taken.n, ==, 2);
}

/* Under a European locale: what only that can have written tells how to read the rest; several
 * numbers with a point before three digits are thousands, one may be either. */
static void test_ncu_locale(void)
{
    g_autoptr(PsProfile) sure = profile_text(LONG ROW("0", "7", "f", TIME, "ns", "117.344")
                                                 ROW("0", "7", "f", READ, "byte", "27.595.520"),
                                             NULL);
    profile_near(profile_kernel(sure, 0)->seconds, 117344e-9);
    g_assert_cmpfloat(profile_metric(sure, 0, PS_M_TRAN_R), ==, 27595520);
    g_assert_true(profile_warns(sure, "comma before decimals", "as '27.595.520' is"));
    g_autoptr(PsProfile) likely = profile_text(LONG ROW("0", "7", "f", TIME, "ns", "117.344")
                                                   ROW("0", "7", "f", READ, "byte", "1.024")
                                                       ROW("1", "7", "f", TIME, "ns", "117.408"),
                                               NULL);
    profile_near(profile_kernel(likely, 0)->seconds, 234752e-9);
    g_assert_true(profile_warns(likely, "comma before decimals", "as '117.344' is"));
    g_autoptr(PsProfile) usual = profile_text(LONG ROW("0", "7", "f", TIME, "us", "117.344")
                                                  ROW("0", "7", "f", READ, "byte", "1,024")
                                                      ROW("0", "7", "f", "x", "%", "4.5"),
                                              NULL);
    profile_near(profile_kernel(usual, 0)->seconds, 117.344e-6);
    g_assert_cmpfloat(profile_metric(usual, 0, PS_M_TRAN_R), ==, 1024);
    g_assert_false(profile_warns(usual, "decimals", ""));
    profile_bad(LONG ROW("0", "7", "f", TIME, "us", "117.344"),
                "F:1: below this header '117.344' may be a number of thousands or have decimals, "
                "and no other number tells; export it anew with LC_ALL=C before the profiler");
    profile_bad(LONG ROW("0", "7", "f", TIME, "us", "1.234,5")
                    ROW("0", "7", "f", READ, "byte", "1.5"),
                "F:1: below this header '1.234,5' has a comma before decimals and '1.5' a point, "
                "and numbers of one table are written in one way; export it anew with LC_ALL=C "
                "before the profiler");
}

/* Other languages have blanks of several kinds or apostrophes between thousands; a number has one
 * of them, and groups of three digits. */
static void test_ncu_groups(void)
{
    static const char *const groups[] = {" ", "\u00A0", "\u202F", "\u2009", "'", "\u2019"};
    for (guint i = 0; i < G_N_ELEMENTS(groups); i++)
        for (guint comma = 0; comma < 2; comma++) {
            g_autofree char *text =
                g_strdup_printf(LONG ROW("0", "7", "f", TIME, "us", "%s")
                                    ROW("0", "7", "f", READ, "byte", "27%s595%s520"),
                                comma ? "650,5" : "650.5", groups[i], groups[i]);
            g_autoptr(PsProfile) profile = profile_text(text, NULL);
            profile_near(profile_kernel(profile, 0)->seconds, 650.5e-6);
            g_assert_cmpfloat(profile_metric(profile, 0, PS_M_TRAN_R), ==, 27595520);
        }
    g_autoptr(PsProfile) one = profile_text(LONG ROW("0", "7", "f", TIME, "us", "1\u202F650,125")
                                                ROW("0", "7", "f", READ, "byte", "1\u202F024"),
                                            NULL);
    profile_near(profile_kernel(one, 0)->seconds, 1650.125e-6);
    profile_bad(LONG ROW("0", "7", "f", READ, "byte", "27 595'520"),
                "F:2:43: Metric Value: '27 595'520' is no number: digits go in threes "
                "between commas, and a point is before decimals");
    profile_bad(LONG ROW("0", "7", "f", READ, "byte", "27 59"),
                "F:2:43: Metric Value: '27 59' is no number");
}

/* The compute capability has a point everywhere, and tells nothing; nor does what stands in names,
 * or in the table of another machine that follows. */
static void test_ncu_locale_evidence(void)
{
#define WITH_CC "\"ID\",\"CC\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n"
#define CC_ROW(id, kernel, metric, unit, value)                                                    \
    "\"" id "\",\"8.6\",\"" kernel "\",\"" metric "\",\"" unit "\",\"" value "\"\n"
    static const char thousands[] = WITH_CC CC_ROW("0", "f", TIME, "ns", "117.344")
        CC_ROW("0", "f", READ, "byte", "1.024") CC_ROW("1", "f", TIME, "ns", "117.408");
    g_autoptr(PsProfile) likely = profile_text(thousands, NULL);
    profile_near(profile_kernel(likely, 0)->seconds, 234752e-9);
    g_assert_cmpuint(profile_kernel(likely, 0)->capability, ==, 86);
    g_autofree char *two =
        g_strconcat(thousands, WITH_CC CC_ROW("0", "g", TIME, "us", "1.5"), NULL);
    g_autoptr(PsProfile) tables = profile_text(two, NULL);
    profile_near(profile_kernel(tables, 0)->seconds, 234752e-9);
    profile_near(profile_kernel(tables, 1)->seconds, 1.5e-6);
    g_autoptr(PsProfile) named =
        profile_text(WITH_CC CC_ROW("0", "f(\"\"1,5\"\")", TIME, "us", "1.5"), NULL);
    profile_near(profile_kernel(named, 0)->seconds, 1.5e-6);
    profile_bad(WITH_CC CC_ROW("0", "f", TIME, "us", "117.344"),
                "F:1: below this header '117.344' may be a number of thousands or have decimals, "
                "and no other number tells; export it anew with LC_ALL=C before the profiler");
}

/* Spreadsheets write semicolons or tabs, quote little, and have commas before decimals; commas
 * before just three digits alone tell nothing there. */
static void test_semicolons(void)
{
#define SEMICOLONS "ID;Process ID;Kernel Name;Metric Name;Metric Unit;Metric Value\n"
    g_autoptr(PsProfile) commas =
        profile_text(SEMICOLONS "0;7;\"f(int; int)\";" TIME ";us;650,5\n0;7;\"f(int; int)\";" READ
                                ";byte;1.024\n",
                     NULL);
    g_assert_cmpstr(profile_kernel(commas, 0)->name, ==, "f(int; int)");
    profile_near(profile_kernel(commas, 0)->seconds, 650.5e-6);
    g_assert_cmpfloat(profile_metric(commas, 0, PS_M_TRAN_R), ==, 1024);
    g_autoptr(PsProfile) points =
        profile_text(SEMICOLONS "0;7;f;" TIME ";us;650.5\n0;7;f;" READ ";byte;1,024\n", NULL);
    profile_near(profile_kernel(points, 0)->seconds, 650.5e-6);
    g_assert_cmpfloat(profile_metric(points, 0, PS_M_TRAN_R), ==, 1024);
    g_autoptr(PsProfile) whole = profile_text(SEMICOLONS "0;7;f;" TIME ";us;650\n", NULL);
    profile_near(profile_kernel(whole, 0)->seconds, 650e-6);
    profile_bad(SEMICOLONS "0;7;f;" TIME ";us;117,344\n",
                "F:1: below this header '117,344' may be a number of thousands or have decimals, "
                "and no other number tells; export it anew with LC_ALL=C before the profiler");
    g_autoptr(PsProfile) tabs =
        profile_text("ID\tKernel Name\tMetric Name\tMetric Unit\tMetric Value\n0\t\"f(int)\"\t" TIME
                     "\tus\t650,5\n0\t\"f(int)\"\t" READ "\tbyte\t1.024\n",
                     NULL);
    profile_near(profile_kernel(tabs, 0)->seconds, 650.5e-6);
    g_assert_cmpfloat(profile_metric(tabs, 0, PS_M_TRAN_R), ==, 1024);
    g_autoptr(PsProfile) nsys = profile_text("Time (%);Total Time (ns);Instances;Avg (ns);Name\n"
                                             "100,0;24.000;2;12.000,0;f(int)\n",
                                             NULL);
    profile_near(profile_kernel(nsys, 0)->seconds, 24e-6);
}

/* A kernel's name is cut off in warnings behind 80 letters. */
static void test_long_name(void)
{
    g_autofree char *longest = g_strnfill(80, 'k'), *longer = g_strnfill(81, 'l');
    g_autofree char *cut = g_strdup_printf("kernel '%.80s...': ", longer);
    g_autofree char *whole = g_strdup_printf("kernel '%s': ", longest);
    g_autoptr(GString) text = g_string_new(LONG);
    const char *const names[] = {longest, longer};
    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *rows =
            g_strdup(i ? ROW("1", "7", "NAME", FP32, "inst", "0")
                             ROW("1", "7", "NAME", "smsp__inst_executed.sum", "inst", "0")
                       : ROW("0", "7", "NAME", FP32, "inst", "0")
                             ROW("0", "7", "NAME", "smsp__inst_executed.sum", "inst", "0"));
        g_auto(GStrv) parts = g_strsplit(rows, "NAME", 0);
        g_autofree char *named = g_strjoinv(names[i], parts);
        g_string_append(text, named);
    }
    g_autoptr(PsProfile) profile = profile_text(text->str, NULL);
    g_assert_true(profile_warns(profile, whole, "were not counted"));
    g_assert_true(profile_warns(profile, cut, "were not counted"));
}

/* A kernel that ran has executed an instruction, so that 0 of all that was counted was not counted.
 */
static void test_uncounted(void)
{
    static const PsMetric missing[] = {PS_M_FP32, PS_M_INST, PS_M_TRAN_R};
    g_autoptr(PsProfile) none =
        profile_text(LONG ROW("0", "7", "f", TIME, "us", "2") ROW("0", "7", "f", READ, "byte", "0")
                         ROW("0", "7", "f", FP32, "inst", "0")
                             ROW("0", "7", "f", "smsp__inst_executed.sum", "inst", "0"),
                     NULL);
    for (guint i = 0; i < G_N_ELEMENTS(missing); i++)
        g_assert_true(isnan(profile_metric(none, 0, missing[i])));
    profile_near(profile_kernel(none, 0)->seconds, 2e-6);
    g_assert_true(profile_warns(none, "were not counted", ""));
    g_assert_false(profile_warns(none, "durations and no metrics", ""));
    /* Instructions alone were not counted. */
    g_autoptr(PsProfile) bytes = profile_text(
        LONG ROW("0", "7", "f", READ, "byte", "32") ROW("0", "7", "f", FP32, "inst", "0")
            ROW("0", "7", "f", "smsp__inst_executed.sum", "inst", "0"),
        NULL);
    g_assert_true(isnan(profile_metric(bytes, 0, PS_M_FP32)));
    g_assert_cmpfloat(profile_metric(bytes, 0, PS_M_TRAN_R), ==, 32);
    /* No single precision, no bytes: both were counted. */
    g_autoptr(PsProfile) some = profile_text(
        LONG ROW("0", "7", "f", READ, "byte", "0") ROW("0", "7", "f", FP32, "inst", "0")
            ROW("0", "7", "f", "smsp__inst_executed.sum", "inst", "1"),
        NULL);
    g_assert_cmpfloat(profile_metric(some, 0, PS_M_FP32), ==, 0);
    g_assert_cmpfloat(profile_metric(some, 0, PS_M_TRAN_R), ==, 0);
    g_assert_false(profile_warns(some, "were not counted", ""));
}

/* Durations go to the kernel of that name, however either profiler writes it. */
static void test_join_spellings(void)
{
    g_autoptr(PsProfile) counts =
        profile_text(LONG ROW("0", "7", "void f<float, (int)8>(T1 *)", READ, "byte", "32")
                         ROW("1", "7", "f<float, 4>(float*)", READ, "byte", "32"),
                     NULL);
    g_autoptr(PsProfile) times = profile_text("Name,Instances,Total Time (ns)\n"
                                              "\"void f<float, 8>(float*) [clone .kd]\",1,7000\n",
                                              NULL);
    g_assert_cmpuint(ps_profile_join(counts, times), ==, 1);
    profile_near(profile_kernel(counts, 0)->seconds, 7e-6);
}

/* What each pipeline, and L2 for L1, was given, in warps, sectors and wavefronts; the compute
 * capability. */
static void test_ncu_pipelines(void)
{
    g_autoptr(PsProfile) profile = profile_text(
        LONG ROW("0", "7", "f", "sm__inst_executed_pipe_fma.sum", "inst", "10")
            ROW("0", "7", "f", "sm__inst_executed_pipe_xu.sum", "inst", "3")
                ROW("0", "7", "f", "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", "", "5")
                    ROW("0", "7", "f", "lts__t_sectors_srcunit_tex.sum", "sector", "7")
                        ROW("0", "7", "f", "lts__t_bytes.sum", "byte", "900"),
        NULL);
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_FMA_PIPE), ==, 320);
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_SPECIAL), ==, 96);
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_LOCAL), ==, 640);
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_L2), ==, 224);
    g_autoptr(PsProfile) summed = profile_text(
        LONG ROW("0", "7", "f", "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", "inst", "1")
            ROW("0", "7", "f", "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum", "inst", "2")
                ROW("0", "7", "f", "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", "inst",
                    "4"),
        NULL);
    g_assert_cmpfloat(profile_metric(summed, 0, PS_M_FMA_PIPE), ==, 7);
    static const struct {
        const char *text;
        guint capability;
    } capabilities[] = {{"8.6", 86},   {"12.0", 120}, {"8", 0},    {"8.10", 0}, {"0.9", 0},
                        {"99.9", 999}, {"100.1", 0},  {"8.6a", 0}, {"-8.6", 0}};
    for (guint i = 0; i < G_N_ELEMENTS(capabilities); i++) {
        g_autofree char *text = g_strdup_printf(
            "\"ID\",\"Kernel Name\",\"CC\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n"
            "\"0\",\"f\",\"%s\",\"smsp__inst_executed.sum\",\"inst\",\"5\"\n",
            capabilities[i].text);
        g_autoptr(PsProfile) one = profile_text(text, NULL);
        g_assert_cmpuint(profile_kernel(one, 0)->capability, ==, capabilities[i].capability);
    }
}

#define OP(name) "smsp__sass_thread_inst_executed_op_" name "_pred_on.sum"

/* Each counter counts with its own weight: of what it is counted in, so much is one. */
static void test_ncu_weights(void)
{
    static const struct {
        PsMetric metric;
        const char *names[3];
        guint values[3];
        double sum;
    } cases[] = {
        {PS_M_L2, {"lts__t_sectors_op_read.sum", "lts__t_sectors_op_write.sum"}, {3, 100}, 3296},
        {PS_M_L2, {"lts__t_sectors.sum"}, {7}, 224},
        {PS_M_L2, {"lts__t_bytes.sum"}, {900}, 900},
        {PS_M_L1, {"l1tex__t_bytes.sum"}, {96}, 96},
        {PS_M_L1, {"l1tex__t_sectors.sum"}, {3}, 96},
        {PS_M_L1,
         {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
          "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"},
         {3, 100},
         3296},
        {PS_M_FP16, {OP("fp16")}, {5}, 5},
        {PS_M_FP16, {OP("hadd"), OP("hmul"), OP("hfma")}, {1, 10, 100}, 111},
        {PS_M_OPS16, {OP("hadd"), OP("hmul"), OP("hfma")}, {1, 10, 100}, 422},
        {PS_M_FP32, {OP("fadd"), OP("fmul"), OP("ffma")}, {1, 10, 100}, 111},
        {PS_M_FP64, {OP("dadd"), OP("dmul"), OP("dfma")}, {1, 10, 100}, 111},
        {PS_M_FMA64, {OP("dfma")}, {9}, 9},
        {PS_M_INST, {"smsp__inst_executed.sum"}, {5}, 160},
        {PS_M_INST, {"smsp__thread_inst_executed.sum"}, {5}, 5},
        {PS_M_TENSOR, {"sm__inst_executed_pipe_tensor.sum"}, {5}, 160},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GString) text = g_string_new(LONG);
        for (guint k = 0; k < G_N_ELEMENTS(cases[i].names) && cases[i].names[k]; k++)
            add_counter(text, cases[i].names[k], cases[i].values[k]);
        g_autoptr(PsProfile) profile = profile_text(text->str, NULL);
        g_assert_cmpfloat(profile_metric(profile, 0, cases[i].metric), ==, cases[i].sum);
    }
}

/* Nsight Systems has durations, which it lends to the kernels of others. */
static void test_nsys(void)
{
    static const char *const files[] = {PROFILES "nsys-kern-sum.csv", PROFILES "nsys-trace.csv"};
    for (guint i = 0; i < G_N_ELEMENTS(files); i++) {
        g_autoptr(PsProfile) profile = profile_file(files[i], NULL);
        g_assert_cmpuint(profile ? profile->kernels->len : 0, ==, 2);
        g_assert_cmpstr(profile_kernel(profile, 0)->name, ==, "void f<int, 3>(int)");
        g_assert_cmpint(profile_kernel(profile, 0)->launches, ==, 2);
        profile_near(profile_kernel(profile, 0)->seconds, 8e-6);
        profile_near(profile_kernel(profile, 1)->seconds, 2e-6);
    }
    profile_bad("Time (%),Total Time (parsec),Instances,Name\n1,5,1,g\n",
                "F:2:3: Total Time (parsec): '5' is of the unit 'parsec', and its unit must be one "
                "of time, such as ns or usecond");
    profile_bad("Time (%),Total Time (ns),Instances,Name\n1,0,1,g\n",
                "F:2:3: Total Time (ns): '0' is no duration: a kernel takes more than 0");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/profile/ncu/long", test_ncu_long);
    g_test_add_func("/profile/ncu/wide", test_ncu_wide);
    g_test_add_func("/profile/ncu/summary", test_ncu_summary);
    g_test_add_func("/profile/ncu/launches", test_ncu_launches);
    g_test_add_func("/profile/ncu/forms", test_ncu_forms);
    g_test_add_func("/profile/ncu/versions", test_ncu_versions);
    g_test_add_func("/profile/ncu/traffic", test_ncu_traffic);
    g_test_add_func("/profile/ncu/products", test_ncu_products);
    g_test_add_func("/profile/ncu/traffic-counters", test_ncu_traffic_counters);
    g_test_add_func("/profile/ncu/weights", test_ncu_weights);
    g_test_add_func("/profile/conflicts", test_conflicts);
    g_test_add_func("/profile/missing/values", test_missing_values);
    g_test_add_func("/profile/missing/operations", test_missing_operations);
    g_test_add_func("/profile/missing/of-several", test_missing_of_several);
    g_test_add_func("/profile/each", test_each);
    g_test_add_func("/profile/ncu/locale", test_ncu_locale);
    g_test_add_func("/profile/ncu/locale-evidence", test_ncu_locale_evidence);
    g_test_add_func("/profile/ncu/groups", test_ncu_groups);
    g_test_add_func("/profile/ncu/semicolons", test_semicolons);
    g_test_add_func("/profile/ncu/uncounted", test_uncounted);
    g_test_add_func("/profile/ncu/long-name", test_long_name);
    g_test_add_func("/profile/ncu/join-spellings", test_join_spellings);
    g_test_add_func("/profile/ncu/pipelines", test_ncu_pipelines);
    g_test_add_func("/profile/nsys", test_nsys);
    return g_test_run();
}
