/* SPDX-License-Identifier: BSD-3-Clause */
/* Profiling a CUDA program: see profile.h. */
#include "cli/fail.h"
#include "cli/profile/child.h"
#include "cli/profile/profile.h"
#include "cli/system/beside.h"

#include <stdlib.h>

#define INJECTION "libpipesim-cupti.so"

typedef struct {
    const ProfileOptions *options;
    char *injection; /* our library's path */
    char *folder;    /* where it writes */
    char *wanted;    /* the file that tells it what to record */
    Output *record;  /* the recording; NULL: none is wanted */
    int status;      /* the command's, of its last run */
    gboolean ran;
} Cuda;

static void cuda_clear(Cuda *cuda)
{
    g_free(cuda->injection);
    g_free(cuda->wanted);
    output_drop(cuda->record);
    ps_folder_remove(cuda->folder);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Cuda, cuda_clear)

static char *find_injection(GError **error)
{
    const char *own = g_getenv("PIPESIM_INJECTION");
    if (own && *own)
        return g_canonicalize_filename(own, NULL);
    g_autofree char *folder = NULL;
    char *path = beside_library(INJECTION, G_FILE_TEST_EXISTS, &folder);
    if (path)
        return path;
    g_set_error(error, PS_ERROR, PS_ERROR_READ,
                "the library that is loaded into CUDA programs, %s, is not beside libpipesim (%s); "
                "`make` builds it, `make install` installs it, and PIPESIM_INJECTION may name it",
                INJECTION, folder);
    return NULL;
}

static char **environment_for(const Cuda *cuda, const char *phase)
{
    g_autofree char *metrics = ps_profile_counters("ncu");
    char **environment = g_get_environ();
    environment = g_environ_setenv(environment, "CUDA_INJECTION64_PATH", cuda->injection, TRUE);
    environment = g_environ_setenv(environment, "PIPESIM_PROFILE_FOLDER", cuda->folder, TRUE);
    environment = g_environ_setenv(environment, "PIPESIM_PROFILE_PHASE", phase, TRUE);
    g_autofree char *bytes = g_strdup_printf("%" G_GUINT64_FORMAT, cuda->options->memory);
    environment = g_environ_setenv(environment, "PIPESIM_PROFILE_WANTED", cuda->wanted, TRUE);
    environment = g_environ_setenv(environment, "PIPESIM_PROFILE_BYTES", bytes, TRUE);
    return g_environ_setenv(environment, "PIPESIM_PROFILE_METRICS", metrics, TRUE);
}

/* ---- what is said -------------------------------------------------------------------------- */

static void warn_of(const char *format, ...) G_GNUC_PRINTF(1, 2);

static void warn_of(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    warn(text);
}

/* Where the command ended well, it is our failure. */
static int fail_with(const Cuda *cuda, const GError *error)
{
    const int status = fail(error);
    return cuda->ran && cuda->status != 0 ? cuda->status : status;
}

static gboolean check_times(const Cuda *cuda, const ProfileTrace *times, GError **error)
{
    const char *why = profile_failure(times, "cupti");
    const char *program = cuda->options->command[0];
    if (profile_timed(times))
        return TRUE;
    if (!times->processes->len)
        g_set_error(error, PS_ERROR, PS_ERROR_VALUE,
                    "nothing was measured: %s did not start CUDA (no driver, or it is no CUDA "
                    "program)",
                    program);
    else
        g_set_error(error, PS_ERROR, PS_ERROR_VALUE, "nothing was measured: %s%s",
                    why ? why : program,
                    why                    ? ""
                    : times->launches->len ? ": no launch has a time"
                                           : " launched no kernel");
    return FALSE;
}

static void warn_of_times(const ProfileTrace *times)
{
    const char *lost = profile_failure(times, "lost");
    const char *failed = profile_failure(times, "cupti");
    guint killed = 0;
    for (guint i = 0; i < times->processes->len; i++)
        killed += !((const ProfileProcess *)times->processes->pdata[i])->done;
    if (killed)
        warn("the program did not end by itself: what it launched in its last second may be "
             "missing");
    if (failed)
        warn_of("in a process nothing was measured: %s", failed);
    if (lost)
        warn_of("some launches may be missing: %s", lost);
    const guint untimed = times->launches->len - profile_timed(times);
    if (untimed)
        warn_of("%u launches could not be timed, and are left out", untimed);
}

static void warn_of_counters(const Cuda *cuda, const ProfileTrace *counts)
{
    const char *forbidden = profile_failure(counts, "privileges");
    const char *why = profile_failure(counts, "counters");
    const char *cupti = profile_failure(counts, "cupti");
    if (forbidden)
        warn_of("the driver lets only administrators read counters (%s), so the file has only "
                "times: run as root, or have the module nvidia loaded with the option "
                "NVreg_RestrictProfilingToAdminUsers=0",
                forbidden);
    else if (why || cupti)
        warn_of("not all counters could be read: %s%s", why ? why : cupti,
                cuda->options->use_ncu ? "" : "; with --counters ncu Nsight Compute reads them");
}

static void warn_of_join(guint given, guint left, const ProfileTrace *counts)
{
    if (left && (given || !counts->failures->len))
        warn_of("%u launches have only times or only counters: the program does not launch the "
                "same kernels each time, or was stopped",
                left);
}

/* ---- runs ---------------------------------------------------------------------------------- */

