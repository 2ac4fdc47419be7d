/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Profiles a HIP program by AMD's profilers (profile/rocm.h): one run for times, and as many as
 * counters need. The output holds the kernel parameters that the roofline makes of them.
 */
#include "cli/fail.h"
#include "cli/profile/child.h"
#include "cli/profile/profile.h"
#include "cli/system/draft.h"
#include "pipesim-private.h"

typedef struct {
    const ProfileOptions *options;
    gboolean is_v3;
    char *folder;
    GHashTable *known; /* counters that the profiler lists; NULL: it lists none */
    sigset_t before;   /* signals wait while the folder exists */
    gint64 input;      /* position of standard input */
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

/* Runs the profiler. FALSE and *error if it cannot be started. */
static gboolean run(Hip *hip, char **argv, GError **error)
{
    GError *why = NULL;
    child_input_seek(hip->input);
    hip->status = child_run(argv, NULL, &hip->before, &why);
    if (why)
        g_propagate_error(error, why);
    return !why;
}

static gboolean run_for_times(Hip *hip, const char *where, GError **error)
{
    g_auto(GStrv) argv = ps_rocm_times_command(hip->is_v3, where, hip->options->command);
    return run(hip, argv, error);
}

static gboolean run_for_counters(Hip *hip, const char *where, char **counters, GError **error)
{
    g_auto(GStrv) argv =
        ps_rocm_counters_command(hip->is_v3, where, counters, hip->options->command, error);
    return argv && run(hip, argv, error);
}

/* The counters that the profiler lists; NULL: it lists none. */
static GHashTable *known_counters(const Hip *hip)
{
    g_autoptr(GString) said = g_string_new(NULL);
    g_auto(GStrv) argv = ps_rocm_list_command(hip->is_v3);
    const PsTool tool = {.host = &draft_host, .argv = argv, .written = said};
    ps_tool_run(&tool, NULL);
    return ps_rocm_listed(said->str);
}

/* ---- counters ------------------------------------------------------------------------------ */

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

/* A run that fails leaves the counters of the others. */
static PsProfile *count(Hip *hip, GError **error)
{
    g_autoptr(GPtrArray) counters = ps_counters_wanted("rocprofv3", hip->known);
    guint at = 0;
    for (guint n = 0; at < counters->len; n++) {
        g_autofree char *where = make_folder(hip, "counters", n, error);
        g_auto(GStrv) group = ps_rocm_next_counters(counters, &at);
        if (!where || !run_for_counters(hip, where, group, error))
            return NULL;
        if (hip->status != 0)
            warn_of_failure(hip, group);
    }
    return ps_rocm_load(hip->is_v3, hip->folder, "counters", error);
}

/* ---- output -------------------------------------------------------------------------------- */

static gboolean write_out(const Hip *hip, const PsProfile *profile, GError **error)
{
    const char *path = hip->options->output;
    g_autofree char *json = ps_profile_kernels_json(profile);
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
               ? ps_rocm_load(hip->is_v3, hip->folder, "times", error)
               : NULL;
}

/* Joins counters and times; without times, returns counters alone. */
static PsProfile *add_counters(Hip *hip, const PsProfile *times)
{
    g_autoptr(GError) error = NULL;
    PsProfile *counts = count(hip, &error);
    if (counts) {
        ps_rocm_join(counts, times);
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
