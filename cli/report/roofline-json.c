/* SPDX-License-Identifier: BSD-3-Clause */
/* See roofline-json.h. */
#include "cli/report/roofline-json.h"
#include "pipesim-private.h"

#include <math.h>

typedef struct {
    const char *key;
    double value;
} Member;

static void put_members(PsJson *json, const Member *members, gsize n)
{
    for (gsize i = 0; i < n; i++)
        ps_json_figure(json, members[i].key, members[i].value);
}

void put_roofline_parameters(const PsParams *params, PsJson *json)
{
    const Member members[] = {
        {"W_comp", params->W_comp}, {"W_traf", params->W_traf},
        {"E_mix", params->E_mix},   {"D_ops", params->D_ops},
        {"D_ldst", params->D_ldst}, {"D_other", params->D_other},
        {"O_krn", params->O_krn},   {"ops_per_instruction", params->ops_per_instruction}};
    ps_json_open(json, "parameters", '{', PS_JSON_LINE);
    ps_json_known_text(json, "K_type", ps_k_type_name(params->K_type));
    for (gsize i = 0; i < G_N_ELEMENTS(members); i++)
        ps_json_precise(json, members[i].key, members[i].value);
    ps_json_raw(json, "beyond_paper", ps_k_type_is_beyond(params->K_type) ? "true" : "false");
    ps_json_open(json, "traffic", '{', PS_JSON_LINE);
    ps_json_figure(json, "L1", params->traffic[PS_LEVEL_L1]);
    ps_json_figure(json, "L2", params->traffic[PS_LEVEL_L2]);
    ps_json_close(json, '}');
    ps_json_close(json, '}');
}

void put_roofline_prediction(const PsPrediction *prediction, PsJson *json)
{
    const PsPrediction *p = prediction;
    const Member members[] = {{"T_op", p->T_op},
                              {"E_instr", p->E_instr},
                              {"T_adjusted", p->T_adjusted},
                              {"O_dev", p->O_dev},
                              {"W_op", p->W_op},
                              {"W_ldst", p->W_ldst},
                              {"W_other", p->W_other},
                              {"C_op", p->C_op},
                              {"C_ldst", p->C_ldst},
                              {"C_other", p->C_other},
                              {"T_predicted", p->T_predicted},
                              {"compute_seconds", p->compute_seconds},
                              {"memory_seconds", p->memory_seconds},
                              {"ceiling", p->ceiling},
                              {"ceiling_seconds", p->ceiling_seconds},
                              {"attainable", p->attainable}};
    ps_json_figure(json, "seconds", p->seconds);
    ps_json_known_text(json, "bound", ps_bound_name(p->bound));
    put_members(json, members, G_N_ELEMENTS(members));
    if (p->bound != PS_BOUND_CEILING)
        return;
    ps_json_open(json, "equations", '{', PS_JSON_LINE);
    ps_json_figure(json, "seconds", p->equations_seconds);
    ps_json_known_text(json, "bound", ps_bound_name(p->equations_bound));
    ps_json_close(json, '}');
}

void put_roofline_ceilings(const PsCeilings *ceilings, double measured, PsJson *json)
{
    ps_json_open(json, "ceilings", '{', PS_JSON_LINE);
    ps_json_figure(json, "seconds", ceilings->seconds);
    ps_json_known_text(json, "highest",
                       ceilings->highest < 0 ? NULL
                                             : ps_ceiling_name((PsCeilingKind)ceilings->highest));
    for (PsCeilingKind i = 0; i < PS_N_CEILINGS; i++) {
        const PsCeiling *of = &ceilings->of[i];
        const gboolean is_further = i == PS_CEILING_L3 || i == PS_CEILING_L4;
        if (is_further && isnan(of->work) && isnan(of->peak))
            continue;
        ps_json_open(json, ps_ceiling_name(i), '{', PS_JSON_LINE);
        ps_json_figure(json, "work", of->work);
        ps_json_figure(json, "peak", of->peak);
        ps_json_figure(json, "seconds", of->seconds);
        ps_json_figure(json, "rate", of->work / measured);
        ps_json_figure(json, "share", of->seconds / measured);
        ps_json_close(json, '}');
    }
    ps_json_close(json, '}');
}

void put_roofline_metrics(const PsMetrics *metrics, PsJson *json)
{
    ps_json_open(json, "metrics", '{', PS_JSON_LINE);
    for (PsMetric i = 0; i < PS_N_METRICS; i++)
        if (i < PS_M_L3 || !isnan(metrics->value[i]))
            ps_json_figure(json, ps_metric_name(i), metrics->value[i]);
    ps_json_close(json, '}');
}

void put_roofline_peaks(const PsPeaks *peaks, PsJson *json)
{
    ps_json_open(json, "peaks", '{', PS_JSON_LINE);
    for (PsPeakKind i = 0; i < PS_N_PEAKS; i++) {
        if (i >= PS_B_L3 && isnan(peaks->value[i]))
            continue;
        ps_json_open(json, ps_peak_kind_name(i), '{', PS_JSON_LINE);
        ps_json_figure(json, "value", peaks->value[i]);
        ps_json_known_text(json, "origin", ps_peak_origin_name(peaks->origin[i]));
        ps_json_close(json, '}');
    }
    ps_json_close(json, '}');
}
