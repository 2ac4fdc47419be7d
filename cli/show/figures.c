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

/* A number that is an attribute of an element. */
typedef struct {
    Part part;
    const char *name, *unit;
    const char *element, *attribute;
    gsize at;        /* in PsGpu */
    gboolean whole;  /* a gint64, else a PsRational */
    gboolean always; /* also where it is absent, which is 0, or of units that are dealt out 1 */
    gint64 absent;
} Setting;

#define AT(field) G_STRUCT_OFFSET(PsGpu, field)

static const Setting SETTINGS[] = {
    {PART_CHIP, "compute units", "", "chip", "compute-units", AT(compute_units), TRUE, TRUE, 0},
    {PART_CHIP, "base clock", "MHz", "chip", "clock", AT(clock), FALSE, FALSE, 0},
    {PART_CHIP, "boost clock", "MHz", "chip", "boost-clock", AT(boost_clock), FALSE, FALSE, 0},
    {PART_CHIP, "clock under load", "MHz", "chip", "load-clock", AT(load_clock), FALSE, FALSE, 0},
    {PART_CHIP, "device memory", "MiB", "chip", "memory", AT(device_memory), TRUE, FALSE, 0},
    {PART_CHIP, "warp", "threads", "chip", "warp-size", AT(warp_size), TRUE, TRUE, 0},
    {PART_CHIP, "schedulers per CU", "", "chip", "schedulers", AT(schedulers), TRUE, FALSE, 0},
    {PART_CHIP, "issue width", "per cycle and scheduler", "chip", "issue-width", AT(issue_width),
     FALSE, FALSE, 0},
    {PART_CHIP, "reading registers", "cycles at most", "chip", "read-window", AT(read_window), TRUE,
     FALSE, 0},
    {PART_LIMITS, "warps", "per CU", "limits", "warps", AT(limits.warps), TRUE, FALSE, 0},
    {PART_LIMITS, "groups", "per CU", "limits", "groups", AT(limits.groups), TRUE, FALSE, 0},
    {PART_LIMITS, "group size", "threads at most", "limits", "group-size", AT(limits.group_size),
     TRUE, FALSE, 0},
    {PART_LIMITS, "registers", "per CU", "limits", "registers", AT(limits.registers), TRUE, FALSE,
     0},
    {PART_LIMITS, "registers of a thread", "at most", "limits", "registers-per-thread",
     AT(limits.registers_per_thread), TRUE, FALSE, 0},
    {PART_LIMITS, "registers in units of", "per warp", "limits", "register-unit",
     AT(limits.register_unit), TRUE, FALSE, 1},
    {PART_LIMITS, "scalar registers", "per CU", "limits", "scalar-registers",
     AT(limits.scalar_registers), TRUE, FALSE, 0},
    {PART_LIMITS, "scalar registers of a warp", "at most", "limits", "scalar-registers-per-warp",
     AT(limits.scalar_registers_per_warp), TRUE, FALSE, 0},
    {PART_LIMITS, "scalar registers in units of", "per warp", "limits", "scalar-register-unit",
     AT(limits.scalar_register_unit), TRUE, FALSE, 1},
    {PART_LIMITS, "warps in units of", "where registers limit", "limits", "warp-unit",
     AT(limits.warp_unit), TRUE, FALSE, 1},
    {PART_LIMITS, "local memory", "bytes per CU", "limits", "local-memory", AT(limits.local_memory),
     TRUE, FALSE, 0},
    {PART_LIMITS, "local memory of a group", "bytes at most", "limits", "local-memory-per-group",
     AT(limits.local_memory_per_group), TRUE, FALSE, 0},
    {PART_LIMITS, "local memory in units of", "bytes per group", "limits", "local-memory-unit",
     AT(limits.local_memory_unit), TRUE, FALSE, 1},
    {PART_LIMITS, "local memory lost", "bytes per group", "limits", "local-memory-reserved",
     AT(limits.local_memory_reserved), TRUE, FALSE, 0},
    {PART_CACHE, "L1", "bytes per CU", "cache", "l1", AT(cache.l1), TRUE, FALSE, 0},
    {PART_CACHE, "L2", "bytes", "cache", "l2", AT(cache.l2), TRUE, FALSE, 0},
    {PART_REQUESTS, "request of 4 bytes", "cycles of its pipeline", "memory", "request",
     AT(memory.request), FALSE, TRUE, 0},
    {PART_REQUESTS, "line", "bytes", "memory", "line", AT(memory.line_bytes), TRUE, TRUE, 0},
    {PART_REQUESTS, "sector", "bytes", "memory", "sector", AT(memory.sector_bytes), TRUE, TRUE, 0},
    {PART_REQUESTS, "device memory fetched", "bytes at once", "memory", "fetch",
     AT(memory.fetch_bytes), TRUE, FALSE, PS_GPU_FETCH},
    {PART_REQUESTS, "each line touched", "cycles of the first level", "memory", "tag",
     AT(memory.tag), FALSE, FALSE, 0},
    {PART_REQUESTS, "wavefront", "cycles, with local memory", "memory", "wavefront",
     AT(memory.wavefront), FALSE, FALSE, 0},
    {PART_REQUESTS, "each line looked up", "cycles, with local memory", "memory", "lookup",
     AT(memory.lookup), FALSE, FALSE, 0},
    {PART_REQUESTS, "a store keeps its warp", "cycles at least", "memory", "store",
     AT(memory.store), FALSE, FALSE, 0},
    {PART_REQUESTS, "wait at a busy device memory", "ns", "memory", "queue", AT(memory.queue),
     FALSE, FALSE, 0},
    {PART_REQUESTS, "the same, read and written", "ns", "memory", "queue-mixed",
     AT(memory.queue_mixed), FALSE, FALSE, 0},
    {PART_REQUESTS, "work before it then", "ns", "memory", "window", AT(memory.window), FALSE,
     FALSE, 0},
    {PART_ATOMICS, "request", "cycles of its pipeline", "atomics", "request", AT(atomics.request),
     FALSE, TRUE, 0},
    {PART_ATOMICS, "at one address", "10^9 requests per second", "atomics", "address",
     AT(atomics.address), FALSE, FALSE, 0},
    {PART_ATOMICS, "at all sectors of a line", "10^9 requests per second", "atomics", "line",
     AT(atomics.per_line), FALSE, FALSE, 0},
    {PART_ATOMICS, "lines that take turns", "beside each other", "atomics", "block",
     AT(atomics.block), FALSE, FALSE, 0},
    {PART_ATOMICS, "atomics anywhere", "10^9 sectors per second", "atomics", "sectors",
     AT(atomics.sectors), FALSE, FALSE, 0},
    {PART_ATOMICS, "stores of parts", "10^9 sectors per second", "atomics", "partial",
     AT(atomics.partial), FALSE, FALSE, 0},
    {PART_ATOMICS, "stores at one sector", "10^9 requests per second", "atomics", "write",
     AT(atomics.write), FALSE, FALSE, 0},
    {PART_ATOMICS, "rates measured at", "MHz, with which they go", "atomics", "rates-at",
     AT(atomics.rates_at), FALSE, FALSE, 0},
    {PART_LOCAL, "wavefront", "cycles", "local-memory", "wavefront", AT(local.wavefront), FALSE,
     TRUE, 0},
    {PART_LOCAL, "instruction at least", "cycles", "local-memory", "least", AT(local.least), FALSE,
     FALSE, 0},
    {PART_LOCAL, "completion", "cycles, and further wavefronts'", "local-memory", "completion",
     AT(local.completion), FALSE, TRUE, 0},
    {PART_LOCAL, "atomics", "times as long", "local-memory", "atomic", AT(local.atomic), FALSE,
     TRUE, 0},
    {PART_LOCAL, "atomics' pipeline", "times as long", "local-memory", "atomic-issue",
     AT(local.atomic_issue), FALSE, FALSE, 0},
    {PART_LOCAL, "compare-and-swap", "times other atomics' pipeline", "local-memory", "swap",
     AT(local.swap), FALSE, FALSE, 0},
    {PART_OVERHEADS, "launch of a kernel", "microseconds", "overheads", "kernel-launch",
     AT(overheads.kernel_launch), FALSE, TRUE, 0},
    {PART_OVERHEADS, "launch of a group", "cycles until it is ready", "overheads", "group-launch",
     AT(overheads.group_launch), FALSE, TRUE, 0},
    {PART_OVERHEADS, "between launches, CU", "cycles at least", "overheads", "group-interval",
     AT(overheads.group_interval), FALSE, TRUE, 0},
    {PART_OVERHEADS, "between launches, GPU", "cycles at least", "overheads", "dispatch",
     AT(overheads.dispatch), FALSE, TRUE, 0},
    {PART_OVERHEADS, "round one launch", "microseconds of a timer", "overheads", "timer",
     AT(overheads.timer), FALSE, FALSE, 0},
    {PART_OVERHEADS, "after a group's end", "cycles until the next", "overheads", "turnaround",
     AT(overheads.turnaround), FALSE, TRUE, 0},
};

static void add_setting(GPtrArray *figures, const PsGpu *gpu, const Setting *setting)
{
    const char *source = ps_gpu_setting_source(gpu, setting->element, setting->attribute);
    if (setting->whole) {
        const gint64 value = G_STRUCT_MEMBER(gint64, gpu, setting->at);
        if (setting->always || value != setting->absent)
            add_count(figures, setting->name, value, setting->unit, source);
        return;
    }
    const PsRational value = G_STRUCT_MEMBER(PsRational, gpu, setting->at);
    if (setting->always || value.num)
        add_rational(figures, setting->name, value, setting->unit, source);
}

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

static void add_settings(GPtrArray *figures, const PsGpu *gpu, Part part)
{
    add_words(figures, gpu, part);
    for (guint i = 0; i < G_N_ELEMENTS(SETTINGS); i++)
        if (SETTINGS[i].part == part)
            add_setting(figures, gpu, &SETTINGS[i]);
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
