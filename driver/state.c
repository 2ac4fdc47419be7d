/* SPDX-License-Identifier: BSD-3-Clause */
/* See state.h. */
#include "driver/state.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

Driver driver;

CUresult driver_enter(void)
{
    g_rec_mutex_lock(&driver.lock);
    return !driver.card                 ? CUDA_ERROR_NOT_INITIALIZED
           : driver.process != getpid() ? CUDA_ERROR_NOT_INITIALIZED
                                        : driver.sticky;
}

void driver_leave(CUresult *entered)
{
    (void)entered;
    g_rec_mutex_unlock(&driver.lock);
}

static void say(const char *text)
{
    fflush(stdout); /* the program's own output comes first */
    fprintf(stderr, "pipesim: %s\n", text);
    if (driver.log)
        ps_card_log_note(driver.log, text);
}

void driver_print(void)
{
    GString *printed = ps_card_printed(driver.card);
    fwrite(printed->str, 1, printed->len, stdout);
    g_string_truncate(printed, 0);
}

/* TRUE the first time; the caller holds the lock. */
static gboolean is_new(const char *text)
{
    if (!driver.said)
        driver.said = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    return g_hash_table_add(driver.said, g_strdup(text));
}

void driver_say_once(const char *text)
{
    g_rec_mutex_lock(&driver.lock);
    if (is_new(text))
        say(text);
    g_rec_mutex_unlock(&driver.lock);
}

void driver_note_once(const char *text)
{
    g_rec_mutex_lock(&driver.lock);
    if (driver.log && is_new(text))
        ps_card_log_note(driver.log, text);
    g_rec_mutex_unlock(&driver.lock);
}

CUresult driver_missing(const char *name)
{
    g_autofree char *text =
        g_strdup_printf("the program calls %s, which pipesim does not support", name);
    driver_say_once(text);
    return CUDA_ERROR_NOT_SUPPORTED;
}

CUresult driver_fail(GError *error)
{
    static const struct {
        PsErrorCode code;
        CUresult result;
    } results[] = {{PS_ERROR_LIMIT, CUDA_ERROR_OUT_OF_MEMORY},
                   {PS_ERROR_USAGE, CUDA_ERROR_INVALID_VALUE},
                   {PS_ERROR_RESOURCES, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES},
                   {PS_ERROR_SYNTAX, CUDA_ERROR_INVALID_IMAGE},
                   {PS_ERROR_VALUE, CUDA_ERROR_NO_BINARY_FOR_GPU}};
    CUresult result = CUDA_ERROR_UNKNOWN;
    for (guint i = 0; i < G_N_ELEMENTS(results); i++)
        if (g_error_matches(error, PS_ERROR, (gint)results[i].code))
            result = results[i].result;
    say(error->message);
    g_error_free(error);
    return result;
}

/* ---- the beginning -------------------------------------------------------------------------- */

/* The descriptor comes from the parent process; -1 if the program has closed descriptors that it
 * does not know. */
static int descriptor_of(const char *variable)
{
    const char *text = g_getenv(variable);
    const int file = text ? (int)g_ascii_strtoll(text, NULL, 10) : -1;
    return file > STDERR_FILENO && fcntl(file, F_GETFL) >= 0 ? file : -1;
}

static PsCardLog *open_log(void)
{
    const int file = descriptor_of(DRIVER_LOG);
    const gboolean graphs = g_strcmp0(g_getenv(DRIVER_GRAPHS), "1") == 0;
    return file >= 0 ? ps_card_log_new(file, graphs) : NULL;
}

static CUresult start(void)
{
    const char *path = g_getenv(DRIVER_GPU), *memory = g_getenv(DRIVER_MEMORY),
               *most = g_getenv(DRIVER_MOST), *jobs = g_getenv(DRIVER_JOBS);
    g_autoptr(GError) error = NULL;
    if (!path) {
        say("this driver has no GPU: it is for programs that `pipesim program` runs");
        return CUDA_ERROR_NO_DEVICE;
    }
    driver.log = open_log();
    driver.gpu = ps_gpu_load(path, &error);
    if (!driver.gpu) {
        say(error->message);
        return CUDA_ERROR_NO_DEVICE;
    }
    driver.streams = g_ptr_array_new_with_free_func(g_free);
    driver.process = getpid();
    driver.card =
        ps_card_new(driver.gpu, memory ? g_ascii_strtoull(memory, NULL, 10) : 0, driver.log);
    ps_card_limit(driver.card, most ? g_ascii_strtoull(most, NULL, 10) : 0);
    ps_card_threads(driver.card, jobs ? (guint)g_ascii_strtoull(jobs, NULL, 10) : 0);
    if (descriptor_of(DRIVER_RECORD) >= 0)
        ps_card_record_to(driver.card, descriptor_of(DRIVER_RECORD));
    if (g_strcmp0(g_getenv(DRIVER_SOME), "1") == 0)
        ps_card_some(driver.card);
    if (g_getenv(DRIVER_STEPS))
        ps_card_steps(driver.card);
    ps_card_log_start(driver.log);
    return CUDA_SUCCESS;
}

CUresult cuInit(unsigned int flags)
{
    if (flags)
        return CUDA_ERROR_INVALID_VALUE;
    g_rec_mutex_lock(&driver.lock);
    if (!driver.started)
        driver.failed = start();
    driver.started = TRUE;
    const gboolean forked = driver.card && driver.process != getpid();
    g_rec_mutex_unlock(&driver.lock);
    return forked ? CUDA_ERROR_NOT_INITIALIZED : driver.failed;
}

/* ---- streams -------------------------------------------------------------------------------- */

struct Stream *driver_stream(CUstream stream)
{
    if (!stream || stream == STREAM_LEGACY || stream == STREAM_PER_THREAD)
        return &driver.legacy;
    return g_ptr_array_find(driver.streams, stream, NULL) ? stream : NULL;
}

double driver_stream_at(const struct Stream *stream)
{
    double at = MAX(stream->at, driver.host);
    if (!stream->apart)
        at = MAX(at, driver.legacy.at);
    for (guint i = 0; stream == &driver.legacy && i < driver.streams->len; i++) {
        const struct Stream *other = driver.streams->pdata[i];
        if (!other->apart)
            at = MAX(at, other->at);
    }
    return at;
}

void driver_stream_add(struct Stream *stream, double seconds)
{
    stream->at = driver_stream_at(stream) + seconds;
}
