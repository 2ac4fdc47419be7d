/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Parameters of a kernel: equations 2 to 9 of the quantitative roofline. A value that is not known
 * is NaN, and arithmetic carries NaN on.
 */
#include "roofline/params.h"

#include "base/message.h"
#include "roofline/terms.h"

#include <math.h>
#include <string.h>

/* Most difference of the densities' sum to 1: three densities, each rounded to a per cent. */
#define SUM_TOLERANCE 0.0151
/* Most excess of a fraction over 1 from rounding in its computation. */
#define ROUNDING 1e-9

/* ---- types --------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    double ops; /* operations of the largest instruction */
    PsMetric instructions, operations;
} types[] = {[PS_K_UNKNOWN] = {NULL, NAN, PS_M_INST, PS_M_INST},
             [PS_K_FP64] = {"fp64", 2, PS_M_FP64, PS_M_FMA64},
             [PS_K_FP32] = {"fp32", 2, PS_M_FP32, PS_M_FMA32},
             [PS_K_INT] = {"int", 2, PS_M_INT, PS_M_INT},
             [PS_K_FP16] = {"fp16", 4, PS_M_FP16, PS_M_OPS16},
             [PS_K_TENSOR] = {"tensor", 0, PS_M_TENSOR, PS_M_OPS_TENSOR}};

const char *ps_k_type_name(PsKType type)
{
    return types[type].name;
}

gboolean ps_k_type_is_beyond(PsKType type)
{
    return type == PS_K_FP16 || type == PS_K_TENSOR;
}

PsKType ps_k_type_of(const char *name)
{
    for (guint i = PS_K_UNKNOWN + 1; i < G_N_ELEMENTS(types); i++)
        if (name && strcmp(types[i].name, name) == 0)
            return (PsKType)i;
    return PS_K_UNKNOWN;
}

double ps_k_type_ops(PsKType type)
{
    return types[type].ops;
}

/* ---- from metrics -------------------------------------------------------------------------- */

/* The operations from counts of instructions, or, where these are not known, from a count of
 * operations. */
static double either(double counted, double operations)
{
    return isnan(counted) ? operations : counted;
}

/* Equation 2; beyond the paper, operations may be counted as such. */
static double operations(const PsMetrics *metrics, PsKType type)
{
    const double *m = metrics->value;
    switch (type) {
    case PS_K_FP64:
        return either(m[PS_M_FP64] + m[PS_M_FMA64], m[PS_M_OPS64]);
    case PS_K_FP32:
        return either(m[PS_M_FP32] + m[PS_M_FMA32], m[PS_M_OPS32]);
    case PS_K_INT:
        return m[PS_M_INT];
    case PS_K_FP16:
        return m[PS_M_OPS16];
    case PS_K_TENSOR:
        return m[PS_M_OPS_TENSOR];
    default:
        return NAN;
    }
}

/* Least number of operations: one per instruction, where multiply-adds were not counted. */
static double least_operations(const PsMetrics *metrics, PsKType type)
{
    return either(operations(metrics, type), metrics->value[types[type].instructions]);
}

/* The type with most operations; of several with as many, the first. "int otherwise" needs to know
 * that there is no other type. */
static PsKType choose_type(const PsMetrics *metrics)
{
    static const PsKType all[] = {PS_K_FP64, PS_K_FP32, PS_K_FP16, PS_K_TENSOR};
    PsKType type = PS_K_UNKNOWN;
    double most = 0;
    for (guint i = 0; i < G_N_ELEMENTS(all); i++) {
        const double done = least_operations(metrics, all[i]);
        if (done > most) {
            type = all[i];
            most = done;
        }
    }
    if (type)
        return type;
    return least_operations(metrics, PS_K_FP64) == 0 && least_operations(metrics, PS_K_FP32) == 0
               ? PS_K_INT
               : PS_K_UNKNOWN;
}

/* a / b; NaN where this is no ratio. */
static double ratio(double a, double b)
{
    return b > 0 ? a / b : NAN;
}

/* W_comp / W_traf; without traffic it is infinite, and with neither it is not known. */
static double intensity(double W_comp, double W_traf)
{
    return W_traf == 0 && W_comp > 0 ? INFINITY : ratio(W_comp, W_traf);
}

/* Equation 7. Counts that were not made at the same time may overlap by a little; a difference
 * within rounding is 0. */
static double other_density(double D_ops, double D_ldst)
{
    const double rest = 1 - D_ops - D_ldst;
    return rest < ROUNDING && rest > -SUM_TOLERANCE ? 0 : rest;
}

/* Equation 4. Integers have 50 % as printed: no counter has their multiply-adds. */
static double mix_efficiency(const PsParams *params, double instructions)
{
    if (params->K_type == PS_K_INT)
        return 0.5;
    return ratio(params->W_comp, params->ops_per_instruction * instructions);
}

