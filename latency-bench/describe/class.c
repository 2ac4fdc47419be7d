/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From fits to classes. A class whose two latencies are known is measured. Where only one of them
 * is known and the other has an upper bound (there were never so few or so many warps that it
 * showed), the bound stands in, marked as assumed: with as many instructions in flight as were
 * measured, it changes nothing. What else is not known makes no class.
 */
#include "base/class-name.h"
#include "latency-bench/describe/describe.h"

#include <math.h>
#include <string.h>

/* Letters of a class's name, at most: fewer than a description allows, since sources are named
 * after it. */
#define MOST_NAME 180

/* ---- pipelines ----------------------------------------------------------------------------- */

/* Conversions of integers are where those to integers are, and the greatest of a warp where its sum
 * is, unless they are clearly faster: then they are beside additions. */
static gboolean is_beside_additions(const PsDescribe *describe, const char *class_name)
{
    static const char *const likely[][2] = {{"conversion.i2f", "conversion.f2i"},
                                            {"conversion.pack", "conversion.f2i"},
                                            {"shuffle.reduce.minmax", "shuffle.reduce"}};
    for (guint i = 0; i < G_N_ELEMENTS(likely); i++)
        if (strcmp(class_name, likely[i][0]) == 0)
            return ps_describe_issue(describe, class_name) <
                   0.75 * ps_describe_issue(describe, likely[i][1]);
    return FALSE;
}

/* The unit of integer multiply-adds, where they were measured in turns with those of single
 * precision: that one, if both take as long as one after the other, else one of their own. */
static const char *unit_beside_single(const PsDescribe *describe)
{
    const double both = ps_describe_issue(describe, PS_DESCRIBE_BESIDE),
                 integer = ps_describe_issue(describe, "imad"),
                 single = ps_describe_issue(describe, "fmadd");
    if (!(both > 0) || isnan(integer + single))
        return NULL;
    return both > (integer + single + fmax(integer, single)) / 2 ? "fp32" : "imad";
}

/* The name of a class's pipeline (g_free): its unit, or the first part of its name; a pipeline's
 * name must not begin with a digit. */
static char *unit_of(const PsDescribe *describe, const char *class_name)
{
    const char *unit =
        ps_describe_unit(is_beside_additions(describe, class_name) ? "iadd" : class_name);
    const char *beside = ps_class_covers("imad", class_name) ? unit_beside_single(describe) : NULL;
    if (beside)
        return g_strdup(beside);
    if (unit)
        return g_strdup(unit);
    g_autofree char *kind = ps_class_first_parts(class_name, 1);
    return g_strconcat(g_ascii_isdigit(*kind) ? "_" : "", kind, NULL);
}

/* Memories and barriers serve the whole CU; units that compute all belong to schedulers, or all to
 * the CU. */
static gboolean computes(const char *unit)
{
    static const char *const others[] = {"local", "global", "constant", "barrier", NULL};
    return !g_strv_contains(others, unit);
}

/* By how many more classes vote for a pipeline per scheduler than for one per CU: those of a unit,
 * or (NULL) of all that compute. */
static int votes(const PsDescribe *describe, const char *unit)
{
    int sum = 0;
    for (guint i = 0; i < describe->fits->len; i++) {
        const PsBenchFit *fit = &g_array_index(describe->fits, PsBenchFit, i);
        g_autofree char *own = unit_of(describe, fit->class_name);
        if (isfinite(fit->fit.issue.value) && (unit ? strcmp(own, unit) == 0 : computes(own)))
            sum += fit->fit.scope == PS_PIPELINE_SCHEDULER ? 1
                   : fit->fit.scope == PS_PIPELINE_CU      ? -1
                                                           : 0;
    }
    return sum;
}

/* TRUE if the unit has a pipeline per scheduler: by the majority of its classes that show it. */
static gboolean is_per_scheduler(const PsDescribe *describe, const char *unit)
{
    if (describe->gpu->schedulers <= 0)
        return FALSE;
    const int own = votes(describe, unit);
    return own > 0 || (own == 0 && computes(unit) && votes(describe, NULL) > 0);
}

/* A class that certainly differs from its unit's scope gets another pipeline. A class that shows
 * nothing follows its unit. */
