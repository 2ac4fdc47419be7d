/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A GPU's peaks: Table 3 of the quantitative roofline, and what goes beyond it
 * (docs/reference/model.md, section 5).
 */
#include "gpu/level.h"
#include "gpu/rows.h"
#include "roofline/params.h"
#include "roofline/terms.h"

#include <math.h>
#include <string.h>

/* The classes whose issue latency a peak follows from, the first one that exists, and the number of
 * operations or bytes per instruction of a thread. */
typedef struct {
    const char *name;
    double worth;
} Telling;

static const struct {
    const char *name;
    const char *usual; /* the class that nearly every GPU has */
    Telling classes[2];
} kinds[PS_N_PEAKS] = {
    [PS_T_SP] = {"T_SP", "fmadd", {{"dual", 4}, {"fmadd", 2}}}, /* pairs of RDNA 3 */
    [PS_T_DP] = {"T_DP", "dfma", {{"dfma", 2}}},
    [PS_T_HP] = {"T_HP", "hfma", {{"hfma", 4}}}, /* two multiply-adds */
    [PS_T_TENSOR] = {"T_tensor", NULL, {{NULL, 0}}},
    [PS_T_INT] = {"T_int", "imad", {{"imad", 2}}},
    [PS_T_ADD] = {"T_add", "iadd", {{"iadd", 1}, {"fadd", 1}}},
    [PS_T_LDST] = {"T_ldst", "local.load", {{"local.load", 1}}},
    [PS_B_MEM] = {"B_mem", "memory", {{"memory", 4}}}, /* 128 bytes per warp of 32 */
    [PS_B_L2] = {"B_L2", NULL, {{NULL, 0}}},
    [PS_B_L1] = {"B_L1", NULL, {{NULL, 0}}},
    [PS_B_LOCAL] = {"B_local", NULL, {{NULL, 0}}},
    [PS_B_L3] = {"B_L3", NULL, {{NULL, 0}}},
    [PS_B_L4] = {"B_L4", NULL, {{NULL, 0}}}};

const char *ps_peak_origin_name(PsPeakOrigin origin)
{
    static const char *const names[] = {[PS_PEAK_UNKNOWN] = NULL,
                                        [PS_PEAK_STATED] = "stated",
                                        [PS_PEAK_DERIVED] = "derived",
                                        [PS_PEAK_DATASHEET] = "datasheet"};
    return names[origin];
}

const char *ps_peak_kind_name(PsPeakKind kind)
{
    return kinds[kind].name;
}

const char *ps_peak_class_name(PsPeakKind kind)
{
    return kinds[kind].usual;
}

gboolean ps_peak_is_assumed(const PsGpu *gpu, const PsClass *gpu_class)
{
    const PsSource *source = gpu_class->source ? ps_gpu_source(gpu, gpu_class->source) : NULL;
    return source && source->kind == PS_SOURCE_ASSUMED;
}

/* Finds the class for the peak; a class that stands in with a warning, or whose latencies are
 * assumed, does not count. */
static const PsClass *find_class(const PsGpu *gpu, PsPeakKind kind, double *worth)
{
    for (guint i = 0; i < G_N_ELEMENTS(kinds[kind].classes); i++) {
        const Telling *telling = &kinds[kind].classes[i];
        PsMatch match;
        const PsClass *class = telling->name ? ps_gpu_class(gpu, telling->name, &match) : NULL;
        *worth = telling->worth;
        if (class && match != PS_MATCH_DEFAULT && !ps_peak_is_assumed(gpu, class))
            return class;
    }
    return NULL;
}

const PsClass *ps_peak_class(const PsGpu *gpu, PsPeakKind kind)
{
    double worth;
    return find_class(gpu, kind, &worth);
}

const PsMemoryLevel *ps_peak_level(const PsGpu *gpu, PsPeakKind kind)
{
    switch (kind) {
    case PS_B_MEM:
        return ps_gpu_level(gpu, PS_LEVEL_DEVICE);
    case PS_B_L2:
        return ps_gpu_level(gpu, PS_LEVEL_L2);
    case PS_B_L1:
        return ps_gpu_own_cache(gpu);
    case PS_B_L3:
        return ps_gpu_level(gpu, PS_LEVEL_L3);
    case PS_B_L4:
        return ps_gpu_level(gpu, PS_LEVEL_L4);
    default:
        return NULL;
    }
}

/* Bytes per second of all CUs. A level that CUs share has a clock of its own; a level of each CU
 * has the CUs' clock. */
