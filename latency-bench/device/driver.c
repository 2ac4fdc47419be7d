/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One launch of a micro-benchmark, for every driver: whether it is possible, whether its buffers
 * exist, how long it took, and at which clock.
 *
 * The clock is the slope between two launches, one of a single trip and the one that was asked for:
 * the cost of a launch in seconds drops out. The first of the two also loads the code.
 */
#include "latency-bench/internal.h"
#include "latency-bench/device/driver.h"
#include <math.h>

#define MOST_GROUPS G_MAXINT32 /* groups of any driver */
#define MOST_TRIPS (1 << 30)   /* kernels tell so from others: see kernels/common.h */
#define SWEEP_THREADS 256      /* threads of a group that empties caches */
#define CLOCK_NEEDS 20e-6      /* seconds; shorter runs are too short for a clock by events */

void ps_driver_program_init(PsDriver *driver, PsDriverProgram *program, const PsBenchKernel *kernel)
{
    program->serial = ++driver->n_programs;
    program->kind = kernel->kind;
    program->pattern = kernel->memory;
    program->untimed = kernel->untimed;
    program->kernel = *kernel;
}

gint64 ps_driver_launches(const PsBenchProgram *program, const PsBenchLaunch *launch)
{
    return ((const PsDriverProgram *)program)->kernel.again ? MAX(launch->step, 1) : 1;
}

char *ps_driver_function(const PsBenchKernel *kernel)
{
    return g_strcanon(g_strdup(kernel->name), G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS "_", '_');
}

/* FALSE and *error if more is wanted than exists; a limit of 0 is unknown. */
static gboolean within(const char *what, gint64 wanted, gint64 limit, GError **error)
{
    if (limit <= 0 || wanted <= limit)
        return TRUE;
    ps_error_at(error, PS_ERROR_RESOURCES, (PsPlace){0},
                "the launch needs %" G_GINT64_FORMAT " %s, and the device has %" G_GINT64_FORMAT,
                wanted, what, limit);
    return FALSE;
}

static gboolean check_launch(const PsDeviceInfo *info, const PsBenchLaunch *launch, GError **error)
{
    const PsLimits *limits = &info->limits;
    if (launch->groups < 1 || launch->group_size < 1 || launch->local_memory < 0 ||
        launch->memory < 0 || launch->step < 0 || launch->step > G_MAXUINT32 ||
        launch->length < 0 || launch->length >= MOST_TRIPS) {
        ps_error_at(
            error, PS_ERROR_USAGE, (PsPlace){0},
            "a launch has at least one group and one thread, a length below 2^30 and a step "
            "below 2^32");
        return FALSE;
    }
    gint64 addressable = (gint64)G_MAXUINT32 * 4;
    return within("groups", launch->groups, MOST_GROUPS, error) &&
           within("threads per group", launch->group_size, limits->group_size, error) &&
           within("bytes of local memory per group", launch->local_memory,
                  limits->local_memory_per_group, error) &&
           within("bytes of memory", launch->memory,
                  info->memory > 0 ? MIN(info->memory, addressable) : addressable, error);
}

/* The inputs of one run, beside its device. */
typedef struct {
    PsBenchProgram *program;
    const PsBenchLaunch *launch;
    gsize n_warps;
    guint64 *times; /* of n_warps, like cus */
    guint32 *cus;
} Run;

/* TRUE if the kernel's warps write their counters. */
static gboolean is_timed(const PsDriver *driver, const Run *run)
{
    return driver->device.info.counter && !((PsDriverProgram *)run->program)->untimed;
}

static gboolean prepare(PsDriver *driver, Run *run, GError **error)
{
    const PsDeviceInfo *info = &driver->device.info;
    const PsBenchLaunch *launch = run->launch;
    /* Without a counter nothing is read, and warps are unknown. */
    gint64 warp = info->counter ? MAX(info->warp_size, 1) : 1;
    gsize threads = (gsize)launch->groups * (gsize)launch->group_size;
    run->n_warps = (gsize)launch->groups * (gsize)((launch->group_size + warp - 1) / warp);
    const PsDriverProgram *program = (PsDriverProgram *)run->program;
    if (!ps_driver_fill(driver, program, (gsize)launch->memory, error) ||
        !ps_driver_grow(driver, &driver->times, run->n_warps * 2 * sizeof(guint64), error) ||
        !ps_driver_grow(driver, &driver->cus, run->n_warps * sizeof(guint32), error) ||
        !ps_driver_grow(driver, &driver->sink, threads * sizeof(guint32), error))
        return FALSE;
    if (is_timed(driver, run)) {
        run->times = g_new(guint64, 2 * run->n_warps);
        run->cus = g_new(guint32, run->n_warps);
    }
    return TRUE;
}

