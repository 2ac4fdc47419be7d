/* SPDX-License-Identifier: BSD-3-Clause */
/* See ceilings.h. A value that is not known is NaN, and arithmetic carries NaN on. */
#include "roofline/ceilings.h"

#include "base/class-name.h"
#include "gpu/rows.h"
#include "roofline/params.h"
#include "roofline/terms.h"

#include <math.h>

/* Bytes that one load or store moves for a thread. */
#define LANE_BYTES 4

const char *ps_ceiling_name(PsCeilingKind kind)
{
    static const char *const names[] = {"fp64",    "fp32", "fp16",  "tensor", "int",
                                        "special", "ldst", "issue", "local",  "L1",
                                        "L2",      "L3",   "L4",    "device"};
    return names[kind];
}

gboolean ps_ceiling_is_bytes(PsCeilingKind kind)
{
    return kind >= PS_CEILING_LOCAL;
}

/* The values that all ceilings are computed from. */
typedef struct {
    const PsMetrics *metrics;
    const double *m; /* values of the metrics */
    const double *peak;
    const PsGpu *gpu;
    double hertz;
} Question;

/* Returns work / rate; no work takes no time, at any rate. */
static double time_of(double work, double rate)
{
    return work == 0 ? 0 : rate > 0 ? work / rate : NAN;
}

static PsCeiling plain(double work, double peak)
{
    return (PsCeiling){work, peak, time_of(work, peak)};
}

/* ---- pipelines ----------------------------------------------------------------------------- */

/* An instruction with one operation takes as long as a multiply-add, which has two. */
static PsCeiling multiply_adds(double instructions, double fused, double operations, double peak)
{
    const PsCeiling known = plain(operations, peak);
    const double work = instructions + fused;
    const double slots = time_of(2 * instructions, peak);
    return (PsCeiling){isnan(work) ? known.work : work, peak, isnan(slots) ? known.seconds : slots};
}

/* fmax takes the known one of two values. */
static PsCeiling single_precision(const Question *q)
{
    const double *m = q->m, peak = q->peak[PS_T_SP], add = q->peak[PS_T_ADD];
    PsCeiling found = multiply_adds(NAN, NAN, m[PS_M_OPS32], peak);
    const double work = m[PS_M_FP32] + m[PS_M_FMA32];
    const double there = isnan(m[PS_M_FMA_PIPE]) ? m[PS_M_FMA32] : m[PS_M_FMA_PIPE];
    const double shared = time_of(m[PS_M_FP32], peak / 2 + (isnan(add) ? 0 : add));
    found.work = isnan(work) ? found.work : work;
    found.seconds = fmax(fmax(time_of(2 * there, peak), shared), found.seconds);
    return found;
}

static PsCeiling integers(const Question *q)
{
    const double mad = q->peak[PS_T_INT] / 2, add = q->peak[PS_T_ADD];
    return plain(q->m[PS_M_INT], isnan(mad) ? add : isnan(add) ? mad : mad + add);
}

/* Instructions of threads per second of the special function units. */
static double special_rate(const Question *q)
{
    static const char *const names[] = {"mufu", "rcp"};
    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        PsMatch match;
        const PsClass *found = ps_gpu_class(q->gpu, names[i], &match);
        if (found && match != PS_MATCH_DEFAULT && !ps_peak_is_assumed(q->gpu, found))
            return ps_gpu_class_rate(q->gpu, found) * (double)q->gpu->compute_units * q->hertz;
    }
    return NAN;
}

/* Thread instructions per second that the schedulers issue. A graph is simulated with schedulers
 * only where the description's <model> asks for them (R1). */
static double issue_rate(const Question *q)
{
    const PsGpu *gpu = q->gpu;
    if (q->metrics->graph && !gpu->model.schedulers)
        return NAN;
    const double lanes = (double)gpu->schedulers * ps_rational_to_double(gpu->issue_width) *
                         (double)gpu->warp_size * (double)gpu->compute_units;
    return lanes > 0 && !ps_gpu_is_amd(gpu) ? lanes * q->hertz : NAN;
}

