/* SPDX-License-Identifier: BSD-3-Clause */
/* The quantitative roofline as facts: keys are the paper's symbols, units are those of roofline.h.
 */
#include "tell/roofline-facts.h"

#include "roofline/terms.h"
#include "tell/answer-parts.h"

#include <math.h>

void ps_tell_parameters(const PsParams *params, PsTold *facts)
{
    ps_tell_open(facts, PS_FACT_ROOFLINE_PARAMETERS);
    ps_tell(facts, PS_FACT_ROOFLINE_PARAMETERS_K_TYPE, ps_k_type_name(params->K_type));
    ps_tell(facts, PS_FACT_ROOFLINE_PARAMETERS_W_COMP, params->W_comp);
    ps_tell(facts, PS_FACT_ROOFLINE_PARAMETERS_W_TRAF, params->W_traf);
    ps_tell(facts, PS_FACT_ROOFLINE_PARAMETERS_E_MIX, params->E_mix);
    ps_tell(facts, PS_FACT_ROOFLINE_PARAMETERS_D_OPS, params->D_ops);
    ps_tell(facts, PS_FACT_ROOFLINE_PARAMETERS_D_LDST, params->D_ldst);
    ps_tell(facts, PS_FACT_ROOFLINE_PARAMETERS_D_OTHER, params->D_other);
    ps_tell(facts, PS_FACT_ROOFLINE_PARAMETERS_O_KRN, params->O_krn);
    ps_tell(facts, PS_FACT_ROOFLINE_PARAMETERS_OPS_PER_INSTRUCTION, params->ops_per_instruction);
    ps_tell(facts, PS_FACT_ROOFLINE_PARAMETERS_BEYOND_PAPER, ps_k_type_is_beyond(params->K_type));
    ps_tell_open(facts, PS_FACT_ROOFLINE_PARAMETERS_TRAFFIC);
    ps_tell(facts, PS_FACT_ROOFLINE_PARAMETERS_TRAFFIC_L1, params->traffic[PS_LEVEL_L1]);
    ps_tell(facts, PS_FACT_ROOFLINE_PARAMETERS_TRAFFIC_L2, params->traffic[PS_LEVEL_L2]);
    ps_tell_close(facts);
    ps_tell_close(facts);
}

void ps_tell_prediction(const PsPrediction *p, PsTold *facts)
{
    ps_tell(facts, PS_FACT_PREDICTION_SECONDS, p->seconds);
    ps_tell(facts, PS_FACT_PREDICTION_BOUND, ps_bound_name(p->bound));
    ps_tell(facts, PS_FACT_PREDICTION_T_OP, p->T_op);
    ps_tell(facts, PS_FACT_PREDICTION_E_INSTR, p->E_instr);
    ps_tell(facts, PS_FACT_PREDICTION_T_ADJUSTED, p->T_adjusted);
    ps_tell(facts, PS_FACT_PREDICTION_O_DEV, p->O_dev);
    ps_tell(facts, PS_FACT_PREDICTION_W_OP, p->W_op);
    ps_tell(facts, PS_FACT_PREDICTION_W_LDST, p->W_ldst);
    ps_tell(facts, PS_FACT_PREDICTION_W_OTHER, p->W_other);
    ps_tell(facts, PS_FACT_PREDICTION_C_OP, p->C_op);
    ps_tell(facts, PS_FACT_PREDICTION_C_LDST, p->C_ldst);
    ps_tell(facts, PS_FACT_PREDICTION_C_OTHER, p->C_other);
    ps_tell(facts, PS_FACT_PREDICTION_T_PREDICTED, p->T_predicted);
    ps_tell(facts, PS_FACT_PREDICTION_COMPUTE_SECONDS, p->compute_seconds);
    ps_tell(facts, PS_FACT_PREDICTION_MEMORY_SECONDS, p->memory_seconds);
    ps_tell(facts, PS_FACT_PREDICTION_CEILING, p->ceiling);
    ps_tell(facts, PS_FACT_PREDICTION_CEILING_SECONDS, p->ceiling_seconds);
    ps_tell(facts, PS_FACT_PREDICTION_ATTAINABLE, p->attainable);
    if (p->bound != PS_BOUND_CEILING)
        return;
    ps_tell_open(facts, PS_FACT_PREDICTION_EQUATIONS);
    ps_tell(facts, PS_FACT_PREDICTION_EQUATIONS_SECONDS, p->equations_seconds);
    ps_tell(facts, PS_FACT_PREDICTION_EQUATIONS_BOUND, ps_bound_name(p->equations_bound));
    ps_tell_close(facts);
}