static guint pipeline_for(PsDescribe *describe, const PsBenchFit *fit)
{
    g_autofree char *unit = unit_of(describe, fit->class_name);
    const gboolean usual = is_per_scheduler(describe, unit);
    const gboolean own = fit->fit.scope == PS_PIPELINE_UNKNOWN || describe->gpu->schedulers <= 0
                             ? usual
                             : fit->fit.scope == PS_PIPELINE_SCHEDULER;
    if (own == usual)
        return ps_describe_pipeline(describe->gpu, unit, usual);
    g_autofree char *name = g_strconcat(unit, own ? "-scheduler" : "-cu", NULL);
    return ps_describe_pipeline(describe->gpu, name, own);
}

/* ---- latencies ----------------------------------------------------------------------------- */

static PsEstimate scaled(const PsEstimate *estimate, double factor)
{
    return (PsEstimate){estimate->value * factor, estimate->low * factor, estimate->high * factor};
}

static PsEstimate exactly(double value)
{
    return (PsEstimate){value, NAN, NAN};
}

/* The factor from lambda in the fit's scope to lambda of the pipeline. */
static double scope_factor(const PsGpu *gpu, const PsHullFit *fit, guint pipeline)
{
    const gboolean per_scheduler =
        ((const PsPipeline *)gpu->pipelines->pdata[pipeline])->per_scheduler;
    if (per_scheduler == (fit->scope == PS_PIPELINE_SCHEDULER))
        return 1;
    return per_scheduler ? (double)gpu->schedulers : 1 / (double)MAX(gpu->schedulers, 1);
}

static gboolean is_growing(const GArray *table, gint64 warps)
{
    return warps > 0 &&
           (!table->len || warps > g_array_index(table, PsLatencyAt, table->len - 1).warps);
}

static void set_table(PsClass *class, const GArray *at, double factor)
{
    GArray *table = g_array_new(FALSE, FALSE, sizeof(PsLatencyAt));
    for (guint i = 0; i < at->len; i++) {
        const PsLatencyAt *from = &g_array_index(at, PsLatencyAt, i);
        const PsEstimate issue = exactly(ps_rational_to_double(from->latency.issue) * factor),
                         completion = exactly(ps_rational_to_double(from->latency.completion));
        const PsLatencyAt to = {from->warps,
                                {ps_describe_decimal(&issue), ps_describe_decimal(&completion)}};
        if (is_growing(table, to.warps) && to.latency.issue.num && to.latency.completion.num)
            g_array_append_val(table, to);
    }
    if (table->len > 1)
        class->at = g_steal_pointer(&table);
    g_clear_pointer(&table, g_array_unref);
}

/* The bounds of a figure in words (g_free). */
static char *say_bounds(const PsEstimate *estimate)
{
    if (isfinite(estimate->value))
        return g_strdup_printf("%.4g cycles", estimate->value);
    const gboolean low = estimate->low > 0, high = isfinite(estimate->high);
    if (low && high)
        return g_strdup_printf("between %.4g and %.4g cycles", estimate->low, estimate->high);
    if (low)
        return g_strdup_printf("at least %.4g cycles", estimate->low);
    return high ? g_strdup_printf("at most %.4g cycles", estimate->high) : g_strdup("not known");
}

/* ---- classes ------------------------------------------------------------------------------- */

/* The figure to state: the measured one, or the highest that the measurements allow. */
static PsEstimate stated(const PsEstimate *estimate)
{
    return isfinite(estimate->value) ? *estimate : exactly(estimate->high);
}

/* Cycles; no result can be used earlier: there was none. */
#define LEAST_COMPLETION 0.2

static gboolean is_removed(const PsHullFit *fit)
{
    const PsEstimate *completion = &fit->completion;
    return (isfinite(completion->value) ? completion->value : completion->high) < LEAST_COMPLETION;
}

/* Lists about many classes; empty: nothing to say. */
typedef struct {
    GString *issue, *completion;         /* latencies for which a bound stands in */
    GString *single, *neither, *removed; /* classes that are left out */
} Untold;

static void untold_clear(Untold *untold)
{
    GString *const all[] = {untold->issue, untold->completion, untold->single, untold->neither,
                            untold->removed};
    for (guint i = 0; i < G_N_ELEMENTS(all); i++)
        g_string_free(all[i], TRUE);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Untold, untold_clear)