/* FALSE and *error where the command cannot be run. */
static gboolean run(Cuda *cuda, char **command, const char *phase, GError **error)
{
    GError *why = NULL;
    g_auto(GStrv) environment = environment_for(cuda, phase);
    cuda->status = child_run(command, environment, NULL, &why);
    cuda->ran = TRUE;
    if (why)
        g_propagate_error(error, why);
    return !why;
}

/* Nsight Compute injects its own library. */
static ProfileTrace *count_by_ncu(Cuda *cuda, GError **error)
{
    GError *why = NULL;
    g_autofree char *log = g_build_filename(cuda->folder, "ncu.csv", NULL);
    g_auto(GStrv) command = profile_ncu_command(log, cuda->options->command, error);
    if (!command)
        return NULL;
    cuda->status = child_run(command, NULL, NULL, &why);
    if (!why)
        return profile_ncu_read(log, error);
    g_propagate_error(error, why);
    return NULL;
}

static ProfileTrace *count(Cuda *cuda, GError **error)
{
    if (cuda->options->use_ncu)
        return count_by_ncu(cuda, error);
    return run(cuda, cuda->options->command, "counters", error)
               ? profile_parts_read(cuda->folder, "counters", error)
               : NULL;
}

/* The second run. Whatever becomes of it, the times are kept. */
static void add_counters(Cuda *cuda, ProfileTrace *times)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(ProfileTrace) counts = count(cuda, &error);
    guint left = 0;
    if (!counts) {
        warn_of("there are no counters: %s", error->message);
        return;
    }
    const guint given = profile_join(times, counts, &left);
    warn_of_counters(cuda, counts);
    warn_of_join(given, left, counts);
}

/* ---- the recording ------------------------------------------------------------------------- */

/* The last run. FALSE and *error: there is no recording. */
static gboolean add_recording(Cuda *cuda, const ProfileTrace *times, GError **error)
{
    guint whole;
    const ProfileOptions *options = cuda->options;
    g_autofree guint8 *wanted =
        profile_recording_choose(times, options->launches, cuda->wanted, error);
    Output *output = cuda->record;
    if (!wanted || !run(cuda, options->command, "contents", error) ||
        !profile_recording_write(times, wanted, cuda->folder, output, &whole, error))
        return FALSE;
    cuda->record = NULL;
    if (!output_commit(output, error))
        return FALSE;
    g_autofree char *text =
        g_strdup_printf("%u launches, %u of them with their code and memory, are in %s",
                        times->launches->len, whole, options->record);
    note(text);
    return TRUE;
}

/* The exit status, where all else went well. What was measured is kept in any case. */
static int record(Cuda *cuda, const ProfileTrace *times)
{
    g_autoptr(GError) error = NULL;
    if (cuda->record && add_recording(cuda, times, &error))
        return cuda->status;
    if (!cuda->record)
        return cuda->status;
    g_prefix_error(&error, "--record: ");
    return fail_with(cuda, error);
}

static int write_out(const Cuda *cuda, const ProfileTrace *times, Output *output)
{
    g_autoptr(GError) error = NULL;
    if (!profile_write(times, output, &error)) {
        output_drop(output);
        return fail_with(cuda, error);
    }
    if (!output_commit(output, &error))
        return fail_with(cuda, error);
    g_autofree char *text =
        g_strdup_printf("%u launches, %u of them with counters, are in %s", profile_timed(times),
                        profile_counted(times), cuda->options->output);
    note(text);
    return cuda->status;
}

static int measure(Cuda *cuda, Output *output)
{
    g_autoptr(GError) error = NULL;
    const gint64 offset = child_input_tell();
    const gboolean started = run(cuda, cuda->options->command, "times", &error);
    g_autoptr(ProfileTrace) times =
        started ? profile_parts_read(cuda->folder, "times", &error) : NULL;
    if (!times || !check_times(cuda, times, &error)) {
        output_drop(output);
        return fail_with(cuda, error);
    }
    warn_of_times(times);
    if (cuda->options->counters && cuda->status == 0) {
        child_input_seek(offset);
        add_counters(cuda, times);
    } else if (cuda->status != 0 && (cuda->options->counters || cuda->record)) {
        warn_of("the program failed (status %d), and is not run again for its %s", cuda->status,
                cuda->options->counters ? "counters" : "recording");
    }
    const int first = cuda->status, status = write_out(cuda, times, output);
    if (first || status)
        return status;
    child_input_seek(offset);
    return record(cuda, times);
}

int profile_cuda(const ProfileOptions *options)
{
    g_autoptr(GError) error = NULL;
    g_auto(Cuda) cuda = {.options = options};
    if ((options->counters || options->record) && !child_can_rerun())
        warn(options->record ? "standard input is a pipe, which the program can read in its first "
                               "run alone: a recording needs another one"
                             : "standard input is a pipe, which the program can read in its first "
                               "run alone; --metrics times runs it once");
    cuda.injection = find_injection(&error);
    cuda.folder = cuda.injection ? ps_folder_private(&error) : NULL;
    cuda.wanted = cuda.folder ? g_build_filename(cuda.folder, "wanted", NULL) : NULL;
    if (cuda.folder && options->record && !(cuda.record = output_open(options->record, &error)))
        return fail(error);
    Output *output = cuda.folder ? output_open(options->output, &error) : NULL;
    return output ? measure(&cuda, output) : fail(error);
}
