/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Raw files: what is written is read back, to the last digit; files that were cut off anywhere,
 * damaged or edited; going on with one; the slopes that follow.
 */
#include "tests/help/bench.h"

#include <glib/gstdio.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- samples ------------------------------------------------------------------------------- */

static const PsDeviceInfo device = {
    .backend = (char *)"model",
    .name = (char *)"Test \"GPU\", \xc3\xa4 1",
    .vendor = (char *)"nobody",
    .driver = (char *)"1.2",
    .compute_units = 2,
    .warp_size = 32,
    .schedulers = 4,
    .clock = {3013, 2},
    .boost_clock = {10000, 7},
    .limits = {.warps = 64, .local_memory = 65536},
    .memory = G_GINT64_CONSTANT(85899345920),
    .counter = TRUE,
    .fp64 = TRUE,
};

static PsRawRow make_row(gint64 length, gint64 repeat, double cycles, double seconds)
{
    return (PsRawRow){
        .kernel = (char *)"fadd-ilp2",
        .klass = (char *)"fadd",
        .kind = PS_BENCH_CHAIN,
        .ilp = 2,
        .unroll = 64,
        .operations = 1 / 3.0,
        .launch = {2, 96, 0, 3, length, 0, 0, repeat},
        .sample = {cycles, seconds, NAN},
    };
}

static PsRawRow make_problem(const char *kernel, gint64 groups, const char *problem)
{
    PsRawRow row = make_row(8, 0, NAN, NAN);
    row.kernel = (char *)kernel;
    row.launch = (PsBenchLaunch){.groups = groups};
    row.problem = (char *)problem;
    return row;
}

static void free_plan(void *plan)
{
    bench_plan_free(plan);
}

static void add_kernel(PsBenchPlan *plan, const char *name)
{
    PsBenchKernel *kernel = bench_chain("fadd", 2, 64);
    g_free(kernel->name);
    kernel->name = g_strdup(name);
    kernel->operations = 1 / 3.0;
    g_ptr_array_add(plan->kernels, kernel);
}

/* Plans with all of these rows (g_ptr_array_unref). */
static GPtrArray *make_plans(void)
{
    const PsBenchPoint points[] = {
        {0, make_row(8, 0, 1, 1).launch, 2},
        {0, make_row(24, 0, 1, 1).launch, 3},
        {0, {.groups = 9}, 1},
    };
    GPtrArray *plans = g_ptr_array_new_with_free_func(free_plan);
    PsBenchPlan *plan = bench_plan();
    add_kernel(plan, "fadd-ilp2");
    add_kernel(plan, "fmul");
    g_array_append_vals(plan->points, points, G_N_ELEMENTS(points));
    g_ptr_array_add(plans, plan);
    return plans;
}

/* Five rows. */
static void put_rows(PsRawWriter *writer, guint from)
{
    const PsRawRow rows[] = {
        make_row(8, 0, 1 / 3.0, NAN),
        make_row(8, 1, 0x1.fffffffffffffp+52, 1e-300),
        make_row(24, 0, NAN, 0.1),
        make_problem("fadd-ilp2", 9, "too \"large\", so"),
        make_problem("fmul", 0, "line 1\nline 2"),
    };
    for (guint i = from; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(GError) error = NULL;
        g_assert_true(ps_raw_writer_put(writer, &rows[i], &error));
        g_assert_no_error(error);
    }
}

static void write_sample(const char *path)
{
    g_autoptr(GError) error = NULL;
    PsRawWriter *writer = ps_raw_writer_new(path, &device, NULL, NULL, &error);
    g_assert_no_error(error);
    put_rows(writer, 0);
    g_assert_true(ps_raw_writer_close(writer, &error));
    g_assert_no_error(error);
}

/* A new file each time: unlike one that is written anew, it need not go to the disk at once. */
static void set_contents(const char *path, const char *text, gssize length)
{
    g_unlink(path);
    FILE *file = fopen(path, "w");
    const gsize bytes = length < 0 ? strlen(text) : (gsize)length;
    const gsize written = fwrite(text, 1, bytes, file);
    const int failed = fclose(file);
    g_assert_cmpuint(written, ==, bytes);
    g_assert_cmpint(failed, ==, 0);
}