/* Clears the times, so that old ones do not pass for new. */
static gboolean clear_times(PsDriver *driver, const Run *run, GError **error)
{
    g_autoptr(GBytes) zeros =
        g_bytes_new_take(g_new0(guint64, 2 * run->n_warps), 2 * run->n_warps * sizeof(guint64));
    return driver->calls->write(driver, driver->times.buffer, 0, zeros, error);
}

/* ---- empty caches -------------------------------------------------------------------------- */

static gboolean need_sweeper(PsDriver *driver, GError **error)
{
    if (!driver->sweep)
        driver->sweep = ps_bench_sweep();
    if (!driver->sweeper)
        driver->sweeper = ps_device_compile(&driver->device, driver->sweep, error);
    return driver->sweeper != NULL;
}

/* Makes caches hold nothing that a benchmark touched. */
static gboolean empty_caches(PsDriver *driver, GError **error)
{
    const PsDeviceInfo *info = &driver->device.info;
    const gint64 bytes = 2 * ps_bench_last_cache(info);
    const gint64 most = info->limits.group_size > 0 ? info->limits.group_size : SWEEP_THREADS;
    /* Adjacent threads suit a GPU; a processor runs them one after the other. */
    const PsBenchLaunch launch = {.groups = 4 * MAX(info->compute_units, 1),
                                  .group_size = info->processor ? 1 : MIN(SWEEP_THREADS, most),
                                  .length = 1,
                                  .step = 1};
    const gsize threads = (gsize)(launch.groups * launch.group_size);
    double seconds;
    if (!need_sweeper(driver, error) ||
        !ps_driver_grow(driver, &driver->swept, (gsize)bytes, error) ||
        !ps_driver_grow(driver, &driver->times, threads * 2 * sizeof(guint64), error) ||
        !ps_driver_grow(driver, &driver->cus, threads * sizeof(guint32), error) ||
        !ps_driver_grow(driver, &driver->sink, threads * sizeof(guint32), error))
        return FALSE;
    const PsArguments arguments = {
        driver->swept.buffer, (guint32)(bytes / 4), 1, 1, driver->times.buffer,
        driver->cus.buffer,   driver->sink.buffer};
    return driver->calls->launch(driver, driver->sweeper, &launch, &arguments, &seconds, error);
}

/* ---- a launch ------------------------------------------------------------------------------ */

static gboolean launch_once(PsDriver *driver, const Run *run, guint32 length, double *seconds,
                            GError **error)
{
    const PsBenchLaunch *launch = run->launch;
    if (ps_bench_is_cold(&((PsDriverProgram *)run->program)->kernel, launch) &&
        !empty_caches(driver, error))
        return FALSE;
    if (is_timed(driver, run) && !clear_times(driver, run, error))
        return FALSE;
    const PsArguments arguments = {.memory = driver->memory.buffer + driver->memory.start,
                                   .elements = (guint32)(launch->memory / 4),
                                   .step = (guint32)launch->step,
                                   .length = length,
                                   .times = driver->times.buffer,
                                   .cus = driver->cus.buffer,
                                   .sink = driver->sink.buffer};
    if (!driver->calls->launch(driver, run->program, run->launch, &arguments, seconds, error))
        return FALSE;
    if (*seconds > 0)
        return TRUE;
    ps_error_at(error, PS_ERROR_DEVICE, (PsPlace){0},
                "the device's timer does not advance: a launch took %g s", *seconds);
    return FALSE;
}

