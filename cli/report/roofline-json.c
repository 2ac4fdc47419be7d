/* SPDX-License-Identifier: BSD-3-Clause */
/* See roofline-json.h. */
#include "cli/report/roofline-json.h"

#include "cli/report/format.h"

#include <math.h>

/* Doubles hold every whole number below this. */
#define WHOLE 9007199254740992.0

void put_roofline_number(Json *json, const char *key, double value)
{
    g_autofree char *text = NULL;
    if (!isfinite(value)) {
        json_null(json, key);
    } else if (fabs(value) < WHOLE && value == floor(value)) {
        text = g_strdup_printf("%.0f", value + 0.0); /* no "-0" */
        json_raw(json, key, text);
    } else {
        json_double(json, key, value);
    }
}

void put_roofline_exact(Json *json, const char *key, double value)
{
    g_autofree char *text = format_exact(value);
    if (isfinite(value))
        json_raw(json, key, text);
    else
        json_null(json, key);
}

void put_roofline_text(Json *json, const char *key, const char *value)
{
    if (value)
        json_text(json, key, value);
    else
        json_null(json, key);
}

typedef struct {
    const char *key;
    double value;
} Member;

static void put_members(Json *json, const Member *members, gsize n)
{
    for (gsize i = 0; i < n; i++)
        put_roofline_number(json, members[i].key, members[i].value);
}

gboolean roofline_is_beyond(PsKType type)
{
    return type == PS_K_FP16 || type == PS_K_TENSOR;
}

void put_roofline_parameters(const PsParams *params, Json *json)
{
    const Member members[] = {
        {"W_comp", params->W_comp}, {"W_traf", params->W_traf},
        {"E_mix", params->E_mix},   {"D_ops", params->D_ops},
        {"D_ldst", params->D_ldst}, {"D_other", params->D_other},
        {"O_krn", params->O_krn},   {"ops_per_instruction", params->ops_per_instruction}};
    json_open(json, "parameters", '{', JSON_LINE);
    put_roofline_text(json, "K_type", ps_k_type_name(params->K_type));
    for (gsize i = 0; i < G_N_ELEMENTS(members); i++)
        put_roofline_exact(json, members[i].key, members[i].value);
    json_raw(json, "beyond_paper", roofline_is_beyond(params->K_type) ? "true" : "false");
    json_open(json, "traffic", '{', JSON_LINE);
    put_roofline_number(json, "L1", params->traffic[PS_LEVEL_L1]);
    put_roofline_number(json, "L2", params->traffic[PS_LEVEL_L2]);
    json_close(json, '}');
    json_close(json, '}');
}

void put_roofline_prediction(const PsPrediction *prediction, Json *json)
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
    put_roofline_number(json, "seconds", p->seconds);
    put_roofline_text(json, "bound", ps_bound_name(p->bound));
    put_members(json, members, G_N_ELEMENTS(members));
    if (p->bound != PS_BOUND_CEILING)
        return;
    json_open(json, "equations", '{', JSON_LINE);
    put_roofline_number(json, "seconds", p->equations_seconds);
    put_roofline_text(json, "bound", ps_bound_name(p->equations_bound));
    json_close(json, '}');
}

void put_roofline_ceilings(const PsCeilings *ceilings, double measured, Json *json)
{
    json_open(json, "ceilings", '{', JSON_LINE);
    put_roofline_number(json, "seconds", ceilings->seconds);
    put_roofline_text(json, "highest",
                      ceilings->highest < 0 ? NULL
                                            : ps_ceiling_name((PsCeilingKind)ceilings->highest));
    for (PsCeilingKind i = 0; i < PS_N_CEILINGS; i++) {
        const PsCeiling *of = &ceilings->of[i];
        const gboolean is_further = i == PS_CEILING_L3 || i == PS_CEILING_L4;
        if (is_further && isnan(of->work) && isnan(of->peak))
            continue;
        json_open(json, ps_ceiling_name(i), '{', JSON_LINE);
        put_roofline_number(json, "work", of->work);
        put_roofline_number(json, "peak", of->peak);
        put_roofline_number(json, "seconds", of->seconds);
        put_roofline_number(json, "rate", of->work / measured);
        put_roofline_number(json, "share", of->seconds / measured);
        json_close(json, '}');
    }
    json_close(json, '}');
}

void put_roofline_metrics(const PsMetrics *metrics, Json *json)
{
    json_open(json, "metrics", '{', JSON_LINE);
    for (PsMetric i = 0; i < PS_N_METRICS; i++)
        if (i < PS_M_L3 || !isnan(metrics->value[i]))
            put_roofline_number(json, ps_metric_name(i), metrics->value[i]);
    json_close(json, '}');
}

const char *roofline_origin_name(PsPeakOrigin origin)
{
    static const char *const names[] = {[PS_PEAK_UNKNOWN] = NULL,
                                        [PS_PEAK_STATED] = "stated",
                                        [PS_PEAK_DERIVED] = "derived",
                                        [PS_PEAK_DATASHEET] = "datasheet"};
    return names[origin];
}

void put_roofline_peaks(const PsPeaks *peaks, Json *json)
{
    json_open(json, "peaks", '{', JSON_LINE);
    for (PsPeakKind i = 0; i < PS_N_PEAKS; i++) {
        if (i >= PS_B_L3 && isnan(peaks->value[i]))
            continue;
        json_open(json, ps_peak_kind_name(i), '{', JSON_LINE);
        put_roofline_number(json, "value", peaks->value[i]);
        put_roofline_text(json, "origin", roofline_origin_name(peaks->origin[i]));
        json_close(json, '}');
    }
    json_close(json, '}');
}
