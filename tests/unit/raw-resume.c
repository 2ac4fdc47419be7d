/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Going on with a raw file: one that was cut off anywhere, or lost its end; what is refused.
 */
#include "tests/help/raw.h"

#include <string.h>

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
    g_autoptr(GPtrArray) plans = raw_plans();
    PsRawWriter *writer = ps_raw_writer_new(path, &raw_device, plans, &done, &error);
    g_assert_no_error(error);
    if (!writer)
        return;
    g_assert_cmpuint(done ? done->rows->len : 0, ==, n_runs);
    raw_put_rows(writer, n_runs);
    g_assert_true(ps_raw_writer_close(writer, &error));
    g_autofree char *now = bench_read(path);
    g_assert_cmpstr(now, ==, text);
}

static void test_cut_anywhere(void)
{
    char *path = bench_path(), *part = bench_path();
    g_autofree char *whole = NULL;
    gsize length = 0;
    raw_write_sample(path);
    g_autofree char *text = bench_read(path);
    g_file_get_contents(path, &whole, &length, NULL);
    const guint n_head = count_lines(whole, length) - 5;
    for (gsize n = 0; n <= length; n++) {
        g_autoptr(GError) error = NULL;
        raw_set_contents(part, whole, (gssize)n);
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
    raw_write_sample(path);
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
        raw_set_contents(part, bytes->str, (gssize)bytes->len);
        g_autoptr(PsRaw) raw = ps_raw_load(part, &error);
        g_assert_true(raw ? raw->cut_off : n_lines < n_head);
        check_resume(part, text, n_lines >= n_head ? n_lines - n_head : 0);
    }
    g_autoptr(GError) error = NULL;
    g_autofree char *zero = g_strconcat(whole, "00000x", NULL);
    memset(zero + length, 0, 5);
    raw_set_contents(part, zero, (gssize)length + 6);
    g_assert_null(ps_raw_load(part, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_SYNTAX);
    bench_path_free(path);
    bench_path_free(part);
}

/* ---- going on ------------------------------------------------------------------------------ */

static void test_refused(void)
{
    char *path = bench_path();
    PsDeviceInfo other = raw_device;
    raw_write_sample(path);
    raw_check_refused(
        path, &raw_device, FALSE,
        ": exists already, and is not overwritten: continue it (resume), or measure into "
        "another file");
    other.name = (char *)"B";
    raw_check_refused(
        path, &other, TRUE,
        ": holds measurements of another device: its name is 'Test \"GPU\", \xc3\xa4 1' "
        "there, and 'B' here; measure into another file");
    other = raw_device;
    other.driver = (char *)"1.3";
    raw_check_refused(
        path, &other, TRUE,
        ": holds measurements of another device: its driver is '1.2' there, and '1.3' "
        "here; measure into another file");
    other = raw_device;
    other.compute_units = 3;
    raw_check_refused(
        path, &other, TRUE,
        ": holds measurements of another device: its compute_units is '2' there, and '3' "
        "here; measure into another file");
    other = raw_device;
    other.clock.num++;
    raw_check_refused(
        path, &other, TRUE,
        ": holds measurements of another device: its clock is '1506.5' there, and '1507' "
        "here; measure into another file");
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) plans = raw_plans();
    g_assert_null(ps_raw_writer_new("/dev/null", &raw_device, plans, NULL, &error));
    g_assert_cmpstr(error ? error->message : "", ==,
                    "/dev/null: cannot be continued: it is no regular file");
    raw_set_contents(path, "no raw file", -1);
    raw_check_refused(path, &raw_device, TRUE,
                      ":1:1: this is no raw file of pipesim, whose first line begins with "
                      "'record,'");
    bench_path_free(path);
}

