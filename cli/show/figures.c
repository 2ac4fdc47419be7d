/* SPDX-License-Identifier: BSD-3-Clause */
/* See figures.h. */
#include "cli/show/figures.h"
#include "pipesim-private.h"

#include <math.h>

const char *figures_title(Part part)
{
    static const char *const titles[] = {
        [PART_CHIP] = "Chip",
        [PART_LIMITS] = "Limits of a compute unit",
        [PART_CACHE] = "Caches, for pipesim build",
        [PART_LEVELS] = "Levels of memory",
        [PART_REQUESTS] = "Requests to memory",
        [PART_ATOMICS] = "Atomics on global memory",
        [PART_LOCAL] = "Local memory",
        [PART_PIPELINES] = "Pipelines",
        [PART_PEAKS] = "Peaks",
        [PART_OVERHEADS] = "Overheads",
    };
    return titles[part];
}

static void free_figure(void *data)
{
    Figure *figure = data;
    g_free(figure->name);
    g_free(figure->value);
    g_free(figure);
}

/* Takes the value. */
static Figure *add(GPtrArray *figures, const char *name, char *value, const char *unit,
                   const char *source)
{
    Figure *figure = g_new0(Figure, 1);
    figure->name = g_strdup(name);
    figure->value = value;
    figure->number = NAN;
    figure->unit = unit;
    figure->source = source;
    g_ptr_array_add(figures, figure);
    return figure;
}

static void add_rational(GPtrArray *figures, const char *name, PsRational value, const char *unit,
                         const char *source)
{
    add(figures, name, ps_rational_format(value), unit, source)->number =
        ps_rational_to_double(value);
}

static void add_count(GPtrArray *figures, const char *name, gint64 value, const char *unit,
                      const char *source)
{
    add(figures, name, ps_format_count(value), unit, source)->number = (double)value;
}

/* A latency at a clock is a time: so many cycles of that clock. */
static void add_latency(GPtrArray *figures, const char *name, PsRational latency, PsRational at,
                        const char *source)
{
    g_autofree char *cycles = ps_rational_format(latency);
    g_autofree char *clock = ps_rational_format(at);
    char *value = at.num ? g_strdup_printf("%s at %s MHz", cycles, clock) : g_strdup(cycles);
    Figure *figure = add(figures, name, value, "cycles", source);
    figure->is_time = at.num > 0;
    figure->number = ps_rational_to_double(latency);
    if (at.num)
        figure->number *= 1e3 / ps_rational_to_double(at);
}

/* ---- what a description states once -------------------------------------------------------- */

/* Whether the description says something of that part. */
static gboolean is_stated(const PsGpu *gpu, Part part)
{
    switch (part) {
    case PART_CACHE:
        return !gpu->memory.levels;
    case PART_REQUESTS:
        return gpu->memory.levels != NULL;
    case PART_ATOMICS:
        return gpu->atomics.stated;
    case PART_LOCAL:
        return gpu->local.stated;
    case PART_OVERHEADS:
        return gpu->overheads.stated;
    default:
        return TRUE;
    }
}

static void add_served_by(GPtrArray *figures, const PsGpu *gpu, guint pipeline, const char *element)
{
    add(figures, "pipeline", g_strdup(((const PsPipeline *)gpu->pipelines->pdata[pipeline])->name),
        "", ps_gpu_setting_source(gpu, element, "pipeline"));
}

static void add_accumulators(GPtrArray *figures, const PsGpu *gpu)
{
    const PsAccumulators where = gpu->limits.accumulators;
    if (where != PS_ACCUMULATORS_NONE)
        add(figures, "accumulation registers",
            g_strdup(where == PS_ACCUMULATORS_APART ? "apart" : "joint"),
            where == PS_ACCUMULATORS_APART ? "as many more" : "among the registers",
            ps_gpu_setting_source(gpu, "limits", "accumulators"));
}

/* What is no plain number, before what is. */
static void add_words(GPtrArray *figures, const PsGpu *gpu, Part part)
{
    if (part == PART_LIMITS)
        add_accumulators(figures, gpu);
    if (part == PART_REQUESTS)
        add_served_by(figures, gpu, gpu->memory.pipeline, "memory");
    if (part == PART_LOCAL)
        add_served_by(figures, gpu, gpu->local.pipeline, "local-memory");
    if (part != PART_ATOMICS)
        return;
    add_served_by(figures, gpu, gpu->atomics.pipeline, "atomics");
    add_latency(figures, "completion", gpu->atomics.latency, gpu->atomics.at,
                ps_gpu_setting_source(gpu, "atomics", "latency"));
}

