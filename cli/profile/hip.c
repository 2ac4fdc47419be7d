/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Profiling a HIP program by AMD's profilers: rocprofv3, else rocprof. One run is for times, and as
 * many as it takes for counters; few counters go into a run, for the hardware has few, and more
 * than it has end the program. What is written are the kernel parameters that the roofline makes of
 * them.
 */
#include "cli/fail.h"
#include "cli/profile/child.h"
#include "cli/profile/profile.h"
#include "cli/system/draft.h"
#include "pipesim-private.h"

#include <math.h>
#include <string.h>

#define COUNTERS_PER_RUN 4

typedef struct {
    const ProfileOptions *options;
    gboolean is_v3;
    char *folder;
    GHashTable *known; /* counters that the profiler lists; NULL where it does not */
    sigset_t before;   /* signals wait while there is the folder */
    gint64 input;      /* where standard input stood */
    int status;
} Hip;

/* A signal that came since the last run ends us here. */
static void hip_clear(Hip *hip)
{
    ps_folder_remove(hip->folder);
    g_clear_pointer(&hip->known, g_hash_table_unref);
    child_heed(&hip->before);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Hip, hip_clear)

static gboolean choose_profiler(Hip *hip, GError **error)
{
    g_autofree char *v3 = g_find_program_in_path("rocprofv3");
    g_autofree char *v1 = g_find_program_in_path("rocprof");
    hip->is_v3 = v3 != NULL;
    if (!v3 && !v1)
        g_set_error(error, PS_ERROR, PS_ERROR_READ,
                    "profiling HIP programs needs ROCm's rocprofv3 or rocprof, and neither is in "
                    "PATH (it may be in /opt/rocm/bin)");
    return v3 || v1;
}

/* ---- runs ---------------------------------------------------------------------------------- */

/* Runs the command behind the profiler's words. FALSE and *error where it cannot be started. */
static gboolean run(Hip *hip, const char *const *words, GError **error)
{
    GError *why = NULL;
    g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
    for (; *words; words++)
        g_strv_builder_add(builder, *words);
    g_strv_builder_addv(builder, (const char **)hip->options->command);
    g_auto(GStrv) argv = g_strv_builder_end(builder);
    child_input_seek(hip->input);
    hip->status = child_run(argv, NULL, &hip->before, &why);
    if (why)
        g_propagate_error(error, why);
    return !why;
}

static gboolean run_for_times(Hip *hip, const char *where, GError **error)
{
    const char *const v3[] = {
        "rocprofv3", "--kernel-trace", "--output-format", "csv", "-d", where, "--", NULL};
    g_autofree char *file = g_build_filename(where, "kernel_trace.csv", NULL);
    const char *const v1[] = {"rocprof", "--timestamp", "on", "-o", file, NULL};
    return run(hip, hip->is_v3 ? v3 : v1, error);
}

static gboolean run_for_counters(Hip *hip, const char *where, char **counters, GError **error)
{
    g_autoptr(GPtrArray) v3 = g_ptr_array_new();
    g_ptr_array_add(v3, (gpointer) "rocprofv3");
    g_ptr_array_add(v3, (gpointer) "--pmc");
    for (guint i = 0; counters[i]; i++)
        g_ptr_array_add(v3, counters[i]);
    const char *const rest[] = {"--output-format", "csv", "-d", where, "--", NULL};
    for (guint i = 0; i < G_N_ELEMENTS(rest); i++)
        g_ptr_array_add(v3, (gpointer)rest[i]);
    if (hip->is_v3)
        return run(hip, (const char *const *)v3->pdata, error);
    g_autofree char *list = g_strjoinv(" ", counters), *text = g_strdup_printf("pmc: %s\n", list);
    g_autofree char *wanted = g_build_filename(where, "counters.txt", NULL);
    g_autofree char *file = g_build_filename(where, "counter_collection.csv", NULL);
    const char *const v1[] = {"rocprof", "-i", wanted, "-o", file, NULL};
    return g_file_set_contents(wanted, text, -1, error) && run(hip, v1, error);
}