/* The pipeline of the class that T_ldst comes from; -1: not known. */
static gint64 local_pipeline(const PsGpu *gpu)
{
    const PsClass *class = ps_peak_class(gpu, PS_T_LDST);
    return gpu->local.stated ? (gint64)gpu->local.pipeline : class ? (gint64) class->pipeline : -1;
}

/* Thread instructions per cycle and CU that pipelines of global memory take besides local memory's:
 * the highest rate of a class in the description, or of its levels. */
static double other_way(const PsGpu *gpu)
{
    static const char *const far[] = {"global", "memory", NULL};
    const gint64 local = local_pipeline(gpu);
    double most = 0;
    for (guint i = 0; i < gpu->classes->len; i++) {
        const PsClass *class = gpu->classes->pdata[i];
        if (class->pipeline != local && ps_class_is_one_of(class->name, far))
            most = fmax(most, ps_gpu_class_rate(gpu, class));
    }
    if (gpu->memory.levels && gpu->memory.pipeline != local)
        most = fmax(most, (double)gpu->warp_size / ps_rational_to_double(gpu->memory.request));
    return most;
}

/* Loads and stores per second. One load/store unit that serves both memories has one rate. On AMD
 * local memory and global memory each have a pipeline, and L1 is the first limit of global memory.
 * GPUs of NVIDIA whose descriptions have a pipeline for each memory are treated alike. */
static double ldst_rate(const Question *q)
{
    const PsGpu *gpu = q->gpu;
    if (ps_gpu_is_amd(gpu))
        return q->peak[PS_T_LDST] + q->peak[PS_B_L1] / LANE_BYTES;
    if (gpu->memory.wavefront.num > 0)
        return q->peak[PS_T_LDST];
    return q->peak[PS_T_LDST] + other_way(gpu) * (double)gpu->compute_units * q->hertz;
}

static double local_rate(const Question *q)
{
    const double stated = q->peak[PS_B_LOCAL];
    return isnan(stated) ? LANE_BYTES * q->peak[PS_T_LDST] : stated;
}

/* Bytes of local memory. A description without <local-memory> does not give the cost of conflicts:
 * it has one class for accesses with conflicts of any degree. */
static double local_bytes(const Question *q)
{
    return q->m[PS_M_LOCAL] - (q->gpu->local.stated ? 0 : q->metrics->conflicts);
}

/* Double precision. Special functions of doubles take another pipeline. */
static PsCeiling doubles(const Question *q)
{
    const double *m = q->m;
    PsCeiling found = multiply_adds(m[PS_M_FP64] - q->metrics->special64, m[PS_M_FMA64],
                                    m[PS_M_OPS64], q->peak[PS_T_DP]);
    found.work += q->metrics->special64;
    return found;
}

/* ---- all of them --------------------------------------------------------------------------- */

static void find_units(const Question *q, PsCeiling *of)
{
    const double *m = q->m, *peak = q->peak;
    of[PS_CEILING_FP64] = doubles(q);
    of[PS_CEILING_FP32] = single_precision(q);
    of[PS_CEILING_FP16] = plain(m[PS_M_OPS16], peak[PS_T_HP]);
    of[PS_CEILING_TENSOR] = plain(m[PS_M_OPS_TENSOR], peak[PS_T_TENSOR]);
    of[PS_CEILING_INT] = integers(q);
    of[PS_CEILING_SPECIAL] = plain(m[PS_M_SPECIAL], special_rate(q));
    of[PS_CEILING_LDST] = plain(m[PS_M_LDST] - q->metrics->atomics, ldst_rate(q));
    of[PS_CEILING_ISSUE] = plain(m[PS_M_INST], issue_rate(q));
    of[PS_CEILING_LOCAL] = plain(local_bytes(q), local_rate(q));
}

/* Most bytes per second of L2, for loads and stores: stores with a rate of their own do not use
 * L2's bandwidth, but come on top of it. */
static double most_of_l2(const Question *q)
{
    const PsAtomics *atomics = &q->gpu->atomics;
    const double at = atomics->rates_at.num ? ps_rational_to_double(atomics->rates_at) * 1e6 : NAN;
    const double clocks = isnan(at) ? 1 : q->hertz / at;
    return q->peak[PS_B_L2] + 32e9 * clocks * ps_rational_to_double(atomics->stores);
}

