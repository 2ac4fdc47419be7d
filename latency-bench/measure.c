/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs a plan kernel by kernel and point by point; each run is a row in the raw file as soon as it
 * is over. What cannot be measured is reported and left out; only a failing device ends everything.
 */
#include "latency-bench/code.h"
#include "base/hearer.h"
#include "latency-bench/internal.h"
#include "latency-bench/raw/private.h"

#include <math.h>
#include <string.h>

typedef struct {
    PsDevice *device;
    const PsBenchPlan *plan;
    const PsBenchMeasure *measure;
    PsRawIndex *done; /* rows that exist already */
    gint64 begun;     /* on the monotonic clock */
    guint n_usable;   /* kernels that compile, or were measured before */
    char *broken;     /* why the first kernel that does not compile fails */

    /* state of the present kernel */
    const PsBenchKernel *kernel;
    PsBenchProgram *program; /* NULL until a run is needed */
    gboolean is_broken, is_usable;
    guint n_points, n_lacking; /* points so far; points that the device cannot launch */
    char *lack;                /* why it cannot launch the first of them */
} Run;

static void end_program(Run *run)
{
    if (run->program)
        ps_device_release(run->device, run->program);
    run->program = NULL;
}

static void run_clear(Run *run)
{
    end_program(run);
    ps_raw_index_free(run->done);
    g_free(run->broken);
    g_free(run->lack);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Run, run_clear)

static void warn(const Run *run, const char *format, ...) G_GNUC_PRINTF(2, 3);

static void warn(const Run *run, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    if (run->measure->warnings)
        g_ptr_array_add(run->measure->warnings, ps_raw_clean(text));
}

/* FALSE: the progress callback wants to stop. */
static gboolean tell(const Run *run, guint done)
{
    const guint all = run->plan->points->len;
    const PsProgress progress = {PS_PHASE_POINTS, done, all, (double)done / all, run->begun};
    return ps_hearer_tell(&run->measure->progress, &progress, NULL);
}

/* ---- rows ---------------------------------------------------------------------------------- */

/* launch NULL: the problem is the kernel's. */
static gboolean put_row(const Run *run, const PsBenchLaunch *launch, const PsBenchSample *sample,
                        const char *problem, GError **error)
{
    g_autoptr(PsRawRow) row = g_new(PsRawRow, 1);
    ps_raw_row_set(row, run->kernel);
    if (launch) {
        row->launch = *launch;
        row->footprint = ps_bench_footprint(run->kernel, &run->device->info, launch);
    }
    if (sample)
        row->sample = *sample;
    row->problem = g_strdup(problem);
    return ps_raw_writer_put(run->measure->writer, row, error);
}

/* The problem of the present kernel without its name, as in the raw file (g_free). */
static char *say(const Run *run, const GError *why)
{
    const char *text = why->message;
    const gsize length = strlen(run->kernel->name);
    if (g_str_has_prefix(text, run->kernel->name) && g_str_has_prefix(text + length, ": "))
        text += length + strlen(": ");
    return ps_raw_clean(*text ? text : "no reason was given");
}

/* ---- a kernel ------------------------------------------------------------------------------ */

/* Leaves the kernel out; a continued campaign tries it again, and reports it once. */
static gboolean give_up(Run *run, const GError *why, GError **error)
{
    const PsRawRow *before = ps_raw_index_problem(run->done, run->kernel->name, NULL);
    g_autofree char *text = say(run, why);
    warn(run, "%s is left out: %s", run->kernel->name, text);
    if (!run->broken)
        run->broken = g_strdup_printf("%s: %s", run->kernel->name, text);
    run->is_broken = TRUE;
    end_program(run);
    if (before && strcmp(before->problem, text) == 0)
        return TRUE;
    return put_row(run, NULL, NULL, text, error);
}

static gboolean check_code(const Run *run, GError **error)
{
    g_autofree char *code = ps_device_code(run->device, run->program), *unseen = NULL;
    g_autoptr(GBytes) image = ps_device_image(run->device, run->program);
    const gboolean ok = ps_bench_check_code(run->kernel, image, code, &unseen, error);
    if (unseen && run->measure->unseen && !*run->measure->unseen)
        *run->measure->unseen = g_steal_pointer(&unseen);
    return ok;
}

/* A kernel's first launch loads its code into the device, so its time does not count. */
static gboolean warm_up(const Run *run, const PsBenchLaunch *launch, GError **error)
{
    GError *why = NULL;
    PsBenchSample sample;
    if (ps_device_run(run->device, run->program, launch, &sample, &why))
        return TRUE;
    if (!g_error_matches(why, PS_ERROR, PS_ERROR_RESOURCES)) {
        g_propagate_error(error, why);
        return FALSE;
    }
    g_error_free(why);
    return TRUE;
}

/* Compiles the kernel, unless that was tried before. FALSE and *error only if everything ends. */
static gboolean need_program(Run *run, const PsBenchLaunch *launch, GError **error)
{
    GError *why = NULL;
    if (run->program || run->is_broken)
        return TRUE;
    run->program = ps_device_compile(run->device, run->kernel, &why);
    if (!run->program && !ps_device_check(run->device, error)) {
        g_error_free(why);
        return FALSE;
    }
    if (!run->program || !check_code(run, &why)) {
        const gboolean ok = give_up(run, why, error);
        g_error_free(why);
        return ok;
    }
    run->is_usable = TRUE;
    return warm_up(run, launch, error);
}

