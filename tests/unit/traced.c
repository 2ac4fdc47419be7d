/* SPDX-License-Identifier: BSD-3-Clause */
/* What runs of a program on a device leave, read, joined and judged. */
#include "base/error.h"
#include "profile/counters.h"
#include "profile/doubts.h"
#include "profile/ncu.h"
#include "profile/recorded.h"
#include "profile/rocm.h"
#include "profile/table.h"

#include <glib/gstdio.h>
#include <string.h>

/* A folder that a phase has left: the text of one process's file. */
typedef struct {
    char *folder, *path;
} Left;

static void left_clear(Left *left)
{
    g_unlink(left->path);
    g_rmdir(left->folder);
    g_free(left->path);
    g_free(left->folder);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Left, left_clear)

static Left left_new(const char *name, const char *text)
{
    Left left = {.folder = g_dir_make_tmp("pipesim-traced-XXXXXX", NULL)};
    left.path = g_build_filename(left.folder, name, NULL);
    g_assert_true(g_file_set_contents(left.path, text, -1, NULL));
    return left;
}

static PsTraced *read_text(const char *phase, const char *text)
{
    g_autofree char *name = g_strconcat(phase, ".1", NULL);
    g_auto(Left) left = left_new(name, text);
    g_autoptr(GError) error = NULL;
    PsTraced *trace = ps_traced_read(left.folder, phase, &error);
    g_assert_no_error(error);
    return trace;
}

#define FIRST "pipesim-profile\t1\ttimes\t7\t100\tapp\n"
#define DEVICE "device\t0\t9.0\tCard\n"
#define LAUNCH(order, start, end, graph, kernel)                                                   \
    "launch\t0\t1\t2\t" order "\t" start "\t" end "\t4\t1\t1\t32\t1\t1\t16\t0\t8\t" graph          \
    "\t" kernel "\n"
#define TIMES                                                                                      \
    FIRST DEVICE LAUNCH("2", "30", "60", "0", "_Z1kf") LAUNCH("1", "10", "20", "0", "_Z1kf")       \
        LAUNCH("3", "0", "0", "0", "other") LAUNCH("4", "70", "90", "1", "_Z1kf") "done\n"
#define COUNTS                                                                                     \
    "pipesim-profile\t1\tcounters\t8\t200\tapp\ncounts\t0\t1\t_Z1kf\ta=1 x_bytes=2\n"              \
    "counts\t0\t2\t_Z1kf\ta=3\ncounts\t0\t3\t_Z1kf\ta=5\ndone\n"

static const PsTracedLaunch *at(const PsTraced *trace, guint i)
{
    return &g_array_index(trace->launches, PsTracedLaunch, i);
}

/* Launches are in the order in which they were made, with readable names; half a line is none. */
static void test_read(void)
{
    g_autoptr(PsTraced) trace = read_text("times", TIMES "launch\t0\t1");
    g_assert_cmpuint(trace->launches->len, ==, 4);
    g_assert_cmpint(at(trace, 0)->order, ==, 1);
    g_assert_cmpint(at(trace, 1)->end, ==, 60);
    g_assert_cmpint(at(trace, 0)->dynamic_memory, ==, 8);
    g_assert_cmpstr(at(trace, 0)->kernel, ==, "k(float)");
    g_assert_cmpstr(at(trace, 0)->symbol, ==, "_Z1kf");
    g_assert_true(((const PsTracedProcess *)trace->processes->pdata[0])->done);
    g_assert_cmpuint(ps_traced_timed(trace), ==, 3);
    g_assert_cmpuint(trace->failures->len, ==, 0);
}

/* A whole line that is none of the form is a failure, told once. */
static void test_damaged(void)
{
    g_autoptr(PsTraced) trace =
        read_text("times", FIRST "launch\t0\nlaunch\tx\nfailed\tcupti\tno\n");
    g_assert_cmpuint(trace->failures->len, ==, 2);
    g_assert_nonnull(ps_traced_failure(trace, "lost"));
    g_assert_cmpstr(ps_traced_failure(trace, "cupti"), ==, "no");
    g_assert_null(ps_traced_failure(trace, "counters"));
}