/* Finds the ceilings of the levels, from their traffic and bandwidths. */
static void find_levels(const Question *q, const PsParams *params, PsCeiling *of)
{
    const double *m = q->m, *peak = q->peak;
    const gboolean behind = isnan(m[PS_M_L3]) && ps_gpu_level(q->gpu, PS_LEVEL_L3);
    const double L3 = behind ? m[PS_M_BEHIND_L2] : m[PS_M_L3];
    of[PS_CEILING_L1] = plain(params->traffic[PS_LEVEL_L1], peak[PS_B_L1]);
    of[PS_CEILING_L2] = plain(params->traffic[PS_LEVEL_L2], most_of_l2(q));
    of[PS_CEILING_L3] = plain(L3, peak[PS_B_L3]);
    of[PS_CEILING_L4] = plain(m[PS_M_L4], peak[PS_B_L4]);
    of[PS_CEILING_DEVICE] = plain(behind && !isnan(L3) ? NAN : params->W_traf, peak[PS_B_MEM]);
    if (!isnan(of[PS_CEILING_DEVICE].work))
        of[PS_CEILING_DEVICE].seconds = time_of(ps_traffic_least(params, q->gpu), peak[PS_B_MEM]);
}

/* Takes the metrics that parameters tell. */
static void metrics_of(const PsParams *params, PsMetrics *metrics)
{
    static const PsMetric operations[] = {
        [PS_K_UNKNOWN] = PS_N_METRICS, [PS_K_FP64] = PS_M_OPS64, [PS_K_FP32] = PS_M_OPS32,
        [PS_K_INT] = PS_M_INT,         [PS_K_FP16] = PS_M_OPS16, [PS_K_TENSOR] = PS_M_OPS_TENSOR};
    const double all = params->instructions / params->D_ops;
    ps_metrics_init(metrics);
    if (params->K_type)
        metrics->value[operations[params->K_type]] = params->W_comp;
    if (params->K_type == PS_K_FP64) {
        metrics->value[PS_M_FP64] = params->instructions;
        metrics->value[PS_M_FMA64] = params->W_comp - params->instructions;
    } else if (params->K_type == PS_K_FP32) {
        metrics->value[PS_M_FP32] = params->instructions;
        metrics->value[PS_M_FMA32] = params->W_comp - params->instructions;
    }
    metrics->value[PS_M_INST] = isfinite(all) ? all : NAN;
    metrics->value[PS_M_LDST] = metrics->value[PS_M_INST] * params->D_ldst;
}

void ps_ceilings_find(const PsMetrics *metrics, const PsParams *params, const PsPeaks *peaks,
                      const PsGpu *gpu, PsRational clock, PsCeilings *ceilings)
{
    PsMetrics own;
    metrics_of(params, &own);
    const double mhz = ps_rational_to_double(clock.num ? clock : ps_gpu_usual_clock(gpu));
    const PsMetrics *of_kernel = metrics ? metrics : &own;
    const Question q = {of_kernel, of_kernel->value, peaks->value, gpu, mhz * 1e6};
    PsCeiling *of = ceilings->of;
    find_units(&q, of);
    find_levels(&q, params, of);
    ceilings->highest = -1;
    ceilings->seconds = NAN;
    for (int kind = 0; kind < PS_N_CEILINGS; kind++)
        if (of[kind].seconds > 0 && !(of[kind].seconds <= ceilings->seconds)) {
            ceilings->highest = kind;
            ceilings->seconds = of[kind].seconds;
        }
}

/* More than the rounding of one figure that is computed in two ways. */
#define ROUNDING 1e-9

void ps_prediction_raise(const PsCeilings *ceilings, const PsParams *params,
                         PsPrediction *prediction)
{
    if (!(ceilings->seconds > prediction->seconds * (1 + ROUNDING)))
        return;
    prediction->equations_seconds = prediction->seconds;
    prediction->equations_bound = prediction->bound;
    prediction->seconds = ceilings->seconds;
    prediction->bound = PS_BOUND_CEILING;
    prediction->T_predicted = params->W_comp / ceilings->seconds;
}