/* ---- round trips --------------------------------------------------------------------------- */

static void test_round_trip(void)
{
    char *path = bench_path();
    g_autoptr(GError) error = NULL;
    write_sample(path);
    g_autoptr(PsRaw) raw = ps_raw_load(path, &error);
    g_assert_no_error(error);
    g_assert_false(raw->cut_off);
    g_assert_cmpstr(raw->path, ==, path);
    g_assert_cmpstr(raw->info.name, ==, device.name);
    g_assert_cmpstr(raw->info.architecture, ==, NULL);
    g_assert_cmpint(raw->info.clock.num, ==, 3013);
    g_assert_cmpint(raw->info.boost_clock.den, ==, 7);
    g_assert_cmpint(raw->info.limits.local_memory, ==, 65536);
    g_assert_cmpint(raw->info.memory, ==, device.memory);
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
    write_sample(path);
    g_autofree char *text = bench_read(path);
    g_assert_true(g_str_has_prefix(text, head));
    g_assert_nonnull(strstr(text, "\ndevice,clock,1506.5\n"));
    g_assert_nonnull(strstr(text, run));
    bench_path_free(path);
}

/* ---- files that were cut off --------------------------------------------------------------- */

static guint count_lines(const char *text, gsize length)
{
    guint n = 0;
    for (gsize i = 0; i < length; i++)
        n += text[i] == '\n';
    return n;
}

/* Goes on with a file that holds the first bytes of a whole one, and must end up as that. */
static void check_resume(const char *path, const char *text, guint n_runs)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PsRaw) done = NULL;
    g_autoptr(GPtrArray) plans = make_plans();
    PsRawWriter *writer = ps_raw_writer_new(path, &device, plans, &done, &error);
    g_assert_no_error(error);
    if (!writer)
        return;
    g_assert_cmpuint(done ? done->rows->len : 0, ==, n_runs);
    put_rows(writer, n_runs);
    g_assert_true(ps_raw_writer_close(writer, &error));
    g_autofree char *now = bench_read(path);
    g_assert_cmpstr(now, ==, text);
}

static void test_cut_anywhere(void)
{
    char *path = bench_path(), *part = bench_path();
    g_autofree char *whole = NULL;
    gsize length = 0;
    write_sample(path);
    g_autofree char *text = bench_read(path);
    g_file_get_contents(path, &whole, &length, NULL);
    const guint n_head = count_lines(whole, length) - 5;
    for (gsize n = 0; n <= length; n++) {
        g_autoptr(GError) error = NULL;
        set_contents(part, whole, (gssize)n);
        g_autoptr(PsRaw) raw = ps_raw_load(part, &error);
        const guint n_lines = count_lines(whole, n);
        const guint n_runs = n_lines >= n_head ? n_lines - n_head : 0;
        if (n_lines < n_head) {
            g_assert_error(error, PS_ERROR, PS_ERROR_SYNTAX);
            g_assert_null(raw);
        } else {
            g_assert_no_error(error);
            g_assert_cmpuint(raw->rows->len, ==, n_runs);
            g_assert_cmpint(raw->cut_off, ==, whole[n - 1] != '\n');
        }
        check_resume(part, text, n_runs);
        if (g_test_failed())
            break;
    }
    bench_path_free(path);
    bench_path_free(part);
}

