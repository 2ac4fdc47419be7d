/* SPDX-License-Identifier: BSD-3-Clause */
/* See gpu-parts.h. */
#include "tell/gpu-parts.h"

#include "gpu/rows.h"
#include "gpu/settings.h"
#include "roofline/roofline.h"
#include "roofline/terms.h"
#include "tell/format.h"

#include <math.h>

static const struct {
    const char *name, *title, *element;
} PARTS[PS_N_GPU_PARTS] = {
    [PS_GPU_PART_CHIP] = {"chip", "Chip", "chip"},
    [PS_GPU_PART_LIMITS] = {"limits", "Limits of a compute unit", "limits"},
    [PS_GPU_PART_LEVELS] = {"levels", "Levels of memory", NULL},
    [PS_GPU_PART_CACHE] = {"cache", "Caches, for pipesim build", "cache"},
    [PS_GPU_PART_REQUESTS] = {"requests", "Requests to memory", "memory"},
    [PS_GPU_PART_ATOMICS] = {"atomics", "Atomics on global memory", "atomics"},
    [PS_GPU_PART_LOCAL] = {"local_memory", "Local memory", "local-memory"},
    [PS_GPU_PART_PIPELINES] = {"pipelines", "Pipelines (latencies are those of one)", NULL},
    [PS_GPU_PART_RATES] = {"rates", "Instruction classes: instructions of threads per cycle and CU",
                           NULL},
    [PS_GPU_PART_COMPLETIONS] = {"completions", "Instruction classes: completion latency in cycles",
                                 NULL},
    [PS_GPU_PART_PEAKS] = {"peaks", "Peaks", NULL},
    [PS_GPU_PART_OVERHEADS] = {"overheads", "Overheads", "overheads"},
    [PS_GPU_PART_HOST_LINK] = {"host_link", "Link to the host, of copies", "host-link"}};

const char *ps_gpu_part_name(PsGpuPart part)
{
    return PARTS[part].name;
}

const char *ps_gpu_part_title(PsGpuPart part)
{
    return PARTS[part].title;
}

char *ps_gpu_source_words(const PsGpu *gpu, const char *id)
{
    const PsSource *source = id ? ps_gpu_source(gpu, id) : NULL;
    if (!source)
        return g_strdup(id);
    return g_strdup_printf("%s (%s%s%s)",
                           source->kind == PS_SOURCE_ASSUMED ? "ASSUMED"
                                                             : ps_source_kind_name(source->kind),
                           id, source->family ? " of " : "", source->family ? source->family : "");
}

/* The tree for figures, and the GPU that they belong to. */
typedef struct {
    const PsGpu *gpu;
    PsTold *facts;
} Teller;

/* Opens a figure's item, which stays open. Takes ownership of the words; the number may be NaN, and
 * unit NULL. */
static void open_figure(const Teller *to, const char *name, char *words, double number,
                        const char *unit)
{
    g_autofree char *taken = words;
    ps_tell_item(to->facts);
    ps_tell(to->facts, PS_FACT_SHOWN_GPUS_PARTS_FIGURES_NAME, name);
    ps_tell(to->facts, PS_FACT_SHOWN_GPUS_PARTS_FIGURES_VALUE, number);
    ps_tell(to->facts, PS_FACT_SHOWN_GPUS_PARTS_FIGURES_WORDS, taken);
    ps_tell(to->facts, PS_FACT_SHOWN_GPUS_PARTS_FIGURES_UNIT, unit && *unit ? unit : NULL);
}

static void close_figure(const Teller *to, const char *source)
{
    g_autofree char *words = ps_gpu_source_words(to->gpu, source);
    ps_tell(to->facts, PS_FACT_SHOWN_GPUS_PARTS_FIGURES_SOURCE, words);
    ps_tell_close(to->facts);
}

static void add_words(const Teller *to, const char *name, const char *words, const char *unit,
                      const char *source)
{
    open_figure(to, name, g_strdup(words), NAN, unit);
    close_figure(to, source);
}

