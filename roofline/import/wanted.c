/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The counters that a profiler should collect, by the formulas that read its files. Durations are
 * not counted, and labels of pages are not names of counters.
 */
#include "roofline/import/rocprof.h"

#include "roofline/import/ncu.h"

#include <string.h>

static gboolean is_counted(const PsFormula *formula)
{
    if (formula->metric == PS_M_SECONDS)
        return FALSE;
    for (guint i = 0; i < PS_FORMULA_TERMS && formula->terms[i].counter; i++)
        if (strchr(formula->terms[i].counter, ' '))
            return FALSE;
    return TRUE;
}

static void add_way(GString *text, const PsFormula *formula)
{
    if (formula->any)
        g_string_append_c(text, '?');
    for (guint i = 0; i < PS_FORMULA_TERMS && formula->terms[i].counter; i++)
        g_string_append_printf(text, "%s%s", i ? "," : "", formula->terms[i].counter);
}

char *ps_profile_counters(const char *profiler)
{
    const PsFormulas *formulas = strcmp(profiler, "ncu") == 0         ? &ps_ncu_formulas
                                 : strcmp(profiler, "rocprofv3") == 0 ? &ps_rocprofv3_formulas
                                                                      : NULL;
    const PsFormula *last = NULL;
    GString *text = formulas ? g_string_new(NULL) : NULL;
    for (guint i = 0; formulas && i < formulas->n_formulas; i++) {
        const PsFormula *formula = &formulas->formulas[i];
        if (!is_counted(formula))
            continue;
        if (last)
            g_string_append_c(text, last->metric == formula->metric ? '|' : ';');
        add_way(text, formula);
        last = formula;
    }
    return text ? g_string_free(text, FALSE) : NULL;
}