/* Zeros behind a file that was cut off anywhere, or is complete, are what a power cut leaves. */
static void test_lost(void)
{
    char *path = bench_path(), *part = bench_path();
    g_autofree char *whole = NULL;
    gsize length = 0;
    write_sample(path);
    g_autofree char *text = bench_read(path);
    g_file_get_contents(path, &whole, &length, NULL);
    const guint n_head = count_lines(whole, length) - 5;
    for (gsize lost = 0; lost <= length; lost += 11) {
        const gsize n = length - lost;
        const guint n_lines = count_lines(whole, n);
        g_autoptr(GError) error = NULL;
        g_autoptr(GString) bytes = g_string_new_len(whole, (gssize)n);
        g_string_set_size(bytes, n + (n == length ? 300000 : 5000));
        memset(bytes->str + n, 0, bytes->len - n);
        set_contents(part, bytes->str, (gssize)bytes->len);
        g_autoptr(PsRaw) raw = ps_raw_load(part, &error);
        g_assert_true(raw ? raw->cut_off : n_lines < n_head);
        check_resume(part, text, n_lines >= n_head ? n_lines - n_head : 0);
    }
    g_autoptr(GError) error = NULL;
    g_autofree char *zero = g_strconcat(whole, "00000x", NULL);
    memset(zero + length, 0, 5);
    set_contents(part, zero, (gssize)length + 6);
    g_assert_null(ps_raw_load(part, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_SYNTAX);
    bench_path_free(path);
    bench_path_free(part);
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
    write_sample(path);
    g_file_get_contents(path, &whole, &length, NULL);
    for (gsize at = 0; at < length; at++)
        for (guint i = 0; i < 3; i++) {
            g_autoptr(GError) error = NULL;
            const char was = whole[at];
            whole[at] = bytes[(3 * at + i) % sizeof bytes];
            set_contents(path, whole, (gssize)length);
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
    write_sample(path);
    g_file_get_contents(path, &whole, NULL, NULL);
    for (guint i = 0; i < G_N_ELEMENTS(edits); i++) {
        g_autoptr(GError) error = NULL;
        const char *at = strstr(whole, edits[i].from);
        g_assert_nonnull(at);
        g_autofree char *begin = g_strndup(whole, (gsize)(at - whole));
        g_autofree char *text = g_strconcat(begin, edits[i].to, at + strlen(edits[i].from), NULL);
        set_contents(path, text, -1);
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
    write_sample(path);
    g_file_get_contents(path, &whole, NULL, NULL);
    g_autoptr(GString) text = g_string_new(whole);
    g_string_replace(text, ",bytes,lines,sectors,reuse\n", "\n", 0);
    g_string_replace(text, ",0,0,0,0\n", "\n", 0);
    set_contents(path, text->str, -1);
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
    write_sample(path);
    g_file_get_contents(path, &whole, NULL, NULL);
    g_auto(GStrv) lines = g_strsplit(whole, "\n", -1);
    g_autofree char *text = g_strjoinv(",,\r\n", lines);
    set_contents(path, text, -1);
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
        set_contents(path, texts[i], -1);
        g_assert_null(ps_raw_load(path, &error));
        g_assert_nonnull(error);
    }
    bench_path_free(path);
}

/* ---- going on ------------------------------------------------------------------------------ */

static void check_refused(const char *path, const PsDeviceInfo *info, gboolean resume,
                          const char *message)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) plans = resume ? make_plans() : NULL;
    g_autofree char *before = bench_read(path);
    g_assert_null(ps_raw_writer_new(path, info, plans, NULL, &error));
    g_assert_nonnull(error);
    g_assert_cmpstr(error ? error->message + strlen(path) : "", ==, message);
    g_autofree char *after = bench_read(path);
    g_assert_cmpstr(before, ==, after);
}

static void test_refused(void)
{
    char *path = bench_path();
    PsDeviceInfo other = device;
    write_sample(path);
    check_refused(path, &device, FALSE,
                  ": exists already, and is not overwritten: continue it (resume), or measure into "
                  "another file");
    other.name = (char *)"B";
    check_refused(path, &other, TRUE,
                  ": holds measurements of another device: its name is 'Test \"GPU\", \xc3\xa4 1' "
                  "there, and 'B' here; measure into another file");
    other = device;
    other.driver = (char *)"1.3";
    check_refused(path, &other, TRUE,
                  ": holds measurements of another device: its driver is '1.2' there, and '1.3' "
                  "here; measure into another file");
    other = device;
    other.compute_units = 3;
    check_refused(path, &other, TRUE,
                  ": holds measurements of another device: its compute_units is '2' there, and '3' "
                  "here; measure into another file");
    other = device;
    other.clock.num++;
    check_refused(path, &other, TRUE,
                  ": holds measurements of another device: its clock is '1506.5' there, and '1507' "
                  "here; measure into another file");
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) plans = make_plans();
    g_assert_null(ps_raw_writer_new("/dev/null", &device, plans, NULL, &error));
    g_assert_cmpstr(error ? error->message : "", ==,
                    "/dev/null: cannot be continued: it is no regular file");
    set_contents(path, "no raw file", -1);
    check_refused(path, &device, TRUE,
                  ":1:1: this is neither a raw file of pipesim, whose first line begins with "
                  "'record,', nor a campaign's measurements, whose rows are "
                  "'section,name,key=value;...,metric,value'");
    bench_path_free(path);
}