static void add_rational(const Teller *to, const char *name, PsRational value, const char *unit,
                         const char *source)
{
    open_figure(to, name, ps_rational_format(value), ps_rational_to_double(value), unit);
    close_figure(to, source);
}

static void add_count(const Teller *to, const char *name, gint64 value, const char *unit,
                      const char *source)
{
    open_figure(to, name, ps_format_count(value), (double)value, unit);
    close_figure(to, source);
}

/* A latency with a clock is a time: so many cycles at that clock. */
static void add_latency(const Teller *to, const char *name, PsRational latency, PsRational at,
                        const char *source)
{
    const double cycles = ps_rational_to_double(latency);
    g_autofree char *number = ps_rational_format(latency), *clock = ps_rational_format(at);
    char *words = at.num ? g_strdup_printf("%s at %s MHz", number, clock) : g_strdup(number);
    open_figure(to, name, words, cycles, "cycles");
    if (at.num)
        ps_tell(to->facts, PS_FACT_SHOWN_GPUS_PARTS_FIGURES_SECONDS,
                cycles / 1e6 / ps_rational_to_double(at));
    close_figure(to, source);
}

/* ---- what a description states once -------------------------------------------------------- */

/* TRUE if the description states something of that part. */
static gboolean is_stated(const PsGpu *gpu, PsGpuPart part)
{
    switch (part) {
    case PS_GPU_PART_CACHE:
        return !gpu->memory.levels;
    case PS_GPU_PART_REQUESTS:
        return gpu->memory.levels != NULL;
    case PS_GPU_PART_ATOMICS:
        return gpu->atomics.stated;
    case PS_GPU_PART_LOCAL:
        return gpu->local.stated;
    case PS_GPU_PART_OVERHEADS:
        return gpu->overheads.stated;
    case PS_GPU_PART_HOST_LINK:
        return gpu->host.stated;
    default:
        return TRUE;
    }
}

static void add_served_by(const Teller *to, guint pipeline, const char *element)
{
    add_words(to, "pipeline", ((const PsPipeline *)to->gpu->pipelines->pdata[pipeline])->name, "",
              ps_gpu_setting_source(to->gpu, element, "pipeline"));
}

static void add_accumulators(const Teller *to)
{
    const PsAccumulators where = to->gpu->limits.accumulators;
    if (where != PS_ACCUMULATORS_NONE)
        add_words(to, "accumulation registers", where == PS_ACCUMULATORS_APART ? "apart" : "joint",
                  where == PS_ACCUMULATORS_APART ? "as many more" : "among the registers",
                  ps_gpu_setting_source(to->gpu, "limits", "accumulators"));
}

/* Adds texts; numbers follow. */
static void add_texts(const Teller *to, PsGpuPart part)
{
    if (part == PS_GPU_PART_LIMITS)
        add_accumulators(to);
    if (part == PS_GPU_PART_REQUESTS)
        add_served_by(to, to->gpu->memory.pipeline, "memory");
    if (part == PS_GPU_PART_LOCAL)
        add_served_by(to, to->gpu->local.pipeline, "local-memory");
    if (part != PS_GPU_PART_ATOMICS)
        return;
    add_served_by(to, to->gpu->atomics.pipeline, "atomics");
    add_latency(to, "completion", to->gpu->atomics.latency, to->gpu->atomics.at,
                ps_gpu_setting_source(to->gpu, "atomics", "latency"));
}

/* Adds whether plain loads of global memory stay in L1. */
static void add_l1_rule(const Teller *to, PsGpuPart part)
{
    const gboolean levels = part == PS_GPU_PART_REQUESTS;
    const gboolean kept = levels ? to->gpu->memory.l1_global : to->gpu->cache.l1_global;
    if (levels ? ps_gpu_level(to->gpu, PS_LEVEL_L1) != NULL
               : part == PS_GPU_PART_CACHE && to->gpu->cache.l1)
        add_words(to, "plain loads", kept ? "stay" : "do not stay", "in L1",
                  ps_gpu_setting_source(to->gpu, levels ? "memory" : "cache", "l1-global"));
}

