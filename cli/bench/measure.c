/* SPDX-License-Identifier: BSD-3-Clause */
/* See measure.h. */
#include "cli/bench/measure.h"

#include "cli/fail.h"
#include "cli/find.h"
#include "cli/system/interrupt.h"
#include "pipesim-private.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

/* The share of outliers in a model with noise; they take up to WORST times as long. */
#define OUTLIERS 0.01
#define WORST 5

typedef struct {
    const BenchOptions *options;
    Progress *progress;
    PsDevice *device;
    const char *path;     /* path of the measurements */
    Interrupt *interrupt; /* began before the device was opened */
    gboolean validation;
} BenchMeasurement;

/* Opens the device that the options ask for. A model needs gpu, which is read then and must outlive
 * it. NULL and *error if there is no device. */
static PsDevice *open_device(const BenchOptions *bench, PsGpu **gpu, GError **error)
{
    if (bench->cubins)
        return ps_device_open_cubins(bench->cubins, bench->device, error);
    if (!bench->model)
        return ps_device_open(bench->backend, bench->device, error);
    *gpu = find_gpu(bench->model, error);
    if (!*gpu)
        return NULL;
    const PsModelDevice model = {*gpu, bench->noise, bench->noise > 0 ? OUTLIERS : 0, WORST,
                                 bench->seed};
    return ps_device_model(&model, error);
}

/* TRUE for a processor: it runs the work-items of a group one after another, so the full grid would
 * take very long. */
static gboolean is_reduced(const BenchMeasurement *measurement)
{
    return measurement->device->info.processor && !measurement->options->grid_given;
}

/* Names the device beforehand: a user who wanted a GPU must not wait for a processor, nor measure
 * other code than expected. */
static void say_device(const BenchMeasurement *measurement)
{
    if (measurement->device->info.note)
        note(measurement->device->info.note);
    if (!measurement->device->info.processor)
        return;
    g_autofree char *name = ps_text_clean(measurement->device->info.name);
    g_autofree char *text = g_strdup_printf(
        "the device is %s, a processor and no GPU%s", name ? name : "without a name",
        is_reduced(measurement) ? ": the grid is reduced (--grid chooses another one)" : "");
    note(text);
}

/* ---- measuring ----------------------------------------------------------------------------- */

/* Goes on until a signal asks for an end. */
static gboolean on_progress(const PsProgress *progress, gpointer self)
{
    const BenchMeasurement *measurement = self;
    const PsHearer hearer = progress_hearer(measurement->progress);
    return ps_hearer_tell(&hearer, progress, NULL) && !interrupt_asked(measurement->interrupt);
}

static PsRawWriter *open_writer(const BenchMeasurement *measurement, PsRaw **done, GError **error)
{
    const BenchOptions *bench = measurement->options;
    const char *path = measurement->path;
    if (bench->force && !bench->resume && g_unlink(path) != 0 && errno != ENOENT) {
        const int why = errno;
        g_set_error(error, PS_ERROR, PS_ERROR_READ, "%s: cannot be replaced: %s", path,
                    g_strerror(why));
        return NULL;
    }
    const PsDeviceInfo *info = &measurement->device->info;
    g_autoptr(GPtrArray) plans =
        bench->resume ? ps_bench_plans(info, measurement->validation) : NULL;
    return ps_raw_writer_new(path, info, plans, done, error);
}

static void say_unseen(const char *why)
{
    if (!why)
        return;
    g_autofree char *text = g_strdup_printf(
        "nobody looked whether the machine code is what was to be measured: %s", why);
    note(text);
}

