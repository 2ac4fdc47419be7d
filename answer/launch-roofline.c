/* SPDX-License-Identifier: BSD-3-Clause */
/* See launch-roofline.h. */
#include "answer/answer-private.h"
#include "gpu/rows.h"
#include "roofline/terms.h"

#include <math.h>

/* Relative; quotients that differ by less are equal but for rounding. */
#define ROUNDING 1e-9

const char *ps_clamp_name(PsClamp clamp)
{
    static const char *const names[] = {
        [PS_CLAMP_CEILING] = "ceiling", [PS_CLAMP_ROOFLINE] = "roofline", [PS_CLAMP_NONE] = "none"};
    return names[clamp];
}

gboolean ps_launch_count(const PsWavesOf *of, PsMetrics *metrics, GPtrArray *warnings,
                         GError **error)
{
    PsIdg *of_waves;
    PsKernel *kernel = ps_kernel_of_waves(of, &of_waves, warnings, error);
    if (kernel)
        ps_metrics_count(kernel, of->groups ? of->groups : kernel->groups,
                         of->group_size ? of->group_size : kernel->group_size, of->wave, metrics,
                         warnings);
    const gboolean counted = kernel != NULL;
    ps_kernel_free(kernel);
    ps_idg_free(of_waves);
    return counted;
}

/* The peak of a type's operations; -1 for an unknown type. */
static int peak_of(PsKType type)
{
    static const int kinds[] = {
        [PS_K_UNKNOWN] = -1,   [PS_K_FP64] = PS_T_DP, [PS_K_FP32] = PS_T_SP,
        [PS_K_INT] = PS_T_INT, [PS_K_FP16] = PS_T_HP, [PS_K_TENSOR] = PS_T_TENSOR};
    return kinds[type];
}

/* Removes the next parameter that needs a peak which the GPU lacks, in the order in which
 * ps_predict asks for them; the others stay valid. FALSE: there is none. */
static gboolean forget_one(PsParams *params, const PsPeaks *peaks)
{
    const int op = peak_of(params->K_type);
    const struct {
        int peak;
        double *needs;
    } needs[] = {{PS_B_MEM, &params->W_traf},
                 {op, &params->W_comp},
                 {PS_T_SP, &params->D_ops},
                 {PS_T_LDST, &params->D_ldst},
                 {PS_T_ADD, &params->D_other}};
    for (guint i = 0; i < G_N_ELEMENTS(needs); i++) {
        if (needs[i].peak < 0 || peaks->value[needs[i].peak] > 0 || !(*needs[i].needs > 0))
            continue;
        *needs[i].needs = NAN;
        if (needs[i].peak == op)
            params->instructions = NAN; /* instructions need that peak, too */
        if (isnan(params->W_comp) || isnan(params->W_traf))
            params->O_krn = NAN;
        return TRUE;
    }
    return FALSE;
}

/* A launch has a time even if its roofline lacks something: that is a warning, not an error. */
static void predict(PsLaunchRoofline *roofline, const PsGpu *gpu, GPtrArray *warnings)
{
    const PsParams nothing = {.W_comp = NAN,
                              .W_traf = NAN,
                              .E_mix = NAN,
                              .D_ops = NAN,
                              .D_ldst = NAN,
                              .D_other = NAN,
                              .O_krn = NAN,
                              .ops_per_instruction = NAN,
                              .instructions = NAN};
    PsParams rest = roofline->params;
    g_autoptr(GError) error = NULL;
    while (!ps_predict(&rest, &roofline->peaks, gpu, &roofline->prediction, &error)) {
        g_ptr_array_add(warnings, g_strdup(error->message));
        g_clear_error(&error);
        if (!forget_one(&rest, &roofline->peaks))
            rest = nothing;
    }
}

/* The least bytes that device memory moves while the kernel runs. With --cache warm, caches may
 * also hold as much of the data that it reads as of those that it writes. */
static double least_traffic(const PsLaunchRoofline *roofline, const PsMachine *machine)
{
    const double read = roofline->metrics.value[PS_M_TRAN_R];
    const PsParams loads = {.W_traf = read,
                            .stored = machine->refinements.cache == PS_CACHE_WARM ? read : 0};
    return ps_traffic_least(&roofline->params, machine->gpu) - read +
           ps_traffic_least(&loads, machine->gpu);
}

/* Seconds of that traffic at a bandwidth. */
static double memory_time(const PsLaunchRoofline *roofline, double bandwidth)
{
    return roofline->least_traffic == 0 ? 0 : roofline->least_traffic / bandwidth;
}

/* Seconds of that traffic at device memory's peak. */
static double least_of_memory(const PsLaunchRoofline *roofline)
{
    return memory_time(roofline, roofline->limits.value[PS_B_MEM]);
}

/* W_comp counts operations of several pipelines, which work at the same time. So no run is shorter
 * than its longest pipeline's work, or than its traffic. */
