/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The prediction: equations 10 to 19 of the quantitative roofline. A value that cannot be computed
 * from the input is NaN; nothing is divided by zero.
 */
#include "roofline/params.h"

#include "base/message.h"
#include "gpu/rows.h"
#include "roofline/terms.h"

#include <math.h>

/* ---- the peaks that a kernel needs --------------------------------------------------------- */

/* The peak of equation 10 for each type, and its name in messages. */
static const struct {
    PsPeakKind peak;
    const char *what;
} by_type[] = {[PS_K_FP64] = {PS_T_DP, "double-precision operations (K_type fp64)"},
               [PS_K_FP32] = {PS_T_SP, "single-precision operations (K_type fp32)"},
               [PS_K_INT] = {PS_T_INT, "integer operations (K_type int)"},
               [PS_K_FP16] = {PS_T_HP, "half-precision operations (K_type fp16)"},
               [PS_K_TENSOR] = {PS_T_TENSOR, "tensor-core operations (K_type tensor)"}};

static gboolean need(const PsPeaks *peaks, const PsGpu *gpu, PsPeakKind kind, const char *what,
                     GError **error)
{
    if (peaks->value[kind] > 0)
        return TRUE;
    const char *name = ps_peak_kind_name(kind);
    const char *class_name = ps_peak_class_name(kind);
    ps_error_at(error, PS_ERROR_VALUE, (PsPlace){gpu->path, 0},
                "the GPU '%s' has no peak %s, which this kernel needs for %s; state it with <peak "
                "name=\"%s\" value=\"...\"/>, in 10^9 %s per second%s%s%s",
                gpu->name, name, what, name, name[0] == 'B' ? "bytes" : "operations",
                class_name ? ", or describe the class '" : "", class_name ? class_name : "",
                class_name ? "', from whose issue latency it follows" : "");
    return FALSE;
}

/* TRUE if there are operations, even if their number is not known. */
static gboolean has_work(const PsParams *params)
{
    return params->W_comp > 0 || (isnan(params->W_comp) && params->instructions > 0);
}

/* Checks the peaks that are needed: without work no peak is. */
static gboolean need_all(const PsParams *params, const PsPeaks *peaks, const PsGpu *gpu,
                         GError **error)
{
    if (params->W_traf > 0 &&
        !need(peaks, gpu, PS_B_MEM, "its traffic to device memory (W_traf)", error))
        return FALSE;
    if (params->K_type == PS_K_UNKNOWN || !has_work(params))
        return TRUE;
    return need(peaks, gpu, by_type[params->K_type].peak, by_type[params->K_type].what, error) &&
           (!(params->D_ops > 0) ||
            need(peaks, gpu, PS_T_SP, "the weights of its instructions (equations 11 to 13)",
                 error)) &&
           (!(params->D_ldst > 0) ||
            need(peaks, gpu, PS_T_LDST, "its loads and stores (D_ldst)", error)) &&
           (!(params->D_other > 0) ||
            need(peaks, gpu, PS_T_ADD, "its other instructions (D_other)", error));
}

/* ---- equations 10 to 18 -------------------------------------------------------------------- */

/* density * weight; a density of 0 costs nothing at any weight. */
static double cost(double density, double weight)
{
    return density == 0 ? 0 : density * weight;
}

static void weigh_instructions(const PsParams *params, const PsPeaks *peaks, PsPrediction *p)
{
    const double reference = peaks->value[PS_T_SP] / 2; /* instructions per second */
    p->T_op = params->K_type ? peaks->value[by_type[params->K_type].peak] : NAN;
    p->W_op = reference / (p->T_op / params->ops_per_instruction); /* equation 11: T_SP / T_op
                                                                      for 2 operations */
    p->W_ldst = reference / peaks->value[PS_T_LDST];
    p->W_other = reference / peaks->value[PS_T_ADD];
    p->C_op = cost(params->D_ops, p->W_op);
    p->C_ldst = cost(params->D_ldst, p->W_ldst);
    p->C_other = cost(params->D_other, p->W_other);
    const double all = p->C_op + p->C_ldst + p->C_other;
    p->E_instr = all > 0 ? p->C_op / all : NAN;
    p->T_adjusted = params->E_mix * p->E_instr * p->T_op;
    p->O_dev = p->T_adjusted / peaks->value[PS_B_MEM];
}

