/* SPDX-License-Identifier: BSD-3-Clause */
/* See bench-measure.h. */
#include "cli/bench-measure.h"

#include "cli/fail.h"
#include "cli/find.h"
#include "cli/progress.h"

#include <errno.h>
#include <glib/gstdio.h>

/* Of a model with noise: so many samples are outliers, and take up to so many times as long. */
#define OUTLIERS 0.01
#define WORST 5

PsDevice *bench_open(const BenchOptions *bench, PsGpu **gpu, GError **error)
{
    if (!bench->model)
        return ps_device_open(bench->backend, bench->device, error);
    *gpu = find_gpu(bench->model, error);
    if (!*gpu)
        return NULL;
    const PsModelDevice model = {*gpu, bench->noise, bench->noise > 0 ? OUTLIERS : 0, WORST,
                                 bench->seed};
    return ps_device_model(&model, error);
}

/* ---- the plan ------------------------------------------------------------------------------ */

/* On a processor, which runs the work-items of a group one after another, the full grid takes very
 * long. */
static gboolean is_reduced(const BenchMeasurement *measurement)
{
    return measurement->device->info.processor && !measurement->options->grid_given;
}

/* Said before it begins: nobody who wanted a GPU shall wait for a processor. */
static void say_processor(const BenchMeasurement *measurement)
{
    if (!measurement->device->info.processor)
        return;
    g_autofree char *name = ps_text_clean(measurement->device->info.name);
    g_autofree char *text = g_strdup_printf(
        "the device is %s, a processor and no GPU%s", name ? name : "without a name",
        is_reduced(measurement) ? ": the grid is reduced (--grid chooses another one)" : "");
    note(text);
}

/* The plan of those with such names. */
static PsBenchPlan *plan_of(const BenchMeasurement *measurement, const char *names)
{
    const PsDeviceInfo *info = &measurement->device->info;
    const PsBenchGrid grid = is_reduced(measurement) ? PS_GRID_REDUCED : measurement->options->grid;
    return measurement->validation ? ps_validation_plan(info, grid, names)
                                   : ps_bench_plan(info, grid, names);
}

static PsBenchPlan *make_plan(const BenchMeasurement *measurement, GError **error)
{
    const BenchOptions *bench = measurement->options;
    g_autoptr(PsBenchPlan) plan = plan_of(measurement, bench->classes);
    if (plan->points->len)
        return g_steal_pointer(&plan);
    g_autoptr(PsBenchPlan) all = plan_of(measurement, NULL);
    g_autoptr(GString) names = g_string_new(NULL);
    for (guint i = 0; i < all->kernels->len; i++)
        g_string_append_printf(names, "%s%s", i ? ", " : "",
                               ((const PsBenchKernel *)all->kernels->pdata[i])->name);
    g_set_error(error, PS_ERROR, PS_ERROR_VALUE,
                "--classes %s: no benchmark has such a name; there are: %s", bench->classes,
                names->str);
    return NULL;
}

/* ---- measuring ----------------------------------------------------------------------------- */

typedef struct {
    const BenchMeasurement *measurement;
    Progress progress;
    gboolean begun;
} Watched;

static gboolean on_progress(void *self, const char *kernel, guint done, guint all)
{
    Watched *watched = self;
    (void)kernel;
    if (!watched->begun) {
        progress_begin(&watched->progress, all, done);
        watched->begun = TRUE;
    }
    progress_say(&watched->progress, done);
    return !interrupt_asked(watched->measurement->interrupt);
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
    return ps_raw_writer_new(path, &measurement->device->info, bench->resume, done, error);
}

gboolean bench_measure(const BenchMeasurement *measurement, GError **error)
{
    g_autoptr(PsBenchPlan) plan = make_plan(measurement, error);
    g_autoptr(PsRaw) done = NULL;
    PsRawWriter *writer = plan ? open_writer(measurement, &done, error) : NULL;
    if (!writer)
        return FALSE;
    say_processor(measurement);
    Watched watched = {.measurement = measurement};
    /* What is skipped is in the file, and is said with what else the description lacks. */
    const PsBenchMeasure measure = {writer, done, on_progress, &watched, NULL};
    g_autoptr(GError) why = NULL;
    ps_bench_measure(measurement->device, plan, &measure, &why);
    if (watched.begun)
        progress_wipe(&watched.progress);
    /* The first thing that went wrong is what counts. */
    const gboolean closed = ps_raw_writer_close(writer, why ? NULL : &why);
    if (!why)
        return closed;
    g_propagate_error(error, g_steal_pointer(&why));
    return FALSE;
}