/* Whether plain loads of global memory stay in L1. */
static void add_l1_rule(GPtrArray *figures, const PsGpu *gpu, Part part)
{
    const gboolean levels = part == PART_REQUESTS;
    const gboolean kept = levels ? gpu->memory.l1_global : gpu->cache.l1_global;
    if (levels ? ps_gpu_level(gpu, PS_LEVEL_L1) != NULL : part == PART_CACHE && gpu->cache.l1)
        add(figures, "plain loads", g_strdup(kept ? "stay" : "do not stay"), "in L1",
            ps_gpu_setting_source(gpu, levels ? "memory" : "cache", "l1-global"));
}

static void add_numbers(GPtrArray *figures, const PsGpu *gpu, Part part)
{
    static const char *const elements[N_PARTS] = {
        [PART_CHIP] = "chip",          [PART_LIMITS] = "limits",   [PART_CACHE] = "cache",
        [PART_REQUESTS] = "memory",    [PART_ATOMICS] = "atomics", [PART_LOCAL] = "local-memory",
        [PART_OVERHEADS] = "overheads"};
    g_autoptr(GArray) settings = ps_gpu_settings(gpu, elements[part]);
    for (guint i = 0; i < settings->len; i++) {
        const PsGpuSetting *setting = &g_array_index(settings, PsGpuSetting, i);
        if (setting->whole)
            add_count(figures, setting->label, setting->value.num, setting->unit, setting->source);
        else
            add_rational(figures, setting->label, setting->value, setting->unit, setting->source);
    }
}

static void add_settings(GPtrArray *figures, const PsGpu *gpu, Part part)
{
    add_words(figures, gpu, part);
    add_numbers(figures, gpu, part);
    add_l1_rule(figures, gpu, part);
}

/* ---- what it states by name ---------------------------------------------------------------- */

static void add_of_level(GPtrArray *figures, const PsMemoryLevel *level, const char *what,
                         PsRational value, const char *unit)
{
    g_autofree char *name = g_strdup_printf("%s, %s", ps_level_name(level->level), what);
    if (value.num)
        add_rational(figures, name, value, unit, level->source);
}

static void add_levels(GPtrArray *figures, const PsGpu *gpu)
{
    for (guint i = 0; gpu->memory.levels && i < gpu->memory.levels->len; i++) {
        const PsMemoryLevel *level = &g_array_index(gpu->memory.levels, PsMemoryLevel, i);
        g_autofree char *capacity = g_strdup_printf("%s, capacity", ps_level_name(level->level));
        g_autofree char *latency = g_strdup_printf("%s, latency", ps_level_name(level->level));
        if (level->bytes)
            add_count(figures, capacity, level->bytes, "bytes", level->source);
        add_of_level(figures, level, "one CU", level->port, "bytes per cycle");
        add_of_level(figures, level, "all CUs", level->bandwidth, "GB/s");
        add_of_level(figures, level, "read and written", level->mixed, "GB/s");
        add_latency(figures, latency, level->latency, level->at, level->source);
    }
}

static void add_pipelines(GPtrArray *figures, const PsGpu *gpu)
{
    for (guint i = 0; i < gpu->pipelines->len; i++) {
        const PsPipeline *pipeline = gpu->pipelines->pdata[i];
        add(figures, pipeline->name,
            g_strdup(pipeline->per_scheduler ? "each scheduler" : "the CU"), "", pipeline->source);
    }
}

const char *figures_peak_source(const PsGpu *gpu, PsPeakKind kind, PsPeakOrigin origin)
{
    const PsPeak *peak = ps_gpu_peak(gpu, ps_peak_kind_name(kind));
    const PsMemoryLevel *level = ps_peak_level(gpu, kind);
    if (origin == PS_PEAK_DERIVED)
        return ps_peak_class(gpu, kind)->source;
    return level && !(peak && peak->value.num) ? level->source : peak->source;
}

static void add_peaks(GPtrArray *figures, const PsGpu *gpu)
{
    PsPeaks peaks;
    ps_peaks_resolve(gpu, PS_RATIONAL_INT(0), &peaks);
    for (guint kind = 0; kind < PS_N_PEAKS; kind++) {
        const double rate = peaks.value[kind] / 1e9;
        const char *name = ps_peak_kind_name((PsPeakKind)kind);
        if (!isnan(rate))
            add(figures, name, ps_format_number(rate), name[0] == 'B' ? "GB/s" : "Gop/s",
                figures_peak_source(gpu, (PsPeakKind)kind, peaks.origin[kind]))
                ->number = rate;
    }
}

GPtrArray *figures_of(const PsGpu *gpu, Part part)
{
    GPtrArray *figures = g_ptr_array_new_with_free_func(free_figure);
    if (!is_stated(gpu, part))
        return figures;
    if (part == PART_LEVELS)
        add_levels(figures, gpu);
    else if (part == PART_PIPELINES)
        add_pipelines(figures, gpu);
    else if (part == PART_PEAKS)
        add_peaks(figures, gpu);
    else
        add_settings(figures, gpu, part);
    return figures;
}
