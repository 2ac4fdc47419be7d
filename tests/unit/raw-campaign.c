/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Another campaign's measurements, which are read as raw files are.
 */
#include "tests/help/raw.h"

#include <math.h>
#include <string.h>

#define CAMPAIGN "tests/measurements/measurements.csv"

/* Whether the class has that point. */
static void check_point(const PsRaw *raw, const char *klass, PsHullPoint expected)
{
    g_autoptr(GArray) points = ps_raw_hull(raw, klass);
    for (guint i = 0; i < points->len; i++) {
        const PsHullPoint *point = &g_array_index(points, PsHullPoint, i);
        if (point->warps == expected.warps && point->ilp == expected.ilp &&
            fabs(point->cycles - expected.cycles) < 1e-9)
            return;
    }
    g_test_message("%s lacks %d warps, ilp %d: %g", klass, (int)expected.warps, (int)expected.ilp,
                   expected.cycles);
    g_test_fail();
}

static void test_campaign(void)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PsRaw) raw = ps_raw_load(CAMPAIGN, &error);
    g_assert_no_error(error);
    g_assert_cmpstr(raw->info.name, ==, "Synthetic GPU");
    g_assert_cmpstr(raw->info.architecture, ==, "sm_90");
    g_assert_cmpstr(raw->info.driver, ==, "550.00, CUDA 12.4");
    g_assert_cmpint(raw->info.compute_units, ==, 100);
    g_assert_cmpint(raw->info.limits.warps, ==, 64);
    g_assert_cmpint(raw->info.schedulers, ==, 4);
    g_assert_false(raw->cut_off);
    check_point(raw, "fadd", (PsHullPoint){1, 1, 4});
    check_point(raw, "fadd", (PsHullPoint){32, 1, 8});
    check_point(raw, "fadd", (PsHullPoint){64, 1, 16});
    check_point(raw, "fadd", (PsHullPoint){64, 2, 32});
    check_point(raw, "conversion", (PsHullPoint){1, 1, 12});
    check_point(raw, "fmadd", (PsHullPoint){1, 1, 4});
    check_point(raw, "cos", (PsHullPoint){1, 2, 22});
    check_point(raw, "local.load", (PsHullPoint){1, 1, 24});
    check_point(raw, "local.load", (PsHullPoint){32, 1, 1024}); /* of degree 32 */
    check_point(raw, "global.load", (PsHullPoint){1, 1, 600});
    check_point(raw, "loop", (PsHullPoint){1, 1, 20});
    /* An addition of 4 cycles is in the pair where it waits, and not where the pipeline is full. */
    check_point(raw, "rcp", (PsHullPoint){1, 1, 30});
    check_point(raw, "rcp", (PsHullPoint){64, 4, 512});
    const PsRawRow *row = raw->rows->pdata[0];
    g_assert_cmpfloat(row->sample.mhz, ==, 1700);
}

static const struct {
    const char *text, *message;
} campaigns[] = {
    {"kernel,saxpy,n=1,median_ms,1\n",
     ": does not say which GPU was measured: a row 'device,NAME,compute_units=...' is missing"},
    {"device,A,cc=9.0,mhz,1\n", ":1:10: compute_units: '' is missing"},
    {"chain,fadd,ilp=1,cycles_per_op_of_one_warp,4\n", ":1:12: warps: '' is missing"},
    {"chain,fadd,warps=0;ilp=1,cycles_per_op_of_one_warp,4\n",
     ":1:12: warps: '0' is no integer from 1 to 1125899906842624"},
    {"chain,fadd,warps=1;ilp=1,cycles_per_op_of_one_warp,4x\n",
     ":1:52: cycles_per_op_of_one_warp: '4x' is no number"},
    {"kernel,pattern,matrix=A;block=8,median_ms,1\n",
     ":1:1: the row of the device must come before those of the section pattern"},
    {"a,b,c,d,e\na,b,c\n",
     ":2:1: this is neither a raw file of pipesim, whose first line begins with 'record,', nor a "
     "campaign's measurements, whose rows are 'section,name,key=value;...,metric,value'"},
};

static void test_campaign_errors(void)
{
    char *path = bench_path();
    for (guint i = 0; i < G_N_ELEMENTS(campaigns); i++) {
        g_autoptr(GError) error = NULL;
        raw_set_contents(path, campaigns[i].text, -1);
        g_assert_null(ps_raw_load(path, &error));
        g_assert_cmpstr(error ? error->message + strlen(path) : "", ==, campaigns[i].message);
    }
    bench_path_free(path);
}

#define DEVICE                                                                                     \
    "device,A,compute_units=%d;cc=9.0;l2_bytes=1;local_bytes_per_cu=1;registers_per_cu=1;"         \
    "threads_per_cu=2048;driver=12040;runtime=12040,mhz,1000\n"