/* The words of what the profiler lists; NULL where it does not. */
static GHashTable *known_counters(const Hip *hip)
{
    const char *const v3[] = {"rocprofv3", "--list-avail", NULL};
    const char *const v1[] = {"rocprof", "--list-basic", "--list-derived", NULL};
    g_autoptr(GString) said = g_string_new(NULL);
    const PsTool tool = {
        .host = &draft_host, .argv = (char **)(hip->is_v3 ? v3 : v1), .written = said};
    ps_tool_run(&tool, NULL);
    if (!strstr(said->str, "SQ_"))
        return NULL;
    GHashTable *known = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_auto(GStrv) words = g_strsplit_set(said->str, " \t\r\n,:;[]()\"'", -1);
    for (guint i = 0; words[i]; i++)
        g_hash_table_add(known, g_strdup(words[i]));
    return known;
}

/* ---- files --------------------------------------------------------------------------------- */

/* Appends all files below the folder whose names end so. */
static void gather(const char *folder, const char *ending, guint depth, GString *text)
{
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    const char *name;
    while (dir && (name = g_dir_read_name(dir)) != NULL) {
        g_autofree char *path = g_build_filename(folder, name, NULL), *content = NULL;
        gsize length = 0;
        if (g_file_test(path, G_FILE_TEST_IS_DIR) && depth > 0)
            gather(path, ending, depth - 1, text);
        else if (g_str_has_suffix(name, ending) &&
                 g_file_get_contents(path, &content, &length, NULL))
            g_string_append_len(text, content, (gssize)length);
    }
}

/* All of them as one profile; NULL and *error where there is none. */
static PsProfile *load(const Hip *hip, const char *what, const char *ending, GError **error)
{
    g_autofree char *folder = g_build_filename(hip->folder, what, NULL);
    g_autofree char *whole = g_strconcat(hip->folder, "/", what, ".csv", NULL);
    g_autoptr(GString) text = g_string_new(NULL);
    gather(folder, ending, 4, text);
    if (!text->len) {
        g_set_error(error, PS_ERROR, PS_ERROR_READ, "%s wrote no *%s: no kernel was launched?",
                    hip->is_v3 ? "rocprofv3" : "rocprof", ending);
        return NULL;
    }
    return g_file_set_contents(whole, text->str, (gssize)text->len, error)
               ? ps_profile_load(whole, NULL, error)
               : NULL;
}

/* ---- counters ------------------------------------------------------------------------------ */

/* The next few. */
static char **take_group(const GPtrArray *counters, guint *at)
{
    g_autoptr(GStrvBuilder) group = g_strv_builder_new();
    const guint end = MIN(*at + COUNTERS_PER_RUN, counters->len);
    for (; *at < end; ++*at)
        g_strv_builder_add(group, counters->pdata[*at]);
    return g_strv_builder_end(group);
}

static char *make_folder(const Hip *hip, const char *what, guint n, GError **error)
{
    g_autofree char *path = g_strdup_printf("%s/%s/%u", hip->folder, what, n);
    if (g_mkdir_with_parents(path, 0700) == 0)
        return g_steal_pointer(&path);
    g_set_error(error, PS_ERROR, PS_ERROR_READ, "%s: cannot be made", path);
    return NULL;
}

static void warn_of_failure(const Hip *hip, char **group)
{
    g_autofree char *list = g_strjoinv(" ", group);
    g_autofree char *text =
        g_strdup_printf("the run for %s failed with status %d", list, hip->status);
    warn(text);
}

/* A run that fails leaves the others' counters. */
static PsProfile *count(Hip *hip, GError **error)
{
    g_autoptr(GPtrArray) counters = profile_counters("rocprofv3", hip->known);
    guint at = 0;
    for (guint n = 0; at < counters->len; n++) {
        g_autofree char *where = make_folder(hip, "counters", n, error);
        g_auto(GStrv) group = take_group(counters, &at);
        if (!where || !run_for_counters(hip, where, group, error))
            return NULL;
        if (hip->status != 0)
            warn_of_failure(hip, group);
    }
    return load(hip, "counters", "counter_collection.csv", error);
}

