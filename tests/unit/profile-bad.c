/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Profiles of nvprof and Nsight Compute that are none: of what is wrong with a file there is one
 * message, which names file, line and column.
 */
#include "tests/help/profile-ncu.h"
#include "tests/help/seeds.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

static void test_bad_kinds(void)
{
    static const char neither[] = "\n\nx,y,z\n1,2,3\n";
    static const char printed[] = "==PROF== Connected to process 1\n  f (64, 1, 1)x(256, 1, 1)\n";
    g_autoptr(GError) error = NULL;
    profile_bad("", "F: the file is empty");
    profile_bad("\n\n", "F: the file is empty");
    profile_bad("==PROF== Connected to process 1\n==WARNING== No kernels were profiled.\n",
                "F:1: there is no table here; the profiler says: ==WARNING== No kernels were "
                "profiled.");
    profile_bad("==12== NVPROF is profiling process 12\n==12== Error: unknown error\n",
                "F:1: there is no table here; the profiler says: ==12== Error: unknown error");
    g_assert_null(ps_profile_load("no/such/file", NULL, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_READ);
    g_clear_error(&error);

    g_assert_null(profile_bytes(neither, strlen(neither), NULL, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_SYNTAX);
    static const char *const kinds[] = {
        "F:3: this is no profile of a kind", "nvprof --csv --metrics;",
        "nvprof --csv --print-gpu-trace;",   "Nsight Compute --csv;",
        "Nsight Compute --csv --page raw;",  "JSON"};
    for (guint i = 0; error && i < G_N_ELEMENTS(kinds); i++)
        g_assert_nonnull(strstr(error->message, kinds[i]));
    g_clear_error(&error);

    g_assert_null(profile_bytes(printed, strlen(printed), NULL, &error));
    g_assert_nonnull(strstr(error ? error->message : "", "give the profiler --csv"));
    g_clear_error(&error);

    g_assert_null(profile_bytes("NVR\0\1\2", 6, NULL, &error));
    g_assert_nonnull(strstr(error ? error->message : "", "F:1: this is a binary file and no text"));
    g_assert_nonnull(strstr(error ? error->message : "", "ncu --import"));
}

/* Reports that only the profiler itself reads: how each is exported. */
static void test_reports(void)
{
    static const struct {
        const char *ending, *command;
    } reports[] = {{"ncu-rep", "ncu --import %s --csv --page raw"},
                   {"nsys-rep", "nsys export --type sqlite %s"},
                   {"qdrep", "nsys export --type sqlite %s"},
                   {"nvvp", "nvprof --import-profile %s --csv"},
                   {"a b.nvvp", "nvprof --import-profile '%s' --csv"},
                   {"qvrep",
                    "ncu --import %s --csv --page raw, nsys export --type sqlite %s, nvprof "
                    "--import-profile %s --csv, rocprofv3 --output-format csv"}};
    for (guint i = 0; i < G_N_ELEMENTS(reports); i++) {
        g_autoptr(GError) error = NULL;
        g_autofree char *name =
            g_strdup_printf("pipesim-report-%d.%s", getpid(), reports[i].ending);
        g_autofree char *path = g_build_filename(g_get_tmp_dir(), name, NULL);
        g_assert_true(g_file_set_contents(path, "NVR\0\1\2", 6, NULL));
        g_assert_null(ps_profile_load(path, NULL, &error));
        g_auto(GStrv) around = g_strsplit(reports[i].command, "%s", -1);
        g_autofree char *command = g_strjoinv(path, around);
        g_autofree char *expected =
            g_strdup_printf("%s:1: this is a binary file and no text: it has a zero byte here; "
                            "export a profiler's report first: %s",
                            path, command);
        g_assert_cmpstr(error ? error->message : NULL, ==, expected);
        g_unlink(path);
    }
}

static void test_bad_tables(void)
{
    profile_bad(LONG, "F:1: no kernel stands below this header: was one launched and profiled?");
    profile_bad(
        "x\n" LONG "==ERROR== out of luck\n",
        "F:2: no kernel stands below this header; the profiler says: ==ERROR== out of luck");
    profile_bad("\"ID\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\"\n",
                "F:1: the column \"Metric Value\" is missing in this header of Nsight Compute");
    profile_bad("\"ID\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n",
                "F:1: the column \"Kernel Name\" is missing in this header of Nsight Compute");
    profile_bad("\"Kernel Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n",
                "F:1: the column \"ID\" is missing in this header of Nsight Compute");
    profile_bad("\"ID\",\"dram__bytes_read.sum\"\n",
                "F:1: the column \"Kernel Name\" is missing in this header of Nsight Compute");
    profile_bad("\"Device\",\"Kernel\",\"Invocations\",\"Metric Name\",\"Min\",\"Max\"\n",
                "F:1: the column \"Avg\" is missing in this header of nvprof metrics");
    profile_bad("\"Start\",\"Duration\",\"Device\",\"Stream\"\n",
                "F:1: the column \"Name\" is missing in this header of nvprof trace");
    profile_bad("\"Time(%)\",\"Time\",\"Avg\",\"Min\",\"Max\",\"Name\"\n",
                "F:1: the column \"Calls\" is missing in this header of nvprof summary");
    profile_bad(
        LONG ROW("1", "7", "f", READ, "byte", "1") ROW("0", "7", "g", READ, "byte", "1")
            ROW("1", "7", "f", FP32, "inst", "1"),
        "F:3:1: launch 0 comes after launch 1: the rows of a launch must stand together, in "
        "order of the IDs");
    profile_bad(
        LONG ROW("1", "7", "f", READ, "byte", "1") ROW("0", "8", "g", READ, "byte", "1")
            ROW("1", "7", "f", FP32, "inst", "1"),
        "F:4:1: launch 1 comes after launch 1: the rows of a launch must stand together, in "
        "order of the IDs");
    profile_bad(LONG ROW("1", "7", "f", READ, "byte", "1") ROW("1", "7", "g", FP32, "inst", "1"),
                "F:3:9: launch 1 is of the kernel 'g' here, and above of 'f'");
    profile_bad(LONG ROW("x", "7", "f", READ, "byte", "1"), "F:2:1: ID: 'x' is no number");
    profile_bad(LONG ROW("0.5", "7", "f", READ, "byte", "1"),
                "F:2:1: ID: '0.5' is no whole number of at least 0");
    profile_bad(LONG ROW("0", "7", "", READ, "byte", "1"), "F:2:9: Kernel Name is empty");
}

static void test_bad_values(void)
{
    profile_bad(LONG ROW("0", "7", "f", READ, "byte", "-1"),
                "F:2:43: Metric Value: '-1' is negative, and no count or duration can be");
    profile_bad(LONG ROW("0", "7", "f", READ, "byte", "1e400"),
                "F:2:43: Metric Value: '1e400' is too large for a number");
    profile_bad(LONG ROW("0", "7", "f", READ, "byte", "infinite"),
                "F:2:43: Metric Value: 'infinite' is no number");
    profile_bad(LONG ROW("0", "7", "f", READ, "byte", ""),
                "F:2:43: Metric Value is empty where a number is due");
    profile_bad(LONG ROW("0", "7", "f", READ, "furlong", "1"),
                "F:2:46: Metric Value: '1' is of the unit 'furlong', and its unit must be one of "
                "bytes, such as byte or Kbyte");
    profile_bad(LONG ROW("0", "7", "f", TIME, "ns", "0"),
                "F:2:43: Metric Value: '0' is no duration: a kernel takes more than 0");
    profile_bad(
        LONG ROW("0", "7", "f", TIME, "", "1"),
        "F:2:41: Metric Value: '1' has no unit, and its unit must be one of time, such as ns "
        "or usecond");
    profile_bad(LONG ROW("0", "7", "f", READ, "byte", "1e308")
                    ROW("1", "7", "f", READ, "byte", "1e308"),
                "F:2: M_tran-r of the kernel that begins here is too large for a number");
    profile_bad("\"Device\",\"Kernel\",\"Invocations\",\"Metric Name\",\"Min\",\"Max\",\"Avg\"\n"
                "\"K40\",\"f\",0,\"inst_fp_32\",1,1,1\n",
                "F:2:11: Invocations: '0' is no whole number of at least 1");
    profile_bad("\"Device\",\"Kernel\",\"Invocations\",\"Metric Name\",\"Min\",\"Max\",\"Avg\"\n"
                "\"K40\",\"f\",2,\"inst_fp_32\",10,12,<TOO LARGE>\n",
                "F:2:32: Avg: '<TOO LARGE>' is no number");
    profile_bad("\"Start\",\"Duration\",\"Device\",\"Name\"\n1,1,\"K40\",\"f\"\n",
                "F:2:3: Duration: '1' has no unit, and its unit must be one of time, such as ns or "
                "usecond");
}

static void test_cut_off(void)
{
    profile_bad(
        LONG ROW("0", "7", "f", READ, "byte", "1") "\"0\",\"7\",\"f\"",
        "F:3:9: this row has 3 fields, and the header in line 1 has 6: the file is cut off");
    profile_bad(LONG "\"0\",\"7\",\"f\",\"dram_",
                "F:2:13: a quote begins here, and the file ends before it does: it is cut off");
    profile_bad(LONG "\"0\",\"7\",\"f\"\n",
                "F:2:9: this row has 3 fields, and the header in line 1 has 6");
    profile_bad("\"Device\",\"Kernel\",\"Invocations\",\"Metric Name\",\"Min\",\"Max\",\"Avg\"\n"
                "\"K40\",\"f\",2,\"inst_fp_32\",1000,1200,11",
                "F:2:36: Avg: '11' is not between Min and Max: the file is cut off");
    g_autoptr(PsProfile) profile = profile_text(
        "\"Device\",\"Kernel\",\"Invocations\",\"Metric Name\",\"Min\",\"Max\",\"Avg\"\n"
        "\"K40\",\"f\",2,\"inst_fp_32\",1,1200,11",
        NULL);
    g_assert_true(profile_warns(profile, "ends in line 2 without a line end", "cut off"));
}

/* How many bytes further the next place is: some three, less with more seeds than usual, more with
 * fewer and with a checker. Steps are uneven, so that each column and replacement has its turn. */
static gsize step_from(gsize at)
{
    const char *checker = g_getenv("PIPESIM_CHECKER");
    const double share = checker && *checker ? seeds_times() / 4 : seeds_times();
    return (gsize)MAX((double)(1 + at % 5) / share, 1) + (share < 1 ? at % 2 : 0);
}

/* Every file, cut off and with a byte replaced, at many places: an error or a profile, and never
 * anything else. */
static void test_damaged(void)
{
    static const char *const files[] = {
        "nvprof-metrics.csv", "nvprof-trace.csv", "nvprof-summary.csv",   "ncu-raw.csv",
        "ncu-summary.csv",    "ncu-long.csv",     "ncu-roofline-raw.csv", "ncu-roofline-long.csv"};
    for (guint i = 0; i < G_N_ELEMENTS(files); i++) {
        g_autofree char *file = g_strconcat(PROFILES, files[i], NULL);
        g_autofree char *text = NULL;
        gsize length = 0;
        g_assert_true(g_file_get_contents(file, &text, &length, NULL));
        for (gsize at = 0; at < length; at += step_from(at)) {
            static const char replacements[] = "\",\n-x9=";
            const char kept = text[at];
            g_autoptr(GError) cut = NULL, damaged = NULL;
            g_autoptr(PsProfile) one = profile_bytes(text, at, NULL, &cut);
            g_assert_true((one == NULL) == (cut != NULL));
            text[at] = replacements[at % (sizeof replacements - 1)];
            g_autoptr(PsProfile) other = profile_bytes(text, length, NULL, &damaged);
            g_assert_true((other == NULL) == (damaged != NULL));
            text[at] = kept;
        }
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/profile/bad/kinds", test_bad_kinds);
    g_test_add_func("/profile/bad/reports", test_reports);
    g_test_add_func("/profile/bad/tables", test_bad_tables);
    g_test_add_func("/profile/bad/values", test_bad_values);
    g_test_add_func("/profile/bad/cut-off", test_cut_off);
    g_test_add_func("/profile/bad/damaged", test_damaged);
    return g_test_run();
}
