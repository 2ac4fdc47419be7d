/* SPDX-License-Identifier: BSD-3-Clause */
/* See formula.h. */
#include "roofline/import/formula.h"

#include "roofline/terms.h"

#include <math.h>

/* ---- counters ------------------------------------------------------------------------------ */

static int add_counter(PsCounters *counters, const char *name, PsUnit unit)
{
    const int known = GPOINTER_TO_INT(g_hash_table_lookup(counters->by_name, name));
    if (known > 0)
        return known - 1;
    g_ptr_array_add(counters->names, (gpointer)name);
    g_array_append_val(counters->units, unit);
    g_hash_table_insert(counters->by_name, (gpointer)name, GINT_TO_POINTER(counters->names->len));
    return (int)counters->names->len - 1;
}

void ps_counters_init(PsCounters *counters, const PsFormulas *formulas)
{
    *counters = (PsCounters){.formulas = formulas,
                             .names = g_ptr_array_new(),
                             .units = g_array_new(FALSE, FALSE, sizeof(PsUnit)),
                             .by_name = g_hash_table_new(g_str_hash, g_str_equal)};
    counters->terms = g_malloc_n(formulas->n_formulas, sizeof *counters->terms);
    for (guint i = 0; i < formulas->n_formulas; i++) {
        const PsFormula *formula = &formulas->formulas[i];
        for (guint k = 0; k < PS_FORMULA_TERMS; k++) {
            const char *name = formula->terms[k].counter;
            counters->terms[i][k] = name ? add_counter(counters, name, formula->unit) : -1;
        }
    }
}

void ps_counters_clear(PsCounters *counters)
{
    g_ptr_array_free(counters->names, TRUE);
    g_array_free(counters->units, TRUE);
    g_hash_table_destroy(counters->by_name);
    g_free(counters->terms);
}

/* ---- metrics ------------------------------------------------------------------------------- */

/* The value of a formula; NaN where a counter is missing, or is estimated in some launch and
 * `exact` is wanted. A difference of figures that the file prints rounded may be below 0, which no
 * count is. */
static double evaluate(const PsCounters *counters, guint i, const PsCounter *values,
                       gint64 launches, gboolean exact)
{
    const PsFormula *formula = &counters->formulas->formulas[i];
    double sum = 0;
    guint there = 0, n = 0;
    for (; n < PS_FORMULA_TERMS && counters->terms[i][n] >= 0; n++) {
        const PsCounter *counter = &values[counters->terms[i][n]];
        if (ps_counter_launches(counter) != launches)
            continue;
        if (exact && counter->n_estimated > 0)
            return NAN;
        there++;
        sum += formula->terms[n].factor * (counter->sum + counter->estimate);
    }
    return there == n || (formula->any && there > 0) ? MAX(sum, 0) : NAN;
}

/* Sets a part to 0 where the whole is 0. */
static void complete(PsMetrics *metrics, PsMetric whole, PsMetric part)
{
    if (metrics->value[whole] == 0 && isnan(metrics->value[part]))
        metrics->value[part] = 0;
}

/* Endings of counters of matrix products, and the kinds that they count. */
static const struct {
    const char *ending;
    PsProductKind kind;
} products[] = {{"_src_fp16_dst_fp32.sum", PS_PRODUCT_F16_F32},
                {"_src_fp16_dst_fp16.sum", PS_PRODUCT_F16_F16},
                {"_src_bf16_dst_fp32.sum", PS_PRODUCT_BF16},
                {"_src_tf32_dst_fp32.sum", PS_PRODUCT_TF32},
                {"_src_fp64.sum", PS_PRODUCT_F64},
                {"_src_fp8_dst_fp16.sum", PS_PRODUCT_F8_F16},
                {"_src_fp8_dst_fp32.sum", PS_PRODUCT_F8_F32},
                {"_src_fp4_dst_fp32.sum", PS_PRODUCT_F4_F32},
                {"_src_int8.sum", PS_PRODUCT_S8},
                {"_src_int4.sum", PS_PRODUCT_S4},
                {"_src_int1.sum", PS_PRODUCT_B1},
                {"_MOPS_I8", PS_PRODUCT_S8},
                {"_MOPS_F8", PS_PRODUCT_F8_F32},
                {"_MOPS_F16", PS_PRODUCT_F16_F32},
                {"_MOPS_BF16", PS_PRODUCT_BF16},
                {"_MOPS_XF32", PS_PRODUCT_TF32},
                {"_MOPS_F32", PS_PRODUCT_F32},
                {"_MOPS_F64", PS_PRODUCT_F64}};

