/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Raw files: what is written is read back, to the last digit; damaged and edited files; the slopes
 * that follow.
 */
#include "latency-bench/internal.h"
#include "tests/help/raw.h"

#include <math.h>
#include <string.h>

/* ---- round trips --------------------------------------------------------------------------- */

static void test_round_trip(void)
{
    char *path = bench_path();
    g_autoptr(GError) error = NULL;
    raw_write_sample(path);
    g_autoptr(PsRaw) raw = ps_raw_load(path, &error);
    g_assert_no_error(error);
    g_assert_false(raw->cut_off);
    g_assert_cmpstr(raw->path, ==, path);
    g_assert_cmpstr(raw->info.name, ==, raw_device.name);
    g_assert_cmpstr(raw->info.architecture, ==, NULL);
    g_assert_cmpint(raw->info.clock.num, ==, 3013);
    g_assert_cmpint(raw->info.boost_clock.den, ==, 7);
    g_assert_cmpint(raw->info.limits.local_memory, ==, 65536);
    g_assert_cmpint(raw->info.memory, ==, raw_device.memory);
    g_assert_true(raw->info.counter && raw->info.fp64 && !raw->info.fp16);
    g_assert_cmpuint(strlen(raw->when), ==, strlen("2000-01-01T00:00:00Z"));
    g_assert_cmpuint(raw->rows->len, ==, 5);
    const PsRawRow *a = raw->rows->pdata[0], *b = raw->rows->pdata[1], *c = raw->rows->pdata[2];
    g_assert_cmpstr(a->kernel, ==, "fadd-ilp2");
    g_assert_cmpint(a->launch.group_size, ==, 96);
    g_assert_cmpfloat(a->operations, ==, 1 / 3.0);
    g_assert_cmpfloat(a->sample.cycles, ==, 1 / 3.0);
    g_assert_true(isnan(a->sample.seconds) && isnan(a->sample.mhz));
    g_assert_cmpfloat(b->sample.cycles, ==, 0x1.fffffffffffffp+52);
    g_assert_cmpfloat(b->sample.seconds, ==, 1e-300);
    g_assert_cmpint(b->launch.repeat, ==, 1);
    g_assert_cmpfloat(c->sample.seconds, ==, 0.1);
    g_assert_cmpstr(((PsRawRow *)raw->rows->pdata[3])->problem, ==, "too \"large\", so");
    g_assert_cmpstr(((PsRawRow *)raw->rows->pdata[4])->problem, ==, "line 1 line 2");
    bench_path_free(path);
}

/* People read these files: the form stays as it is. */
static void test_form(void)
{
    static const char head[] = "record,kernel,class,kind,ilp,unroll,operations,groups,group_size,"
                               "local_memory,warps,length,memory,step,repeat,cycles,seconds,mhz,"
                               "problem,bytes,lines,sectors,reuse\n"
                               "device,name,\"Test \"\"GPU\"\", \xc3\xa4 1\"\n"
                               "device,backend,model\n";
    static const char run[] =
        "\nrun,fadd-ilp2,fadd,chain,2,64,0.3333333333333333,2,96,0,3,24,0,0,0,,0.1,,,0,0,0,0\n";
    char *path = bench_path();
    raw_write_sample(path);
    g_autofree char *text = bench_read(path);
    g_assert_true(g_str_has_prefix(text, head));
    g_assert_nonnull(strstr(text, "\ndevice,clock,1506.5\n"));
    g_assert_nonnull(strstr(text, run));
    bench_path_free(path);
}

/* ---- damaged and edited files -------------------------------------------------------------- */

/* Whatever a byte becomes, the file is read, or one error says where it is wrong. Each place gets
 * three of these bytes. */
static void test_damaged(void)
{
    static const char bytes[] = {'\0', '\n', '"', ',', 'x', '9', '-', '.', '\t', '\xff'};
    char *path = bench_path();
    g_autofree char *whole = NULL;
    gsize length = 0;
    raw_write_sample(path);
    g_file_get_contents(path, &whole, &length, NULL);
    for (gsize at = 0; at < length; at++)
        for (guint i = 0; i < 3; i++) {
            g_autoptr(GError) error = NULL;
            const char was = whole[at];
            whole[at] = bytes[(3 * at + i) % sizeof bytes];
            raw_set_contents(path, whole, (gssize)length);
            whole[at] = was;
            g_autoptr(PsRaw) raw = ps_raw_load(path, &error);
            g_assert_true((raw != NULL) == (error == NULL));
            if (error)
                g_assert_true(g_str_has_prefix(error->message, path));
            g_assert_true(!raw || raw->rows->len <= 5);
        }
    bench_path_free(path);
}