static void put_left_out(Untold *untold, const PsBenchFit *fit)
{
    g_autofree char *issue = say_bounds(&fit->fit.issue),
                    *completion = say_bounds(&fit->fit.completion);
    GString *list = is_removed(&fit->fit)    ? untold->removed
                    : fit->fit.n_points == 1 ? untold->single
                    : fit->fit.n_points > 1  ? untold->neither
                                             : NULL;
    if (!list)
        return;
    g_string_append_printf(list, "%s%s", list->len ? ", " : "", fit->class_name);
    if (list == untold->removed)
        g_string_append_printf(list, " (Lambda is %s)", completion);
    if (list == untold->neither)
        g_string_append_printf(list, " (lambda is %s, Lambda %s)", issue, completion);
}

static void put_bound(GString *list, const char *latency, const PsBenchFit *fit, const char *bound)
{
    if (list->len)
        g_string_append_printf(list, ", of %s %s", fit->class_name, bound);
    else
        g_string_append_printf(list, "%s of %s is %s", latency, fit->class_name, bound);
}

static void warn_untold(PsDescribe *describe, const Untold *untold)
{
    if (untold->issue->len || untold->completion->len)
        ps_describe_warn(describe,
                         "not every latency shows, and the description takes the bound for it: "
                         "%s%s%s",
                         untold->issue->str,
                         untold->issue->len && untold->completion->len ? "; " : "",
                         untold->completion->str);
    if (untold->neither->len)
        ps_describe_warn(describe, "left out, since neither latency shows: %s",
                         untold->neither->str);
    if (untold->single->len)
        ps_describe_warn(describe, "left out, since there is a single point: %s",
                         untold->single->str);
    if (untold->removed->len)
        ps_describe_warn(describe, "left out, since the compiler removed the work: %s",
                         untold->removed->str);
}

/* The class of a fit, without its source; NULL where there is none. */
static PsClass *make_class(PsDescribe *describe, const PsBenchFit *fit)
{
    const PsHullFit *hull = &fit->fit;
    PsEstimate issue = stated(&hull->issue);
    const PsEstimate completion = stated(&hull->completion);
    PsLatency latency = {PS_RATIONAL_INT(0), ps_describe_decimal(&completion)};
    if (!ps_class_is_name(fit->class_name) || strlen(fit->class_name) > MOST_NAME ||
        is_removed(hull) || (!isfinite(hull->issue.value) && !isfinite(hull->completion.value)) ||
        !isfinite(issue.value) || !latency.completion.num)
        return NULL;
    const guint pipeline = pipeline_for(describe, fit);
    const double factor = scope_factor(describe->gpu, hull, pipeline);
    issue = scaled(&issue, factor);
    latency.issue = ps_describe_decimal(&issue);
    if (!latency.issue.num)
        return NULL;
    PsClass *class = ps_gpu_add_class(describe->gpu, fit->class_name);
    class->pipeline = pipeline;
    class->latency = latency;
    if (!hull->straight && hull->at)
        set_table(class, hull->at, factor);
    return class;
}

/* Names the two units of a class (g_free); "" for one unit. */
static char *say_mixture(const PsGpu *gpu, const char *class_name)
{
    const char *halves = ps_describe_mixture(class_name, gpu->architecture);
    return halves ? g_strdup_printf(" (half %s, as the compiler mixes them)", halves)
                  : g_strdup("");
}

/* Adds what the source of a pipeline says about each of its classes. */
static void add_provenance(GString *text, const PsBenchFit *fit, const PsGpu *gpu)
{
    g_autofree char *mixture = say_mixture(gpu, fit->class_name);
    g_string_append_printf(text, "%s%s%s %u points", text->len ? "; " : "", fit->class_name,
                           mixture, fit->fit.n_points);
    if (fit->fit.n_outliers)
        g_string_append_printf(text, " (%u outlier%s)", fit->fit.n_outliers,
                               fit->fit.n_outliers == 1 ? "" : "s");
    if (isfinite(fit->fit.goodness))
        g_string_append_printf(text, " R2 %.4f", fit->fit.goodness);
    if (gpu->schedulers > 0 && fit->fit.scope == PS_PIPELINE_UNKNOWN)
        g_string_append(text, " scope not told");
}

