/* SPDX-License-Identifier: BSD-3-Clause */
/* What the log of a device tells: copies, launches, a trace of both; and how long copies take. */
#include "card/bound.h"
#include "card/copy.h"
#include "card/summary.h"
#include "card/trace.h"

#include <math.h>
#include <string.h>

static void test_log(void)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PsCardRead) read = ps_card_log_read(
        "start\ncopy\tin\t10\t0\t1\t2\ncopy\tin\t20\t1\t3\tnan\ncopy\tin\t5\t0\t3\t2.5\n"
        "note\tx\nnote\tx\n"
        "launch\tf\t1\t2\t3\t4\t5\t6\t7\t8\tnan\tunknown\t\tsm_80\t9\t4\t12\t\ngraph\t12\t<a>\\n</"
        "a>\nlaunch\tf\t1",
        &error);
    g_assert_no_error(error);
    g_assert_true(read->started);
    PsCardCopies copies[PS_CARD_SET + 1];
    ps_card_copies(read, copies);
    g_assert_cmpuint(copies[PS_CARD_TO_DEVICE].count, ==, 3);
    g_assert_cmpuint(copies[PS_CARD_TO_DEVICE].bytes, ==, 35);
    g_assert_cmpfloat(copies[PS_CARD_TO_DEVICE].seconds, ==, 4.5);
    g_assert_true(isnan(copies[PS_CARD_SET].seconds));
    g_assert_cmpfloat(ps_card_end(read), ==, 5.5);
    g_assert_cmpuint(read->notes->len, ==, 1);
    g_assert_cmpuint(read->launches->len, ==, 1); /* the last line is cut */
    const PsCardLaunched *launch = &g_array_index(read->launches, PsCardLaunched, 0);
    g_assert_cmpuint(launch->block[2], ==, 6);
    g_assert_cmpuint(launch->shared, ==, 8);
    g_assert_true(isnan(launch->seconds));
    g_assert_null(launch->limit);
    g_assert_cmpstr(launch->code, ==, "sm_80");
    g_assert_cmpstr(g_hash_table_lookup(read->graphs, &launch->graph), ==, "<a>\n</a>");
    PsCardRow all;
    g_autoptr(GArray) rows = ps_card_summary(read, &all);
    g_assert_cmpuint(rows->len, ==, 1);
    g_assert_true(isnan(all.total) && isnan(all.mean) && isnan(all.share));
    static const char *const bad[] = {"stop\n",
                                      "copy\tup\t1\t0\t0\t0\n",
                                      "copy\tin\t-1\t0\t0\t0\n",
                                      "copy\tin\t1\t0\t-1\t0\n",
                                      "copy\tin\t1\t0\tnan\t0\n",
                                      "copy\tin\t1\t0\t0\tinf\n",
                                      "launch\tf\t1\n",
                                      "graph\tx\t\n",
                                      "note\n"};
    for (guint i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_clear_error(&error);
        g_assert_null(ps_card_log_read(bad[i], &error));
        g_assert_error(error, PS_ERROR, PS_ERROR_SYNTAX);
    }
}

/* Launches of another library's stand-in say so, and their bounds' mean is told; not where one of
 * them is not known. */
static void test_stand_in(void)
{
    static const char launches[] =
        "launch\tf\t1\t1\t1\t1\t1\t1\t0\t0\t4\tsimulated\t\tsm_80\t9\t0\t0\t\tcuBLAS\t1\n"
        "launch\tf\t1\t1\t1\t1\t1\t1\t0\t0\t6\tsimulated\t\tsm_80\t9\t4\t0\t\tcuBLAS\t3\n"
        "launch\tg\t1\t1\t1\t1\t1\t1\t0\t0\t1\tsimulated\t\tsm_80\t9\t9\t0\t\n"
        "launch\th\t1\t1\t1\t1\t1\t1\t0\t0\t0\tsimulated\t\tsm_80\t9\t9\t0\t\tcuBLAS\tnan\n";
    g_autoptr(GError) error = NULL;
    g_autoptr(PsCardRead) read = ps_card_log_read(launches, &error);
    PsCardRow all;
    g_assert_no_error(error);
    g_autoptr(GArray) rows = ps_card_summary(read, &all);
    const PsCardRow *f = &g_array_index(rows, PsCardRow, 0), *g = f + 1, *h = f + 2;
    g_assert_cmpstr(f->stand_in, ==, "cuBLAS");
    g_assert_cmpfloat(f->bound, ==, 2);
    g_assert_cmpfloat(f->mean, ==, 5);
    g_assert_null(g->stand_in);
    g_assert_cmpstr(h->stand_in, ==, "cuBLAS");
    g_assert_true(isnan(h->bound) && isnan(g->bound));
    g_assert_null(all.stand_in);
    g_autoptr(PsCardLog) log = ps_card_log_keep(FALSE);
    for (guint i = 0; i < read->launches->len; i++)
        ps_card_log_launch(log, &g_array_index(read->launches, PsCardLaunched, i));
    g_assert_cmpstr(ps_card_log_text(log), ==, launches);
    g_assert_null(ps_card_log_read("launch\tf\t1\t1\t1\t1\t1\t1\t0\t0\t4\tsimulated\t\tsm_80\t9\t0"
                                   "\t0\t\tcuBLAS\t-1\n",
                                   NULL));
}

static void check_bound(const PsGpu *gpu, PsCardStandIn what, double seconds)
{
    g_assert_cmpfloat_with_epsilon(ps_card_bound(gpu, &what) / seconds, 1, 0.001);
}

/* By the peaks of the A100's data sheet: singles 19.5 and halves on tensor cores 312 TFLOP/s;
 * device memory 1555 GB/s, of which results need nothing that L2 (40 MiB) may hold. */