static void test_two_writers(void)
{
    char *path = bench_path();
    g_autoptr(GError) error = NULL;
    PsRawWriter *writer = ps_raw_writer_new(path, &raw_device, NULL, NULL, &error);
    raw_check_refused(path, &raw_device, TRUE,
                      ": cannot be continued: another pipesim is measuring into it");
    g_assert_true(ps_raw_writer_close(writer, &error));
    g_autoptr(GPtrArray) plans = raw_plans();
    writer = ps_raw_writer_new(path, &raw_device, plans, NULL, &error);
    raw_check_refused(path, &raw_device, TRUE,
                      ": cannot be continued: another pipesim is measuring into it");
    raw_put_rows(writer, 0);
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
        g_autoptr(GPtrArray) plans = raw_plans();
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
    {"reuse\n", "reuse,\n", ":1:163: pipesim's row ends here"},
    {"record", "\xef\xbb\xbfrecord", ":1:1: pipesim writes 'record' here"},
    {"vendor,nobody\n", "vendor,nobody\n\n", ":5:1: pipesim writes 'device' here"},
    {"\"GPU\"\", \xc3\xa4 1\"", "\"GPU\"\", \xc3\xa4 1\",", ":2:32: pipesim's row ends here"},
    {"device,warp_size,32", "device,warp_size,032", ":8:18: pipesim writes '32' here"},
    {"when,2", "when,+2", ":28:13: pipesim writes '2000"},
    {"0.1,,,0", "0.10,,,0", ":31:69: pipesim writes '0.1' here"},
    {"0.1,,,0", "1e-1,,,0", ":31:69: pipesim writes '0.1' here"},
    {"0.1,,,0,0,0,0\n", "0.1,,,0,0,0,0\r\n", ":31:82: pipesim's row ends here"},
    {"0.1,,,0,0,0,0\n", "0.1,,,0,0,0,0,,\n", ":31:82: pipesim's row ends here"},
    {"0.1,,,0", "\"0.1\",,,0", ":31:69: pipesim writes '0.1' here"},
    {",96,0,3,", ",96,0,03,", ":29:57: pipesim writes '3' here"},
    {"fmul,", "fdiv,", ":33:5: kernel: 'fdiv' is not measured here; measure into another file"},
    {"fmul,fadd,", "fmul,fmul,",
     ":33:10: class: 'fmul' is not that of this kernel, 'fadd'; measure into another file"},
    {"fmul,fadd,chain,2,64", "fmul,fadd,chain,2,65",
     ":33:23: unroll: '65' is not that of this kernel, '64'; measure into another file"},
    {",96,0,3,8,", ",64,0,3,8,", ":29:50: groups: neither this launch"},
    {",24,0,0,0,", ",24,0,0,3,", ":31:50: groups: neither this launch"},
    {"line 1 line 2,0,0,0,0\n", "line 1 line 2,0,0,0,0\nhello", ":34:1: pipesim writes 'run' here"},
    {"line 1 line 2,0,0,0,0\n", "line 1 line 2,0,0,0,0\n\n", ":34:1: pipesim writes 'run' here"},
};

/* Each is refused, and the file stays as it is. */
static void test_changed(void)
{
    char *path = bench_path();
    g_autofree char *whole = NULL;
    g_autoptr(GPtrArray) plans = raw_plans();
    raw_write_sample(path);
    g_file_get_contents(path, &whole, NULL, NULL);
    for (guint i = 0; i < G_N_ELEMENTS(changes); i++) {
        g_autoptr(GError) error = NULL;
        const char *at = strstr(whole, changes[i].from);
        g_assert_nonnull(at);
        g_autofree char *begin = g_strndup(whole, (gsize)(at - whole));
        g_autofree char *text =
            g_strconcat(begin, changes[i].to, at + strlen(changes[i].from), NULL);
        raw_set_contents(path, text, -1);
        PsRawWriter *writer = ps_raw_writer_new(path, &raw_device, plans, NULL, &error);
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

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/raw-resume/cut-anywhere", test_cut_anywhere);
    g_test_add_func("/raw-resume/lost", test_lost);
    g_test_add_func("/raw-resume/refused", test_refused);
    g_test_add_func("/raw-resume/two-writers", test_two_writers);
    g_test_add_func("/raw-resume/unknown", test_unknown);
    g_test_add_func("/raw-resume/changed", test_changed);
    return g_test_run();
}
