/* SPDX-License-Identifier: BSD-3-Clause */
/* See roofline-values.h. */
#include "tell/roofline-values.h"

#include "answer/launch-roofline.h"
#include "roofline/terms.h"
#include "roofline/roofline.h"
#include "tell/format.h"

#include <math.h>

gboolean ps_has_roofline_values(const PsAnswer *answer)
{
    const PsPrediction *prediction = &answer->roofline.prediction;
    return prediction->bound != PS_BOUND_UNKNOWN || prediction->ceiling_seconds > 0;
}

static void add_value(PsTable *table, const char *symbol, char *text)
{
    ps_table_add(table, g_strdup(symbol));
    ps_table_add(table, text);
}

/* Prints four columns: the kernel, the GPU, weights and costs of instructions, and results. */
static void print_values(const PsLaunchRoofline *bound, const PsPaper *paper)
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
    g_autoptr(PsTable) table = ps_table_new("lrlrlrlr");
    for (guint i = 0; i < G_N_ELEMENTS(cells); i++)
        for (guint j = 0; j < G_N_ELEMENTS(cells[i]); j++)
            if (cells[i][j].symbol)
                add_value(table, cells[i][j].symbol, ps_format_scaled(cells[i][j].value));
            else
                add_value(table, "K_type", g_strdup(type ? type : "-"));
    ps_table_omit_head(table);
    ps_paper_table(paper, table, 2);
}

/* Prints the sources of the peaks in the equations. */
static void print_origins(const PsLaunchRoofline *bound, const PsPaper *paper)
{
    static const PsPeakKind general[] = {PS_T_SP, PS_T_LDST, PS_T_ADD, PS_B_MEM};
    g_autoptr(GString) text = g_string_new(NULL);
    const PsPeakKind op = ps_launch_roofline_op_peak(bound);
    for (guint i = 0; i <= G_N_ELEMENTS(general); i++) {
        const PsPeakKind kind = i ? general[i - 1] : op;
        const char *origin = ps_peak_origin_name(bound->peaks.origin[kind]);
        if (!i || kind != op)
            g_string_append_printf(text, "%s%s %s", text->len ? ", " : "", ps_peak_kind_name(kind),
                                   origin ? origin : "not known");
    }
    ps_paper_text(paper, "  Peaks: ", text->str);
}

void ps_put_roofline_values(const PsLaunchRoofline *bound, const PsPaper *paper)
{
    print_values(bound, paper);
    print_origins(bound, paper);
}