static void test_two_writers(void)
{
    char *path = bench_path();
    g_autoptr(GError) error = NULL;
    PsRawWriter *writer = ps_raw_writer_new(path, &device, NULL, NULL, &error);
    check_refused(path, &device, TRUE,
                  ": cannot be continued: another pipesim is measuring into it");
    g_assert_true(ps_raw_writer_close(writer, &error));
    g_autoptr(GPtrArray) plans = make_plans();
    writer = ps_raw_writer_new(path, &device, plans, NULL, &error);
    check_refused(path, &device, TRUE,
                  ": cannot be continued: another pipesim is measuring into it");
    put_rows(writer, 0);
    g_assert_true(ps_raw_writer_close(writer, &error));
    g_assert_no_error(error);
    bench_path_free(path);
}

/* A device that tells next to nothing makes a file that can be read, and continued. */
static void test_unknown(void)
{
    const PsDeviceInfo unknown = {.clock = {0, 1}, .boost_clock = {0, 1}};
    char *path = bench_path();
    for (guint i = 0; i < 2; i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(GPtrArray) plans = make_plans();
        PsRawWriter *writer = ps_raw_writer_new(path, &unknown, plans, NULL, &error);
        g_assert_no_error(error);
        g_assert_true(ps_raw_writer_close(writer, NULL));
        g_autoptr(PsRaw) raw = ps_raw_load(path, &error);
        g_assert_no_error(error);
        g_assert_cmpstr(raw->info.name, ==, "unknown");
    }
    bench_path_free(path);
}

/* What reading forgives, and going on does not: the file with one text replaced, and what is said
 * of it behind the file's name. */
static const struct {
    const char *from, *to, *message;
} changes[] = {
    {"reuse\n", "reuse,\n", ":1:163: this row goes on where pipesim ends it"},
    {"record", "\xef\xbb\xbfrecord", ":1:1: this is not as pipesim writes it, which is 'record'"},
    {"vendor,nobody\n", "vendor,nobody\n\n",
     ":5:1: this is not as pipesim writes it, which is 'device'"},
    {"\"GPU\"\", \xc3\xa4 1\"", "\"GPU\"\", \xc3\xa4 1\",",
     ":2:32: this row goes on where pipesim ends it"},
    {"device,warp_size,32", "device,warp_size,032",
     ":8:18: this is not as pipesim writes it, which is '32'"},
    {"when,2", "when,+2", ":28:13: this is not as pipesim writes it, which is '2000"},
    {"0.1,,,0", "0.10,,,0", ":31:69: this is not as pipesim writes it, which is '0.1'"},
    {"0.1,,,0", "1e-1,,,0", ":31:69: this is not as pipesim writes it, which is '0.1'"},
    {"0.1,,,0,0,0,0\n", "0.1,,,0,0,0,0\r\n", ":31:82: this row goes on where pipesim ends it"},
    {"0.1,,,0,0,0,0\n", "0.1,,,0,0,0,0,,\n", ":31:82: this row goes on where pipesim ends it"},
    {"0.1,,,0", "\"0.1\",,,0", ":31:69: this is not as pipesim writes it, which is '0.1'"},
    {",96,0,3,", ",96,0,03,", ":29:57: this is not as pipesim writes it, which is '3'"},
    {"fmul,", "fdiv,",
     ":33:5: kernel: 'fdiv' is none that is measured here; measure into another file"},
    {"fmul,fadd,", "fmul,fmul,",
     ":33:10: class: 'fmul' is not that of this kernel, 'fadd'; measure into another file"},
    {"fmul,fadd,chain,2,64", "fmul,fadd,chain,2,65",
     ":33:23: unroll: '65' is not that of this kernel, '64'; measure into another file"},
    {",96,0,3,8,", ",64,0,3,8,", ":29:50: groups: this launch"},
    {",24,0,0,0,", ",24,0,0,3,", ":31:50: groups: this launch"},
    {"line 1 line 2,0,0,0,0\n", "line 1 line 2,0,0,0,0\nhello",
     ":34:1: this is not as pipesim writes it, which is 'run'"},
    {"line 1 line 2,0,0,0,0\n", "line 1 line 2,0,0,0,0\n\n",
     ":34:1: this is not as pipesim writes it, which is 'run'"},
};

