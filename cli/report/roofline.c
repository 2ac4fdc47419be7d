/* SPDX-License-Identifier: BSD-3-Clause */
/* See report-roofline.h. */
#include "cli/report/roofline.h"

#include "cli/report/format.h"
#include "cli/report/roofline-json.h"
#include "cli/report/table.h"
#include "cli/report/words.h"

#include <math.h>

gboolean has_roofline_values(const PsAnswer *answer)
{
    const PsPrediction *prediction = &answer->roofline.prediction;
    return prediction->bound != PS_BOUND_UNKNOWN || prediction->ceiling_seconds > 0;
}

/* ---- lines of the summary ------------------------------------------------------------------ */

/* "fp32, 170.7 operations per byte" */
static char *describe_work(const PsParams *params)
{
    if (!(params->W_comp > 0))
        return g_strdup(params->W_comp == 0 ? "no operations" : "operations not known");
    const char *type = ps_k_type_name(params->K_type);
    const char *beyond = roofline_is_beyond(params->K_type) ? " (beyond the paper)" : "";
    if (isnan(params->O_krn) || isinf(params->O_krn))
        return g_strdup_printf("%s%s, %s to device memory", type, beyond,
                               isinf(params->O_krn) ? "no traffic" : "unknown traffic");
    g_autofree char *intensity = format_number(params->O_krn);
    return g_strdup_printf("%s%s, %s operations per byte", type, beyond, intensity);
}

char *describe_ceiling(const PsAnswer *answer)
{
    const PsPrediction *prediction = &answer->roofline.prediction;
    const PsParams *params = &answer->roofline.params;
    if (params->W_comp == 0 && params->W_traf == 0)
        return g_strdup("none: the graph states no operations and no traffic to device memory");
    g_autofree char *work = describe_work(params);
    if (!(prediction->ceiling_seconds > 0))
        return g_strdup_printf("not known, see the warnings: %s", work);
    g_autofree char *ceiling = format_time(prediction->ceiling_seconds);
    return g_strdup_printf(
        "at least %s: %s bound, %s", ceiling,
        ps_launch_roofline_ceiling_peak(&answer->roofline) == PS_B_MEM ? "memory" : "compute",
        work);
}

char *describe_prediction(const PsAnswer *answer)
{
    const PsPrediction *prediction = &answer->roofline.prediction;
    if (prediction->bound == PS_BOUND_UNKNOWN)
        return NULL;
    g_autofree char *seconds = format_time(prediction->seconds);
    return g_strdup_printf("%s by the quantitative roofline (equation 19): %s%s", seconds,
                           ps_bound_name(prediction->bound),
                           ps_launch_roofline_is_whole(&answer->roofline) ? " bound" : "");
}

char *describe_cross_check(const PsAnswer *answer)
{
    g_autofree char *sentence = verdict_sentence(answer);
    if (!sentence || isnan(answer->ratio))
        return g_steal_pointer(&sentence);
    g_autofree char *ratio = format_number(answer->ratio);
    return g_strdup_printf("%s times the prediction%s: %s", ratio,
                           answer->launch_seconds > 0 ? ", without the launch" : "", sentence);
}

static void add_error(GString *out, const char *name, double error)
{
    if (isfinite(error))
        g_string_append_printf(out, "%s %s %+.1f %%", out->len ? "," : "", name, 100 * error);
}

char *describe_measured(const PsAnswer *answer, double measured)
{
    const PsAnswerErrors errors = ps_answer_errors(answer, measured);
    g_autofree char *time = format_time(measured);
    g_autoptr(GString) list = g_string_new(NULL);
    add_error(list, "simulated", errors.simulated);
    add_error(list, "roofline", errors.roofline);
    add_error(list, "result", errors.result);
    return g_strdup_printf("%s:%s", time, list->str);
}

/* ---- all values ---------------------------------------------------------------------------- */

static void add_value(Table *table, const char *symbol, char *text)
{
    table_add(table, g_strdup(symbol));
    table_add(table, text);
}

/* Four columns: the kernel, the GPU, weights and costs of instructions, what follows. */
static void print_values(const PsLaunchRoofline *bound, GString *out)
{
    const PsParams *k = &bound->params;
    const PsPrediction *p = &bound->prediction;
    const double *peak = bound->peaks.value;
    const char *type = ps_k_type_name(k->K_type);
    const struct {
        const char *symbol;
        double value;
    } cells[][4] = {
        {{NULL, 0}, {"T_op", p->T_op}, {"W_op", p->W_op}, {"E_instr", p->E_instr}},
        {{"W_comp", k->W_comp},
         {"T_SP", peak[PS_T_SP]},
         {"W_ldst", p->W_ldst},
         {"T'_op", p->T_adjusted}},
        {{"W_traf", k->W_traf},
         {"T_ldst", peak[PS_T_LDST]},
         {"W_other", p->W_other},
         {"O_dev", p->O_dev}},
        {{"O_krn", k->O_krn},
         {"T_add", peak[PS_T_ADD]},
         {"C_op", p->C_op},
         {"T_predicted", p->T_predicted}},
        {{"E_mix", k->E_mix},
         {"B_mem", peak[PS_B_MEM]},
         {"C_ldst", p->C_ldst},
         {"ceiling", p->ceiling}},
        {{"D_ops", k->D_ops},
         {"D_ldst", k->D_ldst},
         {"C_other", p->C_other},
         {"efficiency", ps_launch_roofline_efficiency(bound)}},
    };
    g_autoptr(Table) table = table_new("lrlrlrlr");
    for (guint i = 0; i < G_N_ELEMENTS(cells); i++)
        for (guint j = 0; j < G_N_ELEMENTS(cells[i]); j++)
            if (cells[i][j].symbol)
                add_value(table, cells[i][j].symbol, format_scaled(cells[i][j].value));
            else
                add_value(table, "K_type", g_strdup(type ? type : "-"));
    table_print(table, 2, out);
}

/* Where the peaks come from that the equations use. */
static void print_origins(const PsLaunchRoofline *bound, GString *out)
{
    static const PsPeakKind general[] = {PS_T_SP, PS_T_LDST, PS_T_ADD, PS_B_MEM};
    g_autoptr(GString) text = g_string_new(NULL);
    const PsPeakKind op = ps_launch_roofline_op_peak(bound);
    for (guint i = 0; i <= G_N_ELEMENTS(general); i++) {
        const PsPeakKind kind = i ? general[i - 1] : op;
        const char *origin = roofline_origin_name(bound->peaks.origin[kind]);
        if (!i || kind != op)
            g_string_append_printf(text, "%s%s %s", text->len ? ", " : "", ps_peak_kind_name(kind),
                                   origin ? origin : "not known");
    }
    wrap_text(out, "  Peaks: ", text->str);
}

void print_roofline_values(const PsLaunchRoofline *bound, GString *out)
{
    print_values(bound, out);
    print_origins(bound, out);
}