/* Launches and reads what the warps wrote. cycles and span are NaN without a counter. */
static gboolean measure(PsDriver *driver, const Run *run, guint32 length, PsBenchSample *sample,
                        double *span, GError **error)
{
    *span = NAN;
    if (!launch_once(driver, run, length, &sample->seconds, error))
        return FALSE;
    if (!is_timed(driver, run))
        return TRUE;
    PsWarpTimes warps = {run->times, run->cus, run->n_warps, run->launch->warps};
    return driver->calls->read(driver, driver->times.buffer, run->times,
                               2 * run->n_warps * sizeof(guint64), error) &&
           driver->calls->read(driver, driver->cus.buffer, run->cus, run->n_warps * sizeof(guint32),
                               error) &&
           ps_warp_times(&warps, &sample->cycles, span, error);
}

static gboolean same_but_length(const PsBenchLaunch *a, const PsBenchLaunch *b)
{
    return a->groups == b->groups && a->group_size == b->group_size &&
           a->local_memory == b->local_memory && a->memory == b->memory && a->step == b->step;
}

/* The launch of a single trip, once for all lengths and repeats. */
static gboolean measure_trip(PsDriver *driver, const Run *run, GError **error)
{
    guint serial = ((PsDriverProgram *)run->program)->serial;
    if (((PsDriverProgram *)run->program)->untimed)
        return TRUE;
    if (driver->trip_of == serial && same_but_length(&driver->trip, run->launch))
        return TRUE;
    driver->trip_of = 0;
    PsBenchSample sample = {NAN, NAN, NAN};
    if (!measure(driver, run, 1, &sample, &driver->trip_span, error))
        return FALSE;
    driver->trip_seconds = sample.seconds;
    driver->trip = *run->launch;
    driver->trip_of = serial;
    return TRUE;
}

static double clock_between(const PsDriver *driver, double seconds, double span)
{
    double time = seconds - driver->trip_seconds, cycles = span - driver->trip_span;
    return time >= CLOCK_NEEDS && cycles > 0 ? cycles / time / 1e6 : NAN;
}

/* Kernels about cycles mean nothing on a CU with other groups than intended. */
static gboolean needs_cycles(const Run *run)
{
    PsBenchKind kind = ((PsDriverProgram *)run->program)->kind;
    return run->launch->warps > 0 && ps_bench_has_chains(kind);
}

static gboolean run_prepared(PsDriver *driver, const Run *run, PsBenchSample *sample,
                             GError **error)
{
    const PsDeviceInfo *info = &driver->device.info;
    double span = NAN;
    if (!measure_trip(driver, run, error) ||
        !measure(driver, run, (guint32)run->launch->length, sample, &span, error))
        return FALSE;
    if (!info->counter) {
        double known = ps_rational_to_double(
            ps_rational_cmp(info->boost_clock, PS_RATIONAL_INT(0)) > 0 ? info->boost_clock
                                                                       : info->clock);
        sample->mhz = known > 0 ? known : NAN;
        return TRUE;
    }
    sample->mhz = clock_between(driver, sample->seconds, span);
    if (!isnan(sample->cycles) || !needs_cycles(run))
        return TRUE;
    PsWarpTimes warps = {run->times, run->cus, run->n_warps, run->launch->warps};
    ps_warp_times_uneven(&warps, error);
    return FALSE;
}

gboolean ps_driver_run(PsDevice *device, PsBenchProgram *program, const PsBenchLaunch *launch,
                       PsBenchSample *sample, GError **error)
{
    PsDriver *driver = (PsDriver *)device;
    *sample = (PsBenchSample){NAN, NAN, NAN};
    if (!check_launch(&device->info, launch, error))
        return FALSE;
    Run run = {.program = program, .launch = launch};
    gboolean ran = prepare(driver, &run, error) && run_prepared(driver, &run, sample, error);
    g_free(run.times);
    g_free(run.cus);
    return ran;
}

/* A lack of memory does not mean that the device is lost. */
gboolean ps_driver_check(PsDevice *device, GError **error)
{
    PsDriver *driver = (PsDriver *)device;
    const guint64 zero = 0;
    g_autoptr(GBytes) data = g_bytes_new_static(&zero, sizeof zero);
    GError *why = NULL;
    if (ps_driver_grow(driver, &driver->times, sizeof zero, &why) &&
        driver->calls->write(driver, driver->times.buffer, 0, data, &why))
        return TRUE;
    if (g_error_matches(why, PS_ERROR, PS_ERROR_RESOURCES)) {
        g_error_free(why);
        return TRUE;
    }
    g_propagate_error(error, why);
    return FALSE;
}