/* Takes the kinds of matrix products from the counters of a formula. */
static void take_products(const PsCounters *counters, guint i, const PsCounter *values,
                          gint64 launches, PsMetrics *metrics)
{
    const PsTerm *terms = counters->formulas->formulas[i].terms;
    for (guint n = 0; n < PS_FORMULA_TERMS && counters->terms[i][n] >= 0; n++) {
        const PsCounter *counter = &values[counters->terms[i][n]];
        for (guint k = 0; k < G_N_ELEMENTS(products); k++)
            if (ps_counter_launches(counter) == launches &&
                g_str_has_suffix(terms[n].counter, products[k].ending))
                metrics->products[products[k].kind] +=
                    terms[n].factor * (counter->sum + counter->estimate);
    }
}

/* Takes the metrics that no value was found for yet, from exact counters or from all. */
static void take_formulas(const PsCounters *counters, const PsCounter *values, gint64 launches,
                          gboolean exact, PsMetrics *metrics, guint64 *taken)
{
    for (guint i = 0; i < counters->formulas->n_formulas; i++) {
        const PsFormula *formula = &counters->formulas->formulas[i];
        double *value = &metrics->value[formula->metric];
        if (!isnan(*value))
            continue;
        *value = evaluate(counters, i, values, launches, exact);
        if (!isnan(*value) && formula->metric == PS_M_OPS_TENSOR)
            take_products(counters, i, values, launches, metrics);
        if (!isnan(*value) && formula->note)
            *taken |= G_GUINT64_CONSTANT(1) << i;
    }
}

void ps_counters_metrics(const PsCounters *counters, const PsCounter *values, gint64 launches,
                         PsMetrics *metrics, guint64 *taken, guint *estimated)
{
    ps_metrics_init(metrics);
    take_formulas(counters, values, launches, TRUE, metrics, taken);
    const PsMetrics exact = *metrics;
    take_formulas(counters, values, launches, FALSE, metrics, taken);
    for (guint i = 0; i < PS_N_METRICS; i++)
        if (isnan(exact.value[i]) && !isnan(metrics->value[i]))
            *estimated |= 1U << i;
    complete(metrics, PS_M_FP64, PS_M_FMA64);
    complete(metrics, PS_M_FP32, PS_M_FMA32);
    complete(metrics, PS_M_FP16, PS_M_OPS16);
    complete(metrics, PS_M_TENSOR, PS_M_OPS_TENSOR);
    complete(metrics, PS_M_OPS_TENSOR, PS_M_TENSOR);
}

/* TRUE if the file has one of these counters, and all that it has are 0. */
static gboolean are_zero(const PsCounters *counters, const PsCounter *values,
                         gboolean (*concerns)(const PsCounters *counters, guint counter))
{
    gboolean any = FALSE;
    for (guint i = 0; i < counters->names->len; i++) {
        if (ps_counter_launches(&values[i]) == 0 || !concerns(counters, i))
            continue;
        if (values[i].sum + values[i].estimate != 0)
            return FALSE;
        any = TRUE;
    }
    return any;
}

/* TRUE for counts: times and clocks run whether or not anything is counted. */
static gboolean is_count(const PsCounters *counters, guint counter)
{
    const PsFormulas *formulas = counters->formulas;
    for (guint i = 0; i < formulas->n_formulas; i++)
        for (guint k = 0; k < PS_FORMULA_TERMS && counters->terms[i][k] >= 0; k++)
            if (counters->terms[i][k] == (int)counter)
                return formulas->formulas[i].metric != PS_M_CYCLES &&
                       formulas->formulas[i].metric != PS_M_SECONDS;
    return TRUE;
}

/* TRUE for the first counters in formulas of all instructions: every kernel has executed some. */
static gboolean is_of_all_instructions(const PsCounters *counters, guint counter)
{
    for (guint i = 0; i < counters->formulas->n_formulas; i++)
        if (counters->formulas->formulas[i].metric == PS_M_INST &&
            counters->terms[i][0] == (int)counter)
            return TRUE;
    return FALSE;
}

