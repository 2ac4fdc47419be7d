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
    char *injection; /* path of our library */
    char *folder;    /* folder that it writes to */
    char *wanted;    /* file that tells it what to record */
    Output *record;  /* recording; NULL: not wanted */
    int status;      /* status of the command's last run */
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

static void warn_of(const GPtrArray *doubts)
{
    for (guint i = 0; i < doubts->len; i++)
        warn(doubts->pdata[i]);
}

/* If the command succeeded, the failure is ours. */
static int fail_with(const Cuda *cuda, const GError *error)
{
    const int status = fail(error);
    return cuda->ran && cuda->status != 0 ? cuda->status : status;
}

/* ---- runs ---------------------------------------------------------------------------------- */

/* FALSE and *error if the command cannot be run. */
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
static PsTraced *count_by_ncu(Cuda *cuda, GError **error)
{
    GError *why = NULL;
    g_autofree char *log = g_build_filename(cuda->folder, "ncu.csv", NULL);
    g_autofree char *program = g_find_program_in_path("ncu");
    if (!program) {
        g_set_error(error, PS_ERROR, PS_ERROR_READ,
                    "--counters ncu needs Nsight Compute's program ncu, which is not found");
        return NULL;
    }
    g_auto(GStrv) command = ps_traced_ncu_command(log, cuda->options->command);
    cuda->status = child_run(command, NULL, NULL, &why);
    if (!why)
        return ps_traced_ncu_read(log, error);
    g_propagate_error(error, why);
    return NULL;
}

static PsTraced *count(Cuda *cuda, GError **error)
{
    if (cuda->options->use_ncu)
        return count_by_ncu(cuda, error);
    return run(cuda, cuda->options->command, "counters", error)
               ? ps_traced_read(cuda->folder, "counters", error)
               : NULL;
}

/* The second run, for counters. If it fails, times are kept. */
static void add_counters(Cuda *cuda, PsTraced *times)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PsTraced) counts = count(cuda, &error);
    g_autoptr(GPtrArray) doubts = g_ptr_array_new_with_free_func(g_free);
    guint left = 0;
    if (!counts) {
        g_autofree char *text = g_strdup_printf("there are no counters: %s", error->message);
        warn(text);
        return;
    }
    const guint given = ps_traced_join(times, counts, &left);
    ps_traced_doubt_counters(
        counts, cuda->options->use_ncu ? "" : "; with --counters ncu Nsight Compute reads them",
        doubts);
    ps_traced_doubt_join(given, left, counts, doubts);
    warn_of(doubts);
}

/* ---- the recording ------------------------------------------------------------------------- */

static gboolean put_bytes(gpointer output, gconstpointer bytes, gsize size, GError **error)
{
    return output_put_bytes(output, bytes, size, error);
}

/* The last run, for the recording. FALSE and *error: there is none. */
static gboolean add_recording(Cuda *cuda, const PsTraced *times, GError **error)
{
    guint whole;
    const ProfileOptions *options = cuda->options;
    g_autofree guint8 *wanted =
        ps_traced_choose(times, options->launches, "--launch", cuda->wanted, error);
    Output *output = cuda->record;
    const PsTracedOutput recording = {put_bytes, output, " (--memory BYTES)"};
    g_autoptr(GPtrArray) doubts = g_ptr_array_new_with_free_func(g_free);
    if (!wanted || !run(cuda, options->command, "contents", error))
        return FALSE;
    const gboolean good = ps_traced_record(&(PsTracedWanted){times, wanted}, cuda->folder,
                                           &recording, &whole, doubts, error);
    warn_of(doubts);
    if (!good)
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

/* The exit status, if all else succeeded. Measurements are kept in any case. */
static int record(Cuda *cuda, const PsTraced *times)
{
    g_autoptr(GError) error = NULL;
    if (cuda->record && add_recording(cuda, times, &error))
        return cuda->status;
    if (!cuda->record)
        return cuda->status;
    g_prefix_error(&error, "--record: ");
    return fail_with(cuda, error);
}

static gboolean put(const char *text, gpointer output, GError **error)
{
    return output_put(output, text, error);
}

static int write_out(const Cuda *cuda, const PsTraced *times, Output *output)
{
    g_autoptr(GError) error = NULL;
    if (!ps_traced_table(times, put, output, &error)) {
        output_drop(output);
        return fail_with(cuda, error);
    }
    if (!output_commit(output, &error))
        return fail_with(cuda, error);
    g_autofree char *text =
        g_strdup_printf("%u launches, %u of them with counters, are in %s", ps_traced_timed(times),
                        ps_traced_counted(times), cuda->options->output);
    note(text);
    return cuda->status;
}

static int measure(Cuda *cuda, Output *output)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GPtrArray) doubts = g_ptr_array_new_with_free_func(g_free);
    const gint64 offset = child_input_tell();
    const gboolean started = run(cuda, cuda->options->command, "times", &error);
    g_autoptr(PsTraced) times = started ? ps_traced_read(cuda->folder, "times", &error) : NULL;
    if (!times || !ps_traced_check(times, cuda->options->command[0], &error)) {
        output_drop(output);
        return fail_with(cuda, error);
    }
    ps_traced_doubt_times(times, doubts);
    warn_of(doubts);
    if (cuda->options->counters && cuda->status == 0) {
        child_input_seek(offset);
        add_counters(cuda, times);
    } else if (cuda->status != 0 && (cuda->options->counters || cuda->record)) {
        g_autofree char *text =
            g_strdup_printf("the program failed (status %d), and is not run again for its %s",
                            cuda->status, cuda->options->counters ? "counters" : "recording");
        warn(text);
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