void ps_params_from_metrics(const PsMetrics *metrics, PsParams *params)
{
    const double *m = metrics->value;
    const PsKType type = choose_type(metrics);
    const double instructions = type ? m[types[type].instructions] : NAN; /* (8) */
    *params = (PsParams){.K_type = type,
                         .instructions = instructions,
                         .W_comp = operations(metrics, type),
                         .W_traf = m[PS_M_TRAN_R] + m[PS_M_TRAN_W],
                         .D_ops = ratio(instructions, m[PS_M_INST]),
                         .D_ldst = ratio(m[PS_M_LDST], m[PS_M_INST]),
                         .elsewhere = type == PS_K_FP64 ? metrics->special64 : 0,
                         .stored = metrics->stored};
    params->ops_per_instruction =
        type == PS_K_TENSOR ? ratio(params->W_comp, instructions) : types[type].ops;
    params->E_mix = mix_efficiency(params, instructions);
    params->D_other = other_density(params->D_ops, params->D_ldst);
    params->O_krn = intensity(params->W_comp, params->W_traf);
    params->traffic[PS_LEVEL_L1] = m[PS_M_L1];
    params->traffic[PS_LEVEL_L2] = m[PS_M_L2];
    params->traffic[PS_LEVEL_L0] = NAN; /* not counted: a CU's own cache counts as L1 */
    params->traffic[PS_LEVEL_L3] = params->traffic[PS_LEVEL_L4] = NAN; /* not counted, either */
    params->traffic[PS_LEVEL_DEVICE] = params->W_traf;
}

/* ---- ranges -------------------------------------------------------------------------------- */

static gboolean wrong(GError **error, const char *name, double value, const char *right)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    g_ascii_formatd(text, sizeof text, "%.6g", value);
    g_set_error(error, PS_ERROR, PS_ERROR_VALUE, "%s is %s; it must be %s", name, text, right);
    return FALSE;
}

static gboolean check_fractions(const PsParams *params, GError **error)
{
    const struct {
        const char *name;
        double value;
    } fractions[] = {{"E_mix", params->E_mix},
                     {"D_ops", params->D_ops},
                     {"D_ldst", params->D_ldst},
                     {"D_other", params->D_other}};
    for (guint i = 0; i < G_N_ELEMENTS(fractions); i++) {
        const double value = fractions[i].value;
        if (value < 0 || value > 1 + ROUNDING)
            return wrong(error, fractions[i].name, value, "a fraction from 0 to 1");
    }
    return TRUE;
}

static gboolean check_counts(const PsParams *params, GError **error)
{
    const struct {
        const char *name;
        double value;
    } counts[] = {{"W_comp", params->W_comp},
                  {"W_traf", params->W_traf},
                  {"traffic of L1", params->traffic[PS_LEVEL_L1]},
                  {"traffic of L2", params->traffic[PS_LEVEL_L2]}};
    for (guint i = 0; i < G_N_ELEMENTS(counts); i++)
        if (counts[i].value < 0 || isinf(counts[i].value))
            return wrong(error, counts[i].name, counts[i].value, "0 or more, and finite");
    if (params->O_krn < 0)
        return wrong(error, "O_krn", params->O_krn, "0 or more");
    if (params->ops_per_instruction <= 0)
        return wrong(error, "the number of operations per instruction", params->ops_per_instruction,
                     "above 0");
    return TRUE;
}

/* Checks the sum of the three densities; D_other may not be known. */
static gboolean check_sum(const PsParams *params, GError **error)
{
    const double two = params->D_ops + params->D_ldst;
    if (two > 1 + SUM_TOLERANCE)
        return wrong(error, "the sum of D_ops and D_ldst", two, "at most 1");
    if (fabs(two + params->D_other - 1) > SUM_TOLERANCE)
        return wrong(error, "the sum of D_ops, D_ldst and D_other", two + params->D_other,
                     "1 (D_other may be left out)");
    return TRUE;
}

/* Checks that work has instructions that do it. */
static gboolean check_work(const PsParams *params, GError **error)
{
    if (!(params->W_comp > 0))
        return TRUE;
    if (params->E_mix == 0)
        return wrong(error, "E_mix", 0, "above 0, since W_comp is");
    if (params->D_ops == 0)
        return wrong(error, "D_ops", 0, "above 0, since W_comp is");
    return TRUE;
}

gboolean ps_params_check(const PsParams *params, GError **error)
{
    /* the sum first: it explains a D_other below 0 */
    return check_counts(params, error) &&
           (params->D_other >= 0 || isnan(params->D_other) || check_sum(params, error)) &&
           check_fractions(params, error) && check_sum(params, error) && check_work(params, error);
}

/* ---- from elsewhere ------------------------------------------------------------------------ */

/* Computes W_traf where only the intensity is known, then the intensity from both. */
static void complete_traffic(PsParams *params)
{
    if (isnan(params->W_traf)) {
        if (params->O_krn > 0)
            params->W_traf = params->W_comp / params->O_krn;
        else
            params->W_traf = params->traffic[PS_LEVEL_DEVICE];
    }
    if (!isnan(params->W_comp) && !isnan(params->W_traf))
        params->O_krn = intensity(params->W_comp, params->W_traf);
    params->traffic[PS_LEVEL_DEVICE] = params->W_traf;
}

gboolean ps_params_complete(PsParams *params, GError **error)
{
    if (isnan(params->D_other))
        params->D_other = other_density(params->D_ops, params->D_ldst);
    if (isnan(params->ops_per_instruction) || params->ops_per_instruction == 0)
        params->ops_per_instruction =
            ps_k_type_ops(params->K_type) > 0 ? ps_k_type_ops(params->K_type) : NAN;
    if (!ps_params_check(params, error))
        return FALSE;
    params->instructions = ratio(params->W_comp, params->E_mix * params->ops_per_instruction);
    complete_traffic(params);
    return TRUE;
}
