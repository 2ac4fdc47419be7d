/* SPDX-License-Identifier: BSD-3-Clause */
/* What the log of a device tells: copies, launches, a trace of both; and how long copies take. */
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
    g_test_add_func("/card-log/trace", test_trace);
    g_test_add_func("/card-log/copies", test_copies);
    return g_test_run();
}
