/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Profiles in rocprofv3's JSON: what is in one, in whichever order, and what is wrong with others.
 */
#include "tests/help/profile.h"

#include <math.h>
#include <string.h>

static char *text; /* what tests/profiles/rocprofv3.json says */

/* The text with one part in place of another, which must be there. */
static char *with(const char *part, const char *other)
{
    const char *at = strstr(text, part);
    g_assert_nonnull(at);
    return at ? g_strdup_printf("%.*s%s%s", (int)(at - text), text, other, at + strlen(part))
              : g_strdup(text);
}

static void bad(const char *part, const char *other, const char *expected)
{
    g_autofree char *changed = with(part, other);
    profile_bad(changed, expected);
}

static void check(const PsProfile *profile)
{
    const PsProfileKernel *k = profile_kernel(profile, 0), *m = profile_kernel(profile, 1);
    g_assert_cmpstr(profile ? profile->kind : NULL, ==, "rocprofv3 JSON");
    g_assert_cmpuint(profile ? profile->kernels->len : 0, ==, 2);
    g_assert_cmpstr(k->name, ==, "k(int, int)");
    g_assert_cmpstr(k->device, ==, "AMD Instinct MI210 (Agent 4)");
    g_assert_cmpint(k->launches, ==, 2);
    profile_near(k->seconds, 300e-9);
    g_assert_cmpstr(m->name, ==, "m.kd");
    g_assert_cmpstr(m->device, ==, "AMD Radeon PRO W7900 (Agent 5)");
    profile_near(m->seconds, 200e-9);
}

static void check_counters(const PsProfile *profile)
{
    check(profile);
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_INST), ==, 64 * 30);
    g_assert_cmpfloat(profile_metric(profile, 0, PS_M_TRAN_W), ==, 3072);
    g_assert_cmpfloat(profile_metric(profile, 1, PS_M_INST), ==, 32 * 5);
    g_assert_false(profile_warns(profile, "wave size", ""));
}

static void test_counters(void)
{
    const PsProfileOptions apart = {.apart = TRUE};
    g_autoptr(PsProfile) profile = profile_file(PROFILES "rocprofv3.json", NULL);
    check_counters(profile);
    g_assert_cmpint(profile_kernel(profile, 0)->line, ==, 24);
    g_autoptr(PsProfile) launches = profile_text(text, &apart);
    g_assert_cmpuint(launches ? launches->kernels->len : 0, ==, 3);
    g_assert_cmpfloat(profile_metric(launches, 1, PS_M_INST), ==, 64 * 20);
    g_autofree char *marked = g_strconcat("\xef\xbb\xbf", text, NULL);
    g_autoptr(PsProfile) same = profile_text(marked, NULL);
    check_counters(same);
}

/* What stands before the names is read behind them. */
static void test_order(void)
{
    g_auto(GStrv) ends = g_strsplit(text, "            \"agents\"", 2);
    const char *records = strstr(ends[1], "            \"callback_records\": {\n");
    g_autofree char *names = g_strndup(ends[1], (gsize)(records - ends[1]));
    const char *end = strstr(records, "        }\n    ]\n}");
    g_autofree char *turned =
        g_strdup_printf("%s%.*s, \"agents\"%.*s %s", ends[0], (int)(end - records), records,
                        (int)(strrchr(names, ',') - names), names, end);
    g_autoptr(PsProfile) profile = profile_text(turned, NULL);
    check_counters(profile);
}

/* Without counters the trace has the times. */
static void test_trace(void)
{
    g_autofree char *traced = with("\"counter_collection\"", "\"another\"");
    g_autoptr(PsProfile) profile = profile_text(traced, NULL);
    check(profile);
    g_assert_true(isnan(profile_metric(profile, 0, PS_M_INST)));
    g_assert_true(profile_warns(profile, "there are durations and no metrics", ""));
    g_autofree char *empty =
        with("\"counter_collection\": [", "\"counter_collection\": [], \"x\": [");
    g_autoptr(PsProfile) same = profile_text(empty, NULL);
    check(same);
}

/* A process each, with other launches or with the same and other counters. */
static void test_processes(void)
{
    const char *begin = strchr(text, '[') + 1, *end = strrchr(text, ']');
    g_autofree char *process = g_strndup(begin, (gsize)(end - begin));
    g_autofree char *twice =
        g_strdup_printf("{\"rocprofiler-sdk-tool\": [%s, %s]}", process, process);
    g_autoptr(PsProfile) profile = profile_text(twice, NULL);
    g_assert_cmpint(profile_kernel(profile, 0)->launches, ==, 4);
    profile_near(profile_kernel(profile, 0)->seconds, 600e-9);
    const PsProfileOptions apart = {.apart = TRUE};
    g_autoptr(PsProfile) each = profile_text(twice, &apart);
    g_assert_cmpuint(each ? each->kernels->len : 0, ==, 6);
    g_assert_cmpint(profile_kernel(each, 4)->launch, ==, 4);
    g_auto(GStrv) parts = g_strsplit(process, "\"SQ_INSTS\"", 2);
    g_auto(GStrv) rest = g_strsplit(parts[1], "\"WRITE_SIZE\"", 2);
    g_autofree char *passes =
        g_strdup_printf("{\"rocprofiler-sdk-tool\": [%s, %s\"SQ_BUSY_CYCLES\"%s\"FETCH_SIZE\"%s]}",
                        process, parts[0], rest[0], rest[1]);
    g_autoptr(PsProfile) runs = profile_text(passes, NULL);
    g_assert_cmpint(profile_kernel(runs, 0)->launches, ==, 2);
    profile_near(profile_kernel(runs, 0)->seconds, 300e-9);
    g_assert_cmpfloat(profile_metric(runs, 0, PS_M_TRAN_R), ==, 3072);
}