/* The file with one text replaced, and what is said of it behind the file's name. */
static const struct {
    const char *from, *to, *message;
} edits[] = {
    {"record,kernel", "record,name",
     ":1:8: this column is called 'name', and 'kernel' is due here"},
    {",reuse\n", "\n", ":1:150: a row of 'record' has 23 fields, and this one has 22"},
    {"device,vendor,nobody\n", "",
     ":28:1: runs begin here, and 'device,vendor,...' is missing above"},
    {"device,vendor", "device,backend", ":4:8: device: 'backend' was told above already"},
    {"device,vendor", "device,price",
     ":4:8: device: 'price' is nothing that a raw file says of a device"},
    {"compute_units,2", "compute_units,0",
     ":7:22: compute_units: '0' is no integer from 1 to 1048576"},
    {"clock,1506.5", "clock,fast", ":10:14: clock: 'fast' is no decimal number from 0 on"},
    {"clock,1506.5", "clock,-1", ":10:14: clock: '-1' is no decimal number from 0 on"},
    {"counter,yes", "counter,1", ":25:16: counter: '1' is neither yes nor no"},
    {"\nrun,", "\nrow,", ":29:1: a row begins with 'device' or 'run', not 'row'"},
    {",chain,2,", ",chian,2,",
     ":29:20: kind: 'chian' is no kind of benchmark; there are chain, local, global, stream, peak, "
     "intensity, mix, level, whole"},
    {",fadd,", ",f add,", ":29:15: class: 'f add' is no name of a class, such as local.load"},
    {",chain,2,", ",chain,-2,", ":29:26: ilp: '-2' is no integer from 0 to 1048576"},
    {",chain,2,", ",chain,0,", ":29:26: ilp: is 0 in a run that took place"},
    {",chain,2,", ",chain,3,", ":30:26: ilp: differs from the rows of the same kernel above"},
    {"0.1,,,0", "0.1s,,,0", ":31:69: seconds: '0.1s' is no number"},
    {"0.1,,,0", "0x1,,,0", ":31:69: seconds: '0x1' is no number"},
    {"0.1,,,0", "nan,,,0", ":31:69: seconds: 'nan' is no number"},
    {"0.1,,,0", "1e999,,,0", ":31:69: seconds: '1e999' is too large for a number"},
    {"0.1,,,0", "0,,,0",
     ":31:69: seconds: '0' is not above 0: where nothing was measured the field is empty"},
    {"0.1,,,0", ",,,0",
     ":31:68: cycles: there are neither cycles nor seconds, and no problem that says why"},
    {",0,1,", ",0,0,", ":30:65: repeat: this run is there twice"},
    {"0.1,,,0", "0.1,,bad,0", ":31:74: problem: there is a problem, and a sample all the same"},
    {"0.1,,,0", "0.1,,,1,0", ":31:83: a row of 'run' has 23 fields, and this one has 24"},
    {"0.1,,,0", "0.1,,,x", ":31:75: bytes: 'x' is no integer from 0 to 9007199254740992"},
};

static void test_edited(void)
{
    char *path = bench_path();
    g_autofree char *whole = NULL;
    raw_write_sample(path);
    g_file_get_contents(path, &whole, NULL, NULL);
    for (guint i = 0; i < G_N_ELEMENTS(edits); i++) {
        g_autoptr(GError) error = NULL;
        const char *at = strstr(whole, edits[i].from);
        g_assert_nonnull(at);
        g_autofree char *begin = g_strndup(whole, (gsize)(at - whole));
        g_autofree char *text = g_strconcat(begin, edits[i].to, at + strlen(edits[i].from), NULL);
        raw_set_contents(path, text, -1);
        g_assert_null(ps_raw_load(path, &error));
        g_assert_nonnull(error);
        g_assert_cmpstr(error ? error->message + strlen(path) : "", ==, edits[i].message);
    }
    bench_path_free(path);
}