/* ---- bounds -------------------------------------------------------------------------------- */

/* Returns work / rate; no work takes no time. */
static double time_of(double work, double rate)
{
    return work == 0 ? 0 : work / rate;
}

/* The time of the operations at that rate, with that share of multiply-adds. All instructions take
 * their turn, so it does not matter which ones are multiply-adds. */
static double compute_time(const PsParams *params, double rate, double mixed)
{
    return isnan(params->W_comp) ? params->ops_per_instruction * params->instructions / rate
                                 : time_of(params->W_comp, mixed);
}

/* O_krn * B_mem, the rate that memory allows; without traffic it is no limit. */
static double memory_rate(const PsParams *params, const PsPeaks *peaks)
{
    return isinf(params->O_krn) ? INFINITY : params->O_krn * peaks->value[PS_B_MEM];
}

/* Most integer instructions per second. M_int does not tell additions from multiply-adds, so a
 * ceiling must allow for either, and for both where each has a pipeline of its own. */
static double most_integers(const PsPeaks *peaks, const PsGpu *gpu)
{
    const PsClass *products = ps_peak_class(gpu, PS_T_INT), *sums = ps_peak_class(gpu, PS_T_ADD);
    const double product = peaks->value[PS_T_INT] / 2, sum = peaks->value[PS_T_ADD];
    const gboolean shared = products && sums && products->pipeline == sums->pipeline;
    return shared || isnan(product) || isnan(sum) ? fmax(product, sum) : product + sum;
}

double ps_traffic_least(const PsParams *params, const PsGpu *gpu)
{
    double held = 0;
    for (PsLevel level = PS_LEVEL_L2; level < PS_LEVEL_DEVICE; level++) {
        const PsMemoryLevel *cache = ps_gpu_level(gpu, level);
        held += cache ? (double)cache->bytes : 0;
    }
    return params->W_traf - fmin(params->stored, held);
}

/* Finds the ceilings. Where one of two limits is known, it counts; NaN where none is. fmin and fmax
 * do that. */
static void find_ceilings(const PsParams *params, const PsPeaks *peaks, const PsGpu *gpu,
                          PsPrediction *p)
{
    const double bytes = ps_traffic_least(params, gpu), all = memory_rate(params, peaks);
    const double memory = bytes < params->W_traf ? all * (params->W_traf / bytes) : all;
    const double either = params->K_type == PS_K_INT ? most_integers(peaks, gpu) : NAN;
    const double mix = isnan(params->E_mix) ? 1 : params->E_mix; /* the mix is at most 1 */
    const double here = params->elsewhere > 0 ? 1 - params->elsewhere / params->instructions : 1;
    const double mixed = fmax(mix * p->T_op, either) / here;
    p->ceiling = isnan(params->W_comp) ? NAN : fmin(mixed, memory);
    const double least =
        fmax(compute_time(params, p->T_op, mixed), time_of(bytes, peaks->value[PS_B_MEM]));
    p->ceiling_seconds = least > 0 ? least : NAN; /* zero traffic by itself is no ceiling */
    const double sums = params->K_type == PS_K_INT ? peaks->value[PS_T_ADD] : NAN;
    p->attainable = fmin(fmax(p->T_op, sums), all);
}

/* TRUE if operations take longer than traffic, where both times are known. */
static gboolean is_compute_bound(const PsParams *params, const PsPrediction *p)
{
    if (!has_work(params))
        return FALSE;
    if (isnan(params->W_comp))
        return p->compute_seconds > p->memory_seconds;
    return params->W_traf == 0 || params->O_krn > p->O_dev;
}