static void test_bound(void)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PsGpu) gpu = ps_gpu_load("gpus/a100.xml", &error);
    g_autoptr(PsGpu) other = ps_gpu_load("gpus/pascal.xml", &error);
    g_assert_no_error(error);
    PsCardStandIn what = {.operations = 19.49e12, .units = PS_T_SP, .products = PS_N_PRODUCTS};
    check_bound(gpu, what, 1);
    what.products = PS_PRODUCT_F16_F32;
    what.operations = 311.9e12;
    check_bound(gpu, what, 1);
    what = (PsCardStandIn){.products = PS_N_PRODUCTS, .read = 1555e9, .written = 40 << 20};
    check_bound(gpu, what, 1);
    what.written = 1555e9 + (40 << 20);
    check_bound(gpu, what, 2);
    what.products = PS_PRODUCT_BF16; /* which Pascal does not have: its other units would do it */
    what.units = PS_T_HP;
    what.operations = 1e20;
    g_assert_true(isnan(ps_card_bound(other, &what)) || ps_card_bound(other, &what) > 1e5);
}

static void check_trace(const PsCardRead *read, const char *wanted)
{
    g_autofree char *trace = ps_card_trace(read, "A100");
    const char *begin = strstr(trace, "host\"}},\n");
    g_assert_nonnull(begin);
    g_assert_cmpstr(begin + strlen("host\"}},\n"), ==, wanted);
}

/* What begins before the last of its stream is done has a track of its own, and what has no time is
 * an instant. */
static void test_trace(void)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PsCardRead) read = ps_card_log_read(
        "start\ncopy\tout\t10\t0\t0\t0.5\n"
        "launch\tf\t1\t2\t3\t4\t5\t6\t7\t8\t0.000002\tsimulated\tlatency\tsm_80\t9\t0.5\t0\t\n"
        "launch\tg\t1\t1\t1\t1\t1\t1\t7\t0\t0.001\tsimulated\t\tsm_80\t9\t0.500001\t0\t\n"
        "launch\th\t1\t1\t1\t1\t1\t1\t7\t0\tnan\tunknown\t\t\t9\t0.500002\t0\t\n",
        &error);
    g_assert_no_error(error);
    check_trace(
        read,
        "{\"ph\": \"M\", \"pid\": 2, \"tid\": 10, \"name\": \"thread_name\", \"args\": {\"name\": "
        "\"to host\"}},\n"
        "{\"ph\": \"X\", \"ts\": 0.000, \"dur\": 500000.000, \"pid\": 2, \"tid\": 10, \"name\": "
        "\"copy\", \"cat\": \"copy\", \"args\": {\"bytes\": 10}},\n"
        "{\"ph\": \"M\", \"pid\": 1, \"tid\": 11, \"name\": \"thread_name\", \"args\": {\"name\": "
        "\"stream 7\"}},\n"
        "{\"ph\": \"X\", \"ts\": 500000.000, \"dur\": 2.000, \"pid\": 1, \"tid\": 11, \"name\": "
        "\"f\", \"cat\": \"launch\", \"args\": {\"grid\": \"1x2x3\", \"block\": \"4x5x6\", "
        "\"instructions\": 9, \"limit\": \"latency\", \"code\": \"sm_80\"}},\n"
        "{\"ph\": \"M\", \"pid\": 1, \"tid\": 12, \"name\": \"thread_name\", \"args\": {\"name\": "
        "\"stream 7, beside it\"}},\n"
        "{\"ph\": \"X\", \"ts\": 500001.000, \"dur\": 1000.000, \"pid\": 1, \"tid\": 12, \"name\": "
        "\"g\", \"cat\": \"launch\", \"args\": {\"grid\": \"1x1x1\", \"block\": \"1x1x1\", "
        "\"instructions\": 9, \"limit\": null, \"code\": \"sm_80\"}},\n"
        "{\"ph\": \"i\", \"ts\": 500002.000, \"pid\": 1, \"tid\": 11, \"name\": \"h\", \"cat\": "
        "\"launch\", \"args\": {\"grid\": \"1x1x1\", \"block\": \"1x1x1\", \"instructions\": 9, "
        "\"limit\": null, \"code\": null}}\n]\n");
}

static void test_copies(void)
{
    g_autoptr(PsGpu) gpu = ps_gpu_new("copies");
    g_assert_true(isnan(ps_card_copy_seconds(gpu, PS_CARD_TO_DEVICE, 1)));
    g_assert_true(isnan(ps_card_copy_seconds(gpu, PS_CARD_WITHIN, 1)));
    gpu->host.stated = TRUE;
    gpu->host.to_device = PS_RATIONAL_INT(10);
    gpu->host.to_host = PS_RATIONAL_INT(20);
    gpu->host.latency = PS_RATIONAL_INT(2);
    gpu->overheads.kernel_launch = PS_RATIONAL_INT(3);
    PsMemoryLevel *device = ps_gpu_add_level(gpu, PS_LEVEL_DEVICE);
    device->bandwidth = PS_RATIONAL_INT(100);
    device->mixed = PS_RATIONAL_INT(50);
    const guint64 bytes = 1000000;
    static const double microseconds[] = {2 + 100, 2 + 50, 3 + 40, 3 + 10};
    for (guint way = 0; way <= PS_CARD_SET; way++)
        g_assert_cmpfloat_with_epsilon(ps_card_copy_seconds(gpu, way, bytes),
                                       microseconds[way] * 1e-6, 1e-12);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/card-log/log", test_log);
    g_test_add_func("/card-log/stand-in", test_stand_in);
    g_test_add_func("/card-log/bound", test_bound);
    g_test_add_func("/card-log/trace", test_trace);
    g_test_add_func("/card-log/copies", test_copies);
    return g_test_run();
}