static void test_bad(void)
{
    bad("\"value\": 6.0", "\"value\": -6.0",
        "F:25:120: a counter's value is negative, and no count can be");
    bad("\"value\": 6.0", "\"value\": 1e999", "F:25:120: 1e999 is too large");
    bad("\"value\": 6.0", "\"value\": 1.7e308",
        "F:24: M_inst of the kernel that begins here is too large for a number");
    bad("{\"counter_id\": {\"handle\": 32}, \"value\": 1.0}",
        "{\"counter_id\": {\"handle\": 33}, \"value\": 1.0}",
        "F:25:126: no counter has the handle 33");
    bad("\"kernel_id\": 1, \"dispatch_id\": 1", "\"kernel_id\": 9, \"dispatch_id\": 1",
        "F:24:21: no kernel has the kernel_id 9");
    bad("\"agent_id\": {\"handle\": 102}, \"kernel_id\": 2, \"dispatch_id\": 3",
        "\"agent_id\": {\"handle\": 103}, \"kernel_id\": 2, \"dispatch_id\": 3",
        "F:28:21: no agent has the handle 103");
    bad("\"dispatch_id\": 2", "\"dispatch_id\": 1",
        "F:26:21: dispatch 1 is told of again: of kernels that were replayed pipesim reads "
        "nothing; count in passes, each a run of the program");
    bad("1700000000000000200", "1700000000000000000",
        "F:24:21: end_timestamp is 1700000000000000000, but start_timestamp 1700000000000000100: "
        "a kernel takes more than 0");
    bad("1700000000000000200", "-5",
        "F:24:176: -5 is no whole number from 0 to 18446744073709551615");
    bad("1700000000000000200", "1.7e18",
        "F:24:176: 1.7e18 is no whole number from 0 to 18446744073709551615");
    bad("\"wave_front_size\": 64", "\"wave_front_size\": 48",
        "F:7:171: an agent whose wave_front_size is 48; waves have 32 or 64 threads");
    bad("\"dispatch_info\"", "\"dispatch_data\"", "F:24:21: a launch without \"dispatch_info\"");
    bad("\"kernel_dispatch\"", "kernel_dispatch",
        "F:34:17: 'k' where a string in double quotes should be");
    profile_bad("{\"rocprofiler-sdk-tool\": []}",
                "F: there is no kernel here: was one launched and profiled?");
    profile_bad("{\"rocprofiler-sdk-tool\": [{\"agents\": [",
                "F:1:39: the file ends where an object, {...}, should follow; it may be cut off");
}

static gboolean end(const PsProgress *progress, gpointer unused)
{
    (void)unused;
    g_assert_cmpint(progress->phase, ==, PS_PHASE_FILE);
    g_assert_cmpfloat(progress->share, >, 0.3);
    g_assert_cmpuint(progress->of, ==, strlen(text));
    return FALSE;
}

static void test_cancelled(void)
{
    const PsProfileOptions options = {.progress = {end, NULL}};
    g_autoptr(GError) error = NULL;
    g_assert_null(ps_profile_load(PROFILES "rocprofv3.json", &options, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_CANCELLED);
}

static void test_damaged(void)
{
    const gsize length = strlen(text);
    for (gsize at = 1; at < length; at += 1 + at % 23) {
        static const char replacements[] = "\",\n-x9={}[]";
        const char kept = text[at];
        g_autoptr(GError) cut = NULL, damaged = NULL;
        g_autoptr(PsProfile) one = profile_bytes(text, at, NULL, &cut);
        g_assert_true(!one == (cut != NULL));
        text[at] = replacements[at % (sizeof replacements - 1)];
        g_autoptr(PsProfile) other = profile_bytes(text, length, NULL, &damaged);
        g_assert_true(!other == (damaged != NULL));
        text[at] = kept;
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_assert_true(g_file_get_contents(PROFILES "rocprofv3.json", &text, NULL, NULL));
    g_test_add_func("/profile/rocprof-json/counters", test_counters);
    g_test_add_func("/profile/rocprof-json/order", test_order);
    g_test_add_func("/profile/rocprof-json/trace", test_trace);
    g_test_add_func("/profile/rocprof-json/processes", test_processes);
    g_test_add_func("/profile/rocprof-json/bad", test_bad);
    g_test_add_func("/profile/rocprof-json/cancelled", test_cancelled);
    g_test_add_func("/profile/rocprof-json/damaged", test_damaged);
    const int status = g_test_run();
    g_free(text);
    return status;
}