/* mmul's accesses: 128 * 128 groups on 100 CUs, that is 164 on the fullest, 4 at a time, of which
 * each loads 128 times: 41 * 128 links of 1 microsecond, and a launch of 2. */
static void test_campaign_pattern(void)
{
    static const char text[] =
        "kernel,empty,block=64;groups=1;mhz=1000,median_ms,0.002\n"
        "kernel,empty,block=64;groups=132;mhz=1000,median_ms,0.5\n"
        "kernel,pattern,matrix=A;block=8;active=4;warps=8;loads_per_thread=128;mhz=1000,median_ms,"
        "5.25\n"
        "kernel,pattern,matrix=A;block=8;active=4;warps=8;loads_per_thread=128;mhz=1000,min_ms,1\n"
        "kernel,pattern,matrix=B;block=16;active=8;warps=64;loads_per_thread=64;mhz=2000,median_ms,"
        "0.002\n";
    g_autofree char *whole = g_strdup_printf(DEVICE "%s", 100, text);
    char *path = bench_path();
    g_autoptr(GError) error = NULL;
    raw_set_contents(path, whole, -1);
    g_autoptr(PsRaw) raw = ps_raw_load(path, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(raw->rows->len, ==, 4);
    check_point(raw, "global.load.A.8x8", (PsHullPoint){8, 1, 1000});
    g_assert_cmpstr(((PsRawRow *)raw->rows->pdata[2])->problem, ==,
                    "the campaign has no figure here");
    bench_path_free(path);
}

static void test_campaign_pattern_errors(void)
{
    static const struct {
        const char *text, *message;
    } wrong[] = {
        {"matrix=C;block=8;active=4;warps=8;loads_per_thread=128;mhz=1",
         ":2:16: matrix: it is neither A nor B"},
        {"matrix=A;block=8;active=4;warps=9;loads_per_thread=128;mhz=1",
         ":2:16: these keys make no launch: active groups of block * block threads have other "
         "warps, or loads_per_thread is above 1048576"},
        {"matrix=A;block=64;active=1;warps=128;loads_per_thread=128;mhz=1",
         ":2:16: these keys make no launch: active groups of block * block threads have other "
         "warps, or loads_per_thread is above 1048576"},
        {"matrix=A;block=8;active=4;warps=8;mhz=1", ":2:16: loads_per_thread: '' is missing"},
    };
    char *path = bench_path();
    for (guint i = 0; i < G_N_ELEMENTS(wrong); i++) {
        g_autoptr(GError) error = NULL;
        g_autofree char *text =
            g_strdup_printf(DEVICE "kernel,pattern,%s,median_ms,5\n", 100, wrong[i].text);
        raw_set_contents(path, text, -1);
        g_assert_null(ps_raw_load(path, &error));
        g_assert_cmpstr(error ? error->message + strlen(path) : "", ==, wrong[i].message);
    }
    bench_path_free(path);
}

/* What is no figure, a figure that is there again, and a last row that was cut off. */
static void test_campaign_gaps(void)
{
    static const char text[] =
        "device,A,compute_units=2;cc=6.0;l2_bytes=1;local_bytes_per_cu=1;registers_per_cu=1;"
        "threads_per_cu=2048;driver=12040;runtime=12040,mhz,1000\n"
        "chain,fadd,warps=1;ilp=1,cycles_per_op_of_one_warp,-nan\n"
        "chain,fadd,warps=2;ilp=1,cycles_per_op_of_one_warp,4\n"
        "chain,fadd,warps=2;ilp=1,cycles_per_op_of_one_warp,5\n"
        "chain,fadd,warps=3;ilp=1,cycles_per_op_of_one_war";
    char *path = bench_path();
    g_autoptr(GError) error = NULL;
    raw_set_contents(path, text, -1);
    g_autoptr(PsRaw) raw = ps_raw_load(path, &error);
    g_assert_no_error(error);
    g_assert_true(raw->cut_off);
    g_assert_cmpuint(raw->rows->len, ==, 6);
    g_assert_cmpstr(((PsRawRow *)raw->rows->pdata[0])->problem, ==,
                    "the campaign has no figure here");
    g_assert_cmpint(raw->info.schedulers, ==, 2);
    g_assert_cmpstr(raw->info.driver, ==, "CUDA driver 12040");
    check_point(raw, "fadd", (PsHullPoint){2, 1, 4});
    check_point(raw, "fadd", (PsHullPoint){2, 1, 5});
    raw_check_refused(
        path, &raw_device, TRUE,
        ": comes from another campaign, and cannot be continued; measure into another "
        "file");
    bench_path_free(path);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/raw-campaign/read", test_campaign);
    g_test_add_func("/raw-campaign/errors", test_campaign_errors);
    g_test_add_func("/raw-campaign/pattern", test_campaign_pattern);
    g_test_add_func("/raw-campaign/pattern-errors", test_campaign_pattern_errors);
    g_test_add_func("/raw-campaign/gaps", test_campaign_gaps);
    return g_test_run();
}
