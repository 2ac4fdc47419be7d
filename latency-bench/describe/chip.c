/* SPDX-License-Identifier: BSD-3-Clause */
/* What the device reports, and which refinements its measurements need. */
#include "latency-bench/describe/describe.h"

#include <math.h>
#include <string.h>

/* MHz; stands for an unknown clock. */
#define SOME_CLOCK 1000

/* Bytes that a description may state. */
#define MOST_CACHE 1000000000

/* MiB of device memory that a description may state. */
#define LEAST_MEMORY 512
#define MOST_MEMORY 16777216

char *ps_describe_name(const PsDeviceInfo *info)
{
    g_autofree char *line = ps_text_clean(info->name);
    g_autofree char *name = line ? g_utf8_make_valid(line, -1) : NULL;
    return g_strdup(name && *g_strstrip(name) ? name : "device without a name");
}

static char *copy_text(const char *text)
{
    g_autofree char *line = ps_text_clean(text);
    return line && *line ? g_utf8_make_valid(line, -1) : NULL;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The clock while kernels ran, NaN if no sample has one; `busy`: only of samples that keep all
 * compute units at their peaks. */
static double median_clock(const PsRaw *raw, gboolean busy)
{
    g_autoptr(GArray) clocks = g_array_new(FALSE, FALSE, sizeof(double));
    for (guint i = 0; i < raw->rows->len; i++) {
        const PsRawRow *row = raw->rows->pdata[i];
        if (!row->problem && row->sample.mhz > 0 && (!busy || row->kind == PS_BENCH_PEAK))
            g_array_append_val(clocks, row->sample.mhz);
    }
    g_array_sort(clocks, by_size);
    return clocks->len ? g_array_index(clocks, double, clocks->len / 2) : NAN;
}

static void set_clock(PsDescribe *describe)
{
    PsGpu *gpu = describe->gpu;
    const PsDeviceInfo *info = &describe->raw->info;
    const double mhz = median_clock(describe->raw, FALSE);
    gpu->clock = info->clock.num > 0 ? info->clock : ps_describe_figure(mhz);
    if (info->boost_clock.num > 0)
        gpu->boost_clock = info->boost_clock;
    if (gpu->clock.num > 0)
        return;
    gpu->clock = PS_RATIONAL_INT(SOME_CLOCK);
    ps_describe_warn(describe,
                     "the device does not tell its clock; the description says %d MHz, and times "
                     "in seconds are as wrong as that is",
                     SOME_CLOCK);
}

static void set_load_clock(PsDescribe *describe)
{
    const double mhz = median_clock(describe->raw, TRUE);
    if (!(mhz > 0))
        return;
    describe->gpu->load_clock = ps_describe_figure(mhz);
    describe->gpu->load_source = g_strdup("load-clock");
    ps_describe_source(describe, "load-clock", PS_SOURCE_MEASURED,
                       g_strdup("The median clock of the runs that reach for peaks, which keep all "
                                "compute units busy."));
}

static void set_memory(PsGpu *gpu, const PsDeviceInfo *info)
{
    const gint64 size = info->memory / (1024 * 1024);
    if (size < LEAST_MEMORY || size > MOST_MEMORY)
        return;
    gpu->device_memory = size;
    gpu->memory_source = g_strdup("chip-data");
}

static void set_limits(PsGpu *gpu, const PsDeviceInfo *info)
{
    gpu->limits = info->limits;
    gpu->limits.source = g_strdup("chip-data");
    gpu->limits.line = 0;
    gpu->limits.register_unit = MAX(info->limits.register_unit, 1);
    gpu->limits.warp_unit = MAX(info->limits.warp_unit, 1);
    gpu->limits.local_memory_unit = MAX(info->limits.local_memory_unit, 1);
}

/* A driver reports the last cache alone, and none tells which loads the first one keeps. */
static void set_cache(PsGpu *gpu, const PsDeviceInfo *info)
{
    if (info->l2 <= 0 || info->l2 > MOST_CACHE)
        return;
    gpu->cache.l2 = info->l2;
    gpu->cache.source = g_strdup("chip-data");
}

static char *chip_text(const PsRaw *raw, const char *name)
{
    const PsDeviceInfo *info = &raw->info;
    const double mhz = median_clock(raw, FALSE);
    GString *text = g_string_new(NULL);
    g_autofree char *driver = copy_text(info->driver), *backend = copy_text(info->backend);
    g_string_append_printf(text, "What %s says of %s", backend ? backend : "the driver", name);
    if (driver)
        g_string_append_printf(text, " (%s)", driver);
    g_string_append(text,
                    ": compute units, warp size, clocks, memory, cache and what limits occupancy.");
    if (mhz > 0)
        g_string_append_printf(text, " The median clock during the measurements was %.0f MHz.",
                               mhz);
    return g_string_free(text, FALSE);
}

void ps_describe_chip(PsDescribe *describe)
{
    PsGpu *gpu = describe->gpu;
    const PsDeviceInfo *info = &describe->raw->info;
    gpu->vendor = copy_text(info->vendor);
    gpu->architecture = copy_text(info->architecture);
    gpu->compute_units = MAX(info->compute_units, 1);
    gpu->warp_size = MAX(info->warp_size, 1);
    gpu->schedulers = MAX(info->schedulers, 0);
    gpu->chip_source = g_strdup("chip-data");
    set_clock(describe);
    const double mhz = median_clock(describe->raw, FALSE);
    describe->clock = mhz > 0 ? mhz : ps_rational_to_double(gpu->clock);
    set_load_clock(describe);
    set_limits(gpu, info);
    set_memory(gpu, info);
    set_cache(gpu, info);
    ps_describe_source(describe, "chip-data", PS_SOURCE_VENDOR,
                       chip_text(describe->raw, gpu->name));
}

/* ---- refinements --------------------------------------------------------------------------- */

/* Instructions that each scheduler must issue per cycle for every class to reach its rate. */
static gint64 width_needed(const PsGpu *gpu)
{
    double width = 1;
    for (guint i = 0; i < gpu->classes->len; i++) {
        const PsClass *class = gpu->classes->pdata[i];
        const PsPipeline *pipeline = gpu->pipelines->pdata[class->pipeline];
        const double rate = 1 / ps_rational_to_double(class->latency.issue);
        width = MAX(width, pipeline->per_scheduler ? rate : rate / (double)gpu->schedulers);
    }
    /* 0.24 per CU with 4 schedulers is 0.25, measured badly. */
    return (gint64)ceil(width - 0.1);
}

static gboolean has_scheduler_pipeline(const PsGpu *gpu)
{
    for (guint i = 0; i < gpu->pipelines->len; i++)
        if (((const PsPipeline *)gpu->pipelines->pdata[i])->per_scheduler)
            return TRUE;
    return FALSE;
}

void ps_describe_model(PsDescribe *describe)
{
    PsGpu *gpu = describe->gpu;
    for (guint i = 0; i < gpu->classes->len; i++)
        gpu->model.contention |= ((const PsClass *)gpu->classes->pdata[i])->at != NULL;
    if (!has_scheduler_pipeline(gpu))
        return;
    gpu->model.schedulers = TRUE;
    gpu->model.order = PS_ORDER_PROGRAM;
    gpu->issue_width = PS_RATIONAL_INT(width_needed(gpu));
    ps_describe_source(
        describe, NULL, PS_SOURCE_ASSUMED,
        g_strdup(
            "Issue width: the least that lets every class reach its measured rate. The model's "
            "schedulers and program order: pipelines were found that each scheduler has for "
            "itself, as on GPUs whose warps issue in program order."));
}