/* The n-th launch gets the n-th counts; what a CUDA graph launched gets none. */
static void test_join(void)
{
    guint left;
    g_autoptr(PsTraced) times = read_text("times", TIMES);
    g_autoptr(PsTraced) counts = read_text("counters", COUNTS);
    g_assert_cmpuint(ps_traced_join(times, counts, &left), ==, 2);
    g_assert_cmpuint(left, ==, 2); /* one launch without counts, and one's counts */
    g_assert_cmpstr(at(times, 0)->counts, ==, "a=1 x_bytes=2");
    g_assert_cmpstr(at(times, 1)->counts, ==, "a=3");
    g_assert_null(at(times, 3)->counts);
    g_assert_cmpuint(ps_traced_counted(times), ==, 2);
}

static gboolean put(const char *text, gpointer data, GError **error)
{
    (void)error;
    g_string_append(data, text);
    return TRUE;
}

/* A row for each metric of each launch that has a time. */
static void test_table(void)
{
    guint left;
    g_autoptr(GString) out = g_string_new(NULL);
    g_autoptr(PsTraced) times = read_text("times", TIMES);
    g_autoptr(PsTraced) counts = read_text("counters", COUNTS);
    ps_traced_join(times, counts, &left);
    g_assert_true(ps_traced_table(times, put, out, NULL));
    g_auto(GStrv) lines = g_strsplit(out->str, "\n", 0);
    g_assert_cmpuint(g_strv_length(lines), ==, 1 + 3 * 4 + 3 + 1);
    g_assert_true(g_str_has_prefix(lines[1], "\"0\",\"7\",\"app\","));
    g_assert_nonnull(strstr(lines[1], ",\"k(float)\",\"1\",\"2\",\"(32, 1, 1)\",\"(4, 1, 1)\","
                                      "\"Card\",\"9.0\",\"pipesim profile\","
                                      "\"gpu__time_duration.sum\",\"ns\",\"10\""));
    g_assert_true(g_str_has_suffix(lines[6], ",\"x_bytes\",\"byte\",\"2\""));
    g_assert_null(strstr(out->str, "other"));
}

/* Two devices of one name are told apart. */
static void test_twins(void)
{
    g_autoptr(GString) out = g_string_new(NULL);
    g_autoptr(PsTraced) trace =
        read_text("times", FIRST DEVICE "device\t1\t9.0\tCard\n" LAUNCH("1", "1", "2", "0", "k"));
    g_assert_true(ps_traced_table(trace, put, out, NULL));
    g_assert_nonnull(strstr(out->str, "\"Card (0)\""));
}

/* ---- doubts ---------------------------------------------------------------------------------- */

static void test_doubts(void)
{
    g_autoptr(GPtrArray) doubts = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(PsTraced) good = read_text("times", FIRST LAUNCH("1", "1", "2", "0", "k") "done\n"),
                        bad = read_text("times", TIMES "failed\tlost\tspace\n"),
                        killed = read_text("times", FIRST LAUNCH("1", "1", "2", "0", "k")),
                        forbidden = read_text("counters", FIRST "failed\tprivileges\tno\n");
    ps_traced_doubt_times(good, doubts);
    ps_traced_doubt_counters(good, "", doubts);
    ps_traced_doubt_join(1, 0, good, doubts);
    g_assert_cmpuint(doubts->len, ==, 0);
    ps_traced_doubt_times(bad, doubts);
    g_assert_cmpuint(doubts->len, ==, 2);
    g_assert_cmpstr(doubts->pdata[0], ==, "some launches may be missing: space");
    g_assert_cmpstr(doubts->pdata[1], ==, "1 launches could not be timed, and are left out");
    ps_traced_doubt_times(killed, doubts);
    ps_traced_doubt_counters(forbidden, "", doubts);
    g_assert_cmpuint(doubts->len, ==, 4);
    g_assert_nonnull(strstr(doubts->pdata[3], "run as root"));
    ps_traced_doubt_join(0, 3, forbidden, doubts); /* which is why there are none */
    g_assert_cmpuint(doubts->len, ==, 4);
    ps_traced_doubt_join(0, 3, good, doubts);
    g_assert_cmpuint(doubts->len, ==, 5);
}