/* Parts of sectors, where device memory takes them as they are. */
static void add_masks(const Teller *to, PsGpuPart part)
{
    if (part == PS_GPU_PART_REQUESTS && to->gpu->memory.masked)
        add_words(to, "parts of sectors", "written", "to device memory by masks",
                  ps_gpu_setting_source(to->gpu, "memory", "masked"));
}

static void add_numbers(const Teller *to, PsGpuPart part)
{
    g_autoptr(GArray) settings = ps_gpu_settings(to->gpu, PARTS[part].element);
    for (guint i = 0; i < settings->len; i++) {
        const PsGpuSetting *setting = &g_array_index(settings, PsGpuSetting, i);
        if (setting->whole)
            add_count(to, setting->label, setting->value.num, setting->unit, setting->source);
        else
            add_rational(to, setting->label, setting->value, setting->unit, setting->source);
    }
}

static void add_settings(const Teller *to, PsGpuPart part)
{
    add_texts(to, part);
    add_numbers(to, part);
    add_l1_rule(to, part);
    add_masks(to, part);
}

/* ---- what it states by name ---------------------------------------------------------------- */

static void add_of_level(const Teller *to, const PsMemoryLevel *level, const char *what,
                         PsRational value, const char *unit)
{
    g_autofree char *name = g_strdup_printf("%s, %s", ps_level_name(level->level), what);
    if (value.num)
        add_rational(to, name, value, unit, level->source);
}

static void add_levels(const Teller *to)
{
    for (guint i = 0; to->gpu->memory.levels && i < to->gpu->memory.levels->len; i++) {
        const PsMemoryLevel *level = &g_array_index(to->gpu->memory.levels, PsMemoryLevel, i);
        g_autofree char *capacity = g_strdup_printf("%s, capacity", ps_level_name(level->level));
        g_autofree char *latency = g_strdup_printf("%s, latency", ps_level_name(level->level));
        if (level->bytes)
            add_count(to, capacity, level->bytes, "bytes", level->source);
        add_of_level(to, level, "one CU", level->port, "bytes per cycle");
        add_of_level(to, level, "all CUs", level->bandwidth, "GB/s");
        add_of_level(to, level, "read and written", level->mixed, "GB/s");
        add_latency(to, latency, level->latency, level->at, level->source);
    }
}

static void add_pipelines(const Teller *to)
{
    for (guint i = 0; i < to->gpu->pipelines->len; i++) {
        const PsPipeline *pipeline = to->gpu->pipelines->pdata[i];
        add_words(to, pipeline->name, pipeline->per_scheduler ? "each scheduler" : "the CU", "",
                  pipeline->source);
    }
}

static void add_classes(const Teller *to, gboolean rates)
{
    for (guint i = 0; i < to->gpu->classes->len; i++) {
        const PsClass *class = to->gpu->classes->pdata[i];
        const double value = rates ? ps_gpu_class_rate(to->gpu, class)
                                   : ps_rational_to_double(class->latency.completion);
        open_figure(to, class->name, ps_format_number(value), value, NULL);
        close_figure(to, class->source);
    }
}

/* ---- peaks --------------------------------------------------------------------------------- */

/* Takes ownership of the origin's words; both rates are in 10^9 per second, NaN if unknown. */
static void add_peak(const Teller *to, const char *name, double rate, char *origin,
                     PsRational datasheet, const char *source)
{
    g_autofree char *taken = origin;
    open_figure(to, name, isnan(rate) ? NULL : ps_format_number(rate), rate,
                name[0] == 'B' ? "GB/s" : "Gop/s");
    ps_tell(to->facts, PS_FACT_SHOWN_GPUS_PARTS_FIGURES_ORIGIN, taken);
    ps_tell(to->facts, PS_FACT_SHOWN_GPUS_PARTS_FIGURES_DATASHEET,
            datasheet.num ? ps_rational_to_double(datasheet) : NAN);
    close_figure(to, source);
}