gboolean ps_counters_forget(const PsCounters *counters, const PsCounter *values, PsMetrics *metrics)
{
    static const PsMetric of_instructions[] = {
        PS_M_FP64,       PS_M_FMA64, PS_M_FP32,  PS_M_FMA32,    PS_M_INT,
        PS_M_LDST,       PS_M_INST,  PS_M_FP16,  PS_M_OPS16,    PS_M_TENSOR,
        PS_M_OPS_TENSOR, PS_M_OPS64, PS_M_OPS32, PS_M_FMA_PIPE, PS_M_SPECIAL};
    if (are_zero(counters, values, is_count)) {
        for (guint i = 0; i < PS_N_METRICS; i++)
            if (metrics->value[i] == 0)
                metrics->value[i] = NAN;
        return TRUE;
    }
    if (!are_zero(counters, values, is_of_all_instructions))
        return FALSE;
    for (guint i = 0; i < G_N_ELEMENTS(of_instructions); i++)
        if (metrics->value[of_instructions[i]] == 0)
            metrics->value[of_instructions[i]] = NAN;
    return TRUE;
}

/* By the rule for K_type, single precision does not matter where there is double precision, and
 * integers do not where there is either. Beyond the paper: operations in half precision and of
 * matrix products may be more than all the rest. */
guint ps_metrics_lacking(const PsMetrics *metrics)
{
    const double *m = metrics->value;
    const gboolean fp64 = m[PS_M_FP64] > 0, fp32 = m[PS_M_FP32] > 0;
    guint needed = 1U << PS_M_FP64 | 1U << PS_M_FMA64 | 1U << PS_M_LDST | 1U << PS_M_INST |
                   1U << PS_M_TRAN_R | 1U << PS_M_TRAN_W;
    if (!fp64)
        needed |= 1U << PS_M_FP32 | 1U << PS_M_FMA32;
    if (!fp64 && !fp32)
        needed |= 1U << PS_M_INT;
    if (m[PS_M_FP16] > 0)
        needed |= 1U << PS_M_OPS16;
    if (m[PS_M_TENSOR] > 0)
        needed |= 1U << PS_M_OPS_TENSOR;
    guint lacking = 0;
    for (guint i = 0; i < PS_N_METRICS; i++)
        if (isnan(m[i]))
            lacking |= 1U << i & needed;
    return lacking;
}

gboolean ps_metrics_only_seconds(const PsMetrics *metrics)
{
    for (guint i = 0; i < PS_N_METRICS; i++)
        if (i != PS_M_SECONDS && !isnan(metrics->value[i]))
            return FALSE;
    return !isnan(metrics->value[PS_M_SECONDS]);
}

/* ---- warnings ------------------------------------------------------------------------------ */

/* Metrics that serve the same purpose share a warning. */
static const struct {
    guint metrics;
    const char *purpose;
} needs[] = {
    {1U << PS_M_FP64 | 1U << PS_M_FMA64 | 1U << PS_M_FP32 | 1U << PS_M_FMA32 | 1U << PS_M_INT |
         1U << PS_M_OPS16 | 1U << PS_M_OPS_TENSOR,
     "K_type, W_comp, E_mix and D_ops"},
    {1U << PS_M_LDST, "D_ldst and D_other"},
    {1U << PS_M_INST, "D_ops, D_ldst and D_other"},
    {1U << PS_M_TRAN_R | 1U << PS_M_TRAN_W, "W_traf and O_krn"},
};

/* The best formula of a metric; -1: none. */
static int best_formula(const PsCounters *counters, PsMetric metric)
{
    for (guint i = 0; i < counters->formulas->n_formulas; i++)
        if (counters->formulas->formulas[i].metric == metric)
            return (int)i;
    return -1;
}

/* Appends the reason why the best formula's counters gave no value, where the file has them. */
static void put_reason(GString *text, const PsCounters *counters, int formula, const PsLack *lack)
{
    for (guint k = 0; k < PS_FORMULA_TERMS && counters->terms[formula][k] >= 0; k++) {
        const PsCounter *counter = &lack->counters[counters->terms[formula][k]];
        const char *name = counters->names->pdata[counters->terms[formula][k]];
        if (counter->missing > 0)
            g_string_append_printf(text, " (%s has no value in line %d)", name, counter->missing);
        else if (ps_counter_launches(counter) > 0 && ps_counter_launches(counter) < lack->launches)
            g_string_append_printf(
                text, " (%s is there for %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT " launches)",
                name, ps_counter_launches(counter), lack->launches);
    }
}