static void test_nothing(void)
{
    static const struct {
        const char *text, *why; /* NULL: it was measured */
    } cases[] = {{TIMES, NULL},
                 {"", "app did not start CUDA"},
                 {FIRST, "app launched no kernel"},
                 {FIRST LAUNCH("1", "0", "0", "0", "k"), "no launch has a time"},
                 {FIRST "failed\tcupti\tits reason\n", "nothing was measured: its reason"}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(PsTraced) trace = read_text("times", cases[i].text);
        g_assert_true(ps_traced_check(trace, "app", &error) == !cases[i].why);
        if (cases[i].why)
            g_assert_nonnull(strstr(error->message, cases[i].why));
    }
}

/* ---- recordings ------------------------------------------------------------------------------ */

/* Which launches are wanted, as "1101", and what the library is told. */
static void assert_chosen(const char *launches, const char *wanted, const char *told)
{
    g_autoptr(PsTraced) times = read_text("times", TIMES);
    g_auto(Left) left = left_new("wanted", "");
    g_autoptr(GError) error = NULL;
    g_autofree char *text = NULL;
    g_autofree guint8 *chosen = ps_traced_choose(times, launches, "launch", left.path, &error);
    g_assert_true((chosen != NULL) == (wanted != NULL));
    for (guint i = 0; wanted && i < strlen(wanted); i++)
        g_assert_cmpuint(chosen[i], ==, wanted[i] == '1');
    g_assert_true(g_file_get_contents(left.path, &text, NULL, NULL));
    g_assert_cmpstr(text, ==, told);
}

static void test_choose(void)
{
    g_autoptr(PsTraced) many =
        read_text("times", FIRST LAUNCH("1", "1", "2", "0", "k") LAUNCH("2", "3", "4", "0", "k")
                               LAUNCH("3", "5", "6", "0", "k") LAUNCH("4", "7", "8", "0", "k"));
    g_auto(Left) left = left_new("wanted", "");
    g_autofree guint8 *first = ps_traced_choose(many, NULL, "launch", left.path, NULL);
    g_assert_true(first[0] && first[1] && first[2] && !first[3]); /* three of a kind */
    assert_chosen(NULL, "1110", "1 _Z1kf\n2 _Z1kf\n1 other\n");
    assert_chosen("2..3", "0110", "2 _Z1kf\n1 other\n");
    assert_chosen("1,3..99", "1011", "1 _Z1kf\n1 other\n");
    assert_chosen("4", NULL, ""); /* a CUDA graph's */
    static const char *const wrong[] = {"", "0", "3..2", "1,", "x", "1..y"};
    for (guint i = 0; i < G_N_ELEMENTS(wrong); i++) {
        g_autoptr(GError) error = NULL;
        g_assert_false(ps_traced_launches_check(wrong[i], &error));
        g_assert_error(error, PS_ERROR, PS_ERROR_USAGE);
    }
    g_assert_true(ps_traced_launches_check(NULL, NULL));
}

/* ---- profilers ------------------------------------------------------------------------------- */