/* Counts keep their kernels, and get the times of the run that was for these. */
static void join(PsProfile *counts, const PsProfile *times)
{
    for (guint i = 0; i < counts->kernels->len; i++) {
        PsProfileKernel *kernel = counts->kernels->pdata[i];
        kernel->seconds = NAN;
    }
    ps_profile_join(counts, times);
}

/* ---- output -------------------------------------------------------------------------------- */

static void put_kernel(PsJson *json, const PsProfileKernel *kernel)
{
    g_autoptr(PsTold) facts = ps_told_new();
    ps_tell(facts, PS_FACT_ROOFLINE_REPORT_KERNELS_NAME, kernel->name);
    ps_tell(facts, PS_FACT_ROOFLINE_REPORT_KERNELS_DEVICE, kernel->device);
    ps_tell(facts, PS_FACT_ROOFLINE_REPORT_KERNELS_LAUNCHES, kernel->launches);
    ps_tell(facts, PS_FACT_ROOFLINE_REPORT_KERNELS_MEASURED_SECONDS, kernel->seconds);
    ps_tell_parameters(&kernel->params, facts);
    ps_json_told_object(json, facts);
}

/* What the verb roofline writes has the same keys. */
static char *make_json(const PsProfile *profile)
{
    PsJson json = {.out = g_string_new(NULL)};
    ps_json_open(&json, NULL, '{', PS_JSON_LINES);
    ps_json_open_fact(&json, PS_FACT_PROFILE_KERNELS);
    for (guint i = 0; i < profile->kernels->len; i++)
        put_kernel(&json, profile->kernels->pdata[i]);
    ps_json_close(&json, ']');
    ps_json_close(&json, '}');
    g_string_append_c(json.out, '\n');
    return g_string_free(json.out, FALSE);
}

static gboolean write_out(const Hip *hip, const PsProfile *profile, GError **error)
{
    const char *path = hip->options->output;
    g_autofree char *json = make_json(profile);
    if (!output_write(path, json, error))
        return FALSE;
    g_autofree char *text = g_strdup_printf("%u kernels are in %s", profile->kernels->len, path);
    note(text);
    return TRUE;
}

static PsProfile *measure_times(Hip *hip, GError **error)
{
    g_autofree char *where = make_folder(hip, "times", 0, error);
    return where && run_for_times(hip, where, error)
               ? load(hip, "times", hip->is_v3 ? "kernel_trace.csv" : ".csv", error)
               : NULL;
}

/* Counters, with the times; without them, these alone. */
static PsProfile *add_counters(Hip *hip, const PsProfile *times)
{
    g_autoptr(GError) error = NULL;
    PsProfile *counts = count(hip, &error);
    if (counts) {
        join(counts, times);
    } else {
        g_autofree char *text =
            g_strdup_printf("there are no counters, so the file has only times: %s",
                            error ? error->message : "no memory");
        warn(text);
    }
    return counts;
}

static int measure(Hip *hip)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PsProfile) times = measure_times(hip, &error);
    g_autoptr(PsProfile) counts = NULL;
    const int status = hip->status;
    if (!times) {
        const int own = fail(error);
        return status ? status : own;
    }
    if (hip->options->counters && status == 0)
        counts = add_counters(hip, times);
    return write_out(hip, counts ? counts : times, &error) ? status : fail(error);
}

int profile_hip(const ProfileOptions *options)
{
    g_autoptr(GError) error = NULL;
    Hip tried = {.options = options, .input = child_input_tell()};
    if (options->use_ncu)
        usage_error(&error, "--counters ncu is for CUDA programs");
    if (error || !choose_profiler(&tried, &error))
        return fail(error);
    if (options->counters)
        tried.known = known_counters(&tried);
    child_defer(&tried.before);
    g_auto(Hip) hip = tried;
    hip.folder = ps_folder_private(&error);
    return hip.folder ? measure(&hip) : fail(error);
}