/* Appends the counters of a formula, each once. Some counters do not exist on all architectures,
 * and a profiler then refuses to collect them: of these only the first ones are named, which most
 * architectures have. */
static void put_counters(GString *text, const PsCounters *counters, int formula, GPtrArray *named)
{
    const guint most = counters->formulas->formulas[formula].any ? 2 : PS_FORMULA_TERMS;
    for (guint k = 0; k < most && counters->terms[formula][k] >= 0; k++) {
        char *name = counters->names->pdata[counters->terms[formula][k]];
        if (g_ptr_array_find(named, name, NULL))
            continue;
        g_string_append_printf(text, "%s%s", named->len > 0 ? counters->formulas->separator : "",
                               name);
        g_ptr_array_add(named, name);
    }
}

/* Counters to collect. */
typedef struct {
    GString *text;
    GPtrArray *named; /* char *, borrowed: the counters in it */
} List;

static void list_clear(List *list)
{
    g_string_free(list->text, TRUE);
    g_ptr_array_unref(list->named);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(List, list_clear)

/* Tells the missing part of a need, and adds its counters to the list. */
static GString *say_missing(const PsCounters *counters, guint need, const PsLack *lack, List *list)
{
    GString *what = g_string_new(NULL);
    guint n = 0;
    for (guint metric = 0; metric < PS_N_METRICS; metric++) {
        if (!(lack->metrics & needs[need].metrics & 1U << metric))
            continue;
        const int formula = best_formula(counters, metric);
        g_string_append_printf(what, "%s%s", n++ > 0 ? ", " : "", ps_metric_name(metric));
        if (formula < 0)
            continue;
        if (lack->counters)
            put_reason(what, counters, formula, lack);
        put_counters(list->text, counters, formula, list->named);
    }
    g_string_append_printf(what, " %s missing, needed for %s", n > 1 ? "are" : "is",
                           needs[need].purpose);
    return what;
}

/* The number of needs that are not met. */
static guint count_needs(const PsLack *lack)
{
    guint n = 0;
    for (guint i = 0; i < G_N_ELEMENTS(needs); i++)
        n += (lack->metrics & needs[i].metrics) != 0;
    return n;
}

/* A profiler that replays kernels takes any number of counters in one list, which the last warning
 * has. Other profilers count few in each run, and each need has a list of its own. */
void ps_counters_warn(const PsCounters *counters, const PsLack *lack, PsProfile *profile)
{
    const gboolean together = *counters->formulas->separator == ',';
    const guint most = count_needs(lack);
    g_auto(List) list = {g_string_new(NULL), g_ptr_array_new()};
    for (guint i = 0, n = 0; i < G_N_ELEMENTS(needs); i++) {
        if (!(lack->metrics & needs[i].metrics))
            continue;
        g_autoptr(GString) what = say_missing(counters, i, lack, &list);
        const gboolean says = list.named->len > 0 && (!together || n + 1 == most);
        ps_import_warn(profile, "%s%s%s%s%s", lack->whom, what->str,
                       !says                  ? ""
                       : together && most > 1 ? "; to collect all that is missing: "
                                              : "; to collect: ",
                       says ? counters->formulas->collect : "", says ? list.text->str : "");
        n++;
        if (together)
            continue;
        g_string_truncate(list.text, 0);
        g_ptr_array_set_size(list.named, 0);
    }
}

void ps_counters_warn_estimated(const PsCounters *counters, guint metrics, PsProfile *profile)
{
    g_autoptr(GString) what = g_string_new(NULL);
    g_autoptr(GString) how = g_string_new(NULL);
    g_autoptr(GPtrArray) named = g_ptr_array_new();
    for (guint metric = 0; metric < PS_N_METRICS; metric++) {
        if (!(metrics & 1U << metric))
            continue;
        g_string_append_printf(what, "%s%s", what->len > 0 ? ", " : "", ps_metric_name(metric));
        put_counters(how, counters, best_formula(counters, metric), named);
    }
    if (what->len > 0)
        ps_import_warn(profile,
                       "counts computed from rates, which the file prints rounded, are in %s; to "
                       "collect exact ones: %s%s",
                       what->str, counters->formulas->collect, how->str);
}