static PsBound find_bound(const PsParams *params, const PsPrediction *p)
{
    const gboolean compute = !isnan(p->compute_seconds);
    const gboolean memory = !isnan(p->memory_seconds);
    if (compute && memory)
        return is_compute_bound(params, p) ? PS_BOUND_COMPUTE : PS_BOUND_MEMORY;
    /* T'_op is at most the ceiling, E_mix * T_op; and memory does not bound a kernel without
     * traffic */
    if (memory && (p->ceiling_seconds > p->memory_seconds || params->W_traf == 0))
        return PS_BOUND_COMPUTE_LEAST;
    /* one known limit is an answer only where the kernel has work for it */
    if (compute && has_work(params))
        return PS_BOUND_COMPUTE_ONLY;
    if (memory && params->W_traf > 0)
        return PS_BOUND_MEMORY_ONLY;
    return PS_BOUND_UNKNOWN;
}

/* Equation 19. Where T'_op is not known but must be the bound, its largest possible value is
 * taken. */
static void decide(const PsParams *params, double memory, PsPrediction *p)
{
    p->bound = find_bound(params, p);
    const gboolean by_compute = p->bound == PS_BOUND_COMPUTE || p->bound == PS_BOUND_COMPUTE_ONLY;
    if (p->bound == PS_BOUND_UNKNOWN)
        return;
    if (p->bound == PS_BOUND_COMPUTE_LEAST) {
        p->T_predicted = p->ceiling;
        p->seconds = p->ceiling_seconds;
        return;
    }
    p->T_predicted = by_compute ? p->T_adjusted : memory;
    p->seconds = by_compute ? p->compute_seconds : p->memory_seconds;
}

gboolean ps_predict(const PsParams *params, const PsPeaks *peaks, const PsGpu *gpu,
                    PsPrediction *prediction, GError **error)
{
    if (!ps_params_check(params, error) || !need_all(params, peaks, gpu, error))
        return FALSE;
    *prediction = (PsPrediction){.T_predicted = NAN,
                                 .seconds = NAN,
                                 .compute_seconds = NAN,
                                 .memory_seconds = NAN,
                                 .ceiling = NAN,
                                 .ceiling_seconds = NAN,
                                 .attainable = NAN,
                                 .equations_seconds = NAN};
    weigh_instructions(params, peaks, prediction);
    /* a kernel that neither computes nor moves data has no place on the roofline */
    if (params->W_comp == 0 && params->W_traf == 0)
        return TRUE;
    const double memory = memory_rate(params, peaks);
    prediction->compute_seconds =
        compute_time(params, prediction->E_instr * prediction->T_op, prediction->T_adjusted);
    prediction->memory_seconds = time_of(params->W_traf, peaks->value[PS_B_MEM]);
    find_ceilings(params, peaks, gpu, prediction);
    decide(params, memory, prediction);
    return TRUE;
}

const char *ps_bound_name(PsBound bound)
{
    static const char *const names[] = {[PS_BOUND_UNKNOWN] = NULL,
                                        [PS_BOUND_COMPUTE] = "compute",
                                        [PS_BOUND_MEMORY] = "memory",
                                        [PS_BOUND_COMPUTE_ONLY] = "compute (memory unknown)",
                                        [PS_BOUND_MEMORY_ONLY] = "memory (compute unknown)",
                                        [PS_BOUND_COMPUTE_LEAST] = "compute (instructions unknown)",
                                        [PS_BOUND_CEILING] = "ceiling"};
    return names[bound];
}

double ps_prediction_error(const PsPrediction *prediction, double measured_seconds)
{
    return measured_seconds > 0 ? (prediction->seconds - measured_seconds) / measured_seconds : NAN;
}