void ps_tell_metrics(const PsMetrics *metrics, PsTold *facts)
{
    ps_tell_open(facts, PS_FACT_ROOFLINE_METRICS);
    for (PsMetric i = 0; i < PS_N_METRICS; i++)
        if (i < PS_M_L3 || !isnan(metrics->value[i]))
            ps_tell_entry_figure(facts, ps_metric_name(i), metrics->value[i]);
    ps_tell_close(facts);
}

void ps_tell_peaks(const PsPeaks *peaks, PsTold *facts)
{
    ps_tell_open(facts, PS_FACT_ROOFLINE_PEAKS);
    for (PsPeakKind i = 0; i < PS_N_PEAKS; i++) {
        if (i >= PS_B_L3 && isnan(peaks->value[i]))
            continue;
        ps_tell_entry(facts, ps_peak_kind_name(i));
        ps_tell(facts, PS_FACT_ROOFLINE_PEAKS_VALUE, peaks->value[i]);
        ps_tell(facts, PS_FACT_ROOFLINE_PEAKS_ORIGIN, ps_peak_origin_name(peaks->origin[i]));
        ps_tell_close(facts);
    }
    ps_tell_close(facts);
}

static void tell_ceiling(const PsCeiling *one, double measured, PsTold *facts)
{
    ps_tell(facts, PS_FACT_ROOFLINE_REPORT_KERNELS_PREDICTIONS_CEILINGS_EACH_WORK, one->work);
    ps_tell(facts, PS_FACT_ROOFLINE_REPORT_KERNELS_PREDICTIONS_CEILINGS_EACH_PEAK, one->peak);
    ps_tell(facts, PS_FACT_ROOFLINE_REPORT_KERNELS_PREDICTIONS_CEILINGS_EACH_SECONDS, one->seconds);
    ps_tell(facts, PS_FACT_ROOFLINE_REPORT_KERNELS_PREDICTIONS_CEILINGS_EACH_RATE,
            one->work / measured);
    ps_tell(facts, PS_FACT_ROOFLINE_REPORT_KERNELS_PREDICTIONS_CEILINGS_EACH_SHARE,
            one->seconds / measured);
}

void ps_tell_ceilings(const PsCeilings *ceilings, double measured, PsTold *facts)
{
    const int highest = ceilings->highest;
    ps_tell_open(facts, PS_FACT_ROOFLINE_REPORT_KERNELS_PREDICTIONS_CEILINGS);
    ps_tell(facts, PS_FACT_ROOFLINE_REPORT_KERNELS_PREDICTIONS_CEILINGS_SECONDS, ceilings->seconds);
    ps_tell(facts, PS_FACT_ROOFLINE_REPORT_KERNELS_PREDICTIONS_CEILINGS_HIGHEST,
            highest < 0 ? NULL : ps_ceiling_name((PsCeilingKind)highest));
    for (PsCeilingKind i = 0; i < PS_N_CEILINGS; i++) {
        const PsCeiling *one = &ceilings->of[i];
        const gboolean is_further = i == PS_CEILING_L3 || i == PS_CEILING_L4;
        if (is_further && isnan(one->work) && isnan(one->peak))
            continue;
        ps_tell_entry(facts, ps_ceiling_name(i));
        tell_ceiling(one, measured, facts);
        ps_tell_close(facts);
    }
    ps_tell_close(facts);
}

void ps_tell_roofline(const PsAnswer *answer, PsTold *facts)
{
    const PsLaunchRoofline *bound = &answer->roofline;
    ps_tell_open(facts, PS_FACT_ROOFLINE);
    ps_tell(facts, PS_FACT_ROOFLINE_TYPE, ps_k_type_name(bound->params.K_type));
    ps_tell(facts, PS_FACT_ROOFLINE_INTENSITY, bound->params.O_krn);
    ps_tell(facts, PS_FACT_ROOFLINE_EFFICIENCY, ps_launch_roofline_efficiency(bound));
    ps_tell_prediction(&bound->prediction, facts);
    ps_tell_parameters(&bound->params, facts);
    ps_tell_metrics(&bound->metrics, facts);
    ps_tell_peaks(&bound->peaks, facts);
    ps_tell_close(facts);
}