static void find_ceiling(PsLaunchRoofline *roofline, const PsMachine *machine, PsRational clock)
{
    PsPrediction *prediction = &roofline->prediction;
    const PsUnitCeiling unit =
        ps_unit_ceiling_find(machine, clock, roofline->params.K_type, &roofline->limits);
    roofline->least_traffic = least_traffic(roofline, machine);
    roofline->reached_seconds = memory_time(roofline, roofline->peaks.value[PS_B_MEM]);
    const double least = fmax(unit.seconds, least_of_memory(roofline));
    roofline->unit_peak = isnan(unit.seconds) ? ps_launch_roofline_op_peak(roofline) : unit.peak;
    roofline->pipeline = unit.pipeline;
    prediction->ceiling_seconds = least > 0 ? least : NAN;
    const double rate = least > 0 ? roofline->params.W_comp / least : NAN;
    if (fabs(rate / prediction->ceiling - 1) > ROUNDING)
        prediction->ceiling = rate;
}

/* A what-if with another bandwidth describes another GPU, not another measurement of this one: the
 * peak follows it. */
static void follow_what_if(PsLaunchRoofline *roofline, const PsMachine *machine)
{
    const PsMemoryLevel *device = ps_gpu_level(machine->gpu, PS_LEVEL_DEVICE);
    const PsMemoryLevel *now = &machine->levels[MAX(machine->n_levels, 1) - 1];
    PsRational bandwidth;
    double scale = 1;
    if (machine->n_levels > 0 && ps_gpu_level_bandwidth(device, machine->mixed, &bandwidth))
        scale = ps_rational_to_double(now->bandwidth) / ps_rational_to_double(bandwidth);
    roofline->peaks.value[PS_B_MEM] *= scale;
    roofline->limits.value[PS_B_MEM] *= scale;
}

void ps_launch_roofline_init(PsLaunchRoofline *roofline, const PsMachine *machine, PsRational clock,
                             GPtrArray *warnings)
{
    const PsLaunch *launch = &machine->launch;
    ps_metrics_count(machine->kernel, launch->groups, launch->group_size, machine->gpu->warp_size,
                     &roofline->metrics, machine->warm ? NULL : warnings);
    ps_peaks_resolve(machine->gpu, clock, &roofline->peaks);
    ps_peaks_mix(machine->gpu, &roofline->metrics, &roofline->peaks);
    ps_peaks_products(machine->gpu, clock, &roofline->metrics, &roofline->peaks);
    ps_peaks_limits(machine->gpu, clock, &roofline->metrics, &roofline->limits);
    follow_what_if(roofline, machine);
    if (machine->warm)
        roofline->metrics.value[PS_M_TRAN_R] = roofline->metrics.value[PS_M_TRAN_W] =
            roofline->metrics.stored = 0;
    ps_params_from_metrics(&roofline->metrics, &roofline->params);
    predict(roofline, machine->gpu, warnings);
    find_ceiling(roofline, machine, clock);
    /* Where the warnings name the missing peak, "not memory" is no answer. */
    if (isnan(roofline->prediction.seconds))
        roofline->prediction.bound = PS_BOUND_UNKNOWN;
}

gboolean ps_launch_roofline_is_whole(const PsLaunchRoofline *roofline)
{
    return roofline->prediction.bound == PS_BOUND_COMPUTE ||
           roofline->prediction.bound == PS_BOUND_MEMORY;
}

double ps_launch_roofline_seconds(const PsLaunchRoofline *roofline, PsClamp clamp)
{
    const PsPrediction *prediction = &roofline->prediction;
    const double ceiling = fmax(fmax(0, prediction->ceiling_seconds), roofline->reached_seconds);
    return clamp == PS_CLAMP_NONE      ? 0
           : clamp == PS_CLAMP_CEILING ? ceiling
                                       : fmax(ceiling, prediction->seconds);
}

gboolean ps_launch_roofline_is_passed(const PsLaunchRoofline *roofline, double seconds,
                                      PsClamp clamp)
{
    return seconds < (1 - ROUNDING) * ps_launch_roofline_seconds(roofline, clamp);
}

PsPeakKind ps_launch_roofline_ceiling_peak(const PsLaunchRoofline *roofline)
{
    const PsPrediction *prediction = &roofline->prediction;
    const gboolean memory =
        least_of_memory(roofline) >= (1 - ROUNDING) * prediction->ceiling_seconds;
    return memory || !roofline->params.K_type ? PS_B_MEM : roofline->unit_peak;
}

PsPeakKind ps_launch_roofline_op_peak(const PsLaunchRoofline *roofline)
{
    const int op = peak_of(roofline->params.K_type);
    return op < 0 ? PS_T_SP : (PsPeakKind)op;
}

double ps_launch_roofline_efficiency(const PsLaunchRoofline *roofline)
{
    const PsPrediction *prediction = &roofline->prediction;
    const double plain = roofline->params.W_comp > 0
                             ? roofline->params.W_comp / prediction->attainable
                             : prediction->memory_seconds;
    return ps_launch_roofline_is_whole(roofline) && prediction->seconds > 0
               ? plain / prediction->seconds
               : NAN;
}