static double level_rate(const PsGpu *gpu, const PsMemoryLevel *level, double hertz)
{
    if (level->bandwidth.num)
        return ps_rational_to_double(level->bandwidth) * 1e9;
    return ps_rational_to_double(level->port) * (double)gpu->compute_units * hertz;
}

gboolean ps_peak_has_own_clock(const char *name)
{
    static const PsPeakKind own[] = {PS_B_MEM, PS_B_L3, PS_B_L4};
    for (guint i = 0; i < G_N_ELEMENTS(own); i++)
        if (strcmp(name, kinds[own[i]].name) == 0)
            return TRUE;
    return FALSE;
}

/* The factor from a figure that a description states at its base clock to another clock. */
static double scale_of(const PsGpu *gpu, PsPeakKind kind, double hertz)
{
    return ps_peak_has_own_clock(kinds[kind].name)
               ? 1
               : hertz / (ps_rational_to_double(gpu->clock) * 1e6);
}

static void resolve(const PsGpu *gpu, PsPeakKind kind, double hertz, PsPeaks *peaks)
{
    const PsPeak *peak = ps_gpu_peak(gpu, kinds[kind].name);
    double worth;
    const PsClass *class = find_class(gpu, kind, &worth);
    const PsMemoryLevel *level = ps_peak_level(gpu, kind);
    const double scale = scale_of(gpu, kind, hertz);
    /* device memory has a clock of its own, and lambda counts cycles of the usual one */
    const double clock =
        kind == PS_B_MEM ? ps_rational_to_double(ps_gpu_usual_clock(gpu)) * 1e6 : hertz;
    peaks->value[kind] = NAN;
    peaks->origin[kind] = PS_PEAK_UNKNOWN;
    if (peak && peak->value.num) {
        peaks->value[kind] = ps_rational_to_double(peak->value) * 1e9 * scale;
        peaks->origin[kind] = PS_PEAK_STATED;
    } else if (level) {
        peaks->value[kind] = level_rate(gpu, level, hertz);
        peaks->origin[kind] = PS_PEAK_STATED;
    } else if (class) {
        peaks->value[kind] =
            worth * ps_gpu_class_rate(gpu, class) * (double)gpu->compute_units * clock;
        peaks->origin[kind] = PS_PEAK_DERIVED;
    } else if (peak) {
        peaks->value[kind] = ps_rational_to_double(peak->datasheet) * 1e9 * scale;
        peaks->origin[kind] = PS_PEAK_DATASHEET;
    }
}

/* A peak that an author states beside levels holds for any mix of reads and writes. */
void ps_peaks_mix(const PsGpu *gpu, const PsMetrics *metrics, PsPeaks *peaks)
{
    const PsPeak *peak = ps_gpu_peak(gpu, kinds[PS_B_MEM].name);
    const PsMemoryLevel *level = ps_peak_level(gpu, PS_B_MEM);
    const double read = metrics->value[PS_M_TRAN_R], written = metrics->value[PS_M_TRAN_W];
    PsRational bandwidth;
    if ((!peak || !peak->value.num) && level && level->bandwidth.num && !isnan(read + written) &&
        ps_gpu_level_bandwidth(level, ps_gpu_mixed_parts(read, written), &bandwidth))
        peaks->value[PS_B_MEM] = ps_rational_to_double(bandwidth) * 1e9;
}

static double hertz_of(const PsGpu *gpu, PsRational clock)
{
    return 1e6 * ps_rational_to_double(clock.num ? clock : ps_gpu_usual_clock(gpu));
}

void ps_peaks_resolve(const PsGpu *gpu, PsRational clock, PsPeaks *peaks)
{
    for (guint kind = 0; kind < PS_N_PEAKS; kind++)
        resolve(gpu, (PsPeakKind)kind, hertz_of(gpu, clock), peaks);
}

void ps_peaks_limits(const PsGpu *gpu, PsRational clock, const PsMetrics *metrics, PsPeaks *peaks)
{
    ps_peaks_resolve(gpu, clock, peaks);
    for (PsPeakKind kind = 0; kind < PS_N_PEAKS; kind++) {
        const PsPeak *peak = ps_gpu_peak(gpu, kinds[kind].name);
        const double sheet = peak ? ps_rational_to_double(peak->datasheet) * 1e9 *
                                        scale_of(gpu, kind, hertz_of(gpu, clock))
                                  : 0;
        if (sheet > peaks->value[kind]) {
            peaks->value[kind] = sheet;
            peaks->origin[kind] = PS_PEAK_DATASHEET;
        }
    }
    if (metrics)
        ps_products_limit(gpu, clock, metrics, peaks);
}