/* Files of before footprints were stated have four columns less. */
static void test_old_form(void)
{
    char *path = bench_path();
    g_autofree char *whole = NULL;
    g_autoptr(GError) error = NULL;
    raw_write_sample(path);
    g_file_get_contents(path, &whole, NULL, NULL);
    g_autoptr(GString) text = g_string_new(whole);
    g_string_replace(text, ",bytes,lines,sectors,reuse\n", "\n", 0);
    g_string_replace(text, ",0,0,0,0\n", "\n", 0);
    raw_set_contents(path, text->str, -1);
    g_autoptr(PsRaw) raw = ps_raw_load(path, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(raw ? raw->rows->len : 0, ==, 5);
    bench_path_free(path);
}

/* A spreadsheet fills rows up, and ends lines as it likes. */
static void test_spreadsheet(void)
{
    char *path = bench_path();
    g_autofree char *whole = NULL;
    g_autoptr(GError) error = NULL;
    raw_write_sample(path);
    g_file_get_contents(path, &whole, NULL, NULL);
    g_auto(GStrv) lines = g_strsplit(whole, "\n", -1);
    g_autofree char *text = g_strjoinv(",,\r\n", lines);
    raw_set_contents(path, text, -1);
    g_autoptr(PsRaw) raw = ps_raw_load(path, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(raw->rows->len, ==, 5);
    bench_path_free(path);
}

static void test_no_raw_file(void)
{
    char *path = bench_path();
    g_autoptr(GError) error = NULL;
    g_assert_null(ps_raw_load(path, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_READ);
    static const char *const texts[] = {"",         "a,b\n1,2\n", "record\n",
                                        "<gpu/>\n", ",,,,\n",     "device,x,y,z,1\n"};
    for (guint i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_clear_error(&error);
        raw_set_contents(path, texts[i], -1);
        g_assert_null(ps_raw_load(path, &error));
        g_assert_nonnull(error);
    }
    bench_path_free(path);
}

/* ---- slopes -------------------------------------------------------------------------------- */

static void add_row(PsRaw *raw, PsRawRow row)
{
    PsRawRow *copy = g_new(PsRawRow, 1);
    *copy = row;
    g_ptr_array_add(raw->rows, copy);
}

static void test_hull(void)
{
    g_autoptr(GPtrArray) rows = g_ptr_array_new_with_free_func(g_free);
    PsRaw raw = {.info = raw_device, .rows = rows};
    PsRawRow fast = raw_row(8, 2, NAN, 1e-6), slow = raw_row(24, 2, NAN, 3e-6);
    PsRawRow other = raw_row(24, 1, 99, NAN), failed = raw_row(24, 3, NAN, NAN);
    fast.sample.mhz = 1000;
    other.launch.step = 2;
    failed.problem = (char *)"too large";
    add_row(&raw, raw_row(24, 0, 6244, 1));
    add_row(&raw, raw_row(8, 0, 100, 2));
    add_row(&raw, raw_row(8, 1, 100, NAN));
    add_row(&raw, other);
    add_row(&raw, raw_row(24, 1, 90, NAN));
    add_row(&raw, fast);
    add_row(&raw, slow);
    add_row(&raw, failed);
    g_autoptr(GArray) points = ps_raw_hull(&raw, "fadd");
    g_assert_cmpuint(points->len, ==, 3);
    const PsHullPoint *point = &g_array_index(points, PsHullPoint, 0);
    g_assert_cmpint(point[0].warps, ==, 3);
    g_assert_cmpint(point[0].ilp, ==, 2);
    g_assert_cmpfloat(point[0].cycles, ==, 6); /* 6144 cycles for 16 trips of 64 links */
    g_assert_true(isnan(point[1].cycles));     /* the longer run was shorter */
    g_assert_cmpfloat_with_epsilon(point[2].cycles, (3e-6 * 1506.5e6 - 1000) / 1024, 1e-12);
    g_autoptr(GArray) none = ps_raw_hull(&raw, "fmul");
    g_assert_cmpuint(none->len, ==, 0);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/raw/round-trip", test_round_trip);
    g_test_add_func("/raw/form", test_form);
    g_test_add_func("/raw/damaged", test_damaged);
    g_test_add_func("/raw/edited", test_edited);
    g_test_add_func("/raw/old-form", test_old_form);
    g_test_add_func("/raw/spreadsheet", test_spreadsheet);
    g_test_add_func("/raw/no-raw-file", test_no_raw_file);
    g_test_add_func("/raw/hull", test_hull);
    return g_test_run();
}