/* Runs all benchmarks that suit the device, until a signal asks for an end. */
static gboolean measure_on(const BenchMeasurement *measurement, GError **error)
{
    const BenchOptions *bench = measurement->options;
    const PsBenchGrid grid = is_reduced(measurement) ? PS_GRID_REDUCED : bench->grid;
    g_autoptr(PsBenchPlan) plan = ps_bench_choose(
        &measurement->device->info, measurement->validation, grid, bench->classes, error);
    if (!plan)
        g_prefix_error(error, "--classes %s: ", bench->classes);
    g_autoptr(PsRaw) done = NULL;
    PsRawWriter *writer = plan ? open_writer(measurement, &done, error) : NULL;
    if (!writer)
        return FALSE;
    say_device(measurement);
    for (guint i = 0; i < plan->warnings->len; i++)
        note(plan->warnings->pdata[i]);
    /* The file names what was skipped; it is reported with everything else that the description
     * lacks. */
    g_autofree char *unseen = NULL;
    const PsBenchMeasure measure = {
        writer, done, {on_progress, (gpointer)measurement}, NULL, &unseen};
    g_autoptr(GError) why = NULL;
    ps_bench_measure(measurement->device, plan, &measure, &why);
    say_unseen(unseen);
    /* The first failure is the one to report. */
    const gboolean closed = ps_raw_writer_close(writer, why ? NULL : &why);
    if (!why)
        return closed;
    g_propagate_error(error, g_steal_pointer(&why));
    return FALSE;
}

static gboolean choose(const BenchWork *work, const char *device, GError **error)
{
    return !work->choose || work->choose(work->self, device, error);
}

/* Measures. FALSE and *error on failure; *signal: a signal asked for an end. */
static gboolean measure(const BenchWork *work, int *signal, GError **error)
{
    Interrupt *interrupt = interrupt_begin(error);
    if (!interrupt)
        return FALSE;
    g_autoptr(PsGpu) gpu = NULL;
    PsDevice *device = open_device(work->options, &gpu, error);
    gboolean done = device && choose(work, device->info.name, error);
    if (done) {
        const BenchMeasurement measurement = {work->options, work->progress, device,
                                              *work->path,   interrupt,      work->validation};
        done = measure_on(&measurement, error);
    }
    ps_device_close(device); /* before the model's GPU is freed */
    *signal = interrupt_end(interrupt);
    return done;
}

/* ---- files --------------------------------------------------------------------------------- */

static gboolean is_same_file(const char *a, const char *b)
{
    g_autofree char *one = g_canonicalize_filename(a, NULL);
    g_autofree char *other = g_canonicalize_filename(b, NULL);
    GStatBuf x, y;
    return strcmp(one, other) == 0 || (g_stat(a, &x) == 0 && g_stat(b, &y) == 0 &&
                                       x.st_dev == y.st_dev && x.st_ino == y.st_ino);
}

gboolean bench_check_output(const char *name, const char *output, const char *raw, GError **error)
{
    return !output || strcmp(output, "-") == 0 || !is_same_file(output, raw) ||
           usage_error(error,
                       "%s: '%s' holds the measurements, and would be replaced; name another "
                       "file",
                       name, output);
}

gboolean bench_check_absent(const BenchOptions *options, const char *output, GError **error)
{
    if (options->force || strcmp(output, "-") == 0 || !g_file_test(output, G_FILE_TEST_EXISTS))
        return TRUE;
    g_set_error(error, PS_ERROR, PS_ERROR_READ,
                "%s exists already; --force replaces it, --output FILE writes another one", output);
    return FALSE;
}

/* ---- the whole ----------------------------------------------------------------------------- */

/* Says that measurements are kept, and how to continue them. */
static void say_kept(const char *path)
{
    if (!path || !g_file_test(path, G_FILE_TEST_EXISTS))
        return;
    g_autofree char *text =
        g_strdup_printf("what was measured is kept in %s; the same command with --resume goes on "
                        "from there",
                        path);
    note(text);
}

int bench_work(const BenchWork *work, GError **error)
{
    int signal = 0;
    const gboolean measured =
        work->options->from ? choose(work, NULL, error) : measure(work, &signal, error);
    if (measured && !signal)
        return work->use(work->self, error) ? EXIT_SUCCESS : fail(*error);
    const int status = measured ? EXIT_SUCCESS : fail(*error);
    if (measured || g_error_matches(*error, PS_ERROR, PS_ERROR_DEVICE))
        say_kept(*work->path);
    if (signal) {
        work->clear(work->self);
        interrupt_die(signal);
    }
    return status;
}