static void begin_kernel(Run *run, const PsBenchKernel *kernel)
{
    run->kernel = kernel;
    run->is_broken = run->is_usable = FALSE;
    run->n_points = run->n_lacking = 0;
}

static void end_kernel(Run *run)
{
    if (run->n_lacking > 0)
        warn(run, "%s: %u of %u points are left out, since the device cannot launch them: %s",
             run->kernel->name, run->n_lacking, run->n_points, run->lack);
    g_clear_pointer(&run->lack, g_free);
    run->n_usable += run->is_usable;
    end_program(run);
}

/* ---- a point ------------------------------------------------------------------------------- */

static void count_lack(Run *run, const char *why)
{
    if (run->n_lacking++ == 0)
        run->lack = g_strdup(why);
}

static double usable(double figure)
{
    return isfinite(figure) && figure > 0 ? figure : NAN;
}

/* A reading is required, and NaN is none. */
static gboolean check_sample(const Run *run, PsBenchSample *sample, GError **error)
{
    const PsBenchSample good = {usable(sample->cycles), usable(sample->seconds),
                                usable(sample->mhz)};
    if (isnan(good.cycles) && isnan(good.seconds)) {
        g_set_error(error, PS_ERROR, PS_ERROR_DEVICE,
                    "the timers of %s do not advance: by them a run took no time",
                    run->device->info.name);
        return FALSE;
    }
    *sample = good;
    return TRUE;
}

/* *lacks: the device cannot make this launch. */
static gboolean run_once(Run *run, const PsBenchLaunch *launch, gboolean *lacks, GError **error)
{
    GError *why = NULL;
    PsBenchSample sample = {NAN, NAN, NAN};
    *lacks = FALSE;
    if (ps_device_run(run->device, run->program, launch, &sample, &why))
        return check_sample(run, &sample, error) && put_row(run, launch, &sample, NULL, error);
    *lacks = g_error_matches(why, PS_ERROR, PS_ERROR_RESOURCES);
    if (!*lacks) {
        g_propagate_error(error, why);
        return FALSE;
    }
    g_autofree char *text = say(run, why);
    g_error_free(why);
    count_lack(run, text);
    return put_row(run, launch, NULL, text, error);
}

static gboolean run_point(Run *run, const PsBenchPoint *point, GError **error)
{
    PsBenchLaunch launch = point->launch;
    const PsRawRow *problem = ps_raw_index_problem(run->done, run->kernel->name, &launch);
    gboolean lacks = FALSE;
    run->n_points++;
    if (problem) {
        run->is_usable = TRUE;
        count_lack(run, problem->problem);
        return TRUE;
    }
    for (launch.repeat = 0; launch.repeat < (gint64)point->repeats && !lacks; launch.repeat++) {
        if (ps_raw_index_run(run->done, run->kernel->name, &launch)) {
            run->is_usable = TRUE;
            continue;
        }
        if (!need_program(run, &launch, error))
            return FALSE;
        if (run->is_broken)
            return TRUE;
        if (!run_once(run, &launch, &lacks, error))
            return FALSE;
    }
    return TRUE;
}

/* ---- the plan ------------------------------------------------------------------------------ */

/* FALSE on an error; *stopped if the progress callback wants to stop. */
static gboolean run_points(Run *run, gboolean *stopped, GError **error)
{
    const GArray *points = run->plan->points;
    for (guint i = 0; i < points->len; i++) {
        const PsBenchPoint *point = &g_array_index(points, PsBenchPoint, i);
        const PsBenchKernel *kernel = run->plan->kernels->pdata[point->kernel];
        if (!run->kernel || kernel != run->kernel) {
            if (run->kernel)
                end_kernel(run);
            begin_kernel(run, kernel);
            *stopped = !tell(run, i);
        }
        if (*stopped)
            return TRUE;
        if (!run_point(run, point, error)) {
            g_prefix_error(error, "%s: ", kernel->name);
            return FALSE;
        }
        *stopped = !tell(run, i + 1);
        if (*stopped)
            return TRUE;
    }
    return TRUE;
}

gboolean ps_bench_measure(PsDevice *device, const PsBenchPlan *plan, const PsBenchMeasure *measure,
                          GError **error)
{
    g_auto(Run)
        run = {.device = device, .plan = plan, .measure = measure, .done = ps_raw_index_new()};
    run.begun = g_get_monotonic_time();
    gboolean stopped = FALSE;
    for (guint i = 0; measure->done && i < measure->done->rows->len; i++)
        ps_raw_index_add(run.done, measure->done->rows->pdata[i]);
    const gboolean ok = run_points(&run, &stopped, error);
    if (run.kernel)
        end_kernel(&run);
    if (ok && !stopped && run.n_usable == 0 && run.broken) {
        g_set_error(error, PS_ERROR, PS_ERROR_DEVICE, "not one kernel can be run: %s", run.broken);
        return FALSE;
    }
    return ok;
}