/* Each is refused, and the file stays as it is. */
static void test_changed(void)
{
    char *path = bench_path();
    g_autofree char *whole = NULL;
    g_autoptr(GPtrArray) plans = make_plans();
    write_sample(path);
    g_file_get_contents(path, &whole, NULL, NULL);
    for (guint i = 0; i < G_N_ELEMENTS(changes); i++) {
        g_autoptr(GError) error = NULL;
        const char *at = strstr(whole, changes[i].from);
        g_assert_nonnull(at);
        g_autofree char *begin = g_strndup(whole, (gsize)(at - whole));
        g_autofree char *text =
            g_strconcat(begin, changes[i].to, at + strlen(changes[i].from), NULL);
        set_contents(path, text, -1);
        PsRawWriter *writer = ps_raw_writer_new(path, &device, plans, NULL, &error);
        const char *message = error ? error->message + strlen(path) : "";
        g_autofree char *begins = g_strndup(message, strlen(changes[i].message));
        g_assert_cmpstr(begins, ==, changes[i].message);
        g_assert_true(ps_raw_writer_close(writer, NULL));
        g_autofree char *after = NULL;
        g_file_get_contents(path, &after, NULL, NULL);
        g_assert_cmpstr(after, ==, text);
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
    PsRaw raw = {.info = device, .rows = rows};
    PsRawRow fast = make_row(8, 2, NAN, 1e-6), slow = make_row(24, 2, NAN, 3e-6);
    PsRawRow other = make_row(24, 1, 99, NAN), failed = make_row(24, 3, NAN, NAN);
    fast.sample.mhz = 1000;
    other.launch.step = 2;
    failed.problem = (char *)"too large";
    add_row(&raw, make_row(24, 0, 6244, 1));
    add_row(&raw, make_row(8, 0, 100, 2));
    add_row(&raw, make_row(8, 1, 100, NAN));
    add_row(&raw, other);
    add_row(&raw, make_row(24, 1, 90, NAN));
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

/* ---- another campaign's file --------------------------------------------------------------- */

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
        set_contents(path, campaigns[i].text, -1);
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
    set_contents(path, whole, -1);
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
        set_contents(path, text, -1);
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
    set_contents(path, text, -1);
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
    check_refused(path, &device, TRUE,
                  ": comes from another campaign, and cannot be continued; measure into another "
                  "file");
    bench_path_free(path);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/raw/round-trip", test_round_trip);
    g_test_add_func("/raw/form", test_form);
    g_test_add_func("/raw/cut-anywhere", test_cut_anywhere);
    g_test_add_func("/raw/lost", test_lost);
    g_test_add_func("/raw/damaged", test_damaged);
    g_test_add_func("/raw/edited", test_edited);
    g_test_add_func("/raw/old-form", test_old_form);
    g_test_add_func("/raw/spreadsheet", test_spreadsheet);
    g_test_add_func("/raw/no-raw-file", test_no_raw_file);
    g_test_add_func("/raw/refused", test_refused);
    g_test_add_func("/raw/changed", test_changed);
    g_test_add_func("/raw/two-writers", test_two_writers);
    g_test_add_func("/raw/unknown", test_unknown);
    g_test_add_func("/raw/hull", test_hull);
    g_test_add_func("/raw/campaign", test_campaign);
    g_test_add_func("/raw/campaign-errors", test_campaign_errors);
    g_test_add_func("/raw/campaign-pattern", test_campaign_pattern);
    g_test_add_func("/raw/campaign-pattern-errors", test_campaign_pattern_errors);
    g_test_add_func("/raw/campaign-gaps", test_campaign_gaps);
    return g_test_run();
}