/* The class of loads for a class of stores, if it is measured; else NULL. */
static const PsClass *loads_of(const PsGpu *gpu, const char *class_name)
{
    g_autofree char *load = ps_class_load_of(class_name);
    if (!load)
        return NULL;
    PsMatch match;
    const PsClass *found = ps_gpu_class(gpu, load, &match);
    return found && match != PS_MATCH_DEFAULT ? found : NULL;
}

/* Nothing waits for a store, so its Lambda never shows: it gets that of the loads. */
static void assume_store(PsDescribe *describe, PsClass *class, const PsClass *load,
                         const PsBenchFit *fit)
{
    class->latency.completion = load->latency.completion;
    class->source = ps_describe_source_name(class->name, "bound");
    ps_describe_source(describe, class->source, PS_SOURCE_ASSUMED,
                       g_strdup_printf("%s: the issue latency is measured (%u points); nothing "
                                       "waits for a store, so that its completion latency does not "
                                       "show, and that of %s stands here.",
                                       class->name, fit->fit.n_points, load->name));
}

/* Sets the bound that stands in for one of the two latencies. */
static void assume(PsDescribe *describe, PsClass *class, const PsBenchFit *fit, Untold *untold)
{
    const gboolean issue = !isfinite(fit->fit.issue.value);
    const PsClass *load = issue ? NULL : loads_of(describe->gpu, class->name);
    const char *which = issue ? "issue latency (lambda)" : "completion latency (Lambda)";
    g_autofree char *bound = say_bounds(issue ? &fit->fit.issue : &fit->fit.completion);
    if (load) {
        assume_store(describe, class, load, fit);
        return;
    }
    g_autofree char *mixture = say_mixture(describe->gpu, class->name);
    class->source = ps_describe_source_name(class->name, "bound");
    ps_describe_source(describe, class->source, PS_SOURCE_ASSUMED,
                       g_strdup_printf("%s%s: the %s does not show in %u points; it is %s, and "
                                       "that bound stands here. The other latency is measured.",
                                       class->name, mixture, which, fit->fit.n_points, bound));
    put_bound(issue ? untold->issue : untold->completion, issue ? "lambda" : "Lambda", fit, bound);
}

/* The sources: one for each pipeline, in the order of the pipelines. */
static void add_sources(PsDescribe *describe, GHashTable *texts)
{
    for (guint i = 0; i < describe->gpu->pipelines->len; i++) {
        PsPipeline *pipeline = describe->gpu->pipelines->pdata[i];
        const GString *text = g_hash_table_lookup(texts, pipeline->name);
        if (!text)
            continue;
        ps_describe_source(describe, pipeline->name, PS_SOURCE_MEASURED,
                           g_strdup_printf("Fits of boat hulls: %s.", text->str));
        pipeline->source = g_strdup(pipeline->name);
    }
}

static void free_text(void *text)
{
    g_string_free(text, TRUE);
}

static GString *text_of(GHashTable *texts, const char *pipeline)
{
    GString *text = g_hash_table_lookup(texts, pipeline);
    if (!text) {
        text = g_string_new(NULL);
        g_hash_table_insert(texts, g_strdup(pipeline), text);
    }
    return text;
}

guint ps_describe_classes(PsDescribe *describe)
{
    guint n = 0;
    g_auto(Untold) untold = {g_string_new(NULL), g_string_new(NULL), g_string_new(NULL),
                             g_string_new(NULL), g_string_new(NULL)};
    g_autoptr(GHashTable) texts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, free_text);
    for (guint i = 0; i < describe->fits->len; i++) {
        const PsBenchFit *fit = &g_array_index(describe->fits, PsBenchFit, i);
        if (ps_describe_follows(describe, fit) || ps_describe_is_pass(fit->class_name) ||
            strcmp(fit->class_name, PS_DESCRIBE_BESIDE) == 0)
            continue;
        PsClass *class = make_class(describe, fit);
        if (!class) {
            put_left_out(&untold, fit);
            continue;
        }
        n++;
        const PsPipeline *pipeline = describe->gpu->pipelines->pdata[class->pipeline];
        if (!isfinite(fit->fit.issue.value) || !isfinite(fit->fit.completion.value)) {
            assume(describe, class, fit, &untold);
            continue;
        }
        class->source = g_strdup(pipeline->name);
        add_provenance(text_of(texts, pipeline->name), fit, describe->gpu);
    }
    ps_describe_passes(describe);
    add_sources(describe, texts);
    warn_untold(describe, &untold);
    return n;
}