/* Metrics of one launch are its counts; thousands are taken apart from digits. */
static void test_ncu(void)
{
    g_auto(Left) left = left_new(
        "ncu.csv", "==PROF== Connected\n==ERROR== no counter b\n"
                   "\"ID\",\"Process ID\",\"Process Name\",\"Kernel Name\",\"Device\",\"Metric "
                   "Name\",\"Metric Value\"\n"
                   "\"0\",\"7\",\"app\",\"_Z1kf\",\"0\",\"a\",\"1,234\"\n"
                   "\"0\",\"7\",\"app\",\"_Z1kf\",\"0\",\"c\",\"5\"\n"
                   "\"1\",\"7\",\"app\",\"_Z1kf\",\"0\",\"a\",\"6\"\n"
                   "\"short\"\n");
    g_autoptr(PsTraced) trace = ps_traced_ncu_read(left.path, NULL);
    g_assert_cmpuint(trace->launches->len, ==, 2);
    g_assert_cmpstr(at(trace, 0)->counts, ==, "a=1234 c=5 ");
    g_assert_cmpstr(at(trace, 1)->counts, ==, "a=6 ");
    g_assert_cmpstr(at(trace, 0)->kernel, ==, "k(float)");
    g_assert_cmpstr(ps_traced_failure(trace, "counters"), ==, "no counter b");
}

static char *joined(char **words)
{
    char *text = g_strjoinv(" ", words);
    g_strfreev(words);
    return text;
}

static void test_rocm(void)
{
    char *app[] = {(char *)"app", (char *)"1", NULL}, *two[] = {(char *)"A", (char *)"B", NULL};
    g_auto(Left) left = left_new("counters.txt", "");
    g_autofree char *times = joined(ps_rocm_times_command(TRUE, "w", app)),
                    *old = joined(ps_rocm_times_command(FALSE, "w", app)),
                    *counts = joined(ps_rocm_counters_command(TRUE, "w", two, app, NULL)),
                    *old_counts =
                        joined(ps_rocm_counters_command(FALSE, left.folder, two, app, NULL)),
                    *pmc = NULL;
    g_assert_cmpstr(times, ==, "rocprofv3 --kernel-trace --output-format csv -d w -- app 1");
    g_assert_cmpstr(old, ==, "rocprof --timestamp on -o w/kernel_trace.csv app 1");
    g_assert_cmpstr(counts, ==, "rocprofv3 --pmc A B --output-format csv -d w -- app 1");
    g_assert_true(g_str_has_suffix(old_counts, "/counter_collection.csv app 1"));
    g_assert_true(g_file_get_contents(left.path, &pmc, NULL, NULL));
    g_assert_cmpstr(pmc, ==, "pmc: A B\n");
}

/* Only counters that are listed are asked for, a few in each run. */
static void test_counters(void)
{
    guint at = 0, n = 0;
    g_assert_null(ps_rocm_listed("usage: rocprof"));
    g_autoptr(GHashTable) known = ps_rocm_listed("gfx90a: SQ_WAVES, GRBM_GUI_ACTIVE (block GRBM)");
    g_assert_true(g_hash_table_contains(known, "GRBM_GUI_ACTIVE"));
    g_autoptr(GPtrArray) all = ps_counters_wanted("rocprofv3", NULL),
                         some = ps_counters_wanted("rocprofv3", known);
    g_assert_cmpuint(all->len, >, 4);
    g_assert_cmpuint(some->len, <, all->len);
    while (at < all->len) {
        g_auto(GStrv) group = ps_rocm_next_counters(all, &at);
        g_assert_cmpuint(g_strv_length(group), <=, 4);
        g_assert_cmpstr(group[0], ==, all->pdata[n]);
        n += g_strv_length(group);
    }
    g_assert_cmpuint(n, ==, all->len);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/traced/read", test_read);
    g_test_add_func("/traced/damaged", test_damaged);
    g_test_add_func("/traced/join", test_join);
    g_test_add_func("/traced/table", test_table);
    g_test_add_func("/traced/twins", test_twins);
    g_test_add_func("/traced/doubts", test_doubts);
    g_test_add_func("/traced/nothing", test_nothing);
    g_test_add_func("/traced/choose", test_choose);
    g_test_add_func("/traced/ncu", test_ncu);
    g_test_add_func("/traced/rocm", test_rocm);
    g_test_add_func("/traced/counters", test_counters);
    return g_test_run();
}