static const char *plain_origin(gboolean stated)
{
    return stated ? "stated" : "data sheet";
}

/* Adds stated peaks of matrix products, by type. */
static void add_product_peaks(const Teller *to)
{
    const double scale =
        ps_rational_to_double(ps_gpu_usual_clock(to->gpu)) / ps_rational_to_double(to->gpu->clock);
    for (guint i = 0; i < to->gpu->peaks->len; i++) {
        const PsPeak *peak = to->gpu->peaks->pdata[i];
        const gboolean stated = peak->value.num > 0;
        if (g_str_has_prefix(peak->name, "T_tensor."))
            add_peak(to, peak->name,
                     scale * ps_rational_to_double(stated ? peak->value : peak->datasheet),
                     g_strdup(plain_origin(stated)), peak->datasheet, peak->source);
    }
}

/* Adds a known peak with its origin: a latency, a level of memory, or the file. */
static void add_known_peak(const Teller *to, PsPeakKind kind, double rate, PsPeakOrigin origin)
{
    const PsPeak *peak = ps_gpu_peak(to->gpu, ps_peak_kind_name(kind));
    const PsMemoryLevel *level = peak && peak->value.num ? NULL : ps_peak_level(to->gpu, kind);
    const PsClass *class = origin == PS_PEAK_DERIVED ? ps_peak_class(to->gpu, kind) : NULL;
    char *words = class   ? g_strdup_printf("lambda of %s", class->name)
                  : level ? g_strdup_printf("level %s", ps_level_name(level->level))
                          : g_strdup(plain_origin(origin == PS_PEAK_STATED));
    add_peak(to, ps_peak_kind_name(kind), rate, words, peak ? peak->datasheet : PS_RATIONAL_INT(0),
             class   ? class->source
             : level ? level->source
                     : peak->source);
}

/* Adds the peaks, with those of Table 3 of the quantitative roofline that the description lacks. */
static void add_peaks(const Teller *to)
{
    PsPeaks peaks;
    ps_peaks_resolve(to->gpu, PS_RATIONAL_INT(0), &peaks);
    for (PsPeakKind kind = 0; kind < PS_N_PEAKS; kind++) {
        const gboolean needed = kind <= PS_B_MEM && kind != PS_T_HP && kind != PS_T_TENSOR;
        if (!isnan(peaks.value[kind]))
            add_known_peak(to, kind, peaks.value[kind] / 1e9, peaks.origin[kind]);
        else if (needed)
            add_peak(to, ps_peak_kind_name(kind), NAN, NULL, PS_RATIONAL_INT(0), NULL);
        if (kind == PS_T_TENSOR)
            add_product_peaks(to);
    }
}

/* ---- parts --------------------------------------------------------------------------------- */

static void add_figures(const Teller *to, PsGpuPart part)
{
    switch (part) {
    case PS_GPU_PART_LEVELS:
        add_levels(to);
        break;
    case PS_GPU_PART_PIPELINES:
        add_pipelines(to);
        break;
    case PS_GPU_PART_RATES:
    case PS_GPU_PART_COMPLETIONS:
        add_classes(to, part == PS_GPU_PART_RATES);
        break;
    case PS_GPU_PART_PEAKS:
        add_peaks(to);
        break;
    default:
        add_settings(to, part);
    }
}

gboolean ps_tell_gpu_part(const PsGpu *gpu, PsGpuPart part, PsTold *facts)
{
    g_autoptr(PsTold) figures = ps_told_new();
    const Teller to = {gpu, figures};
    ps_tell_open(figures, PS_FACT_SHOWN_GPUS_PARTS_FIGURES);
    if (is_stated(gpu, part))
        add_figures(&to, part);
    ps_tell_close(figures);
    if (ps_told_length(figures) == 1)
        return FALSE;
    ps_tell_item(facts);
    ps_tell(facts, PS_FACT_SHOWN_GPUS_PARTS_PART, PARTS[part].name);
    ps_tell_members(facts, figures);
    ps_tell_close(facts);
    return TRUE;
}
